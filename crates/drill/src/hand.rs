//! A hand of a drill: dealt, played by the solution where nobody is asked, and by the answers where somebody is.

use crate::error::DrillError;
use crate::random::{DrillRandom, Purpose};
use crate::settings::{DrillPlay, DrillSettings};
use noregret_cards::{Board, Card, Hole, Street, Strength};
use noregret_holdem::{
    Action, BettingNodeKind, BettingTree, HandReach, IP, Line, NodeId, NodeReach, OOP, Player, SolutionFile,
    Step,
};
use noregret_report::NEGLIGIBLE;

/// How often a question is dealt until a hand comes to a decision that is asked for.
const ATTEMPTS: u64 = 256;

/// Which one of so many solutions a question is about.
pub fn solution_of(settings: &DrillSettings, number: u64, count: usize) -> Option<usize> {
    DrillRandom::new(settings.seed, number, 0).below(Purpose::Solution, 0, count)
}

/// A solution with what is asked about it.
pub struct Drill<'a> {
    saved: &'a SolutionFile,
    settings: &'a DrillSettings,
    /// Where hands begin, in the words of the tree.
    start: Line,
    /// What both players may hold there.
    reach: NodeReach,
}

/// Whether something is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandState {
    /// The player is to act.
    Asked,
    /// Nothing more is asked.
    Over(HandEnd),
}

/// Why a hand of a drill is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandEnd {
    /// The one decision was answered.
    Answered,
    /// This player folded.
    Folded(Player),
    /// The hands were compared; the winner, none if they share the pot.
    Showdown(Option<Player>),
    /// The street is over that is asked about.
    StreetOver,
    /// The solution never does with the hand what was answered, so it does not say how the hand goes on.
    Unplayed,
}

impl HandEnd {
    /// A word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Folded(_) => "fold",
            Self::Showdown(_) => "showdown",
            Self::StreetOver => "street",
            Self::Unplayed => "unplayed",
        }
    }

    /// Who won the pot; none if they share it or nobody knows.
    pub fn winner(self) -> Option<Player> {
        match self {
            Self::Folded(player) => Some(player.opponent()),
            Self::Showdown(winner) => winner,
            Self::Answered | Self::StreetOver | Self::Unplayed => None,
        }
    }
}

/// A hand of a drill.
#[derive(Clone, PartialEq, Debug)]
pub struct DrillHand {
    /// Who is asked.
    pub player: Player,
    /// Their cards.
    pub hole: Hole,
    /// The opponent's.
    pub opponent_hole: Hole,
    /// What has happened so far, from the root of the spot.
    pub line: Line,
    /// The public cards.
    pub board: Board,
    /// Whether something is asked.
    pub state: HandState,
}

/// A hand before its first answer.
struct Dealt {
    random: DrillRandom,
    player: Player,
    /// By the index of the player.
    holes: [Hole; 2],
    /// The first decision that is asked for.
    line: Line,
}

/// A point of a hand.
struct Point {
    node: NodeId,
    board: Board,
    kind: BettingNodeKind,
    actions: Vec<Action>,
}

impl<'a> Drill<'a> {
    /// A drill, if the line of the settings is there.
    pub fn new(saved: &'a SolutionFile, settings: &'a DrillSettings) -> Result<Self, DrillError> {
        let game = saved.game();
        let start = game.betting().exact(game.spot().board(), &settings.line)?;
        let (node, _) = game.betting().walk(game.spot().board(), &start)?;
        if matches!(game.betting()[node].kind, BettingNodeKind::Fold(_) | BettingNodeKind::Showdown) {
            return Err(DrillError::Over);
        }
        let reach = saved.reach_at(&start)?;
        Ok(Self { saved, settings, start, reach })
    }

    /// The hand with a number, after these answers.
    pub fn hand(&self, number: u64, answers: &[Action]) -> Result<DrillHand, DrillError> {
        for attempt in 0..ATTEMPTS {
            let random = DrillRandom::new(self.settings.seed, number, attempt);
            if let Some(dealt) = self.deal(random)? {
                return self.play(dealt, answers);
            }
        }
        Err(DrillError::NoDecision(ATTEMPTS))
    }

    fn tree(&self) -> &BettingTree {
        self.saved.game().betting()
    }

    fn point(&self, line: &Line) -> Result<Point, DrillError> {
        let (node, board) = self.tree().walk(self.saved.game().spot().board(), line)?;
        let kind = self.tree()[node].kind;
        let actions = match kind {
            BettingNodeKind::Decision(_) => self.tree().actions(node).collect(),
            _ => Vec::new(),
        };
        Ok(Point { node, board, kind, actions })
    }

    /// Deals both hands and plays them to the first decision that is asked for; none if they do not come to one.
    fn deal(&self, random: DrillRandom) -> Result<Option<Dealt>, DrillError> {
        let by_chance = random.below(Purpose::Player, 0, 2).map(|place| [OOP, IP][place]);
        let Some(player) = self.settings.player.or(by_chance) else { return Ok(None) };
        let hole = chosen_hole(random, Purpose::Hole, &self.reach.hands[player.index()], |hand| {
            if self.settings.hands.may_have(hand.hole) { hand.share } else { 0.0 }
        });
        let hole = hole.ok_or(DrillError::NobodyThere)?;
        let others = &self.reach.hands[player.opponent().index()];
        let other = chosen_hole(random, Purpose::OpponentHole, others, |hand| {
            if hand.hole.set().intersects(hole.set()) { 0.0 } else { hand.reach }
        });
        let other = other.ok_or(DrillError::NobodyThere)?;
        let holes = if player == OOP { [hole, other] } else { [other, hole] };
        let dealt = Dealt { random, player, holes, line: self.start.clone() };
        match self.settings.play {
            DrillPlay::Hands => self.first_decision(dealt),
            DrillPlay::Decisions => self.one_decision(dealt),
        }
    }

    /// Whether something is asked at a point on one of some streets.
    fn asks(&self, dealt: &Dealt, point: &Point, street: Option<Street>) -> bool {
        point.kind == BettingNodeKind::Decision(dealt.player)
            && point.actions.len() > 1
            && street.is_none_or(|street| street == point.board.street())
    }

    /// Plays up to the first decision of the hand that is asked for.
    fn first_decision(&self, mut dealt: Dealt) -> Result<Option<Dealt>, DrillError> {
        loop {
            let point = self.point(&dealt.line)?;
            let street = self.settings.street;
            let hole = dealt.holes[dealt.player.index()];
            if self.asks(&dealt, &point, street) && self.settings.hands.has(hole, &point.board) {
                return Ok(Some(dealt));
            }
            if street.is_some_and(|street| street < point.board.street()) {
                return Ok(None);
            }
            match self.step(&dealt, &point)? {
                Some(step) => dealt.line.steps.push(step),
                None => return Ok(None),
            }
        }
    }

    /// Plays a hand through a street, and picks one of its decisions there. The street is drawn first, each as likely, so that later
    /// ones are asked as often as hands get to them.
    fn one_decision(&self, mut dealt: Dealt) -> Result<Option<Dealt>, DrillError> {
        let first = self.point(&self.start)?.board.street();
        let streets: Vec<Street> = std::iter::successors(Some(first), |street| street.next()).collect();
        let drawn = dealt.random.below(Purpose::Street, 0, streets.len()).map(|place| streets[place]);
        let street = self.settings.street.or(drawn).unwrap_or(first);
        let mut fitting = Vec::new();
        loop {
            let point = self.point(&dealt.line)?;
            if point.board.street() > street {
                break;
            }
            let hole = dealt.holes[dealt.player.index()];
            if self.asks(&dealt, &point, Some(street)) && self.settings.hands.has(hole, &point.board) {
                fitting.push(dealt.line.clone());
            }
            match self.step(&dealt, &point)? {
                // The next street needs not be read.
                Some(Step::Card(_)) if point.board.street() == street => break,
                Some(step) => dealt.line.steps.push(step),
                None => break,
            }
        }
        let place = dealt.random.below(Purpose::Decision, 0, fitting.len());
        Ok(place.map(|place| Dealt { line: fitting.swap_remove(place), ..dealt }))
    }

    /// What happens at a point if nobody is asked; none at the end of the hand.
    fn step(&self, dealt: &Dealt, point: &Point) -> Result<Option<Step>, DrillError> {
        let Dealt { random, holes, line, .. } = dealt;
        let place = line.steps.len();
        Ok(match point.kind {
            BettingNodeKind::Decision(_) if point.actions.len() == 1 => {
                point.actions.first().copied().map(Step::Action)
            }
            BettingNodeKind::Decision(player) => {
                let reach = self.saved.reach_at(line)?;
                let hand = reach.hands[player.index()].iter().find(|hand| hand.hole == holes[player.index()]);
                let strategy = hand.and_then(|hand| hand.strategy.as_ref()).unwrap_or(&reach.frequencies);
                let action = random.weighted(Purpose::Action, place, strategy);
                action.and_then(|place| point.actions.get(place)).copied().map(Step::Action)
            }
            BettingNodeKind::Chance => {
                let dead = point.board.set().union(holes[0].set()).union(holes[1].set());
                let cards: Vec<Card> = Card::all().filter(|card| !dead.contains(*card)).collect();
                // The same cards come whatever is played: they depend on the street alone.
                let street = point.board.street().index();
                random.below(Purpose::Card, street, cards.len()).map(|place| Step::Card(cards[place]))
            }
            BettingNodeKind::Fold(_) | BettingNodeKind::Showdown => None,
        })
    }

    /// Plays a hand on from its first decision by the answers.
    fn play(&self, mut dealt: Dealt, answers: &[Action]) -> Result<DrillHand, DrillError> {
        let mut answers = answers.iter();
        let mut only_one = false;
        loop {
            let point = self.point(&dealt.line)?;
            let over = |end| HandState::Over(end);
            let state = match point.kind {
                _ if only_one => Some(over(HandEnd::Answered)),
                BettingNodeKind::Fold(player) => Some(over(HandEnd::Folded(player))),
                BettingNodeKind::Showdown => {
                    Some(over(HandEnd::Showdown(winner(&dealt.holes, &point.board))))
                }
                BettingNodeKind::Chance if self.settings.street.is_some() => Some(over(HandEnd::StreetOver)),
                _ => None,
            };
            if let Some(state) = state {
                return finished(dealt, point, state, answers.next());
            }
            if !self.asks(&dealt, &point, self.settings.street) {
                match self.step(&dealt, &point)? {
                    Some(step) => dealt.line.steps.push(step),
                    None => return finished(dealt, point, over(HandEnd::Unplayed), answers.next()),
                }
                continue;
            }
            let Some(&action) = answers.next() else {
                return finished(dealt, point, HandState::Asked, None);
            };
            let place = point.actions.iter().position(|each| *each == action);
            let place = place.ok_or_else(|| DrillError::action(action, &point.actions))?;
            let is_played = self.is_played(&dealt, place)?;
            dealt.line.steps.push(Step::Action(action));
            only_one = self.settings.play == DrillPlay::Decisions;
            if !only_one && !is_played && self.goes_on(&dealt.line)? {
                let point = self.point(&dealt.line)?;
                return finished(dealt, point, over(HandEnd::Unplayed), answers.next());
            }
        }
    }

    /// Whether the solution ever takes an action with the hand of whoever is asked.
    fn is_played(&self, dealt: &Dealt, place: usize) -> Result<bool, DrillError> {
        let reach = self.saved.reach_at(&dealt.line)?;
        let hole = dealt.holes[dealt.player.index()];
        let hand = reach.hands[dealt.player.index()].iter().find(|hand| hand.hole == hole);
        let after = hand.and_then(|hand| Some(hand.reach * hand.strategy.as_ref()?.get(place)?));
        Ok(after.is_some_and(|reach| reach > NEGLIGIBLE))
    }

    fn goes_on(&self, line: &Line) -> Result<bool, DrillError> {
        let kind = self.tree()[self.point(line)?.node].kind;
        Ok(matches!(kind, BettingNodeKind::Decision(_) | BettingNodeKind::Chance))
    }
}

fn finished(
    dealt: Dealt,
    point: Point,
    state: HandState,
    left_over: Option<&Action>,
) -> Result<DrillHand, DrillError> {
    if left_over.is_some() {
        return Err(DrillError::Answered);
    }
    let Dealt { player, holes, line, .. } = dealt;
    Ok(DrillHand {
        player,
        hole: holes[player.index()],
        opponent_hole: holes[player.opponent().index()],
        line,
        board: point.board,
        state,
    })
}

/// One of some hands by their weights.
fn chosen_hole(
    random: DrillRandom,
    purpose: Purpose,
    hands: &[HandReach],
    weight: impl Fn(&HandReach) -> f64,
) -> Option<Hole> {
    let weights: Vec<f64> = hands.iter().map(weight).collect();
    random.weighted(purpose, 0, &weights).and_then(|place| hands.get(place)).map(|hand| hand.hole)
}

/// Who has the better hand at the end; none if they are equal.
fn winner(holes: &[Hole; 2], board: &Board) -> Option<Player> {
    let [first, second] = holes.map(|hole| Strength::of(board.set().union(hole.set())));
    match first.cmp(&second) {
        std::cmp::Ordering::Greater => Some(OOP),
        std::cmp::Ordering::Less => Some(IP),
        std::cmp::Ordering::Equal => None,
    }
}
