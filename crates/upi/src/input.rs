//! Commands, line by line.

use std::io::{BufRead, Read};

/// The lines of an input.
pub(crate) struct CommandReader<'i> {
    reader: &'i mut dyn BufRead,
}

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum InputLine {
    /// A command.
    Command(String),
    /// Nothing to answer: an empty line or a comment.
    Skipped,
    /// More bytes than a command may have.
    TooLong,
    /// Nothing, or nothing that can be read.
    End,
}

impl<'i> CommandReader<'i> {
    /// The longest command: a strategy of 64 actions has 84,864 numbers.
    pub const MOST: usize = 4 << 20;

    pub fn new(reader: &'i mut dyn BufRead) -> Self {
        Self { reader }
    }

    pub fn next(&mut self) -> InputLine {
        let mut bytes = Vec::new();
        match self.reader.take(Self::MOST as u64 + 1).read_until(b'\n', &mut bytes) {
            Err(_) | Ok(0) => return InputLine::End,
            Ok(_) => {}
        }
        if bytes.len() > Self::MOST && bytes.last() != Some(&b'\n') {
            return self.skip_rest();
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim().trim_start_matches('\u{feff}');
        if text.is_empty() || text.starts_with('#') {
            InputLine::Skipped
        } else {
            InputLine::Command(text.to_owned())
        }
    }

    fn skip_rest(&mut self) -> InputLine {
        loop {
            let Ok(buffer) = self.reader.fill_buf() else { return InputLine::End };
            if buffer.is_empty() {
                return InputLine::TooLong;
            }
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.reader.consume(used);
            if end.is_some() {
                return InputLine::TooLong;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lines_and_comments_are_skipped_and_long_lines_are_not_kept() {
        let long = "x".repeat(CommandReader::MOST + 10);
        let text = format!("\n# a comment\r\n  is_ready \r\n{long}\nshow_node r\n\u{feff}exit");
        let mut bytes = text.as_bytes();
        let mut input = CommandReader::new(&mut bytes);
        let command = |text: &str| InputLine::Command(text.to_owned());
        let expected = [
            InputLine::Skipped,
            InputLine::Skipped,
            command("is_ready"),
            InputLine::TooLong,
            command("show_node r"),
            command("exit"),
            InputLine::End,
            InputLine::End,
        ];
        for expected in expected {
            assert_eq!(input.next(), expected);
        }
    }
}
