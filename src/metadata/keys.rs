//! How the key of a chunk is spelt, below the array's own prefix.

use std::fmt::Write;

/// The chunk key encodings of the formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyEncoding {
    /// v3 "default": `c/1/23`, with the separator given; `c` for rank 0.
    Default(char),
    /// v2: `1.23`, with the separator given; `0` for rank 0.
    V2(char),
}

impl KeyEncoding {
    /// Appends the key of the chunk at `index` (in chunks, slowest dimension first).
    pub fn push_key(&self, index: &[u64], key: &mut String) {
        // Writing to a String cannot fail.
        match *self {
            KeyEncoding::Default(separator) => {
                key.push('c');
                for i in index {
                    let _ = write!(key, "{separator}{i}");
                }
            }
            KeyEncoding::V2(_) if index.is_empty() => key.push('0'),
            KeyEncoding::V2(separator) => {
                for (n, i) in index.iter().enumerate() {
                    if n > 0 {
                        key.push(separator);
                    }
                    let _ = write!(key, "{i}");
                }
            }
        }
    }

    /// The index that a key spells, given what follows the array's prefix; `None` where it is
    /// not a chunk of an array of `rank` dimensions.
    pub fn parse_key(&self, key: &str, rank: usize) -> Option<Vec<u64>> {
        let (rest, separator) = match *self {
            KeyEncoding::Default(separator) if rank == 0 => {
                return (key == "c").then(Vec::new).filter(|_| separator != '\0');
            }
            KeyEncoding::Default(separator) => {
                (key.strip_prefix('c')?.strip_prefix(separator)?, separator)
            }
            KeyEncoding::V2(_) if rank == 0 => return (key == "0").then(Vec::new),
            KeyEncoding::V2(separator) => (key, separator),
        };
        let index: Option<Vec<u64>> = rest
            .split(separator)
            .map(|part| {
                // "007" and "+7" are not how a chunk is spelt
                let plain = part == "0"
                    || part.as_bytes().first().is_some_and(|b| matches!(b, b'1'..=b'9'));
                if plain { part.parse().ok() } else { None }
            })
            .collect();
        index.filter(|i| i.len() == rank)
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
        ] {
            assert_eq!(key(encoding, index), expected);
            assert_eq!(encoding.parse_key(expected, index.len()).as_deref(), Some(index));
        }
        for not_a_chunk in ["1.2.3", "01.2", "1.", "+1.2", "c/1/2", ".zarray", ""] {
            assert_eq!(KeyEncoding::V2('.').parse_key(not_a_chunk, 2), None, "{not_a_chunk}");
        }
    }
}
