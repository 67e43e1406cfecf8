//! Rechunking: an array is written anew with other chunks, shards, codecs or another format, in
//! bounded memory.
//!
//! 1. [`plan`] chooses the blocks, and whether to use a scratch array.
//! 2. A note is left in the target ([`Note`]), which marks an interrupted call.
//! 3. Blocks are read, and written as whole chunks.
//! 4. The document of the new array is written: an array that opens is complete. Then the scratch
//!    array and the note are erased.
//!
//! The same call resumes after an interruption: a chunk that exists is complete.

mod memory;
mod plan;

use crate::array::{Array, Settings};
use crate::cache::Cache;
use crate::error::{Context, Error, Kind, Result};
use crate::exec::Block;
use crate::format::{NodeKind, SharedFormat};
use crate::hierarchy::{ArrayNode, ArraySpec, FillSpec, Hierarchy};
use crate::metadata::{
    ArrayMetadata, ChunkGrid, CodecSpec, Endian, KeyEncoding, NodeMetadata, NodePath,
};
use crate::progress::Progress;
use crate::selection::{Region, Span};
use crate::store::{Key, Precondition};
use memory::{Memory, item};
use plan::Step;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Default memory limit (bytes).
const DEFAULT_LIMIT: u64 = 256 << 20;

/// Assumed size of variable-length elements (bytes).
const GUESSED: u64 = 64;

/// The key of the note, and the prefix of the scratch array, directly below the target.
pub(super) const NOTE: &str = ".zarrc-rechunk.json";
pub(super) const SCRATCH: &str = ".zarrc-rechunk/";

/// Left in the target during a call.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Note {
    from_store: String,
    from_path: String,
    /// The document of the new array.
    document: String,
    /// The chunks of the scratch array.
    scratch: Option<Vec<u64>>,
}

impl Note {
    /// Whether a call for the same array left it.
    fn is_of(&self, other: &Note) -> bool {
        (&self.from_store, &self.from_path, &self.document)
            == (&other.from_store, &other.from_path, &other.document)
    }
}

/// Makes the array at `path` of `to` from `from`: of the shape and type of `from`, and all else as
/// `spec` says. What `spec` leaves open (fill value, attributes, names of dimensions) is that of
/// `from`. `memory_limit` is in bytes, 0 for the default.
///
/// [`Kind::AlreadyExists`]: there is something at `path` that an earlier, interrupted call for the
/// same array did not leave; [`Kind::LimitExceeded`]: a chunk alone needs more memory;
/// [`Kind::InvalidArgument`]: `spec` has another shape or type.
pub fn rechunk(
    from: &ArrayNode,
    to: &Arc<Hierarchy>,
    path: &NodePath,
    spec: &ArraySpec,
    memory_limit: u64,
    progress: &Progress<'_>,
) -> Result<()> {
    if to.store().read_only() {
        return Err(crate::store::refuse_change(&**to.store()));
    }
    from.array.flush()?;
    let limit = if memory_limit == 0 { DEFAULT_LIMIT } else { memory_limit };
    let format = to.format_for(path, spec.format)?;
    format.check_new_path(path)?;
    let spec = completed(spec, from)?;
    let job = Job::new(from, to, path, format, spec, limit)?;
    job.run(progress)
        .map_err(|e| match e.kind() {
            Kind::Cancelled => Error::new(Kind::Cancelled, "cancelled; call it again to resume"),
            _ => e,
        })
        .at(|| format!("rechunking {} into {path}", from.array.name()))
}

/// The target's specification, completed from the source.
fn completed(spec: &ArraySpec, from: &ArrayNode) -> Result<ArraySpec> {
    let (source, shape) = (from.array.metadata(), from.array.shape());
    if spec.shape != shape {
        return Err(Error::invalid(format!(
            "spec has the shape {:?}: expected {shape:?}, the array's",
            spec.shape
        )));
    }
    if spec.data_type != source.data_type {
        return Err(Error::invalid(format!(
            "spec has the data type {}: expected {}, the array's",
            spec.data_type.name(),
            source.data_type.name()
        )));
    }
    let mut spec = spec.clone();
    if spec.fill_value == FillSpec::Usual {
        spec.fill_value = FillSpec::Element(source.fill_element());
    }
    let attributes = from.attributes().read(|all| Ok(all.clone()))?;
    if spec.dimension_names.is_none() {
        let kept = from.format.dimension_names(&attributes, shape.len());
        spec.dimension_names = source.dimension_names.clone().or(kept);
    }
    if spec.attributes.is_empty() {
        spec.attributes = attributes;
    }
    Ok(spec)
}

struct Job<'a> {
    from: &'a ArrayNode,
    to: &'a Arc<Hierarchy>,
    path: &'a NodePath,
    spec: ArraySpec,
    source: Array,
    target: Array,
    note: Note,
    /// The prefix of the target's keys.
    prefix: String,
    document_keys: Vec<String>,
    memory: Memory,
}

impl<'a> Job<'a> {
    fn new(
        from: &'a ArrayNode,
        to: &'a Arc<Hierarchy>,
        path: &'a NodePath,
        format: SharedFormat,
        mut spec: ArraySpec,
        limit: u64,
    ) -> Result<Self> {
        spec.format = Some(format.id());
        let metadata = spec.metadata(&*format).map_err(Error::caller_caused)?;
        let node = NodeMetadata::Array(Box::new(metadata));
        let documents = format.emit(path, &node).map_err(Error::caller_caused)?;
        // the format may normalise it: what is opened later counts
        let document = documents.last().map(|(_, text)| text.clone()).unwrap_or_default();
        let NodeMetadata::Array(metadata) = format.parse(0, &document)? else {
            return Err(Error::new(Kind::Internal, "an array became a group"));
        };
        let prefix = format.chunk_prefix(path);
        let settings = |of: &Hierarchy| Settings {
            // whole chunks only, so that it can be resumed
            in_place: false,
            write_buffer: 0,
            ..of.settings().clone()
        };
        let mut source = Array::new(
            from.hierarchy.store().clone(),
            from.array.path().clone(),
            from.array.chunk_prefix().to_owned(),
            ArrayMetadata {
                shape: from.array.shape(),
                chunk_grid: from.array.grid(),
                ..from.array.metadata().clone()
            },
            settings(&from.hierarchy),
        )?;
        let mut target =
            Array::new(to.store().clone(), path.clone(), prefix.clone(), *metadata, settings(to))?;
        let threads = from.hierarchy.settings().threads.max(to.settings().threads);
        let memory = Memory::new(limit, &source, &target, threads);
        source.set_memory(memory.threads, memory.kept as usize, memory.in_flight);
        target.set_memory(memory.threads, 0, memory.in_flight);
        let note = Note {
            from_store: from.hierarchy.store().name(),
            from_path: from.array.path().to_string(),
            document: String::from_utf8_lossy(&document).into_owned(),
            scratch: None,
        };
        let mut document_keys = format.documents(path);
        document_keys.push(format.attributes_document(path, NodeKind::Array));
        let mut job =
            Job { from, to, path, spec, source, target, note, prefix, document_keys, memory };
        let (shape, source_chunk) = (job.source.shape(), job.source.chunk_shape());
        let step = Step {
            shape: &shape,
            source_chunk: &source_chunk,
            target_chunk: &job.target.outer_chunk_shape(),
            item: item(job.source.metadata()),
        };
        let direct = memory.block(&job.source, &job.target);
        let (_, cost) =
            step.block(direct).ok_or_else(|| memory.exceeded(&job.source, &job.target))?;
        let by_scratch = memory.block_by_scratch(&job.source, &job.target);
        job.note.scratch = plan::scratch_chunk(step, by_scratch, memory.scratch(), cost);
        Ok(job)
    }

    fn run(mut self, progress: &Progress<'_>) -> Result<()> {
        let resumes = match self.read_note()? {
            Some(old) if old.is_of(&self.note) => {
                self.note.scratch = old.scratch; // its chunks are cut as they were
                true
            }
            Some(_) => {
                return Err(Error::new(
                    Kind::AlreadyExists,
                    format!(
                        "another call was interrupted here; resume it, or delete {}{NOTE} to \
                         discard it",
                        self.prefix
                    ),
                ));
            }
            None => {
                self.check_absent()?;
                self.write_note()?;
                false
            }
        };
        if resumes && self.to.kind_at(self.path)? == Some(NodeKind::Array) {
            return self.clean_up(); // all was done but that
        }
        match self.note.scratch.clone() {
            None => {
                let pass = self.pass(&self.source, &self.target, 0.0, 1.0)?;
                self.bring(&pass, &mut pass.memory()?, resumes, progress)?;
            }
            Some(chunk) => {
                let scratch = self.scratch(chunk)?;
                let first = self.pass(&self.source, &scratch, 0.0, 0.5)?;
                let second = self.pass(&scratch, &self.target, 0.5, 0.5)?;
                // one block for both: what was given back would not soon be the system's again
                let mut memory = match first.bytes > second.bytes {
                    true => first.memory()?,
                    false => second.memory()?,
                };
                self.bring(&first, &mut memory, resumes, progress)?;
                self.bring(&second, &mut memory, resumes, progress)?;
            }
        }
        drop(self.to.create_array(self.path, &self.spec)?);
        self.clean_up()
    }

    /// The scratch array: uncompressed chunks below a prefix of the target, without a document.
    fn scratch(&self, chunk: Vec<u64>) -> Result<Array> {
        let source = self.source.metadata();
        let mut codecs: Vec<CodecSpec> = ArraySpec {
            codecs: Some(Vec::new()),
            endian: Some(Endian::NATIVE),
            ..ArraySpec::new(source.data_type.clone(), source.shape.clone())
        }
        .metadata(&*self.from.format)?
        .codecs;
        codecs.retain(|codec| codec.name != "transpose");
        let rank = chunk.len();
        let metadata = ArrayMetadata {
            chunk_grid: ChunkGrid::regular(chunk, rank)?,
            chunk_keys: KeyEncoding::V2('/'),
            codecs,
            dimension_names: None,
            attributes: None,
            ..source.clone()
        };
        let settings = Settings {
            threads: self.memory.threads,
            memory: self.memory.in_flight,
            write_empty: false,
            cache: Arc::new(Cache::new(0)),
            write_buffer: 0,
            in_place: false,
            ..self.to.settings().clone()
        };
        let prefix = [&self.prefix, SCRATCH].concat();
        Array::new(self.to.store().clone(), self.path.clone(), prefix, metadata, settings)
    }

    /// Plans how one array is brought over into another. `from` and `part`: of the whole call.
    fn pass<'b>(
        &self,
        source: &'b Array,
        target: &'b Array,
        from: f64,
        part: f64,
    ) -> Result<Pass<'b>> {
        let (shape, written) = (target.shape(), target.outer_chunk_shape());
        let item = item(source.metadata());
        let step = Step {
            shape: &shape,
            source_chunk: &source.chunk_shape(),
            target_chunk: &written,
            item,
        };
        let budget = self.memory.block(source, target);
        let block = step.block(budget).ok_or_else(|| self.memory.exceeded(source, target))?.0;
        let cut = block.iter().zip(&shape).map(|(&b, &n)| b.min(n));
        let bytes = match source.metadata().data_type.is_variable() {
            true => 0, // such elements come with memory of their own
            false => cut.fold(item, u64::saturating_mul),
        };
        Ok(Pass { source, target, block, bytes, from, part })
    }

    /// Brings one array over into another, block by block, by way of `memory`. `resumes`: blocks
    /// that are there are not brought over again.
    fn bring(
        &self,
        pass: &Pass<'_>,
        memory: &mut [u8],
        resumes: bool,
        progress: &Progress<'_>,
    ) -> Result<()> {
        let Pass { source, target, block, from, part, .. } = pass;
        let (shape, grid) = (target.shape(), target.grid());
        if shape.contains(&0) {
            return Ok(());
        }
        let written = target.outer_chunk_shape();
        // in chunks, which may differ in extent
        let chunks: Vec<u64> = block.iter().zip(&written).map(|(&b, &w)| (b / w).max(1)).collect();
        let counts = target.chunk_counts();
        let blocks: Vec<u64> = counts.iter().zip(&chunks).map(|(&n, &k)| n.div_ceil(k)).collect();
        let all = blocks.iter().map(|&n| n as f64).product::<f64>();
        let touched = blocks_touched(source, target, &chunks)?;
        let all = touched.as_ref().map_or(all, |touched| touched.len() as f64);
        let mut done = 0.0;
        let mut each = |index: &[u64]| {
            progress.check()?;
            let spans = (0..index.len()).map(|d| {
                let first = index[d] * chunks[d];
                let last = (first + chunks[d]).min(counts[d]) - 1;
                let start = grid.chunk(d, first).map_or(0, |(start, _)| start);
                let end =
                    grid.chunk(d, last).map_or(shape[d], |(start, n)| start.saturating_add(n));
                Span { start, count: end.min(shape[d]) - start, step: 1 }
            });
            let region = Region::from_spans(spans);
            if !resumes || !all_stored(target, &region)? {
                match source.metadata().data_type.is_variable() {
                    true => source.copy_to(target, &region)?,
                    false => source.copy_through(target, &region, memory, progress)?,
                }
            }
            done += 1.0;
            progress.report(from + part * done / all, || {
                format!("{}: {done} of {all} blocks", self.path)
            })
        };
        if let Some(touched) = touched {
            return touched.iter().try_for_each(|index| each(index));
        }
        let mut index = vec![0u64; blocks.len()];
        loop {
            each(&index)?;
            let next = (0..index.len()).rev().find(|&d| index[d] + 1 < blocks[d]);
            let Some(d) = next else { return Ok(()) };
            index[d] += 1;
            index[d + 1..].fill(0);
        }
    }

    /// Fails if something is in the way.
    fn check_absent(&self) -> Result<()> {
        let store = self.to.store();
        let mut found = None;
        for key in &self.document_keys {
            if store.version(&Key::trusted(key.clone()))?.is_some() {
                found = Some(key.clone());
            }
        }
        if found.is_none() && self.to.kind_at(self.path)?.is_some() {
            found = Some(self.path.to_string());
        }
        if found.is_none() {
            self.target.for_each_stored(&mut |_, key| {
                found = Some(key.to_string());
                Ok(())
            })?;
        }
        match found {
            None => Ok(()),
            Some(what) => Err(Error::new(
                Kind::AlreadyExists,
                format!("{what} already exists in store {}", store.name()),
            )),
        }
    }

    fn note_key(&self) -> Key {
        Key::trusted([&self.prefix, NOTE].concat())
    }

    fn read_note(&self) -> Result<Option<Note>> {
        let mut text = Vec::new();
        if self.to.store().get(&self.note_key(), &mut text)?.is_none() {
            return Ok(None);
        }
        let note = crate::metadata::from_json(&text);
        note.map(Some).map_err(|e| Error::metadata(format!("{}: {e}", self.note_key())))
    }

    fn write_note(&self) -> Result<()> {
        let text = serde_json::to_vec(&self.note)
            .map_err(|e| Error::new(Kind::Internal, format!("the note: {e}")))?;
        self.to.store().set(&self.note_key(), &[&text], &Precondition::None)
    }

    fn clean_up(&self) -> Result<()> {
        if self.note.scratch.is_some() {
            self.to.store().erase_prefix(&[&self.prefix, SCRATCH].concat())?;
        }
        self.to.store().erase(&self.note_key(), &Precondition::None).map(|_| ())
    }
}

/// An array brought over into another one.
struct Pass<'a> {
    source: &'a Array,
    target: &'a Array,
    /// The shape of a block.
    block: Vec<u64>,
    /// Bytes of a block.
    bytes: u64,
    from: f64,
    part: f64,
}

impl Pass<'_> {
    /// Memory for its blocks.
    fn memory(&self) -> Result<Block> {
        Block::new(usize::try_from(self.bytes).unwrap_or(usize::MAX))
    }
}

fn all_stored(target: &Array, region: &Region) -> Result<bool> {
    for index in target.chunks_touched(region)? {
        if !target.is_chunk_stored(&index)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The blocks of `chunks` target chunks each that have something to bring over: where nothing is
/// stored, both arrays read as the same fill value. `None`: all of them.
fn blocks_touched(
    source: &Array,
    target: &Array,
    chunks: &[u64],
) -> Result<Option<BTreeSet<Vec<u64>>>> {
    let (from, to) = (source.metadata(), target.metadata());
    if from.fill_element() != to.fill_element() || target.writes_empty_chunks() {
        return Ok(None);
    }
    let stored = match source.stored_chunks() {
        Err(e) if e.kind() == Kind::Unsupported => return Ok(None), // the store lists nothing
        stored => stored?,
    };
    let mut touched = BTreeSet::new();
    for index in stored {
        let Some(region) = source.region_of_chunk(&index) else { continue };
        for chunk in target.chunks_touched(&region)? {
            touched.insert(chunk.iter().zip(chunks).map(|(&i, &n)| i / n).collect());
        }
    }
    Ok(Some(touched))
}
