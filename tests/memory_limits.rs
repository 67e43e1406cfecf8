//! Libraries that abort where memory is refused (the parser of JSON, pcodec) or panic (bzip2): below
//! any limit of memory, a call succeeds or ends with OUT_OF_MEMORY.

use crate::common::allocator::{limited, memory_of};
use crate::common::*;
use zarrc::array::MemoryType;
use zarrc::error::{Kind, Result};
use zarrc::hierarchy::ArraySpec;
use zarrc::metadata::{CodecSpec, DataType};
use zarrc::selection::Region;
use zarrc::store::{Mode, Options, Precondition, SharedStore, Store, open};
use zarrc::strided::{View, ViewMut};

/// Runs `work` below limits from none to more than it needs.
fn below_any_limit(name: &str, work: impl Fn() -> Result<()>) {
    work().unwrap_or_else(|e| panic!("{name}: {e}"));
    let needed = memory_of(|| drop(work()));
    let mut refused = 0;
    for n in 0..60 {
        eprintln!("{name}: {n}/20 of {needed} B"); // the last line of a process that aborts
        match limited(needed * n / 20, &work) {
            Ok(()) => {}
            Err(e) => {
                assert_eq!(e.kind(), Kind::OutOfMemory, "{name}: {e}");
                refused += 1;
            }
        }
    }
    work().unwrap_or_else(|e| panic!("{name}: {e}"));
    println!("{name}: {needed} B, {refused} of 60 limits refused");
    assert!(refused > 5, "{name}: {needed} B, {refused} refusals");
}

fn set(store: &dyn Store, k: &str, value: &[u8]) {
    store.set(&key(k), &[value], &Precondition::None).unwrap();
}

/// Attributes with many members, long lists, deep and long texts.
fn attributes() -> Vec<(&'static str, String)> {
    let members = |value: &str| -> String {
        let all: Vec<_> = (0..4000).map(|n| format!("\"m{n}\":{value}")).collect();
        format!("{{{}}}", all.join(","))
    };
    vec![
        ("members", members("0")),
        ("objects", members("{\"a\":{\"b\":[]}}")),
        ("list", format!("{{\"l\":[{}0]}}", "0,".repeat(30_000))),
        ("lists", format!("{{\"l\":[{}0]}}", "[],{},".repeat(10_000))),
        ("text", format!("{{\"t\":\"{}\"}}", "\\u00e9x".repeat(10_000))),
        ("numbers", members("NaN")),
        ("spaces", format!("{{{} \"a\": 1}}", " ".repeat(40_000))),
    ]
}

#[test]
fn documents() {
    if !is_alone("memory_limits::documents") {
        return;
    }
    for (name, attributes) in attributes() {
        let store = memory();
        let array = format!(
            r#"{{"zarr_format":3,"node_type":"array","shape":[4],"data_type":"uint8","chunk_grid":
            {{"name":"regular","configuration":{{"chunk_shape":[2]}}}},"chunk_key_encoding":{{"name":
            "default"}},"codecs":[{{"name":"bytes"}}],"fill_value":0,"attributes":{attributes}}}"#
        );
        let nodes: Vec<_> = (0..20).map(|n| format!("\"a{n}\":{array}")).collect();
        let group = format!(
            r#"{{"zarr_format":3,"node_type":"group","attributes":{{}},"consolidated_metadata":
            {{"kind":"inline","must_understand":false,"metadata":{{{}}}}}}}"#,
            nodes.join(",")
        );
        set(&*store, "zarr.json", group.as_bytes());
        set(&*store, "b/zarr.json", array.as_bytes());
        set(&*store, "c/.zarray", ZARRAY.as_bytes());
        set(&*store, "c/.zattrs", attributes.as_bytes());
        let hierarchy = || hierarchy(&store, &[("threads", "1"), ("consolidated", "no")]);
        below_any_limit(&format!("v3, {name}"), || {
            let array = hierarchy().open_array(&path("b"))?;
            array.attributes().read(|all| {
                drop(all.to_json());
                Ok(())
            })
        });
        below_any_limit(&format!("v2, {name}"), || {
            let array = hierarchy().open_array(&path("c"))?;
            array.attributes().read(|all| {
                assert!(all.names().len() > 0);
                Ok(())
            })
        });
        let alone = memory();
        set(&*alone, "zarr.json", array.as_bytes());
        below_any_limit(&format!("set, {name}"), || {
            let nodes = crate::common::hierarchy(&alone, &[("threads", "1")]);
            nodes.open_array(&path(""))?.attributes().write(&mut |all| all.set("new", "1"))
        });
        below_any_limit(&format!("consolidated, {name}"), || {
            let nodes = crate::common::hierarchy(&store, &[("threads", "1")]);
            nodes.open_group(&path(""))?.list(true).map(drop)
        });
    }
}

/// Configurations of codecs, whose values become values of the parser.
#[test]
fn configurations() {
    if !is_alone("memory_limits::configurations") {
        return;
    }
    for (name, value) in [
        ("zeros", "0,".repeat(20_000)),
        ("objects", "{},".repeat(10_000)),
        ("members", "{\"a\":0},".repeat(5_000)),
    ] {
        let store = memory();
        let array = format!(
            r#"{{"zarr_format":3,"node_type":"array","shape":[4],"data_type":"uint8","chunk_grid":
            {{"name":"regular","configuration":{{"chunk_shape":[2]}}}},"chunk_key_encoding":{{"name":
            "default"}},"codecs":[{{"name":"bytes"}},{{"name":"gzip","configuration":{{"level":1,
            "x":[{value}0]}}}}],"fill_value":0}}"#
        );
        set(&*store, "zarr.json", array.as_bytes());
        below_any_limit(name, || {
            let nodes = hierarchy(&store, &[("threads", "1")]);
            match nodes.open_array(&path("")) {
                Err(e) if e.kind() == Kind::InvalidMetadata => Ok(()), // gzip has no "x"
                other => other.map(drop),
            }
        });
    }
}

const ZARRAY: &str = r#"{"zarr_format":2,"shape":[4],"chunks":[2],"dtype":"|u1","compressor":null,
    "filters":null,"fill_value":0,"order":"C"}"#;

#[test]
#[cfg(feature = "reference")]
fn references() {
    if !is_alone("memory_limits::references") {
        return;
    }
    let plain: Vec<_> = (0..5000).map(|n| format!("\"a/{n}\":[\"f\",{n},8]")).collect();
    let inline: Vec<_> = (0..5000).map(|n| format!("\"a/{n}\":\"\"")).collect();
    let kept = open("memory:limits", Mode::Append, &Options::default()).unwrap();
    for (name, text) in [
        ("version 0", format!("{{{}}}", plain.join(","))),
        ("version 1", format!("{{\"version\":1,\"refs\":{{{}}}}}", plain.join(","))),
        ("inline", format!("{{{}}}", inline.join(","))),
    ] {
        set(&*kept, "r.json", text.as_bytes());
        below_any_limit(name, || {
            let url = "memory:limits/r.json|reference:";
            open(url, Mode::Read, &Options::default()).map(drop)
        });
    }
}

/// An array of one chunk of numbers, with one codec.
fn stored(store: &SharedStore, data_type: DataType, codec: &str, len: u64) -> Result<()> {
    let mut spec = ArraySpec::new(data_type, vec![len]);
    spec.chunk_shape = Some(vec![len]);
    spec.codecs = Some(vec![CodecSpec::new(codec, Default::default())]);
    spec.format = Some(zarrc::format::FormatId::V2);
    let nodes = hierarchy(store, &[("threads", "1")]);
    nodes.create_array(&path("a"), &spec).map(drop)
}

#[test]
fn chunks() {
    if !is_alone("memory_limits::chunks") {
        return;
    }
    for (data_type, len) in
        [(DataType::Float64, 100_000), (DataType::UInt8, 300_000), (DataType::Int32, 4_000)]
    {
        for kind in ["smooth", "random", "few"] {
            let store = memory();
            stored(&store, data_type.clone(), "pcodec", len).unwrap();
            let size = data_type.size();
            let mut random = Random(7);
            let bytes: Vec<u8> = match kind {
                "smooth" => (0..len as usize * size)
                    .map(|n| ((n / size / 50) >> (n % size)) as u8)
                    .collect(),
                "random" => (0..len as usize * size).map(|_| random.next() as u8 & 0x3F).collect(),
                _ => (0..len).flat_map(|_| [random.below(50) as u8].repeat(size)).collect(),
            };
            let name = format!("{} {len} {kind}", data_type.name());
            let count = [len as usize];
            below_any_limit(&format!("write {name}"), || {
                let array = hierarchy(&store, &[("threads", "1")]).open_array(&path("a"))?;
                let src = View::contiguous(&bytes, &count, size)?;
                array.array.write(&Region::whole(&[len]), MemoryType::Native, &src)
            });
            let mut out = vec![0; bytes.len()];
            let out = std::cell::RefCell::new(&mut out);
            below_any_limit(&format!("read {name}"), || {
                let array = hierarchy(&store, &[("threads", "1")]).open_array(&path("a"))?;
                let out = &mut **out.borrow_mut();
                let dst = ViewMut::contiguous(out, &count, size)?;
                array.array.read(&Region::whole(&[len]), MemoryType::Native, dst)
            });
            assert!(**out.borrow() == bytes, "{name}");
        }
    }
}
