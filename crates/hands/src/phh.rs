//! The Poker Hand History format: TOML, one hand a file (`.phh`), or a table for each (`.phhs`).
//!
//! Kim, "Recording and Describing Poker Hands" (2024). Players are numbered from the first after the button, but for heads-up,
//! where the first is the big blind.

mod actions;
mod document;

use crate::currency::Currency;
use crate::hand_draft::{AnteRule, DraftPost, DraftResult, DraftSeat, GameStakes, HandDraft, HandSource};
use crate::history_error::Fault;
use crate::money::{Money, MoneyUnit};
use crate::played_action::PostKind;
use actions::Actions;
use document::{LineStarts, PhhTable, tables};
use std::collections::HashSet;

/// The drafts of all hands of a text: of one document, or of several one after another, as files that were joined. Each document
/// that is no TOML is an error.
pub(crate) fn drafts(text: &str) -> Vec<Result<HandDraft, Fault>> {
    let whole = drafts_of(text, 0);
    let documents = documents(text);
    match whole {
        Ok(drafts) => drafts,
        Err(fault) if documents.len() < 2 => vec![Err(fault)],
        Err(_) => documents
            .into_iter()
            .flat_map(|(document, before)| {
                drafts_of(document, before).unwrap_or_else(|fault| vec![Err(fault)])
            })
            .collect(),
    }
}

/// The drafts of a document with so many lines before it.
fn drafts_of(text: &str, before: u32) -> Result<Vec<Result<HandDraft, Fault>>, Fault> {
    let lines = LineStarts::of(text, before);
    let root = document::parse(text, &lines)?;
    Ok(tables(&root, &lines)?.iter().map(draft).collect())
}

/// The documents of a text, each with the number of lines before it. Another begins at a `variant` where the table that it would be in
/// has one already, and at the header of a table after a hand without one, or that the document has already.
fn documents(text: &str) -> Vec<(&str, u32)> {
    let mut documents = Vec::new();
    let (mut start, mut before) = (0, 0);
    let mut headers: HashSet<&str> = HashSet::new();
    let mut has_variant = false;
    let mut offset = 0;
    for (line, number) in text.split_inclusive('\n').zip(0..) {
        let trimmed = line.trim();
        let is_header = trimmed.starts_with('[') && trimmed.ends_with(']') && line.starts_with('[');
        let begins = match is_header {
            true => (has_variant && headers.is_empty()) || headers.contains(trimmed),
            false => has_variant && is_variant(line),
        };
        if begins {
            documents.push((&text[start..offset], before));
            (start, before) = (offset, number);
            headers.clear();
        }
        if is_header {
            headers.insert(trimmed);
        }
        has_variant = is_variant(line) || (has_variant && !is_header && !begins);
        offset += line.len();
    }
    documents.push((&text[start..], before));
    documents
}

fn is_variant(line: &str) -> bool {
    line.trim_start().strip_prefix("variant").is_some_and(|rest| rest.trim_start().starts_with('='))
}

/// Whether a text looks like a document of this format.
pub(crate) fn is_phh(text: &str) -> bool {
    text.lines().any(is_variant)
}

fn draft(table: &PhhTable<'_>) -> Result<HandDraft, Fault> {
    table.check_keys()?;
    let (variant, line) = table.text("variant")?.ok_or_else(|| table.missing("variant"))?;
    if variant != "NT" {
        return Err(Fault::new(line, "only no-limit hold'em is read: `variant = \"NT\"`"));
    }
    let (action_texts, actions_line) = table.texts("actions")?.ok_or_else(|| table.missing("actions"))?;
    let unit = MoneyUnit { currency: currency(table)?, decimals: decimals(table, &action_texts)? };
    let list = |key| table.amounts(key, unit);
    let (stacks, stacks_line) = list("starting_stacks")?.ok_or_else(|| table.missing("starting_stacks"))?;
    let (mut blinds, blinds_line) =
        list("blinds_or_straddles")?.ok_or_else(|| table.missing("blinds_or_straddles"))?;
    let (mut antes, antes_line) = list("antes")?.unwrap_or((Vec::new(), stacks_line));
    let players = stacks.len();
    let finishing = list("finishing_stacks")?;
    let winnings = list("winnings")?;
    let lists = [
        Some(&(blinds.clone(), blinds_line)),
        Some(&(antes.clone(), antes_line)),
        finishing.as_ref(),
        winnings.as_ref(),
    ];
    if let Some((amounts, line)) = lists.into_iter().flatten().find(|(amounts, _)| amounts.len() > players) {
        let message = format!("there are {players} players, and {} amounts", amounts.len());
        return Err(Fault::new(*line, message));
    }
    if !(2..=9).contains(&players) {
        return Err(Fault::new(stacks_line, format!("{players} players are dealt in, and 2 to 9 can be")));
    }
    if let Some((amounts, line)) = winnings.as_ref().filter(|(amounts, _)| amounts.len() < players) {
        let message = format!("there are {players} players, and {} amounts", amounts.len());
        return Err(Fault::new(*line, message));
    }
    blinds.resize(players, Money::ZERO);
    antes.resize(players, Money::ZERO);
    let [small, big] = [blinds[0], blinds[1]];
    if players == 2 {
        blinds.swap(0, 1);
        antes.swap(0, 1);
    }
    let ante_rule = if table.flag("ante_trimming_status")? { AnteRule::Matched } else { AnteRule::OnePot };
    if ante_rule == AnteRule::Matched {
        trim_antes(&mut antes, &stacks);
    }
    let min_bet = table.amount("min_bet", unit)?.map_or(big, |(amount, _)| amount);
    let names = names(table, players)?;
    let seats: Vec<DraftSeat> = stacks
        .iter()
        .zip(names)
        .zip(1..)
        .map(|((&stack, name), number)| DraftSeat { number, name, stack, is_out: false, line: stacks_line })
        .collect();
    let mut posts = Vec::new();
    let mut left = stacks.clone();
    let mut post = |seat: usize, kind, amount: Money, line| {
        let amount = amount.min(left[seat]);
        left[seat] = left[seat].less(amount);
        if !amount.is_zero() {
            posts.push(DraftPost { seat, kind, amount, line });
        }
    };
    antes.iter().enumerate().for_each(|(seat, &ante)| post(seat, PostKind::Ante, ante, antes_line));
    // The big blind first, as the one that others are told apart from.
    let big_seat = if players == 2 { 0 } else { 1 };
    post(big_seat, PostKind::BigBlind, big, blinds_line);
    for (seat, &amount) in blinds.iter().enumerate().filter(|(seat, _)| *seat != big_seat) {
        let kind = match seat {
            0 | 1 if seat == usize::from(players == 2) => PostKind::SmallBlind,
            _ if amount == big => PostKind::BigBlind,
            _ => PostKind::Straddle,
        };
        post(seat, kind, amount, blinds_line);
    }
    let read = Actions::read(&action_texts, players, unit)?;
    let time = table.time();
    // An event is no tournament by itself: television shows of cash games have one. Chips of a tournament are no money, and only
    // tournaments have levels.
    let is_tournament = table.has("level") || !(table.has("currency") || table.has("currency_symbol"));
    let event = table.text("event")?.filter(|_| is_tournament).map(|(event, _)| event.to_owned());
    Ok(HandDraft {
        source: HandSource::Phh,
        id: table.id()?,
        table: table.word("table"),
        time,
        stakes: event.map_or(GameStakes::Cash, GameStakes::Tournament),
        unit,
        blinds: [small, big],
        min_bet,
        button: None,
        seats,
        posts,
        antes: ante_rule,
        events: read.events,
        holes: read.holes,
        mucked: read.mucked,
        hero: None,
        returned: None,
        added: Money::ZERO,
        result: match (winnings, finishing) {
            (Some((winnings, line)), stacks) => DraftResult::Won { winnings, line, stacks },
            (None, Some((stacks, line))) => DraftResult::Finished { stacks, line },
            (None, None) => DraftResult::Open,
        },
        first_line: table.line(),
        last_line: read.last_line.unwrap_or(actions_line),
    })
}

/// Gives back what an ante is above what anybody else has put in.
fn trim_antes(antes: &mut [Money], stacks: &[Money]) {
    let mut posted: Vec<Money> = antes.iter().zip(stacks).map(|(&ante, &stack)| ante.min(stack)).collect();
    posted.sort_unstable();
    let most = posted.iter().rev().nth(1).copied().unwrap_or_default();
    antes.iter_mut().for_each(|ante| *ante = (*ante).min(most));
}

fn currency(table: &PhhTable<'_>) -> Result<Currency, Fault> {
    let code = table.text("currency")?.and_then(|(code, _)| Currency::of_code(code));
    let symbol = table.text("currency_symbol")?.and_then(|(symbol, _)| Currency::of_symbol(symbol));
    Ok(code.or(symbol).unwrap_or(Currency::Other))
}

/// How many decimals the amounts of a hand have at most.
fn decimals(table: &PhhTable<'_>, actions: &[(&str, u32)]) -> Result<u8, Fault> {
    let of =
        |text: &str| text.split_once('.').map_or(0, |(_, decimals)| decimals.trim_end_matches('0').len());
    let of_actions = actions.iter().filter_map(|(text, line)| Some((text.split_whitespace().nth(2)?, *line)));
    let raises = of_actions.filter(|(amount, _)| amount.starts_with(|c: char| c.is_ascii_digit()));
    let mut most = 0;
    for (text, line) in table.number_texts().into_iter().chain(raises) {
        most = most.max(of(text));
        if most > usize::from(MoneyUnit::MAX_DECIMALS) {
            let message = format!("amounts have at most {} decimals", MoneyUnit::MAX_DECIMALS);
            return Err(Fault::new(line, message));
        }
    }
    Ok(most as u8)
}

/// The names of the players, or `p1`, `p2`… where there are none.
fn names(table: &PhhTable<'_>, players: usize) -> Result<Vec<String>, Fault> {
    let numbered = |number: usize| format!("p{number}");
    let Some((names, line)) = table.texts("players")? else {
        return Ok((1..=players).map(numbered).collect());
    };
    if names.len() != players {
        return Err(Fault::new(line, format!("there are {players} players, and {} names", names.len())));
    }
    let name = |(i, (name, _)): (usize, &(&str, u32))| {
        if name.is_empty() { numbered(i + 1) } else { (*name).to_owned() }
    };
    Ok(names.iter().enumerate().map(name).collect())
}
