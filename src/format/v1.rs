//! Zarr v1: one array per store, described by `meta`, its attributes in `attrs`.
//! <https://zarr-specs.readthedocs.io/en/latest/v1/v1.0.html>
//!
//! Contrary to that text, zarr-python 1 used order F only for chunks compressed by Blosc; the
//! option `v1_writer_order` follows it. It wrote NaN as a bare word, and so does this library,
//! since v1 readers understand nothing else.

use super::json::{Object, configuration, document, list, quote, replace_member};
use super::{
    Change, Documents, Format, FormatEntry, FormatId, ImplicitGroups, Listing, NodeKind, Reading,
    check, fill, stages,
};
use crate::error::{Context, Error, Result};
use crate::metadata::{
    ArrayMetadata, Attributes, ChunkGrid, CodecSpec, DataType, Endian, KeyEncoding, NodeMetadata,
    NodePath, typestr, with_json,
};
use serde_json::{Map, Value, json};
use std::sync::Arc;

const ARRAY: &str = "meta";
const ATTRIBUTES: &str = "attrs";

/// The format.
struct V1 {
    reading: Reading,
}

/// The format's entry in the table.
pub(super) const ENTRY: FormatEntry = FormatEntry {
    id: FormatId::V1,
    root_documents: &[ARRAY],
    // any file may have that name; the parser reports broken documents
    recognise: |reading, text| {
        let member = b"\"zarr_format\"";
        let v1 = || -> super::SharedFormat { Arc::new(V1 { reading: *reading }) };
        Ok(text.windows(member.len()).any(|w| w == member).then(v1))
    },
    new: |reading| Arc::new(V1 { reading: *reading }),
    stands_alone: false,
    shown_by_nodes: false,
};

/// Each compression: name, numcodecs id, and the parameter that a plain number sets.
const COMPRESSIONS: [(&str, &str, Option<&str>); 5] = [
    ("blosc", "blosc", None),
    ("zlib", "zlib", Some("level")),
    ("gzip", "zlib", Some("level")), // an alias
    ("bz2", "bz2", Some("level")),
    ("lzma", "lzma", None),
];

/// The numbers that JSON cannot express.
const WORDS: [&str; 3] = ["NaN", "Infinity", "-Infinity"];

impl Format for V1 {
    fn id(&self) -> FormatId {
        FormatId::V1
    }

    fn is_synchronized(&self) -> bool {
        true
    }

    fn documents(&self, path: &NodePath) -> Vec<String> {
        if path.is_root() { vec![ARRAY.into()] } else { Vec::new() }
    }

    fn parse(&self, _: usize, document: &[u8]) -> Result<NodeMetadata> {
        let parse = |document: Object| self.parse_array(document);
        let array = with_json(document, |text| Object::parse(text).map(parse));
        let array = array.unwrap_or_else(|e| Err(Error::metadata(e.to_string()))).at(|| ARRAY)?;
        Ok(NodeMetadata::Array(Box::new(array)))
    }

    fn kind(&self, _: usize, _: &[u8]) -> Result<NodeKind> {
        Ok(NodeKind::Array)
    }

    fn attributes_of(&self, document: &[u8]) -> Result<Attributes> {
        Attributes::parse(document)
    }

    fn attributes_document(&self, _: &NodePath, _: NodeKind) -> String {
        ATTRIBUTES.into()
    }

    fn chunk_keys(&self, separator: Option<char>) -> KeyEncoding {
        KeyEncoding::V2(separator.unwrap_or('.'))
    }

    fn usual_compressor(&self) -> &'static str {
        "blosc"
    }

    fn check_new_path(&self, path: &NodePath) -> Result<()> {
        if path.is_root() {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "path \"{path}\": a store of Zarr v1 holds one array, at its root"
        )))
    }

    fn entry_document(&self) -> Option<(String, Vec<u8>)> {
        Some((ATTRIBUTES.into(), document([])))
    }

    fn emit(&self, _: &NodePath, node: &NodeMetadata) -> Result<Documents> {
        let NodeMetadata::Array(array) = node else {
            return Err(Error::unsupported("Zarr v1 has no groups: a store holds one array"));
        };
        let attributes = array.attributes.clone().unwrap_or_default();
        Ok(vec![
            (ATTRIBUTES.into(), emit_attributes(&attributes)),
            (ARRAY.into(), self.emit_array(array)?),
        ])
    }

    fn change(
        &self,
        _: &NodePath,
        _: NodeKind,
        change: Change<'_>,
        old: &mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<(String, Vec<u8>)> {
        let shape = match change {
            Change::Attributes(attributes) => {
                return Ok((ATTRIBUTES.into(), emit_attributes(attributes)));
            }
            Change::Shape(shape) => shape,
        };
        let text = old(ARRAY)?.ok_or_else(|| super::vanished(ARRAY))?;
        super::check_reshape(&text, shape).at(|| ARRAY)?;
        let mut text = replace_member(&text, "shape", &list(shape)).at(|| ARRAY)?;
        // a bare word was read as a string
        let fill = |text: &str| {
            Object::parse(text).map(|mut members| {
                let fill = members.take("fill_value")?;
                Ok(WORDS.into_iter().find(|word| fill == Some(&quote(word))))
            })
        };
        let fill = with_json(&text, fill).map_err(|e| Error::metadata(e.to_string()))?;
        if let Some(word) = fill? {
            text = replace_member(&text, "fill_value", word).at(|| ARRAY)?;
        }
        Ok((ARRAY.into(), text))
    }

    fn listed<'a>(&self, _: &'a str, _: bool) -> Listing<'a> {
        Listing::Nothing
    }

    fn implicit_groups(&self) -> ImplicitGroups {
        ImplicitGroups::Never
    }
}

fn emit_attributes(attributes: &Attributes) -> Vec<u8> {
    ascii(document(attributes.iter().map(|(name, value)| (name, value.to_owned()))))
}

/// Escapes a document to ASCII, which zarr-python requires: in JSON, other characters occur in
/// strings only.
fn ascii(document: Vec<u8>) -> Vec<u8> {
    if document.is_ascii() {
        return document;
    }
    let mut out = String::with_capacity(document.len() + 16);
    for c in String::from_utf8_lossy(&document).chars() {
        if c.is_ascii() {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out.into_bytes()
}

impl V1 {
    /// Whether the chunks are not in the order of the member `order`.
    fn ignores_order(&self, compressor: Option<&str>) -> bool {
        self.reading.v1_writer_order && compressor != Some("blosc")
    }

    /// Unknown members are ignored.
    fn parse_array(&self, mut document: Object) -> Result<ArrayMetadata> {
        match document.required("zarr_format")? {
            "1" => {}
            other => {
                return Err(Error::metadata(format!("zarr_format: expected 1, found {other}")));
            }
        }
        let shape: Vec<u64> = document.read_required("shape")?;
        let chunks: Vec<u64> = document.read_required("chunks")?;
        let (data_type, order) = typestr::parse_json(document.required("dtype")?).at(|| "dtype")?;
        let fill = document.required("fill_value")?;
        let fill_value =
            fill::parse(&data_type, order.unwrap_or(Endian::Little), fill, FormatId::V1.style())?;
        let fill_ambiguous = fill::is_ambiguous(&data_type, fill, FormatId::V1.style());
        let compression: Option<String> = document.read_required("compression")?;
        let options = document.take("compression_opts")?;
        let options = options.map(|text| configuration("compression_opts", text)).transpose()?;
        let compressor = compressor(compression.as_deref(), options)?;
        let layout = stages::layout("order", document.required("order")?, shape.len())?;
        let by_name = compressor.as_ref().map(|c| c.name.as_str());
        let mut codecs = Vec::new();
        codecs.extend(layout.filter(|_| !self.ignores_order(by_name)));
        stages::push(compressor.into_iter().collect(), &data_type, order, &mut codecs)?;
        let array = ArrayMetadata {
            chunk_grid: ChunkGrid::regular(chunks, shape.len()).at(|| "chunks")?,
            shape,
            data_type,
            fill_value,
            fill_ambiguous,
            chunk_keys: KeyEncoding::V2('.'),
            codecs,
            dimension_names: None,
            attributes: None,
        };
        check(&array)?;
        Ok(array)
    }

    fn emit_array(&self, array: &ArrayMetadata) -> Result<Vec<u8>> {
        check(array)?;
        let unsupported = |what: &str| Err(Error::unsupported(format!("Zarr v1 has no {what}")));
        if array.chunk_keys != KeyEncoding::V2('.') {
            return unsupported("chunk keys with a separator other than \".\"");
        }
        if array.dimension_names.iter().flatten().any(Option::is_some) {
            return unsupported("names of dimensions");
        }
        if matches!(array.data_type, DataType::BFloat16) {
            return unsupported("data type bfloat16");
        }
        let mut chain = stages::split(array, FormatId::V1)?;
        let compressor = chain.take_compressor();
        if !chain.stages.is_empty() {
            return unsupported("filters");
        }
        let (name, options) = match &compressor {
            None => ("none", Value::Null),
            Some(numcodec) => compression(numcodec)?,
        };
        if chain.memory_order == "F" && self.ignores_order(Some(name)) {
            return unsupported("order F without blosc (option v1_writer_order)");
        }
        Ok(ascii(document([
            ("zarr_format", "1".into()),
            ("shape", list(&array.shape)),
            ("chunks", list(array.chunk_grid.regular_shape()?)),
            ("dtype", typestr::to_json(&array.data_type, chain.order).at(|| "Zarr v1")?),
            ("compression", quote(name)),
            ("compression_opts", options.to_string()),
            ("fill_value", emit_fill(array, chain.order)?),
            ("order", quote(chain.memory_order)),
        ])))
    }
}

/// The compressor of a document, as a numcodecs codec.
fn compressor(name: Option<&str>, options: Option<Value>) -> Result<Option<CodecSpec>> {
    let Some(name) = name.filter(|n| *n != "none") else { return Ok(None) };
    let known = COMPRESSIONS.iter().find(|(v1, ..)| *v1 == name);
    let Some((_, id, parameter)) = known else {
        return Err(Error::unsupported(format!("compression {name:?} is not supported")));
    };
    let parameters = match (options, parameter) {
        (None | Some(Value::Null), _) => Map::new(),
        (Some(Value::Object(parameters)), _) => parameters,
        (Some(number), Some(parameter)) => Map::from_iter([((*parameter).into(), number)]),
        (Some(other), None) => {
            return Err(Error::metadata(format!("compression_opts: {other} is not an object")));
        }
    };
    Ok(Some(CodecSpec::new(*id, parameters)))
}

/// A numcodecs configuration as `compression` and `compression_opts`.
fn compression(numcodec: &Value) -> Result<(&'static str, Value)> {
    let id = numcodec["id"].as_str().unwrap_or_default();
    let Some((name, _, parameter)) = COMPRESSIONS.iter().find(|(_, known, _)| *known == id) else {
        return Err(Error::unsupported(format!("Zarr v1 has no codec {id:?}")));
    };
    let options = match parameter {
        Some(parameter) => numcodec[parameter].clone(),
        None if *name == "blosc" => {
            // v1 has no block size: blosc chooses it
            let member = |name: &str| numcodec[name].clone();
            if !matches!(member("blocksize").as_u64(), None | Some(0)) {
                return Err(Error::unsupported("Zarr v1 has no blocksize for blosc"));
            }
            json!({
                "cname": member("cname"), "clevel": member("clevel"), "shuffle": member("shuffle"),
            })
        }
        None => {
            let mut parameters = numcodec.as_object().cloned().unwrap_or_default();
            parameters.shift_remove("id");
            Value::Object(parameters)
        }
    };
    Ok((name, options))
}

/// v1 can express only numbers and text. Zero of any other type is written as null, which readers
/// take for zeros.
fn emit_fill(array: &ArrayMetadata, order: Endian) -> Result<String> {
    use DataType::*;
    let Some(element) = &array.fill_value else { return Ok("null".into()) };
    let wordless =
        matches!(array.data_type, Complex64 | Complex128 | Raw(_) | FixedBytes(_) | Struct(_));
    if wordless {
        return match element.is_zero() {
            true => Ok("null".into()),
            false => Err(Error::unsupported(format!(
                "Zarr v1 has no fill value but zero for {}",
                array.data_type.name()
            ))),
        };
    }
    let json = fill::to_json(&array.data_type, order, element, FormatId::V1.style())?;
    let word = json.trim_matches('"');
    let is_text = matches!(array.data_type, FixedUtf32(_));
    Ok(if WORDS.contains(&word) && !is_text { word.into() } else { json })
}
