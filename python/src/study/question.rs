//! What a drill asks.

use super::html;
use crate::player::PyPlayer;
use noregret_drill::Question;
use pyo3::prelude::*;

/// A question: a hand at a decision. Amounts are in the unit of the solution.
///
/// >>> import noregret as nr
/// >>> from noregret import study
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> drill = study.Drill(nr.solve(spot, target=0.5, progress=False), seed=7, player=nr.OOP)
/// >>> question = drill.question
/// >>> question.player, question.board, question.actions, question.pot, question.stacks
/// (Player.OOP, 'QsJh2h8c3d', ['check', 'bet 50'], 100.0, (300.0, 300.0))
#[pyclass(name = "Question", module = "noregret.study", frozen)]
pub struct PyQuestion {
    pub question: Question,
    /// The id of the solution.
    pub solution: String,
    /// The number of the hand.
    pub hand: u64,
    /// How many questions were answered before.
    pub decision: usize,
    /// How many questions are left, where what went wrong is asked again.
    pub left: Option<usize>,
}

#[pymethods]
impl PyQuestion {
    /// How many questions of the drill were answered before.
    #[getter]
    fn decision(&self) -> usize {
        self.decision
    }

    /// The number of the hand, from 0.
    #[getter]
    fn hand(&self) -> u64 {
        self.hand
    }

    /// How many questions are left with this one, where what went wrong is asked again; else None.
    #[getter]
    fn left(&self) -> Option<usize> {
        self.left
    }

    /// The name of the solution.
    #[getter]
    fn solution(&self) -> &str {
        &self.solution
    }

    /// Who is asked.
    #[getter]
    fn player(&self) -> PyPlayer {
        self.question.player.into()
    }

    /// Their cards, like `"AhKh"`.
    #[getter]
    fn hole(&self) -> String {
        self.question.hole.to_string()
    }

    /// The public cards.
    #[getter]
    fn board(&self) -> String {
        self.question.board.to_string()
    }

    /// `"flop"`, `"turn"` or `"river"`.
    #[getter]
    fn street(&self) -> String {
        self.question.board.street().to_string()
    }

    /// Actions and cards from the root.
    #[getter]
    fn line(&self) -> String {
        self.question.line.to_string()
    }

    /// The same step by step: what it is, who acted (None for a card), the pot before it.
    #[getter]
    fn steps(&self) -> Vec<(String, Option<PyPlayer>, f64)> {
        let step =
            |step: &noregret_drill::QuestionStep| (step.label.clone(), step.player.map(Into::into), step.pot);
        self.question.steps.iter().map(step).collect()
    }

    /// The chips in the middle.
    #[getter]
    fn pot(&self) -> f64 {
        self.question.pot
    }

    /// What there is to call.
    #[getter]
    fn to_call(&self) -> f64 {
        self.question.to_call
    }

    /// What each player has left: who acts first, and last.
    #[getter]
    fn stacks(&self) -> (f64, f64) {
        let [oop, ip] = self.question.stacks;
        (oop, ip)
    }

    /// What can be done, the most passive first.
    #[getter]
    fn actions(&self) -> Vec<String> {
        self.question.actions.iter().map(ToString::to_string).collect()
    }

    fn __repr__(&self) -> String {
        let player = noregret_report::player_name(self.question.player).to_uppercase();
        format!("<Question {}: {} on {} as {player}>", self.decision, self.hole(), self.board())
    }

    fn _repr_html_(&self) -> String {
        html::question(&self.question)
    }
}
