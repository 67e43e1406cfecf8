//! Attributes as JSON, and those that HDF5's dimension scales and netCDF-4 keep for themselves.
#![allow(unsafe_code)] // calls of libhdf5

use super::dataset::{each_variable, to_native};
use super::element::{Element, class, super_of};
use super::handle::{Id, path_of};
use super::library::Session;
use crate::error::{Error, Kind, Result};
use crate::metadata::fill::{self, Style};
use crate::metadata::{DataType, Endian, FillValue};
use serde_json::Value as Json;
use std::ffi::CString;

/// Bytes that the value of an attribute may have.
const MAX_BYTES: u64 = 16 << 20;

/// An attribute that is open.
pub struct Attribute {
    id: Id,
    file_type: Id,
    extents: Option<Vec<u64>>,
}

/// The value of an attribute.
pub struct Value {
    /// Its JSON text.
    pub json: String,
    /// What is lost, in words.
    pub notes: Vec<String>,
}

impl Attribute {
    fn open(s: &Session, object: &Id, name: &str) -> Result<Attribute> {
        let text = CString::new(name).map_err(|_| Error::unsupported("its name has a NUL"))?;
        let f = &s.lib.f;
        // SAFETY: an object and a text.
        unsafe {
            let id = Id::new(s, (f.H5Aopen)(object.raw(), text.as_ptr(), 0), "the attribute")?;
            let file_type = Id::new(s, (f.H5Aget_type)(id.raw()), "the attribute")?;
            let space = Id::new(s, (f.H5Aget_space)(id.raw()), "the attribute")?;
            let extents = space.extents(s)?;
            Ok(Attribute { id, file_type, extents })
        }
    }

    /// Calls `look` with the elements as libhdf5 reads them into memory, in words.
    fn with_elements<T>(
        &self,
        s: &Session,
        memory: &Id,
        size: usize,
        look: impl FnOnce(&mut [u64], usize) -> Result<T>,
    ) -> Result<T> {
        let extents = self.extents.as_deref().unwrap_or_default();
        let count = extents.iter().try_fold(1u64, |n, &extent| n.checked_mul(extent));
        let bytes = count.and_then(|n| n.checked_mul(size as u64)).filter(|&n| n <= MAX_BYTES);
        let bytes = bytes.ok_or_else(|| {
            Error::new(Kind::LimitExceeded, format!("it has more than {MAX_BYTES} bytes"))
        })? as usize;
        let mut words = vec![0u64; bytes.div_ceil(8).max(1)];
        let f = &s.lib.f;
        // SAFETY: the buffer has room for as many elements as there are.
        unsafe {
            let out = words.as_mut_ptr().cast();
            s.check((f.H5Aread)(self.id.raw(), memory.raw(), out), "the attribute")?;
            let result = look(&mut words, bytes);
            let space = Id::new(s, (f.H5Aget_space)(self.id.raw()), "the attribute")?;
            // what has nothing of variable length has nothing to be freed
            (f.H5Dvlen_reclaim)(memory.raw(), space.raw(), 0, words.as_mut_ptr().cast());
            result
        }
    }
}

/// The value of an attribute. [`Kind::Unsupported`]: JSON has nothing like it.
pub fn read(s: &Session, object: &Id, name: &str) -> Result<Value> {
    let attribute = Attribute::open(s, object, name)?;
    let element = Element::of(s, &attribute.file_type)?;
    let Some(mut extents) = attribute.extents.clone() else {
        // netCDF keeps the empty text so
        let text = matches!(element.data_type, DataType::String | DataType::FixedBytes(_));
        let json = if text { "\"\"" } else { "null" };
        return Ok(Value { json: json.to_owned(), notes: element.notes });
    };
    extents.extend(&element.extra);
    let size = element.size(s);
    let values = attribute.with_elements(s, &element.memory, size, |words, bytes| {
        let data_type = &element.data_type;
        match data_type {
            DataType::String => {
                Ok(each_variable(data_type, &words[..bytes / 8]).map(text).collect())
            }
            DataType::Ragged(of) => each_variable(data_type, &words[..bytes / 8])
                .map(|run| {
                    let mut run = run.to_vec();
                    swap(of, element.order, &mut run)?;
                    run.chunks_exact(of.size()).map(|e| json_of(of, e)).collect::<Result<_>>()
                })
                .map(|run: Result<Vec<Json>>| run.map(Json::from))
                .collect::<Result<Vec<Json>>>(),
            _ => {
                let mut all: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
                all.truncate(bytes);
                to_native(&element, &mut all)?;
                let size = data_type.size().max(1);
                all.chunks_exact(size).map(|e| json_of(data_type, e)).collect()
            }
        }
    })?;
    // a list of one number is how netCDF keeps a number
    if extents.len() == 1 && extents[0] == 1 {
        extents.clear();
    }
    let json = nested(&extents, &mut values.into_iter())?.to_string();
    Ok(Value { json, notes: element.notes })
}

fn swap(of: &DataType, order: Endian, elements: &mut [u8]) -> Result<()> {
    match of.swap(order) {
        crate::strided::Swap::None => Ok(()),
        swap => crate::strided::swap_in_place(elements, of.size(), &swap),
    }
}

/// Text as it is; what is no UTF-8 is taken for Latin-1.
fn text(bytes: &[u8]) -> Json {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into(),
    }
}

fn json_of(data_type: &DataType, element: &[u8]) -> Result<Json> {
    match data_type {
        DataType::FixedBytes(_) => {
            let end = element.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            // a NUL ends a text of C
            let end = element[..end].iter().position(|&byte| byte == 0).unwrap_or(end);
            Ok(text(&element[..end]))
        }
        DataType::Struct(fields) => {
            let member = |field: &crate::metadata::Field| {
                let bytes = &element[field.offset..field.offset + field.size];
                let size = field.data_type.size().max(1);
                let parts: Result<Vec<Json>> =
                    bytes.chunks_exact(size).map(|e| json_of(&field.data_type, e)).collect();
                let shape: Vec<u64> = field.shape.iter().map(|&n| n as u64).collect();
                Ok((field.name.clone(), nested(&shape, &mut parts?.into_iter())?))
            };
            Ok(Json::Object(fields.fields().iter().map(member).collect::<Result<_>>()?))
        }
        _ => {
            let json =
                fill::to_json(data_type, Endian::Little, &FillValue::new(element), Style::V2)?;
            crate::metadata::json::read("value", &json)
        }
    }
}

/// Values in C order as lists in lists.
fn nested(extents: &[u64], values: &mut dyn Iterator<Item = Json>) -> Result<Json> {
    match extents {
        [] => Ok(values.next().unwrap_or(Json::Null)),
        [count, below @ ..] => {
            let list: Result<Vec<Json>> = (0..*count).map(|_| nested(below, values)).collect();
            list.map(Json::from)
        }
    }
}

/// Attributes by which HDF5's dimension scales and netCDF-4 keep what is kept elsewhere here.
const HIDDEN: &[&str] = &[
    "DIMENSION_LIST",
    "DIMENSION_LABELS",
    "REFERENCE_LIST",
    "_NCProperties",
    "_Netcdf4Coordinates",
    "_Netcdf4Dimid",
    "_nc3_strict",
];

/// Whether an attribute says nothing that is not said elsewhere.
pub fn is_hidden(name: &str, scale: bool) -> bool {
    HIDDEN.contains(&name) || (scale && matches!(name, "CLASS" | "NAME"))
}

fn text_of(s: &Session, object: &Id, name: &str) -> Option<String> {
    let value = read(s, object, name).ok()?;
    serde_json::from_str(&value.json).ok()
}

/// Whether a dataset is a dimension scale.
pub fn is_scale(s: &Session, dataset: &Id) -> bool {
    text_of(s, dataset, "CLASS").is_some_and(|class| class == "DIMENSION_SCALE")
}

/// Whether a dimension scale is nothing but the extent of a dimension of netCDF's.
pub fn is_only_extent(s: &Session, dataset: &Id) -> bool {
    let name = text_of(s, dataset, "NAME");
    name.is_some_and(|n| n.starts_with("This is a netCDF dimension but not a netCDF variable"))
}

/// The names of the dimensions of a dataset of `rank` dimensions, as its scales have them, else its
/// labels; `own`: its name, should it be a scale itself.
pub fn dimension_names(
    s: &Session,
    dataset: &Id,
    rank: usize,
    own: Option<&str>,
) -> Vec<Option<String>> {
    if let (Some(own), 1) = (own, rank) {
        return vec![Some(own.to_owned())];
    }
    let name = |scale: &Id| {
        let path = path_of(s, scale).ok()?;
        path.rsplit('/').next().filter(|name| !name.is_empty()).map(str::to_owned)
    };
    let mut names = scales(s, dataset, rank, &name).unwrap_or_else(|_| vec![None; rank]);
    let labels = read(s, dataset, "DIMENSION_LABELS").ok();
    let labels = labels.and_then(|labels| serde_json::from_str::<Json>(&labels.json).ok());
    let labels = match labels {
        Some(Json::Array(labels)) => labels,
        Some(label) => vec![label],
        None => Vec::new(),
    };
    for (name, label) in names.iter_mut().zip(labels) {
        let label = label.as_str().filter(|label| !label.is_empty());
        *name = name.take().or_else(|| label.map(str::to_owned));
    }
    names
}

/// The longest extent along a scale, which the second argument looks up.
pub type Longest<'a> = dyn Fn(&Id, &dyn Fn() -> u64) -> Option<u64> + 'a;

/// The extents of the dimensions of a dataset of `rank` dimensions in netCDF's data model: the
/// longest of all datasets that share a scale, which `longest` may remember by the scale's address.
/// `is_scale`: whether the dataset is a scale itself.
pub fn dimension_extents(
    s: &Session,
    dataset: &Id,
    rank: usize,
    is_scale: bool,
    longest: &Longest<'_>,
) -> Vec<Option<u64>> {
    let extent = |scale: &Id| longest(scale, &|| longest_of(s, scale));
    match is_scale && rank == 1 {
        true => vec![extent(dataset)],
        false => scales(s, dataset, rank, &extent).unwrap_or_else(|_| vec![None; rank]),
    }
}

/// The longest extent of a scale and the datasets that it is attached to.
fn longest_of(s: &Session, scale: &Id) -> u64 {
    // SAFETY: a dataset.
    let extents = |dataset: &Id| unsafe {
        let space = Id::new(s, (s.lib.f.H5Dget_space)(dataset.raw()), "the dataspace").ok()?;
        space.extents(s).ok().flatten()
    };
    let own = extents(scale).and_then(|extents| extents.first().copied()).unwrap_or(0);
    let attached = || -> Result<u64> {
        let attribute = Attribute::open(s, scale, "REFERENCE_LIST")?;
        // SAFETY: a type.
        let size = unsafe { (s.lib.f.H5Tget_size)(attribute.file_type.raw()) };
        // a reference of 8 bytes and the number of a dimension
        if class(s, &attribute.file_type)? != 6 || size != 16 {
            return Ok(0);
        }
        attribute.with_elements(s, &attribute.file_type, size, |words, bytes| {
            let along = |words: &[u64]| {
                let [reference, dimension] = words else { return None };
                let dimension = u32::from_ne_bytes(dimension.to_ne_bytes()[..4].try_into().ok()?);
                // SAFETY: a reference to an object; 0: of that kind.
                let id = unsafe {
                    let reference = (&raw const *reference).cast();
                    (s.lib.f.H5Rdereference2)(scale.raw(), 0, 0, reference)
                };
                let dataset = Id::new(s, id, "a dataset").ok()?;
                extents(&dataset)?.get(dimension as usize).copied()
            };
            Ok(words[..bytes / 8].chunks_exact(2).filter_map(along).max().unwrap_or(0))
        })
    };
    attached().unwrap_or(0).max(own)
}

/// What `of` makes of the first scale of each dimension.
fn scales<T>(
    s: &Session,
    dataset: &Id,
    rank: usize,
    of: &dyn Fn(&Id) -> Option<T>,
) -> Result<Vec<Option<T>>> {
    let attribute = Attribute::open(s, dataset, "DIMENSION_LIST")?;
    let not_one = || Error::unsupported("the attribute DIMENSION_LIST is of another type");
    // a run of references for each dimension
    let is_list = class(s, &attribute.file_type)? == 9
        && is_reference(s, &super_of(s, &attribute.file_type)?)?
        && attribute.extents.as_deref() == Some(&[rank as u64]);
    if !is_list {
        return Err(not_one());
    }
    attribute.with_elements(s, &attribute.file_type, 16, |words, _| {
        let scale = |words: &[u64]| {
            let [len, run] = words else { return None };
            if *len == 0 || *run == 0 {
                return None;
            }
            // SAFETY: the first of a run of references to objects; 0: of that kind.
            let scale = unsafe {
                let reference = *run as *const std::ffi::c_void;
                (s.lib.f.H5Rdereference2)(dataset.raw(), 0, 0, reference)
            };
            of(&Id::new(s, scale, "a dimension scale").ok()?)
        };
        Ok(words.chunks_exact(2).map(scale).take(rank).collect())
    })
}

/// Whether a type is that of references to objects, as HDF5 has had them from the beginning.
fn is_reference(s: &Session, of: &Id) -> Result<bool> {
    // SAFETY: a type.
    Ok(class(s, of)? == 7 && unsafe { (s.lib.f.H5Tget_size)(of.raw()) } == 8)
}
