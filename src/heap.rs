//! Elements of variable length. In memory such an element is a [`Reference`] of fixed size to bytes
//! in the [`Heap`] of a call, so views copy, fill and permute it like any other element. Only the
//! codecs that encode such elements, and the two ends of a call, follow references.
//!
//! A decoded chunk is one buffer of the heap: elements are not allocated one by one.

use crate::error::{Error, Kind, Result};
use crate::exec::{Block, Buffer};
use crate::source::{push, reserve};
use crate::strided::{View, ViewMut, copy};
use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};

/// Where the bytes of an element are. All zeros: an empty element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    buffer: u32,
    len: u32,
    offset: u64,
}

impl Reference {
    /// Its size in memory (bytes).
    pub const SIZE: usize = 16;

    /// Refers to bytes of the heap's fill value, from its beginning.
    pub fn to_fill(len: usize) -> Result<Self> {
        Self::new(FILL, 0, len)
    }

    /// Refers to bytes of the caller's buffer.
    pub fn to_given(offset: usize, len: usize) -> Result<Self> {
        Self::new(GIVEN, offset, len)
    }

    /// [`Kind::LimitExceeded`]: an element has less than 4 GiB.
    pub fn new(buffer: u32, offset: usize, len: usize) -> Result<Self> {
        let len = u32::try_from(len).map_err(|_| {
            Error::new(
                Kind::LimitExceeded,
                format!("an element of {len} bytes: the limit is {}", u32::MAX),
            )
        })?;
        Ok(Reference { buffer, len, offset: offset as u64 })
    }

    /// The number of bytes of the element.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether the element is empty.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The bytes, if `buffer` is the buffer that it refers to.
    pub fn within(self, buffer: &[u8]) -> Result<&[u8]> {
        let start = usize::try_from(self.offset).ok();
        let end = start.and_then(|start| start.checked_add(self.len as usize));
        start.zip(end).and_then(|(start, end)| buffer.get(start..end)).ok_or_else(|| {
            let what = format!("{self:?} lies outside its {} bytes", buffer.len());
            Error::new(Kind::Internal, what)
        })
    }

    /// Its representation in memory.
    pub fn to_bytes(self) -> [u8; Self::SIZE] {
        let [a, b, c, d] = self.buffer.to_ne_bytes();
        let [e, f, g, h] = self.len.to_ne_bytes();
        let [i, j, k, l, m, n, o, p] = self.offset.to_ne_bytes();
        [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
    }

    /// The reverse of [`Self::to_bytes`]. Missing bytes are 0.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let (mut buffer, mut len, mut offset) = ([0; 4], [0; 4], [0; 8]);
        if let [a, b, c, d, e, f, g, h, rest @ ..] = bytes
            && let Ok(rest) = rest.try_into()
        {
            (buffer, len, offset) = ([*a, *b, *c, *d], [*e, *f, *g, *h], rest);
        }
        Reference {
            buffer: u32::from_ne_bytes(buffer),
            len: u32::from_ne_bytes(len),
            offset: u64::from_ne_bytes(offset),
        }
    }
}

const FILL: u32 = 0;
const GIVEN: u32 = 1;
const KEPT: u32 = 2;

/// The bytes that the references of one call refer to. Threads add buffers, each under the number
/// reserved for it.
pub struct Heap<'a> {
    fill: &'a [u8],
    given: &'a [u8],
    kept: RwLock<Vec<Option<Arc<Buffer>>>>,
}

impl<'a> Heap<'a> {
    /// A heap with the array's fill value and the bytes that the caller passed to be written.
    pub fn new(fill: &'a [u8], given: &'a [u8]) -> Self {
        Heap { fill, given, kept: RwLock::default() }
    }

    /// A heap that starts with the buffers of this one; buffers added to it are freed with it.
    pub fn fork(&self) -> Result<Heap<'_>> {
        Ok(Heap { fill: self.fill, given: self.given, kept: RwLock::new(self.kept()?) })
    }

    /// Reserves the number of a buffer, which [`Self::put`] adds when it is full.
    pub fn reserve(&self) -> Result<u32> {
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        let number = u32::try_from(kept.len()).ok().and_then(|n| n.checked_add(KEPT));
        let number = number
            .ok_or_else(|| Error::new(Kind::LimitExceeded, "too many chunks for one call"))?;
        push(&mut kept, None)?;
        Ok(number)
    }

    /// Adds a buffer under a reserved number.
    pub fn put(&self, number: u32, buffer: Buffer) {
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = kept.get_mut((number - KEPT) as usize) {
            *place = Some(Arc::new(buffer));
        }
    }

    /// The current buffers, for reading without a lock.
    pub fn contents(&self) -> Result<Contents<'_>> {
        Ok(Contents { fill: self.fill, given: self.given, kept: self.kept()? })
    }

    fn kept(&self) -> Result<Vec<Option<Arc<Buffer>>>> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let mut copy = Vec::new();
        reserve(&mut copy, kept.len())?;
        copy.extend(kept.iter().cloned());
        Ok(copy)
    }
}

/// The buffers of a heap at one moment.
pub struct Contents<'a> {
    fill: &'a [u8],
    given: &'a [u8],
    kept: Vec<Option<Arc<Buffer>>>,
}

impl Contents<'_> {
    /// The bytes of an element.
    pub fn get(&self, reference: Reference) -> Result<&[u8]> {
        reference.within(match reference.buffer {
            FILL => self.fill,
            GIVEN => self.given,
            number => match self.kept.get((number - KEPT) as usize) {
                Some(Some(buffer)) => buffer.as_slice(),
                _ => &[],
            },
        })
    }

    /// Whether every element that `src` refers to equals these bytes.
    pub fn all_equal(&self, src: &View<'_>, bytes: &[u8]) -> Result<bool> {
        for reference in References::of(src)?.iter() {
            if self.get(reference)? != bytes {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The references in a view, in C order.
pub enum References<'a> {
    /// Borrowed: the view has them in this order.
    Borrowed(&'a [u8]),
    /// Copied into order.
    Copied(Block),
}

impl<'a> References<'a> {
    /// The references of a view whose elements are references.
    pub fn of(src: &View<'a>) -> Result<Self> {
        if let Some(bytes) = src.as_contiguous() {
            return Ok(References::Borrowed(bytes));
        }
        let mut block = Block::new(src.len() * src.item())?;
        copy(src, &mut ViewMut::contiguous(&mut block, src.shape(), src.item())?)?;
        Ok(References::Copied(block))
    }

    /// The references, one after the other.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Reference> {
        self.chunks_exact(Reference::SIZE).map(Reference::from_bytes)
    }
}

impl Deref for References<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            References::Borrowed(bytes) => bytes,
            References::Copied(block) => block,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(bytes: &[u8]) -> Buffer {
        let mut buffer = Buffer::with_capacity(bytes.len()).expect("little");
        buffer.extend_from_slice(bytes);
        buffer
    }

    #[test]
    fn references_find_their_bytes_and_never_others() {
        let heap = Heap::new(b"fill", b"given");
        let (first, second) = (heap.reserve().expect("free"), heap.reserve().expect("free"));
        heap.put(second, buffer(b"second"));
        let fork = heap.fork().expect("little");
        let third = fork.reserve().expect("free");
        fork.put(third, buffer(b"third"));
        let get = |heap: &Heap, buffer, offset, len| {
            let reference = Reference::new(buffer, offset, len).expect("short");
            assert_eq!(Reference::from_bytes(&reference.to_bytes()), reference);
            heap.contents()
                .expect("little")
                .get(reference)
                .map(<[u8]>::to_vec)
                .map_err(|e| e.kind())
        };
        assert_eq!(get(&heap, 0, 0, 4), Ok(b"fill".to_vec()));
        assert_eq!(get(&heap, 1, 1, 3), Ok(b"ive".to_vec()));
        assert_eq!(get(&heap, second, 6, 0), Ok(vec![]));
        assert_eq!(get(&fork, second, 0, 6), Ok(b"second".to_vec()));
        assert_eq!(get(&fork, third, 0, 5), Ok(b"third".to_vec()));
        assert_eq!(Reference::from_bytes(&[0; 16]), Reference::to_fill(0).expect("short"));
        for (number, offset, len) in [(0, 0, 5), (1, 6, 0), (1, usize::MAX, 2), (first, 0, 1)] {
            assert_eq!(get(&heap, number, offset, len), Err(Kind::Internal), "{number}");
        }
        assert_eq!(get(&heap, u32::MAX, 0, 1), Err(Kind::Internal));
        let e = Reference::new(1, 0, 1 << 32).expect_err("too long");
        assert_eq!(e.kind(), Kind::LimitExceeded);
    }

    #[test]
    fn contents_are_compared_not_references() {
        let heap = Heap::new(b"ab", b"xabab");
        let references = [(0, 0, 2), (1, 1, 2), (1, 3, 2)];
        let bytes = references.map(|(b, o, n)| Reference::new(b, o, n).expect("short").to_bytes());
        let bytes = bytes.concat();
        let view = View::contiguous(&bytes, &[3], Reference::SIZE).expect("good");
        let contents = heap.contents().expect("little");
        assert!(contents.all_equal(&view, b"ab").expect("inside"));
        assert!(!contents.all_equal(&view, b"ba").expect("inside"));
        let every_other = view.step(&[0], &[2], &[2]).expect("inside");
        assert_eq!(References::of(&every_other).expect("little").iter().len(), 2);
        assert!(contents.all_equal(&every_other, b"ab").expect("inside"));
    }
}
