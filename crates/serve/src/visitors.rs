//! Who is connected: those that have nothing under way make room for those that wait to be let in.

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use tokio::sync::Notify;

/// All connections that have nothing under way.
#[derive(Default)]
pub struct Visitors(Mutex<Resting>);

#[derive(Default)]
struct Resting {
    /// The longest at rest first.
    seats: BTreeMap<u64, Arc<Notify>>,
    next: u64,
    /// Whether somebody waits to be let in, so that the next that comes to rest is to leave.
    is_awaited: bool,
}

impl Visitors {
    fn lock(&self) -> MutexGuard<'_, Resting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the connection that has rested longest to leave, or else the next that comes to rest.
    pub fn make_room(&self) {
        let mut resting = self.lock();
        match resting.seats.pop_first() {
            Some((_, leave)) => leave.notify_one(),
            None => resting.is_awaited = true,
        }
    }

    /// Nobody waits any more.
    pub fn room_was_made(&self) {
        self.lock().is_awaited = false;
    }
}

/// A connection.
pub struct Seat {
    visitors: Arc<Visitors>,
    leave: Arc<Notify>,
    state: Mutex<SeatState>,
}

#[derive(Default)]
struct SeatState {
    /// Its number among those that rest, if it does.
    resting: Option<u64>,
    has_asked: bool,
}

impl Seat {
    /// One that has asked for nothing yet, and does not rest before [`Seat::rest_if_silent`].
    pub fn take(visitors: &Arc<Visitors>) -> Arc<Self> {
        let seat = Self { visitors: Arc::clone(visitors), leave: Arc::default(), state: Mutex::default() };
        Arc::new(seat)
    }

    /// Comes to rest unless something was asked for: what a new connection asks for is on its way for a moment.
    pub fn rest_if_silent(&self) {
        if !self.has_asked() {
            self.rest();
        }
    }

    fn state(&self) -> MutexGuard<'_, SeatState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something was asked for; until the answer is written, the connection stays.
    pub fn begin(self: &Arc<Self>) -> UnderWay {
        let mut state = self.state();
        state.has_asked = true;
        if let Some(number) = state.resting.take() {
            self.visitors.lock().seats.remove(&number);
        }
        UnderWay(Arc::clone(self))
    }

    fn rest(&self) {
        let mut state = self.state();
        let mut resting = self.visitors.lock();
        if std::mem::take(&mut resting.is_awaited) {
            self.leave.notify_one();
            return;
        }
        let number = resting.next;
        resting.next += 1;
        resting.seats.insert(number, Arc::clone(&self.leave));
        state.resting = Some(number);
    }

    /// Returns when the connection is to make room.
    pub async fn asked_to_leave(&self) {
        self.leave.notified().await;
    }

    /// Whether anything was ever asked for here.
    pub fn has_asked(&self) -> bool {
        self.state().has_asked
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        if let Some(number) = self.state().resting {
            self.visitors.lock().seats.remove(&number);
        }
    }
}

/// A request that is being answered.
pub struct UnderWay(Arc<Seat>);

impl UnderWay {
    /// The body of an answer, after which the connection rests.
    pub fn until_written(self, body: Body) -> Body {
        Body::new(LastWord { body, _under_way: self })
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.rest();
    }
}

/// A body that says when it is over.
struct LastWord {
    body: Body,
    _under_way: UnderWay,
}

impl HttpBody for LastWord {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
