//! The solver's memory: a few large arrays, addressed by (round, deal, tile, block of hands, row).

use crate::kernels::{Row, ZERO, blocks};
use crate::tree::Tile;
use crate::{Deal, Game, MAX_ROUNDS, Player, Tree};

/// Where each deal's rows start, for one player.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// One more entry than the round has deals.
    starts: Vec<Vec<usize>>,
}

impl Layout {
    /// `hand_counts` gives, for a round, how many hands the player can have in each deal.
    fn new(tree: &Tree, player: Player, hand_counts: impl Fn(usize) -> Vec<usize>) -> Self {
        let starts = (0..tree.round_count())
            .map(|round| {
                let rows = tree.rows(round, player);
                let mut end = 0;
                let ends = hand_counts(round).into_iter().map(|hands| {
                    end += rows * blocks(hands);
                    end
                });
                std::iter::once(0).chain(ends).collect()
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
        self.starts.iter().map(|starts| starts.len() * size_of::<usize>()).sum()
    }

    fn start(&self, deal: Deal) -> usize {
        self.starts[deal.round][deal.index]
    }

    fn rows_in(&self, round: usize) -> usize {
        self.starts[round].last().copied().unwrap_or(0)
    }
}

/// What a solver of a game with this tree allocates for regrets, strategy sums and their index, where `hand_counts`
/// gives how many hands a player can have in each deal of a round.
pub fn state_bytes(tree: &Tree, hand_counts: impl Fn(usize, Player) -> Vec<usize>) -> usize {
    let bytes = |player| {
        let layout = Layout::new(tree, player, |round| hand_counts(round, player));
        let rows: usize = (0..tree.round_count()).map(|round| layout.rows_in(round)).sum();
        2 * rows * size_of::<Row>() + layout.bytes()
    };
    Player::BOTH.into_iter().map(bytes).sum()
}

/// One array of a player: a row for each (deal, tile, block of hands, action of a decision).
#[derive(Clone, Debug)]
pub(crate) struct Array {
    rounds: Vec<Vec<Row>>,
}

impl Array {
    fn zero(layout: &Layout) -> Self {
        Self { rounds: (0..layout.starts.len()).map(|round| vec![ZERO; layout.rows_in(round)]).collect() }
    }

    /// The rows of a deal's tile, block after block.
    pub fn tile(&self, layout: &Layout, deal: Deal, player: Player, tile: &Tile, blocks: usize) -> &[Row] {
        let start = layout.start(deal) + tile.rows_before[player.index()] * blocks;
        &self.rounds[deal.round][start..start + tile.plans[player.index()].rows * blocks]
    }

    fn view(&mut self) -> View<'_> {
        let mut rounds = self.rounds.iter_mut();
        View { rounds: std::array::from_fn(|_| rounds.next().map(Vec::as_mut_slice).unwrap_or_default()) }
    }

    pub fn rows(&self) -> impl Iterator<Item = &[Row]> {
        self.rounds.iter().map(Vec::as_slice)
    }
}

/// Everything that a solver remembers of one player.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub layout: Layout,
    pub regrets: Array,
    pub sums: Array,
}

impl Memory {
    pub fn new<G: Game>(game: &G, player: Player) -> Self {
        let layout = Layout::of(game, player);
        Self { regrets: Array::zero(&layout), sums: Array::zero(&layout), layout }
    }

    pub fn view(&mut self) -> (&Layout, MemoryView<'_>) {
        (&self.layout, MemoryView { regrets: self.regrets.view(), sums: self.sums.view() })
    }
}

/// A part of an [`Array`] that can be written: in each round, the rows of consecutive deals.
pub(crate) struct View<'a> {
    rounds: [&'a mut [Row]; MAX_ROUNDS],
}

impl<'a> View<'a> {
    fn split(self, at: [usize; MAX_ROUNDS]) -> (Self, Self) {
        let mut right: [&mut [Row]; MAX_ROUNDS] = Default::default();
        let mut left = self.rounds;
        for round in 0..MAX_ROUNDS {
            let (l, r) = std::mem::take(&mut left[round]).split_at_mut(at[round]);
            left[round] = l;
            right[round] = r;
        }
        (Self { rounds: left }, Self { rounds: right })
    }
}

/// The part of a player's [`Memory`] that belongs to some consecutive deals and all that can follow them.
pub(crate) struct MemoryView<'a> {
    regrets: View<'a>,
    sums: View<'a>,
}

impl<'a> MemoryView<'a> {
    /// Takes out the rows of a round, which must be those of a single deal: its regrets and strategy sums.
    pub fn take(&mut self, round: usize) -> (&'a mut [Row], &'a mut [Row]) {
        (std::mem::take(&mut self.regrets.rounds[round]), std::mem::take(&mut self.sums.rounds[round]))
    }

    /// Splits a view whose first deal is `first` in front of the deal `middle` of the same round.
    pub fn split<G: Game>(self, game: &G, layout: &Layout, first: Deal, middle: Deal) -> (Self, Self) {
        let mut at = [0; MAX_ROUNDS];
        let (mut first, mut middle) = (first, middle);
        let next = |deal: Deal| Deal { round: deal.round + 1, index: first_follower(game, deal) };
        loop {
            at[first.round] = layout.start(middle) - layout.start(first);
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
