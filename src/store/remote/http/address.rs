//! Addresses of values on a web server: parses the base URL and makes the URLs of keys below it.

use crate::error::{Error, Result};
use crate::store::url::percent_encoded;
use url::Url;

/// The parsed URL of a store.
pub struct Address {
    /// The URL without user, query and trailing slash.
    base: String,
    /// The query, sent with each request, such as a signature. Empty, or starts with `?`.
    query: String,
    /// The user and password before the `@`.
    pub login: Option<(String, String)>,
}

impl Address {
    /// Parses `scheme:rest`.
    pub fn parse(scheme: &str, rest: &str) -> Result<Self> {
        // the parser's message may repeat part of a password
        let mut url = Url::parse(&[scheme, ":", rest].concat())
            .ok()
            .filter(|url| url.has_host() && rest.starts_with("//"))
            .ok_or_else(|| {
                let example = format!("{scheme}://host/path");
                Error::invalid(format!("this is no URL of a web server, as {example:?} is"))
            })?;
        if url.fragment().is_some() {
            return Err(Error::invalid("in a URL of a web server \"#\" is written \"%23\""));
        }
        let decoded = |text: &str| -> Result<String> {
            String::from_utf8(crate::store::url::percent_decoded(text)?)
                .map_err(|_| Error::invalid("the user or password in the URL is not UTF-8"))
        };
        let login = match (url.username(), url.password()) {
            ("", None) => None,
            (user, password) => Some((decoded(user)?, decoded(password.unwrap_or_default())?)),
        };
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        url.set_query(None);
        // these two fail only for URLs without a host
        let _ = url.set_username("");
        let _ = url.set_password(None);
        Ok(Address { base: url.as_str().trim_end_matches('/').to_owned(), query, login })
    }

    /// The base, for messages; the parts it leaves out may be secret.
    pub fn shown(&self) -> &str {
        &self.base
    }

    /// The URL of `path` below the base: a key, or a prefix that ends in `/`.
    pub fn url(&self, path: &str) -> Result<Url> {
        let text = format!("{}/{}{}", self.base, percent_encoded(path), self.query);
        Url::parse(&text).map_err(|_| Error::invalid(format!("{path:?} makes no URL")))
    }
}

/// A URL for a message.
pub fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.into()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn keys_become_urls() {
        for (base, key, url) in [
            ("//h/x.zarr", "a/c/0", "http://h/x.zarr/a/c/0"),
            ("//h", "zarr.json", "http://h/zarr.json"),
            ("//h:81/x//", "a b", "http://h:81/x/a%20b"),
            ("//h/%C3%BC", "ü/%20?#", "http://h/%C3%BC/%C3%BC/%2520%3F%23"),
            ("//h/x?sig=a%2Fb&n=1", "a\\b", "http://h/x/a%5Cb?sig=a%2Fb&n=1"),
            ("//[::1]:80/x", "%2e%2e/a", "http://[::1]/x/%252e%252e/a"),
            ("//me:pass@h/x", "a", "http://h/x/a"),
        ] {
            let address = Address::parse("http", base).unwrap();
            assert_eq!(address.url(key).unwrap().as_str(), url);
        }
    }

    #[test]
    fn secrets_are_kept_apart() {
        let address = Address::parse("https", "//me:p%40ss@h/x?sig=secret").unwrap();
        assert_eq!(address.login, Some(("me".into(), "p@ss".into())));
        assert_eq!(address.shown(), "https://h/x");
        assert_eq!(shown(&address.url("k").unwrap()), "https://h/x/k");
        for bad in ["", "/", "//", "x", "//h/x#y", "//me:secret@/x", "//me:%zz@h/", "//h:secret/"] {
            let error = Address::parse("http", bad).err().unwrap().to_string();
            assert!(!error.contains("secret") && !error.is_empty(), "{bad}: {error}");
        }
    }
}
