//! `noregret forty-two verify`: whether a directory of tables is whole.

use crate::digits::grouped;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::output;
use noregret_dominoes::{FileName, Manifest, ManifestEntry, Split, TableJob};
use rayon::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Check every file of a run against its checksums and the manifests: nothing missing, nothing changed.
#[derive(clap::Args)]
#[command(after_long_help = "\
Example:
  noregret forty-two verify tables")]
pub struct Args {
    /// The directory of the run; its folders train, val and test belong to it
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Print JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let splits = Split::ALL.map(|split| args.directory.join(split.name()));
    let folders =
        std::iter::once(args.directory.clone()).chain(splits.into_iter().filter(|path| path.is_dir()));
    let (mut listed, mut unlisted, mut manifests) = (Vec::new(), Vec::new(), 0);
    for folder in folders {
        let listing = list(&folder)?;
        let is_listed = |file: &FileName| listing.manifest.entry(*file).is_some();
        unlisted
            .extend(listing.found.iter().filter(|file| !is_listed(file)).map(|&file| (folder.clone(), file)));
        listed.extend(listing.manifest.entries().iter().map(|&entry| (folder.clone(), entry)));
        manifests += listing.manifests;
    }
    let mut bad: Vec<(FileName, String)> = listed
        .par_iter()
        .filter_map(|(folder, entry)| check_listed(folder, entry).map(|problem| (entry.file, problem)))
        .collect();
    bad.par_extend(unlisted.par_iter().filter_map(|(folder, file)| {
        let problem = if file.is_rows {
            let path = folder.join(file.to_string());
            format!("{}: no manifest lists it, so it cannot be checked: make it again", path.display())
        } else {
            file.check(folder).err()?.to_string()
        };
        Some((*file, problem))
    }));
    let checked = listed.len() + unlisted.len();
    if args.json {
        let bad: Vec<_> =
            bad.iter().map(|(file, problem)| json!({"file": file.to_string(), "problem": problem})).collect();
        output::print(
            json!({"manifests": manifests, "checked": checked, "unlisted": unlisted.len(), "bad": bad}),
        )?;
    } else {
        let unlisted = grouped(unlisted.len() as u64);
        output::print(format!(
            "{} files checked against {manifests} manifests; {unlisted} are in none",
            grouped(checked as u64)
        ))?;
    }
    match bad.first() {
        None if checked == 0 => {
            Err(Failure::job(format!("{}: no tables and no manifest here", args.directory.display())))
        }
        None => Ok(ExitCode::SUCCESS),
        Some(_) => {
            let problems: Vec<&str> = bad.iter().map(|(_, problem)| problem.as_str()).collect();
            Err(Failure::job(format!(
                "{} of {checked} files are bad:\n  {}",
                bad.len(),
                problems.join("\n  ")
            )))
        }
    }
}

/// What is wrong with a file that a manifest lists, if anything is.
fn check_listed(directory: &Path, entry: &ManifestEntry) -> Option<String> {
    match entry.file.check(directory) {
        Ok(found) if found == (entry.bytes, entry.digest) => None,
        Ok(_) => Some(format!(
            "{}: not the file that the manifest lists",
            directory.join(entry.file.to_string()).display()
        )),
        Err(error) => Some(error.to_string()),
    }
}

/// What the manifests of a directory list, and what is there.
pub struct Listing {
    /// All manifests together.
    pub manifest: Manifest,
    /// The tables and row files.
    pub found: BTreeSet<FileName>,
    /// How many manifests there are.
    pub manifests: usize,
}

/// Looks through a directory.
pub fn list(directory: &Path) -> Result<Listing, Failure> {
    let cannot = |error| Failure::job(format!("cannot read {}: {error}", directory.display()));
    let mut listing = Listing { manifest: Manifest::default(), found: BTreeSet::new(), manifests: 0 };
    for entry in std::fs::read_dir(directory).map_err(cannot)? {
        let name = entry.map_err(cannot)?.file_name();
        let Some(name) = name.to_str() else { continue };
        if Manifest::is_name(name) {
            let manifest = Manifest::load(&directory.join(name)).map_err(Failure::job)?;
            listing.manifest.extend(manifest.entries().iter().copied());
            listing.manifests += 1;
        } else {
            listing.found.extend(TableJob::from_file_name(name));
        }
    }
    Ok(listing)
}
