//! Study: hands in, drills out.

mod decision;
mod drill;
mod grade;
mod html;
mod own_ranges;
mod played_hand;
mod question;
mod review;
mod session;

use pyo3::prelude::*;

/// Adds what `noregret.study` has to the native module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<session::PySession>()?;
    module.add_class::<session::PyProblem>()?;
    module.add_class::<played_hand::PyPlayedHand>()?;
    module.add_class::<played_hand::PyHandSpot>()?;
    module.add_class::<played_hand::PySeat>()?;
    module.add_class::<played_hand::PyPost>()?;
    module.add_class::<played_hand::PyPlayedAction>()?;
    module.add_class::<decision::PyDecision>()?;
    module.add_class::<decision::PyDecisions>()?;
    module.add_class::<grade::PyGradedAction>()?;
    module.add_class::<drill::PyDrill>()?;
    module.add_class::<question::PyQuestion>()?;
    module.add_class::<grade::PyGrade>()?;
    module.add_class::<grade::PyAnswers>()?;
    module.add_class::<grade::PyAnswer>()?;
    module.add_class::<review::PyReview>()?;
    module.add_class::<review::PyReviewItem>()?;
    module.add_function(wrap_pyfunction!(session::read_hands, module)?)?;
    module.add_function(wrap_pyfunction!(session::read_hands_text, module)?)?;
    module.add_function(wrap_pyfunction!(session::session_jobs, module)?)
}

/// The item of a sequence that an index names, from its end if it is below 0.
fn place_of(index: isize, count: usize) -> PyResult<usize> {
    let place = if index < 0 { index + count as isize } else { index };
    let place = usize::try_from(place).ok().filter(|place| *place < count);
    place.ok_or_else(|| pyo3::exceptions::PyIndexError::new_err(index))
}
