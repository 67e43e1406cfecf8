//! Verbs that look at metadata: info, ls, tree, dump, du, formats.

use crate::cat::{self, Format};
use crate::failure::{DONE, Outcome, Result};
use crate::output::{print, print_json};
use crate::place::{Node, Place};
use crate::selection::Selected;
use serde_json::{Map, Value, json};
use std::fmt::Write;
use zarrc::format::{FORMATS, NodeKind};
use zarrc::hierarchy::{ArrayNode, Group, Listed, NodeAttributes};
use zarrc::operations;
use zarrc::store::SCHEMES;

/// Attributes as JSON.
pub fn attributes(of: &NodeAttributes) -> Result<Value> {
    let text = of.read(|all| Ok(all.to_json()))?;
    let parsed = zarrc::metadata::Attributes::parse(text.as_bytes())?;
    // bare NaN became a string there
    let members = parsed.iter().map(|(name, json)| {
        (name.to_owned(), serde_json::from_str(json).unwrap_or(Value::from(json)))
    });
    Ok(Value::Object(members.collect::<Map<_, _>>()))
}

/// The names of the dimensions of an array, where any has one.
pub fn dimension_names(array: &ArrayNode) -> Result<Option<Vec<Option<String>>>> {
    let name = |d| {
        let name = array.dimension_name(d)?;
        Ok(name.map(|name| name.to_string_lossy().into_owned()))
    };
    let names: Vec<Option<String>> = (0..array.array.rank()).map(name).collect::<Result<_>>()?;
    Ok(names.iter().any(Option::is_some).then_some(names))
}

/// The info of an array.
fn array_info(array: &ArrayNode) -> Result<Value> {
    with_names(array, operations::array_info(array)?)
}

/// Adds to the description of an array what only the hierarchy knows.
fn with_names(array: &ArrayNode, mut info: Value) -> Result<Value> {
    if info["dimension_names"].is_null() {
        info["dimension_names"] = json!(dimension_names(array)?);
    }
    info["kind"] = "array".into();
    info["attributes"] = attributes(array.attributes())?;
    Ok(info)
}

/// Describes a node without looking at its chunks.
pub fn layout(place: &Place, node: &Node) -> Result<Value> {
    match node {
        Node::Array(array) => with_names(array, operations::array_layout(array)?),
        Node::Group(group) => group_info(place, group),
    }
}

fn group_info(place: &Place, group: &Group) -> Result<Value> {
    let children = group.list(false)?;
    let of = |kind| children.iter().filter(|child| child.kind == Some(kind)).count();
    Ok(json!({
        "kind": "group",
        "path": group.path().as_str(),
        "store": place.hierarchy.store().name(),
        "format": group.format().name(),
        "groups": of(NodeKind::Group),
        "arrays": of(NodeKind::Array),
        "attributes": attributes(group.attributes())?,
    }))
}

/// `zarrc info`
pub fn info(place: &Place, as_json: bool) -> Outcome {
    let info = match place.node()? {
        Node::Array(array) => array_info(&array)?,
        Node::Group(group) => group_info(place, &group)?,
    };
    if as_json {
        print_json(&info)?;
        return Ok(DONE);
    }
    let mut text = String::new();
    for (name, value) in info.as_object().into_iter().flatten() {
        let shown = match (name.as_str(), value) {
            (_, Value::Null) => continue,
            ("attributes", Value::Object(all)) => {
                let _ =
                    writeln!(text, "attributes     {}", if all.is_empty() { "none" } else { "" });
                for (name, value) in all {
                    let _ = writeln!(text, "  {name} = {value}");
                }
                continue;
            }
            ("path", Value::String(path)) => format!("/{path}"),
            (_, Value::String(text)) => text.clone(),
            ("codecs", Value::Array(codecs)) => {
                let name = |codec: &Value| codec["name"].as_str().unwrap_or("?").to_owned();
                codecs.iter().map(name).collect::<Vec<_>>().join(", ")
            }
            ("bytes" | "stored_bytes", Value::Number(n)) => {
                format!("{n} ({})", size(n.as_u64().unwrap_or(0)))
            }
            ("ratio", Value::Number(n)) => format!("{:.3}", n.as_f64().unwrap_or(0.0)),
            (_, other) => other.to_string(),
        };
        let _ = writeln!(text, "{:<14} {}", name.replace('_', " "), shown);
    }
    print(&text)?;
    Ok(DONE)
}

/// A size in human-readable units.
fn size(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", units[unit]) }
}

fn kind_name(kind: Option<NodeKind>) -> &'static str {
    match kind {
        Some(NodeKind::Array) => "array",
        Some(NodeKind::Group) => "group",
        None => "unreadable",
    }
}

/// A node of a listing: its shape and type where it is an array that can be opened.
pub fn listed(place: &Place, group: &Group, node: &Listed) -> Result<Value> {
    let mut entry = json!({ "path": node.path, "kind": kind_name(node.kind) });
    if node.kind == Some(NodeKind::Array) {
        match place.at(group.path().join(&node.path)?).array() {
            Ok(array) => {
                entry["shape"] = json!(array.array.shape());
                entry["data_type"] = array.array.metadata().data_type.name().into();
            }
            Err(e) => entry["error"] = e.to_string().into(),
        }
    }
    Ok(entry)
}

/// `zarrc ls`
pub fn ls(place: &Place, recursive: bool, long: bool, as_json: bool) -> Outcome {
    let group = match place.node()? {
        Node::Group(group) => group,
        Node::Array(array) => {
            let data_type = array.array.metadata().data_type.name();
            let entry = json!([{
                "path": "", "kind": "array", "shape": array.array.shape(), "data_type": data_type,
            }]);
            if as_json {
                print_json(&entry)?;
            } else {
                print(&format!("{}  array  {}", array.array.path(), extents(&entry[0])))?;
            }
            return Ok(DONE);
        }
    };
    let nodes = group.list(recursive)?;
    if !long && !as_json {
        let line = |node: &Listed| match node.kind {
            Some(NodeKind::Group) => format!("{}/\n", node.path),
            _ => format!("{}\n", node.path),
        };
        let lines: String = nodes.iter().map(line).collect();
        if !lines.is_empty() {
            print(&lines)?;
        }
        return Ok(DONE);
    }
    let entries: Vec<Value> =
        nodes.iter().map(|node| listed(place, &group, node)).collect::<Result<_>>()?;
    if as_json {
        print_json(&Value::Array(entries))?;
        return Ok(DONE);
    }
    let width = nodes.iter().map(|node| node.path.chars().count()).max().unwrap_or(0);
    let lines = nodes.iter().zip(&entries).map(|(node, entry)| {
        format!("{:<width$}  {:<10}  {}\n", node.path, kind_name(node.kind), extents(entry))
    });
    let lines: String = lines.collect();
    if !lines.is_empty() {
        print(&lines)?;
    }
    Ok(DONE)
}

fn extents(entry: &Value) -> String {
    match (entry["shape"].as_array(), entry["error"].as_str()) {
        (Some(shape), _) => {
            let extents: Vec<String> = shape.iter().map(Value::to_string).collect();
            let data_type = entry["data_type"].as_str().unwrap_or_default();
            format!("({}) {data_type}", extents.join(", "))
        }
        (None, Some(error)) => error.to_owned(),
        (None, None) => String::new(),
    }
}

/// `zarrc tree`
pub fn tree(place: &Place, as_json: bool) -> Outcome {
    let group = match place.node()? {
        Node::Group(group) => group,
        Node::Array(_) => return ls(place, false, true, as_json),
    };
    if !as_json {
        print(&operations::tree(&group)?)?;
        return Ok(DONE);
    }
    let mut root = json!({ "kind": "group", "children": {} });
    for node in group.list(true)? {
        let entry = listed(place, &group, &node)?;
        let mut above = &mut root;
        let (parents, name) = node.path.rsplit_once('/').unwrap_or(("", &node.path));
        for parent in parents.split('/').filter(|parent| !parent.is_empty()) {
            above = &mut above["children"][parent];
        }
        let mut own = entry.as_object().cloned().unwrap_or_default();
        own.shift_remove("path");
        if node.kind == Some(NodeKind::Group) {
            own.insert("children".into(), json!({}));
        }
        above["children"][name] = Value::Object(own);
    }
    print_json(&root)?;
    Ok(DONE)
}

/// `zarrc dump`: as CDL, the language of ncdump.
pub fn dump(place: &Place, header: bool, as_json: bool) -> Outcome {
    let node = place.node()?;
    if as_json {
        return dump_json(place, node, header);
    }
    let name = place.hierarchy.store().name();
    let name = name.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
    let mut output = crate::output::Output::to(None)?;
    use std::io::Write as _;
    writeln!(output, "zarr {name} {{")?;
    match node {
        Node::Array(array) => {
            let own = array.array.path().name().to_owned();
            let own = if own.is_empty() { name.clone() } else { own };
            output.write_all(cdl_array(&array, &own, "  ")?.as_bytes())?;
            if !header {
                cdl_data(&mut output, &array, &own, "  ")?;
            }
        }
        Node::Group(group) => cdl_group(&mut output, place, &group, header, "  ")?,
    }
    writeln!(output, "}}")?;
    output.finish()?;
    Ok(DONE)
}

fn cdl_group(
    output: &mut crate::output::Output,
    place: &Place,
    group: &Group,
    header: bool,
    indent: &str,
) -> Result<()> {
    use std::io::Write as _;
    for (name, value) in attributes(group.attributes())?.as_object().into_iter().flatten() {
        writeln!(output, "{indent}:{name} = {value} ;")?;
    }
    let children = group.list(false)?;
    let mut arrays = Vec::new();
    for child in children.iter().filter(|child| child.kind == Some(NodeKind::Array)) {
        match place.at(group.path().join(&child.path)?).array() {
            Ok(array) => arrays.push((child.path.as_str(), array)),
            Err(e) => writeln!(output, "{indent}// {}: {e}", child.path)?,
        }
    }
    for child in children.iter().filter(|child| child.kind.is_none()) {
        writeln!(output, "{indent}// {}: its metadata document cannot be read", child.path)?;
    }
    for (name, array) in &arrays {
        output.write_all(cdl_array(array, name, indent)?.as_bytes())?;
    }
    if !header {
        for (name, array) in &arrays {
            cdl_data(output, array, name, indent)?;
        }
    }
    drop(arrays);
    for child in children.iter().filter(|child| child.kind == Some(NodeKind::Group)) {
        let below = place.at(group.path().join(&child.path)?).group()?;
        writeln!(output, "\n{indent}group: {} {{", child.path)?;
        cdl_group(output, place, &below, header, &format!("{indent}  "))?;
        writeln!(output, "{indent}}}")?;
    }
    Ok(())
}

/// `float32 t(time=10, x=20) ;` and what belongs to it.
fn cdl_array(array: &ArrayNode, name: &str, indent: &str) -> Result<String> {
    let shape = array.array.shape();
    let names = dimension_names(array)?.unwrap_or_else(|| vec![None; shape.len()]);
    let dimension = |(name, extent): (&Option<String>, &u64)| match name {
        Some(name) => format!("{name}={extent}"),
        None => extent.to_string(),
    };
    let dimensions: Vec<String> = names.iter().zip(&shape).map(dimension).collect();
    let data_type = array.array.metadata().data_type.name();
    let mut text = format!("{indent}{data_type} {name}({}) ;\n", dimensions.join(", "));
    let chunks: Vec<String> = array.array.chunk_shape().iter().map(u64::to_string).collect();
    let _ = writeln!(text, "{indent}  {name}:_ChunkSizes = {} ;", chunks.join(", "));
    let _ = writeln!(text, "{indent}  {name}:_FillValue = {} ;", array.fill_json()?);
    let all = attributes(array.attributes())?;
    let others = all.as_object().into_iter().flatten();
    for (attribute, value) in others.filter(|(attribute, _)| *attribute != "_FillValue") {
        let _ = writeln!(text, "{indent}  {name}:{attribute} = {value} ;");
    }
    Ok(text)
}

fn cdl_data(
    output: &mut crate::output::Output,
    array: &ArrayNode,
    name: &str,
    indent: &str,
) -> Result<()> {
    use std::io::Write as _;
    write!(output, "\n{indent}data: {name} = ")?;
    let all = Selected::all(&array.array.shape());
    cat::write(array, &all, Format::Json, output)?;
    writeln!(output, "{indent}  ;")?;
    Ok(())
}

fn dump_json(place: &Place, node: Node, header: bool) -> Outcome {
    let mut output = crate::output::Output::to(None)?;
    json_node(&mut output, place, node, header)?;
    use std::io::Write as _;
    writeln!(output)?;
    output.finish()?;
    Ok(DONE)
}

/// The info of a node with what is in it: `data` of an array, `children` of a group.
fn json_node(
    output: &mut crate::output::Output,
    place: &Place,
    node: Node,
    header: bool,
) -> Result<()> {
    use std::io::Write as _;
    let info = match &node {
        Node::Array(array) => array_info(array)?,
        Node::Group(group) => group_info(place, group)?,
    };
    let info = info.to_string();
    // an object, to which one member is added
    output.write_all(&info.as_bytes()[..info.len() - 1])?;
    match node {
        Node::Array(array) if !header => {
            output.write_all(b",\"data\":")?;
            let all = Selected::all(&array.array.shape());
            cat::write(&array, &all, Format::Json, output)?;
        }
        Node::Array(_) => {}
        Node::Group(group) => {
            output.write_all(b",\"children\":{")?;
            for (n, child) in group.list(false)?.iter().enumerate() {
                let comma = if n > 0 { "," } else { "" };
                write!(output, "{comma}{}:", crate::value::quote(&child.path))?;
                match place.at(group.path().join(&child.path)?).node() {
                    Ok(node) => json_node(output, place, node, header)?,
                    Err(e) => write!(output, "{}", json!({ "error": e.to_string() }))?,
                }
            }
            output.write_all(b"}")?;
        }
    }
    output.write_all(b"}")?;
    Ok(())
}

/// `zarrc du`: what each array takes in the store.
pub fn du(place: &Place, as_json: bool) -> Outcome {
    let mut arrays = Vec::new();
    match place.node()? {
        Node::Array(array) => arrays.push(operations::array_info(&array)?),
        Node::Group(group) => {
            let nodes = group.list(true)?;
            for node in nodes.iter().filter(|node| node.kind == Some(NodeKind::Array)) {
                let array = place.at(group.path().join(&node.path)?).array()?;
                arrays.push(operations::array_info(&array)?);
            }
        }
    }
    let sum = |name: &str| arrays.iter().filter_map(|a| a[name].as_u64()).sum::<u64>();
    let (stored, bytes) = (sum("stored_bytes"), sum("bytes"));
    if as_json {
        let keep = ["path", "stored_bytes", "bytes", "ratio", "chunks", "chunks_stored"];
        let entry = |info: &Value| -> Value {
            keep.iter().map(|&name| (name.to_owned(), info[name].clone())).collect()
        };
        let list: Vec<Value> = arrays.iter().map(entry).collect();
        print_json(&json!({ "arrays": list, "stored_bytes": stored, "bytes": bytes }))?;
        return Ok(DONE);
    }
    let mut text = String::new();
    for info in &arrays {
        let chunks = format!("{}/{} chunks", info["chunks_stored"], info["chunks"]);
        let path = info["path"].as_str().unwrap_or_default();
        let stored = size(info["stored_bytes"].as_u64().unwrap_or(0));
        let bytes = info["bytes"].as_u64().map_or("-".into(), size);
        let _ = writeln!(text, "{stored:>10}  of {bytes:>10}  {chunks:>20}  /{path}");
    }
    let _ = writeln!(text, "{:>10}  of {:>10}  {:>20}  in all", size(stored), size(bytes), "");
    print(&text)?;
    Ok(DONE)
}

/// `zarrc formats`: what this build reads and writes.
pub fn formats(as_json: bool) -> Outcome {
    let formats: Vec<&str> = FORMATS.iter().map(|format| format.id.name()).collect();
    let codecs: Vec<&str> =
        zarrc::metadata::codecs::CODECS.iter().map(|codec| codec.name).collect();
    let stores = || SCHEMES.iter().filter(|scheme| scheme.is_built());
    if as_json {
        let stores: Vec<&str> = stores().map(|scheme| scheme.name).collect();
        print_json(&json!({ "formats": formats, "codecs": codecs, "stores": stores }))?;
        return Ok(DONE);
    }
    let mut text = format!("formats\n  {}\n\nstores\n", formats.join("\n  "));
    for scheme in stores() {
        let doc = scheme.doc.split(['.', ':', ';']).next().unwrap_or_default();
        let _ = writeln!(text, "  {:<14} {doc}", format!("{}:", scheme.name));
    }
    let _ = writeln!(text, "\ncodecs\n  {}", codecs.join("\n  "));
    print(&text)?;
    Ok(DONE)
}
