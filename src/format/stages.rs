//! What formats share that say a chain as NumPy and numcodecs do (v1, v2, the drafts of v3): the order
//! of elements in a chunk and of bytes in an element stand outside of the chain, which then is one of
//! numcodecs' filters and compressors.

use super::FormatId;
use super::codec_name::{self, Role};
use super::json::read;
use crate::error::{Context, Error, Result};
use crate::metadata::{ArrayMetadata, CodecSpec, DataType, Endian, typestr};
use serde_json::{Map, Value, json};

/// The codec that the order of elements is: `"C"` needs none, `"F"` reverses the dimensions.
pub(super) fn layout(member: &str, text: &str, rank: usize) -> Result<Option<CodecSpec>> {
    match text {
        "\"F\"" if rank > 1 => {
            let reversed: Vec<usize> = (0..rank).rev().collect();
            Ok(Some(codec("transpose", "order", json!(reversed))))
        }
        "\"C\"" | "\"F\"" => Ok(None),
        other => Err(Error::metadata(format!("{member}: {other} is neither \"C\" nor \"F\""))),
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
    let mut parameters: Map<String, Value> = read(member, text)?;
    match parameters.shift_remove("id") {
        Some(Value::String(id)) => Ok(CodecSpec::new(id, parameters)),
        _ => Err(Error::metadata(format!("{member}: a codec has no \"id\""))),
    }
}

/// Filters and compressor, with "bytes" where arrays end and bytes begin.
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
    let mut order = order;
    let mut still_array = true;
    for mut stage in stages {
        match codec_name::role(&stage.name) {
            Some(Role::ArrayToArray) if still_array => {
                order = order_after(&stage, order)?;
                if stage.name == "packbits" {
                    // v3 has another codec of that name.
                    stage.name = "numcodecs.packbits".into();
                }
            }
            Some(Role::ArrayToBytes) if still_array => still_array = false,
            _ => {
                if still_array {
                    codecs.push(bytes(order));
                    still_array = false;
                }
                // netCDF-C writes 0 and shuffles with the size of the type; numcodecs takes 4 where
                // nothing is said.
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
        codecs.push(bytes(order));
    }
    Ok(())
}

/// The order of the bytes that a filter gives. numcodecs looks at the bytes it gets through the
/// type in its parameters; one of another order would mix up the values.
fn order_after(filter: &CodecSpec, order: Option<Endian>) -> Result<Option<Endian>> {
    let (takes, gives) = codec_name::filter_types(&filter.name, &filter.configuration);
    if let (Some(takes), Some(order)) = (takes, order)
        && let (_, Some(other)) = typestr::parse(takes).at(|| format!("filter {}", filter.name))?
        && other != order
    {
        return Err(Error::unsupported(format!(
            "filter {}: reads the elements as {takes}, which is not their byte order",
            filter.name
        )));
    }
    let Some(gives) = gives else { return Ok(order) };
    let (given, stated) = typestr::parse(gives).at(|| format!("filter {}", filter.name))?;
    // "i4" is in the order of the machine it was written on: little-endian, almost certainly.
    Ok(stated.or(given.has_byte_order().then_some(Endian::Little)))
}

/// A chain in numcodecs' words.
pub(super) struct Stages {
    /// "C" or "F".
    pub memory_order: &'static str,
    /// The order of the bytes of an element.
    pub order: Endian,
    /// Filters and compressors in the order they run, with an "id" each.
    pub stages: Vec<(Role, Value)>,
}

impl Stages {
    /// Takes out what v2 calls the compressor: the last, if it makes bytes of all that comes.
    pub fn take_compressor(&mut self) -> Option<Value> {
        match self.stages.last() {
            Some((Role::Compressor | Role::ArrayToBytes, _)) => {
                self.stages.pop().map(|(_, compressor)| compressor)
            }
            _ => None,
        }
    }
}

/// Splits the chain of an array for `format`, which has no other codecs than these.
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

    // The byte order comes first: filters write it into their types.
    let bytes = codecs.iter().position(|c| codec_name::id(&c.name) == "bytes");
    let endian = bytes.and_then(|at| codecs[at].configuration.get("endian"));
    let order = match endian.map(|e| e.as_str()) {
        None | Some(Some("little")) => Endian::Little,
        Some(Some("big")) => Endian::Big,
        Some(_) => return Err(Error::invalid("codec bytes: endian is neither little nor big")),
    };
    if has_bfloat16(data_type) && (order == Endian::Big || bytes.is_none()) {
        return unsupported("big-endian bfloat16");
    }

    let mut stages = Vec::new();
    let mut data_type = data_type.clone();
    for (n, codec) in codecs.iter().enumerate() {
        if Some(n) == bytes {
            continue;
        }
        let (role, spelt) = codec_name::to_numcodecs(codec, &mut data_type, order, format)?;
        let on_array = matches!(role, Role::ArrayToArray | Role::ArrayToBytes);
        if on_array == bytes.is_some_and(|at| n > at) && role != Role::ArrayToBytes {
            return unsupported(&format!("codec {:?} in this place of the chain", codec.name));
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
