//! The blocks of code in a page, and how their output is compared.

use std::fmt;
use std::ops::Range;

/// A block of code: what follows the fence, and the lines in between.
pub struct Block {
    pub language: String,
    attributes: Vec<String>,
    pub text: String,
    /// The lines in between, counted from 1.
    pub lines: Range<usize>,
}

impl Block {
    /// The blocks of a page, in order.
    pub fn all(page: &str) -> Vec<Self> {
        let mut blocks = Vec::new();
        let mut lines = page.lines().zip(1..);
        while let Some((line, number)) = lines.next() {
            let Some(info) = line.strip_prefix("```") else { continue };
            let mut words = info.split(',').map(str::to_owned);
            let language = words.next().unwrap_or_default();
            let inside: Vec<&str> =
                lines.by_ref().map(|(line, _)| line).take_while(|line| *line != "```").collect();
            let end = number + 1 + inside.len();
            let text = inside.iter().map(|line| format!("{line}\n")).collect();
            blocks.push(Self { language, attributes: words.collect(), text, lines: number + 1..end });
        }
        blocks
    }

    /// Whether it has an attribute.
    pub fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|attribute| attribute == name)
    }

    /// The value of an attribute like `exit=2`.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find_map(|attribute| attribute.strip_prefix(name)?.strip_prefix('='))
    }

    /// The commands of a console, each with the output that is shown for it.
    pub fn steps(&self) -> Vec<(String, String)> {
        let mut steps: Vec<(String, String)> = Vec::new();
        for line in self.text.lines() {
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push((command.to_owned(), String::new())),
                (None, Some((_, output))) => output.push_str(&format!("{line}\n")),
                (None, None) => steps.push((String::new(), format!("{line}\n"))),
            }
        }
        steps
    }
}

/// What is wrong with a block.
pub enum Fault {
    /// It ended otherwise than it should.
    Exit { command: String, code: Option<i32>, output: String },
    /// It prints something else than the page shows.
    Output { shown: String, printed: String },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit { command, code, output } => {
                write!(f, "`{command}` ended with {code:?}:\n{output}")
            }
            Self::Output { shown, printed } => {
                write!(
                    f,
                    "the page shows\n{shown}but it is\n{printed}NOREGRET_BLESS=1 writes that into the page"
                )
            }
        }
    }
}

/// Whether an output is what a page shows: but for durations, the words of the column `vary`, and whatever a line `…` stands for.
pub fn is_shown(shown: &str, printed: &str, vary: Option<usize>) -> bool {
    let comparable = |text: &str| -> Vec<String> {
        text.trim_end().lines().map(|line| without_varying(line, vary)).collect()
    };
    matches(&comparable(shown), &comparable(printed))
}

fn matches(shown: &[String], printed: &[String]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [line, rest @ ..] if line == "…" => (0..=printed.len()).any(|skip| matches(rest, &printed[skip..])),
        [line, rest @ ..] => printed.first() == Some(line) && matches(rest, &printed[1..]),
    }
}

/// A line without what is different each time. Durations are numbers before ` s`.
fn without_varying(line: &str, vary: Option<usize>) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_duration = |at: usize| {
        let unit = words.get(at + 1).is_some_and(|unit| unit.trim_end_matches([',', '.', ')']) == "s");
        unit && (words[at] == "…" || words[at].parse::<f64>().is_ok())
    };
    if vary.is_none() && !(0..words.len()).any(is_duration) {
        return line.trim_end().to_owned();
    }
    let word = |at: usize| if is_duration(at) || vary == Some(at + 1) { "#" } else { words[at] };
    (0..words.len()).map(word).collect::<Vec<_>>().join(" ")
}

/// A text with some of its lines, counted from 1, replaced.
pub fn replace_lines(text: &str, lines: Range<usize>, new: &str) -> String {
    let mut out = String::new();
    for (line, number) in text.lines().zip(1..) {
        if number == lines.start {
            out.push_str(new);
        }
        if !lines.contains(&number) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

#[test]
fn durations_and_columns_may_differ_and_an_ellipsis_stands_for_lines() {
    assert!(is_shown("in 1.50 s\nx\n", "in 0.31 s\nx\n", None));
    assert!(is_shown("in … s\n", "in 0.31 s\n", None));
    assert!(!is_shown("in 1.50 s\nx\n", "in 0.31 s\ny\n", None));
    assert!(!is_shown("1.5 MB\n", "1.6 MB\n", None));
    assert!(is_shown("a\n…\nd\n", "a\nb\nc\nd\n", None));
    assert!(!is_shown("a\n…\nd\n", "a\nb\nc\n", None));
    assert!(is_shown("dcfr  32/32  1.5\n", "dcfr  32/32  22.0\n", Some(3)));
    assert!(!is_shown("", "x\n", None));
}
