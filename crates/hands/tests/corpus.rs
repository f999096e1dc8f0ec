//! Every hand of the corpus is read to the positions, stacks, pots and actions of the table beside it.

mod common;

use common::{files, folder, imbalance, line, players};
use noregret_hands::{Currency, HandSource, read_bytes};
use std::collections::BTreeMap;

#[test]
fn hands_are_read_as_the_table_has_them() {
    let table = std::fs::read_to_string(folder().join("expected.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    assert!(rows.len() >= 60, "{} hands", rows.len());
    let mut seen = 0;
    for (name, bytes) in files() {
        let read = read_bytes(&bytes);
        assert_eq!(read.errors, [], "{name}");
        for hand in &read.hands {
            let row = rows.iter().find(|row| (row[0], row[1]) == (name.as_str(), hand.id()));
            let row = row.unwrap_or_else(|| panic!("{name} {}", hand.id()));
            let named = format!("{name}, hand {}", hand.id());
            assert_eq!(players(hand), row[2], "{named}");
            assert_eq!(line(hand), row[5], "{named}");
            assert_eq!(
                [hand.pot().count(), hand.rake().count()].map(|n| n.to_string()),
                [row[3], row[4]],
                "{named}"
            );
            assert_eq!(imbalance(hand), None, "{named}");
            seen += 1;
        }
    }
    assert_eq!(seen, rows.len());
}

#[test]
fn the_corpus_has_every_kind_of_hand() {
    let mut sources: BTreeMap<HandSource, usize> = BTreeMap::new();
    let mut seats = [0; 10];
    let mut currencies = Vec::new();
    for (_, bytes) in files() {
        for hand in read_bytes(&bytes).hands {
            *sources.entry(hand.source()).or_default() += 1;
            seats[hand.seats().len()] += 1;
            currencies.push(hand.unit().currency);
        }
    }
    assert!(sources.len() == 3 && sources.values().all(|&count| count >= 12), "{sources:?}");
    assert!(seats[2..].iter().all(|&count| count > 0), "{seats:?}");
    use Currency::{Chips, Cny, Eur, Gbp, Play, Usd};
    assert!([Usd, Eur, Gbp, Cny, Chips, Play].iter().all(|currency| currencies.contains(currency)));
    let bytes = |name: &str| std::fs::read(folder().join(name)).unwrap();
    assert!(bytes("pokerstars-tournament.txt").windows(2).any(|pair| pair == b"\r\n"));
    assert!(bytes("gg-cash.txt").starts_with(b"\xef\xbb\xbf"));
}

#[test]
fn hero_and_shown_cards_are_known() {
    let hand = common::hand("200000068");
    assert_eq!(hand.hero(), Some(5));
    let holes: Vec<String> =
        hand.seats().iter().filter_map(|seat| seat.hole.map(|hole| hole.to_string())).collect();
    // The small blind mucks, and the summary tells what.
    assert_eq!(holes, ["Ah2h", "8c4c"]);
}
