//! The output of a decoder that works step by step: memory of a known length, or a vector that
//! grows up to a limit. Either way it never exceeds what metadata promised.

use crate::error::{Error, Result};
use crate::source::{reserve, wrong_length};

/// The output of a decoder.
pub(super) struct Sink<'a> {
    target: Target<'a>,
    /// Bytes written so far.
    at: usize,
    /// The most bytes allowed.
    limit: usize,
    /// Space for one excess byte, which reveals a value that is too long.
    spare: [u8; 1],
}

enum Target<'a> {
    Slice(&'a mut [u8]),
    /// A vector, whose output starts at this length.
    Vector(&'a mut Vec<u8>, usize),
}

impl<'a> Sink<'a> {
    /// Memory to be filled completely.
    pub fn exactly(out: &'a mut [u8]) -> Self {
        Sink { limit: out.len(), target: Target::Slice(out), at: 0, spare: [0] }
    }

    /// A vector to append up to `limit` bytes to.
    pub fn at_most(out: &'a mut Vec<u8>, limit: usize) -> Self {
        let begin = out.len();
        Sink { limit, target: Target::Vector(out, begin), at: 0, spare: [0] }
    }

    /// The most bytes allowed.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Space for the next bytes, at least one.
    pub fn room(&mut self) -> Result<&mut [u8]> {
        if self.at == self.limit {
            return Ok(&mut self.spare);
        }
        match &mut self.target {
            Target::Slice(out) => Ok(&mut out[self.at..]),
            Target::Vector(out, begin) => {
                let at = *begin + self.at;
                if at == out.len() {
                    let more = self.at.max(4096).min(self.limit - self.at);
                    reserve(out, more)?;
                    out.resize(at + more, 0);
                }
                Ok(&mut out[at..])
            }
        }
    }

    /// Counts bytes written to that space.
    pub fn wrote(&mut self, count: usize) -> Result<()> {
        if count > self.limit - self.at {
            return Err(Error::corrupt(format!(
                "the value decodes to more than the {} bytes expected",
                self.limit
            )));
        }
        self.at += count;
        Ok(())
    }

    /// Checks the end of the value.
    pub fn finish(self) -> Result<()> {
        match self.target {
            Target::Vector(out, begin) => {
                out.truncate(begin + self.at);
                Ok(())
            }
            Target::Slice(out) if self.at == out.len() => Ok(()),
            Target::Slice(out) => Err(wrong_length(out.len() as u64, self.at as u64)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes `count` bytes, as far as allowed.
    fn fill(mut sink: Sink<'_>, count: usize) -> Result<()> {
        for n in 0..count {
            sink.room()?[0] = n as u8;
            sink.wrote(1)?;
        }
        sink.room()?;
        sink.finish()
    }

    #[test]
    fn no_more_and_no_less() {
        let mut out = [0; 3];
        assert!(fill(Sink::exactly(&mut out), 2).is_err());
        assert!(fill(Sink::exactly(&mut out), 4).is_err());
        fill(Sink::exactly(&mut out), 3).expect("fits");
        assert_eq!(out, [0, 1, 2]);
        let mut grown = vec![9];
        assert!(fill(Sink::at_most(&mut grown, 5000), 5001).is_err());
        grown.truncate(1);
        fill(Sink::at_most(&mut grown, 5000), 4999).expect("fits");
        assert_eq!((grown.len(), &grown[..3]), (5000, &[9, 0, 1][..]));
    }
}
