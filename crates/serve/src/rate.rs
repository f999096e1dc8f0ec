//! How often one peer may ask.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// So many requests at once…
const BURST: f64 = 10_000.0;
/// … and so many a second: far more than a page needs, and less than would keep others out.
const PER_SECOND: f64 = 2_000.0;
/// How many peers are remembered.
const PEERS: usize = 10_000;

/// A bucket of tokens for each peer.
#[derive(Default)]
pub struct Rates(Mutex<HashMap<IpAddr, Bucket>>);

#[derive(Clone, Copy)]
struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl Bucket {
    fn at(self, now: Instant) -> f64 {
        let since = now.saturating_duration_since(self.filled).as_secs_f64();
        (self.tokens + since * PER_SECOND).min(BURST)
    }
}

impl Rates {
    /// Takes a token, if there is one.
    pub fn allow(&self, peer: IpAddr) -> bool {
        self.allow_at(peer, Instant::now())
    }

    fn allow_at(&self, peer: IpAddr, now: Instant) -> bool {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= PEERS && !buckets.contains_key(&peer) {
            // Those whose bucket is full again are as good as new.
            buckets.retain(|_, bucket| bucket.at(now) < BURST);
            if buckets.len() >= PEERS {
                return false;
            }
        }
        let tokens = buckets.get(&peer).map_or(BURST, |bucket| bucket.at(now));
        let allowed = tokens >= 1.0;
        let tokens = if allowed { tokens - 1.0 } else { tokens };
        buckets.insert(peer, Bucket { tokens, filled: now });
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_peer_that_asks_too_often_waits_and_others_do_not() {
        let rates = Rates::default();
        let now = Instant::now();
        let (one, other) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 2]));
        let allowed = (0..20_000).filter(|_| rates.allow_at(one, now)).count();
        assert_eq!(allowed, BURST as usize);
        assert!(!rates.allow_at(one, now) && rates.allow_at(other, now));
        assert!(rates.allow_at(one, now + Duration::from_millis(10)));
    }
}
