//! What is wrong is refused, with its line and what is expected.

mod common;

use noregret_hands::{GameStakes, PlayedHand, read_bytes, read_text};

/// A hand of six with a call on every street.
const HAND: &str = "\
PokerStars Hand #7: Hold'em No Limit ($0.50/$1.00 USD) - 2026/01/02 20:00:00 ET
Table 'Vega' 6-max Seat #1 is the button
Seat 1: Hero ($100 in chips)
Seat 2: Villain1 ($100 in chips)
Seat 3: Villain2 ($50 in chips)
Villain1: posts small blind $0.50
Villain2: posts big blind $1
*** HOLE CARDS ***
Dealt to Hero [Ah Kd]
Hero: raises $1.50 to $2.50
Villain1: folds
Villain2: calls $1.50
*** FLOP *** [Ks 7d 2c]
Villain2: checks
Hero: bets $2
Villain2: raises $6 to $8
Hero: calls $6
*** TURN *** [Ks 7d 2c] [9h]
Villain2: bets $39.50 and is all-in
Hero: calls $39.50
*** RIVER *** [Ks 7d 2c 9h] [3s]
*** SHOW DOWN ***
Villain2: shows [7s 7c] (three of a kind, Sevens)
Hero: mucks hand
Villain2 collected $97.50 from pot
*** SUMMARY ***
Total pot $100.50 | Rake $3
Board [Ks 7d 2c 9h 3s]
Seat 1: Hero (button) mucked [Ah Kd]
Seat 2: Villain1 (small blind) folded before Flop
Seat 3: Villain2 (big blind) showed [7s 7c] and won ($97.50)
";

fn refusal(from: &str, to: &str) -> String {
    assert!(HAND.contains(from), "{from}");
    let read = read_text(&HAND.replace(from, to));
    assert_eq!((read.hands.len(), read.errors.len()), (0, 1), "{from} → {to}: {read:?}");
    read.errors[0].to_string()
}

#[test]
fn the_hand_itself_is_fine() {
    let read = read_text(HAND);
    assert_eq!((read.hands.len(), read.errors.len()), (1, 0), "{:?}", read.errors);
    assert_eq!(common::imbalance(&read.hands[0]), None);
}

#[test]
fn what_contradicts_itself_is_named_with_its_line() {
    for (from, to, message) in [
        (
            "Seat 3: Villain2 ($50",
            "Seat 2: Villain1 ($9 in chips)\nSeat 3: Villain2 ($50",
            "line 5: the seat or the name is there twice: `Seat 2: Villain1 ($9 in chips)`",
        ),
        ("Seat 2: Villain1 ($100", "Seat 2: Villain1 ($0", "line 4: Villain1 has no chips"),
        ("Seat #1 is", "Seat #2 is", "line 2: the blinds are not in the seats after the button"),
        ("posts small blind $0.50", "posts small blind $0.60", "line 6: the small blind is $0.50"),
        ("posts big blind $1", "posts the ante $1", "line 1: nobody posts the big blind"),
        ("raises $1.50 to $2.50", "raises $1.60 to $2.50", "line 10: a raise to $2.50 is one of $1.50"),
        (
            "raises $1.50 to $2.50",
            "raises $0.50 to $1.50",
            "line 10: Hero must put in at least $2, or everything",
        ),
        ("Villain1: folds", "Villain1: checks", "line 11: Villain1 cannot check: there is $2 to call"),
        ("Villain1: folds\n", "", "line 11: it is Villain1's turn, not Villain2's"),
        ("Villain2: calls $1.50", "Villain2: calls $1.40", "line 12: Villain2 has $1.50 to call"),
        ("Hero: bets $2\n", "Hero: bets $0.50\n", "line 15: Hero must put in at least $1, or everything"),
        ("Hero: calls $6\n", "", "line 17: Hero has to act before the turn"),
        (
            "bets $39.50 and is all-in",
            "bets $38 and is all-in",
            "line 19: Villain2 is not all-in: $1.50 would be left",
        ),
        ("shows [7s 7c]", "shows [Kd 7c]", "line 23: the card Kd is in the hand twice"),
        ("9h", "7d", "line 18: the card 7d is on the board twice"),
        (
            "[Ks 7d 2c] [9h]",
            "[Ks 7d 3c] [9h]",
            "line 18: the cards before are not those of the street before",
        ),
        ("Dealt to Hero [Ah Kd]", "Dealt to Hero [Ah Kx]", "line 9: `Kx` is not a card"),
        (
            "collected $97.50",
            "collected $97.40",
            "line 27: of a pot of $100.50 $100.40 are paid out or taken",
        ),
        (
            "Total pot $100.50",
            "Total pot $101",
            "line 27: the players have put in $100.50, and the pot is $101",
        ),
        ("Villain2 collected", "Villain1 collected", "line 27: Villain1 has folded and wins"),
        (
            "Board [Ks 7d 2c 9h 3s]",
            "Board [Ks 7d 2c 9h 4s]",
            "line 28: the board is not the one that was dealt",
        ),
        ("mucked [Ah Kd]", "mucked [Ah Qd]", "line 29: Hero has AhKd elsewhere in the hand"),
        (
            "Villain2: checks",
            "Villain2: ponders",
            "line 14: this line is not one of a hand history: `Villain2: ponders`",
        ),
        ("Hero: mucks hand", "Somebody: mucks hand", "line 24: this line is not one of a hand history"),
        ("Rake $3", "Tip $3", "line 27: `Tip` is nothing that is known to be taken from a pot"),
        ("Hold'em No Limit", "Omaha Pot Limit", "line 1: only no-limit hold'em is read"),
        ("($0.50/$1.00 USD)", "($1.00)", "line 1: the blinds are missing, like `($0.50/$1.00 USD)`"),
        ("calls $39.50\n", "calls $39.50x\n", "line 20: `$39.50x` is no amount here"),
        ("calls $39.50\n", "calls €39.50\n", "line 20: `€39.50` is no amount here"),
        (
            "Seat 3: Villain2 ($50",
            "Seat 4: Villain1 ($9 in chips)\nSeat 3: Villain2 ($50",
            "line 5: the seat or the name is there twice: `Seat 4: Villain1 ($9 in chips)`",
        ),
    ] {
        let error = refusal(from, to);
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn hands_that_were_run_twice_or_cashed_out_are_refused_with_a_word() {
    let twice = "the board was run more than once, and one run is read";
    let error = refusal("*** RIVER *** [Ks 7d 2c 9h] [3s]", "*** FIRST RIVER *** [Ks 7d 2c 9h] [3s]");
    assert!(error.starts_with(&format!("line 21: {twice}")), "{error}");
    let error = refusal("Board [", "Hand was run twice\nBoard [");
    assert!(error.starts_with(&format!("line 28: {twice}")), "{error}");
    let cashed = "Villain2 cashed out the hand for $90 | Cash Out Fee $0.90\nVillain2 collected";
    let error = refusal("Villain2 collected", cashed);
    assert!(error.starts_with("line 25: a hand that was cashed out is not read"), "{error}");
}

#[test]
fn cashouts_of_ggpoker_are_refused_with_a_word() {
    for what in ["Chooses to EV Cashout", "Pays Cashout Risk ($1.20)", "Receives Cashout ($40)"] {
        let error = refusal("Villain2: shows", &format!("Hero: {what}\nVillain2: shows"));
        assert!(error.starts_with("line 23: a hand that was cashed out is not read"), "{error}");
    }
}

/// The one hand that a text has.
fn accepted(text: &str) -> PlayedHand {
    let mut read = read_bytes(text.as_bytes());
    assert_eq!((read.hands.len(), &read.errors[..]), (1, &[][..]), "{text}");
    read.hands.remove(0)
}

#[test]
fn remarks_about_those_who_come_and_go_are_no_part_of_a_hand() {
    for remark in [
        "Stranger will be allowed to play after the button",
        "Stranger leaves the table",
        "Stranger was removed from the table for failing to post",
        "Stranger joins the table at seat #5",
        "Stranger said, \"hello\"",
        "Villain1 is feeling happy",
        "Villain1 has requested TIME",
        "Villain1 has 15 seconds left to act",
    ] {
        for before in ["*** HOLE CARDS", "Villain1: folds"] {
            let text = HAND.replacen(before, &format!("{remark}\n{before}"), 1);
            assert_eq!(accepted(&text).seats().len(), 3, "{remark}");
        }
    }
    let error = refusal("Villain1: folds", "Stranger has 15 seconds left to act\nVillain1: folds");
    assert!(error.starts_with("line 11: this line is not one of a hand history"), "{error}");
}

#[test]
fn those_who_sit_out_before_the_cards_are_not_dealt_in() {
    let seat = "Seat 3: Villain2 ($50 in chips)\n";
    let with_fourth = HAND.replacen(seat, &format!("{seat}Seat 4: Villain3 ($70 in chips)\n"), 1);
    for words in ["Villain3: sits out", "Villain3: is sitting out", "Villain3 is sitting out"] {
        let text = with_fourth.replacen("*** HOLE", &format!("{words}\n*** HOLE"), 1);
        assert_eq!(accepted(&text).seats().len(), 3, "{words}");
    }
    assert_eq!(read_text(&with_fourth).hands.len(), 0);
}

#[test]
fn a_missed_blind_is_dead() {
    let text = HAND
        .replace("*** HOLE", "Hero: posts missed blind $0.5\n*** HOLE")
        .replace("$100.50", "$101")
        .replace("$97.50", "$98");
    let hand = accepted(&text);
    let post = hand.posts().last().unwrap();
    assert_eq!((post.kind.to_string().as_str(), post.amount.count()), ("dead blind", 50));
    assert_eq!(common::imbalance(&hand), None);
}

/// Somebody who comes back posts the small blind alone.
#[test]
fn a_second_small_blind_was_missed_and_is_dead() {
    let text = HAND
        .replace("*** HOLE", "Hero: posts small blind $0.5\n*** HOLE")
        .replace("$100.50", "$101")
        .replace("$97.50", "$98");
    let hand = accepted(&text);
    let kinds: Vec<String> = hand.posts().iter().map(|post| post.kind.to_string()).collect();
    assert_eq!(kinds, ["small blind", "big blind", "dead blind"]);
    // Hero has all of the raise to put in, and the half dollar besides.
    assert_eq!((hand.actions()[0].added.count(), hand.actions()[0].to.count()), (250, 250));
    assert_eq!(common::imbalance(&hand), None);
    let error = read_text(&text.replace("posts small blind $0.5\n***", "posts small blind $0.6\n***"));
    assert_eq!(
        error.errors[0].to_string(),
        "line 8: the small blind is $0.50: `Hero: posts small blind $0.6`"
    );
}

#[test]
fn a_missed_small_blind_is_dead_where_nobody_is_in_the_small_blind() {
    let text = HAND
        .replace("Villain1: posts small blind $0.50\n", "")
        .replace("Seat #1 is the button", "Seat #2 is the button")
        .replace("*** HOLE", "Hero: posts small blind $0.5\n*** HOLE");
    let hand = accepted(&text);
    assert_eq!(hand.posts()[1].kind.to_string(), "dead blind");
    assert_eq!(hand.seats()[0].position.to_string(), "CO");
}

/// Four players with antes, of whom Short has less than one.
const SHORT_ANTE: &str = "\
PokerStars Hand #8: Tournament #1, $10+$1 USD Hold'em No Limit - Level I (50/100) - 2026/01/02 20:00:00 ET
Table '1 1' 9-max Seat #1 is the button
Seat 1: Hero (5000 in chips)
Seat 2: Villain1 (5000 in chips)
Seat 3: Villain2 (5000 in chips)
Seat 4: Short (10 in chips)
Hero: posts the ante 25
Villain1: posts the ante 25
Villain2: posts the ante 25
Short: posts the ante 10 and is all-in
Villain1: posts small blind 50
Villain2: posts big blind 100
*** HOLE CARDS ***
Dealt to Hero [Ah Kd]
Hero: folds
Villain1: calls 50
Villain2: checks
*** FLOP *** [Ks 7d 2c]
Villain1: checks
Villain2: checks
*** TURN *** [Ks 7d 2c] [9h]
Villain1: checks
Villain2: checks
*** RIVER *** [Ks 7d 2c 9h] [3s]
Villain1: checks
Villain2: checks
*** SHOW DOWN ***
Villain1: shows [Qs Qc] (a pair of Queens)
Villain2 collected 245 from side pot
Short collected 40 from main pot
*** SUMMARY ***
Total pot 285 Main pot 40. Side pot 245. | Rake 0
Board [Ks 7d 2c 9h 3s]
";

#[test]
fn a_short_ante_wins_no_more_of_each_than_it_is() {
    let hand = accepted(SHORT_ANTE);
    assert_eq!(common::imbalance(&hand), None);
    let more = SHORT_ANTE.replace("collected 245", "collected 200").replace("collected 40", "collected 85");
    let errors = read_text(&more).errors;
    assert!(errors[0].to_string().contains("Short can win 40 at most"), "{errors:?}");
    // One ante for the whole table is for whoever wins.
    let of_one = more.replace(
        "Hero: posts the ante 25\nVillain1: posts the ante 25\nVillain2: posts the ante 25\nShort",
        "Villain2: posts the ante 75\nShort",
    );
    assert_eq!(accepted(&of_one).pot().count(), 285);
}

#[test]
fn a_byte_that_is_no_utf8_costs_nothing_but_its_letter() {
    let latin: Vec<u8> =
        HAND.replace("Villain1", "Jos@").bytes().map(|byte| if byte == b'@' { 0xe9 } else { byte }).collect();
    let read = read_bytes(&latin);
    assert_eq!(read.errors, []);
    assert_eq!(read.hands[0].seats()[1].name, "Jos\u{fffd}");
}

#[test]
fn transcripts_and_home_games_are_read() {
    let mark = |number: u32| format!("*********** # {number} **************\n");
    let second = HAND.replace("PokerStars Hand #7: ", "PokerStars Home Game Hand #8: {Club #123} ");
    let title = "Transcript for your last 2 hands requested by Hero\n";
    let read = read_text(&format!("{title}\n{}{HAND}\n\n{}{second}", mark(1), mark(2)));
    assert_eq!(read.errors, []);
    assert_eq!(read.hands.iter().map(PlayedHand::id).collect::<Vec<_>>(), ["7", "8"]);
}

#[test]
fn names_may_have_brackets() {
    let hand = accepted(&HAND.replace("Hero", "He [ro]"));
    assert_eq!(hand.seats()[hand.hero().unwrap()].name, "He [ro]");
    let error = refusal("Dealt to Hero [", "Dealt to Nobody [");
    assert!(error.starts_with("line 9: nobody has the name Nobody"), "{error}");
}

#[test]
fn a_hand_that_stops_is_refused_and_the_next_one_read() {
    let (half, _) = HAND.split_once("*** RIVER").unwrap();
    let read = read_text(&format!("{half}\n\n{HAND}"));
    assert_eq!(read.hands.len(), 1);
    assert_eq!(read.errors[0].to_string(), "line 20: the hand ends without a summary: `Hero: calls $39.50`");
    assert_eq!(read.errors[0].hand.as_deref(), Some("7"));
    let (folded, rest) = HAND.split_once("*** RIVER").unwrap();
    let (_, summary) = rest.split_once("*** SUMMARY").unwrap();
    let summary = summary.replace("Board [Ks 7d 2c 9h 3s]\n", "");
    let read = read_text(&format!("{folded}*** SUMMARY{summary}"));
    let message = "the hand ends after the turn with several players and no river";
    assert!(read.errors[0].to_string().contains(message), "{}", read.errors[0]);
}

#[test]
fn what_is_no_hand_is_said_once() {
    let read = read_text("dear diary\ntoday I won\n");
    let expected = "line 1: this is no hand: PokerStars and GGPoker text and PHH are read: `dear diary`";
    assert_eq!(read.errors.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    assert_eq!(read_text("").errors, []);
    assert_eq!(read_text("\u{feff}\r\n\r\n").errors, []);
}

const PHH: &str = "\
variant = \"NT\"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = [
  \"d dh p3 AhKd\",
  \"p3 cbr 6\", \"p1 f\",
  \"p2 cc\", # a call
  \"d db Ks7d2c\",
  \"p2 cc\", \"p3 cbr 8\", \"p2 f\",
]
";

#[test]
fn documents_that_are_wrong_are_named_with_their_line() {
    assert_eq!(read_text(PHH).errors, []);
    for (from, to, message) in [
        ("\"NT\"", "\"FT\"", "line 1: only no-limit hold'em is read: `variant = \"NT\"`"),
        ("antes =", "ante =", "line 2: the format has no such key: `ante = [0, 0, 0]`"),
        (
            "antes = [0, 0, 0]",
            "antes = [0, -1, 0]",
            "line 2: `antes` must be a list of amounts of at least 0",
        ),
        ("[1, 2, 0]", "[1, 2, 0, 0]", "line 3: there are 3 players, and 4 amounts"),
        ("starting_stacks = [200, 200, 200]\n", "", "line 1: `starting_stacks` is missing"),
        ("p3 cbr 6", "p4 cbr 6", "line 8: `p4` is none of p1 to p3"),
        ("p3 cbr 6", "p3 cbr 3", "line 8: p3 must put in at least $4, or everything"),
        ("p1 f", "p1 jumps", "line 8: this is no action of no-limit hold'em, like `p3 cbr 7`"),
        ("Ks7d2c", "Ks7d??", "line 10: a card of the board is not known"),
        ("Ks7d2c", "Ks7dAh", "line 7: the card Ah is in the hand twice"),
        (
            ", \"p2 f\"",
            ", \"p2 cc\"",
            "line 11: the hand ends after the flop with several players and no river",
        ),
        ("actions = [", "actions = ", "line "),
        (
            "min_bet = 2\n",
            "min_bet = 2\nhand = \"7\\n[tree]\"\n",
            "line 5: the number of a hand is one line of at most 60 letters",
        ),
        (
            "min_bet = 2\n",
            "min_bet = 2\nhand = \"\\u001b[2J\"\n",
            "line 5: the number of a hand is one line of at most 60 letters",
        ),
        ("min_bet = 2", "finishing_stacks = [199, 193, 207]", "line 4: p2 has $194 left at least"),
    ] {
        let message = message.replace('$', "");
        let text = PHH.replacen(from, to, 1);
        assert_ne!(text, PHH);
        let errors = read_text(&text).errors;
        assert_eq!(errors.len(), 1, "{to}");
        assert!(errors[0].to_string().starts_with(&message), "{}", errors[0]);
    }
}

/// What the players have won is checked, and decides where cards are not known.
#[test]
fn winnings_are_read_and_must_add_up() {
    let with =
        |winnings: &str| PHH.replacen("min_bet = 2\n", &format!("min_bet = 2\nwinnings = {winnings}\n"), 1);
    // A pot of 13, of which the house takes a half.
    let hand = accepted(&with("[0, 0, 12.5]"));
    assert_eq!(hand.unit().text(hand.rake()), "0.5");
    let shown_down = PHH.replacen(
        "\"p3 cbr 8\", \"p2 f\"",
        "\"p3 cc\", \"d db 9h\", \"p2 cc\", \"p3 cc\", \"d db 3s\", \"p2 cc\", \"p3 cc\"",
        1,
    );
    assert!(read_text(&shown_down).errors[0].to_string().contains("give `winnings` or `finishing_stacks`"));
    let hand = accepted(&shown_down.replacen("min_bet = 2\n", "min_bet = 2\nwinnings = [0, 13, 0]\n", 1));
    assert_eq!((hand.seats()[2].collected.count(), hand.rake().count()), (13, 0));
    for (winnings, message) in [
        ("[0, 0, 14]", "line 5: 14 are won, and the pot is 13"),
        ("[0, 13, 0]", "line 5: p2 has folded and wins"),
        ("[0, 0, 0]", "line 5: nobody wins the pot"),
        ("[0, 13]", "line 5: there are 3 players, and 2 amounts"),
        ("[0, 0, -1]", "line 5: `winnings` must be a list of amounts of at least 0"),
        ("[0, 0, 13]\nfinishing_stacks = [199, 194, 206]", "line 6: p3 ends with 207 by `winnings`"),
    ] {
        let errors = read_text(&with(winnings)).errors;
        assert_eq!(errors.len(), 1, "{winnings}");
        assert!(errors[0].to_string().starts_with(message), "{}", errors[0]);
    }
    accepted(&with("[0, 0, 13]\nfinishing_stacks = [199, 194, 207]"));
}

#[test]
fn an_event_is_a_tournament_where_chips_are_no_money_or_blinds_have_a_level() {
    for (lines, is_tournament) in [
        ("event = \"Show\"\n", true),
        ("event = \"Show\"\ncurrency = \"USD\"\n", false),
        ("event = \"Show\"\ncurrency_symbol = \"$\"\n", false),
        ("event = \"Show\"\ncurrency = \"USD\"\nlevel = 3\n", true),
        ("currency = \"USD\"\n", false),
    ] {
        let hand = accepted(&PHH.replacen("min_bet = 2\n", &format!("min_bet = 2\n{lines}"), 1));
        assert_eq!(matches!(hand.stakes(), GameStakes::Tournament(_)), is_tournament, "{lines}");
    }
    let wrong = PHH.replacen("min_bet = 2\n", "min_bet = 2\nante_trimming_status = 1\n", 1);
    let error = read_text(&wrong).errors.remove(0);
    assert!(
        error.to_string().starts_with("line 5: `ante_trimming_status` must be `true` or `false`"),
        "{error}"
    );
}

/// Files that a page or `cat` has joined.
#[test]
fn documents_one_after_another_are_read_each_by_itself() {
    let wrong = PHH.replace("p1 f", "p1 jumps");
    let several = format!("[1]\n{PHH}\n[2]\n{PHH}");
    let joined = format!("# the first\n{PHH}\n\n{wrong}{PHH}{several}{several}\n{PHH}");
    let read = read_text(&joined);
    let errors: Vec<String> = read.errors.iter().map(ToString::to_string).collect();
    assert_eq!((read.hands.len(), errors.len()), (7, 1), "{errors:?}");
    // The wrong one begins at line 16.
    assert!(errors[0].starts_with("line 23: this is no action"), "{errors:?}");
    assert_eq!(read.hands[1].first_line(), 28);
    assert_eq!(read_text(&several).hands.len(), 2);
}
