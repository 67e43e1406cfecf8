//! Bob Jenkins' hash lookup3 (`hashlittle`), which newer structures of HDF5 use.
//! <https://www.burtleburtle.net/bob/hash/doobs.html>

/// The bytes mixed at a time.
const BLOCK: usize = 12;

/// The hash of `value`.
pub(super) fn sum(value: &[u8], initial: u32) -> u32 {
    let mut state = [0xDEAD_BEEF_u32.wrapping_add(value.len() as u32).wrapping_add(initial); 3];
    let mut rest = value;
    // the last block is mixed differently, even if it is full
    while rest.len() > BLOCK {
        let (block, behind) = rest.split_at(BLOCK);
        add(&mut state, block);
        mix(&mut state);
        rest = behind;
    }
    if !rest.is_empty() {
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        add(&mut state, &last);
        finish(&mut state);
    }
    state[2]
}

/// Adds a block, as three little-endian words.
fn add(state: &mut [u32; 3], block: &[u8]) {
    for (word, bytes) in state.iter_mut().zip(block.chunks_exact(4)) {
        *word = word.wrapping_add(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    }
}

/// Each step: the first less the third, mixed with the third turned left by so much; the second
/// added to the third; then all move on by one.
fn mix([a, b, c]: &mut [u32; 3]) {
    for turn in [4, 6, 8, 16, 19, 4] {
        let x = a.wrapping_sub(*c) ^ c.rotate_left(turn);
        let y = c.wrapping_add(*b);
        (*a, *b, *c) = (*b, y, x);
    }
}

/// Each step: the third mixed with the second, less the second turned left by so much; then all
/// move on by one.
fn finish([a, b, c]: &mut [u32; 3]) {
    for turn in [14, 11, 25, 16, 4, 14, 24] {
        let x = (*c ^ *b).wrapping_sub(b.rotate_left(turn));
        (*a, *b, *c) = (*b, x, *a);
    }
    // seven steps: what was third is second now
    *c = *b;
}
