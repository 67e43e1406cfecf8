//! Redis servers that fail: fakes on this machine's loopback, and a server of the test's own where
//! one is installed.
#![cfg(feature = "redis")]

use super::helpers::*;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use zarrc::error::Kind;
use zarrc::store::{Depth, Mode, Precondition, SharedStore, open};

/// The words of one command.
fn command(from: &mut impl BufRead) -> Option<Vec<Vec<u8>>> {
    let mut count = |mark: char| {
        let mut line = String::new();
        from.read_line(&mut line).ok()?;
        line.strip_prefix(mark)?.trim().parse::<usize>().ok()
    };
    let words = count('*')?;
    (0..words)
        .map(|_| {
            let mut line = String::new();
            from.read_line(&mut line).ok()?;
            let mut word = vec![0; line.strip_prefix('$')?.trim().parse::<usize>().ok()? + 2];
            from.read_exact(&mut word).ok()?;
            word.truncate(word.len() - 2);
            Some(word)
        })
        .collect()
}

/// A server that answers the nth command but PING as `answer` says; with nothing: by hanging up.
fn fake(
    mut answer: impl FnMut(usize, &[Vec<u8>], &mut TcpStream) -> bool + Send + 'static,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let mut count = 0;
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut from = BufReader::new(stream.try_clone().unwrap());
            while let Some(words) = command(&mut from) {
                if words[0] == b"PING" {
                    stream.write_all(b"+PONG\r\n").unwrap();
                    continue;
                }
                count += 1;
                if !answer(count, &words, &mut stream) {
                    break;
                }
            }
        }
    });
    url
}

fn said(text: &'static str) -> impl FnMut(usize, &[Vec<u8>], &mut TcpStream) -> bool + Send {
    move |_, _, stream| stream.write_all(text.as_bytes()).is_ok()
}

fn of(url: &str, set: &[(&str, &str)]) -> SharedStore {
    open(url, Mode::ReadWrite, &options(set)).unwrap()
}

#[test]
fn what_a_redis_server_refuses_has_its_kind() {
    for (answer, kind, words) in [
        ("-NOAUTH Authentication required.\r\n", Kind::PermissionDenied, "credentials"),
        ("-NOPERM no permissions\r\n", Kind::PermissionDenied, "no permissions"),
        ("-WRONGTYPE Operation against a key\r\n", Kind::CorruptData, "WRONGTYPE"),
        ("-MOVED 3999 127.0.0.1:6381\r\n", Kind::Unsupported, "cluster"),
        ("-ERR what\r\n", Kind::Io, "what"),
        ("-LOADING Redis is loading\r\n", Kind::Io, "loading"),
        ("HTTP/1.1 400 Bad Request\r\n", Kind::Io, "protocol of Redis"),
        ("*1000000000000\r\n$1\r\nx\r\n", Kind::Io, "option timeout"),
        (":7\r\n", Kind::Io, "something else"),
        ("%-1\r\n", Kind::Io, ""),
        ("$-5\r\n", Kind::Io, ""),
    ] {
        let store = of(&fake(said(answer)), &[("max_retries", "1"), ("timeout", "700ms")]);
        let result = store.version(&key("a/b"));
        if answer == "$-5\r\n" {
            assert_eq!(result.unwrap(), None, "as a value that is absent");
            continue;
        }
        let e = failure(result);
        assert_eq!(e.kind(), kind, "{e}");
        assert!(e.to_string().contains(words), "{e}");
        assert!(e.to_string().contains("zarr:a/b of redis://127.0.0.1:"), "{e}");
    }
}

#[test]
fn a_redis_server_that_says_too_much_is_cut_short() {
    let endless = |_: usize, _: &[Vec<u8>], stream: &mut TcpStream| {
        let begun = stream.write_all(b"$9000000000000000000\r\n");
        begun.is_ok() && (0..100_000).all(|_| stream.write_all(&[0; 4096]).is_ok())
    };
    let store = of(&fake(endless), &[]);
    let e = failure(store.version(&key("a")));
    assert!(e.kind() == Kind::CorruptData && e.to_string().contains("far more"), "{e}");
    let e = failure(store.source(&key("a")).read_at(0, &mut [0; 100]));
    assert_eq!(e.kind(), Kind::CorruptData, "{e}");
    let e = failure(store.list("", Depth::All, &mut |_| Ok(())));
    assert_eq!(e.kind(), Kind::CorruptData, "{e}");
}

#[test]
fn a_slow_redis_server_meets_the_limit_of_time() {
    let drips = |_: usize, _: &[Vec<u8>], stream: &mut TcpStream| {
        // never anything whole, and never a pause that is long
        stream.write_all(b"$1000000\r\n").is_ok()
            && (0..1_000_000).all(|_| {
                thread::sleep(Duration::from_millis(20));
                stream.write_all(b"x").is_ok()
            })
    };
    for answer in [true, false] {
        let url = fake(move |n, words, stream| if answer { drips(n, words, stream) } else { true });
        let store = of(&url, &[("timeout", "300ms")]);
        let e = failure(store.get(&key("a"), &mut Vec::new()));
        assert!(e.kind() == Kind::Io && e.to_string().contains("300ms (option timeout)"), "{e}");
    }
    let endless = fake(said("*2\r\n$1\r\n7\r\n*0\r\n"));
    let store = of(&endless, &[("timeout", "300ms")]);
    let e = failure(store.list("", Depth::All, &mut |_| Ok(())));
    assert!(e.kind() == Kind::Io && e.to_string().contains("without a key"), "{e}");
}

#[test]
fn a_lost_connection_is_tried_again() {
    let store = of(&fake(|n, _, stream| n > 2 && stream.write_all(b"$3\r\nabc\r\n").is_ok()), &[]);
    assert_eq!(get(&*store, "a").unwrap(), b"abc");
    let store = of(&fake(|_, _, _| false), &[("max_retries", "1")]);
    let e = failure(store.get(&key("a"), &mut Vec::new()));
    assert!(e.kind() == Kind::Io && e.to_string().contains("connection is lost"), "{e}");

    // Whether a change was made is found out: the server says what is there, as in the first case
    // the value that was set, whose SHA-1 sha1sum gives.
    for (there, done) in [
        ("a9993e364706816aba3e25717850c26c9cd0d89d", true),
        ("da39a3ee5e6b4b0d3255bfef95601890afd80709", false),
        ("", false),
    ] {
        let url = fake(move |n, words, stream| {
            assert_eq!(words[0], b"EVAL");
            n > 1 && write!(stream, "${}\r\n{there}\r\n", there.len()).is_ok()
        });
        let result = set_when(&*of(&url, &[]), "a", b"abc", Precondition::Absent);
        match done {
            true => result.unwrap(),
            false => assert_eq!(kind(result), Kind::Conflict),
        }
    }
}

/// A Redis server of this test alone; `None`: none is installed.
struct Redis(Child);

impl Redis {
    fn start(scratch: &Scratch, port: u16, more: &[&str]) -> Option<Self> {
        let port = port.to_string();
        let child = Command::new("redis-server")
            .args(["--port", &port, "--bind", "127.0.0.1", "--save", "", "--dir", &scratch.url("")])
            .args(["--unixsocket", &scratch.url("socket")])
            .args(more)
            .stdout(Stdio::null())
            .spawn();
        if child.is_err() {
            println!("skipped: there is no redis-server");
        }
        child.ok().map(Redis)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Opens a store as soon as its server is there.
fn patiently(url: &str, set: &[(&str, &str)]) -> SharedStore {
    let begun = Instant::now();
    loop {
        match open(url, Mode::Append, &options(set)) {
            Ok(store) => return store,
            Err(e) if begun.elapsed() > Duration::from_secs(60) => panic!("{e}"),
            Err(_) => thread::sleep(Duration::from_millis(20)),
        }
    }
}

#[test]
fn a_redis_server_with_a_password_that_is_started_again() {
    let scratch = Scratch::new();
    let port = free_port();
    let Some(server) = Redis::start(&scratch, port, &["--requirepass", "a b%"]) else { return };
    let url = format!("redis://:a%20b%25@127.0.0.1:{port}/3");
    let store = patiently(&url, &[]);
    set(&*store, "a/b", b"abc");
    assert_eq!(store.name(), format!("redis://127.0.0.1:{port}/3 (zarr:…)"));

    let bare = format!("redis://127.0.0.1:{port}/3");
    let by_options = of(&bare, &[("password", "a b%"), ("username", "default")]);
    assert_eq!(get(&*by_options, "a/b").unwrap(), b"abc");
    let socket = format!("redis+unix://{}?db=3", scratch.url("socket"));
    let by_socket = of(&socket, &[("password", "a b%")]);
    assert_eq!(get(&*by_socket, "a/b").unwrap(), b"abc");
    for wrong in [bare.clone(), bare.replace("//", "//:guessed@")] {
        let e = failure(opened(&wrong, Mode::Read));
        assert!(e.kind() == Kind::PermissionDenied && !e.to_string().contains("guessed"), "{e}");
    }

    // connections that were kept are dead now, and others are made
    let source = store.source(&key("a/b"));
    assert_eq!(source.len().unwrap(), Some(3));
    drop(server);
    let _server = Redis::start(&scratch, port, &["--requirepass", "a b%"]).unwrap();
    set(&*store, "a/b", b"again");
    assert_eq!(get(&*store, "a/b").unwrap(), b"again");
    // whether the value is still the one that was opened nobody knows
    let e = failure(source.read_at(0, &mut [0; 3]));
    assert!(matches!(e.kind(), Kind::Conflict | Kind::Io), "{e}");
}

#[test]
fn a_redis_server_behind_tls() {
    let scratch = Scratch::new();
    let (certificate, secret) = (scratch.url("cert.pem"), scratch.url("key.pem"));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .args(["-days", "2", "-keyout", &secret, "-out", &certificate])
        .stderr(Stdio::null())
        .status();
    if !made.is_ok_and(|status| status.success()) {
        println!("skipped: there is no openssl");
        return;
    }
    let port = free_port();
    let tls = ["--tls-port", &port.to_string(), "--tls-auth-clients", "no"];
    let files = ["--tls-cert-file", &certificate, "--tls-key-file", &secret];
    let Some(_server) = Redis::start(&scratch, 0, &[tls.as_slice(), files.as_slice()].concat())
    else {
        return;
    };
    let url = format!("rediss://localhost:{port}");
    let store = patiently(&url, &[("allow_invalid_certificates", "yes")]);
    let value = pattern(3 << 20, 5);
    set(&*store, "a", &value);
    let trusting = of(&url, &[("ca_file", &certificate)]);
    assert!(get(&*trusting, "a").unwrap() == value);
    let e = failure(opened(&url, Mode::Read));
    assert!(e.to_string().contains("certificate"), "{e}");
}
