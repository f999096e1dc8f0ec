//! What a move is worth to a player who sees one hand only: the mean over all deals that could be.

mod player_view;
mod worlds;

pub use player_view::{PlayerView, ViewError};
pub use worlds::Worlds;

use std::ops::{Range, RangeInclusive};

use rayon::prelude::*;

use crate::chance::Chance;
use crate::declaration::Declaration;
use crate::domino::Domino;
use crate::position::TOTAL_POINTS;
use crate::random::SplitMix64;
use crate::seat::Seat;
use crate::solver::alpha_beta::Searcher;

/// How many deals to look at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectOptions {
    /// All deals are counted if there are at most so many; else so many are drawn.
    pub worlds: u64,
    /// Draws go on until the standard error of each move's mean is at most this.
    pub error: Option<f64>,
    /// What the draws depend on.
    pub seed: u64,
}

impl ExpectOptions {
    /// Whether every deal that agrees with the view is counted once.
    fn counts_all(&self, view: &PlayerView) -> bool {
        view.worlds().count() <= self.worlds
    }
}

impl Default for ExpectOptions {
    fn default() -> Self {
        Self { worlds: 1000, error: None, seed: 0 }
    }
}

/// The bids in points.
pub const BIDS: RangeInclusive<u8> = 30..=TOTAL_POINTS;
/// The most deals that are drawn for a standard error.
const MAX_DRAWS: u64 = 1_000_000;
/// Deals between two reports of what is known so far.
const BATCH: u64 = 100;

/// A legal move, and what the player's team ends up with after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveExpectation {
    /// The domino that is played.
    pub domino: Domino,
    /// By points of the player's team in the end, 0 to 42: in how many deals.
    pub deals: [u64; TOTAL_POINTS as usize + 1],
}

impl MoveExpectation {
    /// In how many deals it was valued.
    pub fn count(&self) -> u64 {
        self.deals.iter().sum()
    }

    /// The mean of the points.
    pub fn mean_points(&self) -> f64 {
        let total: u64 = self.deals.iter().zip(0..).map(|(deals, points)| deals * points).sum();
        total as f64 / self.count().max(1) as f64
    }

    /// The mean of the value: the difference in points that the player's team ends with.
    pub fn mean(&self) -> f64 {
        2.0 * self.mean_points() - f64::from(TOTAL_POINTS)
    }

    /// The standard deviation of the value over the deals.
    pub fn spread(&self) -> f64 {
        let count = self.count();
        if count == 0 {
            return 0.0;
        }
        let (sum, squares) =
            self.deals.iter().zip(0..).fold((0_u64, 0_u64), |(sum, squares), (deals, points)| {
                (sum + deals * points, squares + deals * points * points)
            });
        // In whole numbers up to here, so that nothing depends on the order of the deals.
        let variance = u128::from(count) * u128::from(squares) - u128::from(sum) * u128::from(sum);
        2.0 * (variance as f64).sqrt() / count as f64
    }
}

/// What each legal move is worth over deals that agree with what the player knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The declaration.
    pub declaration: Declaration,
    /// Whose turn it is: the player.
    pub seat: Seat,
    /// How many deals agree with what the player knows.
    pub possible: u64,
    /// How many of them were looked at.
    pub worlds: u64,
    /// Whether each of them was looked at once, so that nothing is left to chance.
    pub exact: bool,
    /// The legal moves, by domino.
    pub moves: Vec<MoveExpectation>,
}

impl Expectation {
    /// What the mean of a move may be off by: the standard deviation of a mean of so many draws. 0 if all deals were
    /// counted.
    pub fn standard_error(&self, of: &MoveExpectation) -> f64 {
        if self.exact { 0.0 } else { of.spread() / (of.count().max(1) as f64).sqrt() }
    }

    /// The chance to make a bid after a move. Without an interval if all deals were counted.
    pub fn chance(&self, of: &MoveExpectation, bid: u8) -> Chance {
        let made = of.deals.iter().skip(usize::from(bid)).sum();
        if self.exact { Chance::exact(made, of.count()) } else { Chance::new(made, of.count()) }
    }

    /// The chance to make a bid after the move with the highest mean.
    pub fn best_chance(&self, bid: u8) -> Chance {
        self.best().map_or(Chance::new(0, 0), |best| self.chance(best, bid))
    }

    /// The highest bid that the move with the highest mean makes in at least this share of the deals, if it makes any.
    pub fn highest_bid(&self, share: f64) -> Option<u8> {
        BIDS.rev().find(|&bid| self.best_chance(bid).seen >= share)
    }

    /// The move with the highest mean, the first of equals.
    pub fn best(&self) -> Option<&MoveExpectation> {
        self.moves.iter().reduce(|best, other| if other.mean() > best.mean() { other } else { best })
    }

    /// Whether the 95% interval of another move's mean overlaps with that of the best.
    pub fn is_too_close(&self) -> bool {
        const Z: f64 = 1.959_963_984_540_054;
        let Some(best) = self.best() else { return false };
        let low = best.mean() - Z * self.standard_error(best);
        let others = self.moves.iter().filter(|other| other.domino != best.domino);
        !self.exact && others.into_iter().any(|other| other.mean() + Z * self.standard_error(other) >= low)
    }
}

impl Expectation {
    /// Values every legal move of the player over deals that agree with the view. Each deal is solved from the position
    /// on, with all hands seen by everyone.
    ///
    /// `report` is called with what is known so far after every hundred deals, and false from it ends the work there.
    /// The answer depends on the view and the options alone, not on the number of threads.
    ///
    /// ```
    /// use noregret_dominoes::{ExpectOptions, Expectation, PlayerView};
    ///
    /// // Three tricks have been played; seat 0 is to lead again.
    /// let hand = "6-6 6-5 6-4 5-5 4-4 1-0 2-0".parse()?;
    /// let plays: noregret_dominoes::Plays =
    ///     "6-6 6-3 6-2 6-1  6-5 6-0 1-1 2-1  6-4 3-0 4-2 5-0".parse()?;
    /// let view = PlayerView::new(hand, "sixes".parse()?, &plays.0)?;
    /// let options = ExpectOptions { worlds: 100, ..Default::default() };
    /// let expectation = Expectation::new(&view, &options, |_| true);
    /// assert_eq!(expectation.moves.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(view: &PlayerView, options: &ExpectOptions, mut report: impl FnMut(&Self) -> bool) -> Self {
        let mut expectation = Self::nothing_yet(view);
        let all = match options.error {
            _ if options.counts_all(view) => expectation.possible,
            Some(_) => MAX_DRAWS,
            None => options.worlds,
        };
        let views = std::slice::from_ref(view);
        while expectation.worlds < all {
            let from = expectation.worlds;
            let to = all.min(from + BATCH);
            look_at_worlds(views, std::slice::from_mut(&mut expectation), options, from..to);
            let errors = expectation.moves.iter().map(|play| expectation.standard_error(play));
            let is_sure = options.error.is_some_and(|error| errors.into_iter().all(|found| found <= error));
            if !report(&expectation) || (is_sure && !options.counts_all(view)) {
                break;
            }
        }
        expectation
    }

    /// Before any deal was looked at.
    pub(crate) fn nothing_yet(view: &PlayerView) -> Self {
        let moves = view.legal().iter().map(|domino| MoveExpectation { domino, deals: [0; 43] }).collect();
        Self {
            declaration: view.declaration(),
            seat: view.seat(),
            possible: view.worlds().count(),
            worlds: 0,
            exact: false,
            moves,
        }
    }
}

/// Adds deals to the expectations of some views: those with these numbers, of the draws or of all that there are.
pub(crate) fn look_at_worlds(
    views: &[PlayerView],
    expectations: &mut [Expectation],
    options: &ExpectOptions,
    numbers: Range<u64>,
) {
    // Deal by deal, so that the threads share views and deals evenly.
    let tasks: Vec<(u64, usize)> =
        numbers.clone().flat_map(|number| (0..views.len()).map(move |at| (number, at))).collect();
    let value = |searcher: &mut Searcher, &(number, at): &(u64, usize)| {
        let view = &views[at];
        let world = if options.counts_all(view) {
            number
        } else {
            SplitMix64::new(options.seed, number).below(view.worlds().count())
        };
        view.value_moves(searcher, world)
    };
    let valued: Vec<Vec<u8>> = tasks.par_iter().map_init(Searcher::new, value).collect();
    for ((_, at), points) in tasks.into_iter().zip(valued) {
        for (play, points) in expectations[at].moves.iter_mut().zip(points) {
            play.deals[usize::from(points)] += 1;
        }
    }
    for (expectation, view) in expectations.iter_mut().zip(views) {
        expectation.worlds = numbers.end;
        expectation.exact = options.counts_all(view) && numbers.end == expectation.possible;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::Deal;
    use crate::declaration::Declaration;
    use crate::game::Game;
    use crate::hand::Hand;
    use crate::seat::Team;

    /// A random deal, played at random for some plays.
    fn random_history(seed: u64, plays: usize) -> (Deal, Declaration, Vec<Domino>) {
        let (deal, declaration) = (Deal::from_seed(seed), Declaration::new((seed % 10) as u8).unwrap());
        let mut game = Game::new(&deal, declaration);
        let mut played = Vec::new();
        for number in 0..plays as u64 {
            let legal: Vec<Domino> = game.legal().iter().collect();
            let domino = legal[SplitMix64::new(seed, number).below(legal.len() as u64) as usize];
            game.play(domino).unwrap();
            played.push(domino);
        }
        (deal, declaration, played)
    }

    /// Every deal that agrees with the view, found by dealing the unknown dominoes in all ways and playing each deal.
    fn plain_worlds(
        own: Seat,
        hand: Hand,
        declaration: Declaration,
        plays: &[Domino],
        played: &[Hand; 4],
    ) -> Vec<Deal> {
        let unknown: Vec<Domino> = Domino::all()
            .filter(|&domino| !hand.contains(domino) && !played.iter().any(|played| played.contains(domino)))
            .collect();
        let mut deals = Vec::new();
        let mut hands = *played;
        hands[own.index()] = hand;
        deal_out(&unknown, &mut hands, &mut |hands| {
            if let Ok(deal) = Deal::from_hands(*hands)
                && Game::after(&deal, declaration, plays).is_ok()
            {
                deals.push(deal);
            }
        });
        deals
    }

    fn deal_out(unknown: &[Domino], hands: &mut [Hand; 4], visit: &mut impl FnMut(&[Hand; 4])) {
        let Some((&domino, rest)) = unknown.split_first() else { return visit(hands) };
        for seat in 0..4 {
            if hands[seat].len() < 7 {
                hands[seat].insert(domino);
                deal_out(rest, hands, visit);
                hands[seat].remove(domino);
            }
        }
    }

    /// Who played what.
    fn played_by(deal: &Deal, plays: &[Domino]) -> [Hand; 4] {
        Seat::ALL.map(|seat| deal.held(seat, 0x7f).iter().filter(|domino| plays.contains(domino)).collect())
    }

    #[test]
    fn with_three_tricks_left_all_worlds_are_those_of_a_plain_enumeration_to_the_last_digit() {
        for seed in 0..10 {
            let plays_made = 16 + (seed as usize % 4);
            let (deal, declaration, plays) = random_history(seed, plays_made);
            let seat = Game::after(&deal, declaration, &plays).unwrap().turn();
            let hand = deal.held(seat, 0x7f);
            let view = PlayerView::new(hand, declaration, &plays).unwrap();
            let deals = plain_worlds(seat, hand, declaration, &plays, &played_by(&deal, &plays));
            let options = ExpectOptions { worlds: 100_000, ..Default::default() };
            let expectation = Expectation::new(&view, &options, |_| true);
            assert!(expectation.exact);
            assert_eq!((expectation.possible, expectation.worlds), (deals.len() as u64, deals.len() as u64));
            for play in &expectation.moves {
                let mut counts = [0; 43];
                for deal in &deals {
                    let mut game = Game::after(deal, declaration, &plays).unwrap();
                    game.play(play.domino).unwrap();
                    let points = game.best_score();
                    let own = if seat.team() == Team::Zero { points } else { 42 - points };
                    counts[usize::from(own)] += 1;
                }
                assert_eq!(play.deals, counts, "seed {seed}, {}", play.domino);
            }
        }
    }

    #[test]
    fn a_seat_that_did_not_follow_holds_none_of_the_suit_in_fifty_histories() {
        for seed in 100..150 {
            let (deal, declaration, plays) = random_history(seed, 14 + seed as usize % 8);
            let seat = Game::after(&deal, declaration, &plays).unwrap().turn();
            let hand = deal.held(seat, 0x7f);
            let view = PlayerView::new(hand, declaration, &plays).unwrap();
            let mut expected = plain_worlds(seat, hand, declaration, &plays, &played_by(&deal, &plays));
            let worlds = view.worlds();
            let mut found: Vec<Deal> =
                (0..worlds.count()).map(|number| Deal::from_hands(worlds.hands(number)).unwrap()).collect();
            let key = |deal: &Deal| deal.to_string();
            expected.sort_by_key(key);
            found.sort_by_key(key);
            assert_eq!(found, expected, "seed {seed}");
        }
    }

    #[test]
    fn the_answer_does_not_depend_on_the_threads_and_draws_on_the_seed() {
        let (deal, declaration, plays) = random_history(3, 12);
        let seat = Game::after(&deal, declaration, &plays).unwrap().turn();
        let view = PlayerView::new(deal.held(seat, 0x7f), declaration, &plays).unwrap();
        let expect = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let options = ExpectOptions { worlds: 150, error: None, seed };
            pool.install(|| Expectation::new(&view, &options, |_| true))
        };
        assert_eq!(expect(1, 5), expect(3, 5));
        assert_ne!(expect(2, 5), expect(2, 6));
        assert_eq!(expect(1, 5).worlds, 150);
    }

    #[test]
    fn an_error_asked_for_is_reached_and_a_report_can_end_the_work() {
        let (deal, declaration, plays) = random_history(8, 12);
        let seat = Game::after(&deal, declaration, &plays).unwrap().turn();
        let view = PlayerView::new(deal.held(seat, 0x7f), declaration, &plays).unwrap();
        let options = ExpectOptions { worlds: 10, error: Some(0.5), seed: 1 };
        let sure = Expectation::new(&view, &options, |_| true);
        assert!(sure.moves.iter().all(|play| sure.standard_error(play) <= 0.5));
        let mut reports = 0;
        let ended = Expectation::new(&view, &ExpectOptions { worlds: 1000, error: None, seed: 1 }, |_| {
            reports += 1;
            false
        });
        assert_eq!((reports, ended.worlds), (1, 100));
    }
}
