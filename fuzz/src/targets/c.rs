//! Calls of the C interface.
#![allow(unsafe_code)]

use zarrc::capi::status::{ZARRC_INTERNAL, ZARRC_OK, zarrc_error, zarrc_status};

/// Calls a C function, with an error as its last argument.
macro_rules! c {
    ($function:path $(, $argument:expr)* $(,)?) => {{
        let mut err = super::c::no_error();
        // SAFETY: handles that the target made and has not freed, and memory that is long enough.
        let status = unsafe { $function($($argument,)* &mut err) };
        super::c::outcome(status, &err)
    }};
}
pub(super) use c;

pub fn no_error() -> zarrc_error {
    zarrc_error { status: ZARRC_OK, system_code: 0, message: [0; 1016] }
}

/// Why a call failed.
#[derive(Debug)]
pub struct Failure {
    pub status: zarrc_status,
    /// For whoever reads the panic of a target.
    pub _message: String,
}

/// What a call has returned; no input is the library's own mistake.
pub fn outcome(status: zarrc_status, err: &zarrc_error) -> Result<(), Failure> {
    if status == ZARRC_OK {
        return Ok(());
    }
    let bytes = err.message.iter().take_while(|&&byte| byte != 0).map(|&byte| byte as u8);
    let message = String::from_utf8(bytes.collect()).expect("UTF-8");
    assert!(status != ZARRC_INTERNAL && err.status == status, "{message}");
    Err(Failure { status, _message: message })
}
