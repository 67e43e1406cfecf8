//! The types of HDF5 beside ours.
#![allow(unsafe_code)] // calls of libhdf5

use super::handle::{Id, take_text};
use super::library::{Hid, Session};
use super::new_type;
use crate::error::{Context, Error, Result};
use crate::metadata::{DataType, Endian, StructType, typestr};
use std::ffi::c_uint;

/// Types may nest this deep, and a compound may have this many members.
const MAX_DEPTH: usize = 16;
const MAX_MEMBERS: usize = 1 << 16;

/// The type of a dataset or attribute.
pub struct Element {
    /// Ours.
    pub data_type: DataType,
    /// Extents of the array that each element is; they become the last dimensions.
    pub extra: Vec<u64>,
    /// The byte order of elements that are read; fields of a struct say their own.
    pub order: Endian,
    /// Whether elements lie in the file as they are read.
    pub exact: bool,
    /// What elements are read as: packed, as [`Self::data_type`] lies in [`Self::order`].
    pub memory: Id,
    /// What is lost, in words.
    pub notes: Vec<String>,
}

impl Element {
    fn new(data_type: DataType, order: Endian, exact: bool, memory: Id) -> Self {
        Element { data_type, extra: Vec::new(), order, exact, memory, notes: Vec::new() }
    }

    /// Bytes of one that is read, all of its array together: of variable length, of the pointer.
    pub fn size(&self, s: &Session) -> usize {
        // SAFETY: a type.
        unsafe { (s.lib.f.H5Tget_size)(self.memory.raw()) }
    }

    /// What a type of a file is here. [`Kind::Unsupported`](crate::error::Kind::Unsupported): it is
    /// nothing.
    pub fn of(s: &Session, file_type: &Id) -> Result<Element> {
        parse(s, file_type, 0)
    }
}

/// A predefined type, or a copy of one.
pub fn copy_of(s: &Session, hid: Hid) -> Result<Id> {
    // SAFETY: a type.
    Id::new(s, unsafe { (s.lib.f.H5Tcopy)(hid) }, "a type")
}

/// The class of a type, as H5T_class_t numbers them.
pub fn class(s: &Session, of: &Id) -> Result<i32> {
    // SAFETY: a type.
    s.check(unsafe { (s.lib.f.H5Tget_class)(of.raw()) }, "a type")
}

fn order_of(s: &Session, of: &Id) -> Option<Endian> {
    // SAFETY: a type.
    match unsafe { (s.lib.f.H5Tget_order)(of.raw()) } {
        1 => Some(Endian::Big),
        0 | 4 => Some(Endian::Little),
        _ => None,
    }
}

/// The type that another is made of.
pub fn super_of(s: &Session, of: &Id) -> Result<Id> {
    // SAFETY: a type.
    Id::new(s, unsafe { (s.lib.f.H5Tget_super)(of.raw()) }, "a type")
}

fn parse(s: &Session, of: &Id, depth: usize) -> Result<Element> {
    if depth > MAX_DEPTH {
        return Err(Error::unsupported(format!("its type nests deeper than {MAX_DEPTH}")));
    }
    // SAFETY: a type.
    let size = unsafe { (s.lib.f.H5Tget_size)(of.raw()) };
    let order = order_of(s, of);
    let as_it_is = |data_type| -> Result<Element> {
        let memory = copy_of(s, of.raw())?;
        Ok(Element::new(data_type, order.unwrap_or(Endian::Little), true, memory))
    };
    match class(s, of)? {
        kind @ (0 | 4) => integer(s, of, size, kind == 4, &as_it_is),
        1 => float(s, of, size, &as_it_is),
        3 => {
            // SAFETY: a type.
            let variable = unsafe { (s.lib.f.H5Tis_variable_str)(of.raw()) };
            match s.check(variable, "a type")? > 0 {
                true => as_it_is(DataType::String),
                false => as_it_is(DataType::FixedBytes(size)),
            }
        }
        5 => {
            // SAFETY: an opaque type, whose tag is given away.
            let tag = unsafe { take_text(s, (s.lib.f.H5Tget_tag)(of.raw())) }?;
            // as h5py keeps NumPy's times
            let numpy = std::str::from_utf8(&tag).ok().and_then(|tag| tag.strip_prefix("NUMPY:"));
            let spelt = numpy.and_then(|text| typestr::parse(text).ok());
            match spelt {
                Some((time @ (DataType::DateTime64(_) | DataType::TimeDelta64(_)), order))
                    if size == time.size() =>
                {
                    let order = order.unwrap_or(Endian::Little);
                    Ok(Element { order, ..as_it_is(time)? })
                }
                _ => as_it_is(DataType::Raw(size)),
            }
        }
        6 => compound(s, of, size, depth),
        8 => enumeration(s, of, depth, &as_it_is),
        9 => {
            let base = parse(s, &super_of(s, of)?, depth + 1)?;
            let plain = base.exact && base.extra.is_empty() && base.data_type.number().is_some();
            match plain {
                true => {
                    let runs = as_it_is(DataType::Ragged(base.data_type.into()))?;
                    Ok(Element { order: base.order, notes: base.notes, ..runs })
                }
                false => Err(Error::unsupported(format!(
                    "Zarr has no elements of variable length that are made of {}",
                    base.data_type.name()
                ))),
            }
        }
        10 => array(s, of, depth),
        7 => Err(Error::unsupported("Zarr has no references to objects")),
        11 => Err(Error::unsupported("HDF5's own complex numbers are not read yet")),
        _ => Err(Error::unsupported("Zarr has no such type")),
    }
}

type AsItIs<'a> = &'a dyn Fn(DataType) -> Result<Element>;

fn integer(s: &Session, of: &Id, size: usize, bits: bool, as_it_is: AsItIs<'_>) -> Result<Element> {
    use DataType::*;
    // SAFETY: a type of numbers.
    let (signed, precision) = unsafe {
        let signed = !bits && (s.lib.f.H5Tget_sign)(of.raw()) == 1;
        (signed, (s.lib.f.H5Tget_precision)(of.raw()))
    };
    let whole = precision == size * 8 && order_of(s, of).is_some();
    let (data_type, name) = match (size, signed) {
        (1, true) => (Int8, "I8"),
        (2, true) => (Int16, "I16"),
        (3 | 4, true) => (Int32, "I32"),
        (5..=8, true) => (Int64, "I64"),
        (1, false) => (UInt8, "U8"),
        (2, false) => (UInt16, "U16"),
        (3 | 4, false) => (UInt32, "U32"),
        (5..=8, false) => (UInt64, "U64"),
        _ => return Err(Error::unsupported(format!("Zarr has no integers of {size} bytes"))),
    };
    if whole && matches!(size, 1 | 2 | 4 | 8) {
        return as_it_is(data_type);
    }
    if bits {
        return Err(Error::unsupported(format!("Zarr has no fields of {precision} bits")));
    }
    let memory = copy_of(s, s.lib.global(&format!("H5T_STD_{name}LE"))?)?;
    Ok(Element::new(data_type, Endian::Little, false, memory))
}

fn float(s: &Session, of: &Id, size: usize, as_it_is: AsItIs<'_>) -> Result<Element> {
    let mut at = [0usize; 5];
    let [sign, exponent, exponent_size, mantissa, mantissa_size] = &mut at;
    // SAFETY: a float, and five numbers.
    let result = unsafe {
        (s.lib.f.H5Tget_fields)(of.raw(), sign, exponent, exponent_size, mantissa, mantissa_size)
    };
    s.check(result, "a type")?;
    let known = match (size, at) {
        (2, [15, 10, 5, 0, 10]) => Some(DataType::Float16),
        (2, [15, 7, 8, 0, 7]) => Some(DataType::BFloat16),
        (4, [31, 23, 8, 0, 23]) => Some(DataType::Float32),
        (8, [63, 52, 11, 0, 52]) => Some(DataType::Float64),
        _ => None,
    };
    if let (Some(data_type), Some(_)) = (known, order_of(s, of)) {
        return as_it_is(data_type);
    }
    let (data_type, name) = match size > 4 {
        true => (DataType::Float64, "H5T_IEEE_F64LE"),
        false => (DataType::Float32, "H5T_IEEE_F32LE"),
    };
    let memory = copy_of(s, s.lib.global(name)?)?;
    let mut element = Element::new(data_type, Endian::Little, false, memory);
    if size > 8 {
        element.notes.push(format!("floats of {size} bytes become float64, with fewer digits"));
    }
    Ok(element)
}

fn members(s: &Session, of: &Id) -> Result<c_uint> {
    // SAFETY: a compound or an enumeration.
    let count = s.check(unsafe { (s.lib.f.H5Tget_nmembers)(of.raw()) }, "a type")?;
    match count as usize <= MAX_MEMBERS {
        true => Ok(count as c_uint),
        false => Err(Error::unsupported(format!("its type has more than {MAX_MEMBERS} members"))),
    }
}

fn member_name(s: &Session, of: &Id, n: c_uint) -> Result<String> {
    // SAFETY: a compound or an enumeration, whose member's name is given away.
    let name = unsafe { take_text(s, (s.lib.f.H5Tget_member_name)(of.raw(), n)) }?;
    String::from_utf8(name)
        .map_err(|_| Error::unsupported("the name of a member of its type is no UTF-8"))
}

fn compound(s: &Session, of: &Id, size: usize, depth: usize) -> Result<Element> {
    let count = members(s, of)?;
    let (mut parts, mut notes, mut inside) = (Vec::new(), Vec::new(), Vec::new());
    let (mut end, mut exact) = (0, true);
    for n in 0..count {
        let name = member_name(s, of, n)?;
        // SAFETY: a compound that has so many members.
        let (offset, hid) = unsafe {
            ((s.lib.f.H5Tget_member_offset)(of.raw(), n), (s.lib.f.H5Tget_member_type)(of.raw(), n))
        };
        let member = parse(s, &Id::new(s, hid, "a type")?, depth + 1).at(|| name.clone())?;
        if member.data_type.is_variable() {
            return Err(Error::unsupported(format!(
                "its member {name:?} is of variable length, which Zarr's structs cannot hold"
            )));
        }
        exact &= member.exact && offset == end;
        let bytes = member.size(s);
        notes.extend(member.notes.iter().map(|note| format!("{name}: {note}")));
        inside.push((name, member, end));
        end += bytes;
    }
    exact &= end == size;
    let text = |name: &str| {
        std::ffi::CString::new(name).map_err(|_| Error::unsupported("a name has a NUL"))
    };
    let memory = match exact {
        true => copy_of(s, of.raw())?,
        false => {
            // SAFETY: 6 is H5T_COMPOUND; each member lies inside.
            unsafe {
                let packed = Id::new(s, (s.lib.f.H5Tcreate)(6, end), "a type")?;
                for (name, member, offset) in &inside {
                    let name = text(name)?;
                    let inserted = (s.lib.f.H5Tinsert)(
                        packed.raw(),
                        name.as_ptr(),
                        *offset,
                        member.memory.raw(),
                    );
                    s.check(inserted, "a type")?;
                }
                packed
            }
        }
    };
    // as h5py keeps complex numbers
    if let [(r, re, _), (i, im, _)] = &inside[..]
        && (&**r, &**i) == ("r", "i")
        && re.data_type == im.data_type
        && re.order == im.order
        && re.extra.is_empty()
        && im.extra.is_empty()
    {
        let complex = match re.data_type {
            DataType::Float32 => Some(DataType::Complex64),
            DataType::Float64 => Some(DataType::Complex128),
            _ => None,
        };
        if let Some(complex) = complex {
            return Ok(Element::new(complex, re.order, exact, memory));
        }
    }
    for (name, member, _) in inside {
        let stored = member.data_type.has_byte_order().then_some(member.order);
        let shape = member.extra.iter().map(|&n| n as usize).collect();
        parts.push((name, member.data_type, shape, stored));
    }
    let data_type = DataType::Struct(StructType::new(parts)?.into());
    let (mut little, mut big) = (false, false);
    orders(&data_type, &mut |order| match order {
        Endian::Little => little = true,
        Endian::Big => big = true,
    });
    // most formats have one order for all fields
    if little && big {
        let data_type = in_native_order(&data_type)?;
        let memory = new_type::of(s, &data_type)?;
        return Ok(Element { notes, ..Element::new(data_type, Endian::NATIVE, false, memory) });
    }
    let order = if big { Endian::Big } else { Endian::Little };
    Ok(Element { notes, ..Element::new(data_type, order, exact, memory) })
}

/// Tells `each` the byte order of every field.
fn orders(data_type: &DataType, each: &mut dyn FnMut(Endian)) {
    let DataType::Struct(fields) = data_type else { return };
    for field in fields.fields() {
        field.stored.into_iter().for_each(&mut *each);
        orders(&field.data_type, each);
    }
}

/// The same struct, all of whose fields are in this machine's byte order.
fn in_native_order(data_type: &DataType) -> Result<DataType> {
    let DataType::Struct(fields) = data_type else { return Ok(data_type.clone()) };
    let mut parts = Vec::new();
    for field in fields.fields() {
        let stored = field.stored.map(|_| Endian::NATIVE);
        let inner = in_native_order(&field.data_type)?;
        parts.push((field.name.clone(), inner, field.shape.clone(), stored));
    }
    Ok(DataType::Struct(StructType::new(parts)?.into()))
}

fn enumeration(s: &Session, of: &Id, depth: usize, as_it_is: AsItIs<'_>) -> Result<Element> {
    let base = parse(s, &super_of(s, of)?, depth + 1)?;
    if !base.exact || !base.extra.is_empty() {
        return Err(Error::unsupported("Zarr has no such enumeration"));
    }
    let mut names = Vec::new();
    for n in 0..members(s, of)? {
        let mut value = [0u8; 16];
        // SAFETY: an enumeration over integers of at most 8 bytes.
        let result =
            unsafe { (s.lib.f.H5Tget_member_value)(of.raw(), n, value.as_mut_ptr().cast()) };
        s.check(result, "a type")?;
        let mut value = value[..base.data_type.size()].to_vec();
        if base.order == Endian::Big {
            value.reverse();
        }
        let bits = value.iter().rev().fold(0u64, |n, &byte| n << 8 | u64::from(byte));
        names.push((member_name(s, of, n)?, bits));
    }
    names.sort_by_key(|(_, value)| *value);
    let is_bool = base.data_type.size() == 1
        && matches!(&names[..], [(no, 0), (yes, 1)] if no == "FALSE" && yes == "TRUE");
    if is_bool {
        return as_it_is(DataType::Bool);
    }
    let mut element = Element { order: base.order, ..as_it_is(base.data_type)? };
    let some: Vec<&str> = names.iter().take(4).map(|(name, _)| &**name).collect();
    let more = if names.len() > 4 { ", …" } else { "" };
    element.notes.push(format!("the names of its values are lost: {}{more}", some.join(", ")));
    Ok(element)
}

fn array(s: &Session, of: &Id, depth: usize) -> Result<Element> {
    // SAFETY: a type of arrays.
    let rank = s.check(unsafe { (s.lib.f.H5Tget_array_ndims)(of.raw()) }, "a type")?;
    let mut extents = vec![0u64; rank as usize];
    // SAFETY: as many numbers as it has dimensions.
    s.check(unsafe { (s.lib.f.H5Tget_array_dims2)(of.raw(), extents.as_mut_ptr()) }, "a type")?;
    let base = parse(s, &super_of(s, of)?, depth + 1)?;
    let memory = match base.exact {
        true => copy_of(s, of.raw())?,
        false => {
            let count = rank as c_uint;
            // SAFETY: as above.
            let hid =
                unsafe { (s.lib.f.H5Tarray_create2)(base.memory.raw(), count, extents.as_ptr()) };
            Id::new(s, hid, "a type")?
        }
    };
    extents.extend(&base.extra);
    Ok(Element { extra: extents, memory, ..base })
}
