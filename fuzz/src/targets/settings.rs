//! What callers write as text: lines of options as `name=value`, keys, paths, and pipelines of
//! stores above one in memory.

use super::check;
use zarrc::metadata::{Attributes, NodePath};
use zarrc::store::{Key, Mode, Options, check_prefix, open};

pub fn run(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let mut options = Options::default();
    for line in text.lines() {
        let _ = check(Key::parse(line));
        let _ = check(check_prefix(line));
        let _ = check(NodePath::parse(line));
        if let Some(attributes) = check(Attributes::parse(line.as_bytes())) {
            let again = Attributes::parse(attributes.to_json().as_bytes());
            assert_eq!(again.map(|a| a.to_json()).ok(), Some(attributes.to_json()));
        }
        if let Some((name, value)) = line.split_once('=') {
            let _ = check(options.set(name, value));
        }
        // adapters alone: what has two slashes may be anywhere
        if let Some(pipeline) = line.strip_prefix('|')
            && !pipeline.contains("//")
            && !pipeline.contains("cache")
        {
            let _ = check(open(&format!("memory:|{pipeline}"), Mode::Append, &options));
        }
    }
}
