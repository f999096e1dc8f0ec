//! A point of a solution.

use crate::board::PyBoard;
use crate::hands::{HandsAtNode, PyHand, PyHands};
use crate::player::{PyPlayer, player};
use crate::solution_data::SolutionData;
use crate::{arrow, error, html};
use arrow_array::RecordBatch;
use noregret_holdem::cards::Hole;
use noregret_holdem::{BettingNodeKind, HandError, Line, NodeView, Player, ReadError, Step};
use noregret_report::{ActionSummary, HandLine, NodeSummary, hand_lines, player_name};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// A point of a solution: who acts, what can be done, and what every hand does and expects.
///
/// EVs count from here on, in chips: the pot counts, what was put in before does not. Arrays have a row for each hand that the player
/// may hold here, in the order of `hands(player)`. Whoever reads Arrow reads a node as a table with a row for each hand of both
/// players: `polars.DataFrame(node)`.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> node = nr.solve(spot, target=0.5, progress=False)["check"]
/// >>> node.player, node.pot, [str(action) for action in node.actions]
/// (Player.IP, 100.0, ['check', 'bet 50'])
/// >>> node.strategy(nr.IP).shape == (len(node.hands(nr.IP)), 2)
/// True
/// >>> node.hand("QdQc").made
/// 'set'
/// >>> node["bet 50"].line
/// 'check, bet 50'
#[pyclass(name = "Node", module = "noregret", frozen)]
pub struct PyNode {
    data: Arc<SolutionData>,
    line: Line,
    view: NodeView,
    summary: NodeSummary,
    lines: [OnceLock<Vec<HandLine>>; 2],
    table: OnceLock<RecordBatch>,
}

impl PyNode {
    /// The end of a line of a solution.
    pub fn new(py: Python<'_>, data: Arc<SolutionData>, line: &Line) -> PyResult<Self> {
        let (view, exact) = py.detach(|| {
            data.read(|solution| {
                let view = solution.at(line)?;
                let game = solution.game();
                Ok((view, game.betting().exact(game.spot().board(), line).map_err(ReadError::Line)?))
            })
        })?;
        let summary = NodeSummary::new(data.solution.game(), &view);
        Ok(Self { data, line: exact, view, summary, lines: Default::default(), table: OnceLock::new() })
    }

    /// What notebooks show.
    pub fn page(&self) -> html::NodePage<'_> {
        let hands = Player::BOTH.map(|player| self.lines_of(player));
        html::NodePage { data: &self.data, line: &self.line, summary: &self.summary, hands }
    }

    /// The hands of a player, with what they do and expect.
    fn lines_of(&self, player: Player) -> &[HandLine] {
        self.lines[player.index()].get_or_init(|| hand_lines(self.data.solution.game(), &self.view, player))
    }

    fn list(&self, players: &[Player]) -> HandsAtNode {
        let of = |player: &Player| {
            self.lines_of(*player).iter().map(|line| (*player, line.clone())).collect::<Vec<_>>()
        };
        let mut metadata = self.data.metadata();
        metadata.insert("line".to_owned(), self.line.to_string());
        metadata.insert("board".to_owned(), self.view.board.to_string());
        HandsAtNode {
            lines: players.iter().flat_map(of).collect(),
            actions: self.view.actions.clone(),
            metadata,
        }
    }

    /// The player that is asked for, or else the one who acts.
    fn player_or_actor(&self, of: Option<&Bound<'_, PyAny>>) -> PyResult<Player> {
        match (of, self.view.player) {
            (Some(of), _) => player(of),
            (None, Some(actor)) => Ok(actor),
            (None, None) => Err(PyValueError::new_err("nobody acts here: give a player")),
        }
    }

    fn actor_numbers(
        &self,
        of: Option<&Bound<'_, PyAny>>,
        numbers: impl Fn(&HandLine) -> Option<&Vec<f64>>,
    ) -> PyResult<Vec<Vec<f64>>> {
        let player = self.player_or_actor(of)?;
        if self.view.player != Some(player) {
            let who = self.view.player.map_or("nobody", player_name);
            return Err(PyValueError::new_err(format!(
                "{} does not act here: {who} does",
                player_name(player)
            )));
        }
        let row = |line: &HandLine| {
            numbers(line).cloned().unwrap_or_else(|| vec![f64::NAN; self.view.actions.len()])
        };
        Ok(self.lines_of(player).iter().map(row).collect())
    }

    fn column<'py>(
        &self,
        py: Python<'py>,
        of: Option<&Bound<'py, PyAny>>,
        number: impl Fn(&HandLine) -> Option<f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let player = self.player_or_actor(of)?;
        let numbers: Vec<f64> =
            self.lines_of(player).iter().map(|line| number(line).unwrap_or(f64::NAN)).collect();
        Ok(numbers.into_pyarray(py))
    }

    fn table(&self) -> PyResult<&RecordBatch> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let table = self.list(&Player::BOTH).table()?;
        Ok(self.table.get_or_init(|| table))
    }
}

#[pymethods]
impl PyNode {
    /// The line that leads here, like `"check, bet 94"`.
    #[getter]
    fn line(&self) -> String {
        self.line.to_string()
    }

    /// The public cards.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard(self.view.board)
    }

    /// Who acts; None where a card is dealt or the hand is over.
    #[getter]
    fn player(&self) -> Option<PyPlayer> {
        self.view.player.map(PyPlayer::from)
    }

    /// `"decision"`, `"chance"` or `"terminal"`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.data.solution.game().betting()[self.view.node].kind {
            BettingNodeKind::Decision(_) => "decision",
            BettingNodeKind::Chance => "chance",
            _ => "terminal",
        }
    }

    /// The chips in the middle.
    #[getter]
    fn pot(&self) -> f64 {
        self.summary.pot
    }

    /// What a player has left behind, in chips.
    fn stack(&self, of: &Bound<'_, PyAny>) -> PyResult<f64> {
        let player = player(of)?;
        Ok(self.data.spec.spot.options().effective_stack.as_f64() - self.view.committed[player.index()])
    }

    /// What can be done here, how often it is done and what it is worth.
    #[getter]
    fn actions(&self) -> Vec<PyAction> {
        self.summary.actions.iter().map(|action| PyAction(*action)).collect()
    }

    /// What comes after each action or card, by its name; read when it is asked for.
    #[getter]
    fn children(&self) -> PyResult<PyChildren> {
        let steps = match self.data.solution.game().betting()[self.view.node].kind {
            BettingNodeKind::Decision(_) => {
                self.view.actions.iter().map(|action| Step::Action(*action)).collect()
            }
            BettingNodeKind::Chance => {
                let cards = self.data.solution.game().next_cards(&self.line);
                let cards = cards.map_err(|error| error::LineError::new_err(error.to_string()))?;
                cards.into_iter().map(|(card, _)| Step::Card(card)).collect()
            }
            _ => Vec::new(),
        };
        Ok(PyChildren { data: self.data.clone(), line: self.line.clone(), steps })
    }

    /// The point before this one; None at the root.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Self>> {
        let mut line = self.line.clone();
        match line.steps.pop() {
            Some(_) => Self::new(py, self.data.clone(), &line).map(Some),
            None => Ok(None),
        }
    }

    /// What comes after more of a line: `node["bet 94"]`, `node["call, Th"]`.
    fn __getitem__(&self, py: Python<'_>, line: &str) -> PyResult<Self> {
        let more: Line = line.parse().map_err(|error| error::read(&ReadError::Text(error), None))?;
        let steps = self.line.steps.iter().chain(&more.steps).copied().collect();
        Self::new(py, self.data.clone(), &Line { steps })
    }

    /// The hands that a player may hold here: of the one who acts, if no other is asked for.
    #[pyo3(signature = (player=None))]
    fn hands(&self, player: Option<&Bound<'_, PyAny>>) -> PyResult<PyHands> {
        let players = match (player, self.view.player) {
            (None, None) => Player::BOTH.to_vec(),
            _ => vec![self.player_or_actor(player)?],
        };
        PyHands::new(self.list(&players))
    }

    /// One hand, by its cards: of the player who acts, if no other is asked for.
    #[pyo3(signature = (cards, player=None))]
    fn hand(&self, cards: &str, player: Option<&Bound<'_, PyAny>>) -> PyResult<PyHand> {
        let player = self.player_or_actor(player)?;
        let hole: Hole = cards
            .parse()
            .map_err(|_| PyValueError::new_err(HandError::Text(cards.to_owned()).to_string()))?;
        let line = self.lines_of(player).iter().find(|line| line.hole == hole);
        let line = line.ok_or_else(|| PyKeyError::new_err(HandError::NotThere(hole).to_string()))?;
        Ok(PyHand::new(player, line.clone(), &self.view.actions))
    }

    /// How often each hand of the player who acts takes each action: float32, hands × actions. A hand that does not reach this point
    /// has NaN.
    #[pyo3(signature = (player=None))]
    fn strategy<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let rows = self.actor_numbers(player, |line| line.strategy.as_ref())?;
        let (hands, actions) = (rows.len(), self.view.actions.len());
        let numbers: Vec<f32> = rows.into_iter().flatten().map(|number| number as f32).collect();
        numbers.into_pyarray(py).reshape([hands, actions])
    }

    /// What each hand of the player who acts expects after each action: float64, hands × actions; NaN where there is no opponent.
    #[pyo3(signature = (player=None))]
    fn action_evs<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = self.actor_numbers(player, |line| line.action_evs.as_ref())?;
        let (hands, actions) = (rows.len(), self.view.actions.len());
        rows.into_iter().flatten().collect::<Vec<f64>>().into_pyarray(py).reshape([hands, actions])
    }

    /// What each hand of a player expects from here on, in chips; NaN where no hand of the opponent is here with it.
    #[pyo3(signature = (player=None))]
    fn ev<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, player, |line| line.ev)
    }

    /// Which share of the pot each hand of a player wins if both check to the end; NaN as for `ev`.
    #[pyo3(signature = (player=None))]
    fn equity<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, player, |line| line.equity)
    }

    /// The reach probability of each hand of a player: its weight in the range times the frequencies of its actions so far.
    #[pyo3(signature = (player=None))]
    fn reach<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, player, |line| Some(line.reach))
    }

    /// The reach of each hand of a player after card removal, up to a constant: the weight of means over hands.
    #[pyo3(signature = (player=None))]
    fn share<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, player, |line| Some(line.share))
    }

    /// What the hands of a player expect on average from here on, in chips; None if no hands of both players are here together.
    #[pyo3(signature = (player=None))]
    fn mean_ev(&self, player: Option<&Bound<'_, PyAny>>) -> PyResult<Option<f64>> {
        Ok(self.summary.players[self.player_or_actor(player)?.index()].ev)
    }

    /// The mean equity of the hands of a player; None as for `mean_ev`.
    #[pyo3(signature = (player=None))]
    fn mean_equity(&self, player: Option<&Bound<'_, PyAny>>) -> PyResult<Option<f64>> {
        Ok(self.summary.players[self.player_or_actor(player)?.index()].equity)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        arrow::stream(py, self.table()?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, self.table()?)
    }

    fn __repr__(&self) -> String {
        let line = if self.line.steps.is_empty() { "root".to_owned() } else { self.line.to_string() };
        let who = self
            .view
            .player
            .map_or_else(|| self.kind().to_owned(), |player| format!("{} acts", player_name(player)));
        format!("<Node {line}: {}, pot {}, {who}>", self.view.board, self.summary.pot)
    }

    fn _repr_html_(&self) -> String {
        html::node(&self.page())
    }
}

/// What can be done at a point.
#[pyclass(name = "Action", module = "noregret", frozen, skip_from_py_object)]
#[derive(Clone, Copy)]
pub struct PyAction(ActionSummary);

#[pymethods]
impl PyAction {
    /// `"fold"`, `"check"`, `"call"`, `"bet"`, `"raise"` or `"all-in"`.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.action.name()
    }

    /// What the player has put in on this street in all; 0 where there is no amount.
    #[getter]
    fn amount(&self) -> u32 {
        self.0.action.amount().map_or(0, |amount| amount.get())
    }

    /// How often it is taken, over all hands after card removal; None if no hands of both players are here together.
    #[getter]
    fn frequency(&self) -> Option<f64> {
        self.0.frequency
    }

    /// What the hands that take it expect of it, from here on; None as for `frequency`.
    #[getter]
    fn ev(&self) -> Option<f64> {
        self.0.outlook.ev
    }

    /// The equity of the hands that take it; None as for `frequency`.
    #[getter]
    fn equity(&self) -> Option<f64> {
        self.0.outlook.equity
    }

    /// How many combinations take it.
    #[getter]
    fn combos(&self) -> f64 {
        self.0.outlook.combos
    }

    fn __str__(&self) -> String {
        self.0.action.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Action(\"{}\")", self.0.action)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0.action == self.0.action)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.action.hash(&mut hasher);
        hasher.finish()
    }
}

/// What comes after a point, by action or card: a mapping that reads a node when it is asked for it.
#[pyclass(name = "Children", module = "noregret", frozen, mapping)]
pub struct PyChildren {
    data: Arc<SolutionData>,
    line: Line,
    steps: Vec<Step>,
}

#[pymethods]
impl PyChildren {
    fn __len__(&self) -> usize {
        self.steps.len()
    }

    fn __contains__(&self, step: &str) -> bool {
        self.steps.iter().any(|known| known.to_string() == step)
    }

    fn __getitem__(&self, py: Python<'_>, step: &str) -> PyResult<PyNode> {
        let found = self.steps.iter().find(|known| known.to_string() == step);
        let found = found.ok_or_else(|| PyKeyError::new_err(step.to_owned()))?;
        let steps = self.line.steps.iter().chain([found]).copied().collect();
        PyNode::new(py, self.data.clone(), &Line { steps })
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.keys())?.into_any().try_iter()?.into_any())
    }

    /// The names of the steps.
    fn keys(&self) -> Vec<String> {
        self.steps.iter().map(ToString::to_string).collect()
    }

    /// The nodes, all read at once.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<PyNode>> {
        self.keys().iter().map(|step| self.__getitem__(py, step)).collect()
    }

    /// The names with their nodes, all read at once.
    fn items(&self, py: Python<'_>) -> PyResult<Vec<(String, PyNode)>> {
        self.keys().into_iter().map(|step| Ok((step.clone(), self.__getitem__(py, &step)?))).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Children: {}>", self.keys().join(", "))
    }
}
