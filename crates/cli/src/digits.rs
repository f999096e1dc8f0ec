//! Large numbers, as people read them.

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_groups_of_three() {
        let shown = [0, 999, 1000, 7_607_411, 63_022_226].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "7,607,411", "63,022,226"]);
    }
}
