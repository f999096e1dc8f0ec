//! A drill: questions out of solutions.

use super::grade::{Ending, PyAnswers, PyGrade};
use super::question::PyQuestion;
use super::review::{PyReview, SharedBoxes, seconds};
use crate::error;
use crate::json::document;
use crate::pool::process_pool;
use crate::solution::PySolution;
use crate::solution_data::{FileOf, SolutionData};
use noregret_drill::{
    Drill, DrillAnswer, DrillError, DrillHand, DrillSettings, DrillTotals, HandState, Question, ReviewKey,
    SettingsError, solution_of,
};
use noregret_hands::address_part;
use noregret_holdem::{Action, SolutionFile, Step};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A solution that a drill asks about, by the name that a server with the same files has for it.
struct Source {
    id: String,
    from: SourceOf,
}

enum SourceOf {
    Opened(Arc<SolutionData>),
    File(PathBuf),
}

impl Source {
    fn open(&self) -> PyResult<FileOf> {
        match &self.from {
            SourceOf::Opened(data) => FileOf::new(data.clone()),
            SourceOf::File(path) => {
                let data = SolutionData::of_file(path).map_err(|error| error::file(path, &error))?;
                FileOf::new(Arc::new(data))
            }
        }
    }
}

/// The solutions of an argument, and what a link calls them.
fn sources(value: &Bound<'_, PyAny>) -> PyResult<(String, Vec<Source>)> {
    if let Ok(solution) = value.cast::<PySolution>() {
        let data = solution.get().0.clone();
        let id = match data.path().and_then(Path::file_stem) {
            Some(stem) => stem.to_string_lossy().into_owned(),
            None => data.spec.spot.board().to_string(),
        };
        return Ok((id.clone(), vec![Source { id, from: SourceOf::Opened(data) }]));
    }
    let path: PathBuf = value
        .extract()
        .map_err(|_| PyTypeError::new_err("solutions: must be a Solution, a file, or a folder of files"))?;
    crate::place::place(&path)?;
    let cannot = |error| error::cannot_read("", &path, &error);
    let stem = |name: Option<&std::ffi::OsStr>| {
        name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    let py = value.py();
    if !py.detach(|| noregret_store::is_directory(&path)).map_err(cannot)? {
        let id = stem(path.file_stem());
        return Ok((id.clone(), vec![Source { id, from: SourceOf::File(path) }]));
    }
    let folder = stem(path.file_name());
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let mut found = Vec::new();
    py.detach(|| add_files(&path, &prefix, &mut found))?;
    if found.is_empty() {
        return Err(error::FileError::new_err(format!("there is no .nrs file in {}", path.display())));
    }
    // The order that a server has them in.
    found.sort_by(|a, b| a.id.cmp(&b.id));
    Ok((folder, found))
}

/// Adds the solutions in a folder and the folders in it. Names that begin with a dot are those of a server.
fn add_files(folder: &Path, prefix: &str, found: &mut Vec<Source>) -> PyResult<()> {
    let entries = noregret_store::list(folder).map_err(|error| error::cannot_read("", folder, &error))?;
    for entry in entries.into_iter().filter(|entry| !entry.name.starts_with('.')) {
        let path = folder.join(&entry.name);
        if entry.is_directory {
            add_files(&path, &format!("{prefix}{}/", entry.name), found)?;
        } else if let Some(stem) = entry.name.strip_suffix(".nrs") {
            found.push(Source { id: format!("{prefix}{stem}"), from: SourceOf::File(path) });
        }
    }
    Ok(())
}

/// Where a drill stands.
#[derive(Default)]
struct Progress {
    /// The number of the hand.
    hand: u64,
    /// What was answered in it.
    actions: Vec<Action>,
    answers: Vec<DrillAnswer>,
    /// The solution of the last question, by its place.
    opened: Option<(usize, Arc<FileOf>)>,
}

/// Hands of solutions, dealt by their reach: you act, the opponent plays by the solution, every answer is graded by its EV.
///
/// `solutions` is a `Solution`, a file, or a folder of files: then each hand is of one of them. `settings` is the query of a link,
/// as the web page has it; the other arguments set the same by name: `seed`, `play` (`"hands"` or `"decisions"`), `street`,
/// `player`, `hands` (a filter like `"top pair"`) and `line`, where hands begin. The same settings on the same solutions ask the same, in
/// Python and on the page. `review` takes note of what went wrong.
///
/// >>> import noregret as nr
/// >>> from noregret import study
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> solution = nr.solve(spot, target=0.5, progress=False)
/// >>> drill = study.Drill(solution, seed=7, play="decisions", player=nr.IP)
/// >>> drill.settings
/// 'seed=7&play=decisions&player=ip'
/// >>> for _ in range(10):
/// ...     grade = drill.answer(drill.question.actions[-1])
/// >>> drill.totals["decisions"], drill.question.hand
/// (10, 10)
#[pyclass(name = "Drill", module = "noregret.study", frozen)]
pub struct PyDrill {
    /// What a link calls the solutions.
    name: String,
    sources: Vec<Source>,
    settings: DrillSettings,
    /// What is asked again; none for a drill.
    keys: Option<Vec<ReviewKey>>,
    review: Option<SharedBoxes>,
    progress: Mutex<Progress>,
}

/// What is asked now.
struct Asked {
    opened: Arc<FileOf>,
    id: String,
    question: Question,
}

impl PyDrill {
    /// Runs `work` with where the drill stands, without the interpreter's lock and on the threads of this process.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Progress) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let pool = process_pool()?;
            // Held by this thread, and not by one of the pool, which might begin another reader's work while it waits.
            let mut held = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
            let progress: &mut Progress = &mut held;
            pool.install(|| work(progress))
        })
    }

    /// The place of the solution that is asked about; none if nothing is left to be asked.
    fn place(&self, progress: &Progress) -> Option<usize> {
        if self.keys.is_none() {
            return solution_of(&self.settings, progress.hand, self.sources.len());
        }
        let key = self.key(progress)?;
        self.sources.iter().position(|source| source.id == key.solution)
    }

    /// What is asked again now.
    fn key(&self, progress: &Progress) -> Option<&ReviewKey> {
        self.keys.as_ref()?.get(usize::try_from(progress.hand).ok()?)
    }

    fn asked(&self, progress: &mut Progress) -> PyResult<Option<Asked>> {
        let Some(place) = self.place(progress) else { return Ok(None) };
        let opened = match &progress.opened {
            Some((opened, file)) if *opened == place => file.clone(),
            _ => Arc::new(self.sources[place].open()?),
        };
        progress.opened = Some((place, opened.clone()));
        let told = |error| drill_error(&error, &opened);
        let question = match self.key(progress) {
            Some(key) => Some(Question::again(opened.file()?, key).map_err(told)?),
            None => {
                let hand = self.hand(opened.file()?, progress, None).map_err(told)?;
                Question::of_hand(opened.file()?, &hand).map_err(told)?
            }
        };
        Ok(question.map(|question| Asked { opened, id: self.sources[place].id.clone(), question }))
    }

    /// The hand that is played, after one more answer.
    fn hand(
        &self,
        saved: &SolutionFile,
        progress: &Progress,
        more: Option<Action>,
    ) -> Result<DrillHand, DrillError> {
        let answers: Vec<Action> = progress.actions.iter().copied().chain(more).collect();
        Drill::new(saved, &self.settings)?.hand(progress.hand, &answers)
    }
}

fn drill_error(error: &DrillError, opened: &FileOf) -> PyErr {
    match error {
        DrillError::Read(error) => error::read(error, opened.data.path()),
        DrillError::Action { .. } => error::SpecError::new_err((error.to_string(), None::<u32>, "action")),
        error => error::request(error),
    }
}

fn settings_error(error: &SettingsError) -> PyErr {
    error::SpecError::new_err((error.to_string(), None::<u32>, error.key()))
}

#[pymethods]
impl PyDrill {
    #[new]
    #[pyo3(signature = (solutions, settings="", *, seed=None, play=None, street=None, player=None, hands=None, line=None, review=None))]
    #[expect(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        solutions: &Bound<'_, PyAny>,
        settings: &str,
        seed: Option<&Bound<'_, PyAny>>,
        play: Option<&Bound<'_, PyAny>>,
        street: Option<&Bound<'_, PyAny>>,
        player: Option<&Bound<'_, PyAny>>,
        hands: Option<&Bound<'_, PyAny>>,
        line: Option<&Bound<'_, PyAny>>,
        review: Option<&Bound<'_, PyReview>>,
    ) -> PyResult<Self> {
        let mut settings: DrillSettings = settings.parse().map_err(|error| settings_error(&error))?;
        let given = [
            ("seed", seed),
            ("play", play),
            ("street", street),
            ("player", player),
            ("hands", hands),
            ("line", line),
        ];
        for (key, value) in given {
            if let Some(value) = value {
                settings.set(key, value.str()?.to_str()?).map_err(|error| settings_error(&error))?;
            }
        }
        let (name, sources) = sources(solutions)?;
        let review = review.map(|review| review.get().0.clone());
        let drill = Self { name, sources, settings, keys: None, review, progress: Mutex::default() };
        // What it cannot ask is told at once.
        drill.question(py)?;
        Ok(drill)
    }

    /// A drill that asks again what went wrong and is due, that which has waited longest first. `solutions` are those that it went
    /// wrong with. `now` is a time in seconds since 1970.
    #[staticmethod]
    #[pyo3(signature = (solutions, review, *, now=None))]
    fn again(
        py: Python<'_>,
        solutions: &Bound<'_, PyAny>,
        review: &Bound<'_, PyReview>,
        now: Option<f64>,
    ) -> PyResult<Self> {
        let now = seconds(now)?;
        let (name, sources) = sources(solutions)?;
        let review = review.get().0.clone();
        // What is about other solutions can wait.
        let is_here = |key: &ReviewKey| sources.iter().any(|source| source.id == key.solution);
        let due: Vec<ReviewKey> = review.lock().due(now).into_iter().map(|item| item.key.clone()).collect();
        let keys = due.into_iter().filter(is_here).collect();
        let drill = Self {
            name,
            sources,
            settings: DrillSettings::default(),
            keys: Some(keys),
            review: Some(review),
            progress: Mutex::default(),
        };
        drill.question(py)?;
        Ok(drill)
    }

    /// What is asked; None if nothing is left to be asked again.
    #[getter]
    fn question(&self, py: Python<'_>) -> PyResult<Option<PyQuestion>> {
        self.with(py, |progress| {
            let asked = self.asked(progress)?;
            Ok(asked.map(|Asked { id, question, .. }| PyQuestion {
                question,
                solution: id,
                hand: progress.hand,
                decision: progress.answers.len(),
                left: self.keys.as_ref().map(|keys| keys.len().saturating_sub(progress.hand as usize)),
            }))
        })
    }

    /// Answers the question with one of its actions, and tells what that costs; the next question is there then. `now` is when, in
    /// seconds since 1970, for what is asked again.
    #[pyo3(signature = (action, *, now=None))]
    fn answer(&self, py: Python<'_>, action: &str, now: Option<f64>) -> PyResult<PyGrade> {
        let now = seconds(now)?;
        let chosen = match action.parse::<Step>() {
            Ok(Step::Action(action)) => action,
            _ => return Err(error::field("action", format!("`{action}` is no action"))),
        };
        self.with(py, |progress| {
            let nothing = || error::request("nothing is left to be asked again");
            let Asked { opened, id, question } = self.asked(progress)?.ok_or_else(nothing)?;
            let told = |error| drill_error(&error, &opened);
            let saved = opened.file()?;
            let grade = question.grade(saved, chosen).map_err(told)?;
            let end = match self.keys {
                Some(_) => Some(Ending::of_review()),
                None => {
                    let hand = self.hand(saved, progress, Some(chosen)).map_err(told)?;
                    match hand.state {
                        HandState::Asked => None,
                        HandState::Over(end) => Some(Ending::of_hand(&hand, end)),
                    }
                }
            };
            let answer = question.answer(&id, progress.hand, &grade);
            if let Some(review) = &self.review {
                review.lock().note(&answer.key, answer.mistake, now);
            }
            progress.answers.push(answer);
            if end.is_some() {
                progress.hand += 1;
                progress.actions.clear();
            } else {
                progress.actions.push(chosen);
            }
            Ok(PyGrade { grade, end })
        })
    }

    /// All answers so far: a sequence, and a table.
    #[getter]
    fn answers(&self, py: Python<'_>) -> PyResult<PyAnswers> {
        PyAnswers::new(self.with(py, |progress| Ok(progress.answers.clone()))?)
    }

    /// What the answers cost: `decisions`, how many were `right`, the mean loss in `ev_loss_pct` and `ev_loss_bb`, by `mistakes` and by
    /// `streets`.
    #[getter]
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let totals = self.with(py, |progress| Ok(DrillTotals::of(&progress.answers)))?;
        document(py, &totals)
    }

    /// What is asked, as the query of a link.
    #[getter]
    fn settings(&self) -> String {
        self.settings.to_string()
    }

    /// The address of the drill behind that of a server whose library has the solutions under the same name; None for decisions that are
    /// asked again.
    #[getter]
    fn link(&self) -> Option<String> {
        self.keys.is_none().then(|| format!("#/train/{}?{}", address_part(&self.name), self.settings))
    }

    fn __repr__(&self) -> String {
        match &self.keys {
            Some(keys) => format!("<Drill of {} decisions that went wrong>", keys.len()),
            None => format!("<Drill on {}: {}>", self.name, self.settings),
        }
    }
}
