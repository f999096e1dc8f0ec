//! Ctrl-C: finish what is running, then stop.

use crate::failure::{Failure, INTERRUPTED};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user wants to stop.
#[derive(Clone)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for Ctrl-C (and a polite kill). The second one ends the program at once.
    pub fn listen() -> Result<Self, Failure> {
        let flag = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&flag);
        ctrlc::set_handler(move || {
            if seen.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(INTERRUPTED));
            }
        })
        .map_err(|error| Failure::job(format!("cannot listen for Ctrl-C: {error}")))?;
        Ok(Self(flag))
    }

    /// One that nobody presses.
    pub fn never() -> Self {
        Self(Arc::default())
    }

    /// Whether it has been pressed.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
