//! A zip file: listed, its values read whole and in part, its nodes visited.

use super::{check, keys, visit};
use zarrc::store::{Key, Mode, Options, Precondition, open};

pub fn run(input: &[u8]) {
    let kept = open("memory:fuzz-zip", Mode::Overwrite, &Options::default());
    let Some(kept) = check(kept) else { return };
    let key = Key::parse("x.zip").expect("a key");
    let _ = check(kept.set(&key, &[input], &Precondition::None));
    let mut options = Options::default();
    options.set("max_inflated_size", "1MiB").expect("an option");
    let Some(store) = check(open("memory:fuzz-zip/x.zip|zip:", Mode::Read, &options)) else {
        return;
    };
    for key in keys(&store).iter().take(32).filter_map(|key| Key::parse(key).ok()) {
        let mut whole = Vec::new();
        let there = check(store.get(&key, &mut whole));
        let mut part = [0; 3];
        let read = check(store.source(&key).read_at(1, &mut part));
        if there.is_some_and(|there| there.is_some()) && read == Some(true) {
            assert_eq!(whole.get(1..4), Some(&part[..]), "a part differs from the whole");
        }
    }
    visit(&store);
}
