//! The extent of an open array: what its document says now, and changing it. Every change applies
//! to the shape in the store, not to the one that this handle knows, under a lock that excludes
//! others who change it.

use super::consolidated::Changed;
use super::{ATTEMPTS, ArrayNode, Hierarchy};
use crate::array::{Array, Extent};
use crate::error::{Context, Error, Kind, Result};
use crate::format::{Change, NodeKind};
use crate::lock::Acquire;
use crate::metadata::{ArrayMetadata, NodeMetadata, NodePath};
use crate::selection::{Region, Span};
use crate::store::{Exclusive, Held, Key, Precondition, Version, exclusive};
use std::sync::{Arc, MutexGuard};

/// The document of an array as it is in the store.
struct Present {
    text: Vec<u8>,
    version: Version,
    extent: Extent,
}

/// Excludes others from changing the extent.
struct Turn<'a> {
    _others: Exclusive,
    _held: Option<Held>,
    _threads: Option<MutexGuard<'a, ()>>,
}

fn extents(shape: &[u64]) -> String {
    let extents: Vec<String> = shape.iter().map(u64::to_string).collect();
    if extents.is_empty() { "()".into() } else { extents.join(" x ") }
}

impl ArrayNode {
    fn place(&self) -> String {
        format!("array {}", self.hierarchy.place(self.array.path()))
    }

    fn document_key(&self) -> Result<String> {
        let path = self.array.path();
        let first = self.format.documents(path).into_iter().next();
        first.ok_or_else(|| self.hierarchy.not_found(path, "array"))
    }

    fn model(&self, text: &[u8]) -> Result<ArrayMetadata> {
        let NodeMetadata::Array(mut model) = self.format.parse(0, text)? else {
            return Err(Error::new(Kind::Conflict, "it has become a group"));
        };
        self.hierarchy.unpack(&*self.format, &self.attributes, &mut model)?;
        if !self.array.is_described_by(&model) {
            return Err(another());
        }
        Ok(*model)
    }

    /// The current document.
    fn present(&self) -> Result<Present> {
        let key = self.document_key()?;
        self.hierarchy.forget(&key)?;
        let Some((text, version)) = self.hierarchy.stored_document(&key)? else {
            return Err(self.hierarchy.not_found(self.array.path(), "array"));
        };
        let model = self.model(&text)?;
        let extent = Extent { shape: model.shape, grid: model.chunk_grid };
        Ok(Present { text, version, extent })
    }

    /// The document with another shape, and its parsed content.
    fn reshaped(&self, present: &Present, shape: &[u64]) -> Result<(Vec<u8>, Extent)> {
        let mut old = |_: &str| Ok(Some(present.text.clone()));
        let change = Change::Shape(shape);
        let text = self.format.change(self.array.path(), NodeKind::Array, change, &mut old)?.1;
        // the grid may have changed with the shape
        let model = self.model(&text)?;
        Ok((text, Extent { shape: model.shape, grid: model.chunk_grid }))
    }

    fn publish(&self, text: &[u8], over: &Present) -> Result<()> {
        let key = self.document_key()?;
        let when = Precondition::Version(over.version.clone());
        match self.hierarchy.store.set(&Key::trusted(key.clone()), &[text], &when) {
            // a request that was repeated because its response was lost finds its own result
            Err(e) if e.kind() == Kind::Conflict => match self.hierarchy.stored_document(&key)? {
                Some((now, _)) if now == text => Ok(()),
                _ => Err(e),
            },
            result => result,
        }
    }

    fn turn(&self) -> Result<Turn<'_>> {
        let hierarchy = &self.hierarchy;
        if hierarchy.store.read_only() {
            return Err(crate::store::refuse_change(&*hierarchy.store));
        }
        hierarchy.check_consolidated(&*self.format, self.array.path(), NodeKind::Array)?;
        let key = Key::trusted(self.document_key()?);
        let beside = match key.as_str().rsplit_once('/') {
            Some((parent, _)) => [parent, "/.zarrc-lock"].concat(),
            None => ".zarrc-lock".into(),
        };
        let others = exclusive(&hierarchy.store, &Key::trusted(beside))?;
        let held = hierarchy.store.hold(&key)?;
        let threads =
            matches!(others, Exclusive::OneWriter).then(|| hierarchy.extents.get().acquire());
        Ok(Turn { _others: others, _held: held, _threads: threads })
    }

    /// Calls `change` until no one has changed the document meanwhile. It returns the document that
    /// it stored, if any, for consolidated metadata.
    fn change<T>(
        &self,
        mut change: impl FnMut(&Present) -> Result<(T, Option<Vec<u8>>)>,
    ) -> Result<T> {
        let _turn = self.turn()?;
        let (result, stored) = self.attempt(&mut change)?;
        if let Some(text) = stored {
            let written = [(self.document_key()?, text)];
            let (path, changed) = (self.array.path(), Changed::Written(&written));
            self.hierarchy.documents_changed(&*self.format, path, NodeKind::Array, changed)?;
        }
        Ok(result)
    }

    fn attempt<T>(&self, change: &mut impl FnMut(&Present) -> Result<T>) -> Result<T> {
        let mut attempt = 1;
        loop {
            let present = self.present()?;
            match change(&present) {
                Err(e) if e.kind() == Kind::Conflict && attempt < ATTEMPTS => {
                    // only a changed document justifies a retry
                    if self.present()?.version == present.version {
                        return Err(e);
                    }
                    attempt += 1;
                }
                result => return result,
            }
        }
    }

    /// Adopts the shape in the store, and drops the cached attributes.
    pub fn refresh(&self) -> Result<()> {
        let hierarchy = &self.hierarchy;
        let _growth = self.array.settle_growth()?;
        let read = || {
            let path = self.array.path();
            hierarchy.forget(&path.prefix())?;
            let text = match hierarchy.stored_document(&self.document_key()?)? {
                Some((text, _)) => text,
                // an array that exists only in consolidated metadata
                None => match hierarchy.locate(path)? {
                    Some(located) => located.document,
                    None => return Err(hierarchy.not_found(path, "array")),
                },
            };
            let model = self.model(&text)?;
            let extent = Extent { shape: model.shape, grid: model.chunk_grid };
            self.array.drop_gathered_outside(&extent);
            self.array.set_extent(extent);
            self.attributes.forget(model.attributes);
            Ok(())
        };
        read().at(|| self.place())
    }

    /// Changes the shape, with the same rank. Elements outside a smaller shape are deleted;
    /// [`Kind::Conflict`]: some of them are unknown to this handle.
    pub fn resize(&self, shape: &[u64]) -> Result<()> {
        let known = self.array.shape();
        let resize = |present: &Present| {
            let stored = &present.extent.shape;
            let cut = stored.iter().zip(shape).position(|(old, new)| new < old);
            if let Some(d) = cut.filter(|_| *stored != known) {
                return Err(Error::new(
                    Kind::Conflict,
                    format!(
                        "its shape is now {}, this handle knows {}: the shape {} would delete {} \
                         of the {} elements in dimension {d}; to delete them, call \
                         zarrc_array_refresh() first",
                        extents(stored),
                        extents(&known),
                        extents(shape),
                        stored[d] - shape[d],
                        stored[d],
                    ),
                ));
            }
            self.reshape(present, shape)
        };
        if self.array.grow_later(shape) {
            return Ok(());
        }
        let _growth = self.settled()?;
        self.change(resize).at(|| self.place())
    }

    /// Makes the array at least as large as `shape` in every dimension.
    pub fn grow(&self, shape: &[u64]) -> Result<()> {
        if self.array.grow_later(shape) {
            return Ok(());
        }
        let _growth = self.settled()?;
        self.grow_stored(shape)
    }

    /// Makes the stored array as large as `grown`, another handle to it, which has no requests that
    /// this waits for.
    pub(super) fn grow_to_match(&self, grown: &Array) -> Result<()> {
        if !self.array.is_described_by(grown.metadata()) {
            return Err(another()).at(|| self.place());
        }
        self.grow_stored(&grown.shape())
    }

    /// Waits for requests, and stores a shape that was collected.
    fn settled(&self) -> Result<MutexGuard<'_, ()>> {
        self.array.settle_all();
        self.array.settle_growth()
    }

    fn grow_stored(&self, shape: &[u64]) -> Result<()> {
        let grow = |present: &Present| {
            let stored = &present.extent.shape;
            if stored.len() != shape.len() {
                return self.reshape(present, shape); // says what is wrong
            }
            let larger: Vec<u64> = stored.iter().zip(shape).map(|(&a, &b)| a.max(b)).collect();
            self.reshape(present, &larger)
        };
        self.change(grow).at(|| self.place())
    }

    /// The elements first, then the document: a document that is behind hides nothing that was
    /// visible, and one that is ahead would show what is about to be deleted.
    fn reshape(&self, present: &Present, shape: &[u64]) -> Result<((), Option<Vec<u8>>)> {
        let (text, extent) = self.reshaped(present, shape)?;
        let differs = extent.shape != present.extent.shape;
        if differs {
            self.array.clear_outside(&present.extent, &extent)?;
            self.publish(&text, present)?;
        }
        self.array.set_extent(extent);
        Ok(((), differs.then_some(text)))
    }

    /// Makes the array `steps` long along its first dimension, whose elements are stored already,
    /// and returns its document and the key of that, for consolidated metadata. The extent in
    /// memory stays. [`Kind::Conflict`]: the array does not have the `known` steps any more.
    fn lengthen(&self, known: u64, steps: u64) -> Result<(String, Vec<u8>)> {
        let lengthen = |present: &Present| {
            let mut shape = present.extent.shape.clone();
            if shape.first() != Some(&known) {
                return Err(Error::new(
                    Kind::Conflict,
                    format!(
                        "its shape is now {}, this writer made it {known} long: another one \
                         changes it",
                        extents(&shape)
                    ),
                ));
            }
            if known == steps {
                return Ok(present.text.clone());
            }
            shape[0] = steps;
            let (text, _) = self.reshaped(present, &shape)?;
            self.publish(&text, present)?;
            Ok(text)
        };
        let changed = || {
            let _turn = self.turn()?;
            let text = self.attempt(&mut { lengthen })?;
            Ok((self.document_key()?, text))
        };
        changed().at(|| self.place())
    }

    /// Appends a block of `count` elements along `axis`: calls `write` with its place in the array
    /// as it will be, then changes the shape. Returns where the block begins along `axis`.
    pub fn append(
        &self,
        axis: usize,
        count: &[u64],
        write: &dyn Fn(&Extent, &Region) -> Result<()>,
    ) -> Result<u64> {
        self.append_ahead(axis, count, |extent, region, _| write(extent, region))
    }

    /// As [`Self::append`], for a block that is written through another handle: calls `write` with
    /// a node of the array as it will be, its document, and where the block begins.
    pub fn append_through(
        &self,
        axis: usize,
        count: &[u64],
        write: impl Fn(&Arc<Self>, &[u8], u64) -> Result<()>,
    ) -> Result<u64> {
        self.append_ahead(axis, count, |_, region, document| {
            let (path, format) = (self.array.path(), self.format.id());
            let grown = self.hierarchy.open_array_from_document(path, format, document)?;
            let grown = Arc::new(grown);
            let written = write(&grown, document, region.spans()[axis].start);
            // what it collected is written even after an error, when it will be outside the shape
            written.and(grown.flush())
        })
    }

    fn append_ahead(
        &self,
        axis: usize,
        count: &[u64],
        write: impl Fn(&Extent, &Region, &[u8]) -> Result<()>,
    ) -> Result<u64> {
        let append = |present: &Present| {
            let stored = &present.extent.shape;
            check_block(stored, axis, count)?;
            let first = stored[axis];
            let mut shape = stored.clone();
            shape[axis] = first.checked_add(count[axis]).ok_or_else(|| {
                Error::invalid(format!("count {} overflows dimension {axis}", count[axis]))
            })?;
            let spans = count.iter().enumerate().map(|(d, &count)| Span {
                start: if d == axis { first } else { 0 },
                count,
                step: 1,
            });
            let (text, extent) = self.reshaped(present, &shape)?;
            if count[axis] > 0 {
                write(&extent, &Region::from_spans(spans), &text)?;
                self.publish(&text, present)?;
            }
            self.array.set_extent(extent);
            Ok((first, (count[axis] > 0).then_some(text)))
        };
        let _growth = self.settled()?;
        self.change(append).at(|| self.place())
    }
}

impl Hierarchy {
    /// Makes arrays of one group, each as long as is said beside it, `steps` long along their first
    /// dimension: one document after the other, then consolidated metadata, in which all of them
    /// change at once.
    pub fn lengthen(
        &self,
        group: &NodePath,
        arrays: &[(&ArrayNode, u64)],
        steps: u64,
    ) -> Result<()> {
        let Some((first, _)) = arrays.iter().find(|(_, known)| *known != steps) else {
            return Ok(());
        };
        // all of them: of those that a killed writer made longer, consolidated metadata knows nothing
        let written = arrays.iter().map(|(array, known)| array.lengthen(*known, steps));
        let written = written.collect::<Result<Vec<_>>>()?;
        let changed = Changed::Written(&written);
        self.documents_changed(&*first.format, group, NodeKind::Group, changed)
    }
}

fn another() -> Error {
    let what = "another array replaced it, with another data type, chunks, codecs or fill value: \
        open it again";
    Error::new(Kind::Conflict, what)
}

/// Refuses a block that does not fit an array of that shape.
fn check_block(shape: &[u64], axis: usize, count: &[u64]) -> Result<()> {
    if count.len() != shape.len() {
        let (count, rank) = (count.len(), shape.len());
        let words = format!("count has {count} extents: expected {rank}, the rank");
        return Err(Error::invalid(words));
    }
    if axis >= shape.len() {
        return Err(Error::invalid(format!(
            "axis {axis}: expected less than the rank, {}",
            shape.len()
        )));
    }
    let differs = |&d: &usize| d != axis && count[d] != shape[d];
    match (0..shape.len()).find(differs) {
        None => Ok(()),
        Some(d) => Err(Error::invalid(format!(
            "count is {} in dimension {d}: expected {}, the array's extent, in all dimensions but \
             {axis}",
            count[d], shape[d]
        ))),
    }
}
