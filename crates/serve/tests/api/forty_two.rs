//! Texas 42.

use crate::common::Running;
use noregret_dominoes::{BidReport, Declaration, Hand};
use serde_json::{Value, json};

#[test]
fn deals_come_from_seeds_texts_and_numbers() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let deal = |body: Value| server.post("/api/forty-two/deals", &body);
    let seeded = deal(json!({"seed": 0})).json();
    let ids = |deal: &Value, seat: usize| -> Vec<u64> {
        deal["hands"][seat].as_array().unwrap().iter().map(|domino| domino["id"].as_u64().unwrap()).collect()
    };
    assert_eq!(ids(&seeded, 0), [0, 3, 5, 7, 10, 14, 17]);
    assert_eq!(seeded["hands"][3][6], json!({"id": 27, "high": 6, "low": 6, "count": 0}));
    let numbers: Vec<Vec<u64>> = (0..4).map(|seat| ids(&seeded, seat)).collect();
    assert_eq!(deal(json!({"hands": numbers})).json()["hands"], seeded["hands"]);
    assert_eq!(deal(json!({"hands": seeded["text"]})).json()["hands"], seeded["hands"]);
    assert!(deal(json!({})).json()["seed"].is_u64());
    for bad in [
        json!({"hands": "6-6 | 1-0"}),
        json!({"hands": [[1], [2], [3], [4]]}),
        json!({"hands": [[28, 1, 2, 3, 4, 5, 6], [], [], []]}),
        json!({"seed": -1}),
        json!({"seed": 1, "hands": "x"}),
        json!({"hands": [[1, 1]]}),
        json!({"sed": 1}),
        json!({"seed": 1.5}),
    ] {
        let answer = deal(bad.clone());
        assert!(answer.status == 422 && !answer.message().is_empty(), "{bad}: {answer:?}");
    }
    let names = server.get("/api/forty-two/declarations").json();
    assert_eq!((&names[0]["name"], names.as_array().unwrap().len()), (&json!("blanks"), 10));
}

#[test]
fn a_deal_is_played_to_its_end_by_best_play() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let at = |plays: &[u64]| {
        server
            .post("/api/forty-two/positions", &json!({"deal": {"seed": 0}, "declaration": 0, "plays": plays}))
    };
    let mut plays: Vec<u64> = Vec::new();
    let start = at(&plays).json();
    let value = start["value"].as_i64().unwrap();
    assert_eq!((start["best_line"].as_array().unwrap().len(), &start["seat"]), (28, &json!(0)));
    while plays.len() < 28 {
        let here = at(&plays).json();
        assert_eq!((here["value"].as_i64().unwrap(), &here["finished"]), (value, &json!(false)));
        assert_eq!(here["trick"].as_array().unwrap().len(), plays.len() % 4);
        let best = here["moves"].as_array().unwrap().iter().find(|play| play["regret"] == 0).unwrap();
        plays.push(best["domino"].as_u64().unwrap());
    }
    let end = at(&plays).json();
    assert_eq!(
        (&end["finished"], &end["seat"], end["tricks"].as_array().unwrap().len()),
        (&json!(true), &Value::Null, 7)
    );
    let score = |team: usize| end["score"][team].as_i64().unwrap();
    assert_eq!((score(0) + score(1), score(0) - score(1)), (42, value));
    assert_eq!((&end["points"], &end["moves"]), (&end["score"], &json!([])));
    plays.push(0);
    assert!(at(&plays).message().starts_with("plays[28]: all dominoes are played"));
    assert!(at(&[27]).message().starts_with("plays[0]: seat 0 does not hold 6-6"), "{:?}", at(&[27]));
    assert_eq!((at(&[99]).status, at(&[300]).status), (422, 422));
    let ask = |body: Value| server.post("/api/forty-two/positions", &body).status;
    assert_eq!(ask(json!({"deal": {"seed": 0}, "declaration": 10, "plays": []})), 422);
    assert_eq!(ask(json!({"deal": {}, "declaration": 1, "plays": []})), 422);
}

#[test]
fn bids_are_those_of_the_library() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let hand = [27, 26, 25, 24, 20, 1, 3];
    let bid = |body: Value| server.post("/api/forty-two/bids", &body);
    let answer = bid(json!({"hand": hand, "samples": 2, "seed": 5})).json();
    let own: Hand = answer["hand"].as_str().unwrap().parse().unwrap();
    let all: Vec<Declaration> = Declaration::all().collect();
    let report = BidReport::new(own, 2, 5, &all, |_| true).unwrap();
    for (told, outcomes) in answer["declarations"].as_array().unwrap().iter().zip(&report.outcomes) {
        assert_eq!(told["mean_points"].as_f64(), Some(outcomes.mean()));
        assert_eq!(told["bids"][0]["chance"].as_f64(), Some(outcomes.chance(30).seen));
    }
    assert!(bid(json!({"hand": [1, 2, 3]})).message().contains("a bid is made on 7"));
    for bad in [
        json!({"samples": 0}),
        json!({"samples": 1001}),
        json!({"chance": 0}),
        json!({"hand": [1, 1, 2, 3, 4, 5, 6]}),
        json!({"hand": [28, 1, 2, 3, 4, 5, 6]}),
    ] {
        let mut body = json!({"hand": hand});
        body.as_object_mut().unwrap().extend(bad.as_object().unwrap().clone());
        assert_eq!(bid(body).status, 422, "{bad}");
    }
}
