//! New files: groups, datasets, attributes and dimension scales, as netCDF-4 reads them too.
#![allow(unsafe_code)] // calls of libhdf5

use super::handle::{Id, c_path};
use super::library::Session;
use super::new_type;
use crate::error::{Error, Kind, Result};
use crate::metadata::{DataType, FillValue};
use serde_json::Value as Json;
use std::ffi::{CString, c_int, c_void};
use std::path::Path;

/// Links and attributes are listed in the order in which they were made, as netCDF-4 has it.
const IN_ORDER: u32 = 3;

/// A file that comes into being.
pub struct NewFile {
    file: Id,
}

/// How a new dataset is stored.
pub struct Layout<'a> {
    /// Its extents.
    pub shape: &'a [u64],
    /// Which of them may grow.
    pub unlimited: &'a [bool],
    /// Extents of a chunk; `None`: in one piece.
    pub chunk: Option<&'a [u64]>,
    /// The level of deflate, behind a shuffle; `None`: not compressed.
    pub deflate: Option<u32>,
    /// Whether each chunk has a checksum.
    pub checksum: bool,
    /// What elements are that were never written.
    pub fill: Option<&'a FillValue>,
}

fn c_text(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::unsupported("HDF5 has no names or texts with a NUL"))
}

impl NewFile {
    /// Makes a file, which must not exist.
    pub fn create(s: &Session, path: &Path) -> Result<NewFile> {
        let doing = "writing the file";
        let f = &s.lib.f;
        let path = c_path(path)?;
        let (made, access) = (Id::properties(s, "FILE_CREATE")?, Id::properties(s, "FILE_ACCESS")?);
        // SAFETY: lists of the right classes and a text; 1 is the version 1.8, 4 refuses to write
        // over a file.
        let file = unsafe {
            s.check((f.H5Pset_link_creation_order)(made.raw(), IN_ORDER), doing)?;
            s.check((f.H5Pset_attr_creation_order)(made.raw(), IN_ORDER), doing)?;
            s.check((f.H5Pset_fapl_sec2)(access.raw()), doing)?;
            s.check((f.H5Pset_fclose_degree)(access.raw(), 3), doing)?;
            s.check((f.H5Pset_libver_bounds)(access.raw(), 1, 1), doing)?;
            Id::new(s, (f.H5Fcreate)(path.as_ptr(), 4, made.raw(), access.raw()), doing)?
        };
        Ok(NewFile { file })
    }

    /// Closes it, which writes what is still in memory.
    pub fn close(self, s: &Session) -> Result<()> {
        self.file.close(s, "writing the file")
    }

    /// Opens an object of it.
    pub fn open(&self, s: &Session, path: &str) -> Result<Id> {
        let path = c_text(&format!("/{path}"))?;
        // SAFETY: a file and a text.
        Id::new(s, unsafe { (s.lib.f.H5Oopen)(self.file.raw(), path.as_ptr(), 0) }, "an object")
    }

    /// Makes a group below one that is there.
    pub fn group(&self, s: &Session, path: &str) -> Result<Id> {
        let doing = "writing a group";
        let f = &s.lib.f;
        let text = c_text(path)?;
        let made = Id::properties(s, "GROUP_CREATE")?;
        // SAFETY: a list of the right class, a file and a text.
        unsafe {
            s.check((f.H5Pset_link_creation_order)(made.raw(), IN_ORDER), doing)?;
            s.check((f.H5Pset_attr_creation_order)(made.raw(), IN_ORDER), doing)?;
            let group = (f.H5Gcreate2)(self.file.raw(), text.as_ptr(), 0, made.raw(), 0);
            Id::new(s, group, doing)
        }
    }

    /// Makes a dataset below a group that is there.
    pub fn dataset(
        &self,
        s: &Session,
        path: &str,
        data_type: &Id,
        layout: &Layout<'_>,
    ) -> Result<Id> {
        let doing = "writing a dataset";
        let f = &s.lib.f;
        let text = c_text(path)?;
        let made = Id::properties(s, "DATASET_CREATE")?;
        let space = Id::space(s, layout.shape, layout.unlimited)?;
        // SAFETY: a list of the right class; a chunk of as many numbers as is said; an element.
        unsafe {
            s.check((f.H5Pset_attr_creation_order)(made.raw(), IN_ORDER), doing)?;
            if let Some(chunk) = layout.chunk {
                let rank = chunk.len() as c_int;
                s.check((f.H5Pset_chunk)(made.raw(), rank, chunk.as_ptr()), doing)?;
                if let Some(level) = layout.deflate {
                    s.check((f.H5Pset_shuffle)(made.raw()), doing)?;
                    s.check((f.H5Pset_deflate)(made.raw(), level), doing)?;
                }
                if layout.checksum {
                    s.check((f.H5Pset_fletcher32)(made.raw()), doing)?;
                }
            }
            if let Some(fill) = layout.fill {
                let bytes = fill.bytes()?;
                let element = bytes.as_ptr().cast();
                s.check((f.H5Pset_fill_value)(made.raw(), data_type.raw(), element), doing)?;
            }
            let dataset = (f.H5Dcreate2)(
                self.file.raw(),
                text.as_ptr(),
                data_type.raw(),
                space.raw(),
                0,
                made.raw(),
                0,
            );
            Id::new(s, dataset, doing)
        }
    }

    /// A reference to an object, as attributes hold it.
    fn reference(&self, s: &Session, path: &str) -> Result<u64> {
        let path = c_text(&format!("/{path}"))?;
        let mut reference = 0u64;
        let out = (&raw mut reference).cast::<c_void>();
        // SAFETY: a reference to an object, which is kind 0, has 8 bytes.
        let result = unsafe { (s.lib.f.H5Rcreate)(out, self.file.raw(), path.as_ptr(), 0, -1) };
        s.check(result, "writing a reference")?;
        Ok(reference)
    }

    /// Makes a dataset a dimension scale called `name`, which the datasets named in `users` have,
    /// each with the number of a dimension.
    pub fn make_scale(
        &self,
        s: &Session,
        path: &str,
        name: &str,
        users: &[(String, u32)],
    ) -> Result<()> {
        let scale = self.open(s, path)?;
        for (attribute, value) in [("CLASS", "DIMENSION_SCALE"), ("NAME", name)] {
            let mut bytes = value.as_bytes().to_vec();
            bytes.push(0);
            let text = new_type::text(s, Some(bytes.len()))?;
            write_attribute(s, &scale, attribute, &text, &[], bytes.as_ptr().cast())?;
        }
        if users.is_empty() {
            return Ok(());
        }
        let f = &s.lib.f;
        let mut list: Vec<[u64; 2]> = Vec::new();
        for (user, dimension) in users {
            let number = if cfg!(target_endian = "big") {
                u64::from(*dimension) << 32
            } else {
                u64::from(*dimension)
            };
            list.push([self.reference(s, user)?, number]);
        }
        // SAFETY: 6 is H5T_COMPOUND; both members lie inside.
        let entry = unsafe {
            let entry = Id::new(s, (f.H5Tcreate)(6, 16), "a type")?;
            let (object, number) =
                (s.lib.global("H5T_STD_REF_OBJ")?, s.lib.global("H5T_NATIVE_INT")?);
            s.check((f.H5Tinsert)(entry.raw(), c"dataset".as_ptr(), 0, object), "a type")?;
            s.check((f.H5Tinsert)(entry.raw(), c"dimension".as_ptr(), 8, number), "a type")?;
            entry
        };
        let count = [list.len() as u64];
        write_attribute(s, &scale, "REFERENCE_LIST", &entry, &count, list.as_ptr().cast())
    }

    /// Gives a dataset the dimension scales at those paths; a dimension may have none.
    pub fn attach(&self, s: &Session, path: &str, scales: &[Option<String>]) -> Result<()> {
        let mut references = Vec::new();
        for scale in scales {
            references.push(match scale {
                Some(scale) => Some(self.reference(s, scale)?),
                None => None,
            });
        }
        // lengths and pointers
        let runs: Vec<[usize; 2]> = references
            .iter()
            .map(|reference| match reference {
                Some(reference) => [1, std::ptr::from_ref(reference) as usize],
                None => [0, 0],
            })
            .collect();
        let object = s.lib.global("H5T_STD_REF_OBJ")?;
        // SAFETY: a type.
        let run = Id::new(s, unsafe { (s.lib.f.H5Tvlen_create)(object) }, "a type")?;
        let dataset = self.open(s, path)?;
        let count = [runs.len() as u64];
        write_attribute(s, &dataset, "DIMENSION_LIST", &run, &count, runs.as_ptr().cast())
    }
}

fn write_attribute(
    s: &Session,
    object: &Id,
    name: &str,
    data_type: &Id,
    extents: &[u64],
    values: *const c_void,
) -> Result<()> {
    let space = Id::space(s, extents, &[])?;
    write_in_space(s, object, name, data_type, &space, values)
}

fn write_in_space(
    s: &Session,
    object: &Id,
    name: &str,
    data_type: &Id,
    space: &Id,
    values: *const c_void,
) -> Result<()> {
    let doing = "writing an attribute";
    let text = c_text(name)?;
    let f = &s.lib.f;
    // SAFETY: the callers give values of that type, as many as the dataspace has; NULL: none.
    unsafe {
        let kind = data_type.raw();
        let made = (f.H5Acreate2)(object.raw(), text.as_ptr(), kind, space.raw(), 0, 0);
        let attribute = Id::new(s, made, doing)?;
        if !values.is_null() {
            s.check((f.H5Awrite)(attribute.raw(), kind, values), doing)?;
        }
    }
    Ok(())
}

/// Writes an attribute of elements that lie one after the other.
pub fn write_elements(
    s: &Session,
    object: &Id,
    name: &str,
    data_type: &DataType,
    extents: &[u64],
    elements: &[u8],
) -> Result<()> {
    let data_type = new_type::of(s, data_type)?;
    write_attribute(s, object, name, &data_type, extents, elements.as_ptr().cast())
}

/// Writes an attribute. `false`: HDF5 has nothing like the value, whose JSON is written as a text.
pub fn write_json(s: &Session, object: &Id, name: &str, value: &Json) -> Result<bool> {
    if value.is_null() {
        let none = new_type::of(s, &DataType::Float32)?;
        // SAFETY: 2 is H5S_NULL.
        let space = Id::new(s, unsafe { (s.lib.f.H5Screate)(2) }, "a dataspace")?;
        write_in_space(s, object, name, &none, &space, std::ptr::null())?;
        return Ok(true);
    }
    let mut extents = Vec::new();
    let mut values = Vec::new();
    let regular = flatten(value, 0, &mut extents, &mut values);
    let all =
        |test: fn(&Json) -> bool| regular && !values.is_empty() && values.iter().all(|v| test(v));
    let plain = |data_type: &DataType, elements: Vec<u8>| {
        write_elements(s, object, name, data_type, &extents, &elements).map(|()| true)
    };
    if all(Json::is_boolean) {
        return plain(&DataType::Bool, values.iter().map(|v| u8::from(**v == true)).collect());
    }
    if all(Json::is_i64) {
        let numbers = values.iter().filter_map(|v| v.as_i64());
        return plain(&DataType::Int64, numbers.flat_map(i64::to_ne_bytes).collect());
    }
    if all(Json::is_u64) {
        let numbers = values.iter().filter_map(|v| v.as_u64());
        return plain(&DataType::UInt64, numbers.flat_map(u64::to_ne_bytes).collect());
    }
    if all(Json::is_number) {
        let numbers = values.iter().filter_map(|v| v.as_f64());
        return plain(&DataType::Float64, numbers.flat_map(f64::to_ne_bytes).collect());
    }
    let whole = value.to_string();
    let texts: Option<Vec<CString>> = match all(Json::is_string) {
        true => values.iter().map(|v| CString::new(v.as_str()?).ok()).collect(),
        false => None,
    };
    let kept = texts.is_some();
    let texts = match texts {
        Some(texts) => texts,
        None => {
            extents.clear();
            vec![c_text(&whole)?]
        }
    };
    let pointers: Vec<usize> = texts.iter().map(|text| text.as_ptr() as usize).collect();
    let data_type = new_type::text(s, None)?;
    write_attribute(s, object, name, &data_type, &extents, pointers.as_ptr().cast())?;
    Ok(kept)
}

/// The values of lists in lists in C order; whether all lists of a level are as long.
fn flatten<'a>(
    value: &'a Json,
    depth: usize,
    extents: &mut Vec<u64>,
    values: &mut Vec<&'a Json>,
) -> bool {
    let Json::Array(list) = value else {
        values.push(value);
        return depth == extents.len();
    };
    let len = list.len() as u64;
    if depth == extents.len() {
        if !values.is_empty() {
            return false;
        }
        extents.push(len);
    }
    extents[depth] == len && list.iter().all(|v| flatten(v, depth + 1, extents, values))
}

/// Writes a box of a dataset.
///
/// # Safety
///
/// `elements` points to as many elements as the box has, laid out as [`new_type::of`] describes.
pub unsafe fn write_box(
    s: &Session,
    dataset: &Id,
    data_type: &Id,
    start: &[u64],
    count: &[u64],
    elements: *const c_void,
) -> Result<()> {
    let doing = "writing elements";
    let f = &s.lib.f;
    let memory = Id::space(s, count, &[])?;
    // SAFETY: as promised.
    unsafe {
        let file = Id::new(s, (f.H5Dget_space)(dataset.raw()), doing)?;
        file.select(s, start, count)?;
        let (kind, memory, file) = (data_type.raw(), memory.raw(), file.raw());
        s.check((f.H5Dwrite)(dataset.raw(), kind, memory, file, 0, elements), doing)?;
    }
    Ok(())
}

/// Whether a box has so many elements.
fn check_count(count: &[u64], elements: usize) -> Result<()> {
    let all = count.iter().try_fold(1u64, |n, &extent| n.checked_mul(extent));
    match all == Some(elements as u64) {
        true => Ok(()),
        false => Err(Error::new(Kind::Internal, "a box and its elements differ in number")),
    }
}

/// Writes a box of elements of fixed size.
pub fn write_fixed(
    s: &Session,
    dataset: &Id,
    data_type: &Id,
    (start, count): (&[u64], &[u64]),
    elements: &[u8],
) -> Result<()> {
    // SAFETY: a type.
    let size = unsafe { (s.lib.f.H5Tget_size)(data_type.raw()) };
    check_count(count, elements.len() / size.max(1))?;
    // SAFETY: as many elements as the box has.
    unsafe { write_box(s, dataset, data_type, start, count, elements.as_ptr().cast()) }
}

/// Writes a box of elements of variable length: element `n` is `bytes[offsets[n]..offsets[n + 1]]`;
/// `item`: bytes of an element of a run, `None`: they are texts.
pub fn write_variable(
    s: &Session,
    dataset: &Id,
    data_type: &Id,
    (start, count): (&[u64], &[u64]),
    offsets: &[u64],
    bytes: &[u8],
    item: Option<usize>,
) -> Result<()> {
    check_count(count, offsets.len().saturating_sub(1))?;
    let of = |ends: &[u64]| &bytes[ends[0] as usize..ends[1] as usize];
    match item {
        Some(item) => {
            let run = |ends: &[u64]| [of(ends).len() / item, of(ends).as_ptr() as usize];
            let runs: Vec<[usize; 2]> = offsets.windows(2).map(run).collect();
            // SAFETY: as many runs as the box has elements.
            unsafe { write_box(s, dataset, data_type, start, count, runs.as_ptr().cast()) }
        }
        None => {
            let text = |ends: &[u64]| CString::new(of(ends));
            let texts: Result<Vec<CString>, _> = offsets.windows(2).map(text).collect();
            let texts = texts.map_err(|_| {
                Error::unsupported("a text has a NUL in it, where a text of HDF5 would end")
            })?;
            let pointers: Vec<usize> = texts.iter().map(|text| text.as_ptr() as usize).collect();
            // SAFETY: as many texts as the box has elements.
            unsafe { write_box(s, dataset, data_type, start, count, pointers.as_ptr().cast()) }
        }
    }
}
