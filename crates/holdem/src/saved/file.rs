//! A solution file that is open.

use super::cache::Cache;
use super::memory::ReadMemory;
use super::page::{Page, RootTree};
use super::pages::{SectionReader, read_root, read_values};
use super::resolve::{self, Cut, Resolved};
use super::write::cut_round;
use super::{
    FileProgress, NODE_BYTES, ORBITS, PROGRESS, Part, SOLUTION, SPEC, SUMMARY, Summary, TREE, content,
    kept_rounds, orbit_bytes, tag, tree_bytes,
};
use crate::game::place::{LinePath, Place};
use crate::solve::reading::{DecisionFrequencies, NodeView, PointStrategy, values_at};
use crate::{
    Action, BettingNodeKind, BettingTree, GameLayout, Line, LineError, MemoryLimit, NodeReach,
    ParseLineError, Postflop, Solver, Spec,
};
use noregret_cards::Street;
use noregret_cfr::{Deal, Game, NodeId, Player, Precision, Profile, Strategy, Subgame, TrainerProgress};
use noregret_store::{Archive, ArchiveError, unpack};
use std::path::Path;
use std::sync::Arc;

/// Why there is no answer at a line.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The text is not a line.
    #[error(transparent)]
    Text(#[from] ParseLineError),
    /// The line leaves the tree.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] ArchiveError),
}

impl From<std::convert::Infallible> for ReadError {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

/// A solution in a file: opened in milliseconds, and read as far as it is asked.
///
/// ```
/// use noregret_holdem::{StopCondition, IP, OOP, GameLayout, SolutionFile, SaveOptions, Solver, Spec, run, save};
/// use std::ops::ControlFlow;
///
/// let spec: Spec = "[ranges]\noop = 'AA,KK,QJs'\nip = 'TT+,KQs'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\nriver = '3d'\n\
///                   [tree]\nstarting_pot = 100\neffective_stack = 300\n".parse()?;
/// let game = GameLayout::new(&spec.spot)?.build();
/// let mut solution = Solver::with_options(game.clone(), &spec.solver);
/// let goal = StopCondition { target_pct: 1.0, max_iterations: 1000 };
/// let outcome = run(&mut solution, &goal, |_, _| ControlFlow::Continue(()));
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("spot.nrs");
/// save(&path, &spec, &solution, &outcome.history, SaveOptions::default())?;
///
/// let saved = SolutionFile::open(&path)?;
/// assert_eq!(saved.spec().spot, spec.spot);
/// assert_eq!(saved.summary().digest, solution.digest());
/// let line = "check, bet 50".parse()?;
/// let node = saved.at(&line)?;
/// assert_eq!(node, solution.at(&line)?);
/// assert_eq!(node.player, Some(OOP));
/// for hand in &node.hands[IP.index()] {
///     println!("{}: reach {}, EV {:?}, equity {:?}", hand.hole, hand.reach, hand.root_ev, hand.equity);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SolutionFile {
    archive: Archive,
    spec: Spec,
    game: Arc<Postflop>,
    progress: FileProgress,
    summary: Summary,
    sections: Cache<[u8; 4], Vec<u8>>,
    pub(super) resolved: Cache<Cut, Resolved>,
    pub(super) memory: ReadMemory,
    /// What the opponent may gain in a re-solved subgame, as a share of the starting pot, by the street where it begins.
    resolve_accuracy: Option<[f64; 3]>,
}

/// Unpacked sections that are kept take at most so many bytes.
const KEPT_BYTES: usize = 64 << 20;

impl SolutionFile {
    /// Opens a solution file.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        Self::open_within(path, MemoryLimit::ANY)
    }

    /// As [`SolutionFile::open`]. What would take more memory than the limit, now or later, is an error instead: few bytes can
    /// describe a large betting tree, and streets that were left out take as much to solve again as others do.
    pub fn open_within(path: &Path, limit: MemoryLimit) -> Result<Self, ArchiveError> {
        let memory = ReadMemory(limit);
        let archive = Archive::open(path, &[SOLUTION])?;
        let spec = read_spec(&archive)?;
        let layout = read_layout(&archive, &spec, memory)?;
        let progress = FileProgress::from_bytes(&section(&archive, PROGRESS)?)?;
        let summary = Summary::from_bytes(&section(&archive, SUMMARY)?)?;
        if kept_rounds(&spec, summary.keep).is_none() {
            return Err(content(SUMMARY, "it keeps no street of this spot"));
        }
        let game = layout.build_as_needed();
        let (sections, resolved) = (Cache::new(KEPT_BYTES), Cache::new(resolve::KEPT_BYTES));
        let resolve_accuracy = None;
        Ok(Self { archive, spec, game, progress, summary, sections, resolved, memory, resolve_accuracy })
    }

    /// Re-solves streets that were left out until an opponent can gain no more than these shares of the starting pot, by the street
    /// where the re-solved part begins. What a careful re-solve takes in any case is the least accurate.
    #[must_use]
    pub fn resolving_to(self, accuracy: [f64; 3]) -> Self {
        // What was re-solved before is not as accurate.
        let resolved = Cache::new(resolve::KEPT_BYTES);
        Self { resolve_accuracy: Some(accuracy), resolved, ..self }
    }

    /// What it is the solution of, and how it was solved.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// All bytes of the file, also if another one is at its path by now.
    pub fn bytes(&self) -> Result<Vec<u8>, ArchiveError> {
        Ok(self.archive.bytes()?)
    }

    /// The game: the betting tree, the boards and the hands.
    pub fn game(&self) -> &Arc<Postflop> {
        &self.game
    }

    /// How far the solve had come.
    pub fn progress(&self) -> &FileProgress {
        &self.progress
    }

    /// EVs and equities at the root, the digest, and what the file holds.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// How often each action is taken at the end of a line, over all hands of the player there after card removal.
    pub fn frequencies(&self, line: &Line) -> Result<Vec<(Action, f64)>, ReadError> {
        self.read(line, |path, profile, node| {
            let point = PointStrategy::new(profile, &profile.start(), node);
            point.frequencies(&self.game, &path.place)
        })
    }

    /// What could be done at each step of a line, read once from the root to its end; none where a card is dealt.
    pub fn decisions_along(&self, line: &Line) -> Result<Vec<Option<DecisionFrequencies>>, ReadError> {
        let places = (0..line.steps.len())
            .map(|steps| Ok(self.game.path(&Line { steps: line.steps[..steps].to_vec() })?.place))
            .collect::<Result<Vec<Place>, LineError>>()?;
        let mut decisions = vec![None; places.len()];
        self.follow(line, |step, profile, _| {
            let start = profile.start();
            for (place, decision) in
                places.iter().zip(&mut decisions).filter(|(place, _)| place.deal == step.deal)
            {
                if let Some(node) = profile.game().find(place.node) {
                    *decision = PointStrategy::new(profile, &start, node).decision(&self.game, place);
                }
            }
        })?;
        Ok(decisions)
    }

    /// What happens at the end of a line: who acts, and for every hand of both players its reach, strategy, EV and
    /// equity.
    pub fn at(&self, line: &Line) -> Result<NodeView, ReadError> {
        self.read(line, |path, profile, node| {
            let start = profile.start();
            let values = Player::BOTH.map(|player| profile.values(&start, player));
            let (values, after) = values_at(profile.game(), &values, node);
            let point = PointStrategy::new(profile, &start, node);
            point.view(&self.game, &path.place, values, &after)
        })
    }

    /// Who holds what at the end of a line and what they do with it, without values.
    pub fn reach_at(&self, line: &Line) -> Result<NodeReach, ReadError> {
        self.read(line, |path, profile, node| {
            PointStrategy::new(profile, &profile.start(), node).hands(&self.game, &path.place)
        })
    }

    /// What happens at every point of the street on which a line ends, from its first decision on: whatever follows the same
    /// cards and the same actions on the streets before. Costs little more than one of them.
    pub fn street(&self, line: &Line) -> Result<Vec<NodeView>, ReadError> {
        self.read(line, |path, profile, _| {
            let start = profile.start();
            let values = Player::BOTH.map(|player| profile.values(&start, player));
            let view = |node: NodeId| {
                let place = Place { node: profile.game().original_node(node), ..path.place };
                let (values, after) = values_at(profile.game(), &values, node);
                PointStrategy::new(profile, &start, node).view(&self.game, &place, values, &after)
            };
            let nodes = profile.game().tree().round_nodes(0);
            nodes.map(view).collect()
        })
    }

    /// Follows a line, and calls `read` with the strategies of the last deal's root tree and the node in it.
    fn read<T>(
        &self,
        line: &Line,
        read: impl FnOnce(&LinePath, Profile<'_, Subgame<Postflop>>, NodeId) -> T,
    ) -> Result<T, ReadError> {
        let mut read = Some(read);
        let mut answer = None;
        self.follow(line, |_, profile, end| {
            if let Some((path, read)) = end.zip(read.take_if(|_| end.is_some())) {
                let node = profile.game().find(path.place.node).unwrap_or(NodeId::ROOT);
                answer = Some(read(path, profile, node));
            }
        })?;
        Ok(answer.unwrap_or_else(|| unreachable!("a line goes through one root tree at least")))
    }

    /// Follows a line, and calls `visit` with the strategies of each deal's root tree on the way, and with the path at its end.
    fn follow(
        &self,
        line: &Line,
        mut visit: impl FnMut(&RootTree, Profile<'_, Subgame<Postflop>>, Option<&LinePath>),
    ) -> Result<(), ReadError> {
        let path = self.game.path(line)?;
        let steps = steps(self.game.betting(), &path);
        let cut = self.cut(&steps);
        let mut resolved: Option<Arc<Resolved>> = None;
        let mut reaches = Player::BOTH.map(|player| self.game.weights(player).to_vec());
        for (i, step) in steps.iter().enumerate() {
            if let Some(cut) = cut.filter(|&cut| cut == Cut::Root(step.deal, step.root)) {
                resolved = Some(self.resolved(cut, reaches.clone())?);
            }
            let last = i + 1 == steps.len();
            let page = match resolved.as_ref().and_then(|resolved| resolved.page(step)) {
                Some(page) => page.clone(),
                None => self.page(step, last)?,
            };
            let chance_values = page.chance_values.clone().unwrap_or_default();
            let subgame = Subgame::to_chance(self.game.clone(), step.deal, step.root, reaches, chance_values);
            self.memory.check(&subgame, page.precision, 1)?;
            let strategy = page.strategy(&subgame, tag(Part::Strategy, self.first(), step.deal))?;
            let profile = Profile::new(&subgame, &strategy);
            let Some(next) = steps.get(i + 1) else {
                visit(step, profile, Some(&path));
                break;
            };
            visit(step, profile, None);
            let chance = self.game.betting()[next.root].parent;
            let before_card = chance.and_then(|chance| subgame.find(chance)).unwrap_or(NodeId::ROOT);
            let before = Player::BOTH.map(|player| profile.reach(&profile.start(), before_card, player));
            if let Some(cut) =
                cut.filter(|&cut| chance.is_some_and(|node| cut == Cut::Chance(step.deal, node)))
            {
                resolved = Some(self.resolved(cut, before.clone())?);
            }
            reaches = Player::BOTH.map(|player| {
                let origin = self.game.origins(next.deal, player);
                origin.iter().map(|&hand| before[player.index()][usize::from(hand)]).collect()
            });
        }
        Ok(())
    }

    pub(super) fn first(&self) -> Street {
        self.spec.spot.board().street()
    }

    pub(super) fn section(&self, tag: [u8; 4]) -> Result<Arc<Vec<u8>>, ArchiveError> {
        self.sections.get(tag, Vec::len, || section(&self.archive, tag))
    }

    /// The strategies of a root tree.
    pub(super) fn page(&self, step: &RootTree, with_values: bool) -> Result<Page, ArchiveError> {
        let precision = self.spec.solver.storage(self.first()).strategy[step.deal.round];
        let tag = tag(Part::Strategy, self.first(), step.deal);
        let bytes = self.section(tag)?;
        let reader = SectionReader { tag, bytes: &bytes };
        let strategies = read_root(&self.game, reader, step.deal, step.root, precision)?;
        let chance_values = if with_values { Some(self.chance_values(step)?) } else { None };
        Ok(Page { strategies, precision, chance_values })
    }

    /// The counterfactual values of both players' hands at the chance nodes of a root tree.
    fn chance_values(&self, step: &RootTree) -> Result<[Vec<Vec<f32>>; 2], ArchiveError> {
        let tree = self.game.tree();
        let chance_nodes: Vec<NodeId> = tree.chance_nodes(step.deal.round).collect();
        if chance_nodes.is_empty() {
            return Ok([Vec::new(), Vec::new()]);
        }
        let tag = tag(Part::Exits, self.first(), step.deal);
        let bytes = self.section(tag)?;
        let values =
            read_values(&self.game, SectionReader { tag, bytes: &bytes }, step.deal, chance_nodes.len())?;
        let nodes = tree.root_tree(step.root);
        Ok(values.map(|values| {
            let here = chance_nodes.iter().zip(values).filter(|(node, _)| nodes.contains(node));
            here.map(|(_, values)| values).collect()
        }))
    }
}

impl SolutionFile {
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
    pub(super) fn cut(&self, steps: &[RootTree]) -> Option<Cut> {
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

    /// What the saved solution gives away, in the smallest amount; no less than there is any point in. Less if a re-solve on this street is to be
    /// more accurate.
    fn exploitability(&self, street: Street) -> f64 {
        let last = self.progress().history.last();
        let pct = last.map_or(0.1, |last| last.exploitability_pct.max(1e-3));
        let share = self.resolve_accuracy.map_or(f64::INFINITY, |by_street| by_street[street.index()]);
        (pct / 100.0).min(share / resolve::SHARE)
            * f64::from(self.game().spot().options().starting_pot.count())
    }

    /// Re-solves what lies after a cut.
    fn resolve(&self, cut: Cut, reach: [Vec<f32>; 2]) -> Result<Resolved, ArchiveError> {
        let values = self.cut_values(cut)?;
        let (deal, node) = cut.place();
        let subgame = Arc::new(Subgame::new(self.game.clone(), deal, node, reach));
        self.memory.check(&*subgame, Precision::Bits32, resolve::SOLVERS)?;
        // A subgame that begins with a card is about the street of that card.
        let before = self.game().betting()[node].street.index();
        let street = Street::ALL[before + usize::from(matches!(cut, Cut::Chance(..)))];
        Ok(Resolved::new(&self.game, deal, &subgame, &values, self.exploitability(street)))
    }

    /// What a best response with each hand is worth at a cut, by player.
    fn cut_values(&self, cut: Cut) -> Result<[Vec<f32>; 2], ArchiveError> {
        let tree = self.game().tree();
        let (deal, node) = cut.place();
        let nodes: Vec<NodeId> = match cut {
            Cut::Root(..) => tree.roots(deal.round),
            Cut::Chance(..) => tree.chance_nodes(deal.round).collect(),
        };
        let tag = tag(Part::Cut, self.first(), deal);
        let bytes = self.section(tag)?;
        let values = read_values(self.game(), SectionReader { tag, bytes: &bytes }, deal, nodes.len())?;
        let place = nodes.iter().position(|&at| at == node);
        let place = place.ok_or_else(|| content(tag, "it does not have this line"))?;
        Ok(values.map(|mut values| values.swap_remove(place)))
    }

    /// All strategies, read into memory. An error if the file leaves out a street: what is re-solved there is not what the
    /// exploitability of the file was measured with.
    pub fn strategy(&self) -> Result<Strategy, ArchiveError> {
        let game = &self.game;
        if self.kept_rounds() < game.tree().round_count() {
            let keep = self.summary().keep;
            let message = format!(
                "it keeps the strategies up to the {} only, and a best response needs those of all streets: save all of them",
                keep.last()
            );
            return Err(std::io::Error::new(std::io::ErrorKind::Unsupported, message).into());
        }
        let storage = self.spec.solver.storage(self.first());
        let precision = storage.strategy.iter().copied().max_by_key(|precision| precision.bits());
        self.memory.check(&**game, precision.unwrap_or(Precision::Bits32), 1)?;
        let mut strategy = Strategy::uniform(&**game, &storage);
        for round in 0..game.tree().round_count() {
            for deal in (0..game.deal_count(round)).map(|index| Deal { round, index }) {
                for root in game.tree().roots(round) {
                    let page = self.page(&RootTree { deal, root }, false)?;
                    let put = page.decode(&mut strategy, &**game, deal, root);
                    put.map_err(|error| content(tag(Part::Strategy, self.first(), deal), error))?;
                }
            }
        }
        Ok(strategy)
    }

    /// Puts all strategies into a solution of the same spot that has not learned anything: those that are kept, and those
    /// that are left out as they are when they are looked at. It counts the iterations of the file and has no regrets, so it can be
    /// read, measured and saved, but does not know how to go on. Its strategies must be stored in 32 bits where some are left out.
    pub fn fill(&self, solver: &mut Solver) -> Result<(), ArchiveError> {
        let game = solver.game().clone();
        let game = &*game;
        let FileProgress { iterations, average_weight, .. } = self.progress;
        solver.set_progress(TrainerProgress { iteration: iterations, average_weight });
        let kept = self.kept_rounds().min(game.tree().round_count());
        let deals = |round: usize| (0..game.deal_count(round)).map(move |index| Deal { round, index });
        let put = |solver: &mut Solver, step: RootTree, page: &Page| {
            let put = page.decode(solver.trainer.strategy_mut(), game, step.deal, step.root);
            put.map_err(|error| content(tag(Part::Strategy, self.first(), step.deal), error))
        };
        for deal in (0..kept).flat_map(deals) {
            for root in game.tree().roots(deal.round) {
                let step = RootTree { deal, root };
                put(solver, step, &self.page(&step, false)?)?;
            }
        }
        if kept == game.tree().round_count() {
            return Ok(());
        }
        let round = cut_round(self.spec(), kept);
        let start = solver.average().start();
        for deal in deals(round) {
            let reached = match round {
                0 => solver.average().start(),
                _ => solver.average().follow(&start, deal.index),
            };
            let cuts: Vec<Cut> = if round == kept {
                game.tree().roots(round).into_iter().map(|root| Cut::Root(deal, root)).collect()
            } else {
                game.tree().chance_nodes(round).map(|node| Cut::Chance(deal, node)).collect()
            };
            for cut in cuts {
                let node = cut.place().1;
                let reach = Player::BOTH.map(|player| solver.average().reach(&reached, node, player));
                for (&(round, index, root), page) in &self.resolve(cut, reach)?.pages {
                    if round >= kept {
                        put(solver, RootTree { deal: Deal { round, index }, root }, page)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The root trees that a line goes through.
fn steps(tree: &BettingTree, path: &LinePath) -> Vec<RootTree> {
    let after_chance =
        |node: &NodeId| tree[*node].parent.is_none_or(|parent| tree[parent].kind == BettingNodeKind::Chance);
    let up = std::iter::successors(Some(path.place.node), |&node| tree[node].parent);
    let mut roots: Vec<NodeId> = up.filter(after_chance).collect();
    roots.reverse();
    let deals = std::iter::once(Deal::ROOT).chain(path.deals.iter().copied());
    deals.zip(roots).map(|(deal, root)| RootTree { deal, root }).collect()
}

/// A section, unpacked.
pub(super) fn section(archive: &Archive, tag: [u8; 4]) -> Result<Vec<u8>, ArchiveError> {
    unpack(&archive.section(tag)?).map_err(|error| content(tag, error))
}

pub(super) fn read_spec(archive: &Archive) -> Result<Spec, ArchiveError> {
    let bytes = section(archive, SPEC)?;
    Spec::from_bytes(&bytes).map_err(|error| content(SPEC, error))
}

/// The tree that the spec leads to, which must be the one that was solved.
pub(super) fn read_layout(
    archive: &Archive,
    spec: &Spec,
    memory: ReadMemory,
) -> Result<GameLayout, ArchiveError> {
    let bytes = section(archive, TREE)?;
    let nodes = bytes.len() / NODE_BYTES;
    memory.check_nodes(nodes)?;
    let other = "the spec leads to another betting tree: another version of the program wrote it";
    // No more nodes are built than the file has, whatever its spec says.
    let layout = GameLayout::with_nodes(&spec.spot, nodes);
    let layout = layout.map_err(|_| content(TREE, other))?;
    if tree_bytes(layout.betting()) != bytes {
        return Err(content(TREE, other));
    }
    match layout.root_orbits().map(orbit_bytes) {
        Some(_) if !archive.has(ORBITS) => Err(content(
            TREE,
            "an earlier program wrote it, with a number for each of the hands that differ in symmetric suits only: read it with that \
             program, or solve the spot again",
        )),
        Some(orbits) if orbits != section(archive, ORBITS)? => Err(content(ORBITS, other)),
        _ => Ok(layout),
    }
}
