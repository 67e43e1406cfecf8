//! Elements for the page: numbers as typed arrays of JavaScript, anything as text.

use super::{View, json, required};
use crate::failure::{Failure, Result};
use crate::pieces::{Elements, elements};
use crate::selection::Selected;
use crate::value::{self, Spelling};
use crate::web::{self, Request, Response};
use hyper::header::HeaderName;
use serde_json::json;
use zarrc::metadata::DataType;
use zarrc::progress::Progress;

/// The most numbers of an answer.
const NUMBERS: usize = 1 << 22;
/// The most texts of an answer.
const TEXTS: usize = 2000;
/// The most characters of a text.
const CHARACTERS: usize = 500;

/// The type of the numbers on the wire, which is little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wire {
    U8,
    F32,
    F64,
}

/// The smallest type that holds the numbers of a type exactly, as far as f64 does. Complex numbers
/// become their magnitude.
fn wire(data_type: &DataType) -> Wire {
    use DataType::*;
    match data_type {
        Bool | UInt8 => Wire::U8,
        Int8 | Int16 | UInt16 | Float16 | BFloat16 | SmallFloat(_) | Float32 => Wire::F32,
        complex if complex.part() == Some(Float32) => Wire::F32,
        _ => Wire::F64,
    }
}

/// Whether elements of a type can be drawn.
pub fn is_shown(data_type: &DataType) -> bool {
    as_reals(data_type).is_some()
}

/// The real type that the bytes of an element are read as, once or, for complex numbers, twice.
fn as_reals(data_type: &DataType) -> Option<(DataType, usize)> {
    match data_type {
        DataType::DateTime64(_) | DataType::TimeDelta64(_) => Some((DataType::Int64, 1)),
        _ => match data_type.part() {
            Some(part) => Some((part, 2)),
            None => value::real(data_type).map(|_| (data_type.clone(), 1)),
        },
    }
}

/// The numbers of elements; NaN for a time that is none.
fn numbers(data_type: &DataType, bytes: &[u8]) -> Result<Vec<f64>> {
    let refused = || Failure::usage(format!("{} is no number", data_type.name()));
    let (real, parts) = as_reals(data_type).ok_or_else(refused)?;
    let mut numbers = Vec::new();
    value::to_f64s(&real, bytes, &mut numbers)?.ok_or_else(refused)?;
    if parts == 2 {
        return Ok(numbers.chunks_exact(2).map(|part| part[0].hypot(part[1])).collect());
    }
    if real != *data_type {
        let none = i64::MIN as f64;
        numbers.iter_mut().filter(|number| **number == none).for_each(|number| *number = f64::NAN);
    }
    Ok(numbers)
}

/// Selected numbers: the type and the shape in headers, the numbers as the body.
pub fn data(view: &View, request: &Request) -> Result<Response> {
    let node = view.array(request)?;
    let array = &node.array;
    let selected = Selected::parse(&required(request, "sel")?, &array.shape())?;
    let shape = selected.shape();
    if elements(&shape)? > NUMBERS {
        return Err(Failure::usage(format!("{shape:?}: more than {NUMBERS} elements")));
    }
    let data_type = &array.metadata().data_type;
    if !is_shown(data_type) {
        return Err(Failure::usage(format!("{} is no number", data_type.name())));
    }
    let read = Elements::read(array, &selected, &Progress::new(&|_, _| true))?;
    let Elements::Fixed(bytes, _) = read else {
        return Err(Failure::usage(format!("{} is no number", data_type.name())));
    };
    let wire = wire(data_type);
    let body: Vec<u8> = match wire {
        Wire::U8 => bytes,
        Wire::F32 if *data_type == DataType::Float32 && cfg!(target_endian = "little") => bytes,
        Wire::F32 => {
            numbers(data_type, &bytes)?.iter().flat_map(|n| (*n as f32).to_le_bytes()).collect()
        }
        Wire::F64 => numbers(data_type, &bytes)?.iter().flat_map(|n| n.to_le_bytes()).collect(),
    };
    let mut response = web::content("application/octet-stream", body);
    let name = match wire {
        Wire::U8 => "u1",
        Wire::F32 => "f4",
        Wire::F64 => "f8",
    };
    web::set(&mut response, HeaderName::from_static("x-zarrc-type"), name);
    let extents: Vec<String> = shape.iter().map(u64::to_string).collect();
    let shape = web::made(extents.join(","));
    response.headers_mut().insert(HeaderName::from_static("x-zarrc-shape"), shape);
    Ok(response)
}

/// Selected elements as people read them.
pub fn text(view: &View, request: &Request) -> Result<Response> {
    let node = view.array(request)?;
    let array = &node.array;
    let selected = Selected::parse(&required(request, "sel")?, &array.shape())?;
    let shape = selected.shape();
    let count = elements(&shape)?;
    if count > TEXTS {
        return Err(Failure::usage(format!("{shape:?}: more than {TEXTS} elements")));
    }
    let read = Elements::read(array, &selected, &Progress::new(&|_, _| true))?;
    let mut texts = Vec::new();
    for n in 0..count {
        let mut text = String::new();
        let data_type = &array.metadata().data_type;
        value::write(data_type, read.get(n), Spelling::Text, &mut text)?;
        if let Some((at, _)) = text.char_indices().nth(CHARACTERS) {
            text.truncate(at);
            text.push('…');
        }
        texts.push(text);
    }
    Ok(json(&json!({ "shape": shape, "texts": texts })))
}
