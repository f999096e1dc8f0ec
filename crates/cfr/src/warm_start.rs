//! Taking over what a solver has learned on a coarser tree of the same game.
//!
//! Both games deal the same hands; only the actions differ. A decision takes its regrets from its counterpart in the coarse tree: an
//! action from the one that is the same there, or from the two that it lies between, in proportion. All of them are scaled to what
//! so many iterations would weigh, and the solver goes on as if it had made them.

use crate::cells::{self, Cell, F32, I4, I8, I16, Noise, Scale, U4, U8, U16, step_of};
use crate::kernels::blocks;
use crate::simd::{self, Kernel, Lanes};
use crate::state::{Encoding, Layout, Memory, MemoryView, RegretsMut, RegretsRef, with_cell};
use crate::tree::{Decision, MAX_ACTIONS, Tile};
use crate::{Deal, Game, NodeId, Player, Schedule, Solver, Tree};
use std::ops::Range;

/// An action as a mean of two of the actions at the counterpart of its decision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Blend {
    /// The first, by its place among the actions there.
    pub lower: u16,
    /// The second; may be the same.
    pub upper: u16,
    /// How much the second counts, from 0 to 1; the first has the rest.
    pub share: f32,
}

impl Blend {
    /// One action as it is.
    pub fn exactly(action: u16) -> Self {
        Self { lower: action, upper: action, share: 0.0 }
    }
}

/// What stands for a node in a coarser tree.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Counterpart {
    /// The node there, where there is one with as much still to come.
    pub node: Option<NodeId>,
    /// The action that leads to this node, as a blend of those at the counterpart of the decision before; none if nothing there is
    /// like it, and at roots.
    pub action: Option<Blend>,
}

/// How much so many iterations weigh in the regrets, if the last one weighs one.
fn mass(schedule: &dyn Schedule, iterations: u32) -> f64 {
    (1..=iterations).fold(0.0, |mass, t| 1.0 + mass * f64::from(schedule.discounts(t).positive))
}

/// Keeps the noise apart from that of the arrays that learn.
const CARRIED: usize = 2;

impl<G: Game> Solver<'_, G> {
    /// Takes over the regrets of a solver of a coarser tree with the same deals and hands, scaled to what `iterations` iterations
    /// weigh, and goes on from there: the next iteration is the one after. Nothing counts in the average yet, and nothing is
    /// predicted. Both solvers must have the same schedule and precisions, and `counterparts` one for each node of this one's tree.
    pub fn take_over<C: Game>(
        &mut self,
        coarse: &Solver<'_, C>,
        counterparts: &[Counterpart],
        iterations: u32,
    ) {
        let schedule = &*coarse.schedule;
        let weight = mass(schedule, iterations) / mass(schedule, coarse.iteration).max(1.0);
        for player in Player::BOTH {
            let carry = CarryOver {
                game: self.game,
                coarse: coarse.game,
                memory: &coarse.memories[player.index()],
                player,
                sources: Sources::new(self.game.tree(), coarse.game.tree(), counterparts, player),
                weight: weight as f32,
                iteration: iterations,
            };
            let (layout, view) = self.memories[player.index()].view();
            carry.deals(layout, 0, 0..1, view);
        }
        self.iteration = iterations;
        self.average_weight = 0.0;
    }
}

/// Where a decision takes its regrets from.
struct Source<'a> {
    tile: &'a Tile,
    /// The place of the decision in its plan.
    index: usize,
    decision: Decision,
    /// One for each action.
    actions: Vec<Option<Blend>>,
}

/// The sources of all decisions of a player, by round and tile.
struct Sources<'a>(Vec<Vec<Vec<Option<Source<'a>>>>>);

impl<'a> Sources<'a> {
    fn new(tree: &Tree, coarse: &'a Tree, counterparts: &[Counterpart], player: Player) -> Self {
        let source = |decision: &Decision| {
            let node = counterparts[decision.node.index()].node?;
            let tile = coarse.tile_of(node);
            let decisions = &tile.plans[player.index()].decisions;
            let index = decisions.binary_search_by_key(&node, |decision| decision.node).ok()?;
            let actions = tree.node(decision.node).children();
            let actions = actions.map(|child| counterparts[child.index()].action).collect();
            Some(Source { tile, index, decision: decisions[index], actions })
        };
        let tile = |tile: &Tile| tile.plans[player.index()].decisions.iter().map(source).collect();
        let round = |round| tree.round(round).tiles.iter().map(tile).collect();
        Self((0..tree.round_count()).map(round).collect())
    }
}

/// The regrets of one player on their way to a finer tree.
struct CarryOver<'a, G, C> {
    game: &'a G,
    coarse: &'a C,
    memory: &'a Memory,
    player: Player,
    sources: Sources<'a>,
    weight: f32,
    iteration: u32,
}

impl<G: Game, C: Game> CarryOver<'_, G, C> {
    /// Fills in some consecutive deals of a round and all that follow them.
    fn deals(&self, layout: &Layout, round: usize, deals: Range<usize>, mut view: MemoryView<'_>) {
        let at = |index| Deal { round, index };
        if deals.len() > 1 {
            let middle = deals.start + deals.len() / 2;
            let (left, right) = view.split(self.game, layout, at(deals.start), at(middle));
            rayon::join(
                || self.deals(layout, round, deals.start..middle, left),
                || self.deals(layout, round, middle..deals.end, right),
            );
        } else if !deals.is_empty() {
            let deal = at(deals.start);
            if let Some(mut here) = view.take(round) {
                self.deal(deal, &mut here.regrets);
            }
            self.deals(layout, round + 1, self.game.next_deals(deal), view);
        }
    }

    fn deal(&self, deal: Deal, regrets: &mut RegretsMut<'_>) {
        let blocks = blocks(self.game.hand_count(deal, self.player));
        debug_assert_eq!(blocks, self::blocks(self.coarse.hand_count(deal, self.player)));
        let tiles = &self.game.tree().round(deal.round).tiles;
        for (tile, sources) in tiles.iter().zip(&self.sources.0[deal.round]) {
            let mut regrets = regrets.tile(self.player, tile, blocks);
            let plan = &tile.plans[self.player.index()];
            for block in 0..blocks {
                let place = [deal.index, tile.nodes.start as usize, block];
                let keys = [self.iteration as usize, self.player.index(), CARRIED];
                let noise = Noise::new(&[keys, place].concat());
                with_cell!(regrets.cells.encoding, C => simd::run(Fill::<C> {
                    deal,
                    block,
                    blocks,
                    player: self.player,
                    memory: self.memory,
                    decisions: &plan.decisions,
                    sources,
                    weight: self.weight,
                    noise,
                    cells: &mut regrets.cells.of()[block * plan.rows..][..plan.rows],
                    scales: within_block(regrets.scales, block, plan.decisions.len()),
                }));
            }
        }
    }
}

/// The scales of a block, of which there are none for floats.
fn within_block(scales: &mut [Scale], block: usize, decisions: usize) -> &mut [Scale] {
    if scales.is_empty() { scales } else { &mut scales[block * decisions..][..decisions] }
}

/// Fills in one block of a tile's regrets.
struct Fill<'a, C> {
    deal: Deal,
    block: usize,
    blocks: usize,
    player: Player,
    memory: &'a Memory,
    decisions: &'a [Decision],
    sources: &'a [Option<Source<'a>>],
    weight: f32,
    noise: Noise,
    cells: &'a mut [C],
    scales: &'a mut [Scale],
}

impl<C: Cell> Kernel for Fill<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let mut draws = self.noise.draws(lanes);
        for (d, (decision, source)) in self.decisions.iter().zip(self.sources).enumerate() {
            let Some(source) = source else { continue };
            let plan = &source.tile.plans[self.player.index()];
            let RegretsRef { cells, scales, .. } =
                self.memory.regrets(self.deal, self.player, source.tile, self.blocks);
            let first = self.block * plan.rows + source.decision.row as usize;
            let from = &cells.of::<C>()[first..][..source.decision.actions as usize];
            let scale = scales.get(self.block * plan.decisions.len() + source.index);
            let step = self.weight * scale.map_or(1.0, |&scale| step_of(scale));
            let mut regrets = [lanes.splat(0.0); MAX_ACTIONS];
            for (regret, blend) in regrets.iter_mut().zip(&source.actions) {
                let Some(Blend { lower, upper, share }) = *blend else { continue };
                let part = |action: u16, share: f32| {
                    lanes.mul(from[usize::from(action)].steps(lanes), lanes.splat(share * step))
                };
                *regret = match share {
                    0.0 => part(lower, 1.0),
                    _ => lanes.add(part(lower, 1.0 - share), part(upper, share)),
                };
            }
            let rows = decision.row as usize..(decision.row + decision.actions) as usize;
            let regrets = &regrets[..rows.len()];
            cells::store(lanes, regrets, &mut self.cells[rows], self.scales.get_mut(d), &mut draws);
        }
    }
}
