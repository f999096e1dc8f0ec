//! Reading an object.

use super::explain::explained;
use super::{Bucket, Key, Object};
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::{Error, GetOptions, GetRange, ObjectMeta, ObjectStoreExt};
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// What opening fetches: the heads of most files, so that they take no second request.
const FIRST: u64 = 64 << 10;
/// What is fetched at once, and how many of these at the same time.
const CHUNK: u64 = 8 << 20;
const AT_ONCE: usize = 4;

/// An object that is open: how long it is, which version, and its first bytes.
#[derive(Debug)]
pub struct ObjectFile {
    object: Object,
    length: u64,
    e_tag: Option<String>,
    first: Vec<u8>,
}

impl ObjectFile {
    pub(super) fn open(object: &Object) -> io::Result<Self> {
        let opened = object.with(|store, key| async move {
            match fetch(&store, &key, 0..FIRST, None).await {
                Ok(opened) => Ok(opened),
                // Nothing is in the range of an object that has nothing.
                Err(error) => match store.head(&key).await {
                    Ok(meta) if meta.size == 0 => Ok((Vec::new(), meta)),
                    _ => Err(error),
                },
            }
        })?;
        let (first, meta) = opened.map_err(|error| explained(&error, object))?;
        Ok(Self { object: object.clone(), length: meta.size, e_tag: meta.e_tag, first })
    }

    /// How long it is.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// So many bytes from `start` on; fewer where it ends before.
    pub(crate) fn read_at(&self, start: u64, length: u64) -> io::Result<Vec<u8>> {
        let end = start.saturating_add(length).min(self.length);
        if start >= end {
            return Ok(Vec::new());
        }
        if let Some(known) = self.first.get(start as usize..end as usize) {
            return Ok(known.to_vec());
        }
        let e_tag = self.e_tag.clone();
        let read = self.object.with(|store, key| async move {
            let ranges = (start..end).step_by(CHUNK as usize).map(|at| at..end.min(at + CHUNK));
            let pieces = stream::iter(ranges.map(|range| {
                let (store, key, e_tag) = (store.clone(), key.clone(), e_tag.clone());
                async move { fetch(&store, &key, range, e_tag).await.map(|(bytes, _)| bytes) }
            }));
            let mut bytes = Vec::with_capacity((end - start) as usize);
            let mut pieces = pieces.buffered(AT_ONCE);
            while let Some(piece) = pieces.try_next().await? {
                bytes.extend(piece);
            }
            Ok(bytes)
        })?;
        let bytes = read.map_err(|error| explained(&error, &self.object))?;
        if bytes.len() as u64 == end - start {
            Ok(bytes)
        } else {
            Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the store sent less than was asked for"))
        }
    }
}

async fn fetch(
    store: &Arc<dyn Bucket>,
    key: &Key,
    range: Range<u64>,
    e_tag: Option<String>,
) -> Result<(Vec<u8>, ObjectMeta), Error> {
    let options =
        GetOptions { range: Some(GetRange::Bounded(range)), if_match: e_tag, ..GetOptions::default() };
    let found = store.get_opts(key, options).await?;
    let meta = found.meta.clone();
    Ok((found.bytes().await?.to_vec(), meta))
}
