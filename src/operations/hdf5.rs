//! A hierarchy as a new HDF5 file, laid out as netCDF-4 reads it too: groups, datasets, attributes,
//! and dimension scales where dimensions have names.
//!
//! 1. Every node is read and expressed in HDF5 ([`Exported`]), before anything is written.
//! 2. All is written to a file beside the target, elements in blocks of whole chunks.
//! 3. That is given the target's name once it is complete: whoever is killed leaves the old one.

use super::dimensions::Dimensions;
use super::export::{ExportOptions, Notes};
use crate::array::MemoryType;
use crate::error::{Context, Error, Kind, Result};
use crate::exec::Block;
use crate::format::NodeKind;
use crate::hdf5::write::{self, Layout, NewFile};
use crate::hdf5::{Id, new_type, session};
use crate::hierarchy::{ArrayNode, Hierarchy, NodeAttributes};
use crate::metadata::fill::{self, Style};
use crate::metadata::{Attributes, DataType, Endian, FillValue, NodePath, TimeUnit, cf};
use crate::progress::Progress;
use crate::selection::{Region, Span};
use crate::strided::ViewMut;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes that a block of elements has where the caller does not say how many.
const MEMORY: u64 = 64 << 20;

/// What an element of variable length is taken to have.
const GUESSED: usize = 64;

/// HDF5's own bounds: dimensions, and bytes of a chunk.
const MAX_RANK: usize = 32;
const MAX_CHUNK: u64 = (1 << 32) - 1;

/// The level of deflate where the source has another compressor.
const LEVEL: u32 = 4;

/// One array, as HDF5 has it.
struct Exported {
    /// In the file.
    path: String,
    node: ArrayNode,
    names: Vec<Option<String>>,
    /// What it says of itself, beside its dimensions and missing value.
    attributes: Attributes,
    missing: Option<FillValue>,
}

/// A file that is deleted unless it is complete.
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// See [`export_hdf5`](super::export_hdf5).
pub fn run(
    from: &Arc<Hierarchy>,
    path: &NodePath,
    file: &Path,
    options: &ExportOptions,
    progress: &Progress<'_>,
) -> Result<Notes> {
    let place = || format!("HDF5 file {}", file.display());
    let mut export = Export { notes: Vec::new(), losses: Vec::new(), options };
    let mut groups: Vec<(String, Option<Attributes>)> = Vec::new();
    let mut arrays = Vec::new();
    let is_array = from.kind_at(path)? == Some(NodeKind::Array);
    if is_array {
        let name = if path.is_root() { "data" } else { path.name() };
        arrays.extend(export.array(from, path, name)?);
    } else {
        let top = from.open_group(path)?;
        groups.push((String::new(), Some(all(top.attributes())?)));
        for child in top.list(true)? {
            let at = path.join(&child.path)?;
            match child.kind {
                Some(NodeKind::Group) => {
                    let group = from.open_group(&at)?;
                    groups.push((child.path, Some(all(group.attributes())?)));
                }
                _ => arrays.extend(export.array(from, &at, &child.path)?),
            }
        }
    }
    if !export.losses.is_empty() && !options.losses {
        let lost: Vec<String> =
            export.losses.iter().map(|(path, what)| format!("{path}: {what}")).collect();
        return Err(Error::unsupported(format!("nothing was written: {}", lost.join("; "))));
    }
    if !options.replace && file.symlink_metadata().is_ok() {
        return Err(Error::new(Kind::AlreadyExists, "there is such a file already")).at(place);
    }
    let unfinished = beside(file)?;
    let written = export.write(&unfinished.0, &groups, &arrays, progress);
    written.at(place)?;
    finish(&unfinished.0, file, options.replace).at(place)?;
    Ok([export.notes, export.losses].concat())
}

fn all(attributes: &NodeAttributes) -> Result<Attributes> {
    attributes.read(|all| Ok(all.clone()))
}

/// A name beside a file that nobody else has.
fn beside(file: &Path) -> Result<Unfinished> {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = file.file_name().ok_or_else(|| Error::invalid("the path names no file"))?;
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!(".zarrc-{}-{}-{number}.tmp", name.to_string_lossy(), std::process::id());
    Ok(Unfinished(file.with_file_name(name)))
}

/// Gives a complete file its name.
fn finish(complete: &Path, file: &Path, replace: bool) -> Result<()> {
    let failed = |doing: &'static str| move |e: std::io::Error| Error::io(doing, &e);
    let written = std::fs::File::open(complete).map_err(failed("opening what was written"))?;
    written.sync_all().map_err(failed("syncing the file"))?;
    match replace {
        true => std::fs::rename(complete, file).map_err(failed("naming the file")),
        // refuses where somebody else was faster
        false => std::fs::hard_link(complete, file).map_err(failed("naming the file")),
    }
}

struct Export<'a> {
    notes: Notes,
    losses: Notes,
    options: &'a ExportOptions,
}

impl Export<'_> {
    fn note(&mut self, path: &str, what: impl Into<String>) {
        self.notes.push((path.to_owned(), what.into()));
    }

    fn lose(&mut self, path: &str, what: impl Into<String>) {
        self.losses.push((path.to_owned(), what.into()));
    }

    /// What an array becomes; `None`: nothing, which is a loss.
    fn array(
        &mut self,
        from: &Arc<Hierarchy>,
        at: &NodePath,
        path: &str,
    ) -> Result<Option<Exported>> {
        let node = from.open_array(at)?;
        let metadata = node.array.metadata();
        let (data_type, rank) = (metadata.data_type.clone(), node.array.rank());
        let known = {
            let s = session()?;
            new_type::of(&s, &data_type).map(drop)
        };
        let fits = match known {
            Err(e) if e.kind() == Kind::Unsupported => Err(e),
            Err(e) => return Err(e),
            Ok(()) if rank > MAX_RANK => Err(Error::unsupported(format!(
                "it has {rank} dimensions, HDF5 has {MAX_RANK} at most"
            ))),
            Ok(()) => Ok(()),
        };
        if let Err(e) = fits {
            self.lose(path, format!("is left out: {e}"));
            return Ok(None);
        }
        for loss in from.store().losses(at.as_str())? {
            self.lose(path, loss);
        }
        let mut attributes = all(node.attributes())?;
        let missing = node.format.missing_value(metadata, &attributes);
        attributes.remove(cf::MISSING);
        let mut names = metadata.dimension_names.clone();
        if names.is_none() {
            names = node.format.take_dimension_names(&mut attributes, rank);
        }
        match &data_type {
            DataType::FixedUtf32(_) => self.note(path, "texts become UTF-8 of any length"),
            DataType::Json => self.note(path, "JSON becomes text"),
            DataType::Bytes => self.note(path, "bytes become runs of uint8"),
            DataType::SmallInt(small) => {
                self.note(path, format!("{} becomes integers of 8 bits", small.name()));
            }
            DataType::DateTime64(scale) | DataType::TimeDelta64(scale) => {
                let since = matches!(data_type, DataType::DateTime64(_));
                match cf_units(*scale, since) {
                    Some(units) if attributes.get("units").is_none() => {
                        self.note(path, format!("times become int64 in {units:?}"));
                        attributes.set("units", &Value::from(units).to_string())?;
                        if since && attributes.get("calendar").is_none() {
                            attributes.set("calendar", "\"proleptic_gregorian\"")?;
                        }
                    }
                    _ => self.lose(path, "times become int64, without their unit"),
                }
            }
            _ => {}
        }
        let missing = missing.filter(|_| data_type.number().is_some());
        let names = names.unwrap_or_else(|| vec![None; rank]);
        Ok(Some(Exported { path: path.to_owned(), node, names, attributes, missing }))
    }

    fn write(
        &mut self,
        path: &Path,
        groups: &[(String, Option<Attributes>)],
        arrays: &[Exported],
        progress: &Progress<'_>,
    ) -> Result<()> {
        let file = NewFile::create(&session()?, path)?;
        for (group, attributes) in groups {
            let s = session()?;
            let id = match group.is_empty() {
                true => file.open(&s, "")?,
                false => file.group(&s, group)?,
            };
            for (name, json) in attributes.iter().flat_map(Attributes::iter) {
                self.attribute(&s, &id, group, name, json, None)?;
            }
        }
        let mut dimensions = Dimensions::default();
        for array in arrays {
            dimensions.add(&array.path, &array.node.array.shape(), &array.names);
        }
        for (n, array) in arrays.iter().enumerate() {
            let done = |part: f64| (n as f64 + part) / arrays.len() as f64;
            self.dataset(&file, array, &mut |part| {
                progress.report(done(part), || array.path.clone())
            })
            .at(|| format!("array {}", array.path))?;
        }
        for (path, what) in dimensions.write(&file, &self.options.unlimited)? {
            self.note(&path, what);
        }
        file.close(&session()?)
    }

    fn attribute(
        &mut self,
        s: &crate::hdf5::Session,
        object: &Id,
        path: &str,
        name: &str,
        json: &str,
        data_type: Option<&DataType>,
    ) -> Result<()> {
        // CF wants these to be of the type of the elements
        let typed = ["missing_value", "valid_min", "valid_max", "valid_range", "flag_values"];
        let data_type = data_type.filter(|t| t.number().is_some() && typed.contains(&name));
        let value: Value = crate::metadata::json::read(name, json)?;
        if let Some(data_type) = data_type {
            let list = match &value {
                Value::Array(list) => list.clone(),
                one => vec![one.clone()],
            };
            let element = |one: &Value| -> Option<FillValue> {
                fill::parse(data_type, Endian::Little, &one.to_string(), Style::V2).ok()?
            };
            let elements: Option<Vec<FillValue>> = list.iter().map(element).collect();
            if let Some(elements) = elements {
                let mut bytes = Vec::new();
                for element in &elements {
                    bytes.extend_from_slice(&element.bytes()?);
                }
                let extents = [elements.len() as u64];
                return write::write_elements(s, object, name, data_type, &extents, &bytes);
            }
        }
        match write::write_json(s, object, name, &value) {
            Ok(true) => {}
            Ok(false) => self.note(path, format!("attribute {name:?} becomes JSON in a text")),
            Err(e) => return Err(e).at(|| format!("attribute {name:?}")),
        }
        Ok(())
    }

    fn dataset(
        &mut self,
        file: &NewFile,
        exported: &Exported,
        report: &mut dyn FnMut(f64) -> Result<()>,
    ) -> Result<()> {
        let array = &exported.node.array;
        let metadata = array.metadata();
        let shape = array.shape();
        let data_type = &metadata.data_type;
        let variable = data_type.is_variable() || matches!(data_type, DataType::FixedUtf32(_));
        let unlimited: Vec<bool> = exported
            .names
            .iter()
            .map(|name| name.as_ref().is_some_and(|name| self.options.unlimited.contains(name)))
            .collect();
        let packing = packing(&metadata.codecs);
        let is_cut = packing.deflate.is_some()
            || packing.checksum
            || unlimited.contains(&true)
            || array.chunk_shape().iter().zip(&shape).any(|(c, n)| c < n);
        let chunk = chunk_of(&array.chunk_shape(), &shape, &unlimited, data_type.size());
        let is_cut =
            is_cut && !shape.is_empty() && (!shape.contains(&0) || unlimited.contains(&true));
        if let (true, Some(other)) = (is_cut, &packing.instead_of) {
            self.note(&exported.path, format!("chunks are compressed by deflate, not {other}"));
        }
        let fill = metadata.fill_value.as_ref().filter(|_| !variable);
        let layout = Layout {
            shape: &shape,
            unlimited: &unlimited,
            chunk: is_cut.then_some(&chunk[..]),
            deflate: packing.deflate.filter(|_| !variable),
            checksum: packing.checksum && !variable,
            fill: fill.or(exported.missing.as_ref()).filter(|_| !variable),
        };
        let (dataset, kind) = {
            let s = session()?;
            let kind = new_type::of(&s, data_type)?;
            let dataset = file.dataset(&s, &exported.path, &kind, &layout)?;
            if let Some(missing) = exported.missing.as_ref() {
                let bytes = missing.bytes()?;
                write::write_elements(&s, &dataset, cf::MISSING, data_type, &[1], &bytes)?;
            }
            for (name, json) in exported.attributes.iter() {
                self.attribute(&s, &dataset, &exported.path, name, json, Some(data_type))?;
            }
            (dataset, kind)
        };
        let size = if variable { GUESSED } else { data_type.size() };
        let memory = match self.options.memory {
            0 => MEMORY,
            n => n,
        };
        let skips = fill.is_some() || variable;
        for_each_block(&shape, &chunk, size, memory, &mut |start, count, done| {
            let spans = start.iter().zip(count);
            let spans = spans.map(|(&start, &count)| Span { start, count, step: 1 });
            let region = Region::from_spans(spans);
            if !skips || is_stored(array, &region)? {
                copy(&exported.node, &dataset, &kind, &region, (start, count))?;
            }
            report(done)
        })
    }
}

/// What a text of CF says of a unit of time; `None`: CF has no such unit.
fn cf_units(scale: crate::metadata::TimeScale, since: bool) -> Option<String> {
    let unit = match scale.unit {
        TimeUnit::Week | TimeUnit::Month | TimeUnit::Year | TimeUnit::Generic => return None,
        TimeUnit::Picosecond | TimeUnit::Femtosecond | TimeUnit::Attosecond => return None,
        TimeUnit::Day => "days",
        TimeUnit::Hour => "hours",
        TimeUnit::Minute => "minutes",
        TimeUnit::Second => "seconds",
        TimeUnit::Millisecond => "milliseconds",
        TimeUnit::Microsecond => "microseconds",
        TimeUnit::Nanosecond => "nanoseconds",
    };
    if scale.count != 1 {
        return None;
    }
    Some(match since {
        true => format!("{unit} since 1970-01-01"),
        false => unit.to_owned(),
    })
}

/// The filters that stand for a chain of codecs.
struct Packing {
    deflate: Option<u32>,
    checksum: bool,
    /// The compressor that deflate stands for.
    instead_of: Option<String>,
}

fn packing(codecs: &[crate::metadata::CodecSpec]) -> Packing {
    let mut packing = Packing { deflate: None, checksum: false, instead_of: None };
    for codec in codecs {
        let name = codec.name.trim_start_matches("numcodecs.");
        let level = codec.configuration.get("level").and_then(Value::as_u64);
        match name {
            "gzip" | "zlib" => packing.deflate = Some(level.unwrap_or(LEVEL.into()).min(9) as u32),
            "crc32c" | "crc32" | "adler32" | "fletcher32" | "jenkins_lookup3" => {
                packing.checksum = true;
            }
            "sharding_indexed" => {
                let inner = codec.configuration.get("codecs").and_then(Value::as_array);
                let inner = inner.into_iter().flatten();
                let inner: Vec<_> =
                    inner.filter_map(|c| crate::metadata::CodecSpec::from_json(c).ok()).collect();
                return self::packing(&inner);
            }
            "blosc" | "zstd" | "lz4" | "bz2" | "lzma" | "pcodec" | "zfp" | "zfpy" => {
                packing.deflate = Some(LEVEL);
                packing.instead_of = Some(name.to_owned());
            }
            _ => {}
        }
    }
    packing
}

/// A chunk that HDF5 allows: no longer than a dimension that cannot grow, below 4 GiB.
fn chunk_of(chunk: &[u64], shape: &[u64], unlimited: &[bool], item: usize) -> Vec<u64> {
    let mut chunk: Vec<u64> = chunk.to_vec();
    for d in 0..chunk.len() {
        if !unlimited.get(d).copied().unwrap_or(false) {
            chunk[d] = chunk[d].min(shape[d]);
        }
        chunk[d] = chunk[d].max(1);
    }
    let bytes = |chunk: &[u64]| chunk.iter().fold(item as u64, |n, &c| n.saturating_mul(c));
    while bytes(&chunk) > MAX_CHUNK {
        match chunk.iter_mut().max() {
            Some(longest) if *longest > 1 => *longest = longest.div_ceil(2),
            _ => break,
        }
    }
    chunk
}

/// Gets the start and count of a block, and the fraction done after it.
type EachBlock<'a> = dyn FnMut(&[u64], &[u64], f64) -> Result<()> + 'a;

/// Calls `each` for blocks of whole chunks of about `memory` bytes.
fn for_each_block(
    shape: &[u64],
    chunk: &[u64],
    item: usize,
    memory: u64,
    each: &mut EachBlock<'_>,
) -> Result<()> {
    if shape.contains(&0) {
        return Ok(());
    }
    let mut block = chunk.to_vec();
    for d in (0..shape.len()).rev() {
        let bytes = block.iter().fold(item.max(1) as u64, |n, &c| n.saturating_mul(c));
        let times = (memory / bytes.max(1)).clamp(1, shape[d].div_ceil(chunk[d]));
        block[d] = chunk[d].saturating_mul(times);
        if block[d] < shape[d] {
            break;
        }
    }
    let grid: Vec<u64> = shape.iter().zip(&block).map(|(n, b)| n.div_ceil(*b)).collect();
    let blocks = grid.iter().fold(1u64, |n, &g| n.saturating_mul(g));
    for n in 0..blocks {
        let mut rest = n;
        let mut start = vec![0; shape.len()];
        for d in (0..shape.len()).rev() {
            start[d] = rest % grid[d] * block[d];
            rest /= grid[d];
        }
        let ends = start.iter().zip(&block).zip(shape);
        let count: Vec<u64> = ends.map(|((a, b), n)| *b.min(&(n - a))).collect();
        each(&start, &count, (n + 1) as f64 / blocks as f64)?;
    }
    Ok(())
}

/// Whether any chunk that a region touches is there.
fn is_stored(array: &crate::array::Array, region: &Region) -> Result<bool> {
    for chunk in array.chunks_touched(region)? {
        if array.is_chunk_stored(&chunk)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Copies a box.
fn copy(
    node: &ArrayNode,
    dataset: &Id,
    kind: &Id,
    region: &Region,
    place: (&[u64], &[u64]),
) -> Result<()> {
    let array = &node.array;
    let data_type = &array.metadata().data_type;
    if data_type.is_variable() {
        let values = array.read_vlen(region)?;
        let item = match data_type {
            DataType::Bytes => Some(1),
            DataType::Ragged(of) => Some(of.size()),
            _ => None,
        };
        let (offsets, bytes) = (values.offsets(), values.bytes());
        return write::write_variable(&session()?, dataset, kind, place, offsets, bytes, item);
    }
    let item = data_type.size();
    let counts: Vec<usize> = place.1.iter().map(|&n| n as usize).collect();
    let bytes = counts.iter().try_fold(item, |n, &c| n.checked_mul(c));
    let bytes = bytes.ok_or_else(|| {
        Error::new(Kind::LimitExceeded, "a block has more bytes than can be counted")
    })?;
    let mut block = Block::new(bytes)?;
    array.read(region, MemoryType::Native, ViewMut::contiguous(&mut block, &counts, item)?)?;
    if let DataType::FixedUtf32(_) = data_type {
        let (offsets, text) = utf8_of(&block, item)?;
        return write::write_variable(&session()?, dataset, kind, place, &offsets, &text, None);
    }
    write::write_fixed(&session()?, dataset, kind, place, &block)
}

/// Texts of UCS-4 code units, padded with NULs, as UTF-8.
fn utf8_of(elements: &[u8], item: usize) -> Result<(Vec<u64>, Vec<u8>)> {
    let (mut offsets, mut text) = (vec![0], Vec::new());
    for element in elements.chunks_exact(item.max(4)) {
        let units = element.chunks_exact(4).map(|unit| {
            let mut bytes = [0; 4];
            bytes.copy_from_slice(unit);
            u32::from_ne_bytes(bytes)
        });
        let units: Vec<u32> = units.collect();
        let end = units.iter().rposition(|&unit| unit != 0).map_or(0, |last| last + 1);
        for &unit in &units[..end] {
            let c = char::from_u32(unit)
                .ok_or_else(|| Error::corrupt(format!("{unit:#x} is no character")))?;
            text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        offsets.push(text.len() as u64);
    }
    Ok((offsets, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_whole_chunks_and_cover_all() {
        for (shape, chunk, memory) in [
            (&[10u64, 7][..], &[3u64, 2][..], 1u64),
            (&[10, 7], &[3, 2], 30),
            (&[10, 7], &[3, 2], 1 << 20),
            (&[], &[], 1),
        ] {
            let mut seen = 0;
            for_each_block(shape, chunk, 1, memory, &mut |start, count, _| {
                assert!(start.iter().zip(chunk).all(|(a, c)| a % c == 0));
                seen += count.iter().product::<u64>();
                Ok(())
            })
            .expect("good");
            assert_eq!(seen, shape.iter().product::<u64>());
        }
    }

    #[test]
    fn chunks_are_such_as_hdf5_allows() {
        assert_eq!(chunk_of(&[4, 100], &[10, 7], &[], 8), [4, 7]);
        assert_eq!(chunk_of(&[4, 100], &[10, 7], &[false, true], 8), [4, 100]);
        assert_eq!(chunk_of(&[1 << 20, 1 << 20], &[1 << 20, 1 << 20], &[], 1), [1 << 16, 1 << 15]);
    }
}
