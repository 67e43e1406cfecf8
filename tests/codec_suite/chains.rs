//! The chains that the suite runs: each codec of the table stands in one of them at least.

use serde_json::{Value, json};
use zarrc::metadata::DataType;

pub fn index_codecs() -> Value {
    json!([{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}])
}

/// Chains that give back any elements as they were.
pub fn chains() -> Vec<(&'static str, Value)> {
    let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
    let big = json!({"name": "bytes", "configuration": {"endian": "big"}});
    let transpose = json!({"name": "transpose", "configuration": {"order": [2, 0, 1]}});
    let reshape = |shape: Value| json!({"name": "reshape", "configuration": {"shape": shape}});
    let zstd = json!({"name": "zstd", "configuration": {"level": 1, "checksum": true}});
    let blosc = |cname: &str, shuffle: &str| {
        json!({"name": "blosc", "configuration": {"cname": cname, "clevel": 5, "shuffle": shuffle,
               "typesize": 4, "blocksize": 256}})
    };
    let shard = |codecs: Value, location: &str| {
        json!({"name": "sharding_indexed", "configuration": {"chunk_shape": [2, 5, 3],
               "codecs": codecs, "index_codecs": index_codecs(), "index_location": location}})
    };
    let nested = json!({"name": "sharding_indexed", "configuration": {"chunk_shape": [4, 5, 6],
        "codecs": [shard(json!([bytes, zstd]), "start")],
        "index_codecs": index_codecs()}});
    let reversed = json!({"name": "transpose", "configuration": {"order": [2, 1, 0]}});
    let n5 = |compressor: Option<Value>| {
        let mut codecs = vec![reversed.clone(), big.clone()];
        codecs.extend(compressor);
        json!({"name": "n5_default", "configuration": {"codecs": codecs}})
    };
    vec![
        ("raw", json!([bytes])),
        ("big-endian", json!([big])),
        ("transposed", json!([transpose, big])),
        ("reshaped", json!([reshape(json!([[0], -1])), big])),
        ("squeezed", json!([reshape(json!([1, [0], 1, -1])), {"name": "zarrs.squeeze"}, big])),
        (
            "reshaped, turned",
            json!([transpose, reshape(json!([[0, 1], 2, 5])), {"name": "transpose",
            "configuration": {"order": [1, 2, 0]}}, bytes, zstd]),
        ),
        ("reshaped shard", json!([reshape(json!([[0], 10, 12])), shard(json!([bytes]), "end")])),
        ("cut shard", json!([reshape(json!([2, 40, -1])), shard(json!([big, zstd]), "start")])),
        ("gzip", json!([bytes, {"name": "gzip", "configuration": {"level": 5}}])),
        ("zlib", json!([bytes, {"name": "zlib", "configuration": {"level": 1}}])),
        ("zstd", json!([transpose, bytes, zstd])),
        ("lz4", json!([bytes, {"name": "lz4"}])),
        ("bz2", json!([bytes, {"name": "bz2", "configuration": {"level": 9}}])),
        ("lzma", json!([bytes, {"name": "lzma", "configuration": {"preset": 0}}])),
        (
            "lzma raw",
            json!([bytes, {"name": "lzma", "configuration": {"format": 3, "filters":
            [{"id": 3, "dist": 4}, {"id": 33, "preset": 0}]}}]),
        ),
        ("shuffle", json!([bytes, {"name": "shuffle", "configuration": {"elementsize": 4}}, zstd])),
        ("base64", json!([bytes, {"name": "base64"}])),
        ("crc32", json!([bytes, {"name": "crc32"}])),
        ("adler32", json!([bytes, {"name": "adler32", "configuration": {"location": "end"}}])),
        ("fletcher32", json!([bytes, {"name": "fletcher32"}])),
        (
            "jenkins_lookup3",
            json!([bytes, {"name": "jenkins_lookup3", "configuration": {"initval": 7}}]),
        ),
        ("crc32c", json!([big, {"name": "crc32c"}])),
        ("blosc lz4", json!([bytes, blosc("lz4", "shuffle")])),
        ("blosc zstd bits", json!([transpose, big, blosc("zstd", "bitshuffle")])),
        ("blosc blosclz", json!([bytes, blosc("blosclz", "noshuffle")])),
        ("blosc snappy", json!([bytes, blosc("snappy", "shuffle")])),
        ("several", json!([bytes, {"name": "gzip"}, zstd, {"name": "lz4"}, {"name": "crc32c"}])),
        ("shard", json!([shard(json!([bytes, blosc("lz4", "shuffle")]), "end")])),
        (
            "shard, transposed",
            json!([{"name": "transpose", "configuration": {"order": [0, 1, 2]}},
            shard(json!([transpose, big, {"name": "crc32c"}]), "start")]),
        ),
        ("shard in gzip", json!([shard(json!([bytes]), "end"), {"name": "gzip"}])),
        ("shard in shard", json!([nested])),
        ("n5", json!([n5(None)])),
        ("n5, as of N5", json!([reversed, n5(Some(json!({"name": "gzip"})))])),
        (
            "n5, lz4",
            json!([n5(Some(json!({"name": "lz4_java", "configuration": {"blockSize": 64}})))]),
        ),
        (
            "n5 in a shard in gzip",
            json!([shard(json!([n5(Some(zstd.clone()))]), "end"), {"name": "gzip"}]),
        ),
    ]
}

/// Chains for elements of one type, which may round them.
pub fn chains_that_round() -> Vec<(&'static str, DataType, Value)> {
    let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
    let big = json!({"name": "bytes", "configuration": {"endian": "big"}});
    let zstd = json!({"name": "zstd", "configuration": {"level": 1, "checksum": true}});
    let crc = json!({"name": "crc32c"});
    let bitround = json!({"name": "bitround", "configuration": {"keepbits": 5}});
    let delta = |dtype: &str, astype: &str| json!({"name": "delta", "configuration": {"dtype": dtype, "astype": astype}});
    let fso = |dtype: &str, astype: &str| {
        json!({"name": "fixedscaleoffset", "configuration":
            {"dtype": dtype, "astype": astype, "offset": -3, "scale": 4}})
    };
    let packbits =
        |configuration: Value| json!({"name": "packbits", "configuration": configuration});
    let shard = |codecs: Value| {
        json!({"name": "sharding_indexed", "configuration": {"chunk_shape": [2, 2, 2],
               "codecs": codecs, "index_codecs": index_codecs()}})
    };
    let transpose = json!({"name": "transpose", "configuration": {"order": [2, 0, 1]}});
    vec![
        ("bitround", DataType::Float32, json!([bitround, transpose, bytes])),
        ("bitround, turned", DataType::Int16, json!([transpose, bitround, bytes, {"name": "lz4"}])),
        ("delta", DataType::Int32, json!([transpose, delta("<i4", "<i2"), bytes])),
        ("delta in shards", DataType::UInt8, json!([shard(json!([delta("|u1", "|u1"), bytes]))])),
        ("delta of floats", DataType::Float64, json!([delta("<f8", "<f8"), bytes, zstd])),
        ("delta of bytes", DataType::Int16, json!([bytes, crc, delta(">i4", ">i4"), zstd])),
        (
            "shards behind delta",
            DataType::Int64,
            json!([delta("<i8", "<i4"), shard(json!([bytes]))]),
        ),
        ("fixedscaleoffset", DataType::Float32, json!([fso("<f4", "<i2"), transpose, bytes])),
        (
            "fixedscaleoffset of bytes",
            DataType::Float64,
            json!([bytes, zstd, crc, fso("|u1", ">u2")]),
        ),
        (
            "quantize",
            DataType::Float64,
            json!([
            {"name": "quantize", "configuration": {"digits": 1, "dtype": "<f8", "astype": "<f4"}},
            bytes]),
        ),
        (
            "quantize only",
            DataType::Float32,
            json!([
            {"name": "quantize", "configuration": {"digits": 2, "dtype": "<f4"}}, big, zstd]),
        ),
        (
            "astype",
            DataType::Float64,
            json!([
            {"name": "astype", "configuration": {"encode_dtype": "<f2", "decode_dtype": "<f8"}},
            shard(json!([big, zstd]))]),
        ),
        (
            "packbits of numcodecs",
            DataType::Bool,
            json!([
            {"name": "numcodecs.packbits"}, bytes, crc]),
        ),
        ("packbits of bytes", DataType::Bool, json!([bytes, {"name": "numcodecs.packbits"}, crc])),
        ("packbits", DataType::Bool, json!([packbits(json!({"padding_encoding": "first_byte"}))])),
        (
            "packbits of some bits",
            DataType::UInt16,
            json!([
                transpose,
                packbits(json!({"first_bit": 1, "last_bit": 11, "padding_encoding": "last_byte"})),
                zstd
            ]),
        ),
        ("packbits of parts", DataType::Complex64, json!([shard(json!([packbits(json!({}))]))])),
        (
            "scale_offset",
            DataType::Int32,
            json!([
            {"name": "scale_offset", "configuration": {"offset": 7, "scale": -3}}, bytes]),
        ),
        (
            "scale_offset, cast_value",
            DataType::Float32,
            json!([
            {"name": "scale_offset", "configuration": {"offset": -10, "scale": 2}}, transpose,
            {"name": "cast_value", "configuration": {"data_type": "uint8", "out_of_range": "clamp",
             "scalar_map": {"encode": [["NaN", 0]], "decode": [[0, "NaN"]]}}},
            shard(json!([{"name": "bytes"}, zstd]))]),
        ),
        (
            "packing",
            DataType::Float64,
            json!([
            {"name": "zarrc.packing", "configuration": {"data_type": "int32", "scale_factor": 0.25,
             "add_offset": 3.5, "missing": -2_147_483_648i64}}, transpose, bytes, zstd]),
        ),
        (
            "conditional",
            DataType::UInt16,
            json!([bytes,
            {"name": "conditional", "configuration": {"codecs": [crc, zstd], "header_bits": 16}}]),
        ),
    ]
}

/// Chains for elements of one type.
pub fn chains_of_types() -> Vec<(&'static str, DataType, Value)> {
    let transpose = json!({"name": "transpose", "configuration": {"order": [2, 0, 1]}});
    let zfp = json!({"name": "zfp", "configuration": {"mode": "reversible"}});
    let zfpy = json!({"name": "zfpy", "configuration": {"mode": 5}});
    let pcodec = json!({"name": "pcodec", "configuration": {"level": 4}});
    vec![
        ("zfp", DataType::Float32, json!([transpose, zfp])),
        ("zfp of small integers", DataType::UInt16, json!([zfp, {"name": "crc32c"}])),
        ("zfpy", DataType::Int64, json!([zfpy])),
        ("zfpy in gzip", DataType::Float64, json!([transpose, zfpy, {"name": "gzip"}])),
        ("pcodec", DataType::Int32, json!([pcodec])),
        ("pcodec of floats", DataType::Float64, json!([transpose, pcodec, {"name": "crc32"}])),
    ]
}
