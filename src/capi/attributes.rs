//! Attributes.

use super::status::{zarrc_error, zarrc_status};
use super::{Out, guard, object, owned_string, string};
use crate::error::{Error, Kind, Result};
use crate::hierarchy::NodeAttributes;
use crate::metadata::Attributes;
use serde_json::Value;
use std::ffi::c_char;

/// The user's attributes of a node: a JSON object. Borrowed from the node, nothing to free. Read
/// when they are first asked for; every change is written through at once, to the document as it
/// is then, so that what others have changed in it stays. Any number of threads may use them at
/// once.
///
/// In JSON that is handed out, numbers that JSON cannot say are the strings "NaN", "Infinity" and
/// "-Infinity".
#[repr(transparent)]
pub struct zarrc_attributes(NodeAttributes);

impl zarrc_attributes {
    pub(super) fn borrowed(attributes: &NodeAttributes) -> *mut zarrc_attributes {
        // the same object: the type here is transparent
        std::ptr::from_ref(attributes).cast::<zarrc_attributes>().cast_mut()
    }

    /// The JSON text of one.
    fn get(&self, key: &str) -> Result<String> {
        self.0.read(|all| match all.get(key) {
            Some(json) => Ok(json.to_owned()),
            None => Err(self.0.not_found(key)),
        })
    }

    /// One of them, parsed. Numbers keep to what a double or a 64-bit integer holds.
    fn value(&self, key: &str) -> Result<Value> {
        let json = self.get(key)?;
        serde_json::from_str(&json).map_err(|e| self.0.error(Kind::InvalidMetadata, e))
    }

    fn set(&self, key: &str, json: &str) -> Result<()> {
        self.0.write(&mut |all: &mut Attributes| all.set(key, json))
    }

    fn mismatch(&self, key: &str, value: &Value, wanted: &str) -> Error {
        self.0.error(Kind::TypeMismatch, format!("{key:?} is {value}, not {wanted}"))
    }
}

/// All attributes as the text of a JSON object.
///
/// @param[out] json  to be freed with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_INVALID_METADATA: the document is damaged;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_json(
    attributes: *const zarrc_attributes,
    json: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(json, "json")?;
        // SAFETY: the caller's handle.
        let attributes = unsafe { object(attributes, "attributes")? };
        let text = attributes.0.read(|all| Ok(all.to_json()))?;
        // SAFETY: checked above.
        unsafe { out.set(owned_string(text, "the attributes")?) };
        Ok(())
    })
}

/// Replaces all attributes.
///
/// @param json  the text of a JSON object.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: it is none; ZARRC_PERMISSION_DENIED;
///         ZARRC_NOT_FOUND: the node is gone; ZARRC_CONFLICT; ZARRC_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_replace_json(
    attributes: *mut zarrc_attributes,
    json: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (attributes, json) =
            unsafe { (object(attributes, "attributes")?, string(json, "json")?) };
        let new: Attributes = serde_json::from_str(json)
            .map_err(|e| Error::invalid(format!("json is not a JSON object: {e}")))?;
        attributes.0.write(&mut |all| {
            *all = new.clone();
            Ok(())
        })
    })
}

/// The value of one attribute as JSON text.
///
/// @param[out] json  to be freed with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is none of that name; else as
///         zarrc_attributes_json().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_get_json(
    attributes: *const zarrc_attributes,
    key: *const c_char,
    json: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(json, "json")?;
        // SAFETY: the caller's handle and string.
        let (attributes, key) = unsafe { (object(attributes, "attributes")?, string(key, "key")?) };
        let text = owned_string(attributes.get(key)?, "the attribute")?;
        // SAFETY: checked above.
        unsafe { out.set(text) };
        Ok(())
    })
}

/// Sets one attribute to a JSON value.
///
/// @param json  JSON text.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: it is not JSON; else as
///         zarrc_attributes_replace_json().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_set_json(
    attributes: *mut zarrc_attributes,
    key: *const c_char,
    json: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and strings.
        let (attributes, key, json) = unsafe {
            (object(attributes, "attributes")?, string(key, "key")?, string(json, "json")?)
        };
        attributes.set(key, json)
    })
}

/// The number that an attribute is; "NaN", "Infinity" and "-Infinity" are numbers too.
///
/// @return ZARRC_OK; ZARRC_NOT_FOUND; ZARRC_TYPE_MISMATCH: it is no number; else as
///         zarrc_attributes_json().
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
        let json = attributes.get(key)?;
        let number = match json.as_str() {
            "\"NaN\"" => f64::NAN,
            "\"Infinity\"" => f64::INFINITY,
            "\"-Infinity\"" => f64::NEG_INFINITY,
            _ => match attributes.value(key)? {
                Value::Number(n) => n.as_f64().unwrap_or(f64::NAN),
                other => return Err(attributes.mismatch(key, &other, "a number")),
            },
        };
        // SAFETY: checked above.
        unsafe { out.set(number) };
        Ok(())
    })
}

/// Sets one attribute to a number; NaN and infinities become the strings "NaN", "Infinity" and
/// "-Infinity".
///
/// @return as zarrc_attributes_replace_json().
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
        let json = match value {
            v if v.is_nan() => Value::from("NaN"),
            f64::INFINITY => Value::from("Infinity"),
            f64::NEG_INFINITY => Value::from("-Infinity"),
            v => Value::from(v),
        };
        attributes.set(key, &json.to_string())
    })
}

/// The integer that an attribute is.
///
/// @return ZARRC_OK; ZARRC_NOT_FOUND; ZARRC_TYPE_MISMATCH: it is no integer, or one that 64 bits
///         do not hold; else as zarrc_attributes_json().
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
        let number = json.as_i64().ok_or_else(|| attributes.mismatch(key, &json, "an int64"))?;
        // SAFETY: checked above.
        unsafe { out.set(number) };
        Ok(())
    })
}

/// Sets one attribute to an integer.
///
/// @return as zarrc_attributes_replace_json().
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

/// The text that an attribute is.
///
/// @param[out] value  UTF-8, to be freed with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_NOT_FOUND; ZARRC_TYPE_MISMATCH: it is no string, or one with a NUL
///         character in it; else as zarrc_attributes_json().
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

/// Sets one attribute to a text.
///
/// @return as zarrc_attributes_replace_json().
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

/// Takes one attribute away.
///
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is none of that name; else as
///         zarrc_attributes_replace_json().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_delete(
    attributes: *mut zarrc_attributes,
    key: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (attributes, key) = unsafe { (object(attributes, "attributes")?, string(key, "key")?) };
        attributes.0.write(&mut |all| match all.remove(key) {
            true => Ok(()),
            false => Err(Error::new(Kind::NotFound, format!("there is no {key:?}"))),
        })
    })
}
