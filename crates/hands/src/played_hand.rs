//! A hand that was played, checked: chips add up, cards do not repeat, actions are legal and in order.

use crate::award::award;
use crate::hand_draft::{DraftEvent, DraftPost, DraftResult, GameStakes, HandDraft, HandSource};
use crate::history_error::Fault;
use crate::money::{Money, MoneyUnit};
use crate::play_street::PlayStreet;
use crate::played_action::{PlayedAction, Post, PostKind};
use crate::replay::Replay;
use crate::seat_position::SeatPosition;
use noregret_cards::{Card, CardSet, Hole};

/// Somebody who was dealt in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandSeat {
    /// The number of the seat, from 1.
    pub number: u8,
    /// The player's name.
    pub name: String,
    /// The place relative to the button.
    pub position: SeatPosition,
    /// What the player has before the hand.
    pub stack: Money,
    /// What the player has after it.
    pub final_stack: Money,
    /// What the player gets of the pot.
    pub collected: Money,
    /// The cards, where they are known.
    pub hole: Option<Hole>,
}

/// A hand that was played.
///
/// ```
/// let text = "\
/// PokerStars Hand #1: Hold'em No Limit ($0.50/$1.00 USD) - 2026/01/02 20:00:00 ET
/// Table 'Vega' 6-max Seat #1 is the button
/// Seat 1: Hero ($100 in chips)
/// Seat 2: Villain1 ($100 in chips)
/// Hero: posts small blind $0.50
/// Villain1: posts big blind $1
/// *** HOLE CARDS ***
/// Dealt to Hero [Ah Kd]
/// Hero: raises $1.50 to $2.50
/// Villain1: folds
/// Uncalled bet ($1.50) returned to Hero
/// Hero collected $2 from pot
/// *** SUMMARY ***
/// Total pot $2 | Rake $0
/// ";
/// let read = noregret_hands::read_text(text);
/// let hand = &read.hands[0];
/// assert_eq!(hand.seats()[0].position.to_string(), "BTN");
/// assert_eq!(hand.unit().text(hand.seats()[0].final_stack), "$101");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedHand {
    source: HandSource,
    id: String,
    table: String,
    time: String,
    stakes: GameStakes,
    unit: MoneyUnit,
    blinds: [Money; 2],
    seats: Vec<HandSeat>,
    hero: Option<usize>,
    posts: Vec<Post>,
    actions: Vec<PlayedAction>,
    board: Vec<Card>,
    returned: Option<(usize, Money)>,
    added: Money,
    pot: Money,
    rake: Money,
    first_line: u32,
}

impl PlayedHand {
    /// Where it was written down.
    pub fn source(&self) -> HandSource {
        self.source
    }

    /// Its number, as the text has it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name of the table; empty if the text has none.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// When it was played, as the text has it; empty if it does not say.
    pub fn time(&self) -> &str {
        &self.time
    }

    /// For what it was played.
    pub fn stakes(&self) -> &GameStakes {
        &self.stakes
    }

    /// What its amounts are in.
    pub fn unit(&self) -> MoneyUnit {
        self.unit
    }

    /// The small and the big blind of the game.
    pub fn blinds(&self) -> [Money; 2] {
        self.blinds
    }

    /// Who was dealt in, in the order of action before the flop: the big blind is last.
    pub fn seats(&self) -> &[HandSeat] {
        &self.seats
    }

    /// Whose hand it is, if the text deals cards to somebody.
    pub fn hero(&self) -> Option<usize> {
        self.hero
    }

    /// Antes and blinds, in the order of the text.
    pub fn posts(&self) -> &[Post] {
        &self.posts
    }

    /// What was done, in order.
    pub fn actions(&self) -> &[PlayedAction] {
        &self.actions
    }

    /// The public cards, in the order dealt; none if the hand ended before the flop.
    pub fn board(&self) -> &[Card] {
        &self.board
    }

    /// What a bet that nobody called gave back, and to whom.
    pub fn returned(&self) -> Option<(usize, Money)> {
        self.returned
    }

    /// What the house put into the pot.
    pub fn added(&self) -> Money {
        self.added
    }

    /// The whole pot, before the rake.
    pub fn pot(&self) -> Money {
        self.pot
    }

    /// What the house took.
    pub fn rake(&self) -> Money {
        self.rake
    }

    /// The line of the text that it begins at, from 1.
    pub fn first_line(&self) -> u32 {
        self.first_line
    }

    /// The actions of a street.
    pub fn on(&self, street: PlayStreet) -> impl Iterator<Item = &PlayedAction> {
        self.actions.iter().filter(move |action| action.street == street)
    }

    /// An amount in big blinds.
    pub fn big_blinds(&self, amount: Money) -> f64 {
        amount.over(self.blinds[1])
    }
}

impl PlayedHand {
    /// Plays a draft by the rules; the first thing that does not fit is an error.
    pub(crate) fn check(mut draft: HandDraft) -> Result<Self, Fault> {
        let order = Order::of(&draft)?;
        order.bury_missed_blinds(&mut draft)?;
        let mut replay = order.replay(&draft);
        let posts = order.post_all(&draft, &mut replay)?;
        let (actions, board) = order.play_all(&draft, &mut replay)?;
        let holes = order.holes(&draft, &board)?;
        let returned = order.give_back(&draft, &mut replay)?;
        let pot = replay.pot() + draft.added;
        let shares = order.shares(&draft, &replay, &board, &holes, pot)?;
        let collected: Money = shares.iter().copied().sum();
        let rake = pot.less(collected);
        let mut seats = Vec::new();
        for (player, &seat) in order.seats.iter().enumerate() {
            let draft_seat = &draft.seats[seat];
            seats.push(HandSeat {
                number: draft_seat.number,
                name: draft_seat.name.clone(),
                position: order.positions[player],
                stack: draft_seat.stack,
                final_stack: replay.stacks()[player] + shares[player],
                collected: shares[player],
                hole: holes[player],
            });
        }
        Ok(Self {
            source: draft.source,
            id: draft.id,
            table: draft.table,
            time: draft.time,
            stakes: draft.stakes,
            unit: draft.unit,
            blinds: draft.blinds,
            hero: draft.hero.and_then(|hero| order.player(hero)),
            seats,
            posts,
            actions,
            board,
            returned,
            added: draft.added,
            pot,
            rake,
            first_line: draft.first_line,
        })
    }
}

/// Who is dealt in, in the order of action before the flop.
struct Order {
    /// Places in the draft's seats.
    seats: Vec<usize>,
    positions: Vec<SeatPosition>,
}

impl Order {
    /// The order that blinds and seat numbers give.
    fn of(draft: &HandDraft) -> Result<Self, Fault> {
        let wrong = |message: &str| Fault::new(draft.first_line, message);
        if draft.blinds[1].is_zero() {
            return Err(wrong("the big blind is nothing"));
        }
        for (i, seat) in draft.seats.iter().enumerate() {
            if draft.seats[..i].iter().any(|other| other.name == seat.name || other.number == seat.number) {
                return Err(Fault::new(seat.line, "the seat or the name is there twice"));
            }
        }
        let acts = |seat: usize| {
            let is_his = |(_, event): &(u32, DraftEvent)| matches!(event, DraftEvent::Action(action) if action.seat == seat);
            draft.posts.iter().any(|post| post.seat == seat) || draft.events.iter().any(is_his)
        };
        let mut dealt_in: Vec<usize> =
            (0..draft.seats.len()).filter(|&seat| !draft.seats[seat].is_out || acts(seat)).collect();
        dealt_in.sort_by_key(|&seat| draft.seats[seat].number);
        if !(2..=9).contains(&dealt_in.len()) {
            return Err(wrong(&format!("{} players are dealt in, and 2 to 9 can be", dealt_in.len())));
        }
        if let Some(seat) = dealt_in.iter().map(|&seat| &draft.seats[seat]).find(|seat| seat.stack.is_zero())
        {
            return Err(Fault::new(seat.line, format!("{} has no chips", seat.name)));
        }
        let of_kind = |kind| draft.posts.iter().find(move |post| post.kind == kind).map(|post| post.seat);
        let Some(big) = of_kind(PostKind::BigBlind) else {
            return Err(wrong("nobody posts the big blind"));
        };
        let place = dealt_in.iter().position(|&seat| seat == big).unwrap_or(0);
        let players = dealt_in.len();
        dealt_in.rotate_left((place + 1) % players);
        let before_big = dealt_in[players - 2];
        let small_blinds = || draft.posts.iter().filter(|post| post.kind == PostKind::SmallBlind);
        let small = small_blinds().map(|post| post.seat).find(|&seat| seat == before_big);
        // With a button, whose place the blinds must fit, somebody else's is one that was missed.
        if let Some(post) = small_blinds().next()
            && small.is_none()
            && (draft.button.is_none() || players == 2)
        {
            return Err(Fault::new(post.line, "the small blind is not in the seat before the big blind"));
        }
        if let Some((number, line)) = draft.button {
            let after = |&&seat: &&usize| (draft.seats[seat].number + 31 - number) % 32;
            let is_right = match players {
                // Heads-up the button is in the small blind, which need not be posted.
                2 => draft.seats[before_big].number == number,
                _ => dealt_in.iter().min_by_key(after).copied() == small.or(Some(big)),
            };
            if !is_right {
                return Err(Fault::new(line, "the blinds are not in the seats after the button"));
            }
        }
        Ok(Self { seats: dealt_in, positions: SeatPosition::of_table(players, small.is_some()) })
    }

    /// Small blinds of others than the one before the big blind were missed: they go to the pot, and nobody has to call them.
    fn bury_missed_blinds(&self, draft: &mut HandDraft) -> Result<(), Fault> {
        let [small, _] = draft.blinds;
        let before_big = self.seats[self.seats.len() - 2];
        let is_missed = |post: &&mut DraftPost| post.kind == PostKind::SmallBlind && post.seat != before_big;
        for post in draft.posts.iter_mut().filter(is_missed) {
            if post.amount > small {
                let message = format!("the small blind is {}", draft.unit.text(small));
                return Err(Fault::new(post.line, message));
            }
            post.kind = PostKind::Dead;
        }
        Ok(())
    }

    /// A seat of the draft among those who are dealt in.
    fn player(&self, seat: usize) -> Option<usize> {
        self.seats.iter().position(|&own| own == seat)
    }

    /// The same, as an error where there must be one.
    fn dealt_in(&self, draft: &HandDraft, seat: usize, line: u32) -> Result<usize, Fault> {
        let missing = || Fault::new(line, format!("{} is not dealt in", draft.seats[seat].name));
        self.player(seat).ok_or_else(missing)
    }

    fn replay(&self, draft: &HandDraft) -> Replay {
        let names = self.seats.iter().map(|&seat| draft.seats[seat].name.clone()).collect();
        let stacks = self.seats.iter().map(|&seat| draft.seats[seat].stack).collect();
        let button = self.positions.iter().position(|&position| position == SeatPosition::Btn);
        let after_button = button.map_or(0, |button| (button + 1) % self.seats.len());
        Replay::new(draft.unit, names, stacks, draft.min_bet, draft.antes, after_button)
    }

    /// Takes antes first, then blinds, as dealers do, whatever the order of the text.
    fn post_all(&self, draft: &HandDraft, replay: &mut Replay) -> Result<Vec<Post>, Fault> {
        let [small, big] = draft.blinds;
        let mut posts: Vec<&DraftPost> = draft.posts.iter().collect();
        posts.sort_by_key(|post| post.kind != PostKind::Ante);
        let mut straddler = self.seats.len() - 1;
        let mut highest = big;
        for (i, post) in posts.iter().enumerate() {
            let player = self.dealt_in(draft, post.seat, post.line)?;
            if posts[..i].iter().any(|other| (other.seat, other.kind) == (post.seat, post.kind)) {
                return Err(Fault::new(post.line, format!("{} posts it twice", draft.seats[post.seat].name)));
            }
            let nominal = match post.kind {
                PostKind::SmallBlind => small,
                PostKind::BigBlind => big,
                PostKind::Straddle => {
                    let next = (straddler + 1) % self.seats.len();
                    if player != next || self.seats.len() == 2 {
                        return Err(Fault::new(post.line, "only the seat after the last blind can straddle"));
                    }
                    if post.amount <= highest && replay.stacks()[player] != post.amount {
                        return Err(Fault::new(post.line, "a straddle is more than the blind before it"));
                    }
                    straddler = player;
                    highest = highest.max(post.amount);
                    post.amount
                }
                PostKind::Ante | PostKind::Dead => post.amount,
            };
            let is_all_in = replay.stacks()[player] == post.amount;
            if post.amount != nominal && !(is_all_in && post.amount < nominal) {
                let message = format!("the {} is {}", post.kind, draft.unit.text(nominal));
                return Err(Fault::new(post.line, message));
            }
            replay.post(player, post, nominal)?;
        }
        let player = |post: &DraftPost| {
            let DraftPost { seat, kind, amount, line } = *post;
            Ok(Post { seat: self.dealt_in(draft, seat, line)?, kind, amount, line })
        };
        draft.posts.iter().map(player).collect()
    }

    /// Plays all actions and deals all cards.
    fn play_all(
        &self,
        draft: &HandDraft,
        replay: &mut Replay,
    ) -> Result<(Vec<PlayedAction>, Vec<Card>), Fault> {
        let (mut actions, mut board) = (Vec::new(), Vec::new());
        for (line, event) in &draft.events {
            match event {
                DraftEvent::Action(action) => {
                    let player = self.dealt_in(draft, action.seat, *line)?;
                    actions.push(replay.play(player, action, *line)?);
                }
                DraftEvent::Board(street, cards) => {
                    replay.deal(*street).map_err(|message| Fault::new(*line, message))?;
                    board.extend(cards);
                    if board.len() != street.board_cards() {
                        let message = format!("the {street} has {} cards", street.board_cards());
                        return Err(Fault::new(*line, message));
                    }
                }
            }
        }
        let end = |message: String| Fault::new(draft.last_line, message);
        if let Some(next) = replay.next() {
            let name = &draft.seats[self.seats[next]].name;
            return Err(end(format!("the hand ends on the {} with {name} to act", replay.street())));
        }
        if replay.remaining().count() > 1 && replay.street() != PlayStreet::River {
            let message =
                format!("the hand ends after the {} with several players and no river", replay.street());
            return Err(end(message));
        }
        Ok((actions, board))
    }

    /// The cards of each player; an error if one is there twice.
    fn holes(&self, draft: &HandDraft, board: &[Card]) -> Result<Vec<Option<Hole>>, Fault> {
        let mut seen = CardSet::EMPTY;
        for &card in board {
            if !seen.insert(card) {
                let holds = |(_, event): &&(u32, DraftEvent)| matches!(event, DraftEvent::Board(_, cards) if cards.contains(&card));
                let line = draft.events.iter().rev().find(holds).map_or(draft.first_line, |(line, _)| *line);
                return Err(Fault::new(line, format!("the card {card} is on the board twice")));
            }
        }
        let mut holes = vec![None; self.seats.len()];
        for &(seat, hole, line) in &draft.holes {
            let player = self.dealt_in(draft, seat, line)?;
            match holes[player] {
                Some(known) if known == hole => continue,
                Some(known) => {
                    let name = &draft.seats[seat].name;
                    return Err(Fault::new(line, format!("{name} has {known} elsewhere in the hand")));
                }
                None => holes[player] = Some(hole),
            }
            for card in hole.cards() {
                if !seen.insert(card) {
                    return Err(Fault::new(line, format!("the card {card} is in the hand twice")));
                }
            }
        }
        Ok(holes)
    }

    /// Gives back a bet that nobody called, if the text says so.
    fn give_back(&self, draft: &HandDraft, replay: &mut Replay) -> Result<Option<(usize, Money)>, Fault> {
        let uncalled = replay.uncalled();
        let told = match draft.returned {
            // What is not told goes to the pot, and whoever bet it collects it.
            None if matches!(draft.result, DraftResult::Collected { .. }) => return Ok(None),
            None => uncalled,
            Some(payment) => {
                let player = self.dealt_in(draft, payment.seat, payment.line)?;
                if uncalled != Some((player, payment.amount)) {
                    let what = uncalled.map_or("no bet is uncalled".to_owned(), |(player, amount)| {
                        let name = &draft.seats[self.seats[player]].name;
                        format!("the uncalled bet is {} of {name}", draft.unit.text(amount))
                    });
                    return Err(Fault::new(payment.line, what));
                }
                uncalled
            }
        };
        if let Some((player, amount)) = told {
            replay.give_back(player, amount);
        }
        Ok(told)
    }

    /// What each gets of the pot.
    fn shares(
        &self,
        draft: &HandDraft,
        replay: &Replay,
        board: &[Card],
        holes: &[Option<Hole>],
        pot: Money,
    ) -> Result<Vec<Money>, Fault> {
        let unit = draft.unit;
        let mut shares = vec![Money::ZERO; self.seats.len()];
        let line = match &draft.result {
            DraftResult::Collected { payments, pot: told, rake, line } => {
                if *told != pot {
                    let message = format!(
                        "the players have put in {}, and the pot is {}",
                        unit.text(pot),
                        unit.text(*told)
                    );
                    return Err(Fault::new(*line, message));
                }
                for payment in payments {
                    shares[self.dealt_in(draft, payment.seat, payment.line)?] += payment.amount;
                }
                let paid = shares.iter().copied().sum::<Money>() + *rake;
                if paid != pot {
                    let message =
                        format!("of a pot of {} {} are paid out or taken", unit.text(pot), unit.text(paid));
                    return Err(Fault::new(*line, message));
                }
                *line
            }
            DraftResult::Finished { stacks, line } => {
                for (player, share) in shares.iter_mut().enumerate() {
                    let (seat, left) = (self.seats[player], replay.stacks()[player]);
                    let gained = stacks.get(seat).and_then(|stack| stack.without(left));
                    *share = gained.ok_or_else(|| {
                        let name = &draft.seats[seat].name;
                        Fault::new(*line, format!("{name} has {} left at least", unit.text(left)))
                    })?;
                }
                let paid: Money = shares.iter().copied().sum();
                if paid > pot {
                    let message = format!("{} are won, and the pot is {}", unit.text(paid), unit.text(pot));
                    return Err(Fault::new(*line, message));
                }
                *line
            }
            DraftResult::Won { winnings, line, stacks } => {
                for (share, &seat) in shares.iter_mut().zip(&self.seats) {
                    *share = winnings.get(seat).copied().unwrap_or_default();
                }
                let paid: Money = shares.iter().copied().sum();
                if paid > pot {
                    let message = format!("{} are won, and the pot is {}", unit.text(paid), unit.text(pot));
                    return Err(Fault::new(*line, message));
                }
                if let Some((stacks, line)) = stacks {
                    for (player, &seat) in self.seats.iter().enumerate() {
                        let end = replay.stacks()[player] + shares[player];
                        if stacks.get(seat).copied().unwrap_or_default() != end {
                            let name = &draft.seats[seat].name;
                            let message = format!("{name} ends with {} by `winnings`", unit.text(end));
                            return Err(Fault::new(*line, message));
                        }
                    }
                }
                *line
            }
            DraftResult::Open => {
                let mucked: Vec<usize> = draft.mucked.iter().filter_map(|&seat| self.player(seat)).collect();
                shares = award(replay, &mucked, board, holes)
                    .map_err(|message| Fault::new(draft.last_line, message))?;
                draft.last_line
            }
        };
        for (player, &share) in shares.iter().enumerate().filter(|(_, share)| !share.is_zero()) {
            let name = &draft.seats[self.seats[player]].name;
            if replay.is_folded(player) {
                return Err(Fault::new(line, format!("{name} has folded and wins")));
            }
            let staked = replay.staked();
            let reachable: Money = staked.iter().map(|&other| other.min(staked[player])).sum::<Money>()
                + replay.dead()
                + draft.added;
            if share > reachable {
                let message = format!("{name} can win {} at most", unit.text(reachable));
                return Err(Fault::new(line, message));
            }
        }
        if shares.iter().all(|share| share.is_zero()) {
            return Err(Fault::new(line, "nobody wins the pot"));
        }
        Ok(shares)
    }
}
