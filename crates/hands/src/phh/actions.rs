//! The notation of actions: `d dh p1 AcAd`, `p3 cbr 7`, `p2 cc`, `d db 2c3c4c`.

use crate::hand_draft::{DraftAction, DraftEvent, DraftMove};
use crate::history_error::Fault;
use crate::money::{Money, MoneyUnit};
use crate::play_street::PlayStreet;
use noregret_cards::{Card, Hole};

/// What the actions of a hand come to.
pub(super) struct Actions {
    pub events: Vec<(u32, DraftEvent)>,
    pub holes: Vec<(usize, Hole, u32)>,
    pub mucked: Vec<usize>,
    pub last_line: Option<u32>,
    street: PlayStreet,
    players: usize,
    unit: MoneyUnit,
}

impl Actions {
    /// Reads all of them.
    pub fn read(texts: &[(&str, u32)], players: usize, unit: MoneyUnit) -> Result<Self, Fault> {
        let mut actions = Self {
            events: Vec::new(),
            holes: Vec::new(),
            mucked: Vec::new(),
            last_line: None,
            street: PlayStreet::Preflop,
            players,
            unit,
        };
        for &(text, line) in texts {
            let text = text.split('#').next().unwrap_or_default();
            let words: Vec<&str> = text.split_whitespace().collect();
            actions.add(&words, line).map_err(|message| Fault::new(line, message))?;
            actions.last_line = Some(line);
        }
        Ok(actions)
    }

    fn add(&mut self, words: &[&str], line: u32) -> Result<(), String> {
        match *words {
            // A remark by itself.
            [] => {}
            ["d", "dh", player, cards] => {
                let seat = self.seat(player)?;
                self.holes.extend(hole(cards)?.map(|hole| (seat, hole, line)));
            }
            ["d", "db", cards] => {
                let street = self.street.next().ok_or("the board is complete")?;
                self.street = street;
                self.events.push((line, DraftEvent::Board(street, board(cards)?)));
            }
            [player, "f"] => self.act(player, DraftMove::Fold, None, line)?,
            [player, "cc"] => self.act(player, DraftMove::CheckOrCall, None, line)?,
            [player, "cbr", amount] => {
                let amount = self.unit.parse(amount).ok_or_else(|| format!("`{amount}` is no amount"))?;
                self.act(player, DraftMove::BetOrRaise, Some(amount), line)?;
            }
            [player, "sm"] | [player, "sm", "-"] => {
                let seat = self.seat(player)?;
                self.mucked.push(seat);
            }
            [player, "sm", cards] => {
                let seat = self.seat(player)?;
                self.holes.extend(hole(cards)?.map(|hole| (seat, hole, line)));
            }
            _ => return Err("this is no action of no-limit hold'em, like `p3 cbr 7`".to_owned()),
        }
        Ok(())
    }

    fn act(
        &mut self,
        player: &str,
        action: DraftMove,
        amount: Option<Money>,
        line: u32,
    ) -> Result<(), String> {
        let action = DraftAction { seat: self.seat(player)?, action, amount, by: None, says_all_in: false };
        self.events.push((line, DraftEvent::Action(action)));
        Ok(())
    }

    /// The place of a player such as `p3`.
    fn seat(&self, player: &str) -> Result<usize, String> {
        let number: Option<usize> = player.strip_prefix('p').and_then(|number| number.parse().ok());
        let seat = number.filter(|number| (1..=self.players).contains(number)).map(|number| number - 1);
        seat.ok_or_else(|| format!("`{player}` is none of p1 to p{}", self.players))
    }
}

/// Cards without blanks between them; none for `??`.
fn cards(text: &str) -> Result<Vec<Option<Card>>, String> {
    let letters: Vec<char> = text.chars().collect();
    let card = |pair: &[char]| match pair {
        ['?', '?'] => Ok(None),
        _ => {
            let name: String = pair.iter().collect();
            name.parse::<Card>().map(Some).map_err(|error| error.to_string())
        }
    };
    letters.chunks(2).map(card).collect()
}

/// Two cards; none if one of them is not known.
fn hole(text: &str) -> Result<Option<Hole>, String> {
    match cards(text)?[..] {
        [Some(a), Some(b)] => {
            Hole::new(a, b).map(Some).ok_or_else(|| "the two cards are the same".to_owned())
        }
        [_, _] => Ok(None),
        _ => Err("a hand has two cards".to_owned()),
    }
}

fn board(text: &str) -> Result<Vec<Card>, String> {
    let cards: Option<Vec<Card>> = cards(text)?.into_iter().collect();
    cards.ok_or_else(|| "a card of the board is not known".to_owned())
}
