//! Web servers that are encrypted: whose certificates are taken, and where redirects may lead.
//!
//! tls/ holds the certificate of an authority made for these tests, whose key was thrown away, and
//! one of localhost and 127.0.0.1 that it signed, with its key.

use super::faults::within;
use super::server::{Reply, Server};
use super::words::*;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use zarrc::error::Kind;

/// Gives one answer to everything; goes on until the tests end.
fn serve(answer: String) -> (SocketAddr, Arc<AtomicUsize>) {
    let certificate = CertificateDer::from(include_bytes!("tls/cert.der").to_vec());
    let private = PrivateKeyDer::try_from(include_bytes!("tls/key.der").to_vec()).unwrap();
    let config =
        ServerConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], private)
            .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("0.0.0.0:0").unwrap();
    let address = SocketAddr::from(([127, 0, 0, 1], listener.local_addr().unwrap().port()));
    let count = Arc::new(AtomicUsize::new(0));
    let connections = count.clone();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            connections.fetch_add(1, Ordering::SeqCst);
            let (config, answer) = (config.clone(), answer.clone());
            thread::spawn(move || one(stream, config, &answer));
        }
    });
    (address, count)
}

fn one(stream: TcpStream, config: Arc<ServerConfig>, answer: &str) -> std::io::Result<()> {
    let connection = ServerConnection::new(config).map_err(std::io::Error::other)?;
    let mut from = BufReader::new(StreamOwned::new(connection, stream));
    let mut line = String::new();
    while from.read_line(&mut line)? > 2 {
        line.clear();
    }
    let mut to = from.into_inner();
    to.write_all(answer.as_bytes())?;
    to.conn.send_close_notify();
    to.flush()
}

#[test]
fn only_known_certificates_are_taken() {
    let (address, connections) =
        serve("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc".into());
    let ca = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/network/tls/ca.pem");
    let url = format!("https://{address}");
    let e = fails(within(60, || opened(&url, &[]).unwrap().get(&key("a"), &mut Vec::new())));
    assert!(e.kind() == Kind::Io && e.to_string().contains("certificate"), "{e}");
    assert_eq!(connections.load(Ordering::SeqCst), 1, "it does not become better");
    for set in [&[("ca_file", ca)][..], &[("allow_invalid_certificates", "yes")]] {
        assert_eq!(get(&*opened(&url, set).unwrap(), "a").unwrap(), b"abc");
    }
    // of another host than it is for
    let e = fails(
        opened(&format!("https://127.0.0.2:{}", address.port()), &[("ca_file", ca)])
            .unwrap()
            .get(&key("a"), &mut Vec::new()),
    );
    assert!(e.kind() == Kind::Io && e.to_string().contains("certificate"), "{e}");
    let e = fails(opened(&format!("http://{address}"), &[("allow_http", "no")]));
    assert!(e.kind() == Kind::InvalidArgument && e.to_string().contains("allow_http"), "{e}");
}

#[test]
fn a_redirect_away_from_encryption_is_followed_only_where_that_is_allowed() {
    let plain = Server::new(|_| Reply::new(200, "plain"));
    let (address, _) = serve(format!(
        "HTTP/1.1 302 Found\r\nLocation: {}/a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        plain.url()
    ));
    let ca = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/network/tls/ca.pem");
    let url = format!("https://me:secret@{address}");
    let store = opened(&url, &[("ca_file", ca)]).unwrap();
    let e = fails(store.get(&key("a"), &mut Vec::new()));
    assert!(e.kind() == Kind::Io && e.to_string().contains("allow_http"), "{e}");
    let store = opened(&url, &[("ca_file", ca), ("allow_http", "yes")]).unwrap();
    assert_eq!(get(&*store, "a").unwrap(), b"plain");
    let asked = plain.asked();
    assert!(asked.len() == 1 && asked[0].header("authorization").is_none());
}
