//! A point of a solution, as the page shows it.

use crate::api::common::Both;
use crate::api::locks::Exploit;
use crate::api::node::{
    ActionShare, ClassTotal, Hands, Node, NodeAction, PathChoice, PathStep, PointKind, RunoutCard,
    RunoutCards, StepKind,
};
use crate::failure::ApiFailure;
use crate::names;
use crate::problems::{of_line, of_reading};
use noregret_holdem::{
    Action, BettingNodeKind, DecisionFrequencies, ExploitView, Line, LineError, NodeView, Player, Solution,
    SolutionFile, Step,
};
use noregret_report::{HandLine, MadeLine, NodeSummary, hand_lines, made_lines};

/// The line of a request, in the tree's own words.
pub fn exact(saved: &SolutionFile, text: &str) -> Result<Line, ApiFailure> {
    let line: Line = text.parse().map_err(|error| of_line(&error, text))?;
    let game = saved.game();
    game.betting().exact(game.spot().board(), &line).map_err(|error| of_reading(&error.into()))
}

fn with(line: &Line, step: Step) -> Line {
    Line { steps: line.steps.iter().copied().chain([step]).collect() }
}

/// Everything about the point at the end of a line.
pub fn node(saved: &SolutionFile, line: &str) -> Result<Node, ApiFailure> {
    let line = exact(saved, line)?;
    let view = saved.at(&line).map_err(|error| of_reading(&error))?;
    let game = saved.game();
    let summary = NodeSummary::new(game, &view);
    let place = &game.betting()[view.node];
    let table = names::chips(game.spot().options(), place.committed);
    let actions = summary.actions.iter().map(|summary| NodeAction {
        summary: summary.into(),
        label: summary.action.to_string(),
        line: with(&line, Step::Action(summary.action)).to_string(),
    });
    Ok(Node {
        colon: line.colon(),
        board: names::board(&view.board),
        street: names::street(view.board.street()),
        unit: names::unit(game.spot().options().unit),
        big_blind: game.spot().options().big_blind,
        pot: summary.pot,
        stacks: Both::new(table.stacks),
        player: view.player.map(names::player),
        kind: match place.kind {
            BettingNodeKind::Decision(_) => PointKind::Decision,
            BettingNodeKind::Chance => PointKind::Card,
            BettingNodeKind::Fold(_) | BettingNodeKind::Showdown => PointKind::Terminal,
        },
        exploitability_pct: saved.progress().history.last().map(|check| check.exploitability_pct),
        path: path(saved, &line)?,
        actions: actions.collect(),
        players: Both::new(summary.players),
        classes: Both::new(Player::BOTH.map(|player| classes(saved, &view, player))),
        hands: Both::new(Player::BOTH.map(|player| hands(saved, &view, player, summary.pot))),
        line: line.to_string(),
    })
}

/// How a player would exploit a solution that is in memory, from the end of a line on.
pub fn exploit(
    saved: &SolutionFile,
    solution: &Solution,
    line: &str,
    player: Player,
) -> Result<Exploit, ApiFailure> {
    let line = exact(saved, line)?;
    let text = line.to_string();
    let ExploitView { actions, hands, gain, root_gain, .. } =
        solution.exploit(line, player).map_err(|error| of_reading(&error))?;
    Ok(Exploit {
        line: text,
        player: names::player(player),
        actions: actions.iter().map(ToString::to_string).collect(),
        gain,
        root_gain,
        hand: hands.iter().map(|hand| hand.hole.to_string()).collect(),
        share: hands.iter().map(|hand| hand.share).collect(),
        ev: hands.iter().map(|hand| hand.ev).collect(),
        best_ev: hands.iter().map(|hand| hand.best_ev).collect(),
        best_action: hands.iter().map(|hand| hand.best_action).collect(),
        hand_gain: hands.iter().map(noregret_holdem::ExploitingHand::gain).collect(),
    })
}

/// What a player's hands make of the board.
fn classes(saved: &SolutionFile, view: &NodeView, player: Player) -> Vec<ClassTotal> {
    let lines = hand_lines(saved.game(), view, player);
    let total = |MadeLine { made, share, line }: MadeLine| ClassTotal {
        made: made.name().to_owned(),
        combos: line.combos,
        share,
        strategy: line.strategy,
        ev: line.ev,
        equity: line.equity,
    };
    made_lines(saved.game(), &lines, player).into_iter().map(total).collect()
}

/// A player's hands, column by column.
fn hands(saved: &SolutionFile, view: &NodeView, player: Player, pot: f64) -> Hands {
    let lines = hand_lines(saved.game(), view, player);
    let acts = view.player == Some(player);
    let column = |number: fn(&HandLine) -> Option<f64>| lines.iter().map(number).collect();
    Hands {
        hand: lines.iter().map(|line| line.hole.to_string()).collect(),
        reach: lines.iter().map(|line| line.reach).collect(),
        share: lines.iter().map(|line| line.share).collect(),
        ev: column(|line| line.ev),
        equity: column(|line| line.equity),
        eqr: lines.iter().map(|line| line.eqr(pot)).collect(),
        made: lines.iter().map(|line| line.made.name().to_owned()).collect(),
        draws: lines.iter().map(HandLine::draw_names).collect(),
        strategy: acts.then(|| lines.iter().map(|line| line.strategy.clone()).collect()),
        action_evs: acts.then(|| lines.iter().map(|line| line.action_evs.clone()).collect()),
    }
}

/// The steps that lead to a point, each with what could be done instead.
fn path(saved: &SolutionFile, line: &Line) -> Result<Vec<PathStep>, ApiFailure> {
    let game = saved.game();
    let tree = game.betting();
    let mut path = Vec::with_capacity(line.steps.len());
    let nodes = tree.nodes_before(game.spot().board(), line).map_err(|error| of_reading(&error.into()))?;
    let decisions = saved.decisions_along(line).map_err(|error| of_reading(&error))?;
    for (i, ((&step, (node, board)), decision)) in line.steps.iter().zip(nodes).zip(decisions).enumerate() {
        let before = Line { steps: line.steps[..i].to_vec() };
        let player = match tree[node].kind {
            BettingNodeKind::Decision(player) => Some(player),
            _ => None,
        };
        let choices = decision.map_or_else(Vec::new, |DecisionFrequencies { actions, is_reached }| {
            let choice = |(action, frequency): (Action, f64)| PathChoice {
                label: action.to_string(),
                line: with(&before, Step::Action(action)).to_string(),
                frequency: is_reached.then_some(frequency),
            };
            actions.into_iter().map(choice).collect()
        });
        let table = names::chips(game.spot().options(), tree[node].committed);
        path.push(PathStep {
            label: step.to_string(),
            line: with(&before, step).to_string(),
            kind: if player.is_some() { StepKind::Action } else { StepKind::Card },
            player: player.map(names::player),
            pot: table.pot,
            stacks: Both::new(table.stacks),
            board: names::board(&board),
            choices,
        });
    }
    Ok(path)
}

/// The line up to where the next card is dealt, or else to where the last one was.
fn up_to_card(saved: &SolutionFile, line: &Line) -> Result<Line, ApiFailure> {
    let game = saved.game();
    let (tree, board) = (game.betting(), game.spot().board());
    let failed = |error: LineError| of_reading(&error.into());
    let mut nodes = tree.nodes_before(board, line).map_err(failed)?;
    nodes.push(tree.walk(board, line).map_err(failed)?);
    if let Some(steps) = nodes.iter().rposition(|&(node, _)| tree[node].kind == BettingNodeKind::Chance) {
        return Ok(Line { steps: line.steps[..steps].to_vec() });
    }
    let at = if line.steps.is_empty() { "at the root".to_owned() } else { format!("on the way of `{line}`") };
    Err(ApiFailure::field("line", format!("no card is dealt {at}: give a line that ends where one is")))
}

/// What each card does that can come where a line ends, or could have come where its last card did.
pub fn runouts(saved: &SolutionFile, line: &str) -> Result<RunoutCards, ApiFailure> {
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
                (Some(Both::new(summary.players)), summary.actions.iter().map(share).collect())
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
    Ok(RunoutCards { line: line.to_string(), cards: runouts })
}
