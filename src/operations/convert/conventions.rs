//! Conventions of xarray and netCDF that formats store in different places: dimension names and the
//! missing value.

use crate::error::Result;
use crate::format::{self, Format};
use crate::metadata::{ArrayMetadata, cf};

/// Changes the model of an array of `old` so that it means the same in `new`, with notes about what
/// readers see otherwise. `complete` tells whether every chunk is stored.
pub fn carry(
    old: &dyn Format,
    new: &dyn Format,
    array: &mut ArrayMetadata,
    complete: &dyn Fn() -> Result<bool>,
) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    if !new.names_dimensions() {
        return Ok(notes);
    }
    let mut attributes = array.attributes.clone().unwrap_or_default();
    if array.dimension_names.is_none() {
        array.dimension_names = old.take_dimension_names(&mut attributes, array.shape.len());
    }
    // they read nothing of an array without names
    if array.dimension_names.is_some() {
        let missing = old.missing_value(array, &attributes);
        let spelt = missing.as_ref().map(|m| new.missing_value_json(&array.data_type, m));
        if let Some(Ok(json)) = spelt {
            if attributes.get(cf::MISSING).is_none() && !new.fill_is_missing() {
                notes.push(format!(
                    "the attribute {} names the missing value, as the fill value did",
                    cf::MISSING
                ));
            }
            attributes.set(cf::MISSING, &json)?;
        }
        if new.fill_is_missing() && array.fill_value.is_some() && array.fill_value != missing {
            let fill = format::fill_json(array, new.id())?;
            notes.push(match complete()? {
                true => {
                    array.fill_value = None;
                    format!(
                        "the fill value {fill}, which no chunk needs, becomes undefined: xarray \
                         would treat it as missing"
                    )
                }
                false => format!(
                    "xarray treats the fill value {fill} of {} as missing; it stays because some \
                     chunks are not stored",
                    new.name()
                ),
            });
        }
    }
    array.attributes = Some(attributes);
    Ok(notes)
}
