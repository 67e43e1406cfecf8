//! Stores of every format through the hierarchy: what they are taken for, how many requests that
//! costs, where nodes are found, and what creating, changing and deleting them leaves behind.

use crate::common::{hierarchy as open, path};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use zarrc::array::MemoryType;
use zarrc::error::{Kind, Result};
use zarrc::format::{FormatId, NodeKind};
use zarrc::hierarchy::{ArrayNode, ArraySpec, FillSpec};
use zarrc::metadata::{DataType, NodePath};
use zarrc::selection::Region;
use zarrc::source::ByteSource;
use zarrc::store::{Depth, Entry, Key, Precondition, SharedStore, Store, Version};
use zarrc::strided::{View, ViewMut};

const ALL: [FormatId; 6] = [
    FormatId::V1,
    FormatId::V2,
    FormatId::V3,
    FormatId::V3Draft2019,
    FormatId::V3Draft2020,
    FormatId::V3Draft2022,
];

/// A store that notes what keys and prefixes are asked for.
struct Counted {
    inner: SharedStore,
    keys: Mutex<Vec<String>>,
}

impl Counted {
    fn new(inner: SharedStore) -> Arc<Self> {
        Arc::new(Counted { inner, keys: Mutex::default() })
    }

    fn count(&self, what: &str) {
        self.keys.lock().expect("whole").push(what.to_owned());
    }

    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut self.keys.lock().expect("whole"))
    }
}

impl Store for Counted {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn read_only(&self) -> bool {
        self.inner.read_only()
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.count(key.as_str());
        self.inner.get(key, out)
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        self.inner.source(key)
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        self.count(key.as_str());
        self.inner.version(key)
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        self.inner.set(key, parts, when)
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        self.inner.erase(key, when)
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        self.inner.erase_prefix(prefix)
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        self.count(&format!("{prefix}*"));
        self.inner.list(prefix, depth, each)
    }
}

fn memory(documents: &[(&str, &str)]) -> SharedStore {
    let store = crate::common::memory();
    for (key, text) in documents {
        put(&store, key, text);
    }
    store
}

fn put(store: &SharedStore, key: &str, text: &str) {
    let key = Key::parse(key).expect("a key");
    store.set(&key, &[text.as_bytes()], &Precondition::None).expect("set");
}

fn keys(store: &SharedStore) -> Vec<String> {
    let mut keys = Vec::new();
    store
        .list("", Depth::All, &mut |entry| {
            if let Entry::Key(key) = entry {
                keys.push(key.to_owned());
            }
            Ok(())
        })
        .expect("a list");
    keys.sort();
    keys
}

fn text(store: &SharedStore, key: &str) -> String {
    let mut out = Vec::new();
    let found = store.get(&Key::parse(key).expect("a key"), &mut out).expect("get");
    assert!(found.is_some(), "{key} is not there: {:?}", keys(store));
    String::from_utf8(out).expect("text")
}

fn spec(format: FormatId) -> ArraySpec {
    let mut spec = ArraySpec::new(DataType::Int32, vec![5, 4]);
    spec.format = Some(format);
    spec.chunk_shape = Some(vec![2, 3]);
    spec.fill_value = FillSpec::Json("-7".into());
    spec
}

fn write(node: &ArrayNode, values: &[i32]) {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
    let shape = node.array.shape();
    let extents: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
    let view = View::contiguous(&bytes, &extents, 4).expect("a view");
    node.array.write(&Region::whole(&shape), MemoryType::Native, &view).expect("write");
}

fn read(node: &ArrayNode) -> Vec<i32> {
    let shape = node.array.shape();
    let extents: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
    let mut bytes = vec![0u8; 4 * extents.iter().product::<usize>()];
    let view = ViewMut::contiguous(&mut bytes, &extents, 4).expect("a view");
    node.array.read(&Region::whole(&shape), MemoryType::Native, view).expect("read");
    bytes.chunks_exact(4).map(|b| i32::from_ne_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// Where an array lies in a store of that format.
fn place(format: FormatId) -> NodePath {
    if format == FormatId::V1 { NodePath::root() } else { path("g/a") }
}

#[test]
fn every_format_is_created_recognised_resized_and_deleted() {
    for format in ALL {
        let name = format.name();
        let store = memory(&[]);
        let at = place(format);
        let mut spec = spec(format);
        spec.attributes.set("units", "\"K\"").expect("JSON");
        let array = open(&store, &[]).create_array(&at, &spec).expect(name);
        let values: Vec<i32> = (0..20).collect();
        write(&array, &values);
        let doubled = open(&store, &[]).create_array(&at, &spec).map(|_| ()).expect_err(name);
        assert_eq!(doubled.kind(), Kind::AlreadyExists, "{name}: {doubled}");

        // a reader that knows nothing finds it, whatever it looks at first
        let reader = open(&store, &[]);
        let again = reader.open_array(&at).expect(name);
        assert_eq!((again.format(), read(&again)), (format, values.clone()), "{name}");
        let units = again.attributes().read(|a| Ok(a.get("units").map(str::to_owned)));
        assert_eq!(units.expect(name).as_deref(), Some("\"K\""), "{name}");
        assert_eq!(reader.kind_at(&at).expect(name), Some(NodeKind::Array), "{name}");

        again.attributes().write(&mut |a| a.set("new", "[1.0]")).expect(name);
        again.resize(&[3, 4]).expect(name);
        let after = open(&store, &[]).open_array(&at).expect(name);
        assert_eq!(read(&after), values[..12], "{name}");
        let all = after.attributes().read(|a| Ok(a.to_json())).expect(name);
        assert_eq!(all, r#"{"units":"K","new":[1.0]}"#, "{name}");
        after.resize(&[5, 4]).expect(name);
        let filled: Vec<i32> = values[..12].iter().copied().chain([-7; 8]).collect();
        assert_eq!(read(&after), filled, "{name}");

        if format != FormatId::V1 {
            let reader = open(&store, &[]);
            let group = reader.open_group(&path("g")).expect(name);
            assert_eq!(group.format(), format);
            // implicit or not, it can get attributes
            group.attributes().write(&mut |a| a.set("k", "1")).expect(name);
            let listed = open(&store, &[]).open_group(&path("")).expect(name).list(true);
            let listed: Vec<_> =
                listed.expect(name).into_iter().map(|l| (l.path, l.kind)).collect();
            let (group, array) = (Some(NodeKind::Group), Some(NodeKind::Array));
            assert_eq!(listed, [("g".into(), group), ("g/a".into(), array)], "{name}");
            // nothing lies below an array
            let below = reader.create_array(&path("g/a/b"), &spec).map(|_| ()).expect_err(name);
            assert_eq!(below.kind(), Kind::InvalidArgument, "{name}: {below}");
            reader.delete(&path("g/a")).expect(name);
            assert_eq!(reader.kind_at(&at).expect(name), None, "{name}");
            assert!(keys(&store).iter().all(|key| !key.contains("/a")), "{:?}", keys(&store));
        }
        open(&store, &[]).delete(&path("")).expect(name);
        assert_eq!(keys(&store), [""; 0], "{name}");
        let gone = open(&store, &[]).open_group(&path("")).map(|_| ()).expect_err(name);
        assert_eq!(gone.kind(), Kind::NotFound, "{name}: {gone}");
    }
}

#[test]
fn documents_and_chunks_lie_where_the_format_says() {
    for (format, expected) in [
        (FormatId::V1, &["2.1", "attrs", "meta"][..]),
        (FormatId::V3Draft2019, &["data/g/a/2.1", "meta/root/g/a.array"]),
        (FormatId::V3Draft2020, &["data/root/g/a/c2/1", "meta/root/g/a.array.json", "zarr.json"]),
        (FormatId::V3Draft2022, &["data/g/a/c2/1", "meta/g/a.array.json", "zarr.json"]),
    ] {
        let store = memory(&[]);
        let array = open(&store, &[]).create_array(&place(format), &spec(format)).expect("new");
        let mut values = [-7; 20];
        values[19] = 1;
        write(&array, &values);
        assert_eq!(keys(&store), expected);
    }
    for (format, expected) in [
        (FormatId::V3Draft2019, ["data/2.1", "meta/root.array"].as_slice()),
        (FormatId::V3Draft2020, &["data/root/c2/1", "meta/root.array.json", "zarr.json"]),
        (FormatId::V3Draft2022, &["data/c2/1", "meta/array.json", "zarr.json"]),
    ] {
        let store = memory(&[]);
        let array = open(&store, &[]).create_array(&path(""), &spec(format)).expect("new");
        let mut values = [-7; 20];
        values[19] = 1;
        write(&array, &values);
        assert_eq!(keys(&store), expected);
        assert_eq!(read(&open(&store, &[]).open_array(&path("")).expect("there")), values);
    }
}

#[test]
fn new_nodes_are_of_the_format_of_their_store() {
    for format in ALL.into_iter().filter(|f| *f != FormatId::V1) {
        let store = memory(&[]);
        open(&store, &[]).create_group(&path("x"), Some(format)).expect("a group");
        let mut spec = spec(format);
        spec.format = None;
        let array = open(&store, &[]).create_array(&path("y/z"), &spec).expect("an array");
        assert_eq!(array.format(), format);
        // a store of its own kind takes no other
        let other =
            if format == FormatId::V3Draft2019 { FormatId::V3 } else { FormatId::V3Draft2019 };
        let refused = open(&store, &[]).create_group(&path("o"), Some(other)).map(|_| ());
        assert_eq!(refused.expect_err("another").kind(), Kind::InvalidArgument);
    }
    let store = memory(&[]);
    let wanted = open(&store, &[("format", "v3-2020")]);
    let mut spec = spec(FormatId::V3);
    spec.format = None;
    assert_eq!(
        wanted.create_array(&path("a"), &spec).expect("new").format(),
        FormatId::V3Draft2020
    );
    let refused = wanted.create_group(&path("b"), Some(FormatId::V2)).map(|_| ());
    assert_eq!(refused.expect_err("another").kind(), Kind::InvalidArgument);
}

#[test]
fn v3_goes_before_v2_unless_the_caller_says_so() {
    let group2 = r#"{"zarr_format": 2}"#;
    let group3 = r#"{"zarr_format": 3, "node_type": "group", "attributes": {"v": 3}}"#;
    let store = memory(&[
        (".zgroup", group2),
        ("zarr.json", group3),
        ("a/.zgroup", group2),
        ("a/zarr.json", group3),
        ("b/.zgroup", group2),
    ]);
    for (options, root, a, b) in [
        (&[][..], Some(FormatId::V3), Some(FormatId::V3), Some(FormatId::V2)),
        (&[("format", "v2")], Some(FormatId::V2), Some(FormatId::V2), Some(FormatId::V2)),
        (&[("format", "v3")], Some(FormatId::V3), Some(FormatId::V3), None),
        (&[("format", "v3-2020")], None, None, None),
        (&[("format", "v1")], None, None, None),
    ] {
        let store = open(&store, options);
        for (at, expected) in [("", root), ("a", a), ("b", b)] {
            let found = store.open_group(&path(at)).map(|g| g.format());
            match expected {
                Some(format) => assert_eq!(found.expect(at), format, "{options:?} {at:?}"),
                None => assert_eq!(found.expect_err(at).kind(), Kind::NotFound, "{options:?}"),
            }
        }
    }
}

#[test]
fn what_was_looked_for_is_said() {
    let store = memory(&[("readme.txt", "nothing"), ("sub/x", "")]);
    let error = open(&store, &[]).open_array(&path("")).map(|_| ()).expect_err("plain files");
    assert_eq!(error.kind(), Kind::NotFound);
    for key in ["zarr.json", ".zarray", ".zgroup", ".zmetadata", "meta", "meta/root.array"] {
        assert!(error.to_string().contains(key), "{error}");
    }
    let store = open(&store, &[("format", "v3-2020")]);
    let error = store.open_group(&path("a")).map(|_| ()).expect_err("nothing");
    assert!(error.to_string().contains("zarr.json") && !error.to_string().contains(".zarray"));
}

#[test]
fn opening_costs_no_look_at_the_root() {
    let (v3, v2) = (FormatId::V3, FormatId::V2);
    for (format, at, expected) in [
        (v3, "", &["zarr.json"][..]),
        (v3, "g/a", &["g/a/zarr.json"]),
        (v2, "", &["zarr.json", ".zarray"]),
        (v2, "g/a", &["g/a/zarr.json", "g/a/.zarray"]),
    ] {
        let store = memory(&[]);
        open(&store, &[]).create_array(&path(at), &spec(format)).expect("new");
        let counted = Counted::new(store);
        let shared: SharedStore = counted.clone();
        let reader = open(&shared, &[]);
        reader.open_array(&path(at)).expect("there");
        assert_eq!(counted.taken(), expected);
        reader.open_array(&path(at)).expect("there");
        assert_eq!(counted.taken().len(), expected.len());
    }
    // in a draft, the root is looked at once
    let store = memory(&[]);
    open(&store, &[]).create_array(&path("a"), &spec(FormatId::V3Draft2022)).expect("new");
    let counted = Counted::new(store);
    let shared: SharedStore = counted.clone();
    let reader = open(&shared, &[]);
    reader.open_array(&path("a")).expect("there");
    counted.taken();
    reader.open_array(&path("a")).expect("there");
    assert_eq!(counted.taken(), ["meta/a.array.json"]);
}

const CORE_2020: &str = "https://purl.org/zarr/spec/protocol/core/3.0";

fn array_2020(data_type: &str, more: &str) -> String {
    format!(
        r#"{{"shape": [2], "data_type": {data_type}, "chunk_memory_layout": "C", "fill_value": 0,
        "chunk_grid": {{"type": "regular", "chunk_shape": [2]}}, "attributes": {{}}{more}}}"#
    )
}

#[test]
fn the_entry_point_rules_the_rest() {
    let entry = |encoding: &str, more: &str| {
        format!(r#"{{"zarr_format": "{CORE_2020}", "metadata_encoding": "{encoding}"{more}}}"#)
    };
    let must = r#", "extensions": [{"extension": "https://x.org/e", "must_understand": true}]"#;
    let may = must.replace("true", "false");
    let array = array_2020("\"<i4\"", "");
    for (entry, key, expected) in [
        (entry(CORE_2020, ""), "meta/root/a.array.json", None),
        (
            entry("http://purl.org/zarr/spec/protocol/core/3.1", &may),
            "meta/root/a.array.json",
            None,
        ),
        (entry(CORE_2020, r#", "metadata_key_suffix": ".meta""#), "meta/root/a.array.meta", None),
        (entry(CORE_2020, r#", "metadata_key_suffix": """#), "meta/root/a.array", None),
        (entry(CORE_2020, r#", "metadata_key_suffix": "/../x""#), "x", Some(Kind::InvalidMetadata)),
        (entry(CORE_2020, must), "meta/root/a.array.json", Some(Kind::Unsupported)),
        (entry("https://x.org/cbor", ""), "meta/root/a.array.json", Some(Kind::Unsupported)),
        (entry(CORE_2020, "").replace("3.0", "4.0"), "x", Some(Kind::Unsupported)),
        (entry(CORE_2020, "").replace(CORE_2020, "urn:x"), "x", Some(Kind::Unsupported)),
    ] {
        let store = memory(&[("zarr.json", &entry), (key, &array)]);
        let opened = open(&store, &[]).open_array(&path("a")).map(|_| ());
        match expected {
            None => opened.expect(&entry),
            Some(kind) => assert_eq!(opened.expect_err(&entry).kind(), kind, "{entry}"),
        }
    }
}

#[test]
fn unknown_types_fall_back_unless_that_is_forbidden() {
    let entry = format!(r#"{{"zarr_format": "{CORE_2020}", "metadata_encoding": "{CORE_2020}"}}"#);
    let unknown = |fallback: &str| {
        format!(r#"{{"extension": "https://x.org/t", "type": "fancy", "fallback": {fallback}}}"#)
    };
    for (fallback, data_type) in [
        (r#""<u2""#, Some(DataType::UInt16)),
        (r#""r24""#, Some(DataType::Raw(3))),
        (r#"["fancier", "r16"]"#, Some(DataType::Raw(2))),
        (r#"["fancier"]"#, None),
        ("null", None),
    ] {
        let array =
            array_2020(&unknown(fallback), "").replace("\"fill_value\": 0", "\"fill_value\": null");
        let store = memory(&[("zarr.json", &entry), ("meta/root/a.array.json", &array)]);
        let opened = open(&store, &[]).open_array(&path("a"));
        match data_type {
            Some(expected) => {
                assert_eq!(opened.expect(fallback).array.metadata().data_type, expected);
            }
            None => assert_eq!(opened.map(|_| ()).expect_err(fallback).kind(), Kind::Unsupported),
        }
        let strict = open(&store, &[("data_type_fallback", "no")]).open_array(&path("a"));
        assert_eq!(strict.map(|_| ()).expect_err(fallback).kind(), Kind::Unsupported);
    }
}

#[test]
fn a_scalar_is_found_under_either_key() {
    for (chunk, expected) in [("c", "c"), ("c0", "c0")] {
        let store = memory(&[]);
        let mut spec = spec(FormatId::V3Draft2020);
        (spec.shape, spec.chunk_shape, spec.codecs) = (vec![], None, Some(vec![]));
        open(&store, &[]).create_array(&path("a"), &spec).expect("new");
        let key = format!("data/root/a/{chunk}");
        let value = Key::parse(&key).expect("a key");
        store.set(&value, &[&42i32.to_le_bytes()], &Precondition::None).expect("set");
        let array = open(&store, &[]).open_array(&path("a")).expect("there");
        assert_eq!(read(&array), [42]);
        write(&array, &[43]);
        let chunks: Vec<_> = keys(&store).into_iter().filter(|k| k.starts_with("data")).collect();
        assert_eq!(chunks, [format!("data/root/a/{expected}")]);
    }
}

#[test]
fn implicit_groups_come_and_go_with_what_lies_below() {
    for format in [FormatId::V3Draft2019, FormatId::V3Draft2020, FormatId::V3Draft2022] {
        let store = memory(&[]);
        let nodes = open(&store, &[]);
        nodes.create_array(&path("p/q/a"), &spec(format)).expect("new");
        for at in ["", "p", "p/q"] {
            assert_eq!(nodes.kind_at(&path(at)).expect(at), Some(NodeKind::Group), "{at}");
        }
        assert_eq!(nodes.kind_at(&path("p/r")).expect("none"), None);
        // an array cannot take the place of a group, implied or not
        let taken = nodes.create_array(&path("p"), &spec(format)).map(|_| ()).expect_err("a group");
        assert_eq!(taken.kind(), Kind::AlreadyExists, "{taken}");
        let group = nodes.create_group(&path("p"), None).expect("made explicit");
        assert_eq!(group.list(false).expect("a list").len(), 1);
        nodes.delete(&path("p/q")).expect("deleted");
        assert_eq!(nodes.kind_at(&path("p/q")).expect("none"), None);
        assert_eq!(nodes.kind_at(&path("p")).expect("explicit"), Some(NodeKind::Group));
        assert_eq!(keys(&store).iter().filter(|k| k.contains("/a")).count(), 0);
        for bad in ["a b", "..x/é", "..."] {
            let refused =
                NodePath::parse(bad).and_then(|p| nodes.create_group(&p, None).map(|_| ()));
            assert_eq!(refused.expect_err(bad).kind(), Kind::InvalidArgument);
        }
    }
}

/// Each group above a node takes a look at the store, so a long name could take hours.
#[test]
fn names_of_many_segments_take_little_time() {
    let began = std::time::Instant::now();
    for (documents, deep) in
        [(&["zarr.json"][..], "zarr.json"), (&[".zgroup"], ".zarray"), (&[".zgroup"], "b")]
    {
        let store = memory(&[]);
        for document in documents {
            put(&store, document, r#"{"zarr_format": 3, "node_type": "group"}"#);
        }
        if documents == [".zgroup"] {
            put(&store, ".zgroup", r#"{"zarr_format": 2}"#);
        }
        for n in 0..4 {
            put(&store, &format!("{n}/{}{deep}", "a/".repeat(900)), "{}");
        }
        let root = open(&store, &[]).open_group(&path("")).expect("root");
        if let Err(e) = root.list(true) {
            assert_eq!(e.kind(), Kind::LimitExceeded, "{e}");
        }
        assert!(root.list(false).expect("a list").len() <= 4);
    }
    assert!(began.elapsed() < std::time::Duration::from_secs(60));
    // as deep as anyone goes
    let store = memory(&[]);
    let nodes = open(&store, &[]);
    nodes.create_group(&path(&vec!["a"; 100].join("/")), Some(FormatId::V3)).expect("new");
    let listed = nodes.open_group(&path("")).expect("root").list(true).expect("a list");
    assert_eq!(listed.len(), 100);
}

/// A document that is larger than the option allows is refused before it is parsed.
#[test]
fn documents_are_bounded() {
    let store = memory(&[]);
    let nodes = open(&store, &[]);
    nodes.create_group(&path("a"), Some(FormatId::V3)).expect("new");
    assert!(open(&store, &[("max_document_size", "1KiB")]).open_group(&path("a")).is_ok());
    let small = open(&store, &[("max_document_size", "20")]);
    let e = small.open_group(&path("a")).map(|_| ()).expect_err("too long");
    assert!(e.kind() == Kind::LimitExceeded && e.to_string().contains("max_document_size"), "{e}");
}

#[test]
fn a_bad_node_leaves_its_neighbours_readable() {
    let store = memory(&[]);
    let nodes = open(&store, &[]);
    nodes.create_array(&path("good"), &spec(FormatId::V3Draft2022)).expect("new");
    put(&store, "meta/bad.array.json", "{");
    put(&store, "meta/odd.array.json", "{\"shape\": 7}");
    put(&store, "meta/.array.json", "{}");
    let listed = open(&store, &[]).open_group(&path("")).expect("root").list(true).expect("a list");
    let names: BTreeMap<_, _> = listed.into_iter().map(|l| (l.path, l.kind)).collect();
    assert_eq!(names.keys().collect::<Vec<_>>(), ["bad", "good", "odd"]);
    let error = nodes.open_array(&path("bad")).map(|_| ()).expect_err("broken");
    assert_eq!(error.kind(), Kind::InvalidMetadata);
    nodes.open_array(&path("good")).expect("good");
    nodes.delete(&path("bad")).expect("deleted");
    assert_eq!(nodes.kind_at(&path("bad")).expect("gone"), None);
}

#[test]
fn numcodecs_filters_of_2020_are_no_attributes() {
    let store = memory(&[]);
    let mut spec = spec(FormatId::V3Draft2020);
    spec.attributes.set("k", "1").expect("JSON");
    let codec = |name: &str, c: serde_json::Value| {
        zarrc::metadata::CodecSpec::new(name, c.as_object().cloned().unwrap_or_default())
    };
    spec.codecs = Some(vec![
        codec("shuffle", serde_json::json!({"elementsize": 4})),
        codec("zlib", serde_json::json!({"level": 1})),
    ]);
    let array = open(&store, &[]).create_array(&path("a"), &spec).expect("new");
    let values: Vec<i32> = (0..20).collect();
    write(&array, &values);
    let document = text(&store, "meta/root/a.array.json");
    assert!(document.contains(r#""filters":[{"id":"shuffle""#), "{document}");
    let array = open(&store, &[]).open_array(&path("a")).expect("there");
    let attributes = array.attributes().read(|a| Ok(a.to_json())).expect("attributes");
    assert_eq!(attributes, r#"{"k":1}"#);
    array.attributes().write(&mut |a| a.set("k", "2")).expect("written");
    let array = open(&store, &[]).open_array(&path("a")).expect("there");
    assert_eq!(read(&array), values);
}
