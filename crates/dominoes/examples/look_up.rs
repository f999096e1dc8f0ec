//! Solves a deal and looks positions up: the opening, a position reached by plays, and a packed state.

use std::error::Error;

use noregret_dominoes::{Deal, Declaration, Layout, Position, Table, Threads};

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let declaration: Declaration = "blanks".parse()?;
    let table = Table::solve(&Deal::from_seed(0), declaration, Threads::Pool);
    println!("{} positions between tricks", table.positions());

    // The opening: what each lead is worth to Team 0, in points.
    let opening = table.evaluate(&Position::START).ok_or("the start is reachable")?;
    for (local, points) in opening.moves.iter().enumerate() {
        if let Some(points) = points {
            let domino = table.deal().hand(opening.turn)[local];
            println!(
                "lead {domino}: {:+}, regret {}",
                opening.difference(*points),
                opening.regret(local).unwrap_or(0)
            );
        }
    }

    // After the first domino of seat 0's hand has been led.
    let answer = Position::START.with_play(0).ok_or("seat 0 holds it")?;
    let reply = table.evaluate(&answer).ok_or("a legal lead is reachable")?;
    println!("seat {} replies for {:+}", reply.turn, reply.difference(reply.best));

    // The same position as the 41 bits that row files hold.
    let state = answer.pack(Layout::ToGo, 0);
    let (_, _, same) = table.evaluate_state(state, Layout::ToGo)?;
    assert_eq!(same, reply);
    Ok(())
}
