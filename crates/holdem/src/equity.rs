//! What hands are worth when nobody bets any more.

use crate::game::{Together, terms};
use crate::kernels::Folds;
use crate::{NodeKind, Payoff, Postflop};
use noregret_cards::Street;
use noregret_cfr::simd::{Row, WIDTH};
use noregret_cfr::{Deal, Game, Player, Sums};
use rayon::prelude::*;

/// A pot of one that is shown down.
const ONE: Payoff = Payoff { win: 1.0, tie: 0.5, lose: 0.0 };

impl Postflop {
    /// For each hand of a player in a deal, the share of the pot that it wins on average over all runouts, against
    /// the opponent's hands with these reaches; none for a hand that can meet none of them.
    pub fn equities(&self, deal: Deal, player: Player, reach: &[f32]) -> Vec<Option<f64>> {
        let shares = self.shares(deal, player, reach);
        let met = self.met(deal, player, reach);
        shares
            .into_iter()
            .zip(met)
            .map(|(share, met)| (met > 0.0).then(|| (share / met).clamp(0.0, 1.0)))
            .collect()
    }

    /// As [`Postflop::equities`], times the reach of the opponent's hands that a hand can meet.
    fn shares(&self, deal: Deal, player: Player, reach: &[f32]) -> Vec<f64> {
        if self.board(deal).street() == Street::River {
            let reach: Vec<_> = reach.iter().map(|&reach| Row([reach; WIDTH])).collect();
            let mut values = vec![Row::ZERO; self.hand_count(deal, player)];
            let one = terms(NodeKind::Showdown, ONE)[player.index()].map(|term| Row([term; WIDTH]));
            let together = Together { reach: &reach, values: &mut values, folds: Folds::Nowhere };
            self.show_down(deal, player, Sums::Wide, one, together);
            return values.iter().map(|value| f64::from(value[0])).collect();
        }
        let next: Vec<Deal> =
            self.next_deals(deal).map(|index| Deal { round: deal.round + 1, index }).collect();
        let after: Vec<Vec<f64>> = next
            .par_iter()
            .map(|&next| {
                let origin = &self.origins(next, player.opponent())[0];
                let carried: Vec<f32> = origin.iter().map(|&hand| reach[hand as usize]).collect();
                self.shares(next, player, &carried)
            })
            .collect();
        let mut sums = vec![0.0; self.hand_count(deal, player)];
        for (&next, after) in next.iter().zip(&after) {
            for origin in self.origins(next, player) {
                for (&hand, share) in origin.iter().zip(after) {
                    sums[hand as usize] += share;
                }
            }
        }
        let chance = self.chance(deal.round + 1);
        sums.iter().map(|sum| sum * chance).collect()
    }
}
