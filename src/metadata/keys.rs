//! How the key of a chunk is spelt, below the array's own prefix.

/// The chunk key encodings of the formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyEncoding {
    /// v3 "default": `c/1/23`, with the separator given; `c` for rank 0.
    Default(char),
    /// v2: `1.23`, with the separator given; `0` for rank 0.
    V2(char),
    /// The v3 drafts of 2020 and 2022: `c1/23`, with the separator given; `c` for rank 0.
    Draft(char),
    /// The same with `c0` for rank 0, as zarr-python wrote it.
    DraftWithZero(char),
    /// `default` of v3 with an ending, as zarrs writes it: `c/1/23.tiff`; `c.tiff` for rank 0.
    Suffixed(char, Suffix),
    /// N5: `23/1`, the last dimension first; `0` for rank 0.
    Reversed,
}

/// What every chunk key of an array ends in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suffix {
    bytes: [u8; Suffix::LONGEST],
    length: u8,
}

impl Suffix {
    const LONGEST: usize = 30;

    /// `None`: too long, or what would make other keys of them than those of one value each.
    pub fn new(text: &str) -> Option<Self> {
        let plain = |b: u8| b.is_ascii_graphic() && !matches!(b, b'/' | b'\\') && b >= b' ';
        if text.len() > Self::LONGEST
            || !text.bytes().all(plain)
            || text.starts_with(|c: char| c.is_ascii_digit())
        {
            return None;
        }
        let mut bytes = [0; Self::LONGEST];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Some(Suffix { bytes, length: text.len() as u8 })
    }

    /// As it was given.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }
}

impl KeyEncoding {
    /// What all keys begin with, what stands between the numbers, and what is the only key where
    /// there are none.
    fn parts(&self) -> (&'static str, char, &'static str) {
        match *self {
            KeyEncoding::Default('.') | KeyEncoding::Suffixed('.', _) => ("c.", '.', "c"),
            KeyEncoding::Default(separator) | KeyEncoding::Suffixed(separator, _) => {
                ("c/", separator, "c")
            }
            KeyEncoding::V2(separator) => ("", separator, "0"),
            KeyEncoding::Draft(separator) => ("c", separator, "c"),
            KeyEncoding::DraftWithZero(separator) => ("c", separator, "c0"),
            KeyEncoding::Reversed => ("", '/', "0"),
        }
    }

    /// What stands between the numbers, where it may be one or the other.
    pub fn separator(&self) -> Option<char> {
        match *self {
            KeyEncoding::Reversed => None,
            _ => Some(self.parts().1),
        }
    }

    /// Another spelling that some writer uses for an array of `rank` dimensions; whoever reads
    /// one looks for both.
    pub fn other_spelling(&self, rank: usize) -> Option<KeyEncoding> {
        match *self {
            KeyEncoding::Draft(separator) if rank == 0 => {
                Some(KeyEncoding::DraftWithZero(separator))
            }
            _ => None,
        }
    }

    fn suffix(&self) -> &str {
        match self {
            KeyEncoding::Suffixed(_, suffix) => suffix.as_str(),
            _ => "",
        }
    }

    /// Appends the key of the chunk at `index` (in chunks, slowest dimension first).
    pub fn push_key(&self, index: &[u64], key: &mut String) {
        let (start, separator, scalar) = self.parts();
        if index.is_empty() {
            key.push_str(scalar);
            key.push_str(self.suffix());
            return;
        }
        key.push_str(start);
        let mut push = |(n, i): (usize, &u64)| {
            if n > 0 {
                key.push(separator);
            }
            key.push_str(itoa::Buffer::new().format(*i));
        };
        match self {
            KeyEncoding::Reversed => index.iter().rev().enumerate().for_each(&mut push),
            _ => index.iter().enumerate().for_each(&mut push),
        }
        key.push_str(self.suffix());
    }

    /// The index that a key spells, given what follows the array's prefix; `None` where it is
    /// not a chunk of an array of `rank` dimensions.
    pub fn parse_key(&self, key: &str, rank: usize) -> Option<Vec<u64>> {
        let (start, separator, scalar) = self.parts();
        let key = key.strip_suffix(self.suffix())?;
        if rank == 0 {
            return (key == scalar).then(Vec::new);
        }
        let numbers = key.strip_prefix(start)?.split(separator).map(|part| {
            // "007" and "+7" are not how a chunk is spelt
            let plain =
                part == "0" || part.as_bytes().first().is_some_and(|b| matches!(b, b'1'..=b'9'));
            if plain { part.parse().ok() } else { None }
        });
        let mut index = numbers.collect::<Option<Vec<u64>>>().filter(|i| i.len() == rank)?;
        if *self == KeyEncoding::Reversed {
            index.reverse();
        }
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(encoding: KeyEncoding, index: &[u64]) -> String {
        let mut s = String::new();
        encoding.push_key(index, &mut s);
        s
    }

    #[test]
    fn spelt_as_the_specifications_say_and_read_back() {
        let tiff = Suffix::new(".tiff").expect("an ending");
        for odd in ["/x", "1", "\\", "\n", &"x".repeat(31)] {
            assert_eq!(Suffix::new(odd), None, "{odd:?}");
        }
        for (encoding, index, expected) in [
            (KeyEncoding::Default('/'), &[1, 23][..], "c/1/23"),
            (KeyEncoding::Default('.'), &[1, 23], "c.1.23"),
            (KeyEncoding::Default('/'), &[], "c"),
            (KeyEncoding::V2('.'), &[1, 23], "1.23"),
            (KeyEncoding::V2('/'), &[1, 23], "1/23"),
            (KeyEncoding::V2('.'), &[], "0"),
            (KeyEncoding::Draft('/'), &[1, 23], "c1/23"),
            (KeyEncoding::Draft('.'), &[1, 23], "c1.23"),
            (KeyEncoding::Draft('/'), &[7], "c7"),
            (KeyEncoding::Draft('/'), &[], "c"),
            (KeyEncoding::DraftWithZero('/'), &[], "c0"),
            (KeyEncoding::Reversed, &[1, 23], "23/1"),
            (KeyEncoding::Suffixed('/', tiff), &[1, 23], "c/1/23.tiff"),
            (KeyEncoding::Suffixed('.', tiff), &[1, 23], "c.1.23.tiff"),
            (KeyEncoding::Suffixed('/', tiff), &[], "c.tiff"),
        ] {
            assert_eq!(key(encoding, index), expected);
            assert_eq!(encoding.parse_key(expected, index.len()).as_deref(), Some(index));
        }
        for not_a_chunk in ["1.2.3", "01.2", "1.", "+1.2", "c/1/2", ".zarray", ""] {
            assert_eq!(KeyEncoding::V2('.').parse_key(not_a_chunk, 2), None, "{not_a_chunk}");
        }
    }
}
