//! Drills of Texas 42: what is asked, what plays gave away, and the sessions.

use crate::api::domino_drills::{
    DominoEnd, DominoMove, DominoQuestion, DominoReply, DominoSession, DominoVerdict,
};
use crate::api::solutions::TrashKind;
use crate::failure::ApiFailure;
use crate::forgotten::Forgotten;
use crate::kept_sessions::{KeptSession, KeptSessions, now_text};
use crate::library::{DRILL_FOLDER, Library, SESSION_PREFIXES};
use crate::tables::{domino, play_out};
use noregret_dominoes::{Domino, Hand, Seat, TOTAL_POINTS, Table};
use noregret_drill::{
    DominoAnswer, DominoDrill, DominoDrillError, DominoGrade, DominoHand, DominoSettings, DominoTotals,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A session as it is on disk.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct KeptDominoDrill {
    /// When it was started: RFC 3339, UTC.
    pub started: String,
    /// What is asked, as the query of a link.
    pub settings: String,
    /// The number of the hand that is played.
    pub hand: u64,
    /// What was answered in it so far, by number.
    pub plays: Vec<u8>,
    /// All answers.
    pub answers: Vec<DominoAnswer>,
}

impl KeptSession for KeptDominoDrill {
    const PREFIX: &'static str = SESSION_PREFIXES[1];
    const KIND: TrashKind = TrashKind::FortyTwo;

    fn answered(&self) -> usize {
        self.answers.len()
    }
}

fn failed(error: DominoDrillError) -> ApiFailure {
    match error {
        DominoDrillError::Play(_) => ApiFailure::field("domino", error),
        DominoDrillError::Over | DominoDrillError::Table => ApiFailure::job(error),
    }
}

fn numbers(hand: Hand) -> Vec<u8> {
    hand.iter().map(Domino::number).collect()
}

impl KeptDominoDrill {
    /// The drill.
    pub fn drill(&self) -> Result<DominoDrill, ApiFailure> {
        let settings = self.settings.parse().map_err(|error| ApiFailure::field("settings", error))?;
        Ok(DominoDrill::new(settings))
    }

    /// The session in short.
    pub fn session(&self, id: u32) -> DominoSession {
        DominoSession {
            id,
            started: self.started.clone(),
            settings: self.settings.clone(),
            totals: DominoTotals::of(&self.answers),
        }
    }

    fn hand(&self, table: &Table, more: Option<Domino>) -> Result<DominoHand, ApiFailure> {
        let plays = self.plays.iter().map(|&id| domino(id, "plays")).chain(more.map(Ok));
        let plays: Vec<Domino> = plays.collect::<Result<_, _>>()?;
        self.drill()?.hand(table, self.hand, &plays).map_err(failed)
    }

    /// The play that is asked for.
    pub fn question(&self, table: &Table) -> Result<DominoQuestion, ApiFailure> {
        let hand = self.hand(table, None)?;
        let plays: Vec<u8> = hand.plays.iter().map(|(_, domino)| domino.number()).collect();
        let played = play_out(&hand.deal, hand.declaration, &plays)?;
        let score = hand.game.score();
        Ok(DominoQuestion {
            decision: self.answers.len(),
            hand: self.hand,
            declaration: hand.declaration.number(),
            seat: hand.seat.index() as u8,
            dealt: numbers(hand.deal.held(hand.seat, 0x7f)),
            held: numbers(hand.game.hand(hand.seat)),
            legal: numbers(hand.game.legal()),
            leader: hand.game.trick().leader().index() as u8,
            trick: played.trick(),
            tricks: played.tricks,
            score: [score, TOTAL_POINTS - hand.game.points_left() - score],
        })
    }
}

/// A play with its grade, and how the hand went on.
pub struct GradedPlay {
    pub answer: DominoAnswer,
    grade: DominoGrade,
    end: Option<DominoEnd>,
}

impl GradedPlay {
    /// Grades a reply to what a session asks.
    pub fn new(table: &Table, kept: &KeptDominoDrill, reply: &DominoReply) -> Result<Self, ApiFailure> {
        let played = domino(reply.domino, "domino")?;
        let before = kept.hand(table, None)?;
        let settings = kept.drill()?.settings().clone();
        let grade =
            DominoGrade::new(table, &before, played, settings.worlds, settings.seed).map_err(failed)?;
        let after = kept.hand(table, Some(played))?;
        let end = if after.game.is_over() { Some(end(table, &after)?) } else { None };
        Ok(Self { answer: DominoAnswer::new(kept.hand, &before, &grade), grade, end })
    }

    /// What is told about it.
    pub fn verdict(self, session: DominoSession) -> DominoVerdict {
        let Self { grade, end, .. } = self;
        let moves = grade.moves.iter().map(|play| DominoMove {
            domino: play.domino.number(),
            value: play.value,
            regret: play.regret,
            mean: play.mean,
            known_regret: play.known_regret,
            standard_error: play.standard_error,
        });
        DominoVerdict {
            session,
            moves: moves.collect(),
            chosen: grade.played,
            best: grade.best,
            best_known: grade.best_known,
            possible: grade.possible,
            worlds: grade.worlds,
            exact: grade.exact,
            verdict: grade.verdict,
            end,
        }
    }
}

fn end(table: &Table, hand: &DominoHand) -> Result<DominoEnd, ApiFailure> {
    let plays: Vec<u8> = hand.plays.iter().map(|(_, domino)| domino.number()).collect();
    Ok(DominoEnd {
        points: hand.points(),
        par: hand.par(table).map_err(failed)?,
        hands: Seat::ALL.map(|seat| numbers(hand.deal.held(seat, 0x7f))).into(),
        tricks: play_out(&hand.deal, hand.declaration, &plays)?.tricks,
    })
}

/// All sessions of Texas 42.
pub struct DominoDrills(KeptSessions<KeptDominoDrill>);

impl DominoDrills {
    /// Reads the sessions of a library.
    pub fn open(library: &Library) -> Self {
        Self(KeptSessions::open(library.own(DRILL_FOLDER), Forgotten::of(library)))
    }

    /// Starts a drill.
    pub fn start(&self, settings: &str) -> Result<u32, ApiFailure> {
        let settings: DominoSettings =
            settings.parse().map_err(|error| ApiFailure::field("settings", error))?;
        self.0.add(KeptDominoDrill {
            started: now_text(),
            settings: settings.to_string(),
            hand: 0,
            plays: Vec::new(),
            answers: Vec::new(),
        })
    }

    /// All sessions with an answer, the last first.
    pub fn list(&self) -> Vec<DominoSession> {
        self.0.answered().into_iter().map(|(id, kept)| kept.session(id)).collect()
    }

    /// A session.
    pub fn get(&self, id: u32) -> Result<Arc<KeptDominoDrill>, ApiFailure> {
        self.0.get(id)
    }

    /// Forgets a session.
    pub fn remove(&self, id: u32) -> Result<(), ApiFailure> {
        self.0.remove(id)
    }

    /// Takes a session back that was forgotten.
    pub fn take_back(&self, id: u32) -> Result<DominoSession, ApiFailure> {
        self.0.take_back(id).map(|kept| kept.session(id))
    }

    /// Takes a play in, in the files first.
    pub fn answer(
        &self,
        id: u32,
        reply: &DominoReply,
        graded: &GradedPlay,
    ) -> Result<Arc<KeptDominoDrill>, ApiFailure> {
        self.0.answer(id, reply.decision, |before, write| {
            let mut kept = before.clone();
            kept.answers.push(graded.answer.clone());
            if graded.end.is_some() {
                kept.hand = kept.hand.wrapping_add(1);
                kept.plays.clear();
            } else {
                kept.plays.push(reply.domino);
            }
            write(&kept)?;
            Ok(kept)
        })
    }
}
