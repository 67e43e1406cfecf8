//! References as JSON, versions 0 and 1.
//! <https://fsspec.github.io/kerchunk/spec.html>

use super::template::{Budget, Scope, Value};
use super::{Listed, Part};
use crate::error::{Error, Result};
use crate::metadata::{bare_numbers, with_json};
use base64::Engine;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// Approximate memory of a generated reference besides its key and URL (bytes).
const REFERENCE: usize = 128;

#[derive(Deserialize)]
struct Version1<'a> {
    #[serde(default)]
    templates: HashMap<String, String>,
    #[serde(default, borrow, rename = "gen")]
    generators: Vec<Generator<'a>>,
    #[serde(default, borrow)]
    refs: HashMap<String, &'a RawValue>,
}

#[derive(Deserialize)]
struct Generator<'a> {
    key: String,
    url: String,
    #[serde(default)]
    offset: Option<String>,
    #[serde(default)]
    length: Option<String>,
    #[serde(borrow)]
    dimensions: HashMap<String, &'a RawValue>,
}

#[derive(Deserialize)]
struct Range {
    #[serde(default)]
    start: i64,
    stop: i64,
    #[serde(default)]
    step: Option<i64>,
}

/// The values of a name in a generator, in order.
enum Dimension {
    Range { start: i64, step: i64, count: u64 },
    Numbers(Vec<i64>),
    Words(Vec<String>),
}

/// Detects a document of version 1, which has a member for it.
#[derive(Deserialize)]
struct Head {
    version: Option<u64>,
}

/// Parses the references of a document. Accepts Python's bare `NaN` and `Infinity`, which kerchunk
/// writes.
pub fn parse(text: &[u8]) -> Result<Listed> {
    crate::metadata::json::afford(text, 2)?;
    with_json(text, document)
        .unwrap_or_else(|e| Err(Error::metadata(format!("the references are damaged: {e}"))))
}

/// The outer error is a JSON syntax error.
fn document(text: &str) -> serde_json::Result<Result<Listed>> {
    let head: Result<Head, _> = serde_json::from_str(text);
    let budget = Budget::new(text.len());
    Ok(match head {
        Ok(Head { version: Some(1) }) => version1(&serde_json::from_str(text)?, &budget),
        Ok(Head { version: Some(version) }) => Err(Error::unsupported(format!(
            "references of version {version} are not supported; 0 \
                and 1 are"
        ))),
        _ => {
            let refs: HashMap<String, &RawValue> = serde_json::from_str(text)?;
            let document = Version1 { templates: HashMap::new(), generators: Vec::new(), refs };
            version1(&document, &budget)
        }
    })
}

fn version1(document: &Version1<'_>, budget: &Budget) -> Result<Listed> {
    let mut references = Listed::default();
    let scope = Scope { templates: &document.templates, names: &[], budget };
    for (key, value) in &document.refs {
        add(&mut references, key, value, &scope)?;
    }
    for generator in &document.generators {
        generate(&mut references, generator, &scope)?;
    }
    Ok(references)
}

/// A string is the value itself, an object a document, a list a URL with an optional range.
fn add(references: &mut Listed, key: &str, value: &RawValue, scope: &Scope<'_>) -> Result<()> {
    let text = value.get();
    let broken = || {
        let shown: String = text.chars().take(60).collect();
        Error::metadata(format!(
            "the reference of {key:?}: expected a value or a range, found \
            {shown}"
        ))
    };
    let part = match text.as_bytes().first() {
        Some(b'"') => {
            let text: String = serde_json::from_str(text).map_err(|_| broken())?;
            Part::Inline(inline(text.as_bytes()).ok_or_else(broken)?)
        }
        Some(b'{') => Part::Inline(bare_numbers::bare(text).as_bytes().into()),
        _ => {
            let (url, range) = match serde_json::from_str::<(String, u64, u64)>(text) {
                Ok((url, offset, length)) => (url, Some((offset, length))),
                Err(_) => {
                    let (url,): (String,) = serde_json::from_str(text).map_err(|_| broken())?;
                    (url, None)
                }
            };
            let url = scope.render(&url)?;
            // only generated URLs are charged: a literal one is as long in the document
            if let Cow::Owned(url) = &url {
                scope.budget.spend(url.len())?;
            }
            references.range(&url, range)
        }
    };
    references.insert(key, part);
    Ok(())
}

/// Decodes an inline value: literal or base64; `None`: the base64 is invalid.
pub fn inline(text: &[u8]) -> Option<Arc<[u8]>> {
    let Some(coded) = text.strip_prefix(b"base64:") else { return Some(text.into()) };
    let padding = base64::engine::DecodePaddingMode::Indifferent;
    let config = base64::engine::GeneralPurposeConfig::new().with_decode_padding_mode(padding);
    let engine = base64::engine::GeneralPurpose::new(&base64::alphabet::STANDARD, config);
    engine.decode(coded).ok().map(Arc::from)
}

impl Dimension {
    fn parse(name: &str, text: &str) -> Result<Self> {
        let broken = || {
            Error::metadata(format!(
                "a generator's dimension {name:?}: expected a range or a list of numbers or strings"
            ))
        };
        if text.starts_with('[') {
            return match serde_json::from_str(text) {
                Ok(numbers) => Ok(Dimension::Numbers(numbers)),
                Err(_) => serde_json::from_str(text).map(Dimension::Words).map_err(|_| broken()),
            };
        }
        let Range { start, stop, step } = serde_json::from_str(text).map_err(|_| broken())?;
        let step = step.unwrap_or(1);
        let distance = match step {
            0 => return Err(Error::metadata("a generator's dimension has a step of 0")),
            1.. => i128::from(stop) - i128::from(start),
            _ => i128::from(start) - i128::from(stop),
        };
        let count = (distance.max(0) as u128).div_ceil(u128::from(step.unsigned_abs()));
        Ok(Dimension::Range { start, step, count: u64::try_from(count).unwrap_or(u64::MAX) })
    }

    fn count(&self) -> u64 {
        match self {
            Dimension::Range { count, .. } => *count,
            Dimension::Numbers(numbers) => numbers.len() as u64,
            Dimension::Words(words) => words.len() as u64,
        }
    }

    /// `n` must be less than the count.
    fn value(&self, n: u64) -> Value {
        match self {
            // between two numbers of 64 bits
            Dimension::Range { start, step, .. } => {
                Value::Number((i128::from(*start) + i128::from(*step) * i128::from(n)) as i64)
            }
            Dimension::Numbers(numbers) => Value::Number(numbers[n as usize]),
            Dimension::Words(words) => Value::Text(words[n as usize].clone()),
        }
    }
}

/// Adds the references of a generator; `scope` has the document's templates.
fn generate(references: &mut Listed, generator: &Generator<'_>, scope: &Scope<'_>) -> Result<()> {
    let mut dimensions = Vec::new();
    let mut count = 1u64;
    for (name, dimension) in &generator.dimensions {
        let dimension = Dimension::parse(name, dimension.get())?;
        count = count.saturating_mul(dimension.count());
        dimensions.push((name, dimension));
    }
    for mut n in 0..count {
        let mut names = Vec::with_capacity(dimensions.len());
        for (name, dimension) in &dimensions {
            let value = dimension.value(n % dimension.count());
            let length = if let Value::Text(text) = &value { text.len() } else { 0 };
            scope.budget.spend(name.len() + length)?;
            names.push(((*name).clone(), value));
            n /= dimension.count();
        }
        let scope = Scope { names: &names, ..*scope };
        let number = |text: &Option<String>| -> Result<Option<u64>> {
            let Some(text) = text else { return Ok(None) };
            let text = scope.render(text)?;
            let number = text.trim().parse().map_err(|_| {
                Error::metadata(format!("a generator produces {text:?}: expected a number"))
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
        let (key, url) = (scope.render(&generator.key)?, scope.render(&generator.url)?);
        scope.budget.spend(REFERENCE + key.len() + url.len())?;
        let part = references.range(&url, range);
        references.insert(&key, part);
    }
    Ok(())
}
