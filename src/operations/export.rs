//! A hierarchy as a file of another kind, in builds that have the library for it.

use crate::error::Result;
use crate::hierarchy::Hierarchy;
use crate::metadata::NodePath;
use crate::progress::Progress;
use std::path::Path;
use std::sync::Arc;

/// How a file is written.
#[derive(Clone, Debug, Default)]
pub struct ExportOptions {
    /// Whether what HDF5 has nothing like may be left out.
    pub losses: bool,
    /// Whether a file that is there is replaced.
    pub replace: bool,
    /// Names of dimensions that may grow.
    pub unlimited: Vec<String>,
    /// Bytes of elements that may be in memory; 0: 64 MiB.
    pub memory: u64,
}

/// What changed on the way, without a loss or with one, by the path of the node.
pub type Notes = Vec<(String, String)>;

/// Writes the node at `path` and all below it as the HDF5 file `file`.
///
/// [`Kind::Unsupported`](crate::error::Kind::Unsupported): HDF5 has nothing like something, and
/// losses are not accepted, or this build has no HDF5;
/// [`Kind::AlreadyExists`](crate::error::Kind::AlreadyExists): the file is there.
pub fn export_hdf5(
    from: &Arc<Hierarchy>,
    path: &NodePath,
    file: &Path,
    options: &ExportOptions,
    progress: &Progress<'_>,
) -> Result<Notes> {
    #[cfg(feature = "hdf5")]
    {
        super::hdf5::run(from, path, file, options, progress)
    }
    #[cfg(not(feature = "hdf5"))]
    {
        let _ = (from, path, file, options, progress);
        Err(crate::error::Error::unsupported(
            "this build has no HDF5: it comes with the Cargo feature \"hdf5\" (CMake: \
             -DZARRC_HDF5=ON)",
        ))
    }
}
