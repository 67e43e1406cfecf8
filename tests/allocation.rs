//! The n-th large allocation of a call fails, for every n: the call ends with OUT_OF_MEMORY, what is
//! stored is old or new, and the call succeeds when it is made again. Sizes that come from a store
//! or a caller are large here; the small ones of the standard library abort a process, as everywhere
//! in Rust.

use crate::common::allocator::refusing;
use crate::common::*;
use std::sync::Arc;
use zarrc::array::MemoryType;
use zarrc::error::{Kind, Result};
use zarrc::format::FormatId;
use zarrc::hierarchy::{ArrayNode, ArraySpec, Hierarchy};
use zarrc::metadata::{CodecSpec, DataType};
use zarrc::operations::{
    Accept, Algorithm, Conversion, CopyOptions, content_digest, copy_node, rechunk, verify,
};
use zarrc::progress::Progress;
use zarrc::selection::{Region, Selection};
use zarrc::store::SharedStore;
use zarrc::strided::{View, ViewMut};

const SHAPE: [u64; 2] = [200, 300];
const SIZE: usize = 200 * 300 * 4;

fn elements(seed: u32) -> Vec<u8> {
    (0..200 * 300u32)
        .flat_map(|n| (n.wrapping_mul(2_654_435_761) >> 20 ^ seed).to_ne_bytes())
        .collect()
}

fn nodes(store: &SharedStore) -> Arc<Hierarchy> {
    hierarchy(store, &[("threads", "1")])
}

fn whole(array: &ArrayNode, out: &mut [u8]) -> Result<()> {
    let dst = ViewMut::contiguous(out, &[200, 300], 4)?;
    array.array.read(&Region::whole(&SHAPE), MemoryType::Native, dst)
}

/// Arrays whose chunks are large, by the codecs of their chains.
fn specs() -> Vec<(String, ArraySpec)> {
    let spec = |format, codecs: &[&str]| {
        let mut spec = ArraySpec::new(DataType::UInt32, SHAPE.to_vec());
        spec.format = Some(format);
        spec.chunk_shape = Some(vec![120, 300]);
        spec.codecs =
            Some(codecs.iter().map(|&name| CodecSpec::new(name, Default::default())).collect());
        spec
    };
    let mut specs: Vec<(String, ArraySpec)> = Vec::new();
    for name in
        ["zstd", "gzip", "blosc", "crc32c", "zlib", "bz2", "lz4", "lzma", "shuffle", "pcodec"]
    {
        specs.push((format!("v3 {name}"), spec(FormatId::V3, &[name])));
    }
    for name in ["zlib", "lz4", "blosc", "delta"] {
        specs.push((format!("v2 {name}"), spec(FormatId::V2, &[name])));
    }
    specs.push(("n5 gzip".into(), spec(FormatId::N5, &["gzip"])));
    specs.push(("v3 none".into(), spec(FormatId::V3, &[])));
    let mut order = spec(FormatId::V3, &["zstd"]);
    order.fortran_order = true;
    specs.push(("v3 transposed".into(), order));
    let mut shards = spec(FormatId::V3, &["zstd"]);
    (shards.chunk_shape, shards.shard_shape) = (Some(vec![60, 300]), Some(vec![120, 300]));
    specs.push(("v3 shards".into(), shards));
    specs
}

type Work = fn(&Arc<Hierarchy>, &mut [u8]) -> Result<()>;

/// Calls on the array "a", with memory of the caller's own.
const CALLS: &[(&str, Work)] = &[
    ("read", |nodes, memory| whole(&nodes.open_array(&path("a"))?, memory)),
    ("read a part", |nodes, memory| {
        let region = Region::new(&SHAPE, &[10, 1], &[90, 140], Some(&[2, 2]))?;
        let dst = ViewMut::contiguous(&mut memory[..90 * 140 * 4], &[90, 140], 4)?;
        nodes.open_array(&path("a"))?.array.read(&region, MemoryType::Native, dst)
    }),
    ("write", |nodes, memory| {
        let src = View::contiguous(memory, &[200, 300], 4)?;
        let array = nodes.open_array(&path("a"))?;
        array.array.write(&Region::whole(&SHAPE), MemoryType::Native, &src)
    }),
    ("write a part", |nodes, memory| {
        let region = Region::new(&SHAPE, &[10, 1], &[180, 290], None)?;
        let src = View::contiguous(&memory[..180 * 290 * 4], &[180, 290], 4)?;
        nodes.open_array(&path("a"))?.array.write(&region, MemoryType::Native, &src)
    }),
    ("fill", |nodes, _| {
        let mut some = Selection::all(&SHAPE);
        some.set_region(&Region::new(&SHAPE, &[10, 1], &[180, 290], None)?);
        let array = nodes.open_array(&path("a"))?;
        array.array.fill(&some, MemoryType::Native, None, &[1, 2, 3, 4])
    }),
    ("shrink", |nodes, _| nodes.open_array(&path("a"))?.resize(&[100, 300])),
    ("verify", |nodes, _| {
        let report = verify(nodes, &path("a"), &Progress::silent())?;
        // that a chunk needs too much memory is reported, not returned
        match report.problems.iter().find(|p| p.kind != "dead_space") {
            Some(p) if p.kind == "too_large" => {
                Err(zarrc::error::Error::new(Kind::OutOfMemory, ""))
            }
            Some(p) => panic!("{p:?}"),
            None => Ok(()),
        }
    }),
    ("digest", |nodes, _| {
        let array = nodes.open_array(&path("a"))?;
        content_digest(&array.array, Algorithm::named("sha256")?, &Progress::silent()).map(drop)
    }),
    ("copy", |nodes, _| {
        let how = CopyOptions::default();
        copy_node(nodes, &path("a"), nodes, &path("b"), &how, &Progress::silent()).map(drop)
    }),
    ("rechunk", |nodes, _| {
        let array = nodes.open_array(&path("a"))?;
        let mut spec = ArraySpec::like(&array)?;
        (spec.chunk_shape, spec.shard_shape) = (Some(vec![200, 90]), None);
        rechunk(&array, nodes, &path("b"), &spec, 0, &Progress::silent())
    }),
    ("convert", |nodes, _| {
        let to = hierarchy(&memory(), &[("threads", "1")]);
        let v3 = nodes.open_array(&path("a"))?.format() == FormatId::V3;
        let format = if v3 { FormatId::V2 } else { FormatId::V3 };
        let accept = Accept { losses: true, leftovers: false };
        let root = path("");
        Conversion::plan(nodes, &root, &to, &root, format, accept)?.run(&Progress::silent())
    }),
];

/// A store with the array; `None`: its format has no such codec.
fn store_of(spec: &ArraySpec) -> Option<SharedStore> {
    let store = memory();
    let array = nodes(&store).create_array(&path("a"), spec).ok()?;
    let block = elements(0);
    let src = View::contiguous(&block, &[200, 300], 4).unwrap();
    array.array.write(&Region::whole(&SHAPE), MemoryType::Native, &src).unwrap();
    Some(store)
}

#[test]
fn memory_that_is_refused_ends_a_call_and_nothing_else() {
    let old = elements(0);
    let mut trials = 0;
    for (name, spec) in specs() {
        if store_of(&spec).is_none() {
            continue;
        }
        for (call, work) in CALLS {
            for n in 1.. {
                let store = store_of(&spec).unwrap();
                let mut block = elements(9);
                let given = block.clone();
                let opened = nodes(&store);
                let (result, failed) = refusing(n, || work(&opened, &mut block));
                drop(opened);
                trials += 1;
                let place = format!("{name}, {call}, allocation {n}");
                match &result {
                    Err(e) if failed && e.kind() == Kind::OutOfMemory => {}
                    // memory that would only have saved time
                    Ok(()) => {}
                    Err(e) => panic!("{place}: {:?} {e}", e.kind()),
                }
                // each element is old, or one that was to be written
                let mut found = vec![0; SIZE];
                let array = nodes(&store).open_array(&path("a")).unwrap();
                if array.array.shape() == SHAPE {
                    whole(&array, &mut found).unwrap_or_else(|e| panic!("{place}: {e}"));
                    let writes = matches!(*call, "write" | "write a part" | "fill" | "shrink");
                    assert!(writes || found == old, "{place}: the array has changed");
                }
                if let Err(e) = work(&nodes(&store), &mut given.clone()) {
                    assert!(e.kind() == Kind::AlreadyExists, "{place}: again: {e}");
                }
                if !failed {
                    break;
                }
            }
        }
    }
    println!("{trials} trials");
    assert!(trials > 500, "{trials}");
}
