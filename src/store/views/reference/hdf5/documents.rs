//! Makes the Zarr v2 documents that describe a group or dataset of HDF5.

use crate::error::{Error, Kind, Result};
use crate::hdf5::{Filter, Id, Session, Storage, attribute};
use crate::metadata::fill::{self, Style};
use crate::metadata::{Attributes, DataType, FillValue, cf, typestr};
use serde_json::{Value, json};

/// The document of a group.
pub const GROUP: &str = "{\"zarr_format\": 2}";

/// The attribute in which xarray looks for dimension names.
const DIMENSIONS: &str = "_ARRAY_DIMENSIONS";

/// The attributes of an object, and which of them are lost.
pub struct Found {
    attributes: Attributes,
    pub losses: Vec<String>,
}

/// Reads the attributes of an object that Zarr can represent.
pub fn attributes(s: &Session, object: &Id, scale: bool) -> Result<Found> {
    let mut found = Found { attributes: Attributes::default(), losses: Vec::new() };
    for name in object.attribute_names(s)? {
        let shown = String::from_utf8_lossy(&name).into_owned();
        let Ok(name) = std::str::from_utf8(&name) else {
            found.losses.push(format!("attribute {shown:?} is left out: its name is no UTF-8"));
            continue;
        };
        if attribute::is_hidden(name, scale) {
            continue;
        }
        match attribute::read(s, object, name) {
            Ok(value) => {
                found.attributes.set(name, &value.json)?;
                let lost = value.notes.into_iter().map(|n| format!("attribute {name:?}: {n}"));
                found.losses.extend(lost);
            }
            Err(e) if e.kind() == Kind::OutOfMemory => return Err(e),
            Err(e) => found.losses.push(format!("attribute {name:?} is left out: {e}")),
        }
    }
    Ok(found)
}

fn text(attributes: &Attributes) -> Option<Vec<u8>> {
    (!attributes.is_empty()).then(|| attributes.to_json().into_bytes())
}

/// The attributes of a group; `None`: there are none.
pub fn of_group(s: &Session, group: &Id) -> Result<Option<Vec<u8>>> {
    Ok(text(&attributes(s, group, false)?.attributes))
}

/// The attributes of a dataset, with its dimension names; `own`: its own name, if it is a scale.
pub fn of_array(s: &Session, storage: &Storage, own: Option<&str>) -> Result<Option<Vec<u8>>> {
    let mut found = attributes(s, &storage.dataset, own.is_some())?.attributes;
    // v2 stores the missing value in the array's own document
    if says_missing(storage, missing(&storage.element.data_type, &found))? {
        found.remove(cf::MISSING);
    }
    let rank = storage.shape.len();
    let names = attribute::dimension_names(s, &storage.dataset, rank, own);
    if names.iter().any(Option::is_some) {
        let named = |(d, name): (usize, Option<String>)| {
            Value::from(name.unwrap_or_else(|| format!("dim_{d}")))
        };
        let names: Vec<Value> = names.into_iter().enumerate().map(named).collect();
        found.set(DIMENSIONS, &Value::from(names).to_string())?;
    }
    Ok(text(&found))
}

/// The CF missing value of a dataset.
fn missing(data_type: &DataType, attributes: &Attributes) -> Option<FillValue> {
    cf::from_json(data_type, attributes.get(cf::MISSING)?)
}

/// Whether the document's fill value can be the missing value: it is that already, or no reader
/// needs it because all chunks are stored.
fn says_missing(storage: &Storage, missing: Option<FillValue>) -> Result<bool> {
    Ok(missing.is_some() && (storage.fill == missing || storage.is_complete()?))
}

/// The document of a dataset.
pub fn array(s: &Session, storage: &Storage) -> Result<Vec<u8>> {
    let element = &storage.element;
    let data_type = &element.data_type;
    let attributes = attributes(s, &storage.dataset, false)?.attributes;
    let missing = missing(data_type, &attributes);
    // if all chunks are stored, readers would mistake a numeric fill value for a missing one
    let needless = storage.is_complete()? && data_type.number().is_some();
    let fill = match (says_missing(storage, missing.clone())?, needless) {
        (true, _) => missing,
        (false, true) => None,
        (false, false) => storage.fill.clone(),
    };
    let fill = match fill {
        Some(fill) if !data_type.is_variable() => {
            fill::to_json(data_type, element.order, &fill, Style::V2)?
        }
        _ => "null".to_owned(),
    };
    let (dtype, mut filters) = match data_type {
        DataType::String => ("\"|O\"".to_owned(), vec![json!({ "id": "vlen-utf8" })]),
        DataType::Ragged(of) => {
            let item = typestr::typestr(of, element.order);
            ("\"|O\"".to_owned(), vec![json!({ "id": "vlen-array", "dtype": item })])
        }
        fixed => (typestr::to_json(fixed, element.order)?, Vec::new()),
    };
    let mut compressor = Value::Null;
    if storage.is_plain()? {
        let lacking = || Error::new(Kind::Internal, "a filter without a codec");
        filters = codecs(storage).ok_or_else(lacking)?;
        let last = filters.last().and_then(|codec| codec["id"].as_str());
        if last.is_some_and(|id| ["zlib", "blosc", "zstd", "bz2"].contains(&id)) {
            compressor = filters.pop().unwrap_or_default();
        }
    }
    let filters = if filters.is_empty() { Value::Null } else { filters.into() };
    let members = [
        ("zarr_format", "2".to_owned()),
        ("shape", Value::from(storage.shape.clone()).to_string()),
        ("chunks", Value::from(storage.chunk.clone()).to_string()),
        ("dtype", dtype),
        ("fill_value", fill),
        ("order", "\"C\"".to_owned()),
        ("filters", filters.to_string()),
        ("compressor", compressor.to_string()),
    ];
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("{name:?}: {value}")).collect();
    Ok(format!("{{{}}}", members.join(", ")).into_bytes())
}

/// The numcodecs codecs that decode the filters of a dataset, in encoding order; `None`: a filter
/// has no codec.
pub fn codecs(storage: &Storage) -> Option<Vec<Value>> {
    let item = storage.element.data_type.size();
    storage.filters.iter().map(|filter| codec(filter, item)).collect()
}

fn codec(filter: &Filter, item: usize) -> Option<Value> {
    let parameter = |n: usize| filter.parameters.get(n).copied();
    Some(match filter.id {
        1 => json!({ "id": "zlib", "level": parameter(0).unwrap_or(1).min(9) }),
        2 => {
            let size = parameter(0).map_or(item, |size| size as usize);
            json!({ "id": "shuffle", "elementsize": size })
        }
        3 => json!({ "id": "fletcher32" }),
        307 => json!({ "id": "bz2", "level": parameter(0).unwrap_or(9).clamp(1, 9) }),
        32001 => {
            let names = ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"];
            let name = names.get(parameter(6).unwrap_or(0) as usize)?;
            let (level, shuffle) = (parameter(4).unwrap_or(5), parameter(5).unwrap_or(1));
            json!({
                "id": "blosc", "cname": name, "clevel": level.min(9), "shuffle": shuffle.min(2),
                "blocksize": 0,
            })
        }
        32015 => json!({ "id": "zstd", "level": parameter(0).unwrap_or(3).min(22) }),
        _ => return None,
    })
}
