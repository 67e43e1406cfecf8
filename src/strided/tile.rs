//! A plane of elements: moved in rows, or in tiles if the two sides run through it in different
//! directions.

use std::mem::MaybeUninit;

use super::swap::Word;
use super::walk::Axis;

/// A way to move one element; the loops over a plane are compiled for each way.
pub(super) trait Move: Copy {
    /// Side of a tile (elements): ideally one cache line.
    const EDGE: usize = 16;

    /// Moves one element.
    ///
    /// # Safety
    /// One element is readable at `src` and writable at `dst`; the two do not overlap.
    unsafe fn one(self, src: *const u8, dst: *mut u8);

    /// Moves a full tile of `EDGE` times `EDGE` elements and returns true, if there is a faster way
    /// than element by element.
    ///
    /// # Safety
    /// As for [`plane`].
    #[inline(always)]
    unsafe fn tile(self, _src: *const u8, _dst: *mut u8, _outer: Axis, _inner: Axis) -> bool {
        false
    }
}

/// Tiles along the side of a larger square. Measured: with more, pages or cache lines are evicted
/// before their next use; with fewer, the loops cost more than they save.
const TILES: usize = 8;

/// Moves `outer.n` times `inner.n` elements.
///
/// # Safety
/// All the elements that the two axes reach are readable from `src` and writable from `dst`, and no
/// element read overlaps one written.
pub(super) unsafe fn plane<M: Move>(m: M, src: *const u8, dst: *mut u8, outer: Axis, inner: Axis) {
    if outer.n == 1 || outer.src.unsigned_abs() >= inner.src.unsigned_abs() {
        // SAFETY: guaranteed by the caller.
        return unsafe { rows(m, src, dst, outer, inner) };
    }
    // The source's lines run across the destination's: use small squares, so that the lines of both
    // stay cached, within larger squares, so that pages are reused soon.
    let large = M::EDGE * TILES;
    for top in (0..outer.n).step_by(large) {
        for left in (0..inner.n).step_by(large) {
            for column in (left..inner.n.min(left + large)).step_by(M::EDGE) {
                for row in (top..outer.n.min(top + large)).step_by(M::EDGE) {
                    let tall = Axis { n: (outer.n - row).min(M::EDGE), ..outer };
                    let wide = Axis { n: (inner.n - column).min(M::EDGE), ..inner };
                    let (row, column) = (row as isize, column as isize);
                    let src = src.wrapping_offset(row * outer.src + column * inner.src);
                    let dst = dst.wrapping_offset(row * outer.dst + column * inner.dst);
                    let full = tall.n == M::EDGE && wide.n == M::EDGE;
                    // SAFETY: this is a part of the plane.
                    unsafe {
                        if full && m.tile(src, dst, tall, wide) {
                            continue;
                        }
                        let flat = wide.n < tall.n;
                        let (short, long) = if flat { (wide, tall) } else { (tall, wide) };
                        rows(m, src, dst, short, long);
                    }
                }
            }
        }
    }
}

/// # Safety
/// As for [`plane`].
#[inline(always)]
unsafe fn rows<M: Move>(m: M, src: *const u8, dst: *mut u8, outer: Axis, inner: Axis) {
    let (mut src_row, mut dst_row) = (src, dst);
    for _ in 0..outer.n {
        let (mut s, mut d) = (src_row, dst_row);
        for _ in 0..inner.n {
            // SAFETY: guaranteed by the caller.
            unsafe { m.one(s, d) };
            s = s.wrapping_offset(inner.src);
            d = d.wrapping_offset(inner.dst);
        }
        src_row = src_row.wrapping_offset(outer.src);
        dst_row = dst_row.wrapping_offset(outer.dst);
    }
}

/// A buffer for the largest tile, 64 times 64 bytes.
#[repr(C, align(64))]
struct Room(MaybeUninit<[u8; 4096]>);

/// Transposes `EDGE` rows of `EDGE` words, a cache line each: row `i` of the destination, at `dst`
/// plus `i` times `dst_stride`, is column `i` of the source.
///
/// Seen as one run of `EDGE * EDGE` words, a perfect shuffle of its two halves rotates the bits of
/// each index by one. After as many shuffles as `EDGE` has bits, rows and columns are exchanged.
/// Vector units shuffle fast.
///
/// # Safety
/// The rows are readable and writable; rows read do not overlap rows written.
#[inline(always)]
pub(super) unsafe fn transpose<T: Word, const EDGE: usize>(
    src: *const u8,
    src_stride: isize,
    dst: *mut u8,
    dst_stride: isize,
    turn: impl Fn(T) -> T,
) {
    let half = EDGE * EDGE / 2;
    let (mut a, mut b) = (Room(MaybeUninit::uninit()), Room(MaybeUninit::uninit()));
    let (mut from, mut to) = (a.0.as_mut_ptr().cast::<T>(), b.0.as_mut_ptr().cast::<T>());
    // SAFETY: EDGE * EDGE words fit the buffer and are all written before they are read; the caller
    // guarantees the rows.
    unsafe {
        // The first shuffle while loading,
        for row in 0..EDGE / 2 {
            let upper = src.wrapping_offset(row as isize * src_stride).cast::<[T; EDGE]>();
            let lower =
                src.wrapping_offset((row + EDGE / 2) as isize * src_stride).cast::<[T; EDGE]>();
            let (upper, lower) = (upper.read_unaligned(), lower.read_unaligned());
            let out = &mut *from.add(row * EDGE * 2).cast::<[[MaybeUninit<T>; 2]; EDGE]>();
            for i in 0..EDGE {
                out[i][0].write(turn(upper[i]));
                out[i][1].write(turn(lower[i]));
            }
        }
        // those between from buffer to buffer,
        for _ in 0..EDGE.ilog2() - 2 {
            let upper = std::slice::from_raw_parts(from, half);
            let lower = std::slice::from_raw_parts(from.add(half), half);
            let out = std::slice::from_raw_parts_mut(to.cast::<[MaybeUninit<T>; 2]>(), half);
            for i in 0..half {
                out[i][0].write(upper[i]);
                out[i][1].write(lower[i]);
            }
            std::mem::swap(&mut from, &mut to);
        }
        // and the last while storing.
        for row in 0..EDGE {
            let upper = std::slice::from_raw_parts(from.add(row * EDGE / 2), EDGE / 2);
            let lower = std::slice::from_raw_parts(from.add(half + row * EDGE / 2), EDGE / 2);
            let mut line = [upper[0]; EDGE];
            for i in 0..EDGE / 2 {
                line[2 * i] = upper[i];
                line[2 * i + 1] = lower[i];
            }
            dst.wrapping_offset(row as isize * dst_stride)
                .cast::<[T; EDGE]>()
                .write_unaligned(line);
        }
    }
}
