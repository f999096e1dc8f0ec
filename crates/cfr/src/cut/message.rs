//! Requests of the trunk and answers of the branches, as bytes.
//!
//! All numbers are little endian. A message begins with the version of this encoding, what is asked for, the player and zero, each a
//! byte, and the iteration, four bytes; an answer repeats what the request had. What follows is checked to be exactly as long as the
//! game says.

use crate::profile::Response;
use crate::reach::ReachProbabilities;
use crate::simd::{Row, WIDTH, blocks};
use crate::strategy::DealDigest;
use crate::tree::AllIns;
use crate::{Deal, Game, Player};

/// The version of the encoding.
const VERSION: u8 = 1;

/// Why a message cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MessageError {
    /// It was written by a program that encodes messages differently.
    #[error(
        "a message has version {0}, and this program reads version {VERSION}: run the same version everywhere"
    )]
    Version(u8),
    /// It has too many or too few bytes, or asks for something that does not exist.
    #[error("a message is damaged: {0}")]
    Damaged(&'static str),
    /// It is about another step than the one that is due.
    #[error("a message is about {found}, and {expected} is due")]
    OutOfStep {
        /// What it is about.
        found: String,
        /// What is due.
        expected: String,
    },
    /// The answers do not have each deal once.
    #[error("deal {0} is in none of the answers, or in more than one")]
    Deal(usize),
}

/// What a request asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Task {
    /// Update regrets and average strategies, and value the current strategy.
    UpdateRegrets,
    /// Value a best response.
    BestResponse,
    /// Value the average strategy.
    Average,
    /// Value the average strategy with all-ins dealt, and keep the reach probabilities for values at later chance nodes.
    AverageDealt,
    /// Digest the average strategies.
    Digest,
}

impl Task {
    const ALL: [Self; 5] =
        [Self::UpdateRegrets, Self::BestResponse, Self::Average, Self::AverageDealt, Self::Digest];

    pub fn all_ins(self) -> AllIns {
        if self == Self::AverageDealt { AllIns::Dealt } else { AllIns::Collapsed }
    }

    /// The strategy that is valued, of those that do not update anything.
    pub fn response(self) -> Response {
        if self == Self::BestResponse { Response::Best } else { Response::Average }
    }
}

/// What a message is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub task: Task,
    pub player: Player,
    pub iteration: u32,
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = match self.task {
            Task::UpdateRegrets => "an update",
            Task::BestResponse => "a best response",
            Task::Average | Task::AverageDealt => "the value of the average strategy",
            Task::Digest => "a digest",
        };
        write!(f, "{what} of player {} in iteration {}", self.player.index() + 1, self.iteration)
    }
}

impl Step {
    /// Refuses another step than the one that is due.
    pub fn check(self, expected: Self) -> Result<(), MessageError> {
        if self == expected {
            return Ok(());
        }
        Err(MessageError::OutOfStep { found: self.to_string(), expected: expected.to_string() })
    }

    fn write(self) -> Vec<u8> {
        let task = Task::ALL.iter().position(|&task| task == self.task).unwrap_or(0);
        let mut bytes = vec![VERSION, task as u8, self.player.index() as u8, 0];
        bytes.extend(self.iteration.to_le_bytes());
        bytes
    }

    fn read(bytes: &mut &[u8]) -> Result<Self, MessageError> {
        let [version, task, player, zero] = take(bytes)?;
        if version != VERSION {
            return Err(MessageError::Version(version));
        }
        let task = Task::ALL.get(usize::from(task)).copied();
        let player = Player::BOTH.get(usize::from(player)).copied();
        let iteration = u32::from_le_bytes(take(bytes)?);
        match (task, player, zero) {
            (Some(task), Some(player), 0) => Ok(Self { task, player, iteration }),
            _ => Err(MessageError::Damaged("it asks for something that there is not")),
        }
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], MessageError> {
    let (first, rest) = bytes.split_first_chunk().ok_or(MessageError::Damaged("it ends too early"))?;
    *bytes = rest;
    Ok(*first)
}

fn end(bytes: &[u8]) -> Result<(), MessageError> {
    if bytes.is_empty() { Ok(()) } else { Err(MessageError::Damaged("it goes on too long")) }
}

fn read_number(bytes: &mut &[u8]) -> Result<f32, MessageError> {
    let number = f32::from_le_bytes(take(bytes)?);
    if number.is_finite() {
        Ok(number)
    } else {
        Err(MessageError::Damaged("one of its numbers is not finite"))
    }
}

/// What the trunk asks of all branches.
pub(super) struct Request {
    pub step: Step,
    /// At the chance nodes of the first round.
    pub reach: ReachProbabilities,
}

impl Request {
    /// The vectors of reach probabilities, and whose hands they are of.
    fn vectors(reach: &ReachProbabilities, player: Player) -> [(&[Row], Player); 3] {
        let of = |player: Player| (reach.players[player.index()].as_slice(), player);
        [of(player.opponent()), of(player), (reach.average.as_slice(), player)]
    }

    pub fn to_bytes<G: Game>(&self, game: &G) -> Vec<u8> {
        let Self { step, reach } = self;
        let mut bytes = step.write();
        let chance_nodes = chance_nodes(game, step.task);
        for (rows, player) in Self::vectors(reach, step.player) {
            bytes.push(u8::from(!rows.is_empty()));
            if !rows.is_empty() {
                let hands = game.hand_count(Deal::ROOT, player);
                let padded = blocks(hands) * WIDTH;
                for node in 0..chance_nodes {
                    let rows = &rows[node / WIDTH * padded..][..hands];
                    rows.iter().for_each(|row| bytes.extend(row[node % WIDTH].to_le_bytes()));
                }
            }
        }
        bytes
    }

    pub fn from_bytes<G: Game>(mut bytes: &[u8], game: &G) -> Result<Self, MessageError> {
        let bytes = &mut bytes;
        let step = Step::read(bytes)?;
        let chance_nodes = chance_nodes(game, step.task);
        let mut read = |player: Player| {
            match take(bytes)? {
                [0] => return Ok(Vec::new()),
                [1] => {}
                _ => return Err(MessageError::Damaged("reach probabilities are there or not")),
            }
            let hands = game.hand_count(Deal::ROOT, player);
            let padded = blocks(hands) * WIDTH;
            if bytes.len() < chance_nodes * hands * size_of::<f32>() {
                return Err(MessageError::Damaged("it ends too early"));
            }
            let mut rows = vec![Row::ZERO; chance_nodes.div_ceil(WIDTH) * padded];
            for node in 0..chance_nodes {
                for row in &mut rows[node / WIDTH * padded..][..hands] {
                    row[node % WIDTH] = read_number(bytes)?;
                }
            }
            Ok(rows)
        };
        let (opponent, own) = (read(step.player.opponent())?, read(step.player)?);
        let average = read(step.player)?;
        end(bytes)?;
        // A player's own reach is sent for its average strategy, in both forms or in none.
        let updates = step.task == Task::UpdateRegrets;
        if own.is_empty() != average.is_empty() || (!own.is_empty() && !updates) {
            return Err(MessageError::Damaged("own reach probabilities are not those of an update"));
        }
        if opponent.is_empty() && step.task == Task::AverageDealt {
            return Err(MessageError::Damaged("the reach probabilities of the opponent are missing"));
        }
        let players = match step.player {
            Player::First => [own, opponent],
            Player::Second => [opponent, own],
        };
        Ok(Self { step, reach: ReachProbabilities { players, average } })
    }
}

/// How many chance nodes of the first round a traversal for a task has.
fn chance_nodes<G: Game>(game: &G, task: Task) -> usize {
    if task == Task::Digest { 0 } else { game.tree().round_with(task.all_ins(), 0).chance_count() }
}

/// The answer of some branches: for each of their deals of the second round, a row for each (block of hands, root).
pub(super) fn write_values<'v, G: Game>(
    step: Step,
    game: &G,
    values: impl Iterator<Item = (usize, &'v [Row])>,
) -> Vec<u8> {
    let mut bytes = step.write();
    let roots = game.tree().round_with(step.task.all_ins(), 1).root_count();
    for (index, rows) in values {
        let hands = game.hand_count(Deal { round: 1, index }, step.player);
        bytes.extend((index as u32).to_le_bytes());
        for root in 0..roots {
            for hand in 0..hands {
                bytes.extend(rows[hand / WIDTH * roots + root][hand % WIDTH].to_le_bytes());
            }
        }
    }
    bytes
}

/// The values of all deals of the second round, from the answers of all branches.
pub(super) fn read_values<G: Game>(
    step: Step,
    game: &G,
    answers: &[Vec<u8>],
) -> Result<Vec<Vec<Row>>, MessageError> {
    let roots = game.tree().round_with(step.task.all_ins(), 1).root_count();
    let mut values: Vec<Option<Vec<Row>>> = vec![None; game.deal_count(1)];
    for answer in answers {
        let mut bytes = read_step(step, answer)?;
        while !bytes.is_empty() {
            let index = u32::from_le_bytes(take(&mut bytes)?) as usize;
            let place = values.get_mut(index).filter(|place| place.is_none());
            let place = place.ok_or(MessageError::Deal(index))?;
            let hands = game.hand_count(Deal { round: 1, index }, step.player);
            let mut rows = vec![Row::ZERO; roots * blocks(hands)];
            for root in 0..roots {
                for hand in 0..hands {
                    rows[hand / WIDTH * roots + root][hand % WIDTH] = read_number(&mut bytes)?;
                }
            }
            *place = Some(rows);
        }
    }
    all_there(values)
}

/// The answer of some branches to [`Task::Digest`].
pub(super) fn write_digests(step: Step, digests: impl Iterator<Item = (Deal, DealDigest)>) -> Vec<u8> {
    let mut bytes = step.write();
    for (deal, digest) in digests {
        bytes.push(deal.round as u8);
        bytes.extend((deal.index as u32).to_le_bytes());
        bytes.extend(digest.to_bytes());
    }
    bytes
}

/// The digests of all deals after the first round, from the answers of all branches.
pub(super) fn read_digests<G: Game>(
    step: Step,
    game: &G,
    answers: &[Vec<u8>],
) -> Result<Vec<DealDigest>, MessageError> {
    let rounds = game.tree().round_count();
    let mut digests: Vec<Vec<Option<DealDigest>>> =
        (1..rounds).map(|round| vec![None; game.deal_count(round)]).collect();
    for answer in answers {
        let mut bytes = read_step(step, answer)?;
        while !bytes.is_empty() {
            let [round] = take(&mut bytes)?;
            let index = u32::from_le_bytes(take(&mut bytes)?) as usize;
            let round = usize::from(round).checked_sub(1).and_then(|round| digests.get_mut(round));
            let place = round.and_then(|round| round.get_mut(index)).filter(|place| place.is_none());
            *place.ok_or(MessageError::Deal(index))? = Some(DealDigest::from_bytes(take(&mut bytes)?));
        }
    }
    digests.into_iter().map(all_there).collect::<Result<Vec<_>, _>>().map(|digests| digests.concat())
}

fn read_step(expected: Step, mut answer: &[u8]) -> Result<&[u8], MessageError> {
    let found = Step::read(&mut answer)?;
    found.check(expected).map(|()| answer)
}

fn all_there<T>(deals: Vec<Option<T>>) -> Result<Vec<T>, MessageError> {
    let deals = deals.into_iter().enumerate();
    deals.map(|(index, deal)| deal.ok_or(MessageError::Deal(index))).collect()
}
