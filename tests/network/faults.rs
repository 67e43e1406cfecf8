//! What servers and networks do wrong, and what must come of it.

use super::server::{Change, Fault, Reply};
use std::time::{Duration, Instant};
use zarrc::error::Kind;

/// A request that fails at first, and what follows.
pub struct Case {
    pub what: &'static str,
    /// Of the first answers.
    pub spoilt: Change,
    /// What comes of it if it stays so.
    pub kind: Kind,
    pub words: &'static str,
    pub status: i32,
}

pub const CASES: &[Case] = &[
    Case {
        what: "silence",
        spoilt: |r| r.failing(Fault::Silence),
        kind: Kind::Io,
        words: "after 3 attempts",
        status: 0,
    },
    Case {
        what: "a cut connection",
        spoilt: |r| r.failing(Fault::Cut(10)),
        kind: Kind::Io,
        words: "after 3 attempts",
        status: 0,
    },
    Case {
        what: "too many requests",
        spoilt: |_| Reply::new(429, ""),
        kind: Kind::Io,
        words: "429",
        status: 429,
    },
    Case {
        what: "a broken server",
        spoilt: |_| Reply::new(500, "oh"),
        kind: Kind::Io,
        words: "500",
        status: 500,
    },
    Case {
        what: "a busy server",
        spoilt: |_| Reply::new(503, "").with("Retry-After", "0"),
        kind: Kind::Io,
        words: "503",
        status: 503,
    },
    Case {
        what: "a wrong length",
        spoilt: |r| r.with("Content-Length", "100000").failing(Fault::Cut(usize::MAX)),
        kind: Kind::Io,
        words: "after 3 attempts",
        status: 0,
    },
];

/// Answers to a request for the bytes 100 to 199 of 5000 that are none.
pub const WRONG_RANGES: &[Change] = &[
    |r| r.without("Content-Range"),
    |r| r.with("Content-Range", "bytes 0-99/5000"),
    |r| r.with("Content-Range", "bytes x-y/z"),
    |r| r.with("Content-Range", "items 100-199/5000"),
    // half of it, as what is asked for and as what it is
    |r| Reply { body: r.body[..50].to_vec(), ..r },
    |r| {
        let half = Reply { body: r.body[..50].to_vec(), ..r };
        half.with("Content-Range", "bytes 100-149/5000")
    },
];
/// The limit, and what a loaded machine may need besides.
pub fn within<T>(seconds: u64, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let done = work();
    assert!(began.elapsed() < Duration::from_secs(seconds + 10), "{:?}", began.elapsed());
    done
}
