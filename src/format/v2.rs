//! Zarr v2: `.zarray`, `.zgroup` and `.zattrs` beside the chunks.
//! <https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html>
//!
//! What v2 says in its own way becomes codecs: `order: "F"` a "transpose", the byte order of the
//! type a "bytes" with that endian; filters and compressor follow under their numcodecs ids, those
//! that work on arrays before "bytes", the others after it. The first filter of an array of objects
//! stands in the place of "bytes".
//!
//! Names of dimensions are where xarray keeps them, in the attribute `_ARRAY_DIMENSIONS`.

use super::codec_name::{self, Role};
use super::json::{Object, document, list, quote, read, replace_member};
use super::{
    Change, Docs, Documents, Format, FormatEntry, FormatId, NodeKind, check, fill, object,
    separator,
};
use crate::error::{Context, Error, Kind, Result};
use crate::metadata::{
    ArrayMetadata, Attributes, ChunkGrid, CodecSpec, DataType, Endian, GroupMetadata, KeyEncoding,
    NodeMetadata, NodePath, typestr, with_json,
};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::sync::Arc;

const ARRAY: &str = ".zarray";
const GROUP: &str = ".zgroup";
const ATTRIBUTES: &str = ".zattrs";
const CONSOLIDATED: &str = ".zmetadata";
const DIMENSIONS: &str = "_ARRAY_DIMENSIONS";

/// The format.
pub(super) struct V2;

/// Its place in the table.
pub(super) const ENTRY: FormatEntry = FormatEntry {
    id: FormatId::V2,
    root_documents: &[ARRAY, GROUP, CONSOLIDATED],
    recognise: |_, _| Ok(Some(Arc::new(V2))),
    new: |_| Arc::new(V2),
    stands_alone: true,
    shown_by_nodes: false,
};

impl Format for V2 {
    fn id(&self) -> FormatId {
        FormatId::V2
    }

    fn documents(&self, path: &NodePath) -> Vec<String> {
        [ARRAY, GROUP].map(|name| path.prefix() + name).into()
    }

    fn parse(&self, docs: &Docs) -> Result<Option<NodeMetadata>> {
        let [array, group] = &docs[..] else {
            return Err(Error::new(Kind::Internal, "Zarr v2 has two documents a node"));
        };
        if let Some(text) = array {
            let array = parse_document(text, parse_array).at(|| ARRAY)?;
            return Ok(Some(NodeMetadata::Array(Box::new(array))));
        }
        if let Some(text) = group {
            parse_document(text, |mut group| check_version(&mut group)).at(|| GROUP)?;
            return Ok(Some(NodeMetadata::Group(GroupMetadata { attributes: None })));
        }
        Ok(None)
    }

    fn kind(&self, which: usize, _: &[u8]) -> Result<NodeKind> {
        Ok(if which == 0 { NodeKind::Array } else { NodeKind::Group })
    }

    fn attributes_of(&self, document: &[u8]) -> Result<Attributes> {
        Attributes::parse(document)
    }

    fn attributes_document(&self, path: &NodePath, _: NodeKind) -> String {
        path.prefix() + ATTRIBUTES
    }

    fn dimension_names(&self, attributes: &Attributes, rank: usize) -> Option<Vec<Option<String>>> {
        let names: Vec<Option<String>> = serde_json::from_str(attributes.get(DIMENSIONS)?).ok()?;
        (names.len() == rank).then_some(names)
    }

    fn chunk_keys(&self, separator: Option<char>) -> KeyEncoding {
        KeyEncoding::V2(separator.unwrap_or('.'))
    }

    fn check_new_path(&self, path: &NodePath) -> Result<()> {
        let reserved = [ARRAY, GROUP, ATTRIBUTES, CONSOLIDATED];
        match path.as_str().split('/').find(|segment| reserved.contains(segment)) {
            None => Ok(()),
            Some(name) => {
                Err(Error::invalid(format!("path \"{path}\": {name:?} is the name of a document")))
            }
        }
    }

    fn emit(&self, path: &NodePath, node: &NodeMetadata) -> Result<Documents> {
        let prefix = path.prefix();
        let (attributes, name, text) = match node {
            NodeMetadata::Group(group) => {
                let text = document([("zarr_format", "2".into())]);
                (group.attributes.clone().unwrap_or_default(), GROUP, text)
            }
            NodeMetadata::Array(array) => (all_attributes(array)?, ARRAY, emit_array(array)?),
        };
        let mut documents = Vec::new();
        if !attributes.is_empty() {
            documents.push((format!("{prefix}{ATTRIBUTES}"), emit_attributes(&attributes)));
        }
        documents.push((format!("{prefix}{name}"), text));
        Ok(documents)
    }

    fn change(
        &self,
        path: &NodePath,
        _kind: NodeKind,
        change: Change<'_>,
        old: &mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<(String, Vec<u8>)> {
        match change {
            Change::Attributes(attributes) => {
                Ok((path.prefix() + ATTRIBUTES, emit_attributes(attributes)))
            }
            Change::Shape(shape) => {
                let key = path.prefix() + ARRAY;
                let text = old(&key)?.ok_or_else(|| super::vanished(&key))?;
                super::check_reshape(&text, shape).at(|| ARRAY)?;
                let text = replace_member(&text, "shape", &list(shape)).at(|| ARRAY)?;
                Ok((key, text))
            }
        }
    }

    fn consolidated_document(&self, path: &NodePath) -> Option<String> {
        Some(path.prefix() + CONSOLIDATED)
    }

    fn parse_consolidated(&self, path: &NodePath, document: &[u8]) -> Result<Option<Documents>> {
        parse_document(document, |mut all| {
            let version: u64 = all.read_required("zarr_consolidated_format")?;
            if version != 1 {
                return Err(Error::unsupported(format!("zarr_consolidated_format {version}")));
            }
            let documents: Object = all.read_required("metadata")?;
            let mut found = Vec::new();
            for (key, text) in documents.rest() {
                let (node, name) = key.rsplit_once('/').unwrap_or(("", key));
                let node = super::consolidated_node(path, node, key)?;
                if [ARRAY, GROUP, ATTRIBUTES].contains(&name) {
                    found.push((node.prefix() + name, text.as_bytes().to_vec()));
                }
            }
            Ok(Some(found))
        })
        .at(|| CONSOLIDATED)
    }

    fn emit_consolidated(
        &self,
        path: &NodePath,
        documents: &[(String, Vec<u8>)],
        _old: Option<&[u8]>,
    ) -> Result<Vec<u8>> {
        let mut members = Vec::new();
        for (key, text) in documents {
            let key = key.strip_prefix(&path.prefix()).unwrap_or(key);
            members.push(format!("{}: {}", quote(key), super::compact(text).at(|| key)?));
        }
        let members = format!("{{\n    {}\n  }}", members.join(",\n    "));
        Ok(document([("zarr_consolidated_format", "1".into()), ("metadata", members)]))
    }
}

fn parse_document<T>(text: &[u8], build: impl Fn(Object) -> Result<T>) -> Result<T> {
    with_json(text, |text| Object::parse(text).map(&build))
        .map_err(|e| Error::metadata(e.to_string()))?
}

fn check_version(document: &mut Object) -> Result<()> {
    match document.required("zarr_format")? {
        "2" => Ok(()),
        other => Err(Error::metadata(format!("zarr_format: {other} is not 2"))),
    }
}

/// Members that are not known are ignored, as the specification says.
fn parse_array(mut document: Object) -> Result<ArrayMetadata> {
    check_version(&mut document)?;
    let shape: Vec<u64> = document.read_required("shape")?;
    let chunk_shape: Vec<u64> = document.read_required("chunks")?;
    // Some writers leave out what they do not use.
    let filters: Option<Vec<&RawValue>> = document.read("filters")?.flatten();
    let filters = filters.unwrap_or_default();
    let mut stages = Vec::with_capacity(filters.len() + 1);
    for filter in filters {
        stages.push(numcodec("filters", filter.get())?);
    }
    let dtype = document.required("dtype")?;
    let (data_type, order) = match object::is_object(dtype) {
        true => (object::data_type(stages.first())?, None),
        false => typestr::parse_json(dtype).at(|| "dtype")?,
    };
    let fill = document.required("fill_value")?;
    let stored = order.unwrap_or(Endian::Little);
    let fill_value = fill::parse(&data_type, stored, fill, FormatId::V2)?;

    let mut codecs = Vec::new();
    let own_order = stages.first().is_some_and(|first| object::has_own_order(&first.name));
    match document.required("order")? {
        "\"C\"" => {}
        "\"F\"" if shape.len() > 1 && !own_order => {
            let reversed: Vec<usize> = (0..shape.len()).rev().collect();
            codecs.push(codec("transpose", "order", json!(reversed)));
        }
        "\"F\"" => {}
        other => return Err(Error::metadata(format!("order: {other} is neither \"C\" nor \"F\""))),
    }
    match document.take("compressor")? {
        None | Some("null") => {}
        Some(compressor) => stages.push(numcodec("compressor", compressor)?),
    }
    push_stages(stages, &data_type, order, &mut codecs)?;

    let between: Option<String> = document.read("dimension_separator")?.flatten();
    let between = separator("dimension_separator", between.as_deref().unwrap_or("."))?;
    let array = ArrayMetadata {
        chunk_grid: ChunkGrid::regular(chunk_shape, shape.len()).at(|| "chunks")?,
        shape,
        data_type,
        fill_value,
        chunk_keys: KeyEncoding::V2(between),
        codecs,
        dimension_names: None,
        attributes: None,
    };
    check(&array)?;
    Ok(array)
}

fn codec(name: &str, parameter: &str, value: Value) -> CodecSpec {
    let mut configuration = Map::new();
    configuration.insert(parameter.into(), value);
    CodecSpec::new(name, configuration)
}

/// `{"id": …, …}`.
fn numcodec(member: &str, text: &str) -> Result<CodecSpec> {
    let mut parameters: Map<String, Value> = read(member, text)?;
    match parameters.shift_remove("id") {
        Some(Value::String(id)) => Ok(CodecSpec::new(id, parameters)),
        _ => Err(Error::metadata(format!("{member}: a codec has no \"id\""))),
    }
}

/// Filters and compressor, with "bytes" where arrays end and bytes begin.
fn push_stages(
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

/// The attributes of a new array, dimension names among them.
fn all_attributes(array: &ArrayMetadata) -> Result<Attributes> {
    let mut attributes = array.attributes.clone().unwrap_or_default();
    let Some(names) = &array.dimension_names else { return Ok(attributes) };
    let named: Option<Vec<String>> = names.iter().map(|n| n.as_deref().map(quote)).collect();
    match named {
        Some(named) => attributes.set(DIMENSIONS, &list(named))?,
        None if names.iter().all(Option::is_none) => {}
        None => {
            return Err(Error::unsupported(
                "Zarr v2 names all the dimensions of an array or none of them",
            ));
        }
    }
    Ok(attributes)
}

fn emit_attributes(attributes: &Attributes) -> Vec<u8> {
    document(attributes.iter().map(|(name, value)| (name, value.to_owned())))
}

fn emit_array(array: &ArrayMetadata) -> Result<Vec<u8>> {
    check(array)?;
    let unsupported = |what: &str| Err(Error::unsupported(format!("Zarr v2 has no {what}")));
    let KeyEncoding::V2(separator) = array.chunk_keys else {
        return unsupported("chunk keys but the numbers of the chunk in their order");
    };
    let rank = array.shape.len();

    let mut codecs = &array.codecs[..];
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
    if has_bfloat16(&array.data_type) && (order == Endian::Big || bytes.is_none()) {
        return unsupported("big-endian bfloat16");
    }

    let mut filters = Vec::new();
    let mut compressor = Value::Null;
    let mut data_type = array.data_type.clone();
    for (n, codec) in codecs.iter().enumerate() {
        if Some(n) == bytes {
            continue;
        }
        let spelt = codec_name::to_v2(codec, &mut data_type, order)?;
        let role = codec_name::role(codec_name::id(&codec.name));
        let on_array = matches!(role, Some(Role::ArrayToArray | Role::ArrayToBytes));
        if on_array == bytes.is_some_and(|at| n > at) && role != Some(Role::ArrayToBytes) {
            return unsupported(&format!("codec {:?} in this place of the chain", codec.name));
        }
        let compresses = match role {
            Some(Role::Compressor) => true,
            Some(Role::ArrayToBytes) => !array.data_type.is_variable(),
            _ => false,
        };
        if n + 1 == codecs.len() && compresses {
            compressor = spelt;
        } else {
            filters.push(spelt);
        }
    }

    let fill = match &array.fill_value {
        None => "null".into(),
        Some(element) => fill::to_json(&array.data_type, order, element, FormatId::V2)?,
    };
    let mut members = vec![
        ("zarr_format", "2".into()),
        ("shape", list(&array.shape)),
        ("chunks", list(array.chunk_grid.regular_shape()?)),
        ("dtype", typestr::to_json(&array.data_type, order).at(|| "Zarr v2")?),
        ("fill_value", fill),
        ("order", quote(memory_order)),
        ("filters", if filters.is_empty() { "null".into() } else { list(filters) }),
        ("compressor", compressor.to_string()),
    ];
    // Readers before zarr-python 2.8 do not know the member.
    if separator != '.' {
        members.push(("dimension_separator", quote(&separator.to_string())));
    }
    Ok(document(members))
}

fn has_bfloat16(data_type: &DataType) -> bool {
    match data_type {
        DataType::BFloat16 => true,
        DataType::Struct(s) => s.fields().iter().any(|f| has_bfloat16(&f.data_type)),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
