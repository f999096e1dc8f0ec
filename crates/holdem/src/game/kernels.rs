//! Folds, showdowns and all-ins for whole vectors of hands, one terminal node per lane.
//!
//! Card removal: a hand is compatible with every hand of the opponent that shares no card with it. A sum over those is the sum over
//! all hands, less the hands with the one card, less the hands with the other, plus the same hand, which was subtracted twice. A
//! showdown takes such sums over the weaker hands: hands are sorted by strength, so they are running sums (Johanson, Waugh,
//! Bowling and Zinkevich, *Accelerating best response calculation in large extensive games*, 2011).

use super::all_in::AllInTable;
use super::hands::{HandTable, Reads, ShowdownTable, SumPlace, SumReader, SumStep};
use noregret_cards::{Card, Hole};
use noregret_cfr::simd::{self, Kernel, Lanes, Row, WIDTH};
use noregret_cfr::{Player, SumPrecision};
use std::cell::RefCell;

/// The payoffs of showdowns, per lane: `half` of the pot for each hand that is beaten, and again for each that is beaten or tied, and
/// `lose` for all. The pot is won whole, split or lost, less the same rake, so that a tie is half way between. Both products are rounded
/// before they are added, so that a showdown that is always split is worth exactly nothing without a rake.
pub(crate) struct Stakes {
    pub half: Row,
    pub lose: Row,
}

/// Terminal nodes of one kind on one board, one per lane, to be evaluated together.
pub(crate) struct TerminalRows<'a> {
    pub hands: &'a HandTable,
    pub player: Player,
    /// The opponent's reach probabilities, a row for each of all its hands.
    pub reach: &'a [Row],
    /// Out: the counterfactual value of each representative of the player.
    pub values: &'a mut [Row],
}

/// Folds that are evaluated in the lanes of showdowns.
pub(crate) enum PairedFoldRows<'a> {
    /// None.
    None,
    /// With the same reach, to other values: the player may fold or call.
    SameReach { payoff: &'a Row, values: &'a mut [Row] },
    /// With another reach, added to the same values: the opponent may fold or call.
    SameValues { payoff: &'a Row, reach: &'a [Row] },
}

impl TerminalRows<'_> {
    /// Evaluates showdowns, and the folds that are paired with them. Hands of both players are sorted weakest first, as in `table`.
    pub fn show_down(
        self,
        table: &ShowdownTable,
        stakes: &Stakes,
        folds: PairedFoldRows<'_>,
        precision: SumPrecision,
    ) {
        match precision {
            SumPrecision::Single => SINGLE_SUMS.with_borrow_mut(|sums| {
                simd::run(ShowdownKernel { terminals: self, table, stakes, folds, sums });
            }),
            SumPrecision::Double => DOUBLE_SUMS.with_borrow_mut(|sums| {
                simd::run(ShowdownKernel { terminals: self, table, stakes, folds, sums });
            }),
        }
    }

    /// Evaluates all-ins with cards to come.
    pub fn all_in(self, table: &AllInTable, stakes: &Stakes, precision: SumPrecision) {
        match precision {
            SumPrecision::Single => simd::run(AllInKernel { terminals: self, table, stakes }),
            SumPrecision::Double => simd::run(InDouble(AllInKernel { terminals: self, table, stakes })),
        }
    }

    /// Evaluates folds: `payoff` times the compatible reach of the opponent.
    pub fn fold(self, payoff: &Row, precision: SumPrecision) {
        match precision {
            SumPrecision::Single => simd::run(FoldKernel { terminals: self, payoff }),
            SumPrecision::Double => simd::run(InDouble(FoldKernel { terminals: self, payoff })),
        }
    }
}

/// The operations of [`Lanes`] that showdowns need, in 32-bit or 64-bit floats.
trait Accumulator: Copy {
    /// A row in memory.
    type Stored: Copy;
    /// A row in registers.
    type Numbers: Copy;

    fn zero() -> Self::Stored;
    fn splat(self, number: f32) -> Self::Numbers;
    fn load_row(self, row: &Row) -> Self::Numbers;
    fn load(self, kept: &Self::Stored) -> Self::Numbers;
    fn store(self, numbers: Self::Numbers) -> Self::Stored;
    fn load_at(self, sums: &SumTable<Self::Stored>, place: SumPlace) -> Self::Numbers;
    fn store_at(self, sums: &mut SumTable<Self::Stored>, place: SumPlace, numbers: Self::Numbers);
    fn row(self, numbers: Self::Numbers) -> Row;
    fn add(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    fn sub(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    fn mul(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// A product and a sum; floats of 32 bits are rounded once.
    fn mul_add(self, a: Self::Numbers, b: Self::Numbers, plus: Self::Numbers) -> Self::Numbers;
    fn div(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
}

/// 32-bit floats.
#[derive(Clone, Copy)]
struct Single<L>(L);

impl<L: Lanes> Accumulator for Single<L> {
    type Stored = Row;
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
    fn load_row(self, row: &Row) -> L::Numbers {
        self.0.load(row)
    }

    #[inline(always)]
    fn load(self, kept: &Row) -> L::Numbers {
        self.0.load(kept)
    }

    #[inline(always)]
    fn store(self, numbers: L::Numbers) -> Row {
        self.0.row(numbers)
    }

    #[inline(always)]
    fn load_at(self, sums: &SumTable<Row>, place: SumPlace) -> L::Numbers {
        let row = &simd::flat(sums)[place.start()..][..WIDTH];
        self.0.load(&Row(row.try_into().unwrap_or_default()))
    }

    #[inline(always)]
    fn store_at(self, sums: &mut SumTable<Row>, place: SumPlace, numbers: L::Numbers) {
        simd::flat_mut(sums)[place.start()..][..WIDTH].copy_from_slice(&self.0.row(numbers).0);
    }

    #[inline(always)]
    fn row(self, numbers: L::Numbers) -> Row {
        self.0.row(numbers)
    }

    #[inline(always)]
    fn add(self, a: L::Numbers, b: L::Numbers) -> L::Numbers {
        self.0.add(a, b)
    }

    #[inline(always)]
    fn sub(self, a: L::Numbers, b: L::Numbers) -> L::Numbers {
        self.0.sub(a, b)
    }

    #[inline(always)]
    fn mul(self, a: L::Numbers, b: L::Numbers) -> L::Numbers {
        self.0.mul(a, b)
    }

    #[inline(always)]
    fn mul_add(self, a: L::Numbers, b: L::Numbers, plus: L::Numbers) -> L::Numbers {
        self.0.mul_add(a, b, plus)
    }

    #[inline(always)]
    fn div(self, a: L::Numbers, b: L::Numbers) -> L::Numbers {
        self.0.div(a, b)
    }
}

/// 64-bit floats.
#[derive(Clone, Copy)]
struct Double;

type DoubleRow = [f64; WIDTH];

impl Accumulator for Double {
    type Stored = DoubleRow;
    type Numbers = DoubleRow;

    #[inline(always)]
    fn zero() -> DoubleRow {
        [0.0; WIDTH]
    }

    #[inline(always)]
    fn splat(self, number: f32) -> DoubleRow {
        [f64::from(number); WIDTH]
    }

    #[inline(always)]
    fn load_row(self, row: &Row) -> DoubleRow {
        let mut out = [0.0; WIDTH];
        for i in 0..WIDTH {
            out[i] = f64::from(row[i]);
        }
        out
    }

    #[inline(always)]
    fn load(self, kept: &DoubleRow) -> DoubleRow {
        *kept
    }

    #[inline(always)]
    fn store(self, numbers: DoubleRow) -> DoubleRow {
        numbers
    }

    #[inline(always)]
    fn load_at(self, sums: &SumTable<DoubleRow>, place: SumPlace) -> DoubleRow {
        sums[place.row()]
    }

    #[inline(always)]
    fn store_at(self, sums: &mut SumTable<DoubleRow>, place: SumPlace, numbers: DoubleRow) {
        sums[place.row()] = numbers;
    }

    #[inline(always)]
    fn row(self, numbers: DoubleRow) -> Row {
        let mut row = Row::ZERO;
        for i in 0..WIDTH {
            row[i] = numbers[i] as f32;
        }
        row
    }

    #[inline(always)]
    fn add(self, a: DoubleRow, b: DoubleRow) -> DoubleRow {
        let mut out = [0.0; WIDTH];
        for i in 0..WIDTH {
            out[i] = a[i] + b[i];
        }
        out
    }

    #[inline(always)]
    fn sub(self, a: DoubleRow, b: DoubleRow) -> DoubleRow {
        let mut out = [0.0; WIDTH];
        for i in 0..WIDTH {
            out[i] = a[i] - b[i];
        }
        out
    }

    #[inline(always)]
    fn mul(self, a: DoubleRow, b: DoubleRow) -> DoubleRow {
        let mut out = [0.0; WIDTH];
        for i in 0..WIDTH {
            out[i] = a[i] * b[i];
        }
        out
    }

    #[inline(always)]
    fn mul_add(self, a: DoubleRow, b: DoubleRow, plus: DoubleRow) -> DoubleRow {
        let mut out = [0.0; WIDTH];
        for i in 0..WIDTH {
            out[i] = a[i] * b[i] + plus[i];
        }
        out
    }

    #[inline(always)]
    fn div(self, a: DoubleRow, b: DoubleRow) -> DoubleRow {
        let mut out = [0.0; WIDTH];
        for i in 0..WIDTH {
            out[i] = a[i] / b[i];
        }
        out
    }
}

/// A kernel in 64-bit floats. It has no use for lanes of 32 bits, but is compiled for the instruction set that they are of.
struct InDouble<K>(K);

/// Running sums of the opponent's reach, weakest hands first: over all hands, and over the hands with each card.
type SumTable<T> = [T; SumPlace::ROWS];

fn boxed<T: Copy>(zero: T) -> Box<SumTable<T>> {
    // Through a vector, so that the array is never on the stack.
    let zeros = vec![zero; SumPlace::ROWS].into_boxed_slice();
    zeros.try_into().unwrap_or_else(|_| unreachable!("a slice of so many elements makes an array of as many"))
}

thread_local! {
    static SINGLE_SUMS: RefCell<Box<SumTable<Row>>> = RefCell::new(boxed(Row::ZERO));
    static DOUBLE_SUMS: RefCell<Box<SumTable<DoubleRow>>> = RefCell::new(boxed([0.0; WIDTH]));
}

struct ShowdownKernel<'a, T> {
    terminals: TerminalRows<'a>,
    table: &'a ShowdownTable,
    stakes: &'a Stakes,
    folds: PairedFoldRows<'a>,
    sums: &'a mut SumTable<T>,
}

impl Kernel for ShowdownKernel<'_, Row> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        showdown(Single(lanes), self.sums, self.table, self.stakes, self.folds, self.terminals);
    }
}

impl Kernel for ShowdownKernel<'_, DoubleRow> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _lanes: L) {
        showdown(Double, self.sums, self.table, self.stakes, self.folds, self.terminals);
    }
}

#[inline(always)]
fn showdown<A: Accumulator>(
    lanes: A,
    sums: &mut SumTable<A::Stored>,
    table: &ShowdownTable,
    stakes: &Stakes,
    folds: PairedFoldRows<'_>,
    terminals: TerminalRows<'_>,
) {
    let TerminalRows { hands, player, reach, values } = terminals;
    let total = running_sums(lanes, sums, table, player.opponent(), reach);
    let (half, lose) = (lanes.load_row(&stakes.half), lanes.load_row(&stakes.lose));
    let showdown = ShowdownSums { lanes, sums, reach, total, half, lose };
    let readers = table.readers(player).iter().zip(hands.same_hands(player));
    match folds {
        PairedFoldRows::None => {
            for (value, (reader, &same_hand)) in values.iter_mut().zip(readers) {
                *value = lanes.row(showdown.of(reader, same_hand).0);
            }
        }
        PairedFoldRows::SameReach { payoff, values: fold_values } => {
            let payoff = lanes.load_row(payoff);
            for ((value, fold_values), (reader, &same_hand)) in
                values.iter_mut().zip(fold_values).zip(readers)
            {
                let (won_or_lost, compatible) = showdown.of(reader, same_hand);
                *value = lanes.row(won_or_lost);
                *fold_values = lanes.row(lanes.mul(compatible, payoff));
            }
        }
        PairedFoldRows::SameValues { payoff, reach } => {
            let payoff = lanes.load_row(payoff);
            let folded = CompatibleReach::new(lanes, hands.hands(player.opponent()), reach);
            let holes = hands.representatives(player);
            for ((value, hole), (reader, &same_hand)) in values.iter_mut().zip(holes).zip(readers) {
                let (won_or_lost, _) = showdown.of(reader, same_hand);
                let compatible = folded.by(lanes, hole, reach_of(lanes, reach, same_hand));
                // Rounded before it is added, as it is in `fold`: where both are worth the same in other lines, rounding alone would choose
                // between those otherwise (of locked flops, 2.5% of the strategies differed from those of the twins in the tests, instead of 0.3%).
                *value = lanes.row(lanes.add(won_or_lost, lanes.mul(compatible, payoff)));
            }
        }
    }
}

/// The running sums of a showdown, to evaluate hands by.
struct ShowdownSums<'a, A: Accumulator> {
    lanes: A,
    sums: &'a SumTable<A::Stored>,
    reach: &'a [Row],
    total: A::Numbers,
    half: A::Numbers,
    lose: A::Numbers,
}

impl<A: Accumulator> ShowdownSums<'_, A> {
    /// A sum without that of the hands with a card.
    #[inline(always)]
    fn less(&self, sum: A::Numbers, card: SumPlace) -> A::Numbers {
        self.lanes.sub(sum, self.lanes.load_at(self.sums, card))
    }

    /// The value of a hand, and the compatible reach of the opponent.
    #[inline(always)]
    fn of(&self, reader: &SumReader, same_hand: u16) -> (A::Numbers, A::Numbers) {
        let Self { lanes, sums, .. } = *self;
        let Reads { weaker, not_stronger, high, low } = reader.reads();
        let own = reach_of(lanes, self.reach, same_hand);
        let beaten = self.less(self.less(lanes.load_at(sums, weaker), high[0]), low[0]);
        let not_lost = self.less(self.less(lanes.load_at(sums, not_stronger), high[1]), low[1]);
        let compatible = lanes.add(self.less(self.less(self.total, high[2]), low[2]), own);
        let won = lanes.add(beaten, lanes.add(not_lost, own));
        (lanes.add(lanes.mul(won, self.half), lanes.mul(compatible, self.lose)), compatible)
    }
}

/// Fills in the running sums of a player's reach; the sum over all hands.
#[inline(always)]
fn running_sums<A: Accumulator>(
    lanes: A,
    sums: &mut SumTable<A::Stored>,
    table: &ShowdownTable,
    player: Player,
    reach: &[Row],
) -> A::Numbers {
    debug_assert_eq!(reach.len(), table.steps(player).len(), "every sum is written anew");
    sums[0] = A::zero();
    let mut total = lanes.load(&A::zero());
    for (reach, &SumStep { all, before, after }) in reach.iter().zip(table.steps(player)) {
        let reach = lanes.load_row(reach);
        total = lanes.add(total, reach);
        lanes.store_at(sums, all, total);
        for i in 0..2 {
            let sum = lanes.add(lanes.load_at(sums, before[i]), reach);
            lanes.store_at(sums, after[i], sum);
        }
    }
    total
}

/// The reach of the same hand, if the opponent can have it.
#[inline(always)]
fn reach_of<A: Accumulator>(lanes: A, reach: &[Row], same_hand: u16) -> A::Numbers {
    // A choice of rows rather than a branch: which hands the opponent can have is hard to predict.
    lanes.load_row(reach.get(same_hand as usize).unwrap_or(const { &Row::ZERO }))
}

/// The opponent's reach in all, and of the hands with each card: the reach compatible with a hand is the rest.
struct CompatibleReach<A: Accumulator> {
    total: A::Numbers,
    by_card: [A::Stored; 64],
}

impl<A: Accumulator> CompatibleReach<A> {
    #[inline(always)]
    fn new(lanes: A, hands: &[Hole], reach: &[Row]) -> Self {
        // Where it stays, as it is not small.
        let mut compatible = Self { total: lanes.load(&A::zero()), by_card: [A::zero(); 64] };
        for (reach, hole) in reach.iter().zip(hands) {
            let reach = lanes.load_row(reach);
            compatible.total = lanes.add(compatible.total, reach);
            for card in hole.cards() {
                let sum = &mut compatible.by_card[slot(card)];
                *sum = lanes.store(lanes.add(lanes.load(sum), reach));
            }
        }
        compatible
    }

    /// The reach compatible with a hand, where `own` is the reach of the same hand.
    #[inline(always)]
    fn by(&self, lanes: A, hole: &Hole, own: A::Numbers) -> A::Numbers {
        let [high, low] = hole.cards();
        let (high, low) = (lanes.load(&self.by_card[slot(high)]), lanes.load(&self.by_card[slot(low)]));
        lanes.add(lanes.sub(lanes.sub(self.total, high), low), own)
    }
}

struct FoldKernel<'a> {
    terminals: TerminalRows<'a>,
    payoff: &'a Row,
}

impl Kernel for FoldKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        fold(Single(lanes), self.payoff, self.terminals);
    }
}

impl Kernel for InDouble<FoldKernel<'_>> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _lanes: L) {
        fold(Double, self.0.payoff, self.0.terminals);
    }
}

#[inline(always)]
fn fold<A: Accumulator>(lanes: A, payoff: &Row, terminals: TerminalRows<'_>) {
    let TerminalRows { hands, player, reach, values } = terminals;
    let compatible = CompatibleReach::new(lanes, hands.hands(player.opponent()), reach);
    let payoff = lanes.load_row(payoff);
    let hands = hands.representatives(player).iter().zip(hands.same_hands(player));
    for (value, (hole, &same_hand)) in values.iter_mut().zip(hands) {
        *value = lanes.row(lanes.mul(compatible.by(lanes, hole, reach_of(lanes, reach, same_hand)), payoff));
    }
}

struct AllInKernel<'a> {
    terminals: TerminalRows<'a>,
    table: &'a AllInTable,
    stakes: &'a Stakes,
}

impl Kernel for AllInKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        all_in(Single(lanes), self.table, self.stakes, self.terminals);
    }
}

impl Kernel for InDouble<AllInKernel<'_>> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _lanes: L) {
        all_in(Double, self.0.table, self.0.stakes, self.0.terminals);
    }
}

/// How many hands add up side by side: sums for more would not stay in the registers of AVX2.
const ABREAST: usize = 4;

#[inline(always)]
fn all_in<A: Accumulator>(lanes: A, table: &AllInTable, stakes: &Stakes, terminals: TerminalRows<'_>) {
    let TerminalRows { hands, player, reach, values } = terminals;
    let compatible = CompatibleReach::new(lanes, hands.hands(player.opponent()), reach);
    let (half, lose) = (lanes.load_row(&stakes.half), lanes.load_row(&stakes.lose));
    let runouts = lanes.splat(table.runouts());
    // Which of sixteen hands have any reach, a bit each.
    let mut present = [0u16; Hole::COUNT.div_ceil(WIDTH)];
    for (present, reach) in present.iter_mut().zip(reach.chunks(WIDTH)) {
        for (hand, reach) in reach.iter().enumerate() {
            *present |= u16::from(reach.0 != [0.0; WIDTH]) << hand;
        }
    }
    let (holes, same_hands) = (hands.representatives(player), hands.same_hands(player));
    let own = values.chunks_mut(ABREAST).zip(holes.chunks(ABREAST).zip(same_hands.chunks(ABREAST)));
    for (first, (values, (holes, same_hands))) in (0..).step_by(ABREAST).zip(own) {
        let mut sums = [lanes.splat(0.0); ABREAST];
        for (other, others) in (0..).step_by(WIDTH).zip(reach.chunks(WIDTH).zip(present)) {
            match player {
                Player::First => {
                    let scores = table.scores::<ABREAST, WIDTH>(first, other);
                    add_scores(
                        lanes,
                        others,
                        &mut sums,
                        #[inline(always)]
                        |own, other| scores[own][other],
                    );
                }
                Player::Second => {
                    let scores = table.scores::<WIDTH, ABREAST>(other, first);
                    add_scores(
                        lanes,
                        others,
                        &mut sums,
                        #[inline(always)]
                        |own, other| scores[other][own],
                    );
                }
            }
        }
        for (((value, &sum), hole), &same_hand) in values.iter_mut().zip(&sums).zip(holes).zip(same_hands) {
            let compatible = compatible.by(lanes, hole, reach_of(lanes, reach, same_hand));
            // Between them, two hands score two in each runout.
            let won = match (player, lanes.div(sum, runouts)) {
                (Player::First, won) => won,
                (Player::Second, lost) => lanes.sub(lanes.add(compatible, compatible), lost),
            };
            *value = lanes.row(lanes.add(lanes.mul(won, half), lanes.mul(compatible, lose)));
        }
    }
}

/// Adds to the sums of hands what each scores against up to sixteen others that have any reach.
#[inline(always)]
fn add_scores<A: Accumulator>(
    lanes: A,
    (reach, mut present): (&[Row], u16),
    sums: &mut [A::Numbers; ABREAST],
    score: impl Fn(usize, usize) -> f32,
) {
    while present != 0 {
        let other = present.trailing_zeros() as usize % WIDTH;
        present &= present - 1;
        let reach = lanes.load_row(&reach[other]);
        for (own, sum) in sums.iter_mut().enumerate() {
            *sum = lanes.mul_add(reach, lanes.splat(score(own, other)), *sum);
        }
    }
}

#[inline(always)]
fn slot(card: Card) -> usize {
    card.index() as usize % 64
}
