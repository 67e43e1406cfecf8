//! Numbers as the JSON of attributes: what is not finite is a string, and a float is written as
//! briefly as it can be read back.

use serde_json::Value;

/// The number that a value is; "NaN", "Infinity" and "-Infinity" are numbers too.
pub fn double(value: &Value) -> Option<f64> {
    match value {
        Value::Number(n) => n.as_f64(),
        Value::String(text) => match text.as_str() {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    }
}

/// A double as JSON, which has no word for what is not finite.
pub fn double_to_json(value: f64) -> Value {
    match value {
        v if v.is_nan() => Value::from("NaN"),
        f64::INFINITY => Value::from("Infinity"),
        f64::NEG_INFINITY => Value::from("-Infinity"),
        v => Value::from(v),
    }
}

/// The integer that a value is, whether it is written as 2 or as 2.0.
pub fn integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        let number = value.as_f64()?;
        // 2^63 is the first that does not fit
        let fits = number >= -(2f64.powi(63)) && number < 2f64.powi(63);
        (fits && number.fract() == 0.0).then_some(number as i64)
    })
}

/// The shortest text that a float has to itself, also where a double is read of it.
pub fn float_to_json(value: f32) -> String {
    if !value.is_finite() {
        return double_to_json(value.into()).to_string();
    }
    let shortest = serde_json::to_string(&value).unwrap_or_default();
    match shortest.parse::<f64>() {
        Ok(double) if double as f32 == value => shortest,
        _ => f64::from(value).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_finite_is_a_string() {
        for (value, text) in
            [(f64::INFINITY, "Infinity"), (f64::NEG_INFINITY, "-Infinity"), (f64::NAN, "NaN")]
        {
            assert_eq!(double_to_json(value), json!(text));
            let back = double(&json!(text)).expect("a number");
            assert!(back == value || (back.is_nan() && value.is_nan()));
        }
        assert_eq!(double(&json!("nan")), None);
        assert_eq!(double(&json!([1])), None);
    }

    #[test]
    fn integers_are_exact_or_none() {
        assert_eq!(integer(&json!(2.0)), Some(2));
        assert_eq!(integer(&json!(2.5)), None);
        assert_eq!(integer(&json!(i64::MIN)), Some(i64::MIN));
        // -2^63 is the last that fits, 2^63 the first that does not
        assert_eq!(integer(&json!(-9_223_372_036_854_775_808.0)), Some(i64::MIN));
        assert_eq!(integer(&json!(9_223_372_036_854_775_808.0)), None);
        assert_eq!(integer(&json!(u64::MAX)), None);
    }

    #[test]
    fn floats_are_as_short_as_they_can_be() {
        assert_eq!(float_to_json(0.1), "0.1");
        assert_eq!(float_to_json(16_777_216.0), "16777216.0");
        assert_eq!(float_to_json(f32::NAN), "\"NaN\"");
        for bits in (0..=u32::MAX).step_by(9_999_991) {
            let value = f32::from_bits(bits);
            if value.is_finite() {
                let read: f64 = float_to_json(value).parse().expect("a number");
                assert_eq!((read as f32).to_bits(), bits);
            }
        }
    }
}
