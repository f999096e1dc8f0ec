//! A solver's numbers as bytes, and back.
//!
//! They come root tree by root tree in the order of the nodes, whatever order memory has them in: for each decision, for
//! each block of hands, for each action, a number for each hand. Whole steps are little-endian integers, floats are
//! floats.

use crate::cells::{Cell, Scale, step_of};
use crate::kernels::{HANDS, Row, ZERO, blocks};
use crate::state::{AnyPart, AnyPartMut, Array, Part, PartMut, whichever};
use crate::tree::{Plan, Tile};
use crate::{Deal, Game, Kind, NodeId, Player, Precision, Solver, Tree};
use std::ops::Range;

/// One of the arrays of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kept {
    /// The average strategies.
    Strategy,
    /// The regrets.
    Regrets,
    /// The predictions of the next regrets; empty for a schedule that does not predict.
    Predictions,
}

/// How many numbers belong to a root tree of a deal, and how large they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// How many numbers there are.
    pub numbers: usize,
    /// How many bytes each has.
    pub width: usize,
    /// How many scales of two bytes there are.
    pub scales: usize,
}

impl Shape {
    /// What a solver keeps in this precision of a player's decisions in the root tree of a deal that begins at `root`.
    pub fn of<G: Game>(game: &G, deal: Deal, root: NodeId, player: Player, precision: Precision) -> Self {
        let (tile, decisions) = decisions_of(game.tree(), root, player);
        let blocks = blocks(game.hand_count(deal, player));
        let decisions = &tile.plans[player.index()].decisions[decisions];
        let rows: usize = decisions.iter().map(|decision| decision.actions as usize).sum();
        Self {
            numbers: rows * blocks * HANDS,
            width: usize::from(precision.bits()).div_ceil(8),
            scales: if precision == Precision::Bits32 { 0 } else { decisions.len() * blocks },
        }
    }
}

/// The numbers of one player in one root tree of a deal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Numbers {
    /// The numbers, as [`Shape`] says.
    pub numbers: Vec<u8>,
    /// How many bytes each has.
    pub width: usize,
    /// The scale of each decision and block of hands; none for floats.
    pub scales: Vec<u8>,
}

/// Bytes that are no numbers of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NumbersError {
    /// There are too many or too few.
    #[error("there are not as many numbers as the game has")]
    Length,
    /// One of them cannot be.
    #[error("one of the numbers cannot be")]
    Range,
}

/// How far a solver has come, apart from its numbers.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Progress {
    /// How many iterations have been made.
    pub iteration: u32,
    /// What they count in the average, if the last one counts as one.
    pub average_weight: f64,
}

impl Tree {
    /// The roots of a round, in the order of the chance nodes that lead there.
    pub fn roots(&self, round: usize) -> Vec<NodeId> {
        match round.checked_sub(1) {
            None => vec![NodeId::ROOT],
            Some(before) => self.exits(before).map(|chance| self.node(chance).first_child).collect(),
        }
    }

    /// The chance nodes of a round.
    pub fn exits(&self, round: usize) -> impl Iterator<Item = NodeId> + '_ {
        self.round_nodes(round).filter(|&node| self.node(node).kind == Kind::Chance)
    }

    /// The nodes of the root tree that a root begins.
    pub fn root_tree(&self, root: NodeId) -> Range<NodeId> {
        let mut end = root.0 + 1;
        let mut id = root.0;
        while id < end {
            let node = self.node(NodeId(id));
            if let Kind::Decision(_) = node.kind {
                end += u32::from(node.child_count);
            }
            id += 1;
        }
        root..NodeId(end)
    }
}

impl<G: Game> Solver<'_, G> {
    /// How far it has come.
    pub fn progress(&self) -> Progress {
        Progress { iteration: self.iteration, average_weight: self.average_weight }
    }

    /// Makes it as far as another solver had come.
    pub fn set_progress(&mut self, progress: Progress) {
        self.iteration = progress.iteration;
        self.average_weight = progress.average_weight;
    }

    /// A player's numbers in the root tree of a deal that begins at `root`.
    pub fn numbers(&self, deal: Deal, root: NodeId, player: Player, kept: Kept) -> Numbers {
        let (tile, decisions) = decisions_of(self.game.tree(), root, player);
        let plan = &tile.plans[player.index()];
        let blocks = blocks(self.game.hand_count(deal, player));
        let memory = &self.memories[player.index()];
        let array: &Array = match kept {
            Kept::Strategy => &memory.sums,
            Kept::Regrets | Kept::Predictions => &memory.regrets,
        };
        let part = array.tile(&memory.layout, deal, player, tile, blocks);
        whichever!(AnyPart, &part, part => part.export(kept, plan, decisions, blocks))
    }

    /// Puts back what [`Solver::numbers`] gave for the same place.
    pub fn set_numbers(
        &mut self,
        deal: Deal,
        root: NodeId,
        player: Player,
        kept: Kept,
        numbers: &Numbers,
    ) -> Result<(), NumbersError> {
        let game = self.game;
        let (tile, decisions) = decisions_of(game.tree(), root, player);
        let plan = &tile.plans[player.index()];
        let blocks = blocks(game.hand_count(deal, player));
        let memory = &mut self.memories[player.index()];
        let array = match kept {
            Kept::Strategy => &mut memory.sums,
            Kept::Regrets | Kept::Predictions => &mut memory.regrets,
        };
        let mut part = array.tile_mut(&memory.layout, deal, player, tile, blocks);
        whichever!(AnyPartMut, &mut part, part => part.import(kept, plan, decisions, blocks, numbers))
    }
}

/// The tile of a root, and which of the tile's decisions are in its root tree.
fn decisions_of(tree: &Tree, root: NodeId, player: Player) -> (&Tile, Range<usize>) {
    let nodes = tree.root_tree(root);
    let tile = tree.tile_of(root);
    let decisions = &tile.plans[player.index()].decisions;
    let before = |end: NodeId| decisions.partition_point(|decision| decision.node < end);
    (tile, before(nodes.start)..before(nodes.end))
}

/// How many bytes a number of a cell has.
fn width<C: Cell>() -> usize {
    match C::TOP {
        None => 4,
        Some(top) if top > 255.0 => 2,
        Some(_) => 1,
    }
}

impl<C: Cell> Part<'_, C> {
    fn export(&self, kept: Kept, plan: &Plan, decisions: Range<usize>, blocks: usize) -> Numbers {
        let (cells, scales) = match kept {
            Kept::Predictions => (self.hints, self.hint_scales),
            Kept::Strategy | Kept::Regrets => (self.cells, self.scales),
        };
        let mut out = Numbers { width: width::<C>(), ..Numbers::default() };
        if cells.is_empty() {
            return out;
        }
        for d in decisions {
            let decision = &plan.decisions[d];
            for block in 0..blocks {
                for row in decision.row..decision.row + decision.actions {
                    write_row::<C>(&cells[block * plan.rows + row as usize], &mut out.numbers);
                }
                let scale = scales.get(block * plan.decisions.len() + d);
                out.scales.extend(scale.into_iter().flat_map(|scale| scale.to_le_bytes()));
            }
        }
        out
    }
}

impl<C: Cell> PartMut<'_, C> {
    fn import(
        &mut self,
        kept: Kept,
        plan: &Plan,
        decisions: Range<usize>,
        blocks: usize,
        numbers: &Numbers,
    ) -> Result<(), NumbersError> {
        let (cells, scales): (&mut [C], &mut [Scale]) = match kept {
            Kept::Predictions => (self.hints, self.hint_scales),
            Kept::Strategy | Kept::Regrets => (self.cells, self.scales),
        };
        let count: usize = plan.decisions[decisions.clone()].iter().map(|d| d.actions as usize).sum();
        let stored = if cells.is_empty() { 0 } else { blocks };
        let scaled = if C::TOP.is_some() { decisions.len() * stored } else { 0 };
        if numbers.numbers.len() != count * stored * HANDS * width::<C>()
            || numbers.scales.len() != 2 * scaled
        {
            return Err(NumbersError::Length);
        }
        if cells.is_empty() {
            return Ok(());
        }
        let mut rows = numbers.numbers.chunks_exact(width::<C>() * HANDS);
        let mut steps = numbers.scales.chunks_exact(2);
        for d in decisions {
            let decision = &plan.decisions[d];
            for block in 0..blocks {
                for row in decision.row..decision.row + decision.actions {
                    let cell = rows.next().and_then(|row| read_row::<C>(row, kept));
                    cells[block * plan.rows + row as usize] = cell.ok_or(NumbersError::Range)?;
                }
                if let (Some(to), Some(scale)) =
                    (scales.get_mut(block * plan.decisions.len() + d), steps.next())
                {
                    let scale = Scale::from_le_bytes([scale[0], scale[1]]);
                    let step = step_of(scale);
                    if !step.is_finite() || step.is_sign_negative() {
                        return Err(NumbersError::Range);
                    }
                    *to = scale;
                }
            }
        }
        Ok(())
    }
}

fn write_row<C: Cell>(cell: &C, out: &mut Vec<u8>) {
    for number in cell.steps() {
        match C::TOP {
            None => out.extend(number.to_le_bytes()),
            Some(_) => out.extend(&(number as i32).to_le_bytes()[..width::<C>()]),
        }
    }
}

/// The cell that a row of bytes stands for, if it is one that a solver could have written.
fn read_row<C: Cell>(bytes: &[u8], kept: Kept) -> Option<C> {
    let mut row: Row = ZERO;
    let width = width::<C>();
    for (number, bytes) in row.iter_mut().zip(bytes.chunks_exact(width)) {
        *number = match C::TOP {
            None => f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            Some(top) => {
                let unsigned = bytes.iter().rev().fold(0, |number, &byte| number << 8 | i32::from(byte));
                // A number beyond the top is a negative one.
                (if unsigned as f32 > top { unsigned - (1 << (8 * width)) } else { unsigned }) as f32
            }
        };
        if !number.is_finite() || (kept == Kept::Strategy && *number < 0.0) {
            return None;
        }
    }
    let cell = C::from_steps(&row);
    (cell.steps() == row).then_some(cell)
}
