//! Parquet files, read on a disk or in a bucket.

use bytes::Bytes;
use noregret_store::StoredFile;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// A Parquet file of which only what is asked for is read.
pub struct ParquetFile {
    file: Arc<StoredFile>,
    length: u64,
}

impl ParquetFile {
    /// Opens a file or an object.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = noregret_store::open(path)?;
        let length = file.length()?;
        Ok(Self { file: Arc::new(file), length })
    }
}

impl Length for ParquetFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for ParquetFile {
    type T = ReaderFrom;

    fn get_read(&self, start: u64) -> Result<ReaderFrom> {
        Ok(ReaderFrom { file: self.file.clone(), position: start })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let bytes = self.file.read_at(start, length as u64)?;
        if bytes.len() == length {
            Ok(bytes.into())
        } else {
            Err(ParquetError::EOF(format!("{} bytes where {length} belong", bytes.len())))
        }
    }
}

/// Reads a file from somewhere on.
pub struct ReaderFrom {
    file: Arc<StoredFile>,
    position: u64,
}

impl Read for ReaderFrom {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.file.read_at(self.position, out.len() as u64)?;
        out[..bytes.len()].copy_from_slice(&bytes);
        self.position += bytes.len() as u64;
        Ok(bytes.len())
    }
}
