//! The hands of a player at a point: what they are, what they do, what they expect.

use crate::summary::{NEGLIGIBLE, paid};
use noregret_cards::{Draws, HandClass, Hole, MadeHand};
use noregret_holdem::{Action, AmountFormat, HandView, NodeView, Player, Postflop, Step};

/// One hand at a point.
#[derive(Clone, PartialEq, Debug)]
pub struct HandLine {
    /// The hand.
    pub hole: Hole,
    /// What it makes of the board.
    pub made: MadeHand,
    /// What it may still become.
    pub draws: Draws,
    /// Its reach probability, from 0 to its weight in the range.
    pub reach: f64,
    /// Its reach after card removal, up to a constant.
    pub share: f64,
    /// What it expects in chips from here on, the pot counted; none if no hand of the opponent is here with it.
    pub ev: Option<f64>,
    /// Which share of the pot it wins if both check to the end; none as for `ev`.
    pub equity: Option<f64>,
    /// How often it takes each action; none if another is to act or it does not reach this point.
    pub strategy: Option<Vec<f64>>,
    /// What it expects after each action, from here on; none if another is to act, or as for `ev`.
    pub action_evs: Option<Vec<f64>>,
}

impl HandLine {
    /// How much of its equity it realises in a pot of so many chips: EV over equity times pot; none without equity.
    pub fn eqr(&self, pot: f64) -> Option<f64> {
        let equity = self.equity.filter(|equity| *equity > 0.0)?;
        self.ev.map(|ev| ev / (equity * pot))
    }

    /// The same with EVs as they are shown in another unit, where the pot is `pot`.
    #[must_use]
    pub fn shown(mut self, format: AmountFormat, pot: f64) -> Self {
        self.ev = self.ev.map(|ev| format.number(ev, pot));
        self.action_evs.iter_mut().flatten().for_each(|ev| *ev = format.number(*ev, pot));
        self
    }

    /// The names of its draws.
    pub fn draw_names(&self) -> Vec<String> {
        draw_names(&self.draws)
    }

    /// Whether it reaches this point at all.
    pub fn is_here(&self) -> bool {
        self.reach > NEGLIGIBLE
    }
}

/// The name of each draw.
pub fn draw_names(draws: &Draws) -> Vec<String> {
    let draws = draws.to_string();
    draws.split(", ").filter(|name| !name.is_empty()).map(ToOwned::to_owned).collect()
}

/// The hands of a player at a point, in the order of their index, those that do not reach it included.
pub fn hand_lines(game: &Postflop, view: &NodeView, player: Player) -> Vec<HandLine> {
    let paid = paid(game, view.node, player);
    let line = |hand: &HandView| HandLine {
        hole: hand.hole,
        made: MadeHand::of(hand.hole, &view.board).unwrap_or(MadeHand::Nothing),
        draws: Draws::of(hand.hole, &view.board),
        reach: hand.reach,
        share: hand.share,
        ev: hand.root_ev.map(|ev| ev + paid),
        equity: hand.equity,
        strategy: hand.strategy.clone().filter(|_| hand.reach > NEGLIGIBLE),
        action_evs: hand.root_action_evs.as_ref().map(|evs| evs.iter().map(|ev| ev + paid).collect()),
    };
    view.hands[player.index()].iter().map(line).collect()
}

/// Some hands together: those of one cell of the matrix, or those that make the same of the board.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClassLine {
    /// How many combinations reach this point.
    pub combos: f64,
    /// How many there could be: those of the range that the board does not block.
    pub possible: f64,
    /// How often they take each action, after card removal; none if they do not reach this point or another is to act.
    pub strategy: Option<Vec<f64>>,
    /// What they expect; none if they do not reach this point.
    pub ev: Option<f64>,
    /// Their share of the pot; none as for `ev`.
    pub equity: Option<f64>,
}

impl ClassLine {
    /// Some hands of a player, together.
    fn of(game: &Postflop, members: &[&HandLine], player: Player) -> Self {
        let range = game.spot().range(player);
        let here = || members.iter().filter(|line| line.is_here() && line.share > 0.0);
        let total: f64 = here().map(|line| line.share).sum();
        let mean = |number: &dyn Fn(&HandLine) -> Option<f64>| {
            let sum: Option<f64> = here().map(|line| Some(line.share * number(line)?)).sum();
            sum.filter(|_| total > 0.0).map(|sum| sum / total)
        };
        let actions = here().find_map(|line| Some(line.strategy.as_ref()?.len())).unwrap_or(0);
        let strategy: Option<Vec<f64>> =
            (0..actions).map(|a| mean(&|line| line.strategy.as_ref().map(|strategy| strategy[a]))).collect();
        Self {
            combos: members.iter().filter(|line| line.is_here()).map(|line| line.reach).sum(),
            possible: members.iter().map(|line| f64::from(range.weight(line.hole))).sum(),
            strategy: strategy.filter(|strategy| !strategy.is_empty()),
            ev: mean(&|line| line.ev),
            equity: mean(&|line| line.equity),
        }
    }
}

/// The cells of the matrix, in the order of [`HandClass::index`].
pub fn class_lines(game: &Postflop, lines: &[HandLine], player: Player) -> Vec<ClassLine> {
    let cell = |class: HandClass| {
        let members: Vec<&HandLine> = lines.iter().filter(|line| HandClass::of(line.hole) == class).collect();
        ClassLine::of(game, &members, player)
    };
    HandClass::all().map(cell).collect()
}

/// The hands that make the same of the board, together.
#[derive(Clone, PartialEq, Debug)]
pub struct MadeLine {
    /// What they make.
    pub made: MadeHand,
    /// Which share of all hands here they are, after card removal.
    pub share: f64,
    /// What they do and expect.
    pub line: ClassLine,
}

/// What a player's hands make of the board, strongest first, without what none makes that reaches this point.
pub fn made_lines(game: &Postflop, lines: &[HandLine], player: Player) -> Vec<MadeLine> {
    let share = |lines: &mut dyn Iterator<Item = &HandLine>| -> f64 {
        lines.filter(|line| line.is_here()).map(|line| line.share).sum()
    };
    let all = share(&mut lines.iter());
    let total = |made: MadeHand| {
        let members: Vec<&HandLine> = lines.iter().filter(|line| line.made == made).collect();
        let share = share(&mut members.iter().copied());
        let share = if all > 0.0 { share / all } else { 0.0 };
        MadeLine { made, share, line: ClassLine::of(game, &members, player) }
    };
    MadeHand::ALL.into_iter().rev().map(total).filter(|total| total.line.combos > 0.0).collect()
}

/// What hands are listed by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SortKey {
    /// The cards, aces first.
    Hand,
    /// What is made, strongest first.
    Made,
    /// The EV, highest first.
    Ev,
    /// The equity, highest first.
    Equity,
    /// Its reach, largest first.
    Reach,
    /// How often an action is taken, most first; a name like `bet` stands for all bets.
    Action(String),
}

impl std::str::FromStr for SortKey {
    type Err = std::convert::Infallible;

    /// Any other word is the name of an action, to be looked for at the point.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.trim().to_ascii_lowercase().as_str() {
            "hand" => Self::Hand,
            "made" => Self::Made,
            "ev" => Self::Ev,
            "equity" => Self::Equity,
            "reach" => Self::Reach,
            other => Self::Action(other.to_owned()),
        })
    }
}

/// A name that is nothing to sort by.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{name}` is nothing to sort by here: there is hand, made, ev, equity, reach{known}")]
pub struct SortError {
    name: String,
    /// The actions of the point, each after a comma.
    known: String,
}

impl SortKey {
    /// Sorts hands; an error names what can be sorted by.
    pub fn sort(&self, lines: &mut [HandLine], actions: &[Action]) -> Result<(), SortError> {
        let by = |lines: &mut [HandLine], number: &dyn Fn(&HandLine) -> Option<f64>| {
            // Those without a number come last; the order of the cards decides between equals.
            let key = |line: &HandLine| number(line).unwrap_or(f64::NEG_INFINITY);
            lines.sort_by(|a, b| key(b).total_cmp(&key(a)).then(b.hole.cmp(&a.hole)));
        };
        match self {
            Self::Hand => lines.sort_by_key(|line| std::cmp::Reverse(line.hole)),
            Self::Made => lines.sort_by_key(|line| std::cmp::Reverse((line.made, line.hole))),
            Self::Ev => by(lines, &|line| line.ev),
            Self::Equity => by(lines, &|line| line.equity),
            Self::Reach => by(lines, &|line| Some(line.reach)),
            Self::Action(name) => {
                let places = action_places(name, actions);
                if places.is_empty() {
                    let known: Vec<String> = actions.iter().map(|action| format!(", {action}")).collect();
                    return Err(SortError { name: name.clone(), known: known.concat() });
                }
                by(lines, &|line| share_of(line, &places));
            }
        }
        Ok(())
    }
}

/// Which actions a name means: `bet 94` that one, `bet` all bets.
pub(crate) fn action_places(name: &str, actions: &[Action]) -> Vec<usize> {
    let is_meant = |action: &Action| action.name() == name || name.parse() == Ok(Step::Action(*action));
    (0..actions.len()).filter(|&place| is_meant(&actions[place])).collect()
}

/// How often a hand takes one of some actions.
pub(crate) fn share_of(line: &HandLine, places: &[usize]) -> Option<f64> {
    line.strategy.as_ref().map(|strategy| places.iter().map(|&place| strategy[place]).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_spots::solved;
    use noregret_holdem::{IP, OOP};

    #[test]
    fn hands_are_named_and_counted_from_here() {
        solved(|solution| {
            let game = solution.game();
            let view = solution.at(&"bet 50".parse().unwrap()).unwrap();
            let lines = hand_lines(game, &view, IP);
            let find = |hole: &str| lines.iter().find(|line| line.hole.to_string() == hole).unwrap();
            assert_eq!(find("JdJc").made, MadeHand::Set);
            assert_eq!(find("AdQd").made, MadeHand::TopPair);
            let calls = find("JdJc").action_evs.as_ref().unwrap();
            assert!(calls[0].abs() < 1e-3 && calls[1] > 50.0, "{calls:?}");
            let bettor = hand_lines(game, &view, OOP);
            assert!(bettor.iter().all(|line| line.strategy.is_none() && line.action_evs.is_none()));
        });
    }

    #[test]
    fn cells_hold_all_hands_and_their_means() {
        solved(|solution| {
            let game = solution.game();
            let view = solution.root();
            let lines = hand_lines(game, &view, OOP);
            let cells = class_lines(game, &lines, OOP);
            let total: f64 = lines.iter().map(|line| line.reach).sum();
            assert!((cells.iter().map(|cell| cell.combos).sum::<f64>() - total).abs() < 1e-6);
            assert_eq!(cells.len(), HandClass::COUNT);
            let aces = &cells[0];
            assert_eq!((aces.combos, aces.possible), (6.0, 6.0));
            assert!((aces.strategy.as_ref().unwrap().iter().sum::<f64>() - 1.0).abs() < 1e-6);
            // Kings are not in the range.
            assert_eq!(cells[14], ClassLine::default());
        });
    }

    #[test]
    fn hands_are_sorted_by_what_is_asked_for() {
        solved(|solution| {
            let view = solution.root();
            let mut lines = hand_lines(solution.game(), &view, OOP);
            for (key, number) in [
                ("ev", (|line: &HandLine| line.ev.unwrap()) as fn(&HandLine) -> f64),
                ("Equity", |line| line.equity.unwrap()),
                ("reach", |line| line.reach),
                ("bet", |line| line.strategy.as_ref().unwrap()[1]),
                ("bet 50", |line| line.strategy.as_ref().unwrap()[1]),
            ] {
                key.parse::<SortKey>().unwrap().sort(&mut lines, &view.actions).unwrap();
                assert!(lines.windows(2).all(|pair| number(&pair[0]) >= number(&pair[1])), "{key}");
            }
            "hand".parse::<SortKey>().unwrap().sort(&mut lines, &view.actions).unwrap();
            assert_eq!(lines[0].hole.to_string(), "AsAh");
            let error = SortKey::Action("jump".into()).sort(&mut lines, &view.actions).unwrap_err();
            assert_eq!(
                error.to_string(),
                "`jump` is nothing to sort by here: there is hand, made, ev, equity, reach, check, bet 50"
            );
        });
    }
}
