//! Texas 42 as data: look-ups, expectations, samples, and row files through kills and full disks.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const HAND: &str = "6-6 6-5 6-4 5-5 4-4 1-0 2-0";

fn noregret() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noregret"));
    command.arg("forty-two");
    command
}

fn run(args: &[&str]) -> Output {
    noregret().args(args).output().unwrap()
}

/// Runs with bytes on standard input.
fn ask(args: &[&str], input: &[u8]) -> Output {
    let mut child = noregret()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let bytes = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The program may end before it has read everything.
        let _ = stdin.write_all(&bytes);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(&run(args))).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The files below a directory, by their path from there.
fn contents(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.strip_prefix(directory).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

fn solve_small(directory: &Path) -> PathBuf {
    let output = run(&["solve", "--seeds", "511", "--decls", "sixes", "--out", text(directory)]);
    assert!(output.status.success(), "{}", stderr(&output));
    directory.join("seed_00000511_decl_6.n42")
}

#[test]
fn a_position_can_be_given_by_its_plays() {
    let start = json(&["value", "--seed", "0", "--decl", "blanks", "--json"]);
    let line = start["line"].as_array().unwrap();
    let plays: Vec<&str> = line[..6].iter().map(|play| play["domino"].as_str().unwrap()).collect();
    let plays = plays.join(" ");
    let after = json(&["value", "--seed", "0", "--decl", "blanks", "--json", "--plays", &plays]);
    assert_eq!(after["value"], start["value"], "best play keeps the value");
    assert_eq!(after["turn"], line[6]["seat"]);
    let state = after["state"].to_string();
    let same = json(&["value", "--seed", "0", "--decl", "blanks", "--json", "--state", &state]);
    assert_eq!(same, after);
    let wrong: [(&str, &str); 4] = [
        ("5-2 1-1", "play 2: seat 1 can follow suit, so it may not play 1-1"),
        ("6-6", "play 1: seat 0 does not hold 6-6"),
        ("5-2 5-9", "play 2: `5-9` is not a domino"),
        ("5-2 5-2", "play 2: 5-2 was played before"),
    ];
    for (plays, message) in wrong {
        let output = run(&["value", "--seed", "0", "--decl", "blanks", "--plays", plays]);
        assert_eq!(output.status.code(), Some(2), "{plays}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn query_answers_text_and_bytes_alike_and_names_the_line_that_is_wrong() {
    let directory = tempfile::tempdir().unwrap();
    let table = solve_small(directory.path());
    let start = json(&["value", "--table", text(&table), "--layout", "to-go", "--json"]);
    let next = json(&[
        "value",
        "--table",
        text(&table),
        "--layout",
        "to-go",
        "--json",
        "--plays",
        start["line"][0]["domino"].as_str().unwrap(),
    ]);
    let states = [&start, &next].map(|answer| answer["state"].as_i64().unwrap());
    let question = format!("{}\n{}\n", states[0], states[1]);
    let answers = stdout(&ask(&["query", text(&table)], question.as_bytes()));
    for (line, answer) in answers.lines().zip([&start, &next]) {
        let numbers: Vec<i64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
        assert_eq!(numbers[0], answer["value"].as_i64().unwrap());
        let moves = answer["moves"].as_array().unwrap();
        for (local, &number) in numbers[1..].iter().enumerate() {
            let value =
                moves.iter().find(|play| play["move"] == local).map(|play| play["value"].as_i64().unwrap());
            assert_eq!(number, value.unwrap_or(-128));
        }
    }
    let bytes: Vec<u8> = states.iter().flat_map(|state| state.to_le_bytes()).collect();
    let binary = ask(&["query", text(&table), "--binary"], &bytes);
    let read: Vec<String> = binary
        .stdout
        .chunks(8)
        .map(|row| row.iter().map(|&byte| (byte as i8).to_string()).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(read, answers.lines().collect::<Vec<_>>());

    // Two tables: their numbers go before the states.
    let both = format!("1 {}\n0 {}\n", states[0], states[0]);
    let twice = stdout(&ask(&["query", text(&table), text(&table)], both.as_bytes()));
    assert_eq!(twice.lines().next(), answers.lines().next());

    let half = ask(&["query", text(&table)], format!("{}\nx\n", states[0]).as_bytes());
    assert_eq!(String::from_utf8_lossy(&half.stdout).lines().next(), answers.lines().next());
    assert!(stderr(&half).contains("line 2: `x` is not a state"), "{}", stderr(&half));

    let long = [b'1'; 200];
    let wrong: [(&[&str], &[u8], &str); 6] = [
        (&[], &long, "line 1: it is longer than 128 bytes"),
        (&[], b"12\n", "line 1: state 12 is not consistent"),
        (&[], b"1 2 3\n", "line 1: `1 2 3` is not a state"),
        (&["--binary"], b"12345", "question 1: it ends after 5 of its 8 bytes"),
        (&[text(&table)], b"2 77\n", "line 1: there is no table 2: 2 are open, numbered from 0"),
        (&[text(&table)], b"77\n", "line 1: `77` is not the number of a table and a state"),
    ];
    for (more, input, message) in wrong {
        let output = ask(&[&["query", text(&table)], more].concat(), input);
        assert_eq!(output.status.code(), Some(2), "{message}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{message}: {}", stderr(&output));
    }
}

#[test]
fn query_answers_a_line_before_the_next_is_asked() {
    use std::io::{BufRead, BufReader};
    let directory = tempfile::tempdir().unwrap();
    let table = solve_small(directory.path());
    let start = json(&["value", "--table", text(&table), "--layout", "to-go", "--json"]);
    let state = start["state"].as_i64().unwrap();
    let mut child = noregret()
        .args(["query", text(&table)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut asks, mut answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut first = String::new();
    // The end of the second line is written with the third question: what is whole is answered, and no more.
    for question in
        [format!("{state}\n"), format!("{state}\n{}", state / 1000), format!("{:03}\n", state % 1000)]
    {
        asks.write_all(question.as_bytes()).unwrap();
        asks.flush().unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        first = if first.is_empty() { answer.clone() } else { first };
        assert!(!answer.is_empty() && answer == first, "{answer}");
    }
    drop(asks);
    assert!(child.wait().unwrap().success());
}

#[test]
fn expect_answers_in_words_and_json_the_same_for_any_number_of_threads() {
    let plays = "6-6 6-3 6-2 6-1 6-5 6-0 1-1 2-1 6-4 3-0 4-2 5-0";
    let args = ["expect", "--hand", HAND, "--decl", "sixes", "--plays", plays, "--worlds", "200"];
    let with_threads = |threads: &str| {
        let output =
            noregret().args([&args[..], &["--json"]].concat()).env("RAYON_NUM_THREADS", threads).output();
        serde_json::from_str::<Value>(&stdout(&output.unwrap())).unwrap()
    };
    let answer = with_threads("1");
    assert_eq!(with_threads("3"), answer);
    assert_eq!(
        (&answer["worlds"], &answer["exact"], &answer["seat"]),
        (&200.into(), &false.into(), &0.into())
    );
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    assert_eq!(moves[0]["points"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), 200);
    let said = stdout(&run(&args));
    assert!(said.contains("200 deals drawn from the") && said.contains("makes 30"), "{said}");

    // Late in a deal every world is counted.
    let late = "6-6 6-3 6-2 6-1 6-5 6-0 1-1 2-1 6-4 3-0 4-2 5-0 5-5 5-4 5-3 5-2 4-4 4-3 4-1 3-3";
    let answer = json(&["expect", "--hand", HAND, "--decl", "sixes", "--plays", late, "--json"]);
    assert_eq!(answer["exact"], true);
    assert_eq!(answer["moves"][0]["standard_error"], 0.0);
    assert_eq!(answer["worlds"], answer["possible"]);
}

#[test]
fn samples_are_the_same_bytes_again_in_their_folders_and_read_back() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let args = [
        "sample",
        "--seeds",
        "511,948..=951",
        "--decls",
        "sixes",
        "--per-table",
        "40",
        "--balance",
        "level",
        "--opponents",
        "2",
        "--split",
        "--decode",
        "--out",
    ];
    stdout(&run(&[&args[..], &[text(one.path()), "--threads", "1"]].concat()));
    stdout(&run(&[&args[..], &[text(other.path()), "--threads", "3"]].concat()));
    let files = contents(one.path());
    assert_eq!(files, contents(other.path()));
    let names: Vec<&str> = files.keys().map(|path| path.to_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "test/samples_00000000_00000999.parquet",
            "train/samples_00000000_00000999.parquet",
            "val/samples_00000000_00000999.parquet",
        ]
    );
    let again = stdout(&run(&[&args[..], &[text(one.path())]].concat()));
    assert_eq!(again.matches("was there").count(), 3, "{again}");
    assert_eq!(contents(one.path()), files);
    let mut different = args;
    different[6] = "41";
    let refused = run(&[&different[..], &[text(one.path())]].concat());
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("it holds samples of another request"), "{}", stderr(&refused));

    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/dominoes-venv/bin/python");
    assert!(python.exists(), "run scripts/setup-dominoes-tests first");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/read_samples.py");
    let output = Command::new(python).args([script, text(one.path())]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn samples_of_more_seeds_keep_the_files_that_are_there() {
    let directory = tempfile::tempdir().unwrap();
    let sample = |seeds: &str| {
        let args = ["sample", "--decls", "sixes", "--per-table", "20", "--out", text(directory.path())];
        stdout(&run(&[&args[..], &["--seeds", seeds]].concat()))
    };
    assert!(sample("998..1000").contains("40 positions of 2 tables"));
    let more = sample("998..=1001");
    assert!(more.lines().next().unwrap().ends_with(" was there"), "{more}");
    assert!(
        more.lines().nth(1).unwrap().contains("samples_00001000_00001999.parquet  40 positions"),
        "{more}"
    );
}

#[test]
fn a_reader_that_goes_away_does_not_end_the_making_of_files() {
    let commands: [(&[&str], usize); 2] = [
        (&["solve", "--seeds", "511..=513", "--decls", "6", "--json", "--out"], 4),
        (&["sample", "--seeds", "999..=1000,2000", "--decls", "6", "--per-table", "5", "--json", "--out"], 3),
    ];
    for (args, files) in commands {
        let directory = tempfile::tempdir().unwrap();
        let mut child = noregret()
            .args([args, &[text(directory.path())]].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{args:?}");
        assert_eq!(contents(directory.path()).len(), files, "{args:?}");
    }
    // A full standard output is told of, after the files are made.
    let directory = tempfile::tempdir().unwrap();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let args = ["solve", "--seeds", "511..=512", "--decls", "6", "--json", "--out", text(directory.path())];
    let output = noregret().args(args).stdout(full).output().unwrap();
    assert_eq!((output.status.code(), contents(directory.path()).len()), (Some(1), 3));
    assert!(stderr(&output).contains("error: cannot write to standard output"), "{}", stderr(&output));
}

#[test]
fn wrong_requests_end_with_code_2_and_say_why() {
    let directory = tempfile::tempdir().unwrap();
    let out = text(directory.path());
    let sample = ["sample", "--seeds", "1", "--decls", "0", "--per-table", "5", "--out", out];
    let expect = ["expect", "--decl", "sixes", "--hand"];
    let wrong: [(&[&str], &[&str], &str); 12] = [
        (
            &sample,
            &["--levels", "8"],
            "level 8 is out of range: a level is the number of tricks left, 1 to 7",
        ),
        (&sample, &["--levels", "0..3"], "level 0 is out of range"),
        (&sample, &["--opponents", "0"], "0 is not in 1..=1000000"),
        (&sample, &["--balance", "score"], "invalid value 'score'"),
        (&sample, &["--shard", "3/2"], "`3/2` is not a shard"),
        (&expect, &["6-6 6-5 6-4 5-5 4-4 1-0"], "the hand has 6 dominoes: give all 7 that were dealt"),
        (&expect, &["6-6 6-5 6-4 5-5 4-4 1-0 7-0"], "`7-0` is not a domino"),
        (&expect, &[HAND, "--plays", "6-6 1-1 6-1 6-0 6-5 6-2 2-2 3-3"], "play 6: seat 1 cannot hold 6-2"),
        (&expect, &[HAND, "--plays", "6-6 1-1 2-2 3-3"], "no deal agrees with these plays"),
        (&expect, &[HAND, "--plays", "6-6 6-5 6-1 6-0"], "play 2: seat 1 cannot play 6-5: it is in the hand"),
        (&expect, &[HAND, "--error", "0"], "must be a number from 0.01 to 42"),
        (&expect, &[HAND, "--bid", "29"], "29 is not in 30..=42"),
    ];
    for (args, more, message) in wrong {
        let output = run(&[args, more].concat());
        assert_eq!(output.status.code(), Some(2), "{more:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{more:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{more:?}");
    }
    assert!(contents(directory.path()).is_empty());
}

/// Starts a command many times and kills it after a while, then lets it end; the files are those of an unkilled run.
/// `NOREGRET_KILLS` says how many times, if not 50.
fn kill_many_times(args: &[&str]) {
    let kills = std::env::var("NOREGRET_KILLS").map_or(50, |kills| kills.parse().unwrap());
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    stdout(&run(&[args, &[text(whole.path())]].concat()));
    for attempt in 0..kills {
        let mut child = noregret()
            .args([args, &[text(killed.path())]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Any moment will do: these are spread over the start, the work and the writing.
        std::thread::sleep(Duration::from_millis(3 + attempt * attempt * 37 % 400));
        child.kill().unwrap();
        child.wait().unwrap();
        let names = contents(killed.path());
        // What is there under its own name is whole.
        for (name, bytes) in names.iter().filter(|(name, _)| name.extension().is_some_and(|e| e == "parquet"))
        {
            assert_eq!(Some(bytes), contents(whole.path()).get(name).as_ref().copied(), "{}", name.display());
        }
    }
    stdout(&run(&[args, &[text(killed.path())]].concat()));
    assert_eq!(contents(killed.path()), contents(whole.path()));
}

#[test]
fn rows_killed_many_times_end_with_the_same_files() {
    let args =
        ["solve", "--seeds", "511", "--decls", "6,9", "--format", "rows", "--layout", "to-go", "--out"];
    kill_many_times(&args);
}

#[test]
fn samples_killed_many_times_end_with_the_same_files() {
    let args = ["sample", "--seeds", "511..=514", "--decls", "6,9", "--per-table", "500", "--split", "--out"];
    kill_many_times(&args);
}

#[test]
fn a_full_disk_stops_rows_and_samples_clearly_and_leaves_nothing_behind() {
    let commands = [
        "solve --seeds 511 --decls 6 --format rows --layout to-go",
        "sample --seeds 511 --decls 6 --per-table 200000",
    ];
    for command in commands {
        let directory = tempfile::tempdir().unwrap();
        let out = text(directory.path());
        let bin = env!("CARGO_BIN_EXE_noregret");
        // A small file system of its own, where that is allowed; else a limit on the size of files.
        let full = format!(
            "mount -t tmpfs -o size=256k tmpfs {out} && cd {out} && {bin} forty-two {command} --out . ; \
             echo code $? >&2; ls -A >&2"
        );
        let probe = Command::new("unshare").args(["-rm", "true"]).status();
        let output = if probe.is_ok_and(|status| status.success()) {
            Command::new("unshare").args(["-rm", "sh", "-c", &full]).output().unwrap()
        } else {
            let mount = format!("mount -t tmpfs -o size=256k tmpfs {out}");
            let limited = full.replace(&mount, "trap '' XFSZ; ulimit -f 200");
            Command::new("sh").args(["-c", &limited]).output().unwrap()
        };
        let said = stderr(&output);
        assert!(said.contains("error: cannot write ./s"), "{said}");
        let (_, left) = said.split_once("code 1\n").unwrap_or_else(|| panic!("{said}"));
        assert!(!left.contains("parquet") && !left.contains(".part"), "{said}");
    }
}

#[test]
fn a_run_logs_each_phase_and_what_it_skips() {
    let directory = tempfile::tempdir().unwrap();
    let out = text(directory.path());
    let first = stderr(&run(&["solve", "--seeds", "511..=512", "--decls", "6", "--out", out]));
    for phase in ["setup | ", "enumerate | ", "solve | ", "write | ", "DONE | "] {
        assert!(first.contains(&format!(" | seed=511 decl=6 | {phase}")), "{first}");
    }
    assert!(first.contains("s | states=2,922,723\n") && first.contains(" | root=+"), "{first}");
    let second = stderr(&run(&["solve", "--seeds", "511..=513", "--decls", "6", "--out", out]));
    assert_eq!(second.matches("Skipping seed=511..512 (already exist)").count(), 1, "{second}");
    let rows = tempfile::tempdir().unwrap();
    let args = ["solve", "--seeds", "511", "--decls", "6", "--format", "rows", "--layout", "to-go", "--out"];
    let logged = stderr(&run(&[&args[..], &[text(rows.path())]].concat()));
    assert!(
        logged.contains("s | states=2,922,723\n") && logged.contains("s | rows=2,922,723 | "),
        "{logged}"
    );
}

#[test]
fn opponents_and_splits_have_files_and_folders_of_their_own() {
    let directory = tempfile::tempdir().unwrap();
    let out = text(directory.path());
    let args =
        ["solve", "--seeds", "511,949,999", "--decls", "6", "--opponents", "2", "--split", "--out", out];
    stdout(&run(&args));
    let files = contents(directory.path());
    for name in [
        "train/seed_00000511_opp0_decl_6.n42",
        "train/seed_00000511_opp1_decl_6.n42",
        "val/seed_00000949_opp1_decl_6.n42",
        "test/seed_00000999_opp0_decl_6.n42",
        "test/manifest.tsv",
    ] {
        assert!(files.contains_key(Path::new(name)), "{name}: {:?}", files.keys());
    }
    let verified = json(&["verify", "--json", out]);
    assert_eq!((&verified["checked"], &verified["manifests"]), (&6.into(), &3.into()));
    stdout(&run(&args));
    assert_eq!(contents(directory.path()), files);
    let rows = tempfile::tempdir().unwrap();
    let table = directory.path().join("val/seed_00000949_opp1_decl_6.n42");
    stdout(&run(&["rows", text(&table), "--layout", "to-go", "--split", "--out", text(rows.path())]));
    let made = contents(rows.path());
    assert!(made.contains_key(Path::new("val/seed_00000949_opp1_decl_6.parquet")), "{:?}", made.keys());
    let unnamed = rows.path().join("x.n42");
    fs::copy(&table, &unnamed).unwrap();
    let refused = run(&["rows", text(&unnamed), "--split", "--out", text(rows.path())]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("--split goes by the seed in a table's name"), "{}", stderr(&refused));
    let base = json(&["value", "--seed", "511", "--decl", "6", "--json"]);
    let table = directory.path().join("train/seed_00000511_opp1_decl_6.n42");
    let opponents = json(&["value", "--table", text(&table), "--json"]);
    let first = |deal: &Value| deal["deal"].as_str().unwrap().split(" | ").next().unwrap().to_owned();
    assert_eq!(first(&opponents), first(&base));
    assert_ne!(opponents["deal"], base["deal"]);
}
