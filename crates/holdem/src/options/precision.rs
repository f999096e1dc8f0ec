//! Precisions by name.

use super::choice::{ChoiceError, Choices, choose};
use crate::text::excerpt;
use noregret_cfr::Precision;
use std::str::FromStr;

/// The precision of so many bits.
pub fn precision_of_bits(bits: u64) -> Result<Precision, ChoiceError> {
    const BITS: &Choices<Precision> = &[
        ("32", Precision::Bits32),
        ("16", Precision::Bits16),
        ("8", Precision::Bits8),
        ("4", Precision::Bits4),
    ];
    choose(&bits.to_string(), BITS)
}

/// The precision that a `quantization` like `16bit` names for everything.
pub fn precision_of_quantization(name: &str) -> Result<Precision, ChoiceError> {
    choose(name, &[("32bit", Precision::Bits32), ("16bit", Precision::Bits16)])
}

/// How the precisions of a solve are found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PrecisionChoice {
    /// The quickest that fits into memory, by what was measured: see [`GameLayout::fit`](crate::GameLayout::fit).
    #[default]
    Auto,
    /// The quickest of those that fit, by timing some iterations of each: see [`SolveJob::run`](crate::SolveJob::run).
    Profile,
    /// They are given.
    Given,
}

/// The value of `precision`: `auto`, `profile`, or bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrecisionSetting {
    /// [`PrecisionChoice::Auto`].
    Auto,
    /// [`PrecisionChoice::Profile`].
    Profile,
    /// Those of strategy and regrets, on flop, turn and river.
    Bits([[Precision; 3]; 2]),
}

impl FromStr for PrecisionSetting {
    type Err = ChoiceError;

    /// Reads `auto`, `profile`, `32bit`, or bits as [`precisions_by_street`] does.
    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        match text.trim() {
            "auto" => Ok(Self::Auto),
            "profile" => Ok(Self::Profile),
            text => match precision_of_quantization(text) {
                Ok(both) => Ok(Self::Bits([[both; 3]; 2])),
                Err(_) if text.contains(|c: char| c.is_ascii_digit()) => {
                    precisions_by_street(text).map(Self::Bits)
                }
                Err(_) => Err(ChoiceError(format!(
                    "`{}` is not a precision: accepted `auto`, `profile`, {BITS_EXAMPLES}",
                    excerpt(text)
                ))),
            },
        }
    }
}

const BITS_EXAMPLES: &str =
    "bits of strategy and regrets like `8/16`, or those of flop, turn and river like `16:16:8`";

/// The precisions that a text like `8/16`, `16:16:8/8` or `16:16:8` names, of the strategy and of the regrets or of both: one for all
/// streets, or those of flop, turn and river.
pub fn precisions_by_street(text: &str) -> Result<[[Precision; 3]; 2], ChoiceError> {
    let wrong = |why: &str| ChoiceError(format!("`{}` {why}", excerpt(text)));
    let no_precision = || wrong(&format!("is not a precision: write {BITS_EXAMPLES}"));
    let bits = |text: &str| text.trim().parse().map_err(|_| no_precision()).and_then(precision_of_bits);
    let by_street = |side: &str| match side.split(':').collect::<Vec<_>>()[..] {
        [all] => Ok([bits(all)?; 3]),
        [flop, turn, river] => Ok([bits(flop)?, bits(turn)?, bits(river)?]),
        _ => Err(wrong(
            "does not say which street has how many bits: write one number for all, or those of flop, turn and river like `16:16:8/8`",
        )),
    };
    match text.split_once('/') {
        Some((strategy, regrets)) => Ok([by_street(strategy)?, by_street(regrets)?]),
        None => Ok([by_street(text)?; 2]),
    }
}

/// Precisions of strategy and regrets as [`precisions_by_street`] reads them: `8/16`, or `16:16:8/8` where streets differ.
pub fn precision_text(strategy: &[Precision; 3], regrets: &[Precision; 3]) -> String {
    let side = |streets: &[Precision; 3]| match streets.map(Precision::bits) {
        [flop, turn, river] if flop == turn && turn == river => river.to_string(),
        [flop, turn, river] => format!("{flop}:{turn}:{river}"),
    };
    format!("{}/{}", side(strategy), side(regrets))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_precision_is_refused_by_name() {
        for precision in Precision::ALL {
            assert_eq!(precision_of_bits(precision.bits().into()), Ok(precision));
        }
        assert_eq!(
            precision_of_bits(12).unwrap_err().to_string(),
            "`12` is not known: accepted `32`, `16`, `8`, `4`"
        );
        assert_eq!(precision_of_quantization("16bit"), Ok(Precision::Bits16));
        assert_eq!(
            precision_of_quantization("8bit").unwrap_err().to_string(),
            "`8bit` is not known: accepted `32bit`, `16bit`"
        );
    }

    #[test]
    fn precisions_are_read_from_one_text() {
        use Precision::{Bits4, Bits8, Bits16, Bits32};
        let read = precisions_by_street;
        assert_eq!(read("8/16"), Ok([[Bits8; 3], [Bits16; 3]]));
        assert_eq!(read("32 / 4"), Ok([[Bits32; 3], [Bits4; 3]]));
        assert_eq!(read("16:16:8/8"), Ok([[Bits16, Bits16, Bits8], [Bits8; 3]]));
        assert_eq!(read("8 / 32:16 : 8"), Ok([[Bits8; 3], [Bits32, Bits16, Bits8]]));
        assert_eq!(read("16"), Ok([[Bits16; 3]; 2]));
        assert_eq!(read("16:16:8"), Ok([[Bits16, Bits16, Bits8]; 2]));
        for text in ["8/16", "4", "16:16:8/8", "32:16:8"] {
            let [strategy, regrets] = read(text).unwrap();
            assert_eq!(read(&precision_text(&strategy, &regrets)), Ok([strategy, regrets]));
        }
        let message = |text| read(text).unwrap_err().to_string();
        for text in ["x", "8/x", "8/16:x:8", "8/16::8", "16:16:8/8/8", ""] {
            let expected = format!(
                "`{text}` is not a precision: write bits of strategy and regrets like `8/16`, or those of flop, turn and river like \
                 `16:16:8`"
            );
            assert_eq!(message(text), expected);
        }
        assert_eq!(message("8/12"), "`12` is not known: accepted `32`, `16`, `8`, `4`");
        assert_eq!(message("8/16:16:7"), "`7` is not known: accepted `32`, `16`, `8`, `4`");
        for text in ["16:8/8", "8/16:16:8:8", "16:8"] {
            let expected = format!(
                "`{text}` does not say which street has how many bits: write one number for all, or those of flop, turn and river like `16:16:8/8`"
            );
            assert_eq!(message(text), expected);
        }
    }

    #[test]
    fn a_setting_is_a_word_or_bits() {
        let read = |text: &str| text.parse::<PrecisionSetting>();
        assert_eq!(read("auto"), Ok(PrecisionSetting::Auto));
        assert_eq!(read(" profile"), Ok(PrecisionSetting::Profile));
        assert_eq!(read("16bit"), Ok(PrecisionSetting::Bits([[Precision::Bits16; 3]; 2])));
        assert_eq!(read("8/16"), precisions_by_street("8/16").map(PrecisionSetting::Bits));
        assert_eq!(
            read("best").unwrap_err().to_string(),
            "`best` is not a precision: accepted `auto`, `profile`, bits of strategy and regrets like `8/16`, or those of flop, turn and \
             river like `16:16:8`"
        );
    }
}
