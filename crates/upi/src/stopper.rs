//! Stopping from outside.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Stops whatever a session solves, from another thread: a signal, a closed window.
#[derive(Clone, Default)]
pub struct SessionStopper(Arc<Shared>);

#[derive(Default)]
struct Shared {
    requested: AtomicBool,
    solving: Mutex<bool>,
    changed: Condvar,
}

impl SessionStopper {
    /// Stops the solve that runs, if one does, within an iteration, and every later one before its first.
    pub fn stop(&self) {
        self.0.requested.store(true, Ordering::Relaxed);
    }

    /// Waits until nothing is being solved.
    pub fn wait_until_idle(&self) {
        let mut solving = self.0.solving.lock().unwrap_or_else(PoisonError::into_inner);
        while *solving {
            solving = self.0.changed.wait(solving).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn is_requested(&self) -> bool {
        self.0.requested.load(Ordering::Relaxed)
    }

    /// Says that a solve runs until what is returned is dropped.
    pub(crate) fn solving(&self) -> Solving {
        *self.0.solving.lock().unwrap_or_else(PoisonError::into_inner) = true;
        Solving(self.0.clone())
    }
}

/// A solve that runs.
pub(crate) struct Solving(Arc<Shared>);

impl Drop for Solving {
    fn drop(&mut self) {
        *self.0.solving.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.0.changed.notify_all();
    }
}
