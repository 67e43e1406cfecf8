//! Listings, page by page: the next page is fetched while the current one is processed.

use super::Objects;
use super::transport::Call;
use crate::error::{Context, Error, Kind, Result};
use crate::store::remote::network::wait;
use crate::store::{Depth, Entry, Key, check_prefix};
use object_store::ListResult;
use object_store::list::{PaginatedListOptions, PaginatedListResult, PaginatedListStore};
use object_store::path::Path;
use std::sync::Arc;
use tokio::task::JoinHandle;

/// The most consecutive empty pages of a listing.
const EMPTY_PAGES: usize = 10_000;

/// The pages of a listing below a prefix.
pub struct Pages<'a> {
    store: &'a Objects,
    query: Query,
    next: Option<Asked>,
    empty: usize,
}

/// The parameters of each page request.
#[derive(Clone)]
struct Query {
    prefix: String,
    by_level: bool,
    largest: Option<usize>,
}

/// A page request in flight.
struct Asked {
    call: Arc<Call>,
    token: Option<String>,
    answer: JoinHandle<object_store::Result<PaginatedListResult>>,
}

impl<'a> Pages<'a> {
    /// Lists below `prefix`, the service's full name prefix: one level or all, in pages of at most
    /// `largest` entries. Requests the first page.
    pub fn new(
        store: &'a Objects,
        prefix: String,
        by_level: bool,
        largest: Option<usize>,
    ) -> Result<Self> {
        let query = Query { prefix, by_level, largest };
        let mut pages = Pages { store, query, next: None, empty: 0 };
        pages.next = Some(pages.ask(None)?);
        Ok(pages)
    }

    fn ask(&self, token: Option<String>) -> Result<Asked> {
        let clients = self.store.clients()?;
        let call = Arc::new(Call::default());
        let asked = request(clients.pages.clone(), self.query.clone(), token.clone());
        let answer = wait(async { Ok(tokio::spawn(call.clone().scope(asked))) })?;
        Ok(Asked { call, token, answer })
    }

    /// The next page; `None`: the listing ended.
    pub fn next(&mut self) -> Result<Option<ListResult>> {
        let Some(Asked { call, token, answer }) = self.next.take() else { return Ok(None) };
        let waited = self.store.settings.wait(async {
            // aborts the request if the time limit ends the wait
            let _stop = Stop(answer.abort_handle());
            Ok(answer.await)
        });
        let page = match waited.at(|| call.request())? {
            Ok(Ok(page)) => page,
            Ok(Err(e)) => {
                if let Some(region) = call.region()
                    && self.store.moves_to(&region)
                {
                    self.next = Some(self.ask(token)?);
                    return self.next();
                }
                return Err(call.error(&e)).at(|| call.request());
            }
            Err(e) => return Err(Error::new(Kind::Internal, format!("a listing ended: {e}"))),
        };
        let is_empty = page.result.objects.is_empty() && page.result.common_prefixes.is_empty();
        self.empty = if is_empty { self.empty + 1 } else { 0 };
        if let Some(next) = page.page_token.filter(|token| !token.is_empty()) {
            if Some(&next) == token.as_ref() || self.empty > EMPTY_PAGES {
                let message = "the server's listing does not come to an end";
                return Err(Error::new(Kind::Io, message)).at(|| call.request());
            }
            self.next = Some(self.ask(Some(next))?);
        }
        Ok(Some(page.result))
    }
}

impl Drop for Pages<'_> {
    fn drop(&mut self) {
        if let Some(asked) = &self.next {
            asked.answer.abort();
        }
    }
}

/// Stops a task when it is dropped.
struct Stop(tokio::task::AbortHandle);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn request(
    pages: Arc<dyn PaginatedListStore>,
    query: Query,
    page_token: Option<String>,
) -> object_store::Result<PaginatedListResult> {
    let options = PaginatedListOptions {
        delimiter: query.by_level.then_some("/".into()),
        max_keys: query.largest,
        page_token,
        ..PaginatedListOptions::default()
    };
    let prefix = Some(&query.prefix[..]).filter(|prefix| !prefix.is_empty());
    pages.list_paginated(prefix, options).await
}

impl Objects {
    /// Calls `each` for every entry below a prefix.
    pub(super) fn list_below(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        check_prefix(prefix)?;
        let whole = [&self.prefix, prefix].concat();
        let place = || format!("listing {prefix:?} of {}", self.name);
        let mut pages = Pages::new(self, whole.clone(), depth == Depth::One, None).at(place)?;
        // skip names that are no keys, such as the empty objects that mark directories
        let key = |path: &Path| {
            let key = path.as_ref().strip_prefix(&whole)?;
            Key::parse(key).is_ok().then(|| key.to_owned())
        };
        let mut last = None;
        while let Some(page) = pages.next().at(place)? {
            for name in page.common_prefixes.iter().filter_map(key) {
                // some services repeat the last entry of the previous page
                if last.as_ref() != Some(&name) {
                    each(Entry::Prefix(&name))?;
                    last = Some(name);
                }
            }
            for name in page.objects.iter().filter_map(|meta| key(&meta.location)) {
                each(Entry::Key(&name))?;
            }
        }
        Ok(())
    }

    /// Whether any value is below a prefix.
    pub(super) fn holds_below(&self, prefix: &str) -> Result<bool> {
        check_prefix(prefix)?;
        let place = || format!("listing {prefix:?} of {}", self.name);
        let mut pages =
            Pages::new(self, [&self.prefix, prefix].concat(), false, Some(1)).at(place)?;
        while let Some(page) = pages.next().at(place)? {
            if !page.objects.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
