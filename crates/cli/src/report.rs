//! `noregret report`: one line over many boards.

mod table;

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::place::{self, OutputFile};
use crate::{output, solution_file, unit};
use indicatif::{ProgressBar, ProgressStyle};
use noregret_holdem::{LinePattern, PatternStep, ReadError, ShownUnit};
use noregret_report::{
    Listed, PAGE_OUTPUT, Report, ReportRow, Subject, TableFormat, flop_row, html, list_beside, runout_rows,
};
use noregret_store::{WholeFile, is_directory, list, write_whole};
use rayon::prelude::*;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use table::ReportTable;

/// Compare one line over many boards: the flops of a batch, or every card that can come in one solve.
///
/// For each board and over all of them: how often each action is taken, EV, equity and EQR. Boards are averaged as often as
/// they happen: by the flops that each stands for (as the batch has listed it, or by its suits), times the pairs of hands that
/// get to the end of the line there.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret report solved/*.nrs
  noregret report solved --line check --out report.html
  noregret report spot.nrs --line \"check, bet 94, call\" --runouts
  noregret report spot.nrs --line \"check, check, *, check\" --out turns.parquet

Exit codes: 0 done; 1 the job failed; 2 the request was wrong.")]
pub struct Args {
    /// Solution files, or directories of them
    #[arg(required = true, value_parser = place::argument())]
    files: Vec<PathBuf>,

    /// The line to compare; `*` in it is every card, for the runouts of one file
    #[arg(long, default_value = "", hide_default_value = true)]
    line: String,

    /// Compare the cards that can come after the line: short for `, *` at its end
    #[arg(long)]
    runouts: bool,

    /// Write to a file that ends in .html, .csv, .json or .parquet, instead of a table to the terminal
    #[arg(long, value_name = "PATH", value_parser = place::argument())]
    out: Option<PathBuf>,

    /// Write over a file that is something else
    #[arg(long, requires = "out")]
    force: bool,

    /// The title of an HTML page
    #[arg(long)]
    title: Option<String>,

    /// What amounts and EVs are in: chips, bb or pot (percent of the pot) [default: the unit of the spec]
    #[arg(long, value_name = "UNIT", conflicts_with = "json")]
    unit: Option<ShownUnit>,

    /// Print a line of JSON for each board and one for all on standard output, and nothing else there
    #[arg(long, conflicts_with = "out")]
    json: bool,
}

/// What is written.
#[derive(Clone, Copy)]
enum ReportFormat {
    Html,
    Table(TableFormat),
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let kind = args.out.as_deref().map(kind).transpose()?;
    let mut line: LinePattern =
        args.line.parse().map_err(|error| Failure::request(format!("--line: {error}")))?;
    if args.runouts {
        line.steps.push(PatternStep::AnyCard);
    }
    let files = find_files(&args.files)?;
    if let (Some(path), Some(kind)) = (&args.out, kind) {
        let kind = match kind {
            ReportFormat::Html => PAGE_OUTPUT,
            ReportFormat::Table(format) => format.output_kind(),
        };
        let inputs: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        place::check(&[OutputFile { option: "--out", path, kind }], &inputs, args.force)?;
    }
    let report = match line.line() {
        Some(_) => over_flops(&files, line, args.unit)?,
        None => over_runouts(&files, line, args.unit)?,
    };
    if report.unit().is_none() {
        let message = "some files are in chips and some in big blinds: give --unit chips, bb or pot";
        return Err(Failure::request(message.to_owned()));
    }
    match (&args.out, kind) {
        (Some(path), Some(kind)) => write(args, &report, path, kind)?,
        _ if args.json => {
            let (bytes, _) = report.write(TableFormat::Json, Vec::new()).map_err(Failure::job)?;
            output::print(String::from_utf8_lossy(&bytes).trim_end())?;
        }
        _ => output::print(ReportTable { report: &report })?,
    }
    Ok(ExitCode::SUCCESS)
}

fn kind(path: &Path) -> Result<ReportFormat, Failure> {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    match ending.as_ref().and_then(|ending| ending.to_str()) {
        Some("html" | "htm") => Ok(ReportFormat::Html),
        Some("csv") => Ok(ReportFormat::Table(TableFormat::Csv)),
        Some("json" | "jsonl") => Ok(ReportFormat::Table(TableFormat::Json)),
        Some("parquet") => Ok(ReportFormat::Table(TableFormat::Parquet)),
        _ => Err(Failure::request(format!(
            "--out {}: the ending says what to write: accepted `.html`, `.csv`, `.json`, `.parquet`",
            path.display()
        ))),
    }
}

/// The files that are named, and those in the directories that are, by name.
fn find_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        let cannot = |error| Failure::job(format!("cannot read {}: {error}", path.display()));
        if !is_directory(path).map_err(cannot)? {
            files.push(path.clone());
            continue;
        }
        let entries = list(path).map_err(cannot)?;
        let mut inside: Vec<PathBuf> = entries.iter().map(|entry| path.join(&entry.name)).collect();
        inside.retain(|file| file.extension().is_some_and(|ending| ending == "nrs"));
        if inside.is_empty() {
            return Err(Failure::request(format!("there is no .nrs file in {}", path.display())));
        }
        files.extend(inside);
    }
    Ok(files)
}

fn bar(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    let style = ProgressStyle::with_template("{wide_bar:.cyan/blue} {pos} of {len} · {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━━─"));
    bar
}

fn over_flops(files: &[PathBuf], line: LinePattern, unit: Option<ShownUnit>) -> Result<Report, Failure> {
    let bar = bar(files.len());
    let at = line.line().unwrap_or_default();
    // One list is beside many files.
    let mut lists = HashMap::new();
    for path in files {
        if let Entry::Vacant(vacant) = lists.entry(path.parent()) {
            vacant.insert(list_beside(path).map_err(|error| Failure::job(error.to_string()))?);
        }
    }
    let rows: Vec<Result<ReportRow, (PathBuf, RowError)>> = files
        .par_iter()
        .map(|path| {
            let listed = lists.get(&path.parent()).and_then(|list| list.get(&file_name(path)));
            let row = read_row(path, listed, &at, unit).map_err(|error| (path.clone(), error));
            bar.inc(1);
            row
        })
        .collect();
    bar.finish_and_clear();
    let mut read = Vec::new();
    for row in rows {
        match row {
            Ok(row) => read.push(row),
            // The same line may not exist with another stack: the others are still worth a report.
            Err((path, RowError::Read(error @ ReadError::Line(_)))) if files.len() > 1 => {
                anstream::eprintln!("left out {}: {error}", path.display());
            }
            Err((path, RowError::Read(error))) => return Err(solution_file::failure(&path, &error)),
            Err((_, RowError::Failure(failure))) => return Err(failure),
        }
    }
    if read.is_empty() {
        return Err(Failure::request(format!("--line: no file has `{line}`")));
    }
    Ok(Report::of_flops(line, read))
}

enum RowError {
    Read(ReadError),
    Failure(Failure),
}

fn read_row(
    path: &Path,
    listed: Option<&Listed>,
    line: &noregret_holdem::Line,
    unit: Option<ShownUnit>,
) -> Result<ReportRow, RowError> {
    let saved = solution_file::open(path).map_err(RowError::Failure)?;
    let format = unit::format(&saved, unit).map_err(RowError::Failure)?;
    let (weight, variant) = match listed {
        Some(listed) => (Some(listed.weight), listed.variant.clone()),
        None => (None, String::new()),
    };
    flop_row(&saved, format, &file_name(path), &variant, weight, line).map_err(RowError::Read)
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn over_runouts(files: &[PathBuf], line: LinePattern, unit: Option<ShownUnit>) -> Result<Report, Failure> {
    let [path] = files else {
        let message = format!("runouts are those of one solution file, not of {}", files.len());
        return Err(Failure::request(message));
    };
    let saved = solution_file::open(path)?;
    let format = unit::format(&saved, unit)?;
    let bar = bar(0);
    let rows = runout_rows(&saved, format, &file_name(path), &line, |done, of| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let rows = rows.map_err(|error| solution_file::failure(path, &error))?;
    Ok(Report { subject: Subject::Runouts, line, rows })
}

fn write(args: &Args, report: &Report, path: &Path, kind: ReportFormat) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| place::cannot_write(path, &error);
    match kind {
        ReportFormat::Html => {
            let boards = report.rows.len();
            let title = args.title.clone().unwrap_or_else(|| match report.subject {
                Subject::Flops if boards == 1 => "One flop".to_owned(),
                Subject::Flops => format!("{boards} flops"),
                Subject::Runouts => {
                    format!("{boards} runouts of {}", report.rows[0].file.trim_end_matches(".nrs"))
                }
            });
            write_whole(path, html(report, &title).as_bytes()).map_err(cannot)?;
        }
        ReportFormat::Table(format) => {
            let part = BufWriter::new(WholeFile::create(path).map_err(cannot)?);
            let (mut out, _) = report.write(format, part).map_err(cannot)?;
            out.flush().map_err(cannot)?;
            out.into_inner().map_err(|error| cannot(error.into_error()))?.finish().map_err(cannot)?;
        }
    }
    anstream::eprintln!("{} boards written to {}", report.rows.len(), path.display());
    Ok(())
}
