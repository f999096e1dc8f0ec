//! A spot by its name: game, depth, positions and type of pot.

use super::chart::{PreflopAction, PreflopChart, PreflopSituation};
use super::rake_preset::RakePreset;
use super::sizing::{StreetTexts, street_sizes};
use super::table::{GameFormat, PotType, StackDepth, TablePosition};
use crate::spec::{Spec, SpecError};
use noregret_cards::Range;
use std::fmt;
use std::fmt::Write as _;
use std::str::FromStr;

/// A heads-up pot after the flop, named by what happened before it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NamedSpot {
    format: GameFormat,
    depth: StackDepth,
    opener: TablePosition,
    other: TablePosition,
    pot_type: PotType,
}

/// Why there is no such spot.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NamedSpotError {
    /// The positions are not of the game, or in another order.
    #[error("{opener} vs {other}: {format} has {known}, and who raises or limps first is named first")]
    Positions {
        /// The game.
        format: GameFormat,
        /// Who was named first.
        opener: TablePosition,
        /// Who was named second.
        other: TablePosition,
        /// The positions of the game.
        known: String,
    },
    /// Only the small blind limps in these charts.
    #[error("limped: only {limper} vs BB is known, as in `{limper} vs BB, limped, 100 bb`")]
    Limped {
        /// Who posts the small blind.
        limper: TablePosition,
    },
    /// A 4-bet is all-in.
    #[error("4-bet, {0}: so shallow a 4-bet is all-in, and nothing is played after the flop")]
    AllIn(StackDepth),
    /// A text that is no name.
    #[error("`{text}` is no spot: write it like `BTN vs BB, single-raised, 100 bb`{}", or_this(.nearest))]
    Unknown {
        /// The text.
        text: String,
        /// A name that is close to it.
        nearest: Option<String>,
    },
}

fn or_this(name: &Option<String>) -> String {
    name.as_ref().map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

impl NamedSpot {
    /// The spot where `opener` was the first to raise, or to limp, and `other` is still in.
    pub fn new(
        format: GameFormat,
        depth: StackDepth,
        [opener, other]: [TablePosition; 2],
        pot_type: PotType,
    ) -> Result<Self, NamedSpotError> {
        let positions = format.positions();
        if opener >= other || [opener, other].iter().any(|position| !positions.contains(position)) {
            let known = positions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            return Err(NamedSpotError::Positions { format, opener, other, known });
        }
        if pot_type == PotType::Limped && opener != format.limper() {
            return Err(NamedSpotError::Limped { limper: format.limper() });
        }
        if pot_type == PotType::FourBet && depth == StackDepth::Bb20 {
            return Err(NamedSpotError::AllIn(depth));
        }
        Ok(Self { format, depth, opener, other, pot_type })
    }

    /// Every spot there is: by game, depth, positions and type of pot.
    pub fn all() -> impl Iterator<Item = Self> {
        let pairs = TablePosition::ALL
            .into_iter()
            .flat_map(|opener| TablePosition::ALL.into_iter().map(move |other| [opener, other]));
        let pairs: Vec<[TablePosition; 2]> = pairs.collect();
        GameFormat::ALL.into_iter().flat_map(move |format| {
            let pairs = pairs.clone();
            StackDepth::ALL.into_iter().flat_map(move |depth| {
                pairs.clone().into_iter().flat_map(move |pair| {
                    PotType::ALL.into_iter().filter_map(move |pot| Self::new(format, depth, pair, pot).ok())
                })
            })
        })
    }

    /// The game.
    pub fn format(self) -> GameFormat {
        self.format
    }

    /// What both had at the start of the hand.
    pub fn depth(self) -> StackDepth {
        self.depth
    }

    /// Who was the first to raise or limp.
    pub fn opener(self) -> TablePosition {
        self.opener
    }

    /// Who is still in with the opener.
    pub fn other(self) -> TablePosition {
        self.other
    }

    /// How often the pot was raised.
    pub fn pot_type(self) -> PotType {
        self.pot_type
    }

    /// Who acts first after the flop, and who last. Heads-up the button is last, though it posts the small blind.
    pub fn players(self) -> [TablePosition; 2] {
        let mut players = [self.opener, self.other];
        players.sort_by_key(|position| position.postflop_order());
        players
    }

    fn chart(self) -> &'static PreflopChart {
        // There is one for each game and depth; the first stands in so that nothing can panic.
        PreflopChart::of(self.format, self.depth).unwrap_or(&PreflopChart::all()[0])
    }

    /// What the opener and the other hold.
    fn lines(self) -> [(TablePosition, PreflopSituation, PreflopAction); 2] {
        use PreflopAction::{Call, Check, Limp, Raise};
        use PreflopSituation::{FacingFourBet, FacingLimp, FacingOpen, FacingThreeBet, Unopened};
        let (opener, other) = (self.opener, self.other);
        match self.pot_type {
            PotType::SingleRaised => [(opener, Unopened, Raise), (other, FacingOpen { opener }, Call)],
            PotType::ThreeBet => [
                (opener, FacingThreeBet { three_bettor: other }, Call),
                (other, FacingOpen { opener }, Raise),
            ],
            PotType::FourBet => [
                (opener, FacingThreeBet { three_bettor: other }, Raise),
                (other, FacingFourBet { opener }, Call),
            ],
            PotType::Limped => [(opener, Unopened, Limp), (other, FacingLimp { limper: opener }, Check)],
        }
    }

    /// What who acts first after the flop holds, and who acts last.
    pub fn ranges(self) -> [Range; 2] {
        let chart = self.chart();
        self.players().map(|player| {
            let line = self.lines().into_iter().find(|(position, ..)| *position == player);
            let range =
                line.and_then(|(position, situation, action)| chart.range(position, situation, action));
            range.cloned().unwrap_or_default()
        })
    }

    /// What each of the two has put in, in big blinds.
    pub fn committed(self) -> f64 {
        let raise = self.lines().into_iter().find(|(.., action)| *action == PreflopAction::Raise);
        let to = raise.and_then(|(position, situation, _)| self.chart().raise_to(position, situation));
        to.unwrap_or(1.0)
    }

    /// The pot on the flop, in big blinds: both players and the blinds that folded.
    pub fn pot(self) -> f64 {
        let folded = self.format.positions().iter().filter(|each| ![self.opener, self.other].contains(each));
        let dead: f64 = folded.map(|position| self.format.blind(*position)).sum();
        cents(2.0 * self.committed() + dead)
    }

    /// What both have left on the flop, in big blinds.
    pub fn stack(self) -> f64 {
        cents(f64::from(self.depth.big_blinds()) - self.committed())
    }

    /// Whether who acts first after the flop made the last raise.
    fn oop_raised_last(self) -> bool {
        let aggressor = match self.pot_type {
            PotType::ThreeBet => self.other,
            _ => self.opener,
        };
        aggressor == self.players()[0]
    }

    /// A spec as text, to be edited: ranges, pot, stack, rake, bets that are common there. `board` may be empty.
    pub fn toml(self, board: &str, rake: RakePreset) -> String {
        let [oop, ip] = self.players();
        let [oop_range, ip_range] = self.ranges();
        let cards: Vec<char> = board.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
        let part = |from: usize, to: usize| cards.iter().take(to).skip(from).collect::<String>();
        let mut text = format!(
            "# {self}: {oop} acts first, {ip} last. Ranges and bets are a starting point.\n\n\
             [ranges]\noop = \"{oop_range}\"\nip = \"{ip_range}\"\n\n[cards]\nflop = \"{}\"\n",
            part(0, 6)
        );
        // Writing to a text cannot fail.
        for (street, card) in [("turn", part(6, 8)), ("river", part(8, 10))] {
            if !card.is_empty() {
                let _ = writeln!(text, "{street} = \"{card}\"");
            }
        }
        let _ = writeln!(
            text,
            "\n[tree]\nstarting_pot = {}\neffective_stack = {}\nunit = \"bb\"",
            self.pot(),
            self.stack()
        );
        if rake != RakePreset::None {
            let _ = writeln!(text, "rake_rate = {}\nrake_cap = {}", rake.rate(), rake.cap());
        }
        let streets = street_sizes(self.stack() / self.pot(), self.oop_raised_last());
        for (name, StreetTexts { oop_bet, oop_donk, ip_bet, raise }) in
            ["flop", "turn", "river"].into_iter().zip(streets)
        {
            let _ = write!(text, "\n[bet_sizes.{name}]\noop_bet = \"{oop_bet}\"\noop_raise = \"{raise}\"\n");
            if name != "flop" {
                let _ = writeln!(text, "oop_donk = \"{oop_donk}\"");
            }
            let _ = write!(text, "ip_bet = \"{ip_bet}\"\nip_raise = \"{raise}\"\n");
        }
        text.push_str("\n[solver]\ntarget_exploitability_pct = 0.5\nprecision = \"auto\"\n");
        text
    }

    /// The spec on a board such as `Ks7d2c`.
    pub fn spec(self, board: &str, rake: RakePreset) -> Result<Spec, SpecError> {
        self.toml(board, rake).parse()
    }
}

/// Rounded to what a spec can say.
fn cents(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}

impl fmt::Display for NamedSpot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, depth, opener, other, pot_type } = self;
        write!(f, "{opener} vs {other}, {pot_type}, {depth}")?;
        if *format == GameFormat::HeadsUp { write!(f, ", {format}") } else { Ok(()) }
    }
}

impl FromStr for NamedSpot {
    type Err = NamedSpotError;

    /// Reads what is printed: `BTN vs BB, single-raised, 100 bb`, with `heads-up` at the end for that game.
    fn from_str(text: &str) -> Result<Self, NamedSpotError> {
        let unknown = || {
            let close =
                |spot: &Self| strsim::jaro_winkler(&spot.to_string().to_lowercase(), &text.to_lowercase());
            let best = Self::all().max_by(|a, b| close(a).total_cmp(&close(b)));
            let nearest = best.filter(|spot| close(spot) > 0.8).map(|spot| spot.to_string());
            NamedSpotError::Unknown { text: crate::text::excerpt(text), nearest }
        };
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let (players, pot, depth, format) = match parts[..] {
            [players, pot, depth] => (players, pot, depth, "6-max"),
            [players, pot, depth, format] => (players, pot, depth, format),
            _ => return Err(unknown()),
        };
        let (opener, other) = players.split_once(" vs ").ok_or_else(unknown)?;
        let position = |text: &str| text.parse::<TablePosition>().map_err(|_| unknown());
        Self::new(
            format.parse().map_err(|_| unknown())?,
            depth.parse().map_err(|_| unknown())?,
            [position(opener)?, position(other)?],
            pot.parse().map_err(|_| unknown())?,
        )
    }
}
