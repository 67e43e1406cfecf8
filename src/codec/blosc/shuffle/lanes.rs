//! The byte transpositions in registers, for any instruction set.
//!
//! Number the bytes of T registers of 16 through: plane k of 16 elements is bytes 16k to 16k+15,
//! so byte k of element i has the number `k·16 + i`; among the elements it has the number `i·T +
//! k`. Both are the same bits in another order: one is the other rotated. Interleaving register j
//! with register j + T/2, low halves and then high halves, doubles every number modulo 16·T - 1,
//! which is a rotation by one bit. So log2 T rounds lead from planes to elements, four from
//! elements to planes. With AVX2 the same is done in both halves of the registers at once.
#![allow(unsafe_code)]

/// A register, or two side by side.
///
/// # Safety
/// All functions need the processor feature of these registers, and valid memory.
pub trait Register: Copy {
    /// The number of elements in T registers.
    const ELEMENTS: usize;
    /// Bytes of `ELEMENTS` elements of a plane.
    unsafe fn load_plane(from: *const u8) -> Self;
    unsafe fn store_plane(self, to: *mut u8);
    /// Bytes of 16 elements, and with AVX2 of the 16 elements that lie `far` bytes on.
    unsafe fn load_elements(from: *const u8, far: usize) -> Self;
    /// The reverse, for two neighbouring registers.
    unsafe fn store_elements(pair: [Self; 2], to: *mut u8, far: usize);
    /// Interleaves the low, or the high, halves of two registers.
    unsafe fn low(self, other: Self) -> Self;
    unsafe fn high(self, other: Self) -> Self;
    /// The bytes at even, or at odd, places of two registers.
    unsafe fn even(self, other: Self) -> Self;
    unsafe fn odd(self, other: Self) -> Self;
}

/// One round: every byte's number rotated by a bit.
#[inline(always)]
unsafe fn interleave<R: Register, const T: usize>(v: &mut [R; T]) {
    let old = *v;
    for k in 0..T / 2 {
        // SAFETY: only registers are involved; the caller has the feature.
        unsafe {
            v[2 * k] = old[k].low(old[k + T / 2]);
            v[2 * k + 1] = old[k].high(old[k + T / 2]);
        }
    }
}

/// Assembles as many elements as fill whole registers; returns how many.
///
/// # Safety
/// The processor supports `R`; each plane has `n` bytes, `dst` has space for T times as many.
#[inline(always)]
pub unsafe fn join<R: Register, const T: usize>(
    planes: &[*const u8; T],
    n: usize,
    dst: *mut u8,
) -> usize {
    let mut i = 0;
    while i + R::ELEMENTS <= n {
        // SAFETY: planes have `n` bytes, `dst` has T times as many; this touches those of the
        // elements from `i` up to `i + R::ELEMENTS`.
        unsafe {
            let mut v = [R::load_plane(planes[0].add(i)); T];
            for (v, plane) in v.iter_mut().zip(planes) {
                *v = R::load_plane(plane.add(i));
            }
            let mut round = 1;
            while round < T {
                interleave(&mut v);
                round *= 2;
            }
            for k in (0..T).step_by(2) {
                R::store_elements([v[k], v[k + 1]], dst.add(i * T + 16 * k), 16 * T);
            }
        }
        i += R::ELEMENTS;
    }
    i
}

/// Splits as many elements as fill whole registers; returns how many.
///
/// # Safety
/// The processor supports `R`; `src` has T times `n` bytes, `dst` has space for `n` from each of
/// the first T multiples of `stride` on.
#[inline(always)]
pub unsafe fn part<R: Register, const T: usize>(
    src: *const u8,
    n: usize,
    dst: *mut u8,
    stride: usize,
) -> usize {
    let mut i = 0;
    while i + R::ELEMENTS <= n {
        // SAFETY: `src` has T times `n` bytes, `dst` has `n` from every multiple of `stride` on;
        // this touches those of the elements from `i` up to `i + R::ELEMENTS`.
        unsafe {
            let mut v = [R::load_elements(src.add(i * T), 16 * T); T];
            for (k, v) in v.iter_mut().enumerate() {
                *v = R::load_elements(src.add(i * T + 16 * k), 16 * T);
            }
            if T == 2 {
                // One round backward is cheaper than four forward.
                v = {
                    let mut w = v;
                    w[0] = v[0].even(v[1]);
                    w[1] = v[0].odd(v[1]);
                    w
                };
            } else {
                for _ in 0..4 {
                    interleave(&mut v);
                }
            }
            for (k, v) in v.iter().enumerate() {
                v.store_plane(dst.add(k * stride + i));
            }
        }
        i += R::ELEMENTS;
    }
    i
}
