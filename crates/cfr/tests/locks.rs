//! Hands that are bound to a strategy play it, and everything else is solved around them.

use noregret_cfr::games::{Kuhn, Leduc};
use noregret_cfr::{
    CfrPlus, Dcfr, Deal, Game, Locks, NodeId, NodeKind, PdcfrPlus, Player, Precision, Schedule,
    StoragePrecision, SumPrecision, TerminalBatch, Trainer, Tree,
};
use std::ops::Range;
use std::sync::Arc;

/// A game with some hands locked.
struct Locked<G> {
    game: G,
    locks: Locks,
}

impl<G: Game> Locked<G> {
    fn new(game: G) -> Self {
        Self { game, locks: Locks::default() }
    }

    fn lock_hand(&mut self, deal: Deal, node: NodeId, hand: usize, probabilities: &[f32]) {
        let tree = self.game.tree();
        let NodeKind::Decision(player) = tree.node(node).kind else { panic!("nobody decides") };
        let hands = self.game.hand_count(deal, player);
        self.locks.lock(tree, (deal, node), hands, hand, probabilities);
    }

    fn lock(mut self, deal: Deal, node: u32, hand: usize, probabilities: &[f32]) -> Self {
        self.lock_hand(deal, NodeId(node), hand, probabilities);
        self
    }
}

impl<G: Game> Game for Locked<G> {
    fn tree(&self) -> &Tree {
        self.game.tree()
    }
    fn deal_count(&self, round: usize) -> usize {
        self.game.deal_count(round)
    }
    fn next_deals(&self, deal: Deal) -> Range<usize> {
        self.game.next_deals(deal)
    }
    fn chance(&self, round: usize) -> f64 {
        self.game.chance(round)
    }
    fn hand_count(&self, deal: Deal, player: Player) -> usize {
        self.game.hand_count(deal, player)
    }
    fn origins(&self, deal: Deal, player: Player) -> &[u16] {
        self.game.origins(deal, player)
    }
    fn weights(&self, player: Player) -> &[f32] {
        self.game.weights(player)
    }
    fn total_weight(&self) -> f64 {
        self.game.total_weight()
    }
    fn constant_sum(&self) -> Option<f64> {
        self.game.constant_sum()
    }
    fn locks(&self) -> &Locks {
        &self.locks
    }
    fn evaluate(&self, deal: Deal, player: Player, precision: SumPrecision, batch: TerminalBatch<'_>) {
        self.game.evaluate(deal, player, precision, batch);
    }
}

fn schedules() -> [Box<dyn Schedule>; 3] {
    [Box::new(Dcfr::default()), Box::new(CfrPlus), Box::new(PdcfrPlus::default())]
}

/// Kuhn poker's decision of the second player after a bet: fold or call.
const FACING_A_BET: u32 = 2;

#[test]
fn against_a_player_who_always_folds_everything_bets() {
    for schedule in schedules() {
        let game = (0..3).fold(Locked::new(Kuhn::new()), |game, hand| {
            game.lock(Deal::ROOT, FACING_A_BET, hand, &[1.0, 0.0])
        });
        let mut trainer = Trainer::new(Arc::new(game), schedule);
        (0..300).for_each(|_| trainer.iterate());
        // Every hand wins the ante of one.
        assert!((trainer.average().expected_value(Player::First) - 1.0).abs() < 1e-3);
        assert!(trainer.exploitability() < 1e-3);
        let root = trainer.average().strategy(&trainer.average().start(), NodeId::ROOT);
        // The king may wait for a bluff instead; hands that could lose a showdown bet.
        assert!(root[1][..2].iter().all(|share| share.unwrap() > 0.99), "{root:?}");
        let facing = trainer.average().strategy(&trainer.average().start(), NodeId(FACING_A_BET));
        assert_eq!(facing, [[Some(1.0); 3], [Some(0.0); 3]]);
    }
}

#[test]
fn a_lock_is_exact_in_every_precision_and_only_binds_its_hands() {
    for precision in Precision::ALL {
        // The queen calls too often; the jack and the king are free.
        let game = Locked::new(Kuhn::new()).lock(Deal::ROOT, FACING_A_BET, 1, &[0.3, 0.7]);
        let storage = StoragePrecision::uniform(precision, precision);
        let mut trainer = Trainer::with_storage(Arc::new(game), Dcfr::default(), &storage);
        for _ in 0..500 {
            trainer.iterate();
            let facing = trainer.average().strategy(&trainer.average().start(), NodeId(FACING_A_BET));
            assert_eq!((facing[0][1], facing[1][1]), (Some(0.3), Some(0.7)));
        }
        let facing = trainer.average().strategy(&trainer.average().start(), NodeId(FACING_A_BET));
        assert!(facing[0][0].unwrap() > 0.95 && facing[1][2].unwrap() > 0.95, "{facing:?}");
        // A queen that calls more than a third of the time is not bluffed.
        let bluff = trainer.average().strategy(&trainer.average().start(), NodeId::ROOT)[1][0].unwrap();
        assert!(bluff < 0.05, "{precision:?}: {bluff}");
    }
}

#[test]
fn a_locked_best_responder_plays_its_lock() {
    // First must bet the jack and check the rest; Second folds everything to a bet.
    let mut game = Locked::new(Kuhn::new());
    for (hand, shares) in [[0.0, 1.0], [1.0, 0.0], [1.0, 0.0]].iter().enumerate() {
        game = game.lock(Deal::ROOT, 0, hand, shares);
    }
    for hand in 0..3 {
        game = game.lock(Deal::ROOT, FACING_A_BET, hand, &[1.0, 0.0]);
    }
    let mut trainer = Trainer::new(Arc::new(game), Dcfr::default());
    (0..2000).for_each(|_| trainer.iterate());
    assert!(trainer.exploitability() < 1e-4, "{}", trainer.exploitability());
    // Free, First would bet everything and win 1; the jack does, the others check.
    let best = trainer.average().best_response_value(Player::First);
    assert!(best < 0.9 && (best - trainer.average().expected_value(Player::First)).abs() < 2e-4, "{best}");
}

/// The decisions of a game, with their number of actions.
fn decisions<G: Game>(game: &G) -> Vec<(usize, NodeId, Player, usize)> {
    let tree = game.tree();
    let nodes =
        (0..tree.round_count()).flat_map(|round| tree.round_nodes(round).map(move |node| (round, node)));
    nodes
        .filter_map(|(round, node)| match tree.node(node).kind {
            NodeKind::Decision(player) => {
                Some((round, node, player, usize::from(tree.node(node).child_count)))
            }
            _ => None,
        })
        .collect()
}

/// Leduc poker with everything that some players do locked to what a trainer has found.
fn locked_to(trainer: &Trainer<Leduc>, players: &[Player]) -> Locked<Leduc> {
    let game = trainer.game();
    let mut locked = Locked::new(Leduc::new());
    for (round, node, player, actions) in
        decisions(&**game).into_iter().filter(|(.., p, _)| players.contains(p))
    {
        for index in 0..game.deal_count(round) {
            let deal = Deal { round, index };
            let start = trainer.average().start();
            let reached = if round == 0 { start } else { trainer.average().follow(&start, index) };
            let strategy = trainer.average().strategy(&reached, node);
            for hand in 0..game.hand_count(deal, player) {
                let uniform = 1.0 / actions as f32;
                let shares: Vec<f32> =
                    strategy.iter().map(|action| action[hand].unwrap_or(uniform)).collect();
                locked.lock_hand(deal, node, hand, &shares);
            }
        }
    }
    locked
}

#[test]
fn a_game_that_is_locked_to_its_equilibrium_stays_where_it_was() {
    let game = Arc::new(Leduc::new());
    let mut trainer = Trainer::new(game, Dcfr::default());
    (0..1000).for_each(|_| trainer.iterate());
    let locked = locked_to(&trainer, &Player::BOTH);
    let mut again = Trainer::new(Arc::new(locked), Dcfr::default());
    (0..3).for_each(|_| again.iterate());
    for player in Player::BOTH {
        assert!(
            (again.average().expected_value(player) - trainer.average().expected_value(player)).abs() < 1e-6
        );
        assert!(
            (again.average().best_response_value(player) - again.average().expected_value(player)).abs()
                < 1e-6
        );
    }
    // Nobody is free to do better.
    assert!(again.exploitability() < 1e-6);
}

#[test]
fn one_player_locked_to_its_equilibrium_leaves_the_value() {
    let game = Arc::new(Leduc::new());
    let mut trainer = Trainer::new(game, Dcfr::default());
    (0..2000).for_each(|_| trainer.iterate());
    let locked = locked_to(&trainer, &[Player::Second]);
    let mut again = Trainer::new(Arc::new(locked), Dcfr::default());
    (0..300).for_each(|_| again.iterate());
    let (before, after) =
        (trainer.average().expected_value(Player::First), again.average().expected_value(Player::First));
    // First can only gain what the strategy of Second was exploitable by.
    assert!((after - before).abs() < 2.0 * trainer.exploitability() + 1e-3, "{before} {after}");
    assert!(again.exploitability() < 1e-3, "{}", again.exploitability());
}

#[test]
fn any_number_of_threads_gives_the_same_bits_with_locks() {
    let digest = |threads, schedule: Box<dyn Schedule>, precision| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut game = Locked::new(Leduc::new());
            for (round, node, player, actions) in decisions(&game.game).into_iter().step_by(2) {
                for index in 0..game.game.deal_count(round) {
                    let deal = Deal { round, index };
                    for hand in (0..game.game.hand_count(deal, player)).step_by(2) {
                        let mut shares = vec![0.3 / (actions - 1) as f32; actions];
                        shares[0] = 0.7;
                        game.lock_hand(deal, node, hand, &shares);
                    }
                }
            }
            let mut trainer = Trainer::with_storage(
                Arc::new(game),
                schedule,
                &StoragePrecision::uniform(precision, precision),
            );
            (0..20).for_each(|_| trainer.iterate());
            trainer.average().digest()
        })
    };
    for precision in Precision::ALL {
        let [one, two, three] =
            [1, 2, 3].map(|threads| schedules().map(|schedule| digest(threads, schedule, precision)));
        assert_eq!(one, two);
        assert_eq!(one, three);
    }
}
