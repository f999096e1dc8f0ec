//! The solver's memory: a few large arrays, addressed by (round, deal, tile, block of hands, row).

use crate::cells::{Cell, F32, I4, I8, I16, Noise, Precision, Scale, U4, U8, U16};
use crate::kernels::{self, Row, blocks};
use crate::simd::vectorize;
use crate::tree::{Plan, Tile};
use crate::{Deal, Game, MAX_ROUNDS, Player, Tree};

/// How regrets and strategy sums are stored, round by round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Storage {
    /// The precision of regrets, and of predictions where there are any.
    pub regrets: [Precision; MAX_ROUNDS],
    /// The precision of strategy sums.
    pub strategy: [Precision; MAX_ROUNDS],
}

impl Storage {
    /// The same in every round.
    pub fn uniform(strategy: Precision, regrets: Precision) -> Self {
        Self { regrets: [regrets; MAX_ROUNDS], strategy: [strategy; MAX_ROUNDS] }
    }

    /// For a game that begins at a later round.
    #[must_use]
    pub fn from_round(&self, first: usize) -> Self {
        let later = |all: &[Precision; MAX_ROUNDS]| {
            std::array::from_fn(|round| all[(first + round).min(MAX_ROUNDS - 1)])
        };
        Self { regrets: later(&self.regrets), strategy: later(&self.strategy) }
    }
}

/// A place in an array: so many cells in, so many decisions in.
#[derive(Clone, Copy, Debug, Default)]
struct Offset {
    cells: usize,
    blocks: usize,
}

/// Where each deal's cells start, for one player.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// One more entry than the round has deals.
    starts: Vec<Vec<Offset>>,
}

impl Layout {
    /// `hand_counts` gives, for a round, how many hands the player can have in each deal.
    fn new(tree: &Tree, player: Player, hand_counts: impl Fn(usize) -> Vec<usize>) -> Self {
        let starts = (0..tree.round_count())
            .map(|round| {
                let rows = tree.rows(round, player);
                let decisions = tree.decisions(round, player);
                let mut end = Offset::default();
                let ends = hand_counts(round).into_iter().map(|hands| {
                    end.cells += rows * blocks(hands);
                    end.blocks += decisions * blocks(hands);
                    end
                });
                std::iter::once(Offset::default()).chain(ends).collect()
            })
            .collect();
        Self { starts }
    }

    fn of<G: Game>(game: &G, player: Player) -> Self {
        Self::new(game.tree(), player, |round| {
            (0..game.deal_count(round)).map(|index| game.hand_count(Deal { round, index }, player)).collect()
        })
    }

    fn bytes(&self) -> usize {
        self.starts.iter().map(|starts| size_of_val(starts.as_slice())).sum()
    }

    fn start(&self, deal: Deal) -> Offset {
        self.starts[deal.round][deal.index]
    }

    fn end(&self, round: usize) -> Offset {
        self.starts[round].last().copied().unwrap_or_default()
    }
}

/// What a solver allocates, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StateBytes {
    /// Regrets, predictions, and the index of both arrays.
    pub regrets: usize,
    /// Strategy sums.
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
            let Offset { cells, blocks } = layout.end(round);
            let copies = if predicts { 2 } else { 1 };
            bytes.regrets += copies * storage.regrets[round].bytes(cells, blocks);
            bytes.strategy += storage.strategy[round].bytes(cells, blocks);
        }
    }
    bytes
}

/// The numbers of one round: cells, the scale of each block, and the same for predictions where there are any.
#[derive(Clone, Debug)]
pub(crate) struct Numbers<C> {
    cells: Vec<C>,
    scales: Vec<Scale>,
    hints: Vec<C>,
    hint_scales: Vec<Scale>,
}

impl<C: Cell> Numbers<C> {
    fn zero(size: Offset, predicts: bool) -> Self {
        let scales = if C::TOP.is_some() { size.blocks } else { 0 };
        let when = |condition, count| if condition { count } else { 0 };
        Self {
            cells: vec![C::ZERO; size.cells],
            scales: vec![0; scales],
            hints: vec![C::ZERO; when(predicts, size.cells)],
            hint_scales: vec![0; when(predicts, scales)],
        }
    }

    fn part(&self, start: Offset, size: Offset) -> Part<'_, C> {
        Part {
            cells: &self.cells[start.cells..][..size.cells],
            scales: within(&self.scales, start.blocks, size.blocks),
            hints: within(&self.hints, start.cells, size.cells),
            hint_scales: within(&self.hint_scales, start.blocks, size.blocks),
        }
    }

    fn view(&mut self) -> PartMut<'_, C> {
        PartMut {
            cells: &mut self.cells,
            scales: &mut self.scales,
            hints: &mut self.hints,
            hint_scales: &mut self.hint_scales,
        }
    }

    fn part_mut(&mut self, start: Offset, size: Offset) -> PartMut<'_, C> {
        PartMut {
            cells: &mut self.cells[start.cells..][..size.cells],
            scales: within_mut(&mut self.scales, start.blocks, size.blocks),
            hints: within_mut(&mut self.hints, start.cells, size.cells),
            hint_scales: within_mut(&mut self.hint_scales, start.blocks, size.blocks),
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(self.cells.as_slice())
            + size_of_val(self.scales.as_slice())
            + size_of_val(self.hints.as_slice())
            + size_of_val(self.hint_scales.as_slice())
    }
}

/// A part of an array that may be empty altogether.
fn within<T>(all: &[T], start: usize, len: usize) -> &[T] {
    if all.is_empty() { all } else { &all[start..][..len] }
}

fn within_mut<T>(all: &mut [T], start: usize, len: usize) -> &mut [T] {
    if all.is_empty() { all } else { &mut all[start..][..len] }
}

/// Consecutive numbers of a round, to read.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a, C> {
    pub cells: &'a [C],
    pub scales: &'a [Scale],
    pub hints: &'a [C],
    pub hint_scales: &'a [Scale],
}

/// Consecutive numbers of a round, to write.
pub(crate) struct PartMut<'a, C> {
    pub cells: &'a mut [C],
    pub scales: &'a mut [Scale],
    pub hints: &'a mut [C],
    pub hint_scales: &'a mut [Scale],
}

impl<'a, C> PartMut<'a, C> {
    fn split(self, at: Offset) -> (Self, Self) {
        fn cut<T>(all: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
            let at = at.min(all.len());
            all.split_at_mut(at)
        }
        let (cells, cells_right) = cut(self.cells, at.cells);
        let (scales, scales_right) = cut(self.scales, at.blocks);
        let (hints, hints_right) = cut(self.hints, at.cells);
        let (hint_scales, hint_scales_right) = cut(self.hint_scales, at.blocks);
        let right = Self {
            cells: cells_right,
            scales: scales_right,
            hints: hints_right,
            hint_scales: hint_scales_right,
        };
        (Self { cells, scales, hints, hint_scales }, right)
    }

    /// Some of the numbers.
    fn cut(&mut self, start: Offset, size: Offset) -> PartMut<'_, C> {
        PartMut {
            cells: &mut self.cells[start.cells..][..size.cells],
            scales: within_mut(self.scales, start.blocks, size.blocks),
            hints: within_mut(self.hints, start.cells, size.cells),
            hint_scales: within_mut(self.hint_scales, start.blocks, size.blocks),
        }
    }

    fn read(&self) -> Part<'_, C> {
        Part { cells: self.cells, scales: self.scales, hints: self.hints, hint_scales: self.hint_scales }
    }
}

/// One of the precisions, each with what `$of` makes of its cell type.
macro_rules! in_any_precision {
    ($(#[$doc:meta])* $name:ident $(<$life:lifetime>)? of $of:ident) => {
        $(#[$doc])*
        pub(crate) enum $name $(<$life>)? {
            F32($of<$($life,)? F32>),
            I16($of<$($life,)? I16>),
            U16($of<$($life,)? U16>),
            I8($of<$($life,)? I8>),
            U8($of<$($life,)? U8>),
            I4($of<$($life,)? I4>),
            U4($of<$($life,)? U4>),
        }
    };
}

in_any_precision!(
    /// The numbers of one round in some precision.
    AnyNumbers of Numbers
);
in_any_precision!(
    /// Consecutive numbers of a round in some precision, to read.
    AnyPart<'a> of Part
);
in_any_precision!(
    /// Consecutive numbers of a round in some precision, to write.
    AnyPartMut<'a> of PartMut
);

/// The same expression for whichever precision it is.
macro_rules! whichever {
    ($any:ident, $value:expr, $inner:ident => $body:expr) => {
        match $value {
            $any::F32($inner) => $body,
            $any::I16($inner) => $body,
            $any::U16($inner) => $body,
            $any::I8($inner) => $body,
            $any::U8($inner) => $body,
            $any::I4($inner) => $body,
            $any::U4($inner) => $body,
        }
    };
}

pub(crate) use whichever;

/// As [`whichever`], wrapped in the same precision again.
macro_rules! rewrap {
    ($from:ident, $to:ident, $value:expr, $inner:ident => $body:expr) => {
        match $value {
            $from::F32($inner) => $to::F32($body),
            $from::I16($inner) => $to::I16($body),
            $from::U16($inner) => $to::U16($body),
            $from::I8($inner) => $to::I8($body),
            $from::U8($inner) => $to::U8($body),
            $from::I4($inner) => $to::I4($body),
            $from::U4($inner) => $to::U4($body),
        }
    };
}

impl AnyNumbers {
    fn zero(precision: Precision, signed: bool, size: Offset, predicts: bool) -> Self {
        match (precision, signed) {
            (Precision::Bits32, _) => Self::F32(Numbers::zero(size, predicts)),
            (Precision::Bits16, true) => Self::I16(Numbers::zero(size, predicts)),
            (Precision::Bits16, false) => Self::U16(Numbers::zero(size, predicts)),
            (Precision::Bits8, true) => Self::I8(Numbers::zero(size, predicts)),
            (Precision::Bits8, false) => Self::U8(Numbers::zero(size, predicts)),
            (Precision::Bits4, true) => Self::I4(Numbers::zero(size, predicts)),
            (Precision::Bits4, false) => Self::U4(Numbers::zero(size, predicts)),
        }
    }

    /// Calls `each` with every row of numbers, in steps, and with every scale.
    pub fn for_each_row(&self, mut each: impl FnMut(&Row), mut scale: impl FnMut(Scale)) {
        whichever!(AnyNumbers, self, numbers => {
            numbers.cells.iter().for_each(|cell| each(&cell.steps()));
            numbers.scales.iter().for_each(|&s| scale(s));
        });
    }

    fn bytes(&self) -> usize {
        whichever!(AnyNumbers, self, numbers => numbers.bytes())
    }
}

impl AnyPart<'_> {
    /// Extends the reaches of a block's roots to all slots, by the strategy that these numbers stand for.
    pub fn realize(&self, plan: &Plan, block: usize, foresight: f32, reach: &mut [Row]) {
        whichever!(AnyPart, self, part => vectorize(
            #[inline(always)]
            || kernels::realize(plan, &kernels::Weights::new(*part, plan, block, foresight), reach),
        ));
    }

    /// The strategy of a block that these numbers stand for.
    pub fn strategy(&self, plan: &Plan, block: usize, foresight: f32, strategy: &mut [Row]) {
        whichever!(AnyPart, self, part => vectorize(
            #[inline(always)]
            || kernels::normalize(plan, &kernels::Weights::new(*part, plan, block, foresight), strategy),
        ));
    }

    /// One row of numbers, up to the scale of its block.
    pub fn row(&self, index: usize) -> Row {
        whichever!(AnyPart, self, part => part.cells[index].steps())
    }
}

impl AnyPartMut<'_> {
    /// The same numbers, to read.
    pub fn read(&self) -> AnyPart<'_> {
        rewrap!(AnyPartMut, AnyPart, self, part => part.read())
    }

    /// A tile's numbers out of those of its deal.
    pub fn tile(&mut self, player: Player, tile: &Tile, blocks: usize) -> AnyPartMut<'_> {
        let p = player.index();
        let start = Offset { cells: tile.rows_before[p] * blocks, blocks: tile.decisions_before[p] * blocks };
        let size = tile_size(tile, player, blocks);
        rewrap!(AnyPartMut, AnyPartMut, self, part => part.cut(start, size))
    }

    /// Brings a block's values back to its roots while these regrets learn.
    pub fn learn(
        &mut self,
        plan: &Plan,
        block: usize,
        lesson: &kernels::Lesson<'_>,
        noise: Noise,
        values: &mut [Row],
        fresh: &mut [Row],
    ) {
        whichever!(AnyPartMut, self, part => vectorize(
            #[inline(always)]
            || kernels::back_up_learning(plan, block, lesson, noise, values, part, fresh),
        ));
    }

    /// Mixes what was just played into the averages of a block, of which `past_share` remains.
    pub fn accumulate(
        &mut self,
        plan: &Plan,
        block: usize,
        reach: &[Row],
        past_share: f32,
        noise: Noise,
        fresh: &mut [Row],
    ) {
        whichever!(AnyPartMut, self, part => vectorize(
            #[inline(always)]
            || kernels::accumulate(plan, block, reach, past_share, noise, part, fresh),
        ));
    }
}

fn tile_size(tile: &Tile, player: Player, blocks: usize) -> Offset {
    let plan = &tile.plans[player.index()];
    Offset { cells: plan.rows * blocks, blocks: plan.decisions.len() * blocks }
}

/// One array of a player: numbers for each (deal, tile, block of hands, action of a decision).
pub(crate) struct Array {
    rounds: Vec<AnyNumbers>,
}

impl Array {
    fn zero(layout: &Layout, precisions: &[Precision; MAX_ROUNDS], signed: bool, predicts: bool) -> Self {
        let rounds = 0..layout.starts.len();
        let zero = |round: usize| AnyNumbers::zero(precisions[round], signed, layout.end(round), predicts);
        Self { rounds: rounds.map(zero).collect() }
    }

    /// The numbers of a deal's tile, block after block.
    pub fn tile(
        &self,
        layout: &Layout,
        deal: Deal,
        player: Player,
        tile: &Tile,
        blocks: usize,
    ) -> AnyPart<'_> {
        let p = player.index();
        let mut start = layout.start(deal);
        start.cells += tile.rows_before[p] * blocks;
        start.blocks += tile.decisions_before[p] * blocks;
        let size = tile_size(tile, player, blocks);
        rewrap!(AnyNumbers, AnyPart, &self.rounds[deal.round], numbers => numbers.part(start, size))
    }

    /// As [`Array::tile`], to write.
    pub fn tile_mut(
        &mut self,
        layout: &Layout,
        deal: Deal,
        player: Player,
        tile: &Tile,
        blocks: usize,
    ) -> AnyPartMut<'_> {
        let p = player.index();
        let mut start = layout.start(deal);
        start.cells += tile.rows_before[p] * blocks;
        start.blocks += tile.decisions_before[p] * blocks;
        let size = tile_size(tile, player, blocks);
        rewrap!(AnyNumbers, AnyPartMut, &mut self.rounds[deal.round], numbers => numbers.part_mut(start, size))
    }

    fn view(&mut self) -> View<'_> {
        let mut rounds = self.rounds.iter_mut();
        View {
            rounds: std::array::from_fn(|_| {
                let numbers = rounds.next()?;
                Some(rewrap!(AnyNumbers, AnyPartMut, numbers, numbers => numbers.view()))
            }),
        }
    }

    pub fn rounds(&self) -> &[AnyNumbers] {
        &self.rounds
    }
}

/// Everything that a solver remembers of one player.
pub(crate) struct Memory {
    pub layout: Layout,
    pub regrets: Array,
    pub sums: Array,
}

impl Memory {
    pub fn new<G: Game>(game: &G, player: Player, storage: &Storage, signed: bool, predicts: bool) -> Self {
        let layout = Layout::of(game, player);
        let regrets = Array::zero(&layout, &storage.regrets, signed, predicts);
        let sums = Array::zero(&layout, &storage.strategy, false, false);
        Self { layout, regrets, sums }
    }

    pub fn view(&mut self) -> (&Layout, MemoryView<'_>) {
        (&self.layout, MemoryView { regrets: self.regrets.view(), sums: self.sums.view() })
    }

    /// What it takes, as allocated.
    pub fn bytes(&self) -> StateBytes {
        let bytes = |array: &Array| array.rounds.iter().map(AnyNumbers::bytes).sum::<usize>();
        StateBytes { regrets: self.layout.bytes() + bytes(&self.regrets), strategy: bytes(&self.sums) }
    }
}

/// A part of an [`Array`] that can be written: in each round, the numbers of consecutive deals.
pub(crate) struct View<'a> {
    rounds: [Option<AnyPartMut<'a>>; MAX_ROUNDS],
}

impl View<'_> {
    fn split(self, at: [Offset; MAX_ROUNDS]) -> (Self, Self) {
        let mut right = View { rounds: [const { None }; MAX_ROUNDS] };
        let mut left = View { rounds: [const { None }; MAX_ROUNDS] };
        for (round, part) in self.rounds.into_iter().enumerate() {
            let Some(part) = part else { continue };
            macro_rules! halves {
                ($($variant:ident),*) => {
                    match part {
                        $(AnyPartMut::$variant(part) => {
                            let (l, r) = part.split(at[round]);
                            (AnyPartMut::$variant(l), AnyPartMut::$variant(r))
                        })*
                    }
                };
            }
            let (l, r) = halves!(F32, I16, U16, I8, U8, I4, U4);
            left.rounds[round] = Some(l);
            right.rounds[round] = Some(r);
        }
        (left, right)
    }
}

/// One deal's regrets and strategy sums, to write.
pub(crate) struct DealMemory<'a> {
    pub regrets: AnyPartMut<'a>,
    pub sums: AnyPartMut<'a>,
}

/// The part of a player's [`Memory`] that belongs to some consecutive deals and all that can follow them.
pub(crate) struct MemoryView<'a> {
    regrets: View<'a>,
    sums: View<'a>,
}

impl<'a> MemoryView<'a> {
    /// Takes out the numbers of a round, which must be those of a single deal.
    pub fn take(&mut self, round: usize) -> Option<DealMemory<'a>> {
        Some(DealMemory {
            regrets: self.regrets.rounds[round].take()?,
            sums: self.sums.rounds[round].take()?,
        })
    }

    /// Splits a view whose first deal is `first` in front of the deal `middle` of the same round.
    pub fn split<G: Game>(self, game: &G, layout: &Layout, first: Deal, middle: Deal) -> (Self, Self) {
        let mut at = [Offset::default(); MAX_ROUNDS];
        let (mut first, mut middle) = (first, middle);
        let next = |deal: Deal| Deal { round: deal.round + 1, index: first_follower(game, deal) };
        loop {
            let (from, to) = (layout.start(first), layout.start(middle));
            at[first.round] = Offset { cells: to.cells - from.cells, blocks: to.blocks - from.blocks };
            if first.round + 1 == game.tree().round_count() {
                break;
            }
            (first, middle) = (next(first), next(middle));
        }
        let (left, right) = self.regrets.split(at);
        let (left_sums, right_sums) = self.sums.split(at);
        (Self { regrets: left, sums: left_sums }, Self { regrets: right, sums: right_sums })
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
