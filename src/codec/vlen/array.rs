//! `vlen-array`: runs of elements of a fixed type, each preceded by its length (bytes).
//! <https://numcodecs.readthedocs.io/en/stable/other/vlen.html#vlenarray>

use super::{ChunkSpec, Codec, Config, Elements, Layout, codec, frame, refuse};
use crate::error::{Context, Error, Result};
use crate::exec::Buffer;
use crate::metadata::{DataType, Endian, typestr};
use crate::source::push;
use crate::strided::{Swap, swap_in_place};
use serde_json::Value;

struct Runs {
    item: usize,
    swap: Swap,
}

pub(in super::super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["dtype"])?;
    let text = config.get("dtype").and_then(Value::as_str);
    let text = text.ok_or_else(|| config.missing("dtype"))?;
    let (item, order) = typestr::parse(text).at(|| format!("codec {:?}", config.name()))?;
    match &spec.data_type {
        DataType::Ragged(of) if **of == item => {
            let swap = item.swap(order.unwrap_or(Endian::Little));
            codec(spec, Runs { item: item.size(), swap })
        }
        _ => Err(refuse(config, spec, &DataType::Ragged(item.into()).name())),
    }
}

impl Runs {
    fn swap(&self, run: &mut [u8]) -> Result<()> {
        match self.swap {
            Swap::None => Ok(()),
            _ => swap_in_place(run, self.item, &self.swap),
        }
    }
}

impl Layout for Runs {
    const LEAST: u64 = frame::LEAST;

    fn split(
        &self,
        encoded: &mut Buffer,
        elements: usize,
        mut place: impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<()> {
        let mut runs = Vec::new();
        let mut n = 0;
        frame::split(encoded, elements, |offset, len| {
            if len % self.item != 0 {
                return Err(Error::corrupt(format!(
                    "element {n} has {len} bytes: expected a multiple of {}, the size of an item",
                    self.item
                )));
            }
            n += 1;
            if self.swap != Swap::None {
                push(&mut runs, offset..offset + len)?;
            }
            place(offset, len)
        })?;
        runs.into_iter().try_for_each(|run| self.swap(&mut encoded[run]))
    }

    fn join(&self, elements: &Elements<'_>, out: &mut Vec<u8>) -> Result<()> {
        frame::join(elements, out, |element, out| {
            let at = out.len();
            out.extend_from_slice(element);
            self.swap(&mut out[at..])
        })
    }
}
