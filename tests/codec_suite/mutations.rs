//! Every chain is fed with its own encoded chunks, damaged: bits turned, bytes cut out, put in and
//! moved, another chunk spliced in. What comes back is an error or as many bytes as were promised,
//! never a panic, and never for more memory than a chunk of that size may cost.
//!
//! The damage is the same every time. `CODEC_MUTATIONS=100000` makes that many of each chain.

use super::*;
use crate::common::allocator::memory_of;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a decoder may need to work at all: a block of bzip2 takes 3.6 MiB, tables of Pco's 2 MiB.
const WORKING_MEMORY: usize = 8 << 20;

#[test]
fn mutations_are_errors_or_data() {
    let count = std::env::var("CODEC_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let mut random = Random(4);
    let any = chains().into_iter().map(|(name, codecs)| (name, DataType::Float32, codecs));
    for (name, data_type, codecs) in any.chain(chains_of_types()).collect::<Vec<_>>() {
        let chain = build(&codecs, data_type.clone());
        let bytes = data(data_type.size(), &mut random);
        let encoded = encode(&chain, &bytes, &three()).expect("stored");
        let other = data(data_type.size(), &mut random);
        let other = encode(&chain, &other, &three()).expect("stored");
        let allowed = WORKING_MEMORY + 8 * (bytes.len() + encoded.len());
        for round in 0..count {
            let damaged = damage(&encoded, &other, &mut random);
            let region = match random.below(4) {
                0 => random_region(&mut random),
                _ => Region::whole(&SHAPE),
            };
            let highest = memory_of(|| {
                let look = AssertUnwindSafe(|| decode(&chain, &damaged, &region));
                match catch_unwind(look) {
                    Ok(Ok(_)) => {}
                    Ok(Err(e)) => {
                        // a block of N5 may come to say that it is of another kind
                        let kinds = [Kind::CorruptData, Kind::LimitExceeded, Kind::Unsupported];
                        assert!(kinds.contains(&e.kind()), "{name}, round {round}: {e}");
                    }
                    Err(_) => panic!("{name}, round {round}: {damaged:02x?}"),
                }
            });
            assert!(highest <= allowed, "{name}, round {round}: {highest} bytes of memory");
        }
    }
}

/// `encoded` with up to four kinds of damage.
fn damage(encoded: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = encoded.to_vec();
    for _ in 0..1 + random.below(4) {
        if out.is_empty() {
            break;
        }
        let len = out.len() as u64;
        // what is at the front says most about the rest
        let within = if random.below(3) == 0 { len.min(48) } else { len };
        let at = random.below(within) as usize;
        let run = 1 + random.below(16.min(len - at as u64)) as usize;
        match random.below(9) {
            0 => out[at] ^= 1 << random.below(8),
            1 => out[at] = random.next() as u8,
            2 => out[at..at + run].fill([0, 0x7F, 0x80, 0xFF][random.below(4) as usize]),
            3 => out.truncate(at),
            4 => drop(out.drain(at..at + run)),
            5 => {
                let copy = out[at..at + run].to_vec();
                out.splice(at..at, copy);
            }
            6 => out.extend(std::iter::repeat_with(|| random.next() as u8).take(run)),
            7 => {
                let from = random.below(other.len() as u64 + 1) as usize;
                out.truncate(at);
                out.extend_from_slice(&other[from..]);
            }
            _ => {
                let to = random.below(len) as usize;
                out.swap(at, to);
            }
        }
    }
    out
}
