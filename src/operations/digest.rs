//! Digests of arrays: of their elements, however stored, and of their stored bytes.

use super::bands::for_each_band;
use crate::array::{Array, MemoryType};
use crate::error::{Context, Error, Result};
use crate::exec::Block;
use crate::hierarchy::ArrayNode;
use crate::metadata::Endian;
use crate::progress::Progress;
use crate::store::Key;
use crate::strided::{Extents, ViewMut, swap_in_place};
use sha1::Sha1;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// A hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// SHA-1, the default of zarr-python 2.
    Sha1,
    /// SHA-256.
    Sha256,
}

/// Elements are read in pieces of at most this size (bytes), unless a row of the last dimension is
/// larger.
const PIECE: u64 = 64 << 20;

/// Assumed size of variable-length elements (bytes), to determine pieces.
const GUESSED: usize = 64;

impl Algorithm {
    /// The algorithm of that name; [`crate::error::Kind::InvalidArgument`] if there is none.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "sha1" => Ok(Algorithm::Sha1),
            "sha256" => Ok(Algorithm::Sha256),
            _ => {
                let what = format!("algorithm {name:?}: expected \"sha1\" or \"sha256\"");
                Err(Error::invalid(what))
            }
        }
    }

    fn digest(self, feed: impl FnOnce(&mut dyn FnMut(&[u8])) -> Result<()>) -> Result<String> {
        fn run<D: Digest>(
            feed: impl FnOnce(&mut dyn FnMut(&[u8])) -> Result<()>,
        ) -> Result<Vec<u8>> {
            let mut hash = D::new();
            feed(&mut |bytes| hash.update(bytes))?;
            Ok(hash.finalize().to_vec())
        }
        let bytes = match self {
            Algorithm::Sha1 => run::<Sha1>(feed)?,
            Algorithm::Sha256 => run::<Sha256>(feed)?,
        };
        let mut hex = String::with_capacity(bytes.len() * 2);
        for byte in bytes {
            let _ = write!(hex, "{byte:02x}"); // to a String, which cannot fail
        }
        Ok(hex)
    }
}

/// The digest of the elements in C order, little-endian: equal to hashing the bytes of a
/// C-contiguous, little-endian NumPy array. Each variable-length element is preceded by its length,
/// as 8 little-endian bytes.
pub fn content_digest(
    array: &Array,
    algorithm: Algorithm,
    progress: &Progress<'_>,
) -> Result<String> {
    let digest = algorithm.digest(|update| match array.metadata().data_type.is_variable() {
        true => feed_variable(array, progress, update),
        false => feed_fixed(array, progress, update),
    });
    digest.at(|| format!("the digest of {}", array.name()))
}

fn feed_fixed(array: &Array, progress: &Progress<'_>, update: &mut dyn FnMut(&[u8])) -> Result<()> {
    let data_type = &array.metadata().data_type;
    let item = data_type.size();
    for_each_band(&array.shape(), &array.outer_chunk_shape(), item, PIECE, &mut |region, done| {
        let count: Extents = region.spans().iter().map(|s| s.count as usize).collect();
        let mut block = Block::new(count.iter().product::<usize>() * item)?;
        array.read(region, MemoryType::Native, ViewMut::contiguous(&mut block, &count, item)?)?;
        if Endian::NATIVE != Endian::Little {
            swap_in_place(&mut block, item, &data_type.swap(Endian::Little))?;
        }
        update(&block);
        progress.report(done, || array.path().to_string())
    })
}

fn feed_variable(
    array: &Array,
    progress: &Progress<'_>,
    update: &mut dyn FnMut(&[u8]),
) -> Result<()> {
    let shape = array.shape();
    for_each_band(&shape, &array.outer_chunk_shape(), GUESSED, PIECE, &mut |region, done| {
        let values = array.read_vlen(region)?;
        for ends in values.offsets().windows(2) {
            update(&(ends[1] - ends[0]).to_le_bytes());
            update(&values.bytes()[ends[0] as usize..ends[1] as usize]);
        }
        progress.report(done, || array.path().to_string())
    })
}

/// The digest of the stored bytes: all chunks in C order of their indices, the metadata document,
/// and the attributes if they have a document of their own. For Zarr v2 it equals `Array.digest` of
/// zarr-python 2.
pub fn stored_digest(node: &ArrayNode, algorithm: Algorithm) -> Result<String> {
    let array = &node.array;
    let digest = algorithm.digest(|update| {
        array.flush()?;
        let store = node.hierarchy.store();
        let mut add = |key: &Key| {
            let mut value = Vec::new();
            store.get(key, &mut value)?;
            update(&value);
            Ok(())
        };
        for index in array.stored_chunks()? {
            add(&array.chunk_key(&index))?;
        }
        let mut documents = node.format.documents(array.path());
        documents.truncate(1);
        let kind = crate::format::NodeKind::Array;
        let attributes = node.format.attributes_document(array.path(), kind);
        if !documents.contains(&attributes) {
            documents.push(attributes);
        }
        documents.into_iter().try_for_each(|key| add(&Key::trusted(key)))
    });
    digest.at(|| format!("the digest of {}", array.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standards() {
        // FIPS 180-2, appendices A.1 and B.1
        let abc = |a: Algorithm| {
            a.digest(|update| {
                update(b"abc");
                Ok(())
            })
        };
        assert_eq!(
            abc(Algorithm::Sha1).expect("digest"),
            "a9993e364706816aba3e25717850c26c9cd0d89d"
        );
        assert_eq!(
            abc(Algorithm::Sha256).expect("digest"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert!(Algorithm::named("md5").is_err());
    }
}
