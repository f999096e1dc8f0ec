//! What a flop is and what it does to two ranges, as numbers.

use crate::game::hands::{HandTable, ShowdownTable};
use crate::game::kernels::{PairedFoldRows, Stakes, TerminalRows};
use crate::game::runouts::possible;
use crate::{OOP, Player, Spot};
use noregret_cards::{
    Board, Card, DistinctFlop, Draws, FlopGaps, FlopRanks, FlopSuits, FlushDraw, MadeHand, StraightDraw,
    SuitGroup, Texture,
};
use noregret_cfr::SumPrecision;
use noregret_cfr::simd::{Row, WIDTH};
use rayon::prelude::*;

/// Runouts on which a flop's equity is measured, of the 1,176.
const RUNOUTS: usize = 13;

/// How much a group of features counts against the others, whatever units and however many it has.
const SUITS: f64 = 2.0;
const PAIRS: f64 = 1.0;
const STRAIGHTS: f64 = 0.5;
const RANKS: f64 = 1.5;
const ACES: f64 = 1.5;
const EQUITY: f64 = 1.0;
const HOLDINGS: f64 = 1.0;

/// A flop in raw numbers, group by group.
struct Raw {
    groups: [Vec<f64>; 7],
}

/// The flops as points of one space: every feature has mean 0 and, together with the rest of its group, the weight of
/// the group.
pub fn points(spot: &Spot, flops: &[DistinctFlop]) -> Vec<Vec<f64>> {
    let raw: Vec<Raw> = flops.par_iter().map(|flop| raw(spot, &flop.board)).collect();
    let total: f64 = flops.iter().map(|flop| f64::from(flop.weight)).sum();
    let mut points = vec![Vec::new(); flops.len()];
    for (group, weight) in [SUITS, PAIRS, STRAIGHTS, RANKS, ACES, EQUITY, HOLDINGS].into_iter().enumerate() {
        let features = raw.first().map_or(0, |raw| raw.groups[group].len());
        for feature in 0..features {
            let values = || {
                raw.iter().zip(flops).map(|(raw, flop)| (raw.groups[group][feature], f64::from(flop.weight)))
            };
            let mean = values().map(|(value, weight)| value * weight).sum::<f64>() / total;
            let variance =
                values().map(|(value, weight)| (value - mean).powi(2) * weight).sum::<f64>() / total;
            // A feature that is the same everywhere tells nothing.
            let scale = if variance > 1e-12 { (weight / (variance * features as f64)).sqrt() } else { 0.0 };
            for (point, (value, _)) in points.iter_mut().zip(values()) {
                point.push((value - mean) * scale);
            }
        }
    }
    points
}

fn raw(spot: &Spot, flop: &Board) -> Raw {
    let texture = Texture::of(flop);
    let one = |holds: bool| f64::from(u8::from(holds));
    let mut ranks: Vec<f64> = flop.cards().iter().map(|card| f64::from(card.rank().index())).collect();
    ranks.sort_by(|a, b| b.total_cmp(a));
    let suits = vec![one(texture.suits == FlopSuits::TwoTone), one(texture.suits == FlopSuits::Monotone)];
    let pairs = vec![one(texture.ranks == FlopRanks::Paired), one(texture.ranks == FlopRanks::Trips)];
    let straights =
        vec![one(texture.gaps == FlopGaps::Connected), one(texture.gaps == FlopGaps::SemiConnected)];
    // Ranges have more aces and kings than anything else: one on the flop is not just a rank above the next.
    let aces = vec![one(ranks[0] == 12.0), one(ranks[0] == 11.0)];
    // Where one player's hands are all blocked there is no equity: even is as good as any.
    let equity = vec![equity(spot, flop).unwrap_or(0.5)];
    let holdings = Player::BOTH.into_iter().flat_map(|player| holdings(spot, flop, player)).collect();
    Raw { groups: [suits, pairs, straights, ranks, aces, equity, holdings] }
}

/// Which share of a player's range has what: two pair or better, a good pair, another pair, a draw.
fn holdings(spot: &Spot, flop: &Board, player: Player) -> [f64; 5] {
    let mut shares = [0.0; 5];
    let mut total = 0.0;
    for hole in possible(spot, flop, player) {
        let weight = f64::from(spot.range(player).weight(hole));
        total += weight;
        let made = MadeHand::of(hole, flop).unwrap_or(MadeHand::Nothing);
        let draws = Draws::of(hole, flop);
        let holds = [
            made >= MadeHand::TwoPair,
            matches!(made, MadeHand::TopPair | MadeHand::Overpair),
            made.is_pair() && made < MadeHand::TopPair,
            draws.flush == FlushDraw::Draw,
            draws.straight == StraightDraw::OpenEnded,
        ];
        shares.iter_mut().zip(holds).filter(|(_, holds)| *holds).for_each(|(share, _)| *share += weight);
    }
    shares.map(|share| if total > 0.0 { share / total } else { 0.0 })
}

/// The first player's share of the pot on a flop, over some runouts at even distances among all; none if no hands can be
/// dealt.
fn equity(spot: &Spot, flop: &Board) -> Option<f64> {
    let rest: Vec<Card> = Card::all().filter(|card| !flop.set().contains(*card)).collect();
    let pairs: Vec<(Card, Card)> = rest
        .iter()
        .enumerate()
        .flat_map(|(i, &turn)| rest[..i].iter().map(move |&river| (turn, river)))
        .collect();
    let (mut won, mut met) = (0.0, 0.0);
    for i in 0..RUNOUTS {
        let (turn, river) = pairs[(2 * i + 1) * pairs.len() / (2 * RUNOUTS)];
        let board = flop.with(turn).and_then(|board| board.with(river));
        let (here_won, here_met) = board.map_or((0.0, 0.0), |board| river_equity(spot, &board));
        won += here_won;
        met += here_met;
    }
    (met > 0.0).then(|| won / met)
}

/// On a complete board, how much of the pairs of hands the first player wins, and how much they are.
fn river_equity(spot: &Spot, board: &Board) -> (f64, f64) {
    let hands = HandTable::new(spot, board, &SuitGroup::trivial());
    let Some(table) = ShowdownTable::new(board, &hands) else { return (0.0, 0.0) };
    // One lane counts what is won, the next one what there is.
    let (mut half, mut lose) = (Row::ZERO, Row::ZERO);
    (half[0], lose[1]) = (0.5, 1.0);
    let weights =
        |player: Player| hands.hands(player).iter().map(move |&hole| spot.range(player).weight(hole));
    let reach: Vec<Row> = weights(OOP.opponent()).map(|weight| Row([weight; WIDTH])).collect();
    let mut values = vec![Row::ZERO; hands.hands(OOP).len()];
    let terminals = TerminalRows { hands: &hands, player: OOP, reach: &reach, values: &mut values };
    terminals.show_down(&table, &Stakes { half, lose }, PairedFoldRows::None, SumPrecision::Double);
    weights(OOP).zip(&values).fold((0.0, 0.0), |(won, met), (weight, value)| {
        let weight = f64::from(weight);
        (won + weight * f64::from(value[0]), met + weight * f64::from(value[1]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameLayout, Solver, TreeOptions};

    fn spot(ranges: [&str; 2], board: &str) -> Spot {
        let ranges = ranges.map(|range| range.parse().unwrap());
        Spot::new(ranges, board.parse().unwrap(), TreeOptions::new(100.into(), 100.into())).unwrap()
    }

    #[test]
    fn the_equity_of_a_river_is_that_of_its_game() {
        let spot = spot(["22+,A2s+,KTs+:0.5", "JJ-55,A9s+,KQo:0.3,98s"], "QsJh2h8c3d");
        let game = GameLayout::new(&spot).unwrap().build();
        let (won, met) = river_equity(&spot, spot.board());
        assert!((won / met - Solver::new(game.clone()).equity(OOP)).abs() < 1e-6);
    }

    #[test]
    fn the_equity_of_some_runouts_is_near_that_of_all() {
        for board in ["QsJh2h", "As7d2c", "8h7h6h", "KsKd4c"] {
            let spot = spot(["22+,A2s+,KTs+,AJo+", "JJ-22,A2s-AQs,K9s+,QJs,98s"], board);
            let game = GameLayout::new(&spot).unwrap().build();
            let exact = Solver::new(game.clone()).equity(OOP);
            let estimate = equity(&spot, spot.board()).unwrap();
            assert!((exact - estimate).abs() < 0.02, "{board}: {estimate}, not {exact}");
        }
    }
}
