//! Questions of drills and what answers to them cost, out of solutions.

use crate::api::common::{ActionName, Both};
use crate::api::drills::{
    DrillEnd, DrillEndKind, DrillQuestion, DrillReply, DrillSession, DrillStep, DrillVerdict, GradedAction,
};
use crate::drills::KeptDrill;
use crate::failure::ApiFailure;
use crate::names;
use crate::problems::of_reading;
use noregret_drill::{
    Drill, DrillAnswer, DrillError, DrillHand, DrillSettings, Grade, HandEnd, HandState, Question,
};
use noregret_holdem::{Action, SolutionFile, Step};
use noregret_report::Amount;

fn failed(error: DrillError) -> ApiFailure {
    match error {
        DrillError::Read(error) => of_reading(&error),
        DrillError::Action { .. } => ApiFailure::field("action", error),
        DrillError::Hole(_) => ApiFailure::field("hole", error),
        error => ApiFailure::field("settings", error),
    }
}

/// What a session asks about next.
fn asked(saved: &SolutionFile, drill: &KeptDrill) -> Result<Question, ApiFailure> {
    if let Some(keys) = &drill.review {
        let key = usize::try_from(drill.hand).ok().and_then(|place| keys.get(place));
        let key = key.ok_or_else(|| ApiFailure::conflict("nothing is left to be asked again"))?;
        return Question::again(saved, key).map_err(failed);
    }
    let settings = drill.settings()?;
    let hand = hand(saved, &settings, drill, None)?;
    let changed =
        || ApiFailure::conflict("the solution has changed since the hand was dealt: start another drill");
    Question::of_hand(saved, &hand).map_err(failed)?.ok_or_else(changed)
}

fn action(text: &str) -> Result<Action, ApiFailure> {
    match text.parse::<Step>() {
        Ok(Step::Action(action)) => Ok(action),
        _ => Err(ApiFailure::field("action", format!("`{}` is no action", crate::library::shown(text)))),
    }
}

/// The hand that a session plays, after one more answer.
fn hand(
    saved: &SolutionFile,
    settings: &DrillSettings,
    drill: &KeptDrill,
    more: Option<Action>,
) -> Result<DrillHand, ApiFailure> {
    let answers: Result<Vec<Action>, ApiFailure> = drill.actions.iter().map(|text| action(text)).collect();
    let answers: Vec<Action> = answers?.into_iter().chain(more).collect();
    Drill::new(saved, settings).and_then(|drill_on| drill_on.hand(drill.hand, &answers)).map_err(failed)
}

fn action_name(action: Action) -> ActionName {
    ActionName { action: action.name().to_owned(), amount: Amount::of(action), label: action.to_string() }
}

/// What a session asks next about a solution.
pub fn question(saved: &SolutionFile, id: &str, drill: &KeptDrill) -> Result<DrillQuestion, ApiFailure> {
    let asked = asked(saved, drill)?;
    let options = saved.game().spot().options();
    let steps = asked.steps.into_iter().map(|step| DrillStep {
        label: step.label,
        player: step.player.map(names::player),
        street: names::street(step.street),
        pot: step.pot,
    });
    Ok(DrillQuestion {
        decision: drill.answers.len(),
        hand: drill.hand,
        left: drill.review.as_ref().map(|keys| keys.len().saturating_sub(drill.hand as usize)),
        solution: id.to_owned(),
        steps: steps.collect(),
        board: names::board(&asked.board),
        street: names::street(asked.board.street()),
        player: names::player(asked.player),
        hole: asked.hole.to_string(),
        unit: names::unit(options.unit),
        big_blind: options.big_blind,
        pot: asked.pot,
        to_call: asked.to_call,
        stacks: Both::new(asked.stacks),
        actions: asked.actions.into_iter().map(action_name).collect(),
        line: asked.line.to_string(),
    })
}

/// An answer with its grade, and how the hand went on.
pub struct Graded {
    pub answer: DrillAnswer,
    grade: Grade,
    end: Option<DrillEnd>,
}

/// Grades a reply to what a session asks about a solution.
pub fn graded(
    saved: &SolutionFile,
    id: &str,
    drill: &KeptDrill,
    reply: &DrillReply,
) -> Result<Graded, ApiFailure> {
    let asked = asked(saved, drill)?;
    let chosen = action(&reply.action)?;
    let grade = asked.grade(saved, chosen).map_err(failed)?;
    let end = match drill.review {
        Some(_) => Some(DrillEnd {
            kind: DrillEndKind::Answered,
            winner: None,
            opponent_hole: None,
            board: Vec::new(),
            line: String::new(),
        }),
        None => end(&hand(saved, &drill.settings()?, drill, Some(chosen))?),
    };
    Ok(Graded { answer: asked.answer(id, drill.hand, &grade), grade, end })
}

/// How a hand ended; none if it goes on.
fn end(hand: &DrillHand) -> Option<DrillEnd> {
    let HandState::Over(end) = hand.state else { return None };
    let kind = match end {
        HandEnd::Answered => DrillEndKind::Answered,
        HandEnd::Folded(_) => DrillEndKind::Fold,
        HandEnd::Showdown(_) => DrillEndKind::Showdown,
        HandEnd::StreetOver => DrillEndKind::Street,
        HandEnd::Unplayed => DrillEndKind::Unplayed,
    };
    Some(DrillEnd {
        kind,
        winner: end.winner().map(names::player),
        opponent_hole: Some(hand.opponent_hole.to_string()),
        board: names::board(&hand.board),
        line: hand.line.to_string(),
    })
}

impl Graded {
    /// Whether the hand is over.
    pub fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// What is told about it.
    pub fn verdict(self, session: DrillSession) -> DrillVerdict {
        let Grade { answer, best, ev_loss, ev_loss_pct, ev_loss_bb, verdict, mistake } = self.grade;
        let actions = answer.actions.iter().map(|answer| GradedAction {
            name: action_name(answer.action),
            frequency: answer.frequency,
            range_frequency: answer.range_frequency,
            ev: answer.ev,
        });
        DrillVerdict {
            session,
            actions: actions.collect(),
            chosen: answer.played,
            best,
            ev_loss,
            ev_loss_pct,
            ev_loss_bb,
            verdict,
            mistake,
            end: self.end,
        }
    }
}
