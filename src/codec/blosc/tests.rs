//! Frames compared with those of c-blosc 1.21.6, both ways, and frames that lie.
#![allow(unsafe_code, clippy::unwrap_used)]

use std::ffi::{CString, c_int};

use super::*;
use crate::error::Kind;

/// What c-blosc writes into a buffer of the size that always suffices.
fn reference_encode(config: &Config, src: &[u8]) -> Vec<u8> {
    let mut out = vec![0; src.len() + HEADER_LEN];
    let name = CString::new(config.cname.name()).unwrap();
    // SAFETY: the lengths are those of the buffers.
    let n = unsafe {
        blosc_src::blosc_compress_ctx(
            c_int::from(config.clevel),
            config.shuffle as c_int,
            config.typesize,
            src.len(),
            src.as_ptr().cast(),
            out.as_mut_ptr().cast(),
            out.len(),
            name.as_ptr(),
            config.blocksize,
            1,
        )
    };
    assert!(n > 0, "c-blosc gives {n} for {config:?} and {} bytes", src.len());
    out.truncate(n as usize);
    out
}

fn reference_decode(frame: &[u8], len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    // SAFETY: the lengths are those of the buffers.
    let n = unsafe {
        blosc_src::blosc_decompress_ctx(frame.as_ptr().cast(), out.as_mut_ptr().cast(), len, 1)
    };
    assert_eq!(n, len as c_int);
    out
}

fn encoded(config: &Config, src: &[u8]) -> Vec<u8> {
    let mut out = b"before".to_vec();
    encode(config, src, &mut out, 1).unwrap();
    assert!(out.starts_with(b"before"));
    let frame = out.split_off(6);
    assert!(frame.len() <= max_encoded_len(src.len()).unwrap());
    frame
}

fn decoded(frame: &[u8]) -> Vec<u8> {
    let mut out = b"before".to_vec();
    decode_grow(frame, usize::MAX, &mut out).unwrap();
    assert!(out.starts_with(b"before"));
    out.split_off(6)
}

fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

/// Bytes of elements of `typesize` bytes: slowly rising numbers, noise in one of three kinds.
fn data(kind: usize, typesize: usize, len: usize) -> Vec<u8> {
    let mut random = random(len as u64 + 7 * typesize as u64);
    (0..len)
        .map(|i| {
            let (element, byte) = (i / typesize, i % typesize);
            match kind {
                0 => ((element * 3) >> (8 * byte.min(3))) as u8,
                1 => match byte % 4 {
                    0 => random() as u8,
                    1 => (element / 5) as u8 ^ (random() & 1) as u8,
                    _ => (element / 3000) as u8,
                },
                _ => random() as u8,
            }
        })
        .collect()
}

/// Frames must be those of c-blosc, and both readers must read them.
fn compare(config: Config, src: &[u8]) {
    let what = || format!("{config:?} {} bytes", src.len());
    let ours = encoded(&config, src);
    let theirs = reference_encode(&config, src);
    assert_eq!(decoded(&theirs), src, "{}", what());
    // libdeflate and the snappy crate compress otherwise than zlib and the C++ library.
    if !matches!(config.cname, Compressor::Zlib | Compressor::Snappy) {
        assert!(ours == theirs, "{}: {} and {} bytes", what(), ours.len(), theirs.len());
        return;
    }
    assert_eq!(ours[..2], theirs[..2]);
    assert_eq!(ours[3..12], theirs[3..12], "{}", what());
    assert_eq!(decoded(&ours), src, "{}", what());
    assert_eq!(reference_decode(&ours, src.len()), src, "{}", what());
}

const SHUFFLES: [Shuffle; 3] = [Shuffle::None, Shuffle::Byte, Shuffle::Bit];
const TYPESIZES: [usize; 13] = [1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 32, 255, 256];

#[test]
fn small_frames_are_those_of_c_blosc() {
    for len in [0, 1, 15, 16, 17, 63, 127, 128, 129, 200, 255, 256, 500, 1000, 2040, 4099] {
        for typesize in TYPESIZES {
            for shuffle in SHUFFLES {
                for cname in Compressor::ALL {
                    for clevel in [0, 1, 5, 9] {
                        if cname == Compressor::Zstd && clevel == 9 && len % 2 == 1 {
                            continue; // slow
                        }
                        for blocksize in [0, 1, 200, 256, 1000] {
                            let config = Config { cname, clevel, shuffle, typesize, blocksize };
                            compare(config, &data(len % 3, typesize, len));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn large_frames_are_those_of_c_blosc() {
    for (len, typesizes) in [
        (32 << 10, &[1, 2, 4, 8][..]),
        ((64 << 10) + 5, &[1, 2, 3, 4, 8, 16, 24, 255]),
        (300_000, &[2, 4, 8, 12, 16]),
        (1 << 20, &[2, 4, 8]),
        (2_500_003, &[1, 4, 8, 16]),
    ] {
        for &typesize in typesizes {
            for shuffle in SHUFFLES {
                for cname in Compressor::ALL {
                    let slow = matches!(cname, Compressor::Zstd | Compressor::Lz4hc);
                    for clevel in 1..=9 {
                        if (slow || len > 100_000) && clevel % 4 != 1 || slow && clevel == 9 {
                            continue;
                        }
                        let kind = usize::from(clevel) + typesize;
                        let config = Config { cname, clevel, shuffle, typesize, blocksize: 0 };
                        compare(config, &data(kind % 3, typesize, len));
                    }
                }
            }
        }
    }
}

#[test]
fn forced_block_sizes_are_those_of_c_blosc() {
    for blocksize in [127, 128, 1000, 4096, 5000, 65536, 100_000, 1 << 30] {
        for typesize in [1, 2, 3, 4, 8, 16, 40] {
            for shuffle in SHUFFLES {
                for cname in [Compressor::BloscLz, Compressor::Lz4, Compressor::Zstd] {
                    let config = Config { cname, clevel: 4, shuffle, typesize, blocksize };
                    compare(config, &data(typesize % 2, typesize, 150_007));
                }
            }
        }
    }
}

#[test]
fn all_levels_of_zstd_and_lz4hc_are_those_of_c_blosc() {
    for cname in [Compressor::Zstd, Compressor::Lz4hc] {
        for clevel in 1..=9 {
            let config =
                Config { cname, clevel, shuffle: Shuffle::Byte, typesize: 4, blocksize: 0 };
            compare(config, &data(1, 4, 200_000));
        }
    }
}

#[test]
fn any_part_is_that_of_the_whole() {
    for typesize in [1, 2, 3, 4, 8, 16, 24, 255] {
        for shuffle in SHUFFLES {
            for cname in Compressor::ALL {
                for (clevel, kind, blocksize) in [(0, 0, 0), (5, 1, 600), (5, 0, 0), (5, 2, 999)] {
                    let src = data(kind, typesize, 9001);
                    let config = Config { cname, clevel, shuffle, typesize, blocksize };
                    let frame = encoded(&config, &src);
                    let index = Index::new(&frame, frame.len()).unwrap();
                    let mut random = random(9);
                    for _ in 0..60 {
                        let from = random() as usize % src.len();
                        let most = if random() & 1 == 0 { 40 } else { 5000 };
                        let to = (from + random() as usize % most).min(src.len());
                        let mut dst = vec![0xAA; to - from];
                        decode_range(&frame, from, &mut dst).unwrap();
                        assert_eq!(dst, src[from..to], "{config:?} {from}..{to}");

                        let mut dst = vec![0xAA; to - from];
                        for block in index.blocks(from..to).unwrap() {
                            let span = index.header().block_span(block);
                            let (a, b) = (from.max(span.start), to.min(span.end));
                            let stored = &frame[index.stored_span(block)];
                            let part = &mut dst[a - from..b - from];
                            decode_block(&index, block, stored, a - span.start, part).unwrap();
                        }
                        assert_eq!(dst, src[from..to], "{config:?} {from}..{to} by blocks");
                    }
                }
            }
        }
    }
}

#[test]
fn an_index_needs_only_the_beginning() {
    let src = data(0, 4, 50_000);
    let config = Config {
        cname: Compressor::Lz4,
        clevel: 5,
        shuffle: Shuffle::Byte,
        typesize: 4,
        blocksize: 4096,
    };
    // 4096 is made 65536 for streams of splits: one without them.
    let frame = encoded(&Config { cname: Compressor::Zstd, ..config }, &src);
    let header = Header::parse(&frame[..HEADER_LEN], frame.len()).unwrap();
    assert_eq!((header.nblocks(), header.prefix_len()), (13, 16 + 13 * 4));
    let index = Index::new(&frame[..header.prefix_len()], frame.len()).unwrap();
    assert_eq!(index.stored_span(0).start, header.prefix_len());
    assert_eq!(index.stored_span(12).end, frame.len());
    for block in 1..13 {
        assert_eq!(index.stored_span(block - 1).end, index.stored_span(block).start);
    }
    assert_eq!(index.blocks(4095..4097).unwrap(), 0..2);
    assert_eq!(index.blocks(7..7).unwrap(), 0..0);
    assert_eq!(index.blocks(49_999..50_001).unwrap_err().kind(), Kind::CorruptData);
    for cut in 0..header.prefix_len() {
        assert!(Index::new(&frame[..cut], frame.len()).is_err());
    }

    // Blocks in another order, as writers with several threads leave them.
    let mut other = frame[..header.prefix_len()].to_vec();
    for block in (0..13).rev() {
        let start = other.len() as u32;
        other[16 + 4 * block..][..4].copy_from_slice(&start.to_le_bytes());
        other.extend_from_slice(&frame[index.stored_span(block)]);
    }
    assert_eq!(decoded(&other), src);
    let index = Index::new(&other, other.len()).unwrap();
    let mut block = [0; 10];
    decode_block(&index, 3, &other[index.stored_span(3)], 20, &mut block).unwrap();
    assert_eq!(block, src[3 * 4096 + 20..][..10]);
}

#[test]
fn only_the_block_that_is_wanted_is_looked_at() {
    let src = data(1, 4, 40_000);
    let config = Config {
        cname: Compressor::Zstd,
        clevel: 1,
        shuffle: Shuffle::Bit,
        typesize: 4,
        blocksize: 4000,
    };
    let mut frame = encoded(&config, &src);
    let index = Index::new(&frame, frame.len()).unwrap();
    for block in (0..10).filter(|&b| b != 4) {
        frame[index.stored_span(block)].fill(0xFF);
    }
    let mut dst = [0; 4];
    decode_range(&frame, 16_004, &mut dst).unwrap();
    assert_eq!(dst, src[16_004..16_008]);
    assert_eq!(decode_range(&frame, 15_999, &mut dst).unwrap_err().kind(), Kind::CorruptData);
}

/// A zstd frame of version 0.7 in a Blosc frame, as c-blosc 1.10 wrote it in 2016.
#[test]
fn frames_of_2016_are_read() {
    let want: Vec<u8> = LEGACY_WANT.iter().flat_map(|v: &i32| v.to_le_bytes()).collect();
    assert_eq!(LEGACY[24..][..4], [0x27, 0xB5, 0x2F, 0xFD]);
    // The chunk is twice as long as what the array has in it.
    assert_eq!(decoded(&LEGACY)[..400], want);
    torture(&LEGACY);
}

#[rustfmt::skip]
const LEGACY: [u8; 211] = [
    2, 1, 129, 4, 32, 3, 0, 0, 32, 3, 0, 0, 211, 0, 0, 0, 20, 0, 0, 0, 112, 0,
    0, 0, 39, 181, 47, 253, 32, 200, 0, 0, 100, 17, 124, 89, 28, 160, 53, 15, 229, 246, 128, 145,
    77, 242, 107, 36, 242, 159, 108, 203, 108, 77, 251, 147, 253, 80, 85, 85, 85, 85, 53, 223, 2, 196,
    114, 152, 139, 156, 114, 74, 25, 99, 140, 16, 26, 254, 225, 131, 255, 220, 59, 247, 188, 181, 230, 238,
    94, 80, 20, 198, 22, 83, 107, 165, 148, 148, 34, 12, 16, 66, 9, 130, 36, 205, 205, 220, 125, 48,
    31, 134, 177, 103, 5, 187, 122, 142, 106, 161, 90, 152, 128, 1, 152, 2, 0, 6, 64, 130, 193, 64,
    25, 192, 0, 0, 21, 0, 0, 0, 39, 181, 47, 253, 32, 200, 0, 0, 9, 130, 0, 0, 1, 0,
    67, 10, 96, 1, 192, 0, 0, 21, 0, 0, 0, 39, 181, 47, 253, 32, 200, 0, 0, 9, 130, 0,
    0, 1, 0, 67, 10, 96, 1, 192, 0, 0, 21, 0, 0, 0, 39, 181, 47, 253, 32, 200, 0, 0,
    9, 130, 0, 0, 1, 0, 67, 10, 96, 1, 192, 0, 0,
];

#[rustfmt::skip]
const LEGACY_WANT: [i32; 100] = [
    134, 133, 134, 135, 134, 136, 137, 137, 136, 137, 137, 139, 139, 137, 140, 140, 138, 140, 139, 140,
    141, 141, 142, 143, 143, 142, 144, 144, 143, 143, 144, 143, 144, 146, 145, 145, 146, 147, 147, 147,
    148, 148, 148, 148, 148, 148, 148, 149, 151, 151, 150, 150, 150, 152, 152, 151, 154, 152, 154, 154,
    153, 153, 155, 156, 156, 156, 156, 157, 157, 157, 156, 159, 158, 158, 160, 158, 159, 160, 161, 159,
    161, 160, 160, 163, 161, 161, 164, 164, 164, 164, 165, 165, 166, 165, 166, 165, 167, 166, 168, 167,
];

/// Decodes what may be anything: whatever happens, nothing is left unwritten or overrun.
fn attempt(frame: &[u8], len: usize) -> bool {
    let mut dst = vec![0xAA; len + 64];
    let ok = decode(frame, &mut dst[32..32 + len], 1).is_ok();
    assert!(dst[..32].iter().chain(&dst[32 + len..]).all(|&b| b == 0xAA));
    let mut part = [0; 5];
    for at in [0, len / 2, len.saturating_sub(5)] {
        let _ = decode_range(frame, at, &mut part);
    }
    if let Ok(index) = Index::new(frame, frame.len()) {
        for block in 0..index.header().nblocks().min(3) {
            let _ = decode_block(&index, block, &frame[index.stored_span(block)], 1, &mut part);
        }
    }
    let mut out = Vec::new();
    match decode_grow(frame, 1 << 20, &mut out) {
        Ok(()) => assert!(out.len() <= 1 << 20),
        Err(e) => {
            assert!(matches!(e.kind(), Kind::CorruptData | Kind::LimitExceeded), "{e}");
            assert!(out.is_empty());
        }
    }
    ok
}

/// Every truncation, extension and flipped bit.
fn torture(frame: &[u8]) {
    let len = header(frame).unwrap().nbytes;
    assert!(attempt(frame, len));
    for cut in 0..frame.len() {
        assert!(!attempt(&frame[..cut], len), "cut to {cut}");
    }
    let longer = [frame, &[0]].concat();
    assert!(!attempt(&longer, len));
    let mut bad = frame.to_vec();
    for bit in 0..8 * frame.len() {
        bad[bit / 8] ^= 1 << (bit % 8);
        attempt(&bad, len);
        bad[bit / 8] ^= 1 << (bit % 8);
    }
    let mut random = random(1);
    for _ in 0..500 {
        let mut bad = frame.to_vec();
        for _ in 0..1 + random() % 8 {
            let at = 16 + random() as usize % (bad.len() - 16);
            bad[at] = random() as u8;
        }
        attempt(&bad, len);
    }
}

#[test]
fn cut_flipped_and_garbled_frames_do_no_harm() {
    for cname in Compressor::ALL {
        for (shuffle, typesize, blocksize) in
            [(Shuffle::Byte, 4, 0), (Shuffle::Bit, 2, 256), (Shuffle::None, 3, 200)]
        {
            for (kind, clevel) in [(0, 5), (1, 9), (2, 0)] {
                let config = Config { cname, clevel, shuffle, typesize, blocksize };
                torture(&encoded(&config, &data(kind, typesize, 600)));
            }
        }
    }
}

fn random_bytes(len: usize) -> Vec<u8> {
    let mut random = random(len as u64);
    (0..len).map(|_| random() as u8).collect()
}

/// Several threads must write what one does, and read it.
fn compare_threads(config: &Config, src: &[u8]) {
    let frame = encoded(config, src);
    let what = || format!("{config:?} {} bytes in {}", src.len(), frame.len());
    for threads in [2, 5] {
        let mut shared = b"before".to_vec();
        encode(config, src, &mut shared, threads).unwrap();
        assert!(shared.strip_prefix(b"before") == Some(&frame), "{} {threads}", what());
        let mut dst = vec![0xAA; src.len() + 8];
        decode(&frame, &mut dst[..src.len()], threads).unwrap();
        assert!(dst[..src.len()] == *src, "{} {threads}", what());
        assert_eq!(dst[src.len()..], [0xAA; 8]);
    }
}

#[test]
fn threads_change_nothing() {
    for cname in Compressor::ALL {
        for shuffle in SHUFFLES {
            for (typesize, blocksize, clevel) in
                [(4, 0, 3), (1, 5000, 1), (8, 0, 1), (3, 7000, 5), (16, 300_000, 1), (2, 0, 0)]
            {
                let config = Config { cname, clevel, shuffle, typesize, blocksize };
                let mut lens = vec![(256 << 10) - 1, 256 << 10, 700_001];
                let frame = encoded(&config, &data(0, typesize, 700_000));
                let block = header(&frame).unwrap().blocksize;
                let groups = 700_000 / block;
                lens.extend([groups * block - 1, groups * block, groups * block + 1]);
                for (i, len) in lens.into_iter().enumerate() {
                    compare_threads(&config, &data((i + typesize) % 3, typesize, len));
                }
            }
        }
    }
}

#[test]
fn threads_change_nothing_where_room_runs_out() {
    // Frames that just about fit, or do not: the end is encoded with less and less room. What is
    // compressible lies at the end, at the beginning, or in between.
    const LEN: usize = 400_000;
    for cname in [Compressor::BloscLz, Compressor::Lz4, Compressor::Snappy, Compressor::Zstd] {
        for (typesize, blocksize) in [(1, 128), (4, 512), (4, 2000), (8, 0), (2, 60_000)] {
            let config = Config { cname, clevel: 1, shuffle: Shuffle::Byte, typesize, blocksize };
            let noise = random_bytes(LEN);
            for zeros in [0, 100, 1000, 6000, 20_000, 60_000] {
                for at in [0, LEN / 2, LEN - zeros] {
                    let mut src = noise.clone();
                    src[at..(at + zeros).min(LEN)].fill(0);
                    compare_threads(&config, &src);
                }
            }
        }
    }
}

#[test]
fn threads_change_nothing_where_a_frame_just_about_fits() {
    // Compressors that ask for more room than they use stop sooner the less of it there is.
    const LEN: usize = 270_000;
    let noise = random_bytes(LEN);
    let (mut fits, mut does_not) = (0, 0);
    for cname in [Compressor::BloscLz, Compressor::Zlib, Compressor::Zstd] {
        let shuffle = Shuffle::None;
        let config = Config { cname, clevel: 1, shuffle, typesize: 1, blocksize: 4000 };
        for zeros in 500..700 {
            let mut src = noise.clone();
            src[LEN - zeros..].fill(0);
            let frame = encoded(&config, &src);
            let stored = header(&frame).unwrap().stored();
            *(if stored { &mut does_not } else { &mut fits }) += 1;
            let mut shared = Vec::new();
            encode(&config, &src, &mut shared, 2).unwrap();
            assert!(shared == frame, "{cname:?} {zeros}");
        }
    }
    assert!(fits > 0 && does_not > 0, "{fits} {does_not}");
}

#[test]
fn threads_report_the_first_block_that_is_damaged() {
    let src = data(1, 4, 900_000);
    for cname in Compressor::ALL {
        let shuffle = Shuffle::Byte;
        let config = Config { cname, clevel: 3, shuffle, typesize: 4, blocksize: 20_000 };
        let good = encoded(&config, &src);
        let index = Index::new(&good, good.len()).unwrap();
        let blocks = index.header().nblocks();
        assert!(blocks > 3);
        let mut dst = vec![0; src.len()];
        let mut random = random(3);
        for _ in 0..20 {
            let mut bad = good.clone();
            let hit = [0; 3].map(|_: usize| random() as usize % blocks);
            for block in hit {
                // The length of its first stream.
                bad[index.stored_span(block)][..4].fill(0x7F);
            }
            let first = hit.iter().min().unwrap();
            let alone = decode(&bad, &mut dst, 1).unwrap_err();
            let shared = decode(&bad, &mut dst, 4).unwrap_err();
            assert_eq!(shared.kind(), Kind::CorruptData);
            assert_eq!(shared.to_string(), alone.to_string());
            assert!(shared.to_string().contains(&format!("block {first}: ")), "{shared}");
        }
        // Anything else, too, is the same as alone.
        for _ in 0..60 {
            let mut bad = good.clone();
            for _ in 0..1 + random() % 4 {
                let most = if random() & 1 == 0 { index.header().prefix_len() } else { bad.len() };
                bad[16 + random() as usize % (most - 16)] = random() as u8;
            }
            let (mut alone, mut shared) = (vec![0xAA; src.len()], vec![0xAA; src.len() + 64]);
            let one = decode(&bad, &mut alone, 1).map_err(|e| e.to_string());
            let four = decode(&bad, &mut shared[32..32 + src.len()], 4).map_err(|e| e.to_string());
            assert_eq!(one, four);
            assert!(one.is_err() || alone == shared[32..32 + src.len()]);
            assert!(shared[..32].iter().chain(&shared[32 + src.len()..]).all(|&b| b == 0xAA));
        }
    }
}

#[test]
fn headers_that_lie_are_told_so() {
    let src = data(0, 2, 8192);
    let config = Config {
        cname: Compressor::Lz4,
        clevel: 5,
        shuffle: Shuffle::Byte,
        typesize: 2,
        blocksize: 0,
    };
    let good = encoded(&config, &src);
    let stored = encoded(&Config { clevel: 0, ..config }, &src);
    let with = |at: usize, value: i32| {
        let mut bad = good.clone();
        bad[at..at + 4].copy_from_slice(&value.to_le_bytes());
        bad
    };
    let byte = |at: usize, value: u8| {
        let mut bad = good.clone();
        bad[at] = value;
        bad
    };
    let length = good.len() as i32;
    let mut two_gib = with(4, i32::MAX);
    two_gib[8..12].copy_from_slice(&i32::MAX.to_le_bytes());
    for (bad, words) in [
        (good[..15].to_vec(), "header has 16 bytes, the value only 15"),
        (good[..16].to_vec(), "gives a length of"),
        (Vec::new(), "the value only 0"),
        (byte(0, 255), "version 255"),
        (byte(0, 5), "Blosc2"),
        (byte(1, 2), "inner format of version 2"),
        (byte(2, good[2] | 0xE0), "inner compressor 7"),
        (byte(2, good[2] | 0x08), "unknown flags"),
        (byte(2, good[2] | 0x04), "unknown flags"),
        (byte(2, good[2] | 0x02), "stores 8192 bytes uncompressed"),
        (byte(3, 0), "typesize of 0"),
        (byte(3, 3), "streams of unequal length"),
        (with(4, -16), "negative nbytes: -16"),
        (with(4, i32::MAX), "too short for a table of 262144 blocks"),
        (two_gib, "too few to hold 2147483647"),
        (with(4, 9192), "decodes to 9192 bytes instead of 8192"),
        (with(4, 100), "blocksize of 8192 for 100"),
        (with(8, 0), "blocksize of 0"),
        (with(8, -1), "negative blocksize"),
        (with(8, i32::MAX), "blocksize of 2147483647"),
        (with(8, 1), "too short for a table of 8192 blocks"),
        (with(12, 8), "gives a length of 8 bytes"),
        (with(12, -8), "negative cbytes"),
        (with(12, length + 1), "gives a length of"),
        (with(12, length - 1), "gives a length of"),
        (with(16, -1), "block 0 of the Blosc frame starts at -1"),
        (with(16, 16), "starts at 16, outside"),
        (with(16, length), "outside"),
        (with(16, length - 3), "block 0: the Blosc frame ends 3 bytes into the length"),
        (with(20, length), "a stream of"),
        (with(20, -5), "a stream of -5 bytes"),
        (with(20, 0), "does not decompress by lz4 to 4096"),
        (stored[..stored.len() - 100].to_vec(), "gives a length of"),
    ] {
        let mut dst = vec![0; src.len()];
        let error = decode(&bad, &mut dst, 1).unwrap_err();
        assert_eq!(error.kind(), Kind::CorruptData);
        assert!(error.to_string().contains(words), "{error} / {words}");
    }
    let error = decode(&good, &mut [0; 100], 1).unwrap_err().to_string();
    assert!(error.contains("8192 bytes instead of 100"), "{error}");
    assert_eq!(decoded_len(&good, 8191).unwrap_err().kind(), Kind::LimitExceeded);
    assert_eq!(decoded_len(&good, 8192).unwrap(), 8192);
    assert_eq!(decode_range(&good, usize::MAX, &mut [0; 9]).unwrap_err().kind(), Kind::CorruptData);
}

#[test]
fn configurations_that_there_are_not_are_refused() {
    let good = Config {
        cname: Compressor::Lz4,
        clevel: 5,
        shuffle: Shuffle::Byte,
        typesize: 2,
        blocksize: 0,
    };
    for bad in [Config { clevel: 10, ..good }, Config { typesize: 0, ..good }] {
        let mut out = vec![1];
        assert_eq!(encode(&bad, &[0; 200], &mut out, 1).unwrap_err().kind(), Kind::InvalidArgument);
        assert_eq!(out, [1]);
    }
    assert_eq!(max_encoded_len(10), Some(26));
    assert_eq!(max_encoded_len(i32::MAX as usize - 16), Some(i32::MAX as usize));
    assert_eq!(max_encoded_len(i32::MAX as usize - 15), None);
    for c in Compressor::ALL {
        assert_eq!(Compressor::from_name(c.name()), Some(c));
    }
    assert_eq!(Compressor::from_name("LZ4"), None);
}
