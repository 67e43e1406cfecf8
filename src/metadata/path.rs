//! The path of a node in its hierarchy.

use crate::error::{Error, Kind, Result};
use std::fmt;

/// How deep a hierarchy may be. Every level costs a look-up of its documents, by a key as long as
/// the path.
const MOST_LEVELS: usize = 1000;

/// A node's path without leading or trailing slashes; empty for the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct NodePath(String);

impl NodePath {
    /// The root.
    pub fn root() -> Self {
        NodePath::default()
    }

    /// Normalises as the v2 specification does: `\` becomes `/`; leading, trailing and double
    /// slashes are removed. A segment `.` or `..` and a NUL are errors: no path leaves the store.
    pub fn parse(path: &str) -> Result<Self> {
        let refuse = |what: &str| Err(Error::invalid(format!("path {path:?} {what}")));
        if path.contains('\0') {
            return refuse("contains a NUL character");
        }
        let path_ = path.replace('\\', "/");
        let mut clean = String::with_capacity(path_.len());
        for segment in path_.split('/').filter(|s| !s.is_empty()) {
            if segment == "." || segment == ".." {
                return refuse("contains a segment \".\" or \"..\"");
            }
            if !clean.is_empty() {
                clean.push('/');
            }
            clean.push_str(segment);
        }
        if clean.split('/').nth(MOST_LEVELS).is_some() {
            let words = format!("path {path:?} has more than {MOST_LEVELS} segments");
            return Err(Error::new(Kind::LimitExceeded, words));
        }
        Ok(NodePath(clean))
    }

    /// Without slashes around it; empty for the root.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is the root.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The prefix of keys below the node: the path and a slash, empty for the root.
    pub fn prefix(&self) -> String {
        if self.is_root() { String::new() } else { [&*self.0, "/"].concat() }
    }

    /// The last segment; empty for the root.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or("")
    }

    /// The number of segments; 0 for the root.
    pub fn depth(&self) -> usize {
        if self.is_root() { 0 } else { 1 + self.0.matches('/').count() }
    }

    /// The parent; `None` for the root.
    pub fn parent(&self) -> Option<NodePath> {
        if self.is_root() {
            return None;
        }
        Some(NodePath(self.0.rsplit_once('/').map_or(String::new(), |(above, _)| above.into())))
    }

    /// The node `relative` below this one.
    pub fn join(&self, relative: &str) -> Result<NodePath> {
        NodePath::parse(&format!("{}/{relative}", self.0))
    }

    /// Whether `self` equals `other` or lies below it.
    pub fn is_within(&self, other: &NodePath) -> bool {
        other.is_root()
            || self.0.strip_prefix(&other.0).is_some_and(|r| r.is_empty() || r.starts_with('/'))
    }
}

impl fmt::Display for NodePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_root() { f.write_str("/") } else { f.write_str(&self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalised_and_kept_inside() {
        for (given, clean) in [("", ""), ("/", ""), ("/a//b/", "a/b"), ("a\\b", "a/b")] {
            assert_eq!(NodePath::parse(given).expect("good").as_str(), clean);
        }
        for bad in ["..", "a/../b", "./a", "a\\..\\b", "a\0b"] {
            assert!(NodePath::parse(bad).is_err(), "{bad}");
        }
        assert!(NodePath::parse(&"a/".repeat(MOST_LEVELS)).is_ok());
        let deep = NodePath::parse(&"a/".repeat(30_000)).expect_err("too deep");
        assert_eq!(deep.kind(), Kind::LimitExceeded);
        let path = NodePath::parse("a/b").expect("good");
        assert_eq!(path.parent().map(|p| p.as_str().to_owned()).as_deref(), Some("a"));
        assert!(path.is_within(&NodePath::parse("a").expect("good")));
        assert!(!path.is_within(&NodePath::parse("a/bc").expect("good")));
    }
}
