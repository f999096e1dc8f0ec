//! Standard output that nobody reads to its end: no work is left undone, no file is lost.
#![cfg(unix)]

mod common;

use common::noregret::{command, noregret};
use common::{OWN_RANGES, RIVER, Run, SESSION, TURN, first_hand};
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;

/// Runs a command whose reader is gone before it begins.
fn unread(directory: &Path, args: &[&str]) -> Run {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    command(directory, args).stdout(writer).output().unwrap().into()
}

fn home(spec: &str) -> TempDir {
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("spot.toml"), spec).unwrap();
    home
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = directory
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_solve_saves_all_that_it_was_asked_to_save() {
    let home = home(TURN);
    let solve = ["solve", "spot.toml", "--target", "0", "--max-iterations", "20"];
    noregret(home.path(), &[&solve[..], &["--out", "read.nrs", "--checkpoint", "read.nrc"]].concat()).ok();
    for json in [[].as_slice(), &["--json"]] {
        let files = ["--out", "unread.nrs", "--checkpoint", "unread.nrc"];
        let run = unread(home.path(), &[&solve, &files[..], json].concat());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
        for ending in ["nrs", "nrc"] {
            let digest = |name: &str| {
                let resumed = [&solve, &["--json", "--resume", name][..]].concat();
                noregret(home.path(), &resumed).ok().json()["strategy_digest"].clone()
            };
            assert_eq!(digest(&format!("unread.{ending}")), digest(&format!("read.{ending}")));
            std::fs::remove_file(home.path().join(format!("unread.{ending}"))).unwrap();
        }
    }
    // One whose only product is what it prints is solved to its end as well.
    assert_eq!(unread(home.path(), &solve).code, Some(0));
}

#[test]
fn a_comparison_a_batch_and_a_run_of_tables_write_all_their_files() {
    let flop = RIVER.replace("turn = \"8c\"\nriver = \"3d\"\n", "");
    let home = home(&format!("{flop}[solver]\nmax_iterations = 2\n"));
    let run = unread(home.path(), &["compare", "spot.toml", "--max-iterations", "2", "--svg", "runs.svg"]);
    assert_eq!(
        (run.code, names(home.path())),
        (Some(0), vec!["runs.svg".to_owned(), "spot.toml".to_owned()])
    );

    let plan = "[batch]\nspec = 'spot.toml'\nout = 'solved'\nflops = ['QsJh2h', 'Ts9s2c', '7c7d2s']\n";
    std::fs::write(home.path().join("plan.toml"), plan).unwrap();
    let run = unread(home.path(), &["batch", "plan.toml", "--json"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let solved = names(&home.path().join("solved"));
    assert_eq!(solved.iter().filter(|name| name.ends_with(".nrs")).count(), 3, "{solved:?}");

    let tables =
        ["forty-two", "solve", "--seeds", "511..=519", "--decls", "sixes", "--json", "--out", "tables"];
    assert_eq!(unread(home.path(), &tables).code, Some(0));
    assert_eq!(names(&home.path().join("tables")).len(), 10);
}

/// Every file of a directory and what is in it.
fn contents(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    names(directory)
        .into_iter()
        .map(|name| (name.clone(), std::fs::read(directory.join(name)).unwrap()))
        .collect()
}

/// Runs a command twice, read and unread, each into a folder that `OUT` stands for: both end well and leave the same files, of which
/// some may have the time in them.
fn same_files(home: &Path, args: &str, count: usize, has_time: fn(&str) -> bool) {
    for folder in ["read", "unread"] {
        std::fs::create_dir(home.join(folder)).unwrap();
    }
    noregret(home, &args.replace("OUT", "read").split(' ').collect::<Vec<_>>()).ok();
    let run = unread(home, &args.replace("OUT", "unread").split(' ').collect::<Vec<_>>());
    assert_eq!(run.code, Some(0), "{args}: {run:?}");
    assert!(!run.stderr.contains("error"), "{args}: {run:?}");
    let [read, unread] = ["read", "unread"].map(|folder| contents(&home.join(folder)));
    assert_eq!(unread.keys().collect::<Vec<_>>(), read.keys().collect::<Vec<_>>(), "{args}");
    assert_eq!(unread.len(), count, "{args}: {:?}", unread.keys());
    for (name, bytes) in &unread {
        assert!(!bytes.is_empty() && (has_time(name) || *bytes == read[name]), "{args}: {name}");
    }
    for folder in ["read", "unread"] {
        std::fs::remove_dir_all(home.join(folder)).unwrap();
    }
}

#[test]
fn rows_and_samples_of_tables_are_all_written() {
    let home = TempDir::new().unwrap();
    let tables = ["forty-two", "solve", "--seeds", "511..=512", "--decls", "sixes", "--out", "tables"];
    noregret(home.path(), &tables).ok();
    for json in ["", " --json"] {
        let rows =
            "forty-two rows tables/seed_00000511_decl_6.n42 tables/seed_00000512_decl_6.n42 --layout to-go";
        same_files(home.path(), &format!("{rows} --out OUT{json}"), 3, |_| false);
        // A file for each thousand seeds.
        let samples = "forty-two sample --seeds 999..=1000 --decls sixes --per-table 20 --threads 1";
        same_files(home.path(), &format!("{samples} --out OUT{json}"), 2, |_| false);
    }
}

#[test]
fn reports_and_the_files_of_hands_are_all_written() {
    let home = home(RIVER);
    noregret(home.path(), &["solve", "spot.toml", "--out", "spot.nrs"]).ok();
    for ending in ["html", "csv", "json", "parquet"] {
        same_files(home.path(), &format!("report spot.nrs --out OUT/report.{ending}"), 1, |_| false);
    }
    for only_prints in ["report spot.nrs", "report spot.nrs --json"] {
        let run = unread(home.path(), &only_prints.split(' ').collect::<Vec<_>>());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    }
    std::fs::write(home.path().join("first.txt"), first_hand()).unwrap();
    std::fs::write(home.path().join("session.txt"), SESSION).unwrap();
    std::fs::write(home.path().join("own.toml"), OWN_RANGES).unwrap();
    for json in ["", " --json"] {
        let solve = "hands first.txt --ranges own.toml --solve --target 100 --threads 1 --out OUT";
        let has_time = |name: &str| name.ends_with(".nrs") || name.ends_with(".jsonl");
        let files = "--html OUT/hands.html --parquet OUT/hands.parquet";
        same_files(home.path(), &format!("{solve} {files}{json}"), 5, has_time);
        same_files(home.path(), &format!("hands session.txt {files}{json}"), 2, |_| false);
    }
}

#[test]
fn work_that_failed_is_told_by_the_exit_code_also_where_nobody_reads() {
    let home = home(RIVER);
    let path = home.path();
    std::fs::write(path.join("cut.txt"), first_hand().split("*** FLOP").next().unwrap()).unwrap();
    std::fs::write(path.join("own.toml"), OWN_RANGES).unwrap();
    std::fs::write(path.join("first.txt"), first_hand()).unwrap();
    let solve =
        ["hands", "first.txt", "--ranges", "own.toml", "--solve", "--target", "100", "--out", "solved"];
    noregret(path, &solve).ok();
    for name in names(&path.join("solved")).iter().filter(|name| name.ends_with(".nrs")) {
        std::fs::write(path.join("solved").join(name), "what a person wrote\n").unwrap();
    }
    noregret(path, &["forty-two", "solve", "--seeds", "511", "--decls", "sixes", "--out", "tables"]).ok();
    std::fs::remove_file(path.join("tables/seed_00000511_decl_6.n42")).unwrap();
    let read_back = ["hands", "first.txt", "--ranges", "own.toml", "--target", "100", "--out", "solved"];
    for args in [
        ["hands", "cut.txt"].as_slice(),
        &solve,
        &read_back,
        &["forty-two", "verify", "tables"],
        &["verify", "spot.toml"],
    ] {
        let read = noregret(path, args);
        assert_eq!(read.code, Some(1), "{read:?}");
        for json in [[].as_slice(), &["--json"]] {
            let run = unread(path, &[args, json].concat());
            assert_eq!((run.code, &run.stderr), (Some(1), &read.stderr), "{args:?} {json:?}");
        }
    }
}

#[test]
fn a_stream_that_was_cut_off_is_not_a_success() {
    let home = home(RIVER);
    noregret(home.path(), &["solve", "spot.toml", "--out", "spot.nrs"]).ok();
    let run = unread(home.path(), &["export", "spot.nrs", "--format", "csv", "--out", "-"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(run.stderr, "error: standard output was closed after a part of the rows\n");
}
