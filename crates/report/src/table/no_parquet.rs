//! What stands for Parquet files in a program without them.

use super::cell::{Column, TableCell};
use std::io::{self, Write};
use std::marker::PhantomData;

/// Never there.
pub struct ParquetSink<W> {
    never: std::convert::Infallible,
    out: PhantomData<W>,
}

impl<W: Write + Send> ParquetSink<W> {
    pub fn new(_: &[Column], _: &[(&str, String)], _: W) -> io::Result<Self> {
        let message = "this program was built without Parquet: build it with the feature `parquet`, or write CSV or JSON";
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }

    pub fn row(&mut self, _: Vec<TableCell>) -> io::Result<()> {
        match self.never {}
    }

    pub fn finish(self) -> io::Result<W> {
        match self.never {}
    }
}
