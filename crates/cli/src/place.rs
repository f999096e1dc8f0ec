//! Files that a command is to read or write: whether they may be, before anything else is done.

use crate::failure::Failure;
use clap::builder::{OsStringValueParser, TypedValueParser};
use noregret_store::{OutputKind, Place, PlaceError, check_writable, is_same_file, remove_parts};
use std::path::{Path, PathBuf};

/// Reads an argument that is a path, or a URL in its stead.
pub fn argument() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|text| {
        let path = PathBuf::from(text);
        Ok::<PathBuf, PlaceError>(match Place::of(&path)? {
            Place::Local(local) => local,
            Place::Object(_) => path,
        })
    })
}

/// A file to write.
pub struct OutputFile<'a> {
    /// The option that names it, as the user writes it.
    pub option: &'a str,
    pub path: &'a Path,
    pub kind: OutputKind,
}

/// Refuses files that would destroy something: one that is not of the kind to be written, whatever its name, or one that is
/// being read. Also those whose name says that they are something else. `force` allows all of it. What killed runs have left
/// beside them is cleared.
pub fn check(outputs: &[OutputFile<'_>], inputs: &[&Path], force: bool) -> Result<(), Failure> {
    for (i, output) in outputs.iter().enumerate() {
        if let Some(other) = outputs[..i].iter().find(|other| is_same_file(other.path, output.path)) {
            return Err(Failure::request(format!(
                "{} and {} are the same file",
                other.option, output.option
            )));
        }
        if force {
            continue;
        }
        let OutputFile { option, path, kind } = output;
        kind.check(path, inputs).map_err(|error| {
            Failure::request(format!("{option} {}: {error}: {}, or --force", path.display(), error.advice()))
        })?;
    }
    // Where it cannot be, whoever tries to write says why.
    outputs.iter().for_each(|output| drop(remove_parts(output.path)));
    Ok(())
}

/// Makes sure, before anything else is done, that a file could be put there.
pub fn try_to_write(path: &Path) -> Result<(), Failure> {
    check_writable(path).map_err(|error| cannot_write(path, &error))
}

pub fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::job(format!("cannot write {}: {error}", path.display()))
}
