//! A filter over bytes: numcodecs' typed filters treat any bytes as a flat array of their type, in
//! the byte order of its type string.

use super::numpy::{Sides, Typed};
use super::{ArrayCodec, BytesCodec, Len};
use crate::error::{Error, Result};
use crate::exec::{Block, out_of_memory};
use crate::strided::{Swap, swap_in_place};

/// An element-wise array -> array codec applied to bytes.
pub struct Flat {
    /// Receives elements in native byte order.
    pub codec: Box<dyn ArrayCodec>,
    /// The types before and after it.
    pub sides: Sides,
}

/// The length of `len` bytes of elements of one type after conversion to another.
fn scaled(len: u64, from: &Typed, to: &Typed) -> u64 {
    (len / from.size() as u64).saturating_mul(to.size() as u64)
}

fn run(
    (src, from): (&[u8], &Typed),
    (out, to): (&mut [u8], &Typed),
    codec: impl Fn(&[u8], &mut [u8]) -> Result<()>,
) -> Result<()> {
    let (count, size) = (src.len() / from.size(), from.size());
    if count * size != src.len() || count.checked_mul(to.size()) != Some(out.len()) {
        return Err(Error::corrupt(format!(
            "{} bytes are not {} elements of type {}",
            src.len(),
            out.len() / to.size(),
            from.data_type.name()
        )));
    }
    match from.swap {
        Swap::None => codec(src, out)?,
        _ => {
            let mut native = Block::new(src.len())?;
            native.copy_from_slice(src);
            swap_in_place(&mut native, size, &from.swap)?;
            codec(&native, out)?;
        }
    }
    swap_in_place(out, to.size(), &to.swap)
}

impl BytesCodec for Flat {
    fn encoded_len(&self, decoded: Len) -> Len {
        let of = |n| scaled(n, &self.sides.decoded, &self.sides.encoded);
        match decoded {
            Len::Exactly(n) => Len::Exactly(of(n)),
            other => other.at_most(of),
        }
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        scaled(encoded, &self.sides.encoded, &self.sides.decoded)
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>, _: usize) -> Result<()> {
        let (at, more) =
            (out.len(), scaled(src.len() as u64, &self.sides.decoded, &self.sides.encoded));
        out.try_reserve(more as usize).map_err(|_| out_of_memory(more as usize))?;
        out.resize(at + more as usize, 0);
        let out = &mut out[at..];
        run((src, &self.sides.decoded), (out, &self.sides.encoded), |src, out| {
            self.codec.encode(src, out)
        })
    }

    fn decode(&self, src: &[u8], out: &mut [u8], _: usize) -> Result<()> {
        run((src, &self.sides.encoded), (out, &self.sides.decoded), |src, out| {
            self.codec.decode(src, out)
        })
    }

    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
        let more = self.decoded_bound(src.len() as u64);
        if more > limit as u64 {
            return Err(crate::source::wrong_length(limit as u64, more));
        }
        let at = out.len();
        out.try_reserve(more as usize).map_err(|_| out_of_memory(more as usize))?;
        out.resize(at + more as usize, 0);
        self.decode(src, &mut out[at..], 1)
    }
}
