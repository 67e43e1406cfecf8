//! Eight bools to a byte and back, first or last bit first.

/// The bits of every byte as bytes, lowest bit first.
static LOWEST_FIRST: [[u8; 8]; 256] = table(false);
/// Highest bit first.
static HIGHEST_FIRST: [[u8; 8]; 256] = table(true);

const fn table(highest_first: bool) -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            let at = if highest_first { 7 - bit } else { bit };
            table[byte][at] = (byte >> bit & 1) as u8;
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// Packs bools, where any nonzero byte is true; unused bits are 0. `out` has one byte for each
/// eight bools.
pub fn pack(src: &[u8], out: &mut [u8], highest_first: bool) {
    // moves the lowest bit of each byte to its position in the highest byte
    let factor: u64 = if highest_first { 0x8040_2010_0804_0201 } else { 0x0102_0408_1020_4080 };
    let one = |eight: [u8; 8]| {
        let x = u64::from_le_bytes(eight);
        const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        let set = ((((x & LOW) + LOW) | x) >> 7) & 0x0101_0101_0101_0101;
        (set.wrapping_mul(factor) >> 56) as u8
    };
    let (eights, rest) = src.as_chunks::<8>();
    let (whole, last) = out.split_at_mut(eights.len());
    eights.iter().zip(whole).for_each(|(&eight, to)| *to = one(eight));
    if let Some(last) = last.first_mut() {
        let mut eight = [0; 8];
        eight[..rest.len()].copy_from_slice(rest);
        *last = one(eight);
    }
}

/// Unpacks as many bools as `out` holds.
pub fn unpack(src: &[u8], out: &mut [u8], highest_first: bool) {
    let table = if highest_first { &HIGHEST_FIRST } else { &LOWEST_FIRST };
    let (eights, rest) = out.as_chunks_mut::<8>();
    eights.iter_mut().zip(src).for_each(|(to, &byte)| *to = table[usize::from(byte)]);
    if let Some(&byte) = src.get(eights.len()) {
        rest.copy_from_slice(&table[usize::from(byte)][..rest.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_both_ways() {
        for highest_first in [false, true] {
            for byte in 0..=255u8 {
                let mut bools = [9; 8];
                unpack(&[byte], &mut bools, highest_first);
                let bit = |n: usize| byte >> (if highest_first { 7 - n } else { n }) & 1;
                assert!((0..8).all(|n| bools[n] == bit(n)));
                let mut back = [0];
                pack(&bools.map(|b| b * 200), &mut back, highest_first);
                assert_eq!(back, [byte]);
            }
        }
        // np.packbits([1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1])
        let mut out = [0; 2];
        pack(&[1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1], &mut out, true);
        assert_eq!(out, [0x98, 0x60]);
        let mut back = [7; 11];
        unpack(&out, &mut back, true);
        assert_eq!(back, [1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1]);
    }
}
