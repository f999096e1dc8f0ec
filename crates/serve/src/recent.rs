//! What was last made, kept in case it is wanted again.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OnceCell;

/// Values by key, as many of the last used ones as fit. Whoever asks for one that is being made waits for it.
pub struct Recent<K, V> {
    most: usize,
    state: Mutex<RecentState<K, V>>,
}

struct RecentState<K, V> {
    entries: HashMap<K, RecentEntry<V>>,
    clock: u64,
}

struct RecentEntry<V> {
    cell: Arc<OnceCell<V>>,
    used: u64,
    weight: usize,
}

impl<K: Hash + Eq + Clone, V: Clone> Recent<K, V> {
    /// As many as weigh no more than that together.
    pub fn new(most: usize) -> Self {
        Self { most, state: Mutex::new(RecentState { entries: HashMap::new(), clock: 0 }) }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, RecentState<K, V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value of a key, made if it is not there.
    pub async fn get<E>(
        &self,
        key: K,
        weight: impl FnOnce(&V) -> usize,
        make: impl Future<Output = Result<V, E>>,
    ) -> Result<V, E> {
        let cell = {
            let mut state = self.lock();
            state.clock += 1;
            let used = state.clock;
            if !state.entries.contains_key(&key) {
                // Whoever was to make these has gone away.
                state
                    .entries
                    .retain(|_, entry| entry.cell.initialized() || Arc::strong_count(&entry.cell) > 1);
            }
            let entry = state.entries.entry(key.clone()).or_insert_with(|| RecentEntry {
                cell: Arc::default(),
                used,
                weight: 0,
            });
            entry.used = used;
            Arc::clone(&entry.cell)
        };
        let made = cell.get_or_try_init(|| make).await.cloned();
        let mut state = self.lock();
        match &made {
            Ok(value) => {
                if let Some(entry) = state.entries.get_mut(&key) {
                    entry.weight = weight(value);
                }
                state.shrink(self.most, &key);
            }
            // Nothing is kept of what could not be made.
            Err(_) if state.entries.get(&key).is_some_and(|entry| !entry.cell.initialized()) => {
                state.entries.remove(&key);
            }
            Err(_) => {}
        }
        made
    }
}

impl<K: Hash + Eq + Clone, V> RecentState<K, V> {
    /// Forgets what was used longest ago until the rest fits; `kept` stays in any case.
    fn shrink(&mut self, most: usize, kept: &K) {
        while self.entries.values().map(|entry| entry.weight).sum::<usize>() > most {
            let others = self.entries.iter().filter(|(key, entry)| *key != kept && entry.cell.initialized());
            let Some(oldest) = others.min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone()) else {
                return;
            };
            self.entries.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[tokio::test]
    async fn the_least_recently_used_goes_first_and_failures_are_not_kept() {
        let recent: Recent<u8, u8> = Recent::new(2);
        let get = async |key: u8| recent.get(key, |_| 1, async { Ok::<u8, Infallible>(key) }).await.unwrap();
        get(1).await;
        get(2).await;
        get(1).await;
        get(3).await;
        let known = |key: u8| recent.lock().entries.contains_key(&key);
        assert!(known(1) && !known(2) && known(3));
        assert_eq!(recent.get(9, |_| 1, async { Err::<u8, &str>("no") }).await, Err("no"));
        assert!(!known(9));
    }
}
