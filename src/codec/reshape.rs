//! `reshape`: the elements of a chunk in the same order, as a chunk of another shape.
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/reshape>

use super::config::Config;
use super::{ArrayCodec, ChunkSpec, Codec};
use crate::error::Result;
use crate::selection::{Region, Span};
use serde_json::Value;

struct Reshape {
    /// The shapes before and after it.
    decoded: Vec<u64>,
    encoded: Vec<u64>,
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["shape"])?;
    let given = config.get("shape").ok_or_else(|| config.missing("shape"))?;
    let encoded = shape(given, &spec.shape)
        .map_err(|why| config.error(format!("has the \"shape\" {given}, which {why}")))?;
    Ok(Codec::Array(Box::new(Reshape { decoded: spec.shape.clone(), encoded })))
}

/// `zarrs.squeeze`: removes the dimensions of extent 1, but keeps one if there is no other.
/// <https://codec.zarrs.dev/array_to_array/squeeze>
pub(super) fn build_squeeze(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&[])?;
    let mut encoded: Vec<u64> = spec.shape.iter().copied().filter(|&n| n > 1).collect();
    if encoded.is_empty() {
        encoded.push(1);
    }
    Ok(Codec::Array(Box::new(Reshape { decoded: spec.shape.clone(), encoded })))
}

fn product(shape: &[u64]) -> Option<u64> {
    shape.iter().try_fold(1u64, |n, &s| n.checked_mul(s))
}

/// The shape that a parameter gives for a chunk, or why it is invalid.
fn shape(given: &Value, decoded: &[u64]) -> Result<Vec<u64>, String> {
    let list = given.as_array().ok_or("is not a list")?;
    let mut shape = Vec::with_capacity(list.len());
    let mut open = None;
    // axes of the decoded chunk that form an axis of the encoded one
    let mut named: Vec<(usize, Vec<u64>)> = Vec::new();
    for (d, entry) in list.iter().enumerate() {
        shape.push(match entry {
            Value::Array(axes) => {
                let axes: Option<Vec<u64>> = axes.iter().map(Value::as_u64).collect();
                let axes = axes.ok_or("names an axis that is not an integer")?;
                let extent = axes.iter().try_fold(1u64, |n, &axis| {
                    let extent = usize::try_from(axis).ok().and_then(|a| decoded.get(a));
                    n.checked_mul(*extent?)
                });
                named.push((d, axes));
                extent.ok_or_else(|| format!("names an axis that {decoded:?} lacks"))?
            }
            Value::Number(n) if n.as_i64() == Some(-1) => {
                if open.replace(d).is_some() {
                    return Err("leaves two extents undefined".into());
                }
                1
            }
            _ => entry
                .as_u64()
                .filter(|&n| n > 0)
                .ok_or_else(|| format!("has {entry}: expected an extent, a list of axes or -1"))?,
        });
    }
    let all = product(decoded).ok_or("has too many elements")?;
    if let Some(d) = open {
        let others = product(&shape).filter(|&n| n > 0 && all.is_multiple_of(n));
        shape[d] = others.map(|n| all / n).ok_or_else(|| format!("does not divide {decoded:?}"))?;
    }
    if product(&shape) != Some(all) {
        return Err(format!("has another number of elements than {decoded:?}"));
    }
    if !named.iter().flat_map(|(_, axes)| axes).is_sorted_by(|a, b| a < b) {
        return Err("does not name the axes in their order".into());
    }
    for (d, axes) in &named {
        if let [first, .., last] | [first @ last] = axes[..]
            && (product(&shape[..*d]) != product(&decoded[..first as usize])
                || product(&shape[d + 1..]) != product(&decoded[last as usize + 1..]))
        {
            return Err(format!("misplaces the axes {axes:?}"));
        }
    }
    Ok(shape)
}

/// The box whose elements are `start` to `start + count` of a shape in C order, if there is one.
fn run_of(shape: &[u64], start: u64, count: u64) -> Option<Vec<Span>> {
    let mut spans: Vec<Span> =
        shape.iter().map(|&count| Span { start: 0, count, step: 1 }).collect();
    let mut inner = 1;
    for d in (0..shape.len()).rev() {
        if !start.is_multiple_of(inner) || !count.is_multiple_of(inner) {
            return None;
        }
        let (at, n) = (start / inner, count / inner);
        if at % shape[d] + n <= shape[d] {
            let mut rest = at;
            for k in (0..=d).rev() {
                spans[k] = Span { start: rest % shape[k], count: 1, step: 1 };
                rest /= shape[k];
            }
            spans[d].count = n;
            return Some(spans);
        }
        inner *= shape[d];
    }
    (start == 0 && count == inner).then_some(spans)
}

/// The first and count of the elements that spans select, if they are one run in C order.
fn as_run(spans: &[Span], shape: &[u64]) -> Option<(u64, u64)> {
    let (mut start, mut count, mut inner) = (0, 1, 1);
    // whether all inner axes are fully selected, so that one more index continues the run
    let mut dense = true;
    for (span, &extent) in spans.iter().zip(shape).rev() {
        if span.count > 1 && (!dense || span.step != 1) {
            return None;
        }
        start += span.start * inner;
        count *= span.count;
        dense &= span.count == extent;
        inner *= extent;
    }
    Some((start, count))
}

impl ArrayCodec for Reshape {
    fn encoded(&self, decoded: &ChunkSpec) -> Result<ChunkSpec> {
        Ok(ChunkSpec { shape: self.encoded.clone(), most: None, ..decoded.clone() })
    }

    /// Both shapes split into groups with equal element counts; each group is mapped separately.
    fn region(&self, region: &Region) -> Option<Region> {
        let (from, to) = (&self.decoded[..], &self.encoded[..]);
        if region.is_empty() || from.contains(&0) {
            return None;
        }
        let spans = region.spans();
        let mut found = Vec::with_capacity(to.len());
        let (mut i, mut k) = (0, 0);
        while i < from.len() || k < to.len() {
            let (first, begin) = (i, k);
            let (mut a, mut b) = (1, 1);
            loop {
                // an extent of 1 belongs to the preceding group
                if a <= b && i < from.len() && (a < b || i == first || from[i] == 1) {
                    a *= from[i];
                    i += 1;
                } else if k < to.len() && (b < a || to[k] == 1) {
                    b *= to[k];
                    k += 1;
                } else if a == b {
                    break;
                } else {
                    return None;
                }
            }
            let (group, shape) = (&spans[first..i], &to[begin..k]);
            let mut wide = (0..group.len()).filter(|&d| from[first + d] > 1);
            let mut wide_to = (0..shape.len()).filter(|&d| shape[d] > 1);
            if let (Some(one), None, Some(same), None) =
                (wide.next(), wide.next(), wide_to.next(), wide_to.next())
            {
                // a one-to-one axis supports any selection
                let at =
                    |d| if d == same { group[one] } else { Span { start: 0, count: 1, step: 1 } };
                found.extend((0..shape.len()).map(at));
                continue;
            }
            let (start, count) = as_run(group, &from[first..i])?;
            found.extend(run_of(shape, start, count)?);
        }
        Some(Region::from_spans(found.into_iter()))
    }

    fn encodes_nothing(&self) -> bool {
        true
    }

    fn encode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        out.copy_from_slice(src);
        Ok(())
    }

    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        out.copy_from_slice(src);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn shapes_as_the_specification_says() {
        let of = |given: Value| shape(&given, &[100, 50, 64, 3]);
        assert_eq!(of(json!([[0, 1], [2], 3])), Ok(vec![5000, 64, 3]));
        assert_eq!(of(json!([-1])), Ok(vec![960_000]));
        assert_eq!(of(json!([[0], 25, -1, [2, 3]])), Ok(vec![100, 25, 2, 192]));
        assert_eq!(of(json!([[], 960_000])), Ok(vec![1, 960_000]));
        for (given, words) in [
            (json!([[1], [0], [2], [3]]), "order"),
            (json!([[0], [0], [2], [3]]), "elements"),
            (json!([-1, -1]), "two"),
            (json!([7, -1]), "divide"),
            (json!([[4], -1]), "axis"),
            (json!([10]), "elements"),
            (json!([0, -1]), "has 0: expected"),
            (json!([2, [0], 25, [2], [3]]), "misplaces the axes"),
            (json!("flat"), "list"),
        ] {
            let e = of(given.clone()).expect_err("wrong");
            assert!(e.contains(words), "{given}: {e}");
        }
    }

    /// For every region of a small chunk, the mapped region holds the same elements in the same
    /// order.
    #[test]
    fn a_region_maps_to_the_same_elements() {
        let flat = |region: &Region, shape: &[u64]| {
            let spans = region.spans();
            let mut all = vec![0u64];
            for (span, &extent) in spans.iter().zip(shape) {
                let row = (0..span.count).map(|k| span.start + k * span.step);
                let row: Vec<u64> = row.collect();
                all = all.iter().flat_map(|n| row.iter().map(move |i| n * extent + i)).collect();
            }
            all
        };
        for (from, to) in [
            (vec![4, 6], vec![24]),
            (vec![24], vec![2, 3, 4]),
            (vec![4, 6], vec![2, 2, 6]),
            (vec![4, 6], vec![1, 4, 1, 6, 1]),
            (vec![1, 24, 1], vec![24]),
            (vec![2, 3, 4], vec![6, 4]),
            (vec![2, 3, 4], vec![4, 6]),
        ] {
            let codec = Reshape { decoded: from.clone(), encoded: to.clone() };
            let mut mapped = 0;
            let mut regions = vec![Vec::new()];
            for &n in &from {
                let spans: Vec<Span> = (0..n)
                    .flat_map(|start| (1..=n - start).map(move |count| (start, count)))
                    .flat_map(|(start, count)| {
                        let end = (start + 2 * (count - 1) < n).then_some(2);
                        [Some(1), end].into_iter().flatten().map(move |step| Span {
                            start,
                            count,
                            step,
                        })
                    })
                    .collect();
                regions = regions
                    .iter()
                    .flat_map(|r: &Vec<Span>| {
                        spans.iter().map(|&s| r.iter().copied().chain([s]).collect())
                    })
                    .collect();
            }
            for region in regions {
                let region = Region::from_spans(region.into_iter());
                let Some(part) = codec.region(&region) else { continue };
                mapped += 1;
                assert_eq!(flat(&part, &to), flat(&region, &from), "{from:?} {to:?} {region:?}");
            }
            assert!(codec.region(&Region::whole(&from)).is_some(), "{from:?} {to:?}");
            assert!(mapped > 20, "{from:?} {to:?}: {mapped}");
        }
    }
}
