//! Which bytes of an element to reverse to change its byte order.

use std::mem::MaybeUninit;
use std::ops::Range;

use crate::error::{Error, Kind, Result};

/// Which bytes of an element to reverse.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Swap {
    /// None.
    #[default]
    None,
    /// The element consists of words of `width` bytes, each reversed: a number, a complex number
    /// (two words), UTF-32 text.
    Words {
        /// Size of a word (bytes); the element's size is a multiple of it.
        width: usize,
    },
    /// Words at some offsets: a struct of several fields.
    Runs(Vec<Run>),
}

/// Contiguous words within an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Offset of the first word in the element (bytes).
    pub offset: usize,
    /// Size of a word (bytes).
    pub width: usize,
    /// The number of words.
    pub count: usize,
}

impl Swap {
    /// Checks that the words lie in an element of `item` bytes; otherwise it is the caller's bug.
    pub(super) fn check(&self, item: usize) -> Result<()> {
        let fits = match self {
            Swap::None => true,
            Swap::Words { width } => *width > 0 && item.is_multiple_of(*width),
            Swap::Runs(runs) => runs.iter().all(|run| {
                let end = run.width.checked_mul(run.count).and_then(|n| n.checked_add(run.offset));
                run.width > 0 && end.is_some_and(|end| end <= item)
            }),
        };
        if fits {
            return Ok(());
        }
        Err(Error::new(
            Kind::Internal,
            format!("swap: {self:?} does not fit an element of {item} bytes"),
        ))
    }

    /// Whether it changes nothing.
    pub fn is_none(&self) -> bool {
        match self {
            Swap::None => true,
            Swap::Words { width } => *width == 1,
            Swap::Runs(runs) => runs.iter().all(|run| run.width == 1 || run.count == 0),
        }
    }
}

/// Reverses bytes in every element of `bytes`, each of `item` bytes.
///
/// `Internal` if the length of `bytes` is not a multiple of `item`, or `swap` does not fit an
/// element.
pub fn swap_in_place(bytes: &mut [u8], item: usize, swap: &Swap) -> Result<()> {
    swap.check(item)?;
    if bytes.is_empty() || swap.is_none() {
        return Ok(());
    }
    if item == 0 || !bytes.len().is_multiple_of(item) {
        return Err(Error::new(
            Kind::Internal,
            format!("swap: {} bytes are not a whole number of {item}-byte elements", bytes.len()),
        ));
    }
    turn(bytes, item, swap);
    Ok(())
}

/// The same for checked arguments.
pub(super) fn turn(bytes: &mut [u8], item: usize, swap: &Swap) {
    match swap {
        Swap::None => {}
        // Treat everything as one long element: one loop.
        Swap::Words { width } => turn_run(bytes, bytes.len(), 0..bytes.len(), *width),
        // Run by run, so that each loop knows its width; piece by piece, so that the bytes stay in
        // the L1 cache from one run to the next.
        Swap::Runs(runs) => {
            for piece in bytes.chunks_mut(piece(item)) {
                for run in runs {
                    let words = run.offset..run.offset + run.width * run.count;
                    turn_run(piece, item, words, run.width);
                }
            }
        }
    }
}

/// Size (bytes) of as many elements of `item` bytes as fit the L1 cache; at least one.
pub(super) fn piece(item: usize) -> usize {
    (4096 / item).max(1) * item
}

/// Reverses the words of `width` bytes in the range `words` of each element.
fn turn_run(bytes: &mut [u8], item: usize, words: Range<usize>, width: usize) {
    fn each<T: Word>(bytes: &mut [u8], item: usize, words: Range<usize>) {
        for element in bytes.chunks_exact_mut(item) {
            let bytes = &mut element[words.clone()];
            let n = bytes.len() / size_of::<T>();
            // SAFETY: `Unaligned` has alignment 1, and any bytes are a valid word; n of them lie in
            // `bytes`.
            let words: &mut [Unaligned<T>] =
                unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), n) };
            for word in words {
                let Unaligned(x) = *word;
                *word = Unaligned(x.reversed());
            }
        }
    }
    match width {
        1 => {}
        2 => each::<u16>(bytes, item, words),
        4 => each::<u32>(bytes, item, words),
        8 => each::<u64>(bytes, item, words),
        16 => each::<u128>(bytes, item, words),
        _ => {
            for element in bytes.chunks_exact_mut(item) {
                element[words.clone()].chunks_exact_mut(width).for_each(<[u8]>::reverse);
            }
        }
    }
}

/// Copies `len` bytes, whole words of `width` bytes, and reverses each word.
///
/// # Safety
/// `len` bytes are readable at `src` and writable at `dst`, and the two do not overlap.
pub(super) unsafe fn copy_words(src: *const u8, dst: *mut u8, len: usize, width: usize) {
    /// # Safety
    /// As for `copy_words`, `len` a multiple of the word's size.
    unsafe fn each<T: Word>(src: *const u8, dst: *mut u8, len: usize) {
        let n = len / size_of::<T>();
        // SAFETY: n unaligned words lie in the len bytes on either side.
        let (from, to) = unsafe {
            let to = dst.cast::<MaybeUninit<Unaligned<T>>>();
            (
                std::slice::from_raw_parts(src.cast::<Unaligned<T>>(), n),
                std::slice::from_raw_parts_mut(to, n),
            )
        };
        for (from, to) in from.iter().zip(to) {
            let Unaligned(x) = *from;
            to.write(Unaligned(x.reversed()));
        }
    }
    // SAFETY: guaranteed by the caller.
    unsafe {
        match width {
            2 => each::<u16>(src, dst, len),
            4 => each::<u32>(src, dst, len),
            8 => each::<u64>(src, dst, len),
            16 => each::<u128>(src, dst, len),
            _ => {
                for at in 0..len {
                    let mirrored = at - at % width + (width - 1 - at % width);
                    *dst.add(at) = *src.add(mirrored);
                }
            }
        }
    }
}

/// A value at any address.
#[derive(Clone, Copy)]
#[repr(C, packed)]
pub(super) struct Unaligned<T>(pub T);

/// A machine word: any bytes are valid.
pub(super) trait Word: Copy {
    fn reversed(self) -> Self;
    /// The word with its halves exchanged.
    fn halves_turned(self) -> Self;
}

macro_rules! words {
    ($($t:ty)*) => {$(
        impl Word for $t {
            #[inline(always)]
            fn reversed(self) -> Self {
                self.swap_bytes()
            }
            #[inline(always)]
            fn halves_turned(self) -> Self {
                self.rotate_left(<$t>::BITS / 2)
            }
        }
    )*};
}
words!(u8 u16 u32 u64 u128);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_place() -> Result<()> {
        let all: Vec<u8> = (0..48).collect();
        for width in [1, 2, 3, 4, 6, 8, 12, 16] {
            let mut bytes = all.clone();
            swap_in_place(&mut bytes, 48, &Swap::Words { width })?;
            for (at, &byte) in bytes.iter().enumerate() {
                assert_eq!(byte as usize, at / width * width + (width - 1 - at % width));
            }
            swap_in_place(&mut bytes, width, &Swap::Words { width })?;
            assert_eq!(bytes, all);
        }
        Ok(())
    }

    #[test]
    fn structs_in_place() -> Result<()> {
        // u8, u16, two u32, one byte of padding: twelve bytes.
        let runs =
            vec![Run { offset: 1, width: 2, count: 1 }, Run { offset: 3, width: 4, count: 2 }];
        let mut bytes: Vec<u8> = (0..144).collect();
        swap_in_place(&mut bytes, 12, &Swap::Runs(runs))?;
        for (n, element) in bytes.chunks_exact(12).enumerate() {
            let there = [0, 2, 1, 6, 5, 4, 3, 10, 9, 8, 7, 11].map(|at| (n * 12 + at) as u8);
            assert_eq!(element, there);
        }
        Ok(())
    }

    #[test]
    fn refuses_half_an_element() {
        let kind = |done: Result<()>| done.err().map(|e| e.kind());
        let words = Swap::Words { width: 2 };
        assert_eq!(kind(swap_in_place(&mut [0; 6], 4, &words)), Some(Kind::Internal));
        assert_eq!(kind(swap_in_place(&mut [0; 6], 3, &words)), Some(Kind::Internal));
        assert_eq!(kind(swap_in_place(&mut [0; 6], 0, &words)), Some(Kind::Internal));
        assert_eq!(kind(swap_in_place(&mut [], 0, &words)), None);
        assert_eq!(kind(swap_in_place(&mut [0; 6], 4, &Swap::None)), None);
    }
}
