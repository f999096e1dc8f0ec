//! A solver's numbers as bytes, and back.
//!
//! They come root tree by root tree in the order of the nodes, whatever order memory has them in: for each decision, for
//! each block of hands, for each action, a row of hands. A bit for each number tells whether it is alive; only those are
//! written down, whole steps as little-endian integers, floats as floats.
//!
//! A regret is alive if it is not zero. An action of an average strategy is alive if it is ever taken; the running sum up to it is
//! written down unless it is the last one that is alive, after which nothing is left.

use crate::cells::{Cell, Scale, step_of};
use crate::kernels::{Shares, blocks};
use crate::simd::{Plain, Row, WIDTH};
use crate::state::{AverageMut, AverageRef, CellsMut, CellsRef, RegretsMut, RegretsRef, with_cell};
use crate::tree::{Decision, Plan, Tile};
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

/// How much of an array belongs to a root tree of a deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// How many bytes the bits take.
    pub alive: usize,
    /// How many bytes a number takes.
    pub width: usize,
    /// How many scales of a byte there are.
    pub scales: usize,
    /// Whether it is written down when they last changed.
    pub dated: bool,
}

impl Shape {
    /// What a solver keeps in this precision of a player's decisions in the root tree of a deal that begins at `root`.
    pub fn of<G: Game>(
        game: &G,
        deal: Deal,
        root: NodeId,
        player: Player,
        kept: Kept,
        precision: Precision,
    ) -> Self {
        let (tile, decisions) = decisions_of(game.tree(), root, player);
        let blocks = blocks(game.hand_count(deal, player));
        let plan = &tile.plans[player.index()];
        let rows: usize = decisions.iter().map(|&d| plan.decisions[d as usize].actions as usize).sum();
        let scaled = precision != Precision::Bits32 && kept != Kept::Strategy;
        Self {
            alive: rows * blocks * size_of::<Mask>(),
            width: usize::from(precision.bits()).div_ceil(8),
            scales: if scaled { decisions.len() * blocks } else { 0 },
            dated: kept == Kept::Regrets,
        }
    }
}

/// The numbers of one player in one root tree of a deal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Numbers {
    /// A bit for each hand of each row: whether its number is alive.
    pub alive: Vec<u8>,
    /// The numbers that are written down.
    pub numbers: Vec<u8>,
    /// How many bytes each has.
    pub width: usize,
    /// The scale of each decision and block of hands, if there are any.
    pub scales: Vec<u8>,
    /// For regrets, the last iteration in which they learned.
    pub learned: Option<u32>,
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
        self.round_nodes(round).filter(|&node| self.node(node).kind.is_chance())
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

/// The tile of a root, and which of the tile's decisions are in its root tree, in the order of their nodes.
fn decisions_of(tree: &Tree, root: NodeId, player: Player) -> (&Tile, &[u32]) {
    let tile = tree.tile_of(root);
    (tile, tile.plans[player.index()].decisions_among(tree.root_tree(root)))
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
        let memory = &self.memories[player.index()];
        let place = Place { plan, decisions, blocks: blocks(self.game.hand_count(deal, player)) };
        match kept {
            Kept::Strategy => {
                let AverageRef(cells) = memory.average(deal, player, tile, place.blocks);
                with_cell!(cells.encoding, C => place.write_shares::<C>(cells))
            }
            Kept::Regrets | Kept::Predictions => {
                let RegretsRef { cells, scales, hints, hint_scales, learned } =
                    memory.regrets(deal, player, tile, place.blocks);
                let (cells, scales, learned) = match kept {
                    Kept::Regrets => (cells, scales, learned.get(tile.root_of(root)).copied()),
                    _ => (hints, hint_scales, None),
                };
                let numbers = with_cell!(cells.encoding, C => place.write_regrets::<C>(cells, scales));
                Numbers { learned, ..numbers }
            }
        }
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
        let place = Place { plan, decisions, blocks: blocks(game.hand_count(deal, player)) };
        let (mut regrets, mut average) =
            self.memories[player.index()].tile_mut(deal, player, tile, place.blocks);
        let mut reader = Reader::new(numbers);
        match kept {
            Kept::Strategy => {
                let AverageMut(cells) = &mut average;
                with_cell!(cells.encoding, C => place.read_shares::<C>(cells, &mut reader))
            }
            Kept::Regrets | Kept::Predictions => {
                let RegretsMut { cells, scales, hints, hint_scales, learned } = &mut regrets;
                if let (Some(to), Some(learned)) = (learned.get_mut(tile.root_of(root)), numbers.learned) {
                    *to = learned;
                }
                let (cells, scales) =
                    if kept == Kept::Regrets { (cells, scales) } else { (hints, hint_scales) };
                with_cell!(cells.encoding, C => place.read_regrets::<C>(cells, scales, &mut reader))
            }
        }?;
        reader.end()
    }
}

/// Some decisions of a plan, for so many blocks of hands.
struct Place<'a> {
    plan: &'a Plan,
    decisions: &'a [u32],
    blocks: usize,
}

impl Place<'_> {
    /// Each decision and block: where its actions' cells are, of an array with a cell for every action, and where its scale
    /// is.
    fn blocks(&self) -> impl Iterator<Item = (Range<usize>, usize)> {
        let (rows, decisions) = (self.plan.rows, self.plan.decisions.len());
        self.each(move |block, d, decision| {
            let first = block * rows + decision.row as usize;
            (first..first + decision.actions as usize, block * decisions + d)
        })
    }

    /// Each decision and block: where its cells are, of an array with a cell for every action but the last.
    fn shares(&self) -> impl Iterator<Item = Range<usize>> {
        let (rows, decisions) = (self.plan.rows, self.plan.decisions.len());
        self.each(move |block, d, decision| {
            let first = block * (rows - decisions) + decision.row as usize - d;
            first..first + decision.actions as usize - 1
        })
    }

    fn each<T>(&self, at: impl Fn(usize, usize, &Decision) -> T + Copy) -> impl Iterator<Item = T> {
        self.decisions
            .iter()
            .map(|&d| d as usize)
            .flat_map(move |d| (0..self.blocks).map(move |block| at(block, d, &self.plan.decisions[d])))
    }

    fn write_regrets<C: Cell>(&self, cells: CellsRef<'_>, scales: &[Scale]) -> Numbers {
        let mut out = Writer::<C>::new();
        let cells = cells.of::<C>();
        if !cells.is_empty() {
            for (rows, scale) in self.blocks() {
                for cell in &cells[rows] {
                    let bits = bits_of(cell);
                    let alive = mask(|h| bits[h] != 0);
                    out.row(alive, alive, &bits);
                }
                out.numbers.scales.extend(scales.get(scale));
            }
        }
        out.numbers
    }

    fn write_shares<C: Cell>(&self, cells: CellsRef<'_>) -> Numbers {
        let mut out = Writer::<C>::new();
        let cells = cells.of::<C>();
        for place in self.shares() {
            let sums: Vec<Bits> = cells[place].iter().map(bits_of).chain([[top::<C>(); WIDTH]]).collect();
            let mut before = [0; WIDTH];
            let mut alive: Vec<Mask> = Vec::with_capacity(sums.len());
            for sum in &sums {
                alive.push(mask(|h| sum[h] != before[h]));
                before = *sum;
            }
            for (action, sum) in sums.iter().enumerate() {
                let later = alive[action + 1..].iter().fold(0, |later, alive| later | alive);
                out.row(alive[action], alive[action] & later, sum);
            }
        }
        out.numbers
    }

    fn read_regrets<C: Cell>(
        &self,
        cells: &mut CellsMut<'_>,
        scales: &mut [Scale],
        reader: &mut Reader<'_>,
    ) -> Result<(), NumbersError> {
        let cells = cells.of::<C>();
        if cells.is_empty() {
            return Ok(());
        }
        for (rows, scale) in self.blocks() {
            for cell in &mut cells[rows] {
                let alive = reader.mask()?;
                let mut bits = [0; WIDTH];
                for (_, bits) in chosen(alive, &mut bits) {
                    *bits = reader.number::<C>()?;
                }
                *cell = cell_of(&bits).ok_or(NumbersError::Range)?;
            }
            if let Some(to) = scales.get_mut(scale) {
                *to = reader.scale()?;
            }
        }
        Ok(())
    }

    fn read_shares<C: Cell>(
        &self,
        cells: &mut CellsMut<'_>,
        reader: &mut Reader<'_>,
    ) -> Result<(), NumbersError> {
        let cells = cells.of::<C>();
        for place in self.shares() {
            let alive: Vec<Mask> =
                (0..=place.len()).map(|_| reader.mask()).collect::<Result<_, NumbersError>>()?;
            // Every hand takes some action.
            if alive.iter().fold(0, |any, alive| any | alive) != Mask::MAX {
                return Err(NumbersError::Range);
            }
            let mut sum = [0; WIDTH];
            for (action, cell) in cells[place].iter_mut().enumerate() {
                let later = alive[action + 1..].iter().fold(0, |later, alive| later | alive);
                for (hand, sum) in chosen(alive[action], &mut sum) {
                    *sum = if later >> hand & 1 == 1 { reader.number::<C>()? } else { top::<C>() };
                }
                *cell = cell_of(&sum).ok_or(NumbersError::Range)?;
            }
            // What is written down of the last action is never more than that it is alive.
        }
        Ok(())
    }
}

/// A bit for each hand of a row.
type Mask = u16;

/// The bits of a row's numbers: those of floats, or whole steps.
type Bits = [u32; WIDTH];

fn mask(alive: impl Fn(usize) -> bool) -> Mask {
    (0..WIDTH).fold(0, |mask, h| mask | Mask::from(alive(h)) << h)
}

/// The hands whose bit is set, with their numbers.
fn chosen(mask: Mask, bits: &mut Bits) -> impl Iterator<Item = (usize, &mut u32)> {
    bits.iter_mut().enumerate().filter(move |(hand, _)| mask >> hand & 1 == 1)
}

/// How many bytes a number of a cell has.
fn width<C: Cell>() -> usize {
    match C::TOP {
        None => 4,
        Some(top) if top > 255.0 => 2,
        Some(_) => 1,
    }
}

/// The bits of a whole.
fn top<C: Cell>() -> u32 {
    match C::TOP {
        None => Shares::<C>::TOP.to_bits(),
        Some(top) => top as u32,
    }
}

fn bits_of<C: Cell>(cell: &C) -> Bits {
    let row = cell.steps(Plain);
    match C::TOP {
        None => row.map(f32::to_bits),
        Some(_) => row.map(|steps| steps as i32 as u32),
    }
}

/// The cell with these bits, if a solver could have written it.
fn cell_of<C: Cell>(bits: &Bits) -> Option<C> {
    let row = Row(match C::TOP {
        None => bits.map(f32::from_bits),
        Some(_) => bits.map(|steps| steps as i32 as f32),
    });
    if !row.iter().all(|number| number.is_finite()) {
        return None;
    }
    let cell = C::nearest(Plain, row);
    (bits_of(&cell) == *bits).then_some(cell)
}

/// Numbers being written down.
struct Writer<C> {
    numbers: Numbers,
    cell: std::marker::PhantomData<C>,
}

impl<C: Cell> Writer<C> {
    fn new() -> Self {
        let numbers = Numbers { width: width::<C>(), ..Numbers::default() };
        Self { numbers, cell: std::marker::PhantomData }
    }

    /// A row: which of its numbers are alive, and those that are to be written down.
    fn row(&mut self, alive: Mask, written: Mask, bits: &Bits) {
        self.numbers.alive.extend(alive.to_le_bytes());
        for (_, bits) in chosen(written, &mut bits.clone()) {
            self.numbers.numbers.extend(&bits.to_le_bytes()[..width::<C>()]);
        }
    }
}

/// Numbers being read.
struct Reader<'a> {
    alive: &'a [u8],
    numbers: &'a [u8],
    scales: &'a [u8],
}

impl<'a> Reader<'a> {
    fn new(numbers: &'a Numbers) -> Self {
        Self { alive: &numbers.alive, numbers: &numbers.numbers, scales: &numbers.scales }
    }

    fn take<const N: usize>(from: &mut &[u8]) -> Result<[u8; N], NumbersError> {
        let (taken, rest) = from.split_first_chunk().ok_or(NumbersError::Length)?;
        *from = rest;
        Ok(*taken)
    }

    fn mask(&mut self) -> Result<Mask, NumbersError> {
        Self::take(&mut self.alive).map(Mask::from_le_bytes)
    }

    fn number<C: Cell>(&mut self) -> Result<u32, NumbersError> {
        let unsigned = match width::<C>() {
            4 => u32::from_le_bytes(Self::take(&mut self.numbers)?),
            2 => u16::from_le_bytes(Self::take(&mut self.numbers)?).into(),
            _ => u8::from_le_bytes(Self::take(&mut self.numbers)?).into(),
        };
        // Steps beyond the top are those below zero.
        Ok(match C::TOP {
            Some(top) if unsigned as f32 > top => unsigned | u32::MAX << (8 * width::<C>()),
            _ => unsigned,
        })
    }

    fn scale(&mut self) -> Result<Scale, NumbersError> {
        let [scale] = Self::take(&mut self.scales)?;
        if step_of(scale).is_finite() { Ok(scale) } else { Err(NumbersError::Range) }
    }

    fn end(self) -> Result<(), NumbersError> {
        let left = self.alive.len() + self.numbers.len() + self.scales.len();
        if left == 0 { Ok(()) } else { Err(NumbersError::Length) }
    }
}
