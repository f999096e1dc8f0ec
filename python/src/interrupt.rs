//! Work that Ctrl-C can end.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How often Python looks whether Ctrl-C was pressed.
pub const LOOK: Duration = Duration::from_millis(50);

/// Runs `work` in a thread of its own, without the interpreter's lock. Ctrl-C sets the flag, upon which `work` should end soon, and
/// raises `KeyboardInterrupt` then.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let stops = AtomicBool::new(false);
    let (done, ended) = mpsc::channel();
    py.detach(move || {
        std::thread::scope(|scope| {
            let stops = &stops;
            // The answer is heard below, or nobody wants it.
            let thread = scope.spawn(move || drop(done.send(work(stops))));
            let mut complaint = None;
            loop {
                match ended.recv_timeout(LOOK) {
                    Ok(answer) => return complaint.map_or(Ok(answer), Err),
                    Err(RecvTimeoutError::Timeout) if complaint.is_none() => {
                        if let Err(error) = Python::attach(|py| py.check_signals()) {
                            stops.store(true, Ordering::Relaxed);
                            complaint = Some(error);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        // Joined here, its panic is an exception and not a panic of this thread.
                        let panic = thread.join().err();
                        return Err(failed("the work", panic.as_deref()));
                    }
                }
            }
        })
    })
}

/// An exception for a thread that has panicked.
pub fn failed(what: &str, panic: Option<&(dyn Any + Send)>) -> PyErr {
    let text = panic.and_then(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        text.or_else(|| panic.downcast_ref::<&str>().copied())
    });
    PyRuntimeError::new_err(format!("{what} has failed: {}", text.unwrap_or_default()))
}
