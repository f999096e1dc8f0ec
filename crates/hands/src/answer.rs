//! What a solution says about a decision that was played.

use crate::hand_spot::PlayedDecision;
use noregret_holdem::{Action, ReadError, SolutionFile, Step};
use noregret_report::DecisionAnswer;

/// Reads the answer out of the solution of the hand's spot.
pub fn read_answer(saved: &SolutionFile, decision: &PlayedDecision) -> Result<DecisionAnswer, ReadError> {
    let view = saved.at(&decision.line)?;
    let mut whole = decision.line.clone();
    whole.steps.push(decision.played);
    let exact = saved.game().betting().exact(saved.spec().spot.board(), &whole)?;
    let is_played = |action: &Action| exact.steps.last() == Some(&Step::Action(*action));
    let played = view.actions.iter().position(is_played).ok_or_else(|| {
        let message = format!("it does not have `{}` after `{}`", decision.played, decision.line);
        ReadError::File(std::io::Error::new(std::io::ErrorKind::InvalidData, message).into())
    })?;
    Ok(DecisionAnswer::new(saved.game(), &view, decision.player, decision.hole, played))
}
