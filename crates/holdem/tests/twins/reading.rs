//! Reading a solution at every point against the twin: reach, card removal, value, equity and frequencies.

use crate::spots::{self, Random};
use crate::twin::{Point, Profile, Twin, without};
use noregret_cfr::Player;
use noregret_holdem::cards::{Hole, Street};
use noregret_holdem::{
    BettingTree, GameLayout, HandView, Isomorphism, Line, NodeView, Solver, Spot, Step, TreeOptions,
};

/// How far apart two values may be, as a share of the pot, times the reach that they were summed over.
const VALUE: f64 = 2e-5;
/// How far apart two reaches or frequencies may be.
const SHARE: f64 = 2e-6;

/// Reads a solution at some points, every `step`-th, and compares all that it says.
fn check(spot: &Spot, isomorphism: Isomorphism, iterations: u32, step: usize) {
    let twin = Twin::new(spot);
    let game = GameLayout::with_isomorphism(spot, isomorphism).unwrap().build();
    let mut solution = Solver::new(game.clone());
    (0..iterations).for_each(|_| solution.iterate());
    let profile = twin.profile_of(&solution);
    for point in twin.points().iter().step_by(step) {
        let view = solution.at(&point.line).unwrap();
        let reaches = Player::BOTH.map(|player| twin.reaches(&profile, point, player));
        for player in Player::BOTH {
            check_hands(&twin, &profile, point, &view, player, &reaches);
        }
        check_frequencies(&twin, &profile, point, &view, &reaches);
        check_actions(
            &solution,
            &view,
            &point.line,
            twin.pot() + 2.0 * twin.tree[point.node].committed[0].as_f64(),
        );
    }
}

/// After an action a hand expects what it is said to expect there, and in all what its actions come to.
fn check_actions(solution: &Solver, view: &NodeView, line: &Line, pot: f64) {
    let Some(player) = view.player else {
        assert!(view.hands.iter().flatten().all(|hand| hand.root_action_evs.is_none()));
        return;
    };
    let after: Vec<NodeView> = view
        .actions
        .iter()
        .map(|&action| {
            let mut line = line.clone();
            line.steps.push(Step::Action(action));
            solution.at(&line).unwrap()
        })
        .collect();
    for (h, hand) in view.hands[player.index()].iter().enumerate() {
        let Some(evs) = &hand.root_action_evs else {
            assert_eq!(hand.root_ev, None, "`{line}`");
            continue;
        };
        for (ev, after) in evs.iter().zip(&after) {
            assert_eq!(Some(*ev), after.hands[player.index()][h].root_ev, "{} after `{line}`", hand.hole);
        }
        if let Some(strategy) = &hand.strategy {
            let mean: f64 = strategy.iter().zip(evs).map(|(share, ev)| share * ev).sum();
            assert!(
                (mean - hand.root_ev.unwrap()).abs() < 1e-3 * pot,
                "{}: {mean}, not {:?}",
                hand.hole,
                hand.root_ev
            );
        }
    }
    assert!(view.hands[player.opponent().index()].iter().all(|hand| hand.root_action_evs.is_none()));
}

#[test]
fn the_boards_of_a_street_stand_for_every_runout() {
    let options = TreeOptions::new(100.into(), 100.into());
    for (board, ranges) in [("QhJh2h", ["99,AKs", "TT,KJs"]), ("QsJh2d", ["99,AhKh", "TT,KJs"])] {
        let spot = spots::spot(board, ranges, options.clone());
        let game = GameLayout::new(&spot).unwrap().build();
        for (street, runouts) in [(Street::Flop, 1), (Street::Turn, 49), (Street::River, 49 * 48)] {
            let boards = game.runouts(street);
            assert_eq!(boards.iter().map(|(_, count)| count).sum::<u32>(), runouts, "{board} {street}");
            assert!(boards.iter().all(|(board, _)| board.street() == street));
        }
    }
}

fn check_hands(
    twin: &Twin,
    profile: &Profile,
    point: &Point,
    view: &NodeView,
    player: Player,
    reaches: &[Vec<(Hole, f64)>; 2],
) {
    let (own, others) = (&reaches[player.index()], &reaches[player.opponent().index()]);
    let views = &view.hands[player.index()];
    assert_eq!(views.len(), own.len(), "`{}`", point.line);
    let all: f64 = others.iter().map(|(_, reach)| reach).sum();
    let pot = twin.pot() + 2.0 * twin.tree[point.node].committed[0].as_f64();
    for (&HandView { hole, reach, share, root_ev: ev, equity, .. }, &(expected_hole, expected_reach)) in
        views.iter().zip(own)
    {
        let what = format!("{hole} of {player:?} after `{}`", point.line);
        assert_eq!(hole, expected_hole, "{what}");
        assert!((reach - expected_reach).abs() < SHARE, "{what}: reach {reach}, not {expected_reach}");
        let meets = without(others, hole.set());
        let met: f64 = meets.iter().map(|(_, reach)| reach).sum();
        assert!((share - reach * met).abs() <= SHARE * all, "{what}: share {share}, not {}", reach * met);
        let holes = |other| if player == Player::First { [hole, other] } else { [other, hole] };
        let sum =
            |value: &dyn Fn(Hole) -> f64| meets.iter().map(|(other, reach)| reach * value(*other)).sum();
        let value: f64 = sum(&|other| twin.value(profile, point.node, &point.board, holes(other), player));
        let won: f64 = sum(&|other| twin.equity(&point.board, [hole, other]));
        if met == 0.0 {
            assert_eq!((ev, equity), (None, None), "{what} meets nobody of {all}");
            continue;
        }
        let (ev, equity) = (ev.unwrap_or(0.0), equity.unwrap_or(0.0));
        assert!((ev * met - value).abs() <= VALUE * pot * all, "{what}: EV {ev}, not {}", value / met);
        assert!((equity * met - won).abs() <= VALUE * all, "{what}: equity {equity}, not {}", won / met);
    }
}

fn check_frequencies(
    twin: &Twin,
    profile: &Profile,
    point: &Point,
    view: &NodeView,
    reaches: &[Vec<(Hole, f64)>; 2],
) {
    let Some(player) = view.player else {
        assert!(view.frequencies.is_empty());
        return;
    };
    let others = &reaches[player.opponent().index()];
    let mut sums = vec![0.0; view.actions.len()];
    for &(hole, reach) in &reaches[player.index()] {
        let met: f64 = without(others, hole.set()).iter().map(|(_, reach)| reach).sum();
        let strategy = twin.strategy(profile, (point.node, point.board, hole));
        sums.iter_mut().zip(strategy).for_each(|(sum, share)| *sum += reach * met * share);
    }
    let total: f64 = sums.iter().sum();
    for (frequency, sum) in view.frequencies.iter().zip(&sums) {
        let distance = (frequency * total - sum).abs();
        assert!(distance <= SHARE, "`{}`: {:?}, not {sums:?} of {total}", point.line, view.frequencies);
    }
}

fn check_random(street: Street, seeds: std::ops::Range<u64>, hands: usize, nodes: usize, step: usize) {
    for seed in seeds {
        let spot = spots::random(seed, street, hands, nodes);
        println!("seed {seed}: {spot:?}");
        let iterations = Random(seed).pick(&[1, 3, 10, 30]);
        check(&spot, Isomorphism::Merge, iterations, step);
    }
}

#[test]
fn every_point_of_random_rivers_reads_as_the_twin_has_it() {
    check_random(Street::River, 300..360, 8, 100, 1);
}

#[test]
fn every_point_of_random_turns_reads_as_the_twin_has_it() {
    check_random(Street::Turn, 400..408, 5, 120, 1);
}

#[test]
fn points_of_random_flops_read_as_the_twin_has_them() {
    check_random(Street::Flop, 500..502, 3, 60, 97);
}

#[test]
fn boards_that_stand_for_others_read_as_the_twin_has_them() {
    // Classes of hands are alike in all suits, so the suits of these turns are as alike as the board lets them be.
    let options = spots::options(100, 150, "60%", "a");
    for (board, ranges) in [
        ("AsAhAdKc", ["QQ:0.5,JTs", "KK,JJ:0.75"]),
        ("8s7s6s8h", ["99:0.5,65s", "TT,87s"]),
        ("KsKhQsQh", ["AJs", "TT:0.3,9s8s"]),
    ] {
        check(&spots::spot(board, ranges, options.clone()), Isomorphism::Merge, 8, 3);
    }
}

/// A hand that blocks nearly all hands that get somewhere still has an EV and an equity that can be.
#[test]
fn no_hand_expects_more_than_there_is() {
    let ranges = ["22+,A2s+,KTs+,AJo+", "22+,A2s+,KTs+,QJs,98s"].map(|range| range.parse().unwrap());
    let options = TreeOptions::new(60.into(), 2000.into());
    let spot = Spot::new(ranges, "2c8d4c7s9c".parse().unwrap(), options).unwrap();
    let game = GameLayout::new(&spot).unwrap().build();
    let mut solution = Solver::new(game.clone());
    (0..300).for_each(|_| solution.iterate());
    let tree = game.betting();
    let mut open = vec![(BettingTree::ROOT, Line::default())];
    let mut seen = 0;
    while let Some((node, line)) = open.pop() {
        for hand in solution.at(&line).unwrap().hands.iter().flatten() {
            seen += 1;
            let possible =
                |number: Option<f64>, least, most| number.is_none_or(|n| (least..=most).contains(&n));
            assert!(
                possible(hand.root_ev, -2000.01, 2060.01),
                "{} after `{line}`: {:?}",
                hand.hole,
                hand.root_ev
            );
            assert!(possible(hand.equity, 0.0, 1.0), "{} after `{line}`: {:?}", hand.hole, hand.equity);
        }
        for child in tree.children(node) {
            let mut line = line.clone();
            line.steps.extend(tree[child].action.map(Step::Action));
            open.push((child, line));
        }
    }
    assert!(seen > 5000, "{seen}");
}
