//! What is done with more than one node, or with all of one: conversion between formats
//! ([`Conversion`]), copying and moving ([`copy_node`], [`move_node`]), other chunks ([`rechunk`]),
//! files of HDF5 (`export_hdf5`), references to values where they lie ([`references()`]),
//! looking ([`array_info`], [`tree`], digests), checking ([`verify()`]) and putting right
//! ([`repair()`]).

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
mod references;
mod repair;
mod verify;

pub use convert::{Accept, Conversion};
pub use copy::{Copied, CopyOptions, IfExists, copy_node, move_node};
pub use digest::{Algorithm, content_digest, stored_digest};
pub use export::{ExportOptions, Notes, export_hdf5};
pub use info::{StoredChunk, array_info, order, tree, visit_stored};
pub use rechunk::rechunk;
pub use references::references;
pub use repair::{Repaired, repair};
pub use verify::{Problem, Report, verify};
