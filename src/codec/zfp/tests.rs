//! Tests of `zfp` and `zfpy`; the bytes are those of numcodecs and zfpy.

use super::*;
use crate::call::Call;
use crate::metadata::CodecSpec;
use crate::selection::Region;
use crate::strided::{View, ViewMut};
use serde_json::{Value, json};

fn spec(data_type: DataType, shape: &[u64]) -> ChunkSpec {
    let fill = vec![0; data_type.size()].into();
    ChunkSpec { shape: shape.to_vec(), data_type, fill, most: None }
}

fn make(
    name: &str,
    configuration: Value,
    spec: &ChunkSpec,
) -> Result<Box<dyn crate::codec::ArrayBytesCodec>> {
    let members = configuration.as_object().cloned().expect("an object");
    let codec = CodecSpec::new(name, members);
    let build = if name == "zfp" { build_zfp } else { build_zfpy };
    match build(&Config::new(&codec), spec)? {
        Codec::ArrayBytes(codec) => Ok(codec),
        _ => panic!("another kind"),
    }
}

fn hex(text: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).expect("hexadecimal") as u8;
    text.as_bytes().chunks(2).map(|two| digit(two[0]) << 4 | digit(two[1])).collect()
}

fn encode(
    codec: &dyn crate::codec::ArrayBytesCodec,
    spec: &ChunkSpec,
    bytes: &[u8],
) -> Result<Vec<u8>> {
    let shape: Vec<usize> = spec.shape.iter().map(|&n| n as usize).collect();
    let view = View::contiguous(bytes, &shape, spec.data_type.size())?;
    let call = Call { write_empty: true, ..Call::new(1) };
    Ok(codec.encode(&view, &call)?.parts().concat())
}

fn decode(
    codec: &dyn crate::codec::ArrayBytesCodec,
    spec: &ChunkSpec,
    encoded: &[u8],
) -> Result<Vec<u8>> {
    let shape: Vec<usize> = spec.shape.iter().map(|&n| n as usize).collect();
    let item = spec.data_type.size();
    let mut out = vec![0x55; shape.iter().product::<usize>() * item];
    let dst = ViewMut::contiguous(&mut out, &shape, item)?;
    codec.decode(&encoded, &Region::whole(&spec.shape), dst, &Call::new(1))?;
    Ok(out)
}

fn bytes<T, const N: usize>(values: impl Iterator<Item = T>, of: fn(T) -> [u8; N]) -> Vec<u8> {
    values.flat_map(of).collect()
}

#[test]
fn what_zfpy_writes_is_written_and_read() {
    let f4 = bytes((0..30).map(|i| i as f32 * 0.5), f32::to_ne_bytes);
    let i4 = bytes((0..30i32).map(|i| i * i - 100), i32::to_ne_bytes);
    let f8 = bytes((0..7).map(|i| -1.0 + f64::from(i) * 0.25), f64::to_ne_bytes);
    let accuracy = "7a667005560000400000c0ca074905250100000000076d5154a4000000000000808356740100\
                    00c041836004000000000000000000000000";
    let plain = "074905250100000000076d5154a400000000000080835674010000c0418360040000000000000000";
    let reversible = "7a66700548002000100000881f000004000000000840800002200c010200002200020000aa19\
                      208000a867b0000400a080000000aa00020000080e0c0001087eb000062007010200003e0000\
                      88010000002004010208802004080000c810280000a862800002a08c8102000002060a0000c8\
                      10280000202020000020888102088018040800000000";
    let rate = "7a667005630000000000f00301c8ba0000000000ff87ab5b0500000000000000";
    for (name, configuration, data_type, shape, data, expected, error) in [
        (
            "zfpy",
            json!({"mode": 4, "tolerance": 0.01, "compression_kwargs": {"tolerance": 0.01}}),
            DataType::Float32,
            &[5u64, 6][..],
            &f4,
            accuracy,
            0.01,
        ),
        (
            "zfp",
            json!({"mode": "fixed_accuracy", "tolerance": 0.01}),
            DataType::Float32,
            &[5, 6],
            &f4,
            plain,
            0.01,
        ),
        ("zfpy", json!({"mode": 5}), DataType::Int32, &[2, 3, 5], &i4, reversible, 0.0),
        ("zfpy", json!({"mode": 2, "rate": 16}), DataType::Float64, &[7], &f8, rate, 0.001),
    ] {
        let spec = spec(data_type.clone(), shape);
        let codec = make(name, configuration.clone(), &spec).expect("good");
        let encoded = encode(&*codec, &spec, data).expect("encodes");
        assert_eq!(encoded, hex(expected), "{configuration}");
        let found = decode(&*codec, &spec, &encoded).expect("decodes");
        match data_type {
            DataType::Float32 => {
                for (a, b) in found.chunks_exact(4).zip(data.chunks_exact(4)) {
                    let of = |b: &[u8]| f32::from_ne_bytes([b[0], b[1], b[2], b[3]]);
                    assert!(f64::from((of(a) - of(b)).abs()) <= error);
                }
            }
            DataType::Float64 => assert_ne!(found, vec![0x55; data.len()]),
            _ => assert_eq!(found, *data),
        }
        for cut in 0..encoded.len() - 8 {
            assert!(decode(&*codec, &spec, &encoded[..cut]).is_err(), "{configuration} {cut}");
        }
        let longer = [&encoded[..], &[0; 8]].concat();
        assert!(decode(&*codec, &spec, &longer).is_err(), "{configuration}");
    }
}

#[test]
fn every_type_comes_back_in_any_shape() {
    let types = [
        DataType::Int8,
        DataType::UInt8,
        DataType::Int16,
        DataType::UInt16,
        DataType::Int32,
        DataType::UInt32,
        DataType::Int64,
        DataType::UInt64,
        DataType::Float16,
        DataType::BFloat16,
        DataType::Float32,
        DataType::Float64,
    ];
    for data_type in types {
        for shape in
            [&[][..], &[1], &[9], &[2, 3], &[4, 8], &[5, 1, 3], &[2, 3, 5, 6], &[1, 4, 1, 7]]
        {
            let spec = spec(data_type.clone(), shape);
            let len = spec.size().expect("fits") as usize;
            let item = data_type.size();
            // no NaN and no number above the signed ones
            let data: Vec<u8> = (0..len)
                .map(|i| if i % item == item - 1 { 0x30 } else { (i * 37 + i / 5) as u8 })
                .collect();
            let codec = make("zfp", json!({"mode": "reversible"}), &spec).expect("good");
            let encoded = encode(&*codec, &spec, &data).expect("encodes");
            let Len::AtMost(most) = codec.encoded_len() else { panic!("has a bound") };
            assert!(encoded.len() as u64 <= most);
            let found = decode(&*codec, &spec, &encoded).expect("decodes");
            assert_eq!(found, data, "{data_type:?} {shape:?}");
        }
    }
}

#[test]
fn nothing_is_clamped_in_silence() {
    let spec = spec(DataType::UInt32, &[4]);
    let codec = make("zfp", json!({"mode": "reversible"}), &spec).expect("good");
    let data = bytes([1u32, 2, 3_000_000_000, 4].into_iter(), u32::to_ne_bytes);
    let e = encode(&*codec, &spec, &data).expect_err("too large");
    assert_eq!(e.kind(), Kind::Unsupported);
}

#[test]
fn a_header_of_another_chunk_is_an_error() {
    let data = bytes(0..64i32, i32::to_ne_bytes);
    let one = spec(DataType::Int32, &[4, 4, 4]);
    let configuration = || json!({"mode": 5});
    let encoded = encode(&*make("zfpy", configuration(), &one).expect("good"), &one, &data);
    let encoded = encoded.expect("encodes");
    // as many elements in another shape are what filters leave
    let flat = spec(DataType::Int32, &[64]);
    let codec = make("zfpy", configuration(), &flat).expect("good");
    assert_eq!(decode(&*codec, &flat, &encoded).expect("decodes"), data);
    for other in [spec(DataType::Int32, &[63]), spec(DataType::Float32, &[64])] {
        let codec = make("zfpy", configuration(), &other).expect("good");
        let e = decode(&*codec, &other, &encoded).expect_err("another chunk");
        assert_eq!(e.kind(), Kind::CorruptData);
    }
}

#[test]
fn wrong_parameters_are_named() {
    let f4 = spec(DataType::Float32, &[4, 4]);
    for (name, configuration, word) in [
        ("zfp", json!({}), "mode"),
        ("zfp", json!({"mode": "lossless"}), "mode"),
        ("zfp", json!({"mode": "reversible", "rate": 1}), "rate"),
        ("zfp", json!({"mode": "fixed_rate"}), "rate"),
        ("zfp", json!({"mode": "fixed_rate", "rate": 0}), "rate"),
        ("zfp", json!({"mode": "fixed_rate", "rate": 1e9}), "rate"),
        ("zfp", json!({"mode": "fixed_accuracy", "tolerance": "1"}), "tolerance"),
        ("zfp", json!({"mode": "fixed_accuracy", "tolerance": -1}), "tolerance"),
        ("zfp", json!({"mode": "fixed_precision", "precision": -1}), "precision"),
        (
            "zfp",
            json!({"mode": "expert", "minbits": 1, "maxbits": 8, "maxprec": 9, "minexp": 0}),
            "maxbits",
        ),
        (
            "zfp",
            json!({"mode": "expert", "minbits": 1, "maxbits": 9, "maxprec": 65, "minexp": 0}),
            "maxprec",
        ),
        ("zfp", json!({"mode": "expert", "minbits": 1, "maxbits": 9, "maxprec": 6}), "minexp"),
        ("zfpy", json!({"mode": 1}), "mode"),
        ("zfpy", json!({"write_header": true}), "write_header"),
    ] {
        let e = make(name, configuration, &f4).err().expect("refused");
        assert_eq!(e.kind(), Kind::InvalidMetadata);
        assert!(e.to_string().contains(word), "{e}");
    }
    let rank = spec(DataType::Float32, &[1; 5]);
    assert!(make("zfp", json!({"mode": "reversible"}), &rank).is_err());
    assert!(make("zfpy", json!({}), &spec(DataType::UInt8, &[1])).is_err());
}
