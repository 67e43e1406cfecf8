//! A chain of each codec of the table with a configuration that it accepts: for the tests that run
//! every codec, and for fuzzing.

use serde_json::{Value, json};
use zarrc::metadata::codecs::CodecEntry;
use zarrc::metadata::{CodecKind, DataType};

/// What a codec encodes in tests.
pub struct Sample {
    /// The type of the elements.
    pub data_type: DataType,
    /// The parameters of the codec.
    pub configuration: Value,
}

/// A codec for chunks of shape 4 x 6. A codec that is not listed gets int32 and no parameters.
pub fn sample(codec: &CodecEntry) -> Sample {
    let bytes = |endian: &str| json!({"name": "bytes", "configuration": {"endian": endian}});
    let (data_type, configuration) = match codec.name {
        "astype" => (DataType::Int32, json!({"encode_dtype": "<i8", "decode_dtype": "<i4"})),
        "bitround" => (DataType::Float32, json!({"keepbits": 12})),
        "bytes" => (DataType::Int32, json!({"endian": "little"})),
        "cast_value" => (DataType::Int32, json!({"data_type": "int64"})),
        "categorize" => (DataType::String, json!({"labels": ["north", "south"]})),
        "conditional" => (DataType::Int32, json!({"codecs": [{"name": "zstd"}]})),
        "delta" => (DataType::Int32, json!({"dtype": "<i4"})),
        "fixedscaleoffset" => {
            (DataType::Float64, json!({"offset": 0, "scale": 1, "dtype": "<f8", "astype": "<i4"}))
        }
        "json2" | "msgpack2" | "pickle" => (DataType::Json, json!({})),
        "n5_default" => {
            let transpose = json!({"name": "transpose", "configuration": {"order": [1, 0]}});
            (DataType::Int32, json!({"codecs": [transpose, bytes("big")]}))
        }
        "numcodecs.packbits" | "packbits" => (DataType::Bool, json!({})),
        "quantize" => (DataType::Float64, json!({"digits": 1, "dtype": "<f8"})),
        "reshape" => (DataType::Int32, json!({"shape": [-1]})),
        "sharding_indexed" => {
            let index = json!([bytes("little"), {"name": "crc32c"}]);
            let inner = [bytes("little")];
            (
                DataType::Int32,
                json!({"chunk_shape": [2, 3], "codecs": inner, "index_codecs": index}),
            )
        }
        "transpose" => (DataType::Int32, json!({"order": [1, 0]})),
        "vlen-array" => (DataType::Ragged(DataType::UInt8.into()), json!({"dtype": "|u1"})),
        "vlen-bytes" => (DataType::Bytes, json!({})),
        "vlen-utf8" => (DataType::String, json!({})),
        "zarrc.packing" => (
            DataType::Float64,
            json!({"data_type": "int16", "scale_factor": 0.5, "add_offset": 1, "missing": -1}),
        ),
        "zfp" => (DataType::Int32, json!({"mode": "reversible"})),
        "zfpy" => (DataType::Int32, json!({"mode": 5})),
        _ => (DataType::Int32, json!({})),
    };
    Sample { data_type, configuration }
}

/// The chain that the codec stands in, as v3 writes it.
pub fn chain(codec: &CodecEntry) -> Value {
    let sample = sample(codec);
    let this = json!({"name": codec.name, "configuration": sample.configuration});
    let bytes = match sample.data_type.has_byte_order() {
        true => json!({"name": "bytes", "configuration": {"endian": "little"}}),
        false => json!({"name": "bytes"}),
    };
    match codec.kind {
        CodecKind::ArrayToArray => json!([this, bytes]),
        CodecKind::ArrayToBytes => json!([this]),
        CodecKind::BytesToBytes => json!([bytes, this]),
    }
}
