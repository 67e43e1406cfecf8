//! Fill values: one element as the JSON of a metadata document, and as bytes in memory.
//!
//! Integers are exact to the digit, and so are the bits of a NaN where the format can say them:
//! v3 writes any NaN but the canonical one as its hexadecimal bits, and any float of less than 16
//! bits. v2 has one word for all of
//! them, "NaN", and reads it as the canonical one (positive, quiet, no payload).
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

/// How documents of a format spell what JSON has no word for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// As NumPy says it: Base64 for bytes and structs; old forms are read too.
    v2: bool,
    /// The drafts of v3: the bits of any element as `0x…` and `0b…`, highest digit first.
    bits: bool,
    /// What is greater than every number.
    infinity: &'static str,
}

impl Style {
    /// That of v2, which is NumPy's.
    pub const V2: Style = Style { v2: true, bits: false, infinity: "Infinity" };
    /// That of v3, in which the configurations of its codecs hold elements too.
    pub const V3: Style = Style { v2: false, bits: false, infinity: "Infinity" };
    /// That of the drafts of v3 from 2020 on.
    pub const DRAFT: Style = Style { v2: true, bits: true, infinity: "+Infinity" };
}

fn wrong<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::metadata(why))
}

fn string(text: &str) -> Option<String> {
    if text.starts_with('"') { serde_json::from_str(text).ok() } else { None }
}

/// Reverses what `swap` says within one element.
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
