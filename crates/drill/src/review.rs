//! What went wrong is asked again: at once, and ever later while it goes well.

use crate::grade::MistakeKind;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

const DAY: u64 = 24 * 60 * 60;
/// How long what is in each box rests, in seconds. What is right in the last leaves the boxes (Leitner, "So lernt man lernen", 1972).
const RESTS: [u64; 5] = [0, DAY, 3 * DAY, 7 * DAY, 21 * DAY];
/// How many decisions are kept.
const MOST: usize = 5000;

/// A decision: where, and with what cards.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewKey {
    /// The solution.
    pub solution: String,
    /// What leads there.
    pub line: String,
    /// `oop` or `ip`.
    pub player: String,
    /// The cards of the player, like `AhKh`.
    pub hole: String,
}

/// A decision that went wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewItem {
    /// Which.
    #[serde(flatten)]
    pub key: ReviewKey,
    /// What was wrong the last time.
    pub mistake: MistakeKind,
    /// Its box, from 1: how often it was right since, and one more.
    #[serde(rename = "box", deserialize_with = "read_place")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 5))]
    pub place: u8,
    /// When it is asked again, in seconds since 1970.
    pub due: u64,
}

/// What is to be asked again, in five boxes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ReviewBoxes {
    items: Vec<ReviewItem>,
}

fn rest(place: u8) -> u64 {
    RESTS.get(usize::from(place).saturating_sub(1)).copied().unwrap_or(DAY)
}

/// Reads the number of a box that there is.
fn read_place<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let place = u8::deserialize(deserializer)?;
    match (1..=RESTS.len()).contains(&usize::from(place)) {
        true => Ok(place),
        false => {
            Err(D::Error::custom(format!("box: `{place}` must be a whole number from 1 to {}", RESTS.len())))
        }
    }
}

impl ReviewBoxes {
    /// Takes note of an answer at a time in seconds since 1970: with what was wrong, or nothing.
    ///
    /// What was wrong goes into the first box. What was right goes one box on if it was due, and stays if it was not.
    pub fn note(&mut self, key: &ReviewKey, mistake: Option<MistakeKind>, now: u64) {
        let found = self.items.iter().position(|item| item.key == *key);
        match (mistake, found) {
            (Some(mistake), found) => {
                let item =
                    ReviewItem { key: key.clone(), mistake, place: 1, due: now.saturating_add(rest(1)) };
                match found {
                    Some(at) => self.items[at] = item,
                    None => self.items.push(item),
                }
            }
            (None, Some(at)) if self.items[at].due <= now => {
                let item = &mut self.items[at];
                if usize::from(item.place) >= RESTS.len() {
                    self.items.remove(at);
                } else {
                    item.place += 1;
                    item.due = now.saturating_add(rest(item.place));
                }
            }
            (None, _) => {}
        }
        if self.items.len() > MOST {
            let last = (0..self.items.len()).max_by_key(|&at| self.items[at].due);
            last.map(|at| self.items.remove(at));
        }
    }

    /// Everything in the boxes.
    pub fn items(&self) -> &[ReviewItem] {
        &self.items
    }

    /// What is to be asked at a time, that which has waited longest first.
    pub fn due(&self, now: u64) -> Vec<&ReviewItem> {
        let mut due: Vec<&ReviewItem> = self.items.iter().filter(|item| item.due <= now).collect();
        due.sort_by_key(|item| item.due);
        due
    }

    /// Lets a decision that cannot be asked wait for a day, so that others come first.
    pub fn put_off(&mut self, key: &ReviewKey, now: u64) {
        for item in self.items.iter_mut().filter(|item| item.key == *key) {
            item.due = item.due.max(now.saturating_add(DAY));
        }
    }

    /// Forgets decisions, as those of a solution that is gone.
    pub fn retain(&mut self, keep: impl Fn(&ReviewKey) -> bool) {
        self.items.retain(|item| keep(&item.key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key(line: &str) -> ReviewKey {
        ReviewKey { line: line.to_owned(), ..ReviewKey::default() }
    }

    #[test]
    fn what_went_wrong_is_asked_at_once_and_leaves_after_five_times_right() {
        let mut boxes = ReviewBoxes::default();
        boxes.note(&key("check"), None, 5);
        assert_eq!(boxes.items(), []);
        boxes.note(&key("check"), Some(MistakeKind::MissedBet), 5);
        let mut now = 5;
        for (place, days) in [(2, 1), (3, 3), (4, 7), (5, 21)] {
            assert_eq!(boxes.due(now).len(), 1);
            boxes.note(&key("check"), None, now);
            assert_eq!((boxes.items()[0].place, boxes.items()[0].due), (place, now + days * DAY));
            assert_eq!(boxes.due(now), Vec::<&ReviewItem>::new());
            // Right before it is due proves nothing.
            boxes.note(&key("check"), None, now + 1);
            assert_eq!(boxes.items()[0].place, place);
            now += days * DAY;
        }
        boxes.note(&key("check"), None, now);
        assert_eq!(boxes.items(), []);
    }

    #[test]
    fn what_goes_wrong_again_starts_over_and_the_oldest_is_asked_first() {
        let mut boxes = ReviewBoxes::default();
        boxes.note(&key("a"), Some(MistakeKind::MissedBet), 0);
        boxes.note(&key("a"), None, 0);
        boxes.note(&key("b"), Some(MistakeKind::CalledTooWide), 9);
        boxes.note(&key("a"), Some(MistakeKind::WrongSize), 3);
        let due: Vec<_> = boxes.due(10).into_iter().map(|item| (&*item.key.line, item.mistake)).collect();
        assert_eq!(due, [("a", MistakeKind::WrongSize), ("b", MistakeKind::CalledTooWide)]);
        boxes.retain(|key| key.line != "a");
        assert_eq!(boxes.items().len(), 1);
    }

    #[test]
    fn what_cannot_be_asked_waits_for_a_day_in_its_box() {
        let mut boxes = ReviewBoxes::default();
        boxes.note(&key("a"), Some(MistakeKind::MissedBet), 0);
        boxes.note(&key("b"), Some(MistakeKind::MissedBet), 1);
        boxes.put_off(&key("a"), 5);
        assert_eq!(boxes.due(5).len(), 1);
        let due: Vec<&str> = boxes.due(5 + DAY).into_iter().map(|item| &*item.key.line).collect();
        assert_eq!((due, boxes.items()[0].place), (vec!["b", "a"], 1));
    }

    #[test]
    fn a_box_that_there_is_not_is_refused() {
        let read = |place: u32| {
            let text = format!(
                r#"{{"items":[{{"solution":"a","line":"","player":"ip","hole":"AhKh","mistake":"missed-bet","box":{place},"due":0}}]}}"#
            );
            serde_json::from_str::<ReviewBoxes>(&text).map_err(|error| error.to_string())
        };
        assert_eq!(read(5).unwrap().items()[0].place, 5);
        for place in [0, 6, 255] {
            let error = read(place).unwrap_err();
            assert!(
                error.starts_with(&format!("box: `{place}` must be a whole number from 1 to 5")),
                "{error}"
            );
        }
        assert!(read(256).is_err());
    }

    proptest! {
        #[test]
        fn boxes_read_back_what_they_write_and_stay_in_bounds(
            notes in prop::collection::vec((0_u8..4, any::<bool>(), 0_u64..100 * DAY), 0..60),
        ) {
            let mut boxes = ReviewBoxes::default();
            for (line, wrong, now) in notes {
                boxes.note(&key(&line.to_string()), wrong.then_some(MistakeKind::MissedBet), now);
                prop_assert!(boxes.items().iter().all(|item| (1..=5).contains(&item.place)));
                prop_assert!(boxes.items().len() <= 4);
            }
            let text = serde_json::to_string(&boxes).unwrap();
            prop_assert_eq!(serde_json::from_str::<ReviewBoxes>(&text).unwrap(), boxes);
        }
    }
}
