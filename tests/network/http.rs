//! Web servers: those that behave, and those that do not.

use super::faults::{CASES, WRONG_RANGES, within};
use super::server::{Change, Fault, Files, Reply, Request, Server};
use super::words::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use zarrc::error::Kind;
use zarrc::hierarchy::Hierarchy;
use zarrc::metadata::NodePath;
use zarrc::store::{Depth, Mode, Options, Precondition};

/// Serves `files`, with pages about directories if `lists`.
fn serve(files: &Files, lists: bool) -> Server {
    let files = files.clone();
    Server::new(move |request| match files.page(&request.path) {
        Some(page) if lists && request.path.ends_with('/') => page,
        _ => files.answer(request),
    })
}

#[test]
fn values_are_read_whole_and_in_part_at_one_request_each() {
    let value = pattern(70_000);
    let files = Files::new(&[("/x/a b/c%20", &value), ("/x/empty", b"")]);
    let server = serve(&files, false);
    let store = opened(&format!("{}/x/", server.url()), &[]).unwrap();
    assert_eq!(store.name(), format!("{}/x", server.url()));
    assert!(store.read_only() && store.concurrency() == 64);
    assert!(server.asked().is_empty(), "opening asks for nothing");

    assert_eq!(get(&*store, "a b/c%20").unwrap(), value);
    let k = key("a b/c%20");
    let (source, mut part) = (store.source(&k), vec![0; 100]);
    assert!(source.read_at(5000, &mut part).unwrap());
    assert!(part == value[5000..5100]);
    assert_eq!(server.lines(), ["GET /x/a b/c%20", "GET /x/a b/c%20 bytes=5000-5099"]);
    // the length came with the part
    assert_eq!(source.len().unwrap(), Some(70_000));
    let e = fails(source.read_at(69_990, &mut part));
    assert!(e.kind() == Kind::CorruptData && e.to_string().contains("70000"), "{e}");
    assert!(server.asked().is_empty());

    let mut end = b"kept".to_vec();
    assert_eq!(store.source(&k).read_suffix(16, &mut end).unwrap(), Some(70_000));
    assert!(end[..4] == *b"kept" && end[4..] == value[70_000 - 16..]);
    let mut whole = vec![0; 70_000];
    assert!(store.source(&k).read_exactly(&mut whole).unwrap() && whole == value);
    let version = store.version(&k).unwrap().unwrap();
    let expected = ["GET /x/a b/c%20", "GET /x/a b/c%20 bytes=-16", "HEAD /x/a b/c%20"];
    assert_eq!(server.lines(), expected);

    // the same version, however it is learnt; a pinned read asks for it
    assert_eq!(store.get(&k, &mut Vec::new()).unwrap(), Some(version.clone()));
    server.asked();
    assert!(store.source_at(&k, &version).read_at(0, &mut part).unwrap());
    assert!(server.asked()[0].header("if-match").is_some());

    for (size, words) in [(69_999, "too long"), (70_001, "truncated")] {
        let e = fails(store.source(&k).read_exactly(&mut vec![0; size]));
        assert!(e.kind() == Kind::CorruptData && e.to_string().contains(words), "{e}");
    }
    for (offset, size) in [(70_000, 1), (u64::MAX, 1), (u64::MAX - 1, 9), (1 << 63, 1)] {
        let e = fails(store.source(&k).read_at(offset, &mut vec![0; size]));
        assert_eq!(e.kind(), Kind::CorruptData, "{e}");
    }
    assert_eq!(get(&*store, "empty").unwrap(), b"");
    let mut out = Vec::new();
    assert_eq!(store.source(&key("empty")).read_suffix(9, &mut out).unwrap(), Some(0));
    assert_eq!(store.source(&key("empty")).len().unwrap(), Some(0));
    assert_eq!(store.source(&k).read_suffix(u64::MAX, &mut out).unwrap(), Some(70_000));
    assert!(out == value);
}

#[test]
fn a_file_taken_for_a_directory_is_told_by_its_name() {
    let server = serve(&Files::new(&[("/x.zip", b"PK"), ("/x.json", b"{}")]), false);
    for (name, words) in [("x.zip", "followed by |zip:"), ("x.json", "followed by |reference:")] {
        let store = opened(&format!("{}/{name}", server.url()), &[]).unwrap();
        let e = Arc::new(Hierarchy::new(store, &Options::default())).open_array(&NodePath::root());
        let e = e.err().unwrap();
        assert!(e.kind() == Kind::NotFound && e.to_string().contains(words), "{e}");
    }
}

#[test]
fn what_is_absent_costs_one_request_and_never_a_listing() {
    let server = serve(&Files::new(&[("/a/b", b"x")]), true);
    let store = opened(&server.url(), &[]).unwrap();
    let mut out = Vec::new();
    assert_eq!(store.get(&key("c"), &mut out).unwrap(), None);
    assert_eq!(server.lines(), ["GET /c"]);
    let k = key("d");
    let source = store.source(&k);
    assert!(!source.read_all(10, &mut out).unwrap());
    assert!(!source.read_at(3, &mut [0; 9]).unwrap() && !source.read_exactly(&mut []).unwrap());
    assert_eq!(source.read_suffix(3, &mut out).unwrap(), None);
    assert_eq!((source.len().unwrap(), source.version().unwrap()), (None, None));
    assert_eq!(server.lines(), ["GET /d"]);
    assert_eq!(store.version(&key("e")).unwrap(), None);
    assert_eq!(server.lines(), ["HEAD /e"]);
    let gone = Server::new(|_| Reply::new(410, ""));
    assert_eq!(get(&*opened(&gone.url(), &[]).unwrap(), "a"), None);
}

#[test]
fn a_web_server_is_not_written_to() {
    for mode in [Mode::ReadWrite, Mode::Append, Mode::Create, Mode::Overwrite] {
        let e =
            fails(zarrc::store::open("http://u:secret@h/x?s=secret", mode, &Options::default()));
        assert_eq!(e.kind(), Kind::PermissionDenied);
        assert!(!e.to_string().contains("secret"), "{e}");
    }
    let store = opened("http://127.0.0.1:1/x", &[]).unwrap();
    let e = fails(store.set(&key("a"), &[], &Precondition::None));
    assert_eq!(e.kind(), Kind::PermissionDenied);
    assert_eq!(fails(store.erase_prefix("")).kind(), Kind::PermissionDenied);
}

#[test]
fn what_was_replaced_in_between_is_a_conflict() {
    let old = pattern(5000);
    // with an ETag and If-Match; with an ETag that is only looked at; with a date; with a length
    for kind in 0..4 {
        let files = Files::new(&[("/a", &old)]);
        let (served, changed) = (files.clone(), Arc::new(AtomicUsize::new(0)));
        let now = changed.clone();
        let server = Server::new(move |request| {
            let mut request = request.clone();
            if kind > 0 {
                request.headers.retain(|(name, _)| name != "if-match");
            }
            let reply = served.answer(&request);
            let day = format!("Mon, 0{} Jan 2024 00:00:00 GMT", 1 + now.load(Ordering::SeqCst));
            match kind {
                2 => reply.without("ETag").with("Last-Modified", day),
                3 => reply.without("ETag"),
                _ => reply,
            }
        });
        let store = opened(&server.url(), &[]).unwrap();
        let k = key("a");
        let source = store.source(&k);
        source.read_suffix(16, &mut Vec::new()).unwrap();
        let before = store.version(&k).unwrap().unwrap();
        assert_eq!(source.version().unwrap().unwrap(), before);
        files.put("/a", &pattern(6000));
        changed.store(1, Ordering::SeqCst);
        for e in [
            fails(source.read_at(0, &mut [0; 9])),
            fails(source.read_all(0, &mut Vec::new())),
            fails(store.source_at(&k, &before).read_suffix(9, &mut Vec::new())),
        ] {
            assert_eq!(e.kind(), Kind::Conflict, "{kind} {e}");
            assert!(e.to_string().contains("GET http://127.0.0.1"), "{e}");
        }
        assert_ne!(store.version(&k).unwrap().unwrap(), before);
        files.take("/a");
        assert_eq!(fails(source.read_at(0, &mut [0; 9])).kind(), Kind::Conflict);
        assert_eq!(get(&*store, "a"), None);
    }
}

#[test]
fn a_server_without_ranges_sends_all_and_it_is_kept() {
    let value = pattern(3 << 20);
    for fault in [Fault::None, Fault::Chunked] {
        let files = Files::new(&[("/a", &value), ("/short", b"12345")]);
        let server = Server::new(move |request| {
            let mut request = request.clone();
            request.headers.retain(|(name, _)| name != "range");
            let reply = files.answer(&request).failing(fault);
            if fault == Fault::None { reply } else { reply.without("Content-Length") }
        });
        let store = opened(&server.url(), &[]).unwrap();
        let k = key("a");
        let (source, mut part) = (store.source(&k), vec![0; 1000]);
        assert!(source.read_at(1 << 20, &mut part).unwrap());
        assert!(part == value[1 << 20..][..1000]);
        assert_eq!(source.request_cost(), 0);
        assert_eq!(source.read_suffix(7, &mut part).unwrap(), Some(3 << 20));
        assert!(part[1000..] == value[(3 << 20) - 7..]);
        assert_eq!(source.len().unwrap(), Some(3 << 20));
        assert_eq!(server.asked().len(), 1);
        for (size, expected) in [(5, b"12345".as_slice()), (3, b"345"), (9, b"12345")] {
            let mut out = Vec::new();
            let len = store.source(&key("short")).read_suffix(size, &mut out).unwrap();
            assert_eq!((len, &*out), (Some(5), expected));
        }
        let mut out = Vec::new();
        assert_eq!(store.source(&k).read_suffix(7, &mut out).unwrap(), Some(3 << 20));
        assert!(out == value[(3 << 20) - 7..]);
        let e = fails(store.source(&key("short")).read_at(3, &mut [0; 3]));
        assert!(e.kind() == Kind::CorruptData && e.to_string().contains("5 bytes"), "{e}");
        assert!(store.source(&key("short")).read_exactly(&mut [0; 5]).unwrap());
        let e = fails(store.source(&key("short")).read_exactly(&mut [0; 4]));
        assert_eq!(e.kind(), Kind::CorruptData);
        assert_eq!(store.source(&key("short")).len().unwrap(), Some(5));
    }
}

#[test]
fn of_a_large_value_without_ranges_only_what_is_needed_is_taken() {
    let files = Files::new(&[("/a", &vec![7; 80 << 20])]);
    let server = Server::new(move |request| {
        let mut request = request.clone();
        request.headers.retain(|(name, _)| name != "range");
        files.answer(&request)
    });
    let store = opened(&server.url(), &[]).unwrap();
    let k = key("a");
    let (source, mut part) = (store.source(&k), vec![0; 1000]);
    assert!(source.read_at(1 << 20, &mut part).unwrap() && part == [7; 1000]);
    assert!(source.as_slice().is_none());
    assert_eq!(store.source(&k).read_suffix(9, &mut part).unwrap(), Some(80 << 20));
    assert!(part[1000..] == [7; 9]);
}

#[test]
fn ends_and_lengths_come_from_servers_that_know_one_way_only() {
    let value = pattern(3 << 20);
    let files = Files::new(&[("/a", &value)]);
    // no ranges that count from the end, and no HEAD
    for refusal in [400, 416, 501] {
        let served = files.clone();
        let server = Server::new(move |request| match request.header("range") {
            _ if request.method == "HEAD" => Reply::new(403, ""),
            Some(range) if range.starts_with("bytes=-") => Reply::new(refusal, ""),
            _ => served.answer(request),
        });
        let store = opened(&server.url(), &[]).unwrap();
        let mut out = Vec::new();
        for _ in 0..2 {
            assert_eq!(store.source(&key("a")).read_suffix(9, &mut out).unwrap(), Some(3 << 20));
        }
        assert!(out[..9] == value[(3 << 20) - 9..] && out[9..] == out[..9]);
        let lines = server.lines();
        let count = |what: &str| lines.iter().filter(|line| line.contains(what)).count();
        let counts = (count("HEAD"), count("bytes=-9"), count("bytes=0-0"), lines.len());
        assert_eq!(counts, (1, 1, 2, 6), "{lines:?}");
        let version = store.version(&key("a")).unwrap();
        assert!(version.is_some() && version == store.get(&key("a"), &mut out).unwrap());
        assert_eq!(store.version(&key("b")).unwrap(), None);
    }
}

#[test]
fn queries_and_credentials_go_with_each_request() {
    let files = Files::new(&[("/x/a", b"1"), ("/x/b/c", b"2")]);
    let server = serve(&files, true);
    let host = server.url().split_off("http://".len());
    let url = format!("http://me:p%40ss@{host}/x?sig=se%2Fcret&n=1");
    let store = opened(&url, &[("headers", r#"{"X-Api-Key": "secret"}"#)]).unwrap();
    get(&*store, "a").unwrap();
    assert_eq!(list(&*store, "", Depth::All).unwrap(), ["a", "b/c"]);
    for request in server.asked() {
        assert_eq!(request.query, "sig=se%2Fcret&n=1");
        assert_eq!(request.header("authorization"), Some("Basic bWU6cEBzcw=="));
        assert_eq!(request.header("x-api-key"), Some("secret"));
        assert_eq!(request.header("accept-encoding"), Some("identity"));
        assert!(request.header("user-agent").unwrap().starts_with("zarrc/"));
    }
    let store = opened(&format!("{}/x", server.url()), &[("bearer_token", "secret")]).unwrap();
    get(&*store, "a").unwrap();
    assert_eq!(server.asked()[0].header("authorization"), Some("Bearer secret"));
    for (name, value) in [
        ("headers", "secret"),
        ("headers", r#"{"a": 7, "secret": ""}"#),
        ("headers", r#"{"sec ret": ""}"#),
        ("bearer_token", "sec\nret"),
    ] {
        let e = fails(opened(&server.url(), &[(name, value)]));
        assert!(e.kind() == Kind::InvalidArgument && e.to_string().contains(name), "{e}");
        assert!(!e.to_string().contains("sec"), "{e}");
    }
}

#[test]
fn pages_about_directories_are_listings() {
    let files = Files::new(&[
        ("/x/zarr.json", b"{}"),
        ("/x/g/a/zarr.json", b"{}"),
        ("/x/g/a/c/0/1", b"1"),
        ("/x/g/a/odd #?%\u{fc}", b"1"),
        ("/xy", b""),
    ]);
    let server = serve(&files, true);
    let store = opened(&format!("{}/x", server.url()), &[]).unwrap();
    assert_eq!(list(&*store, "", Depth::One).unwrap(), ["g/", "zarr.json"]);
    assert_eq!(server.lines(), ["GET /x/"]);
    assert_eq!(list(&*store, "g/a/", Depth::One).unwrap(), ["c/", "odd #?%ü", "zarr.json"]);
    let all = ["g/a/c/0/1", "g/a/odd #?%ü", "g/a/zarr.json", "zarr.json"];
    assert_eq!(list(&*store, "", Depth::All).unwrap(), all);
    assert_eq!(list(&*store, "g/a/c/", Depth::All).unwrap(), ["0/1"]);
    for k in all {
        assert!(get(&*store, k).is_some(), "{k}");
    }
    server.asked();
    assert_eq!(list(&*store, "none/", Depth::All).unwrap(), [""; 0]);
    assert_eq!(server.lines(), ["GET /x/none/"]);
    assert!(!store.has_prefix("none/").unwrap() && store.has_prefix("g/").unwrap());
    // without knowing that the server lists, that nothing is there is looked at twice
    let store = opened(&format!("{}/x", server.url()), &[]).unwrap();
    server.asked();
    assert!(!store.has_prefix("none/").unwrap());
    assert_eq!(server.lines(), ["GET /x/", "GET /x/none/"]);
    assert_eq!(fails(list(&*store, "bad", Depth::One)).kind(), Kind::InvalidArgument);
}

#[test]
fn a_server_that_lists_nothing_says_so() {
    let answers: [fn(&Request) -> Reply; 5] = [
        |_| Reply::new(404, ""),
        |_| Reply::new(403, ""),
        |_| Reply::new(405, ""),
        |_| Reply::new(200, "<ListBucketResult/>").with("Content-Type", "application/xml"),
        |_| Reply::new(200, "x"),
    ];
    for answer in answers {
        let server = Server::new(answer);
        let store = opened(&server.url(), &[]).unwrap();
        for prefix in ["", "a/"] {
            let e = fails(list(&*store, prefix, Depth::One));
            assert_eq!(e.kind(), Kind::Unsupported, "{e}");
            assert!(e.to_string().contains("consolidated metadata"), "{e}");
        }
    }
    let server = Server::new(|_| Reply::new(401, ""));
    let e = fails(list(&*opened(&server.url(), &[]).unwrap(), "", Depth::One));
    assert_eq!(e.kind(), Kind::PermissionDenied);
    // links that lead round in a circle come to an end
    let server =
        Server::new(|_| Reply::new(200, r#"<a href="a/">"#).with("Content-Type", "text/html"));
    let e = fails(list(&*opened(&server.url(), &[]).unwrap(), "", Depth::All));
    assert!(e.kind() == Kind::LimitExceeded && e.to_string().contains("1100 levels"), "{e}");
    // so do pages without end
    let server = Server::new(|_| {
        Reply::new(200, "").with("Content-Type", "text/html").failing(Fault::Endless)
    });
    let e = fails(list(&*opened(&server.url(), &[]).unwrap(), "", Depth::One));
    assert_eq!(e.kind(), Kind::LimitExceeded);
}

#[test]
fn redirects_are_followed_and_carry_no_credentials_elsewhere() {
    let files = Files::new(&[("/there/a", b"1"), ("/a", b"2")]);
    let elsewhere = serve(&files, false);
    let to = elsewhere.url();
    let served = files.clone();
    let server = Server::new(move |request| match &*request.path {
        "/here/a" => Reply::new(307, "").with("Location", "../there/a?new=1"),
        "/away/a" => Reply::new(302, "").with("Location", format!("{to}/a")),
        "/file/a" => Reply::new(302, "").with("Location", "file:///etc/passwd"),
        "/round/a" => Reply::new(302, "").with("Location", "/round/a"),
        "/nowhere/a" => Reply::new(302, ""),
        _ => served.answer(request),
    });
    let host = server.url().split_off("http://".len());
    let get_from = |path: &str| {
        let url = format!("http://me:secret@{host}/{path}?sig=secret");
        let store = opened(&url, &[("headers", r#"{"X-Key": "secret"}"#)]).unwrap();
        let mut out = Vec::new();
        store.get(&key("a"), &mut out).map(|_| out)
    };
    assert_eq!(get_from("here").unwrap(), b"1");
    let asked = server.asked();
    assert_eq!((asked.len(), &*asked[1].query), (2, "new=1"));
    assert!(asked[1].header("authorization").is_some() && asked[1].header("x-key").is_some());
    assert_eq!(get_from("away").unwrap(), b"2");
    let asked = elsewhere.asked();
    assert!(asked[0].header("authorization").is_none() && asked[0].header("x-key").is_none());
    assert_eq!(asked[0].query, "");
    server.asked();
    for (path, words, requests) in [
        ("file", "no web server", 1),
        ("round", "more than 10 times", 11),
        ("nowhere", "nowhere", 1),
    ] {
        let e = fails(get_from(path));
        assert!(e.kind() == Kind::Io && e.to_string().contains(words), "{e}");
        assert!(e.to_string().contains(&format!("/{path}/a")) && !e.to_string().contains("secret"));
        assert_eq!(server.asked().len(), requests);
    }
}

#[test]
fn what_fails_for_a_while_is_tried_again() {
    let value = pattern(5000);
    for case in CASES {
        for failures in [2, 100] {
            let files = Files::new(&[("/a", &value)]);
            let count = AtomicUsize::new(0);
            let spoilt = case.spoilt;
            let server = Server::new(move |request| {
                let reply = files.answer(request);
                if count.fetch_add(1, Ordering::SeqCst) % 100 < failures {
                    spoilt(reply)
                } else {
                    reply
                }
            });
            let host = server.url().split_off("http://".len());
            let url = format!("http://me:secret@{host}/?sig=secret");
            let store = opened(&url, &[("max_retries", "2")]).unwrap();
            let mut out = b"kept".to_vec();
            let got = store.get(&key("a"), &mut out);
            if failures == 2 {
                got.unwrap();
                assert!(out[..4] == *b"kept" && out[4..] == value, "{}", case.what);
                assert_eq!(server.asked().len(), 3);
                continue;
            }
            let e = fails(got);
            assert_eq!((e.kind(), e.system_code()), (case.kind, case.status), "{}: {e}", case.what);
            let text = e.to_string();
            assert!(
                text.contains(case.words) && text.contains(&format!("GET http://{host}/a")),
                "{e}"
            );
            assert!(!text.contains("secret"), "{e}");
            assert_eq!(out, b"kept");
            // what comes later is not spoilt by it
            assert_eq!(server.asked().len(), 3);
        }
    }
}

#[test]
fn wrong_ranges_are_tried_again_and_never_taken() {
    let value = pattern(5000);
    for (n, &spoilt) in WRONG_RANGES.iter().enumerate() {
        for failures in [1, 100] {
            let files = Files::new(&[("/a", &value)]);
            let count = AtomicUsize::new(0);
            let server = Server::new(move |request| {
                let reply = files.answer(request);
                if count.fetch_add(1, Ordering::SeqCst) < failures { spoilt(reply) } else { reply }
            });
            let store = opened(&server.url(), &[("max_retries", "1")]).unwrap();
            let (k, mut part) = (key("a"), [0; 100]);
            let read = store.source(&k).read_at(100, &mut part);
            if failures == 1 {
                assert!(read.unwrap() && part == value[100..200], "{n}");
            } else {
                let e = fails(read);
                assert!(e.kind() == Kind::Io && e.to_string().contains("/a"), "{n} {e}");
            }
            assert_eq!(server.asked().len(), 2, "{n}");
        }
    }
}

#[test]
fn nothing_is_allocated_for_what_is_only_told() {
    let server = Server::new(|_| {
        Reply::new(200, "some").with("Content-Length", "9000000000000000000").failing(Fault::Cut(4))
    });
    let store = opened(&server.url(), &[("max_retries", "1")]).unwrap();
    let e = fails(store.get(&key("a"), &mut Vec::new()));
    assert!(matches!(e.kind(), Kind::LimitExceeded | Kind::Io), "{e}");
    let e = fails(store.source(&key("a")).read_exactly(&mut [0; 9]));
    assert_eq!(e.kind(), Kind::CorruptData);

    let server = Server::new(|_| Reply::new(200, "").failing(Fault::Endless));
    let store = opened(&server.url(), &[]).unwrap();
    let e = fails(store.get(&key("a"), &mut Vec::new()));
    assert!(e.kind() == Kind::LimitExceeded && e.to_string().contains("268435456"), "{e}");
    let e = fails(store.source(&key("a")).read_at(0, &mut [0; 9]));
    assert_eq!(e.kind(), Kind::LimitExceeded);
}

#[test]
fn a_request_ends_at_the_limit() {
    let value = pattern(5000);
    let stalls: [(Change, &str, &[&str]); 4] = [
        (|r| r.failing(Fault::Stall(0)), "1", &["option timeout"]),
        (|r| r.failing(Fault::Stall(100)), "1", &["option timeout"]),
        (|_| Reply::new(503, ""), "1", &["503", "option timeout"]),
        // a pause that goes beyond the limit is not begun
        (|_| Reply::new(429, "").with("Retry-After", "3600"), "60", &["3600"]),
    ];
    for (stall, timeout, words) in stalls {
        let files = Files::new(&[("/a", &value)]);
        let server = Server::new(move |request| stall(files.answer(request)));
        let store =
            opened(&server.url(), &[("timeout", timeout), ("max_retries", "1000")]).unwrap();
        let e = fails(within(1, || store.get(&key("a"), &mut Vec::new())));
        assert_eq!(e.kind(), Kind::Io, "{e}");
        let text = e.to_string();
        assert!(words.iter().any(|words| text.contains(words)) && text.contains("/a"), "{e}");
    }
    // nobody there
    let store = opened("http://127.0.0.1:1/x", &[("timeout", "1")]).unwrap();
    let e = fails(within(1, || store.get(&key("a"), &mut Vec::new())));
    assert!(e.kind() == Kind::Io && e.to_string().contains("http://127.0.0.1:1/x/a"), "{e}");
    let store = opened("http://no-such-host.invalid/x", &[("timeout", "5")]).unwrap();
    let e = fails(within(5, || store.get(&key("a"), &mut Vec::new())));
    assert_eq!(e.kind(), Kind::Io, "{e}");
}

#[test]
fn credentials_that_do_not_hold_are_said_at_once() {
    for (status, kind, words) in [
        (401, Kind::PermissionDenied, "wants credentials"),
        (403, Kind::PermissionDenied, "no longer valid"),
        (407, Kind::PermissionDenied, "proxy"),
        (400, Kind::Io, "400 (Bad Request)"),
        (204, Kind::Io, "204"),
        (999, Kind::Io, "999"),
    ] {
        let server = Server::new(move |_| Reply::new(status, ""));
        let host = server.url().split_off("http://".len());
        let url = format!("http://me:secret@{host}/x?sig=secret");
        let store = opened(&url, &[]).unwrap();
        let e = fails(store.get(&key("a"), &mut Vec::new()));
        assert_eq!((e.kind(), e.system_code()), (kind, i32::from(status)), "{e}");
        assert!(e.to_string().contains(words) && !e.to_string().contains("secret"), "{e}");
        assert_eq!(server.asked().len(), 1);
    }
}

#[test]
fn a_proxy_gets_whole_urls_and_tunnels_what_is_encrypted() {
    let proxy = Server::new(|request| match &*request.method {
        "CONNECT" => Reply::new(407, ""),
        _ => Reply::new(200, "7"),
    });
    let host = proxy.url().split_off("http://".len());
    let set = [("proxy_url", &*format!("http://me:secret@{host}")), ("max_retries", "0")];
    let store = opened("http://no-such-host.invalid/x", &set).unwrap();
    assert_eq!(get(&*store, "a").unwrap(), b"7");
    let store = opened("https://no-such-host.invalid/x", &set).unwrap();
    let e = fails(within(5, || store.get(&key("a"), &mut Vec::new())));
    assert!(e.kind() == Kind::Io && !e.to_string().contains("secret"), "{e}");
    let asked = proxy.asked();
    let lines = ["GET http://no-such-host.invalid/x/a", "CONNECT no-such-host.invalid:443"];
    assert_eq!(asked.len(), lines.len());
    for (request, line) in asked.iter().zip(lines) {
        assert_eq!(format!("{} {}", request.method, request.path), line);
        assert_eq!(request.header("proxy-authorization"), Some("Basic bWU6c2VjcmV0"));
        assert!(request.header("user-agent").is_some_and(|name| name.starts_with("zarrc/")));
    }
}

#[test]
#[cfg(feature = "reference")]
fn values_of_web_servers_are_stores_too() {
    let references = r#"{"version": 1, "refs": {"inline": "7", "far": ["part.bin", 2, 3],
        "else": ["URL/d/a%20b.bin", 0, 2]}}"#;
    let files = Files::new(&[("/d/part.bin", b"0123456789"), ("/d/a b.bin", b"ab")]);
    let server = serve(&files, false);
    files.put("/d/x y.json", references.replace("URL", &server.url()).as_bytes());
    let url = server.url();
    for form in
        [format!("reference::{url}/d/x%20y.json?t=1"), format!("{url}/d/x%20y.json?t=1|reference:")]
    {
        let store = opened(&form, &[]).unwrap();
        assert_eq!(get(&*store, "inline").unwrap(), b"7");
        assert_eq!(get(&*store, "far").unwrap(), b"234");
        assert_eq!(get(&*store, "else").unwrap(), b"ab");
    }
    let store = opened(&format!("simplecache::{url}/d"), &[]).unwrap();
    server.asked();
    for _ in 0..2 {
        assert_eq!(get(&*store, "part.bin").unwrap(), b"0123456789");
    }
    assert_eq!(server.lines(), ["GET /d/part.bin"]);
    let e = fails(opened(&format!("{url}/none.json|reference:"), &[]));
    assert_eq!(e.kind(), Kind::NotFound);
}

#[cfg(feature = "zip")]
#[test]
fn a_zip_file_of_a_web_server_is_read_by_ranges() {
    let path = std::env::temp_dir().join(format!("zarrc-network-{}.zip", std::process::id()));
    let value = pattern(3 << 20);
    let local = zarrc::store::open(path.to_str().unwrap(), Mode::Create, &Options::default());
    let local = local.unwrap();
    for k in ["a/b", "c"] {
        local.set(&key(k), &[&value], &Precondition::None).unwrap();
    }
    local.flush().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let files = Files::new(&[("/d/x.zip", &bytes)]);
    let server = serve(&files, false);
    let store = opened(&format!("{}/d/x.zip?sig=secret|zip:a", server.url()), &[]).unwrap();
    assert!(!store.name().contains("secret"), "{}", store.name());
    assert_eq!(list(&*store, "", Depth::All).unwrap(), ["b"]);
    assert!(server.asked().iter().all(|request| request.query == "sig=secret"));
    let (k, mut part) = (key("b"), [0; 100]);
    assert!(store.source(&k).read_at(70_000, &mut part).unwrap());
    assert!(part == value[70_000..70_100]);
    let asked = server.asked();
    assert!(asked.len() <= 2 && asked.iter().all(|request| request.header("range").is_some()));
    // another file in its place is noticed
    files.put("/d/x.zip", &bytes[1..]);
    let e = fails(store.source(&k).read_at(70_000, &mut part));
    assert_eq!(e.kind(), Kind::Conflict, "{e}");
}
