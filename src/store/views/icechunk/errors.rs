//! Errors of the icechunk library as ours.

use crate::error::{Error, Kind, Result};
use icechunk::format::IcechunkFormatErrorKind;
use icechunk::refs::RefErrorKind;
use icechunk::repository::{RepositoryError, RepositoryErrorKind};
use icechunk::session::{SessionError, SessionErrorKind};
use icechunk::storage::StorageErrorKind;
use icechunk::store::{StoreError, StoreErrorKind};

pub(super) fn is_missing(e: &RepositoryError) -> bool {
    matches!(e.kind, RepositoryErrorKind::Ref(RefErrorKind::RefNotFound(_)))
}

/// Converts an error of the crate: to the underlying store's error, if there is one.
#[cold]
pub(super) fn error(kind: Kind, e: &(dyn std::error::Error + 'static)) -> Error {
    let mut cause = Some(e);
    while let Some(e) = cause {
        if let Some(own) = e.downcast_ref::<Error>() {
            return Error::new(own.kind(), own.to_string()).with_system_code(own.system_code());
        }
        cause = e.source();
    }
    let mut words = e.to_string();
    let mut cause = e.source();
    while let Some(e) = cause {
        let more = e.to_string();
        if !words.contains(&more) {
            words = format!("{words}: {more}");
        }
        cause = e.source();
    }
    // drop the crate's internal context
    Error::new(kind, words.split("\n\ncontext:").next().unwrap_or_default())
}

#[cold]
pub(super) fn of_repository(e: RepositoryError) -> Error {
    use IcechunkFormatErrorKind as F;
    use RepositoryErrorKind as K;
    let kind = match &e.kind {
        K::RepositoryDoesntExist
        | K::SnapshotNotFound { .. }
        | K::StorageError(StorageErrorKind::ObjectNotFound)
        | K::FormatError(
            F::SnapshotIdNotFound { .. } | F::BranchNotFound { .. } | F::TagNotFound { .. },
        )
        | K::Ref(RefErrorKind::RefNotFound(_)) => Kind::NotFound,
        K::ParentDirectoryNotClean => Kind::AlreadyExists,
        K::InvalidSnapshotId(_)
        | K::Ref(RefErrorKind::InvalidRefName(_) | RefErrorKind::InvalidRefType(_)) => {
            Kind::InvalidArgument
        }
        K::ReadonlyStorage(_) | K::ReadonlyRepository(_) => Kind::PermissionDenied,
        K::Conflict { .. } | K::RepoInfoUpdated | K::RepoUpdateAttemptsLimit(_) => Kind::Conflict,
        K::FormatError(_) | K::DeserializationError(_) => Kind::CorruptData,
        // likewise for locations of virtual chunks that this build does not support
        K::ConfigDeserializationError(_) | K::BadRepoVersion { .. } => Kind::Unsupported,
        _ => Kind::Io,
    };
    error(kind, &e.kind)
}

#[cold]
pub(super) fn of_session(kind: &SessionErrorKind) -> Error {
    use SessionErrorKind as K;
    let kind_of = match kind {
        K::NodeNotFound { .. } | K::SnapshotNotFound { .. } => Kind::NotFound,
        K::Conflict { .. } | K::RebaseFailed { .. } => Kind::Conflict,
        K::FormatError(_) | K::DeserializationError(_) => Kind::CorruptData,
        K::ReadOnlySession => Kind::PermissionDenied,
        K::InvalidIndex { .. } | K::NotAnArray { .. } | K::NotAGroup { .. } => {
            Kind::InvalidArgument
        }
        K::AlreadyExists { .. } => Kind::AlreadyExists,
        K::ZeroLengthChunk { .. } | K::VirtualReferenceError(_) => Kind::Unsupported,
        _ => Kind::Io,
    };
    error(kind_of, kind)
}

#[cold]
pub(super) fn of_store(e: StoreError) -> Error {
    match &e.kind {
        StoreErrorKind::SessionError(kind) => of_session(kind),
        StoreErrorKind::InvalidKey { .. } | StoreErrorKind::Unimplemented(_) => {
            error(Kind::Unsupported, &e.kind)
        }
        StoreErrorKind::BadMetadata(_) | StoreErrorKind::BadChunkGridMetadata(_) => {
            error(Kind::Unsupported, &e.kind)
        }
        StoreErrorKind::ReadOnly => error(Kind::PermissionDenied, &e.kind),
        _ => error(Kind::Io, &e.kind),
    }
}

/// `None` if there is no such node.
pub(super) fn found<T>(result: Result<T, SessionError>) -> Result<Option<T>> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(e) => match &e.kind {
            SessionErrorKind::NodeNotFound { .. }
            | SessionErrorKind::NotAnArray { .. }
            | SessionErrorKind::AncestorNodeNotFound { .. } => Ok(None),
            kind => Err(of_session(kind)),
        },
    }
}
