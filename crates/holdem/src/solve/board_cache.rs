//! Reading many points of a solver: what holds for a whole board is worked out once.

use super::reading::{NodeView, PointStrategy, values_at};
use super::solver::Solver;
use crate::game::place::Place;
use crate::{Action, BettingNodeKind, Line, LineError, Postflop};
use noregret_cards::{Board, Hole};
use noregret_cfr::{Deal, DealValues, NodeId, Player, ReachedDeal};

/// One hand at a point of the game, without its values.
#[derive(Clone, PartialEq, Debug)]
pub struct HandReach {
    /// The hand.
    pub hole: Hole,
    /// How much of it gets here: its weight times the frequencies of the actions that lead here.
    pub reach: f64,
    /// Its reach times the compatible reach of the opponent: how often it is here after card removal.
    pub share: f64,
    /// How often it takes each action, if its player is to act; none if it was never played to here.
    pub strategy: Option<Vec<f64>>,
}

/// A point of the game with what both players may hold there: a [`NodeView`] without values, and much sooner there.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeReach {
    /// Its place in the betting tree.
    pub node: NodeId,
    /// The public cards.
    pub board: Board,
    /// Who is to act; none where a card is dealt or the hand is over.
    pub player: Option<Player>,
    /// What can be done.
    pub actions: Vec<Action>,
    /// Both players' hands, in the order of their index.
    pub hands: [Vec<HandReach>; 2],
}

/// What a solver says of one board, kept from one look to the next. A cache is for one solver; it notices iterations.
#[derive(Default)]
pub struct BoardCache(Option<CachedBoard>);

struct CachedBoard {
    iteration: u32,
    reached: ReachedDeal,
    values: Option<[DealValues; 2]>,
}

impl BoardCache {
    /// The board where a line leads, which is a deal after some others.
    fn board(&mut self, solver: &Solver, deals: &[Deal]) -> &mut CachedBoard {
        let deal = deals.last().copied().unwrap_or(Deal::ROOT);
        let iteration = solver.iteration();
        let is_there = |board: &CachedBoard| board.iteration == iteration && board.reached.deal() == deal;
        if !self.0.as_ref().is_some_and(is_there) {
            self.0 = None;
        }
        self.0.get_or_insert_with(|| {
            let profile = solver.average();
            let reached =
                deals.iter().fold(profile.start(), |reached, deal| profile.follow(&reached, deal.index));
            CachedBoard { iteration, reached, values: None }
        })
    }
}

impl Solver {
    /// Who holds what at the end of a line and what they do with it.
    pub fn reach_at(&self, line: &Line, cache: &mut BoardCache) -> Result<NodeReach, LineError> {
        let path = self.game().path(line)?;
        let board = cache.board(self, &path.deals);
        let point = PointStrategy::new(self.average(), &board.reached, path.place.node);
        Ok(point.hands(self.game(), &path.place))
    }

    /// As [`Solver::at`], sooner if the last look was at the same board.
    pub fn at_cached(&self, line: &Line, cache: &mut BoardCache) -> Result<NodeView, LineError> {
        let path = self.game().path(line)?;
        let board = cache.board(self, &path.deals);
        let profile = self.average();
        let CachedBoard { reached, values, .. } = board;
        let values = values.get_or_insert_with(|| Player::BOTH.map(|player| profile.values(reached, player)));
        let (values, after) = values_at(profile.game(), values, path.place.node);
        Ok(PointStrategy::new(profile, reached, path.place.node).view(
            self.game(),
            &path.place,
            values,
            &after,
        ))
    }
}

impl PointStrategy {
    /// Who holds what, and what the player who acts does with it.
    pub(crate) fn hands(&self, game: &Postflop, place: &Place) -> NodeReach {
        let &Place { node, board, deal, renaming } = place;
        let tree = game.betting();
        let actor = match tree[node].kind {
            BettingNodeKind::Decision(player) => Some(player),
            _ => None,
        };
        let hands = Player::BOTH.map(|player| {
            let compatible = game.compatible_reach(deal, player, &self.reaches[player.opponent().index()]);
            // The solver's weights are relative to the largest one.
            let [largest, largest_other] =
                [player, player.opponent()].map(|player| f64::from(game.spot().largest_weight(player)));
            let hand = |(h, &hole): (usize, &Hole)| {
                let reach = largest * f64::from(self.reaches[player.index()][h]);
                let strategy = self.strategy.iter().map(|shares| shares[h].map(f64::from));
                HandReach {
                    hole: renaming.hole(hole),
                    reach,
                    share: reach * compatible[h] * largest_other,
                    strategy: if actor == Some(player) { strategy.collect() } else { None },
                }
            };
            let mut hands: Vec<HandReach> = game.hands(deal, player).iter().enumerate().map(hand).collect();
            hands.sort_by_key(|hand| hand.hole.index());
            hands
        });
        NodeReach { node, board, player: actor, actions: tree.actions(node).collect(), hands }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameLayout, Spot, TreeOptions};

    #[test]
    fn what_is_read_through_a_cache_is_what_is_read_without() {
        let ranges = ["AA,KK,QJs:0.5".parse().unwrap(), "TT+,AQs".parse().unwrap()];
        let options = TreeOptions::new(100.into(), 300.into());
        let spot = Spot::new(ranges, "QsJh2h3c".parse().unwrap(), options).unwrap();
        let mut solver = Solver::new(GameLayout::new(&spot).unwrap().build());
        let mut cache = BoardCache::default();
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
                let reach = solver.reach_at(&line, &mut cache).unwrap();
                assert_eq!(solver.at_cached(&line, &mut cache).unwrap(), view);
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
        assert!(solver.reach_at(&"bet 7".parse().unwrap(), &mut cache).is_err());
    }
}
