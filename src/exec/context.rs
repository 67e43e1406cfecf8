//! Contexts of compressors, such as tables and windows. They are kept for the next chunk, whichever
//! thread has it: of many threads few compress at once, and what these use stays in the processor's
//! cache.

use super::buffer_pool::{Keep, Lists, put_back, take_best};
use crate::error::Result;
use std::any::Any;

/// What a compressor needs beside its input and output.
pub trait Context: Any + Send + Sized {
    /// What a context is made for, such as a level.
    type Of: Any + Send + Copy + PartialEq;

    /// A new context.
    fn new(of: Self::Of) -> Result<Self>;

    /// About how much memory it has (bytes).
    fn bytes(&self) -> usize;
}

struct Made<C: Context> {
    of: C::Of,
    context: C,
}

/// A context that is not in use.
pub(super) struct Idle {
    /// A [`Made`].
    context: Box<dyn Any + Send>,
    bytes: usize,
}

impl Keep for Idle {
    /// No more are kept during a call than have worked at once, and high levels need much.
    const MOST: usize = usize::MAX;

    fn list(lists: &mut Lists) -> &mut Vec<Self> {
        &mut lists.contexts
    }

    fn capacity(&self) -> usize {
        self.bytes
    }

    fn discard(self) {}
}

/// Calls `work` with a kept context or a new one, which is kept unless `work` fails.
pub fn with_context<C: Context, T>(of: C::Of, work: impl FnOnce(&mut C) -> Result<T>) -> Result<T> {
    let fits = |idle: &Idle| idle.context.downcast_ref::<Made<C>>().is_some_and(|c| c.of == of);
    let kept = take_best(|idle| fits(idle).then_some(0));
    let mut made: Box<Made<C>> = match kept.and_then(|idle| idle.context.downcast().ok()) {
        Some(made) => made,
        None => Box::new(Made { of, context: C::new(of)? }),
    };
    let result = work(&mut made.context)?;
    let bytes = made.context.bytes();
    put_back(Idle { context: made, bytes });
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::exec::{PoolUser, buffer_pool};

    /// How many have used it.
    struct Count(u32);

    impl Context for Count {
        type Of = u8;

        fn new(_: u8) -> Result<Self> {
            Ok(Count(0))
        }

        fn bytes(&self) -> usize {
            1 << 10
        }
    }

    /// How many have used the context of this level before.
    fn used(level: u8, fails: bool) -> Option<u32> {
        let work = |count: &mut Count| {
            count.0 += 1;
            if fails { Err(Error::corrupt("damaged")) } else { Ok(count.0 - 1) }
        };
        with_context(level, work).ok()
    }

    #[test]
    fn a_context_is_used_again_where_it_fits_unless_it_failed() {
        // an active call keeps other tests from freeing contexts
        let (_user, _call) = (PoolUser::new(), buffer_pool::ActiveCall::begin());
        // a list that another test has locked counts as empty
        let again = |level| (0..100).any(|_| used(level, false) > Some(0));
        assert!(again(1) && again(2));
        assert_eq!(used(3, true), None);
        assert_eq!(used(3, false), Some(0));
        std::thread::spawn(move || assert!((0..100).any(|_| used(1, false) > Some(0))))
            .join()
            .expect("another thread uses it");
    }
}
