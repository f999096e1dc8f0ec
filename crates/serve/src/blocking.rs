//! Work that takes a while, done off the threads that answer requests.

use crate::failure::Failure;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// A few threads for reading and checking. Solves run on threads of their own, so that these get their share of the
/// machine while one is under way.
#[derive(Clone)]
pub struct Workers {
    pool: Arc<rayon::ThreadPool>,
    permits: Arc<Semaphore>,
}

impl Workers {
    /// So many threads, for so many pieces of work at once.
    pub fn new(threads: usize, at_once: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = Arc::new(builder.thread_name(|number| format!("reading-{number}")).build()?);
        Ok(Self { pool, permits: Arc::new(Semaphore::new(at_once)) })
    }

    /// Does some work. It is done to the end even if nobody waits for it any more.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let gone = || Failure::job("the work was given up");
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| gone())?;
        let pool = Arc::clone(&self.pool);
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            pool.install(work)
        });
        done.await.map_err(|_| gone())?
    }
}
