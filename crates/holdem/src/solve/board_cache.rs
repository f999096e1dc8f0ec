//! Reading many points of a solver: what holds for a whole board is worked out once.

use super::reading::{NodeReach, NodeView, PointStrategy, values_at};
use super::solver::Solver;
use crate::{Line, LineError};
use noregret_cfr::{Deal, DealValues, Player, ReachedDeal};

/// What a solver says of one board, kept from one reading to the next. A cache is for one solver; it notices iterations.
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

    /// Who holds what at the end of a line and what they do with it.
    pub fn reach_at(&mut self, solver: &Solver, line: &Line) -> Result<NodeReach, LineError> {
        let path = solver.game().path(line)?;
        let board = self.board(solver, &path.deals);
        let point = PointStrategy::new(solver.average(), &board.reached, path.place.node);
        Ok(point.hands(solver.game(), &path.place))
    }

    /// As [`Solver::at`], sooner if the last reading was of the same board.
    pub fn at(&mut self, solver: &Solver, line: &Line) -> Result<NodeView, LineError> {
        let path = solver.game().path(line)?;
        let board = self.board(solver, &path.deals);
        let profile = solver.average();
        let CachedBoard { reached, values, .. } = board;
        let values = values.get_or_insert_with(|| Player::BOTH.map(|player| profile.values(reached, player)));
        let (values, after) = values_at(profile.game(), values, path.place.node);
        Ok(PointStrategy::new(profile, reached, path.place.node).view(
            solver.game(),
            &path.place,
            values,
            &after,
        ))
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
}
