//! A node's user attributes: a JSON object whose values are kept as written, so that changing one
//! changes nothing in the others (no digit of a large integer is lost).

use super::bare_numbers;
use crate::error::{Error, Result};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

/// The attributes of one node, in the order of the document. Most callers need none of them, so the
/// text is parsed when one is first used.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    /// A JSON object, not parsed yet.
    text: Option<Box<RawValue>>,
    members: OnceLock<Members>,
}

type Members = Vec<(String, Box<RawValue>)>;

impl Attributes {
    /// Parses a JSON object. Python's bare `NaN`, `Infinity` and `-Infinity` become strings of
    /// those names, which [`bare_numbers`] distinguishes from others; of duplicate names the last
    /// one counts.
    pub fn parse(text: &[u8]) -> Result<Self> {
        from_json(text).map_err(|e| Error::metadata(format!("attributes: {e}")))
    }

    /// The JSON text of the value of `key`.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.members().iter().find(|(k, _)| k == key).map(|(_, v)| v.get())
    }

    /// The names, in document order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.members().iter().map(|(k, _)| k.as_str())
    }

    /// Sets `key` to a JSON text.
    pub fn set(&mut self, key: &str, json: &str) -> Result<()> {
        let value = RawValue::from_string(json.to_owned()).map_err(|e| {
            Error::invalid(format!("the value of attribute {key:?} is not JSON: {e}"))
        })?;
        self.put(key, value);
        Ok(())
    }

    fn put(&mut self, key: &str, value: Box<RawValue>) {
        self.change(|members| match members.iter_mut().find(|(k, _)| k == key) {
            Some((_, old)) => *old = value,
            None => members.push((key.to_owned(), value)),
        });
    }

    /// Removes `key`; returns whether it existed.
    pub fn remove(&mut self, key: &str) -> bool {
        self.change(|members| {
            let before = members.len();
            members.retain(|(k, _)| k != key);
            members.len() != before
        })
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.members().is_empty()
    }

    /// Name and JSON text of each.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.members().iter().map(|(k, v)| (k.as_str(), v.get()))
    }

    /// Sets all attributes of `others`.
    pub fn update(&mut self, others: &Attributes) {
        for (key, value) in others.members() {
            self.put(key, value.clone());
        }
    }

    /// All attributes as a JSON object.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{");
        for (n, (key, value)) in self.iter().enumerate() {
            if n > 0 {
                out.push(',');
            }
            out.push_str(&serde_json::Value::from(key).to_string());
            out.push(':');
            out.push_str(value);
        }
        out.push('}');
        out
    }

    fn members(&self) -> &Members {
        self.members.get_or_init(|| {
            let members = self.text.as_ref().and_then(|text| take_apart(text).ok());
            members.unwrap_or_default()
        })
    }

    fn change<T>(&mut self, change: impl FnOnce(&mut Members) -> T) -> T {
        self.members();
        let mut members = self.members.take().unwrap_or_default();
        let result = change(&mut members);
        *self = Attributes { text: None, members: members.into() };
        result
    }
}

impl PartialEq for Attributes {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        let found = match text.get().as_bytes().first() {
            Some(b'{') => None,
            Some(b'[') => Some("an array"),
            Some(b'"') => Some("a string"),
            Some(b't' | b'f') => Some("a bool"),
            Some(b'n') => Some("null"),
            _ => Some("a number"),
        };
        if let Some(found) = found {
            return Err(D::Error::custom(format_args!("expected an object, found {found}")));
        }
        let attributes = Attributes { text: Some(text), members: OnceLock::new() };
        // it is JSON: all that can still be wrong is an escape in a name, as half a surrogate pair
        if let Some(text) = &attributes.text
            && text.get().contains('\\')
        {
            let _ = attributes.members.set(take_apart(text).map_err(D::Error::custom)?);
        }
        Ok(attributes)
    }
}

/// The members of an object.
fn take_apart(text: &RawValue) -> serde_json::Result<Members> {
    const FEW: usize = 16;
    struct Object;
    impl<'de> Visitor<'de> for Object {
        type Value = Members;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("a JSON object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
            let mut members = Members::new();
            // Where each key stands, once there are too many to look through.
            let mut places = std::collections::HashMap::new();
            while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
                let old = if members.len() < FEW {
                    members.iter().position(|(k, _)| *k == key)
                } else {
                    if places.is_empty() {
                        places.extend(members.iter().map(|(k, _)| k.clone()).zip(0..));
                    }
                    places.get(&key).copied()
                };
                match old {
                    Some(at) => members[at].1 = value,
                    None => {
                        if members.len() >= FEW {
                            places.insert(key.clone(), members.len());
                        }
                        members.push((key, value));
                    }
                }
            }
            Ok(members)
        }
    }
    serde_json::Deserializer::from_str(text.get()).deserialize_map(Object)
}

/// Parses a metadata document. What real writers produce is read too: a byte order mark, and
/// Python's bare `NaN`, `Infinity` and `-Infinity`, which become strings of those names (of which
/// [`bare_numbers`] can tell that they were bare).
pub fn from_json<T: serde::de::DeserializeOwned>(text: &[u8]) -> serde_json::Result<T> {
    with_json(text, |text| serde_json::from_str(text))
}

/// The same for a `parse` that borrows from the text; it may be called twice, the second time
/// with the bare words quoted.
pub fn with_json<T>(
    text: &[u8],
    parse: impl Fn(&str) -> serde_json::Result<T>,
) -> serde_json::Result<T> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let text = std::str::from_utf8(text).map_err(|e| {
        serde::de::Error::custom(format!("not UTF-8 from byte {} on", e.valid_up_to()))
    })?;
    parse(text).or_else(|e| match bare_numbers::marked(text) {
        Cow::Owned(strict) => parse(&strict),
        Cow::Borrowed(_) => Err(e),
    })
}

#[cfg(test)]
mod tests {
    use super::bare_numbers::quoted;
    use super::*;

    #[test]
    fn values_are_kept_to_the_digit() {
        let text = r#"{"n": 123456789012345678901234567890, "a\"b": [1.10, "NaN"], "n2": -0.0}"#;
        let mut a = Attributes::parse(text.as_bytes()).expect("good");
        a.set("x", "1e400").expect("JSON");
        assert!(a.remove("n2"));
        assert_eq!(
            a.to_json(),
            r#"{"n":123456789012345678901234567890,"a\"b":[1.10, "NaN"],"x":1e400}"#
        );
        assert!(a.set("x", "[1,").is_err());
    }

    #[test]
    fn bare_words_of_python_are_read() {
        let text = br#"{"a": NaN, "b": [-Infinity, Infinity], "c": "NaN \" -Infinity"}"#;
        let a = Attributes::parse(text).expect("good");
        assert_eq!(a.get("a").map(quoted).as_deref(), Some("\"NaN\""));
        assert_eq!(a.get("b").map(quoted).as_deref(), Some("[\"-Infinity\", \"Infinity\"]"));
        assert_eq!(a.get("c"), Some(r#""NaN \" -Infinity""#));
        assert_eq!(
            bare_numbers::bare(&a.to_json()),
            r#"{"a":NaN,"b":[-Infinity, Infinity],"c":"NaN \" -Infinity"}"#
        );
        assert!(Attributes::parse(b"[1]").is_err());
        assert!(Attributes::parse(b"{\"a\": NaNs}").is_err());
    }

    #[test]
    fn what_cannot_be_taken_apart_is_refused_at_once() {
        for bad in [r#"{"\ud800": 1}"#, "[1]", "null", "{\"a\": }", "{\"a\": 1", "{\"a\": 1} 2"] {
            assert!(Attributes::parse(bad.as_bytes()).is_err(), "{bad}");
        }
        let a = Attributes::parse(br#" {"\u0061": "\ud800"} "#).expect("good");
        assert_eq!(a.get("a"), Some(r#""\ud800""#));
        let mut copy = a.clone();
        assert!(copy.remove("a") && copy.is_empty() && !a.is_empty());
    }

    #[test]
    fn the_last_of_two_counts() {
        let a = Attributes::parse(br#"{"a": 1, "b": 2, "a": 3}"#).expect("good");
        assert_eq!(a.to_json(), r#"{"a":3,"b":2}"#);
        let many: Vec<String> = (0..100).map(|i| format!("\"k{}\": {i}", i % 50)).collect();
        let a = Attributes::parse(format!("{{{}}}", many.join(",")).as_bytes()).expect("good");
        assert_eq!(a.iter().count(), 50);
        assert!(a.iter().zip(50..).all(|((_, v), n)| v == n.to_string()));
    }
}
