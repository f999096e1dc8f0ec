//! Folds, showdowns and all-ins for whole vectors of hands, one leaf per lane.
//!
//! A hand meets every opponent hand that shares no card with it. Sums over those come from sums over all hands,
//! less the hands with the one card, less the hands with the other, plus the one hand that was taken off twice.

use crate::all_in::AllInTable;
use crate::hands::{HandTable, Reader, Reads, ShowdownTable, Step, SumPlace};
use noregret_cards::{Card, Hole};
use noregret_cfr::simd::{self, Kernel, Lanes, Row, WIDTH};
use noregret_cfr::{Player, Sums};
use std::cell::RefCell;

/// What a showdown is worth, per leaf: `half` of the pot for each hand that is beaten, and again for each that is beaten or tied, and
/// `lose` for all. The pot is won whole, split or lost, less the same rake, so that a tie is half way between. Both products are rounded
/// before they are added, so that a showdown that is always split is worth exactly nothing without a rake.
pub(crate) struct Stakes {
    pub half: Row,
    pub lose: Row,
}

/// Leaves of one kind on one board, to be valued together.
pub(crate) struct Leaves<'a> {
    pub hands: &'a HandTable,
    pub player: Player,
    /// The opponent's reach, a row for each hand.
    pub reach: &'a [Row],
    /// What each hand of the player is worth.
    pub values: &'a mut [Row],
}

/// Folds that are valued beside showdowns.
pub(crate) enum Folds<'a> {
    /// None.
    Nowhere,
    /// With the same reach, to other values: the player may fold or call.
    SameReach { payoff: &'a Row, values: &'a mut [Row] },
    /// With another reach, added to the same values: the opponent may fold or call.
    SameValues { payoff: &'a Row, reach: &'a [Row] },
}

impl Leaves<'_> {
    /// Values showdowns, and folds beside them. Hands of both players come weakest first, as in `table`.
    pub fn show_down(self, table: &ShowdownTable, stakes: &Stakes, folds: Folds<'_>, sums: Sums) {
        match sums {
            Sums::Fast => FAST.with_borrow_mut(|sums| {
                simd::run(Showdown { leaves: self, table, stakes, folds, sums });
            }),
            Sums::Wide => WIDE.with_borrow_mut(|sums| showdown(Wide, sums, table, stakes, folds, self)),
        }
    }

    /// Values what is all-in with cards to come.
    pub fn run_out(self, table: &AllInTable, stakes: &Stakes, sums: Sums) {
        match sums {
            Sums::Fast => simd::run(RunOut { leaves: self, table, stakes }),
            Sums::Wide => run_out(Wide, table, stakes, self),
        }
    }

    /// Values leaves where somebody folded: `payoff` times the opponent's hands that can be there.
    pub fn fold(self, payoff: &Row, sums: Sums) {
        match sums {
            Sums::Fast => simd::run(Fold { leaves: self, payoff }),
            Sums::Wide => fold(Wide, payoff, self),
        }
    }
}

/// Numbers that sums are kept in, one for each leaf.
trait Adder: Copy {
    /// In memory.
    type Kept: Copy;
    /// At work.
    type Numbers: Copy;

    fn zero() -> Self::Kept;
    fn splat(self, number: f32) -> Self::Numbers;
    fn of(self, row: &Row) -> Self::Numbers;
    fn load(self, kept: &Self::Kept) -> Self::Numbers;
    fn keep(self, numbers: Self::Numbers) -> Self::Kept;
    fn load_at(self, sums: &SumTable<Self::Kept>, place: SumPlace) -> Self::Numbers;
    fn keep_at(self, sums: &mut SumTable<Self::Kept>, place: SumPlace, numbers: Self::Numbers);
    fn row(self, numbers: Self::Numbers) -> Row;
    fn plus(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    fn minus(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    fn times(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// A product and a sum; floats of 32 bits are rounded once.
    fn times_plus(self, a: Self::Numbers, b: Self::Numbers, plus: Self::Numbers) -> Self::Numbers;
    fn over(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
}

/// 32-bit floats.
#[derive(Clone, Copy)]
struct Fast<L>(L);

impl<L: Lanes> Adder for Fast<L> {
    type Kept = Row;
    type Numbers = L::Numbers;

    #[inline(always)]
    fn zero() -> Row {
        Row::ZERO
    }

    #[inline(always)]
    fn splat(self, number: f32) -> L::Numbers {
        self.0.splat(number)
    }

    #[inline(always)]
    fn of(self, row: &Row) -> L::Numbers {
        self.0.load(row)
    }

    #[inline(always)]
    fn load(self, kept: &Row) -> L::Numbers {
        self.0.load(kept)
    }

    #[inline(always)]
    fn keep(self, numbers: L::Numbers) -> Row {
        self.0.row(numbers)
    }

    #[inline(always)]
    fn load_at(self, sums: &SumTable<Row>, place: SumPlace) -> L::Numbers {
        let row = &simd::flat(sums)[place.start()..][..WIDTH];
        self.0.load(&Row(row.try_into().unwrap_or_default()))
    }

    #[inline(always)]
    fn keep_at(self, sums: &mut SumTable<Row>, place: SumPlace, numbers: L::Numbers) {
        simd::flat_mut(sums)[place.start()..][..WIDTH].copy_from_slice(&self.0.row(numbers).0);
    }

    #[inline(always)]
    fn row(self, numbers: L::Numbers) -> Row {
        self.0.row(numbers)
    }

    #[inline(always)]
    fn plus(self, a: L::Numbers, b: L::Numbers) -> L::Numbers {
        self.0.add(a, b)
    }

    #[inline(always)]
    fn minus(self, a: L::Numbers, b: L::Numbers) -> L::Numbers {
        self.0.sub(a, b)
    }

    #[inline(always)]
    fn times(self, a: L::Numbers, b: L::Numbers) -> L::Numbers {
        self.0.mul(a, b)
    }

    #[inline(always)]
    fn times_plus(self, a: L::Numbers, b: L::Numbers, plus: L::Numbers) -> L::Numbers {
        self.0.mul_add(a, b, plus)
    }

    #[inline(always)]
    fn over(self, a: L::Numbers, b: L::Numbers) -> L::Numbers {
        self.0.div(a, b)
    }
}

/// 64-bit floats.
#[derive(Clone, Copy)]
struct Wide;

type WideRow = [f64; WIDTH];

impl Adder for Wide {
    type Kept = WideRow;
    type Numbers = WideRow;

    fn zero() -> WideRow {
        [0.0; WIDTH]
    }

    fn splat(self, number: f32) -> WideRow {
        [f64::from(number); WIDTH]
    }

    fn of(self, row: &Row) -> WideRow {
        row.map(f64::from)
    }

    fn load(self, kept: &WideRow) -> WideRow {
        *kept
    }

    fn keep(self, numbers: WideRow) -> WideRow {
        numbers
    }

    fn load_at(self, sums: &SumTable<WideRow>, place: SumPlace) -> WideRow {
        sums[place.row()]
    }

    fn keep_at(self, sums: &mut SumTable<WideRow>, place: SumPlace, numbers: WideRow) {
        sums[place.row()] = numbers;
    }

    fn row(self, numbers: WideRow) -> Row {
        Row(numbers.map(|number| number as f32))
    }

    fn plus(self, a: WideRow, b: WideRow) -> WideRow {
        std::array::from_fn(|i| a[i] + b[i])
    }

    fn minus(self, a: WideRow, b: WideRow) -> WideRow {
        std::array::from_fn(|i| a[i] - b[i])
    }

    fn times(self, a: WideRow, b: WideRow) -> WideRow {
        std::array::from_fn(|i| a[i] * b[i])
    }

    fn times_plus(self, a: WideRow, b: WideRow, plus: WideRow) -> WideRow {
        std::array::from_fn(|i| a[i] * b[i] + plus[i])
    }

    fn over(self, a: WideRow, b: WideRow) -> WideRow {
        std::array::from_fn(|i| a[i] / b[i])
    }
}

/// Running sums of the opponent's reach, weakest hands first: over all hands, and over the hands with each card.
type SumTable<T> = [T; SumPlace::ROWS];

fn boxed<T: Copy>(zero: T) -> Box<SumTable<T>> {
    // Through a vector, so that the array is never on the stack.
    let zeros = vec![zero; SumPlace::ROWS].into_boxed_slice();
    zeros.try_into().unwrap_or_else(|_| unreachable!("a slice of so many elements makes an array of as many"))
}

thread_local! {
    static FAST: RefCell<Box<SumTable<Row>>> = RefCell::new(boxed(Row::ZERO));
    static WIDE: RefCell<Box<SumTable<WideRow>>> = RefCell::new(boxed([0.0; WIDTH]));
}

struct Showdown<'a> {
    leaves: Leaves<'a>,
    table: &'a ShowdownTable,
    stakes: &'a Stakes,
    folds: Folds<'a>,
    sums: &'a mut SumTable<Row>,
}

impl Kernel for Showdown<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        showdown(Fast(lanes), self.sums, self.table, self.stakes, self.folds, self.leaves);
    }
}

#[inline(always)]
fn showdown<A: Adder>(
    adder: A,
    sums: &mut SumTable<A::Kept>,
    table: &ShowdownTable,
    stakes: &Stakes,
    folds: Folds<'_>,
    leaves: Leaves<'_>,
) {
    let Leaves { hands, player, reach, values } = leaves;
    let total = add_up(adder, sums, table, player.opponent(), reach);
    let (half, lose) = (adder.of(&stakes.half), adder.of(&stakes.lose));
    let showdown = Shown { adder, sums, reach, total, half, lose };
    let readers = table.readers(player).iter().zip(hands.twins(player));
    match folds {
        Folds::Nowhere => {
            for (value, (reader, &twin)) in values.iter_mut().zip(readers) {
                *value = adder.row(showdown.of(reader, twin).0);
            }
        }
        Folds::SameReach { payoff, values: apart } => {
            let payoff = adder.of(payoff);
            for ((value, apart), (reader, &twin)) in values.iter_mut().zip(apart).zip(readers) {
                let (shown, met) = showdown.of(reader, twin);
                *value = adder.row(shown);
                *apart = adder.row(adder.times(met, payoff));
            }
        }
        Folds::SameValues { payoff, reach } => {
            let payoff = adder.of(payoff);
            let folded = Met::new(adder, hands.hands(player.opponent()), reach);
            let holes = hands.hands(player);
            for ((value, hole), (reader, &twin)) in values.iter_mut().zip(holes).zip(readers) {
                let (shown, _) = showdown.of(reader, twin);
                let met = folded.by(adder, hole, reach_of(adder, reach, twin));
                // Rounded before it is added, as it is in `fold`: where both are worth the same in other lines, rounding alone would choose
                // between those otherwise (of locked flops, twins learned 2.5% of the strategies another way instead of 0.3%).
                *value = adder.row(adder.plus(shown, adder.times(met, payoff)));
            }
        }
    }
}

/// What hands are worth at showdowns.
struct Shown<'a, A: Adder> {
    adder: A,
    sums: &'a SumTable<A::Kept>,
    reach: &'a [Row],
    total: A::Numbers,
    half: A::Numbers,
    lose: A::Numbers,
}

impl<A: Adder> Shown<'_, A> {
    /// What a hand wins, and whom it meets.
    #[inline(always)]
    fn of(&self, reader: &Reader, twin: u16) -> (A::Numbers, A::Numbers) {
        let Self { adder, sums, .. } = *self;
        let Reads { weaker, not_stronger, high, low } = reader.reads();
        let own = reach_of(adder, self.reach, twin);
        let less = |sum: A::Numbers, card: SumPlace| adder.minus(sum, adder.load_at(sums, card));
        let beaten = less(less(adder.load_at(sums, weaker), high[0]), low[0]);
        let not_lost = less(less(adder.load_at(sums, not_stronger), high[1]), low[1]);
        let met = adder.plus(less(less(self.total, high[2]), low[2]), own);
        let won = adder.plus(beaten, adder.plus(not_lost, own));
        (adder.plus(adder.times(won, self.half), adder.times(met, self.lose)), met)
    }
}

/// Fills in the running sums of a player's reach; the sum over all hands.
#[inline(always)]
fn add_up<A: Adder>(
    adder: A,
    sums: &mut SumTable<A::Kept>,
    table: &ShowdownTable,
    player: Player,
    reach: &[Row],
) -> A::Numbers {
    debug_assert_eq!(reach.len(), table.steps(player).len(), "every sum is written anew");
    sums[0] = A::zero();
    let mut total = adder.load(&A::zero());
    for (reach, &Step { all, before, after }) in reach.iter().zip(table.steps(player)) {
        let reach = adder.of(reach);
        total = adder.plus(total, reach);
        adder.keep_at(sums, all, total);
        for i in 0..2 {
            let sum = adder.plus(adder.load_at(sums, before[i]), reach);
            adder.keep_at(sums, after[i], sum);
        }
    }
    total
}

/// The reach of the hand with the same two cards, if the opponent can have it.
#[inline(always)]
fn reach_of<A: Adder>(adder: A, reach: &[Row], twin: u16) -> A::Numbers {
    // A choice of rows rather than of ways to go: which hands have one is hard to foresee.
    adder.of(reach.get(twin as usize).unwrap_or(const { &Row::ZERO }))
}

/// The opponent's reach in all, and of the hands with each card: what a hand meets is the rest.
struct Met<A: Adder> {
    total: A::Numbers,
    by_card: [A::Kept; 64],
}

impl<A: Adder> Met<A> {
    #[inline(always)]
    fn new(adder: A, hands: &[Hole], reach: &[Row]) -> Self {
        // Where it stays, as it is not small.
        let mut met = Self { total: adder.load(&A::zero()), by_card: [A::zero(); 64] };
        for (reach, hole) in reach.iter().zip(hands) {
            let reach = adder.of(reach);
            met.total = adder.plus(met.total, reach);
            for card in hole.cards() {
                let sum = &mut met.by_card[slot(card)];
                *sum = adder.keep(adder.plus(adder.load(sum), reach));
            }
        }
        met
    }

    /// What a hand meets, if `own` is the reach of the one with the same two cards.
    #[inline(always)]
    fn by(&self, adder: A, hole: &Hole, own: A::Numbers) -> A::Numbers {
        let [high, low] = hole.cards().map(|card| adder.load(&self.by_card[slot(card)]));
        adder.plus(adder.minus(adder.minus(self.total, high), low), own)
    }
}

struct Fold<'a> {
    leaves: Leaves<'a>,
    payoff: &'a Row,
}

impl Kernel for Fold<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        fold(Fast(lanes), self.payoff, self.leaves);
    }
}

#[inline(always)]
fn fold<A: Adder>(adder: A, payoff: &Row, leaves: Leaves<'_>) {
    let Leaves { hands, player, reach, values } = leaves;
    let met = Met::new(adder, hands.hands(player.opponent()), reach);
    let payoff = adder.of(payoff);
    let hands = hands.hands(player).iter().zip(hands.twins(player));
    for (value, (hole, &twin)) in values.iter_mut().zip(hands) {
        *value = adder.row(adder.times(met.by(adder, hole, reach_of(adder, reach, twin)), payoff));
    }
}

struct RunOut<'a> {
    leaves: Leaves<'a>,
    table: &'a AllInTable,
    stakes: &'a Stakes,
}

impl Kernel for RunOut<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        run_out(Fast(lanes), self.table, self.stakes, self.leaves);
    }
}

/// How many hands add up side by side: sums for more would not stay in the registers of AVX2.
const ABREAST: usize = 4;

#[inline(always)]
fn run_out<A: Adder>(adder: A, table: &AllInTable, stakes: &Stakes, leaves: Leaves<'_>) {
    let Leaves { hands, player, reach, values } = leaves;
    let met = Met::new(adder, hands.hands(player.opponent()), reach);
    let (half, lose) = (adder.of(&stakes.half), adder.of(&stakes.lose));
    let runouts = adder.splat(table.runouts());
    // Which of sixteen hands come at all, a bit each.
    let mut present = [0u16; Hole::COUNT.div_ceil(WIDTH)];
    for (present, reach) in present.iter_mut().zip(reach.chunks(WIDTH)) {
        for (hand, reach) in reach.iter().enumerate() {
            *present |= u16::from(reach.0 != [0.0; WIDTH]) << hand;
        }
    }
    let (holes, twins) = (hands.hands(player), hands.twins(player));
    let own = values.chunks_mut(ABREAST).zip(holes.chunks(ABREAST).zip(twins.chunks(ABREAST)));
    for (first, (values, (holes, twins))) in (0..).step_by(ABREAST).zip(own) {
        let mut sums = [adder.splat(0.0); ABREAST];
        for (other, others) in (0..).step_by(WIDTH).zip(reach.chunks(WIDTH).zip(present)) {
            match player {
                Player::First => {
                    let scores = table.scores::<ABREAST, WIDTH>(first, other);
                    add_scores(
                        adder,
                        others,
                        &mut sums,
                        #[inline(always)]
                        |own, other| scores[own][other],
                    );
                }
                Player::Second => {
                    let scores = table.scores::<WIDTH, ABREAST>(other, first);
                    add_scores(
                        adder,
                        others,
                        &mut sums,
                        #[inline(always)]
                        |own, other| scores[other][own],
                    );
                }
            }
        }
        for (((value, &sum), hole), &twin) in values.iter_mut().zip(&sums).zip(holes).zip(twins) {
            let met = met.by(adder, hole, reach_of(adder, reach, twin));
            // Between them, two hands score two in each runout.
            let won = match (player, adder.over(sum, runouts)) {
                (Player::First, won) => won,
                (Player::Second, lost) => adder.minus(adder.plus(met, met), lost),
            };
            *value = adder.row(adder.plus(adder.times(won, half), adder.times(met, lose)));
        }
    }
}

/// Adds to the sums of hands what each scores against those of up to sixteen others that come.
#[inline(always)]
fn add_scores<A: Adder>(
    adder: A,
    (reach, mut present): (&[Row], u16),
    sums: &mut [A::Numbers; ABREAST],
    score: impl Fn(usize, usize) -> f32,
) {
    while present != 0 {
        let other = present.trailing_zeros() as usize % WIDTH;
        present &= present - 1;
        let reach = adder.of(&reach[other]);
        for (own, sum) in sums.iter_mut().enumerate() {
            *sum = adder.times_plus(reach, adder.splat(score(own, other)), *sum);
        }
    }
}

#[inline(always)]
fn slot(card: Card) -> usize {
    card.index() as usize % 64
}
