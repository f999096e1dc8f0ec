//! What a solution says about a decision that was played.

use crate::hand_spot::PlayedDecision;
use noregret_holdem::{Action, ReadError, SolutionFile, Step};
use noregret_report::{HandLine, hand_lines, pot};

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
    /// Reads the answer out of the solution of the hand's spot.
    pub fn read(saved: &SolutionFile, decision: &PlayedDecision) -> Result<Self, ReadError> {
        let view = saved.at(&decision.line)?;
        let mut whole = decision.line.clone();
        whole.steps.push(decision.played);
        let exact = saved.game().betting().exact(saved.spec().spot.board(), &whole)?;
        let is_played = |action: &&Action| exact.steps.last() == Some(&Step::Action(**action));
        let played = view.actions.iter().position(|action| is_played(&action)).unwrap_or(0);
        let lines = hand_lines(saved.game(), &view, decision.player);
        let held: Option<&HandLine> =
            decision.hole.and_then(|hole| lines.iter().find(|line| line.hole == hole));
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
        Ok(Self {
            played,
            best: best.map(|(place, _)| place),
            ev_loss,
            pot: pot(saved.game(), view.node),
            actions,
        })
    }
}
