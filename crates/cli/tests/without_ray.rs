//! The examples for clusters without Ray: what they call is run here, shard by shard.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// A command that finds the program under its name.
fn shell(script: &Path) -> Command {
    let mut command = Command::new("sh");
    command.arg(script).env("NOREGRET", env!("CARGO_BIN_EXE_noregret"));
    command
}

/// The files of a folder but for the manifests, which are those of shards.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files =
        entries.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()));
    files.filter(|(name, _)| !name.starts_with("manifest") && !name.starts_with("journal")).collect()
}

fn solve_whole(out: &Path) {
    let args = ["forty-two", "solve", "--seeds", "484,511", "--decls", "0,6", "--out", out.to_str().unwrap()];
    assert!(Command::new(env!("CARGO_BIN_EXE_noregret")).args(args).output().unwrap().status.success());
}

fn verify(out: &Path) {
    let args = ["forty-two", "verify", out.to_str().unwrap()];
    let output = Command::new(env!("CARGO_BIN_EXE_noregret")).args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_tasks_of_a_slurm_array_share_out_tables_and_jobs() {
    let home = tempfile::tempdir().unwrap();
    let (whole, parts) = (home.path().join("whole"), home.path().join("parts"));
    solve_whole(&whole);
    let task = |number: u32, args: &[&str]| {
        let output = shell(&examples().join("slurm.sh"))
            .args(args)
            .envs([("SLURM_ARRAY_TASK_COUNT", "3"), ("SLURM_CPUS_PER_TASK", "1")])
            .env("SLURM_ARRAY_TASK_ID", number.to_string())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    // The second is run twice, as after a lost node.
    for number in [1, 2, 2, 3] {
        task(
            number,
            &["forty-two", "solve", "--seeds", "484,511", "--decls", "0,6", "--out", parts.to_str().unwrap()],
        );
    }
    assert!(files(&parts) == files(&whole));
    verify(&parts);
    let plan = examples().join("batch.toml");
    let jobs: Vec<String> = (1..=3)
        .flat_map(|number| {
            let text = task(number, &["batch", plan.to_str().unwrap(), "--dry-run", "--json"]);
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!((jobs.len(), jobs.iter().collect::<std::collections::BTreeSet<_>>().len()), (8, 8));
}

#[test]
fn the_pods_of_an_indexed_job_share_out_tables() {
    let home = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(examples().join("kubernetes.yaml")).unwrap();
    // What the container runs: the block after `args:`.
    let (_, block) = text.split_once("            - |\n").unwrap();
    let script: String = block
        .lines()
        .take_while(|line| line.starts_with("              "))
        .map(|line| format!("{}\n", &line[14..]))
        .collect();
    assert!(script.contains("--shard"));
    let bin = Path::new(env!("CARGO_BIN_EXE_noregret")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let (whole, parts) = (home.path().join("whole"), home.path().join("parts"));
    solve_whole(&whole);
    for index in 0..2 {
        let output = Command::new("sh")
            .args(["-c", &script])
            .envs([("SEEDS", "484,511"), ("DECLS", "0,6"), ("COMPLETIONS", "2")])
            .env("OUT", &parts)
            .env("JOB_COMPLETION_INDEX", index.to_string())
            .env("PATH", &path)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(files(&parts) == files(&whole));
    verify(&parts);
    // As many pods as shards.
    assert!(
        text.contains("completions: 16\n") && text.contains("COMPLETIONS\n              value: \"16\"\n")
    );
}
