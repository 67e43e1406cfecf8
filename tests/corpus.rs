//! Replays fuzz/corpus: every input through its target, as the fuzzer would, without the fuzzer.

use crate::common::Random;
use crate::common::allocator::memory_of;
use crate::common::codecs as samples;
use std::path::Path;

#[path = "../fuzz/src/targets/mod.rs"]
mod targets;

/// The most memory for an input of a few KiB (bytes).
const MOST: usize = 64 << 20;

/// The inputs of a target, by name.
fn inputs(target: &str) -> Vec<(String, Vec<u8>)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut paths: Vec<_> = std::fs::read_dir(corpus).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{target} has no corpus");
    paths
        .into_iter()
        .map(|path| (path.display().to_string(), std::fs::read(path).unwrap()))
        .collect()
}

#[test]
fn no_input_of_the_corpus_does_harm() {
    for (name, target) in targets::TARGETS {
        for (path, input) in inputs(name) {
            println!("{path}");
            target(&input);
        }
    }
}

/// Without coverage, but also where there is no fuzzer; `CORPUS_MUTATIONS` for each target.
#[test]
fn no_mutation_of_the_corpus_does_harm() {
    let count = std::env::var("CORPUS_MUTATIONS").map_or(150, |n| n.parse().unwrap());
    let only = std::env::var("CORPUS_TARGET").ok();
    let seed = std::env::var("CORPUS_SEED").map_or(1, |n| n.parse().unwrap());
    for (name, target) in
        targets::TARGETS.iter().filter(|t| only.as_deref().is_none_or(|o| o == t.0))
    {
        let inputs = inputs(name);
        let mut random = Random(seed);
        for n in 0..count {
            let input = mutated(&inputs, &mut random);
            let mut harm = Ok(());
            let bytes = memory_of(|| harm = std::panic::catch_unwind(|| target(&input)));
            if harm.is_err() || bytes > MOST {
                let path = std::env::temp_dir().join(format!("zarrc-harm-{name}-{seed}-{n}"));
                std::fs::write(&path, &input).unwrap();
                panic!("{name}: {bytes} bytes for {}", path.display());
            }
        }
    }
}

/// An input with a few bytes changed, cut out, repeated, or taken from another.
fn mutated(inputs: &[(String, Vec<u8>)], random: &mut Random) -> Vec<u8> {
    let any = |random: &mut Random| &inputs[random.below(inputs.len() as u64) as usize].1;
    let mut input = any(random).clone();
    for _ in 0..1 + random.below(6) {
        let at = random.below(input.len() as u64 + 1) as usize;
        let end = (at + random.below(9) as usize).min(input.len());
        match random.below(6) {
            0 => input.insert(at, random.next() as u8),
            1 => drop(input.drain(at..end)),
            2 => input.extend_from_within(at..end),
            3 => {
                let other = any(random);
                let from = random.below(other.len() as u64 + 1) as usize;
                let to = (from + random.below(40) as usize).min(other.len());
                input.splice(at..end, other[from..to].iter().copied());
            }
            4 if at < input.len() => input[at] ^= 1 << random.below(8),
            _ if at < input.len() => {
                let special = [0, 1, 0x7F, 0x80, 0xFF, b'0', b'9', b'"', b'{', b'-'];
                input[at] = special[random.below(special.len() as u64) as usize];
            }
            _ => {}
        }
    }
    input
}
