//! Stores that wrap another store.

pub mod cache;
pub mod log;
pub mod prefix;
pub mod readonly;
pub mod simplecache;
pub mod synchronizer;
