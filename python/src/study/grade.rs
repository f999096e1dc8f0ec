//! What answers cost.

use super::place_of;
use crate::arrow::{self, NamedColumn};
use crate::json::word;
use crate::player::PyPlayer;
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use noregret_drill::{DrillAnswer, DrillHand, Grade, HandEnd};
use noregret_report::ActionAnswer;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use std::collections::HashMap;
use std::sync::Arc;

/// An action with what a solution says about it for one hand.
///
/// >>> import noregret as nr
/// >>> from noregret import study
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> drill = study.Drill(nr.solve(spot, target=0.5, progress=False), seed=7, player=nr.OOP)
/// >>> check, bet = drill.answer("check").actions
/// >>> bet.action, round(check.frequency + bet.frequency, 6)
/// ('bet 50', 1.0)
#[pyclass(name = "GradedAction", module = "noregret.study", frozen, get_all)]
pub struct PyGradedAction {
    /// As in a line: `"bet 94"`.
    pub action: String,
    /// How often the solution takes it with the hand; None if it never plays the hand to here.
    pub frequency: Option<f64>,
    /// How often it takes it with all hands.
    pub range_frequency: Option<f64>,
    /// What the hand expects of it from here on: in big blinds in a `Decision`, in the unit of the solution in a `Grade`.
    pub ev: Option<f64>,
}

#[pymethods]
impl PyGradedAction {
    fn __repr__(&self) -> String {
        let percent =
            self.frequency.map_or_else(String::new, |frequency| format!(", {:.1}%", 100.0 * frequency));
        let ev = self.ev.map_or_else(String::new, |ev| format!(", EV {ev:.2}"));
        format!("<GradedAction {}{percent}{ev}>", self.action)
    }
}

/// How a hand of a drill ended.
pub struct Ending {
    end: HandEnd,
    opponent_hole: Option<String>,
    board: String,
    line: String,
}

impl Ending {
    /// How a hand ended, that is not to be played on.
    pub fn of_hand(hand: &DrillHand, end: HandEnd) -> Self {
        Self {
            end,
            opponent_hole: Some(hand.opponent_hole.to_string()),
            board: hand.board.to_string(),
            line: hand.line.to_string(),
        }
    }

    /// How a decision that was asked again ended.
    pub fn of_review() -> Self {
        Self { end: HandEnd::Answered, opponent_hole: None, board: String::new(), line: String::new() }
    }
}

/// What an answer cost: the numbers of `noregret inspect` to the digit.
///
/// >>> import noregret as nr
/// >>> from noregret import study
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> solution = nr.solve(spot, target=0.5, progress=False)
/// >>> drill = study.Drill(solution, seed=7, player=nr.OOP)
/// >>> question = drill.question
/// >>> grade = drill.answer("check")
/// >>> evs = solution[question.line].hand(question.hole).action_evs
/// >>> grade.ev_loss == max(evs.values()) - evs["check"]
/// True
#[pyclass(name = "Grade", module = "noregret.study", frozen)]
pub struct PyGrade {
    pub grade: Grade,
    pub end: Option<Ending>,
}

impl PyGrade {
    fn name(&self, place: usize) -> String {
        self.grade.answer.actions.get(place).map_or_else(String::new, |answer| answer.action.to_string())
    }
}

#[pymethods]
impl PyGrade {
    /// What was answered.
    #[getter]
    fn action(&self) -> String {
        self.name(self.grade.answer.played)
    }

    /// What is worth most.
    #[getter]
    fn best(&self) -> String {
        self.name(self.grade.best)
    }

    /// The EV of the best action less that of the answer, in the unit of the solution.
    #[getter]
    fn ev_loss(&self) -> f64 {
        self.grade.ev_loss
    }

    /// The same in percent of the pot.
    #[getter]
    fn ev_loss_pct(&self) -> f64 {
        self.grade.ev_loss_pct
    }

    /// The same in big blinds; None if nobody said what the big blind is.
    #[getter]
    fn ev_loss_bb(&self) -> Option<f64> {
        self.grade.ev_loss_bb
    }

    /// How good that is: `"best"`, `"fine"`, `"inaccuracy"`, `"mistake"` or `"blunder"`.
    #[getter]
    fn verdict(&self) -> String {
        word(&self.grade.verdict)
    }

    /// What is wrong with it, as `"folded-too-much"`; None if it is as good as the best.
    #[getter]
    fn mistake(&self) -> Option<String> {
        self.grade.mistake.as_ref().map(word)
    }

    /// What could be done, with what the solution says about it.
    #[getter]
    fn actions(&self) -> Vec<PyGradedAction> {
        let action = |answer: &ActionAnswer| PyGradedAction {
            action: answer.action.to_string(),
            frequency: answer.frequency,
            range_frequency: answer.range_frequency,
            ev: answer.ev,
        };
        self.grade.answer.actions.iter().map(action).collect()
    }

    /// Why the hand is over: `"answered"`, `"fold"`, `"showdown"`, `"street"` or `"unplayed"`, where the solution never does with the
    /// hand what was answered; None if the hand goes on.
    #[getter]
    fn end(&self) -> Option<&'static str> {
        self.end.as_ref().map(|ending| ending.end.word())
    }

    /// Who won the pot; None if they share it, nobody knows, or the hand goes on.
    #[getter]
    fn winner(&self) -> Option<PyPlayer> {
        self.end.as_ref()?.end.winner().map(Into::into)
    }

    /// The opponent's cards; None until the hand is over, and where none were dealt.
    #[getter]
    fn opponent_hole(&self) -> Option<&str> {
        self.end.as_ref()?.opponent_hole.as_deref()
    }

    /// The public cards at the end; None until then.
    #[getter]
    fn board(&self) -> Option<&str> {
        self.end.as_ref().map(|ending| ending.board.as_str())
    }

    /// All that happened in the hand; None until it is over.
    #[getter]
    fn line(&self) -> Option<&str> {
        self.end.as_ref().map(|ending| ending.line.as_str())
    }

    fn __repr__(&self) -> String {
        format!("<Grade {}: {}, {:.2}% of the pot lost>", self.action(), self.verdict(), self.ev_loss_pct())
    }
}

/// The answers of a drill: a sequence, and a table for whoever reads Arrow, `polars.DataFrame(drill.answers)`.
///
/// >>> import noregret as nr
/// >>> from noregret import study
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> drill = study.Drill(nr.solve(spot, target=0.5, progress=False), seed=7, player=nr.OOP)
/// >>> grade = drill.answer("check")
/// >>> len(drill.answers), drill.answers[0].ev_loss == grade.ev_loss
/// (1, True)
#[pyclass(name = "Answers", module = "noregret.study", frozen)]
pub struct PyAnswers {
    answers: Vec<DrillAnswer>,
    table: RecordBatch,
}

impl PyAnswers {
    pub fn new(answers: Vec<DrillAnswer>) -> PyResult<Self> {
        let text = |name: &str, of: fn(&DrillAnswer) -> &str| {
            NamedColumn::full(name, arrow::texts(answers.iter().map(of)))
        };
        let number = |name: &str, of: fn(&DrillAnswer) -> f64| {
            NamedColumn::full(name, arrow::numbers(answers.iter().map(of)))
        };
        let hands: ArrayRef =
            Arc::new(answers.iter().map(|answer| answer.number as i64).collect::<Int64Array>());
        let blinds: ArrayRef =
            Arc::new(answers.iter().map(|answer| answer.ev_loss_bb).collect::<Float64Array>());
        let verdicts = arrow::texts(answers.iter().map(|answer| word(&answer.verdict)));
        let mistakes = answers.iter().map(|answer| answer.mistake.as_ref().map(word));
        let mistakes: ArrayRef = Arc::new(mistakes.collect::<StringArray>());
        let columns = vec![
            NamedColumn::full("hand", hands),
            text("solution", |answer| &answer.key.solution),
            text("line", |answer| &answer.key.line),
            text("player", |answer| &answer.key.player),
            text("hole", |answer| &answer.key.hole),
            text("board", |answer| &answer.board),
            text("street", |answer| &answer.street),
            text("action", |answer| &answer.action),
            text("best", |answer| &answer.best),
            number("ev_loss", |answer| answer.ev_loss),
            number("ev_loss_pct", |answer| answer.ev_loss_pct),
            NamedColumn::with_gaps("ev_loss_bb", blinds),
            NamedColumn::full("verdict", verdicts),
            NamedColumn::with_gaps("mistake", mistakes),
        ];
        let metadata = HashMap::from([("noregret_version".to_owned(), env!("CARGO_PKG_VERSION").to_owned())]);
        let table = arrow::record_batch(columns, metadata).map_err(arrow::failed)?;
        Ok(Self { answers, table })
    }
}

#[pymethods]
impl PyAnswers {
    fn __len__(&self) -> usize {
        self.answers.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<PyAnswer> {
        Ok(PyAnswer::new(&self.answers[place_of(index, self.answers.len())?]))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let items = self
            .answers
            .iter()
            .map(|answer| Py::new(py, PyAnswer::new(answer)))
            .collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(py, items)?.into_any().try_iter()?.into_any())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::stream(py, &self.table, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.table)
    }

    fn __repr__(&self) -> String {
        format!("<{} answers>", self.answers.len())
    }
}

/// An answer of a drill, as it is kept.
///
/// >>> import noregret as nr
/// >>> from noregret import study
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> drill = study.Drill(nr.solve(spot, target=0.5, progress=False), seed=7, player=nr.OOP)
/// >>> grade = drill.answer("check")
/// >>> answer = drill.answers[0]
/// >>> answer.hand, answer.street, answer.action
/// (0, 'river', 'check')
#[pyclass(name = "Answer", module = "noregret.study", frozen, get_all)]
pub struct PyAnswer {
    /// The number of the hand in the drill, from 0.
    hand: u64,
    /// The solution.
    solution: String,
    /// What led to the question.
    line: String,
    /// Who was asked: `"oop"` or `"ip"`.
    player: String,
    /// Their cards.
    hole: String,
    /// The public cards.
    board: String,
    /// `"flop"`, `"turn"` or `"river"`.
    street: String,
    /// What was answered.
    action: String,
    /// What is worth most.
    best: String,
    /// What was lost, in the unit of the solution.
    ev_loss: f64,
    /// The same in percent of the pot.
    ev_loss_pct: f64,
    /// The same in big blinds; None if nobody said what the big blind is.
    ev_loss_bb: Option<f64>,
    /// How good that is.
    verdict: String,
    /// What is wrong with it; None if it is as good as the best.
    mistake: Option<String>,
}

impl PyAnswer {
    fn new(answer: &DrillAnswer) -> Self {
        let DrillAnswer { key, board, street, action, best, .. } = answer.clone();
        Self {
            hand: answer.number,
            solution: key.solution,
            line: key.line,
            player: key.player,
            hole: key.hole,
            board,
            street,
            action,
            best,
            ev_loss: answer.ev_loss,
            ev_loss_pct: answer.ev_loss_pct,
            ev_loss_bb: answer.ev_loss_bb,
            verdict: word(&answer.verdict),
            mistake: answer.mistake.as_ref().map(word),
        }
    }
}

#[pymethods]
impl PyAnswer {
    fn __repr__(&self) -> String {
        format!("<Answer to hand {}: {} {}, {}>", self.hand, self.hole, self.action, self.verdict)
    }
}
