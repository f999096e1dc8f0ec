//! Work that Ctrl-C can end.

use crate::pool::process_pool;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How long Python waits before it checks again whether Ctrl-C was pressed.
pub const SIGNAL_CHECK: Duration = Duration::from_millis(50);

/// Runs `work` in a thread of its own, without the interpreter's lock. Ctrl-C sets the flag, upon which `work` should end soon, and
/// raises `KeyboardInterrupt` then.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let stops = AtomicBool::new(false);
    let (done, ended) = mpsc::channel();
    py.detach(move || {
        let pool = process_pool()?;
        std::thread::scope(|scope| {
            let (stops, pool) = (&stops, &pool);
            // The answer is received below, or nobody wants it.
            let thread = scope.spawn(move || drop(done.send(pool.install(|| work(stops)))));
            let mut interrupt = None;
            loop {
                match ended.recv_timeout(SIGNAL_CHECK) {
                    Ok(answer) => return interrupt.map_or(Ok(answer), Err),
                    Err(RecvTimeoutError::Timeout) if interrupt.is_none() => {
                        if let Err(error) = Python::attach(|py| py.check_signals()) {
                            stops.store(true, Ordering::Relaxed);
                            interrupt = Some(error);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        // Joined here, its panic is an exception and not a panic of this thread.
                        let panic = thread.join().err();
                        return Err(panicked("the work", panic.as_deref()));
                    }
                }
            }
        })
    })
}

/// Runs `work`, which cannot be stopped, in a thread of its own, without the interpreter's lock. Ctrl-C raises `KeyboardInterrupt` at
/// once; the thread goes on to its end, and nobody reads what it finds.
pub fn abandonable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, ended) = mpsc::channel();
    py.detach(move || {
        let pool = process_pool()?;
        let thread = std::thread::Builder::new()
            .name("noregret work".to_owned())
            .spawn(move || drop(done.send(pool.install(work))))
            .map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        loop {
            match ended.recv_timeout(SIGNAL_CHECK) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
                Err(RecvTimeoutError::Disconnected) => {
                    let panic = thread.join().err();
                    return Err(panicked("the work", panic.as_deref()));
                }
            }
        }
    })
}

/// An exception for a thread that has panicked.
pub fn panicked(what: &str, panic: Option<&(dyn Any + Send)>) -> PyErr {
    let text = panic.and_then(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        text.or_else(|| panic.downcast_ref::<&str>().copied())
    });
    PyRuntimeError::new_err(format!("{what} has failed: {}", text.unwrap_or_default()))
}
