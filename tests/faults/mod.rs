//! Every operation of every job fails, dies, is delayed or lies in turn. Afterwards the store opens,
//! each node, attribute, shape and chunk is the old or the new one, and the same job run again ends
//! in the very bytes that an undisturbed run leaves: nothing is lost and nothing left over. Where
//! documents say so, `repair` takes part in that.

#[cfg(target_os = "linux")]
mod crash;
#[cfg(target_os = "linux")]
mod disk;
mod jobs;
mod state;
mod store;

use crate::common::{get, hierarchy, key, memory, path};
use jobs::{JOBS, Job, prepare};
use std::collections::BTreeMap;
use std::sync::Arc;
use store::{FAILURES, Fault, Faulty, LIES, copy_of, values};
use zarrc::error::{Kind, Result};
use zarrc::format::FormatId;
use zarrc::hierarchy::Hierarchy;
use zarrc::operations::repair;
use zarrc::progress::Progress;
use zarrc::store::{Precondition, SharedStore};

/// Formats, and whether the store has consolidated metadata; remote stores have the first two.
const FORMATS: [(FormatId, bool); 5] = [
    (FormatId::V3, true),
    (FormatId::N5, false),
    (FormatId::V3, false),
    (FormatId::V2, true),
    (FormatId::V2, false),
];

/// One job on one store.
struct Trial<'a> {
    job: &'a Job,
    format: FormatId,
    consolidated: bool,
    far: bool,
    before: SharedStore,
    old: [state::State; 2],
    new: [state::State; 2],
    /// The keys and values after an undisturbed run.
    clean: BTreeMap<String, Vec<u8>>,
}

impl<'a> Trial<'a> {
    fn new(job: &'a Job, (format, consolidated): (FormatId, bool), far: bool) -> Self {
        let before = memory();
        prepare(&before, format, consolidated);
        (job.before)(&before, format);
        let after = copy_of(&before);
        let mut trial = Trial {
            job,
            format,
            consolidated,
            far,
            old: Default::default(),
            new: Default::default(),
            clean: BTreeMap::new(),
            before,
        };
        trial.run(&after).unwrap();
        trial.clean = values(&after);
        trial.old = trial.states(&trial.before);
        trial.new = trial.states(&after);
        trial
    }

    fn run(&self, store: &SharedStore) -> Result<()> {
        let mut options = self.job.options.to_vec();
        options.push(("threads", if self.far { "2" } else { "1" }));
        let nodes: Arc<Hierarchy> = hierarchy(store, &options);
        let result = (self.job.run)(&nodes, self.format);
        result.and(nodes.close())
    }

    /// What readers see, without and with consolidated metadata.
    fn states(&self, store: &SharedStore) -> [state::State; 2] {
        let see = |options: &[(&str, &str)]| state::read(store, options).expect("it opens");
        let documents = see(&[("consolidated", "no")]);
        if !self.consolidated || self.job.moves {
            return [documents.clone(), documents];
        }
        [documents, see(&[("consolidated", "yes")])]
    }

    /// Runs the job with a fault in its n-th operation; returns whether it has so many.
    fn disturb(&self, fault: Fault, n: u64) -> (bool, Result<(), String>) {
        let store = copy_of(&self.before);
        let faulty = Faulty::new(store.clone(), self.far, fault, n);
        let shared: SharedStore = faulty.clone();
        let result = self.run(&shared);
        let met = faulty.count() >= n;
        let checked = self.check(fault, &store, &result);
        (met, checked.map_err(|why| format!("{why}; the first run: {:?}", result.err())))
    }

    fn check(&self, fault: Fault, store: &SharedStore, result: &Result<()>) -> Result<(), String> {
        let found = self.states(store);
        for ((found, old), new) in found.iter().zip(&self.old).zip(&self.new) {
            state::check_between(found, old, new, self.job.mixes)?;
        }
        match result {
            Ok(()) if found != self.new => return Err("done, and not the new state".into()),
            Ok(()) => {}
            Err(e) if !expects(fault, e) => return Err("this error is not the fault's".into()),
            Err(_) => {}
        }
        match (self.run(store), self.job.done) {
            (Ok(()), _) => {}
            (Err(e), Some(kind)) if e.kind() == kind => {}
            (Err(e), _) => return Err(format!("again: {:?} {e}", e.kind())),
        }
        // a failed call may leave consolidated metadata stale, as its message says
        let mut stale = if self.consolidated { vec!["consolidated"] } else { Vec::new() };
        if self.job.leaves {
            stale.push("unknown");
        }
        if !stale.is_empty() {
            let kinds = stale.join(",");
            let repaired =
                repair(&hierarchy(store, &[]), &path(""), &kinds, false, &Progress::silent());
            repaired.map_err(|e| format!("repair: {e}"))?;
        }
        let again = values(store);
        let without = |a: &BTreeMap<String, Vec<u8>>, b: &BTreeMap<String, Vec<u8>>| {
            let other = a.iter().filter(|(key, value)| b.get(*key) != Some(value));
            other.map(|(key, _)| key.clone()).collect::<Vec<_>>()
        };
        match (without(&again, &self.clean), without(&self.clean, &again)) {
            (more, less) if more.is_empty() && less.is_empty() => Ok(()),
            (more, less) => Err(format!("again: left over or changed {more:?}, missing {less:?}")),
        }
    }
}

/// Whether a call may fail with this error because of the fault.
fn expects(fault: Fault, e: &zarrc::error::Error) -> bool {
    match fault {
        Fault::Delayed => false,
        Fault::Truncated => matches!(e.kind(), Kind::CorruptData | Kind::InvalidMetadata),
        Fault::Stale | Fault::Hidden => !matches!(e.kind(), Kind::Internal | Kind::Io),
        Fault::AnswerLost | Fault::DiesAfter | Fault::Dies | Fault::Fails => {
            e.kind() == Kind::Io && e.to_string().contains("injected fault")
        }
    }
}

/// All jobs in all formats with these faults; the failures of all of them in one message.
fn all(far: bool, faults: &[Fault]) {
    let mut failures = Vec::new();
    let mut trials = 0;
    for job in JOBS {
        for format in FORMATS.into_iter().take(if far { 2 } else { 5 }) {
            let trial = Trial::new(job, format, far);
            // whether a lie about consolidated metadata is believed makes no difference to data
            let lies =
                |fault: &Fault| job.lies.contains(fault) && (!format.1 || *fault == Fault::Stale);
            for &fault in faults.iter().filter(|fault| !LIES.contains(fault) || lies(fault)) {
                for n in 1.. {
                    trials += 1;
                    let (met, checked) = trial.disturb(fault, n);
                    if let Err(why) = checked {
                        failures.push(format!("{}, {format:?}, {fault:?} {n}: {why}", job.name));
                    }
                    if !met {
                        break;
                    }
                }
            }
        }
    }
    println!("{trials} trials");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn near_stores_that_fail() {
    all(false, &FAILURES);
}

#[test]
fn near_stores_that_lie() {
    all(false, &LIES);
}

#[test]
fn far_stores_that_fail() {
    all(true, &FAILURES);
}

#[test]
fn far_stores_that_lie() {
    all(true, &LIES);
}

/// A move that is made again after an interruption overwrites no value that was changed meanwhile,
/// at the old path or at the new one.
#[test]
fn a_move_again_overwrites_nothing() {
    let job = JOBS.iter().find(|job| job.name == "move").unwrap();
    let mut trials = 0;
    for format in [(FormatId::V3, false), (FormatId::V2, false)] {
        let trial = Trial::new(job, format, false);
        for n in 1.. {
            let left = copy_of(&trial.before);
            let faulty = Faulty::new(left.clone(), false, Fault::Dies, n);
            let shared: SharedStore = faulty.clone();
            let interrupted = trial.run(&shared);
            // without a node at the old path, what is left there belongs to nothing
            let there = hierarchy(&left, &[]).kind_at(&path("g")).unwrap().is_some();
            let at_both = values(&left).into_iter().filter_map(|(to, value)| {
                let from = format!("g/{}", to.strip_prefix("m/")?);
                get(&*left, &from).is_some().then_some([(from, value.clone()), (to, value)])
            });
            for (changed, mut value) in at_both.flatten().filter(|_| there) {
                let store = copy_of(&left);
                value.push(b' ');
                store.set(&key(&changed), &[&value], &Precondition::None).unwrap();
                let before = values(&store);
                let again = trial.run(&store).expect_err("two values differ");
                assert_eq!(again.kind(), Kind::AlreadyExists, "{changed}: {again}");
                let after = values(&store);
                assert!(
                    before.iter().all(|(key, value)| after.get(key) == Some(value)),
                    "{changed}"
                );
                trials += 1;
            }
            if faulty.count() < n {
                interrupted.unwrap();
                break;
            }
        }
    }
    assert!(trials > 100, "{trials} trials");
}
