//! Solutions: lists, points, runouts, files.

use crate::common::http::{encoded, send};
use crate::common::{RIVER, Running, TURN};
use noregret_holdem::{IP, OOP, SolutionFile};
use serde_json::{Value, json};

#[test]
fn solutions_are_listed_shown_moved_and_deleted() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("deep/folder/river", RIVER);
    let list = server.get("/api/solutions").json();
    let info = &list[0];
    assert_eq!(
        (&info["id"], &info["name"], &info["flop"]),
        (&json!("deep/folder/river"), &json!("river"), &json!("QsJh2h"))
    );
    assert_eq!(
        (&info["pot"], &info["stack"], &info["saved_streets"]),
        (&json!(100.0), &json!(300.0), &json!("full"))
    );
    let path = format!("/api/solutions/{}", encoded("deep/folder/river"));
    let detail = server.get(&path).json();
    assert!(detail["toml"].as_str().unwrap().contains("flop = \"QsJh2h\""));
    let ev = |player: &str| detail["ev"][player].as_f64().unwrap();
    assert!((ev("oop") + ev("ip") - 100.0).abs() < 0.01);
    let file = server.get(&format!("{path}/file"));
    assert_eq!(file.body, std::fs::read(home.path().join("deep/folder/river.nrs")).unwrap());
    assert!(file.header("content-disposition").unwrap().contains("river.nrs"));

    let upload = |name: &str, bytes: &[u8]| {
        let head = format!(
            "POST /api/solutions?name={} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nContent-Length: {}\r\n\r\n",
            encoded(name),
            server.address,
            bytes.len()
        );
        send(server.address, &head, bytes)
    };
    let copy = upload("deep/folder/river", &file.body);
    assert_eq!((copy.status, &copy.json()["id"]), (201, &json!("deep/folder/river-2")));
    let bad = upload("bad", b"nonsense");
    assert_eq!(
        (bad.status, bad.message() == "the file cannot be added: not a solution file"),
        (422, true),
        "{bad:?}"
    );
    let mut cut = file.body.clone();
    cut.truncate(cut.len() / 2);
    assert_eq!(upload("cut", &cut).status, 422);
    // What is refused leaves nothing behind, neither a folder nor a part.
    assert_eq!(upload("new/and/empty", &cut).status, 422);
    assert!(!home.path().join("new").exists() && home.path().join("deep/folder").exists());
    assert_eq!(server.get("/api/solutions").json().as_array().unwrap().len(), 2);
    assert_eq!(
        (server.delete(&path).status, server.delete(&path).status, server.get(&path).status),
        (204, 404, 404)
    );
}

#[test]
fn no_damaged_file_is_taken_in_wherever_the_damage_is() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("turn", TURN);
    let good = std::fs::read(home.path().join("turn.nrs")).unwrap();
    let upload = |bytes: &[u8]| {
        let head = format!(
            "POST /api/solutions?name=copy HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nContent-Length: {}\r\n\r\n",
            server.address,
            bytes.len()
        );
        send(server.address, &head, bytes)
    };
    for step in 0..100 {
        let mut bad = good.clone();
        let at = good.len() * step / 100;
        bad[at] ^= 1 << (step % 8);
        let answer = upload(&bad);
        assert_eq!(answer.status, 422, "byte {at}: {answer:?}");
    }
    assert_eq!(server.get("/api/solutions").json().as_array().unwrap().len(), 1);
    assert_eq!(upload(&good).status, 201);
}

#[test]
fn what_a_killed_server_left_is_gone_after_the_next_start_and_what_others_write_is_not() {
    let home = tempfile::tempdir().unwrap();
    for folder in ["deep/er", ".jobs/7"] {
        std::fs::create_dir_all(home.path().join(folder)).unwrap();
    }
    let left = [
        ".spot.nrs.AbC123.part",
        "deep/.spot.nrs.AbC123.part",
        "deep/er/.other.nrs.0aB9zZ.part",
        ".jobs/7/.state.json.AbC123.part",
        ".jobs/7/.spec.toml.AbC123.part",
        ".jobs/7/.checkpoint.nrc.AbC123.part",
        "..ranges.json.AbC123.part",
    ];
    let others = ["deep/.movie.mkv.part", "deep/notes.part", ".something.AbC123.part"];
    for name in left.iter().chain(&others) {
        std::fs::write(home.path().join(name), "half").unwrap();
    }
    // Somebody else is writing into the library.
    let writing = noregret_store::PartFile::create(&home.path().join("deep/new.nrs")).unwrap();
    let server = Running::start(home.path());
    assert_eq!(server.get("/api/health").status, 200);
    for name in left {
        assert!(!home.path().join(name).exists(), "{name}");
    }
    for name in others {
        assert!(home.path().join(name).exists(), "{name}");
    }
    assert!(writing.beside().exists());
}

#[test]
fn uploads_have_a_limit() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::with(home.path(), |settings| settings.upload_bytes = 1000);
    let head = format!(
        "POST /api/solutions?name=x HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nContent-Length: 2000\r\n\r\n",
        server.address
    );
    assert_eq!(send(server.address, &head, &[0; 2000]).status, 413);
    assert!(
        home.path()
            .read_dir()
            .unwrap()
            .flatten()
            .all(|entry| entry.file_name().to_string_lossy().starts_with("."))
    );
}

/// Whether a number came over the wire as it was, but for the last digit.
fn near(told: &Value, number: Option<f64>) -> bool {
    match (told.as_f64(), number) {
        (Some(told), Some(number)) => (told - number).abs() <= 1e-12 * number.abs(),
        (told, number) => told == number,
    }
}

#[test]
fn a_node_is_what_the_file_says() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("turn", TURN);
    let saved = SolutionFile::open(&home.path().join("turn.nrs")).unwrap();
    let node = |line: &str| server.get(&format!("/api/solutions/turn/node?line={}", encoded(line)));
    for line in
        ["", "check", "check, bet 50", "bet 50, call", "bet 50, call, Th", "check, check, 2s, bet 50, fold"]
    {
        let (node, view) = (node(line).json(), saved.at(&line.parse().unwrap()).unwrap());
        assert_eq!(node["line"], line);
        assert_eq!(
            node["path"].as_array().unwrap().len(),
            line.split(", ").filter(|step| !step.is_empty()).count()
        );
        for (player, name) in [(OOP, "oop"), (IP, "ip")] {
            let hands = &node["hands"][name];
            for (i, hand) in view.hands[player.index()].iter().enumerate() {
                assert_eq!(hands["hand"][i], hand.hole.to_string());
                assert!(near(&hands["reach"][i], Some(hand.reach)));
                assert!(near(&hands["equity"][i], hand.equity));
            }
            assert_eq!(hands["strategy"].is_null(), view.player != Some(player));
        }
        for (action, frequency) in node["actions"].as_array().unwrap().iter().zip(&view.frequencies) {
            assert!(near(&action["frequency"], Some(*frequency)));
        }
    }
    let facing = node("check, bet 50").json();
    assert_eq!(
        (&facing["kind"], &facing["player"], &facing["pot"]),
        (&json!("decision"), &json!("oop"), &json!(150.0))
    );
    assert_eq!((&facing["colon"], &facing["stacks"]["ip"]), (&json!("r:0:c:b50"), &json!(150.0)));
    let step = &facing["path"][1];
    assert_eq!(
        (&step["label"], &step["player"], &step["pot"]),
        (&json!("bet 50"), &json!("ip"), &json!(100.0))
    );
    let shares: f64 =
        step["choices"].as_array().unwrap().iter().map(|choice| choice["frequency"].as_f64().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-6);
    assert_eq!(
        (&node("bet 50, call").json()["kind"], &node("bet 50, fold").json()["kind"]),
        (&json!("card"), &json!("terminal"))
    );
    assert_eq!(node("r:0:c:b50").json()["line"], "check, bet 50");
    for bad in ["jump", "bet 60", "check, check, Qs", "*", "\u{0}", &"check, ".repeat(300)] {
        let answer = node(bad);
        assert_eq!((answer.status, &answer.json()["error"]["field"]), (422, &json!("line")), "{bad}");
    }
    assert_eq!(server.get("/api/solutions/turn/node?lin=check").status, 400);
}

#[test]
fn runouts_are_the_points_after_each_card() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("turn", &TURN.replace("8c", "8h"));
    let get =
        |what: &str, line: &str| server.get(&format!("/api/solutions/turn/{what}?line={}", encoded(line)));
    let runouts = get("runouts", "check, check").json();
    let cards = runouts["cards"].as_array().unwrap();
    assert_eq!(cards.len(), 48);
    assert!(cards.iter().any(|card| card["same_as"].is_string()), "no two suits are alike");
    for card in cards.iter().step_by(5) {
        let node = get("node", card["line"].as_str().unwrap()).json();
        for player in ["oop", "ip"] {
            let near = |key: &str| {
                let [a, b] = [&card["players"], &node["players"]]
                    .map(|players| players[player][key].as_f64().unwrap_or(-1.0));
                assert!((a - b).abs() < 1e-6, "{card} {node}");
            };
            near("ev");
            near("equity");
        }
        assert_eq!(card["actions"].as_array().unwrap().len(), node["actions"].as_array().unwrap().len());
    }
    assert_eq!(get("runouts", "check, check, Th, check").json()["line"], "check, check");
    let none = get("runouts", "check");
    assert_eq!((none.status, none.message().contains("no card is dealt")), (422, true));
    let report = get("report", "check, check, *").json();
    let all = &report["variants"][0];
    assert_eq!((all["rows"].as_array().unwrap().len(), &all["player"]), (48, &json!("oop")));
    assert_eq!(get("report", "check, check").json(), report);
    assert_eq!(get("report", "check").status, 422);
}

#[test]
fn what_a_small_save_leaves_out_is_solved_again() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let body = json!({"name": "small", "toml": TURN, "save": "turn"});
    let id = server.post("/api/solves", &body).json()["id"].as_str().unwrap().to_owned();
    crate::common::http::wait_for(server.address, &id, &["done"]);
    let get =
        |what: &str, line: &str| server.get(&format!("/api/solutions/small/{what}?line={}", encoded(line)));
    assert_eq!(server.get("/api/solutions/small").json()["saved_streets"], "turn");
    let cards = get("runouts", "check, check").json();
    assert_eq!((&cards["cards"][0]["players"], &cards["cards"][0]["actions"]), (&Value::Null, &json!([])));
    assert_eq!(get("node", "check, check, Th").json()["player"], "oop");
    assert!(get("report", "check, check").message().contains("keeps the streets up to `turn`"));
}

#[test]
fn a_file_that_changes_is_read_again_and_one_that_breaks_is_no_server_error() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("spot", RIVER);
    assert_eq!(server.get("/api/solutions/spot/node").json()["street"], "river");
    server.solved("other", TURN);
    std::fs::copy(home.path().join("other.nrs"), home.path().join("spot.nrs")).unwrap();
    assert_eq!(server.get("/api/solutions/spot/node").json()["street"], "turn");
    std::fs::write(home.path().join("spot.nrs"), "nonsense").unwrap();
    for path in ["", "/node", "/runouts"] {
        let answer = server.get(&format!("/api/solutions/spot{path}"));
        assert_eq!((answer.status, answer.message().contains("cannot be read")), (422, true), "{answer:?}");
    }
    assert_eq!(server.get("/api/solutions").json().as_array().unwrap().len(), 1);
}

#[test]
fn where_no_hands_meet_the_path_has_no_frequencies() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("spot", &format!("{RIVER}[[locks]]\nline = \"\"\nstrategy = \"check\"\n"));
    let node = |line: &str| server.get(&format!("/api/solutions/spot/node?line={}", encoded(line))).json();
    let root = node("");
    let actions = root["actions"].as_array().unwrap();
    let bet = actions.iter().find(|action| action["action"] != "check").unwrap();
    let there = node(&format!("{}, call", bet["line"].as_str().unwrap()));
    let frequencies = |step: usize| -> Vec<&Value> {
        let choices = there["path"][step]["choices"].as_array().unwrap();
        choices.iter().map(|choice| &choice["frequency"]).collect()
    };
    assert!(frequencies(0).contains(&&json!(1.0)), "{there}");
    assert!(frequencies(1).len() > 1 && frequencies(1).iter().all(|each| each.is_null()), "{there}");
}

#[test]
fn locks_are_tried_out_before_anything_is_solved_again() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("turn", TURN);
    let detail = server.get("/api/solutions/turn").json();
    let toml = detail["toml"].as_str().unwrap();
    let question = |lock: &str, line: &str| {
        let question = json!({"toml": format!("{toml}\n[[locks]]\n{lock}\n"), "line": line});
        server.post("/api/solutions/turn/locks", &question)
    };
    let node = server.get("/api/solutions/turn/node?line=bet%2050").json();
    let before = node["actions"][0]["frequency"].as_f64().unwrap();
    let folds = "line = 'bet 50'\nby = 'merit'\nstrategy = { fold = 0.75 }";
    let merit = &question(folds, "bet 50").json()[0];
    let number = |value: &Value| value.as_f64().unwrap();
    assert_eq!(
        (&merit["player"], &merit["by"], &merit["line"]),
        (&json!("ip"), &json!("merit"), &json!("bet 50"))
    );
    assert!((number(&merit["before"][0]) - before).abs() < 1e-6, "{merit}");
    assert!((number(&merit["after"][0]) - 0.75).abs() < 1e-3, "{merit}");
    assert_eq!(merit["hands"].as_array().unwrap().len(), merit["strategy"].as_array().unwrap().len());
    let alike = &question("line = 'bet 50'\nstrategy = { fold = 0.75, call = 0.25 }", "bet 50").json()[0];
    assert!(number(&alike["given_up"]) > number(&alike["given_up_by_merit"]), "{alike}");
    assert_eq!(question(folds, "check").json(), json!([]));
    let wrong = question("line = 'bet 51'\nstrategy = 'fold'", "bet 50");
    assert_eq!((wrong.status, wrong.message().contains("there is no `bet 51`")), (422, true));

    // The solve takes the hands that the solution gives it.
    let locked = format!("{toml}\n[[locks]]\n{folds}\n");
    let request = json!({"name": "locked", "toml": locked, "merit_base": "turn"});
    let job = server.post("/api/solves", &request).json();
    let done = crate::common::http::wait_for(server.address, job["id"].as_str().unwrap(), &["done"]);
    let detail = server.get(&format!("/api/solutions/{}", done["solution"].as_str().unwrap())).json();
    assert!(detail["toml"].as_str().unwrap().contains("resolved = {"), "{detail}");
    let node = server.get("/api/solutions/locked/node?line=bet%2050").json();
    assert!(node["actions"][0]["frequency"].as_f64().unwrap() > before, "{node}");
    let other = json!({"name": "x", "toml": locked.replace("effective_stack = 200", "effective_stack = 199"), "merit_base": "turn"});
    assert!(server.post("/api/solves", &other).message().contains("is of another spot"));
}

#[test]
fn a_best_response_gains_what_the_exploitability_says() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("turn", TURN);
    let info = server.get("/api/solutions/turn").json();
    let exploit = |player: &str, line: &str| {
        server.get(&format!("/api/solutions/turn/exploit?player={player}&line={}", encoded(line)))
    };
    let gain = |player: &str| exploit(player, "").json()["root_gain"].as_f64().unwrap();
    let pct = 50.0 * (gain("oop") + gain("ip")) / info["pot"].as_f64().unwrap();
    assert!((pct - info["exploitability_pct"].as_f64().unwrap()).abs() < 1e-3, "{pct} {info}");
    let facing = exploit("ip", "bet 50").json();
    assert_eq!(facing["actions"][0], "fold");
    assert_eq!(facing["hand"].as_array().unwrap().len(), facing["hand_gain"].as_array().unwrap().len());
    assert_eq!(exploit("oop", "bet 50").json()["actions"], json!([]));
    assert_eq!(exploit("nobody", "").status, 400);
    assert_eq!(exploit("ip", "bet 51").status, 422);

    let small =
        json!({"name": "small", "toml": format!("{}", info["toml"].as_str().unwrap()), "save": "turn"});
    let job = server.post("/api/solves", &small).json();
    crate::common::http::wait_for(server.address, job["id"].as_str().unwrap(), &["done"]);
    let refused = server.get("/api/solutions/small/exploit?player=ip");
    assert!(
        refused
            .message()
            .starts_with("the solution does not answer this: it keeps the strategies up to the turn only"),
        "{refused:?}"
    );
}
