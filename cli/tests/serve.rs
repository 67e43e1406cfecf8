//! `zarrc serve`, asked over a socket, by zarrc itself, and by zarr-python.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Scratch, Server, data};
use std::fs;
use std::io::{Read, Write};
use std::process::Command;

fn with_store(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.ok(&["write", "a.zarr", "g/t", &data("t.npy"), "--chunks", "4,3,5"]);
    scratch.ok(&["write", "a.zarr", "numbers", &data("plain.npy")]);
    scratch.ok(&["attrs", "set", "a.zarr", "g", "title", "täst"]);
    // older than a version that could change unnoticed
    std::thread::sleep(std::time::Duration::from_millis(50));
    scratch
}

#[test]
fn values_and_their_parts() {
    let scratch = with_store("serve-values");
    let server = Server::start(&scratch, &["serve", "a.zarr"]);
    let chunk = fs::read(scratch.0.join("a.zarr/g/t/c/0/0/0")).unwrap();
    let n = chunk.len();
    let path = "/g/t/c/0/0/0";
    let (status, head, body) = server.ask(&format!("GET {path}"));
    assert_eq!((status, &body), (200, &chunk));
    assert!(head.contains("accept-ranges: bytes"), "{head}");
    let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let (status, head, body) = server.ask(&format!("HEAD {path}"));
    assert_eq!((status, body.len()), (200, 0));
    assert!(head.contains(&format!("content-length: {n}\r")), "{head}");
    for (range, from, to) in [
        ("bytes=0-0", 0, 1),
        ("bytes=3-9", 3, 10),
        ("bytes=7-", 7, n),
        ("bytes=-4", n - 4, n),
        ("bytes=-99999999", 0, n),
        ("bytes=5-99999999", 5, n),
        ("bytes=5-18446744073709551615", 5, n),
    ] {
        let (status, head, body) = server.ask(&format!("GET {path}\nRange: {range}"));
        assert_eq!((status, &body[..]), (206, &chunk[from..to]), "{range}");
        assert!(head.contains(&format!("content-range: bytes {from}-{}/{n}", to - 1)), "{head}");
    }
    // what asks for no range, or for several, gets all
    for range in ["bytes=9-3", "bytes=0-1,4-5", "bytes=-", "bytes=x-2", "bytes=1-y", "lines=1-2"] {
        let (status, _, body) = server.ask(&format!("GET {path}\nRange: {range}"));
        assert_eq!((status, body.len()), (200, n), "{range}");
    }
    for range in ["bytes=99999999-", "bytes=-0", "bytes=18446744073709551615-"] {
        let (status, head, _) = server.ask(&format!("GET {path}\nRange: {range}"));
        assert_eq!(status, 416, "{range}");
        assert!(head.contains(&format!("content-range: bytes */{n}")), "{head}");
    }
    for (condition, expected) in [
        (format!("If-None-Match: {tag}"), 304),
        (format!("If-None-Match: \"x\", {tag}"), 304),
        ("If-None-Match: *".into(), 304),
        ("If-None-Match: \"x\"".into(), 200),
        (format!("If-Match: {tag}"), 200),
        ("If-Match: \"x\"".into(), 412),
        (format!("If-Range: {tag}\nRange: bytes=1-2"), 206),
        ("If-Range: \"x\"\nRange: bytes=1-2".into(), 200),
    ] {
        let (status, _, _) = server.ask(&format!("GET {path}\n{condition}"));
        assert_eq!(status, expected, "{condition}");
    }
    // another version has another tag
    let file = scratch.0.join("a.zarr").join(&path[1..]);
    fs::write(&file, b"other bytes").unwrap();
    let (status, _, body) = server.ask(&format!("GET {path}\nIf-None-Match: {tag}"));
    assert_eq!((status, &body[..]), (200, &b"other bytes"[..]));
    assert_eq!(server.ask("GET /g/t/c/9/9/9").0, 404);
}

#[test]
fn listings_are_links() {
    let scratch = with_store("serve-listings");
    fs::write(scratch.0.join("a.zarr/g/a <b>&ü#"), b"x").unwrap();
    let server = Server::start(&scratch, &["serve", "a.zarr"]);
    let (status, head, body) = server.ask("GET /g/");
    let page = String::from_utf8(body).unwrap();
    assert_eq!(status, 200);
    assert!(head.contains("text/html") && head.contains("nosniff"), "{head}");
    for link in ["href=\"t/\"", "href=\"zarr.json\"", "href=\"a%20%3Cb%3E%26%C3%BC%23\""] {
        assert!(page.contains(link), "{page}");
    }
    assert!(!page.contains("<b>"), "{page}");
    assert_eq!(server.ask("GET /g/a%20%3Cb%3E%26%C3%BC%23").2, b"x");
    let (status, head, _) = server.ask("GET /g");
    assert!(status == 301 && head.contains("location: /g/"), "{head}");
    assert_eq!(server.ask("GET /none/").0, 404);
}

#[test]
fn hostile_requests_are_refused() {
    let scratch = with_store("serve-hostile");
    fs::write(scratch.0.join("secret"), b"secret").unwrap();
    let server = Server::start(&scratch, &["serve", "a.zarr"]);
    for path in ["/../secret", "/g/../../secret", "/%2e%2e/secret", "/..%2fsecret", "/%2e%2e/"] {
        let (status, _, body) = server.ask(&format!("GET {path}"));
        assert_eq!(status, 400, "{path}");
        assert!(!body.windows(6).any(|six| six == b"secret"), "{path}");
    }
    assert_eq!(server.ask("GET /%ff").0, 400);
    assert_eq!(server.ask("GET /g%00/zarr.json").0, 400);
    for method in ["PUT", "POST", "DELETE", "OPTIONS"] {
        let (status, head, _) = server.ask(&format!("{method} /zarr.json"));
        assert!(status == 405 && head.contains("allow: get, head"), "{head}");
    }
    // the name of another page's server that was made to point here
    assert_eq!(server.ask("GET /zarr.json\nHost: example.org").0, 421);
    assert_eq!(server.ask("GET /zarr.json\nHost: localhost").0, 200);
    // a head without end
    let mut stream = server.connect();
    let line = format!("X: {}\r\n", "x".repeat(4000));
    let _ = stream.write_all(b"GET / HTTP/1.1\r\n");
    let sent = (0..1000).take_while(|_| stream.write_all(line.as_bytes()).is_ok()).count();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(sent < 1000 || answer.starts_with(b"HTTP/1.1 431"), "{sent} lines");
    // connections that say nothing do not keep others out
    let _idle: Vec<_> = (0..50).map(|_| server.connect()).collect();
    assert_eq!(server.ask("GET /zarr.json").0, 200);
}

#[test]
fn pages_of_other_origins_read_only_if_allowed() {
    let scratch = with_store("serve-cors");
    let closed = Server::start(&scratch, &["serve", "a.zarr"]);
    assert!(!closed.ask("GET /zarr.json").1.contains("access-control"));
    let open = Server::start(&scratch, &["serve", "a.zarr", "--cors", "https://example.org"]);
    let (_, head, _) = open.ask("GET /zarr.json\nOrigin: https://example.org");
    assert!(head.contains("access-control-allow-origin: https://example.org"), "{head}");
    let (status, head, _) = open.ask("OPTIONS /zarr.json\nAccess-Control-Request-Method: GET");
    assert!(status == 204 && head.contains("access-control-allow-headers: range"), "{head}");
    assert!(scratch.trouble(&["serve", "a.zarr", "--cors", "a\nb"]).contains("--cors"));
    assert!(scratch.trouble(&["serve", "none.zarr"]).contains("none.zarr"));
}

#[test]
fn zarrc_reads_what_it_serves() {
    let scratch = with_store("serve-zarrc");
    let server = Server::start(&scratch, &["serve", "a.zarr"]);
    scratch.ok(&["diff", "a.zarr", &server.url]);
    assert_eq!(scratch.ok(&["ls", "-r", &server.url]), scratch.ok(&["ls", "-r", "a.zarr"]));
    scratch.ok(&["verify", &server.url]);
    scratch.ok(&["cat", "-f", "npy", "-o", "out.npy", &server.url, "g/t"]);
    assert_eq!(scratch.bytes("out.npy"), fs::read(data("t.npy")).unwrap());
}

#[test]
fn zarr_python_reads_what_is_served() {
    let python = std::env::var("ZARRC_PYTHON").unwrap_or_else(|_| "python3".into());
    let asked = Command::new(&python).args(["-c", "import aiohttp, fsspec, zarr"]).output();
    if !asked.is_ok_and(|output| output.status.success()) {
        println!("skipped: {python} has no zarr, fsspec and aiohttp (ZARRC_PYTHON names another)");
        return;
    }
    let scratch = with_store("serve-python");
    let server = Server::start(&scratch, &["serve", "a.zarr"]);
    let script = "
import sys, fsspec, numpy, zarr
url, t = sys.argv[1:]
root = zarr.open_group(url, mode='r')
assert sorted(root.keys()) == ['g', 'numbers'], list(root.keys())
assert root['g'].attrs['title'] == 'täst'
numpy.testing.assert_array_equal(root['g/t'][:], numpy.load(t))
numpy.testing.assert_array_equal(root['g/t'][-1, ::3, 2:6:2], numpy.load(t)[-1, ::3, 2:6:2])
http = fsspec.filesystem('http')
names = [name.split('/', 3)[3] for name in http.find(url)]
assert 'g/t/c/0/0/0' in names and 'numbers/zarr.json' in names, names
assert http.cat_file(url + 'zarr.json', start=1, end=5) == http.cat_file(url + 'zarr.json')[1:5]
";
    let ran = Command::new(&python).args(["-c", script, &server.url, &data("t.npy")]).output();
    let ran = ran.unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}
