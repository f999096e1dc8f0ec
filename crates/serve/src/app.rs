//! What all handlers share.

/// The server's state.
#[derive(Clone)]
pub struct App;
