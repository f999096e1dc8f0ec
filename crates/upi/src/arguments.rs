//! What the words after a command stand for.

use noregret_cards::{Board, Hole, Range};
use noregret_holdem::{Chips, IP, Line, OOP, Player};
use std::str::FromStr;

/// The arguments of a command, taken from the left.
pub(crate) struct Arguments {
    words: std::vec::IntoIter<String>,
}

/// As much of a word as a message shows.
fn shown(word: &str) -> String {
    let short: String = word.chars().take(40).collect();
    if short.len() < word.len() { format!("`{short}…`") } else { format!("`{word}`") }
}

impl Arguments {
    pub fn new(words: Vec<String>) -> Self {
        Self { words: words.into_iter() }
    }

    /// The next one; `what` is what belongs there, as in `a node like r:0:c`.
    pub fn word(&mut self, what: &str) -> Result<String, String> {
        self.words.next().ok_or_else(|| format!("{what} is missing"))
    }

    /// The next one, if there is one.
    pub fn optional(&mut self) -> Option<String> {
        self.words.next()
    }

    /// All that are left.
    pub fn rest(&mut self) -> Vec<String> {
        self.words.by_ref().collect()
    }

    /// How many are left.
    pub fn left(&self) -> usize {
        self.words.len()
    }

    /// Refuses what is left.
    pub fn end(&mut self) -> Result<(), String> {
        match self.words.next() {
            Some(word) => Err(format!("{} is too much", shown(&word))),
            None => Ok(()),
        }
    }

    /// The next one as a number.
    pub fn number<T: FromStr>(&mut self, what: &str) -> Result<T, String> {
        let word = self.word(what)?;
        word.parse().map_err(|_| format!("{} is not {what}", shown(&word)))
    }

    /// A finite number of at least 0.
    pub fn amount(&mut self, what: &str) -> Result<f64, String> {
        let number: f64 = self.number(what)?;
        if number.is_finite() && number >= 0.0 {
            Ok(number)
        } else {
            Err(format!("`{number}` is not {what}"))
        }
    }

    /// `OOP` or `IP`, or their numbers 0 and 1.
    pub fn player(&mut self) -> Result<Player, String> {
        let word = self.word("a player, OOP or IP,")?;
        match word.to_ascii_uppercase().as_str() {
            "OOP" | "0" => Ok(OOP),
            "IP" | "1" => Ok(IP),
            _ => Err(format!("{} is not a player: OOP or IP", shown(&word))),
        }
    }

    /// A node.
    pub fn node(&mut self) -> Result<NodeName, String> {
        let word = self.word("a node like r:0:c")?;
        if word != "r" && !word.starts_with("r:") {
            return Err(format!("{} is not a node: it begins with r, like r:0:c", shown(&word)));
        }
        let line = word.parse().map_err(|error| format!("{}: {error}", shown(&word)))?;
        Ok(NodeName { is_root: word == "r", line })
    }

    /// Whole chips, at least 1.
    pub fn chips(&mut self, what: &str) -> Result<Chips, String> {
        let count: u64 = self.number(what)?;
        Chips::new(count)
            .filter(|&chips| chips > Chips::ZERO)
            .ok_or_else(|| format!("`{count}` is not {what}"))
    }

    /// Amounts of chips, at least one.
    pub fn line(&mut self) -> Result<Vec<u32>, String> {
        let words = self.rest();
        if words.is_empty() {
            return Err("a line is missing: chips for each action, like 0 50 150".to_owned());
        }
        let chips = |word: &String| {
            let count = word.parse().ok().and_then(Chips::new);
            count.map(Chips::count).ok_or_else(|| format!("{} is not a number of chips", shown(word)))
        };
        words.iter().map(chips).collect()
    }

    /// Cards of a board, with or without blanks.
    pub fn board(&mut self) -> Result<Board, String> {
        let cards = self.rest().concat();
        if cards.is_empty() {
            return Err("a board is missing, like QsJh2h".to_owned());
        }
        cards.parse().map_err(|error| format!("{}: {error}", shown(&cards)))
    }

    /// A weight for each hand, or a range in words.
    pub fn range(&mut self) -> Result<Range, String> {
        let words = self.rest();
        let [word] = words.as_slice() else {
            let weights = numbers(&words, 1)?.remove(0);
            let mut range = Range::default();
            for (hole, weight) in Hole::all().zip(weights) {
                range.set(hole, weight as f32).map_err(|error| format!("{hole}: {error}"))?;
            }
            return Ok(range);
        };
        word.parse().map_err(|error| format!("{}: {error}", shown(word)))
    }
}

/// A place in the tree.
#[derive(Clone, Debug)]
pub(crate) struct NodeName {
    /// Whether it is the node before the first decision.
    pub is_root: bool,
    pub line: Line,
}

/// So many rows of a number for each hand.
pub(crate) fn numbers(words: &[String], rows: usize) -> Result<Vec<Vec<f64>>, String> {
    if words.len() != rows * Hole::COUNT {
        return Err(format!("{} numbers are given, and {} are needed", words.len(), rows * Hole::COUNT));
    }
    let number = |word: &String| {
        let number = word.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| format!("{} is not a number", shown(word)))
    };
    let all: Vec<f64> = words.iter().map(number).collect::<Result<_, _>>()?;
    Ok(all.chunks(Hole::COUNT).map(<[f64]>::to_vec).collect())
}
