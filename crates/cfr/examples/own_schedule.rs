//! A schedule of your own: a CFR variant is a [`Schedule`], which says how the past is discounted.
//!
//! It is compared with the variants of the papers by the iterations that each takes to a target exploitability on Leduc poker. Run it
//! with `cargo run --release -p noregret-cfr --example own_schedule`.

use noregret_cfr::games::Leduc;
use noregret_cfr::{CfrPlus, Dcfr, Discounts, Player, Schedule, Trainer};
use std::sync::Arc;

/// CFR+ in which iteration t has weight tʳ in the cumulative regrets and tᵃ in the average strategy. CFR+ itself has r = 0 and a = 1.
#[derive(Debug)]
struct PolynomialCfrPlus {
    regrets: f64,
    average: f64,
}

impl Schedule for PolynomialCfrPlus {
    fn discounts(&self, t: u32) -> Discounts {
        // The weight of the iteration before, relative to this one.
        let past = |power: f64| (f64::from(t - 1) / f64::from(t)).powf(power) as f32;
        Discounts { positive: past(self.regrets), negative: 0.0, average: past(self.average) }
    }

    fn keeps_negative(&self) -> bool {
        false
    }
}

/// In antes per deal.
const TARGET: f64 = 2e-3;

/// The iterations that a schedule takes to the target, measured every ten.
fn iterations_to_target(schedule: impl Schedule + 'static) -> u32 {
    let name = format!("{schedule:?}");
    let mut trainer = Trainer::new(Arc::new(Leduc::new()), schedule);
    while trainer.exploitability() > TARGET {
        assert!(trainer.iteration() < 5000, "{name} does not converge: {}", trainer.exploitability());
        (0..10).for_each(|_| trainer.iterate());
    }
    let value = trainer.average().expected_value(Player::First);
    assert!(
        (value + 0.0856).abs() < 2.0 * TARGET,
        "{name}: the value of Leduc poker is -0.0856, not {value}"
    );
    println!("{:5}  {name}", trainer.iteration());
    trainer.iteration()
}

/// Compares the schedules.
pub fn main() {
    println!("iterations to an exploitability of {TARGET} on Leduc poker:");
    let own = iterations_to_target(PolynomialCfrPlus { regrets: 0.0, average: 3.0 });
    iterations_to_target(PolynomialCfrPlus { regrets: 0.5, average: 3.0 });
    iterations_to_target(CfrPlus);
    let dcfr = iterations_to_target(Dcfr::default());
    println!("DCFR takes {:.2} times the iterations of this one", f64::from(dcfr) / f64::from(own));
}
