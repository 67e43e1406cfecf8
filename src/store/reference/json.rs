//! References as JSON, versions 0 and 1.
//! <https://fsspec.github.io/kerchunk/spec.html>

use super::template::{Scope, Value};
use super::{Listed, Part};
use crate::error::{Error, Kind, Result};
use base64::Engine;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::Arc;

/// The most references that generators may make.
const MOST: usize = 10_000_000;

#[derive(Deserialize)]
struct Version1<'a> {
    #[serde(default)]
    templates: HashMap<String, String>,
    #[serde(default, rename = "gen")]
    generators: Vec<Generator>,
    #[serde(default, borrow)]
    refs: HashMap<String, &'a RawValue>,
}

#[derive(Deserialize)]
struct Generator {
    key: String,
    url: String,
    #[serde(default)]
    offset: Option<String>,
    #[serde(default)]
    length: Option<String>,
    dimensions: HashMap<String, Dimension>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Dimension {
    Range {
        #[serde(default)]
        start: i64,
        stop: i64,
        #[serde(default)]
        step: Option<i64>,
    },
    Numbers(Vec<i64>),
    Words(Vec<String>),
}

/// Whether a document is of version 1, which says so.
#[derive(Deserialize)]
struct Head {
    version: Option<u64>,
}

/// What a document refers to.
pub fn parse(text: &[u8]) -> Result<Listed> {
    let broken = |e: serde_json::Error| Error::metadata(format!("the references are broken: {e}"));
    let head: Result<Head, _> = serde_json::from_slice(text);
    let mut references = Listed::default();
    let none = HashMap::new();
    match head {
        Ok(Head { version: Some(1) }) => {
            let document: Version1<'_> = serde_json::from_slice(text).map_err(broken)?;
            let scope = Scope { templates: &document.templates, names: &[] };
            for (key, value) in &document.refs {
                add(&mut references, key, value, &scope)?;
            }
            for generator in &document.generators {
                generate(&mut references, generator, &document.templates)?;
            }
        }
        Ok(Head { version: Some(version) }) => {
            return Err(Error::unsupported(format!(
                "references of version {version}: known are 0 and 1"
            )));
        }
        _ => {
            let refs: HashMap<String, &RawValue> = serde_json::from_slice(text).map_err(broken)?;
            let scope = Scope { templates: &none, names: &[] };
            for (key, value) in refs {
                add(&mut references, &key, value, &scope)?;
            }
        }
    }
    Ok(references)
}

/// A text is the value itself, an object its document, a list a URL and perhaps a range.
fn add(references: &mut Listed, key: &str, value: &RawValue, scope: &Scope<'_>) -> Result<()> {
    let text = value.get();
    let broken = || {
        let shown: String = text.chars().take(60).collect();
        Error::metadata(format!("the reference of {key:?} is neither a value nor a range: {shown}"))
    };
    let part = match text.as_bytes().first() {
        Some(b'"') => {
            let text: String = serde_json::from_str(text).map_err(|_| broken())?;
            Part::Inline(inline(text.as_bytes()).ok_or_else(broken)?)
        }
        Some(b'{') => Part::Inline(text.as_bytes().into()),
        _ => {
            let (url, range) = match serde_json::from_str::<(String, u64, u64)>(text) {
                Ok((url, offset, length)) => (url, Some((offset, length))),
                Err(_) => {
                    let (url,): (String,) = serde_json::from_str(text).map_err(|_| broken())?;
                    (url, None)
                }
            };
            references.range(&scope.render(&url)?, range)
        }
    };
    references.insert(key, part);
    Ok(())
}

/// The value that stands among references: as it is, or in base64; `None`: that is broken.
pub fn inline(text: &[u8]) -> Option<Arc<[u8]>> {
    let Some(coded) = text.strip_prefix(b"base64:") else { return Some(text.into()) };
    let padding = base64::engine::DecodePaddingMode::Indifferent;
    let config = base64::engine::GeneralPurposeConfig::new().with_decode_padding_mode(padding);
    let engine = base64::engine::GeneralPurpose::new(&base64::alphabet::STANDARD, config);
    engine.decode(coded).ok().map(Arc::from)
}

impl Dimension {
    fn values(&self) -> Result<Vec<Value>> {
        match self {
            Dimension::Range { start, stop, step } => {
                let step = step.unwrap_or(1);
                if step == 0 {
                    return Err(Error::metadata("a generator's dimension has a step of 0"));
                }
                let mut values = Vec::new();
                let mut at = *start;
                while if step > 0 { at < *stop } else { at > *stop } {
                    if values.len() == MOST {
                        return Err(too_many());
                    }
                    values.push(Value::Number(at));
                    let Some(next) = at.checked_add(step) else { break };
                    at = next;
                }
                Ok(values)
            }
            Dimension::Numbers(numbers) => Ok(numbers.iter().map(|n| Value::Number(*n)).collect()),
            Dimension::Words(words) => Ok(words.iter().map(|w| Value::Text(w.clone())).collect()),
        }
    }
}

#[cold]
fn too_many() -> Error {
    Error::new(Kind::LimitExceeded, format!("generators make more than {MOST} references"))
}

fn generate(
    references: &mut Listed,
    generator: &Generator,
    templates: &HashMap<String, String>,
) -> Result<()> {
    let mut dimensions = Vec::new();
    let mut count = 1usize;
    for (name, dimension) in &generator.dimensions {
        let values = dimension.values()?;
        count = count.checked_mul(values.len()).filter(|n| *n <= MOST).ok_or_else(too_many)?;
        dimensions.push((name.clone(), values));
    }
    if references.len() + count > MOST {
        return Err(too_many());
    }
    for mut n in 0..count {
        let mut names = Vec::with_capacity(dimensions.len());
        for (name, values) in &dimensions {
            names.push((name.clone(), values[n % values.len()].clone()));
            n /= values.len();
        }
        let scope = Scope { templates, names: &names };
        let number = |text: &Option<String>| -> Result<Option<u64>> {
            let Some(text) = text else { return Ok(None) };
            let text = scope.render(text)?;
            let number = text.trim().parse().map_err(|_| {
                Error::metadata(format!("a generator makes {text:?}, where a number is due"))
            });
            number.map(Some)
        };
        let range = match (number(&generator.offset)?, number(&generator.length)?) {
            (Some(offset), Some(length)) => Some((offset, length)),
            (None, None) => None,
            _ => {
                return Err(Error::metadata("a generator has an offset or a length, but not both"));
            }
        };
        let part = references.range(&scope.render(&generator.url)?, range);
        references.insert(&scope.render(&generator.key)?, part);
    }
    Ok(())
}
