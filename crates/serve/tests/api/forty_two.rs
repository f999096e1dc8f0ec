//! Texas 42.

use crate::common::Running;
use crate::common::http::Answer;
use noregret_dominoes::{BidReport, Declaration, ExpectOptions, Expectation, Hand, PlayerView};
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
    for (told, expectation) in answer["declarations"].as_array().unwrap().iter().zip(&report.expectations) {
        let lead = expectation.best().unwrap();
        assert_eq!(told["lead"].as_str(), Some(lead.domino.to_string().as_str()));
        assert_eq!(told["mean_points"].as_f64(), Some(lead.mean_points()));
        assert_eq!(told["bids"][0]["chance"].as_f64(), Some(expectation.best_chance(30).seen));
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

/// The lines of an answer that grows.
fn lines(answer: &Answer) -> Vec<Value> {
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("application/x-ndjson")),
        "{answer:?}"
    );
    // Each line is a chunk of its own, after a line with its size.
    let text = String::from_utf8_lossy(&answer.body);
    text.lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn bids_are_told_as_they_become_known_and_end_with_the_whole_answer() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let body = json!({"hand": [27, 26, 25, 24, 20, 1, 3], "samples": 30, "seed": 5});
    let told = lines(&server.post("/api/forty-two/bids/lines", &body));
    let deals: Vec<u64> =
        told.iter().map(|line| line["declarations"][0]["deals"].as_u64().unwrap()).collect();
    assert!(deals.is_sorted() && deals.last() == Some(&30), "{deals:?}");
    assert!(told[..told.len() - 1].iter().all(|line| line["finished"] == false));
    assert_eq!(told.last(), Some(&server.post("/api/forty-two/bids", &body).json()));
    let short = server.post("/api/forty-two/bids/lines", &json!({"hand": [1, 2, 3]}));
    assert!(short.message().contains("a bid is made on 7"));
}

#[test]
fn expectations_are_those_of_the_library_and_impossible_views_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    // 6-6 6-5 6-4 5-5 4-4 1-0 2-0, sixes: 6-6 is led, and seats 1 to 3 follow with 6-3, 6-2 and 6-1.
    let (hand, plays) = ([27, 26, 25, 20, 14, 1, 3], [27, 24, 23, 22]);
    let ask = |body: Value| server.post("/api/forty-two/expectations", &body);
    let answer = ask(json!({"hand": hand, "declaration": 6, "plays": plays, "worlds": 250, "seed": 4}));
    let told = lines(&answer);
    let last = told.last().unwrap();
    assert_eq!((&last["worlds"], &last["finished"], &last["seat"]), (&json!(250), &json!(true), &json!(0)));
    let view = PlayerView::new(
        "6-6 6-5 6-4 5-5 4-4 1-0 2-0".parse().unwrap(),
        "sixes".parse().unwrap(),
        &"6-6 6-3 6-2 6-1".parse::<noregret_dominoes::Plays>().unwrap().0,
    )
    .unwrap();
    let options = ExpectOptions { worlds: 250, error: None, seed: 4 };
    let expected = Expectation::new(&view, &options, |_| true);
    assert_eq!(last["possible"].as_u64(), Some(expected.possible));
    for (told, play) in last["moves"].as_array().unwrap().iter().zip(&expected.moves) {
        assert_eq!(told["domino"].as_u64(), Some(u64::from(play.domino.number())));
        // Reading JSON may change the last digit.
        let is_told = |field: &str, value: f64| (told[field].as_f64().unwrap() - value).abs() < 1e-9;
        assert!(is_told("mean", play.mean()) && is_told("standard_error", expected.standard_error(play)));
    }
    assert_eq!(last["best"].as_u64(), expected.best().map(|best| u64::from(best.domino.number())));
    let refusal = |change: Value| {
        let mut body = json!({"hand": hand, "declaration": 6, "plays": plays});
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let answer = ask(body);
        assert_eq!(answer.status, 422, "{change}");
        answer.message()
    };
    assert!(refusal(json!({"hand": [1, 2, 3]})).starts_with("hand: the hand has 3 dominoes"));
    assert!(refusal(json!({"plays": [26, 25, 23, 22]})).starts_with("plays: play 2: seat 1 cannot play 6-4"));
    assert!(refusal(json!({"plays": [99]})).contains("99 is no domino"));
    assert!(refusal(json!({"declaration": 10})).contains("10 is no declaration"));
    assert!(refusal(json!({"worlds": 0})).contains("must be a whole number from 1 to 10000"));
}
