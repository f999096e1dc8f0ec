//! Mutated histories: nothing panics, and no hand is accepted whose chips do not add up.

mod common;

use common::{files, imbalance};
use noregret_hands::{read_bytes, read_text};

/// Marsaglia's xorshift: the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count.max(1) as u64) as usize
    }
}

/// Every hand of the corpus as a text of its own.
fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for (name, bytes) in files() {
        let text = String::from_utf8(bytes).unwrap();
        let parts: Vec<&str> = match name.ends_with(".txt") {
            true => text.split("\n\n\n").flat_map(|part| part.split("\r\n\r\n\r\n")).collect(),
            false => vec![&text],
        };
        texts.extend(parts.into_iter().map(str::to_owned));
    }
    texts
}

/// A text with digits, words, lines or letters changed.
fn mutated(text: &str, others: &[String], random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=random.below(2) {
        let at = random.below(lines.len());
        match random.below(8) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[random.below(lines.len())].clone()),
            2 => {
                let other = random.below(lines.len());
                lines.swap(at, other);
            }
            3 => {
                let other: Vec<&str> = others[random.below(others.len())].lines().collect();
                lines[at] = other[random.below(other.len())].to_owned();
            }
            4 | 5 => {
                let digits: Vec<usize> =
                    lines[at].match_indices(|c: char| c.is_ascii_digit()).map(|(i, _)| i).collect();
                if let Some(&digit) = digits.get(random.below(digits.len())) {
                    let new = char::from(b'0' + random.below(10) as u8);
                    lines[at].replace_range(digit..=digit, &new.to_string());
                }
            }
            6 => {
                let mut words: Vec<&str> = lines[at].split(' ').collect();
                let (a, b) = (random.below(words.len()), random.below(words.len()));
                words.swap(a, b);
                lines[at] = words.join(" ");
            }
            _ => {
                let mut letters: Vec<char> = lines[at].chars().collect();
                let place = random.below(letters.len() + 1);
                letters.insert(place, ['9', '.', ',', ' ', '[', '$', 'é', '\u{0}', '-'][random.below(9)]);
                lines[at] = letters.into_iter().collect();
            }
        }
        if lines.is_empty() {
            break;
        }
    }
    lines.join("\n")
}

#[test]
fn ten_thousand_mutated_histories_are_read_or_refused() {
    let texts = texts();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut accepted, mut refused) = (0, 0);
    for i in 0..10_000 {
        let text = mutated(&texts[i % texts.len()], &texts, &mut random);
        let read = read_text(&text);
        refused += read.errors.len();
        for hand in &read.hands {
            accepted += 1;
            assert_eq!(imbalance(hand), None, "{text}");
        }
        let last = text.lines().count() as u32;
        for error in &read.errors {
            assert!(error.line >= 1 && error.line <= last + 1 && !error.message.is_empty(), "{error}");
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(refused > 3_000 && accepted > 500, "{accepted} accepted, {refused} refused");
}

#[test]
fn mutated_bytes_do_not_panic() {
    let files = files();
    let mut random = Random(42);
    for i in 0..300 {
        let mut bytes = files[i % files.len()].1.clone();
        for _ in 0..4 {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
        }
        bytes.truncate(random.below(bytes.len()));
        for hand in read_bytes(&bytes).hands {
            assert_eq!(imbalance(&hand), None);
        }
    }
}
