//! What two specs do not have in common.

use crate::Spec;
use crate::text::excerpt;

/// The first thing that matters for a solve under way and that a new spec has otherwise than the old one, in words. Locks do not: what
/// has been learned is still worth something with others.
pub(super) fn difference(old: &Spec, new: &Spec) -> Option<String> {
    // Precisions that are to be picked stay what they were.
    let new = Spec { solver: new.solver.picked_as(&old.solver), ..new.clone() };
    let (old, new) = (lines(old), lines(&new));
    let place = old.iter().zip(&new).position(|(old, new)| old != new).unwrap_or(old.len().min(new.len()));
    let shown = |text: &str| excerpt(text);
    match (old.get(place), new.get(place)) {
        (Some((key, before)), Some((same, after))) if key == same => {
            Some(format!("{key} is {} there and {} here", shown(before), shown(after)))
        }
        (Some((key, before)), _) if new.iter().all(|(other, _)| other != key) => {
            Some(format!("{key} is {} there and not set here", shown(before)))
        }
        (_, Some((key, after))) => Some(format!("{key} is not set there and {} here", shown(after))),
        (Some((key, before)), None) => Some(format!("{key} is {} there and not set here", shown(before))),
        (None, None) => None,
    }
}

/// The keys of a spec with their values, those left out that do not matter.
fn lines(spec: &Spec) -> Vec<(String, String)> {
    let mut spec = spec.clone();
    spec.output = Default::default();
    spec.spot = spec.spot.without_locks();
    spec.solver.dry_run = false;
    spec.solver.target_exploitability_pct = 0.0;
    if !spec.solver.warm_start.enabled {
        spec.solver.warm_start = Default::default();
    }
    // This algorithm stretches its schedule over all iterations.
    if !spec.solver.algorithm.plans_for_last_iteration() {
        spec.solver.max_iterations = 1;
    }
    let mut section = String::new();
    let mut lines = Vec::new();
    for line in spec.to_string().lines() {
        if let Some((key, value)) = line.split_once(" = ").filter(|_| !line.starts_with('[')) {
            lines.push((format!("{section}.{key}"), value.to_owned()));
        } else if line.starts_with('[') {
            section = line.trim_matches(['[', ']']).to_owned();
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[ranges]\noop = 'AA'\nip = 'KK'\n[cards]\nflop = 'QsJh2h'\n[tree]\nstarting_pot = 100\n\
                        effective_stack = 300\n[solver]\nmax_iterations = 50\n";

    fn changed(old: &str, new: &str) -> Option<String> {
        assert!(TEXT.contains(old));
        difference(&TEXT.parse().unwrap(), &TEXT.replacen(old, new, 1).parse().unwrap())
    }

    #[test]
    fn what_matters_is_named() {
        assert_eq!(changed("'AA'", "'AA,QQ'").unwrap(), "ranges.oop is \"AA\" there and \"AA,QQ\" here");
        assert_eq!(changed("2h", "3h").unwrap(), "cards.flop is \"QsJh2h\" there and \"QsJh3h\" here");
        assert_eq!(changed("= 100", "= 120").unwrap(), "tree.starting_pot is 100 there and 120 here");
        assert_eq!(
            changed("[solver]", "[solver]\nalpha = 2").unwrap(),
            "solver.alpha is not set there and 2.0 here"
        );
        let flop = "[cards]\nflop = 'QsJh2h'\nturn = '8c'";
        assert_eq!(
            changed("[cards]\nflop = 'QsJh2h'", flop).unwrap(),
            "cards.turn is not set there and \"8c\" here"
        );
        let in_bits =
            |bits: u8| TEXT.replace("[solver]", &format!("[solver]\nprecision = '{bits}'")).parse().unwrap();
        let bits = "solver.flop.strategy_bits is 32 there and 8 here";
        assert_eq!(difference(&in_bits(32), &in_bits(8)).unwrap(), bits);
        let (old, new) = (TEXT.replace("[solver]", "[solver]\nalpha = 2"), TEXT);
        let only = difference(&old.parse().unwrap(), &new.parse().unwrap()).unwrap();
        assert_eq!(only, "solver.alpha is 2.0 there and not set here");
    }

    #[test]
    fn what_may_differ_does_not_matter() {
        assert_eq!(changed("[solver]", "[solver]"), None);
        assert_eq!(changed("max_iterations = 50", "max_iterations = 70"), None);
        let more = "[output]\ndirectory = 'x'\n[solver]\ntarget_exploitability_pct = 0.5\nzstd_compression_level = 9";
        assert_eq!(changed("[solver]", more), None);
    }

    #[test]
    fn locks_may_differ() {
        assert_eq!(changed("[solver]", "[[locks]]\nline = ''\nstrategy = { check = 1.0 }\n[solver]"), None);
    }

    #[test]
    fn the_last_iteration_matters_to_an_algorithm_that_stretches_over_all_of_them() {
        let old = TEXT.replace("[solver]", "[solver]\nalgorithm = 'hs-dcfr'");
        let new = old.replace("= 50", "= 70");
        let difference = difference(&old.parse().unwrap(), &new.parse().unwrap()).unwrap();
        assert_eq!(difference, "solver.max_iterations is 50 there and 70 here");
    }
}
