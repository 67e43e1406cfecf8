//! How often a store that is far away is asked, and how many requests are under way at once.
//! Nothing here looks at a clock: a server that waits for as many requests as should come shows it.

use super::server::{Files, Request as HttpRequest, Server};
use super::words::*;
use crate::common::{memory, path};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, RwLock};
use std::time::Duration;
use zarrc::array::{MemoryType, Request, Work};
use zarrc::codec::{ChunkSpec, OpenUserCodec, UserCodec, register, unregister};
use zarrc::error::{Kind, Result};
use zarrc::format::{FormatId, NodeKind};
use zarrc::hierarchy::{ArrayNode, ArraySpec, FillSpec, Hierarchy};
use zarrc::metadata::{CodecKind, CodecSpec, DataType};
use zarrc::progress::Progress;
use zarrc::selection::{Region, Selection};
use zarrc::source::ByteSource;
use zarrc::store::{
    Depth, Entry, Key, Mode, Options, Precondition, SharedStore, Store, Version, open,
};
use zarrc::strided::{View, ViewMut};

fn hierarchy(store: SharedStore, set: &[(&str, &str)]) -> Arc<Hierarchy> {
    Arc::new(Hierarchy::new(store, &options(set)))
}

/// A line of `count` numbers in chunks of 16, a number of chunks to a shard if they have any.
fn spec(format: FormatId, count: u64, codecs: &[&str], shard: Option<u64>) -> ArraySpec {
    let mut spec = ArraySpec::new(DataType::UInt32, vec![count]);
    spec.chunk_shape = Some(vec![16]);
    spec.shard_shape = shard.map(|n| vec![16 * n]);
    let codec = |name: &&str| CodecSpec::new(*name, Default::default());
    spec.codecs = Some(codecs.iter().map(codec).collect());
    spec.fill_value = FillSpec::Json("7".into());
    spec.format = Some(format);
    spec
}

fn values(count: usize) -> Vec<u32> {
    (0..count as u32).map(|n| n.wrapping_mul(2_654_435_761)).collect()
}

fn write(array: &ArrayNode, start: u64, values: &[u32]) -> Result<()> {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
    let region = Region::new(&array.array.shape(), &[start], &[values.len() as u64], None).unwrap();
    let src = View::contiguous(&bytes, &[values.len()], 4).unwrap();
    array.array.write(&region, MemoryType::Native, &src)
}

fn read(array: &ArrayNode, start: u64, count: usize) -> Vec<u32> {
    let mut bytes = vec![0; count * 4];
    let region = Region::new(&array.array.shape(), &[start], &[count as u64], None).unwrap();
    let dst = ViewMut::contiguous(&mut bytes, &[count], 4).unwrap();
    array.array.read(&region, MemoryType::Native, dst).unwrap();
    bytes.chunks(4).map(|b| u32::from_ne_bytes(b.try_into().unwrap())).collect()
}

/// What a store holds, below `/x/`.
fn files_of(store: &SharedStore) -> Files {
    let files = Files::default();
    for k in list(&**store, "", Depth::All).unwrap() {
        files.put(&format!("/x/{k}"), &get(&**store, &k).unwrap());
    }
    files
}

fn serve(files: &Files) -> Server {
    let files = files.clone();
    Server::new(move |request| files.answer(request))
}

/// The same, with pages about directories.
fn serve_listed(files: &Files) -> Server {
    let files = files.clone();
    Server::new(move |request| match files.page(&request.path) {
        Some(page) if request.path.ends_with('/') => page,
        _ => files.answer(request),
    })
}

fn reader(server: &Server, set: &[(&str, &str)]) -> Arc<Hierarchy> {
    hierarchy(opened(&format!("{}/x", server.url()), set).unwrap(), set)
}

/// Groups `g` and `g/h` with arrays, in a format.
fn tree(format: FormatId) -> SharedStore {
    let store = memory();
    let nodes = hierarchy(store.clone(), &[]);
    for at in ["", "g", "g/h"] {
        let group = nodes.create_group(&path(at), Some(format)).unwrap();
        group.attributes().write(&mut |a| a.set("at", &format!("{at:?}"))).unwrap();
    }
    for at in ["a", "g/a", "g/h/a", "g/h/b"] {
        let array = nodes.create_array(&path(at), &spec(format, 64, &[], None)).unwrap();
        write(&array, 0, &values(64)).unwrap();
        array.attributes().write(&mut |a| a.set("at", &format!("{at:?}"))).unwrap();
    }
    store
}

const NODES: [(&str, NodeKind); 6] = [
    ("a", NodeKind::Array),
    ("g", NodeKind::Group),
    ("g/a", NodeKind::Array),
    ("g/h", NodeKind::Group),
    ("g/h/a", NodeKind::Array),
    ("g/h/b", NodeKind::Array),
];

/// The same with consolidated metadata.
fn consolidated(format: FormatId) -> SharedStore {
    let store = tree(format);
    let text = |k: &str| String::from_utf8(get(&*store, k).unwrap()).unwrap();
    let keys = list(&*store, "", Depth::All).unwrap();
    let (name, document) = match format {
        FormatId::V3 => {
            let nodes: Vec<String> = NODES
                .iter()
                .map(|(at, _)| format!("{at:?}: {}", text(&format!("{at}/zarr.json"))))
                .collect();
            let all = nodes.join(", ");
            let inline = format!(
                r#"{{"consolidated_metadata": {{"kind": "inline", "must_understand": false, "metadata": {{{all}}}}},"#
            );
            ("zarr.json", text("zarr.json").replacen('{', &inline, 1))
        }
        _ => {
            let of_nodes = keys.iter().filter(|k| k.rsplit('/').next().unwrap().starts_with(".z"));
            let all: Vec<String> = of_nodes.map(|k| format!("{k:?}: {}", text(k))).collect();
            let all = all.join(", ");
            (".zmetadata", format!(r#"{{"zarr_consolidated_format": 1, "metadata": {{{all}}}}}"#))
        }
    };
    store.set(&key(name), &[document.as_bytes()], &Precondition::None).unwrap();
    store
}

#[test]
fn opening_an_array_asks_for_its_document_alone() {
    let server = serve(&files_of(&tree(FormatId::V3)));
    let nodes = reader(&server, &[]);
    let array = nodes.open_array(&path("g/h/a")).unwrap();
    assert_eq!(server.lines(), ["GET /x/g/h/a/zarr.json"]);
    assert_eq!(read(&array, 0, 64), values(64));
    let chunks = ["0", "1", "2", "3"].map(|n| format!("GET /x/g/h/a/c/{n}"));
    assert_eq!(server.lines(), chunks);

    let server = serve(&files_of(&tree(FormatId::V2)));
    reader(&server, &[("format", "v2")]).open_array(&path("g/h/a")).unwrap();
    assert_eq!(server.lines(), ["GET /x/g/h/a/.zarray"]);
    // where the format is not known, what is looked for besides is looked for at once, and only
    // once
    let nodes = reader(&server, &[]);
    nodes.open_array(&path("g/h/a")).unwrap();
    let asked = server.asked();
    assert_eq!(asked[0].line(), "GET /x/g/h/a/zarr.json");
    assert!(asked.len() <= 7, "{asked:?}");
}

#[test]
fn what_the_server_does_not_tell_apart_is_not_kept() {
    const NOW: &str = "Sun, 22 Nov 2026 00:00:00 GMT";
    for (told, date) in [(true, None), (false, Some(NOW)), (false, None)] {
        let store = memory();
        let spec = spec(FormatId::V3, 64, &["zstd"], None);
        let array = hierarchy(store.clone(), &[]).create_array(&path("a"), &spec).unwrap();
        let chunk = |value: u32| {
            write(&array, 0, &[value; 16]).unwrap();
            get(&*store, "a/c/0").unwrap()
        };
        let (old, new) = (chunk(0x0101_0101), chunk(0x0202_0202));
        assert!(old.len() == new.len() && old != new);
        let files = files_of(&store);
        files.put("/x/a/c/0", &old);
        let answers = files.clone();
        let server = Server::new(move |request| {
            let reply = answers.answer(request);
            let reply = if told { reply } else { reply.without("ETag") };
            date.iter().fold(reply, |r, date| r.with("Last-Modified", *date).with("Date", *date))
        });
        let store = open(&format!("{}/x/", server.url()), Mode::Read, &Options::default()).unwrap();
        let read_only = hierarchy(store, &[]).open_array(&path("a")).unwrap();
        for _ in 0..4 {
            assert_eq!(read(&read_only, 0, 2), [0x0101_0101; 2]);
        }
        files.put("/x/a/c/0", &new);
        assert_eq!(read(&read_only, 2, 2), [0x0202_0202; 2], "{told} {date:?}");
    }
}

#[test]
fn consolidated_metadata_is_one_request_for_all_nodes() {
    for (format, set, expected) in [
        (FormatId::V3, &[][..], &["GET /x/zarr.json"][..]),
        (FormatId::V3, &[("consolidated", "yes")], &["GET /x/zarr.json"]),
        (FormatId::V2, &[("consolidated", "yes"), ("format", "v2")], &["GET /x/.zmetadata"]),
    ] {
        let server = serve(&files_of(&consolidated(format)));
        let nodes = reader(&server, set);
        let root = nodes.open_group(&path("")).unwrap();
        assert_eq!(server.lines(), expected);
        for (at, kind) in NODES {
            assert_eq!(nodes.kind_at(&path(at)).unwrap(), Some(kind));
            let expected = format!("{at:?}");
            let look = |a: &zarrc::metadata::Attributes| {
                assert!(a.to_json().contains(&expected), "{}", a.to_json());
                Ok(())
            };
            match kind {
                NodeKind::Array => nodes.open_array(&path(at)).unwrap().attributes().read(look),
                NodeKind::Group => nodes.open_group(&path(at)).unwrap().attributes().read(look),
            }
            .unwrap();
        }
        let listed = root.list(true).unwrap();
        let listed: Vec<_> = listed.iter().map(|l| (l.path.as_str(), l.kind.unwrap())).collect();
        assert_eq!(listed, NODES);
        let below = nodes.open_group(&path("g")).unwrap().list(false).unwrap();
        assert_eq!(below.iter().map(|l| &*l.path).collect::<Vec<_>>(), ["a", "h"]);
        assert_eq!(server.lines(), [""; 0]);
    }
    // found by itself, however the format has to be found out first
    let server = serve(&files_of(&consolidated(FormatId::V2)));
    let nodes = reader(&server, &[]);
    nodes.open_array(&path("g/h/a")).unwrap();
    server.asked();
    for (at, kind) in NODES {
        assert_eq!(nodes.kind_at(&path(at)).unwrap(), Some(kind));
    }
    assert_eq!(server.lines(), [""; 0]);
    // what was forgotten is asked for anew
    nodes.forget("").unwrap();
    nodes.open_array(&path("g/h/a")).unwrap();
    assert!(!server.asked().is_empty());
}

#[test]
fn a_node_that_is_not_there_is_not_found_on_a_server_without_listings() {
    for format in [FormatId::V2, FormatId::V3] {
        let server = serve(&files_of(&tree(format)));
        let nodes = reader(&server, &[]);
        let e = fails(nodes.open_array(&path("g/none")));
        assert_eq!(e.kind(), Kind::NotFound, "{e}");
        let e = fails(nodes.open_group(&path("")).unwrap().list(true));
        assert!(e.kind() == Kind::Unsupported && e.to_string().contains("consolidated"), "{e}");
    }
    let server = serve(&Files::default());
    let e = fails(reader(&server, &[]).open_group(&path("")));
    assert_eq!(e.kind(), Kind::NotFound, "{e}");
}

#[test]
fn a_hierarchy_is_listed_by_a_page_for_each_group() {
    for format in [FormatId::V2, FormatId::V3] {
        let server = serve_listed(&files_of(&tree(format)));
        let root = reader(&server, &[]).open_group(&path("")).unwrap();
        server.asked();
        let listed = root.list(true).unwrap();
        let listed: Vec<_> = listed.iter().map(|l| (l.path.as_str(), l.kind.unwrap())).collect();
        assert_eq!(listed, NODES);
        let pages: Vec<_> = server.lines().into_iter().filter(|l| l.ends_with('/')).collect();
        assert_eq!(pages, ["GET /x/", "GET /x/g/", "GET /x/g/h/"]);
    }
}

#[test]
fn missing_chunks_cost_one_request_each() {
    let store = memory();
    let spec = spec(FormatId::V3, 128, &["zstd"], None);
    hierarchy(store.clone(), &[]).create_array(&path("a"), &spec).unwrap();
    let server = serve_listed(&files_of(&store));
    let array = reader(&server, &[]).open_array(&path("a")).unwrap();
    server.asked();
    assert_eq!(read(&array, 0, 128), [7; 128]);
    assert_eq!(server.lines(), (0..8).map(|n| format!("GET /x/a/c/{n}")).collect::<Vec<_>>());
    // parts too
    assert_eq!(read(&array, 3, 2), [7; 2]);
    assert_eq!(server.lines(), ["GET /x/a/c/0"]);
}

#[test]
fn a_part_costs_one_request_and_once_it_is_kept_a_look() {
    let store = memory();
    let nodes = hierarchy(store.clone(), &[]);
    let compressed =
        nodes.create_array(&path("z"), &spec(FormatId::V3, 64, &["zstd"], None)).unwrap();
    write(&compressed, 0, &values(64)).unwrap();
    let plain = nodes.create_array(&path("p"), &spec(FormatId::V3, 64, &[], None)).unwrap();
    write(&plain, 0, &values(64)).unwrap();
    let files = files_of(&store);
    let server = serve(&files);
    let nodes = reader(&server, &[]);
    let array = nodes.open_array(&path("z")).unwrap();
    server.asked();
    assert_eq!(read(&array, 17, 3), values(64)[17..20]);
    assert_eq!(server.lines(), ["GET /x/z/c/1"]);
    assert_eq!(read(&array, 18, 9), values(64)[18..27]);
    assert_eq!(server.lines(), ["HEAD /x/z/c/1"]);
    // what others changed is seen
    files.put("/x/z/c/1", &get(&*store, "z/c/2").unwrap());
    assert_eq!(read(&array, 16, 4), values(64)[32..36]);
    files.take("/x/z/c/1");
    assert_eq!(read(&array, 16, 4), [7; 4]);
    let array = nodes.open_array(&path("p")).unwrap();
    server.asked();
    assert_eq!(read(&array, 17, 3), values(64)[17..20]);
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn inner_chunks_that_lie_close_come_in_one_request() {
    for location in ["end", "start"] {
        let store = memory();
        let mut spec = spec(FormatId::V3, 16 * 64, &[], None);
        spec.chunk_shape = Some(vec![16 * 32]);
        let bytes = serde_json::json!({"name": "bytes", "configuration": {"endian": "little"}});
        let sharding = serde_json::json!({"chunk_shape": [16], "index_location": location,
            "codecs": [bytes, {"name": "zstd"}], "index_codecs": [bytes, {"name": "crc32c"}]});
        spec.codecs =
            Some(vec![CodecSpec::new("sharding_indexed", sharding.as_object().unwrap().clone())]);
        let array = hierarchy(store.clone(), &[]).create_array(&path("a"), &spec).unwrap();
        let all = values(16 * 64);
        write(&array, 0, &all).unwrap();
        let server = serve(&files_of(&store));
        let array = reader(&server, &[]).open_array(&path("a")).unwrap();
        server.asked();
        // one inner chunk: the index and it
        assert_eq!(read(&array, 40, 4), all[40..44]);
        assert_eq!(server.lines().len(), 2);
        // the index is kept, so a look whether it is still right, and the others together
        assert_eq!(read(&array, 0, 300), all[..300]);
        let lines = server.lines();
        assert!(lines.len() <= 3 && lines.iter().any(|l| l.starts_with("HEAD")), "{lines:?}");
        // another shard whole: its index comes with it
        assert_eq!(read(&array, 512, 512), all[512..]);
        assert_eq!(server.lines().len(), 1, "{location}");
    }
}

#[test]
fn scattered_points_of_a_shard_fetch_each_inner_chunk_they_touch_once() {
    // 4 MiB: fetched by itself, however much a request costs
    const INNER: u64 = 1 << 20;
    for codecs in [&["zstd"][..], &[]] {
        let store = memory();
        let mut spec = spec(FormatId::V3, INNER * 16, codecs, None);
        spec.chunk_shape = Some(vec![INNER]);
        spec.shard_shape = Some(vec![INNER * 8]);
        let array = hierarchy(store.clone(), &[]).create_array(&path("a"), &spec).unwrap();
        let mut seed = 1u32;
        let mut next = || {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            seed ^ (seed >> 13)
        };
        let all: Vec<u32> = (0..INNER * 8).map(|_| next()).collect();
        write(&array, 0, &all).unwrap();
        let server = serve(&files_of(&store));
        let array = reader(&server, &[("chunk_cache", "0")]).open_array(&path("a")).unwrap();
        server.asked();
        // two inner chunks, in turn, some places twice; and a shard that is not there
        let points = [6, 3, 6, 3, 3, 6, 12].map(|n| n * INNER + 9 * n);
        let points: Vec<u64> = points.into_iter().chain([4 * INNER - 1, 6 * INNER]).collect();
        let mut selection = Selection::all(&array.array.shape());
        selection.set_points(points.len() as u64, &points).unwrap();
        let mut bytes = vec![0; points.len() * 4];
        let dst = ViewMut::contiguous(&mut bytes, &[points.len()], 4).unwrap();
        let array = &array.array;
        let progress = Progress::silent();
        array.read_selection(&selection, MemoryType::Native, None, dst, &progress).unwrap();
        let found = bytes.chunks(4).map(|b| u32::from_ne_bytes(b.try_into().unwrap()));
        let expected = points.iter().map(|&n| all.get(n as usize).copied().unwrap_or(7));
        assert!(found.eq(expected));
        let lines = server.lines();
        let shard = lines.iter().filter(|line| line.contains("/c/0")).count();
        let most = if codecs.is_empty() { 5 } else { 3 };
        assert!(shard <= most, "the index, and each inner chunk: {lines:?}");
        assert_eq!(lines.len() - shard, 1, "{lines:?}");
    }
}

/// Lets nobody through until so many have come.
struct Gate {
    size: usize,
    come: Mutex<usize>,
    opens: Condvar,
}

impl Gate {
    fn new(size: usize) -> Arc<Self> {
        Arc::new(Gate { size, come: Mutex::new(0), opens: Condvar::new() })
    }

    /// Whether they came, in a time that is long for any machine.
    fn pass(&self) -> bool {
        let mut come = self.come.lock().unwrap();
        *come += 1;
        let wanted = come.div_ceil(self.size) * self.size;
        if *come == wanted {
            self.opens.notify_all();
            return true;
        }
        let waited = self.opens.wait_timeout_while(come, Duration::from_secs(60), |n| *n < wanted);
        !waited.unwrap().1.timed_out()
    }
}

#[test]
fn as_many_requests_as_the_option_says_are_under_way_at_once() {
    for (count, set) in [(64, &[][..]), (5, &[("concurrency", "5")])] {
        let chunks = count * 8;
        let store = memory();
        let spec = spec(FormatId::V3, 16 * chunks as u64, &[], None);
        let array = hierarchy(store.clone(), &[]).create_array(&path("a"), &spec).unwrap();
        write(&array, 0, &values(16 * chunks)).unwrap();
        let (files, gate) = (files_of(&store), Gate::new(count));
        let server = Server::new(move |request: &HttpRequest| {
            if request.path.contains("/c/") {
                assert!(gate.pass(), "fewer than {count} requests at once");
            }
            files.answer(request)
        });
        let array = reader(&server, set).open_array(&path("a")).unwrap();
        assert_eq!(read(&array, 0, 16 * chunks), values(16 * chunks));
        assert_eq!(server.most_under_way(), count);
    }
}

/// A codec whose functions read an array of a remote store: the first ones meet before they do.
struct Dictionary {
    words: ArrayNode,
    met: (Mutex<usize>, Condvar),
}

struct OpenDictionary(Arc<Dictionary>);

impl UserCodec for Dictionary {
    fn open(self: Arc<Self>, _: &str, _: &ChunkSpec) -> Result<Box<dyn OpenUserCodec>> {
        Ok(Box::new(OpenDictionary(self)))
    }
}

impl OpenUserCodec for OpenDictionary {
    fn bound(&self, decoded: u64) -> Option<u64> {
        Some(decoded)
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(src);
        Ok(())
    }

    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<usize> {
        let (met, changed) = &self.0.met;
        let mut met = met.lock().unwrap();
        *met += 1;
        changed.notify_all();
        let all = std::thread::available_parallelism().map_or(1, |n| n.get().min(8));
        let limit = Duration::from_secs(10);
        let (met, _) = changed.wait_timeout_while(met, limit, |met| *met < all).unwrap();
        drop(met);
        assert_eq!(read(&self.0.words, 0, 64), values(64));
        out.copy_from_slice(src);
        Ok(src.len())
    }
}

#[test]
fn a_function_of_the_program_may_read_while_a_chunk_is_decoded() {
    let store = memory();
    let nodes = hierarchy(store.clone(), &[]);
    let words =
        nodes.create_array(&path("words"), &spec(FormatId::V3, 64, &["gzip"], None)).unwrap();
    write(&words, 0, &values(64)).unwrap();
    let name = "org.example.dictionary";
    let met = Default::default();
    register(name, &[], CodecKind::BytesToBytes, Arc::new(Dictionary { words, met })).unwrap();
    for (at, shard) in [("chunks", None), ("shards", Some(8))] {
        let spec = spec(FormatId::V3, 256, &[name], shard);
        let array = nodes.create_array(&path(at), &spec).unwrap();
        write(&array, 0, &values(256)).unwrap();
    }
    unregister(name).unwrap();

    let server = serve(&files_of(&store));
    let nodes = reader(&server, &[("chunk_cache", "0")]);
    let words = nodes.open_array(&path("words")).unwrap();
    let met = Default::default();
    register(name, &[], CodecKind::BytesToBytes, Arc::new(Dictionary { words, met })).unwrap();
    let (send, done) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for at in ["chunks", "shards"] {
            let array = nodes.open_array(&path(at)).unwrap();
            let right =
                read(&array, 0, 256) == values(256) && read(&array, 5, 20) == values(256)[5..25];
            send.send(right).unwrap();
        }
    });
    for _ in 0..2 {
        assert!(done.recv_timeout(Duration::from_secs(60)).expect("it waits for itself"));
    }
    unregister(name).unwrap();
}

/// Starts to read `count` numbers from `start` on, into memory that the request owns.
fn start_reading(
    array: &Arc<ArrayNode>,
    start: u64,
    count: usize,
) -> (Request, Arc<Mutex<Vec<u8>>>) {
    let region = Region::new(&array.array.shape(), &[start], &[count as u64], None).unwrap();
    let about = array.array.about(region.clone(), false, 4 * count as u64);
    let memory = Arc::new(Mutex::new(vec![0; 4 * count]));
    let (to, array) = (memory.clone(), array.clone());
    let queue = array.array.requests().clone();
    let work: Work = Box::new(move |_: &Progress<'_>| {
        let mut bytes = vec![0; 4 * count];
        let dst = ViewMut::contiguous(&mut bytes, &[count], 4)?;
        array.array.read(&region, MemoryType::Native, dst)?;
        *to.lock().unwrap() = bytes;
        Ok(())
    });
    (queue.start(about, || Ok(work)).unwrap(), memory)
}

#[test]
fn calls_that_were_started_are_under_way_at_once() {
    let (count, together) = (96, 24);
    let store = memory();
    let spec = spec(FormatId::V3, 16 * count, &[], None);
    let array = hierarchy(store.clone(), &[]).create_array(&path("a"), &spec).unwrap();
    write(&array, 0, &values(16 * count as usize)).unwrap();
    let (files, gate) = (files_of(&store), Gate::new(together));
    let server = Server::new(move |request: &HttpRequest| {
        if request.path.contains("/c/") {
            assert!(gate.pass(), "fewer than {together} calls at once");
        }
        files.answer(request)
    });
    // more than there are threads for decoding, and no more than the option says
    let set = [("concurrency", "24"), ("threads", "2")];
    let array = Arc::new(reader(&server, &set).open_array(&path("a")).unwrap());
    let started: Vec<_> = (0..count).map(|n| start_reading(&array, 16 * n, 16)).collect();
    let mut found = Vec::new();
    for (request, memory) in started {
        request.wait().unwrap();
        found.extend_from_slice(&memory.lock().unwrap());
    }
    let expected: Vec<u8> =
        values(16 * count as usize).iter().flat_map(|v| v.to_ne_bytes()).collect();
    assert_eq!(found, expected);
    assert_eq!(server.most_under_way(), together);
}

#[test]
fn calls_on_one_chunk_follow_each_other() {
    let (chunks, parts) = (64, 8);
    let store = memory();
    let spec = spec(FormatId::V3, 16 * chunks, &["zstd"], None);
    let array = hierarchy(store.clone(), &[]).create_array(&path("a"), &spec).unwrap();
    write(&array, 0, &values(16 * chunks as usize)).unwrap();
    let (files, closed) = (files_of(&store), Arc::new(RwLock::new(())));
    let waits = closed.clone();
    let server = Server::new(move |request: &HttpRequest| {
        drop(waits.read().unwrap());
        files.answer(request)
    });
    // the cache has room for 4 chunks of 64
    let set = [("concurrency", "4"), ("chunk_cache", "256")];
    let array = Arc::new(reader(&server, &set).open_array(&path("a")).unwrap());
    server.asked();
    let all_started = closed.write().unwrap();
    let starts = (0..parts).flat_map(|part| (0..chunks).map(move |chunk| 16 * chunk + 2 * part));
    let started: Vec<_> = starts.map(|at| (at, start_reading(&array, at, 2))).collect();
    drop(all_started);
    for (at, (request, memory)) in started {
        request.wait().unwrap();
        let wanted = &values(16 * chunks as usize)[at as usize..][..2];
        let expected: Vec<u8> = wanted.iter().flat_map(|v| v.to_ne_bytes()).collect();
        assert_eq!(*memory.lock().unwrap(), expected, "{at}");
    }
    // 512 calls in two rounds, of which the first began while others were still being started
    let fetched = server.lines().iter().filter(|line| line.starts_with("GET")).count();
    assert!(fetched as u64 <= 2 * chunks + 8, "{fetched} requests");
}

#[test]
fn calls_that_were_started_take_turns_where_each_needs_much_memory() {
    let store = memory();
    let array = hierarchy(store.clone(), &[]);
    let array = array.create_array(&path("a"), &spec(FormatId::V3, 16 * 12, &[], None)).unwrap();
    write(&array, 0, &values(16 * 12)).unwrap();
    let server = serve(&files_of(&store));
    // 128 bytes are two calls of 64
    let array = reader(&server, &[("memory_limit", "128")]).open_array(&path("a")).unwrap();
    let array = Arc::new(array);
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let queue = array.array.requests().clone();
    let started: Vec<Request> = (0..12)
        .map(|n| {
            let bounds = Region::new(&[16 * 12], &[16 * n], &[16], None).unwrap();
            let about = array.array.about(bounds, false, 64);
            let (now, most) = (now.clone(), most.clone());
            let work: Work = Box::new(move |_: &Progress<'_>| {
                most.fetch_max(now.fetch_add(1, SeqCst) + 1, SeqCst);
                std::thread::sleep(Duration::from_millis(2));
                now.fetch_sub(1, SeqCst);
                Ok(())
            });
            queue.start(about, || Ok(work)).unwrap()
        })
        .collect();
    started.iter().for_each(|request| request.wait().unwrap());
    assert!((1..=2).contains(&most.load(SeqCst)), "{most:?}");
}

/// A store in memory that says that it is far away, and counts.
struct Far {
    inner: SharedStore,
    asked: Mutex<Vec<String>>,
    gate: Mutex<Option<Arc<Gate>>>,
}

impl Far {
    fn new(concurrency_gate: Option<Arc<Gate>>) -> Arc<Self> {
        let gate = Mutex::new(concurrency_gate);
        Arc::new(Far { inner: memory(), asked: Mutex::default(), gate })
    }

    fn note(&self, what: &str, key: &Key) {
        self.asked.lock().unwrap().push(format!("{what} {key}"));
    }

    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

impl Store for Far {
    fn name(&self) -> String {
        "far".into()
    }

    fn read_only(&self) -> bool {
        false
    }

    fn concurrency(&self) -> usize {
        64
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.note("get", key);
        self.inner.get(key, out)
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        self.note("source", key);
        self.inner.source(key)
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        self.note("version", key);
        self.inner.version(key)
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        self.note("set", key);
        let gate = self.gate.lock().unwrap().clone();
        if key.as_str().contains("/c/")
            && let Some(gate) = gate
        {
            assert!(gate.pass(), "too few writes at once");
        }
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
        self.inner.list(prefix, depth, each)
    }
}

#[test]
fn many_chunks_are_written_at_once() {
    let far = Far::new(Some(Gate::new(64)));
    let spec = spec(FormatId::V3, 16 * 512, &[], None);
    let array = hierarchy(far.clone(), &[]).create_array(&path("a"), &spec).unwrap();
    write(&array, 0, &values(16 * 512)).unwrap();
    assert_eq!(far.taken().iter().filter(|line| line.starts_with("set a/c/")).count(), 512);
}

#[test]
fn shards_are_written_at_once_too() {
    let far = Far::new(Some(Gate::new(8)));
    // 2 MiB each
    let mut spec = spec(FormatId::V3, 8 << 19, &[], None);
    (spec.chunk_shape, spec.shard_shape) = (Some(vec![1 << 16]), Some(vec![1 << 19]));
    let array = hierarchy(far.clone(), &[]).create_array(&path("a"), &spec).unwrap();
    write(&array, 0, &values(8 << 19)).unwrap();
    assert_eq!(far.taken().iter().filter(|line| line.starts_with("set a/c/")).count(), 8);
}

#[test]
fn changing_a_part_is_one_read_and_one_write() {
    let far = Far::new(None);
    let array = hierarchy(far.clone(), &[])
        .create_array(&path("a"), &spec(FormatId::V3, 64, &["zstd"], None))
        .unwrap();
    far.taken();
    for _ in 0..2 {
        write(&array, 3, &[1, 2, 3]).unwrap();
        assert_eq!(far.taken(), ["source a/c/0", "set a/c/0"]);
    }
    assert_eq!(read(&array, 0, 8), [7, 7, 7, 1, 2, 3, 7, 7]);
}
