//! Spots by name and the ranges that they are made of.

use crate::common::Running;
use crate::common::http::encoded;
use serde_json::json;

#[test]
fn every_named_spot_is_a_spec_that_the_server_accepts() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let catalogue = server.get("/api/spots").json();
    let spots = catalogue["spots"].as_array().unwrap();
    assert!(spots.len() > 200 && catalogue["rakes"].as_array().unwrap().len() == 5);
    let known = spots.iter().find(|spot| spot["name"] == "BTN vs BB, single-raised, 100 bb").unwrap();
    assert_eq!(
        (&known["pot"], &known["stack"], &known["opener"]),
        (&json!(5.5), &json!(97.5), &json!("BTN"))
    );
    for spot in spots.iter().step_by(29) {
        let name = spot["name"].as_str().unwrap();
        let path = format!("/api/spots/{}?rake=online-small&board=Ks7d2c", encoded(name));
        let found = server.get(&path).json();
        assert_eq!(found["name"], name);
        let check = server.post("/api/specs/check", &json!({"toml": found["toml"]})).json();
        assert_eq!(
            (&check["valid"], &check["summary"]["unit"]),
            (&json!(true), &json!("bb")),
            "{name}: {check}"
        );
        assert_eq!((&check["summary"]["pot"], &check["summary"]["stack"]), (&spot["pot"], &spot["stack"]));
    }
    let bare = server.get("/api/spots/BTN%20vs%20BB%2C%20single-raised%2C%20100%20bb").json();
    assert!(bare["toml"].as_str().unwrap().contains("flop = \"\""), "{bare}");
    assert_eq!((&bare["oop"], &bare["ip"]), (&json!("BB"), &json!("BTN")));
}

#[test]
fn what_is_no_spot_board_or_rake_is_refused_with_what_there_is() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let get = |name: &str, query: &str| server.get(&format!("/api/spots/{}{query}", encoded(name)));
    let name = "BTN vs BB, single-raised, 100 bb";
    let unknown = get("BTN vs BB, single raised, 100 bb", "");
    assert_eq!(unknown.status, 404);
    assert!(unknown.message().contains("did you mean `BTN vs BB, single-raised, 100 bb`?"));
    assert_eq!(get("BTN vs BB, 4-bet, 20 bb", "").status, 404);
    let rake = get(name, "?rake=half");
    assert_eq!(
        (rake.status, rake.message().as_str()),
        (422, "rake: it is one of none, online-small, online-middle, online-high, live")
    );
    assert_eq!(get(name, "?board=KsKs2c").status, 422);
    assert_eq!(get(name, "?bord=KsKd2c").status, 400);
}

#[test]
fn the_ranges_of_a_chart_have_names() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let chart = server.get("/api/charts?format=6-max&depth=100").json();
    let named =
        |name: &str| chart.as_array().unwrap().iter().find(|range| range["name"] == name).cloned().unwrap();
    assert!(named("BTN opens")["combos"].as_f64().unwrap() > 500.0);
    for name in
        ["BB calls BTN", "BB 3-bets BTN", "BTN 4-bets BB", "BB goes all-in on the 4-bet of BTN", "SB limps"]
    {
        assert!(!named(name)["text"].as_str().unwrap().is_empty(), "{name}");
    }
    assert_eq!(server.get("/api/charts?format=9-max&depth=100").status, 422);
    assert_eq!(server.get("/api/charts?format=6-max&depth=30").status, 422);
}
