//! What kind of board it is.

use noregret_cards::{Board, Card, Suit, Texture};

/// One way to sort boards, and where a board is in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardGroup {
    /// By what: `high card`, `suits`…
    pub by: &'static str,
    /// What kind of it.
    pub kind: String,
    /// Its place among the kinds.
    pub order: u8,
}

fn group(by: &'static str, kind: impl Into<String>, order: u8) -> BoardGroup {
    BoardGroup { by, kind: kind.into(), order }
}

/// The kinds of a flop.
pub fn of_flop(flop: &Board) -> Vec<BoardGroup> {
    let texture = Texture::of(flop);
    let high = texture.high;
    vec![
        group("high card", format!("{} high", high.to_char()), 12 - high.index()),
        group("suits", texture.suits.to_string(), texture.suits as u8),
        group("pairs", texture.ranks.to_string(), texture.ranks as u8),
        group("straights", texture.gaps.to_string(), texture.gaps as u8),
    ]
}

/// The kinds of a runout: what its cards do to the board before.
pub fn of_runout(before: &Board, dealt: &[Card]) -> Vec<BoardGroup> {
    let Some(last) = dealt.last() else { return of_flop(before) };
    let earlier: Vec<Card> =
        before.cards().iter().copied().chain(dealt[..dealt.len() - 1].iter().copied()).collect();
    let suits = |suit: Suit| earlier.iter().filter(|card| card.suit() == suit).count();
    let suit = match suits(last.suit()) {
        0 => ("a new suit", 0),
        1 => ("brings two of a suit", 1),
        2 => ("brings a flush", 2),
        _ => ("more of the flush", 3),
    };
    let highest = earlier.iter().map(|card| card.rank()).max();
    let rank = match earlier.iter().any(|card| card.rank() == last.rank()) {
        true => ("pairs the board", 0),
        false if highest.is_some_and(|highest| last.rank() > highest) => ("overcard", 1),
        false => ("undercard", 2),
    };
    vec![
        group("rank", last.rank().to_char().to_string(), 12 - last.rank().index()),
        group("suit", suit_name(last.suit()), last.suit().index()),
        group("board", rank.0, rank.1),
        group("flush", suit.0, suit.1),
    ]
}

fn suit_name(suit: Suit) -> &'static str {
    ["clubs", "diamonds", "hearts", "spades"][usize::from(suit.index())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(groups: &[BoardGroup]) -> Vec<&str> {
        groups.iter().map(|group| group.kind.as_str()).collect()
    }

    #[test]
    fn flops_and_runouts_have_their_kinds() {
        let flop = "QsJh2h".parse().unwrap();
        assert_eq!(kinds(&of_flop(&flop)), ["Q high", "two-tone", "unpaired", "semi-connected"]);
        let runout = |cards: &[&str]| {
            let cards: Vec<Card> = cards.iter().map(|card| card.parse().unwrap()).collect();
            of_runout(&flop, &cards).into_iter().map(|group| group.kind).collect::<Vec<_>>()
        };
        assert_eq!(runout(&["Ah"]), ["A", "hearts", "overcard", "brings a flush"]);
        assert_eq!(runout(&["Ah", "2s"]), ["2", "spades", "pairs the board", "brings two of a suit"]);
        assert_eq!(runout(&["7c"]), ["7", "clubs", "undercard", "a new suit"]);
        assert_eq!(of_runout(&flop, &[]), of_flop(&flop));
    }
}
