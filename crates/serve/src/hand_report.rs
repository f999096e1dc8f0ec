//! What a session of hands says, as the API tells it.

use crate::api::hands::{
    HandInfo, HandKind, HandsReport, HandsSessionInfo, SessionRange, UnreadFile, UnreadHand,
};
use noregret_drill::{ReviewKey, Verdict};
use noregret_hands::{DecisionRow, HandsSession, SessionHand, SessionTotals, UnreadSolution};
use noregret_holdem::preflop::{OwnRanges, RangeName};
use noregret_report::player_name;
use std::collections::BTreeMap;

/// How many decisions a drill asks about.
const MAX_COSTLY: usize = 50;

/// A name for a session after its first hand: when and where that was played.
pub fn name_after(first: &SessionHand) -> String {
    let (table, time) = (first.hand.table(), first.hand.time());
    let day = time.split(' ').next().unwrap_or(time);
    let words = [table, day].into_iter().filter(|word| !word.is_empty());
    let name: String =
        words.collect::<Vec<_>>().join(", ").chars().filter(|c| !c.is_control()).take(60).collect();
    if name.is_empty() {
        format!("Hand {}", first.hand.id().chars().take(50).collect::<String>())
    } else {
        name
    }
}

/// The report of a session.
pub fn report<'u>(
    info: HandsSessionInfo,
    session: &HandsSession,
    unread: impl Iterator<Item = &'u UnreadSolution>,
    own: &OwnRanges,
) -> HandsReport {
    let rows: Vec<(usize, DecisionRow)> = numbered(session).map(|(number, _, row)| (number, row)).collect();
    let plain: Vec<DecisionRow> = rows.iter().map(|(_, row)| row.clone()).collect();
    let totals = SessionTotals::of(&plain);
    let place = |costly: &DecisionRow| {
        let same = |(_, row): &&(usize, DecisionRow)| row == costly;
        rows.iter().find(same).map_or(0, |(number, _)| *number)
    };
    let errors = session.errors.iter().map(|unread| UnreadHand {
        line: unread.error.line,
        text: unread.error.text.clone(),
        message: unread.error.message.clone(),
        hand: unread.error.hand.clone(),
    });
    let unread: BTreeMap<&str, &str> =
        unread.map(|unread| (unread.name.as_str(), unread.message.as_str())).collect();
    HandsReport {
        session: info,
        hands: session.hands.iter().enumerate().map(|(number, hand)| hand_info(number, hand)).collect(),
        errors: errors.collect(),
        unread_solutions: unread
            .into_iter()
            .map(|(name, message)| UnreadFile { solution: name.to_owned(), message: message.to_owned() })
            .collect(),
        repeated: session.repeated,
        missed: session.missed(),
        costliest_hands: totals.costliest.iter().map(place).collect(),
        to_train: costly(session).len(),
        own_ranges: ranges(session, own).into_iter().filter(|range| range.own).collect(),
        totals,
    }
}

/// The ranges that the hands of a session take, and its own, in the order of their names.
pub fn ranges(session: &HandsSession, own: &OwnRanges) -> Vec<SessionRange> {
    let mut hands: BTreeMap<RangeName, usize> = own.iter().map(|(name, _)| (name, 0)).collect();
    let spots = session.hands.iter().filter_map(|hand| hand.spot.as_ref().ok());
    for choice in spots.flat_map(|spot| &spot.ranges) {
        *hands.entry(choice.source).or_default() += 1;
    }
    let range = |(name, hands): (RangeName, usize)| {
        let mine = own.get(name);
        let text = mine.or_else(|| name.chart_range())?.to_string();
        Some(SessionRange { name: name.to_string(), text, own: mine.is_some(), hands })
    };
    hands.into_iter().filter_map(range).collect()
}

/// All decisions, each with the number of its hand and how a drill asks about it.
fn numbered(session: &HandsSession) -> impl Iterator<Item = (usize, Option<ReviewKey>, DecisionRow)> {
    session.hands.iter().enumerate().flat_map(|(number, hand)| {
        let solution = hand.solved.as_ref().map(|solved| solved.name.clone());
        let key = move |(decision, _): (&noregret_hands::PlayedDecision, _)| {
            Some(ReviewKey {
                solution: solution.clone()?,
                line: decision.line.to_string(),
                player: player_name(decision.player).to_owned(),
                hole: decision.hole?.to_string(),
            })
        };
        let keys: Vec<Option<ReviewKey>> = hand.decisions().map(key).collect();
        keys.into_iter().zip(DecisionRow::of_hand(hand)).map(move |(key, row)| (number, key, row))
    })
}

/// The decisions that a drill would call wrong, the costliest first, as it asks about them.
pub fn costly(session: &HandsSession) -> Vec<ReviewKey> {
    let is_wrong = |row: &DecisionRow| {
        let loss = row.ev_loss_pct.filter(|_| row.counts());
        loss.is_some_and(|loss| !Verdict::of(loss).is_right())
    };
    let mut wrong: Vec<(f64, ReviewKey)> = numbered(session)
        .filter(|(_, _, row)| is_wrong(row))
        .filter_map(|(_, key, row)| Some((row.ev_loss_bb?, key?)))
        .collect();
    wrong.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut keys: Vec<ReviewKey> = Vec::new();
    for (_, key) in wrong {
        if keys.len() < MAX_COSTLY && !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

fn hand_info(number: usize, session: &SessionHand) -> HandInfo {
    let hand = &session.hand;
    let studied = match session.studied.as_slice() {
        [one] => hand.seats().get(*one),
        _ => None,
    };
    let rows = DecisionRow::of_hand(session);
    let counted: Vec<f64> = rows.iter().filter(|row| row.counts()).filter_map(|row| row.ev_loss_bb).collect();
    let (kind, summary, notes) = match &session.spot {
        Ok(spot) => {
            let [oop, ip] = spot.seats.map(|seat| hand.seats()[seat].position);
            let kind = if session.solved.is_some() { HandKind::Solved } else { HandKind::ToSolve };
            (kind, format!("{oop} vs {ip}, {}", spot.pot_type), spot.notes.len())
        }
        Err(reason) => (HandKind::LeftOut, reason.to_string(), 0),
    };
    HandInfo {
        number,
        hand: hand.id().to_owned(),
        source: hand.source().to_string(),
        time: hand.time().to_owned(),
        kind,
        position: studied.map(|seat| seat.position.to_string()),
        hole: studied.and_then(|seat| seat.hole).map(|hole| hole.to_string()),
        board: hand.board().iter().map(ToString::to_string).collect(),
        won_bb: studied.map(|seat| hand.big_blinds(seat.final_stack) - hand.big_blinds(seat.stack)),
        summary,
        notes,
        decisions: rows.len(),
        ev_loss_bb: (!counted.is_empty()).then(|| 0.0 + counted.iter().sum::<f64>()),
    }
}
