//! Operations on several nodes, or on a whole one: conversion between formats ([`Conversion`]),
//! copying and moving ([`copy_node`], [`move_node`]), rechunking ([`rechunk`]), descriptions
//! ([`array_info`], [`tree`], digests), checking ([`verify()`]) and repairing ([`repair()`]); HDF5
//! files ([`export_hdf5`]) and references to values in files ([`references()`]); arrays that grow by
//! steps ([`Writer`]).

mod bands;
mod convert;
mod copy;
mod digest;
#[cfg(feature = "hdf5")]
mod dimensions;
mod export;
#[cfg(feature = "hdf5")]
mod hdf5;
mod info;
mod rechunk;
mod recode;
mod references;
mod repair;
mod verify;
mod writer;

pub use convert::{Accept, Conversion};
pub use copy::{Copied, CopyOptions, IfExists, copy_node, move_node};
pub use digest::{Algorithm, content_digest, stored_digest};
pub use export::{ExportOptions, Notes, export_hdf5};
pub use info::{StoredChunk, array_info, array_layout, build_info, order, tree, visit_stored};
pub use rechunk::rechunk;
pub use recode::{Recode, recode_node};
pub use references::references;
pub use repair::{Repaired, repair};
pub use verify::{Problem, Report, verify};
pub use writer::{Writer, WriterOptions};
