//! Verbs for nodes with all below them: copy, convert, rechunk, consolidate, verify, repair,
//! digest.

use crate::failure::{DIFFERENT, DONE, Failure, Outcome};
use crate::layout::Layout;
use crate::output::{print, print_json};
use crate::place::{Node, Place};
use crate::progress;
use serde_json::json;
use std::fmt::Write;
use zarrc::format::{FormatId, NodeKind};
use zarrc::hierarchy::ArraySpec;
use zarrc::metadata::NodePath;
use zarrc::operations::{self, Accept, Algorithm, Conversion, CopyOptions, IfExists};

/// `zarrc copy`
pub fn copy(from: &Place, to: &Place, options: &CopyOptions, json: bool) -> Outcome {
    let done = progress::shown("copying", |progress| {
        let (source, target) = (&from.hierarchy, &to.hierarchy);
        operations::copy_node(source, &from.path, target, &to.path, options, progress)
    })?;
    to.close()?;
    if json {
        let report = json!({ "keys": done.keys, "skipped": done.skipped, "bytes": done.bytes });
        print_json(&report)?;
    } else if options.dry_run {
        let (keys, skipped, bytes) = (done.keys, done.skipped, done.bytes);
        print(&format!("{keys} keys, {bytes} bytes; {skipped} are there"))?;
    }
    Ok(DONE)
}

/// `zarrc convert`
pub fn convert(
    from: &Place,
    to: &Place,
    format: FormatId,
    accept: Accept,
    dry_run: bool,
) -> Outcome {
    let (source, target) = (&from.hierarchy, &to.hierarchy);
    let plan = Conversion::plan(source, &from.path, target, &to.path, format, accept)?;
    if dry_run {
        print_json(&plan.describe())?;
        return Ok(DONE);
    }
    progress::shown("converting", |progress| plan.run(progress))?;
    to.close()?;
    Ok(DONE)
}

/// `zarrc convert` to an HDF5 file: what changes on the way goes to standard error.
pub fn export(from: &Place, file: &str, losses: bool) -> Outcome {
    let options = operations::ExportOptions { losses, ..Default::default() };
    let notes = progress::shown("writing", |progress| {
        let file = std::path::Path::new(file);
        operations::export_hdf5(&from.hierarchy, &from.path, file, &options, progress)
    })?;
    for (path, note) in notes {
        eprintln!("/{path}: {note}");
    }
    Ok(DONE)
}

/// `zarrc references`
pub fn references(place: &Place, url: Option<&str>) -> Outcome {
    let text = progress::shown("looking", |progress| {
        operations::references(&place.hierarchy, &place.path, url, progress)
    })?;
    print(text.trim_end())?;
    Ok(DONE)
}

/// `zarrc rechunk`
pub fn rechunk(from: &Place, to: &Place, layout: &Layout, memory: u64) -> Outcome {
    let array = from.array()?;
    let mut spec = ArraySpec::like(&array)?;
    // what is not asked for stays; other chunks leave no room for the old shards
    layout.apply_to_existing(&mut spec)?;
    spec.attributes = zarrc::metadata::Attributes::default();
    progress::shown("rechunking", |progress| {
        operations::rechunk(&array, &to.hierarchy, &to.path, &spec, memory, progress)
    })?;
    to.close()?;
    Ok(DONE)
}

/// `zarrc consolidate`
pub fn consolidate(place: &Place) -> Outcome {
    place.hierarchy.consolidate(&place.path)?;
    place.close()?;
    Ok(DONE)
}

/// `zarrc verify`
pub fn verify(place: &Place, as_json: bool) -> Outcome {
    let report = progress::shown("verifying", |progress| {
        operations::verify(&place.hierarchy, &place.path, progress)
    })?;
    if as_json {
        print_json(&report.to_json())?;
    } else {
        let mut text = String::new();
        for problem in &report.problems {
            let _ = writeln!(text, "{}: {}: {}", problem.kind, at(problem), problem.message);
        }
        let _ = writeln!(
            text,
            "{} nodes, {} chunks, {} bytes: {}",
            report.nodes,
            report.chunks,
            report.bytes,
            match report.problems.len() {
                0 => "sound".to_owned(),
                1 => "1 problem".to_owned(),
                n => format!("{n} problems"),
            }
        );
        print(&text)?;
    }
    Ok(if report.problems.is_empty() { DONE } else { DIFFERENT })
}

fn at(problem: &operations::Problem) -> String {
    match problem.key.is_empty() {
        true => format!("/{}", problem.node),
        false => problem.key.clone(),
    }
}

/// `zarrc repair`: exit code 1 where problems are left.
pub fn repair(place: &Place, kinds: &str, dry_run: bool, as_json: bool) -> Outcome {
    let done = progress::shown("repairing", |progress| {
        operations::repair(&place.hierarchy, &place.path, kinds, dry_run, progress)
    })?;
    place.close()?;
    if as_json {
        print_json(&done.to_json())?;
    } else {
        let mut text = String::new();
        let what = if dry_run { "would repair" } else { "repaired" };
        for (said, problems) in [(what, &done.repaired), ("left", &done.left)] {
            for problem in problems {
                let _ = writeln!(text, "{said}: {}: {}", problem.kind, at(problem));
            }
        }
        let _ = writeln!(text, "{what} {}, left {}", done.repaired.len(), done.left.len());
        print(&text)?;
    }
    Ok(if done.left.is_empty() { DONE } else { DIFFERENT })
}

/// `zarrc digest`: a line for each array, as sha256sum has one for each file.
pub fn digest(place: &Place, algorithm: &str, stored: bool, as_json: bool) -> Outcome {
    let algorithm = Algorithm::named(algorithm)?;
    let paths: Vec<NodePath> = match place.node()? {
        Node::Array(array) => vec![array.array.path().clone()],
        Node::Group(group) => {
            let nodes = group.list(true)?;
            let arrays = nodes.iter().filter(|node| node.kind == Some(NodeKind::Array));
            let path = |path: &str| group.path().join(path);
            arrays.map(|node| path(&node.path)).collect::<zarrc::error::Result<_>>()?
        }
    };
    let mut lines = Vec::new();
    for path in paths {
        let array =
            if path == place.path { place.array()? } else { place.at(path.clone()).array()? };
        let digest = match stored {
            true => operations::stored_digest(&array, algorithm)?,
            false => progress::shown("reading", |progress| {
                operations::content_digest(&array.array, algorithm, progress)
            })?,
        };
        lines.push((path, digest));
    }
    if as_json {
        let all =
            lines.iter().map(|(path, digest)| (path.as_str().to_owned(), digest.as_str().into()));
        print_json(&serde_json::Value::Object(all.collect()))?;
    } else if !lines.is_empty() {
        print(
            &lines.iter().map(|(path, d)| format!("{d}  /{}\n", path.as_str())).collect::<String>(),
        )?;
    }
    Ok(DONE)
}

/// What happens to keys that are there.
pub fn if_exists(skip: bool, replace: bool) -> Result<IfExists, Failure> {
    match (skip, replace) {
        (false, false) => Ok(IfExists::Fail),
        (true, false) => Ok(IfExists::Skip),
        (false, true) => Ok(IfExists::Replace),
        (true, true) => Err(Failure::usage("--skip and --replace exclude one another")),
    }
}
