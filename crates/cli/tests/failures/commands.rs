//! Commands that write files: each operation on the disk fails.

use crate::child::{contents, directory, is_tried, ok, operations, run};
use crate::common::{OWN_RANGES, RIVER, SESSION, TURN, first_hand};
use noregret_store::simulate::{DiskFault, DiskOperation};
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;

/// A command that writes, and what it leaves.
pub struct Case {
    /// The command; what it reads on standard input may follow after ` < `.
    pub args: &'static str,
    /// What was there before it, in turn: nothing (an empty text), or other files of these names, which are replaced. Commands that have
    /// left them, with `; ` between; `empty NAME` is an empty file.
    pub older: &'static [&'static str],
    /// Files of the directory that it may change or make.
    pub files: &'static [&'static str],
    /// Each fault meets every operation with a number that this divides, each fault others: more than 1 for commands that take long.
    pub every: usize,
}

pub const CASES: [Case; 16] = [
    Case {
        args: "solve river.toml --max-iterations 3 --out spot.nrs",
        older: &["", "solve river.toml --max-iterations 2 --out spot.nrs"],
        files: &["spot.nrs"],
        every: 1,
    },
    Case {
        args: "solve river.toml --max-iterations 3 --resume spot.nrs --out spot.nrs",
        older: &["solve river.toml --max-iterations 2 --save-regrets --out spot.nrs"],
        files: &["spot.nrs"],
        every: 1,
    },
    Case {
        args: "solve turn.toml --max-iterations 3 --threads 1 --checkpoint turn.nrc",
        older: &["", "solve turn.toml --max-iterations 2 --threads 1 --checkpoint turn.nrc"],
        files: &["turn.nrc"],
        every: 1,
    },
    Case {
        args: "export old.nrs --format csv --out rows.csv",
        older: &["", "export old.nrs --format csv --line check --out rows.csv"],
        files: &["rows.csv"],
        every: 1,
    },
    Case {
        args: "export old.nrs --format json --out rows.json",
        older: &["", "export old.nrs --format json --line check --out rows.json"],
        files: &["rows.json"],
        every: 1,
    },
    Case {
        args: "export old.nrs --format parquet --out rows.parquet",
        older: &["", "export old.nrs --format parquet --line check --out rows.parquet"],
        files: &["rows.parquet"],
        every: 1,
    },
    Case {
        args: "report old.nrs --out page.html",
        older: &["", "report old.nrs --line check --out page.html"],
        files: &["page.html"],
        every: 1,
    },
    Case {
        args: "compare river.toml --max-iterations 2 --svg runs.svg",
        older: &["", "compare river.toml --max-iterations 1 --svg runs.svg"],
        files: &["runs.svg"],
        every: 1,
    },
    Case {
        args: "hands session.txt --html hands.html --parquet hands.parquet",
        older: &["", "hands first.txt --html hands.html --parquet hands.parquet"],
        files: &["hands.html", "hands.parquet"],
        every: 4,
    },
    // A solution of an older run stays, its list gives way to a longer one.
    Case {
        args: "hands two.txt --ranges own.toml --solve --out . --target 100 --threads 1",
        older: &["", "hands first.txt --ranges own.toml --solve --out . --target 100 --threads 1"],
        files: &["batch.tsv", "journal.jsonl", "Qc7d2h-4cf34902e1709e9c.nrs", "Qc7d3h-4066e5c2e8056791.nrs"],
        every: 8,
    },
    Case {
        args: "upi < dump.txt",
        older: &["", "solve river.toml --max-iterations 2 --out dump.nrs"],
        files: &["dump.nrs"],
        every: 1,
    },
    Case {
        args: "forty-two solve --seeds 511..=512 --decls sixes --threads 1 --out .",
        older: &["", "forty-two solve --seeds 511 --decls sixes --threads 1 --out ."],
        files: &["manifest.tsv", "seed_00000511_decl_6.n42", "seed_00000512_decl_6.n42"],
        every: 1,
    },
    // Millions of rows.
    Case {
        args: "forty-two solve --seeds 511 --decls sixes --format rows --layout to-go --threads 1 --out .",
        older: &[""],
        files: &["manifest.tsv", "seed_00000511_decl_6.parquet"],
        every: 4,
    },
    Case {
        args: "forty-two rows table/seed_00000511_decl_6.n42 --layout to-go --out .",
        older: &["forty-two solve --seeds 511 --decls sixes --threads 1 --out table; \
                  forty-two rows table/seed_00000511_decl_6.n42 --layout scored --out ."],
        files: &["manifest.tsv", "seed_00000511_decl_6.parquet"],
        every: 4,
    },
    // Samples of another request are not replaced, and those of this one are left as they are. Only an empty file gives way.
    Case {
        args: "forty-two sample --seeds 511..=512 --decls sixes --per-table 20 --threads 1 --out .",
        older: &["", "empty samples_00000000_00000999.parquet"],
        files: &["samples_00000000_00000999.parquet"],
        every: 4,
    },
    Case {
        args: "batch plan.toml --threads 1",
        older: &["", "batch first.toml --threads 1"],
        files: &["batch.tsv", "journal.jsonl", "AsKd2c.nrs", "QsJh2h.nrs"],
        every: 8,
    },
];

/// A flop that is solved in milliseconds.
pub const FLOP: &str = "[ranges]\noop = 'AcAd'\nip = 'KcKh'\n[cards]\nflop = 'QsJh2h'\n[tree]\nstarting_pot = 100\neffective_stack = 10\n\
                    [bet_sizes.flop]\noop_bet = 'a'\n[solver]\nmax_iterations = 2\ntarget_exploitability_pct = 0\n";

/// Writes a checkpoint at each measurement.
const PLAN: &str =
    "[batch]\nspec = 'flop.toml'\nout = '.'\nflops = ['QsJh2h', 'AsKd2c']\ncheckpoint_every = 0.000001\n";

/// A session of UPI; one that cannot do what a line says answers with an error and goes on.
const DUMP: &str = "load_spec river.toml\nbuild_tree\ngo 3 steps\nwait_for_solver\ndump_tree dump.nrs\n";

/// A directory with specs and other inputs, and with a solution.
pub fn home() -> TempDir {
    let home = directory();
    let first = first_hand();
    // The same on another flop.
    let second = first.replace("#300000001", "#300000009").replace("[Qc 7d 2h", "[Qc 7d 3h");
    for (name, text) in [
        ("river.toml", RIVER),
        ("turn.toml", TURN),
        ("flop.toml", FLOP),
        ("plan.toml", PLAN),
        ("first.toml", &PLAN.replace(", 'AsKd2c'", "")),
        ("session.txt", SESSION),
        ("first.txt", &first),
        ("two.txt", &[first.as_str(), &second].concat()),
        ("own.toml", OWN_RANGES),
        ("dump.txt", DUMP),
    ] {
        std::fs::write(home.path().join(name), text).unwrap();
    }
    ok(run(home.path(), "solve river.toml --max-iterations 1 --out old.nrs", None));
    home
}

/// The same with what was there before a command.
pub fn home_with(older: &str) -> TempDir {
    let home = home();
    for args in older.split("; ").filter(|args| !args.is_empty()) {
        match args.strip_prefix("empty ") {
            Some(name) => std::fs::write(home.path().join(name), "").unwrap(),
            None => drop(ok(run(home.path(), args, None))),
        }
    }
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
        Some("json") => bytes.ends_with(b"}\n") && bytes.starts_with(b"{"),
        Some("parquet") => bytes.ends_with(b"PAR1") && bytes.starts_with(b"PAR1"),
        Some("html") => bytes.ends_with(b"</html>\n"),
        Some("svg") => bytes.ends_with(b"</svg>\n"),
        // What has become of jobs is told line by line, and lines that make no sense are passed over.
        _ => true,
    }
}

/// A command, and what it leaves when nothing fails.
struct Undisturbed<'a> {
    case: &'a Case,
    home: TempDir,
    /// Everything that was there before it.
    before: Files,
    operations: Vec<DiskOperation>,
    new: Files,
    /// Which of its files are the same in every run.
    same: Vec<&'static str>,
}

type Files = BTreeMap<String, Vec<u8>>;

/// How a command on a disk that fails has ended.
enum Ended {
    Done,
    Told,
    Killed,
}

impl<'a> Undisturbed<'a> {
    fn run(case: &'a Case, older: &str) -> Self {
        let home = home_with(older);
        let before = contents(home.path());
        let (operations, output) = operations(home.path(), case.args);
        assert!(operations.len() >= 5, "{}: {operations:?} {output:?}", case.args);
        let new = contents(home.path());
        let mut undisturbed = Self { case, home, before, operations, new, same: Vec::new() };
        undisturbed.put_back();
        ok(run(undisturbed.home.path(), case.args, None));
        let again = contents(undisturbed.home.path());
        undisturbed.same =
            case.files.iter().copied().filter(|name| again[*name] == undisturbed.new[*name]).collect();
        for name in case.files {
            assert!(undisturbed.is_new(name, &again[*name]), "{} {name}", case.args);
            // These have the time in them that it took.
            let varies = ["nrs", "nrc", "svg", "jsonl"].iter().any(|ending| name.ends_with(ending));
            assert!(varies || undisturbed.same.contains(name), "{} {name}", case.args);
        }
        assert!(
            older.is_empty() || case.files.iter().any(|name| undisturbed.replaces(name)),
            "{}",
            case.args
        );
        undisturbed
    }

    /// Puts the older files back into their places, and takes away those that the command has made.
    fn put_back(&self) {
        for name in self.case.files {
            let path = self.home.path().join(name);
            match self.before.get(*name) {
                Some(bytes) => std::fs::write(path, bytes).unwrap(),
                None => drop(std::fs::remove_file(path)),
            }
        }
    }

    /// Whether a file is what the command writes, whole.
    fn is_new(&self, name: &str, bytes: &[u8]) -> bool {
        is_whole(self.home.path(), name, bytes) && (!self.same.contains(&name) || bytes == self.new[name])
    }

    /// Whether an older file gives way to another.
    fn replaces(&self, name: &str) -> bool {
        self.before.get(name).is_some_and(|old| *old != self.new[name])
    }

    /// Runs the command on a disk on which an operation fails, and checks what it says and what is there.
    fn check(&self, at: usize, fault: DiskFault) -> Ended {
        self.put_back();
        let output = run(self.home.path(), self.case.args, Some((at, fault)));
        let now = contents(self.home.path());
        let said = [&output.stderr, &output.stdout].map(|text| String::from_utf8_lossy(text));
        let said = said.concat();
        let place = format!("{}: {fault:?} at {at}: {:?}: {said}", self.case.args, output.status);
        let left: Vec<&String> = now.keys().filter(|name| name.ends_with(".part")).collect();
        let ended = match output.status.code() {
            // Only parts may be left, which the next run removes.
            None if fault.kills() => Ended::Killed,
            // Not all that was asked for is there: the code says so, and why. A session of UPI says so where it answers.
            Some(1) => Ended::Told,
            Some(0) if said.contains("\nERROR: ") => Ended::Told,
            Some(0) => Ended::Done,
            code => panic!("{code:?}: {place}"),
        };
        assert!(!said.contains("panicked"), "{place}");
        if let Ended::Told = ended {
            assert!(said.contains("error: ") || said.contains("ERROR: "), "{place}");
            assert!(said.contains("the disk has failed") || said.contains("no storage space"), "{place}");
        }
        assert!(matches!(ended, Ended::Killed) || left.is_empty(), "{place}: {left:?}");
        for name in self.case.files {
            let (found, old) = (now.get(*name), self.before.get(*name));
            let is_done = matches!(ended, Ended::Done);
            // A manifest is written several times, each time whole.
            let is_between =
                |bytes| !is_done && name.ends_with(".tsv") && is_whole(self.home.path(), name, bytes);
            match found {
                Some(bytes) if Some(bytes) == old => {
                    assert!(!is_done || !self.replaces(name), "{place}: the old {name}");
                }
                Some(bytes) => assert!(self.is_new(name, bytes) || is_between(bytes), "{place}: {name}"),
                None => assert!(!is_done && old.is_none(), "{place}: no {name}"),
            }
        }
        for (name, bytes) in self.before.iter().filter(|(name, _)| !self.case.files.contains(&name.as_str()))
        {
            assert!(now.get(name) == Some(bytes), "{place}: {name}");
        }
        ended
    }

    /// The next run finds nothing in its way, and leaves nothing.
    fn check_next_run(&self) {
        let args = self.case.args;
        ok(run(self.home.path(), args, None));
        let now = contents(self.home.path());
        let is_left_over = |name: &String| name.ends_with(".part") || name.ends_with("h.nrc");
        assert!(!now.keys().any(is_left_over), "{args}: {:?}", now.keys());
        for name in self.case.files {
            assert!(self.is_new(name, &now[*name]), "{args}: {name}");
        }
    }
}

#[test]
fn whatever_operation_fails_the_old_or_the_new_file_is_there_whole() {
    let (mut failed, mut replacing, mut told, mut killed) = (0, 0, 0, 0);
    for case in &CASES {
        for older in case.older {
            let undisturbed = Undisturbed::run(case, older);
            let before = failed;
            for (number, fault) in DiskFault::ALL.into_iter().enumerate() {
                for (at, operation) in undisturbed.operations.iter().enumerate() {
                    if !fault.concerns(*operation) || !is_tried(at, number, case.every) {
                        continue;
                    }
                    failed += 1;
                    match undisturbed.check(at, fault) {
                        Ended::Done => {}
                        Ended::Told => told += 1,
                        Ended::Killed => killed += 1,
                    }
                }
            }
            undisturbed.check_next_run();
            let is_replacing = case.files.iter().any(|name| undisturbed.replaces(name));
            replacing += if is_replacing { failed - before } else { 0 };
        }
    }
    println!(
        "{failed} operations failed, {replacing} of them while an older file was replaced: {told} times an error was told, {killed} \
         times the command was killed"
    );
    assert!(told > 50 && killed > 50 && replacing > 100);
}
