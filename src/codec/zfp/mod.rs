//! `zfp` and `zfpy`: numbers in up to four dimensions, in blocks of four along each, with
//! configurable accuracy. By the zfp library (third_party/zfp).
//!
//! - `zfp`, registered for v3: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/zfp>
//! - `zfpy`, of numcodecs: with zfp's header, which says all a decoder needs; parameters in numbers.
//!   <https://numcodecs.readthedocs.io/en/stable/compression/zfpy.html>

mod element;
mod library;

use super::config::Config;
use super::whole_chunk::{self, WholeChunk};
use super::{ChunkSpec, Codec, Len};
use crate::error::{Error, Kind, Result};
use crate::metadata::DataType;
use element::Element;
use half::{bf16, f16};
use library::{BLOCK, Field, MOST_BITS, Mode, Number, Stream};
use std::marker::PhantomData;

struct Zfp<E> {
    /// Fastest dimension first.
    field: Field,
    mode: Mode,
    header: bool,
    of: PhantomData<fn() -> E>,
}

pub(super) fn build_zfp(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    let modes = ["reversible", "expert", "fixed_accuracy", "fixed_rate", "fixed_precision"];
    let mode = config.word("mode", &modes.map(|m| (m, m)))?;
    let required =
        |key: &str, low, high| config.integer(key, low, high)?.ok_or_else(|| config.missing(key));
    let mode = match mode.ok_or_else(|| config.missing("mode"))? {
        "expert" => {
            config.only(&["mode", "minbits", "maxbits", "maxprec", "minexp"])?;
            Mode::Expert {
                minbits: required("minbits", 0, MOST_BITS.into())? as u32,
                maxbits: required("maxbits", 1, u32::MAX.into())? as u32,
                maxprec: required("maxprec", 1, 64)? as u32,
                minexp: required("minexp", -16_495, 16_272)? as i32,
            }
        }
        "fixed_accuracy" => {
            config.only(&["mode", "tolerance"])?;
            Mode::Accuracy(number(config, "tolerance")?.ok_or_else(|| config.missing("tolerance"))?)
        }
        "fixed_rate" => {
            config.only(&["mode", "rate"])?;
            Mode::Rate(number(config, "rate")?.ok_or_else(|| config.missing("rate"))?)
        }
        "fixed_precision" => {
            config.only(&["mode", "precision"])?;
            Mode::Precision(required("precision", 0, u32::MAX.into())? as u32)
        }
        _ => {
            config.only(&["mode"])?;
            Mode::Reversible
        }
    };
    match &spec.data_type {
        DataType::Int8 => make::<i8>(config, spec, mode, false),
        DataType::UInt8 => make::<u8>(config, spec, mode, false),
        DataType::Int16 => make::<i16>(config, spec, mode, false),
        DataType::UInt16 => make::<u16>(config, spec, mode, false),
        DataType::UInt32 => make::<u32>(config, spec, mode, false),
        DataType::UInt64 => make::<u64>(config, spec, mode, false),
        DataType::Float16 => make::<f16>(config, spec, mode, false),
        DataType::BFloat16 => make::<bf16>(config, spec, mode, false),
        DataType::DateTime64(_) | DataType::TimeDelta64(_) => {
            make::<i64>(config, spec, mode, false)
        }
        _ => natural(config, spec, mode, false),
    }
}

/// numcodecs reads only the mode's own parameter, and a negative one means "all".
pub(super) fn build_zfpy(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["mode", "tolerance", "rate", "precision", "compression_kwargs"])?;
    let tolerance = number(config, "tolerance")?.unwrap_or(-1.0);
    let rate = number(config, "rate")?.unwrap_or(-1.0);
    let precision = config.integer("precision", -1, i32::MAX.into())?.unwrap_or(-1);
    let mode = match config.integer("mode", 2, 5)?.unwrap_or(4) {
        2 if rate >= 0.0 => Mode::Rate(rate),
        3 if precision >= 0 => Mode::Precision(precision as u32),
        4 if tolerance >= 0.0 => Mode::Accuracy(tolerance),
        _ => Mode::Reversible,
    };
    natural(config, spec, mode, true)
}

/// For types that zfp supports natively.
fn natural(config: &Config<'_>, spec: &ChunkSpec, mode: Mode, header: bool) -> Result<Codec> {
    match &spec.data_type {
        DataType::Int32 => make::<i32>(config, spec, mode, header),
        DataType::Int64 => make::<i64>(config, spec, mode, header),
        DataType::Float32 => make::<f32>(config, spec, mode, header),
        DataType::Float64 => make::<f64>(config, spec, mode, header),
        other => Err(config.error(format!("cannot encode the type {}", other.name()))),
    }
}

fn number(config: &Config<'_>, key: &str) -> Result<Option<f64>> {
    let Some(value) = config.get(key) else { return Ok(None) };
    match value.as_f64() {
        Some(number) if number.is_finite() => Ok(Some(number)),
        _ => Err(config.error(format!("{key:?}: expected a number, found {value}"))),
    }
}

fn make<E: Element>(
    config: &Config<'_>,
    spec: &ChunkSpec,
    mode: Mode,
    header: bool,
) -> Result<Codec> {
    if spec.shape.len() > 4 {
        let rank = spec.shape.len();
        return Err(config.error(format!("supports up to 4 dimensions, the chunk has {rank}")));
    }
    spec.size()?;
    let mut shape: Vec<usize> = spec.shape.iter().rev().map(|&n| n as usize).collect();
    if shape.is_empty() {
        shape.push(1);
    }
    // refuse blocks with more bits than any needs, or fewer than their leading bits: an overrun
    let front = |reversible: bool| E::Number::FRONT[usize::from(reversible)];
    match mode {
        Mode::Rate(rate) => {
            let bits = rate * f64::from(1u32 << (2 * shape.len()));
            if !(0.5..=f64::from(MOST_BITS)).contains(&bits) {
                return Err(config.error(format!("\"rate\" {rate} is too small for a block")));
            }
        }
        Mode::Accuracy(tolerance) if tolerance < 0.0 => {
            return Err(config.error(format!("\"tolerance\" is {tolerance}: expected at least 0")));
        }
        // the library takes exponents below the smallest of a double as "reversible"
        Mode::Expert { minbits, maxbits, minexp, .. }
            if maxbits < front(minexp < -1074) || maxbits < minbits =>
        {
            return Err(config.error(format!("\"maxbits\" {maxbits} is too small")));
        }
        _ => {}
    }
    let field = Field::new::<E::Number>(&shape);
    if header {
        let most = [u64::from(u32::MAX), 1 << 24, 1 << 16, 1 << 12][shape.len() - 1];
        if let Some(n) = shape.iter().find(|&&n| n as u64 > most) {
            return Err(config.error(format!("cannot express a chunk of length {n} in its header")));
        }
    }
    whole_chunk::codec(Zfp::<E> { field, mode, header, of: PhantomData }, spec)
}

/// The row that supplies number `i` of a block in which only the first `n` of four exist.
fn source(i: usize, n: usize) -> usize {
    match (i, n) {
        _ if i < n => i,
        (2, 2) => 1,
        _ => 0,
    }
}

/// A block: its start, and how many of its four rows exist along each dimension.
#[derive(Clone, Copy)]
struct Place {
    from: [usize; 4],
    count: [usize; 4],
}

/// The blocks of a field, in order.
fn places(field: &Field) -> impl Iterator<Item = Place> + use<> {
    let shape = field.shape.map(|n| n.max(1));
    let steps = shape.map(|n| n.div_ceil(4));
    (0..steps.iter().product::<usize>()).map(move |mut k| {
        let mut place = Place { from: [0; 4], count: [0; 4] };
        for d in 0..4 {
            place.from[d] = k % steps[d] * 4;
            place.count[d] = (shape[d] - place.from[d]).min(4);
            k /= steps[d];
        }
        place
    })
}

/// Calls `row` for every row of four numbers of a block: its position in the block, and the index
/// of its first element in the field. `source` replaces rows outside the field.
fn rows(field: &Field, place: &Place, mut row: impl FnMut(usize, usize, bool)) {
    let [nx, ny, nz, _] = field.shape.map(|n| n.max(1));
    let side = |d: usize| if field.dims() > d { 4 } else { 1 };
    for w in 0..side(3) {
        for z in 0..side(2) {
            for y in 0..side(1) {
                let [_, cy, cz, cw] = place.count;
                let there = y < cy && z < cz && w < cw;
                let index = ((place.from[3] + source(w, cw)) * nz + place.from[2] + source(z, cz))
                    * ny
                    + place.from[1]
                    + source(y, cy);
                row(w * 64 + z * 16 + y * 4, index * nx + place.from[0], there);
            }
        }
    }
}

/// Converts a row of elements to numbers; returns whether one of them has none.
#[inline(always)]
fn promote<E: Element>(elements: &[u8], row: &mut [E::Number]) -> bool {
    let mut clamped = false;
    for (number, element) in row.iter_mut().zip(elements.chunks_exact(E::SIZE)) {
        *number = E::promote(element);
        clamped |= E::CLAMPED && lost::<E>(*number, element);
    }
    clamped
}

/// Converts a row of numbers to elements.
#[inline(always)]
fn demote<E: Element>(row: &[E::Number], elements: &mut [u8]) {
    for (number, element) in row.iter().zip(elements.chunks_exact_mut(E::SIZE)) {
        E::demote(*number, element);
    }
}

/// Whether `element` does not survive the round trip.
fn lost<E: Element>(number: E::Number, element: &[u8]) -> bool {
    let mut back = [0; 8];
    E::demote(number, &mut back[..E::SIZE]);
    back[..E::SIZE] != *element
}

impl<E: Element> WholeChunk for Zfp<E> {
    fn encoded_len(&self) -> Len {
        let values = 1u64 << (2 * self.field.dims());
        let numbers = values * (8 * size_of::<E::Number>() as u64 + 1);
        let least = match self.mode {
            Mode::Rate(rate) => (rate * values as f64).ceil() as u64,
            Mode::Expert { minbits, .. } => u64::from(minbits),
            _ => 0,
        };
        let bits = (u64::from(E::Number::FRONT[1]) + numbers).max(least);
        // a header and a final word
        Len::AtMost(self.field.blocks().saturating_mul(bits / 8 + 1).saturating_add(64))
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        // at least one bit per block
        encoded.saturating_mul(8 << (2 * self.field.dims())).saturating_mul(E::SIZE as u64)
    }

    fn decode(&self, encoded: &[u8], out: &mut [u8]) -> Result<()> {
        let mut stream = Stream::reader(encoded)?;
        let field = match self.header {
            true => stream.read_header()?,
            false => {
                stream.set::<E::Number>(self.mode, self.field.dims());
                self.field
            }
        };
        // after filters, numcodecs passes zfp all elements in one dimension
        let len = |field: &Field| {
            let there = field.shape.iter().take_while(|&&n| n > 0);
            there.fold(1u64, |len, &n| len.saturating_mul(n as u64))
        };
        if !field.is::<E::Number>() || len(&field) != len(&self.field) {
            return Err(Error::corrupt("the zfp header describes another chunk"));
        }
        let mut block = [E::Number::default(); BLOCK];
        for place in places(&field) {
            stream.decode(field.dims(), &mut block)?;
            rows(&field, &place, |at, index, there| {
                let row = &block[at..at + 4];
                let bytes = &mut out[index * E::SIZE..];
                match place.count[0] {
                    _ if !there => {}
                    // a length known at compile time
                    4 => demote::<E>(row, &mut bytes[..4 * E::SIZE]),
                    n => demote::<E>(row, &mut bytes[..n * E::SIZE]),
                }
            });
        }
        // the stream is written in words
        match (stream.position().div_ceil(64) * 8).checked_sub(encoded.len() as u64) {
            Some(_) => Ok(()),
            None => Err(Error::corrupt("bytes follow the last zfp block")),
        }
    }

    fn encode(&self, elements: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let field = &self.field;
        let mut stream = Stream::writer::<E::Number>(field, self.mode)?;
        if self.header {
            stream.write_header(field)?;
        }
        let mut clamped = false;
        let mut block = [E::Number::default(); BLOCK];
        for place in places(field) {
            rows(field, &place, |at, index, _| {
                let row = &mut block[at..at + 4];
                let bytes = &elements[index * E::SIZE..];
                clamped |= match place.count[0] {
                    4 => promote::<E>(&bytes[..4 * E::SIZE], row),
                    n => promote::<E>(&bytes[..n * E::SIZE], row),
                };
                for i in place.count[0]..4 {
                    row[i] = row[source(i, place.count[0])];
                }
            });
            stream.encode(field.dims(), &block);
        }
        if clamped {
            return Err(Error::new(
                Kind::Unsupported,
                "an element exceeds the largest signed integer, which is zfp's limit",
            ));
        }
        stream.finish(out)
    }
}

#[cfg(test)]
mod tests;
