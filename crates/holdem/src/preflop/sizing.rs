//! Bets that are common at a stack-to-pot ratio.

/// Sizes of one street as a spec writes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreetTexts {
    /// First bets of who acts first.
    pub oop_bet: &'static str,
    /// Its first bets after calling on the street before.
    pub oop_donk: &'static str,
    /// First bets of who acts last.
    pub ip_bet: &'static str,
    /// Raises of both.
    pub raise: &'static str,
}

/// The bets of flop, turn and river. Few enough for a flop to be solved in a minute or so on two cores: small bets on the flop,
/// larger ones later, all-in where little is left. Who called before the flop does not lead into who raised.
pub fn street_sizes(stack_to_pot: f64, oop_raised_last: bool) -> [StreetTexts; 3] {
    let street = |bet: &'static str, raise: &'static str, leads: bool| StreetTexts {
        oop_bet: if leads { bet } else { "" },
        oop_donk: "",
        ip_bet: bet,
        raise,
    };
    match stack_to_pot {
        ratio if ratio < 2.5 => {
            [street("33%", "a", oop_raised_last), street("50%, a", "a", true), street("a", "", true)]
        }
        ratio if ratio < 6.0 => {
            [street("33%", "60%", oop_raised_last), street("66%", "a", true), street("66%, a", "a", true)]
        }
        _ => [street("33%", "100%", oop_raised_last), street("75%", "100%", true), street("75%", "a", true)],
    }
}
