//! What locks do to hands, and what a best response gains.

use super::common::PlayerName;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Locks to try out on a solution.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LocksQuestion {
    /// A spec whose `[[locks]]` are tried out; the rest of it is that of the solution.
    pub toml: String,
    /// Those at this line only; all of them unless told.
    #[schema(nullable = false, max_length = 2000)]
    pub line: Option<String>,
}

/// Which hands of a lock take which action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LockRule {
    /// Every hand takes each action with the same frequency.
    Uniform,
    /// The hands that lose least by it are moved to the frequencies of all together.
    Merit,
}

/// What a lock does to the hands that it binds.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct LockPreview {
    /// Which lock of the spec, from 0.
    pub lock: usize,
    /// Its line, in the tree's own words.
    pub line: String,
    /// Whose hands it binds.
    pub player: PlayerName,
    /// Which hands take which action.
    pub by: LockRule,
    /// What can be done there, as in a line.
    pub actions: Vec<String>,
    /// The hands.
    pub hands: Vec<String>,
    /// How often each of them takes each action.
    pub strategy: Vec<Vec<f64>>,
    /// How often they take each action in the solution.
    pub before: Vec<f64>,
    /// The same with the lock.
    pub after: Vec<f64>,
    /// What they give up on average if the opponent does not react, in the unit of the spec.
    pub given_up: f64,
    /// What they would give up by merit, with the same frequencies.
    pub given_up_by_merit: f64,
}

/// Where to respond, and who does.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ExploitQuery {
    /// Actions and cards from the root, like `check, bet 94, call, Th`; nothing for the root.
    #[serde(default)]
    #[param(required = false, max_length = 2000)]
    pub line: String,
    /// Who responds.
    pub player: PlayerName,
}

/// The best response of a player to the other's strategy, from a point on.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Exploit {
    /// The line in the tree's own words.
    pub line: String,
    /// Who responds.
    pub player: PlayerName,
    /// What that player can do here, as in a line; nothing if another is to act.
    pub actions: Vec<String>,
    /// What the response gains on average over the hands that are here, in the unit of the spec; null if there are none.
    #[schema(required)]
    pub gain: Option<f64>,
    /// What a best response from the root on gains, in the unit of the spec.
    pub root_gain: f64,
    /// The cards of each hand, like `AhKh`.
    pub hand: Vec<String>,
    /// Its reach after card removal, up to a constant.
    pub share: Vec<f64>,
    /// What it expects from here on with its own strategy, the pot counted; null without an opponent.
    pub ev: Vec<Option<f64>>,
    /// What it expects with the best response.
    pub best_ev: Vec<Option<f64>>,
    /// Which of the actions it takes then; null if it is locked or another is to act.
    pub best_action: Vec<Option<usize>>,
    /// What the response gains with it.
    pub hand_gain: Vec<Option<f64>>,
}
