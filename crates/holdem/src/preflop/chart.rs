//! Ranges by position and action, read from the files of `preflop/`.

use super::table::{GameFormat, StackDepth, TablePosition};
use noregret_cards::Range;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;
use toml::{Table, Value};

/// What a player faces before the flop, everybody else having folded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PreflopSituation {
    /// Nobody has put in more than a blind.
    Unopened,
    /// The small blind was completed.
    FacingLimp {
        /// By whom.
        limper: TablePosition,
    },
    /// A first raise.
    FacingOpen {
        /// By whom.
        opener: TablePosition,
    },
    /// A raise of the player's own first raise.
    FacingThreeBet {
        /// By whom.
        three_bettor: TablePosition,
    },
    /// A raise of the player's own 3-bet.
    FacingFourBet {
        /// By whom.
        opener: TablePosition,
    },
}

/// What a player does before the flop. What is in no range is folded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PreflopAction {
    /// Puts in nothing more in the big blind.
    Check,
    /// Completes the small blind.
    Limp,
    /// Calls a raise.
    Call,
    /// Raises to the chart's amount.
    Raise,
    /// Raises all-in.
    AllIn,
}

/// The hands that take an action.
#[derive(Clone, PartialEq, Debug)]
pub struct ChartEntry {
    /// Who acts.
    pub position: TablePosition,
    /// Facing what.
    pub situation: PreflopSituation,
    /// What the hands do.
    pub action: PreflopAction,
    /// Which hands, and how much of each.
    pub range: Range,
}

impl fmt::Display for ChartEntry {
    /// `BB calls BTN`, `BTN 4-bets against BB`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use PreflopAction::{AllIn, Call, Check, Limp, Raise};
        use PreflopSituation::{FacingFourBet, FacingLimp, FacingOpen, FacingThreeBet, Unopened};
        let who = self.position;
        match (self.situation, self.action) {
            (Unopened, Limp) => write!(f, "{who} limps"),
            (Unopened, _) => write!(f, "{who} opens"),
            (FacingLimp { limper }, Check) => write!(f, "{who} checks after {limper} limps"),
            (FacingLimp { limper }, _) => write!(f, "{who} raises after {limper} limps"),
            (FacingOpen { opener }, Call) => write!(f, "{who} calls {opener}"),
            (FacingOpen { opener }, Raise) => write!(f, "{who} 3-bets {opener}"),
            (FacingOpen { opener }, AllIn) => write!(f, "{who} goes all-in against {opener}"),
            (FacingOpen { opener }, _) => write!(f, "{who} continues against {opener}"),
            (FacingThreeBet { three_bettor }, Call) => write!(f, "{who} calls the 3-bet of {three_bettor}"),
            (FacingThreeBet { three_bettor }, Raise) => write!(f, "{who} 4-bets {three_bettor}"),
            (FacingThreeBet { three_bettor }, _) => {
                write!(f, "{who} goes all-in on the 3-bet of {three_bettor}")
            }
            (FacingFourBet { opener }, Call) => write!(f, "{who} calls the 4-bet of {opener}"),
            (FacingFourBet { opener }, _) => write!(f, "{who} goes all-in on the 4-bet of {opener}"),
        }
    }
}

/// All ranges of a game at one depth.
#[derive(Clone, PartialEq, Debug)]
pub struct PreflopChart {
    /// The game.
    pub format: GameFormat,
    /// What everybody has at the start.
    pub depth: StackDepth,
    /// The ranges by situation, position and action.
    pub entries: Vec<ChartEntry>,
    /// What a raise is made to, in big blinds.
    raises: BTreeMap<(TablePosition, PreflopSituation), f64>,
}

/// A text that is no chart.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {message}")]
pub struct ChartError {
    /// Where, as keys with dots between.
    pub place: String,
    /// What is wrong.
    pub message: String,
}

fn wrong(place: &str, message: impl fmt::Display) -> ChartError {
    ChartError { place: place.to_owned(), message: message.to_string() }
}

macro_rules! files {
    ($($name:literal),*) => { [$(include_str!(concat!("../../preflop/", $name, ".toml"))),*] };
}

const FILES: [&str; 10] = files!(
    "six-max-20",
    "six-max-40",
    "six-max-60",
    "six-max-100",
    "six-max-200",
    "heads-up-20",
    "heads-up-40",
    "heads-up-60",
    "heads-up-100",
    "heads-up-200"
);

/// The charts of the files. A test reads each, so none is left out here.
static CHARTS: LazyLock<Vec<PreflopChart>> =
    LazyLock::new(|| FILES.iter().filter_map(|text| PreflopChart::parse(text).ok()).collect());

impl PreflopChart {
    /// The charts that come with the program, one for each game and depth.
    pub fn all() -> &'static [Self] {
        &CHARTS
    }

    /// The texts that they are read from.
    #[cfg(test)]
    pub(super) fn texts() -> [&'static str; 10] {
        FILES
    }

    /// The chart of a game at a depth.
    pub fn of(format: GameFormat, depth: StackDepth) -> Option<&'static Self> {
        Self::all().iter().find(|chart| chart.format == format && chart.depth == depth)
    }

    /// The hands with which a position takes an action; none if the chart has no such range.
    pub fn range(
        &self,
        position: TablePosition,
        situation: PreflopSituation,
        action: PreflopAction,
    ) -> Option<&Range> {
        let is_it = |entry: &&ChartEntry| {
            entry.position == position && entry.situation == situation && entry.action == action
        };
        self.entries.iter().find(is_it).map(|entry| &entry.range)
    }

    /// What a raise of a position is made to, in big blinds.
    pub fn raise_to(&self, position: TablePosition, situation: PreflopSituation) -> Option<f64> {
        self.raises.get(&(position, situation)).copied()
    }

    /// Reads a chart.
    pub fn parse(text: &str) -> Result<Self, ChartError> {
        let table: Table =
            text.parse().map_err(|error: toml::de::Error| wrong("the file", error.message()))?;
        let format = word(&table, "", "format")?.parse().map_err(|error| wrong("format", error))?;
        let depth =
            table.get("depth").and_then(Value::as_integer).ok_or_else(|| wrong("depth", "it is a number"))?;
        let depth = depth.to_string().parse().map_err(|error| wrong("depth", error))?;
        let mut chart = Self { format, depth, entries: Vec::new(), raises: BTreeMap::new() };
        for (key, value) in &table {
            match key.as_str() {
                "format" | "depth" => {}
                "open" => chart.read_opens(inner(value, key)?)?,
                "limp" => chart.read_limps(inner(value, key)?)?,
                "facing_open" | "facing_limp" | "facing_three_bet" | "facing_four_bet" => {
                    chart.read_answers(key, inner(value, key)?)?
                }
                _ => return Err(wrong(key, "a chart has no such key")),
            }
        }
        chart.entries.sort_by_key(|entry| (entry.situation, entry.position, entry.action));
        Ok(chart)
    }

    fn add(
        &mut self,
        place: &str,
        position: TablePosition,
        situation: PreflopSituation,
        action: PreflopAction,
        text: &str,
    ) -> Result<(), ChartError> {
        if !self.format.positions().contains(&position) {
            return Err(wrong(place, format!("{} has no {position}", self.format)));
        }
        let range = if text.is_empty() {
            Range::default()
        } else {
            text.parse().map_err(|error| wrong(place, error))?
        };
        self.entries.push(ChartEntry { position, situation, action, range });
        Ok(())
    }

    fn read_opens(&mut self, table: &Table) -> Result<(), ChartError> {
        for (key, value) in table {
            let place = format!("open.{key}");
            let position = position(key, &place)?;
            let open = inner(value, &place)?;
            self.raises.insert((position, PreflopSituation::Unopened), number(open, &place, "to")?);
            let range = word(open, &place, "range")?;
            self.add(&place, position, PreflopSituation::Unopened, PreflopAction::Raise, range)?;
        }
        Ok(())
    }

    fn read_limps(&mut self, table: &Table) -> Result<(), ChartError> {
        for key in table.keys() {
            let place = format!("limp.{key}");
            let range = word(table, "limp", key)?;
            self.add(&place, position(key, &place)?, PreflopSituation::Unopened, PreflopAction::Limp, range)?;
        }
        Ok(())
    }

    /// Tables like `facing_open.btn.bb`: who raised first, then who answered that.
    fn read_answers(&mut self, kind: &str, table: &Table) -> Result<(), ChartError> {
        for (first, others) in table {
            let outer = format!("{kind}.{first}");
            let opener = position(first, &outer)?;
            for (second, answers) in inner(others, &outer)? {
                let place = format!("{outer}.{second}");
                let other = position(second, &place)?;
                let (who, situation) = match kind {
                    "facing_open" => (other, PreflopSituation::FacingOpen { opener }),
                    "facing_limp" => (other, PreflopSituation::FacingLimp { limper: opener }),
                    "facing_three_bet" => (opener, PreflopSituation::FacingThreeBet { three_bettor: other }),
                    _ => (other, PreflopSituation::FacingFourBet { opener }),
                };
                let answers = inner(answers, &place)?;
                for key in answers.keys() {
                    let action = match key.as_str() {
                        "to" => {
                            self.raises.insert((who, situation), number(answers, &place, "to")?);
                            continue;
                        }
                        "three_bet" | "four_bet" | "raise" => PreflopAction::Raise,
                        "call" => PreflopAction::Call,
                        "check" => PreflopAction::Check,
                        "all_in" => PreflopAction::AllIn,
                        _ => return Err(wrong(&format!("{place}.{key}"), "a chart has no such key")),
                    };
                    self.add(&format!("{place}.{key}"), who, situation, action, word(answers, &place, key)?)?;
                }
            }
        }
        Ok(())
    }
}

fn position(key: &str, place: &str) -> Result<TablePosition, ChartError> {
    key.parse().map_err(|error| wrong(place, error))
}

fn inner<'a>(value: &'a Value, place: &str) -> Result<&'a Table, ChartError> {
    value.as_table().ok_or_else(|| wrong(place, "it is a table"))
}

fn word<'a>(table: &'a Table, place: &str, key: &str) -> Result<&'a str, ChartError> {
    table.get(key).and_then(Value::as_str).ok_or_else(|| wrong(&format!("{place}.{key}"), "it is a text"))
}

fn number(table: &Table, place: &str, key: &str) -> Result<f64, ChartError> {
    let value = table.get(key);
    let number =
        value.and_then(Value::as_float).or_else(|| value.and_then(Value::as_integer).map(|n| n as f64));
    number.ok_or_else(|| wrong(&format!("{place}.{key}"), "it is a number"))
}
