//! The first byte chooses a chain, the rest is an encoded chunk: what comes back is an error or the
//! data, whole and in part. Blosc frames and shards have chains of their own.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use std::sync::LazyLock;
use zarrc::codec::{Access, CODECS, Chain, ChunkSpec};
use zarrc::metadata::{CodecSpec, DataType, Region};
use zarrc::strided::ViewMut;

const SHAPE: [u64; 3] = [4, 6, 8];

/// Every codec of the table with its defaults, or with what it cannot do without.
static CHAINS: LazyLock<Vec<Chain>> = LazyLock::new(|| {
    let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
    let with =
        |name: &str, configuration: Value| json!({"name": name, "configuration": configuration});
    let inner = json!([bytes, {"name": "zstd"}]);
    let shard = |location: &str| {
        with(
            "sharding_indexed",
            json!({"chunk_shape": [2, 3, 4], "codecs": inner, "index_location": location,
                   "index_codecs": [bytes, {"name": "crc32c"}]}),
        )
    };
    let mut chains = vec![
        json!([shard("start")]),
        json!([shard("end")]),
        json!([with("zfp", json!({"mode": "reversible"}))]),
        json!([with("zfp", json!({"mode": "fixed_rate", "rate": 7.5}))]),
        json!([bytes, with("lzma", json!({"format": 2}))]),
        json!([
            bytes,
            with("lzma", json!({"format": 3, "filters": [{"id": 3, "dist": 4}, {"id": 33}]}))
        ]),
    ];
    for codec in CODECS {
        chains.push(json!([bytes, {"name": codec.name}]));
        chains.push(json!([{"name": codec.name}]));
        chains.push(json!([{"name": codec.name}, bytes]));
    }
    let spec = || ChunkSpec {
        shape: SHAPE.to_vec(),
        data_type: DataType::Float32,
        fill: vec![0; 4].into(),
        most: None,
    };
    let specs = |chain: &Value| -> Vec<CodecSpec> {
        let list = chain.as_array().into_iter().flatten();
        list.filter_map(|codec| CodecSpec::from_json(codec).ok()).collect()
    };
    // those that do not hold together, or do not take float32, are left out
    chains.iter().filter_map(|chain| Chain::new(&specs(chain), spec()).ok()).collect()
});

fuzz_target!(|input: &[u8]| {
    let Some((&which, encoded)) = input.split_first() else { return };
    let chain = &CHAINS[usize::from(which) % CHAINS.len()];
    let whole = Region::whole(&SHAPE);
    let Ok(part) = Region::new(&SHAPE, &[1, 2, 3], &[2, 2, 2], Some(&[1, 2, 2])) else { return };
    for region in [whole, part] {
        let shape: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
        let mut out = vec![0; shape.iter().product::<usize>() * 4];
        let Ok(dst) = ViewMut::contiguous(&mut out, &shape, 4) else { return };
        let _ = chain.decode(&encoded, &region, dst, &Access::once(1));
    }
});
