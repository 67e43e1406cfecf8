use super::*;
use crate::error::Kind;
use crate::format::stages::codec;
use crate::format::{parse_data_type, parse_fill_json};
use crate::metadata::{CodecSpec, DataType};
use serde_json::{Map, json};

/// An array document as zarr-python 2.18 writes it, with `changes` to a minimal one.
fn zarray(changes: &[(&str, &str)]) -> Vec<u8> {
    let mut members = vec![
        ("chunks", "[2, 3]"),
        ("compressor", "null"),
        ("dtype", "\"<i4\""),
        ("fill_value", "0"),
        ("filters", "null"),
        ("order", "\"C\""),
        ("shape", "[4, 9]"),
        ("zarr_format", "2"),
    ];
    for &(name, json) in changes {
        members.retain(|(n, _)| *n != name);
        if !json.is_empty() {
            members.push((name, json));
        }
    }
    document(members.into_iter().map(|(n, j)| (n, j.to_owned())))
}

fn parse(changes: &[(&str, &str)]) -> Result<ArrayMetadata> {
    match V2.parse(0, &zarray(changes))? {
        NodeMetadata::Array(array) => Ok(*array),
        other => panic!("{other:?}"),
    }
}

fn chain(array: &ArrayMetadata) -> Vec<(&str, Value)> {
    array.codecs.iter().map(|c| (&c.name[..], Value::Object(c.configuration.clone()))).collect()
}

fn root() -> NodePath {
    NodePath::root()
}

fn emit(array: &ArrayMetadata) -> Result<String> {
    let mut documents = V2.emit(&root(), &NodeMetadata::Array(Box::new(array.clone())))?;
    let (key, text) = documents.pop().expect("one document at least");
    assert_eq!(key, ".zarray");
    Ok(String::from_utf8(text).expect("text"))
}

#[test]
fn a_real_document() {
    let array = parse(&[
        (
            "compressor",
            r#"{"blocksize": 0, "clevel": 5, "cname": "lz4", "id": "blosc", "shuffle": 1}"#,
        ),
        ("dtype", r#"">f8""#),
        ("fill_value", r#""NaN""#),
        ("order", r#""F""#),
        ("dimension_separator", r#""/""#),
    ])
    .expect("good");
    assert_eq!(array.shape, [4, 9]);
    assert_eq!(array.chunk_grid.largest_shape()[..], [2, 3]);
    assert_eq!(array.data_type, DataType::Float64);
    assert_eq!(array.fill_value.as_deref(), Some(&0x7ff8_0000_0000_0000u64.to_ne_bytes()[..]));
    assert_eq!(array.chunk_keys, KeyEncoding::V2('/'));
    assert_eq!(array.attributes, None);
    assert_eq!(
        chain(&array),
        [
            ("transpose", json!({"order": [1, 0]})),
            ("bytes", json!({"endian": "big"})),
            ("blosc", json!({"blocksize": 0, "clevel": 5, "cname": "lz4", "shuffle": 1})),
        ]
    );
}

#[test]
fn what_kind_of_node() {
    let node = V2.parse(1, b"{\n    \"zarr_format\": 2\n}").expect("good");
    assert_eq!(node, NodeMetadata::Group(GroupMetadata::default()));
    for bad in [&b"{\"zarr_format\": 99}"[..], b"{}", b"[]", b""] {
        let e = V2.parse(1, bad).expect_err("bad group");
        assert_eq!(e.kind(), Kind::InvalidMetadata);
    }
    assert_eq!(V2.name(), "Zarr v2");
}

#[test]
fn filters_go_before_and_after_bytes() {
    let array = parse(&[
        ("dtype", r#""<f8""#),
        (
            "filters",
            r#"[{"id": "fixedscaleoffset", "astype": "|u1", "dtype": "<f8", "offset": 10, "scale": 10},
                {"id": "packbits"}, {"id": "shuffle", "elementsize": 0}]"#,
        ),
        ("compressor", r#"{"id": "zlib", "level": 1}"#),
    ])
    .expect("good");
    let names: Vec<&str> = array.codecs.iter().map(|c| &c.name[..]).collect();
    assert_eq!(names, ["fixedscaleoffset", "numcodecs.packbits", "bytes", "shuffle", "zlib"]);
    assert_eq!(array.codecs[3].configuration["elementsize"], 8);

    // The stored byte order is that of the last filter's output, not that of the array.
    let fso =
        r#"[{"id": "fixedscaleoffset", "astype": ">u2", "dtype": "<f8", "offset": 0, "scale": 1}]"#;
    let array = parse(&[("dtype", r#""<f8""#), ("filters", fso)]).expect("good");
    assert_eq!(array.codecs[1].configuration["endian"], "big");

    // The codec table refuses the unknown filter later; it comes after "bytes".
    let array = parse(&[("filters", r#"[{"id": "frobnicate"}]"#)]).expect("good");
    assert_eq!(chain(&array)[1], ("frobnicate", json!({})));

    let delta = r#"[{"id": "delta", "dtype": "<q9"}]"#;
    assert_eq!(parse(&[("filters", delta)]).expect_err("no type").kind(), Kind::InvalidMetadata);
}

#[test]
fn lenient_where_writers_are() {
    for (changes, what) in [
        (&[("filters", "")][..], "filters absent"),
        (&[("filters", "[]")], "no filters"),
        (&[("compressor", "")], "compressor absent"),
        (&[("dimension_separator", "null")], "separator null"),
        (&[("dtype", "\"<u1\"")], "netCDF-C's byte"),
        (&[("nbytes", "[[[[7]]]]"), ("_ARRAY_DIMENSIONS", "{}")], "unknown members"),
        (&[("fill_value", "null")], "no fill"),
        (&[("dtype", "\"<f4\""), ("fill_value", "NaN")], "a bare NaN"),
        (&[("dtype", "\"bfloat16\""), ("fill_value", "null")], "tensorstore's bfloat16"),
        (&[("shape", "[]"), ("chunks", "[]"), ("order", "\"F\"")], "no dimensions"),
    ] {
        let array = parse(changes).expect(what);
        assert!(array.codecs.len() == 1 && array.codecs[0].name == "bytes", "{what}");
    }
    let mut bom = b"\xEF\xBB\xBF".to_vec();
    bom.extend(zarray(&[]));
    assert!(V2.parse(0, &bom).is_ok());
}

#[test]
fn what_breaks_the_specification() {
    for changes in [
        &[("zarr_format", "")][..],
        &[("zarr_format", "1")],
        &[("zarr_format", "2.0")],
        &[("shape", "")],
        &[("shape", "[4.5, 9]")],
        &[("shape", "[-4, 9]")],
        &[("shape", "[18446744073709551616, 9]")],
        &[("shape", "\"4\"")],
        &[("shape", "[4]")],
        &[("chunks", "[0, 3]")],
        &[("chunks", "")],
        &[("dtype", "")],
        &[("dtype", "\"<i3\"")],
        &[("dtype", "{}")],
        &[("fill_value", "")],
        &[("fill_value", "\"abc\"")],
        &[("fill_value", "2147483648")],
        &[("order", "")],
        &[("order", "\"X\"")],
        &[("filters", "{}")],
        &[("filters", "[7]")],
        &[("compressor", "\"zlib\"")],
        &[("compressor", "{\"level\": 1}")],
        &[("dimension_separator", "\"x\"")],
        &[("sh\\u0061pe", "[4, 9]"), ("shape", "[5, 9]")],
    ] {
        let e = match changes {
            // a member that occurs twice, once with escapes
            [(disguised, twice), shape] => {
                let text = String::from_utf8(zarray(&[*shape])).expect("text");
                let text = text.replacen('{', &format!("{{\"{disguised}\": {twice},"), 1);
                V2.parse(0, text.as_bytes()).expect_err("twice")
            }
            _ => parse(changes).expect_err("bad"),
        };
        assert_eq!(e.kind(), Kind::InvalidMetadata, "{changes:?}: {e}");
        assert!(e.to_string().starts_with(".zarray: "), "{e}");
    }
    let objects = |filters| parse(&[("dtype", "\"|O\""), ("filters", filters)]);
    for (filters, kind) in [
        ("null", Kind::InvalidMetadata),
        (r#"[{"id": "vlen-array"}]"#, Kind::InvalidMetadata),
        (r#"[{"id": "delta", "dtype": "<f8"}]"#, Kind::Unsupported),
    ] {
        assert_eq!(objects(filters).expect_err(filters).kind(), kind, "{filters}");
    }
    let rank = format!("[{}]", ["1"; 300].join(","));
    let e = parse(&[("shape", &rank), ("chunks", &rank)]).expect_err("too many dimensions");
    assert_eq!(e.kind(), Kind::LimitExceeded);
}

#[test]
fn hostile_nesting_is_skipped_or_refused() {
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    assert!(parse(&[("unknown", &deep)]).is_ok());
    for member in ["shape", "dtype", "fill_value", "filters", "compressor"] {
        assert!(parse(&[(member, &deep)]).is_err(), "{member}");
    }
    let compressor = format!("{{\"id\": \"zlib\", \"x\": {deep}}}");
    let e = parse(&[("compressor", &compressor)]).expect_err("deep");
    assert_eq!(e.kind(), Kind::LimitExceeded, "{e}");
}

#[test]
fn a_struct_of_mixed_orders() {
    let dtype = r#"[["le", "<u2"], ["be", ">u4"]]"#;
    let array = parse(&[("dtype", dtype), ("fill_value", "\"AgEDBAUG\"")]).expect("good");
    assert_eq!(chain(&array), [("bytes", json!({}))]);
    let fill = [&0x0102u16.to_ne_bytes()[..], &0x03040506u32.to_ne_bytes()].concat();
    assert_eq!(array.fill_value.as_deref(), Some(&fill[..]));
    let text = emit(&array).expect("good");
    assert!(text.contains(dtype) && text.contains("\"AgEDBAUG\""), "{text}");
}

#[test]
fn written_and_read_again() {
    for changes in [
        &[][..],
        &[("order", "\"F\""), ("dtype", "\">c16\""), ("fill_value", "[1.5, \"NaN\"]")],
        &[("dtype", "\"|S5\""), ("fill_value", "\"YWJj\""), ("dimension_separator", "\"/\"")],
        &[("dtype", "\"<M8[10us]\""), ("fill_value", "-9223372036854775808")],
        &[("dtype", "\"<U3\""), ("fill_value", "\"né\\\"\"")],
        &[("dtype", r#"[["x", ">f4", [2, 2]], ["y", [["z", ">i8"]]]]"#), ("fill_value", "null")],
        &[("dtype", "\"bfloat16\""), ("fill_value", "0.1")],
        &[
            ("filters", r#"[{"id": "delta", "dtype": "<i4", "astype": "<i2"}, {"id": "crc32c"}]"#),
            ("compressor", r#"{"id": "zstd", "level": 0}"#),
        ],
        &[("filters", r#"[{"id": "zlib", "level": 1}, {"id": "adler32"}]"#)],
    ] {
        let array = parse(changes).expect("good");
        let text = emit(&array).expect("sayable");
        let again = V2.parse(0, text.as_bytes()).expect("own document");
        assert_eq!(again, NodeMetadata::Array(Box::new(array)), "{text}");
    }
}

#[test]
fn an_array_as_we_write_it() {
    let array = parse(&[
        ("compressor", r#"{"id": "zstd", "level": 3, "checksum": false}"#),
        ("order", "\"F\""),
        ("dimension_separator", "\"/\""),
    ])
    .expect("good");
    assert_eq!(
        emit(&array).expect("good"),
        r#"{
  "zarr_format": 2,
  "shape": [4, 9],
  "chunks": [2, 3],
  "dtype": "<i4",
  "fill_value": 0,
  "order": "F",
  "filters": null,
  "compressor": {"id":"zstd","level":3},
  "dimension_separator": "/"
}
"#
    );
}

#[test]
fn a_filter_of_another_type_looks_at_the_bytes() {
    let names = |dtype: &str, filters: &str| -> Vec<String> {
        let array = parse(&[("dtype", dtype), ("filters", filters)]).expect("good");
        let text = emit(&array).expect("sayable");
        let again = V2.parse(0, text.as_bytes()).expect("good");
        let NodeMetadata::Array(again) = again else { panic!("no array: {text}") };
        assert_eq!(again.codecs, array.codecs, "{text}");
        array.codecs.iter().take_while(|c| c.name != "zstd").map(|c| c.name.clone()).collect()
    };
    let delta = r#"{"id": "delta", "dtype": "<i4", "astype": "<i4"}"#;
    assert_eq!(names(r#""<i4""#, &format!("[{delta}]"))[..2], ["delta", "bytes"]);
    // same size, another kind
    assert_eq!(names(r#""<f4""#, &format!("[{delta}]"))[..2], ["delta", "bytes"]);
    // another byte order, another size, after a checksum
    assert_eq!(names(r#"">i4""#, &format!("[{delta}]"))[..2], ["bytes", "delta"]);
    assert_eq!(names(r#""<f8""#, &format!("[{delta}]"))[..2], ["bytes", "delta"]);
    let behind = format!(r#"[{{"id": "crc32"}}, {delta}, {{"id": "packbits"}}]"#);
    let expected = ["bytes", "crc32", "delta", "numcodecs.packbits"];
    assert_eq!(names(r#"">i4""#, &behind)[..4], expected);
}

#[test]
fn what_v2_cannot_say() {
    let array = parse(&[("shape", "[4, 9, 2]"), ("chunks", "[2, 3, 2]")]).expect("good");
    let with = |change: &dyn Fn(&mut ArrayMetadata)| {
        let mut array = array.clone();
        change(&mut array);
        emit(&array).expect_err("not sayable").to_string()
    };
    let e = with(&|a| a.codecs.insert(0, codec("transpose", "order", json!([1, 0, 2]))));
    assert!(e.contains("transpose"), "{e}");
    let e = with(&|a| a.codecs = vec![codec("sharding_indexed", "chunk_shape", json!([1, 1, 1]))]);
    assert!(e.contains("sharding_indexed"), "{e}");
    let e = with(&|a| a.codecs.insert(0, CodecSpec::new("zlib", Map::new())));
    assert!(e.contains("zlib"), "{e}");
    let e = with(&|a| a.chunk_keys = KeyEncoding::Default('/'));
    assert!(e.contains("chunk keys"), "{e}");
    let e = with(&|a| a.dimension_names = Some(vec![Some("x".into()), None, None]));
    assert!(e.contains("names"), "{e}");
    let e = with(&|a| {
        a.data_type = DataType::BFloat16;
        a.fill_value = None;
        a.codecs = vec![codec("bytes", "endian", json!("big"))];
    });
    assert!(e.contains("bfloat16"), "{e}");
    let e = with(&|a| a.codecs = vec![codec("bytes", "endian", json!("middle"))]);
    assert!(e.contains("endian"), "{e}");
    with(&|a| a.dimension_names = Some(vec![None]));
    with(&|a| a.fill_value = Some([0; 3].into()));
}

#[test]
fn attributes_and_dimension_names() {
    let mut array = parse(&[]).expect("good");
    array.dimension_names = Some(vec![Some("y".into()), Some("x".into())]);
    let mut attributes = Attributes::default();
    attributes.set("units", "\"K\"").expect("JSON");
    array.attributes = Some(attributes);
    let path = NodePath::parse("a/b").expect("good");
    let documents = V2.emit(&path, &NodeMetadata::Array(Box::new(array))).expect("good");
    let keys: Vec<&str> = documents.iter().map(|d| &d.0[..]).collect();
    assert_eq!(keys, ["a/b/.zattrs", "a/b/.zarray"]);
    assert_eq!(
        documents[0].1,
        b"{\n  \"units\": \"K\",\n  \"_ARRAY_DIMENSIONS\": [\"y\", \"x\"]\n}\n"
    );

    let read = Attributes::parse(&documents[0].1).expect("good");
    let names = V2.dimension_names(&read, 2).expect("names");
    assert_eq!(names, [Some("y".to_owned()), Some("x".to_owned())]);
    assert_eq!(V2.dimension_names(&read, 3), None);
    for other in ["{\"_ARRAY_DIMENSIONS\": \"xy\"}", "{\"_ARRAY_DIMENSIONS\": [1, 2]}", "{}"] {
        let read = Attributes::parse(other.as_bytes()).expect("good");
        assert_eq!(V2.dimension_names(&read, 2), None);
    }

    let group = NodeMetadata::Group(GroupMetadata::default());
    let documents = V2.emit(&path, &group).expect("good");
    assert_eq!(documents, [("a/b/.zgroup".into(), b"{\n  \"zarr_format\": 2\n}\n".to_vec())]);
}

#[test]
fn changes_leave_the_rest_alone() {
    let old = "{ \"shape\" :[4,\n9], \"fill_value\": 1.50, \"own\": [NaN], \"chunks\": [2, 3]}";
    let mut get = |key: &str| {
        assert_eq!(key, "a/.zarray");
        Ok(Some(old.as_bytes().to_vec()))
    };
    let path = NodePath::parse("a").expect("good");
    let (key, new) =
        V2.change(&path, NodeKind::Array, Change::Shape(&[5, 0]), &mut get).expect("good");
    assert_eq!(key, "a/.zarray");
    assert_eq!(
        String::from_utf8(new).expect("text"),
        "{ \"shape\" :[5, 0], \"fill_value\": 1.50, \"own\": [NaN], \"chunks\": [2, 3]}"
    );
    let e = V2.change(&path, NodeKind::Array, Change::Shape(&[5]), &mut get).expect_err("rank");
    assert_eq!(e.kind(), Kind::Conflict);
    let gone = V2.change(&path, NodeKind::Array, Change::Shape(&[5]), &mut |_| Ok(None));
    assert_eq!(gone.expect_err("gone").kind(), Kind::NotFound);

    let attributes = Attributes::parse(b"{\"big\": 123456789012345678901}").expect("good");
    let (key, new) = V2
        .change(&path, NodeKind::Group, Change::Attributes(&attributes), &mut |_| Ok(None))
        .expect("good");
    assert_eq!(
        (&key[..], &new[..]),
        ("a/.zattrs", &b"{\n  \"big\": 123456789012345678901\n}\n"[..])
    );
}

#[test]
fn consolidated_metadata() {
    let path = NodePath::parse("g").expect("good");
    let text = br#"{"metadata": {".zgroup": {"zarr_format": 2}, "a/.zarray": {"fill_value": NaN},
        "a/.zattrs": {"n": 1.10}, "a/.other": {}}, "zarr_consolidated_format": 1}"#;
    let found = V2.parse_consolidated(&path, text).expect("good").expect("some");
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|(key, text)| (&key[..], std::str::from_utf8(text).expect("text")))
        .collect();
    assert_eq!(
        found,
        [
            ("g/.zgroup", r#"{"zarr_format": 2}"#),
            ("g/a/.zarray", r#"{"fill_value": NaN}"#),
            ("g/a/.zattrs", r#"{"n": 1.10}"#),
        ]
    );
    for (bad, kind) in [
        (
            &br#"{"zarr_consolidated_format": 1, "metadata": {"../x/.zarray": {}}}"#[..],
            Kind::InvalidMetadata,
        ),
        (
            br#"{"zarr_consolidated_format": 1, "metadata": {"a\\..\\..\\x/.zarray": {}}}"#,
            Kind::InvalidMetadata,
        ),
        (br#"{"zarr_consolidated_format": 1, "metadata": []}"#, Kind::InvalidMetadata),
        (br#"{"zarr_consolidated_format": 1}"#, Kind::InvalidMetadata),
        (br#"{"zarr_consolidated_format": 2, "metadata": {}}"#, Kind::Unsupported),
        (br#"{"metadata": {}}"#, Kind::InvalidMetadata),
        (b"{", Kind::InvalidMetadata),
    ] {
        assert_eq!(V2.parse_consolidated(&path, bad).expect_err("bad").kind(), kind);
    }
    let documents = [
        ("g/.zgroup".to_owned(), b"{\"zarr_format\": 2}".to_vec()),
        ("g/a/.zattrs".to_owned(), b"{\"x\": NaN}".to_vec()),
    ];
    let text = V2.emit_consolidated(&path, &documents, None).expect("good");
    let read = V2.parse_consolidated(&path, &text).expect("own document").expect("some");
    assert_eq!(read[0].0, "g/.zgroup");
    assert_eq!(read[1], ("g/a/.zattrs".to_owned(), b"{\"x\":NaN}".to_vec()));
}

#[test]
fn new_paths() {
    for good in ["", "a/b", "0.0", "zarr.json", "__x"] {
        assert!(V2.check_new_path(&NodePath::parse(good).expect("good")).is_ok(), "{good}");
    }
    for bad in [".zarray", "a/.zgroup/b", ".zattrs", "a/.zmetadata"] {
        let e = V2.check_new_path(&NodePath::parse(bad).expect("good")).expect_err(bad);
        assert_eq!(e.kind(), Kind::InvalidArgument);
    }
}

#[test]
fn types_and_fills_in_any_spelling() {
    for (text, name, order) in [
        ("|S12", "fixed bytes[12]", None),
        ("<M8[ns]", "datetime64[1ns]", Some(Endian::Little)),
        (">f8", "float64", Some(Endian::Big)),
        (" float32 ", "float32", None),
        ("\"float32\"", "float32", None),
        ("\">i2\"", "int16", Some(Endian::Big)),
        ("[[\"a\", \">i2\"]]", "struct", Some(Endian::Big)),
        (
            "{\"name\": \"raw_bytes\", \"configuration\": {\"length_bytes\": 3}}",
            "raw bytes[3]",
            None,
        ),
        ("r16", "raw bytes[2]", None),
    ] {
        let (data_type, stated) = parse_data_type(text).expect(text);
        assert_eq!((&data_type.name()[..], stated), (name, order), "{text}");
    }
    for bad in ["", "float", "int7", "r7", "{", "[", "{}"] {
        assert!(parse_data_type(bad).is_err(), "{bad}");
    }
    let fill = |json, format| parse_fill_json(&DataType::Float32, None, json, format);
    for json in [" NaN ", "\"NaN\""] {
        let nan = fill(json, FormatId::V3).expect("good").expect("some");
        assert_eq!(*nan, 0x7fc0_0000u32.to_ne_bytes());
    }
    assert_eq!(fill("null", FormatId::V2).expect("good"), None);
    assert!(fill("1 2", FormatId::V2).is_err());
    assert!(fill("", FormatId::V2).is_err());
}

#[test]
fn format_numbers() {
    assert_eq!(FormatId::from_number(0).expect("any"), None);
    assert_eq!(FormatId::from_number(2).expect("v2"), Some(FormatId::V2));
    assert_eq!(FormatId::V3.number(), 3);
    for number in 1..=7 {
        let id = FormatId::from_number(number).expect("known").expect("one");
        assert_eq!(id.number(), number);
    }
    assert_eq!(FormatId::from_number(8).expect_err("none").kind(), Kind::InvalidArgument);
    assert_eq!(FormatId::from_number(-1).expect_err("none").kind(), Kind::InvalidArgument);
}

#[test]
fn objects_are_what_their_first_filter_makes_bytes_of() {
    let object = |filter: &str, fill: &str, order: &str| {
        let filters = format!("[{filter}]");
        parse(&[
            ("dtype", "\"|O\""),
            ("filters", &filters),
            ("fill_value", fill),
            ("order", order),
            ("compressor", "null"),
        ])
        .expect(filter)
    };
    for (filter, fill, data_type, element) in [
        (r#"{"id": "vlen-utf8"}"#, r#""h\u00e9""#, DataType::String, Some("h\u{e9}".as_bytes())),
        (r#"{"id": "vlen-utf8"}"#, "0", DataType::String, Some(&[])),
        (r#"{"id": "vlen-utf8"}"#, "null", DataType::String, None),
        (r#"{"id": "vlen-bytes"}"#, r#""AP8=""#, DataType::Bytes, Some(&[0, 255])),
        (r#"{"id": "json2"}"#, r#"{"a": [1]}"#, DataType::Json, Some(br#"{"a": [1]}"#)),
        (r#"{"id": "msgpack2"}"#, "0", DataType::Json, Some(b"0")),
        (r#"{"id": "pickle"}"#, "null", DataType::Json, None),
    ] {
        let array = object(filter, fill, "\"C\"");
        assert_eq!(array.data_type, data_type, "{filter}");
        assert_eq!(array.fill_value.as_deref(), element, "{filter} {fill}");
        assert_eq!(array.codecs.len(), 1, "{filter}");
    }
    let filter = r#"{"id": "vlen-array", "dtype": ">i2"}"#;
    let runs = object(filter, "[1, -2]", "\"F\"");
    assert_eq!(runs.data_type, DataType::Ragged(DataType::Int16.into()));
    let items = [1i16, -2].map(i16::to_ne_bytes).concat();
    assert_eq!(runs.fill_value.as_deref(), Some(&items[..]));
    assert_eq!(runs.codecs[0].name, "transpose");
    let text = emit_array(&runs).expect("v2 has it");
    let back = V2.parse(0, &text).expect("good");
    assert_eq!(back, NodeMetadata::Array(Box::new(runs)));
    // the bytes contain the shape
    let json = object(r#"{"id": "json2"}"#, "null", "\"F\"");
    assert_eq!(json.codecs[0].name, "json2");
}
