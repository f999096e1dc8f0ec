//! `noregret batch` and `noregret report`: many flops, killed and restarted, and what they come to.

mod common;

use common::Run;
use common::noregret::{command, noregret};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

const SPEC: &str = r#"[ranges]
oop = "99,AKs:0.5"
ip = "88,AQs"

[cards]
flop = "2c3d4h"

[tree]
starting_pot = 20
effective_stack = 30

[bet_sizes.flop]
oop_bet = "a"
oop_raise = ""
ip_bet = "a"
ip_raise = ""

[bet_sizes.turn]
oop_bet = ""
oop_raise = ""
ip_bet = ""
ip_raise = ""

[bet_sizes.river]
oop_bet = ""
oop_raise = ""
ip_bet = ""
ip_raise = ""

[solver]
max_iterations = 3
target_exploitability_pct = 0.05
"#;

const FLOPS: [&str; 20] = [
    "AsKd2c", "AsKs2s", "QsJh2h", "QsJhTd", "9s8h2c", "9s9h2c", "KsKhKd", "Ts7h3d", "7s6h5d", "7s6s5h",
    "JsTs9s", "2s2h3d", "AsAh9d", "8s5h2d", "Qs8h3h", "Ks7s2h", "Js4h4d", "6s4h2c", "Ts9h4h", "5s3h2d:7",
];

fn home(batch: &str) -> TempDir {
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("spot.toml"), SPEC).unwrap();
    let plan = format!("[batch]\nspec = \"spot.toml\"\nout = \"solved\"\n{batch}\n");
    std::fs::write(home.path().join("plan.toml"), plan).unwrap();
    home
}

fn list(flops: &[&str]) -> String {
    format!("flops = {flops:?}")
}

fn lines(run: &Run) -> Vec<Value> {
    run.stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {run:?}")))
        .collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// When each solution was written, by name.
fn written(home: &Path) -> HashMap<String, SystemTime> {
    let Ok(entries) = home.join("solved").read_dir() else { return HashMap::new() };
    let files =
        entries.map(Result::unwrap).filter(|file| file.path().extension().is_some_and(|end| end == "nrs"));
    files
        .map(|file| (file.file_name().into_string().unwrap(), file.metadata().unwrap().modified().unwrap()))
        .collect()
}

fn digests(home: &Path) -> HashMap<String, String> {
    let status = noregret(home, &["batch", "plan.toml", "--status", "--json"]).ok();
    let digest = |job: &Value| (job["job"].to_string(), job["strategy_digest"].as_str().unwrap().to_owned());
    lines(&status).iter().map(digest).collect()
}

#[test]
fn twenty_flops_killed_and_restarted_are_each_solved_once_and_averaged_as_by_hand() {
    let home = home(&list(&FLOPS));
    let mut before = HashMap::new();
    let mut solved: HashMap<String, u32> = HashMap::new();
    let mut kills = 0;
    for attempt in 0..200 {
        let mut child =
            command(home.path(), &["batch", "plan.toml", "--json", "--threads", "2"]).spawn().unwrap();
        // Later and later, so that every moment of a job comes up and there is an end to it.
        std::thread::sleep(Duration::from_millis(20 + 20 * attempt));
        let killed = child.try_wait().unwrap().is_none();
        if killed {
            child.kill().unwrap();
            kills += 1;
        }
        let output = child.wait_with_output().unwrap();
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
            if line["skipped"] == false {
                *solved.entry(line["job"].as_str().unwrap().to_owned()).or_default() += 1;
            }
        }
        let after = written(home.path());
        for (name, time) in &before {
            assert_eq!(after.get(name), Some(time), "{name} was written again");
        }
        before = after;
        if !killed {
            break;
        }
    }
    assert!(kills > 3, "{kills}");
    assert_eq!(before.len(), FLOPS.len());
    assert!(solved.values().all(|&times| times == 1), "{solved:?}");
    let again = noregret(home.path(), &["batch", "plan.toml", "--json"]).ok();
    assert!(lines(&again).len() == FLOPS.len() && lines(&again).iter().all(|job| job["skipped"] == true));
    assert!(again.stderr.contains("0 solved, 20 were there, 0 failed"), "{again:?}");
    let names: Vec<String> = home
        .path()
        .join("solved")
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(names.iter().all(|name| !name.ends_with(".part") && !name.ends_with(".nrc")), "{names:?}");

    // A run that nobody killed leads to the same solutions.
    let calm = self::home(&list(&FLOPS));
    noregret(calm.path(), &["batch", "plan.toml"]).ok();
    assert_eq!(digests(home.path()), digests(calm.path()));

    for line in ["", "check"] {
        check_average(home.path(), line);
    }
    check_page(home.path());
}

/// Compares a report with the means over what each file says on its own.
fn check_average(home: &Path, line: &str) {
    let report = noregret(home, &["report", "solved", "--line", line, "--json"]).ok();
    let rows = lines(&report);
    assert_eq!(rows.len(), FLOPS.len() + 1);
    let all = rows.last().unwrap();
    assert_eq!(all["board"], "all");
    let (mut total, mut flops) = (0.0, 0.0);
    let mut sums: HashMap<String, (f64, f64)> = HashMap::new();
    for (flop, weight) in
        FLOPS.map(|flop| flop.split_once(':').map_or((flop, None), |(f, w)| (f, w.parse().ok())))
    {
        let point =
            noregret(home, &["inspect", &format!("solved/{flop}.nrs"), "--line", line, "--json"]).ok().json();
        let weight = weight.unwrap_or_else(|| orbit(flop));
        let often = weight * number(&point["matchups"]);
        total += often;
        flops += weight;
        let mut add = |key: String, often: f64, value: f64| {
            let sum = sums.entry(key).or_default();
            *sum = (sum.0 + often * value, sum.1 + often);
        };
        for player in ["oop", "ip"] {
            for key in ["ev", "equity"] {
                add(format!("{player}_{key}"), often, number(&point["players"][player][key]));
            }
        }
        for action in point["actions"].as_array().unwrap() {
            let name = match action["amount"].as_u64().unwrap() {
                0 => action["action"].as_str().unwrap().to_owned(),
                amount => format!("{} {amount}", action["action"].as_str().unwrap()),
            };
            let frequency = number(&action["frequency"]);
            add(format!("{name}: frequency"), often, frequency);
            if let Some(ev) = action["ev"].as_f64() {
                add(format!("{name}: ev"), often * frequency, ev);
            }
        }
    }
    assert!(close(number(&all["weight"]), flops) && close(number(&all["matchups"]), total), "{all}");
    for (key, (sum, weight)) in sums {
        assert!(
            close(number(&all[&key]), sum / weight),
            "{line}, {key}: {} instead of {}",
            all[&key],
            sum / weight
        );
    }
    let eqr = number(&all["oop_ev"]) / (number(&all["oop_equity"]) * number(&all["pot"]));
    assert!((number(&all["oop_eqr"]) - eqr).abs() < 1e-9, "{all}");
}

/// How many flops there are with the suits of this one renamed.
fn orbit(flop: &str) -> f64 {
    let letters: Vec<char> = flop.chars().collect();
    let count =
        |from: usize| letters.iter().skip(from).step_by(2).collect::<std::collections::HashSet<_>>().len();
    match (count(0), count(1)) {
        (1, _) | (_, 1) => 4.0,
        (3, 3) => 24.0,
        _ => 12.0,
    }
}

/// Opens the page of the batch in a real browser.
fn check_page(home: &Path) {
    for (args, boards) in [
        (
            &[
                "report",
                "solved",
                "--line",
                "check",
                "--out",
                "page.html",
                "--title",
                "Twenty <flops> & more",
            ][..],
            20,
        ),
        (&["report", "solved/QsJh2h.nrs", "--line", "check, check", "--runouts", "--out", "page.html"], 49),
    ] {
        noregret(home, args).ok();
        let page = std::fs::read_to_string(home.join("page.html")).unwrap();
        assert!(!page.contains("{{") && page.len() < 2_000_000);
        let seen = browse(&home.join("page.html"));
        assert_eq!(seen["errors"], serde_json::json!([]), "{seen}");
        assert_eq!(seen["requests"], serde_json::json!([]), "{seen}");
        assert_eq!(
            (&seen["drawn"], &seen["rows"], &seen["dots"]),
            (&boards.to_string().into(), &boards.into(), &boards.into())
        );
        assert_eq!(seen["columns"], boards, "{seen}");
        assert!(seen["bars"].as_u64().unwrap() >= boards, "{seen}");
        assert_eq!(seen["sorted"], true, "{seen}");
        assert_eq!(seen["found"], 1, "{seen}");
        assert_ne!(seen["light"], seen["dark"], "{seen}");
    }
}

fn browse(page: &Path) -> Value {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/report-tests/node_modules");
    assert!(tools.exists(), "run scripts/setup-report-tests first");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/open_page.cjs");
    let mut node = std::process::Command::new("node");
    let output = node.env("NODE_PATH", &tools).arg(script).arg(page).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_job_that_fails_is_told_and_does_not_keep_the_others() {
    let home = home(
        "flops = [\"9s9h9d\", \"AsKd2c\", \"8s8h8d\"]\nstacks = [30, 40]\n[ranges.nines]\noop = \"99\"\nip = \"QQ\"\n",
    );
    let run = noregret(home.path(), &["batch", "plan.toml", "--json"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("error: 2 jobs have failed; the others are done"), "{run:?}");
    let states: Vec<String> =
        lines(&run).iter().map(|job| format!("{} {}", job["job"], job["state"])).collect();
    let expected = ["30-9s9h9d\" \"failed", "30-AsKd2c\" \"done", "30-8s8h8d\" \"done"];
    for (state, expected) in states.iter().zip(expected) {
        assert_eq!(*state, format!("\"nines-{expected}\""));
    }
    let failed = &lines(&run)[0];
    assert_eq!(failed["error"], "the oop range is empty: the board has a card of each of its hands");
    let status = noregret(home.path(), &["batch", "plan.toml", "--status"]).ok();
    assert!(status.stdout.contains("4 done, 2 failed, 0 solving, 0 cut short, 0 waiting"), "{status:?}");
    let table = noregret(home.path(), &["report", "solved"]).ok().stdout;
    assert!(table.contains("nines, 30\n") && table.contains("nines, 40\n"), "{table}");
    // A job that needs more memory than there may be fails before it starts.
    let home = self::home("flops = [\"AsKd2c\"]");
    let run = noregret(home.path(), &["batch", "plan.toml", "--memory", "10kB"]);
    assert!(run.code == Some(1) && run.stderr.contains("--memory allows 10 kB"), "{run:?}");
}

#[test]
fn shards_share_the_jobs_and_a_file_of_another_spec_is_left_alone() {
    let home = home(&list(&FLOPS[..5]));
    let path = home.path();
    let first = noregret(path, &["batch", "plan.toml", "--shard", "1/2", "--json"]).ok();
    assert_eq!(lines(&first).len(), 3);
    let status = noregret(path, &["batch", "plan.toml", "--status"]).ok();
    assert!(status.stdout.contains("3 done, 0 failed, 0 solving, 0 cut short, 2 waiting"), "{status:?}");
    let second = noregret(path, &["batch", "plan.toml", "--shard", "2/2", "--json"]).ok();
    assert_eq!(lines(&second).len(), 2);
    assert_eq!(written(path).len(), 5);
    std::fs::write(path.join("spot.toml"), SPEC.replace("effective_stack = 30", "effective_stack = 31"))
        .unwrap();
    let before = written(path);
    let run = noregret(path, &["batch", "plan.toml"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("holds the solution of another spec: move it away"), "{run:?}");
    assert_eq!(written(path), before);
}

#[test]
fn a_torn_file_is_made_again_and_reports_name_it() {
    let home = home(&list(&FLOPS[..2]));
    noregret(home.path(), &["batch", "plan.toml"]).ok();
    let path = home.path().join("solved/AsKd2c.nrs");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let report = noregret(home.path(), &["report", "solved"]);
    assert!(report.code == Some(1) && report.stderr.contains("AsKd2c.nrs"), "{report:?}");
    let run = noregret(home.path(), &["batch", "plan.toml"]).ok();
    assert!(run.stderr.contains("1 solved, 1 were there, 0 failed"), "{run:?}");
    assert_eq!(std::fs::read(&path).unwrap().len(), bytes.len());
}

#[test]
fn a_wrong_plan_or_report_is_refused_with_its_place() {
    let refused = |batch: &str, words: &[&str]| {
        let home = home(batch);
        let run = noregret(home.path(), &["batch", "plan.toml"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        for words in words {
            assert!(run.stderr.contains(words), "{words}: {run:?}");
        }
        assert!(!home.path().join("solved").exists());
    };
    refused("flops = [\"QsJhJh\"]", &["batch.flops[0]: the card Jh comes twice", "plan.toml:4"]);
    refused("subset = 0", &["batch.subset: must be a whole number of flops from 1 to 1755"]);
    refused("", &["batch.flops: is missing", "subset = 25"]);
    refused("flop = \"all\"", &["unknown key `batch.flop`", "did you mean `flops`?"]);
    refused("flops = \"all\"\n[ranges.x]\noop = \"AhKh\"\nip = \"QQ\"", &["a range tells suits apart"]);
    let home = home("flops = [\"QsJh2h\"]");
    std::fs::remove_file(home.path().join("spot.toml")).unwrap();
    let run = noregret(home.path(), &["batch", "plan.toml"]);
    assert!(run.code == Some(2) && run.stderr.contains("cannot read the spec spot.toml"), "{run:?}");

    let home = self::home("flops = [\"QsJh2h\", \"AsKd2c\"]");
    noregret(home.path(), &["batch", "plan.toml"]).ok();
    for (args, words) in [
        (&["report", "solved", "--out", "x.pdf"][..], "accepted `.html`, `.csv`, `.json`, `.parquet`"),
        (&["report", "solved", "--runouts"], "runouts are those of one solution file, not of 2"),
        (&["report", "solved", "--line", "bet 7"], "--line: no file has `bet 7`"),
        (&["report", "solved/QsJh2h.nrs", "--line", "check", "--runouts"], "there is no `2c` after `check`"),
        (&["report", "none.nrs"], "there is no solution file none.nrs"),
    ] {
        let run = noregret(home.path(), args);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(words), "{words}: {run:?}");
    }
    let csv = home.path().join("report.csv");
    noregret(home.path(), &["report", "solved", "--out", "report.csv"]).ok();
    let csv = std::fs::read_to_string(csv).unwrap();
    assert!(
        csv.starts_with("file,variant,board,weight,matchups,pot,exploitability_pct,oop_ev,")
            && csv.lines().count() == 4
    );
    noregret(home.path(), &["report", "solved", "--out", "report.parquet"]).ok();
    assert!(std::fs::read(home.path().join("report.parquet")).unwrap().starts_with(b"PAR1"));
}

#[test]
fn a_second_run_leaves_what_the_first_is_writing() {
    let home = home(&list(&FLOPS[..2]));
    let solved = home.path().join("solved");
    std::fs::create_dir(&solved).unwrap();
    let journal = std::fs::File::create(solved.join("journal.jsonl")).unwrap();
    journal.lock().unwrap();
    let part = solved.join(".AsKd2c.nrs.abc123.part");
    std::fs::write(&part, "half").unwrap();
    let second = noregret(home.path(), &["batch", "plan.toml"]);
    assert_eq!(second.code, Some(1), "{second:?}");
    assert!(second.stderr.contains("another run of this shard is at work"), "{second:?}");
    assert!(part.exists());
    drop(journal);
    noregret(home.path(), &["batch", "plan.toml"]).ok();
    assert!(!part.exists());
}

#[test]
fn a_checkpoint_that_a_kill_left_beside_its_solution_is_removed_and_no_other_file() {
    let home = home(&list(&FLOPS[..2]));
    noregret(home.path(), &["batch", "plan.toml"]).ok();
    // A checkpoint of the first job, and a file of somebody else under the name of the second one's.
    std::fs::write(home.path().join("first.toml"), SPEC.replace("2c3d4h", FLOPS[0])).unwrap();
    let [ours, other] = [0, 1].map(|job| home.path().join(format!("solved/{}.nrc", FLOPS[job])));
    noregret(home.path(), &["solve", "first.toml", "--checkpoint", ours.to_str().unwrap()]).ok();
    std::fs::write(&other, "something else").unwrap();
    assert!(ours.exists());
    noregret(home.path(), &["batch", "plan.toml", "--status"]).ok();
    assert!(ours.exists(), "a question changes nothing");
    let run = noregret(home.path(), &["batch", "plan.toml"]).ok();
    assert!(run.stderr.contains("0 solved, 2 were there, 0 failed"), "{run:?}");
    assert!(!ours.exists());
    assert_eq!(std::fs::read(&other).unwrap(), b"something else");
}

#[test]
fn a_file_that_this_program_cannot_read_is_not_written_over() {
    let home = home(&list(&FLOPS[..2]));
    noregret(home.path(), &["batch", "plan.toml"]).ok();
    let path = home.path().join("solved/AsKd2c.nrs");
    std::fs::write(&path, "something else").unwrap();
    let run = noregret(home.path(), &["batch", "plan.toml"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("AsKd2c.nrs: not a solution file"), "{run:?}");
    assert_eq!(std::fs::read(&path).unwrap(), b"something else");
}

#[test]
fn several_runs_share_a_directory_by_the_names_of_their_jobs() {
    let home = home(&list(&["AsKd2c", "QsJh2h", "9s8h2c"]));
    let planned = noregret(home.path(), &["batch", "plan.toml", "--dry-run", "--threads", "1", "--json"]);
    let planned = lines(&planned);
    let names: Vec<&str> = planned.iter().map(|line| line["job"].as_str().unwrap()).collect();
    assert_eq!(names, ["AsKd2c", "QsJh2h", "9s8h2c"]);
    assert!(planned.iter().all(|line| number(&line["memory_bytes"]) > 0.0), "{planned:?}");
    assert!(!home.path().join("solved").exists());
    let run = |names: &str| {
        noregret(home.path(), &["batch", "plan.toml", "--jobs", names, "--out", "there", "--json"])
    };
    assert_eq!(lines(&run("QsJh2h,AsKd2c")).len(), 2);
    // A run that has the other jobs at the same time finds its own journal free.
    let done = lines(&run("9s8h2c,AsKd2c"));
    assert_eq!(done.iter().map(|line| line["skipped"].as_bool().unwrap()).collect::<Vec<_>>(), [true, false]);
    let journal = std::fs::read_dir(home.path().join("there/journal")).unwrap().count();
    assert_eq!((journal, home.path().join("there/journal.jsonl").exists()), (3, false));
    let status = noregret(home.path(), &["batch", "plan.toml", "--out", "there", "--status", "--json"]);
    assert!(lines(&status).iter().all(|line| line["state"] == "done"), "{status:?}");
    let wrong = run("QsJh2h,none");
    assert_eq!((wrong.code, wrong.stderr.trim()), (Some(2), "error: --jobs: the plan has no job `none`"));
}
