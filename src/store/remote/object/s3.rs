//! Amazon S3 and compatible services.
//! <https://docs.aws.amazon.com/AmazonS3/latest/API/Welcome.html>

use super::client::{Clients, Dialect};
use super::config::refused;
use super::location::Location;
use super::profile::Profile;
use super::transport::Connector;
use crate::error::{Error, Result};
use crate::store::remote::network::Settings;
use crate::store::{Mode, Options, SharedStore};
use object_store::ObjectStore;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey as Config};
use std::collections::HashMap;
use std::sync::Arc;

/// The largest PUT: 5 GiB.
const LARGEST_PUT: u64 = 5 << 30;

/// Options that map to object_store's settings, by its names.
const KNOWN: &[(&str, &str)] = &[
    ("region", "region"),
    ("access_key_id", "access_key_id"),
    ("secret_access_key", "secret_access_key"),
    ("session_token", "session_token"),
    ("token", "session_token"),
    ("anonymous", "skip_signature"),
    ("virtual_hosted_style_request", "virtual_hosted_style_request"),
    ("request_payer", "request_payer"),
    ("unsigned_payload", "unsigned_payload"),
    ("server_side_encryption", "server_side_encryption"),
    ("sse_kms_key_id", "sse_kms_key_id"),
    ("sse_customer_key_base64", "sse_customer_key_base64"),
    ("conditional_put", "conditional_put"),
];

/// Opens what follows `s3:`.
pub fn open(rest: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    let place = Location::parse("s3", rest)?;
    if place.host.is_some() {
        return Err(Error::invalid("s3: credentials are no part of the URL, they are options"));
    }
    let (settings, dialect) = prepared(&place, options)?;
    super::open("s3", &place, settings, dialect, mode, options)
}

/// Merges options, environment and profiles for a location.
pub(super) fn prepared(place: &Location, options: &Options) -> Result<(Settings, Dialect)> {
    let mut settings = Settings::new(options);
    if settings.ca_file.is_none() {
        settings.ca_file = std::env::var_os("AWS_CA_BUNDLE").map(Into::into);
    }
    let config = configuration(&place.bucket, options)?;
    if let Some(endpoint) = config.get(&Config::Endpoint) {
        super::config::check_endpoint(endpoint, &settings)?;
    }
    let mut builder = AmazonS3Builder::new();
    for (key, value) in &config {
        builder = builder.with_config(*key, value);
    }
    let dialect = Dialect {
        generations: false,
        suffixes: true,
        conditions: config.get(&Config::ConditionalPut).map(String::as_str) != Some("disabled"),
        backslashes: true,
        bulk_deletion: true,
        largest_put: LARGEST_PUT,
        conditional_uploads: true,
        moves: !config.contains_key(&Config::Endpoint),
        connect: Box::new(move |connector, region| connect(&builder, connector, region)),
    };
    Ok((settings, dialect))
}

fn connect(
    builder: &AmazonS3Builder,
    connector: &Connector,
    region: Option<&str>,
) -> Result<Clients> {
    let mut builder = builder
        .clone()
        .with_client_options(connector.client_options())
        .with_retry(connector.retry())
        .with_http_connector(connector.clone());
    if let Some(region) = region {
        builder = builder.with_region(region);
    }
    let store = Arc::new(builder.clone().build().map_err(refused)?);
    // both clients share fetched credentials
    let single = builder
        .with_credentials(store.credentials().clone())
        .with_disable_bulk_delete(true)
        .build()
        .map_err(refused)?;
    let single: Arc<dyn ObjectStore> = Arc::new(single);
    Ok(Clients { store: store.clone(), pages: store, eraser: Box::new(single) })
}

/// Credentials are taken as a set: a key of one source is never combined with another's secret.
const CREDENTIALS: &[Config] = &[
    Config::AccessKeyId,
    Config::SecretAccessKey,
    Config::Token,
    Config::WebIdentityTokenFile,
    Config::RoleArn,
];

/// Merges options, environment and profile files, in this order; a profile that the options name
/// precedes the environment.
fn configuration(bucket: &str, options: &Options) -> Result<HashMap<Config, String>> {
    let option = |name| options.text(name).filter(|text| !text.is_empty());
    let named = option("profile");
    let profile = Profile::load(named)?;
    let environment = super::config::environment("AWS_");
    let from_environment = layer(environment.iter().map(|(name, value)| (&name[..], &value[..])));
    let from_profile = layer(profile.settings().map(|(name, value)| match name {
        "s3.endpoint_url" => ("aws_endpoint_url_s3", value),
        "s3.addressing_style" if value == "virtual" => ("virtual_hosted_style_request", "true"),
        _ => (name, value),
    }));
    let known = KNOWN.iter().filter_map(|(name, theirs)| Some((*theirs, option(name)?)));
    let known = known.filter(|(_, value)| *value != "auto");
    let from_options = layer(known.chain(option("endpoint").map(|url| ("endpoint", url))));
    let mut config = HashMap::new();
    let layers = match named {
        Some(_) => [from_environment, from_profile, from_options],
        None => [from_profile, from_environment, from_options],
    };
    for layer in layers {
        if [Config::AccessKeyId, Config::WebIdentityTokenFile].iter().any(|k| layer.contains_key(k))
        {
            config.retain(|key, _| !CREDENTIALS.contains(key));
        }
        config.extend(layer);
    }
    let is = |key| config.get(&key).is_some_and(|value: &String| super::config::means_yes(value));
    if !is(Config::SkipSignature)
        && ![
            Config::AccessKeyId,
            Config::WebIdentityTokenFile,
            Config::ContainerCredentialsRelativeUri,
            Config::ContainerCredentialsFullUri,
        ]
        .iter()
        .any(|key| config.contains_key(key))
    {
        profile.check_credentials()?;
    }
    let virtual_hosted = is(Config::VirtualHostedStyleRequest);
    if let Some(endpoint) = config.get_mut(&Config::Endpoint) {
        *endpoint = endpoint.trim_end_matches('/').to_owned();
        // object_store then expects the bucket in the endpoint
        if let (true, Some((scheme, host))) = (virtual_hosted, endpoint.split_once("://"))
            && !host.starts_with(&format!("{bucket}."))
        {
            *endpoint = format!("{scheme}://{bucket}.{host}");
        }
    }
    // TLS protects the payload, so it needs no hash of its own
    let encrypted = config.get(&Config::Endpoint).is_none_or(|url| url.starts_with("https:"));
    config.entry(Config::UnsignedPayload).or_insert_with(|| encrypted.to_string());
    config.insert(Config::Bucket, bucket.to_owned());
    Ok(config)
}

/// The settings of one source, by object_store's names; unknown ones are skipped. An empty value
/// counts as unset.
fn layer<'a>(said: impl Iterator<Item = (&'a str, &'a str)>) -> HashMap<Config, String> {
    let mut layer: HashMap<Config, String> = said
        .filter(|(_, value)| !value.is_empty())
        .filter_map(|(name, value)| Some((name.parse::<Config>().ok()?, value.to_owned())))
        .filter(|(key, _)| !matches!(key, Config::Client(_) | Config::Bucket))
        .collect();
    // two names of one setting
    if let Some(region) = layer.remove(&Config::DefaultRegion) {
        layer.entry(Config::Region).or_insert(region);
    }
    if let Some(endpoint) = layer.remove(&Config::S3Endpoint) {
        layer.insert(Config::Endpoint, endpoint);
    }
    layer
}
