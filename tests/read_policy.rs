//! The options `ignore_checksums` and `unknown_codecs`, in every format that has such codecs.

use crate::common::{hierarchy as open, memory as empty};
use zarrc::array::MemoryType;
use zarrc::error::Kind;
use zarrc::hierarchy::ArrayNode;
use zarrc::metadata::{DataType, NodePath};
use zarrc::selection::Region;
use zarrc::store::{Key, Precondition, SharedStore};
use zarrc::strided::{View, ViewMut};

fn memory(values: &[(&str, &[u8])]) -> SharedStore {
    let store = empty();
    for (key, value) in values {
        store.set(&Key::parse(key).unwrap(), &[value], &Precondition::None).unwrap();
    }
    store
}

/// The four int32 of the array at "a".
fn read(array: &ArrayNode) -> zarrc::error::Result<Vec<u8>> {
    let mut out = vec![0x55; 16];
    let dst = ViewMut::contiguous(&mut out, &[4], 4)?;
    array.array.read(&Region::whole(&[4]), MemoryType::Native, dst)?;
    Ok(out)
}

fn v2(filters: &str, compressor: &str) -> String {
    format!(
        r#"{{"zarr_format": 2, "shape": [4], "chunks": [4], "dtype": "<i4", "fill_value": 0,
            "order": "C", "filters": {filters}, "compressor": {compressor}}}"#
    )
}

fn v3(codecs: &str) -> String {
    format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "int32",
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
            "chunk_key_encoding": {{"name": "default"}}, "fill_value": 0, "codecs": {codecs}}}"#
    )
}

const PLAIN: [u8; 16] = [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0];

#[test]
fn wrong_checksums_are_passed_over_where_that_is_wished() {
    let path = NodePath::parse("a").unwrap();
    let little = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;
    let behind = [&PLAIN[..], &[9; 4]].concat();
    let before = [&[9; 4], &PLAIN[..]].concat();
    for (document, key, value) in [
        (v3(&format!(r#"[{little}, "crc32c"]"#)), "a/c/0", &behind),
        (v3(&format!(r#"[{little}, "numcodecs.jenkins_lookup3"]"#)), "a/c/0", &behind),
        (v2(r#"[{"id": "fletcher32"}]"#, "null"), "a/0", &behind),
        (v2(r#"[{"id": "crc32"}]"#, "null"), "a/0", &before),
        (v2("null", r#"{"id": "adler32"}"#), "a/0", &before),
    ] {
        let name = if document.contains("chunk_grid") { "a/zarr.json" } else { "a/.zarray" };
        let store = memory(&[(name, document.as_bytes()), (key, value)]);
        let strict = open(&store, &[]).open_array(&path).expect("opens");
        assert_eq!(read(&strict).expect_err("wrong").kind(), Kind::CorruptData, "{document}");
        let lenient =
            open(&store, &[("ignore_checksums", "yes")]).open_array(&path).expect("opens");
        assert_eq!(read(&lenient).expect("reads"), PLAIN, "{document}");
    }
}

#[test]
fn compressors_pass_their_checksums_over_too() {
    let path = NodePath::parse("a").unwrap();
    for compressor in [
        r#"{"id": "zstd", "level": 1, "checksum": true}"#,
        r#"{"id": "lzma", "preset": 0}"#,
        r#"{"id": "lzma", "preset": 0, "check": 10}"#,
    ] {
        let document = v2("null", compressor);
        let store = memory(&[("a/.zarray", document.as_bytes())]);
        let array = open(&store, &[]).open_array(&path).expect("opens");
        let src = View::contiguous(&PLAIN, &[4], 4).unwrap();
        array.array.write(&Region::whole(&[4]), MemoryType::Native, &src).expect("writes");
        let key = Key::parse("a/0").unwrap();
        let mut value = Vec::new();
        store.get(&key, &mut value).unwrap().expect("there");
        // zstd's checksum is at the end; that of an .xz block stands before the index, whose last
        // bytes and footer take 20 (24 with a larger check)
        let at = match compressor.contains("zstd") {
            true => value.len() - 1,
            false => value.len() - 12 - 8 - 1,
        };
        value[at] ^= 0x40;
        store.set(&key, &[&value], &Precondition::None).unwrap();
        let strict = open(&store, &[]).open_array(&path).expect("opens");
        assert_eq!(read(&strict).expect_err("wrong").kind(), Kind::CorruptData, "{compressor}");
        let lenient =
            open(&store, &[("ignore_checksums", "yes")]).open_array(&path).expect("opens");
        assert_eq!(read(&lenient).expect("reads"), PLAIN, "{compressor}");
    }
}

#[test]
fn an_array_of_unknown_codecs_is_opened_for_its_metadata() {
    let path = NodePath::parse("a").unwrap();
    let little = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;
    let shard = format!(
        r#"[{{"name": "sharding_indexed", "configuration": {{"chunk_shape": [2],
            "codecs": [{little}, {{"name": "nonsuch"}}], "index_codecs": [{little}]}}}}]"#
    );
    for document in [
        v3(&format!(r#"[{little}, {{"name": "nonsuch", "configuration": {{"x": 1}}}}]"#)),
        v3(&shard),
        v2(r#"[{"id": "nonsuch"}]"#, "null"),
        v2("null", r#"{"id": "nonsuch", "level": 1}"#),
    ] {
        let name = if document.contains("chunk_grid") { "a/zarr.json" } else { "a/.zarray" };
        let store = memory(&[(name, document.as_bytes()), ("a/c/0", &PLAIN), ("a/0", &PLAIN)]);
        let refused = open(&store, &[]).open_array(&path).map(|_| ()).expect_err("unknown");
        assert_eq!(refused.kind(), Kind::Unsupported, "{document}");
        assert!(refused.to_string().contains("nonsuch"), "{refused}");
        let array = open(&store, &[("unknown_codecs", "yes")]).open_array(&path).expect("opens");
        assert_eq!(array.array.shape(), [4]);
        assert_eq!(array.array.metadata().data_type, DataType::Int32);
        let e = read(&array).expect_err("cannot be read");
        assert_eq!(e.kind(), Kind::Unsupported);
        assert!(e.to_string().contains("nonsuch"), "{e}");
        let src = View::contiguous(&PLAIN, &[4], 4).unwrap();
        let e = array
            .array
            .write(&Region::whole(&[4]), MemoryType::Native, &src)
            .expect_err("cannot be written");
        assert_eq!(e.kind(), Kind::Unsupported);
    }
    // what is wrong stays wrong
    let document = v2("null", r#"{"id": "zstd", "level": 99}"#);
    let store = memory(&[("a/.zarray", document.as_bytes())]);
    let e = open(&store, &[("unknown_codecs", "yes")]).open_array(&path).map(|_| ());
    assert_eq!(e.expect_err("out of range").kind(), Kind::InvalidMetadata);
}
