//! Stopping from outside.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Stops whatever a session solves, from another thread: a signal, a closed window.
#[derive(Clone, Default)]
pub struct SessionStopper(Arc<Shared>);

#[derive(Default)]
struct Shared {
    requested: AtomicBool,
    work: Mutex<Work>,
    changed: Condvar,
}

/// What the thread of a solve is doing.
#[derive(Clone, Copy, Default)]
enum Work {
    /// There is no such thread.
    #[default]
    Nothing,
    Solving,
    /// It writes to the output, which may take for ever if nobody reads.
    Writing(Instant),
}

/// How long a reader may keep a solve that is to end from writing its last lines.
const PATIENCE: Duration = Duration::from_secs(1);

impl SessionStopper {
    /// Stops the solve that runs, if one does, within an iteration, and every later one before its first.
    pub fn stop(&self) {
        self.0.requested.store(true, Ordering::Relaxed);
    }

    /// Waits until nothing is being solved. A solve whose output nobody reads is not waited for.
    pub fn wait_until_idle(&self) {
        let asked = Instant::now();
        let mut work = self.0.work();
        loop {
            let left = match *work {
                Work::Nothing => return,
                Work::Solving => PATIENCE,
                Work::Writing(since) => match PATIENCE.checked_sub(since.max(asked).elapsed()) {
                    Some(left) => left,
                    None => return,
                },
            };
            let waited = self.0.changed.wait_timeout(work, left);
            work = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub(crate) fn is_requested(&self) -> bool {
        self.0.requested.load(Ordering::Relaxed)
    }

    /// Says that a solve runs until what is returned is dropped.
    pub(crate) fn solving(&self) -> Solving {
        self.0.set(Work::Solving);
        Solving(self.0.clone())
    }
}

impl Shared {
    fn work(&self) -> std::sync::MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, work: Work) {
        *self.work() = work;
        self.changed.notify_all();
    }
}

/// A solve that runs.
pub(crate) struct Solving(Arc<Shared>);

impl Solving {
    /// Writes to the output.
    pub fn write<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.set(Work::Writing(Instant::now()));
        let written = write();
        self.0.set(Work::Solving);
        written
    }
}

impl Drop for Solving {
    fn drop(&mut self) {
        self.0.set(Work::Nothing);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_solve_is_waited_for_and_an_output_that_nobody_reads_is_not() {
        let stopper = SessionStopper::default();
        stopper.wait_until_idle();
        let solving = stopper.solving();
        let (done, waits) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let waiter = stopper.clone();
        let thread = std::thread::spawn(move || {
            waiter.wait_until_idle();
            done.send(()).unwrap();
        });
        // However long an iteration takes.
        assert!(waits.recv_timeout(PATIENCE + Duration::from_millis(500)).is_err());
        let writer = std::thread::spawn(move || {
            solving.write(|| released.recv().unwrap());
        });
        let start = Instant::now();
        waits.recv_timeout(10 * PATIENCE).unwrap();
        assert!(start.elapsed() >= PATIENCE / 2, "{:?}", start.elapsed());
        thread.join().unwrap();
        release.send(()).unwrap();
        writer.join().unwrap();
        stopper.wait_until_idle();
    }
}
