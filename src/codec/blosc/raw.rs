//! The compressors inside a Blosc frame: bindings to the C libraries and their contexts.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use blosc_src as _; // links blosclz
use libdeflate_sys as deflate;
use zstd::zstd_safe::{self, CCtx, DCtx};

use super::{Compressor, Format};
use crate::codec::deflate::ENCODER_BYTES;
use crate::codec::zstd::memory_was_refused;
use crate::error::{Error, Kind, Result};
use crate::exec::{Context, with_context};

unsafe extern "C" {
    fn blosclz_compress(
        level: c_int,
        src: *const c_void,
        len: c_int,
        dst: *mut c_void,
        room: c_int,
        split: c_int,
    ) -> c_int;
    fn blosclz_decompress(src: *const c_void, len: c_int, dst: *mut c_void, room: c_int) -> c_int;
    fn LZ4_sizeofStateHC() -> c_int;
    fn LZ4_compress_HC_extStateHC(
        state: *mut c_void,
        src: *const c_void,
        dst: *mut c_void,
        len: c_int,
        room: c_int,
        level: c_int,
    ) -> c_int;
}

/// What is kept between chunks.
#[derive(Default)]
pub struct Contexts {
    /// Scratch memory for a decompressed or shuffled block.
    pub buffer: Buffer,
    /// Scratch memory of the bit filter.
    pub piece: Buffer,
    /// The libraries' contexts.
    pub inner: Inner,
}

/// The libraries' contexts, each made on first use.
#[derive(Default)]
pub struct Inner {
    zstd_compress: Option<CCtx<'static>>,
    zstd_decompress: Option<DCtx<'static>>,
    deflate: Option<Deflate>,
    inflate: Option<Inflate>,
    snappy_compress: Option<Box<snap::raw::Encoder>>,
    snappy_buffer: Vec<u8>,
    lz4hc: Vec<u64>,
}

/// A reusable buffer; it keeps stale contents.
#[derive(Default)]
pub struct Buffer(Vec<u8>);

impl Buffer {
    /// `len` bytes to overwrite. The caller bounds `len` by something it already holds.
    pub fn get(&mut self, len: usize) -> Result<&mut [u8]> {
        if self.0.len() < len {
            grow(&mut self.0, len)?;
        }
        Ok(&mut self.0[..len])
    }
}

fn grow(bytes: &mut Vec<u8>, len: usize) -> Result<()> {
    bytes.try_reserve_exact(len - bytes.len()).map_err(|_| no_memory(len))?;
    bytes.resize(len, 0);
    Ok(())
}

/// The error of an allocation of `len` bytes that failed.
#[cold]
pub fn no_memory(len: usize) -> Error {
    Error::new(Kind::OutOfMemory, format!("no memory for {len} bytes of a Blosc block"))
}

impl Context for Contexts {
    type Of = ();

    fn new(_: ()) -> Result<Self> {
        Ok(Contexts::default())
    }

    fn bytes(&self) -> usize {
        let inner = &self.inner;
        self.buffer.0.capacity()
            + self.piece.0.capacity()
            + inner.zstd_compress.as_ref().map_or(0, CCtx::sizeof)
            + inner.zstd_decompress.as_ref().map_or(0, DCtx::sizeof)
            + inner.deflate.as_ref().map_or(0, |_| ENCODER_BYTES)
            + inner.snappy_buffer.capacity()
            + inner.lz4hc.capacity() * size_of::<u64>()
    }
}

/// Calls `work` with contexts that are kept for the next chunk.
pub fn with_contexts<T>(work: impl FnOnce(&mut Contexts) -> Result<T>) -> Result<T> {
    with_context((), work)
}

/// A zlib compressor of one level.
struct Deflate(NonNull<deflate::libdeflate_compressor>, c_int);

// SAFETY: memory of its own, which any thread may use, one at a time.
unsafe impl Send for Deflate {}

impl Drop for Deflate {
    fn drop(&mut self) {
        // SAFETY: the pointer is from libdeflate_alloc_compressor and is freed once.
        unsafe { deflate::libdeflate_free_compressor(self.0.as_ptr()) }
    }
}

/// A zlib decompressor.
struct Inflate(NonNull<deflate::libdeflate_decompressor>);

// SAFETY: as above.
unsafe impl Send for Inflate {}

impl Drop for Inflate {
    fn drop(&mut self) {
        // SAFETY: the pointer is from libdeflate_alloc_decompressor and is freed once.
        unsafe { deflate::libdeflate_free_decompressor(self.0.as_ptr()) }
    }
}

/// A possibly uninitialized destination for zstd.
struct Uninit<'a>(&'a mut [MaybeUninit<u8>], usize);

// SAFETY: pointer and capacity are those of the slice; the filled part grows only as zstd reports
// having written it.
unsafe impl zstd_safe::WriteBuf for Uninit<'_> {
    fn as_slice(&self) -> &[u8] {
        // SAFETY: the first `self.1` bytes have been written, says `filled_until`.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.1) }
    }
    fn capacity(&self) -> usize {
        self.0.len()
    }
    fn as_mut_ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
    unsafe fn filled_until(&mut self, n: usize) {
        self.1 = n;
    }
}

/// Bytes as possibly uninitialized memory.
pub fn as_uninit(bytes: &mut [u8]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the same memory and length, and whatever gets it writes only whole bytes to it
    // (this module and its siblings), never the absence of one.
    unsafe { &mut *(std::ptr::from_mut(bytes) as *mut [MaybeUninit<u8>]) }
}

/// Copies `src` to `dst`, which has the same length.
pub fn copy(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    assert_eq!(src.len(), dst.len());
    // SAFETY: both have that length, and a borrow that may be written to overlaps no other.
    unsafe { std::ptr::copy_nonoverlapping(src.as_ptr(), dst.as_mut_ptr().cast(), src.len()) }
}

/// Extends `out` by the `n` bytes after its end.
///
/// They must be within its capacity and initialized, by [`copy`] or by [`Inner`].
pub fn set_written(out: &mut Vec<u8>, n: usize) {
    assert!(n <= out.capacity() - out.len());
    // SAFETY: within the capacity, and written as the callers, all in this module's parent, say.
    unsafe { out.set_len(out.len() + n) }
}

/// A length inside a frame, which the format keeps below 2^31.
fn int(len: usize) -> c_int {
    c_int::try_from(len).unwrap_or(c_int::MAX)
}

impl Inner {
    /// Decompresses the stream `src` into all of `dst`; any other decoded length is `CorruptData`.
    /// After `Ok` every byte of `dst` is initialized.
    pub fn decompress(
        &mut self,
        format: Format,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Result<()> {
        let out: *mut c_void = dst.as_mut_ptr().cast();
        let written = match format {
            Format::BloscLz if overflows_blosclz(src) => None,
            // SAFETY: blosclz reads `src.len()` bytes and writes at most `dst.len()`; the only way
            // to make it do more, the overflow of a match's length, has just been ruled out.
            Format::BloscLz => usize::try_from(unsafe {
                blosclz_decompress(src.as_ptr().cast(), int(src.len()), out, int(dst.len()))
            })
            .ok(),
            // SAFETY: reads `src.len()` bytes and writes at most `dst.len()`, whatever it reads.
            Format::Lz4 => usize::try_from(unsafe {
                lz4_sys::LZ4_decompress_safe(
                    src.as_ptr().cast(),
                    out.cast(),
                    int(src.len()),
                    int(dst.len()),
                )
            })
            .ok(),
            Format::Snappy => {
                // The crate needs initialized bytes.
                dst.fill(MaybeUninit::new(0));
                // SAFETY: all of it has just been written.
                let dst = unsafe { &mut *(std::ptr::from_mut(dst) as *mut [u8]) };
                match snap::raw::decompress_len(src) {
                    Ok(n) if n == dst.len() => snap::raw::Decoder::new().decompress(src, dst).ok(),
                    _ => None,
                }
            }
            Format::Zlib => self.inflate(src, dst)?,
            Format::Zstd => self.unzstd(src, dst)?,
        };
        if written != Some(dst.len()) {
            return Err(Error::corrupt(format!(
                "a Blosc stream of {} bytes does not decompress by {} to {}",
                src.len(),
                format.name(),
                dst.len()
            )));
        }
        Ok(())
    }

    fn inflate(&mut self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Result<Option<usize>> {
        let context = match &self.inflate {
            Some(context) => context,
            None => {
                // SAFETY: takes nothing, gives null or a decompressor.
                let new = NonNull::new(unsafe { deflate::libdeflate_alloc_decompressor() });
                self.inflate.insert(Inflate(new.ok_or_else(|| no_memory(0))?))
            }
        };
        let (mut read, mut written) = (0, 0);
        // SAFETY: reads at most `src.len()` bytes, writes at most `dst.len()`, whatever it reads.
        let status = unsafe {
            deflate::libdeflate_zlib_decompress_ex(
                context.0.as_ptr(),
                src.as_ptr().cast(),
                src.len(),
                dst.as_mut_ptr().cast(),
                dst.len(),
                &mut read,
                &mut written,
            )
        };
        Ok((status == deflate::libdeflate_result_LIBDEFLATE_SUCCESS).then_some(written))
    }

    /// Decodes exactly one zstd frame. Frames of version 0.7 are accepted besides current ones,
    /// since c-blosc wrote them in 2016; older versions never occurred in Blosc.
    fn unzstd(&mut self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Result<Option<usize>> {
        let magic = src.first_chunk::<4>().map(|m| u32::from_le_bytes(*m));
        let one = zstd_safe::find_frame_compressed_size(src) == Ok(src.len());
        if !one || !matches!(magic, Some(0xFD2F_B527 | 0xFD2F_B528)) {
            return Ok(None);
        }
        let context = match &mut self.zstd_decompress {
            Some(context) => context,
            none => none.insert(DCtx::try_create().ok_or_else(|| no_memory(0))?),
        };
        match context.decompress(&mut Uninit(dst, 0), src) {
            Err(code) if memory_was_refused(code) => Err(no_memory(dst.len())),
            result => Ok(result.ok()),
        }
    }

    /// Compresses `src` to the start of `dst`; returns the compressed length, or 0 if it does not
    /// fit. `level` is 1 to 9; `split`: whether the frame's blocks are split.
    pub fn compress(
        &mut self,
        compressor: Compressor,
        level: u8,
        split: bool,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Result<usize> {
        let (from, len) = (src.as_ptr(), int(src.len()));
        let (to, room) = (dst.as_mut_ptr(), int(dst.len()));
        let level = c_int::from(level);
        let written = match compressor {
            // SAFETY: reads `len` bytes, writes at most `room`.
            Compressor::BloscLz => unsafe {
                blosclz_compress(level, from.cast(), len, to.cast(), room, c_int::from(split))
            },
            // SAFETY: reads `len` bytes, writes at most `room`.
            Compressor::Lz4 => unsafe {
                lz4_sys::LZ4_compress_fast(from.cast(), to.cast(), len, room, 10 - level)
            },
            Compressor::Lz4hc => {
                if self.lz4hc.is_empty() {
                    // SAFETY: takes nothing, gives a constant.
                    let size = usize::try_from(unsafe { LZ4_sizeofStateHC() }).unwrap_or(0);
                    let words = size.div_ceil(8);
                    self.lz4hc.try_reserve_exact(words).map_err(|_| no_memory(size))?;
                    self.lz4hc.resize(words, 0);
                }
                let state = self.lz4hc.as_mut_ptr().cast();
                // SAFETY: the state has the size asked for and is aligned to its widest member; it
                // is initialised by the call. Reads `len` bytes, writes at most `room`.
                unsafe {
                    LZ4_compress_HC_extStateHC(state, from.cast(), to.cast(), len, room, level)
                }
            }
            Compressor::Snappy => return self.snappy(src, dst),
            Compressor::Zlib => return self.deflate(level, src, dst),
            Compressor::Zstd => {
                let level = if level < 9 { level * 2 - 1 } else { zstd_safe::max_c_level() };
                let context = match &mut self.zstd_compress {
                    Some(context) => context,
                    none => none.insert(CCtx::try_create().ok_or_else(|| no_memory(0))?),
                };
                return match context.compress(&mut Uninit(dst, 0), src, level) {
                    Err(code) if memory_was_refused(code) => Err(no_memory(src.len())),
                    result => Ok(result.unwrap_or(0)),
                };
            }
        };
        Ok(usize::try_from(written).unwrap_or(0))
    }

    fn snappy(&mut self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Result<usize> {
        let most = snap::raw::max_compress_len(src.len());
        if self.snappy_buffer.len() < most {
            grow(&mut self.snappy_buffer, most)?;
        }
        let encoder =
            self.snappy_compress.get_or_insert_with(|| Box::new(snap::raw::Encoder::new()));
        let Ok(written) = encoder.compress(src, &mut self.snappy_buffer) else { return Ok(0) };
        let Some(dst) = dst.get_mut(..written) else { return Ok(0) };
        copy(&self.snappy_buffer[..written], dst);
        Ok(written)
    }

    fn deflate(&mut self, level: c_int, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Result<usize> {
        let context = match &mut self.deflate {
            Some(context) if context.1 == level => context,
            other => {
                // SAFETY: gives null or a compressor of that level.
                let new = NonNull::new(unsafe { deflate::libdeflate_alloc_compressor(level) });
                other.insert(Deflate(new.ok_or_else(|| no_memory(0))?, level))
            }
        };
        // SAFETY: reads `src.len()` bytes and writes at most `dst.len()`.
        Ok(unsafe {
            deflate::libdeflate_zlib_compress(
                context.0.as_ptr(),
                src.as_ptr().cast(),
                src.len(),
                dst.as_mut_ptr().cast(),
                dst.len(),
            )
        })
    }
}

/// Whether a blosclz stream may overflow the `int` in which the C decoder sums a match's length:
/// each consecutive byte of 255 adds 255, and no real match is that long.
fn overflows_blosclz(src: &[u8]) -> bool {
    const RUN: usize = 8 << 20; // a little under (2^31 - 1) / 255
    // A run of that length contains one of every RUN bytes: look only around those.
    for met in (RUN - 1..src.len()).step_by(RUN) {
        if src[met] == 255 {
            let before = src[..met].iter().rev().take_while(|&&b| b == 255).count();
            let after = src[met..].iter().take(RUN).take_while(|&&b| b == 255).count();
            if before + after >= RUN {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn endless_match_lengths_are_found_wherever_they_lie() {
        const RUN: usize = 8 << 20;
        for (before, run, want) in [
            (0, RUN, true),
            (5, RUN, true),
            (RUN - 1, RUN + 3, true),
            (7, RUN - 1, false),
            (0, 9, false),
        ] {
            let mut stream = vec![1; before];
            stream.resize(before + run, 255);
            stream.push(3);
            assert_eq!(overflows_blosclz(&stream), want, "{run} after {before}");
        }
        // The C decoder would run out of its buffer with this one.
        let mut stream = vec![0, 7, 0xff];
        stream.resize(9 << 20, 255);
        let error = Inner::default()
            .decompress(Format::BloscLz, &stream, &mut [MaybeUninit::new(0); 64])
            .unwrap_err();
        assert_eq!(error.kind(), Kind::CorruptData);
    }
}
