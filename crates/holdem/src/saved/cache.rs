//! What was last made, kept in case it is wanted again.

use std::sync::{Arc, Mutex, PoisonError};

/// Values by key, as many of the last used ones as fit into a number of bytes.
pub(super) struct Cache<K, V> {
    most: usize,
    entries: Mutex<Vec<(K, usize, Arc<V>)>>,
}

impl<K: PartialEq + Copy, V> Cache<K, V> {
    pub fn new(most: usize) -> Self {
        Self { most, entries: Mutex::new(Vec::new()) }
    }

    /// The value of a key, made if it is not there, which takes as much as `bytes` says.
    pub fn get<E>(
        &self,
        key: K,
        bytes: impl FnOnce(&V) -> usize,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        let lock = || self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let known = {
            let mut entries = lock();
            let place = entries.iter().position(|(other, ..)| *other == key);
            place.map(|place| {
                let entry = entries.remove(place);
                let value = Arc::clone(&entry.2);
                entries.push(entry);
                value
            })
        };
        if let Some(value) = known {
            return Ok(value);
        }
        // Made without the lock: whoever wants something else meanwhile need not wait.
        let value = Arc::new(make()?);
        let mut entries = lock();
        // Another thread may have made the same meanwhile: once is enough.
        entries.retain(|(other, ..)| *other != key);
        entries.push((key, bytes(&value), Arc::clone(&value)));
        while entries.len() > 1 && entries.iter().map(|(_, bytes, _)| bytes).sum::<usize>() > self.most {
            entries.remove(0);
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn the_last_used_stay_as_far_as_they_fit() {
        let cache: Cache<u8, u8> = Cache::new(20);
        let made = Cell::new(0);
        let get = |key| {
            let make = || {
                made.set(made.get() + 1);
                Ok::<u8, ()>(key)
            };
            assert_eq!(*cache.get(key, |_| 10, make).unwrap(), key);
            made.get()
        };
        assert_eq!([get(1), get(2), get(1), get(2)], [1, 2, 2, 2]);
        // The third does not fit beside both, and 1 was used longest ago.
        assert_eq!([get(3), get(2), get(1), get(3)], [3, 3, 4, 5]);
        assert_eq!(cache.get(9, |_| 10, || Err("no")), Err("no"));
        // Even what does not fit at all is kept until the next comes.
        let large: Cache<u8, u8> = Cache::new(1);
        assert!(large.get(1, |_| 10, || Ok::<u8, ()>(1)).is_ok());
        assert!(large.get(1, |_| 10, || Err(())).is_ok());
    }

    #[test]
    fn what_two_make_at_once_is_kept_once() {
        let cache: Cache<u8, u8> = Cache::new(20);
        let twice = cache.get(
            1,
            |_| 10,
            || {
                assert!(cache.get(1, |_| 10, || Ok::<u8, ()>(1)).is_ok());
                Ok::<u8, ()>(1)
            },
        );
        assert!(twice.is_ok());
        assert!(cache.get(2, |_| 10, || Ok::<u8, ()>(2)).is_ok());
        assert!(cache.get(1, |_| 10, || Err(())).is_ok());
    }
}
