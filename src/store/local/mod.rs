//! Stores on this machine: files, and memory.

#[cfg(feature = "dbm")]
pub mod dbm;
pub mod filesystem;
#[cfg(feature = "lmdb")]
pub mod lmdb;
pub mod memory;
#[cfg(feature = "sqlite")]
pub mod sqlite;
#[cfg(feature = "zip")]
pub mod zip;
