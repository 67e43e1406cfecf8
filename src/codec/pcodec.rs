//! `pcodec`: lossless compression of numbers by the crate pco, as in numcodecs.
//! <https://github.com/pcodec/pcodec/blob/main/docs/format.md>

use super::config::Config;
use super::whole_chunk::{self, WholeChunk};
use super::{ChunkSpec, Codec, Len};
use crate::error::{Error, Kind, Result};
use crate::exec::{out_of_memory, probe};
use crate::metadata::DataType;
use pco::data_types::Number;
use pco::metadata::DeltaEncoding;
use pco::standalone::{DecompressorItem, FileDecompressor, simple_compress};
use pco::{ChunkConfig, DeltaSpec, ModeSpec, PagingSpec};
use std::marker::PhantomData;
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout};

/// The most numbers in one of Pco's own chunks.
const MOST: usize = 1 << 24;
/// The memory of pco's tables (bytes), and how often it has a chunk in memory to encode it, and to
/// decode a dictionary.
const TABLES: usize = 4 << 20;
const COPIES: usize = 8;
/// The longest window of pco's encoder; this length is always acceptable.
const WINDOW: usize = 1 << 15;

struct PCodec<T> {
    config: ChunkConfig,
    len: u64,
    of: PhantomData<fn() -> T>,
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&[
        "level",
        "mode_spec",
        "delta_spec",
        "paging_spec",
        "delta_encoding_order",
        "equal_pages_up_to",
    ])?;
    let level = config.integer("level", 0, 12)?.unwrap_or(8) as usize;
    let classic = config.word("mode_spec", &[("auto", false), ("classic", true)])?;
    let order = config.integer("delta_encoding_order", 0, 7)?.map(|n| n as usize);
    config.word("paging_spec", &[("equal_pages_up_to", ())])?;
    let page = config.integer("equal_pages_up_to", 1, MOST as i64)?.unwrap_or(1 << 18) as usize;
    let words = ["auto", "none", "try_consecutive", "try_lookback"].map(|word| (word, word));
    let delta = match (config.word("delta_spec", &words)?.unwrap_or("auto"), order) {
        // before delta_spec existed, the order stood alone
        ("auto" | "try_consecutive", Some(order)) => DeltaSpec::TryConsecutive(order),
        ("auto", None) => DeltaSpec::Auto,
        ("none", None) => DeltaSpec::NoOp,
        ("try_lookback", None) => DeltaSpec::TryLookback,
        ("try_consecutive", None) => return Err(config.missing("delta_encoding_order")),
        (other, Some(_)) => {
            return Err(config.error(format!(
                "has \"delta_encoding_order\", which \"delta_spec\" {other:?} does not use"
            )));
        }
        (other, None) => return Err(config.error(format!("does not support {other:?}"))),
    };
    let mode = if classic.unwrap_or(false) { ModeSpec::Classic } else { ModeSpec::Auto };
    let chunk = ChunkConfig::default()
        .with_compression_level(level)
        .with_mode_spec(mode)
        .with_delta_spec(delta)
        .with_paging_spec(PagingSpec::EqualPagesUpTo(page))
        .with_enable_8_bit(true);
    match &spec.data_type {
        DataType::Int8 => make::<i8>(chunk, spec),
        DataType::Int16 => make::<i16>(chunk, spec),
        DataType::Int32 => make::<i32>(chunk, spec),
        DataType::Int64 | DataType::DateTime64(_) | DataType::TimeDelta64(_) => {
            make::<i64>(chunk, spec)
        }
        DataType::UInt8 => make::<u8>(chunk, spec),
        DataType::UInt16 => make::<u16>(chunk, spec),
        DataType::UInt32 => make::<u32>(chunk, spec),
        DataType::UInt64 => make::<u64>(chunk, spec),
        DataType::Float16 => make::<half::f16>(chunk, spec),
        DataType::Float32 => make::<f32>(chunk, spec),
        DataType::Float64 => make::<f64>(chunk, spec),
        other => Err(config.error(format!("cannot encode the type {}", other.name()))),
    }
}

fn make<T: Bytes>(config: ChunkConfig, spec: &ChunkSpec) -> Result<Codec> {
    let len = spec.size()? / size_of::<T>() as u64;
    whole_chunk::codec(PCodec::<T> { config, len, of: PhantomData }, spec)
}

/// A number type for which all bytes are valid.
trait Bytes: Number + FromBytes + IntoBytes + Immutable + KnownLayout {}
impl<T: Number + FromBytes + IntoBytes + Immutable + KnownLayout> Bytes for T {}

/// As many numbers, all zero.
fn zeros<T: Bytes>(len: usize) -> Result<Vec<T>> {
    <T as FromZeros>::new_vec_zeroed(len).map_err(|_| out_of_memory(len * size_of::<T>()))
}

fn corrupt(error: pco::errors::PcoError) -> Error {
    Error::corrupt(error.message)
}

/// Refuses a Pco chunk with more than `left` numbers or too large tables: pco allocates before it
/// checks. The chunk starts with its type (a byte), its length minus one (3 bytes), and the mode (4
/// bits; 4 is a dictionary, whose length follows in 25 bits).
fn check_head(src: &[u8], left: usize) -> Result<()> {
    let [_, a, b, c, rest @ ..] = src else { return Ok(()) };
    if src[0] == 0 {
        return Ok(()); // the end
    }
    let len = u32::from_le_bytes([*a, *b, *c, 0]) as usize + 1;
    if len > left {
        return Err(Error::corrupt(format!("{len} more numbers: expected {left}")));
    }
    if let [m, n, o, p, ..] = *rest
        && m & 0xF == 4
    {
        let dictionary = (u32::from_le_bytes([m, n, o, p]) >> 4) & 0x1FF_FFFF;
        if dictionary as usize > len {
            return Err(Error::corrupt(format!(
                "a dictionary of {dictionary} numbers for {len} numbers"
            )));
        }
    }
    Ok(())
}

impl<T: Bytes> WholeChunk for PCodec<T> {
    fn encoded_len(&self) -> Len {
        // incompressible data takes a few more bits per number and bytes per page
        Len::AtMost(self.len.saturating_mul(2 * size_of::<T>() as u64 + 4).saturating_add(1 << 16))
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        // 2^24 equal numbers take at least five bytes
        (encoded / 5 + 1).saturating_mul((MOST * size_of::<T>()) as u64)
    }

    fn decode(&self, encoded: &[u8], out: &mut [u8]) -> Result<()> {
        probe(out.len().saturating_mul(2).saturating_add(TABLES))?;
        if let Ok(numbers) = <[T]>::mut_from_bytes(out) {
            return decode(encoded, numbers);
        }
        // memory that is not aligned to numbers
        let mut numbers = zeros::<T>(out.len() / size_of::<T>())?;
        decode(encoded, &mut numbers)?;
        out.copy_from_slice(numbers.as_bytes());
        Ok(())
    }

    fn encode(&self, elements: &[u8], out: &mut Vec<u8>) -> Result<()> {
        probe(elements.len().saturating_mul(COPIES).saturating_add(TABLES))?;
        let copied;
        let numbers = match <[T]>::ref_from_bytes(elements) {
            Ok(numbers) => numbers,
            Err(_) => {
                let mut numbers = zeros::<T>(elements.len() / size_of::<T>())?;
                numbers.as_mut_bytes().copy_from_slice(elements);
                copied = numbers;
                &copied
            }
        };
        // not `simple_compress_into`, which writes another header than numcodecs
        let encoded = simple_compress(numbers, &self.config)
            .map_err(|e| Error::new(Kind::Internal, e.message))?;
        crate::source::reserve(out, encoded.len())?;
        out.extend_from_slice(&encoded);
        Ok(())
    }
}

fn decode<T: Bytes>(encoded: &[u8], mut out: &mut [T]) -> Result<()> {
    let (file, mut src) = FileDecompressor::new(encoded).map_err(corrupt)?;
    loop {
        check_head(src, out.len())?;
        let mut chunk = match file.chunk_decompressor::<T, _>(src).map_err(corrupt)? {
            DecompressorItem::Chunk(chunk) => chunk,
            DecompressorItem::EndOfData([]) if out.is_empty() => return Ok(()),
            DecompressorItem::EndOfData(rest) => {
                return Err(Error::corrupt(format!(
                    "{} numbers are missing, {} bytes are left over",
                    out.len(),
                    rest.len()
                )));
            }
        };
        if let DeltaEncoding::Lookback { config, .. } = &chunk.meta().delta_encoding
            && 1usize.checked_shl(config.window_n_log).is_none_or(|w| w > WINDOW.max(chunk.n()))
        {
            return Err(Error::corrupt("a window longer than what it is for"));
        }
        let (numbers, rest) = std::mem::take(&mut out)
            .split_at_mut_checked(chunk.n())
            .ok_or_else(|| Error::corrupt("too many numbers"))?;
        out = rest;
        if !chunk.read(numbers).map_err(corrupt)?.finished {
            return Err(Error::corrupt("the numbers end too early"));
        }
        src = chunk.into_src();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::CodecSpec;
    use serde_json::{Value, json};

    fn make<T: Bytes>(configuration: Value, len: u64, data_type: DataType) -> Result<PCodec<T>> {
        let _ = build_of(configuration.clone(), len, data_type)?;
        let config = ChunkConfig::default().with_compression_level(8);
        Ok(PCodec { config, len, of: PhantomData })
    }

    fn build_of(configuration: Value, len: u64, data_type: DataType) -> Result<Codec> {
        let members = configuration.as_object().cloned().expect("an object");
        let fill = vec![0; data_type.size()].into();
        let spec = ChunkSpec { shape: vec![len], data_type, fill, most: None };
        build(&Config::new(&CodecSpec::new("pcodec", members)), &spec)
    }

    #[test]
    fn what_numcodecs_writes_is_written_and_read() {
        // PCodec().encode(np.arange(12, dtype="i4") * 3)
        let known =
            b"pco!\x03\x00\x03\x03\x04\x01\x03\x0b\x00\x00\x10\x01\x01\x80\x01\x00\x00\x40\x00\x00\
                      \x00\x00\x80\x00";
        let codec = make::<i32>(json!({}), 12, DataType::Int32).expect("good");
        let data: Vec<u8> = (0..12i32).flat_map(|i| (i * 3).to_ne_bytes()).collect();
        let mut out = vec![0; data.len()];
        codec.decode(known, &mut out).expect("decodes");
        assert_eq!(out, data);
        let mut encoded = Vec::new();
        codec.encode(&data, &mut encoded).expect("encodes");
        assert_eq!(encoded, known);
        for cut in 0..known.len() {
            assert!(codec.decode(&known[..cut], &mut out).is_err(), "{cut}");
        }
        assert!(codec.decode(&[&known[..], b"x"].concat(), &mut out).is_err());
        assert!(codec.decode(known, &mut out[4..]).is_err());
        assert!(codec.decode(known, &mut [0; 52]).is_err());
    }

    #[test]
    fn parameters_that_do_not_hold_together_are_refused() {
        for (configuration, word) in [
            (json!({"level": 13}), "level"),
            (json!({"mode_spec": "try"}), "mode_spec"),
            (json!({"delta_spec": "none", "delta_encoding_order": 1}), "delta_encoding_order"),
            (json!({"delta_spec": "try_consecutive"}), "delta_encoding_order"),
            (json!({"delta_encoding_order": 8}), "delta_encoding_order"),
            (json!({"paging_spec": "exact"}), "paging_spec"),
            (json!({"equal_pages_up_to": 0}), "equal_pages_up_to"),
        ] {
            let e = build_of(configuration, 3, DataType::Int32).err().expect("refused");
            assert_eq!(e.kind(), Kind::InvalidMetadata);
            assert!(e.to_string().contains(word), "{e}");
        }
        assert!(build_of(json!({}), 3, DataType::Bool).is_err());
    }
}
