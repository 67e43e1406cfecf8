//! S3, on a network that fails: its answers must have the same outcome, and values must stay whole.

use super::faults::{CASES, WRONG_RANGES, within};
use super::server::{Change, Fault, Files, Reply, Request, Server};
use super::words::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use zarrc::error::{Kind, Result};
use zarrc::store::{Depth, Mode, Precondition, SharedStore, open};

/// What S3 answers, as far as these tests ask.
pub fn answer(files: &Files, request: &Request) -> Reply {
    let there = files.get(&request.path);
    match &*request.method {
        "GET" if request.query.contains("list-type=2") => listing(files, request),
        "GET" | "HEAD" => {
            let day = "Mon, 01 Jan 2024 00:00:00 GMT";
            files.answer(request).with("Last-Modified", day)
        }
        "PUT" => {
            let holds = match (request.header("if-match"), request.header("if-none-match")) {
                (Some(wanted), _) => there.is_some_and(|(_, etag)| etag == wanted),
                (_, Some(_)) => there.is_none(),
                _ => true,
            };
            if !holds {
                return Reply::new(412, "");
            }
            files.put(&request.path, &request.body);
            Reply::new(200, "").with("ETag", super::server::etag(&request.body))
        }
        "DELETE" => {
            files.take(&request.path);
            Reply::new(204, "")
        }
        _ => Reply::new(501, ""),
    }
}

fn listing(files: &Files, request: &Request) -> Reply {
    let query = |name: &str| {
        let pairs = request.query.split('&').filter_map(|pair| pair.split_once('='));
        let found = pairs.filter(|(n, _)| *n == name).map(|(_, value)| value).next();
        found.unwrap_or_default().replace("%2F", "/")
    };
    let (prefix, by_level) = (query("prefix"), query("delimiter") == "/");
    let (mut objects, mut prefixes) = (String::new(), std::collections::BTreeSet::new());
    for path in files.paths() {
        let Some(name) = path.strip_prefix("/bucket/").filter(|n| n.starts_with(&prefix)) else {
            continue;
        };
        match name[prefix.len()..].split_once('/').filter(|_| by_level) {
            Some((first, _)) => drop(prefixes.insert(format!("{prefix}{first}/"))),
            None => {
                objects += &format!(
                    "<Contents><Key>{name}</Key><LastModified>2024-01-01T00:00:00.000Z</LastModified>\
                 <ETag>\"x\"</ETag><Size>1</Size><StorageClass>STANDARD</StorageClass></Contents>"
                )
            }
        }
    }
    for prefix in prefixes {
        objects += &format!("<CommonPrefixes><Prefix>{prefix}</Prefix></CommonPrefixes>");
    }
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult><Name>bucket</Name>\
         <IsTruncated>false</IsTruncated><MaxKeys>1000</MaxKeys>{objects}</ListBucketResult>"
    );
    Reply::new(200, text).with("Content-Type", "application/xml")
}

const SECRETS: [&str; 2] = ["AKIDSECRET", "seekret"];

pub fn s3(server: &Server, mode: Mode, set: &[(&str, &str)]) -> Result<SharedStore> {
    let mut all = options(&[
        ("region", "eu-central-1"),
        ("access_key_id", SECRETS[0]),
        ("secret_access_key", SECRETS[1]),
        ("virtual_hosted_style_request", "no"),
    ]);
    all.set("endpoint", &server.url()).unwrap();
    for (name, value) in set {
        all.set(name, value).unwrap();
    }
    open("s3://bucket/x", mode, &all)
}

fn without_secrets(text: &str) -> &str {
    assert!(!SECRETS.iter().any(|secret| text.contains(secret)), "{text}");
    text
}

#[test]
fn what_fails_for_a_while_is_tried_again() {
    let value = pattern(5000);
    for case in CASES {
        for failures in [2, usize::MAX] {
            let files = Files::new(&[("/bucket/x/a", &value)]);
            let count = AtomicUsize::new(0);
            let spoilt = case.spoilt;
            let server = Server::new(move |request| {
                let reply = answer(&files, request);
                if count.fetch_add(1, Ordering::SeqCst) < failures { spoilt(reply) } else { reply }
            });
            let store = s3(&server, Mode::Read, &[("max_retries", "2")]).unwrap();
            let mut out = b"kept".to_vec();
            let got = within(60, || store.get(&key("a"), &mut out));
            // the client goes on where the told length is not reached, and finds nothing there
            let is_length = case.what == "a wrong length";
            if failures == 2 && !is_length {
                got.unwrap_or_else(|e| panic!("{}: {e}", case.what));
                assert!(out[..4] == *b"kept" && out[4..] == value, "{}", case.what);
                continue;
            }
            let e = fails(got);
            let corrupt = is_length && e.kind() == Kind::CorruptData;
            assert!(corrupt || e.kind() == case.kind, "{}: {:?} {e}", case.what, e.kind());
            // an answer that breaks off began well
            assert!(case.status == 0 || e.system_code() == case.status, "{}: {e}", case.what);
            let text = e.to_string();
            assert!(without_secrets(&text).contains("/bucket/x/a"), "{}: {e}", case.what);
            assert_eq!(out, b"kept");
        }
    }
}

#[test]
fn wrong_ranges_are_never_taken() {
    let value = pattern(5000);
    for (n, &spoilt) in WRONG_RANGES.iter().enumerate() {
        let files = Files::new(&[("/bucket/x/a", &value)]);
        let server = Server::new(move |request| spoilt(answer(&files, request)));
        let store = s3(&server, Mode::Read, &[("max_retries", "1")]).unwrap();
        let (k, mut part) = (key("a"), [0; 100]);
        let e = fails(store.source(&k).read_at(100, &mut part));
        assert!(matches!(e.kind(), Kind::Io | Kind::CorruptData), "{n} {e}");
        assert!(without_secrets(&e.to_string()).contains("/a"), "{n} {e}");
    }
}

#[test]
fn a_request_ends_at_the_limit() {
    let value = pattern(5000);
    // and whether they answer a write, which needs no more than the head of an answer
    let stalls: [(Change, bool); 3] = [
        (|r| r.failing(Fault::Stall(0)), true),
        (|r| r.failing(Fault::Stall(100)), true),
        (|_| Reply::new(503, ""), false),
    ];
    for (stall, answers) in stalls {
        let files = Files::new(&[("/bucket/x/a", &value)]);
        let server = Server::new(move |request| stall(answer(&files, request)));
        let set = [("timeout", "1"), ("max_retries", "1000")];
        let store = s3(&server, Mode::Append, &set).unwrap();
        let e = fails(within(1, || store.get(&key("a"), &mut Vec::new())));
        assert_eq!(e.kind(), Kind::Io, "{e}");
        assert!(without_secrets(&e.to_string()).contains("/bucket/x/a"), "{e}");
        if answers {
            continue;
        }
        let e = fails(within(1, || store.set(&key("a"), &[b"1"], &Precondition::None)));
        assert_eq!(e.kind(), Kind::Io, "{e}");
        assert!(without_secrets(&e.to_string()).contains("/bucket/x/a"), "{e}");
    }
}

#[test]
fn credentials_that_do_not_hold_are_said_at_once() {
    let error = |code: &str| {
        format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>no</Message></Error>")
    };
    for (status, code) in [
        (403, "AccessDenied"),
        (403, "SignatureDoesNotMatch"),
        (401, "Unauthorized"),
        (400, "ExpiredToken"),
    ] {
        let text = error(code);
        let server = Server::new(move |_| Reply::new(status, text.as_bytes()));
        let store = s3(&server, Mode::Append, &[]).unwrap();
        for e in [
            fails(store.get(&key("a"), &mut Vec::new())),
            fails(store.set(&key("a"), &[b"1"], &Precondition::None)),
            fails(list(&*store, "", Depth::All)),
        ] {
            assert_eq!(e.kind(), Kind::PermissionDenied, "{code}: {e}");
            assert_eq!(e.system_code(), i32::from(status), "{code}: {e}");
            without_secrets(&e.to_string());
        }
        assert_eq!(server.asked().len(), 3);
    }
}

#[test]
fn a_write_that_is_cut_leaves_the_old_value_or_the_new_one() {
    let (old, new) = (pattern(3000), pattern(2_000_000));
    for cuts in [1, usize::MAX] {
        let files = Files::new(&[("/bucket/x/a", &old)]);
        let count = AtomicUsize::new(0);
        let served = files.clone();
        let server = Server::interrupting(
            move |request| {
                let cut = request.method == "PUT" && count.fetch_add(1, Ordering::SeqCst) < cuts;
                cut.then_some(1000)
            },
            move |request| answer(&served, request),
        );
        let store = s3(&server, Mode::Append, &[("max_retries", "2")]).unwrap();
        let (left, right) = new.split_at(1_000_001);
        for when in
            [Precondition::None, Precondition::Version(store.version(&key("a")).unwrap().unwrap())]
        {
            let set = store.set(&key("a"), &[left, right], &when);
            let there = files.get("/bucket/x/a").unwrap().0;
            // every request told how long the value is, so no server takes half of it for all
            let puts = server.asked().into_iter().filter(|request| request.method == "PUT");
            assert!(puts.clone().all(|put| put.header("content-length") == Some("2000000")));
            if cuts == 1 {
                set.unwrap();
                assert!(there[..] == new);
                break;
            }
            let e = fails(set);
            assert_eq!(e.kind(), Kind::Io, "{e}");
            assert!(without_secrets(&e.to_string()).contains("/bucket/x/a"), "{e}");
            assert!(there[..] == old);
        }
    }
}

#[test]
fn of_two_writers_one_is_told() {
    let files = Files::new(&[("/bucket/x/a", b"1")]);
    let served = files.clone();
    let server = Server::new(move |request| answer(&served, request));
    let store = s3(&server, Mode::Append, &[]).unwrap();
    let version = store.version(&key("a")).unwrap().unwrap();
    files.put("/bucket/x/a", b"2");
    for when in [Precondition::Version(version), Precondition::Absent] {
        let e = fails(store.set(&key("a"), &[b"3"], &when));
        assert_eq!(e.kind(), Kind::Conflict, "{e}");
    }
    assert_eq!(get(&*store, "a").unwrap(), b"2");
}

#[test]
fn requests_of_a_call_are_under_way_at_once() {
    let files = Files::new(&[("/bucket/x/a", b"1")]);
    let server = Arc::new(Server::new(move |request| answer(&files, request)));
    let store = s3(&server, Mode::Read, &[]).unwrap();
    assert_eq!(store.concurrency(), 64);
    assert_eq!(get(&*store, "none"), None);
    assert_eq!(server.lines(), ["GET /bucket/x/none"]);
}

/// A server without conditional writes: nodes can be made, parts of chunks not be changed.
#[test]
fn nodes_are_created_without_conditions_where_the_option_says_so() {
    let files = Files::default();
    let there = files.clone();
    let server = Server::new(move |request| {
        let conditional = ["if-match", "if-none-match"].iter().any(|h| request.header(h).is_some());
        if conditional { Reply::new(501, "") } else { answer(&there, request) }
    });
    let set = [("conditional_put", "disabled")];
    let store = s3(&server, Mode::Append, &set).unwrap();
    let nodes = std::sync::Arc::new(zarrc::hierarchy::Hierarchy::new(store, &options(&set)));
    let path = zarrc::metadata::NodePath::parse("g/a").unwrap();
    let mut spec = zarrc::hierarchy::ArraySpec::new(zarrc::metadata::DataType::UInt8, vec![8]);
    spec.chunk_shape = Some(vec![4]);
    let array = nodes.create_array(&path, &spec).unwrap();
    for document in ["/bucket/x/g/zarr.json", "/bucket/x/g/a/zarr.json"] {
        assert!(files.get(document).is_some(), "{document}");
    }
    assert_eq!(fails(nodes.create_array(&path, &spec)).kind(), Kind::AlreadyExists);
    let write = |start: u64, values: &[u8]| {
        let count = [values.len() as u64];
        let region = zarrc::selection::Region::new(&[8], &[start], &count, None).unwrap();
        let src = zarrc::strided::View::contiguous(values, &[values.len()], 1).unwrap();
        array.array.write(&region, zarrc::array::MemoryType::Native, &src)
    };
    write(0, &[1; 4]).unwrap();
    assert_eq!(fails(write(1, &[2; 2])).kind(), Kind::Unsupported);
}

#[test]
fn objects_that_cannot_be_deleted_are_an_error_whatever_their_keys() {
    let error = |key: &str, code: &str| {
        format!("<Error><Key>{key}</Key><Code>{code}</Code><Message>no</Message></Error>")
    };
    let result = |inside: String| format!("<DeleteResult>{inside}</DeleteResult>");
    for (text, words) in [
        (result(String::new()), None),
        (result(error("x/a", "NoSuchKey")), None),
        (result(error("x/a", "AccessDenied")), Some("AccessDenied")),
        (result(error("not/asked/for", "InternalError")), Some("InternalError")),
        (result("<Error/>".into()), Some("not deleted")),
        ("<html></html>".into(), Some("does not say")),
    ] {
        let files = Files::new(&[("/bucket/x/a", b"1")]);
        let server = Server::new(move |request| match &*request.method {
            "POST" => {
                files.take("/bucket/x/a");
                Reply::new(200, text.as_bytes())
            }
            _ => answer(&files, request),
        });
        let store = s3(&server, Mode::Append, &[("max_retries", "1")]).unwrap();
        let erased = within(10, || store.erase_prefix(""));
        let found = erased.map_err(|e| (e.kind(), without_secrets(&e.to_string()).to_owned()));
        match words {
            None => found.unwrap(),
            Some(words) => {
                let (kind, text) = found.unwrap_err();
                assert!(kind == Kind::Io && text.contains(words), "{text}");
            }
        }
    }
}
