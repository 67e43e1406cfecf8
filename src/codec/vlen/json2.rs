//! `json2` of numcodecs: the elements of a chunk as one JSON list, nested like the chunk's shape,
//! followed by the type string and the shape. Written like Python's encoder with the given
//! settings: keys sorted, non-ASCII escaped; digits are kept as they are.
//! <https://numcodecs.readthedocs.io/en/stable/other/json.html>
//!
//! ```text
//! [["a",{"k":1}],["b",null],"|O",[2,2]]
//! ```

use super::text::{Kind, MAX_DEPTH, Scan, too_deep};
use super::{ChunkSpec, Codec, Config, Elements, Layout, codec, refuse};
use crate::error::{Error, Result};
use crate::exec::{Buffer, out_of_memory};
use crate::metadata::DataType;
use crate::source::{append, push, reserve};
use serde_json::Value;
use std::collections::HashMap;

struct Json {
    shape: Vec<u64>,
    style: Style,
}

/// The text style of the output.
struct Style {
    ensure_ascii: bool,
    sort_keys: bool,
    between_items: String,
    behind_key: String,
    /// The indent of each level; `None`: all on one line.
    indent: Option<String>,
}

pub(in super::super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    let flags = ["skipkeys", "check_circular", "allow_nan", "strict"];
    let others = ["encoding", "ensure_ascii", "sort_keys", "indent", "separators"];
    config.only(&[&flags[..], &others[..]].concat())?;
    if spec.data_type != DataType::Json {
        return Err(refuse(config, spec, "JSON"));
    }
    for flag in flags {
        config.boolean(flag)?;
    }
    let encoding = config.get("encoding").map_or(Some("utf-8"), Value::as_str);
    let encoding = encoding.map(|name| name.to_ascii_lowercase().replace('_', "-"));
    if !matches!(encoding.as_deref(), Some("utf-8" | "utf8" | "ascii" | "us-ascii")) {
        return Err(Error::unsupported(format!(
            "codec {:?}: expected the encoding UTF-8 or ASCII, found {}",
            config.name(),
            config.get("encoding").cloned().unwrap_or_default()
        )));
    }
    let indent = match config.get("indent") {
        None => None,
        Some(Value::String(text)) if text.trim().is_empty() => Some(text.clone()),
        Some(value) => match value.as_u64() {
            Some(n @ 0..=64) => Some(" ".repeat(n as usize)),
            _ => {
                return Err(config.error(format!(
                    "\"indent\": expected a small integer, found \
                {value}"
                )));
            }
        },
    };
    let space = if indent.is_some() { " " } else { "" };
    let (between_items, behind_key) = match config.get("separators") {
        None => (format!(",{space}"), format!(":{space}")),
        Some(value) => match value.as_array().map(Vec::as_slice) {
            Some([Value::String(items), Value::String(keys)])
                if items.trim() == "," && keys.trim() == ":" =>
            {
                (items.clone(), keys.clone())
            }
            _ => {
                return Err(config.error(format!(
                    "\"separators\": expected [\",\",\":\"], found \
                {value}"
                )));
            }
        },
    };
    let style = Style {
        ensure_ascii: config.boolean("ensure_ascii")?.unwrap_or(true)
            || encoding.as_deref() != Some("utf-8"),
        sort_keys: config.boolean("sort_keys")?.unwrap_or(true),
        between_items,
        behind_key,
        indent,
    };
    codec(spec, Json { shape: spec.shape.clone(), style })
}

/// Checks that lists nested like `shape` hold so many elements.
pub(super) fn check_shape(shape: &[u64], elements: usize) -> Result<()> {
    let product = shape.iter().try_fold(1u64, |n, &extent| n.checked_mul(extent));
    if product == Some(elements as u64) {
        return Ok(());
    }
    Err(Error::corrupt(format!(
        "the value has the shape {shape:?}, its chunk {elements} elements in all"
    )))
}

/// The error for a list whose length differs from the shape.
#[cold]
pub(super) fn uneven(found: usize, expected: u64) -> Error {
    Error::corrupt(format!("the value has a list of {found}: expected {expected} by its shape"))
}

/// Calls `place` for the elements in the next value, lists of `shape`.
fn rows(
    scan: &mut Scan<'_>,
    shape: &[u64],
    place: &mut impl FnMut(usize, usize) -> Result<()>,
) -> Result<()> {
    let Some((&extent, inner)) = shape.split_first() else {
        scan.kind()?; // skips white space
        let start = scan.at();
        scan.skip(0)?;
        return place(start, scan.at() - start);
    };
    if shape.len() > MAX_DEPTH {
        return Err(too_deep());
    }
    let mut found = 0;
    scan.list(|scan| {
        found += 1;
        rows(scan, inner, place)
    })?;
    if found as u64 == extent { Ok(()) } else { Err(uneven(found, extent)) }
}

impl Layout for Json {
    /// A digit and a comma.
    const LEAST: u64 = 2;

    fn split(
        &self,
        encoded: &mut Buffer,
        elements: usize,
        mut place: impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<()> {
        // the shape at the end gives the nesting depth of the elements
        let mut starts = Vec::new();
        let mut scan = Scan::new(encoded);
        scan.list(|scan| {
            scan.kind()?;
            push(&mut starts, scan.at())?;
            scan.skip(0)
        })?;
        scan.finish()?;
        let [items @ .., dtype, shape] = &starts[..] else {
            return Err(Error::corrupt("the value has neither a type nor a shape at its end"));
        };
        let mut typed = Scan::new(&encoded[*dtype..]);
        if typed.kind()? != Kind::String {
            return Err(Error::corrupt("the value has no type at its end"));
        }
        let mut extents = Vec::new();
        Scan::new(&encoded[*shape..]).list(|scan| {
            let extent = scan.word()?.parse::<u64>();
            let wrong = |_| Error::corrupt("the value has no shape at its end");
            push(&mut extents, extent.map_err(wrong)?)?;
            Ok(())
        })?;
        check_shape(&extents, elements)?;
        let inner = extents.get(1..).unwrap_or_default();
        if items.len() as u64 != extents.first().copied().unwrap_or(1) {
            return Err(uneven(items.len(), extents.first().copied().unwrap_or(1)));
        }
        for &start in items {
            let mut scan = Scan::new(&encoded[start..]);
            rows(&mut scan, inner, &mut |at, len| place(start + at, len))?;
        }
        Ok(())
    }

    fn join(&self, elements: &Elements<'_>, out: &mut Vec<u8>) -> Result<()> {
        let style = &self.style;
        let mut elements = elements.iter();
        let (outer, inner) = match self.shape.split_first() {
            Some((&outer, inner)) => (outer, inner),
            None => (1, &[][..]),
        };
        style.list(out, 0, outer + 2, |n, out| match n {
            _ if n < outer => style.rows(&mut elements, inner, 1, out),
            _ if n == outer => style.string("\"|O\"", out),
            _ => style.list(out, 1, self.shape.len() as u64, |d, out| {
                append(out, self.shape[d as usize].to_string().as_bytes())?;
                Ok(())
            }),
        })
    }
}

impl Style {
    fn line(&self, level: usize, out: &mut Vec<u8>) -> Result<()> {
        if let Some(indent) = &self.indent {
            push(out, b'\n')?;
            (0..level).try_for_each(|_| append(out, indent.as_bytes()))?;
        }
        Ok(())
    }

    /// A list of `count` items, each written by `item`.
    fn list(
        &self,
        out: &mut Vec<u8>,
        level: usize,
        count: u64,
        mut item: impl FnMut(u64, &mut Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        push(out, b'[')?;
        for n in 0..count {
            if n > 0 {
                append(out, self.between_items.as_bytes())?;
            }
            self.line(level + 1, out)?;
            item(n, out)?;
        }
        if count > 0 {
            self.line(level, out)?;
        }
        push(out, b']')?;
        Ok(())
    }

    /// Writes the next elements as lists of `shape`.
    fn rows<'a>(
        &self,
        elements: &mut impl Iterator<Item = Result<&'a [u8]>>,
        shape: &[u64],
        level: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let Some((&extent, inner)) = shape.split_first() else {
            let missing = || Error::new(crate::error::Kind::Internal, "elements are missing");
            let element = elements.next().ok_or_else(missing)??;
            return self.value(&mut Scan::new(element), level, 0, out);
        };
        self.list(out, level, extent, |_, out| self.rows(elements, inner, level + 1, out))
    }

    fn value(
        &self,
        scan: &mut Scan<'_>,
        level: usize,
        depth: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        match scan.kind()? {
            Kind::Word => append(out, scan.word()?.as_bytes())?,
            Kind::String => self.string(scan.string()?, out)?,
            Kind::List => {
                push(out, b'[')?;
                let mut first = true;
                scan.list(|scan| {
                    if !std::mem::replace(&mut first, false) {
                        append(out, self.between_items.as_bytes())?;
                    }
                    self.line(level + 1, out)?;
                    self.value(scan, level + 1, depth + 1, out)
                })?;
                if !first {
                    self.line(level, out)?;
                }
                push(out, b']')?;
            }
            Kind::Object => {
                // of a duplicate name the last value counts, in the first position
                let mut members: Vec<(String, Vec<u8>)> = Vec::new();
                let mut places: HashMap<String, usize> = HashMap::new();
                scan.object(|name, scan| {
                    let mut text = Vec::new();
                    self.string(name, &mut text)?;
                    append(&mut text, self.behind_key.as_bytes())?;
                    self.value(scan, level + 1, depth + 1, &mut text)?;
                    let name = unescaped(name).unwrap_or_else(|| name.to_owned());
                    match places.get(&name).copied() {
                        Some(place) => members[place] = (name, text),
                        None => {
                            reserve(&mut members, 1)?;
                            let bytes = size_of::<(String, usize)>() * places.len().max(1);
                            places.try_reserve(1).map_err(|_| out_of_memory(bytes))?;
                            places.insert(name.clone(), members.len());
                            members.push((name, text));
                        }
                    }
                    Ok(())
                })?;
                if self.sort_keys {
                    members.sort_by(|a, b| a.0.cmp(&b.0));
                }
                push(out, b'{')?;
                for (n, (_, text)) in members.iter().enumerate() {
                    if n > 0 {
                        append(out, self.between_items.as_bytes())?;
                    }
                    self.line(level + 1, out)?;
                    append(out, text)?;
                }
                if !members.is_empty() {
                    self.line(level, out)?;
                }
                push(out, b'}')?;
            }
        }
        Ok(())
    }

    /// Writes an already escaped string, with Python's escapes.
    fn string(&self, written: &str, out: &mut Vec<u8>) -> Result<()> {
        let plain = |b: u8| b != b'\\' && (!self.ensure_ascii || (b.is_ascii() && b != 0x7f));
        // an unpaired surrogate is not text, but Python allows it: keep it unchanged
        let text = match written.bytes().all(plain) {
            true => None,
            false => unescaped(written),
        };
        let Some(text) = text else {
            append(out, written.as_bytes())?;
            return Ok(());
        };
        // an escape is at most six times as long as what it stands for
        reserve(out, text.len().saturating_mul(6).saturating_add(2))?;
        out.push(b'"');
        for c in text.chars() {
            match c {
                '"' => out.extend_from_slice(b"\\\""),
                '\\' => out.extend_from_slice(b"\\\\"),
                '\n' => out.extend_from_slice(b"\\n"),
                '\r' => out.extend_from_slice(b"\\r"),
                '\t' => out.extend_from_slice(b"\\t"),
                '\u{8}' => out.extend_from_slice(b"\\b"),
                '\u{c}' => out.extend_from_slice(b"\\f"),
                '\0'..='\x1f' => push_escape(c as u16, out),
                ' '..='~' => out.push(c as u8),
                _ if self.ensure_ascii => {
                    c.encode_utf16(&mut [0; 2]).iter().for_each(|&unit| push_escape(unit, out));
                }
                _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        push(out, b'"')?;
        Ok(())
    }
}

fn push_escape(unit: u16, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
}

/// The text of an escaped string; `None`: its escapes are not text.
pub(super) fn unescaped(written: &str) -> Option<String> {
    serde_json::from_str(written).ok()
}
