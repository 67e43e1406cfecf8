//! `zstd`: Zstandard frames (RFC 8878), by libzstd.
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/zstd>
//!
//! A value may hold several frames and skippable ones.

use super::config::Config;
use super::{BytesCodec, ChunkSpec, Codec, Len};
use crate::error::{Error, Kind, Result};
use crate::exec::{Context, out_of_memory, with_context};
use zstd::zstd_safe::zstd_sys::ZSTD_ErrorCode::ZSTD_error_memory_allocation;
use zstd::zstd_safe::{self, CCtx, CParameter, DCtx, DParameter, InBuffer, OutBuffer};

/// The default level in libzstd and in numcodecs.
const DEFAULT_LEVEL: i64 = 0;

struct Zstd {
    level: i32,
    checksum: bool,
    /// Whether to ignore the checksums of frames.
    ignore_checksums: bool,
}

pub(super) fn build(config: &Config<'_>, _: &ChunkSpec) -> Result<Codec> {
    config.only(&["level", "checksum"])?;
    let level = config.integer("level", -131_072, 22)?.unwrap_or(DEFAULT_LEVEL) as i32;
    let checksum = config.boolean("checksum")?.unwrap_or(false);
    let ignore_checksums = config.read_policy().ignore_checksums;
    Ok(Codec::Bytes(Box::new(Zstd { level, checksum, ignore_checksums })))
}

impl Context for CCtx<'static> {
    type Of = ();

    fn new(_: ()) -> Result<Self> {
        CCtx::try_create().ok_or_else(|| out_of_memory(1 << 17))
    }

    fn bytes(&self) -> usize {
        self.sizeof()
    }
}

impl Context for DCtx<'static> {
    type Of = ();

    fn new(_: ()) -> Result<Self> {
        DCtx::try_create().ok_or_else(|| out_of_memory(1 << 17))
    }

    fn bytes(&self) -> usize {
        self.sizeof()
    }
}

fn with_decoder<T>(
    ignore_checksums: bool,
    decode: impl FnOnce(&mut DCtx<'static>) -> Result<T>,
) -> Result<T> {
    with_context((), |decoder: &mut DCtx<'static>| {
        let checksums = DParameter::ForceIgnoreChecksum(ignore_checksums);
        decoder.set_parameter(checksums).map_err(internal)?;
        decode(decoder)
    })
}

/// Refuses frames from before version 0.8, for which libzstd has decoders only because Blosc needs
/// them. Only current frames and skippable ones are accepted here.
fn check_frames(mut src: &[u8]) -> Result<()> {
    const MAGIC: u32 = 0xFD2F_B528;
    const SKIPPABLE: std::ops::RangeInclusive<u32> = 0x184D_2A50..=0x184D_2A5F;
    while let Some(magic) = src.first_chunk() {
        let magic = u32::from_le_bytes(*magic);
        if magic != MAGIC && !SKIPPABLE.contains(&magic) {
            break;
        }
        let len = zstd_safe::find_frame_compressed_size(src).map_err(corrupt)?;
        src = src.get(len..).unwrap_or_default();
    }
    match src {
        [] => Ok(()),
        _ => Err(Error::corrupt(format!("the last {} bytes are not a frame", src.len()))),
    }
}

/// Whether libzstd failed because the system gave it no memory.
pub(super) fn memory_was_refused(code: usize) -> bool {
    // an error is its number, negated
    code.wrapping_neg() == ZSTD_error_memory_allocation as usize
}

fn error(code: usize, kind: Kind) -> Error {
    let kind = if memory_was_refused(code) { Kind::OutOfMemory } else { kind };
    Error::new(kind, zstd_safe::get_error_name(code))
}

fn internal(code: usize) -> Error {
    error(code, Kind::Internal)
}

fn corrupt(code: usize) -> Error {
    error(code, Kind::CorruptData)
}

impl BytesCodec for Zstd {
    fn encoded_len(&self, decoded: Len) -> Len {
        decoded.at_most(|n| usize::try_from(n).map_or(n, |n| zstd_safe::compress_bound(n) as u64))
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        // a block of 4 bytes (3 of header, one repeated) stands for 128 KiB at most
        encoded.saturating_mul((128 << 10) / 4)
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>, _: usize) -> Result<()> {
        let bound = zstd_safe::compress_bound(src.len());
        out.try_reserve(bound).map_err(|_| out_of_memory(bound))?;
        with_context((), |encoder: &mut CCtx<'static>| {
            for parameter in
                [CParameter::CompressionLevel(self.level), CParameter::ChecksumFlag(self.checksum)]
            {
                encoder.set_parameter(parameter).map_err(internal)?;
            }
            let mut cursor = std::io::Cursor::new(&mut *out);
            cursor.set_position(cursor.get_ref().len() as u64);
            encoder.compress2(&mut cursor, src).map(drop).map_err(internal)
        })
    }

    fn decode(&self, src: &[u8], out: &mut [u8], _: usize) -> Result<()> {
        check_frames(src)?;
        let expected = out.len();
        let found = with_decoder(self.ignore_checksums, |decoder| {
            decoder.decompress(out, src).map_err(corrupt)
        })?;
        if found != expected {
            return Err(crate::source::wrong_length(expected as u64, found as u64));
        }
        Ok(())
    }

    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
        check_frames(src)?;
        let end = out.len().saturating_add(limit);
        with_decoder(self.ignore_checksums, |decoder| {
            decoder.init().map_err(corrupt)?;
            let mut input = InBuffer::around(src);
            loop {
                let step = DCtx::out_size();
                out.try_reserve(step).map_err(|_| out_of_memory(step))?;
                let at = out.len();
                let hint = {
                    let mut output = OutBuffer::around_pos(&mut *out, at);
                    decoder.decompress_stream(&mut output, &mut input).map_err(corrupt)?
                };
                if out.len() > end {
                    return Err(crate::source::wrong_length(limit as u64, out.len() as u64));
                }
                if input.pos == src.len() {
                    if hint == 0 {
                        return Ok(());
                    }
                    if out.len() == at {
                        return Err(Error::corrupt("the last frame is truncated"));
                    }
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codec(checksum: bool) -> Zstd {
        Zstd { level: 3, checksum, ignore_checksums: false }
    }

    #[test]
    fn several_frames_and_skippable_ones_are_one_value() {
        let mut encoded = vec![0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]; // skippable
        codec(true).encode(b"first, ", &mut encoded, 1).expect("encodes");
        codec(false).encode(b"second", &mut encoded, 1).expect("encodes");
        let mut whole = [0; 13];
        codec(false).decode(&encoded, &mut whole, 1).expect("decodes");
        assert_eq!(&whole, b"first, second");
        let mut grown = b"> ".to_vec();
        codec(false).decode_unknown(&encoded, &mut grown, 13).expect("decodes");
        assert_eq!(grown, b"> first, second");
        assert!(codec(false).decode_unknown(&encoded, &mut Vec::new(), 12).is_err());
    }

    #[test]
    fn damage_and_wrong_lengths_are_errors() {
        let data: Vec<u8> = (0..10_000u32).flat_map(|i| (i / 3).to_le_bytes()).collect();
        let mut encoded = Vec::new();
        codec(true).encode(&data, &mut encoded, 1).expect("encodes");
        let mut out = vec![0; data.len()];
        for cut in 0..encoded.len() {
            assert!(codec(false).decode(&encoded[..cut], &mut out, 1).is_err());
            assert!(
                codec(false).decode_unknown(&encoded[..cut], &mut Vec::new(), 1 << 20).is_err()
                    || cut == 0
            );
        }
        assert!(codec(false).decode(&encoded, &mut out[1..], 1).is_err());
        assert!(codec(false).decode(&encoded, &mut vec![0; data.len() + 1], 1).is_err());
        let last = encoded.len() - 1;
        encoded[last] ^= 1;
        assert!(codec(false).decode(&encoded, &mut out, 1).is_err(), "the checksum is looked at");
    }
}
