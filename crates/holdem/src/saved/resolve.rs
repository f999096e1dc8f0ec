//! The streets that a small save leaves out, solved again when they are looked at.

use super::file::{Page, Step};
use super::pages::{Reader, read_values};
use super::write::cut_round;
use super::{Part, Saved, content, kept_rounds, tag};
use crate::Solution;
use noregret_cards::Street;
use noregret_cfr::{
    Bound, Deal, Game, Kept, NodeId, NumbersError, Player, Precision, Response, Solver, Subgame, resolve,
};
use noregret_store::ArchiveError;
use std::collections::HashMap;
use std::sync::Arc;

/// What the villain may gain in a re-solved subgame, as a share of what the saved solution gives away: little, so that the
/// sum over all subgames is made good by those in which the villain loses.
const SHARE: f64 = 0.08;

/// Re-solving ends after so many iterations.
const MAX_ITERATIONS: u32 = 1000;

/// How much of the hands that came to the subgame before comes in any case. Measured on a turn spot saved at 0.260% and
/// 0.096%: the stitched strategies are exploitable by 0.250% and 0.085% with none, 0.196% and 0.071% with a tenth, 0.166% and
/// 0.068% with three tenths; and 0.897% and 0.177% with all, which is re-solving without care.
const NATURAL: f32 = 0.3;

/// How many solvers of a subgame there are in memory at a time: one for each player, and one for both.
const SOLVERS: u64 = 3;

/// Re-solved subgames that are kept take at most so many bytes.
pub(super) const KEPT_BYTES: usize = 256 << 20;

/// A subgame that was left out and is solved again: both players' strategies on all of its deals.
pub(super) struct Resolved {
    pages: HashMap<(usize, usize, NodeId), Page>,
}

impl Resolved {
    pub fn page(&self, step: &Step) -> Option<&Page> {
        self.pages.get(&(step.deal.round, step.deal.index, step.root))
    }

    fn bytes(&self) -> usize {
        self.pages
            .values()
            .flat_map(|page| &page.numbers)
            .map(|numbers| numbers.alive.len() + numbers.numbers.len())
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
    fn place(self) -> (Deal, NodeId) {
        match self {
            Self::Root(deal, node) | Self::Chance(deal, node) => (deal, node),
        }
    }
}

impl Saved {
    /// How many rounds are kept.
    fn kept_rounds(&self) -> usize {
        // Files that keep nothing are not opened.
        kept_rounds(self.spec(), self.summary().keep).unwrap_or(1)
    }

    /// Whether the cards of a street are solved again one by one: a look at all of them then takes a solve for each, and
    /// otherwise one for all of them, or none.
    pub fn solves_cards_apart(&self, street: Street) -> bool {
        let kept = self.kept_rounds();
        street.index() == self.first().index() + kept && cut_round(self.spec(), kept) == kept
    }

    /// Where the way down a line leaves what is kept, if it does.
    pub(super) fn cut(&self, steps: &[Step]) -> Option<Cut> {
        let kept = self.kept_rounds();
        let first = steps.get(kept)?;
        if cut_round(self.spec(), kept) == kept {
            return Some(Cut::Root(first.deal, first.root));
        }
        let chance = self.game().betting()[first.root].parent?;
        Some(Cut::Chance(steps[kept - 1].deal, chance))
    }

    /// What lies after a cut, which both players reach like this.
    pub(super) fn resolved(&self, cut: Cut, reaches: [Vec<f32>; 2]) -> Result<Arc<Resolved>, ArchiveError> {
        self.resolved.get(cut, Resolved::bytes, || self.resolve(cut, reaches))
    }

    /// What the saved solution gives away, in chips; no less than there is any point in.
    fn exploitability(&self) -> f64 {
        let last = self.progress().history.last();
        let pct = last.map_or(0.1, |last| last.exploitability_pct.max(1e-3));
        pct / 100.0 * self.game().spot().options().starting_pot.as_f64()
    }

    fn resolve(&self, cut: Cut, reaches: [Vec<f32>; 2]) -> Result<Resolved, ArchiveError> {
        let game = self.game();
        let values = self.cut_values(cut)?;
        let (deal, node) = cut.place();
        let subgame = Subgame::new(game, deal, node, reaches.clone());
        self.memory.check(&subgame, Precision::Bits32, SOLVERS)?;
        let exploitability = self.exploitability();
        let solve = |hero: Player| {
            let villain = hero.opponent();
            let entries = game.possible_reach(deal, villain);
            let met = game.met(deal, villain, &reaches[hero.index()]);
            let mass: f64 = entries.iter().zip(&met).map(|(&entry, met)| f64::from(entry) * met).sum();
            let bound = Bound {
                values: &values[villain.index()],
                entries: &entries,
                tolerance: SHARE * exploitability * mass,
                max_iterations: MAX_ITERATIONS,
                natural: NATURAL,
            };
            resolve(&subgame, hero, &bound)
        };
        let (first, second) = rayon::join(|| solve(Player::First), || solve(Player::Second));
        Ok(stitch(&subgame, [first, second]))
    }

    /// What a best response with each hand is worth at a cut, by player.
    fn cut_values(&self, cut: Cut) -> Result<[Vec<f32>; 2], ArchiveError> {
        let tree = self.game().tree();
        let (deal, node) = cut.place();
        let nodes: Vec<NodeId> = match cut {
            Cut::Root(..) => tree.roots(deal.round),
            Cut::Chance(..) => tree.exits(deal.round).collect(),
        };
        let tag = tag(Part::Cut, self.first(), deal);
        let bytes = self.section(tag)?;
        let values = read_values(self.game(), Reader { tag, bytes: &bytes }, deal, nodes.len())?;
        let place = nodes.iter().position(|&at| at == node);
        let place = place.ok_or_else(|| content(tag, "it does not have this line"))?;
        Ok(values.map(|mut values| values.swap_remove(place)))
    }
}

impl Saved {
    /// Puts all strategies into a solution of the same spot that has not learned anything: those that are kept, and those
    /// that are left out as they are when they are looked at. Nothing else of it is changed, so it can be read and
    /// measured, but does not know how to go on. Its strategies must be stored in 32 bits where some are left out.
    pub fn fill(&self, solution: &mut Solution<'_>) -> Result<(), ArchiveError> {
        let game = solution.game();
        let kept = self.kept_rounds().min(game.tree().round_count());
        let deals = |round: usize| (0..game.deal_count(round)).map(move |index| Deal { round, index });
        for deal in (0..kept).flat_map(deals) {
            for root in game.tree().roots(deal.round) {
                let step = Step { deal, root };
                put(&mut solution.solver, &step, &self.page(&step, false)?)
                    .map_err(|error| content(tag(Part::Strategy, self.first(), deal), error))?;
            }
        }
        if kept == game.tree().round_count() {
            return Ok(());
        }
        let round = cut_round(self.spec(), kept);
        let start = solution.solver.start();
        for deal in deals(round) {
            let reached = match round {
                0 => solution.solver.start(),
                _ => solution.solver.follow(&start, deal.index),
            };
            let cuts: Vec<Cut> = if round == kept {
                game.tree().roots(round).into_iter().map(|root| Cut::Root(deal, root)).collect()
            } else {
                game.tree().exits(round).map(|exit| Cut::Chance(deal, exit)).collect()
            };
            for cut in cuts {
                let node = cut.place().1;
                let reaches = Player::BOTH.map(|player| solution.solver.reach(&reached, node, player));
                for (&(round, index, root), page) in &self.resolve(cut, reaches)?.pages {
                    if round >= kept {
                        let deal = Deal { round, index };
                        put(&mut solution.solver, &Step { deal, root }, page)
                            .map_err(|error| content(tag(Part::Strategy, self.first(), deal), error))?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn put<G: Game>(solver: &mut Solver<'_, G>, step: &Step, page: &Page) -> Result<(), NumbersError> {
    for (player, numbers) in Player::BOTH.into_iter().zip(&page.numbers) {
        solver.set_numbers(step.deal, step.root, player, Kept::Strategy, numbers)?;
    }
    Ok(())
}

/// Each player's strategy from the solver that made it safe.
fn stitch<G: Game>(subgame: &Subgame<'_, G>, solvers: [Solver<'_, Subgame<'_, G>>; 2]) -> Resolved {
    let mut pages = HashMap::new();
    let mut both = Solver::new(subgame, noregret_cfr::CfrPlus);
    let tree = subgame.tree();
    for round in 0..tree.round_count() {
        for index in 0..subgame.deal_count(round) {
            let deal = Deal { round, index };
            for root in tree.roots(round) {
                let numbers = Player::BOTH
                    .map(|player| solvers[player.index()].numbers(deal, root, player, Kept::Strategy));
                for (player, numbers) in Player::BOTH.into_iter().zip(&numbers) {
                    both.set_numbers(deal, root, player, Kept::Strategy, numbers)
                        .unwrap_or_else(|error| unreachable!("the same game has the same numbers: {error}"));
                }
                let whole = subgame.deal(deal);
                let page = Page { numbers, precision: Precision::Bits32, exits: None };
                pages.insert((whole.round, whole.index, subgame.place(root)), page);
            }
        }
    }
    // Only the first round of a subgame can be followed by another one that is looked at from outside.
    let start = both.start();
    let exits = Player::BOTH.map(|player| both.exit_values(&start, player, Response::Average));
    let whole = subgame.deal(Deal::ROOT);
    if let Some(page) = pages.get_mut(&(whole.round, whole.index, subgame.place(NodeId::ROOT))) {
        page.exits = Some(exits);
    }
    Resolved { pages }
}
