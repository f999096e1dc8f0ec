//! Files that an earlier build wrote: solutions say the same, and checkpoints continue to the same digest.

mod common;
#[cfg(all(unix, feature = "serve"))]
#[path = "../../serve/tests/common/http.rs"]
#[allow(dead_code, unreachable_pub)]
mod http;

use common::noregret::noregret;
use noregret_holdem::{BranchPart, BranchSolver, MessageError, Spec, SpreadPlan, TrunkSolver};
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
#[cfg(all(unix, feature = "serve"))]
fn old_sessions_say_what_they_said_and_go_on() {
    use http::request;
    use serde_json::json;
    let home = copy_of("library");
    let settings = noregret_serve::Settings::new(home.path().to_owned());
    let server = noregret_serve::Server::open(settings, 0, false).unwrap();
    let (address, stopper) = (server.address().unwrap(), server.stopper());
    let thread = std::thread::spawn(move || server.run());
    let get = |path: &str| {
        let answer = request(address, "GET", path, None);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.json()
    };
    let solution = &get("/api/solutions")[0];
    assert_eq!(
        (&solution["tags"], &solution["note"], &solution["bookmarks"][0]["line"]),
        (&json!(["river", "study"]), &json!("look again"), &json!("check"))
    );

    let hands = get("/api/hands/1");
    let counts = ["hands", "left_out", "errors", "spots", "solved"].map(|key| hands["session"][key].as_u64());
    assert_eq!(counts, [4, 2, 0, 2, 0].map(Some), "{hands}");
    assert_eq!(
        (&hands["session"]["name"], &hands["session"]["rake"]),
        (&json!("four hands"), &json!("none"))
    );
    // Spots have the names of then: their solutions are found.
    let spots = [0, 3].map(|hand| get(&format!("/api/hands/1/hands/{hand}"))["spot"]["name"].clone());
    assert_eq!(spots, ["Qc7d2h-80c36725d8686aa6", "Kh8c3d-51f97b0bf2283cd4"]);

    let totals = &get("/api/drills")[0]["totals"];
    assert_eq!((&totals["decisions"], &get("/api/drills/review")["due"]), (&json!(3), &json!(2)));
    let answers = &get("/api/drills/1/answers")["answers"];
    assert_eq!((&answers[2]["action"], &answers[2]["verdict"]), (&json!("raise 225"), &json!("blunder")));
    // The same is asked next as then.
    let question = &get("/api/drills/1")["question"];
    assert_eq!(
        (&question["decision"], &question["hand"], &question["hole"]),
        (&json!(3), &json!(3), &json!("QdQc"))
    );
    let plays = &get("/api/forty-two/drills/1")["question"];
    assert_eq!((&plays["held"], &plays["legal"]), (&json!([13, 15, 19, 21, 24]), &json!([13, 24])));
    for (path, reply, count, after) in [
        ("/api/drills/1/answers", json!({"decision": 3, "action": "bet 90"}), "decisions", 4),
        ("/api/forty-two/drills/1/answers", json!({"decision": 2, "domino": 24}), "plays", 3),
    ] {
        let answer = request(address, "POST", path, Some(&reply));
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json()["session"]["totals"][count], after);
    }
    assert_eq!(request(address, "POST", "/api/drills/review", Some(&json!({}))).status, 201);
    stopper.stop();
    thread.join().unwrap();
}

/// The digest of the spread spot after all iterations.
const SPREAD_DIGEST: &str = "0aebb9e9de511c8df04e84f9bfb03622";

/// How many workers wrote the checkpoint; the parts of the driver and of the first worker are kept.
const SPREAD_WORKERS: usize = 12;

#[test]
fn an_old_checkpoint_of_many_workers_continues_to_the_same_digest() {
    let folder = Path::new(OLD_FILES).join("spread");
    let spec: Spec = std::fs::read_to_string(folder.join("spot.toml")).unwrap().parse().unwrap();
    let mut many = Spread::new(&spec);
    many.run_to(4);
    if std::env::var_os("NOREGRET_BLESS").is_some() {
        many.write_checkpoint(&folder);
    }
    // The mark names the parts, and says after which iteration they were written.
    let mark = std::fs::read(folder.join("spot.nrs.checkpoint-2.json")).unwrap();
    let mark: Value = serde_json::from_slice(&mark).unwrap();
    let names: Vec<&str> =
        mark["parts"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!((names.len(), &mark["iteration"]), (1 + SPREAD_WORKERS, &4.into()));
    let parts = [0, 1].map(|part| folder.join(names[part]));
    // The driver and the first worker are lost, and go on from what they wrote then; the others wrote the same today.
    let mut others = Spread::new(&spec);
    many.trunk = others.trunk;
    many.workers[0] = others.workers.swap_remove(0);
    many.trunk.restore(&parts).unwrap();
    many.workers[0].restore(&parts).unwrap();
    assert_eq!((many.trunk.iteration(), many.workers[0].iteration()), (4, 4));
    many.run_to(spec.solver.max_iterations);
    let mut exchange = exchange(&mut many.workers);
    assert_eq!(many.trunk.solution(&mut exchange).unwrap().summary.digest, SPREAD_DIGEST);
}

/// A spot in parts on one machine.
struct Spread {
    trunk: TrunkSolver,
    workers: Vec<BranchSolver>,
}

fn exchange(
    workers: &mut [BranchSolver],
) -> impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, MessageError> + use<'_> {
    |request| workers.iter_mut().map(|worker| worker.answer(request)).collect()
}

impl Spread {
    fn new(spec: &Spec) -> Self {
        let plan = SpreadPlan::new(spec.clone(), SPREAD_WORKERS).unwrap();
        let worker = |part: &BranchPart| BranchSolver::new(plan.spec.clone(), part.deals.clone()).unwrap();
        let workers: Vec<_> = plan.parts.iter().map(worker).collect();
        assert_eq!(workers.len(), SPREAD_WORKERS);
        Self { trunk: TrunkSolver::new(plan.spec.clone()).unwrap(), workers }
    }

    fn run_to(&mut self, iteration: u32) {
        while self.trunk.iteration() < iteration {
            self.trunk.advance(&mut exchange(&mut self.workers)).unwrap();
        }
    }

    /// Writes the old files, as a driver does.
    fn write_checkpoint(&self, folder: &Path) {
        let count = 1 + SPREAD_WORKERS;
        let names: Vec<String> =
            (0..count).map(|part| format!("spot.nrs.0a1b2c3d-4-{part}of{count}.nrp")).collect();
        self.trunk.save_checkpoint(&folder.join(&names[0])).unwrap();
        self.workers[0].save_checkpoint(&folder.join(&names[1])).unwrap();
        let mark = serde_json::json!({
            "version": 2, "run": "0a1b2c3d", "process": {"host": "worker-1", "pid": 4242, "machine": ""}, "iteration": 4,
            "parts": names, "costs": null,
        });
        std::fs::write(folder.join("spot.nrs.checkpoint-2.json"), mark.to_string()).unwrap();
    }
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
