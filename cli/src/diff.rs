//! `zarrc diff`: compares the contents of two nodes and everything below them.

use crate::failure::{DIFFERENT, DONE, Outcome, Result};
use crate::look;
use crate::output::{print, print_json};
use crate::pieces::{Elements, by_chunks, elements};
use crate::place::{Node, Place};
use crate::progress;
use crate::selection::Selected;
use crate::value::{self, Spelling};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use zarrc::format::NodeKind;
use zarrc::hierarchy::ArrayNode;
use zarrc::metadata::DataType;

/// When values count as equal.
pub struct Tolerance {
    /// The absolute difference allowed.
    pub absolute: f64,
    /// The difference allowed relative to the second number.
    pub relative: f64,
    /// Whether attributes and names of dimensions are compared.
    pub attributes: bool,
    /// Whether types must be the same.
    pub types: bool,
}

/// What differs.
struct Differences(Vec<Value>);

impl Differences {
    fn add(&mut self, path: &str, what: &str, a: Value, b: Value) {
        self.0.push(json!({ "path": path, "what": what, "a": a, "b": b }));
    }
}

/// `zarrc diff`
pub fn diff(a: &Place, b: &Place, tolerance: &Tolerance, as_json: bool) -> Outcome {
    let mut found = Differences(Vec::new());
    match (a.node()?, b.node()?) {
        (Node::Array(a), Node::Array(b)) => arrays("", a, b, tolerance, &mut found)?,
        (a_node, b_node) => nodes((a, a_node), (b, b_node), tolerance, &mut found)?,
    }
    let Differences(found) = found;
    if as_json {
        print_json(&Value::Array(found.clone()))?;
    } else if !found.is_empty() {
        let line = |d: &Value| {
            let (path, what) = (d["path"].as_str(), d["what"].as_str());
            let more = match d.get("differing") {
                Some(n) => format!(" ({n} elements differ)"),
                None => String::new(),
            };
            let (path, what) = (path.unwrap_or_default(), what.unwrap_or_default());
            format!("/{path}: {what}: {} | {}{more}\n", d["a"], d["b"])
        };
        print(&found.iter().map(line).collect::<String>())?;
    }
    Ok(if found.is_empty() { DONE } else { DIFFERENT })
}

fn kind(node: &Node) -> &'static str {
    match node {
        Node::Array(_) => "array",
        Node::Group(_) => "group",
    }
}

fn nodes(
    (a, a_node): (&Place, Node),
    (b, b_node): (&Place, Node),
    tolerance: &Tolerance,
    found: &mut Differences,
) -> Result<()> {
    let (Node::Group(a_group), Node::Group(b_group)) = (&a_node, &b_node) else {
        found.add("", "kind", kind(&a_node).into(), kind(&b_node).into());
        return Ok(());
    };
    let list = |group: &zarrc::hierarchy::Group| -> Result<BTreeMap<String, Option<NodeKind>>> {
        Ok(group.list(true)?.into_iter().map(|node| (node.path, node.kind)).collect())
    };
    let (a_list, b_list) = (list(a_group)?, list(b_group)?);
    if tolerance.attributes {
        attributes("", &a_node, &b_node, found)?;
    }
    let all: BTreeSet<&String> = a_list.keys().chain(b_list.keys()).collect();
    for path in all {
        let name = |kind: &Option<NodeKind>| match kind {
            Some(NodeKind::Array) => "array",
            Some(NodeKind::Group) => "group",
            None => "unreadable",
        };
        let (in_a, in_b) = (a_list.get(path), b_list.get(path));
        if in_a != in_b {
            let shown = |kind: Option<&Option<NodeKind>>| json!(kind.map(name));
            found.add(path, "kind", shown(in_a), shown(in_b));
            continue;
        }
        let a_node = a.at(a_group.path().join(path)?).node()?;
        let b_node = b.at(b_group.path().join(path)?).node()?;
        match (a_node, b_node) {
            (Node::Array(a), Node::Array(b)) => arrays(path, a, b, tolerance, found)?,
            (a, b) if tolerance.attributes => attributes(path, &a, &b, found)?,
            _ => {}
        }
    }
    Ok(())
}

/// Attributes in which formats store dimension names, which are compared as such.
const OF_FORMATS: [&str; 1] = ["_ARRAY_DIMENSIONS"];

fn attributes(path: &str, a: &Node, b: &Node, found: &mut Differences) -> Result<()> {
    let (a, b) = (look::attributes(a.attributes())?, look::attributes(b.attributes())?);
    let names = |all: &Value| -> BTreeSet<String> {
        all.as_object().into_iter().flat_map(|all| all.keys().cloned()).collect()
    };
    for name in names(&a).union(&names(&b)) {
        if a.get(name) != b.get(name) && !OF_FORMATS.contains(&name.as_str()) {
            let shown = |all: &Value| all.get(name).cloned().unwrap_or_default();
            found.add(path, &format!("attribute {name}"), shown(&a), shown(&b));
        }
    }
    Ok(())
}

fn arrays(
    path: &str,
    a: Box<ArrayNode>,
    b: Box<ArrayNode>,
    tolerance: &Tolerance,
    found: &mut Differences,
) -> Result<()> {
    let (a_shape, b_shape) = (a.array.shape(), b.array.shape());
    let data_type = |array: &ArrayNode| array.array.metadata().data_type.clone();
    let (a_type, b_type) = (data_type(&a), data_type(&b));
    if a_type != b_type && tolerance.types {
        found.add(path, "data type", a_type.name().into(), b_type.name().into());
    }
    if tolerance.attributes {
        let names = |array: &ArrayNode| -> Result<Vec<Option<String>>> {
            let name = |d| {
                let name = array.dimension_name(d)?;
                Ok(name.map(|name| name.to_string_lossy().into_owned()))
            };
            (0..array.array.rank()).map(name).collect()
        };
        let (a_names, b_names) = (names(&a)?, names(&b)?);
        if a_names != b_names && a_names.len() == b_names.len() {
            found.add(path, "dimension names", json!(a_names), json!(b_names));
        }
    }
    let comparable = a_shape == b_shape;
    if !comparable {
        found.add(path, "shape", json!(a_shape), json!(b_shape));
    } else if a_type != b_type && (value::real(&a_type).is_none() || value::real(&b_type).is_none())
    {
        if !tolerance.types {
            found.add(path, "data type", a_type.name().into(), b_type.name().into());
        }
    } else {
        values(path, &a, &b, tolerance, found)?;
    }
    if tolerance.attributes {
        attributes(path, &Node::Array(a), &Node::Array(b), found)?;
    }
    Ok(())
}

fn values(
    path: &str,
    a: &ArrayNode,
    b: &ArrayNode,
    tolerance: &Tolerance,
    found: &mut Differences,
) -> Result<()> {
    let (a_type, b_type) = (&a.array.metadata().data_type, &b.array.metadata().data_type);
    let exact = tolerance.absolute == 0.0 && tolerance.relative == 0.0 && a_type == b_type;
    let is_float =
        value::real(a_type).is_some() && !matches!(a_type, DataType::Int64 | DataType::UInt64);
    let (mut differing, mut first) = (0u64, None);
    let (mut a_numbers, mut b_numbers) = (Vec::new(), Vec::new());
    let all = Selected::all(&a.array.shape());
    progress::shown("comparing", |progress| {
        by_chunks(&a.array, &all, &mut |piece, done| {
            let left = Elements::read(&a.array, &piece.selected, progress)?;
            let right = Elements::read(&b.array, &piece.selected, progress)?;
            let same = match (&left, &right) {
                (Elements::Fixed(l, _), Elements::Fixed(r, _)) => a_type == b_type && l == r,
                _ => false,
            };
            if !same {
                let mut numeric = false;
                if let (Elements::Fixed(l, _), Elements::Fixed(r, _)) = (&left, &right)
                    && (!exact || is_float)
                {
                    numeric = value::to_f64s(a_type, l, &mut a_numbers)?.is_some()
                        && value::to_f64s(b_type, r, &mut b_numbers)?.is_some();
                }
                for n in 0..elements(&piece.count)? {
                    let equal = match numeric {
                        true => near(a_numbers[n], b_numbers[n], tolerance),
                        false => left.get(n) == right.get(n),
                    };
                    if !equal {
                        differing += 1;
                        first.get_or_insert_with(|| {
                            (
                                index(&piece.start, &piece.count, n),
                                left.get(n).to_vec(),
                                right.get(n).to_vec(),
                            )
                        });
                    }
                }
            }
            Ok::<_, crate::failure::Failure>(progress::report(progress, done)?)
        })
    })?;
    if let Some((index, left, right)) = first {
        let shown = |data_type: &DataType, element: &[u8]| -> Result<Value> {
            let mut text = String::new();
            value::write(data_type, element, Spelling::Json, &mut text)?;
            Ok(serde_json::from_str(&text).unwrap_or_default())
        };
        found.0.push(json!({
            "path": path,
            "what": format!("values, first at {index:?}"),
            "a": shown(a_type, &left)?,
            "b": shown(b_type, &right)?,
            "index": index,
            "differing": differing,
        }));
    }
    Ok(())
}

fn near(a: f64, b: f64, tolerance: &Tolerance) -> bool {
    // an infinity equals only itself
    a == b
        || (a.is_nan() && b.is_nan())
        || (a.is_finite()
            && b.is_finite()
            && (a - b).abs() <= tolerance.absolute + tolerance.relative * b.abs())
}

/// The array index of element `n` of a box.
fn index(start: &[u64], count: &[u64], n: usize) -> Vec<u64> {
    let mut rest = n as u64;
    let mut index = start.to_vec();
    for d in (0..count.len()).rev() {
        index[d] += rest % count[d];
        rest /= count[d];
    }
    index
}
