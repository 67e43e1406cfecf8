//! `zarrc view`: a store in the browser. The page is in page/; it asks for what it shows.

mod chunks;
mod data;
mod node;

use crate::failure::{Failure, Outcome, Result};
use crate::output::print;
use crate::place::Place;
use crate::web::{self, Request, Response, failed, failed_with};
use hyper::{StatusCode, header};
use std::collections::HashMap;
use std::fmt::Write;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use zarrc::hierarchy::ArrayNode;
use zarrc::metadata::NodePath;
use zarrc::store::{Mode, Options};

/// The files of the page: name, media type, text.
const PAGE: &[(&str, &str, &str)] = &[
    ("", HTML, include_str!("page/page.html")),
    ("style.css", "text/css; charset=utf-8", include_str!("page/style.css")),
    ("app.js", SCRIPT, include_str!("page/app.js")),
    ("server.js", SCRIPT, include_str!("page/server.js")),
    ("element.js", SCRIPT, include_str!("page/element.js")),
    ("tree.js", SCRIPT, include_str!("page/tree.js")),
    ("about.js", SCRIPT, include_str!("page/about.js")),
    ("chunkmap.js", SCRIPT, include_str!("page/chunkmap.js")),
    ("array.js", SCRIPT, include_str!("page/array.js")),
    ("slice.js", SCRIPT, include_str!("page/slice.js")),
    ("pyramid.js", SCRIPT, include_str!("page/pyramid.js")),
    ("tiles.js", SCRIPT, include_str!("page/tiles.js")),
    ("image.js", SCRIPT, include_str!("page/image.js")),
    ("gestures.js", SCRIPT, include_str!("page/gestures.js")),
    ("colours.js", SCRIPT, include_str!("page/colours.js")),
    ("histogram.js", SCRIPT, include_str!("page/histogram.js")),
    ("line.js", SCRIPT, include_str!("page/line.js")),
];
const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// What the page may do: load its own files and talk to its server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' \
    data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Arrays that are kept open.
const OPEN: usize = 64;

/// Memory for decoded chunks, unless an option says otherwise: several images are looked at in
/// turn.
const CHUNK_CACHE: &str = "512MiB";

/// An open store, and arrays of it that were looked at.
struct View {
    root: Place,
    arrays: Mutex<HashMap<NodePath, Arc<ArrayNode>>>,
}

/// `zarrc view`
pub fn view(
    url: &str,
    node: &str,
    options: &Options,
    listen: SocketAddr,
    browser: bool,
) -> Outcome {
    let mut options = options.clone();
    if options.chunk_cache(false) == Options::default().chunk_cache(false) {
        options.set("chunk_cache", CHUNK_CACHE)?;
    }
    let start = Place::open(url, node, Mode::Read, &options)?.whole()?;
    start.node()?; // a store that cannot be read fails here, not in the browser
    let hash = match start.path.is_root() {
        true => String::new(),
        false => format!(
            "#path={}",
            percent_encoding::utf8_percent_encode(
                start.path.as_str(),
                percent_encoding::NON_ALPHANUMERIC
            )
        ),
    };
    let root = start.at(NodePath::parse("")?);
    let view = View { root, arrays: Mutex::default() };
    let token = token()?;
    let prefix = format!("{token}/");
    let handler = move |request: &Request| {
        let path = web::path(request).unwrap_or_default();
        let mut response = match path.strip_prefix(&prefix) {
            Some(name) => view.answer(name, request),
            None => failed(StatusCode::NOT_FOUND, "the address is not the one that was printed"),
        };
        web::set(&mut response, header::CACHE_CONTROL, "no-store");
        web::set(&mut response, header::REFERRER_POLICY, "no-referrer");
        web::set(&mut response, header::CONTENT_SECURITY_POLICY, POLICY);
        response
    };
    web::run(web::Rules { listen, cors: None }, Arc::new(handler), |address| {
        let page = format!("http://{address}/{token}/{hash}");
        print(&page)?;
        if browser && open::that_detached(&page).is_err() {
            eprintln!("zarrc: no browser could be started: open the address above");
        }
        Ok(())
    })
}

/// 128 random bits, in hexadecimal.
fn token() -> Result<String> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits)
        .map_err(|e| Failure::usage(format!("the system has no random numbers: {e}")))?;
    let mut token = String::new();
    for byte in bits {
        let _ = write!(token, "{byte:02x}"); // to a String, which cannot fail
    }
    Ok(token)
}

impl View {
    fn answer(&self, name: &str, request: &Request) -> Response {
        if let Some((_, kind, text)) = PAGE.iter().find(|file| file.0 == name) {
            return web::content(kind, *text);
        }
        let answered = match name {
            "api/children" => node::children(self, request),
            "api/node" => node::node(self, request),
            "api/totals" => node::totals(self, request),
            "api/chunks" => chunks::chunks(self, request),
            "api/data" => data::data(self, request),
            "api/text" => data::text(self, request),
            _ => return failed(StatusCode::NOT_FOUND, "there is no such page"),
        };
        answered.unwrap_or_else(|failure| match failure {
            Failure::Library(e) => failed_with(&e),
            other => failed(StatusCode::BAD_REQUEST, other.to_string()),
        })
    }

    /// The node that a request names.
    fn place(&self, request: &Request) -> Result<Place> {
        let path = web::parameter(request, "path").unwrap_or_default();
        Ok(self.root.at(NodePath::parse(path.trim_matches('/'))?))
    }

    /// The array that a request names: its metadata are as old as the last [`Self::forget`].
    fn array(&self, request: &Request) -> Result<Arc<ArrayNode>> {
        let place = self.place(request)?;
        let lock = || self.arrays.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(array) = lock().get(&place.path) {
            return Ok(array.clone());
        }
        let array = Arc::new(place.array()?);
        let mut arrays = lock();
        if arrays.len() >= OPEN {
            arrays.clear();
        }
        arrays.insert(place.path, array.clone());
        Ok(array)
    }

    /// Lets the next request open the array again, which may have grown.
    fn forget(&self, path: &NodePath) {
        self.arrays.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    }
}

/// A response of JSON.
fn json(value: &serde_json::Value) -> Response {
    web::content("application/json", value.to_string())
}

/// A parameter that must be there.
fn required(request: &Request, name: &str) -> Result<String> {
    web::parameter(request, name)
        .ok_or_else(|| Failure::usage(format!("the parameter {name} is missing")))
}
