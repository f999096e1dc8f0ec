//! Plays as they are kept, and the score of a session.

use super::grade::DominoGrade;
use super::hand::DominoHand;
use crate::grade::Verdict;
use serde::{Deserialize, Serialize};

/// A play of a session with its grade. Regrets are in final difference.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DominoAnswer {
    /// The number of the hand in the drill, from 0.
    pub number: u64,
    /// The trick, from 1 to 7.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 7))]
    pub trick: u8,
    /// What was played, like `6-4`.
    pub domino: String,
    /// What is worth most in the deal as it was.
    pub best: String,
    /// What is worth most over the deals that could be.
    pub best_known: String,
    /// What the play gave away in the deal as it was.
    pub regret: u8,
    /// What it gave away on average over the deals that could be.
    pub known_regret: f64,
    /// How good that is, by what could be known.
    pub verdict: Verdict,
}

impl DominoAnswer {
    /// A play of the hand with a number, where it asked.
    pub fn new(number: u64, hand: &DominoHand, grade: &DominoGrade) -> Self {
        let name =
            |place: usize| grade.moves.get(place).map_or_else(String::new, |play| play.domino.to_string());
        Self {
            number,
            trick: (hand.plays.len() / 4 + 1) as u8,
            domino: name(grade.played),
            best: name(grade.best),
            best_known: name(grade.best_known),
            regret: grade.chosen().map_or(0, |play| play.regret),
            known_regret: grade.chosen().map_or(0.0, |play| play.known_regret),
            verdict: grade.verdict,
        }
    }
}

/// What the plays of a session gave away.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DominoTotals {
    /// How many plays were asked for.
    pub plays: usize,
    /// How many were as good as the best, as far as could be known.
    pub right: usize,
    /// What a play gave away on average in the deal as it was; null before the first.
    #[cfg_attr(feature = "schema", schema(required))]
    pub regret: Option<f64>,
    /// What a play gave away on average over the deals that could be; null before the first.
    #[cfg_attr(feature = "schema", schema(required))]
    pub known_regret: Option<f64>,
    /// By trick, in order.
    pub tricks: Vec<TrickTotal>,
}

/// The plays of a trick.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TrickTotal {
    /// Which, from 1 to 7.
    pub trick: u8,
    /// How many plays.
    pub plays: usize,
    /// What one gave away on average in the deal as it was.
    pub regret: f64,
    /// The same over the deals that could be.
    pub known_regret: f64,
}

impl DominoTotals {
    /// Those of some plays.
    pub fn of(answers: &[DominoAnswer]) -> Self {
        let means = |of: &[&DominoAnswer]| {
            let sums = of.iter().fold((0.0, 0.0), |(regret, known), answer| {
                (regret + f64::from(answer.regret), known + answer.known_regret)
            });
            let count = of.len() as f64;
            (!of.is_empty()).then_some((sums.0 / count, sums.1 / count))
        };
        let all: Vec<&DominoAnswer> = answers.iter().collect();
        let tricks = (1..=7).filter_map(|trick| {
            let there: Vec<&DominoAnswer> = answers.iter().filter(|answer| answer.trick == trick).collect();
            let (regret, known_regret) = means(&there)?;
            Some(TrickTotal { trick, plays: there.len(), regret, known_regret })
        });
        Self {
            plays: answers.len(),
            right: answers.iter().filter(|answer| answer.verdict.is_right()).count(),
            regret: means(&all).map(|(regret, _)| regret),
            known_regret: means(&all).map(|(_, known)| known),
            tricks: tricks.collect(),
        }
    }
}
