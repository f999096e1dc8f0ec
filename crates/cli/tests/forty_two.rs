//! The `forty-two` commands as users run them: files, kills, full disks, wrong requests.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Deals with few positions, quick to solve.
const SMALL: [(&str, &str); 3] = [("511", "sixes"), ("484", "blanks"), ("1150", "doubles-suit")];

fn noregret() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noregret"));
    command.arg("forty-two");
    command
}

fn run(args: &[&str]) -> Output {
    noregret().args(args).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(args: &[&str]) -> Value {
    let output = run(args);
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn contents(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

fn solve_small(directory: &Path, number: usize) -> PathBuf {
    let (seed, decl) = SMALL[number];
    let output = run(&["solve", "--seeds", seed, "--decls", decl, "--out", text(directory)]);
    assert!(output.status.success(), "{}", stderr(&output));
    let mut tables: Vec<PathBuf> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    tables.retain(|path| path.extension().is_some_and(|extension| extension == "n42"));
    tables.pop().unwrap()
}

#[test]
fn solve_prints_a_line_of_json_for_each_table_and_skips_it_the_next_time() {
    let directory = tempfile::tempdir().unwrap();
    let args = ["solve", "--seeds", "484,511", "--decls", "0", "--json", "--out", text(directory.path())];
    let lines = |output: &Output| -> Vec<Value> {
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        lines.sort_by_key(|line| line["seed"].as_u64());
        lines
    };
    let first = lines(&run(&args));
    assert_eq!(first.len(), 2);
    assert_eq!(first[0]["seed"], 484);
    assert_eq!(first[0]["decl"], 0);
    assert_eq!(first[0]["positions"], 133_471);
    assert_eq!(first[0]["skipped"], false);
    assert_eq!(first[0]["root_moves"].as_array().unwrap().len(), 7);
    let best = first[0]["root_moves"].as_array().unwrap().iter().map(|v| v.as_i64()).max().unwrap();
    assert_eq!(first[0]["root_value"].as_i64(), best);
    assert!(first[0]["seconds"]["solve"].is_f64() && first[0]["seconds"]["write"].is_f64());
    let path = Path::new(first[0]["path"].as_str().unwrap());
    assert_eq!(fs::metadata(path).unwrap().len(), first[0]["bytes"].as_u64().unwrap());
    assert!(path.ends_with("seed_00000484_decl_0.n42"));
    let before = contents(directory.path());
    let second = lines(&run(&args));
    assert!(second.iter().all(|line| line["skipped"] == true));
    assert_eq!(second[1]["root_value"], first[1]["root_value"]);
    assert_eq!(contents(directory.path()), before);
}

#[test]
fn a_run_killed_many_times_ends_with_the_same_files_as_one_that_was_not() {
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let args = ["solve", "--seeds", "484..=491,511", "--decls", "blanks,sixes", "--out"];
    assert!(run(&[&args[..], &[text(whole.path())]].concat()).status.success());
    for attempt in 0..25_u64 {
        let mut child = noregret()
            .args([&args[..], &[text(killed.path())]].concat())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Any moment will do: these are spread over the start, a table's solving and its writing.
        std::thread::sleep(std::time::Duration::from_millis(5 + attempt * attempt * 37 % 300));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(run(&[&args[..], &[text(killed.path())]].concat()).status.success());
    assert_eq!(contents(killed.path()), contents(whole.path()));
    assert!(run(&["verify", text(killed.path())]).status.success());
}

#[test]
fn an_interrupt_ends_the_run_cleanly_with_code_130_and_a_manifest() {
    use std::io::BufRead;
    let directory = tempfile::tempdir().unwrap();
    let mut child = noregret()
        .args(["solve", "--seeds", "0..1000000", "--decls", "all", "--json", "--out", text(directory.path())])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let rest = lines.count();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    // What there is is whole, and what is missing is known.
    let output = run(&["verify", "--json", text(directory.path())]);
    assert_eq!(output.status.code(), Some(1));
    let verified: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(verified["checked"].as_u64().unwrap(), rest as u64 + 1);
    assert_eq!(verified["missing"].as_u64().unwrap(), 10_000_000 - rest as u64 - 1);
    assert_eq!((&verified["unlisted"], verified["bad"].as_array().unwrap().len()), (&0.into(), 0));
    assert!(stderr(&output).contains("files of the run are missing: run it again"), "{}", stderr(&output));
}

#[test]
fn a_flipped_byte_is_found_by_verify_and_every_reader_and_the_table_is_made_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = solve_small(directory.path(), 0);
    let good = fs::read(&path).unwrap();
    assert!(run(&["verify", text(directory.path())]).status.success());
    for at in [0, 9, 30, good.len() / 2, good.len() - 1] {
        let mut bad = good.clone();
        bad[at] ^= 4;
        fs::write(&path, &bad).unwrap();
        let readers: [&[&str]; 4] = [
            &["verify", text(directory.path())],
            &["value", "--table", text(&path)],
            &["census", "--table", text(&path)],
            &["rows", text(&path)],
        ];
        for reader in readers {
            let output = run(reader);
            assert_eq!(output.status.code(), Some(1), "byte {at}: {reader:?}");
            assert!(stderr(&output).contains(text(&path)), "{}", stderr(&output));
        }
    }
    let output = run(&["solve", "--seeds", "511", "--decls", "sixes", "--out", text(directory.path())]);
    assert!(output.status.success());
    assert!(stderr(&output).contains("made again: "), "{}", stderr(&output));
    assert_eq!(fs::read(&path).unwrap(), good);
}

/// What manifests have for a checksum.
fn checksum(bytes: &[u8]) -> String {
    noregret_store::Digest::of(bytes).to_string()
}

/// A run that was killed has not made all that it was to make, and `verify` says so.
#[test]
fn verify_knows_that_a_run_was_killed() {
    let directory = tempfile::tempdir().unwrap();
    let args = [
        "solve",
        "--seeds",
        "511..=560",
        "--decls",
        "sixes",
        "--threads",
        "1",
        "--out",
        text(directory.path()),
    ];
    let mut child = noregret().args(args).stderr(Stdio::null()).spawn().unwrap();
    let tables = || {
        contents(directory.path())
            .keys()
            .filter(|name| name.ends_with(".n42") && !name.starts_with('.'))
            .count()
    };
    while tables() < 3 {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let there = tables();
    assert!(there < 50, "the machine is too quick to kill it");
    let output = run(&["verify", "--json", text(directory.path())]);
    assert_eq!(output.status.code(), Some(1));
    let verified: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(verified["missing"].as_u64().unwrap(), 50 - there as u64, "{verified}");
    assert!(run(&args).status.success());
    assert!(run(&["verify", text(directory.path())]).status.success());
    assert!(contents(directory.path()).keys().all(|name| !name.ends_with(".part")));
}

#[test]
fn verify_finds_what_is_missing_and_what_is_not_what_was_listed() {
    let directory = tempfile::tempdir().unwrap();
    let path = solve_small(directory.path(), 0);
    let manifest = directory.path().join("manifest.tsv");
    let listed = fs::read_to_string(&manifest).unwrap();
    let output = run(&["verify", text(directory.path())]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "1 files checked against 1 manifests; 0 are in none\n");
    let bad = |text_of_manifest: &str, message: &str| {
        fs::write(&manifest, text_of_manifest).unwrap();
        let output = run(&["verify", text(directory.path())]);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(stderr(&output).contains(message), "{message}: {}", stderr(&output));
    };
    // Changed, cut, with a wrong line before the right one, and of the first kind, which nothing tells to be whole.
    bad(
        &listed.replace(".n42\t", ".n42\t1"),
        "manifest.tsv: it does not match its checksum; delete the file and solve",
    );
    bad("nonsense", "manifest.tsv: line 1 is not a manifest line");
    let entry = listed.lines().find(|line| line.starts_with("seed")).unwrap();
    bad(listed.split("# end").next().unwrap(), "manifest.tsv: its end is cut off");
    bad(
        &listed.replace(entry, &format!("{}\n{entry}", entry.replace('a', "b"))),
        "manifest.tsv: line 5 lists a file for the second time",
    );
    bad(
        &format!("file\tbytes\tdigest\n{entry}\n"),
        "manifest.tsv: an earlier program wrote it, without a count and a checksum",
    );
    // With its checksum made right, another length is still not that of the file.
    let other = listed.replace(".n42\t", ".n42\t1");
    let before = &other[..other.find("# end").unwrap()];
    let digest = checksum(before.as_bytes());
    bad(&format!("{before}# end\t1\t{digest}\n"), "not the file that the manifest lists");
    fs::remove_file(&manifest).unwrap();
    let output = run(&["verify", text(directory.path())]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("there is no manifest, so nobody knows what should be here"),
        "{}",
        stderr(&output)
    );
    fs::write(&manifest, &listed).unwrap();
    // A table that no run was to make.
    fs::copy(&path, directory.path().join("seed_00000511_opp0_decl_0.n42")).unwrap();
    let output = run(&["verify", text(directory.path())]);
    assert_eq!(output.status.code(), Some(1));
    fs::remove_file(directory.path().join("seed_00000511_opp0_decl_0.n42")).unwrap();
    assert!(run(&["verify", text(directory.path())]).status.success());
    fs::remove_file(path).unwrap();
    let output = run(&["verify", text(directory.path())]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("1 of 1 files are bad:\n  cannot read"), "{}", stderr(&output));
    fs::remove_file(manifest).unwrap();
    let output = run(&["verify", text(directory.path())]);
    assert!(stderr(&output).contains("no tables and no manifest here"), "{}", stderr(&output));
}

#[test]
fn shards_together_make_what_one_run_makes() {
    let (whole, sharded) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let args = ["solve", "--seeds", "484,511,1150", "--decls", "blanks", "--out"];
    assert!(run(&[&args[..], &[text(whole.path())]].concat()).status.success());
    for shard in ["1/2", "2/2"] {
        let output = run(&[&args[..], &[text(sharded.path()), "--shard", shard, "--threads", "1"]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let tables = |directory: &Path| {
        let mut files = contents(directory);
        files.retain(|name, _| name.ends_with(".n42"));
        files
    };
    assert_eq!(tables(sharded.path()), tables(whole.path()));
    let verified = json(&["verify", "--json", text(sharded.path())]);
    assert_eq!((&verified["checked"], &verified["manifests"]), (&3.into(), &2.into()));
}

#[test]
fn a_full_disk_stops_the_run_clearly_and_leaves_nothing_torn() {
    let directory = tempfile::tempdir().unwrap();
    let out = text(directory.path());
    // A small file system of its own, where that is allowed; else a limit on the size of files.
    let full = format!(
        "mount -t tmpfs -o size=128k tmpfs {out} && cd {out} && {bin} forty-two solve --seeds 2000..2010 --decls 0 --out . ; \
         echo code $? >&2; ls -A >&2; {bin} forty-two verify . >&2; echo whole $? >&2",
        bin = env!("CARGO_BIN_EXE_noregret")
    );
    let probe = Command::new("unshare").args(["-rm", "true"]).status();
    let output = if probe.is_ok_and(|status| status.success()) {
        let output = Command::new("unshare").args(["-rm", "sh", "-c", &full]).output().unwrap();
        assert!(stderr(&output).contains("No space left on device"), "{}", stderr(&output));
        output
    } else {
        let limited =
            full.replace(&format!("mount -t tmpfs -o size=128k tmpfs {out}"), "trap '' XFSZ; ulimit -f 60");
        Command::new("sh").args(["-c", &limited]).output().unwrap()
    };
    let said = stderr(&output);
    assert!(said.contains("error: cannot write ./seed_"), "{said}");
    assert!(said.contains("code 1\n") && said.contains("whole 1\n"), "{said}");
    // What is there is whole; only files are missing.
    assert!(
        said.contains("files of the run are missing: run it again") && !said.contains("are bad"),
        "{said}"
    );
    let (_, left) = said.split_once("code 1\n").unwrap();
    assert!(left.contains("seed_00002000_decl_0.n42") && !left.contains(".part"), "{said}");
}

#[test]
fn wrong_requests_end_with_code_2_and_failed_jobs_with_1_and_say_why() {
    let directory = tempfile::tempdir().unwrap();
    let out = text(directory.path());
    let unreachable = (0x7f_i64 | 0x7f << 7 | 0x7f << 14 | 0x7f << 21 | 1 << 28 | 0x1ff << 32).to_string();
    let far_score = (0x0fff_ffff_i64 | 1 << 28 | 0x1ff << 38).to_string();
    let wrong: [(&[&str], i32, &str); 16] = [
        (&["solve", "--seeds", "5..2", "--decls", "0", "--out", out], 2, "seed range `5..2` runs backwards"),
        (&["solve", "--seeds", "5..5", "--decls", "0", "--out", out], 2, "seed range `5..5` is empty"),
        (&["solve", "--seeds", "1", "--decls", "sevens", "--out", out], 2, "unknown declaration `sevens`"),
        (
            &["solve", "--seeds", "1", "--decls", "0", "--out", out, "--shard", "3/2"],
            2,
            "`3/2` is not a shard",
        ),
        (
            &["solve", "--seeds", "1", "--decls", "0", "--out", out, "--layout", "to-go"],
            2,
            "--layout is for --format rows",
        ),
        (
            &["solve", "--seeds", "1", "--decls", "0", "--out", out, "--threads", "0"],
            2,
            "0 is not in 1..=1024",
        ),
        (
            &["solve", "--seeds", "1", "--decls", "0", "--out", "/dev/null/tables"],
            1,
            "cannot create /dev/null/tables",
        ),
        (&["value", "--seed", "0", "--decl", "10"], 2, "unknown declaration `10`"),
        (
            &["value", "--seed", "0", "--decl", "0", "--state", "-5"],
            2,
            "state -5 has bits outside the scored layout",
        ),
        (
            &["value", "--seed", "0", "--decl", "0", "--layout", "to-go", "--state", &unreachable],
            2,
            "is not reachable in this deal",
        ),
        (
            &["value", "--seed", "0", "--decl", "0", "--state", &far_score],
            2,
            "is not reachable with a score of 1",
        ),
        (&["value", "--decl", "0", "--deal", "6-6 | | |"], 2, "seat 0 has 1 dominoes: each hand has 7"),
        (&["value", "--table", "nowhere.n42"], 1, "cannot read nowhere.n42"),
        (&["bid", "--hand", "6-6 6-6 6-4 5-5 4-4 1-0 2-0"], 2, "6-6 is in the hand twice"),
        (&["bid", "--hand", "6-6 6-5"], 2, "the hand has 2 dominoes: a bid is made on 7"),
        (&["verify", "/nowhere/at/all"], 1, "cannot read /nowhere/at/all"),
    ];
    for (args, code, message) in wrong {
        let output = run(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    assert!(contents(directory.path()).is_empty());
}

#[test]
fn a_table_of_another_version_is_refused_and_kept() {
    let directory = tempfile::tempdir().unwrap();
    let path = solve_small(directory.path(), 0);
    let mut newer = fs::read(&path).unwrap();
    newer[8] = 2;
    // As a program of that version would have sealed it.
    let header = 16 + 28 * newer[12] as usize;
    let digest = noregret_store::Digest::of(&newer[..header]).0;
    newer[header..header + digest.len()].copy_from_slice(&digest);
    fs::write(&path, &newer).unwrap();
    let (seed, decl) = SMALL[0];
    let again = run(&["solve", "--seeds", seed, "--decls", decl, "--out", text(directory.path())]);
    assert_eq!(again.status.code(), Some(1), "{}", stderr(&again));
    assert_eq!(fs::read(&path).unwrap(), newer);
    let output = run(&["value", "--table", text(&path)]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("reads version 1: a later noregret wrote it and can read it"),
        "{}",
        stderr(&output)
    );
    assert_eq!(fs::read(&path).unwrap(), newer);
}

#[test]
fn a_row_file_is_trusted_only_as_far_as_a_manifest_goes() {
    let directory = tempfile::tempdir().unwrap();
    let (seed, decl) = SMALL[0];
    let out = text(directory.path());
    let solve = |layout| {
        run(&[
            "solve", "--seeds", seed, "--decls", decl, "--format", "rows", "--layout", layout, "--out", out,
        ])
    };
    assert!(solve("to-go").status.success());
    let good = contents(directory.path());
    let path = directory.path().join(good.keys().find(|name| name.ends_with(".parquet")).unwrap());
    assert!(run(&["verify", out]).status.success());

    // A flipped byte is found, and the file is made again.
    let mut bytes = good[path.file_name().unwrap().to_str().unwrap()].clone();
    bytes[5000] ^= 1;
    fs::write(&path, &bytes).unwrap();
    assert_eq!(run(&["verify", out]).status.code(), Some(1));
    let again = solve("to-go");
    assert!(stderr(&again).contains("made again"), "{}", stderr(&again));
    assert_eq!(contents(directory.path()), good);

    // Rows of the other layout are not written over.
    let other = solve("scored");
    assert_eq!(other.status.code(), Some(1));
    assert!(stderr(&other).contains("it holds rows of another layout"), "{}", stderr(&other));
    assert_eq!(contents(directory.path()), good);

    // What no manifest lists cannot be checked.
    fs::remove_file(directory.path().join("manifest.tsv")).unwrap();
    let verify = run(&["verify", out]);
    assert!(stderr(&verify).contains("there is no manifest"), "{}", stderr(&verify));
    assert!(solve("to-go").status.success());
    assert_eq!(contents(directory.path()), good);
}

#[test]
fn an_endless_file_is_not_read_to_its_end() {
    let output = run(&["value", "--table", "/dev/zero"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("it is a pipe or a device"), "{}", stderr(&output));
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("endless.n42");
    fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let output = run(&["value", "--table", text(&path)]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("torn: 16777217 bytes"), "{}", stderr(&output));
}

#[test]
fn one_shard_leaves_the_parts_of_another_alone() {
    let directory = tempfile::tempdir().unwrap();
    let parts =
        ["484", "511"].map(|seed| directory.path().join(format!(".seed_00000{seed}_decl_0.n42.abc123.part")));
    parts.iter().for_each(|part| fs::write(part, "").unwrap());
    let out = text(directory.path());
    let output = run(&["solve", "--seeds", "511,484,511", "--decls", "0", "--shard", "2/2", "--out", out]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(parts[0].exists() && !parts[1].exists());
}

#[test]
fn without_a_driver_gpu_is_a_clear_error_and_auto_uses_the_cpu() {
    let directory = tempfile::tempdir().unwrap();
    let solve = |backend: &str| {
        let out = text(directory.path());
        noregret()
            .args(["solve", "--seeds", "511", "--decls", "sixes", "--out", out, "--backend", backend])
            .env("VK_ICD_FILENAMES", "/nowhere.json")
            .env("VK_DRIVER_FILES", "/nowhere.json")
            .output()
            .unwrap()
    };
    let output = solve("gpu");
    assert_eq!(output.status.code(), Some(1));
    let reason = match cfg!(feature = "gpu") {
        true => "no GPU: no Vulkan, Metal or DX12 driver was found; use --backend cpu or auto",
        false => {
            "no GPU: this was built without the feature `gpu`; `pip install noregret` and `cargo install noregret --features gpu` have it, \
             or use --backend cpu or auto"
        }
    };
    assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    let output = solve("auto");
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn the_deal_can_be_given_in_words_and_answers_like_its_seed() {
    let by_seed = json(&["value", "--seed", "511", "--decl", "sixes", "--json"]);
    let deal = by_seed["deal"].as_str().unwrap();
    let by_words = json(&["value", "--deal", deal, "--decl", "6", "--json"]);
    assert_eq!(by_words["moves"], by_seed["moves"]);
    assert_eq!(by_words["seed"], Value::Null);
    assert_eq!(by_seed["line"].as_array().unwrap().len(), 28);
    assert_eq!(by_seed["turn"], 0);
    let drawn = run(&["value", "--seed", "511", "--decl", "sixes"]);
    let drawn = String::from_utf8(drawn.stdout).unwrap();
    assert!(drawn.contains("> seat 0  ") && drawn.contains("best play\n  0:"), "{drawn}");
    assert!(!drawn.contains('\u{1b}'), "no colour off a terminal");
}

#[test]
fn census_and_bid_answer_in_json_and_in_words() {
    let census = json(&["census", "--seed", "930", "--decl", "blanks", "--json"]);
    assert_eq!((&census["to_go"], &census["positions"]), (&3_168_588.into(), &193_304.into()));
    assert_eq!(census["levels"].as_array().unwrap().len(), 29);
    let args = ["bid", "--hand", "6-6 6-5 6-4 6-3 6-2 6-1 6-0", "--deals", "2", "--decls", "sixes,0"];
    let bid = json(&[&args[..], &["--json"]].concat());
    assert_eq!((&bid["best"]["bid"], &bid["best"]["decl"]), (&42.into(), &6.into()));
    assert_eq!(bid["declarations"][0]["bids"][12]["chance"], 1.0);
    let said = String::from_utf8(run(&args).stdout).unwrap();
    assert!(said.contains("Best bid: 42 with sixes") && said.contains("all four hands seen"), "{said}");
}

#[test]
fn row_files_open_in_pyarrow_duckdb_and_polars_and_hold_what_value_says() {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/dominoes-venv/bin/python");
    assert!(python.exists(), "run scripts/setup-dominoes-tests first");
    let directory = tempfile::tempdir().unwrap();
    let table = solve_small(directory.path(), 0);
    for layout in ["to-go", "scored"] {
        let out = directory.path().join(layout);
        let args = ["solve", "--seeds", "511", "--decls", "6", "--format", "rows", "--layout", layout];
        let made = json(&[&args[..], &["--json", "--out", text(&out)]].concat());
        assert_eq!(made["skipped"], false);
        let again = json(&[&args[..], &["--json", "--out", text(&out)]].concat());
        assert_eq!((&again["skipped"], &again["root_value"]), (&true.into(), &made["root_value"]));
        assert!(run(&["verify", text(&out)]).status.success());
        let rows = out.join("seed_00000511_decl_6.parquet");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/read_rows.py");
        let output = Command::new(&python).args([script, text(&rows), layout]).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let read: Value = serde_json::from_slice(&output.stdout).unwrap();
        let census = json(&["census", "--table", text(&table), "--json"]);
        assert_eq!(read["rows"], census[layout.replace('-', "_")]);
        for sample in read["samples"].as_array().unwrap() {
            let state = sample["state"].to_string();
            let value =
                json(&["value", "--table", text(&table), "--layout", layout, "--state", &state, "--json"]);
            assert_eq!(value["value"], sample["V"]);
            for (local, q) in sample["q"].as_array().unwrap().iter().enumerate() {
                let moves = value["moves"].as_array().unwrap();
                let found = moves.iter().find(|m| m["move"] == local).map_or(&Value::Null, |m| &m["value"]);
                assert!(q == found || (*q == -128 && found.is_null()), "state {state}");
            }
        }
        if layout == "to-go" {
            let expanded = directory.path().join("expanded");
            assert!(
                run(&["rows", text(&table), "--layout", layout, "--out", text(&expanded)]).status.success()
            );
            assert_eq!(fs::read(expanded.join(rows.file_name().unwrap())).unwrap(), fs::read(&rows).unwrap());
            let mut bad = fs::read(&rows).unwrap();
            bad[1000] ^= 1;
            fs::write(&rows, bad).unwrap();
            assert_eq!(run(&["verify", text(&out)]).status.code(), Some(1));
        }
    }
}

#[test]
fn a_part_of_a_run_leaves_the_manifest_to_who_started_it_and_says_the_digests() {
    let home = tempfile::tempdir().unwrap();
    let (whole, part) = (home.path().join("whole"), home.path().join("part"));
    let args = |out: &Path| {
        ["solve", "--seeds", "511", "--decls", "6", "--json", "--out"]
            .map(str::to_owned)
            .into_iter()
            .chain([text(out).to_owned()])
            .collect::<Vec<_>>()
    };
    assert!(noregret().args(args(&whole)).output().unwrap().status.success());
    let output = noregret().args(args(&part)).arg("--no-manifest").output().unwrap();
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    let manifest = fs::read_to_string(whole.join("manifest.tsv")).unwrap();
    assert!(manifest.contains(line["digest"].as_str().unwrap()));
    assert_eq!(contents(&part).into_keys().collect::<Vec<_>>(), ["seed_00000511_decl_6.n42"]);
    assert_eq!(contents(&part)["seed_00000511_decl_6.n42"], contents(&whole)["seed_00000511_decl_6.n42"]);
}

#[test]
fn shards_of_row_files_share_out_the_tables() {
    let home = tempfile::tempdir().unwrap();
    let tables: Vec<PathBuf> =
        (0..2).map(|number| solve_small(&home.path().join(number.to_string()), number)).collect();
    let out = home.path().join("rows");
    for shard in ["1/2", "2/2"] {
        let args = [
            "rows",
            text(&tables[0]),
            text(&tables[1]),
            "--layout",
            "to-go",
            "--out",
            text(&out),
            "--shard",
            shard,
        ];
        assert!(run(&args).status.success());
        let files = contents(&out).into_keys().filter(|name| name.ends_with(".parquet")).count();
        assert_eq!(files, if shard == "1/2" { 1 } else { 2 });
    }
    assert_eq!(contents(&out).into_keys().filter(|name| name.ends_with(".tsv")).count(), 2);
}
