//! Checks the page headers of a column before the library allocates memory for its pages.
//! <https://parquet.apache.org/docs/file-format/data-pages/>, in Thrift's compact protocol.

use super::too_large;
use crate::error::{Error, Result};

/// The longest page, decompressed (bytes); writers make pages of 1 MiB, or one for a file's whole
/// column.
const LONGEST: i64 = 128 << 20;
/// The most values of a dictionary.
const VALUES: i64 = 4 << 20;
/// The deepest nesting of structures.
const DEPTH: usize = 8;

/// The fields of a page header.
#[derive(Default)]
struct Header {
    /// The page's size decompressed, and in the file.
    sizes: [Option<i64>; 2],
    /// The number of values in a dictionary.
    dictionary: Option<i64>,
    encoding: i64,
}

/// Checks the consecutive pages of `column`; `value` is the minimum size of a dictionary value
/// (bytes).
pub fn check(mut column: &[u8], value: i64) -> Result<()> {
    while !column.is_empty() {
        let mut header = Header::default();
        structure(&mut column, &mut |input, path, kind| header.field(input, path, kind), &[])?;
        let [Some(whole), Some(stored)] = header.sizes else { return Err(broken()) };
        if whole > LONGEST
            || header.dictionary.is_some_and(|count| count > VALUES.min(whole / value))
        {
            return Err(too_large("pages"));
        }
        // PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY: for others the library trusts lengths
        if ![0, 2, 8].contains(&header.encoding) {
            let what = header.encoding;
            return Err(Error::unsupported(format!(
                "a page of the references file has the encoding {what}: plain and dictionary are \
                 supported"
            )));
        }
        column = usize::try_from(stored).ok().and_then(|n| column.get(n..)).ok_or_else(broken)?;
    }
    Ok(())
}

impl Header {
    fn field(&mut self, input: &mut &[u8], path: &[i64], kind: u8) -> Result<()> {
        match (path, kind) {
            ([2], 5) => self.sizes[0] = Some(number(input)?),
            ([3], 5) => self.sizes[1] = Some(number(input)?),
            ([7, 1], 5) => self.dictionary = Some(number(input)?),
            ([5 | 7, 2] | [8, 4], 5) => self.encoding = number(input)?,
            _ => return self.skip(input, path, kind),
        }
        Ok(())
    }

    fn skip(&mut self, input: &mut &[u8], path: &[i64], kind: u8) -> Result<()> {
        match kind {
            1 | 2 => Ok(()),
            3 => take(input, 1).map(drop),
            4..=6 => number(input).map(drop),
            7 => take(input, 8).map(drop),
            8 => {
                let length = varint(input)?;
                take(input, usize::try_from(length).map_err(|_| broken())?).map(drop)
            }
            12 if path.len() < DEPTH => {
                structure(input, &mut |input, path, kind| self.field(input, path, kind), path)
            }
            // headers have no lists or maps
            _ => Err(broken()),
        }
    }
}

/// Consumes a field from the input, given its path and type.
type Field<'a> = dyn FnMut(&mut &[u8], &[i64], u8) -> Result<()> + 'a;

/// Calls `each` for each field.
fn structure(input: &mut &[u8], each: &mut Field<'_>, path: &[i64]) -> Result<()> {
    let mut path = path.to_vec();
    let mut id = 0i64;
    loop {
        let start = take(input, 1)?[0];
        let (step, kind) = (i64::from(start >> 4), start & 15);
        if kind == 0 {
            return Ok(());
        }
        id = if step == 0 { number(input)? } else { id.saturating_add(step) };
        path.push(id);
        each(input, &path, kind)?;
        path.pop();
    }
}

fn take<'a>(input: &mut &'a [u8], count: usize) -> Result<&'a [u8]> {
    let (taken, rest) = input.split_at_checked(count).ok_or_else(broken)?;
    *input = rest;
    Ok(taken)
}

fn varint(input: &mut &[u8]) -> Result<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = take(input, 1)?[0];
        value |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(value);
        }
    }
    Err(broken())
}

/// Reads a zigzag-encoded number.
fn number(input: &mut &[u8]) -> Result<i64> {
    let value = varint(input)?;
    Ok((value >> 1) as i64 ^ -((value & 1) as i64))
}

#[cold]
fn broken() -> Error {
    Error::corrupt("a page header of the references file is damaged")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::error::Kind;

    fn varint(mut value: u64, out: &mut Vec<u8>) {
        while value > 127 {
            out.push(value as u8 | 128);
            value >>= 7;
        }
        out.push(value as u8);
    }

    /// A dictionary page of 8 bytes that claims `whole` bytes and `count` values.
    fn page(whole: u64, count: u64, encoding: u64) -> Vec<u8> {
        let mut page = vec![0x15, 4];
        for size in [whole, 8] {
            page.push(0x15);
            varint(size * 2, &mut page);
        }
        page.extend([0x4c, 0x15]);
        varint(count * 2, &mut page);
        page.extend([0x15, encoding as u8 * 2, 0x11, 0, 0]);
        page.extend([0; 8]);
        page
    }

    #[test]
    fn what_headers_claim_is_bounded() {
        let kind = |page: &[u8]| check(page, 4).err().map(|e| e.kind());
        assert_eq!(kind(&[]), None);
        assert_eq!(kind(&page(8, 2, 0)), None);
        assert_eq!(kind(&[page(8, 2, 0), page(64, 16, 2)].concat()), None);
        assert_eq!(kind(&page(8, 3, 0)), Some(Kind::LimitExceeded));
        assert_eq!(kind(&page(1 << 30, 2, 0)), Some(Kind::LimitExceeded));
        assert_eq!(kind(&page(100 << 20, 20 << 20, 0)), Some(Kind::LimitExceeded));
        assert_eq!(kind(&page(8, 2, 7)), Some(Kind::Unsupported));
        for length in 1..page(8, 2, 0).len() {
            assert_eq!(kind(&page(8, 2, 0)[..length]), Some(Kind::CorruptData), "{length}");
        }
        let deep = [0x1c; 1000];
        assert_eq!(kind(&deep), Some(Kind::CorruptData));
    }
}
