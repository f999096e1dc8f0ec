//! The files of a batch: solutions, checkpoints, the list of jobs, the journal.

use super::journal::{Journal, SHARED};
use crate::failure::Failure;
use noregret_holdem::BatchJob;
use noregret_report::{BATCH_LIST, LIST_HEADING, Listed, list_text};
use noregret_store::{
    Place, Shard, check_writable, is_replaceable, make_directories, read, remove_left_overs, write_whole,
};
use std::path::{Path, PathBuf};

/// Where the files of a batch are.
pub struct BatchFiles {
    pub directory: PathBuf,
    pub shard: Shard,
    /// Whether several runs write to it at once, each some jobs.
    pub is_shared: bool,
}

impl BatchFiles {
    /// The solution of a job.
    pub fn solution(&self, job: &BatchJob) -> PathBuf {
        self.directory.join(format!("{}.nrs", job.name))
    }

    /// Where a solve of a job that was cut short goes on.
    pub fn checkpoint(&self, job: &BatchJob) -> PathBuf {
        self.directory.join(format!("{}.nrc", job.name))
    }

    /// What this shard has done: a file to add to. In a bucket, where nothing can be added to, and where several
    /// runs share a directory, a folder with a file for each job.
    pub fn journal(&self) -> PathBuf {
        match self.is_shared || Place::is_remote(&self.directory) {
            true => self.directory.join(SHARED),
            false => self.directory.join(self.shard.named("journal", "jsonl")),
        }
    }

    /// Makes the directory, if files can be written there.
    pub fn make_directory(&self) -> Result<(), Failure> {
        let directory = &self.directory;
        make_directories(directory).map_err(|error| cannot("create", directory, &error))?;
        if self.is_shared {
            make_directories(&self.journal()).map_err(|error| cannot("create", directory, &error))?;
        }
        check_writable(&directory.join("probe")).map_err(|error| cannot("write to", directory, &error))
    }

    /// Lists the jobs for reports, and clears what a killed run of this shard left behind. A run that is still at work would
    /// lose the file that it is writing: only who has the journal open may do this.
    pub fn prepare(&self, jobs: &[BatchJob], _: &Journal) -> Result<(), Failure> {
        let directory = &self.directory;
        let mine: Vec<String> = (0..)
            .zip(jobs)
            .filter(|(number, _)| self.shard.has(*number))
            .flat_map(|(_, job)| [format!("{}.nrs", job.name), format!("{}.nrc", job.name)])
            .collect();
        let is_ours =
            |name: &str| ["probe", BATCH_LIST].contains(&name) || mine.iter().any(|own| own == name);
        if !self.is_shared {
            remove_left_overs(directory, is_ours).map_err(|error| cannot("clear", directory, &error))?;
        }
        let listed = |job: &BatchJob| Listed {
            file: format!("{}.nrs", job.name),
            weight: job.weight,
            variant: job.variant.clone(),
        };
        let list = directory.join(BATCH_LIST);
        let text = list_text(&jobs.iter().map(listed).collect::<Vec<_>>());
        if !is_replaceable(&list, &[LIST_HEADING.as_bytes()])
            .map_err(|error| cannot("read", &list, &error))?
        {
            return Err(Failure::job(format!(
                "{} is not a list of a batch: move it away, or write to another directory",
                list.display()
            )));
        }
        // Every shard would write the same.
        if read(&list).is_ok_and(|there| there == text.as_bytes()) {
            return Ok(());
        }
        write_whole(&list, text.as_bytes()).map_err(|error| cannot("write", &list, &error))
    }
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::job(format!("cannot {what} {}: {error}", path.display()))
}
