//! Nodes that are opened or created; that replace others; that are like others; by URL.

use super::{ArrayNode, ArraySpec, FillSpec, Found, Group, Hierarchy};
use crate::error::{Context, Error, Kind, Result};
use crate::format::FormatId;
use crate::metadata::{ArrayMetadata, ChunkGrid, CodecSpec, Edges, NodeMetadata, NodePath, codecs};
use crate::store::{Mode, Options, is_path, open};
use crate::system::with_slashes;
use serde_json::Value;
use std::sync::Arc;

/// Limit of the listed chunk extents that a specification repeats.
const MAX_EDGES: u64 = 1 << 20;

/// Runs `make`, or `otherwise` if another writer created the node meanwhile.
fn unless_there<T>(
    make: impl FnOnce() -> Result<T>,
    otherwise: impl FnOnce() -> Result<T>,
) -> Result<T> {
    match make() {
        Err(e) if e.kind() == Kind::AlreadyExists => otherwise(),
        result => result,
    }
}

impl Hierarchy {
    /// Opens the array at `path`, whatever its type, or creates it. [`Kind::AlreadyExists`]: there
    /// is a group.
    pub fn open_or_create_array(
        self: &Arc<Self>,
        path: &NodePath,
        spec: &ArraySpec,
    ) -> Result<ArrayNode> {
        match self.find(path)? {
            Some(Found { metadata: NodeMetadata::Array(_), .. }) => self.open_array(path),
            _ => unless_there(
                || self.create_array(path, spec),
                || match self.find(path)? {
                    Some(Found { metadata: NodeMetadata::Array(_), .. }) => self.open_array(path),
                    _ => Err(Error::new(
                        Kind::AlreadyExists,
                        format!("there is a group at {}", self.place(path)),
                    )),
                },
            ),
        }
    }

    /// The same, but an existing array must have the shape and type of `spec`.
    /// [`Kind::AlreadyExists`]: it has others, or there is a group.
    pub fn require_array(self: &Arc<Self>, path: &NodePath, spec: &ArraySpec) -> Result<ArrayNode> {
        let node = self.open_or_create_array(path, spec)?;
        let (shape, data_type) = (node.array.shape(), &node.array.metadata().data_type);
        if shape == spec.shape && *data_type == spec.data_type {
            return Ok(node);
        }
        Err(Error::new(
            Kind::AlreadyExists,
            format!(
                "array {} has shape {shape:?} and type {}: expected {:?} and {}",
                self.place(path),
                data_type.name(),
                spec.shape,
                spec.data_type.name()
            ),
        ))
    }

    /// Opens the group at `path` or creates it. [`Kind::AlreadyExists`]: there is an array.
    pub fn require_group(
        self: &Arc<Self>,
        path: &NodePath,
        asked: Option<FormatId>,
    ) -> Result<Group> {
        match self.find(path)? {
            Some(Found { metadata: NodeMetadata::Group(_), .. }) => self.open_group(path),
            Some(_) => Err(Error::new(
                Kind::AlreadyExists,
                format!("there is an array at {}", self.place(path)),
            )),
            None => unless_there(|| self.create_group(path, asked), || self.open_group(path)),
        }
    }

    /// Deletes the node at `path`, if any, and creates an array there. Checks `spec` first.
    pub fn replace_array(self: &Arc<Self>, path: &NodePath, spec: &ArraySpec) -> Result<ArrayNode> {
        self.check_spec(path, spec)?;
        self.delete_if_there(path)?;
        self.create_array(path, spec)
    }

    /// The same for a group.
    pub fn replace_group(
        self: &Arc<Self>,
        path: &NodePath,
        asked: Option<FormatId>,
    ) -> Result<Group> {
        self.delete_if_there(path)?;
        self.create_group(path, asked)
    }

    fn delete_if_there(&self, path: &NodePath) -> Result<()> {
        match self.delete(path) {
            Err(e) if e.kind() == Kind::NotFound => Ok(()),
            result => result,
        }
    }
}

/// Opens the store at `url` and the array at its root. In stores whose arrays have no documents
/// beside them (drafts of Zarr v3), finds the store above.
pub fn open_array_at(url: &str, mode: Mode, options: &Options) -> Result<ArrayNode> {
    let (hierarchy, path) = locate(url, mode, options)?;
    Ok(ArrayNode { owns_store: true, ..hierarchy.open_array(&path)? })
}

/// Opens the store at `url` and the group at its root; creates both if the mode allows it.
pub fn open_group_at(
    url: &str,
    mode: Mode,
    options: &Options,
    asked: Option<FormatId>,
) -> Result<Group> {
    if matches!(mode, Mode::Read | Mode::ReadWrite) {
        let (hierarchy, path) = locate(url, mode, options)?;
        return Ok(Group { owns_store: true, ..hierarchy.open_group(&path)? });
    }
    let hierarchy = Arc::new(Hierarchy::new(open(url, mode, options)?, options));
    Ok(Group { owns_store: true, ..hierarchy.require_group(&NodePath::root(), asked)? })
}

/// The store at a URL, and the path of the node in it.
fn locate(url: &str, mode: Mode, options: &Options) -> Result<(Arc<Hierarchy>, NodePath)> {
    let opened = |url: &str| {
        let store = open(url, mode, options)?;
        Ok::<_, Error>(Arc::new(Hierarchy::new(store, options)))
    };
    let root = opened(url).and_then(|hierarchy| {
        let there = hierarchy.kind_at(&NodePath::root())?.is_some();
        Ok((hierarchy, there))
    });
    let is_path = is_path(url);
    match root {
        Ok((hierarchy, true)) => return Ok((hierarchy, NodePath::root())),
        Ok((hierarchy, false)) if !is_path => return Ok((hierarchy, NodePath::root())),
        Err(e) if !is_path || e.kind() != Kind::NotFound => return Err(e),
        _ => {}
    }
    // from the nearest store above
    let url = &*with_slashes(url);
    let mut above = url.trim_end_matches('/');
    while let Some((parent, _)) = above.rsplit_once('/').filter(|(parent, _)| !parent.is_empty()) {
        above = parent;
        let path = NodePath::parse(&url[above.len()..]);
        if let (Ok(hierarchy), Ok(path)) = (opened(above), path)
            && let Ok(Some(_)) = hierarchy.kind_at(&path)
        {
            return Ok((hierarchy, path));
        }
    }
    match root {
        Ok((hierarchy, _)) => Ok((hierarchy, NodePath::root())),
        Err(e) => Err(e),
    }
}

impl ArraySpec {
    /// The specification of an array like an existing one: its current shape, type, chunks, shards,
    /// codecs, fill value and dimension names, but not its attributes.
    pub fn like(node: &ArrayNode) -> Result<Self> {
        let array = &node.array;
        let model = array.metadata();
        let place = || format!("array {}", array.path());
        let mut spec = ArraySpec::new(model.data_type.clone(), array.shape());
        spec.format = Some(node.format());
        spec.fill_value = match &model.fill_value {
            Some(element) => FillSpec::Element(element.clone()),
            None => FillSpec::Json("null".into()),
        };
        spec.dimension_names = model.dimension_names.clone();
        spec.codecs = Some(model.codecs.clone());
        spec.separator = model.chunk_keys.separator();
        let grid = array.grid();
        spec.chunk_shape = Some(grid.largest_shape().into_owned());
        if let ChunkGrid::Rectilinear(edges) = &grid {
            for (d, edges) in edges.iter().enumerate() {
                if let Edges::Listed(runs) = edges {
                    let count = runs.iter().fold(0u64, |n, run| n.saturating_add(run.count));
                    if count > MAX_EDGES {
                        let what = format!("dimension {d} lists too many chunks: {count}");
                        return Err(Error::new(Kind::LimitExceeded, what)).at(place);
                    }
                    let list = runs.iter().flat_map(|run| (0..run.count).map(|_| run.edge));
                    spec.chunk_edges.insert(d, list.collect());
                }
            }
        }
        if let Some((inner, codecs)) = plain_shards(model) {
            spec.shard_shape = spec.chunk_shape.replace(inner);
            spec.codecs = Some(codecs);
        }
        Ok(spec)
    }
}

/// The shape and codecs of the inner chunks, if the array's shards have the settings that a new
/// array's would have.
fn plain_shards(model: &ArrayMetadata) -> Option<(Vec<u64>, Vec<CodecSpec>)> {
    let [shards] = &model.codecs[..] else { return None };
    if codecs::find(&shards.name).is_none_or(|codec| codec.name != "sharding_indexed") {
        return None;
    }
    let member = |name: &str| shards.configuration.get(name);
    let at_end = member("index_location").is_none_or(|place| place == "end");
    let index: Option<Vec<String>> = member("index_codecs")?
        .as_array()?
        .iter()
        .map(|codec| CodecSpec::from_json(codec).ok().map(|codec| codec.name))
        .collect();
    if !at_end || index? != ["bytes", "crc32c"] {
        return None;
    }
    let inner: Option<Vec<u64>> =
        member("chunk_shape")?.as_array()?.iter().map(Value::as_u64).collect();
    let codecs: Result<Vec<CodecSpec>> =
        member("codecs")?.as_array()?.iter().map(CodecSpec::from_json).collect();
    Some((inner?, codecs.ok()?))
}
