//! Kept buffers under many schedules: none is used twice at once, and none outlives the last user.

use super::*;
use crate::sync::check;
use std::sync::Arc;

/// Uses two buffers as a call does.
fn call(pool: &BufferPool, mark: u8) {
    let take = || {
        let mut buffer: Vec<u8> = pool.take(8).unwrap_or_default();
        buffer.clear();
        buffer.resize(8, mark);
        buffer
    };
    let (a, b) = (take(), take());
    assert!(a.iter().chain(&b).all(|&byte| byte == mark) && a.as_ptr() != b.as_ptr());
    pool.put_back(a);
    pool.put_back(b);
}

#[test]
fn no_buffer_is_kept_after_the_last_user() {
    check(|| {
        let pool = Arc::new(BufferPool::new(1));
        let threads: Vec<_> = (1..=2)
            .map(|mark| {
                let pool = pool.clone();
                pool.users.fetch_add(1, Ordering::Relaxed);
                crate::sync::thread::spawn(move || {
                    call(&pool, mark);
                    // a user who leaves while what it cancelled still ends
                    let other = pool.clone();
                    let late = crate::sync::thread::spawn(move || call(&other, mark + 2));
                    pool.remove_user();
                    late.join().expect("no panic");
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
        let kept = pool.lists[0].buffers.lock().map(|list| list.growing.len());
        assert!(matches!(kept, Ok(0)), "{kept:?}");
    });
}
