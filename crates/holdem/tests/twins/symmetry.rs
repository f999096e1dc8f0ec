//! Spots with symmetric suits in every precision: what is reported is true of the whole game, hand by hand and runout by runout.

use crate::spots::{Random, options, spot};
use crate::twin::Twin;
use noregret_cfr::Player;
use noregret_holdem::cards::{Board, Card, Street, SuitGroup};
use noregret_holdem::{
    BettingNodeKind, BoardCache, GameLayout, NodeView, Precision, Solver, SolverOptions, Spot, TreeOptions,
};

/// Strategy and regret precisions of flop, turn and river.
const PRECISIONS: [[[Precision; 3]; 2]; 6] = {
    use Precision::{Bits4, Bits8, Bits16, Bits32};
    [
        [[Bits32; 3], [Bits32; 3]],
        [[Bits16; 3], [Bits16; 3]],
        [[Bits16, Bits16, Bits8], [Bits16, Bits16, Bits8]],
        [[Bits16; 3], [Bits8; 3]],
        [[Bits8; 3], [Bits8; 3]],
        [[Bits4; 3], [Bits8; 3]],
    ]
};

fn solved(spot: &Spot, [strategy, regrets]: [[Precision; 3]; 2], iterations: u32) -> Solver {
    let game = GameLayout::new(spot).unwrap().build();
    let options = SolverOptions::default().stored_by_street([strategy, regrets]);
    let mut solver = Solver::with_options(game, &options);
    (0..iterations).for_each(|_| solver.iterate());
    solver
}

/// Random boards of so many cards on which some suits may be exchanged.
fn symmetric_boards(seed: u64, cards: usize, count: usize) -> Vec<Board> {
    let deck: Vec<Card> = Card::all().collect();
    let mut random = Random(seed);
    let mut boards = Vec::new();
    while boards.len() < count {
        let board = Board::new(&random.cards(cards, &deck)).unwrap();
        if SuitGroup::of(&board, &[]).members().len() > 1 {
            boards.push(board);
        }
    }
    boards
}

/// Reported exploitability against an unmerged best response, within 1% of the value.
fn check_exploitability(board: &Board, ranges: [&str; 2], tree: TreeOptions, iterations: u32) {
    let spot = spot(&board.to_string(), ranges, tree);
    let twin = Twin::new(&spot);
    for precisions in PRECISIONS {
        let solver = solved(&spot, precisions, iterations);
        let (reported, plain) =
            (solver.exploitability_pct(), twin.exploitability_pct(&twin.profile_of(&solver)));
        assert!(
            (reported - plain).abs() <= 0.01 * plain.max(1e-3),
            "{board} in {precisions:?}: {reported}, not {plain}"
        );
        let evs = Player::BOTH.map(|player| solver.ev(player));
        assert!(
            (evs[0] + evs[1] - twin.pot()).abs() < 1e-5 * twin.pot(),
            "{board} in {precisions:?}: {evs:?}"
        );
    }
}

#[test]
fn exploitability_of_symmetric_turns_is_that_of_the_unmerged_game() {
    let ranges = ["AA,QJs:0.5,T9s", "KQs,99,A5s:0.75"];
    for board in symmetric_boards(1, 4, 30) {
        check_exploitability(&board, ranges, options(100, 300, "60%", "a"), 30);
    }
}

/// Errors of this kind grow with the iterations, and with ranges in which many hands have symmetric ones.
#[test]
fn exploitability_of_symmetric_turns_stays_true_near_equilibrium() {
    let ranges = ["TT+,AJs+,KQs,AQo+", "QQ-77,AQs-A9s,KJs+,QJs,AJo"];
    for board in ["AhKhQh2h", "Ts6s2s9s", "Kh8h3h2h"] {
        check_exploitability(&board.parse().unwrap(), ranges, options(100, 300, "60%", "a"), 200);
    }
}

#[test]
fn exploitability_of_symmetric_flops_is_that_of_the_unmerged_game() {
    for board in symmetric_boards(2, 3, 6) {
        check_exploitability(&board, ["AA,QJs", "KQs:0.75,55"], options(100, 60, "60%", ""), 15);
    }
}

#[test]
fn symmetric_hands_have_the_same_strategies_to_the_bit() {
    for (board, line) in [("Kh8h3h2h", "check"), ("Kh8h3h", "bet 60"), ("QsJh2h", "check"), ("7s7h7d2c", "")]
    {
        let spot = spot(board, ["AA,QJs:0.5,T9s,A7o", "KQs,99,A5s,76s:0.75"], options(100, 300, "60%", "a"));
        let group = SuitGroup::of(spot.board(), &[]);
        assert!(group.members().len() > 1);
        for precisions in PRECISIONS {
            let view = solved(&spot, precisions, 12).at(&line.parse().unwrap()).unwrap();
            for hands in &view.hands {
                for hand in hands {
                    for renaming in group.members() {
                        let image =
                            hands.iter().find(|other| other.hole == renaming.hole(hand.hole)).unwrap();
                        assert_eq!(
                            hand.strategy, image.strategy,
                            "{} and {} on {board}",
                            hand.hole, image.hole
                        );
                        assert_eq!(hand.reach, image.reach, "{} and {} on {board}", hand.hole, image.hole);
                    }
                }
            }
        }
    }
}

#[test]
fn a_card_changes_the_reach_of_no_hand_but_of_those_that_it_blocks() {
    let spot =
        spot("Kh8h3h2h", ["TT+,AJs+,KQs,AQo+", "QQ-77,AQs-A9s,KJs+,QJs,AJo"], options(100, 300, "60%", "a"));
    for precisions in PRECISIONS {
        let solver = solved(&spot, precisions, 30);
        let before = solver.at(&"check, check".parse().unwrap()).unwrap();
        for card in Card::all().filter(|&card| !spot.board().set().contains(card)) {
            let after = solver.at(&format!("check, check, {card}").parse().unwrap()).unwrap();
            assert_eq!(after.board.street(), Street::River);
            for (before, after) in before.hands.iter().zip(&after.hands) {
                for hand in after {
                    let same = before.iter().find(|other| other.hole == hand.hole).unwrap();
                    assert_eq!(same.reach, hand.reach, "{} after {card} in {precisions:?}", hand.hole);
                }
            }
        }
    }
}

/// A range of so many kinds of hands, so that no suit differs from another.
fn classes(random: &mut Random, count: usize) -> String {
    let ranks = b"23456789TJQKA";
    let class = |random: &mut Random| {
        let high = random.below(13);
        let low = random.below(high + 1);
        let name: String = [ranks[high], ranks[low]].map(char::from).iter().collect();
        let weight = random.pick(&["", ":0.5", ":0.25"]);
        if high == low {
            format!("{name}{weight}")
        } else {
            format!("{name}{}{weight}", random.pick(&["s", "o"]))
        }
    };
    (0..count).map(|_| class(random)).collect::<Vec<_>>().join(",")
}

/// A board of so many cards: monotone, two-tone, rainbow or paired.
fn textured_board(random: &mut Random, cards: usize, texture: usize) -> String {
    let mut ranks: Vec<char> = "23456789TJQKA".chars().collect();
    let mut rank = || ranks.remove(random.below(ranks.len()));
    let (a, b, c) = (rank(), rank(), rank());
    let more: Vec<char> = (3..cards).map(|_| rank()).collect();
    let flop = match texture {
        0 => format!("{a}h{b}h{c}h"),
        1 => format!("{a}h{b}h{c}s"),
        2 => format!("{a}h{b}s{c}d"),
        _ => format!("{a}h{a}s{c}h"),
    };
    let suits = if texture == 2 { ["h", "s"] } else { ["h", "h"] };
    flop + &more.iter().zip(suits).map(|(rank, suit)| format!("{rank}{suit}")).collect::<String>()
}

/// Every line of a spot, those of a board one after the other; with the line before its last card if that is its last step.
fn lines_of(solver: &Solver) -> Vec<(String, Option<String>)> {
    let game = solver.game();
    let (mut lines, mut open) = (Vec::new(), vec![(String::new(), None)]);
    while let Some((line, before_card)) = open.pop() {
        let (node, _) = game.betting().walk(game.spot().board(), &line.parse().unwrap()).unwrap();
        let join = |step: String| if line.is_empty() { step } else { format!("{line}, {step}") };
        match game.betting()[node].kind {
            BettingNodeKind::Decision(_) => {
                open.extend(game.betting().actions(node).map(|action| (join(action.to_string()), None)));
            }
            BettingNodeKind::Chance => {
                let cards = game.next_cards(&line.parse().unwrap()).unwrap();
                open.extend(cards.into_iter().map(|(card, _)| (join(card.to_string()), Some(line.clone()))));
            }
            BettingNodeKind::Fold(_) | BettingNodeKind::Showdown => {}
        }
        lines.push((line, before_card));
    }
    lines
}

/// What must hold at a point: values add up, and hands that differ in symmetric suits only are played alike.
fn check_view(view: &NodeView, spot: &Spot, what: &str) {
    let evs = Player::BOTH.map(|player| view.ev(player));
    if let [Some(oop), Some(ip)] = evs {
        let pot = spot.options().starting_pot.as_f64() + view.committed.iter().sum::<f64>();
        assert!((oop + ip - pot).abs() < 1e-5 * pot, "{what}: EVs {oop} and {ip} of {pot}");
        let equities = Player::BOTH.map(|player| view.mean(player, |hand| hand.equity).unwrap());
        assert!((equities[0] + equities[1] - 1.0).abs() < 5e-6, "{what}: {equities:?}");
    }
    let dealt = &view.board.cards()[spot.board().cards().len()..];
    let group = SuitGroup::of(spot.board(), &[]);
    for renaming in
        group.members().iter().filter(|renaming| dealt.iter().all(|&card| renaming.card(card) == card))
    {
        for hands in &view.hands {
            for hand in hands {
                let image = hands.iter().find(|other| other.hole == renaming.hole(hand.hole)).unwrap();
                assert_eq!(
                    (&hand.strategy, hand.reach),
                    (&image.strategy, image.reach),
                    "{what}: {} and {}",
                    hand.hole,
                    image.hole
                );
            }
        }
    }
}

/// Every node of random small spots, the numbers `which` of them.
fn check_random_spots(which: std::ops::Range<u64>) {
    use Precision::{Bits4, Bits8, Bits16, Bits32};
    for number in which {
        let mut random = Random(number);
        let cards = if number % 10 == 0 { 3 } else { 4 + number as usize % 2 };
        let board = textured_board(&mut random, cards, number as usize / 2 % 4);
        let count = if cards == 3 { 1 } else { 3 };
        let spot = loop {
            let ranges = [(); 2].map(|()| classes(&mut random, count).parse().unwrap());
            let tree = options(100, 100, "60%", "");
            if let Ok(spot) = Spot::new(ranges, board.parse().unwrap(), tree) {
                break spot;
            }
        };
        for (strategy, regrets) in [(Bits32, Bits32), (Bits16, Bits16), (Bits8, Bits8), (Bits4, Bits8)] {
            let what = |line: &str| format!("spot {number}, {board}, {strategy:?}/{regrets:?}, `{line}`");
            let solver = solved(&spot, [[strategy; 3], [regrets; 3]], 12);
            let lines = lines_of(&solver);
            let caches = [BoardCache::default(), BoardCache::default()];
            // A flop has some 10,000 lines; one in 97 is read.
            let step = if cards == 3 { 97 } else { 1 };
            for (line, before_card) in lines.iter().step_by(step) {
                let view = caches[0].at(&solver, &line.parse().unwrap()).unwrap();
                check_view(&view, &spot, &what(line));
                let Some(before) = before_card else { continue };
                let before = caches[1].reach_at(&solver, &before.parse().unwrap()).unwrap();
                for (before, after) in before.hands.iter().zip(&view.hands) {
                    for hand in after {
                        let same = before.iter().find(|other| other.hole == hand.hole).unwrap();
                        assert_eq!(same.reach, hand.reach, "{}: {}", what(line), hand.hole);
                    }
                }
            }
        }
    }
}

#[test]
fn numbers_add_up_at_every_node_of_random_spots() {
    check_random_spots(0..100);
}

#[test]
fn numbers_add_up_at_every_node_of_more_random_spots() {
    check_random_spots(100..200);
}
