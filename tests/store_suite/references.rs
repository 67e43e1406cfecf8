//! What is particular to references.
#![cfg(feature = "reference")]

use super::helpers::*;
use std::fs;
use zarrc::error::Kind;
use zarrc::store::{Depth, Mode};

/// References of every sort to `data/values`, which holds a pattern of 1000 bytes.
const REFERENCES: &str = r#"{
  "version": 1,
  "templates": {"u": "data/values", "f": "{{c}}/{{d}}"},
  "gen": [
    {"key": "gen/{{i}}.{{j}}", "url": "{{f(c='data', d='values')}}", "offset": "{{(i * 2 + j) * 10}}",
     "length": "10", "dimensions": {"i": {"stop": 3}, "j": [0, 1]}},
    {"key": "all/{{n}}", "url": "{{u}}", "dimensions": {"n": ["x", "y"]}}
  ],
  "refs": {
    ".zgroup": "{\"zarr_format\": 2}", ".zattrs": {"a": 1},
    "inline": "base64:AAEC/w", "text": "ü", "whole": ["{{u}}"], "part": ["data/values", 100, 50],
    "empty": ["{{u}}", 7, 0], "beyond": ["{{u}}", 990, 20], "gone": ["data/gone"], "far": ["{{u}}", 5, 9999999999999],
    "out": ["../values"], "../x": "escaped", "odd": ["nosuch:x/y", 0, 1], "told": ["data/values|log:told"]
  }
}"#;

fn scratch_with_data() -> Scratch {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("data")).unwrap();
    fs::write(scratch.path("data/values"), pattern(1000, 9)).unwrap();
    fs::write(scratch.path("refs.json"), REFERENCES).unwrap();
    scratch
}

#[test]
fn values_ranges_templates_and_generators() {
    let scratch = scratch_with_data();
    let data = pattern(1000, 9);
    let path = scratch.url("refs.json");
    for url in [
        path.clone(),
        format!("{path}|reference:"),
        format!("reference:{path}"),
        format!("reference::{path}"),
        format!("kerchunk::file://{path}"),
    ] {
        let store = opened(&url, Mode::Read).unwrap();
        for (k, value) in [
            (".zgroup", &br#"{"zarr_format": 2}"#[..]),
            (".zattrs", br#"{"a": 1}"#),
            ("inline", &[0, 1, 2, 255]),
            ("text", "ü".as_bytes()),
            ("whole", &data),
            ("part", &data[100..150]),
            ("empty", b""),
            ("gen/2.1", &data[50..60]),
            ("all/y", &data),
        ] {
            assert_eq!(get(&*store, k).unwrap(), value, "{k}");
            let k = key(k);
            let source = store.source(&k);
            assert_eq!(source.len().unwrap(), Some(value.len() as u64));
            let mut all = vec![0; value.len()];
            assert!(source.read_exactly(&mut all).unwrap() && all == value);
            let half = value.len() / 2;
            assert!(source.read_at(half as u64, &mut all[half..]).unwrap() && all == value);
            let mut tail = Vec::new();
            assert_eq!(source.read_suffix(3, &mut tail).unwrap(), Some(value.len() as u64));
            assert_eq!(tail, value[value.len().saturating_sub(3)..]);
            assert_eq!(kind(source.read_at(value.len() as u64, &mut [0])), Kind::CorruptData);
            assert_eq!(kind(source.read_exactly(&mut vec![0; value.len() + 1])), Kind::CorruptData);
        }
        assert_eq!(get(&*store, "no/such"), None);
        let generated: Vec<String> = (0..6).map(|n| format!("{}.{}", n / 2, n % 2)).collect();
        let generated: Vec<&str> = generated.iter().map(String::as_str).collect();
        assert_eq!(list(&*store, "gen/", Depth::All), names(&generated));
        assert!(!list(&*store, "", Depth::All).contains("../x"));
        for (k, kind, words) in [
            ("beyond", Kind::CorruptData, "1000"),
            ("far", Kind::CorruptData, "1000"),
            ("gone", Kind::NotFound, "data/gone"),
            ("out", Kind::PermissionDenied, "virtual_chunks"),
            ("odd", Kind::InvalidArgument, "nosuch"),
            ("told", Kind::PermissionDenied, "log:"),
        ] {
            let e = failure(store.get(&key(k), &mut Vec::new()));
            assert!(e.kind() == kind && e.to_string().contains(words), "{e}");
            assert!(e.to_string().contains(&format!("{k} of references")), "{e}");
        }
        assert_eq!(
            kind(set_when(&*store, "x", b"", zarrc::store::Precondition::None)),
            Kind::PermissionDenied
        );
    }
    assert_eq!(kind(opened(&path, Mode::ReadWrite)), Kind::PermissionDenied);
}

#[test]
fn references_from_elsewhere_do_not_reach_this_machine() {
    let scratch = scratch_with_data();
    let memory = opened("memory:references", Mode::Create).unwrap();
    set(&*memory, "values", b"in memory");
    let own = scratch.url("data/values");
    let text = format!(
        r#"{{"near": ["values"], "here": ["memory:references/values", 3, 6], "own": ["{own}"], "url": ["file://{own}"]}}"#
    );
    set(&*memory, "refs.json", text.as_bytes());
    let store = opened("memory:references/refs.json|reference:", Mode::Read).unwrap();
    assert_eq!(get(&*store, "near").unwrap(), b"in memory");
    assert_eq!(get(&*store, "here").unwrap(), b"memory");
    for k in ["own", "url"] {
        assert_eq!(kind(store.get(&key(k), &mut Vec::new())), Kind::PermissionDenied);
    }
    // those of this machine may say where
    fs::write(scratch.path("own.json"), text).unwrap();
    let store = opened(&scratch.url("own.json"), Mode::Read).unwrap();
    assert!(get(&*store, "own").unwrap() == pattern(1000, 9));
    assert!(get(&*store, "url").unwrap() == pattern(1000, 9));
}

#[test]
fn broken_references_say_what_is_wrong() {
    let scratch = Scratch::new();
    for (text, kind, words) in [
        ("{", Kind::InvalidMetadata, "damaged"),
        ("[]", Kind::InvalidMetadata, "damaged"),
        (r#"{"version": 2, "refs": {}}"#, Kind::Unsupported, "version 2"),
        (r#"{"a": 5}"#, Kind::InvalidMetadata, "\"a\""),
        (r#"{"a": ["u", 1]}"#, Kind::InvalidMetadata, "\"a\""),
        (r#"{"a": ["u", -1, 2]}"#, Kind::InvalidMetadata, "\"a\""),
        (r#"{"a": "base64:!"}"#, Kind::InvalidMetadata, "\"a\""),
        (r#"{"version": 1, "refs": {"a": ["{{x}}"]}}"#, Kind::InvalidMetadata, "\"x\""),
        (
            r#"{"version": 1, "gen": [{"key": "{{i}}", "url": "u", "dimensions": {"i": {"stop": 99999999999}}}]}"#,
            Kind::LimitExceeded,
            "64 MiB",
        ),
        (
            r#"{"version": 1, "gen": [{"key": "k", "url": "u", "dimensions": {"i": {"stop": 9223372036854775807, "start": -9223372036854775808}}}]}"#,
            Kind::LimitExceeded,
            "64 MiB",
        ),
        (
            r#"{"version": 1, "gen": [{"key": "k", "url": "u", "dimensions": {"i": [1, "x"]}}]}"#,
            Kind::InvalidMetadata,
            "\"i\"",
        ),
        (
            r#"{"version": 1, "gen": [{"key": "k", "url": "u", "offset": "1", "dimensions": {}}]}"#,
            Kind::InvalidMetadata,
            "not both",
        ),
    ] {
        fs::write(scratch.path("x.json"), text).unwrap();
        let e = failure(opened(&format!("reference:{}", scratch.url("x.json")), Mode::Read));
        assert!(e.kind() == kind && e.to_string().contains(words), "{text}: {e}");
    }
}

/// Documents as xarray, kerchunk and VirtualiZarr have them, with Python's words for what is no
/// number.
#[test]
fn what_is_no_number_is_read() {
    let scratch = Scratch::new();
    for text in [
        r#"{"version": 1, "refs": {".zattrs": {"x": NaN}, "a/.zarray": {"fill_value": -Infinity}, "t": "NaN"}}"#,
        r#"{".zattrs": {"x": NaN}, "a/.zarray": {"fill_value": -Infinity}, "t": "NaN"}"#,
    ] {
        fs::write(scratch.path("x.json"), text).unwrap();
        let store = opened(&format!("reference:{}", scratch.url("x.json")), Mode::Read).unwrap();
        assert_eq!(get(&*store, ".zattrs").unwrap(), br#"{"x": NaN}"#);
        assert_eq!(get(&*store, "a/.zarray").unwrap(), br#"{"fill_value": -Infinity}"#);
        assert_eq!(get(&*store, "t").unwrap(), b"NaN");
    }
}

#[test]
fn files_of_this_machine_are_read_beside_the_references_or_where_the_option_says() {
    let (here, there) = (scratch_with_data(), scratch_with_data());
    let (own, other) = (here.url("data/values"), there.url("data/values"));
    let up = format!("../{}/data/values", there.path("").file_name().unwrap().to_string_lossy());
    let text = format!(
        r#"{{"own": ["{own}"], "other": ["{other}"], "up": ["{up}"], "passwd": ["file:///etc/passwd"],
            "proc": ["/proc/self/environ"], "cached": ["/etc/passwd|cache:"],
            "deep": ["/etc/passwd{}"], "itself": ["{}|reference:itself"]}}"#,
        "|cache:".repeat(1000),
        here.url("own.json"),
    );
    fs::write(here.path("own.json"), text).unwrap();
    let store = opened(&here.url("own.json"), Mode::Read).unwrap();
    assert_eq!(get(&*store, "own").unwrap(), pattern(1000, 9));
    for k in ["other", "up", "passwd", "proc", "cached", "itself"] {
        let e = failure(store.get(&key(k), &mut Vec::new()));
        assert!(e.kind() == Kind::PermissionDenied, "{k}: {e}");
    }
    assert_eq!(kind(store.get(&key("deep"), &mut Vec::new())), Kind::LimitExceeded);
    let set = options(&[("virtual_chunks", &there.url(""))]);
    let store = zarrc::store::open(&here.url("own.json"), Mode::Read, &set).unwrap();
    for k in ["other", "up"] {
        assert_eq!(get(&*store, k).unwrap(), pattern(1000, 9), "{k}");
    }
    for k in ["own", "passwd"] {
        assert_eq!(kind(store.get(&key(k), &mut Vec::new())), Kind::PermissionDenied, "{k}");
    }
}

/// A value inside a zip file, and then one beside that file.
#[cfg(feature = "zip")]
#[test]
fn what_lies_in_a_file_and_what_lies_beside_it_are_kept_apart() {
    let scratch = scratch_with_data();
    let zip = scratch.url("data/x.zip");
    let inside = opened(&zip, Mode::Create).unwrap();
    set(&*inside, "values", b"inside");
    drop(inside);
    let beside = scratch.url("data/values");
    let text = format!(r#"{{"in": ["{zip}|zip:values"], "beside": ["{beside}"]}}"#);
    fs::write(scratch.path("x.json"), text).unwrap();
    let store = opened(&scratch.url("x.json"), Mode::Read).unwrap();
    for _ in 0..2 {
        assert_eq!(get(&*store, "in").unwrap(), b"inside");
        assert_eq!(get(&*store, "beside").unwrap(), pattern(1000, 9));
    }
}
