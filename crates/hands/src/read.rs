//! A text with hands, of whatever kind it is.

use crate::history_error::{Fault, HistoryError};
use crate::phh;
use crate::played_hand::PlayedHand;
use crate::text::{self, NumberedLine};

/// What a text has: hands, and what cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReadHands {
    /// The hands that could be read, in order.
    pub hands: Vec<PlayedHand>,
    /// One error for each hand that could not, and for text that is none.
    pub errors: Vec<HistoryError>,
}

impl ReadHands {
    fn add(&mut self, hand: Result<PlayedHand, HistoryError>) {
        match hand {
            Ok(hand) => self.hands.push(hand),
            Err(error) => self.errors.push(error),
        }
    }
}

/// Reads the bytes of a file: a byte order mark and line ends of Windows are fine, and bytes that are no UTF-8 stand for a letter
/// that is not known.
pub fn read_bytes(bytes: &[u8]) -> ReadHands {
    read_text(&String::from_utf8_lossy(bytes))
}

/// Reads hands of PokerStars and GGPoker, in any order, or PHH documents one after another. An error in one hand does not keep the others from
/// being read.
pub fn read_text(text: &str) -> ReadHands {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<NumberedLine<'_>> = text
        .split('\n')
        .zip(1..)
        .map(|(line, number)| {
            let text = line.trim_start_matches('\u{feff}').trim();
            NumberedLine { number, text: if text::is_between_hands(text) { "" } else { text } }
        })
        .collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|&line| text::is_header(lines[line].text)).collect();
    let mut read = ReadHands::default();
    if starts.is_empty() && phh::is_phh(text) {
        read_phh(text, &lines, &mut read);
        return read;
    }
    let before = &lines[..starts.first().copied().unwrap_or(lines.len())];
    if let Some(line) = before.iter().find(|line| !line.text.is_empty()) {
        let message = "this is no hand: PokerStars and GGPoker text and PHH are read";
        read.errors.push(HistoryError::at(Fault::new(line.number, message), line.text, None));
    }
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(lines.len());
        let mut hand = &lines[start..end];
        while let [rest @ .., last] = hand
            && last.text.is_empty()
        {
            hand = rest;
        }
        let checked = text::draft(hand).and_then(PlayedHand::check);
        let id = text::hand_id(lines[start].text);
        read.add(checked.map_err(|fault| named(fault, &lines, id)));
    }
    read
}

fn read_phh(text: &str, lines: &[NumberedLine<'_>], read: &mut ReadHands) {
    for draft in phh::drafts(text) {
        let id = draft.as_ref().map(|draft| draft.id.clone()).ok();
        let checked = draft.and_then(PlayedHand::check);
        read.add(checked.map_err(|fault| named(fault, lines, id.as_deref())));
    }
}

/// A fault with the text of its line.
fn named(fault: Fault, lines: &[NumberedLine<'_>], hand: Option<&str>) -> HistoryError {
    let text = lines.get(fault.line.saturating_sub(1) as usize).map_or("", |line| line.text);
    HistoryError::at(fault, text, hand)
}
