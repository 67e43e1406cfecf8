//! `pickle` of numcodecs, which is refused: a pickle is a program, and reading it would run the
//! code of the file's author. <https://docs.python.org/3/library/pickle.html>

use super::config::Config;
use super::{ChunkSpec, Codec};
use crate::error::{Error, Result};

pub(super) fn build(_: &Config<'_>, _: &ChunkSpec) -> Result<Codec> {
    Err(Error::unsupported(
        "codec \"pickle\" is refused: reading a pickle runs code that it contains; rewrite the \
         array in Python with the codec \"vlen-utf8\", \"json2\" or \"msgpack2\"",
    ))
}
