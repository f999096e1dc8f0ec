//! Writing an object: part by part, put together at the end.

use super::client::{begin, run};
use super::explain::explained;
use super::{Bucket, Object};
use object_store::multipart::PartId;
use object_store::{Error, PutPayload};
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Seek, SeekFrom, Write};
use std::sync::Arc;

/// How long a part is. All but the last are as long, as some stores want it.
pub const PART: usize = 8 << 20;
/// How many parts an object can have.
const MOST_PARTS: usize = 10_000;
/// How many parts are on their way at once.
const AT_ONCE: usize = 4;

/// Waits for a part that is on its way.
type Pending = Box<dyn FnOnce() -> io::Result<Result<PartId, Error>> + Send>;

/// An object being written. Its first part is kept until the end: the head of a file is known last. What is dropped before
/// [`ObjectWriter::finish`] is given up, and never seen by anybody.
pub struct ObjectWriter {
    object: Object,
    store: Arc<dyn Bucket>,
    /// The number of the upload, once there is more than one part.
    upload: Option<String>,
    first: Vec<u8>,
    /// What follows the parts that were sent.
    last: Vec<u8>,
    /// The parts that are there, without the first, and those on their way.
    sent: Vec<PartId>,
    pending: VecDeque<Pending>,
    position: u64,
}

impl fmt::Debug for ObjectWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObjectWriter({}, {} bytes)", self.object, self.length())
    }
}

impl ObjectWriter {
    pub(super) fn new(object: Object, store: Arc<dyn Bucket>) -> Self {
        Self {
            object,
            store,
            upload: None,
            first: Vec::new(),
            last: Vec::new(),
            sent: Vec::new(),
            pending: VecDeque::new(),
            position: 0,
        }
    }

    fn length(&self) -> u64 {
        let parts = self.sent.len() + self.pending.len();
        (self.first.len() + parts * PART + self.last.len()) as u64
    }

    fn explain(&self, error: &Error) -> io::Error {
        explained(error, &self.object)
    }

    /// The number of the upload, which is begun if it was not.
    fn upload(&mut self) -> io::Result<String> {
        if let Some(upload) = &self.upload {
            return Ok(upload.clone());
        }
        let (store, key) = (self.store.clone(), self.object.key.clone());
        let upload = run(async move { store.create_multipart(&key).await })?;
        let upload = upload.map_err(|error| self.explain(&error))?;
        Ok(self.upload.insert(upload).clone())
    }

    /// Sends the bytes after the parts that were sent before.
    fn send_last(&mut self) -> io::Result<()> {
        let number = 1 + self.sent.len() + self.pending.len();
        if number >= MOST_PARTS {
            let most = MOST_PARTS * PART / 1_000_000_000;
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                format!("an object of more than {most} GB is not written: save fewer streets, or to a disk"),
            ));
        }
        while self.pending.len() >= AT_ONCE {
            self.wait_for_one()?;
        }
        let bytes = std::mem::take(&mut self.last);
        let pending = self.send(number, bytes)?;
        self.pending.push_back(pending);
        Ok(())
    }

    fn send(&mut self, number: usize, bytes: Vec<u8>) -> io::Result<Pending> {
        let upload = self.upload()?;
        let (store, key) = (self.store.clone(), self.object.key.clone());
        let payload = PutPayload::from(bytes);
        let wait = begin(async move { store.put_part(&key, &upload, number, payload).await })?;
        Ok(Box::new(wait))
    }

    fn wait_for_one(&mut self) -> io::Result<()> {
        if let Some(wait) = self.pending.pop_front() {
            let part = wait()?.map_err(|error| self.explain(&error))?;
            self.sent.push(part);
        }
        Ok(())
    }

    /// Puts the object in its place, and returns once the store has it.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.upload.is_none() && self.last.is_empty() {
            return self
                .object
                .put_as(&self.first, super::PutMode::Overwrite)?
                .map_err(|error| self.explain(&error));
        }
        let length = self.length();
        if !self.last.is_empty() {
            self.send_last()?;
        }
        let first = std::mem::take(&mut self.first);
        let first = self.send(0, first)?;
        while !self.pending.is_empty() {
            self.wait_for_one()?;
        }
        let first = first()?.map_err(|error| self.explain(&error))?;
        let parts: Vec<PartId> = std::iter::once(first).chain(self.sent.drain(..)).collect();
        let upload = self.upload()?;
        let (store, key) = (self.store.clone(), self.object.key.clone());
        let completed = run(async move { store.complete_multipart(&key, &upload, parts).await.map(|_| ()) })?;
        match completed {
            Ok(()) => {}
            // An answer that was lost was asked for again, and by then there was no upload any more.
            Err(Error::NotFound { .. }) if self.object.meta().is_ok_and(|there| there.size == length) => {}
            Err(error) => return Err(self.explain(&error)),
        }
        self.upload = None;
        Ok(())
    }
}

impl Drop for ObjectWriter {
    fn drop(&mut self) {
        let Some(upload) = self.upload.take() else { return };
        // What comes too late would keep the upload alive.
        self.pending.drain(..).for_each(|wait| drop(wait()));
        let (store, key) = (self.store.clone(), self.object.key.clone());
        // What cannot be given up is removed by the rules of the bucket.
        let _ = run(async move { store.abort_multipart(&key, &upload).await });
    }
}

impl Write for ObjectWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        let count = if self.position < PART as u64 {
            let start = self.position as usize;
            let count = bytes.len().min(PART - start);
            if self.first.len() < start + count {
                self.first.resize(start + count, 0);
            }
            self.first[start..start + count].copy_from_slice(&bytes[..count]);
            count
        } else if self.position == self.length() {
            let count = bytes.len().min(PART - self.last.len());
            self.last.extend_from_slice(&bytes[..count]);
            if self.last.len() == PART {
                self.send_last()?;
            }
            count
        } else {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "a part of an object cannot be written again",
            ));
        };
        self.position += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for ObjectWriter {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let from = |start: u64, by: i64| start.checked_add_signed(by).ok_or(io::ErrorKind::InvalidInput);
        self.position = match to {
            SeekFrom::Start(position) => position,
            SeekFrom::Current(by) => from(self.position, by)?,
            SeekFrom::End(by) => from(self.length(), by)?,
        };
        Ok(self.position)
    }
}
