//! `noregret forty-two expect`: what a move is worth when only one hand is seen.

use crate::digits::grouped;
use crate::exit_code::ExitCode;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt::Interrupt;
use crate::output;
use clap::builder::RangedU64ValueParser;
use indicatif::{ProgressBar, ProgressStyle};
use noregret_dominoes::{
    BIDS, Declaration, ExpectOptions, Expectation, Hand, MoveExpectation, PlayerView, Plays, TOTAL_POINTS,
};
use serde_json::{Value, json};
use std::fmt::Write;

/// The mean value of each legal move over the deals that a player who sees one hand cannot tell apart.
///
/// The hand is that of the seat whose turn it is after the plays: seat 0 if there are none. Deals agree with the hand and
/// with everything that was played; a seat that did not follow a suit has none of it. Each deal is solved from the
/// position on with all hands seen by everyone, and all deals count the same.
///
/// Values are the difference in points in the end, for the player's own team.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret forty-two expect --hand \"6-6 6-5 6-4 5-5 4-4 1-0 2-0\" --decl sixes
  noregret forty-two expect --hand \"6-6 6-5 6-4 5-5 4-4 1-0 2-0\" --decl sixes --bid 35 --error 0.5 \\
    --plays \"6-6 6-3 6-2 6-1 6-5 6-0 1-1 2-1\"")]
pub struct Args {
    /// The seven dominoes that were dealt to the player
    #[arg(long, value_name = "DOMINOES")]
    hand: Hand,

    /// The declaration, by name or number
    #[arg(long, value_name = "D")]
    decl: Declaration,

    /// What was played so far by all seats, in order from seat 0's first lead on
    #[arg(long, value_name = "DOMINOES", default_value = "")]
    plays: Plays,

    /// Draw this many deals; if there are no more than that, count each once
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = RangedU64ValueParser::<u64>::new().range(1..=10_000_000))]
    worlds: u64,

    /// Draw until the standard error of each mean is at most this
    #[arg(long, value_name = "E", conflicts_with = "worlds", value_parser = error)]
    error: Option<f64>,

    /// Show the chance to make this bid, 30 to 42 [default: 30, 36 and 42]
    #[arg(long, value_name = "B", value_parser = RangedU64ValueParser::<u8>::new().range(30..=42))]
    bid: Option<u8>,

    /// What the draws depend on: the same seed gives the same deals
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Print JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

fn error(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(error) if (0.01..=42.0).contains(&error) => Ok(error),
        _ => Err("must be a number from 0.01 to 42".to_owned()),
    }
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let view = PlayerView::new(args.hand, args.decl, &args.plays.0).map_err(Failure::request)?;
    let interrupt = Interrupt::listen()?;
    let options = ExpectOptions { worlds: args.worlds, error: args.error, seed: args.seed };
    let bar = match args.error {
        Some(_) => ProgressBar::new_spinner(),
        None => ProgressBar::new(args.worlds.min(view.worlds().count())),
    };
    let style = ProgressStyle::with_template("{bar:30} {human_pos} deals  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let expectation = Expectation::new(&view, &options, |so_far| {
        bar.set_position(so_far.worlds);
        let best = so_far.best().map_or(String::new(), |best| format!("{} {:+.1}", best.domino, best.mean()));
        bar.set_message(if so_far.is_too_close() { format!("{best}, too close to call") } else { best });
        !interrupt.requested()
    });
    bar.finish_and_clear();
    if args.json {
        output::print(to_json(args, &view, &expectation))?;
    } else {
        output::print(to_text(args, &view, &expectation))?;
    }
    Ok(if interrupt.requested() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

fn to_json(args: &Args, view: &PlayerView, expectation: &Expectation) -> Value {
    let bids = |play: &MoveExpectation| -> Vec<Value> {
        let bids = BIDS.filter(|bid| args.bid.is_none_or(|only| only == *bid));
        bids.map(|bid| {
            let chance = expectation.chance(play, bid);
            json!({"bid": bid, "chance": chance.seen, "low": chance.low, "high": chance.high})
        })
        .collect()
    };
    let moves: Vec<Value> = expectation
        .moves
        .iter()
        .map(|play| {
            json!({
                "domino": play.domino.to_string(), "mean": play.mean(), "spread": play.spread(),
                "standard_error": expectation.standard_error(play), "mean_points": play.mean_points(),
                "points": play.deals.as_slice(), "bids": bids(play),
            })
        })
        .collect();
    json!({
        "hand": args.hand.to_string(), "decl": args.decl.number(), "plays": args.plays.to_string(),
        "seat": expectation.seat.index(), "score": view.score(), "seed": args.seed,
        "possible": expectation.possible, "worlds": expectation.worlds, "exact": expectation.exact,
        "best": expectation.best().map(|best| best.domino.to_string()),
        "too_close": expectation.is_too_close(), "moves": moves,
    })
}

fn to_text(args: &Args, view: &PlayerView, expectation: &Expectation) -> String {
    let bids: Vec<u8> = args.bid.map_or(vec![30, 36, TOTAL_POINTS], |bid| vec![bid]);
    let (worlds, possible) = (grouped(expectation.worlds), grouped(expectation.possible));
    let counted = if expectation.exact {
        format!("all {possible} deals that agree with what it knows")
    } else {
        format!("{worlds} deals drawn from the {possible} that agree with what it knows")
    };
    let mut text = format!(
        "Seat {} to play, {}, Team 0 has {} points: over {counted}\n\nmove     mean  spread  error",
        expectation.seat,
        args.decl,
        view.score()
    );
    for bid in &bids {
        let _ = write!(text, "  makes {bid}");
    }
    text.push('\n');
    let mut moves: Vec<&MoveExpectation> = expectation.moves.iter().collect();
    moves.sort_by(|one, other| other.mean().total_cmp(&one.mean()));
    for play in moves {
        let _ = write!(
            text,
            "{}    {:>+6.2}  {:>6.2}  {:>5.2}",
            play.domino,
            play.mean(),
            play.spread(),
            expectation.standard_error(play)
        );
        for &bid in &bids {
            let _ = write!(text, "  {:>7.1}%", 100.0 * expectation.chance(play, bid).seen);
        }
        text.push('\n');
    }
    let best = expectation.best().map_or(String::new(), |best| best.domino.to_string());
    if expectation.is_too_close() {
        let _ = write!(text, "\nToo close to call: {best} leads, but another move may be as good.");
    } else {
        let _ = write!(text, "\nBest move: {best}.");
    }
    text
}
