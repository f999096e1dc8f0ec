//! The server of the web app.

pub mod api;
mod app;
mod description;
mod extract;
mod failure;
mod routes;

pub use description::text as openapi;
