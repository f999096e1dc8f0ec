//! Hands as spots: what was played is in the tree, and what is left out says why.

mod common;

use common::{hand, hands};
use noregret_cards::Street;
use noregret_hands::{
    DecisionRow, HandRake, HandSpot, HandsSession, LeftOut, PlayStreet, PlayedHand, SessionTotals,
    SpotOptions, session_documents, session_page,
};
use noregret_holdem::preflop::{OwnRanges, RakePreset};
use noregret_holdem::{BettingTree, Step};

fn spot(hand: &PlayedHand) -> Result<HandSpot, LeftOut> {
    // Whoever decides, so that hands whose hero has folded are spots as well.
    let everybody: Vec<usize> = (0..hand.seats().len()).collect();
    HandSpot::of(hand, &everybody, &SpotOptions::default())
}

#[test]
fn every_heads_up_pot_is_a_spot_with_the_line_that_was_played() {
    let (mut spots, mut left_out) = (0, 0);
    for hand in hands() {
        let named = format!("{} {}", hand.source(), hand.id());
        match spot(&hand) {
            Ok(spot) => {
                spots += 1;
                let options = spot.spec.spot.options();
                let tree = BettingTree::build(options, Street::Flop).unwrap();
                tree.walk(spot.spec.spot.board(), &spot.line)
                    .unwrap_or_else(|error| panic!("{named}: {error}"));
                let played =
                    hand.actions().iter().filter(|action| action.street != PlayStreet::Preflop).count();
                assert_eq!(spot.decisions.len(), played, "{named}");
                for decision in &spot.decisions {
                    let mut steps = decision.line.clone();
                    steps.steps.push(decision.played);
                    assert!(tree.walk(spot.spec.spot.board(), &steps).is_ok(), "{named}: {steps}");
                }
                assert_eq!(options.starting_pot.to_string(), spot.pot.count().to_string());
                assert_eq!(options.effective_stack.to_string(), spot.stack.count().to_string());
                assert_eq!(spot.toml.parse(), Ok(spot.spec.clone()), "{named}");
            }
            Err(LeftOut::Preflop) => {
                left_out += 1;
                assert!(hand.board().is_empty(), "{named}");
            }
            Err(LeftOut::Multiway(players)) => {
                left_out += 1;
                assert!(players > 2, "{named}");
            }
            Err(LeftOut::AllIn) => {
                left_out += 1;
                assert!(hand.on(PlayStreet::Flop).next().is_none(), "{named}");
            }
            Err(other) => panic!("{named}: {other}"),
        }
    }
    assert!(spots >= 40 && left_out >= 12, "{spots} spots, {left_out} left out");
}

/// The number of a hand, its pot and stack, its ranges, its line, and what is noted.
#[test]
fn ranges_pots_and_lines_are_those_of_the_hand() {
    for (id, pot_stack, sources, line, notes) in [
        (
            "200000017",
            (550, 9750),
            ["BB calls BTN, 6-max, 100 bb", "BTN opens, 6-max, 100 bb"],
            "check, bet 180, call, 9h, check, bet 700, fold",
            "",
        ),
        (
            "200000034",
            (1650, 9250),
            ["CO calls the 3-bet of BTN, 6-max, 100 bb", "BTN 3-bets CO, 6-max, 100 bb"],
            "check, bet 550, call, 8c, check, check, 3d, bet 1500, call",
            "",
        ),
        (
            "200000051",
            (4450, 7800),
            ["BB calls the 4-bet of BTN, 6-max, 100 bb", "BTN 4-bets BB, 6-max, 100 bb"],
            "check, bet 1400, call, 2c, check, all-in, call",
            "",
        ),
        (
            "200000068",
            (200, 9900),
            ["SB limps, 6-max, 100 bb", "BB checks after SB limps, 6-max, 100 bb"],
            "check, bet 100, call, 3c, bet 200, call, Kd, check, check",
            "",
        ),
        (
            "200000238",
            (750, 9700),
            ["UTG opens, 6-max, 100 bb", "BTN calls UTG, 6-max, 100 bb"],
            "bet 400, call, 2d, bet 1000, fold",
            "UTG+2 has the ranges of UTG",
        ),
        (
            "200000306",
            (1350, 19400),
            ["", ""],
            "check, bet 500, call, 5c, check, check, 2d, bet 1400, fold",
            "a straddle in the pot",
        ),
    ] {
        let hand = hand(id);
        let spot = spot(&hand).unwrap_or_else(|reason| panic!("{id}: {reason}"));
        assert_eq!((spot.pot.count(), spot.stack.count()), pot_stack, "{id}");
        for (choice, source) in spot.ranges.iter().zip(sources) {
            assert!(source.is_empty() || choice.source.to_string() == source, "{id}: {}", choice.source);
        }
        assert_eq!(spot.line.to_string(), line, "{id}");
        assert!(
            spot.notes.iter().any(|note| note.starts_with(notes)) || notes.is_empty(),
            "{id}: {:?}",
            spot.notes
        );
    }
}

#[test]
fn what_the_charts_do_not_know_falls_back_to_the_nearest_and_says_so() {
    // HJ limps and calls the raise of BTN.
    let limped = hands().into_iter().find(|hand| {
        hand.on(PlayStreet::Preflop).nth(1).is_some_and(|action| action.action.to_string() == "call")
            && hand.on(PlayStreet::Flop).next().is_some()
            && hand.seats().len() == 6
            && spot(hand).is_ok()
    });
    let spot = spot(&limped.unwrap()).unwrap();
    let notes = spot.notes.join("\n");
    assert!(notes.contains("no range for `HJ calls BTN`: `SB calls BTN` is nearest"), "{notes}");
    assert!(
        notes.contains("no range for `BTN raises after HJ limps`: `BB raises after SB limps` is nearest"),
        "{notes}"
    );
}

/// The notes of a hand of six that BB and CO play after what happened before the flop.
fn notes_after(preflop: &str, uncalled: &str) -> Vec<String> {
    let mut text = "PokerStars Hand #7: Hold'em No Limit ($0.50/$1.00 USD) - 2026/01/02 20:00:00 ET\n\
                    Table 'Vega' 6-max Seat #4 is the button\n"
        .to_owned();
    for (name, seat) in ["UTG", "HJ", "CO", "BTN", "SB", "BB"].into_iter().zip(1..) {
        text += &format!("Seat {seat}: {name} ($100 in chips)\n");
    }
    text += "SB: posts small blind $0.50\nBB: posts big blind $1\n*** HOLE CARDS ***\nDealt to CO [Ah Kd]\n";
    text += preflop;
    text +=
        "*** FLOP *** [Ks 7d 2c]\nBB: checks\nCO: bets $10\nBB: folds\nUncalled bet ($10) returned to CO\n";
    text += &format!("CO collected ${uncalled} from pot\n*** SUMMARY ***\nTotal pot ${uncalled} | Rake $0\n");
    let read = noregret_hands::read_text(&text);
    assert_eq!(read.errors, []);
    spot(&read.hands[0]).unwrap().notes
}

#[test]
fn cold_calls_of_a_3_bet_or_4_bet_have_the_nearest_range_and_say_so() {
    let squeeze = "UTG: raises $1.50 to $2.50\nHJ: folds\nCO: calls $2.50\nBTN: folds\nSB: folds\n\
                   BB: raises $9.50 to $12\nUTG: folds\nCO: calls $9.50\n";
    let limped = "UTG: folds\nHJ: folds\nCO: calls $1\nBTN: raises $3 to $4\nSB: folds\n\
                  BB: raises $8 to $12\nCO: calls $11\nBTN: folds\n";
    for (preflop, pot) in [(squeeze, "27"), (limped, "28.50")] {
        let notes = notes_after(preflop, pot).join("\n");
        let expected = "CO: no range for `CO calls the 3-bet of BB` where CO did not open: ";
        assert!(notes.contains(expected), "{notes}");
    }
    let cold = "UTG: raises $1.50 to $2.50\nHJ: raises $5.50 to $8\nCO: calls $8\nBTN: folds\nSB: folds\n\
                BB: raises $12 to $20\nUTG: folds\nHJ: folds\nCO: calls $12\n";
    let notes = notes_after(cold, "51").join("\n");
    assert!(notes.contains("where CO did not make the raise before: "), "{notes}");
    let opened = "UTG: folds\nHJ: folds\nCO: raises $1.50 to $2.50\nBTN: folds\nSB: folds\n\
                  BB: raises $9.50 to $12\nCO: calls $9.50\n";
    assert!(!notes_after(opened, "24.50").concat().contains("no range"));
}

#[test]
fn hands_that_are_studied_are_in_their_ranges() {
    for hand in hands() {
        let (Some(hero), Ok(spot)) = (hand.hero(), spot(&hand)) else { continue };
        let (Some(hole), Some(place)) =
            (hand.seats()[hero].hole, spot.seats.iter().position(|&seat| seat == hero))
        else {
            continue;
        };
        assert!(spot.ranges[place].range.weight(hole) > 0.0, "{}", hand.id());
        // No range tells suits apart, which would make solves slow.
        let texts = spot.ranges.each_ref().map(|choice| choice.range.to_string());
        assert!(!texts.concat().contains(['c', 'd', 'h']), "{}: {texts:?}", hand.id());
    }
}

#[test]
fn own_ranges_are_taken_for_their_situation_and_every_report_says_so() {
    let own = "[ranges]\n\"BB calls BTN, 6-max, 100 bb\" = '22+,A2s+'\n\"BTN opens, 6-max, 200 bb\" = 'AA'\n";
    let options = SpotOptions { own_ranges: own.parse().unwrap(), ..SpotOptions::default() };
    let mut session = HandsSession::default();
    let bytes = std::fs::read(common::folder().join("pokerstars-cash.txt")).unwrap();
    session.add("own.txt", &bytes, None, &options);
    let of = |id: &str| session.hands.iter().find(|hand| hand.hand.id() == id).unwrap();
    let spot = of("200000017").spot.as_ref().unwrap();
    let [bb, btn] = &spot.ranges;
    assert_eq!((bb.range.to_string().as_str(), bb.is_own), ("22+,A2s+", true));
    assert!(!btn.is_own);
    let note = "BB: the range is yours, in the place of `BB calls BTN, 6-max, 100 bb`";
    assert!(spot.notes.iter().any(|told| told == note), "{:?}", spot.notes);
    assert!(spot.toml.contains("# yours, in the place of BB calls BTN, 6-max, 100 bb\noop = \"22+,A2s+\""));
    let hero = [of("200000017").hand.hero().unwrap()];
    let charts = HandSpot::of(&of("200000017").hand, &hero, &SpotOptions::default()).unwrap();
    assert_ne!(spot.name(), charts.name());

    // No hand is 200 bb deep.
    let used: Vec<(String, usize)> =
        session.own_ranges().into_iter().map(|(name, hands)| (name.to_string(), hands)).collect();
    let hands = used[0].1;
    assert_eq!(used, [("BB calls BTN, 6-max, 100 bb".to_owned(), hands)]);
    let documents = session_documents(&session);
    let document = documents.iter().find(|document| document["hand"] == "200000017").unwrap();
    assert_eq!(document["spot"]["players"]["oop"]["own"], true);
    assert_eq!(document["spot"]["players"]["ip"]["own"], false);
    let summary = documents.last().unwrap();
    assert_eq!(summary["own_ranges"], serde_json::json!([{"name": used[0].0, "hands": hands}]));
    let page = session_page(&session, "", "");
    assert!(page.contains("<h2>Your ranges</h2>") && page.contains("<td>BB calls BTN, 6-max, 100 bb</td>"));
}

#[test]
fn an_own_range_has_the_hand_that_is_studied_and_stands_in_where_the_charts_have_none() {
    let hand = hand("200000017");
    let seat = hand.hero().unwrap();
    let hole = hand.seats()[seat].hole.unwrap();
    let charts = spot(&hand).unwrap();
    let place = charts.seats.iter().position(|&other| other == seat).unwrap();
    let name = charts.ranges[place].source;
    let mut own = OwnRanges::default();
    own.set(name, "72o".parse().unwrap()).unwrap();
    let options = SpotOptions { own_ranges: own, ..SpotOptions::default() };
    let spot = HandSpot::of(&hand, &[seat], &options).unwrap();
    assert!((spot.ranges[place].range.weight(hole) - 0.05).abs() < 1e-6);
    let note = format!("is not in your range `{name}`: added with weight 0.05");
    assert!(spot.notes.iter().any(|told| told.ends_with(&note)), "{:?}", spot.notes);
    // A range that no board leaves a hand of makes no spot, and the reason is told.
    let other = charts.ranges[1 - place].source;
    let mut blocked = OwnRanges::default();
    let flop = spot.spec.spot.board().cards();
    blocked.set(other, format!("{}{}", flop[0], flop[1]).parse().unwrap()).unwrap();
    let options = SpotOptions { own_ranges: blocked, ..SpotOptions::default() };
    let reason = HandSpot::of(&hand, &[seat], &options).unwrap_err();
    assert!(reason.to_string().contains("ranges."), "{reason}");
}

#[test]
fn hands_without_a_decision_to_look_at_are_left_out() {
    // SB and BB see the flop.
    let (name, bytes) = common::files().into_iter().find(|(name, _)| name == "session.phhs").unwrap();
    let mut session = HandsSession::default();
    session.add(&name, &bytes, Some("Hero"), &SpotOptions::default());
    let folded = session.hands.iter().find(|hand| hand.hand.id() == "8").unwrap();
    assert_eq!(folded.spot.as_ref().err(), Some(&LeftOut::NoDecision));
    assert_eq!(
        session.hands.iter().filter(|hand| hand.decisions().next().is_some()).count(),
        session.spots().len()
    );
    let summary = session_documents(&session).pop().unwrap();
    let left_out = session.hands.len() - session.spots().len();
    assert_eq!((&summary["left_out"], &summary["repeated"]), (&left_out.into(), &0.into()));
    assert!(session_page(&session, "", "").contains(&format!("{left_out} left out")));
}

#[test]
fn a_hand_that_is_there_twice_counts_once() {
    let options = SpotOptions::default();
    let mut session = HandsSession::default();
    for name in ["first.txt", "second.txt"] {
        session.add(
            name,
            &std::fs::read(common::folder().join("gg-tournament.txt")).unwrap(),
            None,
            &options,
        );
    }
    assert_eq!((session.hands.len(), session.repeated), (5, 5));
    // Documents that both have the number 1, and are different hands.
    for name in ["open-showdown.phh", "mucked-winner-shows.phh", "open-showdown.phh"] {
        session.add(name, &std::fs::read(common::folder().join(name)).unwrap(), None, &options);
    }
    assert_eq!((session.hands.len(), session.repeated), (7, 6));
    assert_eq!(session_documents(&session).pop().unwrap()["repeated"], 6);
    assert!(session_page(&session, "", "").contains("6 skipped that are there twice"));
}

/// A heads-up hand on a table of two, where `posts` come before the cards.
fn heads_up(posts: &str, blinds: &str, stack: &str, play: &str) -> String {
    format!(
        "PokerStars Hand #9: Hold'em No Limit ({blinds} USD) - 2026/01/02 20:00:00 ET\nTable 'Vega' 2-max Seat #1 is the button\n\
         Seat 1: Hero (${stack} in chips)\nSeat 2: Villain (${stack} in chips)\n{posts}*** HOLE CARDS ***\nDealt to Hero [Ah Kd]\n{play}"
    )
}

#[test]
fn heads_up_the_small_blind_need_not_be_posted() {
    let play = "Hero: calls $1\nVillain: checks\n*** FLOP *** [Ks 7d 2c]\nVillain: checks\nHero: bets $1\nVillain: folds\n\
                Uncalled bet ($1) returned to Hero\nHero collected $2 from pot\n*** SUMMARY ***\nTotal pot $2 | Rake $0\n";
    let text = heads_up("Villain: posts big blind $1\n", "$0.50/$1.00", "100", play);
    let read = noregret_hands::read_text(&text);
    assert_eq!(read.errors, []);
    assert_eq!(read.hands[0].seats()[0].position.to_string(), "BTN");
    assert_eq!(spot(&read.hands[0]).unwrap().line.to_string(), "check, bet 100, fold");
    // The button is still where the blinds say.
    let wrong = noregret_hands::read_text(&text.replace("Seat #1 is the button", "Seat #2 is the button"));
    assert!(wrong.errors[0].to_string().contains("the blinds are not in the seats after the button"));
}

#[test]
fn amounts_that_no_spec_can_say_are_left_out() {
    let play = "Hero: calls $5000000\nVillain: checks\n*** FLOP *** [Ks 7d 2c]\nVillain: checks\nHero: bets $10000000\n\
                Villain: folds\nUncalled bet ($10000000) returned to Hero\nHero collected $20000000 from pot\n*** SUMMARY ***\n\
                Total pot $20000000 | Rake $0\n";
    let posts = "Hero: posts small blind $5000000\nVillain: posts big blind $10000000\n";
    let read = noregret_hands::read_text(&heads_up(posts, "$5000000.00/$10000000.00", "900000000", play));
    assert_eq!(read.errors, []);
    let reason = spot(&read.hands[0]).unwrap_err();
    assert_eq!(reason, LeftOut::TooLarge);
    let message =
        "the pot or the stacks are above 1000000000 of the smallest amount, and no spot can be larger";
    assert_eq!((reason.word(), reason.to_string().as_str()), ("too-large", message));
}

#[test]
fn hands_of_equal_files_keep_their_own_blinds() {
    let small =
        String::from_utf8(std::fs::read(common::folder().join("open-showdown.phh")).unwrap()).unwrap();
    let mut large = small.clone();
    for (from, to) in [
        ("[1, 2,", "[10, 20,"),
        ("min_bet = 2", "min_bet = 20"),
        ("100", "1000"),
        ("cbr 5", "cbr 50"),
        ("cbr 4", "cbr 40"),
    ] {
        assert!(large.contains(from), "{from}");
        large = large.replace(from, to);
    }
    let mut session = HandsSession::default();
    for text in [&small, &large] {
        session.add("same.phh", text.as_bytes(), None, &SpotOptions::default());
    }
    let bets: Vec<(String, String)> = DecisionRow::of_session(&session)
        .iter()
        .filter(|row| row.played.starts_with("bet"))
        .map(|row| (row.played.clone(), row.in_big_blinds(&row.played)))
        .collect();
    let expected =
        [("bet 4", "bet 2"), ("bet 40", "bet 2")].map(|(chips, bb)| (chips.to_owned(), bb.to_owned()));
    assert_eq!(bets, expected);
    let page = session_page(&session, "", "");
    assert!(page.contains("<td>bet 2</td>") && !page.contains("<td>bet 20</td>"), "{page}");
}

#[test]
fn no_decisions_cost_nothing() {
    assert_eq!(format!("{:.2}", SessionTotals::of(&[]).all.ev_loss_bb), "0.00");
}

#[test]
fn the_rake_is_that_of_the_hand_or_as_asked_for() {
    let hand = hand("200000017");
    let played = spot(&hand).unwrap().spec.spot.options().rake;
    // 0.45 of 9.10.
    assert_eq!((played.rate, played.cap), (0.0495, Some(45.0)));
    let options = SpotOptions { rake: HandRake::Preset(RakePreset::OnlineSmall), ..SpotOptions::default() };
    let hero = [hand.hero().unwrap()];
    let preset = HandSpot::of(&hand, &hero, &options).unwrap();
    assert_eq!(preset.spec.spot.options().rake.cap, Some(400.0));
    let none = SpotOptions { rake: HandRake::Preset(RakePreset::None), ..options };
    assert_eq!(HandSpot::of(&hand, &hero, &none).unwrap().spec.spot.options().rake.rate, 0.0);
    assert_ne!(preset.name(), spot(&hand).unwrap().name());
    assert!(preset.name().starts_with("Ks7d2c-"), "{}", preset.name());
}

/// A hand tells what it paid, and not what a larger pot would have.
#[test]
fn the_rake_of_a_hand_whose_pot_could_grow_is_noted() {
    let rake_notes = |hand: &PlayedHand, options: &SpotOptions| {
        let everybody: Vec<usize> = (0..hand.seats().len()).collect();
        let notes = HandSpot::of(hand, &everybody, options).unwrap().notes;
        notes.into_iter().filter(|note| note.starts_with("the rake")).collect::<Vec<_>>()
    };
    let played = SpotOptions::default();
    let hand = hand("200000017");
    let note =
        "the rake is at most $0.45, as of the pot of $9.10 that was played: larger pots may be raked more";
    assert_eq!(rake_notes(&hand, &played), [note]);
    let preset = SpotOptions { rake: HandRake::Preset(RakePreset::OnlineSmall), ..played.clone() };
    assert_eq!(rake_notes(&hand, &preset), [""; 0]);
    // All-in: no pot could have been larger.
    assert_eq!(rake_notes(&common::hand("200000051"), &played), [""; 0]);
}

/// Whoever has more bets chips that nobody can call.
#[test]
fn the_pot_of_a_decision_is_what_both_can_win() {
    let mut seen = 0;
    for hand in hands() {
        let Ok(spot) = spot(&hand) else { continue };
        let tree = BettingTree::build(spot.spec.spot.options(), Street::Flop).unwrap();
        for decision in &spot.decisions {
            let (node, _) = tree.walk(spot.spec.spot.board(), &decision.line).unwrap();
            let committed: f64 = tree[node].committed.iter().map(|chips| chips.as_f64()).sum();
            assert_eq!(decision.pot.count() as f64, spot.pot.count() as f64 + committed, "{}", hand.id());
            let action = hand.actions().iter().find(|action| action.line == decision.source_line).unwrap();
            seen += usize::from(action.pot + hand.added() > decision.pot);
        }
    }
    assert!(seen > 0);
}

#[test]
fn straddled_pots_are_as_deep_as_their_straddle_makes_them() {
    let spot = spot(&hand("200000306")).unwrap();
    assert!(
        spot.ranges.iter().all(|choice| choice.source.to_string().ends_with("100 bb")),
        "{:?}",
        spot.ranges
    );
}

#[test]
fn bets_above_the_other_stack_are_all_in() {
    // The big blind covers: it shoves 90 into what is left of 43.21.
    let covered =
        hands().into_iter().find(|hand| hand.seats().len() == 2 && hand.seats()[0].stack.count() == 4321);
    let spot = spot(&covered.unwrap()).unwrap();
    assert!(spot.line.steps.contains(&Step::AllIn), "{}", spot.line);
    assert_eq!(spot.line.to_string(), "bet 900, call, 9s, all-in, call");
}

#[test]
fn what_was_played_takes_the_place_of_a_size_that_is_close_to_it() {
    // A third of the pot would be 182, and 180 was bet.
    let spot = spot(&hand("200000017")).unwrap();
    let tree = BettingTree::build(spot.spec.spot.options(), Street::Flop).unwrap();
    let (node, _) = tree.walk(spot.spec.spot.board(), &"check".parse().unwrap()).unwrap();
    let actions: Vec<String> = tree.actions(node).map(|action| action.to_string()).collect();
    assert_eq!(actions, ["check", "bet 180"]);
}
