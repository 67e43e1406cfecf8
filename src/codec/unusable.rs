//! A placeholder for a chain that names what this build lacks, so that the array can be opened for
//! its metadata.

use super::{ArrayBytesCodec, Encoded, Len};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::selection::Region;
use crate::source::ByteSource;
use crate::strided::{View, ViewMut};

struct Unusable {
    why: String,
}

/// A codec that always fails with the same error.
pub(super) fn codec(error: &Error) -> Box<dyn ArrayBytesCodec> {
    Box::new(Unusable { why: error.to_string() })
}

impl Unusable {
    fn error(&self) -> Error {
        Error::unsupported(format!("the array is open for its metadata only: {}", self.why))
    }
}

impl ArrayBytesCodec for Unusable {
    fn encoded_len(&self) -> Len {
        Len::Unknown
    }

    fn decode(&self, _: &dyn ByteSource, _: &Region, _: ViewMut<'_>, _: &Call<'_>) -> Result<bool> {
        Err(self.error())
    }

    fn encode<'a>(&self, _: &View<'a>, _: &Call<'_>) -> Result<Encoded<'a>> {
        Err(self.error())
    }
}
