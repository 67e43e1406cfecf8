//! What is particular to references in Parquet files, which fsspec and kerchunk wrote.
#![cfg(feature = "parquet")]

use super::helpers::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use zarrc::error::Kind;
use zarrc::store::{Depth, Mode, SharedStore};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/parquet_references")
}

/// The directories of references, and what fsspec makes of the keys of each.
fn expected() -> BTreeMap<String, BTreeMap<String, Option<Vec<u8>>>> {
    use base64::Engine as _;
    let text = fs::read(data().join("expected.json")).unwrap();
    let all: BTreeMap<String, BTreeMap<String, Option<String>>> =
        serde_json::from_slice(&text).unwrap();
    let decode = |value: String| base64::engine::general_purpose::STANDARD.decode(value).unwrap();
    let values = |of: BTreeMap<_, Option<_>>| of.into_iter().map(|(k, v)| (k, v.map(decode)));
    all.into_iter().map(|(name, of)| (name, values(of).collect())).collect()
}

#[test]
fn keys_have_the_values_that_fsspec_gives_them() {
    for (name, values) in expected() {
        let path = data().join(&name).to_str().unwrap().to_owned();
        for url in [
            path.clone(),
            format!("{path}/"),
            format!("{path}|reference:"),
            format!("reference:{path}"),
            format!("reference::file://{path}"),
        ] {
            let store = opened(&url, Mode::Read).unwrap();
            let there = list(&*store, "", Depth::All);
            for (k, value) in &values {
                assert_eq!(get(&*store, k), *value, "{k} of {url}");
                assert_eq!(there.contains(k), value.is_some(), "{k} of {url}");
                let k = key(k);
                let source = store.source(&k);
                let length = value.as_ref().map(|value| value.len() as u64);
                assert_eq!(source.len().unwrap(), length);
                assert_eq!(store.version(&k).unwrap(), source.version().unwrap());
                if let Some(value) = value {
                    let mut part = [0];
                    assert!(source.read_at(1, &mut part).unwrap() && part[0] == value[1]);
                }
            }
            let documents = there.iter().filter(|k| k.contains(".z"));
            let count = values.values().flatten().count() + documents.count();
            assert_eq!(there.len(), count, "nothing else is listed");
        }
    }
}

#[test]
fn levels_and_documents() {
    let store = opened(data().join("fastparquet.parq").to_str().unwrap(), Mode::Read).unwrap();
    let level = |prefix| list(&*store, prefix, Depth::One);
    let top = [".zattrs", ".zgroup", ".zmetadata", "deep/", "line/", "plane/", "scalar/", "whole/"];
    assert_eq!(level(""), names(&top));
    assert_eq!(level("deep/"), names(&[".zgroup", "er/"]));
    assert_eq!(level("scalar/"), names(&[".zarray", "0"]));
    assert_eq!(level("line/").len(), 1 + 14);
    assert_eq!(list(&*store, "deep/er/", Depth::All).len(), 1 + 32);
    assert_eq!(level("deep/er/x/"), names(&[]));
    let document = |k| serde_json::from_slice::<serde_json::Value>(&get(&*store, k).unwrap());
    assert_eq!(document(".zattrs").unwrap()["title"], "ü");
    assert_eq!(document(".zmetadata").unwrap()["zarr_consolidated_format"], 1);
    assert_eq!(document("plane/.zarray").unwrap()["chunks"][1], 4);
    for no in
        ["plane/0", "plane/0.04", "plane/0.4", "line/00", "line/.zattrs", "line/0/0", "refs.0.parq"]
    {
        assert_eq!(get(&*store, no), None, "{no}");
    }
    assert_eq!(
        kind(set_when(&*store, "x", b"", zarrc::store::Precondition::None)),
        Kind::PermissionDenied
    );
}

/// The references of `name` and the files that they refer to, in memory.
fn in_memory(name: &str, of: &str) -> SharedStore {
    let store = opened(&format!("memory:{name}"), Mode::Create).unwrap();
    for k in list(&*opened(data().to_str().unwrap(), Mode::Read).unwrap(), "", Depth::All) {
        let wanted = k.strip_prefix(of).map(|rest| format!("x.parq{rest}"));
        if let Some(to) = wanted.or((!k.contains('/')).then_some(k.clone())) {
            set(&*store, &to, &fs::read(data().join(&k)).unwrap());
        }
    }
    store
}

#[test]
fn they_lie_in_any_store() {
    let memory = in_memory("parquet-1", "fastparquet.parq");
    let store = opened("memory:parquet-1/x.parq|reference:", Mode::Read).unwrap();
    for (k, value) in &expected()["fastparquet.parq"] {
        assert_eq!(get(&*store, k), *value, "{k}");
    }
    drop(memory);
}

#[test]
fn broken_ones_say_what_is_wrong() {
    let memory = in_memory("parquet-2", "plain.parq");
    let open = || opened("memory:parquet-2/x.parq|reference:", Mode::Read);
    let index = get(&*memory, "x.parq/.zmetadata").unwrap();
    for (text, kind, words) in [
        ("{", Kind::InvalidMetadata, "damaged"),
        (r#"{"metadata": {}}"#, Kind::InvalidMetadata, "record_size"),
        (r#"{"metadata": {}, "record_size": 0}"#, Kind::InvalidMetadata, "record_size"),
        (r#"{"metadata": {}, "record_size": -1}"#, Kind::InvalidMetadata, "damaged"),
        (
            r#"{"metadata": {"a/.zarray": {"shape": [18446744073709551615, 2], "chunks": [1, 1]}}, "record_size": 1}"#,
            Kind::InvalidMetadata,
            "chunks",
        ),
    ] {
        set(&*memory, "x.parq/.zmetadata", text.as_bytes());
        let e = failure(open());
        assert!(e.kind() == kind && e.to_string().contains(words), "{text}: {e}");
    }
    let fewer = String::from_utf8(index.clone()).unwrap().replace("16}", "4}");
    set(&*memory, "x.parq/.zmetadata", fewer.as_bytes());
    let e = failure(open().unwrap().get(&key("line/0"), &mut Vec::new()));
    assert!(e.kind() == Kind::InvalidMetadata && e.to_string().contains("record_size"), "{e}");
    set(&*memory, "x.parq/.zmetadata", &index);
    set(&*memory, "x.parq/line/refs.0.parq", b"PAR1 no such thing PAR1");
    let e = failure(open().unwrap().get(&key("line/0"), &mut Vec::new()));
    assert!(e.kind() == Kind::CorruptData && e.to_string().contains("line/refs.0.parq"), "{e}");
    memory.erase_prefix("x.parq/").unwrap();
    assert_eq!(kind(open()), Kind::NotFound);
}

/// Whatever stands in a file, there is an answer.
#[test]
fn damaged_ones_are_errors() {
    for name in ["fastparquet.parq", "lz4.parq", "plain.parq", "snappy.parq"] {
        let memory = in_memory(&format!("parquet-{name}"), name);
        let whole = get(&*memory, "x.parq/line/refs.0.parq").unwrap();
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        for _ in 0..1500 {
            let mut damaged = whole.clone();
            for _ in 0..1 + random(3) {
                let at = random(damaged.len());
                damaged[at] = [0, 1, 127, 128, 255, random(256) as u8][random(6)];
            }
            if random(8) == 0 {
                damaged.truncate(random(whole.len()));
            }
            set(&*memory, "x.parq/line/refs.0.parq", &damaged);
            let url = format!("memory:parquet-{name}/x.parq|reference:");
            let store = opened(&url, Mode::Read).unwrap();
            for k in ["line/0", "line/1", "line/11"] {
                let _ = store.get(&key(k), &mut Vec::new());
            }
        }
    }
}

/// GDAL looks for relative paths beside the Parquet file in which they stand.
#[test]
fn relative_paths_lead_from_the_file_that_they_stand_in_too() {
    let memory = in_memory("parquet-3", "plain.parq");
    let open = || opened("memory:parquet-3/x.parq|reference:", Mode::Read).unwrap();
    let near = |k: &str| get(&*open(), k).unwrap().iter().all(|byte| *byte == 0xee);
    assert!(!near("line/0"));
    let size = get(&*memory, "values").unwrap().len();
    set(&*memory, "x.parq/line/values", &vec![0xee; size]);
    assert!(near("line/0"));
}

/// The document of kerchunk's `refs_to_dataframe` and VirtualiZarr for a float of netCDF.
#[test]
fn documents_with_words_for_what_is_no_number_are_read() {
    let memory = in_memory("parquet-4", "plain.parq");
    let index = String::from_utf8(get(&*memory, "x.parq/.zmetadata").unwrap()).unwrap();
    let attributes = r#""metadata":{"line/.zattrs": {"_FillValue": NaN, "t": "NaN"},"#;
    let with_nan = index.replacen(r#""metadata":{"#, attributes, 1);
    assert_ne!(index, with_nan);
    set(&*memory, "x.parq/.zmetadata", with_nan.as_bytes());
    let store = opened("memory:parquet-4/x.parq|reference:", Mode::Read).unwrap();
    let expected = br#"{"_FillValue": NaN, "t": "NaN"}"#;
    assert_eq!(get(&*store, "line/.zattrs").unwrap(), expected);
    assert_eq!(get(&*store, "line/0"), expected_of("plain.parq", "line/0"));
}

fn expected_of(name: &str, k: &str) -> Option<Vec<u8>> {
    expected()[name][k].clone()
}
