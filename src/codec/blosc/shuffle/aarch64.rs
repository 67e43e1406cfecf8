//! The transpositions with NEON, which every 64-bit ARM has.
#![allow(unsafe_code)]

use std::arch::aarch64::*;
use std::mem::MaybeUninit;

use super::lanes::{Register, join, part};

/// Assembles as many elements as fill whole registers; returns how many. The planes have equal
/// lengths, and `dst` has their total length.
pub fn elements<const T: usize>(planes: &[&[u8]; T], dst: &mut [MaybeUninit<u8>]) -> usize {
    let n = planes[0].len();
    assert!(planes.iter().all(|p| p.len() == n) && dst.len() == n * T);
    let from = planes.map(<[u8]>::as_ptr);
    // SAFETY: the lengths have just been checked.
    unsafe { join::<uint8x16_t, T>(&from, n, dst.as_mut_ptr().cast()) }
}

/// Splits as many elements as fill whole registers; returns how many. `src` is whole elements;
/// plane k goes to `dst[k * stride..]`, which must be large enough.
pub fn planes<const T: usize>(src: &[u8], dst: &mut [u8], stride: usize) -> usize {
    let n = src.len() / T;
    assert!(n <= stride && (n == 0 || dst.len() >= (T - 1) * stride + n));
    // SAFETY: the lengths have just been checked.
    unsafe { part::<uint8x16_t, T>(src.as_ptr(), n, dst.as_mut_ptr(), stride) }
}

/// The portable loop is fast enough here.
pub fn transpose_bits(_bytes: &mut [u8]) -> bool {
    false
}

// SAFETY: the instructions need nothing but memory to load from and store to, as the loops of
// `lanes` give it.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Register for uint8x16_t {
    const ELEMENTS: usize = 16;
    #[inline(always)]
    unsafe fn load_plane(from: *const u8) -> Self {
        unsafe { vld1q_u8(from) }
    }
    #[inline(always)]
    unsafe fn store_plane(self, to: *mut u8) {
        unsafe { vst1q_u8(to, self) }
    }
    #[inline(always)]
    unsafe fn load_elements(from: *const u8, _far: usize) -> Self {
        unsafe { vld1q_u8(from) }
    }
    #[inline(always)]
    unsafe fn store_elements(pair: [Self; 2], to: *mut u8, _far: usize) {
        unsafe {
            vst1q_u8(to, pair[0]);
            vst1q_u8(to.add(16), pair[1]);
        }
    }
    #[inline(always)]
    unsafe fn low(self, other: Self) -> Self {
        unsafe { vzip1q_u8(self, other) }
    }
    #[inline(always)]
    unsafe fn high(self, other: Self) -> Self {
        unsafe { vzip2q_u8(self, other) }
    }
    #[inline(always)]
    unsafe fn even(self, other: Self) -> Self {
        unsafe { vuzp1q_u8(self, other) }
    }
    #[inline(always)]
    unsafe fn odd(self, other: Self) -> Self {
        unsafe { vuzp2q_u8(self, other) }
    }
}
