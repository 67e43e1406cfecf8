//! The command line: verbs, what they take, and what help says of them. docs/command.md is written
//! from it.

use crate::{cat, input, layout, plot};
use clap::{Args, Parser, Subcommand};
use std::net::SocketAddr;
use std::path::PathBuf;
use zarrc::format::FormatId;

const AFTER: &str = "\
A store is named by a URL: a path, file:, s3:, http: and what `zarrc formats` lists, also chained \
with |. A NODE is a path in the store; a store whose root is an array needs none. A selection \
follows it in brackets, as NumPy writes it: 't[0, ::10, -1]', 't[..., [1, 5]]'; lists select along \
their own dimension.

Examples:
  zarrc tree data.zarr
  zarrc cat --format csv data.zarr 't[0, ::10]'
  zarrc stats --json s3://bucket/data.zarr t -O anonymous=yes
  zarrc convert old.zarr new.zarr --to v3

Exit codes:
  0    done; sound; the same
  1    a difference (diff), a problem (verify, repair)
  2    trouble: the command line, the store or the system is at fault
  130  ended by Ctrl-C, with whole chunks";

/// Looks at, reads, writes, copies and checks Zarr stores
#[derive(Parser)]
#[command(name = "zarrc", version, after_help = AFTER, max_term_width = 100)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub struct Command {
    #[command(subcommand)]
    pub verb: Verb,
    /// An option of the library, as threads=4; docs/stores.md lists them
    #[arg(short = 'O', value_name = "NAME=VALUE", global = true)]
    pub options: Vec<String>,
    /// Draw no progress bars
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

#[derive(Args)]
pub struct At {
    /// The store
    pub url: String,
    /// A path in it, with or without a selection in brackets
    #[arg(default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    pub node: String,
}

#[derive(Args)]
pub struct Json {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Two {
    /// The store that is read
    pub source: String,
    /// The other store
    pub target: String,
    /// The node in the source; by default its root
    #[arg(long, default_value = "", hide_default_value = true)]
    pub node: String,
    /// The node in the target; by default that of the source
    #[arg(long, value_name = "NODE")]
    pub target_node: Option<String>,
}

#[derive(Subcommand)]
pub enum Verb {
    /// Show what is known about an array or a group
    Info {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        json: Json,
    },
    /// List the nodes of a group
    Ls {
        #[command(flatten)]
        at: At,
        /// All levels
        #[arg(short, long)]
        recursive: bool,
        /// With kinds, shapes and types
        #[arg(short, long)]
        long: bool,
        #[command(flatten)]
        json: Json,
    },
    /// Draw a group and everything below it
    Tree {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        json: Json,
    },
    /// Print a node and everything below it as ncdump does (CDL), or as JSON
    Dump {
        #[command(flatten)]
        at: At,
        /// Metadata alone, no elements
        #[arg(short = 'H', long)]
        header: bool,
        #[command(flatten)]
        json: Json,
    },
    /// Print elements of an array, or write them to a file
    Cat {
        #[command(flatten)]
        at: At,
        /// The form
        #[arg(short, long, value_enum, default_value = "text")]
        format: cat::Format,
        /// The file; by default standard output
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Compute minimum, maximum, mean, deviation, counts of NaN and fill values, a histogram
    ///
    /// Least, most, mean and deviation are of the numbers that are not NaN. The deviation is that
    /// of a population. Mean and deviation are null where some numbers are infinite.
    Stats {
        #[command(flatten)]
        at: At,
        /// Count a histogram of so many bins
        #[arg(long, value_name = "BINS", default_value_t = 0, hide_default_value = true)]
        #[arg(value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
        histogram: u32,
        /// Leave out elements that are the fill value
        #[arg(long)]
        skip_fill: bool,
        #[command(flatten)]
        json: Json,
    },
    /// Draw two dimensions of an array into a PNG or the terminal, the first from top to bottom
    ///
    /// NaN is transparent. If there are more elements than pixels, draws every n-th element. An axis
    /// shows the coordinates of the array with the dimension's name, if they are evenly spaced,
    /// else the indices.
    Plot {
        #[command(flatten)]
        at: At,
        /// The file; by default the terminal
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// The colours
        #[arg(long, value_enum, default_value = "viridis")]
        map: plot::Map,
        /// The value of the first colour; by default the minimum
        #[arg(long, allow_negative_numbers = true)]
        min: Option<f64>,
        /// The value of the last colour; by default the maximum
        #[arg(long, allow_negative_numbers = true)]
        max: Option<f64>,
        /// Maximum size in pixels, along either side
        #[arg(long, default_value_t = 2048)]
        #[arg(value_parser = clap::value_parser!(u64).range(1..=32768))]
        size: u64,
        /// Draw axes, units and a colour bar into the file
        #[arg(long)]
        axes: bool,
        /// How the terminal shows images
        #[arg(long, value_enum, default_value = "auto")]
        terminal: plot::Terminal,
    },
    /// Read and change attributes
    #[command(subcommand)]
    Attrs(Attrs),
    /// Create an array or a group, and the groups above it
    Create {
        #[command(flatten)]
        at: At,
        /// Create a group
        #[arg(long)]
        group: bool,
        /// Shape of the array, as 10,20
        #[arg(long, value_delimiter = ',')]
        shape: Option<Vec<u64>>,
        /// The type of its elements: float32, >i2, datetime64[ns], vlen-utf8
        #[arg(long = "type", value_name = "TYPE")]
        data_type: Option<String>,
        #[command(flatten)]
        layout: layout::Layout,
        /// Attributes, as a JSON object
        #[arg(long, value_name = "JSON")]
        attributes: Option<String>,
        /// Delete the existing node first
        #[arg(long)]
        replace: bool,
    },
    /// Write a file to an array, or to a part of it; create it if it is not there
    ///
    /// A .npy file says shape and type itself. Numbers are converted where they fit. Raw bytes and
    /// CSV are taken in C order, and --shape and --type say what a new array is to be.
    Write {
        /// The store, which is created if it is not there
        url: String,
        /// A path in it, with or without a selection in brackets; "" for the root
        node: String,
        /// The file; - for standard input
        file: PathBuf,
        /// The file format; by default told by the file's name
        #[arg(long, value_enum)]
        from: Option<input::Source>,
        /// Shape of a new array, as 10,20
        #[arg(long, value_delimiter = ',')]
        shape: Option<Vec<u64>>,
        /// The type of a new array
        #[arg(long = "type", value_name = "TYPE")]
        data_type: Option<String>,
        #[command(flatten)]
        layout: layout::Layout,
    },
    /// Append a file to an array: all of it or nothing
    Append {
        /// The store
        url: String,
        /// A path in it; "" for the root
        node: String,
        /// The file; - for standard input
        file: PathBuf,
        /// The file format; by default told by the file's name
        #[arg(long, value_enum)]
        from: Option<input::Source>,
        /// The dimension that grows
        #[arg(long, default_value_t = 0)]
        axis: usize,
    },
    /// Copy a node and everything below it as stored
    Copy {
        #[command(flatten)]
        two: Two,
        /// Keep keys that are in the target
        #[arg(long)]
        skip: bool,
        /// Overwrite keys that are in the target
        #[arg(long)]
        replace: bool,
        /// Make hard links, as a snapshot that takes no space: both stores must be directories on
        /// one file system, and no program may change their files in place
        #[arg(long)]
        link: bool,
        /// Only count
        #[arg(short = 'n', long)]
        dry_run: bool,
        #[command(flatten)]
        json: Json,
    },
    /// Move or rename a node within its store
    Mv {
        /// The store
        url: String,
        /// The path of the node
        node: String,
        /// Its new path
        to: String,
    },
    /// Delete a node
    Rm {
        /// The store
        url: String,
        /// The path of the node; "" for the root
        node: String,
        /// Also delete everything below a group
        #[arg(short, long)]
        recursive: bool,
    },
    /// Convert a node and everything below it to another format
    ///
    /// hdf5:PATH or netcdf:PATH as the target is a new HDF5 file, which takes no --to.
    /// Where both stores and nodes are the same, in place. An interrupted conversion goes on when
    /// it is called again.
    Convert {
        #[command(flatten)]
        two: Two,
        /// The format: v1, v2, v3, n5
        #[arg(long, value_parser = layout::format)]
        to: Option<FormatId>,
        /// Leave out what the format cannot express, as long as no value changes
        #[arg(long)]
        accept_losses: bool,
        /// Keep the documents of the old format when converting in place
        #[arg(long)]
        keep_old: bool,
        /// Print the plan as JSON, and change nothing
        #[arg(short = 'n', long)]
        dry_run: bool,
    },
    /// Write references to the values of a file, as of HDF5, where they lie: kerchunk's JSON
    References {
        /// The store, as x.h5
        url: String,
        /// A path in it; "" for the root
        #[arg(default_value = "")]
        node: String,
        /// What the references call the file, for readers elsewhere; by default its path
        #[arg(long)]
        file_url: Option<String>,
    },
    /// Rewrite an array with other chunks, shards, codecs or another format
    ///
    /// What is not said stays as it is. An interrupted call goes on when it is called again.
    Rechunk {
        #[command(flatten)]
        two: Two,
        #[command(flatten)]
        layout: layout::Layout,
        /// Memory for elements (MiB)
        #[arg(long, default_value_t = 256)]
        memory: u64,
    },
    /// Write the metadata of a group and everything below it into one document
    Consolidate {
        #[command(flatten)]
        at: At,
    },
    /// Check documents, chunks, checksums and keys: 0 sound, 1 problems
    Verify {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        json: Json,
    },
    /// Repair what verify found: 0 nothing is left, 1 problems are left
    ///
    /// Kinds: consolidated (written anew); outside, unknown (keys are deleted); interrupted (what
    /// an interrupted call left is deleted); chunk, index (damaged chunks are deleted: their
    /// elements are lost).
    Repair {
        #[command(flatten)]
        at: At,
        /// The kinds of problems to repair, separated by commas
        #[arg(long)]
        kinds: String,
        /// Change nothing
        #[arg(short = 'n', long)]
        dry_run: bool,
        #[command(flatten)]
        json: Json,
    },
    /// Compare two nodes and everything below them, across formats: 0 equal, 1 different
    ///
    /// Compared are kinds, shapes, types, elements, attributes and names of dimensions; not chunks,
    /// codecs and fill values. NaN is the same as NaN.
    Diff {
        #[command(flatten)]
        two: Two,
        /// Absolute tolerance of numbers
        #[arg(long, default_value_t = 0.0)]
        atol: f64,
        /// Relative tolerance, of the second number's absolute value
        #[arg(long, default_value_t = 0.0)]
        rtol: f64,
        /// Do not compare attributes and names of dimensions
        #[arg(long)]
        no_attributes: bool,
        /// Compare numbers of different types
        #[arg(long)]
        any_type: bool,
        #[command(flatten)]
        json: Json,
    },
    /// Print a digest of the elements of each array, whatever chunks and codecs store them
    Digest {
        #[command(flatten)]
        at: At,
        /// sha1 or sha256
        #[arg(long, default_value = "sha256")]
        algorithm: String,
        /// Of the stored bytes instead
        #[arg(long)]
        stored: bool,
        #[command(flatten)]
        json: Json,
    },
    /// Show the stored size of each array
    Du {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        json: Json,
    },
    /// Measure how fast an array is read: all of it, random chunks, random boxes
    ///
    /// Opens the store again for each measurement; the system's file cache stays warm. MB/s count
    /// decoded elements (1 MB: 10^6 bytes). A separate run of the first 50 reads counts requests.
    Bench {
        #[command(flatten)]
        at: At,
        /// Maximum time for each measurement
        #[arg(long, default_value_t = 5)]
        #[arg(value_parser = clap::value_parser!(u64).range(1..=86400))]
        seconds: u64,
        /// Extents of the boxes, as 64,64; by default about 65536 elements
        #[arg(long = "box", value_name = "EXTENTS", value_delimiter = ',')]
        extents: Option<Vec<u64>>,
        /// Selects other random chunks and boxes
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        json: Json,
    },
    /// Serve a store over HTTP, read-only, until Ctrl-C
    ///
    /// Answers ranges, ETags and listings, for zarrc's http:, fsspec, zarr-python and browsers.
    /// Prints its address once clients can connect. At a loopback address it refuses requests whose
    /// Host is another name than localhost.
    Serve {
        /// The store
        url: String,
        /// The address and port to listen at; port 0: any free port
        #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
        listen: SocketAddr,
        /// Allow web pages of this origin to read the store; *: any origin
        #[arg(long, value_name = "ORIGIN")]
        cors: Option<String>,
    },
    /// Show a store in the browser, until Ctrl-C: its tree, attributes, chunks, images and plots
    ///
    /// Prints the address of the page and opens it. The server answers only addresses with its
    /// random token, and the page loads nothing from elsewhere.
    View {
        /// The store
        url: String,
        /// The node to show first
        #[arg(default_value = "", hide_default_value = true)]
        node: String,
        /// The address and port to listen at; port 0: any free port
        #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
        listen: SocketAddr,
        /// Print the address only
        #[arg(long)]
        no_browser: bool,
    },
    /// List the formats, stores and codecs of this build
    Formats {
        #[command(flatten)]
        json: Json,
    },
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or that of a verb
    Man {
        /// The verb, as info or attrs-get
        verb: Option<String>,
    },
}

#[derive(Subcommand)]
pub enum Attrs {
    /// Print the attributes of a node as JSON, or the value of one
    Get {
        /// The store
        url: String,
        /// A path in it; / for the root
        #[arg(default_value = "", hide_default_value = true)]
        node: String,
        /// The attribute
        name: Option<String>,
    },
    /// Set an attribute
    Set {
        /// The store
        url: String,
        /// A path in it; / for the root
        node: String,
        /// The attribute
        name: String,
        /// JSON; anything else is a string
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Delete an attribute
    Delete {
        /// The store
        url: String,
        /// A path in it; / for the root
        node: String,
        /// The attribute
        name: String,
    },
}
