//! The node, and the selection in it, that a command line names.

use crate::failure::{Failure, Result};
use crate::selection::Selected;
use std::sync::Arc;
use zarrc::format::NodeKind;
use zarrc::hierarchy::{ArrayNode, Group, Hierarchy, NodeAttributes, open_array_at};
use zarrc::metadata::NodePath;
use zarrc::store::{Mode, Options, open};

/// An open store and the path of a node, which may be absent.
pub struct Place {
    /// The store.
    pub hierarchy: Arc<Hierarchy>,
    /// The path of the node.
    pub path: NodePath,
    /// The selection, without the brackets.
    selection: Option<String>,
    url: String,
    options: Options,
}

/// An open node.
pub enum Node {
    /// An array.
    Array(Box<ArrayNode>),
    /// A group.
    Group(Group),
}

impl Node {
    /// Its attributes.
    pub fn attributes(&self) -> &NodeAttributes {
        match self {
            Node::Array(array) => array.attributes(),
            Node::Group(group) => group.attributes(),
        }
    }
}

/// The options of `-O name=value`.
pub fn options(given: &[String]) -> Result<Options> {
    let mut options = Options::default();
    for option in given {
        let (name, value) = option
            .split_once('=')
            .ok_or_else(|| Failure::usage(format!("-O {option}: expected name=value")))?;
        options.set(name, value)?;
    }
    Ok(options)
}

impl Place {
    /// Opens the store at `url`. `node` is a path followed by a selection in brackets; both are
    /// optional.
    pub fn open(url: &str, node: &str, mode: Mode, options: &Options) -> Result<Self> {
        let (path, selection) = match node.find('[') {
            Some(at) => match node[at + 1..].strip_suffix(']') {
                Some(selection) => (&node[..at], Some(selection.to_owned())),
                None => return Err(Failure::usage(format!("{node}: the last ] is missing"))),
            },
            None => (node, None),
        };
        Ok(Place {
            path: NodePath::parse(path.trim_matches('/'))?,
            hierarchy: Arc::new(Hierarchy::new(open(url, mode, options)?, options)),
            selection,
            url: url.to_owned(),
            options: options.clone(),
        })
    }

    /// The same store, another path.
    pub fn at(&self, path: NodePath) -> Self {
        Place {
            hierarchy: self.hierarchy.clone(),
            path,
            selection: None,
            url: self.url.clone(),
            options: self.options.clone(),
        }
    }

    /// Refuses a selection, for verbs that take a whole node.
    pub fn whole(self) -> Result<Self> {
        match self.selection {
            Some(selection) => {
                Err(Failure::usage(format!("[{selection}]: the verb takes whole nodes")))
            }
            None => Ok(self),
        }
    }

    /// Opens the node.
    pub fn node(&self) -> Result<Node> {
        match self.hierarchy.kind_at(&self.path)? {
            Some(NodeKind::Array) => Ok(Node::Array(Box::new(self.array()?))),
            Some(NodeKind::Group) => Ok(Node::Group(self.group()?)),
            None => self.array().map(|array| Node::Array(Box::new(array))),
        }
    }

    /// Opens the array.
    pub fn array(&self) -> Result<ArrayNode> {
        match self.hierarchy.open_array(&self.path) {
            // in the drafts of v3, a directory of chunks does not contain its document
            Err(e) if self.path.is_root() && self.hierarchy.store().read_only() => {
                open_array_at(&self.url, Mode::Read, &self.options).map_err(|_| e.into())
            }
            array => Ok(array?),
        }
    }

    /// Opens the group.
    pub fn group(&self) -> Result<Group> {
        Ok(self.hierarchy.open_group(&self.path)?)
    }

    /// The selection of the array; all of it by default.
    pub fn selected(&self, array: &ArrayNode) -> Result<Selected> {
        let shape = array.array.shape();
        match &self.selection {
            Some(text) => Selected::parse(text, &shape),
            None => Ok(Selected::all(&shape)),
        }
    }

    /// Completes deferred writes.
    pub fn close(&self) -> Result<()> {
        Ok(self.hierarchy.close()?)
    }
}
