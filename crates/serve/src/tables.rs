//! Texas 42 deals that were solved, and what they say.

use crate::api::forty_two::{
    DealAnswer, DealQuestion, DominoFace, FinishedTrick, HandsInput, Move, Play, PositionAnswer,
    PositionQuestion,
};
use crate::blocking::Workers;
use crate::failure::ApiFailure;
use crate::recent::Recent;
use noregret_dominoes::{
    Deal, Declaration, Domino, Game, Hand, Position, Seat, TOTAL_POINTS, Table, Threads,
};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

/// How many solved deals are kept.
const KEPT: usize = 16;

/// Solved deals.
pub struct TableCache {
    workers: Workers,
    tables: Recent<(Deal, Declaration), Arc<Table>>,
}

/// A deal that a request asks for, with its seed if it has one.
fn deal_of(question: &DealQuestion, field: &str) -> Result<(Option<u64>, Deal), ApiFailure> {
    let at = |name: &str| if field.is_empty() { name.to_owned() } else { format!("{field}.{name}") };
    match (question.seed, &question.hands) {
        (Some(_), Some(_)) => Err(ApiFailure::field(&at("hands"), "give a seed or hands, not both")),
        (Some(seed), None) => Ok((Some(seed), Deal::from_seed(seed))),
        (None, Some(HandsInput::Text(text))) => {
            text.parse().map(|deal| (None, deal)).map_err(|error| ApiFailure::field(&at("hands"), error))
        }
        (None, Some(HandsInput::Ids(ids))) => {
            let hands = ids.iter().map(|ids| hand_of(ids, &at("hands"))).collect::<Result<Vec<Hand>, _>>()?;
            let count = hands.len();
            let hands = <[Hand; 4]>::try_from(hands)
                .map_err(|_| ApiFailure::field(&at("hands"), format!("a deal is four hands, not {count}")))?;
            let deal = Deal::from_hands(hands).map_err(|error| ApiFailure::field(&at("hands"), error))?;
            Ok((None, deal))
        }
        (None, None) => {
            // Random enough for a deal; kept short, so that it can be written down.
            let seed = RandomState::new().build_hasher().finish() % 1_000_000;
            Ok((Some(seed), Deal::from_seed(seed)))
        }
    }
}

pub fn declaration(number: u8) -> Result<Declaration, ApiFailure> {
    Declaration::new(number).ok_or_else(|| {
        ApiFailure::field("declaration", format!("{number} is no declaration: they are numbered 0 to 9"))
    })
}

pub fn domino(id: u8, field: &str) -> Result<Domino, ApiFailure> {
    Domino::new(id)
        .ok_or_else(|| ApiFailure::field(field, format!("{id} is no domino: they are numbered 0 to 27")))
}

pub fn hand_of(ids: &[u8], field: &str) -> Result<Hand, ApiFailure> {
    let mut hand = Hand::EMPTY;
    for &id in ids {
        let domino = domino(id, field)?;
        if !hand.insert(domino) {
            return Err(ApiFailure::field(
                field,
                format!("{domino} is in the hand twice: a set has one of each"),
            ));
        }
    }
    Ok(hand)
}

fn face(domino: Domino) -> DominoFace {
    DominoFace { id: domino.number(), high: domino.high(), low: domino.low(), count: domino.count() }
}

fn faces(hand: Hand) -> Vec<DominoFace> {
    hand.iter().map(face).collect()
}

fn play(seat: Seat, domino: Domino) -> Play {
    Play { seat: seat.index() as u8, domino: domino.number() }
}

/// Deals.
pub fn deal(question: &DealQuestion) -> Result<DealAnswer, ApiFailure> {
    let (seed, deal) = deal_of(question, "")?;
    let hands = Seat::ALL.map(|seat| deal.hand(seat).iter().map(|&domino| face(domino)).collect());
    Ok(DealAnswer { seed, hands: hands.into(), text: deal.to_string() })
}

/// A deal that is being played, with the tricks that are over.
pub struct Played {
    game: Game,
    position: Position,
    pub tricks: Vec<FinishedTrick>,
}

impl Played {
    /// The trick under way.
    pub fn trick(&self) -> Vec<Play> {
        let trick = self.game.trick();
        let under_way = trick.dominoes().iter().enumerate();
        under_way.map(|(turn, &domino)| play(trick.leader().after(turn), domino)).collect()
    }
}

/// Plays dominoes in order, by the rules.
pub fn play_out(deal: &Deal, declaration: Declaration, plays: &[u8]) -> Result<Played, ApiFailure> {
    let mut played =
        Played { game: Game::new(deal, declaration), position: Position::START, tricks: Vec::new() };
    for (i, &id) in plays.iter().enumerate() {
        let field = format!("plays[{i}]");
        if played.game.is_over() {
            return Err(ApiFailure::field(&field, "all dominoes are played"));
        }
        let domino = domino(id, &field)?;
        let (seat, mut trick) = (played.game.turn(), played.game.trick().clone());
        played.game.play(domino).map_err(|error| ApiFailure::field(&field, error))?;
        let local = deal.hand(seat).iter().position(|&held| held == domino).unwrap_or(0);
        match played.position.with_play(local as u8) {
            Some(next) => played.position = next,
            None => {
                trick.push(domino);
                let leader = played.game.turn();
                let held = Seat::ALL.map(|seat| {
                    let hand = played.game.hand(seat);
                    let held = deal.hand(seat).iter().enumerate().filter(|(_, d)| hand.contains(**d));
                    held.fold(0, |mask, (local, _)| mask | 1 << local)
                });
                played.position = Position::between(held, leader).unwrap_or(Position::START);
                let plays = trick.dominoes().iter().enumerate();
                played.tricks.push(FinishedTrick {
                    leader: trick.leader().index() as u8,
                    plays: plays.map(|(turn, &domino)| play(trick.leader().after(turn), domino)).collect(),
                    winner: leader.index() as u8,
                    points: trick.points(),
                });
            }
        }
    }
    Ok(played)
}

impl TableCache {
    /// Nothing yet.
    pub fn new(workers: Workers) -> Self {
        Self { workers, tables: Recent::new(KEPT) }
    }

    /// What a position is worth.
    pub async fn position(&self, question: PositionQuestion) -> Result<PositionAnswer, ApiFailure> {
        if question.deal.seed.is_none() && question.deal.hands.is_none() {
            return Err(ApiFailure::field("deal", "give a seed or hands"));
        }
        let (_, deal) = deal_of(&question.deal, "deal")?;
        let declaration = declaration(question.declaration)?;
        let played = play_out(&deal, declaration, &question.plays)?;
        let table = self.table(deal, declaration).await?;
        answer(&table, played)
    }

    /// A deal, solved.
    pub async fn table(&self, deal: Deal, declaration: Declaration) -> Result<Arc<Table>, ApiFailure> {
        let solve = self.workers.run(move || Ok(Arc::new(Table::solve(&deal, declaration, Threads::Pool))));
        self.tables.get((deal, declaration), |_| 1, solve).await
    }
}

fn answer(table: &Table, played: Played) -> Result<PositionAnswer, ApiFailure> {
    let under_way = played.trick();
    let Played { game, position, tricks } = played;
    let unreachable = || ApiFailure::job("a position that was played to is not in the table");
    let evaluation = table.evaluate(&position).ok_or_else(unreachable)?;
    let (score, over) = (game.score(), game.is_over());
    // The table counts points still to be won; values here are final differences.
    let value = |to_come: u8| 2 * (score + to_come) as i8 - TOTAL_POINTS as i8;
    let hand = table.deal().hand(evaluation.turn);
    let moves = evaluation.moves.iter().enumerate().filter_map(|(local, points)| {
        let regret = evaluation.regret(local)?;
        Some(Move { domino: hand[local].number(), value: value((*points)?), regret })
    });
    let others: u8 = tricks.iter().filter(|trick| trick.winner % 2 == 1).map(|trick| trick.points).sum();
    let points = score + evaluation.best;
    Ok(PositionAnswer {
        seat: (!over).then(|| evaluation.turn.index() as u8),
        leader: position.leader().index() as u8,
        trick: under_way,
        score: [score, others],
        value: value(evaluation.best),
        points: [points, TOTAL_POINTS - points],
        moves: if over { Vec::new() } else { moves.collect() },
        hands: Seat::ALL.map(|seat| faces(game.hand(seat))).into(),
        best_line: table.best_line(&position).into_iter().map(|(seat, domino)| play(seat, domino)).collect(),
        finished: over,
        tricks,
    })
}
