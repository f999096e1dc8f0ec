//! What a node knows: read from the solution when it is asked for, and kept.

use crate::arrow::NamedColumn;
use crate::numbers::column;
use crate::pool::on_pool;
use crate::solution_data::SolutionData;
use crate::{arrow, error};
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Float32Array, Float64Array, RecordBatch};
use noregret_holdem::cards::HandClass;
use noregret_holdem::{HandReach, Line, NodeReach, NodeView, Player, ReadError};
use noregret_report::{HandLine, NEGLIGIBLE, NodeSummary, hand_lines, player_name};
use pyo3::prelude::*;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A point of a solution. Who holds what and does what is read when it is opened; EVs and equities take longer, and are worked out when
/// somebody asks for one of them.
pub struct NodeData {
    pub solution: Arc<SolutionData>,
    /// The line that leads there, with amounts.
    pub line: Line,
    pub reach: NodeReach,
    reach_columns: OnceLock<ReachColumns>,
    values: OnceLock<NodeValues>,
    table: OnceLock<RecordBatch>,
}

/// Numbers of both players' hands, those of OOP first. Columns of actions follow each other in one array.
pub struct ReachColumns {
    pub reach: Float64Array,
    pub share: Float64Array,
    pub strategy: Float32Array,
}

/// What takes longer to read.
pub struct NodeValues {
    pub summary: NodeSummary,
    /// Both players' hands.
    pub hands: [Vec<HandLine>; 2],
    pub ev: Float64Array,
    pub equity: Float64Array,
    pub action_evs: Float64Array,
}

impl NodeData {
    /// The end of a line of a solution.
    pub fn new(py: Python<'_>, solution: Arc<SolutionData>, line: &Line) -> PyResult<Self> {
        let (reach, line) = on_pool(py, || {
            solution.read(|solution| {
                let game = solution.game();
                let exact = game.betting().exact(game.spot().board(), line).map_err(ReadError::Line)?;
                Ok((solution.reach_at(line.clone())?, exact))
            })
        })??;
        let (reach_columns, values, table) = Default::default();
        Ok(Self { solution, line, reach, reach_columns, values, table })
    }

    /// How many hands both players have here together.
    pub fn rows(&self) -> usize {
        self.reach.hands.iter().map(Vec::len).sum()
    }

    /// The rows of a player's hands.
    pub fn rows_of(&self, player: Player) -> Range<usize> {
        let [oop, ip] = self.reach.hands.each_ref().map(Vec::len);
        if player.index() == 0 { 0..oop } else { oop..oop + ip }
    }

    /// What each hand does, and how likely it is here.
    pub fn reach_columns(&self) -> &ReachColumns {
        self.reach_columns.get_or_init(|| {
            let hands = || self.reach.hands.iter().flatten();
            // What was never trained is not shown as a strategy.
            let probability = |hand: &HandReach, action: usize| {
                let strategy = hand.strategy.as_ref().filter(|_| hand.reach > NEGLIGIBLE);
                strategy.map(|strategy| strategy[action] as f32)
            };
            let actions = 0..self.reach.actions.len();
            let strategy = actions.flat_map(|action| hands().map(move |hand| probability(hand, action)));
            ReachColumns {
                reach: hands().map(|hand| Some(hand.reach)).collect(),
                share: hands().map(|hand| Some(hand.share)).collect(),
                strategy: column::<Float32Type>(strategy, f32::NAN),
            }
        })
    }

    /// EVs and equities, with what is made of them.
    pub fn values(&self, py: Python<'_>) -> PyResult<&NodeValues> {
        if let Some(values) = self.values.get() {
            return Ok(values);
        }
        on_pool(py, || {
            let view = self.solution.read(|solution| solution.at(self.line.clone()))?;
            // Before the cell is locked, as in `SolutionData::digest`.
            let values = NodeValues::new(&self.solution, &view);
            Ok(self.values.get_or_init(|| values))
        })?
    }

    /// A row for each hand of both players.
    pub fn table(&self, py: Python<'_>) -> PyResult<&RecordBatch> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let (columns, values) = (self.reach_columns(), self.values(py)?);
        let table = py.detach(|| self.make_table(columns, values))?;
        Ok(self.table.get_or_init(|| table))
    }

    fn make_table(&self, columns: &ReachColumns, values: &NodeValues) -> PyResult<RecordBatch> {
        let hands = || values.hands.iter().flatten();
        let text = |text: &dyn Fn(&HandLine) -> String| arrow::texts(hands().map(text));
        let players = Player::BOTH.into_iter().flat_map(|player| {
            let count = values.hands[player.index()].len();
            std::iter::repeat_n(player_name(player), count)
        });
        let mut table = vec![
            NamedColumn::full("player", arrow::texts(players)),
            NamedColumn::full("hand", text(&|hand| hand.hole.to_string())),
            NamedColumn::full("class", text(&|hand| HandClass::of(hand.hole).to_string())),
            NamedColumn::full("made", text(&|hand| hand.made.name().to_owned())),
            NamedColumn::full("draws", text(&|hand| hand.draws.to_string())),
            NamedColumn::full("reach", Arc::new(columns.reach.clone())),
            NamedColumn::full("share", Arc::new(columns.share.clone())),
            NamedColumn::with_gaps("ev", Arc::new(values.ev.clone())),
            NamedColumn::with_gaps("equity", Arc::new(values.equity.clone())),
        ];
        let rows = self.rows();
        let actions = || self.reach.actions.iter().enumerate();
        for (a, action) in actions() {
            let column = Arc::new(columns.strategy.slice(a * rows, rows));
            table.push(NamedColumn::with_gaps(action.to_string(), column));
        }
        for (a, action) in actions() {
            let column = Arc::new(values.action_evs.slice(a * rows, rows));
            table.push(NamedColumn::with_gaps(format!("{action}: ev"), column));
        }
        let mut metadata = self.solution.metadata();
        metadata.insert("line".to_owned(), self.line.to_string());
        metadata.insert("board".to_owned(), self.reach.board.to_string());
        arrow::record_batch(table, metadata).map_err(arrow::failed)
    }

    /// What comes after more of a line.
    pub fn after(&self, py: Python<'_>, more: &Line) -> PyResult<Self> {
        let steps = self.line.steps.iter().chain(&more.steps).copied().collect();
        Self::new(py, self.solution.clone(), &Line { steps })
    }

    /// What comes after the steps of a text.
    pub fn after_text(&self, py: Python<'_>, text: &str) -> PyResult<Self> {
        self.after(
            py,
            &text.parse().map_err(|error| error::read(&ReadError::Text(error), self.solution.path()))?,
        )
    }
}

impl NodeValues {
    fn new(solution: &SolutionData, view: &NodeView) -> Self {
        let game = solution.solution.game();
        let hands = Player::BOTH.map(|player| hand_lines(game, view, player));
        let all = || hands.iter().flatten();
        let actions = 0..view.actions.len();
        let action_ev = |hand: &HandLine, action: usize| hand.action_evs.as_ref().map(|evs| evs[action]);
        let action_evs = actions.flat_map(|action| all().map(move |hand| action_ev(hand, action)));
        let (ev, equity) = (all().map(|hand| hand.ev), all().map(|hand| hand.equity));
        Self {
            summary: NodeSummary::new(game, view),
            ev: column::<Float64Type>(ev, f64::NAN),
            equity: column::<Float64Type>(equity, f64::NAN),
            action_evs: column::<Float64Type>(action_evs, f64::NAN),
            hands,
        }
    }
}
