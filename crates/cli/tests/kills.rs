//! Solves that end before their time: killed, interrupted, out of room.
#![cfg(unix)]

mod common;

use common::{Run, TURN, solve_in};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const ITERATIONS: &str = "300";

fn home() -> TempDir {
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("spot.toml"), TURN).unwrap();
    home
}

fn send(signal: &str, child: &Child) {
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// What an answer says, apart from the clock.
fn essence(answer: &Value) -> (Value, Vec<(u64, f64)>) {
    let point =
        |point: &Value| (point["iteration"].as_u64().unwrap(), point["exploitability_pct"].as_f64().unwrap());
    let history = answer["history"].as_array().unwrap().iter().map(point).collect();
    (answer["strategy_digest"].clone(), history)
}

fn answer(home: &Path, args: &[&str]) -> Value {
    Run::from(solve_in(home, args).output().unwrap()).ok().json()
}

/// Kills a solve 20 times, each time while it goes on from its last checkpoint; it ends as one that was never killed.
fn killed_twenty_times(bits: &str, seed: u64) {
    let home = home();
    let common = [
        "spot.toml",
        "--json",
        "--target",
        "0",
        "--max-iterations",
        ITERATIONS,
        "--strategy-bits",
        bits,
        "--regret-bits",
        bits,
    ];
    let through = answer(home.path(), &common);
    let checkpoint = home.path().join("spot.nrc");
    let mut random = Random(seed);
    let mut kills = 0;
    let mut within_a_save = 0;
    // A machine may be so slow that nothing happens before the kill, or so quick that all is over before it.
    let mut longest = 100;
    while kills < 20 {
        let mut command = solve_in(home.path(), &common);
        command.args(["--checkpoint", "spot.nrc", "--checkpoint-every", "0"]);
        if checkpoint.exists() {
            command.args(["--resume", "spot.nrc"]);
        }
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(random.below(longest)));
        send("-KILL", &child);
        let status = child.wait().unwrap();
        if status.success() {
            // It was over already: start anew, and do not wait so long.
            std::fs::remove_file(&checkpoint).unwrap();
            longest = (longest / 2).max(2);
            continue;
        }
        assert_eq!(status.code(), None, "it was killed");
        kills += 1;
        let parts = home.path().read_dir().unwrap().filter(|entry| {
            entry.as_ref().unwrap().file_name().to_str().is_some_and(|name| name.ends_with(".part"))
        });
        within_a_save += usize::from(parts.count() > 0);
    }
    let mut last = common.to_vec();
    if checkpoint.exists() {
        last.extend(["--resume", "spot.nrc"]);
    }
    let ended = answer(home.path(), &last);
    println!("{bits} bits: {within_a_save} of {kills} kills came within a save");
    assert_eq!(essence(&ended), essence(&through));
}

#[test]
fn killed_in_32_bits_ends_with_the_same_digest() {
    killed_twenty_times("32", 1);
}

#[test]
fn killed_in_16_bits_ends_with_the_same_digest() {
    killed_twenty_times("16", 2);
}

#[test]
fn killed_in_8_bits_ends_with_the_same_digest() {
    killed_twenty_times("8", 3);
}

#[test]
fn ctrl_c_keeps_a_checkpoint_that_ends_like_one_run() {
    let home = home();
    let common = ["spot.toml", "--target", "0", "--max-iterations", "400"];
    let mut child = solve_in(home.path(), &common).args(["--checkpoint", "spot.nrc"]).spawn().unwrap();
    // The sizes come first; from then on an interrupt is heard.
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    std::io::BufRead::read_line(&mut output, &mut text).unwrap();
    send("-INT", &child);
    std::io::Read::read_to_string(&mut output, &mut text).unwrap();
    let code = child.wait().unwrap().code();
    // A machine that is quick enough has done them all.
    assert!(code == Some(130) || code == Some(0), "{code:?} {text}");
    assert!(home.path().join("spot.nrc").exists());
    let mut args = common.to_vec();
    args.push("--json");
    let through = answer(home.path(), &args);
    args.extend(["--resume", "spot.nrc"]);
    assert_eq!(essence(&answer(home.path(), &args)), essence(&through));
}

/// A shell script in a directory of its own, with `$noregret` for the program.
fn script(home: &Path, text: &str) -> Run {
    let mut command = Command::new("sh");
    command.args(["-c", text]).current_dir(home).env("noregret", env!("CARGO_BIN_EXE_noregret"));
    command.stdin(Stdio::null()).output().unwrap().into()
}

/// Whether this user may mount file systems of its own.
fn can_mount() -> bool {
    let probe = "mkdir -p probe && unshare -rm mount -t tmpfs tmpfs probe";
    script(home().path(), probe).code == Some(0)
}

/// Whether files of another user can be kept from this one.
fn is_root() -> bool {
    script(home().path(), "test $(id -u) = 0").code == Some(0)
}

#[test]
fn a_full_disk_leaves_the_earlier_file_and_the_checkpoint() {
    if !can_mount() {
        println!(
            "skipped: no file system can be mounted here; a limit on the size of files is tested instead"
        );
        return;
    }
    let home = home();
    // A disk with room for a checkpoint and a small save beside it, and not for a full one.
    let run = script(
        home.path(),
        "set -e
         $noregret solve spot.toml --target 0 --max-iterations 30 --out large.nrs --save-regrets --json > through.json
         $noregret solve spot.toml --target 0 --max-iterations 30 --checkpoint size.nrc --json > /dev/null
         $noregret solve spot.toml --target 0 --max-iterations 20 --out small.nrs --save turn --json > /dev/null
         room=$(( $(stat -c %s size.nrc) * 3 / 2 + $(stat -c %s small.nrs) + 32768 ))
         mkdir disk
         cat > inside <<'END'
mount -t tmpfs -o size=$room tmpfs disk
cp small.nrs disk/spot.nrs
$noregret solve spot.toml --target 0 --max-iterations 30 --out disk/spot.nrs --save-regrets \
    --checkpoint disk/spot.nrc --json > answer.json 2> errors
echo $? > code
cmp small.nrs disk/spot.nrs && echo intact >> code
ls -A disk >> code
cp disk/spot.nrc kept.nrc
END
         export room
         unshare -rm sh ./inside
         cat code errors",
    );
    assert_eq!(run.code, Some(0), "{run:?}");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[..4], ["1", "intact", "spot.nrc", "spot.nrs"], "{run:?}");
    assert_eq!(
        lines[4..],
        [
            "error: cannot write disk/spot.nrs: No space left on device (os error 28). The solve is not lost: --resume \
          disk/spot.nrc goes on from iteration 30"
        ],
        "{run:?}"
    );
    // The answer was printed all the same, and the checkpoint has all of it.
    let read = |name: &str| -> Value {
        serde_json::from_slice(&std::fs::read(home.path().join(name)).unwrap()).unwrap()
    };
    assert_eq!(essence(&read("answer.json")), essence(&read("through.json")));
    let again = answer(
        home.path(),
        &["spot.toml", "--target", "0", "--max-iterations", "30", "--json", "--resume", "kept.nrc"],
    );
    assert_eq!(essence(&again), essence(&read("through.json")));
}

#[test]
fn files_that_may_not_grow_leave_the_earlier_ones() {
    let home = home();
    let run = script(
        home.path(),
        "$noregret solve spot.toml --target 0 --max-iterations 20 --out spot.nrs --save turn --json > /dev/null
         $noregret solve spot.toml --target 0 --max-iterations 20 --checkpoint spot.nrc --json > /dev/null
         cp spot.nrs earlier.nrs; cp spot.nrc earlier.nrc
         trap '' XFSZ; ulimit -f 16
         $noregret solve spot.toml --target 0 --max-iterations 25 --resume spot.nrc --json \
             --checkpoint spot.nrc --checkpoint-every 0 --out spot.nrs --save-regrets > answer.json
         echo $?
         cmp spot.nrs earlier.nrs && cmp spot.nrc earlier.nrc && echo intact
         ls -A",
    );
    assert_eq!(
        run.stdout.lines().collect::<Vec<_>>(),
        ["1", "intact", "answer.json", "earlier.nrc", "earlier.nrs", "spot.nrc", "spot.nrs", "spot.toml"],
        "{run:?}"
    );
    // Checkpoints that cannot be written do not stop a solve: they are complained about once, and so is the solution.
    let warning = "warning: cannot write spot.nrc: File too large (os error 27)";
    assert_eq!(run.stderr.lines().filter(|line| *line == warning).count(), 1, "{run:?}");
    let last = run.stderr.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: cannot write spot.nrs: File too large (os error 27)"), "{run:?}");
    let answer: Value =
        serde_json::from_slice(&std::fs::read(home.path().join("answer.json")).unwrap()).unwrap();
    assert_eq!(answer["iterations"], 25);
}

#[test]
fn a_directory_that_may_not_be_written_is_found_at_once() {
    let inside = "$noregret solve spot.toml --out shelf/spot.nrs --target 0 --max-iterations 1000000000
                  echo $?
                  $noregret solve spot.toml --checkpoint shelf/spot.nrc --target 0 --max-iterations 1000000000
                  echo $?
                  cmp shelf/spot.nrs earlier.nrs && ls -A shelf";
    let before =
        "$noregret solve spot.toml --max-iterations 10 --out earlier.nrs --json > /dev/null; mkdir shelf";
    let text = if !is_root() {
        format!("{before}; cp earlier.nrs shelf/spot.nrs; chmod 555 shelf\n{inside}\nchmod 755 shelf")
    } else if can_mount() {
        let mounted = "mount -t tmpfs tmpfs shelf; cp earlier.nrs shelf/spot.nrs; mount -o remount,ro shelf";
        format!("{before}\ncat > inside <<'END'\n{mounted}\n{inside}\nEND\nunshare -rm sh ./inside")
    } else {
        println!("skipped: root may write everywhere, and nothing can be mounted here");
        return;
    };
    let home = home();
    let run = script(home.path(), &text);
    assert_eq!(run.stdout.lines().collect::<Vec<_>>(), ["1", "1", "spot.nrs"], "{run:?}");
    let errors: Vec<&str> = run.stderr.lines().collect();
    assert!(errors[0].starts_with("error: cannot write shelf/spot.nrs: "), "{run:?}");
    assert!(errors[1].starts_with("error: cannot write shelf/spot.nrc: "), "{run:?}");
    assert!(errors.iter().all(|line| line.contains("Read-only") || line.contains("denied")), "{run:?}");
}
