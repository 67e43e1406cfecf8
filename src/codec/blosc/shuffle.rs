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
//! [`elements_of`]: SSE2, AVX2, NEON or portable), and the bits of eight bytes in a word
//! ([`transpose_bits`]). A row relates to eight bytes as a plane does to an element, so the bit
//! filter is the byte filter for the typesize, the bit transposition, and the byte filter for 8, in
//! pieces that stay in the first-level cache.

use std::mem::MaybeUninit;
use std::ops::Range;

use super::raw::{as_uninit, copy};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod lanes;
#[cfg(target_arch = "x86_64")]
#[path = "shuffle/x86.rs"]
mod simd;
#[cfg(target_arch = "aarch64")]
#[path = "shuffle/aarch64.rs"]
mod simd;

/// On other architectures the compiler vectorizes the loops here.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
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
/// The bytes of elements processed at a time; the bit filter needs as much scratch memory.
pub const PIECE: usize = 16 << 10;

/// Planes of equal length: the first `typesize` of the slices. They need not be contiguous, so that
/// uncompressed streams are used in place.
pub type Planes<'a> = [&'a [u8]; MAX_TYPESIZE];

/// Assembles bytes `from..` of a block from its planes; the first plane gives their length. `dst`
/// has as many bytes as wanted.
pub fn unshuffle(typesize: usize, planes: &Planes<'_>, from: usize, dst: &mut [MaybeUninit<u8>]) {
    let byte = |at: usize| MaybeUninit::new(planes[at % typesize][at / typesize]);
    // Process partial elements at both ends byte by byte.
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
    elements_of(&planes[..typesize], first..first + body / typesize, dst);
}

/// Assembles a whole block from its planes.
pub fn unshuffle_into(typesize: usize, planes: &Planes<'_>, dst: &mut [u8]) {
    unshuffle(typesize, planes, 0, as_uninit(dst));
}

/// Splits a block into planes, concatenated in `dst`; a partial element stays at the end. `src` and
/// `dst` have the same length.
pub fn shuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    assert_eq!(src.len(), dst.len());
    let (elements, rest) = src.split_at(src.len() / typesize * typesize);
    let (planes, end) = dst.split_at_mut(elements.len());
    end.copy_from_slice(rest);
    planes_of(typesize, elements, planes, elements.len() / typesize);
}

/// Like [`unshuffle`], from planes of bit rows. Their length is a multiple of 8.
pub fn unshuffle_bits(
    typesize: usize,
    planes: &Planes<'_>,
    from: usize,
    dst: &mut [MaybeUninit<u8>],
    piece: &mut [u8],
) {
    let group = 8 * typesize; // bytes of eight elements, which share one byte of each row
    let mut part = [MaybeUninit::new(0); 8 * MAX_TYPESIZE];
    let part = &mut part[..group];
    // Process partial groups at both ends separately.
    let head = (from.next_multiple_of(group) - from).min(dst.len());
    let (start, dst) = dst.split_at_mut(head);
    if head > 0 {
        groups_of(typesize, planes, from / group, part, piece);
        start.copy_from_slice(&part[from % group..from % group + head]);
    }
    let body = dst.len() / group * group;
    let (dst, end) = dst.split_at_mut(body);
    let first = (from + head) / group;
    groups_of(typesize, planes, first, dst, piece);
    if !end.is_empty() {
        groups_of(typesize, planes, first + body / group, part, piece);
        end.copy_from_slice(&part[..end.len()]);
    }
}

/// Assembles groups of eight elements from group `first` on.
fn groups_of(
    typesize: usize,
    planes: &Planes<'_>,
    first: usize,
    dst: &mut [MaybeUninit<u8>],
    piece: &mut [u8],
) {
    let row = planes[0].len() / 8;
    let per_piece = (PIECE / (8 * typesize)).max(1);
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
            elements_of(&rows, 0..groups, as_uninit(piece));
            transpose_bits(piece);
            *whole = piece;
        }
        elements_of(&whole[..typesize], 0..len, dst);
        at += groups;
    }
}

/// Like [`shuffle`], with each plane split into bit rows. The element count is a multiple of 8.
pub fn shuffle_bits(typesize: usize, src: &[u8], dst: &mut [u8], piece: &mut [u8]) {
    assert_eq!(src.len(), dst.len());
    let n = src.len() / typesize;
    let (elements, rest) = src.split_at(n * typesize);
    let (planes, end) = dst.split_at_mut(elements.len());
    end.copy_from_slice(rest);
    let row = n / 8;
    let per_piece = (PIECE / (8 * typesize)).max(1);
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

/// Assembles the elements `range` from their planes, one per byte of an element; `dst` has exactly
/// their size.
fn elements_of(planes: &[&[u8]], range: Range<usize>, dst: &mut [MaybeUninit<u8>]) {
    let t = planes.len();
    assert_eq!(dst.len(), range.len() * t);
    match t {
        1 => copy(&planes[0][range], dst),
        2 => elements_of_fixed::<2>(planes, range, dst),
        3 => elements_of_fixed::<3>(planes, range, dst),
        4 => elements_of_fixed::<4>(planes, range, dst),
        8 => elements_of_fixed::<8>(planes, range, dst),
        16 => elements_of_fixed::<16>(planes, range, dst),
        _ => {
            // Process one plane after another, for as many elements as fit the first-level cache.
            let step = (PIECE / t).max(1);
            for (i, dst) in dst.chunks_mut(step * t).enumerate() {
                for (k, plane) in planes.iter().enumerate() {
                    let plane = &plane[range.start + i * step..range.end];
                    for (element, byte) in dst.chunks_exact_mut(t).zip(plane) {
                        element[k] = MaybeUninit::new(*byte);
                    }
                }
            }
        }
    }
}

fn elements_of_fixed<const T: usize>(
    planes: &[&[u8]],
    range: Range<usize>,
    dst: &mut [MaybeUninit<u8>],
) {
    let planes: [&[u8]; T] = std::array::from_fn(|k| &planes[k][range.clone()]);
    let done = if T == 3 { 0 } else { simd::elements(&planes, dst) };
    elements_portable(planes, done, dst);
}

/// Assembles the elements from number `done` on.
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

/// Splits elements: plane k goes to `dst[k * stride..]`. `src` is whole elements.
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

/// Splits the elements from number `done` on.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(len: usize) -> Vec<u8> {
        (0..len).map(|i| (i * i / 7 + i / 3) as u8).collect()
    }

    fn planes(typesize: usize, shuffled: &[u8]) -> Planes<'_> {
        let n = shuffled.len() / typesize;
        let mut planes: Planes<'_> = [&[]; MAX_TYPESIZE];
        for (k, plane) in planes[..typesize].iter_mut().enumerate() {
            *plane = &shuffled[k * n..(k + 1) * n];
        }
        planes
    }

    const TYPESIZES: [usize; 11] = [1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 255];

    #[test]
    fn bytes_and_bits_go_where_they_belong() {
        for t in TYPESIZES {
            for n in [1, 7, 8, 16, 31, 32, 33, 64, 200] {
                let src = bytes(n * t + t - 1);
                let whole = &src[..n * t];
                let mut bytewise = vec![0; src.len()];
                shuffle(t, &src, &mut bytewise);
                let naive: Vec<u8> = (0..n * t).map(|i| whole[i % n * t + i / n]).collect();
                assert_eq!(bytewise[..n * t], naive, "{t} {n}");
                assert_eq!(bytewise[n * t..], src[n * t..]);
                let mut back = vec![0; n * t];
                unshuffle(t, &planes(t, &naive), 0, as_uninit(&mut back));
                assert_eq!(back, whole, "{t} {n}");
                if n % 8 != 0 {
                    continue;
                }
                let mut bitwise = vec![0; src.len()];
                shuffle_bits(t, &src, &mut bitwise, &mut [0; PIECE]);
                let bit = |bytes: &[u8], at: usize| bytes[at / 8] >> (at % 8) & 1;
                for at in 0..8 * n * t {
                    let (plane, row, element) = (at / (8 * n), at / n % 8, at % n);
                    assert_eq!(bit(&bitwise, at), bit(&src, 8 * (element * t + plane) + row));
                }
                assert_eq!(bitwise[n * t..], src[n * t..]);
                back.fill(0);
                unshuffle_bits(
                    t,
                    &planes(t, &bitwise[..n * t]),
                    0,
                    as_uninit(&mut back),
                    &mut [0; PIECE],
                );
                assert_eq!(back, whole, "{t} {n}");
            }
        }
    }

    #[test]
    fn parts_are_those_of_the_whole() {
        for t in TYPESIZES {
            let n = 40;
            let mut piece = [0; PIECE];
            let src = bytes(n * t);
            let (mut bytewise, mut bitwise) = (vec![0; n * t], vec![0; n * t]);
            shuffle(t, &src, &mut bytewise);
            shuffle_bits(t, &src, &mut bitwise, &mut [0; PIECE]);
            let step = 1 + n * t / 50;
            for from in (0..n * t).step_by(step) {
                for to in (from..=n * t).step_by(step) {
                    let mut part = vec![0; to - from];
                    unshuffle(t, &planes(t, &bytewise), from, as_uninit(&mut part));
                    assert_eq!(part, src[from..to], "{t} {from}..{to}");
                    part.fill(0);
                    unshuffle_bits(t, &planes(t, &bitwise), from, as_uninit(&mut part), &mut piece);
                    assert_eq!(part, src[from..to], "{t} {from}..{to}");
                }
            }
        }
    }

    fn portable<const T: usize>() {
        let src = bytes(50 * T);
        let (mut want, mut got) = (vec![0; 50 * T], vec![0; 50 * T]);
        shuffle(T, &src, &mut want);
        planes_portable::<T>(&src, 0, &mut got, 50);
        assert_eq!(got, want);
        let planes: [&[u8]; T] = std::array::from_fn(|k| &want[k * 50..(k + 1) * 50]);
        elements_portable(planes, 0, as_uninit(&mut got));
        assert_eq!(got, src);
    }

    #[test]
    fn the_portable_loops_do_the_same() {
        portable::<2>();
        portable::<4>();
        portable::<8>();
        portable::<16>();
        let (mut a, mut b) = (bytes(800), bytes(800));
        transpose_bits(&mut a);
        transpose_bits_portable(&mut b);
        assert_eq!(a, b);
    }
}
