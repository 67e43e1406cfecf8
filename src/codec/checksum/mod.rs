//! `crc32c`, `crc32`, `adler32`, `fletcher32`, `jenkins_lookup3`: a checksum of four bytes beside
//! the value, little-endian. By default numcodecs puts those of crc32 and adler32 before the value
//! and the others after it; `location` overrides that.
//! <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/crc32c/index.html>
//! <https://numcodecs.readthedocs.io/en/stable/checksum32.html>
#![allow(unsafe_code)] // the binding of libdeflate

mod fletcher32;
mod jenkins_lookup3;

use super::config::Config;
use super::{BytesCodec, ChunkSpec, Codec, Len};
use crate::error::{Error, Result};
use crate::exec::Buffer;
use serde_json::Value;

const SIZE: usize = 4;

/// The checksum of a value.
type Sum = Box<dyn Fn(&[u8]) -> Result<u32> + Send + Sync>;

struct Checksum {
    at_start: bool,
    /// Whether a wrong checksum is an error.
    verified: bool,
    sum: Sum,
}

fn with_location(config: &Config<'_>, at_start: bool, sum: fn(&[u8]) -> u32) -> Result<Codec> {
    config.only(&["location"])?;
    let location = config.word("location", &[("end", false), ("start", true)])?;
    Ok(codec(config, location.unwrap_or(at_start), Box::new(move |value| Ok(sum(value)))))
}

fn codec(config: &Config<'_>, at_start: bool, sum: Sum) -> Codec {
    let verified = !config.read_policy().ignore_checksums;
    Codec::Bytes(Box::new(Checksum { at_start, verified, sum }))
}

pub(super) fn build_crc32c(config: &Config<'_>, _: &ChunkSpec) -> Result<Codec> {
    with_location(config, false, crc32c::crc32c)
}

pub(super) fn build_crc32(config: &Config<'_>, _: &ChunkSpec) -> Result<Codec> {
    with_location(config, true, crc32)
}

pub(super) fn build_adler32(config: &Config<'_>, _: &ChunkSpec) -> Result<Codec> {
    with_location(config, true, adler32)
}

pub(super) fn build_fletcher32(config: &Config<'_>, _: &ChunkSpec) -> Result<Codec> {
    config.only(&[])?;
    Ok(codec(config, false, Box::new(|value| Ok(fletcher32::sum(value)))))
}

/// `prefix`, a list of bytes or a text, is hashed before the value and not stored.
pub(super) fn build_jenkins_lookup3(config: &Config<'_>, _: &ChunkSpec) -> Result<Codec> {
    config.only(&["initval", "prefix"])?;
    let initial = config.integer("initval", 0, u32::MAX.into())?.unwrap_or(0) as u32;
    let byte = |value: &Value| value.as_u64().and_then(|n| u8::try_from(n).ok());
    let prefix = match config.get("prefix") {
        None => Some(Vec::new()),
        Some(Value::String(text)) => Some(text.as_bytes().to_vec()),
        Some(Value::Array(list)) => list.iter().map(byte).collect(),
        Some(_) => None,
    };
    let prefix = prefix.ok_or_else(|| config.error("\"prefix\" is not a list of bytes"))?;
    let sum: Sum = match prefix.is_empty() {
        true => Box::new(move |value| Ok(jenkins_lookup3::sum(value, initial))),
        false => Box::new(move |value| {
            let mut all = Buffer::with_capacity(prefix.len().saturating_add(value.len()))?;
            all.extend_from_slice(&prefix);
            all.extend_from_slice(value);
            Ok(jenkins_lookup3::sum(&all, initial))
        }),
    };
    Ok(codec(config, false, sum))
}

fn crc32(value: &[u8]) -> u32 {
    // SAFETY: the pointer is good for the length.
    unsafe { libdeflate_sys::libdeflate_crc32(0, value.as_ptr().cast(), value.len()) }
}

fn adler32(value: &[u8]) -> u32 {
    // SAFETY: the pointer is good for the length.
    unsafe { libdeflate_sys::libdeflate_adler32(1, value.as_ptr().cast(), value.len()) }
}

impl Checksum {
    /// The value without its checksum, which is verified unless ignored.
    fn value<'a>(&self, src: &'a [u8]) -> Result<&'a [u8]> {
        let cut = if self.at_start {
            src.split_first_chunk().map(|(c, v)| (v, c))
        } else {
            src.split_last_chunk()
        };
        let Some((value, stored)) = cut else {
            return Err(Error::corrupt(format!("{} bytes are too few for a checksum", src.len())));
        };
        if !self.verified {
            return Ok(value);
        }
        let (stored, computed) = (u32::from_le_bytes(*stored), (self.sum)(value)?);
        if stored != computed {
            return Err(Error::corrupt(format!(
                "the checksum of the {} bytes is {computed:08x}, stored is {stored:08x}",
                value.len(),
            )));
        }
        Ok(value)
    }
}

impl BytesCodec for Checksum {
    fn encoded_len(&self, decoded: Len) -> Len {
        match decoded {
            Len::Exactly(n) => Len::Exactly(n.saturating_add(SIZE as u64)),
            other => other.at_most(|n| n.saturating_add(SIZE as u64)),
        }
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        encoded.saturating_sub(SIZE as u64)
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>, _: usize) -> Result<()> {
        let sum = (self.sum)(src)?.to_le_bytes();
        let (first, second): (&[u8], &[u8]) = if self.at_start { (&sum, src) } else { (src, &sum) };
        crate::source::reserve(out, src.len() + SIZE)?;
        out.extend_from_slice(first);
        out.extend_from_slice(second);
        Ok(())
    }

    fn decode(&self, src: &[u8], out: &mut [u8], _: usize) -> Result<()> {
        let value = self.value(src)?;
        if value.len() != out.len() {
            return Err(crate::source::wrong_length(out.len() as u64, value.len() as u64));
        }
        out.copy_from_slice(value);
        Ok(())
    }

    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
        let value = self.value(src)?;
        if value.len() > limit {
            return Err(crate::source::wrong_length(limit as u64, value.len() as u64));
        }
        crate::source::reserve(out, value.len())?;
        out.extend_from_slice(value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;
    use crate::metadata::{CodecSpec, DataType};
    use serde_json::json;

    type Build = fn(&Config<'_>, &ChunkSpec) -> Result<Codec>;

    fn make(build: Build, configuration: Value) -> Result<Box<dyn BytesCodec>> {
        let members = configuration.as_object().cloned().unwrap_or_default();
        let chunk = ChunkSpec {
            shape: vec![1],
            data_type: DataType::UInt8,
            fill: vec![0].into(),
            most: None,
        };
        match build(&Config::new(&CodecSpec::new("sum", members)), &chunk)? {
            Codec::Bytes(codec) => Ok(codec),
            _ => panic!("another kind"),
        }
    }

    #[test]
    fn the_sums_of_numcodecs() {
        // what numcodecs makes of bytes(range(1, 24)), and of "123456789" the check values of the
        // two CRCs
        let data: Vec<u8> = (1..24).collect();
        let long: Vec<u8> = (0..100_003u64).map(|i| ((i * i) >> 3) as u8).collect();
        for (build, configuration, value, expected) in [
            (build_crc32c as Build, json!({}), &b"123456789"[..], 0xE306_9283u32),
            (build_crc32, json!({}), b"123456789", 0xCBF4_3926),
            (build_crc32c, json!({}), &data, 0xEA44_D29E),
            (build_crc32, json!({}), &data, 0x53F4_48F2),
            (build_adler32, json!({}), &data, 0x0913_0115),
            (build_adler32, json!({}), &long, 0x92F9_2882),
            (build_fletcher32, json!({}), &data, 0x8CC2_9084),
            (build_fletcher32, json!({}), &data[..22], 0xFC3D_7984),
            (build_fletcher32, json!({}), &long, 0xC153_7726),
            (build_jenkins_lookup3, json!({}), &data, 0x1ED8_D063),
            (build_jenkins_lookup3, json!({}), &data[..12], 0x2471_B813),
            (build_jenkins_lookup3, json!({}), &long, 0xCE33_83E5),
            (build_jenkins_lookup3, json!({"initval": 7}), &data, 0x6B9B_36B8),
            (build_jenkins_lookup3, json!({"prefix": [1, 2, 250]}), &data, 0x9DB1_2553),
        ] {
            let codec = make(build, configuration.clone()).expect("good");
            let mut out = Vec::new();
            codec.encode(value, &mut out, 1).expect("encodes");
            let expected = expected.to_le_bytes();
            assert!(
                out.starts_with(&expected) || out.ends_with(&expected),
                "{configuration} {out:x?}"
            );
            assert_eq!(out.len(), value.len() + 4);
            let mut back = vec![0; value.len()];
            codec.decode(&out, &mut back, 1).expect("decodes");
            assert_eq!(back, value);
            for at in [0, 3, out.len() / 2, out.len() - 1] {
                out[at] ^= 0x10;
                assert!(codec.decode(&out, &mut back, 1).is_err(), "{at}");
                out[at] ^= 0x10;
            }
            assert!(codec.decode(&out[..3], &mut [], 1).is_err());
        }
    }

    #[test]
    fn the_sum_stands_where_numcodecs_puts_it() {
        for (build, configuration, at_start) in [
            (build_crc32c as Build, json!({}), false),
            (build_crc32c, json!({"location": "start"}), true),
            (build_crc32, json!({}), true),
            (build_crc32, json!({"location": "end"}), false),
            (build_adler32, json!({}), true),
            (build_fletcher32, json!({}), false),
            (build_jenkins_lookup3, json!({"prefix": null}), false),
        ] {
            let mut out = Vec::new();
            make(build, configuration).expect("good").encode(b"value", &mut out, 1).expect("fits");
            assert_eq!(if at_start { &out[4..] } else { &out[..5] }, b"value");
        }
    }

    #[test]
    fn wrong_parameters_are_named() {
        for (build, configuration, word) in [
            (build_crc32 as Build, json!({"location": "middle"}), "middle"),
            (build_crc32, json!({"initval": 1}), "initval"),
            (build_fletcher32, json!({"location": "end"}), "location"),
            (build_jenkins_lookup3, json!({"initval": -1}), "initval"),
            (build_jenkins_lookup3, json!({"prefix": [256]}), "prefix"),
            (build_jenkins_lookup3, json!({"prefix": 1}), "prefix"),
        ] {
            let e = make(build, configuration).err().expect("refused");
            assert_eq!(e.kind(), Kind::InvalidMetadata);
            assert!(e.to_string().contains(word), "{e}");
        }
    }
}
