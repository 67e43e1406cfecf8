//! The records of a zip file, to and from bytes.
//! <https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT>
//!
//! ```text
//! | local header, name, extra | data | … | central record, name, extra, comment | … | end |
//! ```
//!
//! Numbers are little-endian. A four-byte size or offset of all ones means that extra field 1
//! (ZIP64) has the value.

use crate::error::{Error, Result};

/// The bytes of a local header's fixed part.
pub const LOCAL: usize = 30;
/// The bytes of a central record's fixed part.
pub const CENTRAL: usize = 46;
/// The bytes of the end record, without its comment.
pub const END: usize = 22;
/// The bytes of the ZIP64 locator and end record together.
const END64: usize = 20 + 56;
/// The longest comment.
pub const MAX_COMMENT: usize = 0xffff;

const LOCAL_MAGIC: u32 = 0x0403_4b50;
const CENTRAL_MAGIC: u32 = 0x0201_4b50;
const END_MAGIC: u32 = 0x0605_4b50;
const END64_MAGIC: u32 = 0x0606_4b50;
const LOCATOR_MAGIC: u32 = 0x0706_4b50;

/// The extra field that marks one of our entries as the deletion of its key.
const ERASED: u16 = 0x7a5a;

/// Name and comment are UTF-8.
pub const UTF8: u16 = 1 << 11;
/// Sizes and checksum come after the data.
const DESCRIPTOR: u16 = 1 << 3;
const ENCRYPTED: u16 = 1;

/// One stored value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The offset of its local header.
    pub header: u64,
    pub method: u16,
    pub crc: u32,
    pub compressed: u64,
    pub size: u64,
    pub flags: u16,
    /// The length of the name in the local header; the extra field may differ from the central
    /// one's.
    pub name_len: u16,
}

/// An entry with its name.
pub struct Named {
    /// `None`: not UTF-8.
    pub name: Option<String>,
    pub entry: Entry,
    /// The bytes of its record, without the data of a local one.
    pub len: usize,
    pub erased: bool,
}

impl Entry {
    /// Whether it needs a password.
    pub fn is_encrypted(&self) -> bool {
        self.flags & ENCRYPTED != 0
    }

    /// Whether its sizes follow the data instead of being in the local header.
    pub fn sizes_follow(&self) -> bool {
        self.flags & DESCRIPTOR != 0
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// The extra field with that id.
fn extra_field(mut extra: &[u8], id: u16) -> Option<&[u8]> {
    while let (Some(found), Some(len)) = (u16_at(extra, 0), u16_at(extra, 2)) {
        let body = extra.get(4..4 + usize::from(len))?;
        if found == id {
            return Some(body);
        }
        extra = &extra[4 + body.len()..];
    }
    None
}

/// Replaces, in order, the numbers that are all ones by those of the ZIP64 field.
fn widen(numbers: &mut [&mut u64], extra: &[u8]) -> Option<()> {
    let mut wide = extra_field(extra, 1);
    for number in numbers {
        if **number == u64::from(u32::MAX)
            && let Some(rest) = wide
        {
            **number = u64_at(rest, 0)?;
            wide = Some(&rest[8..]);
        }
    }
    Some(())
}

fn name(bytes: &[u8]) -> Option<String> {
    std::str::from_utf8(bytes).ok().map(str::to_owned)
}

/// Parses the central record at the start of `bytes`; `None`: it is absent or cut off.
pub fn central(bytes: &[u8]) -> Option<Named> {
    if u32_at(bytes, 0)? != CENTRAL_MAGIC {
        return None;
    }
    let (name_len, extra_len) = (u16_at(bytes, 28)?, u16_at(bytes, 30)?);
    let name_end = CENTRAL + usize::from(name_len);
    let extra_end = name_end + usize::from(extra_len);
    let extra = bytes.get(name_end..extra_end)?;
    let mut entry = Entry {
        flags: u16_at(bytes, 8)?,
        method: u16_at(bytes, 10)?,
        crc: u32_at(bytes, 16)?,
        compressed: u32_at(bytes, 20)?.into(),
        size: u32_at(bytes, 24)?.into(),
        header: u32_at(bytes, 42)?.into(),
        name_len,
    };
    widen(&mut [&mut entry.size, &mut entry.compressed, &mut entry.header], extra)?;
    let len = extra_end + usize::from(u16_at(bytes, 32)?);
    Some(Named { name: name(&bytes[CENTRAL..name_end]), entry, len, erased: false })
}

/// The length of the local header at the start of `bytes`, with its name and extra field.
pub fn local_len(bytes: &[u8]) -> Option<usize> {
    if u32_at(bytes, 0)? != LOCAL_MAGIC {
        return None;
    }
    Some(LOCAL + usize::from(u16_at(bytes, 26)?) + usize::from(u16_at(bytes, 28)?))
}

/// The name in the local header at the start of `bytes`; `None`: it is cut off.
pub fn local_name(bytes: &[u8]) -> Option<&[u8]> {
    bytes.get(LOCAL..LOCAL + usize::from(u16_at(bytes, 26)?))
}

/// Parses the local header at the start of `bytes`, which is at offset `header`.
pub fn local(bytes: &[u8], header: u64) -> Option<Named> {
    let len = local_len(bytes)?;
    let name_len = u16_at(bytes, 26)?;
    let name_end = LOCAL + usize::from(name_len);
    let extra = bytes.get(name_end..len)?;
    let mut entry = Entry {
        flags: u16_at(bytes, 6)?,
        method: u16_at(bytes, 8)?,
        crc: u32_at(bytes, 14)?,
        compressed: u32_at(bytes, 18)?.into(),
        size: u32_at(bytes, 22)?.into(),
        header,
        name_len,
    };
    widen(&mut [&mut entry.size, &mut entry.compressed], extra)?;
    let erased = extra_field(extra, ERASED).is_some();
    Some(Named { name: name(&bytes[LOCAL..name_end]), entry, len, erased })
}

/// The end record of a central directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The offset of the end records, of the ZIP64 ones if present.
    pub start: u64,
    /// The size of the directory (bytes); it ends where this record starts.
    pub directory_size: u64,
    /// The recorded offset of the directory, off if data was prepended to the file.
    pub directory: u64,
    pub entries: u64,
}

/// Finds the end record in `tail`, the end of the file, which starts at `offset`. With `exact`, its
/// comment must reach the end of the file.
pub fn end(tail: &[u8], offset: u64, exact: bool) -> Option<End> {
    let mut at = tail.len().checked_sub(END)?;
    loop {
        if u32_at(tail, at) == Some(END_MAGIC) {
            let comment = usize::from(u16_at(tail, at + 20)?);
            if !exact || at + END + comment == tail.len() {
                return end_at(tail, at, offset);
            }
        }
        at = at.checked_sub(1)?;
    }
}

fn end_at(tail: &[u8], at: usize, offset: u64) -> Option<End> {
    let mut end = End {
        start: offset + at as u64,
        entries: u16_at(tail, at + 10)?.into(),
        directory_size: u32_at(tail, at + 12)?.into(),
        directory: u32_at(tail, at + 16)?.into(),
    };
    let narrow = u64::from(u32::MAX);
    let full = end.entries == 0xffff || end.directory_size == narrow || end.directory == narrow;
    // the ZIP64 records precede; their values replace those that are all ones
    if full
        && let Some(from) = at.checked_sub(END64)
        && u32_at(tail, from) == Some(END64_MAGIC)
        && u32_at(tail, from + 56) == Some(LOCATOR_MAGIC)
    {
        end.start = offset + from as u64;
        end.entries = u64_at(tail, from + 32)?;
        end.directory_size = u64_at(tail, from + 40)?;
        end.directory = u64_at(tail, from + 48)?;
    }
    Some(end)
}

/// The length of the end records at the start of `bytes`; `None`: there are none.
pub fn end_len(bytes: &[u8]) -> Option<usize> {
    let skipped = if u32_at(bytes, 0)? == END64_MAGIC { END64 } else { 0 };
    let end = bytes.get(skipped..)?;
    (u32_at(end, 0)? == END_MAGIC)
        .then(|| Some(skipped + END + usize::from(u16_at(end, 20)?)))
        .flatten()
}

/// The number, or all ones if it does not fit.
fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Whether a number needs a ZIP64 field.
fn is_wide(number: u64) -> bool {
    number >= u64::from(u32::MAX)
}

fn put16(out: &mut Vec<u8>, numbers: &[u16]) {
    numbers.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
}

fn put32(out: &mut Vec<u8>, numbers: &[u32]) {
    numbers.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
}

/// 1 January 1980: entries carry no creation time.
const DATE: [u16; 2] = [0, 0x21];

fn name_length(name: &str) -> Result<u16> {
    u16::try_from(name.len()).map_err(|_| {
        Error::invalid(format!("a key of {} bytes is too long for a zip file", name.len()))
    })
}

/// The local header of a stored value; `None`: of the key's deletion.
pub fn local_header(name: &str, value: Option<(u32, u64)>) -> Result<Vec<u8>> {
    let (crc, size) = value.unwrap_or((0, 0));
    let wide = is_wide(size);
    let mut extra = Vec::new();
    if value.is_none() {
        put16(&mut extra, &[ERASED, 0]);
    }
    if wide {
        put16(&mut extra, &[1, 16]);
        extra.extend_from_slice(&size.to_le_bytes());
        extra.extend_from_slice(&size.to_le_bytes());
    }
    let mut out = Vec::with_capacity(LOCAL + name.len() + extra.len());
    put32(&mut out, &[LOCAL_MAGIC]);
    put16(&mut out, &[if wide { 45 } else { 20 }, UTF8, 0]);
    put16(&mut out, &DATE);
    put32(&mut out, &[crc, if wide { u32::MAX } else { narrow(size) }]);
    put32(&mut out, &[if wide { u32::MAX } else { narrow(size) }]);
    put16(&mut out, &[name_length(name)?, extra.len() as u16]);
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(&extra);
    Ok(out)
}

/// Whether `bytes`, at most 10 of them, could start a local header of ours.
pub fn is_start_of_ours(bytes: &[u8]) -> bool {
    [20, 45].iter().any(|version| {
        let mut start = Vec::new();
        put32(&mut start, &[LOCAL_MAGIC]);
        put16(&mut start, &[*version, UTF8, 0]);
        start.starts_with(bytes)
    })
}

/// Appends the central record of an entry.
pub fn put_central(name: &str, entry: &Entry, out: &mut Vec<u8>) -> Result<()> {
    let mut extra = Vec::new();
    for number in [entry.size, entry.compressed, entry.header] {
        if is_wide(number) {
            extra.extend_from_slice(&number.to_le_bytes());
        }
    }
    let wide = !extra.is_empty();
    put32(out, &[CENTRAL_MAGIC]);
    let version = if wide { 45 } else { 20 };
    put16(out, &[3 << 8 | version, version, entry.flags, entry.method]);
    put16(out, &DATE);
    put32(out, &[entry.crc, narrow(entry.compressed), narrow(entry.size)]);
    let extra_len = if wide { 4 + extra.len() as u16 } else { 0 };
    put16(out, &[name_length(name)?, extra_len, 0, 0, 0]);
    put32(out, &[0o100_644 << 16, narrow(entry.header)]);
    out.extend_from_slice(name.as_bytes());
    if wide {
        put16(out, &[1, extra.len() as u16]);
        out.extend_from_slice(&extra);
    }
    Ok(())
}

/// Appends the end of a directory of `entries` records, which is at offset `directory` and has
/// `size` bytes.
pub fn put_end(entries: u64, directory: u64, size: u64, out: &mut Vec<u8>) {
    if entries >= 0xffff || is_wide(directory) || is_wide(size) {
        let at = directory + size;
        put32(out, &[END64_MAGIC]);
        out.extend_from_slice(&44u64.to_le_bytes());
        put16(out, &[3 << 8 | 45, 45]);
        put32(out, &[0, 0]);
        for number in [entries, entries, size, directory] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        put32(out, &[LOCATOR_MAGIC, 0]);
        out.extend_from_slice(&at.to_le_bytes());
        put32(out, &[1]);
    }
    let count = u16::try_from(entries).unwrap_or(u16::MAX);
    put32(out, &[END_MAGIC]);
    put16(out, &[0, 0, count, count]);
    put32(out, &[narrow(size), narrow(directory)]);
    put16(out, &[0]);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_also_where_numbers_are_wide() {
        for (size, header) in [(0, 0), (5, 70_000), (u64::from(u32::MAX), 1), (7 << 40, 5 << 40)] {
            let local_bytes = local_header("ä/b", Some((77, size))).unwrap();
            let named = local(&local_bytes, header).unwrap();
            assert_eq!((named.name.as_deref(), named.len), (Some("ä/b"), local_bytes.len()));
            assert!(!named.erased && !named.entry.sizes_follow());
            let mut bytes = Vec::new();
            put_central("ä/b", &named.entry, &mut bytes).unwrap();
            let again = central(&bytes).unwrap();
            assert_eq!((again.entry, again.len), (named.entry.clone(), bytes.len()));
            assert_eq!((named.entry.crc, named.entry.size), (77, size));
            (0..bytes.len()).for_each(|cut| {
                let part = central(&bytes[..cut]);
                assert!(part.is_none_or(|part| part.len > cut), "{cut}");
            });
        }
        assert!(local(&local_header("x", None).unwrap(), 0).unwrap().erased);
        for entries in [0, 1, 0xffff, 1 << 40] {
            let mut bytes = vec![9; 300];
            put_end(entries, 200, 100, &mut bytes);
            let found = end(&bytes, 0, true).unwrap();
            assert_eq!(found, End { start: 300, directory_size: 100, directory: 200, entries });
            assert_eq!(end_len(&bytes[300..]), Some(bytes.len() - 300));
        }
    }
}
