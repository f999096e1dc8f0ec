//! Who wins what, where the text leaves it to the cards.

use crate::money::Money;
use crate::replay::Replay;
use noregret_cards::{Board, Card, Hole, Strength};

/// The shares of the main pot and of all side pots; an error if the cards that decide are not known.
pub(crate) fn award(
    replay: &Replay,
    mucked: &[usize],
    board: &[Card],
    holes: &[Option<Hole>],
) -> Result<Vec<Money>, String> {
    let staked = replay.staked();
    let mut shares = vec![Money::ZERO; staked.len()];
    let remaining: Vec<usize> = replay.remaining().collect();
    let mut levels: Vec<Money> = remaining.iter().map(|&player| staked[player]).collect();
    levels.sort_unstable();
    levels.dedup();
    let mut dead = replay.dead();
    let mut below = Money::ZERO;
    for (i, &level) in levels.iter().enumerate() {
        let is_last = i + 1 == levels.len();
        // Whoever folded above the last level has put that in too.
        let part = |&put_in: &Money| (if is_last { put_in } else { put_in.min(level) }).less(below);
        let pot = staked.iter().map(part).sum::<Money>() + std::mem::take(&mut dead);
        let all: Vec<usize> = remaining.iter().copied().filter(|&player| staked[player] >= level).collect();
        let kept: Vec<usize> = all.iter().copied().filter(|player| !mucked.contains(player)).collect();
        let contenders = if kept.is_empty() { all } else { kept };
        let mut winners = winners(&contenders, board, holes)?;
        winners.sort_by_key(|&winner| replay.seats_after_button(winner));
        share_out(pot, &winners, &mut shares);
        below = level;
    }
    Ok(shares)
}

/// The strongest of some hands.
fn winners(contenders: &[usize], board: &[Card], holes: &[Option<Hole>]) -> Result<Vec<usize>, String> {
    if let [only] = contenders {
        return Ok(vec![*only]);
    }
    let unknown =
        || "who wins is not told, and not all cards are: give `winnings` or `finishing_stacks`".to_owned();
    let board = Board::new(board).map_err(|_| unknown())?;
    let strength = |&player: &usize| {
        let hole = holes[player].ok_or_else(unknown)?;
        Ok((player, Strength::of(hole.set().union(board.set()))))
    };
    let strengths: Vec<(usize, Option<Strength>)> =
        contenders.iter().map(strength).collect::<Result<_, String>>()?;
    let best = strengths.iter().map(|(_, strength)| *strength).max().flatten();
    Ok(strengths.into_iter().filter(|(_, strength)| *strength == best).map(|(player, _)| player).collect())
}

/// Shares a pot out in equal parts. What cannot be shared goes to the first after the button.
fn share_out(pot: Money, winners: &[usize], shares: &mut [Money]) {
    let count = winners.len().max(1) as u64;
    let each = Money::new(pot.count() / count).unwrap_or_default();
    let rest = Money::new(pot.count() % count).unwrap_or_default();
    for (i, &winner) in winners.iter().enumerate() {
        shares[winner] += each + if i == 0 { rest } else { Money::ZERO };
    }
}
