//! The README and the book against the program: every block runs, the output that is shown is the output that is printed, and every
//! option, field and column that is listed exists. CONTRIBUTING.md explains the attributes of blocks.
//!
//! `NOREGRET_BLESS=1 cargo test -p noregret --test docs` writes the real output into the pages.

#![cfg(unix)]

mod blocks;
mod options;
mod pages;
mod schemas;
mod workdir;

use blocks::{Block, Fault};
use std::fmt::Write as _;
use std::path::Path;
use workdir::Workdir;

/// Runs the blocks of a page in order, in one directory; returns what is wrong.
fn run_page(path: &Path) -> Vec<String> {
    let blesses = std::env::var_os("NOREGRET_BLESS").is_some();
    let text = std::fs::read_to_string(path).unwrap();
    let workdir = Workdir::new();
    let (mut problems, mut replacements) = (Vec::new(), Vec::new());
    for block in Block::all(&text) {
        match workdir.run(&block) {
            Ok(()) => {}
            Err(Fault::Output { printed, .. }) if blesses => replacements.push((block.lines, printed)),
            Err(fault) => problems.push(format!("{}:{}: {fault}", path.display(), block.lines.start)),
        }
    }
    // From the last block to the first, so that the lines of those before stay where they are.
    let blessed = replacements
        .into_iter()
        .rev()
        .fold(text.clone(), |text, (lines, printed)| blocks::replace_lines(&text, lines, &printed));
    if blessed != text {
        std::fs::write(path, blessed).unwrap();
    }
    problems
}

fn assert_none(problems: &[String]) {
    let mut message = String::new();
    for problem in problems {
        let _ = writeln!(message, "{problem}\n");
    }
    assert!(problems.is_empty(), "\n{message}");
}

#[test]
fn every_block_of_the_readme_runs_and_prints_what_it_shows() {
    assert_none(&run_page(&pages::root().join("README.md")));
}

#[test]
fn every_block_of_the_book_runs_and_prints_what_it_shows() {
    let problems: Vec<String> = pages::book().iter().flat_map(|page| run_page(page)).collect();
    assert_none(&problems);
}

#[test]
fn every_block_has_a_language_that_is_run() {
    let mut problems = Vec::new();
    for page in pages::all() {
        let text = std::fs::read_to_string(&page).unwrap();
        for block in Block::all(&text) {
            let place = format!("{}:{}", page.display(), block.lines.start);
            match block.language.as_str() {
                // Those of this page are doctests of `noregret-book`.
                "rust" if page.ends_with("guide/rust.md") => {}
                "rust" => problems.push(format!("{place}: only guide/rust.md is compiled")),
                "sh" | "console" | "toml" | "python" | "text" => {}
                other => problems.push(format!("{place}: no test runs a block of `{other}`")),
            }
        }
    }
    assert_none(&problems);
}

#[test]
fn every_page_is_in_the_summary_and_every_link_leads_somewhere() {
    assert_none(&pages::problems());
}

#[test]
fn every_option_of_every_command_is_listed() {
    assert_none(&options::problems());
}

#[test]
fn every_field_of_every_json_form_is_listed_with_its_type() {
    assert_none(&schemas::problems());
}
