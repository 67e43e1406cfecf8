//! Why a verb did not do what it was asked for, and the exit code for it.

use std::fmt;
use std::io;
use zarrc::error::{Error, Kind};

/// The result of a verb: its exit code.
pub type Outcome = Result<u8, Failure>;
/// The result of a part of it.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// What was asked for is so.
pub const DONE: u8 = 0;
/// Two stores differ, or a store has problems.
pub const DIFFERENT: u8 = 1;
/// Nothing can be said: the command line, the store or the system is at fault.
pub const TROUBLE: u8 = 2;
/// Ended by Ctrl-C: 128 and the number of the signal, as shells have it.
pub const INTERRUPTED: u8 = 130;

/// Why a verb failed.
#[derive(Debug)]
pub enum Failure {
    /// The library refused.
    Library(Error),
    /// The system refused; what was being done.
    Io(String, io::Error),
    /// The command line cannot mean anything.
    Usage(String),
    /// Whoever read the output wants no more of it.
    Pipe,
}

impl Failure {
    /// An error about the command line.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure::Usage(message.into())
    }

    /// Says what was being done when the system refused.
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
