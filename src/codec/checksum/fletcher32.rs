//! The checksum of HDF5's filter `fletcher32`: two sums, modulo 65535, of big-endian 16-bit words.
//! <https://docs.hdfgroup.org/hdf5/v1_14/group___h5_z.html>

/// Words between two reductions: both sums stay below 2^32.
const RUN: usize = 360;

/// Reduces a sum modulo 65535, except that 65535 stays.
fn fold(sum: u32) -> u32 {
    (sum & 0xFFFF) + (sum >> 16)
}

/// The checksum of `value`; a last odd byte is the high half of a word.
pub(super) fn sum(value: &[u8]) -> u32 {
    let (mut first, mut second) = (0u32, 0u32);
    let words = value.len() / 2 * 2;
    for run in value[..words].chunks(2 * RUN) {
        for word in run.chunks_exact(2) {
            first += u32::from(u16::from_be_bytes([word[0], word[1]]));
            second += first;
        }
        first = fold(first);
        second = fold(second);
    }
    if let Some(&last) = value[words..].first() {
        first += u32::from(last) << 8;
        second += first;
        first = fold(first);
        second = fold(second);
    }
    (fold(second) << 16) | fold(first)
}
