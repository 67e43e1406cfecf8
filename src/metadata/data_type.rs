//! Data types, independent of any format's spelling.

use super::fill::FillValue;
use crate::error::{Error, Kind, Result};
use crate::heap::Reference;
use crate::strided::{Number, Swap};
pub use crate::strided::{SmallFloat, SmallInt};
use std::sync::Arc;

/// The maximum size of an element (bytes): NumPy's own limit, far beyond any real type.
pub const MAX_ELEMENT_SIZE: usize = i32::MAX as usize;

/// Order of the bytes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Endian {
    Little,
    Big,
}

impl Endian {
    /// Native byte order.
    pub const NATIVE: Endian =
        if cfg!(target_endian = "little") { Endian::Little } else { Endian::Big };

    /// Its name in metadata.
    pub fn name(self) -> &'static str {
        match self {
            Endian::Little => "little",
            Endian::Big => "big",
        }
    }
}

/// The data type of an element. Numbers in memory have native byte order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum DataType {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    BFloat16,
    Float32,
    Float64,
    /// Two float32: real, imaginary.
    Complex64,
    /// Two float64: real, imaginary.
    Complex128,
    /// An integer in the low bits of a byte. The stored upper bits are unspecified.
    SmallInt(SmallInt),
    /// Likewise.
    SmallFloat(SmallFloat),
    /// Two float16: real, imaginary.
    ComplexFloat16,
    /// Two bfloat16: real, imaginary.
    ComplexBFloat16,
    /// Two small floats, a byte each: real, imaginary.
    ComplexSmall(SmallFloat),
    /// That many opaque bytes.
    Raw(usize),
    /// That many bytes of text, NUL-padded.
    FixedBytes(usize),
    /// That many UCS-4 code units, NUL-padded.
    FixedUtf32(usize),
    /// A point in time: an int64 count of the scale since 1970; `i64::MIN` is "not a time".
    DateTime64(TimeScale),
    /// A span of time, likewise.
    TimeDelta64(TimeScale),
    /// Fields without padding, in declared order.
    Struct(Arc<StructType>),
    /// Variable-length UTF-8.
    String,
    /// Variable-length bytes.
    Bytes,
    /// A variable-length list of a type of fixed size, in native byte order.
    Ragged(Arc<DataType>),
    /// The text of any JSON value.
    Json,
}

/// The unit of a [`DataType::DateTime64`]: `count` times `unit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeScale {
    /// The unit.
    pub unit: TimeUnit,
    /// How many units, at least 1.
    pub count: u32,
}

/// NumPy's units of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TimeUnit {
    Generic,
    Year,
    Month,
    Week,
    Day,
    Hour,
    Minute,
    Second,
    Millisecond,
    Microsecond,
    Nanosecond,
    Picosecond,
    Femtosecond,
    Attosecond,
}

impl TimeUnit {
    /// Each unit with NumPy's short name, as in typestrs and `numpy.datetime64`.
    pub const NAMES: [(TimeUnit, &'static str); 14] = [
        (TimeUnit::Generic, "generic"),
        (TimeUnit::Year, "Y"),
        (TimeUnit::Month, "M"),
        (TimeUnit::Week, "W"),
        (TimeUnit::Day, "D"),
        (TimeUnit::Hour, "h"),
        (TimeUnit::Minute, "m"),
        (TimeUnit::Second, "s"),
        (TimeUnit::Millisecond, "ms"),
        (TimeUnit::Microsecond, "us"),
        (TimeUnit::Nanosecond, "ns"),
        (TimeUnit::Picosecond, "ps"),
        (TimeUnit::Femtosecond, "fs"),
        (TimeUnit::Attosecond, "as"),
    ];

    /// The short name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(unit, _)| *unit == self).map_or("generic", |(_, name)| name)
    }

    /// The unit of that short name; "μs" is microseconds too.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "μs" || name == "µs" {
            return Some(TimeUnit::Microsecond);
        }
        Self::NAMES.iter().find(|(_, n)| *n == name).map(|(unit, _)| *unit)
    }
}

/// The fields of a [`DataType::Struct`], without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructType {
    fields: Vec<Field>,
    size: usize,
    /// Runs of numbers in an element, including those of nested structs.
    runs: usize,
}

/// Limit of runs of numbers in an element: each is stored in memory and swapped separately.
const MAX_RUNS: usize = 1 << 20;

/// One field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name; empty for padding.
    pub name: String,
    /// The type of its elements.
    pub data_type: DataType,
    /// Its own shape; empty for one element.
    pub shape: Vec<usize>,
    /// Its stored byte order, if the format has one per field; otherwise the `bytes` codec has it.
    pub stored: Option<Endian>,
    /// Its offset in the struct (bytes).
    pub offset: usize,
    /// Its size (bytes), all elements together.
    pub size: usize,
}

impl StructType {
    /// Lays out fields given as name, type, shape and stored byte order. Checks sizes; names must
    /// differ (except padding).
    pub fn new(parts: Vec<(String, DataType, Vec<usize>, Option<Endian>)>) -> Result<Self> {
        let mut fields: Vec<Field> = Vec::with_capacity(parts.len());
        let mut names = std::collections::HashSet::new();
        let (mut offset, mut runs) = (0usize, 0usize);
        for (name, data_type, shape, stored) in parts {
            if !name.is_empty() && !names.insert(name.clone()) {
                return Err(Error::metadata(format!("data type: field {name:?} occurs twice")));
            }
            let size = shape
                .iter()
                .try_fold(data_type.size(), |n, &s| n.checked_mul(s))
                .filter(|&n| n <= MAX_ELEMENT_SIZE - offset)
                .ok_or_else(|| too_large(format_args!("with field {name:?}")))?;
            let inner = match &data_type {
                DataType::Struct(inner) => {
                    inner.runs.saturating_mul(size.checked_div(data_type.size()).unwrap_or(0))
                }
                _ => 1,
            };
            runs = runs.saturating_add(inner);
            if runs > MAX_RUNS {
                let what = format!("data type: an element has more than {MAX_RUNS} fields");
                return Err(Error::new(Kind::LimitExceeded, what));
            }
            fields.push(Field { name, data_type, shape, stored, offset, size });
            offset += size;
        }
        if fields.is_empty() {
            return Err(Error::metadata("data type: a struct needs at least one field"));
        }
        Ok(StructType { fields, size: offset, runs })
    }

    /// In declared order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }
}

fn too_large(what: impl std::fmt::Display) -> Error {
    Error::new(
        Kind::LimitExceeded,
        format!("data type {what}: an element may have at most {MAX_ELEMENT_SIZE} bytes"),
    )
}

impl DataType {
    /// Checks an element size from metadata; 0 is allowed.
    pub fn checked_size(size: u64, what: impl std::fmt::Display) -> Result<usize> {
        usize::try_from(size).ok().filter(|&n| n <= MAX_ELEMENT_SIZE).ok_or_else(|| too_large(what))
    }

    /// The type of either part of a complex number; `None`: not complex.
    pub fn part(&self) -> Option<DataType> {
        let number = self.number()?;
        number.is_complex().then(|| number.part().into())
    }

    /// Whether elements have variable length. In memory they are references into a
    /// [`Heap`](crate::heap::Heap).
    pub fn is_variable(&self) -> bool {
        use DataType::*;
        matches!(self, String | Bytes | Ragged(_) | Json)
    }

    /// The default element: zeros, no bytes, JSON's null.
    pub fn zero(&self) -> FillValue {
        match self {
            DataType::Json => FillValue::new(b"null"),
            variable if variable.is_variable() => FillValue::zeros(0),
            fixed => FillValue::zeros(fixed.size()),
        }
    }

    /// The size of an element (bytes) in memory; also stored, except for variable length.
    pub fn size(&self) -> usize {
        use DataType::*;
        match self {
            Raw(n) | FixedBytes(n) => *n,
            FixedUtf32(n) => n * 4,
            Struct(s) => s.size,
            String | Bytes | Ragged(_) | Json => Reference::SIZE,
            number => number.number().map_or(0, Number::size),
        }
    }

    /// The number type of an element, if it is a number.
    pub fn number(&self) -> Option<Number> {
        Some(match self {
            DataType::Bool => Number::Bool,
            DataType::Int8 => Number::Int8,
            DataType::Int16 => Number::Int16,
            DataType::Int32 => Number::Int32,
            DataType::Int64 | DataType::DateTime64(_) | DataType::TimeDelta64(_) => Number::Int64,
            DataType::UInt8 => Number::UInt8,
            DataType::UInt16 => Number::UInt16,
            DataType::UInt32 => Number::UInt32,
            DataType::UInt64 => Number::UInt64,
            DataType::Float16 => Number::Float16,
            DataType::BFloat16 => Number::BFloat16,
            DataType::Float32 => Number::Float32,
            DataType::Float64 => Number::Float64,
            DataType::Complex64 => Number::Complex64,
            DataType::Complex128 => Number::Complex128,
            DataType::SmallInt(small) => Number::SmallInt(*small),
            DataType::SmallFloat(small) => Number::SmallFloat(*small),
            DataType::ComplexFloat16 => Number::ComplexFloat16,
            DataType::ComplexBFloat16 => Number::ComplexBFloat16,
            DataType::ComplexSmall(part) => Number::ComplexSmall(*part),
            DataType::Raw(_)
            | DataType::FixedBytes(_)
            | DataType::FixedUtf32(_)
            | DataType::Struct(_)
            | DataType::String
            | DataType::Bytes
            | DataType::Ragged(_)
            | DataType::Json => return None,
        })
    }

    /// The number of significant bits, from the lowest: of an element, or of either part of a
    /// complex number.
    pub fn bits(&self) -> usize {
        use DataType::*;
        match self {
            Bool => 1,
            SmallInt(small) => small.bits() as usize,
            SmallFloat(small) => small.bits() as usize,
            other => other.part().map_or(other.size() * 8, |part| part.bits()),
        }
    }

    /// The size of the words that an endianness orders (bytes); 1 if there are none.
    fn word(&self) -> usize {
        use DataType::*;
        match self {
            Bool | Int8 | UInt8 | Raw(_) | FixedBytes(_) | Struct(_) => 1,
            String | Bytes | Ragged(_) | Json => 1,
            FixedUtf32(_) => 4,
            other => other.part().unwrap_or_else(|| other.clone()).size(),
        }
    }

    /// Whether a `bytes` codec requires a byte order for this type.
    pub fn has_byte_order(&self) -> bool {
        match self {
            DataType::Struct(s) => {
                s.fields.iter().any(|f| f.stored.is_none() && f.data_type.has_byte_order())
            }
            _ => self.word() > 1,
        }
    }

    /// The swaps between memory and elements stored in `endian`.
    pub fn swap(&self, endian: Endian) -> Swap {
        match self {
            DataType::Struct(_) => {
                let mut runs = Vec::new();
                self.collect_runs(0, endian, &mut runs);
                if runs.is_empty() { Swap::None } else { Swap::Runs(runs) }
            }
            _ if endian == Endian::NATIVE || self.word() == 1 => Swap::None,
            _ => Swap::Words { width: self.word() },
        }
    }

    fn collect_runs(&self, at: usize, endian: Endian, runs: &mut Vec<crate::strided::Run>) {
        match self {
            DataType::Struct(s) => {
                for field in &s.fields {
                    let endian = field.stored.unwrap_or(endian);
                    let size = field.data_type.size();
                    if matches!(field.data_type, DataType::Struct(_)) {
                        let count = field.size.checked_div(size).unwrap_or(0);
                        for i in 0..count {
                            field.data_type.collect_runs(
                                at + field.offset + i * size,
                                endian,
                                runs,
                            );
                        }
                    } else if endian != Endian::NATIVE && field.data_type.word() > 1 {
                        let width = field.data_type.word();
                        let count = field.size / width;
                        runs.push(crate::strided::Run { offset: at + field.offset, width, count });
                    }
                }
            }
            _ => unreachable!("only structs have runs"),
        }
    }

    /// A short name for messages.
    pub fn name(&self) -> String {
        use DataType::*;
        match self {
            Raw(n) => format!("raw bytes[{n}]"),
            FixedBytes(n) => format!("fixed bytes[{n}]"),
            FixedUtf32(n) => format!("fixed UTF-32[{n}]"),
            DateTime64(s) => format!("datetime64[{}{}]", s.count, s.unit.name()),
            TimeDelta64(s) => format!("timedelta64[{}{}]", s.count, s.unit.name()),
            Struct(_) => "struct".into(),
            String => "string".into(),
            Bytes => "bytes".into(),
            Ragged(t) => format!("runs of {}", t.name()),
            Json => "JSON".into(),
            number => number.number().map_or("", Number::name).into(),
        }
    }
}

impl From<Number> for DataType {
    fn from(number: Number) -> DataType {
        match number {
            Number::Bool => DataType::Bool,
            Number::Int8 => DataType::Int8,
            Number::Int16 => DataType::Int16,
            Number::Int32 => DataType::Int32,
            Number::Int64 => DataType::Int64,
            Number::UInt8 => DataType::UInt8,
            Number::UInt16 => DataType::UInt16,
            Number::UInt32 => DataType::UInt32,
            Number::UInt64 => DataType::UInt64,
            Number::Float16 => DataType::Float16,
            Number::BFloat16 => DataType::BFloat16,
            Number::Float32 => DataType::Float32,
            Number::Float64 => DataType::Float64,
            Number::Complex64 => DataType::Complex64,
            Number::Complex128 => DataType::Complex128,
            Number::SmallInt(small) => DataType::SmallInt(small),
            Number::SmallFloat(small) => DataType::SmallFloat(small),
            Number::ComplexFloat16 => DataType::ComplexFloat16,
            Number::ComplexBFloat16 => DataType::ComplexBFloat16,
            Number::ComplexSmall(part) => DataType::ComplexSmall(part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_a_type_of_its_name() {
        assert_eq!(Number::all().count(), 43);
        for number in Number::all() {
            let data_type = DataType::from(number);
            assert_eq!(data_type.number(), Some(number));
            assert_eq!(data_type.name(), number.name());
            assert_eq!(data_type.size(), number.size());
            assert_eq!(Number::named(number.name()), Some(number));
        }
        assert_eq!(Number::named("float8"), None);
    }
    use crate::strided::Run;

    #[test]
    fn mixed_struct_swaps_only_what_differs() {
        let other = if Endian::NATIVE == Endian::Little { Endian::Big } else { Endian::Little };
        let inner = StructType::new(vec![
            ("x".into(), DataType::Float32, vec![2], Some(other)),
            ("flag".into(), DataType::Bool, vec![], None),
        ])
        .expect("a good struct");
        let outer = StructType::new(vec![
            ("a".into(), DataType::UInt16, vec![], Some(Endian::NATIVE)),
            ("s".into(), DataType::Struct(inner.into()), vec![2], None),
            ("u".into(), DataType::FixedUtf32(3), vec![], Some(other)),
        ])
        .expect("a good struct");
        let t = DataType::Struct(outer.into());
        assert_eq!(t.size(), 2 + 2 * 9 + 12);
        assert!(!t.has_byte_order());
        let expected = vec![
            Run { offset: 2, width: 4, count: 2 },
            Run { offset: 11, width: 4, count: 2 },
            Run { offset: 20, width: 4, count: 3 },
        ];
        assert_eq!(t.swap(Endian::NATIVE), Swap::Runs(expected));
    }

    #[test]
    fn bits_that_count() {
        for (data_type, bits) in [
            (DataType::Bool, 1),
            (DataType::SmallInt(SmallInt::UInt2), 2),
            (DataType::SmallFloat(SmallFloat::Float6E2M3Fn), 6),
            (DataType::ComplexSmall(SmallFloat::Float4E2M1Fn), 4),
            (DataType::ComplexBFloat16, 16),
            (DataType::Complex128, 64),
            (DataType::Int32, 32),
        ] {
            assert_eq!(data_type.bits(), bits, "{}", data_type.name());
        }
    }

    #[test]
    fn sizes_are_bounded() {
        let huge = vec![("z".into(), DataType::Float32, vec![1 << 40, 1 << 40], None)];
        assert_eq!(StructType::new(huge).expect_err("too large").kind(), Kind::LimitExceeded);
        let pair = |of: DataType, n| vec![("a".into(), of, vec![n], None)];
        let small = StructType::new(pair(DataType::UInt16, 1)).expect("small");
        let many = pair(DataType::Struct(small.into()), MAX_RUNS + 1);
        assert_eq!(StructType::new(many).expect_err("too many").kind(), Kind::LimitExceeded);
        assert!(DataType::checked_size(1 << 40, "|S").is_err());
    }
}
