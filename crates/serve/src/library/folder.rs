//! A folder of this machine with solutions.

use super::id::{MAX_DEPTH, check_part};
use super::shelf::{Shelf, Stamp};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The longest text that is read, which no batch's list reaches.
const MAX_TEXT: u64 = 16 << 20;

/// A folder of this machine. Links that lead out of it are not followed.
pub struct FolderShelf {
    root: PathBuf,
}

/// What is known of a file.
pub fn stamp(metadata: &fs::Metadata) -> Stamp {
    let modified = metadata.modified().unwrap_or(std::time::SystemTime::UNIX_EPOCH);
    Stamp { modified, bytes: metadata.len(), version: 0 }
}

impl FolderShelf {
    /// Opens a folder, which is made if it is not there.
    pub fn open(path: &Path) -> io::Result<Self> {
        noregret_store::make_directories(path)?;
        Ok(Self { root: fs::canonicalize(path)? })
    }

    /// Whether a path, its links followed, is inside the folder.
    fn holds(&self, path: &Path) -> bool {
        fs::canonicalize(path).is_ok_and(|path| path.starts_with(&self.root))
    }
}

impl Shelf for FolderShelf {
    fn place(&self) -> &Path {
        &self.root
    }

    fn stamp(&self, name: &str) -> io::Result<Option<Stamp>> {
        let path = self.root.join(name);
        let metadata = fs::metadata(&path).ok().filter(fs::Metadata::is_file);
        Ok(metadata.filter(|_| self.holds(&path)).map(|metadata| stamp(&metadata)))
    }

    fn listed(&self, name: &str) -> io::Result<Option<Stamp>> {
        self.stamp(name)
    }

    fn visit(&self, visit: &mut dyn FnMut(&str, Stamp)) -> io::Result<()> {
        let mut folders = vec![(String::new(), 1)];
        while let Some((prefix, depth)) = folders.pop() {
            let Ok(entries) = fs::read_dir(self.root.join(&prefix)) else { continue };
            for entry in entries.flatten() {
                let name = entry.file_name();
                // Links are not followed.
                let (Some(name), Ok(metadata)) = (name.to_str(), entry.metadata()) else { continue };
                if check_part(name).is_err() {
                    continue;
                }
                if metadata.is_dir() && depth < MAX_DEPTH {
                    folders.push((format!("{prefix}{name}/"), depth + 1));
                } else if metadata.is_file() {
                    visit(&format!("{prefix}{name}"), stamp(&metadata));
                }
            }
        }
        Ok(())
    }

    fn text(&self, name: &str) -> io::Result<Option<String>> {
        let path = self.root.join(name);
        let is_text = fs::symlink_metadata(&path).is_ok_and(|file| file.is_file() && file.len() <= MAX_TEXT);
        Ok(is_text.then(|| fs::read_to_string(&path).ok()).flatten())
    }

    fn has_folder(&self, folder: &str) -> io::Result<bool> {
        let path = self.root.join(folder);
        Ok(path.is_dir() && self.holds(&path))
    }

    fn make_folder(&self, folder: &str) -> io::Result<Vec<PathBuf>> {
        let folder = self.root.join(folder);
        let there = folder.ancestors().find(|path| path.exists());
        if !there.is_some_and(|path| self.holds(path)) {
            return Err(io::Error::other("a link on the way leads out of the library"));
        }
        let missing = folder.ancestors().take_while(|path| !path.exists()).map(Path::to_owned).collect();
        noregret_store::make_directories(&folder)?;
        Ok(missing)
    }

    fn is_free(&self, name: &str) -> io::Result<bool> {
        Ok(fs::symlink_metadata(self.root.join(name)).is_err())
    }

    fn changed(&self, _: &str) {}
}
