//! What a document or a server must not bring a caller to: to show credentials to others, to read
//! what is no business of theirs, to wait for nobody.

#[cfg(feature = "reference")]
use super::server::Files;
use super::server::{Reply, Server};
use super::words::*;
use std::time::{Duration, Instant};
use zarrc::error::Kind;

/// Credentials that are sent as they are.
const SECRETS: &[(&str, &str)] =
    &[("bearer_token", "TOKEN"), ("headers", r#"{"X-Key": "KEY", "Cookie": "sid=COOKIE"}"#)];

#[cfg(feature = "reference")]
#[test]
fn references_send_credentials_to_the_server_that_they_came_from_alone() {
    let files = Files::new(&[("/collect", b"0123456789")]);
    let other = files.clone();
    let stranger = Server::new(move |request| other.answer(request));
    let home = files.clone();
    let server = Server::new(move |request| home.answer(request));
    let text = format!(
        r#"{{"evil": ["{0}/collect", 0, 4], "evil/in": ["{0}/collect|readonly:", 0, 4],
            "evil/chain": ["readonly::{0}/collect", 0, 4],
            "good": ["{1}/collect", 0, 4], "near": ["collect", 0, 4]}}"#,
        stranger.url(),
        server.url()
    );
    files.put("/refs.json", text.as_bytes());
    let local = std::env::temp_dir().join(format!("zarrc-trust-{}.json", std::process::id()));
    std::fs::write(&local, &text).unwrap();
    let shows = |request: &super::server::Request| {
        let header = |name| request.header(name).is_some();
        [header("authorization"), header("x-key"), header("cookie")]
    };
    for secret in SECRETS {
        let secrets = match secret.0 {
            "headers" => [false, true, true],
            _ => [true, false, false],
        };
        let from_server = format!("{}/refs.json|reference:", server.url());
        let from_file = format!("{}|reference:", local.display());
        for url in [&from_server, &from_file] {
            let store = opened(url, &[*secret]).unwrap();
            server.asked();
            for k in ["evil", "evil/in", "evil/chain"] {
                assert_eq!(get(&*store, k).unwrap(), b"0123");
            }
            assert!(stranger.asked().iter().all(|request| shows(request) == [false; 3]));
            assert_eq!(get(&*store, "good").unwrap(), b"0123");
            let told = url == &from_server;
            let expected = if told { secrets } else { [false; 3] };
            assert!(server.asked().iter().all(|request| shows(request) == expected), "{url}");
        }
        let store = opened(&from_server, &[*secret]).unwrap();
        server.asked();
        assert_eq!(get(&*store, "near").unwrap(), b"0123");
        assert!(server.asked().iter().all(|request| shows(request) == secrets));
        // to those that the option names
        let allowed = ("virtual_chunks", &*stranger.url());
        let store = opened(&from_file, &[*secret, allowed]).unwrap();
        assert_eq!(get(&*store, "evil").unwrap(), b"0123");
        assert!(stranger.asked().iter().all(|request| shows(request) == secrets));
        let e = fails(store.get(&key("good"), &mut Vec::new()));
        assert!(e.kind() == Kind::PermissionDenied && e.to_string().contains("virtual_chunks"));
    }
    std::fs::remove_file(local).unwrap();
}

#[cfg(feature = "reference")]
#[test]
fn references_do_not_reach_where_machines_are_told_who_they_are() {
    let redirecting = Server::new(|_| {
        Reply::new(302, "").with("Location", "http://169.254.169.254/latest/meta-data/")
    });
    let files = Files::default();
    let text = format!(
        r#"{{"a": ["http://169.254.169.254/latest/meta-data/iam"], "b": ["http://[::ffff:a9fe:a9fe]/x"],
            "c": ["http://2852039166/x|readonly:"], "d": ["{}/x"], "e": ["redis://127.0.0.1:1/0/x"],
            "f": ["az://c@account.dfs.example.org/x"]}}"#,
        redirecting.url()
    );
    files.put("/refs.json", text.as_bytes());
    let server = Server::new(move |request| files.answer(request));
    let store = opened(&format!("{}/refs.json|reference:", server.url()), &[]).unwrap();
    for k in ["a", "b", "c", "d"] {
        let e = fails(store.get(&key(k), &mut Vec::new()));
        assert_eq!(e.kind(), Kind::PermissionDenied, "{k}: {e}");
        assert!(e.to_string().contains("virtual_chunks"), "{k}: {e}");
    }
    for k in ["e", "f"] {
        let e = fails(store.get(&key(k), &mut Vec::new()));
        assert!(matches!(e.kind(), Kind::PermissionDenied | Kind::Unsupported), "{k}: {e}");
    }
}

#[test]
fn a_server_does_not_send_to_where_machines_are_told_who_they_are() {
    let server = Server::new(|_| Reply::new(307, "").with("Location", "http://169.254.169.254/x"));
    let store = opened(&server.url(), &[]).unwrap();
    let e = fails(store.get(&key("a"), &mut Vec::new()));
    assert_eq!(e.kind(), Kind::PermissionDenied, "{e}");
}

/// An address where nobody listens.
fn nobody() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    format!("http://{address}")
}

#[test]
fn a_connection_that_is_refused_is_told_soon() {
    let url = nobody();
    let at_http = opened(&url, &[]).unwrap();
    let mut stores = vec![at_http];
    if cfg!(feature = "s3") {
        let set = [("endpoint", &*url), ("access_key_id", "k"), ("secret_access_key", "s")];
        stores.push(
            zarrc::store::open("s3://b/x", zarrc::store::Mode::Append, &options(&set)).unwrap(),
        );
    }
    for store in stores {
        let began = Instant::now();
        let e = fails(store.get(&key("a"), &mut Vec::new()));
        assert!(e.kind() == Kind::Io && e.to_string().contains("refused"), "{e}");
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}: {e}", began.elapsed());
        let began = Instant::now();
        if !store.read_only() {
            let set = store.set(&key("a"), &[b"x"], &zarrc::store::Precondition::None);
            assert_eq!(fails(set).kind(), Kind::Io);
        }
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    }
}
