//! `vlen-utf8`: strings, each preceded by its length.
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/vlen-utf8>

use super::{ChunkSpec, Codec, Config, Elements, Layout, codec, frame, refuse};
use crate::error::{Error, Result};
use crate::exec::Buffer;
use crate::metadata::DataType;

struct Utf8;

pub(in super::super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&[])?;
    match spec.data_type {
        DataType::String => codec(spec, Utf8),
        _ => Err(refuse(config, spec, "string")),
    }
}

impl Layout for Utf8 {
    const LEAST: u64 = frame::LEAST;

    fn split(
        &self,
        encoded: &mut Buffer,
        elements: usize,
        mut place: impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<()> {
        let encoded = encoded.as_slice();
        let mut n = 0;
        frame::split(encoded, elements, |offset, len| {
            if let Err(e) = std::str::from_utf8(&encoded[offset..offset + len]) {
                let at = e.valid_up_to();
                return Err(Error::corrupt(format!("element {n} is not UTF-8 from byte {at} on")));
            }
            n += 1;
            place(offset, len)
        })
    }

    /// The strings were validated on input.
    fn join(&self, elements: &Elements<'_>, out: &mut Vec<u8>) -> Result<()> {
        frame::join(elements, out, |element, out| {
            out.extend_from_slice(element);
            Ok(())
        })
    }
}
