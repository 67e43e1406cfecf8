//! Reading from a web server of this machine that thinks 30 ms about each request: what a call takes
//! beside what the waiting alone would. `cargo bench --bench latency`

#[path = "../tests/network/server.rs"]
mod server;

use server::{Files, Server};
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};
use zarrc::array::MemoryType;
use zarrc::hierarchy::{ArraySpec, Hierarchy};
use zarrc::metadata::{CodecSpec, DataType, NodePath};
use zarrc::selection::Region;
use zarrc::store::{self, Depth, Entry, Key, Mode, Options};
use zarrc::strided::{View, ViewMut};

const LATENCY: Duration = Duration::from_millis(30);
const CHUNKS: usize = 512;
const AT_ONCE: usize = 64;
const TIMES: usize = 7;

/// Lines of `chunks` chunks of so many numbers, `shard` of them to a shard.
fn files(chunk: u64, shard: Option<u64>) -> Result<Files, Box<dyn Error>> {
    let options = Options::default();
    let store = store::open("memory:", Mode::Append, &options)?;
    let count = chunk * CHUNKS as u64;
    let mut spec = ArraySpec::new(DataType::Float32, vec![count]);
    spec.chunk_shape = Some(vec![chunk]);
    spec.shard_shape = shard.map(|n| vec![n * chunk]);
    spec.codecs = Some(vec![CodecSpec::new("zstd", Default::default())]);
    let nodes = Arc::new(Hierarchy::new(store.clone(), &options));
    let array = nodes.create_array(&NodePath::root(), &spec)?;
    let values: Vec<u8> =
        (0..count).flat_map(|n| ((n as f32 * 1e-3).sin() * 1e4).round().to_ne_bytes()).collect();
    let src = View::contiguous(&values, &[count as usize], 4)?;
    array.array.write(&Region::whole(&[count]), MemoryType::Native, &src)?;
    let files = Files::default();
    store.list("", Depth::All, &mut |entry| {
        if let Entry::Key(key) = entry {
            let mut value = Vec::new();
            store.get(&Key::parse(key)?, &mut value)?;
            files.put(&format!("/x/{key}"), &value);
        }
        Ok(())
    })?;
    Ok(files)
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:<44} {:>9} {:>9} {:>9} {:>8}", "", "requests", "waiting", "first", "again");
    for (what, chunk, shard) in [
        ("512 chunks of 4 KiB", 1 << 10, None),
        ("512 chunks of 256 KiB", 64 << 10, None),
        ("8 shards of 64 inner chunks of 64 KiB", 16 << 10, Some(64)),
    ] {
        let files = files(chunk, shard)?;
        let server = Server::slow(LATENCY, move |request| files.answer(request));
        let count = chunk * CHUNKS as u64;
        let mut memory = vec![0; count as usize * 4];
        let (mut first, mut again, mut requests) = (Vec::new(), Vec::new(), 0);
        for _ in 0..TIMES {
            let options = Options::default();
            let store = store::open(&format!("{}/x", server.url()), Mode::Read, &options)?;
            let array = Arc::new(Hierarchy::new(store, &options)).open_array(&NodePath::root())?;
            // with connections that have to be made, and with those
            for times in [&mut first, &mut again] {
                server.asked();
                let began = Instant::now();
                let dst = ViewMut::contiguous(&mut memory, &[count as usize], 4)?;
                array.array.read(&Region::whole(&[count]), MemoryType::Native, dst)?;
                times.push(began.elapsed());
                requests = server.asked().len();
            }
        }
        let rounds = match shard {
            None => CHUNKS.div_ceil(AT_ONCE),
            Some(_) => 2, // the indexes, then what they say
        };
        let waiting = (LATENCY * rounds as u32).as_secs_f64() * 1e3;
        let (first, again) = (median(first), median(again));
        println!("{what:<44} {requests:>9} {waiting:>6.0} ms {first:>6.0} ms {again:>5.0} ms");
    }
    Ok(())
}
