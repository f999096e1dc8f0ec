//! Tells the program which commit and target it is built from and for, for `noregret --version`.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=NOREGRET_COMMIT");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    // Only in release builds: others would be built anew after every commit.
    let commit = if variable("PROFILE") == "release" { commit() } else { None };
    println!("cargo:rustc-env=NOREGRET_COMMIT={}", commit.unwrap_or_default());
    println!("cargo:rustc-env=NOREGRET_TARGET={}", variable("TARGET"));
}

/// The commit, from whoever builds, from the package on crates.io, or from git.
fn commit() -> Option<String> {
    let given = std::env::var("NOREGRET_COMMIT").ok().filter(|commit| !commit.is_empty());
    given.or_else(packaged).or_else(checked_out).map(|commit| commit.chars().take(12).collect())
}

/// What `cargo package` has noted.
fn packaged() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, after) = text.split_once("\"sha1\"")?;
    let commit = after.split('"').nth(1)?;
    Some(commit.to_owned())
}

fn checked_out() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // Of this repository, and not of another that the sources were unpacked in.
    let root = git(&["rev-parse", "--show-toplevel"])?;
    if !Path::new(&root).join("crates/cli/build.rs").exists() {
        return None;
    }
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]).filter(|path| Path::new(path).exists()) {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "HEAD"])
}
