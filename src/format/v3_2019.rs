//! The draft of Zarr v3 of May 2019. It has no root document: every document contains the URI of
//! the protocol. The text does not define the keys; these are from its next revision.

use super::draft::{CodecForm, Draft, Rules};
use super::{FormatEntry, FormatId, Reading, SharedFormat};
use crate::metadata::KeyEncoding;
use std::sync::Arc;

const RULES: Rules = Rules {
    id: FormatId::V3Draft2019,
    meta: "meta",
    data: "data",
    root_name: Some("root"),
    mark: Some("http://purl.org/zarr/spec/protocol/core/3.0"),
    codec_uri: ("http://purl.org/zarr/spec/codec/", ""),
    codecs: "chunk_codecs",
    codec_form: CodecForm::Inline,
    separator: Some('.'),
    chunk_keys: KeyEncoding::V2,
    named_types: false,
    null_fill: true,
    strict: false,
    transformers: false,
    filters: false,
};

/// The format's entry in the table.
pub(super) const ENTRY: FormatEntry = FormatEntry {
    id: FormatId::V3Draft2019,
    root_documents: &["meta/root.array", "meta/root.group"],
    recognise: |reading, _| Ok(Some(new(reading))),
    new,
    stands_alone: false,
    shown_by_nodes: true,
};

fn new(reading: &Reading) -> SharedFormat {
    Arc::new(Draft { rules: &RULES, suffix: String::new(), entry: None, reading: *reading })
}
