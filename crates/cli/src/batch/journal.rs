//! What a shard has done, an event a line: `{"job": "QsJh2h", "state": "done", …}`. In a bucket, where nothing can be added to an
//! object and nobody can lock one, each job has an object with its last line.

use crate::failure::Failure;
use noregret_holdem::BatchJob;
use noregret_store::{DiskFile, Place, is_replaceable, write_whole};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A solve that is done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SolvedJob {
    pub iterations: u32,
    pub exploitability_pct: f64,
    pub target_reached: bool,
    pub seconds: f64,
    pub bytes: u64,
    pub strategy_digest: String,
}

/// What has become of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum JournalState {
    Solving,
    Done(SolvedJob),
    Failed { error: String },
}

#[derive(Serialize, Deserialize)]
struct JournalEvent {
    job: String,
    #[serde(flatten)]
    state: JournalState,
}

/// The journal of a run that is going on. Another run cannot open it meanwhile, unless it is in a bucket.
pub struct Journal {
    path: PathBuf,
    log: Log,
}

/// What lines are added to.
enum Log {
    File {
        file: Box<dyn DiskFile>,
        /// Open, and with it locked, for as long as the run goes on.
        _lock: File,
    },
    /// An object for each job.
    Objects,
}

/// The folder with a file for each job, in a bucket and where several runs share a directory.
pub const SHARED: &str = "journal";

/// What every line begins with.
const BEGINNING: &[u8] = b"{\"job\":";

impl Journal {
    /// Opens the journal to add to it.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        if Place::is_remote(path) || path.extension().is_none() {
            return Ok(Self { path: path.to_owned(), log: Log::Objects });
        }
        let cannot =
            |error: std::io::Error| Failure::job(format!("cannot write {}: {error}", path.display()));
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let message = format!("another run of this shard is at work: it has {} open", path.display());
                return Err(Failure::job(message));
            }
            Err(TryLockError::Error(error)) => return Err(cannot(error)),
        }
        let mut start = Vec::new();
        Read::by_ref(&mut file).take(BEGINNING.len() as u64).read_to_end(&mut start).map_err(cannot)?;
        // Lines would be added to whatever it is. A loss of power may leave zeros where lines were.
        let written = start.split(|&byte| byte == 0).next().unwrap_or_default();
        if !BEGINNING.starts_with(written) {
            return Err(not_a_journal(path));
        }
        let mut journal = noregret_store::append(path).map_err(cannot)?;
        // A run that was killed may have left half a line.
        if !start.is_empty() {
            let mut last = [0];
            file.seek(SeekFrom::End(-1)).and_then(|_| file.read_exact(&mut last)).map_err(cannot)?;
            if last != *b"\n" {
                journal.write_all(b"\n").map_err(cannot)?;
            }
        }
        Ok(Self { path: path.to_owned(), log: Log::File { file: journal, _lock: file } })
    }

    /// Adds what has become of a job.
    pub fn write(&mut self, job: &BatchJob, state: &JournalState) -> Result<(), Failure> {
        let event = JournalEvent { job: job.name.clone(), state: state.clone() };
        // Strings and finite numbers always serialise.
        let line = serde_json::to_string(&event).unwrap_or_default() + "\n";
        let cannot = |error| Failure::job(format!("cannot write {}: {error}", self.path.display()));
        match &mut self.log {
            Log::File { file, .. } => {
                file.write_all(line.as_bytes()).and_then(|()| file.sync()).map_err(cannot)
            }
            Log::Objects => {
                let object = self.path.join(format!("{}.json", job.name));
                if !is_replaceable(&object, &[BEGINNING]).map_err(cannot)? {
                    return Err(not_a_journal(&object));
                }
                write_whole(&object, line.as_bytes()).map_err(cannot)
            }
        }
    }
}

fn not_a_journal(path: &Path) -> Failure {
    Failure::job(format!(
        "{} is not a journal of noregret: move it away, or write to another directory",
        path.display()
    ))
}

/// The last state of each job in a journal, and whether a run has it open. Lines that make no sense are passed over: files
/// say what is done, journals only how it went. Nobody knows who has a bucket open, so that a run there may always be at work.
pub fn read(path: &Path) -> (HashMap<String, JournalState>, bool) {
    if Place::is_remote(path) || path.extension().is_none() {
        return (read_objects(path), true);
    }
    // Runs that shared the directory left a folder.
    let mut states = read_objects(&path.with_file_name(SHARED));
    let Ok(mut file) = File::open(path) else { return (states, false) };
    let at_work = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    let mut bytes = Vec::new();
    if file.read_to_end(&mut bytes).is_ok() {
        states.extend(parse(&String::from_utf8_lossy(&bytes)));
    }
    (states, at_work)
}

/// The last state of each job that has an object or a file of its own.
fn read_objects(folder: &Path) -> HashMap<String, JournalState> {
    let objects = noregret_store::list(folder).unwrap_or_default();
    let texts = objects.par_iter().filter_map(|object| {
        // No line is longer than this.
        noregret_store::read_start(&folder.join(&object.name), 1 << 16).ok()
    });
    let texts: Vec<Vec<u8>> = texts.collect();
    parse(&String::from_utf8_lossy(&texts.concat()))
}

/// How many jobs a journal has something about. For tests from outside, which read what nobody has written.
#[doc(hidden)]
pub fn journal_jobs(bytes: &[u8]) -> usize {
    parse(&String::from_utf8_lossy(bytes)).len()
}

fn parse(text: &str) -> HashMap<String, JournalState> {
    let events = text.lines().filter_map(|line| serde_json::from_str::<JournalEvent>(line).ok());
    events.map(|event| (event.job, event.state)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_last_state_of_a_job_holds_and_nonsense_is_passed_over() {
        let text = "{\"job\":\"a\",\"state\":\"solving\"}\n{\"job\":\"b\",\"state\":\"solving\"}\nnonsense\n\
                    {\"job\":\"a\",\"state\":\"failed\",\"error\":\"no\"}\n{\"job\":\"b\",\"sta";
        let states = parse(text);
        assert_eq!(states["a"], JournalState::Failed { error: "no".to_owned() });
        assert_eq!((&states["b"], states.len()), (&JournalState::Solving, 2));
    }

    #[test]
    fn zeros_that_a_loss_of_power_left_are_passed_over() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("journal.jsonl");
        for before in
            ["\0\0\0\0\0\0\0\0\0\0", "{\"jo\0\0\0\0\0\0", "{\"job\":\"a\",\"state\":\"solving\"}\n\0\0\0"]
        {
            std::fs::write(&path, before).unwrap();
            drop(Journal::open(&path).unwrap_or_else(|error| panic!("{before:?}: {}", error.message())));
            let line = "{\"job\":\"b\",\"state\":\"solving\"}\n";
            std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + line).unwrap();
            assert_eq!(read(&path).0.get("b"), Some(&JournalState::Solving), "{before:?}");
        }
        std::fs::write(&path, "nonsense\0\0").unwrap();
        assert!(Journal::open(&path).is_err());
    }

    #[test]
    fn one_run_at_a_time_and_half_a_line_is_ended() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("journal.jsonl");
        std::fs::write(&path, "{\"job\":\"a\",\"sta").unwrap();
        let journal = Journal::open(&path).unwrap();
        let error = Journal::open(&path).err().unwrap();
        assert!(error.message().starts_with("another run of this shard is at work"), "{error:?}");
        assert!(read(&path).1);
        drop(journal);
        assert!(!read(&path).1);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"job\":\"a\",\"sta\n");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(\\{\"job\":\"a\"|,\"state\":|\"done\"|\"failed\"|\\}|\n|\\PC){0,12}") {
            parse(&text);
        }
    }
}
