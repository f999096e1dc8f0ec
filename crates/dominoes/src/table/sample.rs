//! Random reachable positions of a table, drawn without making all of its rows.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::position::{Layout, Position, TOTAL_POINTS};
use crate::random::SplitMix64;
use crate::seat::Seat;
use crate::solver::level::{TRICKS, hand_of_lane, hands_of_row};
use crate::table::Table;
use crate::table::rows::Row;
use crate::table::scores::Scores;

/// Some of the levels 1 to 7: how many tricks are left, the one under way included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels(u8);

impl Levels {
    /// All seven.
    pub const ALL: Self = Self(0xfe);

    /// Whether positions with so many tricks left are among them.
    pub fn contains(self, tricks_left: usize) -> bool {
        tricks_left <= TRICKS && self.0 >> tricks_left & 1 == 1
    }

    /// The levels, ascending.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (1..=TRICKS).filter(move |&k| self.contains(k))
    }
}

impl fmt::Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, level) in self.iter().enumerate() {
            write!(f, "{}{level}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

/// A text that names no levels.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseLevelsError {
    /// A part is no level and no range.
    #[error("`{0}` is not a level or a range: write 3, 2..5 (without 5) or 2..=4")]
    Text(String),
    /// A level does not exist.
    #[error("level {0} is out of range: a level is the number of tricks left, 1 to 7")]
    Range(u64),
    /// A range has no level.
    #[error("level range `{0}` is empty")]
    Empty(String),
}

impl FromStr for Levels {
    type Err = ParseLevelsError;

    /// `3`, `2..5` (without 5), `2..=4`, or several with commas between.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut levels = 0;
        for part in text.split(',').map(str::trim) {
            let number = |word: &str| match word.parse::<u64>() {
                Ok(level @ 1..=7) => Ok(level as usize),
                Ok(level) => Err(ParseLevelsError::Range(level)),
                Err(_) => Err(ParseLevelsError::Text(part.to_owned())),
            };
            let (from, to) = match part.split_once("..") {
                None => (number(part)?, number(part)?),
                Some((from, to)) => match to.strip_prefix('=') {
                    Some(to) => (number(from)?, number(to)?),
                    // The end is not part of the range, so it may be one too high.
                    None if to == "8" => (number(from)?, TRICKS),
                    None => (number(from)?, number(to)? - 1),
                },
            };
            if from > to {
                return Err(ParseLevelsError::Empty(part.to_owned()));
            }
            for level in from..=to {
                levels |= 1 << level;
            }
        }
        Ok(Self(levels))
    }
}

/// Which positions to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleOptions {
    /// How many of each table. A position may be drawn more than once.
    pub count: u64,
    /// From which levels.
    pub levels: Levels,
    /// As many from each level; else every position is as likely as any other.
    pub is_balanced: bool,
    /// Whether positions have a score: then each score that a position occurs with makes one more to draw from.
    pub layout: Layout,
    /// What the draws depend on, beside the deal and the declaration.
    pub seed: u64,
}

/// A position that was drawn.
struct Drawn {
    position: Position,
    /// Team 0's points so far; 0 where positions have none.
    score: u8,
}

/// Beginnings of a trick with `k` dominoes in each hand if every domino could be played: none, one, two or three plays.
const fn beginnings(k: u64) -> u64 {
    1 + k + k * k + k * k * k
}

impl Table {
    /// Draws random reachable positions at which a move can be made, with the values of their moves.
    ///
    /// A position between tricks and a beginning of its trick are drawn, and thrown away if the beginning is against
    /// the rules: so every reachable position is equally likely, and none has to be counted.
    pub fn sample(&self, options: &SampleOptions) -> Vec<Row> {
        let value = |drawn: Drawn| {
            let Drawn { position, score } = drawn;
            self.evaluate_reachable(&position).row(
                position.pack(options.layout, score),
                options.layout,
                score,
            )
        };
        self.drawn(options).into_iter().map(value).collect()
    }

    /// As [`sample`](Self::sample), to the same rows: quicker for some thousand positions and more, as they are valued together.
    /// It lays the values out anew, for up to 30 MB of memory as long as the table is there.
    pub fn sample_by_look_ups(&self, options: &SampleOptions) -> Vec<Row> {
        self.prepare_look_ups();
        let pack = |Drawn { position, score }: Drawn| position.pack(options.layout, score);
        let states: Vec<i64> = self.drawn(options).into_iter().map(pack).collect();
        // What was drawn is reachable, so that every look-up has an answer.
        self.look_up_many(&states, options.layout).into_iter().flatten().collect()
    }

    /// Draws positions with their scores.
    fn drawn(&self, options: &SampleOptions) -> Vec<Drawn> {
        let scores = (options.layout == Layout::Scored).then(|| Scores::new(self));
        let levels: Vec<usize> = options.levels.iter().filter(|&k| !self.points(k).is_empty()).collect();
        let weights: Vec<u64> =
            levels.iter().map(|&k| self.points(k).len() as u64 * beginnings(k as u64)).collect();
        let total: u64 = weights.iter().sum();
        if total == 0 {
            return Vec::new();
        }
        let draw = |number: u64| {
            let mut stream = SplitMix64::new(options.seed, number);
            loop {
                let k = if options.is_balanced {
                    levels[(number % levels.len() as u64) as usize]
                } else {
                    let mut at = stream.below(total);
                    let level = weights.iter().position(|&weight| {
                        let is_here = at < weight;
                        at = at.wrapping_sub(if is_here { 0 } else { weight });
                        is_here
                    });
                    levels[level.unwrap_or(0)]
                };
                if let Some(drawn) = self.draw(k, scores.as_ref(), &mut stream) {
                    return drawn;
                }
            }
        };
        (0..options.count).map(draw).collect()
    }

    /// Draws a position of a level; none if what was drawn is against the rules.
    fn draw(&self, k: usize, scores: Option<&Scores>, stream: &mut SplitMix64) -> Option<Drawn> {
        let index = stream.below(self.points(k).len() as u64) as usize;
        let mut beginning = stream.below(beginnings(k as u64));
        let (held, leader) = self.position_at(k, index);
        let score = match scores {
            None => 0,
            Some(scores) => {
                let score = stream.below(u64::from(TOTAL_POINTS) + 1) as u8;
                if scores.level(k)[index] >> score & 1 == 0 {
                    return None;
                }
                score
            }
        };
        let mut position = Position::between_unchecked(held, Seat::ALL[leader]);
        let (mut size, mut plays) = (1, 0);
        while beginning >= size {
            beginning -= size;
            size *= k as u64;
            plays += 1;
        }
        for _ in 0..plays {
            let place = beginning % k as u64;
            beginning /= k as u64;
            let held = position.remaining(position.turn());
            let local = (0..7).filter(|local| held >> local & 1 == 1).nth(place as usize)?;
            if self.rules().legal_at(&position) >> local & 1 == 0 {
                return None;
            }
            position = position.with_play(local)?;
        }
        Some(Drawn { position, score })
    }

    /// The hands and the leader of the reachable position with this number among those of its level.
    fn position_at(&self, k: usize, index: usize) -> ([u8; 4], usize) {
        let (row, lane) = self.row_and_lane(k, index);
        let (mut held, leader) = hands_of_row(k, row);
        held[0] = hand_of_lane(k, lane);
        (held, leader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::Deal;
    use crate::table::Threads;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn options(count: u64) -> SampleOptions {
        SampleOptions { count, levels: Levels::ALL, is_balanced: false, layout: Layout::ToGo, seed: 1 }
    }

    fn small() -> Table {
        Table::solve(&Deal::from_seed(511), "sixes".parse().unwrap(), Threads::Pool)
    }

    /// How far counts are from expected ones, in standard deviations of a chi-square with so many degrees of freedom.
    fn chi_square(counts: &[(f64, f64)]) -> f64 {
        let degrees = counts.len() as f64 - 1.0;
        let sum: f64 = counts.iter().map(|(found, expected)| (found - expected).powi(2) / expected).sum();
        (sum - degrees) / (2.0 * degrees).sqrt()
    }

    #[test]
    fn draws_are_uniform_over_the_rows() {
        let table = small();
        for layout in [Layout::ToGo, Layout::Scored] {
            // Rows in order, in buckets of equal size: each is as likely as any other.
            let states: Vec<i64> = table
                .rows(layout)
                .filter(|row| row.moves.iter().any(|&value| value != crate::NOT_LEGAL))
                .map(|row| row.state)
                .collect();
            let (count, buckets) = (200_000, 200);
            let mut found = vec![0.0; buckets];
            for row in table.sample(&SampleOptions { layout, ..options(count) }) {
                let place = states.binary_search(&row.state).expect("a reachable position");
                found[place * buckets / states.len()] += 1.0;
            }
            let sizes = (0..states.len()).fold(vec![0.0; buckets], |mut sizes, place| {
                sizes[place * buckets / states.len()] += 1.0;
                sizes
            });
            let expected = sizes.iter().map(|size| size * count as f64 / states.len() as f64);
            let counts: Vec<(f64, f64)> = found.iter().copied().zip(expected).collect();
            let away = chi_square(&counts);
            assert!(away.abs() < 4.0, "{}: {away}", layout.name());
        }
    }

    #[test]
    fn levels_are_balanced_when_asked_and_uniform_inside() {
        let table = small();
        let levels: Levels = "2..=4".parse().unwrap();
        let rows = table.sample(&SampleOptions { levels, is_balanced: true, ..options(60_000) });
        let mut by_level: HashMap<usize, Vec<i64>> = HashMap::new();
        for row in &rows {
            let (position, _) = Position::unpack(row.state, Layout::ToGo).unwrap();
            by_level.entry(position.tricks_left()).or_default().push(row.state);
        }
        let mut sizes: Vec<(usize, usize)> = by_level.iter().map(|(&k, states)| (k, states.len())).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [(2, 20_000), (3, 20_000), (4, 20_000)]);
        // By plays made inside a trick, as the rows of the level are.
        for (k, states) in by_level {
            let mut expected = [0.0; 4];
            for row in table.rows(Layout::ToGo) {
                let (position, _) = Position::unpack(row.state, Layout::ToGo).unwrap();
                if position.tricks_left() == k {
                    expected[position.plays().len()] += 1.0;
                }
            }
            let mut found = [0.0; 4];
            for &state in &states {
                found[Position::unpack(state, Layout::ToGo).unwrap().0.plays().len()] += 1.0;
            }
            let all: f64 = expected.iter().sum();
            let counts: Vec<(f64, f64)> =
                found.into_iter().zip(expected).map(|(f, e)| (f, e * states.len() as f64 / all)).collect();
            assert!(chi_square(&counts).abs() < 5.0, "level {k}: {counts:?}");
        }
    }

    #[test]
    fn the_values_are_those_of_the_rows_and_the_seed_decides() {
        let table = small();
        for layout in [Layout::ToGo, Layout::Scored] {
            let rows = table.sample(&SampleOptions { layout, ..options(500) });
            for row in &rows {
                assert_eq!(table.look_up(row.state, layout).as_ref(), Ok(row));
                table.evaluate_state(row.state, layout).unwrap();
            }
            assert_eq!(table.sample(&SampleOptions { layout, ..options(300) }), rows[..300]);
            assert_ne!(table.sample(&SampleOptions { layout, seed: 2, ..options(500) }), rows);
        }
    }

    #[test]
    fn positions_that_are_valued_together_have_the_same_rows() {
        let table = small();
        for layout in [Layout::ToGo, Layout::Scored] {
            let options = SampleOptions { layout, ..options(2000) };
            let one_by_one = table.sample(&options);
            assert_eq!(table.sample_by_look_ups(&options), one_by_one);
            let states: Vec<i64> = one_by_one.iter().map(|row| row.state).collect();
            let mut values = vec![[0; 7]; states.len()];
            table.q_into(&states, layout, &mut values).unwrap();
            assert!(values.iter().zip(&one_by_one).all(|(values, row)| *values == row.moves));
            let error = table.q_into(&[states[0], -1], layout, &mut values).unwrap_err();
            assert_eq!(error.number, 1);
        }
    }

    #[test]
    fn levels_out_of_range_say_so() {
        let error = |text: &str| text.parse::<Levels>().unwrap_err().to_string();
        let range = "is out of range: a level is the number of tricks left, 1 to 7";
        assert_eq!(error("0"), format!("level 0 {range}"));
        assert_eq!(error("3,8"), format!("level 8 {range}"));
        assert_eq!(error("1..=9"), format!("level 9 {range}"));
        assert_eq!(error("x"), "`x` is not a level or a range: write 3, 2..5 (without 5) or 2..=4");
        assert_eq!(error("4..4"), "level range `4..4` is empty");
        assert_eq!("1..8".parse(), Ok(Levels::ALL));
        assert_eq!("7,2..4".parse::<Levels>().unwrap().to_string(), "2,3,7");
    }

    proptest! {
        #[test]
        fn no_text_makes_the_levels_panic(text in "[0-9.,=x ]{0,12}", wild in any::<String>()) {
            for text in [text, wild] {
                if let Ok(levels) = text.parse::<Levels>() {
                    prop_assert_eq!(levels.to_string().parse(), Ok(levels));
                }
            }
        }
    }
}
