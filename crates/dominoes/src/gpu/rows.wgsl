// The rows of a solved table: positions inside tricks, the values of their moves, and the scores that they occur with.
// Rows are grouped by the beginning of a trick, as in trick_prefix.rs, and the order of the groups' members is that of
// packed states. `count` and `scan` find how many rows there are and where they go, `expand` says for each row which
// position it is, and `emit` fills it, one thread for a row. `spread_scores` runs once before.

struct Batch {
    // The first beginning of a trick in this batch.
    first: u32,
    // 0 is to-go, 1 is scored.
    is_scored: u32,
    // The rows of the batch that are wanted.
    start: u32,
    rows: u32,
    // Tricks left, for spread_scores.
    k: u32,
}

// The parts of `tables`, as gpu/rows.rs lays them out: suit_led[seat][local], follow[suit][seat],
// effect[suit][seat][local] as claim | count << 8, rank[mask], masks[k][rank], hands of each size, the first triple of
// each level, counts[seat][hand], the lanes without the seventh domino of each size, the lanes in which seat 0 may play
// each domino by level (leads, then by led suit), the beginnings of tricks.
const FOLLOW: u32 = 32u;
const EFFECT: u32 = 64u;
const RANK: u32 = 320u;
const MASKS: u32 = 448u;
const MASKS_OF_SIZE: u32 = 35u;
const HANDS: u32 = 728u;
const TRIPLES: u32 = 736u;
const COUNTS: u32 = 744u;
const LOW: u32 = 1256u;
const PLAYABLE: u32 = 1272u;
const PLAYABLE_OF_LEVEL: u32 = 126u;
const PREFIXES: u32 = 2280u;
// The parts of `index`: where the values of three hands start, and where the scores of a row start.
const STARTS: u32 = 104960u;
// A strip is what seats 3 and 2 hold: 128 masks of seat 3 after its play, 35 hands of seat 2 at most.
const STRIPS_OF_THIRD: u32 = 35u;
const STRIPS: u32 = 4480u;
const STRIPS_OF_THREAD: u32 = 70u;
// Beginnings in a batch, and where their totals follow the strips in `offsets`.
const BATCH: u32 = 32u;
const TOTALS: u32 = 143360u;
// Where the values of rows start in `out`: before, a word for each row says which position it is.
const WINDOW: u32 = 262144u;
const NO_PLAY: u32 = 7u;
const NOT_LEGAL: u32 = 0x80u;

@group(0) @binding(0) var<storage, read> tables: array<u32>;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(0) @binding(2) var<storage, read> reach: array<u32>;
@group(0) @binding(3) var<storage, read> index: array<u32>;
@group(0) @binding(4) var<storage, read> values: array<u32>;
@group(0) @binding(5) var<storage, read_write> scores: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> offsets: array<u32>;
@group(0) @binding(7) var<storage, read_write> out: array<u32>;

// A trick as it grows.
struct Trick {
    suit: u32,
    claim: u32,
    points: u32,
}

fn lead(seat: u32, local: u32) -> Trick {
    let suit = tables[seat * 8u + local];
    let effect = tables[EFFECT + (suit * 4u + seat) * 8u + local];
    return Trick(suit, effect & 0xffu, 1u + (effect >> 8u));
}

fn follow(trick: Trick, seat: u32, local: u32) -> Trick {
    let effect = tables[EFFECT + (trick.suit * 4u + seat) * 8u + local];
    return Trick(trick.suit, max(trick.claim, effect & 0xffu), trick.points + (effect >> 8u));
}

fn legal(suit: u32, seat: u32, held: u32) -> u32 {
    let following = held & tables[FOLLOW + suit * 4u + seat];
    return select(following, held, following == 0u);
}

fn gain(trick: Trick) -> u32 {
    return select(0u, trick.points, (trick.claim & 1u) == 0u);
}

fn worst(seat: u32) -> u32 {
    return select(0u, 255u, (seat & 1u) == 1u);
}

fn better(seat: u32, one: u32, other: u32) -> u32 {
    return select(max(one, other), min(one, other), (seat & 1u) == 1u);
}

// The number of three hands of k dominoes among those of all levels.
fn triple_of(k: u32, held: array<u32, 4>) -> u32 {
    let n = tables[HANDS + k];
    let ranked = (tables[RANK + held[3]] * n + tables[RANK + held[2]]) * n + tables[RANK + held[1]];
    return tables[TRIPLES + k] + ranked;
}

fn hand_of_lane(k: u32, lane: u32) -> u32 {
    return select(lane | 64u, lane, countOneBits(lane) == k);
}

// What Team 0 wins from a finished trick on, with k - 1 tricks left after it.
fn after_four(k: u32, rest: array<u32, 4>, trick: Trick) -> u32 {
    let at = index[triple_of(k - 1u, rest)] + (trick.claim & 3u) * 64u + (rest[0] & 63u);
    return gain(trick) + ((values[at / 4u] >> (8u * (at % 4u))) & 0xffu);
}

fn after_three(k: u32, held: array<u32, 4>, trick: Trick, seat: u32) -> u32 {
    var rest = held;
    var best = worst(seat);
    for (var d = legal(trick.suit, seat, held[seat]); d != 0u; d &= d - 1u) {
        rest[seat] = held[seat] ^ (d & (0u - d));
        best = better(seat, best, after_four(k, rest, follow(trick, seat, countTrailingZeros(d))));
    }
    return best;
}

fn after_two(k: u32, held: array<u32, 4>, trick: Trick, seat: u32) -> u32 {
    var rest = held;
    var best = worst(seat);
    for (var c = legal(trick.suit, seat, held[seat]); c != 0u; c &= c - 1u) {
        rest[seat] = held[seat] ^ (c & (0u - c));
        let next = follow(trick, seat, countTrailingZeros(c));
        best = better(seat, best, after_three(k, rest, next, (seat + 1u) % 4u));
    }
    return best;
}

fn after_one(k: u32, held: array<u32, 4>, trick: Trick, seat: u32) -> u32 {
    var rest = held;
    var best = worst(seat);
    for (var b = legal(trick.suit, seat, held[seat]); b != 0u; b &= b - 1u) {
        rest[seat] = held[seat] ^ (b & (0u - b));
        let next = follow(trick, seat, countTrailingZeros(b));
        best = better(seat, best, after_two(k, rest, next, (seat + 1u) % 4u));
    }
    return best;
}

// The beginning of a trick.
struct Prefix {
    leader: u32,
    played: u32,
    plays: array<u32, 3>,
}

fn prefix_at(number: u32) -> Prefix {
    let head = tables[PREFIXES + 2u * number];
    let plays = tables[PREFIXES + 2u * number + 1u];
    return Prefix(
        head & 0xffu, head >> 8u, array<u32, 3>(plays & 0xffu, (plays >> 8u) & 0xffu, plays >> 16u)
    );
}

// What the seat has played.
fn play_of(prefix: Prefix, seat: u32) -> u32 {
    let turn = (seat + 4u - prefix.leader) % 4u;
    if turn == 3u {
        return NO_PLAY;
    }
    var plays = prefix.plays;
    return plays[turn];
}

fn may_have_held(prefix: Prefix, suit: u32, seat: u32, held: u32) -> bool {
    let local = play_of(prefix, seat);
    if local == NO_PLAY {
        return true;
    }
    if seat == prefix.leader {
        return ((held >> local) & 1u) == 1u;
    }
    return ((legal(suit, seat, held) >> local) & 1u) == 1u;
}

// What seats 3 and 2 held before the trick, and the lanes in which seat 0 can have made its play.
struct Strip {
    is_possible: bool,
    k: u32,
    second: u32,
    third: u32,
    suit: u32,
    open: vec2<u32>,
}

fn strip_at(prefix: Prefix, number: u32) -> Strip {
    var strip: Strip;
    strip.is_possible = false;
    let third_play = play_of(prefix, 3u);
    strip.third = number / STRIPS_OF_THIRD;
    if third_play != NO_PLAY {
        if ((strip.third >> third_play) & 1u) == 1u {
            return strip;
        }
        strip.third |= 1u << third_play;
    }
    let k = countOneBits(strip.third);
    strip.k = k;
    let rank = number % STRIPS_OF_THIRD;
    if rank >= tables[HANDS + k] || (prefix.played > 0u && k == 0u) {
        return strip;
    }
    strip.second = tables[MASKS + k * MASKS_OF_SIZE + rank];
    strip.open = vec2<u32>(0xffffffffu, 0xffffffffu);
    if prefix.played > 0u {
        strip.suit = tables[prefix.leader * 8u + prefix.plays[0]];
        if !may_have_held(prefix, strip.suit, 2u, strip.second)
            || !may_have_held(prefix, strip.suit, 3u, strip.third) {
            return strip;
        }
        let own = play_of(prefix, 0u);
        if own != NO_PLAY {
            // Leads are first, then the plays after a lead of each suit.
            let of_suit = select(1u + strip.suit, 0u, prefix.leader == 0u);
            let at = PLAYABLE + k * PLAYABLE_OF_LEVEL + (of_suit * 7u + own) * 2u;
            strip.open = vec2<u32>(tables[at], tables[at + 1u]);
        }
    }
    strip.is_possible = true;
    return strip;
}

// The lanes of seat 0's hands that go with a hand of seat 1, by its rank.
fn lanes_of(prefix: Prefix, strip: Strip, rank: u32) -> vec2<u32> {
    let first = tables[MASKS + strip.k * MASKS_OF_SIZE + rank];
    if prefix.played > 0u && !may_have_held(prefix, strip.suit, 1u, first) {
        return vec2<u32>(0u, 0u);
    }
    let row = triple_of(strip.k, array<u32, 4>(0u, first, strip.second, strip.third)) * 4u + prefix.leader;
    return vec2<u32>(reach[2u * row], reach[2u * row + 1u]) & strip.open;
}

fn count_lanes(lanes: vec2<u32>) -> u32 {
    return countOneBits(lanes.x) + countOneBits(lanes.y);
}

// The lanes below a lane.
fn below(lane: u32) -> vec2<u32> {
    if lane < 32u {
        return vec2<u32>((1u << lane) - 1u, 0u);
    }
    return vec2<u32>(0xffffffffu, (1u << (lane - 32u)) - 1u);
}

// Counts the rows of a strip: one thread for each, many beginnings at once.
@compute @workgroup_size(64)
fn count(@builtin(global_invocation_id) id: vec3<u32>) {
    let prefix = prefix_at(batch.first + id.y);
    let strip = strip_at(prefix, id.x);
    var rows = 0u;
    if strip.is_possible {
        let hands = tables[HANDS + strip.k];
        for (var rank = 0u; rank < hands; rank++) {
            rows += count_lanes(lanes_of(prefix, strip, rank));
        }
    }
    offsets[id.y * STRIPS + id.x] = rows;
}

var<workgroup> sums: array<u32, 64>;

// Turns the counts of the strips of a beginning into where each strip starts: one workgroup for each beginning.
@compute @workgroup_size(64)
fn scan(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let first = group.x * STRIPS + thread * STRIPS_OF_THREAD;
    var rows = 0u;
    for (var i = 0u; i < STRIPS_OF_THREAD; i++) {
        rows += offsets[first + i];
    }
    sums[thread] = rows;
    workgroupBarrier();
    var start = 0u;
    for (var i = 0u; i < thread; i++) {
        start += sums[i];
    }
    for (var i = 0u; i < STRIPS_OF_THREAD; i++) {
        let here = offsets[first + i];
        offsets[first + i] = start;
        start += here;
    }
    if thread == 63u {
        offsets[TOTALS + group.x] = start;
    }
}

// Says for each row of the window which position it is: beginning, strip, seat 1's hand and lane.
@compute @workgroup_size(64)
fn expand(@builtin(global_invocation_id) id: vec3<u32>) {
    let prefix = prefix_at(batch.first + id.y);
    let strip = strip_at(prefix, id.x);
    if !strip.is_possible {
        return;
    }
    let hands = tables[HANDS + strip.k];
    // Hands of seat 0 without the seventh domino come before those with it.
    let low = vec2<u32>(tables[LOW + 2u * strip.k], tables[LOW + 2u * strip.k + 1u]);
    // The host has put where the rows of each beginning start into the place of its total.
    var row = offsets[TOTALS + id.y] + offsets[id.y * STRIPS + id.x];
    for (var rank = 0u; rank < hands; rank++) {
        let lanes = lanes_of(prefix, strip, rank);
        let position = (id.y << 25u) | (id.x << 12u) | (rank << 6u);
        row = expand_lanes(lanes.x & low.x, position, row);
        row = expand_lanes(lanes.y & low.y, position | 32u, row);
        row = expand_lanes(lanes.x & ~low.x, position, row);
        row = expand_lanes(lanes.y & ~low.y, position | 32u, row);
    }
}

fn expand_lanes(lanes: u32, position: u32, first: u32) -> u32 {
    var row = first;
    for (var rest = lanes; rest != 0u; rest &= rest - 1u) {
        if row >= batch.start && row < batch.start + batch.rows {
            out[row - batch.start] = position | countTrailingZeros(rest);
        }
        row += 1u;
    }
    return row;
}

// Writes a row: two words of state, two of values, two of scores in the scored layout.
@compute @workgroup_size(64)
fn emit(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= batch.rows {
        return;
    }
    let position = out[id.x];
    let prefix = prefix_at(batch.first + (position >> 25u));
    let strip = strip_at(prefix, (position >> 12u) & 0x1fffu);
    let first = tables[MASKS + strip.k * MASKS_OF_SIZE + ((position >> 6u) & 63u)];
    let held = array<u32, 4>(0u, first, strip.second, strip.third);
    emit_row(prefix, strip.k, held, position & 63u, id.x);
}

fn emit_row(prefix: Prefix, k: u32, others: array<u32, 4>, lane: u32, row: u32) {
    var before = others;
    before[0] = hand_of_lane(k, lane);
    var held = before;
    var left = k;
    for (var seat = 0u; seat < 4u; seat++) {
        left += tables[COUNTS + seat * 128u + before[seat]];
        let local = play_of(prefix, seat);
        if local != NO_PLAY {
            held[seat] &= ~(1u << local);
        }
    }
    let leader = prefix.leader;
    var trick = Trick(0u, 0u, 0u);
    if prefix.played > 0u {
        trick = lead(leader, prefix.plays[0]);
    }
    if prefix.played > 1u {
        trick = follow(trick, (leader + 1u) % 4u, prefix.plays[1]);
    }
    if prefix.played > 2u {
        trick = follow(trick, (leader + 2u) % 4u, prefix.plays[2]);
    }
    let turn = (leader + prefix.played) % 4u;
    var moves = held[turn];
    if prefix.played > 0u {
        moves = legal(trick.suit, turn, held[turn]);
    }
    var best = select(worst(turn), 0u, moves == 0u);
    var words = vec2<u32>(0u, 0u);
    for (var local = 0u; local < 7u; local++) {
        var byte = NOT_LEGAL;
        if ((moves >> local) & 1u) == 1u {
            var rest = held;
            rest[turn] ^= 1u << local;
            let next_seat = (turn + 1u) % 4u;
            var points = 0u;
            switch prefix.played {
                case 0u: { points = after_one(k, rest, lead(turn, local), next_seat); }
                case 1u: { points = after_two(k, rest, follow(trick, turn, local), next_seat); }
                case 2u: { points = after_three(k, rest, follow(trick, turn, local), next_seat); }
                default: { points = after_four(k, rest, follow(trick, turn, local)); }
            }
            best = better(turn, best, points);
            byte = in_layout(points, left);
        }
        let place = local + 1u;
        if place < 4u {
            words.x |= byte << (8u * place);
        } else {
            words.y |= byte << (8u * (place - 4u));
        }
    }
    words.x |= in_layout(best, left);
    let hands = held[0] | (held[1] << 7u) | (held[2] << 14u) | (held[3] << 21u);
    let plays = prefix.plays[0] | (prefix.plays[1] << 3u) | (prefix.plays[2] << 6u);
    if batch.is_scored == 0u {
        out[WINDOW + 4u * row] = hands | (leader << 28u) | (prefix.played << 30u);
        out[WINDOW + 4u * row + 1u] = plays;
        out[WINDOW + 4u * row + 2u] = words.x;
        out[WINDOW + 4u * row + 3u] = words.y;
    } else {
        out[WINDOW + 6u * row] = hands;
        out[WINDOW + 6u * row + 1u] = (leader << 2u) | (prefix.played << 4u) | (plays << 6u);
        out[WINDOW + 6u * row + 2u] = words.x;
        out[WINDOW + 6u * row + 3u] = words.y;
        let at = 2u * place_of_scores(k, others, leader, lane);
        out[WINDOW + 6u * row + 4u] = atomicLoad(&scores[at]);
        out[WINDOW + 6u * row + 5u] = atomicLoad(&scores[at + 1u]);
    }
}

// Team 0's points as the difference still to be won, or as they are where the score decides.
fn in_layout(points: u32, left: u32) -> u32 {
    return select(points, (2u * points - left) & 0xffu, batch.is_scored == 0u);
}

// The place of a position between tricks among all that are reachable.
fn place_of_scores(k: u32, held: array<u32, 4>, leader: u32, lane: u32) -> u32 {
    let row = triple_of(k, held) * 4u + leader;
    let lanes = vec2<u32>(reach[2u * row], reach[2u * row + 1u]);
    return index[STARTS + row] + count_lanes(lanes & below(lane));
}

// Adds the scores of every position with k tricks left to those that its tricks lead to: one thread for each row.
@compute @workgroup_size(64)
fn spread_scores(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = batch.k;
    let n = tables[HANDS + k];
    if id.x >= 4u * n * n * n {
        return;
    }
    let row = 4u * tables[TRIPLES + k] + id.x;
    let lanes = vec2<u32>(reach[2u * row], reach[2u * row + 1u]);
    if (lanes.x | lanes.y) == 0u {
        return;
    }
    let triple = id.x / 4u;
    var held = array<u32, 4>(
        0u,
        tables[MASKS + k * MASKS_OF_SIZE + triple % n],
        tables[MASKS + k * MASKS_OF_SIZE + (triple / n) % n],
        tables[MASKS + k * MASKS_OF_SIZE + triple / (n * n)]
    );
    var place = index[STARTS + row];
    for (var lane = 0u; lane < 64u; lane++) {
        let word = select(lanes.y, lanes.x, lane < 32u);
        if ((word >> (lane % 32u)) & 1u) == 0u {
            continue;
        }
        held[0] = hand_of_lane(k, lane);
        let here = vec2<u32>(atomicLoad(&scores[2u * place]), atomicLoad(&scores[2u * place + 1u]));
        spread_from(k, held, id.x % 4u, here);
        place += 1u;
    }
}

fn spread_from(k: u32, held: array<u32, 4>, leader: u32, here: vec2<u32>) {
    let second = (leader + 1u) % 4u;
    let third = (leader + 2u) % 4u;
    let fourth = (leader + 3u) % 4u;
    var rest = held;
    for (var a = held[leader]; a != 0u; a &= a - 1u) {
        rest[leader] = held[leader] ^ (a & (0u - a));
        let trick_a = lead(leader, countTrailingZeros(a));
        for (var b = legal(trick_a.suit, second, held[second]); b != 0u; b &= b - 1u) {
            rest[second] = held[second] ^ (b & (0u - b));
            let trick_b = follow(trick_a, second, countTrailingZeros(b));
            for (var c = legal(trick_a.suit, third, held[third]); c != 0u; c &= c - 1u) {
                rest[third] = held[third] ^ (c & (0u - c));
                let trick_c = follow(trick_b, third, countTrailingZeros(c));
                for (var d = legal(trick_a.suit, fourth, held[fourth]); d != 0u; d &= d - 1u) {
                    rest[fourth] = held[fourth] ^ (d & (0u - d));
                    let trick_d = follow(trick_c, fourth, countTrailingZeros(d));
                    let won = gain(trick_d);
                    let at = 2u * place_of_scores(k - 1u, rest, trick_d.claim & 3u, rest[0] & 63u);
                    // A trick is worth at most 31 points, so that a shift stays within a word.
                    let low = here.x << won;
                    let carry = select(here.x >> (32u - won), 0u, won == 0u);
                    atomicOr(&scores[at], low);
                    atomicOr(&scores[at + 1u], (here.y << won) | carry);
                }
            }
        }
    }
}
