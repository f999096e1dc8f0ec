//! A disk that loses power: every step is written down, and what may be left of them is made up from that.

use crate::disk::{Disk, DiskFile, MachineDisk};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// One step of what was done to a disk. Files have numbers: their names change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskStep {
    /// A file was made, or opened to write at its end.
    Open(PathBuf, usize),
    /// Bytes were written at a place.
    Write(usize, u64, Vec<u8>),
    /// A file was synced.
    Sync(usize),
    /// A file got another name.
    Rename(PathBuf, PathBuf),
    /// A file was taken away.
    Remove(PathBuf),
    /// A directory was made.
    Directory(PathBuf),
    /// The names in a directory were synced.
    SyncDirectory(PathBuf),
}

/// The machine's disk, of which every step is written down.
#[derive(Clone, Debug, Default)]
pub struct RecordingDisk {
    steps: Arc<Mutex<Vec<DiskStep>>>,
    files: Arc<AtomicUsize>,
}

impl RecordingDisk {
    /// What was done so far.
    pub fn steps(&self) -> Vec<DiskStep> {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add(&self, step: DiskStep) {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner).push(step);
    }

    fn file(&self, path: &Path, inner: Box<dyn DiskFile>, at: u64) -> io::Result<Box<dyn DiskFile>> {
        let number = self.files.fetch_add(1, Ordering::SeqCst);
        self.add(DiskStep::Open(std::path::absolute(path)?, number));
        Ok(Box::new(RecordingFile { disk: self.clone(), number, inner, at }))
    }
}

#[derive(Debug)]
struct RecordingFile {
    disk: RecordingDisk,
    number: usize,
    inner: Box<dyn DiskFile>,
    at: u64,
}

impl Write for RecordingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.disk.add(DiskStep::Write(self.number, self.at, bytes[..count].to_vec()));
        self.at += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Seek for RecordingFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = self.inner.seek(to)?;
        Ok(self.at)
    }
}

impl DiskFile for RecordingFile {
    fn sync(&mut self) -> io::Result<()> {
        self.inner.sync()?;
        self.disk.add(DiskStep::Sync(self.number));
        Ok(())
    }
}

impl Disk for RecordingDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        self.file(path, MachineDisk.create(path)?, 0)
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let mut inner = MachineDisk.append(path)?;
        let end = inner.seek(SeekFrom::End(0))?;
        self.file(path, inner, end)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        MachineDisk.rename(from, to)?;
        self.add(DiskStep::Rename(std::path::absolute(from)?, std::path::absolute(to)?));
        Ok(())
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        MachineDisk.rename_new(from, to)?;
        self.add(DiskStep::Rename(std::path::absolute(from)?, std::path::absolute(to)?));
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        MachineDisk.remove(path)?;
        self.add(DiskStep::Remove(std::path::absolute(path)?));
        Ok(())
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        MachineDisk.make_directory(path)?;
        self.add(DiskStep::Directory(std::path::absolute(path)?));
        Ok(())
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        MachineDisk.sync_directory(path)?;
        self.add(DiskStep::SyncDirectory(std::path::absolute(path)?));
        Ok(())
    }
}

/// The files that are there after a loss of power.
pub type DiskContents = BTreeMap<PathBuf, Vec<u8>>;

/// What became of the bytes that were not synced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unsynced {
    Lost,
    Kept,
    /// The first half of them was written, and half of the next piece.
    Torn,
    /// The file has its length, and zeros where the bytes should be.
    Zeros,
    /// Only the last piece was written.
    LastOnly,
}

/// A file as the disk has it and as the program believes it to be.
#[derive(Clone, Default)]
struct SimulatedFile {
    synced: Vec<u8>,
    pending: Vec<(u64, Vec<u8>)>,
}

impl SimulatedFile {
    fn content(&self, unsynced: Unsynced) -> Vec<u8> {
        let mut bytes = self.synced.clone();
        let put = |bytes: &mut Vec<u8>, at: u64, piece: &[u8]| {
            let end = at as usize + piece.len();
            bytes.resize(bytes.len().max(end), 0);
            bytes[at as usize..end].copy_from_slice(piece);
        };
        let half = self.pending.len() / 2;
        for (i, (at, piece)) in self.pending.iter().enumerate() {
            match unsynced {
                Unsynced::Lost => {}
                Unsynced::Kept => put(&mut bytes, *at, piece),
                Unsynced::Torn if i < half => put(&mut bytes, *at, piece),
                Unsynced::Torn if i == half => put(&mut bytes, *at, &piece[..piece.len() / 2]),
                Unsynced::Torn => {}
                Unsynced::Zeros => put(&mut bytes, *at, &vec![0; piece.len()]),
                Unsynced::LastOnly if i + 1 == self.pending.len() => put(&mut bytes, *at, piece),
                Unsynced::LastOnly => {}
            }
        }
        bytes
    }
}

/// A change of names that no sync of its directory has followed.
#[derive(Clone)]
enum NameChange {
    Set(PathBuf, usize),
    Move(PathBuf, PathBuf, usize),
    Gone(PathBuf),
}

impl NameChange {
    fn directory(&self) -> Option<&Path> {
        match self {
            Self::Set(path, _) | Self::Move(_, path, _) | Self::Gone(path) => path.parent(),
        }
    }
}

/// The state of a simulated disk.
#[derive(Default)]
struct DiskSimulation {
    files: HashMap<usize, SimulatedFile>,
    /// Names as the program sees them, and as the disk has them.
    names: BTreeMap<PathBuf, usize>,
    synced_names: BTreeMap<PathBuf, usize>,
    pending: Vec<NameChange>,
}

impl DiskSimulation {
    fn new(before: &DiskContents) -> Self {
        let mut simulation = Self::default();
        for (number, (path, bytes)) in before.iter().enumerate() {
            // Numbers from the other end than those of the steps.
            let number = usize::MAX - number;
            simulation.files.insert(number, SimulatedFile { synced: bytes.clone(), pending: Vec::new() });
            simulation.names.insert(path.clone(), number);
        }
        simulation.synced_names = simulation.names.clone();
        simulation
    }

    /// Does a step. Numbers of files that were there before take the place of those of the steps.
    fn apply(&mut self, step: &DiskStep, numbers: &mut HashMap<usize, usize>) {
        let number = |numbers: &HashMap<usize, usize>, number: &usize| *numbers.get(number).unwrap_or(number);
        match step {
            DiskStep::Open(path, file) => match self.names.get(path) {
                Some(&there) => {
                    numbers.insert(*file, there);
                }
                None => {
                    self.files.insert(*file, SimulatedFile::default());
                    self.names.insert(path.clone(), *file);
                    self.pending.push(NameChange::Set(path.clone(), *file));
                }
            },
            DiskStep::Write(file, at, bytes) => {
                self.files.entry(number(numbers, file)).or_default().pending.push((*at, bytes.clone()));
            }
            DiskStep::Sync(file) => {
                let file = self.files.entry(number(numbers, file)).or_default();
                file.synced = file.content(Unsynced::Kept);
                file.pending.clear();
            }
            DiskStep::Rename(from, to) => {
                if let Some(file) = self.names.remove(from) {
                    self.names.insert(to.clone(), file);
                    self.pending.push(NameChange::Move(from.clone(), to.clone(), file));
                }
            }
            DiskStep::Remove(path) => {
                self.names.remove(path);
                self.pending.push(NameChange::Gone(path.clone()));
            }
            // A directory that is lost loses what is in it: that is a file whose name is lost.
            DiskStep::Directory(_) => {}
            DiskStep::SyncDirectory(directory) => {
                let (synced, pending): (Vec<_>, Vec<_>) = std::mem::take(&mut self.pending)
                    .into_iter()
                    .partition(|change| change.directory() == Some(directory));
                self.pending = pending;
                for change in &synced {
                    rename_in(&mut self.synced_names, change);
                }
            }
        }
    }

    /// The files that are there if power is lost now, and these changes of names have reached the disk.
    fn crash(&self, kept: impl Fn(usize) -> bool, unsynced: Unsynced) -> DiskContents {
        let mut names = self.synced_names.clone();
        for (i, change) in self.pending.iter().enumerate() {
            if kept(i) {
                rename_in(&mut names, change);
            }
        }
        let content =
            |number: &usize| self.files.get(number).map(|file| file.content(unsynced)).unwrap_or_default();
        names.iter().map(|(path, number)| (path.clone(), content(number))).collect()
    }
}

fn rename_in(names: &mut BTreeMap<PathBuf, usize>, change: &NameChange) {
    match change {
        NameChange::Set(path, file) => {
            names.insert(path.clone(), *file);
        }
        NameChange::Move(from, to, file) => {
            names.remove(from);
            names.insert(to.clone(), *file);
        }
        NameChange::Gone(path) => {
            names.remove(path);
        }
    }
}

/// Calls `check` with what may be on disk if power is lost after each number of steps: what was not synced is lost, kept,
/// torn or zero, and changes of names reach the disk in any order. Returns how many states there were.
pub fn crash_states(
    before: &DiskContents,
    steps: &[DiskStep],
    mut check: impl FnMut(usize, &DiskContents),
) -> usize {
    let mut simulation = DiskSimulation::new(before);
    let mut numbers = HashMap::new();
    let mut count = 0;
    for done in 0..=steps.len() {
        if let Some(step) = done.checked_sub(1).and_then(|last| steps.get(last)) {
            simulation.apply(step, &mut numbers);
        }
        let mut seen = HashSet::new();
        let pending = simulation.pending.len();
        for unsynced in [Unsynced::Lost, Unsynced::Kept, Unsynced::Torn, Unsynced::Zeros, Unsynced::LastOnly]
        {
            // None of the changes, all of them, all but one, only one, only the first ones.
            let mut choices: Vec<Vec<bool>> = vec![vec![false; pending], vec![true; pending]];
            for one in 0..pending {
                choices.push((0..pending).map(|i| i == one).collect());
                choices.push((0..pending).map(|i| i != one).collect());
                choices.push((0..pending).map(|i| i < one).collect());
            }
            for choice in choices {
                let files = simulation.crash(|i| choice[i], unsynced);
                if seen.insert(files.clone()) {
                    check(done, &files);
                    count += 1;
                }
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> PathBuf {
        Path::new("/d").join(name)
    }

    #[test]
    fn a_rename_without_a_sync_before_it_can_leave_an_empty_file() {
        let before = DiskContents::from([(path("a"), b"old".to_vec())]);
        let steps = [
            DiskStep::Open(path("p"), 0),
            DiskStep::Write(0, 0, b"new".to_vec()),
            DiskStep::Rename(path("p"), path("a")),
            DiskStep::SyncDirectory(path("")),
        ];
        let mut found = HashSet::new();
        crash_states(&before, &steps, |_, files| {
            found.insert(files.get(&path("a")).cloned());
        });
        let expected: [&[u8]; 5] = [b"old", b"new", b"", b"n", b"\0\0\0"];
        assert_eq!(found, expected.map(|bytes| Some(bytes.to_vec())).into());
    }

    #[test]
    fn synced_and_renamed_it_is_old_or_new_and_new_once_the_directory_is_synced() {
        let before = DiskContents::from([(path("a"), b"old".to_vec())]);
        let steps = [
            DiskStep::Open(path("p"), 0),
            DiskStep::Write(0, 0, b"new".to_vec()),
            DiskStep::Sync(0),
            DiskStep::Rename(path("p"), path("a")),
            DiskStep::SyncDirectory(path("")),
        ];
        let mut found = HashSet::new();
        crash_states(&before, &steps, |done, files| {
            found.insert((done == steps.len(), files[&path("a")].clone()));
        });
        let expected = [(false, b"old".to_vec()), (false, b"new".to_vec()), (true, b"new".to_vec())];
        assert_eq!(found, expected.into());
    }
}
