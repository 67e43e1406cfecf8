//! The stores that the suite runs over: one table.
//!
//! Those across a network are there when a variable names their server (tests/servers/run.py starts
//! them and sets the variables). Each test has a bucket's prefix, or a database, of its own. With
//! the variable ZARRC_TEST_ONLY only stores are tried whose URL contains it.

use super::helpers::*;
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use zarrc::store::{Mode, Options, SCHEMES, SharedStore, open};

/// A store, and what it cannot do.
pub struct Subject {
    pub url: String,
    options: Vec<(&'static str, String)>,
    /// Each request crosses a network: fewer of them, and a value that changes while it is read is
    /// a conflict instead of the old value.
    pub far: bool,
    /// Others find what was set.
    pub shared: bool,
    /// The same bytes are the same version, because versions are hashes of them.
    pub hashes: bool,
    pub longest_key: usize,
    pub largest_value: usize,
    /// Characters that no key may hold.
    pub refused: &'static [char],
    /// More entries than one page of a listing has.
    pub pages: usize,
}

impl Subject {
    fn new(url: impl Into<String>) -> Self {
        Subject {
            url: url.into(),
            options: Vec::new(),
            far: false,
            shared: true,
            hashes: false,
            longest_key: usize::MAX,
            largest_value: usize::MAX,
            refused: &[],
            pages: 100,
        }
    }

    fn with(mut self, options: &[(&'static str, &str)]) -> Self {
        self.options.extend(options.iter().map(|(name, value)| (*name, value.to_string())));
        self
    }

    fn far(url: String, options: &[(&'static str, &str)]) -> Self {
        Subject { far: true, pages: 1100, ..Subject::new(url).with(options) }
    }

    pub fn options(&self) -> Options {
        let mut options = Options::default();
        for (name, value) in &self.options {
            options.set(name, value).unwrap();
        }
        options
    }

    pub fn open(&self, mode: Mode) -> zarrc::error::Result<SharedStore> {
        open(&self.url, mode, &self.options())
    }
}

/// A name that no other test uses, here or elsewhere.
fn own_name() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let n = COUNT.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    format!("suite-{:x}-{:x}-{n}", std::process::id(), now.as_micros())
}

/// The stores of this build and machine, none of which exists yet.
fn subjects(scratch: &Scratch) -> Vec<Subject> {
    let mut stores = local(scratch);
    let name = own_name();
    for (scheme, variable, make) in FAR {
        if let (true, Ok(server)) = (built(scheme), env::var(variable)) {
            stores.push(make(&server, &name));
        }
    }
    if let Ok(word) = env::var("ZARRC_TEST_ONLY") {
        stores.retain(|subject| subject.url.contains(&word));
    }
    stores
}

/// Calls `test` with each of them, tells the names of those where it failed, and drops what it left
/// there.
pub fn for_each_subject(test: impl Fn(&Subject)) {
    let scratch = Scratch::new();
    let mut failed = Vec::new();
    for subject in subjects(&scratch) {
        println!("{}", subject.url);
        let done = catch_unwind(AssertUnwindSafe(|| test(&subject)));
        if done.is_err() {
            failed.push(subject.url.clone());
        }
        if subject.far
            && let Ok(store) = subject.open(Mode::Append)
        {
            let _ = store.erase_prefix("");
        }
    }
    assert!(failed.is_empty(), "failed for {failed:#?}");
}

pub fn built(scheme: &str) -> bool {
    SCHEMES.iter().any(|known| known.name == scheme && known.is_built())
}

fn local(scratch: &Scratch) -> Vec<Subject> {
    let in_scratch = |name: &str| scratch.url(name);
    let mut stores = vec![
        Subject { shared: false, ..Subject::new("memory:") },
        Subject::new(format!("file:{}", in_scratch("plain"))),
        Subject::new(in_scratch("no links")).with(&[("follow_symlinks", "no")]),
        Subject::new(format!("{}|prefix:a/part", in_scratch("whole"))),
        Subject::new(format!("{}|cache:1MiB", in_scratch("kept"))),
        Subject::new(format!("{}|log:{}", in_scratch("told"), in_scratch("log"))),
    ];
    if built("zip") {
        stores.push(Subject::new(in_scratch("x.zip")));
        stores.push(Subject::new(format!("{}|zip:in/side", in_scratch("y"))));
    }
    if built("sqlite") {
        stores.push(Subject::new(format!("sqlite:{}", in_scratch("x"))));
    }
    if built("lmdb") {
        let lmdb = |path: &str| Subject {
            hashes: true,
            longest_key: 511,
            ..Subject::new(format!("lmdb:{}", in_scratch(path)))
        };
        stores.push(lmdb("lmdb"));
        stores.push(lmdb("one/file").with(&[("subdir", "no")]));
    }
    if built("dbm") {
        for name in ["gnu", "dumb"] {
            let url = format!("dbm:{}", in_scratch(name));
            stores.push(Subject { hashes: true, ..Subject::new(url) });
        }
        // a new one is of dbm.dumb where its files are there already
        for name in ["dumb.dir", "dumb.dat"] {
            std::fs::write(scratch.path(name), "").unwrap();
        }
    }
    stores
}

const CONTROLS: &[char] = &['\n', '\u{7f}'];

/// A scheme, the variable that names its server, and a store on it.
type Far = (&'static str, &'static str, fn(&str, &str) -> Subject);

const FAR: &[Far] = &[
    ("s3", "ZARRC_TEST_S3", |server, name| Subject {
        hashes: true,
        longest_key: 900,
        refused: CONTROLS,
        ..Subject::far(
            format!("s3://zarrc-test/{name}"),
            &[
                ("endpoint", server),
                ("region", "us-east-1"),
                ("access_key_id", "test"),
                ("secret_access_key", "test"),
            ],
        )
    }),
    ("gs", "ZARRC_TEST_GCS", |server, name| Subject {
        longest_key: 900,
        refused: CONTROLS,
        ..Subject::far(
            format!("gs://zarrc-test/{name}"),
            &[("endpoint", server), ("anonymous", "yes")],
        )
    }),
    ("az", "ZARRC_TEST_AZURE", |server, name| Subject {
        longest_key: 900,
        refused: &['\n', '\u{7f}', '\\'],
        ..Subject::far(
            format!("az://zarrc-test/{name}"),
            &[
                ("endpoint", server),
                ("account_name", "devstoreaccount1"),
                // Azurite's own, which its documentation tells everyone
                (
                    "account_key",
                    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
                ),
            ],
        )
    }),
    ("redis", "ZARRC_TEST_REDIS", |server, name| Subject {
        hashes: true,
        ..Subject::far(format!("{server}/0"), &[("prefix", name)])
    }),
    ("mongodb", "ZARRC_TEST_MONGODB", |server, name| Subject {
        largest_value: 15 << 20,
        ..Subject::far(format!("{server}/{name}/zarr"), &[])
    }),
];
