//! `noregret forty-two query`: the values of states, by the million.

use super::source::read_table;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::output;
use crate::place;
use noregret_dominoes::{EvaluateError, Layout, Row, Table};
use rayon::prelude::*;
use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, sync_channel};

/// Values of packed states, read from standard input, in the order they are asked for.
///
/// Text: a state on each line; with several tables the number of the table, from 0 on, goes before it. An answer is a
/// line of eight numbers: the value, then those of the seven moves, -128 where a move is not legal.
///
/// Answers are printed as soon as there is nothing more to read, so that a program can ask and wait.
///
/// With --binary, states are 64-bit numbers (little-endian), each after the number of its table if there are several;
/// an answer is eight signed bytes.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  echo 2194996723711 | noregret forty-two query tables/seed_00000000_decl_0.n42
  noregret forty-two query tables/seed_00000000_decl_0.n42 --binary < states.i64 > values.i8")]
pub struct Args {
    /// Table files
    #[arg(required = true, value_name = "TABLE", value_parser = place::argument())]
    tables: Vec<PathBuf>,

    /// How states are packed, and what values mean: scored or to-go
    #[arg(long, default_value = "to-go")]
    layout: Layout,

    /// States in and values out as bytes instead of text
    #[arg(long)]
    binary: bool,
}

/// Bytes that are read at once, and of which so many wait at most while others are answered.
const CHUNK: usize = 1 << 18;
const WAITING: usize = 16;
/// Questions that one thread answers together: enough for neighbours to share work.
const PART: usize = 1 << 15;
/// So many tables are prepared for many look-ups, each for up to 30 MB of memory. Of more, those that are asked often are.
const PREPARED: usize = 16;
/// The longest line that can be a question.
const MAX_LINE: usize = 128;

/// A state, and which table it is of.
#[derive(Clone, Copy)]
struct Question {
    table: usize,
    state: i64,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let tables: Vec<Table> =
        args.tables.iter().map(|path| read_table(path).map(|(_, table)| table)).collect::<Result<_, _>>()?;
    if tables.len() <= PREPARED {
        tables.iter().for_each(Table::prepare_look_ups);
    }
    let (sender, receiver) = sync_channel(WAITING);
    // Reading waits for whoever asks, so it has a thread of its own: what is there meanwhile is answered.
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let mut chunk = vec![0; CHUNK];
            let read = match input.read(&mut chunk) {
                Ok(0) => return,
                Ok(count) => {
                    chunk.truncate(count);
                    Ok(chunk)
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            if sender.send(read).is_err() {
                return;
            }
        }
    });
    let mut input =
        QuestionReader { receiver, bytes: Vec::new(), asked: 0, binary: args.binary, tables: tables.len() };
    let mut output = io::stdout().lock();
    loop {
        // A question that cannot be read is told of after the answers to those before it.
        let (questions, read) = input.next_questions();
        let parts: Vec<Answers> =
            questions.par_chunks(PART).map(|part| answer(&tables, part, args.layout, args.binary)).collect();
        for (part, number) in parts.into_iter().zip((input.asked + 1..).step_by(PART)) {
            output.write_all(&part.bytes).map_err(cannot_write)?;
            if let Some((place, error)) = part.wrong {
                output.flush().map_err(cannot_write)?;
                let unit = unit(args.binary);
                return Err(Failure::request(format!("{unit} {}: {error}", number + place)));
            }
        }
        output.flush().map_err(cannot_write)?;
        if !read? {
            return Ok(ExitCode::SUCCESS);
        }
        input.asked += questions.len();
    }
}

/// The answers to some questions, up to the first that has none.
struct Answers {
    bytes: Vec<u8>,
    /// The place among the questions, and what is wrong.
    wrong: Option<(usize, EvaluateError)>,
}

fn answer(tables: &[Table], questions: &[Question], layout: Layout, binary: bool) -> Answers {
    let mut answers = Answers { bytes: Vec::with_capacity(32 * questions.len()), wrong: None };
    for (place, row) in look_up(tables, questions, layout).into_iter().enumerate() {
        match row {
            Ok(row) if binary => {
                let [q0, q1, q2, q3, q4, q5, q6] = row.moves;
                let values = [row.value, q0, q1, q2, q3, q4, q5, q6];
                answers.bytes.extend_from_slice(&values.map(|value| value as u8));
            }
            Ok(row) => write_line(&row, &mut answers.bytes),
            Err(error) => {
                answers.wrong = Some((place, error));
                break;
            }
        }
    }
    answers
}

/// The rows of some questions, in their order.
fn look_up(tables: &[Table], questions: &[Question], layout: Layout) -> Vec<Result<Row, EvaluateError>> {
    if let [table] = tables {
        let states: Vec<i64> = questions.iter().map(|question| question.state).collect();
        return table.look_up_many(&states, layout);
    }
    let mut rows = vec![Err(EvaluateError::NotReachable(0)); questions.len()];
    for (number, table) in tables.iter().enumerate() {
        let of_table = || questions.iter().enumerate().filter(|(_, question)| question.table == number);
        let states: Vec<i64> = of_table().map(|(_, question)| question.state).collect();
        for ((place, _), row) in of_table().zip(table.look_up_many(&states, layout)) {
            rows[place] = row;
        }
    }
    rows
}

fn write_line(row: &Row, out: &mut Vec<u8>) {
    for (place, value) in [row.value].iter().chain(&row.moves).enumerate() {
        if place > 0 {
            out.push(b' ');
        }
        // Writing to a vector cannot fail.
        let _ = write!(out, "{value}");
    }
    out.push(b'\n');
}

fn unit(binary: bool) -> &'static str {
    if binary { "question" } else { "line" }
}

fn cannot_read(error: io::Error) -> Failure {
    Failure::job(format!("cannot read standard input: {error}"))
}

fn cannot_write(error: io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => output::cut_off("a part of the answers"),
        _ => Failure::job(format!("cannot write to standard output: {error}")),
    }
}

/// Questions as they are read.
struct QuestionReader {
    receiver: Receiver<io::Result<Vec<u8>>>,
    /// What is read but not yet a whole question.
    bytes: Vec<u8>,
    /// How many questions were read before.
    asked: usize,
    binary: bool,
    tables: usize,
}

impl QuestionReader {
    /// Waits for more input, and returns the questions that are whole by then, and whether more may follow or what is
    /// wrong with the one after them.
    fn next_questions(&mut self) -> (Vec<Question>, Result<bool, Failure>) {
        let mut questions = Vec::new();
        let first = self.receiver.recv().ok();
        let is_over = first.is_none();
        for chunk in first.into_iter().chain(self.receiver.try_iter().take(WAITING)) {
            match chunk {
                Ok(chunk) => self.bytes.extend(chunk),
                Err(error) => return (questions, Err(cannot_read(error))),
            }
        }
        let bytes = std::mem::take(&mut self.bytes);
        let read = if self.binary {
            self.read_binary(&bytes, is_over, &mut questions)
        } else {
            self.read_text(&bytes, is_over, &mut questions)
        };
        let rest = read.map(|used| self.bytes = bytes[used..].to_vec());
        (questions, rest.map(|()| !is_over))
    }

    /// Reads lines, and returns how many bytes they have. The last one may lack its end if no more follow.
    fn read_text(
        &self,
        bytes: &[u8],
        is_over: bool,
        questions: &mut Vec<Question>,
    ) -> Result<usize, Failure> {
        let mut used = 0;
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let is_whole = line.ends_with(b"\n");
            let place = || format!("line {}", self.asked + questions.len() + 1);
            if line.len() > MAX_LINE || (line.len() == MAX_LINE && !is_whole) {
                return Err(Failure::request(format!("{}: it is longer than {MAX_LINE} bytes", place())));
            }
            if !is_whole && !is_over {
                break;
            }
            let question = parse_line(line, self.tables, place)?;
            questions.push(question);
            used += line.len();
        }
        Ok(used)
    }

    /// Reads 64-bit numbers, and returns how many bytes they have.
    fn read_binary(
        &self,
        bytes: &[u8],
        is_over: bool,
        questions: &mut Vec<Question>,
    ) -> Result<usize, Failure> {
        let size = if self.tables == 1 { 8 } else { 16 };
        let numbers = bytes.as_chunks().0.iter().map(|number| i64::from_le_bytes(*number));
        if self.tables == 1 {
            questions.extend(numbers.map(|state| Question { table: 0, state }));
        } else {
            let numbers: Vec<i64> = numbers.collect();
            for ([table, state], number) in numbers.as_chunks::<2>().0.iter().zip(self.asked + 1..) {
                questions.push(checked(*table, *state, self.tables, || format!("question {number}"))?);
            }
        }
        match bytes.len() % size {
            extra @ 1.. if is_over => Err(Failure::request(format!(
                "question {}: it ends after {extra} of its {size} bytes",
                self.asked + bytes.len() / size + 1
            ))),
            extra => Ok(bytes.len() - extra),
        }
    }
}

fn parse_line(line: &[u8], tables: usize, place: impl Fn() -> String) -> Result<Question, Failure> {
    let text = String::from_utf8_lossy(line);
    let mut words = text.split_whitespace().map(str::parse::<i64>);
    match (words.next(), words.next(), words.next(), tables) {
        (Some(Ok(state)), None, None, 1) => Ok(Question { table: 0, state }),
        (Some(Ok(table)), Some(Ok(state)), None, _) => checked(table, state, tables, place),
        _ => {
            let form = if tables == 1 { "a state" } else { "the number of a table and a state" };
            Err(Failure::request(format!("{}: `{}` is not {form}", place(), text.trim_end())))
        }
    }
}

fn checked(table: i64, state: i64, tables: usize, place: impl Fn() -> String) -> Result<Question, Failure> {
    match usize::try_from(table) {
        Ok(table) if table < tables => Ok(Question { table, state }),
        _ => Err(Failure::request(format!(
            "{}: there is no table {table}: {tables} are open, numbered from 0",
            place()
        ))),
    }
}
