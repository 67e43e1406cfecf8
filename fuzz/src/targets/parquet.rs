//! A file of references in Parquet: the one of an array in a folder whose `.zmetadata` is sound. Its
//! array is listed, and told where its chunks lie, without reading them.

use super::{check, keys, visit};
use zarrc::store::{Key, Mode, Options, Precondition, open};

const METADATA: &[u8] = br#"{"record_size": 16, "metadata": {".zgroup": {"zarr_format": 2},
    "a/.zarray": {"zarr_format": 2, "shape": [40], "chunks": [1], "dtype": "<u2", "compressor": null,
    "filters": null, "fill_value": 7, "order": "C"}}}"#;

pub fn run(input: &[u8]) {
    // a store of that name lives as long as this handle
    let kept = open("memory:fuzz-parquet", Mode::Overwrite, &Options::default());
    let Some(kept) = check(kept) else { return };
    for (name, value) in
        [("r/.zmetadata", METADATA), ("r/a/refs.0.parq", input), ("r/a/refs.2.parq", input)]
    {
        let key = Key::parse(name).expect("a key");
        let _ = check(kept.set(&key, &[value], &Precondition::None));
    }
    let url = "memory:fuzz-parquet/r|reference:";
    let Some(store) = check(open(url, Mode::Read, &Options::default())) else { return };
    for key in keys(&store).iter().take(64).filter_map(|key| Key::parse(key).ok()) {
        let _ = check(store.location(&key));
    }
    visit(&store);
}
