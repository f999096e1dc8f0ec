//! Standard output that nobody reads to its end: no work is left undone, no file is lost.
#![cfg(unix)]

mod common;

use common::noregret::{command, noregret};
use common::{RIVER, Run, TURN};
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

#[test]
fn a_stream_that_was_cut_off_is_not_a_success() {
    let home = home(RIVER);
    noregret(home.path(), &["solve", "spot.toml", "--out", "spot.nrs"]).ok();
    let run = unread(home.path(), &["export", "spot.nrs", "--format", "csv", "--out", "-"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(run.stderr, "error: standard output was closed after a part of the rows\n");
}
