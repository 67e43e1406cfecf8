//! Requests: sent by the clients of this process, retried where that may help.

use super::Objects;
use super::client::Clients;
use super::transport::{Call, Connector};
use crate::error::{Context, Error, Kind, Result};
use crate::store::remote::network::{self, Retries};
use std::sync::Arc;

/// How a request can fail.
pub enum Fail {
    Service(object_store::Error),
    /// The response was longer or shorter than announced.
    Again(&'static str),
    Ours(Error),
}

impl From<object_store::Error> for Fail {
    fn from(e: object_store::Error) -> Self {
        Fail::Service(e)
    }
}

impl From<Error> for Fail {
    fn from(e: Error) -> Self {
        Fail::Ours(e)
    }
}

impl Objects {
    pub(super) fn clients(&self) -> Result<Arc<Clients>> {
        let connect = |region| {
            network::enter(|| (self.dialect.connect)(&Connector::new(&self.settings)?, region))
                .at(|| format!("store {}", self.name))
        };
        match self.moved.get() {
            Some(region) => self.moved_clients.get(|| connect(Some(region))),
            None => self.clients.get(|| connect(None)),
        }
    }

    /// Switches to another region; `false`: switched already, or the service never redirects.
    pub(super) fn moves_to(&self, region: &str) -> bool {
        self.dialect.moves && self.moved.set(region.to_owned()).is_ok()
    }

    /// Makes the requests of `work` within the time limit of the settings. `tries_again`: also
    /// retries if the response is invalid or truncated. `None`: the object is absent.
    pub(super) async fn request<T>(
        &self,
        call: Call,
        tries_again: bool,
        mut work: impl AsyncFnMut(&Clients) -> Result<T, Fail>,
    ) -> (Arc<Call>, Result<Option<T>>) {
        let call = Arc::new(call);
        let mut clients = match self.clients() {
            Ok(clients) => clients,
            Err(e) => return (call, Err(e)),
        };
        let request = async {
            // object_store has already retried
            let most = self.settings.max_retries.min(3);
            let mut retries = Retries::new(most, self.settings.timeout);
            loop {
                let e = match call.clone().scope(work(&clients)).await {
                    Ok(done) => return Ok(Some(done)),
                    Err(Fail::Ours(e)) => return Err(e),
                    Err(Fail::Service(_)) if call.is_absent() => return Ok(None),
                    Err(Fail::Service(e)) => call.error(&e),
                    Err(Fail::Again(how)) => {
                        let message = format!("the server sends {how} than it announced");
                        Error::new(Kind::Io, message)
                    }
                };
                if let Some(region) = call.region()
                    && self.moves_to(&region)
                {
                    clients = self.clients()?;
                } else if tries_again
                    && call.is_worth_another()
                    && let Some(pause) = retries.pause(None, None)
                {
                    tokio::time::sleep(pause).await;
                } else {
                    return Err(e);
                }
            }
        };
        let done = self.settings.limit(request).await;
        let done = done.at(|| call.request());
        (call, done)
    }

    /// The same, blocking.
    pub(super) fn run<T>(
        &self,
        call: Call,
        tries_again: bool,
        work: impl AsyncFnMut(&Clients) -> Result<T, Fail>,
    ) -> (Arc<Call>, Result<Option<T>>) {
        match network::wait(async { Ok(self.request(call, tries_again, work).await) }) {
            Ok(done) => done,
            Err(e) => (Arc::new(Call::default()), Err(e)),
        }
    }

    /// Makes read-only requests; `None`: the object is absent.
    pub(super) async fn read<T>(
        &self,
        call: Call,
        work: impl AsyncFnMut(&Clients) -> Result<T, Fail>,
    ) -> Result<Option<T>> {
        self.request(call, true, work).await.1
    }
}
