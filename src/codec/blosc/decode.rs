//! Reading Blosc frames: whole, in part, or block by block.

use crate::lock::Acquire;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::Mutex;

use super::header::{HEADER_LEN, Header, Index, MAX_SPLITS, check_span};
use super::raw::{Buffer, Contexts, Inner, as_uninit, copy, no_memory, set_written, with_contexts};
use super::shuffle::{MAX_TYPESIZE, PIECE, Planes, unshuffle, unshuffle_bits};
use super::{Format, Shuffle, blocks_per_group, worth_sharing};
use crate::error::{Context, Error, Kind, Result};
use crate::exec;

/// The decoded length of the frame `src`. The header is checked as far as possible, so the result
/// is no more than the frame could hold; `LimitExceeded` if it exceeds `limit`.
pub fn decoded_len(src: &[u8], limit: usize) -> Result<usize> {
    let nbytes = super::header(src)?.nbytes;
    if nbytes > limit {
        return Err(Error::new(
            Kind::LimitExceeded,
            format!("the Blosc frame decodes to {nbytes} bytes, the limit is {limit}"),
        ));
    }
    Ok(nbytes)
}

/// Decodes all of `src` into `dst`, which must have the decoded length, on up to `threads` threads.
/// `CorruptData` describes the damage, identically for any number of threads.
pub fn decode(src: &[u8], dst: &mut [u8], threads: usize) -> Result<()> {
    decode_uninit(src, as_uninit(dst), threads)
}

/// Like [`decode`], into possibly uninitialized memory. After `Ok` all of it is initialized.
pub fn decode_uninit(src: &[u8], dst: &mut [MaybeUninit<u8>], threads: usize) -> Result<()> {
    let header = super::header(src)?;
    if header.nbytes != dst.len() {
        return Err(Error::corrupt(format!(
            "the Blosc frame decodes to {} bytes instead of {}",
            header.nbytes,
            dst.len()
        )));
    }
    // On failure this thread decodes the frame again alone, to report the first damaged block
    // instead of the one that some thread found first.
    if header.format.is_some()
        && worth_sharing(threads, header.nbytes, header.blocksize)
        && decode_shared(&header, src, dst, threads).is_ok()
    {
        return Ok(());
    }
    decode_span(&header, src, 0, dst)
}

/// Appends the decoded frame `src` to `out`. If it exceeds `limit` bytes, fails with
/// `LimitExceeded` and allocates nothing. An error leaves `out` unchanged.
pub fn decode_grow(src: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<()> {
    let nbytes = decoded_len(src, limit)?;
    out.try_reserve(nbytes).map_err(|_| no_memory(nbytes))?;
    decode_uninit(src, &mut out.spare_capacity_mut()[..nbytes], 1)?;
    set_written(out, nbytes);
    Ok(())
}

/// Decodes `dst.len()` bytes from decoded offset `offset`, and only the blocks that contain them.
/// `CorruptData` if the frame decodes to less.
pub fn decode_range(src: &[u8], offset: usize, dst: &mut [u8]) -> Result<()> {
    let header = super::header(src)?;
    check_span(&header, &(offset..offset.saturating_add(dst.len())))?;
    decode_span(&header, src, offset, as_uninit(dst))
}

/// Decodes `dst.len()` bytes from byte `skip` of block `block` on. `stored` is the bytes
/// [`Index::stored_span`] of the frame. `CorruptData` if the block does not hold them.
pub fn decode_block(
    index: &Index,
    block: usize,
    stored: &[u8],
    skip: usize,
    dst: &mut [u8],
) -> Result<()> {
    let header = index.header();
    let span = header.block_span(block);
    let from = span.start.saturating_add(skip);
    let to = from.saturating_add(dst.len());
    if to > span.end || stored.len() != index.stored_span(block).len() {
        return Err(Error::corrupt(format!(
            "bytes {from}..{to} were requested of block {block} of a Blosc frame, which holds \
             {}..{} in {} bytes, not {}",
            span.start,
            span.end,
            index.stored_span(block).len(),
            stored.len()
        )));
    }
    if dst.is_empty() {
        return Ok(());
    }
    let Some(format) = header.format else {
        dst.copy_from_slice(&stored[skip..skip + dst.len()]);
        return Ok(());
    };
    with_contexts(|contexts| {
        Block { header, format, len: span.len(), stored }.decode(skip, as_uninit(dst), contexts)
    })
    .at(|| format!("block {block}"))
}

/// Decodes the whole frame on several threads, each of which takes groups of blocks until none are
/// left.
fn decode_shared(
    header: &Header,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    threads: usize,
) -> Result<()> {
    let len = blocks_per_group(header.blocksize) * header.blocksize;
    let groups = Mutex::new(dst.chunks_mut(len).enumerate());
    exec::run(threads, header.nbytes.div_ceil(len), &|_| {
        let next = groups.acquire().next();
        next.map_or(Ok(()), |(number, dst)| decode_span(header, src, number * len, dst))
    })
}

/// Decodes `dst.len()` bytes from `offset` on, which must be within the frame.
fn decode_span(
    header: &Header,
    src: &[u8],
    offset: usize,
    dst: &mut [MaybeUninit<u8>],
) -> Result<()> {
    if dst.is_empty() {
        return Ok(());
    }
    let Some(format) = header.format else {
        copy(&src[HEADER_LEN + offset..HEADER_LEN + offset + dst.len()], dst);
        return Ok(());
    };
    with_contexts(|contexts| {
        let (mut at, mut dst) = (offset, dst);
        while !dst.is_empty() {
            let number = at / header.blocksize;
            let span = header.block_span(number);
            let (here, rest) = dst.split_at_mut(dst.len().min(span.end - at));
            dst = rest;
            let stored = &src[header.block_start(src, number)?..];
            Block { header, format, len: span.len(), stored }
                .decode(at - span.start, here, contexts)
                .at(|| format!("block {number}"))?;
            at = span.end;
        }
        Ok(())
    })
}

/// A block of `len` decoded bytes; `stored` starts with it.
struct Block<'a> {
    header: &'a Header,
    format: Format,
    len: usize,
    stored: &'a [u8],
}

impl<'a> Block<'a> {
    /// Decodes `dst.len()` of its bytes from `skip` on, which must be within the block.
    fn decode(
        &self,
        skip: usize,
        dst: &mut [MaybeUninit<u8>],
        contexts: &mut Contexts,
    ) -> Result<()> {
        let Contexts { buffer, piece, inner } = contexts;
        let typesize = self.header.typesize;
        let filter = self.header.filter(self.len);
        if filter == Shuffle::None {
            return self.decode_plain(skip, dst, buffer, inner);
        }
        let mut planes: Planes<'_> = [&[]; MAX_TYPESIZE];
        let n = self.len / typesize;
        let end = self.planes(&mut planes, buffer, inner)?;
        // A partial element at the end is not filtered.
        let (dst, rest) = dst.split_at_mut((n * typesize).saturating_sub(skip).min(dst.len()));
        let skip_end = (skip + dst.len()).saturating_sub(n * typesize);
        copy(&end[skip_end..skip_end + rest.len()], rest);
        match filter {
            Shuffle::Bit => unshuffle_bits(typesize, &planes, skip, dst, piece.get(PIECE)?),
            _ => unshuffle(typesize, &planes, skip, dst),
        }
        Ok(())
    }

    /// The planes of a filtered block, each a stream or part of the single stream, and the
    /// unfiltered rest. Uncompressed streams are used in place.
    fn planes<'p>(
        &self,
        planes: &mut Planes<'p>,
        buffer: &'p mut Buffer,
        inner: &mut Inner,
    ) -> Result<&'p [u8]>
    where
        'a: 'p,
    {
        let typesize = self.header.typesize;
        let n = self.len / typesize;
        let count = self.header.streams(self.len)?;
        let mut streams = Streams { rest: self.stored };
        if count == 1 {
            let whole: &'p [u8] = match streams.next(self.len)? {
                Stream::Plain(bytes) => bytes,
                Stream::Compressed(bytes) => {
                    let whole = buffer.get(self.len)?;
                    inner.decompress(self.format, bytes, as_uninit(whole))?;
                    whole
                }
            };
            let (body, end) = whole.split_at(n * typesize);
            for (plane, bytes) in planes.iter_mut().zip(body.chunks_exact(n)) {
                *plane = bytes;
            }
            return Ok(end);
        }
        // Streams a power of two apart would compete for the same cache sets.
        let stride = n.next_multiple_of(64) + 3 * 64;
        let buffer = buffer.get(count * stride)?;
        for (plane, bytes) in planes.iter_mut().zip(buffer.chunks_exact_mut(stride)) {
            *plane = match streams.next(n)? {
                Stream::Plain(bytes) => bytes,
                Stream::Compressed(stream) => {
                    let bytes = &mut bytes[..n];
                    inner.decompress(self.format, stream, as_uninit(bytes))?;
                    bytes
                }
            };
        }
        Ok(&[])
    }

    /// An unfiltered block: its streams are its bytes, concatenated.
    fn decode_plain(
        &self,
        skip: usize,
        dst: &mut [MaybeUninit<u8>],
        buffer: &mut Buffer,
        inner: &mut Inner,
    ) -> Result<()> {
        let count = self.header.streams(self.len)?;
        let len = self.len / count;
        let mut streams = Streams { rest: self.stored };
        let wanted = skip..skip + dst.len();
        let mut dst = dst;
        for k in 0..count {
            let stream = streams.next(len)?;
            let part = intersection(&wanted, &(k * len..(k + 1) * len));
            if part.is_empty() {
                continue;
            }
            let (here, rest) = dst.split_at_mut(part.len());
            dst = rest;
            let from = part.start - k * len;
            match stream {
                Stream::Plain(bytes) => copy(&bytes[from..from + here.len()], here),
                Stream::Compressed(bytes) if here.len() == len => {
                    inner.decompress(self.format, bytes, here)?;
                }
                Stream::Compressed(bytes) => {
                    let whole = buffer.get(len)?;
                    inner.decompress(self.format, bytes, as_uninit(whole))?;
                    copy(&whole[from..from + here.len()], here);
                }
            }
        }
        Ok(())
    }
}

fn intersection(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}

/// A stream of a block.
enum Stream<'a> {
    /// Uncompressed.
    Plain(&'a [u8]),
    Compressed(&'a [u8]),
}

/// The streams of a block, each preceded by its length.
struct Streams<'a> {
    rest: &'a [u8],
}

impl<'a> Streams<'a> {
    /// The next stream, which decodes to `len` bytes.
    fn next(&mut self, len: usize) -> Result<Stream<'a>> {
        let Some((length, rest)) = self.rest.split_first_chunk::<4>() else {
            return Err(Error::corrupt(format!(
                "the Blosc frame ends {} bytes into the length of a stream",
                self.rest.len()
            )));
        };
        let length = i32::from_le_bytes(*length);
        let Some((stream, rest)) =
            usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length))
        else {
            return Err(Error::corrupt(format!(
                "the Blosc frame has a stream of {length} bytes where {} are left",
                rest.len()
            )));
        };
        self.rest = rest;
        Ok(if stream.len() == len { Stream::Plain(stream) } else { Stream::Compressed(stream) })
    }
}

const _: () = assert!(MAX_SPLITS <= MAX_TYPESIZE);
