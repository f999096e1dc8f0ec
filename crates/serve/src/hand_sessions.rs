//! Sessions of hands that were played: one file each with the text, as it was given. Solutions of their spots are in one folder of
//! the library, named after their specs, so that equal spots are solved once.

use crate::api::hands::{HandsReport, HandsSessionInfo, NewHands};
use crate::api::solves::KeptStreets;
use crate::failure::ApiFailure;
use crate::hand_report;
use crate::kept_sessions::read_sessions;
use crate::library::{Library, SESSION_PREFIXES};
use crate::open_hands::OpenHands;
use crate::solve_runs::{RunPlan, SolveRuns};
use noregret_drill::ReviewKey;
use noregret_hands::{HandDocument, HandRake, HandsSession, SpotOptions};
use noregret_store::{make_directories, remove, write_whole};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// A folder of the library for sessions, and the one for their solutions.
const FOLDER: &str = ".hands";
const SOLUTIONS: &str = "hands";
/// What the names of its files begin with.
const PREFIX: &str = SESSION_PREFIXES[2];
/// How many sessions are kept.
const MAX_SESSIONS: usize = 500;
/// The longest text, in bytes, and how many hands it may have.
const MAX_TEXT: usize = 4 << 20;
const MAX_HANDS: usize = 2000;
/// The longest name, in characters.
const MAX_NAME: usize = 100;
/// How many sessions are kept read.
const OPEN_SESSIONS: usize = 3;

/// A session as it is on disk.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct KeptHands {
    /// When it was made: RFC 3339, UTC.
    pub created: String,
    pub name: String,
    /// Whose decisions are looked at; empty for the hero's.
    pub player: String,
    pub rake: String,
    pub target_pct: f64,
    /// The text, as it was given.
    pub text: String,
    /// How many hands it has, how many are no spot, and how many could not be read.
    hands: usize,
    left_out: usize,
    errors: usize,
    /// The names of its spots.
    spots: Vec<String>,
}

#[derive(Default)]
struct Sessions {
    by_id: BTreeMap<u32, Arc<KeptHands>>,
    /// The highest number that was ever given, to files that cannot be read too.
    last: u32,
    /// Those that are read, the last used at the end.
    open: Vec<(u32, Arc<OpenHands>)>,
}

/// All sessions.
pub struct HandSessions {
    library: Arc<Library>,
    runs: Arc<SolveRuns>,
    folder: PathBuf,
    sessions: Mutex<Sessions>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of the run of a session: no batch has it.
fn run_name(id: u32) -> String {
    format!("{FOLDER}/{id}")
}

impl KeptHands {
    fn read(&self) -> Result<HandsSession, ApiFailure> {
        let rake: HandRake = self.rake.parse().map_err(|error| ApiFailure::field("rake", error))?;
        let options = SpotOptions { rake, target_pct: self.target_pct };
        let player = Some(self.player.as_str()).filter(|player| !player.is_empty());
        let mut session = HandsSession::default();
        session.add(&self.name, self.text.as_bytes(), player, &options);
        Ok(session)
    }
}

impl HandSessions {
    /// Reads the sessions of a library. One that cannot be read is left alone.
    pub fn open(library: Arc<Library>, runs: Arc<SolveRuns>) -> Self {
        let folder = library.own(FOLDER);
        let (by_id, last) = read_sessions(&folder, PREFIX);
        let sessions = Mutex::new(Sessions { by_id, last, open: Vec::new() });
        Self { library, runs, folder, sessions }
    }

    /// Reads a text and keeps it as a session.
    pub fn add(&self, request: NewHands) -> Result<HandsReport, ApiFailure> {
        let NewHands { text, name, player, rake, target_pct } = request;
        if text.len() > MAX_TEXT {
            return Err(ApiFailure::field("text", format!("a text has at most {MAX_TEXT} bytes: split it")));
        }
        let name = name.trim();
        if name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
            let message = format!("a name has at most {MAX_NAME} characters, and none that controls");
            return Err(ApiFailure::field("name", message));
        }
        let target_pct = target_pct.unwrap_or(SpotOptions::default().target_pct);
        if !(0.001..=100.0).contains(&target_pct) {
            return Err(ApiFailure::field("target_pct", "it is from 0.001 to 100"));
        }
        let player = player.unwrap_or_default().trim().to_owned();
        let rake = rake.unwrap_or_else(|| "as-played".to_owned());
        let kept = KeptHands {
            created: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            name: name.to_owned(),
            player: player.clone(),
            rake,
            target_pct,
            text,
            hands: 0,
            left_out: 0,
            errors: 0,
            spots: Vec::new(),
        };
        let read = kept.read()?;
        let Some(first) = read.hands.first() else {
            let first = read.errors.first().map(|unread| unread.error.to_string());
            return Err(ApiFailure::field("text", first.unwrap_or_else(|| "it has no hand".to_owned())));
        };
        if read.hands.len() > MAX_HANDS {
            let message =
                format!("it has {} hands, and a session at most {MAX_HANDS}: split it", read.hands.len());
            return Err(ApiFailure::field("text", message));
        }
        if !player.is_empty() && read.hands.iter().all(|hand| hand.studied.is_empty()) {
            let shown = crate::library::shown(&player);
            return Err(ApiFailure::field("player", format!("nobody has the name `{shown}`")));
        }
        let kept = KeptHands {
            name: if name.is_empty() { hand_report::name_after(first) } else { name.to_owned() },
            hands: read.hands.len(),
            left_out: read.left_out(),
            errors: read.errors.len(),
            spots: read.spots().into_iter().map(|(name, _)| name).collect(),
            ..kept
        };
        let id = self.keep(kept)?;
        self.report(id)
    }

    fn keep(&self, kept: KeptHands) -> Result<u32, ApiFailure> {
        let mut sessions = lock(&self.sessions);
        if sessions.by_id.len() >= MAX_SESSIONS {
            return Err(ApiFailure::conflict(format!(
                "{MAX_SESSIONS} sessions are kept already: delete some first"
            )));
        }
        sessions.last = sessions.last.saturating_add(1);
        let id = sessions.last;
        let text = serde_json::to_vec(&kept).map_err(ApiFailure::job)?;
        make_directories(&self.folder)
            .and_then(|()| write_whole(&self.path(id), &text))
            .map_err(ApiFailure::cannot_write)?;
        sessions.by_id.insert(id, Arc::new(kept));
        Ok(id)
    }

    fn path(&self, id: u32) -> PathBuf {
        self.folder.join(format!("{PREFIX}{id}.json"))
    }

    fn kept(&self, id: u32) -> Result<Arc<KeptHands>, ApiFailure> {
        let found = lock(&self.sessions).by_id.get(&id).cloned();
        found.ok_or_else(|| ApiFailure::missing(format!("there is no session {id} of hands")))
    }

    /// A session that is read; from those that are kept so, if it is there.
    fn opened(&self, id: u32) -> Result<Arc<OpenHands>, ApiFailure> {
        let kept = self.kept(id)?;
        let take = |sessions: &mut Sessions| {
            let place = sessions.open.iter().position(|(open, _)| *open == id)?;
            let found = sessions.open.remove(place);
            sessions.open.push(found.clone());
            Some(found.1)
        };
        if let Some(open) = take(&mut lock(&self.sessions)) {
            return Ok(open);
        }
        let read = kept.read()?;
        let mut sessions = lock(&self.sessions);
        // Somebody else may have read it meanwhile.
        if let Some(open) = take(&mut sessions) {
            return Ok(open);
        }
        let open = Arc::new(OpenHands::new(read));
        sessions.open.push((id, Arc::clone(&open)));
        let too_many = sessions.open.len().saturating_sub(OPEN_SESSIONS);
        sessions.open.drain(..too_many);
        Ok(open)
    }

    /// All sessions, the last first.
    pub fn list(&self) -> Vec<HandsSessionInfo> {
        let files = self.library.solutions();
        let names: HashSet<&str> = files.iter().map(|found| found.id.name()).collect();
        let kept: Vec<(u32, Arc<KeptHands>)> =
            lock(&self.sessions).by_id.iter().rev().map(|(id, kept)| (*id, Arc::clone(kept))).collect();
        kept.iter().map(|(id, kept)| self.info(*id, kept, &names)).collect()
    }

    fn info(&self, id: u32, kept: &KeptHands, names: &HashSet<&str>) -> HandsSessionInfo {
        let state = self.runs.state(&run_name(id));
        HandsSessionInfo {
            id,
            name: kept.name.clone(),
            created: kept.created.clone(),
            player: kept.player.clone(),
            rake: kept.rake.clone(),
            target_pct: kept.target_pct,
            hands: kept.hands,
            left_out: kept.left_out,
            errors: kept.errors,
            spots: kept.spots.len(),
            solved: kept.spots.iter().filter(|name| names.contains(name.as_str())).count(),
            running: state.running,
            solve: state.solve,
            failed: state.failed,
            error: state.error,
        }
    }

    /// A session with its hands and what their decisions cost.
    pub fn report(&self, id: u32) -> Result<HandsReport, ApiFailure> {
        let kept = self.kept(id)?;
        let files = self.library.solutions();
        let snapshot = self.opened(id)?.refreshed(&files);
        let names: HashSet<&str> = files.iter().map(|found| found.id.name()).collect();
        Ok(hand_report::report(self.info(id, &kept, &names), &snapshot.session, snapshot.unread()))
    }

    /// A hand of a session, with everything that is known of it.
    pub fn hand(&self, id: u32, number: usize) -> Result<HandDocument, ApiFailure> {
        let snapshot = self.opened(id)?.refreshed_hand(number, &self.library.solutions());
        let hand = snapshot.session.hands.get(number);
        hand.map(HandDocument::of)
            .ok_or_else(|| ApiFailure::missing(format!("session {id} has no hand {number}")))
    }

    /// The name of a session, and the decisions that cost most, as a drill asks about them.
    pub fn costly(&self, id: u32) -> Result<(String, Vec<ReviewKey>), ApiFailure> {
        let kept = self.kept(id)?;
        let snapshot = self.opened(id)?.refreshed(&self.library.solutions());
        let keys = hand_report::costly(&snapshot.session);
        if keys.is_empty() {
            return Err(ApiFailure::conflict("no decision of this session is known to have cost anything"));
        }
        Ok((kept.name.clone(), keys))
    }

    /// Solves the spots of a session that are not in the library yet.
    pub fn solve(&self, id: u32) -> Result<HandsSessionInfo, ApiFailure> {
        let kept = self.kept(id)?;
        let open = self.opened(id)?;
        let files = self.library.solutions();
        let names: HashSet<&str> = files.iter().map(|found| found.id.name()).collect();
        let mut jobs = open.refreshed(&files).session.jobs();
        jobs.retain(|job| !names.contains(job.name.as_str()));
        if jobs.is_empty() {
            return Err(ApiFailure::conflict("nothing of this session is left to be solved"));
        }
        let plan = RunPlan { folder: SOLUTIONS.to_owned(), jobs, keep: KeptStreets::Full };
        self.runs.launch(&run_name(id), plan)?;
        Ok(self.info(id, &kept, &names))
    }

    /// Stops the solves of a session; what is solved stays.
    pub fn stop(&self, id: u32) -> Result<HandsSessionInfo, ApiFailure> {
        let kept = self.kept(id)?;
        self.runs.stop(&run_name(id));
        let files = self.library.solutions();
        let names: HashSet<&str> = files.iter().map(|found| found.id.name()).collect();
        Ok(self.info(id, &kept, &names))
    }

    /// Forgets a session. Its solutions stay in the library.
    pub fn remove(&self, id: u32) -> Result<(), ApiFailure> {
        self.kept(id)?;
        self.runs.stop(&run_name(id));
        let mut sessions = lock(&self.sessions);
        remove(&self.path(id)).map_err(ApiFailure::cannot_delete)?;
        sessions.by_id.remove(&id);
        sessions.open.retain(|(open, _)| *open != id);
        Ok(())
    }
}
