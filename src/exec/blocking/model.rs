//! The threads under many schedules, in which the time of idle ones passes at any moment.

use super::*;
use crate::sync::check;
use std::ops::Range;

#[test]
fn all_work_is_done_once_whenever_idle_threads_end() {
    check(|| {
        let threads: &'static Threads = Box::leak(Box::default());
        let done = Arc::new((Mutex::new([0; 6]), Condvar::new()));
        let start = {
            let done = done.clone();
            move |n: usize| {
                let done = done.clone();
                let started = threads.start(Box::new(move || {
                    lock(&done.0)[n] += 1;
                    done.1.notify_all();
                }));
                assert!(started.is_ok());
            }
        };
        let other = crate::sync::thread::spawn({
            let start = start.clone();
            move || (4..6).for_each(start)
        });
        let wait_for = |work: Range<usize>| {
            let held = lock(&done.0);
            drop(done.1.wait_while(held, |done| done[work.clone()].contains(&0)));
        };
        (0..2).for_each(&start);
        wait_for(0..2);
        // by now threads may be idle, or have ended
        (2..4).for_each(&start);
        wait_for(0..6);
        other.join().expect("no panic");
        assert_eq!(*lock(&done.0), [1; 6]);
    });
}
