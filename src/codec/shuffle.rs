//! `shuffle`: the first bytes of all elements, then the second ones, and so on, as in numcodecs and
//! HDF5. A partial element stays at the end, as in HDF5. Blosc's filter does the work.
//! <https://numcodecs.readthedocs.io/en/stable/filter/shuffle.html>

use super::blosc::shuffle::{MAX_TYPESIZE, Planes, shuffle, unshuffle_into};
use super::config::Config;
use super::{BytesCodec, ChunkSpec, Codec, Len};
use crate::error::Result;
use crate::source::{reserve, wrong_length};

struct Shuffle {
    /// The element size (bytes); 0 and 1: no shuffling.
    element: usize,
}

/// `elementsize` defaults to the size of the array's type.
pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["elementsize"])?;
    let element = match config.integer("elementsize", 0, i32::MAX.into())? {
        Some(size) => size as usize,
        None => spec.data_type.size(),
    };
    Ok(Codec::Bytes(Box::new(Shuffle { element })))
}

impl Shuffle {
    fn encode_into(&self, src: &[u8], out: &mut [u8]) {
        match self.element {
            0 | 1 => out.copy_from_slice(src),
            element @ ..=MAX_TYPESIZE => shuffle(element, src, out),
            element => {
                let count = src.len() / element;
                let (planes, rest) = out.split_at_mut(count * element);
                for (k, plane) in planes.chunks_exact_mut(count.max(1)).enumerate() {
                    let bytes = src.iter().skip(k).step_by(element);
                    plane.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
                }
                rest.copy_from_slice(&src[count * element..]);
            }
        }
    }

    fn decode_into(&self, src: &[u8], out: &mut [u8]) {
        let count = src.len().checked_div(self.element).unwrap_or(0);
        let (planes, rest) = src.split_at(count * self.element);
        let (elements, end) = out.split_at_mut(planes.len());
        end.copy_from_slice(rest);
        match self.element {
            _ if count == 0 => {}
            1 => elements.copy_from_slice(planes),
            element @ ..=MAX_TYPESIZE => {
                let mut list: Planes<'_> = [&[]; MAX_TYPESIZE];
                list.iter_mut().zip(planes.chunks_exact(count)).for_each(|(l, p)| *l = p);
                unshuffle_into(element, &list, elements);
            }
            element => {
                for (k, plane) in planes.chunks_exact(count).enumerate() {
                    let bytes = elements.iter_mut().skip(k).step_by(element);
                    bytes.zip(plane).for_each(|(to, from)| *to = *from);
                }
            }
        }
    }
}

impl BytesCodec for Shuffle {
    fn encoded_len(&self, decoded: Len) -> Len {
        decoded
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        encoded
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>, _: usize) -> Result<()> {
        let at = out.len();
        reserve(out, src.len())?;
        out.resize(at + src.len(), 0);
        self.encode_into(src, &mut out[at..]);
        Ok(())
    }

    fn decode(&self, src: &[u8], out: &mut [u8], _: usize) -> Result<()> {
        if src.len() != out.len() {
            return Err(wrong_length(out.len() as u64, src.len() as u64));
        }
        self.decode_into(src, out);
        Ok(())
    }

    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
        if src.len() > limit {
            return Err(wrong_length(limit as u64, src.len() as u64));
        }
        let at = out.len();
        reserve(out, src.len())?;
        out.resize(at + src.len(), 0);
        self.decode_into(src, &mut out[at..]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_equal_rank_stand_together_and_what_is_left_over_at_the_end() {
        for element in [0, 1, 2, 3, 4, 8, 12, 16, 255, 256, 300] {
            for len in [0, 1, 7, 64, 1000, 4096, 9001] {
                let codec = Shuffle { element };
                let data: Vec<u8> = (0..len as u32).map(|i| (i * 7 + i / 256) as u8).collect();
                let mut encoded = vec![1];
                codec.encode(&data, &mut encoded, 1).expect("encodes");
                let count = len / element.max(1);
                for (at, &byte) in encoded[1..].iter().enumerate() {
                    let from = match count * element {
                        whole if at < whole => at % count * element + at / count,
                        _ => at,
                    };
                    assert_eq!(byte, data[from], "{element} {len} {at}");
                }
                let mut back = vec![0; len];
                codec.decode(&encoded[1..], &mut back, 1).expect("decodes");
                assert_eq!(back, data);
                let mut grown = Vec::new();
                codec.decode_unknown(&encoded[1..], &mut grown, len).expect("decodes");
                assert_eq!(grown, data);
                assert!(codec.decode(&encoded, &mut back, 1).is_err());
            }
        }
    }
}
