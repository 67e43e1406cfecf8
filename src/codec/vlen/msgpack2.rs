//! `msgpack2` of numcodecs: the elements of a chunk as one MessagePack array, nested like the
//! chunk's shape, followed by the type string and the shape. Elements are exchanged as JSON.
//! <https://numcodecs.readthedocs.io/en/stable/other/msgpack.html>,
//! <https://github.com/msgpack/msgpack/blob/master/spec.md>

use super::json2::{check_shape, unescaped, uneven};
use super::text::{Kind, MAX_DEPTH, Scan, too_deep};
use super::{ChunkSpec, Codec, Config, Elements, Layout, codec, refuse};
use crate::error::{Error, Result};
use crate::exec::Buffer;
use crate::metadata::DataType;
use crate::source::{append, push};
use rmp::Marker;
use rmp::encode;
use std::io::Write;

struct MsgPack {
    shape: Vec<u64>,
    /// Whether to write floats in four bytes.
    single_float: bool,
    /// Whether to write strings of 32 to 255 bytes with a one-byte length.
    short_strings: bool,
}

pub(in super::super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["raw", "use_bin_type", "use_single_float"])?;
    if spec.data_type != DataType::Json {
        return Err(refuse(config, spec, "JSON"));
    }
    config.boolean("raw")?; // affects only Python's view of decoded strings
    let layout = MsgPack {
        shape: spec.shape.clone(),
        single_float: config.boolean("use_single_float")?.unwrap_or(false),
        short_strings: config.boolean("use_bin_type")?.unwrap_or(true),
    };
    codec(spec, layout)
}

/// Reads MessagePack and writes JSON.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

#[cold]
fn cut_short() -> Error {
    Error::corrupt("the MessagePack value is truncated")
}

#[cold]
fn no_json(what: &str) -> Error {
    Error::unsupported(format!("an element holds {what}, which JSON cannot express"))
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.bytes.len());
        let taken = &self.bytes[self.at..end.ok_or_else(cut_short)?];
        self.at += count;
        Ok(taken)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.take(N)?.first_chunk::<N>().copied().ok_or_else(cut_short)
    }

    fn marker(&mut self) -> Result<Marker> {
        Ok(Marker::from_u8(self.take(1)?[0]))
    }

    /// A length of 1, 2 or 4 bytes.
    fn len<const N: usize>(&mut self) -> Result<usize> {
        let bytes = self.number::<N>()?;
        Ok(bytes.iter().fold(0, |n, &byte| n << 8 | usize::from(byte)))
    }

    /// The number of items of an array, at most the number of bytes left.
    fn array(&mut self) -> Result<usize> {
        let count = match self.marker()? {
            Marker::FixArray(n) => n.into(),
            Marker::Array16 => self.len::<2>()?,
            Marker::Array32 => self.len::<4>()?,
            _ => return Err(Error::corrupt("the MessagePack value lacks an array")),
        };
        match count <= self.bytes.len() - self.at {
            true => Ok(count),
            false => Err(cut_short()),
        }
    }

    /// The string after `marker`; `None`: it is not a string.
    fn string(&mut self, marker: Marker) -> Result<Option<&'a str>> {
        let len = match marker {
            Marker::FixStr(n) => n.into(),
            Marker::Str8 => self.len::<1>()?,
            Marker::Str16 => self.len::<2>()?,
            Marker::Str32 => self.len::<4>()?,
            _ => return Ok(None),
        };
        let text = std::str::from_utf8(self.take(len)?);
        text.map(Some).map_err(|_| Error::corrupt("a string is not UTF-8"))
    }

    fn value(&mut self, depth: usize, out: &mut Vec<u8>) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        let marker = self.marker()?;
        match marker {
            Marker::Null => append(out, b"null")?,
            Marker::True => append(out, b"true")?,
            Marker::False => append(out, b"false")?,
            Marker::FixPos(n) => put(out, n)?,
            Marker::FixNeg(n) => put(out, n)?,
            Marker::U8 => put(out, u8::from_be_bytes(self.number()?))?,
            Marker::U16 => put(out, u16::from_be_bytes(self.number()?))?,
            Marker::U32 => put(out, u32::from_be_bytes(self.number()?))?,
            Marker::U64 => put(out, u64::from_be_bytes(self.number()?))?,
            Marker::I8 => put(out, i8::from_be_bytes(self.number()?))?,
            Marker::I16 => put(out, i16::from_be_bytes(self.number()?))?,
            Marker::I32 => put(out, i32::from_be_bytes(self.number()?))?,
            Marker::I64 => put(out, i64::from_be_bytes(self.number()?))?,
            Marker::F32 => float(f32::from_be_bytes(self.number()?).into(), out)?,
            Marker::F64 => float(f64::from_be_bytes(self.number()?), out)?,
            Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
                self.at -= 1;
                let count = self.array()?;
                push(out, b'[')?;
                for n in 0..count {
                    if n > 0 {
                        push(out, b',')?;
                    }
                    self.value(depth + 1, out)?;
                }
                push(out, b']')?;
            }
            Marker::FixMap(n) => self.map(n.into(), depth, out)?,
            Marker::Map16 => {
                let count = self.len::<2>()?;
                self.map(count, depth, out)?;
            }
            Marker::Map32 => {
                let count = self.len::<4>()?;
                self.map(count, depth, out)?;
            }
            Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => return Err(no_json("bytes")),
            Marker::Reserved => {
                return Err(Error::corrupt("the MessagePack value has a byte 0xc1"));
            }
            _ => match self.string(marker)? {
                Some(text) => quote(text, out)?,
                None => return Err(no_json("an extension type of MessagePack")),
            },
        }
        Ok(())
    }

    fn map(&mut self, count: usize, depth: usize, out: &mut Vec<u8>) -> Result<()> {
        push(out, b'{')?;
        for n in 0..count {
            if n > 0 {
                push(out, b',')?;
            }
            let marker = self.marker()?;
            match self.string(marker)? {
                Some(name) => quote(name, out)?,
                None => return Err(no_json("an object with a key that is not a string")),
            }
            push(out, b':')?;
            self.value(depth + 1, out)?;
        }
        push(out, b'}')?;
        Ok(())
    }

    /// Calls `place` for the elements in the next `count` values, each of which is arrays of
    /// `shape`.
    fn rows(
        &mut self,
        count: usize,
        shape: &[u64],
        out: &mut Vec<u8>,
        place: &mut impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<()> {
        for _ in 0..count {
            let Some((&extent, inner)) = shape.split_first() else {
                let start = out.len();
                self.value(0, out)?;
                place(start, out.len() - start)?;
                continue;
            };
            if shape.len() > MAX_DEPTH {
                return Err(too_deep());
            }
            let found = self.array()?;
            if found as u64 != extent {
                return Err(uneven(found, extent));
            }
            self.rows(found, inner, out, place)?;
        }
        Ok(())
    }

    /// Skips a value of any type. Counts the items still to skip, so nesting needs no recursion.
    fn skip(&mut self) -> Result<()> {
        let mut left = 1usize;
        while left > 0 {
            left -= 1;
            let (bytes, values) = match self.marker()? {
                Marker::FixPos(_) | Marker::FixNeg(_) => (0, 0),
                Marker::Null | Marker::True | Marker::False | Marker::Reserved => (0, 0),
                Marker::U8 | Marker::I8 => (1, 0),
                Marker::U16 | Marker::I16 => (2, 0),
                Marker::U32 | Marker::I32 | Marker::F32 => (4, 0),
                Marker::U64 | Marker::I64 | Marker::F64 => (8, 0),
                Marker::FixStr(n) => (n.into(), 0),
                Marker::Str8 | Marker::Bin8 => (self.len::<1>()?, 0),
                Marker::Str16 | Marker::Bin16 => (self.len::<2>()?, 0),
                Marker::Str32 | Marker::Bin32 => (self.len::<4>()?, 0),
                Marker::FixArray(n) => (0, n.into()),
                Marker::Array16 => (0, self.len::<2>()?),
                Marker::Array32 => (0, self.len::<4>()?),
                Marker::FixMap(n) => (0, 2 * usize::from(n)),
                Marker::Map16 => (0, 2 * self.len::<2>()?),
                Marker::Map32 => (0, 2 * self.len::<4>()?),
                Marker::FixExt1 => (2, 0),
                Marker::FixExt2 => (3, 0),
                Marker::FixExt4 => (5, 0),
                Marker::FixExt8 => (9, 0),
                Marker::FixExt16 => (17, 0),
                Marker::Ext8 => (1 + self.len::<1>()?, 0),
                Marker::Ext16 => (1 + self.len::<2>()?, 0),
                Marker::Ext32 => (1 + self.len::<4>()?, 0),
            };
            self.take(bytes)?;
            left = left.saturating_add(values);
        }
        Ok(())
    }
}

fn put(out: &mut Vec<u8>, value: impl std::fmt::Display) -> Result<()> {
    written(write!(Grow(out), "{value}"))
}

/// A vector that fails where memory is exhausted.
struct Grow<'a>(&'a mut Vec<u8>);

impl Write for Grow<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        append(self.0, bytes).map_err(|_| std::io::ErrorKind::OutOfMemory)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn float(number: f64, out: &mut Vec<u8>) -> Result<()> {
    match number {
        _ if number.is_nan() => append(out, b"NaN")?,
        f64::INFINITY => append(out, b"Infinity")?,
        f64::NEG_INFINITY => append(out, b"-Infinity")?,
        _ => put(out, serde_json::Value::from(number))?,
    }
    Ok(())
}

fn quote(text: &str, out: &mut Vec<u8>) -> Result<()> {
    let plain = |b: u8| b >= 0x20 && b != b'"' && b != b'\\';
    match text.bytes().all(plain) {
        true => {
            push(out, b'"')?;
            append(out, text.as_bytes())?;
            push(out, b'"')?;
        }
        false => put(out, serde_json::Value::from(text))?,
    }
    Ok(())
}

impl Layout for MsgPack {
    const LEAST: u64 = 1;

    fn split(
        &self,
        encoded: &mut Buffer,
        elements: usize,
        mut place: impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<()> {
        let mut reader = Reader { bytes: encoded, at: 0 };
        let items = reader.array()?;
        let items = items
            .checked_sub(2)
            .ok_or_else(|| Error::corrupt("the value has neither a type nor a shape at its end"))?;
        // the shape at the end gives the nesting depth of the elements
        let first = reader.at;
        for _ in 0..items {
            reader.skip()?;
        }
        let marker = reader.marker()?;
        if reader.string(marker)?.is_none() {
            return Err(Error::corrupt("the value has no type at its end"));
        }
        let mut shape = Vec::new();
        for _ in 0..reader.array()? {
            let mut text = Vec::new();
            reader.value(0, &mut text)?;
            let extent = std::str::from_utf8(&text).ok().and_then(|t| t.parse::<u64>().ok());
            let missing = || Error::corrupt("the value has no shape at its end");
            push(&mut shape, extent.ok_or_else(missing)?)?;
        }
        if reader.at != encoded.len() {
            let more = encoded.len() - reader.at;
            return Err(Error::corrupt(format!("{more} bytes follow the value")));
        }
        check_shape(&shape, elements)?;
        let outer = shape.first().copied().unwrap_or(1);
        if items as u64 != outer {
            return Err(uneven(items, outer));
        }
        let mut text = Buffer::with_capacity(encoded.len())?;
        reader.at = first;
        reader.rows(items, shape.get(1..).unwrap_or_default(), &mut text, &mut place)?;
        *encoded = text;
        Ok(())
    }

    fn join(&self, elements: &Elements<'_>, out: &mut Vec<u8>) -> Result<()> {
        let mut elements = elements.iter();
        let (outer, inner) = match self.shape.split_first() {
            Some((&outer, inner)) => (outer, inner),
            None => (1, &[][..]),
        };
        array_len(outer.saturating_add(2), out)?;
        for _ in 0..outer {
            self.join_rows(&mut elements, inner, out)?;
        }
        self.string("|O", out)?;
        array_len(self.shape.len() as u64, out)?;
        self.shape
            .iter()
            .try_for_each(|&extent| written(encode::write_uint(&mut Grow(out), extent)))
    }
}

/// Writing to a vector fails only if memory is exhausted.
fn written<T, E: std::fmt::Display>(result: std::result::Result<T, E>) -> Result<()> {
    let failed = |e: E| Error::new(crate::error::Kind::OutOfMemory, format!("MessagePack: {e}"));
    result.map(|_| ()).map_err(failed)
}

fn count(len: u64) -> Result<u32> {
    u32::try_from(len).map_err(|_| {
        let what = format!("{len} items or bytes are more than MessagePack can count");
        Error::new(crate::error::Kind::LimitExceeded, what)
    })
}

fn array_len(len: u64, out: &mut Vec<u8>) -> Result<()> {
    written(encode::write_array_len(&mut Grow(out), count(len)?))
}

impl MsgPack {
    fn join_rows<'a>(
        &self,
        elements: &mut impl Iterator<Item = Result<&'a [u8]>>,
        shape: &[u64],
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let Some((&extent, inner)) = shape.split_first() else {
            let missing = || Error::new(crate::error::Kind::Internal, "elements are missing");
            let element = elements.next().ok_or_else(missing)??;
            return self.value(&mut Scan::new(element), 0, out);
        };
        array_len(extent, out)?;
        (0..extent).try_for_each(|_| self.join_rows(elements, inner, out))
    }

    fn string(&self, text: &str, out: &mut Vec<u8>) -> Result<()> {
        let len = count(text.len() as u64)?;
        match (len, u16::try_from(len)) {
            (32..=255, Ok(short)) if !self.short_strings => {
                push(out, Marker::Str16.to_u8())?;
                append(out, &short.to_be_bytes())?;
            }
            _ => written(encode::write_str_len(&mut Grow(out), len))?,
        }
        append(out, text.as_bytes())?;
        Ok(())
    }

    fn value(&self, scan: &mut Scan<'_>, depth: usize, out: &mut Vec<u8>) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        let escapes = || Error::invalid("an element holds an unpaired surrogate");
        match scan.kind()? {
            Kind::Word => self.word(scan.word()?, out),
            Kind::String => self.string(&unescaped(scan.string()?).ok_or_else(escapes)?, out),
            Kind::List => {
                let mut items = Vec::new();
                let mut found = 0;
                scan.list(|scan| {
                    found += 1;
                    self.value(scan, depth + 1, &mut items)
                })?;
                array_len(found, out)?;
                append(out, &items)?;
                Ok(())
            }
            Kind::Object => {
                let mut members = Vec::new();
                let mut found = 0;
                scan.object(|name, scan| {
                    found += 1;
                    self.string(&unescaped(name).ok_or_else(escapes)?, &mut members)?;
                    self.value(scan, depth + 1, &mut members)
                })?;
                written(encode::write_map_len(&mut Grow(out), count(found)?))?;
                append(out, &members)?;
                Ok(())
            }
        }
    }

    fn word(&self, word: &str, out: &mut Vec<u8>) -> Result<()> {
        let float = match word {
            "null" => return written(encode::write_nil(&mut Grow(out))),
            "true" | "false" => return written(encode::write_bool(&mut Grow(out), word == "true")),
            "NaN" => f64::NAN,
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            _ if !word.contains(['.', 'e', 'E']) => {
                return match (word.parse::<u64>(), word.parse::<i64>()) {
                    (Ok(n), _) => written(encode::write_uint(&mut Grow(out), n)),
                    (_, Ok(n)) => written(encode::write_sint(&mut Grow(out), n)),
                    _ => Err(Error::invalid(format!(
                        "the integer {word} is more than MessagePack can hold in 64 bits"
                    ))),
                };
            }
            _ => match word.parse::<f64>() {
                Ok(float) if float.is_finite() => float,
                _ => {
                    return Err(Error::invalid(format!("the number {word} is beyond a float64")));
                }
            },
        };
        match self.single_float {
            true => written(encode::write_f32(&mut Grow(out), float as f32)),
            false => written(encode::write_f64(&mut Grow(out), float)),
        }
    }
}
