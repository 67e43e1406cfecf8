//! Arrays as others write them, against the letter of the specifications but with one meaning:
//! they open, and read as their writers read them.

use std::sync::Arc;
use zarrc::array::MemoryType;
use zarrc::error::{Kind, Result};
use zarrc::format::FormatId;
use zarrc::hierarchy::{ArrayNode, ArraySpec, FillSpec, Hierarchy};
use zarrc::metadata::{DataType, NodePath};
use zarrc::selection::Region;
use zarrc::store::{self, Depth, Entry, Key, Mode, Options, Precondition, SharedStore};
use zarrc::strided::{View, ViewMut};

fn memory(values: &[(&str, &[u8])]) -> SharedStore {
    let store = store::open("memory:", Mode::Append, &Options::default()).expect("memory");
    for (key, value) in values {
        let key = Key::parse(key).expect("a key");
        store.set(&key, &[value], &Precondition::None).expect("set");
    }
    store
}

fn open(store: &SharedStore, options: &[(&str, &str)]) -> Arc<Hierarchy> {
    let mut all = Options::default();
    options.iter().for_each(|(name, value)| all.set(name, value).expect("an option"));
    Arc::new(Hierarchy::new(store.clone(), &all))
}

fn array_in(values: &[(&str, &[u8])]) -> Result<ArrayNode> {
    open(&memory(values), &[]).open_array(&NodePath::root())
}

fn read(node: &ArrayNode) -> Vec<u8> {
    let array = &node.array;
    let shape = array.shape();
    let counts: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
    let item = array.metadata().data_type.size();
    let mut out = vec![0x55; counts.iter().product::<usize>() * item];
    let dst = ViewMut::contiguous(&mut out, &counts, item).expect("fits");
    array.read(&Region::whole(&shape), MemoryType::Native, dst).expect("reads");
    out
}

fn write(node: &ArrayNode, bytes: &[u8]) {
    let array = &node.array;
    let shape = array.shape();
    let counts: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
    let item = array.metadata().data_type.size();
    let src = View::contiguous(bytes, &counts, item).expect("fits");
    array.write(&Region::whole(&shape), MemoryType::Native, &src).expect("written");
}

fn chunk_keys(store: &SharedStore) -> Vec<String> {
    let mut keys = Vec::new();
    let mut each = |entry: Entry<'_>| {
        if let Entry::Key(key) = entry
            && !key.contains('z')
        {
            keys.push(key.to_owned());
        }
        Ok(())
    };
    store.list("", Depth::All, &mut each).expect("a listing");
    keys.sort();
    keys
}

fn v2(dtype: &str, fill: &str, filters: &str, compressor: &str) -> String {
    format!(
        r#"{{"zarr_format": 2, "shape": [4], "chunks": [2], "dtype": {dtype}, "fill_value": {fill},
            "order": "C", "filters": {filters}, "compressor": {compressor}}}"#
    )
}

fn v3(data_type: &str, fill: &str, codecs: &str) -> String {
    format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": {data_type},
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
            "chunk_key_encoding": {{"name": "default", "configuration": {{"separator": "/"}}}},
            "fill_value": {fill}{codecs}}}"#
    )
}

/// The same numbers as bytes.
fn i16s(numbers: [i16; 4]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_ne_bytes()).collect()
}

#[test]
fn chains_that_leave_out_what_is_meant() {
    // as GDAL to 3.10 and zarr-js write them; the shard is zarr-js's
    // 1d.chunked.compressed.sharded.i2
    let raw = [1, 0, 2, 0, 3, 0, 4, 0];
    let sharded = r#", "codecs": [{"name": "sharding_indexed", "configuration":
        {"chunk_shape": [2], "codecs": []}}]"#;
    let mut shard = raw.to_vec();
    for (offset, length) in [(0u64, 4u64), (4, 4)] {
        shard.extend([offset.to_le_bytes(), length.to_le_bytes()].concat());
    }
    shard.extend(crc32c(&shard[8..]).to_le_bytes());
    for (codecs, chunk) in [
        ("", &raw[..]),
        (r#", "codecs": []"#, &raw),
        (r#", "codecs": [{"name": "transpose", "configuration": {"order": [0]}}]"#, &raw),
        (sharded, &shard),
    ] {
        let document = v3("\"int16\"", "0", codecs);
        let node = array_in(&[("zarr.json", document.as_bytes()), ("c/0", chunk)]).expect(codecs);
        assert_eq!(read(&node), i16s([1, 2, 3, 4]), "{codecs}");
    }
    // zarr-js's 1d.contiguous.compressed.i2: python -c 'gzip.compress(…)'
    let gzip = [
        0x1f, 0x8b, 0x08, 0x00, 0x9c, 0xc8, 0xba, 0x64, 0x00, 0xff, 0x63, 0x64, 0x00, 0x00, 0xbe,
        0x23, 0xc2, 0x58, 0x02, 0x00, 0x00, 0x00,
    ];
    let document = v3("\"int16\"", "0", r#", "codecs": [{"name": "gzip"}]"#).replace("[4]", "[1]");
    let node = array_in(&[("zarr.json", document.as_bytes()), ("c/0", &gzip)]).expect("opens");
    assert_eq!(read(&node), 1i16.to_ne_bytes());
    // what order is meant by `bytes` is said nowhere, and of an unknown codec nothing is known
    for codecs in [r#"[{"name": "bytes"}]"#, r#"[{"name": "grib"}]"#] {
        let document = v3("\"int16\"", "0", &format!(", \"codecs\": {codecs}"));
        assert!(array_in(&[("zarr.json", document.as_bytes())]).is_err(), "{codecs}");
    }
}

/// By its definition, bit by bit.
fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 { (crc >> 1) ^ 0x82F6_3B78 } else { crc >> 1 }
        })
    })
}

#[test]
fn utf32_and_structs_without_a_byte_order_are_little_endian() {
    let bytes = r#", "codecs": [{"name": "bytes"}]"#;
    let utf32 = r#"{"name": "fixed_length_utf32", "configuration": {"length_bytes": 4}}"#;
    let document = v3(utf32, "\"\"", bytes);
    let stored: Vec<u8> = "abç€".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let node = array_in(&[("zarr.json", document.as_bytes()), ("c/0", &stored)]).expect("GDAL");
    let native: Vec<u8> = "abç€".chars().flat_map(|c| u32::from(c).to_ne_bytes()).collect();
    assert_eq!(read(&node), native);
    for name in ["struct", "structured"] {
        let pair = format!(
            r#"{{"name": "{name}", "configuration": {{"fields": [["a", "int16"], ["b", "uint8"]]}}}}"#
        );
        let document = v3(&pair, "\"AAAA\"", bytes);
        let node = array_in(&[("zarr.json", document.as_bytes())]).expect("zarr-python");
        assert_eq!(read(&node), [0; 12]);
    }
}

#[test]
fn fill_values_in_other_words() {
    for (dtype, fill, expected) in [
        ("\"|u1\"", "\"7\"", vec![7]),
        ("\"<i2\"", "\"-7.0\"", (-7i16).to_ne_bytes().to_vec()),
        ("\"<f8\"", "\"1e3\"", 1000f64.to_ne_bytes().to_vec()),
        ("\"<f4\"", "\"0.0\"", vec![0; 4]),
    ] {
        let document = v2(dtype, fill, "null", "null");
        let node = array_in(&[(".zarray", document.as_bytes())]).expect(fill);
        assert_eq!(read(&node), expected.repeat(4), "{fill}");
        assert!(!node.array.metadata().may_omit_chunks(), "others may not read {fill}");
    }
    for (dtype, fill) in [("\"|u1\"", "\"256\""), ("\"|b1\"", "\"0\""), ("\"<f8\"", "\"1e999\"")] {
        let document = v2(dtype, fill, "null", "null");
        let e = array_in(&[(".zarray", document.as_bytes())]).map(|_| ()).expect_err(fill);
        assert_eq!(e.kind(), Kind::InvalidMetadata, "{e}");
    }
    for (fill, expected) in [("0", 0), ("1", 1)] {
        let document = v3("\"bool\"", fill, "");
        let node = array_in(&[("zarr.json", document.as_bytes())]).expect("zarr-js");
        assert_eq!(read(&node), [expected; 4]);
    }
}

#[test]
fn parameters_in_other_words() {
    // GDAL: an .xz stream whose header names the filter, xz --format=xz --delta=dist=1 --lzma2
    let xz = [
        0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x00, 0xff, 0x12, 0xd9, 0x41, 0x03, 0xc1, 0x10,
        0x0c, 0x03, 0x01, 0x00, 0x21, 0x01, 0x16, 0x00, 0x00, 0x97, 0x27, 0xb8, 0xd9, 0x01, 0x00,
        0x0b, 0x62, 0xf8, 0xe0, 0x14, 0xe7, 0x06, 0x0a, 0xfe, 0xf0, 0x1e, 0xbd, 0x4b, 0x00, 0x00,
        0x01, 0x20, 0x0c, 0xa2, 0xdd, 0xb4, 0xbc, 0x06, 0x72, 0x9e, 0x7a, 0x01, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x59, 0x5a,
    ];
    let document = r#"{"chunks": [3, 4], "compressor": {"id": "lzma", "preset": 6, "delta": 1},
        "dtype": "|u1", "fill_value": 7, "filters": null, "order": "C", "shape": [3, 4],
        "zarr_format": 2}"#;
    let store = memory(&[(".zarray", document.as_bytes()), ("0.0", &xz)]);
    let node = open(&store, &[]).open_array(&NodePath::root()).expect("GDAL");
    assert_eq!(read(&node), [98, 90, 58, 78, 53, 59, 69, 67, 51, 81, 14, 89]);
    let bytes: Vec<u8> = (0..12).collect();
    write(&node, &bytes);
    assert_eq!(read(&node), bytes, "what was written with it");

    let stored: Vec<u8> = [1i32, 1, 1, 1].iter().flat_map(|n| n.to_le_bytes()).collect();
    let expected: Vec<u8> = [1i32, 2, 3, 4].iter().flat_map(|n| n.to_ne_bytes()).collect();
    let codecs = r#", "codecs": [{"name": "numcodecs.delta", "configuration": {"dtype": "int32"}},
        {"name": "bytes", "configuration": {"endian": "little"}}]"#;
    let document = v3("\"int32\"", "0", codecs);
    let node = array_in(&[("zarr.json", document.as_bytes()), ("c/0", &stored)]).expect("zarrita");
    assert_eq!(read(&node), expected);

    let store = memory(&[(".zgroup", b"{\"zarr_format\": \"2\"}")]);
    assert!(open(&store, &[]).open_group(&NodePath::root()).is_ok(), "webknossos");
}

#[test]
fn types_of_n5_that_zarr_python_names_as_numpy_does() {
    for (name, hex, expected) in [
        ("datetime64[10us]", "0000000000000003", 3i64.to_ne_bytes().to_vec()),
        ("timedelta64[s]", "ffffffffffffffff", (-1i64).to_ne_bytes().to_vec()),
        ("bool", "01", vec![1]),
        ("float16", "3c00", 0x3c00u16.to_ne_bytes().to_vec()),
    ] {
        let document = format!(
            r#"{{"dimensions": [1], "blockSize": [1], "dataType": "{name}",
                "compression": {{"type": "raw"}}}}"#
        );
        let mut block = vec![0, 0, 0, 1, 0, 0, 0, 1];
        let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex");
        block.extend((0..hex.len()).step_by(2).map(byte));
        let values = [("attributes.json", document.as_bytes()), ("0", &block)];
        assert_eq!(read(&array_in(&values).expect(name)), expected, "{name}");
    }
}

#[test]
fn what_zarrs_has_of_its_own() {
    let document = r#"{"zarr_format": 3, "node_type": "array", "shape": [1, 4], "data_type": "uint8",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1, 2]}},
        "chunk_key_encoding": {"name": "zarrs.default_suffix",
                               "configuration": {"separator": ".", "suffix": ".bin"}},
        "fill_value": 0, "codecs": [{"name": "zarrs.squeeze"}, {"name": "bytes"}]}"#;
    let values: [(&str, &[u8]); 3] =
        [("zarr.json", document.as_bytes()), ("c.0.0.bin", &[1, 2]), ("c.0.1.bin", &[3, 4])];
    let store = memory(&values);
    let node = open(&store, &[]).open_array(&NodePath::root()).expect("zarrs");
    assert_eq!(read(&node), [1, 2, 3, 4]);
    write(&node, &[5, 6, 0, 0]);
    assert_eq!(chunk_keys(&store), ["c.0.0.bin"]);
    let optional =
        r#"{"name": "optional", "configuration": {"name": "uint8", "configuration": {}}}"#;
    let document = v3(optional, "null", "");
    let e = array_in(&[("zarr.json", document.as_bytes())]).map(|_| ()).expect_err("not here");
    assert_eq!(e.kind(), Kind::Unsupported);
    assert!(e.to_string().contains("optional elements"), "{e}");
}

#[test]
fn what_is_not_here_says_what_can_be_done() {
    let filters = r#"[{"id": "grib", "var": "t2m"}]"#;
    for (document, key, words) in [
        (v2("\"<f8\"", "0", filters, "null"), ".zarray", "zarrc_codec_register()"),
        (v2("\"<u2\"", "0", "null", "{\"id\": \"imagecodecs_jpeg2k\"}"), ".zarray", "jpeg2k"),
        (v2("\"<u2\"", "0", "null", "{\"id\": \"zstdd\"}"), ".zarray", "did you mean \"zstd\"?"),
        (v3("\"flaot32\"", "0", ""), "zarr.json", "did you mean \"float32\"?"),
        (
            v3("\"int8\"", "0", r#", "storage_transformers": [{"name": "chunk-manifest-json"}]"#),
            "zarr.json",
            "chunk-manifest-json",
        ),
    ] {
        let e = array_in(&[(key, document.as_bytes())]).map(|_| ()).expect_err("not here");
        assert_eq!(e.kind(), Kind::Unsupported, "{e}");
        assert!(e.to_string().contains(words), "{e}");
    }
}

/// A chunk of nothing but the fill value stays away only where every reader finds that value.
#[test]
fn nothing_is_left_out_where_the_fill_value_is_not_sure() {
    let utf8 = r#"[{"id": "vlen-utf8"}]"#;
    let null = "null";
    for (dtype, fill, filters) in [
        ("\"<i4\"", "null", null),
        ("\"<f4\"", "null", null),
        ("\"|b1\"", "null", null),
        ("\"<M8[ns]\"", "null", null),
        ("\"<U2\"", "null", null),
        ("\"<c8\"", "null", null),
        ("\"|V4\"", "null", null),
        ("\"|S3\"", "0", null),
        ("\"|S4\"", "\"a!\"", null),
        ("\"<U2\"", "0", null),
        ("\"|u1\"", "\"0\"", null),
        ("\"<c8\"", "[0.0, \"Infinity\"]", null),
        ("\"|O\"", "0", utf8),
        ("\"|O\"", "null", utf8),
        ("\"|O\"", "\"\"", r#"[{"id": "vlen-bytes"}]"#),
    ] {
        let document = v2(dtype, fill, filters, "null");
        let store = memory(&[(".zarray", document.as_bytes())]);
        let node = open(&store, &[]).open_array(&NodePath::root()).expect(dtype);
        let element = node.array.metadata().fill_element();
        let element = element.bytes().expect("small");
        if node.array.metadata().data_type.is_variable() {
            let region = Region::whole(&[4]);
            let offsets: Vec<u64> = (0..=4).map(|n| n * element.len() as u64).collect();
            node.array.write_vlen(&region, &offsets, &element.repeat(4)).expect("written");
        } else {
            write(&node, &element.repeat(4));
        }
        assert_eq!(chunk_keys(&store), ["0", "1"], "{dtype} {fill}");
    }
    // and what is there stays there, also when it is written in part
    let document = v2("\"|u1\"", "null", "null", "null");
    let store = memory(&[(".zarray", document.as_bytes()), ("0", &[5, 5])]);
    let node = open(&store, &[]).open_array(&NodePath::root()).expect("opens");
    for at in [0, 1] {
        let region = Region::new(&[4], &[at], &[1], None).expect("inside");
        let src = View::contiguous(&[0], &[1], 1).expect("fits");
        node.array.write(&region, MemoryType::Native, &src).expect("written");
    }
    assert_eq!((chunk_keys(&store), read(&node)), (vec!["0".into()], vec![0; 4]));
    // where it is sure, it is left out as before
    let document = v2("\"|S3\"", "\"YQ==\"", "null", "null");
    let store = memory(&[(".zarray", document.as_bytes())]);
    let node = open(&store, &[]).open_array(&NodePath::root()).expect("opens");
    write(&node, b"a\0\0a\0\0a\0\0a\0\0");
    assert_eq!(chunk_keys(&store), [""; 0]);
}

#[test]
fn a_bool_is_0_or_1() {
    let document = v3("\"bool\"", "false", "");
    let store = memory(&[("zarr.json", document.as_bytes())]);
    let node = open(&store, &[]).open_array(&NodePath::root()).expect("opens");
    write(&node, &[0, 1, 2, 255]);
    let mut stored = Vec::new();
    store.get(&Key::parse("c/0").expect("a key"), &mut stored).expect("read");
    assert_eq!(stored, [0, 1, 1, 1]);
    store
        .set(&Key::parse("c/0").expect("a key"), &[&[2, 0, 1, 7]], &Precondition::None)
        .expect("set");
    assert_eq!(read(&node), [1, 0, 1, 1]);
}

#[test]
fn no_node_below_a_group_of_another_format() {
    for (document, text, id) in [
        ("zarr.json", r#"{"zarr_format": 3, "node_type": "group"}"#, FormatId::V2),
        (".zgroup", r#"{"zarr_format": 2}"#, FormatId::V3),
    ] {
        let store = memory(&[(document, text.as_bytes())]);
        let hierarchy = open(&store, &[]);
        let below = NodePath::parse("a/b").expect("a path");
        let e = hierarchy.create_group(&below, Some(id)).map(|_| ()).expect_err("hidden");
        assert_eq!(e.kind(), Kind::InvalidArgument, "{e}");
        let mut spec = ArraySpec::new(DataType::Int8, vec![4]);
        spec.format = Some(id);
        let e = hierarchy.create_array(&below, &spec).map(|_| ()).expect_err("hidden");
        assert!(e.to_string().contains("cannot be"), "{e}");
        // and what is created next is of the store's own format
        spec.format = None;
        let node = hierarchy.create_array(&below, &spec).expect("of the same");
        assert_ne!(node.format(), id);
    }
}

#[test]
fn an_undefined_fill_value_is_for_those_that_have_it() {
    for (id, there) in [
        (FormatId::V2, true),
        (FormatId::V1, true),
        (FormatId::V3, false),
        (FormatId::N5, false),
        (FormatId::V3Draft2020, true),
        (FormatId::V3Draft2022, false),
    ] {
        let hierarchy = open(&memory(&[]), &[]);
        let mut spec = ArraySpec::new(DataType::Int16, vec![4]);
        spec.format = Some(id);
        spec.fill_value = FillSpec::Json("null".into());
        match hierarchy.create_array(&NodePath::root(), &spec) {
            Ok(node) => assert!(there && node.array.metadata().fill_value.is_none(), "{id:?}"),
            Err(e) => assert!(!there && e.kind() == Kind::Unsupported, "{id:?}: {e}"),
        }
    }
}

/// What CF's attributes make of stored numbers, in every format that has attributes.
#[test]
fn packed_numbers_are_floats_with_mask_and_scale() {
    let attributes = r#"{"scale_factor": 0.5, "add_offset": 10, "_FillValue": -99}"#;
    let bytes = r#", "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]"#;
    let in_v3 = v3("\"int16\"", "-99", &format!("{bytes}, \"attributes\": {attributes}"));
    let in_v2 = v2("\"<i2\"", "null", "null", "null").replace("[2]", "[4]");
    let stored: Vec<u8> = [0i16, 1, -99, -4].iter().flat_map(|n| n.to_le_bytes()).collect();
    let v2_values: [(&str, &[u8]); 3] =
        [(".zarray", in_v2.as_bytes()), (".zattrs", attributes.as_bytes()), ("0", &stored)];
    let v3_values: [(&str, &[u8]); 2] = [("zarr.json", in_v3.as_bytes()), ("c/0", &stored)];
    for (values, key) in [(&v2_values[..], "0"), (&v3_values[..], "c/0")] {
        let store = memory(values);
        let node = open(&store, &[("mask_and_scale", "yes")]).open_array(&NodePath::root());
        let node = node.expect("opens");
        assert_eq!(node.array.metadata().data_type, DataType::Float64);
        let numbers = |bytes: &[u8]| -> Vec<f64> {
            bytes.as_chunks::<8>().0.iter().map(|b| f64::from_ne_bytes(*b)).collect()
        };
        let seen = numbers(&read(&node));
        assert!(seen[2].is_nan());
        assert_eq!([seen[0], seen[1], seen[3]], [10.0, 10.5, 8.0]);
        let new: Vec<u8> =
            [f64::NAN, 11.2, 10.0, 10.5].iter().flat_map(|x| x.to_ne_bytes()).collect();
        write(&node, &new);
        let plain = open(&store, &[]).open_array(&NodePath::root()).expect("opens");
        assert_eq!(read(&plain), i16s([-99, 2, 0, 1]), "nearest");
        // nothing but missing is what v3's fill value is: the chunk is left out, and reads as NaN
        write(&node, &f64::NAN.to_ne_bytes().repeat(4));
        assert!(numbers(&read(&node)).iter().all(|x| x.is_nan()));
        assert_eq!(chunk_keys(&store).contains(&key.to_owned()), key == "0");
        // it grows like any other, though its document names the stored type
        node.grow(&[6]).expect("grows");
        node.refresh().expect("is the same array");
        assert_eq!(node.array.shape(), [6]);
    }
}
