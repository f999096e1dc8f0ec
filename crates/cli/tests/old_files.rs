//! Files that an earlier build wrote: solutions say the same, and checkpoints continue to the same digest.

mod common;
#[cfg(all(unix, feature = "serve"))]
#[path = "../../serve/tests/common/http.rs"]
#[allow(dead_code, unreachable_pub)]
mod http;

use common::noregret::noregret;
use serde_json::Value;
use std::path::Path;

const OLD_FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/old_files");

/// The digest that the build which wrote the files reached after all iterations.
/// Where the checkpoint leads. It was 661145852cae478d045df5d41432ccfc before strategies were rounded evenly over time.
const DIGEST: &str = "b972b10042b328bf686e5f3900b37f8d";

/// Whether two answers are the same but for the last digits of numbers.
fn is_near(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= 1e-9 * a.abs().max(1.0)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_near(a, b))
        }
        // Fields may have been added since.
        (Value::Object(found), Value::Object(expected)) => {
            expected.iter().all(|(key, b)| found.get(key).is_some_and(|a| is_near(a, b)))
        }
        _ => a == b,
    }
}

#[test]
fn old_solutions_say_what_they_said() {
    let lines = [("", "root"), ("check, bet 50", "turn"), ("check, check, 2c, check", "river")];
    for file in ["full", "turn"] {
        for (line, name) in lines {
            let arguments = ["inspect", &format!("{file}.nrs"), "--line", line, "--json"];
            let found = noregret(Path::new(OLD_FILES), &arguments).ok().json();
            let expected = std::fs::read_to_string(format!("{OLD_FILES}/{file}-{name}.json")).unwrap();
            let expected: Value = serde_json::from_str(&expected).unwrap();
            assert!(is_near(&found, &expected), "{file} at {line:?}: {found}, not {expected}");
        }
    }
}

#[test]
fn an_old_checkpoint_continues_to_the_same_digest() {
    let home = tempfile::tempdir().unwrap();
    for file in ["spot.toml", "half.nrc"] {
        std::fs::copy(Path::new(OLD_FILES).join(file), home.path().join(file)).unwrap();
    }
    let answer = noregret(home.path(), &["solve", "spot.toml", "--resume", "half.nrc", "--json"]).ok().json();
    assert_eq!(answer["strategy_digest"], DIGEST);
    assert_eq!(answer["iterations"], 60);
}

#[test]
fn every_old_file_is_whole_to_its_last_number() {
    let verified = noregret(
        Path::new(OLD_FILES),
        &["verify", "full.nrs", "turn.nrs", "half.nrc", "seed_00000511_decl_6.n42"],
    );
    assert_eq!(verified.ok().stdout.lines().filter(|line| line.contains("whole")).count(), 4);
}

#[test]
fn an_old_run_of_tables_is_whole_and_goes_on() {
    let home = tempfile::tempdir().unwrap();
    for file in ["manifest.tsv", "seed_00000511_decl_6.n42"] {
        std::fs::copy(Path::new(OLD_FILES).join(file), home.path().join(file)).unwrap();
    }
    let verified = noregret(home.path(), &["forty-two", "verify", ".", "--json"]).ok().json();
    assert_eq!((&verified["checked"], &verified["missing"]), (&1.into(), &0.into()));
    let value =
        noregret(home.path(), &["forty-two", "value", "--table", "seed_00000511_decl_6.n42", "--json"]).ok();
    let now =
        noregret(home.path(), &["forty-two", "value", "--seed", "511", "--decl", "sixes", "--json"]).ok();
    assert_eq!(value.json()["moves"], now.json()["moves"]);
    let solve = ["forty-two", "solve", "--seeds", "511", "--decls", "sixes", "--out", ".", "--json"];
    assert_eq!(noregret(home.path(), &solve).ok().json()["skipped"], true);
}

/// A copy of a folder of old files, which may be written to.
fn copy_of(folder: &str) -> tempfile::TempDir {
    fn copy(from: &Path, to: &Path) {
        for entry in from.read_dir().unwrap().map(|entry| entry.unwrap()) {
            let place = to.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                std::fs::create_dir(&place).unwrap();
                copy(&entry.path(), &place);
            } else {
                std::fs::copy(entry.path(), place).unwrap();
            }
        }
    }
    let home = tempfile::tempdir().unwrap();
    copy(&Path::new(OLD_FILES).join(folder), home.path());
    home
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_old_batch_is_done_and_its_list_weighs_a_report() {
    let home = copy_of("batch");
    let status = lines(&noregret(home.path(), &["batch", "plan.toml", "--status", "--json"]).ok().stdout);
    assert_eq!(status.len(), 2);
    let journal = std::fs::read_to_string(home.path().join("journal.jsonl")).unwrap();
    for job in &status {
        assert_eq!(job["state"], "done", "{job}");
        // The journal says the same of it as the file.
        let told = lines(&journal)
            .into_iter()
            .find(|line| line["job"] == job["job"] && line["state"] == "done")
            .unwrap();
        for key in ["iterations", "exploitability_pct", "strategy_digest", "bytes"] {
            assert_eq!(told[key], job[key], "{job}");
        }
    }
    // Nothing is solved again.
    let ended = lines(&noregret(home.path(), &["batch", "plan.toml", "--json"]).ok().stdout);
    assert!(ended.iter().all(|job| job["skipped"] == true || job["state"] == "found"), "{ended:?}");
    assert_eq!(std::fs::read_to_string(home.path().join("journal.jsonl")).unwrap(), journal);
    let report = lines(&noregret(home.path(), &["report", ".", "--json"]).ok().stdout);
    let weight = |board: &str| report.iter().find(|row| row["board"] == board).unwrap()["weight"].as_f64();
    assert_eq!((weight("QsJh2h"), weight("AsKd2c"), weight("all")), (Some(12.0), Some(24.0), Some(36.0)));
}

#[test]
fn old_rows_and_samples_are_what_is_made_today() {
    let home = copy_of("samples");
    let name = "samples_00000000_00000999.parquet";
    let sample = |out: &str| {
        let args = [
            "forty-two",
            "sample",
            "--seeds",
            "511..=513",
            "--decls",
            "sixes",
            "--per-table",
            "20",
            "--decode",
            "--json",
        ];
        noregret(home.path(), &[&args[..], &["--out", out]].concat()).ok().json()
    };
    assert_eq!(sample(".")["skipped"], true);
    assert_eq!(sample("new")["rows"], 60);
    let bytes = |folder: &str| std::fs::read(home.path().join(folder).join(name)).unwrap();
    assert!(bytes(".") == bytes("new"), "other samples");
    // A file of rows is larger than a repository should have: its manifest says what was in it.
    let rows = copy_of("rows");
    let solve = [
        "forty-two",
        "solve",
        "--seeds",
        "511",
        "--decls",
        "sixes",
        "--format",
        "rows",
        "--layout",
        "to-go",
        "--out",
        ".",
    ];
    noregret(home.path(), &solve).ok();
    std::fs::copy(
        home.path().join("seed_00000511_decl_6.parquet"),
        rows.path().join("seed_00000511_decl_6.parquet"),
    )
    .unwrap();
    let verified = noregret(rows.path(), &["forty-two", "verify", ".", "--json"]).ok().json();
    assert_eq!((&verified["checked"], &verified["missing"]), (&1.into(), &0.into()));
}

#[test]
#[cfg(all(unix, feature = "serve"))]
fn an_old_library_is_served_and_its_solve_goes_on() {
    use http::{request, wait_for};
    let home = copy_of("library");
    let settings = noregret_serve::Settings::new(home.path().to_owned());
    let server = noregret_serve::Server::open(settings, 0, false).unwrap();
    let (address, stopper) = (server.address().unwrap(), server.stopper());
    let thread = std::thread::spawn(move || server.run());
    let get = |path: &str| request(address, "GET", path, None).json();
    let solves = get("/api/solves");
    let states: Vec<_> =
        solves.as_array().unwrap().iter().map(|solve| (&solve["id"], &solve["state"])).collect();
    assert_eq!(states, [(&"2".into(), &"interrupted".into()), (&"1".into(), &"done".into())]);
    assert_eq!(get("/api/ranges")[0]["text"], "AA,KK:0.5");
    assert_eq!(get("/api/solutions/deep%2Friver/node?line=check")["player"], "ip");
    let history = get("/api/solves/2")["history"].as_array().unwrap().len();
    assert!(history > 30);
    let more = serde_json::json!({"max_iterations": 60_400});
    assert_eq!(request(address, "POST", "/api/solves/2/resume", Some(&more)).status, 200);
    let done = wait_for(address, "2", &["done", "failed"]);
    assert_eq!((&done["state"], &done["iteration"]), (&"done".into(), &60_400.into()), "{done}");
    stopper.stop();
    thread.join().unwrap();
}

#[test]
fn a_version_that_cannot_be_read_says_which_program_can() {
    let home = tempfile::tempdir().unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let kinds = [
        ("spot.nrs", noregret_holdem::SOLUTION_KIND, 1),
        ("spot.nrc", noregret_holdem::CHECKPOINT_KIND, 5),
        ("seed_00000511_decl_6.n42", noregret_dominoes::TABLE_KIND, 1),
    ];
    for (name, kind, reads) in kinds {
        // What later releases write may be another: then this test and the fixtures get a version more.
        assert_eq!(kind.version, reads, "keep files of version {reads} in old_files, and read them");
        for (found, who) in [
            (reads + 1, "a later noregret wrote it and can read it"),
            (0, "an earlier noregret wrote it and can read it"),
        ] {
            let bytes =
                noregret_store::Container::encode(noregret_store::Kind { version: found, ..kind }, &[]);
            std::fs::write(home.path().join(name), bytes).unwrap();
            let run = noregret(home.path(), &["verify", name]);
            let said = format!("{}{}", run.stdout, run.stderr);
            let message = format!(
                "of version {found}, and this program, noregret {version}, reads version {reads}: {who}"
            );
            assert!(run.code == Some(1) && said.contains(&message), "{run:?}");
        }
    }
    std::fs::remove_file(home.path().join("seed_00000511_decl_6.n42")).unwrap();
    std::fs::write(home.path().join("manifest.tsv"), "# noregret manifest 3\n").unwrap();
    let run = noregret(home.path(), &["forty-two", "verify", "."]);
    assert!(run.code == Some(1), "{run:?}");
    assert!(
        format!("{}{}", run.stdout, run.stderr).contains("a later noregret wrote it and can read it"),
        "{run:?}"
    );
}
