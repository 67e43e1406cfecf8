//! How long encoding and decoding take, for benches/codecs_table.py: it says `{"codecs": […],
//! "seconds": …}` on one line, and is told `{"encode": s, "decode": s, "length": n, "library": [s, s]}` on
//! the next, the last by the library alone that stands behind the last codec. The
//! chunk is the file of float32 in the first argument, its shape the others; one thread.

mod library;

use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};
use zarrc::call::Call;
use zarrc::codec::{Chain, ChunkSpec};
use zarrc::metadata::{CodecSpec, DataType};
use zarrc::selection::Region;
use zarrc::strided::{View, ViewMut};

/// The fastest of the repetitions of each that fit into so much time, turn by turn.
fn best<E>(
    seconds: f64,
    mut one: impl FnMut() -> Result<(), E>,
    mut other: Option<impl FnMut()>,
) -> Result<(f64, Option<f64>), E> {
    let (begin, mut fastest) = (Instant::now(), [Duration::MAX; 2]);
    while begin.elapsed().as_secs_f64() < seconds {
        let t = Instant::now();
        one()?;
        fastest[0] = fastest[0].min(t.elapsed());
        if let Some(other) = &mut other {
            let t = Instant::now();
            other();
            fastest[1] = fastest[1].min(t.elapsed());
        }
    }
    Ok((fastest[0].as_secs_f64(), other.map(|_| fastest[1].as_secs_f64())))
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
        let codecs = question["codecs"].as_array().map(Vec::as_slice).unwrap_or_default();
        let specs = codecs.iter().map(CodecSpec::from_json).collect::<Result<Vec<_>, _>>()?;
        let data_type = DataType::Float32;
        let spec =
            ChunkSpec { shape: shape.clone(), data_type, fill: vec![0; 4].into(), most: None };
        let chain = Chain::new(&specs, spec)?;
        let library = codecs.last().and_then(|codec| library::of(codec, &shape));
        let seconds = question["seconds"].as_f64().unwrap_or(0.2);

        let src = View::contiguous(&chunk, &extents, 4)?;
        let options = Call { write_empty: true, ..Call::new(1) };
        let (mut room, mut len) = (vec![0; 2 * chunk.len()], 0);
        let alone = library.as_ref().map(|(encode, _)| || len = encode(&chunk, &mut room));
        let encode = best(seconds, || chain.encode(&src, &options).map(drop), alone)?;
        let encoded = chain.encode(&src, &options)?.map(|e| e.parts().concat()).unwrap_or_default();
        let encoded = encoded.as_slice();
        let mut out = vec![0; chunk.len()];
        let mut other = out.clone();
        let alone = library.as_ref().map(|(_, decode)| || decode(&room[..len], &mut other));
        let whole = || {
            let dst = ViewMut::contiguous(&mut out, &extents, 4)?;
            chain.decode(&encoded, &region, dst, &Call::new(1)).map(drop)
        };
        let decode = best(seconds, whole, alone)?;
        if library.is_some() {
            assert!(out == other, "{codecs:?}: the library decodes something else");
        }
        let answer = json!({"encode": encode.0, "decode": decode.0, "length": encoded.len(),
                            "library": [encode.1, decode.1]});
        println!("{answer}");
        std::io::stdout().flush()?;
    }
    Ok(())
}
