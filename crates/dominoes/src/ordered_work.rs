//! Pieces of work that threads do ahead of whoever wants them, in order.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Threads that make numbered pieces ahead of their time. Pieces are handed out in order; no more than one for each thread and two
/// more are made and not yet taken. Dropped, it lets its threads end after the piece under way.
pub struct OrderedWork<T> {
    pieces: Receiver<(u64, Option<T>)>,
    /// Pieces that were made before their turn.
    early: BTreeMap<u64, Option<T>>,
    next: u64,
    end: u64,
    window: Arc<Window>,
}

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub enum NextPiece<T> {
    /// A piece.
    Piece(T),
    /// It is still being made.
    NotYet,
    /// There is no other.
    End,
    /// Whoever made it panicked.
    Panicked,
}

/// Which pieces may be made now.
struct Window {
    /// The next number to make, and the one that may not be made yet.
    numbers: Mutex<(u64, u64)>,
    moved: Condvar,
    end: u64,
}

impl Window {
    /// The next number to make, as soon as it may be; none at the end.
    fn next(&self) -> Option<u64> {
        let numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = |&mut (next, limit): &mut (u64, u64)| next >= limit && next < self.end;
        let mut numbers = self.moved.wait_while(numbers, waits).unwrap_or_else(PoisonError::into_inner);
        (numbers.0 < self.end).then(|| {
            numbers.0 += 1;
            numbers.0 - 1
        })
    }

    fn change(&self, change: impl FnOnce(&mut (u64, u64))) {
        change(&mut self.numbers.lock().unwrap_or_else(PoisonError::into_inner));
        self.moved.notify_all();
    }
}

impl<T: Send + 'static> OrderedWork<T> {
    /// Starts threads that make the pieces from `first` up to `end`, which is not made.
    pub fn start(
        first: u64,
        end: u64,
        threads: usize,
        make: impl Fn(u64) -> T + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let (send, pieces) = channel();
        let limit = first.saturating_add(threads as u64 + 2);
        let window = Arc::new(Window { numbers: Mutex::new((first, limit)), moved: Condvar::new(), end });
        let work = Self { pieces, early: BTreeMap::new(), next: first, end, window: window.clone() };
        let make = Arc::new(make);
        for _ in 0..threads {
            let (make, send, window) = (make.clone(), send.clone(), window.clone());
            let body = move || {
                while let Some(number) = window.next() {
                    let piece = catch_unwind(AssertUnwindSafe(|| make(number))).ok();
                    // Whoever wanted them may be gone.
                    if send.send((number, piece)).is_err() {
                        break;
                    }
                }
            };
            std::thread::Builder::new().name("noregret ahead".to_owned()).spawn(body)?;
        }
        Ok(work)
    }

    /// The next piece in order, if it is there after a moment.
    pub fn next(&mut self, moment: Duration) -> NextPiece<T> {
        loop {
            if self.next >= self.end {
                return NextPiece::End;
            }
            if let Some(piece) = self.early.remove(&self.next) {
                self.next += 1;
                self.window.change(|(_, limit)| *limit = limit.saturating_add(1));
                return piece.map_or(NextPiece::Panicked, NextPiece::Piece);
            }
            match self.pieces.recv_timeout(moment) {
                Ok((number, piece)) => drop(self.early.insert(number, piece)),
                Err(RecvTimeoutError::Timeout) => return NextPiece::NotYet,
                Err(RecvTimeoutError::Disconnected) => return NextPiece::Panicked,
            }
        }
    }
}

impl<T> Drop for OrderedWork<T> {
    fn drop(&mut self) {
        self.window.change(|(next, _)| *next = u64::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    const MOMENT: Duration = Duration::from_secs(20);

    #[test]
    fn pieces_come_in_order_whoever_is_slow() {
        let make = |number| {
            if number % 3 == 0 {
                std::thread::sleep(Duration::from_millis(3));
            }
            number * 10
        };
        for threads in [1, 4] {
            let mut work = OrderedWork::start(2, 20, threads, make).unwrap();
            for number in 2..20 {
                assert_eq!(work.next(MOMENT), NextPiece::Piece(number * 10));
            }
            assert_eq!(work.next(MOMENT), NextPiece::End);
        }
        assert_eq!(OrderedWork::start(5, 5, 2, make).unwrap().next(MOMENT), NextPiece::End);
    }

    #[test]
    fn no_more_is_made_than_a_few_pieces_ahead() {
        let (open, gate) = channel::<()>();
        let (gate, made) = (Mutex::new(gate), Arc::new(AtomicU64::new(0)));
        let count = made.clone();
        let mut work = OrderedWork::start(0, 100, 2, move |number| {
            count.fetch_add(1, Ordering::SeqCst);
            if number == 0 {
                gate.lock().unwrap().recv().unwrap();
            }
            number
        })
        .unwrap();
        assert_eq!(work.next(Duration::from_millis(200)), NextPiece::NotYet);
        assert_eq!(made.load(Ordering::SeqCst), 4, "one for each thread and two more");
        open.send(()).unwrap();
        assert!((0..100).all(|number| work.next(MOMENT) == NextPiece::Piece(number)));
    }

    #[test]
    fn a_panic_is_no_end() {
        for threads in [1, 2] {
            let make = |number| if number == 1 { panic!("as the test wants it") } else { number };
            let mut work = OrderedWork::start(0, 4, threads, make).unwrap();
            assert_eq!(work.next(MOMENT), NextPiece::Piece(0));
            assert_eq!(work.next(MOMENT), NextPiece::Panicked);
        }
    }
}
