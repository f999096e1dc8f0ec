//! A point of a solution, and what comes after it.

use crate::action::PyAction;
use crate::board::PyBoard;
use crate::hands::{PyHand, PyHands};
use crate::node_data::NodeData;
use crate::numbers::{matrix, vector};
use crate::player::{PyPlayer, player};
use crate::solution_data::SolutionData;
use crate::{arrow, error, html};
use arrow_array::Float64Array;
use noregret_holdem::cards::Hole;
use noregret_holdem::{BettingNodeKind, HandError, Line, Player, Step};
use noregret_report::{player_name, pot};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use std::sync::Arc;

/// A point of a solution: who acts, what can be done, and what every hand does and expects.
///
/// EVs count from here on, in chips: the pot counts, what was put in before does not. Arrays have a row for each hand that the player
/// may hold here, in the order of `hands(player)`; they are views of the numbers of the node and cannot be written to. Whoever reads
/// Arrow reads a node as a table with a row for each hand of both players: `polars.DataFrame(node)`.
///
/// EVs and equities are worked out when one of them is asked for, for all hands at once.
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
pub struct PyNode(Arc<NodeData>);

impl PyNode {
    /// The end of a line of a solution.
    pub fn new(py: Python<'_>, solution: Arc<SolutionData>, line: &Line) -> PyResult<Self> {
        NodeData::new(py, solution, line).map(Self::from)
    }

    /// What notebooks show.
    pub fn page(&self, py: Python<'_>) -> PyResult<html::NodePage<'_>> {
        let values = self.0.values(py)?;
        Ok(html::NodePage {
            data: &self.0.solution,
            line: &self.0.line,
            summary: &values.summary,
            hands: values.hands.each_ref().map(Vec::as_slice),
        })
    }

    /// The player that is asked for, or else the one who acts.
    fn player_or_actor(&self, of: Option<&Bound<'_, PyAny>>) -> PyResult<Player> {
        match (of, self.0.reach.player) {
            (Some(of), _) => player(of),
            (None, Some(actor)) => Ok(actor),
            (None, None) => Err(PyValueError::new_err("nobody acts here: give a player")),
        }
    }

    /// The player who acts; an error if another one is asked for.
    fn actor(&self, of: Option<&Bound<'_, PyAny>>) -> PyResult<Player> {
        let player = self.player_or_actor(of)?;
        if self.0.reach.player == Some(player) {
            return Ok(player);
        }
        let (other, actor) = (player_name(player), self.0.reach.player.map_or("nobody", player_name));
        Err(PyValueError::new_err(format!("{other} does not act here: {actor} does")))
    }

    /// A column of a player's hands.
    fn column<'py>(
        &self,
        py: Python<'py>,
        of: Option<&Bound<'py, PyAny>>,
        column: impl FnOnce(&NodeData) -> PyResult<&Float64Array>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.0.rows_of(self.player_or_actor(of)?);
        vector(py, &column(&self.0)?.slice(rows.start, rows.len()))
    }
}

impl From<NodeData> for PyNode {
    fn from(node: NodeData) -> Self {
        Self(Arc::new(node))
    }
}

#[pymethods]
impl PyNode {
    /// The line that leads here, like `"check, bet 94"`.
    #[getter]
    fn line(&self) -> String {
        self.0.line.to_string()
    }

    /// The public cards.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard(self.0.reach.board)
    }

    /// Who acts; None where a card is dealt or the hand is over.
    #[getter]
    fn player(&self) -> Option<PyPlayer> {
        self.0.reach.player.map(PyPlayer::from)
    }

    /// `"decision"`, `"chance"` or `"terminal"`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0.solution.solution.game().betting()[self.0.reach.node].kind {
            BettingNodeKind::Decision(_) => "decision",
            BettingNodeKind::Chance => "chance",
            _ => "terminal",
        }
    }

    /// The chips in the middle.
    #[getter]
    fn pot(&self) -> f64 {
        pot(self.0.solution.solution.game(), self.0.reach.node)
    }

    /// What a player has left behind, in chips.
    fn stack(&self, of: &Bound<'_, PyAny>) -> PyResult<f64> {
        let player = player(of)?;
        let game = self.0.solution.solution.game();
        let stack = game.spot().options().effective_stack.as_f64();
        Ok(stack - noregret_report::paid(game, self.0.reach.node, player))
    }

    /// What can be done here, how often it is done and what it is worth.
    #[getter]
    fn actions(&self) -> Vec<PyAction> {
        (0..self.0.reach.actions.len()).map(|index| PyAction::new(self.0.clone(), index)).collect()
    }

    /// What comes after each action or card, by its name; read when it is asked for.
    #[getter]
    fn children(&self) -> PyResult<PyChildren> {
        let game = self.0.solution.solution.game();
        let steps = match game.betting()[self.0.reach.node].kind {
            BettingNodeKind::Decision(_) => {
                self.0.reach.actions.iter().map(|action| Step::Action(*action)).collect()
            }
            BettingNodeKind::Chance => {
                let cards = game.next_cards(&self.0.line);
                let cards = cards.map_err(|error| error::LineError::new_err(error.to_string()))?;
                cards.into_iter().map(|(card, _)| Step::Card(card)).collect()
            }
            _ => Vec::new(),
        };
        Ok(PyChildren::new(self.0.clone(), steps))
    }

    /// The point before this one; None at the root.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Self>> {
        let mut line = self.0.line.clone();
        match line.steps.pop() {
            Some(_) => Self::new(py, self.0.solution.clone(), &line).map(Some),
            None => Ok(None),
        }
    }

    /// What comes after more of a line: `node["bet 94"]`, `node["call, Th"]`.
    fn __getitem__(&self, py: Python<'_>, line: &str) -> PyResult<Self> {
        self.0.after_text(py, line).map(Self::from)
    }

    /// The hands that a player may hold here: of the one who acts, if no other is asked for.
    #[pyo3(signature = (player=None))]
    fn hands(&self, player: Option<&Bound<'_, PyAny>>) -> PyResult<PyHands> {
        let rows = match (player, self.0.reach.player) {
            (None, None) => 0..self.0.rows(),
            _ => self.0.rows_of(self.player_or_actor(player)?),
        };
        Ok(PyHands::new(self.0.clone(), rows))
    }

    /// One hand, by its cards: of the player who acts, if no other is asked for.
    #[pyo3(signature = (cards, player=None))]
    fn hand(&self, cards: &str, player: Option<&Bound<'_, PyAny>>) -> PyResult<PyHand> {
        let player = self.player_or_actor(player)?;
        let hole: Hole = cards
            .parse()
            .map_err(|_| PyValueError::new_err(HandError::Text(cards.to_owned()).to_string()))?;
        let place = self.0.reach.hands[player.index()].iter().position(|hand| hand.hole == hole);
        let place = place.ok_or_else(|| error::hand_key(HandError::NotThere(hole)))?;
        Ok(PyHand::new(self.0.clone(), self.0.rows_of(player).start + place))
    }

    /// How often each hand of the player who acts takes each action: float32, hands × actions. A hand that does not reach this point
    /// has NaN.
    #[pyo3(signature = (player=None))]
    fn strategy<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.0.rows_of(self.actor(player)?);
        matrix(py, &self.0.reach_columns().strategy, self.0.reach.actions.len(), self.0.rows(), rows)
    }

    /// What each hand of the player who acts expects after each action: float64, hands × actions; NaN where there is no opponent.
    #[pyo3(signature = (player=None))]
    fn action_evs<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.0.rows_of(self.actor(player)?);
        matrix(py, &self.0.values(py)?.action_evs, self.0.reach.actions.len(), self.0.rows(), rows)
    }

    /// What each hand of a player expects from here on, in chips; NaN where no hand of the opponent is here with it.
    #[pyo3(signature = (player=None))]
    fn ev<'py>(&self, py: Python<'py>, player: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, player, |node| Ok(&node.values(py)?.ev))
    }

    /// Which share of the pot each hand of a player wins if both check to the end; NaN as for `ev`.
    #[pyo3(signature = (player=None))]
    fn equity<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, player, |node| Ok(&node.values(py)?.equity))
    }

    /// The reach probability of each hand of a player: its weight in the range times the frequencies of its actions so far.
    #[pyo3(signature = (player=None))]
    fn reach<'py>(&self, py: Python<'py>, player: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, player, |node| Ok(&node.reach_columns().reach))
    }

    /// The reach of each hand of a player after card removal, up to a constant: the weight of means over hands.
    #[pyo3(signature = (player=None))]
    fn share<'py>(&self, py: Python<'py>, player: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, player, |node| Ok(&node.reach_columns().share))
    }

    /// What the hands of a player expect on average from here on, in chips; None if no hands of both players are here together.
    #[pyo3(signature = (player=None))]
    fn mean_ev(&self, py: Python<'_>, player: Option<&Bound<'_, PyAny>>) -> PyResult<Option<f64>> {
        let player = self.player_or_actor(player)?;
        Ok(self.0.values(py)?.summary.players[player.index()].ev)
    }

    /// The mean equity of the hands of a player; None as for `mean_ev`.
    #[pyo3(signature = (player=None))]
    fn mean_equity(&self, py: Python<'_>, player: Option<&Bound<'_, PyAny>>) -> PyResult<Option<f64>> {
        let player = self.player_or_actor(player)?;
        Ok(self.0.values(py)?.summary.players[player.index()].equity)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::stream(py, self.0.table(py)?, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, self.0.table(py)?)
    }

    fn __repr__(&self) -> String {
        let NodeData { line, reach, .. } = &*self.0;
        let line = if line.steps.is_empty() { "root".to_owned() } else { line.to_string() };
        let who = reach
            .player
            .map_or_else(|| self.kind().to_owned(), |player| format!("{} acts", player_name(player)));
        format!("<Node {line}: {}, pot {}, {who}>", reach.board, self.pot())
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(html::node(&self.page(py)?))
    }
}

/// What comes after a point, by action or card: a mapping that reads a node when it is asked for it.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c", pot=100, stack=300)
/// >>> solution = nr.solve(spot, target=5, progress=False)
/// >>> list(solution.root.children), solution.root.children["check"].player
/// (['check', 'bet 50'], Player.IP)
/// >>> len(solution["check, check"].children)
/// 48
#[pyclass(name = "Children", module = "noregret", frozen, mapping)]
pub struct PyChildren {
    node: Arc<NodeData>,
    steps: Vec<Step>,
}

impl PyChildren {
    /// The steps that can be taken at a node.
    pub fn new(node: Arc<NodeData>, steps: Vec<Step>) -> Self {
        Self { node, steps }
    }

    fn child(&self, py: Python<'_>, step: Step) -> PyResult<PyNode> {
        self.node.after(py, &Line { steps: vec![step] }).map(PyNode::from)
    }
}

#[pymethods]
impl PyChildren {
    fn __len__(&self) -> usize {
        self.steps.len()
    }

    fn __contains__(&self, step: &Bound<'_, PyAny>) -> bool {
        step.extract::<String>().is_ok_and(|step| self.steps.iter().any(|known| known.to_string() == step))
    }

    /// What comes after a step; `default` if there is no such step.
    #[pyo3(signature = (step, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        step: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match step.extract::<String>().ok().filter(|_| self.__contains__(step)) {
            Some(step) => Ok(Some(Bound::new(py, self.__getitem__(py, &step)?)?.into_any())),
            None => Ok(default),
        }
    }

    fn __getitem__(&self, py: Python<'_>, step: &str) -> PyResult<PyNode> {
        let found = self.steps.iter().find(|known| known.to_string() == step);
        self.child(py, *found.ok_or_else(|| PyKeyError::new_err(step.to_owned()))?)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.keys())?.into_any().try_iter()?.into_any())
    }

    /// The names of the steps.
    fn keys(&self) -> Vec<String> {
        self.steps.iter().map(ToString::to_string).collect()
    }

    /// The nodes, all opened at once.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<PyNode>> {
        self.steps.iter().map(|step| self.child(py, *step)).collect()
    }

    /// The names with their nodes, all opened at once.
    fn items(&self, py: Python<'_>) -> PyResult<Vec<(String, PyNode)>> {
        Ok(self.keys().into_iter().zip(self.values(py)?).collect())
    }

    fn __repr__(&self) -> String {
        format!("<Children: {}>", self.keys().join(", "))
    }
}
