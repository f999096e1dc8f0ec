//! Places in buckets, as users name them: every command with a URL against a server that speaks S3, and against one that fails.
#![cfg(feature = "cloud")]

#[cfg(feature = "hands")]
mod hands;
#[cfg(feature = "serve")]
#[path = "../../../serve/tests/common/http.rs"]
#[allow(dead_code, unreachable_pub)]
mod http;
#[cfg(feature = "serve")]
mod library;
mod moto;
mod proxy;
#[cfg(feature = "serve")]
mod served;

use moto::{BUCKET, Moto};
use proxy::{Fate, Proxy};
use serde_json::Value;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The program, with an address for S3.
fn noregret(address: SocketAddr) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noregret"));
    command
        .env("AWS_ENDPOINT_URL", format!("http://{address}"))
        .envs([("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test"), ("AWS_REGION", "us-east-1")])
        .env("NO_PROXY", "127.0.0.1");
    command
}

fn run(address: SocketAddr, args: &[&str]) -> Output {
    noregret(address).args(args).output().unwrap()
}

/// Standard output of a command that succeeds.
fn done(address: SocketAddr, args: &[&str]) -> String {
    let output = run(address, args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// What a command that does not succeed says, and its exit code.
fn refused(address: SocketAddr, args: &[&str]) -> (i32, String) {
    let output = run(address, args);
    (output.status.code().unwrap_or(-1), stderr(&output).trim().to_owned())
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).display().to_string()
}

fn url(name: &str) -> String {
    format!("s3://{BUCKET}/{name}")
}

fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect()
}

/// A turn of few hands: a solution of several boards in a moment.
fn small_turn(home: &Path) -> PathBuf {
    let path = home.join("small.toml");
    let text = "[ranges]\noop = '88+,AJs+,KQs,T9s'\nip = '99-55,AQs,KJs,JTs'\n[cards]\nflop = 'Kh9h4c'\nturn = '5s'\n\
                [tree]\nstarting_pot = 100\neffective_stack = 300\n[solver]\ntarget_exploitability_pct = 1\n";
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_solution_in_a_bucket_is_read_and_written_like_one_on_a_disk() {
    let home = tempfile::tempdir().unwrap();
    let moto = Moto::start();
    let at = moto.address;
    let spec = small_turn(home.path());
    let spec = spec.to_str().unwrap();
    let local = home.path().join("a.nrs");
    let local = local.to_str().unwrap();
    let digest = |args: &[&str]| {
        let answer: Value = serde_json::from_str(&done(at, args)).unwrap();
        answer["strategy_digest"].as_str().unwrap().to_owned()
    };
    let there = url("deep/a.nrs");
    let expected = digest(&["solve", spec, "--json", "--out", local]);
    assert_eq!(digest(&["solve", spec, "--json", "--out", &there]), expected);
    // The same file, copied, is the same to every reader.
    let inspected = |file: &str| done(at, &["inspect", file, "--line", "check, check", "--json"]);
    assert_eq!(inspected(&there), inspected(local));
    let [csv_there, csv_local] = [url("rows.csv"), home.path().join("rows.csv").display().to_string()];
    for (file, out) in [(&*there, &csv_there), (local, &csv_local)] {
        done(at, &["export", file, "--format", "csv", "--street", "turn", "--out", out]);
    }
    assert!(moto.object("rows.csv") == std::fs::read(&csv_local).unwrap());
    assert_eq!(
        done(at, &["report", &url("deep"), "--json"]).replace("deep/", ""),
        done(at, &["report", local, "--json"])
    );
    done(at, &["report", &there, "--out", &url("report.html")]);
    assert!(moto.object("report.html").starts_with(b"<!"));
    let verified: Value = serde_json::from_str(&done(at, &["verify", &there, "--json"])).unwrap();
    assert_eq!((&verified["ok"], verified["path"].as_str()), (&Value::Bool(true), Some(&*there)));
    // A solve that was stopped goes on from its checkpoint to the same bits.
    let checkpoint = url("a.nrc");
    done(at, &["solve", spec, "--max-iterations", "20", "--checkpoint", &checkpoint]);
    let resumed = digest(&["solve", spec, "--json", "--resume", &checkpoint, "--out", &url("resumed.nrs")]);
    assert_eq!(resumed, expected);
    assert_eq!(moto.uploads(), Vec::<String>::new());
    let mut names = moto.names();
    names.sort();
    assert_eq!(names, ["a.nrc", "deep/a.nrs", "report.html", "resumed.nrs", "rows.csv"]);
    // A URL of a file is the file.
    assert_eq!(inspected(&format!("file://{local}")), inspected(local));
}

#[test]
fn a_node_of_a_large_solution_is_read_without_the_rest() {
    let moto = Moto::start();
    let there = url("large.nrs");
    // The more iterations, the less there is to compress: of the target it has 250 MB.
    let args = ["solve", &example("single-raised-pot.toml"), "--max-iterations", "2", "--out", &there];
    done(moto.address, &args);
    let length = moto.object("large.nrs").len() as u64;
    assert!(length > 50_000_000, "{length}");
    for line in ["", "check, check, 4c, check", "check, check, 4c, check, check, 5h, check"] {
        let proxy = Proxy::start(moto.address, |_, _, _| Fate::Passed);
        done(proxy.address, &["inspect", &there, "--line", line]);
        let received = proxy.received.load(Ordering::SeqCst);
        let requests = proxy.requests.load(Ordering::SeqCst);
        assert!(received < 2_000_000, "`{line}`: {received} of {length} bytes in {requests} requests");
        assert!(requests < 20, "`{line}`: {requests} requests");
    }
}

#[test]
fn a_batch_in_a_bucket_goes_on_where_it_was() {
    let home = tempfile::tempdir().unwrap();
    let moto = Moto::start();
    let at = moto.address;
    let spec = std::fs::read_to_string(example("short-stack.toml")).unwrap();
    std::fs::write(home.path().join("spec.toml"), spec).unwrap();
    let plan = home.path().join("plan.toml");
    let text = "[batch]\nspec = 'spec.toml'\nout = 's3://spots/solved'\nflops = ['QsJh2h', 'AsKd2c']\nsave = 'flop'\n";
    std::fs::write(&plan, text).unwrap();
    let plan = plan.to_str().unwrap();
    let local = home.path().join("local");
    let lines = |args: &[&str]| -> Vec<Value> {
        done(at, args).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let digests = |lines: &[Value]| -> Vec<Value> {
        lines.iter().map(|line| line["strategy_digest"].clone()).collect()
    };
    let solved = lines(&["batch", plan, "--json"]);
    let there = lines(&["batch", plan, "--json", "--out", local.to_str().unwrap()]);
    assert_eq!((digests(&solved), solved.len()), (digests(&there), 2));
    let states = lines(&["batch", plan, "--json", "--status"]);
    assert!(states.iter().all(|line| line["state"] == "done"), "{states:?}");
    let mut names = moto.names();
    names.sort();
    let expected = ["AsKd2c.nrs", "QsJh2h.nrs", "batch.tsv", "journal/AsKd2c.json", "journal/QsJh2h.json"]
        .map(|name| format!("solved/{name}"));
    assert_eq!(names, expected);
    assert!(moto.object("solved/batch.tsv") == std::fs::read(local.join("batch.tsv")).unwrap());
    // What is there is not solved again, by any shard.
    let again = lines(&["batch", plan, "--json", "--shard", "1/2"]);
    assert_eq!((again.len(), digests(&again)), (1, digests(&solved[..1])));
    let report = |folder: &str| done(at, &["report", folder, "--json"]);
    assert_eq!(report("s3://spots/solved"), report(local.to_str().unwrap()));
}

#[test]
fn tables_rows_and_samples_in_a_bucket_have_the_bytes_of_those_on_a_disk() {
    let home = tempfile::tempdir().unwrap();
    let moto = Moto::start();
    let at = moto.address;
    let solve = |out: &str, more: &[&str]| {
        let args = ["forty-two", "solve", "--seeds", "484,511", "--decls", "0,6", "--out", out];
        done(at, &[&args[..], more].concat())
    };
    let sample = |out: &str| {
        done(
            at,
            &["forty-two", "sample", "--seeds", "484", "--decls", "0", "--per-table", "50", "--out", out],
        );
    };
    let local = |name: &str| home.path().join(name);
    let shown = |path: &Path| path.to_str().unwrap().to_owned();
    let rows = ["--format", "rows", "--layout", "to-go", "--split"];
    for (name, more) in [("tables", &[][..]), ("rows", &rows[..])] {
        solve(&shown(&local(name)), more);
        solve(&url(name), more);
    }
    sample(&shown(&local("samples")));
    sample(&url("samples"));
    for folder in ["tables", "rows/train", "samples"] {
        let here = files(&local(folder));
        assert!(!here.is_empty());
        for (name, bytes) in here {
            assert!(moto.object(&format!("{folder}/{name}")) == bytes, "{folder}/{name}");
        }
    }
    // A second run finds all of it, and a manifest that went missing comes back.
    let skipped: Vec<Value> =
        solve(&url("tables"), &["--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(skipped.len() == 4 && skipped.iter().all(|line| line["skipped"] == true));
    solve(&url("rows"), &rows);
    for folder in ["tables", "rows"] {
        done(at, &["forty-two", "verify", &url(folder)]);
    }
    let table = url("tables/seed_00000511_decl_6.n42");
    let value = |table: &str| done(at, &["forty-two", "value", "--table", table, "--json"]);
    assert_eq!(value(&table), value(&shown(&local("tables/seed_00000511_decl_6.n42"))));
    done(at, &["forty-two", "rows", &table, "--layout", "to-go", "--out", &url("again")]);
    assert!(
        moto.object("again/seed_00000511_decl_6.parquet")
            == std::fs::read(local("rows/train/seed_00000511_decl_6.parquet")).unwrap()
    );
    let verified = done(at, &["verify", &table]);
    assert!(verified.contains("Texas 42 table"), "{verified}");
}

#[test]
fn two_runs_on_one_bucket_lose_nothing_of_each_other() {
    let moto = Moto::start();
    let out = url("both");
    let start = |seeds: &str| {
        let args =
            ["forty-two", "solve", "--seeds", seeds, "--decls", "all", "--out", &out, "--threads", "1"];
        noregret(moto.address).args(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    // Half of the tables are of both.
    let runs = [start("484,511"), start("511,1150")];
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let found: Value =
        serde_json::from_str(&done(moto.address, &["forty-two", "verify", &out, "--json"])).unwrap();
    assert_eq!(
        (&found["checked"], &found["unlisted"], &found["missing"]),
        (&30.into(), &0.into(), &0.into()),
        "{found}"
    );
}

#[test]
fn a_store_that_fails_now_and_then_gets_the_same_bytes() {
    let home = tempfile::tempdir().unwrap();
    let moto = Moto::start();
    let spec = small_turn(home.path());
    let fates = [
        Fate::Answered(500, "InternalError"),
        Fate::Answered(503, "SlowDown"),
        Fate::Cut,
        Fate::Late(Duration::from_millis(300)),
    ];
    for (i, fate) in fates.into_iter().enumerate() {
        // Every second request, so that each is passed when it comes again.
        let proxy =
            Proxy::start(moto.address, move |number, _, _| if number % 2 == 0 { fate } else { Fate::Passed });
        let local = home.path().join(format!("{i}"));
        let tables = |address, out: &str| {
            done(address, &["forty-two", "solve", "--seeds", "511", "--decls", "6,0", "--out", out]);
        };
        tables(moto.address, local.to_str().unwrap());
        tables(proxy.address, &url(&format!("{i}")));
        for (name, bytes) in files(&local) {
            assert!(moto.object(&format!("{i}/{name}")) == bytes, "{fate:?}: {name}");
        }
        let solution = url(&format!("{i}/a.nrs"));
        done(proxy.address, &["solve", spec.to_str().unwrap(), "--out", &solution]);
        done(proxy.address, &["verify", &solution]);
    }
    assert_eq!(moto.uploads(), Vec::<String>::new());
}

#[test]
fn a_large_upload_survives_lost_answers_and_a_kill_leaves_nothing() {
    let moto = Moto::start();
    let out = url("large.nrs");
    let solve = |address| {
        let mut command = noregret(address);
        command.args(["solve", &example("three-bet-pot.toml"), "--max-iterations", "1", "--out", &out]);
        command
    };
    // Killed while it sends its parts.
    let slow = Proxy::start(moto.address, |_, method, path| match (method, path.contains("partNumber")) {
        ("PUT", true) => Fate::Late(Duration::from_secs(30)),
        _ => Fate::Passed,
    });
    let mut killed = solve(slow.address).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    // The trial at the beginning is an upload of its own.
    while moto.uploads().is_empty() || slow.requests.load(Ordering::SeqCst) < 5 {
        assert!(started.elapsed() < Duration::from_secs(120), "no part was sent");
        std::thread::sleep(Duration::from_millis(100));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(moto.names(), Vec::<String>::new());
    // Each answer is lost once: of parts, and of the last request, after which there is no upload to put together any more.
    let mut last = String::new();
    let proxy = Proxy::start(moto.address, move |_, method, path| {
        let is_new = std::mem::replace(&mut last, format!("{method} {path}")) != last;
        let is_end = method == "POST" && path.contains("uploadId");
        if is_end && is_new { Fate::AnswerLost } else { Fate::Passed }
    });
    let output = solve(proxy.address).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(moto.names(), ["large.nrs"]);
    done(moto.address, &["verify", &out]);
}

#[test]
fn what_is_wrong_with_a_place_is_said_in_a_line_that_helps() {
    let home = tempfile::tempdir().unwrap();
    let moto = Moto::start();
    let at = moto.address;
    let spec = small_turn(home.path());
    let spec = spec.to_str().unwrap();
    let solve = |address, out: &str| refused(address, &["solve", spec, "--out", out]);
    assert_eq!(
        solve(at, "s3://none/a.nrs"),
        (1, "error: cannot write s3://none/a.nrs: there is no bucket `none`: make it, or mend the name or AWS_ENDPOINT_URL and AWS_REGION".to_owned())
    );
    assert_eq!(
        refused(at, &["inspect", "s3://none/a.nrs"]),
        (1, "error: s3://none/a.nrs: there is no bucket `none`: make it, or mend the name or AWS_ENDPOINT_URL and AWS_REGION".to_owned())
    );
    assert_eq!(
        refused(at, &["inspect", &url("none.nrs")]),
        (2, "error: there is no solution file s3://spots/none.nrs: `noregret solve SPEC --out FILE.nrs` makes one".to_owned())
    );
    let answering = |status, code| Proxy::start(at, move |_, _, _| Fate::Answered(status, code)).address;
    assert_eq!(
        solve(answering(403, "AccessDenied"), &url("a.nrs")),
        (1, "error: cannot write s3://spots/a.nrs: no permission: ask for the right to list, read and write there".to_owned())
    );
    assert_eq!(
        refused(answering(403, "SignatureDoesNotMatch"), &["inspect", &url("a.nrs")]),
        (1, "error: s3://spots/a.nrs: the credentials are not accepted (SignatureDoesNotMatch): mend AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY".to_owned())
    );
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut unreachable = noregret(nobody);
    unreachable.args(["inspect", &url("a.nrs")]);
    let started = Instant::now();
    let output = unreachable.output().unwrap();
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert!(
        stderr(&output).starts_with("error: s3://spots/a.nrs: cannot reach the store ("),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).contains("mend AWS_ENDPOINT_URL and AWS_REGION, or the network"));
    // Arguments that name no place are wrong requests, whatever else is wrong.
    for (place, reason) in [
        ("s3://", "the bucket is missing: write `s3://BUCKET/NAME`"),
        ("ftp://host/a.nrs", "`ftp://` is not read or written"),
        ("file://host/a.nrs", "`file://` is for files of this machine"),
    ] {
        let (code, message) = solve(at, place);
        assert!(code == 2 && message.contains(reason), "{place}: {code} {message}");
    }
    // What somebody else keeps there is not written over.
    done(at, &["solve", spec, "--out", &url("a.nrs")]);
    done(at, &["export", &url("a.nrs"), "--format", "csv", "--out", &url("b.nrs"), "--force"]);
    let (code, message) = solve(at, &url("b.nrs"));
    assert_eq!(
        (code, message.as_str()),
        (
            2,
            "error: --out s3://spots/b.nrs: there is a file that is not a solution, and it would be lost: choose another name, or --force"
        )
    );
}

#[test]
fn without_credentials_the_message_says_which_to_set() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noregret"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("AWS_") {
            command.env_remove(name);
        }
    }
    // Nobody answers where the machines of the provider ask.
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    command.env("AWS_METADATA_ENDPOINT", format!("http://169.254.169.254.localhost:{}", nobody.port()));
    let output = command.args(["inspect", "s3://spots/a.nrs"]).output().unwrap();
    assert_eq!(
        stderr(&output).trim(),
        "error: s3://spots/a.nrs: there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    );
}
