//! A point of a solution, as the page shows it.

use crate::api::common::Both;
use crate::api::node::{
    ActionShare, Hands, Node, NodeAction, PathChoice, PathStep, PointKind, RunoutCard, Runouts, StepKind,
};
use crate::failure::Failure;
use crate::names;
use crate::problems::{of_line, of_reading};
use noregret_holdem::{Action, Line, NodeKind, NodeView, Player, Saved, Step};
use noregret_report::{HandLine, NodeSummary, hand_lines};

/// The line of a request, in the tree's own words.
fn exact(saved: &Saved, text: &str) -> Result<Line, Failure> {
    let line: Line = text.parse().map_err(|error| of_line(&error, text))?;
    let game = saved.game();
    game.betting().exact(game.spot().board(), &line).map_err(|error| of_reading(&error.into()))
}

fn with(line: &Line, step: Step) -> Line {
    Line { steps: line.steps.iter().copied().chain([step]).collect() }
}

/// Everything about the point at the end of a line.
pub fn node(saved: &Saved, line: &str) -> Result<Node, Failure> {
    let line = exact(saved, line)?;
    let view = saved.at(&line).map_err(|error| of_reading(&error))?;
    let game = saved.game();
    let summary = NodeSummary::new(game, &view);
    let place = &game.betting()[view.node];
    let table = names::chips(game.spot().options(), place.committed);
    let actions = summary.actions.iter().map(|summary| NodeAction {
        action: summary.action.name().to_owned(),
        amount: names::amount(summary.action),
        label: summary.action.to_string(),
        frequency: summary.frequency,
        outlook: names::outlook(&summary.outlook),
        line: with(&line, Step::Action(summary.action)).to_string(),
    });
    Ok(Node {
        colon: line.colon(),
        board: names::board(&view.board),
        street: names::street(view.board.street()),
        pot: summary.pot,
        stacks: Both::new(table.stacks),
        player: view.player.map(names::player),
        kind: match place.kind {
            NodeKind::Decision(_) => PointKind::Decision,
            NodeKind::Chance => PointKind::Card,
            NodeKind::Fold(_) | NodeKind::Showdown => PointKind::Terminal,
        },
        exploitability_pct: saved.progress().history.last().map(|check| check.exploitability_pct),
        path: path(saved, &line)?,
        actions: actions.collect(),
        players: Both::new(summary.players.map(|player| names::outlook(&player))),
        hands: Both::new(Player::BOTH.map(|player| hands(saved, &view, player, summary.pot))),
        line: line.to_string(),
    })
}

/// A player's hands, column by column.
fn hands(saved: &Saved, view: &NodeView, player: Player, pot: f64) -> Hands {
    let lines = hand_lines(saved.game(), view, player);
    let acts = view.player == Some(player);
    let column = |number: fn(&HandLine) -> Option<f64>| lines.iter().map(number).collect();
    let draws = |line: &HandLine| {
        let draws = line.draws.to_string();
        draws.split(", ").filter(|name| !name.is_empty()).map(ToOwned::to_owned).collect()
    };
    Hands {
        hand: lines.iter().map(|line| line.hole.to_string()).collect(),
        reach: lines.iter().map(|line| line.reach).collect(),
        share: lines.iter().map(|line| line.share).collect(),
        ev: column(|line| line.ev),
        equity: column(|line| line.equity),
        eqr: lines.iter().map(|line| line.eqr(pot)).collect(),
        made: lines.iter().map(|line| line.made.name().to_owned()).collect(),
        draws: lines.iter().map(draws).collect(),
        strategy: acts.then(|| lines.iter().map(|line| line.strategy.clone()).collect()),
        action_evs: acts.then(|| lines.iter().map(|line| line.action_evs.clone()).collect()),
    }
}

/// Whether any hands meet at a line with these frequencies. Where none do, all actions count as equally likely: only then is
/// there reason to look at the hands, which takes longer.
fn are_met(saved: &Saved, line: &Line, choices: &[(Action, f64)]) -> Result<bool, Failure> {
    let uniform = 1.0 / choices.len() as f64;
    if choices.iter().any(|&(_, frequency)| frequency != uniform) {
        return Ok(true);
    }
    let view = saved.at(line).map_err(|error| of_reading(&error))?;
    Ok(view.hands[0].iter().any(|hand| hand.share > 0.0))
}

/// The steps that lead to a point, each with what could be done instead.
fn path(saved: &Saved, line: &Line) -> Result<Vec<PathStep>, Failure> {
    let game = saved.game();
    let tree = game.betting();
    let mut path = Vec::with_capacity(line.steps.len());
    for (i, &step) in line.steps.iter().enumerate() {
        let before = Line { steps: line.steps[..i].to_vec() };
        let (node, board) =
            tree.walk(game.spot().board(), &before).map_err(|error| of_reading(&error.into()))?;
        let player = match tree[node].kind {
            NodeKind::Decision(player) => Some(player),
            _ => None,
        };
        let choices = match player {
            Some(_) => saved.frequencies(&before).map_err(|error| of_reading(&error))?,
            None => Vec::new(),
        };
        let met = choices.is_empty() || are_met(saved, &before, &choices)?;
        let choice = |(action, frequency): (Action, f64)| PathChoice {
            label: action.to_string(),
            line: with(&before, Step::Action(action)).to_string(),
            frequency: met.then_some(frequency),
        };
        let table = names::chips(game.spot().options(), tree[node].committed);
        path.push(PathStep {
            label: step.to_string(),
            line: with(&before, step).to_string(),
            kind: if player.is_some() { StepKind::Action } else { StepKind::Card },
            player: player.map(names::player),
            pot: table.pot,
            stacks: Both::new(table.stacks),
            board: names::board(&board),
            choices: choices.into_iter().map(choice).collect(),
        });
    }
    Ok(path)
}

/// The line up to where the next card is dealt, or else to where the last one was.
fn up_to_card(saved: &Saved, line: &Line) -> Result<Line, Failure> {
    let game = saved.game();
    for steps in (0..=line.steps.len()).rev() {
        let before = Line { steps: line.steps[..steps].to_vec() };
        let (node, _) =
            game.betting().walk(game.spot().board(), &before).map_err(|error| of_reading(&error.into()))?;
        if game.betting()[node].kind == NodeKind::Chance {
            return Ok(before);
        }
    }
    let at = if line.steps.is_empty() { "at the root".to_owned() } else { format!("on the way of `{line}`") };
    Err(Failure::field("line", format!("no card is dealt {at}: give a line that ends where one is")))
}

/// What each card does that can come where a line ends, or could have come where its last card did.
pub fn runouts(saved: &Saved, line: &str) -> Result<Runouts, Failure> {
    let line = up_to_card(saved, &exact(saved, line)?)?;
    let game = saved.game();
    let cards = game.next_cards(&line).map_err(|error| of_reading(&error.into()))?;
    let (_, board) =
        game.betting().walk(game.spot().board(), &line).map_err(|error| of_reading(&error.into()))?;
    let is_kept = board.street().next().is_some_and(|street| street <= saved.summary().keep.last());
    let mut runouts: Vec<RunoutCard> = Vec::with_capacity(cards.len());
    for (card, first) in cards {
        let next = with(&line, Step::Card(card));
        let same = (first != card).then(|| first.to_string());
        let twin = same.as_ref().and_then(|name| runouts.iter().find(|runout| runout.card == *name));
        let (players, actions) = match twin {
            Some(twin) => (twin.players, twin.actions.clone()),
            None if is_kept => {
                let view = saved.at(&next).map_err(|error| of_reading(&error))?;
                let summary = NodeSummary::new(game, &view);
                let share = |action: &noregret_report::ActionSummary| ActionShare {
                    label: action.action.to_string(),
                    frequency: action.frequency,
                };
                let players = summary.players.map(|player| names::outlook(&player));
                (Some(Both::new(players)), summary.actions.iter().map(share).collect())
            }
            None => (None, Vec::new()),
        };
        runouts.push(RunoutCard {
            card: card.to_string(),
            line: next.to_string(),
            same_as: same,
            players,
            actions,
        });
    }
    Ok(Runouts { line: line.to_string(), cards: runouts })
}
