//! The streets that a small save leaves out, solved again when they are looked at.

use super::page::{Page, RootTree};
use crate::Postflop;
use noregret_cfr::{
    Deal, Game, NodeId, Player, Precision, Profile, ResolveBound, Response, Strategy, Subgame, resolve,
};
use std::collections::HashMap;
use std::sync::Arc;

/// What the opponent may gain in a re-solved subgame, as a share of what the saved solution gives away: little, so that the
/// sum over all subgames is made good by those in which the opponent loses.
pub(super) const SHARE: f64 = 0.08;

/// Re-solving ends after so many iterations.
const MAX_ITERATIONS: u32 = 1000;

/// How much of the hands that came to the subgame before comes in any case. Measured on a turn spot saved at 0.260% and
/// 0.096%: the stitched strategies are exploitable by 0.250% and 0.085% with none, 0.196% and 0.071% with a tenth, 0.166% and
/// 0.068% with three tenths; and 0.897% and 0.177% with all, which is re-solving without care.
const NATURAL: f32 = 0.3;

/// How many trainers of a subgame are counted as in memory at a time.
pub(super) const SOLVERS: u64 = 3;

/// Re-solved subgames that are kept take at most so many bytes.
pub(super) const KEPT_BYTES: usize = 256 << 20;

/// A subgame that was left out and is solved again: both players' strategies on all of its deals.
pub(super) struct Resolved {
    pub pages: HashMap<(usize, usize, NodeId), Page>,
}

impl Resolved {
    pub fn page(&self, step: &RootTree) -> Option<&Page> {
        self.pages.get(&(step.deal.round, step.deal.index, step.root))
    }

    pub fn bytes(&self) -> usize {
        self.pages
            .values()
            .flat_map(|page| &page.strategies)
            .map(|array| array.support.len() + array.numbers.len())
            .sum()
    }
}

/// Where a left-out subgame begins: a root of a deal, or the chance node before it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Cut {
    /// With the first card that is left out, at this root.
    Root(Deal, NodeId),
    /// Before the card, at this chance node.
    Chance(Deal, NodeId),
}

impl Cut {
    pub fn place(self) -> (Deal, NodeId) {
        match self {
            Self::Root(deal, node) | Self::Chance(deal, node) => (deal, node),
        }
    }
}

impl Resolved {
    /// Re-solves a subgame of a game for both players, where `values` are the counterfactual best-response values at its start and
    /// `exploitability` what the saved solution gives away, in chips.
    pub fn new(
        game: &Postflop,
        deal: Deal,
        subgame: &Arc<Subgame<Postflop>>,
        values: &[Vec<f32>; 2],
        exploitability: f64,
    ) -> Self {
        let solve = |hero: Player| {
            let opponent = hero.opponent();
            let possible = game.possible_reach(deal, opponent);
            let reach = game.of_all_hands(deal, hero, subgame.weights(hero));
            let compatible = game.compatible_reach(deal, opponent, &reach);
            let mass: f64 = possible
                .iter()
                .zip(&compatible)
                .map(|(&entry, compatible)| f64::from(entry) * compatible)
                .sum();
            let entries = game.of_representatives(deal, opponent, &possible);
            let bound = ResolveBound {
                values: &values[opponent.index()],
                entries: &entries,
                tolerance: SHARE * exploitability * mass,
                max_iterations: MAX_ITERATIONS,
                natural: NATURAL,
            };
            resolve(subgame, hero, &bound)
        };
        let (first, second) = rayon::join(|| solve(Player::First), || solve(Player::Second));
        stitch(&**subgame, [first, second])
    }
}

/// Each player's strategy from the re-solve that made it safe.
fn stitch<G: Game>(subgame: &Subgame<G>, [first, second]: [Strategy; 2]) -> Resolved {
    let mut both = first;
    both.set_player(Player::Second, second);
    let mut pages = HashMap::new();
    let tree = subgame.tree();
    for round in 0..tree.round_count() {
        for index in 0..subgame.deal_count(round) {
            let deal = Deal { round, index };
            for root in tree.roots(round) {
                let strategies = Player::BOTH.map(|player| both.encode(subgame, deal, root, player));
                let whole = subgame.original_deal(deal);
                let page = Page { strategies, precision: Precision::Bits32, chance_values: None };
                pages.insert((whole.round, whole.index, subgame.original_node(root)), page);
            }
        }
    }
    // Only the first round of a subgame can be followed by another one that is read from outside.
    let profile = Profile::new(subgame, &both);
    let start = profile.start();
    let chance_values = Player::BOTH.map(|player| profile.chance_values(&start, player, Response::Average));
    let whole = subgame.original_deal(Deal::ROOT);
    let root = (whole.round, whole.index, subgame.original_node(NodeId::ROOT));
    if let Some(page) = pages.get_mut(&root) {
        page.chance_values = Some(chance_values);
    }
    Resolved { pages }
}
