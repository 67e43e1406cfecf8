//! Conversion between formats: what is read afterwards is what was there, chunks that may stay
//! stay, an interrupted run goes on, and what cannot be said is told before anything is written.

use crate::common::path;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use zarrc::array::MemoryType;
use zarrc::error::Kind;
use zarrc::format::{FormatId, NodeKind};
use zarrc::hierarchy::{ArrayNode, ArraySpec, FillSpec, Hierarchy};
use zarrc::metadata::{CodecSpec, DataType, Endian};
use zarrc::operations::{Accept, Conversion};
use zarrc::progress::Progress;
use zarrc::selection::Region;
use zarrc::store::{self, Depth, Entry, Key, Mode, Options};
use zarrc::strided::{View, ViewMut};

fn open_as(name: &str, format: &str) -> Arc<Hierarchy> {
    let mut options = Options::default();
    options.set("format", format).expect("an option");
    let store =
        store::open(&format!("memory:convert-{name}"), Mode::Append, &options).expect("memory");
    Arc::new(Hierarchy::new(store, &options))
}

fn open(name: &str) -> Arc<Hierarchy> {
    open_as(name, "auto")
}

fn keys(hierarchy: &Hierarchy) -> Vec<String> {
    let mut keys = Vec::new();
    let mut each = |entry: Entry<'_>| {
        if let Entry::Key(key) = entry {
            keys.push(key.to_owned());
        }
        Ok(())
    };
    hierarchy.store().list("", Depth::All, &mut each).expect("a listing");
    keys.sort();
    keys
}

fn value(hierarchy: &Hierarchy, key: &str) -> Vec<u8> {
    let mut value = Vec::new();
    let there = hierarchy.store().get(&Key::parse(key).expect("a key"), &mut value);
    there.expect("no error").unwrap_or_else(|| panic!("{key} is not there"));
    value
}

/// Writes values that tell where they are; the last chunk of the first dimension stays missing.
fn fill(array: &ArrayNode, chunk: u64) {
    let shape = array.array.shape();
    let item = array.array.metadata().data_type.size();
    let mut count = shape.clone();
    count[0] = (count[0] - 1) / chunk * chunk;
    let counts: Vec<usize> = count.iter().map(|&n| n as usize).collect();
    let bytes: Vec<u8> = (0..counts.iter().product::<usize>() * item)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 7) as u8 & 0x3F)
        .collect();
    let region = Region::new(&shape, &vec![0; shape.len()], &count, None).expect("inside");
    let src = View::contiguous(&bytes, &counts, item).expect("fits");
    array.array.write(&region, MemoryType::Native, &src).expect("written");
}

fn codec(name: &str, configuration: &str) -> CodecSpec {
    CodecSpec::new(name, serde_json::from_str(configuration).expect("an object"))
}

fn attribute(hierarchy: &Arc<Hierarchy>, at: &str, json: &str) {
    let group = hierarchy.open_group(&path(at)).expect("a group");
    group.attributes().write(&mut |a| a.set("note", json)).expect("written");
}

/// Arrays of different types, codecs and fill values in groups with attributes.
fn build(hierarchy: &Arc<Hierarchy>, format: FormatId) {
    hierarchy.create_group(&path(""), Some(format)).expect("created");
    hierarchy.create_group(&path("a/b"), Some(format)).expect("created");
    let mut spec = ArraySpec::new(DataType::Float32, vec![10, 12]);
    spec.chunk_shape = Some(vec![4, 5]);
    spec.fill_value = FillSpec::Element((-1.5f32).to_ne_bytes().into());
    spec.codecs = Some(vec![codec("gzip", r#"{"level":1}"#)]);
    spec.attributes.set("units", "\"K\"").expect("JSON");
    fill(&hierarchy.create_array(&path("a/temperature"), &spec).expect("created"), 4);
    let mut spec = ArraySpec::new(DataType::Int16, vec![7, 6, 5]);
    spec.chunk_shape = Some(vec![2, 6, 3]);
    spec.fortran_order = true;
    spec.endian = Some(Endian::Big);
    fill(&hierarchy.create_array(&path("a/b/counts"), &spec).expect("created"), 2);
    attribute(hierarchy, "", "[1, 2.50, null]");
    attribute(hierarchy, "a/b", "{\"x\": 12345678901234567890}");
}

#[derive(Debug, PartialEq)]
struct Content {
    kind: NodeKind,
    attributes: String,
    shape: Vec<u64>,
    bytes: Vec<u8>,
}

fn content(hierarchy: &Arc<Hierarchy>, below: &str) -> BTreeMap<String, Content> {
    let group = hierarchy.open_group(&path(below)).expect("a group");
    let mut all = BTreeMap::new();
    let root = Content {
        kind: NodeKind::Group,
        attributes: group.attributes().read(|a| Ok(a.to_json())).expect("attributes"),
        shape: Vec::new(),
        bytes: Vec::new(),
    };
    all.insert(String::new(), root);
    for listed in group.list(true).expect("a listing") {
        let at = path(below).join(&listed.path).expect("a path");
        let node = if listed.kind == Some(NodeKind::Array) {
            let array = hierarchy.open_array(&at).expect("an array");
            let shape = array.array.shape();
            let counts: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
            let item = array.array.metadata().data_type.size();
            let mut bytes = vec![0; counts.iter().product::<usize>() * item];
            let dst = ViewMut::contiguous(&mut bytes, &counts, item).expect("fits");
            array.array.read(&Region::whole(&shape), MemoryType::Native, dst).expect("read");
            let attributes = array.attributes().read(|a| Ok(a.to_json())).expect("attributes");
            Content { kind: NodeKind::Array, attributes, shape, bytes }
        } else {
            let group = hierarchy.open_group(&at).expect("a group");
            let attributes = group.attributes().read(|a| Ok(a.to_json())).expect("attributes");
            Content { kind: NodeKind::Group, attributes, shape: Vec::new(), bytes: Vec::new() }
        };
        all.insert(listed.path, node);
    }
    all
}

fn plan(
    from: &Arc<Hierarchy>,
    from_path: &str,
    to: &Arc<Hierarchy>,
    to_path: &str,
    format: FormatId,
) -> zarrc::error::Result<Conversion> {
    Conversion::plan(from, &path(from_path), to, &path(to_path), format, Accept::default())
}

/// What the plan says of the chunks of a node.
fn chunks_of(conversion: &Conversion, node: &str) -> String {
    let plan = conversion.describe();
    let nodes = plan["nodes"].as_array().expect("a list");
    let found = nodes.iter().find(|n| n["path"] == node).expect("the node");
    found["chunks"].as_str().expect("a word").to_owned()
}

#[test]
fn v2_to_v3_in_place_keeps_the_chunk_files() {
    let old = open("in-place");
    build(&old, FormatId::V2);
    let before = content(&old, "");
    let chunks: Vec<(String, Vec<u8>)> = keys(&old)
        .into_iter()
        .filter(|k| !k.contains(".z"))
        .map(|k| (k.clone(), value(&old, &k)))
        .collect();
    assert_eq!(chunks.len(), 2 * 3 + 3 * 2);

    let conversion = plan(&old, "", &old, "", FormatId::V3).expect("planned");
    assert_eq!(chunks_of(&conversion, "a/temperature"), "stay");
    assert_eq!(chunks_of(&conversion, "a/b/counts"), "stay");
    conversion.run(&Progress::silent()).expect("converted");
    for (key, bytes) in &chunks {
        assert_eq!(&value(&old, key), bytes);
    }
    let documents: Vec<String> =
        keys(&old).into_iter().filter(|k| chunks.iter().all(|(c, _)| c != k)).collect();
    assert_eq!(
        documents,
        [
            "a/b/counts/zarr.json",
            "a/b/zarr.json",
            "a/temperature/zarr.json",
            "a/zarr.json",
            "zarr.json"
        ]
    );
    assert_eq!(content(&old, ""), before, "through the handle that was there");
    assert_eq!(content(&open("in-place"), ""), before);
    assert_eq!(
        open("in-place").open_array(&path("a/b/counts")).expect("there").format(),
        FormatId::V3
    );
}

#[test]
fn into_every_format_that_has_groups_and_back() {
    let formats = [
        FormatId::V2,
        FormatId::V3,
        FormatId::V3Draft2019,
        FormatId::V3Draft2020,
        FormatId::V3Draft2022,
        FormatId::N5,
    ];
    for first in [FormatId::V2, FormatId::V3] {
        let name = format!("every-{first:?}");
        let origin = open(&name);
        build(&origin, first);
        let before = content(&origin, "");
        for second in formats {
            let there = open(&format!("{name}-{second:?}"));
            if first != second {
                let done =
                    plan(&origin, "", &there, "", second).and_then(|c| c.run(&Progress::silent()));
                done.unwrap_or_else(|e| panic!("{first:?} to {second:?}: {e}"));
                assert_eq!(content(&there, ""), before, "{first:?} to {second:?}");
                // again into the same store
                let again =
                    plan(&origin, "", &there, "", second).and_then(|c| c.run(&Progress::silent()));
                assert_eq!(again.expect_err("something is there").kind(), Kind::AlreadyExists);
                // and back, below a group, by in place
                let back = open(&format!("{name}-{second:?}-back"));
                back.create_group(&path(""), Some(first)).expect("created");
                plan(&there, "", &back, "x/y", first)
                    .and_then(|c| c.run(&Progress::silent()))
                    .unwrap_or_else(|e| panic!("{second:?} to {first:?}: {e}"));
                assert_eq!(content(&back, "x/y"), before, "{second:?} back to {first:?}");
                plan(&there, "", &there, "", first)
                    .and_then(|c| c.run(&Progress::silent()))
                    .unwrap_or_else(|e| panic!("{second:?} to {first:?} in place: {e}"));
                let fresh = open(&format!("{name}-{second:?}"));
                assert_eq!(content(&fresh, ""), before, "{second:?} to {first:?} in place");
                let leftover = keys(&fresh).into_iter().find(|k| {
                    k.contains(".array") || k.contains(".zarrc") || k.starts_with("meta/")
                });
                assert_eq!(leftover, None, "{second:?} to {first:?}");
            }
        }
    }
}

#[test]
fn v1_becomes_v2_where_it_lies() {
    let store = open("one");
    let mut spec = ArraySpec::new(DataType::Int32, vec![9, 4]);
    spec.format = Some(FormatId::V1);
    spec.chunk_shape = Some(vec![2, 4]);
    spec.codecs = Some(vec![codec("zlib", r#"{"level":1}"#)]);
    spec.attributes.set("who", "\"me\"").expect("JSON");
    fill(&store.create_array(&path(""), &spec).expect("created"), 2);
    let chunk = value(&store, "1.0");
    let conversion = plan(&store, "", &store, "", FormatId::V2).expect("planned");
    assert_eq!(chunks_of(&conversion, ""), "stay");
    conversion.run(&Progress::silent()).expect("converted");
    assert_eq!(keys(&store), [".zarray", ".zattrs", "0.0", "1.0", "2.0", "3.0"]);
    assert_eq!(value(&store, "1.0"), chunk);
    let array = open("one").open_array(&path("")).expect("there");
    assert_eq!(array.format(), FormatId::V2);
    assert_eq!(array.attributes().read(|a| Ok(a.to_json())).expect("read"), r#"{"who":"me"}"#);
}

#[test]
fn shards_are_taken_apart_where_there_are_none() {
    let from = open("shards");
    let mut spec = ArraySpec::new(DataType::UInt16, vec![30, 20]);
    spec.chunk_shape = Some(vec![5, 4]);
    spec.shard_shape = Some(vec![10, 20]);
    spec.codecs = Some(vec![codec("zstd", r#"{"level":7}"#)]);
    from.create_group(&path(""), Some(FormatId::V3)).expect("created");
    fill(&from.create_array(&path("s"), &spec).expect("created"), 10);
    let before = content(&from, "");
    let to = open("no-shards");
    let conversion = plan(&from, "", &to, "", FormatId::V2).expect("planned");
    assert_eq!(chunks_of(&conversion, "s"), "recoded");
    conversion.run(&Progress::silent()).expect("converted");
    assert_eq!(content(&to, ""), before);
    let metadata = String::from_utf8(value(&to, "s/.zarray")).expect("text");
    let metadata: serde_json::Value = serde_json::from_str(&metadata).expect("JSON");
    assert_eq!(metadata["chunks"], serde_json::json!([5, 4]));
    assert_eq!(metadata["compressor"]["id"], "zstd", "the compression stays: {metadata}");
    assert_eq!(metadata["compressor"]["level"], 7);
    // the missing shard is no stored chunk
    assert_eq!(keys(&to).iter().filter(|k| k.starts_with("s/") && !k.contains(".z")).count(), 20);
}

#[test]
fn what_cannot_be_said_is_told_before_anything_is_written() {
    let from = open("unsayable");
    from.create_group(&path(""), Some(FormatId::V3)).expect("created");
    let mut spec = ArraySpec::new(DataType::Float64, vec![4]);
    spec.dimension_names = Some(vec![Some("time".into())]);
    from.create_array(&path("named"), &spec).expect("created");
    from.create_array(&path("short"), &ArraySpec::new(DataType::BFloat16, vec![4]))
        .expect("created");
    let to = open("unsaid");
    let refused = plan(&from, "", &to, "", FormatId::V3Draft2019).err().expect("refused");
    assert_eq!(refused.kind(), Kind::Unsupported);
    let words = refused.to_string();
    assert!(words.contains("short") && words.contains("named"), "{words}");
    assert_eq!(keys(&to), [""; 0]);

    let losses = Accept { losses: true, ..Accept::default() };
    let named = path("named");
    let plan = Conversion::plan(&from, &named, &to, &named, FormatId::V3Draft2019, losses);
    let plan = plan.expect("planned");
    assert!(plan.describe()["nodes"][0]["notes"].to_string().contains("names"));
    plan.run(&Progress::silent()).expect("converted");
    assert_eq!(to.open_array(&named).expect("there").array.shape(), [4]);
    let inside = Conversion::plan(&from, &path(""), &from, &path("x"), FormatId::V2, losses);
    assert_eq!(inside.err().expect("within").kind(), Kind::InvalidArgument);
    let nothing = Conversion::plan(&from, &path("nothing"), &to, &path("n"), FormatId::V2, losses);
    assert_eq!(nothing.err().expect("missing").kind(), Kind::NotFound);
}

#[test]
fn an_interrupted_conversion_goes_on() {
    // stopped after each number of steps there is, and then gone on with
    for in_place in [false, true] {
        for (target, name) in [(FormatId::V3, "v3"), (FormatId::V3Draft2020, "2020")] {
            for steps in 0.. {
                let origin = open(&format!("stop-{name}-{in_place}-{steps}"));
                build(&origin, FormatId::V2);
                let before = content(&origin, "");
                let to = match in_place {
                    true => origin.clone(),
                    false => open(&format!("stop-to-{name}-{steps}")),
                };
                let left = AtomicU64::new(steps);
                let stop = |_: f64, _: &str| {
                    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1))
                        .is_ok()
                };
                let run =
                    plan(&origin, "", &to, "", target).and_then(|c| c.run(&Progress::new(&stop)));
                let stopped = match run {
                    Ok(()) => false,
                    Err(e) if e.kind() == Kind::Cancelled => true,
                    Err(e) => panic!("{name}, {steps} steps: {e}"),
                };
                if stopped {
                    // the source is whole as long as the target is not
                    assert_eq!(content(&origin, ""), before, "{name}, {steps} steps");
                    plan(&origin, "", &to, "", target)
                        .and_then(|c| c.run(&Progress::silent()))
                        .unwrap_or_else(|e| panic!("{name}, gone on after {steps} steps: {e}"));
                }
                assert_eq!(content(&to, ""), before, "{name}, {steps} steps");
                let left: Vec<String> = keys(&to)
                    .into_iter()
                    .filter(|k| k.contains(".zarrc") || (in_place && k.contains("/.z")))
                    .collect();
                assert_eq!(left, [""; 0], "{name}, {steps} steps");
                if !stopped {
                    assert!(steps >= 5, "{name}: only {steps} steps");
                    break;
                }
            }
        }
    }
}

#[test]
fn one_that_was_killed_at_its_end_is_finished() {
    let store = open("killed");
    build(&store, FormatId::V3Draft2020);
    let old: Vec<(String, Vec<u8>)> = keys(&store)
        .into_iter()
        .filter(|k| k.starts_with("meta/"))
        .map(|k| (k.clone(), value(&store, &k)))
        .collect();
    let before = content(&store, "");
    plan(&store, "", &store, "", FormatId::V3)
        .and_then(|c| c.run(&Progress::silent()))
        .expect("converted");
    // the old documents are there still, and the note that says so; the root is not written yet
    let root = String::from_utf8(value(&store, "zarr.json")).expect("text");
    let erase: Vec<&str> = old.iter().map(|(key, _)| key.as_str()).collect();
    let note = serde_json::json!({
        "from_store": store.store().name(),
        "from_path": "",
        "from_format": 6,
        "to_format": 3,
        "finish": { "documents": [["zarr.json", root]], "erase": erase },
    });
    let set = |key: &str, value: &[u8]| {
        let key = Key::parse(key).expect("a key");
        store.store().set(&key, &[value], &store::Precondition::None).expect("set");
    };
    old.iter().for_each(|(key, document)| set(key, document));
    set(".zarrc-conversion", note.to_string().as_bytes());
    store
        .store()
        .erase(&Key::parse("zarr.json").expect("a key"), &store::Precondition::None)
        .expect("erased");

    let store = open("killed");
    let other = plan(&store, "", &store, "", FormatId::V2).and_then(|c| c.run(&Progress::silent()));
    assert_eq!(other.expect_err("another one").kind(), Kind::AlreadyExists);
    plan(&store, "", &store, "", FormatId::V3)
        .and_then(|c| c.run(&Progress::silent()))
        .expect("finished");
    assert_eq!(content(&open("killed"), ""), before);
    assert!(keys(&store).iter().all(|k| !k.starts_with("meta/") && !k.contains(".zarrc")));
}

#[test]
fn elements_of_variable_length_come_along() {
    let from = open("variable");
    from.create_group(&path(""), Some(FormatId::V3)).expect("created");
    let mut spec = ArraySpec::new(DataType::String, vec![6]);
    spec.chunk_shape = Some(vec![2]);
    spec.shard_shape = Some(vec![4]);
    let array = from.create_array(&path("words"), &spec).expect("created");
    let region = Region::new(&[6], &[0], &[4], None).expect("inside");
    let words = "aßthe third and the longest";
    array.array.write_vlen(&region, &[0, 1, 3, 3, 28], words.as_bytes()).expect("written");
    let to = open("variable-v2");
    let conversion = plan(&from, "", &to, "", FormatId::V2).expect("planned");
    assert_eq!(chunks_of(&conversion, "words"), "recoded");
    conversion.run(&Progress::silent()).expect("converted");
    let read = to.open_array(&path("words")).expect("there");
    let read = read.array.read_vlen(&Region::whole(&[6])).expect("read");
    assert_eq!(read.offsets(), [0, 1, 3, 3, 28, 28, 28]);
    assert_eq!(read.bytes(), words.as_bytes());
    // and back without recoding
    let back = open("variable-back");
    let conversion = plan(&to, "", &back, "", FormatId::V3).expect("planned");
    assert_eq!(chunks_of(&conversion, "words"), "copied");
    conversion.run(&Progress::silent()).expect("converted");
    let read = back.open_array(&path("words")).expect("there");
    assert_eq!(read.array.read_vlen(&Region::whole(&[6])).expect("read").bytes(), words.as_bytes());
}

/// Names of dimensions and the missing value are where xarray looks for them in the new format, and
/// words say what it sees otherwise.
#[test]
fn names_of_dimensions_and_missing_values_go_along() {
    let notes = |conversion: &Conversion| conversion.describe()["nodes"][0]["notes"].to_string();
    let old = open("cf-v2");
    let mut spec = ArraySpec::new(DataType::Float32, vec![4]);
    spec.format = Some(FormatId::V2);
    spec.chunk_shape = Some(vec![2]);
    spec.dimension_names = Some(vec![Some("time".into())]);
    spec.fill_value = FillSpec::Element(1e20f32.to_ne_bytes().into());
    let array = old.create_array(&path(""), &spec).expect("created");
    fill(&array, 1);
    let new = open("cf-v3");
    let plan = |from: &Arc<Hierarchy>, to: &Arc<Hierarchy>, format| {
        Conversion::plan(from, &path(""), to, &path(""), format, Accept::default()).expect("a plan")
    };
    let conversion = plan(&old, &new, FormatId::V3);
    assert!(notes(&conversion).contains("names the missing value"), "{}", notes(&conversion));
    conversion.run(&Progress::silent()).expect("converted");
    let text = String::from_utf8(value(&new, "zarr.json")).expect("text");
    assert!(text.contains("\"dimension_names\": [\"time\"]"), "{text}");
    assert!(text.contains("\"_FillValue\":\"AAAAgB2vFUQ=\"") && !text.contains("_ARRAY"), "{text}");

    // back again: the fill value is the missing one, so it stays
    let back = open("cf-v2-again");
    let conversion = plan(&new, &back, FormatId::V2);
    assert_eq!(notes(&conversion), "[]");
    conversion.run(&Progress::silent()).expect("converted");
    let text = String::from_utf8(value(&back, ".zarray")).expect("text");
    assert!(text.contains("\"fill_value\": 1e+20"), "{text}");
    let text = String::from_utf8(value(&back, ".zattrs")).expect("text");
    assert!(text.contains("\"_ARRAY_DIMENSIONS\": [\"time\"]"), "{text}");
    assert!(text.contains("\"_FillValue\": 1.0000000200408773e+20"), "{text}");

    // a fill value that nothing needs is dropped, another stays and is told
    for (chunks, words) in [(2, "becomes undefined"), (1, "it stays")] {
        let old = open(&format!("cf-zeros-{chunks}"));
        let mut spec = ArraySpec::new(DataType::Int32, vec![4]);
        spec.format = Some(FormatId::V3);
        spec.chunk_shape = Some(vec![2]);
        spec.dimension_names = Some(vec![Some("x".into())]);
        let array = old.create_array(&path(""), &spec).expect("created");
        let region = Region::new(&[4], &[0], &[2 * chunks], None).expect("inside");
        let ones: Vec<u8> = 1i32.to_ne_bytes().repeat(2 * chunks as usize);
        let src = View::contiguous(&ones, &[2 * chunks as usize], 4).expect("fits");
        array.array.write(&region, MemoryType::Native, &src).expect("written");
        let new = open(&format!("cf-zeros-{chunks}-v2"));
        let conversion = plan(&old, &new, FormatId::V2);
        assert!(notes(&conversion).contains(words), "{}", notes(&conversion));
        conversion.run(&Progress::silent()).expect("converted");
        let text = String::from_utf8(value(&new, ".zarray")).expect("text");
        assert_eq!(text.contains("\"fill_value\": null"), chunks == 2, "{text}");
    }
}
