//! The same codec by its library alone, as a program would call it that needs nothing else: no chain, no
//! checks of sizes, memory that is there already.
#![allow(unsafe_code)] // bindings

use blosc_src::{blosc_compress_ctx, blosc_decompress_ctx};
use libdeflate_sys as deflate;
use pco::standalone::{simple_compress, simple_decompress_into};
use serde_json::Value;
use std::ffi::{CString, c_int, c_uint, c_void};
use std::io::{Read, Write};
use std::ptr::{null, null_mut};
use zstd::zstd_safe;

/// From the bytes of a chunk to the encoded ones, and how many they are.
type Encode = Box<dyn Fn(&[u8], &mut [u8]) -> usize>;
/// And back.
type Decode = Box<dyn Fn(&[u8], &mut [u8])>;

/// `None`: there is no library behind that codec, or none with such an interface.
pub fn of(codec: &Value, shape: &[u64]) -> Option<(Encode, Decode)> {
    let parameters = &codec["configuration"];
    let number = |name: &str| parameters[name].as_i64().unwrap_or(0) as i32;
    match codec["name"].as_str()? {
        "zstd" => Some(zstd(number("level"))),
        "gzip" => Some(gzip(number("level"))),
        "zlib" => Some(zlib(number("level"))),
        "lz4" => Some(lz4(number("acceleration"))),
        "bz2" => Some(bz2(number("level") as u32)),
        "lzma" => Some(lzma(number("preset") as u32)),
        "blosc" => Some(blosc(parameters)),
        "zfpy" => Some(zfp(parameters, shape)),
        "pcodec" => Some(pcodec(number("level") as usize)),
        _ => None,
    }
}

fn zstd(level: i32) -> (Encode, Decode) {
    (
        Box::new(move |src, dst| zstd_safe::compress(dst, src, level).expect("encodes")),
        Box::new(|src, dst| {
            zstd_safe::decompress(dst, src).expect("decodes");
        }),
    )
}

macro_rules! deflate {
    ($name:ident, $compress:ident, $decompress:ident) => {
        fn $name(level: c_int) -> (Encode, Decode) {
            let to = |p: &mut [u8]| p.as_mut_ptr().cast::<c_void>();
            // SAFETY: pointers and lengths are those of slices; what is made is used and freed once.
            let encode = move |src: &[u8], dst: &mut [u8]| unsafe {
                let own = deflate::libdeflate_alloc_compressor(level);
                let len =
                    deflate::$compress(own, src.as_ptr().cast(), src.len(), to(dst), dst.len());
                deflate::libdeflate_free_compressor(own);
                len
            };
            // SAFETY: likewise.
            let decode = move |src: &[u8], dst: &mut [u8]| unsafe {
                let own = deflate::libdeflate_alloc_decompressor();
                let (from, room) = (src.as_ptr().cast(), dst.len());
                let result = deflate::$decompress(own, from, src.len(), to(dst), room, null_mut());
                assert_eq!(result, deflate::libdeflate_result_LIBDEFLATE_SUCCESS);
                deflate::libdeflate_free_decompressor(own);
            };
            (Box::new(encode), Box::new(decode))
        }
    };
}

deflate!(gzip, libdeflate_gzip_compress, libdeflate_gzip_decompress);
deflate!(zlib, libdeflate_zlib_compress, libdeflate_zlib_decompress);

fn lz4(acceleration: c_int) -> (Encode, Decode) {
    (
        // SAFETY: pointers and lengths are those of slices.
        Box::new(move |src, dst| unsafe {
            let (from, to) = (src.as_ptr().cast(), dst.as_mut_ptr().cast());
            let (len, room) = (src.len() as c_int, dst.len() as c_int);
            lz4_sys::LZ4_compress_fast(from, to, len, room, acceleration) as usize
        }),
        // SAFETY: likewise.
        Box::new(|src, dst| unsafe {
            let (from, to) = (src.as_ptr().cast(), dst.as_mut_ptr().cast());
            let len = dst.len() as c_int;
            assert_eq!(lz4_sys::LZ4_decompress_safe(from, to, src.len() as c_int, len), len);
        }),
    )
}

fn bz2(level: u32) -> (Encode, Decode) {
    (
        Box::new(move |src, mut dst| {
            let room = dst.len();
            let mut encoder =
                bzip2::write::BzEncoder::new(&mut dst, bzip2::Compression::new(level));
            encoder.write_all(src).expect("encodes");
            encoder.finish().expect("encodes");
            room - dst.len()
        }),
        Box::new(|src, dst| bzip2::read::BzDecoder::new(src).read_exact(dst).expect("decodes")),
    )
}

fn lzma(preset: u32) -> (Encode, Decode) {
    (
        // SAFETY: pointers and lengths are those of slices.
        Box::new(move |src, dst| unsafe {
            let (to, room, mut at) = (dst.as_mut_ptr(), dst.len(), 0);
            let (from, len, check) = (src.as_ptr(), src.len(), liblzma_sys::LZMA_CHECK_CRC64);
            let result = liblzma_sys::lzma_easy_buffer_encode(
                preset,
                check,
                null(),
                from,
                len,
                to,
                &mut at,
                room,
            );
            assert_eq!(result, liblzma_sys::LZMA_OK);
            at
        }),
        // SAFETY: likewise.
        Box::new(|src, dst| unsafe {
            let (mut most, mut read, mut written) = (u64::MAX, 0, 0);
            let (from, to) = (src.as_ptr(), dst.as_mut_ptr());
            let result = liblzma_sys::lzma_stream_buffer_decode(
                &mut most,
                0,
                null(),
                from,
                &mut read,
                src.len(),
                to,
                &mut written,
                dst.len(),
            );
            assert_eq!(result, liblzma_sys::LZMA_OK);
        }),
    )
}

fn blosc(parameters: &Value) -> (Encode, Decode) {
    let compressor = CString::new(parameters["cname"].as_str().unwrap_or("lz4")).expect("a name");
    let level = parameters["clevel"].as_i64().unwrap_or(5) as c_int;
    let size = parameters["typesize"].as_u64().unwrap_or(4) as usize;
    let shuffle = match parameters["shuffle"].as_str() {
        Some("shuffle") => 1,
        Some("bitshuffle") => 2,
        _ => 0,
    };
    (
        // SAFETY: pointers and lengths are those of slices; the name ends with a zero.
        Box::new(move |src, dst| unsafe {
            let (from, to, room) = (src.as_ptr().cast(), dst.as_mut_ptr().cast(), dst.len());
            let name = compressor.as_ptr();
            blosc_compress_ctx(level, shuffle, size, src.len(), from, to, room, name, 0, 1) as usize
        }),
        // SAFETY: likewise, and the bytes are Blosc's own.
        Box::new(|src, dst| unsafe {
            let (from, to) = (src.as_ptr().cast(), dst.as_mut_ptr().cast());
            assert_eq!(blosc_decompress_ctx(from, to, dst.len(), 1), dst.len() as c_int);
        }),
    )
}

unsafe extern "C" {
    fn stream_open(buffer: *mut c_void, bytes: usize) -> *mut c_void;
    fn stream_close(bits: *mut c_void);
    fn zfp_stream_open(bits: *mut c_void) -> *mut c_void;
    fn zfp_stream_close(stream: *mut c_void);
    fn zfp_stream_rewind(stream: *mut c_void);
    fn zfp_stream_set_rate(s: *mut c_void, rate: f64, t: c_int, dims: c_uint, align: c_int) -> f64;
    fn zfp_stream_set_accuracy(stream: *mut c_void, tolerance: f64) -> f64;
    fn zfp_field_3d(data: *mut c_void, t: c_int, nx: usize, ny: usize, nz: usize) -> *mut c_void;
    fn zfp_field_free(field: *mut c_void);
    fn zfp_write_header(stream: *mut c_void, field: *const c_void, mask: c_uint) -> usize;
    fn zfp_read_header(stream: *mut c_void, field: *mut c_void, mask: c_uint) -> usize;
    fn zfp_compress(stream: *mut c_void, field: *const c_void) -> usize;
    fn zfp_decompress(stream: *mut c_void, field: *mut c_void) -> usize;
}

/// zfp's number for float32; magic, shape and parameters in a header.
const FLOAT: c_int = 3;
const FULL: c_uint = 7;

/// Calls `work` with zfp's stream over `buffer` and its field over `data`.
fn with_zfp<T>(
    (buffer, len): (*mut c_void, usize),
    data: *mut c_void,
    shape: [usize; 3],
    work: impl FnOnce(*mut c_void, *mut c_void) -> T,
) -> T {
    // SAFETY: the callers give the memory of slices; what is opened is closed once.
    unsafe {
        let bits = stream_open(buffer, len);
        let stream = zfp_stream_open(bits);
        zfp_stream_rewind(stream);
        let field = zfp_field_3d(data, FLOAT, shape[2], shape[1], shape[0]);
        let result = work(stream, field);
        zfp_field_free(field);
        zfp_stream_close(stream);
        stream_close(bits);
        result
    }
}

fn zfp(parameters: &Value, shape: &[u64]) -> (Encode, Decode) {
    let (rate, tolerance) = (parameters["rate"].as_f64(), parameters["tolerance"].as_f64());
    let shape = [0, 1, 2].map(|d| shape[d] as usize);
    (
        Box::new(move |src, dst| {
            let to = (dst.as_mut_ptr().cast(), dst.len());
            // SAFETY: the field is as large as `src`, and there is room for all that zfp writes of it.
            with_zfp(to, src.as_ptr().cast_mut().cast(), shape, |stream, field| unsafe {
                match (rate, tolerance) {
                    (Some(rate), _) => zfp_stream_set_rate(stream, rate, FLOAT, 3, 0),
                    (_, tolerance) => zfp_stream_set_accuracy(stream, tolerance.unwrap_or(0.0)),
                };
                zfp_write_header(stream, field, FULL);
                zfp_compress(stream, field)
            })
        }),
        Box::new(move |src, dst| {
            let from = (src.as_ptr().cast_mut().cast(), src.len());
            // SAFETY: the field is as large as `dst`, and the bytes are zfp's own.
            with_zfp(from, dst.as_mut_ptr().cast(), shape, |stream, field| unsafe {
                zfp_read_header(stream, field, FULL);
                assert_ne!(zfp_decompress(stream, field), 0);
            });
        }),
    )
}

fn pcodec(level: usize) -> (Encode, Decode) {
    let config = pco::ChunkConfig::default().with_compression_level(level);
    (
        Box::new(move |src, dst| {
            let numbers = <[f32] as zerocopy::FromBytes>::ref_from_bytes(src).expect("aligned");
            let encoded = simple_compress(numbers, &config).expect("encodes");
            dst[..encoded.len()].copy_from_slice(&encoded);
            encoded.len()
        }),
        Box::new(|src, dst| {
            let numbers = <[f32] as zerocopy::FromBytes>::mut_from_bytes(dst).expect("aligned");
            simple_decompress_into(src, numbers).expect("decodes");
        }),
    )
}
