//! Folds and showdowns of whole ranges against a sum over every pair of hands.

use crate::spots::{Random, options};
use noregret_cfr::simd::{Row, WIDTH};
use noregret_cfr::{
    BATCH_LANES, Deal, Game, NodeId, PairedFolds, Player, SumPrecision, Terminal, TerminalBatch,
};
use noregret_holdem::cards::{Board, Card, CardSet, Hole, Range, Strength};
use noregret_holdem::{BettingNodeKind, GameLayout, Isomorphism, Postflop, Rake, Spot};

/// How far a value may be off, as a share of the largest payoff and of all that reaches the leaf.
const ROUNDING: f64 = 2e-6;
const WIDE_ROUNDING: f64 = 3e-7;

/// The terminal nodes of one kind, up to as many as are evaluated together.
fn batches(game: &Postflop, kind: Terminal) -> Vec<Vec<NodeId>> {
    use noregret_cfr::NodeKind;
    let wanted = if kind == Terminal::AllIn { NodeKind::AllIn } else { NodeKind::Terminal(kind) };
    let nodes = game.tree().round_nodes(0);
    let nodes: Vec<NodeId> = nodes.filter(|&node| game.tree().node(node).kind == wanted).collect();
    nodes.chunks(BATCH_LANES).map(<[NodeId]>::to_vec).collect()
}

/// What a hand gets at a leaf, by going through the opponent's hands.
fn plain(game: &Postflop, leaf: NodeId, player: Player, own: Hole, others: &[(Hole, f64)]) -> f64 {
    let node = &game.betting()[leaf];
    let payoff = game.spot().options().payoff(node.committed);
    let mut sum = 0.0;
    for &(other, reach) in others {
        if other.set().intersects(own.set()) {
            continue;
        }
        sum += reach
            * match node.kind {
                BettingNodeKind::Fold(folder) if folder == player => payoff.lose,
                BettingNodeKind::Fold(_) => payoff.win,
                _ => {
                    let [win, tie, lose] = odds(game.spot().board().set(), own, other);
                    win * payoff.win + tie * payoff.tie + lose * payoff.lose
                }
            };
    }
    sum
}

/// How often a hand wins, ties and loses against another one, over all boards that can come.
fn odds(board: CardSet, own: Hole, other: Hole) -> [f64; 3] {
    let mut odds = [0.0; 3];
    if board.len() == 5 {
        let [own, other] = [own, other].map(|hole| Strength::of(board.union(hole.set())).unwrap());
        odds[usize::from(own <= other) + usize::from(own < other)] = 1.0;
        return odds;
    }
    let taken = board.union(own.set()).union(other.set());
    let next: Vec<Card> = Card::all().filter(|&card| !taken.contains(card)).collect();
    for &card in &next {
        let after = self::odds(board.union([card].into_iter().collect()), own, other);
        odds.iter_mut().zip(after).for_each(|(odds, after)| *odds += after / next.len() as f64);
    }
    odds
}

fn check(spot: &Spot, random: &mut Random) {
    // Random reach probabilities respect no symmetry.
    let game = GameLayout::with_isomorphism(spot, Isomorphism::Keep).unwrap().build();
    let kinds = [Terminal::Fold, Terminal::Showdown, Terminal::AllIn];
    let batches =
        kinds.iter().flat_map(|&kind| batches(&game, kind).into_iter().map(move |nodes| (kind, nodes)));
    for (kind, leaves) in batches {
        for player in Player::BOTH {
            let others = game.hands(Deal::ROOT, player.opponent());
            let mut lane = || if random.below(4) == 0 { 0.0 } else { random.share() };
            let reach: Vec<Row> = others.iter().map(|_| Row(std::array::from_fn(|_| lane()))).collect();
            let own = game.hands(Deal::ROOT, player);
            for (sums, rounding) in [(SumPrecision::Single, ROUNDING), (SumPrecision::Double, WIDE_ROUNDING)]
            {
                let mut values = vec![Row([f32::NAN; WIDTH]); own.len()];
                let folds = PairedFolds::None;
                let batch = TerminalBatch { kind, nodes: &leaves, reach: &reach, values: &mut values, folds };
                game.evaluate(Deal::ROOT, player, sums, batch);
                for (lane, &leaf) in leaves.iter().enumerate() {
                    let others: Vec<(Hole, f64)> = others
                        .iter()
                        .zip(&reach)
                        .map(|(&hole, reach)| (hole, f64::from(reach[lane])))
                        .collect();
                    let payoff = spot.options().payoff(game.betting()[leaf].committed);
                    let stake = payoff.win.max(-payoff.lose);
                    for (&own, values) in own.iter().zip(&values) {
                        let all = others.iter().map(|(_, reach)| reach).sum::<f64>();
                        let met: f64 = others
                            .iter()
                            .filter(|(hole, _)| !hole.set().intersects(own.set()))
                            .map(|(_, reach)| reach)
                            .sum();
                        // Fast sums lose bits of all that is there, wide ones only of what the hand meets.
                        let scale = stake * if sums == SumPrecision::Single { all } else { met + 1e-9 * all };
                        let (found, plain) =
                            (f64::from(values[lane]), plain(&game, leaf, player, own, &others));
                        assert!(
                            (found - plain).abs() <= rounding * scale,
                            "{own} at {leaf:?}: {found}, not {plain}"
                        );
                    }
                }
            }
        }
    }
}

/// Values folds beside showdowns and on their own, and compares the bits.
fn check_beside(spot: &Spot, random: &mut Random) {
    // Random reach probabilities respect no symmetry.
    let game = GameLayout::with_isomorphism(spot, Isomorphism::Keep).unwrap().build();
    let [folds, showdowns] =
        [Terminal::Fold, Terminal::Showdown].map(|kind| batches(&game, kind).swap_remove(0));
    let folds = &folds[..folds.len().min(showdowns.len())];
    for (player, sums) in Player::BOTH
        .into_iter()
        .flat_map(|player| [(player, SumPrecision::Single), (player, SumPrecision::Double)])
    {
        let others = game.hands(Deal::ROOT, player.opponent()).len();
        let mut reach =
            || -> Vec<Row> { (0..others).map(|_| Row(std::array::from_fn(|_| random.share()))).collect() };
        let (reach, other_reach) = (reach(), reach());
        let nothing = vec![Row([f32::NAN; WIDTH]); game.hands(Deal::ROOT, player).len()];
        let value = |kind, nodes: &[NodeId], reach: &[Row]| {
            let mut values = nothing.clone();
            let folds = PairedFolds::None;
            game.evaluate(
                Deal::ROOT,
                player,
                sums,
                TerminalBatch { kind, nodes, reach, values: &mut values, folds },
            );
            values
        };
        let shown = value(Terminal::Showdown, &showdowns, &reach);
        let (mut values, mut apart) = (nothing.clone(), nothing.clone());
        let evaluate = |values: &mut [Row], folds: PairedFolds<'_>| {
            let (kind, nodes, reach) = (Terminal::Showdown, &showdowns[..], &reach[..]);
            game.evaluate(Deal::ROOT, player, sums, TerminalBatch { kind, nodes, reach, values, folds });
        };
        evaluate(&mut values, PairedFolds::SameReach { nodes: folds, values: &mut apart });
        let folded = value(Terminal::Fold, folds, &reach);
        let lanes = |rows: &[Row], count: usize| {
            rows.iter().flat_map(|row| row[..count].to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(lanes(&values, showdowns.len()), lanes(&shown, showdowns.len()));
        assert_eq!(lanes(&apart, folds.len()), lanes(&folded, folds.len()));

        evaluate(&mut values, PairedFolds::SameValues { nodes: folds, reach: &other_reach });
        let folded = value(Terminal::Fold, folds, &other_reach);
        for ((together, shown), folded) in values.iter().zip(&shown).zip(&folded) {
            for lane in 0..showdowns.len() {
                let sum = shown[lane] + if lane < folds.len() { folded[lane] } else { 0.0 };
                let scale = shown[lane].abs() + folded[lane].abs();
                // Wide sums are rounded once, after they are added up.
                assert!((together[lane] - sum).abs() <= 1e-6 * scale, "{} and not {sum}", together[lane]);
            }
        }
    }
}

#[test]
fn folds_are_worth_the_same_beside_showdowns() {
    let deck: Vec<Card> = Card::all().collect();
    for seed in 0..10 {
        let mut random = Random(seed);
        let board = Board::new(&random.cards(5, &deck)).unwrap();
        let ranges = [(); 2].map(|()| some_hands(&mut random, 30));
        let spot = Spot::new(ranges, board, options(60, 200, "50%,a", "3x")).unwrap();
        check_beside(&spot, &mut random);
    }
}

fn some_hands(random: &mut Random, share: usize) -> Range {
    let mut range = Range::default();
    for hole in Hole::all() {
        if random.below(100) < share {
            range.set(hole, random.share().max(0.01)).unwrap();
        }
    }
    range
}

#[test]
fn leaves_of_random_ranges_are_worth_the_sum_over_all_pairs() {
    let deck: Vec<Card> = Card::all().collect();
    for seed in 800..830 {
        let mut random = Random(seed);
        let board = Board::new(&random.cards(5, &deck)).unwrap();
        let ranges = [(); 2].map(|()| {
            let share = random.pick(&[1, 5, 20, 60]);
            some_hands(&mut random, share)
        });
        let mut options = options(60, 200, "50%,a", "3x");
        options.rake = random.pick(&[Rake::default(), Rake { rate: 0.05, cap: Some(9.0) }]);
        if let Ok(spot) = Spot::new(ranges, board, options) {
            check(&spot, &mut random);
        }
    }
}

#[test]
fn all_ins_of_random_ranges_are_worth_the_mean_over_all_runouts() {
    let deck: Vec<Card> = Card::all().collect();
    for (seed, cards, share, bets) in
        [(1, 4, 3, "50%,a"), (2, 4, 8, "50%,a"), (3, 4, 10, "a"), (4, 3, 1, "40%,a")]
    {
        let mut random = Random(seed);
        let board = Board::new(&random.cards(cards, &deck)).unwrap();
        // Both have some hands in common.
        let first = some_hands(&mut random, share);
        let mut second = some_hands(&mut random, share);
        first.iter().take(9).for_each(|(hole, weight)| second.set(hole, weight).unwrap());
        let mut options = options(60, 200, bets, "3x");
        options.rake = random.pick(&[Rake::default(), Rake { rate: 0.05, cap: Some(9.0) }]);
        let spot = Spot::new([first, second], board, options).unwrap();
        let game = GameLayout::new(&spot).unwrap().build();
        assert!(!batches(&game, Terminal::AllIn).is_empty(), "there are all-ins on {board}");
        check(&spot, &mut random);
    }
}

#[test]
fn leaves_of_full_ranges_are_worth_the_sum_over_all_pairs() {
    // Many ties, few ties, and nothing but ties.
    for (seed, board) in ["7s7h2d2c3s", "AsKhQd9c4s", "AsKsQsJsTs", "9h8h7h6h2c"].iter().enumerate() {
        let mut all = Range::default();
        Hole::all().for_each(|hole| all.set(hole, 1.0).unwrap());
        let mut options = options(60, 100, "50%", "");
        options.rake = Rake { rate: 0.03, cap: None };
        let spot = Spot::new([all.clone(), all], board.parse().unwrap(), options).unwrap();
        check(&spot, &mut Random(seed as u64));
    }
}

#[test]
fn the_same_single_hand_never_meets_itself() {
    let ranges = ["AhKh,QcQd", "AhKh,9s9c"].map(|range| range.parse().unwrap());
    let spot = Spot::new(ranges, "2c3d4h5s8c".parse().unwrap(), options(60, 100, "50%", "")).unwrap();
    check(&spot, &mut Random(1));
}
