//! Writes the inputs of `corpus/` that are files: `cargo run -p noregret-fuzzing --example corpora`.

use noregret_dominoes::{Deal, Declaration, Table, Threads};
use noregret_fuzzing::{SPREAD_SPOT, plain_sections};
use noregret_holdem::{
    AmountFormat, BranchSolver, CHECKPOINT_KIND, GameLayout, MessageError, PART_KIND, SOLUTION_KIND,
    SaveOptions, SavedStreets, SolutionFile, Solver, Spec, SpreadPlan, TrunkSolver, save, save_checkpoint,
};
use noregret_report::{Extent, TableFormat, export};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

const RIVER: &str = "[ranges]\noop = 'AA,T9s:0.5'\nip = 'QQ,AJs'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\nriver = '3d'\n[tree]\n\
                     starting_pot = 100\neffective_stack = 200\n[solver]\nmax_iterations = 4\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let home = tempfile::tempdir()?;
    let path = home.path().join("file");
    let write = |target: &str, name: &str, bytes: &[u8]| {
        std::fs::create_dir_all(corpus.join(target))?;
        std::fs::write(corpus.join(target).join(name), bytes)
    };
    let turn = RIVER.replace("river = '3d'\n", "").replace("AA,T9s:0.5", "AA").replace("QQ,AJs", "KK");
    let locked = format!(
        "{RIVER}strategy_bits = 8\nregret_bits = 16\n[[locks]]\nline = 'check'\nstrategy = 'check'\n"
    );
    for (name, text) in [("river", RIVER), ("turn", &turn), ("locked", &locked)] {
        let spec: Spec = text.parse()?;
        let mut solver = Solver::with_options(GameLayout::new(&spec.spot)?.build(), &spec.solver);
        (0..4).for_each(|_| solver.iterate());
        for (keep, regrets, suffix) in [
            (SavedStreets::Full, false, ""),
            (SavedStreets::Turn, false, "-small"),
            (SavedStreets::Full, true, "-regrets"),
        ] {
            if keep.last() < spec.spot.board().street() || name == "turn" && keep == SavedStreets::Full {
                continue;
            }
            save(&path, &spec, &solver, &[], SaveOptions { keep, regrets })?;
            write(
                "solution",
                &format!("{name}{suffix}"),
                &plain_sections(SOLUTION_KIND, &std::fs::read(&path)?),
            )?;
        }
        if name != "turn" {
            save_checkpoint(&path, &spec, &solver, &[], std::time::Duration::ZERO)?;
            write("checkpoint", name, &plain_sections(CHECKPOINT_KIND, &std::fs::read(&path)?))?;
        }
    }
    // A request to a worker with one turn, and what one with all of them answers.
    let spec: Spec = SPREAD_SPOT.parse()?;
    let plan = SpreadPlan::new(spec.clone(), 1)?;
    let mut worker = BranchSolver::new(spec.clone(), plan.parts[0].deals.clone())?;
    let mut messages = Vec::new();
    let mut first = BranchSolver::new(spec.clone(), vec![0])?;
    let mut exchange = |request: &[u8]| -> Result<_, MessageError> {
        first.answer(request)?;
        let answer = worker.answer(request)?;
        messages.extend([request.to_vec(), answer.clone()]);
        Ok(vec![answer])
    };
    let mut trunk = TrunkSolver::new(spec.clone())?;
    trunk.advance(&mut exchange)?;
    trunk.solution(&mut exchange)?;
    for (name, bytes) in ["request", "answer", "second-request"].iter().zip(&messages) {
        write("message", name, bytes)?;
    }
    // What the driver and a worker with one turn have written.
    let parts: [(&str, &dyn Fn() -> io::Result<()>); 3] = [
        ("trunk", &|| trunk.save_checkpoint(&path)),
        ("branch", &|| first.save_checkpoint(&path)),
        ("solution", &|| first.save_solution(&path)),
    ];
    for (name, save) in parts {
        save()?;
        write("part", name, &plain_sections(PART_KIND, &std::fs::read(&path)?))?;
    }
    let spec: Spec = RIVER.parse()?;
    let solver = Solver::with_options(GameLayout::new(&spec.spot)?.build(), &spec.solver);
    save(&path, &spec, &solver, &[], SaveOptions::default())?;
    let extent = Extent::Line("check".parse()?);
    let go_on = |_| ControlFlow::Continue(());
    let amounts = AmountFormat::default();
    let rows = export(&SolutionFile::open(&path)?, &extent, amounts, TableFormat::Parquet, Vec::new(), go_on);
    write("parquet", "export", &rows.map_err(|_| "no rows")?.0)?;
    for (seed, declaration) in [(511, 6), (930, 0)] {
        let declaration = Declaration::new(declaration).ok_or("no declaration")?;
        let table = Table::solve(&Deal::from_seed(seed), declaration, Threads::Pool);
        let bytes = table.to_bytes(Some(seed));
        if bytes.len() < 20_000 {
            write("table", &seed.to_string(), &bytes)?;
        }
    }
    Ok(())
}
