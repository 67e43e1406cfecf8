use super::super::{DataType, Endian, SmallFloat, SmallInt, TimeScale, TimeUnit, typestr};
use super::*;
use crate::error::Kind;

/// The JSON of an element that is given by its bytes.
fn to_json(data_type: &DataType, order: Endian, element: &[u8], style: Style) -> Result<String> {
    super::to_json(data_type, order, &element.into(), style)
}

fn v2(data_type: &DataType, text: &str) -> Result<Vec<u8>> {
    parse(data_type, Endian::Little, text, Style::V2).map(|f| f.expect("not null").to_vec())
}

fn v3(data_type: &DataType, text: &str) -> Result<Vec<u8>> {
    parse(data_type, Endian::Little, text, Style::V3).map(|f| f.expect("not null").to_vec())
}

fn refused(result: Result<Vec<u8>>, text: &str) {
    assert_eq!(result.expect_err(text).kind(), Kind::InvalidMetadata, "{text}");
}

#[test]
fn integers_are_exact_and_bounded() {
    use DataType::*;
    for (t, text, bytes) in [
        (UInt64, "18446744073709551615", u64::MAX.to_ne_bytes()),
        (Int64, "-4611686018427387905", (-4611686018427387905i64).to_ne_bytes()),
        (Int64, "9007199254740993", 9007199254740993i64.to_ne_bytes()),
    ] {
        for format in [Style::V2, Style::V3] {
            let fill = parse(&t, Endian::Little, text, format).expect("good").expect("some");
            assert_eq!(*fill, bytes);
            assert_eq!(to_json(&t, Endian::Little, &fill, format).expect("good"), text);
        }
    }
    assert_eq!(v2(&Int32, "7.0").expect("integral"), 7i32.to_ne_bytes());
    assert_eq!(v3(&Int8, "-1e2").expect("integral"), (-100i8).to_ne_bytes());
    assert_eq!(v2(&Int32, "\"7\"").expect("quoted"), 7i32.to_ne_bytes());
    refused(v3(&Int32, "\"7\""), "quoted");
    for (t, text) in [
        (Int8, "128"),
        (UInt8, "-1"),
        (UInt8, "256"),
        (Int64, "9223372036854775808"),
        (UInt64, "1e20"),
        (UInt64, "99999999999999999999999999999999999999999999"),
        (Int32, "7.5"),
        (Int32, "true"),
        (Int32, "[1]"),
        (Int32, "1e400"),
        (Bool, "2"),
        (Bool, "\"true\""),
    ] {
        refused(v2(&t, text), text);
        refused(v3(&t, text), text);
    }
}

#[test]
fn floats_and_their_bits() {
    use DataType::*;
    assert_eq!(v3(&Float32, "\"0x7fc00001\"").expect("bits"), 0x7fc00001u32.to_ne_bytes());
    assert_eq!(v3(&BFloat16, "\"0x7fc1\"").expect("bits"), 0x7fc1u16.to_ne_bytes());
    assert_eq!(v3(&Float32, "\"NaN\"").expect("NaN"), 0x7fc00000u32.to_ne_bytes());
    assert_eq!(v2(&Float16, "\"-Infinity\"").expect("inf"), 0xfc00u16.to_ne_bytes());
    assert_eq!(v2(&Float64, "3").expect("integer"), 3f64.to_ne_bytes());
    assert_eq!(v2(&Float32, "9.96921e+36").expect("good"), 9.96921e+36f32.to_ne_bytes());
    for (t, text) in [
        (Float32, "\"0x7fc0\""),
        (Float32, "\"0x+fc00001\""),
        (Float32, "1e39"),
        (Float64, "1e400"),
        (Float16, "65520"),
        (Float64, "\"1.0\""),
        (Float64, "null_"),
        (Float64, "[]"),
    ] {
        refused(v3(&t, text), text);
    }
    refused(v2(&Float32, "\"0x7fc00001\""), "v2 has no bits");

    let json3 = |t: &DataType, e: &[u8]| to_json(t, Endian::Little, e, Style::V3).expect("good");
    let json2 = |t: &DataType, e: &[u8]| to_json(t, Endian::Little, e, Style::V2).expect("good");
    assert_eq!(json3(&Float32, &0.1f32.to_ne_bytes()), "0.1");
    assert_eq!(json3(&Float64, &(1.0f64 / 3.0).to_ne_bytes()), "0.3333333333333333");
    assert_eq!(json3(&Float64, &(-0.0f64).to_ne_bytes()), "-0.0");
    assert_eq!(json3(&Float64, &1e300f64.to_ne_bytes()).parse::<f64>(), Ok(1e300));
    assert_eq!(json3(&Float32, &0xffc00000u32.to_ne_bytes()), "\"0xffc00000\"");
    assert_eq!(json3(&Float32, &0x7fc00000u32.to_ne_bytes()), "\"NaN\"");
    assert_eq!(json3(&Float16, &0x7e01u16.to_ne_bytes()), "\"0x7e01\"");
    assert_eq!(json2(&Float32, &0xffc00001u32.to_ne_bytes()), "\"NaN\"");
}

#[test]
fn every_half_float_survives_the_way_through_json() {
    for bits in 0..=u16::MAX {
        for t in [DataType::Float16, DataType::BFloat16] {
            let element = bits.to_ne_bytes();
            let text = to_json(&t, Endian::Little, &element, Style::V3).expect("good");
            assert_eq!(v3(&t, &text).expect("good"), element, "{text}");
        }
    }
}

#[test]
fn complex_numbers() {
    let mut nan = Vec::from(f32::from_bits(0x7fc00000).to_ne_bytes());
    nan.extend((-f32::INFINITY).to_ne_bytes());
    let t = DataType::Complex64;
    assert_eq!(v3(&t, r#"["NaN", "-Infinity"]"#).expect("good"), nan);
    assert_eq!(v3(&t, r#"["0x7fc00000", "0xff800000"]"#).expect("good"), nan);
    assert_eq!(v2(&t, "[1.0, -2.0]").expect("good")[4..], (-2f32).to_ne_bytes());
    assert_eq!(v2(&DataType::Complex128, "0").expect("old"), [0; 16]);
    for text in ["[1]", "1", "[1, 2, 3]", "{}", "\"NaN\""] {
        refused(v3(&t, text), text);
    }
    assert_eq!(
        to_json(&t, Endian::Little, &nan, Style::V2).expect("good"),
        r#"["NaN", "-Infinity"]"#
    );
}

#[test]
fn small_integers() {
    let int4 = DataType::SmallInt(SmallInt::Int4);
    for (t, text, byte) in [
        (&int4, "-8", 0xf8),
        (&int4, "7", 7),
        (&DataType::SmallInt(SmallInt::UInt2), "3", 3),
        (&DataType::SmallInt(SmallInt::Int2), "-1", 0xff),
    ] {
        assert_eq!(v3(t, text).expect(text), [byte]);
        assert_eq!(to_json(t, Endian::Little, &[byte], Style::V3).expect(text), text);
        assert_eq!(to_json(t, Endian::Little, &[byte], Style::V2).expect(text), text);
    }
    // The upper bits say nothing.
    assert_eq!(to_json(&int4, Endian::Little, &[0x3f], Style::V3).expect("good"), "-1");
    for text in ["8", "-9", "\"0x07\"", "1.5", "\"NaN\""] {
        refused(v3(&int4, text), text);
    }
    refused(v3(&DataType::SmallInt(SmallInt::UInt4), "-1"), "-1");
}

#[test]
fn small_floats() {
    let e5m2 = DataType::SmallFloat(SmallFloat::Float8E5M2);
    let (e2m1, e8m0) = (SmallFloat::Float4E2M1Fn, SmallFloat::Float8E8M0Fnu);
    let (e2m1, e8m0) = (DataType::SmallFloat(e2m1), DataType::SmallFloat(e8m0));
    for (t, text, byte) in [
        (&e5m2, "1.0", 0x3c),
        (&e5m2, "0", 0),
        (&e5m2, "-0.0", 0x80),
        (&e5m2, "\"NaN\"", 0x7e),
        (&e5m2, "\"-Infinity\"", 0xfc),
        (&e5m2, "\"0xFD\"", 0xfd),
        (&e2m1, "-1.5", 0x0b),
        (&e8m0, "0.125", 0x7c),
        (&e8m0, "\"NaN\"", 0xff),
        (&e8m0, "0.0", 0),
    ] {
        assert_eq!(v3(t, text).expect(text), [byte], "{text}");
    }
    for (t, text) in [
        (&e5m2, "61440"),
        (&e5m2, "\"0x3c00\""),
        (&e5m2, "[1]"),
        (&e2m1, "7"),
        (&e2m1, "\"NaN\""),
        (&e2m1, "\"Infinity\""),
        (&e8m0, "-1"),
    ] {
        refused(v3(t, text), text);
    }
    assert_eq!(to_json(&e5m2, Endian::Little, &[0x3c], Style::V3).expect("good"), "\"0x3c\"");
    assert_eq!(to_json(&e2m1, Endian::Little, &[0xfb], Style::V3).expect("good"), "\"0x0b\"");
    assert_eq!(to_json(&e5m2, Endian::Little, &[0x3d], Style::V2).expect("good"), "1.25");
    assert_eq!(to_json(&e5m2, Endian::Little, &[0x7e], Style::V2).expect("good"), "\"NaN\"");
    for small in SmallFloat::ALL {
        let t = DataType::SmallFloat(small);
        for byte in 0..=0xff >> (8 - small.bits()) {
            let text = to_json(&t, Endian::Little, &[byte], Style::V3).expect("good");
            assert_eq!(v3(&t, &text).expect("good"), [byte], "{text} as {}", small.name());
        }
    }
}

#[test]
fn complex_of_small_floats() {
    let t = DataType::ComplexSmall(SmallFloat::Float8E4M3Fn);
    assert_eq!(v3(&t, "[1.0, \"NaN\"]").expect("good"), [0x38, 0x7f]);
    assert_eq!(v3(&t, "[\"0xff\", -0.5]").expect("good"), [0xff, 0xb0]);
    let text = to_json(&t, Endian::Little, &[0x38, 0xff], Style::V3).expect("good");
    assert_eq!(text, "[\"0x38\", \"0xff\"]");
    for text in ["1", "[1]", "[1, 500]", "[1, \"Infinity\"]"] {
        refused(v3(&t, text), text);
    }
    let halves = [0x3f80u16, 0xff80].map(u16::to_ne_bytes).concat();
    let t = DataType::ComplexBFloat16;
    assert_eq!(v3(&t, "[1.0, \"-Infinity\"]").expect("good"), halves);
    let text = to_json(&t, Endian::Little, &halves, Style::V3).expect("good");
    assert_eq!(text, "[1.0, \"-Infinity\"]");
    let halves = [0x3c00u16, 0x7e01].map(u16::to_ne_bytes).concat();
    assert_eq!(v3(&DataType::ComplexFloat16, "[1, \"0x7e01\"]").expect("good"), halves);
}

#[test]
fn bytes_and_text() {
    let s6 = DataType::FixedBytes(6);
    assert_eq!(v2(&s6, "\"YWIAYw==\"").expect("good"), b"ab\0c\0\0");
    assert_eq!(v2(&s6, "0").expect("old"), [0; 6]);
    assert_eq!(v2(&s6, "\"\"").expect("empty"), [0; 6]);
    assert_eq!(v2(&DataType::FixedBytes(1), "\"\\u0000\"").expect("NCZarr"), [0]);
    assert_eq!(v3(&s6, "\"YWIAYw\"").expect("no padding"), b"ab\0c\0\0");
    refused(v2(&s6, "\"YWJjZGVmZw==\""), "seven bytes");
    refused(v3(&s6, "\"!\""), "not Base64");
    refused(v3(&s6, "0"), "v3 has no old files");
    let r24 = DataType::Raw(3);
    assert_eq!(v3(&r24, "[1, 2, 255]").expect("core"), [1, 2, 255]);
    assert_eq!(v3(&r24, "\"AQID\"").expect("Base64"), [1, 2, 3]);
    for text in ["[1, 2]", "[1, 2, 256]", "\"AQI=\"", "[1,2,-1]", "1", "\"!!\""] {
        refused(v3(&r24, text), text);
    }
    refused(v2(&r24, "\"AQI=\""), "too short");
    let u4 = DataType::FixedUtf32(4);
    let fill = v3(&u4, "\"né☃\"").expect("good");
    assert_eq!(fill[8..12], 0x2603u32.to_ne_bytes());
    assert_eq!(to_json(&u4, Endian::Little, &fill, Style::V2).expect("good"), "\"né☃\"");
    refused(v3(&u4, "\"abcde\""), "five");
    refused(v2(&u4, "\"\\ud800\""), "half a pair");
    assert!(to_json(&u4, Endian::Little, &[0xff; 16], Style::V2).is_err());
}

#[test]
fn times() {
    let t = DataType::DateTime64(TimeScale { unit: TimeUnit::Second, count: 1 });
    assert_eq!(v3(&t, "\"NaT\"").expect("good"), v3(&t, "-9223372036854775808").expect("good"));
    assert_eq!(v2(&t, "1577934245").expect("good"), 1577934245i64.to_ne_bytes());
    refused(v3(&t, "\"2020-01-01\""), "text");
    let nat = i64::MIN.to_ne_bytes();
    assert_eq!(to_json(&t, Endian::Little, &nat, Style::V3).expect("good"), "\"NaT\"");
    assert_eq!(to_json(&t, Endian::Little, &nat, Style::V2).expect("good"), "-9223372036854775808");
}

#[test]
fn structs_in_every_spelling() {
    let (t, order) = typestr::parse_json(r#"[["a", "<i4"], ["b", "<f8"]]"#).expect("good");
    assert_eq!(order, Some(Endian::Little));
    let expected = [&7i32.to_ne_bytes()[..], &5f64.to_ne_bytes()].concat();
    assert_eq!(v2(&t, "\"BwAAAAAAAAAAABRA\"").expect("Base64"), expected);
    assert_eq!(v2(&t, "[7, 5.0]").expect("list"), expected);
    assert_eq!(v3(&t, r#"{"b": 5, "a": 7}"#).expect("object"), expected);
    assert_eq!(v2(&t, "0").expect("old"), [0; 12]);
    for text in ["\"BwAAAAAAAAAAABQ=\"", "[7]", r#"{"a": 7}"#, r#"{"a":7,"b":5,"c":1}"#, "7"] {
        refused(v3(&t, text), text);
    }
    for style in [Style::V2, Style::V3] {
        let json = to_json(&t, Endian::Little, &expected, style).expect("good");
        assert_eq!(json, "\"BwAAAAAAAAAAABRA\"");
    }

    // Stored as 0x0102 little-endian, 0x03040506 big-endian, then 2 x 2 bytes.
    let mixed = r#"[["le", "<u2"], ["be", ">u4"], ["sub", "|u1", [2, 2]]]"#;
    let (t, _) = typestr::parse_json(mixed).expect("good");
    let fill = v2(&t, "\"AgEDBAUGBwgJCg==\"").expect("good");
    assert_eq!(fill[..2], 0x0102u16.to_ne_bytes());
    assert_eq!(fill[2..6], 0x03040506u32.to_ne_bytes());
    assert_eq!(v2(&t, "[258, 50595078, [[7, 8], [9, 10]]]").expect("list"), fill);
    refused(v2(&t, "[258, 50595078, [[7, 8], [9]]]"), "ragged");
    assert_eq!(
        to_json(&t, Endian::Little, &fill, Style::V2).expect("good"),
        "\"AgEDBAUGBwgJCg==\""
    );
}

#[test]
fn a_wrong_size_is_the_callers_mistake() {
    let e = to_json(&DataType::Int32, Endian::Little, &[0; 3], Style::V3);
    assert_eq!(e.expect_err("short").kind(), Kind::InvalidArgument);
}
