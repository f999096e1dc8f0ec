//! Objects in a build without them: there is no value of [`Object`], so nothing of this is ever called.

use crate::listed_file::ListedFile;
use crate::provider::{PlaceError, Provider};
use std::convert::Infallible;
use std::fmt;
use std::io;

/// An object in a bucket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object(Infallible);

/// An object that is open.
#[derive(Debug)]
pub struct ObjectFile(Infallible);

/// An object being written.
#[derive(Debug)]
pub struct ObjectWriter(Infallible);

impl fmt::Display for Object {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {}
    }
}

impl Object {
    pub(crate) fn new(_: Provider, _: &str, _: &str) -> Result<Self, PlaceError> {
        Err(PlaceError::NoCloud)
    }

    pub(crate) fn open(&self) -> io::Result<ObjectFile> {
        match self.0 {}
    }

    pub(crate) fn start(&self, _: u64) -> io::Result<Vec<u8>> {
        match self.0 {}
    }

    pub(crate) fn entry(&self) -> io::Result<ListedFile> {
        match self.0 {}
    }

    pub(crate) fn is_folder(&self) -> io::Result<bool> {
        match self.0 {}
    }

    pub(crate) fn list(&self) -> io::Result<Vec<ListedFile>> {
        match self.0 {}
    }

    pub(crate) fn list_deep(&self, _: usize) -> io::Result<Vec<ListedFile>> {
        match self.0 {}
    }

    pub(crate) fn rename(&self, _: &Self) -> io::Result<()> {
        match self.0 {}
    }

    pub(crate) fn put(&self, _: &[u8]) -> io::Result<()> {
        match self.0 {}
    }

    pub(crate) fn put_new(&self, _: &[u8]) -> io::Result<bool> {
        match self.0 {}
    }

    pub(crate) fn update(&self, _: impl FnMut(Option<&[u8]>) -> io::Result<Vec<u8>>) -> io::Result<()> {
        match self.0 {}
    }

    pub(crate) fn writer(&self) -> io::Result<ObjectWriter> {
        match self.0 {}
    }

    pub(crate) fn check_writable(&self) -> io::Result<()> {
        match self.0 {}
    }

    pub(crate) fn remove(&self) -> io::Result<()> {
        match self.0 {}
    }
}

impl ObjectFile {
    pub(crate) fn length(&self) -> u64 {
        match self.0 {}
    }

    pub(crate) fn read_at(&self, _: u64, _: u64) -> io::Result<Vec<u8>> {
        match self.0 {}
    }
}

impl ObjectWriter {
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.0 {}
    }
}

impl io::Write for ObjectWriter {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0 {}
    }
}

impl io::Seek for ObjectWriter {
    fn seek(&mut self, _: io::SeekFrom) -> io::Result<u64> {
        match self.0 {}
    }
}
