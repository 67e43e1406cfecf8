//! Whom encrypted connections trust.

use super::{Settings, choose_cryptography};
use crate::error::{Context, Error, Kind, Result};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, SignatureScheme};
use rustls_platform_verifier::Verifier;
use std::sync::{Arc, OnceLock};

/// The certificates that are trusted: the system's and those of the option `ca_file`.
pub struct Trust {
    extra: Vec<CertificateDer<'static>>,
    /// Whether every certificate is accepted.
    anyone: bool,
    /// The protocols that a connection may speak, by their names in TLS; none: unnamed.
    protocols: &'static [&'static [u8]],
    config: OnceLock<Arc<ClientConfig>>,
}

impl Trust {
    /// Reads the option `ca_file`.
    ///
    /// [`Kind::InvalidArgument`]: that file holds none; or the error of reading it.
    pub fn new(settings: &Settings, protocols: &'static [&'static [u8]]) -> Result<Self> {
        let extra = certificates(settings).at(|| "option ca_file")?;
        let anyone = settings.allow_invalid_certificates;
        Ok(Trust { extra, anyone, protocols, config: OnceLock::new() })
    }

    /// The TLS configuration. The first call reads the system's certificates, which takes
    /// milliseconds.
    pub fn config(&self) -> Result<Arc<ClientConfig>> {
        if let Some(config) = self.config.get() {
            return Ok(config.clone());
        }
        choose_cryptography();
        let refused =
            |e: rustls::Error| Error::new(Kind::Io, format!("TLS cannot be set up here: {e}"));
        let provider = Arc::new(ring::default_provider());
        let verifier: Arc<dyn ServerCertVerifier> = if self.anyone {
            Arc::new(Anyone(provider.clone()))
        } else {
            let verifier = Verifier::new_with_extra_roots(self.extra.clone(), provider.clone());
            Arc::new(verifier.map_err(refused)?)
        };
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(refused)?
            .dangerous()
            .with_custom_certificate_verifier(verifier)
            .with_no_client_auth();
        config.alpn_protocols = self.protocols.iter().map(|name| name.to_vec()).collect();
        Ok(self.config.get_or_init(|| Arc::new(config)).clone())
    }
}

fn certificates(settings: &Settings) -> Result<Vec<CertificateDer<'static>>> {
    let Some(path) = &settings.ca_file else { return Ok(Vec::new()) };
    let text = std::fs::read(path).map_err(|e| Error::io(path.display(), &e))?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    match found {
        Ok(found) if !found.is_empty() => Ok(found),
        _ => Err(Error::invalid(format!("{} holds no certificate in PEM", path.display()))),
    }
}

/// Accepts every certificate, for the option `allow_invalid_certificates`.
#[derive(Debug)]
struct Anyone(Arc<CryptoProvider>);

impl ServerCertVerifier for Anyone {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
