//! Solves a turn spot and walks down its most frequent line, with what each player does and expects on the way.

use noregret_holdem::{IP, Line, OOP, Solve, Spot, Step, Target, TreeOptions};

/// Runs the example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ranges = ["QQ+,AKs,KQs,T9s".parse()?, "JJ-88,AQs,KJs,98s".parse()?];
    let spot = Spot::new(ranges, "Td9d6hQc".parse()?, TreeOptions::new(100.into(), 300.into()))?;
    let solution = spot.solve(Target::pot_pct(0.5))?;
    println!("EV: {:.2} out of position, {:.2} in position", solution.ev(OOP), solution.ev(IP));

    let mut line = Line::default();
    loop {
        let node = solution.at(&line)?;
        let Some(player) = node.player else { break };
        let best =
            (0..node.actions.len()).max_by(|&a, &b| node.frequencies[a].total_cmp(&node.frequencies[b]));
        let Some(best) = best else { break };
        let (action, frequency) = (node.actions[best], node.frequencies[best]);
        let Some(ev) = node.ev(player) else { break };
        let name = if player == OOP { "OOP" } else { "IP" };
        println!("{name}: {action} in {:.0}%, EV {ev:.1}", 100.0 * frequency);
        line.steps.push(Step::Action(action));
    }
    println!("Line: {line}");
    let queens = solution.at("check")?.hand(OOP, "QsQh")?;
    if let (Some(ev), Some(equity)) = (queens.ev, queens.equity) {
        println!("QsQh after a check expects {ev:.1} chips and has {:.1}% equity", 100.0 * equity);
    }
    assert!((solution.ev(OOP) + solution.ev(IP) - 100.0).abs() < 0.01);
    Ok(())
}
