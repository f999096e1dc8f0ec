//! Questions of drills and what answers to them cost, out of solutions.

use crate::api::common::{ActionName, Both};
use crate::api::drills::{
    DrillEnd, DrillEndKind, DrillQuestion, DrillReply, DrillSession, DrillStep, DrillVerdict, GradedAction,
};
use crate::drills::KeptDrill;
use crate::failure::ApiFailure;
use crate::names;
use crate::problems::of_reading;
use noregret_cards::Hole;
use noregret_drill::{
    Drill, DrillAnswer, DrillError, DrillHand, DrillSettings, Grade, HandEnd, HandState, ReviewKey,
};
use noregret_holdem::{Action, BettingNodeKind, IP, Line, OOP, Player, SolutionFile, Step};
use noregret_report::{Amount, player_name};

fn failed(error: DrillError) -> ApiFailure {
    match error {
        DrillError::Read(error) => of_reading(&error),
        DrillError::Action { .. } => ApiFailure::field("action", error),
        error => ApiFailure::field("settings", error),
    }
}

/// A decision that is asked about.
struct Asked {
    line: Line,
    player: Player,
    hole: Hole,
}

/// What a session asks about next; none if its last hand is over, which no session keeps.
fn asked(saved: &SolutionFile, drill: &KeptDrill) -> Result<Asked, ApiFailure> {
    if let Some(keys) = &drill.review {
        let key = usize::try_from(drill.hand).ok().and_then(|place| keys.get(place));
        let key = key.ok_or_else(|| ApiFailure::conflict("nothing is left to be asked again"))?;
        return again(saved, key);
    }
    let settings = drill.settings()?;
    let DrillHand { line, player, hole, state, .. } = hand(saved, &settings, drill, None)?;
    if state != HandState::Asked {
        return Err(ApiFailure::conflict(
            "the solution has changed since the hand was dealt: start another drill",
        ));
    }
    Ok(Asked { line, player, hole })
}

/// What went wrong, to be asked again.
fn again(saved: &SolutionFile, key: &ReviewKey) -> Result<Asked, ApiFailure> {
    let line = crate::point::exact(saved, &key.line)?;
    let hole = key.hole.parse().map_err(|error| ApiFailure::field("hole", error))?;
    Ok(Asked { line, player: if key.player == player_name(OOP) { OOP } else { IP }, hole })
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
    let Asked { line, player, hole } = asked(saved, drill)?;
    let game = saved.game();
    let (tree, root) = (game.betting(), game.spot().board());
    let line_failed = |error: noregret_holdem::LineError| of_reading(&error.into());
    let (node, board) = tree.walk(root, &line).map_err(line_failed)?;
    let options = game.spot().options();
    let place = &tree[node];
    let table = names::chips(options, place.committed);
    let [own, other] = [player, player.opponent()].map(|player| place.committed[player.index()]);
    let nodes = tree.nodes_before(root, &line).map_err(line_failed)?;
    let steps = line.steps.iter().zip(nodes).map(|(step, (node, board))| DrillStep {
        label: step.to_string(),
        player: match tree[node].kind {
            BettingNodeKind::Decision(player) => Some(names::player(player)),
            _ => None,
        },
        street: names::street(board.street()),
        pot: names::chips(options, tree[node].committed).pot,
    });
    Ok(DrillQuestion {
        decision: drill.answers.len(),
        hand: drill.hand,
        left: drill.review.as_ref().map(|keys| keys.len().saturating_sub(drill.hand as usize)),
        solution: id.to_owned(),
        steps: steps.collect(),
        board: names::board(&board),
        street: names::street(board.street()),
        player: names::player(player),
        hole: hole.to_string(),
        unit: names::unit(options.unit),
        big_blind: options.big_blind,
        pot: table.pot,
        to_call: other.without(own),
        stacks: Both::new(table.stacks),
        actions: tree.actions(node).map(action_name).collect(),
        line: line.to_string(),
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
    let Asked { line, player, hole } = asked(saved, drill)?;
    let chosen = action(&reply.action)?;
    let grade = Grade::read(saved, &line, player, hole, chosen).map_err(failed)?;
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
    let (_, board) = saved
        .game()
        .betting()
        .walk(saved.game().spot().board(), &line)
        .map_err(|error| of_reading(&error.into()))?;
    let key = ReviewKey {
        solution: id.to_owned(),
        line: line.to_string(),
        player: player_name(player).to_owned(),
        hole: hole.to_string(),
    };
    Ok(Graded { answer: DrillAnswer::new(drill.hand, key, &board, &grade), grade, end })
}

/// How a hand ended; none if it goes on.
fn end(hand: &DrillHand) -> Option<DrillEnd> {
    let HandState::Over(end) = hand.state else { return None };
    let (kind, winner) = match end {
        HandEnd::Answered => (DrillEndKind::Answered, None),
        HandEnd::Folded(player) => (DrillEndKind::Fold, Some(player.opponent())),
        HandEnd::Showdown(winner) => (DrillEndKind::Showdown, winner),
        HandEnd::StreetOver => (DrillEndKind::Street, None),
        HandEnd::Unplayed => (DrillEndKind::Unplayed, None),
    };
    Some(DrillEnd {
        kind,
        winner: winner.map(names::player),
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
