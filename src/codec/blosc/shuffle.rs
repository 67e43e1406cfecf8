//! The filters: byte k of every element becomes plane k (shuffle), bit b of a plane becomes row b
//! (bit shuffle), and back.
//!
//! ```text
//! elements        a0 a1  b0 b1  c0 c1 ...      of `typesize` bytes each, n of them
//! planes          a0 b0 c0 ...  a1 b1 c1 ...   n bytes each
//! rows of plane 0 bit 0 of a0 b0 c0 ..., bit 1 of a0 b0 c0 ..., eight rows of n/8 bytes each
//! ```
//!
//! Everything rests on two transpositions: bytes of elements to planes and back ([`planes_of`],
//! [`elements_of`]: SSE2, AVX2 or portable), and the bits of eight bytes in a word
//! ([`transpose_bits`]). A row is to eight bytes what a plane is to an element, so that the bit
//! filter is the byte filter for the typesize, the bits, and the byte filter for 8, in pieces
//! that stay in the first-level cache.

use std::mem::MaybeUninit;

use super::raw::{as_uninit, copy};

#[cfg(target_arch = "x86_64")]
#[path = "shuffle/x86.rs"]
mod simd;

/// Elsewhere the loops here are left to the compiler.
#[cfg(not(target_arch = "x86_64"))]
mod simd {
    use super::MaybeUninit;
    pub fn elements<const T: usize>(_: &[&[u8]; T], _: &mut [MaybeUninit<u8>]) -> usize {
        0
    }
    pub fn planes<const T: usize>(_: &[u8], _: &mut [u8], _: usize) -> usize {
        0
    }
    pub fn transpose_bits(_: &mut [u8]) -> bool {
        false
    }
}

/// The largest typesize.
pub const MAX_TYPESIZE: usize = 255;
/// Bytes of elements that the bit filter has in hand at a time.
const PIECE: usize = 16 << 10;

/// Planes of equal length: the first `typesize` of the slices. They need not lie one behind the
/// other, so that streams that were stored uncompressed are used where they are.
pub type Planes<'a> = [&'a [u8]; MAX_TYPESIZE];

/// Puts bytes `from..to` of a block together from its planes, whose length is that of the first;
/// `dst` has as many bytes.
pub fn unshuffle(typesize: usize, planes: &Planes<'_>, from: usize, dst: &mut [MaybeUninit<u8>]) {
    let byte = |at: usize| MaybeUninit::new(planes[at % typesize][at / typesize]);
    // Parts of elements at both ends go byte by byte.
    let head = (from.next_multiple_of(typesize) - from).min(dst.len());
    let (start, dst) = dst.split_at_mut(head);
    let body = dst.len() / typesize * typesize;
    let (dst, end) = dst.split_at_mut(body);
    for (i, b) in start.iter_mut().enumerate() {
        *b = byte(from + i);
    }
    for (i, b) in end.iter_mut().enumerate() {
        *b = byte(from + head + body + i);
    }
    let first = (from + head) / typesize;
    let count = body / typesize;
    let mut part: Planes<'_> = [&[]; MAX_TYPESIZE];
    for (part, plane) in part.iter_mut().zip(&planes[..typesize]) {
        *part = &plane[first..first + count];
    }
    elements_of(&part[..typesize], dst);
}

/// Takes a block apart into its planes, which `dst` gets one behind the other; what is left over of
/// an element stays at the end. `src` and `dst` have the same length.
pub fn shuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    assert_eq!(src.len(), dst.len());
    let (elements, rest) = src.split_at(src.len() / typesize * typesize);
    let (planes, end) = dst.split_at_mut(elements.len());
    end.copy_from_slice(rest);
    planes_of(typesize, elements, planes, elements.len() / typesize);
}

/// As [`unshuffle`], from planes that consist of rows of bits. Their length is a multiple of 8.
pub fn unshuffle_bits(
    typesize: usize,
    planes: &Planes<'_>,
    from: usize,
    dst: &mut [MaybeUninit<u8>],
) {
    let group = 8 * typesize; // bytes of eight elements, which one byte of each row goes into
    let mut part = [MaybeUninit::new(0); 8 * MAX_TYPESIZE];
    let part = &mut part[..group];
    // Parts of groups at both ends take a detour.
    let head = (from.next_multiple_of(group) - from).min(dst.len());
    let (start, dst) = dst.split_at_mut(head);
    if head > 0 {
        groups_of(typesize, planes, from / group, part);
        start.copy_from_slice(&part[from % group..from % group + head]);
    }
    let body = dst.len() / group * group;
    let (dst, end) = dst.split_at_mut(body);
    let first = (from + head) / group;
    groups_of(typesize, planes, first, dst);
    if !end.is_empty() {
        groups_of(typesize, planes, first + body / group, part);
        end.copy_from_slice(&part[..end.len()]);
    }
}

/// Puts together the groups of eight elements from the one numbered `first` on.
fn groups_of(typesize: usize, planes: &Planes<'_>, first: usize, dst: &mut [MaybeUninit<u8>]) {
    let row = planes[0].len() / 8;
    let per_piece = (PIECE / (8 * typesize)).max(1);
    let mut piece = [0; PIECE];
    let mut at = first;
    for dst in dst.chunks_mut(per_piece * 8 * typesize) {
        let len = dst.len() / typesize; // of each plane
        let groups = len / 8;
        let mut whole: Planes<'_> = [&[]; MAX_TYPESIZE];
        for ((plane, whole), piece) in
            planes[..typesize].iter().zip(&mut whole).zip(piece.chunks_exact_mut(len))
        {
            let mut rows: [&[u8]; 8] = [&[]; 8];
            for (k, part) in rows.iter_mut().enumerate() {
                *part = &plane[k * row + at..k * row + at + groups];
            }
            elements_of(&rows, as_uninit(piece));
            transpose_bits(piece);
            *whole = piece;
        }
        elements_of(&whole[..typesize], dst);
        at += groups;
    }
}

/// As [`shuffle`], and each plane into rows of bits. The number of elements is a multiple of 8.
pub fn shuffle_bits(typesize: usize, src: &[u8], dst: &mut [u8]) {
    assert_eq!(src.len(), dst.len());
    let n = src.len() / typesize;
    let (elements, rest) = src.split_at(n * typesize);
    let (planes, end) = dst.split_at_mut(elements.len());
    end.copy_from_slice(rest);
    let row = n / 8;
    let per_piece = (PIECE / (8 * typesize)).max(1);
    let mut piece = [0; PIECE];
    let mut at = 0;
    for src in elements.chunks(per_piece * 8 * typesize) {
        let len = src.len() / typesize;
        let piece = &mut piece[..src.len()];
        planes_of(typesize, src, piece, len);
        transpose_bits(piece);
        for (piece, plane) in piece.chunks_exact(len).zip(planes.chunks_exact_mut(n)) {
            planes_of(8, piece, &mut plane[at..], row);
        }
        at += len / 8;
    }
}

/// Transposes the 8 × 8 bits of every eight bytes: bit i of byte k becomes bit k of byte i.
fn transpose_bits(bytes: &mut [u8]) {
    if !simd::transpose_bits(bytes) {
        transpose_bits_portable(bytes);
    }
}

#[inline(always)]
fn transpose_bits_portable(bytes: &mut [u8]) {
    let (words, _) = bytes.as_chunks_mut::<8>();
    for word in words {
        // Swap single bits, then pairs, then fours across the diagonal.
        let mut x = u64::from_le_bytes(*word);
        for (shift, mask) in
            [(7, 0x00AA_00AA_00AA_00AA), (14, 0x0000_CCCC_0000_CCCC), (28, 0xF0F0_F0F0)]
        {
            let swap = (x ^ (x >> shift)) & mask;
            x ^= swap ^ (swap << shift);
        }
        *word = x.to_le_bytes();
    }
}

/// Puts elements together from their planes: `dst` has as many bytes as all of `planes`, which are
/// equally long and as many as an element has bytes.
fn elements_of(planes: &[&[u8]], dst: &mut [MaybeUninit<u8>]) {
    let n = planes[0].len();
    assert!(planes.iter().all(|p| p.len() == n) && dst.len() == n * planes.len());
    match *planes {
        [plane] => copy(plane, dst),
        [a, b] => elements_of_fixed([a, b], dst),
        [a, b, c] => elements_portable([a, b, c], 0, dst),
        [a, b, c, d] => elements_of_fixed([a, b, c, d], dst),
        [a, b, c, d, e, f, g, h] => elements_of_fixed([a, b, c, d, e, f, g, h], dst),
        _ => {
            if let Ok(planes) = <[&[u8]; 16]>::try_from(planes) {
                return elements_of_fixed(planes, dst);
            }
            // One plane after another, over no more elements than the first-level cache holds.
            let t = planes.len();
            let step = (PIECE / t).max(1);
            for (i, dst) in dst.chunks_mut(step * t).enumerate() {
                for (k, plane) in planes.iter().enumerate() {
                    for (element, byte) in dst.chunks_exact_mut(t).zip(&plane[i * step..]) {
                        element[k] = MaybeUninit::new(*byte);
                    }
                }
            }
        }
    }
}

fn elements_of_fixed<const T: usize>(planes: [&[u8]; T], dst: &mut [MaybeUninit<u8>]) {
    let done = simd::elements(&planes, dst);
    elements_portable(planes, done, dst);
}

/// The elements from the one numbered `done` on.
fn elements_portable<const T: usize>(planes: [&[u8]; T], done: usize, dst: &mut [MaybeUninit<u8>]) {
    let planes = planes.map(|p| &p[done..]);
    let n = planes[0].len();
    let (elements, _) = dst[done * T..].as_chunks_mut::<T>();
    let elements = &mut elements[..n];
    let planes = planes.map(|p| &p[..n]);
    for (i, element) in elements.iter_mut().enumerate() {
        for (byte, plane) in element.iter_mut().zip(&planes) {
            *byte = MaybeUninit::new(plane[i]);
        }
    }
}

/// Takes elements apart: plane k goes to `dst[k * stride..]`. `src` is whole elements.
fn planes_of(typesize: usize, src: &[u8], dst: &mut [u8], stride: usize) {
    let n = src.len() / typesize;
    assert!(n * typesize == src.len() && n <= stride);
    assert!(n == 0 || dst.len() >= (typesize - 1) * stride + n);
    match typesize {
        1 => dst[..n].copy_from_slice(src),
        2 => planes_of_fixed::<2>(src, dst, stride),
        3 => planes_portable::<3>(src, 0, dst, stride),
        4 => planes_of_fixed::<4>(src, dst, stride),
        8 => planes_of_fixed::<8>(src, dst, stride),
        16 => planes_of_fixed::<16>(src, dst, stride),
        t => {
            let step = (PIECE / t).max(1);
            for (i, src) in src.chunks(step * t).enumerate() {
                for k in 0..t {
                    let plane = &mut dst[k * stride + i * step..];
                    for (byte, element) in plane.iter_mut().zip(src.chunks_exact(t)) {
                        *byte = element[k];
                    }
                }
            }
        }
    }
}

fn planes_of_fixed<const T: usize>(src: &[u8], dst: &mut [u8], stride: usize) {
    let done = simd::planes::<T>(src, dst, stride);
    planes_portable::<T>(src, done, dst, stride);
}

/// The elements from the one numbered `done` on.
fn planes_portable<const T: usize>(src: &[u8], done: usize, dst: &mut [u8], stride: usize) {
    let (elements, _) = src.as_chunks::<T>();
    let elements = &elements[done..];
    for k in 0..T {
        let plane = &mut dst[k * stride + done..][..elements.len()];
        for (byte, element) in plane.iter_mut().zip(elements) {
            *byte = element[k];
        }
    }
}
