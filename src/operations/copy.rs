//! Copies nodes as they are stored, key by key, and moves them.
//!
//! Chunks are copied first, then documents, those of a group after those below it: a node that can
//! be opened in the target is complete.

use crate::error::{Context, Error, Kind, Result};
use crate::exec;
use crate::format::SharedFormat;
use crate::hierarchy::Hierarchy;
use crate::metadata::NodePath;
use crate::progress::Progress;
use crate::store::{Depth, Entry, Key, Links, Precondition};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What to do with keys that exist in the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IfExists {
    /// Copy nothing, and fail.
    #[default]
    Fail,
    /// Keep them.
    Skip,
    /// Replace their values.
    Replace,
}

/// How to copy nodes.
#[derive(Clone, Debug, Default)]
pub struct CopyOptions {
    /// What to do with keys that exist in the target.
    pub if_exists: IfExists,
    /// Nodes to leave out with everything below them, relative to the copied one.
    pub exclude: Vec<NodePath>,
    /// Write nothing, only count.
    pub dry_run: bool,
    /// Make hard links: both stores are directories on one file system.
    pub link: bool,
}

/// The result of a copy, or of a dry run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Copied keys.
    pub keys: u64,
    /// Keys that existed in the target and were kept.
    pub skipped: u64,
    /// Copied bytes.
    pub bytes: u64,
}

/// A key of the source and its key in the target.
struct Pair {
    from: Key,
    to: Key,
}

/// Copies the node at `from_path` and all below it, as they are stored.
///
/// [`Kind::NotFound`]: no node is at `from_path`. [`Kind::AlreadyExists`]: something is at
/// `to_path`, and the options do not allow that. [`Kind::InvalidArgument`]: the target lies within
/// the source, or its store has another format. [`Kind::Unsupported`]: links are wanted and cannot
/// be made.
pub fn copy_node(
    from: &Hierarchy,
    from_path: &NodePath,
    to: &Hierarchy,
    to_path: &NodePath,
    options: &CopyOptions,
    progress: &Progress<'_>,
) -> Result<Copied> {
    let keep = |pair: &Pair| {
        Ok(options.if_exists == IfExists::Skip && to.store().version(&pair.to)?.is_some())
    };
    copy_checked(from, from_path, to, to_path, options, &keep, &|| Ok(()), progress)
}

/// The same; `keep` says whether the target has the key already and keeps its value. `begin` is
/// called once everything is checked and before anything is written.
#[allow(clippy::too_many_arguments)] // those of the public call, and two steps of a move
fn copy_checked(
    from: &Hierarchy,
    from_path: &NodePath,
    to: &Hierarchy,
    to_path: &NodePath,
    options: &CopyOptions,
    keep: &(dyn Fn(&Pair) -> Result<bool> + Sync),
    begin: &dyn Fn() -> Result<()>,
    progress: &Progress<'_>,
) -> Result<Copied> {
    if to.store().read_only() && !options.dry_run {
        return Err(crate::store::refuse_change(&**to.store()));
    }
    check_apart(from, from_path, to, to_path)?;
    let format = from.format_at(from_path)?;
    let target = to.format_of(format.id())?;
    target.check_new_path(to_path)?;
    let (chunks, documents) = pairs(from, from_path, to_path, &format, &options.exclude)?;
    if options.if_exists == IfExists::Fail {
        check_absent(to, to_path, &documents)?;
    }
    let links = match options.link {
        true => Some(Links::between(&**from.store(), &**to.store())?),
        false => None,
    };
    if let (Some(links), Some(first)) = (&links, chunks.first().or(documents.first())) {
        links.check(&first.from, &first.to)?;
    }
    let all = (chunks.len() + documents.len()).max(1) as f64;
    let totals: [AtomicU64; 3] = Default::default();
    let [keys, skipped, bytes] = &totals;
    let copy = |pair: &Pair| {
        let done = keys.load(Ordering::Relaxed) + skipped.load(Ordering::Relaxed);
        progress.report(done as f64 / all, || pair.from.to_string())?;
        if keep(pair)? {
            skipped.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        let size = match &links {
            _ if options.dry_run => from.store().source(&pair.from).len()?,
            Some(links) => links.link(&pair.from, &pair.to)?,
            None => copy_value(from, to, pair)?,
        };
        // deleted since the listing: nothing to copy
        if let Some(size) = size {
            keys.fetch_add(1, Ordering::Relaxed);
            bytes.fetch_add(size, Ordering::Relaxed);
        }
        Ok(())
    };
    if !options.dry_run {
        begin()?;
        to.prepare_target(&target, to_path)?;
    }
    let threads = from.settings().threads.max(to.settings().threads);
    exec::run(threads, chunks.len(), &|n| copy(&chunks[n]))
        .and_then(|()| documents.iter().try_for_each(copy))
        .at(|| format!("copying {from_path} from store {}", from.store().name()))?;
    if !options.dry_run {
        to.forget_root();
        to.nodes_changed(&target, to_path)?;
    }
    progress.report(1.0, || to_path.to_string())?;
    let [keys, skipped, bytes] = totals.map(AtomicU64::into_inner);
    Ok(Copied { keys, skipped, bytes })
}

/// Fails if both are in one store and one path lies within the other.
pub(super) fn check_apart(
    from: &Hierarchy,
    from_path: &NodePath,
    to: &Hierarchy,
    to_path: &NodePath,
) -> Result<()> {
    let within = from_path.is_within(to_path) || to_path.is_within(from_path);
    if !(within && Arc::ptr_eq(from.store(), to.store())) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "{from_path} and {to_path} lie within one another in the same store"
    )))
}

/// Copies one value; returns its length, or `None`: it does not exist.
fn copy_value(from: &Hierarchy, to: &Hierarchy, pair: &Pair) -> Result<Option<u64>> {
    let mut value = Vec::new();
    if from.store().get(&pair.from, &mut value)?.is_none() {
        return Ok(None);
    }
    to.store().set(&pair.to, &[&value], &Precondition::None)?;
    Ok(Some(value.len() as u64))
}

/// The keys of the node and of all below it: first the keys of chunks and of anything else stored
/// with them, then the keys of documents, deepest first and the node's own last.
fn pairs(
    from: &Hierarchy,
    from_path: &NodePath,
    to_path: &NodePath,
    format: &SharedFormat,
    exclude: &[NodePath],
) -> Result<(Vec<Pair>, Vec<Pair>)> {
    let prefixes = format.node_prefixes(from_path).into_iter().zip(format.node_prefixes(to_path));
    let mut excluded = Vec::new();
    for path in exclude {
        let path = from_path.join(path.as_str())?;
        excluded.extend(format.node_prefixes(&path));
        excluded.extend(format.documents(&path));
    }
    let documents: HashSet<String> = from.document_keys(format, from_path)?.into_iter().collect();
    let (mut chunks, mut last) = (Vec::new(), Vec::new());
    let mut add = |from: String, to: String| {
        if excluded.iter().any(|e| from == *e || (e.ends_with('/') && from.starts_with(e)))
            || from.rsplit('/').next() == Some(NOTE)
        {
            return;
        }
        let is_document = documents.contains(&from);
        let pair = Pair { from: Key::trusted(from), to: Key::trusted(to) };
        if is_document { last.push(pair) } else { chunks.push(pair) }
    };
    // the documents of the node itself may lie beside its prefix
    for (a, b) in format.documents(from_path).into_iter().zip(format.documents(to_path)) {
        if !format.node_prefixes(from_path).iter().any(|prefix| a.starts_with(prefix))
            && from.store().version(&Key::trusted(a.clone()))?.is_some()
        {
            add(a, b);
        }
    }
    for (a, b) in prefixes {
        from.store().list(&a, Depth::All, &mut |entry| {
            if let Entry::Key(name) = entry {
                add(format!("{a}{name}"), format!("{b}{name}"));
            }
            Ok(())
        })?;
    }
    let depth = |pair: &Pair| std::cmp::Reverse(pair.from.as_str().matches('/').count());
    let own = format.documents(from_path);
    let name = |key: &str| key.rsplit('/').next().unwrap_or_default().to_owned();
    let names: Vec<String> = own.iter().map(|key| name(key)).collect();
    // attributes, where they have a document of their own, before the document of their node
    last.sort_by_cached_key(|pair| {
        let key = pair.from.as_str();
        (own.iter().any(|own| own == key), depth(pair), names.contains(&name(key)))
    });
    Ok((chunks, last))
}

/// Fails if there is a node. Chunks without one were left by an interrupted copy: they are replaced.
fn check_absent(to: &Hierarchy, to_path: &NodePath, documents: &[Pair]) -> Result<()> {
    let exists = |what: String| {
        let store = to.store().name();
        Err(Error::new(Kind::AlreadyExists, format!("{what} already exists in store {store}")))
    };
    if !to_path.is_root() && to.kind_at(to_path)?.is_some() {
        return exists(to_path.to_string());
    }
    documents.iter().try_for_each(|pair| match to.store().version(&pair.to)?.is_some() {
        true => exists(pair.to.to_string()),
        false => Ok(()),
    })
}

/// The key of the note of a move, right below the new path: its contents are the old one.
pub(super) const NOTE: &str = ".zarrc-move";

/// Moves a node and all below it to another path in the same store. After an interruption the node
/// is at its old path, at its new path, or at both, and the same call completes the move.
///
/// [`Kind::AlreadyExists`]: something is at `to_path` that an interrupted move did not leave there,
/// or a value was changed at either path since the interruption.
pub fn move_node(
    hierarchy: &Hierarchy,
    from_path: &NodePath,
    to_path: &NodePath,
    progress: &Progress<'_>,
) -> Result<()> {
    let store = hierarchy.store();
    let note = Key::trusted(to_path.prefix() + NOTE);
    let mut left = Vec::new();
    let resumes = !store.read_only()
        && store.get(&note, &mut left)?.is_some()
        && left == from_path.as_str().as_bytes();
    let if_exists = if resumes { IfExists::Skip } else { IfExists::Fail };
    let options = CopyOptions { if_exists, ..CopyOptions::default() };
    let keep = |pair: &Pair| Ok(resumes && was_moved(hierarchy, pair)?);
    let begin = || match resumes {
        true => Ok(()),
        false => store.set(&note, &[from_path.as_str().as_bytes()], &Precondition::None),
    };
    let (from, to) = (hierarchy, hierarchy);
    match copy_checked(from, from_path, to, to_path, &options, &keep, &begin, progress) {
        // the interrupted call had copied everything, and begun to delete
        Err(e) if resumes && e.kind() == Kind::NotFound => {
            store.erase_prefix(&from_path.prefix())?;
        }
        copied => {
            copied?;
            hierarchy.delete(from_path)?;
        }
    }
    store.erase(&note, &Precondition::None).map(drop)
}

/// Whether the interrupted call copied this value. Fails if one of the two was changed since: which
/// of them is wanted, only the caller can say.
fn was_moved(hierarchy: &Hierarchy, pair: &Pair) -> Result<bool> {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    let store = hierarchy.store();
    if store.get(&pair.to, &mut new)?.is_none() {
        return Ok(false);
    }
    if store.get(&pair.from, &mut old)?.is_none() || old == new {
        return Ok(true);
    }
    let what = format!(
        "{} or {} was changed after the move was interrupted: delete the node that is not wanted",
        pair.from, pair.to
    );
    Err(Error::new(Kind::AlreadyExists, what))
}
