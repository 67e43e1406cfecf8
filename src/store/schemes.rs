//! The one table of stores and adapters, by the schemes of their URLs.

use super::adapters::{cache, log, prefix, readonly, simplecache};
#[cfg(feature = "dbm")]
use super::local::dbm;
#[cfg(feature = "lmdb")]
use super::local::lmdb;
use super::local::memory;
#[cfg(feature = "sqlite")]
use super::local::sqlite;
#[cfg(feature = "zip")]
use super::local::zip;
use super::open::{Blob, Inner};
#[cfg(feature = "http")]
use super::remote::http;
#[cfg(feature = "mongodb")]
use super::remote::mongodb;
#[cfg(any(feature = "azure", feature = "gcs", feature = "s3"))]
use super::remote::object;
#[cfg(feature = "redis")]
use super::remote::redis;
#[cfg(feature = "icechunk")]
use super::views::icechunk;
#[cfg(feature = "reference")]
use super::views::reference;
use super::{Mode, Options, SharedStore};
use crate::error::nearest;
use crate::error::{Error, Result};

/// One store or adapter.
pub struct Scheme {
    /// What stands before the colon, in lower case.
    pub name: &'static str,
    /// What stands after it, in words.
    pub takes: &'static str,
    /// The Cargo feature that it comes with; empty: it is always there.
    pub feature: &'static str,
    /// What it is, for users.
    pub doc: &'static str,
    pub(super) open: Opens,
}

/// How a scheme opens its store.
#[derive(Clone, Copy)]
pub(super) enum Opens {
    /// A path of this machine.
    Path,
    /// What follows the scheme says where the store is. The function gets it without the colon.
    Store(fn(&str, Mode, &Options) -> Result<SharedStore>),
    /// The store is inside one value: `PATH|scheme:` or `scheme:PATH`.
    Value(fn(Blob, Mode, &Options) -> Result<SharedStore>),
    /// It stands before another store: `store|scheme:rest`.
    Adapter(fn(&Inner<'_>, &str, Mode, &Options) -> Result<SharedStore>),
    /// This build has none.
    #[allow(dead_code)] // a build may have all of them
    Absent,
}

/// `Opens::$how($open)` where the feature is built in.
macro_rules! with_feature {
    ($feature:literal, $how:ident($open:expr)) => {{
        #[cfg(feature = $feature)]
        {
            Opens::$how($open)
        }
        #[cfg(not(feature = $feature))]
        {
            Opens::Absent
        }
    }};
}

/// Every store and adapter that there is, those that this build lacks included.
pub static SCHEMES: &[Scheme] = &[
    Scheme {
        name: "file",
        takes: "PATH or ///ABSOLUTE/PATH, the latter percent-decoded",
        feature: "",
        doc: "A directory, each key a file. A path without a scheme means the same. Where the path \
              is that of a file, or of a directory that belongs to a database, its content tells \
              which of the schemes below opens it; a new store at a path that ends in .zip or \
              .sqlite is one of those. A writer that is killed may leave a temporary file \
              (.zarrc-….tmp), which is deleted, once an hour old, by the next handle that writes \
              into its directory or lists it.",
        open: Opens::Path,
    },
    Scheme {
        name: "memory",
        takes: "nothing, or NAME",
        feature: "",
        doc: "Values in memory: of this handle alone, or, with a name, shared by all who open it \
              in this process and gone with the last of them.",
        open: Opens::Store(memory::open_url),
    },
    Scheme {
        name: "zip",
        takes: "PATH, or, behind a bar, nothing or a PATH inside",
        feature: "zip",
        doc: "A zip file: entries that are stored as they are are read by range, those that deflate or bzip2 compressed whole. Written on this machine only, by one handle at a time: values are appended, a newer one counts, and the list of all is written by a close or flush; without it, as after a writer that was killed, the file still opens here with all that was set, while other programs (Python's zipfile, GDAL) refuse it until it was opened here for writing and closed, or repaired by zip -FF. What was replaced or erased keeps its place.",
        open: with_feature!("zip", Value(zip::open)),
    },
    Scheme {
        name: "sqlite",
        takes: "PATH",
        feature: "sqlite",
        doc: "An SQLite database with zarr-python's table zarr(k, v). Any number of processes may write. Where a writer was killed in the midst of a change, whoever opens it next has that undone, which needs the right to write the file and its directory also to read it.",
        open: with_feature!("sqlite", Value(sqlite::open)),
    },
    Scheme {
        name: "lmdb",
        takes: "PATH",
        feature: "lmdb",
        doc: "An LMDB environment, a directory with data.mdb or that file alone, as zarr-python's. Any number of processes may write. LMDB trusts its files, and a damaged one can crash the process: do not open those of strangers. A path without lmdb: before it opens none. Keys have at most 511 bytes.",
        open: with_feature!("lmdb", Value(lmdb::open)),
    },
    Scheme {
        name: "dbm",
        takes: "PATH",
        feature: "dbm",
        doc: "A file of GNU dbm, or the files of Python's dbm.dumb (by their name without endings); those of ndbm and Berkeley DB are not read. One handle writes at a time. A new one is of GNU dbm: what is set is kept in a journal beside the file (PATH.zarrc-journal), and a close or flush writes the file anew, which takes time with its size. Neither a writer that is killed nor a full disk loses any: the file stays as it was, and whoever opens it next here finds the journal too; other programs see what the file holds.",
        open: with_feature!("dbm", Value(dbm::open)),
    },
    Scheme {
        name: "reference",
        takes: "PATH, or behind a bar nothing or a PATH inside",
        feature: "reference",
        doc: "Kerchunk's references, read only: keys that are values in base64 or ranges of files of any other store. In JSON, versions 0 and 1, or, with the feature parquet, in a directory of Parquet files as fsspec and kerchunk write them (plain or dictionary pages, compressed by zstd, snappy, LZ4 or not), each read when one of its chunks is wanted. Relative paths are found beside the references, those in a Parquet file first beside that, as by GDAL. What else may be referred to, the option virtual_chunks says.",
        open: with_feature!("reference", Value(reference::open)),
    },
    Scheme {
        name: "kerchunk",
        takes: "as reference:",
        feature: "reference",
        doc: "The same.",
        open: with_feature!("reference", Value(reference::open)),
    },
    Scheme {
        name: "hdf5",
        takes: "PATH, or, behind a bar, nothing or a PATH inside",
        feature: "hdf5",
        doc: "An HDF5 file of this machine (netCDF-4 too), read only, as a hierarchy of Zarr v2 ([docs/hdf5.md](hdf5.md)); zarrc_hdf5_export() writes one. Chunks are read from the file itself wherever a codec undoes their filters, and by libhdf5 where not. A path without hdf5: before it opens one too. It needs libhdf5 1.10.5 or newer, which is loaded when the first file is opened. libhdf5 trusts its files, and a damaged one can crash the process.",
        open: with_feature!("hdf5", Value(reference::hdf5::open)),
    },
    Scheme {
        name: "netcdf",
        takes: "as hdf5:",
        feature: "hdf5",
        doc: "The same.",
        open: with_feature!("hdf5", Value(reference::hdf5::open)),
    },
    Scheme {
        name: "http",
        takes: "//HOST/PATH",
        feature: "http",
        doc: "A web server, read by ranges; PATH is percent-encoded. A query, as of a signed URL, goes with every \
              request; user:password@ before HOST is for servers that ask for it. Listed as the server's \
              own pages about directories say (nginx, Apache, Python's http.server and the like), or \
              by consolidated metadata.",
        open: with_feature!("http", Store(http::open_plain)),
    },
    Scheme {
        name: "https",
        takes: "//HOST/PATH",
        feature: "http",
        doc: "The same, encrypted.",
        open: with_feature!("http", Store(http::open_encrypted)),
    },
    Scheme {
        name: "s3",
        takes: "//BUCKET/PATH",
        feature: "s3",
        doc: "Amazon S3, and what speaks its language (option endpoint). Each key is an object, which is read by ranges and written by requests that depend on its ETag, so that no update is lost. The path is taken as it is, without percent-decoding. Credentials are options, variables AWS_… or in a profile.",
        open: with_feature!("s3", Store(object::s3::open)),
    },
    Scheme {
        name: "gs",
        takes: "//BUCKET/PATH",
        feature: "gcs",
        doc: "Google Cloud Storage, likewise; writes depend on the generation. Credentials are options, variables GOOGLE_… or those of gcloud. STORAGE_EMULATOR_HOST names an emulator.",
        open: with_feature!("gcs", Store(object::gcs::open)),
    },
    Scheme {
        name: "gcs",
        takes: "//BUCKET/PATH",
        feature: "gcs",
        doc: "As gs:.",
        open: with_feature!("gcs", Store(object::gcs::open)),
    },
    Scheme {
        name: "az",
        takes: "//CONTAINER/PATH, or //CONTAINER@ACCOUNT.dfs.core.windows.net/PATH",
        feature: "azure",
        doc: "Azure Blob Storage, likewise. Credentials are options or variables AZURE_…; the account is in the URL or an option too.",
        open: with_feature!("azure", Store(object::azure::open)),
    },
    Scheme {
        name: "abfs",
        takes: "//CONTAINER/PATH, or //CONTAINER@ACCOUNT.dfs.core.windows.net/PATH",
        feature: "azure",
        doc: "As az:.",
        open: with_feature!("azure", Store(object::azure::open)),
    },
    Scheme {
        name: "abfss",
        takes: "//CONTAINER/PATH, or //CONTAINER@ACCOUNT.dfs.core.windows.net/PATH",
        feature: "azure",
        doc: "As az:.",
        open: with_feature!("azure", Store(object::azure::open)),
    },
    Scheme {
        name: "redis",
        takes: "//HOST:PORT/NUMBER, with USER:PASSWORD@ before the host where needed",
        feature: "redis",
        doc: "A database of a Redis server (6.2 or newer, or Valkey), in zarr-python's layout: the keys \
              PREFIX:KEY, of which PREFIX is an option. Values have at most 512 MiB. Not for clusters.",
        open: with_feature!("redis", Store(redis::open)),
    },
    Scheme {
        name: "rediss",
        takes: "as redis:",
        feature: "redis",
        doc: "The same, encrypted.",
        open: with_feature!("redis", Store(redis::open_encrypted)),
    },
    Scheme {
        name: "redis+unix",
        takes: "///PATH or ///PATH?db=NUMBER",
        feature: "redis",
        doc: "The same, by the socket of a server on this machine.",
        open: with_feature!("redis", Store(redis::open_socket)),
    },
    Scheme {
        name: "mongodb",
        takes: "//HOST:PORT/DATABASE/COLLECTION?OPTIONS, with USER:PASSWORD@ before the host where needed",
        feature: "mongodb",
        doc: "A collection of a MongoDB server, in zarr-python's layout: a document for each value, which \
              is read whole and has at most 16 MiB. Who writes makes a unique index over the keys. What \
              stands behind a question mark are the options that MongoDB gives such a URL; where tls=true \
              is among them, the certificates trusted are Mozilla's or, instead of them, those of the \
              option ca_file.",
        open: with_feature!("mongodb", Store(mongodb::open)),
    },
    Scheme {
        name: "icechunk",
        takes: "nothing or a PATH inside, or either behind @branch.NAME/, @tag.NAME/ or @SNAPSHOT/",
        feature: "icechunk",
        doc: "An Icechunk repository (format 1 or 2) in another store, as s3://bucket/x|icechunk:@tag.v1/a. Only branches are written, by default main: what is written is seen by others once zarrc_array_flush() or zarrc_store_close() has committed it; without either it is lost, and the branch stays as it was. Changes of other writers are kept where they are of other chunks and nodes, else the commit is a ZARRC_CONFLICT. It holds nodes of Zarr v3 with the default chunk keys; an array's document is written before its chunks. A new branch begins at main; ZARRC_OVERWRITE empties the branch and keeps its history. Virtual chunks are read where the option virtual_chunks allows it; one whose file was changed since, by the ETag or the time that the repository has of it, is ZARRC_CORRUPT_DATA (over HTTP only the ETag is compared); a repository whose configuration has places for such on local files, Google Cloud Storage or Azure is not opened.",
        open: with_feature!("icechunk", Adapter(icechunk::open)),
    },
    Scheme {
        name: "prefix",
        takes: "PATH",
        feature: "",
        doc: "What lies below that path of another store, as a store of its own: \
              x.zarr|prefix:a/b.",
        open: Opens::Adapter(prefix::open),
    },
    Scheme {
        name: "zarr",
        takes: "nothing, or PATH",
        feature: "",
        doc: "The same, as other libraries end their URLs; the format is recognised by itself.",
        open: Opens::Adapter(prefix::open),
    },
    Scheme {
        name: "zarr2",
        takes: "nothing, or PATH",
        feature: "",
        doc: "As zarr:.",
        open: Opens::Adapter(prefix::open),
    },
    Scheme {
        name: "zarr3",
        takes: "nothing, or PATH",
        feature: "",
        doc: "As zarr:.",
        open: Opens::Adapter(prefix::open),
    },
    Scheme {
        name: "n5",
        takes: "nothing, or PATH",
        feature: "",
        doc: "As zarr:.",
        open: Opens::Adapter(prefix::open),
    },
    Scheme {
        name: "readonly",
        takes: "nothing",
        feature: "",
        doc: "Another store, which refuses to be changed whatever the mode.",
        open: Opens::Adapter(readonly::open),
    },
    Scheme {
        name: "cache",
        takes: "nothing, or how much, as 256MiB",
        feature: "",
        doc: "Another store, of which the values last read whole are kept in memory, 64 MiB of them \
              where nothing else is said. What others change is seen after zarrc_store_forget().",
        open: Opens::Adapter(cache::open),
    },
    Scheme {
        name: "simplecache",
        takes: "nothing",
        feature: "",
        doc: "Another store, only read, of which each value is copied to a directory of this machine \
              when it is first read.",
        open: Opens::Adapter(simplecache::open),
    },
    Scheme {
        name: "log",
        takes: "PATH",
        feature: "",
        doc: "Another store, of which each request is told in a line that is appended to a file: what, \
              of which key, how many bytes, how long it took; at the end, the sums.",
        open: Opens::Adapter(log::open),
    },
];

impl Scheme {
    /// Whether this build has it.
    pub fn is_built(&self) -> bool {
        !matches!(self.open, Opens::Absent)
    }

    pub(super) fn find(name: &str) -> Result<&'static Scheme> {
        if name.len() == 1 {
            return Err(Error::invalid(
                "a path with a drive letter means nothing here; for a file of that name put ./ \
                 before it",
            ));
        }
        let scheme = SCHEMES.iter().find(|scheme| scheme.name == name).ok_or_else(|| {
            let hint = nearest(name, SCHEMES.iter().map(|scheme| scheme.name));
            Error::invalid(format!(
                "there is no URL scheme {name:?}: did you mean {hint}:? A path with a colon needs \
                 ./ before it"
            ))
        })?;
        if scheme.is_built() {
            return Ok(scheme);
        }
        Err(Error::unsupported(format!(
            "this build has no {name}: it comes with the Cargo feature {feature:?} (CMake: \
             -DZARRC_{option}=ON)",
            feature = scheme.feature,
            option = scheme.feature.to_ascii_uppercase().replace('-', "_"),
        )))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{open, url};
    use super::*;
    use crate::error::Kind;

    #[test]
    fn the_table_is_in_order() {
        for (i, scheme) in SCHEMES.iter().enumerate() {
            let name = scheme.name;
            assert!(url::parse(&format!("{name}:")).unwrap()[0].scheme == name, "{name}");
            assert!(SCHEMES[..i].iter().all(|other| other.name != name), "{name} twice");
            assert!(scheme.doc.ends_with('.') && !scheme.doc.contains("  "), "{name}");
            assert!(scheme.is_built() || !scheme.feature.is_empty(), "{name}");
        }
    }

    #[test]
    fn what_this_build_lacks_names_its_feature() {
        for scheme in SCHEMES.iter().filter(|scheme| !scheme.is_built()) {
            let url = format!("{}://me:secret@host/x?sig=secret", scheme.name);
            let e = open(&url, Mode::Read, &Options::default()).err().unwrap();
            assert_eq!(e.kind(), Kind::Unsupported, "{e}");
            let (text, feature) = (e.to_string(), format!("{:?}", scheme.feature));
            assert!(text.contains(&feature) && !text.contains("secret"), "{e}");
        }
    }
}
