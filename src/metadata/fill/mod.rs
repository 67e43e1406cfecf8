//! Fill values: one element as the JSON of a metadata document, and as bytes in memory.
//!
//! Integers are exact, and so are the bits of a NaN if the format can express them: v3 writes any
//! NaN but the canonical one, and any float of less than 16 bits, as hexadecimal bits. v2 has one
//! word for all NaNs, "NaN", which is read as the canonical one (positive, quiet, no payload).
//! <https://zarr-specs.readthedocs.io/en/latest/v3/data-types/index.html#permitted-fill-values>

mod float;
mod read;
mod value;
mod variable;
mod write;

pub use read::{is_ambiguous, parse};
pub use value::FillValue;
pub use write::to_json;

use crate::error::{Error, Result};
use crate::strided::Swap;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

pub(super) const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

const NAT: i64 = i64::MIN;

/// How a format spells what JSON cannot express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// As NumPy does: Base64 for bytes and structs; older forms are accepted too.
    v2: bool,
    /// The drafts of v3: the bits of any element as `0x…` and `0b…`, highest digit first.
    bits: bool,
    /// Positive infinity.
    infinity: &'static str,
}

impl Style {
    /// The spelling of v2, which is NumPy's.
    pub const V2: Style = Style { v2: true, bits: false, infinity: "Infinity" };
    /// The spelling of v3, also for elements in configurations of its codecs.
    pub const V3: Style = Style { v2: false, bits: false, infinity: "Infinity" };
    /// The spelling of the drafts of v3 from 2020 on.
    pub const DRAFT: Style = Style { v2: true, bits: true, infinity: "+Infinity" };
}

fn wrong<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::metadata(why))
}

fn string(text: &str) -> Option<String> {
    if text.starts_with('"') { serde_json::from_str(text).ok() } else { None }
}

/// Applies the byte swaps of `swap` to one element.
fn swap(swap: &Swap, element: &mut [u8]) {
    match swap {
        Swap::None => {}
        Swap::Words { width } => element.chunks_exact_mut(*width).for_each(<[u8]>::reverse),
        Swap::Runs(runs) => {
            for run in runs.iter() {
                let words = &mut element[run.offset..run.offset + run.width * run.count];
                words.chunks_exact_mut(run.width).for_each(<[u8]>::reverse);
            }
        }
    }
}

#[cfg(test)]
mod tests;
