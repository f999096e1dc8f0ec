//! `noregret forty-two rows`: tables to row files.

use super::source::read_table;
use crate::digits::grouped;
use crate::exit_code::ExitCode;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt::Interrupt;
use crate::output::WorkLines;
use crate::place::{self, OutputFile};
use indicatif::{ProgressBar, ProgressStyle};
use noregret_dominoes::{
    Layout, Manifest, ManifestEntry, RowProgress, RunError, TableJob, WrittenFile, write_rows,
};
use noregret_report::TableFormat;
use noregret_store::Bytes;
use noregret_store::Digest;
use noregret_store::Shard;
use noregret_store::remove_parts;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Expand table files to Parquet: every reachable position a row, sorted by state.
#[derive(clap::Args)]
#[command(after_long_help = "\
Example:
  noregret forty-two rows tables/seed_00000000_decl_0.n42 --out rows --layout to-go")]
pub struct Args {
    /// Table files
    #[arg(required = true, value_name = "TABLE", value_parser = place::argument())]
    tables: Vec<PathBuf>,

    /// The directory to write to; each file is named like its table [default: beside the table]
    #[arg(long, value_name = "DIR", value_parser = place::argument())]
    out: Option<PathBuf>,

    /// Write to the folders train, val and test of --out: seed mod 1000 below 900, below 950, the rest
    #[arg(long, requires = "out")]
    split: bool,

    /// How states are packed: scored or to-go
    #[arg(long, default_value = "scored")]
    layout: Layout,

    /// This machine's part of the tables, the i-th of n
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,

    /// Write over files that are something else
    #[arg(long)]
    force: bool,

    /// Print a line of JSON for each file on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(directory) = &args.out {
        noregret_store::make_directories(directory)
            .map_err(|error| Failure::job(format!("cannot create {}: {error}", directory.display())))?;
    }
    let interrupt = Interrupt::listen()?;
    let mut lines = WorkLines::default();
    let mine = args.tables.iter().zip(0..).filter(|(_, number)| args.shard.has(*number));
    for (path, _) in mine {
        if interrupt.requested() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let (seed, table) = read_table(path)?;
        let beside = path.with_extension("parquet");
        let out = match (&args.out, beside.file_name()) {
            (Some(directory), Some(name)) => folder(args, directory, path)?.join(name),
            _ => beside,
        };
        let output = OutputFile { option: "the rows", path: &out, kind: TableFormat::Parquet.output_kind() };
        place::check(&[output], &[path], args.force)?;
        let started = std::time::Instant::now();
        let bar = progress_bar();
        let progress = |progress: RowProgress| {
            bar.set_position((1000.0 * progress.share) as u64);
            !interrupt.requested()
        };
        let written = write_rows(&out, &table, seed, args.layout, None, progress);
        bar.finish_and_clear();
        let WrittenFile { bytes, digest, rows, .. } = match written {
            Err(RunError::Stopped) => return Ok(ExitCode::from(INTERRUPTED)),
            written => written.map_err(Failure::job)?,
        };
        let rows = rows.unwrap_or(0);
        list(&out, &args.shard, bytes, digest)?;
        let seconds = started.elapsed().as_secs_f64();
        if args.json {
            lines.print(
                json!({"path": out, "bytes": bytes, "rows": rows, "seconds": seconds, "layout": args.layout.name()}),
            );
        } else {
            let size = Bytes(bytes);
            lines.print(format!("{}  {} rows, {} in {seconds:.1} s", out.display(), grouped(rows), size));
        }
    }
    lines.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Where the rows of a table go.
fn folder(args: &Args, out: &Path, table: &Path) -> Result<PathBuf, Failure> {
    if !args.split {
        return Ok(out.to_owned());
    }
    let name = table.file_name().and_then(|name| name.to_str()).and_then(TableJob::from_file_name);
    let Some(file) = name else {
        return Err(Failure::request(format!(
            "{}: --split goes by the seed in a table's name, like seed_00000000_decl_0.n42",
            table.display()
        )));
    };
    let folder = out.join(file.job.split().name());
    noregret_store::make_directories(&folder)
        .map_err(|error| Failure::job(format!("cannot create {}: {error}", folder.display())))?;
    Ok(folder)
}

/// How far one file is.
fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::new(1000);
    let style = ProgressStyle::with_template("{bar:30} {percent}%  {eta_precise} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Adds a row file to the manifest beside it, if its name is one that manifests list.
fn list(path: &Path, shard: &Shard, bytes: u64, digest: Digest) -> Result<(), Failure> {
    let Some(file) = path.file_name().and_then(|name| name.to_str()).and_then(TableJob::from_file_name)
    else {
        return Ok(());
    };
    let manifest_path = path.with_file_name(Manifest::name(shard));
    let mut manifest = Manifest::load(&manifest_path).map_err(Failure::job)?;
    manifest.extend([ManifestEntry { file, bytes, digest }]);
    // What killed runs have left of it; what cannot be removed is in nobody's way.
    drop(remove_parts(&manifest_path));
    let cannot = |error| Failure::job(format!("cannot write {}: {error}", manifest_path.display()));
    manifest.save(&manifest_path).map_err(cannot)
}
