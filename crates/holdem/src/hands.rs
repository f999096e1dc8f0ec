//! The hands of both players on one board, and for a river board how they compare.

use crate::Spot;
use noregret_cards::{Board, Card, Hole, Strength};
use noregret_cfr::Player;

/// Both players' hands on a board, blocked ones left out. On a river board the weakest come first, otherwise they
/// come in the order of their index.
pub(crate) struct HandTable {
    hands: [Vec<Hole>; 2],
    twins: [Vec<u16>; 2],
}

impl HandTable {
    pub fn new(spot: &Spot, board: &Board) -> Self {
        let hands = Player::BOTH.map(|player| {
            let mut hands: Vec<Hole> = possible(spot, board, player).collect();
            if let Some(strength) = ranking(board) {
                hands.sort_by_cached_key(|&hole| (strength(hole), hole.index()));
            }
            hands
        });
        let twins = Player::BOTH.map(|player| {
            let others = &hands[player.opponent().index()];
            let places = places(others);
            hands[player.index()]
                .iter()
                .map(|hole| places[hole.index()].unwrap_or(others.len() as u16))
                .collect()
        });
        Self { hands, twins }
    }

    pub fn hands(&self, player: Player) -> &[Hole] {
        &self.hands[player.index()]
    }

    /// For each hand of a player, where the opponent's list has the same two cards; its length if nowhere.
    pub fn twins(&self, player: Player) -> &[u16] {
        &self.twins[player.index()]
    }

    /// What a table of so many hands takes.
    pub fn bytes(counts: [usize; 2]) -> usize {
        size_of::<Self>() + (counts[0] + counts[1]) * (size_of::<Hole>() + size_of::<u16>())
    }
}

/// The hands of a player that a board does not block, in the order of their index.
pub(crate) fn possible<'s>(
    spot: &'s Spot,
    board: &Board,
    player: Player,
) -> impl Iterator<Item = Hole> + use<'s> {
    let blocked = board.set();
    spot.range(player).iter().map(|(hole, _)| hole).filter(move |hole| !hole.set().intersects(blocked))
}

/// Where each hole is in a list.
pub(crate) fn places(hands: &[Hole]) -> Vec<Option<u16>> {
    let mut places = vec![None; Hole::COUNT];
    for (place, hole) in hands.iter().enumerate() {
        places[hole.index()] = Some(place as u16);
    }
    places
}

/// How strong a hole is, if the board is complete.
fn ranking(board: &Board) -> Option<impl Fn(Hole) -> Option<Strength>> {
    let cards = board.set();
    (cards.len() == 5).then_some(move |hole: Hole| Strength::of(cards.union(hole.set())))
}

/// Which running sums one hand reads: those over the opponent's weaker hands and over the not stronger ones, and for
/// each of its two cards those over the opponent's hands with that card: weaker, not stronger, and all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reader {
    pub weaker: u16,
    pub not_stronger: u16,
    pub high: [u16; 3],
    pub low: [u16; 3],
}

/// One player's hands on a river board as running sums: entries `first..` of a card are the sums over its hands, weakest
/// first, starting with the sum over none.
struct Side {
    /// For each hand, the entries of its two cards that it adds to.
    entries: Vec<[u16; 2]>,
    /// For each card, the entry with the sum over none.
    first_entries: Vec<u16>,
    /// For each hand of the other player, what it reads.
    readers: Vec<Reader>,
}

/// How the hands of both players compare on a river board.
pub(crate) struct ShowdownTable {
    sides: [Side; 2],
}

impl ShowdownTable {
    /// The table of a board with five cards, none of a shorter one.
    pub fn new(board: &Board, hands: &HandTable) -> Option<Self> {
        let strength = ranking(board)?;
        let sides =
            Player::BOTH.map(|player| side(hands.hands(player), hands.hands(player.opponent()), &strength));
        Some(Self { sides })
    }

    /// The entries that each hand of a player adds to, next to the one that it reads first.
    pub fn entries(&self, player: Player) -> &[[u16; 2]] {
        &self.sides[player.index()].entries
    }

    /// The entries of a player's hands that stay zero.
    pub fn first_entries(&self, player: Player) -> &[u16] {
        &self.sides[player.index()].first_entries
    }

    /// What each hand of a player reads from the sums over the opponent's.
    pub fn readers(&self, player: Player) -> &[Reader] {
        &self.sides[player.opponent().index()].readers
    }

    /// What a table of so many hands takes.
    pub fn bytes(counts: [usize; 2]) -> usize {
        let hands = counts[0] + counts[1];
        size_of::<Self>()
            + hands * (size_of::<[u16; 2]>() + size_of::<Reader>())
            + 2 * Card::COUNT * size_of::<u16>()
    }
}

/// The running sums over `hands`, and what `others` read from them; both come weakest first.
fn side(hands: &[Hole], others: &[Hole], strength: &impl Fn(Hole) -> Option<Strength>) -> Side {
    let mut counts = [0u16; Card::COUNT];
    for card in hands.iter().flat_map(|hole| hole.cards()) {
        counts[card.index() as usize] += 1;
    }
    let mut next = 0;
    let first_entries: Vec<u16> = counts
        .iter()
        .map(|count| {
            let first = next;
            next += count + 1;
            first
        })
        .collect();

    // Where each card's sums stand after the hands so far.
    let mut ends = first_entries.clone();
    let mut entries = Vec::with_capacity(hands.len());
    let mut readers = vec![Reader { weaker: 0, not_stronger: 0, high: [0; 3], low: [0; 3] }; others.len()];
    let mut rest = hands.iter().peekable();
    let mut added = 0u16;
    let last = |card: Card| first_entries[card.index() as usize] + counts[card.index() as usize];
    let groups = others.chunk_by(|&a, &b| strength(a) == strength(b));
    let mut reader = readers.iter_mut();
    for group in groups {
        let level = strength(group[0]);
        let mut advance =
            |include: &dyn Fn(Option<Strength>) -> bool, ends: &mut Vec<u16>, added: &mut u16| {
                while let Some(&&hole) = rest.peek().filter(|&&&hole| include(strength(hole))) {
                    entries.push(hole.cards().map(|card| ends[card.index() as usize]));
                    for card in hole.cards() {
                        ends[card.index() as usize] += 1;
                    }
                    *added += 1;
                    rest.next();
                }
            };
        advance(&|s| s < level, &mut ends, &mut added);
        let (weaker, weaker_ends) = (added, ends.clone());
        advance(&|s| s <= level, &mut ends, &mut added);
        for (hole, reader) in group.iter().zip(reader.by_ref()) {
            let [high, low] = hole.cards().map(|card| {
                let c = card.index() as usize;
                [weaker_ends[c], ends[c], last(card)]
            });
            *reader = Reader { weaker, not_stronger: added, high, low };
        }
    }
    for hole in rest {
        entries.push(hole.cards().map(|card| ends[card.index() as usize]));
        for card in hole.cards() {
            ends[card.index() as usize] += 1;
        }
    }
    Side { entries, first_entries, readers }
}
