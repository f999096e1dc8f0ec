//! Hands that were played: sessions, their solves, what decisions cost, and drills on the costly ones.

use crate::common::Running;
use crate::common::http::encoded;
use serde_json::{Value, json};
use std::ops::Add;
use std::time::{Duration, Instant};

/// Four hands: two spots, one that ended before the flop, one with three players.
const SESSION: &str = include_str!("../../../../examples/session.txt");

/// A hand with so little left on the flop that it is solved in a moment: top pair is folded to a small bet. And one that ended before
/// the flop.
fn short() -> String {
    let mut text = "PokerStars Hand #7: Hold'em No Limit ($0.50/$1.00 USD) - 2026/01/02 20:00:00 ET\n\
                    Table 'Vega' 6-max Seat #4 is the button\n"
        .to_owned();
    for (name, seat) in ["UTG", "HJ", "CO", "Hero", "SB", "BB"].into_iter().zip(1..) {
        text += &format!("Seat {seat}: {name} ($8 in chips)\n");
    }
    text += "SB: posts small blind $0.50\nBB: posts big blind $1\n*** HOLE CARDS ***\nDealt to Hero [Ad Qd]\nUTG: folds\n\
             HJ: folds\nCO: folds\nHero: raises $1 to $2\nSB: folds\nBB: raises $4 to $6\nHero: calls $4\n\
             *** FLOP *** [Qc 7d 2h]\nBB: bets $2 and is all-in\nHero: folds\nUncalled bet ($2) returned to BB\n\
             BB collected $12.50 from pot\n*** SUMMARY ***\nTotal pot $12.50 | Rake $0\n\n\n";
    let preflop = SESSION.split("\n\n\n").nth(1).unwrap();
    text + preflop
}

/// Reads a text into a session that is solved coarsely, and gives its report.
#[track_caller]
fn add(server: &Running, text: &str) -> Value {
    let answer = server.post("/api/hands", &json!({"text": text, "target_pct": 30}));
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

#[track_caller]
fn solved(server: &Running, id: &Value) -> Value {
    let started = server.post(&format!("/api/hands/{id}/solve"), &json!({}));
    assert_eq!(started.status, 200, "{started:?}");
    let start = Instant::now();
    loop {
        let report = server.get(&format!("/api/hands/{id}")).json();
        if report["session"]["running"] == false {
            return report;
        }
        assert!(start.elapsed() < Duration::from_secs(240), "{report}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn hands_are_read_and_kept_with_what_is_solved_for_them() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    assert_eq!(server.get("/api/hands").json(), json!([]));
    let wrong = SESSION.replacen("Total pot $2.50", "Total pot $25", 1);
    let report = add(&server, &wrong);
    let session = &report["session"];
    assert_eq!((&session["id"], &session["name"]), (&json!(1), &json!("Vega IV, 2026/03/14")));
    let counts = ["hands", "left_out", "errors", "spots", "solved"].map(|key| session[key].as_u64().unwrap());
    assert_eq!(counts, [3, 1, 1, 2, 0]);
    let hands = report["hands"].as_array().unwrap();
    let kinds: Vec<&str> = hands.iter().map(|hand| hand["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["to-solve", "left-out", "to-solve"]);
    assert_eq!((&hands[0]["summary"], &hands[0]["hole"]), (&json!("BB vs BTN, 3-bet"), &json!("AdQd")));
    assert_eq!((&hands[0]["position"], &hands[0]["won_bb"]), (&json!("BTN"), &json!(-10.0)));
    assert_eq!(hands[1]["summary"], "3 players saw the flop, and heads-up pots are solved");
    let error = &report["errors"][0];
    assert_eq!(error["message"], "the players have put in $2.50, and the pot is $25");
    assert_eq!((&error["hand"], error["line"].as_u64()), (&json!("300000002"), Some(62)));
    assert_eq!(report["totals"]["all"]["decisions"], 0);

    let hand = server.get("/api/hands/1/hands/0").json();
    assert_eq!(
        (&hand["board"], &hand["hero"], &hand["big_blind"]),
        (&json!("Qc7d2h5s"), &json!("BTN"), &json!(1.0))
    );
    assert_eq!(hand["actions"].as_array().unwrap().len(), 11);
    assert_eq!(hand["actions"][9]["all_in"], true);
    let spot = &hand["spot"];
    assert!(spot["notes"][0].as_str().unwrap().starts_with("AQs is not in the range"), "{spot}");
    assert_eq!(spot["players"]["ip"]["position"], "BTN");
    assert_eq!(server.post("/api/specs/check", &json!({"toml": spot["spec"]})).json()["valid"], true);
    assert_eq!(hand["decisions"].as_array().unwrap().len(), 2);
    assert!(hand.get("solution").is_none() && hand.get("left_out").is_none());
    assert_eq!(server.get("/api/hands/1/hands/1").json()["left_out"]["reason"], "multiway");
    let none = server.get("/api/hands/1/hands/3");
    assert_eq!((none.status, none.message()), (404, "session 1 has no hand 3".to_owned()));
    drop(server);

    let again = Running::start(home.path());
    assert_eq!(again.get("/api/hands").json(), json!([report["session"]]));
    assert_eq!(again.get("/api/hands/1").json(), report);
    assert_eq!(again.delete("/api/hands/1").status, 204);
    assert_eq!(again.get("/api/hands").json(), json!([]));
    assert_eq!(again.get("/api/hands/1").status, 404);
    assert_eq!(again.delete("/api/hands/1").message(), "there is no session 1 of hands");
    // It is kept for a while, under a number that no other session gets, and is what it was when it is taken back.
    drop(again);
    let later = Running::start(home.path());
    let trash = later.get("/api/trash").json();
    let told = ["kind", "id", "name"].map(|key| trash[0][key].as_str().unwrap());
    assert_eq!(told, ["hands", "1", "Vega IV, 2026/03/14"]);
    assert_eq!(add(&later, &short())["session"]["id"], 2);
    let back = || later.post("/api/hands/1/restore", &json!({}));
    assert_eq!(back().json(), report["session"]);
    assert_eq!(later.get("/api/hands/1").json(), report);
    let twice = back();
    let message = "`session-1.json` is not among what was deleted";
    assert_eq!((twice.status, twice.message().as_str()), (404, message));
    assert_eq!(later.get("/api/trash").json(), json!([]));
    // What is deleted for good is on the disk no more.
    assert_eq!((later.delete("/api/hands/1").status, later.delete("/api/trash").status), (204, 204));
    assert_eq!(back().status, 404);
    let trash = std::fs::read_dir(home.path().join(".trash")).unwrap();
    assert_eq!((trash.count(), home.path().join(".hands/session-1.json").exists()), (0, false));
}

#[test]
fn a_session_is_solved_and_its_costly_decisions_are_asked_again() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let text = short();
    let id = add(&server, &text)["session"]["id"].clone();
    let early = server.post(&format!("/api/hands/{id}/drill"), &json!({}));
    let message = "no decision of this session is known to have cost anything";
    assert_eq!((early.status, early.message().as_str()), (409, message));
    let report = solved(&server, &id);
    let session = &report["session"];
    assert_eq!((&session["solved"], &session["failed"]), (&json!(1), &json!(0)), "{session}");
    // The list of solves is not filled with its spots.
    assert_eq!(server.get("/api/solves").json(), json!([]));
    let done = server.post(&format!("/api/hands/{id}/solve"), &json!({}));
    assert_eq!((done.status, done.message().as_str()), (409, "nothing of this session is left to be solved"));

    let hand = server.get(&format!("/api/hands/{id}/hands/0")).json();
    let row = &hand["decisions"][0];
    let told = |key: &str| row[key].as_str().unwrap();
    assert!(told("solution").starts_with("hands/Qc7d2h-"), "{row}");
    let (solution, line) = (encoded(told("solution")), encoded(told("line")));
    assert_eq!(told("link"), format!("#/browse/{solution}?line={line}"));
    // The numbers are those of the point that the link leads to.
    let node = server.get(&format!("/api/solutions/{solution}/node?line={line}")).json();
    let hands = &node["hands"]["ip"];
    let place = hands["hand"].as_array().unwrap().iter().position(|hand| *hand == row["hole"]).unwrap();
    let evs: Vec<f64> =
        hands["action_evs"][place].as_array().unwrap().iter().map(|ev| ev.as_f64().unwrap()).collect();
    let actions = node["actions"].as_array().unwrap();
    let played = actions.iter().position(|action| action["label"] == row["played"]).unwrap();
    let most = evs.iter().copied().fold(f64::MIN, f64::max);
    let loss = (most - evs[played]) / row["big_blind"].as_f64().unwrap();
    assert!(loss > 1.0 && (row["ev_loss_bb"].as_f64().unwrap() - loss).abs() < 1e-9, "{row}");
    assert!((report["hands"][0]["ev_loss_bb"].as_f64().unwrap() - loss).abs() < 1e-9);
    assert_eq!((told("line"), &hand["solution"]["line"]), ("all-in 200", &json!("all-in 200, fold")));
    let totals = &report["totals"];
    assert_eq!((&totals["costliest"][0], &totals["all"]["decisions"]), (row, &json!(1)));
    assert_eq!((&report["costliest_hands"], &report["to_train"]), (&json!([0]), &json!(1)));

    // The same text again is solved already.
    let second = add(&server, &text);
    assert_eq!((&second["session"]["solved"], &second["totals"]), (&json!(1), totals));

    let started = server.post(&format!("/api/hands/{id}/drill"), &json!({}));
    assert_eq!(started.status, 201, "{started:?}");
    let (drill, question) = (&started.json()["session"], &started.json()["question"]);
    assert_eq!((&drill["hands"], &question["left"]), (&session["name"], &json!(1)));
    assert_eq!((&question["solution"], &question["hole"]), (&row["solution"], &row["hole"]));
    let reply = json!({"decision": 0, "action": row["played"]});
    let verdict = server.post(&format!("/api/drills/{}/answers", drill["id"]), &reply).json();
    let known = row["ev_loss_pct"].as_f64().unwrap();
    assert!((verdict["ev_loss_pct"].as_f64().unwrap() - known).abs() < 1e-9, "{verdict}");
    assert_eq!(server.get("/api/drills").json()[0]["hands"], session["name"]);
    // What went wrong again is asked again, like in any drill.
    assert_eq!(server.get("/api/drills/review").json()["due"], 1);

    // A solution that is damaged is told, and its hand is to be solved.
    let path = home.path().join(format!("{}.nrs", told("solution")));
    std::fs::write(&path, "half").unwrap();
    let report = server.get(&format!("/api/hands/{id}")).json();
    assert_eq!(report["hands"][0]["kind"], "to-solve");
    let unread = &report["unread_solutions"][0];
    assert_eq!(unread["solution"], row["solution"]);
    assert!(unread["message"].as_str().unwrap().contains("cannot be read"), "{unread}");
    assert_eq!(report["session"]["solved"], 0);
    let refused = server.post(&format!("/api/hands/{id}/solve"), &json!({}));
    let message = format!(
        "the file `{}.nrs` of the library cannot be read: delete it, and solve again",
        told("solution")
    );
    assert_eq!((refused.status, refused.message()), (409, message));
    std::fs::remove_file(&path).unwrap();
    assert_eq!(solved(&server, &id)["session"]["solved"], 1);
}

#[test]
fn own_ranges_of_a_session_make_other_spots_and_are_taken_back() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let text = short();
    let id = add(&server, &text)["session"]["id"].clone();
    assert_eq!(solved(&server, &id)["session"]["solved"], 1);
    let name = "BTN calls the 3-bet of BB, 6-max, 20 bb";
    let ranges = |server: &Running| server.get(&format!("/api/hands/{id}/ranges")).json();
    let charts = ranges(&server);
    let of = |ranges: &Value| {
        ranges.as_array().unwrap().iter().find(|range| range["name"] == name).cloned().unwrap()
    };
    assert_eq!((&of(&charts)["own"], &of(&charts)["hands"]), (&json!(false), &json!(1)));
    let before = server.get(&format!("/api/hands/{id}/hands/0")).json();
    assert_eq!(
        (&before["spot"]["players"]["ip"]["source"], before.get("solution").is_some()),
        (&json!(name), true)
    );

    let path = format!("/api/hands/{id}/ranges/{}", encoded(name));
    let session = server.put(&path, &json!({"text": "99-66, AQs-ATs"}));
    assert_eq!(
        (session.status, &session.json()["solved"], &session.json()["spots"]),
        (200, &json!(0), &json!(1))
    );
    let own = json!({"name": name, "text": "99-66,AQs-ATs", "own": true, "hands": 1});
    assert_eq!(of(&ranges(&server)), own);
    let report = server.get(&format!("/api/hands/{id}")).json();
    assert_eq!((&report["own_ranges"], &report["hands"][0]["kind"]), (&json!([own]), &json!("to-solve")));
    let hand = server.get(&format!("/api/hands/{id}/hands/0")).json();
    assert_eq!((&hand["spot"]["players"]["ip"]["own"], hand.get("solution")), (&json!(true), None));
    let told = format!("BTN: the range is yours, in the place of `{name}`");
    assert!(hand["spot"]["notes"].as_array().unwrap().contains(&json!(told)), "{hand}");
    let after = solved(&server, &id);
    assert_eq!(after["session"]["solved"], 1);
    assert_ne!(after["totals"]["costliest"][0]["solution"], before["decisions"][0]["solution"]);
    drop(server);

    let again = Running::start(home.path());
    assert_eq!(again.get(&format!("/api/hands/{id}")).json(), after);
    // Another session of the same hands has the charts.
    assert_eq!(add(&again, &text)["session"]["solved"], 1);
    let back = again.delete(&path);
    assert_eq!((back.status, &back.json()["solved"]), (200, &json!(1)));
    assert_eq!(ranges(&again), charts);
    assert_eq!(again.get(&format!("/api/hands/{id}/hands/0")).json(), before);
    let twice = again.delete(&path);
    let message = format!("session {id} has no range `{name}` of its own");
    assert_eq!((twice.status, twice.message()), (404, message));

    for (name, text, status, message) in [
        (name, "AA,Qx", 422, "text: `Qx` is not a group of hands"),
        (name, "", 422, "text: a range has hands: leave it out to have that of the charts"),
        ("BTN opens", "AA", 404, "`BTN opens` is the beginning of 10 names"),
        (
            "BTN opns, 6-max, 20 bb",
            "AA",
            404,
            "`BTN opns, 6-max, 20 bb` is no range of the charts; did you mean",
        ),
    ] {
        let answer = again.put(&format!("/api/hands/{id}/ranges/{}", encoded(name)), &json!({"text": text}));
        assert_eq!(answer.status, status, "{answer:?}");
        assert!(answer.message().starts_with(message), "{answer:?}");
    }
    let none = again.put(&format!("/api/hands/77/ranges/{}", encoded(name)), &json!({"text": "AA"}));
    assert_eq!((none.status, none.message().as_str()), (404, "there is no session 77 of hands"));
}

#[test]
fn ranges_are_not_changed_while_they_are_solved() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let fine = server.post("/api/hands", &json!({"text": short(), "target_pct": 0.001}));
    let id = fine.json()["session"]["id"].clone();
    assert_eq!(server.post(&format!("/api/hands/{id}/solve"), &json!({})).status, 200);
    let path = format!("/api/hands/{id}/ranges/{}", encoded("BTN calls the 3-bet of BB, 6-max, 20 bb"));
    let refused = server.put(&path, &json!({"text": "99"}));
    let message = "its spots are being solved: stop that first";
    assert_eq!((refused.status, refused.message().as_str()), (409, message));
    assert_eq!(server.delete(&format!("/api/hands/{id}")).status, 204);
}

#[test]
fn solves_of_a_session_are_stopped_and_go_on() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let fine = server.post("/api/hands", &json!({"text": short(), "target_pct": 0.001, "name": "fine"}));
    let id = fine.json()["session"]["id"].clone();
    let path = |word: &str| format!("/api/hands/{id}/{word}");
    let is_running = || server.get(&format!("/api/hands/{id}")).json()["session"]["running"] == true;
    assert_eq!(server.post(&path("solve"), &json!({})).json()["running"], true);
    let twice = server.post(&path("solve"), &json!({}));
    assert_eq!((twice.status, twice.message().as_str()), (409, "this is at work already"));
    assert_eq!(server.post(&path("stop"), &json!({})).status, 200);
    let start = Instant::now();
    while is_running() {
        assert!(start.elapsed() < Duration::from_secs(240));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(server.post(&path("solve"), &json!({})).status, 200);
    // Whoever deletes a session wants no more solves for it.
    assert_eq!(server.delete(&format!("/api/hands/{id}")).status, 204);
}

#[test]
fn a_session_that_is_stopped_does_not_stop_another_with_the_same_spot() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let fine = json!({"text": short(), "target_pct": 0.001});
    let ids = [(); 2].map(|()| server.post("/api/hands", &fine).json()["session"]["id"].clone());
    let session = |id: &Value| server.get(&format!("/api/hands/{id}")).json()["session"].clone();
    for id in &ids {
        assert_eq!(server.post(&format!("/api/hands/{id}/solve"), &json!({})).status, 200);
    }
    let start = Instant::now();
    let wait = |is_so: &dyn Fn() -> bool| {
        while !is_so() {
            assert!(start.elapsed() < Duration::from_secs(240));
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    wait(&|| ids.iter().all(|id| session(id)["solve"].is_string()));
    assert_eq!(session(&ids[0])["solve"], session(&ids[1])["solve"]);
    assert_eq!(server.get("/api/solves").json().as_array().unwrap().len(), 1);
    assert_eq!(server.post(&format!("/api/hands/{}/stop", ids[0]), &json!({})).status, 200);
    wait(&|| session(&ids[0])["running"] == false);
    let other = session(&ids[1]);
    assert!(other["running"] == true || other["solved"] == 1, "{other}");
    assert_eq!(server.delete(&format!("/api/hands/{}", ids[1])).status, 204);
}

#[test]
fn what_is_no_hand_or_asks_for_too_much_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    for (body, message) in [
        (
            json!({"text": "dear diary"}),
            "text: line 1: this is no hand: PokerStars and GGPoker text and PHH are read: `dear diary`",
        ),
        (json!({"text": "\n"}), "text: it has no hand"),
        (json!({"text": SESSION, "player": "Nobody"}), "player: nobody has the name `Nobody`"),
        (
            json!({"text": SESSION, "rake": "much"}),
            "rake: it is as-played or one of none, online-small, online-middle, online-high, live",
        ),
        (json!({"text": SESSION, "target_pct": 0}), "target_pct: it is from 0.001 to 100"),
        (
            json!({"text": SESSION, "player": "x".repeat(201)}),
            "player: a name has at most 200 characters, and none that controls",
        ),
        (
            json!({"text": SESSION.split("\n\n\n").nth(1).unwrap().to_owned().add("\n\n").repeat(2001)}),
            "text: it has 2001 hands, and a session at most 2000: split it",
        ),
        (
            json!({"text": SESSION, "name": "x".repeat(101)}),
            "name: a name has at most 100 characters, and none that controls",
        ),
    ] {
        let answer = server.post("/api/hands", &body);
        assert_eq!((answer.status, answer.message().as_str()), (422, message));
    }
    assert_eq!(server.post("/api/hands", &json!({"text": SESSION, "pot": 1})).status, 422);
    assert_eq!(server.get("/api/hands/x").status, 400);
    let large = server.post("/api/hands", &json!({"text": " ".repeat((4 << 20) + 1)}));
    assert_eq!(large.message(), "text: a text has at most 4194304 bytes: split it");
    assert_eq!(server.get("/api/hands").json(), json!([]));
}

#[test]
fn a_session_file_that_is_damaged_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".hands");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("session-4.json"), "half").unwrap();
    let server = Running::start(home.path());
    assert_eq!(server.get("/api/hands").json(), json!([]));
    assert_eq!(add(&server, SESSION)["session"]["id"], 5);
    assert_eq!(std::fs::read(folder.join("session-4.json")).unwrap(), b"half");
}

/// A page asks for a hand and its session at once. Solutions are read by threads that take up other work while they wait: no lock of
/// the session may be held meanwhile.
#[test]
fn hands_and_sessions_are_answered_at_once_while_solutions_appear() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let id = add(&server, &short())["session"]["id"].clone();
    let report = solved(&server, &id);
    let solution = report["totals"]["costliest"][0]["solution"].as_str().unwrap();
    let file = home.path().join(format!("{solution}.nrs"));
    let bytes = std::fs::read(&file).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let asking: Vec<_> = (0..6)
            .map(|asker| {
                let path = match asker % 2 {
                    0 => format!("/api/hands/{id}"),
                    _ => format!("/api/hands/{id}/hands/0"),
                };
                let server = &server;
                scope.spawn(move || (0..4).for_each(|_| assert_eq!(server.get(&path).status, 200)))
            })
            .collect();
        let (file, stop) = (&file, &stop);
        let bytes = &bytes;
        scope.spawn(move || {
            for copy in 0.. {
                if stop.load(std::sync::atomic::Ordering::Relaxed) {
                    return;
                }
                std::fs::write(file.with_file_name(format!("Qc7d2h-{}.nrs", copy % 2)), bytes).unwrap();
                std::thread::sleep(Duration::from_millis(100));
            }
        });
        let ended: Vec<bool> = asking.into_iter().map(|thread| thread.join().is_ok()).collect();
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(ended.into_iter().all(|ended| ended));
    });
    assert_eq!(server.get(&format!("/api/hands/{id}")).json()["totals"], report["totals"]);
}
