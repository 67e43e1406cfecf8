//! `categorize` of numcodecs: strings from a list of labels as integers, starting at 1 for the
//! first label. 0 is the empty string; numcodecs also writes 0 for a string not in the list, which
//! is refused here because it would be lost.
//! <https://numcodecs.readthedocs.io/en/stable/filter/categorize.html>

use super::config::Config;
use super::vlen::{self, Elements, Layout};
use super::whole_chunk::{self, WholeChunk};
use super::{ChunkSpec, Codec, Len};
use crate::error::{Context, Error, Result};
use crate::exec::Buffer;
use crate::metadata::{DataType, Endian, typestr};
use crate::source::{append, push, reserve};
use serde_json::Value;
use std::collections::HashMap;

/// The numbering of labels, and the format of numbers.
struct Codes {
    labels: Vec<String>,
    numbers: HashMap<Vec<u8>, u64>,
    /// The bytes of a number, and whether it is little-endian.
    width: usize,
    little: bool,
}

/// Elements of type `|O`.
struct Strings(Codes);

/// Elements of type `U`: their size, and the text of each number.
struct Fixed {
    codes: Codes,
    item: usize,
    count: u64,
    elements: Vec<Box<[u8]>>,
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["labels", "dtype", "astype"])?;
    let labels = config.get("labels").ok_or_else(|| config.missing("labels"))?;
    let list = labels.as_array().and_then(|list| {
        list.iter().map(|label| label.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
    });
    let labels = list.ok_or_else(|| config.error("\"labels\": expected a list of strings"))?;
    let text = |name, default| match config.get(name) {
        None => Ok(default),
        Some(Value::String(text)) => Ok(text.as_str()),
        Some(value) => {
            Err(config.error(format!("{name:?}: expected a type string, found {value}")))
        }
    };
    let place = || format!("codec {:?}", config.name());
    let (number, order) = typestr::parse(text("astype", "u1")?).at(place)?;
    let most = match number {
        DataType::UInt8 => u64::from(u8::MAX),
        DataType::Int8 => i8::MAX as u64,
        DataType::UInt16 => u64::from(u16::MAX),
        DataType::Int16 => i16::MAX as u64,
        DataType::UInt32 => u64::from(u32::MAX),
        DataType::Int32 => i32::MAX as u64,
        DataType::UInt64 | DataType::Int64 => i64::MAX as u64,
        other => {
            return Err(
                config.error(format!("has the type {}: expected an integer type", other.name()))
            );
        }
    };
    if labels.len() as u64 > most {
        return Err(config.error(format!(
            "has {} labels: {} can express {most}",
            labels.len(),
            number.name()
        )));
    }
    let dtype = text("dtype", "|O")?;
    let codes = |key: &dyn Fn(&str) -> Vec<u8>| Codes {
        numbers: labels.iter().map(|label| key(label)).zip(1..).collect(),
        labels: labels.clone(),
        width: number.size(),
        little: order.unwrap_or(Endian::Little) == Endian::Little,
    };
    match spec.data_type {
        DataType::String if dtype.ends_with('O') => {
            let codes = codes(&|label| label.as_bytes().to_vec());
            vlen::codec(spec, Strings(codes))
        }
        DataType::FixedUtf32(width)
            if typestr::parse(dtype).is_ok_and(|(given, _)| given == spec.data_type) =>
        {
            let codes = codes(&|label| utf32(label, width));
            let empty = std::iter::once("");
            let texts = empty.chain(codes.labels.iter().map(String::as_str));
            let elements = texts.map(|text| utf32(text, width).into()).collect();
            let item = spec.data_type.size();
            let count = spec.size()? / item.max(1) as u64;
            whole_chunk::codec(Fixed { codes, item, count, elements }, spec)
        }
        _ => {
            Err(config
                .error(format!("expects the type {dtype:?}, found {}", spec.data_type.name())))
        }
    }
}

/// Text as an element of so many code units, truncated like NumPy does.
fn utf32(text: &str, width: usize) -> Vec<u8> {
    let units = text.chars().map(u32::from).chain(std::iter::repeat(0));
    units.take(width).flat_map(u32::to_ne_bytes).collect()
}

impl Codes {
    /// Reads the numbers of `count` elements.
    fn read<'a>(
        &self,
        encoded: &'a [u8],
        count: usize,
    ) -> Result<impl Iterator<Item = usize> + 'a> {
        if Some(encoded.len()) != count.checked_mul(self.width) {
            return Err(Error::corrupt(format!(
                "the value has {} bytes: expected {count} numbers of {}",
                encoded.len(),
                self.width
            )));
        }
        let (little, known) = (self.little, self.labels.len());
        let number = move |bytes: &[u8]| {
            let shift = |n: u64, byte: &u8| n << 8 | u64::from(*byte);
            let number = match little {
                true => bytes.iter().rev().fold(0, shift),
                false => bytes.iter().fold(0, shift),
            };
            // an unknown number is the empty string
            usize::try_from(number).ok().filter(|&n| n <= known).unwrap_or(0)
        };
        Ok(encoded.chunks_exact(self.width).map(number))
    }

    /// Appends the number of an element.
    fn write(&self, element: &[u8], empty: bool, out: &mut Vec<u8>) -> Result<()> {
        let number = match self.numbers.get(element) {
            Some(&number) => number,
            None if empty => 0,
            None => {
                let text = String::from_utf8_lossy(element);
                let text: String = text.chars().filter(|&c| c != '\0').take(40).collect();
                return Err(Error::invalid(format!("{text:?} is not one of the labels")));
            }
        };
        let bytes = number.to_le_bytes();
        match self.little {
            true => out.extend_from_slice(&bytes[..self.width]),
            false => out.extend(bytes[..self.width].iter().rev()),
        }
        Ok(())
    }
}

impl Layout for Strings {
    const LEAST: u64 = 1;

    fn split(
        &self,
        encoded: &mut Buffer,
        elements: usize,
        mut place: impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<()> {
        let mut text = Buffer::with_capacity(0)?;
        let mut labels = Vec::new();
        push(&mut labels, (0, 0))?;
        for label in &self.0.labels {
            push(&mut labels, (text.len(), label.len()))?;
            append(&mut text, label.as_bytes())?;
        }
        for number in self.0.read(encoded, elements)? {
            let (start, len) = labels[number];
            place(start, len)?;
        }
        *encoded = text;
        Ok(())
    }

    fn join(&self, elements: &Elements<'_>, out: &mut Vec<u8>) -> Result<()> {
        reserve(out, elements.len().saturating_mul(self.0.width))?;
        elements.iter().try_for_each(|element| {
            let element = element?;
            self.0.write(element, element.is_empty(), out)
        })
    }
}

impl WholeChunk for Fixed {
    fn encoded_len(&self) -> Len {
        Len::Exactly(self.count.saturating_mul(self.codes.width as u64))
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        (encoded / self.codes.width as u64).saturating_mul(self.item as u64)
    }

    fn decode(&self, encoded: &[u8], out: &mut [u8]) -> Result<()> {
        let numbers = self.codes.read(encoded, self.count as usize)?;
        for (out, number) in out.chunks_exact_mut(self.item).zip(numbers) {
            out.copy_from_slice(&self.elements[number]);
        }
        Ok(())
    }

    fn encode(&self, elements: &[u8], out: &mut Vec<u8>) -> Result<()> {
        reserve(out, elements.len() / self.item.max(1) * self.codes.width)?;
        let mut elements = elements.chunks_exact(self.item);
        elements
            .try_for_each(|element| self.codes.write(element, element.iter().all(|&b| b == 0), out))
    }
}
