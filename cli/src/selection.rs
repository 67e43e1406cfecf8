//! What a call selects of an array, in NumPy's notation: `[0, ::10, -1]`, `[..., [1, 5]]`.

use crate::failure::{Failure, Result};
use zarrc::selection::Selection;

/// What is selected along one dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Along {
    /// One index; the dimension is dropped.
    Index(u64),
    /// `start + k * step`.
    Range { start: u64, step: i64, count: u64 },
    /// These, in this order.
    List(Vec<u64>),
}

/// What is selected of an array of some shape. Lists are taken along their dimension each, as
/// zarr-python's `oindex` does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    shape: Vec<u64>,
    along: Vec<Along>,
}

impl Selected {
    /// All of an array.
    pub fn all(shape: &[u64]) -> Self {
        let every = |&count: &u64| Along::Range { start: 0, step: 1, count };
        Selected { shape: shape.to_vec(), along: shape.iter().map(every).collect() }
    }

    /// Reads NumPy's notation, without the outer brackets.
    pub fn parse(text: &str, shape: &[u64]) -> Result<Self> {
        let mut selected = Self::all(shape);
        let items = items(text)?;
        let named = items.iter().filter(|item| **item != "...").count();
        if named > shape.len() {
            let rank = shape.len();
            return Err(bad(text, &format!("{named} indices, the array has {rank} dimensions")));
        }
        if items.len() - named > 1 {
            return Err(bad(text, "more than one ..."));
        }
        let mut d = 0;
        for item in items {
            if item == "..." {
                d += shape.len() - named;
                continue;
            }
            selected.along[d] =
                along(item, shape[d]).map_err(|why| bad(text, &format!("dimension {d}: {why}")))?;
            d += 1;
        }
        Ok(selected)
    }

    /// The shape of the result.
    pub fn shape(&self) -> Vec<u64> {
        let extent = |along: &Along| match along {
            Along::Index(_) => None,
            Along::Range { count, .. } => Some(*count),
            Along::List(list) => Some(list.len() as u64),
        };
        self.along.iter().filter_map(extent).collect()
    }

    /// The dimensions of the array that the result has.
    pub fn kept(&self) -> Vec<usize> {
        let kept = self.along.iter().enumerate();
        kept.filter(|(_, along)| !matches!(along, Along::Index(_))).map(|(d, _)| d).collect()
    }

    /// The index in the array of position `at` along dimension `n` of the result.
    pub fn element(&self, n: usize, at: u64) -> u64 {
        match &self.along[self.kept()[n]] {
            Along::Range { start, step, .. } => start.wrapping_add_signed(step * at as i64),
            Along::List(list) => list[at as usize],
            Along::Index(index) => *index,
        }
    }

    /// A box of the result, as a selection of its own.
    pub fn narrow(&self, start: &[u64], count: &[u64]) -> Self {
        let mut narrowed = self.clone();
        for (n, d) in self.kept().into_iter().enumerate() {
            narrowed.along[d] = match &self.along[d] {
                Along::Range { start: from, step, .. } => Along::Range {
                    start: from.wrapping_add_signed(step * start[n] as i64),
                    step: *step,
                    count: count[n],
                },
                Along::List(list) => {
                    Along::List(list[start[n] as usize..(start[n] + count[n]) as usize].to_vec())
                }
                Along::Index(index) => Along::Index(*index),
            };
        }
        narrowed
    }

    /// Every `step[d]`-th of the result.
    pub fn thin(&self, steps: &[u64]) -> Self {
        let mut thinned = self.clone();
        for (n, d) in self.kept().into_iter().enumerate() {
            let every = steps[n].max(1);
            thinned.along[d] = match &self.along[d] {
                Along::Range { start, step, count } => Along::Range {
                    start: *start,
                    step: step.saturating_mul(every as i64),
                    count: count.div_ceil(every),
                },
                Along::List(list) => {
                    Along::List(list.iter().copied().step_by(every as usize).collect())
                }
                Along::Index(index) => Along::Index(*index),
            };
        }
        thinned
    }

    /// Of each dimension of the result: how many of it lie in the first chunk, and in each that
    /// follows; chunks do not matter where elements are not next to one another.
    pub fn chunks(&self, chunk: &[u64]) -> Vec<(u64, u64)> {
        let kept = self.kept().into_iter();
        kept.map(|d| match &self.along[d] {
            Along::Range { start, step: 1, .. } => {
                let edge = chunk[d].max(1);
                (edge - start % edge, edge)
            }
            _ => (1, 1),
        })
        .collect()
    }

    /// As the library has it.
    pub fn to_library(&self) -> Result<Selection> {
        let mut selection = Selection::all(&self.shape);
        for (d, along) in self.along.iter().enumerate() {
            match along {
                Along::Index(index) => selection.set_index(d, *index)?,
                Along::Range { start, step, count } => {
                    selection.set_range(d, *start, *step, *count)?;
                }
                Along::List(list) => selection.set_indices(d, list)?,
            }
        }
        Ok(selection)
    }
}

fn bad(text: &str, why: &str) -> Failure {
    Failure::usage(format!("selection [{text}]: {why}"))
}

/// The parts between commas that are not inside brackets.
fn items(text: &str) -> Result<Vec<&str>> {
    let (mut items, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' if depth == 0 => return Err(bad(text, "a bracket closes that none opened")),
            ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                items.push(text[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
    }
    if depth != 0 {
        return Err(bad(text, "a bracket is not closed"));
    }
    let last = text[begin..].trim();
    if !last.is_empty() {
        items.push(last);
    }
    if items.iter().any(|item| item.is_empty()) {
        return Err(bad(text, "an index is missing"));
    }
    Ok(items)
}

fn along(item: &str, extent: u64) -> Result<Along, String> {
    if let Some(list) = item.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let indices = list.split(',').map(str::trim).filter(|index| !index.is_empty());
        return Ok(Along::List(indices.map(|i| index(i, extent)).collect::<Result<_, _>>()?));
    }
    let parts: Vec<&str> = item.split(':').map(str::trim).collect();
    match parts[..] {
        [one] => Ok(Along::Index(index(one, extent)?)),
        [start, stop] => range(start, stop, "", extent),
        [start, stop, step] => range(start, stop, step, extent),
        _ => Err(format!("{item:?} is no slice")),
    }
}

fn number(text: &str) -> Result<Option<i128>, String> {
    match text {
        "" | "None" => Ok(None),
        // wide, so that no sum below can overflow
        _ => match text.parse::<i64>() {
            Ok(number) => Ok(Some(number.into())),
            Err(_) => Err(format!("{text:?} is no index")),
        },
    }
}

fn index(text: &str, extent: u64) -> Result<u64, String> {
    let given = number(text)?.ok_or("an index is missing")?;
    let index = if given < 0 { given + i128::from(extent) } else { given };
    match u64::try_from(index) {
        Ok(index) if index < extent => Ok(index),
        _ => Err(format!("index {text} is outside of {extent} elements")),
    }
}

/// As Python's `slice.indices()`.
fn range(start: &str, stop: &str, step: &str, extent: u64) -> Result<Along, String> {
    let step = number(step)?.unwrap_or(1);
    if step == 0 {
        return Err("the step is 0".into());
    }
    let extent = i128::from(extent);
    let (lowest, highest) = if step > 0 { (0, extent) } else { (-1, extent - 1) };
    let bound = |given: Option<i128>, default| match given {
        None => default,
        Some(at) => (if at < 0 { at + extent } else { at }).clamp(lowest, highest),
    };
    let (from, to) = if step > 0 { (lowest, highest) } else { (highest, lowest) };
    let (start, stop) = (bound(number(start)?, from), bound(number(stop)?, to));
    let length = if step > 0 { stop - start } else { start - stop };
    let count = if length <= 0 { 0 } else { (length - 1) / step.abs() + 1 };
    // one element has no next, so its step may be any
    let step = if count <= 1 { 1 } else { step };
    Ok(Along::Range {
        start: if count == 0 { 0 } else { start as u64 },
        step: step as i64,
        count: count as u64,
    })
}
