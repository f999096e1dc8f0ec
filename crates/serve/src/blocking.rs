//! Work that takes a while, done off the threads that answer requests.

use crate::failure::ApiFailure;
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
        work: impl FnOnce() -> Result<T, ApiFailure> + Send + 'static,
    ) -> Result<T, ApiFailure> {
        let gone = || ApiFailure::job("the work was given up");
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| gone())?;
        let pool = Arc::clone(&self.pool);
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            pool.install(work)
        });
        done.await.map_err(|_| gone())?
    }
}

/// Looks at something that may take a moment to answer, off the threads that answer requests.
pub async fn look_off<T: Send + 'static>(
    look: impl FnOnce() -> Result<T, ApiFailure> + Send + 'static,
) -> Result<T, ApiFailure> {
    let looked = tokio::task::spawn_blocking(look).await;
    looked.map_err(|_| ApiFailure::job("the work was given up"))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Sender, channel};
    use tokio::sync::OwnedSemaphorePermit;

    impl Workers {
        /// Keeps every thread at work and every place taken until what is returned is dropped.
        pub(crate) async fn occupy(&self) -> (Vec<Sender<()>>, OwnedSemaphorePermit) {
            let busy = self.pool.current_num_threads().min(self.permits.available_permits());
            let (began, mut beginnings) = tokio::sync::mpsc::unbounded_channel();
            let works = (0..busy).map(|_| {
                let (until, dropped) = channel();
                let (workers, began) = (self.clone(), began.clone());
                let work = move || {
                    let _ = began.send(());
                    let _ = dropped.recv();
                    Ok(())
                };
                tokio::spawn(async move { workers.run(work).await });
                until
            });
            let works = works.collect();
            for _ in 0..busy {
                beginnings.recv().await.unwrap();
            }
            // Places without a thread: their work would wait and never begin.
            let others = u32::try_from(self.permits.available_permits()).unwrap();
            (works, Arc::clone(&self.permits).try_acquire_many_owned(others).unwrap())
        }
    }
}
