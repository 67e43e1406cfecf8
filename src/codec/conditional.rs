//! `conditional`: codecs applied chunk by chunk; a header of bits, lowest first, says which. On
//! writing, a codec is applied if that makes the chunk smaller.
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/conditional>

use super::config::Config;
use super::{BytesCodec, ChunkSpec, Codec, Len, build as build_codec};
use crate::error::{Context, Error, Result};
use crate::exec::{Buffer, out_of_memory};

struct Conditional {
    codecs: Vec<(Box<dyn BytesCodec>, &'static str)>,
    /// The size of the header (bytes).
    header: usize,
}

/// The most bits of a header.
const MOST_BITS: i64 = 1 << 16;

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["codecs", "header_bits"])?;
    let specs = config.codecs("codecs")?.ok_or_else(|| config.missing("codecs"))?;
    let mut codecs = Vec::with_capacity(specs.len());
    for inner in &specs {
        let built = build_codec(inner, spec, config.read_policy());
        match built.at(|| "codec \"conditional\": codecs")? {
            (Codec::Bytes(codec), name) => codecs.push((codec, name)),
            _ => {
                let name = &inner.name;
                return Err(
                    config.error(format!("accepts only bytes to bytes codecs, not {name:?}"))
                );
            }
        }
    }
    let least = codecs.len().div_ceil(8) * 8;
    let bits = config.integer("header_bits", codecs.len() as i64, MOST_BITS)?;
    let bits = bits.unwrap_or(least as i64) as usize;
    if !bits.is_multiple_of(8) {
        return Err(config.error(format!("has \"header_bits\" {bits}, not a multiple of 8")));
    }
    Ok(Codec::Bytes(Box::new(Conditional { codecs, header: bits / 8 })))
}

impl Conditional {
    /// The codecs applied, in encoding order, and their output.
    fn applied<'a>(&self, src: &'a [u8]) -> Result<(Vec<usize>, &'a [u8])> {
        let Some((header, encoded)) = src.split_at_checked(self.header) else {
            return Err(Error::corrupt(format!(
                "{} bytes are too few for a header of {} bytes",
                src.len(),
                self.header
            )));
        };
        let set = |&bit: &usize| header[bit / 8] >> (bit % 8) & 1 == 1;
        let applied: Vec<usize> = (0..self.header * 8).filter(set).collect();
        match applied.iter().find(|&&bit| bit >= self.codecs.len()) {
            None => Ok((applied, encoded)),
            Some(bit) => Err(Error::corrupt(format!(
                "the header names codec {bit} of {}",
                self.codecs.len()
            ))),
        }
    }

    /// Undoes all applied codecs but the first, and returns that with its encoded bytes; `decoded`
    /// is what is known of the final length.
    fn undo<'a>(
        &self,
        applied: &[usize],
        encoded: &'a [u8],
        decoded: Len,
    ) -> Result<std::borrow::Cow<'a, [u8]>> {
        let mut lens = vec![decoded];
        for &bit in applied {
            let before = lens.last().copied().unwrap_or(Len::Unknown);
            lens.push(self.codecs[bit].0.encoded_len(before));
        }
        let mut bytes = std::borrow::Cow::Borrowed(encoded);
        for (n, &bit) in applied.iter().enumerate().skip(1).rev() {
            let (codec, name) = &self.codecs[bit];
            let bound = codec.decoded_bound(bytes.len() as u64);
            let limit = match lens[n] {
                Len::Exactly(n) | Len::AtMost(n) => n.min(bound),
                Len::Unknown => bound,
            };
            let mut out = Vec::new();
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            codec.decode_unknown(&bytes, &mut out, limit).at(|| *name)?;
            bytes = out.into();
        }
        Ok(bytes)
    }
}

fn encode(
    (codec, name): &(Box<dyn BytesCodec>, &'static str),
    src: &[u8],
    threads: usize,
) -> Result<Buffer> {
    let mut out = Buffer::with_capacity(0)?;
    codec.encode(src, &mut out, threads).at(|| *name)?;
    Ok(out)
}

impl BytesCodec for Conditional {
    fn encoded_len(&self, decoded: Len) -> Len {
        // codecs written here do not enlarge a chunk, but other writers' may
        let longest = self.codecs.iter().fold(decoded, |len, (codec, _)| {
            match (len, codec.encoded_len(len)) {
                (Len::Exactly(a) | Len::AtMost(a), Len::Exactly(b) | Len::AtMost(b)) => {
                    Len::AtMost(a.max(b))
                }
                _ => Len::Unknown,
            }
        });
        longest.at_most(|n| n.saturating_add(self.header as u64))
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        let encoded = encoded.saturating_sub(self.header as u64);
        let codecs = self.codecs.iter().rev();
        codecs.fold(encoded, |n, (codec, _)| n.max(codec.decoded_bound(n)))
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>, threads: usize) -> Result<()> {
        let mut header = vec![0u8; self.header];
        let mut smallest: Option<Buffer> = None;
        let mut applied = 0;
        for (bit, codec) in self.codecs.iter().enumerate() {
            let bytes = smallest.as_deref().map_or(src, |b| b);
            let trial = encode(codec, bytes, threads)?;
            if trial.len() < bytes.len() {
                header[bit / 8] |= 1 << (bit % 8);
                smallest = Some(trial);
                applied += 1;
            }
        }
        // all together may do better than each by itself: a shuffle helps the codec after it
        if applied < self.codecs.len() && self.codecs.len() > 1 {
            let mut all: Option<Buffer> = None;
            for codec in &self.codecs {
                all = Some(encode(codec, all.as_deref().map_or(src, |b| b), threads)?);
            }
            if all
                .as_ref()
                .is_some_and(|a| a.len() < smallest.as_ref().map_or(src.len(), |b| b.len()))
            {
                (0..self.codecs.len()).for_each(|bit| header[bit / 8] |= 1 << (bit % 8));
                smallest = all;
            }
        }
        let bytes = smallest.as_deref().map_or(src, |b| b);
        let more = header.len() + bytes.len();
        out.try_reserve(more).map_err(|_| out_of_memory(more))?;
        out.extend_from_slice(&header);
        out.extend_from_slice(bytes);
        Ok(())
    }

    fn decode(&self, src: &[u8], out: &mut [u8], threads: usize) -> Result<()> {
        let (applied, encoded) = self.applied(src)?;
        let bytes = self.undo(&applied, encoded, Len::Exactly(out.len() as u64))?;
        match applied.first() {
            Some(&bit) => {
                let (codec, name) = &self.codecs[bit];
                codec.decode(&bytes, out, threads).at(|| *name)
            }
            None if bytes.len() == out.len() => {
                out.copy_from_slice(&bytes);
                Ok(())
            }
            None => Err(crate::source::wrong_length(out.len() as u64, bytes.len() as u64)),
        }
    }

    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
        let (applied, encoded) = self.applied(src)?;
        let bytes = self.undo(&applied, encoded, Len::AtMost(limit as u64))?;
        match applied.first() {
            Some(&bit) => {
                let (codec, name) = &self.codecs[bit];
                codec.decode_unknown(&bytes, out, limit).at(|| *name)
            }
            None if bytes.len() <= limit => {
                out.try_reserve(bytes.len()).map_err(|_| out_of_memory(bytes.len()))?;
                out.extend_from_slice(&bytes);
                Ok(())
            }
            None => Err(crate::source::wrong_length(limit as u64, bytes.len() as u64)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::{CodecSpec, DataType};
    use serde_json::json;

    fn chunk() -> ChunkSpec {
        let (shape, fill) = (vec![1], vec![0].into());
        ChunkSpec { shape, data_type: DataType::UInt8, fill, most: None }
    }

    fn conditional(configuration: serde_json::Value) -> Result<Box<dyn BytesCodec>> {
        let configuration = configuration.as_object().cloned().unwrap_or_default();
        let spec = CodecSpec::new("conditional", configuration);
        match build(&Config::new(&spec), &chunk())? {
            Codec::Bytes(codec) => Ok(codec),
            _ => Err(Error::metadata("of another kind")),
        }
    }

    #[test]
    fn only_what_makes_it_smaller_is_applied() -> Result<()> {
        let codec = conditional(json!({"codecs": ["crc32c", "gzip", "zstd"], "header_bits": 16}))?;
        let mut out = Vec::new();
        let zeros = [0; 5000];
        codec.encode(&zeros, &mut out, 1)?;
        assert_eq!(out[..2], [0b010, 0], "a checksum is longer, gzip shorter, zstd of it longer");
        assert!(out.len() < 100);
        let mut back = vec![1; 5000];
        codec.decode(&out, &mut back, 1)?;
        assert_eq!(back, zeros);
        let mut grown = Vec::new();
        codec.decode_unknown(&out, &mut grown, 5000)?;
        assert_eq!(grown, zeros);

        let noise: Vec<u8> =
            (0..200u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        out.clear();
        codec.encode(&noise, &mut out, 1)?;
        assert_eq!(out[..2], [0, 0]);
        assert_eq!(out[2..], noise);
        let mut back = vec![1; 200];
        codec.decode(&out, &mut back, 1)?;
        assert_eq!(back, noise);
        assert!(codec.decode(&out[..100], &mut back, 1).is_err());
        assert!(codec.decode(&out[..1], &mut back, 1).is_err());

        // what others applied: a checksum, then gzip, then zstd
        let mut bytes = noise.clone();
        for name in ["crc32c", "gzip", "zstd"] {
            let spec = CodecSpec::new(name, Default::default());
            let (Codec::Bytes(codec), _) = build_codec(&spec, &chunk(), Default::default())? else {
                return Err(Error::metadata("of another kind"));
            };
            let mut out = Vec::new();
            codec.encode(&bytes, &mut out, 1)?;
            bytes = out;
        }
        let all = [&[0b111, 0][..], &bytes].concat();
        codec.decode(&all, &mut back, 1)?;
        assert_eq!(back, noise);
        // a bit of a codec that does not exist
        let unknown = [&[0b1111, 0][..], &bytes].concat();
        assert!(codec.decode(&unknown, &mut back, 1).is_err());
        Ok(())
    }

    #[test]
    fn configurations_are_checked() {
        for wrong in [
            json!({}),
            json!({"codecs": ["bytes"]}),
            json!({"codecs": ["nonsuch"]}),
            json!({"codecs": ["gzip"], "header_bits": 12}),
            json!({"codecs": ["gzip"], "header_bits": 0}),
            json!({"codecs": ["gzip"], "mask": 1}),
        ] {
            assert!(conditional(wrong.clone()).is_err(), "{wrong}");
        }
        assert!(conditional(json!({"codecs": ["gzip"], "header_bits": 8})).is_ok());
    }
}
