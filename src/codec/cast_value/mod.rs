//! `cast_value`: numbers with the same values in another type. The configuration says how to round,
//! and whether to clamp, wrap or refuse what is out of range; single values may be mapped
//! explicitly. <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/cast_value>
//!
//! A block whose numbers all fit takes one loop; any other block is cast again, one number at a
//! time.

mod cast;

use super::config::Config;
use super::{ArrayCodec, ChunkSpec, Codec};
use crate::error::{Context, Error, Kind, Result};
use crate::metadata::fill::{self, Style};
use crate::metadata::{DataType, Endian, type_name};
use crate::strided::Number;
use cast::{Cast, Exact, Key, Map, OutOfRange, Rounding, exact, is_integer};
use serde_json::Value;

struct CastValue {
    data_type: DataType,
    encode: Cast,
    decode: Cast,
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["data_type", "rounding", "out_of_range", "scalar_map"])?;
    let given = config.get("data_type").ok_or_else(|| config.missing("data_type"))?;
    let target = type_name::parse(&given.to_string()).at(|| "codec \"cast_value\"")?;
    let real = |data_type: &DataType| {
        // times are integers in memory, but not numbers
        let real =
            |n: &Number| *n != Number::Bool && !n.is_complex() && DataType::from(*n) == *data_type;
        let number = data_type.number().filter(real);
        number.ok_or_else(|| {
            config.error(format!(
                "casts integers and floats: the type {} is not supported",
                data_type.name()
            ))
        })
    };
    let (from, to) = (real(&spec.data_type)?, real(&target)?);
    let roundings = [
        ("nearest-even", Rounding::NearestEven),
        ("nearest-away", Rounding::NearestAway),
        ("towards-zero", Rounding::TowardsZero),
        ("towards-positive", Rounding::TowardsPositive),
        ("towards-negative", Rounding::TowardsNegative),
    ];
    let rounding = config.word("rounding", &roundings)?.unwrap_or(Rounding::NearestEven);
    let ways = [("clamp", OutOfRange::Clamp), ("wrap", OutOfRange::Wrap)];
    let out_of_range = config.word("out_of_range", &ways)?;
    if out_of_range == Some(OutOfRange::Wrap) && !is_integer(to) {
        return Err(config.error(format!("wraps integers: {} is not supported", target.name())));
    }
    let small = |number| matches!(number, Number::SmallFloat(_));
    if rounding != Rounding::NearestEven && (small(from) || small(to)) {
        let what = "rounds one-byte floats only to nearest, ties to even";
        return Err(Error::unsupported(format!("codec \"cast_value\" {what}")));
    }
    let [encode, decode] = maps(config, &spec.data_type, &target)?;
    Ok(Codec::Array(Box::new(CastValue {
        data_type: target,
        encode: Cast { from, to, rounding, out_of_range, map: encode, failure: Kind::TypeMismatch },
        decode: Cast {
            from: to,
            to: from,
            rounding,
            // floats cannot wrap
            out_of_range: out_of_range.filter(|&w| w == OutOfRange::Clamp || is_integer(from)),
            map: decode,
            failure: Kind::CorruptData,
        },
    })))
}

/// The `scalar_map` of both directions.
fn maps(config: &Config<'_>, decoded: &DataType, encoded: &DataType) -> Result<[Map; 2]> {
    let mut maps = [Vec::new(), Vec::new()];
    let Some(given) = config.get("scalar_map") else { return Ok(maps) };
    let wrong = |what: &str| config.error(format!("\"scalar_map\": {what}"));
    let members = given.as_object().ok_or_else(|| wrong("is not an object"))?;
    let scalar = |data_type: &DataType, value: &Value| {
        let parsed = fill::parse(data_type, Endian::Little, &value.to_string(), Style::V3);
        let parsed = parsed.and_then(|parsed| parsed.map(|value| value.into_bytes()).transpose());
        parsed
            .ok()
            .flatten()
            .ok_or_else(|| wrong(&format!("{value} is not a {}", data_type.name())))
    };
    for (name, pairs) in members {
        let (map, from, to) = match name.as_str() {
            "encode" => (&mut maps[0], decoded, encoded),
            "decode" => (&mut maps[1], encoded, decoded),
            _ => return Err(wrong(&format!("has no member {name:?}"))),
        };
        let pairs = pairs.as_array().ok_or_else(|| wrong(&format!("{name:?} is not a list")))?;
        for pair in pairs {
            let Some([key, value]) = pair.as_array().map(Vec::as_slice) else {
                return Err(wrong(&format!("{pair} is not a pair")));
            };
            let key = scalar(from, key)?;
            let key = match from.number().map(|number| exact(&key, number)) {
                Some(Exact::Float(x)) if x.is_nan() => Key::Nan,
                Some(Exact::Float(0.0)) => Key::Zero,
                _ => Key::Bytes(key),
            };
            map.push((key, scalar(to, value)?));
        }
    }
    Ok(maps)
}

impl ArrayCodec for CastValue {
    fn encoded(&self, decoded: &ChunkSpec) -> Result<ChunkSpec> {
        let mut fill = vec![0; self.data_type.size()];
        let given = decoded.fill.bytes()?;
        let mut back = given.to_vec();
        let both = self.encode(&given, &mut fill).and_then(|()| self.decode(&fill, &mut back));
        both.map_err(|e| Error::metadata(format!("cast_value: the fill value: {e}")))?;
        let data_type = self.data_type.clone();
        Ok(ChunkSpec { data_type, fill: fill.into(), ..decoded.clone() })
    }

    fn encode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        self.encode.run(src, out)
    }

    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        self.decode.run(src, out)
    }
}
