//! What the drafts of Zarr v3 (2019, 2020, 2022) share: metadata and chunks below prefixes of their own,
//! a document each for arrays and groups, groups that need none, extensions that say whether they must
//! be understood, and codecs named by URIs. Where they differ, a draft says so in its [`Rules`].

use super::json::{Object, document, list, quote, read, replace_member};
use super::{
    Change, Docs, Documents, Format, FormatId, ImplicitGroups, Listing, NodeKind, Reading, check,
    codec_name, fill, separator, stages, type_name,
};
use crate::error::{Context, Error, Kind, Result};
use crate::metadata::{
    ArrayMetadata, Attributes, ChunkGrid, CodecSpec, DataType, Endian, GroupMetadata, KeyEncoding,
    NodeMetadata, NodePath, typestr, with_json,
};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// What tells one draft from the others.
pub(super) struct Rules {
    pub id: FormatId,
    /// Below this lie the documents, below that the chunks of the root.
    pub meta: &'static str,
    pub data: &'static str,
    /// What the documents of the root are called after a dot; `None`: after nothing at all.
    pub root_name: Option<&'static str>,
    /// The URI that every document has to carry, and no more than the store has to.
    pub mark: Option<&'static str>,
    /// What a codec's URI begins with, and what follows its name.
    pub codec_uri: (&'static str, &'static str),
    /// The member of an array that holds its codecs, a list or a single one.
    pub codecs: &'static str,
    pub codec_form: CodecForm,
    /// Between the numbers of a chunk key; `None`: the document has to say it.
    pub separator: Option<char>,
    pub chunk_keys: fn(char) -> KeyEncoding,
    /// Whether data types are named in words and the order of bytes is a codec.
    pub named_types: bool,
    /// Whether `fill_value` may be null.
    pub null_fill: bool,
    /// Whether a member that is not known is an error.
    pub strict: bool,
    /// Whether there may be storage transformers.
    pub transformers: bool,
    /// Whether numcodecs filters are kept among the attributes, as zarr-python did.
    pub filters: bool,
}

/// How a codec is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CodecForm {
    /// A list of `{"codec": URI, …parameters}`.
    Inline,
    /// One `{"codec": URI, "configuration": {…}}`, or nothing.
    Single,
    /// A list of `{"type": URI, "configuration": {…}}`.
    List,
}

/// A draft as one store uses it.
pub(super) struct Draft {
    pub rules: &'static Rules,
    /// What the names of documents end in.
    pub suffix: String,
    /// The document at the root, where the draft has one.
    pub entry: Option<(&'static str, Vec<u8>)>,
    pub reading: Reading,
}

const ARRAY: &str = "array";
const GROUP: &str = "group";
const FILTERS: &str = "filters";
/// The 2019 and 2020 texts bound names; a file system does for 2022.
const MAX_NAME: usize = 255;

impl Draft {
    fn key(&self, path: &NodePath, kind: &str) -> String {
        let Rules { meta, root_name, .. } = self.rules;
        let suffix = &self.suffix;
        match root_name {
            _ if !path.is_root() => {
                format!("{}{}.{kind}{suffix}", self.root_prefix(), path.as_str())
            }
            Some(name) => format!("{meta}/{name}.{kind}{suffix}"),
            None => format!("{meta}/{kind}{suffix}"),
        }
    }

    /// Where the documents of the children of the root begin.
    fn root_prefix(&self) -> String {
        let Rules { meta, root_name, .. } = self.rules;
        root_name.map_or_else(|| format!("{meta}/"), |name| format!("{meta}/{name}/"))
    }

    fn read<T>(&self, text: &[u8], build: impl Fn(Object) -> Result<T>) -> Result<T> {
        let marked = |mut document: Object| {
            if self.rules.mark.is_some() {
                let uri: String = document.read_required("zarr_format")?;
                check_version(&uri)?;
            }
            build(document)
        };
        with_json(text, |text| Object::parse(text).map(&marked))
            .map_err(|e| Error::metadata(e.to_string()))?
    }

    fn finish(&self, document: Object) -> Result<()> {
        match document.rest().next() {
            Some((name, _)) if self.rules.strict => Err(Error::unsupported(format!(
                "member {name:?} is not known here, and this draft lets none be ignored"
            ))),
            _ => Ok(()),
        }
    }

    fn attributes(&self, document: &mut Object) -> Result<Attributes> {
        let mut attributes: Attributes = document.read("attributes")?.unwrap_or_default();
        if self.filters(&attributes)?.is_some() {
            attributes.remove(FILTERS);
        }
        Ok(attributes)
    }

    /// The filters among the attributes, and their text.
    fn filters<'a>(&self, all: &'a Attributes) -> Result<Option<(Vec<CodecSpec>, &'a str)>> {
        let Some(text) =
            all.get(FILTERS).filter(|text| self.rules.filters && text.starts_with('['))
        else {
            return Ok(None);
        };
        let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(text) else { return Ok(None) };
        let filters: Result<Vec<CodecSpec>> =
            items.iter().map(|item| stages::numcodec(FILTERS, item.get())).collect();
        // a user may have an attribute of that name, too
        Ok(filters.ok().filter(|f| !f.is_empty()).map(|filters| (filters, text)))
    }

    fn parse_group(&self, mut document: Object) -> Result<GroupMetadata> {
        check_extensions(&mut document)?;
        let attributes = document.read("attributes")?.unwrap_or_default();
        self.finish(document)?;
        Ok(GroupMetadata { attributes: Some(attributes) })
    }

    fn parse_array(&self, mut document: Object) -> Result<ArrayMetadata> {
        let rules = self.rules;
        check_extensions(&mut document)?;
        let shape: Vec<u64> = document.read_required("shape")?;
        let DataTypeRead { data_type, order, extension } =
            self.data_type(document.required("data_type")?).at(|| "data_type")?;
        let (chunk_shape, between) =
            self.chunk_grid(document.required("chunk_grid")?).at(|| "chunk_grid")?;
        let mut chunk_grid = ChunkGrid::regular(chunk_shape, shape.len()).at(|| "chunk_grid")?;

        let mut codecs = Vec::new();
        let layout = document.required("chunk_memory_layout")?;
        if layout.starts_with('{') {
            return Err(Error::unsupported("chunk_memory_layout: this extension is not supported"));
        }
        codecs.extend(stages::layout("chunk_memory_layout", layout, shape.len())?);
        let all: Attributes = match document.take("attributes")? {
            Some(text) => read("attributes", text)?,
            None => Attributes::default(),
        };
        let mut attributes = all.clone();
        let mut given = Vec::new();
        if let Some((filters, _)) = self.filters(&all)? {
            given.extend(filters);
            attributes.remove(FILTERS);
        }
        given.extend(self.codecs(&mut document)?);
        let order = push(given, &data_type, order, &mut codecs)?;

        let fill = document.required("fill_value")?;
        if fill == "null" && !rules.null_fill && !extension {
            return Err(Error::metadata("fill_value is null"));
        }
        let stored = order.unwrap_or(Endian::Little);
        let fill_value = fill::parse(&data_type, stored, fill, rules.id)?;
        if let Some(transformers) =
            document.take("storage_transformers")?.filter(|_| rules.transformers)
            && let Some(per_shard) = sharding(transformers).at(|| "storage_transformers")?
        {
            let inner = chunk_grid.regular_shape()?.to_vec();
            if per_shard.len() != inner.len() {
                return Err(Error::metadata("chunks_per_shard has not the rank of the array"));
            }
            let outer: Option<Vec<u64>> =
                inner.iter().zip(&per_shard).map(|(chunk, n)| chunk.checked_mul(*n)).collect();
            let outer = outer.ok_or_else(|| Error::metadata("chunks_per_shard is too large"))?;
            chunk_grid = ChunkGrid::regular(outer, shape.len()).at(|| "chunks_per_shard")?;
            codecs = vec![sharded(&inner, &codecs)];
        }
        self.finish(document)?;
        let array = ArrayMetadata {
            shape,
            data_type,
            fill_value,
            chunk_grid,
            chunk_keys: (rules.chunk_keys)(between),
            codecs,
            dimension_names: None,
            attributes: Some(attributes),
        };
        check(&array)?;
        Ok(array)
    }

    fn chunk_grid(&self, text: &str) -> Result<(Vec<u64>, char)> {
        let mut grid: Object = read("the grid", text)?;
        let name: String = grid.read_required("type")?;
        if name != "regular" || grid.take("extension")?.is_some() {
            return Err(Error::unsupported(format!("the type {name:?} is not supported")));
        }
        let chunk_shape = grid.read_required("chunk_shape")?;
        let between: Option<String> = grid.read("separator")?;
        let between = match (between, self.rules.separator) {
            (Some(text), _) => separator("separator", &text)?,
            (None, Some(usual)) => usual,
            (None, None) => return Err(Error::metadata("member \"separator\" is missing")),
        };
        self.finish(grid)?;
        Ok((chunk_shape, between))
    }

    fn data_type(&self, text: &str) -> Result<DataTypeRead> {
        if !text.starts_with('{') {
            let name: String = read("the type", text)?;
            let (data_type, order) = core_type(&name)?;
            return Ok(DataTypeRead { data_type, order, extension: false });
        }
        let mut object: Object = read("the type", text)?;
        let extension: String = object.read_required("extension")?;
        let spelt = object.required("type")?;
        let fallbacks: Vec<String> = match object.take("fallback")? {
            None | Some("null") => Vec::new(),
            Some(list) if list.starts_with('[') => read("fallback", list)?,
            Some(one) => vec![read("fallback", one)?],
        };
        // zarr-python says no fallback, and NumPy's words as the type
        if fallbacks.is_empty() || NUMPY_EXTENSIONS.iter().any(|(_, uri)| *uri == extension) {
            if let Ok((data_type, order)) = typestr::parse_json(spelt) {
                return Ok(DataTypeRead { data_type, order, extension: true });
            }
        }
        let unknown =
            |what: String| Err(Error::unsupported(format!("extension {extension:?} {what}")));
        if fallbacks.is_empty() {
            return unknown("is not supported, and names no type to fall back to".into());
        }
        match fallbacks.iter().find_map(|name| core_type(name).ok()) {
            Some(_) if !self.reading.data_type_fallback => unknown(format!(
                "is not supported, and the option data_type_fallback forbids to read it as {}",
                fallbacks.join(", ")
            )),
            Some((data_type, order)) => Ok(DataTypeRead { data_type, order, extension: true }),
            None => unknown(format!(
                "is not supported, and neither are the types it falls back to: {}",
                fallbacks.join(", ")
            )),
        }
    }

    /// The codecs of an array, in numcodecs' words.
    fn codecs(&self, document: &mut Object) -> Result<Vec<CodecSpec>> {
        let Some(text) = document.take(self.rules.codecs)? else {
            return match self.rules.codec_form {
                CodecForm::Inline => {
                    Err(Error::metadata(format!("member {:?} is missing", self.rules.codecs)))
                }
                _ => Ok(Vec::new()),
            };
        };
        let texts: Vec<&RawValue> = match self.rules.codec_form {
            CodecForm::Single if text == "null" => Vec::new(),
            CodecForm::Single => vec![read(self.rules.codecs, text)?],
            _ => read(self.rules.codecs, text)?,
        };
        texts.into_iter().map(|text| codec(text.get()).at(|| self.rules.codecs)).collect()
    }

    fn emit_codec(&self, mut numcodec: Value) -> Value {
        let id = numcodec.as_object_mut().and_then(|o| o.shift_remove("id")).unwrap_or_default();
        let (before, after) = self.rules.codec_uri;
        let uri = format!("{before}{}{after}", id.as_str().unwrap_or_default());
        match self.rules.codec_form {
            CodecForm::Inline => {
                let mut members = Map::new();
                members.insert("codec".into(), json!(uri));
                members.extend(numcodec.as_object().cloned().unwrap_or_default());
                Value::Object(members)
            }
            CodecForm::Single => json!({"codec": uri, "configuration": numcodec}),
            CodecForm::List => json!({"type": uri, "configuration": numcodec}),
        }
    }

    fn emit_group(&self, group: &GroupMetadata) -> Vec<u8> {
        let attributes = group.attributes.clone().unwrap_or_default().to_json();
        let mut members = self.marks();
        members.push(("attributes", attributes));
        document(members)
    }

    /// What every document begins with.
    fn marks(&self) -> Vec<(&'static str, String)> {
        match self.rules.mark {
            Some(uri) => vec![("zarr_format", quote(uri)), ("extensions", "[]".into())],
            None => Vec::new(),
        }
    }

    fn emit_array(&self, array: &ArrayMetadata) -> Result<Vec<u8>> {
        check(array)?;
        let rules = self.rules;
        let unsupported =
            |what: &str| Err(Error::unsupported(format!("{} has no {what}", rules.id.name())));
        let between = match array.chunk_keys {
            KeyEncoding::V2(c) | KeyEncoding::Draft(c) | KeyEncoding::DraftWithZero(c)
                if (rules.chunk_keys)(c) == array.chunk_keys
                    || (rules.chunk_keys)(c).other_spelling(array.shape.len())
                        == Some(array.chunk_keys) =>
            {
                c
            }
            _ => return unsupported("chunk keys spelt as these are"),
        };
        if array.dimension_names.iter().flatten().any(Option::is_some) {
            return unsupported("names of dimensions");
        }
        let (inner, transformers, chain) = match &array.codecs[..] {
            [shard] if shard.name == "sharding_indexed" && rules.transformers => {
                let (inner, per_shard, chain) = self.unsharded(array, shard)?;
                (inner, Some(per_shard), chain)
            }
            chain => (array.chunk_grid.regular_shape()?.to_vec(), None, chain.to_vec()),
        };
        let mut chain = stages::split_chain(&chain, &array.data_type, array.shape.len(), rules.id)?;
        let order = chain.order;
        let data_type = self.emit_data_type(&array.data_type, order)?;
        let fill = match &array.fill_value {
            None if rules.null_fill => "null".into(),
            // what is undefined reads as zeros
            _ => fill::to_json(&array.data_type, order, &array.fill_element(), rules.id)?,
        };
        let mut attributes = array.attributes.clone().unwrap_or_default();
        if self.filters(&attributes)?.is_some() {
            return unsupported("attribute \"filters\" that looks like a list of codecs");
        }
        let codecs = match rules.codec_form {
            CodecForm::Single => {
                let compressor = chain.take_compressor();
                if !chain.stages.is_empty() {
                    if !rules.filters {
                        return unsupported("filters");
                    }
                    let filters = list(chain.stages.iter().map(|(_, stage)| stage));
                    attributes.set(FILTERS, &filters)?;
                }
                compressor.map(|c| self.emit_codec(c).to_string())
            }
            CodecForm::Inline => {
                Some(list(chain.stages.into_iter().map(|(_, stage)| self.emit_codec(stage))))
            }
            CodecForm::List => {
                let mut stages = chain.stages;
                if order == Endian::Big && array.data_type.has_byte_order() {
                    let after_filters = stages
                        .iter()
                        .position(|(role, _)| *role != codec_name::Role::ArrayToArray)
                        .unwrap_or(stages.len());
                    let endian = json!({"id": "endian", "endian": "big"});
                    stages.insert(after_filters, (codec_name::Role::BytesToBytes, endian));
                }
                Some(list(stages.into_iter().map(|(_, stage)| self.emit_codec(stage))))
            }
        };
        let grid = format!(
            "{{\"type\": \"regular\", \"chunk_shape\": {}, \"separator\": {}}}",
            list(inner),
            quote(&between.to_string())
        );
        let mut members = self.marks();
        members.extend([
            ("shape", list(&array.shape)),
            ("data_type", data_type),
            ("chunk_grid", grid),
            ("chunk_memory_layout", quote(chain.memory_order)),
            ("fill_value", fill),
        ]);
        if rules.mark.is_none() {
            members.push(("extensions", "[]".into()));
        }
        members.extend(codecs.map(|codecs| (rules.codecs, codecs)));
        members.extend(transformers.map(|per_shard| {
            let configuration = json!({ "chunks_per_shard": per_shard });
            let sharding = json!({
                "extension": SHARDING, "type": "indexed", "configuration": configuration,
            });
            ("storage_transformers", list([sharding]))
        }));
        members.push(("attributes", attributes.to_json()));
        Ok(document(members))
    }

    fn emit_data_type(&self, data_type: &DataType, order: Endian) -> Result<String> {
        use DataType::*;
        let named = self.rules.named_types;
        let complex = named || self.rules.mark.is_some();
        match data_type {
            Raw(n) if self.rules.mark.is_none() => return Ok(quote(&format!("r{}", n * 8))),
            Bool => return Ok(quote("bool")),
            Int8 | UInt8 | Int16 | UInt16 | Int32 | UInt32 | Int64 | UInt64 | Float16 | Float32
            | Float64 => {}
            Complex64 | Complex128 if complex => {}
            extension => return extension_json(extension, order, self.rules.id),
        }
        if named {
            return Ok(quote(&data_type.name()));
        }
        let text = typestr::typestr(data_type, order).unwrap_or_default();
        Ok(quote(text.trim_start_matches('|')))
    }

    /// The shape and the chain of inner chunks, and how many of them a shard has along each
    /// dimension, if that is a sharding that a storage transformer can do.
    fn unsharded(
        &self,
        array: &ArrayMetadata,
        shard: &CodecSpec,
    ) -> Result<(Vec<u64>, Vec<u64>, Vec<CodecSpec>)> {
        let invalid = |what: &str| Error::invalid(format!("codec sharding_indexed: {what}"));
        let member = |name: &str| shard.configuration.get(name);
        let inner = member("chunk_shape").and_then(Value::as_array);
        let inner: Option<Vec<u64>> =
            inner.and_then(|list| list.iter().map(Value::as_u64).collect());
        let inner = inner.ok_or_else(|| invalid("chunk_shape is not a list of numbers"))?;
        let chain = |name| -> Result<Vec<CodecSpec>> {
            let list = member(name).and_then(Value::as_array);
            let list = list.ok_or_else(|| invalid(&format!("{name} is not a list")))?;
            list.iter().map(CodecSpec::from_json).collect()
        };
        let plain = |index: &[CodecSpec]| match index {
            [bytes] => {
                codec_name::id(&bytes.name) == "bytes"
                    && bytes.configuration.get("endian").is_none_or(|e| e == "little")
            }
            _ => false,
        };
        if member("index_location").is_some_and(|l| l != "end") || !plain(&chain("index_codecs")?) {
            return Err(Error::unsupported(format!(
                "{} has no shards whose index has codecs or lies at the start",
                self.rules.id.name()
            )));
        }
        let outer = array.chunk_grid.regular_shape()?;
        if inner.len() != outer.len()
            || inner.iter().zip(outer).any(|(inner, outer)| *inner == 0 || outer % inner != 0)
        {
            return Err(invalid("chunk_shape does not divide the shape of the shards"));
        }
        let per_shard = inner.iter().zip(outer).map(|(inner, outer)| outer / inner).collect();
        Ok((inner, per_shard, chain("codecs")?))
    }
}

/// A data type as it was read.
struct DataTypeRead {
    data_type: DataType,
    order: Option<Endian>,
    /// Whether it is an extension, or what one falls back to.
    extension: bool,
}

/// The extensions that zarr-python wrote, by what they are for. Their `type` is NumPy's.
const NUMPY_EXTENSIONS: [(&str, &str); 6] = [
    (
        "c",
        "https://zarr-specs.readthedocs.io/en/core-protocol-v3.0-dev/protocol/extensions/complex-dtypes/v1.0.html",
    ),
    ("M", "https://zarr-specs.readthedocs.io/en/latest/extensions/data-types/datetime/v1.0.html"),
    ("S", "TODO: bytestring array protocol URL"),
    ("U", "TODO: unicode array protocol URL"),
    ("V", "TODO: structured array protocol URL"),
    ("O", "TODO: object array protocol URL"),
];

/// A type beyond those of the drafts, as zarr-python writes it; other readers are told to take it for
/// opaque bytes, or for the integers that times are.
fn extension_json(data_type: &DataType, order: Endian, id: FormatId) -> Result<String> {
    use DataType::*;
    let what = match data_type {
        Complex64 | Complex128 => "c",
        DateTime64(_) | TimeDelta64(_) => "M",
        FixedBytes(_) => "S",
        FixedUtf32(_) => "U",
        Struct(_) => "V",
        other => {
            let (format, name) = (id.name(), other.name());
            return Err(Error::unsupported(format!("{format} has no data type {name}")));
        }
    };
    let uri = NUMPY_EXTENSIONS.iter().find(|(w, _)| *w == what).map_or("", |(_, uri)| uri);
    let fallback = match (what, id, order) {
        ("M", FormatId::V3Draft2022, _) => quote("int64"),
        ("M", _, Endian::Little) => quote("<i8"),
        ("M", _, Endian::Big) => quote(">i8"),
        (_, FormatId::V3Draft2019, _) => "null".into(), // has no opaque bytes
        _ => quote(&format!("r{}", data_type.size() * 8)),
    };
    Ok(format!(
        "{{\"extension\": {}, \"type\": {}, \"fallback\": {fallback}}}",
        quote(uri),
        typestr::to_json(data_type, order).at(|| id.name())?
    ))
}

/// A data type of the drafts' own, in the words of any of them.
fn core_type(name: &str) -> Result<(DataType, Option<Endian>)> {
    use DataType::*;
    let (data_type, order) = match type_name::parse_name(name) {
        Some(known) => (known?, None),
        None => {
            let (data_type, order) = typestr::parse(name)?;
            if order.is_none() && data_type.has_byte_order() {
                return Err(Error::metadata(format!("{name:?} lacks its byte order")));
            }
            (data_type, order)
        }
    };
    match data_type {
        Bool | Int8 | UInt8 | Int16 | UInt16 | Int32 | UInt32 | Int64 | UInt64 | Float16
        | Float32 | Float64 | Complex64 | Complex128 | Raw(_) => Ok((data_type, order)),
        other => Err(Error::unsupported(format!("{} needs an extension", other.name()))),
    }
}

/// What `extensions` holds that is not known must be there to be ignored.
pub(super) fn check_extensions(document: &mut Object) -> Result<()> {
    let extensions: Vec<&RawValue> = document.read("extensions")?.unwrap_or_default();
    for text in extensions {
        let mut extension: Object = read("extensions", text.get())?;
        let uri: String = extension.read_required("extension").at(|| "extensions")?;
        let must: bool = extension.read_required("must_understand").at(|| "extensions")?;
        if must {
            return Err(Error::unsupported(format!(
                "extension {uri:?} must be understood to read this, and is not known here"
            )));
        }
    }
    Ok(())
}

/// A codec: its URI as `codec` or `type`, parameters in `configuration` or beside it.
fn codec(text: &str) -> Result<CodecSpec> {
    let mut object: Map<String, Value> = read("codec", text)?;
    let uri = ["codec", "type"].into_iter().find_map(|name| object.shift_remove(name));
    let Some(Value::String(uri)) = uri else {
        return Err(Error::metadata("a codec is named by no URI"));
    };
    let parameters = match object.shift_remove("configuration") {
        Some(Value::Object(parameters)) => parameters,
        Some(Value::Null) | None => object,
        Some(_) => return Err(Error::metadata(format!("{uri:?}: configuration is no object"))),
    };
    Ok(CodecSpec::new(codec_name::from_uri(&uri), parameters))
}

/// Puts the codecs of an array into the chain. A codec of its own may say the order of bytes, which
/// then is returned.
fn push(
    mut given: Vec<CodecSpec>,
    data_type: &DataType,
    order: Option<Endian>,
    codecs: &mut Vec<CodecSpec>,
) -> Result<Option<Endian>> {
    let Some(at) = given.iter().position(|c| codec_name::id(&c.name) == "bytes") else {
        let little = data_type.has_byte_order().then_some(Endian::Little);
        let order = order.or(little);
        stages::push(given, data_type, order, codecs)?;
        return Ok(order);
    };
    let mut after = given.split_off(at);
    after[0].name = "bytes".into();
    let order = match after[0].configuration.get("endian").and_then(Value::as_str) {
        Some("big") => Endian::Big,
        Some("little") => Endian::Little,
        _ => return Err(Error::metadata("codec endian: its endian is neither little nor big")),
    };
    codecs.extend(given);
    codecs.extend(after);
    Ok(Some(order))
}

const SHARDING: &str = "https://purl.org/zarr/spec/storage_transformers/sharding/1.0";

/// How many chunks a shard has along each dimension; `None`: there are no shards.
fn sharding(text: &str) -> Result<Option<Vec<u64>>> {
    let transformers: Vec<&RawValue> = read("the list", text)?;
    let (first, others) = match &transformers[..] {
        [] => return Ok(None),
        [first, others @ ..] => (first, others),
    };
    let mut transformer: Object = read("a transformer", first.get())?;
    let uri: String = transformer.read_required("extension")?;
    let kind: String = transformer.read_required("type")?;
    if !uri.contains("/storage_transformers/sharding") || kind != "indexed" || !others.is_empty() {
        return Err(Error::unsupported(format!(
            "{kind:?} of {uri:?} is not supported: only one \"indexed\" sharding is"
        )));
    }
    let mut configuration: Object = transformer.read_required("configuration")?;
    configuration.read_required("chunks_per_shard").map(Some)
}

/// Shards as that storage transformer makes them.
fn sharded(inner: &[u64], chain: &[CodecSpec]) -> CodecSpec {
    let codecs: Vec<Value> = chain.iter().map(codec_name::to_value).collect();
    let configuration = json!({
        "chunk_shape": inner,
        "codecs": codecs,
        "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        "index_location": "end",
    });
    CodecSpec::new("sharding_indexed", configuration.as_object().cloned().unwrap_or_default())
}

impl Format for Draft {
    fn id(&self) -> FormatId {
        self.rules.id
    }

    fn documents(&self, path: &NodePath) -> Vec<String> {
        [ARRAY, GROUP].map(|kind| self.key(path, kind)).into()
    }

    fn parse(&self, docs: &Docs) -> Result<Option<NodeMetadata>> {
        let [array, group] = &docs[..] else {
            return Err(Error::new(Kind::Internal, "the drafts have two documents a node"));
        };
        if let Some(text) = array {
            let array = self.read(text, |document| self.parse_array(document))?;
            return Ok(Some(NodeMetadata::Array(Box::new(array))));
        }
        let Some(text) = group else { return Ok(None) };
        let group = self.read(text, |document| self.parse_group(document))?;
        Ok(Some(NodeMetadata::Group(group)))
    }

    fn kind(&self, which: usize, _: &[u8]) -> Result<NodeKind> {
        Ok(if which == 0 { NodeKind::Array } else { NodeKind::Group })
    }

    fn attributes_of(&self, document: &[u8]) -> Result<Attributes> {
        self.read(document, |mut document| {
            let is_array = document.take("shape")?.is_some();
            match is_array {
                true => self.attributes(&mut document),
                false => Ok(document.read("attributes")?.unwrap_or_default()),
            }
        })
    }

    fn attributes_document(&self, path: &NodePath, kind: NodeKind) -> String {
        self.key(path, if kind == NodeKind::Array { ARRAY } else { GROUP })
    }

    fn chunk_keys(&self, separator: Option<char>) -> KeyEncoding {
        (self.rules.chunk_keys)(separator.or(self.rules.separator).unwrap_or('/'))
    }

    fn usual_compressor(&self) -> &'static str {
        "blosc"
    }

    fn shard_index_codecs(&self) -> &'static [&'static str] {
        &["bytes"]
    }

    fn chunk_prefix(&self, path: &NodePath) -> String {
        format!("{}/{}", self.rules.data, path.prefix())
    }

    fn check_new_path(&self, path: &NodePath) -> Result<()> {
        for name in path.as_str().split('/').filter(|_| !path.is_root()) {
            let known = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
            let why = match name {
                _ if !name.bytes().all(known) => "has characters other than a-z A-Z 0-9 - _ .",
                _ if name.bytes().all(|b| b == b'.') => "consists of periods only",
                _ if name.len() > MAX_NAME => "has more than 255 characters",
                _ => continue,
            };
            return Err(Error::invalid(format!("path \"{path}\": {name:?} {why}")));
        }
        Ok(())
    }

    fn entry_document(&self) -> Option<(String, Vec<u8>)> {
        self.entry.as_ref().map(|(key, document)| ((*key).to_owned(), document.clone()))
    }

    fn ancestors_need_documents(&self) -> bool {
        false
    }

    fn emit(&self, path: &NodePath, node: &NodeMetadata) -> Result<Documents> {
        Ok(vec![match node {
            NodeMetadata::Array(array) => (self.key(path, ARRAY), self.emit_array(array)?),
            NodeMetadata::Group(group) => (self.key(path, GROUP), self.emit_group(group)),
        }])
    }

    fn change(
        &self,
        path: &NodePath,
        kind: NodeKind,
        change: Change<'_>,
        old: &mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<(String, Vec<u8>)> {
        let key = self.attributes_document(path, kind);
        let text = match old(&key)? {
            Some(text) => text,
            // an implicit group comes to have a document
            None if kind == NodeKind::Group => self.emit_group(&GroupMetadata::default()),
            None => return Err(super::vanished(&key)),
        };
        let (name, json) = match change {
            Change::Attributes(attributes) => {
                let mut attributes = attributes.clone();
                if kind == NodeKind::Array {
                    let read = |mut d: Object| d.read("attributes");
                    let old: Attributes = self.read(&text, read)?.unwrap_or_default();
                    if let Some((_, filters)) = self.filters(&old)? {
                        attributes.set(FILTERS, filters)?;
                    }
                }
                ("attributes", attributes.to_json())
            }
            Change::Shape(shape) => {
                super::check_reshape(&text, shape)?;
                ("shape", list(shape))
            }
        };
        Ok((key, replace_member(&text, name, &json)?))
    }

    fn children_prefix(&self, path: &NodePath) -> String {
        self.root_prefix() + &path.prefix()
    }

    fn listed<'a>(&self, name: &'a str, prefix: bool) -> Listing<'a> {
        if prefix {
            return Listing::Implied(name);
        }
        let node = |kind: &str| {
            let name = name.strip_suffix(self.suffix.as_str())?.strip_suffix(kind)?;
            name.strip_suffix('.').filter(|name| !name.is_empty())
        };
        match (node(ARRAY), node(GROUP)) {
            (Some(name), _) => Listing::Node(name, NodeKind::Array),
            (_, Some(name)) => Listing::Node(name, NodeKind::Group),
            _ => Listing::Nothing,
        }
    }

    fn implicit_groups(&self) -> ImplicitGroups {
        match self.entry {
            Some(_) => ImplicitGroups::AboveNodesAndRoot,
            None => ImplicitGroups::AboveNodes,
        }
    }

    fn node_prefixes(&self, path: &NodePath) -> Vec<String> {
        vec![self.children_prefix(path), self.chunk_prefix(path)]
    }
}

/// The last segments of the URI of a version: whether it is a "protocol", and the major number.
/// `None`: it is no such URI.
pub(super) fn version(uri: &str) -> Option<(bool, &str)> {
    let mut segments = uri.trim_end_matches('/').rsplit('/');
    let (major, minor) = segments.next()?.split_once('.')?;
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !digits(major) || !digits(minor) || segments.next() != Some("core") {
        return None;
    }
    Some((segments.next() == Some("protocol"), major))
}

/// Any minor version of the third may be read.
pub(super) fn check_version(uri: &str) -> Result<()> {
    match version(uri) {
        Some((_, "3")) => Ok(()),
        Some((_, major)) => {
            Err(Error::unsupported(format!("zarr_format {uri:?}: major version {major}")))
        }
        None => Err(Error::unsupported(format!("zarr_format {uri:?} is no version of Zarr"))),
    }
}

/// What the names of documents end in, which a store may choose.
pub(super) fn check_suffix(suffix: &str) -> Result<()> {
    let good = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
    if suffix.bytes().all(good) && suffix.len() <= MAX_NAME {
        return Ok(());
    }
    Err(Error::metadata(format!("metadata_key_suffix {suffix:?} cannot be part of a key")))
}

/// The `zarr_format` of a document where it is a string, as at the root of a draft's store. Every
/// store of v3 is opened by asking this, so a glance has to do where it can: what a broken
/// document says is for its parser.
pub(super) fn version_uri(document: &[u8]) -> Option<String> {
    const MEMBER: &str = "\"zarr_format\"";
    let text = std::str::from_utf8(document).ok()?;
    let after = text[text.find(MEMBER)? + MEMBER.len()..].trim_start();
    if !after.strip_prefix(':')?.trim_start().starts_with('"') {
        return None;
    }
    Object::parse(text).ok()?.read("zarr_format").ok()?
}

#[cfg(test)]
mod tests;
