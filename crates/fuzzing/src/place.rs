//! A directory for the files of targets.

use std::path::PathBuf;
use std::sync::OnceLock;
use tempfile::TempDir;

/// A file of this name in a directory that is there until the process ends; each thread has its own.
pub fn file(name: &str) -> PathBuf {
    static HOME: OnceLock<TempDir> = OnceLock::new();
    // Memory where the system has a directory of it: nothing of this has to outlive the process.
    let home = HOME.get_or_init(|| {
        let made = if cfg!(target_os = "linux") { TempDir::new_in("/dev/shm") } else { TempDir::new() };
        made.or_else(|_| TempDir::new()).unwrap_or_else(|error| panic!("no directory for files: {error}"))
    });
    let thread = format!("{:?}", std::thread::current().id()).replace(|c: char| !c.is_ascii_digit(), "");
    home.path().join(format!("{thread}-{name}"))
}
