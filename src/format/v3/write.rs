//! Writes the model as documents.

use super::{SUFFIXED, from_text, order};
use crate::error::{Error, Result};
use crate::format::json::{Object, document, list, quote};
use crate::format::{FormatId, check, codec_name, fill, grid, type_name};
use crate::metadata::{
    ArrayMetadata, Attributes, DataType, GroupMetadata, KeyEncoding, bare_numbers, cf,
};
use std::borrow::Cow;

pub(super) fn emit_group(group: &GroupMetadata) -> Vec<u8> {
    let mut members = vec![("zarr_format", "3".into()), ("node_type", "\"group\"".into())];
    push_attributes(&mut members, group.attributes.as_ref());
    document(members)
}

fn push_attributes(members: &mut Vec<(&str, String)>, attributes: Option<&Attributes>) {
    if let Some(attributes) = attributes.filter(|a| !a.is_empty()) {
        // strict JSON, which all readers understand
        let text = bare_numbers::quoted(&attributes.to_json()).into_owned();
        members.push(("attributes", text));
    }
}

pub(super) fn emit_array(array: &ArrayMetadata) -> Result<Vec<u8>> {
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

/// The attributes, with CF's missing value in a spelling that lets xarray open the array: xarray
/// does not accept a JSON number for floats.
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

/// The same for the attributes in a change, unless the document already contains the value.
pub(super) fn code_changed_missing<'a>(
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
