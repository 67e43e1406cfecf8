//! The types that elements have in a caller's memory, and what lies between them and the
//! stored ones.

use crate::error::{Error, Kind, Result};
use crate::metadata::DataType;
use crate::strided::{Number, convertible};

/// How the elements of a caller's buffer are typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryType {
    /// As stored, in native byte order; where not all bits count, the others as stored too.
    Native,
    /// Numbers of this type, converted where the array has others.
    Number(Number),
}

/// The conversion between the array's type and memory's, where there is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conversion {
    pub stored: Number,
    pub memory: Number,
}

impl MemoryType {
    /// Bytes of an element in memory, for an array of type `stored`.
    pub fn size(self, stored: &DataType) -> usize {
        match self {
            MemoryType::Native => stored.size(),
            MemoryType::Number(number) => number.size(),
        }
    }

    /// What has to be done between the two, for reading or writing. [`Kind::TypeMismatch`]: no
    /// such conversion exists.
    pub(super) fn conversion(self, stored: &DataType, reading: bool) -> Result<Option<Conversion>> {
        let MemoryType::Number(memory) = self else { return Ok(None) };
        let refuse = || {
            let (from, to) = if reading {
                (stored.name(), memory.name().to_owned())
            } else {
                (memory.name().to_owned(), stored.name())
            };
            Error::new(Kind::TypeMismatch, format!("there is no conversion from {from} to {to}"))
        };
        let stored = stored.number().ok_or_else(refuse)?;
        let (from, to) = if reading { (stored, memory) } else { (memory, stored) };
        match () {
            _ if stored == memory && !stored.has_idle_bits() => Ok(None),
            _ if convertible(from, to) => Ok(Some(Conversion { stored, memory })),
            _ => Err(refuse()),
        }
    }
}
