//! The corpus: hands that were written for these tests, and what they are.

#![allow(dead_code, reason = "each test uses a part of it")]

use noregret_hands::{PlayStreet, PlayedHand, PlayedMove, ReadHands, read_bytes};
use std::path::{Path, PathBuf};

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// The files with hands, by name.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = folder()
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending != "tsv" && ending != "json"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

pub fn read(name: &str) -> ReadHands {
    read_bytes(&std::fs::read(folder().join(name)).unwrap())
}

/// All hands of the corpus.
pub fn hands() -> Vec<PlayedHand> {
    files().iter().flat_map(|(_, bytes)| read_bytes(bytes).hands).collect()
}

/// A hand of the corpus, by its number.
pub fn hand(id: &str) -> PlayedHand {
    hands().into_iter().find(|hand| hand.id() == id).unwrap_or_else(|| panic!("no hand {id}"))
}

/// Players as the table of expectations has them: `Hero=BTN:10000>10435`.
pub fn players(hand: &PlayedHand) -> String {
    let player = |seat: &noregret_hands::HandSeat| {
        let name = seat.name.replace(' ', "_");
        format!("{name}={}:{}>{}", seat.position, seat.stack.count(), seat.final_stack.count())
    };
    hand.seats().iter().map(player).collect::<Vec<_>>().join(" ")
}

/// What was done, as the table of expectations has it.
pub fn line(hand: &PlayedHand) -> String {
    let mut parts = Vec::new();
    let mut dealt = 0;
    for street in PlayStreet::ALL {
        if hand.board().len() < street.board_cards() {
            break;
        }
        let actions: Vec<String> = hand
            .on(street)
            .map(|action| {
                let amount = match action.action {
                    PlayedMove::Fold | PlayedMove::Check => String::new(),
                    PlayedMove::Call => format!(" {}", action.added.count()),
                    PlayedMove::Bet | PlayedMove::Raise => format!(" {}", action.to.count()),
                };
                let all_in = if action.is_all_in { "!" } else { "" };
                format!("{} {}{amount}{all_in}", hand.seats()[action.seat].position, action.action)
            })
            .collect();
        let cards: String =
            hand.board()[dealt..street.board_cards()].iter().map(ToString::to_string).collect();
        dealt = street.board_cards();
        let actions = actions.join(", ");
        parts.push(if cards.is_empty() { actions } else { format!("{cards}: {actions}").trim().to_owned() });
    }
    parts.join(" / ")
}

/// What is wrong with the chips of a hand, counted anew from its posts and actions.
pub fn imbalance(hand: &PlayedHand) -> Option<String> {
    let mut left: Vec<i128> = hand.seats().iter().map(|seat| i128::from(seat.stack.count())).collect();
    let mut pot = i128::from(hand.added().count());
    let moved = hand.posts().iter().map(|post| (post.seat, post.amount));
    let moved = moved.chain(hand.actions().iter().map(|action| (action.seat, action.added)));
    for (seat, amount) in moved {
        left[seat] -= i128::from(amount.count());
        pot += i128::from(amount.count());
        if left[seat] < 0 {
            return Some(format!("seat {seat} puts in what it does not have"));
        }
    }
    if let Some((seat, amount)) = hand.returned() {
        left[seat] += i128::from(amount.count());
        pot -= i128::from(amount.count());
    }
    for (seat, left) in hand.seats().iter().zip(&left) {
        pot -= i128::from(seat.collected.count());
        if left + i128::from(seat.collected.count()) != i128::from(seat.final_stack.count()) {
            return Some(format!("{} ends with another stack", seat.name));
        }
    }
    (pot != i128::from(hand.rake().count())).then(|| format!("{pot} are left over"))
}
