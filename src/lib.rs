//! zarrc reads and writes arrays of the [Zarr](https://zarr.dev) format: N-dimensional, compressed
//! in chunks, in directories, zip files, databases, web servers and object stores. Programs in C
//! and other languages use it through [`capi`]; this page is for programs in Rust.
//!
//! # An array
//!
//! A store is opened by a URL; a [`Hierarchy`](hierarchy::Hierarchy) finds nodes in it, by path.
//! All memory is bytes in native byte order, seen through a [`View`](strided::View) with a shape
//! and strides, so a part of an array can be read into a part of another without a copy.
//!
//! ```
//! use std::sync::Arc;
//! use zarrc::array::MemoryType;
//! use zarrc::hierarchy::{ArraySpec, Hierarchy};
//! use zarrc::metadata::{CodecSpec, DataType, NodePath};
//! use zarrc::selection::Region;
//! use zarrc::store::{Mode, Options, open};
//! use zarrc::strided::{View, ViewMut};
//!
//! # fn main() -> zarrc::error::Result<()> {
//! let options = Options::default();
//! let store = open("memory:", Mode::Create, &options)?; // or "x.zarr", "s3://bucket/x.zarr"
//! let hierarchy = Arc::new(Hierarchy::new(store, &options));
//!
//! let mut spec = ArraySpec::new(DataType::Float64, vec![4, 6]);
//! spec.chunk_shape = Some(vec![2, 3]);
//! spec.codecs = Some(vec![CodecSpec::new("zstd", Default::default())]);
//! let node = hierarchy.create_array(&NodePath::parse("model/field")?, &spec)?;
//!
//! let field: Vec<u8> = (0..24).flat_map(|n| f64::from(n).to_ne_bytes()).collect();
//! let whole = Region::whole(&[4, 6]);
//! node.array.write(&whole, MemoryType::Native, &View::contiguous(&field, &[4, 6], 8)?)?;
//!
//! // rows 1 and 2 of columns 2, 3 and 4
//! let mut part = [0; 2 * 3 * 8];
//! let region = Region::new(&[4, 6], &[1, 2], &[2, 3], None)?;
//! node.array.read(&region, MemoryType::Native, ViewMut::contiguous(&mut part, &[2, 3], 8)?)?;
//! assert_eq!(part[..8], 8f64.to_ne_bytes());
//! # Ok(())
//! # }
//! ```
//!
//! [`MemoryType`](array::MemoryType) names another type of the memory: values are converted, and
//! those that do not fit are refused. A [`Selection`](selection::Selection) takes index lists,
//! masks and points. Reads and writes use as many threads as the option `threads` says; every type
//! may be shared among threads.
//!
//! # Groups and attributes
//!
//! Attributes are kept as JSON text, so that no digit of a number changes.
//!
//! ```
//! # use std::sync::Arc;
//! # use zarrc::{hierarchy::Hierarchy, metadata::NodePath, store::{Mode, Options, open}};
//! # fn main() -> zarrc::error::Result<()> {
//! # let options = Options::default();
//! # let store = open("memory:", Mode::Create, &options)?;
//! # let hierarchy = Arc::new(Hierarchy::new(store, &options));
//! let group = hierarchy.create_group(&NodePath::parse("model/run1")?, None)?;
//! group.attributes().write(&mut |attributes| attributes.set("step", "0.10"))?;
//! let step = group.attributes().read(|a| Ok(a.get("step").map(str::to_owned)))?;
//! assert_eq!(step.as_deref(), Some("0.10"));
//!
//! let model = hierarchy.open_group(&NodePath::parse("model")?)?;
//! let names: Vec<String> = model.list(true)?.into_iter().map(|node| node.path).collect();
//! assert_eq!(names, ["run1"]);
//! # Ok(())
//! # }
//! ```
//!
//! # Errors
//!
//! Every function returns an [`Error`](error::Error) with a [`Kind`](error::Kind) to act on and a
//! message that names the node, the key and the store.
//!
//! ```
//! use zarrc::error::Kind;
//! use zarrc::hierarchy::open_array_at;
//! use zarrc::store::{Mode, Options};
//!
//! let error = open_array_at("/nowhere/x.zarr", Mode::Read, &Options::default()).err().unwrap();
//! assert_eq!(error.kind(), Kind::NotFound);
//! assert!(error.to_string().contains("/nowhere/x.zarr"));
//! ```
//!
//! # Features
//!
//! The default ones are `http`, `reference`, `s3`, `sqlite` and `zip`. Others are `azure`, `dbm`,
//! `gcs`, `hdf5`, `icechunk` (Rust 1.95), `lmdb`, `mongodb`, `parquet` and `redis`. Directories and
//! memory need none. docs/stores.md in the source describes every URL and option.
//!
//! # Stability
//!
//! Until 1.0 the Rust interface may change with every minor version, as the C interface may.
//!
//! # Modules
//!
//! A module uses only modules of lower layers (see ARCHITECTURE.md; tests/source/layering.rs checks
//! the imports):
//!
//! - [`error`]: one error type, whose kinds a caller can act on.
//! - [`strided`], [`exec`], [`progress`], [`cache`], [`source`], [`heap`]: n-dimensional views over
//!   memory; the thread pool; reports and cancellation; cached decoded data; one stored value;
//!   elements of variable length.
//! - [`selection`]: what a call selects, and which chunks it touches.
//! - [`metadata`]: the format-independent model that every format parses into.
//! - [`mod@format`], [`codec`], [`store`]: one file per on-disk format, codec and store.
//! - [`mod@array`]: one array: plans a transfer as chunk jobs and runs them.
//! - [`hierarchy`]: the nodes of a store: open, create, list, delete.
//! - [`operations`]: what spans nodes: convert, copy, rechunk, verify.
//! - [`capi`]: `extern "C"` only: checks arguments, calls, translates errors.
// for whoever works on it: cargo doc --document-private-items
#![allow(rustdoc::private_intra_doc_links)]

pub mod array;
pub mod cache;
pub mod call;
pub mod capi;
pub mod codec;
pub mod error;
pub mod exec;
pub mod fork;
pub mod format;
#[cfg(feature = "hdf5")]
pub mod hdf5;
pub mod heap;
pub mod hierarchy;
pub mod lock;
pub mod metadata;
pub mod operations;
pub mod progress;
pub mod selection;
pub mod source;
// used by several stores, whichever are built
#[cfg_attr(
    not(all(
        feature = "http",
        feature = "reference",
        feature = "s3",
        feature = "sqlite",
        feature = "zip"
    )),
    allow(dead_code, unused_imports)
)]
pub mod store;
pub mod strided;
pub mod sync;
pub mod system;
