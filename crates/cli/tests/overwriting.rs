//! Whatever a command is told to write, it destroys nothing: not what it reads, not what is something else.

mod common;

use common::noregret::noregret;
use common::{OWN_RANGES, RIVER, Run, first_hand};
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;

/// A way to read one file and write another: `IN` and `OUT` stand for their names.
struct Way {
    args: &'static str,
    /// A file that the command can read.
    input: &'static str,
    /// A file of the kind that it writes.
    output: &'static str,
}

/// Every option that names a file to write, with every option of the same command that names one to read.
const WAYS: [Way; 19] = [
    Way { args: "solve IN --max-iterations 3 --out OUT", input: "spot.toml", output: "spot.nrs" },
    Way { args: "solve IN --max-iterations 3 --checkpoint OUT", input: "spot.toml", output: "spot.nrc" },
    Way {
        args: "solve spot.toml --max-iterations 9 --resume IN --out OUT",
        input: "spot.nrc",
        output: "spot.nrs",
    },
    Way {
        args: "solve spot.toml --max-iterations 9 --resume IN --checkpoint OUT",
        input: "spot.nrs",
        output: "spot.nrc",
    },
    Way { args: "compare IN --max-iterations 3 --svg OUT", input: "spot.toml", output: "runs.svg" },
    Way { args: "export IN --format csv --out OUT", input: "spot.nrs", output: "rows.csv" },
    Way { args: "export IN --format json --out OUT", input: "spot.nrs", output: "rows.json" },
    Way { args: "export IN --format parquet --out OUT", input: "spot.nrs", output: "rows.parquet" },
    Way { args: "report IN --out OUT", input: "spot.nrs", output: "page.html" },
    Way { args: "report IN --out OUT", input: "spot.nrs", output: "report.csv" },
    Way { args: "report IN --out OUT", input: "spot.nrs", output: "report.json" },
    Way { args: "report IN --out OUT", input: "spot.nrs", output: "report.parquet" },
    Way { args: "hands IN --html OUT", input: "session.txt", output: "hands.html" },
    Way { args: "hands IN --parquet OUT", input: "session.txt", output: "hands.parquet" },
    Way { args: "hands session.txt --ranges IN --html OUT", input: "own.toml", output: "hands.html" },
    Way { args: "hands session.txt --ranges IN --parquet OUT", input: "own.toml", output: "hands.parquet" },
    // The same file is both, which is what --resume is for: it holds the same solve, further on.
    Way {
        args: "solve spot.toml --max-iterations 9 --resume IN --out OUT",
        input: "spot.nrs",
        output: "spot.nrs",
    },
    Way {
        args: "solve spot.toml --max-iterations 9 --resume IN --checkpoint OUT",
        input: "spot.nrc",
        output: "spot.nrc",
    },
    Way {
        args: "solve spot.toml --max-iterations 9 --resume IN --out OUT --save-regrets",
        input: "spot.nrs",
        output: "spot.nrs",
    },
];

impl Way {
    /// Whether its two files may be one.
    fn goes_on(&self) -> bool {
        self.input == self.output
    }

    fn run(&self, home: &Path, input: &str, output: &str, more: &str) -> Run {
        let args = format!("{} {more}", self.args);
        let args = args.split_whitespace().map(|word| match word {
            "IN" => input,
            "OUT" => output,
            word => word,
        });
        noregret(home, &args.collect::<Vec<_>>())
    }

    fn ending(&self) -> &str {
        self.output.rsplit('.').next().unwrap()
    }
}

/// Those that write a file other than the one that they read.
fn making() -> impl Iterator<Item = &'static Way> {
    WAYS.iter().filter(|way| !way.goes_on())
}

/// A directory with a file of every kind, in a directory of its own.
fn home() -> TempDir {
    let home = TempDir::new().unwrap();
    let dir = home.path().join("dir");
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("spot.toml"), RIVER).unwrap();
    std::fs::write(dir.join("notes.txt"), "what a person wrote\n").unwrap();
    noregret(
        &dir,
        &["solve", "spot.toml", "--max-iterations", "3", "--out", "spot.nrs", "--checkpoint", "spot.nrc"],
    )
    .ok();
    std::fs::write(dir.join("session.txt"), first_hand()).unwrap();
    std::fs::write(dir.join("own.toml"), OWN_RANGES).unwrap();
    for way in making().filter(|way| !way.args.starts_with("solve")) {
        way.run(&dir, way.input, way.output, "").ok();
    }
    home
}

/// Every file of a directory and what is in it.
fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = dir.read_dir().unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect()
}

fn refused(run: &Run, message: &str, way: &Way, names: (&str, &str)) {
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{} {names:?}: {run:?}", way.args);
    assert!(run.stderr.contains(message), "{} {names:?}: {run:?}", way.args);
}

#[test]
fn what_is_read_is_never_written_over_whatever_it_is_called() {
    let home = home();
    let dir = home.path().join("dir");
    #[cfg(unix)]
    for name in ["spot.toml", "spot.nrs", "spot.nrc", "session.txt", "own.toml"] {
        let link = dir.join(format!("link-to-{name}"));
        std::os::unix::fs::symlink(name, link).unwrap();
    }
    let before = contents(&dir);
    for way in making() {
        let name = way.input;
        let mut names =
            vec![name.to_owned(), format!("./../dir/{name}"), dir.join(name).display().to_string()];
        if cfg!(unix) {
            names.push(format!("link-to-{name}"));
        }
        for input in &names {
            for output in &names {
                let run = way.run(&dir, input, output, "");
                // Where the ending is wrong already, that is what is said.
                let says_ending = way.args.starts_with("report") || way.args.contains("--resume");
                let message = if says_ending { "OUT --" } else { "that is being read" };
                let message = message.replace("OUT", way.args.split(' ').nth_back(1).unwrap());
                let message = message.trim_end_matches(" --");
                refused(&run, message, way, (input, output));
                assert!(contents(&dir) == before, "{} {input} {output}", way.args);
            }
        }
    }
}

#[test]
fn a_file_that_a_solve_goes_on_from_may_be_the_one_that_it_writes() {
    let home = home();
    let dir = home.path().join("dir");
    let before = contents(&dir);
    for way in WAYS.iter().filter(|way| way.goes_on()) {
        way.run(&dir, way.input, &format!("../dir/{}", way.input), "").ok();
        noregret(&dir, &["solve", "spot.toml", "--max-iterations", "12", "--resume", way.input]).ok();
        std::fs::write(dir.join(way.input), &before[way.input]).unwrap();
    }
    // With other locks it is another solve.
    let locked = format!("{RIVER}[[locks]]\nline = ''\nstrategy = 'check'\n");
    std::fs::write(dir.join("spot.toml"), locked).unwrap();
    for way in WAYS.iter().filter(|way| way.goes_on()) {
        let run = way.run(&dir, way.input, way.output, "");
        refused(&run, "that is being read", way, (way.input, way.output));
        assert_eq!(contents(&dir)[way.input], before[way.input]);
    }
}

#[test]
fn a_file_of_another_kind_stays_whatever_its_name_unless_force_says_so() {
    let home = home();
    let dir = home.path().join("dir");
    let kinds: Vec<&str> =
        ["notes.txt", "spot.toml"].into_iter().chain(WAYS.iter().map(|way| way.output)).collect();
    let before = contents(&dir);
    for way in making() {
        for kind in &kinds {
            // Rows of an export and of a report are of one kind, and so are all Parquet files.
            let is_same = kind.rsplit('.').next() == Some(way.ending());
            let target = format!("target.{}", way.ending());
            std::fs::write(dir.join(&target), &before[*kind]).unwrap();
            let run = way.run(&dir, way.input, &target, "");
            if is_same {
                run.ok();
            } else {
                refused(&run, "and it would be lost: choose another name, or --force", way, (kind, &target));
                assert_eq!(std::fs::read(dir.join(&target)).unwrap(), before[*kind]);
                way.run(&dir, way.input, &target, "--force").ok();
            }
            let written = std::fs::read(dir.join(&target)).unwrap();
            assert_eq!(written[..4], before[way.output][..4], "{} {kind}", way.args);
            std::fs::remove_file(dir.join(&target)).unwrap();
            assert!(contents(&dir) == before, "{} {kind}", way.args);
        }
    }
}

#[test]
fn names_with_another_ending_are_refused_and_empty_files_are_not() {
    let home = home();
    let dir = home.path().join("dir");
    let before = contents(&dir);
    for way in making() {
        for name in ["new.txt", "new", "new.nrs.bak"] {
            let run = way.run(&dir, way.input, name, "");
            refused(&run, "end", way, (way.input, name));
            assert!(contents(&dir) == before, "{} {name}", way.args);
        }
        let empty = format!("empty.{}", way.ending());
        std::fs::write(dir.join(&empty), "").unwrap();
        way.run(&dir, way.input, &empty, "").ok();
        std::fs::remove_file(dir.join(&empty)).unwrap();
    }
    // A report's ending says what it is, so that no force can make it something else.
    for way in making().filter(|way| !way.args.starts_with("report")) {
        way.run(&dir, way.input, "forced", "--force").ok();
        assert_eq!(std::fs::read(dir.join("forced")).unwrap()[..4], before[way.output][..4]);
        std::fs::remove_file(dir.join("forced")).unwrap();
    }
}

#[test]
fn two_outputs_are_never_one_file() {
    let home = home();
    let dir = home.path().join("dir");
    for (out, checkpoint) in [("x.nrs", "x.nrs"), ("x.nrs", "../dir/x.nrs"), ("./x.nrs", "x.nrs")] {
        for force in ["", "--force"] {
            let args = format!("solve spot.toml --out {out} --checkpoint {checkpoint} {force}");
            let run = noregret(&dir, &args.split_whitespace().collect::<Vec<_>>());
            assert_eq!(run.code, Some(2), "{args}");
            assert!(run.stderr.contains("--out and --checkpoint are the same file"), "{run:?}");
        }
    }
}

#[test]
fn a_batch_writes_over_nothing_that_is_not_its_own() {
    let home = TempDir::new().unwrap();
    let spec = RIVER.replace("turn = \"8c\"\nriver = \"3d\"\n", "");
    std::fs::write(home.path().join("spot.toml"), spec).unwrap();
    let plan = "[batch]\nspec = 'spot.toml'\nout = '.'\nflops = ['QsJh2h']\n";
    let fails = |victim: &str, message: &str| {
        std::fs::write(home.path().join("plan.toml"), plan).unwrap();
        std::fs::write(home.path().join(victim), "what a person wrote\n").unwrap();
        let run = noregret(home.path(), &["batch", "plan.toml", "--threads", "1"]);
        assert_eq!(run.code, Some(1), "{victim}: {run:?}");
        assert!(run.stderr.contains(message), "{victim}: {run:?}");
        assert_eq!(std::fs::read_to_string(home.path().join(victim)).unwrap(), "what a person wrote\n");
        std::fs::remove_file(home.path().join(victim)).unwrap();
    };
    fails("journal.jsonl", "is not a journal of noregret: move it away");
    fails("batch.tsv", "is not a list of a batch: move it away");
    fails("QsJh2h.nrs", "not a solution file");
    fails("QsJh2h.nrc", "is not a checkpoint, and would be written over: move it away");
}

#[test]
fn hands_write_over_nothing_that_is_not_their_own() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let run = |args: &str| noregret(home.path(), &args.split_whitespace().collect::<Vec<_>>());
    let hand = first_hand();
    std::fs::write(at("session.txt"), &hand).unwrap();
    std::fs::write(at("own.toml"), OWN_RANGES).unwrap();
    for force in ["", "--force"] {
        let both = run(&format!("hands session.txt --html x.html --parquet ./x.html {force}"));
        assert_eq!(both.code, Some(2), "{both:?}");
        assert!(both.stderr.contains("--html and --parquet are the same file"), "{both:?}");
    }
    let listed = run("hands session.txt --ranges own.toml --target 100 --json").ok().stdout;
    let listed: serde_json::Value = serde_json::from_str(listed.lines().next().unwrap()).unwrap();
    let name = listed["spot"]["name"].as_str().unwrap();
    // Where the solutions go there are files of a person, which may be what is read as well.
    for (victim, message) in [
        ("journal.jsonl", "is not a journal of noregret: move it away"),
        ("batch.tsv", "is not a list of a batch: move it away"),
        (&format!("{name}.nrs"), "not a solution file"),
        (&format!("{name}.nrc"), "is not a checkpoint, and would be written over: move it away"),
    ] {
        for (files, text) in [
            ("session.txt --ranges own.toml", "what a person wrote\n"),
            (&format!("{victim} --ranges own.toml"), &hand),
            (&format!("session.txt --ranges {victim}"), OWN_RANGES),
        ] {
            std::fs::write(at(victim), text).unwrap();
            let run = run(&format!("hands {files} --solve --out . --target 100 --threads 1"));
            assert_eq!(run.code, Some(1), "{victim} {files}: {run:?}");
            assert!(run.stderr.contains(message), "{victim} {files}: {run:?}");
            assert_eq!(std::fs::read_to_string(at(victim)).unwrap(), text, "{victim} {files}");
            for left in home.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()) {
                let is_mine = left == "session.txt" || left == "own.toml";
                if !is_mine {
                    std::fs::remove_file(home.path().join(left)).unwrap();
                }
            }
        }
    }
    // A file in the place of the folder.
    let run = run("hands session.txt --ranges own.toml --solve --out session.txt --target 100 --threads 1");
    assert!(run.code == Some(1) && run.stderr.contains("session.txt"), "{run:?}");
    assert_eq!(std::fs::read_to_string(at("session.txt")).unwrap(), hand);
}

#[test]
fn pages_of_the_manual_are_written_over_nothing_else() {
    let home = TempDir::new().unwrap();
    let page = home.path().join("man1/noregret-solve.1");
    let write = |force: &[&str]| noregret(home.path(), &[&["man", "--out", "man1"], force].concat());
    write(&[]).ok();
    let written = std::fs::read(&page).unwrap();
    // Of this program, also of another version.
    std::fs::write(&page, [&written[..], b"more\n"].concat()).unwrap();
    write(&[]).ok();
    assert_eq!(std::fs::read(&page).unwrap(), written);
    let of_another = String::from_utf8(written.clone()).unwrap().replace(".TH noregret", ".TH another");
    for there in ["what a person wrote\n", &of_another] {
        std::fs::remove_file(home.path().join("man1/noregret.1")).unwrap();
        std::fs::write(&page, there).unwrap();
        let run = write(&[]);
        assert_eq!(run.code, Some(2), "{run:?}");
        let path = Path::new("man1").join("noregret-solve.1");
        let message = format!(
            "error: --out {}: there is a file that is not a page of this manual, and it would be lost: choose another name, or \
             --force\n",
            path.display()
        );
        assert_eq!(run.stderr, message);
        assert_eq!(std::fs::read_to_string(&page).unwrap(), there);
        // None is written where one cannot be.
        assert!(!home.path().join("man1/noregret.1").exists());
        write(&["--force"]).ok();
        assert_eq!(std::fs::read(&page).unwrap(), written);
    }
    let run = noregret(home.path(), &["man", "--force"]);
    assert!(run.code == Some(2) && run.stderr.contains("--out <DIR>"), "{run:?}");
}

#[test]
fn texas_42_writes_over_nothing_that_is_not_its_own() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let solve = ["forty-two", "solve", "--seeds", "511", "--decls", "sixes", "--out", "."];
    for (name, more, message) in [
        ("seed_00000511_decl_6.n42", [].as_slice(), "not a Texas 42 table file"),
        ("seed_00000511_decl_6.parquet", &["--format", "rows", "--layout", "to-go"], "not a Parquet file"),
    ] {
        std::fs::write(at(name), "what a person wrote\n").unwrap();
        let run = noregret(home.path(), &[&solve, more].concat());
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stderr.contains(message), "{run:?}");
        assert_eq!(std::fs::read_to_string(at(name)).unwrap(), "what a person wrote\n");
        std::fs::remove_file(at(name)).unwrap();
    }
    noregret(home.path(), &solve).ok();
    let table = std::fs::read(at("seed_00000511_decl_6.n42")).unwrap();
    samples_are_written_over_nothing(home.path(), &table);
    // A table under the name of its rows, and rows over a person's notes.
    std::fs::write(at("table.parquet"), &table).unwrap();
    let run = noregret(home.path(), &["forty-two", "rows", "table.parquet"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("that is being read"), "{run:?}");
    assert_eq!(std::fs::read(at("table.parquet")).unwrap(), table);
    std::fs::write(at("seed_00000511_decl_6.parquet"), "what a person wrote\n").unwrap();
    let run = noregret(home.path(), &["forty-two", "rows", "seed_00000511_decl_6.n42"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("there is a file that is not a Parquet file"), "{run:?}");
    assert_eq!(std::fs::read_to_string(at("seed_00000511_decl_6.parquet")).unwrap(), "what a person wrote\n");
}

/// Samples have a name of their own: over a person's notes, a table, rows and samples of another request nothing is written.
fn samples_are_written_over_nothing(home: &Path, table: &[u8]) {
    let name = "samples_00000000_00000999.parquet";
    let sample = |options: &str| {
        let args = format!("forty-two sample --seeds 511 --decls sixes --out . {options}");
        noregret(home, &args.split_whitespace().collect::<Vec<_>>())
    };
    std::fs::write(home.join(name), "").unwrap();
    sample("--per-table 20").ok();
    let samples = std::fs::read(home.join(name)).unwrap();
    noregret(home, &["forty-two", "rows", "seed_00000511_decl_6.n42", "--layout", "to-go"]).ok();
    let rows = std::fs::read(home.join("seed_00000511_decl_6.parquet")).unwrap();
    for (there, message) in [
        (b"what a person wrote\n".as_slice(), "there is a file that is not a Parquet file"),
        (table, "there is a file that is not a Parquet file"),
        (&rows, "it holds samples of another request"),
        (&samples, "it holds samples of another request"),
    ] {
        std::fs::write(home.join(name), there).unwrap();
        let run = sample("--per-table 21");
        assert!(run.code == Some(1) && run.stderr.contains(message), "{run:?}");
        assert!(std::fs::read(home.join(name)).unwrap() == there, "{message}");
    }
    std::fs::remove_file(home.join("seed_00000511_decl_6.parquet")).unwrap();
}
