//! The one error type: a kind that the caller can act on, and a message that says what went wrong,
//! where, and what to do. Modules add context as the error passes through ([`Context::at`]), so the
//! message reads from the outside in: `array a/b: chunk c/0/3: blosc: block 2 lies beyond the
//! value`.

use std::borrow::Cow;
use std::fmt;

/// What a caller can act on. The numbers are those of `zarrc_status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
#[allow(missing_docs)] // each is documented with its constant in capi/status.rs
pub enum Kind {
    InvalidArgument = 1,
    OutOfBounds = 2,
    NotFound = 3,
    AlreadyExists = 4,
    InvalidMetadata = 5,
    CorruptData = 6,
    Unsupported = 7,
    TypeMismatch = 8,
    PermissionDenied = 9,
    Io = 10,
    Conflict = 11,
    LimitExceeded = 12,
    Cancelled = 13,
    OutOfMemory = 14,
    Internal = 15,
    /// Never leaves the library: see [`Error::pending`].
    Pending = -1,
}

impl Kind {
    const ALL: [Kind; 15] = [
        Kind::InvalidArgument,
        Kind::OutOfBounds,
        Kind::NotFound,
        Kind::AlreadyExists,
        Kind::InvalidMetadata,
        Kind::CorruptData,
        Kind::Unsupported,
        Kind::TypeMismatch,
        Kind::PermissionDenied,
        Kind::Io,
        Kind::Conflict,
        Kind::LimitExceeded,
        Kind::Cancelled,
        Kind::OutOfMemory,
        Kind::Internal,
    ];

    /// Its `zarrc_status`.
    pub fn from_number(number: i32) -> Option<Kind> {
        Self::ALL.into_iter().find(|&kind| kind as i32 == number)
    }
}

/// An error: its kind, its message, and the system's error code if there is one.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", printable(&.0.message))]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    kind: Kind,
    system_code: i32,
    message: String,
}

/// The result of every fallible function.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of `kind` with a message.
    #[cold]
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error(Box::new(Inner { kind, system_code: 0, message: message.into() }))
    }

    /// Bytes that were asked for have not arrived yet. What needs them ends with this error, and is
    /// done again once they are there; see `ByteSource::prefetch`.
    #[cold]
    pub fn pending() -> Self {
        Self::new(Kind::Pending, "the bytes have not arrived yet")
    }

    /// Whether it is [`Self::pending`].
    pub fn is_pending(&self) -> bool {
        self.kind() == Kind::Pending
    }

    /// The caller's mistake.
    #[cold]
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Kind::InvalidArgument, message)
    }

    /// A metadata document breaks its specification.
    #[cold]
    pub fn metadata(message: impl Into<String>) -> Self {
        Self::new(Kind::InvalidMetadata, message)
    }

    /// Stored bytes do not decode to what the metadata says.
    #[cold]
    pub fn corrupt(message: impl Into<String>) -> Self {
        Self::new(Kind::CorruptData, message)
    }

    /// Valid, but not supported by this build.
    #[cold]
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(Kind::Unsupported, message)
    }

    /// The operating system failed; its error number is kept and determines the kind.
    #[cold]
    pub fn system(doing: impl fmt::Display, errno: i32) -> Self {
        let kind = match errno {
            libc::ENOENT | libc::ENOTDIR => Kind::NotFound,
            libc::EACCES | libc::EPERM | libc::EROFS => Kind::PermissionDenied,
            libc::EEXIST => Kind::AlreadyExists,
            libc::ENOMEM => Kind::OutOfMemory,
            _ => Kind::Io,
        };
        let text = crate::system::describe(errno);
        Error(Box::new(Inner { kind, system_code: errno, message: format!("{doing}: {text}") }))
    }

    /// The same for an error of the standard library.
    #[cold]
    pub fn io(doing: impl fmt::Display, error: &std::io::Error) -> Self {
        match crate::system::code(error) {
            Some(errno) => Self::system(doing, errno),
            None => Self::new(Kind::Io, format!("{doing}: {error}")),
        }
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The `errno` or HTTP status behind it; 0 if there is none.
    pub fn system_code(&self) -> i32 {
        self.0.system_code
    }

    /// The same error with another kind.
    pub fn with_kind(mut self, kind: Kind) -> Self {
        self.0.kind = kind;
        self
    }

    /// The same error with the system's error code.
    pub fn with_system_code(mut self, code: i32) -> Self {
        self.0.system_code = code;
        self
    }

    /// The same error, for broken metadata that came from the caller instead of a store.
    pub fn caller_caused(mut self) -> Self {
        if self.0.kind == Kind::InvalidMetadata {
            self.0.kind = Kind::InvalidArgument;
        }
        self
    }
}

/// The entry of `known` most similar to `name`.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    known.min_by_key(|k| distance(name, k)).unwrap_or_default()
}

/// A suggestion for the end of a message if an entry of `known` is similar; else empty.
pub fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let hint = nearest(name, known);
    let near = (hint.chars().count() / 3).max(1);
    match distance(&name.to_lowercase(), &hint.to_lowercase()) {
        far if far > near || hint.is_empty() => String::new(),
        _ => format!("; did you mean {hint:?}?"),
    }
}

/// The number of characters to insert, delete or replace to turn one word into the other; swapping
/// two neighbours counts once.
fn distance(a: &str, b: &str) -> usize {
    // Bounds the work for long input; beyond any real name, they differ anyway.
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    let mut before = vec![0; a.len() + 1];
    let mut row: Vec<usize> = (0..=a.len()).collect();
    for j in 1..=b.len() {
        let mut next = vec![j; a.len() + 1];
        for i in 1..=a.len() {
            let replaced = row[i - 1] + usize::from(a[i - 1] != b[j - 1]);
            next[i] = replaced.min(row[i] + 1).min(next[i - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                next[i] = next[i].min(before[i - 2] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or_default()
}

/// Adds context to errors.
pub trait Context<T> {
    /// Puts `place: ` before the message.
    fn at<P: fmt::Display>(self, place: impl FnOnce() -> P) -> Result<T>;
}

impl<T> Context<T> for Result<T> {
    fn at<P: fmt::Display>(self, place: impl FnOnce() -> P) -> Result<T> {
        self.map_err(|mut e| {
            e.0.message = format!("{}: {}", place(), e.0.message);
            e
        })
    }
}

/// A message that is safe to print: it may contain names from stores, and URLs with passwords.
/// Escapes control characters, which could forge lines or steer a terminal, and characters that
/// change the direction of text. Removes what precedes the `@` of an authority
/// (`//user:password@host`).
fn printable(message: &str) -> Cow<'_, str> {
    let unsafe_to_print = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut text = Cow::Borrowed(message);
    if text.contains(unsafe_to_print) {
        let mut escaped = String::with_capacity(text.len() + 16);
        for c in text.chars() {
            match unsafe_to_print(c) {
                true => escaped.extend(c.escape_default()),
                false => escaped.push(c),
            }
        }
        text = escaped.into();
    }
    if text.contains("//") && text.contains('@') { without_logins(&text).into() } else { text }
}

/// `text` with an ellipsis in place of each user and password before a host.
fn without_logins(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("//") {
        let (before, after) = rest.split_at(at + 2);
        shown.push_str(before);
        let ends = |c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#' | '|' | '"' | '\'');
        let authority = &after[..after.find(ends).unwrap_or(after.len())];
        rest = match authority.rfind('@') {
            Some(login) => {
                shown.push('…');
                &after[login..]
            }
            None => after,
        };
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_can_be_printed() {
        for (message, printed) in [
            ("array ü: chunk c/0", "array ü: chunk c/0"),
            ("key \"a\\nb\" is absolute", "key \"a\\nb\" is absolute"),
            ("a\nb\u{1b}[31mc\u{85}\0", "a\\nb\\u{1b}[31mc\\u{85}\\u{0}"),
            ("a\u{202e}b\u{2028}", "a\\u{202e}b\\u{2028}"),
            ("opening /d/ http://bob:PW@host/x: no", "opening /d/ http://…@host/x: no"),
            ("store \"//bob:P@W@host\"", "store \"//…@host\""),
            ("http://…@h/x and http://h:80/x@2", "http://…@h/x and http://h:80/x@2"),
            ("a//b//me@c", "a//b//…@c"),
        ] {
            assert_eq!(Error::invalid(message).to_string(), printed);
        }
    }

    #[test]
    fn near_names_are_asked_about_and_others_not() {
        let ask =
            |name: &str| did_you_mean(name, ["zstd", "float32", "float64", "gzip"].into_iter());
        assert_eq!(ask("zstdd"), "; did you mean \"zstd\"?");
        assert_eq!(ask("flaot32"), "; did you mean \"float32\"?");
        assert_eq!(ask("Float64"), "; did you mean \"float64\"?");
        assert_eq!(ask("grib"), "");
        assert_eq!(did_you_mean("x", std::iter::empty()), "");
        assert_eq!(nearest("fiel", ["file", "http"].into_iter()), "file");
    }

    #[test]
    fn distance_counts_single_changes() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "ab", 2),
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
            ("ab", "ba", 1),
        ] {
            assert_eq!(distance(a, b), expected);
            assert_eq!(distance(b, a), expected);
        }
    }
}
