//! A game that is cut after its first round is solved to the bits of one trainer, however its deals are distributed.

use noregret_cfr::games::Leduc;
use noregret_cfr::{
    ArrayKind, Branches, CfrPlus, CutError, Dcfr, Deal, EncodedArray, Game, Locks, MessageError, NodeId,
    NodeKind, PcfrPlus, Player, Precision, Schedule, StateBytes, StoragePrecision, SumPrecision,
    TerminalBatch, Trainer, TrainerProgress, Tree, Trunk,
};
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;

/// Leduc poker, with hands that are locked.
struct LockedLeduc {
    leduc: Leduc,
    locks: Locks,
}

impl LockedLeduc {
    fn new(is_locked: bool) -> Self {
        let leduc = Leduc::new();
        let mut locks = Locks::default();
        let tree = leduc.tree();
        // One hand at the root, and others at the first decision after one of the public cards.
        let second = tree.roots(1)[0];
        let places = [(Deal::ROOT, NodeId::ROOT, 0), (Deal { round: 1, index: 3 }, second, 2)];
        for (deal, node, hand) in places.into_iter().filter(|_| is_locked) {
            let NodeKind::Decision(player) = tree.node(node).kind else { panic!("nobody decides") };
            let actions = usize::from(tree.node(node).child_count);
            let mut probabilities = vec![0.25; actions];
            probabilities[0] = 1.0 - 0.25 * (actions - 1) as f32;
            locks.lock(tree, (deal, node), leduc.hand_count(deal, player), hand, &probabilities);
        }
        Self { leduc, locks }
    }
}

impl Game for LockedLeduc {
    fn tree(&self) -> &Tree {
        self.leduc.tree()
    }
    fn deal_count(&self, round: usize) -> usize {
        self.leduc.deal_count(round)
    }
    fn next_deals(&self, deal: Deal) -> Range<usize> {
        self.leduc.next_deals(deal)
    }
    fn chance(&self, round: usize) -> f64 {
        self.leduc.chance(round)
    }
    fn hand_count(&self, deal: Deal, player: Player) -> usize {
        self.leduc.hand_count(deal, player)
    }
    fn origins(&self, deal: Deal, player: Player) -> &[u16] {
        self.leduc.origins(deal, player)
    }
    fn weights(&self, player: Player) -> &[f32] {
        self.leduc.weights(player)
    }
    fn total_weight(&self) -> f64 {
        self.leduc.total_weight()
    }
    fn constant_sum(&self) -> Option<f64> {
        // As if there were a rake, so that exploitability needs expected values.
        None
    }
    fn locks(&self) -> &Locks {
        &self.locks
    }
    fn evaluate(&self, deal: Deal, player: Player, precision: SumPrecision, batch: TerminalBatch<'_>) {
        self.leduc.evaluate(deal, player, precision, batch);
    }
}

/// A way to train.
#[derive(Clone, Copy)]
struct Way {
    schedule: fn() -> Box<dyn Schedule>,
    precision: Precision,
    prunes: bool,
    skips: bool,
}

impl Way {
    fn storage(self) -> StoragePrecision {
        StoragePrecision::uniform(self.precision, self.precision)
    }

    fn whole<G: Game>(self, game: &Arc<G>) -> Trainer<G> {
        let trainer = Trainer::with_storage(game.clone(), (self.schedule)(), &self.storage());
        let trainer = trainer.pruning(self.prunes);
        if self.skips { trainer } else { trainer.without_skipping() }
    }
}

/// A game in parts on one machine.
struct Parts<G> {
    trunk: Trunk<G>,
    branches: Vec<Branches<G>>,
}

fn exchange<G: Game>(
    branches: &mut [Branches<G>],
) -> impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, MessageError> {
    // In any order.
    |request| branches.iter_mut().rev().map(|branch| branch.answer(request)).collect()
}

impl<G: Game> Parts<G> {
    fn new(game: &Arc<G>, way: Way, parts: usize) -> Self {
        let trunk = Trunk::new(game.clone(), (way.schedule)(), &way.storage()).pruning(way.prunes);
        let trunk = if way.skips { trunk } else { trunk.without_skipping() };
        let branches = (0..parts).map(|part| {
            let deals = (0..game.deal_count(1)).filter(|deal| deal % parts == part).collect();
            let branch = Branches::new(game.clone(), (way.schedule)(), &way.storage(), deals);
            let branch = branch.pruning(way.prunes);
            if way.skips { branch } else { branch.without_skipping() }
        });
        Self { branches: branches.collect(), trunk }
    }

    fn iterate(&mut self, iterations: u32) {
        (0..iterations).for_each(|_| self.trunk.iterate(&mut exchange(&mut self.branches)).unwrap());
    }

    fn digest(&mut self) -> String {
        self.trunk.digest(&mut exchange(&mut self.branches)).unwrap()
    }

    /// All numbers of the trunk and of each branch.
    fn checkpoint(&self) -> Saved {
        const KINDS: [ArrayKind; 3] = [ArrayKind::Strategy, ArrayKind::Regrets, ArrayKind::Predictions];
        let each = || Player::BOTH.into_iter().flat_map(|player| KINDS.map(|kind| (player, kind)));
        let game = self.trunk.game();
        let branch = |branch: &Branches<G>| {
            let places = branch.stored_deals().into_iter().flat_map(|deal| {
                let roots = game.tree().roots(deal.round);
                roots.into_iter().map(move |root| (deal, root))
            });
            let all =
                places.flat_map(|(deal, root)| each().map(move |(player, kind)| (deal, root, player, kind)));
            all.map(|at| (at, branch.encode(at.0, at.1, at.2, at.3))).collect()
        };
        Saved {
            progress: self.trunk.progress(),
            trunk: each().map(|at| (at, self.trunk.encode(at.0, at.1))).collect(),
            branches: self.branches.iter().map(branch).collect(),
        }
    }

    fn restore(&mut self, saved: &Saved) {
        for ((player, kind), array) in &saved.trunk {
            self.trunk.decode(*player, *kind, array).unwrap();
        }
        self.trunk.set_progress(saved.progress);
        for (branch, arrays) in self.branches.iter_mut().zip(&saved.branches) {
            for ((deal, root, player, kind), array) in arrays {
                branch.decode(*deal, *root, *player, *kind, array).unwrap();
            }
            branch.set_progress(saved.progress);
        }
    }
}

/// Where an array of a branch belongs.
type BranchPlace = (Deal, NodeId, Player, ArrayKind);

struct Saved {
    progress: TrainerProgress,
    trunk: Vec<((Player, ArrayKind), EncodedArray)>,
    branches: Vec<Vec<(BranchPlace, EncodedArray)>>,
}

fn ways() -> Vec<Way> {
    let dcfr: fn() -> Box<dyn Schedule> = || Box::new(Dcfr::default());
    let cfr_plus: fn() -> Box<dyn Schedule> = || Box::new(CfrPlus);
    let predicting: fn() -> Box<dyn Schedule> = || Box::new(PcfrPlus::default());
    let way = Way { schedule: dcfr, precision: Precision::Bits32, prunes: false, skips: true };
    vec![
        way,
        Way { precision: Precision::Bits16, ..way },
        Way { precision: Precision::Bits8, prunes: true, ..way },
        Way { precision: Precision::Bits4, schedule: cfr_plus, ..way },
        Way { precision: Precision::Bits16, schedule: predicting, ..way },
        Way { skips: false, ..way },
    ]
}

#[test]
fn parts_end_with_the_bits_of_the_whole() {
    for is_locked in [false, true] {
        let game = Arc::new(LockedLeduc::new(is_locked));
        for way in ways() {
            let mut whole = way.whole(&game);
            (0..40).for_each(|_| whole.iterate());
            let average = whole.average();
            for count in [1, 2, 3, 6] {
                let mut parts = Parts::new(&game, way, count);
                parts.iterate(40);
                assert_eq!(parts.digest(), average.digest(), "{count} parts, locked: {is_locked}");
                let Parts { trunk, branches } = &mut parts;
                assert_eq!(trunk.progress(), whole.progress());
                let exchange = &mut exchange(branches);
                assert_eq!(trunk.exploitability(exchange).unwrap(), average.exploitability());
                for player in Player::BOTH {
                    assert_eq!(
                        trunk.expected_value(player, exchange).unwrap(),
                        average.expected_value(player)
                    );
                }
            }
        }
    }
}

#[test]
fn values_at_chance_nodes_are_those_of_the_whole() {
    let game = Arc::new(LockedLeduc::new(true));
    let way = ways()[1];
    let (mut whole, mut parts) = (way.whole(&game), Parts::new(&game, way, 2));
    (0..15).for_each(|_| whole.iterate());
    parts.iterate(15);
    let average = whole.average();
    for player in Player::BOTH {
        let values = parts.trunk.chance_values(player, &mut exchange(&mut parts.branches)).unwrap();
        let response = noregret_cfr::Response::Average;
        assert_eq!(values, average.chance_values(&average.start(), player, response));
        // Nothing follows the second round of Leduc poker.
        let deal = Deal { round: 1, index: 0 };
        assert_eq!(parts.branches[0].chance_values(deal, player), Some(Vec::new()));
    }
}

#[test]
fn iterations_after_a_lost_part_are_made_again_to_the_same_bits() {
    let game = Arc::new(LockedLeduc::new(false));
    for way in ways() {
        let mut whole = way.whole(&game);
        (0..30).for_each(|_| whole.iterate());
        let mut parts = Parts::new(&game, way, 3);
        parts.iterate(12);
        let saved = parts.checkpoint();
        parts.iterate(5);
        // The second branch is lost in the middle of an iteration: the first has made its update, the others have not.
        let mut asked = 0;
        let Parts { trunk, branches } = &mut parts;
        let error = trunk.iterate(&mut |request: &[u8]| {
            asked += 1;
            if asked == 2 {
                branches[0].answer(request).unwrap();
                return Err("lost");
            }
            branches.iter_mut().map(|branch| branch.answer(request).map_err(|_| "refused")).collect()
        });
        assert!(matches!(error, Err(CutError::Transport("lost"))));
        let fresh = Parts::new(&game, way, 3);
        parts.branches[1] = fresh.branches.into_iter().nth(1).unwrap();
        parts.restore(&saved);
        parts.iterate(18);
        assert_eq!(parts.digest(), whole.average().digest());
    }
}

#[test]
fn memory_divides_by_the_parts() {
    let game = Arc::new(Leduc::new());
    let way = ways()[1];
    let sum = |bytes: StateBytes| bytes.regrets + bytes.strategy;
    let Parts { trunk, branches } = Parts::new(&game, way, 6);
    let whole = sum(way.whole(&game).bytes());
    assert!(sum(trunk.bytes()) < whole / 3);
    assert!(branches.iter().all(|branch| sum(branch.bytes()) < whole / 3));
    let deals: Vec<Deal> = branches.iter().flat_map(Branches::stored_deals).collect();
    assert_eq!(deals, (0..6).map(|index| Deal { round: 1, index }).collect::<Vec<_>>());
}

/// A request of the first update, and what the second of two branches answers.
fn messages() -> (Vec<u8>, Vec<u8>) {
    let mut parts = Parts::new(&Arc::new(Leduc::new()), ways()[0], 2);
    let mut seen = (Vec::new(), Vec::new());
    let Parts { trunk, branches } = &mut parts;
    let _: Result<(), CutError<()>> = trunk.iterate(&mut |request: &[u8]| {
        seen = (request.to_vec(), branches[1].answer(request).unwrap());
        Err(())
    });
    seen
}

/// Where one of the three vectors of a request of Leduc poker is, its first byte included: all have six hands at as many chance nodes.
fn vector_at(request: &[u8], vector: usize) -> Range<usize> {
    let step = 8;
    let bytes = (request.len() - step) / 3;
    step + vector * bytes..step + (vector + 1) * bytes
}

#[test]
fn messages_that_are_cut_off_or_changed_are_refused() {
    let (request, _) = messages();
    let answer = |bytes: &[u8]| {
        let mut branch = Parts::new(&Arc::new(Leduc::new()), ways()[0], 2).branches.pop().unwrap();
        branch.answer(bytes).map_err(|error| error.to_string())
    };
    assert!(answer(&request).is_ok());
    for len in 0..request.len() {
        assert_eq!(answer(&request[..len]).unwrap_err(), "a message is damaged: it ends too early");
    }
    let changed = |at: usize, byte: u8| {
        let mut bytes = request.clone();
        bytes[at] = byte;
        answer(&bytes)
    };
    let longer = [request.as_slice(), &[0]].concat();
    assert_eq!(answer(&longer).unwrap_err(), "a message is damaged: it goes on too long");
    assert_eq!(
        changed(0, 9).unwrap_err(),
        "a message has version 9, and this program reads version 1: run the same version everywhere"
    );
    for (at, byte) in [(1, 200), (2, 2), (3, 1)] {
        let error = changed(at, byte).unwrap_err();
        assert_eq!(error, "a message is damaged: it asks for something that there is not");
    }
    assert_eq!(
        changed(4, 7).unwrap_err(),
        "a message is about an update of player 1 in iteration 7, and an update of player 1 in iteration 1 is due"
    );
    assert_eq!(
        changed(2, 1).unwrap_err(),
        "a message is about an update of player 2 in iteration 1, and an update of player 1 in iteration 1 is due"
    );
    // The last number becomes an infinite one.
    let end = request.len();
    let mut bytes = request.clone();
    bytes[end - 4..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert_eq!(answer(&bytes).unwrap_err(), "a message is damaged: one of its numbers is not finite");
    // Whatever one byte becomes, nothing panics.
    (0..end).for_each(|at| drop(changed(at, request[at] ^ 0x55)));
    // Vectors that are left out where others are there: the byte after the step says whether there is one.
    let vectors = [0, 1, 2].map(|vector| vector_at(&request, vector));
    let without = |vector: usize| {
        let range = vectors[vector].clone();
        answer(&[&request[..range.start], &[0], &request[range.end..]].concat())
    };
    for vector in [1, 2] {
        let error = without(vector).unwrap_err();
        assert_eq!(error, "a message is damaged: own reach probabilities are not those of an update");
    }
}

#[test]
fn answers_that_do_not_have_each_deal_once_are_refused() {
    let (_, answer) = messages();
    let with = |answers: Vec<Vec<u8>>| {
        let mut trunk = Parts::new(&Arc::new(Leduc::new()), ways()[0], 2).trunk;
        let result = trunk.iterate(&mut |_: &[u8]| Ok::<_, Infallible>(answers.clone()));
        result.unwrap_err().to_string()
    };
    assert_eq!(with(vec![]), "deal 0 is in none of the answers, or in more than one");
    assert_eq!(with(vec![answer.clone()]), "deal 0 is in none of the answers, or in more than one");
    assert_eq!(with(vec![answer.clone(); 2]), "deal 1 is in none of the answers, or in more than one");
    assert_eq!(with(vec![answer[..20].to_vec()]), "a message is damaged: it ends too early");
    let mut other = answer.clone();
    other[8] = 99;
    assert_eq!(with(vec![other]), "deal 99 is in none of the answers, or in more than one");
    let mut later = answer;
    later[4] = 3;
    assert_eq!(
        with(vec![later]),
        "a message is about an update of player 1 in iteration 3, and an update of player 1 in iteration 1 is due"
    );
}
