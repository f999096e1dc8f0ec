//! Alike suits solved once against each on its own: nothing changes but the work.

use crate::spots::{options, spot};
use noregret_cfr::Player;
use noregret_holdem::cards::{Card, SuitPermutation};
use noregret_holdem::{
    GameLayout, HandView, Isomorphism, Line, NodeView, Postflop, Rake, Solver, Spot, Step, TreeOptions,
};
use std::sync::Arc;

/// How far apart two solutions may be where values are compared, as a share of the pot and of all that gets there:
/// they sum runouts in another order.
const CLOSE: f64 = 1e-4;
/// Few enough that rounding has not been enlarged yet.
const ITERATIONS: u32 = 3;

fn small() -> TreeOptions {
    let mut options = options(100, 150, "60%", "");
    options.rake = Rake { rate: 0.05, cap: Some(6.0) };
    options
}

fn game(spot: &Spot, isomorphism: Isomorphism) -> Arc<Postflop> {
    GameLayout::with_isomorphism(spot, isomorphism).unwrap().build()
}

fn solved(game: &Arc<Postflop>) -> Solver {
    let mut solution = Solver::new(game.clone());
    (0..ITERATIONS).for_each(|_| solution.iterate());
    solution
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < CLOSE
}

/// The same hands with the same numbers, as far as rounding lets them be.
fn assert_alike(a: &NodeView, b: &NodeView, pot: f64, what: &str) {
    assert_eq!((a.node, a.board, a.player, &a.actions), (b.node, b.board, b.player, &b.actions), "{what}");
    // Where a player hardly ever gets, rounding decides what the other one plays.
    let reached = |player: Player| a.hands[player.index()].iter().any(|hand| hand.reach > 1e-3);
    if !Player::BOTH.into_iter().all(reached) {
        return;
    }
    for (a, b) in a.frequencies.iter().zip(&b.frequencies) {
        assert!(near(*a, *b), "{what}: frequency {a} and {b}");
    }
    for player in Player::BOTH {
        let (a, b) = (&a.hands[player.index()], &b.hands[player.index()]);
        assert_eq!(a.len(), b.len(), "{what}");
        // A hand that hardly meets anybody has a value made of rounding.
        let most = a.iter().map(|hand| hand.share).fold(0.0, f64::max);
        for (a, b) in a.iter().zip(b) {
            let what = format!("{what}: {} of {player:?}", a.hole);
            assert_eq!(a.hole, b.hole, "{what}");
            assert!(
                near(a.reach, b.reach) && near(a.share / most, b.share / most),
                "{what}: {a:?} and {b:?}"
            );
            let number = |a: Option<f64>, b: Option<f64>, unit: f64| match (a, b) {
                (Some(a), Some(b)) => near(a / unit, b / unit),
                (a, b) => a == b,
            };
            if a.share > 1e-3 * most {
                assert!(
                    number(a.root_ev, b.root_ev, pot) && number(a.equity, b.equity, 1.0),
                    "{what}: {a:?} and {b:?}"
                );
                let strategies = a.strategy.iter().flatten().zip(b.strategy.iter().flatten());
                for (x, y) in strategies {
                    assert!((x - y).abs() < 1e-3, "{what}: {a:?} and {b:?}");
                }
            }
        }
    }
}

/// Compares a spot solved both ways: at the root, and at lines with each of these cards.
fn compare(spot: &Spot, cards: &[(&str, &str)], merges: bool) {
    let games = [Isomorphism::Keep, Isomorphism::Merge].map(|isomorphism| game(spot, isomorphism));
    let boards = |game: &Postflop| game.boards().iter().sum::<usize>();
    assert_eq!(
        boards(&games[1]) < boards(&games[0]),
        merges,
        "{} and {}",
        boards(&games[0]),
        boards(&games[1])
    );
    let [kept, merged] = games.each_ref().map(solved);
    let pot = spot.options().starting_pot.as_f64();
    for player in Player::BOTH {
        let (a, b) = (kept.ev(player), merged.ev(player));
        assert!(near(a / pot, b / pot), "EV {a} and {b}");
        let (a, b) = (kept.equity(player), merged.equity(player));
        assert!((a - b).abs() < 1e-6, "equity {a} and {b}");
    }
    let (a, b) = (kept.exploitability_pct(), merged.exploitability_pct());
    assert!(near(a / 100.0, b / 100.0), "exploitability {a} and {b}");
    for line in lines(cards) {
        let line: Line = line.parse().unwrap();
        assert_alike(&kept.at(&line).unwrap(), &merged.at(&line).unwrap(), pot, &format!("`{line}`"));
    }
}

/// Lines through the tree of [`small`] with a turn and a river.
fn lines(cards: &[(&str, &str)]) -> Vec<String> {
    let mut lines: Vec<String> =
        ["", "check", "bet 60, fold", "check, check"].iter().map(|line| line.to_string()).collect();
    for (turn, river) in cards {
        lines.extend([
            format!("check, check, {turn}"),
            format!("check, bet 60, call, {turn}, check"),
            format!("bet 60, call, {turn}, all-in 90, call, {river}"),
            format!("check, check, {turn}, check, check, {river}, check"),
            format!("check, check, {turn}, bet 60, call, {river}, check, all-in 90"),
        ]);
    }
    lines
}

#[test]
fn monotone_flops_do_not_change() {
    let spot = spot("Ah8h3h", ["88,QJs:0.5,T9o", "KQs,77,A2s:0.25"], small());
    compare(&spot, &[("2c", "2d"), ("2s", "9d"), ("Kd", "Qs"), ("7h", "7s"), ("Td", "Tc")], true);
}

#[test]
fn two_tone_flops_do_not_change() {
    let spot = spot("QsJh2h", ["QTs,99:0.5,AKo", "KTs,J9s,66:0.75"], small());
    compare(&spot, &[("8d", "8c"), ("8c", "7d"), ("Ts", "Td"), ("Ad", "Kd")], true);
}

#[test]
fn rainbow_flops_do_not_change() {
    let spot = spot("Kc7d2s", ["KQs,88,54s:0.5", "K9s,77,A5s"], small());
    compare(&spot, &[("8h", "8c"), ("3d", "4s")], false);
}

#[test]
fn paired_flops_do_not_change() {
    let same = spot("TsTh4s", ["A4s,99:0.5,KTo", "T9s,55,AJs"], small());
    compare(&same, &[("8d", "8c"), ("8c", "7d"), ("4d", "2c")], true);
    let all = spot("TsThTd", ["A4s,99:0.5", "KQs,55"], small());
    compare(&all, &[("Tc", "8c"), ("8d", "7h"), ("2h", "2s")], true);
    let other = spot("TsTh4d", ["A4s,99:0.5,KQs", "T9s,55,AJo"], small());
    compare(&other, &[("8h", "8s"), ("8s", "7h"), ("4h", "4s"), ("2c", "2h")], true);
}

#[test]
fn turns_do_not_change() {
    let spot = spot("9s8s3dKd", ["A9s,KQo,76s:0.5,TT", "JTs,K8s,A3o:0.75,QQ"], options(100, 200, "60%", "a"));
    let games = [Isomorphism::Keep, Isomorphism::Merge].map(|isomorphism| game(&spot, isomorphism));
    assert!(games[1].boards()[2] < games[0].boards()[2]);
    let [kept, merged] = games.each_ref().map(solved);
    for river in Card::all().filter(|&card| !spot.board().set().contains(card)) {
        let line: Line = format!("check, bet 60, call, {river}, check").parse().unwrap();
        assert_alike(&kept.at(&line).unwrap(), &merged.at(&line).unwrap(), 100.0, &line.to_string());
    }
}

#[test]
fn suits_that_a_range_tells_apart_are_not_merged() {
    // Clubs and diamonds are alike but for one hand.
    let alike = spot("QsJh2h", ["QTs,AKs,99:0.5", "KTs,J9s"], small());
    let boards = |spot: &Spot| game(spot, Isomorphism::Merge).boards();
    assert!(boards(&alike)[1] < 49);
    let weight = spot("QsJh2h", ["QTs,AKs,99:0.5,AcKc:0.5", "KTs,J9s"], small());
    compare(&weight, &[("8d", "8c"), ("8c", "7d"), ("Ad", "Kd"), ("Ac", "Kc")], false);
    let hand = spot("QsJh2h", ["QTs,99:0.5", "KTs,J9s,AdKd"], small());
    compare(&hand, &[("8d", "8c"), ("8c", "7d"), ("Kd", "4d"), ("Kc", "4c")], false);
    // Hearts are alone on this flop, so a heart hand tells nothing apart.
    let heart = spot("QsJh2h", ["QTs,99:0.5,AhKh:0.5", "KTs,J9s"], small());
    compare(&heart, &[("8d", "8c"), ("8c", "7d"), ("Kh", "4d"), ("Kc", "4c")], true);
    // Of three alike suits one is told apart, two stay.
    let monotone = spot("Ah8h3h", ["88,QJs:0.5", "KQs,77,AcKc:0.5"], small());
    compare(&monotone, &[("2c", "2d"), ("2s", "9d"), ("2d", "9s"), ("Kc", "Qs")], true);
}

/// A view with the suits of its hands and its board renamed.
fn renamed(view: &NodeView, renaming: SuitPermutation) -> NodeView {
    let mut view = view.clone();
    view.board = renaming.board(view.board);
    for hands in &mut view.hands {
        for hand in hands.iter_mut() {
            *hand = HandView { hole: renaming.hole(hand.hole), ..hand.clone() };
        }
        hands.sort_by_key(|hand| hand.hole.index());
    }
    view
}

#[test]
fn a_card_that_another_stands_for_reads_like_it_with_the_suits_renamed() {
    let spot = spot("Ah8h3h", ["88,QJs:0.5,T9o", "KQs,77,A2s:0.25"], small());
    let game = game(&spot, Isomorphism::Merge);
    let solution = solved(&game);
    let line: Line = "check, check, Tc, bet 60, call, 9d, check".parse().unwrap();
    let view = solution.at(&line).unwrap();
    let hearts: Card = "2h".parse().unwrap();
    let mut others = 0;
    for renaming in SuitPermutation::all().filter(|renaming| renaming.card(hearts) == hearts) {
        let rename = |step: &Step| match *step {
            Step::Card(card) => Step::Card(renaming.card(card)),
            step => step,
        };
        let other = Line { steps: line.steps.iter().map(rename).collect() };
        // The same numbers to the bit: they are the same memory.
        assert_eq!(solution.at(&other).unwrap(), renamed(&view, renaming), "`{other}`");
        others += 1;
    }
    assert_eq!(others, 6);
}
