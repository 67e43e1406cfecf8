//! JSON documents as the formats need them: read member by member, every value in the digits it
//! was written with; written one member a line; and changed in one member, the rest untouched.

use super::bare_numbers;
use crate::error::{Context, Error, Kind, Result};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// A JSON object whose members are taken out by name. Values are the texts of the document, so
/// nothing in them is parsed (or nests) before someone asks.
#[derive(Debug)]
pub struct Object<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Object<'a> {
    /// Splits an object.
    pub fn parse(text: &'a str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// Takes a member out; that it is there twice is an error, as no two readers would agree.
    pub fn take(&mut self, name: &str) -> Result<Option<&'a str>> {
        let Some(at) = self.0.iter().position(|(n, _)| n == name) else { return Ok(None) };
        let (_, value) = self.0.swap_remove(at);
        if self.0.iter().any(|(n, _)| n == name) {
            return Err(Error::metadata(format!("member {name:?} occurs twice")));
        }
        Ok(Some(value.get()))
    }

    /// Takes out a member that must be there.
    pub fn required(&mut self, name: &str) -> Result<&'a str> {
        self.take(name)?.ok_or_else(|| Error::metadata(format!("member {name:?} is missing")))
    }

    /// Takes out and reads a member.
    pub fn read<T: Deserialize<'a>>(&mut self, name: &str) -> Result<Option<T>> {
        self.take(name)?.map(|text| read(name, text)).transpose()
    }

    /// Takes out and reads a member that must be there.
    pub fn read_required<T: Deserialize<'a>>(&mut self, name: &str) -> Result<T> {
        read(name, self.required(name)?)
    }

    /// What has not been taken.
    pub fn rest(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value.get()))
    }

    /// Nothing may be left in the object called `what`.
    pub fn finish(self, what: impl fmt::Display) -> Result<()> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => Err(Error::metadata(format!("{what}: unknown member {name:?}"))),
        }
    }
}

/// Reads the value of a member.
pub fn read<'a, T: Deserialize<'a>>(name: &str, text: &'a str) -> Result<T> {
    serde_json::from_str(text).map_err(|e| {
        // Where in the value, not where in the document: better left out.
        let message = e.to_string();
        let what = message.rsplit_once(" at line ").map_or(&message[..], |(what, _)| what);
        Error::metadata(format!("{name}: {what}"))
    })
}

/// Fails if there is no memory to parse a document that is copied so many times on the way: the
/// parser aborts where memory is refused.
pub fn afford(document: &[u8], copies: usize) -> Result<()> {
    match needed(document, copies) {
        ..SMALL => Ok(()),
        needed => crate::exec::probe(needed),
    }
}

/// Smaller allocations abort wherever they fail (bytes).
const SMALL: usize = 4 << 10;

/// What a member and any other value take in lists and maps that double when they grow (bytes).
const MEMBER: usize = 320;
const VALUE: usize = 80;

/// The most memory that parsing takes (bytes).
fn needed(document: &[u8], copies: usize) -> usize {
    // one loop for each, without branches
    let members = document.iter().filter(|byte| **byte == b':').count();
    let values = document.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    let text = document.len().saturating_mul(copies);
    text.saturating_add(members.saturating_mul(MEMBER)).saturating_add(values.saturating_mul(VALUE))
}

/// How large a configuration may be: the sum of how deep each of its values lies. Values take
/// some ten times the memory of their text, and those of shards within shards once more for each
/// level.
const MAX_WEIGHT: usize = 1 << 20;

/// Reads the configuration of a codec, whose values may nest. Fails with
/// [`Kind::LimitExceeded`] before it takes much memory.
pub fn configuration<T: DeserializeOwned>(name: &str, text: &str) -> Result<T> {
    // a text of n bytes weighs less than n * n / 2, so short ones need not be looked through
    if text.len() > 1 << 10 && weight(text) > MAX_WEIGHT {
        let message = format!("{name}: a codec's configuration has too many values");
        return Err(Error::new(Kind::LimitExceeded, message));
    }
    // values of any kind are larger than those of documents
    afford(text.as_bytes(), 320)?;
    read(name, text)
}

/// The sum of how deep each value of a JSON text lies.
fn weight(text: &str) -> usize {
    let (mut weight, mut depth, mut in_string) = (0usize, 0usize, false);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if in_string => drop(bytes.next()),
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => {
                depth += 1;
                weight = weight.saturating_add(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' => weight = weight.saturating_add(depth),
            _ => {}
        }
    }
    weight
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::with_capacity(12);
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Members).map(Object)
    }
}

/// A name with a configuration, which v3 calls an extension: `"name"` or
/// `{"name": …, "configuration": {…}, "must_understand": …}`. What it names has to be known even
/// if it need not be understood: nothing can be read past an unknown type or codec. A
/// configuration of null, which some write, is none.
pub struct Extension<'a> {
    /// What it is called.
    pub name: Cow<'a, str>,
    /// Its parameters.
    pub configuration: Option<&'a RawValue>,
}

impl<'a> Extension<'a> {
    /// The configuration as values, none where there is none.
    pub fn values(&self) -> Result<Map<String, Value>> {
        let text = self.configuration.map(RawValue::get);
        let place = || format!("codec {:?}", self.name);
        text.map_or(Ok(Map::new()), |text| configuration("configuration", text)).at(place)
    }

    /// The members of the configuration, none where there is none.
    pub fn members(&self) -> Result<Object<'a>> {
        match self.configuration {
            Some(object) => read("configuration", object.get()),
            None => Ok(Object(Vec::new())),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Extension<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Extension<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a name or an object with a name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(Extension { name: name.into(), configuration: None })
            }

            fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
                Ok(Extension { name: name.to_owned().into(), configuration: None })
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let (mut name, mut configuration, mut must_understand) = (None, None, None);
                while let Some(Name(member)) = map.next_key()? {
                    let twice = match &*member {
                        "name" => name.replace(map.next_value::<Name>()?.0).is_some(),
                        "configuration" => {
                            configuration.replace(map.next_value::<Option<&RawValue>>()?).is_some()
                        }
                        "must_understand" => {
                            must_understand.replace(map.next_value::<bool>()?).is_some()
                        }
                        _ => return Err(A::Error::custom(format!("unknown member {member:?}"))),
                    };
                    if twice {
                        return Err(A::Error::custom(format!("member {member:?} occurs twice")));
                    }
                }
                match name {
                    Some(name) => Ok(Extension { name, configuration: configuration.flatten() }),
                    None => Err(A::Error::missing_field("name")),
                }
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// A name in the document, borrowed where nothing in it is escaped.
#[derive(serde::Deserialize)]
pub struct Name<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// A text as a JSON string.
pub fn quote(text: &str) -> String {
    Value::from(text).to_string()
}

/// A list of things that are JSON already or print as it.
pub fn list<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|i| i.to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// Writes a document, one member a line.
pub fn document<'a>(members: impl IntoIterator<Item = (&'a str, String)>) -> Vec<u8> {
    let mut out = String::from("{");
    for (n, (name, json)) in members.into_iter().enumerate() {
        out.push_str(if n > 0 { ",\n  " } else { "\n  " });
        out.push_str(&quote(name));
        out.push_str(": ");
        out.push_str(&json);
    }
    out.push_str(if out.len() > 1 { "\n}\n" } else { "}\n" });
    bare_numbers::bare(&out).into_owned().into_bytes()
}

/// The document with the value of one member put in place, or the member put at the end;
/// every other character stays.
pub fn replace_member(document: &[u8], name: &str, json: &str) -> Result<Vec<u8>> {
    crate::metadata::with_json(document, |text| {
        let members = Object::parse(text)?.0;
        // The pieces are slices of `text`: their distance from its beginning is their place.
        let place = |piece: &str| piece.as_ptr() as usize - text.as_ptr() as usize;
        let (from, to, lead) = match members.iter().rfind(|(n, _)| n == name) {
            Some((_, old)) => (place(old.get()), place(old.get()) + old.get().len(), String::new()),
            None => {
                let (end, comma) = match members.last() {
                    Some((_, last)) => (place(last.get()) + last.get().len(), ","),
                    None => (text.find('{').map_or(0, |at| at + 1), ""),
                };
                let line = if text.contains('\n') { "\n  " } else { "" };
                (end, end, format!("{comma}{line}{}: ", quote(name)))
            }
        };
        let changed = [&text[..from], &lead, json, &text[to..]].concat();
        Ok(bare_numbers::bare(&changed).into_owned().into_bytes())
    })
    .map_err(|e| Error::metadata(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_member_changes_and_nothing_else() {
        let text =
            br#"{ "b" : 1.10, "shape":[ 1 ,2], "big": 123456789012345678901, "a\u0062": 1e0 }"#;
        let new = replace_member(text, "shape", "[3, 4]").expect("good");
        assert_eq!(
            String::from_utf8(new).expect("text"),
            r#"{ "b" : 1.10, "shape":[3, 4], "big": 123456789012345678901, "a\u0062": 1e0 }"#
        );
        let new = replace_member(b"\xEF\xBB\xBF{\n  \"a\": NaN\n}\n", "b", "{}").expect("good");
        assert_eq!(new, b"{\n  \"a\": NaN,\n  \"b\": {}\n}\n");
        assert_eq!(replace_member(b" {}", "b", "1").expect("good"), b" {\"b\": 1}");
        assert_eq!(
            replace_member(b"{\"\\u0062\": 2}", "b", "1").expect("good"),
            b"{\"\\u0062\": 1}"
        );
        assert!(replace_member(b"[1]", "b", "1").is_err());
    }

    #[test]
    fn values_weigh_as_much_as_they_lie_deep() {
        for (text, expected) in [
            ("1", 0),
            ("{}", 1),
            ("[1, 2]", 2),
            (r#"{"a": [1, 2], "b": "[[,\\\"{"}"#, 6),
            ("[[[]]]", 6),
            ("]]", 0),
        ] {
            assert_eq!(weight(text), expected, "{text}");
        }
        let long = format!("[{}0]", "0,".repeat(MAX_WEIGHT - 2));
        assert!(configuration::<Value>("x", &long).is_ok());
        for heavy in [
            format!("[{}0]", "0,".repeat(MAX_WEIGHT)),
            "[".repeat(2000) + &"]".repeat(2000),
            format!("{}{}0{}", "[".repeat(100), "0,".repeat(11_000), "]".repeat(100)),
        ] {
            let e = configuration::<Value>("x", &heavy).expect_err("heavy");
            assert_eq!(e.kind(), Kind::LimitExceeded);
        }
    }

    #[test]
    fn documents_are_json() {
        let text = document([("a\"", "1".into()), ("b", list([1, 2]))]);
        assert_eq!(text, b"{\n  \"a\\\"\": 1,\n  \"b\": [1, 2]\n}\n");
        assert_eq!(document([]), b"{}\n");
    }

    #[test]
    fn members_are_taken_once() {
        let mut o = Object::parse(r#"{"a": 1, "b": 2, "\u0061": 3}"#).expect("good");
        assert!(o.take("a").is_err());
        assert_eq!(o.read::<u8>("b").expect("good"), Some(2));
        assert_eq!(o.take("c").expect("none"), None);
    }
}
