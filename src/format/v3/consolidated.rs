//! Consolidated metadata: the documents below a group, within the group's document.

use super::{CONSOLIDATED, DOCUMENT, V3};
use crate::error::{Context, Error, Result};
use crate::format::json::{Object, quote, read, replace_member};
use crate::format::{self, Documents, Format, NodeKind};
use crate::metadata::{NodePath, bare_numbers};
use std::borrow::Cow;

/// The consolidated metadata that zarr-python writes for groups within consolidated metadata.
const NONE_BELOW: &str = r#"{"kind": "inline", "must_understand": false, "metadata": {}}"#;

/// The members of `consolidated_metadata`.
pub(super) struct Consolidated<'a> {
    kind: String,
    must_understand: Option<bool>,
    metadata: Option<Object<'a>>,
}

impl Consolidated<'_> {
    pub(super) fn check(&self) -> Result<()> {
        if self.kind != "inline" && self.must_understand != Some(false) {
            return Err(Error::unsupported(format!(
                "consolidated_metadata of kind {:?} is not supported",
                self.kind
            )));
        }
        Ok(())
    }
}

/// zarr-python 3.0.0 wrote null if there is none.
pub(super) fn consolidated(text: &str) -> Result<Option<Consolidated<'_>>> {
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

/// Groups in consolidated metadata may contain consolidated metadata too; this bounds the depth.
const MAX_NESTED: usize = 16;

/// Collects the documents below a group; `false`: it has no consolidated metadata.
pub(super) fn collect(
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
        let node = format::consolidated_node(path, relative, relative)?;
        if text.contains("\"consolidated_metadata\"") {
            collect(&node, read(relative, text)?, depth + 1, found)?;
        }
        let text = bare_numbers::bare(text).into_owned();
        found.push((node.prefix() + DOCUMENT, text.into_bytes()));
    }
    Ok(true)
}

/// The group's document with `documents`, those of the nodes below it, included.
pub(super) fn emit(
    path: &NodePath,
    documents: &[(String, Vec<u8>)],
    old: Option<&[u8]>,
) -> Result<Vec<u8>> {
    let own = path.prefix() + DOCUMENT;
    let old = old.ok_or_else(|| format::vanished(&own))?;
    let mut members = Vec::new();
    for (key, text) in documents.iter().filter(|(key, _)| *key != own) {
        let node = key.strip_prefix(&path.prefix()).unwrap_or(key);
        let node = node.strip_suffix("/zarr.json").unwrap_or(node);
        // drop the consolidated metadata of inner groups, which would become outdated
        let text = match V3.kind(0, text) {
            Ok(NodeKind::Group) => Cow::from(replace_member(text, CONSOLIDATED, NONE_BELOW)?),
            _ => Cow::from(text),
        };
        members.push(format!("{}: {}", quote(node), format::compact(&text).at(|| key)?));
    }
    let metadata = format!(
        "{{\n    \"kind\": \"inline\",\n    \"must_understand\": false,\n    \"metadata\": {{\n      {}\n    }}\n  }}",
        members.join(",\n      ")
    );
    replace_member(old, CONSOLIDATED, &metadata).at(|| DOCUMENT)
}
