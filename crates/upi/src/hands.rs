//! Numbers of hands as text: 1,326 of them, in the protocol's order, which is that of [`Hole::index`].

use noregret_cards::Hole;
use std::fmt::Write;

/// How many significant digits a number has at most.
const DIGITS: usize = 9;

/// A line with a number for each hand; what is not given is `missing`. Every number is followed by a blank, as PioSOLVER writes it.
pub(crate) fn row(numbers: impl Iterator<Item = (Hole, f64)>, missing: f64) -> String {
    let mut row = [missing; Hole::COUNT];
    for (hole, number) in numbers {
        row[hole.index()] = number;
    }
    let mut text = String::with_capacity(Hole::COUNT * 12);
    for number in row {
        push(&mut text, number);
        text.push(' ');
    }
    text
}

/// A number with at most nine significant digits and no zeros at its end, as `%.9g` of C writes it.
pub(crate) fn number(number: f64) -> String {
    let mut text = String::new();
    push(&mut text, number);
    text
}

fn push(text: &mut String, number: f64) {
    if number.fract() == 0.0 && number.abs() < 1e9 {
        let _ = write!(text, "{}", number as i64);
        return;
    }
    if !number.is_finite() {
        let name = if number.is_nan() { "nan" } else { "inf" };
        let _ = write!(text, "{}{name}", if number < 0.0 { "-" } else { "" });
        return;
    }
    let scientific = format!("{number:.*e}", DIGITS - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..DIGITS as i32).contains(&exponent) {
        let decimals = (DIGITS as i32 - 1 - exponent).max(0) as usize;
        text.push_str(without_zeros(&format!("{number:.decimals$}")));
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(text, "{}e{sign}{:02}", without_zeros(mantissa), exponent.abs());
    }
}

/// A number without the zeros that say nothing.
fn without_zeros(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hands_are_in_the_order_of_the_protocol() {
        let order: Vec<String> = Hole::all().take(7).map(|hole| hole.to_string()).collect();
        assert_eq!(order, ["2d2c", "2h2c", "2h2d", "2s2c", "2s2d", "2s2h", "3c2c"]);
        let hole: Hole = "2h2d".parse().unwrap();
        let text = row([(hole, 0.5)].into_iter(), 0.0);
        assert!(text.starts_with("0 0 0.5 0 ") && text.ends_with(" 0 "), "{text}");
        assert_eq!(text.split_whitespace().count(), 1326);
    }

    #[test]
    fn numbers_have_nine_significant_digits() {
        for (value, expected) in [
            (f64::NAN, "nan"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (0.0, "0"),
            (-0.0, "0"),
            (-94.0, "-94"),
            (0.1, "0.1"),
            // As PioSOLVER prints them.
            (f64::from(0.1f32), "0.100000001"),
            (0.001_007_567_284, "0.00100756728"),
            (9.873_805_54e-5, "9.87380554e-05"),
            (-6.984_665_381e-5, "-6.98466538e-05"),
            (1_019_896.062_5, "1019896.06"),
            (-31.268_472_71, "-31.2684727"),
            (0.999_999_999_96, "1"),
            (9.999_999_999_6, "10"),
            (0.000_099_999_999_996, "0.0001"),
            (1e9, "1e+09"),
            (123_456_789_012.0, "1.23456789e+11"),
        ] {
            assert_eq!(number(value), expected, "{value}");
        }
    }

    proptest! {
        #[test]
        fn a_number_is_read_back_to_nine_digits(value in prop::num::f64::NORMAL) {
            let read: f64 = number(value).parse().unwrap();
            prop_assert!((read - value).abs() <= value.abs() * 5.1e-9, "{value} {}", number(value));
        }
    }
}
