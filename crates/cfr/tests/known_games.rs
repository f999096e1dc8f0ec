//! Kuhn and Leduc poker, whose values are published, on the same traversal as everything else.

use noregret_cfr::games::{Kuhn, Leduc};
use noregret_cfr::{
    CfrPlus, Dcfr, DcfrPlus, Deal, Game, HsDcfr, Lcfr, NodeId, PcfrPlus, PdcfrPlus, Player, Precision,
    SapcfrPlus, Schedule, StoragePrecision, Trainer, WarmUp, state_bytes,
};
use std::sync::Arc;

fn solve<G: Game>(game: Arc<G>, target: f64) -> Trainer<G> {
    let mut trainer = Trainer::new(game, Dcfr::default());
    while trainer.exploitability() > target {
        assert!(trainer.iteration() < 20_000, "stuck at {}", trainer.exploitability());
        for _ in 0..10 {
            trainer.iterate();
        }
    }
    trainer
}

#[test]
fn kuhn_poker_is_worth_minus_one_eighteenth() {
    let game = Arc::new(Kuhn::new());
    let trainer = solve(game.clone(), 5e-5);
    assert!((trainer.average().expected_value(Player::First) + 1.0 / 18.0).abs() < 1e-4);
    assert!((trainer.average().expected_value(Player::Second) - 1.0 / 18.0).abs() < 1e-4);
}

#[test]
fn kuhn_poker_has_its_one_equilibrium_shape() {
    let game = Arc::new(Kuhn::new());
    let trainer = solve(game.clone(), 3e-5);
    let strategy = |node| trainer.average().strategy(&trainer.average().start(), NodeId(node));
    let share = |node: u32, action: usize, hand: usize| strategy(node)[action][hand].unwrap();
    // First bets the jack a third as often as the king, and never the queen.
    let bluff = share(0, 1, 0);
    assert!((share(0, 1, 2) - 3.0 * bluff).abs() < 0.01, "{bluff}");
    assert!(share(0, 1, 1) < 0.01);
    // Second, after a check: bets the king, bluffs the jack a third of the time.
    assert!((share(1, 1, 0) - 1.0 / 3.0).abs() < 0.01);
    assert!(share(1, 1, 2) > 0.99);
    // Second, after a bet: calls with the queen a third of the time.
    assert!((share(2, 1, 1) - 1.0 / 3.0).abs() < 0.01);
}

#[test]
fn leduc_poker_is_worth_minus_0_0856() {
    let game = Arc::new(Leduc::new());
    let trainer = solve(game.clone(), 1e-4);
    assert!((trainer.average().expected_value(Player::First) + 0.0856).abs() < 2e-4);
}

#[test]
fn reading_values_at_the_root_gives_the_expected_value() {
    let game = Arc::new(Leduc::new());
    let trainer = solve(game.clone(), 1e-2);
    for player in Player::BOTH {
        let values = trainer.average().values(&trainer.average().start(), player);
        let mean: f64 =
            values.at(NodeId::ROOT).iter().map(|&v| f64::from(v)).sum::<f64>() / game.total_weight();
        assert!((mean - trainer.average().expected_value(player)).abs() < 1e-6);
    }
}

fn schedules() -> Vec<Box<dyn Schedule>> {
    vec![
        Box::new(Dcfr::default()),
        Box::new(Dcfr { restarts: true, ..Dcfr::default() }),
        Box::new(DcfrPlus::default()),
        Box::new(CfrPlus),
        Box::new(Lcfr),
        Box::new(PcfrPlus::default()),
        Box::new(PdcfrPlus::default()),
        Box::new(SapcfrPlus::default()),
        Box::new(HsDcfr::default()),
        Box::new(WarmUp { schedule: CfrPlus, iterations: 50 }),
    ]
}

#[test]
fn every_algorithm_finds_the_known_values() {
    for (kuhn, leduc) in schedules().into_iter().zip(schedules()) {
        let name = format!("{kuhn:?}");
        let game = Arc::new(Kuhn::new());
        let mut trainer = Trainer::new(game.clone(), kuhn);
        (0..1000).for_each(|_| trainer.iterate());
        let (exploitability, value) =
            (trainer.exploitability(), trainer.average().expected_value(Player::First));
        assert!(exploitability < 1e-3, "{name} on Kuhn: {exploitability}");
        assert!((value + 1.0 / 18.0).abs() < 2e-3, "{name} on Kuhn: {value}");

        let game = Arc::new(Leduc::new());
        let mut trainer = Trainer::new(game.clone(), leduc);
        (0..2000).for_each(|_| trainer.iterate());
        let (exploitability, value) =
            (trainer.exploitability(), trainer.average().expected_value(Player::First));
        assert!(exploitability < 5e-3, "{name} on Leduc: {exploitability}");
        assert!((value + 0.0856).abs() < 5e-3, "{name} on Leduc: {value}");
    }
}

#[test]
fn every_algorithm_finds_the_known_values_in_16_bits() {
    for schedule in schedules() {
        let name = format!("{schedule:?}");
        let game = Arc::new(Leduc::new());
        let storage = StoragePrecision::uniform(Precision::Bits16, Precision::Bits16);
        let mut trainer = Trainer::with_storage(game.clone(), schedule, &storage);
        (0..1000).for_each(|_| trainer.iterate());
        let (exploitability, value) =
            (trainer.exploitability(), trainer.average().expected_value(Player::First));
        assert!(exploitability < 1e-2, "{name}: {exploitability}");
        assert!((value + 0.0856).abs() < 1e-2, "{name}: {value}");
    }
}

#[test]
fn announced_memory_is_allocated_memory_in_every_precision() {
    let game = Arc::new(Leduc::new());
    let hands = |round: usize, player| {
        (0..game.deal_count(round)).map(|index| game.hand_count(Deal { round, index }, player)).collect()
    };
    for strategy in Precision::ALL {
        for regrets in Precision::ALL {
            let storage = StoragePrecision::uniform(strategy, regrets);
            for (schedule, predicts) in
                [(Box::new(CfrPlus) as Box<dyn Schedule>, false), (Box::new(PcfrPlus::default()), true)]
            {
                let trainer = Trainer::with_storage(game.clone(), schedule, &storage);
                assert_eq!(trainer.bytes(), state_bytes(game.tree(), hands, &storage, predicts));
            }
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits_in_every_precision_and_algorithm() {
    let digest = |threads, schedule: Box<dyn Schedule>, precision| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let game = Arc::new(Leduc::new());
            let mut trainer = Trainer::with_storage(
                game.clone(),
                schedule,
                &StoragePrecision::uniform(precision, precision),
            );
            (0..30).for_each(|_| trainer.iterate());
            trainer.average().digest()
        })
    };
    for precision in Precision::ALL {
        let [one, two, three] = [1, 2, 3].map(|threads| {
            let digests = schedules().into_iter().map(|schedule| digest(threads, schedule, precision));
            digests.collect::<Vec<String>>()
        });
        assert_eq!(one, two);
        assert_eq!(one, three);
        let mut distinct = one.clone();
        distinct.sort();
        distinct.dedup();
        assert!(distinct.len() > 7, "{precision:?}: schedules that should differ do not");
    }
}
