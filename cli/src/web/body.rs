//! The body of an answer: in memory, or made piece by piece while it is sent.

use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// A body of known length.
pub struct Body {
    left: u64,
    from: From,
}

enum From {
    Memory(Bytes),
    Thread(mpsc::Receiver<io::Result<Bytes>>),
}

impl Body {
    /// Nothing.
    pub fn empty() -> Self {
        Self::whole(Bytes::new())
    }

    /// These bytes.
    pub fn whole(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        Body { left: bytes.len() as u64, from: From::Memory(bytes) }
    }

    /// `length` bytes, which `make` gives to its argument in pieces, on a thread of the server. The
    /// argument waits for the client, and returns whether there still is one. The connection breaks
    /// if `make` fails.
    pub fn pieces(
        length: u64,
        make: impl FnOnce(&mut dyn FnMut(Bytes) -> bool) -> io::Result<()> + Send + 'static,
    ) -> Self {
        let (sender, receiver) = mpsc::channel(1);
        tokio::task::spawn_blocking(move || {
            let made = make(&mut |piece| sender.blocking_send(Ok(piece)).is_ok());
            if let Err(e) = made {
                let _ = sender.blocking_send(Err(e));
            }
        });
        Body { left: length, from: From::Thread(receiver) }
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        let piece = match &mut self.from {
            From::Memory(bytes) => Some(Ok(std::mem::take(bytes))),
            From::Thread(receiver) => match receiver.poll_recv(context) {
                Poll::Ready(piece) => piece,
                Poll::Pending => return Poll::Pending,
            },
        };
        Poll::Ready(match piece {
            Some(Ok(piece)) => {
                self.left = self.left.saturating_sub(piece.len() as u64);
                Some(Ok(Frame::data(piece)))
            }
            Some(Err(e)) => Some(Err(e)),
            None => Some(Err(io::ErrorKind::UnexpectedEof.into())),
        })
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
