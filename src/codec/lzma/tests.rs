//! Tests of `lzma`.

use super::*;
use serde_json::json;

fn codec(configuration: Value) -> Result<Box<dyn BytesCodec>> {
    let members = configuration.as_object().cloned().expect("an object");
    let spec = CodecSpec::new("lzma", members);
    let chunk = ChunkSpec {
        shape: vec![1],
        data_type: crate::metadata::DataType::UInt8,
        fill: vec![0].into(),
        most: None,
    };
    match build(&Config::new(&spec), &chunk)? {
        Codec::Bytes(codec) => Ok(codec),
        _ => panic!("another kind"),
    }
}

/// What Python's lzma module makes of `b"zarr" * 8`.
fn of_python() -> Vec<(Value, &'static [u8])> {
    vec![
        (
            json!({"preset": 1}),
            b"\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x10\x00\x00\x00\xa8\
              \x70\x8e\x86\xe0\x00\x1f\x00\x0a\x5d\x00\x3d\x18\x4a\xac\x00\x1e\xcc\x79\x00\x00\x00\
              \x00\x00\xf5\x85\xa3\x57\xa1\x8a\xd6\x1a\x00\x01\x26\x20\xc7\x16\x36\xd8\x1f\xb6\xf3\
              \x7d\x01\x00\x00\x00\x00\x04\x59\x5a",
        ),
        (
            json!({"format": 2}),
            b"\x5d\x00\x00\x80\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00\x3d\x18\x4a\xbe\xfc\xaa\xd4\
              \x00\xef\xff\xff\xdf\x11\x00\x00",
        ),
        (
            json!({"format": 3, "filters": [{"id": 3, "dist": 4}, {"id": 33, "preset": 1}]}),
            b"\xe0\x00\x1f\x00\x0b\x5d\x00\x3d\x18\x4a\xab\xf0\x0e\x66\xc2\x7c\x00\x00\x00",
        ),
    ]
}

#[test]
fn streams_of_python_are_read_and_written() {
    let data = b"zarr".repeat(8);
    for (configuration, python) in of_python() {
        let codec = codec(configuration.clone()).expect("good");
        let mut out = [0; 32];
        codec.decode(python, &mut out, 1).expect("decodes");
        assert_eq!(out, data[..], "{configuration}");
        let mut encoded = Vec::new();
        codec.encode(&data, &mut encoded, 1).expect("encodes");
        assert_eq!(encoded, python, "{configuration}");
        let mut twice = python.to_vec();
        if configuration.get("format").is_none() {
            twice.extend([0; 8]); // padding
        }
        twice.extend(python);
        let mut grown = Vec::new();
        codec.decode_unknown(&twice, &mut grown, 64).expect("decodes");
        assert_eq!(grown, data.repeat(2), "{configuration}");
        assert!(codec.decode_unknown(&twice, &mut Vec::new(), 63).is_err());
        assert!(codec.decode(&twice, &mut out, 1).is_err());
        twice.push(1);
        assert!(codec.decode_unknown(&twice, &mut Vec::new(), 64).is_err(), "{configuration}");
    }
}

#[test]
fn every_check_and_chain_is_written_and_read() {
    let data: Vec<u8> = (0..20_000u32).flat_map(|i| (i * i / 7).to_le_bytes()).collect();
    let lzma1 = 0x4000_0000_0000_0001u64;
    for configuration in [
        json!({"check": 0}),
        json!({"check": 1, "preset": 0}),
        json!({"check": 4, "preset": 9}),
        json!({"check": 10, "preset": 2_147_483_649u32}),
        json!({"filters": [{"id": 3, "dist": 4}, {"id": 33}]}),
        json!({"filters": [{"id": 4, "start_offset": 16}, {"id": 33, "dict_size": 4096}]}),
        json!({"format": 2, "filters": [{"id": lzma1, "preset": 3, "lc": 0, "lp": 2, "pb": 0}]}),
        json!({"format": 3, "filters": [{"id": lzma1}]}),
        json!({"format": 3, "filters": [{"id": 33, "mode": 1, "mf": 3, "nice_len": 32}]}),
    ] {
        let codec = codec(configuration.clone()).expect("good");
        let mut encoded = Vec::new();
        codec.encode(&data, &mut encoded, 1).expect("encodes");
        let Len::AtMost(most) = codec.encoded_len(Len::Exactly(data.len() as u64)) else {
            panic!("has a bound");
        };
        assert!(encoded.len() as u64 <= most);
        let mut out = vec![0; data.len()];
        codec.decode(&encoded, &mut out, 1).expect("decodes");
        assert!(out == data, "{configuration}");
        for cut in (0..encoded.len()).step_by(101).chain(encoded.len() - 3..encoded.len()) {
            assert!(codec.decode(&encoded[..cut], &mut out, 1).is_err(), "{configuration}: {cut}");
        }
    }
}

#[test]
fn the_bounds_hold_for_the_best_and_the_worst() {
    let zeros = vec![0; 4_000_000];
    let mut n = 1u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (n >> 56) as u8
    })
    .take(300_000)
    .collect();
    for format in [json!({"preset": 1}), json!({"format": 2, "preset": 1})] {
        let codec = codec(format).expect("good");
        for data in [&zeros, &noise] {
            let mut encoded = Vec::new();
            codec.encode(data, &mut encoded, 1).expect("encodes");
            let len = data.len() as u64;
            assert!(codec.decoded_bound(encoded.len() as u64) >= len);
            let Len::AtMost(most) = codec.encoded_len(Len::Exactly(len)) else {
                panic!("has a bound");
            };
            assert!(encoded.len() as u64 <= most);
        }
    }
}

#[test]
fn a_dictionary_is_no_larger_than_what_it_is_for() {
    // the header of ALONE asks for 4 GiB, the .xz block for 1.5 GiB
    let data = b"zarr".repeat(8);
    let mut out = [0; 32];
    let [_, (alone, python), _] = &of_python()[..] else { panic!("three") };
    let mut encoded = python.to_vec();
    encoded[1..5].fill(0xFF);
    codec(alone.clone()).expect("good").decode(&encoded, &mut out, 1).expect("decodes");
    assert_eq!(out, data[..]);
    let large = codec(json!({"filters": [{"id": 33, "dict_size": 1_610_612_736, "preset": 0}]}));
    let codec = large.expect("good");
    let mut encoded = Vec::new();
    codec.encode(&data, &mut encoded, 1).expect("encodes");
    out.fill(0);
    codec.decode(&encoded, &mut out, 1).expect("decodes");
    assert_eq!(out, data[..]);
}

#[test]
fn wrong_parameters_are_named() {
    for (configuration, word) in [
        (json!({"format": 0}), "format"),
        (json!({"format": 4}), "format"),
        (json!({"check": 2}), "check"),
        (json!({"format": 2, "check": 4}), "check"),
        (json!({"preset": 10}), "preset"),
        (json!({"format": 3}), "filters"),
        (json!({"format": 3, "filters": 7}), "filters"),
        (json!({"preset": 1, "filters": [{"id": 33}]}), "preset"),
        (json!({"filters": [{"id": 33}, {"id": 3}]}), "filters"),
        (json!({"filters": [{"id": 77}]}), "id"),
        (json!({"filters": [{"id": 3, "dist": 0}]}), "dist"),
        (json!({"filters": [{"id": 3, "distance": 1}]}), "distance"),
        (json!({"filters": [{"id": 33, "lc": 9}]}), "filters"),
        (json!({"format": 2, "filters": [{"id": 33}]}), "filters"),
        (json!({"level": 1}), "level"),
    ] {
        let e = codec(configuration).err().expect("refused");
        assert_eq!(e.kind(), Kind::InvalidMetadata);
        assert!(e.to_string().contains(word), "{e}");
    }
}
