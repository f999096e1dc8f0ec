//! Deals whose counts and values are known from elsewhere, and whole tables checked row by row.

use noregret_dominoes::{
    Census, Deal, Declaration, Game, Layout, NOT_LEGAL, Position, Row, Seat, Table, Threads,
};
use rayon::prelude::*;

fn solve(seed: u64, declaration: &str) -> Table {
    Table::solve(&Deal::from_seed(seed), declaration.parse().unwrap(), Threads::Pool)
}

fn root_value(table: &Table) -> i8 {
    let root = table.evaluate(&Position::START).unwrap();
    root.difference(root.best)
}

#[test]
fn counts_and_root_values_of_the_six_deals_are_the_known_ones() {
    let known = [
        (930, "blanks", 3_168_588, 193_304, 38),
        (0, "blanks", 7_607_411, 448_979, 42),
        (12, "no-trump", 8_609_564, 490_061, 42),
        (77, "doubles-trump", 18_232_520, 792_339, 20),
        (101, "fives", 33_506_808, 1_524_551, 42),
        (345, "doubles-suit", 39_144_593, 1_646_662, 20),
    ];
    for (seed, declaration, to_go, positions, value) in known {
        let table = solve(seed, declaration);
        assert_eq!(table.positions(), positions, "seed {seed}");
        assert_eq!(root_value(&table), value, "seed {seed}");
        assert_eq!(Census::new(&table).to_go(), to_go, "seed {seed}");
    }
}

#[test]
fn the_largest_deal_known_is_not_skipped() {
    let table = solve(434, "fours");
    assert_eq!((table.positions(), root_value(&table)), (6_179_524, -12));
}

#[test]
fn root_moves_and_sums_of_two_whole_tables_are_the_known_ones() {
    let table = solve(0, "blanks");
    let root = table.evaluate(&Position::START).unwrap();
    let moves = root.moves.map(|points| points.map(|points| root.difference(points)));
    assert_eq!(moves, [42, 38, 42, 42, 38, 42, 42].map(Some));
    let sum = |table: &Table| {
        table
            .rows(Layout::ToGo)
            .fold((0_u64, 0_i64), |(rows, sum), row| (rows + 1, sum + i64::from(row.value)))
    };
    assert_eq!(sum(&table), (7_607_411, 115_036_913));
    assert_eq!(sum(&solve(930, "blanks")), (3_168_588, -1_407_556));
}

/// Checks every row against its children, with the moves made by the plain game.
fn check_minimax(table: &Table, layout: Layout) -> u64 {
    let rows: Vec<Row> = table.rows(layout).collect();
    assert!(rows.is_sorted_by(|one, next| one.state < next.state), "rows ascend");
    rows.par_iter().for_each(|row| check_row(table, layout, row, &rows));
    rows.len() as u64
}

/// The position after a move, of which the plain game says how it went.
fn after(position: &Position, local: u8, next: &Game) -> Position {
    position.with_play(local).unwrap_or_else(|| {
        let mut held = Seat::ALL.map(|seat| position.remaining(seat));
        held[position.turn().index()] &= !(1 << local);
        Position::between(held, next.turn()).unwrap()
    })
}

fn check_row(table: &Table, layout: Layout, row: &Row, rows: &[Row]) {
    let (position, score) = Position::unpack(row.state, layout).unwrap();
    let turn = position.turn();
    if position.is_over() {
        let end = if layout == Layout::Scored { 2 * score as i8 - 42 } else { 0 };
        assert_eq!((row.value, row.moves), (end, [NOT_LEGAL; 7]));
        return;
    }
    let game = Game::at(table.deal(), table.declaration(), &position);
    let mut best = None;
    for (local, &value) in row.moves.iter().enumerate() {
        let domino = table.deal().hand(turn)[local];
        assert_eq!(value != NOT_LEGAL, game.legal().contains(domino));
        if value == NOT_LEGAL {
            continue;
        }
        let mut next = game.clone();
        next.play(domino).unwrap();
        let won = next.score();
        let lost = game.points_left() - next.points_left() - won;
        let child = after(&position, local as u8, &next);
        let child = child.pack(layout, score + won);
        let worth = rows[rows.binary_search_by_key(&child, |row| row.state).unwrap()].value;
        let expected = if layout == Layout::Scored { worth } else { worth + won as i8 - lost as i8 };
        assert_eq!(value, expected, "state {} move {local}", row.state);
        best = Some(best.map_or(value, |best| turn.team().better(best, value)));
    }
    assert_eq!(Some(row.value), best);
}

#[test]
fn every_row_of_a_whole_table_is_the_best_of_its_moves_in_both_layouts() {
    let table = solve(511, "sixes");
    let census = Census::new(&table);
    assert_eq!(check_minimax(&table, Layout::ToGo), census.to_go());
    assert_eq!(check_minimax(&table, Layout::Scored), census.scored());
}

#[test]
fn doubles_as_a_suit_and_no_trump_keep_minimax_on_every_row() {
    for (seed, declaration) in [(1150, "doubles-suit"), (930, "doubles-trump"), (1, "no-trump")] {
        let table = solve(seed, declaration);
        assert_eq!(check_minimax(&table, Layout::ToGo), Census::new(&table).to_go());
    }
}

#[test]
fn alpha_beta_on_the_plain_game_agrees_on_thousands_of_positions_of_all_declarations() {
    let mut checked = 0;
    for declaration in Declaration::all() {
        for seed in [3, 41, 900] {
            let table = Table::solve(&Deal::from_seed(seed), declaration, Threads::Pool);
            checked +=
                (0..100).map(|number| check_random_line(&table, 1 + seed + 1000 * number)).sum::<u32>();
        }
    }
    assert!(checked > 20_000, "{checked}");
}

/// Plays at random to the end and searches every position with at most three tricks left.
fn check_random_line(table: &Table, mut random: u64) -> u32 {
    let mut game = Game::new(table.deal(), table.declaration());
    let mut position = Position::START;
    let mut checked = 0;
    while !game.is_over() {
        let left = Game::at(table.deal(), table.declaration(), &position);
        if position.tricks_left() <= 3 {
            let value = table.evaluate(&position).unwrap();
            assert_eq!(value.best, left.best_score(), "{} {}", table.deal(), position.pack(Layout::ToGo, 0));
            assert_eq!(value.points_left, left.points_left());
            checked += 1;
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let legal: Vec<_> = game.legal().iter().collect();
        let domino = legal[(random >> 33) as usize % legal.len()];
        let local = table.deal().hand(game.turn()).iter().position(|&d| d == domino).unwrap();
        game.play(domino).unwrap();
        position = after(&position, local as u8, &game);
    }
    checked
}
