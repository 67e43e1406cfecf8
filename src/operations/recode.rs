//! Nodes copied in another encoding: arrays through [`rechunk`], groups with their attributes.

use super::copy::{Copied, CopyOptions, IfExists};
use super::rechunk::rechunk;
use crate::error::{Context, Error, Kind, Result};
use crate::format::NodeKind;
use crate::hierarchy::{ArrayNode, ArraySpec, FillSpec, Hierarchy};
use crate::metadata::NodePath;
use crate::progress::Progress;
use std::sync::Arc;

/// How the arrays of a copy are encoded.
#[derive(Clone, Debug)]
pub struct Recode {
    /// Its format, chunks, shards, codecs and order count, as far as they are set.
    pub spec: ArraySpec,
    /// Bytes for the elements of an array; 0: as [`rechunk`] has it.
    pub memory_limit: u64,
}

/// A node of the source, and what becomes of it.
struct Node {
    from: NodePath,
    to: NodePath,
    kind: NodeKind,
}

impl Recode {
    /// What `array` is in the copy. Chunks and shards of another rank are not for it.
    fn spec_of(&self, array: &ArrayNode) -> Result<ArraySpec> {
        let wanted = &self.spec;
        let mut spec = ArraySpec::like(array)?;
        let of_rank = |shape: &Vec<u64>| shape.len() == spec.shape.len();
        if let Some(chunk) = wanted.chunk_shape.clone().filter(of_rank) {
            spec.shard_shape = wanted.shard_shape.clone().filter(of_rank);
            spec.chunk_shape = Some(chunk);
            spec.chunk_edges.clear();
        }
        if let Some(format) = wanted.format.filter(|format| spec.format != Some(*format)) {
            // what other formats have no words for
            (spec.format, spec.codecs, spec.separator) = (Some(format), None, None);
            // and what it makes of an undefined fill value
            spec.fill_value = FillSpec::Usual;
        }
        if wanted.codecs.is_some() {
            spec.codecs = wanted.codecs.clone();
        }
        spec.endian = wanted.endian.or(spec.endian);
        spec.separator = wanted.separator.or(spec.separator);
        Ok(spec)
    }
}

/// Copies the node at `from_path` and all below it, arrays as `recode` says. What is counted are
/// nodes, and bytes of elements.
///
/// [`Kind::NotFound`]: there is none; [`Kind::AlreadyExists`]: something is at `to_path`, and the
/// options refuse that; [`Kind::InvalidArgument`]: one path lies within the other in one store;
/// and as [`rechunk`].
pub fn recode_node(
    from: &Arc<Hierarchy>,
    from_path: &NodePath,
    to: &Arc<Hierarchy>,
    to_path: &NodePath,
    options: &CopyOptions,
    recode: &Recode,
    progress: &Progress<'_>,
) -> Result<Copied> {
    if to.store().read_only() && !options.dry_run {
        return Err(crate::store::refuse_change(&**to.store()));
    }
    if options.link {
        return Err(Error::invalid(
            "a copy that is encoded anew cannot consist of links: give either the option link or a \
             spec",
        ));
    }
    super::copy::check_apart(from, from_path, to, to_path)?;
    let nodes = nodes(from, from_path, to_path, &options.exclude)?;
    if options.if_exists == IfExists::Fail {
        for node in &nodes {
            if to.kind_at(&node.to)?.is_some() {
                let what = format!("{} is in store {} already", node.to, to.store().name());
                return Err(Error::new(Kind::AlreadyExists, what));
            }
        }
    }
    let mut copied = Copied::default();
    let all = nodes.len() as f64;
    for (n, node) in nodes.iter().enumerate() {
        let within = |done: f64, what: &str| {
            progress.report((n as f64 + done) / all, || what.to_owned()).is_ok()
        };
        let within = Progress::new(&within);
        copy_one(from, to, node, options, recode, &mut copied, &within)
            .at(|| format!("copying {} from store {}", node.from, from.store().name()))?;
        progress.report((n + 1) as f64 / all, || node.to.to_string())?;
    }
    Ok(copied)
}

fn nodes(
    from: &Arc<Hierarchy>,
    from_path: &NodePath,
    to_path: &NodePath,
    exclude: &[NodePath],
) -> Result<Vec<Node>> {
    let Some(kind) = from.kind_at(from_path)? else {
        let what = format!("no node at {from_path} in store {}", from.store().name());
        return Err(Error::new(Kind::NotFound, what));
    };
    let mut nodes = vec![Node { from: from_path.clone(), to: to_path.clone(), kind }];
    if kind == NodeKind::Group {
        for child in from.open_group(from_path)?.list(true)? {
            let path = NodePath::parse(&child.path)?;
            if exclude.iter().any(|excluded| path == *excluded || path.is_within(excluded)) {
                continue;
            }
            let (from, to) = (from_path.join(&child.path)?, to_path.join(&child.path)?);
            let kind = child.kind.ok_or_else(|| {
                Error::metadata(format!("{from}: its metadata document cannot be read"))
            })?;
            nodes.push(Node { from, to, kind });
        }
    }
    Ok(nodes)
}

fn copy_one(
    from: &Arc<Hierarchy>,
    to: &Arc<Hierarchy>,
    node: &Node,
    options: &CopyOptions,
    recode: &Recode,
    copied: &mut Copied,
    progress: &Progress<'_>,
) -> Result<()> {
    let there = to.kind_at(&node.to)?;
    if there.is_some() && options.if_exists == IfExists::Skip {
        copied.skipped += 1;
        return Ok(());
    }
    let bytes = match node.kind {
        NodeKind::Group if options.dry_run => 0,
        NodeKind::Group => {
            if there == Some(NodeKind::Array) {
                to.delete(&node.to)?;
            }
            let attributes =
                from.open_group(&node.from)?.attributes().read(|all| Ok(all.clone()))?;
            let format = recode.spec.format;
            if there != Some(NodeKind::Group) {
                to.create_group_with(&node.to, format, attributes)?;
            } else if !attributes.is_empty() {
                to.open_group(&node.to)?.attributes().write(&mut |all| {
                    all.update(&attributes);
                    Ok(())
                })?;
            }
            0
        }
        NodeKind::Array => {
            let array = from.open_array(&node.from)?;
            let spec = recode.spec_of(&array)?;
            if !options.dry_run {
                if there.is_some() {
                    to.delete(&node.to)?;
                }
                rechunk(&array, to, &node.to, &spec, recode.memory_limit, progress)?;
            }
            spec.shape
                .iter()
                .fold(spec.data_type.size() as u64, |n, &extent| n.saturating_mul(extent))
        }
    };
    copied.keys += 1;
    copied.bytes = copied.bytes.saturating_add(bytes);
    Ok(())
}
