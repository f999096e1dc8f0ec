//! `noregret export`: a solution as rows for other programs.

use crate::digits::grouped;
use crate::exit_code::ExitCode;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt::Interrupt;
use crate::output;
use crate::place::{self, OutputFile};
use crate::{solution_file, unit};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use noregret_holdem::cards::Street;
use noregret_holdem::{AmountFormat, ShownUnit, SolutionFile};
use noregret_report::{ExportError, ExportProgress, Extent, TableFormat, export};
use noregret_store::WholeFile;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Write a solution as rows: one for each line, board, hand and action.
///
/// Columns: line, board, runouts (how many the board stands for: isomorphic boards come once), player, hand, action,
/// amount, frequency, action_ev, ev, equity, reach, share (reach after card removal). EVs count from there on, with
/// the pot: a fold is 0; they and amounts are in the unit of the spec. What has no meaning is missing: the frequency of a hand that does not reach a point, the EV of one
/// without an opponent. Rows are written as they are read; no more than a part of them is in memory.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret export spot.nrs --format parquet --out spot.parquet
  noregret export spot.nrs --format csv --street turn --out turn.csv
  noregret export spot.nrs --format json --line \"check, bet 94\" --out - | head

Exit codes: 0 done; 1 the job failed; 2 the request was wrong; 130 interrupted, nothing written.")]
pub struct Args {
    /// The solution file
    #[arg(value_parser = place::argument())]
    file: PathBuf,

    /// What to write: Parquet, comma-separated values, or an object of JSON a line
    #[arg(long)]
    format: ExportFormat,

    /// Only the end of a line, like `check, bet 94` or `r:0:c:b94`
    #[arg(long, conflicts_with = "street")]
    line: Option<String>,

    /// Only one street
    #[arg(long)]
    street: Option<StreetArg>,

    /// What amounts and EVs are in: chips, bb or pot (percent of the pot) [default: the unit of the spec]
    #[arg(long, value_name = "UNIT")]
    unit: Option<ShownUnit>,

    /// The file to write, whole or not at all; `-` writes to standard output
    #[arg(long, value_name = "PATH", value_parser = place::argument())]
    out: PathBuf,

    /// Write over a file that is something else, or to a name with another ending
    #[arg(long)]
    force: bool,
}

/// A format of tables, as people write it.
#[derive(Clone, Copy, ValueEnum)]
pub enum ExportFormat {
    Parquet,
    Csv,
    Json,
}

impl ExportFormat {
    pub fn format(self) -> TableFormat {
        match self {
            Self::Parquet => TableFormat::Parquet,
            Self::Csv => TableFormat::Csv,
            Self::Json => TableFormat::Json,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum StreetArg {
    Flop,
    Turn,
    River,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let extent = match (&args.line, args.street) {
        (Some(line), _) => {
            Extent::Line(line.parse().map_err(|error| Failure::request(format!("--line: {error}")))?)
        }
        (None, Some(StreetArg::Flop)) => Extent::Street(Street::Flop),
        (None, Some(StreetArg::Turn)) => Extent::Street(Street::Turn),
        (None, Some(StreetArg::River)) => Extent::Street(Street::River),
        (None, None) => Extent::Everything,
    };
    let to_stdout = args.out == Path::new("-");
    if !to_stdout {
        let output =
            OutputFile { option: "--out", path: &args.out, kind: args.format.format().output_kind() };
        place::check(&[output], &[&args.file], args.force)?;
    }
    let saved = solution_file::open(&args.file)?;
    let shown = unit::format(&saved, args.unit)?;
    let interrupt = Interrupt::listen()?;
    let job = ExportJob { args, saved: &saved, extent: &extent, shown, interrupt: &interrupt };
    if to_stdout {
        return job.write("standard output", std::io::stdout(), |mut out| out.flush());
    }
    let name = args.out.display().to_string();
    let part = WholeFile::create(&args.out).map_err(|error| place::cannot_write(&args.out, &error))?;
    job.write(&name, part, WholeFile::finish)
}

struct ExportJob<'a> {
    args: &'a Args,
    saved: &'a SolutionFile,
    extent: &'a Extent,
    shown: AmountFormat,
    interrupt: &'a Interrupt,
}

impl ExportJob<'_> {
    fn write<W: Write + Send>(
        &self,
        name: &str,
        out: W,
        finish: impl FnOnce(W) -> std::io::Result<()>,
    ) -> Result<ExitCode, Failure> {
        let bar = ProgressBar::new(0);
        let style = ProgressStyle::with_template("{wide_bar:.cyan/blue} {pos} of {len} boards · {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━━─"));
        let watch = |progress: ExportProgress| {
            bar.set_length(progress.of as u64);
            bar.set_position(progress.boards as u64);
            if self.interrupt.requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let out = BufWriter::with_capacity(1 << 20, out);
        let written = export(self.saved, self.extent, self.shown, self.args.format.format(), out, watch);
        bar.finish_and_clear();
        let cannot = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::BrokenPipe => output::cut_off("a part of the rows"),
            _ => Failure::job(format!("cannot write {name}: {error}")),
        };
        match written {
            Ok((out, rows)) => {
                let out = out.into_inner().map_err(|error| cannot(error.into_error()))?;
                finish(out).map_err(cannot)?;
                anstream::eprintln!("{} rows written to {name}", grouped(rows));
                Ok(ExitCode::SUCCESS)
            }
            Err(ExportError::Stopped) => Ok(ExitCode::from(INTERRUPTED)),
            Err(ExportError::Io(error)) => Err(cannot(error)),
            Err(ExportError::Read(error)) => Err(solution_file::failure(&self.args.file, &error)),
            Err(ExportError::NoDecision(line)) => {
                Err(Failure::request(format!("--line: nobody decides after `{line}`, so there are no rows")))
            }
            Err(ExportError::NoStreet(street)) => {
                Err(Failure::request(format!("--street: the spot starts after the {street}")))
            }
        }
    }
}
