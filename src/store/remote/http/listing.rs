//! Parses a web server's directory listing: the links of an HTML page (nginx, Apache, Python's
//! `http.server`, Caddy, …) to direct children, or nginx's JSON (`autoindex_format json`).

use crate::error::{Error, Result};
use crate::store::url::percent_decoded;
use std::collections::BTreeSet;
use url::Url;

/// Names, each with whether it is a directory.
pub type Listed = BTreeSet<(String, bool)>;

/// The entries that `page`, fetched from `url`, lists.
pub fn parse(url: &Url, is_json: bool, page: &[u8]) -> Result<Listed> {
    if is_json { from_json(page) } else { Ok(from_html(url, &String::from_utf8_lossy(page))) }
}

/// Whether a name can be a segment of a key.
fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\0'])
}

#[derive(serde::Deserialize)]
struct Item {
    name: String,
    r#type: String,
}

fn from_json(page: &[u8]) -> Result<Listed> {
    let items: Vec<Item> = serde_json::from_slice(page).map_err(|_| {
        Error::unsupported("the server's JSON about a directory is no list of names")
    })?;
    let items = items.into_iter().map(|item| (item.name, item.r#type == "directory"));
    Ok(items.filter(|(name, _)| is_name(name)).collect())
}

fn from_html(url: &Url, page: &str) -> Listed {
    let mut listed = Listed::new();
    for link in links(page) {
        let Ok(to) = url.join(&link) else { continue };
        if to.origin() != url.origin() || to.query().is_some() {
            continue;
        }
        let Some(below) = to.path().strip_prefix(directory(url)) else { continue };
        let (name, is_prefix) = match below.strip_suffix('/') {
            Some(name) => (name, true),
            None => (below, false),
        };
        let decoded = percent_decoded(name).ok().and_then(|name| String::from_utf8(name).ok());
        if let Some(name) = decoded
            && is_name(&name)
        {
            listed.insert((name, is_prefix));
        }
    }
    listed
}

/// The path of the directory that a page lists.
fn directory(url: &Url) -> &str {
    let path = url.path();
    path.rfind('/').map_or(path, |slash| &path[..=slash])
}

/// The link targets of a page, with entities decoded.
fn links(page: &str) -> impl Iterator<Item = String> {
    let tags = page.split('<').skip(1).filter(|tag| {
        let mut start = tag.chars();
        matches!(start.next(), Some('a' | 'A')) && start.next().is_some_and(char::is_whitespace)
    });
    tags.filter_map(href)
}

/// The `href` of the tag that follows a `<`.
fn href(tag: &str) -> Option<String> {
    let mut rest = &tag[1..];
    loop {
        rest = rest.trim_start();
        let end = rest.find(|c: char| c == '=' || c == '>' || c.is_whitespace())?;
        let name = &rest[..end];
        rest = rest[end..].trim_start();
        let Some(after) = rest.strip_prefix('=') else {
            if rest.starts_with('>') {
                return None;
            }
            continue;
        };
        let after = after.trim_start();
        let (value, behind) = match after.chars().next()? {
            quote @ ('"' | '\'') => after[1..].split_once(quote)?,
            _ => {
                let end = after.find(|c: char| c == '>' || c.is_whitespace())?;
                after.split_at(end)
            }
        };
        if name.eq_ignore_ascii_case("href") {
            return Some(without_entities(value));
        }
        rest = behind;
    }
}

/// Decodes the entities that listings use, such as `&amp;`, and numeric ones.
fn without_entities(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let found = after.split_once(';').and_then(|(name, behind)| Some((entity(name)?, behind)));
        match found {
            Some((c, behind)) => {
                out.push(c);
                rest = behind;
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out + rest
}

fn entity(name: &str) -> Option<char> {
    let number = |digits: &str, base| char::from_u32(u32::from_str_radix(digits, base).ok()?);
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => match name.strip_prefix('#')? {
            hex if hex.starts_with(['x', 'X']) => number(&hex[1..], 16),
            digits => number(digits, 10),
        },
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn listed(url: &str, page: &str) -> Vec<String> {
        let found = parse(&Url::parse(url).unwrap(), false, page.as_bytes()).unwrap();
        found.into_iter().map(|(n, below)| if below { n + "/" } else { n }).collect()
    }

    #[test]
    fn pages_of_servers() {
        let nginx = "<html>\r\n<head><title>Index of /x/</title></head><body><h1>Index of /x/</h1><hr>\
            <pre><a href=\"../\">../</a>\r\n<a href=\"c/\">c/</a>   20-Nov-2026 16:00  -\r\n\
            <a href=\"a%20b%23%3F\">a b#?</a>\r\n<a href=\"zarr.json\">zarr.json</a></pre></body>";
        assert_eq!(listed("http://h/x/", nginx), ["a b#?", "c/", "zarr.json"]);
        let apache = "<tr><th><a href=\"?C=N;O=D\">Name</a></th></tr><tr><td>\
            <a href=\"/\">Parent Directory</a></td></tr><tr><td><IMG SRC=\"/icons/folder.gif\">\
            <A CLASS=x  HREF = 'c/'>c/</A><a href=zarr.json>z</a><a href=\"zarr.json\">again</a>\
            <a href=\"/x/deep/er\">deeper</a><a href=\"/x/by-path\">b</a><a name=\"here\">";
        assert_eq!(listed("http://h/x/?sig=1", apache), ["by-path", "c/", "zarr.json"]);
        let python = "<ul>\n<li><a href=\"%C3%BC%26%22.txt\">ü&amp;</a></li>\
            <li><a href=\"a&amp;b&#39;&#x63;\">a&amp;b</a></li>\n<li><a href=\"link/\">link@</a></li>";
        assert_eq!(listed("http://h/", python), ["a&b'c", "link/", "ü&\".txt"]);
        let elsewhere = "<a href=\"http://h:81/x/a\"><a href=\"https://h/x/a\"><a href=\"//i/x/a\">\
            <a href=\"file:///x/a\"><a href=\"javascript:x\"><a href=\"%2e%2e\"><a href=\"a%2Fb\">\
            <a href=\"%00\"><a href=\"%ff\"><a href=\"#x\"><a href=\"\"><a href><a href=\"http://h/x/in\">";
        assert_eq!(listed("http://h/x/", elsewhere), ["in"]);
        for broken in
            ["<a", "<a ", "<a href", "<a href=", "<a href=\"", "<a href='x", "<a href=x", "&#", "<"]
        {
            listed("http://h/x/", broken);
        }
    }

    #[test]
    fn nginx_json() {
        let page = br#"[{"name":"c","type":"directory","mtime":"x"},
            {"name":"zarr.json","type":"file","size":3},{"name":"..","type":"directory"}]"#;
        let found = parse(&Url::parse("http://h/x/").unwrap(), true, page).unwrap();
        let expected = [("c".to_owned(), true), ("zarr.json".to_owned(), false)];
        assert!(found.into_iter().eq(expected));
        assert!(parse(&Url::parse("http://h/x/").unwrap(), true, b"{}").is_err());
    }
}
