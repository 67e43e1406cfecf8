//! Writing where the bytes lie (option `overwrite=in_place`), for chunks that are stored as they are
//! in memory.

use super::Array;
use super::write::Chunk;
use crate::codec::{Chain, Patch};
use crate::error::Result;
use crate::exec::Block;
use crate::lock::Acquire;
use crate::source::reserve;
use crate::store::InPlace;
use crate::strided::{Extents, Swap, ViewMut, copy_swapped};

/// Gaps of up to so many bytes are read and written again with what is around them, which costs
/// less than another call of the system.
const GAP: u64 = 4 << 10;

impl Array {
    /// Whether chunks of a chain are written where they lie.
    pub(super) fn writes_in_place(&self, chain: &Chain) -> bool {
        self.settings.in_place && !self.is_remote() && chain.raw_layout().is_some()
    }

    /// Writes a part of a stored chunk; `false`: it must be replaced, or is not stored.
    pub(super) fn patch_in_place(&self, chunk: &Chunk<'_>, patch: &Patch<'_>) -> Result<bool> {
        let item = self.metadata.data_type.size();
        let Some(swap) = chunk.chain.raw_layout().filter(|_| patch.is_whole(item) && item > 0)
        else {
            return Ok(false);
        };
        let (lock, _) = self.lock_of(chunk.index);
        let _last = lock.acquire();
        let key = chunk.key(self);
        let _held = self.store.hold(key)?;
        let Some(value) = self.store.open_in_place(key, chunk.chain.size())? else {
            return Ok(false);
        };
        write_runs(&*value, &chunk.chain.chunk().shape, patch, swap)?;
        value.finish()?;
        Ok(true)
    }
}

/// A stretch of the value, and the runs of elements in it: offset, length, and place among the
/// elements (bytes).
#[derive(Default)]
struct Stretch {
    start: u64,
    end: u64,
    runs: Vec<(u64, u64, u64)>,
}

impl Stretch {
    fn write(&self, value: &dyn InPlace, elements: &[u8]) -> Result<()> {
        let of = |at: u64, len: u64| &elements[at as usize..(at + len) as usize];
        if let [(offset, len, at)] = self.runs[..] {
            return value.write_at(offset, of(at, len));
        }
        let mut block = Block::new((self.end - self.start) as usize)?;
        value.read_at(self.start, &mut block)?;
        for &(offset, len, at) in &self.runs {
            let to = (offset - self.start) as usize;
            block[to..to + len as usize].copy_from_slice(of(at, len));
        }
        value.write_at(self.start, &block)
    }
}

fn write_runs(value: &dyn InPlace, shape: &[u64], patch: &Patch<'_>, swap: &Swap) -> Result<()> {
    let (src, item) = (patch.src, patch.src.item() as u64);
    let mut dense;
    let elements = match src.as_contiguous().filter(|_| *swap == Swap::None) {
        Some(elements) => elements,
        None => {
            dense = Block::new(src.len() * src.item())?;
            let counts = Extents::from_slice(src.shape());
            copy_swapped(src, &mut ViewMut::contiguous(&mut dense, &counts, src.item())?, swap)?;
            &dense
        }
    };
    let mut stretch = Stretch::default();
    let (mut at, mut result) = (0, Ok(()));
    patch.pick.for_each_run(shape, |first, length| {
        let (offset, len) = (first * item, length * item);
        // scattered elements may come in any order
        let follows = !stretch.runs.is_empty()
            && offset >= stretch.start
            && offset <= stretch.end.saturating_add(GAP);
        if !follows {
            let before = std::mem::replace(
                &mut stretch,
                Stretch { start: offset, end: offset, runs: Vec::new() },
            );
            if result.is_ok() && !before.runs.is_empty() {
                result = before.write(value, elements);
            }
        }
        let joined = stretch
            .runs
            .last_mut()
            .filter(|(from, n, place)| from + *n == offset && place + *n == at);
        match joined {
            Some((_, n, _)) => *n += len,
            None if result.is_ok() => {
                result = reserve(&mut stretch.runs, 1);
                if result.is_ok() {
                    stretch.runs.push((offset, len, at));
                }
            }
            None => {}
        }
        stretch.end = stretch.end.max(offset + len);
        at += len;
    })?;
    result?;
    if stretch.runs.is_empty() { Ok(()) } else { stretch.write(value, elements) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::{Pick, Region};
    use crate::strided::View;
    use std::sync::Mutex;

    /// A value in memory, and the calls of it.
    struct Value(Mutex<(Vec<u8>, usize)>);

    impl InPlace for Value {
        fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<()> {
            let mut value = self.0.acquire();
            out.copy_from_slice(&value.0[offset as usize..][..out.len()]);
            value.1 += 1;
            Ok(())
        }

        fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
            let mut value = self.0.acquire();
            value.0[offset as usize..][..bytes.len()].copy_from_slice(bytes);
            value.1 += 1;
            Ok(())
        }

        fn finish(&self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn runs_near_each_other_are_written_together() {
        let shape = [3, 4, 5000];
        for (start, count, step, calls) in [
            ([0, 0, 0], [3, 4, 5000], [1, 1, 1], 1),
            ([1, 1, 10], [1, 1, 20], [1, 1, 1], 1),
            ([1, 0, 10], [1, 4, 4900], [1, 1, 1], 2),
            ([0, 1, 0], [3, 1, 100], [1, 1, 1], 3),
            ([0, 0, 3], [2, 2, 500], [2, 3, 7], 8),
            ([2, 3, 4999], [1, 1, 1], [1, 1, 1], 1),
        ] {
            let region = Region::new(&shape, &start, &count, Some(&step)).expect("inside");
            let counts: Extents = count.iter().map(|&n| n as usize).collect();
            let elements: Vec<u8> =
                (0..counts.iter().product()).map(|n: usize| n as u8 | 1).collect();
            let src = View::contiguous(&elements, &counts, 1).expect("fits");
            let pick = Pick::Region(region);
            let patch = Patch { pick: &pick, src: &src, field: 0 };
            let mut expected = vec![0; 60_000];
            let extents = [3, 4, 5000];
            let mut chunk = ViewMut::contiguous(&mut expected, &extents, 1).expect("fits");
            patch.apply(&mut chunk).expect("applied");
            let value = Value(Mutex::new((vec![0; 60_000], 0)));
            write_runs(&value, &shape, &patch, &Swap::None).expect("written");
            let (found, made) = value.0.release();
            assert!(found == expected, "{start:?} {count:?} {step:?}");
            assert_eq!(made, calls, "{start:?} {count:?} {step:?}");
        }
    }
}
