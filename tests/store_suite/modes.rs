//! How stores are opened: what must be there, what must not, and what is only read.

use super::helpers::*;
use super::stores::for_each_subject;
use zarrc::error::Kind;
use zarrc::store::{Depth, Mode, Precondition};

#[test]
fn modes() {
    for_each_subject(|subject| {
        if !subject.shared {
            return; // nobody else finds it
        }
        for mode in [Mode::Read, Mode::ReadWrite] {
            match subject.open(mode) {
                // a prefix of a bucket is there as soon as it is written to; dumb's files are there
                Ok(store) => {
                    assert!(subject.far || subject.url.ends_with("dumb"), "{}", subject.url);
                    assert!(list(&*store, "", Depth::All).is_empty());
                }
                Err(e) => assert_eq!(e.kind(), Kind::NotFound, "{e}"),
            }
        }
        let store = subject.open(Mode::Append).unwrap();
        set(&*store, "zarr.json", b"{}");
        set(&*store, "a/b", b"1");
        drop(store);
        let refused = subject.open(Mode::Create);
        assert_eq!(kind(refused), Kind::AlreadyExists, "{}", subject.url);
        for mode in [Mode::Append, Mode::ReadWrite, Mode::Read] {
            let store = subject.open(mode).unwrap();
            assert_eq!(list(&*store, "", Depth::All), names(&["zarr.json", "a/b"]));
            assert_eq!(store.read_only(), mode == Mode::Read);
        }
        let store = subject.open(Mode::Read).unwrap();
        for refused in [
            set_when(&*store, "a/b", b"2", Precondition::None),
            set_when(&*store, "c", b"2", Precondition::Absent),
            store.erase(&key("a/b"), &Precondition::None).map(drop),
            store.erase(&key("c"), &Precondition::None).map(drop),
            store.erase_prefix(""),
        ] {
            let e = failure(refused);
            assert_eq!(e.kind(), Kind::PermissionDenied);
            assert!(e.to_string().contains("read-only"), "{e}");
        }
        assert_eq!(get(&*store, "a/b").unwrap(), b"1");
        drop(store);
        let store = subject.open(Mode::Overwrite).unwrap();
        assert!(list(&*store, "", Depth::All).is_empty());
        set(&*store, "a/c", b"3");
        assert_eq!(list(&*store, "", Depth::All), names(&["a/c"]));
    });
}
