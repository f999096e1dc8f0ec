//! Sessions of hands that were played: one file each with the text, as it was given. Solutions of their spots are in one folder of
//! the library, named after their specs, so that equal spots are solved once.

use crate::api::hands::{HandsReport, HandsSessionInfo, NewHands, SessionRange};
use crate::api::solutions::TrashKind;
use crate::api::solves::KeptStreets;
use crate::failure::ApiFailure;
use crate::forgotten::Forgotten;
use crate::hand_report;
use crate::kept_sessions::{now_text, read_session, read_sessions, write_json};
use crate::library::{Found, Library, SESSION_PREFIXES, Stamp};
use crate::open_hands::{HandsSnapshot, OpenHands};
use crate::solve_runs::{RunPlan, SolveRuns};
use noregret_cards::Range;
use noregret_drill::ReviewKey;
use noregret_hands::{HandDocument, HandRake, HandsSession, SpotOptions, read_text};
use noregret_holdem::preflop::{OwnRanges, RangeName};
use noregret_store::make_directories;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
/// The longest names of a session and of a player, in characters.
const MAX_NAME: usize = 100;
const MAX_PLAYER: usize = 200;
/// How many sessions are kept read.
const OPEN_SESSIONS: usize = 3;

/// A session without its text: what is kept in memory of each.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct HandsSummary {
    /// When it was made: RFC 3339, UTC.
    created: String,
    name: String,
    /// Whose decisions are looked at; empty for the hero's.
    player: String,
    rake: String,
    target_pct: f64,
    /// How many hands it has, how many are no spot, and how many could not be read.
    hands: usize,
    left_out: usize,
    errors: usize,
    /// The names of its spots.
    spots: Vec<String>,
    /// Ranges in the place of those of the charts, as text; empty if there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    own_ranges: String,
}

impl HandsSummary {
    fn own_ranges(&self) -> Result<OwnRanges, ApiFailure> {
        if self.own_ranges.is_empty() {
            return Ok(OwnRanges::default());
        }
        let own = self.own_ranges.parse();
        own.map_err(|error| ApiFailure::job(format!("cannot read the ranges of {}: {error}", self.name)))
    }

    fn options(&self) -> Result<SpotOptions, ApiFailure> {
        Ok(SpotOptions { own_ranges: self.own_ranges()?, ..spot_options(&self.rake, self.target_pct)? })
    }

    /// The same with what is counted of a session.
    fn counting(self, session: &HandsSession) -> Self {
        Self {
            hands: session.hands.len(),
            left_out: session.left_out(),
            errors: session.errors.len(),
            spots: session.spots().into_iter().map(|(name, _)| name).collect(),
            ..self
        }
    }
}

/// A session as it is on disk.
#[derive(Serialize, Deserialize)]
struct HandsFile<S> {
    #[serde(flatten)]
    summary: S,
    /// The text, as it was given.
    text: String,
}

#[derive(Default)]
struct Sessions {
    by_id: BTreeMap<u32, Arc<HandsSummary>>,
    /// The highest number that was ever given, to files that cannot be read too.
    last: u32,
    /// How many are being written.
    writing: usize,
    /// Those that are read, the last used at the end.
    open: Vec<(u32, Arc<OpenHands>)>,
}

impl Sessions {
    /// Checks that one more can be kept.
    fn check_room(&self) -> Result<(), ApiFailure> {
        if self.by_id.len() + self.writing >= MAX_SESSIONS {
            let message = format!("{MAX_SESSIONS} sessions are kept already: delete some first");
            return Err(ApiFailure::conflict(message));
        }
        Ok(())
    }

    /// A session that is kept read.
    fn opened(&mut self, id: u32) -> Option<Arc<OpenHands>> {
        let place = self.open.iter().position(|(open, _)| *open == id)?;
        let found = self.open.remove(place);
        self.open.push(found.clone());
        Some(found.1)
    }

    /// Keeps a session read, in the place of the one that was not used for longest.
    fn keep_open(&mut self, id: u32, open: &Arc<OpenHands>) {
        self.open.push((id, Arc::clone(open)));
        let too_many = self.open.len().saturating_sub(OPEN_SESSIONS);
        self.open.drain(..too_many);
    }
}

/// All sessions.
pub struct HandSessions {
    library: Arc<Library>,
    runs: Arc<SolveRuns>,
    folder: PathBuf,
    forgotten: Forgotten,
    sessions: Mutex<Sessions>,
    /// Held while the file of a session is changed or deleted.
    changing: Mutex<()>,
    /// Solutions that could not be read, as they were then: their spots are not solved.
    unread: Mutex<HashMap<String, Stamp>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn missing(id: u32) -> ApiFailure {
    ApiFailure::missing(format!("there is no session {id} of hands"))
}

fn file_name(id: u32) -> String {
    format!("{PREFIX}{id}.json")
}

/// The name of the run of a session: no batch has it.
fn run_name(id: u32) -> String {
    format!("{FOLDER}/{id}")
}

/// The options of a session's spots.
fn spot_options(rake: &str, target_pct: f64) -> Result<SpotOptions, ApiFailure> {
    let rake: HandRake = rake.parse().map_err(|error| ApiFailure::field("rake", error))?;
    Ok(SpotOptions { rake, target_pct, ..SpotOptions::default() })
}

/// Whose decisions are looked at, if that is not the hero.
fn studied_player(player: &str) -> Option<&str> {
    Some(player).filter(|player| !player.is_empty())
}

/// How many characters a field of a request has at most, and none of them controls.
fn check_text(field: &str, text: &str, most: usize) -> Result<(), ApiFailure> {
    if text.chars().count() > most || text.chars().any(char::is_control) {
        let message = format!("a name has at most {most} characters, and none that controls");
        return Err(ApiFailure::field(field, message));
    }
    Ok(())
}

impl HandSessions {
    /// Reads the sessions of a library. One that cannot be read is left alone.
    pub fn open(library: Arc<Library>, runs: Arc<SolveRuns>) -> Self {
        let folder = library.own(FOLDER);
        let forgotten = Forgotten::of(&library);
        let (by_id, last) = read_sessions(&folder, PREFIX);
        let last = last.max(forgotten.last(TrashKind::Hands));
        let sessions = Mutex::new(Sessions { by_id, last, ..Sessions::default() });
        Self {
            library,
            runs,
            folder,
            forgotten,
            sessions,
            changing: Mutex::default(),
            unread: Mutex::default(),
        }
    }

    /// Reads a text and keeps it as a session.
    pub fn add(&self, request: NewHands) -> Result<HandsReport, ApiFailure> {
        let NewHands { text, name, player, rake, target_pct } = request;
        if text.len() > MAX_TEXT {
            return Err(ApiFailure::field("text", format!("a text has at most {MAX_TEXT} bytes: split it")));
        }
        let name = name.trim();
        check_text("name", name, MAX_NAME)?;
        let target_pct = target_pct.unwrap_or(SpotOptions::default().target_pct);
        if !(0.001..=100.0).contains(&target_pct) {
            return Err(ApiFailure::field("target_pct", "it is from 0.001 to 100"));
        }
        let player = player.unwrap_or_default().trim().to_owned();
        check_text("player", &player, MAX_PLAYER)?;
        let rake = rake.unwrap_or_else(|| "as-played".to_owned());
        let options = spot_options(&rake, target_pct)?;
        let read = read_text(&text);
        if read.hands.len() > MAX_HANDS {
            let message =
                format!("it has {} hands, and a session at most {MAX_HANDS}: split it", read.hands.len());
            return Err(ApiFailure::field("text", message));
        }
        let mut session = HandsSession::default();
        session.add_read(name, read, studied_player(&player), &options);
        let Some(first) = session.hands.first() else {
            let first = session.errors.first().map(|unread| unread.error.to_string());
            return Err(ApiFailure::field("text", first.unwrap_or_else(|| "it has no hand".to_owned())));
        };
        if !player.is_empty() && session.hands.iter().all(|hand| hand.studied.is_empty()) {
            let shown = crate::library::shown(&player);
            return Err(ApiFailure::field("player", format!("nobody has the name `{shown}`")));
        }
        let summary = HandsSummary {
            created: now_text(),
            name: if name.is_empty() { hand_report::name_after(first) } else { name.to_owned() },
            player,
            rake,
            target_pct,
            hands: 0,
            left_out: 0,
            errors: 0,
            spots: Vec::new(),
            own_ranges: String::new(),
        };
        let summary = summary.counting(&session);
        // As it is after a restart.
        session.hands.iter_mut().for_each(|hand| hand.file.clone_from(&summary.name));
        session.errors.iter_mut().for_each(|unread| unread.file.clone_from(&summary.name));
        let id = self.keep(summary, text, &Arc::new(OpenHands::new(session)))?;
        self.report(id)
    }

    /// Writes a session that was read. The map is not locked meanwhile: others are answered while a disk is slow.
    fn keep(&self, summary: HandsSummary, text: String, open: &Arc<OpenHands>) -> Result<u32, ApiFailure> {
        let id = {
            let mut sessions = lock(&self.sessions);
            sessions.check_room()?;
            sessions.writing += 1;
            sessions.last = sessions.last.saturating_add(1);
            sessions.last
        };
        let file = HandsFile { summary: &summary, text };
        let written = make_directories(&self.folder)
            .map_err(ApiFailure::cannot_write)
            .and_then(|()| write_json(&self.path(id), &file));
        let mut sessions = lock(&self.sessions);
        sessions.writing -= 1;
        written?;
        sessions.by_id.insert(id, Arc::new(summary));
        sessions.keep_open(id, open);
        Ok(id)
    }

    fn path(&self, id: u32) -> PathBuf {
        self.folder.join(file_name(id))
    }

    fn summary(&self, id: u32) -> Result<Arc<HandsSummary>, ApiFailure> {
        let found = lock(&self.sessions).by_id.get(&id).cloned();
        found.ok_or_else(|| missing(id))
    }

    /// A session that is read; from those that are kept so, if it is there.
    fn opened(&self, id: u32) -> Result<Arc<OpenHands>, ApiFailure> {
        let summary = self.summary(id)?;
        if let Some(open) = lock(&self.sessions).opened(id) {
            return Ok(open);
        }
        let options = summary.options()?;
        let mut session = HandsSession::default();
        let text = self.text(id)?;
        session.add(&summary.name, text.as_bytes(), studied_player(&summary.player), &options);
        let read = Arc::new(OpenHands::new(session));
        let mut sessions = lock(&self.sessions);
        // Somebody else may have read it meanwhile, changed or removed it.
        if let Some(open) = sessions.opened(id) {
            return Ok(open);
        }
        let now = sessions.by_id.get(&id).ok_or_else(|| missing(id))?;
        if Arc::ptr_eq(now, &summary) {
            sessions.keep_open(id, &read);
            return Ok(read);
        }
        drop(sessions);
        self.opened(id)
    }

    /// The text of a session.
    fn text(&self, id: u32) -> Result<String, ApiFailure> {
        let cannot = |error: &dyn Display| ApiFailure::job(format!("cannot read session {id}: {error}"));
        let bytes = std::fs::read(self.path(id)).map_err(|error| cannot(&error))?;
        let file: HandsFile<IgnoredAny> = serde_json::from_slice(&bytes).map_err(|error| cannot(&error))?;
        Ok(file.text)
    }

    /// The ranges of a session by name: those that its hands take, and its own.
    pub fn ranges(&self, id: u32) -> Result<Vec<SessionRange>, ApiFailure> {
        let own = self.summary(id)?.own_ranges()?;
        Ok(hand_report::ranges(&self.opened(id)?.now().session, &own))
    }

    /// Puts a range in the place of that of the charts; without one, that of the charts is taken again. Hands that take it have
    /// other spots then.
    pub fn set_range(
        &self,
        id: u32,
        name: &str,
        range: Option<Range>,
    ) -> Result<HandsSessionInfo, ApiFailure> {
        let before = self.summary(id)?;
        let name: RangeName = name.parse().map_err(ApiFailure::missing)?;
        if self.runs.state(&run_name(id)).running {
            return Err(ApiFailure::conflict("its spots are being solved: stop that first"));
        }
        let mut own = before.own_ranges()?;
        match range {
            Some(range) => own.set(name, range).map_err(|error| ApiFailure::field("text", error))?,
            None if own.remove(name) => {}
            None => {
                return Err(ApiFailure::missing(format!("session {id} has no range `{name}` of its own")));
            }
        }
        let text = if own.is_empty() { String::new() } else { own.to_string() };
        let after = HandsSummary { own_ranges: text, ..HandsSummary::clone(&before) };
        let open = Arc::new(self.opened(id)?.rebuilt(&after.options()?));
        let after = after.counting(&open.now().session);
        let info = self.info(id, &after, &self.solved_names(&self.library.solutions()?));
        self.change(id, &before, after, &open)?;
        Ok(info)
    }

    /// Writes a session that was changed, unless somebody else has changed it meanwhile.
    fn change(
        &self,
        id: u32,
        before: &Arc<HandsSummary>,
        after: HandsSummary,
        open: &Arc<OpenHands>,
    ) -> Result<(), ApiFailure> {
        let _changing = lock(&self.changing);
        if !lock(&self.sessions).by_id.get(&id).is_some_and(|now| Arc::ptr_eq(now, before)) {
            return Err(ApiFailure::conflict("the session was changed meanwhile: try again"));
        }
        write_json(&self.path(id), &HandsFile { summary: &after, text: self.text(id)? })?;
        let mut sessions = lock(&self.sessions);
        sessions.by_id.insert(id, Arc::new(after));
        sessions.open.retain(|(other, _)| *other != id);
        sessions.keep_open(id, open);
        Ok(())
    }

    /// A session with its solutions read.
    fn refreshed(&self, id: u32, files: &[Found]) -> Result<Arc<HandsSnapshot>, ApiFailure> {
        let snapshot = self.opened(id)?.refreshed(files);
        let names: HashSet<&str> = snapshot.unread().map(|unread| unread.name.as_str()).collect();
        let stamps: HashMap<&str, Stamp> =
            files.iter().map(|found| (found.id.as_str(), found.stamp)).collect();
        let mut unread = lock(&self.unread);
        unread.retain(|name, stamp| stamps.get(name.as_str()) == Some(&*stamp));
        let found = names.into_iter().filter_map(|name| Some((name.to_owned(), *stamps.get(name)?)));
        unread.extend(found);
        Ok(snapshot)
    }

    /// The names of spots that are solved: to the end, and into a file that can be read as far as is known.
    fn solved_names<'f>(&self, files: &'f [Found]) -> HashSet<&'f str> {
        let unfinished = self.runs.unfinished();
        let unread = lock(&self.unread);
        let is_solved = |found: &&Found| {
            let id = found.id.as_str();
            unread.get(id) != Some(&found.stamp) && !unfinished.contains(id)
        };
        files.iter().filter(is_solved).map(|found| found.id.name()).collect()
    }

    /// All sessions, the last first.
    pub fn list(&self) -> Result<Vec<HandsSessionInfo>, ApiFailure> {
        let files = self.library.solutions()?;
        let names = self.solved_names(&files);
        let kept: Vec<(u32, Arc<HandsSummary>)> =
            lock(&self.sessions).by_id.iter().rev().map(|(id, kept)| (*id, Arc::clone(kept))).collect();
        Ok(kept.iter().map(|(id, kept)| self.info(*id, kept, &names)).collect())
    }

    fn info(&self, id: u32, kept: &HandsSummary, names: &HashSet<&str>) -> HandsSessionInfo {
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
        let kept = self.summary(id)?;
        let files = self.library.solutions()?;
        let snapshot = self.refreshed(id, &files)?;
        let names = self.solved_names(&files);
        let (info, own) = (self.info(id, &kept, &names), kept.own_ranges()?);
        Ok(hand_report::report(info, &snapshot.session, snapshot.unread(), &own))
    }

    /// A hand of a session, with everything that is known of it.
    pub fn hand(&self, id: u32, number: usize) -> Result<HandDocument, ApiFailure> {
        let snapshot = self.opened(id)?.refreshed_hand(number, &self.library.solutions()?);
        let hand = snapshot.session.hands.get(number);
        hand.map(HandDocument::of)
            .ok_or_else(|| ApiFailure::missing(format!("session {id} has no hand {number}")))
    }

    /// The name of a session, and the decisions that cost most, as a drill asks about them.
    pub fn costly(&self, id: u32) -> Result<(String, Vec<ReviewKey>), ApiFailure> {
        let kept = self.summary(id)?;
        let snapshot = self.refreshed(id, &self.library.solutions()?)?;
        let keys = hand_report::costly(&snapshot.session);
        if keys.is_empty() {
            return Err(ApiFailure::conflict("no decision of this session is known to have cost anything"));
        }
        Ok((kept.name.clone(), keys))
    }

    /// Solves the spots of a session that are not in the library yet.
    pub fn solve(&self, id: u32) -> Result<HandsSessionInfo, ApiFailure> {
        let kept = self.summary(id)?;
        let files = self.library.solutions()?;
        let snapshot = self.refreshed(id, &files)?;
        let names = self.solved_names(&files);
        let mut jobs = snapshot.session.jobs();
        jobs.retain(|job| !names.contains(job.name.as_str()));
        for job in &mut jobs {
            let solution = format!("{SOLUTIONS}/{}", job.name);
            // The server writes over no file that is not its own.
            if lock(&self.unread).contains_key(&solution) {
                job.spec = Err(format!(
                    "the file `{solution}.nrs` of the library cannot be read: delete it, and solve again"
                ));
            }
        }
        match jobs.iter().map(|job| job.spec.as_ref().err()).collect::<Option<Vec<_>>>().as_deref() {
            Some([]) => return Err(ApiFailure::conflict("nothing of this session is left to be solved")),
            Some([first, ..]) => return Err(ApiFailure::conflict(first)),
            None => {}
        }
        let plan = RunPlan { folder: SOLUTIONS.to_owned(), jobs, keep: KeptStreets::Full };
        self.runs.launch(&run_name(id), plan)?;
        // Whoever has removed the session meanwhile did not know of this run.
        if let Err(gone) = self.summary(id) {
            self.runs.stop(&run_name(id));
            return Err(gone);
        }
        Ok(self.info(id, &kept, &names))
    }

    /// Stops the solves of a session; what is solved stays.
    pub fn stop(&self, id: u32) -> Result<HandsSessionInfo, ApiFailure> {
        let kept = self.summary(id)?;
        self.runs.stop(&run_name(id));
        let files = self.library.solutions()?;
        let names = self.solved_names(&files);
        Ok(self.info(id, &kept, &names))
    }

    /// Forgets a session. Its solutions stay in the library.
    pub fn remove(&self, id: u32) -> Result<(), ApiFailure> {
        let _changing = lock(&self.changing);
        let kept = {
            let mut sessions = lock(&self.sessions);
            sessions.open.retain(|(open, _)| *open != id);
            sessions.by_id.remove(&id).ok_or_else(|| missing(id))?
        };
        if let Err(error) = self.forgotten.put(&file_name(id), &self.path(id)) {
            lock(&self.sessions).by_id.insert(id, kept);
            return Err(ApiFailure::cannot_delete(error));
        }
        self.runs.stop(&run_name(id));
        Ok(())
    }

    /// Takes a session back that was forgotten; its solves go on when they are asked for.
    pub fn take_back(&self, id: u32) -> Result<HandsSessionInfo, ApiFailure> {
        let _changing = lock(&self.changing);
        lock(&self.sessions).check_room()?;
        let files = self.library.solutions()?;
        self.forgotten.take_back(&file_name(id), &self.path(id))?;
        let kept = Arc::new(read_session(&self.path(id)).map_err(ApiFailure::cannot_read)?);
        lock(&self.sessions).by_id.insert(id, Arc::clone(&kept));
        Ok(self.info(id, &kept, &self.solved_names(&files)))
    }
}
