//! Why a verb failed, and its exit code.

use std::fmt;
use std::io;
use zarrc::error::{Error, Kind};

/// The result of a verb: its exit code.
pub type Outcome = Result<u8, Failure>;
/// The result of part of a verb.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// Success.
pub const DONE: u8 = 0;
/// Two stores differ, or a store has problems.
pub const DIFFERENT: u8 = 1;
/// No result: the command line, the store or the system failed.
pub const TROUBLE: u8 = 2;
/// Ended by Ctrl-C: 128 and the number of the signal, as shells have it.
pub const INTERRUPTED: u8 = 130;

/// Why a verb failed.
#[derive(Debug)]
pub enum Failure {
    /// The library refused.
    Library(Error),
    /// A system error, with the operation that failed.
    Io(String, io::Error),
    /// An invalid command line.
    Usage(String),
    /// The reader of the output has closed it.
    Pipe,
}

impl Failure {
    /// An error about the command line.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure::Usage(message.into())
    }

    /// Adds the operation that failed to a system error.
    pub fn io(doing: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        move |e| match e.kind() {
            io::ErrorKind::BrokenPipe => Failure::Pipe,
            _ => Failure::Io(doing.into(), e),
        }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Pipe => DONE,
            Failure::Library(e) if e.kind() == Kind::Cancelled => INTERRUPTED,
            _ => TROUBLE,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Library(error)
    }
}

/// Of writing the output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::io("writing the output")(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Library(e) => e.fmt(f),
            Failure::Io(doing, e) => write!(f, "{doing}: {e}"),
            Failure::Usage(message) => f.write_str(message),
            Failure::Pipe => f.write_str("the output was closed"),
        }
    }
}
