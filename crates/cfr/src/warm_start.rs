//! Taking over what a solver has learned on a coarser tree of the same game.
//!
//! Both games deal the same hands; only the actions differ. A decision takes its regrets from its counterpart in the coarse tree: an
//! action from the one that is the same there, or from the two that it lies between, in proportion. All of them are scaled to what
//! so many iterations would weigh, and the solver goes on as if it had made them.

use crate::cells::{self, Cell, Noise, Scale, step_of};
use crate::kernels::blocks;
use crate::simd::{self, Kernel, Lanes, Row};
use crate::state::{Layout, Memory, MemoryView, RegretsMut, RegretsRef, with_cell};
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
                faded: Faded::until(schedule, coarse.iteration),
            };
            let (layout, view) = self.memories[player.index()].view();
            carry.deals(layout, 0, 0..1, view);
        }
        self.iteration = iterations;
        self.average_weight = 0.0;
    }
}

/// What is left at some iteration of regrets that slept since an earlier one: of the positive and of the negative ones.
struct Faded(Vec<[f32; 2]>);

impl Faded {
    fn until(schedule: &dyn Schedule, iteration: u32) -> Self {
        let mut faded = vec![[1.0; 2]; iteration as usize + 1];
        for t in (0..iteration as usize).rev() {
            let [positive, negative] = faded[t + 1];
            let missed = schedule.discounts(t as u32 + 1);
            faded[t] = [positive * missed.positive, negative * missed.negative];
        }
        Self(faded)
    }

    fn since(&self, learned: u32) -> [f32; 2] {
        self.0.get(learned as usize).copied().unwrap_or([1.0; 2])
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
            let plan = &tile.plans[player.index()];
            let index = plan.decision_at(node)?;
            let actions = tree.node(decision.node).children();
            let actions = actions.map(|child| counterparts[child.index()].action).collect();
            Some(Source { tile, index, decision: plan.decisions[index], actions })
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
    faded: Faded,
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
            regrets.learned.fill(self.iteration);
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
                    faded: &self.faded,
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
    faded: &'a Faded,
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
            let RegretsRef { cells, scales, learned, .. } =
                self.memory.regrets(self.deal, self.player, source.tile, self.blocks);
            let first = self.block * plan.rows + source.decision.row as usize;
            let from = &cells.of::<C>()[first..][..source.decision.actions as usize];
            let scale = scales.get(self.block * plan.decisions.len() + source.index);
            let step = self.weight * scale.map_or(1.0, |&scale| step_of(scale));
            let [positive, negative] = self.faded.since(learned[source.decision.root as usize]);
            let mut regrets = [Row::ZERO; MAX_ACTIONS];
            for (regret, blend) in regrets.iter_mut().zip(&source.actions) {
                let Some(Blend { lower, upper, share }) = *blend else { continue };
                let part = |action: u16, share: f32| {
                    let steps = from[usize::from(action)].steps(lanes);
                    let [positive, negative] =
                        [positive, negative].map(|faded| lanes.splat(share * step * faded));
                    lanes.mul(steps, lanes.where_negative(steps, negative, positive))
                };
                *regret = lanes.row(match share {
                    0.0 => part(lower, 1.0),
                    _ => lanes.add(part(lower, 1.0 - share), part(upper, share)),
                });
            }
            let rows = decision.row as usize..(decision.row + decision.actions) as usize;
            let cells = &mut self.cells[rows];
            cells::store(lanes, &regrets[..cells.len()], cells, self.scales.get_mut(d), &mut draws);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::F32;
    use crate::games::{Kuhn, Leduc};
    use crate::{CfrPlus, Dcfr, Kept, Lcfr, PdcfrPlus, Precision, Storage};

    /// Every node stands for itself.
    fn identity(tree: &Tree) -> Vec<Counterpart> {
        let mut counterparts = vec![Counterpart::default(); tree.nodes().len()];
        for (id, node) in tree.nodes().iter().enumerate() {
            counterparts[id].node = Some(NodeId(id as u32));
            for (action, child) in node.children().enumerate() {
                counterparts[child.index()].action = Some(Blend::exactly(action as u16));
            }
        }
        counterparts
    }

    /// All regrets of 32 bits.
    fn regrets<G: Game>(solver: &Solver<'_, G>) -> Vec<f32> {
        let tree = solver.game.tree();
        let mut regrets = Vec::new();
        for round in 0..tree.round_count() {
            for index in 0..solver.game.deal_count(round) {
                for root in tree.roots(round) {
                    for player in Player::BOTH {
                        let numbers = solver.numbers(Deal { round, index }, root, player, Kept::Regrets);
                        let bytes = numbers.numbers.chunks_exact(4);
                        regrets.extend(
                            bytes.map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])),
                        );
                    }
                }
            }
        }
        regrets
    }

    fn learned<'g, G: Game>(
        game: &'g G,
        schedule: impl Schedule + 'static,
        iterations: u32,
    ) -> Solver<'g, G> {
        let mut solver = Solver::new(game, schedule).visiting_everything();
        (0..iterations).for_each(|_| solver.iterate());
        solver
    }

    #[test]
    fn iterations_weigh_what_is_left_of_them() {
        assert_eq!(mass(&CfrPlus, 7), 7.0);
        // Linear: 1/4 + 2/4 + 3/4 + 4/4.
        assert!((mass(&Lcfr, 4) - 2.5).abs() < 1e-6);
        assert_eq!((mass(&Lcfr, 0), mass(&Lcfr, 1)), (0.0, 1.0));
        // Fades by 1/2, then by 2^1.5 / (2^1.5 + 1).
        let expected = 1.0 + 1.5 * 2f64.powf(1.5) / (2f64.powf(1.5) + 1.0);
        let dcfr = Dcfr { alpha: 1.5.into(), ..Dcfr::default() };
        assert!((mass(&dcfr, 3) - expected).abs() < 1e-6);
    }

    #[test]
    fn the_same_tree_goes_on_as_if_nothing_had_happened() {
        let game = Leduc::new();
        let coarse = learned(&game, Dcfr::default(), 20);
        let mut warm = Solver::new(&game, Dcfr::default()).visiting_everything();
        warm.take_over(&coarse, &identity(game.tree()), 20);
        assert_eq!((warm.iteration(), warm.progress().average_weight), (20, 0.0));
        assert_eq!(regrets(&warm), regrets(&coarse));
        let mut plain = learned(&game, Dcfr::default(), 20);
        for _ in 0..7 {
            warm.iterate();
            plain.iterate();
            assert_eq!(regrets(&warm), regrets(&plain));
        }
        // The averages differ: one of them has begun anew, with the first iteration that it was asked for.
        assert!(warm.digest() != plain.digest() && warm.progress().average_weight > 0.0);
    }

    #[test]
    fn the_same_tree_at_another_weight_has_the_same_regrets_scaled() {
        let game = Leduc::new();
        for (weight, factor) in [(10, 0.5), (20, 1.0), (60, 3.0)] {
            let coarse = learned(&game, CfrPlus, 20);
            let mut warm = Solver::new(&game, CfrPlus);
            warm.take_over(&coarse, &identity(game.tree()), weight);
            let scaled: Vec<f32> = regrets(&coarse).iter().map(|regret| factor * regret).collect();
            assert_eq!(regrets(&warm), scaled);
            assert_eq!(warm.iteration(), weight);
        }
    }

    #[test]
    fn what_slept_is_taken_over_as_it_would_have_faded() {
        let game = Leduc::new();
        let dcfr = Dcfr::default();
        let mut coarse = learned(&game, dcfr, 20);
        let before = regrets(&coarse);
        for memory in &mut coarse.memories {
            let (_, mut view) = memory.view();
            for round in 0..game.tree().round_count() {
                view.take(round).unwrap().regrets.learned.fill(17);
            }
        }
        let mut warm = Solver::new(&game, dcfr);
        warm.take_over(&coarse, &identity(game.tree()), 20);
        let missed = [18, 19, 20].map(|t| dcfr.discounts(t));
        let positive: f32 = missed.iter().map(|missed| missed.positive).product();
        let negative: f32 = missed.iter().map(|missed| missed.negative).product();
        let after = regrets(&warm);
        assert_eq!(after.len(), before.len());
        for (before, after) in before.iter().zip(&after) {
            let faded = before * if *before > 0.0 { positive } else { negative };
            assert!((after - faded).abs() <= 1e-5 * faded.abs(), "{before} became {after}");
        }
    }

    #[test]
    fn regrets_are_blended_by_their_shares() {
        let game = Kuhn::new();
        let coarse = learned(&game, Dcfr::default(), 10);
        let mut counterparts = identity(game.tree());
        // After a bet: the fold becomes three quarters fold and a quarter call, the call is like nothing there.
        counterparts[5].action = Some(Blend { lower: 0, upper: 1, share: 0.25 });
        counterparts[6].action = None;
        // After a check and a bet there is nothing to take over.
        counterparts[4].node = None;
        let mut warm = Solver::new(&game, Dcfr::default());
        warm.take_over(&coarse, &counterparts, 10);
        let rows = |solver: &Solver<'_, Kuhn>, node: u32, player: Player| -> Vec<Vec<f32>> {
            let tile = game.tree().tile_of(NodeId(node));
            let RegretsRef { cells, .. } =
                solver.memories[player.index()].regrets(Deal::ROOT, player, tile, 1);
            let decisions = &tile.plans[player.index()].decisions;
            let decision = decisions.iter().find(|decision| decision.node == NodeId(node)).unwrap();
            let cells = &cells.of::<F32>()[decision.row as usize..][..decision.actions as usize];
            cells.iter().map(|cell| cell.steps(simd::Plain)[..3].to_vec()).collect()
        };
        let (before, after) = (rows(&coarse, 2, Player::Second), rows(&warm, 2, Player::Second));
        for hand in 0..3 {
            let blended = 0.75 * before[0][hand] + 0.25 * before[1][hand];
            assert!((after[0][hand] - blended).abs() <= 1e-6 * blended.abs(), "{before:?} {after:?}");
            assert_eq!(after[1][hand], 0.0);
        }
        assert!(before.iter().flatten().any(|&regret| regret != 0.0));
        assert_eq!(rows(&warm, 4, Player::First), vec![vec![0.0; 3]; 2]);
        assert_eq!(rows(&warm, 0, Player::First), rows(&coarse, 0, Player::First));
    }

    #[test]
    fn every_precision_takes_over_the_same_each_time_and_predictions_start_anew() {
        let game = Leduc::new();
        for precision in Precision::ALL {
            let storage = Storage::uniform(precision, precision);
            let mut coarse = Solver::with_storage(&game, PdcfrPlus::default(), &storage);
            (0..12).for_each(|_| coarse.iterate());
            let take_over = || {
                let mut warm = Solver::with_storage(&game, PdcfrPlus::default(), &storage);
                warm.take_over(&coarse, &identity(game.tree()), 12);
                warm
            };
            let (warm, again) = (take_over(), take_over());
            for round in 0..game.tree().round_count() {
                for index in 0..game.deal_count(round) {
                    for root in game.tree().roots(round) {
                        for player in Player::BOTH {
                            let at = |solver: &Solver<'_, Leduc>, kept| {
                                solver.numbers(Deal { round, index }, root, player, kept)
                            };
                            let (new, old) = (at(&warm, Kept::Regrets), at(&coarse, Kept::Regrets));
                            assert_eq!(new, at(&again, Kept::Regrets));
                            if precision == Precision::Bits32 {
                                assert_eq!(new, old);
                            }
                            let hints = at(&warm, Kept::Predictions);
                            assert!(hints.alive.iter().all(|&alive| alive == 0));
                        }
                    }
                }
            }
        }
    }
}
