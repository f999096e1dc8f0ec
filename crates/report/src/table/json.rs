//! An object a line.

use super::cell::{Column, TableCell};
use std::io::{self, Write};

pub fn write_row(out: &mut impl Write, columns: &[Column], cells: &[TableCell]) -> io::Result<()> {
    for (i, (column, cell)) in columns.iter().zip(cells).enumerate() {
        out.write_all(if i == 0 { b"{" } else { b"," })?;
        serde_json::to_writer(&mut *out, &column.name)?;
        out.write_all(b":")?;
        match cell {
            TableCell::Text(text) => serde_json::to_writer(&mut *out, text)?,
            TableCell::Whole(number) => write!(out, "{number}")?,
            TableCell::Number(_) => serde_json::to_writer(&mut *out, &cell.number())?,
        }
    }
    out.write_all(b"}\n")
}
