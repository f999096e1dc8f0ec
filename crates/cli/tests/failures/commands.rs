//! Commands that write files: each operation on the disk fails.

use crate::child::{contents, directory, is_tried_in_batches, ok, operations, run};
use crate::common::{RIVER, TURN};
use noregret_store::simulate::DiskFault;
use std::path::Path;
use tempfile::TempDir;

/// A command that writes, and what it leaves.
pub struct Case {
    pub args: &'static str,
    /// Files of the directory that it may change or make.
    pub files: &'static [&'static str],
}

pub const CASES: [Case; 7] = [
    Case { args: "solve river.toml --max-iterations 3 --out spot.nrs", files: &["spot.nrs"] },
    Case {
        args: "solve turn.toml --max-iterations 3 --threads 1 --checkpoint turn.nrc",
        files: &["turn.nrc"],
    },
    Case { args: "export old.nrs --format csv --out rows.csv", files: &["rows.csv"] },
    Case { args: "report old.nrs --out page.html", files: &["page.html"] },
    Case { args: "compare river.toml --max-iterations 2 --svg runs.svg", files: &["runs.svg"] },
    Case {
        args: "forty-two solve --seeds 511..=512 --decls sixes --threads 1 --out .",
        files: &["manifest.tsv", "seed_00000511_decl_6.n42", "seed_00000512_decl_6.n42"],
    },
    Case {
        args: "batch plan.toml --threads 1",
        files: &["batch.tsv", "journal.jsonl", "AsKd2c.nrs", "QsJh2h.nrs"],
    },
];

/// A flop that is solved in milliseconds.
const FLOP: &str = "[ranges]\noop = 'AcAd'\nip = 'KcKh'\n[cards]\nflop = 'QsJh2h'\n[tree]\nstarting_pot = 100\neffective_stack = 10\n\
                    [bet_sizes.flop]\noop_bet = 'a'\n[solver]\nmax_iterations = 2\ntarget_exploitability_pct = 0\n";

/// Writes a checkpoint at each measurement.
const PLAN: &str =
    "[batch]\nspec = 'flop.toml'\nout = '.'\nflops = ['QsJh2h', 'AsKd2c']\ncheckpoint_every = 0.000001\n";

/// What no command may change.
const KEPT: [&str; 5] = ["old.nrs", "river.toml", "turn.toml", "flop.toml", "plan.toml"];

/// A directory with specs, and with a solution.
pub fn home() -> TempDir {
    let home = directory();
    for (name, text) in [("river.toml", RIVER), ("turn.toml", TURN), ("flop.toml", FLOP), ("plan.toml", PLAN)]
    {
        std::fs::write(home.path().join(name), text).unwrap();
    }
    ok(run(home.path(), "solve river.toml --max-iterations 1 --out old.nrs", None));
    home
}

/// Whether a file can be read through by whoever it is for.
pub fn is_whole(home: &Path, name: &str, bytes: &[u8]) -> bool {
    let path = home.join(name);
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("nrs" | "nrc") => noregret_holdem::verify(&path, noregret_holdem::MemoryLimit::ANY).is_ok(),
        Some("n42") => noregret_dominoes::TableJob::from_file_name(name).unwrap().check(home).is_ok(),
        Some("tsv") if name == noregret_report::BATCH_LIST => {
            noregret_report::parse_list(std::str::from_utf8(bytes).unwrap()).is_ok()
        }
        Some("tsv") => noregret_dominoes::Manifest::parse(bytes).is_ok(),
        Some("csv") => bytes.ends_with(b"\n") && bytes.starts_with(b"line,board,"),
        Some("html") => bytes.ends_with(b"</html>\n"),
        Some("svg") => bytes.ends_with(b"</svg>\n"),
        // What has become of jobs is told line by line, and lines that make no sense are passed over.
        _ => true,
    }
}

#[test]
fn whatever_operation_fails_the_old_or_the_new_file_is_there_whole() {
    let (mut failed, mut told, mut killed) = (0, 0, 0);
    for case in &CASES {
        let home = home();
        // What is there when nothing fails.
        let (operations, _) = operations(home.path(), case.args);
        let new = contents(home.path());
        for name in case.files {
            assert!(
                new.contains_key(*name) && is_whole(home.path(), name, &new[*name]),
                "{} {name}",
                case.args
            );
        }
        assert!(operations.len() >= 5, "{}: {operations:?}", case.args);
        for (number, fault) in DiskFault::ALL.into_iter().enumerate() {
            for (at, _) in operations.iter().enumerate().filter(|(_, operation)| fault.concerns(**operation))
            {
                if case.args.starts_with("batch") && !is_tried_in_batches(at, number) {
                    continue;
                }
                // Anew, without what the command makes: the old file is none.
                for name in case.files {
                    let _ = std::fs::remove_file(home.path().join(name));
                }
                let output = run(home.path(), case.args, Some((at, fault)));
                let now = contents(home.path());
                let said = String::from_utf8_lossy(&output.stderr);
                let place = format!("{}: {fault:?} at {at}: {:?}: {said}", case.args, output.status);
                let left: Vec<&String> = now.keys().filter(|name| name.ends_with(".part")).collect();
                failed += 1;
                match output.status.code() {
                    // Only parts may be left, which the next run removes.
                    None if fault.kills() => killed += 1,
                    // Not all that was asked for is there: the code says so, and why.
                    Some(1) => {
                        told += 1;
                        assert!(said.contains("error: ") && left.is_empty(), "{place}: {left:?}");
                        assert!(
                            said.contains("the disk has failed") || said.contains("no storage space"),
                            "{place}"
                        );
                    }
                    Some(0) => {
                        assert!(left.is_empty(), "{place}: {left:?}");
                        for name in case.files {
                            assert!(now.contains_key(*name), "{place}: {name}");
                        }
                    }
                    code => panic!("{code:?}: {place}"),
                }
                assert!(!said.contains("panicked"), "{place}");
                for name in case.files {
                    if let Some(bytes) = now.get(*name) {
                        assert!(is_whole(home.path(), name, bytes), "{place}: {name}");
                    }
                }
                for kept in KEPT {
                    assert!(now[kept] == new[kept], "{place}: {kept}");
                }
            }
        }
        // The next run finds nothing in its way, and leaves nothing.
        ok(run(home.path(), case.args, None));
        let now = contents(home.path());
        assert!(
            now.keys().all(|name| !name.ends_with(".part") && !name.ends_with("h.nrc")),
            "{}: {:?}",
            case.args,
            now.keys()
        );
        for name in case.files {
            assert!(is_whole(home.path(), name, &now[*name]), "{}: {name}", case.args);
        }
    }
    println!(
        "{failed} operations failed: {told} times an error was told, {killed} times the command was killed"
    );
    assert!(told > 50 && killed > 50);
}
