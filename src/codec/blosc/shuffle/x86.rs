//! The byte transpositions with SSE2 and AVX2.
//!
//! Number the bytes of T registers of 16 through: plane k of 16 elements is bytes 16k to 16k+15,
//! so byte k of element i has the number `k·16 + i`; among the elements it has the number `i·T + k`.
//! Both are the same bits in another order: one is the other rotated. Interleaving register j with
//! register j + T/2, low halves and then high halves, doubles every number modulo 16·T - 1, which
//! is a rotation by one bit. So log2 T rounds lead from planes to elements, four from elements to
//! planes. With AVX2 the same is done in both halves of the registers at once.

#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

/// Puts together as many of the elements as fill registers and tells how many that were. The
/// planes are equally long, and `dst` holds as much as all of them.
pub fn elements<const T: usize>(planes: &[&[u8]; T], dst: &mut [MaybeUninit<u8>]) -> usize {
    let n = planes[0].len();
    assert!(planes.iter().all(|p| p.len() == n) && dst.len() == n * T);
    let (from, to) = (planes.map(<[u8]>::as_ptr), dst.as_mut_ptr().cast());
    // SAFETY: the lengths have just been checked, the feature is.
    unsafe {
        if is_x86_feature_detected!("avx2") {
            elements_avx2(&from, n, to)
        } else {
            join::<__m128i, T>(&from, n, to)
        }
    }
}

/// Takes as many of the elements apart as fill registers and tells how many that were. `src` is
/// whole elements; plane k goes to `dst[k * stride..]`, which has room for it.
pub fn planes<const T: usize>(src: &[u8], dst: &mut [u8], stride: usize) -> usize {
    let n = src.len() / T;
    assert!(n <= stride && (n == 0 || dst.len() >= (T - 1) * stride + n));
    let (from, to) = (src.as_ptr(), dst.as_mut_ptr());
    // SAFETY: the lengths have just been checked, the feature is.
    unsafe {
        if is_x86_feature_detected!("avx2") {
            planes_avx2::<T>(from, n, to, stride)
        } else {
            part::<__m128i, T>(from, n, to, stride)
        }
    }
}

/// Transposes the bits of every eight bytes, if this processor does better than the portable loop.
pub fn transpose_bits(bytes: &mut [u8]) -> bool {
    let better = is_x86_feature_detected!("avx2");
    if better {
        // SAFETY: the feature has just been checked.
        unsafe { transpose_bits_avx2(bytes) }
    }
    better
}

/// # Safety
/// The processor has AVX2; each of the planes has `n` bytes, `dst` has room for T times as many.
#[target_feature(enable = "avx2")]
unsafe fn elements_avx2<const T: usize>(planes: &[*const u8; T], n: usize, dst: *mut u8) -> usize {
    // SAFETY: as promised by the caller.
    unsafe { join::<__m256i, T>(planes, n, dst) }
}

/// # Safety
/// The processor has AVX2; `src` has T times `n` bytes, `dst` has room for `n` from each of the
/// first T multiples of `stride` on.
#[target_feature(enable = "avx2")]
unsafe fn planes_avx2<const T: usize>(
    src: *const u8,
    n: usize,
    dst: *mut u8,
    stride: usize,
) -> usize {
    // SAFETY: as promised by the caller.
    unsafe { part::<__m256i, T>(src, n, dst, stride) }
}

/// The portable loop, compiled for four words at a time.
///
/// # Safety
/// The processor has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn transpose_bits_avx2(bytes: &mut [u8]) {
    super::transpose_bits_portable(bytes);
}

/// A register, or two side by side.
trait Register: Copy {
    /// How many elements T of them hold.
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

// SAFETY (of both implementations): the instructions need nothing but the processor's feature,
// which the callers have, and memory to load from and store to, as the loops below give it.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Register for __m128i {
    const ELEMENTS: usize = 16;
    #[inline(always)]
    unsafe fn load_plane(from: *const u8) -> Self {
        unsafe { _mm_loadu_si128(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store_plane(self, to: *mut u8) {
        unsafe { _mm_storeu_si128(to.cast(), self) }
    }
    #[inline(always)]
    unsafe fn load_elements(from: *const u8, _far: usize) -> Self {
        unsafe { _mm_loadu_si128(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store_elements(pair: [Self; 2], to: *mut u8, _far: usize) {
        unsafe {
            _mm_storeu_si128(to.cast(), pair[0]);
            _mm_storeu_si128(to.add(16).cast(), pair[1]);
        }
    }
    #[inline(always)]
    unsafe fn low(self, other: Self) -> Self {
        unsafe { _mm_unpacklo_epi8(self, other) }
    }
    #[inline(always)]
    unsafe fn high(self, other: Self) -> Self {
        unsafe { _mm_unpackhi_epi8(self, other) }
    }
    #[inline(always)]
    unsafe fn even(self, other: Self) -> Self {
        unsafe {
            let mask = _mm_set1_epi16(0xff);
            _mm_packus_epi16(_mm_and_si128(self, mask), _mm_and_si128(other, mask))
        }
    }
    #[inline(always)]
    unsafe fn odd(self, other: Self) -> Self {
        unsafe { _mm_packus_epi16(_mm_srli_epi16::<8>(self), _mm_srli_epi16::<8>(other)) }
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Register for __m256i {
    const ELEMENTS: usize = 32;
    #[inline(always)]
    unsafe fn load_plane(from: *const u8) -> Self {
        unsafe { _mm256_loadu_si256(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store_plane(self, to: *mut u8) {
        unsafe { _mm256_storeu_si256(to.cast(), self) }
    }
    #[inline(always)]
    unsafe fn load_elements(from: *const u8, far: usize) -> Self {
        unsafe { _mm256_loadu2_m128i(from.add(far).cast(), from.cast()) }
    }
    #[inline(always)]
    unsafe fn store_elements(pair: [Self; 2], to: *mut u8, far: usize) {
        unsafe {
            let near = _mm256_permute2x128_si256::<0x20>(pair[0], pair[1]);
            let beyond = _mm256_permute2x128_si256::<0x31>(pair[0], pair[1]);
            _mm256_storeu_si256(to.cast(), near);
            _mm256_storeu_si256(to.add(far).cast(), beyond);
        }
    }
    #[inline(always)]
    unsafe fn low(self, other: Self) -> Self {
        unsafe { _mm256_unpacklo_epi8(self, other) }
    }
    #[inline(always)]
    unsafe fn high(self, other: Self) -> Self {
        unsafe { _mm256_unpackhi_epi8(self, other) }
    }
    #[inline(always)]
    unsafe fn even(self, other: Self) -> Self {
        unsafe {
            let mask = _mm256_set1_epi16(0xff);
            _mm256_packus_epi16(_mm256_and_si256(self, mask), _mm256_and_si256(other, mask))
        }
    }
    #[inline(always)]
    unsafe fn odd(self, other: Self) -> Self {
        unsafe { _mm256_packus_epi16(_mm256_srli_epi16::<8>(self), _mm256_srli_epi16::<8>(other)) }
    }
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

/// Puts elements together.
///
/// # Safety
/// As [`elements_avx2`], with the feature that `R` needs.
#[inline(always)]
unsafe fn join<R: Register, const T: usize>(
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

/// Takes elements apart.
///
/// # Safety
/// As [`planes_avx2`], with the feature that `R` needs.
#[inline(always)]
unsafe fn part<R: Register, const T: usize>(
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
                // Three rounds back are cheaper than the four on.
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
