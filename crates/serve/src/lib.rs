//! The server of the web app: an HTTP API over specs, solves, solutions and Texas 42, and the page itself.
//!
//! ```no_run
//! use noregret_serve::{Server, Settings};
//!
//! let server = Server::open(Settings::new("library".into()), 4242, true)?;
//! println!("http://{}", server.address()?);
//! server.run();
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Everything that takes a while runs off the threads that answer: solves on threads of their own ([`Server`] stops them
//! cleanly), reading on a few others. Whatever has a name from outside goes through the library, which is one folder.

mod annotations;
pub mod api;
mod app;
mod batches;
mod blocking;
mod connections;
mod description;
mod domino_drills;
mod download;
mod drain;
mod drill_questions;
mod drills;
mod examples;
mod extract;
mod failure;
mod forgotten;
mod guard;
mod hand_report;
mod hand_sessions;
mod hidden_hands;
mod infos;
mod jobs;
mod kept_rows;
mod kept_sessions;
mod library;
mod lines;
mod linger;
mod lock;
mod merits;
mod names;
mod open_hands;
mod overview;
mod page;
mod point;
mod presets;
mod priority;
mod problems;
mod ranges;
mod rate;
mod recent;
mod routes;
mod server;
mod settings;
mod solutions;
mod solve_runs;
mod tables;
mod trash;
mod upload;
mod visitors;

pub use description::text as openapi;
pub use page::page_size;
pub use server::{Server, Stopper};
pub use settings::Settings;
