//! Spots that are ready to be solved: the specs of `examples/`.

use crate::api::specs::SpecPreset;

const FILES: [(&str, &str); 5] = [
    ("quick", include_str!("../../../examples/quick.toml")),
    ("turn", include_str!("../../../examples/turn.toml")),
    ("short-stack", include_str!("../../../examples/short-stack.toml")),
    ("three-bet-pot", include_str!("../../../examples/three-bet-pot.toml")),
    ("locked", include_str!("../../../examples/locked.toml")),
];

/// All of them.
pub fn presets() -> Vec<SpecPreset> {
    let preset = |(name, toml): (&str, &str)| SpecPreset {
        name: name.to_owned(),
        description: description(toml),
        toml: toml.to_owned(),
    };
    FILES.map(preset).into()
}

/// The comment that a file begins with, as one line.
fn description(toml: &str) -> String {
    let comment = toml.lines().map_while(|line| line.strip_prefix('#'));
    comment.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use noregret_holdem::Spec;

    #[test]
    fn every_preset_is_a_spec_and_says_what_it_is() {
        for preset in presets() {
            assert!(preset.toml.parse::<Spec>().is_ok(), "{}", preset.name);
            assert!(preset.description.ends_with('.'), "{preset:?}");
        }
    }
}
