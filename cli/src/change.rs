//! Verbs that change a store: attrs, create, write, append, mv, rm.

use crate::failure::{DONE, Failure, Outcome, Result};
use crate::input::{self, Input, Opened};
use crate::layout::Layout;
use crate::look;
use crate::output::{print, print_json};
use crate::pieces::{counts, in_c_order};
use crate::place::{Node, Place};
use crate::progress;
use crate::selection::Selected;
use crate::value;
use serde_json::Value;
use zarrc::format::parse_data_type;
use zarrc::hierarchy::{ArrayNode, ArraySpec};
use zarrc::metadata::{Attributes, NodePath};
use zarrc::operations;
use zarrc::strided::{Extents, View};

/// An attribute value: JSON, or else a string.
fn json_or_text(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(_) => text.trim().to_owned(),
        Err(_) => value::quote(text),
    }
}

/// `zarrc attrs get`
pub fn attrs_get(place: &Place, name: Option<&str>) -> Outcome {
    let node = place.node()?;
    match name {
        None => print_json(&look::attributes(node.attributes())?)?,
        Some(name) => {
            let text = node.attributes().read(|all| Ok(all.get(name).map(str::to_owned)))?;
            print(&text.ok_or_else(|| node.attributes().not_found(name))?)?;
        }
    }
    Ok(DONE)
}

/// `zarrc attrs set`
pub fn attrs_set(place: &Place, name: &str, text: &str) -> Outcome {
    let json = json_or_text(text);
    place.node()?.attributes().write(&mut |all| all.set(name, &json))?;
    place.close()?;
    Ok(DONE)
}

/// `zarrc attrs delete`
pub fn attrs_delete(place: &Place, name: &str) -> Outcome {
    let node = place.node()?;
    node.attributes().write(&mut |all| match all.remove(name) {
        true => Ok(()),
        false => Err(zarrc::error::Error::new(
            zarrc::error::Kind::NotFound,
            format!("there is no attribute {name:?}"),
        )),
    })?;
    place.close()?;
    Ok(DONE)
}

/// What `create` creates.
pub struct Created<'a> {
    /// A group instead of an array.
    pub group: bool,
    /// Extents of the array.
    pub shape: Option<&'a [u64]>,
    /// Its type.
    pub data_type: Option<&'a str>,
    /// All else.
    pub layout: &'a Layout,
    /// Attributes as a JSON object.
    pub attributes: Option<&'a str>,
    /// Whether to delete existing contents first.
    pub replace: bool,
}

/// `zarrc create`
pub fn create(place: &Place, new: &Created<'_>) -> Outcome {
    let attributes = match new.attributes {
        Some(json) => Attributes::parse(json.as_bytes())?,
        None => Attributes::default(),
    };
    let (hierarchy, path) = (&place.hierarchy, &place.path);
    if new.group {
        let group = match new.replace {
            true => hierarchy.replace_group(path, new.layout.format())?,
            false => hierarchy.create_group(path, new.layout.format())?,
        };
        if !attributes.is_empty() {
            group.attributes().write(&mut |all| {
                all.update(&attributes);
                Ok(())
            })?;
        }
    } else {
        let (Some(shape), Some(data_type)) = (new.shape, new.data_type) else {
            return Err(Failure::usage("an array takes --shape and --type, a group --group"));
        };
        let (data_type, endian) = parse_data_type(data_type)?;
        let mut spec = ArraySpec::new(data_type, shape.to_vec());
        spec.endian = endian;
        spec.attributes = attributes;
        new.layout.apply(&mut spec)?;
        match new.replace {
            true => hierarchy.replace_array(path, &spec)?,
            false => hierarchy.create_array(path, &spec)?,
        };
    }
    place.close()?;
    Ok(DONE)
}

/// The description of an array that `write` may create.
pub struct Shaped<'a> {
    /// The extents, if the file does not give them.
    pub shape: Option<&'a [u64]>,
    /// The type, if the file does not give it.
    pub data_type: Option<&'a str>,
    /// All else.
    pub layout: &'a Layout,
}

/// `zarrc write`
pub fn write(place: &Place, file: Opened, new: &Shaped<'_>) -> Outcome {
    let there = place.hierarchy.kind_at(&place.path)?.is_some();
    if there {
        let array = place.array()?;
        let selected = place.selected(&array)?;
        let known = array.array.metadata().data_type.clone();
        let (mut input, shape) = input::open(file, Some(&known))?;
        if let Some(shape) = shape.filter(|shape| *shape != selected.shape()) {
            let wanted = selected.shape();
            return Err(Failure::usage(format!("the file has shape {shape:?}, not {wanted:?}")));
        }
        fill(&array, &selected, &mut input)?;
        array.flush()?;
    } else {
        let given = new.data_type.map(parse_data_type).transpose()?;
        let (mut input, shape) = input::open(file, given.as_ref().map(|(known, _)| known))?;
        let shape = shape.or_else(|| new.shape.map(<[u64]>::to_vec));
        let shape = shape.ok_or_else(|| Failure::usage("--shape is missing"))?;
        let (data_type, endian) = given.unwrap_or((input.data_type.clone(), None));
        let mut spec = ArraySpec::new(data_type, shape);
        spec.endian = endian;
        new.layout.apply(&mut spec)?;
        input.memory(&spec.data_type)?;
        let array = place.hierarchy.create_array(&place.path, &spec)?;
        fill(&array, &Selected::all(&spec.shape), &mut input)?;
        array.flush()?;
    }
    place.close()?;
    Ok(DONE)
}

/// Writes the input to what is selected.
fn fill(array: &ArrayNode, selected: &Selected, input: &mut Input) -> Result<()> {
    if input.fortran_order && selected.shape().len() > 1 {
        return fill_reversed(array, selected, input);
    }
    let variable = array.array.metadata().data_type.is_variable();
    let memory = input.memory(&array.array.metadata().data_type)?;
    progress::shown("writing", |progress| {
        in_c_order(&array.array, selected, &mut |piece, done| {
            let extents = counts(&piece.count)?;
            let (bytes, offsets) = input.next(extents.iter().product())?;
            let selection = piece.selected.to_library()?;
            if variable {
                array.array.write_selection_vlen(&selection, &offsets, &bytes, progress)?;
            } else {
                let src = View::contiguous(&bytes, &extents, input.data_type.size())?;
                array.array.write_selection(&selection, memory, None, src, progress)?;
            }
            Ok(progress::report(progress, done)?)
        })
    })?;
    input.finish()
}

/// The same for a file whose first dimension varies fastest; reads it whole.
fn fill_reversed(array: &ArrayNode, selected: &Selected, input: &mut Input) -> Result<()> {
    let memory = input.memory(&array.array.metadata().data_type)?;
    let mut extents = counts(&selected.shape())?;
    let (bytes, _) = input.next(extents.iter().product())?;
    extents.reverse();
    let src = View::contiguous(&bytes, &extents, input.data_type.size())?.reversed_axes();
    progress::shown("writing", |progress| {
        let selection = selected.to_library()?;
        Ok::<_, Failure>(array.array.write_selection(&selection, memory, None, src, progress)?)
    })?;
    input.finish()
}

/// `zarrc append`: appends a block to the array, entirely or not at all.
pub fn append(place: &Place, file: Opened, axis: usize) -> Outcome {
    let array = place.array()?;
    let known = array.array.metadata().data_type.clone();
    let mut block = array.array.shape();
    if axis >= block.len() {
        let rank = block.len();
        return Err(Failure::usage(format!("--axis {axis}: the array has {rank} dimensions")));
    }
    let (mut input, shape) = input::open(file, Some(&known))?;
    let (bytes, offsets) = match shape {
        Some(shape) if shape.len() != block.len() => {
            let (rank, found) = (block.len(), shape.len());
            let what = format!("the file has {found} dimensions, the array {rank}");
            return Err(Failure::usage(what));
        }
        Some(shape) => {
            block = shape;
            input.next(counts(&block)?.iter().product())?
        }
        None => rest(&mut input, &mut block, axis)?,
    };
    input.finish()?;
    let memory = input.memory(&known)?;
    let mut extents: Extents = counts(&block)?.into();
    let item = input.data_type.size();
    if known.is_variable() {
        array.append(axis, &block, &|extent, region| {
            array.array.write_vlen_ahead(extent, region, &offsets, &bytes)
        })?;
    } else {
        let src = match input.fortran_order {
            true => {
                extents.reverse();
                View::contiguous(&bytes, &extents, item)?.reversed_axes()
            }
            false => View::contiguous(&bytes, &extents, item)?,
        };
        array.append(axis, &block, &|extent, region| {
            array.array.write_ahead(extent, region, memory, &src)
        })?;
    }
    array.flush()?;
    place.close()?;
    Ok(DONE)
}

/// Reads all of a file without a shape; the extent along `axis` follows from its length.
fn rest(input: &mut Input, block: &mut [u64], axis: usize) -> Result<(Vec<u8>, Vec<u64>)> {
    block[axis] = 1;
    let (mut bytes, mut offsets) = (Vec::new(), vec![0]);
    let row: usize = counts(block)?.iter().product();
    let mut rows = 0;
    while row > 0 && input.finish().is_err() {
        let before = bytes.len() as u64;
        let (more, ends) = input.next(row)?;
        bytes.extend(more);
        offsets.extend(ends[1..].iter().map(|end| end + before));
        rows += 1;
    }
    if axis > 0 && rows > 1 && block[..axis].iter().any(|&extent| extent > 1) {
        return Err(Failure::usage("several rows along an axis that is not the first take a .npy"));
    }
    block[axis] = rows;
    Ok((bytes, offsets))
}

/// `zarrc mv`
pub fn mv(place: &Place, to: &NodePath) -> Outcome {
    progress::shown("moving", |progress| {
        operations::move_node(&place.hierarchy, &place.path, to, progress)
    })?;
    place.close()?;
    Ok(DONE)
}

/// `zarrc rm`
pub fn rm(place: &Place, recursive: bool) -> Outcome {
    if let Node::Group(group) = place.node()?
        && !recursive
        && let Some(child) = group.list(false)?.first()
    {
        let what = format!("/{} holds {}: --recursive deletes both", place.path, child.path);
        return Err(Failure::usage(what));
    }
    place.hierarchy.delete(&place.path)?;
    place.close()?;
    Ok(DONE)
}
