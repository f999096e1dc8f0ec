//! One colour for each action, wherever it is shown.

use anstyle::{Ansi256Color, AnsiColor, Color, Style};
use noregret_holdem::Action;

/// Bold.
pub const BOLD: Style = Style::new().bold();
/// Less than the rest.
pub const DIM: Style = Style::new().dimmed();

/// All is well.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Something went wrong.
pub const BAD: Style = AnsiColor::Red.on_default().bold();

/// Bets and raises from small to large.
const BETS: [u8; 5] = [216, 209, 203, 160, 124];
const FOLD: u8 = 67;
const PASSIVE: u8 = 71;
const ALL_IN: u8 = 96;

/// A colour of the terminal's 256.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint(u8);

impl Paint {
    /// The colours of the actions of a point, in their order.
    pub fn of(actions: &[Action]) -> Vec<Self> {
        let sizes =
            actions.iter().filter(|action| matches!(action, Action::Bet(_) | Action::Raise(_))).count();
        let mut size = 0;
        let mut paint = |action: &Action| match action {
            Action::Fold => FOLD,
            Action::Check | Action::Call => PASSIVE,
            Action::AllIn(_) => ALL_IN,
            Action::Bet(_) | Action::Raise(_) => {
                size += 1;
                // One size is the middle red, more are spread out.
                BETS[if sizes == 1 { 2 } else { (size - 1) * (BETS.len() - 1) / (sizes - 1).max(1) }]
            }
        };
        actions.iter().map(|action| Self(paint(action))).collect()
    }

    /// From bad to good, for a number from −1 to 1.
    pub fn between_bad_and_good(number: f64) -> Self {
        const SCALE: [u8; 7] = [167, 174, 181, 145, 151, 114, 71];
        Self(SCALE[((number.clamp(-1.0, 1.0) + 1.0) * 3.0).round() as usize])
    }

    /// As the colour of a text.
    pub fn text(self) -> Style {
        Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(self.0))))
    }

    /// As the colour behind a text, which is black or white for contrast.
    pub fn behind(self) -> Style {
        let dark = matches!(self.0, 160 | 124 | 96 | 67);
        let text = if dark { AnsiColor::BrightWhite } else { AnsiColor::Black };
        let text = if dark { Color::Ansi(text) } else { Color::Ansi256(Ansi256Color(16)) };
        Style::new().fg_color(Some(text)).bg_color(Some(Color::Ansi256(Ansi256Color(self.0))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_sizes_are_darker_and_one_size_is_red() {
        let bet = |chips: u16| Action::Bet(chips.into());
        let one = Paint::of(&[Action::Check, bet(10)]);
        assert_eq!(one, [Paint(PASSIVE), Paint(203)]);
        let many = Paint::of(&[Action::Check, bet(10), bet(20), bet(30), Action::AllIn(90.into())]);
        assert_eq!(many, [Paint(PASSIVE), Paint(216), Paint(203), Paint(124), Paint(ALL_IN)]);
        assert_eq!(Paint::of(&[]), []);
        let lots: Vec<Action> = (1..=30).map(bet).collect();
        assert_eq!(Paint::of(&lots).len(), 30);
    }
}
