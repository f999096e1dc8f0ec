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
    use crate::{GameLayout, Lock, Solver, SolverOptions, Spot, TreeOptions};

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
        assert!(solver.can_take_locks_of(&locked));
        assert!(!solver.can_take_locks_of(&spot(vec![check("QdJd")])));
        let solver = solver.under_locks_of(GameLayout::new(&locked).unwrap(), &options);
        let root = solver.root();
        let aces = root.hands[0].iter().find(|hand| hand.hole.to_string() == "AdAc").unwrap();
        assert_eq!(aces.strategy.as_deref(), Some(&[1.0, 0.0][..]));
        // The other player answers as before; how often depends on the hands that check.
        let after = solver.at(&"check".parse().unwrap()).unwrap();
        assert_eq!(after.frequencies.len(), reply.len());
        assert!(solver.results().exploitability() > before.exploitability());
    }
}
