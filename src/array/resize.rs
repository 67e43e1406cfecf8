//! A new shape: what a smaller one leaves outside is taken away, so that it does not come back
//! when the array grows again.

use super::Array;
use crate::codec::EncodeOptions;
use crate::error::Result;
use crate::heap::Heap;
use crate::metadata::{Cell, Region, Span};
use crate::store::{Depth, Entry, Key};
use crate::strided::{Extents, Strides, View};

impl Array {
    /// Makes `shape`, which its document says already, the shape of the array, and takes away
    /// what lies outside of it: chunks altogether, and the rest of those that it cuts through.
    pub fn set_shape(&self, shape: &[u64]) -> Result<()> {
        if self.shape().iter().zip(shape).any(|(old, new)| new < old) {
            self.flush()?;
        }
        let old = {
            let mut present = self.shape.write().unwrap_or_else(|e| e.into_inner());
            std::mem::replace(&mut *present, shape.to_vec())
        };
        if old.iter().zip(shape).all(|(old, new)| new >= old) {
            return Ok(());
        }
        let chunk = self.outer_chunk_shape();
        let mut cut = Vec::new();
        let mut outside = Vec::new();
        // what is there may be much less than what could be: look, do not count
        self.store.list(&self.prefix, Depth::All, &mut |entry| {
            if let Entry::Key(name) = entry
                && let Some(index) = self.metadata.chunk_keys.parse_key(name, shape.len())
            {
                let ends = |d: usize| index[d].saturating_mul(chunk[d]);
                if (0..shape.len()).any(|d| ends(d) >= shape[d]) {
                    outside.push(Key::trusted(format!("{}{name}", self.prefix)));
                } else if (0..shape.len())
                    .any(|d| shape[d] < old[d] && shape[d] < ends(d).saturating_add(chunk[d]))
                {
                    cut.push(index);
                }
            }
            Ok(())
        })?;
        for key in &outside {
            let erased = self.store.erase(key, &crate::store::Precondition::None);
            self.in_chunk(key, erased)?;
        }
        cut.iter().try_for_each(|index| self.blank_outside(index, shape))
    }

    /// Fills the part of a chunk that lies outside of `shape`.
    fn blank_outside(&self, index: &[u64], shape: &[u64]) -> Result<()> {
        let chunk = self.outer_chunk_shape();
        let heap = Heap::new(&self.chain.chunk().fill, &[]);
        let options = EncodeOptions { heap: Some(&heap), ..self.encode_options() };
        let fill = self.chain.chunk().fill_element()?;
        for d in 0..shape.len() {
            // all of the chunk that is past the edge in dimension d
            let spans = (0..shape.len()).map(|k| {
                let inside = chunk[k].min(shape[k] - index[k] * chunk[k]);
                let start = if k == d { inside } else { 0 };
                Span { start, count: chunk[k] - start, step: 1 }
            });
            let region = Region::from_spans(spans);
            if region.is_empty() {
                continue;
            }
            let count: Extents = region.spans().iter().map(|s| s.count as usize).collect();
            let src =
                View::strided(&fill, &count, &Strides::from_elem(0, count.len()), fill.len())?;
            let start = Extents::from_elem(0, count.len());
            let cell = Cell { index: index.into(), region, start, count: count.clone() };
            let key = self.key(index);
            let updated = self.update_chunk(&key, &cell, &src, options);
            self.in_chunk(&key, updated)?;
        }
        Ok(())
    }
}
