//! Threads that take work from one heap, newest first, so that few folders are open at a time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use crate::limits::MAX_SCAN_THREADS;

/// How long an idle thread sleeps at most before it looks again whether the work was called off.
const NAP_MS: u64 = 50;

struct Heap<J> {
    jobs: Mutex<Vec<J>>,
    more: Condvar,
    /// Jobs that are waiting or being done.
    open: AtomicUsize,
    /// Threads that wait for one.
    idle: AtomicUsize,
}

/// Where a job puts those that it makes.
pub(super) struct Hands<'a, J> {
    heap: &'a Heap<J>,
    own: Vec<J>,
}

impl<J> Hands<'_, J> {
    /// Adds a job.
    pub(super) fn push(&mut self, job: J) {
        self.heap.open.fetch_add(1, Ordering::Relaxed);
        self.own.push(job);
    }

    /// Jobs that wait in this thread.
    pub(super) fn waiting(&self) -> usize {
        self.own.len()
    }

    /// Whether another thread waits for work.
    pub(super) fn others_idle(&self) -> bool {
        self.heap.idle.load(Ordering::Relaxed) > 0
    }

    /// Gives half of what waits here, the oldest, to threads that have nothing to do.
    pub(super) fn share(&mut self) {
        if self.own.is_empty() || !self.others_idle() {
            return;
        }
        let half = self.own.len().div_ceil(2);
        let mut jobs = self.heap.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.extend(self.own.drain(..half));
        drop(jobs);
        self.heap.more.notify_all();
    }
}

/// Does `jobs` and all that they lead to, on as many threads as there are processors. Jobs that wait when `stop` is set
/// are dropped.
pub(super) fn run<J: Send>(jobs: Vec<J>, stop: &AtomicBool, work: impl Fn(J, &mut Hands<'_, J>) + Sync) {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MAX_SCAN_THREADS);
    let heap = Heap {
        open: AtomicUsize::new(jobs.len()),
        jobs: Mutex::new(jobs),
        more: Condvar::new(),
        idle: AtomicUsize::new(0),
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| turn(&heap, stop, &work));
        }
    });
}

fn turn<J>(heap: &Heap<J>, stop: &AtomicBool, work: &impl Fn(J, &mut Hands<'_, J>)) {
    let mut hands = Hands { heap, own: Vec::new() };
    while let Some(job) = next(heap, &mut hands, stop) {
        work(job, &mut hands);
        hands.share();
        // The last one wakes those that wait for more.
        if heap.open.fetch_sub(1, Ordering::AcqRel) == 1 {
            drop(heap.jobs.lock().unwrap_or_else(PoisonError::into_inner));
            heap.more.notify_all();
        }
    }
}

fn next<J>(heap: &Heap<J>, hands: &mut Hands<'_, J>, stop: &AtomicBool) -> Option<J> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if let Some(job) = hands.own.pop() {
        return Some(job);
    }
    let mut jobs = heap.jobs.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(job) = jobs.pop() {
            return Some(job);
        }
        if heap.open.load(Ordering::Acquire) == 0 {
            return None;
        }
        heap.idle.fetch_add(1, Ordering::Relaxed);
        let nap = std::time::Duration::from_millis(NAP_MS);
        let woken = heap.more.wait_timeout(jobs, nap).unwrap_or_else(PoisonError::into_inner);
        heap.idle.fetch_sub(1, Ordering::Relaxed);
        jobs = woken.0;
    }
}
