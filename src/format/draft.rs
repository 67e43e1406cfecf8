//! Shared parts of the drafts of Zarr v3 (2019, 2020, 2022): metadata and chunks under prefixes of
//! their own, separate documents for arrays and groups, optional group documents, extensions with a
//! `must_understand` flag, and codecs named by URIs. [`Rules`] holds the differences.

mod read;
mod write;

pub(super) use read::check_extensions;

use super::json::{Object, list, replace_member};
use super::{Change, Documents, Format, FormatId, ImplicitGroups, Listing, NodeKind, Reading};
use crate::error::{Error, Result};
use crate::metadata::{Attributes, GroupMetadata, KeyEncoding, NodeMetadata, NodePath};
use memchr::memmem;

/// The rules that differ between the drafts.
pub(super) struct Rules {
    pub id: FormatId,
    /// The prefix of documents and of the root's chunks, respectively.
    pub meta: &'static str,
    pub data: &'static str,
    /// The root's documents are `{meta}/{root_name}.{kind}`; `None`: `{meta}/{kind}`.
    pub root_name: Option<&'static str>,
    /// The protocol URI in every document; `None`: only the root document contains one.
    pub mark: Option<&'static str>,
    /// The prefix and suffix of a codec's URI, around its name.
    pub codec_uri: (&'static str, &'static str),
    /// The member of an array that holds its codecs: a list or a single codec.
    pub codecs: &'static str,
    pub codec_form: CodecForm,
    /// The separator in chunk keys; `None`: the document must contain it.
    pub separator: Option<char>,
    pub chunk_keys: fn(char) -> KeyEncoding,
    /// Whether data types have names and the byte order is a codec.
    pub named_types: bool,
    /// Whether `fill_value` may be null.
    pub null_fill: bool,
    /// Whether an unknown member is an error.
    pub strict: bool,
    /// Whether storage transformers are allowed.
    pub transformers: bool,
    /// Whether numcodecs filters are stored among the attributes, as in zarr-python.
    pub filters: bool,
}

/// The form of a codec.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CodecForm {
    /// A list of `{"codec": URI, …parameters}`.
    Inline,
    /// One `{"codec": URI, "configuration": {…}}`, or nothing.
    Single,
    /// A list of `{"type": URI, "configuration": {…}}`.
    List,
}

/// A draft as used by one store.
pub(super) struct Draft {
    pub rules: &'static Rules,
    /// The suffix of document names.
    pub suffix: String,
    /// The root document, if the draft has one.
    pub entry: Option<(&'static str, Vec<u8>)>,
    pub reading: Reading,
}

const ARRAY: &str = "array";
const GROUP: &str = "group";
const FILTERS: &str = "filters";
/// The maximum in the 2019 and 2020 texts; in 2022 that of file systems.
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

    /// The prefix of the documents of the root's children.
    fn root_prefix(&self) -> String {
        let Rules { meta, root_name, .. } = self.rules;
        root_name.map_or_else(|| format!("{meta}/"), |name| format!("{meta}/{name}/"))
    }
}

/// The extensions that zarr-python wrote, by kind. Their `type` is NumPy's.
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

/// The only storage transformer.
const SHARDING: &str = "https://purl.org/zarr/spec/storage_transformers/sharding/1.0";

impl Format for Draft {
    fn id(&self) -> FormatId {
        self.rules.id
    }

    fn documents(&self, path: &NodePath) -> Vec<String> {
        [ARRAY, GROUP].map(|kind| self.key(path, kind)).into()
    }

    fn parse(&self, which: usize, document: &[u8]) -> Result<NodeMetadata> {
        self.read(document, |document| match which {
            0 => Ok(NodeMetadata::Array(Box::new(self.parse_array(document)?))),
            _ => self.parse_group(document).map(NodeMetadata::Group),
        })
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
                _ if !name.bytes().all(known) => "may contain only a-z A-Z 0-9 - _ .",
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
            // an implicit group gets a document
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

/// Parses the last segments of a version URI: whether it names a "protocol", and the major version.
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

/// Accepts any minor version of version 3.
pub(super) fn check_version(uri: &str) -> Result<()> {
    match version(uri) {
        Some((_, "3")) => Ok(()),
        Some((_, major)) => {
            Err(Error::unsupported(format!("zarr_format {uri:?}: major version {major}")))
        }
        None => Err(Error::unsupported(format!("zarr_format {uri:?} is not a version of Zarr"))),
    }
}

/// Checks the suffix of document names, which a store may choose.
pub(super) fn check_suffix(suffix: &str) -> Result<()> {
    let good = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
    if suffix.bytes().all(good) && suffix.len() <= MAX_NAME {
        return Ok(());
    }
    Err(Error::metadata(format!("metadata_key_suffix {suffix:?} cannot be part of a key")))
}

/// The `zarr_format` of a document if it is a string, as at the root of a draft's store. This check
/// runs whenever a v3 store is opened, so it avoids a full parse if possible; the parser reports
/// broken documents.
pub(super) fn version_uri(document: &[u8]) -> Option<String> {
    const MEMBER: &[u8] = b"\"zarr_format\"";
    let after = document[memmem::find(document, MEMBER)? + MEMBER.len()..].trim_ascii_start();
    if !after.strip_prefix(b":")?.trim_ascii_start().starts_with(b"\"") {
        return None;
    }
    Object::parse(std::str::from_utf8(document).ok()?).ok()?.read("zarr_format").ok()?
}

#[cfg(test)]
mod tests;
