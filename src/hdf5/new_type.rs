//! The types of HDF5 that new datasets have, for ours.
#![allow(unsafe_code)] // calls of libhdf5

use super::element::copy_of;
use super::handle::Id;
use super::library::Session;
use crate::error::{Error, Result};
use crate::metadata::{DataType, Endian};
use std::ffi::{CString, c_uint, c_void};

/// The type of a dataset whose elements lie as those of ours do in memory; texts of any length are
/// pointers to texts that end with a NUL, runs a length and a pointer.
///
/// [`Kind::Unsupported`](crate::error::Kind::Unsupported): HDF5 has none.
pub fn of(s: &Session, data_type: &DataType) -> Result<Id> {
    use DataType::*;
    let f = &s.lib.f;
    let order = if Endian::NATIVE == Endian::Little { "LE" } else { "BE" };
    let named = |name: &str| copy_of(s, s.lib.global(&format!("H5T_{name}{order}"))?);
    match data_type {
        Bool => boolean(s),
        Int8 => named("STD_I8"),
        Int16 => named("STD_I16"),
        Int32 => named("STD_I32"),
        Int64 | DateTime64(_) | TimeDelta64(_) => named("STD_I64"),
        UInt8 => named("STD_U8"),
        UInt16 => named("STD_U16"),
        UInt32 => named("STD_U32"),
        UInt64 => named("STD_U64"),
        SmallInt(small) => named(if small.name().starts_with('u') { "STD_U8" } else { "STD_I8" }),
        Float16 => half(s, &named("IEEE_F32")?, 10, 5, 15),
        BFloat16 => half(s, &named("IEEE_F32")?, 7, 8, 127),
        Float32 => named("IEEE_F32"),
        Float64 => named("IEEE_F64"),
        Complex64 => complex(s, &of(s, &Float32)?, 4),
        Complex128 => complex(s, &of(s, &Float64)?, 8),
        ComplexFloat16 => complex(s, &of(s, &Float16)?, 2),
        ComplexBFloat16 => complex(s, &of(s, &BFloat16)?, 2),
        FixedBytes(size) => {
            let padded = text(s, Some(*size))?;
            // SAFETY: a type of text; 1 is padding by NULs, none of which need be there.
            s.check(unsafe { (f.H5Tset_strpad)(padded.raw(), 1) }, "a type")?;
            Ok(padded)
        }
        String | FixedUtf32(_) | Json => text(s, None),
        Raw(size) => {
            // SAFETY: 5 is H5T_OPAQUE; then a type and a text.
            unsafe {
                let opaque = Id::new(s, (f.H5Tcreate)(5, *size), "a type")?;
                s.check((f.H5Tset_tag)(opaque.raw(), c"".as_ptr()), "a type")?;
                Ok(opaque)
            }
        }
        Bytes => run(s, &of(s, &UInt8)?),
        Ragged(item) => run(s, &of(s, item)?),
        Struct(fields) => {
            // SAFETY: 6 is H5T_COMPOUND.
            let whole = unsafe { Id::new(s, (f.H5Tcreate)(6, data_type.size()), "a type")? };
            for field in fields.fields() {
                if field.name.is_empty() {
                    continue; // padding
                }
                let mut member = of(s, &field.data_type)?;
                if !field.shape.is_empty() {
                    let extents: Vec<u64> = field.shape.iter().map(|&n| n as u64).collect();
                    let rank = extents.len() as c_uint;
                    // SAFETY: as many numbers as `rank` says.
                    let array =
                        unsafe { (f.H5Tarray_create2)(member.raw(), rank, extents.as_ptr()) };
                    member = Id::new(s, array, "a type")?;
                }
                insert(s, &whole, &field.name, field.offset, &member)?;
            }
            Ok(whole)
        }
        SmallFloat(_) | ComplexSmall(_) => {
            Err(Error::unsupported(format!("HDF5 has no {}", data_type.name())))
        }
    }
}

fn insert(s: &Session, whole: &Id, name: &str, offset: usize, member: &Id) -> Result<()> {
    let name = CString::new(name).map_err(|_| Error::unsupported("a name has a NUL"))?;
    // SAFETY: two types and a text.
    let result = unsafe { (s.lib.f.H5Tinsert)(whole.raw(), name.as_ptr(), offset, member.raw()) };
    s.check(result, "a type").map(drop)
}

/// As h5py has truth values.
fn boolean(s: &Session) -> Result<Id> {
    let base = s.lib.global("H5T_STD_I8LE")?;
    // SAFETY: a type of integers, texts and numbers of one byte.
    unsafe {
        let names = Id::new(s, (s.lib.f.H5Tenum_create)(base), "a type")?;
        for (name, value) in [(c"FALSE", 0u8), (c"TRUE", 1)] {
            let value = (&raw const value).cast::<c_void>();
            s.check((s.lib.f.H5Tenum_insert)(names.raw(), name.as_ptr(), value), "a type")?;
        }
        Ok(names)
    }
}

/// A float of 16 bits.
fn half(s: &Session, single: &Id, mantissa: usize, exponent: usize, bias: usize) -> Result<Id> {
    let half = copy_of(s, single.raw())?;
    let f = &s.lib.f;
    // SAFETY: a type of floats.
    unsafe {
        let fields = (f.H5Tset_fields)(half.raw(), 15, mantissa, exponent, 0, mantissa);
        s.check(fields, "a type")?;
        s.check((f.H5Tset_size)(half.raw(), 2), "a type")?;
        s.check((f.H5Tset_ebias)(half.raw(), bias), "a type")?;
    }
    Ok(half)
}

/// As h5py has complex numbers.
fn complex(s: &Session, part: &Id, size: usize) -> Result<Id> {
    // SAFETY: 6 is H5T_COMPOUND.
    let whole = unsafe { Id::new(s, (s.lib.f.H5Tcreate)(6, size * 2), "a type")? };
    insert(s, &whole, "r", 0, part)?;
    insert(s, &whole, "i", size, part)?;
    Ok(whole)
}

fn run(s: &Session, item: &Id) -> Result<Id> {
    // SAFETY: a type.
    Id::new(s, unsafe { (s.lib.f.H5Tvlen_create)(item.raw()) }, "a type")
}

/// Text of so many bytes, with a NUL at its end; `None`: UTF-8 of any length.
pub fn text(s: &Session, size: Option<usize>) -> Result<Id> {
    let text = copy_of(s, s.lib.global("H5T_C_S1")?)?;
    let f = &s.lib.f;
    // SAFETY: a type of text; the largest size is H5T_VARIABLE, 1 is UTF-8.
    unsafe {
        s.check((f.H5Tset_size)(text.raw(), size.unwrap_or(usize::MAX)), "a type")?;
        if size.is_none() {
            s.check((f.H5Tset_cset)(text.raw(), 1), "a type")?;
        }
    }
    Ok(text)
}
