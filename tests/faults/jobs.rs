//! What is interrupted: each job on a small store that has every kind of array.

use super::store::Fault;
use crate::common::{hierarchy, key, path};
use std::sync::Arc;
use zarrc::array::MemoryType;
use zarrc::error::{Kind, Result};
use zarrc::format::FormatId;
use zarrc::hierarchy::{ArrayNode, ArraySpec, Hierarchy};
use zarrc::metadata::{CodecSpec, DataType};
use zarrc::operations::{
    Accept, Conversion, CopyOptions, Recode, copy_node, move_node, rechunk, recode_node, repair,
};
use zarrc::progress::Progress;
use zarrc::selection::{Region, Selection};
use zarrc::store::{Precondition, SharedStore};
use zarrc::strided::View;

pub struct Job {
    pub name: &'static str,
    /// Changes the prepared store before the job.
    pub before: fn(&SharedStore, FormatId),
    pub run: fn(&Arc<Hierarchy>, FormatId) -> Result<()>,
    /// The options of the job's handle.
    pub options: &'static [(&'static str, &'static str)],
    /// The lies that preconditions or checks detect.
    pub lies: &'static [Fault],
    /// Whether an interruption may leave chunks that are partly new, or partly deleted.
    pub mixes: bool,
    /// What a second run says if the first one was done.
    pub done: Option<Kind>,
    /// Whether documents change format or place, so that consolidated metadata follows at the end.
    pub moves: bool,
    /// Whether a second run may find its node gone, and leave keys that a repair deletes.
    pub leaves: bool,
}

const PLAIN: Job = Job {
    name: "",
    before: |_, _| {},
    run: |_, _| Ok(()),
    options: &[],
    lies: &[Fault::Truncated, Fault::Stale, Fault::Hidden],
    mixes: false,
    done: None,
    moves: false,
    leaves: false,
};

/// Only directories have links.
pub const LINK: Job = Job {
    name: "link",
    run: |nodes, _| {
        let how = CopyOptions {
            if_exists: zarrc::operations::IfExists::Replace,
            link: true,
            ..CopyOptions::default()
        };
        copy_node(nodes, &path("g"), nodes, &path("h/i"), &how, &Progress::silent()).map(drop)
    },
    ..PLAIN
};

pub const JOBS: &[Job] = &[
    Job {
        name: "create groups",
        run: |nodes, id| nodes.create_group(&path("n/e/w"), Some(id)).map(drop),
        done: Some(Kind::AlreadyExists),
        ..PLAIN
    },
    Job {
        name: "create an array",
        run: |nodes, id| {
            let mut spec = spec(id, &[4, 4], &[2, 2]);
            spec.attributes.set("new", "true")?;
            nodes.create_array(&path("n/a"), &spec).map(drop)
        },
        done: Some(Kind::AlreadyExists),
        ..PLAIN
    },
    Job { name: "write all", run: |nodes, _| write(nodes, "a", &[0, 0], &[5, 7], 500), ..PLAIN },
    Job { name: "write a part", run: |nodes, _| write(nodes, "a", &[1, 2], &[3, 4], 500), ..PLAIN },
    Job { name: "write shards", run: |nodes, _| write(nodes, "g/b", &[0], &[20], 500), ..PLAIN },
    Job {
        name: "write a part of shards",
        run: |nodes, _| write(nodes, "g/b", &[3], &[10], 500),
        ..PLAIN
    },
    Job {
        name: "write by element",
        run: |nodes, _| (2..6).try_for_each(|n| write(nodes, "g/b", &[n], &[1], 500)),
        mixes: true,
        ..PLAIN
    },
    Job {
        name: "write through the buffer",
        run: |nodes, _| {
            let array = nodes.open_array(&path("a"))?;
            for row in 0..5 {
                write_to(&array, &[row, 1], &[1, 5], 500)?;
            }
            array.flush()
        },
        options: &[("write_buffer", "1MiB")],
        ..PLAIN
    },
    Job {
        name: "write strings",
        run: |nodes, id| match id {
            FormatId::N5 => Ok(()),
            _ => strings(&nodes.open_array(&path("g/s"))?, 1, &["new", "", "words"]),
        },
        ..PLAIN
    },
    Job {
        name: "fill",
        run: |nodes, _| {
            let array = nodes.open_array(&path("a"))?;
            let mut some = Selection::all(&[5, 7]);
            some.set_region(&Region::new(&[5, 7], &[1, 0], &[4, 7], None)?);
            array.array.fill(&some, MemoryType::Native, None, &7u32.to_ne_bytes())
        },
        ..PLAIN
    },
    Job {
        name: "erase by the fill value",
        run: |nodes, _| {
            let array = nodes.open_array(&path("a"))?;
            array.array.fill(&Selection::all(&[5, 7]), MemoryType::Native, None, &[0; 4])
        },
        ..PLAIN
    },
    Job {
        name: "append",
        run: |nodes, _| {
            let array = nodes.open_array(&path("a"))?;
            // a second run of a job that was done
            if array.array.shape() == [8, 7] {
                return Ok(());
            }
            let block = numbers(21, 500);
            let src = View::contiguous(&block, &[3, 7], 4)?;
            let write = |extent: &_, region: &_| {
                array.array.write_ahead(extent, region, MemoryType::Native, &src)
            };
            array.append(0, &[3, 7], &write).map(drop)
        },
        ..PLAIN
    },
    Job {
        name: "grow",
        run: |nodes, _| nodes.open_array(&path("a"))?.grow(&[9, 8]),
        lies: &[Fault::Truncated, Fault::Stale],
        before: |store, _| {
            // what a killed writer left outside
            let array = hierarchy(store, &[]).open_array(&path("a")).unwrap();
            let extent =
                zarrc::array::Extent { shape: vec![9, 8], grid: array.array.grid().clone() };
            let block = numbers(72, 900);
            let src = View::contiguous(&block, &[9, 8], 4).unwrap();
            let region = Region::new(&[9, 8], &[5, 0], &[4, 8], None).unwrap();
            let src = src.slice(&[5, 0], &[4, 8]).unwrap();
            array.array.write_ahead(&extent, &region, MemoryType::Native, &src).unwrap();
        },
        ..PLAIN
    },
    Job {
        name: "shrink",
        run: |nodes, _| nodes.open_array(&path("a"))?.resize(&[3, 5]),
        mixes: true,
        lies: &[Fault::Truncated, Fault::Stale],
        ..PLAIN
    },
    Job {
        name: "attributes of a group",
        run: |nodes, _| {
            let group = nodes.open_group(&path("g"))?;
            group.attributes().write(&mut |all| all.set("title", "\"new\""))
        },
        ..PLAIN
    },
    Job {
        name: "attributes of an array",
        run: |nodes, _| {
            let array = nodes.open_array(&path("a"))?;
            array.attributes().write(&mut |all| all.set("title", "\"new\""))
        },
        ..PLAIN
    },
    Job {
        name: "delete",
        run: |nodes, _| nodes.delete(&path("g")),
        done: Some(Kind::NotFound),
        leaves: true,
        lies: &[Fault::Stale],
        ..PLAIN
    },
    Job {
        name: "delete one by one",
        run: |nodes, _| nodes.delete_each(&path("g"), &Progress::silent()).map(drop),
        lies: &[Fault::Stale],
        done: Some(Kind::NotFound),
        leaves: true,
        ..PLAIN
    },
    Job {
        name: "consolidate",
        run: |nodes, id| match id {
            FormatId::N5 => Ok(()),
            _ => nodes.consolidate(&path("")),
        },
        lies: &[Fault::Stale],
        ..PLAIN
    },
    Job {
        name: "copy",
        run: |nodes, _| {
            let how = CopyOptions {
                if_exists: zarrc::operations::IfExists::Replace,
                ..CopyOptions::default()
            };
            let silent = Progress::silent();
            copy_node(nodes, &path("g"), nodes, &path("h/i"), &how, &silent).map(drop)
        },
        lies: &[],
        ..PLAIN
    },
    Job {
        name: "move",
        run: |nodes, _| move_node(nodes, &path("g"), &path("m"), &Progress::silent()),
        lies: &[],
        done: Some(Kind::NotFound),
        leaves: true,
        moves: true,
        ..PLAIN
    },
    Job {
        name: "convert",
        run: |nodes, id| convert(nodes, "", "", id),
        lies: &[],
        done: Some(Kind::InvalidArgument),
        moves: true,
        ..PLAIN
    },
    Job {
        name: "rechunk",
        run: |nodes, id| {
            let array = nodes.open_array(&path("a"))?;
            let spec = spec(id, &[5, 7], &[4, 2]);
            rechunk(&array, nodes, &path("r"), &spec, 0, &Progress::silent())
        },
        lies: &[],
        done: Some(Kind::AlreadyExists),
        ..PLAIN
    },
    Job {
        name: "recode",
        run: |nodes, id| {
            let mut spec = spec(id, &[0], &[3]);
            spec.codecs = Some(vec![CodecSpec::new("gzip", Default::default())]);
            let recode = Recode { spec, memory_limit: 0 };
            let (from, to, silent) = (path("g"), path("h"), Progress::silent());
            let how = CopyOptions {
                if_exists: zarrc::operations::IfExists::Replace,
                ..CopyOptions::default()
            };
            recode_node(nodes, &from, nodes, &to, &how, &recode, &silent).map(drop)
        },
        lies: &[],
        ..PLAIN
    },
    Job {
        name: "repair",
        before: |store, id| {
            let stray = if id == FormatId::V3 { "a/c/9/9" } else { "a/9.9" };
            store.set(&key(stray), &[b"stray"], &Precondition::None).unwrap();
            store.set(&key("g/stray"), &[b"stray"], &Precondition::None).unwrap();
        },
        run: |nodes, _| {
            repair(nodes, &path(""), "outside,unknown,consolidated", false, &Progress::silent())
                .map(drop)
        },
        lies: &[],
        ..PLAIN
    },
];

fn convert(nodes: &Arc<Hierarchy>, from: &str, to: &str, id: FormatId) -> Result<()> {
    let other = if id == FormatId::V3 { FormatId::V2 } else { FormatId::V3 };
    let accept = Accept { losses: true, leftovers: false };
    let (from, to) = (path(from), path(to));
    Conversion::plan(nodes, &from, nodes, &to, other, accept)?.run(&Progress::silent())
}

pub fn numbers(count: usize, from: u32) -> Vec<u8> {
    (from..).take(count).flat_map(u32::to_ne_bytes).collect()
}

fn spec(id: FormatId, shape: &[u64], chunks: &[u64]) -> ArraySpec {
    let mut spec = ArraySpec::new(DataType::UInt32, shape.to_vec());
    spec.format = Some(id);
    spec.chunk_shape = Some(chunks.to_vec());
    spec
}

fn write_to(array: &ArrayNode, start: &[u64], count: &[u64], from: u32) -> Result<()> {
    let counts: Vec<usize> = count.iter().map(|&n| n as usize).collect();
    let block = numbers(counts.iter().product(), from);
    let region = Region::new(&array.array.shape(), start, count, None)?;
    array.array.write(&region, MemoryType::Native, &View::contiguous(&block, &counts, 4)?)
}

fn write(nodes: &Arc<Hierarchy>, at: &str, start: &[u64], count: &[u64], from: u32) -> Result<()> {
    write_to(&nodes.open_array(&path(at))?, start, count, from)
}

fn strings(array: &ArrayNode, start: u64, texts: &[&str]) -> Result<()> {
    let mut offsets = vec![0];
    offsets.extend(texts.iter().scan(0, |end, text| {
        *end += text.len() as u64;
        Some(*end)
    }));
    let region = Region::new(&array.array.shape(), &[start], &[texts.len() as u64], None)?;
    array.array.write_vlen(&region, &offsets, texts.concat().as_bytes())
}

/// The store on which every job runs.
pub fn prepare(store: &SharedStore, id: FormatId, consolidated: bool) {
    let nodes = hierarchy(store, &[]);
    let set = |all: &mut zarrc::metadata::Attributes| all.set("title", "\"old\"");
    let root = nodes.create_group(&path(""), Some(id)).unwrap();
    root.attributes().write(&mut |all| set(all)).unwrap();
    let group = nodes.create_group(&path("g"), Some(id)).unwrap();
    group.attributes().write(&mut |all| set(all)).unwrap();
    let array = nodes.create_array(&path("a"), &spec(id, &[5, 7], &[2, 3])).unwrap();
    array.attributes().write(&mut |all| set(all)).unwrap();
    write_to(&array, &[0, 0], &[5, 7], 1).unwrap();
    let mut sharded = spec(id, &[20], &[2]);
    sharded.codecs = Some(vec![]);
    if id == FormatId::V3 {
        sharded.shard_shape = Some(vec![8]);
    }
    let array = nodes.create_array(&path("g/b"), &sharded).unwrap();
    write_to(&array, &[0], &[20], 1).unwrap();
    if id != FormatId::N5 {
        let mut spec = ArraySpec::new(DataType::String, vec![5]);
        spec.format = Some(id);
        spec.chunk_shape = Some(vec![2]);
        let array = nodes.create_array(&path("g/s"), &spec).unwrap();
        strings(&array, 0, &["some", "old", "words", "of", "old"]).unwrap();
        if consolidated {
            nodes.consolidate(&path("")).unwrap();
        }
    }
}
