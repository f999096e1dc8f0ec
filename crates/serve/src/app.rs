//! What all handlers share.

use crate::annotations::Annotations;
use crate::batches::Batches;
use crate::blocking::{Workers, look_off};
use crate::domino_drills::DominoDrills;
use crate::drills::Drills;
use crate::failure::ApiFailure;
use crate::forgotten::Forgotten;
use crate::hand_sessions::HandSessions;
use crate::jobs::Jobs;
use crate::library::Library;
use crate::ranges::RangeList;
use crate::settings::Settings;
use crate::solutions::Solutions;
use crate::solve_runs::SolveRuns;
use crate::tables::TableCache;
use crate::trash::Trash;
use axum::http::StatusCode;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Threads that read at the same time from a bucket.
const STORE_THREADS: usize = 16;

/// The server's state.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// Its parts.
pub struct Parts {
    pub settings: Settings,
    pub library: Arc<Library>,
    pub jobs: Arc<Jobs>,
    pub workers: Workers,
    /// For what takes so long that nobody should have to wait behind it.
    pub patient: Workers,
    pub ranges: RangeList,
    pub annotations: Arc<Annotations>,
    pub trash: Trash,
    pub forgotten: Forgotten,
    pub batches: Batches,
    pub hands: HandSessions,
    pub solutions: Solutions,
    pub drills: Drills,
    pub domino_drills: DominoDrills,
    pub tables: TableCache,
    /// Places for those that watch solves.
    pub streams: Arc<Semaphore>,
}

impl App {
    /// Opens the library.
    pub fn open(settings: Settings) -> std::io::Result<Self> {
        let library = Arc::new(Library::open(&settings.library, &settings.own_folder()?)?);
        library.remove_left_overs();
        // Threads that wait for a store need no core.
        let least = if library.is_remote() { STORE_THREADS } else { 2 };
        let threads = settings.threads.min(8).max(least);
        let workers = Workers::new(threads, 2 * threads).map_err(std::io::Error::other)?;
        let patient = Workers::new(settings.threads.max(least), 2).map_err(std::io::Error::other)?;
        let annotations = Arc::new(Annotations::open(library.own(".notes.json"))?);
        let trash = Trash::open(Arc::clone(&library));
        // What cannot be forgotten now is tried again at the next start.
        let _ = trash.list().and_then(|trashed| {
            let deleted: Vec<String> = trashed.into_iter().map(|solution| solution.id).collect();
            annotations.forget_deleted(&deleted)
        });
        let forgotten = Forgotten::of(&library);
        forgotten.clear_up();
        let jobs = Jobs::open(Arc::clone(&library), &settings)?;
        let runs = SolveRuns::new(Arc::clone(&library), Arc::clone(&jobs));
        Ok(Self(Arc::new(Parts {
            batches: Batches::new(Arc::clone(&library), Arc::clone(&jobs), Arc::clone(&runs)),
            hands: HandSessions::open(Arc::clone(&library), runs),
            jobs,
            trash,
            forgotten,
            drills: Drills::open(Arc::clone(&library))?,
            domino_drills: DominoDrills::open(&library),
            ranges: RangeList::open(library.own(".ranges.json"))?,
            solutions: Solutions::new(Arc::clone(&library), Arc::clone(&annotations), workers.clone()),
            annotations,
            tables: TableCache::new(patient.clone()),
            streams: Arc::new(Semaphore::new(settings.streams)),
            library,
            workers,
            patient,
            settings,
        })))
    }

    /// Does some work off the threads that answer.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, ApiFailure> + Send + 'static,
    ) -> Result<T, ApiFailure> {
        let app = self.clone();
        self.workers.run(move || work(&app)).await
    }

    /// Looks at something that others may hold on to while they write. Takes no place among the work: it is a moment's.
    pub async fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Self) -> Result<T, ApiFailure> + Send + 'static,
    ) -> Result<T, ApiFailure> {
        let app = self.clone();
        look_off(move || look(&app)).await
    }

    /// Takes something away, and answers that it is gone.
    pub async fn remove(
        &self,
        work: impl FnOnce(&Self) -> Result<(), ApiFailure> + Send + 'static,
    ) -> Result<StatusCode, ApiFailure> {
        self.work(work).await.map(|()| StatusCode::NO_CONTENT)
    }
}

impl std::ops::Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn nobody_waits_behind_long_work_nor_with_a_look_behind_any() {
        let home = tempfile::tempdir().unwrap();
        let mut settings = Settings::new(home.path().to_owned());
        settings.threads = 2;
        let app = App::open(settings).unwrap();
        let long = app.patient.occupy().await;
        assert_eq!(app.work(|_| Ok(1)).await, Ok(1));
        let short = app.workers.occupy().await;
        assert_eq!(app.look(|_| Ok(2)).await, Ok(2));
        drop((long, short));
        assert_eq!(app.work(|_| Ok(3)).await, Ok(3));
        assert_eq!(app.patient.run(|| Ok(4)).await, Ok(4));
    }
}
