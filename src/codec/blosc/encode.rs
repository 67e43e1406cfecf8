//! Writes Blosc frames by the rules of c-blosc 1.21, with the same choices.

use crate::lock::Acquire;
use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::slice::ChunksExactMut;
use std::sync::Mutex;

use super::header::{
    BIT_SHUFFLED, HEADER_LEN, MAX_SPLITS, MIN_BUFFER, NOT_SPLIT, SHUFFLED, STORED, VERSION, filter,
};
use super::raw::{Contexts, copy, no_memory, set_written, with_contexts};
use super::shuffle::{MAX_TYPESIZE, PIECE, shuffle, shuffle_bits};
use super::{Compressor, Config, Shuffle, blocks_per_group, worth_sharing};
use crate::error::{Context, Error, Kind, Result};
use crate::exec;

/// The largest buffer that fits a frame, whose numbers are signed 32-bit.
const MAX_BUFFER: usize = i32::MAX as usize - HEADER_LEN;
/// The largest block of c-blosc, which keeps three blocks and their lengths in one allocation.
const MAX_BLOCK: usize = (i32::MAX as usize - 4 * MAX_TYPESIZE) / 3;
/// The first-level cache size that automatic block sizes start from.
const L1: usize = 32 << 10;

/// The maximum size of the frame of `n` bytes; `None` if `n` does not fit a frame.
pub fn max_encoded_len(n: usize) -> Option<usize> {
    (n <= MAX_BUFFER).then_some(n + HEADER_LEN)
}

/// Appends a frame of `src` to `out`, encoded on up to `threads` threads; the result does not
/// depend on their number. `InvalidArgument`: invalid configuration; `LimitExceeded`: more bytes
/// than fit a frame (2^31 - 17). An error leaves `out` unchanged.
pub fn encode(config: &Config, src: &[u8], out: &mut Vec<u8>, threads: usize) -> Result<()> {
    let plan = Plan::new(config, src.len())?;
    let room = HEADER_LEN + src.len();
    out.try_reserve(room).map_err(|_| no_memory(room))?;
    let frame = &mut out.spare_capacity_mut()[..room];
    let (head, body) = frame.split_at_mut(HEADER_LEN);
    let compressed = if plan.compresses() { plan.encode_blocks(src, body, threads)? } else { None };
    let len = match compressed {
        Some(len) => len,
        None => {
            copy(src, body);
            src.len()
        }
    };
    copy(&plan.header(compressed.is_none(), HEADER_LEN + len), head);
    set_written(out, HEADER_LEN + len);
    Ok(())
}

/// The choices for a buffer that do not depend on its bytes.
struct Plan {
    compressor: Compressor,
    level: u8,
    flags: u8,
    typesize: usize,
    nbytes: usize,
    blocksize: usize,
    /// Whether to split blocks into one stream per byte of an element.
    split: bool,
}

impl Plan {
    fn new(config: &Config, nbytes: usize) -> Result<Plan> {
        let &Config { cname: compressor, clevel: level, shuffle, typesize, blocksize } = config;
        if level > 9 {
            return Err(Error::invalid(format!("blosc has levels 0 to 9, not {level}")));
        }
        if typesize == 0 {
            return Err(Error::invalid("blosc needs a typesize of at least 1, not 0"));
        }
        if nbytes > MAX_BUFFER {
            return Err(Error::new(
                Kind::LimitExceeded,
                format!(
                    "blosc encodes at most {MAX_BUFFER} bytes at once, not {nbytes}: choose smaller chunks"
                ),
            ));
        }
        let typesize = if typesize > MAX_TYPESIZE { 1 } else { typesize };
        let blocksize = block_size(compressor, level, typesize, nbytes, blocksize);
        let split = splits(compressor, typesize, blocksize);
        let flags = match shuffle {
            Shuffle::None => 0,
            Shuffle::Byte => SHUFFLED,
            Shuffle::Bit => BIT_SHUFFLED,
        };
        let flags = flags | if split { 0 } else { NOT_SPLIT } | (compressor.format() as u8) << 5;
        Ok(Plan { compressor, level, flags, typesize, nbytes, blocksize, split })
    }

    /// Whether compression is worth trying.
    fn compresses(&self) -> bool {
        self.level > 0 && self.nbytes >= MIN_BUFFER
    }

    /// The header of a frame of `cbytes` bytes; `stored`: uncompressed.
    fn header(&self, stored: bool, cbytes: usize) -> [u8; HEADER_LEN] {
        let mut header = [0; HEADER_LEN];
        let flags = self.flags | if stored { STORED } else { 0 };
        header[..4].copy_from_slice(&[VERSION, 1, flags, self.typesize as u8]);
        // Both are at most i32::MAX: the buffer was checked.
        for (at, value) in [(4, self.nbytes), (8, self.blocksize), (12, cbytes)] {
            header[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes());
        }
        header
    }

    /// Writes the table of blocks and the blocks to `body`, after the header. Returns the bytes
    /// written; `None` if the result is not smaller.
    fn encode_blocks(
        &self,
        src: &[u8],
        body: &mut [MaybeUninit<u8>],
        threads: usize,
    ) -> Result<Option<usize>> {
        let room = body.len();
        let table_len = 4 * self.nbytes.div_ceil(self.blocksize);
        let Some((table, rest)) = body.split_at_mut_checked(table_len) else { return Ok(None) };
        let (mut done, mut written) = (0, 0);
        if worth_sharing(threads, self.nbytes, self.blocksize) {
            // After a failure this thread starts again alone, and reports the error.
            (done, written) = self.encode_shared(src, table, rest, threads).unwrap_or_default();
        }
        let mut rest = &mut rest[written..];
        let table = table.chunks_exact_mut(4);
        with_contexts(|contexts| {
            for (number, (entry, block)) in
                table.zip(src.chunks(self.blocksize)).enumerate().skip(done)
            {
                let start = HEADER_LEN + room - rest.len();
                copy(&(start as u32).to_le_bytes(), entry);
                let written =
                    self.encode_block(block, rest, contexts).at(|| format!("block {number}"))?;
                let Some(written) = written else { return Ok(None) };
                rest = &mut std::mem::take(&mut rest)[written..];
            }
            Ok(Some(room - rest.len()))
        })
    }

    /// Writes blocks to `body` and their offsets to `table`, from the first block on, as long as
    /// they certainly fit. Returns the number of blocks and of bytes. Output encoded without a
    /// bound equals that of one thread; where the bound may matter, one thread must continue.
    fn encode_shared(
        &self,
        src: &[u8],
        table: &mut [MaybeUninit<u8>],
        body: &mut [MaybeUninit<u8>],
        threads: usize,
    ) -> Result<(usize, usize)> {
        let room = body.len();
        let per_group = blocks_per_group(self.blocksize);
        let start = HEADER_LEN + table.len();
        let queue = Mutex::new(Queue {
            table: table.chunks_exact_mut(4),
            start,
            body,
            placed: 0,
            waiting: BTreeMap::new(),
            full: false,
        });
        let groups = src.len().div_ceil(per_group * self.blocksize);
        exec::run(threads, groups, &|number| {
            if queue.acquire().full {
                return Ok(());
            }
            let from = number * per_group * self.blocksize;
            let to = src.len().min(from + per_group * self.blocksize);
            if let Some(group) = self.encode_group(&src[from..to])? {
                place(&queue, number, group);
            }
            Ok(())
        })?;
        let queue = queue.release();
        Ok((queue.placed * per_group, room - queue.body.len()))
    }

    /// Encodes the blocks of `src` with space for any result, so that there is a group.
    fn encode_group(&self, src: &[u8]) -> Result<Option<Group>> {
        let blocks = src.len().div_ceil(self.blocksize);
        let streams = if self.split { self.typesize } else { 1 };
        let most = src.len() + 4 * streams * blocks;
        let mut bytes = exec::Buffer::with_capacity(most)?;
        let mut lens = Vec::new();
        crate::source::reserve(&mut lens, blocks)?;
        with_contexts(|contexts| {
            for block in src.chunks(self.blocksize) {
                let written = self.encode_block(block, bytes.spare_capacity_mut(), contexts)?;
                let Some(written) = written else { return Ok(None) };
                set_written(&mut bytes, written);
                lens.push(written);
            }
            Ok(Some(()))
        })
        .map(|all| all.map(|()| Group { bytes, lens, most }))
    }

    /// Writes one block to the start of `dst`; returns its bytes, or `None` if it does not fit.
    /// Blocks depend on each other only by the space left.
    fn encode_block(
        &self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        contexts: &mut Contexts,
    ) -> Result<Option<usize>> {
        let Contexts { buffer, piece, inner } = contexts;
        let filtered = match filter(self.flags, self.typesize, src.len()) {
            Shuffle::None => src,
            Shuffle::Byte => {
                let buffer = buffer.get(src.len())?;
                shuffle(self.typesize, src, buffer);
                buffer
            }
            Shuffle::Bit => {
                let buffer = buffer.get(src.len())?;
                shuffle_bits(self.typesize, src, buffer, piece.get(PIECE)?);
                buffer
            }
        };
        // A shorter last block is not split.
        let streams = if self.split && src.len() == self.blocksize { self.typesize } else { 1 };
        let room = dst.len();
        let mut dst = dst;
        for stream in filtered.chunks_exact(src.len() / streams) {
            let Some((length, rest)) = dst.split_at_mut_checked(4) else { return Ok(None) };
            if rest.is_empty() {
                return Ok(None);
            }
            // A stream that does not become smaller is stored uncompressed, recognizable by its
            // length.
            let most = stream.len().min(rest.len());
            let compressed = inner.compress(
                self.compressor,
                self.level,
                self.split,
                stream,
                &mut rest[..most],
            )?;
            let written = if compressed == 0 || compressed == stream.len() {
                let Some(place) = rest.get_mut(..stream.len()) else { return Ok(None) };
                copy(stream, place);
                stream.len()
            } else {
                compressed
            };
            copy(&(written as u32).to_le_bytes(), length);
            dst = &mut rest[written..];
        }
        Ok(Some(room - dst.len()))
    }
}

/// Consecutive encoded blocks.
struct Group {
    bytes: exec::Buffer,
    /// The bytes of each block.
    lens: Vec<usize>,
    /// The maximum total of those bytes.
    most: usize,
}

/// Puts groups in order.
struct Queue<'a> {
    /// The table entries of the blocks not placed yet.
    table: ChunksExactMut<'a, MaybeUninit<u8>>,
    /// The frame offset of the next block.
    start: usize,
    /// The space from that offset on.
    body: &'a mut [MaybeUninit<u8>],
    /// The number of placed groups.
    placed: usize,
    /// Groups whose predecessors are still being encoded.
    waiting: BTreeMap<usize, Group>,
    /// Whether a group might not have fitted.
    full: bool,
}

impl<'a> Queue<'a> {
    /// The next group and its place, if it is encoded and certainly fits.
    fn next(&mut self) -> Option<(Group, &'a mut [MaybeUninit<u8>])> {
        let group = self.waiting.remove(&self.placed)?;
        if group.most > self.body.len() {
            self.full = true;
            return None;
        }
        for (len, entry) in group.lens.iter().zip(&mut self.table) {
            copy(&(self.start as u32).to_le_bytes(), entry);
            self.start += len;
        }
        let (place, rest) = std::mem::take(&mut self.body).split_at_mut(group.bytes.len());
        self.body = rest;
        self.placed += 1;
        Some((group, place))
    }
}

/// Copies group `number` and those that waited for it to their places, without holding the lock.
fn place(queue: &Mutex<Queue<'_>>, number: usize, group: Group) {
    queue.acquire().waiting.insert(number, group);
    loop {
        let Some((group, place)) = queue.acquire().next() else { return };
        copy(&group.bytes, place);
    }
}

/// Whether to split blocks.
fn splits(compressor: Compressor, typesize: usize, blocksize: usize) -> bool {
    compressor != Compressor::Zstd && typesize <= MAX_SPLITS && blocksize / typesize >= MIN_BUFFER
}

/// The block size; `forced` is the configured one, 0 for automatic.
fn block_size(
    compressor: Compressor,
    level: u8,
    typesize: usize,
    nbytes: usize,
    forced: usize,
) -> usize {
    if nbytes < typesize {
        return 1;
    }
    let mut size = if forced > 0 {
        forced.clamp(MIN_BUFFER, MAX_BLOCK)
    } else if nbytes < L1 {
        nbytes
    } else {
        let slow = compressor.is_slow();
        let base = if slow { 2 * L1 } else { L1 };
        match level {
            0 => base / 4,
            1 => base / 2,
            2 => base,
            3 => base * 2,
            4 | 5 => base * 4,
            9 if slow => base * 16,
            _ => base * 8,
        }
    };
    if level > 0 && splits(compressor, typesize, size) {
        // Each stream has at most 256 KiB, all of a block 64 KiB to 1 MiB.
        size = (size.min(256 << 10) * typesize).clamp(64 << 10, 1 << 20);
    }
    size = size.min(nbytes);
    if size > typesize {
        size -= size % typesize;
    }
    size
}
