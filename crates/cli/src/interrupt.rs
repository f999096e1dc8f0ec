//! Ctrl-C: finish what is running, then stop.

use crate::failure::{Failure, INTERRUPTED};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Makes a file that is larger than allowed (`ulimit -f`) an error like a full disk: by default the signal that tells of it ends
/// the program, and leaves half a file.
pub fn survive_large_files() {
    #[cfg(unix)]
    {
        // Where it cannot be registered the program ends as it would have.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    }
}

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
