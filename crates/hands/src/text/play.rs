//! Seats, blinds, cards and actions, line by line.

use super::header::Header;
use super::pieces::{bracketed, hole, is_remark};
use super::{NumberedLine, fault, money};
use crate::hand_draft::{AnteRule, DraftAction, DraftEvent, DraftMove, DraftPayment, DraftPost, DraftSeat};
use crate::history_error::Fault;
use crate::money::Money;
use crate::play_street::PlayStreet;
use crate::played_action::PostKind;
use noregret_cards::{Card, Hole};

const ALL_IN: &str = " and is all-in";

/// What GGPoker writes of a cashout.
const CASHOUTS: [&str; 3] = ["Chooses to EV Cashout", "Pays Cashout Risk", "Receives Cashout"];

/// The most letters of a name.
const LONGEST_NAME: usize = 60;

/// What has been read of a hand so far.
pub(super) struct Play {
    pub header: Header,
    pub table: String,
    pub button: Option<(u8, u32)>,
    pub seats: Vec<DraftSeat>,
    pub posts: Vec<DraftPost>,
    pub events: Vec<(u32, DraftEvent)>,
    pub holes: Vec<(usize, Hole, u32)>,
    pub hero: Option<usize>,
    pub returned: Option<DraftPayment>,
    pub payments: Vec<DraftPayment>,
    pub added: Money,
    board: Vec<Card>,
    is_showdown: bool,
}

impl Play {
    pub fn new(header: Header) -> Self {
        Self {
            header,
            table: String::new(),
            button: None,
            seats: Vec::new(),
            posts: Vec::new(),
            events: Vec::new(),
            holes: Vec::new(),
            hero: None,
            returned: None,
            payments: Vec::new(),
            added: Money::ZERO,
            board: Vec::new(),
            is_showdown: false,
        }
    }

    /// The public cards so far.
    pub fn board(&self) -> &[Card] {
        &self.board
    }

    /// What a short ante can win: all of them where not everybody who is dealt in posts one, as where the big blind posts one for
    /// the table.
    pub fn ante_rule(&self) -> AnteRule {
        let posts_one =
            |seat: usize| self.posts.iter().any(|post| post.seat == seat && post.kind == PostKind::Ante);
        let mut dealt_in = (0..self.seats.len()).filter(|&seat| !self.seats[seat].is_out);
        if dealt_in.all(posts_one) { AnteRule::Matched } else { AnteRule::OnePot }
    }

    /// The seat whose name a line begins with, and what follows: of several names the longest.
    fn named<'l>(&self, line: &'l str, mark: &str) -> Option<(usize, &'l str)> {
        let rest = |seat: &DraftSeat| line.strip_prefix(&seat.name)?.strip_prefix(mark);
        let matches = self.seats.iter().enumerate().filter_map(|(i, seat)| Some((i, rest(seat)?)));
        matches.min_by_key(|(_, rest)| rest.len())
    }

    /// The seat of a name.
    pub fn seat(&self, name: &str) -> Option<usize> {
        self.seats.iter().position(|seat| seat.name == name)
    }

    fn is_remark(&self, line: &str) -> bool {
        let names: Vec<&str> = self.seats.iter().map(|seat| seat.name.as_str()).collect();
        is_remark(line, &names)
    }

    /// A line before the cards: the table, a seat, a blind.
    pub fn seat_line(&mut self, line: &NumberedLine<'_>) -> Result<(), Fault> {
        if let Some(table) = line.text.strip_prefix("Table '") {
            return self.table_line(line, table);
        }
        if line.text.starts_with("Seat ") && self.posts.is_empty() {
            let seat = self.read_seat(line)?;
            if self.seats.iter().any(|other| other.number == seat.number || other.name == seat.name) {
                return Err(fault(line, "the seat or the name is there twice"));
            }
            self.seats.push(seat);
            return Ok(());
        }
        if let Some(amount) = line.text.strip_prefix("Cash Drop to Pot : total ") {
            self.added += money(&self.header, line, amount)?;
            return Ok(());
        }
        if let Some((seat, what)) = self.named(line.text, ": ")
            && let Some(posts) = self.read_post(line, seat, what)?
        {
            self.posts.extend(posts);
            return Ok(());
        }
        if let Some((seat, what)) = self.named(line.text, "")
            && [": sits out", ": is sitting out", " is sitting out"].contains(&what)
        {
            self.seats[seat].is_out = true;
            return Ok(());
        }
        if self.is_remark(line.text) { Ok(()) } else { Err(unknown(line)) }
    }

    fn table_line(&mut self, line: &NumberedLine<'_>, text: &str) -> Result<(), Fault> {
        let (table, rest) = text.rsplit_once('\'').ok_or_else(|| unknown(line))?;
        self.table = table.to_owned();
        if let Some((_, button)) = rest.split_once("Seat #") {
            let number = button.split(' ').next().and_then(|number| number.parse().ok());
            let number = number.filter(|number| (1..=10).contains(number));
            self.button = Some((number.ok_or_else(|| fault(line, "the button is in no seat"))?, line.number));
        }
        Ok(())
    }

    /// `Seat 3: Villain1 ($100 in chips, $5 bounty) is sitting out`.
    fn read_seat(&self, line: &NumberedLine<'_>) -> Result<DraftSeat, Fault> {
        let wrong = || fault(line, "a seat is written like `Seat 3: Villain1 ($100 in chips)`");
        let (number, rest) =
            line.text.strip_prefix("Seat ").and_then(|text| text.split_once(": ")).ok_or_else(wrong)?;
        let number: u8 = number.parse().map_err(|_| wrong())?;
        let (before, after) = rest.rsplit_once(" in chips").ok_or_else(wrong)?;
        let (name, stack) = before.rsplit_once(" (").ok_or_else(wrong)?;
        if name.is_empty() || name.chars().count() > LONGEST_NAME || !(1..=10).contains(&number) {
            return Err(wrong());
        }
        let state = after.split_once(')').ok_or_else(wrong)?.1.trim();
        let is_out = state == "is sitting out" || state.starts_with("out of hand");
        if !is_out && !state.is_empty() {
            return Err(wrong());
        }
        let stack = money(&self.header, line, stack)?;
        Ok(DraftSeat { number, name: name.to_owned(), stack, is_out, line: line.number })
    }

    /// A blind, an ante or both blinds; none if the words are others.
    fn read_post(
        &self,
        line: &NumberedLine<'_>,
        seat: usize,
        what: &str,
    ) -> Result<Option<Vec<DraftPost>>, Fault> {
        let words = [
            ("posts small blind ", PostKind::SmallBlind),
            ("posts big blind ", PostKind::BigBlind),
            ("posts the ante ", PostKind::Ante),
            ("posts straddle ", PostKind::Straddle),
            ("straddle ", PostKind::Straddle),
            ("posts dead blind ", PostKind::Dead),
            ("posts missed blind ", PostKind::Dead),
        ];
        let post = |kind, amount| DraftPost { seat, kind, amount, line: line.number };
        let amount = |text: &str| money(&self.header, line, text.trim_end_matches(ALL_IN));
        if let Some(both) = what.strip_prefix("posts small & big blinds ") {
            let big = self.header.blinds[1];
            let dead = amount(both)?.without(big).filter(|dead| !dead.is_zero());
            let dead = dead.ok_or_else(|| fault(line, "both blinds are more than the big blind"))?;
            return Ok(Some(vec![post(PostKind::BigBlind, big), post(PostKind::Dead, dead)]));
        }
        for (words, kind) in words {
            if let Some(text) = what.strip_prefix(words) {
                return Ok(Some(vec![post(kind, amount(text)?)]));
            }
        }
        Ok(None)
    }

    /// A line from the cards to the summary.
    pub fn play_line(&mut self, line: &NumberedLine<'_>) -> Result<(), Fault> {
        if let Some(stars) = line.text.strip_prefix("*** ") {
            return self.stars(line, stars);
        }
        if let Some(rest) = line.text.strip_prefix("Dealt to ") {
            return self.dealt(line, rest);
        }
        if let Some(rest) = line.text.strip_prefix("Uncalled bet (") {
            return self.uncalled(line, rest);
        }
        if let Some((seat, rest)) = self.named(line.text, " collected ") {
            let amount = rest.split(" from ").next().unwrap_or_default();
            let amount = money(&self.header, line, amount)?;
            self.payments.push(DraftPayment { seat, amount, line: line.number });
            return Ok(());
        }
        if self.named(line.text, " cashed out the hand for ").is_some() {
            return Err(cashed_out(line));
        }
        if let Some((seat, what)) = self.named(line.text, ": ") {
            if CASHOUTS.iter().any(|words| what.starts_with(words)) {
                return Err(cashed_out(line));
            }
            if what.starts_with("shows ") || what.starts_with("mucks [") {
                self.holes.extend(hole(line, what)?.map(|hole| (seat, hole, line.number)));
                return Ok(());
            }
            if !self.is_showdown
                && let Some(action) = self.read_action(line, seat, what)?
            {
                self.events.push((line.number, DraftEvent::Action(action)));
                return Ok(());
            }
        }
        if self.is_remark(line.text) { Ok(()) } else { Err(unknown(line)) }
    }

    /// `FLOP *** [2c 3d 4h]` and the like.
    fn stars(&mut self, line: &NumberedLine<'_>, text: &str) -> Result<(), Fault> {
        let (word, cards) = text.split_once(" ***").ok_or_else(|| unknown(line))?;
        if ["FIRST ", "SECOND ", "THIRD "].iter().any(|run| word.starts_with(run)) {
            return Err(fault(line, "the board was run more than once, and one run is read"));
        }
        if self.header.source.is_showdown(line.text) {
            self.is_showdown = true;
            return Ok(());
        }
        let street = match word {
            "FLOP" => PlayStreet::Flop,
            "TURN" => PlayStreet::Turn,
            "RIVER" => PlayStreet::River,
            _ => return Err(unknown(line)),
        };
        let mut groups = bracketed(line, cards)?;
        let dealt = groups.pop().unwrap_or_default();
        let before: Vec<Card> = groups.concat();
        if before != self.board {
            return Err(fault(line, "the cards before are not those of the street before"));
        }
        self.board.extend(&dealt);
        self.events.push((line.number, DraftEvent::Board(street, dealt)));
        Ok(())
    }

    /// `Dealt to Hero [Ah Kd]`; where the cards are hidden there are none.
    fn dealt(&mut self, line: &NumberedLine<'_>, rest: &str) -> Result<(), Fault> {
        let named = self.named(rest, "").filter(|(_, cards)| cards.is_empty() || cards.starts_with(" ["));
        let Some((seat, cards)) = named else {
            let name = rest.rsplit_once(" [").map_or(rest, |(name, _)| name);
            return Err(fault(line, format!("nobody has the name {name}")));
        };
        if let Some(hole) = hole(line, cards)? {
            if self.hero.is_some_and(|hero| hero != seat) {
                return Err(fault(line, "a second player is dealt cards that are shown"));
            }
            self.hero = Some(seat);
            self.holes.push((seat, hole, line.number));
        }
        Ok(())
    }

    /// `Uncalled bet ($5) returned to Hero`.
    fn uncalled(&mut self, line: &NumberedLine<'_>, rest: &str) -> Result<(), Fault> {
        let (amount, name) = rest.split_once(") returned to ").ok_or_else(|| unknown(line))?;
        let seat = self.seat(name).ok_or_else(|| fault(line, format!("nobody has the name {name}")))?;
        if self.returned.is_some() {
            return Err(fault(line, "a second bet is returned"));
        }
        let amount = money(&self.header, line, amount)?;
        self.returned = Some(DraftPayment { seat, amount, line: line.number });
        Ok(())
    }

    /// An action; none if the words are others.
    fn read_action(
        &mut self,
        line: &NumberedLine<'_>,
        seat: usize,
        what: &str,
    ) -> Result<Option<DraftAction>, Fault> {
        let says_all_in = what.ends_with(ALL_IN);
        let words = what.trim_end_matches(ALL_IN);
        let amount = |text: &str| money(&self.header, line, text).map(Some);
        let (action, amount, by) = if words == "folds" || words.starts_with("folds [") {
            let shown = hole(line, words)?;
            self.holes.extend(shown.map(|hole| (seat, hole, line.number)));
            (DraftMove::Fold, None, None)
        } else if words == "checks" {
            (DraftMove::Check, None, None)
        } else if let Some(text) = words.strip_prefix("calls ") {
            (DraftMove::Call, amount(text)?, None)
        } else if let Some(text) = words.strip_prefix("bets ") {
            (DraftMove::Bet, amount(text)?, None)
        } else if let Some(text) = words.strip_prefix("raises ") {
            let (by, to) = text
                .split_once(" to ")
                .ok_or_else(|| fault(line, "a raise is written like `raises $2 to $3`"))?;
            (DraftMove::Raise, amount(to)?, amount(by)?)
        } else {
            return Ok(None);
        };
        Ok(Some(DraftAction { seat, action, amount, by, says_all_in }))
    }

    /// Cards that the summary shows.
    pub fn show(&mut self, seat: usize, hole: Hole, line: u32) {
        self.holes.push((seat, hole, line));
    }
}

fn cashed_out(line: &NumberedLine<'_>) -> Fault {
    fault(line, "a hand that was cashed out is not read: what is paid is not the pot")
}

fn unknown(line: &NumberedLine<'_>) -> Fault {
    fault(line, "this line is not one of a hand history")
}
