//! Hands of Texas 42 to be played with one seat's dominoes seen.

use crate::error;
use crate::json::{document, word};
use crate::pool::process_pool;
use noregret_dominoes::{Domino, Seat, TOTAL_POINTS, Table};
use noregret_drill::{
    DominoAnswer, DominoDrill, DominoDrillError, DominoGrade, DominoHand, DominoSettings, DominoTotals,
    GradedMove, SettingsError,
};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Where a drill stands.
#[derive(Default)]
struct Progress {
    /// The number of the hand.
    hand: u64,
    /// What was answered in it.
    plays: Vec<Domino>,
    answers: Vec<DominoAnswer>,
    /// The solved deal of a hand, by its number.
    table: Option<(u64, Arc<Table>)>,
}

/// Hands of Texas 42: you see your own dominoes and all that is played, the other three play exactly, and every play is scored by its regret in
/// the deal and by what could be known, the mean over the deals that agree with what you saw.
///
/// `settings` is the query of a link, as the web page has it; the other arguments set the same by name: `seed` of the first deal, `seat`
/// (any of the four, by chance, if nothing is said), `decl` (the suit that seat 0 holds most of) and `worlds`, over how many deals a play is
/// compared. The same settings ask the same, in Python and on the page. Plays that are forced are made.
///
/// >>> from noregret import forty_two
/// >>> drill = forty_two.DominoDrill(seed=7, seat=2, worlds=5)
/// >>> drill.settings
/// 'seed=7&seat=2&worlds=5'
/// >>> while drill.question.hand == 0:
/// ...     grade = drill.play(drill.question.legal[0])
/// >>> grade.points <= 42 and drill.totals["plays"] == len(drill.answers)
/// True
#[pyclass(name = "DominoDrill", module = "noregret.forty_two", frozen)]
pub struct PyDominoDrill {
    drill: DominoDrill,
    progress: Mutex<Progress>,
}

fn drill_error(error: DominoDrillError) -> PyErr {
    match error {
        DominoDrillError::Play(error) => error::field("domino", error),
        error => error::request(error),
    }
}

fn settings_error(error: &SettingsError) -> PyErr {
    error::SpecError::new_err((error.to_string(), None::<u32>, error.key()))
}

impl PyDominoDrill {
    /// Runs `work` with where the drill stands and the solved deal, without the interpreter's lock and on the threads of this process.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Progress, &Table) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let pool = process_pool()?;
            // Held by this thread, and not by one of the pool, which might begin another reader's work while it waits.
            let mut held = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
            let progress: &mut Progress = &mut held;
            pool.install(|| {
                let table = match &progress.table {
                    Some((hand, table)) if *hand == progress.hand => table.clone(),
                    _ => Arc::new(self.drill.table(progress.hand)),
                };
                progress.table = Some((progress.hand, table.clone()));
                work(progress, &table)
            })
        })
    }

    /// What was answered so far.
    fn given(&self, py: Python<'_>) -> Vec<DominoAnswer> {
        // A question that is being answered holds the lock, and may want the interpreter.
        py.detach(|| self.progress.lock().unwrap_or_else(PoisonError::into_inner).answers.clone())
    }

    fn hand(&self, table: &Table, progress: &Progress, more: Option<Domino>) -> PyResult<DominoHand> {
        let plays: Vec<Domino> = progress.plays.iter().copied().chain(more).collect();
        self.drill.hand(table, progress.hand, &plays).map_err(drill_error)
    }
}

#[pymethods]
impl PyDominoDrill {
    #[new]
    #[pyo3(signature = (settings="", *, seed=None, seat=None, decl=None, worlds=None))]
    fn new(
        settings: &str,
        seed: Option<&Bound<'_, PyAny>>,
        seat: Option<&Bound<'_, PyAny>>,
        decl: Option<&Bound<'_, PyAny>>,
        worlds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut settings: DominoSettings = settings.parse().map_err(|error| settings_error(&error))?;
        for (key, value) in [("seed", seed), ("seat", seat), ("decl", decl), ("worlds", worlds)] {
            if let Some(value) = value {
                settings.set(key, value.str()?.to_str()?).map_err(|error| settings_error(&error))?;
            }
        }
        Ok(Self { drill: DominoDrill::new(settings), progress: Mutex::default() })
    }

    /// The play that is asked for.
    #[getter]
    fn question(&self, py: Python<'_>) -> PyResult<PyDominoQuestion> {
        self.with(py, |progress, table| {
            let hand = self.hand(table, progress, None)?;
            Ok(PyDominoQuestion::new(&hand, progress.hand, progress.answers.len()))
        })
    }

    /// Plays one of the legal dominoes, like `"6-4"`, and tells what that gave away; the next question is there then.
    fn play(&self, py: Python<'_>, domino: &str) -> PyResult<PyDominoGrade> {
        let chosen: Domino = domino.parse().map_err(|error| error::field("domino", error))?;
        self.with(py, |progress, table| {
            let before = self.hand(table, progress, None)?;
            let DominoSettings { worlds, seed, .. } = *self.drill.settings();
            let grade = DominoGrade::new(table, &before, chosen, worlds, seed).map_err(drill_error)?;
            let after = self.hand(table, progress, Some(chosen))?;
            let end = match after.game.is_over() {
                true => Some((after.points(), after.par(table).map_err(drill_error)?)),
                false => None,
            };
            progress.answers.push(DominoAnswer::new(progress.hand, &before, &grade));
            if end.is_some() {
                progress.hand += 1;
                progress.plays.clear();
            } else {
                progress.plays.push(chosen);
            }
            Ok(PyDominoGrade { grade, end, hands: end.map(|_| hands(&after)) })
        })
    }

    /// All plays so far: `number` of the hand, `trick`, `domino`, `best`, `best_known`, `regret`, `known_regret`, `verdict`.
    #[getter]
    fn answers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &self.given(py))
    }

    /// What the plays gave away: `plays`, how many were `right`, the means of `regret` and `known_regret`, and both by `tricks`.
    #[getter]
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &DominoTotals::of(&self.given(py)))
    }

    /// What is asked, as the query of a link.
    #[getter]
    fn settings(&self) -> String {
        self.drill.settings().to_string()
    }

    /// The address of the drill behind that of a server.
    #[getter]
    fn link(&self) -> String {
        format!("#/forty-two/train?{}", self.drill.settings())
    }

    fn __repr__(&self) -> String {
        format!("<DominoDrill {}>", self.drill.settings())
    }
}

fn names(dominoes: impl IntoIterator<Item = Domino>) -> Vec<String> {
    dominoes.into_iter().map(|domino| domino.to_string()).collect()
}

fn hands(hand: &DominoHand) -> Vec<Vec<String>> {
    Seat::ALL.iter().map(|&seat| names(hand.deal.hand(seat).iter().copied())).collect()
}

/// A play that is asked for, with what the player knows.
///
/// >>> from noregret import forty_two
/// >>> question = forty_two.DominoDrill(seed=7, seat=1).question
/// >>> question.seat, question.decl, question.plays[0][0], len(question.dealt)
/// (1, 'threes', 0, 7)
#[pyclass(name = "DominoQuestion", module = "noregret.forty_two", frozen, get_all)]
pub struct PyDominoQuestion {
    /// How many questions of the drill were answered before.
    decision: usize,
    /// The number of the hand, from 0.
    hand: u64,
    /// Who is asked, 0 to 3.
    seat: usize,
    /// The declaration.
    decl: &'static str,
    /// The seven dominoes that the player was dealt.
    dealt: Vec<String>,
    /// What the player still holds.
    held: Vec<String>,
    /// What may be played.
    legal: Vec<String>,
    /// Every play so far: by which seat, and which domino.
    plays: Vec<(usize, String)>,
    /// The points of team 0 (seats 0 and 2) and of team 1 so far.
    score: (u8, u8),
}

impl PyDominoQuestion {
    fn new(hand: &DominoHand, number: u64, decision: usize) -> Self {
        let score = hand.game.score();
        Self {
            decision,
            hand: number,
            seat: hand.seat.index(),
            decl: hand.declaration.name(),
            dealt: names(hand.deal.hand(hand.seat).iter().copied()),
            held: names(hand.game.hand(hand.seat).iter()),
            legal: names(hand.game.legal().iter()),
            plays: hand.plays.iter().map(|(seat, domino)| (seat.index(), domino.to_string())).collect(),
            score: (score, TOTAL_POINTS - hand.game.points_left() - score),
        }
    }
}

#[pymethods]
impl PyDominoQuestion {
    fn __repr__(&self) -> String {
        format!("<DominoQuestion {}: seat {} holds {}>", self.decision, self.seat, self.held.join(" "))
    }
}

/// What a play gave away, in final difference: `regret` in the deal as it is, `known_regret` over the deals that could be.
///
/// >>> from noregret import forty_two
/// >>> drill = forty_two.DominoDrill(seed=7, seat=1, worlds=5)
/// >>> grade = drill.play(drill.question.legal[0])
/// >>> grade.regret >= 0 and grade.known_regret >= 0 and not grade.over
/// True
#[pyclass(name = "DominoGrade", module = "noregret.forty_two", frozen)]
pub struct PyDominoGrade {
    grade: DominoGrade,
    /// The points of the own team at the end, and under exact play.
    end: Option<(u8, u8)>,
    hands: Option<Vec<Vec<String>>>,
}

impl PyDominoGrade {
    fn move_at(&self, place: usize) -> PyResult<&GradedMove> {
        self.grade.moves.get(place).ok_or_else(|| error::request("there is no move"))
    }
}

#[pymethods]
impl PyDominoGrade {
    /// What was played.
    #[getter]
    fn domino(&self) -> PyResult<String> {
        Ok(self.move_at(self.grade.played)?.domino.to_string())
    }

    /// What is worth most in the deal as it is.
    #[getter]
    fn best(&self) -> PyResult<String> {
        Ok(self.move_at(self.grade.best)?.domino.to_string())
    }

    /// What is worth most over the deals that could be.
    #[getter]
    fn best_known(&self) -> PyResult<String> {
        Ok(self.move_at(self.grade.best_known)?.domino.to_string())
    }

    /// What the play gives away in the deal as it is.
    #[getter]
    fn regret(&self) -> PyResult<u8> {
        Ok(self.move_at(self.grade.played)?.regret)
    }

    /// What it gives away on average over the deals that could be.
    #[getter]
    fn known_regret(&self) -> PyResult<f64> {
        Ok(self.move_at(self.grade.played)?.known_regret)
    }

    /// How good that is, by what could be known: `"best"`, `"fine"`, `"inaccuracy"`, `"mistake"` or `"blunder"`.
    #[getter]
    fn verdict(&self) -> String {
        word(&self.grade.verdict)
    }

    /// The legal moves, by domino.
    #[getter]
    fn moves(&self) -> Vec<PyDominoMove> {
        self.grade.moves.iter().map(PyDominoMove::new).collect()
    }

    /// How many deals agree with what the player knew.
    #[getter]
    fn possible(&self) -> u64 {
        self.grade.possible
    }

    /// How many of them were looked at.
    #[getter]
    fn worlds(&self) -> u64 {
        self.grade.worlds
    }

    /// Whether each of them was looked at once.
    #[getter]
    fn exact(&self) -> bool {
        self.grade.exact
    }

    /// Whether the hand is over.
    #[getter]
    fn over(&self) -> bool {
        self.end.is_some()
    }

    /// The points of the own team; None until the hand is over.
    #[getter]
    fn points(&self) -> Option<u8> {
        self.end.map(|(points, _)| points)
    }

    /// Its points if all four had played exactly; None until the hand is over.
    #[getter]
    fn par(&self) -> Option<u8> {
        self.end.map(|(_, par)| par)
    }

    /// What each seat was dealt; None until the hand is over.
    #[getter]
    fn hands(&self) -> Option<Vec<Vec<String>>> {
        self.hands.clone()
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!(
            "<DominoGrade {}: {}, gave away {} as it is, {:.2} as known>",
            self.domino()?,
            self.verdict(),
            self.regret()?,
            self.known_regret()?
        ))
    }
}

/// A legal move. Values are final differences from the player's own side.
///
/// >>> from noregret import forty_two
/// >>> drill = forty_two.DominoDrill(seed=7, seat=1, worlds=5)
/// >>> moves = drill.play(drill.question.legal[0]).moves
/// >>> min(move.regret for move in moves), min(move.known_regret for move in moves)
/// (0, 0.0)
#[pyclass(name = "DominoMove", module = "noregret.forty_two", frozen, get_all)]
pub struct PyDominoMove {
    /// The domino.
    domino: String,
    /// What it is worth in the deal as it is.
    value: i8,
    /// What it gives away there.
    regret: u8,
    /// What it is worth on average over the deals that could be.
    mean: f64,
    /// What it gives away on average.
    known_regret: f64,
    /// What the mean may be off by; 0 if all deals were counted.
    standard_error: f64,
}

impl PyDominoMove {
    fn new(play: &GradedMove) -> Self {
        let GradedMove { domino, value, regret, mean, known_regret, standard_error } = *play;
        Self { domino: domino.to_string(), value, regret, mean, known_regret, standard_error }
    }
}

#[pymethods]
impl PyDominoMove {
    fn __repr__(&self) -> String {
        format!("<DominoMove {}: {} as it is, {:.2} as known>", self.domino, self.value, self.mean)
    }
}
