//! Verbs that change a store: attrs, create, write, append, mv, rm.

use crate::failure::{DONE, Failure, Outcome, Result};
use crate::look;
use crate::npy;
use crate::output::{print, print_json};
use crate::pieces::{counts, in_c_order, room};
use crate::place::{Node, Place};
use crate::progress;
use crate::selection::Selected;
use crate::value;
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use zarrc::array::MemoryType;
use zarrc::format::{FormatId, parse_data_type};
use zarrc::hierarchy::{ArrayNode, ArraySpec, FillSpec};
use zarrc::metadata::{Attributes, CodecSpec, DataType, Endian, NodePath};
use zarrc::operations;
use zarrc::strided::{Extents, View, swap_in_place};

/// What `create` and others say about a new array.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Layout {
    /// Extents of a chunk, as 100,100; by default about 1 MiB
    #[arg(long, value_delimiter = ',')]
    chunks: Option<Vec<u64>>,
    /// Extents of a shard, which holds whole chunks
    #[arg(long, value_delimiter = ',')]
    shards: Option<Vec<u64>>,
    /// A codec, by its name or as NAME:{JSON}; given again, the next one; "none" for none
    #[arg(long = "codec", value_name = "CODEC")]
    codecs: Vec<String>,
    /// The fill value, as JSON
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    fill: Option<String>,
    /// Names of the dimensions, as time,y,x
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    dimensions: Option<Vec<String>>,
    /// The format: v3, v2, v1, n5; by default that of the store, else v3
    #[arg(long, value_parser = format)]
    format: Option<FormatId>,
    /// The order of the elements in a chunk: C or F
    #[arg(long, value_parser = ["C", "F"])]
    order: Option<String>,
    /// What stands between the numbers of a chunk's key: . or /
    #[arg(long)]
    separator: Option<char>,
}

/// A format by its short name.
pub fn format(name: &str) -> Result<FormatId, String> {
    match name.to_ascii_lowercase().as_str() {
        "v1" | "1" => Ok(FormatId::V1),
        "v2" | "2" => Ok(FormatId::V2),
        "v3" | "3" => Ok(FormatId::V3),
        "n5" => Ok(FormatId::N5),
        _ => Err("expected v1, v2, v3 or n5".into()),
    }
}

/// A codec: NAME, or NAME:{JSON}.
fn codec(text: &str) -> Result<CodecSpec> {
    let (name, json) = text.split_once(':').unwrap_or((text, "{}"));
    let configuration: Map<String, Value> = serde_json::from_str(json).map_err(|e| {
        Failure::usage(format!("--codec {text}: what follows the name is no JSON object: {e}"))
    })?;
    zarrc::codec::check_name(name)?;
    Ok(CodecSpec::new(name, configuration))
}

impl Layout {
    /// The format that is asked for.
    pub fn format(&self) -> Option<FormatId> {
        self.format
    }

    /// Makes what is asked for part of a description.
    pub fn apply(&self, spec: &mut ArraySpec) -> Result<()> {
        let rank = spec.shape.len();
        let fits =
            |name: &str, numbers: &[u64]| match numbers.len() == rank && !numbers.contains(&0) {
                true => Ok(numbers.to_vec()),
                false => Err(Failure::usage(format!(
                    "--{name}: expected {rank} extents greater than 0, one for each dimension"
                ))),
            };
        if let Some(chunks) = &self.chunks {
            spec.chunk_shape = Some(fits("chunks", chunks)?);
            spec.chunk_edges.clear();
        }
        if let Some(shards) = &self.shards {
            spec.shard_shape = Some(fits("shards", shards)?);
        }
        match &self.codecs[..] {
            [] => {}
            [none] if none == "none" => spec.codecs = Some(Vec::new()),
            codecs => {
                let codecs = codecs.iter().map(|text| codec(text));
                spec.codecs = Some(codecs.collect::<Result<_>>()?);
            }
        }
        if let Some(json) = &self.fill {
            serde_json::from_str::<Value>(json)
                .map_err(|e| Failure::usage(format!("--fill {json} is not JSON: {e}")))?;
            spec.fill_value = FillSpec::Json(json.clone());
        }
        if let Some(names) = &self.dimensions {
            if names.len() != rank {
                let what = format!("--dimensions: expected {rank} names");
                return Err(Failure::usage(what));
            }
            let name = |name: &String| (!name.is_empty()).then(|| name.clone());
            spec.dimension_names = Some(names.iter().map(name).collect());
        }
        spec.format = self.format.or(spec.format);
        if let Some(order) = &self.order {
            spec.fortran_order = order == "F";
        }
        spec.separator = self.separator.or(spec.separator);
        Ok(())
    }

    /// The same to the description of an array that is there. Other chunks without shards make an
    /// array without shards; in another format, codecs and separator are the usual ones.
    pub fn apply_to_existing(&self, spec: &mut ArraySpec) -> Result<()> {
        if self.chunks.is_some() {
            spec.shard_shape = None;
        }
        if self.format.is_some_and(|format| spec.format != Some(format)) {
            spec.codecs = None;
            spec.separator = None;
        }
        self.apply(spec)
    }
}

/// A value of an attribute: JSON, or else a text.
fn json_or_text(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(_) => text.trim().to_owned(),
        Err(_) => value::quote(text),
    }
}

/// `zarrc attrs get`
pub fn attrs_get(place: &Place, name: Option<&str>) -> Outcome {
    let node = place.node()?;
    match name {
        None => print_json(&look::attributes(node.attributes())?)?,
        Some(name) => {
            let text = node.attributes().read(|all| Ok(all.get(name).map(str::to_owned)))?;
            print(&text.ok_or_else(|| node.attributes().not_found(name))?)?;
        }
    }
    Ok(DONE)
}

/// `zarrc attrs set`
pub fn attrs_set(place: &Place, name: &str, text: &str) -> Outcome {
    let json = json_or_text(text);
    place.node()?.attributes().write(&mut |all| all.set(name, &json))?;
    place.close()?;
    Ok(DONE)
}

/// `zarrc attrs delete`
pub fn attrs_delete(place: &Place, name: &str) -> Outcome {
    let node = place.node()?;
    node.attributes().write(&mut |all| match all.remove(name) {
        true => Ok(()),
        false => Err(zarrc::error::Error::new(
            zarrc::error::Kind::NotFound,
            format!("there is no attribute {name:?}"),
        )),
    })?;
    place.close()?;
    Ok(DONE)
}

/// What `create` creates.
pub struct Created<'a> {
    /// A group instead of an array.
    pub group: bool,
    /// Extents of the array.
    pub shape: Option<&'a [u64]>,
    /// Its type.
    pub data_type: Option<&'a str>,
    /// All else.
    pub layout: &'a Layout,
    /// Attributes as a JSON object.
    pub attributes: Option<&'a str>,
    /// Whether what is there is deleted first.
    pub replace: bool,
}

/// `zarrc create`
pub fn create(place: &Place, new: &Created<'_>) -> Outcome {
    let attributes = match new.attributes {
        Some(json) => Attributes::parse(json.as_bytes())?,
        None => Attributes::default(),
    };
    let (hierarchy, path) = (&place.hierarchy, &place.path);
    if new.group {
        let group = match new.replace {
            true => hierarchy.replace_group(path, new.layout.format())?,
            false => hierarchy.create_group(path, new.layout.format())?,
        };
        if !attributes.is_empty() {
            group.attributes().write(&mut |all| {
                all.update(&attributes);
                Ok(())
            })?;
        }
    } else {
        let (Some(shape), Some(data_type)) = (new.shape, new.data_type) else {
            return Err(Failure::usage("an array takes --shape and --type, a group --group"));
        };
        let (data_type, endian) = parse_data_type(data_type)?;
        let mut spec = ArraySpec::new(data_type, shape.to_vec());
        spec.endian = endian;
        spec.attributes = attributes;
        new.layout.apply(&mut spec)?;
        match new.replace {
            true => hierarchy.replace_array(path, &spec)?,
            false => hierarchy.create_array(path, &spec)?,
        };
    }
    place.close()?;
    Ok(DONE)
}

/// The form of what is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Source {
    /// A file of NumPy
    Npy,
    /// The bytes in C order and the machine's byte order
    Raw,
    /// Lines with a comma between elements
    Csv,
}

/// What is written: elements that are read as they are wanted.
struct Input {
    reader: Box<dyn BufRead>,
    source: Source,
    /// The type of the elements in the file.
    data_type: DataType,
    endian: Endian,
    /// The shape of the file's array, with the first dimension fastest.
    fortran_order: bool,
    /// Cells of a CSV line that were not asked for yet, the last first.
    cells: Vec<String>,
}

/// A file, its form, and, of one that says it, its shape.
fn open_input(file: &Path, source: Option<Source>) -> Result<(Box<dyn BufRead>, Source)> {
    let extension = file.extension().and_then(|extension| extension.to_str());
    let source = source.unwrap_or(match extension {
        Some("csv" | "txt") => Source::Csv,
        Some("npy") => Source::Npy,
        _ if file == Path::new("-") => Source::Npy,
        _ => Source::Raw,
    });
    let reader: Box<dyn BufRead> = match file == Path::new("-") {
        true => Box::new(BufReader::with_capacity(1 << 18, io::stdin())),
        false => {
            let opened =
                File::open(file).map_err(Failure::io(format!("opening {}", file.display())))?;
            Box::new(BufReader::with_capacity(1 << 18, opened))
        }
    };
    Ok((reader, source))
}

/// Splits a line of CSV: cells in quotes may hold commas.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = line.trim_end_matches(['\n', '\r']).chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                cell.push('"');
                chars.next();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    cells.push(cell);
    cells
}

impl Input {
    /// The next elements, one after the other, in native byte order; and where each ends.
    fn next(&mut self, count: usize) -> Result<(Vec<u8>, Vec<u64>)> {
        let (mut bytes, mut offsets) = (Vec::new(), vec![0]);
        if self.source != Source::Csv {
            let item = self.data_type.size();
            bytes = room(count.checked_mul(item).ok_or_else(|| Failure::usage("too large"))?)?;
            self.reader.read_exact(&mut bytes).map_err(|e| match e.kind() {
                io::ErrorKind::UnexpectedEof => {
                    Failure::usage("the input ends before the array does")
                }
                _ => Failure::io("reading the input")(e),
            })?;
            if self.endian != Endian::NATIVE {
                swap_in_place(&mut bytes, item, &self.data_type.swap(self.endian))?;
            }
            return Ok((bytes, offsets));
        }
        for _ in 0..count {
            while self.cells.is_empty() {
                let mut line = String::new();
                let read = self.reader.read_line(&mut line);
                if read.map_err(Failure::io("reading the input"))? == 0 {
                    return Err(Failure::usage("the input ends before the array does"));
                }
                if !line.trim().is_empty() {
                    self.cells = cells(&line);
                    self.cells.reverse();
                }
            }
            let cell = self.cells.pop().unwrap_or_default();
            bytes.extend(value::parse(&self.data_type, &cell)?);
            offsets.push(bytes.len() as u64);
        }
        Ok((bytes, offsets))
    }

    /// Refuses what is left.
    fn finish(&mut self) -> Result<()> {
        let rest = self.reader.fill_buf().map_err(Failure::io("reading the input"))?;
        let is_space = self.source == Source::Csv && rest.iter().all(u8::is_ascii_whitespace);
        match (rest.is_empty() || is_space) && self.cells.is_empty() {
            true => Ok(()),
            false => Err(Failure::usage("the input holds more than the array takes")),
        }
    }
}

/// What is written where nothing is yet.
pub struct Shaped<'a> {
    /// The extents, where the file does not say them.
    pub shape: Option<&'a [u64]>,
    /// The type, where the file does not say it.
    pub data_type: Option<&'a str>,
    /// All else.
    pub layout: &'a Layout,
}

/// Opens a file to be written to an array that has `data_type`; the file's shape, if it says one.
fn input(
    file: &Path,
    source: Option<Source>,
    data_type: Option<&DataType>,
) -> Result<(Input, Option<Vec<u64>>)> {
    let (mut reader, source) = open_input(file, source)?;
    let (mut endian, mut fortran_order) = (Endian::NATIVE, false);
    let (data_type, shape) = match source {
        Source::Npy => {
            let header = npy::read(&mut reader)?;
            (endian, fortran_order) = (header.endian, header.fortran_order);
            (header.data_type, Some(header.shape))
        }
        _ => {
            let known = data_type.ok_or_else(|| {
                Failure::usage("there is no array yet: --type and --shape say what it is to be")
            })?;
            (known.clone(), None)
        }
    };
    if source == Source::Raw && data_type.is_variable() {
        let name = data_type.name();
        return Err(Failure::usage(format!("elements of type {name} are written from CSV")));
    }
    let cells = Vec::new();
    Ok((Input { reader, source, data_type, endian, fortran_order, cells }, shape))
}

/// The type that memory has while it is written, where it is another than the array's.
fn memory(from: &DataType, array: &ArrayNode) -> Result<MemoryType> {
    let stored = &array.array.metadata().data_type;
    if from == stored {
        return Ok(MemoryType::Native);
    }
    match (value::real(from), value::real(stored)) {
        (Some(number), Some(_)) => Ok(MemoryType::Number(number)),
        // bytes of a type that .npy files have no word for
        _ if matches!(from, DataType::Raw(size) if *size == stored.size() && !stored.is_variable()) => {
            Ok(MemoryType::Native)
        }
        _ => Err(Failure::usage(format!(
            "the input holds {}, the array {}",
            from.name(),
            stored.name()
        ))),
    }
}

/// `zarrc write`
pub fn write(place: &Place, file: &Path, source: Option<Source>, new: &Shaped<'_>) -> Outcome {
    let there = place.hierarchy.kind_at(&place.path)?.is_some();
    if there {
        let array = place.array()?;
        let selected = place.selected(&array)?;
        let known = array.array.metadata().data_type.clone();
        let (mut input, shape) = input(file, source, Some(&known))?;
        if let Some(shape) = shape.filter(|shape| *shape != selected.shape()) {
            let wanted = selected.shape();
            return Err(Failure::usage(format!("the file has shape {shape:?}, not {wanted:?}")));
        }
        fill(&array, &selected, &mut input)?;
        array.flush()?;
    } else {
        let given = new.data_type.map(parse_data_type).transpose()?;
        let (mut input, shape) = input(file, source, given.as_ref().map(|(known, _)| known))?;
        let shape = shape.or_else(|| new.shape.map(<[u64]>::to_vec));
        let shape = shape.ok_or_else(|| Failure::usage("--shape is missing"))?;
        let (data_type, endian) = given.unwrap_or((input.data_type.clone(), None));
        let mut spec = ArraySpec::new(data_type, shape);
        spec.endian = endian;
        new.layout.apply(&mut spec)?;
        let array = place.hierarchy.create_array(&place.path, &spec)?;
        fill(&array, &Selected::all(&spec.shape), &mut input)?;
        array.flush()?;
    }
    place.close()?;
    Ok(DONE)
}

/// Writes the input to what is selected.
fn fill(array: &ArrayNode, selected: &Selected, input: &mut Input) -> Result<()> {
    if input.fortran_order && selected.shape().len() > 1 {
        return fill_reversed(array, selected, input);
    }
    let variable = array.array.metadata().data_type.is_variable();
    let memory = memory(&input.data_type, array);
    progress::shown("writing", |progress| {
        in_c_order(&array.array, selected, &mut |piece, done| {
            let extents = counts(&piece.count)?;
            let (bytes, offsets) = input.next(extents.iter().product())?;
            let selection = piece.selected.to_library()?;
            if variable {
                memory_is_text(input)?;
                array.array.write_selection_vlen(&selection, &offsets, &bytes, progress)?;
            } else {
                let memory = memory.as_ref().map_err(|e| Failure::usage(e.to_string()))?;
                let src = View::contiguous(&bytes, &extents, input.data_type.size())?;
                array.array.write_selection(&selection, *memory, None, src, progress)?;
            }
            Ok(progress::report(progress, done)?)
        })
    })?;
    input.finish()
}

/// Elements of variable length come from CSV alone.
fn memory_is_text(input: &Input) -> Result<()> {
    match input.source {
        Source::Csv => Ok(()),
        _ => Err(Failure::usage("elements of variable length are written from CSV")),
    }
}

/// The same of a file whose first dimension varies fastest, which is read whole.
fn fill_reversed(array: &ArrayNode, selected: &Selected, input: &mut Input) -> Result<()> {
    let memory = memory(&input.data_type, array)?;
    let mut extents = counts(&selected.shape())?;
    let (bytes, _) = input.next(extents.iter().product())?;
    extents.reverse();
    let src = View::contiguous(&bytes, &extents, input.data_type.size())?.reversed_axes();
    progress::shown("writing", |progress| {
        let selection = selected.to_library()?;
        Ok::<_, Failure>(array.array.write_selection(&selection, memory, None, src, progress)?)
    })?;
    input.finish()
}

/// `zarrc append`: a block behind the array, all of it or none of it.
pub fn append(place: &Place, file: &Path, source: Option<Source>, axis: usize) -> Outcome {
    let array = place.array()?;
    let known = array.array.metadata().data_type.clone();
    let mut block = array.array.shape();
    if axis >= block.len() {
        let rank = block.len();
        return Err(Failure::usage(format!("--axis {axis}: the array has {rank} dimensions")));
    }
    let (mut input, shape) = input(file, source, Some(&known))?;
    let (bytes, offsets) = match shape {
        Some(shape) => {
            block = shape;
            input.next(counts(&block)?.iter().product())?
        }
        None => rest(&mut input, &mut block, axis)?,
    };
    input.finish()?;
    let mut extents: Extents = counts(&block)?.into();
    let item = input.data_type.size();
    if known.is_variable() {
        memory_is_text(&input)?;
        array.append(axis, &block, &|extent, region| {
            array.array.write_vlen_ahead(extent, region, &offsets, &bytes)
        })?;
    } else {
        let memory = memory(&input.data_type, &array)?;
        let src = match input.fortran_order {
            true => {
                extents.reverse();
                View::contiguous(&bytes, &extents, item)?.reversed_axes()
            }
            false => View::contiguous(&bytes, &extents, item)?,
        };
        array.append(axis, &block, &|extent, region| {
            array.array.write_ahead(extent, region, memory, &src)
        })?;
    }
    array.flush()?;
    place.close()?;
    Ok(DONE)
}

/// All that a file without a shape holds, whose extent along `axis` is as large as that makes it.
fn rest(input: &mut Input, block: &mut [u64], axis: usize) -> Result<(Vec<u8>, Vec<u64>)> {
    block[axis] = 1;
    let (mut bytes, mut offsets) = (Vec::new(), vec![0]);
    let row: usize = counts(block)?.iter().product();
    let mut rows = 0;
    while row > 0 && input.finish().is_err() {
        let before = bytes.len() as u64;
        let (more, ends) = input.next(row)?;
        bytes.extend(more);
        offsets.extend(ends[1..].iter().map(|end| end + before));
        rows += 1;
    }
    if axis > 0 && rows > 1 && block[..axis].iter().any(|&extent| extent > 1) {
        return Err(Failure::usage("several rows along an axis that is not the first take a .npy"));
    }
    block[axis] = rows;
    Ok((bytes, offsets))
}

/// `zarrc mv`
pub fn mv(place: &Place, to: &NodePath) -> Outcome {
    progress::shown("moving", |progress| {
        operations::move_node(&place.hierarchy, &place.path, to, progress)
    })?;
    place.close()?;
    Ok(DONE)
}

/// `zarrc rm`
pub fn rm(place: &Place, recursive: bool) -> Outcome {
    if let Node::Group(group) = place.node()?
        && !recursive
        && let Some(child) = group.list(false)?.first()
    {
        let what = format!("/{} holds {}: --recursive deletes both", place.path, child.path);
        return Err(Failure::usage(what));
    }
    place.hierarchy.delete(&place.path)?;
    place.close()?;
    Ok(DONE)
}
