//! Numbers of hands as text: 1,326 of them, in the protocol's order, which is that of [`Hole::index`].

use noregret_cards::Hole;
use std::fmt::Write;

/// A line with a number for each hand; what is not given is `missing`.
pub(crate) fn row(numbers: impl Iterator<Item = (Hole, f64)>, missing: f64) -> String {
    let mut row = [missing; Hole::COUNT];
    for (hole, number) in numbers {
        row[hole.index()] = number;
    }
    let mut text = String::with_capacity(Hole::COUNT * 9);
    for (i, number) in row.into_iter().enumerate() {
        if i > 0 {
            text.push(' ');
        }
        push(&mut text, number);
    }
    text
}

/// A number as short as it can be written with six digits after the point.
pub(crate) fn number(number: f64) -> String {
    let mut text = String::new();
    push(&mut text, number);
    text
}

fn push(text: &mut String, number: f64) {
    if number.is_nan() {
        text.push_str("nan");
    } else if number.fract() == 0.0 && number.abs() < 1e9 {
        let _ = write!(text, "{}", number as i64);
    } else {
        let _ = write!(text, "{number:.6}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_are_in_the_order_of_the_protocol() {
        let order: Vec<String> = Hole::all().take(7).map(|hole| hole.to_string()).collect();
        assert_eq!(order, ["2d2c", "2h2c", "2h2d", "2s2c", "2s2d", "2s2h", "3c2c"]);
        let hole: Hole = "2h2d".parse().unwrap();
        let text = row([(hole, 0.5)].into_iter(), 0.0);
        assert!(text.starts_with("0 0 0.500000 0 "), "{text}");
        assert_eq!(text.split(' ').count(), 1326);
        assert_eq!(
            (number(f64::NAN), number(-94.0), number(0.1)),
            ("nan".to_owned(), "-94".to_owned(), "0.100000".to_owned())
        );
    }
}
