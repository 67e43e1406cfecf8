//! Scans JSON as Python writes it: the standard grammar plus the bare words `NaN`, `Infinity` and
//! `-Infinity`, which elements may hold until they reach the caller.

use crate::error::{Error, Result};

/// The deepest nesting of values.
pub const MAX_DEPTH: usize = 128;

/// Scans a text value by value.
pub struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

/// The kind of a value, by its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    List,
    Object,
    String,
    /// A number, or one of the words.
    Word,
}

impl<'a> Scan<'a> {
    /// Starts at the beginning of `text`.
    pub fn new(text: &'a [u8]) -> Self {
        Scan { text, at: 0 }
    }

    /// The current offset.
    pub fn at(&self) -> usize {
        self.at
    }

    #[cold]
    fn malformed(&self) -> Error {
        Error::corrupt(format!("the JSON is malformed at byte {}", self.at))
    }

    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.text.get(self.at) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    /// Consumes `byte` if it comes next; returns whether it did.
    pub fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Consumes `byte`, which must come next.
    pub fn expect(&mut self, byte: u8) -> Result<()> {
        if self.take(byte) { Ok(()) } else { Err(self.malformed()) }
    }

    /// Checks that only white space is left.
    pub fn finish(&mut self) -> Result<()> {
        if self.peek().is_none() { Ok(()) } else { Err(self.malformed()) }
    }

    /// The kind of the next value; skips white space before it.
    pub fn kind(&mut self) -> Result<Kind> {
        match self.peek() {
            Some(b'[') => Ok(Kind::List),
            Some(b'{') => Ok(Kind::Object),
            Some(b'"') => Ok(Kind::String),
            Some(_) => Ok(Kind::Word),
            None => Err(self.malformed()),
        }
    }

    /// Scans a list: consumes the brackets and calls `item`, which must consume one item.
    pub fn list(&mut self, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.expect(b'[')?;
        if self.take(b']') {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.take(b']') {
                return Ok(());
            }
            self.expect(b',')?;
        }
    }

    /// Scans an object: `member` gets each name unparsed, and must consume the value.
    pub fn object(
        &mut self,
        mut member: impl FnMut(&'a str, &mut Self) -> Result<()>,
    ) -> Result<()> {
        self.expect(b'{')?;
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            if self.kind()? != Kind::String {
                return Err(self.malformed());
            }
            let name = self.string()?;
            self.expect(b':')?;
            member(name, self)?;
            if self.take(b'}') {
                return Ok(());
            }
            self.expect(b',')?;
        }
    }

    /// A string, with its quotes and escapes unparsed.
    pub fn string(&mut self) -> Result<&'a str> {
        let start = self.at;
        self.expect(b'"')?;
        loop {
            match self.text.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return self.slice(start);
                }
                Some(b'\\') => {
                    self.at += match self.text.get(self.at + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                        Some(b'u') if self.hex(self.at + 2) => 6,
                        _ => return Err(self.malformed()),
                    };
                }
                Some(0x20..) => self.at += 1,
                _ => return Err(self.malformed()),
            }
        }
    }

    fn hex(&self, at: usize) -> bool {
        let digits = self.text.get(at..).and_then(|rest| rest.get(..4));
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    }

    fn slice(&self, start: usize) -> Result<&'a str> {
        std::str::from_utf8(&self.text[start..self.at]).map_err(|_| {
            Error::corrupt(format!("the JSON is not UTF-8 between bytes {start} and {}", self.at))
        })
    }

    /// A number or a word.
    pub fn word(&mut self) -> Result<&'a str> {
        self.peek();
        let start = self.at;
        let ends = |b: &u8| matches!(b, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r' | b':');
        let rest = &self.text[start..];
        self.at += rest.iter().position(ends).unwrap_or(rest.len());
        let word = self.slice(start)?;
        let known = ["null", "true", "false", "NaN", "Infinity", "-Infinity"].contains(&word);
        if known || is_number(word.as_bytes()) {
            return Ok(word);
        }
        self.at = start;
        Err(self.malformed())
    }

    /// Skips a value.
    pub fn skip(&mut self, depth: usize) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        match self.kind()? {
            Kind::List => self.list(|scan| scan.skip(depth + 1)),
            Kind::Object => self.object(|_, scan| scan.skip(depth + 1)),
            Kind::String => self.string().map(|_| ()),
            Kind::Word => self.word().map(|_| ()),
        }
    }
}

/// The error for values nested too deeply.
#[cold]
pub fn too_deep() -> Error {
    Error::corrupt(format!("a value nests deeper than {MAX_DEPTH}"))
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
}

fn is_number(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits(text);
    if whole == 0 || (whole > 1 && text[0] == b'0') {
        return false;
    }
    let mut rest = &text[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let n = digits(fraction);
        if n == 0 {
            return false;
        }
        rest = &fraction[n..];
    }
    if let Some(exponent) = rest.strip_prefix(b"e").or(rest.strip_prefix(b"E")) {
        let exponent =
            exponent.strip_prefix(b"+").or(exponent.strip_prefix(b"-")).unwrap_or(exponent);
        let n = digits(exponent);
        return n > 0 && n == exponent.len();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_json_and_what_is_not() {
        let good = |text: &str| {
            let mut scan = Scan::new(text.as_bytes());
            scan.skip(0).and_then(|()| scan.finish()).is_ok()
        };
        for text in [
            "0",
            "-0.5e+10",
            "1E2",
            "12345678901234567890123",
            "null",
            " true ",
            "NaN",
            "-Infinity",
            "\"\"",
            r#""a\"\\\/\b\u00e9\ud800""#,
            "\"é\"",
            "[]",
            "[1 , [ ] ,{}]",
            r#"{"a":{"b":[1]}}"#,
        ] {
            assert!(good(text), "{text}");
        }
        for text in [
            "",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "--1",
            "nul",
            "nan",
            "\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\n\"",
            "[1,]",
            "[1 2]",
            "{1:2}",
            r#"{"a"}"#,
            r#"{"a":1,}"#,
            "[",
            "1]",
            "1 2",
            "Inf",
        ] {
            assert!(!good(text), "{text}");
        }
        assert!(good(&format!("{}1{}", "[".repeat(100), "]".repeat(100))));
        assert!(!good(&"[".repeat(1_000_000)));
    }
}
