//! `vlen-bytes`: byte strings, each preceded by its length.
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/vlen-bytes>

use super::{ChunkSpec, Codec, Config, Elements, Layout, codec, frame, refuse};
use crate::error::Result;
use crate::exec::Buffer;
use crate::metadata::DataType;

struct Bytes;

pub(in super::super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&[])?;
    match spec.data_type {
        DataType::Bytes => codec(spec, Bytes),
        _ => Err(refuse(config, spec, "bytes")),
    }
}

impl Layout for Bytes {
    const LEAST: u64 = frame::LEAST;

    fn split(
        &self,
        encoded: &mut Buffer,
        elements: usize,
        place: impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<()> {
        frame::split(encoded, elements, place)
    }

    fn join(&self, elements: &Elements<'_>, out: &mut Vec<u8>) -> Result<()> {
        frame::join(elements, out, |element, out| {
            out.extend_from_slice(element);
            Ok(())
        })
    }
}
