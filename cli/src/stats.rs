//! `zarrc stats`: what the numbers of an array are like.

use crate::failure::{DONE, Failure, Outcome, Result};
use crate::output::{print, print_json};
use crate::pieces::{Elements, by_chunks, size};
use crate::place::Place;
use crate::progress;
use crate::selection::Selected;
use crate::value;
use serde_json::{Value, json};
use std::fmt::Write;
use zarrc::hierarchy::ArrayNode;
use zarrc::metadata::DataType;

/// Sums over numbers, without NaN.
#[derive(Default)]
struct Sums {
    elements: u64,
    nan: u64,
    fill: u64,
    infinite: u64,
    finite: u64,
    mean: f64,
    /// The sum of the squares of the distances from the mean.
    squares: f64,
    /// The smallest and the largest: as numbers, and as elements, which lose no digit.
    least: Option<(f64, Vec<u8>)>,
    most: Option<(f64, Vec<u8>)>,
}

impl Sums {
    /// Adds finite numbers, whose mean is known exactly enough (Chan, Golub and LeVeque).
    fn add(&mut self, numbers: &[f64]) {
        let count = numbers.len() as f64;
        if numbers.is_empty() {
            return;
        }
        let sum: f64 = numbers.iter().sum();
        // numbers near the largest have a sum that is none
        let mean = match sum.is_finite() {
            true => sum / count,
            false => numbers.iter().map(|x| x / count).sum(),
        };
        let squares: f64 = numbers.iter().map(|x| (x - mean) * (x - mean)).sum();
        let (before, all) = (self.finite as f64, self.finite as f64 + count);
        let delta = mean - self.mean;
        self.mean += delta * count / all;
        self.squares += squares + delta * delta * before * count / all;
        self.finite += numbers.len() as u64;
    }

    fn extremes(&mut self, data_type: &DataType, number: f64, element: &[u8]) {
        // 64-bit integers that are the same as float64 are compared as they are
        let less = |a: (f64, &[u8]), b: (f64, &[u8])| match a.0 == b.0 {
            true => integer(data_type, a.1) < integer(data_type, b.1),
            false => a.0 < b.0,
        };
        let here = (number, element);
        if self.least.as_ref().is_none_or(|least| less(here, (least.0, &least.1))) {
            self.least = Some((number, element.to_vec()));
        }
        if self.most.as_ref().is_none_or(|most| less((most.0, &most.1), here)) {
            self.most = Some((number, element.to_vec()));
        }
    }
}

fn integer(data_type: &DataType, element: &[u8]) -> Option<i128> {
    let bytes: [u8; 8] = element.try_into().ok()?;
    match data_type {
        DataType::Int64 => Some(i64::from_ne_bytes(bytes).into()),
        DataType::UInt64 => Some(u64::from_ne_bytes(bytes).into()),
        _ => None,
    }
}

/// What to count.
pub struct Wanted {
    /// Bins of the histogram; 0: none.
    pub bins: usize,
    /// Whether elements that are the fill value count for nothing but their number.
    pub skip_fill: bool,
}

/// Receives numbers, the bytes of their elements, and how many bytes each of those has.
type Each<'a> = dyn FnMut(&[f64], &[u8], usize) + 'a;

/// So many elements are made numbers at once.
const AT_ONCE: usize = 1 << 16;

/// Calls `each` for all numbers, a run of them at a time.
fn read(array: &ArrayNode, selected: &Selected, each: &mut Each<'_>) -> Result<()> {
    let data_type = &array.array.metadata().data_type;
    let mut numbers = Vec::new();
    progress::shown_bytes("counting", size(&array.array, selected), |progress| {
        by_chunks(&array.array, selected, &mut |piece, done| {
            let read = Elements::read(&array.array, &piece.selected, progress)?;
            let Elements::Fixed(bytes, item) = &read else { return Ok(()) };
            for run in bytes.chunks(AT_ONCE * item) {
                if value::to_f64s(data_type, run, &mut numbers)?.is_some() {
                    each(&numbers, run, *item);
                }
            }
            Ok(progress::report(progress, done)?)
        })
    })
}

/// `zarrc stats`
pub fn stats(place: &Place, wanted: &Wanted, as_json: bool) -> Outcome {
    let array = place.array()?;
    let selected = place.selected(&array)?;
    let metadata = array.array.metadata();
    let data_type = &metadata.data_type;
    if value::real(data_type).is_none() {
        let name = data_type.name();
        return Err(Failure::usage(format!("stats are of real numbers, the elements are {name}")));
    }
    let fill = match &metadata.fill_value {
        Some(fill) => Some(fill.bytes()?.into_owned()),
        None => None,
    };
    let mut sums = Sums::default();
    let mut finite = Vec::new();
    let skips = |element: &[u8]| wanted.skip_fill && fill.as_deref() == Some(element);
    read(&array, &selected, &mut |numbers, bytes, item| {
        finite.clear();
        for (&number, element) in numbers.iter().zip(bytes.chunks_exact(item)) {
            sums.elements += 1;
            let is_fill = fill.as_deref() == Some(element);
            sums.fill += u64::from(is_fill);
            if number.is_nan() {
                sums.nan += 1;
            } else if !(is_fill && wanted.skip_fill) {
                sums.extremes(data_type, number, element);
                match number.is_finite() {
                    true => finite.push(number),
                    false => sums.infinite += 1,
                }
            }
        }
        sums.add(&finite);
    })?;
    let element = |extreme: &Option<(f64, Vec<u8>)>| -> Result<Value> {
        let Some((_, bytes)) = extreme else { return Ok(Value::Null) };
        let mut text = String::new();
        value::write(data_type, bytes, value::Spelling::Json, &mut text)?;
        Ok(serde_json::from_str(&text).unwrap_or_default())
    };
    // sums with infinities have no deviation
    let (mean, deviation) = match (sums.finite, sums.infinite) {
        (0, _) | (_, 1..) => (Value::Null, Value::Null),
        (n, _) => (json!(sums.mean), json!((sums.squares / n as f64).sqrt())),
    };
    let mut report = json!({
        "elements": sums.elements,
        "min": element(&sums.least)?,
        "max": element(&sums.most)?,
        "mean": mean,
        "std": deviation,
        "nan": sums.nan,
        "infinite": sums.infinite,
        "fill": sums.fill,
    });
    let (least, most) = (sums.least.map(|l| l.0), sums.most.map(|m| m.0));
    if let (1.., Some(low), Some(high)) = (wanted.bins, least, most)
        && low.is_finite()
        && high.is_finite()
    {
        // one value has a bin around it, as in numpy.histogram
        let (low, high) = if low == high { (low - 0.5, high + 0.5) } else { (low, high) };
        let mut counts = vec![0u64; wanted.bins];
        let width = (high - low) / wanted.bins as f64;
        let edge = |n: usize| if n == wanted.bins { high } else { low + width * n as f64 };
        read(&array, &selected, &mut |numbers, bytes, item| {
            for (&number, element) in numbers.iter().zip(bytes.chunks_exact(item)) {
                if number.is_finite() && !skips(element) && number >= low && number <= high {
                    let mut bin = (((number - low) / width) as usize).min(wanted.bins - 1);
                    // what division rounded across an edge
                    if number < edge(bin) {
                        bin = bin.saturating_sub(1);
                    } else if bin + 1 < wanted.bins && number >= edge(bin + 1) {
                        bin += 1;
                    }
                    counts[bin] += 1;
                }
            }
        })?;
        let edges: Vec<f64> = (0..=wanted.bins).map(edge).collect();
        report["histogram"] = json!({ "counts": counts, "edges": edges });
    }
    if as_json {
        print_json(&report)?;
    } else {
        print(&text(&report))?;
    }
    Ok(DONE)
}

fn text(report: &Value) -> String {
    let mut text = String::new();
    for (name, value) in report.as_object().into_iter().flatten() {
        if name != "histogram" {
            let shown = if value.is_null() { "-".to_owned() } else { value.to_string() };
            let _ = writeln!(text, "{name:<9} {}", shown.trim_matches('"'));
        }
    }
    let histogram = &report["histogram"];
    let counts: Vec<u64> =
        histogram["counts"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    for (n, &count) in counts.iter().enumerate() {
        let bar = "#".repeat((count as f64 / most as f64 * 50.0).round() as usize);
        let edge = histogram["edges"][n].as_f64().unwrap_or(0.0);
        let _ = writeln!(text, "{edge:>14.6} {count:>12} {bar}");
    }
    text
}
