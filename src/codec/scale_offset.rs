//! `scale_offset`: `(x - offset) * scale` in the arithmetic of the type itself; overflow is an
//! error. <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/scale_offset>

use super::config::Config;
use super::{ArrayCodec, ChunkSpec, Codec};
use crate::error::{Error, Kind, Result};
use crate::metadata::fill::{self, Style};
use crate::metadata::{DataType, Endian};
use half::{bf16, f16};

struct ScaleOffset {
    data_type: DataType,
    /// One number, in native byte order.
    offset: Box<[u8]>,
    scale: Box<[u8]>,
    encode: Loop,
    decode: Loop,
}

/// Maps numbers with an offset and a scale; returns the first index whose result does not fit.
type Loop = fn(&[u8], &mut [u8], &[u8], &[u8]) -> Option<usize>;

macro_rules! map {
    ($src:expr, $out:expr, $type:ty, $f:expr) => {{
        let numbers = $src.as_chunks::<{ size_of::<$type>() }>().0;
        let out = $out.as_chunks_mut::<{ size_of::<$type>() }>().0;
        let f = $f;
        let mut bad = false;
        for (from, to) in numbers.iter().zip(out) {
            let (value, flaw) = f(<$type>::from_ne_bytes(*from));
            *to = <$type>::to_ne_bytes(value);
            bad |= flaw;
        }
        // rare: find the index
        let is_bad = |from: &[u8; size_of::<$type>()]| f(<$type>::from_ne_bytes(*from)).1;
        if bad { numbers.iter().position(is_bad) } else { None }
    }};
}

macro_rules! parameter {
    ($bytes:expr, $type:ty) => {
        <$type>::from_ne_bytes($bytes.first_chunk().copied().unwrap_or_default())
    };
}

macro_rules! integer {
    ($encode:ident, $decode:ident, $type:ty) => {
        fn $encode(src: &[u8], out: &mut [u8], offset: &[u8], scale: &[u8]) -> Option<usize> {
            let (offset, scale) = (parameter!(offset, $type), parameter!(scale, $type));
            if scale == 1 {
                return map!(src, out, $type, |x: $type| x.overflowing_sub(offset));
            }
            map!(src, out, $type, |x: $type| {
                let (moved, below) = x.overflowing_sub(offset);
                let (scaled, over) = moved.overflowing_mul(scale);
                (scaled, below | over)
            })
        }

        fn $decode(src: &[u8], out: &mut [u8], offset: &[u8], scale: &[u8]) -> Option<usize> {
            let (offset, scale) = (parameter!(offset, $type), parameter!(scale, $type));
            if scale == 1 {
                return map!(src, out, $type, |x: $type| x.overflowing_add(offset));
            }
            map!(src, out, $type, |x: $type| {
                let (quotient, over) = x.overflowing_div(scale);
                let (moved, above) = quotient.overflowing_add(offset);
                (moved, over | above | (quotient.wrapping_mul(scale) != x))
            })
        }
    };
}
integer!(encode_i8, decode_i8, i8);
integer!(encode_i16, decode_i16, i16);
integer!(encode_i32, decode_i32, i32);
integer!(encode_i64, decode_i64, i64);
integer!(encode_u8, decode_u8, u8);
integer!(encode_u16, decode_u16, u16);
integer!(encode_u32, decode_u32, u32);
integer!(encode_u64, decode_u64, u64);

macro_rules! float {
    ($encode:ident, $decode:ident, $type:ty) => {
        fn $encode(src: &[u8], out: &mut [u8], offset: &[u8], scale: &[u8]) -> Option<usize> {
            let (offset, scale) = (parameter!(offset, $type), parameter!(scale, $type));
            map!(src, out, $type, |x: $type| {
                let y = (x - offset) * scale;
                (y, x.is_finite() & !y.is_finite())
            })
        }

        fn $decode(src: &[u8], out: &mut [u8], offset: &[u8], scale: &[u8]) -> Option<usize> {
            let (offset, scale) = (parameter!(offset, $type), parameter!(scale, $type));
            map!(src, out, $type, |x: $type| {
                let y = x / scale + offset;
                (y, x.is_finite() & !y.is_finite())
            })
        }
    };
}
float!(encode_f16, decode_f16, f16);
float!(encode_bf16, decode_bf16, bf16);
float!(encode_f32, decode_f32, f32);
float!(encode_f64, decode_f64, f64);

fn loops(data_type: &DataType) -> Option<(Loop, Loop)> {
    Some(match data_type {
        DataType::Int8 => (encode_i8, decode_i8),
        DataType::Int16 => (encode_i16, decode_i16),
        DataType::Int32 => (encode_i32, decode_i32),
        DataType::Int64 => (encode_i64, decode_i64),
        DataType::UInt8 => (encode_u8, decode_u8),
        DataType::UInt16 => (encode_u16, decode_u16),
        DataType::UInt32 => (encode_u32, decode_u32),
        DataType::UInt64 => (encode_u64, decode_u64),
        DataType::Float16 => (encode_f16, decode_f16),
        DataType::BFloat16 => (encode_bf16, decode_bf16),
        DataType::Float32 => (encode_f32, decode_f32),
        DataType::Float64 => (encode_f64, decode_f64),
        _ => return None,
    })
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["offset", "scale"])?;
    let data_type = &spec.data_type;
    let (encode, decode) = loops(data_type).ok_or_else(|| {
        config.error(format!(
            "encodes integers and floats: the type {} is not supported",
            data_type.name()
        ))
    })?;
    let number = |key: &str, otherwise: &str| {
        let text = config.get(key).map_or(otherwise.into(), |value| value.to_string());
        let parsed = fill::parse(data_type, Endian::Little, &text, Style::V3);
        let parsed = parsed.and_then(|parsed| parsed.map(|value| value.into_bytes()).transpose());
        parsed.ok().flatten().ok_or_else(|| {
            config.error(format!("{key:?} is {text}: expected a {}", data_type.name()))
        })
    };
    let (offset, scale) = (number("offset", "0")?, number("scale", "1")?);
    let codec = ScaleOffset { data_type: data_type.clone(), offset, scale, encode, decode };
    if codec.scale_is_zero() {
        return Err(config.error("has \"scale\" 0: expected another number"));
    }
    Ok(Codec::Array(Box::new(codec)))
}

impl ScaleOffset {
    fn scale_is_zero(&self) -> bool {
        let mut value = [0; 8];
        let number = self.data_type.number();
        number.is_some_and(|number| {
            super::numpy::cast(&self.scale, number, &mut value, crate::strided::Number::Float64);
            f64::from_ne_bytes(value) == 0.0
        })
    }

    fn run(&self, map: Loop, src: &[u8], out: &mut [u8], kind: Kind, what: &str) -> Result<()> {
        match map(src, out, &self.offset, &self.scale) {
            None => Ok(()),
            Some(at) => Err(Error::new(
                kind,
                format!("element {at}: {what} is not a {}", self.data_type.name()),
            )),
        }
    }
}

impl ArrayCodec for ScaleOffset {
    fn encoded(&self, decoded: &ChunkSpec) -> Result<ChunkSpec> {
        let given = decoded.fill.bytes()?;
        let mut fill = given.to_vec();
        let encoded = self.encode(&given, &mut fill);
        encoded.map_err(|e| Error::metadata(format!("scale_offset: the fill value: {e}")))?;
        Ok(ChunkSpec { fill: fill.into(), ..decoded.clone() })
    }

    fn encode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        self.run(self.encode, src, out, Kind::TypeMismatch, "(x - offset) * scale")
    }

    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        self.run(self.decode, src, out, Kind::CorruptData, "x / scale + offset")
    }
}

#[cfg(test)]
mod tests {
    use super::super::Chain;
    use super::*;
    use crate::metadata::CodecSpec;
    use serde_json::{Value, json};

    fn codec(
        data_type: DataType,
        fill: &[u8],
        configuration: Value,
    ) -> Result<Box<dyn ArrayCodec>> {
        let configuration = configuration.as_object().cloned().unwrap_or_default();
        let spec = CodecSpec::new("scale_offset", configuration);
        let chunk = ChunkSpec { shape: vec![4], data_type, fill: fill.into(), most: None };
        Chain::new(&[spec.clone(), CodecSpec::new("bytes", little())], chunk.clone())?;
        match build(&Config::new(&spec), &chunk)? {
            Codec::Array(codec) => Ok(codec),
            _ => Err(Error::metadata("of another kind")),
        }
    }

    fn little() -> serde_json::Map<String, Value> {
        json!({"endian": "little"}).as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn integers_stay_in_their_range() -> Result<()> {
        let codec = codec(DataType::Int8, &[3], json!({"offset": 3, "scale": 2}))?;
        let mut out = [0; 4];
        codec.encode(&[3, 10, 253, 66], &mut out)?;
        assert_eq!(out, [0, 14, 244, 126]);
        let mut back = [0; 4];
        codec.decode(&out, &mut back)?;
        assert_eq!(back, [3, 10, 253, 66]);
        let e = codec.encode(&[3, 67, 0, 0], &mut out).expect_err("128");
        assert_eq!((e.kind(), e.to_string().starts_with("element 1:")), (Kind::TypeMismatch, true));
        let e = codec.decode(&[2, 4, 5, 0], &mut out).expect_err("half");
        assert_eq!((e.kind(), e.to_string().starts_with("element 2:")), (Kind::CorruptData, true));
        Ok(())
    }

    #[test]
    fn floats_too() -> Result<()> {
        let bytes = |x: [f32; 4]| x.map(f32::to_ne_bytes).concat();
        let codec = codec(DataType::Float32, &[0; 4], json!({"offset": 5, "scale": 0.1}))?;
        let mut out = [0; 16];
        codec.encode(&bytes([5.0, 15.0, f32::INFINITY, -5.0]), &mut out)?;
        assert_eq!(out.to_vec(), bytes([0.0, 1.0, f32::INFINITY, -1.0]));
        let e = codec.decode(&bytes([3.4e38, 0.0, 0.0, 0.0]), &mut out).expect_err("infinite");
        assert_eq!(e.kind(), Kind::CorruptData);
        Ok(())
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (data_type, configuration) in [
            (DataType::UInt8, json!({"offset": -1})),
            (DataType::UInt8, json!({"scale": 0.5})),
            (DataType::UInt8, json!({"scale": 0})),
            (DataType::UInt8, json!({"factor": 2})),
            (DataType::Bool, json!({})),
        ] {
            let e = codec(data_type, &[1], configuration.clone()).err().expect("refused");
            assert_eq!(e.kind(), Kind::InvalidMetadata, "{configuration}: {e}");
        }
        for zero in [json!(0.0), json!(-0.0)] {
            assert!(codec(DataType::Float32, &[0; 4], json!({"scale": zero})).is_err());
        }
        // a fill value that the type cannot hold behind it
        let e = codec(DataType::UInt8, &[1], json!({"offset": 2})).err().expect("refused");
        assert!(e.to_string().contains("fill value"), "{e}");
    }
}
