//! The solver's memory: a few large arrays, addressed by (round, deal, tile, block of hands, row).

mod encoded;
mod layout;

use crate::cells::{Cell, Noise, Precision, Scale};
use crate::kernels::{
    Accumulate, Learn, Normalize, Realize, RealizeAverage, Shares, Special, SpellOut, Weights, blocks,
};
use crate::locks::BlockLocks;
use crate::simd::{self, Row};
use crate::tree::{Plan, Tile};
use crate::{Deal, Discounts, Game, MAX_ROUNDS, Player, Tree};
use encoded::{Cells, lines, with_share};
pub(crate) use encoded::{CellsMut, CellsRef, Encoding, with_cell};
pub(crate) use layout::Layout;
use layout::{Offset, block_start, plan_size, tile_size, tile_start};

/// How regrets and average strategies are stored, round by round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Storage {
    /// The precision of regrets, and of predictions where there are any.
    pub regrets: [Precision; MAX_ROUNDS],
    /// The precision of average strategies.
    pub strategy: [Precision; MAX_ROUNDS],
}

impl Storage {
    /// The same in every round.
    pub fn uniform(strategy: Precision, regrets: Precision) -> Self {
        Self { regrets: [regrets; MAX_ROUNDS], strategy: [strategy; MAX_ROUNDS] }
    }
}

/// What a solver allocates, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StateBytes {
    /// Regrets, predictions, when each root tree last learned, and the index of both arrays.
    pub regrets: usize,
    /// Average strategies.
    pub strategy: usize,
}

/// What a solver of a game with this tree allocates, where `hand_counts` gives how many hands a player can have in each
/// deal of a round, and `predicts` says whether the schedule needs to remember predictions.
pub fn state_bytes(
    tree: &Tree,
    hand_counts: impl Fn(usize, Player) -> Vec<usize>,
    storage: &Storage,
    predicts: bool,
) -> StateBytes {
    let mut bytes = StateBytes::default();
    for player in Player::BOTH {
        let layout = Layout::new(tree, player, |round| hand_counts(round, player));
        bytes.regrets += layout.bytes();
        for round in 0..tree.round_count() {
            let end = layout.end(round);
            let (regrets, strategy) = (storage.regrets[round], storage.strategy[round]);
            let copies = if predicts { 2 } else { 1 };
            bytes.regrets += copies
                * (lines(regrets, end.actions) * size_of::<Row>() + regrets.scale_bytes(end.decisions));
            bytes.regrets += end.roots * size_of::<u32>();
            bytes.strategy += lines(strategy, end.shares()) * size_of::<Row>();
        }
    }
    bytes
}

/// The regrets of one round: cells, the scale of each block, and the same for predictions where there are any.
#[derive(Clone, Debug)]
pub(crate) struct Regrets {
    cells: Cells,
    scales: Vec<Scale>,
    hints: Cells,
    hint_scales: Vec<Scale>,
    /// The last iteration in which each root tree of each deal learned.
    learned: Vec<u32>,
}

impl Regrets {
    fn zero(precision: Precision, signed: bool, size: Offset, predicts: bool) -> Self {
        let scales = precision.scale_bytes(size.decisions) / size_of::<Scale>();
        let when = |condition, count| if condition { count } else { 0 };
        Self {
            cells: Cells::zero(precision, signed, size.actions),
            scales: vec![0; scales],
            hints: Cells::zero(precision, signed, when(predicts, size.actions)),
            hint_scales: vec![0; when(predicts, scales)],
            learned: vec![0; size.roots],
        }
    }

    fn allocated(&self) -> usize {
        self.cells.allocated()
            + self.hints.allocated()
            + size_of_val(self.scales.as_slice())
            + size_of_val(self.hint_scales.as_slice())
            + size_of_val(self.learned.as_slice())
    }

    fn read(&self) -> RegretsRef<'_> {
        RegretsRef {
            cells: self.cells.read(),
            scales: &self.scales,
            hints: self.hints.read(),
            hint_scales: &self.hint_scales,
            learned: &self.learned,
        }
    }

    fn view(&mut self) -> RegretsMut<'_> {
        RegretsMut {
            cells: self.cells.view(),
            scales: &mut self.scales,
            hints: self.hints.view(),
            hint_scales: &mut self.hint_scales,
            learned: &mut self.learned,
        }
    }
}

/// A part of an array that may be empty altogether.
fn within<T>(all: &[T], start: usize, len: usize) -> &[T] {
    if all.is_empty() { all } else { &all[start..][..len] }
}

/// As [`within`], to write.
fn within_mut<T>(all: &mut [T], start: usize, len: usize) -> &mut [T] {
    if all.is_empty() { all } else { &mut all[start..][..len] }
}

/// Regrets, to read.
#[derive(Clone, Copy)]
pub(crate) struct RegretsRef<'a> {
    pub cells: CellsRef<'a>,
    pub scales: &'a [Scale],
    pub hints: CellsRef<'a>,
    pub hint_scales: &'a [Scale],
    pub learned: &'a [u32],
}

impl<'a> RegretsRef<'a> {
    /// Regrets in floats.
    #[cfg(test)]
    pub fn floats(floats: &'a [crate::cells::F32]) -> Self {
        let (cells, hints) = (CellsRef::floats(floats), CellsRef::floats(&[]));
        Self { cells, scales: &[], hints, hint_scales: &[], learned: &[] }
    }

    fn range(self, start: Offset, size: Offset) -> Self {
        Self {
            cells: self.cells.range(start.actions, size.actions),
            scales: within(self.scales, start.decisions, size.decisions),
            hints: self.hints.range(start.actions, size.actions),
            hint_scales: within(self.hint_scales, start.decisions, size.decisions),
            learned: within(self.learned, start.roots, size.roots),
        }
    }

    /// The bytes of the block after one.
    fn ahead(self, plan: &Plan, block: usize) -> &'a [u8] {
        self.cells.bytes(block_start(plan, block + 1).actions, plan_size(plan).actions)
    }

    fn weights<C: Cell>(self, plan: &Plan, block: usize, foresight: f32) -> Weights<'a, C> {
        let part = self.range(block_start(plan, block), plan_size(plan));
        Weights {
            cells: part.cells.of(),
            scales: part.scales,
            hints: part.hints.of(),
            hint_scales: part.hint_scales,
            foresight,
        }
    }
}

/// Regrets, to write.
pub(crate) struct RegretsMut<'a> {
    pub cells: CellsMut<'a>,
    pub scales: &'a mut [Scale],
    pub hints: CellsMut<'a>,
    pub hint_scales: &'a mut [Scale],
    /// The last iteration in which each root tree learned.
    pub learned: &'a mut [u32],
}

impl RegretsMut<'_> {
    fn split(self, at: Offset) -> (Self, Self) {
        fn cut<T>(all: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
            let at = at.min(all.len());
            all.split_at_mut(at)
        }
        let (cells, cells_right) = self.cells.split(at.actions);
        let (scales, scales_right) = cut(self.scales, at.decisions);
        let (hints, hints_right) = self.hints.split(at.actions);
        let (hint_scales, hint_scales_right) = cut(self.hint_scales, at.decisions);
        let (learned, learned_right) = cut(self.learned, at.roots);
        let right = Self {
            cells: cells_right,
            scales: scales_right,
            hints: hints_right,
            hint_scales: hint_scales_right,
            learned: learned_right,
        };
        (Self { cells, scales, hints, hint_scales, learned }, right)
    }

    fn range(&mut self, start: Offset, size: Offset) -> RegretsMut<'_> {
        RegretsMut {
            cells: self.cells.range(start.actions, size.actions),
            scales: within_mut(self.scales, start.decisions, size.decisions),
            hints: self.hints.range(start.actions, size.actions),
            hint_scales: within_mut(self.hint_scales, start.decisions, size.decisions),
            learned: within_mut(self.learned, start.roots, size.roots),
        }
    }

    /// The same regrets, to read.
    pub fn read(&self) -> RegretsRef<'_> {
        RegretsRef {
            cells: self.cells.read(),
            scales: self.scales,
            hints: self.hints.read(),
            hint_scales: self.hint_scales,
            learned: self.learned,
        }
    }

    /// A tile's regrets out of those of its deal.
    pub fn tile(&mut self, player: Player, tile: &Tile, blocks: usize) -> RegretsMut<'_> {
        self.range(tile_start(tile, player, blocks), tile_size(tile, player, blocks))
    }

    /// Brings a block's values back to its roots while these regrets learn.
    pub fn learn(&mut self, plan: &Plan, block: usize, lesson: Lesson<'_>, values: &mut [Row]) {
        let Lesson { strategy, discounts, keeps_negative, noise, locks, pruned } = lesson;
        let mut part = self.range(block_start(plan, block), plan_size(plan));
        let is_special = locks.is_some() || !pruned.is_empty() || !part.hints.is_empty();
        with_cell!(part.cells.encoding, C => {
            let mut special = is_special.then(|| Special {
                locks,
                pruned,
                hints: part.hints.of(),
                hint_scales: part.hint_scales,
            });
            simd::run(Learn::<C> {
                plan,
                strategy,
                discounts,
                keeps_negative,
                noise,
                values,
                cells: part.cells.of(),
                scales: part.scales,
                special: special.as_mut(),
            });
        });
    }
}

/// How a block learns.
pub(crate) struct Lesson<'a> {
    /// The strategy that was played.
    pub strategy: &'a [Row],
    /// How the past counts in each root tree; none where nothing is learned.
    pub discounts: &'a [Option<Discounts>],
    pub keeps_negative: bool,
    pub noise: Noise,
    /// The hands that have nothing to learn.
    pub locks: Option<BlockLocks<'a>>,
    /// The slots that were left out, if any.
    pub pruned: &'a [bool],
}

/// A strategy of one player in one tile of a deal.
pub(crate) trait Plays {
    /// Extends the reaches of a block's roots to all slots.
    fn realize(self, plan: &Plan, block: usize, reach: &mut [Row]);

    /// The strategy of a block, a row for each action.
    fn strategy(self, plan: &Plan, block: usize, strategy: &mut [Row]);
}

/// The strategy that regrets stand for.
pub(crate) struct Matching<'a> {
    pub regrets: RegretsRef<'a>,
    /// How much of its last regret a player expects again.
    pub foresight: f32,
}

impl Plays for Matching<'_> {
    fn realize(self, plan: &Plan, block: usize, reach: &mut [Row]) {
        with_cell!(self.regrets.cells.encoding, C => {
            let weights = self.regrets.weights::<C>(plan, block, self.foresight);
            simd::run(Realize { plan, weights, reach, ahead: self.regrets.ahead(plan, block) });
        });
    }

    fn strategy(self, plan: &Plan, block: usize, strategy: &mut [Row]) {
        with_cell!(self.regrets.cells.encoding, C => {
            let weights = self.regrets.weights::<C>(plan, block, self.foresight);
            simd::run(Normalize { plan, weights, strategy, ahead: self.regrets.ahead(plan, block) });
        });
    }
}

/// An average strategy, to read.
#[derive(Clone, Copy)]
pub(crate) struct AverageRef<'a>(pub CellsRef<'a>);

impl<'a> AverageRef<'a> {
    fn block(self, plan: &Plan, block: usize) -> CellsRef<'a> {
        self.0.range(block_start(plan, block).shares(), plan_size(plan).shares())
    }

    /// The bytes of the block after one.
    fn ahead(self, plan: &Plan, block: usize) -> &'a [u8] {
        self.0.bytes(block_start(plan, block + 1).shares(), plan_size(plan).shares())
    }
}

impl Plays for AverageRef<'_> {
    fn realize(self, plan: &Plan, block: usize, reach: &mut [Row]) {
        let (cells, ahead) = (self.block(plan, block), self.ahead(plan, block));
        with_share!(cells.encoding, C => {
            simd::run(RealizeAverage { plan, shares: Shares::<C> { cells: cells.of() }, reach, ahead });
        });
    }

    fn strategy(self, plan: &Plan, block: usize, strategy: &mut [Row]) {
        let (cells, ahead) = (self.block(plan, block), self.ahead(plan, block));
        with_share!(cells.encoding, C => {
            simd::run(SpellOut { plan, shares: Shares::<C> { cells: cells.of() }, strategy, ahead });
        });
    }
}

/// What a player brings to the slots of a block: in what it just played, and in the average so far.
pub(crate) struct OwnReach<'a> {
    pub now: &'a mut [Row],
    pub average: &'a mut [Row],
}

/// An average strategy, to write.
pub(crate) struct AverageMut<'a>(pub CellsMut<'a>);

impl AverageMut<'_> {
    /// The same strategy, to read.
    pub fn read(&self) -> AverageRef<'_> {
        AverageRef(self.0.read())
    }

    /// A tile's strategy out of that of its deal.
    pub fn tile(&mut self, player: Player, tile: &Tile, blocks: usize) -> AverageMut<'_> {
        let start = tile_start(tile, player, blocks).shares();
        AverageMut(self.0.range(start, tile_size(tile, player, blocks).shares()))
    }

    /// Mixes what was just played into the average of a block, and extends the reaches of its roots to all slots.
    pub fn accumulate(
        &mut self,
        plan: &Plan,
        block: usize,
        strategy: &[Row],
        past_share: f32,
        noise: Noise,
        reach: OwnReach<'_>,
    ) {
        let len = plan_size(plan).shares();
        let (_, from_here) = self.0.whole().split(block_start(plan, block).shares());
        let (mut cells, next) = from_here.split(len);
        let ahead = next.read().bytes(0, len);
        with_share!(cells.encoding, C => simd::run(Accumulate::<C> {
            plan,
            strategy,
            past_share,
            noise,
            cells: cells.of(),
            reach: reach.now,
            average_reach: reach.average,
            ahead,
        }));
    }
}

/// Everything that a solver remembers of one player.
pub(crate) struct Memory {
    pub layout: Layout,
    regrets: Vec<Regrets>,
    average: Vec<Cells>,
}

impl Memory {
    /// Nothing learned, and every action of an average strategy alike.
    pub fn new<G: Game>(game: &G, player: Player, storage: &Storage, signed: bool, predicts: bool) -> Self {
        let layout = Layout::of(game, player);
        let rounds = 0..game.tree().round_count();
        let regrets = rounds
            .clone()
            .map(|round| Regrets::zero(storage.regrets[round], signed, layout.end(round), predicts))
            .collect();
        let average = rounds
            .map(|round| Cells::zero(storage.strategy[round], false, layout.end(round).shares()))
            .collect();
        let mut memory = Self { layout, regrets, average };
        memory.level(game, player);
        memory
    }

    /// Makes every action of the average strategy alike.
    fn level<G: Game>(&mut self, game: &G, player: Player) {
        for (round, average) in self.average.iter_mut().enumerate() {
            let mut cells = average.view();
            with_share!(cells.encoding, C => {
                let mut rest = cells.of::<C>().iter_mut();
                for index in 0..game.deal_count(round) {
                    let blocks = blocks(game.hand_count(Deal { round, index }, player));
                    for tile in &game.tree().round(round).tiles {
                        for decision in (0..blocks).flat_map(|_| &tile.plans[player.index()].decisions) {
                            for (cell, action) in rest.by_ref().take(decision.actions as usize - 1).zip(1u32..) {
                                let share = action as f32 / decision.actions as f32 * Shares::<C>::TOP;
                                *cell = C::nearest(simd::Plain, Row([share; simd::WIDTH]));
                            }
                        }
                    }
                }
            });
        }
    }

    /// The regrets of a deal's tile, block after block.
    pub fn regrets(&self, deal: Deal, player: Player, tile: &Tile, blocks: usize) -> RegretsRef<'_> {
        let start = self.layout.start(deal).plus(tile_start(tile, player, blocks));
        self.regrets[deal.round].read().range(start, tile_size(tile, player, blocks))
    }

    /// The average strategy of a deal's tile, block after block.
    pub fn average(&self, deal: Deal, player: Player, tile: &Tile, blocks: usize) -> AverageRef<'_> {
        let start = self.layout.start(deal).plus(tile_start(tile, player, blocks));
        let size = tile_size(tile, player, blocks);
        AverageRef(self.average[deal.round].read().range(start.shares(), size.shares()))
    }

    /// The regrets and the average strategy of a deal's tile, to write.
    pub fn tile_mut(
        &mut self,
        deal: Deal,
        player: Player,
        tile: &Tile,
        blocks: usize,
    ) -> (RegretsMut<'_>, AverageMut<'_>) {
        let start = self.layout.start(deal).plus(tile_start(tile, player, blocks));
        let size = tile_size(tile, player, blocks);
        let Self { regrets, average, .. } = self;
        let (Regrets { cells, scales, hints, hint_scales, learned }, average) =
            (&mut regrets[deal.round], &mut average[deal.round]);
        let regrets = RegretsMut {
            cells: cells.view().into_range(start.actions, size.actions),
            scales: within_mut(scales, start.decisions, size.decisions),
            hints: hints.view().into_range(start.actions, size.actions),
            hint_scales: within_mut(hint_scales, start.decisions, size.decisions),
            learned: within_mut(learned, start.roots, size.roots),
        };
        (regrets, AverageMut(average.view().into_range(start.shares(), size.shares())))
    }

    pub fn view(&mut self) -> (&Layout, MemoryView<'_>) {
        let mut regrets = self.regrets.iter_mut();
        let mut average = self.average.iter_mut();
        let rounds = std::array::from_fn(|_| {
            let (regrets, average) = (regrets.next()?, average.next()?);
            Some(DealMemory { regrets: regrets.view(), average: AverageMut(average.view()) })
        });
        (&self.layout, MemoryView { rounds })
    }

    /// What it takes, as allocated.
    pub fn bytes(&self) -> StateBytes {
        StateBytes {
            regrets: self.layout.bytes() + self.regrets.iter().map(Regrets::allocated).sum::<usize>(),
            strategy: self.average.iter().map(Cells::allocated).sum(),
        }
    }
}

/// The regrets and the average strategy of consecutive deals of a round, to write.
pub(crate) struct DealMemory<'a> {
    pub regrets: RegretsMut<'a>,
    pub average: AverageMut<'a>,
}

impl DealMemory<'_> {
    fn split(self, at: Offset) -> (Self, Self) {
        let (regrets, right_regrets) = self.regrets.split(at);
        let (average, right_average) = self.average.0.split(at.shares());
        let right = Self { regrets: right_regrets, average: AverageMut(right_average) };
        (Self { regrets, average: AverageMut(average) }, right)
    }
}

/// The part of a player's [`Memory`] that belongs to some consecutive deals and all that can follow them.
pub(crate) struct MemoryView<'a> {
    rounds: [Option<DealMemory<'a>>; MAX_ROUNDS],
}

impl<'a> MemoryView<'a> {
    /// Takes out the numbers of a round, which must be those of a single deal.
    pub fn take(&mut self, round: usize) -> Option<DealMemory<'a>> {
        self.rounds[round].take()
    }

    /// Splits a view whose first deal is `first` in front of the deal `middle` of the same round.
    pub fn split<G: Game>(self, game: &G, layout: &Layout, first: Deal, middle: Deal) -> (Self, Self) {
        let mut at = [Offset::default(); MAX_ROUNDS];
        let (mut first, mut middle) = (first, middle);
        let next = |deal: Deal| Deal { round: deal.round + 1, index: first_follower(game, deal) };
        loop {
            at[first.round] = layout.start(middle).minus(layout.start(first));
            if first.round + 1 == game.tree().round_count() {
                break;
            }
            (first, middle) = (next(first), next(middle));
        }
        let mut left = Self { rounds: [const { None }; MAX_ROUNDS] };
        let mut right = Self { rounds: [const { None }; MAX_ROUNDS] };
        for (round, memory) in self.rounds.into_iter().enumerate() {
            (left.rounds[round], right.rounds[round]) = memory.map(|memory| memory.split(at[round])).unzip();
        }
        (left, right)
    }
}

/// The first deal of the next round that follows `deal`, which may be one past the last of its round.
fn first_follower<G: Game>(game: &G, deal: Deal) -> usize {
    if deal.index < game.deal_count(deal.round) {
        game.next_deals(deal).start
    } else {
        game.deal_count(deal.round + 1)
    }
}
