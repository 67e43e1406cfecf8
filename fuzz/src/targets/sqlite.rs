//! An SQLite database: listed, its values read whole and in part, its nodes visited, and changed.

use super::{check, keys, visit};
use zarrc::store::{Key, Mode, Options, Precondition, open};

pub fn run(input: &[u8]) {
    let name = format!("zarrc-fuzz-{}-{:?}", std::process::id(), std::thread::current().id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a directory");
    let path = folder.join("x.sqlite");
    std::fs::write(&path, input).expect("a file");
    let mut options = Options::default();
    options.set("timeout", "0").expect("an option");
    let url = format!("sqlite:{}", path.display());
    for mode in [Mode::Read, Mode::ReadWrite] {
        let Some(store) = check(open(&url, mode, &options)) else { continue };
        let found = keys(&store);
        for key in found.iter().take(32).filter_map(|key| Key::parse(key).ok()) {
            let mut whole = Vec::new();
            let there = check(store.get(&key, &mut whole)).flatten();
            let mut part = [0; 3];
            let read = check(store.source(&key).read_at(1, &mut part));
            if there.is_some() && read == Some(true) {
                assert_eq!(whole.get(1..4), Some(&part[..]), "a part differs from the whole");
            }
        }
        visit(&store);
        if mode == Mode::ReadWrite {
            let key = Key::parse("new/key").expect("a key");
            if check(store.set(&key, &[b"value"], &Precondition::None)).is_some() {
                let mut value = Vec::new();
                if check(store.get(&key, &mut value)).flatten().is_some() {
                    assert_eq!(value, b"value");
                }
            }
            let _ = check(store.erase_prefix("new/"));
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}
