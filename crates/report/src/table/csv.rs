//! Comma-separated values, as RFC 4180 has them but with plain line ends.

use super::cell::{Column, TableCell};
use std::io::{self, Write};

pub fn write_heading(out: &mut impl Write, columns: &[Column]) -> io::Result<()> {
    for (i, column) in columns.iter().enumerate() {
        out.write_all(if i == 0 { b"" } else { b"," })?;
        write_text(out, &column.name)?;
    }
    out.write_all(b"\n")
}

pub fn write_row(out: &mut impl Write, cells: &[TableCell]) -> io::Result<()> {
    for (i, cell) in cells.iter().enumerate() {
        out.write_all(if i == 0 { b"" } else { b"," })?;
        match cell {
            TableCell::Text(text) => write_text(out, text)?,
            TableCell::Whole(number) => write!(out, "{number}")?,
            TableCell::Number(_) => cell.number().map_or(Ok(()), |number| write!(out, "{number}"))?,
        }
    }
    out.write_all(b"\n")
}

fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    if text.contains([',', '"', '\n', '\r']) {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        out.write_all(text.as_bytes())
    }
}
