//! Progress of long calls.

use crate::progress::Progress;
use std::ffi::{CString, c_char, c_void};

/// Receives reports of a long call.
///
/// zarrc calls it after each chunk or node, from any thread, never from two at once. It must not
/// use the handles that the call works on, and must not throw or longjmp.
///
/// @param user  the pointer given with the callback.
/// @param done  the fraction done, 0 to 1; never decreases.
/// @param what  what was done last, for people; valid during the call.
/// @return true to continue; false to cancel the call, which then returns ZARRC_CANCELLED.
pub type zarrc_progress =
    Option<unsafe extern "C" fn(user: *mut c_void, done: f64, what: *const c_char) -> bool>;

/// A C callback and its pointer.
struct Callback {
    progress: zarrc_progress,
    user: *mut c_void,
}

// SAFETY: the header asks for a callback that any thread may call.
unsafe impl Send for Callback {}
// SAFETY: as above.
unsafe impl Sync for Callback {}

impl Callback {
    fn report(&self, done: f64, what: &str) -> bool {
        let Some(progress) = self.progress else { return true };
        let what = CString::new(what).unwrap_or_default(); // names of nodes hold no NUL
        // SAFETY: the caller's own function and pointer; the text lives until it returns.
        unsafe { progress(self.user, done, what.as_ptr()) }
    }
}

/// Runs `body` with the progress that a C caller asked for; a NULL callback is never called.
pub(super) fn reporting<T>(
    progress: zarrc_progress,
    user: *mut c_void,
    body: impl FnOnce(&Progress<'_>) -> T,
) -> T {
    if progress.is_none() {
        return body(&Progress::silent());
    }
    let callback = Callback { progress, user };
    let report = |done: f64, what: &str| callback.report(done, what);
    body(&Progress::new(&report))
}
