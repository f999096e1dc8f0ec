//! Parts of lines that stand in several places.

use super::{NumberedLine, fault};
use crate::history_error::Fault;
use noregret_cards::{Card, Hole};

/// The cards of each pair of brackets, like `[Ah Kd 2c] [3d]`.
pub(super) fn bracketed(line: &NumberedLine<'_>, text: &str) -> Result<Vec<Vec<Card>>, Fault> {
    let mut groups = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('[') {
        let (inside, after) = after.split_once(']').ok_or_else(|| fault(line, "a bracket is not closed"))?;
        let card = |text: &str| text.parse::<Card>().map_err(|error| fault(line, error.to_string()));
        groups.push(inside.split_whitespace().map(card).collect::<Result<_, Fault>>()?);
        rest = after;
    }
    Ok(groups)
}

/// The two cards of the first pair of brackets; none if there is but one card, or none.
pub(super) fn hole(line: &NumberedLine<'_>, text: &str) -> Result<Option<Hole>, Fault> {
    match bracketed(line, text)?.first().map(Vec::as_slice) {
        None | Some([] | [_]) => Ok(None),
        Some([a, b]) => Hole::new(*a, *b).map(Some).ok_or_else(|| fault(line, "the two cards are the same")),
        Some(cards) => Err(fault(line, format!("a hand has two cards, not {}", cards.len()))),
    }
}

/// Whether a line is about what has no part in the play: who comes and goes, clocks, talk, prizes.
pub(super) fn is_remark(line: &str, names: &[&str]) -> bool {
    const AFTER_NAME: [&str; 19] = [
        " has timed out",
        " is disconnected",
        " is connected",
        " said, ",
        " was moved",
        " is feeling ",
        " has requested TIME",
        " has returned",
        " is sitting out",
        ": sits out",
        ": is sitting out",
        ": doesn't show hand",
        ": mucks hand",
        " finished the tournament",
        " wins the tournament",
        " wins an entry",
        " re-buys",
        " takes the add-on",
        " has been eliminated",
    ];
    // Those who come, and those who have left, have no seat in the hand.
    const AFTER_ANY_NAME: [&str; 5] = [
        " leaves the table",
        " joins the table at seat #",
        " will be allowed to play after the button",
        " was removed from the table",
        " said, \"",
    ];
    let is_bounty = |rest: &str| rest.starts_with(" wins ") && rest.contains(" bounty ");
    let mut known = names.iter().filter_map(|name| line.strip_prefix(name));
    let is_clock = |rest: &str| rest.starts_with(" has ") && rest.ends_with(" seconds left to act");
    let is_known = |rest: &str| {
        AFTER_NAME.iter().any(|words| rest.starts_with(words)) || is_bounty(rest) || is_clock(rest)
    };
    known.any(is_known) || AFTER_ANY_NAME.iter().any(|words| line.contains(words))
}
