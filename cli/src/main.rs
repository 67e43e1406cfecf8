//! zarrc at a terminal. Each verb is a function of the module that its line below names; what the
//! command line says is in [`Verb`], and docs/command.md is written from it.

mod cat;
mod change;
mod diff;
mod failure;
mod input;
mod layout;
mod look;
mod npy;
mod output;
mod pieces;
mod place;
mod plot;
mod progress;
mod selection;
mod stats;
mod value;
mod whole;

use clap::{Args, CommandFactory, Parser, Subcommand};
use failure::{DONE, Failure, Outcome};
use place::Place;
use std::path::PathBuf;
use std::process::ExitCode;
use zarrc::format::FormatId;
use zarrc::metadata::NodePath;
use zarrc::operations::Accept;
use zarrc::store::{Mode, Options};

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
struct Command {
    #[command(subcommand)]
    verb: Verb,
    /// An option of the library, as threads=4; docs/stores.md lists them
    #[arg(short = 'O', value_name = "NAME=VALUE", global = true)]
    options: Vec<String>,
    /// Draw no progress bars
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Args)]
struct At {
    /// The store
    url: String,
    /// A path in it, with or without a selection in brackets
    #[arg(default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    node: String,
}

#[derive(Args)]
struct Json {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Two {
    /// The store that is read
    source: String,
    /// The other store
    target: String,
    /// The node of the first; by default its root
    #[arg(long, default_value = "", hide_default_value = true)]
    node: String,
    /// The node of the second; by default as that of the first
    #[arg(long, value_name = "NODE")]
    target_node: Option<String>,
}

#[derive(Subcommand)]
enum Verb {
    /// Say what is known of an array or a group
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
    /// Draw a group and all below it
    Tree {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        json: Json,
    },
    /// Print a node and all below it as ncdump does (CDL), or as JSON
    Dump {
        #[command(flatten)]
        at: At,
        /// Metadata alone, no elements
        #[arg(short = 'H', long)]
        header: bool,
        #[command(flatten)]
        json: Json,
    },
    /// Print elements of an array, or write them into a file
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
    /// Count: least, most, mean, deviation, NaN, fill values, a histogram
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
    /// Draw two dimensions of an array into a PNG, the first from top to bottom
    ///
    /// NaN is transparent. Of more elements than pixels, every n-th is drawn.
    Plot {
        #[command(flatten)]
        at: At,
        /// The file
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// The colours
        #[arg(long, value_enum, default_value = "viridis")]
        map: plot::Map,
        /// The number that has the first colour; by default the least
        #[arg(long, allow_negative_numbers = true)]
        min: Option<f64>,
        /// The number that has the last colour; by default the most
        #[arg(long, allow_negative_numbers = true)]
        max: Option<f64>,
        /// Pixels along either side, at most
        #[arg(long, default_value_t = 2048)]
        #[arg(value_parser = clap::value_parser!(u64).range(1..=32768))]
        size: u64,
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
        /// Extents of the array, as 10,20
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
        /// Delete what is there first
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
        /// The form; by default that of the file's name
        #[arg(long, value_enum)]
        from: Option<input::Source>,
        /// Extents of a new array, as 10,20
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
        /// The form; by default that of the file's name
        #[arg(long, value_enum)]
        from: Option<input::Source>,
        /// The dimension that grows
        #[arg(long, default_value_t = 0)]
        axis: usize,
    },
    /// Copy a node and all below it as they are stored
    Copy {
        #[command(flatten)]
        two: Two,
        /// Leave keys that are in the target as they are
        #[arg(long)]
        skip: bool,
        /// Write over keys that are in the target
        #[arg(long)]
        replace: bool,
        /// Only count
        #[arg(short = 'n', long)]
        dry_run: bool,
        #[command(flatten)]
        json: Json,
    },
    /// Give a node another path in the same store
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
        /// Delete what lies below a group too
        #[arg(short, long)]
        recursive: bool,
    },
    /// Convert a node and all below it into another format
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
        /// Leave out what the format has no words for, as long as no value changes
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
    /// Write an array anew in other chunks, shards, codecs or another format
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
    /// Write the metadata of a group and all below it into one document
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
    /// Put right what verify found: 0 nothing is left, 1 problems are left
    ///
    /// Kinds: consolidated (written anew); outside, unknown (keys are deleted); interrupted (what
    /// an interrupted call left is deleted); chunk, index (damaged chunks are deleted: their
    /// elements are lost).
    Repair {
        #[command(flatten)]
        at: At,
        /// The kinds of problems to put right, separated by commas
        #[arg(long)]
        kinds: String,
        /// Change nothing
        #[arg(short = 'n', long)]
        dry_run: bool,
        #[command(flatten)]
        json: Json,
    },
    /// Compare two nodes and all below them, across formats: 0 the same, 1 different
    ///
    /// Compared are kinds, shapes, types, elements, attributes and names of dimensions; not chunks,
    /// codecs and fill values. NaN is the same as NaN.
    Diff {
        #[command(flatten)]
        two: Two,
        /// Numbers may differ by so much
        #[arg(long, default_value_t = 0.0)]
        atol: f64,
        /// And by so much of the second one's absolute value
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
    /// Say what each array takes in the store
    Du {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        json: Json,
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
enum Attrs {
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
        /// JSON; what is none is taken as a text
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

fn main() -> ExitCode {
    let command = Command::parse();
    if command.quiet {
        progress::be_quiet();
    }
    let outcome = place::options(&command.options).and_then(|o| run(command.verb, &o));
    let code = outcome.unwrap_or_else(|failure| {
        if !matches!(failure, Failure::Pipe) {
            eprintln!("zarrc: {failure}");
        }
        failure.code()
    });
    ExitCode::from(code)
}

fn run(verb: Verb, options: &Options) -> Outcome {
    let open = |url: &str, node: &str, mode| Place::open(url, node, mode, options);
    let read = |at: &At| open(&at.url, &at.node, Mode::Read);
    // for a verb that changes a store, Ctrl-C waits for the current chunk
    let change = |url: &str, node: &str, mode| {
        progress::end_on_ctrl_c();
        open(url, node, mode)
    };
    match verb {
        Verb::Info { at, json } => look::info(&read(&at)?.whole()?, json.json),
        Verb::Ls { at, recursive, long, json } => {
            look::ls(&read(&at)?.whole()?, recursive, long, json.json)
        }
        Verb::Tree { at, json } => look::tree(&read(&at)?.whole()?, json.json),
        Verb::Dump { at, header, json } => look::dump(&read(&at)?.whole()?, header, json.json),
        Verb::Cat { at, format, output } => cat::cat(&read(&at)?, format, output.as_deref()),
        Verb::Stats { at, histogram, skip_fill, json } => {
            let wanted = stats::Wanted { bins: histogram as usize, skip_fill };
            stats::stats(&read(&at)?, &wanted, json.json)
        }
        Verb::Plot { at, output, map, min, max, size } => {
            let look = plot::Look { map, least: min, most: max, size };
            plot::plot(&read(&at)?, &look, &output)
        }
        Verb::Attrs(Attrs::Get { url, node, name }) => {
            change::attrs_get(&open(&url, &node, Mode::Read)?.whole()?, name.as_deref())
        }
        Verb::Attrs(Attrs::Set { url, node, name, value }) => {
            change::attrs_set(&change(&url, &node, Mode::ReadWrite)?.whole()?, &name, &value)
        }
        Verb::Attrs(Attrs::Delete { url, node, name }) => {
            change::attrs_delete(&change(&url, &node, Mode::ReadWrite)?.whole()?, &name)
        }
        Verb::Create { at, group, shape, data_type, layout, attributes, replace } => {
            let new = change::Created {
                group,
                shape: shape.as_deref(),
                data_type: data_type.as_deref(),
                layout: &layout,
                attributes: attributes.as_deref(),
                replace,
            };
            change::create(&change(&at.url, &at.node, Mode::Append)?.whole()?, &new)
        }
        Verb::Write { url, node, file, from, shape, data_type, layout } => {
            let new = change::Shaped {
                shape: shape.as_deref(),
                data_type: data_type.as_deref(),
                layout: &layout,
            };
            // opened before a store is created for it
            let file = input::file(&file, from)?;
            change::write(&change(&url, &node, Mode::Append)?, file, &new)
        }
        Verb::Append { url, node, file, from, axis } => {
            let file = input::file(&file, from)?;
            change::append(&change(&url, &node, Mode::ReadWrite)?.whole()?, file, axis)
        }
        Verb::Copy { two, skip, replace, dry_run, json } => {
            let if_exists = whole::if_exists(skip, replace)?;
            let mode = if dry_run { Mode::Read } else { Mode::Append };
            let (from, to) = both(&two, mode, options)?;
            whole::copy(&from, &to, if_exists, dry_run, json.json)
        }
        Verb::Mv { url, node, to } => {
            let to = NodePath::parse(to.trim_matches('/'))?;
            change::mv(&change(&url, &node, Mode::ReadWrite)?.whole()?, &to)
        }
        Verb::Rm { url, node, recursive } => {
            change::rm(&change(&url, &node, Mode::ReadWrite)?.whole()?, recursive)
        }
        Verb::Convert { two, to, accept_losses, keep_old, dry_run } => {
            let accept = Accept { losses: accept_losses, leftovers: keep_old };
            let file = two.target.strip_prefix("hdf5:").or(two.target.strip_prefix("netcdf:"));
            if let Some(file) = file {
                progress::end_on_ctrl_c();
                let source = Place::open(&two.source, &two.node, Mode::Read, options)?.whole()?;
                return whole::export(&source, file, accept_losses);
            }
            let to = to.ok_or_else(|| failure::Failure::usage("--to is missing"))?;
            let (source, target) = both(&two, Mode::Append, options)?;
            whole::convert(&source, &target, to, accept, dry_run)
        }
        Verb::References { url, node, file_url } => {
            let place = Place::open(&url, &node, Mode::Read, options)?.whole()?;
            whole::references(&place, file_url.as_deref())
        }
        Verb::Rechunk { two, layout, memory } => {
            let (from, to) = both(&two, Mode::Append, options)?;
            whole::rechunk(&from, &to, &layout, memory.saturating_mul(1 << 20))
        }
        Verb::Consolidate { at } => {
            whole::consolidate(&change(&at.url, &at.node, Mode::ReadWrite)?.whole()?)
        }
        Verb::Verify { at, json } => whole::verify(&read(&at)?.whole()?, json.json),
        Verb::Repair { at, kinds, dry_run, json } => {
            let mode = if dry_run { Mode::Read } else { Mode::ReadWrite };
            let place = change(&at.url, &at.node, mode)?.whole()?;
            whole::repair(&place, &kinds, dry_run, json.json)
        }
        Verb::Diff { two, atol, rtol, no_attributes, any_type, json } => {
            let (a, b) = both(&two, Mode::Read, options)?;
            let tolerance = diff::Tolerance {
                absolute: atol,
                relative: rtol,
                attributes: !no_attributes,
                types: !any_type,
            };
            diff::diff(&a, &b, &tolerance, json.json)
        }
        Verb::Digest { at, algorithm, stored, json } => {
            whole::digest(&read(&at)?.whole()?, &algorithm, stored, json.json)
        }
        Verb::Du { at, json } => look::du(&read(&at)?.whole()?, json.json),
        Verb::Formats { json } => look::formats(json.json),
        Verb::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Command::command(), "zarrc", &mut text);
            output::print(&String::from_utf8_lossy(&text))?;
            Ok(DONE)
        }
        Verb::Man { verb } => man(verb.as_deref()),
    }
}

/// The two stores of a verb; one store where both URLs are the same.
fn both(two: &Two, mode: Mode, options: &Options) -> failure::Result<(Place, Place)> {
    if mode != Mode::Read {
        progress::end_on_ctrl_c();
    }
    let target_node = two.target_node.as_deref().unwrap_or(&two.node);
    if two.source == two.target {
        let mode = if mode == Mode::Append { Mode::ReadWrite } else { mode };
        let from = Place::open(&two.source, &two.node, mode, options)?.whole()?;
        let to = from.at(NodePath::parse(target_node.trim_matches('/'))?);
        return Ok((from, to));
    }
    // the source must exist before the target is created
    let from = Place::open(&two.source, &two.node, Mode::Read, options)?.whole()?;
    let to = Place::open(&two.target, target_node, mode, options)?.whole()?;
    Ok((from, to))
}

/// `zarrc man`
fn man(verb: Option<&str>) -> Outcome {
    let mut command = Command::command();
    command.build();
    // attrs-get is a verb of a verb
    for word in verb.into_iter().flat_map(|verb| verb.split('-')) {
        let found = command.find_subcommand(word).cloned();
        command = found.ok_or_else(|| Failure::usage(format!("there is no verb {word:?}")))?;
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    output::print(&String::from_utf8_lossy(&text))?;
    Ok(DONE)
}
