//! The index of a shard: for each inner chunk an offset and a length, uint64, in C order of the
//! inner chunks; both 2^64-1 where there is none. Encoded by codecs of its own, to a fixed size.

use super::super::chain::Chain;
use super::super::{Access, ChunkSpec, EncodeOptions, Len, Leniency};
use crate::error::{Error, Kind, Result};
use crate::exec::{Block, Buffer};
use crate::metadata::{CodecSpec, DataType, Region};
use crate::source::ByteSource;
use crate::strided::{View, ViewMut};

const MISSING: u64 = u64::MAX;

/// Where the inner chunks of one shard lie.
pub struct Index {
    entries: Vec<(u64, u64)>,
    /// The length of the shard.
    shard: u64,
}

impl Index {
    /// That of a shard without inner chunks.
    pub fn empty(cells: usize) -> Self {
        Index { entries: vec![(MISSING, MISSING); cells], shard: 0 }
    }

    /// Offset and length of each inner chunk as the index has them, whether or not they lie within
    /// the shard; `None`: there is none.
    pub fn entries(&self) -> impl Iterator<Item = Option<(u64, u64)>> {
        self.entries.iter().map(|&entry| (entry != (MISSING, MISSING)).then_some(entry))
    }

    /// The length of the shard.
    pub fn shard_len(&self) -> u64 {
        self.shard
    }

    /// Bytes that it takes in memory.
    pub fn bytes(&self) -> usize {
        self.entries.len() * size_of::<(u64, u64)>()
    }

    /// Offset and length of an inner chunk, within the shard; `None`: there is none.
    pub fn get(&self, place: usize) -> Result<Option<(u64, u64)>> {
        let (offset, len) = self.entries[place];
        if (offset, len) == (MISSING, MISSING) {
            return Ok(None);
        }
        match offset.checked_add(len) {
            Some(end) if end <= self.shard => Ok(Some((offset, len))),
            _ => Err(Error::corrupt(format!(
                "the shard's index has {len} bytes at offset {offset}, the shard has {} in all",
                self.shard
            ))),
        }
    }
}

/// How an index is stored.
pub struct IndexCodec {
    chain: Chain,
    size: u64,
    /// Before the inner chunks instead of behind them.
    pub at_start: bool,
}

impl IndexCodec {
    /// For a shard of `grid` inner chunks.
    pub fn new(
        specs: &[CodecSpec],
        grid: &[u64],
        at_start: bool,
        leniency: Leniency,
    ) -> Result<Self> {
        let shape = grid.iter().copied().chain([2]).collect();
        let fill = MISSING.to_ne_bytes().as_slice().into();
        let chain = Chain::with(
            specs,
            ChunkSpec { shape, data_type: DataType::UInt64, fill, most: None },
            leniency,
        )?;
        match chain.encoded_len() {
            Len::Exactly(size) => Ok(IndexCodec { chain, size, at_start }),
            _ => {
                Err(Error::metadata("their result has no fixed size, so the index cannot be found"))
            }
        }
    }

    /// Bytes of an encoded index.
    pub fn encoded_len(&self) -> u64 {
        self.size
    }

    /// Reads and checks the index of a shard; `None`: there is no such shard.
    pub fn read(&self, shard: &dyn ByteSource) -> Result<Option<Index>> {
        let cut_short = |len| {
            Error::corrupt(format!(
                "the shard has {len} bytes, its index alone takes {}",
                self.size
            ))
        };
        let mut encoded = Buffer::with_capacity(0)?;
        let len = if self.at_start {
            let is_short = |shard: &dyn ByteSource| match shard.len()? {
                Some(len) if len < self.size => Err(cut_short(len)),
                len => Ok(len),
            };
            // no memory for what cannot be there; a small one is read at the cost of asking, and
            // brings the length with it
            if self.size > shard.request_cost() && is_short(shard)?.is_none() {
                return Ok(None);
            }
            encoded.resize(self.size as usize, 0);
            let read = shard.read_at(0, &mut encoded);
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
        self.chain.decode(
            &encoded.as_slice(),
            &Region::whole(&spec.shape),
            dst,
            &Access::once(1),
        )?;
        let (words, _) = block.as_chunks::<8>();
        let (pairs, _) = words.as_chunks::<2>();
        let entry =
            |[offset, len]: &[[u8; 8]; 2]| (u64::from_ne_bytes(*offset), u64::from_ne_bytes(*len));
        Ok(Some(Index { entries: pairs.iter().map(entry).collect(), shard: len }))
    }

    /// The encoded index of inner chunks that lie one after the other and have these lengths;
    /// `None`: there is none of them.
    pub fn encode(&self, lens: impl Iterator<Item = Option<u64>>) -> Result<Option<Buffer>> {
        let mut offset = if self.at_start { self.size } else { 0 };
        let mut any = false;
        let mut bytes = Buffer::with_capacity(self.chain.size() as usize)?;
        for len in lens {
            let entry = match len {
                Some(len) => [offset, len],
                None => [MISSING, MISSING],
            };
            any |= len.is_some();
            offset += len.unwrap_or(0);
            entry.iter().for_each(|word| bytes.extend_from_slice(&word.to_ne_bytes()));
        }
        if !any {
            return Ok(None);
        }
        let spec = self.chain.chunk();
        let shape: crate::strided::Extents = spec.shape.iter().map(|&n| n as usize).collect();
        let src = View::contiguous(&bytes, &shape, size_of::<u64>())?;
        let mut encoded = Buffer::with_capacity(self.size as usize)?;
        let options = EncodeOptions { threads: 1, write_empty: true, heap: None };
        self.chain.encode_append(&src, &mut encoded, options)?;
        if encoded.len() as u64 != self.size {
            return Err(Error::new(Kind::Internal, "the shard's index is not of its fixed size"));
        }
        Ok(Some(encoded))
    }
}
