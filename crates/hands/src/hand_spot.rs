//! A hand as a spot to be solved: two ranges, the pot and the stack as played, and bets that have the line that was played.

use crate::left_out::LeftOut;
use crate::money::Money;
use crate::play_street::PlayStreet;
use crate::played_action::{PlayedAction, PlayedMove, PostKind};
use crate::played_hand::PlayedHand;
use crate::preflop_role::{PreflopRole, pot_type, raisers};
use crate::range_choice::RangeChoice;
use crate::spot_options::{HandRake, SpotOptions};
use crate::spot_text::SpotText;
use noregret_cards::{Board, Card, HandClass, Hole, Range, Street};
use noregret_holdem::preflop::{GameFormat, PotType};
use noregret_holdem::{Action, BettingTree, Chips, IP, Line, OOP, Player, Spec, Step, TreeOptions};

/// How much of a hand that its range does not have is added to it, so that it can be looked at.
const ADDED_WEIGHT: f32 = 0.05;

/// A decision after the flop.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedDecision {
    /// Who decides: a place in [`PlayedHand::seats`].
    pub seat: usize,
    /// The same in the spot.
    pub player: Player,
    /// When.
    pub street: Street,
    /// What leads there from the flop: actions and cards.
    pub line: Line,
    /// What was done, in the words of the betting tree.
    pub played: Step,
    /// The pot before it, as far as both players can win it: chips that nobody can call are not in it.
    pub pot: Money,
    /// What there was to call.
    pub to_call: Money,
    /// The cards of whoever decides, if they are known.
    pub hole: Option<Hole>,
    /// The line of the history, from 1.
    pub source_line: u32,
}

/// A hand whose flop two players saw, as a spot.
#[derive(Clone, PartialEq, Debug)]
pub struct HandSpot {
    /// Who acts first and who last: places in [`PlayedHand::seats`].
    pub seats: [usize; 2],
    /// How often the pot was raised before the flop.
    pub pot_type: PotType,
    /// The pot on the flop.
    pub pot: Money,
    /// What both have left there.
    pub stack: Money,
    /// The range of each.
    pub ranges: [RangeChoice; 2],
    /// What the spot takes otherwise than it was.
    pub notes: Vec<String>,
    /// The spec as text, to be edited.
    pub toml: String,
    /// The same, read.
    pub spec: Spec,
    /// What was played from the flop on.
    pub line: Line,
    /// Every decision after the flop, in order.
    pub decisions: Vec<PlayedDecision>,
}

impl HandSpot {
    /// The spot of a hand, or why there is none. Somebody of the seats in `studied` decides something in it, and their hands are in
    /// their ranges in any case.
    pub fn of(hand: &PlayedHand, studied: &[usize], options: &SpotOptions) -> Result<Self, LeftOut> {
        let flop = FlopState::of(hand)?;
        let (line, decisions) = flop.line(hand)?;
        if !decisions.iter().any(|decision| studied.contains(&decision.seat)) {
            return Err(LeftOut::NoDecision);
        }
        let preflop: Vec<&PlayedAction> = hand.on(PlayStreet::Preflop).collect();
        let mut notes = notes(hand, &flop, &preflop);
        let format = if hand.seats().len() == 2 { GameFormat::HeadsUp } else { GameFormat::SixMax };
        // A straddle is the blind that everybody answers, so stacks are as deep as it makes them.
        let straddles = hand.posts().iter().filter(|post| post.kind == PostKind::Straddle);
        let blind = straddles.map(|post| post.amount).fold(hand.blinds()[1], Money::max);
        let stacks = flop.seats.map(|seat| hand.seats()[seat].stack.over(blind));
        let depth = stacks[0].min(stacks[1]);
        let mut ranges = Vec::new();
        for seat in flop.seats {
            let position = hand.seats()[seat].position;
            let role = PreflopRole::of(hand, seat).ok_or_else(|| LeftOut::NoRange(position.to_string()))?;
            let mut choice = RangeChoice::of(role, format, depth, &options.own_ranges)
                .ok_or_else(|| LeftOut::NoRange(role.words()))?;
            if let Some(hole) = hand.seats()[seat].hole.filter(|_| studied.contains(&seat))
                && choice.range.weight(hole) < ADDED_WEIGHT
            {
                add_class(&mut choice.range, HandClass::of(hole));
                let class = HandClass::of(hole);
                notes.push(format!("{class} is not in {choice}: added with weight {ADDED_WEIGHT}"));
            }
            notes.extend(choice.note.iter().map(|note| format!("{position}: {note}")));
            ranges.push(choice);
        }
        let Ok(ranges) = <[RangeChoice; 2]>::try_from(ranges) else { return Err(LeftOut::Preflop) };
        let raised_last = raisers(&preflop).last().copied();
        let rake = match options.rake {
            HandRake::AsPlayed => (!hand.rake().is_zero())
                .then(|| ((hand.rake().over(hand.pot()) * 1e4).round() / 1e4, hand.rake().count() as f64)),
            HandRake::Preset(preset) => Some((preset.rate(), preset.cap() * hand.blinds()[1].count() as f64))
                .filter(|(rate, _)| *rate > 0.0),
        };
        if options.rake == HandRake::AsPlayed {
            notes.extend(rake_note(hand, &flop));
        }
        let mut text = SpotText {
            title: title(hand, &flop, pot_type(hand)),
            ranges: ranges.each_ref().map(|choice| choice.range.to_string()),
            sources: ranges.each_ref().map(|choice| match choice.is_own {
                true => format!("yours, in the place of {}", choice.source),
                false => choice.source.to_string(),
            }),
            flop: flop.board,
            pot: flop.pot,
            stack: flop.stack,
            big_blind: hand.blinds()[1],
            rake,
            oop_raised_last: raised_last == Some(flop.seats[0]),
            target_pct: options.target_pct,
            added: None,
            removed: Vec::new(),
        };
        let read = |text: &SpotText| {
            text.to_string().parse::<Spec>().map_err(|error| LeftOut::Spec(error.to_string()))
        };
        let mut spec = read(&text)?;
        if tree(&spec)?.walk(&flop.board, &line).is_err() {
            text.added = Some(without_cards(&line.steps));
            let added = tree(&read(&text)?)?;
            text.removed = near_sizes(&added, &flop, &line);
            spec = read(&text)?;
            tree(&spec)?.walk(&flop.board, &line).map_err(|error| LeftOut::Spec(error.to_string()))?;
        }
        Ok(Self {
            seats: flop.seats,
            pot_type: pot_type(hand),
            pot: flop.pot,
            stack: flop.stack,
            ranges,
            notes,
            toml: text.to_string(),
            spec,
            line,
            decisions,
        })
    }

    /// A name for the spot, and for the file of its solution: the same for equal spots.
    pub fn name(&self) -> String {
        let digest = self.spec.digest().to_string();
        format!("{}-{}", self.spec.spot.board(), digest.get(..16).unwrap_or(&digest))
    }
}

/// Adds a class of hands to a range, where it has less of them. All of the class, as one hand by itself would tell suits apart, and
/// the solve would take several times as long.
fn add_class(range: &mut Range, class: HandClass) {
    for hole in Hole::all().filter(|&hole| HandClass::of(hole) == class) {
        if range.weight(hole) < ADDED_WEIGHT {
            // The weight is one that ranges have.
            let _ = range.set(hole, ADDED_WEIGHT);
        }
    }
}

fn tree(spec: &Spec) -> Result<BettingTree, LeftOut> {
    BettingTree::build(spec.spot.options(), Street::Flop).map_err(|error| LeftOut::Spec(error.to_string()))
}

/// A line as edits have it, which are for all runouts.
fn without_cards(steps: &[Step]) -> Line {
    Line { steps: steps.iter().filter(|step| !matches!(step, Step::Card(_))).copied().collect() }
}

/// Bets of the tree that are so close to the one that was played that they would be merged with it: the one that was played takes
/// their place, and the tree stays as large as it was.
fn near_sizes(tree: &BettingTree, flop: &FlopState, line: &Line) -> Vec<Line> {
    let mut near = Vec::new();
    for (i, step) in line.steps.iter().enumerate() {
        let before = Line { steps: line.steps[..i].to_vec() };
        let (Step::Action(Action::Bet(played) | Action::Raise(played)), Ok((node, _))) =
            (step, tree.walk(&flop.board, &before))
        else {
            continue;
        };
        let committed = tree[node].committed.map(Chips::as_f64);
        let pot = flop.pot.count() as f64 + 2.0 * committed[0].max(committed[1]);
        let is_near = |amount: Chips| {
            amount != *played
                && (amount.as_f64() - played.as_f64()).abs() < TreeOptions::MERGING_THRESHOLD * pot
        };
        for action in tree.actions(node) {
            if let Action::Bet(amount) | Action::Raise(amount) = action
                && is_near(amount)
            {
                let mut removed = without_cards(&before.steps);
                removed.steps.push(Step::Action(action));
                near.push(removed);
            }
        }
    }
    near
}

fn title(hand: &PlayedHand, flop: &FlopState, pot_type: PotType) -> String {
    let [oop, ip] = flop.seats.map(|seat| hand.seats()[seat].position);
    format!("Hand {}: {oop} acts first, {ip} last, {pot_type}", hand.id())
}

/// What the ranges do not know of.
fn notes(hand: &PlayedHand, flop: &FlopState, preflop: &[&PlayedAction]) -> Vec<String> {
    let mut notes = Vec::new();
    for seat in flop.seats {
        let position = hand.seats()[seat].position;
        let chart = position.chart_position().to_string();
        if chart != position.to_string() {
            notes.push(format!("{position} has the ranges of {chart}"));
        }
    }
    let is_in = |action: &&&PlayedAction| matches!(action.action, PlayedMove::Call | PlayedMove::Raise);
    let mut others: Vec<String> = preflop
        .iter()
        .filter(is_in)
        .filter(|action| !flop.seats.contains(&action.seat))
        .map(|action| hand.seats()[action.seat].position.to_string())
        .collect();
    others.dedup();
    if !others.is_empty() {
        notes.push(format!("{} put chips in and folded: the ranges do not know", others.join(", ")));
    }
    if raisers(preflop).len() > 3 {
        notes.push("raised more than three times: the ranges are of a 4-bet pot".to_owned());
    }
    let has = |kind| hand.posts().iter().any(|post| post.kind == kind);
    if has(PostKind::Straddle) {
        notes.push("a straddle in the pot: the ranges are of games without, with stacks as deep in big blinds as these are in \
                    straddles".to_owned());
    }
    if has(PostKind::Ante) {
        notes.push("antes in the pot: the ranges are of games without".to_owned());
    }
    notes
}

/// What one hand does not tell of the rake: whether a larger pot would have been raked more.
fn rake_note(hand: &PlayedHand, flop: &FlopState) -> Option<String> {
    let largest = flop.pot + flop.stack + flop.stack;
    let [rake, pot] = [hand.rake(), hand.pot()].map(|amount| hand.unit().text(amount));
    (!hand.rake().is_zero() && hand.pot() < largest).then(|| {
        format!("the rake is at most {rake}, as of the pot of {pot} that was played: larger pots may be raked more")
    })
}

/// The table when the flop is dealt to two players.
struct FlopState {
    seats: [usize; 2],
    board: Board,
    pot: Money,
    stack: Money,
}

impl FlopState {
    fn of(hand: &PlayedHand) -> Result<Self, LeftOut> {
        let Some(flop) = hand.board().get(..3) else { return Err(LeftOut::Preflop) };
        let board = Board::new(flop).map_err(|error| LeftOut::Spec(error.to_string()))?;
        let folds = |seat: usize| {
            hand.on(PlayStreet::Preflop)
                .any(|action| action.seat == seat && action.action == PlayedMove::Fold)
        };
        let remaining: Vec<usize> = (0..hand.seats().len()).filter(|&seat| !folds(seat)).collect();
        let &[first, second] = remaining.as_slice() else { return Err(LeftOut::Multiway(remaining.len())) };
        let Some(action) = hand.on(PlayStreet::Flop).next() else { return Err(LeftOut::AllIn) };
        let oop = action.seat;
        let left = |seat: usize| {
            let posts = hand.posts().iter().filter(|post| post.seat == seat).map(|post| post.amount);
            let put_in =
                hand.on(PlayStreet::Preflop).filter(|action| action.seat == seat).map(|action| action.added);
            hand.seats()[seat].stack.less(posts.chain(put_in).sum())
        };
        let (pot, stack) = (action.pot + hand.added(), left(first).min(left(second)));
        if Chips::new(pot.count()).is_none() || Chips::new(stack.count()).is_none() {
            return Err(LeftOut::TooLarge);
        }
        Ok(Self { seats: [oop, if oop == first { second } else { first }], board, pot, stack })
    }

    /// The line that was played, and every decision in it.
    fn line(&self, hand: &PlayedHand) -> Result<(Line, Vec<PlayedDecision>), LeftOut> {
        let mut line = Line::default();
        let mut decisions = Vec::new();
        // What each has put in since the flop, as far as the other can call, before this street and in all.
        let (mut before, mut put_in) = (Money::ZERO, [Money::ZERO; 2]);
        let mut street = PlayStreet::Flop;
        for action in hand.actions().iter().filter(|action| action.street != PlayStreet::Preflop) {
            while street < action.street {
                street = street.next().unwrap_or(PlayStreet::River);
                before = put_in[0].max(put_in[1]);
                put_in = [before; 2];
                let card: Option<&Card> = hand.board().get(street.board_cards() - 1);
                line.steps.extend(card.map(|&card| Step::Card(card)));
            }
            let (own, player) = if action.seat == self.seats[0] { (0, OOP) } else { (1, IP) };
            let step = self.step(action, before, put_in[1 - own])?;
            decisions.extend(action.street.street().map(|street| PlayedDecision {
                seat: action.seat,
                player,
                street,
                line: line.clone(),
                played: step,
                pot: self.pot + put_in[0] + put_in[1],
                to_call: action.to_call,
                hole: hand.seats()[action.seat].hole,
                source_line: action.line,
            }));
            line.steps.push(step);
            put_in[own] = (before + action.to).min(self.stack);
        }
        Ok((line, decisions))
    }

    /// An action in the words of the tree, where nobody can put in more than the smaller stack.
    fn step(&self, action: &PlayedAction, before: Money, other: Money) -> Result<Step, LeftOut> {
        let amount = || Chips::new(action.to.count()).ok_or(LeftOut::TooLarge);
        let is_all_in = action.to >= self.stack.less(before);
        Ok(match action.action {
            PlayedMove::Fold => Step::Action(Action::Fold),
            PlayedMove::Check => Step::Action(Action::Check),
            PlayedMove::Call => Step::Action(Action::Call),
            // What goes above an all-in calls it.
            PlayedMove::Raise if other >= self.stack => Step::Action(Action::Call),
            PlayedMove::Bet | PlayedMove::Raise if is_all_in => Step::AllIn,
            PlayedMove::Bet => Step::Action(Action::Bet(amount()?)),
            PlayedMove::Raise => Step::Action(Action::Raise(amount()?)),
        })
    }
}
