//! Files, with checksums that are right.

use crate::messages::SPOT;
use crate::{mend, place};
use noregret_dominoes::{Manifest, TABLE_KIND, Table, TableHeader, Threads, sample_metadata};
use noregret_holdem::{
    BranchSolver, CHECKPOINT_KIND, GameLayout, Line, MemoryLimit, PART_KIND, ResumeFile, SOLUTION_KIND,
    SolutionFile, Solver, Spec, SpreadPlan, SpreadSolution, TrunkSolver, verify, verify_solution,
};
use noregret_report::{list_text, parse_list};
use noregret_store::Bytes;
use std::sync::OnceLock;

/// What a file may take to be read: less than a page of a large one would.
const MEMORY: u64 = 32 << 20;

fn limit() -> MemoryLimit {
    MemoryLimit::new(Bytes(MEMORY), "fuzzing allows")
}

pub fn solution(bytes: &[u8]) {
    let path = place::file("spot.nrs");
    if std::fs::write(&path, mend::container(SOLUTION_KIND, bytes)).is_err() {
        return;
    }
    if let Ok(file) = SolutionFile::open_within(&path, limit()) {
        for line in ["", "check", "check, check", "bet 50, call, Th", "check, bet 50"] {
            if let Ok(line) = line.parse::<Line>() {
                let _ = (file.at(&line), file.frequencies(&line));
            }
        }
    }
    // The checksums are right, so what is wrong with it is found by its numbers or not at all.
    let _ = verify_solution(&path, limit());
}

pub fn checkpoint(bytes: &[u8]) {
    let path = place::file("spot.nrc");
    if std::fs::write(&path, mend::container(CHECKPOINT_KIND, bytes)).is_err() {
        return;
    }
    let _ = verify(&path, limit());
    let Ok(file) = ResumeFile::open(&path) else { return };
    let spec = file.spec().clone();
    let Ok(layout) = GameLayout::of(&spec, MEMORY) else { return };
    if layout.size(&spec.solver).memory.total() as u64 > MEMORY {
        return;
    }
    // Where a hand was not reached for long, all iterations since are looked at.
    if file.progress().iterations > 100_000 {
        return;
    }
    let mut solver = Solver::with_options(layout.build(), &spec.solver);
    // What was read is what iterations go on from.
    if file.restore(&mut solver).is_ok() {
        solver.iterate();
        let _ = (solver.exploitability_pct(), solver.digest());
    }
}

/// Parts of a checkpoint and of a solution, as the driver and a worker with one turn read them.
pub fn part(bytes: &[u8]) {
    static SOLUTION: OnceLock<Option<SpreadSolution>> = OnceLock::new();
    let parts = [place::file("spot.nrp")];
    if std::fs::write(&parts[0], mend::container(PART_KIND, bytes)).is_err() {
        return;
    }
    let Ok(spec) = SPOT.parse::<Spec>() else { return };
    let Ok(mut worker) = BranchSolver::new(spec.clone(), vec![0]) else { return };
    let Ok(mut trunk) = TrunkSolver::new(spec.clone()) else { return };
    if let Some(solution) = SOLUTION.get_or_init(|| spread_solution(spec)) {
        let path = place::file("together.nrs");
        if trunk.save(&path, solution, &parts).is_ok() {
            let _ = verify_solution(&path, limit());
        }
    }
    let restored = [trunk.restore(&parts).is_ok(), worker.restore(&parts).is_ok()];
    // What was read is what iterations go on from.
    if restored.contains(&true) {
        let _ = trunk.advance(&mut |request: &[u8]| worker.answer(request).map(|answer| vec![answer]));
    }
}

/// What the spot is worth before the first iteration.
fn spread_solution(spec: Spec) -> Option<SpreadSolution> {
    let plan = SpreadPlan::new(spec.clone(), 1).ok()?;
    let mut worker = BranchSolver::new(spec.clone(), plan.parts[0].deals.clone()).ok()?;
    let mut exchange = |request: &[u8]| worker.answer(request).map(|answer| vec![answer]);
    TrunkSolver::new(spec).ok()?.solution(&mut exchange).ok()
}

pub fn table(bytes: &[u8]) {
    let whole = mend::container(TABLE_KIND, bytes);
    if TableHeader::read(whole.clone()).is_ok() {
        let _ = Table::from_bytes(whole, Threads::One);
    }
}

pub fn manifest(bytes: &[u8]) {
    let _ = Manifest::parse(bytes);
    if let Ok(manifest) = Manifest::parse(&mend::manifest(bytes)) {
        let printed = manifest.to_text();
        let again = Manifest::parse(printed.as_bytes());
        assert!(again.as_ref() == Ok(&manifest), "{printed:?}: {again:?}");
    }
}

pub fn batch_list(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(listed) = parse_list(text) {
        assert_eq!(parse_list(&list_text(&listed)), Ok(listed));
    }
}

pub fn journal(bytes: &[u8]) {
    let _ = noregret::journal_jobs(bytes);
}

/// Rows and samples are Parquet; what is read of them is their metadata.
pub fn parquet(bytes: &[u8]) {
    let path = place::file("rows.parquet");
    // The length at the end says where the metadata begins, which mutations seldom get right.
    let mut whole = bytes.to_vec();
    if !whole.ends_with(b"PAR1") {
        whole.extend(b"PAR1");
    }
    if std::fs::write(&path, whole).is_ok() {
        let _ = sample_metadata(&path, "noregret");
    }
}
