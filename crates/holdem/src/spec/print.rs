//! A spec as the text that reads back as it.

use super::Spec;
use super::solver::STREET_SOLVERS;
use crate::betting::locks::{Lock, LockBy, Merit, MeritTarget};
use crate::betting::position::{IP, OOP};
use crate::betting::size::SizeList;
use crate::betting::tree::TreeOptions;
use crate::betting::unit::Unit;
use crate::options::{Exponents, PrecisionChoice, WarmStart};
use noregret_cards::{Board, Hole, Range, Street};
use std::collections::BTreeMap;
use std::fmt;

impl fmt::Display for Spec {
    /// Every key with its value, in a fixed order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[ranges]")?;
        writeln!(f, "oop = \"{}\"", self.spot.range(OOP))?;
        writeln!(f, "ip = \"{}\"\n", self.spot.range(IP))?;
        write_cards(f, self.spot.board())?;
        write_tree(f, self.spot.options())?;
        self.spot.locks().iter().try_for_each(|lock| write_lock(f, lock))?;
        let (solver, output) = (&self.solver, &self.output);
        writeln!(f, "[solver]")?;
        writeln!(f, "max_iterations = {}", solver.max_iterations)?;
        writeln!(f, "target_exploitability_pct = {:?}", solver.target_exploitability_pct)?;
        writeln!(f, "algorithm = \"{}\"", solver.algorithm)?;
        let Exponents { alpha, beta, gamma } = solver.exponents;
        for (key, exponent) in [("alpha", alpha), ("beta", beta), ("gamma", gamma)] {
            if let Some(exponent) = exponent {
                writeln!(f, "{key} = {exponent:?}")?;
            }
        }
        if solver.restarts {
            writeln!(f, "restarts = true")?;
        }
        if solver.warm_up > 0 {
            writeln!(f, "warm_up = {}", solver.warm_up)?;
        }
        if solver.prunes {
            writeln!(f, "enable_pruning = true")?;
        }
        writeln!(f, "zstd_compression_level = {}", output.zstd_compression_level)?;
        writeln!(f, "dry_run = {}", solver.dry_run)?;
        match solver.precision_choice {
            PrecisionChoice::Auto => writeln!(f, "precision = \"auto\"")?,
            PrecisionChoice::Profile => writeln!(f, "precision = \"profile\"")?,
            PrecisionChoice::Given => {}
        }
        let precisions = solver.strategy_precision.iter().zip(&solver.regret_precision);
        let precisions = precisions.filter(|_| solver.precision_choice == PrecisionChoice::Given);
        for (section, (strategy, regret)) in STREET_SOLVERS.iter().zip(precisions) {
            writeln!(
                f,
                "\n[{section}]\nstrategy_bits = {}\nregret_bits = {}",
                strategy.bits(),
                regret.bits()
            )?;
        }
        write_warm_start(f, &solver.warm_start)?;
        match &output.directory {
            Some(directory) => {
                writeln!(f, "\n[output]\ndirectory = {}", toml::Value::String(directory.clone()))
            }
            None => Ok(()),
        }
    }
}

fn write_cards(f: &mut fmt::Formatter<'_>, board: &Board) -> fmt::Result {
    let cards: Vec<String> = board.cards().iter().map(ToString::to_string).collect();
    let (flop, rest) = cards.split_at(3);
    writeln!(f, "[cards]\nflop = \"{}\"", flop.concat())?;
    for (street, card) in ["turn", "river"].iter().zip(rest) {
        writeln!(f, "{street} = \"{card}\"")?;
    }
    writeln!(f)
}

fn write_tree(f: &mut fmt::Formatter<'_>, options: &TreeOptions) -> fmt::Result {
    writeln!(f, "[tree]")?;
    writeln!(f, "starting_pot = {}", options.starting_pot)?;
    writeln!(f, "effective_stack = {}", options.effective_stack)?;
    if options.unit != Unit::default() || options.big_blind.is_some() {
        writeln!(f, "unit = \"{}\"", options.unit)?;
    }
    options.big_blind.map_or(Ok(()), |blind| writeln!(f, "big_blind = {blind:?}"))?;
    writeln!(f, "rake_rate = {:?}", options.rake.rate)?;
    options.rake.cap.map_or(Ok(()), |cap| writeln!(f, "rake_cap = {cap:?}"))?;
    writeln!(f, "add_allin_threshold = {:?}", options.add_allin_threshold)?;
    writeln!(f, "force_allin_threshold = {:?}", options.force_allin_threshold)?;
    writeln!(f, "merging_threshold = {:?}\n", options.merging_threshold)?;
    for (list, lines) in [("add", &options.edits.add), ("remove", &options.edits.remove)] {
        lines.iter().try_for_each(|line| writeln!(f, "[[tree.{list}]]\nline = \"{line}\"\n"))?;
    }
    let list = |f: &mut fmt::Formatter<'_>, key, list: &SizeList| writeln!(f, "{key} = \"{list}\"");
    for street in Street::ALL {
        let [oop, ip] = &options.sizes[street.index()];
        writeln!(f, "[bet_sizes.{street}]")?;
        list(f, "oop_bet", &oop.bet)?;
        list(f, "oop_raise", &oop.raise)?;
        list(f, "ip_bet", &ip.bet)?;
        list(f, "ip_raise", &ip.raise)?;
        options.donk[street.index()].as_ref().map_or(Ok(()), |donk| list(f, "oop_donk", donk))?;
        writeln!(f)?;
    }
    Ok(())
}

/// The table with a blank line before it; nothing if it is as if there were none.
fn write_warm_start(f: &mut fmt::Formatter<'_>, warm_start: &WarmStart) -> fmt::Result {
    if *warm_start == WarmStart::default() {
        return Ok(());
    }
    let WarmStart { enabled, iterations, weight, sizes } = warm_start;
    writeln!(f, "\n[solver.warm_start]\nenabled = {enabled}\niterations = {iterations}")?;
    match weight {
        Some(weight) => writeln!(f, "weight = {weight}")?,
        None => writeln!(f, "weight = \"auto\"")?,
    }
    writeln!(f, "sizes = {sizes}")
}

fn write_lock(f: &mut fmt::Formatter<'_>, lock: &Lock) -> fmt::Result {
    writeln!(f, "[[locks]]\nline = \"{}\"", lock.line)?;
    lock.hands.as_ref().map_or(Ok(()), |hands| writeln!(f, "hands = \"{}\"", whole_hands(hands)))?;
    if !lock.kinds.is_empty() {
        let kinds: Vec<String> = lock.kinds.iter().map(ToString::to_string).collect();
        writeln!(f, "kind = \"{}\"", kinds.join(" | "))?;
    }
    let shares: Vec<String> =
        lock.strategy.iter().map(|(step, share)| format!("\"{step}\" = {share:?}")).collect();
    let shares = shares.join(", ");
    let LockBy::Merit(Merit { target, resolved }) = &lock.by else {
        return writeln!(f, "strategy = {{ {shares} }}\n");
    };
    let key = if *target == MeritTarget::Change { "change" } else { "strategy" };
    writeln!(f, "by = \"merit\"\n{key} = {{ {shares} }}")?;
    if let Some(resolved) = resolved {
        writeln!(f, "resolved = {{ {} }}", resolved_hands(resolved))?;
    }
    writeln!(f)
}

/// Hands by what they do, those that do the same together.
fn resolved_hands(resolved: &[(Hole, Vec<f64>)]) -> String {
    let mut groups: BTreeMap<String, Range> = BTreeMap::new();
    for (hole, shares) in resolved {
        let shares: Vec<String> = shares.iter().map(|share| format!("{share:?}")).collect();
        // 1 is a weight that every range takes.
        let _ = groups.entry(shares.join(", ")).or_default().set(*hole, 1.0);
    }
    let group = |(shares, hands): (&String, &Range)| format!("\"{}\" = [{shares}]", whole_hands(hands));
    groups.iter().map(group).collect::<Vec<_>>().join(", ")
}

/// Hands as text without weights, which locks do not take: one by one where a kind of hands is not there as a whole.
fn whole_hands(hands: &Range) -> String {
    let text = hands.to_string();
    if !text.contains(':') {
        return text;
    }
    let holes: Vec<String> = hands.iter().map(|(hole, _)| hole.to_string()).collect();
    holes.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OutputOptions, Rake, SizeKind, SolverOptions, Spot, StreetSizes, WarmStart};
    use noregret_cards::Card;
    use proptest::prelude::*;

    #[test]
    fn locks_of_single_hands_are_read_again() {
        let text = "[ranges]\noop = 'KQs,AA'\nip = 'QQ'\n[cards]\nflop = 'Kh9h4c'\nturn = '9s'\n[tree]\nstarting_pot = 60\n\
                    effective_stack = 100\n[[locks]]\nline = ''\nhands = 'KsQs,KdQd,AcAd'\nstrategy = { check = 1.0 }\n";
        let spec: Spec = text.parse().unwrap();
        assert_eq!(spec.to_string().parse::<Spec>().unwrap(), spec);
    }

    #[test]
    fn a_spec_prints_every_key() {
        let options = TreeOptions::new(180.into(), 910.into());
        let board = "QsJh2h8c".parse().unwrap();
        let spot = Spot::new(["AA".parse().unwrap(), "KK".parse().unwrap()], board, options).unwrap();
        let output = OutputOptions { directory: Some("a \"b\"".to_owned()), ..Default::default() };
        let spec = Spec { spot, solver: SolverOptions::default(), output };
        let text = spec.to_string();
        assert!(text.starts_with(
            "[ranges]\noop = \"AA\"\nip = \"KK\"\n\n[cards]\nflop = \"QsJh2h\"\nturn = \"8c\"\n"
        ));
        assert!(text.contains("[bet_sizes.river]\noop_bet = \"50%\"\noop_raise = \"2.5x\"\n"));
        assert!(text.ends_with("[output]\ndirectory = 'a \"b\"'\n"));
    }

    fn any_range() -> impl Strategy<Value = Range> {
        let hands = prop::collection::vec(
            (prop::sample::select(Hole::all().collect::<Vec<_>>()), 0.0f32..=1.0),
            0..12,
        );
        let groups = ["", "88+,A5s-A2s:0.5", "22+,A2+,K2s+:0.3,98o-65o"];
        (prop::sample::select(groups.to_vec()), hands).prop_map(|(groups, hands)| {
            let mut range: Range = groups.parse().unwrap();
            hands.into_iter().for_each(|(hole, weight)| range.set(hole, weight).unwrap());
            range
        })
    }

    fn any_list(kind: SizeKind) -> impl Strategy<Value = SizeList> {
        let texts = ["", "50%", "33.3%, 75%", "e, a", "20c3r", "3e200%", "full", "medium, 1c"];
        prop::sample::select(texts.to_vec()).prop_map(move |text| SizeList::parse(text, kind).unwrap())
    }

    fn any_options() -> impl Strategy<Value = TreeOptions> {
        let sizes = (any_list(SizeKind::Bet), any_list(SizeKind::Raise))
            .prop_map(|(bet, raise)| StreetSizes { bet, raise });
        let donk = prop::option::of(any_list(SizeKind::Bet));
        let thresholds = (0.0f64..3.0, 0.0f64..1e300, 0.0f64..1e-9);
        let rake = (0.0f64..=1.0, prop::option::of(0.0f64..1e12));
        let sizes = prop::array::uniform3(prop::array::uniform2(sizes));
        (1u16.., 1u16.., rake, thresholds, sizes, donk).prop_map(
            |(pot, stack, (rate, cap), (add, force, merge), sizes, donk)| TreeOptions {
                rake: Rake { rate, cap },
                add_allin_threshold: add,
                force_allin_threshold: force,
                merging_threshold: merge,
                sizes,
                donk: [None, donk.clone(), donk],
                ..TreeOptions::new(pot.into(), stack.into())
            },
        )
    }

    prop_compose! {
        fn any_warm_start()(
            enabled in any::<bool>(),
            iterations in 1..=WarmStart::MAX_ITERATIONS,
            weight in prop::option::of(1..=WarmStart::MAX_ITERATIONS),
            sizes in 1..=WarmStart::MAX_SIZES,
        ) -> WarmStart {
            WarmStart { enabled, iterations, weight, sizes }
        }
    }

    prop_compose! {
        fn any_spec()(
            ranges in prop::array::uniform2(any_range()),
            cards in prop::sample::subsequence(Card::all().collect::<Vec<_>>(), 3..=5).prop_shuffle(),
            options in any_options(),
            max_iterations in 1..=SolverOptions::MAX_ITERATIONS,
            target_exploitability_pct in 0.0f64..100.0,
            dry_run in any::<bool>(),
            prunes in any::<bool>(),
            precision_choice in prop::sample::select(vec![PrecisionChoice::Auto, PrecisionChoice::Profile, PrecisionChoice::Given]),
            warm_start in any_warm_start(),
            directory in prop::option::of("[^\0]{1,20}"),
            zstd_compression_level in 0..=OutputOptions::MAX_COMPRESSION,
            locked in any::<bool>(),
            added in prop::option::of(1u32..9),
        ) -> Option<Spec> {
            let mut options = options;
            let added = added.filter(|&bet| bet < options.effective_stack.count());
            options.edits.add.extend(added.map(|bet| format!("check, bet {bet}").parse().unwrap()));
            let spot = Spot::new(ranges, Board::new(&cards).ok()?, options).ok()?;
            let check = |line: &str| Lock {
                line: line.parse().unwrap(),
                hands: None,
                strategy: vec![("check".parse().unwrap(), 1.0)],
                ..Lock::default()
            };
            let locks = if locked { vec![check(""), check("check")] } else { vec![] };
            Some(Spec {
                spot: spot.with_locks(locks).unwrap(),
                solver: SolverOptions { max_iterations, target_exploitability_pct, dry_run, prunes, precision_choice, warm_start, ..Default::default() },
                output: OutputOptions { directory, zstd_compression_level },
            })
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn specs_read_back_from_their_print(spec in any_spec().prop_filter_map("not a spot", |spec| spec)) {
            prop_assert_eq!(spec.to_string().parse(), Ok(spec));
        }
    }
}
