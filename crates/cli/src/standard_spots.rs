//! The spots that machines and versions are compared by, as specs inside the program.

use noregret_holdem::Spec;

/// A spot with a name.
#[derive(Clone, Copy)]
pub struct StandardSpot {
    /// Its name, as that of its file in `examples/`.
    pub name: &'static str,
    text: &'static str,
}

macro_rules! spot {
    ($name:literal) => {
        StandardSpot { name: $name, text: include_str!(concat!("../spots/", $name, ".toml")) }
    };
}

/// Copies of examples, smallest first: a package of this crate does not have `examples/`.
pub const STANDARD_SPOTS: [StandardSpot; 5] =
    [spot!("river"), spot!("turn"), spot!("monotone"), spot!("three-bet-pot"), spot!("single-raised-pot")];

impl StandardSpot {
    /// The spot of this name.
    pub fn find(name: &str) -> Result<Self, String> {
        STANDARD_SPOTS.into_iter().find(|spot| spot.name == name).ok_or_else(|| {
            let names: Vec<&str> = STANDARD_SPOTS.iter().map(|spot| spot.name).collect();
            format!("it is one of {}", names.join(", "))
        })
    }

    /// Its spec.
    pub fn spec(self) -> Result<Spec, String> {
        self.text.parse().map_err(|error| format!("{}: {error}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_spots_are_the_examples_of_their_names() {
        for spot in STANDARD_SPOTS {
            let example = format!("{}/../../examples/{}.toml", env!("CARGO_MANIFEST_DIR"), spot.name);
            let example = std::fs::read_to_string(&example).unwrap();
            assert_eq!(spot.text, example, "cp examples/{}.toml crates/cli/spots/", spot.name);
            spot.spec().unwrap();
        }
        assert_eq!(
            StandardSpot::find("flop").err().unwrap(),
            "it is one of river, turn, monotone, three-bet-pot, single-raised-pot"
        );
    }
}
