//! Operations on several nodes, or on a whole one: conversion between formats ([`Conversion`]),
//! copying and moving ([`copy_node`], [`move_node`]), rechunking ([`rechunk`]), descriptions
//! ([`array_info`], [`tree`], digests), checking ([`verify()`]) and repairing ([`repair()`]).

mod bands;
mod convert;
mod copy;
mod digest;
mod info;
mod rechunk;
mod recode;
mod repair;
mod verify;

pub use convert::{Accept, Conversion};
pub use copy::{Copied, CopyOptions, IfExists, copy_node, move_node};
pub use digest::{Algorithm, content_digest, stored_digest};
pub use info::{StoredChunk, array_info, build_info, order, tree, visit_stored};
pub use rechunk::rechunk;
pub use recode::{Recode, recode_node};
pub use repair::{Repaired, repair};
pub use verify::{Problem, Report, verify};
