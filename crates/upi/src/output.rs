//! Answers and updates, one whole after the other.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a command is answered with.
#[derive(Debug)]
pub(crate) enum Answer {
    /// That it was done.
    Done,
    /// Lines.
    Lines(Vec<String>),
}

impl From<String> for Answer {
    fn from(line: String) -> Self {
        Self::Lines(vec![line])
    }
}

/// Where answers and updates go. Each is written as a whole: no other comes in between.
#[derive(Clone)]
pub(crate) struct Output(Arc<Mutex<Stream>>);

struct Stream {
    writer: Box<dyn Write + Send>,
    end: Option<String>,
}

impl Output {
    pub fn new(writer: Box<dyn Write + Send>) -> Self {
        Self(Arc::new(Mutex::new(Stream { writer, end: None })))
    }

    fn stream(&self) -> MutexGuard<'_, Stream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lines before the first answer. Known clients read three or four.
    pub fn banner(&self) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let mut stream = self.stream();
        write!(
            stream.writer,
            "noregret {version} speaking UPI\nMIT or Apache-2.0\nregistered to everybody\n\n"
        )?;
        stream.writer.flush()
    }

    /// Sets what ends every answer; nothing if none.
    pub fn set_end(&self, end: Option<String>) {
        self.stream().end = end;
    }

    /// Answers a command.
    pub fn answer(&self, command: &str, answer: &Result<Answer, String>) -> io::Result<()> {
        match answer {
            Ok(Answer::Done) => self.write(&format!("{command} ok!\n"), true),
            Ok(Answer::Lines(lines)) => self.write(&(lines.join("\n") + "\n"), true),
            Err(message) => self.error(&format!("{command}: {message}")),
        }
    }

    /// Answers a command that went wrong.
    pub fn error(&self, message: &str) -> io::Result<()> {
        self.write(&format!("ERROR: {}\n", message.replace(['\n', '\r'], " ")), true)
    }

    /// Something that nobody asked for: one line without an end, or several with one.
    pub fn update(&self, lines: &[String]) -> io::Result<()> {
        self.write(&(lines.join("\n") + "\n"), lines.len() > 1)
    }

    fn write(&self, text: &str, ends: bool) -> io::Result<()> {
        let mut stream = self.stream();
        stream.writer.write_all(text.as_bytes())?;
        if let Some(end) = stream.end.clone().filter(|_| ends) {
            stream.writer.write_all(end.as_bytes())?;
            stream.writer.write_all(b"\n")?;
        }
        stream.writer.flush()
    }
}

/// An output in memory: for tests and examples.
#[derive(Clone, Default)]
pub struct Printed(Arc<Mutex<Vec<u8>>>);

impl Printed {
    /// Where to write to it.
    pub fn writer(&self) -> Box<dyn Write + Send> {
        Box::new(self.clone())
    }

    /// What has been written.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
