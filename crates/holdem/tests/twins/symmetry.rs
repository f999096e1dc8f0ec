//! Spots with symmetric suits in every precision: what is reported is true of the whole game, hand by hand and runout by runout.

use crate::spots::{Random, options, spot};
use crate::twin::Twin;
use noregret_cfr::Player;
use noregret_holdem::cards::{Board, Card, Street, SuitGroup};
use noregret_holdem::{GameLayout, Precision, Solver, SolverOptions, Spot, TreeOptions};

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
