//! Drills of Texas 42: questions that hide what the player cannot see, scores, sessions.

use crate::common::Running;
use noregret_dominoes::Domino;
use noregret_drill::{DominoDrill, DominoGrade, DominoSettings};
use serde_json::{Value, json};

#[track_caller]
fn start(server: &Running, settings: &str) -> Value {
    let answer = server.post("/api/forty-two/drills", &json!({"settings": settings}));
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

#[test]
fn a_hand_is_scored_by_regret_and_by_what_could_be_known_and_the_session_stays() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let settings = "seed=7&seat=1&worlds=20";
    let state = start(&server, settings);
    let id = state["session"]["id"].clone();
    assert_eq!(state["session"]["settings"], settings);
    assert_eq!(server.get("/api/forty-two/drills").json(), json!([]));
    let drill = DominoDrill::new(settings.parse::<DominoSettings>().unwrap());
    let table = drill.table(0);
    let mut plays: Vec<Domino> = Vec::new();
    let mut question = state["question"].clone();
    let end = loop {
        let hand = drill.hand(&table, 0, &plays).unwrap();
        let legal: Vec<u8> = hand.game.legal().iter().map(Domino::number).collect();
        assert_eq!((&question["seat"], &question["legal"]), (&json!(1), &json!(legal)));
        assert_eq!(question["decision"], plays.len());
        // Nothing tells what the others hold.
        let mut seen: Vec<&str> = question.as_object().unwrap().keys().map(String::as_str).collect();
        seen.sort_unstable();
        let known = [
            "dealt",
            "decision",
            "declaration",
            "hand",
            "held",
            "leader",
            "legal",
            "score",
            "seat",
            "trick",
            "tricks",
        ];
        assert_eq!(seen, known);
        let domino = Domino::new(*legal.last().unwrap()).unwrap();
        let grade = DominoGrade::new(&table, &hand, domino, 20, 7).unwrap();
        let body = json!({"decision": plays.len(), "domino": domino.number()});
        let verdict = server.post(&format!("/api/forty-two/drills/{id}/answers"), &body).json();
        let chosen = &verdict["moves"][grade.played];
        assert_eq!(verdict["chosen"], grade.played, "{verdict}");
        assert_eq!(chosen["regret"], grade.moves[grade.played].regret);
        let known = chosen["known_regret"].as_f64().unwrap();
        assert!((known - grade.moves[grade.played].known_regret).abs() < 1e-9);
        plays.push(domino);
        if !verdict["end"].is_null() {
            break verdict["end"].clone();
        }
        question = server.get(&format!("/api/forty-two/drills/{id}")).json()["question"].clone();
    };
    let hand = drill.hand(&table, 0, &plays).unwrap();
    assert_eq!((&end["points"], &end["par"]), (&json!(hand.points()), &json!(hand.par(&table).unwrap())));
    assert_eq!(end["tricks"].as_array().unwrap().len(), 7);
    let next = server.get(&format!("/api/forty-two/drills/{id}")).json();
    assert_eq!(
        (&next["question"]["hand"], &next["session"]["totals"]["plays"]),
        (&json!(1), &json!(plays.len()))
    );
    let results = server.get(&format!("/api/forty-two/drills/{id}/answers")).json();
    assert_eq!(results["answers"].as_array().unwrap().len(), plays.len());
    drop(server);

    let again = Running::start(home.path());
    assert_eq!(again.get("/api/forty-two/drills").json()[0]["totals"]["plays"], plays.len());
    assert_eq!(again.get(&format!("/api/forty-two/drills/{id}")).json()["question"], next["question"]);
    assert_eq!(again.delete(&format!("/api/forty-two/drills/{id}")).status, 204);
    assert_eq!(again.get("/api/forty-two/drills").json(), json!([]));
    assert_eq!(again.get(&format!("/api/forty-two/drills/{id}")).status, 404);
    assert_eq!(again.get("/api/trash").json()[0]["kind"], "forty-two");
    let back = again.post(&format!("/api/forty-two/drills/{id}/restore"), &json!({}));
    assert_eq!((back.status, &back.json()["totals"]["plays"]), (200, &json!(plays.len())));
    assert_eq!(again.get(&format!("/api/forty-two/drills/{id}")).json()["question"], next["question"]);
    let twice = again.post(&format!("/api/forty-two/drills/{id}/restore"), &json!({}));
    let message = format!("`forty-two-{id}.json` is not among what was deleted");
    assert_eq!((twice.status, twice.message()), (404, message));
}

#[test]
fn what_cannot_be_played_is_told() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    for (settings, message) in [
        ("seat=4", "seat: `4` must be 0, 1, 2 or 3"),
        ("player=ip", "`player` is no setting of a drill: there is seed, seat, decl, worlds"),
        ("worlds=20000", "worlds: `20000` must be a whole number from 1 to 1000"),
    ] {
        let answer = server.post("/api/forty-two/drills", &json!({"settings": settings}));
        assert!(answer.status == 422 && answer.message().contains(message), "{answer:?}");
    }
    let state = start(&server, "seed=7&seat=0&worlds=1");
    let (id, held) = (&state["session"]["id"], state["question"]["dealt"].as_array().unwrap());
    let path = format!("/api/forty-two/drills/{id}/answers");
    let other = (0..28).find(|domino| !held.contains(&json!(domino))).unwrap();
    let answer = server.post(&path, &json!({"decision": 0, "domino": other}));
    assert!(answer.status == 422 && answer.message().contains("seat 0"), "{answer:?}");
    let answer = server.post(&path, &json!({"decision": 3, "domino": 1}));
    assert!(answer.status == 409 && answer.message().contains("question 3 is not the one"), "{answer:?}");
    assert_eq!(server.post(&path, &json!({"decision": 0, "domino": 28})).status, 422);
    assert_eq!(
        server.post("/api/forty-two/drills/9/answers", &json!({"decision": 0, "domino": 1})).status,
        404
    );
}
