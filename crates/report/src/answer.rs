//! What a solution says about one decision of one hand.

use crate::hands::{HandLine, hand_lines};
use crate::summary::pot;
use noregret_cards::Hole;
use noregret_holdem::{Action, NodeView, Player, Postflop};

/// An action at a decision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ActionAnswer {
    /// The action.
    pub action: Action,
    /// How often the solution takes it with all hands there.
    pub range_frequency: Option<f64>,
    /// How often it takes it with the hand that was held; none if the hand is not known or the solution never plays it to here.
    pub frequency: Option<f64>,
    /// What the hand expects of it from there on, in the unit of the spec; none if it is not known.
    pub ev: Option<f64>,
}

/// What a solution says about a decision.
#[derive(Clone, PartialEq, Debug)]
pub struct DecisionAnswer {
    /// What could be done.
    pub actions: Vec<ActionAnswer>,
    /// Which of these was.
    pub played: usize,
    /// Which of these is worth most to the hand; none if the hand is not known.
    pub best: Option<usize>,
    /// What the hand lost by what was played: the EV of the best action less that of the one that was played, in the unit of the
    /// spec. None if the hand is not known.
    pub ev_loss: Option<f64>,
    /// The chips in the middle, in the unit of the spec.
    pub pot: f64,
}

impl DecisionAnswer {
    /// What a point says about the action in this place of its list, played with these cards.
    pub fn new(game: &Postflop, view: &NodeView, player: Player, hole: Option<Hole>, played: usize) -> Self {
        let lines = hand_lines(game, view, player);
        let held: Option<&HandLine> = hole.and_then(|hole| lines.iter().find(|line| line.hole == hole));
        let evs = held.and_then(|line| line.action_evs.as_deref());
        let strategy = held.and_then(|line| line.strategy.as_deref());
        let actions = view.actions.iter().enumerate().map(|(i, &action)| ActionAnswer {
            action,
            range_frequency: view.frequencies.get(i).copied(),
            frequency: strategy.and_then(|strategy| strategy.get(i).copied()),
            ev: evs.and_then(|evs| evs.get(i).copied()),
        });
        let actions: Vec<ActionAnswer> = actions.collect();
        let worth = |place: usize| actions.get(place).and_then(|answer| answer.ev);
        let best = (0..actions.len())
            .filter_map(|place| Some((place, worth(place)?)))
            // Of equals the first.
            .fold(None, |best: Option<(usize, f64)>, next| match best {
                Some(best) if best.1 >= next.1 => Some(best),
                _ => Some(next),
            });
        let ev_loss = best.and_then(|(_, best)| Some(best - worth(played)?));
        Self { played, best: best.map(|(place, _)| place), ev_loss, pot: pot(game, view.node), actions }
    }
}
