use super::*;

/// The results of ml_dtypes, except those where it saturates or returns an infinity.
#[test]
fn as_elsewhere() {
    const NO: u16 = 0x100;
    let inputs = [
        1.0, -1.5, 0.1, -0.3, 0.0625, 0.003, 2.5, -3.25, 5.0, -0.7, 15.6, -100.0, 250.0, 464.0,
        50000.0,
    ];
    let bytes = [0x01, 0x03, 0x05, 0x1f, 0x27, 0x3c, 0x6e, 0x7b, 0x81, 0xc5];
    #[rustfmt::skip]
    let table: [(SmallFloat, [u16; 15], [f32; 10]); 11] = [
        (SmallFloat::Float4E2M1Fn,
            [0x02, 0x0b, 0x00, 0x09, 0x00, 0x00, 0x04, 0x0d, 0x06, 0x09, NO, NO, NO, NO, NO],
            [0.5, 1.5, 3.0, -6.0, 6.0, -2.0, -4.0, -1.5, 0.5, 3.0]),
        (SmallFloat::Float6E2M3Fn,
            [0x08, 0x2c, 0x01, 0x22, 0x00, 0x00, 0x12, 0x35, 0x1a, 0x26, NO, NO, NO, NO, NO],
            [0.125, 0.375, 0.625, 7.5, -0.875, -6.0, -1.75, -5.5, 0.125, 0.625]),
        (SmallFloat::Float6E3M2Fn,
            [0x0c, 0x2e, 0x02, 0x25, 0x01, 0x00, 0x11, 0x32, 0x15, 0x2a, 0x1c, NO, NO, NO, NO],
            [0.0625, 0.1875, 0.3125, 28.0, -0.4375, -16.0, -1.5, -14.0, 0.0625, 0.3125]),
        (SmallFloat::Float8E3M4,
            [0x30, 0xb8, 0x06, 0x93, 0x04, 0x00, 0x44, 0xca, 0x54, 0xa6, 0x6f, NO, NO, NO, NO],
            [0.015625, 0.046875, 0.078125, 0.484375, 0.71875, 1.75, 15.0, f32::NAN, -0.015625,
            -2.625]),
        (SmallFloat::Float8E4M3,
            [0x38, 0xbc, 0x1d, 0xaa, 0x18, 0x02, 0x42, 0xc5, 0x4a, 0xb3, 0x58, 0xec, NO, NO, NO],
            [0.001953125, 0.005859375, 0.009765625, 0.1171875, 0.234375, 1.5, 112.0, f32::NAN,
            -0.001953125, -3.25]),
        (SmallFloat::Float8E4M3B11Fnuz,
            [0x58, 0xdc, 0x3d, 0xca, 0x38, 0x14, 0x62, 0xe5, 0x6a, 0xd3, 0x78, NO, NO, NO, NO],
            [0.00012207031, 0.00036621094, 0.00061035156, 0.0073242188, 0.0146484375, 0.09375,
            7.0, 22.0, -0.00012207031, -0.203125]),
        (SmallFloat::Float8E4M3Fn,
            [0x38, 0xbc, 0x1d, 0xaa, 0x18, 0x02, 0x42, 0xc5, 0x4a, 0xb3, 0x58, 0xec, 0x78, 0x7e, NO],
            [0.001953125, 0.005859375, 0.009765625, 0.1171875, 0.234375, 1.5, 112.0, 352.0,
            -0.001953125, -3.25]),
        (SmallFloat::Float8E4M3Fnuz,
            [0x40, 0xc4, 0x25, 0xb2, 0x20, 0x03, 0x4a, 0xcd, 0x52, 0xbb, 0x60, 0xf4, NO, NO, NO],
            [0.0009765625, 0.0029296875, 0.0048828125, 0.05859375, 0.1171875, 0.75, 56.0, 176.0,
            -0.0009765625, -1.625]),
        (SmallFloat::Float8E5M2,
            [0x3c, 0xbe, 0x2e, 0xb5, 0x2c, 0x1a, 0x41, 0xc2, 0x45, 0xba, 0x4c, 0xd6, 0x5c, 0x5f, 0x7a],
            [1.5258789e-05, 4.5776367e-05, 7.6293945e-05, 0.0068359375, 0.02734375, 1.0, 6144.0,
            57344.0, -1.5258789e-05, -5.0]),
        (SmallFloat::Float8E5M2Fnuz,
            [0x40, 0xc2, 0x32, 0xb9, 0x30, 0x1e, 0x45, 0xc6, 0x49, 0xbe, 0x50, 0xda, 0x60, 0x63, 0x7e],
            [7.6293945e-06, 2.2888184e-05, 3.8146973e-05, 0.0034179688, 0.013671875, 0.5, 3072.0,
            28672.0, -7.6293945e-06, -2.5]),
        (SmallFloat::Float8E8M0Fnu,
            [0x7f, NO, 0x7c, NO, 0x7b, 0x77, 0x80, NO, 0x81, NO, 0x83, NO, 0x87, 0x88, 0x8f],
            [1.1754944e-38, 4.7019774e-38, 1.880791e-37, 1.2621775e-29, 3.2311743e-27,
            6.7762636e-21, 7.6293945e-06, 0.0625, 4.0, 1.1805916e+21]),
    ];
    for (small, encoded, decoded) in table {
        for (x, byte) in inputs.into_iter().zip(encoded) {
            let expected = (byte != NO).then_some(byte as u8);
            assert_eq!(small.nearest(x), expected, "{x} as {}", small.name());
        }
        for (byte, x) in bytes.into_iter().zip(decoded) {
            let value = small.value(byte);
            let same = value == x || (value.is_nan() && x.is_nan());
            assert!(same, "{byte:#x} of {}: {value}, not {x}", small.name());
        }
    }
}

#[test]
fn what_is_no_number() {
    for (small, nan, infinity, minus_zero) in [
        (SmallFloat::Float4E2M1Fn, None, None, Some(0x08)),
        (SmallFloat::Float6E3M2Fn, None, None, Some(0x20)),
        (SmallFloat::Float8E3M4, Some(0x78), Some(0x70), Some(0x80)),
        (SmallFloat::Float8E4M3, Some(0x7c), Some(0x78), Some(0x80)),
        (SmallFloat::Float8E4M3B11Fnuz, Some(0x80), None, Some(0)),
        (SmallFloat::Float8E4M3Fn, Some(0x7f), None, Some(0x80)),
        (SmallFloat::Float8E5M2, Some(0x7e), Some(0x7c), Some(0x80)),
        (SmallFloat::Float8E5M2Fnuz, Some(0x80), None, Some(0)),
        (SmallFloat::Float8E8M0Fnu, Some(0xff), None, None),
    ] {
        assert_eq!(small.nan(), nan, "{}", small.name());
        // a cast may change the sign of what is no number
        let found = small.nearest(f64::NAN).map(|byte| small.value(byte).is_nan());
        assert_eq!(found, nan.map(|_| true), "{}", small.name());
        assert_eq!(small.nearest(f64::INFINITY), infinity, "{}", small.name());
        assert_eq!(small.nearest(-0.0), minus_zero, "{}", small.name());
        assert!(nan.is_none_or(|byte| small.value(byte).is_nan()));
        assert!(infinity.is_none_or(|byte| small.value(byte) == f32::INFINITY));
        assert!(infinity.is_none_or(|byte| small.value(byte | 0x80) == f32::NEG_INFINITY));
        assert_eq!(small.has_zero(), small.nearest(0.0) == Some(0));
    }
}

#[test]
fn integers_by_their_low_bits() {
    for (small, byte, value) in [
        (SmallInt::Int2, 0b10, -2),
        (SmallInt::Int2, 0xfd, 1),
        (SmallInt::Int4, 0x0f, -1),
        (SmallInt::Int4, 0x38, -8),
        (SmallInt::UInt2, 0xff, 3),
        (SmallInt::UInt4, 0xf9, 9),
    ] {
        assert_eq!(small.value(byte), value, "{byte:#x} of {}", small.name());
    }
    assert_eq!(SmallInt::ALL.map(SmallInt::range), [(-2, 1), (-8, 7), (0, 3), (0, 15)]);
}
