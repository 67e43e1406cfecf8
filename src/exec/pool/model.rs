//! The pool under many schedules. A schedule in which a thread waits for ever fails by itself.

use super::*;
use crate::sync::atomic::AtomicBool;
use crate::sync::check;
use std::panic::resume_unwind;

/// A pool of its own for each schedule. Its workers, which would wait for ever, end with it.
struct Model(&'static Pool);

impl Model {
    fn new() -> Self {
        Model(Box::leak(Box::default()))
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        let mut queue = lock(&self.0.queue);
        assert!(queue.tasks.is_empty() || std::thread::panicking(), "work is left");
        queue.ended = true;
        drop(queue);
        self.0.work.notify_all();
    }
}

/// Runs `jobs` jobs, of which each may run once, and none after the call.
fn run_counted(pool: &'static Pool, threads: usize, jobs: usize, inner: &(dyn Fn() + Sync)) {
    let open = AtomicBool::new(true);
    let counts: Vec<AtomicUsize> = (0..jobs).map(|_| AtomicUsize::new(0)).collect();
    let done = run_in(|| pool, threads, jobs, &|n| {
        counts[n].fetch_add(1, Ordering::SeqCst);
        inner();
        assert!(open.load(Ordering::SeqCst), "a job runs after its call");
        Ok(())
    });
    open.store(false, Ordering::SeqCst);
    done.expect("no job fails");
    assert!(counts.iter().all(|count| count.load(Ordering::SeqCst) == 1));
}

#[test]
fn every_job_of_calls_at_once_runs_once_before_its_call_ends() {
    check(|| {
        let model = Model::new();
        let pool = model.0;
        let other = crate::sync::thread::spawn(move || run_counted(pool, 3, 3, &|| {}));
        run_counted(pool, 2, 2, &|| run_counted(pool, 2, 2, &|| {}));
        other.join().expect("no panic");
    });
}

#[test]
fn the_error_of_the_lowest_number_comes_back_and_a_panic_does() {
    check(|| {
        let model = Model::new();
        let error = run_in(|| model.0, 3, 4, &|n| match n {
            0 => Ok(()),
            n => Err(Error::corrupt(format!("{n}"))),
        });
        assert_eq!(error.expect_err("three fail").to_string(), "1");
        let panics = || {
            run_in(|| model.0, 2, 3, &|n| {
                if n == 1 { resume_unwind(Box::new("one")) } else { Ok(()) }
            })
        };
        let panic = catch_unwind(AssertUnwindSafe(panics)).expect_err("one panics");
        assert_eq!(panic.downcast_ref(), Some(&"one"));
        run_counted(model.0, 2, 2, &|| {});
    });
}

#[test]
fn submitted_jobs_run_once_beside_shared_ones_and_after_a_panic() {
    check(|| {
        let model = Model::new();
        let pool = model.0;
        let ran = Arc::new((Mutex::new([0; 4]), Condvar::new()));
        let submit = |n: usize| {
            let ran = ran.clone();
            pool.submit_owned(Box::new(move || {
                lock(&ran.0)[n] += 1;
                ran.1.notify_all();
                if n == 1 {
                    resume_unwind(Box::new("one"));
                }
            }));
        };
        let other = crate::sync::thread::spawn(move || run_counted(pool, 2, 2, &|| {}));
        (0..4).for_each(submit);
        let all = ran.1.wait_while(lock(&ran.0), |ran| ran.contains(&0));
        drop(all);
        other.join().expect("no panic");
        assert_eq!(*lock(&ran.0), [1; 4]);
    });
}

#[test]
fn no_more_hold_permits_than_there_are_cores_and_all_get_one() {
    check(|| {
        let model = Model::new();
        let (pool, now) = (model.0, Arc::new(AtomicUsize::new(0)));
        let threads: Vec<_> = (0..available() + 2)
            .map(|_| {
                let now = now.clone();
                crate::sync::thread::spawn(move || {
                    let _permit = CodecPermit::of(pool);
                    assert!(now.fetch_add(1, Ordering::SeqCst) < available());
                    now.fetch_sub(1, Ordering::SeqCst);
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    });
}
