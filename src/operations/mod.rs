//! What is done with more than one node, or with all of one: conversion between formats
//! ([`Conversion`]), copying and moving ([`copy_node`], [`move_node`]), other chunks ([`rechunk`]),
//! looking ([`array_info`], [`tree`], digests), checking ([`verify()`]) and putting right
//! ([`repair()`]).

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
