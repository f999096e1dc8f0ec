//! The options that `reference/commands.md` lists against those of `--help`.

use super::pages;
use std::collections::BTreeSet;
use std::process::Command;

/// Options that are listed and do not exist, or exist and are not listed.
pub fn problems() -> Vec<String> {
    let page = std::fs::read_to_string(pages::root().join("docs/reference/commands.md")).unwrap();
    let mut problems = Vec::new();
    let mut commands = BTreeSet::new();
    for section in page.split("\n## noregret ").skip(1) {
        let (command, text) = section.split_once('\n').unwrap();
        commands.insert(command.to_owned());
        let listed: BTreeSet<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("| `--"))
            .map(|row| row.split([' ', '`']).next().unwrap_or_default().to_owned())
            .collect();
        let existing: BTreeSet<String> = names(&help(command), "--").collect();
        for name in listed.symmetric_difference(&existing) {
            let wrong = if listed.contains(name) { "does not exist" } else { "is not listed" };
            problems.push(format!("docs/reference/commands.md: {command} --{name} {wrong}"));
        }
    }
    let subcommands = |command: &str| {
        let text = help(command);
        let list = text.split_once("Commands:\n").map_or("", |(_, list)| list);
        let list = list.split_once("\n\n").map_or(list, |(list, _)| list).to_owned();
        list.lines()
            .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
            .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
            .filter(|name| name != "help")
            .collect::<Vec<String>>()
    };
    let existing = subcommands("").into_iter().flat_map(|name| match subcommands(&name) {
        below if below.is_empty() => vec![name],
        below => below.iter().map(|below| format!("{name} {below}")).collect(),
    });
    for command in existing.filter(|command| !commands.contains(command)) {
        problems.push(format!("docs/reference/commands.md: {command} is not listed"));
    }
    problems
}

fn help(command: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_noregret"))
        .args(command.split_whitespace())
        .arg("--help")
        .output()
        .unwrap();
    assert!(output.status.success(), "{command}");
    String::from_utf8(output.stdout).unwrap()
}

/// The options of a help text but for those that every command has.
fn names<'t>(help: &'t str, mark: &'t str) -> impl Iterator<Item = String> + 't {
    help.lines()
        .filter_map(move |line| {
            let option = line.trim_start();
            let option = option
                .split_once(", ")
                .filter(|(short, _)| short.len() == 2)
                .map_or(option, |(_, long)| long);
            (line.len() - line.trim_start().len() <= 6).then(|| option.strip_prefix(mark))?
        })
        .map(|option| option.split([' ', '[', '=', ',']).next().unwrap_or_default().to_owned())
        .filter(|name| name != "help" && name != "version")
}
