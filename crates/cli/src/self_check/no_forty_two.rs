//! What is said of Texas 42 in a program without it.

use super::Finding;

const WITHOUT: &str = "built without the feature `forty-two`";

pub fn gpu() -> String {
    WITHOUT.to_owned()
}

pub fn solved() -> Finding {
    Finding::note("Texas 42", WITHOUT)
}
