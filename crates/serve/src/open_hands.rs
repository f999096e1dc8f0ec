//! A session of hands that is read: its hands, and what the solutions of the library say about them.

use crate::library::{Found, Stamp};
use crate::solutions;
use noregret_hands::{HandsSession, SpotOptions, UnreadSolution};
use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A session that is read.
///
/// Its lock is never held while a solution is read. Reading runs in rayon, where a thread that waits for others may begin the next
/// request, and if that is about the same session it would wait for a lock that its own thread holds. Two requests may read the same
/// solution instead.
pub struct OpenHands(Mutex<Arc<HandsSnapshot>>);

/// A session as it was at some time.
#[derive(Clone)]
pub struct HandsSnapshot {
    pub session: HandsSession,
    /// One for each hand.
    readings: Vec<HandReading>,
}

/// What was there when the solution of a hand was last read.
#[derive(Clone, Default)]
struct HandReading {
    /// The solutions of its flop; none if nothing was read yet.
    files: Option<Vec<(String, Stamp)>>,
    /// Those of them that could not be read.
    unread: Vec<UnreadSolution>,
}

impl HandsSnapshot {
    /// The solutions that could not be read: those of several hands more than once.
    pub fn unread(&self) -> impl Iterator<Item = &UnreadSolution> {
        self.readings.iter().flat_map(|reading| &reading.unread)
    }
}

/// The flop in the name of a solution of a hand, like `Qc7d2h-1f00ba12`.
fn flop_of(found: &Found) -> &str {
    found.id.name().split_once('-').map_or("", |(flop, _)| flop)
}

impl OpenHands {
    /// A session whose solutions were not read yet.
    pub fn new(session: HandsSession) -> Self {
        let readings = session.hands.iter().map(|_| HandReading::default()).collect();
        Self(Mutex::new(Arc::new(HandsSnapshot { session, readings })))
    }

    /// The same with the spots that other options make; solutions of those that stay are not read again.
    pub fn rebuilt(&self, options: &SpotOptions) -> Self {
        let mut snapshot = HandsSnapshot::clone(&self.now());
        for place in snapshot.session.rebuild_spots(options) {
            snapshot.readings[place] = HandReading::default();
        }
        Self(Mutex::new(Arc::new(snapshot)))
    }

    /// The session as it is, whatever the library has.
    pub fn now(&self) -> Arc<HandsSnapshot> {
        Arc::clone(&self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Arc<HandsSnapshot>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session, with the solutions of all of its hands read that are new or have changed.
    pub fn refreshed(&self, files: &[Found]) -> Arc<HandsSnapshot> {
        let hands = self.lock().session.hands.len();
        self.refreshed_hands(0..hands, files)
    }

    /// The same with the solution of one hand read only.
    pub fn refreshed_hand(&self, number: usize, files: &[Found]) -> Arc<HandsSnapshot> {
        self.refreshed_hands(number..number.saturating_add(1), files)
    }

    fn refreshed_hands(&self, numbers: Range<usize>, files: &[Found]) -> Arc<HandsSnapshot> {
        let before = self.now();
        let mut by_flop: HashMap<&str, Vec<&Found>> = HashMap::new();
        files.iter().for_each(|found| by_flop.entry(flop_of(found)).or_default().push(found));
        by_flop.values_mut().for_each(|of_flop| of_flop.sort_by(|a, b| a.id.cmp(&b.id)));
        let mut changed = Vec::new();
        let read_before = before.session.hands.iter().zip(&before.readings).enumerate();
        for (number, (hand, reading)) in read_before.skip(numbers.start).take(numbers.len()) {
            let Ok(spot) = &hand.spot else { continue };
            let flop = spot.spec.spot.board().to_string();
            let of_flop = by_flop.get(flop.as_str()).map_or(&[][..], Vec::as_slice);
            let there: Vec<(String, Stamp)> =
                of_flop.iter().map(|found| (found.id.as_str().to_owned(), found.stamp)).collect();
            if reading.files.as_ref() == Some(&there) {
                continue;
            }
            let is_cut_off = Cell::new(false);
            let open = |id: &str| {
                let found = of_flop.iter().find(|found| found.id.as_str() == id);
                let found = found.ok_or_else(|| "it is gone".to_owned())?;
                solutions::open(found).map(Box::new).map_err(|failure| {
                    is_cut_off.set(is_cut_off.get() || !failure.is_lasting());
                    failure.into_problem().message
                })
            };
            let mut hand = hand.clone();
            let unread = hand.read_best(of_flop.iter().map(|found| found.id.as_str()), open);
            // What a store did not let be read says nothing about the files: they are read again.
            let reading = match is_cut_off.get() {
                true => HandReading::default(),
                false => HandReading { files: Some(there), unread },
            };
            changed.push((number, hand.solved, reading));
        }
        if changed.is_empty() {
            return before;
        }
        // Without a second owner the session is changed in place, and not copied.
        drop(before);
        let mut current = self.lock();
        let snapshot = Arc::make_mut(&mut current);
        for (number, solved, reading) in changed {
            snapshot.session.hands[number].solved = solved;
            snapshot.readings[number] = reading;
        }
        Arc::clone(&current)
    }
}
