//! Drives the background requests of one thread: bodies arrive in the order of their requests, and
//! no earlier than they are needed.
//!
//! Bodies that are received side by side are complete at about the same time, and until then
//! nothing can be decoded. So of those whose next bytes are there, only the earliest receives; what
//! the others have waits in their connections. A body whose bytes are not there holds up none, so
//! that slow connections are used side by side. While a call has enough to decode, its bodies wait
//! too: what arrives faster takes memory and saves no time.

use crate::exec::Pace;
use crate::lock::Acquire;
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Wake, Waker};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// How long a body waits because there is enough to decode: servers cut connections that stand
/// still.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// A request to be made on the thread that runs it.
pub struct Work {
    pub make: Box<dyn FnOnce() -> Request + Send>,
    pub pace: Option<Arc<Pace>>,
}

/// A request that is made.
pub type Request = Pin<Box<dyn Future<Output = ()>>>;

/// The requests of one thread.
#[derive(Default)]
pub struct Requests {
    state: Mutex<State>,
    news: Notify,
}

#[derive(Default)]
struct State {
    new: Vec<Work>,
    /// The numbers of those that can go on, and of them those that receive a body.
    ready: BTreeSet<u64>,
    receiving: BTreeSet<u64>,
}

/// What wakes a request.
struct Turn {
    requests: Arc<Requests>,
    number: u64,
    /// Whether the head of its answer is there.
    receives: AtomicBool,
}

impl Wake for Turn {
    fn wake(self: Arc<Self>) {
        let mut state = self.requests.state();
        let ready = match self.receives.load(Ordering::Relaxed) {
            true => &mut state.receiving,
            false => &mut state.ready,
        };
        ready.insert(self.number);
        drop(state);
        self.requests.news.notify_one();
    }
}

thread_local! {
    /// The request that this thread runs.
    static CURRENT: Cell<Option<Arc<Turn>>> = const { Cell::new(None) };
}

/// Notes whether the request that this thread runs receives a body; `false`: it runs none of these.
fn note(receives: bool) -> bool {
    let Some(turn) = CURRENT.take() else { return false };
    turn.receives.store(receives, Ordering::Relaxed);
    CURRENT.set(Some(turn));
    true
}

/// To be called before a request is sent.
pub fn sends() {
    note(false);
}

/// To be awaited when the head of an answer is there: returns when it is the body's turn.
pub async fn receives() {
    if note(true) {
        tokio::task::yield_now().await;
    }
}

/// A request that runs.
struct Running {
    request: Request,
    turn: Arc<Turn>,
    waker: Waker,
    pace: Option<Arc<Pace>>,
    /// Until when it may wait for its call to need more.
    waits_until: Option<Instant>,
}

impl Running {
    /// Goes on; returns whether it has ended. If it panics, it has.
    fn go_on(&mut self) -> bool {
        CURRENT.set(Some(self.turn.clone()));
        let mut context = Context::from_waker(&self.waker);
        let request = AssertUnwindSafe(|| self.request.as_mut().poll(&mut context));
        let polled = catch_unwind(request);
        CURRENT.set(None);
        polled.map_or(true, |polled| polled.is_ready())
    }

    /// Whether its call has enough to decode without its body; it is woken when that changes.
    fn waits(&mut self) -> bool {
        self.pace.as_ref().is_some_and(|pace| pace.waits(&self.waker)) && {
            let now = Instant::now();
            now < *self.waits_until.get_or_insert(now + LONGEST_WAIT)
        }
    }
}

impl Requests {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.acquire()
    }

    /// Adds a request.
    pub fn add(&self, work: Work) {
        self.state().new.push(work);
        self.news.notify_one();
    }

    /// Runs requests for ever.
    pub async fn run(self: Arc<Self>) {
        let mut running: HashMap<u64, Running> = HashMap::new();
        // those that wait for their calls to need more, and when to look at them again
        let (mut waiting, mut look) = (BTreeSet::new(), None);
        let mut last = 0;
        loop {
            if look.is_some_and(|look| look <= Instant::now()) {
                look = None;
                self.state().receiving.append(&mut waiting);
            }
            let (new, mut ready) = {
                let mut state = self.state();
                (std::mem::take(&mut state.new), std::mem::take(&mut state.ready))
            };
            for Work { make, pace } in new {
                let Ok(request) = catch_unwind(AssertUnwindSafe(make)) else { continue };
                last += 1;
                let requests = self.clone();
                let turn = Arc::new(Turn { requests, number: last, receives: false.into() });
                let waker = Waker::from(turn.clone());
                running.insert(last, Running { request, turn, waker, pace, waits_until: None });
                ready.insert(last);
            }
            let mut goes_on = !ready.is_empty();
            for number in ready {
                if running.get_mut(&number).is_some_and(Running::go_on) {
                    running.remove(&number);
                }
            }
            while let Some(number) = self.first_receiving() {
                let Some(request) = running.get_mut(&number) else { continue };
                if request.waits() {
                    waiting.insert(number);
                    look.get_or_insert_with(|| Instant::now() + LONGEST_WAIT);
                    continue;
                }
                waiting.remove(&number);
                if request.go_on() {
                    running.remove(&number);
                }
                goes_on = true;
                break;
            }
            if goes_on {
                tokio::task::yield_now().await; // to the connections, which receive now
                continue;
            }
            let news = self.news.notified();
            match look {
                None => news.await,
                Some(look) => drop(tokio::time::timeout_at(look.into(), news).await),
            }
        }
    }

    fn first_receiving(&self) -> Option<u64> {
        self.state().receiving.pop_first()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};
    use tokio::sync::Semaphore;

    /// Starts requests whose bodies arrive in pieces, one for each permit of its semaphore. Returns
    /// the numbers of those that receive a piece, as they do.
    fn receive(requests: Vec<(Arc<Semaphore>, usize, Arc<Pace>)>) -> Receiver<usize> {
        let (sender, receiver) = channel();
        let all = Arc::<Requests>::default();
        for (number, (there, pieces, pace)) in requests.into_iter().enumerate() {
            let sender = sender.clone();
            let make = move || -> Request {
                Box::pin(async move {
                    sends();
                    tokio::task::yield_now().await; // the head arrives
                    receives().await;
                    for _ in 0..pieces {
                        there.acquire().await.unwrap().forget();
                        if sender.send(number).is_err() {
                            break; // the test has ended
                        }
                        tokio::task::yield_now().await;
                    }
                })
            };
            all.add(Work { make: Box::new(make), pace: Some(pace) });
        }
        let panics = || -> Request { Box::pin(async { panic!("as a test") }) };
        all.add(Work { make: Box::new(panics), pace: None });
        std::thread::spawn(|| {
            let builder = &mut tokio::runtime::Builder::new_current_thread();
            let ends = async { tokio::time::timeout(Duration::from_secs(20), all.run()).await };
            let _ = builder.enable_all().build().unwrap().block_on(ends);
        });
        receiver
    }

    fn here(pieces: usize) -> Arc<Semaphore> {
        Arc::new(Semaphore::new(pieces))
    }

    #[test]
    fn bodies_that_are_there_are_received_one_after_the_other() {
        let pace = Arc::<Pace>::default();
        let requests = (0..4).map(|_| (here(5), 5, pace.clone())).collect();
        let received: Vec<_> = receive(requests).into_iter().take(20).collect();
        let in_order = |number: &usize| received.iter().rposition(|n| n < number);
        let first = |number: &usize| received.iter().position(|n| n == number);
        assert!((1..4).all(|number| first(&number) > in_order(&number)), "{received:?}");
    }

    #[test]
    fn a_body_that_is_not_there_holds_up_no_other() {
        let (pace, late) = (Arc::<Pace>::default(), here(1));
        let requests = vec![(late.clone(), 3, pace.clone()), (here(9), 3, pace)];
        let received = receive(requests);
        let first: Vec<_> = received.iter().take(4).collect();
        assert_eq!(first, [0, 1, 1, 1]);
        late.add_permits(2);
        assert_eq!(received.iter().collect::<Vec<_>>(), [0, 0]);
    }

    #[test]
    fn bodies_wait_while_there_is_enough_but_not_for_ever() {
        let (busy, idle) = (Arc::<Pace>::default(), Arc::<Pace>::default());
        busy.set(true);
        let received = receive(vec![(here(9), 2, busy.clone()), (here(9), 2, idle)]);
        assert_eq!(received.iter().take(2).collect::<Vec<_>>(), [1, 1]);
        let short = Duration::from_millis(50);
        assert!(received.recv_timeout(short).is_err());
        busy.set(false);
        assert_eq!(received.iter().take(2).collect::<Vec<_>>(), [0, 0]);

        busy.set(true);
        let (began, received) = (Instant::now(), receive(vec![(here(9), 9, busy)]));
        assert_eq!(received.iter().count(), 9);
        assert!(began.elapsed() >= LONGEST_WAIT);
    }

    #[test]
    fn nor_for_ever_while_others_receive() {
        let (busy, idle) = (Arc::<Pace>::default(), Arc::<Pace>::default());
        busy.set(true);
        let began = Instant::now();
        let received = receive(vec![(here(1), 1, busy), (here(1 << 40), usize::MAX, idle)]);
        assert!(received.iter().any(|number| number == 0));
        assert!(began.elapsed() >= LONGEST_WAIT);
    }
}
