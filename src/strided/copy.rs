//! Copies elements from one layout into another, optionally with a byte swap.

use super::fill::fill;
use super::swap::{Swap, Word, copy_words, piece, swap_in_place, turn};
use super::tile::{Move, plane, transpose};
use super::view::{View, ViewMut};
use super::walk::{Axes, Axis, Loops, walk};
use crate::error::{Error, Kind, Result};

/// Copies every element of `src` to the same index of `dst`.
///
/// `Internal` if the shapes or the element sizes differ. The two must not overlap: if they do
/// (views made by `from_raw` can), the contents of `dst` are unspecified.
pub fn copy(src: &View<'_>, dst: &mut ViewMut<'_>) -> Result<()> {
    copy_swapped(src, dst, &Swap::None)
}

/// Like [`copy`], and reverses bytes of each element.
///
/// `Internal` also if `swap` does not fit an element.
pub fn copy_swapped(src: &View<'_>, dst: &mut ViewMut<'_>, swap: &Swap) -> Result<()> {
    same_shape("copy", src, dst)?;
    let item = src.item();
    if item != dst.item() {
        return Err(Error::new(
            Kind::Internal,
            format!("copy: elements of {item} bytes into elements of {} bytes", dst.item()),
        ));
    }
    swap.check(item)?;
    if item == 0 {
        return Ok(());
    }
    let swap = if swap.is_none() { &Swap::None } else { swap };
    if src.len() > 1
        && let Some(one) = src.as_repeated()
    {
        let mut one = one.to_vec();
        swap_in_place(&mut one, item, swap)?;
        return fill(dst, &one);
    }
    let to = dst.as_mut_ptr();
    let loops = Loops::new(src.shape(), (src.as_ptr(), src.strides()), (to, dst.strides()));
    if let Some(mut loops) = loops {
        // SAFETY: the loops visit only elements of the two views.
        unsafe { run(&mut loops, item, swap) };
    }
    Ok(())
}

/// Checks that two views have the same shape; otherwise it is the caller's bug.
pub(super) fn same_shape(doing: &str, src: &View<'_>, dst: &ViewMut<'_>) -> Result<()> {
    if src.shape() == dst.shape() {
        return Ok(());
    }
    let (from, to) = (src.shape(), dst.shape());
    Err(Error::new(Kind::Internal, format!("{doing}: a box of {from:?} into one of {to:?}")))
}

/// Runs the loops over elements of `item` bytes.
///
/// # Safety
/// Every element that the loops visit is readable at the source and writable at the destination;
/// those read do not overlap those written; `swap` fits an element.
pub(super) unsafe fn run(loops: &mut Loops, item: usize, swap: &Swap) {
    // Move elements that are contiguous on both sides as one.
    let mut len = item;
    if let Some(&Axis { n, src, dst }) = loops.axes.last()
        && src == item as isize
        && dst == item as isize
    {
        len *= n;
        loops.axes.pop();
    }
    // SAFETY: guaranteed by the caller; `len` bytes lie at each turn of the loops.
    unsafe {
        match (swap, len) {
            (Swap::None, 1) => planes(Element::<u8, KEEP>::new(), loops),
            (Swap::None, 2) => planes(Element::<u16, KEEP>::new(), loops),
            (Swap::None, 4) => planes(Element::<u32, KEEP>::new(), loops),
            (Swap::None, 8) => planes(Element::<u64, KEEP>::new(), loops),
            (Swap::None, 16) => planes(Element::<u128, KEEP>::new(), loops),
            (Swap::None, 3) => planes(Ends::<u16>::new(len), loops),
            (Swap::None, 5..8) => planes(Ends::<u32>::new(len), loops),
            (Swap::None, 9..16) => planes(Ends::<u64>::new(len), loops),
            (Swap::None, 17..=32) => planes(Ends::<u128>::new(len), loops),
            (Swap::None, 33..=64) => planes(Ends::<[u128; 2]>::new(len), loops),
            (Swap::None, _) => planes(Bytes(len), loops),
            (Swap::Words { width: 2 }, 2) => planes(Element::<u16, SWAP>::new(), loops),
            (Swap::Words { width: 2 }, 4) => planes(Element::<u32, SWAP_HALVES>::new(), loops),
            (Swap::Words { width: 4 }, 4) => planes(Element::<u32, SWAP>::new(), loops),
            (Swap::Words { width: 4 }, 8) => planes(Element::<u64, SWAP_HALVES>::new(), loops),
            (Swap::Words { width: 8 }, 8) => planes(Element::<u64, SWAP>::new(), loops),
            (Swap::Words { width: 8 }, 16) => planes(Element::<u128, SWAP_HALVES>::new(), loops),
            (Swap::Words { width }, _) => planes(Words { len, width: *width }, loops),
            (Swap::Runs(_), _) => planes(Structs { len, item, swap }, loops),
        }
    }
}

/// Runs the loops a plane at a time.
///
/// # Safety
/// As for [`run`], with elements of the size that `m` moves.
unsafe fn planes<M: Move>(m: M, loops: &mut Loops) {
    let (outer, inner) = plane_of(&mut loops.axes);
    walk(&loops.axes, loops.src, loops.dst, &mut |src, dst| {
        // SAFETY: guaranteed by the caller, for this part of the elements.
        unsafe { plane(m, src, dst, outer, inner) };
        true
    });
}

/// Removes the two axes of a plane from the loops: the innermost, along the destination's lines,
/// and the one along the source's lines if they run in another direction.
pub(super) fn plane_of(axes: &mut Axes) -> (Axis, Axis) {
    let inner = axes.pop().unwrap_or(Axis::ONCE);
    let lines = axes.iter().enumerate().min_by_key(|(_, axis)| axis.src.unsigned_abs());
    let outer = match lines {
        Some((at, axis)) if axis.src.unsigned_abs() < inner.src.unsigned_abs() => axes.remove(at),
        _ => axes.pop().unwrap_or(Axis::ONCE),
    };
    (outer, inner)
}

pub(super) const KEEP: u8 = 0;
const SWAP: u8 = 1;
const SWAP_HALVES: u8 = 2;

/// A machine word: kept, reversed, or each of its halves reversed.
#[derive(Clone, Copy)]
pub(super) struct Element<T, const TURN: u8>(std::marker::PhantomData<T>);

impl<T: Word, const TURN: u8> Element<T, TURN> {
    pub(super) fn new() -> Self {
        Element(std::marker::PhantomData)
    }

    #[inline(always)]
    fn turn(x: T) -> T {
        match TURN {
            SWAP => x.reversed(),
            SWAP_HALVES => x.reversed().halves_turned(),
            _ => x,
        }
    }
}

impl<T: Word, const TURN: u8> Move for Element<T, TURN> {
    const EDGE: usize = if size_of::<T>() < 4 { 64 / size_of::<T>() } else { 16 };

    #[inline(always)]
    unsafe fn one(self, src: *const u8, dst: *mut u8) {
        // SAFETY: guaranteed by the caller; any bytes are a valid word.
        unsafe { dst.cast::<T>().write_unaligned(Self::turn(src.cast::<T>().read_unaligned())) }
    }

    #[inline(always)]
    unsafe fn tile(self, src: *const u8, dst: *mut u8, outer: Axis, inner: Axis) -> bool {
        let size = size_of::<T>() as isize;
        if outer.src != size || inner.dst != size {
            return false;
        }
        // SAFETY: guaranteed by the caller: a full tile with contiguous lines on either side.
        unsafe {
            match size {
                1 => transpose::<T, 64>(src, inner.src, dst, outer.dst, Self::turn),
                2 => transpose::<T, 32>(src, inner.src, dst, outer.dst, Self::turn),
                // Wider words are as fast one by one.
                _ => return false,
            }
        }
        true
    }
}

/// An element of one to two `T` in size: moved as two overlapping `T` at its ends.
#[derive(Clone, Copy)]
struct Ends<T>(usize, std::marker::PhantomData<T>);

impl<T: Copy> Ends<T> {
    fn new(len: usize) -> Self {
        debug_assert!(len >= size_of::<T>() && len <= 2 * size_of::<T>());
        Ends(len, std::marker::PhantomData)
    }
}

impl<T: Copy> Move for Ends<T> {
    #[inline(always)]
    unsafe fn one(self, src: *const u8, dst: *mut u8) {
        let end = self.0 - size_of::<T>();
        // SAFETY: guaranteed by the caller; both ends lie within the element.
        unsafe {
            let head = src.cast::<T>().read_unaligned();
            let tail = src.add(end).cast::<T>().read_unaligned();
            dst.cast::<T>().write_unaligned(head);
            dst.add(end).cast::<T>().write_unaligned(tail);
        }
    }
}

/// An element of any size.
#[derive(Clone, Copy)]
pub(super) struct Bytes(pub(super) usize);

impl Move for Bytes {
    #[inline(always)]
    unsafe fn one(self, src: *const u8, dst: *mut u8) {
        // SAFETY: guaranteed by the caller.
        unsafe { std::ptr::copy_nonoverlapping(src, dst, self.0) }
    }
}

/// Contiguous words, each reversed.
#[derive(Clone, Copy)]
struct Words {
    len: usize,
    width: usize,
}

impl Move for Words {
    #[inline(always)]
    unsafe fn one(self, src: *const u8, dst: *mut u8) {
        // SAFETY: guaranteed by the caller.
        unsafe { copy_words(src, dst, self.len, self.width) }
    }
}

/// Contiguous structs, with some words of each reversed.
#[derive(Clone, Copy)]
struct Structs<'a> {
    len: usize,
    item: usize,
    swap: &'a Swap,
}

impl Move for Structs<'_> {
    #[inline(always)]
    unsafe fn one(self, src: *const u8, dst: *mut u8) {
        // Swap while the copied bytes are still in the L1 cache.
        let piece = piece(self.item);
        for at in (0..self.len).step_by(piece) {
            let n = piece.min(self.len - at);
            // SAFETY: guaranteed by the caller; the slice covers bytes just written.
            let copied = unsafe {
                std::ptr::copy_nonoverlapping(src.add(at), dst.add(at), n);
                std::slice::from_raw_parts_mut(dst.add(at), n)
            };
            turn(copied, self.item, self.swap);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::swap::Run;
    use super::super::testing::{Memory, Random, most, rounds};
    use super::*;

    /// The expected byte reversal, computed byte by byte.
    fn reversed(element: &[u8], swap: &Swap) -> Vec<u8> {
        let mut out = element.to_vec();
        let runs = match swap {
            Swap::None => vec![],
            Swap::Words { width } => {
                vec![Run { offset: 0, width: *width, count: element.len() / width }]
            }
            Swap::Runs(runs) => runs.clone(),
        };
        for run in runs {
            for word in 0..run.count {
                for byte in 0..run.width {
                    let at = run.offset + word * run.width;
                    out[at + byte] = element[at + run.width - 1 - byte];
                }
            }
        }
        out
    }

    fn check(random: &mut Random, shape: &[usize], item: usize, swap: &Swap) {
        let src = Memory::random(random, shape, item);
        let mut dst = Memory::random(random, shape, item);
        let mut expected = dst.bytes.clone();
        for (from, to) in src.places().into_iter().zip(dst.places()) {
            let element = reversed(&src.bytes[from..from + item], swap);
            expected[to..to + item].copy_from_slice(&element);
        }
        let done = copy_swapped(&src.view(), &mut dst.view_mut(), swap);
        assert!(done.is_ok(), "{done:?}");
        let layouts = (&src.strides, &dst.strides);
        assert!(dst.bytes == expected, "{shape:?} x {item} bytes, {swap:?}, strides {layouts:?}");
    }

    #[test]
    fn copies_like_one_by_one() {
        let mut random = Random(1);
        for round in rounds(3000) {
            let shape = random.shape(most(round));
            let item =
                random.pick(&[1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 32, 33, 40, 64, 65, 100, 0]);
            check(&mut random, &shape, item, &Swap::None);
        }
    }

    #[test]
    fn copies_swapped_like_one_by_one() {
        let mut random = Random(2);
        for round in rounds(3000) {
            let shape = random.shape(most(round));
            let width = random.pick(&[1, 2, 2, 3, 4, 4, 8, 8, 16]);
            let item = width * random.pick(&[1, 1, 1, 2, 2, 3, 5]);
            check(&mut random, &shape, item, &Swap::Words { width });
        }
    }

    #[test]
    fn copies_structs_like_one_by_one() {
        let mut random = Random(3);
        for _ in rounds(1000) {
            let shape = random.shape(600);
            let mut runs = Vec::new();
            let mut item = random.below(4);
            for _ in 0..random.below(4) {
                let run = Run {
                    offset: item,
                    width: random.pick(&[1, 2, 3, 4, 8, 16]),
                    count: random.below(4),
                };
                runs.push(run);
                item += run.width * run.count + random.below(3);
            }
            check(&mut random, &shape, item, &Swap::Runs(runs));
        }
    }

    #[test]
    fn transposes_whole_and_broken_tiles() {
        let mut random = Random(4);
        let sides = [1, 2, 15, 16, 17, 63, 64, 65, 130, 200];
        let sides = if cfg!(miri) { &sides[6..8] } else { &sides };
        for item in [1, 2, 4, 8, 12, 16] {
            for _ in rounds(20) {
                let (rows, columns) = (random.pick(sides), random.pick(sides));
                let from = random.bytes(rows * columns * item);
                let mut to = vec![0; from.len()];
                let src = View::contiguous(&from, &[rows, columns], item);
                let dst = ViewMut::contiguous(&mut to, &[columns, rows], item);
                let (Ok(src), Ok(mut dst)) = (src, dst) else { panic!("the lengths are right") };
                assert!(copy(&src.reversed_axes(), &mut dst).is_ok());
                for (n, element) in to.chunks_exact(item).enumerate() {
                    let at = (n % rows * columns + n / rows) * item;
                    assert_eq!(element, &from[at..at + item], "{rows} x {columns} x {item}");
                }
            }
        }
    }

    #[test]
    fn one_element_into_many() -> Result<()> {
        let element = [1, 2, 3, 4];
        let mut to = [0; 24];
        // SAFETY: strides of 0 stay at the one element.
        let src = unsafe { View::from_raw(element.as_ptr(), &[2, 3], &[0, 0], 4) }?;
        copy(&src, &mut ViewMut::contiguous(&mut to, &[2, 3], 4)?)?;
        assert_eq!(to, [1, 2, 3, 4].repeat(6)[..]);
        Ok(())
    }

    #[test]
    fn refuses_what_does_not_match() -> Result<()> {
        let (from, mut to) = ([0; 24], [0; 24]);
        let src = View::contiguous(&from, &[6], 4)?;
        let kind = |done: Result<()>| done.err().map(|e| e.kind());
        let mut other = ViewMut::contiguous(&mut to, &[3, 2], 4)?;
        assert_eq!(kind(copy(&src, &mut other)), Some(Kind::Internal));
        let mut other = ViewMut::contiguous(&mut to[..12], &[6], 2)?;
        assert_eq!(kind(copy(&src, &mut other)), Some(Kind::Internal));
        let mut same = ViewMut::contiguous(&mut to, &[6], 4)?;
        for swap in [
            Swap::Words { width: 3 },
            Swap::Words { width: 0 },
            Swap::Runs(vec![Run { offset: 2, width: 2, count: 2 }]),
            Swap::Runs(vec![Run { offset: 1, width: usize::MAX, count: 2 }]),
            Swap::Runs(vec![Run { offset: 1, width: 0, count: 2 }]),
        ] {
            assert_eq!(
                kind(copy_swapped(&src, &mut same, &swap)),
                Some(Kind::Internal),
                "{swap:?}"
            );
        }
        Ok(())
    }
}
