//! How long encoding and decoding take, for benches/codecs_table.py: it says `{"codecs": […],
//! "seconds": …}` on one line, and is told `{"encode": s, "decode": s, "length": n}` on the next. The
//! chunk is the file of float32 in the first argument, its shape the others; one thread.

use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};
use zarrc::codec::{Access, Chain, ChunkSpec, EncodeOptions};
use zarrc::metadata::{CodecSpec, DataType, Region};
use zarrc::strided::{View, ViewMut};

/// The fastest of the repetitions that fit into so much time.
fn best<E>(seconds: f64, mut work: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let (begin, mut fastest) = (Instant::now(), Duration::MAX);
    while begin.elapsed().as_secs_f64() < seconds {
        let t = Instant::now();
        work()?;
        fastest = fastest.min(t.elapsed());
    }
    Ok(fastest.as_secs_f64())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).filter(|a| !a.starts_with("--"));
    let Some(file) = arguments.next() else { return Ok(()) }; // `cargo bench` runs all there is
    let chunk = std::fs::read(file)?;
    let shape: Vec<u64> = arguments.map(|n| n.parse()).collect::<Result<_, _>>()?;
    let extents: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
    let region = Region::whole(&shape);
    for line in std::io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        let specs = question["codecs"].as_array().into_iter().flatten().map(CodecSpec::from_json);
        let data_type = DataType::Float32;
        let spec =
            ChunkSpec { shape: shape.clone(), data_type, fill: vec![0; 4].into(), most: None };
        let chain = Chain::new(&specs.collect::<Result<Vec<_>, _>>()?, spec)?;
        let seconds = question["seconds"].as_f64().unwrap_or(0.2);

        let src = View::contiguous(&chunk, &extents, 4)?;
        let options = EncodeOptions { threads: 1, write_empty: true, heap: None };
        let encode = best(seconds, || chain.encode(&src, options).map(drop))?;
        let encoded = chain.encode(&src, options)?.map(|e| e.parts().concat()).unwrap_or_default();
        let encoded = encoded.as_slice();
        let mut out = vec![0; chunk.len()];
        let decode = best(seconds, || {
            let dst = ViewMut::contiguous(&mut out, &extents, 4)?;
            chain.decode(&encoded, &region, dst, &Access::once(1)).map(drop)
        })?;
        let answer = json!({"encode": encode, "decode": decode, "length": encoded.len()});
        println!("{answer}");
        std::io::stdout().flush()?;
    }
    Ok(())
}
