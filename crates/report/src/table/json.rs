//! An object a line.

use super::{Cell, Column};
use std::io::{self, Write};

pub fn write_row(out: &mut impl Write, columns: &[Column], cells: &[Cell]) -> io::Result<()> {
    for (i, (column, cell)) in columns.iter().zip(cells).enumerate() {
        out.write_all(if i == 0 { b"{" } else { b"," })?;
        serde_json::to_writer(&mut *out, &column.name)?;
        out.write_all(b":")?;
        match cell {
            Cell::Text(text) => serde_json::to_writer(&mut *out, text)?,
            Cell::Whole(number) => write!(out, "{number}")?,
            Cell::Number(_) => serde_json::to_writer(&mut *out, &cell.number())?,
        }
    }
    out.write_all(b"}\n")
}
