//! Jobs worked through, one after the other.

use super::files::BatchFiles;
use super::journal::{Journal, JournalState};
use super::reporter::BatchReporter;
use super::solve_job::{JobEnd, Workshop};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use noregret_holdem::{BatchJob, MemoryLimit, SavedStreets};
use std::time::Duration;

/// How jobs are done, and where their files go.
pub struct BatchWork<'a> {
    pub files: &'a BatchFiles,
    /// Which streets the files keep.
    pub keep: SavedStreets,
    /// How often a job at work writes a checkpoint; none for never.
    pub checkpoint_every: Option<Duration>,
    pub limit: MemoryLimit,
    pub threads: usize,
    /// Whether each job is a line of JSON on standard output.
    pub json: bool,
}

/// What has become of the jobs.
pub struct Tally {
    pub failed: u64,
    /// Those that did not reach their target.
    pub missed: u64,
    pub is_interrupted: bool,
    /// An error if standard output could not take its lines.
    pub told: Result<(), Failure>,
}

impl BatchWork<'_> {
    /// Does the jobs of this run, which are some of all: what is there and whole is skipped.
    pub fn run(&self, all: &[BatchJob], mine: &[&BatchJob]) -> Result<Tally, Failure> {
        self.files.make_directory()?;
        let mut journal = Journal::open(&self.files.journal())?;
        self.files.prepare(all, &journal)?;
        let interrupt = Interrupt::listen()?;
        let threads = self.threads;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Failure::job(format!("cannot start {threads} threads: {error}")))?;
        let mut reporter = BatchReporter::new(self.json, mine.len() as u64);
        let workshop = Workshop {
            keep: self.keep,
            checkpoint_every: self.checkpoint_every,
            files: self.files,
            limit: self.limit,
            threads,
            interrupt: &interrupt,
            buffers: Default::default(),
        };
        let (mut failed, mut missed) = (0, 0);
        for job in mine.iter().copied() {
            if interrupt.requested() {
                break;
            }
            let ended = match workshop.find(job) {
                Ok(Some(found)) => {
                    workshop.remove_old_checkpoint(job);
                    JobEnd::Found(found)
                }
                Ok(None) => {
                    journal.write(job, &JournalState::Solving)?;
                    pool.install(|| workshop.solve(job, |now| reporter.progress(job, now)))
                }
                Err(failure) => JobEnd::Failed(failure.message().to_owned()),
            };
            if let JobEnd::Done(solved) | JobEnd::Found(solved) = &ended {
                missed += u64::from(!solved.target_reached);
            }
            match &ended {
                JobEnd::Done(solved) => journal.write(job, &JournalState::Done(solved.clone()))?,
                JobEnd::Failed(error) => {
                    failed += 1;
                    journal.write(job, &JournalState::Failed { error: error.clone() })?;
                }
                JobEnd::Found(_) | JobEnd::Stopped => {}
            }
            reporter.ended(job, &ended, self.files);
            if let JobEnd::Stopped = ended {
                break;
            }
        }
        Ok(Tally { failed, missed, is_interrupted: interrupt.requested(), told: reporter.finish() })
    }
}
