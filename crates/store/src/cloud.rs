//! Objects in a bucket: read by ranges, written whole.

mod client;
mod explain;
mod read;
mod write;

use crate::listed_file::ListedFile;
use crate::provider::{PlaceError, Provider};
use crate::store_error::StoreError;
use client::{Bucket, bucket, run};
use explain::explained;
use futures_util::{StreamExt, TryStreamExt};
use object_store::path::Path as Key;
use object_store::{
    Error, GetOptions, ObjectMeta, ObjectStoreExt, PutMode, PutOptions, PutPayload, UpdateVersion,
};
pub use read::ObjectFile;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::sync::Arc;
use std::time::Duration;
pub use write::ObjectWriter;

/// An object in a bucket, or the beginning that the names of some objects share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    provider: Provider,
    bucket: String,
    key: Key,
}

/// The largest object that S3 copies at once.
const MOST_COPIED: u64 = 5 << 30;
/// How often a change is tried that others are quicker with.
const TRIES: u32 = 50;

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.provider, self.bucket)?;
        if self.key.as_ref().is_empty() { Ok(()) } else { write!(f, "/{}", self.key) }
    }
}

impl Object {
    pub(crate) fn new(provider: Provider, bucket: &str, key: &str) -> Result<Self, PlaceError> {
        let key = Key::parse(key).map_err(|error| PlaceError::Name(key.to_owned(), error.to_string()))?;
        Ok(Self { provider, bucket: bucket.to_owned(), key })
    }

    fn store(&self) -> io::Result<Arc<dyn Bucket>> {
        bucket(self.provider, &self.bucket).map_err(|error| explained(&error, self))
    }

    /// Does something with the bucket.
    fn with<T, F>(&self, work: impl FnOnce(Arc<dyn Bucket>, Key) -> F) -> io::Result<Result<T, Error>>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        run(work(self.store()?, self.key.clone()))
    }

    /// The same; what goes wrong is said in words.
    fn done<T, F>(&self, work: impl FnOnce(Arc<dyn Bucket>, Key) -> F) -> io::Result<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        self.with(work)?.map_err(|error| explained(&error, self))
    }

    /// Opens it to be read.
    pub(crate) fn open(&self) -> io::Result<ObjectFile> {
        ObjectFile::open(self)
    }

    /// Its first bytes, so many at most.
    pub(crate) fn start(&self, most: u64) -> io::Result<Vec<u8>> {
        let file = self.open()?;
        file.read_at(0, most.min(file.length()))
    }

    fn meta(&self) -> io::Result<ObjectMeta> {
        self.done(|store, key| async move { store.head(&key).await })
    }

    /// How long and how old it is.
    pub(crate) fn entry(&self) -> io::Result<ListedFile> {
        self.meta().map(listed)
    }

    /// Whether names of objects go on after this one and a slash.
    pub(crate) fn is_folder(&self) -> io::Result<bool> {
        self.done(|store, key| async move {
            let prefix = (!key.as_ref().is_empty()).then_some(key);
            match store.list(prefix.as_ref()).next().await {
                Some(found) => found.map(|_| true),
                None => Ok(false),
            }
        })
    }

    /// The objects and folders in a folder, however many pages they take.
    pub(crate) fn list(&self) -> io::Result<Vec<ListedFile>> {
        let found = self.done(|store, key| async move {
            let prefix = (!key.as_ref().is_empty()).then_some(key);
            store.list_with_delimiter(prefix.as_ref()).await
        })?;
        let folders = found.common_prefixes.iter().filter_map(Key::filename).map(|name| ListedFile {
            name: name.to_owned(),
            is_directory: true,
            bytes: 0,
            modified: std::time::SystemTime::UNIX_EPOCH,
            version: None,
        });
        let folders: Vec<ListedFile> = folders.collect();
        Ok(folders.into_iter().chain(found.objects.into_iter().map(listed)).collect())
    }

    /// The objects in a folder and in those that are in it, so many at most: their names go on after its own and a slash.
    pub(crate) fn list_deep(&self, most: usize) -> io::Result<Vec<ListedFile>> {
        self.done(|store, key| async move {
            let prefix = (!key.as_ref().is_empty()).then_some(key);
            let start = prefix.as_ref().map_or(0, |key| key.as_ref().len() + 1);
            let found = store.list(prefix.as_ref()).take(most).map_ok(|meta| {
                let name = meta.location.as_ref().get(start..).unwrap_or_default().to_owned();
                ListedFile { name, ..listed(meta) }
            });
            found.try_collect().await
        })
    }

    /// Has the store copy it to another place of the bucket, and takes it away once the copy is there.
    pub(crate) fn rename(&self, to: &Self) -> io::Result<()> {
        let other = |words: &str| Err(StoreError::of(io::ErrorKind::Unsupported, words.to_owned()));
        if (self.provider, &self.bucket) != (to.provider, &to.bucket) {
            return other("it would be in another bucket");
        }
        let length = self.meta()?.size;
        if self.provider == Provider::S3 && length > MOST_COPIED {
            return other("a store copies no object of more than 5 GB: use its own program");
        }
        let target = to.key.clone();
        self.done(|store, key| async move { store.copy(&key, &target).await })?;
        // Some stores answer before they have copied.
        if to.meta()?.size != length {
            return other("the store has not copied it yet: look again later");
        }
        self.remove()
    }

    fn put_as(&self, bytes: &[u8], mode: PutMode) -> io::Result<Result<(), Error>> {
        let payload = PutPayload::from(bytes.to_vec());
        self.with(|store, key| async move {
            let options = PutOptions { mode, ..PutOptions::default() };
            store.put_opts(&key, payload, options).await.map(|_| ())
        })
    }

    /// Writes it whole.
    pub(crate) fn put(&self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() > write::PART {
            use io::Write;
            let mut writer = self.writer()?;
            writer.write_all(bytes)?;
            return writer.finish();
        }
        self.put_as(bytes, PutMode::Overwrite)?.map_err(|error| explained(&error, self))
    }

    /// Writes it whole unless it is there, and says whether it was not.
    pub(crate) fn put_new(&self, bytes: &[u8]) -> io::Result<bool> {
        match self.put_as(bytes, PutMode::Create)? {
            Ok(()) => Ok(true),
            Err(Error::AlreadyExists { .. }) => Ok(false),
            // A store that cannot tell: the last who writes has it.
            Err(Error::NotImplemented { .. } | Error::NotSupported { .. }) => self.put(bytes).map(|()| true),
            Err(error) => Err(explained(&error, self)),
        }
    }

    /// Replaces it by what `change` makes of it, again and again until nobody else has replaced it meanwhile.
    pub(crate) fn update(
        &self,
        mut change: impl FnMut(Option<&[u8]>) -> io::Result<Vec<u8>>,
    ) -> io::Result<()> {
        for attempt in 1..=TRIES {
            let there = self.with(|store, key| async move {
                let found = store.get_opts(&key, GetOptions::default()).await?;
                let version =
                    UpdateVersion { e_tag: found.meta.e_tag.clone(), version: found.meta.version.clone() };
                Ok((found.bytes().await?, version))
            })?;
            let (bytes, mode) = match there {
                Ok((bytes, version)) => (change(Some(&bytes))?, PutMode::Update(version)),
                Err(error) => match explained(&error, self) {
                    missing if missing.kind() == io::ErrorKind::NotFound => (change(None)?, PutMode::Create),
                    error => return Err(error),
                },
            };
            match self.put_as(&bytes, mode)? {
                Ok(()) => return Ok(()),
                Err(Error::Precondition { .. } | Error::AlreadyExists { .. }) => {}
                Err(Error::NotImplemented { .. } | Error::NotSupported { .. }) => return self.put(&bytes),
                Err(error) => return Err(explained(&error, self)),
            }
            // Those who were too late together are not to be again.
            let random = RandomState::new().build_hasher().finish();
            std::thread::sleep(Duration::from_millis(random % u64::from(20 * attempt.min(20))));
        }
        Err(io::Error::other("too many others write to it at once: try again"))
    }

    /// Starts to write it.
    pub(crate) fn writer(&self) -> io::Result<ObjectWriter> {
        Ok(ObjectWriter::new(self.clone(), self.store()?))
    }

    /// Sees whether it could be written, and leaves nothing.
    pub(crate) fn check_writable(&self) -> io::Result<()> {
        if self.key.as_ref().is_empty() {
            let message = format!("this is a bucket: write `{self}/NAME`");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        self.done(|store, key| async move {
            let upload = store.create_multipart(&key).await?;
            // Where it may not be given up, it is never put together either.
            let _ = store.abort_multipart(&key, &upload).await;
            Ok(())
        })
    }

    /// Takes it away.
    pub(crate) fn remove(&self) -> io::Result<()> {
        self.done(|store, key| async move { store.delete(&key).await })
    }
}

fn listed(meta: ObjectMeta) -> ListedFile {
    ListedFile {
        name: meta.location.filename().unwrap_or_default().to_owned(),
        is_directory: false,
        bytes: meta.size,
        modified: meta.last_modified.into(),
        // Lists and answers of one store quote it differently.
        version: meta.e_tag.map(|tag| tag.trim_matches('"').to_owned()),
    }
}

#[cfg(test)]
mod tests;
