//! Every codec, encoding and decoding, memory to memory on one thread: decoded bytes per second. And
//! what a part of a chunk costs where a codec can decode a part.

mod common;

use common::{Random, criterion};
use criterion::{Criterion, Throughput};
use serde_json::{Value, json};
use zarrc::call::Call;
use zarrc::codec::{Chain, ChunkSpec};
use zarrc::metadata::{CodecSpec, DataType};
use zarrc::selection::Region;
use zarrc::strided::{View, ViewMut};

fn one() -> Call<'static> {
    Call { write_empty: true, ..Call::new(1) }
}

/// A kind of data: its name, its type, and the value at a place.
struct Data {
    name: &'static str,
    data_type: DataType,
    at: fn(&mut Random, [f64; 3]) -> [u8; 4],
}

/// A smooth field rounded to 15 bits of mantissa, as models do.
fn smooth(random: &mut Random, [z, y, x]: [f64; 3]) -> [u8; 4] {
    let wave = 10.0 * (z / 41.0).sin() * (y / 37.0).sin() * (x / 53.0).cos();
    let value = 280.0 + wave + 0.05 * random.noise();
    (((value as f32).to_bits() + 0x80) & !0xFF).to_le_bytes()
}

/// Light blobs over a dark ground, with the noise of counted photons.
fn microscopy(random: &mut Random, [z, y, x]: [f64; 3]) -> [u8; 4] {
    let wave = (z / 23.0).sin() * (y / 29.0).sin() * (x / 31.0).sin();
    let light = 100.0 + 3000.0 * (wave - 0.3).max(0.0);
    ((light + light.sqrt() * random.noise()) as u32).to_le_bytes()
}

/// Segmented regions with bent borders.
fn labels(_: &mut Random, [z, y, x]: [f64; 3]) -> [u8; 4] {
    let cell = |a: f64, b: f64| ((a + 5.0 * (b / 19.0).sin()) / 24.0).floor() as i64 as u64;
    let id = Random(cell(z, y) * 31 + cell(y, x) * 1009 + cell(x, z)).bits();
    (if id & 1 == 0 { 0 } else { (id >> 44) as u32 }).to_le_bytes()
}

const DATA: [Data; 3] = [
    Data { name: "f32 smooth", data_type: DataType::Float32, at: smooth },
    Data { name: "u16 microscopy", data_type: DataType::UInt16, at: microscopy },
    Data { name: "i32 labels", data_type: DataType::Int32, at: labels },
];

impl Data {
    /// A chunk of about so many bytes, in C order.
    fn chunk(&self, shape: &[u64; 3]) -> Vec<u8> {
        let mut random = Random(7);
        let mut out = Vec::new();
        for z in 0..shape[0] {
            for y in 0..shape[1] {
                for x in 0..shape[2] {
                    let bytes = (self.at)(&mut random, [z as f64, y as f64, x as f64]);
                    out.extend_from_slice(&bytes[..self.data_type.size()]);
                }
            }
        }
        out
    }

    /// Chunks of 1 MiB and of 16 KiB.
    fn shapes(&self) -> [(&'static str, [u64; 3]); 2] {
        let x = 4 / self.data_type.size() as u64;
        [("1 MiB", [64, 64, 64 * x]), ("16 KiB", [16, 16, 16 * x])]
    }
}

fn bytes() -> Value {
    json!({"name": "bytes", "configuration": {"endian": "little"}})
}

fn blosc(cname: &str, shuffle: &str, item: usize) -> Value {
    json!({"name": "blosc", "configuration": {"cname": cname, "clevel": 5, "shuffle": shuffle,
           "typesize": item, "blocksize": 0}})
}

fn shard(inner: &[u64], codecs: Value) -> Value {
    json!([{"name": "sharding_indexed", "configuration": {"chunk_shape": inner, "codecs": codecs,
            "index_codecs": [bytes(), {"name": "crc32c"}]}}])
}

/// A chain for each codec of the table, for elements of `item` bytes.
fn chains(item: usize) -> Vec<(&'static str, Value)> {
    let after = |codec: Value| json!([bytes(), codec]);
    let level = |name: &str, level: i32| json!({"name": name, "configuration": {"level": level}});
    let zstd =
        |level: i32| json!({"name": "zstd", "configuration": {"level": level, "checksum": false}});
    vec![
        ("bytes, little", json!([bytes()])),
        ("bytes, big", json!([{"name": "bytes", "configuration": {"endian": "big"}}])),
        (
            "transpose",
            json!([{"name": "transpose", "configuration": {"order": [2, 1, 0]}}, bytes()]),
        ),
        ("zstd 1", after(zstd(1))),
        ("zstd 3", after(zstd(3))),
        ("gzip 5", after(level("gzip", 5))),
        ("zlib 1", after(level("zlib", 1))),
        ("lz4", after(json!({"name": "lz4"}))),
        ("crc32c", after(json!({"name": "crc32c"}))),
        ("blosc lz4", after(blosc("lz4", "shuffle", item))),
        ("blosc zstd bits", after(blosc("zstd", "bitshuffle", item))),
        ("blosc blosclz", after(blosc("blosclz", "shuffle", item))),
    ]
}

fn build(codecs: &Value, data_type: &DataType, shape: &[u64]) -> Chain {
    let specs = codecs.as_array().expect("a list").iter();
    let specs: Vec<CodecSpec> = specs.map(|c| CodecSpec::from_json(c).expect("a codec")).collect();
    let fill = vec![0xAA; data_type.size()].into();
    let spec = ChunkSpec { shape: shape.to_vec(), data_type: data_type.clone(), fill, most: None };
    Chain::new(&specs, spec).expect("a good chain")
}

fn extents(shape: &[u64]) -> Vec<usize> {
    shape.iter().map(|&n| n as usize).collect()
}

fn encode(chain: &Chain, chunk: &[u8]) -> Vec<u8> {
    let spec = chain.chunk();
    let src = View::contiguous(chunk, &extents(&spec.shape), spec.data_type.size()).expect("fits");
    chain.encode(&src, &one()).expect("encodes").expect("stored").parts().concat()
}

fn decode(chain: &Chain, encoded: &[u8], region: &Region, out: &mut [u8]) {
    let shape: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
    let dst = ViewMut::contiguous(out, &shape, chain.chunk().data_type.size()).expect("fits");
    assert!(chain.decode(&encoded, region, dst, &Call::new(1)).expect("decodes"));
}

fn whole_chunks(c: &mut Criterion) {
    for data in &DATA {
        for (size, shape) in data.shapes() {
            let chunk = data.chunk(&shape);
            let mut group = c.benchmark_group(format!("{}, {size}", data.name));
            group.throughput(Throughput::Bytes(chunk.len() as u64));
            for (name, codecs) in chains(data.data_type.size()) {
                // The rest says the same of every type.
                let plain = ["bytes, little", "bytes, big", "transpose", "crc32c"].contains(&name);
                if plain && (data.name != "f32 smooth" || size != "1 MiB") {
                    continue;
                }
                let chain = build(&codecs, &data.data_type, &shape);
                let encoded = encode(&chain, &chunk);
                let region = Region::whole(&shape);
                let mut out = vec![1; chunk.len()];
                decode(&chain, &encoded, &region, &mut out);
                assert!(out == chunk, "{name}: another chunk came back");
                let src = View::contiguous(&chunk, &extents(&shape), data.data_type.size());
                let src = src.expect("fits");
                group.bench_function(format!("{name}: encode"), |b| {
                    b.iter(|| chain.encode(&src, &one()).expect("encodes"));
                });
                group.bench_function(format!("{name}: decode"), |b| {
                    b.iter(|| decode(&chain, &encoded, &region, &mut out));
                });
            }
            group.finish();
        }
    }
}

/// What takes an array and gives one, before uncompressed bytes.
fn filters(c: &mut Criterion) {
    let of = |dtype: &str, name: &str, mut configuration: Value| {
        if !dtype.is_empty() {
            configuration["dtype"] = json!(dtype);
        }
        json!([{"name": name, "configuration": configuration}, bytes()])
    };
    let chains = [
        ("delta", 2, of("<i4", "delta", json!({}))),
        ("delta to int16", 2, of("<i4", "delta", json!({"astype": "<i2"}))),
        (
            "fixedscaleoffset",
            0,
            of("<f4", "fixedscaleoffset", json!({"offset": 250, "scale": 100, "astype": "<i2"})),
        ),
        ("quantize", 0, of("<f4", "quantize", json!({"digits": 2}))),
        ("bitround", 0, of("", "bitround", json!({"keepbits": 10}))),
        ("astype", 0, of("", "astype", json!({"decode_dtype": "<f4", "encode_dtype": "<f8"}))),
        ("scale_offset", 0, of("", "scale_offset", json!({"offset": 250, "scale": 100}))),
        ("cast_value", 1, of("", "cast_value", json!({"data_type": "float32"}))),
        (
            "cast_value, rounded",
            0,
            of("", "cast_value", json!({"data_type": "uint16", "rounding": "nearest-even"})),
        ),
        (
            "packbits, 12 of 16",
            1,
            json!([{"name": "packbits",
            "configuration": {"last_bit": 11}}]),
        ),
    ];
    let mut group = c.benchmark_group("filters, 1 MiB");
    for (name, data, codecs) in chains {
        let data = &DATA[data];
        let [(_, shape), _] = data.shapes();
        let chunk = data.chunk(&shape);
        let chain = build(&codecs, &data.data_type, &shape);
        let encoded = encode(&chain, &chunk);
        let region = Region::whole(&shape);
        let mut out = vec![1; chunk.len()];
        let src = View::contiguous(&chunk, &extents(&shape), data.data_type.size()).expect("fits");
        group.throughput(Throughput::Bytes(chunk.len() as u64));
        group.bench_function(format!("{name}: encode"), |b| {
            b.iter(|| chain.encode(&src, &one()).expect("encodes"));
        });
        group.bench_function(format!("{name}: decode"), |b| {
            b.iter(|| decode(&chain, &encoded, &region, &mut out));
        });
    }
    group.finish();
}

/// A part, in time: a point and a plane of a Blosc chunk of 1 MiB, a shard and an inner chunk of it.
fn parts(c: &mut Criterion) {
    let data = &DATA[0];
    let mut group = c.benchmark_group("parts");
    let mut part = |name: &str, codecs: &Value, shape: [u64; 3], region: Region| {
        let chunk = data.chunk(&shape);
        let chain = build(codecs, &data.data_type, &shape);
        let encoded = encode(&chain, &chunk);
        let elements: u64 = region.spans().iter().map(|s| s.count).product();
        let mut out = vec![1; elements as usize * 4];
        group.throughput(Throughput::Bytes(out.len() as u64));
        group.bench_function(name, |b| b.iter(|| decode(&chain, &encoded, &region, &mut out)));
    };
    let cut = |shape: &[u64; 3], start: [u64; 3], count: [u64; 3]| {
        Region::new(shape, &start, &count, None).expect("inside")
    };
    let cube = [64, 64, 64];
    for (name, codecs) in [
        ("blosc lz4", json!([bytes(), blosc("lz4", "shuffle", 4)])),
        ("zstd", json!([bytes(), {"name": "zstd"}])),
    ] {
        part(&format!("{name}, a point"), &codecs, cube, cut(&cube, [31, 31, 31], [1, 1, 1]));
        part(&format!("{name}, a plane"), &codecs, cube, cut(&cube, [31, 0, 0], [1, 64, 64]));
        part(
            &format!("{name}, a plane across"),
            &codecs,
            cube,
            cut(&cube, [0, 0, 31], [64, 64, 1]),
        );
    }
    let large = [128, 128, 128];
    let codecs = shard(&[32, 32, 32], json!([bytes(), blosc("lz4", "shuffle", 4)]));
    part("shard of 8 MiB, whole", &codecs, large, Region::whole(&large));
    part("shard of 8 MiB, an inner chunk", &codecs, large, cut(&large, [32, 64, 96], [32, 32, 32]));
    part("shard of 8 MiB, a point", &codecs, large, cut(&large, [77, 7, 70], [1, 1, 1]));
    group.finish();
}

fn main() {
    let mut c = criterion();
    whole_chunks(&mut c);
    filters(&mut c);
    parts(&mut c);
    c.final_summary();
}
