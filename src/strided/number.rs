//! The number types that can be converted into one another, as stored in memory.

use super::half::{bfloat16_to_float32, float16_to_float32};
use super::small::{SmallFloat, SmallInt};

/// A number type in native byte order. A bool is a byte: 0 is false, anything else true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named after the types
pub enum Number {
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
    Complex64,
    Complex128,
    SmallInt(SmallInt),
    SmallFloat(SmallFloat),
    ComplexFloat16,
    ComplexBFloat16,
    ComplexSmall(SmallFloat),
}

impl Number {
    /// Each of them once.
    pub fn all() -> impl Iterator<Item = Number> {
        use Number::*;
        let named = [
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
            Complex64,
            Complex128,
            ComplexFloat16,
            ComplexBFloat16,
        ];
        let ints = super::small::SmallInt::ALL.into_iter().map(SmallInt);
        let floats = super::small::SmallFloat::ALL.into_iter();
        named.into_iter().chain(ints).chain(floats.flat_map(|f| [SmallFloat(f), ComplexSmall(f)]))
    }

    /// The type with this [`name`](Self::name); `None`: there is none.
    pub fn named(name: &str) -> Option<Number> {
        Number::all().find(|number| number.name() == name)
    }

    /// Bytes of an element.
    pub fn size(self) -> usize {
        use Number::*;
        match self {
            Bool | Int8 | UInt8 | SmallInt(_) | SmallFloat(_) => 1,
            Int16 | UInt16 | Float16 | BFloat16 | ComplexSmall(_) => 2,
            Int32 | UInt32 | Float32 | ComplexFloat16 | ComplexBFloat16 => 4,
            Int64 | UInt64 | Float64 | Complex64 => 8,
            Complex128 => 16,
        }
    }

    /// Its name in Zarr's metadata.
    pub fn name(self) -> &'static str {
        use Number::*;
        match self {
            Bool => "bool",
            Int8 => "int8",
            Int16 => "int16",
            Int32 => "int32",
            Int64 => "int64",
            UInt8 => "uint8",
            UInt16 => "uint16",
            UInt32 => "uint32",
            UInt64 => "uint64",
            Float16 => "float16",
            BFloat16 => "bfloat16",
            Float32 => "float32",
            Float64 => "float64",
            Complex64 => "complex64",
            Complex128 => "complex128",
            SmallInt(small) => small.name(),
            SmallFloat(small) => small.name(),
            ComplexFloat16 => "complex_float16",
            ComplexBFloat16 => "complex_bfloat16",
            ComplexSmall(part) => part.complex_name(),
        }
    }

    /// Whether it has an imaginary part.
    pub fn is_complex(self) -> bool {
        self.part() != self
    }

    /// Whether some bits of an element are unused, so that two elements may differ in bits and be
    /// the same number.
    pub fn has_idle_bits(self) -> bool {
        match self.part() {
            Number::Bool | Number::SmallInt(_) => true,
            Number::SmallFloat(small) => small.bits() < 8,
            _ => false,
        }
    }

    /// The type of the parts of a complex number; any other type itself.
    pub fn part(self) -> Number {
        match self {
            Number::Complex64 => Number::Float32,
            Number::Complex128 => Number::Float64,
            Number::ComplexFloat16 => Number::Float16,
            Number::ComplexBFloat16 => Number::BFloat16,
            Number::ComplexSmall(part) => Number::SmallFloat(part),
            other => other,
        }
    }

    /// The range of the type, for messages.
    pub(super) fn range(self) -> String {
        use Number::*;
        match self.part() {
            Bool => "expected 0 or 1".into(),
            Int8 => format!("expected {} to {}", i8::MIN, i8::MAX),
            Int16 => format!("expected {} to {}", i16::MIN, i16::MAX),
            Int32 => format!("expected {} to {}", i32::MIN, i32::MAX),
            Int64 => format!("expected {} to {}", i64::MIN, i64::MAX),
            UInt8 => format!("expected 0 to {}", u8::MAX),
            UInt16 => format!("expected 0 to {}", u16::MAX),
            UInt32 => format!("expected 0 to {}", u32::MAX),
            UInt64 => format!("expected 0 to {}", u64::MAX),
            Float16 => "its largest is 65504".into(),
            BFloat16 => format!("its largest is {:e}", bfloat16_to_float32(0x7f7f)),
            Float32 => format!("its largest is {:e}", f32::MAX),
            SmallInt(small) => format!("expected {} to {}", small.range().0, small.range().1),
            SmallFloat(small) => small.range(),
            _ => format!("its largest is {:e}", f64::MAX),
        }
    }

    /// The number in `bytes`, for messages.
    pub(super) fn text(self, bytes: &[u8]) -> String {
        fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
            let mut out = [0; N];
            out.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            out
        }
        use Number::*;
        match self {
            Bool => first::<1>(bytes)[0].to_string(),
            Int8 => i8::from_ne_bytes(first(bytes)).to_string(),
            Int16 => i16::from_ne_bytes(first(bytes)).to_string(),
            Int32 => i32::from_ne_bytes(first(bytes)).to_string(),
            Int64 => i64::from_ne_bytes(first(bytes)).to_string(),
            UInt8 => u8::from_ne_bytes(first(bytes)).to_string(),
            UInt16 => u16::from_ne_bytes(first(bytes)).to_string(),
            UInt32 => u32::from_ne_bytes(first(bytes)).to_string(),
            UInt64 => u64::from_ne_bytes(first(bytes)).to_string(),
            Float16 => format!("{:?}", float16_to_float32(u16::from_ne_bytes(first(bytes)))),
            BFloat16 => format!("{:?}", bfloat16_to_float32(u16::from_ne_bytes(first(bytes)))),
            Float32 => format!("{:?}", f32::from_ne_bytes(first(bytes))),
            Float64 => format!("{:?}", f64::from_ne_bytes(first(bytes))),
            SmallInt(small) => small.value(first::<1>(bytes)[0]).to_string(),
            SmallFloat(small) => format!("{:?}", small.value(first::<1>(bytes)[0])),
            Complex64 | Complex128 | ComplexFloat16 | ComplexBFloat16 | ComplexSmall(_) => {
                let (re, im) = bytes.split_at(bytes.len().min(self.size() / 2));
                format!("{} + {}i", self.part().text(re), self.part().text(im))
            }
        }
    }
}
