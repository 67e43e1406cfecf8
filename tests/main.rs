//! All tests of the Rust interface, in one program: each program holds the whole library anew.
//! `cargo test --test all cache` runs those of cache.rs. The fixtures (tests/fixtures/) are a program
//! of their own, which runs each case in a process.
#![allow(clippy::unwrap_used)]
#![cfg_attr(not(unix), allow(unused))] // what is used by tests of Unix alone

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod allocation;
mod cache;
mod codec_suite;
mod codecs_doc;
mod common;
mod convert;
mod corpus;
mod extent;
mod faults;
#[cfg(unix)]
mod fork;
mod formats;
mod grids;
#[cfg(unix)]
mod in_place;
mod links;
mod load;
#[cfg(unix)]
mod memory;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod memory_limits;
mod network;
mod others;
mod read_ahead;
mod read_policy;
mod store_suite;
mod stores_doc;
mod variable;
mod write_buffer;
mod writer;
