//! Elements of variable length in v2 and in the formats before and after it: the data type is `|O`,
//! "object", and the first filter, which encodes the objects as bytes, determines their type.

use crate::error::{Context, Error, Result};
use crate::metadata::{CodecSpec, DataType, typestr};
use serde_json::Value;

/// Whether the JSON of a data type is the object type.
pub(super) fn is_object(dtype: &str) -> bool {
    matches!(dtype, "\"|O\"" | "\"|O8\"" | "\"O\"" | "\"|O4\"")
}

/// The type of the objects that the first filter, `first`, encodes.
pub(super) fn data_type(first: Option<&CodecSpec>) -> Result<DataType> {
    let Some(codec) = first else {
        return Err(Error::metadata(
            "dtype \"|O\" requires an object codec such as \"vlen-utf8\" as its first filter",
        ));
    };
    match super::codec_name::id(&codec.name) {
        "vlen-utf8" | "categorize" => Ok(DataType::String),
        "vlen-bytes" => Ok(DataType::Bytes),
        // a pickle could hold anything; its codec refuses to read it
        "json2" | "msgpack2" | "pickle" => Ok(DataType::Json),
        "vlen-array" => {
            let dtype = codec.configuration.get("dtype").and_then(Value::as_str);
            let dtype = dtype.ok_or_else(|| {
                Error::metadata("filter vlen-array: its parameter \"dtype\" is missing")
            })?;
            let (item, _) = typestr::parse(dtype).at(|| "filter vlen-array: dtype")?;
            Ok(DataType::Ragged(item.into()))
        }
        other => Err(Error::unsupported(format!(
            "dtype \"|O\" with the first filter {other:?}: expected \"vlen-utf8\", \"vlen-bytes\", \
             \"vlen-array\", \"json2\", \"msgpack2\" or \"categorize\""
        ))),
    }
}

/// Whether the codec's bytes contain the shape of their chunk, so that the `order` of the document
/// does not apply.
pub(super) fn has_own_order(codec: &CodecSpec) -> bool {
    matches!(super::codec_name::id(&codec.name), "json2" | "msgpack2" | "pickle")
}

/// Whether a codec encodes objects as bytes: it is then a filter, even if no compressor follows.
pub(super) fn is_codec_of_objects(id: &str) -> bool {
    ["vlen-utf8", "vlen-bytes", "vlen-array", "json2", "msgpack2", "pickle", "categorize"]
        .contains(&id)
}

/// Parses the short name of a data type of variable length: "vlen-utf8", "vlen-bytes", "json",
/// "vlen-array:<f8". `None`: it is none.
pub(super) fn parse_name(
    text: &str,
) -> Option<Result<(DataType, Option<crate::metadata::Endian>)>> {
    match text {
        "vlen-utf8" => Some(Ok((DataType::String, None))),
        "vlen-bytes" => Some(Ok((DataType::Bytes, None))),
        "json" => Some(Ok((DataType::Json, None))),
        _ => {
            let item = typestr::parse(text.strip_prefix("vlen-array:")?);
            Some(item.map(|(item, order)| (DataType::Ragged(item.into()), order)))
        }
    }
}
