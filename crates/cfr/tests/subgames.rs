//! Parts of a game as games of their own: their numbers are those of the whole, and solving them again is safe.

use noregret_cfr::games::Leduc;
use noregret_cfr::{
    Bound, CfrPlus, Dcfr, Deal, Game, Kept, NodeId, Numbers, NumbersError, PdcfrPlus, Player, Precision,
    Reached, Response, Schedule, Shape, Solver, Storage, Subgame, resolve,
};

const ARRAYS: [Kept; 3] = [Kept::Strategy, Kept::Regrets, Kept::Predictions];

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
fn a_solver_goes_on_from_its_numbers_as_if_nothing_had_happened() {
    let game = Leduc::new();
    for precision in Precision::ALL {
        let storage = Storage::uniform(precision, precision);
        for (one, other) in schedules().into_iter().zip(schedules()) {
            let predicts = one.foresight() > 0.0;
            let mut through = Solver::with_storage(&game, one, &storage);
            (0..17).for_each(|_| through.iterate());
            let mut copy = Solver::with_storage(&game, other, &storage);
            for (deal, root) in places(&game) {
                for player in Player::BOTH {
                    for kept in ARRAYS {
                        let numbers = through.numbers(deal, root, player, kept);
                        copy.set_numbers(deal, root, player, kept, &numbers).unwrap();
                        assert_eq!(copy.numbers(deal, root, player, kept), numbers);
                        let shape = Shape::of(&game, deal, root, player, kept, precision);
                        let there = kept != Kept::Predictions || predicts;
                        let [alive, scales] =
                            [shape.alive, shape.scales].map(|bytes| if there { bytes } else { 0 });
                        assert_eq!((numbers.alive.len(), numbers.scales.len()), (alive, scales));
                        assert_eq!((numbers.width, numbers.numbers.len() % shape.width), (shape.width, 0));
                    }
                }
            }
            copy.set_progress(through.progress());
            for solver in [&mut through, &mut copy] {
                (0..10).for_each(|_| solver.iterate());
            }
            assert_eq!(copy.digest(), through.digest(), "{precision:?}");
        }
    }
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    let game = Leduc::new();
    for precision in Precision::ALL {
        let mut solver =
            Solver::with_storage(&game, Dcfr::default(), &Storage::uniform(precision, precision));
        (0..5).for_each(|_| solver.iterate());
        let mut set = |kept, numbers: &Numbers| {
            solver.set_numbers(Deal::ROOT, NodeId::ROOT, Player::First, kept, numbers)
        };
        let shape = |kept| Shape::of(&game, Deal::ROOT, NodeId::ROOT, Player::First, kept, precision);
        let nothing = |kept| Numbers {
            alive: vec![0; shape(kept).alive],
            numbers: Vec::new(),
            width: shape(kept).width,
            scales: vec![0; shape(kept).scales],
            learned: None,
        };
        let no_regrets = nothing(Kept::Regrets);
        assert_eq!(set(Kept::Regrets, &no_regrets), Ok(()));
        // A hand that takes no action is not one.
        assert_eq!(set(Kept::Strategy, &nothing(Kept::Strategy)), Err(NumbersError::Range));
        assert_eq!(set(Kept::Predictions, &no_regrets), Err(NumbersError::Length));
        for longer in [
            Numbers { alive: [&no_regrets.alive[..], &[0]].concat(), ..no_regrets.clone() },
            Numbers { numbers: vec![0; shape(Kept::Regrets).width], ..no_regrets.clone() },
            Numbers { scales: [&no_regrets.scales[..], &[0]].concat(), ..no_regrets.clone() },
            Numbers { alive: no_regrets.alive[1..].to_vec(), ..no_regrets.clone() },
        ] {
            assert_eq!(set(Kept::Regrets, &longer), Err(NumbersError::Length));
        }
        let mut one = no_regrets.clone();
        one.alive[0] = 1;
        assert_eq!(set(Kept::Regrets, &one), Err(NumbersError::Length));
        // Not a number, or beyond what so many bits hold.
        one.numbers = match precision {
            Precision::Bits32 => f32::NAN.to_le_bytes().to_vec(),
            Precision::Bits16 => i16::MIN.to_le_bytes().to_vec(),
            Precision::Bits8 => i8::MIN.to_le_bytes().to_vec(),
            Precision::Bits4 => vec![8],
        };
        let lowest = matches!(precision, Precision::Bits16 | Precision::Bits8);
        assert_eq!(set(Kept::Regrets, &one), if lowest { Ok(()) } else { Err(NumbersError::Range) });
        if precision != Precision::Bits32 {
            let mut endless = no_regrets.clone();
            endless.scales[0] = 255;
            assert_eq!(set(Kept::Regrets, &endless), Err(NumbersError::Range));
        }
    }
}

/// A solver of Leduc poker that is some way to the equilibrium.
fn half_solved(game: &Leduc) -> Solver<'_, Leduc> {
    let mut solver = Solver::new(game, Dcfr::default());
    (0..60).for_each(|_| solver.iterate());
    solver
}

fn reaches(solver: &Solver<'_, Leduc>, at: &Reached, node: NodeId) -> [Vec<f32>; 2] {
    Player::BOTH.map(|player| solver.reach(at, node, player))
}

#[test]
fn a_part_with_the_strategies_of_the_whole_has_its_values() {
    let game = Leduc::new();
    let solver = half_solved(&game);
    let mut compared = 0;
    for index in game.next_deals(Deal::ROOT) {
        let at = solver.follow(&solver.start(), index);
        for (number, root) in game.tree().roots(1).into_iter().enumerate() {
            let part = Subgame::new(&game, at.deal(), root, reaches(&solver, &at, root));
            let mut again = Solver::new(&part, CfrPlus);
            for player in Player::BOTH {
                let numbers = solver.numbers(at.deal(), root, player, Kept::Strategy);
                again.set_numbers(Deal::ROOT, NodeId::ROOT, player, Kept::Strategy, &numbers).unwrap();
            }
            for player in Player::BOTH {
                for response in [Response::Average, Response::Best] {
                    let whole = &solver.root_values(&at, player, response)[number];
                    assert_eq!(&again.root_values(&again.start(), player, response)[0], whole);
                }
                let (whole, part_values) = (solver.values(&at, player), again.values(&again.start(), player));
                for node in part.tree().round_nodes(0) {
                    assert_eq!(part_values.at(node), whole.at(part.place(node)));
                    assert_eq!(part.find(part.place(node)), Some(node));
                    assert_eq!(again.strategy(&again.start(), node), solver.strategy(&at, part.place(node)));
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn a_round_whose_exits_are_known_has_the_values_of_the_whole() {
    let game = Leduc::new();
    let solver = half_solved(&game);
    let start = solver.start();
    let exits = Player::BOTH.map(|player| solver.exit_values(&start, player, Response::Average));
    let part =
        Subgame::to_chance(&game, Deal::ROOT, NodeId::ROOT, reaches(&solver, &start, NodeId::ROOT), exits);
    let mut again = Solver::new(&part, CfrPlus);
    for player in Player::BOTH {
        let numbers = solver.numbers(Deal::ROOT, NodeId::ROOT, player, Kept::Strategy);
        again.set_numbers(Deal::ROOT, NodeId::ROOT, player, Kept::Strategy, &numbers).unwrap();
    }
    for player in Player::BOTH {
        let (whole, part_values) = (solver.values(&start, player), again.values(&again.start(), player));
        for node in part.tree().round_nodes(0) {
            assert_eq!(part_values.at(node), whole.at(part.place(node)));
        }
    }
}

/// Solves the second round of Leduc poker again, every part on its own, and says how exploitable the whole is then.
fn stitched(solver: &mut Solver<'_, Leduc>, game: &Leduc, natural: f32, before_the_card: bool) -> f64 {
    let start = solver.start();
    let cuts: Vec<(Deal, NodeId)> = if before_the_card {
        game.tree().exits(0).map(|exit| (Deal::ROOT, exit)).collect()
    } else {
        places(game).into_iter().filter(|(deal, _)| deal.round == 1).collect()
    };
    let mut found = Vec::new();
    for (deal, node) in cuts {
        let at = if before_the_card { solver.start() } else { solver.follow(&start, deal.index) };
        let part = Subgame::new(game, deal, node, reaches(solver, &at, node));
        for hero in Player::BOTH {
            let villain = hero.opponent();
            let values = if before_the_card {
                let number = game.tree().exits(0).position(|exit| exit == node).unwrap();
                solver.exit_values(&at, villain, Response::Best).swap_remove(number)
            } else {
                let number = game.tree().roots(1).iter().position(|&root| root == node).unwrap();
                solver.root_values(&at, villain, Response::Best).swap_remove(number)
            };
            let entries = vec![1.0; values.len()];
            let bound =
                Bound { values: &values, entries: &entries, tolerance: 1e-6, max_iterations: 2000, natural };
            let again = resolve(&part, hero, &bound);
            for (sub, root) in places(&part) {
                let numbers = again.numbers(sub, root, hero, Kept::Strategy);
                found.push((part.deal(sub), part.place(root), hero, numbers));
            }
        }
    }
    for (deal, root, hero, numbers) in found {
        if deal.round == 1 {
            solver.set_numbers(deal, root, hero, Kept::Strategy, &numbers).unwrap();
        }
    }
    solver.exploitability()
}

#[test]
fn solving_all_parts_again_gives_nothing_away() {
    let game = Leduc::new();
    for before_the_card in [false, true] {
        for natural in [0.0, 0.2] {
            let mut solver = half_solved(&game);
            let before = solver.exploitability();
            let after = stitched(&mut solver, &game, natural, before_the_card);
            println!("{before} {after}");
            assert!(after <= before, "{before} became {after}");
        }
    }
    // Without the choice to take the former value, it does.
    let mut solver = half_solved(&game);
    let before = solver.exploitability();
    let after = stitched(&mut solver, &game, 1.0, false);
    println!("{before} {after}");
    assert!(after > before, "{before} became {after}");
}
