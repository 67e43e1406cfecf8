//! How the key of a chunk is spelt, below the array's own prefix.

use std::fmt::Write;

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
    /// N5: `23/1`, the last dimension first; `0` for rank 0.
    Reversed,
}

impl KeyEncoding {
    /// What all keys begin with, what stands between the numbers, and what is the only key where
    /// there are none.
    fn parts(&self) -> (&'static str, char, &'static str) {
        match *self {
            KeyEncoding::Default('.') => ("c.", '.', "c"),
            KeyEncoding::Default(separator) => ("c/", separator, "c"),
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

    /// Appends the key of the chunk at `index` (in chunks, slowest dimension first).
    pub fn push_key(&self, index: &[u64], key: &mut String) {
        let (start, separator, scalar) = self.parts();
        if index.is_empty() {
            key.push_str(scalar);
            return;
        }
        key.push_str(start);
        let mut push = |(n, i): (usize, &u64)| {
            if n > 0 {
                key.push(separator);
            }
            let _ = write!(key, "{i}"); // to a String, which cannot fail
        };
        match self {
            KeyEncoding::Reversed => index.iter().rev().enumerate().for_each(&mut push),
            _ => index.iter().enumerate().for_each(&mut push),
        }
    }

    /// The index that a key spells, given what follows the array's prefix; `None` where it is
    /// not a chunk of an array of `rank` dimensions.
    pub fn parse_key(&self, key: &str, rank: usize) -> Option<Vec<u64>> {
        let (start, separator, scalar) = self.parts();
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
        ] {
            assert_eq!(key(encoding, index), expected);
            assert_eq!(encoding.parse_key(expected, index.len()).as_deref(), Some(index));
        }
        for not_a_chunk in ["1.2.3", "01.2", "1.", "+1.2", "c/1/2", ".zarray", ""] {
            assert_eq!(KeyEncoding::V2('.').parse_key(not_a_chunk, 2), None, "{not_a_chunk}");
        }
    }
}
