//! `lzma`: the formats that Python's module `lzma` calls XZ (.xz), ALONE (.lzma) and RAW (no frame;
//! the metadata has the filters). By liblzma. <https://tukaani.org/xz/xz-file-format.txt>
//!
//! A stream may claim a dictionary of up to 4 GiB. No distance exceeds the bytes decoded before, so
//! a decoder never gets a dictionary larger than the decoded length. That is why this module, not
//! the library, parses .xz streams block by block.
#![allow(unsafe_code)] // the binding

use super::config::Config;
use super::sink::Sink;
use super::{BytesCodec, ChunkSpec, Codec, Len};
use crate::error::{Error, Kind, Result};
use crate::exec::out_of_memory;
use crate::metadata::CodecSpec;
use liblzma_sys as sys;
use serde_json::Value;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Xz,
    Alone,
    Raw,
}

struct Lzma {
    format: Format,
    check: sys::lzma_check,
    /// Used without filters: a chain of LZMA2 (in ALONE: LZMA1) with that preset.
    preset: u32,
    filters: Vec<Filter>,
    /// Whether to ignore the checks of .xz blocks.
    ignore_checks: bool,
}

/// A filter in the metadata.
enum Filter {
    Lzma {
        id: u64,
        preset: u32,
        changes: Vec<(Change, u32)>,
    },
    Delta {
        distance: u32,
    },
    /// For machine code, whose addresses start at this offset.
    Branch {
        id: u64,
        start: u32,
    },
}

/// Sets one option of LZMA.
type Change = fn(&mut sys::lzma_options_lzma, u32);

/// The LZMA options that may override the preset.
const CHANGES: [(&str, Change); 8] = [
    ("dict_size", |o, v| o.dict_size = v),
    ("lc", |o, v| o.lc = v),
    ("lp", |o, v| o.lp = v),
    ("pb", |o, v| o.pb = v),
    ("mode", |o, v| o.mode = v),
    ("nice_len", |o, v| o.nice_len = v),
    ("mf", |o, v| o.mf = v),
    ("depth", |o, v| o.depth = v),
];

const DEFAULT_PRESET: u32 = 6;
const HEADER: usize = sys::LZMA_STREAM_HEADER_SIZE as usize;
/// The header of ALONE: a byte of properties, the dictionary size, the decoded length.
const ALONE_HEADER: usize = 13;

pub(super) fn build(config: &Config<'_>, _: &ChunkSpec) -> Result<Codec> {
    config.only(&["format", "check", "preset", "filters", "delta"])?;
    let format = match config.integer("format", 1, 3)? {
        None | Some(1) => Format::Xz,
        Some(2) => Format::Alone,
        Some(_) => Format::Raw,
    };
    let check = match (format, config.integer("check", -1, 10)?.unwrap_or(-1)) {
        (Format::Xz, -1) => sys::LZMA_CHECK_CRC64,
        (_, -1 | 0) => sys::LZMA_CHECK_NONE,
        (Format::Xz, 1) => sys::LZMA_CHECK_CRC32,
        (Format::Xz, 4) => sys::LZMA_CHECK_CRC64,
        (Format::Xz, 10) => sys::LZMA_CHECK_SHA256,
        (Format::Xz, check) => {
            return Err(config.error(format!("\"check\" is {check}: expected -1, 0, 1, 4 or 10")));
        }
        (_, check) => {
            return Err(config.error(format!("\"check\" is {check}: only format 1 (XZ) has one")));
        }
    };
    let mut given = preset(config)?;
    let mut filters = filters(config)?;
    // GDAL's notation for an .xz stream with a delta filter and LZMA2
    if let Some(distance) = config.integer("delta", 1, 256)? {
        if format != Format::Xz || !filters.is_empty() {
            return Err(config.error(
                "has \"delta\" together with \"filters\" or a format other \
                than 1",
            ));
        }
        let preset = given.take().unwrap_or(DEFAULT_PRESET);
        filters = vec![
            Filter::Delta { distance: distance as u32 },
            Filter::Lzma { id: sys::LZMA_FILTER_LZMA2, preset, changes: Vec::new() },
        ];
    }
    match (format, &filters[..]) {
        (Format::Raw, []) => return Err(config.missing("filters")),
        (_, [_, ..]) if given.is_some() => {
            return Err(config.error("has both \"preset\" and \"filters\""));
        }
        (Format::Alone, [] | [Filter::Lzma { id: sys::LZMA_FILTER_LZMA1, .. }]) => {}
        (Format::Alone, _) => {
            return Err(config.error("\"filters\": format 2 requires LZMA1 alone"));
        }
        _ => {}
    }
    let preset = given.unwrap_or(DEFAULT_PRESET);
    let ignore_checks = config.read_policy().ignore_checksums;
    let codec = Lzma { format, check, preset, filters, ignore_checks };
    if !codec.filters.is_empty() && !Filters::new(&codec.filters, u32::MAX).is_supported() {
        return Err(config.error("\"filters\": liblzma does not support this chain"));
    }
    Ok(Codec::Bytes(Box::new(codec)))
}

/// A preset: 0 to 9, optionally with the bit of "extreme".
fn preset(config: &Config<'_>) -> Result<Option<u32>> {
    const EXTREME: i64 = sys::LZMA_PRESET_EXTREME as i64;
    let Some(preset) = config.integer("preset", 0, EXTREME + 9)? else { return Ok(None) };
    match preset & !EXTREME {
        0..=9 => Ok(Some(preset as u32)),
        _ => {
            Err(config
                .error(format!("\"preset\": expected an integer from 0 to 9, found {preset}")))
        }
    }
}

fn filters(config: &Config<'_>) -> Result<Vec<Filter>> {
    let list = match config.get("filters") {
        None => return Ok(Vec::new()),
        Some(Value::Array(list)) if list.len() <= sys::LZMA_FILTERS_MAX as usize => list,
        Some(_) => return Err(config.error("\"filters\" is not a list of up to 4 filters")),
    };
    let filter = |(n, value): (usize, &Value)| {
        let members = value.as_object().cloned();
        let members =
            members.ok_or_else(|| config.error(format!("filters: {value} is not an object")))?;
        let spec = CodecSpec::new(format!("{}: filters[{n}]", config.name()), members);
        parse_filter(&Config::new(&spec))
    };
    list.iter().enumerate().map(filter).collect()
}

fn parse_filter(config: &Config<'_>) -> Result<Filter> {
    let id = config.integer("id", 0, i64::MAX)?.ok_or_else(|| config.missing("id"))? as u64;
    match id {
        sys::LZMA_FILTER_LZMA1 | sys::LZMA_FILTER_LZMA2 => {
            let mut known = vec!["id", "preset"];
            known.extend(CHANGES.map(|(name, _)| name));
            config.only(&known)?;
            let mut changes = Vec::new();
            for (name, change) in CHANGES {
                if let Some(value) = config.integer(name, 0, u32::MAX.into())? {
                    changes.push((change, value as u32));
                }
            }
            Ok(Filter::Lzma { id, preset: preset(config)?.unwrap_or(DEFAULT_PRESET), changes })
        }
        sys::LZMA_FILTER_DELTA => {
            config.only(&["id", "dist"])?;
            Ok(Filter::Delta { distance: config.integer("dist", 1, 256)?.unwrap_or(1) as u32 })
        }
        sys::LZMA_FILTER_X86..=sys::LZMA_FILTER_RISCV => {
            config.only(&["id", "start_offset"])?;
            let start = config.integer("start_offset", 0, u32::MAX.into())?.unwrap_or(0);
            Ok(Filter::Branch { id, start: start as u32 })
        }
        _ => Err(config.error(format!("\"id\": liblzma has no filter {id}"))),
    }
}

/// The options of a preset; for an unknown one all zeros, which the library rejects.
fn options_of(preset: u32) -> sys::lzma_options_lzma {
    // SAFETY: numbers and pointers, for which zeros stand for "not used"; the function writes to
    // what it is given.
    unsafe {
        let mut options: sys::lzma_options_lzma = std::mem::zeroed();
        sys::lzma_lzma_preset(&mut options, preset);
        options
    }
}

/// A filter chain in the library's form.
struct Filters {
    list: Vec<sys::lzma_filter>,
    /// The options that the list points to.
    _options: Vec<Options>,
}

#[allow(dead_code)] // read by the library
enum Options {
    Lzma(Box<sys::lzma_options_lzma>),
    Delta(Box<sys::lzma_options_delta>),
    Branch(Box<sys::lzma_options_bcj>),
}

impl Filters {
    /// The chain, with dictionaries of at most `largest` bytes.
    fn new(filters: &[Filter], largest: u32) -> Self {
        let mut list = Vec::with_capacity(filters.len() + 1);
        let mut kept = Vec::with_capacity(filters.len());
        for filter in filters {
            let (id, options, pointer) = match filter {
                Filter::Lzma { id, preset, changes } => {
                    let mut options = Box::new(options_of(*preset));
                    changes.iter().for_each(|(change, value)| change(&mut options, *value));
                    options.dict_size = options.dict_size.min(largest);
                    let pointer: *mut c_void = (&raw mut *options).cast();
                    (*id, Options::Lzma(options), pointer)
                }
                Filter::Delta { distance } => {
                    // SAFETY: numbers and pointers, all of which may be zero.
                    let zero: sys::lzma_options_delta = unsafe { std::mem::zeroed() };
                    let mut options = Box::new(sys::lzma_options_delta { dist: *distance, ..zero });
                    let pointer: *mut c_void = (&raw mut *options).cast();
                    (sys::LZMA_FILTER_DELTA, Options::Delta(options), pointer)
                }
                Filter::Branch { id, start } => {
                    let mut options = Box::new(sys::lzma_options_bcj { start_offset: *start });
                    let pointer: *mut c_void = (&raw mut *options).cast();
                    (*id, Options::Branch(options), pointer)
                }
            };
            list.push(sys::lzma_filter { id, options: pointer });
            kept.push(options);
        }
        list.push(sys::lzma_filter { id: sys::LZMA_VLI_UNKNOWN, options: null_mut() });
        Filters { list, _options: kept }
    }

    fn is_supported(&self) -> bool {
        let list = self.list.as_ptr();
        // SAFETY: the list ends with its mark, and its options are alive.
        let memory =
            unsafe { (sys::lzma_raw_encoder_memusage(list), sys::lzma_raw_decoder_memusage(list)) };
        memory.0 != u64::MAX && memory.1 != u64::MAX
    }
}

/// An encoder or decoder of the library.
struct Stream(sys::lzma_stream);

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: a stream that was never set up may be ended, too.
        unsafe { sys::lzma_end(&mut self.0) }
    }
}

impl Stream {
    /// Initializes an empty stream by `set_up`.
    fn new(set_up: impl FnOnce(*mut sys::lzma_stream) -> sys::lzma_ret) -> Result<Self> {
        // SAFETY: a stream of zeros is an empty one (LZMA_STREAM_INIT).
        let mut stream = Stream(unsafe { std::mem::zeroed() });
        check(set_up(&mut stream.0))?;
        Ok(stream)
    }

    /// Reads from `src`, writes to `out`; returns how many bytes of each, and whether the stream
    /// ended.
    fn code(
        &mut self,
        src: &[u8],
        out: &mut [u8],
        action: sys::lzma_action,
    ) -> Result<(usize, usize, bool)> {
        let stream = &mut self.0;
        (stream.next_in, stream.avail_in) = (src.as_ptr(), src.len());
        (stream.next_out, stream.avail_out) = (out.as_mut_ptr(), out.len());
        // SAFETY: both slices are good for the lengths given.
        let code = unsafe { sys::lzma_code(stream, action) };
        if code != sys::LZMA_BUF_ERROR {
            check(code)?;
        }
        let (read, written) = (src.len() - stream.avail_in, out.len() - stream.avail_out);
        Ok((read, written, code == sys::LZMA_STREAM_END))
    }

    /// Decodes from `src` to the end of the stream and advances `src` past it.
    fn decode(&mut self, src: &mut &[u8], sink: &mut Sink<'_>) -> Result<()> {
        loop {
            let (read, written, end) = self.code(src, sink.room()?, sys::LZMA_RUN)?;
            *src = &src[read..];
            sink.wrote(written)?;
            match (end, read, written) {
                (true, ..) => return Ok(()),
                (_, 0, 0) => return Err(cut_short()),
                _ => {}
            }
        }
    }
}

#[cold]
fn cut_short() -> Error {
    Error::corrupt("the lzma stream is truncated")
}

fn check(code: sys::lzma_ret) -> Result<()> {
    match code {
        sys::LZMA_OK | sys::LZMA_STREAM_END => Ok(()),
        sys::LZMA_MEM_ERROR => Err(out_of_memory(1 << 20)),
        sys::LZMA_FORMAT_ERROR => Err(Error::corrupt("the value is not a stream of this format")),
        sys::LZMA_OPTIONS_ERROR => Err(Error::corrupt(
            "the stream needs a feature that liblzma \
            lacks",
        )),
        sys::LZMA_DATA_ERROR | sys::LZMA_BUF_ERROR => {
            Err(Error::corrupt("the lzma stream is damaged"))
        }
        code => Err(Error::new(Kind::Internal, format!("liblzma fails with code {code}"))),
    }
}

/// The largest useful dictionary for so many decoded bytes.
fn largest_dictionary(decoded: usize) -> u32 {
    u32::try_from(decoded).unwrap_or(u32::MAX).max(sys::LZMA_DICT_SIZE_MIN)
}

/// Decodes a stream and advances `src` past it and its padding.
fn decode_xz(src: &mut &[u8], sink: &mut Sink<'_>, ignore_checks: bool) -> Result<()> {
    // SAFETY: numbers and pointers, which the next function fills in.
    let mut flags: sys::lzma_stream_flags = unsafe { std::mem::zeroed() };
    let header = take(src, HEADER)?;
    // SAFETY: the header has as many bytes as the function reads.
    check(unsafe { sys::lzma_stream_header_decode(&mut flags, header.as_ptr()) })?;
    let mut index = Index::new()?;
    // a block starts with its header size, the index with 0
    while *src.first().ok_or_else(cut_short)? != 0 {
        decode_block(src, sink, flags.check, ignore_checks, &mut index)?;
    }
    index.decode(src)?;

    // SAFETY: as above.
    let mut again: sys::lzma_stream_flags = unsafe { std::mem::zeroed() };
    let footer = take(src, HEADER)?;
    // SAFETY: the footer has as many bytes as the function reads; both flags are filled in.
    unsafe {
        check(sys::lzma_stream_footer_decode(&mut again, footer.as_ptr()))?;
        check(sys::lzma_stream_flags_compare(&flags, &again))?;
    }
    if index.size() != again.backward_size {
        return Err(Error::corrupt("the footer of the .xz stream does not point at its index"));
    }
    while let Some(rest) = src.strip_prefix(&[0; 4]) {
        *src = rest;
    }
    Ok(())
}

fn take<'a>(src: &mut &'a [u8], count: usize) -> Result<&'a [u8]> {
    let (taken, rest) = src.split_at_checked(count).ok_or_else(cut_short)?;
    *src = rest;
    Ok(taken)
}

/// Decodes a block and advances `src` past it.
fn decode_block(
    src: &mut &[u8],
    sink: &mut Sink<'_>,
    kind: sys::lzma_check,
    ignore_check: bool,
    index: &mut Index,
) -> Result<()> {
    let end = sys::lzma_filter { id: sys::LZMA_VLI_UNKNOWN, options: null_mut() };
    let mut filters = [end; sys::LZMA_FILTERS_MAX as usize + 1];
    // SAFETY: numbers and pointers; what has to be there is set next.
    let mut block: sys::lzma_block = unsafe { std::mem::zeroed() };
    block.version = 1;
    block.header_size = (u32::from(*src.first().ok_or_else(cut_short)?) + 1) * 4;
    block.check = kind;
    block.filters = filters.as_mut_ptr();
    let header = take(src, block.header_size as usize)?;
    // SAFETY: the header is as long as its first byte says, and the list of filters as the
    // function wants it. It allocates their options, which are freed once the decoder is set up.
    let stream = unsafe {
        check(sys::lzma_block_header_decode(&mut block, null(), header.as_ptr()))?;
        block.ignore_check = u8::from(ignore_check);
        for filter in filters.iter().take_while(|f| f.id != sys::LZMA_VLI_UNKNOWN) {
            if filter.id == sys::LZMA_FILTER_LZMA2 {
                let options = &mut *filter.options.cast::<sys::lzma_options_lzma>();
                options.dict_size = options.dict_size.min(largest_dictionary(sink.limit()));
            }
        }
        let stream = Stream::new(|stream| sys::lzma_block_decoder(stream, &mut block));
        sys::lzma_filters_free(filters.as_mut_ptr(), null());
        stream
    };
    stream?.decode(src, sink)?;
    // SAFETY: the decoder, which is gone, has filled in the sizes of the block.
    let unpadded = unsafe { sys::lzma_block_unpadded_size(&block) };
    index.append(unpadded, block.uncompressed_size)
}

/// The sizes of the blocks seen, for comparison with the stream's index.
struct Index(*mut sys::lzma_index_hash);

impl Drop for Index {
    fn drop(&mut self) {
        // SAFETY: made by `new` and freed once.
        unsafe { sys::lzma_index_hash_end(self.0, null()) }
    }
}

impl Index {
    fn new() -> Result<Self> {
        // SAFETY: NULL asks for a new one; NULL comes back if there is no memory.
        let raw = unsafe { sys::lzma_index_hash_init(null_mut(), null()) };
        if raw.is_null() { Err(out_of_memory(1 << 10)) } else { Ok(Index(raw)) }
    }

    fn append(&mut self, unpadded: u64, decoded: u64) -> Result<()> {
        // SAFETY: a live one.
        check(unsafe { sys::lzma_index_hash_append(self.0, unpadded, decoded) })
    }

    /// Checks the index and advances `src` past it.
    fn decode(&mut self, src: &mut &[u8]) -> Result<()> {
        let mut at = 0;
        // SAFETY: a live one, which reads no further than the length given.
        let code = unsafe { sys::lzma_index_hash_decode(self.0, src.as_ptr(), &mut at, src.len()) };
        *src = &src[at..];
        match code {
            sys::LZMA_OK | sys::LZMA_BUF_ERROR => Err(cut_short()),
            code => check(code),
        }
    }

    fn size(&self) -> u64 {
        // SAFETY: a live one.
        unsafe { sys::lzma_index_hash_size(self.0) }
    }
}

/// Decodes a stream, with the dictionary size in its header reduced; advances `src` past it.
fn decode_alone(src: &mut &[u8], sink: &mut Sink<'_>) -> Result<()> {
    let mut header = [0; ALONE_HEADER];
    header.copy_from_slice(take(src, ALONE_HEADER)?);
    let said = u32::from_le_bytes([header[1], header[2], header[3], header[4]]);
    let size = said.min(largest_dictionary(sink.limit()));
    header[1..5].copy_from_slice(&size.to_le_bytes());
    // SAFETY: the stream is an empty one.
    let mut stream = Stream::new(|stream| unsafe { sys::lzma_alone_decoder(stream, u64::MAX) })?;
    match stream.code(&header, sink.room()?, sys::LZMA_RUN)? {
        (ALONE_HEADER, 0, false) => stream.decode(src, sink),
        (_, _, end) => {
            if end {
                Ok(())
            } else {
                Err(cut_short())
            }
        }
    }
}

impl Lzma {
    fn decode(&self, mut src: &[u8], sink: &mut Sink<'_>) -> Result<()> {
        loop {
            match self.format {
                Format::Xz => decode_xz(&mut src, sink, self.ignore_checks)?,
                Format::Alone => decode_alone(&mut src, sink)?,
                Format::Raw => {
                    let filters = Filters::new(&self.filters, largest_dictionary(sink.limit()));
                    // SAFETY: the list ends with its mark, and its options are alive.
                    let stream =
                        |stream| unsafe { sys::lzma_raw_decoder(stream, filters.list.as_ptr()) };
                    Stream::new(stream)?.decode(&mut src, sink)?;
                }
            }
            if src.is_empty() {
                return Ok(());
            }
        }
    }

    fn encoder(&self) -> Result<Stream> {
        let filters = Filters::new(&self.filters, u32::MAX);
        let list = filters.list.as_ptr();
        let mut options = options_of(self.preset);
        if let Some(Options::Lzma(own)) = filters._options.first() {
            options = **own;
        }
        // SAFETY: the list ends with its mark, and all options are alive while they are read.
        Stream::new(|stream| unsafe {
            match self.format {
                Format::Xz if self.filters.is_empty() => {
                    sys::lzma_easy_encoder(stream, self.preset, self.check)
                }
                Format::Xz => sys::lzma_stream_encoder(stream, list, self.check),
                Format::Alone => sys::lzma_alone_encoder(stream, &options),
                Format::Raw => sys::lzma_raw_encoder(stream, list),
            }
        })
    }

    /// Whether incompressible data is stored uncompressed, as LZMA2 does.
    fn stores(&self) -> bool {
        match self.filters.last() {
            Some(Filter::Lzma { id, .. }) => *id == sys::LZMA_FILTER_LZMA2,
            _ => self.format == Format::Xz,
        }
    }
}

impl BytesCodec for Lzma {
    fn encoded_len(&self, decoded: Len) -> Len {
        // LZMA2 stores pieces of 64 KiB, each with 3 more bytes; in LZMA1 the nine decisions of a
        // literal cost at most 6.1 bits each
        let stores = self.stores();
        decoded.at_most(|n| {
            let n = if stores { n.saturating_add(n >> 12) } else { n.saturating_mul(7) };
            n.saturating_add(1024)
        })
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        // 273 bytes take 14 decisions, of which each costs a 45th of a bit at least: 1 to 7088
        encoded.saturating_mul(7100)
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>, _: usize) -> Result<()> {
        let mut stream = self.encoder()?;
        let mut src = src;
        let mut room = src.len() + (src.len() >> 6) + 1024;
        loop {
            let at = out.len();
            crate::source::reserve(out, room)?;
            out.resize(at + room, 0);
            let (read, written, end) = stream.code(src, &mut out[at..], sys::LZMA_FINISH)?;
            src = &src[read..];
            out.truncate(at + written);
            if end {
                return Ok(());
            }
            room = room.max(1 << 16);
        }
    }

    fn decode(&self, src: &[u8], out: &mut [u8], _: usize) -> Result<()> {
        let mut sink = Sink::exactly(out);
        self.decode(src, &mut sink)?;
        sink.finish()
    }

    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
        let mut sink = Sink::at_most(out, limit);
        self.decode(src, &mut sink)?;
        sink.finish()
    }
}

#[cfg(test)]
mod tests;
