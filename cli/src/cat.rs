//! `zarrc cat`: elements as text, CSV, JSON, raw bytes or .npy.

use crate::failure::{DONE, Failure, Outcome, Result};
use crate::npy;
use crate::output::Output;
use crate::pieces::{Elements, elements, in_c_order, size};
use crate::place::Place;
use crate::progress;
use crate::selection::Selected;
use crate::value::{self, Spelling};
use std::io::Write;
use std::path::Path;
use zarrc::hierarchy::ArrayNode;
use zarrc::metadata::DataType;

/// The forms that elements are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Lines of a row each, with a space between elements
    Text,
    /// Lines of a row each, with a comma between elements; a struct has a column per field
    Csv,
    /// Nested lists; NaN and infinities are strings
    Json,
    /// The bytes in C order and the machine's byte order
    Raw,
    /// A file of NumPy
    Npy,
}

/// `zarrc cat`
pub fn cat(place: &Place, format: Format, file: Option<&Path>) -> Outcome {
    let array = place.array()?;
    let selected = place.selected(&array)?;
    let mut output = Output::to(file)?;
    write(&array, &selected, format, &mut output)?;
    output.finish()?;
    Ok(DONE)
}

/// Writes what is selected.
pub fn write(
    array: &ArrayNode,
    selected: &Selected,
    format: Format,
    output: &mut Output,
) -> Result<()> {
    match format {
        Format::Raw => raw(array, selected, output),
        Format::Npy => npy(array, selected, output),
        Format::Json => json(array, selected, output),
        Format::Text => rows(array, selected, Spelling::Text, " ", output),
        Format::Csv => rows(array, selected, Spelling::Csv, ",", output),
    }
}

/// Calls `each` for the elements of each piece, in C order.
fn read(
    array: &ArrayNode,
    selected: &Selected,
    each: &mut dyn FnMut(&Elements, usize) -> Result<()>,
) -> Result<()> {
    progress::shown_bytes("reading", size(&array.array, selected), |progress| {
        in_c_order(&array.array, selected, &mut |piece, done| {
            let read = Elements::read(&array.array, &piece.selected, progress)?;
            each(&read, elements(&piece.count)?)?;
            Ok(progress::report(progress, done)?)
        })
    })
}

fn raw(array: &ArrayNode, selected: &Selected, output: &mut Output) -> Result<()> {
    read(array, selected, &mut |elements, _| {
        match elements {
            Elements::Fixed(bytes, _) => output.write_all(bytes)?,
            Elements::Variable(values) => output.write_all(values.bytes())?,
        }
        Ok(())
    })
}

fn npy(array: &ArrayNode, selected: &Selected, output: &mut Output) -> Result<()> {
    let data_type = &array.array.metadata().data_type;
    if *data_type != DataType::String {
        output.write_all(&npy::header(data_type, &selected.shape())?)?;
        return raw(array, selected, output);
    }
    // NumPy strings have a fixed length here: that of the longest
    let mut longest = 1;
    read(array, selected, &mut |elements, count| {
        for n in 0..count {
            longest = longest.max(String::from_utf8_lossy(elements.get(n)).chars().count());
        }
        Ok(())
    })?;
    output.write_all(&npy::header(&DataType::FixedUtf32(longest), &selected.shape())?)?;
    let mut element = Vec::new();
    read(array, selected, &mut |elements, count| {
        for n in 0..count {
            element.clear();
            let text = String::from_utf8_lossy(elements.get(n));
            element.extend(text.chars().flat_map(|c| u32::from(c).to_ne_bytes()));
            if element.len() > longest * 4 {
                return Err(Failure::usage("the array was changed while it was read"));
            }
            element.resize(longest * 4, 0);
            output.write_all(&element)?;
        }
        Ok(())
    })
}

/// Products of the extents from each dimension on: where lists and rows begin.
fn strides(shape: &[u64]) -> Vec<u64> {
    let from = |d: usize| shape[d..].iter().fold(1u64, |n, &extent| n.saturating_mul(extent));
    (0..shape.len()).map(from).collect()
}

fn json(array: &ArrayNode, selected: &Selected, output: &mut Output) -> Result<()> {
    let shape = selected.shape();
    if let Some(d) = shape.iter().position(|&n| n == 0) {
        output.write_all(empty(&shape[..d])?.as_bytes())?;
        output.write_all(b"\n")?;
        return Ok(());
    }
    let strides = strides(&shape);
    let data_type = &array.array.metadata().data_type;
    let (mut at, mut text) = (0u64, String::new());
    read(array, selected, &mut |elements, count| {
        for n in 0..count {
            let opened = strides.iter().filter(|&&stride| at.is_multiple_of(stride)).count();
            if at > 0 {
                let closed = "]".repeat(opened);
                text.push_str(&closed);
                text.push_str(if opened > 0 { ",\n" } else { ", " });
            }
            text.push_str(&"[".repeat(opened));
            value::write(data_type, elements.get(n), Spelling::Json, &mut text)?;
            at += 1;
            if text.len() > 1 << 16 {
                output.write_all(text.as_bytes())?;
                text.clear();
            }
        }
        output.write_all(text.as_bytes())?;
        text.clear();
        Ok(())
    })?;
    writeln!(output, "{}", "]".repeat(shape.len()))?;
    Ok(())
}

/// The lists of a shape whose next extent is 0.
fn empty(shape: &[u64]) -> Result<String> {
    if strides(shape).first().is_some_and(|&lists| lists > 1 << 20) {
        return Err(Failure::usage(format!("{shape:?} empty lists are too many")));
    }
    let nest =
        |inner: String, &extent: &u64| format!("[{}]", vec![inner; extent as usize].join(", "));
    Ok(shape.iter().rev().fold("[]".into(), nest))
}

/// A line for each row of the last dimension, one for each element where there is but one
/// dimension; in text, an empty line between planes.
fn rows(
    array: &ArrayNode,
    selected: &Selected,
    how: Spelling,
    between: &str,
    output: &mut Output,
) -> Result<()> {
    let shape = selected.shape();
    let data_type = &array.array.metadata().data_type;
    if let (DataType::Struct(fields), Spelling::Csv, true) = (data_type, how, shape.len() < 2) {
        let names = fields.fields().iter().map(|field| field.name.as_str());
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        writeln!(output, "{}", names.join(","))?;
    }
    let row = if shape.len() < 2 { 1 } else { shape[shape.len() - 1].max(1) };
    let plane = match (how, shape.len()) {
        (Spelling::Text, 3..) => row.saturating_mul(shape[shape.len() - 2]).max(1),
        _ => u64::MAX,
    };
    let (mut at, mut text) = (0u64, String::new());
    read(array, selected, &mut |elements, count| {
        for n in 0..count {
            if at > 0 {
                let ends = at.is_multiple_of(row);
                text.push_str(if ends { "\n" } else { between });
                if at.is_multiple_of(plane) {
                    text.push('\n');
                }
            }
            value::write(data_type, elements.get(n), how, &mut text)?;
            at += 1;
            if text.len() > 1 << 16 {
                output.write_all(text.as_bytes())?;
                text.clear();
            }
        }
        output.write_all(text.as_bytes())?;
        text.clear();
        Ok(())
    })?;
    if at > 0 {
        output.write_all(b"\n")?;
    }
    Ok(())
}
