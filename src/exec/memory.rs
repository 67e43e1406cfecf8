//! Initialised bytes for a chunk. Large ones lie in huge pages of the system where it has them: of
//! ordinary pages, the first use of each costs more than decoding into it.
#![allow(unsafe_code)] // several blocks share the pages

use super::buffer_pool::{Keep, Lists, put_back};
use super::cpu::LINE;
use super::scratch::zeroed;
use crate::error::Result;
use crate::system::{HUGE_PAGE, HugePages};
use std::ops::Range;
use std::sync::Arc;

/// Smaller blocks come from the heap (bytes).
const LEAST: usize = 512 << 10;

/// Blocks in huge pages have a multiple of this length: of a page of every system (bytes).
const STEP: usize = 64 << 10;

/// The most blocks that share huge pages, and their smallest share of these.
const TOGETHER: usize = 8;
const USED: f64 = 0.875;

/// Initialised bytes that start at a cache line.
pub(super) enum Memory {
    /// Bytes of the heap, from `start` on.
    Heap { bytes: Vec<u8>, start: usize },
    /// A part of huge pages, which no other has.
    Pages { pages: Arc<HugePages>, part: Range<usize> },
}

impl Memory {
    /// Arbitrary bytes, at least `len`. Others that share its pages are kept for the next ones.
    pub fn new(len: usize) -> Result<Self> {
        if let Some((len, count)) = shared(len)
            && let Some(pages) = HugePages::new((len * count).next_multiple_of(HUGE_PAGE))
        {
            let pages = Arc::new(pages);
            let part =
                |n: usize| Memory::Pages { pages: pages.clone(), part: n * len..(n + 1) * len };
            (1..count).for_each(|n| put_back(part(n)));
            return Ok(part(0));
        }
        let bytes = zeroed(len.saturating_add(LINE - 1))?;
        let start = bytes.as_ptr().align_offset(LINE);
        Ok(Memory::Heap { bytes, start })
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Memory::Heap { bytes, start } => &bytes[*start..],
            // SAFETY: the part lies in the pages, is initialised, and no other has it.
            Memory::Pages { pages, part } => unsafe {
                std::slice::from_raw_parts(pages.start().add(part.start), part.len())
            },
        }
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Memory::Heap { bytes, start } => &mut bytes[*start..],
            // SAFETY: as above.
            Memory::Pages { pages, part } => unsafe {
                std::slice::from_raw_parts_mut(pages.start().add(part.start), part.len())
            },
        }
    }
}

/// How long blocks of at least `len` bytes are, and how many share huge pages; `None`: they would
/// waste them.
fn shared(len: usize) -> Option<(usize, usize)> {
    let len = len.checked_next_multiple_of(STEP).filter(|len| *len >= LEAST)?;
    let fits = |count: &usize| {
        let used = len.checked_mul(*count);
        let all = used.and_then(|used| used.checked_next_multiple_of(HUGE_PAGE));
        all.is_some_and(|all| (len * count) as f64 >= USED * all as f64)
    };
    (1..=TOGETHER).find(fits).map(|count| (len, count))
}

impl Keep for Memory {
    fn list(lists: &mut Lists) -> &mut Vec<Self> {
        &mut lists.initialised
    }

    fn capacity(&self) -> usize {
        self.bytes().len()
    }

    fn discard(self) {
        match self {
            Memory::Heap { bytes, .. } => bytes.discard(),
            // those that share its pages may live long
            Memory::Pages { pages, part } if Arc::strong_count(&pages) > 1 => {
                // SAFETY: no other has this part, and it is used no more.
                unsafe { pages.discard(part) }
            }
            Memory::Pages { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_share_huge_pages_unless_that_wastes_them() {
        let mib = 1 << 20;
        assert_eq!(shared(mib), Some((mib, 2)));
        assert_eq!(shared(1_000_000), Some((mib, 2)));
        assert_eq!(shared(2 * mib), Some((2 * mib, 1)));
        assert_eq!(shared(3 * mib), Some((3 * mib, 2)));
        assert_eq!(shared(4_000_000), Some((4 * mib - 2 * STEP, 1)));
        assert_eq!(shared(LEAST), Some((LEAST, 4)));
        assert_eq!((shared(LEAST - STEP), shared(usize::MAX)), (None, None));
        for len in (LEAST..64 * mib).step_by(100_003) {
            let Some((each, count)) = shared(len) else { continue };
            let all = (each * count).next_multiple_of(HUGE_PAGE);
            assert!(each >= len && (len * count) as f64 > 0.75 * all as f64, "{len}");
        }
    }

    #[test]
    fn those_that_share_pages_have_parts_of_their_own() {
        let pages = Arc::new(match HugePages::new(HUGE_PAGE) {
            Some(pages) => pages,
            None => return, // not on this system
        });
        let half = HUGE_PAGE / 2;
        let part =
            |n: usize| Memory::Pages { pages: pages.clone(), part: n * half..(n + 1) * half };
        let (mut a, mut b) = (part(0), part(1));
        assert!(a.bytes().iter().chain(b.bytes()).all(|&byte| byte == 0));
        assert_eq!(a.bytes().as_ptr().align_offset(HUGE_PAGE), 0);
        a.bytes_mut().fill(1);
        b.bytes_mut().fill(2);
        assert!(a.bytes().iter().all(|&byte| byte == 1));
        a.discard();
        assert!(b.bytes().iter().all(|&byte| byte == 2));
    }
}
