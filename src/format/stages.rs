//! Shared by the formats that describe a chain like NumPy and numcodecs (v1, v2, the drafts of v3):
//! element order and byte order are members of the document, outside of the chain, which then
//! consists of numcodecs filters and compressors.

use super::FormatId;
use super::codec_name::{self, Role, Seen};
use super::json::configuration;
use super::object;
use crate::error::{Context, Error, Result};
use crate::metadata::{ArrayMetadata, CodecSpec, DataType, Endian, typestr};
use serde_json::{Map, Value, json};

/// The codec for an element order: `"C"` needs none, `"F"` reverses the dimensions.
pub(super) fn layout(member: &str, text: &str, rank: usize) -> Result<Option<CodecSpec>> {
    match text {
        "\"F\"" if rank > 1 => {
            let reversed: Vec<usize> = (0..rank).rev().collect();
            Ok(Some(codec("transpose", "order", json!(reversed))))
        }
        "\"C\"" | "\"F\"" => Ok(None),
        other => Err(Error::metadata(format!("{member}: expected \"C\" or \"F\", found {other}"))),
    }
}

/// A codec with one parameter.
pub(super) fn codec(name: &str, parameter: &str, value: Value) -> CodecSpec {
    let mut configuration = Map::new();
    configuration.insert(parameter.into(), value);
    CodecSpec::new(name, configuration)
}

/// `{"id": …, …}`.
pub(super) fn numcodec(member: &str, text: &str) -> Result<CodecSpec> {
    let mut parameters: Map<String, Value> = configuration(member, text)?;
    match parameters.shift_remove("id") {
        Some(Value::String(id)) => Ok(CodecSpec::new(id, parameters)),
        _ => Err(Error::metadata(format!("{member}: a codec has no \"id\""))),
    }
}

/// Appends filters and compressor, with "bytes" between array and bytes codecs.
pub(super) fn push(
    stages: Vec<CodecSpec>,
    data_type: &DataType,
    order: Option<Endian>,
    codecs: &mut Vec<CodecSpec>,
) -> Result<()> {
    let bytes = |order: Option<Endian>| match order {
        None => CodecSpec::new("bytes", Map::new()),
        Some(order) => codec("bytes", "endian", json!(order.name())),
    };
    let mut seen = (data_type.clone(), order);
    let mut still_array = true;
    for mut stage in stages {
        let role = codec_name::role_of(&stage.name);
        if role == Some(Role::ArrayToArray) && stage.name == "packbits" {
            stage.name = "numcodecs.packbits".into(); // v3's codec of that name differs
        }
        let after = match role {
            Some(Role::ArrayToArray) if still_array => after_filter(&stage, &seen)?,
            _ => None,
        };
        match after {
            Some(after) => seen = after,
            None if still_array && role == Some(Role::ArrayToBytes) => still_array = false,
            None => {
                if still_array {
                    codecs.push(bytes(seen.1));
                    still_array = false;
                }
                // netCDF-C writes 0 and shuffles by the type's size; numcodecs defaults to 4.
                if stage.name == "shuffle" {
                    let said = stage.configuration.entry("elementsize").or_insert(json!(4));
                    if *said == json!(0) {
                        *said = json!(data_type.size());
                    }
                }
            }
        }
        codecs.push(stage);
    }
    if still_array {
        codecs.push(bytes(seen.1));
    }
    Ok(())
}

/// An element type and its byte order.
type Stored = (DataType, Option<Endian>);

/// The output of a filter for elements of a type. numcodecs views its input through the type in the
/// filter's parameters. `None`: that type has another size or byte order, so the filter works on
/// bytes.
fn after_filter(filter: &CodecSpec, (data_type, order): &Stored) -> Result<Option<Stored>> {
    let id = codec_name::id(&filter.name);
    let (takes, gives) = codec_name::filter_types(id, &filter.configuration);
    let parse = |text| typestr::parse(text).at(|| format!("filter {id}"));
    if let Some((taken, other)) = takes.map(parse).transpose()? {
        let turned = other.zip(*order).is_some_and(|(other, order)| other != order);
        let ordered = taken.has_byte_order() && data_type.has_byte_order();
        if taken.size() != data_type.size() || (turned && ordered) {
            return Ok(None);
        }
    }
    let Some((given, stated)) = gives.map(parse).transpose()? else {
        return Ok(Some((data_type.clone(), *order)));
    };
    // "i4" has the byte order of the writer's machine: little-endian, almost certainly.
    let order = given.has_byte_order().then_some(stated.unwrap_or(Endian::Little));
    Ok(Some((given, order)))
}

/// A chain as numcodecs documents.
pub(super) struct Stages {
    /// "C" or "F".
    pub memory_order: &'static str,
    /// The byte order of elements.
    pub order: Endian,
    /// Filters and compressors in encoding order, each with an "id".
    pub stages: Vec<(Role, Value)>,
}

impl Stages {
    /// Removes what v2 calls the compressor: the last codec, if it accepts any bytes.
    pub fn take_compressor(&mut self) -> Option<Value> {
        let compresses = match self.stages.last()? {
            (Role::Compressor, _) => true,
            (Role::ArrayToBytes, stage) => {
                !stage["id"].as_str().is_some_and(object::is_codec_of_objects)
            }
            _ => false,
        };
        let (_, compressor) = self.stages.pop_if(|_| compresses)?;
        Some(compressor)
    }
}

/// Splits the chain of an array for `format`, whose only codecs are these.
pub(super) fn split(array: &ArrayMetadata, format: FormatId) -> Result<Stages> {
    split_chain(&array.codecs, &array.data_type, array.shape.len(), format)
}

/// The same for a chain on its own.
pub(super) fn split_chain(
    mut codecs: &[CodecSpec],
    data_type: &DataType,
    rank: usize,
    format: FormatId,
) -> Result<Stages> {
    let unsupported =
        |what: &str| Err(Error::unsupported(format!("{} has no {what}", format.name())));
    let mut memory_order = "C";
    while let Some((first, rest)) = codecs.split_first()
        && first.name == "transpose"
    {
        let order = first.configuration.get("order");
        let is = |wanted: Vec<usize>| order == Some(&json!(wanted));
        match memory_order {
            _ if order == Some(&json!("C")) || is((0..rank).collect()) => {}
            "C" if order == Some(&json!("F")) || is((0..rank).rev().collect()) => {
                memory_order = "F"
            }
            _ => return unsupported("transpose but the one that reverses all dimensions"),
        }
        codecs = rest;
    }

    // First find the byte order, which filters write into their types.
    let bytes = codecs.iter().position(|c| codec_name::id(&c.name) == "bytes");
    let endian = bytes.and_then(|at| codecs[at].configuration.get("endian"));
    let order = match endian.map(|e| e.as_str()) {
        None | Some(Some("little")) => Endian::Little,
        Some(Some("big")) => Endian::Big,
        Some(_) => return Err(Error::invalid("codec bytes: expected endian little or big")),
    };
    if has_bfloat16(data_type) && (order == Endian::Big || bytes.is_none()) {
        return unsupported("big-endian bfloat16");
    }

    let makes_bytes =
        |c: &CodecSpec| codec_name::role(codec_name::id(&c.name)) == Some(Role::ArrayToBytes);
    let to_bytes = bytes.or_else(|| codecs.iter().position(makes_bytes));
    let mut stages = Vec::new();
    let mut data_type = data_type.clone();
    for (n, codec) in codecs.iter().enumerate() {
        if Some(n) == bytes {
            continue;
        }
        let on_bytes = to_bytes.is_some_and(|at| n > at);
        let seen = if on_bytes { Seen::Bytes(&data_type) } else { Seen::Array(&mut data_type) };
        let (role, spelt) = codec_name::to_numcodecs(codec, seen, order, format)?;
        let takes_bytes = matches!(role, Role::Compressor | Role::BytesToBytes);
        if takes_bytes && to_bytes.is_some() && !on_bytes {
            return unsupported(&format!("codec {:?} at this place in the chain", codec.name));
        }
        stages.push((role, spelt));
    }
    Ok(Stages { memory_order, order, stages })
}

fn has_bfloat16(data_type: &DataType) -> bool {
    match data_type {
        DataType::BFloat16 => true,
        DataType::Struct(s) => s.fields().iter().any(|f| has_bfloat16(&f.data_type)),
        _ => false,
    }
}
