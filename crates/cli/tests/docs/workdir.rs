//! A directory in which the blocks of a page run, one after the other.

use super::blocks::{Block, Fault, is_shown};
use super::pages;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_noregret");

pub struct Workdir {
    home: TempDir,
}

impl Workdir {
    /// A directory with the examples, and with what the commands of pages call.
    pub fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let directory = Self { home };
        for name in ["bin", "examples", "scripts"] {
            std::fs::create_dir(directory.path().join(name)).unwrap();
        }
        for entry in pages::root().join("examples").read_dir().unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_file() {
                std::fs::copy(entry.path(), directory.path().join("examples").join(entry.file_name()))
                    .unwrap();
            }
        }
        // A server runs until it is told to end: once it serves, it is.
        let serve = r#"if [ "$1" = serve ] && [ "$2" != --print-openapi ]; then
  shift
  PROGRAM serve --no-open --port 0 "$@" >serve.out & server=$!
  until grep -q '^Open' serve.out; do kill -0 $server || exit 1; sleep 0.1; done
  kill -TERM $server
  wait $server
  exit
fi
exec PROGRAM "$@""#;
        directory.script("bin/noregret", &serve.replace("PROGRAM", PROGRAM));
        // What `cargo run` would build is what is tested.
        directory.script(
            "bin/cargo",
            r#"[ "$1 $2" = "run --release" ] && shift 2 || exit 1
[ "$1" = --no-default-features ] && shift
[ "$1" = -- ] && shift && exec noregret "$@""#,
        );
        // These tests are a part of it.
        let test = pages::root().join("scripts/test");
        directory.script("scripts/test", &format!("test -x {}", test.display()));
        directory
    }

    pub fn path(&self) -> &Path {
        self.home.path()
    }

    fn script(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs a block.
    pub fn run(&self, block: &Block) -> Result<(), Fault> {
        match block.language.as_str() {
            "console" => self.console(block),
            "sh" => self.finished("sh", &["-e", "-c", &block.text], block).map(drop),
            "toml" => self.toml(block),
            // The tests of the Python package run it, against the wheel.
            "python" if block.has("wheel") || block.has("torch") => Ok(()),
            "python" => {
                let python = pages::root().join("target/dominoes-venv/bin/python");
                assert!(python.exists(), "run scripts/setup-dominoes-tests first");
                self.finished(python.to_str().unwrap(), &["-c", &block.text], block).map(drop)
            }
            _ => Ok(()),
        }
    }

    fn console(&self, block: &Block) -> Result<(), Fault> {
        let server = block.has("server").then(|| Server::start(self.path()));
        let (mut printed, mut differs) = (String::new(), false);
        for (command, shown) in block.steps() {
            let really = match &server {
                Some(server) => command.replace("127.0.0.1:4242", &server.address),
                None => command.clone(),
            };
            let output = self.finished("sh", &["-c", &really], block)?;
            differs |= !is_shown(&shown, &output, block.value("vary").and_then(|column| column.parse().ok()));
            printed.push_str(&format!("$ {command}\n{output}"));
        }
        if differs && !block.has("ignore-output") {
            return Err(Fault::Output { shown: block.text.clone(), printed });
        }
        Ok(())
    }

    /// Writes a spec or a plan, and asks the program whether it accepts it. What is only a part of a spec is added to `quick.toml`.
    fn toml(&self, block: &Block) -> Result<(), Fault> {
        let is = |table: &str| block.text.lines().any(|line| line == table);
        let text = if is("[ranges]") || is("[batch]") {
            block.text.clone()
        } else {
            let quick = std::fs::read_to_string(self.path().join("examples/quick.toml")).unwrap();
            let (spot, _solver) = quick.split_once("[solver]").unwrap();
            format!("{spot}{}", block.text)
        };
        let file = block.value("file").unwrap_or("examples/block.toml");
        std::fs::write(self.path().join(file), text).unwrap();
        let check = if is("[batch]") { ["batch", file, "--status"] } else { ["solve", file, "--dry-run"] };
        if block.has("no-check") { Ok(()) } else { self.finished(PROGRAM, &check, block).map(drop) }
    }

    /// Runs a command to its end, which must be the one that the block expects; returns what it prints.
    fn finished(&self, program: &str, args: &[&str], block: &Block) -> Result<String, Fault> {
        let paths = [self.path().join("bin"), PathBuf::from("/usr/bin"), PathBuf::from("/bin")];
        let output = Command::new(program)
            .args(args)
            .current_dir(self.path())
            .env("PATH", std::env::join_paths(paths).unwrap())
            .env("HOME", self.path())
            .env("XDG_DATA_HOME", self.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        let expected = block.value("exit").map_or(0, |code| code.parse().unwrap());
        if output.status.code() != Some(expected) {
            let command = args.last().copied().unwrap_or_default().to_owned();
            return Err(Fault::Exit { command, code: output.status.code(), output: text });
        }
        Ok(if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" })
    }
}

/// A server that runs while a block does.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(home: &Path) -> Self {
        let mut process = Command::new(PROGRAM)
            .args(["serve", "--no-open", "--port", "0", "--library", "library"])
            .current_dir(home)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = lines.map_while(Result::ok).find_map(|line| {
            let address = line.strip_prefix("Open http://")?.split('/').next()?.to_owned();
            Some(address)
        });
        Self { process, address: address.unwrap() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
