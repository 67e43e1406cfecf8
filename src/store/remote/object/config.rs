//! Settings that the services have in common.

use crate::error::{Error, Result};
use crate::store::remote::network::Settings;
use url::Url;

/// The environment variables whose names start with `prefix`, in lower case.
pub fn environment(prefix: &str) -> Vec<(String, String)> {
    let of = |text: std::ffi::OsString| text.into_string().ok();
    std::env::vars_os()
        .filter_map(|(name, value)| Some((of(name)?, of(value)?)))
        .filter(|(name, _)| name.starts_with(prefix))
        .map(|(name, value)| (name.to_ascii_lowercase(), value))
        .collect()
}

/// Whether object_store would parse a setting as true.
#[cfg(any(feature = "azure", feature = "s3"))]
pub fn means_yes(value: &str) -> bool {
    ["true", "1", "yes", "on", "y"].iter().any(|yes| value.eq_ignore_ascii_case(yes))
}

/// Checks a custom endpoint.
pub fn check_endpoint(endpoint: &str, settings: &Settings) -> Result<()> {
    let url = Url::parse(endpoint).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.host().is_some()
    });
    let url = url.ok_or_else(|| {
        Error::invalid("the endpoint is no URL as http://localhost:9000 or https://host is one")
    })?;
    settings.check_encryption(&url)
}

/// The error of options that object_store rejects. It does not repeat their values.
pub fn refused(e: object_store::Error) -> Error {
    // a parser's error quotes the text it rejects
    let words = match e.to_string() {
        words if words.contains("decode") || words.contains("deserial") => {
            "the credentials cannot be read: is it the right file?".to_owned()
        }
        words => words,
    };
    Error::invalid(words)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::store::Options;

    #[test]
    fn an_endpoint_is_a_url_without_credentials() {
        let settings = Settings::new(&Options::default());
        for endpoint in ["http://localhost:9000", "https://s3.example.org/path"] {
            check_endpoint(endpoint, &settings).unwrap();
        }
        for endpoint in ["localhost:9000", "ftp://a", "https://me:secret@a", "http://", ""] {
            let e = check_endpoint(endpoint, &settings).unwrap_err();
            assert!(!e.to_string().contains("secret"), "{e}");
        }
    }
}
