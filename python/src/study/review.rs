//! What went wrong is asked again.

use crate::error;
use crate::json::word;
use noregret_drill::{ReviewBoxes, ReviewItem};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// Boxes that a drill and whoever made them share.
#[derive(Clone, Default)]
pub struct SharedBoxes(Arc<Mutex<ReviewBoxes>>);

impl SharedBoxes {
    /// The boxes, for a moment.
    pub fn lock(&self) -> MutexGuard<'_, ReviewBoxes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A time in seconds since 1970: now, if none is given.
pub fn seconds(now: Option<f64>) -> PyResult<u64> {
    match now {
        None => {
            Ok(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs()))
        }
        Some(now) if (0.0..=1e12).contains(&now) => Ok(now as u64),
        Some(_) => Err(error::field("now", "must be a number of seconds since 1970")),
    }
}

/// Decisions that went wrong, in five boxes (Leitner): what is due and right goes a box on, and is asked after 1, 3, 7 and 21 days; wrong
/// again, it starts over. Given to a `Drill`, it takes note of every answer. `text` is what `to_json` gave, which is the
/// `.drills/review.json` of a server's library too.
///
/// >>> import noregret as nr
/// >>> from noregret import study
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> solution = nr.solve(spot, target=0.5, progress=False)
/// >>> review = study.Review()
/// >>> grade = study.Drill(solution, "player=ip&line=bet+50&hands=QQ", review=review).answer("fold")
/// >>> grade.mistake
/// 'folded-too-much'
/// >>> review.boxes, review.due()[0].line
/// ([1, 0, 0, 0, 0], 'bet 50')
/// >>> again = study.Drill.again(solution, review)
/// >>> again.answer(grade.best).mistake is None, review.boxes, review.due()
/// (True, [0, 1, 0, 0, 0], [])
/// >>> study.Review(review.to_json()) == review
/// True
#[pyclass(name = "Review", module = "noregret.study", frozen)]
pub struct PyReview(pub SharedBoxes);

#[pymethods]
impl PyReview {
    #[new]
    #[pyo3(signature = (text=None))]
    fn new(text: Option<&str>) -> PyResult<Self> {
        let boxes: ReviewBoxes = match text {
            None => ReviewBoxes::default(),
            Some(text) => serde_json::from_str(text)
                .map_err(|wrong| error::field("text", format!("these are no boxes: {wrong}")))?,
        };
        Ok(Self(SharedBoxes(Arc::new(Mutex::new(boxes)))))
    }

    /// Everything in the boxes.
    #[getter]
    fn items(&self) -> Vec<PyReviewItem> {
        self.0.lock().items().iter().map(PyReviewItem::new).collect()
    }

    /// How many decisions there are in each of the five boxes.
    #[getter]
    fn boxes(&self) -> Vec<usize> {
        let boxes = self.0.lock();
        (1..=5).map(|place| boxes.items().iter().filter(|item| item.place == place).count()).collect()
    }

    /// What is to be asked, that which has waited longest first. `now` is a time in seconds since 1970, as of `time.time()`.
    #[pyo3(signature = (now=None))]
    fn due(&self, now: Option<f64>) -> PyResult<Vec<PyReviewItem>> {
        let now = seconds(now)?;
        Ok(self.0.lock().due(now).into_iter().map(PyReviewItem::new).collect())
    }

    /// The boxes as text, to be kept.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&*self.0.lock()).map_err(error::request)
    }

    fn __len__(&self) -> usize {
        self.0.lock().items().len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let theirs = other.get().0.lock().clone();
            *self.0.lock() == theirs
        })
    }

    fn __repr__(&self) -> String {
        format!("<Review of {} decisions>", self.__len__())
    }
}

/// A decision that went wrong.
///
/// >>> import noregret as nr
/// >>> from noregret import study
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> review = study.Review()
/// >>> solution = nr.solve(spot, target=0.5, progress=False)
/// >>> grade = study.Drill(solution, "player=ip&line=bet+50&hands=QQ", review=review).answer("fold")
/// >>> [item] = review.items
/// >>> item.line, item.player, item.mistake, item.box
/// ('bet 50', 'ip', 'folded-too-much', 1)
#[pyclass(name = "ReviewItem", module = "noregret.study", frozen, get_all)]
pub struct PyReviewItem {
    /// The solution.
    solution: String,
    /// What leads there.
    line: String,
    /// `"oop"` or `"ip"`.
    player: String,
    /// The cards of the player.
    hole: String,
    /// What was wrong the last time.
    mistake: String,
    /// Its box, from 1: how often it was right since, and one more.
    #[pyo3(name = "box")]
    place: u8,
    /// When it is asked again, in seconds since 1970.
    due: u64,
}

impl PyReviewItem {
    fn new(item: &ReviewItem) -> Self {
        let key = item.key.clone();
        Self {
            solution: key.solution,
            line: key.line,
            player: key.player,
            hole: key.hole,
            mistake: word(&item.mistake),
            place: item.place,
            due: item.due,
        }
    }
}

#[pymethods]
impl PyReviewItem {
    fn __repr__(&self) -> String {
        format!("<ReviewItem {} after \"{}\": {}, box {}>", self.hole, self.line, self.mistake, self.place)
    }
}
