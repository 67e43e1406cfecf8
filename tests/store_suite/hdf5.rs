//! HDF5 files that h5py and netCDF4-python wrote, against what h5py reads there; damaged ones; and
//! files that are written here, read back by libhdf5.
#![cfg(feature = "hdf5")]

use super::helpers::*;
use base64::Engine as _;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zarrc::array::MemoryType;
use zarrc::error::Kind;
use zarrc::format::FormatId;
use zarrc::hierarchy::{ArraySpec, Hierarchy};
use zarrc::metadata::{Attributes, DataType, NodePath};
use zarrc::operations::{self, Accept, Conversion, ExportOptions};
use zarrc::progress::Progress;
use zarrc::selection::Region;
use zarrc::store::{Depth, Mode, Options};
use zarrc::strided::{View, ViewMut};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/hdf5")
}

fn file(name: &str) -> String {
    data().join(name).to_str().unwrap().to_owned()
}

/// Whether libhdf5 is installed, without which there is nothing to try.
fn is_there() -> bool {
    match opened(&file("types.h5"), Mode::Read) {
        Ok(_) => true,
        Err(e) if e.to_string().contains("libhdf5 is not installed") => {
            eprintln!("not tried: {e}");
            false
        }
        Err(e) => panic!("{e}"),
    }
}

fn hierarchy(url: &str, mode: Mode) -> Arc<Hierarchy> {
    Arc::new(Hierarchy::new(opened(url, mode).unwrap(), &Options::default()))
}

fn path(text: &str) -> NodePath {
    NodePath::parse(text).unwrap()
}

/// The shape and the values of an array as expected.json has them.
fn said(at: &Arc<Hierarchy>, name: &str) -> Value {
    let node = at.open_array(&path(name)).unwrap();
    let (array, shape) = (&node.array, node.array.shape());
    let data_type = array.metadata().data_type.clone();
    let value = if data_type.is_variable() {
        let values = array.read_vlen(&Region::whole(&shape)).unwrap();
        let each = values.offsets().windows(2);
        let each = each.map(|ends| &values.bytes()[ends[0] as usize..ends[1] as usize]);
        let one = |bytes: &[u8]| match data_type {
            DataType::String => json!(std::str::from_utf8(bytes).unwrap()),
            _ => bytes
                .chunks_exact(4)
                .map(|b| i32::from_ne_bytes(b.try_into().unwrap()))
                .collect::<Vec<i32>>()
                .into(),
        };
        each.map(one).collect::<Vec<Value>>().into()
    } else {
        let counts: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
        let item = data_type.size();
        let mut bytes = vec![0; counts.iter().product::<usize>() * item];
        let view = ViewMut::contiguous(&mut bytes, &counts, item).unwrap();
        array.read(&Region::whole(&shape), MemoryType::Native, view).unwrap();
        json!(base64::engine::general_purpose::STANDARD.encode(bytes))
    };
    json!({ "shape": shape, "value": value })
}

#[test]
#[cfg(target_endian = "little")]
fn values_are_what_h5py_reads() {
    if !is_there() {
        return;
    }
    let text = fs::read(data().join("expected.json")).unwrap();
    let all: BTreeMap<String, BTreeMap<String, Value>> = serde_json::from_slice(&text).unwrap();
    assert_eq!(all.len(), 4);
    for (name, arrays) in all {
        for url in
            [file(&name), format!("hdf5:{}", file(&name)), format!("{}|netcdf:", file(&name))]
        {
            let at = hierarchy(&url, Mode::Read);
            let listed = at.open_group(&path("")).unwrap().list(true).unwrap();
            let found = listed.iter().filter(|n| n.kind == Some(zarrc::format::NodeKind::Array));
            assert_eq!(found.count(), arrays.len(), "{name}");
            for (array, expected) in &arrays {
                assert_eq!(said(&at, array), *expected, "{array} of {name}");
            }
        }
    }
}

#[test]
fn attributes_and_dimensions() {
    if !is_there() {
        return;
    }
    let at = hierarchy(&file("types.h5"), Mode::Read);
    let top = at.open_group(&path("")).unwrap();
    let json: Value =
        top.attributes().read(|all| Ok(serde_json::from_str(&all.to_json()).unwrap())).unwrap();
    let expected = json!({
        "title": "a file", "numbers": [1.5, 2.5], "names": ["a", "bé"], "flag": true,
        "nothing": null, "fixed": "fix", "single": 0.1, "matrix": [[0, 1, 2], [3, 4, 5]],
        "pair": { "a": 1, "b": 2.5 },
    });
    assert_eq!(json, expected);
    let at = hierarchy(&file("netcdf.nc"), Mode::Read);
    let rain = at.open_array(&path("pr")).unwrap();
    let name = |d| rain.dimension_name(d).unwrap().unwrap().to_str().unwrap().to_owned();
    assert_eq!([name(0), name(1), name(2)], ["time", "lat", "lon"]);
    assert_eq!(rain.fill_json().unwrap(), "-999");
    let x = at.open_array(&path("below/x")).unwrap();
    assert_eq!(x.dimension_name(0).unwrap().unwrap().to_str(), Ok("lat"));
    assert!(at.open_array(&path("lon")).is_err(), "a dimension without values is no array");
}

#[test]
fn chunks_are_ranges_of_the_file_where_codecs_undo_their_filters() {
    if !is_there() {
        return;
    }
    let store = opened(&file("storage.h5"), Mode::Read).unwrap();
    let lies = |k: &str| store.location(&key(k)).unwrap();
    for name in ["contiguous", "chunked", "gzip", "fletcher32", "blosc", "zstd", "bzip2"] {
        let place = lies(&format!("{name}/0.0")).unwrap();
        assert_eq!(place.url, file("storage.h5"), "{name}");
        assert!(place.range.is_some_and(|(offset, length)| offset > 0 && length > 0));
    }
    for name in ["szip/0.0", "scale-offset/0", "partly-gzip/0", "compact/0"] {
        assert_eq!(lies(name), None, "{name}");
        assert!(get(&*store, name).is_some(), "{name}");
    }
    for absent in ["chunked/3.0", "chunked/0", "chunked/00.0", "chunked/0.0.0", "never-written/0"] {
        assert_eq!(get(&*store, absent), None, "{absent}");
    }
    assert_eq!(list(&*store, "partly-written/", Depth::One).len(), 5, "a document, 4 chunks");
}

#[test]
fn what_zarr_has_nothing_like_is_told() {
    if !is_there() {
        return;
    }
    let store = opened(&file("odd.h5"), Mode::Read).unwrap();
    let losses = store.losses("").unwrap().join("\n");
    for name in [
        "nowhere",
        "round",
        "external",
        "reference",
        "type",
        "empty",
        "virtual",
        "elsewhere",
        ".zarray",
    ] {
        assert!(losses.contains(&format!("{name} is left out: ")), "{name}: {losses}");
    }
    let group = store.losses("group").unwrap();
    assert_eq!(group, ["loop is left out: it leads back to a group above it"]);
    assert_eq!(store.losses("enumeration").unwrap(), ["the names of its values are lost: A, B"]);
    let nodes = list(&*store, "", Depth::One);
    let there = names(&[".zgroup", "a/", "enumeration/", "group/", "hard/", "soft/"]);
    assert_eq!(nodes, there);
    let from = hierarchy(&file("odd.h5"), Mode::Read);
    let to = hierarchy("memory:", Mode::Append);
    let plan = |losses| {
        let accept = Accept { losses, leftovers: false };
        Conversion::plan(&from, &path(""), &to, &path(""), FormatId::V3, accept)
    };
    assert_eq!(kind(plan(false)), Kind::Unsupported);
    plan(true).unwrap().run(&Progress::silent()).unwrap();
    assert_eq!(said(&to, "hard"), said(&from, "a"));
}

#[test]
fn files_that_are_cut_short_are_errors() {
    if !is_there() {
        return;
    }
    let scratch = Scratch::new();
    for name in ["types.h5", "netcdf.nc"] {
        let whole = fs::read(file(name)).unwrap();
        for length in (0..whole.len()).step_by(1501) {
            let cut = scratch.path("cut.h5");
            fs::write(&cut, &whole[..length]).unwrap();
            let url = format!("hdf5:{}", cut.display());
            assert_eq!(kind(opened(&url, Mode::Read)), Kind::CorruptData, "{length}");
        }
    }
    let other = scratch.path("x.nc");
    fs::write(&other, b"CDF\x01 netCDF-3").unwrap();
    let e = opened(&format!("netcdf:{}", other.display()), Mode::Read).err().unwrap();
    assert!(e.to_string().contains("nccopy"), "{e}");
    assert_eq!(kind(opened(&file("types.h5"), Mode::ReadWrite)), Kind::PermissionDenied);
    assert_eq!(kind(opened("hdf5:/no/such.h5", Mode::Read)), Kind::NotFound);
}

#[test]
fn references_read_the_same() {
    if !is_there() {
        return;
    }
    let scratch = Scratch::new();
    for name in ["storage.h5", "netcdf.nc"] {
        fs::copy(file(name), scratch.path(name)).unwrap();
        let from = hierarchy(scratch.path(name).to_str().unwrap(), Mode::Read);
        let text =
            operations::references(&from, &path(""), Some(name), &Progress::silent()).unwrap();
        let json = scratch.path("x.json");
        fs::write(&json, text).unwrap();
        let to = hierarchy(json.to_str().unwrap(), Mode::Read);
        for node in from.open_group(&path("")).unwrap().list(true).unwrap() {
            if node.kind == Some(zarrc::format::NodeKind::Array) {
                assert_eq!(said(&to, &node.path), said(&from, &node.path), "{}", node.path);
            }
        }
    }
    let memory = hierarchy("memory:", Mode::Append);
    let nothing = operations::references(&memory, &path(""), None, &Progress::silent());
    assert_eq!(kind(nothing), Kind::NotFound);
}

#[test]
#[cfg(target_endian = "little")]
fn what_is_exported_reads_the_same() {
    if !is_there() {
        return;
    }
    let scratch = Scratch::new();
    let out = scratch.path("out.h5");
    for name in ["types.h5", "storage.h5", "netcdf.nc"] {
        let from = hierarchy(&file(name), Mode::Read);
        let options = ExportOptions { replace: true, losses: true, ..ExportOptions::default() };
        operations::export_hdf5(&from, &path(""), &out, &options, &Progress::silent()).unwrap();
        let to = hierarchy(out.to_str().unwrap(), Mode::Read);
        for node in from.open_group(&path("")).unwrap().list(true).unwrap() {
            if node.kind == Some(zarrc::format::NodeKind::Array) {
                assert_eq!(said(&to, &node.path), said(&from, &node.path), "{}", node.path);
            }
        }
    }
    let left: Vec<_> = fs::read_dir(scratch.path("")).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing but the file is left");
}

#[test]
fn an_export_is_whole_or_nothing() {
    if !is_there() {
        return;
    }
    let scratch = Scratch::new();
    let out = scratch.path("out.h5");
    let from = hierarchy("memory:", Mode::Append);
    let mut spec = ArraySpec::new(DataType::Int32, vec![100, 10]);
    spec.chunk_shape = Some(vec![10, 10]);
    spec.attributes = Attributes::parse(br#"{"mixed": [1, "a"]}"#).unwrap();
    let node = from.create_array(&path("a/b"), &spec).unwrap();
    let bytes = pattern(4000, 1);
    let view = View::contiguous(&bytes, &[100, 10], 4).unwrap();
    node.array.write(&Region::whole(&[100, 10]), MemoryType::Native, &view).unwrap();
    fs::write(&out, "old").unwrap();
    let export = |options: &ExportOptions, progress: &Progress<'_>| {
        operations::export_hdf5(&from, &path(""), &out, options, progress)
    };
    let usual = ExportOptions::default();
    assert_eq!(kind(export(&usual, &Progress::silent())), Kind::AlreadyExists);
    let replace = ExportOptions { replace: true, memory: 400, ..usual };
    let cancel = |done: f64, _: &str| done < 0.5;
    assert_eq!(kind(export(&replace, &Progress::new(&cancel))), Kind::Cancelled);
    assert_eq!(fs::read(&out).unwrap(), b"old");
    assert_eq!(fs::read_dir(scratch.path("")).unwrap().count(), 1);
    let notes = export(&replace, &Progress::silent()).unwrap();
    assert!(notes.iter().any(|(path, note)| path == "a/b" && note.contains("mixed")), "{notes:?}");
    let to = hierarchy(out.to_str().unwrap(), Mode::Read);
    assert_eq!(said(&to, "a/b"), said(&from, "a/b"));
    let mut spec = ArraySpec::new(DataType::small("float8_e4m3fn").unwrap(), vec![3]);
    spec.chunk_shape = Some(vec![3]);
    from.create_array(&path("small"), &spec).unwrap();
    assert_eq!(kind(export(&replace, &Progress::silent())), Kind::Unsupported);
    assert_eq!(said(&to, "a/b"), said(&from, "a/b"));
}
