//! `noregret hands`: hand histories, and what their decisions cost.

mod table;

use crate::batch::{BatchFiles, BatchWork, Tally};
use crate::exit_code::ExitCode;
use crate::failure::{Failure, INTERRUPTED};
use crate::output::WorkLines;
use crate::place::{self, OutputFile};
use crate::solve::{available_threads, input, memory_limit, percent};
use clap::builder::RangedU64ValueParser;
use noregret_hands::{
    DecisionRow, HandRake, HandsSession, SpotOptions, UnreadSolution, session_documents, session_page,
};
use noregret_holdem::preflop::OwnRanges;
use noregret_holdem::{BatchJob, SavedStreets};
use noregret_report::{PAGE_OUTPUT, TableFormat};
use noregret_store::{Bytes, Shard, WholeFile, read, write_whole};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use table::HandsTable;

/// Read hand histories, and say what each decision after the flop has cost.
///
/// Reads PokerStars and GGPoker text and PHH files. Each hand whose flop two players saw becomes a spot: ranges from the charts by
/// positions and actions, pot, stack and rake as played, bets that have the line that was played. With --solve the spots are
/// solved, one solve for all decisions of a hand, into --out; a run that was stopped goes on where it was. Without, solutions that
/// are in --out are read. Other hands are listed with the reason.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret hands session.txt
  noregret hands session.txt --solve --out solved
  noregret hands *.txt --solve --out solved --html session.html --parquet session.parquet
  noregret hands session.txt --json --out solved
  noregret hands session.txt --ranges own.toml --solve --out solved
  noregret serve --library solved

Exit codes: 0 done; 1 a hand could not be read, or a job failed; 2 the request was wrong; 130 interrupted.")]
pub struct Args {
    /// Hand histories: PokerStars or GGPoker text, .phh or .phhs
    #[arg(required = true, value_parser = place::argument())]
    files: Vec<PathBuf>,

    /// Whose decisions to look at [default: the hero's, or those of everybody whose cards are known]
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// What the house takes: as-played, none, online-small, online-middle, online-high or live
    #[arg(long, value_name = "RAKE", default_value = "as-played")]
    rake: HandRake,

    /// Ranges in the place of those of the charts: TOML with lines like `"BTN opens, 6-max, 100 bb" = "22+,A2s+"` in a table `[ranges]`
    #[arg(long, value_name = "FILE", value_parser = place::argument())]
    ranges: Option<PathBuf>,

    /// Solve the spots that are not in --out yet
    #[arg(long, requires = "out")]
    solve: bool,

    /// Where solutions are, or are to be written
    #[arg(long, value_name = "DIR", value_parser = place::argument())]
    out: Option<PathBuf>,

    /// The exploitability to reach, in percent of the pot on the flop
    #[arg(long, value_name = "PCT", default_value = "0.5", value_parser = percent)]
    target: f64,

    /// Which streets the solutions keep: full, turn or flop; others are solved again when they are read
    #[arg(long, value_name = "STREETS", default_value = "full", requires = "solve")]
    save: SavedStreets,

    /// This machine's part of the solves, the i-th of n
    #[arg(long, value_name = "I/N", default_value = "1/1", requires = "solve")]
    shard: Shard,

    /// Worker threads; the answers are the same for any number [default: one per core]
    #[arg(long, value_name = "N", requires = "solve", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,

    /// A solve that needs more memory fails, e.g. `4GiB` [default: what is available]
    #[arg(long, value_name = "BYTES", requires = "solve")]
    memory: Option<Bytes>,

    /// Write a page with totals and all decisions
    #[arg(long, value_name = "FILE", value_parser = place::argument())]
    html: Option<PathBuf>,

    /// Write a row for each decision
    #[arg(long, value_name = "FILE", value_parser = place::argument())]
    parquet: Option<PathBuf>,

    /// Write over files that are something else
    #[arg(long)]
    force: bool,

    /// Print a line of JSON for each hand and one for the session on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

/// Where links of the page lead: a server with its usual port.
const SERVER: &str = "http://127.0.0.1:4242/";

/// Seconds between two checkpoints of a solve.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(300);

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    check_outputs(args)?;
    let mut session = read_files(args)?;
    let (is_interrupted, failed) = match (&args.out, args.solve) {
        (Some(out), true) => solve(args, &session, out)?,
        _ => (false, 0),
    };
    let unread_solutions = match &args.out {
        Some(out) => read_solutions(&mut session, out)?,
        None => 0,
    };
    let rows = DecisionRow::of_session(&session);
    if let Some(path) = &args.parquet {
        write_rows(&rows, path)?;
    }
    if let Some(path) = &args.html {
        let page = session_page(&session, &title(&args.files), SERVER);
        write_whole(path, page.as_bytes()).map_err(|error| place::cannot_write(path, &error))?;
        anstream::eprintln!("{} decisions written to {}", rows.len(), path.display());
    }
    let mut lines = WorkLines::default();
    if args.json {
        session_documents(&session).into_iter().for_each(|document| lines.print(document));
    } else {
        lines.print(HandsTable { session: &session, rows: &rows });
    }
    // Work that was not done is told by the exit code, also where nobody reads to the end.
    let told = lines.finish();
    let unread = session.errors.len();
    match (is_interrupted, failed, unread) {
        (true, ..) => Ok(ExitCode::from(INTERRUPTED)),
        (_, 0, 0) => match unread_solutions {
            0 => told.map(|()| ExitCode::SUCCESS),
            1 => Err(Failure::job("1 solution cannot be read; the others are")),
            _ => Err(Failure::job(format!("{unread_solutions} solutions cannot be read; the others are"))),
        },
        (_, 0, 1) => Err(Failure::job("1 hand cannot be read; the others are")),
        (_, 0, _) => Err(Failure::job(format!("{unread} hands cannot be read; the others are"))),
        (_, 1, _) => Err(Failure::job("1 solve has failed; the others are done")),
        _ => Err(Failure::job(format!("{failed} solves have failed; the others are done"))),
    }
}

fn check_outputs(args: &Args) -> Result<(), Failure> {
    let html = args.html.as_deref().map(|path| OutputFile { option: "--html", path, kind: PAGE_OUTPUT });
    let parquet = args.parquet.as_deref().map(|path| OutputFile {
        option: "--parquet",
        path,
        kind: TableFormat::Parquet.output_kind(),
    });
    let outputs: Vec<OutputFile<'_>> = html.into_iter().chain(parquet).collect();
    if args.force && outputs.is_empty() {
        return Err(Failure::request("--force is for the files of --html and --parquet: give one of them"));
    }
    let inputs: Vec<&Path> = args.files.iter().chain(&args.ranges).map(PathBuf::as_path).collect();
    place::check(&outputs, &inputs, args.force)
}

fn read_files(args: &Args) -> Result<HandsSession, Failure> {
    let own_ranges = match &args.ranges {
        Some(path) => input::document(path, "the ranges", OwnRanges::from_bytes)?,
        None => OwnRanges::default(),
    };
    let options = SpotOptions { rake: args.rake, target_pct: args.target, own_ranges };
    let mut session = HandsSession::default();
    for path in &args.files {
        let bytes = read(path)
            .map_err(|error| Failure::request(format!("cannot read {}: {error}", path.display())))?;
        session.add(&file_name(path), &bytes, args.player.as_deref(), &options);
    }
    for error in &session.errors {
        anstream::eprintln!("{}: {}", error.file, error.error);
    }
    if let Some(name) = &args.player
        && !session.hands.is_empty()
        && session.hands.iter().all(|hand| hand.studied.is_empty())
    {
        return Err(Failure::request(format!("--player: nobody has the name {name}")));
    }
    let taken = session.own_ranges();
    for (name, _) in options.own_ranges.iter().filter(|(name, _)| !taken.contains_key(name)) {
        anstream::eprintln!("--ranges: no hand here takes `{name}`");
    }
    Ok(session)
}

/// Solves what is not solved yet; whether the user wanted to stop, and how many solves failed.
fn solve(args: &Args, session: &HandsSession, out: &Path) -> Result<(bool, u64), Failure> {
    let jobs = session.jobs();
    let files = BatchFiles { directory: out.to_owned(), shard: args.shard, is_shared: false };
    let work = BatchWork {
        files: &files,
        keep: args.save,
        checkpoint_every: Some(CHECKPOINT_EVERY),
        limit: memory_limit(args.memory),
        threads: args.threads.unwrap_or_else(available_threads),
        json: false,
    };
    let mine: Vec<&BatchJob> =
        jobs.iter().zip(0..).filter(|(_, number)| args.shard.has(*number)).map(|(job, _)| job).collect();
    // Missed targets are told by the report, which knows what every solution has reached.
    let Tally { is_interrupted, failed, told, missed: _ } = work.run(&jobs, &mine)?;
    told.map(|()| (is_interrupted, failed))
}

/// Reads what the solutions in a folder say; how many could not be read, which are told and skipped.
fn read_solutions(session: &mut HandsSession, out: &Path) -> Result<usize, Failure> {
    let cannot = |error| Failure::job(format!("cannot read {}: {error}", out.display()));
    let unread = session.read_folder(out).map_err(cannot)?;
    for UnreadSolution { name, message } in &unread {
        anstream::eprintln!("{}: {message}", out.join(format!("{name}.nrs")).display());
    }
    Ok(unread.len())
}

fn write_rows(rows: &[DecisionRow], path: &Path) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| place::cannot_write(path, &error);
    let part = BufWriter::new(WholeFile::create(path).map_err(cannot)?);
    let (mut out, count) = DecisionRow::write(rows, TableFormat::Parquet, part).map_err(cannot)?;
    out.flush().map_err(cannot)?;
    out.into_inner().map_err(|error| cannot(error.into_error()))?.finish().map_err(cannot)?;
    anstream::eprintln!("{count} decisions written to {}", path.display());
    Ok(())
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn title(files: &[PathBuf]) -> String {
    match files {
        [one] => file_name(one),
        [first, rest @ ..] => format!("{} and {} more", file_name(first), rest.len()),
        [] => String::new(),
    }
}
