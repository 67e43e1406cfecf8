//! `packbits`: stores only the significant bits of each number, packed, lowest first.
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/packbits>

use super::config::Config;
use super::{ArrayBytesCodec, ChunkSpec, Codec, Encoded, Len, bits};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::exec::{Block, Buffer};
use crate::selection::Region;
use crate::source::ByteSource;
use crate::strided::{Extents, Number, View, ViewMut, copy};

/// Where the byte with the number of unused bits is.
#[derive(Clone, Copy, PartialEq)]
enum Padding {
    None,
    First,
    Last,
}

struct PackBits {
    shape: Vec<u64>,
    item: usize,
    /// The bytes of a number; an element has one or two numbers.
    size: usize,
    numbers: u64,
    first: u32,
    /// The number of bits kept, from `first` on.
    count: u32,
    /// Bools, where any nonzero byte is true.
    bools: bool,
    signed: bool,
    padding: Padding,
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["padding_encoding", "first_bit", "last_bit"])?;
    let words =
        [("none", Padding::None), ("first_byte", Padding::First), ("last_byte", Padding::Last)];
    let padding = config.word("padding_encoding", &words)?.unwrap_or(Padding::None);
    let part = spec.data_type.number().map(Number::part).ok_or_else(|| {
        config.error(format!("packs numbers: the type {} is not supported", spec.data_type.name()))
    })?;
    let bits = spec.data_type.bits() as i64;
    let first = config.integer("first_bit", 0, bits - 1)?.unwrap_or(0);
    let last = config.integer("last_bit", first, bits - 1)?.unwrap_or(bits - 1);
    let item = spec.data_type.size();
    let chunk = PackBits {
        shape: spec.shape.clone(),
        item,
        size: part.size(),
        numbers: spec.size()? / part.size() as u64,
        first: first as u32,
        count: (last - first + 1) as u32,
        bools: part == Number::Bool,
        signed: is_signed(part),
        padding,
    };
    // so that no sum of bits overflows
    chunk
        .numbers
        .checked_mul(64)
        .ok_or_else(|| config.error("cannot pack a chunk of this size"))?;
    Ok(Codec::ArrayBytes(Box::new(chunk)))
}

fn is_signed(part: Number) -> bool {
    matches!(part, Number::Int8 | Number::Int16 | Number::Int32 | Number::Int64)
        || matches!(part, Number::SmallInt(small) if small.range().0 < 0)
}

impl PackBits {
    fn packed_len(&self) -> u64 {
        (self.numbers * u64::from(self.count)).div_ceil(8)
    }

    fn len(&self) -> u64 {
        self.packed_len() + u64::from(self.padding != Padding::None)
    }

    /// The number of unused bits in the last byte.
    fn left_over(&self) -> u8 {
        (self.packed_len() * 8 - self.numbers * u64::from(self.count)) as u8
    }

    /// The packed bits of an encoded chunk.
    fn packed<'a>(&self, encoded: &'a [u8]) -> Result<&'a [u8]> {
        if encoded.len() as u64 != self.len() {
            return Err(crate::source::wrong_length(self.len(), encoded.len() as u64));
        }
        let (said, packed) = match (self.padding, encoded) {
            (Padding::First, [said, packed @ ..]) | (Padding::Last, [packed @ .., said]) => {
                (*said, packed)
            }
            _ => return Ok(encoded),
        };
        if said != self.left_over() {
            return Err(Error::corrupt(format!(
                "{said} padding bits are declared, this chunk has {}",
                self.left_over()
            )));
        }
        Ok(packed)
    }

    fn pack(&self, src: &[u8], out: &mut [u8]) {
        match (self.size, self.count) {
            _ if self.bools => bits::pack(src, out, false),
            (1, _) => {
                self.pack_numbers(src.as_chunks::<1>().0, out, |b| u8::from_ne_bytes(b).into())
            }
            (2, _) => {
                self.pack_numbers(src.as_chunks::<2>().0, out, |b| u16::from_ne_bytes(b).into())
            }
            (4, _) => {
                self.pack_numbers(src.as_chunks::<4>().0, out, |b| u32::from_ne_bytes(b).into())
            }
            _ => self.pack_numbers(src.as_chunks::<8>().0, out, u64::from_ne_bytes),
        }
    }

    fn pack_numbers<const N: usize>(
        &self,
        src: &[[u8; N]],
        out: &mut [u8],
        value: impl Fn([u8; N]) -> u64,
    ) {
        let (count, mask) = (self.count, u64::MAX >> (64 - self.count));
        let mut out = out.iter_mut();
        // pending bits, fewer than 8 between two numbers
        let (mut held, mut filled) = (0u128, 0);
        for &bytes in src {
            held |= u128::from(value(bytes) >> self.first & mask) << filled;
            filled += count;
            while filled >= 8 {
                if let Some(to) = out.next() {
                    *to = held as u8;
                }
                held >>= 8;
                filled -= 8;
            }
        }
        if let Some(to) = out.next() {
            *to = held as u8;
        }
    }

    fn unpack(&self, packed: &[u8], out: &mut [u8]) {
        match (self.size, self.count) {
            _ if self.bools => bits::unpack(packed, out, false),
            (1, _) => self.unpack_numbers(packed, out.as_chunks_mut::<1>().0, |x| [x as u8]),
            (2, _) => self
                .unpack_numbers(packed, out.as_chunks_mut::<2>().0, |x| (x as u16).to_ne_bytes()),
            (4, _) => self
                .unpack_numbers(packed, out.as_chunks_mut::<4>().0, |x| (x as u32).to_ne_bytes()),
            _ => self.unpack_numbers(packed, out.as_chunks_mut::<8>().0, u64::to_ne_bytes),
        }
    }

    fn unpack_numbers<const N: usize>(
        &self,
        packed: &[u8],
        out: &mut [[u8; N]],
        bytes: impl Fn(u64) -> [u8; N],
    ) {
        let (count, mask) = (self.count, u64::MAX >> (64 - self.count));
        // shifting up and back down sign-extends the highest kept bit
        let up = if self.signed { 64 - self.count } else { 0 };
        let mut packed = packed.iter();
        let (mut held, mut filled) = (0u128, 0);
        for to in out {
            while filled < count {
                held |= u128::from(packed.next().copied().unwrap_or(0)) << filled;
                filled += 8;
            }
            let kept = held as u64 & mask;
            held >>= count;
            filled -= count;
            let kept = if up > 0 { ((kept << up) as i64 >> up) as u64 } else { kept };
            *to = bytes(kept << self.first);
        }
    }
}

impl ArrayBytesCodec for PackBits {
    fn encoded_len(&self) -> Len {
        Len::Exactly(self.len())
    }

    fn decode(
        &self,
        source: &dyn ByteSource,
        region: &Region,
        mut dst: ViewMut<'_>,
        _: &Call<'_>,
    ) -> Result<bool> {
        let mut buffer = Buffer::with_capacity(0)?;
        let encoded = match source.as_slice() {
            Some(bytes) => bytes,
            None if !source.read_all(self.len(), &mut buffer)? => return Ok(false),
            None => &buffer,
        };
        let packed = self.packed(encoded)?;
        if region.covers(&self.shape)
            && let Some(out) = dst.as_contiguous_mut()
        {
            self.unpack(packed, out);
            return Ok(true);
        }
        let mut block = Block::new(self.numbers as usize * self.size)?;
        self.unpack(packed, &mut block);
        let shape: Extents = self.shape.iter().map(|&n| n as usize).collect();
        let (start, step, count) = region.to_view();
        let all = View::contiguous(&block, &shape, self.item)?;
        copy(&all.step(&start, &step, &count)?, &mut dst)?;
        Ok(true)
    }

    fn encode<'a>(&self, src: &View<'a>, _: &Call<'_>) -> Result<Encoded<'a>> {
        let mut together;
        let bytes = match src.as_contiguous() {
            Some(bytes) => bytes,
            None => {
                together = Block::new(self.numbers as usize * self.size)?;
                copy(src, &mut ViewMut::contiguous(&mut together, src.shape(), self.item)?)?;
                &together
            }
        };
        let mut out = Buffer::with_capacity(self.len() as usize)?;
        out.resize(self.len() as usize, 0);
        let packed = match (self.padding, &mut out[..]) {
            (Padding::First, [said, packed @ ..]) | (Padding::Last, [packed @ .., said]) => {
                *said = self.left_over();
                packed
            }
            (_, all) => all,
        };
        self.pack(bytes, packed);
        Ok(Encoded::from(out))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Chain;
    use super::*;
    use crate::metadata::{CodecSpec, DataType};
    use serde_json::json;

    fn chain(
        data_type: DataType,
        shape: &[u64],
        configuration: serde_json::Value,
    ) -> Result<Chain> {
        let fill = vec![0; data_type.size()].into();
        let configuration = configuration.as_object().cloned().unwrap_or_default();
        let specs = [CodecSpec::new("packbits", configuration)];
        Chain::new(&specs, ChunkSpec { shape: shape.to_vec(), data_type, fill, most: None })
    }

    #[test]
    fn as_the_specification_lays_them_out() -> Result<()> {
        let call = Call { write_empty: true, ..Call::new(1) };
        let encode = |chain: &Chain, bytes: &[u8], item| -> Result<Vec<u8>> {
            let src = View::contiguous(bytes, &[bytes.len() / item], item)?;
            let encoded = chain.encode(&src, &call)?;
            Ok(encoded.map(|e| e.parts().concat()).unwrap_or_default())
        };
        // bit i of the chunk is bit i % 8 of byte i / 8
        let bools = [1, 0, 0, 1, 1, 0, 0, 0, 0, 1];
        let last = chain(DataType::Bool, &[10], json!({"padding_encoding": "last_byte"}))?;
        assert_eq!(encode(&last, &bools, 1)?, [0b1_1001, 0b10, 6]);
        let first = chain(DataType::Bool, &[10], json!({"padding_encoding": "first_byte"}))?;
        assert_eq!(encode(&first, &bools, 1)?, [6, 0b1_1001, 0b10]);
        // bits 1 to 3 of each, extended from the highest on the way back
        let some = chain(DataType::Int8, &[3], json!({"first_bit": 1, "last_bit": 3}))?;
        let encoded = encode(&some, &[0b0000_1010, 0b0000_0110, 0b1111_0001], 1)?;
        assert_eq!(encoded, [0b0001_1101, 0]);
        let mut back = [0; 3];
        let dst = ViewMut::contiguous(&mut back, &[3], 1)?;
        let all = Region::whole(&[3]);
        assert!(some.decode(&encoded.as_slice(), &all, dst, &Call::new(1))?);
        assert_eq!(back, [0b1111_1010, 0b0000_0110, 0]);
        // a whole number is its little-endian bytes
        let whole = chain(DataType::Float32, &[2], json!({}))?;
        let bytes = [1.5f32, -2.0].map(f32::to_ne_bytes).concat();
        let little = [1.5f32, -2.0].map(f32::to_le_bytes).concat();
        assert_eq!(encode(&whole, &bytes, 4)?, little);
        Ok(())
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for configuration in [
            json!({"first_bit": 8}),
            json!({"last_bit": 8}),
            json!({"first_bit": 3, "last_bit": 2}),
            json!({"padding_encoding": "middle"}),
            json!({"bits": 3}),
        ] {
            assert!(chain(DataType::Int8, &[3], configuration.clone()).is_err(), "{configuration}");
        }
        assert!(chain(DataType::Raw(3), &[3], json!({})).is_err());
    }
}
