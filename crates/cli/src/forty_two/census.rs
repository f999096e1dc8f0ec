//! `noregret forty-two census`: how many positions there are.

use super::source::TableSource;
use crate::digits::grouped;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::output;
use noregret_dominoes::Census;
use serde_json::json;
use std::fmt::Write;

/// How many positions of a deal are reachable, per level and in all, with and without the score.
#[derive(clap::Args)]
#[command(after_long_help = "\
Example:
  noregret forty-two census --seed 0 --decl blanks")]
pub struct Args {
    #[command(flatten)]
    source: TableSource,

    /// Print JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let (seed, table) = args.source.table()?;
    let census = Census::new(&table);
    if args.json {
        let level = |level: &noregret_dominoes::LevelCensus| json!({"dominoes": level.dominoes, "to_go": level.to_go, "scored": level.scored});
        output::print(json!({
            "seed": seed, "decl": table.declaration().number(), "positions": table.positions(),
            "to_go": census.to_go(), "scored": census.scored(),
            "levels": census.levels.iter().map(level).collect::<Vec<_>>(),
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("{:>8}  {:>15}  {:>15}\n", "dominoes", "without score", "with score");
    for level in &census.levels {
        let (to_go, scored) = (grouped(level.to_go), grouped(level.scored));
        let _ = writeln!(text, "{:>8}  {to_go:>15}  {scored:>15}", level.dominoes);
    }
    let _ = writeln!(text, "{:>8}  {:>15}  {:>15}", "all", grouped(census.to_go()), grouped(census.scored()));
    let _ = write!(text, "{} positions between tricks", grouped(table.positions() as u64));
    output::print(text)?;
    Ok(ExitCode::SUCCESS)
}
