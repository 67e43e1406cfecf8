//! A value of a store that has no partial reads: read once, on first use.

use super::{Key, Store, Version};
use crate::error::Result;
use crate::source::{ByteSource, reserve};
use std::sync::OnceLock;

/// A version for a store without versions: a hash of the value.
pub(super) fn version_of(value: &[u8]) -> Version {
    use std::hash::{DefaultHasher, Hasher};
    let mut hash = DefaultHasher::new();
    hash.write(value);
    let numbers = [value.len() as u64, hash.finish()];
    Version::new(numbers.iter().flat_map(|n| n.to_le_bytes()).collect())
}

/// A value in the state of its first read.
pub(super) struct WholeValue<'a> {
    store: &'a dyn Store,
    key: Key,
    value: OnceLock<Option<(Vec<u8>, Version)>>,
}

impl<'a> WholeValue<'a> {
    pub fn new(store: &'a dyn Store, key: &Key) -> Self {
        WholeValue { store, key: key.clone(), value: OnceLock::new() }
    }

    fn value(&self) -> Result<Option<&(Vec<u8>, Version)>> {
        let value = match self.value.get() {
            Some(value) => value,
            None => {
                let mut bytes = Vec::new();
                let version = self.store.get(&self.key, &mut bytes)?;
                // if two threads race, both use the same value
                self.value.get_or_init(|| version.map(|version| (bytes, version)))
            }
        };
        Ok(value.as_ref())
    }

    fn bytes(&self) -> Result<Option<&[u8]>> {
        Ok(self.value()?.map(|(bytes, _)| bytes.as_slice()))
    }
}

impl ByteSource for WholeValue<'_> {
    fn len(&self) -> Result<Option<u64>> {
        Ok(self.bytes()?.map(|bytes| bytes.len() as u64))
    }

    fn read_all(&self, _: u64, out: &mut Vec<u8>) -> Result<bool> {
        let Some(bytes) = self.bytes()? else { return Ok(false) };
        reserve(out, bytes.len())?;
        out.extend_from_slice(bytes);
        Ok(true)
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        self.bytes()?.map_or(Ok(false), |bytes| bytes.read_at(offset, out))
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        self.bytes()?.map_or(Ok(false), |bytes| bytes.read_exactly(out))
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        let Some(bytes) = self.bytes()? else { return Ok(None) };
        let from = bytes.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
        reserve(out, bytes.len() - from)?;
        out.extend_from_slice(&bytes[from..]);
        Ok(Some(bytes.len() as u64))
    }

    fn version(&self) -> Result<Option<Version>> {
        Ok(self.value()?.map(|(_, version)| version.clone()))
    }

    fn as_slice(&self) -> Option<&[u8]> {
        self.bytes().ok().flatten()
    }

    fn request_cost(&self) -> u64 {
        0
    }
}
