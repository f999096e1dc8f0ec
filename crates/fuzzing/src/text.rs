//! What people write, and what is written down for them: ranges, specs, plans, lines, hands, links. What is read is printed and read again, to the same.

use noregret_cards::Range;
use noregret_drill::DrillSettings;
use noregret_hands::{Money, read_bytes};
use noregret_holdem::preflop::OwnRanges;
use noregret_holdem::{BatchPlan, BettingTree, Flops, GameLayout, Line, LinePattern, Spec};
use std::sync::OnceLock;

/// Few bytes can describe a large tree: one that would take more is refused.
const TREE_BYTES: u64 = 4 << 20;

pub fn range(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(range) = text.parse::<Range>() {
        let printed = range.to_string();
        let again = printed.parse::<Range>();
        assert!(again.as_ref() == Ok(&range), "{text:?} is {printed:?}, and that is {again:?}");
    }
}

pub fn drill(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(settings) = text.parse::<DrillSettings>() {
        let printed = settings.to_string();
        let again = printed.parse::<DrillSettings>();
        assert!(again.as_ref() == Ok(&settings), "{text:?} is {printed:?}, and that is {again:?}");
    }
}

pub fn spec(bytes: &[u8]) {
    let Ok(spec) = Spec::from_bytes(bytes) else { return };
    let printed = spec.to_string();
    let again = printed.parse::<Spec>().unwrap_or_else(|error| panic!("{printed}: {error}"));
    assert!(again == spec, "{printed}");
    if let Ok(layout) = GameLayout::of(&spec, TREE_BYTES) {
        let _ = layout.size(&spec.solver);
    }
}

pub fn plan(bytes: &[u8]) {
    static BASE: OnceLock<Spec> = OnceLock::new();
    let Ok(plan) = BatchPlan::from_bytes(bytes) else { return };
    let base = BASE.get_or_init(|| {
        let text = "[ranges]\noop = 'AA,KQs'\nip = 'QQ,JTs'\n[cards]\nflop = 'QsJh2h'\n[tree]\nstarting_pot = 60\neffective_stack = 90\n";
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    });
    // Others take a while to choose, and the same for any text.
    if matches!(plan.flops, Flops::List(_)) {
        let _ = plan.jobs(base);
    }
}

pub fn line(bytes: &[u8]) {
    static TREE: OnceLock<(Spec, BettingTree)> = OnceLock::new();
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (spec, tree) = TREE.get_or_init(|| {
        let text = "[ranges]\noop = 'AA'\nip = 'KK'\n[cards]\nflop = 'QsJh2h'\n[tree]\nstarting_pot = 180\neffective_stack = 910\n\
                    [bet_sizes.flop]\noop_bet = '52%, a'\nip_raise = '3x'\n";
        let spec: Spec = text.parse().unwrap_or_else(|error| panic!("{error}"));
        let layout = GameLayout::new(&spec.spot).unwrap_or_else(|error| panic!("{error}"));
        let tree = layout.betting().clone();
        (spec, tree)
    });
    if let Ok(line) = text.parse::<Line>() {
        let printed = line.to_string();
        let again = printed.parse::<Line>();
        assert!(again.as_ref() == Ok(&line), "{text:?} is {printed:?}, and that is {again:?}");
        let _ = (tree.walk(spec.spot.board(), &line), line.colon());
    }
    if let Ok(pattern) = text.parse::<LinePattern>()
        && text.matches('*').count() < 3
    {
        let _ = pattern.lines(tree, spec.spot.board());
    }
}

pub fn own_ranges(bytes: &[u8]) {
    let Ok(own) = OwnRanges::from_bytes(bytes) else { return };
    let printed = own.to_string();
    let again = printed.parse::<OwnRanges>();
    assert!(again.as_ref() == Ok(&own), "{printed}: {again:?}");
}

pub fn hands(bytes: &[u8]) {
    for hand in read_bytes(bytes).hands {
        let before: Money = hand.seats().iter().map(|seat| seat.stack).sum();
        let after: Money = hand.seats().iter().map(|seat| seat.final_stack).sum();
        assert!(
            before + hand.added() == after + hand.rake(),
            "the chips of hand {} do not add up",
            hand.id()
        );
    }
}
