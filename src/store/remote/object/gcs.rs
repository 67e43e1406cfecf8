//! Google Cloud Storage, through its XML API.
//! <https://cloud.google.com/storage/docs/xml-api/overview>

use super::client::{Clients, Dialect};
use super::config::refused;
use super::location::Location;
use super::transport::Connector;
use crate::error::{Error, Result};
use crate::store::remote::network::Settings;
use crate::store::{Mode, Options, SharedStore};
use object_store::gcp::{
    GcpCredential, GoogleCloudStorageBuilder as Builder, GoogleConfigKey as Config,
};
use object_store::{ObjectStore, StaticCredentialProvider};
use std::sync::Arc;

/// The largest object: 5 TiB.
const LARGEST_PUT: u64 = 5 << 40;

/// Opens what follows `gs:` or `gcs:`.
pub fn open(rest: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    let place = Location::parse("gs", rest)?;
    if place.host.is_some() {
        return Err(Error::invalid("gs: credentials are no part of the URL, they are options"));
    }
    let settings = Settings::new(options);
    let (builder, endpoint) = configured(options)?;
    if let Some(endpoint) = endpoint {
        super::config::check_endpoint(&endpoint, &settings)?;
    }
    let builder = builder.with_bucket_name(&place.bucket);
    let dialect = Dialect {
        generations: true,
        suffixes: true,
        conditions: true,
        backslashes: true,
        bulk_deletion: false,
        largest_put: LARGEST_PUT,
        conditional_uploads: true,
        moves: false,
        connect: Box::new(move |connector, _| connect(&builder, connector)),
    };
    super::open("gs", &place, settings, dialect, mode, options)
}

fn connect(builder: &Builder, connector: &Connector) -> Result<Clients> {
    let store = builder
        .clone()
        .with_client_options(connector.client_options())
        .with_retry(connector.retry())
        .with_http_connector(connector.clone())
        .build()
        .map_err(refused)?;
    let store = Arc::new(store);
    let eraser: Arc<dyn ObjectStore> = store.clone();
    Ok(Clients { store: store.clone(), pages: store, eraser: Box::new(eraser) })
}

/// Merges options and environment, in this order; also returns the endpoint if it is not Google's.
fn configured(options: &Options) -> Result<(Builder, Option<String>)> {
    let option = |name| options.text(name).filter(|text| !text.is_empty());
    let variable = |name| std::env::var(name).ok().filter(|text: &String| !text.is_empty());
    // fsspec's `token` is any kind of credential
    let token = option("token");
    let mut anonymous = options.is("anonymous") || token == Some("anon");
    let mut given = Vec::new();
    match token {
        None | Some("anon" | "google_default" | "cloud") => {}
        Some(key) if key.trim_start().starts_with('{') => {
            given.push((Config::ServiceAccountKey, key))
        }
        Some(path) if std::path::Path::new(path).is_file() => {
            given.push((Config::ApplicationCredentials, path));
        }
        Some(token) => given.push((Config::BearerToken, token)),
    }
    for (name, key) in [
        ("service_account", Config::ServiceAccount),
        ("service_account_key", Config::ServiceAccountKey),
        ("application_credentials", Config::ApplicationCredentials),
        ("bearer_token", Config::BearerToken),
    ] {
        given.extend(option(name).map(|value| (key, value)));
    }
    let mut builder = Builder::new();
    if given.is_empty() && !anonymous {
        for (name, value) in super::config::environment("GOOGLE_") {
            match name.parse() {
                Ok(Config::Client(_) | Config::Bucket) | Err(_) => {}
                Ok(key) if !value.is_empty() => builder = builder.with_config(key, value),
                Ok(_) => {}
            }
        }
    }
    for (key, value) in given {
        builder = builder.with_config(key, value);
    }
    let emulator = || {
        let host = variable("STORAGE_EMULATOR_HOST")?;
        Some(if host.contains("://") { host } else { format!("http://{host}") })
    };
    let mut endpoint = option("endpoint").map(str::to_owned);
    if endpoint.is_none()
        && let Some(url) = emulator()
    {
        // such endpoints need no authentication
        anonymous = true;
        endpoint = Some(url);
    }
    if let Some(endpoint) = &mut endpoint {
        *endpoint = endpoint.trim_end_matches('/').to_owned();
        builder = builder.with_base_url(endpoint);
    }
    if anonymous {
        // object_store requires credentials even if it sends none
        let nothing = GcpCredential { bearer: String::new() };
        builder = builder
            .with_credentials(Arc::new(StaticCredentialProvider::new(nothing)))
            .with_skip_signature(true);
    }
    Ok((builder, endpoint))
}
