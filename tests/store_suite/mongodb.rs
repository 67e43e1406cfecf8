//! What a MongoDB server cannot do, where there is none and where the environment names one.
#![cfg(feature = "mongodb")]

use super::helpers::*;
use zarrc::error::Kind;
use zarrc::store::{Mode, Precondition, open};

/// A MongoDB server that the environment names.
fn mongodb() -> Option<String> {
    let url = std::env::var("ZARRC_TEST_MONGODB").ok();
    if url.is_none() {
        println!("skipped: ZARRC_TEST_MONGODB names no server");
    }
    url
}

#[test]
fn mongodb_says_what_it_cannot_do() {
    let port = free_port();
    let nobody = format!("mongodb://me:secret@127.0.0.1:{port}/d/c");
    let quick = options(&[("connect_timeout", "500ms"), ("timeout", "5"), ("max_retries", "0")]);
    let e = failure(open(&nobody, Mode::Append, &quick));
    assert!(e.kind() == Kind::Io && !e.to_string().contains("secret"), "{e}");
    assert!(e.to_string().contains(&format!("mongodb://127.0.0.1:{port}/d/c")), "{e}");

    let Some(server) = mongodb() else { return };
    let url = format!("{server}/zarrc-{}/limits", std::process::id());
    let store = opened(&url, Mode::Overwrite).unwrap();
    let e = failure(set_when(&*store, "a", &vec![0; 16 << 20], Precondition::None));
    assert!(e.kind() == Kind::LimitExceeded && e.to_string().contains("smaller chunks"), "{e}");
    let largest = vec![7; (16 << 20) - 200];
    set(&*store, "a", &largest);
    assert!(get(&*store, "a").unwrap() == largest);
    let at = Precondition::Version(version(&*store, "a"));
    set_when(&*store, "a", &largest[1..], at).unwrap();
    assert_eq!(store.source(&key("a")).len().unwrap(), Some(largest.len() as u64 - 1));
    store.erase_prefix("").unwrap();
}
