//! Attributes as C values.

use super::attributes::zarrc_attributes;
use super::status::{zarrc_error, zarrc_status};
use super::{Out, guard, object, owned_string, room, slice, string};
use crate::error::{Error, Kind, Result};
use crate::metadata::{cf, numbers};
use serde_json::Value;
use std::ffi::c_char;

impl zarrc_attributes {
    /// The elements of one that is a list, or one that is no list as the only element.
    fn elements(&self, key: &str) -> Result<Vec<Value>> {
        Ok(match self.value(key)? {
            Value::Array(elements) => elements,
            single => vec![single],
        })
    }

    /// The elements of one, each as `read` reads it: as many as `room` has place for; and how many
    /// there are.
    fn fill<T>(
        &self,
        key: &str,
        room: &mut [T],
        wanted: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Result<usize> {
        let elements = self.elements(key)?;
        let element = |value| read(value).ok_or_else(|| self.mismatch(key, value, wanted));
        let values: Vec<T> = elements.iter().map(element).collect::<Result<_>>()?;
        let count = values.len();
        room.iter_mut().zip(values).for_each(|(place, value)| *place = value);
        Ok(count)
    }

    /// One of them, parsed. Numbers keep to what a double or a 64-bit integer holds.
    fn value(&self, key: &str) -> Result<Value> {
        let json = self.get(key)?;
        serde_json::from_str(&json).map_err(|e| self.error(Kind::InvalidMetadata, e))
    }

    fn mismatch(&self, key: &str, value: &Value, wanted: &str) -> Error {
        self.error(Kind::TypeMismatch, format!("{key:?}: expected {wanted}, found {value}"))
    }
}

/// The kind of an attribute: one of the constants below.
pub type zarrc_attribute_kind = i32;

/// null.
pub const ZARRC_ATTRIBUTE_NULL: zarrc_attribute_kind = 0;
/// true or false: zarrc_attributes_get_bool().
pub const ZARRC_ATTRIBUTE_BOOL: zarrc_attribute_kind = 1;
/// An integer that fits into 64 bits: zarrc_attributes_get_int64().
pub const ZARRC_ATTRIBUTE_INTEGER: zarrc_attribute_kind = 2;
/// Any other number: zarrc_attributes_get_double().
pub const ZARRC_ATTRIBUTE_NUMBER: zarrc_attribute_kind = 3;
/// A string: zarrc_attributes_get_string().
pub const ZARRC_ATTRIBUTE_STRING: zarrc_attribute_kind = 4;
/// A list of integers that fit into 64 bits: zarrc_attributes_get_int64s().
pub const ZARRC_ATTRIBUTE_INTEGERS: zarrc_attribute_kind = 5;
/// A list of numbers: zarrc_attributes_get_doubles().
pub const ZARRC_ATTRIBUTE_NUMBERS: zarrc_attribute_kind = 6;
/// A list of strings: zarrc_attributes_get_string_at().
pub const ZARRC_ATTRIBUTE_STRINGS: zarrc_attribute_kind = 7;
/// Any other list, or an empty one: zarrc_attributes_get_json().
pub const ZARRC_ATTRIBUTE_LIST: zarrc_attribute_kind = 8;
/// An object: zarrc_attributes_get_json().
pub const ZARRC_ATTRIBUTE_OBJECT: zarrc_attribute_kind = 9;

fn kind_of(value: &Value) -> (zarrc_attribute_kind, usize) {
    match value {
        Value::Null => (ZARRC_ATTRIBUTE_NULL, 1),
        Value::Bool(_) => (ZARRC_ATTRIBUTE_BOOL, 1),
        Value::Number(n) if n.as_i64().is_some() => (ZARRC_ATTRIBUTE_INTEGER, 1),
        Value::Number(_) => (ZARRC_ATTRIBUTE_NUMBER, 1),
        Value::String(_) => (ZARRC_ATTRIBUTE_STRING, 1),
        Value::Object(members) => (ZARRC_ATTRIBUTE_OBJECT, members.len()),
        Value::Array(list) => {
            let all = |is: fn(&Value) -> bool| !list.is_empty() && list.iter().all(is);
            let kind = match () {
                _ if all(Value::is_i64) => ZARRC_ATTRIBUTE_INTEGERS,
                _ if all(Value::is_number) => ZARRC_ATTRIBUTE_NUMBERS,
                _ if all(Value::is_string) => ZARRC_ATTRIBUTE_STRINGS,
                _ => ZARRC_ATTRIBUTE_LIST,
            };
            (kind, list.len())
        }
    }
}

/// Reads an attribute that is a number. The strings "NaN", "Infinity" and "-Infinity" are read as
/// numbers, and so is the Base64 of a double in _FillValue, which Zarr v3 uses there for floats.
///
/// @param attributes  the attributes.
/// @param key         the attribute's name.
/// @param[out] value  receives the number.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_TYPE_MISMATCH: it is not
///         a number; ZARRC_INVALID_METADATA: the metadata document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_get_double(
    attributes: *const zarrc_attributes,
    key: *const c_char,
    value: *mut f64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(value, "value")?;
        // SAFETY: the caller's handle and string.
        let (attributes, key) = unsafe { (object(attributes, "attributes")?, string(key, "key")?) };
        let value = attributes.value(key)?;
        let number = match numbers::double(&value) {
            None if key == cf::MISSING => cf::decode_number(&attributes.get(key)?),
            number => number,
        };
        let number = number.ok_or_else(|| attributes.mismatch(key, &value, "a number"))?;
        // SAFETY: checked above.
        unsafe { out.set(number) };
        Ok(())
    })
}

/// Sets one attribute to a number. NaN and infinities are stored as the strings "NaN", "Infinity"
/// and "-Infinity". The attribute _FillValue of a float array of Zarr v3 is stored as the Base64 of
/// a double, because xarray reads no number there.
///
/// @param attributes  the attributes to change.
/// @param key         the attribute's name.
/// @param value       the number.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
///         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_set_double(
    attributes: *mut zarrc_attributes,
    key: *const c_char,
    value: f64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (attributes, key) = unsafe { (object(attributes, "attributes")?, string(key, "key")?) };
        attributes.set(key, &numbers::double_to_json(value).to_string())
    })
}

/// Sets one attribute to a single-precision number, stored as the shortest decimal text that reads
/// back as the same float: 0.1f is stored as 0.1, not as 0.10000000149011612. NaN, infinities and
/// _FillValue are stored as zarrc_attributes_set_double() stores them.
///
/// @param attributes  the attributes to change.
/// @param key         the attribute's name.
/// @param value       the number.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
///         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_set_float(
    attributes: *mut zarrc_attributes,
    key: *const c_char,
    value: f32,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (attributes, key) = unsafe { (object(attributes, "attributes")?, string(key, "key")?) };
        attributes.set(key, &numbers::float_to_json(value))
    })
}

/// Reads an attribute that is an integer. Numbers such as 2.0 or 1e3, which other writers store for
/// integers, are integers too.
///
/// @param attributes  the attributes.
/// @param key         the attribute's name.
/// @param[out] value  receives the integer.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_TYPE_MISMATCH: it is not
///         an integer, or does not fit into 64 bits; ZARRC_INVALID_METADATA: the metadata document
///         is damaged; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_get_int64(
    attributes: *const zarrc_attributes,
    key: *const c_char,
    value: *mut i64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(value, "value")?;
        // SAFETY: the caller's handle and string.
        let (attributes, key) = unsafe { (object(attributes, "attributes")?, string(key, "key")?) };
        let json = attributes.value(key)?;
        let number =
            numbers::integer(&json).ok_or_else(|| attributes.mismatch(key, &json, "an int64"))?;
        // SAFETY: checked above.
        unsafe { out.set(number) };
        Ok(())
    })
}

/// Sets one attribute to an integer.
///
/// @param attributes  the attributes to change.
/// @param key         the attribute's name.
/// @param value       the integer.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
///         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_set_int64(
    attributes: *mut zarrc_attributes,
    key: *const c_char,
    value: i64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (attributes, key) = unsafe { (object(attributes, "attributes")?, string(key, "key")?) };
        attributes.set(key, &value.to_string())
    })
}

/// Reads an attribute that is a string.
///
/// @param attributes  the attributes.
/// @param key         the attribute's name.
/// @param[out] value  receives the string (UTF-8); free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_TYPE_MISMATCH: it is not
///         a string, or contains a NUL character; ZARRC_INVALID_METADATA: the metadata document is
///         damaged; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_get_string(
    attributes: *const zarrc_attributes,
    key: *const c_char,
    value: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(value, "value")?;
        // SAFETY: the caller's handle and string.
        let (attributes, key) = unsafe { (object(attributes, "attributes")?, string(key, "key")?) };
        let json = attributes.value(key)?;
        let text = json.as_str().ok_or_else(|| attributes.mismatch(key, &json, "a string"))?;
        let text = owned_string(text, &format!("attribute {key:?}"))?;
        // SAFETY: checked above.
        unsafe { out.set(text) };
        Ok(())
    })
}

/// Sets one attribute to a string.
///
/// @param attributes  the attributes to change.
/// @param key         the attribute's name.
/// @param value       the string (UTF-8).
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
///         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_set_string(
    attributes: *mut zarrc_attributes,
    key: *const c_char,
    value: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and strings.
        let (attributes, key, value) = unsafe {
            (object(attributes, "attributes")?, string(key, "key")?, string(value, "value")?)
        };
        attributes.set(key, &Value::from(value).to_string())
    })
}

/// Reads an attribute that is a list of numbers. A single number is a list of one; "NaN",
/// "Infinity" and "-Infinity" are numbers.
///
/// @param attributes   the attributes.
/// @param key          the attribute's name.
/// @param capacity     how many elements `values` can hold; 0 to read only the count.
/// @param[out] values  receives the first `capacity` elements; may be NULL if `capacity` is 0.
/// @param[out] count   receives the length of the list, which may exceed `capacity`.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_TYPE_MISMATCH: an element
///         is not a number; ZARRC_INVALID_METADATA: the metadata document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_get_doubles(
    attributes: *const zarrc_attributes,
    key: *const c_char,
    capacity: usize,
    values: *mut f64,
    count: *mut usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(count, "count")?;
        // SAFETY: the caller's handle, string and memory.
        let (attributes, key, room) = unsafe {
            (
                object(attributes, "attributes")?,
                string(key, "key")?,
                room(values, capacity, "values")?,
            )
        };
        let there = attributes.fill(key, room, "a list of numbers", numbers::double)?;
        // SAFETY: checked above.
        unsafe { out.set(there) };
        Ok(())
    })
}

/// Sets one attribute to a list of numbers. NaN and infinities are stored as the strings "NaN",
/// "Infinity" and "-Infinity".
///
/// @param attributes  the attributes to change.
/// @param key         the attribute's name.
/// @param count       the length of the list; may be 0.
/// @param values      `count` numbers; may be NULL if `count` is 0.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
///         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_set_doubles(
    attributes: *mut zarrc_attributes,
    key: *const c_char,
    count: usize,
    values: *const f64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle, string and memory.
        let (attributes, key, values) = unsafe {
            let values = slice(values, count, "values")?;
            (object(attributes, "attributes")?, string(key, "key")?, values)
        };
        let list: Value = values.iter().map(|&v| numbers::double_to_json(v)).collect();
        attributes.set(key, &list.to_string())
    })
}

/// Reads an attribute that is a list of integers. A single integer is a list of one; 2.0 is an
/// integer.
///
/// @param attributes   the attributes.
/// @param key          the attribute's name.
/// @param capacity     how many elements `values` can hold; 0 to read only the count.
/// @param[out] values  receives the first `capacity` elements; may be NULL if `capacity` is 0.
/// @param[out] count   receives the length of the list, which may exceed `capacity`.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_TYPE_MISMATCH: an element
///         is not an integer of 64 bits; ZARRC_INVALID_METADATA: the metadata document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_get_int64s(
    attributes: *const zarrc_attributes,
    key: *const c_char,
    capacity: usize,
    values: *mut i64,
    count: *mut usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(count, "count")?;
        // SAFETY: the caller's handle, string and memory.
        let (attributes, key, room) = unsafe {
            (
                object(attributes, "attributes")?,
                string(key, "key")?,
                room(values, capacity, "values")?,
            )
        };
        let there = attributes.fill(key, room, "a list of int64", numbers::integer)?;
        // SAFETY: checked above.
        unsafe { out.set(there) };
        Ok(())
    })
}

/// Sets one attribute to a list of integers.
///
/// @param attributes  the attributes to change.
/// @param key         the attribute's name.
/// @param count       the length of the list; may be 0.
/// @param values      `count` integers; may be NULL if `count` is 0.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
///         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_set_int64s(
    attributes: *mut zarrc_attributes,
    key: *const c_char,
    count: usize,
    values: *const i64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle, string and memory.
        let (attributes, key, values) = unsafe {
            let values = slice(values, count, "values")?;
            (object(attributes, "attributes")?, string(key, "key")?, values)
        };
        attributes.set(key, &Value::from(values).to_string())
    })
}

/// Reads one element of an attribute that is a list of strings. A single string is a list of one.
/// zarrc_attributes_kind() returns the length of the list.
///
/// @param attributes  the attributes.
/// @param key         the attribute's name.
/// @param index       the position in the list, from 0.
/// @param[out] value  receives the string (UTF-8); free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_OUT_OF_BOUNDS: the list
///         has no more than `index` elements; ZARRC_TYPE_MISMATCH: the element is not a string, or
///         contains a NUL character; ZARRC_INVALID_METADATA: the metadata document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_get_string_at(
    attributes: *const zarrc_attributes,
    key: *const c_char,
    index: usize,
    value: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(value, "value")?;
        // SAFETY: the caller's handle and string.
        let (attributes, key) = unsafe { (object(attributes, "attributes")?, string(key, "key")?) };
        let elements = attributes.elements(key)?;
        let element = elements.get(index).ok_or_else(|| {
            let what = format!("{key:?} has {} elements, none at index {index}", elements.len());
            attributes.error(Kind::OutOfBounds, what)
        })?;
        let text = element.as_str().ok_or_else(|| attributes.mismatch(key, element, "a string"))?;
        let text = owned_string(text, &format!("attribute {key:?}"))?;
        // SAFETY: checked above.
        unsafe { out.set(text) };
        Ok(())
    })
}

/// Sets one attribute to a list of strings.
///
/// @param attributes  the attributes to change.
/// @param key         the attribute's name.
/// @param count       the length of the list; may be 0.
/// @param values      `count` strings (UTF-8), each of them required; may be NULL if `count` is 0.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
///         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_set_strings(
    attributes: *mut zarrc_attributes,
    key: *const c_char,
    count: usize,
    values: *const *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle, string and memory.
        let (attributes, key, values) = unsafe {
            let values = slice(values, count, "values")?;
            (object(attributes, "attributes")?, string(key, "key")?, values)
        };
        // SAFETY: the caller's strings.
        let text = |(n, &value)| unsafe { string(value, &format!("values[{n}]")) };
        let list: Vec<&str> = values.iter().enumerate().map(text).collect::<Result<_>>()?;
        attributes.set(key, &Value::from(list).to_string())
    })
}

/// Reads an attribute that is true or false.
///
/// @param attributes  the attributes.
/// @param key         the attribute's name.
/// @param[out] value  receives the boolean.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_TYPE_MISMATCH: it is not
///         a boolean; ZARRC_INVALID_METADATA: the metadata document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_get_bool(
    attributes: *const zarrc_attributes,
    key: *const c_char,
    value: *mut bool,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(value, "value")?;
        // SAFETY: the caller's handle and string.
        let (attributes, key) = unsafe { (object(attributes, "attributes")?, string(key, "key")?) };
        let json = attributes.value(key)?;
        let truth =
            json.as_bool().ok_or_else(|| attributes.mismatch(key, &json, "true or false"))?;
        // SAFETY: checked above.
        unsafe { out.set(truth) };
        Ok(())
    })
}

/// Sets one attribute to true or false.
///
/// @param attributes  the attributes to change.
/// @param key         the attribute's name.
/// @param value       the boolean.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
///         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_set_bool(
    attributes: *mut zarrc_attributes,
    key: *const c_char,
    value: bool,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (attributes, key) = unsafe { (object(attributes, "attributes")?, string(key, "key")?) };
        attributes.set(key, if value { "true" } else { "false" })
    })
}

/// Sets one attribute to null.
///
/// @param attributes  the attributes to change.
/// @param key         the attribute's name.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
///         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_set_null(
    attributes: *mut zarrc_attributes,
    key: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (attributes, key) = unsafe { (object(attributes, "attributes")?, string(key, "key")?) };
        attributes.set(key, "null")
    })
}

/// Returns the kind of an attribute, and its length.
///
/// @param attributes  the attributes.
/// @param key         the attribute's name.
/// @param[out] kind   receives a ZARRC_ATTRIBUTE_ constant. May be NULL.
/// @param[out] count  receives the length of a list, the number of members of an object, else 1.
///                    May be NULL.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_INVALID_METADATA: the
///         metadata document is damaged; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_kind(
    attributes: *const zarrc_attributes,
    key: *const c_char,
    kind: *mut zarrc_attribute_kind,
    count: *mut usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (attributes, key) = unsafe { (object(attributes, "attributes")?, string(key, "key")?) };
        let (its_kind, its_count) = kind_of(&attributes.value(key)?);
        // SAFETY: the caller's memory, where there is some.
        unsafe {
            if let Some(kind) = kind.as_mut() {
                *kind = its_kind;
            }
            if let Some(count) = count.as_mut() {
                *count = its_count;
            }
        }
        Ok(())
    })
}
