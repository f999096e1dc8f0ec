//! Threads to work on.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::sync::{Arc, Mutex, PoisonError};

/// A pool of so many threads.
pub fn pool(threads: usize) -> PyResult<ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| PyRuntimeError::new_err(format!("cannot start {threads} threads: {error}")))
}

/// The pool of a process, by its id. A forked child has none of its parent's threads, and would wait for them for ever.
static PROCESS_POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The pool of this process, with a thread for each core: made when it is first asked for, and anew after a fork.
pub fn process_pool() -> PyResult<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut kept = PROCESS_POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, pool)) = &*kept
        && *owner == process
    {
        return Ok(pool.clone());
    }
    let own = Arc::new(pool(crate::options::threads(None)?)?);
    // The threads of a parent's pool are not here to be ended.
    std::mem::forget(kept.replace((process, own.clone())));
    Ok(own)
}

/// Runs `work` on the pool of this process, without the interpreter's lock.
pub fn on_pool<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| Ok(process_pool()?.install(work)))
}
