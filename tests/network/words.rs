//! Short words for what the tests do all the time.

pub use crate::common::{failure as fails, get, key, list, options};
use zarrc::error::Result;
use zarrc::store::{Mode, SharedStore};

pub fn opened(url: &str, set: &[(&str, &str)]) -> Result<SharedStore> {
    zarrc::store::open(url, Mode::Read, &options(set))
}

pub fn pattern(size: usize) -> Vec<u8> {
    crate::common::pattern(size, 0)
}
