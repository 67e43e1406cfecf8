//! The table: every option, what it takes and what it does, and other names of some.

use super::{Description, Values, kept};

/// The formats by the numbers of `zarrc_format`, and `auto` for the one that is found.
pub(super) const FORMATS: &[&str] =
    &["auto", "v1", "v2", "v3", "n5", "v3-2019", "v3-2020", "v3-2022"];

/// Every option there is.
pub static OPTIONS: &[Description] = &[
    Description {
        name: "threads",
        values: Values::AutoCount(4096),
        default: "auto",
        doc: "How many threads of a call decode and encode. auto: as many as there are cores; 1: the \
              calling thread alone. How many requests are under way on a store across a network \
              says the option concurrency.",
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
        name: "consolidate",
        values: Values::Choice(&["update", "close", "refuse"]),
        default: "update",
        doc: "What happens to consolidated metadata when a metadata document that it holds is \
              written or deleted. update: it is changed at once, at the cost of writing it again \
              with each change; close: that of the root is written, even if there was none, when \
              the store is closed, and is stale until then; refuse: the change is an error.",
        stores: &[],
        apply: |o, v| o.consolidate = v as usize,
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
              the same; calls that overlap on a store across a network ask once, for one second at \
              most, and see all that this process wrote before they began. 0: none.",
        stores: &[],
        apply: |o, v| o.chunk_cache = usize::try_from(v).unwrap_or(usize::MAX),
    },
    Description {
        name: "write_buffer",
        values: Values::Bytes,
        default: "0",
        doc: "How much memory an array may use to gather partial writes of a chunk until it is \
              full and written once. A flush, a close or a read of the chunk writes it too; what \
              is gathered when the process ends without them is lost; what is gathered when it \
              forks is written by the parent. 0: every write is in the store when it returns.",
        stores: &[],
        apply: |o, v| o.write_buffer = usize::try_from(v).unwrap_or(usize::MAX),
    },
    Description {
        name: "queue_bytes",
        values: Values::Bytes,
        default: "256MiB",
        doc: "How much memory the requests of a store that are not done may read into or write \
              from together. One request alone may exceed it.",
        stores: &[],
        apply: |o, v| o.queue_bytes = v,
    },
    Description {
        name: "queue_full",
        values: Values::Choice(&["wait", "fail"]),
        default: "wait",
        doc: "What starting a request past queue_bytes does. wait: it returns once there is room; \
              fail: it returns ZARRC_LIMIT_EXCEEDED at once.",
        stores: &[],
        apply: |o, v| o.queue_waits = v == 0,
    },
    Description {
        name: "queue_copy",
        values: Values::YesNo,
        default: "no",
        doc: "Whether a write request copies its memory when it is started. \
              no: the memory must stay untouched until the request is done.",
        stores: &[],
        apply: |o, v| o.queue_copy = v != 0,
    },
    Description {
        name: "concurrency",
        values: Values::Count(1024),
        default: "64",
        doc: "How many requests a call has under way at once on a store across a network. They run \
              on threads of the store's own; what they bring is decoded in the order in which it \
              arrives. More helps where a request takes long and the network is fast.",
        stores: REMOTE,
        apply: kept,
    },
    Description {
        name: "memory_limit",
        values: Values::Bytes,
        default: "256MiB",
        doc: "How many encoded bytes a call may hold at once: fetched and not yet decoded, or encoded \
              and not yet stored. One chunk alone may exceed it. The memory of the elements \
              themselves and the option chunk_cache are not counted.",
        stores: &[],
        apply: |o, v| o.memory_limit = v,
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
        name: "max_document_size",
        values: Values::Bytes,
        default: "64MiB",
        doc: "The largest metadata document that is read; a larger one is an error.",
        stores: &[],
        apply: |o, v| o.max_document_size = v,
    },
    Description {
        name: "max_inflated_size",
        values: Values::Bytes,
        default: "64MiB",
        doc: "The most memory that is filled from one compressed entry of a zip file, where its \
              value is not decompressed straight into the caller's memory. A larger one is an \
              error.",
        stores: &["zip"],
        apply: kept,
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
        doc: "The URLs, separated by spaces, below which references and Icechunk repositories may \
              have chunks in files elsewhere, as s3://bucket/archive/ https://host/ /data/. Set: only \
              what lies there is read, with all the options that are set. Not set: a repository reads \
              none; references read files of this machine below their own directory, the services of \
              clouds, and web servers other than link-local ones, to which headers and bearer_token \
              go only if it is the server that the references came from.",
        stores: &["icechunk", "reference", "kerchunk"],
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
        name: "mask_and_scale",
        values: Values::YesNo,
        default: "no",
        doc: "Whether arrays of numbers with CF's attributes scale_factor, add_offset, _FillValue or \
              missing_value are floats: read scaled and with NaN where they are missing, written \
              the other way round, rounded to the nearest where integers are stored. A value that \
              the stored type cannot hold is ZARRC_TYPE_MISMATCH. no: numbers are as stored.",
        stores: &[],
        apply: |o, v| o.mask_and_scale = v != 0,
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
        name: "max_element_size",
        values: Values::Bytes,
        default: "64MiB",
        doc: "How many bytes an element may have. An array whose metadata names a type with larger \
              elements is not opened or created: LIMIT_EXCEEDED.",
        stores: &[],
        apply: |o, v| o.max_element_size = usize::try_from(v).unwrap_or(usize::MAX),
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
        values: Values::AutoYesNo,
        default: "auto",
        doc: "Whether what is sent is not part of what is signed, which saves its hash. auto: where \
              the connection is encrypted.",
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
