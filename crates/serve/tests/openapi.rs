//! The description that the page's types are generated from.

#[test]
fn the_description_in_the_repository_is_up_to_date() {
    let file = include_str!("../openapi.json");
    assert!(
        file == noregret_serve::openapi(),
        "write it anew: cargo run -p noregret-serve --example openapi > crates/serve/openapi.json"
    );
}
