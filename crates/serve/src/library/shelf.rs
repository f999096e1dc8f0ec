//! Where the solutions of a library stand: a folder of this machine, or a bucket.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Where the solutions of a library stand. Names are paths inside it, with slashes.
pub trait Shelf: Send + Sync {
    /// The folder, or the URL.
    fn place(&self) -> &Path;

    /// The file of a name, if there is one.
    fn stamp(&self, name: &str) -> io::Result<Option<Stamp>>;

    /// The same, as a list of all files that is not old has it: for who asks about many.
    fn listed(&self, name: &str) -> io::Result<Option<Stamp>>;

    /// Calls `visit` with each file that a library may have.
    fn visit(&self, visit: &mut dyn FnMut(&str, Stamp)) -> io::Result<()>;

    /// The text of a small file; none if there is none, or if it is no text.
    fn text(&self, name: &str) -> io::Result<Option<String>>;

    /// Whether there is a folder of this name.
    fn has_folder(&self, folder: &str) -> io::Result<bool>;

    /// Makes a folder; gives those that were not there, the innermost first.
    fn make_folder(&self, folder: &str) -> io::Result<Vec<PathBuf>>;

    /// Whether nothing at all has this name.
    fn is_free(&self, name: &str) -> io::Result<bool>;

    /// Takes notice of what this server has written, moved or removed.
    fn changed(&self, name: &str);
}

/// When a file was written and how large it is: whether it is still the one that was read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct Stamp {
    pub modified: SystemTime,
    pub bytes: u64,
    /// A number of what a store calls this content; 0 on a disk.
    pub version: u64,
}
