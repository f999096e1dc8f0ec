//! Writes `openapi.json`: `cargo run -p noregret-serve --example openapi > crates/serve/openapi.json`.

fn main() {
    print!("{}", noregret_serve::openapi());
}
