//! Reading and writing elements of variable length: the two ends of a call, which convert between
//! references and offsets into bytes. Everything between is shared with all other types.

use super::plan::Between;
use super::write::Target;
use super::{Array, Extent};
use crate::error::{Context, Error, Kind, Result};
use crate::exec::{self, Block, Buffer, WORTH_SHARING};
use crate::heap::{Contents, Heap, Reference};
use crate::lock::Acquire;
use crate::metadata::{DataType, quote_bare_numbers};
use crate::progress::Progress;
use crate::selection::{Region, Selection};
use crate::source::append;
use crate::strided::{Extents, Strides, View, ViewMut};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::sync::Mutex;

/// Elements of variable length, in C order: element `i` is `bytes[offsets[i]..offsets[i + 1]]`.
pub struct Variable {
    offsets: Vec<u64>,
    bytes: Block,
}

impl Variable {
    /// One number more than elements; the first is 0.
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// The bytes of all of them.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Concatenates what `references` refer to.
    fn gather(references: &[u8], contents: &Contents<'_>, threads: usize) -> Result<Self> {
        let count = references.len() / Reference::SIZE;
        let mut offsets = Vec::new();
        let too_many = || exec::out_of_memory(count.saturating_mul(size_of::<u64>()));
        offsets.try_reserve_exact(count + 1).map_err(|_| too_many())?;
        let mut end = 0u64;
        offsets.push(end);
        for reference in references.chunks_exact(Reference::SIZE) {
            end = end.saturating_add(Reference::from_bytes(reference).len() as u64);
            offsets.push(end);
        }
        let size = usize::try_from(end).map_err(|_| exec::out_of_memory(usize::MAX))?;
        let mut bytes = Block::new(size)?;
        let threads = if (size as u64) < WORTH_SHARING { 1 } else { threads };
        let parts = if threads > 1 { threads * 4 } else { 1 };
        let range = |part: usize| count * part / parts..count * (part + 1) / parts;
        // each thread gets a part of the elements with its part of the bytes
        let mut jobs = Vec::with_capacity(parts);
        let mut rest = &mut bytes[..];
        for part in 0..parts {
            let Range { start, end } = range(part);
            let (own, others) = rest.split_at_mut((offsets[end] - offsets[start]) as usize);
            jobs.push(Mutex::new(own));
            rest = others;
        }
        exec::run(threads, parts, &|part| {
            let Range { start, end } = range(part);
            let mut out = jobs[part].acquire();
            let mut at = 0;
            let own = &references[start * Reference::SIZE..end * Reference::SIZE];
            for reference in own.chunks_exact(Reference::SIZE) {
                let element = contents.get(Reference::from_bytes(reference))?;
                out[at..at + element.len()].copy_from_slice(element);
                at += element.len();
            }
            Ok(())
        })?;
        drop(jobs);
        Ok(Variable { offsets, bytes })
    }
}

impl Array {
    /// Fails for an array of fixed-size elements.
    pub(crate) fn check_variable(&self) -> Result<()> {
        let data_type = &self.metadata.data_type;
        match data_type.is_variable() {
            true => Ok(()),
            false => Err(Error::new(
                Kind::TypeMismatch,
                format!(
                    "array {}: its elements ({}) have a fixed size: use zarrc_array_read() and \
                     zarrc_array_write()",
                    self.path,
                    data_type.name()
                ),
            )),
        }
    }

    /// Reads `region` of an array of variable-length elements. [`Kind::TypeMismatch`]: elements
    /// have a fixed size.
    pub fn read_vlen(&self, region: &Region) -> Result<Variable> {
        self.read_selection_vlen(&self.selection_of(region), &Progress::silent())
    }

    /// Reads a selection of such an array, in C order of the selection's shape.
    pub fn read_selection_vlen(
        &self,
        selection: &Selection,
        progress: &Progress<'_>,
    ) -> Result<Variable> {
        self.check_variable()?;
        let place = || format!("array {}", self.path);
        let pick = selection.pick(&self.shape()).at(place)?;
        let counts = extents(&selection.shape())?;
        let count = counts.iter().product::<usize>();
        let size = count.checked_mul(Reference::SIZE).ok_or_else(too_many)?;
        let mut references = Block::new(size)?;
        let dst = ViewMut::contiguous(&mut references, &counts, Reference::SIZE)?;
        let fill = self.chain.chunk().fill.bytes()?;
        let heap = Heap::new(&fill, &[]);
        let dst = selection.view_mut(dst)?;
        self.read_elements(&pick, Between::references(&heap), dst, progress)?;
        if self.metadata.data_type == DataType::Json {
            quote_words(&mut references, &heap).at(place)?;
        }
        Variable::gather(&references, &heap.contents()?, self.settings.threads).at(place)
    }

    fn selection_of(&self, region: &Region) -> Selection {
        let mut selection = Selection::all(&self.shape());
        selection.set_region(region);
        selection
    }

    /// Writes `region` of an array of variable-length elements: in C order, element `i` is
    /// `bytes[offsets[i]..offsets[i + 1]]`. Checks all elements before it writes:
    /// [`Kind::InvalidArgument`] for offsets that decrease or exceed `bytes`, text that is not
    /// UTF-8, invalid runs and invalid JSON; [`Kind::LimitExceeded`] for an element of 4 GiB or
    /// more; [`Kind::TypeMismatch`]: elements have a fixed size.
    pub fn write_vlen(&self, region: &Region, offsets: &[u64], bytes: &[u8]) -> Result<()> {
        let selection = self.selection_of(region);
        self.write_selection_vlen(&selection, offsets, bytes, &Progress::silent())
    }

    /// Writes a region of the array as it will be with `extent`.
    pub fn write_vlen_ahead(
        &self,
        extent: &Extent,
        region: &Region,
        offsets: &[u64],
        bytes: &[u8],
    ) -> Result<()> {
        let mut selection = Selection::all(&extent.shape);
        selection.set_region(region);
        let extent = Arc::new(extent.clone());
        self.write_vlen_to(extent, &selection, offsets, bytes, &Progress::silent())
    }

    /// Writes a selection, in C order of its shape. Of several values for one element the last
    /// stays.
    pub fn write_selection_vlen(
        &self,
        selection: &Selection,
        offsets: &[u64],
        bytes: &[u8],
        progress: &Progress<'_>,
    ) -> Result<()> {
        self.write_vlen_to(self.extent(), selection, offsets, bytes, progress)
    }

    fn write_vlen_to(
        &self,
        extent: Arc<Extent>,
        selection: &Selection,
        offsets: &[u64],
        bytes: &[u8],
        progress: &Progress<'_>,
    ) -> Result<()> {
        self.check_variable()?;
        self.check_writable()?;
        let place = || format!("array {}", self.path);
        let pick = selection.pick(&extent.shape).at(place)?;
        let counts = extents(&selection.shape())?;
        let references = self.references(&counts, offsets, bytes).at(place)?;
        let src = selection.view(View::contiguous(&references, &counts, Reference::SIZE)?)?;
        let fill = self.chain.chunk().fill.bytes()?;
        let heap = Heap::new(&fill, bytes);
        // parts of such chunks are never collected
        let target = Target { extent, gathers: false };
        self.write_within(target, &pick, Between::references(&heap), &src, progress)
    }

    /// Writes one element to every element of a selection.
    pub fn fill_vlen(&self, selection: &Selection, element: &[u8]) -> Result<()> {
        self.check_variable()?;
        self.check_writable()?;
        let place = || format!("array {}", self.path);
        let pick = selection.pick(&self.shape()).at(place)?;
        check_element(&self.metadata.data_type, element).at(place)?;
        let reference = Reference::to_given(0, element.len())?.to_bytes();
        let counts = pick.counts()?;
        let strides = Strides::from_elem(0, counts.len());
        let src = View::strided(&reference, &counts, &strides, Reference::SIZE)?;
        let fill = self.chain.chunk().fill.bytes()?;
        let heap = Heap::new(&fill, element);
        self.write_elements(&pick, Between::references(&heap), &src, &Progress::silent())
    }

    fn references(&self, counts: &[usize], offsets: &[u64], bytes: &[u8]) -> Result<Block> {
        let count = counts.iter().product::<usize>();
        if offsets.len().checked_sub(1) != Some(count) {
            return Err(Error::invalid(format!(
                "{} offsets for {count} elements: expected one more than elements",
                offsets.len()
            )));
        }
        let mut references = Block::new(count.checked_mul(Reference::SIZE).ok_or_else(too_many)?)?;
        let pairs = offsets.iter().zip(&offsets[1..]);
        for (n, (to, (&start, &end))) in
            references.chunks_exact_mut(Reference::SIZE).zip(pairs).enumerate()
        {
            let reference = (|| {
                let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
                let element = range.and_then(|(start, end)| bytes.get(start..end));
                let element = element.ok_or_else(|| match end < start {
                    true => Error::invalid(format!("offsets decrease from {start} to {end}")),
                    false => Error::invalid(format!(
                        "offset {end} lies beyond the end: there are {} bytes",
                        bytes.len()
                    )),
                })?;
                check_element(&self.metadata.data_type, element)?;
                Reference::to_given(start as usize, element.len())
            })();
            let reference = reference.at(|| format!("element {}", place(n, counts)))?;
            to.copy_from_slice(&reference.to_bytes());
        }
        Ok(references)
    }
}

/// JSON elements may contain Python's NaN and infinities, which are not JSON: they become strings.
fn quote_words(references: &mut [u8], heap: &Heap<'_>) -> Result<()> {
    let contents = heap.contents()?;
    let mut quoted = Buffer::with_capacity(0)?;
    let number = heap.reserve()?;
    for place in references.chunks_exact_mut(Reference::SIZE) {
        let element = contents.get(Reference::from_bytes(place))?;
        if !element.iter().any(|b| matches!(b, b'N' | b'I')) {
            continue;
        }
        let text =
            std::str::from_utf8(element).map_err(|_| Error::corrupt("an element is not UTF-8"))?;
        if let Cow::Owned(text) = quote_bare_numbers(text) {
            let reference = Reference::new(number, quoted.len(), text.len())?;
            place.copy_from_slice(&reference.to_bytes());
            append(&mut quoted, text.as_bytes())?;
        }
    }
    heap.put(number, quoted);
    Ok(())
}

/// The index of element `n` of a box, for messages: "3", "[1, 0]".
fn place(mut n: usize, counts: &[usize]) -> String {
    if counts.len() < 2 {
        return n.to_string();
    }
    let mut index = vec![0; counts.len()];
    for (i, &count) in index.iter_mut().zip(counts).rev() {
        *i = n % count.max(1);
        n /= count.max(1);
    }
    format!("{index:?}")
}

#[cold]
fn too_many() -> Error {
    Error::new(Kind::LimitExceeded, "more elements than memory can refer to")
}

fn extents(shape: &[u64]) -> Result<Extents> {
    let counts: Option<Extents> = match shape.contains(&0) {
        // the product is 0 whatever the others are
        true => Some(shape.iter().map(|&n| n.min(1) as usize).collect()),
        false => shape.iter().map(|&n| usize::try_from(n).ok()).collect(),
    };
    let counts = counts.ok_or_else(too_many)?;
    let product = counts.iter().try_fold(1usize, |n, &count| n.checked_mul(count));
    product.map(|_| counts).ok_or_else(too_many)
}

/// Checks that the bytes are an element of this type; else [`Kind::InvalidArgument`] with the
/// reason.
pub fn check_element(data_type: &DataType, element: &[u8]) -> Result<()> {
    match data_type {
        DataType::String => std::str::from_utf8(element)
            .map(|_| ())
            .map_err(|e| Error::invalid(format!("not UTF-8 from byte {} on", e.valid_up_to()))),
        DataType::Ragged(of) if !element.len().is_multiple_of(of.size()) => {
            Err(Error::invalid(format!(
                "its size, {} bytes, is not a multiple of {}, the size of {}",
                element.len(),
                of.size(),
                of.name()
            )))
        }
        DataType::Json => serde_json::from_slice::<serde::de::IgnoredAny>(element)
            .map(|_| ())
            .map_err(|e| Error::invalid(format!("not JSON: {e}"))),
        _ => Ok(()),
    }
}
