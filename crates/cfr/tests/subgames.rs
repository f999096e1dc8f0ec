//! Parts of a game as games of their own: their numbers are those of the whole, and solving them again is safe.

use noregret_cfr::games::Leduc;
use noregret_cfr::{
    ArrayKind, CfrPlus, Dcfr, Deal, DecodeError, EncodedArray, EncodedShape, Game, NodeId, PdcfrPlus, Player,
    Precision, ReachedDeal, ResolveBound, Response, Schedule, StoragePrecision, Subgame, Trainer, resolve,
};
use std::sync::Arc;

const ARRAYS: [ArrayKind; 3] = [ArrayKind::Strategy, ArrayKind::Regrets, ArrayKind::Predictions];

/// Every (deal, root) of a game.
fn places<G: Game>(game: &G) -> Vec<(Deal, NodeId)> {
    let rounds = 0..game.tree().round_count();
    let deals = rounds.flat_map(|round| (0..game.deal_count(round)).map(move |index| Deal { round, index }));
    deals.flat_map(|deal| game.tree().roots(deal.round).into_iter().map(move |root| (deal, root))).collect()
}

fn schedules() -> [Box<dyn Schedule>; 3] {
    [Box::new(Dcfr::default()), Box::new(CfrPlus), Box::new(PdcfrPlus::default())]
}

#[test]
fn a_trainer_resumes_from_its_encoded_arrays_with_the_same_bits() {
    let game = Arc::new(Leduc::new());
    for precision in Precision::ALL {
        let storage = StoragePrecision::uniform(precision, precision);
        for (one, other) in schedules().into_iter().zip(schedules()) {
            let predicts = one.prediction_weight() > 0.0;
            let mut through = Trainer::with_storage(game.clone(), one, &storage);
            (0..17).for_each(|_| through.iterate());
            let mut copy = Trainer::with_storage(game.clone(), other, &storage);
            for (deal, root) in places(&*game) {
                for player in Player::BOTH {
                    for kept in ARRAYS {
                        let numbers = through.encode(deal, root, player, kept);
                        copy.decode(deal, root, player, kept, &numbers).unwrap();
                        assert_eq!(copy.encode(deal, root, player, kept), numbers);
                        let shape = EncodedShape::of(&*game, deal, root, player, kept, precision);
                        let there = kept != ArrayKind::Predictions || predicts;
                        let [support, scales] =
                            [shape.support, shape.scales].map(|bytes| if there { bytes } else { 0 });
                        assert_eq!((numbers.support.len(), numbers.scales.len()), (support, scales));
                        assert_eq!((numbers.width, numbers.numbers.len() % shape.width), (shape.width, 0));
                    }
                }
            }
            copy.set_progress(through.progress());
            for trainer in [&mut through, &mut copy] {
                (0..10).for_each(|_| trainer.iterate());
            }
            assert_eq!(copy.average().digest(), through.average().digest(), "{precision:?}");
        }
    }
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    let game = Arc::new(Leduc::new());
    for precision in Precision::ALL {
        let mut trainer = Trainer::with_storage(
            game.clone(),
            Dcfr::default(),
            &StoragePrecision::uniform(precision, precision),
        );
        (0..5).for_each(|_| trainer.iterate());
        let mut set = |kept, numbers: &EncodedArray| {
            trainer.decode(Deal::ROOT, NodeId::ROOT, Player::First, kept, numbers)
        };
        let shape = |kept| EncodedShape::of(&*game, Deal::ROOT, NodeId::ROOT, Player::First, kept, precision);
        let nothing = |kept| EncodedArray {
            support: vec![0; shape(kept).support],
            numbers: Vec::new(),
            width: shape(kept).width,
            scales: vec![0; shape(kept).scales],
            last_update: None,
        };
        let no_regrets = nothing(ArrayKind::Regrets);
        assert_eq!(set(ArrayKind::Regrets, &no_regrets), Ok(()));
        // A hand that takes no action is not one.
        assert_eq!(set(ArrayKind::Strategy, &nothing(ArrayKind::Strategy)), Err(DecodeError::Range));
        assert_eq!(set(ArrayKind::Predictions, &no_regrets), Err(DecodeError::Length));
        for longer in [
            EncodedArray { support: [&no_regrets.support[..], &[0]].concat(), ..no_regrets.clone() },
            EncodedArray { numbers: vec![0; shape(ArrayKind::Regrets).width], ..no_regrets.clone() },
            EncodedArray { scales: [&no_regrets.scales[..], &[0]].concat(), ..no_regrets.clone() },
            EncodedArray { support: no_regrets.support[1..].to_vec(), ..no_regrets.clone() },
        ] {
            assert_eq!(set(ArrayKind::Regrets, &longer), Err(DecodeError::Length));
        }
        let mut one = no_regrets.clone();
        one.support[0] = 1;
        assert_eq!(set(ArrayKind::Regrets, &one), Err(DecodeError::Length));
        // Not a number, or beyond what so many bits hold.
        one.numbers = match precision {
            Precision::Bits32 => f32::NAN.to_le_bytes().to_vec(),
            Precision::Bits16 => i16::MIN.to_le_bytes().to_vec(),
            Precision::Bits8 => i8::MIN.to_le_bytes().to_vec(),
            Precision::Bits4 => vec![8],
        };
        let lowest = matches!(precision, Precision::Bits16 | Precision::Bits8);
        assert_eq!(set(ArrayKind::Regrets, &one), if lowest { Ok(()) } else { Err(DecodeError::Range) });
        if precision != Precision::Bits32 {
            let mut endless = no_regrets.clone();
            endless.scales[0] = 255;
            assert_eq!(set(ArrayKind::Regrets, &endless), Err(DecodeError::Range));
        }
    }
}

/// A trainer of Leduc poker that is some way to the equilibrium.
fn half_solved(game: &Arc<Leduc>) -> Trainer<Leduc> {
    let mut trainer = Trainer::new(game.clone(), Dcfr::default());
    (0..60).for_each(|_| trainer.iterate());
    trainer
}

fn reaches(trainer: &Trainer<Leduc>, at: &ReachedDeal, node: NodeId) -> [Vec<f32>; 2] {
    Player::BOTH.map(|player| trainer.average().reach(at, node, player))
}

#[test]
fn a_part_with_the_strategies_of_the_whole_has_its_values() {
    let game = Arc::new(Leduc::new());
    let trainer = half_solved(&game);
    let mut compared = 0;
    for index in game.next_deals(Deal::ROOT) {
        let at = trainer.average().follow(&trainer.average().start(), index);
        for (number, root) in game.tree().roots(1).into_iter().enumerate() {
            let part = Arc::new(Subgame::new(game.clone(), at.deal(), root, reaches(&trainer, &at, root)));
            let mut again = Trainer::new(part.clone(), CfrPlus);
            for player in Player::BOTH {
                let numbers = trainer.encode(at.deal(), root, player, ArrayKind::Strategy);
                again.decode(Deal::ROOT, NodeId::ROOT, player, ArrayKind::Strategy, &numbers).unwrap();
            }
            for player in Player::BOTH {
                for response in [Response::Average, Response::Best] {
                    let whole = &trainer.average().root_values(&at, player, response)[number];
                    assert_eq!(
                        &again.average().root_values(&again.average().start(), player, response)[0],
                        whole
                    );
                }
                let (whole, part_values) = (
                    trainer.average().values(&at, player),
                    again.average().values(&again.average().start(), player),
                );
                for node in part.tree().round_nodes(0) {
                    assert_eq!(part_values.at(node), whole.at(part.original_node(node)));
                    assert_eq!(part.find(part.original_node(node)), Some(node));
                    assert_eq!(
                        again.average().strategy(&again.average().start(), node),
                        trainer.average().strategy(&at, part.original_node(node))
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn a_round_whose_exits_are_known_has_the_values_of_the_whole() {
    let game = Arc::new(Leduc::new());
    let trainer = half_solved(&game);
    let start = trainer.average().start();
    let chance_nodes =
        Player::BOTH.map(|player| trainer.average().chance_values(&start, player, Response::Average));
    let reach = reaches(&trainer, &start, NodeId::ROOT);
    let part = Arc::new(Subgame::to_chance(game.clone(), Deal::ROOT, NodeId::ROOT, reach, chance_nodes));
    let mut again = Trainer::new(part.clone(), CfrPlus);
    for player in Player::BOTH {
        let numbers = trainer.encode(Deal::ROOT, NodeId::ROOT, player, ArrayKind::Strategy);
        again.decode(Deal::ROOT, NodeId::ROOT, player, ArrayKind::Strategy, &numbers).unwrap();
    }
    for player in Player::BOTH {
        let (whole, part_values) = (
            trainer.average().values(&start, player),
            again.average().values(&again.average().start(), player),
        );
        for node in part.tree().round_nodes(0) {
            assert_eq!(part_values.at(node), whole.at(part.original_node(node)));
        }
    }
}

/// Solves the second round of Leduc poker again, every part on its own, and says how exploitable the whole is then.
fn stitched(trainer: &mut Trainer<Leduc>, game: &Arc<Leduc>, natural: f32, before_the_card: bool) -> f64 {
    let start = trainer.average().start();
    let cuts: Vec<(Deal, NodeId)> = if before_the_card {
        game.tree().chance_nodes(0).map(|chance_node| (Deal::ROOT, chance_node)).collect()
    } else {
        places(&**game).into_iter().filter(|(deal, _)| deal.round == 1).collect()
    };
    let mut found = Vec::new();
    for (deal, node) in cuts {
        let at = if before_the_card {
            trainer.average().start()
        } else {
            trainer.average().follow(&start, deal.index)
        };
        let part = Arc::new(Subgame::new(game.clone(), deal, node, reaches(trainer, &at, node)));
        for hero in Player::BOTH {
            let opponent = hero.opponent();
            let values = if before_the_card {
                let number = game.tree().chance_nodes(0).position(|chance_node| chance_node == node).unwrap();
                trainer.average().chance_values(&at, opponent, Response::Best).swap_remove(number)
            } else {
                let number = game.tree().roots(1).iter().position(|&root| root == node).unwrap();
                trainer.average().root_values(&at, opponent, Response::Best).swap_remove(number)
            };
            let entries = vec![1.0; values.len()];
            let bound = ResolveBound {
                values: &values,
                entries: &entries,
                tolerance: 1e-6,
                max_iterations: 2000,
                natural,
            };
            let again = resolve(&part, hero, &bound);
            for (sub, root) in places(&*part) {
                let numbers = again.encode(&*part, sub, root, hero);
                found.push((part.original_deal(sub), part.original_node(root), hero, numbers));
            }
        }
    }
    for (deal, root, hero, numbers) in found {
        if deal.round == 1 {
            trainer.decode(deal, root, hero, ArrayKind::Strategy, &numbers).unwrap();
        }
    }
    trainer.exploitability()
}

#[test]
fn solving_all_parts_again_gives_nothing_away() {
    let game = Arc::new(Leduc::new());
    for before_the_card in [false, true] {
        for natural in [0.0, 0.2] {
            let mut trainer = half_solved(&game);
            let before = trainer.exploitability();
            let after = stitched(&mut trainer, &game, natural, before_the_card);
            println!("{before} {after}");
            assert!(after <= before, "{before} became {after}");
        }
    }
    // Without the choice to take the former value, it does.
    let mut trainer = half_solved(&game);
    let before = trainer.exploitability();
    let after = stitched(&mut trainer, &game, 1.0, false);
    println!("{before} {after}");
    assert!(after > before, "{before} became {after}");
}
