//! Maps keys of Zarr v3 to the nodes and chunks of a repository, which has no keys.

use crate::error::{Error, Result};
use icechunk::format::{ChunkIndices, Path};
use serde::Deserialize;

/// The name of a node's document.
const DOCUMENT: &str = "zarr.json";

/// What a key stands for: a document or a chunk.
#[derive(Debug, PartialEq)]
pub enum Place {
    /// A node's document.
    Node(Path),
    /// A chunk of an array.
    Chunk(Path, ChunkIndices),
}

impl Place {
    /// Parses a key; `None`: a repository has no such key.
    pub fn of(key: &str) -> Option<Place> {
        let path = |path: &str| Path::new(&format!("/{path}")).ok();
        if key == DOCUMENT {
            return path("").map(Place::Node);
        }
        if let Some(node) = key.strip_suffix(DOCUMENT).and_then(|node| node.strip_suffix('/')) {
            return path(node).map(Place::Node);
        }
        let mut rest = key;
        let mut indexes = Vec::new();
        loop {
            let (above, last) = rest.rsplit_once('/').unwrap_or(("", rest));
            if last == "c" {
                indexes.reverse();
                return Some(Place::Chunk(path(above)?, ChunkIndices(indexes)));
            }
            let index: u32 = last.parse().ok()?;
            // not 01 or +1
            if rest == last || index.to_string() != last {
                return None;
            }
            indexes.push(index);
            rest = above;
        }
    }
}

/// The key of a node's document.
pub fn document(node: &Path) -> String {
    join(node, DOCUMENT)
}

/// The key of a chunk.
pub fn chunk(node: &Path, indexes: &ChunkIndices) -> String {
    let indexes = indexes.0.iter().map(|index| format!("/{index}"));
    join(node, &indexes.fold("c".to_owned(), |key, index| key + &index))
}

fn join(node: &Path, name: &str) -> String {
    match node.as_str().trim_start_matches('/') {
        "" => name.to_owned(),
        node => format!("{node}/{name}"),
    }
}

/// Refuses the document of an array whose chunk keys a repository cannot represent.
pub fn check_document(document: &[u8]) -> Result<()> {
    #[derive(Deserialize)]
    struct Document {
        #[serde(default)]
        zarr_format: serde_json::Value,
        #[serde(default)]
        chunk_key_encoding: Option<Encoding>,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Encoding {
        Name(String),
        Object {
            name: String,
            #[serde(default)]
            configuration: Option<Configuration>,
        },
    }
    #[derive(Deserialize)]
    struct Configuration {
        #[serde(default)]
        separator: Option<String>,
    }
    let document: Document = serde_json::from_slice(document).map_err(|e| {
        Error::unsupported(format!("Icechunk accepts only documents of Zarr v3: {e}"))
    })?;
    if document.zarr_format != 3 {
        return Err(Error::unsupported("Icechunk accepts only nodes of Zarr v3"));
    }
    let fits = match document.chunk_key_encoding {
        None => true,
        Some(Encoding::Name(name)) => name == "default",
        Some(Encoding::Object { name, configuration }) => {
            let separator = configuration.and_then(|c| c.separator);
            name == "default" && separator.is_none_or(|separator| separator == "/")
        }
    };
    match fits {
        true => Ok(()),
        false => Err(Error::unsupported(
            "Icechunk supports only the chunk key encoding \"default\" with the separator \"/\"",
        )),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_places() {
        let node = |path: &str| Some(Place::Node(Path::new(path).unwrap()));
        let at = |path: &str, indexes: &[u32]| {
            Some(Place::Chunk(Path::new(path).unwrap(), ChunkIndices(indexes.to_vec())))
        };
        for (key, place) in [
            ("zarr.json", node("/")),
            ("a/c/0/zarr.json", node("/a/c/0")),
            ("c", at("/", &[])),
            ("c/3", at("/", &[3])),
            ("a/b/c/0/17", at("/a/b", &[0, 17])),
            ("c/0/c/1", at("/c/0", &[1])),
            ("abc/c", at("/abc", &[])),
            ("abc/0", None),
            ("a/c/01", None),
            ("a/c/+1", None),
            ("a/c/4294967296", None),
            ("a/c/0.0", None),
            ("a/.zarray", None),
            ("0", None),
            ("c0", None),
            ("azarr.json", None),
        ] {
            assert_eq!(Place::of(key), place, "{key}");
            match place {
                Some(Place::Node(path)) => assert_eq!(document(&path), key),
                Some(Place::Chunk(path, indexes)) => assert_eq!(chunk(&path, &indexes), key),
                None => {}
            }
        }
    }

    #[test]
    fn documents_that_a_repository_cannot_hold() {
        let encoded = |encoding: &str| {
            let document = format!(r#"{{"zarr_format": 3, "chunk_key_encoding": {encoding}}}"#);
            check_document(document.as_bytes()).is_ok()
        };
        assert!(encoded("null") && encoded("\"default\"") && encoded(r#"{"name": "default"}"#));
        assert!(encoded(r#"{"name": "default", "configuration": {"separator": "/"}}"#));
        assert!(!encoded(r#"{"name": "default", "configuration": {"separator": "."}}"#));
        assert!(!encoded(r#"{"name": "v2"}"#) && !encoded("\"v2\""));
        assert!(check_document(b"{}").is_err() && check_document(b"x").is_err());
        assert!(check_document(br#"{"zarr_format": 2}"#).is_err());
    }
}
