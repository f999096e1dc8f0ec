//! `noregret verify`: whether files are whole, to the last number.

use crate::digits::grouped;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::output::WorkLines;
use crate::palette::{BAD, BOLD, GOOD};
use crate::place;
#[cfg(feature = "forty-two")]
use noregret_dominoes::{Table, Threads, is_table, read_table_file};
use noregret_holdem::{MemoryLimit, VerifiedFile};
use noregret_store::Bytes;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Read files through: every section, every checksum and every number of solutions and checkpoints.
///
/// Commands that look at a file read what they need of it. This one reads all: that no section is missing, that each matches its
/// checksum, that each number can be, and that the strategies have the digest that the file says. Texas 42 tables are read
/// through as well; a whole run of them is checked by `noregret forty-two verify`.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret verify spot.nrs spot.nrc
  noregret verify solved/*.nrs --json

Exit codes: 0 all files are whole; 1 one is not; 2 the request was wrong.")]
pub struct Args {
    /// Solutions, checkpoints and Texas 42 tables
    #[arg(required = true, value_name = "FILE", value_parser = place::argument())]
    files: Vec<PathBuf>,

    /// Print a line of JSON for each file on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut lines = WorkLines::default();
    let mut bad = 0;
    for path in &args.files {
        let found = verify(path);
        bad += u64::from(found.is_err());
        let shown = path.display();
        lines.print(match (&found, args.json) {
            (Ok(file), true) => json!({
                "path": path, "ok": true, "kind": file.kind, "bytes": file.bytes, "sections": file.sections,
                "iterations": file.iterations, "strategy_digest": file.digest,
            })
            .to_string(),
            (Err(error), true) => json!({"path": path, "ok": false, "error": error}).to_string(),
            (Ok(file), false) => format!("{shown}  {GOOD}whole{GOOD:#}  {}", described(file)),
            (Err(error), false) => format!("{BOLD}{shown}{BOLD:#}  {BAD}bad{BAD:#}  {error}"),
        });
    }
    lines.finish()?;
    match bad {
        0 => Ok(ExitCode::SUCCESS),
        bad => {
            let files = grouped(args.files.len() as u64);
            Err(Failure::job(format!("{} of {files} files cannot be read to their end", grouped(bad))))
        }
    }
}

fn verify(path: &Path) -> Result<VerifiedFile, String> {
    #[cfg(feature = "forty-two")]
    if is_table(path).map_err(|error| error.to_string())? {
        return verify_table(path);
    }
    noregret_holdem::verify(path, MemoryLimit::of_machine()).map_err(|error| error.to_string())
}

#[cfg(feature = "forty-two")]
fn verify_table(path: &Path) -> Result<VerifiedFile, String> {
    let bytes = read_table_file(path).map_err(|error| error.to_string())?;
    let length = bytes.len() as u64;
    Table::from_bytes(bytes, Threads::Pool).map_err(|error| error.to_string())?;
    Ok(VerifiedFile { kind: "Texas 42 table", bytes: length, sections: 0, iterations: 0, digest: None })
}

/// What the file is, in words.
fn described(file: &VerifiedFile) -> String {
    let size = Bytes(file.bytes);
    match file.sections {
        0 => format!("{}, {size}", file.kind),
        sections => {
            let (sections, iterations) = (grouped(sections as u64), grouped(file.iterations.into()));
            format!("{}, {sections} sections, {iterations} iterations, {size}", file.kind)
        }
    }
}
