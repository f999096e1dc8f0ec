//! Drills on a solved turn: deals by reach, opponents by the solution, grades by EV, the same from the same link.

use noregret_cards::Hole;
use noregret_drill::{Drill, DrillError, DrillHand, DrillSettings, Grade, HandEnd, HandState, solution_of};
use noregret_holdem::{
    Action, GameLayout, IP, Line, OOP, Player, SaveOptions, SolutionFile, Solver, Spec, Step, save,
};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A turn with a bet and a raise, after some iterations.
static SOLVED: LazyLock<SolutionFile> = LazyLock::new(|| {
    let spec: Spec = "[ranges]\noop = 'AA,QQ,T9s,87s,AhKh:0.5,JTs'\nip = 'KK,JJ,AQs,KTs,22:0.25'\n\
                      [cards]\nflop = 'QsJh2h'\nturn = '8c'\n\
                      [tree]\nstarting_pot = 100\neffective_stack = 300\n"
        .parse()
        .unwrap();
    let mut solver = Solver::with_options(GameLayout::new(&spec.spot).unwrap().build(), &spec.solver);
    (0..60).for_each(|_| solver.iterate());
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("turn.nrs");
    save(&path, &spec, &solver, &[], SaveOptions::default()).unwrap();
    let saved = SolutionFile::open(&path).unwrap();
    // Read what is needed of it while the folder is there.
    std::mem::forget(home);
    saved
});

fn settings(text: &str) -> DrillSettings {
    text.parse().unwrap()
}

fn hand(text: &str, number: u64, answers: &[Action]) -> Result<DrillHand, DrillError> {
    Drill::new(&SOLVED, &settings(text))?.hand(number, answers)
}

/// How far counts are from what is expected, and for how many degrees of freedom.
fn chi_square<K: std::hash::Hash + Eq>(counts: &HashMap<K, f64>, expected: &[(K, f64)]) -> (f64, f64) {
    let total: f64 = counts.values().sum();
    let weights: f64 = expected.iter().map(|(_, weight)| weight).sum();
    let mut sum = 0.0;
    let mut places = -1.0;
    for (key, weight) in expected {
        let expected = weight / weights * total;
        let seen = counts.get(key).copied().unwrap_or(0.0);
        if expected > 5.0 {
            sum += (seen - expected).powi(2) / expected;
            places += 1.0;
        }
        assert!(*weight > 0.0 || seen == 0.0, "what never happens has happened");
    }
    (sum, places)
}

/// Four standard deviations above the mean.
fn is_likely((sum, places): (f64, f64)) -> bool {
    assert!(places > 0.0);
    sum < places + 4.0 * (2.0 * places).sqrt()
}

#[test]
fn both_hands_are_dealt_by_their_reach_after_card_removal() {
    for (line, name, player) in [("", "oop", OOP), ("check", "ip", IP), ("check, bet 50", "oop", OOP)] {
        let line: Line = line.parse().unwrap();
        let settings = DrillSettings { line: line.clone(), ..settings(&format!("seed=11&player={name}")) };
        let drill = Drill::new(&SOLVED, &settings).unwrap();
        let (mut own, mut other) = (HashMap::<Hole, f64>::new(), HashMap::<Hole, f64>::new());
        for number in 0..6000 {
            let hand = drill.hand(number, &[]).unwrap();
            assert_eq!((&hand.line, hand.player), (&line, player));
            assert!(!hand.hole.set().intersects(hand.opponent_hole.set()));
            *own.entry(hand.hole).or_default() += 1.0;
            *other.entry(hand.opponent_hole).or_default() += 1.0;
        }
        let view = SOLVED.at(&line).unwrap();
        let shares = |player: Player| {
            view.hands[player.index()].iter().map(|hand| (hand.hole, hand.share)).collect::<Vec<_>>()
        };
        let [mine, theirs] =
            [chi_square(&own, &shares(player)), chi_square(&other, &shares(player.opponent()))];
        assert!(is_likely(mine) && is_likely(theirs), "{line}: {mine:?}, {theirs:?}");
    }
}

#[test]
fn the_opponent_plays_by_the_solution_and_cards_come_evenly() {
    let settings = settings("seed=3&player=oop");
    let drill = Drill::new(&SOLVED, &settings).unwrap();
    let line: Line = "check".parse().unwrap();
    let view = SOLVED.at(&line).unwrap();
    // What each hand of the opponent does after a check.
    let mut actions = HashMap::<(Hole, Action), f64>::new();
    let mut cards = HashMap::<u8, f64>::new();
    let mut checked = 0;
    for number in 0..2000 {
        let played = drill.hand(number, &[Action::Check]).unwrap();
        let Some(Step::Action(action)) = played.line.steps.get(1) else { continue };
        *actions.entry((played.opponent_hole, *action)).or_default() += 1.0;
        if let Some(Step::Card(card)) = played.line.steps.get(2) {
            assert!(!played.hole.set().union(played.opponent_hole.set()).contains(*card));
            *cards.entry(card.rank().index()).or_default() += 1.0;
            checked += 1;
        }
    }
    assert!(checked > 400);
    let mut likely = 0;
    let mut tried = 0;
    for hand in &view.hands[IP.index()] {
        let Some(strategy) = &hand.strategy else { continue };
        let seen: HashMap<Action, f64> = view
            .actions
            .iter()
            .filter_map(|action| Some((*action, *actions.get(&(hand.hole, *action))?)))
            .collect();
        let expected: Vec<(Action, f64)> =
            view.actions.iter().copied().zip(strategy.iter().copied()).collect();
        let (sum, places) = chi_square(&seen, &expected);
        if places > 0.0 {
            tried += 1;
            likely += usize::from(is_likely((sum, places)));
        }
    }
    assert!(tried > 5 && likely == tried, "{likely} of {tried}");
    // Deuces, which nobody's hand blocks but rarely, come about as often as sevens.
    let ratio = cards[&0] / cards[&5];
    assert!((0.5..1.2).contains(&ratio), "{ratio}");
}

#[test]
fn a_drill_is_the_same_from_the_same_link_and_another_from_another() {
    let text = "seed=77&play=decisions";
    let questions = |text: &str| -> Vec<DrillHand> {
        let settings = settings(&settings(text).to_string());
        let drill = Drill::new(&SOLVED, &settings).unwrap();
        (0..40).map(|number| drill.hand(number, &[]).unwrap()).collect()
    };
    assert_eq!(questions(text), questions(text));
    assert_ne!(questions(text), questions("seed=78&play=decisions"));
    let places = |seed: u64| -> Vec<Option<usize>> {
        let settings = DrillSettings { seed, ..DrillSettings::default() };
        (0..30).map(|number| solution_of(&settings, number, 3)).collect()
    };
    assert_eq!(places(1), places(1));
    for place in 0..3 {
        assert!(places(1).contains(&Some(place)));
    }
    assert_eq!(solution_of(&DrillSettings::default(), 0, 0), None);
}

#[test]
fn whole_hands_go_on_to_their_end_with_the_same_cards() {
    let settings = settings("seed=9");
    let drill = Drill::new(&SOLVED, &settings).unwrap();
    let mut ends = [0; 4];
    for number in 0..200 {
        let mut answers = Vec::new();
        let mut hand = drill.hand(number, &answers).unwrap();
        let dealt = (hand.player, hand.hole, hand.opponent_hole);
        while hand.state == HandState::Asked {
            // The likeliest action of the hand.
            let reach = SOLVED.reach_at(&hand.line).unwrap();
            let held = reach.hands[hand.player.index()].iter().find(|each| each.hole == hand.hole).unwrap();
            let strategy = held.strategy.as_ref().unwrap();
            let likeliest = (0..strategy.len()).max_by(|&a, &b| strategy[a].total_cmp(&strategy[b])).unwrap();
            answers.push(reach.actions[likeliest]);
            hand = drill.hand(number, &answers).unwrap();
            assert_eq!((hand.player, hand.hole, hand.opponent_hole), dealt);
        }
        match hand.state {
            HandState::Over(HandEnd::Folded(player)) => ends[player.index()] += 1,
            HandState::Over(HandEnd::Showdown(_)) => {
                assert_eq!(hand.board.cards().len(), 5);
                ends[2] += 1;
            }
            HandState::Over(HandEnd::Unplayed) => ends[3] += 1,
            state => panic!("{state:?}"),
        }
        assert!(matches!(
            drill.hand(number, &[answers, vec![Action::Check]].concat()),
            Err(DrillError::Answered)
        ));
    }
    assert!(ends[0] > 0 && ends[1] > 0 && ends[2] > 20 && ends[3] == 0, "{ends:?}");
}

#[test]
fn the_cards_to_come_do_not_depend_on_what_is_answered() {
    let settings = settings("seed=4&player=ip");
    let drill = Drill::new(&SOLVED, &settings).unwrap();
    let mut compared = 0;
    for number in 0..240 {
        let hand = drill.hand(number, &[]).unwrap();
        let cards = |action: &Action| -> Option<Step> {
            let after = drill.hand(number, &[*action]).ok()?;
            after.line.steps.iter().copied().find(|step| matches!(step, Step::Card(_)))
        };
        let reach = SOLVED.reach_at(&hand.line).unwrap();
        let seen: Vec<Step> = reach.actions.iter().filter_map(cards).collect();
        compared += usize::from(seen.len() > 1);
        assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
    }
    assert!(compared > 3, "{compared}");
}

#[test]
fn streets_and_hands_are_those_that_are_asked_for() {
    for number in 0..60 {
        let river = hand("seed=1&street=river&play=decisions&hands=pair", number, &[]).unwrap();
        assert_eq!(river.board.cards().len(), 5);
        let made = noregret_cards::MadeHand::of(river.hole, &river.board).unwrap();
        assert!(
            noregret_cards::HandKind::Pair.holds(made, &noregret_cards::Draws::of(river.hole, &river.board))
        );
        let aces = hand("seed=1&hands=AA&player=oop", number, &[]).unwrap();
        assert_eq!(noregret_cards::HandClass::of(aces.hole).to_string(), "AA");
        let turn = hand("seed=1&street=turn&player=oop", number, &[]).unwrap();
        let after = hand("seed=1&street=turn&player=oop", number, &[Action::Check]).unwrap();
        assert!(turn.board.cards().len() == 4 && after.board.cards().len() == 4);
    }
    let answered = hand("seed=1&street=turn&player=oop&play=decisions", 3, &[]).unwrap();
    let actions = SOLVED.reach_at(&answered.line).unwrap().actions;
    let after = hand("seed=1&street=turn&player=oop&play=decisions", 3, &actions[..1]).unwrap();
    assert_eq!(after.state, HandState::Over(HandEnd::Answered));
}

#[test]
fn what_the_solution_never_does_ends_the_hand() {
    let settings = settings("seed=2&player=oop");
    let drill = Drill::new(&SOLVED, &settings).unwrap();
    let ended = (0..80).any(|number| {
        let hand = drill.hand(number, &[]).unwrap();
        let reach = SOLVED.reach_at(&hand.line).unwrap();
        let held = reach.hands[0].iter().find(|each| each.hole == hand.hole).unwrap();
        let never = held.strategy.as_ref().unwrap().iter().position(|frequency| *frequency < 1e-5);
        never.is_some_and(|place| {
            let after = drill.hand(number, &[reach.actions[place]]).unwrap();
            assert_eq!(after.state, HandState::Over(HandEnd::Unplayed));
            true
        })
    });
    assert!(ended);
}

#[test]
fn grades_are_the_ev_of_the_best_action_less_that_of_the_answer() {
    let settings = settings("seed=8&play=decisions");
    let drill = Drill::new(&SOLVED, &settings).unwrap();
    for number in 0..40 {
        let hand = drill.hand(number, &[]).unwrap();
        let view = SOLVED.at(&hand.line).unwrap();
        let lines = noregret_report::hand_lines(SOLVED.game(), &view, hand.player);
        let evs = lines.iter().find(|line| line.hole == hand.hole).unwrap().action_evs.clone().unwrap();
        let most = evs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (place, action) in view.actions.iter().enumerate() {
            let grade = Grade::read(&SOLVED, &hand.line, hand.player, hand.hole, *action).unwrap();
            assert_eq!(grade.ev_loss, most - evs[place]);
            assert_eq!(
                grade.ev_loss_pct,
                100.0 * grade.ev_loss / noregret_report::pot(SOLVED.game(), view.node)
            );
            assert_eq!(grade.mistake.is_some(), grade.ev_loss_pct > 0.5);
            assert_eq!(grade.ev_loss_bb, None);
        }
    }
}

#[test]
fn what_cannot_be_asked_is_told() {
    let told = |text: &str, answers: &[Action]| hand(text, 0, answers).unwrap_err().to_string();
    assert_eq!(
        told("line=bet+50,+fold", &[]),
        "line: the hand is over there: give a line that ends before that"
    );
    assert!(told("line=bet+51", &[]).contains("bet 51"), "{}", told("line=bet+51", &[]));
    assert_eq!(
        told("hands=72o", &[]),
        "no hand that the settings choose comes to the line together with one of the opponent's"
    );
    assert_eq!(
        told("street=flop", &[]),
        "no hand came to such a decision in 256 deals: choose more hands, another street, or a line that leads nearer to it"
    );
    assert_eq!(told("player=oop", &[Action::Call]), "`call` is no action there: there is check, bet 50");
}
