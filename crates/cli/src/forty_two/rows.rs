//! `noregret forty-two rows`: tables to row files.

use super::source::read_table;
use super::{print_json, print_line, thousands};
use crate::bytes::Bytes;
use crate::failure::Failure;
use noregret_dominoes::{Layout, write_rows};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// Expand table files to Parquet: every reachable position a row, sorted by state.
#[derive(clap::Args)]
#[command(after_long_help = "\
Example:
  noregret forty-two rows tables/seed_00000000_decl_0.n42 --out rows --layout to-go")]
pub struct Args {
    /// Table files
    #[arg(required = true, value_name = "TABLE")]
    tables: Vec<PathBuf>,

    /// The directory to write to; each file is named like its table [default: beside the table]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// How states are packed: scored or to-go
    #[arg(long, default_value = "scored")]
    layout: Layout,

    /// Print a line of JSON for each file on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(directory) = &args.out {
        std::fs::create_dir_all(directory)
            .map_err(|error| Failure::job(format!("cannot create {}: {error}", directory.display())))?;
    }
    for path in &args.tables {
        let (seed, table) = read_table(path)?;
        let beside = path.with_extension("parquet");
        let out = match (&args.out, beside.file_name()) {
            (Some(directory), Some(name)) => directory.join(name),
            _ => beside,
        };
        let started = std::time::Instant::now();
        let (bytes, _) = write_rows(&out, &table, seed, args.layout).map_err(Failure::job)?;
        let seconds = started.elapsed().as_secs_f64();
        if args.json {
            print_json(
                &json!({"path": out, "bytes": bytes, "seconds": seconds, "layout": args.layout.name()}),
            )?;
        } else {
            let size = Bytes(bytes);
            print_line(&format!(
                "{}  {} in {seconds:.1} s, {} positions between tricks",
                out.display(),
                size,
                thousands(table.positions() as u64)
            ))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
