//! Warm start: regrets from a coarser tree of the same game.
//!
//! Both games deal the same hands; only the actions differ. A decision takes its regrets from its counterpart in the coarse tree: an
//! action from the one that is the same there, or from the two that it lies between, in proportion. All of them are scaled to what
//! a number of iterations would weigh, and training continues as if it had made them (after Brown and Sandholm, *Strategy-based
//! warm starting for regret minimization in games*, 2016, who start from a strategy instead).

use crate::Discounts;
use crate::quantize::{self, Quantized, RoundingSeed, Scale, step_of};
use crate::regret_table::PlayerRegrets;
use crate::schedule::Schedule;
use crate::simd::{self, Kernel, Lanes, Row, blocks};
use crate::state::{RegretsMut, RegretsRef, StateLayout, StateView, with_encoding};
use crate::tree::{Decision, MAX_ACTIONS, NodeId, Tile, Tree};
use crate::{Deal, Game, Player};
use std::ops::Range;

/// An action as a mean of two of the actions at the counterpart of its decision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Blend {
    /// The first, by its index among the actions there.
    pub lower: u16,
    /// The second; may be the same.
    pub upper: u16,
    /// The weight of the second, from 0 to 1; the first has the rest.
    pub share: f32,
}

impl Blend {
    /// One action as it is.
    pub fn exactly(action: u16) -> Self {
        Self { lower: action, upper: action, share: 0.0 }
    }
}

/// The counterpart of a node in a coarser tree.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Counterpart {
    /// The node there, if the coarse tree has one with the same stacks to come.
    pub node: Option<NodeId>,
    /// The action that leads to this node, as a blend of those at the counterpart of the decision before; none if nothing there is
    /// like it, and at roots.
    pub action: Option<Blend>,
}

/// The weight of so many iterations in the regrets, where the last one has weight one.
fn mass(schedule: &dyn Schedule, iterations: u32) -> f64 {
    (1..=iterations).fold(0.0, |mass, t| 1.0 + mass * f64::from(schedule.discounts(t).positive))
}

/// Key of transferred regrets in [`RoundingSeed`], beside those of the arrays that are updated.
const TRANSFERRED: usize = 2;

/// The transfer of one player's regrets to a finer tree.
pub(crate) struct RegretTransfer<'a, G, C> {
    pub game: &'a G,
    pub coarse: &'a C,
    /// Those of the coarse tree.
    pub regrets: PlayerRegrets<'a>,
    pub player: Player,
    pub schedule: &'a dyn Schedule,
    /// The iterations that were made on the coarse tree.
    pub coarse_iterations: u32,
    /// How many iterations the regrets are scaled to.
    pub iterations: u32,
    /// For each node of the finer tree.
    pub counterparts: &'a [Counterpart],
}

impl<G: Game, C: Game> RegretTransfer<'_, G, C> {
    /// Fills in the regrets of all deals.
    pub fn run(&self, layout: &StateLayout, view: StateView<'_>) {
        let weight =
            mass(self.schedule, self.iterations) / mass(self.schedule, self.coarse_iterations).max(1.0);
        let scaled = ScaledTransfer {
            sources: RegretSources::new(self.game.tree(), self.coarse.tree(), self.counterparts, self.player),
            weight: weight as f32,
            missed: MissedDiscounts::until(self.schedule, self.coarse_iterations),
            transfer: self,
        };
        scaled.deals(layout, 0, 0..1, view);
    }
}

/// For each iteration, the product of the discounts that follow it: those that a root tree has missed since its last update.
struct MissedDiscounts(Vec<Discounts>);

impl MissedDiscounts {
    fn until(schedule: &dyn Schedule, iteration: u32) -> Self {
        let none = Discounts { positive: 1.0, negative: 1.0, average: 1.0 };
        let mut left = vec![none; iteration as usize + 1];
        for t in (0..iteration as usize).rev() {
            let missed = schedule.discounts(t as u32 + 1);
            let Discounts { positive, negative, .. } = left[t + 1];
            left[t] = Discounts {
                positive: positive * missed.positive,
                negative: negative * missed.negative,
                ..none
            };
        }
        Self(left)
    }

    fn since(&self, last_update: u32) -> [f32; 2] {
        self.0.get(last_update as usize).map_or([1.0; 2], |left| [left.positive, left.negative])
    }
}

/// Where a decision takes its regrets from.
struct RegretSource<'a> {
    tile: &'a Tile,
    /// The index of the decision in its sequence form.
    index: usize,
    decision: Decision,
    /// One for each action.
    actions: Vec<Option<Blend>>,
}

/// The sources of all decisions of a player, by round and tile.
struct RegretSources<'a>(Vec<Vec<Vec<Option<RegretSource<'a>>>>>);

impl<'a> RegretSources<'a> {
    fn new(tree: &Tree, coarse: &'a Tree, counterparts: &[Counterpart], player: Player) -> Self {
        let source = |decision: &Decision| {
            let node = counterparts[decision.node.index()].node?;
            let tile = coarse.tile_of(node);
            let form = &tile.forms[player.index()];
            let index = form.decision_at(node)?;
            let actions = tree.node(decision.node).children();
            let actions = actions.map(|child| counterparts[child.index()].action).collect();
            Some(RegretSource { tile, index, decision: form.decisions[index], actions })
        };
        let tile = |tile: &Tile| tile.forms[player.index()].decisions.iter().map(source).collect();
        let round = |round| tree.round(round).tiles.iter().map(tile).collect();
        Self((0..tree.round_count()).map(round).collect())
    }
}

/// A transfer with what all deals share.
struct ScaledTransfer<'a, G, C> {
    transfer: &'a RegretTransfer<'a, G, C>,
    sources: RegretSources<'a>,
    weight: f32,
    missed: MissedDiscounts,
}

impl<G: Game, C: Game> ScaledTransfer<'_, G, C> {
    /// Fills in some consecutive deals of a round and all that follow them.
    fn deals(&self, layout: &StateLayout, round: usize, deals: Range<usize>, mut view: StateView<'_>) {
        let at = |index| Deal { round, index };
        let game = self.transfer.game;
        if deals.len() > 1 {
            let middle = deals.start + deals.len() / 2;
            let (left, right) = view.split(game, layout, at(deals.start), at(middle));
            rayon::join(
                || self.deals(layout, round, deals.start..middle, left),
                || self.deals(layout, round, middle..deals.end, right),
            );
        } else if !deals.is_empty() {
            let deal = at(deals.start);
            if let Some(mut here) = view.take(round) {
                self.deal(deal, &mut here.regrets);
            }
            self.deals(layout, round + 1, game.next_deals(deal), view);
        }
    }

    fn deal(&self, deal: Deal, regrets: &mut RegretsMut<'_>) {
        let &RegretTransfer { game, coarse, player, iterations, .. } = self.transfer;
        let blocks = blocks(game.hand_count(deal, player));
        debug_assert_eq!(blocks, simd::blocks(coarse.hand_count(deal, player)));
        let tiles = &game.tree().round(deal.round).tiles;
        for (tile, sources) in tiles.iter().zip(&self.sources.0[deal.round]) {
            let mut regrets = regrets.tile(player, tile, blocks);
            regrets.last_update.fill(iterations);
            let form = &tile.forms[player.index()];
            for block in 0..blocks {
                let place = [deal.index, tile.nodes.start as usize, block];
                let keys = [iterations as usize, player.index(), TRANSFERRED];
                with_encoding!(regrets.regrets.rows.encoding, Q => simd::run(TransferBlock::<Q> {
                    deal,
                    block,
                    blocks,
                    player,
                    from: self.transfer.regrets,
                    decisions: &form.decisions,
                    sources,
                    weight: self.weight,
                    missed: &self.missed,
                    rounding: RoundingSeed::new(&[keys, place].concat()),
                    regrets: &mut regrets.regrets.rows.of()[block * form.rows..][..form.rows],
                    scales: block_scales(regrets.regrets.scales, block, form.decisions.len()),
                }));
            }
        }
    }
}

/// The scales of a block, of which there are none for floats.
fn block_scales(scales: &mut [Scale], block: usize, decisions: usize) -> &mut [Scale] {
    if scales.is_empty() { scales } else { &mut scales[block * decisions..][..decisions] }
}

/// Fills in one block of a tile's regrets.
struct TransferBlock<'a, Q> {
    deal: Deal,
    block: usize,
    blocks: usize,
    player: Player,
    from: PlayerRegrets<'a>,
    decisions: &'a [Decision],
    sources: &'a [Option<RegretSource<'a>>],
    weight: f32,
    missed: &'a MissedDiscounts,
    rounding: RoundingSeed,
    regrets: &'a mut [Q],
    scales: &'a mut [Scale],
}

impl<Q: Quantized> Kernel for TransferBlock<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let mut offsets = self.rounding.offsets(lanes);
        for (d, (decision, source)) in self.decisions.iter().zip(self.sources).enumerate() {
            let Some(source) = source else { continue };
            let form = &source.tile.forms[self.player.index()];
            let RegretsRef { regrets, last_update, .. } = self.from.tile(self.deal, source.tile, self.blocks);
            let first = self.block * form.rows + source.decision.row as usize;
            let from = &regrets.rows.of::<Q>()[first..][..source.decision.actions as usize];
            let scale = regrets.scales.get(self.block * form.decisions.len() + source.index);
            let step = self.weight * scale.map_or(1.0, |&scale| step_of(scale));
            let [positive, negative] = self.missed.since(last_update[source.decision.root as usize]);
            let mut blended = [Row::ZERO; MAX_ACTIONS];
            for (regret, blend) in blended.iter_mut().zip(&source.actions) {
                let Some(Blend { lower, upper, share }) = *blend else { continue };
                let part = |action: u16, share: f32| {
                    let regret = from[usize::from(action)].decode(lanes);
                    let [positive, negative] =
                        [positive, negative].map(|left| lanes.splat(share * step * left));
                    lanes.mul(regret, lanes.where_negative(regret, negative, positive))
                };
                *regret = lanes.row(match share {
                    0.0 => part(lower, 1.0),
                    _ => lanes.add(part(lower, 1.0 - share), part(upper, share)),
                });
            }
            let rows = decision.row as usize..(decision.row + decision.actions) as usize;
            let regrets = &mut self.regrets[rows];
            let scale = self.scales.get_mut(d);
            quantize::encode_block(lanes, &blended[..regrets.len()], regrets, scale, &mut offsets);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Kuhn, Leduc};
    use crate::quantize::F32;
    use crate::{ArrayKind, CfrPlus, Dcfr, Lcfr, PdcfrPlus, Precision, StoragePrecision, Trainer};
    use std::sync::Arc;

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
    fn regrets<G: Game>(trainer: &Trainer<G>) -> Vec<f32> {
        let tree = trainer.game().tree();
        let mut regrets = Vec::new();
        for round in 0..tree.round_count() {
            for index in 0..trainer.game().deal_count(round) {
                for root in tree.roots(round) {
                    for player in Player::BOTH {
                        let numbers = trainer.encode(Deal { round, index }, root, player, ArrayKind::Regrets);
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

    fn trained<G: Game>(game: &Arc<G>, schedule: impl Schedule + 'static, iterations: u32) -> Trainer<G> {
        let mut trainer = Trainer::new(game.clone(), schedule).without_skipping();
        (0..iterations).for_each(|_| trainer.iterate());
        trainer
    }

    #[test]
    fn iterations_weigh_their_remaining_discounts() {
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
    fn a_warm_start_on_the_same_tree_continues_with_the_same_bits() {
        let game = Arc::new(Leduc::new());
        let coarse = trained(&game, Dcfr::default(), 20);
        let mut warm = Trainer::new(game.clone(), Dcfr::default()).without_skipping();
        warm.warm_start(&coarse, &identity(game.tree()), 20);
        assert_eq!((warm.iteration(), warm.progress().average_weight), (20, 0.0));
        assert_eq!(regrets(&warm), regrets(&coarse));
        let mut plain = trained(&game, Dcfr::default(), 20);
        for _ in 0..7 {
            warm.iterate();
            plain.iterate();
            assert_eq!(regrets(&warm), regrets(&plain));
        }
        // The averages differ: one of them has begun anew, with the first iteration that it was asked for.
        assert!(warm.average().digest() != plain.average().digest() && warm.progress().average_weight > 0.0);
    }

    #[test]
    fn the_same_tree_at_another_weight_has_the_same_regrets_scaled() {
        let game = Arc::new(Leduc::new());
        for (weight, factor) in [(10, 0.5), (20, 1.0), (60, 3.0)] {
            let coarse = trained(&game, CfrPlus, 20);
            let mut warm = Trainer::new(game.clone(), CfrPlus);
            warm.warm_start(&coarse, &identity(game.tree()), weight);
            let scaled: Vec<f32> = regrets(&coarse).iter().map(|regret| factor * regret).collect();
            assert_eq!(regrets(&warm), scaled);
            assert_eq!(warm.iteration(), weight);
        }
    }

    #[test]
    fn skipped_root_trees_are_transferred_with_their_missed_discounts() {
        let game = Arc::new(Leduc::new());
        let dcfr = Dcfr::default();
        let mut coarse = trained(&game, dcfr, 20);
        let before = regrets(&coarse);
        for player in Player::BOTH {
            coarse.regrets_mut().split(player).0.for_each(|round| round.last_update.fill(17));
        }
        let mut warm = Trainer::new(game.clone(), dcfr);
        warm.warm_start(&coarse, &identity(game.tree()), 20);
        let missed = [18, 19, 20].map(|t| dcfr.discounts(t));
        let positive: f32 = missed.iter().map(|missed| missed.positive).product();
        let negative: f32 = missed.iter().map(|missed| missed.negative).product();
        let after = regrets(&warm);
        assert_eq!(after.len(), before.len());
        for (before, after) in before.iter().zip(&after) {
            let discounted = before * if *before > 0.0 { positive } else { negative };
            assert!((after - discounted).abs() <= 1e-5 * discounted.abs(), "{before} became {after}");
        }
    }

    #[test]
    fn regrets_are_blended_by_their_shares() {
        let game = Arc::new(Kuhn::new());
        let coarse = trained(&game, Dcfr::default(), 10);
        let mut counterparts = identity(game.tree());
        // After a bet: the fold becomes three quarters fold and a quarter call, the call is like nothing there.
        counterparts[5].action = Some(Blend { lower: 0, upper: 1, share: 0.25 });
        counterparts[6].action = None;
        // After a check and a bet there is nothing to take over.
        counterparts[4].node = None;
        let mut warm = Trainer::new(game.clone(), Dcfr::default());
        warm.warm_start(&coarse, &counterparts, 10);
        let rows = |trainer: &Trainer<Kuhn>, node: u32, player: Player| -> Vec<Vec<f32>> {
            let tile = game.tree().tile_of(NodeId(node));
            let RegretsRef { regrets, .. } = trainer.regrets().tile(Deal::ROOT, player, tile, 1);
            let decisions = &tile.forms[player.index()].decisions;
            let decision = decisions.iter().find(|decision| decision.node == NodeId(node)).unwrap();
            let rows = &regrets.rows.of::<F32>()[decision.row as usize..][..decision.actions as usize];
            rows.iter().map(|row| row.decode(simd::Plain)[..3].to_vec()).collect()
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
        let game = Arc::new(Leduc::new());
        for precision in Precision::ALL {
            let storage = StoragePrecision::uniform(precision, precision);
            let mut coarse = Trainer::with_storage(game.clone(), PdcfrPlus::default(), &storage);
            (0..12).for_each(|_| coarse.iterate());
            let take_over = || {
                let mut warm = Trainer::with_storage(game.clone(), PdcfrPlus::default(), &storage);
                warm.warm_start(&coarse, &identity(game.tree()), 12);
                warm
            };
            let (warm, again) = (take_over(), take_over());
            for round in 0..game.tree().round_count() {
                for index in 0..game.deal_count(round) {
                    for root in game.tree().roots(round) {
                        for player in Player::BOTH {
                            let at = |trainer: &Trainer<Leduc>, kept| {
                                trainer.encode(Deal { round, index }, root, player, kept)
                            };
                            let (new, old) = (at(&warm, ArrayKind::Regrets), at(&coarse, ArrayKind::Regrets));
                            assert_eq!(new, at(&again, ArrayKind::Regrets));
                            if precision == Precision::Bits32 {
                                assert_eq!(new, old);
                            }
                            let predictions = at(&warm, ArrayKind::Predictions);
                            assert!(predictions.support.iter().all(|&support| support == 0));
                        }
                    }
                }
            }
        }
    }
}
