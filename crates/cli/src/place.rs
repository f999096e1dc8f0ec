//! Files that a command is to write: whether they may be, before anything else is done.

use crate::failure::Failure;
use noregret_holdem::{CHECKPOINT_KIND, SOLUTION_KIND};
use noregret_report::TableFormat;
use noregret_store::{PartFile, follow_links, is_replaceable, remove_parts};
use std::path::{Path, PathBuf};

/// What is to be written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Solution,
    Checkpoint,
    Rows(TableFormat),
    Page,
    Drawing,
}

impl FileKind {
    /// What a person calls such a file.
    fn name(self) -> &'static str {
        match self {
            Self::Solution => "a solution",
            Self::Checkpoint => "a checkpoint",
            Self::Rows(TableFormat::Parquet) => "a Parquet file",
            Self::Rows(TableFormat::Csv) => "a CSV file of noregret",
            Self::Rows(TableFormat::Json) => "a JSON file of noregret",
            Self::Page => "an HTML report of noregret",
            Self::Drawing => "an SVG drawing",
        }
    }

    /// The endings that its name may have, the usual one first.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Solution => &["nrs"],
            Self::Checkpoint => &["nrc"],
            Self::Rows(TableFormat::Parquet) => &["parquet"],
            Self::Rows(TableFormat::Csv) => &["csv"],
            Self::Rows(TableFormat::Json) => &["json", "jsonl", "ndjson"],
            Self::Page => &["html", "htm"],
            Self::Drawing => &["svg"],
        }
    }

    /// What such a file begins with.
    fn beginnings(self) -> &'static [&'static [u8]] {
        match self {
            Self::Solution => &[&SOLUTION_KIND.magic],
            Self::Checkpoint => &[&CHECKPOINT_KIND.magic],
            Self::Rows(TableFormat::Parquet) => &[b"PAR1"],
            // The first column of an export, and that of a report.
            Self::Rows(TableFormat::Csv) => &[b"line,board,", b"file,variant,"],
            Self::Rows(TableFormat::Json) => &[b"{\"line\":", b"{\"file\":"],
            Self::Page => &[b"<!doctype html>\n<html lang=\"en\">"],
            Self::Drawing => &[b"<svg "],
        }
    }
}

/// A file to write.
pub struct OutputFile<'a> {
    /// The option that names it, as the user writes it.
    pub option: &'a str,
    pub path: &'a Path,
    pub kind: FileKind,
}

/// Refuses files that would destroy something: one that is not of the kind to be written, whatever its name, or one that is
/// being read. Also those whose name says that they are something else. `force` allows all of it. What killed runs have left
/// beside them is cleared.
pub fn check(outputs: &[OutputFile<'_>], inputs: &[&Path], force: bool) -> Result<(), Failure> {
    for (i, output) in outputs.iter().enumerate() {
        if let Some(other) = outputs[..i].iter().find(|other| is_same(other.path, output.path)) {
            return Err(Failure::request(format!(
                "{} and {} are the same file",
                other.option, output.option
            )));
        }
        if force {
            continue;
        }
        let OutputFile { option, path, kind } = output;
        let refused = |why: String| Err(Failure::request(format!("{option} {}: {why}", path.display())));
        if let Some(input) = inputs.iter().find(|input| is_same(input, path)) {
            return refused(format!(
                "this is {} that is being read, and it would be lost: choose another name, or --force",
                if *input == *path { "the file".to_owned() } else { format!("the file {}", input.display()) }
            ));
        }
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        if !kind.endings().iter().any(|known| ending.as_deref() == Some(known)) {
            return refused(format!(
                "{} ends in `.{}`: give it that ending, or --force",
                kind.name(),
                kind.endings()[0]
            ));
        }
        // What cannot be looked at is found by whoever tries to write.
        if let Ok(false) = is_replaceable(path, kind.beginnings()) {
            return refused(format!(
                "there is a file that is not {}, and it would be lost: choose another name, or --force",
                kind.name()
            ));
        }
    }
    // Where it cannot be, whoever tries to write says why.
    outputs.iter().for_each(|output| drop(remove_parts(output.path)));
    Ok(())
}

/// Makes sure, before anything else is done, that a file could be put there.
pub fn try_to_write(path: &Path) -> Result<(), Failure> {
    let tried = || {
        drop(PartFile::create(path)?);
        // Nothing stays of the trial, even if it could not be removed at once.
        remove_parts(path)
    };
    tried().map_err(|error| cannot_write(path, &error))
}

pub fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::job(format!("cannot write {}: {error}", path.display()))
}

/// Whether two paths lead to the same file, whatever links and dots are on the way; also if there is none yet.
pub fn is_same(a: &Path, b: &Path) -> bool {
    a == b || resolved(a).zip(resolved(b)).is_some_and(|(a, b)| a == b)
}

/// A path without links and dots; the file itself may be missing.
fn resolved(path: &Path) -> Option<PathBuf> {
    if let Ok(there) = path.canonicalize() {
        return Some(there);
    }
    let path = follow_links(path).ok()?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(parent.canonicalize().ok()?.join(path.file_name()?))
}
