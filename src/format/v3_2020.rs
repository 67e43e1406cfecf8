//! The draft of Zarr v3 of October 2020, which zarr-python 2 wrote under an experimental flag. The
//! root's `zarr.json` names the protocol and the suffix of the other documents.
//!
//! zarr-python's additions to the text are also read and written: NumPy's data types as extensions,
//! numcodecs filters in the attribute "filters", and the sharding of 2022.

use super::draft::{self, CodecForm, Draft, Rules};
use super::json::{Object, document, quote};
use super::{FormatEntry, FormatId, Reading, SharedFormat};
use crate::error::{Context, Error, Result};
use crate::metadata::{KeyEncoding, with_json};
use std::sync::Arc;

const ENTRY_POINT: &str = "zarr.json";
const CORE: &str = "https://purl.org/zarr/spec/protocol/core/3.0";
const SUFFIX: &str = ".json";

const RULES: Rules = Rules {
    id: FormatId::V3Draft2020,
    meta: "meta",
    data: "data/root",
    root_name: Some("root"),
    mark: None,
    codec_uri: ("https://purl.org/zarr/spec/codec/", "/1.0"),
    codecs: "compressor",
    codec_form: CodecForm::Single,
    separator: Some('/'),
    chunk_keys: KeyEncoding::Draft,
    named_types: false,
    null_fill: true,
    strict: false,
    transformers: true,
    filters: true,
};

/// The format's entry in the table.
pub(super) const ENTRY: FormatEntry = FormatEntry {
    id: FormatId::V3Draft2020,
    root_documents: &[ENTRY_POINT],
    recognise: |reading, text| match draft::version_uri(text) {
        Some(uri) if draft::version(&uri).is_some_and(|(protocol, _)| protocol) => {
            draft::check_version(&uri).at(|| ENTRY_POINT)?;
            let suffix = read(text).at(|| ENTRY_POINT)?;
            Ok(Some(with_entry(suffix, text.to_vec(), reading)))
        }
        _ => Ok(None),
    },
    new: |reading| {
        let members = [
            ("zarr_format", quote(CORE)),
            ("metadata_encoding", quote(CORE)),
            ("metadata_key_suffix", quote(SUFFIX)),
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
        let encoding: String = entry.read_required("metadata_encoding")?;
        if draft::check_version(&encoding).is_err() {
            return Err(Error::unsupported(format!("metadata_encoding {encoding:?} is not JSON")));
        }
        let suffix: Option<String> = entry.read("metadata_key_suffix")?;
        Ok(suffix.unwrap_or_else(|| SUFFIX.into()))
    };
    let suffix = with_json(text, |text| Object::parse(text).map(read))
        .map_err(|e| Error::metadata(e.to_string()))??;
    draft::check_suffix(&suffix)?;
    Ok(suffix)
}
