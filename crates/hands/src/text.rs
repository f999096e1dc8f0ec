//! Hand histories as PokerStars and GGPoker write them: one reader, as the two differ in a few words.

mod header;
mod pieces;
mod play;
mod summary;

use crate::hand_draft::{DraftResult, HandDraft, HandSource};
use crate::history_error::Fault;
use crate::money::Money;
use header::Header;
use play::Play;
use summary::Totals;

pub(crate) use header::{is_between_hands, is_header};

/// A line of a text with its number.
#[derive(Clone, Copy)]
pub(crate) struct NumberedLine<'t> {
    pub number: u32,
    pub text: &'t str,
}

/// Which part of a hand a line is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Seats and blinds.
    Seats,
    /// Cards and actions, to the last word of the showdown.
    Play,
    Summary,
}

/// The number of a hand, as far as its first line tells it.
pub(crate) fn hand_id(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once('#')?;
    rest.split(':').next()
}

/// Reads the lines of one hand.
pub(crate) fn draft(lines: &[NumberedLine<'_>]) -> Result<HandDraft, Fault> {
    let Some((first, rest)) = lines.split_first() else { return Err(Fault::new(1, "there is no hand")) };
    let header = Header::read(first)?;
    let mut play = Play::new(header);
    let mut totals = Totals::default();
    let mut section = Section::Seats;
    for line in rest.iter().filter(|line| !line.text.is_empty()) {
        match line.text {
            "*** HOLE CARDS ***" if section == Section::Seats => section = Section::Play,
            "*** SUMMARY ***" if section == Section::Play => section = Section::Summary,
            _ => match section {
                Section::Seats => play.seat_line(line)?,
                Section::Play => play.play_line(line)?,
                Section::Summary => totals.line(line, &mut play)?,
            },
        }
    }
    let last_line = lines.last().map_or(first.number, |line| line.number);
    let missing = |what: &str| Fault::new(last_line, format!("the hand ends without {what}"));
    if section != Section::Summary {
        return Err(missing("a summary"));
    }
    let (pot, rake, line) = totals.pot.ok_or_else(|| missing("its total pot"))?;
    let antes = play.ante_rule();
    let Play { header, button, seats, posts, events, holes, hero, returned, payments, added, .. } = play;
    if seats.is_empty() {
        return Err(missing("seats"));
    }
    Ok(HandDraft {
        source: header.source,
        id: header.id,
        table: play.table,
        time: header.time,
        stakes: header.stakes,
        unit: header.unit,
        blinds: header.blinds,
        min_bet: header.blinds[1],
        button,
        seats,
        posts,
        antes,
        events,
        holes,
        mucked: Vec::new(),
        hero,
        returned,
        added,
        result: DraftResult::Collected { payments, pot, rake, line },
        first_line: first.number,
        last_line,
    })
}

/// What the sites write differently.
impl HandSource {
    /// Whether a line of stars begins the showdown.
    fn is_showdown(self, text: &str) -> bool {
        match self {
            Self::GgPoker => text == "*** SHOWDOWN ***",
            _ => text == "*** SHOW DOWN ***",
        }
    }
}

/// A complaint about a line.
fn fault(line: &NumberedLine<'_>, message: impl Into<String>) -> Fault {
    Fault::new(line.number, message)
}

/// Reads an amount of a line.
fn money(header: &Header, line: &NumberedLine<'_>, text: &str) -> Result<Money, Fault> {
    header.unit.parse(text).ok_or_else(|| fault(line, format!("`{}` is no amount here", text.trim())))
}
