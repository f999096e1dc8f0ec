//! What strategies are worth and what they give away.

/// What both players expect at the root, in chips; the starting pot is counted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Results {
    /// With their average strategies.
    pub ev: [f64; 2],
    /// With a best response to the other's.
    pub best_response: [f64; 2],
}

impl Results {
    /// Half of what two best responders would gain, in chips.
    pub fn exploitability(&self) -> f64 {
        let gains = self.best_response.iter().zip(&self.ev).map(|(best, ev)| best - ev);
        (gains.sum::<f64>() / 2.0).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        BettingTree, GameLayout, Isomorphism, Line, Lock, Precision, Solver, SolverOptions, Spot,
        StateBuffers, Step, TreeOptions, have_same_symmetries,
    };
    use noregret_cards::Hole;

    /// Every line of actions, with every card where one is dealt.
    fn lines(solver: &Solver) -> Vec<Line> {
        let (game, tree) = (solver.game(), solver.game().betting());
        let mut lines = vec![(BettingTree::ROOT, Line::default())];
        let mut next = 0;
        while let Some((node, line)) = lines.get(next).cloned() {
            next += 1;
            let after = |step| Line { steps: line.steps.iter().copied().chain([step]).collect() };
            for (i, child) in tree.children(node).enumerate() {
                if tree[child].action.is_some() && tree[node].kind != crate::BettingNodeKind::Chance {
                    let action = tree.actions(node).nth(i).unwrap();
                    lines.push((child, after(Step::Action(action))));
                } else {
                    let cards = game.next_cards(&line).unwrap();
                    lines.extend(cards.into_iter().map(|(card, _)| (child, after(Step::Card(card)))));
                }
            }
        }
        lines.into_iter().map(|(_, line)| line).collect()
    }

    fn spot(locks: Vec<Lock>) -> Spot {
        let ranges = ["AA,KK,QJs:0.5".parse().unwrap(), "TT+,AQs".parse().unwrap()];
        let spot = Spot::new(ranges, "QsJh2h3h".parse().unwrap(), TreeOptions::new(100.into(), 300.into()));
        spot.unwrap().with_locks(locks).unwrap()
    }

    fn check(hands: &str) -> Lock {
        Lock {
            line: Default::default(),
            hands: Some(hands.parse().unwrap()),
            strategy: vec![("check".parse().unwrap(), 1.0)],
            ..Lock::default()
        }
    }

    #[test]
    fn a_lock_changes_the_strategy_it_is_about_and_no_other() {
        let options = SolverOptions::default();
        let mut solver = Solver::with_options(GameLayout::new(&spot(vec![])).unwrap().build(), &options);
        (0..60).for_each(|_| solver.iterate());
        let before = solver.results();
        assert!((before.ev[0] + before.ev[1] - 100.0).abs() < 1e-3, "{before:?}");
        assert!((100.0 * before.exploitability() / 100.0 - solver.exploitability_pct()).abs() < 1e-3);
        let reply = solver.at(&"check".parse().unwrap()).unwrap().frequencies;

        let locked = spot(vec![check("AA,KK")]);
        assert!(have_same_symmetries(solver.game().spot(), &locked));
        assert!(!have_same_symmetries(solver.game().spot(), &spot(vec![check("QdJd")])));
        let solver = solver.laid_out_as(GameLayout::new(&locked).unwrap(), &options);
        let root = solver.root();
        let aces = root.hands[0].iter().find(|hand| hand.hole.to_string() == "AdAc").unwrap();
        assert_eq!(aces.strategy.as_deref(), Some(&[1.0, 0.0][..]));
        // The other player answers as before; how often depends on the hands that check.
        let after = solver.at(&"check".parse().unwrap()).unwrap();
        assert_eq!(after.frequencies.len(), reply.len());
        assert!(solver.results().exploitability() > before.exploitability());
    }

    /// How many iterations it takes to a target, from where a solver is.
    fn iterations_to(solver: &mut Solver, pct: f64) -> u32 {
        let mut iterations = 0;
        while iterations == 0 || solver.exploitability_pct() > pct {
            solver.iterate();
            iterations += 1;
        }
        iterations
    }

    #[test]
    fn a_solve_goes_on_from_its_regrets_when_locks_change() {
        let options = SolverOptions::default();
        let build = |locks| Solver::with_options(GameLayout::new(&spot(locks)).unwrap().build(), &options);
        let mut solver = build(vec![]);
        iterations_to(&mut solver, 0.1);
        assert!(solver.set_locks(vec![check("AA,KK")]).unwrap());
        let from_regrets = iterations_to(&mut solver, 0.1);
        let mut fresh = build(vec![check("AA,KK")]);
        let from_nothing = iterations_to(&mut fresh, 0.1);
        assert!(from_regrets < from_nothing, "{from_regrets} and {from_nothing}");
        let aces = |solver: &Solver| {
            let root = solver.root();
            root.hands[0].iter().find(|hand| hand.hole.to_string() == "AdAc").unwrap().strategy.clone()
        };
        assert_eq!(aces(&solver), Some(vec![1.0, 0.0]));
        let are_near = |a: &Solver, b: &Solver| {
            let (a, b) = (a.results(), b.results());
            assert!(a.ev.iter().zip(b.ev).all(|(a, b)| (a - b).abs() < 0.5), "{a:?} {b:?}");
        };
        are_near(&solver, &fresh);
        // Freed, they play as in the spot without locks.
        assert!(solver.set_locks(vec![]).unwrap());
        iterations_to(&mut solver, 0.1);
        let mut free = build(vec![]);
        iterations_to(&mut free, 0.1);
        are_near(&solver, &free);
    }

    #[test]
    fn locks_that_need_other_boards_or_lines_change_nothing() {
        let options = SolverOptions::default();
        let mut solver = Solver::with_options(GameLayout::new(&spot(vec![])).unwrap().build(), &options);
        (0..20).for_each(|_| solver.iterate());
        let digest = solver.digest();
        assert!(!solver.set_locks(vec![check("QdJd")]).unwrap(), "it tells suits apart");
        let nowhere = Lock { line: "bet 7".parse().unwrap(), ..check("AA") };
        assert!(solver.set_locks(vec![nowhere]).is_err());
        assert!(solver.digest() == digest && solver.game().spot().locks().is_empty());
    }

    #[test]
    fn the_memory_of_one_solver_serves_the_next() {
        let solve = |precision, buffers| {
            let options = SolverOptions::default().stored_in(precision, precision);
            let game = GameLayout::new(&spot(vec![])).unwrap().build();
            let mut solver = Solver::with_buffers(game, &options, buffers);
            (0..10).for_each(|_| solver.iterate());
            (solver.digest(), solver.state_bytes(), solver.into_buffers())
        };
        let (digest, state, buffers) = solve(Precision::Bits16, StateBuffers::default());
        let bytes = buffers.bytes();
        let (again, same_state, buffers) = solve(Precision::Bits16, buffers);
        assert_eq!((again, same_state, buffers.bytes()), (digest.clone(), state, bytes));
        // What does not fit is not used.
        let (_, _, larger) = solve(Precision::Bits32, buffers);
        assert!(larger.bytes() > bytes);
        let (again, same_state, buffers) = solve(Precision::Bits16, larger);
        assert_eq!((again, same_state), (digest, state));
        assert!((bytes..=bytes + bytes / 4).contains(&buffers.bytes()), "{} {bytes}", buffers.bytes());
    }

    #[test]
    fn another_layout_has_the_same_strategies_with_every_card_and_hand() {
        for precision in Precision::ALL {
            let options = SolverOptions::default().stored_in(precision, precision);
            let layout = |isomorphism| GameLayout::with_isomorphism(&spot(vec![]), isomorphism).unwrap();
            let mut solver = Solver::with_options(layout(Isomorphism::Merge).build(), &options);
            (0..20).for_each(|_| solver.iterate());
            let all = lines(&solver);
            let read = |solver: &Solver| -> Vec<_> {
                let hands = |line: &Line| {
                    let view = solver.at(line).unwrap();
                    view.hands.map(|hands| {
                        let of_hand = |hand: crate::HandView| (hand.hole, hand.reach, hand.strategy);
                        hands.into_iter().map(of_hand).collect::<Vec<_>>()
                    })
                };
                all.iter().map(hands).collect()
            };
            let (before, results) = (read(&solver), solver.results());
            let is_exact = precision == Precision::Bits32;
            // Hands that a symmetry turns into each other may round differently on the way to a board.
            let compare = |now: &Solver| {
                for (before, now) in before.iter().zip(read(now)).flat_map(|(a, b)| a.iter().zip(b)) {
                    assert_eq!(before.len(), now.len());
                    for ((hole, reach, strategy), now) in before.iter().zip(now) {
                        assert_eq!(*hole, now.0);
                        assert!(!is_exact || (reach - now.1).abs() < 1e-4, "{hole}: {reach} {}", now.1);
                        assert!(strategy.is_none() || now.2.is_none() || *strategy == now.2, "{hole}");
                    }
                }
            };
            let fine = solver.laid_out_as(layout(Isomorphism::Keep), &options);
            assert!(fine.game().boards()[2] == 48 && all.len() > 500);
            compare(&fine);
            let now = fine.results();
            let pairs = [(results.ev, now.ev), (results.best_response, now.best_response)];
            for (a, b) in pairs.iter().flat_map(|(a, b)| a.iter().zip(b)) {
                assert!(!is_exact || (a - b).abs() < 1e-3, "{results:?} {now:?}");
            }
            // And back.
            let coarse = fine.laid_out_as(layout(Isomorphism::Merge), &options);
            compare(&coarse);
        }
    }

    #[test]
    fn a_strategy_that_is_set_is_played_and_its_player_may_still_do_better() {
        for precision in [Precision::Bits8, Precision::Bits16, Precision::Bits32] {
            let options = SolverOptions::default().stored_in(precision, precision);
            let layout = GameLayout::with_isomorphism(&spot(vec![]), Isomorphism::Keep).unwrap();
            let mut solver = Solver::with_options(layout.build(), &options);
            (0..60).for_each(|_| solver.iterate());
            let before = solver.results();
            let line: Line = "check, check, Td, check".parse().unwrap();
            let aces: Hole = "AdAc".parse().unwrap();
            let holes: Vec<Hole> = solver.root().hands[0].iter().map(|hand| hand.hole).collect();
            let actions = solver.root().actions.len();
            let shares = |first: f64| [vec![first, 1.0 - first], vec![0.0; actions - 2]].concat();
            let hands: Vec<_> =
                holes.iter().map(|&hole| (hole, shares(if hole == aces { 0.25 } else { 1.0 }))).collect();
            solver.set_strategy(&Line::default(), &hands).unwrap();
            for hand in &solver.root().hands[0] {
                let expected = shares(if hand.hole == aces { 0.25 } else { 1.0 });
                let there = hand.strategy.as_ref().unwrap();
                let most = 0.5 / 255.0;
                assert!(there.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= most), "{there:?}");
                assert_eq!(
                    there.iter().filter(|share| **share > 0.0).count(),
                    if hand.hole == aces { 2 } else { 1 }
                );
            }
            let after = solver.results();
            assert_eq!(after.best_response[0], before.best_response[0], "what OOP could gain is up to IP");
            assert!(after.ev[0] < before.ev[0] && after.best_response[1] > before.best_response[1]);
            // A place after a card, for one hand of one runout.
            let other: Line = "check, check, Tc, check".parse().unwrap();
            let untouched = solver.at(&other).unwrap();
            let player = untouched.player.unwrap();
            let there = solver.at(&line).unwrap();
            let reached = there.hands[player.index()].iter().find(|hand| hand.strategy.is_some()).unwrap();
            let hole = reached.hole;
            let count = untouched.actions.len();
            let always_last = |hole| (hole, [vec![0.0; count - 1], vec![1.0]].concat());
            solver.set_strategy(&line, &[always_last(hole)]).unwrap();
            assert_eq!(solver.at(&other).unwrap().hands[player.index()], untouched.hands[player.index()]);
            let view = solver.at(&line).unwrap();
            let set = view.hands[player.index()].iter().find(|hand| hand.hole == hole).unwrap();
            assert_eq!(set.strategy, Some(always_last(hole).1));
            // Nobody decides where a card is dealt; and some lines are not there.
            solver.set_strategy(&"check, check".parse().unwrap(), &hands).unwrap();
            assert!(solver.set_strategy(&"bet 7".parse().unwrap(), &hands).is_err());
            // The average begins anew, so that little is left of it.
            (0..60).for_each(|_| solver.iterate());
            assert!(solver.results().exploitability() < 2.0 * before.exploitability());
        }
    }
}
