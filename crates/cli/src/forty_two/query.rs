//! `noregret forty-two query`: the values of states, by the million.

use super::source::read_table;
use crate::failure::Failure;
use noregret_dominoes::{EvaluateError, Layout, Row, Table};
use rayon::prelude::*;
use std::fmt::Write as _;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Values of packed states, read from standard input, in the order they are asked for.
///
/// Text: a state on each line; with several tables the number of the table, from 0 on, goes before it. An answer is a
/// line of eight numbers: the value, then those of the seven moves, -128 where a move is not legal.
///
/// With --binary, states are 64-bit numbers (little-endian), each after the number of its table if there are several;
/// an answer is eight signed bytes.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  echo 2194728288255 | noregret forty-two query tables/seed_00000000_decl_0.n42
  noregret forty-two query tables/seed_00000000_decl_0.n42 --binary < states.i64 > values.i8")]
pub struct Args {
    /// Table files
    #[arg(required = true, value_name = "TABLE")]
    tables: Vec<PathBuf>,

    /// How states are packed, and what values mean: scored or to-go
    #[arg(long, default_value = "to-go")]
    layout: Layout,

    /// States in and values out as bytes instead of text
    #[arg(long)]
    binary: bool,
}

/// Questions that are answered together.
const BATCH: usize = 1 << 16;
/// The longest line that can be a question.
const MAX_LINE: u64 = 128;

/// A state, and which table it is of.
#[derive(Clone, Copy)]
struct Question {
    table: usize,
    state: i64,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let tables: Vec<Table> =
        args.tables.iter().map(|path| read_table(path).map(|(_, table)| table)).collect::<Result<_, _>>()?;
    tables.iter().for_each(Table::prepare_look_ups);
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut asked = 0;
    loop {
        let mut questions = Vec::new();
        // A question that cannot be read is told of after the answers to those before it.
        let read = if args.binary {
            read_binary(&mut input, tables.len(), asked, &mut questions)
        } else {
            read_text(&mut input, tables.len(), asked, &mut questions)
        };
        if questions.is_empty() {
            return read.map(|()| ExitCode::SUCCESS);
        }
        let answers: Vec<Result<Row, EvaluateError>> = questions
            .par_iter()
            .map(|question| tables[question.table].look_up(question.state, args.layout))
            .collect();
        let (mut text, mut bytes) = (String::new(), Vec::new());
        let mut wrong = None;
        for (number, answer) in (asked + 1..).zip(&answers) {
            match answer {
                Ok(row) if args.binary => {
                    bytes.extend([row.value].iter().chain(&row.moves).map(|&v| v as u8))
                }
                Ok(row) => {
                    let _ = write!(text, "{}", row.value);
                    for value in row.moves {
                        let _ = write!(text, " {value}");
                    }
                    text.push('\n');
                }
                Err(error) => {
                    wrong = Some(Failure::request(format!("{} {number}: {error}", unit(args.binary))));
                    break;
                }
            }
        }
        let out = if args.binary { &bytes } else { text.as_bytes() };
        output.write_all(out).and_then(|()| output.flush()).map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe => Failure::unheard(),
            _ => Failure::job(format!("cannot write to standard output: {error}")),
        })?;
        if let Some(failure) = wrong {
            return Err(failure);
        }
        read?;
        asked += questions.len();
    }
}

fn unit(binary: bool) -> &'static str {
    if binary { "question" } else { "line" }
}

fn cannot_read(error: io::Error) -> Failure {
    Failure::job(format!("cannot read standard input: {error}"))
}

fn checked(table: i64, state: i64, tables: usize, place: &str) -> Result<Question, Failure> {
    match usize::try_from(table) {
        Ok(table) if table < tables => Ok(Question { table, state }),
        _ => Err(Failure::request(format!(
            "{place}: there is no table {table}: {tables} are open, numbered from 0"
        ))),
    }
}

/// Reads lines until there are enough or no more.
fn read_text(
    input: &mut impl BufRead,
    tables: usize,
    asked: usize,
    questions: &mut Vec<Question>,
) -> Result<(), Failure> {
    let mut line = Vec::new();
    while questions.len() < BATCH {
        line.clear();
        input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(cannot_read)?;
        if line.is_empty() {
            break;
        }
        let place = format!("line {}", asked + questions.len() + 1);
        if line.len() as u64 == MAX_LINE && line.last() != Some(&b'\n') {
            return Err(Failure::request(format!("{place}: it is longer than {MAX_LINE} bytes")));
        }
        let text = String::from_utf8_lossy(&line);
        let words: Result<Vec<i64>, _> = text.split_whitespace().map(str::parse).collect();
        match (words.as_deref(), tables) {
            (Ok([state]), 1) => questions.push(Question { table: 0, state: *state }),
            (Ok([table, state]), _) => questions.push(checked(*table, *state, tables, &place)?),
            _ => {
                let form = if tables == 1 { "a state" } else { "the number of a table and a state" };
                return Err(Failure::request(format!("{place}: `{}` is not {form}", text.trim_end())));
            }
        }
    }
    Ok(())
}

/// Reads 64-bit numbers until there are enough or no more.
fn read_binary(
    input: &mut impl Read,
    tables: usize,
    asked: usize,
    questions: &mut Vec<Question>,
) -> Result<(), Failure> {
    let size = if tables == 1 { 8 } else { 16 };
    let mut bytes = Vec::new();
    input.by_ref().take((BATCH * size) as u64).read_to_end(&mut bytes).map_err(cannot_read)?;
    let numbers: Vec<i64> = bytes.as_chunks().0.iter().map(|number| i64::from_le_bytes(*number)).collect();
    if tables == 1 {
        questions.extend(numbers.into_iter().map(|state| Question { table: 0, state }));
    } else {
        for ([table, state], number) in numbers.as_chunks::<2>().0.iter().zip(asked + 1..) {
            questions.push(checked(*table, *state, tables, &format!("question {number}"))?);
        }
    }
    match bytes.len() % size {
        0 => Ok(()),
        extra => Err(Failure::request(format!(
            "question {}: it ends after {extra} of its {size} bytes",
            asked + bytes.len() / size + 1
        ))),
    }
}
