//! The data types of elements in a caller's memory, and the conversion to the stored ones.

use crate::error::{Error, Kind, Result};
use crate::metadata::DataType;
use crate::strided::{Number, convertible};

/// The data type of a caller's buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryType {
    /// As stored, in native byte order; bits that do not count are unspecified.
    Native,
    /// Numbers of this type, converted if the array has another.
    Number(Number),
}

/// The conversion between the array's type and memory's, if one is needed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conversion {
    pub stored: Number,
    pub memory: Number,
}

impl MemoryType {
    /// The size of an element in memory (bytes), for an array of type `stored`.
    pub fn size(self, stored: &DataType) -> usize {
        match self {
            MemoryType::Native => stored.size(),
            MemoryType::Number(number) => number.size(),
        }
    }

    /// Fails if elements cannot be written to an array of type `stored`.
    pub fn check_writable(self, stored: &DataType) -> Result<()> {
        self.conversion(stored, false).map(drop)
    }

    /// The conversion between the two, for reading or writing. [`Kind::TypeMismatch`]: there is
    /// none.
    pub(super) fn conversion(self, stored: &DataType, reading: bool) -> Result<Option<Conversion>> {
        let memory = match self {
            MemoryType::Number(memory) => memory,
            // readers disagree about a byte that is neither 0 nor 1
            MemoryType::Native if *stored == DataType::Bool => Number::Bool,
            MemoryType::Native => return Ok(None),
        };
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

/// A field of a struct type.
#[derive(Clone, Debug)]
pub struct FieldPart {
    /// Its offset (bytes).
    pub(super) offset: usize,
    /// Its type; raw bytes for a field with a shape of its own.
    pub(super) data_type: DataType,
}

impl FieldPart {
    /// The field of that name. [`Kind::NotFound`]: there is none; [`Kind::TypeMismatch`]: the type
    /// has no fields.
    pub fn find(data_type: &DataType, name: &str) -> Result<Self> {
        let DataType::Struct(fields) = data_type else {
            let what = format!("field {name:?}: the data type {} has no fields", data_type.name());
            return Err(Error::new(Kind::TypeMismatch, what));
        };
        let fields = fields.fields();
        let field =
            fields.iter().find(|f| f.name == name && !name.is_empty()).ok_or_else(|| {
                let names = fields.iter().map(|f| &f.name[..]).filter(|n| !n.is_empty());
                let names = names.collect::<Vec<_>>().join(", ");
                Error::new(
                    Kind::NotFound,
                    format!("field {name:?} does not exist; the fields are: {names}"),
                )
            })?;
        let elements = field.shape.iter().product::<usize>();
        let data_type = match field.shape.is_empty() {
            true => field.data_type.clone(),
            false => DataType::Raw(elements * field.data_type.size()),
        };
        Ok(FieldPart { offset: field.offset, data_type })
    }

    /// Its type.
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }
}
