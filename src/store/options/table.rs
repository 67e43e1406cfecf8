//! The table of options, with their values and effects, and of aliases.

use super::{Description, Values, kept};

/// The formats by the numbers of `zarrc_format`; `auto` detects the format.
pub(super) const FORMATS: &[&str] =
    &["auto", "v1", "v2", "v3", "n5", "v3-2019", "v3-2020", "v3-2022"];

/// All options.
pub static OPTIONS: &[Description] = &[
    Description {
        name: "threads",
        values: Values::AutoCount(4096),
        default: "auto",
        doc: "Number of threads of a call that decode and encode. auto: the number of cores; 1: the \
              calling thread alone. The option concurrency limits the requests in flight on a \
              remote store.",
        stores: &[],
        apply: |o, v| o.threads = v as usize,
    },
    Description {
        name: "follow_symlinks",
        values: Values::YesNo,
        default: "yes",
        doc: "Follow symbolic links below the root of a directory store. no: a symbolic link is an \
              error. Deleting never follows them.",
        stores: &[],
        apply: |o, v| o.follow_symlinks = v != 0,
    },
    Description {
        name: "sync",
        values: Values::YesNo,
        default: "no",
        doc: "Return from a write only after the disk holds it, so that it survives a loss of \
              power. no: it survives the end of the process, but may not survive that of the \
              machine.",
        stores: &[],
        apply: |o, v| o.sync = v != 0,
    },
    Description {
        name: "consolidated",
        values: Values::AutoYesNo,
        default: "auto",
        doc: "Read metadata from the consolidated document. auto: if there is one; yes: fail if \
              there is none; no: never.",
        stores: &[],
        apply: |o, v| o.consolidated = [Some(false), Some(true)].get(v as usize).copied().flatten(),
    },
    Description {
        name: "consolidate",
        values: Values::Choice(&["update", "close", "refuse"]),
        default: "update",
        doc: "What to do with consolidated metadata when a metadata document in it is written or \
              deleted. update: write it again with each change; close: write that of the root, \
              even if there was none, when the store is closed (it is stale until then); refuse: \
              fail.",
        stores: &[],
        apply: |o, v| o.consolidate = v as usize,
    },
    Description {
        name: "write_empty_chunks",
        values: Values::YesNo,
        default: "no",
        doc: "Store chunks in which every element is the fill value. no: erase them instead.",
        stores: &[],
        apply: |o, v| o.write_empty_chunks = v != 0,
    },
    Description {
        name: "chunk_cache",
        values: Values::AutoBytes,
        default: "auto",
        doc: "Memory for decoded chunks and shard indexes, to speed up later partial reads. Before \
              each use zarrc checks that the stored chunk is unchanged. On a remote store, calls \
              that overlap check once, for at most one second, and see everything that this \
              process wrote before they began. auto: 32MiB, on a remote store 64MiB; 0: no cache.",
        stores: &[],
        apply: |o, v| {
            let bytes = || usize::try_from(v).unwrap_or(usize::MAX);
            o.chunk_cache = (v != u64::MAX).then(bytes);
        },
    },
    Description {
        name: "overwrite",
        values: Values::Choice(&["atomic", "in_place"]),
        default: "atomic",
        doc: "How uncompressed chunks are written. atomic: a new file replaces the old one, so a \
              reader sees the old chunk or the new one, also after a kill. in_place: into the file \
              as it is, only the bytes that change, and new chunks straight into a new file. That \
              is much faster for small parts, and gives up: a reader may see a chunk of which only \
              some elements are new; a process that is killed leaves such a chunk, or a new one cut \
              short, which reads as corrupt until it is written whole. Parts of one chunk may \
              still be written by several processes. With a write_buffer that holds a chunk, others \
              see a larger shape once the array stores a chunk, is flushed or is closed, and \
              errors of storing it appear then. Documents, compressed chunks and shards, and \
              files with several names or behind symbolic links are replaced as before.",
        stores: &["file"],
        apply: |o, v| o.in_place = v != 0,
    },
    Description {
        name: "write_buffer",
        values: Values::Bytes,
        default: "0",
        doc: "Memory that an array may use to collect partial writes of a chunk until it is full \
              and written once. A flush, a close or a read of the chunk writes it too. Data in the \
              buffer is lost if the process ends without them; after a fork, the parent writes it. \
              0: every write is in the store when it returns.",
        stores: &[],
        apply: |o, v| o.write_buffer = usize::try_from(v).unwrap_or(usize::MAX),
    },
    Description {
        name: "queue_bytes",
        values: Values::Bytes,
        default: "256MiB",
        doc: "Memory that all unfinished requests of a store may read into or write from together. \
              A single request may exceed it.",
        stores: &[],
        apply: |o, v| o.queue_bytes = v,
    },
    Description {
        name: "queue_full",
        values: Values::Choice(&["wait", "fail"]),
        default: "wait",
        doc: "What starting a request beyond queue_bytes does. wait: waits for room; fail: returns \
              ZARRC_LIMIT_EXCEEDED.",
        stores: &[],
        apply: |o, v| o.queue_waits = v == 0,
    },
    Description {
        name: "queue_copy",
        values: Values::YesNo,
        default: "no",
        doc: "Copy the memory of a write request when it is started. no: the memory must stay \
              untouched until the request is done.",
        stores: &[],
        apply: |o, v| o.queue_copy = v != 0,
    },
    Description {
        name: "concurrency",
        values: Values::Count(1024),
        default: "64",
        doc: "Number of requests that a call keeps in flight on a remote store, and of started \
              calls (zarrc_request) that run at once. Requests to the store run on its own \
              threads; the chunks are decoded in the order in which they arrive. Raise it if \
              requests take long and the network is fast.",
        stores: REMOTE,
        apply: kept,
    },
    Description {
        name: "memory_limit",
        values: Values::Bytes,
        default: "256MiB",
        doc: "Encoded bytes that a call may hold at once: fetched and not yet decoded, or encoded and \
              not yet stored. A single chunk may exceed it. The elements themselves and the option \
              chunk_cache are not counted. On a remote store, started calls run at once as long \
              as the elements of all are no more than this.",
        stores: &[],
        apply: |o, v| o.memory_limit = v,
    },
    Description {
        name: "format",
        values: Values::Choice(FORMATS),
        default: "auto",
        doc: "Format of the nodes to open and create. auto: detected from the root of the store; \
              if it has both v3 and v2, v3 is used.",
        stores: &[],
        apply: |o, v| o.format = v as usize,
    },
    Description {
        name: "data_type_fallback",
        values: Values::YesNo,
        default: "yes",
        doc: "Read an array of an unknown data type as the fallback type that its metadata names \
              (drafts of Zarr v3). no: fail.",
        stores: &[],
        apply: |o, v| o.data_type_fallback = v != 0,
    },
    Description {
        name: "v1_writer_order",
        values: Values::YesNo,
        default: "no",
        doc: "Read and write Zarr v1 arrays of order F as zarr-python 1 did, which used that order \
              only with Blosc, and C order otherwise. no: follow the specification.",
        stores: &[],
        apply: |o, v| o.v1_writer_order = v != 0,
    },
    Description {
        name: "max_document_size",
        values: Values::Bytes,
        default: "64MiB",
        doc: "Size limit of a metadata document. A larger one is an error.",
        stores: &[],
        apply: |o, v| o.max_document_size = v,
    },
    Description {
        name: "max_inflated_size",
        values: Values::Bytes,
        default: "64MiB",
        doc: "Size limit of a compressed entry of a zip file that cannot be decompressed straight \
              into the caller's memory. A larger one is an error.",
        stores: &["zip"],
        apply: kept,
    },
    Description {
        name: "synchronizer",
        values: Values::Text,
        default: "",
        doc: "Directory of the ProcessSynchronizer of writers with zarr-python 2 that share the \
              store (Zarr v2 and v1): each write of a key holds their lock file, PATH/<key>.",
        stores: &["file"],
        apply: kept,
    },
    Description {
        name: "cache_storage",
        values: Values::Text,
        default: "",
        doc: "Directory in which simplecache: keeps its copies between uses. Default: a temporary \
              directory, deleted with the store.",
        stores: &["simplecache"],
        apply: kept,
    },
    Description {
        name: "branch",
        values: Values::Text,
        default: "main",
        doc: "Branch of an Icechunk repository to read or write, if the URL names none.",
        stores: &["icechunk"],
        apply: kept,
    },
    Description {
        name: "tag",
        values: Values::Text,
        default: "",
        doc: "Tag of an Icechunk repository to read instead of a branch.",
        stores: &["icechunk"],
        apply: kept,
    },
    Description {
        name: "snapshot",
        values: Values::Text,
        default: "",
        doc: "Snapshot of an Icechunk repository to read instead of a branch.",
        stores: &["icechunk"],
        apply: kept,
    },
    Description {
        name: "commit_message",
        values: Values::Text,
        default: "Written by zarrc",
        doc: "Message of commits to an Icechunk repository.",
        stores: &["icechunk"],
        apply: kept,
    },
    Description {
        name: "commit_author",
        values: Values::Text,
        default: "",
        doc: "Author of commits to an Icechunk repository: their property author_name.",
        stores: &["icechunk"],
        apply: kept,
    },
    Description {
        name: "icechunk_format",
        values: Values::Choice(&["1", "2"]),
        default: "2",
        doc: "Format version of a new Icechunk repository. Icechunk before 2.0 reads only 1.",
        stores: &["icechunk"],
        apply: kept,
    },
    Description {
        name: "virtual_chunks",
        values: Values::Text,
        default: "",
        doc: "URL prefixes, separated by spaces, of other files in which references and Icechunk \
              repositories may have chunks: s3://bucket/archive/ https://host/ /data/. If set, \
              only files below them are read, with all options of the store. If not set, a \
              repository reads none; references read local files below their own directory, cloud \
              services, and web servers other than link-local ones, and send headers and \
              bearer_token only to the server that the references came from.",
        stores: &["icechunk", "reference", "kerchunk"],
        apply: kept,
    },
    Description {
        name: "map_size",
        values: Values::AutoBytes,
        default: "auto",
        doc: "Size limit of an LMDB environment. auto: 1024 GiB, or less where the process may not \
              have so many addresses (ulimit -v).",
        stores: &["lmdb"],
        apply: kept,
    },
    Description {
        name: "subdir",
        values: Values::YesNo,
        default: "yes",
        doc: "Create a new LMDB environment as a directory. no: as one file with a lock file \
              beside it.",
        stores: &["lmdb"],
        apply: kept,
    },
    Description {
        name: "ignore_checksums",
        values: Values::YesNo,
        default: "no",
        doc: "Read values even if their checksum is wrong: crc32c, crc32, adler32, fletcher32, \
              jenkins_lookup3, shard indexes, .xz streams and zstd frames. no: a wrong checksum is \
              an error.",
        stores: &[],
        apply: |o, v| o.ignore_checksums = v != 0,
    },
    Description {
        name: "mask_and_scale",
        values: Values::YesNo,
        default: "no",
        doc: "Apply the CF attributes scale_factor, add_offset, _FillValue and missing_value: \
              numeric arrays that have them become floats. Reads scale them and return NaN for \
              missing values; writes do the inverse and round to the nearest integer where \
              integers are stored. A value that the stored type cannot hold is \
              ZARRC_TYPE_MISMATCH. no: numbers as stored.",
        stores: &[],
        apply: |o, v| o.mask_and_scale = v != 0,
    },
    Description {
        name: "unknown_codecs",
        values: Values::YesNo,
        default: "no",
        doc: "Open an array whose codecs this build lacks, for its metadata and attributes only: \
              reading and writing elements fails. no: opening fails.",
        stores: &[],
        apply: |o, v| o.unknown_codecs = v != 0,
    },
    Description {
        name: "max_element_size",
        values: Values::Bytes,
        default: "64MiB",
        doc: "Size limit of an element. Opening or creating an array with larger elements fails \
              with ZARRC_LIMIT_EXCEEDED.",
        stores: &[],
        apply: |o, v| o.max_element_size = usize::try_from(v).unwrap_or(usize::MAX),
    },
    Description {
        name: "timeout",
        values: Values::Seconds,
        default: "60",
        doc: "Time limit of a request, retries included, and of waiting for another writer of an \
              SQLite database.",
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
        doc: "Additional headers for each request: a JSON object. They are not sent to another \
              host after a redirect.",
        stores: &["http", "https"],
        apply: kept,
    },
    Description {
        name: "bearer_token",
        values: Values::Secret,
        default: "",
        doc: "Token that is sent as Authorization: Bearer.",
        stores: BEARER,
        apply: kept,
    },
    Description {
        name: "connect_timeout",
        values: Values::Seconds,
        default: "10",
        doc: "Time limit for connecting to a server.",
        stores: REMOTE,
        apply: kept,
    },
    Description {
        name: "max_retries",
        values: Values::UpTo(1000),
        default: "10",
        doc: "Number of retries, with increasing delays, after a server is busy or fails or a \
              connection is lost.",
        stores: REMOTE,
        apply: kept,
    },
    Description {
        name: "proxy_url",
        values: Values::Secret,
        default: "",
        doc: "Proxy for requests: http://host:port. Default: the environment variables HTTP_PROXY, \
              HTTPS_PROXY, ALL_PROXY and NO_PROXY.",
        stores: WEB,
        apply: kept,
    },
    Description {
        name: "ca_file",
        values: Values::Text,
        default: "",
        doc: "File of certificates (PEM) to trust in addition to those of the system.",
        stores: REMOTE,
        apply: kept,
    },
    Description {
        name: "allow_http",
        values: Values::AutoYesNo,
        default: "auto",
        doc: "Allow connections without encryption. auto: if the URL or endpoint begins with \
              http://; yes: also for redirects to such a URL; no: never.",
        stores: WEB,
        apply: kept,
    },
    Description {
        name: "allow_invalid_certificates",
        values: Values::YesNo,
        default: "no",
        doc: "Accept any server certificate. Attackers on the network can then read and change \
              everything.",
        stores: REMOTE,
        apply: kept,
    },
    Description {
        name: "user_agent",
        values: Values::Text,
        default: "",
        doc: "User agent that servers see. Default: zarrc and its version.",
        stores: WEB,
        apply: kept,
    },
    Description {
        name: "region",
        values: Values::Text,
        default: "",
        doc: "Region of the bucket. Default: the one that the service reports.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "endpoint",
        values: Values::Text,
        default: "",
        doc: "URL of the service, if it is not the usual one: http://localhost:9000.",
        stores: CLOUD,
        apply: kept,
    },
    Description {
        name: "access_key_id",
        values: Values::Secret,
        default: "",
        doc: "Access key ID.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "secret_access_key",
        values: Values::Secret,
        default: "",
        doc: "Secret key that belongs to access_key_id.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "session_token",
        values: Values::Secret,
        default: "",
        doc: "Session token that belongs to a temporary access key.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "token",
        values: Values::Secret,
        default: "",
        doc: "Credentials. s3: as session_token; gs: an access token, the path or the text of a \
              credentials file, or anon; az: as bearer_token.",
        stores: CLOUD,
        apply: kept,
    },
    Description {
        name: "anonymous",
        values: Values::YesNo,
        default: "no",
        doc: "Send requests without credentials, for public data.",
        stores: CLOUD,
        apply: kept,
    },
    Description {
        name: "profile",
        values: Values::Text,
        default: "",
        doc: "Profile in ~/.aws/config and ~/.aws/credentials (or in the files that \
              AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE name). Default: AWS_PROFILE, else \
              default.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "virtual_hosted_style_request",
        values: Values::YesNo,
        default: "no",
        doc: "Put the bucket into the host name instead of the path.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "request_payer",
        values: Values::YesNo,
        default: "no",
        doc: "Pay for the requests to a requester-pays bucket.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "unsigned_payload",
        values: Values::AutoYesNo,
        default: "auto",
        doc: "Do not sign the body of requests, which saves hashing it. auto: if the connection is \
              encrypted.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "conditional_put",
        values: Values::Choice(&["etag", "disabled"]),
        default: "etag",
        doc: "How concurrent writers of a chunk are kept apart. etag: writes depend on the \
              object's ETag; disabled: for servers that do not support that; parts of chunks \
              cannot be written.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "server_side_encryption",
        values: Values::Text,
        default: "",
        doc: "Encryption by the service: AES256, aws:kms, aws:kms:dsse or sse-c.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "sse_kms_key_id",
        values: Values::Text,
        default: "",
        doc: "ID of the service's key for aws:kms and aws:kms:dsse.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "sse_customer_key_base64",
        values: Values::Secret,
        default: "",
        doc: "Customer key for sse-c, in Base64.",
        stores: S3,
        apply: kept,
    },
    Description {
        name: "service_account",
        values: Values::Text,
        default: "",
        doc: "Path of the key file of a service account.",
        stores: GCS,
        apply: kept,
    },
    Description {
        name: "service_account_key",
        values: Values::Secret,
        default: "",
        doc: "Text of such a key file.",
        stores: GCS,
        apply: kept,
    },
    Description {
        name: "application_credentials",
        values: Values::Text,
        default: "",
        doc: "Path of a credentials file written by gcloud. Default: \
              GOOGLE_APPLICATION_CREDENTIALS, else gcloud's own file.",
        stores: GCS,
        apply: kept,
    },
    Description {
        name: "account_name",
        values: Values::Text,
        default: "",
        doc: "Storage account of the container.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "account_key",
        values: Values::Secret,
        default: "",
        doc: "Key of the account.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "sas_token",
        values: Values::Secret,
        default: "",
        doc: "Shared access signature: the query part of a signed URL.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "connection_string",
        values: Values::Secret,
        default: "",
        doc: "Connection string as the portal shows it: account, key or signature, and endpoint.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "client_id",
        values: Values::Text,
        default: "",
        doc: "Client ID of the application.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "client_secret",
        values: Values::Secret,
        default: "",
        doc: "Client secret of the application.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "tenant_id",
        values: Values::Text,
        default: "",
        doc: "Tenant ID of the application's directory.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "use_emulator",
        values: Values::YesNo,
        default: "no",
        doc: "Use the Azurite emulator, at http://127.0.0.1:10000 unless endpoint is set.",
        stores: AZURE,
        apply: kept,
    },
    Description {
        name: "username",
        values: Values::Text,
        default: "",
        doc: "User name, if the URL has none.",
        stores: &["redis", "rediss", "redis+unix", "mongodb"],
        apply: kept,
    },
    Description {
        name: "password",
        values: Values::Secret,
        default: "",
        doc: "Password of the user.",
        stores: &["redis", "rediss", "redis+unix", "mongodb"],
        apply: kept,
    },
    Description {
        name: "prefix",
        values: Values::Text,
        default: "zarr",
        doc: "Prefix of the server's keys, before a colon.",
        stores: &["redis", "rediss", "redis+unix"],
        apply: kept,
    },
    Description {
        name: "database",
        values: Values::Text,
        default: "mongodb_zarr",
        doc: "Database, if the URL names none.",
        stores: &["mongodb"],
        apply: kept,
    },
    Description {
        name: "collection",
        values: Values::Text,
        default: "zarr_collection",
        doc: "Collection, if the URL names none.",
        stores: &["mongodb"],
        apply: kept,
    },
];

/// Aliases of options, from object_store and fsspec.
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

/// The schemes of network stores.
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

/// The schemes of cloud stores.
const CLOUD: &[&str] = &["s3", "gs", "gcs", "az", "abfs", "abfss"];

/// The network schemes that use HTTP.
const WEB: &[&str] = &["http", "https", "s3", "gs", "gcs", "az", "abfs", "abfss"];
