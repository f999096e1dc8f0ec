//! What hands are worth when nobody bets any more.

use super::kernels::PairedFoldRows;
use super::postflop::{Postflop, terms};
use crate::betting::node::BettingNodeKind;
use crate::betting::tree::Payoff;
use noregret_cards::Street;
use noregret_cfr::simd::{Row, WIDTH};
use noregret_cfr::{Deal, Game, Player, SumPrecision};
use rayon::prelude::*;

/// A pot of one that is shown down.
const ONE: Payoff = Payoff { win: 1.0, tie: 0.5, lose: 0.0 };

impl Postflop {
    /// Which share of the pot a player wins if both check from the root to the end.
    pub fn root_equity(&self, player: Player) -> f64 {
        let [own, others] = [player, player.opponent()].map(|player| self.possible_reach(Deal::ROOT, player));
        let equities = self.equities(Deal::ROOT, player, &others);
        let compatible = self.compatible_reach(Deal::ROOT, player, &others);
        let (sum, weight) = equities
            .iter()
            .zip(compatible)
            .zip(&own)
            .filter_map(|((equity, compatible), &weight)| Some(((*equity)?, compatible * f64::from(weight))))
            .fold((0.0, 0.0), |(sum, total), (equity, weight)| (sum + equity * weight, total + weight));
        sum / weight
    }

    /// For each hand of a player in a deal, the share of the pot that it wins on average over all runouts, against
    /// the opponent's hands with these reach probabilities; none for a hand that is compatible with none of them. Hands of one orbit
    /// must have the same reach.
    pub fn equities(&self, deal: Deal, player: Player, reach: &[f32]) -> Vec<Option<f64>> {
        let orbit_reach = self.of_representatives(deal, player.opponent(), reach);
        let shares = self.of_all_hands(deal, player, &self.shares(deal, player, &orbit_reach));
        let compatible = self.compatible_reach(deal, player, reach);
        shares
            .into_iter()
            .zip(compatible)
            .map(|(share, compatible)| (compatible > 0.0).then(|| (share / compatible).clamp(0.0, 1.0)))
            .collect()
    }

    /// As [`Postflop::equities`], times the compatible reach of the opponent's hands, orbit by orbit.
    fn shares(&self, deal: Deal, player: Player, reach: &[f32]) -> Vec<f64> {
        if self.board(deal).street() == Street::River {
            let reach = self.of_all_hands(deal, player.opponent(), reach);
            let reach: Vec<_> = reach.into_iter().map(|reach| Row([reach; WIDTH])).collect();
            let mut values = vec![Row::ZERO; self.hand_count(deal, player)];
            let one = terms(BettingNodeKind::Showdown, ONE)[player.index()].map(|term| Row([term; WIDTH]));
            let rows = (&reach[..], &mut values[..]);
            self.show_down(deal, player, SumPrecision::Double, one, rows, PairedFoldRows::None);
            return values.iter().map(|value| f64::from(value[0])).collect();
        }
        let next: Vec<Deal> =
            self.next_deals(deal).map(|index| Deal { round: deal.round + 1, index }).collect();
        let after: Vec<Vec<f64>> = next
            .par_iter()
            .map(|&next| {
                let origin = self.origins(next, player.opponent());
                let carried: Vec<f32> = origin.iter().map(|&hand| reach[hand as usize]).collect();
                self.shares(next, player, &carried)
            })
            .collect();
        let mut sums = vec![0.0; self.hand_count(deal, player)];
        for (&next, after) in next.iter().zip(&after) {
            let counts = self.event_counts(next, player);
            for (orbit, (&hand, share)) in self.origins(next, player).iter().zip(after).enumerate() {
                sums[hand as usize] += counts.get(orbit).map_or(1.0, |&count| f64::from(count)) * share;
            }
        }
        let chance = self.chance(deal.round + 1);
        sums.iter().map(|sum| sum * chance).collect()
    }
}
