//! What a solve keeps on disk: the solution, checkpoints on the way, and what it goes on from.

use super::input;
use crate::failure::Failure;
use crate::place::{self, OutputFile, cannot_write};
use noregret_holdem::cards::Street;
use noregret_holdem::{
    CHECKPOINT_OUTPUT, Checkpoint, Continuation, ResumeError, ResumeFile, SOLUTION_OUTPUT, SaveOptions,
    SavedStreets, Solved, Spec, StartFrom,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options about files.
#[derive(clap::Args)]
pub struct FileArgs {
    /// Save the solution here, to look at later: a file that ends in `.nrs` [default: in the `directory` of `[output]`,
    /// where the spec sets one]
    #[arg(long, value_name = "FILE", value_parser = place::argument())]
    out: Option<PathBuf>,

    /// Which streets to save: `flop`, `turn` or `full`; what is left out is solved again when it is looked at
    #[arg(long, value_name = "STREETS", default_value_t)]
    save: SavedStreets,

    /// Save the regrets too, so that solving can go on from the solution at once
    #[arg(long)]
    save_regrets: bool,

    /// Keep a checkpoint here while solving, and when Ctrl-C stops it: a file that ends in `.nrc`
    #[arg(long, value_name = "FILE", value_parser = place::argument())]
    checkpoint: Option<PathBuf>,

    /// Seconds between two checkpoints, like 300 or 0.5; 0 for one after every iteration
    #[arg(long, value_name = "SECONDS", default_value = "300", allow_negative_numbers = true, requires = "checkpoint", value_parser = seconds)]
    checkpoint_every: Duration,

    /// Go on from a checkpoint or a solution of the same spec; the target and the last iteration may be others
    #[arg(long, value_name = "FILE", value_parser = place::argument())]
    resume: Option<PathBuf>,

    /// Write over files that are something else, and to names with another ending
    #[arg(long)]
    force: bool,
}

/// The longest time between two checkpoints, in seconds.
const LONGEST: f64 = 1e9;

/// Reads a number of seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=LONGEST).contains(seconds));
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "must be a number of seconds from 0 to 1000000000, like 300 or 0.5".to_owned())
}

impl FileArgs {
    /// Opens the file to go on from, if there is one.
    pub fn open_resumed(&self) -> Result<Option<Resumed>, Failure> {
        let open = |path: &PathBuf| match ResumeFile::open(path) {
            Ok(resume) => Ok((path.clone(), resume)),
            Err(error) => Err(cannot_read(path, &error)),
        };
        self.resume.as_ref().map(open).transpose()
    }
}

/// A file to go on from.
type Resumed = (PathBuf, ResumeFile);

/// Where the solution goes.
struct Out {
    path: PathBuf,
    options: SaveOptions,
}

/// The files of a solve.
pub struct SolveFiles {
    out: Option<Out>,
    checkpoint: Option<Checkpoint>,
    checkpoint_path: Option<PathBuf>,
    resume: Option<Resumed>,
    /// Where the solve has started from.
    resumed_from: Option<PathBuf>,
}

impl SolveFiles {
    /// Checks all that can be checked before a long solve: that files can be written where they are wanted, and that the one
    /// to go on from is of this spec. `spec_path` is where the spec was read.
    pub fn prepare(
        args: &FileArgs,
        resume: Option<Resumed>,
        spec: &Spec,
        spec_path: &Path,
    ) -> Result<Self, Failure> {
        let path = match (&args.out, &spec.output.directory) {
            (Some(path), _) => Some(path.clone()),
            (None, Some(directory)) => {
                Some(Path::new(directory).join(format!("{}.nrs", input::name(spec_path))))
            }
            (None, None) if args.save_regrets => {
                return Err(Failure::request("--save-regrets needs --out FILE to save them to"));
            }
            (None, None) if args.save != SavedStreets::Full => {
                return Err(Failure::request(format!("--save {} needs --out FILE to save to", args.save)));
            }
            (None, None) => None,
        };
        check_streets(args, spec)?;
        let options = SaveOptions { keep: args.save, regrets: args.save_regrets };
        if let Some(resumed) = &resume {
            check_spec(resumed, spec)?;
        }
        if let (Some(directory), None) = (&spec.output.directory, &args.out) {
            noregret_store::make_directories(Path::new(directory))
                .map_err(|error| Failure::job(format!("cannot make the directory {directory}: {error}")))?;
        }
        let out = path.map(|path| Out { path, options });
        let every = args.checkpoint_every;
        let checkpoint = args.checkpoint.clone().map(|path| Checkpoint::new(path, every));
        let outputs: Vec<OutputFile<'_>> = [
            (
                args.out.as_ref().map_or("[output] directory:", |_| "--out"),
                out.as_ref().map(|out| &*out.path),
            ),
            ("--checkpoint", checkpoint.as_ref().map(Checkpoint::path)),
        ]
        .into_iter()
        .zip([SOLUTION_OUTPUT, CHECKPOINT_OUTPUT])
        .filter_map(|((option, path), kind)| Some(OutputFile { option, path: path?, kind }))
        .collect();
        // A file that the solve goes on from may be written again: it will hold the same solve, further on.
        let is_same = |file: &ResumeFile| {
            file.spec().spot.locks() == spec.spot.locks()
                && file.continuation_for(&spec.spot) == Continuation::Resume
        };
        let resumed = resume.as_ref().filter(|(_, file)| !is_same(file));
        let inputs: Vec<&Path> =
            std::iter::once(spec_path).chain(resumed.map(|(path, _)| path.as_path())).collect();
        place::check(&outputs, &inputs, args.force)?;
        outputs.iter().try_for_each(|output| place::try_to_write(output.path))?;
        let checkpoint_path = args.checkpoint.clone();
        Ok(Self { out, checkpoint, checkpoint_path, resume, resumed_from: None })
    }

    /// Where the solve starts.
    pub fn start(&mut self) -> StartFrom {
        let Some((path, resume)) = self.resume.take() else { return StartFrom::Nothing };
        self.resumed_from = Some(path);
        StartFrom::File(resume.into())
    }

    /// Says why the solve cannot go on from its file.
    pub fn cannot_resume(&self, error: &ResumeError) -> Failure {
        let path = self.resumed_from.as_deref().unwrap_or(Path::new(""));
        match error {
            ResumeError::File(error) => cannot_read(path, error),
            ResumeError::Elsewhere(_) => {
                Failure::job(format!("{}: {error}. Solve the spec again without --resume", path.display()))
            }
        }
    }

    /// What to know about going on with other locks.
    pub fn note(&self, spec: &Spec) -> Option<String> {
        let (path, resume) = self.resume.as_ref()?;
        let what = match resume.continuation_for(&spec.spot) {
            Continuation::Resume => return None,
            Continuation::FromRegrets => "the solve goes on from its regrets and begins the average anew",
            Continuation::StartOver => {
                "the solve starts at the first iteration, as the file has no regrets or shares suits that the locks tell apart"
            }
        };
        Some(format!("{} has other locks: {what}", path.display()))
    }

    /// The checkpoint, for the solve to write.
    pub fn take_checkpoint(&mut self) -> Option<Checkpoint> {
        self.checkpoint.take().map(Checkpoint::at_end)
    }

    /// Where the checkpoint goes.
    pub fn checkpoint_path(&self) -> Option<PathBuf> {
        self.checkpoint_path.clone()
    }

    /// Says why the checkpoint of a solve that was stopped is lost.
    pub fn cannot_write_checkpoint(&self, error: &std::io::Error) -> Failure {
        cannot_write(self.checkpoint_path.as_deref().unwrap_or(Path::new("")), error)
    }

    /// Writes the solution, and says where it is and how large.
    pub fn save(&self, solved: &Solved) -> Result<Option<(PathBuf, u64)>, Failure> {
        let Some(Out { path, options }) = &self.out else { return Ok(None) };
        let written = solved.save(path, *options).and_then(|()| noregret_store::length(path));
        let kept = self.checkpoint_path.as_ref().zip(solved.checkpoint_iteration);
        match (written, kept) {
            (Ok(bytes), _) => Ok(Some((path.clone(), bytes))),
            (Err(error), Some((kept, iteration))) => Err(Failure::job(format!(
                "cannot write {}: {error}. The solve is not lost: --resume {} goes on from iteration {iteration}",
                path.display(),
                kept.display()
            ))),
            (Err(error), _) => Err(cannot_write(path, &error)),
        }
    }
}

/// Refuses to keep streets that the spot does not have.
fn check_streets(args: &FileArgs, spec: &Spec) -> Result<(), Failure> {
    let first = spec.spot.board().street();
    if args.save_regrets && args.save != SavedStreets::Full {
        return Err(Failure::request(format!(
            "--save-regrets keeps all streets, and --save {} does not: accepted `full`",
            args.save
        )));
    }
    if args.save.last() < first {
        let accepted = if first == Street::Turn { "`turn`, `full`" } else { "`full`" };
        let message = format!("--save {}: the spot begins on the {first}: accepted {accepted}", args.save);
        return Err(Failure::request(message));
    }
    Ok(())
}

/// Refuses to go on from a file of another spec.
fn check_spec((path, resume): &Resumed, spec: &Spec) -> Result<(), Failure> {
    match resume.difference(spec) {
        None => Ok(()),
        Some(difference) => Err(Failure::request(format!(
            "{} is not of this spec: {difference}. Only the target, the last iteration, [[locks]] and [output] may differ",
            path.display()
        ))),
    }
}

fn cannot_read(path: &Path, error: &noregret_store::ArchiveError) -> Failure {
    Failure::job(format!("cannot read {}: {error}", path.display()))
}
