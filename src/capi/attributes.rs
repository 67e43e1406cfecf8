//! Attributes as JSON.

use super::status::{free, zarrc_error, zarrc_status};
use super::{Out, guard, handle, object, owned_string, string};
use crate::error::{Error, Kind, Result};
use crate::hierarchy::NodeAttributes;
use crate::metadata::{Attributes, bare_numbers};
use std::ffi::c_char;

/// The user attributes of a node: a JSON object.
///
/// A node owns its attributes: nothing to free. They are read when first used. Each change is
/// written to the current metadata document at once, so that changes by other writers to other
/// attributes stay. Any number of threads may use them at once.
///
/// In returned JSON, numbers that JSON cannot express are the strings "NaN", "Infinity" and
/// "-Infinity".
#[repr(transparent)]
pub struct zarrc_attributes(NodeAttributes);

impl zarrc_attributes {
    pub(super) fn borrowed(attributes: &NodeAttributes) -> *mut zarrc_attributes {
        // the same object: the type here is transparent
        std::ptr::from_ref(attributes).cast::<zarrc_attributes>().cast_mut()
    }

    /// The JSON text of one.
    pub(super) fn get(&self, key: &str) -> Result<String> {
        self.0.read(|all| match all.get(key) {
            Some(json) => Ok(bare_numbers::quoted(json).into_owned()),
            None => Err(self.0.not_found(key)),
        })
    }

    /// Says whose attributes an error is about.
    pub(super) fn error(&self, kind: Kind, what: impl std::fmt::Display) -> Error {
        self.0.error(kind, what)
    }

    /// Sets one to a JSON text.
    pub(super) fn set(&self, key: &str, json: &str) -> Result<()> {
        self.0.write(&mut |all: &mut Attributes| all.set(key, json))
    }

    /// All of them.
    pub(super) fn all(&self) -> Result<Attributes> {
        self.0.read(|all| Ok(all.clone()))
    }
}

/// Returns all attributes as a JSON object.
///
/// @param attributes  the attributes.
/// @param[out] json   receives the JSON text; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_INVALID_METADATA: the metadata document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
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
        let text = bare_numbers::quoted(&text).into_owned();
        // SAFETY: checked above.
        unsafe { out.set(owned_string(text, "the attributes")?) };
        Ok(())
    })
}

/// Replaces all attributes with one write of the metadata document.
///
/// @param attributes  the attributes to replace.
/// @param json        a JSON object.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `json` is not a JSON object; ZARRC_NOT_FOUND: the node
///         no longer exists; ZARRC_CONFLICT: other writers kept changing the document;
///         ZARRC_INVALID_METADATA: the document is damaged; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
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
        let new: Attributes =
            serde_json::from_str(json).map_err(|e| Error::invalid(format!("json: {e}")))?;
        attributes.0.write(&mut |all| {
            *all = new.clone();
            Ok(())
        })
    })
}

/// Returns the value of one attribute as JSON.
///
/// @param attributes  the attributes.
/// @param key         the attribute's name.
/// @param[out] json   receives the JSON text; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_INVALID_METADATA: the
///         metadata document is damaged; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
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
/// @param attributes  the attributes to change.
/// @param key         the attribute's name.
/// @param json        any JSON value.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `json` is not JSON; ZARRC_NOT_FOUND: the node no
///         longer exists; ZARRC_CONFLICT: other writers kept changing the document;
///         ZARRC_INVALID_METADATA: the document is damaged; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
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

/// Counts the attributes.
///
/// @param attributes  the attributes.
/// @param[out] count  receives their number.
/// @return ZARRC_OK; ZARRC_INVALID_METADATA: the metadata document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_count(
    attributes: *const zarrc_attributes,
    count: *mut usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(count, "count")?;
        // SAFETY: the caller's handle.
        let attributes = unsafe { object(attributes, "attributes")? };
        let there = attributes.0.read(|all| Ok(all.names().len()))?;
        // SAFETY: checked above.
        unsafe { out.set(there) };
        Ok(())
    })
}

/// Returns the name of an attribute by its position. Names are in the order of the document.
///
/// @param attributes  the attributes.
/// @param index       the position, from 0; less than zarrc_attributes_count() returns.
/// @param[out] name   receives the name; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: there are no more than `index` attributes;
///         ZARRC_TYPE_MISMATCH: the name contains a NUL character; ZARRC_INVALID_METADATA: the
///         metadata document is damaged; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_name(
    attributes: *const zarrc_attributes,
    index: usize,
    name: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(name, "name")?;
        // SAFETY: the caller's handle.
        let attributes = unsafe { object(attributes, "attributes")? };
        let found = attributes.0.read(|all| {
            let there = all.names().len();
            let name = all.names().nth(index).map(str::to_owned);
            name.ok_or_else(|| {
                let what = format!("index {index}: there are {there} attributes");
                attributes.0.error(Kind::OutOfBounds, what)
            })
        })?;
        let text = owned_string(found, "the name of the attribute")?;
        // SAFETY: checked above.
        unsafe { out.set(text) };
        Ok(())
    })
}

/// Creates attributes that belong to no node and live in memory. Fill them with the
/// zarrc_attributes_set_ functions, then write all of them to a node at once with
/// zarrc_attributes_update(), or create an array with them by zarrc_array_spec_set_attributes().
///
/// @param[out] attributes  receives the attributes; free them with zarrc_attributes_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `attributes` is NULL.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_new(
    attributes: *mut *mut zarrc_attributes,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(attributes, "attributes")?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_attributes(NodeAttributes::of_no_node()))) };
        Ok(())
    })
}

/// Frees attributes that zarrc_attributes_new() created. The attributes of a node are freed with
/// the node and must not be passed.
///
/// @param attributes  the attributes; may be NULL.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_free(attributes: *mut zarrc_attributes) {
    free(attributes);
}

/// Sets all attributes that are in `others` with one write of the metadata document. Attributes
/// that are not in `others` stay.
///
/// @param attributes  the attributes to change.
/// @param others      the attributes to set; may belong to another node or to none.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
///         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_attributes_update(
    attributes: *mut zarrc_attributes,
    others: *const zarrc_attributes,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handles.
        let (attributes, others) =
            unsafe { (object(attributes, "attributes")?, object(others, "others")?) };
        let others = others.all()?;
        attributes.0.write(&mut |all| {
            all.update(&others);
            Ok(())
        })
    })
}

/// Deletes one attribute.
///
/// @param attributes  the attributes to change.
/// @param key         the attribute's name.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute or the node does not exist; ZARRC_CONFLICT:
///         other writers kept changing the document; ZARRC_INVALID_METADATA: the document is
///         damaged; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
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
            false => Err(Error::new(Kind::NotFound, format!("attribute {key:?} does not exist"))),
        })
    })
}
