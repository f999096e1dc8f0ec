//! What notebooks show: the 13×13 matrix in the colours of the web app, in dark and light.

use crate::solution_data::SolutionData;
use noregret_holdem::cards::{Board, HandClass, Range};
use noregret_holdem::{Action, Chips, IP, Line, OOP, Spec};
use noregret_report::{
    ActionSummary, Average, ClassLine, HandLine, NodeSummary, Outlook, Report, class_lines, player_name,
};
use std::fmt::Write as _;

/// The tokens of the web app (`web/src/shell/tokens.css`). Notebooks say whether they are dark by an attribute of the body;
/// elsewhere the system decides.
const STYLE: &str = include_str!("style.css");

/// A point of a solution, to be shown.
pub struct NodePage<'a> {
    pub data: &'a SolutionData,
    /// The line that leads there.
    pub line: &'a Line,
    pub summary: &'a NodeSummary,
    /// Both players' hands.
    pub hands: [&'a [HandLine]; 2],
}

/// A node: who acts, the actions, both players, the matrix.
pub fn node(node: &NodePage<'_>) -> String {
    let mut out = open();
    push_node(&mut out, node);
    out.push_str("</div>");
    out
}

fn push_node(out: &mut String, node: &NodePage<'_>) {
    let NodePage { data, line, summary, hands } = node;
    let line = if line.steps.is_empty() { "root".to_owned() } else { line.to_string() };
    let _ = write!(
        out,
        "<div class=\"nr-head\"><b>{}</b> · {} · pot {}{}",
        escaped(&line),
        cards(&summary.board),
        number(summary.pot),
        data.amount_format().suffix()
    );
    if let Some(player) = summary.player {
        let _ = write!(out, " · {} acts", player_name(player).to_uppercase());
    }
    out.push_str("</div>");
    let colours = colours(&summary.actions.iter().map(|action| action.action).collect::<Vec<_>>());
    let frequencies: Vec<f64> =
        summary.actions.iter().map(|action| action.frequency.unwrap_or(0.0)).collect();
    push_bar(out, &frequencies, &colours);
    out.push_str("<div class=\"nr-row nr-tables\">");
    if !summary.actions.is_empty() {
        actions(out, &summary.actions, &colours);
    }
    players(out, &summary.players);
    out.push_str("</div><div class=\"nr-row\">");
    for player in summary.player.map_or(vec![OOP, IP], |player| vec![player]) {
        let cells = class_lines(data.solution.game(), hands[player.index()], player);
        matrix(out, &player_name(player).to_uppercase(), &cells, &colours);
    }
    out.push_str("</div>");
}

/// Cards with the symbols of their suits, each in its colour.
pub fn cards(board: &Board) -> String {
    let mut out = String::new();
    for card in board.cards() {
        let text = card.to_string();
        let (rank, suit) = text.split_at(1);
        let symbol = match suit {
            "c" => "♣",
            "d" => "♦",
            "h" => "♥",
            _ => "♠",
        };
        let _ = write!(out, "<span class=\"nr-{suit}\">{rank}{symbol}</span>");
    }
    out
}

/// A bar in stripes as wide as the shares, if there are any.
fn push_bar(out: &mut String, shares: &[f64], colours: &[String]) {
    if shares.is_empty() {
        return;
    }
    out.push_str("<div class=\"nr-bar\">");
    for (share, colour) in shares.iter().zip(colours) {
        let _ = write!(out, "<i style=\"width:{:.2}%;background:{colour}\"></i>", 100.0 * share);
    }
    out.push_str("</div>");
}

/// A solution: how good it is, and its root.
pub fn solution(data: &SolutionData, root: &NodePage<'_>) -> String {
    let reached = data
        .exploitability()
        .map_or_else(String::new, |reached| format!("exploitability {reached:.4}% of the pot · "));
    let (iterations, seconds) = (data.progress.iterations, data.progress.elapsed.as_secs_f64());
    let mut out = open();
    let _ = write!(out, "<div class=\"nr-head\">{reached}{iterations} iterations in {seconds:.1} s</div>");
    push_node(&mut out, root);
    out.push_str("</div>");
    out
}

/// An amount with its unit, as the command line prints it.
pub fn amount(spec: &Spec, chips: Chips) -> String {
    let format = spec.spot.options().amount_format(None).unwrap_or_default();
    format.text(chips.as_f64(), 1.0)
}

/// A spot in a line, and its ranges.
pub fn spot(spec: &Spec) -> String {
    let spot = &spec.spot;
    let mut out = open();
    let [pot, stack] =
        [spot.options().starting_pot, spot.options().effective_stack].map(|chips| amount(spec, chips));
    let _ = write!(
        out,
        "<div class=\"nr-head\"><b>{}</b> · pot {pot} · stack {stack}</div><div class=\"nr-row\">",
        cards(spot.board())
    );
    for player in [OOP, IP] {
        range_matrix(&mut out, &player_name(player).to_uppercase(), spot.range(player));
    }
    out.push_str("</div></div>");
    out
}

/// A range.
pub fn range(range: &Range) -> String {
    let mut out = open();
    range_matrix(&mut out, "Range", range);
    out.push_str("</div>");
    out
}

/// A report: how often each action is taken on each board and over all, as bars.
pub fn report(report: &Report) -> String {
    let actions = report.actions();
    let colours = colours(&actions);
    let mut out = open();
    let line = report.line.to_string();
    let shown = if line.is_empty() { "root".to_owned() } else { escaped(&line) };
    let _ = write!(
        out,
        "<div class=\"nr-head\"><b>{shown}</b> · {} boards</div><div class=\"nr-legend\">",
        report.rows.len()
    );
    for (action, colour) in actions.iter().zip(&colours) {
        let _ = write!(out, "<span><i style=\"background:{colour}\"></i>{action}</span>");
    }
    out.push_str(
        "</div><div class=\"nr-scroll\"><table class=\"nr-report\"><tr><th>board</th><th></th><th>OOP EV</th><th>IP EV</th></tr>",
    );
    let variants = report.variants();
    let averages = variants.iter().map(|&variant| {
        let name = if variant.is_empty() { "all".to_owned() } else { format!("all, {}", escaped(variant)) };
        (name, report.average(variant))
    });
    let boards = report.rows.iter().map(|row| (cards(&row.summary.board), Average::over(&[row], &actions)));
    for (board, average) in averages.chain(boards) {
        let _ = write!(out, "<tr><td>{board}</td><td>");
        let shares: Vec<f64> = average.actions.iter().map(|action| action.frequency.unwrap_or(0.0)).collect();
        push_bar(&mut out, &shares, &colours);
        let [oop, ip] = average.players.map(|player| optional(player.ev));
        let _ = write!(out, "</td><td>{oop}</td><td>{ip}</td></tr>");
    }
    out.push_str("</table></div></div>");
    out
}

/// The beginning of what a notebook shows, with the style.
pub fn open() -> String {
    format!("<div class=\"nr\"><style>{STYLE}</style>")
}

/// Colours for the actions of one decision: fold blue, check and call green, bets and raises in reds that darken with the size,
/// all-in darkest. The same rule as `web/src/poker/colours.ts`.
fn colours(actions: &[Action]) -> Vec<String> {
    let is_bet = |action: &Action| matches!(action, Action::Bet(_) | Action::Raise(_));
    let mut bets: Vec<Action> = actions.iter().copied().filter(is_bet).collect();
    bets.sort_by_key(|action| action.amount());
    let colour = |action: &Action| match action {
        Action::Fold => "var(--nr-fold)".to_owned(),
        Action::AllIn(_) => "var(--nr-all-in)".to_owned(),
        Action::Check | Action::Call => "var(--nr-passive)".to_owned(),
        Action::Bet(_) | Action::Raise(_) => {
            let rank = bets.iter().position(|bet| bet == action).unwrap_or(0);
            format!("var(--nr-bet-{})", shade(rank, bets.len()))
        }
    };
    actions.iter().map(colour).collect()
}

/// One of four reds: sizes are spread over them, a single size takes the second.
fn shade(rank: usize, count: usize) -> usize {
    if count == 1 { 2 } else { 1 + (rank * (count - 1).min(3) + (count - 1) / 2) / (count - 1) }
}

fn actions(out: &mut String, actions: &[ActionSummary], colours: &[String]) {
    out.push_str(
        "<table class=\"nr-actions\"><tr><th>action</th><th>frequency</th><th>EV</th><th>combos</th></tr>",
    );
    for (action, colour) in actions.iter().zip(colours) {
        let _ = write!(
            out,
            "<tr><td><i style=\"background:{colour}\"></i>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            action.action,
            percent(action.frequency),
            optional(action.outlook.ev),
            number(action.outlook.combos)
        );
    }
    out.push_str("</table>");
}

fn players(out: &mut String, players: &[Outlook; 2]) {
    out.push_str("<table class=\"nr-players\"><tr><th></th><th>EV</th><th>equity</th><th>combos</th></tr>");
    for (player, outlook) in [OOP, IP].into_iter().zip(players) {
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            player_name(player).to_uppercase(),
            optional(outlook.ev),
            percent(outlook.equity),
            number(outlook.combos)
        );
    }
    out.push_str("</table>");
}

/// Each cell is painted as high as its hands get here, in stripes as wide as their actions.
fn matrix(out: &mut String, name: &str, cells: &[ClassLine], colours: &[String]) {
    let combos = cells.iter().map(|cell| cell.combos).sum();
    open_matrix(out, name, combos);
    for (class, cell) in HandClass::all().zip(cells) {
        let height = if cell.possible > 0.0 { 100.0 * (cell.combos / cell.possible).min(1.0) } else { 0.0 };
        let fill = match &cell.strategy {
            Some(strategy) => stripes(strategy, colours),
            None if cell.combos > 0.0 => "linear-gradient(var(--nr-range),var(--nr-range))".to_owned(),
            None => "none".to_owned(),
        };
        let ev = cell.ev.map_or_else(String::new, number);
        let mut title = format!("{class}: {} combos", number(cell.combos));
        if let Some(ev) = cell.ev {
            let _ = write!(title, ", EV {}", number(ev));
        }
        if let Some(equity) = cell.equity {
            let _ = write!(title, ", equity {:.1}%", 100.0 * equity);
        }
        push_cell(out, &class.to_string(), &fill, height, &ev, &title);
    }
    out.push_str("</div></div>");
}

/// Begins a matrix with whose it is.
fn open_matrix(out: &mut String, name: &str, combos: f64) {
    let combos = number(combos);
    let _ = write!(
        out,
        "<div><div class=\"nr-caption\"><b>{name}</b> · {combos} combos</div><div class=\"nr-matrix\" role=\"img\" \
         aria-label=\"{name}: the 13×13 matrix of hands\">"
    );
}

fn range_matrix(out: &mut String, name: &str, range: &Range) {
    open_matrix(out, name, range.iter().map(|(_, weight)| f64::from(weight)).sum());
    for class in HandClass::all() {
        let weight = f64::from(range.class_weight(class));
        let title = format!("{class}: {:.1}%", 100.0 * weight);
        let fill = if weight > 0.0 { "linear-gradient(var(--nr-range),var(--nr-range))" } else { "none" };
        push_cell(out, &class.to_string(), fill, 100.0 * weight, "", &title);
    }
    out.push_str("</div></div>");
}

fn push_cell(out: &mut String, name: &str, fill: &str, height: f64, note: &str, title: &str) {
    // As the page has it: names are white on paint, and in ink where they are above it.
    let class = match height {
        0.0 => " class=\"nr-empty\"",
        height if height < 90.0 => " class=\"nr-low\"",
        _ => "",
    };
    let _ = write!(
        out,
        "<div{class} title=\"{title}\" style=\"background-image:{fill};background-size:100% {height:.1}%\"><b>{name}</b><span>{note}</span></div>"
    );
}

/// A gradient whose stripes are as wide as the shares.
fn stripes(shares: &[f64], colours: &[String]) -> String {
    let total: f64 = shares.iter().sum();
    let mut at = 0.0;
    let mut parts = Vec::new();
    for (share, colour) in shares.iter().zip(colours).filter(|(share, _)| **share > 0.0) {
        let from = at;
        at += 100.0 * share / total;
        parts.push(format!("{colour} {from:.1}% {at:.1}%"));
    }
    if parts.is_empty() {
        "none".to_owned()
    } else {
        format!("linear-gradient(to right,{})", parts.join(","))
    }
}

/// A number with at most two decimals.
pub fn number(number: f64) -> String {
    let text = format!("{number:.2}");
    text.strip_suffix(".00").map_or(text.clone(), str::to_owned)
}

fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"))
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.2}%", 100.0 * share))
}

/// Text that means itself in HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
