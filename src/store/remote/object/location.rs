//! The location of a store: a bucket and a prefix in it.

use crate::error::{Error, Result};
use crate::store::Key;

/// A location `//BUCKET/PATH`, or `//BUCKET@HOST/PATH` in Azure's long form.
pub struct Location {
    pub bucket: String,
    /// The host after an `@`, which then follows the bucket.
    pub host: Option<String>,
    /// Empty, or ends in `/`.
    pub prefix: String,
}

impl Location {
    /// Parses what follows a scheme. The path is taken literally.
    pub fn parse(scheme: &str, rest: &str) -> Result<Location> {
        let wrong = |why: &str| {
            Error::invalid(format!("{scheme}: a URL is written {scheme}://BUCKET/PATH; {why}"))
        };
        let address = rest.strip_prefix("//").ok_or_else(|| wrong("there is no //"))?;
        if address.contains('?') {
            return Err(wrong("what others write behind a question mark is given as options"));
        }
        let (host, path) = address.split_once('/').unwrap_or((address, ""));
        let (bucket, host) = match host.rsplit_once('@') {
            Some((bucket, host)) => (bucket, Some(host.to_owned())),
            None => (host, None),
        };
        let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '$');
        if bucket.is_empty() || !bucket.chars().all(named) {
            // it may be a key and a secret
            return Err(wrong("the name of the bucket is missing or has characters that none has"));
        }
        let path = path.strip_suffix('/').unwrap_or(path);
        let prefix = match path {
            "" => String::new(),
            path => format!("{}/", Key::parse(path)?.as_str()),
        };
        Ok(Location { bucket: bucket.to_owned(), host, prefix })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn urls_are_buckets_and_prefixes() {
        for (rest, bucket, host, prefix) in [
            ("//bucket", "bucket", None, ""),
            ("//bucket/", "bucket", None, ""),
            ("//b.u-c/a b%20+ü/x.zarr/", "b.u-c", None, "a b%20+ü/x.zarr/"),
            ("//c@a.dfs.core.windows.net/x", "c", Some("a.dfs.core.windows.net"), "x/"),
        ] {
            let place = Location::parse("s3", rest).unwrap();
            let found = (&place.bucket[..], place.host.as_deref(), &place.prefix[..]);
            assert_eq!(found, (bucket, host, prefix));
        }
        for rest in [
            "",
            "bucket/x",
            "//",
            "///x",
            "//b/a//c",
            "//b/../c",
            "//b?sig=secret",
            "//k:secret@b/x",
        ] {
            let e = Location::parse("s3", rest).err().unwrap();
            assert_eq!(e.kind(), Kind::InvalidArgument, "{rest}");
            assert!(!e.to_string().contains("secret"), "{e}");
        }
    }
}
