//! Fill values of variable-length elements: strings as JSON strings, bytes as Base64 (in v3 also a
//! list of numbers), runs as lists of their items, JSON unchanged.

use super::read::Reader;
use super::write::write;
use super::{BASE64, Style, string, wrong};
use crate::error::{Error, Result};
use crate::metadata::json;
use crate::metadata::{DataType, Endian};
use base64::Engine;
use serde_json::value::RawValue;

impl Reader {
    /// The bytes of one element.
    pub(super) fn variable(&self, data_type: &DataType, text: &str) -> Result<Box<[u8]>> {
        // zarr-python 2 writes this for an array of objects without a fill value
        let zero = self.style.v2 && text == "0";
        Ok(match data_type {
            DataType::Json => text.as_bytes().into(),
            _ if zero => Box::default(),
            DataType::String => match string(text) {
                Some(text) => text.into_bytes().into(),
                None => return wrong("is not a string"),
            },
            DataType::Bytes => self.any_bytes(text, true)?.into(),
            DataType::Ragged(_) if self.style.v2 && text == "\"\"" => Box::default(),
            DataType::Ragged(of) => {
                if !text.starts_with('[') {
                    return wrong("is not a list");
                }
                let items: Vec<&RawValue> = json::read("items", text)?;
                let mut run = vec![0; items.len() * of.size()];
                for (out, item) in run.chunks_exact_mut(of.size()).zip(items) {
                    self.put(of, item.get(), out)?;
                }
                run.into()
            }
            _ => return Err(Error::metadata("has a type of fixed size")),
        })
    }
}

/// The reverse; `null` if v2 cannot express it.
pub(super) fn variable_to_json(
    data_type: &DataType,
    element: &[u8],
    style: Style,
) -> Result<String> {
    let text = || {
        std::str::from_utf8(element)
            .map_err(|_| Error::invalid("the fill value is not text: it is not UTF-8"))
    };
    Ok(match data_type {
        DataType::String => json::quote(text()?),
        DataType::Json => text()?.to_owned(),
        DataType::Ragged(_) if element.is_empty() => "null".into(),
        DataType::Ragged(of) => {
            let items = element.chunks(of.size().max(1));
            let whole = |item: &[u8]| match item.len() == of.size() {
                true => write(of, Endian::NATIVE, item, style),
                false => Err(Error::invalid("the fill value ends within an item")),
            };
            json::list(items.map(whole).collect::<Result<Vec<_>>>()?)
        }
        _ => json::quote(&BASE64.encode(element)),
    })
}
