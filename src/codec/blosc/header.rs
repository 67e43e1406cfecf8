//! The header of a Blosc frame and the table of its blocks.
//!
//! ```text
//!  0  version      2
//!  1  version of the inner format, always 1
//!  2  flags        bit 0 shuffled, 1 stored as it was, 2 bit-shuffled, 4 blocks not split, 5-7 format
//!  3  typesize     1 to 255
//!  4  nbytes       how many bytes the frame decodes to
//!  8  blocksize    how many of them each block holds (the last one: what is left)
//! 12  cbytes       length of the frame, this header included
//! 16  where each block starts, from the start of the frame (absent where bytes are stored as they were)
//! ```
//!
//! All numbers are little-endian and 32 bits wide, signed in C and so never above 2^31-1.

use std::ops::Range;

use super::{Format, Shuffle};
use crate::error::{Error, Result};
use crate::source::reserve;

/// Bytes of the fixed part of the header.
pub const HEADER_LEN: usize = 16;
/// The only version in use; later ones belong to c-blosc2.
pub(super) const VERSION: u8 = 2;

pub(super) const SHUFFLED: u8 = 0x01;
pub(super) const STORED: u8 = 0x02;
pub(super) const BIT_SHUFFLED: u8 = 0x04;
const RESERVED: u8 = 0x08;
pub(super) const NOT_SPLIT: u8 = 0x10;

/// Blocks are split only up to this typesize.
pub(super) const MAX_SPLITS: usize = 16;
/// Smaller buffers are not compressed, and streams of split blocks are never smaller.
pub(super) const MIN_BUFFER: usize = 128;

/// The checked header of a frame. It is consistent with itself and with the frame's length; the
/// contents of blocks are checked only by decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Version of the frame's format: 2.
    pub version: u8,
    /// The flags as stored.
    pub flags: u8,
    /// The element size that the shuffles use (bytes): 1 to 255.
    pub typesize: usize,
    /// Bytes that the frame decodes to.
    pub nbytes: usize,
    /// Decoded bytes of each block but the last, which may have fewer: 1 to `nbytes`, 0 if that is.
    pub blocksize: usize,
    /// Bytes of the frame.
    pub cbytes: usize,
    /// The inner compression; `None`: uncompressed.
    pub(super) format: Option<Format>,
}

impl Header {
    /// Checks the header of a frame of `frame_len` bytes; `prefix` is at least its first
    /// [`HEADER_LEN`] bytes. `CorruptData` describes the damage.
    ///
    /// The frame must have the length in the header. Excess bytes are refused like missing ones:
    /// every writer trims the frame, and a differing length is the only sign of damage that Blosc
    /// offers.
    pub fn parse(prefix: &[u8], frame_len: usize) -> Result<Header> {
        let Some(fixed) = prefix.first_chunk::<HEADER_LEN>() else {
            return Err(Error::corrupt(format!(
                "a Blosc header has {HEADER_LEN} bytes, the value only {}",
                prefix.len()
            )));
        };
        let [version, inner_version, flags, typesize, ..] = *fixed;
        if version != VERSION {
            let hint = if (3..=6).contains(&version) { " (it is a Blosc2 chunk)" } else { "" };
            return Err(Error::corrupt(format!(
                "the Blosc frame has version {version}, not {VERSION}{hint}"
            )));
        }
        let field = |name: &str, at: usize| {
            let value =
                i32::from_le_bytes([fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]]);
            usize::try_from(value).map_err(|_| {
                Error::corrupt(format!("the Blosc header has a negative {name}: {value}"))
            })
        };
        let nbytes = field("nbytes", 4)?;
        let cbytes = field("cbytes", 12)?;
        if cbytes != frame_len {
            return Err(Error::corrupt(format!(
                "the Blosc header gives a length of {cbytes} bytes, the frame has {frame_len}"
            )));
        }
        if cbytes < HEADER_LEN {
            return Err(Error::corrupt(format!(
                "a Blosc frame of {cbytes} bytes is too short for its header"
            )));
        }
        if flags & RESERVED != 0 || flags & (SHUFFLED | BIT_SHUFFLED) == (SHUFFLED | BIT_SHUFFLED) {
            return Err(Error::corrupt(format!(
                "the Blosc header has unknown flags: {flags:#04x}"
            )));
        }
        if typesize == 0 {
            return Err(Error::corrupt("the Blosc header has a typesize of 0"));
        }
        let blocksize = if nbytes == 0 { 0 } else { field("blocksize", 8)? };
        if nbytes > 0 && !(1..=nbytes).contains(&blocksize) {
            return Err(Error::corrupt(format!(
                "the Blosc header has a blocksize of {blocksize} for {nbytes} bytes"
            )));
        }
        let stored = flags & STORED != 0;
        let format = if stored || nbytes == 0 { None } else { Some(Format::of_code(flags >> 5)?) };
        let header = Header {
            version,
            flags,
            typesize: usize::from(typesize),
            nbytes,
            blocksize,
            cbytes,
            format,
        };
        match format {
            None if stored && cbytes - HEADER_LEN != nbytes => Err(Error::corrupt(format!(
                "the Blosc frame stores {nbytes} bytes uncompressed, but has {} after its header",
                cbytes - HEADER_LEN
            ))),
            None => Ok(header),
            Some(_) if inner_version != 1 => Err(Error::corrupt(format!(
                "the Blosc frame has an inner format of version {inner_version}, not 1"
            ))),
            Some(_) if header.nblocks() > (cbytes - HEADER_LEN) / 4 => {
                Err(Error::corrupt(format!(
                    "the Blosc frame of {cbytes} bytes is too short for a table of {} blocks",
                    header.nblocks()
                )))
            }
            // Refuse an impossible claim before anything is allocated for it.
            Some(format) if nbytes / format.max_ratio() > cbytes => Err(Error::corrupt(format!(
                "the Blosc frame has {cbytes} bytes, too few to hold {nbytes} compressed by {}",
                format.name()
            ))),
            Some(_) => Ok(header),
        }
    }

    /// Whether the frame is neither shuffled nor compressed.
    pub fn stored(&self) -> bool {
        self.flags & STORED != 0
    }

    /// The number of blocks.
    pub fn nblocks(&self) -> usize {
        if self.nbytes == 0 { 0 } else { self.nbytes.div_ceil(self.blocksize) }
    }

    /// The bytes before the first block: the header and the table of blocks. Never more than the
    /// frame has.
    pub fn prefix_len(&self) -> usize {
        HEADER_LEN + if self.format.is_none() { 0 } else { 4 * self.nblocks() }
    }

    /// The range of decoded bytes in block `block`.
    pub fn block_span(&self, block: usize) -> Range<usize> {
        let start = block.saturating_mul(self.blocksize).min(self.nbytes);
        start..start.saturating_add(self.blocksize).min(self.nbytes)
    }

    /// The filter of a block of `len` bytes. It may differ from the flags: shuffling single bytes
    /// changes nothing, and the bit filter skips a number of elements that is not a multiple of
    /// eight.
    pub(super) fn filter(&self, len: usize) -> Shuffle {
        filter(self.flags, self.typesize, len)
    }

    /// The number of streams in a block of `len` bytes. A shorter last block is not split, nor are
    /// blocks from before the flag existed whose streams would be small.
    pub(super) fn streams(&self, len: usize) -> Result<usize> {
        let split = self.flags & NOT_SPLIT == 0
            && len == self.blocksize
            && self.typesize <= MAX_SPLITS
            && len / self.typesize >= MIN_BUFFER;
        if !split {
            return Ok(1);
        }
        if !len.is_multiple_of(self.typesize) {
            return Err(Error::corrupt(format!(
                "the Blosc frame splits blocks of {len} bytes into {} streams of unequal length",
                self.typesize
            )));
        }
        Ok(self.typesize)
    }

    /// The frame offset of block `block`; `table` is the start of the frame.
    pub(super) fn block_start(&self, table: &[u8], block: usize) -> Result<usize> {
        let at = HEADER_LEN + 4 * block;
        let Some(bytes) = table.get(at..).and_then(|t| t.first_chunk::<4>()) else {
            return Err(Error::corrupt(format!(
                "block {block} of the Blosc frame is not in the {} bytes of its table",
                table.len()
            )));
        };
        let start = i32::from_le_bytes(*bytes);
        match usize::try_from(start) {
            Ok(s) if (self.prefix_len()..self.cbytes).contains(&s) => Ok(s),
            _ => Err(Error::corrupt(format!(
                "block {block} of the Blosc frame starts at {start}, outside of {}..{}",
                self.prefix_len(),
                self.cbytes
            ))),
        }
    }
}

/// The filter of blocks of `len` bytes under `flags`.
pub(super) fn filter(flags: u8, typesize: usize, len: usize) -> Shuffle {
    if len < typesize {
        Shuffle::None
    } else if flags & SHUFFLED != 0 && typesize > 1 {
        Shuffle::Byte
    } else if flags & BIT_SHUFFLED != 0 && (len / typesize).is_multiple_of(8) {
        Shuffle::Bit
    } else {
        Shuffle::None
    }
}

/// The location of each block of a frame, for partial reads: with the first [`Header::prefix_len`]
/// bytes, only the needed blocks must be fetched.
#[derive(Clone, Debug)]
pub struct Index {
    header: Header,
    /// The byte range of each block in the frame; empty for an uncompressed frame.
    blocks: Vec<Range<u32>>,
}

impl Index {
    /// Reads the table of blocks. `prefix` is at least the first [`Header::prefix_len`] bytes of a
    /// frame of `frame_len` bytes. `CorruptData` describes the damage.
    pub fn new(prefix: &[u8], frame_len: usize) -> Result<Index> {
        let header = Header::parse(prefix, frame_len)?;
        if header.format.is_none() {
            return Ok(Index { header, blocks: Vec::new() });
        }
        // The table is in `prefix`, so the allocation is bounded by actual bytes.
        let mut blocks = Vec::new();
        reserve(&mut blocks, header.nblocks().min(prefix.len() / 4))?;
        for block in 0..header.nblocks() {
            let start = header.block_start(prefix, block)? as u32;
            blocks.push(start..header.cbytes as u32);
        }
        // A block ends where the next one starts. Multithreaded writers store them in any order.
        if blocks.is_sorted_by_key(|b| b.start) {
            for i in 1..blocks.len() {
                blocks[i - 1].end = blocks[i].start;
            }
        } else {
            let mut starts: Vec<u32> = Vec::new();
            reserve(&mut starts, blocks.len())?;
            starts.extend(blocks.iter().map(|b| b.start));
            starts.sort_unstable();
            for block in &mut blocks {
                let next = starts.partition_point(|&s| s <= block.start);
                block.end = starts.get(next).copied().unwrap_or(block.end);
            }
        }
        Ok(Index { header, blocks })
    }

    /// The header of the frame.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The byte range of block `block` in the frame; empty past the last block.
    pub fn stored_span(&self, block: usize) -> Range<usize> {
        if self.header.format.is_none() {
            let span = self.header.block_span(block);
            return HEADER_LEN + span.start..HEADER_LEN + span.end;
        }
        self.blocks.get(block).map_or(0..0, |b| b.start as usize..b.end as usize)
    }

    /// The blocks that hold the decoded bytes `span`; `CorruptData` if it exceeds them.
    pub fn blocks(&self, span: Range<usize>) -> Result<Range<usize>> {
        let h = &self.header;
        check_span(h, &span)?;
        if span.is_empty() {
            return Ok(0..0);
        }
        Ok(span.start / h.blocksize..(span.end - 1) / h.blocksize + 1)
    }
}

/// Checks that `span` is within the decoded length.
pub(super) fn check_span(header: &Header, span: &Range<usize>) -> Result<()> {
    if span.start > span.end || span.end > header.nbytes {
        return Err(Error::corrupt(format!(
            "bytes {}..{} were requested of a Blosc frame that decodes to {}",
            span.start, span.end, header.nbytes
        )));
    }
    Ok(())
}
