//! What a directory has in it.

use std::time::SystemTime;

/// A file or a directory in a directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedFile {
    /// Its name, without the directory that was listed.
    pub name: String,
    /// Whether it is a directory: in a bucket, whether there are objects whose names go on after a slash.
    pub is_directory: bool,
    /// How long it is; 0 for a directory.
    pub bytes: u64,
    /// When it was last written; the beginning of time for what does not say.
    pub modified: SystemTime,
    /// What a store calls this content: it has another name for any other. None for what is on a disk.
    pub version: Option<String>,
}
