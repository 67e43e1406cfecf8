//! The draft of Zarr v3 of May 2022, the last before the final text: types have names, the byte
//! order is a codec, and readers refuse unknown members.

use super::draft::{self, CodecForm, Draft, Rules};
use super::json::{Object, document, quote};
use super::{FormatEntry, FormatId, Reading, SharedFormat};
use crate::error::{Context, Error, Result};
use crate::metadata::{KeyEncoding, with_json};
use std::sync::Arc;

const ENTRY_POINT: &str = "zarr.json";
const CORE: &str = "https://purl.org/zarr/spec/core/3.0";
const SUFFIX: &str = ".json";

const RULES: Rules = Rules {
    id: FormatId::V3Draft2022,
    meta: "meta",
    data: "data",
    root_name: None,
    mark: None,
    codec_uri: ("https://purl.org/zarr/spec/codecs/", "/1.0"),
    codecs: "codecs",
    codec_form: CodecForm::List,
    separator: None,
    chunk_keys: KeyEncoding::Draft,
    named_types: true,
    null_fill: false,
    strict: true,
    transformers: true,
    filters: false,
};

/// The format's entry in the table.
pub(super) const ENTRY: FormatEntry = FormatEntry {
    id: FormatId::V3Draft2022,
    root_documents: &[ENTRY_POINT],
    // the last format to check this key: it refuses unknown versions
    recognise: |reading, text| match draft::version_uri(text) {
        Some(uri) if draft::version(&uri).is_none_or(|(protocol, _)| !protocol) => {
            draft::check_version(&uri).at(|| ENTRY_POINT)?;
            let suffix = read(text).at(|| ENTRY_POINT)?;
            Ok(Some(with_entry(suffix, text.to_vec(), reading)))
        }
        _ => Ok(None),
    },
    new: |reading| {
        let encoding = format!("{{\"type\": \"json\", \"metadata_key_suffix\": \"{SUFFIX}\"}}");
        let members = [
            ("zarr_format", quote(CORE)),
            ("metadata_encoding", encoding),
            ("extensions", "[]".into()),
        ];
        with_entry(SUFFIX.into(), document(members), reading)
    },
    stands_alone: false,
    shown_by_nodes: false,
};

fn with_entry(suffix: String, text: Vec<u8>, reading: &Reading) -> SharedFormat {
    let entry = Some((ENTRY_POINT, text));
    Arc::new(Draft { rules: &RULES, suffix, entry, reading: *reading })
}

/// The suffix, from an entry point document that is supported.
fn read(text: &[u8]) -> Result<String> {
    let read = |mut entry: Object| {
        draft::check_extensions(&mut entry)?;
        entry.take("zarr_format")?;
        let mut encoding: Object = entry.read_required("metadata_encoding")?;
        let name: String = encoding.read_required("type")?;
        if name != "json" || encoding.take("extension")?.is_some() {
            return Err(Error::unsupported(format!("metadata_encoding {name:?} is not supported")));
        }
        let suffix = encoding.read("metadata_key_suffix")?.unwrap_or_else(|| SUFFIX.to_owned());
        match entry.rest().next() {
            None => Ok(suffix),
            Some((name, _)) => Err(Error::unsupported(format!("member {name:?} is unknown"))),
        }
    };
    let suffix = with_json(text, |text| Object::parse(text).map(read))
        .map_err(|e| Error::metadata(e.to_string()))??;
    draft::check_suffix(&suffix)?;
    Ok(suffix)
}
