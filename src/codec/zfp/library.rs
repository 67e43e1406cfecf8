//! Bindings to the zfp library: coding of 4^d-number blocks, and the header.
//! <https://zfp.readthedocs.io/en/release1.0.1/low-level-api.html>
//!
//! The library's reader never checks for the end of the bits. No block takes more than
//! [`MOST_BITS`]: while that many are left, the encoded bytes are read in place; the last ones are
//! copied to a buffer padded with as many zeros, and after each block the padding is checked to be
//! unread.
#![allow(unsafe_code)] // the binding

use crate::error::{Error, Kind, Result};
use crate::exec::out_of_memory;
use std::ffi::{c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// The most bits of a block that a header can specify, more than any block has.
pub(super) const MOST_BITS: u32 = 1 << 15;
/// The padding words after the encoded ones: for a block, and for the reader's look-ahead.
const SPARE: usize = MOST_BITS as usize / 64 + 4;
/// The numbers of a block in four dimensions.
pub(super) const BLOCK: usize = 256;
/// Magic number, shape and parameters.
const FULL: c_uint = 7;

#[repr(C)]
struct Bits {
    _private: [u8; 0],
}

#[repr(C)]
pub(super) struct RawStream {
    _private: [u8; 0],
}

/// The array to encode; an extent of 0: no such dimension.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    number: c_int,
    /// Fastest dimension first.
    pub shape: [usize; 4],
    strides: [isize; 4],
    /// An unused pointer to the elements.
    data: usize,
}

pub(super) type Encode<N> = unsafe extern "C" fn(*mut RawStream, *const N) -> usize;
pub(super) type Decode<N> = unsafe extern "C" fn(*mut RawStream, *mut N) -> usize;

/// A number type of the library.
pub(super) trait Number: Copy + Default + PartialEq + 'static {
    /// The library's code for it.
    const TYPE: c_int;
    /// The bits before the numbers of a block: lossy, reversible.
    const FRONT: [u32; 2];
    fn encoders() -> [Encode<Self>; 4];
    fn decoders() -> [Decode<Self>; 4];
}

macro_rules! numbers {
    ($($t:ty, $number:literal, $front:expr, [$($encode:ident $decode:ident),*];)*) => {
        unsafe extern "C" {$($(
            fn $encode(stream: *mut RawStream, block: *const $t) -> usize;
            fn $decode(stream: *mut RawStream, block: *mut $t) -> usize;
        )*)*}
        $(impl Number for $t {
            const TYPE: c_int = $number;
            const FRONT: [u32; 2] = $front;
            fn encoders() -> [Encode<Self>; 4] {
                [$($encode),*]
            }
            fn decoders() -> [Decode<Self>; 4] {
                [$($decode),*]
            }
        })*
    };
}

numbers! {
    i32, 1, [0, 5], [zfp_encode_block_int32_1 zfp_decode_block_int32_1,
        zfp_encode_block_int32_2 zfp_decode_block_int32_2,
        zfp_encode_block_int32_3 zfp_decode_block_int32_3,
        zfp_encode_block_int32_4 zfp_decode_block_int32_4];
    i64, 2, [0, 6], [zfp_encode_block_int64_1 zfp_decode_block_int64_1,
        zfp_encode_block_int64_2 zfp_decode_block_int64_2,
        zfp_encode_block_int64_3 zfp_decode_block_int64_3,
        zfp_encode_block_int64_4 zfp_decode_block_int64_4];
    f32, 3, [9, 15], [zfp_encode_block_float_1 zfp_decode_block_float_1,
        zfp_encode_block_float_2 zfp_decode_block_float_2,
        zfp_encode_block_float_3 zfp_decode_block_float_3,
        zfp_encode_block_float_4 zfp_decode_block_float_4];
    f64, 4, [12, 19], [zfp_encode_block_double_1 zfp_decode_block_double_1,
        zfp_encode_block_double_2 zfp_decode_block_double_2,
        zfp_encode_block_double_3 zfp_decode_block_double_3,
        zfp_encode_block_double_4 zfp_decode_block_double_4];
}

unsafe extern "C" {
    fn stream_open(buffer: *mut c_void, bytes: usize) -> *mut Bits;
    fn stream_close(bits: *mut Bits);
    fn stream_rewind(bits: *mut Bits);
    fn stream_rtell(bits: *const Bits) -> u64;
    fn stream_rseek(bits: *mut Bits, position: u64);
    fn stream_flush(bits: *mut Bits) -> usize;
    fn stream_size(bits: *const Bits) -> usize;
    fn zfp_stream_open(bits: *mut Bits) -> *mut RawStream;
    fn zfp_stream_close(stream: *mut RawStream);
    fn zfp_stream_set_bit_stream(stream: *mut RawStream, bits: *mut Bits);
    fn zfp_stream_set_reversible(stream: *mut RawStream);
    fn zfp_stream_set_rate(s: *mut RawStream, r: f64, t: c_int, dims: c_uint, align: c_int) -> f64;
    fn zfp_stream_set_precision(stream: *mut RawStream, precision: c_uint) -> c_uint;
    fn zfp_stream_set_accuracy(stream: *mut RawStream, tolerance: f64) -> f64;
    fn zfp_stream_set_params(
        s: *mut RawStream,
        minbits: c_uint,
        maxbits: c_uint,
        maxprec: c_uint,
        minexp: c_int,
    ) -> c_int;
    fn zfp_stream_maximum_size(stream: *const RawStream, field: *const Field) -> usize;
    fn zfp_read_header(stream: *mut RawStream, field: *mut Field, mask: c_uint) -> usize;
    fn zfp_write_header(stream: *mut RawStream, field: *const Field, mask: c_uint) -> usize;
}

/// The accuracy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mode {
    /// Lossless.
    Reversible,
    /// So many bits of each on average.
    Rate(f64),
    /// So many bit planes.
    Precision(u32),
    /// Up to this error.
    Accuracy(f64),
    /// The library's own four parameters.
    Expert { minbits: u32, maxbits: u32, maxprec: u32, minexp: i32 },
}

impl Field {
    /// Numbers in so many dimensions (1 to 4), fastest first.
    pub fn new<N: Number>(shape: &[usize]) -> Self {
        let mut all = [0; 4];
        all.iter_mut().zip(shape).for_each(|(all, n)| *all = *n);
        Field { number: N::TYPE, shape: all, strides: [0; 4], data: 0 }
    }

    /// How many dimensions there are.
    pub fn dims(&self) -> usize {
        self.shape.iter().take_while(|&&n| n > 0).count()
    }

    /// Whether its numbers are of that type.
    pub fn is<N: Number>(&self) -> bool {
        self.number == N::TYPE
    }

    /// How many blocks it is encoded in.
    pub fn blocks(&self) -> u64 {
        let dims = self.shape.iter().take_while(|&&n| n > 0);
        dims.fold(1, |blocks, &n| blocks.saturating_mul(n.div_ceil(4) as u64))
    }
}

/// A bit stream that is written or read.
pub(super) struct Stream<'a> {
    /// The written words, or the last words to read.
    words: Vec<u64>,
    /// The bits read before those of `words`.
    before: u64,
    /// The end of the readable bits.
    end: u64,
    /// The bit stream over `words`, or, while `ahead`, over the encoded bytes.
    bits: NonNull<Bits>,
    raw: NonNull<RawStream>,
    /// Whether `words` is still to be read.
    ahead: bool,
    encoded: PhantomData<&'a [u8]>,
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        // SAFETY: both were opened by `over` and are closed once.
        unsafe {
            zfp_stream_close(self.raw.as_ptr());
            stream_close(self.bits.as_ptr());
        }
    }
}

fn words(bytes: usize) -> Result<Vec<u64>> {
    let count = bytes.div_ceil(8) + SPARE;
    let mut words: Vec<u64> = Vec::new();
    words.try_reserve_exact(count).map_err(|_| out_of_memory(count * 8))?;
    words.resize(count, 0);
    Ok(words)
}

fn open(words: *mut u64, count: usize) -> Result<NonNull<Bits>> {
    // SAFETY: nothing is read or written yet; who does sees to it that the words are still there.
    NonNull::new(unsafe { stream_open(words.cast(), count * 8) }).ok_or_else(|| out_of_memory(64))
}

impl<'a> Stream<'a> {
    /// Wraps `bits`, a bit stream over `words` or over borrowed memory.
    fn over(words: Vec<u64>, bits: NonNull<Bits>) -> Result<Self> {
        // SAFETY: the stream of bits is a live one.
        let raw = unsafe { zfp_stream_open(bits.as_ptr()) };
        let Some(raw) = NonNull::new(raw) else {
            // SAFETY: opened by the caller.
            unsafe { stream_close(bits.as_ptr()) };
            return Err(out_of_memory(64));
        };
        Ok(Stream { words, before: 0, end: 0, bits, raw, ahead: false, encoded: PhantomData })
    }

    /// A stream that reads `encoded`.
    pub fn reader(encoded: &'a [u8]) -> Result<Self> {
        // SAFETY: any bytes are words.
        let (odd, whole, _) = unsafe { encoded.align_to::<u64>() };
        let there = if odd.is_empty() { whole.len().saturating_sub(SPARE) } else { 0 };
        let rest = &encoded[there * 8..];
        let mut words = words(rest.len())?;
        for (word, bytes) in words.iter_mut().zip(rest.chunks(8)) {
            let mut own = [0; 8];
            own[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_ne_bytes(own);
        }
        let bits = match there {
            0 => open(words.as_mut_ptr(), words.len())?,
            _ => open(whole.as_ptr().cast_mut(), whole.len())?,
        };
        let mut stream = Self::over(words, bits)?;
        stream.end = encoded.len() as u64 * 8;
        stream.before = there as u64 * 64;
        stream.ahead = there > 0;
        // SAFETY: a live one; nothing is written where it reads.
        unsafe { stream_rewind(stream.bits.as_ptr()) };
        Ok(stream)
    }

    /// A stream with space for `field` and its header.
    pub fn writer<N: Number>(field: &Field, mode: Mode) -> Result<Self> {
        let over = |mut words: Vec<u64>| {
            let bits = open(words.as_mut_ptr(), words.len())?;
            Self::over(words, bits)
        };
        let mut probe = over(words(0)?)?;
        probe.set::<N>(mode, field.dims());
        // SAFETY: both are alive.
        let most = unsafe { zfp_stream_maximum_size(probe.raw.as_ptr(), field) };
        let mut stream = over(words(most)?)?;
        stream.set::<N>(mode, field.dims());
        Ok(stream)
    }

    /// Sets the parameters, which must be valid.
    pub fn set<N: Number>(&mut self, mode: Mode, dims: usize) {
        let raw = self.raw.as_ptr();
        // SAFETY: a live one; the functions take any value.
        unsafe {
            match mode {
                Mode::Reversible => zfp_stream_set_reversible(raw),
                Mode::Rate(rate) => {
                    zfp_stream_set_rate(raw, rate, N::TYPE, dims as c_uint, 0);
                }
                Mode::Precision(precision) => {
                    zfp_stream_set_precision(raw, precision);
                }
                Mode::Accuracy(tolerance) => {
                    zfp_stream_set_accuracy(raw, tolerance);
                }
                Mode::Expert { minbits, maxbits, maxprec, minexp } => {
                    zfp_stream_set_params(raw, minbits, maxbits, maxprec, minexp);
                }
            }
        }
    }

    /// Reads a header, which sets the parameters.
    pub fn read_header(&mut self) -> Result<Field> {
        let mut field = Field::new::<i32>(&[]);
        // SAFETY: both are alive; the header is shorter than the spare words.
        let bits = unsafe { zfp_read_header(self.raw.as_ptr(), &mut field, FULL) };
        match bits {
            0 => Err(Error::corrupt("the zfp header is missing")),
            _ => self.check_end().map(|()| field),
        }
    }

    /// Writes a header. [`Kind::LimitExceeded`]: it cannot hold such a shape.
    pub fn write_header(&mut self, field: &Field) -> Result<()> {
        // SAFETY: both are alive, and there is room.
        match unsafe { zfp_write_header(self.raw.as_ptr(), field, FULL) } {
            0 => Err(Error::new(Kind::LimitExceeded, "the zfp header cannot express the shape")),
            _ => Ok(()),
        }
    }

    /// Writes a block with so many dimensions.
    pub fn encode<N: Number>(&mut self, dims: usize, block: &[N; BLOCK]) {
        // SAFETY: a block has no more numbers than that, and there is room for as many as the
        // field has, which is what `writer` was told.
        unsafe { N::encoders()[dims - 1](self.raw.as_ptr(), block.as_ptr()) };
    }

    /// Reads a block with so many dimensions.
    pub fn decode<N: Number>(&mut self, dims: usize, block: &mut [N; BLOCK]) -> Result<()> {
        // SAFETY: a block has no more numbers than that; the position is not beyond the end, and
        // behind it are as many bits as a block can take.
        unsafe { N::decoders()[dims - 1](self.raw.as_ptr(), block.as_mut_ptr()) };
        self.check_end()
    }

    fn check_end(&mut self) -> Result<()> {
        let at = self.position();
        if at > self.end {
            return Err(Error::corrupt("the zfp stream is truncated"));
        }
        if self.ahead && at > self.before { self.come_to_words(at) } else { Ok(()) }
    }

    /// Switches to `words`, when a block might extend past the encoded bytes.
    #[cold]
    fn come_to_words(&mut self, at: u64) -> Result<()> {
        let words = open(self.words.as_mut_ptr(), self.words.len())?;
        // SAFETY: all are alive; the position is one in `words`.
        unsafe {
            stream_rseek(words.as_ptr(), at - self.before);
            zfp_stream_set_bit_stream(self.raw.as_ptr(), words.as_ptr());
            stream_close(self.bits.as_ptr());
        }
        self.bits = words;
        self.ahead = false;
        Ok(())
    }

    /// The number of bits read.
    pub fn position(&self) -> u64 {
        // SAFETY: a live one.
        let at = unsafe { stream_rtell(self.bits.as_ptr()) };
        if self.ahead { at } else { self.before + at }
    }

    /// Appends the written bits, in whole words.
    pub fn finish(self, out: &mut Vec<u8>) -> Result<()> {
        // SAFETY: a live one, and a word more has room.
        let size = unsafe {
            stream_flush(self.bits.as_ptr());
            stream_size(self.bits.as_ptr())
        };
        crate::source::reserve(out, size)?;
        self.words[..size / 8].iter().for_each(|word| out.extend_from_slice(&word.to_ne_bytes()));
        Ok(())
    }
}
