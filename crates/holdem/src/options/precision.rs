//! Precisions by name.

use super::choice::{ChoiceError, Choices, choose};
use crate::text::excerpt;
use noregret_cfr::Precision;

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

/// The precisions that a text like `8/16` or `16:16:8/8` names, of the strategy and of the regrets: one for all streets, or those of flop,
/// turn and river.
pub fn precisions_by_street(text: &str) -> Result<[[Precision; 3]; 2], ChoiceError> {
    let wrong = |why: &str| ChoiceError(format!("`{}` {why}", excerpt(text)));
    let no_precision = || wrong("is not a precision: write strategy and regret bits like `8/16`");
    let bits = |text: &str| text.trim().parse().map_err(|_| no_precision()).and_then(precision_of_bits);
    let by_street = |side: &str| match side.split(':').collect::<Vec<_>>()[..] {
        [all] => Ok([bits(all)?; 3]),
        [flop, turn, river] => Ok([bits(flop)?, bits(turn)?, bits(river)?]),
        _ => Err(wrong(
            "does not say which street has how many bits: write one number for all, or those of flop, turn and river like `16:16:8/8`",
        )),
    };
    let (strategy, regrets) = text.split_once('/').ok_or_else(no_precision)?;
    Ok([by_street(strategy)?, by_street(regrets)?])
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
        assert_eq!(precisions_by_street("8/16"), Ok([[Bits8; 3], [Bits16; 3]]));
        assert_eq!(precisions_by_street("32 / 4"), Ok([[Bits32; 3], [Bits4; 3]]));
        assert_eq!(precisions_by_street("16:16:8/8"), Ok([[Bits16, Bits16, Bits8], [Bits8; 3]]));
        assert_eq!(precisions_by_street("8 / 32:16 : 8"), Ok([[Bits8; 3], [Bits32, Bits16, Bits8]]));
        let message = |text| precisions_by_street(text).unwrap_err().to_string();
        for text in ["8", "8/x", "16:16:8", "8/16:x:8", "8/16::8", "16:16:8/8/8"] {
            let expected = format!("`{text}` is not a precision: write strategy and regret bits like `8/16`");
            assert_eq!(message(text), expected);
        }
        assert_eq!(message("8/12"), "`12` is not known: accepted `32`, `16`, `8`, `4`");
        assert_eq!(message("8/16:16:7"), "`7` is not known: accepted `32`, `16`, `8`, `4`");
        for text in ["16:8/8", "8/16:16:8:8"] {
            let expected = format!(
                "`{text}` does not say which street has how many bits: write one number for all, or those of flop, turn and river like `16:16:8/8`"
            );
            assert_eq!(message(text), expected);
        }
    }
}
