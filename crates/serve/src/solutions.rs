//! Solutions that are open, and what was read from them.

use crate::annotations::Annotations;
use crate::api::common::Both;
use crate::api::solutions::{Annotation, SolutionDetail, SolutionInfo};
use crate::api::solves::KeptStreets;
use crate::blocking::{Workers, look_off};
use crate::failure::ApiFailure;
use crate::infos::Infos;
use crate::library::{Found, Library, Stamp};
use crate::names;
use crate::problems;
use crate::recent::Recent;
use axum::body::Bytes;
use noregret_holdem::{
    Line, MemoryLimit, ReadError, SavedStreets, Solution, SolutionFile, SolutionHeader, Step,
};
use noregret_store::{ArchiveError, StoreError};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

/// How many files are kept open: each may keep some hundred megabytes of what was read or solved again.
const OPEN_FILES: usize = 4;
/// How many bytes of answers are kept.
const ANSWER_BYTES: usize = 128 << 20;

/// The longest line that is read, in bytes.
const MAX_LINE: usize = 2000;

/// A file as it was at some time.
type FileKey = (PathBuf, Stamp);

/// An answer: of which file, about what, at which line.
type AnswerKey = (FileKey, &'static str, String);

/// The solutions of the library.
pub struct Solutions {
    library: Arc<Library>,
    annotations: Arc<Annotations>,
    workers: Workers,
    open: Recent<FileKey, Arc<SolutionFile>>,
    answers: Recent<AnswerKey, Bytes>,
    /// The solution whose best responses were last looked at.
    whole: Recent<FileKey, Arc<Solution>>,
    infos: Infos,
}

/// Opens a file, to take no more memory than there is; one that is damaged is not the server's fault.
pub fn open(found: &Found) -> Result<SolutionFile, ApiFailure> {
    open_within(found, MemoryLimit::of_machine())
}

fn open_within(found: &Found, limit: MemoryLimit) -> Result<SolutionFile, ApiFailure> {
    SolutionFile::open_within(&found.path, limit).map_err(|error| damaged(found, error))
}

fn damaged(found: &Found, error: ArchiveError) -> ApiFailure {
    match error {
        ArchiveError::Io(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return ApiFailure::missing(format!("the solution `{}` is gone", found.id.as_str()));
        }
        // The file may be as it should be.
        ArchiveError::Io(error) if StoreError::is_in(&error) => return ApiFailure::cannot_read(error),
        _ => {}
    }
    ApiFailure::problem(crate::api::common::RequestProblem {
        message: format!("the solution `{}` cannot be read: {error}", found.id.as_str()),
        ..Default::default()
    })
}

/// Whether a line ends on a street that the file leaves out: it is solved when it is read.
pub fn is_left_out(saved: &SolutionFile, line: &str) -> bool {
    let Ok(line) = line.parse::<Line>() else { return false };
    let dealt = line.steps.iter().filter(|step| matches!(step, Step::Card(_))).count();
    let street = saved.game().spot().board().street().index() + dealt;
    street > saved.summary().keep.last().index()
}

impl Solutions {
    /// Those of a library.
    pub fn new(library: Arc<Library>, annotations: Arc<Annotations>, workers: Workers) -> Self {
        // A disk has them at once.
        let infos = Infos::open(library.is_remote().then(|| library.own(".infos.json")));
        Self {
            library,
            annotations,
            workers,
            open: Recent::new(OPEN_FILES),
            answers: Recent::new(ANSWER_BYTES),
            whole: Recent::new(1),
            infos,
        }
    }

    /// A JSON answer about a line of a solution, from those that are kept if it is there, else read by the
    /// workers that are chosen for it. Files are opened by the same for all, so that nobody waits behind long readings for one.
    pub async fn answer<'a, T: Serialize>(
        &self,
        readers: impl FnOnce(&SolutionFile) -> &'a Workers,
        id: &str,
        about: &'static str,
        line: &str,
        read: impl FnOnce(&Found, &SolutionFile) -> Result<T, ApiFailure> + Send + 'static,
    ) -> Result<Bytes, ApiFailure> {
        if line.len() > MAX_LINE {
            return Err(ApiFailure::field("line", format!("a line has at most {MAX_LINE} bytes")));
        }
        let found = self.found(id).await?;
        let file = (found.path.clone(), found.stamp);
        let key = (file, about, line.to_owned());
        self.answers
            .get(key, |bytes| bytes.len() + MAX_LINE, async {
                let saved = self.open(&found).await?;
                readers(&saved)
                    .run(move || {
                        let answer = read(&found, &saved)?;
                        serde_json::to_vec(&answer).map(Bytes::from).map_err(ApiFailure::job)
                    })
                    .await
            })
            .await
    }

    /// The solution with an id: a store may take a moment to say whether it is there.
    async fn found(&self, id: &str) -> Result<Found, ApiFailure> {
        let (library, id) = (Arc::clone(&self.library), id.to_owned());
        look_off(move || library.solution(&id)).await
    }

    /// A solution file, open.
    async fn open(&self, found: &Found) -> Result<Arc<SolutionFile>, ApiFailure> {
        let (file, opening) = ((found.path.clone(), found.stamp), found.clone());
        self.open.get(file, |_| 1, self.workers.run(move || open(&opening).map(Arc::new))).await
    }

    /// The same by its id.
    pub async fn opened(&self, id: &str) -> Result<Arc<SolutionFile>, ApiFailure> {
        self.open(&self.found(id).await?).await
    }

    /// All strategies of a solution, read into memory by these workers.
    pub async fn in_memory(&self, readers: &Workers, id: &str) -> Result<Arc<Solution>, ApiFailure> {
        let found = self.found(id).await?;
        let file = (found.path.clone(), found.stamp);
        let saved = self.open(&found).await?;
        let read = move || {
            let whole =
                Solution::read(&saved).map_err(|error| problems::of_reading(&ReadError::File(error)))?;
            Ok(Arc::new(whole))
        };
        self.whole.get(file, |_| 1, readers.run(read)).await
    }

    /// All solutions that can be read, newest first.
    pub fn list(&self) -> Result<Vec<SolutionInfo>, ApiFailure> {
        let mut found = self.library.solutions()?;
        found.sort_by(|a, b| b.stamp.modified.cmp(&a.stamp.modified).then_with(|| a.id.cmp(&b.id)));
        let infos = self.infos.of_all(&found, read_info)?;
        Ok(infos.into_iter().map(|info| self.annotated(info)).collect())
    }

    /// A solution in short.
    pub fn info(&self, found: &Found) -> Result<SolutionInfo, ApiFailure> {
        self.infos.of(found, read_info).map(|info| self.annotated(info))
    }

    /// With what was written about it, as that is now.
    fn annotated(&self, info: SolutionInfo) -> SolutionInfo {
        let Annotation { tags, note, bookmarks } = self.annotations.of(&info.id);
        SolutionInfo { tags, note, bookmarks, ..info }
    }

    /// All about a solution.
    pub fn detail(&self, found: &Found) -> Result<SolutionDetail, ApiFailure> {
        let head = read_header(found)?;
        Ok(SolutionDetail {
            info: self.annotated(info(found, &head)),
            toml: head.spec.to_string(),
            ev: Both::new(head.summary.ev),
            equity: Both::new(head.summary.equity),
            strategy_digest: head.summary.digest,
        })
    }
}

fn read_header(found: &Found) -> Result<SolutionHeader, ApiFailure> {
    SolutionHeader::read(&found.path).map_err(|error| damaged(found, error))
}

fn read_info(found: &Found) -> Result<SolutionInfo, ApiFailure> {
    read_header(found).map(|head| info(found, &head))
}

fn info(found: &Found, head: &SolutionHeader) -> SolutionInfo {
    let SolutionHeader { spec, progress, summary } = head;
    let names::Cards { flop, turn, river } = names::cards(spec.spot.board());
    let options = spec.spot.options();
    SolutionInfo {
        id: found.id.as_str().to_owned(),
        name: found.id.name().to_owned(),
        bytes: found.stamp.bytes,
        modified: humantime::format_rfc3339_millis(found.stamp.modified).to_string(),
        flop,
        turn,
        river,
        unit: names::unit(options.unit),
        pot: options.starting_pot.as_f64(),
        stack: options.effective_stack.as_f64(),
        iterations: progress.iterations,
        exploitability_pct: progress.history.last().map(|check| check.exploitability_pct),
        algorithm: spec.solver.algorithm.to_string(),
        strategy_bits: spec.solver.strategy_precision[2].bits(),
        regret_bits: spec.solver.regret_precision[2].bits(),
        saved_streets: match summary.keep {
            SavedStreets::Flop => KeptStreets::Flop,
            SavedStreets::Turn => KeptStreets::Turn,
            SavedStreets::Full => KeptStreets::Full,
        },
        locks: spec.spot.locks().len(),
        tags: Vec::new(),
        note: String::new(),
        bookmarks: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::App;
    use crate::settings::Settings;
    use noregret_holdem::{GameLayout, SaveOptions, Solver, Spec, save};

    #[tokio::test(flavor = "multi_thread")]
    async fn nobody_waits_behind_a_card_that_is_solved() {
        let home = tempfile::tempdir().unwrap();
        let spec: Spec = "[ranges]\noop = 'AA'\nip = 'KK'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\n\
             [tree]\nstarting_pot = 100\neffective_stack = 100\n"
            .parse()
            .unwrap();
        let solver = Solver::with_options(GameLayout::new(&spec.spot).unwrap().build(), &spec.solver);
        let options = SaveOptions { keep: SavedStreets::Turn, ..SaveOptions::default() };
        save(&home.path().join("spot.nrs"), &spec, &solver, &[], options).unwrap();
        let mut settings = Settings::new(home.path().to_owned());
        settings.threads = 2;
        let app = App::open(settings).unwrap();
        let saved = app.solutions.opened("spot").await.unwrap();
        assert!(!is_left_out(&saved, "check, check"));
        assert!(is_left_out(&saved, "check, check, 3d"));
        assert!(!is_left_out(&saved, "not a line"));
        // The threads that list the library are busy: a card is solved all the same, by others.
        let short = app.workers.occupy().await;
        let readers = |saved: &SolutionFile| {
            if is_left_out(saved, "check, check, 3d") { &app.patient } else { &app.workers }
        };
        let answer = app.solutions.answer(readers, "spot", "board", "check, check, 3d", |_, _| Ok(1)).await;
        assert!(answer.is_ok());
        drop(short);
    }

    #[test]
    fn a_solution_that_does_not_fit_into_memory_is_refused_with_its_name() {
        let home = tempfile::tempdir().unwrap();
        let spec: Spec =
            "[ranges]\noop = 'AA'\nip = 'KK'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\nriver = '3d'\n\
             [tree]\nstarting_pot = 100\neffective_stack = 300\n"
                .parse()
                .unwrap();
        let game = GameLayout::new(&spec.spot).unwrap().build();
        let solution = Solver::with_options(game.clone(), &spec.solver);
        save(&home.path().join("spot.nrs"), &spec, &solution, &[], SaveOptions::default()).unwrap();
        let found = Library::open(home.path(), home.path()).unwrap().solution("spot").unwrap();
        assert!(open(&found).is_ok());
        let limit = MemoryLimit::new(noregret_store::Bytes(100), "the server may use");
        let Err(refused) = open_within(&found, limit) else { panic!("it was opened") };
        let text = format!("{refused:?}");
        assert!(text.contains("the solution `spot` cannot be read: its betting tree of"), "{text}");
        assert!(text.contains("the server may use 100 B of memory"), "{text}");
    }
}
