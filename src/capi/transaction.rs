//! Transactions.

use super::status::{zarrc_error, zarrc_status};
use super::store::zarrc_store;
use super::{Out, guard, handle, object, owned_string, string};
use std::ffi::c_char;
use std::sync::Arc;

/// Begins a transaction: changes of any number of arrays, groups and attributes that others see all
/// at once, or never.
///
/// A transaction is a store handle of its own. Open and create nodes with it, as with any store,
/// then call zarrc_store_commit(). Until then only this handle sees its changes, and it sees those
/// of others only in keys that it has not used yet. If the process is killed, the store has its old
/// contents, or after the commit the new ones.
///
/// A transaction locks nothing. zarrc_store_commit() fails with ZARRC_CONFLICT if others changed a
/// chunk or document that the transaction read or changed; then close it and begin again:
///
/// @code
/// do {
///   zarrc_store_begin(store, &transaction, &error);
///   ... open its arrays, read, write, close them ...
///   status = zarrc_store_commit(transaction, "day 7", &error);
///   zarrc_store_close(transaction, NULL);
/// } while (status == ZARRC_CONFLICT);
/// @endcode
///
/// - Icechunk: a session on the newest snapshot of the branch, which all of the transaction reads;
///   a commit is one snapshot. Chunks are stored as they are written, and belong to nothing without
///   the commit. Changes of others are a conflict only if both changed the same chunk or node;
///   reads are not compared. Changes of `store` that are not flushed are not in it.
/// - SQLite, LMDB, zip and memory stores: changes stay in memory until the commit, so they must fit
///   there. Each key is read in the version in which it was first used; if that is gone, the read
///   fails with ZARRC_CONFLICT. Nodes that others created are not compared, only those looked up.
/// - Other stores cannot change several keys at once.
///
/// The options write_buffer and overwrite have no effect in a transaction.
///
/// @param store             the store, open for writing. It remains usable, and may be closed first.
/// @param[out] transaction  receives the transaction; close it with zarrc_store_close(), which rolls
///                          back what was not committed.
/// @return ZARRC_OK; ZARRC_UNSUPPORTED: the store has no transactions; ZARRC_INVALID_ARGUMENT: also
///         a transaction; ZARRC_PERMISSION_DENIED: the store is open read-only, or shows a tag or
///         snapshot; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_store_begin(
    store: *mut zarrc_store,
    transaction: *mut *mut zarrc_store,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(transaction, "transaction")?;
        // SAFETY: the caller's handle.
        let begun = unsafe { object(store, "store")? }.0.begin()?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_store(Arc::new(begun)))) };
        Ok(())
    })
}

/// Commits a transaction: all its changes become visible at once. Close its arrays or wait for their
/// requests first. Afterwards the transaction and nodes opened from it can only be closed.
///
/// @param transaction  the transaction.
/// @param message      what Icechunk writes into its history; NULL: the option commit_message.
///                     Other stores keep no history.
/// @return ZARRC_OK, also if nothing was changed; ZARRC_CONFLICT: others changed what this
///         transaction read or changed, and nothing was written: it remains open, but only for
///         zarrc_store_rollback(); ZARRC_INVALID_ARGUMENT: not a transaction, or one that has ended;
///         ZARRC_OUT_OF_MEMORY; ZARRC_LIMIT_EXCEEDED: an LMDB environment is full; ZARRC_IO: nothing
///         was committed, and another attempt may succeed.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_store_commit(
    transaction: *mut zarrc_store,
    message: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (transaction, message) = unsafe {
            let message = if message.is_null() { None } else { Some(string(message, "message")?) };
            (object(transaction, "transaction")?, message)
        };
        transaction.0.commit(message)
    })
}

/// Ends a transaction without its changes. Afterwards it and nodes opened from it can only be
/// closed.
///
/// @param transaction  the transaction; one that has ended is left as it is.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: not a transaction.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_store_rollback(
    transaction: *mut zarrc_store,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle.
        unsafe { object(transaction, "transaction")? }.0.rollback()
    })
}

/// Returns the snapshot that a handle of an Icechunk repository shows; of a handle with changes, the
/// one that they are based on; after a commit, the new one. Open it later with "@SNAPSHOT" in the
/// URL or the option snapshot.
///
/// @param store          the store, or a transaction.
/// @param[out] snapshot  receives the snapshot's name; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_UNSUPPORTED: the store has no snapshots; ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_store_snapshot(
    store: *const zarrc_store,
    snapshot: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(snapshot, "snapshot")?;
        // SAFETY: the caller's handle.
        let name = unsafe { object(store, "store")? }.0.snapshot()?;
        // SAFETY: checked above.
        unsafe { out.set(owned_string(name, "the snapshot")?) };
        Ok(())
    })
}
