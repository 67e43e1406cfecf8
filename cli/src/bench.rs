//! `zarrc bench`: how fast an array is read: all of it, single chunks, and boxes anywhere.

use crate::failure::{DONE, Failure, Outcome, Result};
use crate::output::{print, print_json};
use crate::pieces::{Elements, by_chunks, elements, item, size};
use crate::place::Place;
use crate::progress;
use crate::selection::Selected;
use serde_json::{Value, json};
use std::cell::Cell;
use std::fmt::Write;
use std::fs;
use std::time::{Duration, Instant};
use zarrc::array::Array;
use zarrc::error::{Error, Kind};
use zarrc::progress::Progress;
use zarrc::store::{Mode, Options};

/// Elements of a box, unless its extents are given.
const BOX: f64 = 65_536.0;
/// Reads of chunks and of boxes, at most.
const READS: u64 = 1000;
/// Of those, so many are read again to count requests.
const COUNTED: u64 = 50;

/// What to measure.
pub struct Wanted<'a> {
    pub url: &'a str,
    pub node: &'a str,
    pub options: &'a Options,
    /// The longest time for each measurement.
    pub limit: Duration,
    /// The extents of the boxes.
    pub extents: Option<&'a [u64]>,
    pub seed: u64,
}

/// A measurement.
#[derive(Default)]
struct Measured {
    reads: u64,
    bytes: u64,
    time: Duration,
    /// Requests to the store and bytes that it returned, for each read.
    requests: Option<(f64, f64)>,
    complete: bool,
}

impl Measured {
    fn add(&mut self, array: &Array, selected: &Selected) -> Result<()> {
        let begin = Instant::now();
        let read = Elements::read(array, selected, &Progress::new(&|_, _| true))?;
        self.time += begin.elapsed();
        self.reads += 1;
        self.bytes += match &read {
            Elements::Fixed(bytes, _) => bytes.len() as u64,
            Elements::Variable(values) => values.bytes().len() as u64,
        };
        Ok(())
    }

    fn seconds(&self) -> f64 {
        self.time.as_secs_f64().max(1e-9)
    }

    fn to_json(&self, name: &str) -> Value {
        let each = |n: usize| self.requests.map(|both| [both.0, both.1][n]);
        json!({
            "name": name,
            "reads": self.reads,
            "complete": self.complete,
            "bytes": self.bytes,
            "seconds": self.seconds(),
            "mb_per_s": self.bytes as f64 / 1e6 / self.seconds(),
            "reads_per_s": self.reads as f64 / self.seconds(),
            "requests_per_read": each(0),
            "stored_bytes_per_read": each(1),
        })
    }
}

/// Random numbers, the same for the same seed (SplitMix64).
struct Random(u64);

impl Random {
    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }
}

/// What a random read selects.
type Pick<'a> = dyn Fn(&mut Random) -> Result<Selected> + 'a;

/// `zarrc bench`
pub fn bench(wanted: &Wanted<'_>, as_json: bool) -> Outcome {
    progress::end_on_ctrl_c();
    let place = open(wanted, wanted.url)?;
    let node = place.array()?;
    let array = &node.array;
    let all = place.selected(&node)?;
    let shape = all.shape();
    if shape.contains(&0) {
        return Err(Failure::usage(format!("there are no elements in {shape:?}")));
    }
    let edges: Vec<u64> = all
        .kept()
        .iter()
        .zip(&shape)
        .map(|(&d, &n)| array.outer_chunk_shape()[d].clamp(1, n))
        .collect();
    let extents = match wanted.extents {
        Some(given) if given.len() != shape.len() || given.contains(&0) => {
            return Err(Failure::usage(format!("--box: expected {} extents", shape.len())));
        }
        Some(given) => given.iter().zip(&shape).map(|(&n, &most)| n.min(most)).collect(),
        None => cube(&shape),
    };
    if item(array).saturating_mul(elements(&extents)? as u64) > 1 << 32 {
        return Err(Failure::usage("--box: a box has more than 4 GiB"));
    }
    let chunk = |random: &mut Random| {
        let start = edges.iter().zip(&shape).map(|(e, n)| random.below(n.div_ceil(*e)) * e);
        let start: Vec<u64> = start.collect();
        let along = start.iter().zip(&edges).zip(&shape);
        let count: Vec<u64> = along.map(|((&at, &edge), &n)| edge.min(n - at)).collect();
        Ok(all.narrow(&start, &count))
    };
    let anywhere = |random: &mut Random| {
        let start = extents.iter().zip(&shape).map(|(e, n)| random.below(n - e + 1));
        Ok(all.narrow(&start.collect::<Vec<_>>(), &extents))
    };
    let measured = [
        ("all", whole(wanted, &all)?),
        ("chunks", scattered(wanted, &chunk)?),
        ("boxes", scattered(wanted, &anywhere)?),
    ];
    if as_json {
        let list: Vec<Value> = measured.iter().map(|(name, one)| one.to_json(name)).collect();
        print_json(&json!({ "shape": shape, "chunk": edges, "box": extents, "measured": list }))?;
        return Ok(DONE);
    }
    let mut text = format!("chunks {edges:?}, boxes {extents:?}\n\n");
    let _ = writeln!(
        text,
        "{:<7} {:>9} {:>10} {:>9} {:>10} {:>14} {:>14}",
        "", "MB/s", "reads/s", "reads", "seconds", "requests/read", "stored B/read"
    );
    for (name, one) in &measured {
        let each = |n: f64| format!("{n:.1}");
        let (requests, stored) = match one.requests {
            Some((requests, stored)) => (each(requests), format!("{stored:.0}")),
            None => ("-".into(), "-".into()),
        };
        let _ = writeln!(
            text,
            "{:<7} {:>9.1} {:>10.1} {:>9} {:>10.3} {:>14} {:>14}{}",
            name,
            one.bytes as f64 / 1e6 / one.seconds(),
            one.reads as f64 / one.seconds(),
            one.reads,
            one.seconds(),
            requests,
            stored,
            if one.complete { "" } else { "  (ended by --seconds)" },
        );
    }
    print(&text)?;
    Ok(DONE)
}

fn open(wanted: &Wanted<'_>, url: &str) -> Result<Place> {
    Place::open(url, wanted.node, Mode::Read, wanted.options)
}

/// The extents of a box of about [`BOX`] elements, as equal as the shape allows.
fn cube(shape: &[u64]) -> Vec<u64> {
    let mut extents = vec![1; shape.len()];
    let mut order: Vec<usize> = (0..shape.len()).collect();
    order.sort_by_key(|&d| shape[d]);
    let mut left = BOX;
    for (n, &d) in order.iter().enumerate() {
        let edge = left.powf(1.0 / (order.len() - n) as f64).round() as u64;
        extents[d] = edge.clamp(1, shape[d]);
        left /= extents[d] as f64;
    }
    extents
}

/// Reads all, in pieces of whole chunks.
fn whole(wanted: &Wanted<'_>, all: &Selected) -> Result<Measured> {
    let place = open(wanted, wanted.url)?;
    let node = place.array()?;
    let array = &node.array;
    let mut measured = Measured::default();
    let late = Cell::new(false);
    let read = progress::shown_bytes("reading all", size(array, all), |progress| {
        by_chunks(array, all, &mut |piece, done| {
            measured.add(array, &piece.selected)?;
            progress::report(progress, done)?;
            if measured.time > wanted.limit && done < 1.0 {
                late.set(true);
                return Err(Error::new(Kind::Cancelled, "the time is over").into());
            }
            Ok(())
        })
    });
    if !late.get() {
        read?;
    }
    measured.complete = !late.get();
    Ok(measured)
}

/// Reads what `pick` selects, again and again; then counts the requests of the first of them.
fn scattered(wanted: &Wanted<'_>, pick: &Pick<'_>) -> Result<Measured> {
    let place = open(wanted, wanted.url)?;
    let node = place.array()?;
    let mut measured = Measured { complete: true, ..Measured::default() };
    let mut random = Random(wanted.seed);
    progress::shown("reading parts", |progress| {
        for n in 0..READS {
            measured.add(&node.array, &pick(&mut random)?)?;
            let done = (n + 1) as f64 / READS as f64;
            let gone = measured.time.as_secs_f64() / wanted.limit.as_secs_f64().max(1e-9);
            progress::report(progress, done.max(gone).min(1.0))?;
            if measured.time > wanted.limit {
                measured.complete = false;
                break;
            }
        }
        Ok::<_, Failure>(())
    })?;
    measured.requests = Some(counted(wanted, pick, measured.reads.min(COUNTED))?);
    Ok(measured)
}

/// The requests of so many reads, and the bytes they returned, for each read: of a store that logs
/// them, and therefore is not timed.
fn counted(wanted: &Wanted<'_>, pick: &Pick<'_>, reads: u64) -> Result<(f64, f64)> {
    let log = std::env::temp_dir().join(format!("zarrc-bench-{}.log", std::process::id()));
    let _ = fs::remove_file(&log);
    let run = || -> Result<(u64, u64)> {
        let place = open(wanted, &format!("{}|log:{}", wanted.url, log.display()))?;
        let node = place.array()?;
        let before = logged(&log)?;
        let mut random = Random(wanted.seed);
        let mut measured = Measured::default();
        for _ in 0..reads {
            measured.add(&node.array, &pick(&mut random)?)?;
        }
        let after = logged(&log)?;
        Ok((after.0 - before.0, after.1 - before.1))
    };
    let result = run();
    let _ = fs::remove_file(&log);
    let (requests, bytes) = result?;
    Ok((requests as f64 / reads.max(1) as f64, bytes as f64 / reads.max(1) as f64))
}

/// The lines of a log, and the bytes that they tell of.
fn logged(log: &std::path::Path) -> Result<(u64, u64)> {
    let text = fs::read_to_string(log).map_err(Failure::io("reading the log of requests"))?;
    let bytes = |line: &str| {
        let (before, _) = line.rsplit_once(" bytes ")?;
        before.rsplit(' ').next()?.parse::<u64>().ok()
    };
    Ok((text.lines().count() as u64, text.lines().filter_map(bytes).sum()))
}
