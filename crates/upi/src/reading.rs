//! Strategies, ranges, EVs, equities and frequencies as text.

use crate::arguments::NodeName;
use crate::hands::{number, row};
use crate::nodes::{actions, find};
use crate::tree_reader::{Source, TreeReader};
use noregret_cards::{Board, Card, Hole, Range, Street};
use noregret_holdem::{Action, HandView, IP, Line, NodeView, OOP, Player, Spec, Step};

/// The hands of whoever acts at a node with how often they take each action: one vector a hand. Hands that were never played to
/// here do what was set, or take all actions equally often.
pub(crate) fn strategy(reader: &mut TreeReader<'_>, line: &Line) -> Result<Vec<(Hole, Vec<f64>)>, String> {
    let point = reader.reach(line)?;
    let player = point.player.ok_or("nobody decides there")?;
    let uniform = vec![1.0 / point.actions.len() as f64; point.actions.len()];
    let set = |hole| reader.set.shares(line, hole).unwrap_or(&uniform).clone();
    let hands = point.hands[player.index()].iter();
    Ok(hands.map(|hand| (hand.hole, hand.strategy.clone().unwrap_or_else(|| set(hand.hole)))).collect())
}

/// `show_strategy`: a row for each action, in the order of `show_children`.
pub(crate) fn show_strategy(reader: &mut TreeReader<'_>, node: &NodeName) -> Result<Vec<String>, String> {
    let (at, line) = find(reader.game(), node)?;
    let hands = strategy(reader, &line)?;
    let of_action =
        |(action, _): (usize, Action)| row(hands.iter().map(|(hole, shares)| (*hole, shares[action])), 0.0);
    Ok(actions(reader.game().betting(), at).into_iter().map(of_action).collect())
}

/// `show_strategy_pp`: a line for each hand, best equity first, with its actions in the order of `show_children`.
pub(crate) fn show_strategy_pp(reader: &mut TreeReader<'_>, node: &NodeName) -> Result<Vec<String>, String> {
    let (at, line) = find(reader.game(), node)?;
    let order = actions(reader.game().betting(), at);
    let shares = strategy(reader, &line)?;
    let view = reader.view(&line)?;
    let player = view.player.ok_or("nobody decides there")?;
    let by_equity = sorted(&view.hands[player.index()], |hand| hand.equity);
    let text = |hand: &HandView| {
        let of_hand = shares.iter().find(|(hole, _)| *hole == hand.hole);
        let share = |&(action, _): &(usize, Action)| of_hand.map_or(0.0, |(_, shares)| shares[action]);
        let shares: Vec<String> = order.iter().map(|action| format!("{:.4}", share(action))).collect();
        format!("{}: {}", hand.hole, shares.join(" "))
    };
    Ok(by_equity.into_iter().map(text).collect())
}

/// Hands by a number, largest first; those without come last.
fn sorted(hands: &[HandView], key: impl Fn(&HandView) -> Option<f64>) -> Vec<&HandView> {
    let mut hands: Vec<&HandView> = hands.iter().collect();
    let place = |hand: &HandView| key(hand).unwrap_or(f64::NEG_INFINITY);
    hands.sort_by(|a, b| place(b).total_cmp(&place(a)));
    hands
}

/// `show_range` of ranges that are set.
pub(crate) fn range(range: &Range) -> String {
    row(range.iter().map(|(hole, weight)| (hole, f64::from(weight))), 0.0)
}

/// `show_range` at a node.
pub(crate) fn show_range(
    reader: &mut TreeReader<'_>,
    player: Player,
    node: &NodeName,
) -> Result<Vec<String>, String> {
    let line = find(reader.game(), node)?.1;
    let point = reader.reach(&line)?;
    Ok(vec![row(point.hands[player.index()].iter().map(|hand| (hand.hole, hand.reach)), 0.0)])
}

/// `calc_ev`: EVs, counted as at the root, and matchups.
pub(crate) fn calc_ev(
    reader: &mut TreeReader<'_>,
    player: Player,
    node: &NodeName,
) -> Result<Vec<String>, String> {
    let view = reader.view(&find(reader.game(), node)?.1)?;
    let hands = &view.hands[player.index()];
    let evs = hands.iter().map(|hand| (hand.hole, hand.root_ev.unwrap_or(f64::NAN)));
    Ok(vec![row(evs, f64::NAN), matchups(&view, player)])
}

/// `calc_ev_pp`: a line for each hand with its EV and matchups, best EV first.
pub(crate) fn calc_ev_pp(
    reader: &mut TreeReader<'_>,
    player: Player,
    node: &NodeName,
) -> Result<Vec<String>, String> {
    let view = reader.view(&find(reader.game(), node)?.1)?;
    let by_ev = sorted(&view.hands[player.index()], |hand| hand.root_ev);
    let text = |hand: &HandView| {
        format!("{}: {} {}", hand.hole, number(hand.root_ev.unwrap_or(f64::NAN)), number(hand.share))
    };
    Ok(by_ev.into_iter().map(text).collect())
}

/// `calc_eq_node`: equities, matchups, and the equity of the whole range.
pub(crate) fn calc_eq_node(
    reader: &mut TreeReader<'_>,
    player: Player,
    node: &NodeName,
) -> Result<Vec<String>, String> {
    let view = reader.view(&find(reader.game(), node)?.1)?;
    let mut lines = equities(&view, player);
    lines.push(number(view.mean(player, |hand| hand.equity).unwrap_or(f64::NAN)));
    Ok(lines)
}

/// Equities and matchups.
pub(crate) fn equities(view: &NodeView, player: Player) -> Vec<String> {
    let hands = view.hands[player.index()].iter();
    vec![
        row(hands.map(|hand| (hand.hole, hand.equity.unwrap_or(f64::NAN))), f64::NAN),
        matchups(view, player),
    ]
}

fn matchups(view: &NodeView, player: Player) -> String {
    row(view.hands[player.index()].iter().map(|hand| (hand.hole, hand.share)), 0.0)
}

/// How many cards may come for each that a board has got more than another one, given both hands.
fn runouts(from: &Board, to: &Board) -> f64 {
    (from.cards().len()..to.cards().len()).map(|dealt| (Card::COUNT - 4 - dealt) as f64).product()
}

/// `calc_global_freq`: how often play gets to a node, with its cards.
pub(crate) fn calc_global_freq(reader: &mut TreeReader<'_>, node: &NodeName) -> Result<Vec<String>, String> {
    let line = find(reader.game(), node)?.1;
    let board = reader.reach(&line)?.board;
    let runouts = runouts(reader.game().spot().board(), &board);
    let frequency = reader.mass(&line)? / (reader.mass(&Line::default())? * runouts);
    Ok(vec![number(frequency)])
}

/// `calc_line_freq`: how often the actions of a node are played, whatever the cards.
pub(crate) fn calc_line_freq(reader: &mut TreeReader<'_>, node: &NodeName) -> Result<Vec<String>, String> {
    let line = find(reader.game(), node)?.1;
    let game = reader.game().clone();
    let first = game.spot().board();
    let cards = line.steps.iter().filter(|step| matches!(step, Step::Card(_))).count();
    let street = Street::ALL[first.street().index() + cards];
    if let Source::File(file) = &reader.source
        && street > file.summary().keep.last()
    {
        return Err("the line goes through streets that the file leaves out, on every board".to_owned());
    }
    let mut sum = 0.0;
    for (board, count) in game.runouts(street) {
        let mut dealt = board.cards()[first.cards().len()..].iter();
        let steps = line.steps.iter().map(|&step| match step {
            Step::Card(card) => Step::Card(*dealt.next().unwrap_or(&card)),
            step => step,
        });
        let line = Line { steps: steps.collect() };
        sum += f64::from(count) * reader.mass(&line)? / runouts(first, &board);
    }
    Ok(vec![number(sum / reader.mass(&Line::default())?)])
}

/// The lines of `show_tree_info`.
pub(crate) fn tree_info(spec: &Spec) -> Vec<String> {
    let (spot, options) = (&spec.spot, spec.spot.options());
    let board: Vec<String> = spot.board().cards().iter().map(ToString::to_string).collect();
    let mut lines = vec![
        "#Type#NoLimit".to_owned(),
        format!("#Range0#{}", spot.range(OOP)),
        format!("#Range1#{}", spot.range(IP)),
        format!("#Board#{}", board.join(" ")),
        format!("#Pot#{}", options.starting_pot),
        format!("#EffectiveStacks#{}", options.effective_stack),
    ];
    if options.rake.rate > 0.0 {
        lines.push(format!("#RakeFraction#{}", options.rake.rate));
        lines.extend(options.rake.cap.map(|cap| format!("#RakeCap#{cap}")));
    }
    lines
}
