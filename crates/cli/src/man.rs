//! `noregret man`: pages of the manual, made of the same definitions as `--help`.

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::output;
use crate::place::{self, OutputFile};
use clap::Command;
use clap_mangen::Man;
use noregret_store::OutputKind;
use std::path::{Path, PathBuf};

/// Print a page of the manual, or write all of them into a folder.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret man solve | man -l -
  noregret man --out ~/.local/share/man/man1")]
pub struct Args {
    /// The command whose page to print, as in `noregret man forty-two solve` [default: all commands in short]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,

    /// Write the pages of all commands into this folder, as `noregret.1`, `noregret-solve.1`…
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write over files that are something else
    #[arg(long, requires = "out")]
    force: bool,
}

/// What every page of this program begins with, and none of another.
const PAGE: OutputKind = OutputKind {
    name: "a page of this manual",
    endings: &["1"],
    beginnings: &[b".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n.TH noregret"],
};

/// Runs the command; `root` is the whole program.
pub fn run(args: &Args, mut root: Command) -> Result<ExitCode, Failure> {
    root.build();
    match &args.out {
        Some(folder) => {
            noregret_store::make_directories(folder).map_err(|error| place::cannot_write(folder, &error))?;
            write(&pages(&root), folder, args.force)?;
        }
        None => output::print(page(find(&root, &args.command)?).trim_end())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes pages into a folder, or none of them if one would destroy something.
fn write(pages: &[(String, String)], folder: &Path, force: bool) -> Result<(), Failure> {
    let paths: Vec<PathBuf> = pages.iter().map(|(name, _)| folder.join(format!("{name}.1"))).collect();
    let outputs: Vec<OutputFile<'_>> =
        paths.iter().map(|path| OutputFile { option: "--out", path, kind: PAGE }).collect();
    place::check(&outputs, &[], force)?;
    for (path, (_, page)) in paths.iter().zip(pages) {
        noregret_store::write_whole(path, page.as_bytes())
            .map_err(|error| place::cannot_write(path, &error))?;
    }
    Ok(())
}

/// The command that is named by its words.
fn find<'c>(root: &'c Command, words: &[String]) -> Result<&'c Command, Failure> {
    words.iter().try_fold(root, |command, word| {
        let known = |command: &Command| {
            let names =
                command.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name);
            names.collect::<Vec<_>>().join(", ")
        };
        command.find_subcommand(word).ok_or_else(|| match command.has_subcommands() {
            true => Failure::request(format!(
                "there is no command `{word}` of `{}`: it has {}",
                command.get_bin_name().unwrap_or(command.get_name()),
                known(command)
            )),
            false => Failure::request(format!(
                "`{}` has no further commands, so not `{word}`",
                command.get_bin_name().unwrap_or(command.get_name())
            )),
        })
    })
}

fn page(command: &Command) -> String {
    let mut bytes = Vec::new();
    // Writing to memory does not fail.
    let _ = Man::new(command.clone()).render(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The name and page of a command and of all below it.
fn pages(command: &Command) -> Vec<(String, String)> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let below =
        command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    let mut all = vec![(name, page(command))];
    all.extend(below.flat_map(pages));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use clap::CommandFactory;

    fn built() -> Command {
        let mut root = Cli::command();
        root.build();
        root
    }

    #[test]
    fn every_command_has_a_page_with_its_options() {
        let pages = pages(&built());
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        for name in ["noregret", "noregret-solve", "noregret-forty-two", "noregret-forty-two-solve"] {
            assert!(names.contains(&name), "{name} is not in {names:?}");
        }
        for (name, page) in &pages {
            assert!(
                PAGE.beginnings.iter().any(|beginning| page.as_bytes().starts_with(beginning)),
                "{name}: {page}"
            );
        }
        let (_, solve) = pages.iter().find(|(name, _)| name == "noregret-solve").unwrap();
        assert!(solve.starts_with(".ie") && solve.contains("max\\-iterations"), "{solve}");
    }

    #[test]
    fn an_unknown_command_is_told_with_the_known_ones() {
        let message = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            find(&built(), &words).err().unwrap().message().to_owned()
        };
        let text = message(&["slove"]);
        assert!(
            text.starts_with("there is no command `slove` of `noregret`: it has solve, compare"),
            "{text}"
        );
        assert_eq!(message(&["solve", "all"]), "`noregret solve` has no further commands, so not `all`");
    }
}
