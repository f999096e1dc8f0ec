//! Reading many points: what holds for a whole board is worked out once.

use super::reading::{NodeReach, NodeView, PointStrategy, values_at};
use super::solver::Solver;
use crate::{Line, LineError, Postflop};
use noregret_cfr::{Deal, DealValues, Game, NodeId, Player, Profile, ReachedDeal};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Boards that are kept: those on the way to a river, and one to go back to.
const BOARDS: usize = 4;

/// What strategies say of the boards that were read last, kept from one reading to the next. A cache is for one solver, whose
/// iterations it notices, or for one solution. Several threads may read through it at once.
#[derive(Default)]
pub struct BoardCache(Mutex<Vec<Arc<CachedBoard>>>);

impl BoardCache {
    /// Who holds what at the end of a line and what they do with it.
    pub fn reach_at(&self, solver: &Solver, line: &Line) -> Result<NodeReach, LineError> {
        self.reach_of(solver.average(), solver.iteration(), line)
    }

    /// As [`Solver::at`], sooner if the same board was read before.
    pub fn at(&self, solver: &Solver, line: &Line) -> Result<NodeView, LineError> {
        self.view_of(solver.average(), solver.iteration(), line)
    }

    /// [`BoardCache::reach_at`] of strategies after some iterations.
    pub(crate) fn reach_of(
        &self,
        profile: Profile<'_, Postflop>,
        iteration: u32,
        line: &Line,
    ) -> Result<NodeReach, LineError> {
        let path = profile.game().path(line)?;
        let board = self.board(profile, iteration, &path.deals);
        let point = PointStrategy::new(profile, &board.reached, path.place.node);
        Ok(point.hands(profile.game(), &path.place))
    }

    /// [`BoardCache::at`] of strategies after some iterations.
    pub(crate) fn view_of(
        &self,
        profile: Profile<'_, Postflop>,
        iteration: u32,
        line: &Line,
    ) -> Result<NodeView, LineError> {
        let path = profile.game().path(line)?;
        let node = path.place.node;
        let board = self.board(profile, iteration, &path.deals);
        let values = board.values(profile, node);
        let (values, after) = values_at(profile.game(), &values, node);
        let point = PointStrategy::new(profile, &board.reached, node);
        Ok(point.view(profile.game(), &path.place, values, &after))
    }

    /// The board of the last of some deals, which follow each other from the root on.
    fn board(&self, profile: Profile<'_, Postflop>, iteration: u32, deals: &[Deal]) -> Arc<CachedBoard> {
        let mut boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        boards.retain(|board| board.iteration == iteration);
        // The boards that were read last are at the end.
        let mut last = |deal: Deal, reached: &dyn Fn() -> ReachedDeal| {
            let place = boards.iter().position(|board| board.reached.deal() == deal);
            let board = match place {
                Some(place) => boards.remove(place),
                None => Arc::new(CachedBoard { iteration, reached: reached(), values: Mutex::default() }),
            };
            boards.push(board.clone());
            board
        };
        let mut board = last(Deal::ROOT, &|| profile.start());
        for &deal in deals {
            board = last(deal, &|| profile.follow(&board.reached, deal.index));
        }
        let surplus = boards.len().saturating_sub(BOARDS);
        boards.drain(..surplus);
        board
    }
}

struct CachedBoard {
    iteration: u32,
    reached: ReachedDeal,
    /// By root tree: both players' values there, as far as they were asked for.
    values: Mutex<HashMap<NodeId, Arc<[DealValues; 2]>>>,
}

impl CachedBoard {
    /// Both players' values at a node. The first reading of a root tree works out what the node needs, and the next one that needs
    /// more all of it: so a single node costs little, and all of them cost at most twice as much as they must.
    fn values(&self, profile: Profile<'_, Postflop>, node: NodeId) -> Arc<[DealValues; 2]> {
        let lock = || self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let root = profile.game().tree().root_of(node);
        let known = lock().get(&root).cloned();
        let top = match known {
            Some(values) if values[0].covers(node) => return values,
            Some(_) => root,
            None => node,
        };
        // Others may read meanwhile: whoever needs the same works it out, too, and finds the same.
        let values = Arc::new(Player::BOTH.map(|player| profile.values_below(&self.reached, top, player)));
        lock().insert(root, values.clone());
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameLayout, SizeKind, SizeList, Spot, TreeOptions};

    #[test]
    fn what_is_read_through_a_cache_is_what_is_read_without() {
        let ranges = ["AA,KK,QJs:0.5".parse().unwrap(), "TT+,AQs".parse().unwrap()];
        let options = TreeOptions::new(100.into(), 300.into());
        let spot = Spot::new(ranges, "QsJh2h3c".parse().unwrap(), options).unwrap();
        let mut solver = Solver::new(GameLayout::new(&spot).unwrap().build());
        let cache = BoardCache::default();
        for _ in 0..3 {
            (0..15).for_each(|_| solver.iterate());
            for line in [
                "",
                "check",
                "bet 50, call",
                "bet 50, call, Th",
                "bet 50, call, Th, check",
                "bet 50, call, Td",
                "check",
            ] {
                let line = line.parse().unwrap();
                let view = solver.at(&line).unwrap();
                let reach = cache.reach_at(&solver, &line).unwrap();
                assert_eq!(cache.at(&solver, &line).unwrap(), view);
                assert_eq!(
                    (reach.node, reach.board, reach.player, &reach.actions),
                    (view.node, view.board, view.player, &view.actions)
                );
                for (hands, views) in reach.hands.iter().zip(&view.hands) {
                    assert_eq!(hands.len(), views.len());
                    for (hand, view) in hands.iter().zip(views) {
                        assert_eq!(
                            (hand.hole, hand.reach, hand.share, &hand.strategy),
                            (view.hole, view.reach, view.share, &view.strategy)
                        );
                    }
                }
            }
        }
        assert!(cache.reach_at(&solver, &"bet 7".parse().unwrap()).is_err());
    }

    #[test]
    fn what_a_node_needs_has_the_bits_of_the_whole_board() {
        let ranges = ["AA,KK,QJs:0.5,98s", "TT+,AQs,87s"].map(|range| range.parse().unwrap());
        // Short enough for all-ins, which readers deal, and with two sizes for many root trees on the river.
        let mut options = TreeOptions::new(100.into(), 250.into());
        for street in &mut options.sizes {
            street
                .iter_mut()
                .for_each(|sizes| sizes.bet = SizeList::parse("40%,100%", SizeKind::Bet).unwrap());
        }
        let spot = Spot::new(ranges, "QsJh2h3c".parse().unwrap(), options).unwrap();
        let mut solver = Solver::new(GameLayout::new(&spot).unwrap().build());
        (0..25).for_each(|_| solver.iterate());
        let profile = solver.average();
        let tree = profile.game().tree();
        let rivers = [0, 7, 20].map(|index| profile.follow(&profile.start(), index));
        for reached in rivers.iter().chain([&profile.start()]) {
            for player in Player::BOTH {
                let whole = profile.values(reached, player);
                for top in tree.round_nodes(reached.deal().round).step_by(if reached.deal().round == 0 {
                    1
                } else {
                    5
                }) {
                    let below = profile.values_below(reached, top, player);
                    let root = tree.root_of(top);
                    let covered: Vec<NodeId> =
                        tree.round_nodes(reached.deal().round).filter(|&node| below.covers(node)).collect();
                    assert_eq!(covered.first(), Some(&top));
                    for node in covered {
                        assert_eq!(tree.root_of(node), root);
                        let bits =
                            |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
                        assert_eq!(
                            bits(below.at(node)),
                            bits(whole.at(node)),
                            "{player:?}, {node:?} below {top:?}"
                        );
                    }
                }
            }
        }
    }
}
