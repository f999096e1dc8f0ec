//! Solves a spec and prints the seconds of iterations and measurements, which is what `noregret solve --json` calls `seconds`, and the
//! digest of the strategies. `scripts/library-speed` compares both with those of the binary.

use noregret_holdem::{MemoryLimit, SolveJob, Spec};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [path, iterations] = [1, 2].map(|n| std::env::args().nth(n).unwrap_or_default());
    let mut spec: Spec = std::fs::read_to_string(path)?.parse()?;
    (spec.solver.max_iterations, spec.solver.target_exploitability_pct) = (iterations.parse()?, 0.0);
    // The memory is checked for two threads; rayon decides how many there are.
    let job = SolveJob::plan(spec, &MemoryLimit::of_machine(), 2)?;
    let solved = job.run(&mut ())?.ok_or("it was stopped")?;
    println!("{:.3} {}", solved.last().elapsed.as_secs_f64(), solved.solver.digest());
    Ok(())
}
