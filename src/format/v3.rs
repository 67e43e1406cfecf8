//! Zarr v3, the final specification (3.0 and 3.1): one `zarr.json` per node.
//! <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html>
//!
//! Strict where the specification is, except for what real writers are known to write:
//! a `fill_value` of null (zarrita) is undefined, what a chain of codecs lacks is completed
//! ([`complete`]), and the members of netCDF (`_nczarr_…`) and GDAL (`_CRS`) are left as they are.

use super::json::{Extension, Name, Object, document, list, quote, read, replace_member};
use super::{
    Change, Documents, Format, FormatEntry, FormatId, NodeKind, check, draft, fill, separator,
    type_name,
};
use super::{codec_name, grid};
use crate::error::{Context, Error, Result, did_you_mean};
use crate::metadata::{
    ArrayMetadata, Attributes, CodecKind, CodecSpec, DataType, Endian, FillValue, GroupMetadata,
    KeyEncoding, NodeMetadata, NodePath, Suffix, bare_numbers, cf, with_json,
};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

const DOCUMENT: &str = "zarr.json";
const CONSOLIDATED: &str = "consolidated_metadata";
/// What zarr-python writes into consolidated groups.
const NONE_BELOW: &str = r#"{"kind": "inline", "must_understand": false, "metadata": {}}"#;
/// zarrs' chunk keys with an ending.
const SUFFIXED: &str = "zarrs.default_suffix";

/// The format.
pub(super) struct V3;

/// Its place in the table.
pub(super) const ENTRY: FormatEntry = FormatEntry {
    id: FormatId::V3,
    root_documents: &[DOCUMENT],
    recognise: |_, document| match draft::version_uri(document) {
        None => Ok(Some(Arc::new(V3))),
        Some(_) => Ok(None),
    },
    new: |_| Arc::new(V3),
    stands_alone: true,
    shown_by_nodes: false,
};

impl Format for V3 {
    fn id(&self) -> FormatId {
        FormatId::V3
    }

    fn documents(&self, path: &NodePath) -> Vec<String> {
        vec![path.prefix() + DOCUMENT]
    }

    fn parse(&self, _: usize, document: &[u8]) -> Result<NodeMetadata> {
        from_text(document, |t| serde_json::from_str(t).map(parse_node)).at(|| DOCUMENT)
    }

    fn kind(&self, _: usize, document: &[u8]) -> Result<NodeKind> {
        let read = |mut node: Object| kind(node.required("node_type")?);
        from_text(document, |t| Object::parse(t).map(read)).at(|| DOCUMENT)
    }

    fn attributes_of(&self, document: &[u8]) -> Result<Attributes> {
        let read = |mut node: Object| node.read("attributes");
        let attributes: Option<Attributes> =
            from_text(document, |t| Object::parse(t).map(read)).at(|| DOCUMENT)?;
        Ok(attributes.unwrap_or_default())
    }

    fn attributes_document(&self, path: &NodePath, _: NodeKind) -> String {
        path.prefix() + DOCUMENT
    }

    fn names_dimensions(&self) -> bool {
        true
    }

    fn missing_value_json(&self, data_type: &DataType, element: &FillValue) -> Result<String> {
        cf::to_json(data_type, element, true)
    }

    fn chunk_keys(&self, separator: Option<char>) -> KeyEncoding {
        KeyEncoding::Default(separator.unwrap_or('/'))
    }

    fn check_new_path(&self, path: &NodePath) -> Result<()> {
        if path.is_root() {
            return Ok(());
        }
        for name in path.as_str().split('/') {
            let why = if name == DOCUMENT {
                "is reserved for a document"
            } else if name.bytes().all(|b| b == b'.') {
                "consists of periods only"
            } else if name.starts_with("__") {
                "begins with \"__\", which is reserved"
            } else {
                continue;
            };
            return Err(Error::invalid(format!("path \"{path}\": {name:?} {why}")));
        }
        Ok(())
    }

    fn emit(&self, path: &NodePath, node: &NodeMetadata) -> Result<Documents> {
        let text = match node {
            NodeMetadata::Group(group) => {
                let mut members =
                    vec![("zarr_format", "3".into()), ("node_type", "\"group\"".into())];
                push_attributes(&mut members, group.attributes.as_ref());
                document(members)
            }
            NodeMetadata::Array(array) => emit_array(array)?,
        };
        Ok(vec![(path.prefix() + DOCUMENT, text)])
    }

    fn change(
        &self,
        path: &NodePath,
        _kind: NodeKind,
        change: Change<'_>,
        old: &mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<(String, Vec<u8>)> {
        let key = path.prefix() + DOCUMENT;
        let text = old(&key)?.ok_or_else(|| super::vanished(&key))?;
        let changed = match change {
            Change::Attributes(attributes) => code_changed_missing(&text, attributes)
                .and_then(|attributes| replace_member(&text, "attributes", &attributes.to_json())),
            Change::Shape(shape) => reshape(&text, shape),
        };
        Ok((key, changed.at(|| DOCUMENT)?))
    }

    fn consolidated_document(&self, path: &NodePath) -> Option<String> {
        Some(path.prefix() + DOCUMENT)
    }

    fn parse_consolidated(&self, path: &NodePath, document: &[u8]) -> Result<Option<Documents>> {
        let collect = |group: Object| {
            let mut found = Vec::new();
            let any = collect_consolidated(path, group, 0, &mut found)?;
            Ok(any.then_some(found))
        };
        from_text(document, |t| Object::parse(t).map(collect)).at(|| DOCUMENT)
    }

    fn emit_consolidated(
        &self,
        path: &NodePath,
        documents: &[(String, Vec<u8>)],
        old: Option<&[u8]>,
    ) -> Result<Vec<u8>> {
        let own = path.prefix() + DOCUMENT;
        let old = old.ok_or_else(|| super::vanished(&own))?;
        let mut members = Vec::new();
        for (key, text) in documents.iter().filter(|(key, _)| *key != own) {
            let node = key.strip_prefix(&path.prefix()).unwrap_or(key);
            let node = node.strip_suffix("/zarr.json").unwrap_or(node);
            // what a group inside says of those below it would have to be kept up to date too
            let text = match self.kind(0, text) {
                Ok(NodeKind::Group) => Cow::from(replace_member(text, CONSOLIDATED, NONE_BELOW)?),
                _ => Cow::from(text),
            };
            members.push(format!("{}: {}", quote(node), super::compact(&text).at(|| key)?));
        }
        let metadata = format!(
            "{{\n    \"kind\": \"inline\",\n    \"must_understand\": false,\n    \"metadata\": {{\n      {}\n    }}\n  }}",
            members.join(",\n      ")
        );
        replace_member(old, CONSOLIDATED, &metadata).at(|| DOCUMENT)
    }
}

/// The members of a document, each read as far as it can be without the others: a store is
/// opened by reading this, so it is read once.
#[derive(Default)]
struct Document<'a> {
    zarr_format: Option<&'a RawValue>,
    node_type: Option<&'a RawValue>,
    attributes: Option<Attributes>,
    shape: Option<Vec<u64>>,
    data_type: Option<&'a RawValue>,
    chunk_grid: Option<Extension<'a>>,
    chunk_key_encoding: Option<Extension<'a>>,
    fill_value: Option<&'a RawValue>,
    codecs: Option<Vec<Extension<'a>>>,
    storage_transformers: Option<Vec<Extension<'a>>>,
    /// Null, which some write, is no names.
    dimension_names: Option<Option<Vec<Option<String>>>>,
    others: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Document<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Document<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut d = Document::default();
                while let Some(Name(name)) = map.next_key()? {
                    match &*name {
                        "zarr_format" => set(&mut d.zarr_format, &name, &mut map)?,
                        "node_type" => set(&mut d.node_type, &name, &mut map)?,
                        "attributes" => set(&mut d.attributes, &name, &mut map)?,
                        "shape" => set(&mut d.shape, &name, &mut map)?,
                        "data_type" => set(&mut d.data_type, &name, &mut map)?,
                        "chunk_grid" => set(&mut d.chunk_grid, &name, &mut map)?,
                        "chunk_key_encoding" => set(&mut d.chunk_key_encoding, &name, &mut map)?,
                        "fill_value" => set(&mut d.fill_value, &name, &mut map)?,
                        "codecs" => set(&mut d.codecs, &name, &mut map)?,
                        "storage_transformers" => {
                            set(&mut d.storage_transformers, &name, &mut map)?
                        }
                        "dimension_names" => set(&mut d.dimension_names, &name, &mut map)?,
                        _ => d.others.push((name, map.next_value()?)),
                    }
                }
                Ok(d)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// Reads a member, which may be there once.
fn set<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    member: &mut Option<T>,
    name: &str,
    map: &mut A,
) -> Result<(), A::Error> {
    let value = map.next_value().map_err(|e| A::Error::custom(format!("{name}: {e}")))?;
    match member.replace(value) {
        None => Ok(()),
        Some(_) => Err(A::Error::custom(format!("member {name:?} occurs twice"))),
    }
}

fn required<T>(member: Option<T>, name: &str) -> Result<T> {
    member.ok_or_else(|| Error::metadata(format!("member {name:?} is missing")))
}

fn from_text<T>(text: &[u8], parse: impl Fn(&str) -> serde_json::Result<Result<T>>) -> Result<T> {
    with_json(text, parse).map_err(|e| Error::metadata(e.to_string()))?
}

fn parse_node(document: Document) -> Result<NodeMetadata> {
    match required(document.zarr_format, "zarr_format")?.get() {
        "3" => {}
        uri if uri.starts_with('"') => {
            return Err(Error::unsupported(format!("zarr_format {uri} is a draft of Zarr v3")));
        }
        number if number.bytes().all(|b| b.is_ascii_digit()) => {
            return Err(Error::unsupported(format!("zarr_format {number} is not supported")));
        }
        other => return Err(Error::metadata(format!("zarr_format: expected 3, found {other}"))),
    }
    match kind(required(document.node_type, "node_type")?.get())? {
        NodeKind::Array => Ok(NodeMetadata::Array(Box::new(parse_array(document)?))),
        NodeKind::Group => parse_group(document).map(NodeMetadata::Group),
    }
}

fn kind(node_type: &str) -> Result<NodeKind> {
    match node_type {
        "\"array\"" => Ok(NodeKind::Array),
        "\"group\"" => Ok(NodeKind::Group),
        other => Err(Error::metadata(format!(
            "node_type: expected \"array\" or \"group\", found {other}"
        ))),
    }
}

#[cold]
fn unknown(name: &str) -> Error {
    Error::unsupported(format!("member {name:?} is unknown and lacks \"must_understand\": false"))
}

/// What is not known must be there to be ignored.
fn check_others(others: &[(Cow<str>, &RawValue)]) -> Result<()> {
    for (name, value) in others {
        let foreign = name == "_CRS" || name.to_ascii_lowercase().starts_with("_nczarr_");
        let ignorable = foreign
            || value.get().starts_with('{')
                && read::<Object>(name, value.get())?.take("must_understand")? == Some("false");
        if !ignorable {
            return Err(unknown(name));
        }
    }
    Ok(())
}

fn parse_group(mut document: Document) -> Result<GroupMetadata> {
    let of_arrays = [
        ("shape", document.shape.is_some()),
        ("data_type", document.data_type.is_some()),
        ("chunk_grid", document.chunk_grid.is_some()),
        ("chunk_key_encoding", document.chunk_key_encoding.is_some()),
        ("fill_value", document.fill_value.is_some()),
        ("codecs", document.codecs.is_some()),
        ("storage_transformers", document.storage_transformers.is_some()),
        ("dimension_names", document.dimension_names.is_some()),
    ];
    if let Some((name, _)) = of_arrays.iter().find(|(_, there)| *there) {
        return Err(unknown(name));
    }
    if let Some(at) = document.others.iter().position(|(name, _)| name == CONSOLIDATED) {
        let (_, value) = document.others.swap_remove(at);
        if let Some(consolidated) = consolidated(value.get())? {
            consolidated.check()?;
        }
    }
    check_others(&document.others)?;
    Ok(GroupMetadata { attributes: Some(document.attributes.unwrap_or_default()) })
}

fn parse_array(document: Document) -> Result<ArrayMetadata> {
    let shape = required(document.shape, "shape")?;
    let data_type = type_name::parse(required(document.data_type, "data_type")?.get())?;
    let chunk_grid = grid::parse(&required(document.chunk_grid, "chunk_grid")?, &shape)?;
    let chunk_keys = parse_keys(&required(document.chunk_key_encoding, "chunk_key_encoding")?)?;
    let fill = required(document.fill_value, "fill_value")?.get();
    // serde_json bounds how deep configurations nest, and with them shards within shards
    let codecs = document.codecs.unwrap_or_default();
    super::check_count(codecs.len()).at(|| "codecs")?;
    let codecs: Result<Vec<CodecSpec>> =
        codecs.into_iter().map(|codec| Ok(CodecSpec::new(&*codec.name, codec.values()?))).collect();
    let mut codecs = codecs.at(|| "codecs")?;
    complete(&mut codecs, &data_type)?;
    let fill_value = fill::parse(&data_type, order(&codecs), fill, FormatId::V3.style())?;
    let fill_ambiguous = fill::is_ambiguous(&data_type, fill, FormatId::V3.style());
    if let Some([Extension { name, .. }, ..]) = document.storage_transformers.as_deref() {
        return Err(Error::unsupported(format!("storage transformer {name:?} is not supported")));
    }
    check_others(&document.others)?;
    let array = ArrayMetadata {
        shape,
        data_type,
        fill_value,
        fill_ambiguous,
        chunk_grid,
        chunk_keys,
        codecs,
        dimension_names: document.dimension_names.flatten(),
        attributes: Some(document.attributes.unwrap_or_default()),
    };
    check(&array)?;
    Ok(array)
}

/// Writes out what writers leave to their readers, in the chain and in those of the chunks in a
/// shard: the codec that makes bytes (GDAL to 3.10, zarrita, zarr-js), which is little-endian
/// `bytes`; the byte order of structs (zarr-python) and UTF-32 (GDAL), likewise; and the codecs
/// of a shard's index (zarr-js).
fn complete(codecs: &mut Vec<CodecSpec>, data_type: &DataType) -> Result<()> {
    for codec in codecs.iter_mut() {
        match codec_name::id(&codec.name) {
            "bytes"
                if matches!(data_type, DataType::Struct(_) | DataType::FixedUtf32(_))
                    && data_type.has_byte_order() =>
            {
                codec.configuration.entry("endian").or_insert(json!("little"));
            }
            "sharding_indexed" => {
                let p = &mut codec.configuration;
                p.entry("index_codecs").or_insert(json!([
                    {"name": "bytes", "configuration": {"endian": "little"}},
                    {"name": "crc32c"},
                ]));
                let inner = p.entry("codecs").or_insert(json!([]));
                let Value::Array(list) = inner else { continue };
                let mut specs: Vec<CodecSpec> =
                    list.iter().map(CodecSpec::from_json).collect::<Result<_>>()?;
                complete(&mut specs, data_type)?;
                *list = specs.iter().map(codec_name::to_value).collect();
            }
            _ => {}
        }
    }
    let kinds: Option<Vec<CodecKind>> = codecs.iter().map(|c| codec_name::kind(&c.name)).collect();
    // past a codec that is not known, nothing can be said
    let Some(kinds) = kinds.filter(|_| !data_type.is_variable()) else { return Ok(()) };
    if !kinds.contains(&CodecKind::ArrayToBytes) {
        let arrays = kinds.iter().take_while(|&&kind| kind == CodecKind::ArrayToArray).count();
        let little = match data_type.has_byte_order() {
            true => json!({ "endian": "little" }),
            false => json!({}),
        };
        let configuration = little.as_object().cloned().unwrap_or_default();
        codecs.insert(arrays, CodecSpec::new("bytes", configuration));
    }
    Ok(())
}

/// The byte order that the chain stores in.
pub(super) fn order(codecs: &[CodecSpec]) -> Endian {
    for codec in codecs {
        match (codec_name::id(&codec.name), codec.configuration.get("endian")) {
            ("bytes", Some(Value::String(endian))) if endian == "big" => return Endian::Big,
            ("bytes", _) => return Endian::Little,
            ("sharding_indexed", _) => {
                let inner = codec.configuration.get("codecs").and_then(Value::as_array);
                let inner = inner.map(|list| list.iter().map(CodecSpec::from_json).collect());
                return match inner {
                    Some(Ok::<Vec<_>, Error>(inner)) => order(&inner),
                    _ => Endian::Little,
                };
            }
            _ => {}
        }
    }
    Endian::Little
}

/// The document of the array with another shape, and a chunk grid that covers it.
fn reshape(text: &[u8], shape: &[u64]) -> Result<Vec<u8>> {
    super::check_reshape(text, shape)?;
    let changed = replace_member(text, "shape", &list(shape))?;
    let grids = from_text(text, |text| {
        Object::parse(text).map(|mut document| {
            let Some(written) = document.read("chunk_grid")? else { return Ok(None) };
            let old = grid::parse(&written, &document.read_required::<Vec<u64>>("shape")?)?;
            Ok(Some((old.resized(shape)?, old)))
        })
    })?;
    match grids {
        Some((new, old)) if new != old => {
            replace_member(&changed, "chunk_grid", &grid::to_json(&new)?)
        }
        _ => Ok(changed),
    }
}

fn parse_keys(keys: &Extension) -> Result<KeyEncoding> {
    let usual = if keys.name == "v2" { "." } else { "/" };
    let parse = || -> Result<KeyEncoding> {
        let mut members = keys.members()?;
        let between: Option<String> = members.read("separator")?;
        let between = separator("separator", between.as_deref().unwrap_or(usual))?;
        let encoding = match &*keys.name {
            "default" => KeyEncoding::Default(between),
            "v2" => KeyEncoding::V2(between),
            SUFFIXED => {
                let text: String = members.read_required("suffix")?;
                let suffix = Suffix::new(&text);
                let unusable = || Error::unsupported(format!("suffix {text:?} is not supported"));
                KeyEncoding::Suffixed(between, suffix.ok_or_else(unusable)?)
            }
            name => {
                return Err(Error::unsupported(format!(
                    "{name:?} is not supported{}",
                    did_you_mean(name, ["default", "v2", SUFFIXED].into_iter())
                )));
            }
        };
        members.finish("configuration")?;
        Ok(encoding)
    };
    parse().at(|| "chunk_key_encoding")
}

/// What `consolidated_metadata` says about itself.
struct Consolidated<'a> {
    kind: String,
    must_understand: Option<bool>,
    metadata: Option<Object<'a>>,
}

impl Consolidated<'_> {
    fn check(&self) -> Result<()> {
        if self.kind != "inline" && self.must_understand != Some(false) {
            return Err(Error::unsupported(format!(
                "consolidated_metadata of kind {:?} is not supported",
                self.kind
            )));
        }
        Ok(())
    }
}

/// zarr-python 3.0.0 wrote null for none.
fn consolidated(text: &str) -> Result<Option<Consolidated<'_>>> {
    if text == "null" {
        return Ok(None);
    }
    let mut object: Object = read(CONSOLIDATED, text)?;
    let mut parse = || {
        Ok(Consolidated {
            kind: object.read_required("kind")?,
            must_understand: object.read("must_understand")?,
            metadata: object.read("metadata")?,
        })
    };
    parse().at(|| CONSOLIDATED).map(Some)
}

/// Consolidated groups may hold groups that are consolidated themselves; how deep is bounded.
const MAX_NESTED: usize = 16;

/// Whether the group has any.
fn collect_consolidated(
    path: &NodePath,
    mut group: Object,
    depth: usize,
    found: &mut Documents,
) -> Result<bool> {
    let Some(text) = group.take(CONSOLIDATED)? else { return Ok(false) };
    let Some(consolidated) = consolidated(text)? else { return Ok(false) };
    if consolidated.kind != "inline" {
        let kind = consolidated.kind;
        return Err(Error::unsupported(format!(
            "consolidated_metadata of kind {kind:?} is not supported"
        )));
    }
    if depth > MAX_NESTED {
        return Err(Error::metadata("consolidated_metadata nests too deep"));
    }
    let metadata = consolidated
        .metadata
        .ok_or_else(|| Error::metadata("consolidated_metadata: member \"metadata\" is missing"))?;
    for (relative, text) in metadata.rest() {
        let node = super::consolidated_node(path, relative, relative)?;
        if text.contains("\"consolidated_metadata\"") {
            collect_consolidated(&node, read(relative, text)?, depth + 1, found)?;
        }
        let text = bare_numbers::bare(text).into_owned();
        found.push((node.prefix() + DOCUMENT, text.into_bytes()));
    }
    Ok(true)
}

/// The attributes with CF's missing value spelt so that xarray opens the array: of floats it reads
/// no number there.
fn code_missing<'a>(
    attributes: &'a Attributes,
    data_type: &DataType,
) -> Result<Cow<'a, Attributes>> {
    let coded = attributes.get(cf::MISSING).and_then(|json| cf::code(data_type, json));
    let Some(coded) = coded else { return Ok(Cow::Borrowed(attributes)) };
    let mut attributes = attributes.clone();
    attributes.set(cf::MISSING, &coded)?;
    Ok(Cow::Owned(attributes))
}

/// The same for the attributes that come into a document, unless the value is there already.
fn code_changed_missing<'a>(
    document: &[u8],
    attributes: &'a Attributes,
) -> Result<Cow<'a, Attributes>> {
    let Some(missing) = attributes.get(cf::MISSING) else { return Ok(Cow::Borrowed(attributes)) };
    let data_type = from_text(document, |text| {
        Object::parse(text).map(|mut node| {
            let old: Option<Attributes> = node.read("attributes")?;
            let kept = old.is_some_and(|old| old.get(cf::MISSING) == Some(missing));
            Ok(node.take("data_type")?.filter(|_| !kept).and_then(|t| type_name::parse(t).ok()))
        })
    })?;
    data_type.map_or(Ok(Cow::Borrowed(attributes)), |t| code_missing(attributes, &t))
}

fn push_attributes(members: &mut Vec<(&str, String)>, attributes: Option<&Attributes>) {
    if let Some(attributes) = attributes.filter(|a| !a.is_empty()) {
        // strict JSON, which every reader of a new document understands
        let text = bare_numbers::quoted(&attributes.to_json()).into_owned();
        members.push(("attributes", text));
    }
}

fn emit_array(array: &ArrayMetadata) -> Result<Vec<u8>> {
    check(array)?;
    let (encoding, between, suffix) = match array.chunk_keys {
        KeyEncoding::Default(between) => ("default", between, None),
        KeyEncoding::V2(between) => ("v2", between, None),
        KeyEncoding::Suffixed(between, suffix) => (SUFFIXED, between, Some(suffix)),
        _ => return Err(Error::unsupported("Zarr v3 cannot express these chunk keys")),
    };
    let codecs = codec_name::to_v3(&array.codecs, &array.data_type, array.shape.len())?;
    let element = array
        .fill_value
        .as_ref()
        .ok_or_else(|| Error::unsupported("Zarr v3 has no undefined fill value (null): set one"))?;
    let order = order(&array.codecs);
    let fill = fill::to_json(&array.data_type, order, element, FormatId::V3.style())?;
    let mut keys = format!("\"separator\": {}", quote(&between.to_string()));
    if let Some(suffix) = suffix {
        keys += &format!(", \"suffix\": {}", quote(suffix.as_str()));
    }
    let mut members = vec![
        ("zarr_format", "3".into()),
        ("node_type", "\"array\"".into()),
        ("shape", list(&array.shape)),
        ("data_type", type_name::to_json(&array.data_type)?),
        ("chunk_grid", grid::to_json(&array.chunk_grid)?),
        (
            "chunk_key_encoding",
            format!("{{\"name\": \"{encoding}\", \"configuration\": {{{keys}}}}}"),
        ),
        ("fill_value", fill),
        ("codecs", list(codecs.iter().map(codec_name::to_value))),
    ];
    if let Some(names) = &array.dimension_names {
        let names = names.iter().map(|n| n.as_deref().map_or("null".into(), quote));
        members.push(("dimension_names", list(names)));
    }
    if let Some(attributes) = &array.attributes {
        push_attributes(&mut members, Some(&*code_missing(attributes, &array.data_type)?));
    }
    Ok(document(members))
}

#[cfg(test)]
mod tests;
