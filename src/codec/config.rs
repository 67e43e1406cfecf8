//! Reading a codec's parameters: each is requested by name and checked; a parameter that is not
//! requested is an error, because it could change the meaning of the bytes.

use super::ReadPolicy;
use crate::error::{Context, Error, Result};
use crate::metadata::CodecSpec;
use serde_json::Value;

/// The configuration of one codec, and its read policy.
pub struct Config<'a> {
    spec: &'a CodecSpec,
    read_policy: ReadPolicy,
}

impl<'a> Config<'a> {
    /// The configuration in `spec`.
    pub fn new(spec: &'a CodecSpec) -> Self {
        Config { spec, read_policy: ReadPolicy::default() }
    }

    /// The same, with a read policy.
    pub fn with(self, read_policy: ReadPolicy) -> Self {
        Config { read_policy, ..self }
    }

    /// What to tolerate in encoded bytes.
    pub fn read_policy(&self) -> ReadPolicy {
        self.read_policy
    }

    /// The codec's name in the document.
    pub fn name(&self) -> &'a str {
        &self.spec.name
    }

    /// Refuses members other than `known`.
    pub fn only(&self, known: &[&str]) -> Result<()> {
        match self.spec.configuration.keys().find(|k| !known.contains(&k.as_str())) {
            None => Ok(()),
            Some(key) => Err(self.error(format!("has no parameter {key:?}"))),
        }
    }

    /// A member; `null` counts as missing.
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.spec.configuration.get(key).filter(|v| !v.is_null())
    }

    /// An integer between `low` and `high`.
    pub fn integer(&self, key: &str, low: i64, high: i64) -> Result<Option<i64>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.as_i64() {
            Some(n) if (low..=high).contains(&n) => Ok(Some(n)),
            _ => Err(self.error(format!(
                "{key:?}: expected an integer from {low} to {high}, found \
                    {value}"
            ))),
        }
    }

    /// `true` or `false`.
    pub fn boolean(&self, key: &str) -> Result<Option<bool>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        value
            .as_bool()
            .map(Some)
            .ok_or_else(|| self.error(format!("{key:?}: expected a boolean, found {value}")))
    }

    /// One of several words.
    pub fn word<T: Copy>(&self, key: &str, words: &[(&str, T)]) -> Result<Option<T>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let found = words.iter().find(|(word, _)| value.as_str() == Some(word));
        found.map(|(_, meaning)| Some(*meaning)).ok_or_else(|| {
            let words: Vec<String> = words.iter().map(|(w, _)| format!("{w:?}")).collect();
            self.error(format!("{key:?} is {value}: expected one of {}", words.join(", ")))
        })
    }

    /// A list of unsigned integers.
    pub fn extents(&self, key: &str) -> Result<Option<Vec<u64>>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let list = value.as_array().and_then(|a| a.iter().map(Value::as_u64).collect());
        list.map(Some).ok_or_else(|| {
            self.error(format!("{key:?}: expected a list of unsigned integers, found {value}"))
        })
    }

    /// A list of codecs.
    pub fn codecs(&self, key: &str) -> Result<Option<Vec<CodecSpec>>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let list = value.as_array().ok_or_else(|| self.error(format!("{key:?} is not a list")))?;
        let specs: Result<_> = list.iter().map(CodecSpec::from_json).collect();
        specs.at(|| format!("codec {:?}: {key}", self.name())).map(Some)
    }

    /// The error for a missing mandatory parameter.
    pub fn missing(&self, key: &str) -> Error {
        self.error(format!("needs the parameter {key:?}"))
    }

    /// An error of this configuration.
    pub fn error(&self, what: impl std::fmt::Display) -> Error {
        Error::metadata(format!("codec {:?} {what}", self.spec.name))
    }
}
