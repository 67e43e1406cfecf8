//! Azure Blob Storage.
//! <https://learn.microsoft.com/rest/api/storageservices/blob-service-rest-api>

use super::client::{Clients, Dialect, Eraser};
use super::config::refused;
use super::location::Location;
use super::transport::Call;
use crate::error::{Error, Result};
use crate::store::remote::network::{Retries, Settings};
use crate::store::{Mode, Options, SharedStore};
use async_trait::async_trait;
use http::Method;
use object_store::azure::{
    AzureAuthorizer, AzureConfigKey as Config, AzureCredentialProvider,
    MicrosoftAzureBuilder as Builder,
};
use object_store::client::{HttpClient, HttpRequest, HttpRequestBody};
use object_store::path::Path;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// The largest Put Blob: 5000 MiB.
const LARGEST_PUT: u64 = 5000 << 20;

/// The emulator's well-known account.
const EMULATOR_ACCOUNT: &str = "devstoreaccount1";
const EMULATOR_KEY: &str =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
const EMULATOR_URL: &str = "http://127.0.0.1:10000";

/// Options that map to object_store's settings, by its names.
const KNOWN: &[(&str, &str)] = &[
    ("account_name", "account_name"),
    ("account_key", "account_key"),
    ("sas_token", "sas_token"),
    ("bearer_token", "bearer_token"),
    ("token", "bearer_token"),
    ("client_id", "client_id"),
    ("client_secret", "client_secret"),
    ("tenant_id", "tenant_id"),
    ("endpoint", "endpoint"),
    ("use_emulator", "use_emulator"),
    ("anonymous", "skip_signature"),
];

/// Ways to authenticate. An explicit one precedes one from a less specific source.
const CREDENTIALS: &[Config] = &[
    Config::AccessKey,
    Config::SasKey,
    Config::Token,
    Config::ClientSecret,
    Config::FederatedTokenFile,
    Config::SkipSignature,
];

/// Opens what follows `az:`, `abfs:` or `abfss:`.
pub fn open(rest: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    let place = Location::parse("az", rest)?;
    let settings = Settings::new(options);
    let config = configuration(&place, options)?;
    let value = |key| config.get(&key).cloned().unwrap_or_default();
    let service = value(Config::Endpoint);
    super::config::check_endpoint(&service, &settings)?;
    let service = Url::parse(&service).map_err(|e| Error::invalid(e.to_string()))?;
    let account = value(Config::AccountName);
    let container = place.bucket.clone();
    let anonymous = config.contains_key(&Config::SkipSignature);
    let mut builder = Builder::new().with_container_name(&container);
    for (key, value) in config {
        builder = builder.with_config(key, value);
    }
    let dialect = Dialect {
        generations: false,
        suffixes: false,
        conditions: true,
        backslashes: false,
        bulk_deletion: false,
        largest_put: LARGEST_PUT,
        conditional_uploads: false,
        moves: false,
        connect: Box::new(move |connector, _| {
            let store = builder
                .clone()
                .with_client_options(connector.client_options())
                .with_retry(connector.retry())
                .with_http_connector(connector.clone())
                .build()
                .map_err(refused)?;
            let eraser = OneByOne {
                service: service.clone(),
                account: account.clone(),
                container: container.clone(),
                credentials: (!anonymous).then(|| store.credentials().clone()),
                wire: connector.wire(),
                max_retries: connector.retry().max_retries,
            };
            let store = Arc::new(store);
            Ok(Clients { store: store.clone(), pages: store, eraser: Box::new(eraser) })
        }),
    };
    super::open("az", &place, settings, dialect, mode, options)
}

/// Merges the URL, options, connection string and environment, in this order. There is an endpoint.
fn configuration(place: &Location, options: &Options) -> Result<HashMap<Config, String>> {
    let option = |name| options.text(name).filter(|text| !text.is_empty());
    let environment = super::config::environment("AZURE_");
    let variable = |wanted: &str| {
        environment.iter().find(|(name, _)| name == wanted).map(|(_, value)| &value[..])
    };
    let from_environment = layer(environment.iter().map(|(name, value)| match &name[..] {
        // as the service's own tools name them
        "azure_storage_account" => ("account_name", &value[..]),
        "azure_storage_key" => ("account_key", &value[..]),
        name => (name, &value[..]),
    }));
    let connection = |text: Option<&str>| text.map(connection).transpose();
    let from_connection = connection(option("connection_string"))?;
    let of_environment = connection(variable("azure_storage_connection_string"))?;
    let known = KNOWN.iter().filter_map(|(name, theirs)| Some((*theirs, option(name)?)));
    let from_options = layer(known);
    let mut config = HashMap::new();
    let layers = [Some(from_environment), of_environment, from_connection, Some(from_options)];
    for layer in layers.into_iter().flatten() {
        if CREDENTIALS.iter().any(|key| layer.contains_key(key)) {
            config.retain(|key, _| !CREDENTIALS.contains(key));
        }
        config.extend(layer);
    }
    // a setting of "no" counts as unset
    for key in [Config::SkipSignature, Config::UseEmulator] {
        if config.get(&key).is_some_and(|value| !super::config::means_yes(value)) {
            config.remove(&key);
        }
    }
    if let Some(host) = &place.host {
        let account = host.split_once(".dfs.").or(host.split_once(".blob."));
        let (account, cloud) = account.ok_or_else(|| {
            Error::invalid("az: behind the @ stands ACCOUNT.dfs.core.windows.net or alike")
        })?;
        config.insert(Config::AccountName, account.to_owned());
        config.entry(Config::Endpoint).or_insert_with(|| format!("https://{account}.blob.{cloud}"));
    }
    if config.remove(&Config::UseEmulator).is_some() {
        let account = config
            .entry(Config::AccountName)
            .or_insert_with(|| EMULATOR_ACCOUNT.to_owned())
            .clone();
        if !CREDENTIALS.iter().any(|key| config.contains_key(key)) {
            config.insert(Config::AccessKey, EMULATOR_KEY.to_owned());
        }
        let usual = || std::env::var("AZURITE_BLOB_STORAGE_URL").unwrap_or(EMULATOR_URL.into());
        let endpoint = config.entry(Config::Endpoint).or_insert_with(usual);
        *endpoint = endpoint.trim_end_matches('/').to_owned();
        // such endpoints have the account in the path
        if !endpoint.ends_with(&format!("/{account}")) {
            *endpoint = format!("{endpoint}/{account}");
        }
    }
    let account = config.get(&Config::AccountName).ok_or_else(|| {
        Error::invalid(
            "az: whose container it is, is said by the option account_name, or in the URL as in \
             abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH",
        )
    })?;
    if !account.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return Err(Error::invalid("az: the account's name has letters and digits only"));
    }
    let usual = format!("https://{account}.blob.core.windows.net");
    config.entry(Config::Endpoint).or_insert(usual);
    Ok(config)
}

/// The settings of one source, by object_store's names; unknown ones are skipped.
fn layer<'a>(said: impl Iterator<Item = (&'a str, &'a str)>) -> HashMap<Config, String> {
    said.filter(|(_, value)| !value.is_empty())
        .filter_map(|(name, value)| Some((name.parse::<Config>().ok()?, value.to_owned())))
        .filter(|(key, _)| !matches!(key, Config::Client(_) | Config::ContainerName))
        .collect()
}

/// Parses a connection string: `Name=value` separated by semicolons.
/// <https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string>
fn connection(text: &str) -> Result<HashMap<Config, String>> {
    let mut said = HashMap::new();
    for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').ok_or_else(|| {
            Error::invalid("the option connection_string has parts Name=value between semicolons")
        })?;
        said.insert(name.trim().to_ascii_lowercase(), value.trim());
    }
    let get = |name: &str| said.get(name).copied();
    let endpoint = match (get("blobendpoint"), get("accountname"), get("endpointsuffix")) {
        (Some(endpoint), ..) => Some(endpoint.trim_end_matches('/').to_owned()),
        (None, Some(account), Some(suffix)) => {
            let scheme = get("defaultendpointsprotocol").unwrap_or("https");
            Some(format!("{scheme}://{account}.blob.{suffix}"))
        }
        _ => None,
    };
    Ok(layer(
        [
            ("account_name", get("accountname")),
            ("account_key", get("accountkey")),
            ("sas_token", get("sharedaccesssignature")),
            ("use_emulator", get("usedevelopmentstorage")),
            ("endpoint", endpoint.as_deref()),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?))),
    ))
}

/// Deletes one blob with a request of its own, which may have a condition; object_store deletes
/// only in batches.
struct OneByOne {
    service: Url,
    account: String,
    container: String,
    credentials: Option<AzureCredentialProvider>,
    wire: HttpClient,
    max_retries: usize,
}

impl OneByOne {
    async fn request(&self, path: &Path) -> object_store::Result<HttpRequest> {
        let generic = |source| object_store::Error::Generic { store: "Azure", source };
        let mut url = self.service.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push(&self.container).extend(path.parts());
        }
        let mut request = HttpRequest::new(HttpRequestBody::empty());
        *request.method_mut() = Method::DELETE;
        *request.uri_mut() = url.as_str().parse().map_err(|_| generic("no URL".into()))?;
        if let Some((name, value)) = Call::current().condition() {
            // before signing: the signature covers the header
            request.headers_mut().insert(name.clone(), value.clone());
        }
        if let Some(credentials) = &self.credentials {
            let credential = credentials.get_credential().await?;
            AzureAuthorizer::new(&credential, &self.account).try_authorize(&mut request)?;
        }
        Ok(request)
    }
}

#[async_trait]
impl Eraser for OneByOne {
    async fn erase(&self, path: &Path) -> object_store::Result<()> {
        // the enclosing call bounds the time
        let mut retries = Retries::new(self.max_retries, Duration::MAX);
        loop {
            let request = self.request(path).await?;
            let failed = match self.wire.execute(request).await {
                Ok(answer) if answer.status().is_success() => return Ok(()),
                Ok(answer) if answer.status() == 404 => {
                    let path = path.to_string();
                    return Err(object_store::Error::NotFound { path, source: "404".into() });
                }
                Ok(answer) => {
                    let again = answer.status().is_server_error() || answer.status() == 429;
                    (again, format!("{}", answer.status()).into())
                }
                Err(e) => (true, e.into()),
            };
            let (again, source) = failed;
            match retries.pause(None, None).filter(|_| again) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Err(object_store::Error::Generic { store: "Azure", source }),
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_string_says_it_all() {
        let said = connection(
            "DefaultEndpointsProtocol=https;AccountName=me;AccountKey=se=cret/+==;\
             EndpointSuffix=core.windows.net;",
        )
        .unwrap();
        assert_eq!(said[&Config::AccountName], "me");
        assert_eq!(said[&Config::AccessKey], "se=cret/+==");
        assert_eq!(said[&Config::Endpoint], "https://me.blob.core.windows.net");
        let said =
            connection("BlobEndpoint=http://127.0.0.1:1/me/;SharedAccessSignature=sv=1&sig=x");
        let said = said.unwrap();
        assert_eq!(said[&Config::Endpoint], "http://127.0.0.1:1/me");
        assert_eq!(said[&Config::SasKey], "sv=1&sig=x");
        let e = connection("secret").unwrap_err();
        assert!(!e.to_string().contains("secret"), "{e}");
    }

    #[test]
    fn the_account_is_in_the_url_or_an_option() {
        let configured = |rest: &str, set: &[(&str, &str)]| {
            let mut options = Options::default();
            set.iter().for_each(|(name, value)| options.set(name, value).unwrap());
            configuration(&Location::parse("az", rest).unwrap(), &options)
        };
        let found = configured("//c@me.dfs.core.windows.net/x", &[("anon", "yes")]).unwrap();
        assert_eq!(found[&Config::AccountName], "me");
        assert_eq!(found[&Config::Endpoint], "https://me.blob.core.windows.net");
        let emulator = [("use_emulator", "yes"), ("endpoint", "http://localhost:7/")];
        let found = configured("//c/x", &emulator).unwrap();
        assert_eq!(found[&Config::Endpoint], "http://localhost:7/devstoreaccount1");
        assert_eq!(found[&Config::AccessKey], EMULATOR_KEY);
        assert!(configured("//c@me.example.org/x", &[]).is_err());
        assert!(configured("//c/x", &[("account_name", "a/../b")]).is_err());
    }
}
