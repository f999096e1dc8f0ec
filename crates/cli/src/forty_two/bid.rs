//! `noregret forty-two bid`: what a hand is worth.

use super::seeds::Declarations;
use crate::exit_code::ExitCode;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt::Interrupt;
use crate::output;
use clap::builder::RangedU64ValueParser;
use indicatif::{ProgressBar, ProgressStyle};
use noregret_dominoes::{BIDS, BidReport, Chance, Expectation, Hand, MoveExpectation};
use serde_json::json;
use std::fmt::Write;

const DIM: anstyle::Style = anstyle::Style::new().dimmed();

const CAVEAT: &str = "\
The lead is chosen without a look at the other hands. After it every deal is solved with all four hands seen by everyone.
At the table nobody sees them: you will miss the best line more often than here, and so will the defence. Read the
figures as what the dominoes allow, not as what players make; compare declarations by them rather than take a single
one at its word.";

/// The chance to make each bid with a hand, over random deals of the other 21 dominoes.
///
/// The hand sits in seat 0, names the declaration and leads. Each lead is valued exactly in each deal under each
/// declaration, as `expect` does before the first play; the chances are those of the lead with the highest mean.
#[derive(clap::Args)]
#[command(after_long_help = "\
Example:
  noregret forty-two bid --hand \"6-6 6-5 6-4 5-5 4-4 1-0 2-0\" --deals 200")]
pub struct Args {
    /// The seven dominoes
    #[arg(long, value_name = "DOMINOES")]
    hand: Hand,

    /// How many deals to solve for each declaration
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = RangedU64ValueParser::<u32>::new().range(1..=1_000_000))]
    deals: u32,

    /// What the draws depend on: the same seed gives the same deals
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Declarations to try, by name or number with commas between, or all
    #[arg(long, value_name = "LIST", default_value = "all")]
    decls: Declarations,

    /// Bid as high as is made in at least this share of the deals
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = share)]
    chance: f64,

    /// Print JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) && share > 0.0 => Ok(share),
        _ => Err("must be a number above 0 and up to 1".to_owned()),
    }
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let interrupt = Interrupt::listen()?;
    let bar = ProgressBar::new(u64::from(args.deals));
    let style = ProgressStyle::with_template("{bar:30} {human_pos}/{human_len} deals  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let report = BidReport::new(args.hand, args.deals, args.seed, &args.decls.0, |so_far| {
        bar.set_position(so_far.deals());
        bar.set_message(best_so_far(so_far, args.chance));
        !interrupt.requested()
    })
    .map_err(Failure::request)?;
    bar.finish_and_clear();
    if args.json {
        output::print(to_json(args, &report))?;
    } else {
        output::print(to_text(args, &report))?;
    }
    Ok(if interrupt.requested() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// The bid to make by what is known so far.
fn best_so_far(report: &BidReport, chance: f64) -> String {
    let best = match report.best(chance) {
        Some((expectation, bid)) => format!("{bid} with {}", expectation.declaration),
        None => "pass".to_owned(),
    };
    if report.is_too_close(chance) { format!("{best}, too close to call") } else { best }
}

fn to_json(args: &Args, report: &BidReport) -> serde_json::Value {
    let declaration = |expectation: &Expectation| {
        let bids: Vec<_> = BIDS
            .map(|bid| {
                let chance = expectation.best_chance(bid);
                json!({"bid": bid, "chance": chance.seen, "low": chance.low, "high": chance.high})
            })
            .collect();
        json!({
            "decl": expectation.declaration.number(), "name": expectation.declaration.name(),
            "deals": expectation.worlds, "lead": lead(expectation),
            "mean_points": mean_points(expectation),
            "bids": bids, "highest_bid": expectation.highest_bid(args.chance),
        })
    };
    let best = report.best(args.chance).map(
        |(best, bid)| json!({"decl": best.declaration.number(), "name": best.declaration.name(), "bid": bid}),
    );
    json!({
        "hand": args.hand.to_string(), "seed": args.seed, "chance": args.chance, "all_hands_seen": true,
        "declarations": report.expectations.iter().map(declaration).collect::<Vec<_>>(), "best": best,
        "too_close": report.is_too_close(args.chance),
    })
}

/// The lead with the highest mean.
fn lead(expectation: &Expectation) -> String {
    expectation.best().map_or_else(String::new, |lead| lead.domino.to_string())
}

/// What the best lead makes on average.
fn mean_points(expectation: &Expectation) -> f64 {
    expectation.best().map_or(0.0, MoveExpectation::mean_points)
}

fn to_text(args: &Args, report: &BidReport) -> String {
    let deals = report.deals();
    let mut text = format!("{}, over {deals} deals: chance in percent to make at least\n\n", args.hand);
    let _ = write!(text, "{:<13} lead", "");
    for bid in BIDS {
        let _ = write!(text, " {bid:>4}");
    }
    let _ = writeln!(text, "   mean  bid");
    for expectation in &report.expectations {
        let _ = write!(text, "{:<13} {:>4}", expectation.declaration.name(), lead(expectation));
        let chances: Vec<Chance> = BIDS.map(|bid| expectation.best_chance(bid)).collect();
        for chance in &chances {
            let _ = write!(text, " {:>4.0}", 100.0 * chance.seen);
        }
        let bid = expectation.highest_bid(args.chance).map_or("-".to_owned(), |bid| bid.to_string());
        let _ = writeln!(text, "  {:>5.1}  {bid:>3}", mean_points(expectation));
        write_interval(&mut text, "95% from", chances.iter().map(|chance| chance.low));
        write_interval(&mut text, "to", chances.iter().map(|chance| chance.high));
    }
    let share = 100.0 * args.chance;
    match report.best(args.chance) {
        Some((best, bid)) => {
            let _ = writeln!(
                text,
                "\nBest bid: {bid} with {}, the highest made in at least {share:.0}% of the deals.",
                best.declaration
            );
        }
        None => {
            let _ = writeln!(text, "\nBest bid: pass. No bid is made in at least {share:.0}% of the deals.");
        }
    }
    if report.is_too_close(args.chance) {
        let _ =
            writeln!(text, "Too close to call: another declaration may be as good; more deals would tell.");
    }
    let _ = write!(text, "\n{CAVEAT}");
    text
}

/// One end of the intervals under a declaration's chances.
fn write_interval(text: &mut String, name: &str, ends: impl Iterator<Item = f64>) {
    let _ = write!(text, "{DIM}{name:>18}");
    for end in ends {
        let _ = write!(text, " {:>4.0}", 100.0 * end);
    }
    let _ = writeln!(text, "{DIM:#}");
}
