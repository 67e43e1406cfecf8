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
    /// The scheme, in lower case.
    pub name: &'static str,
    /// A description of what follows the colon.
    pub takes: &'static str,
    /// The Cargo feature that it needs; empty: none.
    pub feature: &'static str,
    /// A description for users.
    pub doc: &'static str,
    pub(super) open: Opens,
}

/// How a scheme opens its store.
#[derive(Clone, Copy)]
pub(super) enum Opens {
    /// A local path.
    Path,
    /// What follows the scheme locates the store. The function gets it without the colon.
    Store(fn(&str, Mode, &Options) -> Result<SharedStore>),
    /// The store is inside one value: `PATH|scheme:` or `scheme:PATH`.
    Value(fn(Blob, Mode, &Options) -> Result<SharedStore>),
    /// It wraps another store: `store|scheme:rest`.
    Adapter(fn(&Inner<'_>, &str, Mode, &Options) -> Result<SharedStore>),
    /// Not in this build.
    #[allow(dead_code)] // a build may have all of them
    Absent,
}

/// `Opens::$how($open)` if the feature is enabled.
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

/// All stores and adapters, also those that this build lacks.
pub static SCHEMES: &[Scheme] = &[
    Scheme {
        name: "file",
        takes: "PATH or ///ABSOLUTE/PATH, the latter percent-encoded",
        feature: "",
        doc: "A directory with one file per key. A path without a scheme means the same. If the \
              path is a file, or a directory that belongs to a database, its content decides which \
              of the schemes below opens it; a new store at a path that ends in .zip or .sqlite is \
              one of those. A killed writer may leave a temporary file (.zarrc-….tmp); the next \
              handle that writes into its directory or lists it deletes it once it is an hour old.",
        open: Opens::Path,
    },
    Scheme {
        name: "memory",
        takes: "nothing, or NAME",
        feature: "",
        doc: "Values in memory: private to the handle, or, with a name, shared by all handles of \
              the process and freed with the last of them.",
        open: Opens::Store(memory::open_url),
    },
    Scheme {
        name: "zip",
        takes: "PATH; after a bar nothing or a PATH inside",
        feature: "zip",
        doc: "A zip file. Stored entries are read by range, entries compressed by deflate or bzip2 \
              as a whole. Written only on the local machine, by one handle at a time: values are \
              appended, the latest one counts, and the directory is written by close or flush. \
              After a writer was killed, zarrc still opens the file with all values; other \
              programs (Python's zipfile, GDAL) refuse it until zarrc opens it for writing and \
              closes it, or zip -FF repairs it. Replaced and erased values keep taking space.",
        open: with_feature!("zip", Value(zip::open)),
    },
    Scheme {
        name: "sqlite",
        takes: "PATH",
        feature: "sqlite",
        doc: "An SQLite database with zarr-python's table zarr(k, v). Any number of processes may \
              write. If a writer was killed during a change, the next one to open the database \
              rolls it back, which requires permission to write the file and its directory, even \
              for reading.",
        open: with_feature!("sqlite", Value(sqlite::open)),
    },
    Scheme {
        name: "lmdb",
        takes: "PATH",
        feature: "lmdb",
        doc: "An LMDB environment as zarr-python writes it: a directory with data.mdb, or that \
              file alone. Any number of processes may write. LMDB trusts its files: a damaged one \
              can crash the process, so do not open untrusted ones. Opens only with the prefix \
              lmdb:, never by a plain path. Keys have at most 511 bytes.",
        open: with_feature!("lmdb", Value(lmdb::open)),
    },
    Scheme {
        name: "dbm",
        takes: "PATH",
        feature: "dbm",
        doc: "A GNU dbm file, or the files of Python's dbm.dumb (named without their extension). \
              ndbm and Berkeley DB are not supported. One handle writes at a time. New files are \
              GNU dbm: writes go to a journal beside the file (PATH.zarrc-journal); close or flush \
              writes the file anew, in time proportional to its size. A killed writer or a full \
              disk loses nothing: the file keeps its old content, and zarrc reads the journal too; \
              other programs see only the file.",
        open: with_feature!("dbm", Value(dbm::open)),
    },
    Scheme {
        name: "reference",
        takes: "PATH; after a bar nothing or a PATH inside",
        feature: "reference",
        doc: "Kerchunk references, read-only: keys whose values are Base64 text or byte ranges of \
              files in any other store. JSON (versions 0 and 1), or, with the feature parquet, a \
              directory of Parquet files as fsspec and kerchunk write them (plain or dictionary \
              pages; zstd, snappy, LZ4 or uncompressed), each read when one of its chunks is first \
              needed. Relative paths are resolved against the references' directory; those in a \
              Parquet file first against that file's directory, as GDAL does. The option \
              virtual_chunks says which other files may be read.",
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
        takes: "PATH; after a bar nothing or a PATH inside",
        feature: "hdf5",
        doc: "An HDF5 or netCDF-4 file on the local machine, read-only, as a hierarchy of Zarr \
              v2 (docs/hdf5.md); zarrc_hdf5_export() writes one. zarrc reads chunks from the \
              file itself if a codec undoes their filters, else libhdf5 reads them. A plain \
              path to such a file opens it too. Requires libhdf5 1.10.5 or later, which is \
              loaded when the first file is opened. libhdf5 trusts its files: a damaged one \
              can crash the process, so do not open untrusted ones.",
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
        doc: "A web server, read by byte range. PATH is percent-encoded. A query, such as that of \
              a signed URL, is sent with every request; user:password@ before HOST authenticates. \
              Listed by the server's directory pages (nginx, Apache, Python's http.server and \
              similar), or by consolidated metadata.",
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
        doc: "Amazon S3 and compatible services (option endpoint). Each key is an object, read by \
              byte range and written conditionally on its ETag, so that no update is lost. The \
              path is not percent-decoded. Credentials come from options, variables AWS_… or a \
              profile.",
        open: with_feature!("s3", Store(object::s3::open)),
    },
    Scheme {
        name: "gs",
        takes: "//BUCKET/PATH",
        feature: "gcs",
        doc: "Google Cloud Storage, likewise; writes are conditional on the generation. \
              Credentials come from options, variables GOOGLE_… or gcloud. STORAGE_EMULATOR_HOST \
              names an emulator.",
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
        doc: "Azure Blob Storage, likewise. Credentials come from options or variables AZURE_…; \
              the account from the URL or an option.",
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
        takes: "//HOST:PORT/NUMBER; if needed with USER:PASSWORD@ before HOST",
        feature: "redis",
        doc: "A database of a Redis server (6.2 or later, or Valkey) in zarr-python's layout: keys \
              PREFIX:KEY, with the option prefix. Values have at most 512 MiB. Clusters are not \
              supported.",
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
        doc: "The same, through the socket of a local server.",
        open: with_feature!("redis", Store(redis::open_socket)),
    },
    Scheme {
        name: "mongodb",
        takes: "//HOST:PORT/DATABASE/COLLECTION?OPTIONS; if needed with USER:PASSWORD@",
        feature: "mongodb",
        doc: "A collection of a MongoDB server in zarr-python's layout: one document per value, \
              read as a whole, of at most 16 MiB. Writers create a unique index over the keys. \
              OPTIONS are MongoDB's URL options; with tls=true, zarrc trusts Mozilla's \
              certificates, or instead those of the option ca_file.",
        open: with_feature!("mongodb", Store(mongodb::open)),
    },
    Scheme {
        name: "icechunk",
        takes: "nothing or a PATH inside, optionally after @branch.NAME/, @tag.NAME/ or @SNAPSHOT/",
        feature: "icechunk",
        doc: "An Icechunk repository (format 1 or 2) in another store: \
              s3://bucket/x|icechunk:@tag.v1/a. Only branches are writable; default: main. Others \
              see changes after zarrc_array_flush() or zarrc_store_close() commits them; without \
              either they are lost, and the branch stays unchanged. Concurrent changes are merged \
              if they touch other chunks and nodes, else the commit fails with ZARRC_CONFLICT. \
              Holds nodes of Zarr v3 with default chunk keys; an array's document must be written \
              before its chunks. A new branch starts at main; ZARRC_OVERWRITE empties the branch \
              and keeps its history. Virtual chunks are read if the option virtual_chunks allows \
              it; one whose file has changed since, by the ETag or time in the repository, is \
              ZARRC_CORRUPT_DATA (over HTTP only the ETag is compared). Repositories configured \
              with virtual chunks in local files, Google Cloud Storage or Azure are not opened.",
        open: with_feature!("icechunk", Adapter(icechunk::open)),
    },
    Scheme {
        name: "prefix",
        takes: "PATH",
        feature: "",
        doc: "Everything below that path of another store, as a store: x.zarr|prefix:a/b.",
        open: Opens::Adapter(prefix::open),
    },
    Scheme {
        name: "zarr",
        takes: "nothing, or PATH",
        feature: "",
        doc: "The same, as other libraries end their URLs; the format is detected.",
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
        doc: "Another store, protected from changes whatever the mode.",
        open: Opens::Adapter(readonly::open),
    },
    Scheme {
        name: "cache",
        takes: "nothing, or a size such as 256MiB",
        feature: "",
        doc: "Another store, with a cache in memory of values that were read whole; default: 64 \
              MiB. Changes by others are seen after zarrc_store_forget().",
        open: Opens::Adapter(cache::open),
    },
    Scheme {
        name: "simplecache",
        takes: "nothing",
        feature: "",
        doc: "Another store, read-only: each value is copied to a local directory when it is first \
              read.",
        open: Opens::Adapter(simplecache::open),
    },
    Scheme {
        name: "log",
        takes: "PATH",
        feature: "",
        doc: "Another store, with a log: appends a line for each request to a file (operation, \
              key, bytes, duration), and totals at the end.",
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
