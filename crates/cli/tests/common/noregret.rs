//! Any command of the binary, in a directory.

use super::Run;
use std::path::Path;
use std::process::{Command, Stdio};

/// A command in a directory.
pub fn command(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noregret"));
    command.args(args).current_dir(directory);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// How it ends.
pub fn noregret(directory: &Path, args: &[&str]) -> Run {
    command(directory, args).output().unwrap().into()
}

/// A directory with `spot.nrs`, a solved spec.
pub fn solved(spec: &str, args: &[&str]) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("spot.toml"), spec).unwrap();
    noregret(home.path(), &[&["solve", "spot.toml", "--out", "spot.nrs"], args].concat()).ok();
    home
}
