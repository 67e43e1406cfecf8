//! Replays fuzz/corpus: every input through its target, as the fuzzer would, without the fuzzer.

use crate::common::codecs as samples;
use std::path::Path;

#[path = "../fuzz/src/targets/mod.rs"]
mod targets;

#[test]
fn no_input_of_the_corpus_does_harm() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, target) in targets::TARGETS {
        let mut inputs: Vec<_> =
            std::fs::read_dir(corpus.join(name)).unwrap().map(|e| e.unwrap().path()).collect();
        inputs.sort();
        assert!(!inputs.is_empty(), "{name} has no corpus");
        for input in inputs {
            println!("{}", input.display());
            target(&std::fs::read(&input).unwrap());
        }
    }
}
