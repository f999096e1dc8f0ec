//! Texas 42 for a player who sees one hand: what a hand is worth as a bid, and what a move is worth over the deals that
//! could be.

use crate::api::forty_two::{
    BestBid, BidAnswer, BidChance, BidQuestion, DeclarationBids, ExpectationAnswer, ExpectationQuestion,
    ExpectedMove,
};
use crate::blocking::Workers;
use crate::failure::ApiFailure;
use crate::lines::stream_lines;
use crate::tables::{declaration, domino, hand_of};
use axum::response::Response;
use noregret_dominoes::{
    BIDS, BidReport, Declaration, Domino, ExpectOptions, Expectation, Hand, MoveExpectation, PlayerView,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many deals a bid is tried on at most, and unless told.
const MAX_SAMPLES: u32 = 1000;
const SAMPLES: u32 = 50;
/// How many deals an expectation is over at most, and unless told.
const MAX_WORLDS: u64 = 10_000;
const WORLDS: u64 = 1000;

/// Tells work that nobody waits for it any more.
struct GivenUp(Arc<AtomicBool>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A bid to work out, checked.
struct Bid {
    hand: Hand,
    samples: u32,
    seed: u64,
    chance: f64,
}

impl Bid {
    fn new(question: &BidQuestion) -> Result<Self, ApiFailure> {
        let hand = hand_of(&question.hand, "hand")?;
        if hand.len() != 7 {
            return Err(ApiFailure::field(
                "hand",
                format!("the hand has {} dominoes: a bid is made on 7", hand.len()),
            ));
        }
        let samples = question.samples.unwrap_or(SAMPLES);
        if !(1..=MAX_SAMPLES).contains(&samples) {
            return Err(ApiFailure::field(
                "samples",
                format!("must be a whole number from 1 to {MAX_SAMPLES}"),
            ));
        }
        let chance = question.chance.unwrap_or(0.5);
        if !(chance > 0.0 && chance <= 1.0) {
            return Err(ApiFailure::field("chance", "must be a number above 0 and up to 1"));
        }
        Ok(Self { hand, samples, seed: question.seed.unwrap_or(0), chance })
    }

    fn report(&self, told: impl FnMut(&BidReport) -> bool) -> Result<BidReport, ApiFailure> {
        let all: Vec<Declaration> = Declaration::all().collect();
        BidReport::new(self.hand, self.samples, self.seed, &all, told)
            .map_err(|error| ApiFailure::field("hand", error))
    }

    fn answer(&self, report: &BidReport) -> BidAnswer {
        let bids = |expectation: &Expectation| {
            let bid = |bid| {
                let chance = expectation.best_chance(bid);
                BidChance { bid, chance: chance.seen, low: chance.low, high: chance.high }
            };
            BIDS.map(bid).collect()
        };
        let declaration = |expectation: &Expectation| DeclarationBids {
            decl: expectation.declaration.number(),
            name: expectation.declaration.name().to_owned(),
            deals: expectation.worlds,
            lead: expectation.best().map_or_else(String::new, |lead| lead.domino.to_string()),
            mean_points: expectation.best().map_or(0.0, MoveExpectation::mean_points),
            bids: bids(expectation),
            highest_bid: expectation.highest_bid(self.chance),
        };
        BidAnswer {
            hand: self.hand.to_string(),
            seed: self.seed,
            chance: self.chance,
            all_hands_seen: true,
            declarations: report.expectations.iter().map(declaration).collect(),
            best: report.best(self.chance).map(|(best, bid)| BestBid {
                decl: best.declaration.number(),
                name: best.declaration.name().to_owned(),
                bid,
            }),
            too_close: report.is_too_close(self.chance),
            finished: report.deals() == u64::from(self.samples),
        }
    }
}

/// What a hand is worth under each declaration. Ends early if nobody waits for the answer.
pub async fn bid(workers: &Workers, question: &BidQuestion) -> Result<BidAnswer, ApiFailure> {
    let bid = Bid::new(question)?;
    let flag = Arc::new(AtomicBool::new(false));
    let _given_up = GivenUp(Arc::clone(&flag));
    let work = move || Ok(bid.answer(&bid.report(|_| !flag.load(Ordering::Relaxed))?));
    workers.run(work).await
}

/// The same as it becomes known.
pub fn bid_lines(workers: &Workers, question: &BidQuestion) -> Result<Response, ApiFailure> {
    let bid = Bid::new(question)?;
    Ok(stream_lines(workers.clone(), move |tell| {
        // The hand was checked, so that there is a report.
        let _ = bid.report(|so_far| tell(&bid.answer(so_far)));
    }))
}

/// What each move is worth to a player who sees one hand, as it becomes known.
pub fn expectation_lines(workers: &Workers, question: &ExpectationQuestion) -> Result<Response, ApiFailure> {
    let hand = hand_of(&question.hand, "hand")?;
    let declaration = declaration(question.declaration)?;
    let plays: Vec<Domino> =
        question.plays.iter().map(|&id| domino(id, "plays")).collect::<Result<_, _>>()?;
    let worlds = question.worlds.unwrap_or(WORLDS);
    if !(1..=MAX_WORLDS).contains(&worlds) {
        return Err(ApiFailure::field("worlds", format!("must be a whole number from 1 to {MAX_WORLDS}")));
    }
    let field = if hand.len() == 7 { "plays" } else { "hand" };
    let view = PlayerView::new(hand, declaration, &plays).map_err(|error| ApiFailure::field(field, error))?;
    let options = ExpectOptions { worlds, error: None, seed: question.seed.unwrap_or(0) };
    Ok(stream_lines(workers.clone(), move |tell| {
        let all = worlds.min(view.worlds().count());
        Expectation::new(&view, &options, |so_far| tell(&expectation_answer(so_far, so_far.worlds == all)));
    }))
}

fn expectation_answer(expectation: &Expectation, finished: bool) -> ExpectationAnswer {
    let best = expectation.best();
    let highest = best.map_or(0.0, |best| best.mean());
    let moves = expectation.moves.iter().map(|play| ExpectedMove {
        domino: play.domino.number(),
        mean: play.mean(),
        spread: play.spread(),
        standard_error: expectation.standard_error(play),
        regret: highest - play.mean(),
    });
    ExpectationAnswer {
        seat: expectation.seat.index() as u8,
        possible: expectation.possible,
        worlds: expectation.worlds,
        exact: expectation.exact,
        moves: moves.collect(),
        best: best.map(|best| best.domino.number()),
        too_close: expectation.is_too_close(),
        finished,
    }
}
