//! The fill value in memory. Data types may be large and fill values are mostly zeros, which take
//! no memory here: a short document cannot make an array use much.

use crate::error::Result;
use crate::exec;
use std::borrow::Cow;
use std::sync::Arc;

/// One element in memory layout (native byte order); for variable-length types its bytes. Equal
/// only to one with the same bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FillValue {
    /// All bytes, or, of more than [`SMALL`], those up to the last nonzero one.
    head: Arc<[u8]>,
    size: usize,
}

/// Stored bytes.
const SMALL: usize = 64;

impl FillValue {
    /// Zeros.
    pub fn zeros(size: usize) -> Self {
        let kept = if size <= SMALL { size } else { 0 };
        FillValue { head: Arc::from(&[0; SMALL][..kept]), size }
    }

    /// From bytes.
    pub fn new(element: &[u8]) -> Self {
        let size = element.len();
        let kept = match size <= SMALL {
            true => size,
            false => element.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1),
        };
        FillValue { head: Arc::from(&element[..kept]), size }
    }

    /// The number of bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether all of them are zero.
    pub fn is_zero(&self) -> bool {
        self.head.iter().all(|&byte| byte == 0)
    }

    /// All bytes. [`Kind::OutOfMemory`](crate::error::Kind::OutOfMemory): there are too many for
    /// memory.
    pub fn bytes(&self) -> Result<Cow<'_, [u8]>> {
        if self.head.len() == self.size {
            return Ok(Cow::Borrowed(&self.head));
        }
        let mut all = exec::zeroed(self.size)?;
        all[..self.head.len()].copy_from_slice(&self.head);
        Ok(Cow::Owned(all))
    }

    /// The same, owned.
    pub fn into_bytes(self) -> Result<Box<[u8]>> {
        Ok(self.bytes()?.into_owned().into())
    }
}

impl From<&[u8]> for FillValue {
    fn from(element: &[u8]) -> Self {
        FillValue::new(element)
    }
}

impl From<Vec<u8>> for FillValue {
    fn from(element: Vec<u8>) -> Self {
        FillValue::new(&element)
    }
}

impl From<Box<[u8]>> for FillValue {
    fn from(element: Box<[u8]>) -> Self {
        FillValue::new(&element)
    }
}

impl<const N: usize> From<[u8; N]> for FillValue {
    fn from(element: [u8; N]) -> Self {
        FillValue::new(&element)
    }
}

/// Tests compare small ones byte by byte.
#[cfg(test)]
impl std::ops::Deref for FillValue {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        assert_eq!(self.head.len(), self.size, "kept as it is");
        &self.head
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_at_the_end_are_not_kept_but_count() {
        for element in [vec![], vec![0; 8], vec![7, 0], [vec![7; 3], vec![0; 1000]].concat()] {
            let value = FillValue::new(&element);
            assert_eq!(value.bytes().expect("little"), element);
            assert_eq!(value.size(), element.len());
            assert_eq!(value.is_zero(), element.iter().all(|&b| b == 0));
            assert_ne!(value, FillValue::new(&[&element[..], &[0]].concat()), "another size");
        }
        let large = FillValue::zeros(1 << 40);
        assert!(large.is_zero() && large.head.is_empty());
        assert_eq!(FillValue::zeros(1000), FillValue::new(&[0; 1000]));
        assert_eq!(FillValue::zeros(8), FillValue::new(&[0; 8]));
        assert!(FillValue::zeros(1 << 60).bytes().is_err(), "refused, not tried");
    }
}
