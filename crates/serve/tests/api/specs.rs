//! Specs, ranges and presets.

use crate::common::{RIVER, Running, http};
use serde_json::{Value, json};

#[test]
fn health_presets_and_the_description_are_there() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let health = server.get("/api/health").json();
    assert!(health["memory"]["budget"].as_u64().unwrap() > 0 && health["threads"] == 2, "{health}");
    let presets = server.get("/api/presets").json();
    assert_eq!(presets[0]["name"], "quick");
    for preset in presets.as_array().unwrap() {
        let check = server.post("/api/specs/check", &json!({"toml": preset["toml"]})).json();
        assert_eq!(check["valid"], true, "{}: {check}", preset["name"]);
    }
    assert_eq!(server.get("/api/openapi.json").body, noregret_serve::openapi().into_bytes());
    assert_eq!(server.get("/api/nothing").status, 404);
    assert!(server.get("/api/nothing").message().contains("openapi.json"));
    let wrong = server.delete("/api/presets");
    assert_eq!(
        (wrong.status, wrong.message().contains("openapi.json"), wrong.header("allow")),
        (405, true, Some("GET,HEAD"))
    );
}

#[test]
fn ranges_are_read_printed_and_saved() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let parse = |body: Value| server.post("/api/ranges/parse", &body);
    let range = parse(json!({"text": "AA,AKs:0.1"})).json();
    assert_eq!((range["combos"].as_f64().unwrap() * 10.0).round(), 64.0);
    assert_eq!((range["hands"].as_array().unwrap().len(), &range["text"]), (10, &json!("AA,AKs:0.1")));
    assert!(range["hands"].as_array().unwrap().iter().any(|hand| hand["weight"] == 0.1));
    let blocked = parse(json!({"text": "AA", "board": "AsKd2c"})).json();
    assert_eq!(blocked["hands"].as_array().unwrap().len(), 3);
    let printed = server.post("/api/ranges/print", &json!({"hands": range["hands"]})).json();
    assert_eq!(printed["text"], "AA,AKs:0.1");
    assert_eq!(parse(json!({"text": ""})).json()["hands"], json!([]));

    let bad = parse(json!({"text": "AA,\nKx"}));
    let error = &bad.json()["error"];
    assert_eq!(
        (bad.status, &error["positions"][0]["line"], &error["positions"][0]["column"]),
        (422, &json!(2), &json!(1))
    );
    assert_eq!(parse(json!({"text": "AA", "board": "AsAs2c"})).status, 422);
    assert_eq!(parse(json!({"text": 5})).status, 422);
    assert_eq!(parse(json!({"text": "AA", "bord": ""})).status, 422);
    let print = |hands: Value| server.post("/api/ranges/print", &json!({"hands": hands}));
    assert!(print(json!([{"hand": "AxKs", "weight": 1}])).message().starts_with("hands[0].hand: "));
    assert!(print(json!([{"hand": "AsKs", "weight": 2}])).message().starts_with("hands[0].weight: "));

    let put = |name: &str, text: &str| {
        http::request(
            server.address,
            "PUT",
            &format!("/api/ranges/{}", http::encoded(name)),
            Some(&json!({"text": text})),
        )
    };
    assert_eq!(put("button ../ opens", "AA,KK").status, 200);
    assert_eq!(put("bad", "Kx").status, 422);
    assert_eq!(put(&"x".repeat(101), "AA").status, 422);
    assert_eq!(server.get("/api/ranges").json(), json!([{"name": "button ../ opens", "text": "AA,KK"}]));
    drop(server);
    let server = Running::start(home.path());
    assert_eq!(server.get("/api/ranges").json()[0]["text"], "AA,KK");
    let path = format!("/api/ranges/{}", http::encoded("button ../ opens"));
    assert_eq!((server.delete(&path).status, server.delete(&path).status), (204, 404));
}

#[test]
fn a_spec_is_checked_with_its_size_or_the_place_of_its_mistake() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::with(home.path(), |settings| settings.memory = 1_000_000);
    let check = |toml: &str| server.post("/api/specs/check", &json!({"toml": toml})).json();
    let good = check(RIVER);
    assert_eq!(
        (&good["valid"], &good["fits"], &good["summary"]["turn"]),
        (&json!(true), &json!(true), &json!("8c"))
    );
    assert_eq!(good["summary"]["hands"].as_array().unwrap().len(), 2);
    let sum = |check: &Value| -> u64 {
        check["memory"].as_array().unwrap().iter().map(|part| part["bytes"].as_u64().unwrap()).sum()
    };
    assert_eq!(good["memory_bytes"], sum(&good));
    let sizes = "[bet_sizes.river]\noop_bet = \"33%, 75%\"\nip_bet = \"33%, 75%\"\n";
    let warm = check(&format!("{RIVER}[solver.warm_start]\nsizes = 1\n{sizes}"));
    assert_eq!(warm["valid"], true, "{warm}");
    let part = warm["memory"].as_array().unwrap().iter().find(|part| part["part"] == "warm_start").unwrap();
    assert!(part["bytes"].as_u64().unwrap() > 0, "{warm}");
    assert_eq!(warm["memory_bytes"], sum(&warm));
    assert_eq!(
        (&good["precisions"][0]["strategy_bits"], &good["precisions"][0]["memory_bytes"]),
        (&json!(32), &good["memory_bytes"])
    );
    let large = check(&RIVER.replace("turn = \"8c\"\nriver = \"3d\"\n", ""));
    assert_eq!((&large["valid"], &large["fits"]), (&json!(true), &json!(false)), "{large}");
    let bad = check(&RIVER.replace("QJs", "QJx"));
    let error = &bad["errors"][0];
    assert_eq!(
        (&bad["valid"], &error["field"], &error["positions"][0]["line"]),
        (&json!(false), &json!("ranges.oop"), &json!(2))
    );
    for text in ["", "x", "[ranges]", "\u{0}", "[[locks]]\n"] {
        assert_eq!(check(text)["valid"], false, "{text}");
    }
}

#[test]
fn a_tree_is_walked_without_solving_it() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let at = |line: &str| server.post("/api/specs/tree", &json!({"toml": crate::common::TURN, "line": line}));
    let root = at("").json();
    assert_eq!(
        (&root["player"], &root["pot"], &root["stacks"]["ip"]),
        (&json!("oop"), &json!(100.0), &json!(200.0))
    );
    assert_eq!(root["actions"][1], json!({"action": "bet", "amount": 50, "label": "bet 50"}));
    let called = at("bet 50, call").json();
    assert_eq!(
        (&called["deals_card"], &called["pot"], &called["stacks"]["oop"]),
        (&json!(true), &json!(200.0), &json!(150.0))
    );
    assert_eq!(at("bet 50, call, Th").json()["board"].as_array().unwrap().len(), 5);
    assert!(at("bet 60").message().contains("there is no `bet 60`"), "{:?}", at("bet 60"));
    assert_eq!((at("jump").status, at("jump").json()["error"]["field"].clone()), (422, json!("line")));
    assert_eq!(server.post("/api/specs/tree", &json!({"toml": "x", "line": ""})).status, 422);
}

#[test]
fn amounts_in_big_blinds_keep_their_unit() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let blinds = RIVER
        .replace("starting_pot = 100", "starting_pot = 5.5\nunit = \"bb\"\nbig_blind = 2")
        .replace("effective_stack = 300", "effective_stack = 97.5");
    let check = server.post("/api/specs/check", &json!({"toml": blinds})).json();
    let summary = &check["summary"];
    assert_eq!(
        (&summary["unit"], &summary["pot"], &summary["stack"]),
        (&json!("bb"), &json!(5.5), &json!(97.5))
    );
    let point = server.post("/api/specs/tree", &json!({"toml": blinds, "line": "bet 2.8"})).json();
    assert_eq!(
        (&point["unit"], &point["pot"], &point["stacks"]["oop"]),
        (&json!("bb"), &json!(8.3), &json!(94.7))
    );
    assert_eq!(point["actions"][2], json!({"action": "raise", "amount": 7, "label": "raise 7"}));
    let bad = server.post("/api/specs/check", &json!({"toml": blinds.replace("\"bb\"", "\"euro\"")})).json();
    assert_eq!(bad["errors"][0]["field"], "tree.unit", "{bad}");

    server.solved("blinds", &blinds);
    let list = server.get("/api/solutions").json();
    assert_eq!((&list[0]["unit"], &list[0]["pot"]), (&json!("bb"), &json!(5.5)));
    let node = server.get("/api/solutions/blinds/node?line=bet%202.8").json();
    assert_eq!((&node["unit"], &node["big_blind"], &node["pot"]), (&json!("bb"), &json!(2.0), &json!(8.3)));
    assert_eq!((&node["line"], &node["actions"][2]["amount"]), (&json!("bet 2.8"), &json!(7)));
    let ev = |seat: &str| node["players"][seat]["ev"].as_f64().unwrap();
    assert!((ev("oop") + ev("ip") - 8.3).abs() < 1e-3, "{node}");
    let wrong = server.get("/api/solutions/blinds/node?line=bet%202,8");
    assert!(wrong.message().contains("`bet 2,8` can be read as `bet 2.8` or as two steps"), "{wrong:?}");
}
