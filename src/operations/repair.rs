//! Repairing problems that a check found, of the kinds that the caller names. Changes nothing else.

use super::verify::{Problem, verify};
use crate::error::{Context, Error, Result};
use crate::hierarchy::Hierarchy;
use crate::metadata::NodePath;
use crate::progress::Progress;
use crate::store::{Key, Precondition};
use serde_json::{Value, json};

/// The kinds of problems that can be repaired, each by deleting what is damaged or superfluous.
const REPAIRABLE: [&str; 6] =
    ["chunk", "consolidated", "index", "interrupted", "outside", "unknown"];

/// What was repaired, and what was not.
#[derive(Debug, Default)]
pub struct Repaired {
    /// Repaired, or in a dry run what would be.
    pub repaired: Vec<Problem>,
    /// Of kinds that were not named, or that cannot be repaired.
    pub left: Vec<Problem>,
}

impl Repaired {
    /// As JSON.
    pub fn to_json(&self) -> Value {
        let list =
            |problems: &[Problem]| -> Value { problems.iter().map(Problem::to_json).collect() };
        json!({"repaired": list(&self.repaired), "left": list(&self.left)})
    }
}

/// Checks the node at `path` and everything below it, and repairs the problems of `kinds`
/// (separated by commas). `dry_run`: writes nothing.
pub fn repair(
    hierarchy: &Hierarchy,
    path: &NodePath,
    kinds: &str,
    dry_run: bool,
    progress: &Progress<'_>,
) -> Result<Repaired> {
    let kinds: Vec<&str> = kinds.split(',').map(str::trim).filter(|k| !k.is_empty()).collect();
    if let Some(other) = kinds.iter().find(|kind| !REPAIRABLE.contains(kind)) {
        let known = REPAIRABLE.join(", ");
        return Err(Error::invalid(format!(
            "kinds: {other:?} cannot be repaired; expected {known}"
        )));
    }
    if hierarchy.store().read_only() && !dry_run {
        return Err(crate::store::refuse_change(&**hierarchy.store()));
    }
    let mut result = Repaired::default();
    for problem in verify(hierarchy, path, progress)?.problems {
        if !kinds.contains(&problem.kind) {
            result.left.push(problem);
            continue;
        }
        if !dry_run {
            put_right(hierarchy, &problem)
                .at(|| format!("repairing {} of {:?}", problem.kind, problem.key))?;
        }
        result.repaired.push(problem);
    }
    Ok(result)
}

fn put_right(hierarchy: &Hierarchy, problem: &Problem) -> Result<()> {
    if problem.kind == "consolidated" {
        return hierarchy.consolidate(&NodePath::parse(&problem.node)?);
    }
    let store = hierarchy.store();
    if problem.key.ends_with('/') {
        return store.erase_prefix(&problem.key);
    }
    if let Some(place) = problem.key.strip_suffix(super::rechunk::NOTE) {
        store.erase_prefix(&[place, super::rechunk::SCRATCH].concat())?;
    }
    store.erase(&Key::parse(&problem.key)?, &Precondition::None).map(|_| ())
}
