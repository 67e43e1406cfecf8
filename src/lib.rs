//! zarrc reads and writes the Zarr array format behind a C interface.
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
