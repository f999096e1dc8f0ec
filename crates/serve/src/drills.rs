//! Sessions of drills: one file each, and one for what is to be asked again.

use crate::api::drills::{DrillSession, DrillSkip, ReviewState};
use crate::api::solutions::TrashKind;
use crate::failure::ApiFailure;
use crate::forgotten::Forgotten;
use crate::kept_sessions::{KeptSession, KeptSessions, now_text, write_json};
use crate::library::{DRILL_FOLDER, Library, REVIEW_FILE, SESSION_PREFIXES, shown};
use noregret_drill::{DrillAnswer, DrillSettings, DrillTotals, ReviewBoxes, ReviewKey};
use noregret_holdem::{BettingTree, Line, SolutionHeader};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// How many solutions of a folder are asked about at most.
const MAX_SOLUTIONS: usize = 1000;
/// How many decisions are asked again in one session.
const MAX_REVIEW: usize = 50;

/// A session as it is on disk.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct KeptDrill {
    /// When it was started: RFC 3339, UTC.
    pub started: String,
    /// The solution or folder that it is about; empty for a review.
    pub solution: String,
    /// The solutions that it asks about.
    pub solutions: Vec<String>,
    /// What is asked, as the query of a link.
    pub settings: String,
    /// What is asked again; none for a drill.
    pub review: Option<Vec<ReviewKey>>,
    /// The session of hands whose costly decisions are asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hands: Option<String>,
    /// The number of the hand that is played.
    pub hand: u64,
    /// What was answered in it so far, as in lines.
    pub actions: Vec<String>,
    /// All answers.
    pub answers: Vec<DrillAnswer>,
    /// What could not be asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<DrillSkip>,
}

impl KeptSession for KeptDrill {
    const PREFIX: &'static str = SESSION_PREFIXES[0];
    const KIND: TrashKind = TrashKind::Drill;

    fn answered(&self) -> usize {
        self.answers.len()
    }
}

impl KeptDrill {
    /// What is asked.
    pub fn settings(&self) -> Result<DrillSettings, ApiFailure> {
        self.settings.parse().map_err(|error| ApiFailure::field("settings", error))
    }

    /// Whether it can go on without something that cannot be asked.
    pub fn has_others(&self) -> bool {
        self.review.is_some() || self.solutions.len() > 1
    }

    /// What is asked again next; none if nothing is left, and in drills.
    fn review_key(&self) -> Option<&ReviewKey> {
        self.review.as_ref()?.get(usize::try_from(self.hand).ok()?)
    }

    /// Goes on with the next hand. In a drill that is one about a solution that can be asked about; none if there is no such
    /// solution any more.
    fn next_hand(&self) -> Option<Self> {
        // The last number of all is only in a file that somebody has changed; after it comes the first.
        let mut drill = Self { hand: self.hand.wrapping_add(1), actions: Vec::new(), ..self.clone() };
        if drill.review.is_some() || drill.skipped.is_empty() {
            return Some(drill);
        }
        let is_skipped = |id: &str| drill.skipped.iter().any(|skipped| skipped.solution == id);
        if drill.solutions.iter().all(|id| is_skipped(id)) {
            return None;
        }
        while solution_at(&drill).is_ok_and(|id| drill.skipped.iter().any(|skipped| skipped.solution == id)) {
            drill.hand = drill.hand.wrapping_add(1);
        }
        Some(drill)
    }

    /// The session in short.
    pub fn session(&self, id: u32) -> DrillSession {
        DrillSession {
            id,
            started: self.started.clone(),
            solution: self.solution.clone(),
            settings: self.settings.clone(),
            is_review: self.review.is_some(),
            hands: self.hands.clone(),
            totals: DrillTotals::of(&self.answers),
        }
    }
}

/// All sessions.
pub struct Drills {
    library: Arc<Library>,
    folder: PathBuf,
    sessions: KeptSessions<KeptDrill>,
    boxes: Mutex<ReviewBoxes>,
    /// What there is to tell of files that could not be read.
    pub warning: Option<String>,
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drills {
    /// Reads the sessions of a library. One that cannot be read is left alone. What is to be asked again is put aside if it cannot
    /// be read: nobody should have to do without all solutions for it.
    pub fn open(library: Arc<Library>) -> std::io::Result<Self> {
        let folder = library.own(DRILL_FOLDER);
        let review = folder.join(REVIEW_FILE);
        let (boxes, warning) = match std::fs::read(&review) {
            Ok(bytes) => match serde_json::from_slice(&bytes) {
                Ok(boxes) => (boxes, None),
                Err(error) => {
                    let aside = put_aside(&review)?;
                    let message = format!(
                        "{}: {error}: it is now {}, and nothing is to be asked again",
                        review.display(),
                        aside.display()
                    );
                    (ReviewBoxes::default(), Some(message))
                }
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => (ReviewBoxes::default(), None),
            Err(error) => return Err(error),
        };
        let sessions = KeptSessions::open(folder.clone(), Forgotten::of(&library));
        Ok(Self { library, folder, sessions, boxes: Mutex::new(boxes), warning })
    }

    /// Starts a drill on a solution, an example, or all solutions of a folder that can be asked about.
    pub fn start(&self, solution: &str, settings: &str) -> Result<u32, ApiFailure> {
        let settings: DrillSettings =
            settings.parse().map_err(|error| ApiFailure::field("settings", error))?;
        let (mut solutions, mut skipped) = (self.solutions_of(solution)?, Vec::new());
        if solutions.len() > 1 {
            solutions.retain(|id| {
                let unfit = self.unfit(id, &settings.line);
                let is_fit = unfit.is_none();
                skipped.extend(unfit);
                is_fit
            });
        }
        if let ([], [first, ..]) = (solutions.as_slice(), skipped.as_slice()) {
            let message = format!("no solution there can be asked about: {}", first.message);
            return Err(ApiFailure::field("solution", message));
        }
        self.sessions.add(KeptDrill {
            started: now_text(),
            solution: solution.to_owned(),
            solutions,
            skipped,
            settings: settings.to_string(),
            review: None,
            hands: None,
            hand: 0,
            actions: Vec::new(),
            answers: Vec::new(),
        })
    }

    /// Starts to ask again what went wrong and is due.
    pub fn start_review(&self) -> Result<u32, ApiFailure> {
        let now = seconds(SystemTime::now());
        let due: Vec<ReviewKey> = lock(&self.boxes).due(now).iter().map(|item| item.key.clone()).collect();
        // What is about a solution that is gone can wait until it is taken back.
        let is_there =
            |key: &ReviewKey| self.library.listed(&key.solution).is_ok_and(|found| found.is_some());
        let due: Vec<ReviewKey> = due.into_iter().filter(is_there).take(MAX_REVIEW).collect();
        if due.is_empty() {
            return Err(ApiFailure::conflict("nothing is to be asked again now"));
        }
        self.ask_again(due, None)
    }

    /// Starts to ask again what cost most in a session of hands.
    pub fn start_on(&self, hands: String, costly: Vec<ReviewKey>) -> Result<u32, ApiFailure> {
        self.ask_again(costly, Some(hands))
    }

    fn ask_again(&self, keys: Vec<ReviewKey>, hands: Option<String>) -> Result<u32, ApiFailure> {
        self.sessions.add(KeptDrill {
            started: now_text(),
            solution: String::new(),
            solutions: Vec::new(),
            settings: String::new(),
            skipped: Vec::new(),
            review: Some(keys),
            hands,
            hand: 0,
            actions: Vec::new(),
            answers: Vec::new(),
        })
    }

    /// Why a solution cannot be asked about from a line on, as far as its header tells.
    fn unfit(&self, id: &str, line: &Line) -> Option<DrillSkip> {
        let checked =
            self.library.solution(id).map_err(|failure| failure.message().to_owned()).and_then(|found| {
                let header = SolutionHeader::read(&found.path)
                    .map_err(|error| format!("the solution `{id}` cannot be read: {error}"))?;
                let (options, board) = (header.spec.spot.options(), header.spec.spot.board());
                if !line.steps.is_empty() {
                    let tree =
                        BettingTree::build(options, board.street()).map_err(|error| error.to_string())?;
                    tree.exact(board, line).map_err(|error| format!("line: {error}"))?;
                }
                Ok(())
            });
        let skip = |message| DrillSkip { solution: id.to_owned(), line: line.to_string(), message };
        checked.err().map(skip)
    }

    fn solutions_of(&self, id: &str) -> Result<Vec<String>, ApiFailure> {
        let missing = match self.library.solution(id) {
            Ok(_) => return Ok(vec![id.to_owned()]),
            Err(failure) => failure,
        };
        let prefix = format!("{id}/");
        let ids = self.library.solutions()?.into_iter().map(|found| found.id.as_str().to_owned());
        let mut inside: Vec<String> = ids.filter(|id| id.starts_with(&prefix)).collect();
        if inside.is_empty() {
            return Err(missing);
        }
        if inside.len() > MAX_SOLUTIONS {
            let message =
                format!("the folder has {} solutions: a drill has at most {MAX_SOLUTIONS}", inside.len());
            return Err(ApiFailure::field("solution", message));
        }
        inside.sort();
        Ok(inside)
    }

    /// All sessions with an answer, the last first.
    pub fn list(&self) -> Vec<DrillSession> {
        self.sessions.answered().into_iter().map(|(id, drill)| drill.session(id)).collect()
    }

    /// A session.
    pub fn get(&self, id: u32) -> Result<Arc<KeptDrill>, ApiFailure> {
        self.sessions.get(id)
    }

    /// Forgets a session. It can be taken back.
    pub fn remove(&self, id: u32) -> Result<(), ApiFailure> {
        self.sessions.remove(id)
    }

    /// Takes a session back that was forgotten.
    pub fn take_back(&self, id: u32) -> Result<DrillSession, ApiFailure> {
        self.sessions.take_back(id).map(|kept| kept.session(id))
    }

    /// Takes the answer to a question in, in the files first. `over` says whether its hand is.
    pub fn answer(
        &self,
        id: u32,
        decision: usize,
        answer: DrillAnswer,
        over: bool,
    ) -> Result<Arc<KeptDrill>, ApiFailure> {
        self.sessions.answer(id, decision, |before, write| {
            let mut drill = before.clone();
            if over {
                drill = drill.next_hand().unwrap_or(drill);
            } else {
                drill.actions.push(answer.action.clone());
            }
            // Whoever holds both has taken the sessions first.
            let mut boxes = lock(&self.boxes);
            let mut noted = boxes.clone();
            noted.note(&answer.key, answer.mistake, seconds(SystemTime::now()));
            drill.answers.push(answer);
            write(&drill)?;
            if noted != *boxes {
                write_json(&self.folder.join(REVIEW_FILE), &noted)?;
            }
            *boxes = noted;
            Ok(drill)
        })
    }

    /// Goes on without what a session was to ask, which failed. A decision that was to be asked again is forgotten if its solution is
    /// whole and does not have it; else it is put off, as a file may be there again. An error if nothing is left to be asked about.
    pub fn skip(
        &self,
        id: u32,
        seen: &KeptDrill,
        failure: &ApiFailure,
    ) -> Result<Arc<KeptDrill>, ApiFailure> {
        let key = seen.review_key();
        let line = match key {
            Some(key) => key.line.clone(),
            None => seen.settings()?.line.to_string(),
        };
        let solution = key.map_or_else(|| solution_at(seen), |key| Ok(key.solution.clone()))?;
        let skip = DrillSkip { solution, line, message: failure.message().to_owned() };
        let drill = self.sessions.change(id, |before| {
            // Somebody has answered or skipped meanwhile.
            if before != seen {
                return Ok(None);
            }
            let mut drill = before.clone();
            drill.skipped.push(skip);
            drill.next_hand().map(Some).ok_or_else(|| failure.clone())
        })?;
        if let Some(key) = key {
            let mut boxes = lock(&self.boxes);
            let mut changed = boxes.clone();
            if failure.is_of_field() {
                changed.retain(|other| other != key);
            } else {
                changed.put_off(key, seconds(SystemTime::now()));
            }
            if changed != *boxes {
                write_json(&self.folder.join(REVIEW_FILE), &changed)?;
            }
            *boxes = changed;
        }
        Ok(drill)
    }

    /// What is to be asked again.
    pub fn review(&self) -> ReviewState {
        let boxes = lock(&self.boxes);
        let in_box = |place: u8| boxes.items().iter().filter(|item| item.place == place).count();
        ReviewState { due: boxes.due(seconds(SystemTime::now())).len(), boxes: (1..=5).map(in_box).collect() }
    }
}

/// Gives a file that cannot be read a name under which nobody looks for it.
fn put_aside(path: &Path) -> std::io::Result<PathBuf> {
    let named = |number: u32| path.with_extension(format!("damaged-{number}"));
    let free = (1..10_000).map(named).find(|aside| !aside.exists());
    let aside = free.ok_or_else(|| std::io::Error::other(format!("{} is damaged", path.display())))?;
    std::fs::rename(path, &aside)?;
    Ok(aside)
}

/// The solution that is asked about, by its number in the list of a session.
pub fn solution_at(drill: &KeptDrill) -> Result<String, ApiFailure> {
    let settings = drill.settings()?;
    let place = noregret_drill::solution_of(&settings, drill.hand, drill.solutions.len());
    let id = place.and_then(|place| drill.solutions.get(place));
    id.cloned().ok_or_else(|| {
        ApiFailure::missing(format!("the drill on `{}` has no solutions", shown(&drill.solution)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use noregret_drill::{MistakeKind, Verdict};

    fn answer(number: u64, line: &str, mistake: Option<MistakeKind>) -> DrillAnswer {
        DrillAnswer {
            number,
            key: ReviewKey { solution: "spot".to_owned(), line: line.to_owned(), ..ReviewKey::default() },
            board: "QsJh2h".to_owned(),
            street: "flop".to_owned(),
            action: "check".to_owned(),
            best: "bet 50".to_owned(),
            ev_loss: 2.0,
            ev_loss_pct: 2.0,
            ev_loss_bb: None,
            verdict: if mistake.is_some() { Verdict::Inaccuracy } else { Verdict::Best },
            mistake,
        }
    }

    #[test]
    fn sessions_and_boxes_are_there_again_after_a_restart() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("spot.nrs"), "x").unwrap();
        let library = Arc::new(Library::open(home.path(), home.path()).unwrap());
        let drills = Drills::open(Arc::clone(&library)).unwrap();
        let id = drills.start("spot", "seed=5").unwrap();
        assert_eq!(drills.list(), []);
        drills.answer(id, 0, answer(0, "", Some(MistakeKind::MissedBet)), false).unwrap();
        drills.answer(id, 1, answer(0, "check, bet 50", None), true).unwrap();
        let refused = drills.answer(id, 1, answer(0, "", None), true).unwrap_err();
        assert!(format!("{refused:?}").contains("question 1 is not the one that is asked: that is 2"));
        let again = Drills::open(Arc::clone(&library)).unwrap();
        assert_eq!((again.list(), again.review().due), (drills.list(), 1));
        let drill = again.get(id).unwrap();
        assert_eq!((drill.hand, drill.answers.len(), drill.actions.len()), (1, 2, 0));
        again.remove(id).unwrap();
        // Its number is not given again: it can be taken back.
        let later = Drills::open(Arc::clone(&library)).unwrap();
        assert_eq!((later.list(), later.start("spot", "").unwrap()), (vec![], id + 1));
        let refused = later.take_back(id + 1).unwrap_err();
        assert_eq!(refused.message(), format!("`drill-{}.json` is not among what was deleted", id + 1));
        later.take_back(id).unwrap();
        assert_eq!((later.get(id).unwrap(), later.list().len()), (drill, 1));
        later.remove(id).unwrap();
        // What went wrong stays, and is asked again.
        assert_eq!(again.review().boxes, [1, 0, 0, 0, 0]);
        let review = again.get(again.start_review().unwrap()).unwrap();
        assert_eq!(review.review.as_ref().map(Vec::len), Some(1));
    }

    #[test]
    fn what_is_damaged_is_told_or_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(".drills");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("drill-3.json"), "half").unwrap();
        let library = Arc::new(Library::open(home.path(), home.path()).unwrap());
        std::fs::write(home.path().join("spot.nrs"), "x").unwrap();
        let drills = Drills::open(Arc::clone(&library)).unwrap();
        assert_eq!((drills.list(), drills.start("spot", "").unwrap()), (vec![], 4));
        assert!(folder.join("drill-3.json").exists());
        std::fs::write(folder.join("review.json"), "half").unwrap();
        let opened = Drills::open(Arc::clone(&library)).unwrap();
        let warning = opened.warning.clone().unwrap();
        for part in ["review.json: expected value", "review.damaged-1, and nothing is to be asked again"] {
            assert!(warning.contains(part), "{warning}");
        }
        assert_eq!(std::fs::read(folder.join("review.damaged-1")).unwrap(), b"half");
        assert_eq!((opened.review().due, Drills::open(library).unwrap().warning), (0, None));
    }
}
