//! Which hands to list: `pair, flush draw|open-ended, equity>0.5, !AKs`.

use crate::hands::{HandLine, action_places, share_of};
use noregret_cards::{Board, Draws, HandKind, Hole, MadeHand, Range};
use noregret_holdem::Action;

/// A choice of hands: all of its conditions, each of which is one of some alternatives.
///
/// Conditions have commas between them, alternatives `|`, and `!` turns one around. What can be asked for:
///
/// | text | hands |
/// |---|---|
/// | `pair`, `top pair`, `overpair`, `two pair`, `trips`, `set`, `straight`, … | that make it with a card of their own |
/// | `nothing`, `made` | that make nothing, or something |
/// | `flush draw`, `backdoor flush draw`, `open-ended`, `gutshot`, `straight draw`, `draw` | that may become it |
/// | `overcards`, `one overcard` | with nothing, and cards above the board |
/// | `equity>0.5`, `ev<=20`, `reach>0.1`, `bet>50%`, `bet 94>0.2` | by a number |
/// | `AKs`, `TT+`, `AhKh` | of a range |
#[derive(Clone, Debug, Default)]
pub struct Filter {
    conditions: Vec<Vec<Term>>,
}

#[derive(Clone, Debug)]
struct Term {
    negated: bool,
    test: Test,
}

#[derive(Clone, Debug)]
enum Test {
    Kind(HandKind),
    Number(Number, NumberTest, f64),
    Range(Box<Range>),
}

#[derive(Clone, Debug)]
enum Number {
    Equity,
    Ev,
    Reach,
    Actions(Vec<usize>),
}

#[derive(Clone, Copy, Debug)]
enum NumberTest {
    More,
    Less,
    AtLeast,
    AtMost,
}

/// A text that is not a choice of hands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct FilterError(String);

impl Filter {
    /// Reads a filter for a point where these actions are possible.
    pub fn parse(text: &str, actions: &[Action]) -> Result<Self, FilterError> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let term = |text: &str| Term::parse(text.trim(), actions);
        let condition = |text: &str| text.split('|').map(term).collect();
        Ok(Self { conditions: text.split(',').map(condition).collect::<Result<_, _>>()? })
    }

    /// Reads a filter that goes by the cards alone: what a hand is, not what the solution says about it.
    pub fn of_cards(text: &str) -> Result<Self, FilterError> {
        if let Some(term) = text.split([',', '|']).find(|term| term.contains(['<', '>'])) {
            let shown = short(term.trim());
            let message = format!(
                "`{shown}` compares a number: choose hands by their cards, like `top pair` or `ATs+`"
            );
            return Err(FilterError(message));
        }
        Self::parse(text, &[])
    }

    /// Whether a hand is chosen.
    pub fn has(&self, line: &HandLine) -> bool {
        self.conditions.iter().all(|terms| terms.iter().any(|term| term.has(line)))
    }

    /// Whether a hand is chosen on a board, by its cards alone.
    pub fn has_cards(&self, hole: Hole, board: &Board) -> bool {
        let made = MadeHand::of(hole, board).unwrap_or(MadeHand::Nothing);
        let draws = Draws::of(hole, board);
        let has = |term: &Term| {
            let holds = match &term.test {
                Test::Kind(kind) => kind.holds(made, &draws),
                Test::Range(range) => range.weight(hole) > 0.0,
                Test::Number(..) => false,
            };
            holds != term.negated
        };
        self.conditions.iter().all(|terms| terms.iter().any(has))
    }

    /// Whether a hand may be chosen on some board: false only where its two cards rule that out.
    pub fn may_have(&self, hole: Hole) -> bool {
        let may = |term: &Term| match &term.test {
            Test::Range(range) => (range.weight(hole) > 0.0) != term.negated,
            Test::Kind(_) | Test::Number(..) => true,
        };
        self.conditions.iter().all(|terms| terms.iter().any(may))
    }
}

impl Term {
    fn parse(text: &str, actions: &[Action]) -> Result<Self, FilterError> {
        let (negated, rest) = match text.strip_prefix('!') {
            Some(rest) => (true, rest.trim_start()),
            None => (false, text),
        };
        Ok(Self { negated, test: Test::parse(rest, actions)? })
    }

    fn has(&self, line: &HandLine) -> bool {
        self.test.has(line) != self.negated
    }
}

impl Test {
    fn parse(text: &str, actions: &[Action]) -> Result<Self, FilterError> {
        let lower = text.to_ascii_lowercase();
        if let Some(place) = lower.find(['<', '>']) {
            return comparison(text, lower.split_at(place), actions);
        }
        Ok(match text.parse() {
            Ok(kind) => Self::Kind(kind),
            Err(_) => Self::Range(Box::new(range(text)?)),
        })
    }

    fn has(&self, line: &HandLine) -> bool {
        match self {
            Self::Kind(kind) => kind.holds(line.made, &line.draws),
            Self::Number(number, comparison, limit) => {
                let number = match number {
                    Number::Equity => line.equity,
                    Number::Ev => line.ev,
                    Number::Reach => Some(line.reach),
                    Number::Actions(places) => share_of(line, places),
                };
                number.is_some_and(|number| comparison.holds(number, *limit))
            }
            Self::Range(range) => range.weight(line.hole) > 0.0,
        }
    }
}

impl NumberTest {
    fn holds(self, number: f64, limit: f64) -> bool {
        match self {
            Self::More => number > limit,
            Self::Less => number < limit,
            Self::AtLeast => number >= limit,
            Self::AtMost => number <= limit,
        }
    }
}

fn range(text: &str) -> Result<Range, FilterError> {
    let range = text.parse::<Range>().ok().filter(|range| !range.is_empty());
    range.ok_or_else(|| {
        FilterError(format!(
            "`{}` chooses no hands: write one of {}; a comparison like `equity>0.5`; or hands like `ATs+`",
            short(text),
            HandKind::names()
        ))
    })
}

fn comparison(text: &str, (name, rest): (&str, &str), actions: &[Action]) -> Result<Test, FilterError> {
    let signs = [
        (">=", NumberTest::AtLeast),
        ("<=", NumberTest::AtMost),
        (">", NumberTest::More),
        ("<", NumberTest::Less),
    ];
    let found = signs.iter().find_map(|(sign, comparison)| Some((rest.strip_prefix(sign)?, *comparison)));
    let (limit, comparison) = found.unwrap_or((rest, NumberTest::More));
    let number = match name.trim() {
        "equity" => Number::Equity,
        "ev" => Number::Ev,
        "reach" => Number::Reach,
        name => match action_places(name, actions) {
            places if places.is_empty() => {
                let known: Vec<String> = actions.iter().map(|action| format!(", {action}")).collect();
                return Err(FilterError(format!(
                    "`{}`: there is no `{}` to compare here: there is equity, ev, reach{}",
                    short(text),
                    short(name),
                    known.concat()
                )));
            }
            places => Number::Actions(places),
        },
    };
    let limit = limit.trim();
    let (digits, unit) = limit.strip_suffix('%').map_or((limit, 1.0), |digits| (digits.trim_end(), 100.0));
    let limit: Option<f64> = digits.parse().ok().filter(|limit: &f64| limit.is_finite());
    let limit = limit.ok_or_else(|| {
        FilterError(format!(
            "`{}` does not compare with a number: write it like `equity>0.5` or `equity>50%`",
            short(text)
        ))
    })?;
    Ok(Test::Number(number, comparison, limit / unit))
}

/// As much of the input as a message shows.
fn short(text: &str) -> String {
    let mut shown: String = text.chars().take(40).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().count() > 40 {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hands::hand_lines;
    use crate::test_spots::{after, solved, turn};
    use noregret_holdem::{OOP, Solver};
    use proptest::prelude::*;

    #[test]
    fn a_filter_of_cards_knows_hands_without_a_solution() {
        let filter = Filter::of_cards("top pair|flush draw, !AQs").unwrap();
        let board: Board = "QsJh2h".parse().unwrap();
        let hole = |text: &str| text.parse::<Hole>().unwrap();
        let has = |text: &str| filter.has_cards(hole(text), &board);
        assert!(has("KdQd") && has("KhTh") && !has("AdQd") && !has("7d6d"));
        let may = |text: &str| filter.may_have(hole(text));
        assert!(may("7d6d") && !may("AdQd"));
        let error = Filter::of_cards("pair, equity>0.5").unwrap_err().to_string();
        assert_eq!(
            error,
            "`equity>0.5` compares a number: choose hands by their cards, like `top pair` or `ATs+`"
        );
    }

    fn chosen(solution: &Solver, filter: &str) -> Vec<String> {
        let view = solution.root();
        let filter = Filter::parse(filter, &view.actions).unwrap();
        let lines = hand_lines(solution.game(), &view, OOP);
        lines.iter().filter(|line| filter.has(line)).map(|line| line.hole.to_string()).collect()
    }

    #[test]
    fn hands_are_chosen_by_what_they_are() {
        // AA, QQ, T9s, 87s, AhKh, JTs on QsJh2h8c.
        after(&turn(), 20, |solution| {
            assert_eq!(chosen(solution, "set"), ["QdQc", "QhQc", "QhQd"]);
            assert_eq!(chosen(solution, "overpair").len(), 6);
            assert_eq!(chosen(solution, "flush draw"), ["8h7h", "Th9h", "AhKh"]);
            assert_eq!(chosen(solution, "flush draw, made"), ["8h7h", "Th9h"]);
            assert_eq!(chosen(solution, "overcards|low pair, !8h7h"), ["8d7d", "8s7s", "AhKh"]);
            assert_eq!(chosen(solution, "open-ended, T9s"), Vec::<String>::new()); // they have the straight
            assert_eq!(chosen(solution, "straight").len(), 4);
            assert_eq!(chosen(solution, "AA, AhAd"), ["AhAd"]);
            assert_eq!(chosen(solution, "").len(), solution.root().hands[0].len());
        });
    }

    #[test]
    fn hands_are_chosen_by_their_numbers() {
        solved(|solution| {
            let all = chosen(solution, "");
            for number in ["equity", "ev", "reach", "check", "bet", "bet 50"] {
                let (above, below) = (format!("{number} > 0.4"), format!("{number}<=40%"));
                assert_eq!(
                    chosen(solution, &above).len() + chosen(solution, &below).len(),
                    all.len(),
                    "{number}"
                );
            }
            assert_eq!(chosen(solution, "reach<1"), ["AhKh"]);
            assert_eq!(chosen(solution, "reach>=1"), chosen(solution, "!AhKh"));
        });
    }

    #[test]
    fn a_bad_filter_says_what_can_be_asked_for() {
        let error = |text: &str| Filter::parse(text, &[Action::Check]).unwrap_err().to_string();
        assert!(error("pair, jump").starts_with("`jump` chooses no hands: write one of nothing, king high,"));
        assert!(error("pair,").starts_with("`` chooses no hands"));
        assert_eq!(
            error("luck>1"),
            "`luck>1`: there is no `luck` to compare here: there is equity, ev, reach, check"
        );
        let number = "`equity>x` does not compare with a number: write it like `equity>0.5` or `equity>50%`";
        assert_eq!(error("equity>x"), number);
        assert!(error("equity>NaN").contains("does not compare with a number"));
        assert!(error(&"x".repeat(1000)).len() < 500);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(pair|set|equity|ev|bet|[<>=!|,.%0-9 ATKshdc+-]){0,12}|\\PC{0,20}") {
            let _ = Filter::parse(&text, &[Action::Check, Action::Bet(50.into())]);
        }
    }
}
