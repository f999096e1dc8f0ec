//! A hand that was played.

use super::decision::PyDecision;
use crate::error;
use crate::json::document;
use crate::pool::on_pool;
use crate::solution::PySolution;
use crate::solution_data::FileOf;
use crate::spot::PySpot;
use noregret_hands::{
    DecisionRow, GameStakes, HandSeat, HandSpot, HandsSession, Money, PlayedAction, PlayedHand, Post,
    SessionHand, hand_document,
};
use noregret_holdem::{Spot, TreeOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// A hand that was played, checked: its chips add up, its cards do not repeat, its actions are legal and in order. Amounts are in
/// its currency, or in chips.
///
/// >>> from noregret import study
/// >>> hand = study.read_text(study.EXAMPLE).hands[0]
/// >>> hand.source, hand.big_blind, hand.pot, hand.rake, len(hand.seats)
/// ('PokerStars', 1.0, 20.5, 1.0, 6)
/// >>> [str(action) for action in hand.actions if action.street == "turn"]
/// ['BB bet 10, all-in', 'BTN fold']
#[pyclass(name = "PlayedHand", module = "noregret.study", frozen)]
pub struct PyPlayedHand {
    session: Arc<HandsSession>,
    place: usize,
}

impl PyPlayedHand {
    /// The hand at a place of a session.
    pub fn new(session: Arc<HandsSession>, place: usize) -> Self {
        Self { session, place }
    }

    fn entry(&self) -> &SessionHand {
        &self.session.hands[self.place]
    }

    fn hand(&self) -> &PlayedHand {
        &self.entry().hand
    }

    fn number(&self, amount: Money) -> f64 {
        self.hand().unit().number(amount)
    }

    fn position(&self, seat: usize) -> String {
        self.hand().seats()[seat].position.to_string()
    }

    fn seat(&self, seat: &HandSeat) -> PySeat {
        PySeat {
            number: seat.number,
            name: seat.name.clone(),
            position: seat.position.to_string(),
            stack: self.number(seat.stack),
            final_stack: self.number(seat.final_stack),
            collected: self.number(seat.collected),
            hole: seat.hole.map(|hole| hole.to_string()),
        }
    }
}

/// Refuses a solution of another flop, or with another pot or stack: its EVs are not those of the hand.
fn check_same_spot(hand: &SessionHand, solved: &Spot) -> PyResult<()> {
    let Ok(spot) = &hand.spot else { return Ok(()) };
    let told = |spot: &Spot| {
        let TreeOptions { starting_pot, effective_stack, .. } = spot.options();
        format!("{} with pot {starting_pot} and stack {effective_stack}", spot.board())
    };
    let (own, given) = (told(&spot.spec.spot), told(solved));
    if own == given {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("solution: it is of {given}, and the spot of the hand is {own}")))
}

#[pymethods]
impl PyPlayedHand {
    /// Its number, as the text has it.
    #[getter]
    fn id(&self) -> &str {
        self.hand().id()
    }

    /// Where it was written down: `"PokerStars"`, `"GGPoker"` or `"PHH"`.
    #[getter]
    fn source(&self) -> String {
        self.hand().source().to_string()
    }

    /// The file that it is from.
    #[getter]
    fn file(&self) -> &str {
        &self.entry().file
    }

    /// Its first line in the file, from 1.
    #[getter]
    fn line(&self) -> u32 {
        self.hand().first_line()
    }

    /// When it was played, as the text has it; empty if it does not say.
    #[getter]
    fn time(&self) -> &str {
        self.hand().time()
    }

    /// The name of the table; empty if the text has none.
    #[getter]
    fn table(&self) -> &str {
        self.hand().table()
    }

    /// The name of the tournament; None in a cash game.
    #[getter]
    fn tournament(&self) -> Option<String> {
        match self.hand().stakes() {
            GameStakes::Cash => None,
            GameStakes::Tournament(name) => Some(name.clone()),
        }
    }

    /// What it was played for: `"USD"`, `"chips"` of a tournament, `"play"` money.
    #[getter]
    fn currency(&self) -> &'static str {
        self.hand().unit().currency.code()
    }

    /// The small blind.
    #[getter]
    fn small_blind(&self) -> f64 {
        self.number(self.hand().blinds()[0])
    }

    /// The big blind.
    #[getter]
    fn big_blind(&self) -> f64 {
        self.number(self.hand().blinds()[1])
    }

    /// The public cards, in the order dealt; empty if the hand ended before the flop.
    #[getter]
    fn board(&self) -> String {
        self.hand().board().iter().map(ToString::to_string).collect()
    }

    /// All chips that were played for.
    #[getter]
    fn pot(&self) -> f64 {
        self.number(self.hand().pot())
    }

    /// What the house took of it.
    #[getter]
    fn rake(&self) -> f64 {
        self.number(self.hand().rake())
    }

    /// Who was dealt in, in the order of action before the flop.
    #[getter]
    fn seats(&self) -> Vec<PySeat> {
        self.hand().seats().iter().map(|seat| self.seat(seat)).collect()
    }

    /// Whose hand it is; None if the text deals cards to nobody.
    #[getter]
    fn hero(&self) -> Option<PySeat> {
        self.hand().hero().map(|hero| self.seat(&self.hand().seats()[hero]))
    }

    /// Antes and blinds, in the order of the text.
    #[getter]
    fn posts(&self) -> Vec<PyPost> {
        let post = |post: &Post| PyPost {
            position: self.position(post.seat),
            kind: post.kind.to_string(),
            amount: self.number(post.amount),
            line: post.line,
        };
        self.hand().posts().iter().map(post).collect()
    }

    /// What was done, in order.
    #[getter]
    fn actions(&self) -> Vec<PyPlayedAction> {
        let action = |action: &PlayedAction| PyPlayedAction {
            position: self.position(action.seat),
            street: action.street.to_string(),
            action: action.action.to_string(),
            added: self.number(action.added),
            to: self.number(action.to),
            all_in: action.is_all_in,
            pot: self.number(action.pot),
            to_call: self.number(action.to_call),
            stack: self.number(action.stack),
            line: action.line,
        };
        self.hand().actions().iter().map(action).collect()
    }

    /// What is solved for it; None if nothing is, and `left_out` says why.
    #[getter]
    fn spot(&self) -> Option<PyHandSpot> {
        self.entry().spot.is_ok().then(|| PyHandSpot { session: self.session.clone(), place: self.place })
    }

    /// Why nothing is solved for it; None if something is.
    #[getter]
    fn left_out(&self) -> Option<String> {
        self.entry().spot.as_ref().err().map(ToString::to_string)
    }

    /// Its decisions after the flop, of those who are looked at.
    #[getter]
    fn decisions(&self) -> Vec<PyDecision> {
        DecisionRow::of_hand(self.entry()).into_iter().map(PyDecision).collect()
    }

    /// The same hand with what a solution says, as that of its spot with other ranges: flop, pot and stack must be its own, and the line that
    /// was played must be in its tree.
    #[pyo3(signature = (solution, *, name="solution"))]
    fn with_solution(&self, py: Python<'_>, solution: &Bound<'_, PySolution>, name: &str) -> PyResult<Self> {
        let mut hand = self.entry().clone();
        let data = solution.get().0.clone();
        let read = on_pool(py, || {
            let file = FileOf::new(data)?;
            check_same_spot(&hand, &file.file()?.spec().spot)?;
            let read = hand.read(name, file.file()?);
            read.map_err(|error| error::read(&error, file.data.path()))
        })?;
        read?;
        let mut session = HandsSession::default();
        session.hands.push(hand);
        Ok(Self { session: Arc::new(session), place: 0 })
    }

    /// The hand as `noregret hands --json` prints it.
    fn document<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &hand_document(self.entry()))
    }

    fn __repr__(&self) -> String {
        let what = match &self.entry().spot {
            Ok(spot) => format!(
                "{} vs {}, {}, {}",
                self.position(spot.seats[0]),
                self.position(spot.seats[1]),
                spot.pot_type,
                spot.spec.spot.board()
            ),
            Err(reason) => reason.to_string(),
        };
        format!("<PlayedHand {}: {what}>", self.id())
    }
}

/// What is solved for a hand: a spot with ranges by position and action, and betting that has the line that was played.
///
/// >>> from noregret import study
/// >>> found = study.read_text(study.EXAMPLE).hands[0].spot
/// >>> found.positions, found.pot_type, found.pot_bb, found.stack_bb, found.line
/// (('BB', 'BTN'), '3-bet', 12.5, 14.0, 'bet 400, call, 5s, all-in, fold')
/// >>> found.notes[0]
/// 'AQs is not in the range `BTN calls the 3-bet of BB, 6-max, 20 bb`: added with weight 0.05'
/// >>> found.spot.board
/// Board("Qc7d2h")
#[pyclass(name = "HandSpot", module = "noregret.study", frozen)]
pub struct PyHandSpot {
    session: Arc<HandsSession>,
    place: usize,
}

impl PyHandSpot {
    fn hand(&self) -> &PlayedHand {
        &self.session.hands[self.place].hand
    }

    fn found(&self) -> PyResult<&HandSpot> {
        self.session.hands[self.place].spot.as_ref().map_err(error::request)
    }
}

#[pymethods]
impl PyHandSpot {
    /// The spot, in the smallest amount of the hand: cents, or chips.
    #[getter]
    fn spot(&self) -> PyResult<PySpot> {
        Ok(PySpot(self.found()?.spec.clone()))
    }

    /// Its spec as text, with where the ranges are from, to be edited.
    #[getter]
    fn toml(&self) -> PyResult<&str> {
        Ok(&self.found()?.toml)
    }

    /// The name of its solution: the same for equal spots.
    #[getter]
    fn name(&self) -> PyResult<String> {
        Ok(self.found()?.name())
    }

    /// What the spot takes otherwise than it was.
    #[getter]
    fn notes(&self) -> PyResult<Vec<String>> {
        Ok(self.found()?.notes.clone())
    }

    /// Who acts first and who last.
    #[getter]
    fn positions(&self) -> PyResult<(String, String)> {
        let [oop, ip] = self.found()?.seats.map(|seat| self.hand().seats()[seat].position.to_string());
        Ok((oop, ip))
    }

    /// Which ranges of the charts these are: of who acts first, and last.
    #[getter]
    fn sources(&self) -> PyResult<(String, String)> {
        let [oop, ip] = &self.found()?.ranges;
        Ok((oop.source.to_string(), ip.source.to_string()))
    }

    /// How often the pot was raised before the flop: `"single-raised"`, `"3-bet"`, `"4-bet"` or `"limped"`.
    #[getter]
    fn pot_type(&self) -> PyResult<String> {
        Ok(self.found()?.pot_type.to_string())
    }

    /// The pot on the flop, in big blinds.
    #[getter]
    fn pot_bb(&self) -> PyResult<f64> {
        Ok(self.hand().big_blinds(self.found()?.pot))
    }

    /// What both have left there, in big blinds.
    #[getter]
    fn stack_bb(&self) -> PyResult<f64> {
        Ok(self.hand().big_blinds(self.found()?.stack))
    }

    /// What was played from the flop on.
    #[getter]
    fn line(&self) -> PyResult<String> {
        Ok(self.found()?.line.to_string())
    }

    fn __repr__(&self) -> PyResult<String> {
        let found = self.found()?;
        Ok(format!("<HandSpot {}: {}>", found.name(), found.line))
    }
}

/// Somebody who was dealt in.
///
/// >>> from noregret import study
/// >>> hero = study.read_text(study.EXAMPLE).hands[0].hero
/// >>> hero.name, hero.position, hero.hole, hero.stack, hero.final_stack
/// ('Hero', 'BTN', 'AdQd', 20.0, 10.0)
#[pyclass(name = "Seat", module = "noregret.study", frozen, get_all)]
pub struct PySeat {
    /// The number of the seat, from 1.
    number: u8,
    /// The player's name.
    name: String,
    /// The place relative to the button: `"BTN"`, `"UTG+1"`.
    position: String,
    /// What the player has before the hand.
    stack: f64,
    /// What the player has after it.
    final_stack: f64,
    /// What the player gets of the pot.
    collected: f64,
    /// The cards, where they are known; else None.
    hole: Option<String>,
}

#[pymethods]
impl PySeat {
    fn __repr__(&self) -> String {
        format!("<Seat {}: {}, {}, stack {}>", self.number, self.name, self.position, self.stack)
    }
}

/// Something that a player puts in before the first action.
///
/// >>> from noregret import study
/// >>> [str(post) for post in study.read_text(study.EXAMPLE).hands[0].posts]
/// ['SB small blind 0.5', 'BB big blind 1']
#[pyclass(name = "Post", module = "noregret.study", frozen, get_all)]
pub struct PyPost {
    /// Who: the place at the table.
    position: String,
    /// `"ante"`, `"small blind"`, `"big blind"`, `"straddle"` or `"dead blind"`.
    kind: String,
    /// How much.
    amount: f64,
    /// The line of the text, from 1.
    line: u32,
}

#[pymethods]
impl PyPost {
    fn __str__(&self) -> String {
        format!("{} {} {}", self.position, self.kind, self.amount)
    }

    fn __repr__(&self) -> String {
        format!("<Post {}>", self.__str__())
    }
}

/// An action of a hand, with the betting that it answers.
///
/// >>> from noregret import study
/// >>> action = study.read_text(study.EXAMPLE).hands[0].actions[3]
/// >>> str(action), action.street, action.added, action.pot, action.to_call
/// ('BTN raise 2', 'preflop', 2.0, 1.5, 1.0)
#[pyclass(name = "PlayedAction", module = "noregret.study", frozen, get_all)]
pub struct PyPlayedAction {
    /// Who acts: the place at the table.
    position: String,
    /// `"preflop"`, `"flop"`, `"turn"` or `"river"`.
    street: String,
    /// `"fold"`, `"check"`, `"call"`, `"bet"` or `"raise"`.
    action: String,
    /// What the player puts in with it.
    added: f64,
    /// What the player has put in on the street after it; antes and dead blinds do not count.
    to: f64,
    /// Whether nothing is left after it.
    all_in: bool,
    /// All chips in the middle before it.
    pot: f64,
    /// What there was to call.
    to_call: f64,
    /// What the player had left before it.
    stack: f64,
    /// The line of the text, from 1.
    line: u32,
}

#[pymethods]
impl PyPlayedAction {
    fn __str__(&self) -> String {
        let amount = if self.added > 0.0 { format!(" {}", self.to) } else { String::new() };
        let all_in = if self.all_in { ", all-in" } else { "" };
        format!("{} {}{amount}{all_in}", self.position, self.action)
    }

    fn __repr__(&self) -> String {
        format!("<PlayedAction {}: {}>", self.street, self.__str__())
    }
}
