//! How many states a table has, counted by rows of 64 hands.

use crate::solver::level::{bits, hands_of_row};
use crate::solver::rule_tables::RuleTables;
use crate::solver::trick_traversal::PlayableLanes;
use crate::table::Table;

impl Table {
    /// How many states are reachable, those inside tricks included, without the score: as many as a row file in the to-go
    /// layout has rows.
    pub fn states(&self) -> u64 {
        pulp::Arch::new().dispatch(StateCount { table: self })
    }
}

struct StateCount<'a> {
    table: &'a Table,
}

impl pulp::NullaryFnOnce for StateCount<'_> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let rules = self.table.rules();
        let mut states = 0;
        for (k, rows) in self.table.reach().levels.iter().enumerate() {
            let playable = PlayableLanes::new(rules, k);
            for (number, &lanes) in rows.iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
                let (held, leader) = hands_of_row(k, number);
                states += states_of_row(rules, &playable, held, leader, lanes);
            }
        }
        states
    }
}

/// The states of a row, from before its trick to before the last play.
#[inline(always)]
fn states_of_row(
    rules: &RuleTables,
    playable: &PlayableLanes,
    held: [u8; 4],
    leader: usize,
    lanes: u64,
) -> u64 {
    let all = u64::from(lanes.count_ones());
    let mut states = all;
    let leads = if leader == 0 { 0x7f } else { held[leader] };
    for lead in bits(u64::from(leads)) {
        let suit = rules.lead(leader, lead as usize).suit & 7;
        // Over all lanes: the ways to have played so far.
        let mut ways = match leader {
            0 => u64::from((lanes & playable.lead[lead as usize]).count_ones()),
            _ => all,
        };
        states += ways;
        for turn in 1..=2 {
            // What seat 0 may play depends on the lane, what the others may play does not.
            ways = match (leader + turn) & 3 {
                0 => ways / all * in_lanes(&playable.follow[suit], lanes),
                seat => ways * u64::from(rules.legal(suit, seat, held[seat]).count_ones()),
            };
            states += ways;
        }
    }
    states
}

/// In how many lanes each domino can be played, over all dominoes.
#[inline(always)]
fn in_lanes(playable: &[u64; 7], lanes: u64) -> u64 {
    playable.iter().map(|playable| u64::from((lanes & playable).count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use crate::census::Census;
    use crate::deal::Deal;
    use crate::declaration::Declaration;
    use crate::table::{Table, Threads};

    #[test]
    fn states_counted_by_rows_are_those_counted_one_by_one() {
        for (declaration, seed) in Declaration::all().zip(480..) {
            let table = Table::solve(&Deal::from_seed(seed), declaration, Threads::Pool);
            assert_eq!(table.states(), Census::new(&table).to_go(), "seed {seed} {declaration}");
        }
    }
}
