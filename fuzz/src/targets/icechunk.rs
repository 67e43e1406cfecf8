//! A file of an Icechunk repository: the first byte chooses a file of a sound one, of either format.
//! The second one chooses whether the rest of the input replaces it, or lies over its bytes or its
//! decompressed contents, from the offset that the next two bytes give. The repository is opened,
//! read and committed to.

use super::{check, keys, visit};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use zarrc::store::{Depth, Entry, Key, Mode, Options, Precondition, SharedStore, open};

const GROUP: &[u8] = br#"{"zarr_format":3,"node_type":"group","attributes":{}}"#;
const ARRAY: &[u8] = br#"{"zarr_format":3,"node_type":"array","shape":[4],"data_type":"uint8",
    "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[1]}},"chunk_key_encoding":
    {"name":"default"},"codecs":[{"name":"bytes"}],"fill_value":0}"#;

type Files = BTreeMap<String, Vec<u8>>;

/// A sound repository of each format.
static REPOSITORIES: LazyLock<Vec<Files>> = LazyLock::new(|| ["1", "2"].map(repository).into());

fn repository(format: &str) -> Files {
    let home = format!("memory:fuzz-icechunk-sound-{format}");
    let kept = open(&home, Mode::Overwrite, &Options::default()).expect("memory");
    let mut options = Options::default();
    options.set("icechunk_format", format).expect("an option");
    let store = open(&format!("{home}|icechunk:"), Mode::Create, &options).expect("a repository");
    let large = vec![7; 600]; // not in the manifest
    for (key, value) in
        [("zarr.json", GROUP), ("a/zarr.json", ARRAY), ("a/c/0", b"1"), ("a/c/2", &large)]
    {
        let key = Key::parse(key).expect("a key");
        store.set(&key, &[value], &Precondition::None).expect("is set");
    }
    store.flush().expect("is committed");
    files(&kept)
}

fn files(store: &SharedStore) -> Files {
    let mut names = Vec::new();
    let listed = store.list("", Depth::All, &mut |entry| {
        if let Entry::Key(key) = entry {
            names.push(key.to_owned());
        }
        Ok(())
    });
    listed.expect("memory");
    let value = |name: String| {
        let mut value = Vec::new();
        store.get(&Key::parse(&name).expect("a key"), &mut value).expect("memory");
        (name, value)
    };
    names.into_iter().map(value).collect()
}

/// The header of a file of the format, and what follows it, decompressed.
fn unpacked(value: &[u8]) -> Option<(&[u8], Vec<u8>)> {
    let (header, rest) = value.split_at_checked(39)?;
    Some((header, zstd::stream::decode_all(rest).ok()?))
}

/// `value`, with `bytes` in the place of its own from an offset that is taken modulo its length.
fn overlaid(value: &[u8], offset: usize, bytes: &[u8]) -> Vec<u8> {
    let mut value = value.to_vec();
    let at = offset % (value.len() + 1);
    let end = (at + bytes.len()).min(value.len());
    value.splice(at..end, bytes.iter().copied());
    value
}

pub fn run(input: &[u8]) {
    let [which, how, low, high, bytes @ ..] = input else { return };
    let files = REPOSITORIES.iter().flat_map(|files| files.keys().map(move |name| (files, name)));
    let files: Vec<_> = files.collect();
    let (repository, damaged) = files[usize::from(*which) % files.len()];
    let kept = open("memory:fuzz-icechunk", Mode::Overwrite, &Options::default());
    let Some(kept) = check(kept) else { return };
    for (name, value) in repository {
        let offset = usize::from(u16::from_le_bytes([*low, *high]));
        let value = match how % 3 {
            _ if name != damaged => value.clone(),
            0 => bytes.to_vec(),
            1 => overlaid(value, offset, bytes),
            _ => match unpacked(value) {
                Some((header, contents)) => {
                    let contents = overlaid(&contents, offset, bytes);
                    let packed = zstd::stream::encode_all(&*contents, 1).expect("is packed");
                    [header, &packed].concat()
                }
                None => overlaid(value, offset, bytes),
            },
        };
        let key = Key::parse(name).expect("a key");
        let _ = check(kept.set(&key, &[&value], &Precondition::None));
    }
    let mut options = Options::default();
    options.set("max_retries", "0").expect("an option");
    let url = "memory:fuzz-icechunk|icechunk:";
    let Some(store) = check(open(url, Mode::ReadWrite, &options)) else { return };
    for key in keys(&store).iter().take(16).filter_map(|key| Key::parse(key).ok()) {
        let _ = check(store.get(&key, &mut Vec::new()));
    }
    visit(&store);
    let key = Key::parse("a/c/1").expect("a key");
    if check(store.set(&key, &[b"9"], &Precondition::None)).is_some() {
        let _ = check(store.flush());
    }
}
