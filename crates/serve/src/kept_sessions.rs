//! Sessions of drills, each in a file of its own.

use crate::api::solutions::TrashKind;
use crate::failure::ApiFailure;
use crate::forgotten::Forgotten;
use crate::library::session_number;
use noregret_store::{make_directories, write_whole};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// How many sessions are kept, and how many that nobody has answered in.
const MAX_SESSIONS: usize = 500;
const MAX_UNANSWERED: usize = 50;
/// How many answers a session has at most.
const MAX_ANSWERS: usize = 500;

/// A session as it is on disk.
pub trait KeptSession: Serialize + DeserializeOwned {
    /// What the names of its files begin with.
    const PREFIX: &'static str;
    /// What it is when it was forgotten.
    const KIND: TrashKind;

    /// How many questions were answered.
    fn answered(&self) -> usize;

    /// Checks that this is the question that it asks.
    fn check(&self, decision: usize) -> Result<(), ApiFailure> {
        let asked = self.answered();
        if decision != asked {
            let message = format!("question {decision} is not the one that is asked: that is {asked}");
            return Err(ApiFailure::conflict(message));
        }
        if asked >= MAX_ANSWERS {
            let message = format!("the session has {MAX_ANSWERS} answers: start another");
            return Err(ApiFailure::conflict(message));
        }
        Ok(())
    }
}

struct Sessions<S> {
    by_id: BTreeMap<u32, Arc<S>>,
    /// The highest number that was ever given, to files that cannot be read too.
    last: u32,
}

/// Sessions of a kind, by number.
pub struct KeptSessions<S> {
    folder: PathBuf,
    forgotten: Forgotten,
    sessions: Mutex<Sessions<S>>,
}

fn missing(id: u32) -> ApiFailure {
    ApiFailure::missing(format!("there is no drill {id}"))
}

impl<S: KeptSession> KeptSessions<S> {
    /// Reads the sessions of a folder.
    pub fn open(folder: PathBuf, forgotten: Forgotten) -> Self {
        let (by_id, last) = read_sessions(&folder, S::PREFIX);
        let last = last.max(forgotten.last(S::KIND));
        Self { folder, forgotten, sessions: Mutex::new(Sessions { by_id, last }) }
    }

    fn lock(&self) -> MutexGuard<'_, Sessions<S>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a session. It is written when it has an answer.
    pub fn add(&self, session: S) -> Result<u32, ApiFailure> {
        let mut sessions = self.lock();
        let unanswered: Vec<u32> =
            sessions.by_id.iter().filter(|(_, kept)| kept.answered() == 0).map(|(id, _)| *id).collect();
        check_room(sessions.by_id.len() - unanswered.len())?;
        let too_many = (unanswered.len() + 1).saturating_sub(MAX_UNANSWERED);
        unanswered.iter().take(too_many).for_each(|id| drop(sessions.by_id.remove(id)));
        sessions.last = sessions.last.saturating_add(1);
        let id = sessions.last;
        sessions.by_id.insert(id, Arc::new(session));
        Ok(id)
    }

    /// All sessions with an answer, the last first.
    pub fn answered(&self) -> Vec<(u32, Arc<S>)> {
        let sessions = self.lock();
        let answered = sessions.by_id.iter().rev().filter(|(_, kept)| kept.answered() > 0);
        answered.map(|(id, kept)| (*id, Arc::clone(kept))).collect()
    }

    /// A session.
    pub fn get(&self, id: u32) -> Result<Arc<S>, ApiFailure> {
        self.lock().by_id.get(&id).cloned().ok_or_else(|| missing(id))
    }

    /// Forgets a session. It can be taken back if it has an answer.
    pub fn remove(&self, id: u32) -> Result<(), ApiFailure> {
        let mut sessions = self.lock();
        if sessions.by_id.get(&id).ok_or_else(|| missing(id))?.answered() > 0 {
            let moved = self.forgotten.put(&Self::file_name(id), &self.path(id));
            moved.map_err(ApiFailure::cannot_delete)?;
        }
        sessions.by_id.remove(&id);
        Ok(())
    }

    /// Takes a session back that was forgotten.
    pub fn take_back(&self, id: u32) -> Result<Arc<S>, ApiFailure> {
        let mut sessions = self.lock();
        check_room(sessions.by_id.values().filter(|kept| kept.answered() > 0).count())?;
        self.forgotten.take_back(&Self::file_name(id), &self.path(id))?;
        let kept = Arc::new(read_session(&self.path(id)).map_err(ApiFailure::cannot_read)?);
        sessions.by_id.insert(id, Arc::clone(&kept));
        Ok(kept)
    }

    /// Takes the answer to a question in, in the files first. `answered` gives the session with the answer, and writes it by the
    /// function that it is called with.
    pub fn answer(
        &self,
        id: u32,
        decision: usize,
        answered: impl FnOnce(&S, &dyn Fn(&S) -> Result<(), ApiFailure>) -> Result<S, ApiFailure>,
    ) -> Result<Arc<S>, ApiFailure> {
        let mut sessions = self.lock();
        let before = sessions.by_id.get(&id).cloned().ok_or_else(|| missing(id))?;
        // Somebody may have answered meanwhile.
        before.check(decision)?;
        let write = |session: &S| {
            make_directories(&self.folder).map_err(ApiFailure::cannot_write)?;
            write_json(&self.path(id), session)
        };
        let session = Arc::new(answered(&before, &write)?);
        sessions.by_id.insert(id, Arc::clone(&session));
        Ok(session)
    }

    /// Changes a session without an answer. It is written with the next one.
    pub fn change(
        &self,
        id: u32,
        changed: impl FnOnce(&S) -> Result<Option<S>, ApiFailure>,
    ) -> Result<Arc<S>, ApiFailure> {
        let mut sessions = self.lock();
        let before = sessions.by_id.get(&id).cloned().ok_or_else(|| missing(id))?;
        let Some(after) = changed(&before)? else { return Ok(before) };
        let after = Arc::new(after);
        sessions.by_id.insert(id, Arc::clone(&after));
        Ok(after)
    }

    fn file_name(id: u32) -> String {
        format!("{}{id}.json", S::PREFIX)
    }

    fn path(&self, id: u32) -> PathBuf {
        self.folder.join(Self::file_name(id))
    }
}

/// Checks that one more session can be kept, of those that have answers.
fn check_room(kept: usize) -> Result<(), ApiFailure> {
    if kept >= MAX_SESSIONS {
        let message = format!("{MAX_SESSIONS} sessions are kept already: delete some first");
        return Err(ApiFailure::conflict(message));
    }
    Ok(())
}

/// Reads the file of a session.
pub fn read_session<S: DeserializeOwned>(path: &Path) -> std::io::Result<S> {
    serde_json::from_slice(&std::fs::read(path)?).map_err(std::io::Error::from)
}

/// The sessions of a folder whose names begin so, by number, and the highest number. One that cannot be read is left alone. There is
/// no limit here: where there are too many, none can be added, and all can be seen and deleted.
pub fn read_sessions<S: DeserializeOwned>(folder: &Path, prefix: &str) -> (BTreeMap<u32, Arc<S>>, u32) {
    let Ok(entries) = std::fs::read_dir(folder) else { return (BTreeMap::new(), 0) };
    let number = |entry: &std::fs::DirEntry| session_number(entry.file_name().to_str()?, prefix);
    let files: Vec<(u32, PathBuf)> =
        entries.flatten().filter_map(|entry| Some((number(&entry)?, entry.path()))).collect();
    let by_id = files.iter().filter_map(|(id, path)| Some((*id, Arc::new(read_session(path).ok()?))));
    (by_id.collect(), files.iter().map(|(id, _)| *id).max().unwrap_or(0))
}

/// Now, as RFC 3339.
pub fn now_text() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// Writes a file of JSON, whole or not at all.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), ApiFailure> {
    let text = serde_json::to_vec(value).map_err(ApiFailure::job)?;
    write_whole(path, &text).map_err(ApiFailure::cannot_write)
}
