//! Iterations, and what they have led to.

use crate::kernels::{HANDS, Row, ZERO, blocks};
use crate::state::Memory;
use crate::traverse::{Aim, Follow, Reaches, Traversal};
use crate::{Dcfr, Deal, Game, Player};

/// A game being solved: the regrets and average strategies of both players.
pub struct Solver<'g, G> {
    pub(crate) game: &'g G,
    pub(crate) memories: [Memory; 2],
    schedule: Dcfr,
    iteration: u32,
}

impl<'g, G: Game> Solver<'g, G> {
    /// A solver that has not learned anything; allocates [`state_bytes`](crate::state_bytes).
    pub fn new(game: &'g G, schedule: Dcfr) -> Self {
        Self { game, memories: Player::BOTH.map(|player| Memory::new(game, player)), schedule, iteration: 0 }
    }

    /// The game.
    pub fn game(&self) -> &'g G {
        self.game
    }

    /// How many iterations have been made.
    pub fn iteration(&self) -> u32 {
        self.iteration
    }

    /// Lets each player in turn learn from a walk against the other's current strategy.
    pub fn iterate(&mut self) {
        self.iteration += 1;
        let discounts = self.schedule.discounts(self.iteration);
        for player in Player::BOTH {
            let [first, second] = &mut self.memories;
            let (own, opponent) = match player {
                Player::First => (first, &*second),
                Player::Second => (second, &*first),
            };
            let (layout, view) = own.view();
            let traversal = Traversal {
                game: self.game,
                player,
                aim: Aim::Learn(discounts),
                opponent,
                opponent_plays: Follow::Current,
                layout,
            };
            let mut values = root_rows(self.game, player);
            traversal.visit(Deal::ROOT, &root_reaches(self.game), Some(view), &mut values);
        }
    }

    /// What a player gets, per deal, when both follow their average strategies.
    pub fn expected_value(&self, player: Player) -> f64 {
        self.mean(player, Aim::Follow(&self.memories[player.index()]))
    }

    /// What a player gets, per deal, with a best response to the other's average strategy.
    pub fn best_response_value(&self, player: Player) -> f64 {
        self.mean(player, Aim::BestRespond)
    }

    /// Half of what two best responders would gain over the average strategies.
    pub fn exploitability(&self) -> f64 {
        let best: f64 = Player::BOTH.iter().map(|&player| self.best_response_value(player)).sum();
        let now = self
            .game
            .constant_sum()
            .unwrap_or_else(|| Player::BOTH.iter().map(|&player| self.expected_value(player)).sum());
        (best - now) / 2.0
    }

    /// A hash of the stored average strategies: equal digests mean equal solutions.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for memory in &self.memories {
            for rows in memory.sums.rows() {
                for chunk in rows.as_flattened().chunks(4096) {
                    let bytes: Vec<u8> = chunk.iter().flat_map(|sum| sum.to_le_bytes()).collect();
                    hasher.update(&bytes);
                }
            }
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }

    fn mean(&self, player: Player, aim: Aim<'_>) -> f64 {
        let mut values = root_rows(self.game, player);
        self.averaged(player, aim).visit(Deal::ROOT, &root_reaches(self.game), None, &mut values);
        let weights = self.game.weights(player).iter();
        let sum: f64 = weights
            .zip(values.as_flattened())
            .map(|(&weight, &value)| f64::from(weight) * f64::from(value))
            .sum();
        sum / self.game.total_weight()
    }

    /// A traversal of `player` against the opponent's average strategy.
    pub(crate) fn averaged<'a>(&'a self, player: Player, aim: Aim<'a>) -> Traversal<'a, G> {
        Traversal {
            game: self.game,
            player,
            aim,
            opponent: &self.memories[player.opponent().index()],
            opponent_plays: Follow::Average,
            layout: &self.memories[player.index()].layout,
        }
    }
}

fn root_rows<G: Game>(game: &G, player: Player) -> Vec<Row> {
    vec![ZERO; blocks(game.hand_count(Deal::ROOT, player))]
}

/// The weights of all hands, as the reaches of the one root of the first deal.
pub(crate) fn root_reaches<G: Game>(game: &G) -> Reaches {
    Player::BOTH.map(|player| {
        let mut rows = root_rows(game, player);
        let weights = game.weights(player);
        rows.as_flattened_mut()[..weights.len()].copy_from_slice(weights);
        debug_assert!(rows.len() * HANDS >= weights.len());
        rows
    })
}
