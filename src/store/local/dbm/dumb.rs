//! Python's `dbm.dumb`: `NAME.dat` has the values, each at a multiple of 512; `NAME.dir` has a line
//! `'key', (offset, size)` for each. The last line of a key counts.
//! <https://docs.python.org/3/library/dbm.html#module-dbm.dumb>
//!
//! A write appends the value, then its line, so a killed writer leaves the old value or the new
//! one. Deleting a key replaces `NAME.dir` by a new file. `flock` admits one writing handle at a
//! time; readers see the state at their opening.

use super::{system, with};
use crate::error::{Error, Result};
use crate::store::lock::lock;
use crate::store::{Key, Mode};
use crate::system::{read_exact_at, write_all_at};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Values begin at a multiple of this.
const BLOCK: u64 = 512;

pub struct Dumb {
    data: File,
    directory: PathBuf,
    /// Lines are appended here; `None`: read-only.
    lines: Option<File>,
    sync: bool,
    index: BTreeMap<String, (u64, u64)>,
}

/// Whether a database exists at `path`.
pub fn is_there(path: &Path) -> bool {
    with(path, ".dir").is_file()
}

impl Dumb {
    pub fn open(path: &Path, mode: Mode, sync: bool) -> Result<Self> {
        let writes = mode != Mode::Read;
        let creates = !matches!(mode, Mode::Read | Mode::ReadWrite);
        let directory = with(path, ".dir");
        let open = |path: &Path| {
            let file = OpenOptions::new().read(true).write(writes).create(creates).open(path);
            file.map_err(|e| system("opening", &e))
        };
        let data = open(&with(path, ".dat"))?;
        if writes {
            lock(&data)?;
        }
        let lines = open(&directory)?;
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut &lines, &mut text).map_err(|e| system("reading", &e))?;
        // ignore a partial line of a killed writer
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if writes && whole < text.len() {
            lines.set_len(whole as u64).map_err(|e| system("shortening", &e))?;
        }
        let mut index = BTreeMap::new();
        for (number, line) in text[..whole].split(|byte| *byte == b'\n').enumerate() {
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            let (key, at, size) = parse(line).ok_or_else(|| {
                Error::corrupt(format!(
                    "line {} of its .dir does not have dbm.dumb's syntax",
                    number + 1
                ))
            })?;
            if let Ok(key) = String::from_utf8(key)
                && Key::parse(&key).is_ok()
            {
                index.insert(key, (at, size));
            }
        }
        Ok(Dumb { data, directory, lines: writes.then_some(lines), sync, index })
    }

    pub fn index(&self) -> &BTreeMap<String, (u64, u64)> {
        &self.index
    }

    /// Reads a value; `false`: absent.
    pub fn get(&self, key: &str, out: &mut Vec<u8>) -> Result<bool> {
        let Some(&(at, size)) = self.index.get(key) else { return Ok(false) };
        let length = self.data.metadata().map_err(|e| system("reading", &e))?.len();
        let end = at.checked_add(size).filter(|end| *end <= length);
        if end.is_none() && size > 0 {
            return Err(Error::corrupt("its value lies beyond the end of the .dat"));
        }
        let start = out.len();
        crate::source::reserve(out, size as usize)?;
        out.resize(start + size as usize, 0);
        // an empty value may have an offset beyond the end: nothing is read
        read_exact_at(&self.data, &mut out[start..], at).map_err(|e| system("reading", &e))?;
        Ok(true)
    }

    pub fn set(&mut self, key: &str, value: &[u8]) -> Result<()> {
        let failed = |e: std::io::Error| system("writing", &e);
        let end = self.data.metadata().map_err(failed)?.len();
        let at = end.next_multiple_of(BLOCK);
        let written = write_all_at(&self.data, value, at);
        if let Err(e) =
            written.and_then(|()| if self.sync { self.data.sync_data() } else { Ok(()) })
        {
            let _ = self.data.set_len(end); // frees the space
            return Err(failed(e));
        }
        let place = (at, value.len() as u64);
        let Some(lines) = &self.lines else { return Ok(()) };
        let before = lines.metadata().map_err(failed)?.len();
        let written = write_all_at(lines, &line(key, place), before);
        let written = written.and_then(|()| if self.sync { lines.sync_data() } else { Ok(()) });
        if let Err(e) = written {
            let _ = lines.set_len(before);
            return Err(failed(e));
        }
        self.index.insert(key.to_owned(), place);
        Ok(())
    }

    /// Deletes keys.
    pub fn erase(&mut self, keys: &[String]) -> Result<()> {
        let failed = |e: std::io::Error| system("writing the .dir anew", &e);
        let mut left = self.index.clone();
        for key in keys {
            left.remove(key);
        }
        let mut text = Vec::new();
        for (key, place) in &left {
            text.extend(line(key, *place));
        }
        let new = with(&self.directory, ".new");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(true);
        let mut lines = options.open(&new).map_err(failed)?;
        let written = lines.write_all(&text);
        let written = written.and_then(|()| if self.sync { lines.sync_all() } else { Ok(()) });
        if let Err(e) = written.and_then(|()| std::fs::rename(&new, &self.directory)) {
            let _ = std::fs::remove_file(&new);
            return Err(failed(e));
        }
        self.lines = Some(lines);
        self.index = left;
        Ok(())
    }
}

/// A line as Python's `repr` writes it, with non-ASCII characters escaped.
fn line(key: &str, (at, size): (u64, u64)) -> Vec<u8> {
    let mut text = String::from("'");
    for byte in key.bytes() {
        match byte {
            b'\\' => text.push_str("\\\\"),
            b'\'' => text.push_str("\\'"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            b' '..=b'~' => text.push(byte.into()),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text.push_str(&format!("', ({at}, {size})\n"));
    text.into_bytes()
}

/// Parses the key, offset and size of a line.
fn parse(line: &[u8]) -> Option<(Vec<u8>, u64, u64)> {
    let (&quote, mut rest) = line.split_first()?;
    if !matches!(quote, b'\'' | b'"') {
        return None;
    }
    let mut key = Vec::new();
    loop {
        let (&byte, behind) = rest.split_first()?;
        rest = behind;
        match byte {
            _ if byte == quote => break,
            b'\\' => {
                let (&escaped, behind) = rest.split_first()?;
                rest = behind;
                key.push(match escaped {
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'x' => {
                        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
                        rest = &rest[2..];
                        u8::from_str_radix(digits, 16).ok()?
                    }
                    b'\\' | b'\'' | b'"' => escaped,
                    _ => return None,
                });
            }
            _ => key.push(byte), // the file is Latin-1, one byte per character
        }
    }
    let rest = std::str::from_utf8(rest).ok()?.trim().strip_prefix(',')?.trim();
    let (at, size) = rest.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    Some((key, at.trim().parse().ok()?, size.trim().parse().ok()?))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_python() {
        for (key, text) in [
            ("a/b.c", "'a/b.c', (512, 7)\n"),
            ("it's \"\\\n", "'it\\'s \"\\\\\\n', (512, 7)\n"),
            ("ü", "'\\xc3\\xbc', (512, 7)\n"),
        ] {
            assert_eq!(line(key, (512, 7)), text.as_bytes());
            let parsed = parse(text.trim().as_bytes()).unwrap();
            assert_eq!(parsed, (key.as_bytes().to_vec(), 512, 7));
        }
        // as Python writes b"it's" and the UTF-8 of "ü"
        assert_eq!(parse(b"\"it's\", (0, 1)").unwrap().0, b"it's");
        assert_eq!(parse(b"'\xc3\xbc', (0, 1)").unwrap().0, "ü".as_bytes());
        for bad in ["", "'", "'a'", "'a', (1)", "'a', (1, -2)", "'\\x9', (1, 2)", "a, (1, 2)"] {
            assert!(parse(bad.as_bytes()).is_none(), "{bad}");
        }
    }
}
