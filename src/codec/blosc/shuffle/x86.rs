//! The transpositions with SSE2, which every x86-64 has, and AVX2.
#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use super::lanes::{Register, join, part};

/// Assembles as many elements as fill whole registers; returns how many. The planes have equal
/// lengths, and `dst` has their total length.
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

/// Splits as many elements as fill whole registers; returns how many. `src` is whole elements;
/// plane k goes to `dst[k * stride..]`, which must be large enough.
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

/// Transposes the bits of every eight bytes, if this processor beats the portable loop.
pub fn transpose_bits(bytes: &mut [u8]) -> bool {
    let better = is_x86_feature_detected!("avx2");
    if better {
        // SAFETY: the feature has just been checked.
        unsafe { transpose_bits_avx2(bytes) }
    }
    better
}

/// # Safety
/// The processor has AVX2; each plane has `n` bytes, `dst` has space for T times as many.
#[target_feature(enable = "avx2")]
unsafe fn elements_avx2<const T: usize>(planes: &[*const u8; T], n: usize, dst: *mut u8) -> usize {
    // SAFETY: as promised by the caller.
    unsafe { join::<__m256i, T>(planes, n, dst) }
}

/// # Safety
/// The processor has AVX2; `src` has T times `n` bytes, `dst` has space for `n` from each of the
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The machine that runs this may never choose SSE2 by itself.
    fn sse2<const T: usize>() {
        let n = 70;
        let src: Vec<u8> = (0..n * T).map(|i| (i * i / 5) as u8).collect();
        let (mut apart, mut together) = (vec![0; n * T], vec![0; n * T]);
        // SAFETY: every x86-64 has SSE2; the lengths are as asked for.
        let done = unsafe {
            let done = part::<__m128i, T>(src.as_ptr(), n, apart.as_mut_ptr(), n);
            let planes = std::array::from_fn(|k| apart[k * n..].as_ptr());
            assert_eq!(join::<__m128i, T>(&planes, n, together.as_mut_ptr()), done);
            done
        };
        assert_eq!(done, 64);
        for i in 0..done {
            for k in 0..T {
                assert_eq!(apart[k * n + i], src[i * T + k]);
            }
        }
        assert_eq!(together[..done * T], src[..done * T]);
    }

    #[test]
    fn sse2_does_the_same() {
        sse2::<2>();
        sse2::<4>();
        sse2::<8>();
        sse2::<16>();
    }
}
