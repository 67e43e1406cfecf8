//! The n-th large allocation of a call is refused, for every n, in Rust and in C libraries alike: the
//! call ends with OUT_OF_MEMORY or does without, each element is old or new, nothing is leaked, and
//! the call succeeds when it is made again. Sizes that come from a store or a caller are large here;
//! the small ones of the standard library abort a process, as everywhere in Rust.

use crate::common::allocator::refusing;
use crate::common::codecs::{chain, sample};
use crate::common::*;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use zarrc::array::MemoryType;
use zarrc::error::{Error, Kind, Result};
use zarrc::format::{FORMATS, FormatId};
use zarrc::hierarchy::{ArrayNode, ArraySpec, Hierarchy};
use zarrc::metadata::codecs::CODECS;
use zarrc::metadata::{CodecSpec, DataType};
use zarrc::operations::{
    Accept, Algorithm, Conversion, CopyOptions, IfExists, content_digest, copy_node, move_node,
    rechunk, verify,
};
use zarrc::progress::Progress;
use zarrc::selection::{Region, Selection};
use zarrc::store::{Depth, Mode, Precondition, SharedStore};
use zarrc::strided::{Number, View, ViewMut, convert};

const SHAPE: [u64; 2] = [100, 60];
const CHUNK: [u64; 2] = [80, 60];

/// Small whole numbers that every codec keeps, or texts of two categories.
enum Block {
    Fixed(Vec<u8>, usize),
    Variable(Vec<u64>, Vec<u8>),
}

fn block(data_type: &DataType, counts: [usize; 2], seed: usize) -> Block {
    let count = counts[0] * counts[1];
    let values = (0..count).map(|n| ((n * 2_654_435_761) >> 20) + seed);
    let Some(number) = data_type.number() else {
        let texts = values.map(|v| match (v % 2, *data_type == DataType::Json) {
            (0, false) => "north",
            (_, false) => "south",
            (0, true) => "17",
            (_, true) => "\"x\"",
        });
        let (mut offsets, mut bytes) = (vec![0], Vec::new());
        for text in texts {
            bytes.extend_from_slice(text.as_bytes());
            offsets.push(bytes.len() as u64);
        }
        return Block::Variable(offsets, bytes);
    };
    let most = if number == Number::Bool { 2 } else { 100 };
    let values: Vec<u8> = values.map(|v| (v % most) as u8).collect();
    let mut out = vec![0; count * number.size()];
    let src = View::contiguous(&values, &[count], 1).unwrap();
    let mut dst = ViewMut::contiguous(&mut out, &[count], number.size()).unwrap();
    convert(&src, Number::UInt8, &mut dst, number).unwrap();
    Block::Fixed(out, number.size())
}

/// What the caller of a call brings: memory of its own, allocated before.
struct Caller {
    start: [u64; 2],
    count: [usize; 2],
    block: Block,
}

impl Caller {
    fn new(data_type: &DataType, start: [u64; 2], count: [usize; 2]) -> Self {
        Caller { start, count, block: block(data_type, count, 1) }
    }

    fn region(&self, shape: &[u64]) -> Result<Region> {
        Region::new(shape, &self.start, &self.count.map(|n| n as u64), None)
    }

    fn write(&self, array: &ArrayNode) -> Result<()> {
        let region = self.region(&array.array.shape())?;
        match &self.block {
            Block::Fixed(bytes, item) => {
                let src = View::contiguous(bytes, &self.count, *item)?;
                array.array.write(&region, MemoryType::Native, &src)
            }
            Block::Variable(offsets, bytes) => array.array.write_vlen(&region, offsets, bytes),
        }
    }

    fn read(&mut self, array: &ArrayNode) -> Result<()> {
        let region = self.region(&array.array.shape())?;
        match &mut self.block {
            Block::Fixed(bytes, item) => {
                let dst = ViewMut::contiguous(bytes, &self.count, *item)?;
                array.array.read(&region, MemoryType::Native, dst)
            }
            Block::Variable(..) => array.array.read_vlen(&region).map(drop),
        }
    }
}

/// All elements of an array, one by one.
fn elements(array: &ArrayNode) -> Result<Vec<Vec<u8>>> {
    let shape = array.array.shape();
    let region = Region::whole(&shape);
    let data_type = &array.array.metadata().data_type;
    if data_type.is_variable() {
        let read = array.array.read_vlen(&region)?;
        let bounds = read.offsets().windows(2);
        return Ok(bounds.map(|b| read.bytes()[b[0] as usize..b[1] as usize].to_vec()).collect());
    }
    let counts: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
    let mut out = vec![0xEE; counts.iter().product::<usize>() * data_type.size()];
    let dst = ViewMut::contiguous(&mut out, &counts, data_type.size())?;
    array.array.read(&region, MemoryType::Native, dst)?;
    Ok(out.chunks(data_type.size()).map(<[u8]>::to_vec).collect())
}

type Values = BTreeMap<String, Vec<u8>>;

fn values(store: &SharedStore) -> Values {
    let keys = list(&**store, "", Depth::All).unwrap();
    keys.into_iter().map(|key| (key.clone(), get(&**store, &key).unwrap())).collect()
}

fn nodes(store: &SharedStore) -> Arc<Hierarchy> {
    hierarchy(store, &[("threads", "1")])
}

struct Call {
    name: &'static str,
    run: fn(&Arc<Hierarchy>, &mut Caller) -> Result<()>,
    /// Where the caller's block lies in the array, and its shape.
    block: ([u64; 2], [usize; 2]),
    /// Whether the array itself stays as it is.
    keeps: bool,
}

const CALL: Call = Call { name: "", run: |_, _| Ok(()), block: ([0, 0], [100, 60]), keeps: true };
const PART: ([u64; 2], [usize; 2]) = ([10, 1], [85, 50]);

const CALLS: &[Call] = &[
    Call { name: "read", run: |nodes, caller| caller.read(&nodes.open_array(&path("a"))?), ..CALL },
    Call {
        name: "read a part",
        run: |nodes, caller| caller.read(&nodes.open_array(&path("a"))?),
        block: PART,
        ..CALL
    },
    Call {
        name: "write",
        run: |nodes, caller| caller.write(&nodes.open_array(&path("a"))?),
        keeps: false,
        ..CALL
    },
    Call {
        name: "write a part",
        run: |nodes, caller| caller.write(&nodes.open_array(&path("a"))?),
        block: PART,
        keeps: false,
    },
    Call {
        name: "fill",
        run: |nodes, _| {
            let mut some = Selection::all(&SHAPE);
            some.set_region(&Region::new(&SHAPE, &[10, 1], &[85, 50], None)?);
            fill_some(nodes, &some)
        },
        keeps: false,
        ..CALL
    },
    Call {
        name: "fill points",
        run: |nodes, _| fill_some(nodes, &points()?),
        keeps: false,
        ..CALL
    },
    Call {
        name: "fill a mask",
        run: |nodes, _| {
            let mut some = Selection::all(&SHAPE);
            some.set_element_mask(&MASK)?;
            fill_some(nodes, &some)
        },
        keeps: false,
        ..CALL
    },
    Call {
        name: "read points",
        run: |nodes, caller| {
            let array = nodes.open_array(&path("a"))?;
            caller.read(&array)?;
            let Block::Fixed(all, item) = &caller.block else { return Ok(()) };
            let mut out = OUT.lock().unwrap_or_else(PoisonError::into_inner);
            out.resize(PLACES.len() / 2 * item, 0);
            let dst = ViewMut::contiguous(&mut out, &[PLACES.len() / 2], *item)?;
            let progress = &Progress::silent();
            array.array.read_selection(&points()?, MemoryType::Native, None, dst, progress)?;
            for (at, found) in PLACES.chunks(2).zip(out.chunks(*item)) {
                assert_eq!(found, &all[(at[0] * 60 + at[1]) as usize * item..][..*item]);
            }
            Ok(())
        },
        ..CALL
    },
];

// memory that no call takes
static OUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static MASK: LazyLock<Vec<u8>> = LazyLock::new(|| (0..6000).map(|n| u8::from(n % 7 < 3)).collect());
static PLACES: LazyLock<Vec<u64>> =
    LazyLock::new(|| (0..2000).flat_map(|n| [n * 37 % 100, n * 53 % 60]).collect());

fn points() -> Result<Selection> {
    let mut some = Selection::all(&SHAPE);
    some.set_points(PLACES.len() as u64 / 2, &PLACES)?;
    Ok(some)
}

fn fill_some(nodes: &Arc<Hierarchy>, some: &Selection) -> Result<()> {
    let array = nodes.open_array(&path("a"))?;
    let item = array.array.metadata().data_type.size();
    if array.array.metadata().data_type.is_variable() {
        return Ok(());
    }
    array.array.fill(some, MemoryType::Native, None, &[0; 8][..item])
}

/// Calls in which the codecs make no difference.
const MORE: &[Call] = &[
    Call {
        name: "create",
        run: |nodes, _| {
            let mut spec = ArraySpec::new(DataType::Int32, SHAPE.to_vec());
            spec.attributes.set("long", &long())?;
            nodes.create_array(&path("new/a"), &spec).map(drop)
        },
        ..CALL
    },
    Call {
        name: "attributes",
        run: |nodes, _| {
            let array = nodes.open_array(&path("a"))?;
            array.attributes().write(&mut |all| all.set("long", &long()))
        },
        ..CALL
    },
    Call {
        name: "list",
        run: |nodes, _| nodes.open_group(&path(""))?.list(true).map(drop),
        ..CALL
    },
    Call {
        name: "consolidate",
        run: |nodes, _| match nodes.consolidate(&path("")) {
            Err(e) if e.kind() == Kind::Unsupported => Ok(()), // N5 has no such document
            done => done,
        },
        ..CALL
    },
    Call {
        name: "append",
        run: |nodes, caller| {
            let array = nodes.open_array(&path("a"))?;
            if array.array.shape() == [150, 60] {
                return Ok(()); // a second run of a call that was done
            }
            let Block::Fixed(bytes, item) = &caller.block else { return Ok(()) };
            let src = View::contiguous(bytes, &caller.count, *item)?;
            let write = |extent: &_, region: &_| {
                array.array.write_ahead(extent, region, MemoryType::Native, &src)
            };
            array.append(0, &[50, 60], &write).map(drop)
        },
        block: ([0, 0], [50, 60]),
        ..CALL
    },
    Call {
        name: "write through the buffer",
        run: |nodes, caller| {
            let array = nodes.open_array(&path("a"))?;
            caller.write(&array)?;
            array.flush()
        },
        block: PART,
        keeps: false,
    },
    Call {
        name: "shrink",
        run: |nodes, _| nodes.open_array(&path("a"))?.resize(&[70, 60]),
        keeps: false,
        ..CALL
    },
    Call { name: "grow", run: |nodes, _| nodes.open_array(&path("a"))?.grow(&[200, 90]), ..CALL },
    Call {
        name: "verify",
        run: |nodes, _| {
            let report = verify(nodes, &path("a"), &Progress::silent())?;
            // that a chunk needs too much memory is reported, not returned
            match report.problems.iter().find(|p| p.kind != "dead_space") {
                Some(p) if p.kind == "too_large" => Err(Error::new(Kind::OutOfMemory, "")),
                Some(p) => panic!("{p:?}"),
                None => Ok(()),
            }
        },
        ..CALL
    },
    Call {
        name: "digest",
        run: |nodes, _| {
            let array = nodes.open_array(&path("a"))?;
            let sha256 = Algorithm::named("sha256")?;
            content_digest(&array.array, sha256, &Progress::silent()).map(drop)
        },
        ..CALL
    },
    Call {
        name: "copy",
        run: |nodes, _| {
            let how = CopyOptions { if_exists: IfExists::Replace, ..CopyOptions::default() };
            copy_node(nodes, &path("a"), nodes, &path("b"), &how, &Progress::silent()).map(drop)
        },
        ..CALL
    },
    Call {
        name: "move",
        run: |nodes, _| move_node(nodes, &path("g"), &path("h"), &Progress::silent()),
        ..CALL
    },
    Call {
        name: "rechunk",
        run: |nodes, _| {
            let array = nodes.open_array(&path("a"))?;
            let mut spec = ArraySpec::like(&array)?;
            (spec.chunk_shape, spec.shard_shape) = (Some(vec![100, 40]), None);
            rechunk(&array, nodes, &path("b"), &spec, 0, &Progress::silent())
        },
        ..CALL
    },
    Call {
        name: "convert",
        run: |nodes, _| {
            let to = hierarchy(&memory(), &[("threads", "1")]);
            let v3 = nodes.open_array(&path("a"))?.format() == FormatId::V3;
            let format = if v3 { FormatId::V2 } else { FormatId::V3 };
            let accept = Accept { losses: true, leftovers: false };
            let root = path("");
            Conversion::plan(nodes, &root, &to, &root, format, accept)?.run(&Progress::silent())
        },
        ..CALL
    },
];

/// An attribute: its document stays below what is refused, because the JSON parser aborts.
fn long() -> String {
    format!("\"{}\"", "long ".repeat(100))
}

fn spec(format: FormatId, data_type: DataType, codecs: Vec<CodecSpec>) -> ArraySpec {
    let mut spec = ArraySpec::new(data_type, SHAPE.to_vec());
    (spec.format, spec.chunk_shape) = (Some(format), Some(CHUNK.to_vec()));
    spec.codecs = Some(codecs);
    spec
}

/// Arrays with each codec of the table, in the first format that has it.
fn with_each_codec() -> Vec<(String, Values, DataType)> {
    let mut found = Vec::new();
    // its crate aborts where memory for its tables is refused
    for codec in CODECS.iter().filter(|codec| codec.name != "pcodec") {
        let chain = chain(codec);
        let chain: Vec<_> =
            chain.as_array().unwrap().iter().map(|c| CodecSpec::from_json(c).unwrap()).collect();
        let data_type = sample(codec).data_type;
        let stored = FORMATS.iter().find_map(|format| {
            let spec = spec(format.id, data_type.clone(), chain.clone());
            stored(&spec).map(|values| (format!("{:?} {}", format.id, codec.name), values))
        });
        match stored {
            Some((name, values)) => found.push((name, values, data_type)),
            // packing stands for attributes; what is not listed here has lost its format
            None => assert!(["pickle", "zarrc.packing"].contains(&codec.name), "{}", codec.name),
        }
    }
    found
}

/// What a store with an array "a" and a group "g" holds; `None`: the format has no such codec.
fn stored(spec: &ArraySpec) -> Option<Values> {
    let store = memory();
    let nodes = nodes(&store);
    nodes.create_group(&path(""), spec.format).ok()?;
    let array = nodes.create_array(&path("a"), spec).ok()?;
    let mut all = Caller::new(&spec.data_type, [0, 0], [100, 60]);
    all.block = block(&spec.data_type, [100, 60], 0);
    all.write(&array).unwrap();
    let mut inner = spec.clone();
    inner.codecs = None;
    nodes.create_array(&path("g/a"), &inner).ok()?;
    Some(values(&store))
}

/// Makes a store with these values, of a kind of its own.
type Place = fn(&Scratch, u64) -> String;

struct Series<'a> {
    name: &'a str,
    place: Place,
    values: &'a Values,
    data_type: &'a DataType,
    call: &'a Call,
    options: &'a [(&'static str, &'static str)],
}

impl Series<'_> {
    fn store(&self, scratch: &Scratch, n: u64) -> SharedStore {
        let url = (self.place)(scratch, n);
        let store = zarrc::store::open(&url, Mode::Overwrite, &options(&[])).unwrap();
        for (k, value) in self.values {
            store.set(&key(k), &[value], &Precondition::None).unwrap();
        }
        store
    }

    fn caller(&self) -> Caller {
        Caller::new(self.data_type, self.call.block.0, self.call.block.1)
    }

    fn work(&self, store: &SharedStore, caller: &mut Caller) -> Result<()> {
        let nodes = hierarchy(store, self.options);
        let result = (self.call.run)(&nodes, caller);
        result.and(nodes.close())
    }

    /// Refuses each allocation in turn; returns how many there are.
    fn run(&self, failures: &mut Vec<String>) -> u64 {
        let scratch = Scratch::new();
        let clean = self.store(&scratch, 0);
        let opened = |store: &SharedStore| nodes(store).open_array(&path("a")).unwrap();
        let old = elements(&opened(&clean)).unwrap();
        self.work(&clean, &mut self.caller()).unwrap();
        let new = elements(&opened(&clean)).unwrap();
        let clean = values(&clean);
        for n in 1.. {
            let place = format!("{}, {}, allocation {n}", self.name, self.call.name);
            eprintln!("{place}"); // the last line of a process that aborts
            let store = self.store(&scratch, n);
            let mut caller = self.caller();
            let (result, refused) = refusing(n, || self.work(&store, &mut caller));
            if let Err(why) = self.check(&store, &result, refused, &old, &new, &clean) {
                failures.push(format!("{place}: {why}; it returned {result:?}"));
            }
            if !refused {
                return n;
            }
        }
        unreachable!()
    }

    /// Checks what a call has left, and calls again.
    fn check(
        &self,
        store: &SharedStore,
        result: &Result<()>,
        refused: bool,
        old: &[Vec<u8>],
        new: &[Vec<u8>],
        clean: &Values,
    ) -> Result<(), String> {
        match result {
            Ok(()) => {} // memory that would only have saved time
            Err(e) if refused && e.kind() == Kind::OutOfMemory => {}
            Err(_) => return Err("the status is not OUT_OF_MEMORY".into()),
        }
        let said = |e: Error| e.to_string();
        let found = elements(&nodes(store).open_array(&path("a")).map_err(said)?).map_err(said)?;
        let is = |n: usize, all: &[Vec<u8>]| all.get(n) == Some(&found[n]);
        // by element where the shape stays, else as a whole
        let holds = match (self.call.keeps, found.len() == old.len()) {
            (true, true) => found == old,
            (false, true) => (0..found.len()).all(|n| is(n, old) || is(n, new)),
            _ => found == new,
        };
        if !holds && self.call.name != "shrink" {
            return Err("an element is neither old nor new".into());
        }
        if result.is_err() {
            match self.work(store, &mut self.caller()) {
                Err(e) if e.kind() == Kind::AlreadyExists => {}
                again => again.map_err(|e| format!("again: {e}"))?,
            }
        }
        match values(store) == *clean {
            true => Ok(()),
            false => Err("the store is not as after an undisturbed call".into()),
        }
    }
}

/// Bytes that the C library has handed out, to Rust as well.
#[allow(unsafe_code)]
fn held() -> usize {
    // SAFETY: mallinfo2 has no preconditions.
    let info = unsafe { libc::mallinfo2() };
    info.uordblks + info.hblkhd
}

/// In a process of its own, in which no other test keeps memory for calls to come.
#[test]
fn memory_that_is_refused_ends_a_call_and_nothing_else() {
    if !is_alone("allocation::memory_that_is_refused_ends_a_call_and_nothing_else") {
        return;
    }
    let in_memory: Place = |_, _| "memory:".into();
    let places: [(&str, Place); 4] = [
        ("memory", in_memory),
        ("directory", |scratch, n| scratch.url(&format!("{n}.zarr"))),
        ("zip", |scratch, n| scratch.url(&format!("{n}.zip"))),
        ("SQLite", |scratch, n| scratch.url(&format!("{n}.sqlite"))),
    ];
    let (mut trials, mut failures) = (0, Vec::new());
    let mut series = |series: Series<'_>| {
        trials += series.run(&mut failures); // once for what is kept for good
        let before = held();
        series.run(&mut Vec::new());
        let leaked = held().saturating_sub(before);
        if leaked > 32 << 10 {
            failures.push(format!("{}, {}: {leaked} B leak", series.name, series.call.name));
        }
    };
    const ONE: &[(&str, &str)] = &[("threads", "1")];
    for (name, values, data_type) in &with_each_codec() {
        for call in CALLS {
            series(Series { name, place: in_memory, values, data_type, call, options: ONE });
        }
    }
    let zstd = || vec![CodecSpec::new("zstd", Default::default())];
    let mut shards = spec(FormatId::V3, DataType::Int32, zstd());
    (shards.chunk_shape, shards.shard_shape) = (Some(vec![40, 60]), Some(vec![80, 60]));
    for (format, spec) in [
        ("v3", shards),
        ("v2", spec(FormatId::V2, DataType::Int32, zstd())),
        ("n5", spec(FormatId::N5, DataType::Int32, vec![])),
    ] {
        let (values, data_type) = (&stored(&spec).unwrap(), &spec.data_type);
        for (kind, place) in places {
            let name = &format!("{format} in {kind}");
            for call in CALLS.iter().chain(MORE) {
                let buffered = &[("threads", "1"), ("write_buffer", "1MiB")];
                let options = if call.name.contains("buffer") { buffered } else { ONE };
                series(Series { name, place, values, data_type, call, options });
            }
        }
    }
    println!("{trials} refused allocations");
    assert!(failures.is_empty(), "{} failures: {failures:#?}", failures.len());
    assert!(trials > 500, "{trials}");
}
