//! Parses documents of the drafts into the model.

use super::{CodecForm, Draft, FILTERS, NUMPY_EXTENSIONS, check_version};
use crate::error::{Context, Error, Kind, Result};
use crate::format::json::{Object, configuration, read};
use crate::format::{check, codec_name, fill, object, separator, stages, type_name};
use crate::metadata::{
    ArrayMetadata, Attributes, ChunkGrid, CodecSpec, DataType, Endian, GroupMetadata, typestr,
    with_json,
};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

impl Draft {
    pub(super) fn read<T>(&self, text: &[u8], build: impl Fn(Object) -> Result<T>) -> Result<T> {
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
                "member {name:?} is unknown, and this draft does not allow readers to ignore it"
            ))),
            _ => Ok(()),
        }
    }

    pub(super) fn attributes(&self, document: &mut Object) -> Result<Attributes> {
        let mut attributes: Attributes = document.read("attributes")?.unwrap_or_default();
        if self.filters(&attributes)?.is_some() {
            attributes.remove(FILTERS);
        }
        Ok(attributes)
    }

    /// The filters among the attributes, and the JSON text of that attribute.
    pub(super) fn filters<'a>(
        &self,
        all: &'a Attributes,
    ) -> Result<Option<(Vec<CodecSpec>, &'a str)>> {
        let Some(text) =
            all.get(FILTERS).filter(|text| self.rules.filters && text.starts_with('['))
        else {
            return Ok(None);
        };
        let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(text) else { return Ok(None) };
        let filters: Result<Vec<CodecSpec>> =
            items.iter().map(|item| stages::numcodec(FILTERS, item.get())).collect();
        match filters {
            Ok(filters) if !filters.is_empty() => Ok(Some((filters, text))),
            Err(e) if e.kind() == Kind::OutOfMemory => Err(e),
            // the user has an attribute of that name
            _ => Ok(None),
        }
    }

    pub(super) fn parse_group(&self, mut document: Object) -> Result<GroupMetadata> {
        check_extensions(&mut document)?;
        let attributes = document.read("attributes")?.unwrap_or_default();
        self.finish(document)?;
        Ok(GroupMetadata { attributes: Some(attributes) })
    }

    pub(super) fn parse_array(&self, mut document: Object) -> Result<ArrayMetadata> {
        let rules = self.rules;
        check_extensions(&mut document)?;
        let shape: Vec<u64> = document.read_required("shape")?;
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
        let DataTypeRead { data_type, order, extension } =
            self.data_type(document.required("data_type")?, given.first()).at(|| "data_type")?;
        let (chunk_shape, between) =
            self.chunk_grid(document.required("chunk_grid")?).at(|| "chunk_grid")?;
        let mut chunk_grid = ChunkGrid::regular(chunk_shape, shape.len()).at(|| "chunk_grid")?;

        let mut codecs = Vec::new();
        let layout = document.required("chunk_memory_layout")?;
        if layout.starts_with('{') {
            return Err(Error::unsupported("chunk_memory_layout: this extension is not supported"));
        }
        let layout = stages::layout("chunk_memory_layout", layout, shape.len())?;
        codecs.extend(layout.filter(|_| !given.first().is_some_and(object::has_own_order)));
        given.extend(self.codecs(&mut document)?);
        let order = push(given, &data_type, order, &mut codecs)?;

        let fill = document.required("fill_value")?;
        if fill == "null" && !rules.null_fill && !extension {
            return Err(Error::metadata("fill_value is null"));
        }
        let stored = order.unwrap_or(Endian::Little);
        let fill_value = fill::parse(&data_type, stored, fill, rules.id.style())?;
        let fill_ambiguous = fill::is_ambiguous(&data_type, fill, rules.id.style());
        if let Some(transformers) =
            document.take("storage_transformers")?.filter(|_| rules.transformers)
            && let Some(per_shard) = sharding(transformers).at(|| "storage_transformers")?
        {
            let inner = chunk_grid.regular_shape()?.to_vec();
            if per_shard.len() != inner.len() {
                return Err(Error::metadata("chunks_per_shard: expected one number per dimension"));
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
            fill_ambiguous,
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

    /// `filter` is the array's first filter, which determines the type of objects.
    fn data_type(&self, text: &str, filter: Option<&CodecSpec>) -> Result<DataTypeRead> {
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
        // zarr-python writes no fallback, and NumPy's type string as the type
        if fallbacks.is_empty() || NUMPY_EXTENSIONS.iter().any(|(_, uri)| *uri == extension) {
            if object::is_object(spelt) && self.rules.filters {
                let data_type = object::data_type(filter)?;
                return Ok(DataTypeRead { data_type, order: None, extension: true });
            }
            if let Ok((data_type, order)) = typestr::parse_json(spelt) {
                return Ok(DataTypeRead { data_type, order, extension: true });
            }
        }
        let unknown =
            |what: String| Err(Error::unsupported(format!("extension {extension:?} {what}")));
        if fallbacks.is_empty() {
            return unknown("is not supported, and names no fallback type".into());
        }
        match fallbacks.iter().find_map(|name| core_type(name).ok()) {
            Some(_) if !self.reading.data_type_fallback => unknown(format!(
                "is not supported, and the option data_type_fallback forbids reading it as {}",
                fallbacks.join(", ")
            )),
            Some((data_type, order)) => Ok(DataTypeRead { data_type, order, extension: true }),
            None => unknown(format!(
                "is not supported, nor are its fallback types: {}",
                fallbacks.join(", ")
            )),
        }
    }

    /// The codecs of an array, by their numcodecs ids.
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
        super::super::check_count(texts.len()).at(|| self.rules.codecs)?;
        texts.into_iter().map(|text| codec(text.get()).at(|| self.rules.codecs)).collect()
    }
}

/// A parsed data type.
struct DataTypeRead {
    data_type: DataType,
    order: Option<Endian>,
    /// Whether it is an extension, or the fallback of one.
    extension: bool,
}

/// A data type of the drafts, in the spelling of any of them.
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

/// Fails if an extension must be understood: none is supported here.
pub(in crate::format) fn check_extensions(document: &mut Object) -> Result<()> {
    let extensions: Vec<&RawValue> = document.read("extensions")?.unwrap_or_default();
    for text in extensions {
        let mut extension: Object = read("extensions", text.get())?;
        let uri: String = extension.read_required("extension").at(|| "extensions")?;
        let must: bool = extension.read_required("must_understand").at(|| "extensions")?;
        if must {
            return Err(Error::unsupported(format!(
                "extension {uri:?} is required, and not supported"
            )));
        }
    }
    Ok(())
}

/// A codec: its URI in `codec` or `type`, its parameters in `configuration` or beside the URI.
fn codec(text: &str) -> Result<CodecSpec> {
    let mut object: Map<String, Value> = configuration("codec", text)?;
    let uri = ["codec", "type"].into_iter().find_map(|name| object.shift_remove(name));
    let Some(Value::String(uri)) = uri else {
        return Err(Error::metadata("a codec has no URI"));
    };
    let parameters = match object.shift_remove("configuration") {
        Some(Value::Object(parameters)) => parameters,
        Some(Value::Null) | None => object,
        Some(_) => return Err(Error::metadata(format!("{uri:?}: configuration is not an object"))),
    };
    Ok(CodecSpec::new(codec_name::from_uri(&uri), parameters))
}

/// Appends the codecs of an array to the chain. Returns the byte order, which a codec of its own
/// may determine.
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
        _ => return Err(Error::metadata("codec endian: expected endian little or big")),
    };
    codecs.extend(given);
    codecs.extend(after);
    Ok(Some(order))
}

/// The number of chunks per shard along each dimension; `None`: no sharding.
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
            "{kind:?} of {uri:?} is not supported: only a single \"indexed\" sharding is"
        )));
    }
    let mut configuration: Object = transformer.read_required("configuration")?;
    configuration.read_required("chunks_per_shard").map(Some)
}

/// The sharding codec for the shards of that storage transformer.
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
