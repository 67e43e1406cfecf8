//! The index of a shard: offset and length (uint64) of each inner chunk, in C order; both 2^64-1 if
//! the inner chunk is absent. Its own codecs encode it to a fixed size.

use super::super::chain::Chain;
use super::super::{ChunkSpec, Len, ReadPolicy};
use crate::call::Call;
use crate::error::{Error, Kind, Result};
use crate::exec::{Block, Buffer};
use crate::metadata::{CodecSpec, DataType};
use crate::selection::Region;
use crate::source::{ByteSource, reserve};
use crate::strided::{View, ViewMut};

const MISSING: u64 = u64::MAX;

/// The locations of the inner chunks of one shard.
pub struct Index {
    /// Offset and length of each; `None`: there are no inner chunks.
    entries: Option<Block>,
    /// The length of the shard.
    shard: u64,
}

/// The size of an entry (bytes).
const ENTRY: usize = 2 * size_of::<u64>();

/// The largest index written for a shard that is not stored yet (bytes). An existing index may be
/// larger; one that only a document claims could exhaust the memory.
const MAX_NEW: u64 = 1 << 30;

impl Index {
    /// The index of a shard without inner chunks.
    pub fn empty() -> Self {
        Index { entries: None, shard: 0 }
    }

    /// The length of the shard.
    pub fn shard_len(&self) -> u64 {
        self.shard
    }

    /// The memory it takes (bytes).
    pub fn bytes(&self) -> usize {
        self.entries.as_ref().map_or(0, |entries| entries.len())
    }

    /// The positions of the stored inner chunks.
    pub fn stored(&self) -> impl Iterator<Item = usize> {
        let entries = self.entries.as_deref().unwrap_or_default().as_chunks::<ENTRY>().0;
        let there = |entry: &[u8; ENTRY]| entry.iter().any(|&byte| byte != 0xFF);
        entries.iter().enumerate().filter(move |(_, entry)| there(entry)).map(|(place, _)| place)
    }

    /// The recorded offset and length of an inner chunk, not checked against the shard; `None`:
    /// absent.
    pub fn entry(&self, place: usize) -> Option<(u64, u64)> {
        let entries = self.entries.as_deref().unwrap_or_default().as_chunks::<ENTRY>().0;
        let word = |half: &[u8]| half.first_chunk().map_or(MISSING, |w| u64::from_ne_bytes(*w));
        let (offset, len) = entries.get(place)?.split_at(ENTRY / 2);
        Some((word(offset), word(len))).filter(|&entry| entry != (MISSING, MISSING))
    }

    /// Offset and length of an inner chunk, checked against the shard; `None`: absent.
    pub fn get(&self, place: usize) -> Result<Option<(u64, u64)>> {
        let Some((offset, len)) = self.entry(place) else { return Ok(None) };
        match offset.checked_add(len) {
            Some(end) if end <= self.shard => Ok(Some((offset, len))),
            _ => Err(Error::corrupt(format!(
                "the shard index ({len} bytes at offset {offset}) leaves the shard ({} bytes)",
                self.shard
            ))),
        }
    }
}

/// The codec of an index.
pub struct IndexCodec {
    chain: Chain,
    size: u64,
    /// Whether it precedes the inner chunks instead of following them.
    pub at_start: bool,
}

impl IndexCodec {
    /// The codec for a shard of `grid` inner chunks.
    pub fn new(
        specs: &[CodecSpec],
        grid: &[u64],
        at_start: bool,
        read_policy: ReadPolicy,
    ) -> Result<Self> {
        let shape = grid.iter().copied().chain([2]).collect();
        let fill = MISSING.to_ne_bytes().as_slice().into();
        let chain = Chain::with(
            specs,
            ChunkSpec { shape, data_type: DataType::UInt64, fill, most: None },
            read_policy,
        )?;
        match chain.encoded_len() {
            Len::Exactly(size) => Ok(IndexCodec { chain, size, at_start }),
            _ => Err(Error::metadata(
                "their output has no fixed size, so the index cannot be \
                    located",
            )),
        }
    }

    /// The size of an encoded index (bytes).
    pub fn encoded_len(&self) -> u64 {
        self.size
    }

    /// Reads and checks the index of a shard; `None`: the shard is absent.
    pub fn read(&self, shard: &dyn ByteSource) -> Result<Option<Index>> {
        let cut_short = |len| {
            Error::corrupt(format!(
                "the shard has {len} bytes, fewer than its index ({})",
                self.size
            ))
        };
        let mut encoded = Buffer::with_capacity(0)?;
        let len = if self.at_start {
            let is_short = |shard: &dyn ByteSource| match shard.len()? {
                Some(len) if len < self.size => Err(cut_short(len)),
                len => Ok(len),
            };
            // reserve no memory beyond the shard's length; a small index is read at the cost of a
            // request, which also returns the length
            if self.size > shard.request_cost() && is_short(shard)?.is_none() {
                return Ok(None);
            }
            reserve(&mut encoded, self.size as usize)?;
            encoded.resize(self.size as usize, 0);
            let read = shard.read_at(0, &mut encoded);
            if let Err(e) = &read
                && e.is_pending()
            {
                return read.map(|_| None);
            }
            let Some(len) = is_short(shard)? else { return Ok(None) };
            if !read? {
                return Ok(None);
            }
            len
        } else {
            match shard.read_suffix(self.size, &mut encoded)? {
                None => return Ok(None),
                Some(len) if len < self.size => return Err(cut_short(len)),
                Some(len) => len,
            }
        };
        let spec = self.chain.chunk();
        let mut block = Block::new(self.chain.size() as usize)?;
        let shape: crate::strided::Extents = spec.shape.iter().map(|&n| n as usize).collect();
        let dst = ViewMut::contiguous(&mut block, &shape, size_of::<u64>())?;
        self.chain.decode(&encoded.as_slice(), &Region::whole(&spec.shape), dst, &Call::new(1))?;
        Ok(Some(Index { entries: Some(block), shard: len }))
    }

    /// Refuses to create an index that is too large for a shard that is not stored yet.
    pub fn check_new(&self) -> Result<()> {
        if self.size <= MAX_NEW {
            return Ok(());
        }
        Err(Error::new(
            Kind::LimitExceeded,
            format!(
                "the shard index has {} bytes, the limit is {MAX_NEW}: choose larger inner chunks \
                 or smaller shards",
                self.size
            ),
        ))
    }

    /// Encodes the index of consecutive inner chunks, given by position and length; `None`: there
    /// are none.
    pub fn encode(&self, stored: impl Iterator<Item = (usize, u64)>) -> Result<Option<Buffer>> {
        let mut stored = stored.peekable();
        if stored.peek().is_none() {
            return Ok(None);
        }
        let mut offset = if self.at_start { self.size } else { 0 };
        let size = self.chain.size() as usize;
        let mut bytes = Buffer::with_capacity(size)?;
        bytes.resize(size, 0xFF);
        let entries = bytes.as_chunks_mut::<ENTRY>().0;
        for (place, len) in stored {
            let entry = entries.get_mut(place).ok_or_else(|| {
                Error::new(Kind::Internal, "an inner chunk that the shard index lacks")
            })?;
            let (first, second) = entry.split_at_mut(ENTRY / 2);
            first.copy_from_slice(&offset.to_ne_bytes());
            second.copy_from_slice(&len.to_ne_bytes());
            offset += len;
        }
        let spec = self.chain.chunk();
        let shape: crate::strided::Extents = spec.shape.iter().map(|&n| n as usize).collect();
        let src = View::contiguous(&bytes, &shape, size_of::<u64>())?;
        let mut encoded = Buffer::with_capacity(self.size as usize)?;
        let call = Call { write_empty: true, ..Call::new(1) };
        self.chain.encode_append(&src, &mut encoded, &call)?;
        if encoded.len() as u64 != self.size {
            return Err(Error::new(Kind::Internal, "the shard index has a wrong size"));
        }
        Ok(Some(encoded))
    }
}
