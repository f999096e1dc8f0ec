//! Drills of Texas 42: the same from the same link, exact opponents, and regrets that are those of the table and of the deals that
//! could be.

use noregret_dominoes::{
    Domino, ExpectOptions, Expectation, Game, PlayerView, Seat, TOTAL_POINTS, Table, Team,
};
use noregret_drill::{
    DominoAnswer, DominoDrill, DominoDrillError, DominoGrade, DominoHand, DominoSettings, DominoTotals,
    Verdict,
};

fn drill(text: &str) -> DominoDrill {
    DominoDrill::new(text.parse::<DominoSettings>().unwrap())
}

/// Plays a hand to its end by the lowest legal domino; every point where it asked, and the end.
fn played(drill: &DominoDrill, table: &Table, number: u64) -> (Vec<DominoHand>, DominoHand) {
    let (mut answers, mut asked) = (Vec::new(), Vec::new());
    loop {
        let hand = drill.hand(table, number, &answers).unwrap();
        if hand.game.is_over() {
            return (asked, hand);
        }
        answers.push(hand.game.legal().iter().next().unwrap());
        asked.push(hand);
    }
}

#[test]
fn a_hand_is_the_same_from_the_same_link_and_the_others_play_exactly() {
    let drill = drill("seed=11&seat=1");
    let table = drill.table(2);
    let (asked, end) = played(&drill, &table, 2);
    assert_eq!(played(&drill, &drill.table(2), 2), (asked.clone(), end.clone()));
    assert!(asked.len() > 2 && asked.iter().all(|hand| hand.is_asked() && hand.seat == Seat::ALL[1]));
    let mut game = Game::new(&end.deal, end.declaration);
    for &(seat, domino) in &end.plays {
        assert_eq!(game.turn(), seat);
        let evaluation = table.evaluate(&game.position(&end.deal)).unwrap();
        let local = end.deal.hand(seat).iter().position(|held| *held == domino).unwrap();
        if seat != end.seat {
            assert_eq!(evaluation.regret(local), Some(0), "seat {seat} plays {domino}");
        }
        game.play(domino).unwrap();
    }
    assert_eq!(end.points(), TOTAL_POINTS - end.game.score());
    // What the own plays gave away is all that is missing to best play by everybody.
    let given: u8 = asked
        .iter()
        .map(|hand| {
            let domino = hand.game.legal().iter().next().unwrap();
            let local = hand.deal.hand(hand.seat).iter().position(|held| *held == domino).unwrap();
            hand.evaluation(&table).unwrap().regret(local).unwrap()
        })
        .sum();
    assert_eq!(2 * (end.par(&table).unwrap() - end.points()), given);
}

#[test]
fn regrets_are_those_of_the_table_and_of_the_deals_that_could_be() {
    let drill = drill("seed=5&seat=2&worlds=40");
    let table = drill.table(0);
    let (asked, _) = played(&drill, &table, 0);
    for hand in asked.iter().rev().take(4) {
        for domino in hand.game.legal().iter() {
            let grade = DominoGrade::new(&table, hand, domino, 40, 5).unwrap();
            let plays: Vec<Domino> = hand.plays.iter().map(|(_, domino)| *domino).collect();
            let view = PlayerView::new(hand.deal.held(hand.seat, 0x7f), hand.declaration, &plays).unwrap();
            let options = ExpectOptions { worlds: 40, error: None, seed: 5 };
            let expected = Expectation::new(&view, &options, |_| true);
            let highest = expected.moves.iter().map(|play| play.mean()).fold(f64::MIN, f64::max);
            let chosen = grade.chosen().unwrap();
            let mean = expected.moves.iter().find(|play| play.domino == domino).unwrap().mean();
            assert_eq!((chosen.domino, chosen.mean, chosen.known_regret), (domino, mean, highest - mean));
            let mut after = hand.game.clone();
            after.play(domino).unwrap();
            let value = 2 * after.best_score() as i8 - TOTAL_POINTS as i8;
            assert_eq!(chosen.value, if hand.seat.team() == Team::Zero { value } else { -value });
            let best = grade.moves.iter().map(|play| play.value).max().unwrap();
            assert_eq!(i16::from(chosen.regret), i16::from(best) - i16::from(chosen.value));
            assert_eq!(grade.moves[grade.best_known].known_regret, 0.0);
        }
    }
}

#[test]
fn seats_and_declarations_are_those_that_are_asked_for() {
    let by_chance: Vec<usize> = (0..40)
        .map(|number| {
            let drill = drill("seed=3");
            let (deal, declaration) = drill.deal(number);
            assert!(declaration.number() < 7);
            let trump = |pip: u8| deal.hand(Seat::ALL[0]).iter().filter(|domino| domino.has_pip(pip)).count();
            assert!((0..7).all(|pip| trump(pip) <= trump(declaration.number())));
            number as usize
        })
        .collect();
    assert_eq!(by_chance.len(), 40);
    assert_eq!(drill("decl=doubles-trump").deal(3).1.number(), 7);
    assert_eq!(drill("seed=4").deal(3), drill("seed=7").deal(0));
}

#[test]
fn what_is_not_allowed_is_told() {
    let drill = drill("seed=11&seat=0");
    let table = drill.table(0);
    let hand = drill.hand(&table, 0, &[]).unwrap();
    let other = hand.deal.hand(Seat::ALL[1])[0];
    let told = drill.hand(&table, 0, &[other]).unwrap_err();
    assert!(told.to_string().contains(&format!("{other}")), "{told}");
    assert_eq!(DominoGrade::new(&table, &hand, other, 1, 0).unwrap_err(), told);
    assert_eq!(drill.hand(&table, 1, &[]), Err(DominoDrillError::Table));
    let (asked, end) = played(&drill, &table, 0);
    let mut answers: Vec<Domino> =
        asked.iter().map(|hand| hand.game.legal().iter().next().unwrap()).collect();
    answers.push(other);
    assert_eq!(drill.hand(&table, 0, &answers), Err(DominoDrillError::Over));
    assert_eq!(DominoGrade::new(&table, &end, other, 1, 0), Err(DominoDrillError::Over));
}

#[test]
fn totals_are_means_by_trick() {
    let answer = |trick, regret, known_regret, verdict| DominoAnswer {
        number: 0,
        trick,
        domino: "6-4".to_owned(),
        best: "6-4".to_owned(),
        best_known: "6-4".to_owned(),
        regret,
        known_regret,
        verdict,
    };
    let totals = DominoTotals::of(&[
        answer(1, 4, 1.0, Verdict::Inaccuracy),
        answer(1, 0, 0.0, Verdict::Best),
        answer(6, 2, 8.0, Verdict::Blunder),
    ]);
    assert_eq!(
        (totals.plays, totals.right, totals.regret, totals.known_regret),
        (3, 1, Some(2.0), Some(3.0))
    );
    let tricks: Vec<_> = totals.tricks.iter().map(|total| (total.trick, total.plays, total.regret)).collect();
    assert_eq!(tricks, [(1, 2, 2.0), (6, 1, 2.0)]);
    assert_eq!(DominoTotals::of(&[]), DominoTotals::default());
}
