//! The first byte chooses an array, the rest is its first chunk: it is read, checked, changed in
//! part and read again. Arrays of every format, with elements of variable length, N5's blocks, and
//! shards whose index has no checksum.

use super::{check, memory, nodes, read};
use zarrc::array::MemoryType;
use zarrc::metadata::NodePath;
use zarrc::operations::verify;
use zarrc::progress::Progress;
use zarrc::selection::Region;
use zarrc::strided::View;

macro_rules! v2 {
    ($dtype:literal, $fill:literal, $filters:literal, $compressor:literal) => {
        (
            ".zarray",
            concat!(
                r#"{"zarr_format": 2, "shape": [10], "chunks": [6], "order": "C", "dtype": "#,
                $dtype,
                r#", "fill_value": "#,
                $fill,
                r#", "filters": "#,
                $filters,
                r#", "compressor": "#,
                $compressor,
                "}"
            ),
            "0",
        )
    };
}

macro_rules! v3 {
    ($dtype:literal, $fill:literal, $codecs:literal) => {
        (
            "zarr.json",
            concat!(
                r#"{"zarr_format": 3, "node_type": "array", "shape": [10, 4], "chunk_grid": {"name":
                "regular", "configuration": {"chunk_shape": [6, 4]}}, "chunk_key_encoding": {"name":
                "default"}, "data_type": "#,
                $dtype, r#", "fill_value": "#, $fill, r#", "codecs": "#, $codecs, "}"
            ),
            "c/0/0",
        )
    };
}

macro_rules! n5 {
    ($dtype:literal, $compression:literal) => {
        (
            "attributes.json",
            concat!(
                r#"{"dimensions": [10, 4], "blockSize": [6, 4], "dataType": "#,
                $dtype,
                r#", "compression": "#,
                $compression,
                "}"
            ),
            "0/0",
        )
    };
}

/// Documents, and the keys of their first chunks.
const ARRAYS: &[(&str, &str, &str)] = &[
    v2!(r#""|O""#, r#""""#, r#"[{"id": "vlen-utf8"}]"#, "null"),
    v2!(r#""|O""#, r#""""#, r#"[{"id": "vlen-bytes"}]"#, "null"),
    v2!(r#""|O""#, "null", r#"[{"id": "vlen-array", "dtype": "<i4"}]"#, "null"),
    v2!(r#""|O""#, "null", r#"[{"id": "json2"}]"#, "null"),
    v2!(r#""|O""#, "null", r#"[{"id": "msgpack2"}]"#, "null"),
    v2!(
        r#""|O""#,
        r#""""#,
        r#"[{"id": "categorize", "labels": ["a", "b"], "dtype": "|O", "astype": "|u1"}]"#,
        "null"
    ),
    v2!(r#""<U3""#, r#""""#, "null", r#"{"id": "zlib", "level": 1}"#),
    v2!(r#"[["a", "<i2"], ["b", "<f4", [2]]]"#, "null", "null", r#"{"id": "lz4"}"#),
    v2!(
        r#""<f8""#,
        "0",
        r#"[{"id": "quantize", "digits": 2, "dtype": "<f8"}, {"id": "shuffle", "elementsize": 8}]"#,
        r#"{"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1}"#
    ),
    v2!(r#""|b1""#, "false", r#"[{"id": "packbits"}]"#, r#"{"id": "bz2", "level": 1}"#),
    v3!(
        r#""int16""#,
        "0",
        r#"[{"name": "sharding_indexed", "configuration": {"chunk_shape": [3, 2], "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}], "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}]"#
    ),
    v3!(
        r#""int16""#,
        "0",
        r#"[{"name": "sharding_indexed", "configuration": {"chunk_shape": [3, 2], "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "zstd"}], "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}], "index_location": "start"}}]"#
    ),
    v3!(
        r#""string""#,
        r#""""#,
        r#"[{"name": "sharding_indexed", "configuration": {"chunk_shape": [3, 2], "codecs": [{"name": "vlen-utf8"}, {"name": "gzip", "configuration": {"level": 1}}], "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}]"#
    ),
    v3!(
        r#""float32""#,
        "0",
        r#"[{"name": "transpose", "configuration": {"order": [1, 0]}}, {"name": "bytes", "configuration": {"endian": "big"}}, {"name": "crc32c"}]"#
    ),
    n5!(r#""int16""#, r#"{"type": "raw"}"#),
    n5!(r#""float64""#, r#"{"type": "gzip", "level": 1}"#),
    n5!(r#""string""#, r#"{"type": "raw"}"#),
    n5!(r#""uint8""#, r#"{"type": "lz4"}"#),
    n5!(r#""uint8""#, r#"{"type": "xz"}"#),
];

pub fn run(input: &[u8]) {
    let Some((&which, chunk)) = input.split_first() else { return };
    let (name, document, key) = ARRAYS[usize::from(which) % ARRAYS.len()];
    let store = memory(&[(name, document.as_bytes()), (key, chunk)]);
    let nodes = nodes(&store);
    let root = NodePath::root();
    // N5 has its strings elsewhere
    let Some(array) = check(nodes.open_array(&root)) else { return };
    read(&array);
    let _ = check(verify(&nodes, &root, &Progress::silent()));
    let shape = array.array.shape();
    let (start, count) = (vec![1; shape.len()], vec![2; shape.len()]);
    let Some(region) = check(Region::new(&shape, &start, &count, None)) else { return };
    let elements = 1usize << shape.len();
    if array.array.metadata().data_type.is_variable() {
        let offsets = vec![0; elements + 1];
        let _ = check(array.array.write_vlen(&region, &offsets, b""));
    } else {
        let item = array.array.metadata().data_type.size();
        let block = vec![1; elements * item];
        let src = View::contiguous(&block, &vec![2; shape.len()], item).expect("fits");
        let _ = check(array.array.write(&region, MemoryType::Native, &src));
    }
    read(&array);
}
