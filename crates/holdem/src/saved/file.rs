//! A solution file that is open.

use super::cache::Cache;
use super::memory::Memory;
use super::pages::{Reader, read_root, read_values};
use super::resolve::{self, Cut, Resolved};
use super::{
    NODE_BYTES, PROGRESS, Part, Progress, SOLUTION, SPEC, SUMMARY, Summary, TREE, content, kept_rounds, tag,
    tree_bytes,
};
use crate::reading::{NodeView, Numbers, Path as LinePath, Place, values_at};
use crate::{Action, BettingTree, Line, LineError, NodeKind, Outline, Postflop, Spec};
use noregret_cfr::{
    CfrPlus, Deal, Game, NodeId, Numbers as SolverNumbers, Player, Precision, Solver, Storage, Subgame,
};
use noregret_store::{Archive, ArchiveError, unpack};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Why there is no answer at a line.
#[derive(Debug)]
pub enum ReadError {
    /// The line leaves the tree.
    Line(LineError),
    /// The file cannot be read.
    File(ArchiveError),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(error) => error.fmt(f),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<LineError> for ReadError {
    fn from(error: LineError) -> Self {
        Self::Line(error)
    }
}

impl From<ArchiveError> for ReadError {
    fn from(error: ArchiveError) -> Self {
        Self::File(error)
    }
}

/// A solution in a file: opened in milliseconds, and read as far as it is asked.
///
/// ```
/// use noregret_holdem::{Goal, IP, OOP, Outline, Saved, SaveOptions, Solution, Spec, run, save};
/// use std::ops::ControlFlow;
///
/// let spec: Spec = "[ranges]\noop = 'AA,KK,QJs'\nip = 'TT+,KQs'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\nriver = '3d'\n\
///                   [tree]\nstarting_pot = 100\neffective_stack = 300\n".parse()?;
/// let game = Outline::new(&spec.spot)?.build();
/// let mut solution = Solution::with_options(&game, &spec.solver);
/// let goal = Goal { target_pct: 1.0, max_iterations: 1000 };
/// let outcome = run(&mut solution, &goal, |_, _| ControlFlow::Continue(()));
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("spot.nrs");
/// save(&path, &spec, &solution, &outcome.history, SaveOptions::default())?;
///
/// let saved = Saved::open(&path)?;
/// assert_eq!(saved.spec(), &spec);
/// assert_eq!(saved.summary().digest, solution.digest());
/// let line = "check, bet 50".parse()?;
/// let node = saved.at(&line)?;
/// assert_eq!(node, solution.at(&line)?);
/// assert_eq!(node.player, Some(OOP));
/// for hand in &node.hands[IP.index()] {
///     println!("{}: reach {}, EV {:?}, equity {:?}", hand.hole, hand.reach, hand.ev, hand.equity);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Saved {
    archive: Archive,
    spec: Spec,
    game: Postflop,
    progress: Progress,
    summary: Summary,
    sections: Cache<[u8; 4], Vec<u8>>,
    pub(super) resolved: Cache<Cut, Resolved>,
    pub(super) memory: Memory,
}

/// Unpacked sections that are kept take at most so many bytes.
const KEPT_BYTES: usize = 64 << 20;

/// One root tree of a deal, on the way down a line.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub deal: Deal,
    pub root: NodeId,
}

/// Both players' strategies in one root tree of a deal.
#[derive(Clone)]
pub(super) struct Page {
    pub numbers: [SolverNumbers; 2],
    pub precision: Precision,
    /// What both players' hands are worth at its chance nodes, where that is known.
    pub exits: Option<[Vec<Vec<f32>>; 2]>,
}

impl Saved {
    /// Opens a solution file.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        Self::open_within(path, u64::MAX)
    }

    /// As [`Saved::open`]. What would take more than so many bytes of memory, now or later, is an error instead: few bytes can
    /// describe a large betting tree, and streets that were left out take as much to solve again as others do.
    pub fn open_within(path: &Path, bytes: u64) -> Result<Self, ArchiveError> {
        let memory = Memory(bytes);
        let archive = Archive::open(path, &[SOLUTION])?;
        let spec = read_spec(&archive)?;
        let outline = read_outline(&archive, &spec, memory)?;
        let progress = Progress::from_bytes(&section(&archive, PROGRESS)?)?;
        let summary = Summary::from_bytes(&section(&archive, SUMMARY)?)?;
        if kept_rounds(&spec, summary.keep).is_none() {
            return Err(content(SUMMARY, "it keeps no street of this spot"));
        }
        let game = outline.build_as_needed();
        let (sections, resolved) = (Cache::new(KEPT_BYTES), Cache::new(resolve::KEPT_BYTES));
        Ok(Self { archive, spec, game, progress, summary, sections, resolved, memory })
    }

    /// What it is the solution of, and how it was solved.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The game: the betting tree, the boards and the hands.
    pub fn game(&self) -> &Postflop {
        &self.game
    }

    /// How far the solve had come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// EVs and equities at the root, the digest, and what the file holds.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// How often each action is taken at the end of a line, over all hands of the player there after card removal.
    pub fn frequencies(&self, line: &Line) -> Result<Vec<(Action, f64)>, ReadError> {
        self.read(line, |path, solver, node| Ok(numbers(solver, node).frequencies(&self.game, &path.place)))
    }

    /// What happens at the end of a line: who acts, and for every hand of both players its reach, strategy, EV and
    /// equity.
    pub fn at(&self, line: &Line) -> Result<NodeView, ReadError> {
        self.read(line, |path, solver, node| {
            let values = Player::BOTH.map(|player| solver.values(&solver.start(), player));
            let (values, after) = values_at(solver.game(), &values, node);
            Ok(numbers(solver, node).view(&self.game, &path.place, values, &after))
        })
    }

    /// What happens at every point of the street on which a line ends, from its first decision on: whatever follows the same
    /// cards and the same actions on the streets before. Costs little more than one of them.
    pub fn street(&self, line: &Line) -> Result<Vec<NodeView>, ReadError> {
        self.read(line, |path, solver, _| {
            let values = Player::BOTH.map(|player| solver.values(&solver.start(), player));
            let view = |node: NodeId| {
                let place = Place { node: solver.game().place(node), ..path.place };
                let (values, after) = values_at(solver.game(), &values, node);
                numbers(solver, node).view(&self.game, &place, values, &after)
            };
            let nodes = solver.game().tree().round_nodes(0);
            Ok(nodes.map(view).collect())
        })
    }

    /// Walks down a line, and calls `look` with the last deal's root tree and the node in it.
    fn read<T>(
        &self,
        line: &Line,
        look: impl FnOnce(&LinePath, &Solver<'_, Subgame<'_, Postflop>>, NodeId) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
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
            let exits = page.exits.clone().unwrap_or_default();
            let subgame = Subgame::to_chance(&self.game, step.deal, step.root, reaches, exits);
            self.memory.check(&subgame, page.precision, 1)?;
            let solver = page.solver(&subgame, tag(Part::Strategy, self.first(), step.deal))?;
            let Some(next) = steps.get(i + 1) else {
                let node = subgame.find(path.place.node).unwrap_or(NodeId::ROOT);
                return look(&path, &solver, node);
            };
            let chance = self.game.betting()[next.root].parent;
            let exit = chance.and_then(|chance| subgame.find(chance)).unwrap_or(NodeId::ROOT);
            let before = Player::BOTH.map(|player| solver.reach(&solver.start(), exit, player));
            if let Some(cut) =
                cut.filter(|&cut| chance.is_some_and(|node| cut == Cut::Chance(step.deal, node)))
            {
                resolved = Some(self.resolved(cut, before.clone())?);
            }
            reaches = Player::BOTH.map(|player| {
                let origin = &self.game.origins(next.deal, player)[0];
                origin.iter().map(|&hand| before[player.index()][usize::from(hand)]).collect()
            });
        }
        unreachable!("a line goes through one root tree at least")
    }

    pub(super) fn first(&self) -> noregret_cards::Street {
        self.spec.spot.board().street()
    }

    pub(super) fn section(&self, tag: [u8; 4]) -> Result<Arc<Vec<u8>>, ArchiveError> {
        self.sections.get(tag, Vec::len, || section(&self.archive, tag))
    }

    /// The strategies of a root tree.
    pub(super) fn page(&self, step: &Step, with_exits: bool) -> Result<Page, ArchiveError> {
        let precision = self.spec.solver.storage(self.first()).strategy[step.deal.round];
        let tag = tag(Part::Strategy, self.first(), step.deal);
        let bytes = self.section(tag)?;
        let reader = Reader { tag, bytes: &bytes };
        let numbers = read_root(&self.game, reader, step.deal, step.root, precision)?;
        let exits = if with_exits { Some(self.exit_values(step)?) } else { None };
        Ok(Page { numbers, precision, exits })
    }

    /// What both players' hands are worth at the chance nodes of a root tree.
    fn exit_values(&self, step: &Step) -> Result<[Vec<Vec<f32>>; 2], ArchiveError> {
        let tree = self.game.tree();
        let exits: Vec<NodeId> = tree.exits(step.deal.round).collect();
        if exits.is_empty() {
            return Ok([Vec::new(), Vec::new()]);
        }
        let tag = tag(Part::Exits, self.first(), step.deal);
        let bytes = self.section(tag)?;
        let values = read_values(&self.game, Reader { tag, bytes: &bytes }, step.deal, exits.len())?;
        let nodes = tree.root_tree(step.root);
        Ok(values.map(|values| {
            let here = exits.iter().zip(values).filter(|(exit, _)| nodes.contains(exit));
            here.map(|(_, values)| values).collect()
        }))
    }
}

impl Page {
    /// A solver that plays these strategies; `tag` is where they come from.
    fn solver<'s, G: Game>(&self, subgame: &'s G, tag: [u8; 4]) -> Result<Solver<'s, G>, ArchiveError> {
        let storage = Storage::uniform(self.precision, self.precision);
        let mut solver = Solver::with_storage(subgame, CfrPlus, &storage);
        for (player, numbers) in Player::BOTH.into_iter().zip(&self.numbers) {
            solver
                .set_numbers(Deal::ROOT, NodeId::ROOT, player, noregret_cfr::Kept::Strategy, numbers)
                .map_err(|error| content(tag, error))?;
        }
        Ok(solver)
    }
}

/// What a solver of a root tree says at a node.
fn numbers<G: Game>(solver: &Solver<'_, G>, node: NodeId) -> Numbers {
    let start = solver.start();
    let reaches = Player::BOTH.map(|player| solver.reach(&start, node, player));
    Numbers { reaches, strategy: solver.strategy(&start, node) }
}

/// The root trees that a line goes through.
fn steps(tree: &BettingTree, path: &LinePath) -> Vec<Step> {
    let after_chance =
        |node: &NodeId| tree[*node].parent.is_none_or(|parent| tree[parent].kind == NodeKind::Chance);
    let up = std::iter::successors(Some(path.place.node), |&node| tree[node].parent);
    let mut roots: Vec<NodeId> = up.filter(after_chance).collect();
    roots.reverse();
    let deals = std::iter::once(Deal::ROOT).chain(path.deals.iter().copied());
    deals.zip(roots).map(|(deal, root)| Step { deal, root }).collect()
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
pub(super) fn read_outline(archive: &Archive, spec: &Spec, memory: Memory) -> Result<Outline, ArchiveError> {
    let bytes = section(archive, TREE)?;
    let nodes = bytes.len() / NODE_BYTES;
    memory.check_nodes(nodes)?;
    let other = "the spec leads to another betting tree: another version of the program wrote it";
    // No more nodes are built than the file has, whatever its spec says.
    let outline = Outline::with_nodes(&spec.spot, nodes);
    let outline = outline.map_err(|_| content(TREE, other))?;
    if tree_bytes(outline.betting()) == bytes { Ok(outline) } else { Err(content(TREE, other)) }
}
