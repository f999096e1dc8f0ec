//! The folders that a run writes to, each with a manifest.

use crate::failure::Failure;
use crate::forty_two::planned_run::PlannedRun;
use crate::forty_two::seeds::TablePlan;
use crate::forty_two::verify::list;
use noregret_dominoes::{Manifest, ManifestEntry, Split, TableJob};
use noregret_store::{check_writable, make_directories, remove_left_overs};
use std::path::{Path, PathBuf};

/// One folder, or one for each part of a data set that the run has tables of.
pub struct Folders {
    folders: Vec<TableFolder>,
}

/// A folder, and what all its manifests said before the run.
pub struct TableFolder {
    split: Option<Split>,
    pub path: PathBuf,
    pub listed: Manifest,
}

/// The manifests that a run writes, one in each of its folders.
pub struct Manifests {
    folders: Vec<(Option<Split>, PathBuf, Manifest)>,
}

/// A file that is begun and dropped, to see whether a folder can be written.
const PROBE: &str = "probe";

impl Folders {
    /// Makes the folders, sees that they can be written, and clears what a killed run left behind.
    pub fn open(out: &Path, plan: &TablePlan, is_split: bool) -> Result<Self, Failure> {
        let splits: Vec<Option<Split>> = if is_split {
            Split::ALL.into_iter().filter(|&split| plan.has_split(split)).map(Some).collect()
        } else {
            vec![None]
        };
        let open = |split: Option<Split>| {
            let path = split.map_or(out.to_owned(), |split| out.join(split.name()));
            TableFolder::open(path, split, plan)
        };
        Ok(Self { folders: splits.into_iter().map(open).collect::<Result<_, _>>()? })
    }

    /// Where the file of a job belongs.
    pub fn of(&self, job: &TableJob) -> &TableFolder {
        let place = self.folders.iter().position(|folder| folder.split == Some(job.split()));
        &self.folders[place.unwrap_or(0)]
    }

    /// The manifests of a run, which from now on say what it is to make: one that is killed is known to be incomplete.
    pub fn manifests(&self, plan: &TablePlan, is_rows: bool) -> Result<Manifests, Failure> {
        let load = |folder: &TableFolder| {
            let path = folder.path.join(Manifest::name(&plan.shard));
            let mut manifest = Manifest::load(&path).map_err(Failure::job)?;
            let run = PlannedRun { plan: plan.clone(), split: folder.split, is_rows };
            manifest.add_run(&run.to_string());
            Ok((folder.split, path, manifest))
        };
        let mut manifests =
            Manifests { folders: self.folders.iter().map(load).collect::<Result<_, Failure>>()? };
        manifests.save(&mut Vec::new())?;
        Ok(manifests)
    }
}

impl TableFolder {
    fn open(path: PathBuf, split: Option<Split>, plan: &TablePlan) -> Result<Self, Failure> {
        prepare(&path, plan)?;
        let listed = list(&path)?.manifest;
        Ok(Self { split, path, listed })
    }
}

impl Manifests {
    /// Of a run that leaves them to another.
    pub fn none() -> Self {
        Self { folders: Vec::new() }
    }

    /// Adds files that were made, and saves.
    pub fn save(&mut self, new: &mut Vec<ManifestEntry>) -> Result<(), Failure> {
        for (split, path, manifest) in &mut self.folders {
            let is_here = |entry: &ManifestEntry| split.is_none_or(|split| entry.file.job.split() == split);
            manifest.extend(new.iter().copied().filter(is_here));
            manifest
                .save(path)
                .map_err(|error| Failure::job(format!("cannot write {}: {error}", path.display())))?;
        }
        new.clear();
        Ok(())
    }
}

/// Makes a folder, sees that it can be written, and clears what a killed run left behind.
fn prepare(directory: &Path, plan: &TablePlan) -> Result<(), Failure> {
    let manifest = Manifest::name(&plan.shard);
    let is_ours = |name: &str| {
        name == manifest || TableJob::from_file_name(name).is_some_and(|file| plan.covers(&file.job))
    };
    prepare_folder(directory, is_ours)
}

/// The same for any files that a run writes.
pub fn prepare_folder(directory: &Path, is_ours: impl Fn(&str) -> bool) -> Result<(), Failure> {
    let cannot = |what: &str, error: std::io::Error| {
        Failure::job(format!("cannot {what} {}: {error}", directory.display()))
    };
    make_directories(directory).map_err(|error| cannot("create", error))?;
    check_writable(&directory.join(PROBE)).map_err(|error| cannot("write to", error))?;
    remove_left_overs(directory, |name| name == PROBE || is_ours(name))
        .map_err(|error| cannot("clear", error))
}
