//! How a dataset is stored: its extents, its filters, where its chunks lie; and its elements, read
//! by libhdf5 where they are not to be had otherwise.
#![allow(unsafe_code)] // calls of libhdf5

use super::element::Element;
use super::handle::{File, Id};
use super::library::{Session, session};
use crate::error::{Error, Kind, Result};
use crate::exec::Block;
use crate::metadata::{DataType, FillValue};
use crate::strided::swap_in_place;
use std::ffi::{c_int, c_uint, c_void};
use std::sync::OnceLock;

/// Bytes of a block of a dataset that HDF5 does not cut into chunks.
const BLOCK: u64 = 4 << 20;

/// Bytes that a chunk may have which is read by libhdf5.
const MAX_READ: u64 = 1 << 30;

/// Parameters of a filter that are looked at.
const MAX_PARAMETERS: usize = 32;

/// One filter of a dataset.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Its number, as HDF5 registers it.
    pub id: i32,
    /// Its parameters.
    pub parameters: Vec<u32>,
    /// Whether libhdf5 has it, or finds a plug-in.
    pub available: bool,
}

/// Where a dataset keeps its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// With the object itself.
    Compact,
    /// In one piece.
    Contiguous,
    /// In chunks.
    Chunked,
}

/// Where a chunk lies in the file, by its place in C order of the grid.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    place: u64,
    offset: u64,
    size: u64,
}

/// The chunks of a dataset, by place.
#[derive(Default)]
struct Table {
    chunks: Vec<Chunk>,
    /// Whether one of them was not put through all filters.
    masked: bool,
}

/// What a chunk's value is.
pub enum Part {
    /// A range of the file: offset and length.
    Range(u64, u64),
    /// What libhdf5 reads.
    Read,
}

/// A dataset, and what is known of it.
pub struct Storage {
    /// The dataset itself.
    pub dataset: Id,
    /// Its extents, and behind them those of its elements, if they are arrays.
    pub shape: Vec<u64>,
    /// The extents of a chunk, likewise.
    pub chunk: Vec<u64>,
    /// The type.
    pub element: Element,
    /// Where the elements are.
    layout: Layout,
    /// The filters, in the order in which they encode.
    pub filters: Vec<Filter>,
    /// What elements are that were never written; `None`: undefined.
    pub fill: Option<FillValue>,
    /// The chunks that there are; of a chunked dataset, looked up when they are first wanted.
    table: OnceLock<Table>,
    /// Where the elements begin that lie in one piece.
    offset: Option<u64>,
    /// Whether ranges of the file are the chunks, as long as all went through the filters.
    plain: bool,
    /// Dimensions of its dataspace: those of arrays in elements left out.
    rank: usize,
    /// The extents of its dataspace, which `shape` may exceed in unlimited dimensions.
    extents: Vec<u64>,
    unlimited: Vec<bool>,
}

impl Storage {
    /// What there is to know. [`Kind::Unsupported`]: Zarr has nothing like it, or libhdf5 has not
    /// the filters to read it.
    pub fn of(s: &Session, file: &File, dataset: Id) -> Result<Storage> {
        let f = &s.lib.f;
        // SAFETY: a dataset, and lists as large as is said.
        let (element, space, made) = unsafe {
            let file_type = Id::new(s, (f.H5Dget_type)(dataset.raw()), "the type")?;
            let element = Element::of(s, &file_type)?;
            let space = Id::new(s, (f.H5Dget_space)(dataset.raw()), "the dataspace")?;
            let made = Id::new(s, (f.H5Dget_create_plist)(dataset.raw()), "its properties")?;
            (element, space, made)
        };
        let Some(mut shape) = space.extents(s)? else {
            return Err(Error::unsupported("it is empty: it has not even a shape"));
        };
        let (rank, extents) = (shape.len(), shape.clone());
        let unlimited = space.unlimited(s, rank)?;
        // SAFETY: a list of a dataset.
        let (layout, outside) = unsafe {
            let layout = s.check((f.H5Pget_layout)(made.raw()), "the layout")?;
            (layout, s.check((f.H5Pget_external_count)(made.raw()), "the layout")?)
        };
        let layout = match layout {
            _ if outside > 0 => {
                return Err(Error::unsupported("its elements lie in other files"));
            }
            0 => Layout::Compact,
            1 => Layout::Contiguous,
            2 => Layout::Chunked,
            _ => return Err(Error::unsupported("it is put together from other datasets")),
        };
        let (filters, mut plain) = match layout {
            Layout::Chunked => filters(s, &made)?,
            _ => (Vec::new(), layout == Layout::Contiguous),
        };
        let variable = element.data_type.is_variable();
        plain &= element.exact && !variable && !file.has_user_block;
        let fill = fill(s, &made, &element)?;
        let size = element.size(s) as u64;
        let mut chunk = match layout {
            Layout::Chunked => {
                let mut chunk = vec![0u64; rank];
                let count = rank as c_int;
                // SAFETY: as many numbers as it has dimensions.
                let result = unsafe { (f.H5Pget_chunk)(made.raw(), count, chunk.as_mut_ptr()) };
                s.check(result, "the chunks")?;
                chunk
            }
            _ => blocks(&shape, if variable { 64 } else { size }, plain),
        };
        if chunk.contains(&0) {
            return Err(Error::corrupt("its chunks have no elements"));
        }
        let mut storage = Storage {
            offset: None,
            table: OnceLock::new(),
            shape: Vec::new(),
            chunk: Vec::new(),
            dataset,
            element,
            layout,
            filters,
            fill,
            plain,
            rank,
            extents,
            unlimited,
        };
        if layout == Layout::Contiguous {
            // SAFETY: a dataset.
            let offset = unsafe { (f.H5Dget_offset)(storage.dataset.raw()) };
            storage.offset = (offset != u64::MAX).then_some(offset);
        }
        shape.extend(&storage.element.extra);
        chunk.extend(storage.element.extra.iter().map(|&n| n.max(1)));
        (storage.shape, storage.chunk) = (shape, chunk);
        if !plain {
            storage.read_by_library()?;
        }
        Ok(storage)
    }

    /// Whether a dimension of it is unlimited.
    pub fn is_unlimited(&self) -> bool {
        self.unlimited.contains(&true)
    }

    /// Extends unlimited dimensions to the extents that they have in netCDF's data model, where
    /// all variables of a dimension share the longest; the fill value stands for the rest.
    pub fn extend(&mut self, extents: &[Option<u64>]) {
        let unlimited = self.shape.iter_mut().zip(&self.unlimited).zip(extents);
        for ((own, _), extent) in unlimited.filter(|((_, unlimited), _)| **unlimited) {
            *own = extent.map_or(*own, |extent| extent.max(*own));
        }
    }

    /// Has the elements read by libhdf5. [`Kind::Unsupported`]: it lacks a filter.
    pub fn read_by_library(&mut self) -> Result<()> {
        self.plain = false;
        self.check_filters()
    }

    /// Whether ranges of the file are the chunks, once `filters` are undone.
    pub fn is_plain(&self) -> Result<bool> {
        Ok(self.plain && !self.table()?.masked)
    }

    fn check_filters(&self) -> Result<()> {
        match self.filters.iter().find(|filter| !filter.available) {
            Some(filter) => Err(Error::unsupported(format!(
                "libhdf5 has no filter {}: install its plug-in, and let HDF5_PLUGIN_PATH name its \
                 directory",
                filter.id
            ))),
            None => Ok(()),
        }
    }

    fn table(&self) -> Result<&Table> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let table = match self.layout {
            Layout::Chunked => self.find_chunks(&session()?)?,
            _ => Table::default(),
        };
        if table.masked && self.plain {
            self.check_filters()?;
        }
        Ok(self.table.get_or_init(|| table))
    }

    fn find_chunks(&self, s: &Session) -> Result<Table> {
        let (shape, chunk) = (&self.shape[..self.rank], &self.chunk[..self.rank]);
        let mut list = ChunkList {
            grid: shape.iter().zip(chunk).map(|(n, c)| n.div_ceil(*c)).collect(),
            chunk,
            table: Table::default(),
            failed: false,
        };
        let f = &s.lib.f;
        if let Some(iterate) = s.lib.iterate_chunks {
            // SAFETY: the function is given what it expects; 0: the usual transfer.
            let result =
                unsafe { iterate(self.dataset.raw(), 0, add_chunk, (&raw mut list).cast()) };
            s.check(if list.failed { 0 } else { result }, "the chunks")?;
        } else {
            let mut count = 0;
            // SAFETY: a dataset and its dataspace.
            let space = unsafe {
                let space = Id::new(s, (f.H5Dget_space)(self.dataset.raw()), "the dataspace")?;
                let result = (f.H5Dget_num_chunks)(self.dataset.raw(), space.raw(), &mut count);
                s.check(result, "the chunks")?;
                space
            };
            let mut at = vec![0u64; self.rank];
            for n in 0..count {
                let (mut mask, mut offset, mut size) = (0, 0, 0);
                // SAFETY: as many numbers as it has dimensions.
                let result = unsafe {
                    (f.H5Dget_chunk_info)(
                        self.dataset.raw(),
                        space.raw(),
                        n,
                        at.as_mut_ptr(),
                        &mut mask,
                        &mut offset,
                        &mut size,
                    )
                };
                s.check(result, "the chunks")?;
                list.add(&at, mask, offset, size);
            }
        }
        if list.failed {
            return Err(Error::new(Kind::OutOfMemory, "there is no memory for the list of chunks"));
        }
        list.table.chunks.sort_unstable_by_key(|chunk| chunk.place);
        Ok(list.table)
    }

    /// Chunks along each dimension.
    pub fn grid(&self) -> Vec<u64> {
        self.shape.iter().zip(&self.chunk).map(|(n, c)| n.div_ceil(*c)).collect()
    }

    /// Whether all chunks are there.
    pub fn is_complete(&self) -> Result<bool> {
        let all = self.grid().iter().try_fold(1u64, |n, &count| n.checked_mul(count));
        Ok(match self.layout {
            Layout::Chunked => all == Some(self.table()?.chunks.len() as u64),
            Layout::Contiguous => all == Some(0) || self.offset.is_some(),
            Layout::Compact => true,
        })
    }

    /// Where the chunk at that index of the grid is; `None`: it was never written, or it lies
    /// outside of the shape.
    pub fn part(&self, index: &[u64]) -> Result<Option<Part>> {
        let grid = self.grid();
        if index.len() != grid.len() || index.iter().zip(&grid).any(|(i, n)| i >= n) {
            return Ok(None);
        }
        if self.layout == Layout::Chunked {
            let chunks = &self.table()?.chunks;
            let place = place(index, &grid);
            let Ok(n) = chunks.binary_search_by_key(&place, |chunk| chunk.place) else {
                return Ok(None);
            };
            return Ok(Some(match self.is_plain()? {
                true => Part::Range(chunks[n].offset, chunks[n].size),
                false => Part::Read,
            }));
        }
        let Some(offset) = self.offset else {
            return Ok((self.layout == Layout::Compact).then_some(Part::Read));
        };
        let inside = index.iter().zip(&self.chunk).zip(&self.shape);
        let whole = inside.clone().all(|((i, c), n)| (i + 1) * c <= *n);
        if !self.plain || !whole {
            return Ok(Some(Part::Read));
        }
        // of elements that are in the file, so their number does not overflow
        let item = self.element.data_type.size() as u64;
        let before = inside.fold(0u64, |at, ((i, c), n)| {
            at.saturating_mul(*n).saturating_add(i.saturating_mul(*c))
        });
        let size = self.chunk.iter().fold(item, |n, &c| n.saturating_mul(c));
        Ok(Some(Part::Range(offset.saturating_add(before.saturating_mul(item)), size)))
    }

    /// The indices of all chunks that there are.
    pub fn stored(&self) -> Result<impl Iterator<Item = Vec<u64>> + '_> {
        let grid = self.grid();
        let table = self.table()?;
        let all = match self.layout {
            Layout::Chunked => table.chunks.len() as u64,
            Layout::Contiguous if self.offset.is_none() => 0,
            _ => grid.iter().product(),
        };
        Ok((0..all).map(move |n| {
            let mut rest = match self.layout {
                Layout::Chunked => table.chunks[n as usize].place,
                _ => n,
            };
            let mut index = vec![0; grid.len()];
            for d in (0..grid.len()).rev() {
                index[d] = rest % grid[d];
                rest /= grid[d];
            }
            index
        }))
    }

    /// The chunk at an index, as its elements lie one after the other; of variable length, as
    /// numcodecs puts them together (a count, then each behind its length).
    pub fn read(&self, s: &Session, index: &[u64]) -> Result<Vec<u8>> {
        let chunk = &self.chunk[..self.rank];
        let start: Vec<u64> = index.iter().zip(chunk).map(|(i, c)| i * c).collect();
        let count: Vec<u64> = start
            .iter()
            .zip(chunk)
            .zip(&self.extents)
            .map(|((a, c), n)| *c.min(&(n - a)))
            .collect();
        let elements = chunk.iter().try_fold(1u64, |n, &c| n.checked_mul(c));
        let item = self.element.size(s);
        let bytes = elements.and_then(|n| n.checked_mul(item as u64)).filter(|&n| n <= MAX_READ);
        let bytes = bytes.ok_or_else(|| {
            let what =
                format!("a chunk that libhdf5 has to read may have {MAX_READ} bytes at most");
            Error::new(Kind::LimitExceeded, what)
        })?;
        // aligned for the pointers that libhdf5 writes
        let mut words: Vec<u64> = Vec::new();
        let len = (bytes as usize).div_ceil(8);
        words.try_reserve_exact(len).map_err(|_| crate::exec::out_of_memory(bytes as usize))?;
        words.resize(len, 0);
        if self.shape[..self.rank] != self.extents[..]
            && let Some(fill) = self.fill.as_ref().filter(|_| !self.element.data_type.is_variable())
        {
            let mut element = fill.clone().into_bytes()?;
            to_native(&self.element, &mut element)?; // and back
            let mut bytes = element.iter().cycle().copied();
            words.fill_with(|| {
                u64::from_ne_bytes(std::array::from_fn(|_| bytes.next().unwrap_or(0)))
            });
        }
        let memory = Id::space(s, chunk, &[])?;
        memory.select(s, &vec![0; self.rank], &count)?;
        let (dataset, data_type) = (self.dataset.raw(), self.element.memory.raw());
        let f = &s.lib.f;
        // SAFETY: the buffer has room for as many elements as the dataspace.
        unsafe {
            let file = Id::new(s, (f.H5Dget_space)(dataset), "the dataspace")?;
            file.select(s, &start, &count)?;
            let out = words.as_mut_ptr().cast();
            let result = (f.H5Dread)(dataset, data_type, memory.raw(), file.raw(), 0, out);
            s.check(result, "reading a chunk")?;
        }
        if !self.element.data_type.is_variable() {
            let mut out = Vec::new();
            crate::source::reserve(&mut out, bytes as usize)?;
            out.extend(words.iter().flat_map(|word| word.to_ne_bytes()).take(bytes as usize));
            return Ok(out);
        }
        let framed = frame(&self.element.data_type, &words);
        // SAFETY: what libhdf5 has just given memory for.
        unsafe {
            (f.H5Dvlen_reclaim)(data_type, memory.raw(), 0, words.as_mut_ptr().cast());
        }
        framed
    }
}

/// Elements of variable length as libhdf5 has read them: pointers to text, or lengths and pointers.
/// The texts and runs belong to libhdf5.
pub fn each_variable<'a>(
    data_type: &'a DataType,
    words: &'a [u64],
) -> impl Iterator<Item = &'a [u8]> {
    let (step, item) = match data_type {
        DataType::Ragged(of) => (2, of.size()),
        _ => (1, 0),
    };
    words.chunks_exact(step).map(move |words| match words {
        [0] | [0, _] | [_, 0] => &[][..],
        // SAFETY: a text of libhdf5's, which ends with a NUL.
        [text] => unsafe { std::ffi::CStr::from_ptr(*text as *const _).to_bytes() },
        // SAFETY: a run of libhdf5's, of that many elements.
        [len, run] => unsafe {
            std::slice::from_raw_parts(*run as *const u8, *len as usize * item)
        },
        _ => &[],
    })
}

fn frame(data_type: &DataType, words: &[u64]) -> Result<Vec<u8>> {
    let too_large =
        || Error::new(Kind::LimitExceeded, "an element, or a chunk of them, has 4 GiB or more");
    let word = |n: usize| u32::try_from(n).map(u32::to_le_bytes).map_err(|_| too_large());
    let count = each_variable(data_type, words).count();
    let size: usize = each_variable(data_type, words).map(|element| element.len() + 4).sum();
    let mut out = Vec::new();
    crate::source::reserve(&mut out, size + 4)?;
    out.extend(word(count)?);
    for element in each_variable(data_type, words) {
        out.extend(word(element.len())?);
        out.extend_from_slice(element);
    }
    Ok(out)
}

/// The place of an index in C order.
fn place(index: &[u64], grid: &[u64]) -> u64 {
    index.iter().zip(grid).fold(0, |at, (i, n)| at.saturating_mul(*n).saturating_add(*i))
}

struct ChunkList<'a> {
    grid: Vec<u64>,
    chunk: &'a [u64],
    table: Table,
    failed: bool,
}

impl ChunkList<'_> {
    fn add(&mut self, at: &[u64], mask: c_uint, offset: u64, size: u64) {
        let index: Vec<u64> = at.iter().zip(self.chunk).map(|(a, c)| a / c).collect();
        // those outside were left when the dataset shrank
        if offset == u64::MAX || index.iter().zip(&self.grid).any(|(i, n)| i >= n) {
            return;
        }
        self.table.masked |= mask != 0;
        self.failed |= self.table.chunks.try_reserve(1).is_err();
        if !self.failed {
            self.table.chunks.push(Chunk { place: place(&index, &self.grid), offset, size });
        }
    }
}

unsafe extern "C" fn add_chunk(
    at: *const u64,
    mask: c_uint,
    offset: u64,
    size: u64,
    out: *mut c_void,
) -> c_int {
    // SAFETY: libhdf5 hands the pointer on that it was given, and as many numbers as there are
    // dimensions.
    unsafe {
        let list = &mut *out.cast::<ChunkList<'_>>();
        list.add(std::slice::from_raw_parts(at, list.chunk.len()), mask, offset, size);
        if list.failed { -1 } else { 0 }
    }
}

/// The filters of a dataset, and whether they are all that has to be undone of each chunk.
fn filters(s: &Session, made: &Id) -> Result<(Vec<Filter>, bool)> {
    let f = &s.lib.f;
    let mut found = Vec::new();
    let mut options = 0;
    // SAFETY: a list of a dataset in chunks, and memory as large as is said.
    unsafe {
        for n in 0..s.check((f.H5Pget_nfilters)(made.raw()), "the filters")? {
            let (mut flags, mut config) = (0, 0);
            let mut parameters = vec![0; MAX_PARAMETERS];
            let mut count = parameters.len();
            let id = (f.H5Pget_filter2)(
                made.raw(),
                n as c_uint,
                &mut flags,
                &mut count,
                parameters.as_mut_ptr(),
                0,
                std::ptr::null_mut(),
                &mut config,
            );
            let id = s.check(id, "the filters")?;
            parameters.truncate(count);
            let available = (f.H5Zfilter_avail)(id) > 0;
            found.push(Filter { id, parameters, available });
        }
        s.check((f.H5Pget_chunk_opts)(made.raw(), &mut options), "the chunks")?;
    }
    // 2: chunks at the edge are not put through them
    Ok((found, options & 2 == 0))
}

/// What elements are that were never written.
fn fill(s: &Session, made: &Id, element: &Element) -> Result<Option<FillValue>> {
    let f = &s.lib.f;
    if element.data_type.is_variable() || !element.extra.is_empty() {
        return Ok(Some(element.data_type.zero()));
    }
    let mut defined = 0;
    // SAFETY: a list of a dataset, and a number.
    s.check(unsafe { (f.H5Pfill_value_defined)(made.raw(), &mut defined) }, "the fill value")?;
    if defined == 0 {
        return Ok(None);
    }
    let mut value = Block::new(element.size(s))?;
    let out = value.as_mut_ptr().cast();
    // SAFETY: as many bytes as an element has.
    let read = unsafe { (f.H5Pget_fill_value)(made.raw(), element.memory.raw(), out) };
    s.check(read, "the fill value")?;
    to_native(element, &mut value)?;
    Ok(Some(FillValue::new(&value)))
}

/// Brings elements that were read into this machine's byte order.
pub fn to_native(element: &Element, elements: &mut [u8]) -> Result<()> {
    match element.data_type.swap(element.order) {
        crate::strided::Swap::None => Ok(()),
        swap => swap_in_place(elements, element.data_type.size(), &swap),
    }
}

/// How elements that lie in one piece are cut: into runs of about [`BLOCK`] bytes, which divide the
/// extent if some that are not much smaller do, so that `even` the last is a range of the file.
fn blocks(shape: &[u64], item: u64, even: bool) -> Vec<u64> {
    let mut block: Vec<u64> = shape.iter().map(|&n| n.max(1)).collect();
    for d in 0..block.len() {
        let below = block[d + 1..].iter().fold(item.max(1), |n, &c| n.saturating_mul(c));
        let fits = (BLOCK / below).max(1);
        if fits < block[d] {
            let divides = (fits.div_ceil(16)..=fits).rev().find(|n| block[d].is_multiple_of(*n));
            block[d] = divides.filter(|_| even).unwrap_or(fits);
        }
        if below <= BLOCK {
            break;
        }
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_runs_that_divide_where_they_can() {
        assert_eq!(blocks(&[], 8, true), [0u64; 0]);
        assert_eq!(blocks(&[100, 5], 8, true), [100, 5]);
        assert_eq!(blocks(&[1 << 20, 4], 8, true), [1 << 17, 4]);
        assert_eq!(blocks(&[1000, 1000, 100], 4, true), [10, 1000, 100]);
        assert_eq!(blocks(&[7, 3000, 3000], 8, true), [1, 150, 3000]);
        assert_eq!(blocks(&[7, 3000, 3000], 8, false), [1, 174, 3000]);
        assert_eq!(blocks(&[999_983, 10], 8, true), [52_428, 10]);
        assert_eq!(blocks(&[0, 3], 8, true), [1, 3]);
    }
}
