//! TLS for the stores with a protocol other than HTTP.

use super::{Settings, choose_cryptography};
use crate::error::{Context, Error, Kind, Result};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, SignatureScheme};
use rustls_platform_verifier::Verifier;
use std::sync::Arc;

/// The TLS configuration: trusts the system's certificates and those of the option `ca_file`.
///
/// [`Kind::InvalidArgument`]: that file holds none; or the error of reading it.
pub fn config(settings: &Settings) -> Result<Arc<ClientConfig>> {
    choose_cryptography();
    let refused =
        |e: rustls::Error| Error::new(Kind::Io, format!("TLS cannot be set up here: {e}"));
    let provider = Arc::new(ring::default_provider());
    let verifier: Arc<dyn ServerCertVerifier> = if settings.allow_invalid_certificates {
        Arc::new(Anyone(provider.clone()))
    } else {
        let trusted = certificates(settings).at(|| "option ca_file")?;
        Arc::new(Verifier::new_with_extra_roots(trusted, provider.clone()).map_err(refused)?)
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(refused)?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

fn certificates(settings: &Settings) -> Result<Vec<CertificateDer<'static>>> {
    let Some(path) = &settings.ca_file else { return Ok(Vec::new()) };
    let text = std::fs::read(path)
        .map_err(|e| Error::system(path.display(), e.raw_os_error().unwrap_or(0)))?;
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
