//! Listings, page by page: the next one is under way while one is looked at.

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

/// So many pages in a row with nothing in them are no listing any more.
const EMPTY_PAGES: usize = 10_000;

/// The pages of what lies below a prefix.
pub struct Pages<'a> {
    store: &'a Objects,
    query: Query,
    next: Option<Asked>,
    empty: usize,
}

/// What each page is asked for with.
#[derive(Clone)]
struct Query {
    prefix: String,
    by_level: bool,
    largest: Option<usize>,
}

/// A page that is under way.
struct Asked {
    call: Arc<Call>,
    token: Option<String>,
    answer: JoinHandle<object_store::Result<PaginatedListResult>>,
}

impl<'a> Pages<'a> {
    /// Below `prefix`, the whole of it as the service has it; one level or all; pages of at most
    /// `largest` entries. The first page is asked for.
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

    /// The next page; `None`: there is none.
    pub fn next(&mut self) -> Result<Option<ListResult>> {
        let Some(Asked { call, token, answer }) = self.next.take() else { return Ok(None) };
        let waited = self.store.settings.wait(async {
            // nobody waits for it after the limit
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
    /// Calls `each` for what lies below a prefix.
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
        // what is no key, as the empty object that some call a directory, is passed over
        let key = |path: &Path| {
            let key = path.as_ref().strip_prefix(&whole)?;
            Key::parse(key).is_ok().then(|| key.to_owned())
        };
        let mut last = None;
        while let Some(page) = pages.next().at(place)? {
            for name in page.common_prefixes.iter().filter_map(key) {
                // some services repeat the one that a page ended with
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

    /// Whether anything lies below a prefix.
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
