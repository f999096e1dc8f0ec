//! The charts are consistent, their totals are where people who know the game expect them, and every named spot is a spec.

use super::*;
use noregret_cards::{HandClass, Hole, Range};
use std::ops::RangeInclusive;

fn combos(range: &Range) -> f64 {
    range.iter().map(|(_, weight)| f64::from(weight)).sum()
}

/// In percent of all 1,326 hands.
fn percent(range: &Range) -> f64 {
    combos(range) / 13.26
}

fn chart(format: GameFormat, depth: StackDepth) -> &'static PreflopChart {
    PreflopChart::of(format, depth).unwrap()
}

#[test]
fn every_file_is_read_and_there_is_one_for_each_game_and_depth() {
    for text in PreflopChart::texts() {
        PreflopChart::parse(text).unwrap();
        assert!(text.contains("a starting point"), "a file says what it is");
    }
    for format in GameFormat::ALL {
        for depth in StackDepth::ALL {
            chart(format, depth);
        }
    }
    assert_eq!(PreflopChart::all().len(), GameFormat::ALL.len() * StackDepth::ALL.len());
}

#[test]
fn a_chart_that_is_none_is_refused_with_the_place() {
    let head = "format = \"6-max\"\ndepth = 100\n";
    for (text, message) in [
        ("format =", "the file: "),
        ("format = \"9-max\"\ndepth = 100", "format: `9-max` is no game: it is one of 6-max, heads-up"),
        (
            "format = \"6-max\"\ndepth = 30",
            "depth: `30` is no depth: it is one of 20 bb, 40 bb, 60 bb, 100 bb, 200 bb",
        ),
        ("[open]\nmp = { to = 2, range = \"AA\" }", "open.mp: `mp` is no position"),
        ("[open]\nbtn = { range = \"AA\" }", "open.btn.to: it is a number"),
        ("[open]\nbtn = { to = 2, range = \"AX\" }", "open.btn: "),
        ("[limp]\nsb = 3", "limp.sb: it is a text"),
        ("[facing_open.btn.bb]\nfour_bets = \"AA\"", "facing_open.btn.bb.four_bets: a chart has no such key"),
        ("[straddle]", "straddle: a chart has no such key"),
    ] {
        let text = if text.starts_with("format") { text.to_owned() } else { format!("{head}{text}") };
        let error = PreflopChart::parse(&text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    let heads_up = "format = \"heads-up\"\ndepth = 100\n[open]\nutg = { to = 2, range = \"AA\" }";
    assert_eq!(PreflopChart::parse(heads_up).unwrap_err().to_string(), "open.utg: heads-up has no UTG");
}

/// What is raised is not called: all answers to one situation together have at most what the player came with.
#[test]
fn a_hand_is_played_at_most_once() {
    for chart in PreflopChart::all() {
        let named = format!("{} {}", chart.format, chart.depth);
        let mut places: Vec<_> =
            chart.entries.iter().map(|entry| (entry.position, entry.situation)).collect();
        places.sort();
        places.dedup();
        for (position, situation) in places {
            let entries: Vec<&ChartEntry> = chart
                .entries
                .iter()
                .filter(|entry| (entry.position, entry.situation) == (position, situation))
                .collect();
            let before = match situation {
                PreflopSituation::FacingThreeBet { .. } => {
                    chart.range(position, PreflopSituation::Unopened, PreflopAction::Raise)
                }
                PreflopSituation::FacingFourBet { opener } => {
                    chart.range(position, PreflopSituation::FacingOpen { opener }, PreflopAction::Raise)
                }
                _ => None,
            };
            for hole in Hole::all() {
                let sum: f32 = entries.iter().map(|entry| entry.range.weight(hole)).sum();
                let most = before.map_or(1.0, |range| range.weight(hole));
                assert!(
                    sum <= most + 1e-6,
                    "{named}: {position} {situation:?} plays {} {sum} times of {most}",
                    HandClass::of(hole)
                );
            }
        }
    }
}

/// The bounds: in percent of all hands, at 20, 40, 60, 100 and 200 bb alike.
#[test]
fn totals_are_within_their_bounds() {
    use PreflopAction::{AllIn, Call, Limp, Raise};
    use TablePosition::{Bb, Btn, Co, Hj, Sb, Utg};
    let within = |what: String, number: f64, bounds: RangeInclusive<f64>| {
        assert!(bounds.contains(&number), "{what}: {number:.1}% is not in {bounds:?}");
    };
    let opens: [(GameFormat, TablePosition, RangeInclusive<f64>); 6] = [
        (GameFormat::SixMax, Utg, 15.0..=19.0),
        (GameFormat::SixMax, Hj, 19.0..=23.0),
        (GameFormat::SixMax, Co, 25.0..=30.0),
        (GameFormat::SixMax, Btn, 38.0..=48.0),
        (GameFormat::SixMax, Sb, 28.0..=45.0),
        (GameFormat::HeadsUp, Btn, 55.0..=88.0),
    ];
    for depth in StackDepth::ALL {
        for (format, position, bounds) in opens.clone() {
            let open = chart(format, depth).range(position, PreflopSituation::Unopened, Raise).unwrap();
            within(format!("{format} {depth} {position} opens"), percent(open), bounds);
        }
        for format in GameFormat::ALL {
            let chart = chart(format, depth);
            let limper = format.limper();
            let both = [Raise, Limp]
                .map(|action| percent(chart.range(limper, PreflopSituation::Unopened, action).unwrap()));
            let played = if format == GameFormat::SixMax { 45.0..=65.0 } else { 80.0..=92.0 };
            within(format!("{format} {depth} {limper} plays"), both.iter().sum(), played);
        }
        for spot in
            NamedSpot::all().filter(|spot| spot.depth() == depth && spot.pot_type() == PotType::SingleRaised)
        {
            let chart = chart(spot.format(), depth);
            let (opener, other) = (spot.opener(), spot.other());
            let facing = PreflopSituation::FacingOpen { opener };
            let of = |action| chart.range(other, facing, action).map_or(0.0, percent);
            let (raised, called) = (of(Raise) + of(AllIn), of(Call));
            let (raises, calls) = match (spot.format(), opener, other) {
                (GameFormat::HeadsUp, ..) => (13.0..=20.0, 44.0..=60.0),
                (_, Sb, Bb) => (10.0..=16.0, 40.0..=50.0),
                (_, Btn, Bb) => (9.0..=15.0, 30.0..=38.0),
                (_, Co, Bb) => (6.0..=11.0, 25.0..=33.0),
                (_, _, Bb) => (3.5..=8.0, 19.0..=28.0),
                (_, Btn, _) => (9.0..=15.0, 1.0..=7.0),
                (_, Co, _) => (7.0..=12.0, 1.0..=12.0),
                _ => (4.0..=9.0, 0.5..=10.0),
            };
            within(format!("{spot}: {other} raises"), raised, raises);
            within(format!("{spot}: {other} calls"), called, calls);
            // Against a 3-bet a third to three quarters of what was opened goes on, so that no bluff is free.
            let facing = PreflopSituation::FacingThreeBet { three_bettor: other };
            let opened = percent(chart.range(opener, PreflopSituation::Unopened, Raise).unwrap());
            let kept: f64 = [Raise, Call, AllIn]
                .map(|action| chart.range(opener, facing, action).map_or(0.0, percent))
                .iter()
                .sum();
            within(
                format!("{spot}: {opener} goes on against a 3-bet, of what it opened"),
                100.0 * kept / opened,
                45.0..=75.0,
            );
        }
    }
}

#[test]
fn later_positions_open_more_and_what_they_open_holds_what_earlier_ones_do() {
    for depth in StackDepth::ALL {
        let chart = chart(GameFormat::SixMax, depth);
        let open =
            |position| chart.range(position, PreflopSituation::Unopened, PreflopAction::Raise).unwrap();
        let positions = [TablePosition::Utg, TablePosition::Hj, TablePosition::Co, TablePosition::Btn];
        for pair in positions.windows(2) {
            for hole in Hole::all() {
                assert!(open(pair[0]).weight(hole) <= open(pair[1]).weight(hole), "{depth} {pair:?} {hole}");
            }
        }
    }
}

#[test]
fn a_named_spot_has_the_pot_and_stack_of_its_story() {
    let facts = |name: &str| {
        let spot: NamedSpot = name.parse().unwrap();
        (spot.pot(), spot.stack(), spot.players())
    };
    use TablePosition::{Bb, Btn, Co, Sb};
    assert_eq!(facts("BTN vs BB, single-raised, 100 bb"), (5.5, 97.5, [Bb, Btn]));
    assert_eq!(facts("CO vs BTN, 3-bet, 100 bb"), (16.5, 92.5, [Co, Btn]));
    assert_eq!(facts("SB vs BB, limped, 40 bb"), (2.0, 39.0, [Sb, Bb]));
    assert_eq!(facts("btn vs bb, single-raised, 20bb, heads-up"), (4.0, 18.0, [Bb, Btn]));
    assert_eq!(facts("SB vs BB, single-raised, 100 bb"), (6.0, 97.0, [Sb, Bb]));
}

#[test]
fn every_named_spot_is_a_spec_whose_ranges_print_what_the_chart_has() {
    let mut count = 0;
    for spot in NamedSpot::all() {
        count += 1;
        assert_eq!(spot.to_string().parse(), Ok(spot));
        // Every rake now and then: reading a range takes a while, and a rake changes two lines.
        let rakes = if count % 40 == 1 { RakePreset::ALL.len() } else { 1 };
        for rake in RakePreset::ALL.into_iter().take(rakes) {
            let spec = spot.spec("Ks 7d 2c", rake).unwrap_or_else(|error| panic!("{spot}: {error}"));
            assert_eq!(spec.spot.options().rake.rate, rake.rate(), "{spot}");
        }
        for range in spot.ranges() {
            assert!(percent(&range) > 0.5, "{spot}: {range}");
        }
        assert!(spot.stack() > 0.0 && spot.pot() > 0.0 && spot.stack() / spot.pot() > 0.3, "{spot}");
    }
    // 6-max has 15 pairs of positions; 4-bets need more than 20 bb, and one position limps in each game.
    assert_eq!(count, 15 * (5 + 5 + 4) + 5 + (5 + 5 + 4) + 5);
    let river = "CO vs BB, single-raised, 100 bb".parse::<NamedSpot>().unwrap();
    assert!(
        river
            .toml("Ks7d2c8h3s", RakePreset::None)
            .contains("flop = \"Ks7d2c\"\nturn = \"8h\"\nriver = \"3s\"")
    );
}

#[test]
fn what_is_no_spot_is_told_with_what_there_is() {
    let refused = |name: &str| name.parse::<NamedSpot>().unwrap_err().to_string();
    assert_eq!(
        refused("BB vs BTN, single-raised, 100 bb"),
        "BB vs BTN: 6-max has UTG, HJ, CO, BTN, SB, BB, and who raises or limps first is named first"
    );
    assert_eq!(
        refused("CO vs BB, single-raised, 100 bb, heads-up"),
        "CO vs BB: heads-up has BTN, BB, and who raises or limps first is named first"
    );
    assert_eq!(
        refused("BTN vs BB, limped, 100 bb"),
        "limped: only SB vs BB is known, as in `SB vs BB, limped, 100 bb`"
    );
    assert_eq!(
        refused("BTN vs BB, 4-bet, 20 bb"),
        "4-bet, 20 bb: so shallow a 4-bet is all-in, and nothing is played after the flop"
    );
    assert_eq!(
        refused("BTN vs BB, single raised, 100 bb"),
        "`BTN vs BB, single raised, 100 bb` is no spot: write it like `BTN vs BB, single-raised, 100 bb`; \
         did you mean `BTN vs BB, single-raised, 100 bb`?"
    );
    assert_eq!(refused("quads"), "`quads` is no spot: write it like `BTN vs BB, single-raised, 100 bb`");
}

#[test]
fn a_stack_between_two_depths_takes_the_closer_chart() {
    for (stack, depth) in
        [(1.0, 20), (25.0, 20), (30.0, 40), (75.0, 60), (80.0, 100), (150.0, 200), (1000.0, 200)]
    {
        assert_eq!(StackDepth::nearest(stack).big_blinds(), depth, "{stack}");
    }
}
