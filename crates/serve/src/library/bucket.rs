//! A bucket, or a part of one, with solutions: what was seen there lately, so that not every request asks the store.

use super::id::{MAX_DEPTH, check_part};
use super::shelf::{Shelf, Stamp};
use noregret_store::{ListedFile, StoreError};
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// How long what was seen is believed.
const FRESH: Duration = Duration::from_secs(10);
/// A list that takes long is believed so many times as long.
const FRESH_TIMES: u32 = 10;
/// How many objects are listed at most.
const MOST_OBJECTS: usize = 200_000;
/// The longest text that is read, which no batch's list reaches.
const MAX_TEXT: u64 = 16 << 20;

/// What was last seen of a name: an object, or none.
struct Seen {
    stamp: Option<Stamp>,
    at: Instant,
}

#[derive(Default)]
struct Known {
    objects: BTreeMap<String, Seen>,
    /// Until when the last list is believed.
    fresh_until: Option<Instant>,
}

/// A bucket, or the objects in it whose names share a beginning.
pub struct BucketShelf {
    url: PathBuf,
    known: Mutex<Known>,
    /// Held while the store lists: others wait for that list instead of asking for one of their own. When the last one failed, and why.
    listing: Mutex<Option<(Instant, io::Error)>>,
    texts: Mutex<HashMap<String, (Stamp, Arc<str>)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same error for another who waits for the same answer.
fn copied(error: &io::Error) -> io::Error {
    let of_store = error.get_ref().and_then(|inner| inner.downcast_ref::<StoreError>());
    match of_store {
        Some(said) => io::Error::new(error.kind(), said.clone()),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

fn stamp(file: &ListedFile) -> Stamp {
    let tag = file.version.as_deref().unwrap_or_default();
    let (digest, mut number) = (blake3::hash(tag.as_bytes()), [0; 8]);
    number.copy_from_slice(&digest.as_bytes()[..8]);
    // Lists of a store tell parts of a second, and its answers about one object do not.
    let since = file.modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(since.as_secs());
    Stamp { modified, bytes: file.bytes, version: u64::from_le_bytes(number) }
}

/// Whether the library may have an object of this name.
fn is_ours(name: &str) -> bool {
    name.split('/').count() <= MAX_DEPTH && name.split('/').all(|part| check_part(part).is_ok())
}

impl BucketShelf {
    /// Opens a place in a bucket: it can be listed, or the error says why not.
    pub fn open(url: PathBuf) -> io::Result<Self> {
        let shelf = Self { url, known: Mutex::default(), listing: Mutex::default(), texts: Mutex::default() };
        drop(shelf.known()?);
        Ok(shelf)
    }

    /// What is known, listed anew if the last list is old.
    fn known(&self) -> io::Result<MutexGuard<'_, Known>> {
        let fresh = || {
            let known = lock(&self.known);
            known.fresh_until.is_some_and(|until| Instant::now() < until).then_some(known)
        };
        if let Some(known) = fresh() {
            return Ok(known);
        }
        let waited_from = Instant::now();
        let mut failed = lock(&self.listing);
        // Who had it before has listed, or has tried for minutes.
        if let Some(known) = fresh() {
            return Ok(known);
        }
        if let Some((_, error)) = failed.as_ref().filter(|(at, _)| *at > waited_from) {
            return Err(copied(error));
        }
        let began = Instant::now();
        let files = noregret_store::list_deep(&self.url, MOST_OBJECTS).inspect_err(|error| {
            *failed = Some((Instant::now(), copied(error)));
        })?;
        let mut known = lock(&self.known);
        known.take(&files, began);
        Ok(known)
    }

    /// Asks the store about an object.
    fn ask(&self, name: &str) -> io::Result<Option<Stamp>> {
        let at = Instant::now();
        let stamp = match noregret_store::entry(&self.url.join(name)) {
            Ok(file) => Some(stamp(&file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        lock(&self.known).see(name, Seen { stamp, at });
        Ok(stamp)
    }
}

impl Known {
    /// Notes what was seen of a name, unless somebody has looked later.
    fn see(&mut self, name: &str, seen: Seen) {
        if self.objects.get(name).is_none_or(|known| known.at <= seen.at) {
            self.objects.insert(name.to_owned(), seen);
        }
    }

    /// Takes a list over that was begun at a time. What was seen of an object since then is newer.
    fn take(&mut self, files: &[ListedFile], began: Instant) {
        let before = std::mem::take(&mut self.objects);
        let listed = files.iter().filter(|file| is_ours(&file.name));
        let seen = listed.map(|file| (file.name.clone(), Seen { stamp: Some(stamp(file)), at: began }));
        self.objects = seen.collect();
        self.objects.extend(before.into_iter().filter(|(_, seen)| seen.at > began));
        let took = began.elapsed();
        self.fresh_until = Some(Instant::now() + FRESH.max(took * FRESH_TIMES));
    }
}

impl Shelf for BucketShelf {
    fn place(&self) -> &Path {
        &self.url
    }

    fn stamp(&self, name: &str) -> io::Result<Option<Stamp>> {
        let known = lock(&self.known).objects.get(name).map(|seen| (seen.stamp, seen.at));
        match known {
            Some((stamp, at)) if at.elapsed() < FRESH => Ok(stamp),
            _ => self.ask(name),
        }
    }

    fn listed(&self, name: &str) -> io::Result<Option<Stamp>> {
        Ok(self.known()?.objects.get(name).and_then(|seen| seen.stamp))
    }

    fn visit(&self, visit: &mut dyn FnMut(&str, Stamp)) -> io::Result<()> {
        let known = self.known()?;
        let there = known.objects.iter().filter_map(|(name, seen)| Some((name, seen.stamp?)));
        there.for_each(|(name, stamp)| visit(name, stamp));
        Ok(())
    }

    fn text(&self, name: &str) -> io::Result<Option<String>> {
        let Some(stamp) = self.listed(name)?.filter(|stamp| stamp.bytes <= MAX_TEXT) else { return Ok(None) };
        let kept =
            lock(&self.texts).get(name).filter(|(kept, _)| *kept == stamp).map(|(_, text)| text.clone());
        if let Some(text) = kept {
            return Ok(Some(text.to_string()));
        }
        let bytes = match noregret_store::read_start(&self.url.join(name), MAX_TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read?,
        };
        let Ok(text) = String::from_utf8(bytes) else { return Ok(None) };
        lock(&self.texts).insert(name.to_owned(), (stamp, text.as_str().into()));
        Ok(Some(text))
    }

    fn has_folder(&self, folder: &str) -> io::Result<bool> {
        let prefix = format!("{folder}/");
        let known = self.known()?;
        let mut inside = known.objects.range(prefix.clone()..);
        Ok(inside
            .by_ref()
            .take_while(|(name, _)| name.starts_with(&prefix))
            .any(|(_, seen)| seen.stamp.is_some()))
    }

    fn make_folder(&self, _: &str) -> io::Result<Vec<PathBuf>> {
        Ok(Vec::new())
    }

    fn is_free(&self, name: &str) -> io::Result<bool> {
        let is_known = lock(&self.known).objects.get(name).is_some_and(|seen| seen.stamp.is_some());
        Ok(!is_known && self.ask(name)?.is_none() && !self.has_folder(name)?)
    }

    fn changed(&self, name: &str) {
        if self.ask(name).is_err() {
            // Whoever wants it asks again.
            lock(&self.known).objects.remove(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, bytes: u64) -> ListedFile {
        let version = Some(format!("{bytes}"));
        ListedFile {
            name: name.to_owned(),
            is_directory: false,
            bytes,
            modified: SystemTime::UNIX_EPOCH,
            version,
        }
    }

    #[test]
    fn what_was_seen_last_is_what_is_known_whoever_comes_back_first() {
        let (mut known, began) = (Known::default(), Instant::now());
        known
            .objects
            .insert("old.nrs".to_owned(), Seen { stamp: Some(stamp(&file("old.nrs", 1))), at: began });
        let later = began + Duration::from_millis(1);
        for (name, stamp) in [("written.nrs", Some(stamp(&file("written.nrs", 2)))), ("removed.nrs", None)] {
            known.objects.insert(name.to_owned(), Seen { stamp, at: later });
        }
        // A question that was asked before the file was written, and is answered after.
        known.see("written.nrs", Seen { stamp: None, at: began });
        known.take(
            &[file("a/b.nrs", 3), file("removed.nrs", 4), file("a/.rows/c.json", 5), file("nul.nrs", 6)],
            began,
        );
        let there: Vec<(&str, Option<u64>)> = known
            .objects
            .iter()
            .map(|(name, seen)| (name.as_str(), seen.stamp.map(|stamp| stamp.bytes)))
            .collect();
        assert_eq!(there, [("a/b.nrs", Some(3)), ("removed.nrs", None), ("written.nrs", Some(2))]);
        assert!(known.fresh_until > Some(began));
    }

    #[test]
    fn another_content_of_the_same_length_and_time_is_another_stamp() {
        let first = file("a.nrs", 1);
        let second = ListedFile { version: Some("other".to_owned()), ..first.clone() };
        assert!(stamp(&first) == stamp(&first.clone()) && stamp(&first) != stamp(&second));
        let later =
            ListedFile { modified: SystemTime::UNIX_EPOCH + Duration::from_millis(900), ..first.clone() };
        assert_eq!(stamp(&first), stamp(&later), "only lists tell parts of a second");
    }
}
