//! `n5_default`: a chunk in N5's format: a header with the shape of the block, then its elements,
//! big-endian and with the first dimension fastest, optionally compressed.
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/n5_default>
//! <https://github.com/saalfeldlab/n5#file-system-specification>
//!
//! ```text
//! | mode: u16 | rank: u16 | extent: u32, for each dimension | mode 1: elements: u32 | elements |
//! ```
//!
//! The header determines the shape, not the expected chunk: a smaller block is padded with the fill
//! value, a larger one is clipped.

use super::chain::{Chain, Encoded};
use super::config::Config;
use super::{ArrayBytesCodec, ChunkSpec, Codec, Len, ReadPolicy};
use crate::call::Call;
use crate::error::{Context, Error, Kind, Result};
use crate::exec::{Buffer, FAST_COPY_HEADROOM};
use crate::metadata::CodecSpec;
use crate::selection::Region;
use crate::source::{ByteSource, Version, wrong_length};
use crate::strided::{Extents, View, ViewMut, fill};
use serde_json::json;
use std::sync::Arc;

/// The shape gives the number of elements.
const DEFAULT: u16 = 0;
/// The header has the number of elements.
const COUNTED: u16 = 1;
/// A serialized object.
const OBJECT: u16 = 2;

struct N5 {
    spec: ChunkSpec,
    codecs: Vec<CodecSpec>,
    read_policy: ReadPolicy,
    /// For blocks of the chunk's own shape.
    inner: Chain,
}

/// What precedes the elements.
struct Header {
    shape: Vec<u64>,
    /// The length of the header (bytes).
    len: usize,
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["codecs"])?;
    let codecs = config.codecs("codecs")?.ok_or_else(|| config.missing("codecs"))?;
    let rank = spec.shape.len();
    let reversed: Vec<usize> = (0..rank).rev().collect();
    let transposed = |c: &CodecSpec| {
        c.name == "transpose" && c.configuration.get("order") == Some(&json!(reversed))
    };
    let big = |c: &CodecSpec| {
        let endian = c.configuration.get("endian").and_then(|e| e.as_str());
        c.name == "bytes" && (endian == Some("big") || !spec.data_type.has_byte_order())
    };
    match &codecs[..] {
        [first, second] | [first, second, _] if transposed(first) && big(second) => {}
        _ => {
            return Err(config.error(format!(
                "accepts only the codecs \"transpose\" with order {reversed:?}, \"bytes\" with \
                 \"endian\" big, and at most one bytes to bytes codec"
            )));
        }
    }
    if let Some(extent) = spec.shape.iter().find(|&&n| u32::try_from(n).is_err()) {
        return Err(config.error(format!("cannot express an extent of {extent}")));
    }
    let inner = ChunkSpec { most: None, ..spec.clone() };
    let inner = Chain::with(&codecs, inner, config.read_policy());
    let inner = inner.at(|| format!("codec {:?}: codecs", config.name()))?;
    Ok(Codec::ArrayBytes(Box::new(N5 {
        spec: spec.clone(),
        codecs,
        read_policy: config.read_policy(),
        inner,
    })))
}

impl Header {
    /// The length of the header without the number of elements (bytes).
    const fn plain(rank: usize) -> usize {
        4 + 4 * rank
    }

    /// Parses the header at the start of a block.
    fn parse(block: &[u8], spec: &ChunkSpec) -> Result<Self> {
        let rank = spec.shape.len();
        let cut = || Error::corrupt(format!("the header is truncated: {} bytes", block.len()));
        let word = |at: usize| {
            let bytes = block.get(at..)?.first_chunk::<4>()?;
            Some(u64::from(u32::from_be_bytes(*bytes)))
        };
        let first = word(0).ok_or_else(cut)?;
        let (mode, found) = ((first >> 16) as u16, (first & 0xFFFF) as usize);
        match mode {
            DEFAULT | COUNTED => {}
            OBJECT => {
                return Err(Error::unsupported(
                    "a block of mode 2 holds a serialised object, which is not supported",
                ));
            }
            _ => return Err(Error::corrupt(format!("the block has the unknown mode {mode}"))),
        }
        if found != rank {
            let text = format!("the block has {found} dimensions, the array {rank}");
            return Err(Error::corrupt(text));
        }
        let shape: Option<Vec<u64>> = (0..rank).map(|d| word(4 + 4 * d)).collect();
        let shape = shape.ok_or_else(cut)?;
        if let Some(most) = &spec.most
            && shape.iter().zip(most).any(|(n, most)| n > most)
        {
            return Err(Error::corrupt(format!(
                "the block has the shape {shape:?}: expected at most {most:?}"
            )));
        }
        let mut len = Header::plain(rank);
        if mode == COUNTED {
            let count = word(len).ok_or_else(cut)?;
            let elements = shape.iter().try_fold(1u64, |n, &extent| n.checked_mul(extent));
            if elements != Some(count) {
                return Err(Error::corrupt(format!(
                    "the block has {count} values for the shape {shape:?}: data of variable length \
                     are not supported"
                )));
            }
            len += 4;
        }
        Ok(Header { shape, len })
    }
}

impl N5 {
    /// Decodes part of the chunk from the elements of a block.
    fn decode_body(
        &self,
        header: &Header,
        body: &dyn ByteSource,
        region: &Region,
        mut dst: ViewMut<'_>,
        call: &Call<'_>,
    ) -> Result<()> {
        if header.shape == self.spec.shape {
            return self.inner.decode(body, region, dst, call).map(|_| ());
        }
        let block = ChunkSpec { shape: header.shape.clone(), most: None, ..self.spec.clone() };
        let chain = Chain::with(&self.codecs, block, self.read_policy)
            .map_err(|e| Error::corrupt(format!("a block of shape {:?}: {e}", header.shape)))?;
        let there = region.within(&header.shape);
        if there != *region {
            fill(&mut dst, &self.spec.fill.bytes()?)?;
        }
        let count: Extents = there.spans().iter().map(|s| s.count as usize).collect();
        let part = dst.slice(&Extents::from_elem(0, count.len()), &count)?;
        chain.decode(body, &there, part, call).map(|_| ())
    }
}

impl ArrayBytesCodec for N5 {
    /// Independent of any stored header.
    fn encoded_len(&self) -> Len {
        Len::Unknown
    }

    fn keeps(&self) -> bool {
        self.inner.keeps()
    }

    fn decode(
        &self,
        source: &dyn ByteSource,
        region: &Region,
        dst: ViewMut<'_>,
        call: &Call<'_>,
    ) -> Result<bool> {
        if let Some(scope) = call.kept
            && let Some(header) = scope.get::<Header>()?
        {
            let body = Body { source, offset: header.len as u64 };
            self.decode_body(&header, &body, region, dst, call)?;
            return Ok(true);
        }
        let whole: u64 = self.spec.shape.iter().product();
        let wanted = region.spans().iter().map(|s| s.count).product::<u64>();
        if source.as_slice().is_none() && !self.inner.keeps() && wanted < whole / 2 {
            // uncompressed: read only what is needed
            let mut start = vec![0; Header::plain(self.spec.shape.len())];
            if !source.read_at(0, &mut start)? {
                return Ok(false);
            }
            if start.starts_with(&COUNTED.to_be_bytes()) {
                start.extend([0; 4]);
                source.read_at(0, &mut start)?;
            }
            let header = Header::parse(&start, &self.spec)?;
            let body = Body { source, offset: header.len as u64 };
            self.decode_body(&header, &body, region, dst, call)?;
            return Ok(true);
        }
        let mut read = Buffer::with_capacity(0)?;
        let block = match source.as_slice() {
            Some(block) => block,
            None => {
                let most = match self.inner.encoded_len() {
                    Len::Exactly(n) | Len::AtMost(n) => n,
                    Len::Unknown => self.inner.size(),
                };
                let header = Header::plain(self.spec.shape.len()) as u64;
                read.resize(FAST_COPY_HEADROOM, 0);
                if !source.read_all(most.saturating_add(header), &mut read)? {
                    return Ok(false);
                }
                &read[FAST_COPY_HEADROOM..]
            }
        };
        let header = Header::parse(block, &self.spec)?;
        self.decode_body(&header, &&block[header.len..], region, dst, call)?;
        if let Some(scope) = call.kept {
            let bytes = size_of::<Header>() + 8 * header.shape.len();
            scope.put(Arc::new(header), bytes);
        }
        Ok(true)
    }

    fn encode<'a>(&self, src: &View<'a>, call: &Call<'_>) -> Result<Encoded<'a>> {
        let mut header = Buffer::with_capacity(Header::plain(src.shape().len()))?;
        header.extend_from_slice(&DEFAULT.to_be_bytes());
        header.extend_from_slice(&(src.shape().len() as u16).to_be_bytes());
        for &extent in src.shape() {
            header.extend_from_slice(&(extent as u32).to_be_bytes());
        }
        // the caller has decided to store it
        let call = Call { write_empty: true, ..*call };
        let nothing = || Error::new(Kind::Internal, "a block was not encoded");
        Ok(self.inner.encode(src, &call)?.ok_or_else(nothing)?.after(header))
    }
}

/// The part of a block after its header.
struct Body<'a> {
    source: &'a dyn ByteSource,
    offset: u64,
}

impl ByteSource for Body<'_> {
    fn len(&self) -> Result<Option<u64>> {
        let rest = |len: u64| {
            let cut = || wrong_length(self.offset, len);
            len.checked_sub(self.offset).ok_or_else(cut)
        };
        self.source.len()?.map(rest).transpose()
    }

    fn read_all(&self, expected: u64, out: &mut Vec<u8>) -> Result<bool> {
        let at = out.len();
        if !self.source.read_all(expected.saturating_add(self.offset), out)? {
            return Ok(false);
        }
        let found = (out.len() - at) as u64;
        if found < self.offset {
            return Err(wrong_length(self.offset, found));
        }
        out.drain(at..at + self.offset as usize);
        Ok(true)
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        self.source.read_at(self.offset.saturating_add(offset), out)
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        match self.len()? {
            Some(len) if len != out.len() as u64 => Err(wrong_length(out.len() as u64, len)),
            Some(_) => self.read_at(0, out),
            None => Ok(false),
        }
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        let Some(len) = self.len()? else { return Ok(None) };
        self.source.read_suffix(count.min(len), out)?;
        Ok(Some(len))
    }

    fn version(&self) -> Result<Option<Version>> {
        self.source.version()
    }

    fn pin(&self, version: &Version) -> bool {
        self.source.pin(version)
    }

    fn as_slice(&self) -> Option<&[u8]> {
        self.source.as_slice()?.get(self.offset as usize..)
    }

    fn request_cost(&self) -> u64 {
        self.source.request_cost()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::DataType;

    /// A chain of `n5_default` alone, for chunks of shape (2, 3) in N5's order of axes.
    fn chain(shape: [u64; 2], most: Option<[u64; 2]>, compressed: bool) -> Chain {
        let mut codecs = vec![
            json!({"name": "transpose", "configuration": {"order": [1, 0]}}),
            json!({"name": "bytes", "configuration": {"endian": "big"}}),
        ];
        codecs.extend(compressed.then(|| json!({"name": "gzip", "configuration": {"level": 1}})));
        Chain::new(&[spec(json!(codecs))], chunk(shape, most)).expect("good")
    }

    fn spec(codecs: serde_json::Value) -> CodecSpec {
        let mut configuration = serde_json::Map::new();
        configuration.insert("codecs".into(), codecs);
        CodecSpec::new("n5_default", configuration)
    }

    fn chunk(shape: [u64; 2], most: Option<[u64; 2]>) -> ChunkSpec {
        ChunkSpec {
            shape: shape.to_vec(),
            data_type: DataType::UInt16,
            fill: 7u16.to_ne_bytes().to_vec().into(),
            most: most.map(|m| m.to_vec()),
        }
    }

    fn decode(chain: &Chain, block: &[u8]) -> Result<Vec<u16>> {
        let shape: Extents = chain.chunk().shape.iter().map(|&n| n as usize).collect();
        let mut out = vec![0; chain.size() as usize];
        let dst = ViewMut::contiguous(&mut out, &shape, 2)?;
        let all = Region::whole(&chain.chunk().shape);
        chain.decode(&block, &all, dst, &Call::new(1))?;
        Ok(out.as_chunks().0.iter().map(|b| u16::from_ne_bytes(*b)).collect())
    }

    /// Of shape (2, 3): x = 0 1, y = 0 1 2, the first axis fastest.
    const BLOCK: [u8; 24] =
        [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 1, 0, 10, 0, 11, 0, 20, 0, 21];

    #[test]
    fn a_block_is_as_n5_says() {
        let chain = chain([2, 3], None, false);
        // in C order of (x, y): all y of x = 0 first
        let values = [0, 10, 20, 1, 11, 21];
        assert_eq!(decode(&chain, &BLOCK).expect("good"), values);
        let memory: Vec<u8> = values.iter().flat_map(|v: &u16| v.to_ne_bytes()).collect();
        let src = View::contiguous(&memory, &[2, 3], 2).expect("fits");
        let call = Call::new(1);
        let encoded = chain.encode(&src, &call).expect("encodes").expect("is stored");
        assert_eq!(encoded.parts().concat(), BLOCK);
        // mode 1 says how many elements there are
        let mut counted = BLOCK.to_vec();
        counted[1] = 1;
        counted.splice(12..12, [0, 0, 0, 6]);
        assert_eq!(decode(&chain, &counted).expect("good"), values);
    }

    #[test]
    fn smaller_and_larger_blocks_are_filled_up_and_cut_off() {
        assert_eq!(
            decode(&chain([3, 4], None, false), &BLOCK).expect("smaller"),
            [0, 10, 20, 7, 1, 11, 21, 7, 7, 7, 7, 7]
        );
        assert_eq!(decode(&chain([1, 2], None, false), &BLOCK).expect("larger"), [0, 10]);
        let bounded = |most| decode(&chain([1, 2], Some(most), false), &BLOCK);
        assert_eq!(bounded([2, 3]).expect("whole at the edge"), [0, 10]);
        assert_eq!(bounded([2, 2]).expect_err("too large").kind(), Kind::CorruptData);
        // only a part, beside the block and in it
        let chain = chain([9, 9], None, false);
        let mut out = [0; 8];
        let dst = ViewMut::contiguous(&mut out, &[2, 2], 2).expect("fits");
        let region = Region::new(&[9, 9], &[1, 1], &[2, 2], Some(&[3, 1])).expect("inside");
        chain.decode(&&BLOCK[..], &region, dst, &Call::new(1)).expect("good");
        assert_eq!(
            out.as_chunks().0.iter().map(|b| u16::from_ne_bytes(*b)).collect::<Vec<_>>(),
            [11, 21, 7, 7]
        );
    }

    #[test]
    fn what_the_header_claims_is_checked() {
        for compressed in [false, true] {
            let chain = chain([2, 3], None, compressed);
            for cut in 0..BLOCK.len() {
                assert!(decode(&chain, &BLOCK[..cut]).is_err(), "{cut}");
            }
            for (at, byte, kind) in [
                (1, 2, Kind::Unsupported),
                (1, 9, Kind::CorruptData),
                (1, 1, Kind::CorruptData),
                (3, 3, Kind::CorruptData),
                (4, 0xFF, Kind::CorruptData),
                (7, 0xFF, Kind::CorruptData),
            ] {
                let mut block = BLOCK.to_vec();
                block[at] = byte;
                let e = decode(&chain, &block).expect_err("refused");
                assert_eq!(e.kind(), kind, "{at} {byte}: {e}");
            }
        }
        let huge = [vec![0, 0, 0, 2], vec![0xFF; 8], vec![0; 12]].concat();
        assert_eq!(
            decode(&chain([2, 3], None, true), &huge).expect_err("huge").kind(),
            Kind::CorruptData
        );
    }

    #[test]
    fn the_codecs_inside_are_those_of_n5() {
        let transpose = json!({"name": "transpose", "configuration": {"order": [1, 0]}});
        let bytes = json!({"name": "bytes", "configuration": {"endian": "big"}});
        for codecs in [
            json!([]),
            json!([bytes]),
            json!([transpose]),
            json!([transpose, {"name": "bytes", "configuration": {"endian": "little"}}]),
            json!([{"name": "transpose", "configuration": {"order": [0, 1]}}, bytes]),
            json!([transpose, bytes, "crc32c", "crc32c"]),
            json!([transpose, bytes, bytes]),
        ] {
            let e = Chain::new(&[spec(codecs.clone())], chunk([2, 3], None)).err();
            assert_eq!(e.expect("refused").kind(), Kind::InvalidMetadata, "{codecs}");
        }
    }
}
