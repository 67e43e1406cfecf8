//! The first byte chooses a chain, the rest is an encoded chunk: what comes back is an error or the
//! data, whole and in part. Every codec of the table has its sample; shards, zfp and lzma have more
//! chains.

use super::super::samples;
use serde_json::{Value, json};
use std::sync::LazyLock;
use zarrc::call::Call;
use zarrc::codec::{Chain, ChunkSpec};
use zarrc::metadata::codecs::CODECS;
use zarrc::metadata::{CodecSpec, DataType};
use zarrc::selection::Region;
use zarrc::strided::ViewMut;

/// That of the samples.
const SHAPE: [u64; 2] = [4, 6];

static CHAINS: LazyLock<Vec<Chain>> = LazyLock::new(|| {
    let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
    let with =
        |name: &str, configuration: Value| json!({"name": name, "configuration": configuration});
    let shard = |location: &str| {
        with(
            "sharding_indexed",
            json!({"chunk_shape": [2, 3], "codecs": [bytes, {"name": "zstd"}],
                   "index_codecs": [bytes, {"name": "crc32c"}], "index_location": location}),
        )
    };
    let raw = json!({"format": 3, "filters": [{"id": 3, "dist": 4}, {"id": 33}]});
    let mut chains = vec![
        (DataType::Float32, json!([shard("start")])),
        (DataType::Float32, json!([shard("end")])),
        (DataType::Float32, json!([with("zfp", json!({"mode": "fixed_rate", "rate": 7.5}))])),
        (DataType::Float32, json!([bytes, with("lzma", json!({"format": 2}))])),
        (DataType::Float32, json!([bytes, with("lzma", raw)])),
    ];
    chains.extend(CODECS.iter().map(|c| (samples::sample(c).data_type, samples::chain(c))));
    // a pickle is refused; elements of variable length go through arrays, not through a chain alone
    chains.retain(|(data_type, _)| !data_type.is_variable());
    chains
        .iter()
        .map(|(data_type, chain)| {
            let spec = ChunkSpec {
                shape: SHAPE.to_vec(),
                data_type: data_type.clone(),
                fill: vec![0; data_type.size()].into(),
                most: None,
            };
            let codecs = chain.as_array().into_iter().flatten();
            let specs: Result<Vec<CodecSpec>, _> = codecs.map(CodecSpec::from_json).collect();
            let built = specs.and_then(|specs| Chain::new(&specs, spec));
            built.unwrap_or_else(|e| panic!("{chain}: {e}"))
        })
        .collect()
});

pub fn run(input: &[u8]) {
    let Some((&which, encoded)) = input.split_first() else { return };
    let chain = &CHAINS[usize::from(which) % CHAINS.len()];
    let item = chain.chunk().data_type.size();
    let whole = Region::whole(&SHAPE);
    let Ok(part) = Region::new(&SHAPE, &[1, 2], &[2, 2], Some(&[1, 2])) else { return };
    for region in [whole, part] {
        let shape: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
        let mut out = vec![0; shape.iter().product::<usize>() * item];
        let Ok(dst) = ViewMut::contiguous(&mut out, &shape, item) else { return };
        let _ = chain.decode(&encoded, &region, dst, &Call::new(1));
    }
}
