//! The Rust blocks of the book, as doctests.

#![cfg_attr(doctest, doc = include_str!("../../../docs/guide/rust.md"))]
