//! Writes the model as documents of the drafts.

use super::{CodecForm, Draft, FILTERS, NUMPY_EXTENSIONS, SHARDING};
use crate::error::{Context, Error, Result};
use crate::format::json::{document, list, quote};
use crate::format::{FormatId, check, codec_name, fill, stages};
use crate::metadata::{
    ArrayMetadata, CodecSpec, DataType, Endian, GroupMetadata, KeyEncoding, typestr,
};
use serde_json::{Map, Value, json};

impl Draft {
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

    pub(super) fn emit_group(&self, group: &GroupMetadata) -> Vec<u8> {
        let attributes = group.attributes.clone().unwrap_or_default().to_json();
        let mut members = self.marks();
        members.push(("attributes", attributes));
        document(members)
    }

    /// The first members of every document.
    fn marks(&self) -> Vec<(&'static str, String)> {
        match self.rules.mark {
            Some(uri) => vec![("zarr_format", quote(uri)), ("extensions", "[]".into())],
            None => Vec::new(),
        }
    }

    pub(super) fn emit_array(&self, array: &ArrayMetadata) -> Result<Vec<u8>> {
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
            _ => return unsupported("this spelling of chunk keys"),
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
            None => return unsupported("undefined fill value (null)"),
            Some(element) => fill::to_json(&array.data_type, order, element, rules.id.style())?,
        };
        let mut attributes = array.attributes.clone().unwrap_or_default();
        if self.filters(&attributes)?.is_some() {
            return unsupported("attribute \"filters\" that resembles a list of codecs");
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

    /// The shape of inner chunks, their number per shard along each dimension, and their codec
    /// chain, if a storage transformer can express that sharding.
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
                "{} cannot express shards whose index has codecs or lies at the start",
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

/// A type that the drafts lack, as zarr-python writes it; the fallback for other readers is opaque
/// bytes, or integers for times.
fn extension_json(data_type: &DataType, order: Endian, id: FormatId) -> Result<String> {
    use DataType::*;
    let what = match data_type {
        Complex64 | Complex128 => "c",
        DateTime64(_) | TimeDelta64(_) => "M",
        FixedBytes(_) => "S",
        FixedUtf32(_) => "U",
        Struct(_) => "V",
        // the filters determine the type of objects
        objects if objects.is_variable() && id == FormatId::V3Draft2020 => "O",
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
        ("O", ..) => "null".into(),
        _ => quote(&format!("r{}", data_type.size() * 8)),
    };
    Ok(format!(
        "{{\"extension\": {}, \"type\": {}, \"fallback\": {fallback}}}",
        quote(uri),
        typestr::to_json(data_type, order).at(|| id.name())?
    ))
}
