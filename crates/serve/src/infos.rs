//! Solutions in short: read once, and again when their files have changed.

use crate::api::solutions::SolutionInfo;
use crate::failure::ApiFailure;
use crate::library::{Found, Stamp};
use noregret_store::write_whole;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many heads of objects are fetched at the same time.
const AT_ONCE: usize = 16;

type Known = HashMap<String, (Stamp, SolutionInfo)>;

/// What is kept for the next server: of a bucket, where each costs a request.
#[derive(Serialize, Deserialize)]
struct KeptInfos {
    /// The program's version: another may tell more.
    version: String,
    solutions: Known,
}

/// Solutions in short, by id, without what was written about them.
pub struct Infos {
    known: Mutex<Known>,
    /// The file for the next server.
    kept: Option<PathBuf>,
}

impl Infos {
    /// Those that the last server has kept, if there is a file for that.
    pub fn open(kept: Option<PathBuf>) -> Self {
        let read = kept.as_ref().and_then(|path| std::fs::read(path).ok());
        let read = read.and_then(|bytes| serde_json::from_slice::<KeptInfos>(&bytes).ok());
        let known = read.filter(|kept| kept.version == env!("CARGO_PKG_VERSION")).map(|kept| kept.solutions);
        Self { known: Mutex::new(known.unwrap_or_default()), kept }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A solution in short, read if it has changed.
    pub fn of(
        &self,
        found: &Found,
        read: impl Fn(&Found) -> Result<SolutionInfo, ApiFailure>,
    ) -> Result<SolutionInfo, ApiFailure> {
        let known = self.lock().get(found.id.as_str()).filter(|(stamp, _)| *stamp == found.stamp).cloned();
        if let Some((_, info)) = known {
            return Ok(info);
        }
        let info = read(found)?;
        self.lock().insert(found.id.as_str().to_owned(), (found.stamp, info.clone()));
        Ok(info)
    }

    /// All of these that can be read, in their order; others are forgotten. An error if it is the store that does not answer: a list
    /// that lacks solutions would say that they are gone.
    pub fn of_all(
        &self,
        found: &[Found],
        read: impl Fn(&Found) -> Result<SolutionInfo, ApiFailure> + Sync,
    ) -> Result<Vec<SolutionInfo>, ApiFailure> {
        let fresh: Vec<&Found> = {
            let known = self.lock();
            let is_known =
                |found: &Found| known.get(found.id.as_str()).is_some_and(|(stamp, _)| *stamp == found.stamp);
            found.iter().filter(|found| !is_known(found)).collect()
        };
        let failure = Mutex::new(None);
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(found) = fresh.get(next.fetch_add(1, Ordering::Relaxed)) {
                match self.of(found, &read) {
                    Err(error) if !error.is_lasting() && self.kept.is_some() => {
                        failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                        // The others would fail as well, and each after minutes.
                        next.fetch_add(fresh.len(), Ordering::Relaxed);
                    }
                    Ok(_) | Err(_) => {}
                }
            }
        };
        // Not in rayon, where a thread that waits for these would begin another request meanwhile.
        std::thread::scope(|scope| {
            let others = if self.kept.is_some() { AT_ONCE.min(fresh.len()).saturating_sub(1) } else { 0 };
            (0..others).for_each(|_| drop(scope.spawn(work)));
            work();
        });
        let ids: HashSet<&str> = found.iter().map(|found| found.id.as_str()).collect();
        let mut known = self.lock();
        let before = known.len();
        known.retain(|id, _| ids.contains(id.as_str()));
        let infos =
            found.iter().filter_map(|found| known.get(found.id.as_str()).map(|(_, info)| info.clone()));
        let infos = infos.collect();
        let solutions = (!fresh.is_empty() || known.len() != before).then(|| known.clone());
        drop(known);
        self.keep(solutions);
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(failure) => Err(failure),
            None => Ok(infos),
        }
    }

    /// Keeps them for the next server; what cannot be kept is read again by that.
    fn keep(&self, solutions: Option<Known>) {
        let (Some(path), Some(solutions)) = (&self.kept, solutions) else { return };
        let kept = KeptInfos { version: env!("CARGO_PKG_VERSION").to_owned(), solutions };
        let _ = serde_json::to_vec(&kept)
            .map_err(std::io::Error::from)
            .and_then(|bytes| write_whole(path, &bytes));
    }
}
