//! Hand histories: what was played, what is solved for it, what it cost.

use super::decision::{DecisionTable, PyDecisions};
use super::html;
use super::own_ranges::own_ranges;
use super::played_hand::PyPlayedHand;
use crate::batch::write_list;
use crate::error;
use crate::json::document;
use crate::options::{saved_streets, target_pct};
use crate::place::{self, place, table_format};
use crate::pool::on_pool;
use crate::spot::PySpot;
use noregret_hands::{
    DecisionRow, HandRake, HandsSession, SessionError, SessionTotals, SpotOptions, UnreadSolution,
    session_documents, session_page,
};
use noregret_report::{PAGE_OUTPUT, TableFormat};
use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How hands are read.
struct ReadArguments {
    player: Option<String>,
    options: SpotOptions,
}

impl ReadArguments {
    fn new(
        player: Option<String>,
        rake: &str,
        target: f64,
        ranges: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let rake: HandRake =
            rake.parse().map_err(|wrong| error::field("rake", format!("`{rake}` is not known: {wrong}")))?;
        let options = SpotOptions { rake, target_pct: target_pct(target)?, own_ranges: own_ranges(ranges)? };
        Ok(Self { player, options })
    }

    /// Adds the hands of a file.
    fn add(&self, session: &mut HandsSession, name: &str, bytes: &[u8]) {
        session.add(name, bytes, self.player.as_deref(), &self.options);
    }

    /// The session, if the player is somebody in it.
    fn finish(&self, session: HandsSession) -> PyResult<PySession> {
        if let Some(name) = &self.player
            && !session.hands.is_empty()
            && session.hands.iter().all(|hand| hand.studied.is_empty())
        {
            return Err(error::field("player", format!("nobody has the name {name}")));
        }
        PySession::new(session)
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Reads hand histories from a file or several: text of PokerStars and GGPoker, and PHH.
///
/// `player` is whose decisions are looked at: the hero's if nobody is named, and those of everybody whose cards are known in texts
/// without a hero. `rake` is `"as-played"` or a preset like `"online-small"`, `target` the exploitability to solve to, in percent of
/// the pot. A hand that cannot be read is one of `problems`, and the others are read.
///
/// `ranges` are yours, in the place of those of the charts: a mapping from names, as notes have them, to ranges, or a TOML file with a
/// table `[ranges]` of them.
///
/// >>> from noregret import study
/// >>> import pathlib, tempfile
/// >>> path = pathlib.Path(tempfile.mkdtemp()) / "session.txt"
/// >>> _ = path.write_text(study.EXAMPLE)
/// >>> study.read(path)
/// <Session of 1 hand: 0 solved, 1 to solve, 0 left out>
/// >>> own = study.read(path, ranges={"BTN calls the 3-bet of BB, 6-max, 20 bb": "99-66,AQs-ATs,KQs"})
/// >>> own.hands[0].spot.notes[0]
/// 'BTN: the range is yours, in the place of `BTN calls the 3-bet of BB, 6-max, 20 bb`'
#[pyfunction]
#[pyo3(name = "read_hands", signature = (paths, *, player=None, rake="as-played", target=0.5, ranges=None))]
pub fn read_hands(
    py: Python<'_>,
    paths: &Bound<'_, PyAny>,
    player: Option<String>,
    rake: &str,
    target: f64,
    ranges: Option<&Bound<'_, PyAny>>,
) -> PyResult<PySession> {
    let arguments = ReadArguments::new(player, rake, target, ranges)?;
    let paths: Vec<PathBuf> = match paths.extract::<PathBuf>() {
        Ok(path) => vec![path],
        Err(_) => paths.extract().map_err(|_| PyTypeError::new_err("paths: must be a path or several"))?,
    };
    let session = on_pool(py, || -> PyResult<HandsSession> {
        let mut session = HandsSession::default();
        for path in &paths {
            place(path)?;
            let bytes = noregret_store::read(path).map_err(|error| error::cannot_read("", path, &error))?;
            arguments.add(&mut session, &file_name(path), &bytes);
        }
        Ok(session)
    })??;
    arguments.finish(session)
}

/// Reads hand histories from a text. `name` stands for a file in what is told about it; the other arguments are those of `read`.
///
/// >>> from noregret import study
/// >>> hand = study.read_text(study.EXAMPLE).hands[0]
/// >>> hand.id, hand.hero.position, hand.board
/// ('300000001', 'BTN', 'Qc7d2h5s')
/// >>> study.read_text("Dear diary").problems[0].message
/// 'this is no hand: PokerStars and GGPoker text and PHH are read'
#[pyfunction]
#[pyo3(name = "read_hands_text", signature = (text, *, name="text", player=None, rake="as-played", target=0.5, ranges=None))]
pub fn read_hands_text(
    py: Python<'_>,
    text: &str,
    name: &str,
    player: Option<String>,
    rake: &str,
    target: f64,
    ranges: Option<&Bound<'_, PyAny>>,
) -> PyResult<PySession> {
    let arguments = ReadArguments::new(player, rake, target, ranges)?;
    let session = on_pool(py, || {
        let mut session = HandsSession::default();
        arguments.add(&mut session, name, text.as_bytes());
        session
    })?;
    arguments.finish(session)
}

/// A job of a session: the name of its files, its spot, and why there is none.
type SessionJob = (String, Option<PySpot>, Option<String>);

/// What a session is to solve, each spot once. The list of solutions is written to `directory` for reports.
#[pyfunction]
pub fn session_jobs(
    py: Python<'_>,
    session: &Bound<'_, PySession>,
    directory: PathBuf,
    streets: &str,
) -> PyResult<Vec<SessionJob>> {
    let jobs = session.get().session.jobs();
    for job in &jobs {
        if let Ok(spec) = &job.spec {
            saved_streets(streets, spec)?;
        }
    }
    place(&directory)?;
    py.detach(|| write_list(&jobs, &directory))?;
    Ok(jobs.into_iter().filter_map(|job| Some((job.name, Some(PySpot(job.spec.ok()?)), None))).collect())
}

/// Hands that were played, with what is solved for them and what their decisions cost.
///
/// >>> from noregret import study
/// >>> session = study.read_text(study.EXAMPLE)
/// >>> [hand.id for hand in session.hands], len(session.decisions), list(session.spots.values())[0].pot
/// (['300000001'], 2, 1250)
#[pyclass(name = "Session", module = "noregret.study", frozen)]
pub struct PySession {
    session: Arc<HandsSession>,
    decisions: Arc<DecisionTable>,
}

impl PySession {
    pub fn new(session: HandsSession) -> PyResult<Self> {
        let decisions = Arc::new(DecisionTable::of(&session)?);
        Ok(Self { session: Arc::new(session), decisions })
    }

    fn own_title(&self) -> String {
        let mut files: Vec<&str> = self.session.hands.iter().map(|hand| hand.file.as_str()).collect();
        files.dedup();
        match files[..] {
            [] => "no hands".to_owned(),
            [one] => one.to_owned(),
            [first, ref rest @ ..] => format!("{first} and {} more", rest.len()),
        }
    }
}

#[pymethods]
impl PySession {
    /// The hands, in the order of the files.
    #[getter]
    fn hands(&self) -> Vec<PyPlayedHand> {
        (0..self.session.hands.len()).map(|place| PyPlayedHand::new(self.session.clone(), place)).collect()
    }

    /// What cannot be read, each with its line.
    #[getter]
    fn problems(&self) -> Vec<PyProblem> {
        self.session.errors.iter().map(PyProblem::new).collect()
    }

    /// How many hands were left away because they are there twice.
    #[getter]
    fn repeated(&self) -> usize {
        self.session.repeated
    }

    /// What is solved for the hands, by name: equal spots are there once.
    #[getter]
    fn spots<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let spots = PyDict::new(py);
        for (name, spot) in self.session.spots() {
            spots.set_item(name, PySpot(spot.spec.clone()))?;
        }
        Ok(spots)
    }

    /// The decisions after the flop of those who are looked at: a sequence, and a table.
    #[getter]
    fn decisions(&self) -> PyDecisions {
        PyDecisions(self.decisions.clone())
    }

    /// What the decisions cost: in all, by `street`, `position` and `pot_type`, and the ten `costliest`.
    #[getter]
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &SessionTotals::of(&self.decisions.rows))
    }

    /// The same session with what the solutions of a folder say: for each hand the solution of its own spot, or else the best of the
    /// same spot, which was solved to another target. A solution that cannot be read is skipped with a warning.
    fn with_solutions(&self, py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        place(&folder)?;
        let mut session = HandsSession::clone(&self.session);
        let unread = on_pool(py, || session.read_folder(&folder))?
            .map_err(|error| error::cannot_read("", &folder, &error))?;
        for UnreadSolution { name, message } in unread {
            let path = folder.join(format!("{name}.nrs"));
            let text = CString::new(format!("{}: {message}", path.display()).replace('\0', " "))?;
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
        }
        Self::new(session)
    }

    /// What `noregret hands --json` prints: an object for each hand, one for each problem, one for the session.
    fn documents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &session_documents(&self.session))
    }

    /// The page of the session, which opens from disk. Its links lead to `server`, which has the solutions in its library.
    #[pyo3(signature = (title=None, *, server="http://127.0.0.1:4242/"))]
    fn html(&self, title: Option<&str>, server: &str) -> String {
        session_page(&self.session, title.unwrap_or(&self.own_title()), server)
    }

    /// Writes the session to a file, whole or not at all: its ending says what, `.html` for the page, `.csv`, `.json` or `.parquet`
    /// for the decisions. A file of another kind is not written over unless `force` says so.
    #[pyo3(signature = (path, *, title=None, force=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, title: Option<&str>, force: bool) -> PyResult<()> {
        let is_page = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"));
        let format = table_format(&path);
        if format.is_none() && !is_page {
            let message = "the ending says what to write: accepted `.html`, `.csv`, `.json`, `.parquet`";
            return Err(PyValueError::new_err(format!("{}: {message}", path.display())));
        }
        place::check(py, &path, format.map_or(PAGE_OUTPUT, TableFormat::output_kind), &[], force)?;
        let written = py.detach(|| {
            let bytes = match format {
                None => self.html(title, "http://127.0.0.1:4242/").into_bytes(),
                Some(format) => DecisionRow::write(&self.decisions.rows, format, Vec::new())?.0,
            };
            noregret_store::write_whole(&path, &bytes)
        });
        written.map_err(|error| error::cannot_write(&path, error))
    }

    fn __repr__(&self) -> String {
        let hands = &self.session.hands;
        let solved = hands.iter().filter(|hand| hand.solved.is_some()).count();
        let left_out = hands.iter().filter(|hand| hand.spot.is_err()).count();
        let (count, word) = (hands.len(), if hands.len() == 1 { "hand" } else { "hands" });
        let mut text = format!(
            "<Session of {count} {word}: {solved} solved, {} to solve, {left_out} left out",
            count - solved - left_out
        );
        match self.session.errors.len() {
            0 => {}
            problems => text.push_str(&format!(", {problems} not read")),
        }
        text + ">"
    }

    fn _repr_html_(&self) -> String {
        html::session(&SessionTotals::of(&self.decisions.rows), &self.__repr__())
    }
}

/// A part of a text that cannot be read.
///
/// >>> from noregret import study
/// >>> [problem] = study.read_text(study.EXAMPLE.replace("Hero: calls $4", "Hero: calls $5")).problems
/// >>> problem.line, problem.hand, problem.text
/// (19, '300000001', 'Hero: calls $5')
#[pyclass(name = "Problem", module = "noregret.study", frozen, get_all)]
pub struct PyProblem {
    /// The file.
    file: String,
    /// The line, from 1.
    line: u32,
    /// What stands there.
    text: String,
    /// What is wrong.
    message: String,
    /// The number of the hand, if it has got one yet.
    hand: Option<String>,
}

impl PyProblem {
    fn new(SessionError { file, error }: &SessionError) -> Self {
        Self {
            file: file.clone(),
            line: error.line,
            text: error.text.clone(),
            message: error.message.clone(),
            hand: error.hand.clone(),
        }
    }
}

#[pymethods]
impl PyProblem {
    fn __str__(&self) -> String {
        let text = if self.text.is_empty() { String::new() } else { format!(": `{}`", self.text) };
        format!("{}: line {}: {}{text}", self.file, self.line, self.message)
    }

    fn __repr__(&self) -> String {
        format!("<Problem {}>", self.__str__())
    }
}
