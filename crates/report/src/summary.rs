//! A point of the game in a few numbers.

use crate::amount::Amount;
use noregret_cards::Board;
use noregret_holdem::{Action, AmountFormat, Chips, HandView, NodeId, NodeView, Player, Postflop};
use serde::Serialize;

/// A hand with a smaller reach at a point counts as not reaching it: its strategy there was never trained.
pub const NEGLIGIBLE: f64 = 1e-4;

/// What some hands expect, after card removal; null where they meet nobody.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Outlook {
    /// In the unit of the spec from here on, the pot counted.
    #[cfg_attr(feature = "schema", schema(required))]
    pub ev: Option<f64>,
    /// The share of the pot if both check to the end.
    #[cfg_attr(feature = "schema", schema(required))]
    pub equity: Option<f64>,
    /// EV over equity times pot.
    #[cfg_attr(feature = "schema", schema(required))]
    pub eqr: Option<f64>,
    /// How many combinations, each weighted by its reach.
    pub combos: f64,
}

/// An action, how often it is taken and by what hands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ActionSummary {
    /// The action.
    pub action: Action,
    /// How often it is taken, over all hands after card removal; none if no hands of both players are here together.
    pub frequency: Option<f64>,
    /// What the hands that take it expect of it, and their equity before it.
    pub outlook: Outlook,
}

/// An action as JSON has it, in `inspect` and in the HTTP API.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ActionDocument {
    /// `fold`, `check`, `call`, `bet`, `raise` or `all-in`.
    pub action: String,
    /// What the player has put in on this street in all; 0 where there is no amount.
    #[cfg_attr(feature = "schema", schema(value_type = f64))]
    pub amount: Amount,
    /// How often it is taken; null where no hands of both players are together.
    #[cfg_attr(feature = "schema", schema(required))]
    pub frequency: Option<f64>,
    /// What the hands that take it expect of it.
    #[serde(flatten)]
    pub outlook: Outlook,
}

impl From<&ActionSummary> for ActionDocument {
    fn from(summary: &ActionSummary) -> Self {
        Self {
            action: summary.action.name().to_owned(),
            amount: Amount::of(summary.action),
            frequency: summary.frequency,
            outlook: summary.outlook,
        }
    }
}

/// A point of the game in a few numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeSummary {
    /// The public cards.
    pub board: Board,
    /// Who is to act; none where a card is dealt or the hand is over.
    pub player: Option<Player>,
    /// The chips in the middle.
    pub pot: f64,
    /// The pot after calling what there is to call, in the unit of the spot.
    pub pot_called: f64,
    /// What the opponent has put in on the street if there is a bet to answer, in the unit of the spot.
    pub previous: f64,
    /// The weight of all matchups here: the sum over all pairs that share no card of the product of
    /// their reaches. What a point counts when points are averaged.
    pub matchups: f64,
    /// Each player's hands.
    pub players: [Outlook; 2],
    /// What can be done.
    pub actions: Vec<ActionSummary>,
}

/// What an amount of chips, counted as at the root, is from here on.
#[derive(Clone, Copy)]
struct Here {
    pot: f64,
    /// What the player has put in since the root.
    paid: f64,
}

impl Here {
    fn outlook(&self, hands: impl Iterator<Item = WeightedValues>) -> Outlook {
        let mut sums = WeightedValues::default();
        let (mut evs, mut equities, mut met) = (0.0, 0.0, 0.0);
        for part in hands {
            sums.combos += part.combos;
            if let (Some(ev), Some(equity)) = (part.ev, part.equity) {
                met += part.share;
                evs += part.share * (ev + self.paid);
                equities += part.share * equity;
            }
        }
        let mean = |sum: f64| (met > 0.0).then(|| sum / met);
        let (ev, equity) = (mean(evs), mean(equities));
        let eqr =
            ev.zip(equity).filter(|(_, equity)| *equity > 0.0).map(|(ev, equity)| ev / (equity * self.pot));
        Outlook { ev, equity, eqr, combos: sums.combos }
    }
}

/// A hand, or as much of it as takes an action.
#[derive(Default)]
struct WeightedValues {
    combos: f64,
    share: f64,
    ev: Option<f64>,
    equity: Option<f64>,
}

impl NodeSummary {
    /// The summary of a point of a game.
    pub fn new(game: &Postflop, view: &NodeView) -> Self {
        let here = |player| Here { pot: pot(game, view.node), paid: paid(game, view.node, player) };
        let players = Player::BOTH.map(|player| {
            let whole = |hand: &HandView| WeightedValues {
                combos: hand.reach,
                share: hand.share,
                ev: hand.root_ev,
                equity: hand.equity,
            };
            here(player).outlook(view.hands[player.index()].iter().map(whole))
        });
        let matchups = view.hands[0].iter().map(|hand| hand.share).sum();
        let actions = view.player.map_or(Vec::new(), |player| {
            let hands = &view.hands[player.index()];
            let action = |(a, &action): (usize, &Action)| ActionSummary {
                action,
                frequency: (matchups > 0.0).then(|| view.frequencies[a]),
                outlook: here(player).outlook(hands.iter().map(|hand| taking(hand, a, view.actions.len()))),
            };
            view.actions.iter().enumerate().map(action).collect()
        });
        let place = &game.betting()[view.node];
        let most = place.committed[0].max(place.committed[1]);
        Self {
            board: view.board,
            player: view.player,
            pot: pot(game, view.node),
            pot_called: Chips::total([game.spot().options().starting_pot, most, most]),
            previous: place.action.and_then(Action::amount).map_or(0.0, Chips::as_f64),
            matchups,
            players,
            actions,
        }
    }

    /// The same with EVs and the pot as they are shown in another unit; in percent of the pot, the pot is 100.
    #[must_use]
    pub fn shown(mut self, format: AmountFormat) -> Self {
        let pot = self.pot;
        let outlooks =
            self.players.iter_mut().chain(self.actions.iter_mut().map(|action| &mut action.outlook));
        outlooks.for_each(|outlook| outlook.ev = outlook.ev.map(|ev| format.number(ev, pot)));
        self.pot = format.number(pot, pot);
        self
    }

    /// An action here as it is shown in a unit.
    pub fn action_name(&self, action: Action, format: AmountFormat) -> String {
        format.action(action, self.pot_called, self.previous)
    }
}

/// As much of a hand as takes an action.
fn taking(hand: &HandView, action: usize, actions: usize) -> WeightedValues {
    // As the solver has it: what was never played is played at random.
    let share = hand.strategy.as_ref().map_or(1.0 / actions as f64, |strategy| strategy[action]);
    WeightedValues {
        combos: hand.reach * share,
        share: hand.share * share,
        ev: hand.root_action_evs.as_ref().map(|evs| evs[action]),
        equity: hand.equity,
    }
}

/// The chips in the middle at a node of the betting tree.
pub fn pot(game: &Postflop, node: NodeId) -> f64 {
    let committed = game.betting()[node].committed;
    Chips::total(committed.into_iter().chain([game.spot().options().starting_pot]))
}

/// What a player has put in since the root: the difference between an EV from here on and one counted at the root.
pub fn paid(game: &Postflop, node: NodeId, player: Player) -> f64 {
    game.betting()[node].committed[player.index()].as_f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_spots::solved;
    use noregret_holdem::{IP, OOP};

    #[test]
    fn evs_from_here_on_sum_to_the_pot_and_a_fold_is_nothing() {
        solved(|solution| {
            for line in ["", "check", "bet 50", "check, bet 50", "bet 50, raise 125"] {
                let view = solution.at(&line.parse().unwrap()).unwrap();
                let summary = NodeSummary::new(solution.game(), &view);
                let [oop, ip] = summary.players;
                assert!(
                    (oop.ev.unwrap() + ip.ev.unwrap() - summary.pot).abs() < 1e-3 * summary.pot,
                    "{line}"
                );
                assert!((oop.equity.unwrap() + ip.equity.unwrap() - 1.0).abs() < 1e-6, "{line}");
                let eqr = oop.ev.unwrap() / (oop.equity.unwrap() * summary.pot);
                assert_eq!(oop.eqr, Some(eqr));
                for action in summary.actions.iter().filter(|action| action.action == Action::Fold) {
                    assert!(action.outlook.ev.is_none_or(|ev| ev.abs() < 1e-3), "{line}: {action:?}");
                }
            }
        });
    }

    #[test]
    fn the_actions_add_up_to_the_hands_that_take_them() {
        solved(|solution| {
            for (line, player) in [("", OOP), ("check", IP), ("bet 50", IP)] {
                let view = solution.at(&line.parse().unwrap()).unwrap();
                let summary = NodeSummary::new(solution.game(), &view);
                let whole = summary.players[player.index()];
                let sum =
                    |part: &dyn Fn(&ActionSummary) -> f64| summary.actions.iter().map(part).sum::<f64>();
                let weigh = |number: fn(&Outlook) -> Option<f64>| {
                    sum(&|action| action.frequency.unwrap() * number(&action.outlook).unwrap_or(0.0))
                };
                assert!((sum(&|action| action.frequency.unwrap()) - 1.0).abs() < 1e-6);
                assert!((sum(&|action| action.outlook.combos) - whole.combos).abs() < 1e-4);
                assert!((weigh(|outlook| outlook.ev) - whole.ev.unwrap()).abs() < 0.02, "{line}");
                assert!((weigh(|outlook| outlook.equity) - whole.equity.unwrap()).abs() < 1e-5, "{line}");
            }
        });
    }
}
