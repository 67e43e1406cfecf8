//! Named options, given as strings so that they can grow without an ABI break. One table,
//! [`OPTIONS`], checks them and documents them.

use crate::error::{Error, Result};

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

/// What a store was opened with; the arrays opened from it keep to it too.
#[derive(Clone, PartialEq, Eq)]
pub struct Options {
    threads: usize,
    follow_symlinks: bool,
    sync: bool,
    consolidated: Option<bool>,
    write_empty_chunks: bool,
    chunk_cache: usize,
    write_buffer: usize,
    /// What was set of the options that only some stores know, as it was given. Holds secrets.
    given: BTreeMap<&'static str, String>,
    format: usize,
    data_type_fallback: bool,
    v1_writer_order: bool,
    ignore_checksums: bool,
    unknown_codecs: bool,
}

/// One option.
pub struct Description {
    /// What it is called.
    pub name: &'static str,
    /// What it may be set to.
    pub values: Values,
    /// What it is when nobody sets it.
    pub default: &'static str,
    /// What it does, for users.
    pub doc: &'static str,
    /// The schemes of the stores that it is for; none: it is for all.
    pub stores: &'static [&'static str],
    apply: fn(&mut Options, u64),
}

/// For options that a store asks for by name.
fn kept(_: &mut Options, _: u64) {}

/// What an option may be set to. Each value stands for a number, which the table applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// `yes` (1) or `no` (0); also `true`, `false`, `1` and `0`.
    YesNo,
    /// As [`Values::YesNo`], or `auto` (2).
    AutoYesNo,
    /// A number up to this one, or `auto` (0).
    AutoCount(u64),
    /// A number of bytes, also of `KiB`, `MiB` or `GiB`.
    Bytes,
    /// A number from 1 up to this one.
    Count(u64),
    /// A number up to this one.
    UpTo(u64),
    /// Seconds, as `30`, `0.5` or `250ms`; stands for milliseconds.
    Seconds,
    /// Any text.
    Text,
    /// Any text, which no message shows.
    Secret,
    /// One of these words; its number is its place.
    Choice(&'static [&'static str]),
}

/// The formats by the numbers of `zarrc_format`, and `auto` for the one that is found.
const FORMATS: &[&str] = &["auto", "v1", "v2", "v3", "n5", "v3-2019", "v3-2020", "v3-2022"];

/// Every option there is.
pub static OPTIONS: &[Description] = &[
    Description {
        name: "threads",
        values: Values::AutoCount(4096),
        default: "auto",
        doc: "How many threads work on one call. auto: as many as there are cores, or, on a store \
              across a network, as the option concurrency says; 1: the calling thread alone.",
        stores: &[],
        apply: |o, v| o.threads = v as usize,
    },
    Description {
        name: "follow_symlinks",
        values: Values::YesNo,
        default: "yes",
        doc: "Whether symbolic links below the root of a directory store are followed. \
              no: to meet one is an error. Deleting never follows them.",
        stores: &[],
        apply: |o, v| o.follow_symlinks = v != 0,
    },
    Description {
        name: "sync",
        values: Values::YesNo,
        default: "no",
        doc: "Whether a write returns only once the disk holds it, so that it outlives a loss of \
              power. With no it outlives the end of the process, not that of the machine.",
        stores: &[],
        apply: |o, v| o.sync = v != 0,
    },
    Description {
        name: "consolidated",
        values: Values::AutoYesNo,
        default: "auto",
        doc: "Whether metadata is taken from the consolidated document. \
              auto: where there is one; yes: to find none is an error; no: never.",
        stores: &[],
        apply: |o, v| o.consolidated = [Some(false), Some(true)].get(v as usize).copied().flatten(),
    },
    Description {
        name: "write_empty_chunks",
        values: Values::YesNo,
        default: "no",
        doc: "Whether chunks that hold nothing but the fill value are stored. \
              no: such a chunk is erased instead.",
        stores: &[],
        apply: |o, v| o.write_empty_chunks = v != 0,
    },
    Description {
        name: "chunk_cache",
        values: Values::Bytes,
        default: "32MiB",
        doc: "How much memory may hold decoded chunks and indexes of shards, for parts of them \
              that are read later. Before each use the store is asked whether the chunk is still \
              the same. 0: none.",
        stores: &[],
        apply: |o, v| o.chunk_cache = usize::try_from(v).unwrap_or(usize::MAX),
    },
    Description {
        name: "write_buffer",
        values: Values::Bytes,
        default: "0",
        doc: "How much memory an array may use to gather partial writes of a chunk until it is \
              full and written once. A flush, a close or a read of the chunk writes it too; what \
              is gathered when the process ends without them is lost. 0: every write is in the \
              store when it returns.",
        stores: &[],
        apply: |o, v| o.write_buffer = usize::try_from(v).unwrap_or(usize::MAX),
    },
    Description {
        name: "concurrency",
        values: Values::Count(1024),
        default: "64",
        doc: "How many requests a call has under way at once on a store across a network.",
        stores: REMOTE,
        apply: kept,
    },
    Description {
        name: "format",
        values: Values::Choice(FORMATS),
        default: "auto",
        doc: "The format of the nodes that are found and created. auto: found out by looking at \
              the root of the store, where v3 goes before v2.",
        stores: &[],
        apply: |o, v| o.format = v as usize,
    },
    Description {
        name: "data_type_fallback",
        values: Values::YesNo,
        default: "yes",
        doc: "Whether an array of a data type that is not known is read as the type that its \
              metadata names for such readers, in the drafts of Zarr v3. no: it is an error.",
        stores: &[],
        apply: |o, v| o.data_type_fallback = v != 0,
    },
    Description {
        name: "v1_writer_order",
        values: Values::YesNo,
        default: "no",
        doc: "Whether Zarr v1 arrays of order F are read and written as zarr-python 1 did, which \
              laid out so only what Blosc compresses, and all else in order C. no: as the \
              specification says.",
        stores: &[],
        apply: |o, v| o.v1_writer_order = v != 0,
    },
    Description {
        name: "cache_storage",
        values: Values::Text,
        default: "",
        doc: "The directory where simplecache: keeps its copies, for later too; none: one of its own, \
              which goes with the store.",
        stores: &["simplecache"],
        apply: kept,
    },
    Description {
        name: "branch",
        values: Values::Text,
        default: "main",
        doc: "The branch of an Icechunk repository that is read or written, where the URL names none.",
        stores: &["icechunk"],
        apply: kept,
    },
    Description {
        name: "tag",
        values: Values::Text,
        default: "",
        doc: "The tag of an Icechunk repository that is read, instead of a branch.",
        stores: &["icechunk"],
        apply: kept,
    },
    Description {
        name: "snapshot",
        values: Values::Text,
        default: "",
        doc: "The snapshot of an Icechunk repository that is read, instead of a branch.",
        stores: &["icechunk"],
        apply: kept,
    },
    Description {
        name: "commit_message",
        values: Values::Text,
        default: "Written by zarrc",
        doc: "What is said about the commits to an Icechunk repository.",
        stores: &["icechunk"],
        apply: kept,
    },
    Description {
        name: "commit_author",
        values: Values::Text,
        default: "",
        doc: "Who the commits to an Icechunk repository are from: their property author_name.",
        stores: &["icechunk"],
        apply: kept,
    },
    Description {
        name: "icechunk_format",
        values: Values::Choice(&["1", "2"]),
        default: "2",
        doc: "The version of the format of a new Icechunk repository; Icechunk before 2.0 reads only 1.",
        stores: &["icechunk"],
        apply: kept,
    },
    Description {
        name: "virtual_chunks",
        values: Values::Text,
        default: "",
        doc: "How the URLs begin, separated by spaces, of which an Icechunk repository may have chunks \
              in files elsewhere, as s3://bucket/archive/ file:///data/. None: such chunks are not read.",
        stores: &["icechunk"],
        apply: kept,
    },
    Description {
        name: "map_size",
        values: Values::Bytes,
        default: "1024GiB",
        doc: "How large an LMDB environment may become.",
        stores: &["lmdb"],
        apply: kept,
    },
    Description {
        name: "subdir",
        values: Values::YesNo,
        default: "yes",
        doc: "Whether a new LMDB environment is a directory. no: it is one file, with its lock file \
              beside it.",
        stores: &["lmdb"],
        apply: kept,
    },
    Description {
        name: "ignore_checksums",
        values: Values::YesNo,
        default: "no",
        doc: "Whether values with a wrong checksum are read all the same: those of crc32c, crc32, \
              adler32, fletcher32, jenkins_lookup3 and of shards' indexes, of .xz streams and \
              zstd frames. no: a wrong one is an error.",
        stores: &[],
        apply: |o, v| o.ignore_checksums = v != 0,
    },
    Description {
        name: "unknown_codecs",
        values: Values::YesNo,
        default: "no",
        doc: "Whether an array is opened whose codecs this build does not have, for its metadata \
              and attributes alone: reading and writing it fails. no: to open it fails.",
        stores: &[],
        apply: |o, v| o.unknown_codecs = v != 0,
    },
    Description {
        name: "timeout",
        values: Values::Seconds,
        default: "60",
        doc: "How long a request may take, trying again included, or another writer of an SQLite \
              database may be waited for.",
        stores: &[
            "sqlite",
            "http",
            "https",
            "s3",
            "gs",
            "gcs",
            "az",
            "abfs",
            "abfss",
            "redis",
            "rediss",
            "redis+unix",
            "mongodb",
        ],
        apply: kept,
    },
    Description {
        name: "headers",
        values: Values::Secret,
        default: "",
        doc: "What else is sent with each request: a JSON object of headers and their values. A \
              redirect to another host gets none of them.",
        stores: &["http", "https"],
        apply: kept,
    },
    Description {
        name: "bearer_token",
        values: Values::Secret,
        default: "",
        doc: "A token that identifies the caller, sent as Authorization: Bearer.",
        stores: BEARER,
        apply: kept,
    },
    Description {
        name: "connect_timeout",
        values: Values::Seconds,
        default: "10",
        doc: "How long it may take to reach a server.",
        stores: REMOTE,
        apply: kept,
    },
    Description {
        name: "max_retries",
        values: Values::UpTo(1000),
        default: "10",
        doc: "How often a request is tried again, after longer and longer pauses, where the server is \
              busy or broken or the connection is cut.",
        stores: REMOTE,
        apply: kept,
    },
    Description {
        name: "proxy_url",
        values: Values::Secret,
        default: "",
        doc: "The proxy that requests go through, as http://host:port. Where it is not set: as the \
              environment variables HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY say.",
        stores: WEB,
        apply: kept,
    },
    Description {
        name: "ca_file",
        values: Values::Text,
        default: "",
        doc: "A file of certificates in PEM that are trusted besides those of the system.",
        stores: REMOTE,
        apply: kept,
    },
    Description {
        name: "allow_http",
        values: Values::AutoYesNo,
        default: "auto",
        doc: "Whether to go without encryption. auto: where the URL or the endpoint begins with \
              http://; yes: where a server sends to such an address, too; no: never.",
        stores: WEB,
        apply: kept,
    },
    Description {
        name: "allow_invalid_certificates",
        values: Values::YesNo,
        default: "no",
        doc: "Whether a server's certificate is taken as it comes. Whoever is on the way can then read \
              and change everything.",
        stores: REMOTE,
        apply: kept,
    },
    Description {
        name: "user_agent",
        values: Values::Text,
        default: "",
        doc: "What servers are told who is asking; none: zarrc and its version.",
        stores: WEB,
        apply: kept,
    },
    Description {
        name: "region",
        values: Values::Text,
        default: "",
        doc: "The region of the bucket; none: as the service says.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "endpoint",
        values: Values::Text,
        default: "",
        doc: "The address of the service, where it is not the usual one, as http://localhost:9000.",
        stores: CLOUD,
        apply: kept,
    },
    Description {
        name: "access_key_id",
        values: Values::Secret,
        default: "",
        doc: "The name of the key that proves who asks.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "secret_access_key",
        values: Values::Secret,
        default: "",
        doc: "The key that goes with access_key_id.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "session_token",
        values: Values::Secret,
        default: "",
        doc: "What goes with a key that is only lent.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "token",
        values: Values::Secret,
        default: "",
        doc: "What proves who asks: with s3: as session_token; with gs: an access token, the file or the text of credentials, or anon; with az: as bearer_token.",
        stores: CLOUD,
        apply: kept,
    },
    Description {
        name: "anonymous",
        values: Values::YesNo,
        default: "no",
        doc: "Whether nobody proves who asks, which is enough for what is public.",
        stores: CLOUD,
        apply: kept,
    },
    Description {
        name: "profile",
        values: Values::Text,
        default: "",
        doc: "The profile in the files ~/.aws/config and ~/.aws/credentials (or where AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE say); none: as AWS_PROFILE says, or default.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "virtual_hosted_style_request",
        values: Values::YesNo,
        default: "no",
        doc: "Whether the bucket is in the name of the host, not in the path.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "request_payer",
        values: Values::YesNo,
        default: "no",
        doc: "Whether who asks pays for it.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "unsigned_payload",
        values: Values::YesNo,
        default: "no",
        doc: "Whether what is sent is not part of what is signed, which saves its hash.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "conditional_put",
        values: Values::Choice(&["etag", "disabled"]),
        default: "etag",
        doc: "Whether writes depend on the ETag of what is there. disabled: for a server that cannot; then only whole chunks are written.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "server_side_encryption",
        values: Values::Text,
        default: "",
        doc: "How the service encrypts what it keeps: AES256, aws:kms, aws:kms:dsse or sse-c.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "sse_kms_key_id",
        values: Values::Text,
        default: "",
        doc: "The key of the service's with which it does so.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "sse_customer_key_base64",
        values: Values::Secret,
        default: "",
        doc: "The key of one's own for sse-c.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "service_account",
        values: Values::Text,
        default: "",
        doc: "A file with the key of a service account.",
        stores: GCS,
        apply: kept,
    },
    Description {
        name: "service_account_key",
        values: Values::Secret,
        default: "",
        doc: "The text of such a file.",
        stores: GCS,
        apply: kept,
    },
    Description {
        name: "application_credentials",
        values: Values::Text,
        default: "",
        doc: "A file with credentials as gcloud writes it; none: as GOOGLE_APPLICATION_CREDENTIALS says, or gcloud's own.",
        stores: GCS,
        apply: kept,
    },
    Description {
        name: "account_name",
        values: Values::Text,
        default: "",
        doc: "The account that the container is in.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "account_key",
        values: Values::Secret,
        default: "",
        doc: "The key of the account.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "sas_token",
        values: Values::Secret,
        default: "",
        doc: "A shared access signature: what stands behind the question mark of a URL.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "connection_string",
        values: Values::Secret,
        default: "",
        doc: "The account, its key or signature, and its endpoint in one, as the portal shows it.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "client_id",
        values: Values::Text,
        default: "",
        doc: "The application that asks.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "client_secret",
        values: Values::Secret,
        default: "",
        doc: "Its secret.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "tenant_id",
        values: Values::Text,
        default: "",
        doc: "The directory that it is in.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "use_emulator",
        values: Values::YesNo,
        default: "no",
        doc: "Whether the service is Azurite, at http://127.0.0.1:10000 if endpoint says nothing else.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "username",
        values: Values::Text,
        default: "",
        doc: "Who asks, where the URL does not say it.",
        stores: &["redis", "rediss", "redis+unix", "mongodb"],
        apply: kept,
    },
    Description {
        name: "password",
        values: Values::Secret,
        default: "",
        doc: "The password that goes with it.",
        stores: &["redis", "rediss", "redis+unix", "mongodb"],
        apply: kept,
    },
    Description {
        name: "prefix",
        values: Values::Text,
        default: "zarr",
        doc: "What the server's keys begin with, before a colon.",
        stores: &["redis", "rediss", "redis+unix"],
        apply: kept,
    },
    Description {
        name: "database",
        values: Values::Text,
        default: "mongodb_zarr",
        doc: "The database, where the URL does not name one.",
        stores: &["mongodb"],
        apply: kept,
    },
    Description {
        name: "collection",
        values: Values::Text,
        default: "zarr_collection",
        doc: "The collection, where the URL does not name one.",
        stores: &["mongodb"],
        apply: kept,
    },
];

/// Other names of options, as object_store and fsspec call them.
pub static ALIASES: &[(&str, &str)] = &[
    ("ca_bundle", "ca_file"),
    ("proxy", "proxy_url"),
    ("request_timeout", "timeout"),
    ("region_name", "region"),
    ("default_region", "region"),
    ("aws_region", "region"),
    ("endpoint_url", "endpoint"),
    ("base_url", "endpoint"),
    ("key", "access_key_id"),
    ("aws_access_key_id", "access_key_id"),
    ("secret", "secret_access_key"),
    ("aws_secret_access_key", "secret_access_key"),
    ("aws_session_token", "session_token"),
    ("anon", "anonymous"),
    ("skip_signature", "anonymous"),
    ("aws_profile", "profile"),
    ("requester_pays", "request_payer"),
    ("service_account_path", "service_account"),
    ("google_service_account", "service_account"),
    ("google_service_account_key", "service_account_key"),
    ("google_application_credentials", "application_credentials"),
    ("azure_storage_account_name", "account_name"),
    ("access_key", "account_key"),
    ("azure_storage_account_key", "account_key"),
    ("sas_key", "sas_token"),
    ("azure_storage_sas_token", "sas_token"),
    ("azure_storage_connection_string", "connection_string"),
    ("azure_client_id", "client_id"),
    ("azure_client_secret", "client_secret"),
    ("authority_id", "tenant_id"),
    ("azure_tenant_id", "tenant_id"),
];

/// The schemes of the stores across a network.
const REMOTE: &[&str] = &[
    "http",
    "https",
    "s3",
    "gs",
    "gcs",
    "az",
    "abfs",
    "abfss",
    "redis",
    "rediss",
    "redis+unix",
    "mongodb",
];

const S3: &[&str] = &["s3"];
const GCS: &[&str] = &["gs", "gcs"];
const AZURE: &[&str] = &["az", "abfs", "abfss"];
const BEARER: &[&str] = &["http", "https", "gs", "gcs", "az", "abfs", "abfss"];

/// Those of the clouds.
const CLOUD: &[&str] = &["s3", "gs", "gcs", "az", "abfs", "abfss"];

/// Those of them that speak HTTP.
const WEB: &[&str] = &["http", "https", "s3", "gs", "gcs", "az", "abfs", "abfss"];

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Options") // some of them are secrets
    }
}

impl Default for Options {
    fn default() -> Self {
        static DEFAULT: LazyLock<Options> = LazyLock::new(Options::from_table);
        DEFAULT.clone()
    }
}

impl Options {
    /// Each as the table says.
    fn from_table() -> Self {
        let mut options = Options {
            threads: 0,
            follow_symlinks: false,
            sync: false,
            consolidated: None,
            write_empty_chunks: false,
            chunk_cache: 0,
            write_buffer: 0,
            given: BTreeMap::new(),
            format: 0,
            data_type_fallback: true,
            v1_writer_order: false,
            ignore_checksums: false,
            unknown_codecs: false,
        };
        for option in OPTIONS {
            // The table is tested to accept its own defaults.
            if let Some(value) = option.values.parse(option.default) {
                (option.apply)(&mut options, value);
            }
        }
        options
    }

    /// Sets one option. [`Kind::InvalidArgument`](crate::error::Kind::InvalidArgument): there is
    /// none of that name, or it cannot be set to `value`.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let known = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
        let option = OPTIONS.iter().find(|o| o.name == known).ok_or_else(|| {
            let names =
                OPTIONS.iter().map(|o| o.name).chain(ALIASES.iter().map(|(alias, _)| *alias));
            let hint = nearest(name, names);
            Error::invalid(format!("there is no option {name:?}: did you mean {hint:?}?"))
        })?;
        let number = option.values.parse(value).ok_or_else(|| {
            let allowed = option.values.describe();
            Error::invalid(format!("option {name} cannot be {value:?}: it takes {allowed}"))
        })?;
        (option.apply)(self, number);
        if !option.stores.is_empty() {
            self.given.insert(option.name, value.to_owned());
        }
        Ok(())
    }

    /// An option that only some stores know, as it was set; `None`: it was not.
    pub fn text(&self, name: &str) -> Option<&str> {
        debug_assert!(OPTIONS.iter().any(|o| o.name == name && !o.stores.is_empty()), "{name}");
        self.given.get(name).map(String::as_str)
    }

    /// The number that such an option stands for, its default where it was not set; `None`: its
    /// default is no value that it takes.
    pub fn number(&self, name: &str) -> Option<u64> {
        let option = OPTIONS.iter().find(|o| o.name == name)?;
        option.values.parse(self.text(name).unwrap_or(option.default))
    }

    /// Whether such an option is `yes`.
    pub fn is(&self, name: &str) -> bool {
        self.number(name) == Some(1)
    }

    /// A time that such an option says.
    pub fn time(&self, name: &str) -> Option<Duration> {
        self.number(name).map(Duration::from_millis)
    }

    /// How many requests a store across a network has under way at once.
    pub fn concurrency(&self) -> usize {
        self.number("concurrency").unwrap_or(1) as usize
    }

    /// How many threads work on one call; 0: as many as are worth it.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Whether symbolic links below the root are followed.
    pub fn follow_symlinks(&self) -> bool {
        self.follow_symlinks
    }

    /// Whether a write waits for the disk.
    pub fn sync(&self) -> bool {
        self.sync
    }

    /// Whether consolidated metadata is used; `None`: where there is some.
    pub fn consolidated(&self) -> Option<bool> {
        self.consolidated
    }

    /// Bytes that may hold what was decoded.
    pub fn chunk_cache(&self) -> usize {
        self.chunk_cache
    }

    /// Bytes of chunks that an array may gather before it writes them.
    pub fn write_buffer(&self) -> usize {
        self.write_buffer
    }

    /// The `zarrc_format` that nodes are to have; 0: any.
    pub fn format(&self) -> i32 {
        self.format as i32
    }

    /// Whether data types that are not known may be read as others.
    pub fn data_type_fallback(&self) -> bool {
        self.data_type_fallback
    }

    /// Whether v1 arrays are laid out as zarr-python 1 did.
    pub fn v1_writer_order(&self) -> bool {
        self.v1_writer_order
    }

    /// Whether wrong checksums are passed over.
    pub fn ignore_checksums(&self) -> bool {
        self.ignore_checksums
    }

    /// Whether arrays of unknown codecs are opened for their metadata.
    pub fn unknown_codecs(&self) -> bool {
        self.unknown_codecs
    }

    /// Whether chunks of nothing but the fill value are stored.
    pub fn write_empty_chunks(&self) -> bool {
        self.write_empty_chunks
    }
}

impl Values {
    /// The number that a value stands for; `None`: it is none of them.
    pub fn parse(self, value: &str) -> Option<u64> {
        let is = |word: &str| value.eq_ignore_ascii_case(word);
        match self {
            Values::AutoYesNo if is("auto") => Some(2),
            Values::YesNo | Values::AutoYesNo if is("yes") || is("true") || is("1") => Some(1),
            Values::YesNo | Values::AutoYesNo if is("no") || is("false") || is("0") => Some(0),
            Values::YesNo | Values::AutoYesNo => None,
            Values::AutoCount(_) if is("auto") => Some(0),
            Values::Choice(words) => words.iter().position(|w| is(w)).map(|n| n as u64),
            Values::AutoCount(max) | Values::UpTo(max) => value.parse().ok().filter(|n| *n <= max),
            Values::Bytes => {
                let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)];
                let unit =
                    units.iter().find_map(|(u, shift)| Some((value.strip_suffix(u)?, *shift)));
                let (number, shift) = unit.unwrap_or((value, 0));
                number.trim_end().parse::<u64>().ok()?.checked_mul(1 << shift)
            }
            Values::Count(max) => value.parse().ok().filter(|n| (1..=max).contains(n)),
            Values::Seconds => {
                let (number, unit) = match value.strip_suffix("ms") {
                    Some(number) => (number, 1.0),
                    None => (value.strip_suffix('s').unwrap_or(value), 1000.0),
                };
                let millis = number.trim_end().parse::<f64>().ok()? * unit;
                (0.0..=1e12).contains(&millis).then_some(millis as u64)
            }
            Values::Text | Values::Secret => Some(0),
        }
    }

    /// The values in words.
    pub fn describe(self) -> String {
        match self {
            Values::YesNo => "yes or no".into(),
            Values::AutoYesNo => "auto, yes or no".into(),
            Values::AutoCount(max) => format!("auto or a number up to {max}"),
            Values::Bytes => "a number of bytes, as 1048576 or 32MiB".into(),
            Values::Count(max) => format!("a number from 1 to {max}"),
            Values::UpTo(max) => format!("a number up to {max}"),
            Values::Seconds => "seconds, as 30, 0.5 or 250ms".into(),
            Values::Text => "text".into(),
            Values::Secret => "text, never shown".into(),
            Values::Choice(words) => match words.split_last() {
                Some((last, others)) => format!("{} or {last}", others.join(", ")),
                None => "nothing".into(),
            },
        }
    }
}

/// The one of `known` that `name` was most likely meant to be.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    known.min_by_key(|k| distance(name, k)).unwrap_or_default()
}

/// How many characters must be put in, taken out or replaced to turn one word into the other.
fn distance(a: &str, b: &str) -> usize {
    // A name from outside may be long; what goes beyond any real name differs anyway.
    let a = || a.chars().take(64);
    let mut row: Vec<usize> = (0..=a().count()).collect();
    for (j, cb) in b.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], j + 1);
        for (i, ca) in a().enumerate() {
            let replaced = diagonal + usize::from(ca != cb);
            diagonal = row[i + 1];
            row[i + 1] = replaced.min(row[i] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn the_table_accepts_its_defaults_and_documents_itself() {
        for option in OPTIONS {
            assert!(option.values.parse(option.default).is_some(), "{}", option.name);
            assert!(option.doc.ends_with('.') && !option.doc.contains("  "), "{}", option.name);
            let known = |store: &&str| super::super::SCHEMES.iter().any(|s| s.name == *store);
            assert!(option.stores.iter().all(known), "{}", option.name);
        }
        for (i, (alias, name)) in ALIASES.iter().enumerate() {
            assert!(OPTIONS.iter().any(|o| o.name == *name && !o.stores.is_empty()), "{alias}");
            assert!(OPTIONS.iter().all(|o| o.name != *alias), "{alias} is an option");
            assert!(ALIASES[..i].iter().all(|(other, _)| other != alias), "{alias} twice");
        }
        let o = Options::default();
        assert_eq!((o.threads(), o.follow_symlinks(), o.sync()), (0, true, false));
        assert_eq!((o.consolidated(), o.write_empty_chunks()), (None, false));
    }

    #[test]
    fn values_are_read_and_kept() {
        let mut o = Options::default();
        for (name, value) in [
            ("threads", "7"),
            ("follow_symlinks", "0"),
            ("sync", "True"),
            ("consolidated", "no"),
            ("write_empty_chunks", "yes"),
        ] {
            o.set(name, value).unwrap();
        }
        assert_eq!((o.threads(), o.follow_symlinks(), o.sync()), (7, false, true));
        assert_eq!((o.format(), o.data_type_fallback(), o.v1_writer_order()), (0, true, false));
        for (n, word) in FORMATS.iter().enumerate() {
            o.set("format", &word.to_uppercase()).unwrap();
            assert_eq!(o.format(), n as i32);
        }
        o.set("format", "auto").unwrap();
        assert_eq!((o.consolidated(), o.write_empty_chunks()), (Some(false), true));
        for (value, bytes) in [("0", 0), ("7", 7), ("3KiB", 3072), ("64 MiB", 64 << 20)] {
            o.set("chunk_cache", value).unwrap();
            assert_eq!(o.chunk_cache(), bytes);
        }
        o.set("consolidated", "yes").unwrap();
        assert_eq!(o.consolidated(), Some(true));
        o.set("consolidated", "auto").unwrap();
        assert_eq!(o.consolidated(), None);
        o.set("threads", "auto").unwrap();
        assert_eq!(o.threads(), 0);
    }

    #[test]
    fn mistakes_are_named() {
        let mut o = Options::default();
        for (name, value, words) in [
            ("thread", "1", "\"threads\""),
            ("follow-symlink", "yes", "\"follow_symlinks\""),
            ("Sync", "yes", "\"sync\""),
            ("", "", "there is no option"),
            ("threads", "-1", "auto or a number up to 4096"),
            ("threads", "4097", "auto or a number up to 4096"),
            ("threads", "99999999999999999999", "auto or a number"),
            ("chunk_cache", "-1", "a number of bytes"),
            ("chunk_cache", "99999999999GiB", "a number of bytes"),
            ("sync", "auto", "yes or no"),
            ("format", "v4", "auto, v1, v2, v3, n5, v3-2019, v3-2020 or v3-2022"),
            ("sync", "", "yes or no"),
            ("consolidated", "2", "auto, yes or no"),
        ] {
            let e = o.set(name, value).unwrap_err();
            assert_eq!(e.kind(), Kind::InvalidArgument);
            assert!(e.to_string().contains(words), "{e}");
        }
        assert_eq!(o, Options::default());
    }

    #[test]
    fn distance_counts_single_changes() {
        for (a, b, expected) in
            [("", "", 0), ("", "ab", 2), ("kitten", "sitting", 3), ("flaw", "lawn", 2)]
        {
            assert_eq!(distance(a, b), expected);
            assert_eq!(distance(b, a), expected);
        }
    }
}
