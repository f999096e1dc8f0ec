//! Amounts as programs read them.

use noregret_holdem::{Action, Chips, Granularity};
use serde::{Serialize, Serializer};

/// An amount in JSON: a number, and an integer unless it has decimals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Amount(pub Chips);

impl Amount {
    /// What an action comes to; 0 where there is no amount.
    pub fn of(action: Action) -> Self {
        Self(action.amount().unwrap_or(Chips::ZERO))
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.at(Granularity::Whole) {
            Some(whole) => serializer.serialize_u32(whole.count()),
            None => serializer.serialize_f64(self.0.as_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_amounts_are_integers() {
        let amounts = ["94", "1.8", "5.0", "0.25"].map(|text| Amount(text.parse().unwrap()));
        assert_eq!(serde_json::to_string(&amounts).unwrap(), "[94,1.8,5,0.25]");
        assert_eq!(serde_json::to_string(&Amount::of(Action::Check)).unwrap(), "0");
    }
}
