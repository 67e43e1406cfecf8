//! `zarrc.packing`: CF's packed data as unpacked numbers. A float `x` is stored as `(x -
//! add_offset) / scale_factor`, rounded to nearest if integers are stored; NaN is stored as the
//! missing value. No document names this codec: the option `mask_and_scale` puts it before the
//! chain of an array with such attributes.
//! <https://cfconventions.org/cf-conventions/cf-conventions.html#packed-data>

use super::config::Config;
use super::{ArrayCodec, ChunkSpec, Codec};
use crate::error::{Error, Kind, Result};
use crate::metadata::fill::{self, Style};
use crate::metadata::{DataType, Endian, type_name};
use crate::strided::{Number, View, ViewMut, convert};

/// Elements processed at a time.
const BLOCK: usize = 1024;

struct Packing {
    /// The stored type.
    stored: DataType,
    packed: Number,
    /// The unpacked type: a float.
    unpacked: Number,
    scale: f64,
    offset: f64,
    /// The stored missing value; `None`: there is none.
    missing: Option<Box<[u8]>>,
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["data_type", "scale_factor", "add_offset", "missing"])?;
    let stored = config.get("data_type").ok_or_else(|| config.missing("data_type"))?;
    let stored = type_name::parse(&stored.to_string())?;
    let number = |name: &str, usual: f64| match config.get(name) {
        None => Ok(usual),
        Some(value) => value
            .as_f64()
            .filter(|n| n.is_finite())
            .ok_or_else(|| config.error(format!("{name:?}: expected a number, found {value}"))),
    };
    let (scale, offset) = (number("scale_factor", 1.0)?, number("add_offset", 0.0)?);
    if scale == 0.0 {
        return Err(config.error("\"scale_factor\" is 0: expected another number"));
    }
    let missing = match config.get("missing") {
        None => None,
        Some(json) => fill::parse(&stored, Endian::Little, &json.to_string(), Style::V3)?,
    };
    let missing = missing.map(|element| element.into_bytes()).transpose()?;
    let (Some(packed), Some(unpacked @ (Number::Float32 | Number::Float64))) =
        (stored.number().filter(|n| !n.is_complex()), spec.data_type.number())
    else {
        return Err(config.error(format!(
            "cannot unpack {} to {}",
            stored.name(),
            spec.data_type.name()
        )));
    };
    Ok(Codec::Array(Box::new(Packing { stored, packed, unpacked, scale, offset, missing })))
}

/// Converts contiguous numbers.
fn convert_row(src: &[u8], from: Number, out: &mut [u8], to: Number) -> Result<()> {
    let count = src.len() / from.size();
    let src = View::contiguous(src, &[count], from.size())?;
    convert(&src, from, &mut ViewMut::contiguous(out, &[count], to.size())?, to)
}

fn doubles(bytes: &mut [u8]) -> impl Iterator<Item = &mut [u8; 8]> {
    bytes.as_chunks_mut::<8>().0.iter_mut()
}

impl Packing {
    fn is_integer(&self) -> bool {
        !matches!(
            self.packed,
            Number::Float16
                | Number::BFloat16
                | Number::Float32
                | Number::Float64
                | Number::SmallFloat(_)
        )
    }

    /// Which elements are missing.
    fn missing_of<'a>(&'a self, packed: &'a [u8]) -> impl Iterator<Item = bool> + 'a {
        let missing = self.missing.as_deref();
        packed.chunks_exact(self.packed.size()).map(move |element| Some(element) == missing)
    }

    fn unpack(&self, packed: &[u8], out: &mut [u8]) -> Result<()> {
        let mut wide = [0; 8 * BLOCK];
        let size = self.packed.size();
        let blocks = packed.chunks(size * BLOCK).zip(out.chunks_mut(self.unpacked.size() * BLOCK));
        for (packed, out) in blocks {
            let wide = &mut wide[..packed.len() / size * 8];
            convert_row(packed, self.packed, wide, Number::Float64)?;
            for (x, missing) in doubles(wide).zip(self.missing_of(packed)) {
                let value = match missing {
                    true => f64::NAN,
                    false => f64::from_ne_bytes(*x) * self.scale + self.offset,
                };
                *x = value.to_ne_bytes();
            }
            match self.unpacked {
                Number::Float64 => out.copy_from_slice(wide),
                // what exceeds its range is infinite
                _ => {
                    out.as_chunks_mut::<4>().0.iter_mut().zip(doubles(wide)).for_each(|(to, x)| {
                        *to = (f64::from_ne_bytes(*x) as f32).to_ne_bytes();
                    })
                }
            }
        }
        Ok(())
    }

    fn pack(&self, unpacked: &[u8], out: &mut [u8]) -> Result<()> {
        let mut wide = [0; 8 * BLOCK];
        let size = self.packed.size();
        let blocks =
            unpacked.chunks(self.unpacked.size() * BLOCK).zip(out.chunks_mut(size * BLOCK));
        for (unpacked, out) in blocks {
            let wide = &mut wide[..out.len() / size * 8];
            convert_row(unpacked, self.unpacked, wide, Number::Float64)?;
            let mut gaps = [false; BLOCK];
            for (x, gap) in doubles(wide).zip(&mut gaps) {
                let value = f64::from_ne_bytes(*x);
                // without a missing value floats keep their NaN; integers refuse it below
                *gap = value.is_nan() && self.missing.is_some();
                let packed = (value - self.offset) / self.scale;
                *x = match () {
                    () if *gap => 0f64,
                    () if self.is_integer() => packed.round_ties_even(),
                    () => packed,
                }
                .to_ne_bytes();
            }
            convert_row(wide, Number::Float64, out, self.packed)?;
            for (n, missing) in self.missing_of(out).enumerate() {
                if missing && !gaps[n] {
                    return Err(Error::new(
                        Kind::TypeMismatch,
                        "a value packs to the missing value, and would read as missing",
                    ));
                }
            }
            if let Some(missing) = &self.missing {
                let elements = out.chunks_exact_mut(size).zip(gaps);
                elements.filter(|(_, gap)| *gap).for_each(|(to, _)| to.copy_from_slice(missing));
            }
        }
        Ok(())
    }
}

impl ArrayCodec for Packing {
    fn encoded(&self, decoded: &ChunkSpec) -> Result<ChunkSpec> {
        let mut fill = vec![0; self.stored.size()];
        // an undefined fill value reads as 0, which may have no packed form
        if self.pack(&decoded.fill.bytes()?, &mut fill).is_err() {
            fill.fill(0);
        }
        Ok(ChunkSpec { data_type: self.stored.clone(), fill: fill.into(), ..decoded.clone() })
    }

    fn encode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        self.pack(src, out)
    }

    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        self.unpack(src, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::{CodecSpec, FillValue};
    use serde_json::{Value, json};

    fn packing(configuration: Value, unpacked: DataType) -> Result<Box<dyn ArrayCodec>> {
        let configuration = configuration.as_object().cloned().expect("an object");
        let spec = CodecSpec::new("zarrc.packing", configuration);
        let fill = FillValue::zeros(unpacked.size());
        let chunk = ChunkSpec { shape: vec![4], data_type: unpacked, fill, most: None };
        match build(&Config::new(&spec), &chunk)? {
            Codec::Array(codec) => Ok(codec),
            _ => panic!("not an array codec"),
        }
    }

    #[test]
    fn numbers_as_xarray_unpacks_them() {
        let codec = packing(
            json!({"data_type": "int16", "scale_factor": 0.01, "add_offset": 273.15,
                   "missing": -32767}),
            DataType::Float64,
        )
        .expect("good");
        let stored: Vec<u8> =
            [0i16, 100, -2500, -32767].iter().flat_map(|n| n.to_ne_bytes()).collect();
        let mut out = [0; 32];
        codec.decode(&stored, &mut out).expect("decodes");
        let values: Vec<f64> =
            out.as_chunks::<8>().0.iter().map(|b| f64::from_ne_bytes(*b)).collect();
        // numpy: i16.astype("f8") * 0.01 + 273.15
        assert_eq!(values[..3], [273.15, 100.0 * 0.01 + 273.15, -2500.0 * 0.01 + 273.15]);
        assert!(values[3].is_nan());
        let mut back = [0; 8];
        codec.encode(&out, &mut back).expect("encodes");
        assert_eq!(back[..], stored[..]);
        let encode = |x: f64| codec.encode(&x.to_ne_bytes(), &mut [0; 2]);
        assert!(encode(1e6).is_err() && encode(f64::INFINITY).is_err());
        assert!(encode(273.15 - 327.67).is_err(), "would be read as missing");
        assert!(encode(273.156).is_ok());
    }

    #[test]
    fn without_a_missing_value_nan_has_no_place_among_integers() {
        let config = json!({"data_type": "uint8", "scale_factor": 2.0});
        let codec = packing(config, DataType::Float32).expect("good");
        assert!(codec.encode(&f32::NAN.to_ne_bytes(), &mut [0; 1]).is_err());
        let mut out = [0; 1];
        codec.encode(&(7.1f32).to_ne_bytes(), &mut out).expect("rounds");
        assert_eq!(out, [4]);
        for bad in [
            json!({}),
            json!({"data_type": "int16", "scale_factor": 0}),
            json!({"data_type": "int16", "scale_factor": "2"}),
            json!({"data_type": "complex64"}),
        ] {
            assert!(packing(bad.clone(), DataType::Float32).is_err(), "{bad}");
        }
        assert!(packing(json!({"data_type": "int16"}), DataType::Int32).is_err());
    }
}
