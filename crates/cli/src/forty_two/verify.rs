//! `noregret forty-two verify`: whether a directory of tables is whole.

use super::planned_run::PlannedRun;
use crate::digits::grouped;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::output::WorkLines;
use crate::place;
use noregret_dominoes::{FileName, Manifest, ManifestEntry, Split, TableJob};
use rayon::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Check every file of a run against its checksums and the manifests: nothing missing, nothing changed.
///
/// A manifest says what the run was to make, so that the files that a killed run has not made are found too.
#[derive(clap::Args)]
#[command(after_long_help = "\
Example:
  noregret forty-two verify tables")]
pub struct Args {
    /// The directory of the run; its folders train, val and test belong to it
    #[arg(value_name = "DIR", value_parser = place::argument())]
    directory: PathBuf,

    /// Print JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

/// How many problems are told one by one.
const TOLD: usize = 100;

/// What is wrong with a file.
struct Problem {
    file: String,
    text: String,
}

/// What was found in all folders.
#[derive(Default)]
struct Findings {
    manifests: usize,
    /// How many files there are or should be.
    checked: u64,
    unlisted: usize,
    /// How many files runs were to make that are not there.
    missing: u64,
    bad: Vec<Problem>,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let splits = Split::ALL.map(|split| args.directory.join(split.name()));
    let folders = std::iter::once(args.directory.clone())
        .chain(splits.into_iter().filter(|path| noregret_store::is_directory(path).unwrap_or(false)));
    let mut findings = Findings::default();
    for folder in folders {
        findings.look_through(&folder)?;
    }
    let Findings { manifests, checked, unlisted, missing, bad } = &findings;
    let mut lines = WorkLines::default();
    if args.json {
        let bad: Vec<_> =
            bad.iter().map(|problem| json!({"file": problem.file, "problem": problem.text})).collect();
        lines.print(json!({
            "manifests": manifests, "checked": checked, "unlisted": unlisted, "missing": missing, "bad": bad,
        }));
    } else {
        let [checked, unlisted] = [*checked, *unlisted as u64].map(grouped);
        lines.print(format!("{checked} files checked against {manifests} manifests; {unlisted} are in none"));
    }
    // What is wrong is told by the exit code, also where nobody reads to the end.
    let told = lines.finish();
    let directory = args.directory.display();
    let mut problems: Vec<String> = bad.iter().take(TOLD).map(|problem| problem.text.clone()).collect();
    if bad.len() > TOLD {
        problems.push(format!("and {} more", grouped((bad.len() - TOLD) as u64)));
    }
    match (bad.len() as u64, *missing) {
        _ if *manifests == 0 && *checked == 0 => {
            Err(Failure::job(format!("{directory}: no tables and no manifest here")))
        }
        _ if *manifests == 0 => Err(Failure::job(format!(
            "{directory}: there is no manifest, so nobody knows what should be here: run `forty-two solve` with the same \
             seeds again, which makes it anew"
        ))),
        (0, 0) => told.map(|()| ExitCode::SUCCESS),
        (0, missing) => Err(Failure::job(format!(
            "{} files of the run are missing: run it again, and they are made",
            grouped(missing)
        ))),
        (bad, missing) => {
            let and_missing = match missing {
                0 => String::new(),
                missing => format!(", and {} files of the run are missing", grouped(missing)),
            };
            let (bad, checked) = (grouped(bad), grouped(*checked));
            Err(Failure::job(format!(
                "{bad} of {checked} files are bad{and_missing}:\n  {}",
                problems.join("\n  ")
            )))
        }
    }
}

impl Findings {
    /// Checks the files of a folder against its manifests, and whether all are there that runs were to make.
    fn look_through(&mut self, folder: &Path) -> Result<(), Failure> {
        let listing = list(folder)?;
        let Listing { manifest, found, manifests, differing, unchecked, .. } = &listing;
        let runs = manifest.runs().iter().map(|run| run.parse()).collect::<Result<Vec<PlannedRun>, _>>();
        let runs = runs.map_err(|error| Failure::job(format!("{}: {error}", folder.display())))?;
        let unlisted: Vec<&FileName> = found.iter().filter(|file| manifest.entry(**file).is_none()).collect();
        self.manifests += manifests;
        self.unlisted += unlisted.len();
        self.checked += (manifest.entries().len() + unlisted.len()) as u64;
        for name in unchecked {
            let text = format!(
                "{}: an earlier program wrote it, without a count and a checksum: run `forty-two solve` with the same seeds \
                 again, which writes it anew",
                folder.join(name).display()
            );
            self.bad.push(Problem { file: name.clone(), text });
        }
        for file in differing {
            let text =
                format!("{}: two manifests list it differently", folder.join(file.to_string()).display());
            self.bad.push(Problem { file: file.to_string(), text });
        }
        self.bad.par_extend(manifest.entries().par_iter().filter_map(|entry| {
            let text = check_listed(folder, entry)?;
            Some(Problem { file: entry.file.to_string(), text })
        }));
        self.bad.par_extend(unlisted.par_iter().filter_map(|file| {
            let text = check_unlisted(folder, file, &runs)?;
            Some(Problem { file: file.to_string(), text })
        }));
        // Files that are listed and not there are bad already.
        let listed = manifest.entries().iter().map(|entry| entry.file);
        let known: BTreeSet<FileName> = listed.chain(found.iter().copied()).collect();
        for (i, run) in runs.iter().enumerate() {
            let is_new = |file: &FileName| !runs[..i].iter().any(|earlier| earlier.has(file));
            self.missing += match run.count() {
                Some(count) if i == 0 => count - known.iter().filter(|file| run.has(file)).count() as u64,
                _ => run.files().filter(|file| is_new(file) && !known.contains(file)).count() as u64,
            };
        }
        Ok(())
    }
}

/// What is wrong with a file that no manifest lists, if anything is. A run that was killed has not listed its last tables; they
/// have checksums of their own.
fn check_unlisted(folder: &Path, file: &FileName, runs: &[PlannedRun]) -> Option<String> {
    let path = folder.join(file.to_string());
    if file.is_rows {
        return Some(format!(
            "{}: no manifest lists it, so it cannot be checked: make it again",
            path.display()
        ));
    }
    match file.check(folder) {
        Err(error) => Some(error.to_string()),
        Ok(_) if runs.iter().any(|run| run.has(file)) => None,
        Ok(_) => Some(format!("{}: no manifest lists it, and no run was to make it", path.display())),
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
    /// Files that two manifests list differently.
    differing: BTreeSet<FileName>,
    /// Manifests that nothing tells to be whole.
    unchecked: Vec<String>,
}

/// Looks through a directory.
pub fn list(directory: &Path) -> Result<Listing, Failure> {
    let cannot = |error| Failure::job(format!("cannot read {}: {error}", directory.display()));
    let mut listing = Listing {
        manifest: Manifest::default(),
        found: BTreeSet::new(),
        manifests: 0,
        differing: BTreeSet::new(),
        unchecked: Vec::new(),
    };
    for entry in noregret_store::list(directory).map_err(cannot)? {
        let name = entry.name.as_str();
        if Manifest::is_name(name) {
            let manifest = Manifest::load(&directory.join(name)).map_err(Failure::job)?;
            let differs = |entry: &&ManifestEntry| {
                listing.manifest.entry(entry.file).is_some_and(|other| other != *entry)
            };
            listing.differing.extend(manifest.entries().iter().filter(differs).map(|entry| entry.file));
            listing.manifest.extend(manifest.entries().iter().copied());
            manifest.runs().iter().for_each(|run| listing.manifest.add_run(run));
            if manifest.is_unchecked() {
                listing.unchecked.push(name.to_owned());
            }
            listing.manifests += 1;
        } else {
            listing.found.extend(TableJob::from_file_name(name));
        }
    }
    Ok(listing)
}
