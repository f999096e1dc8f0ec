// Texas 42, level by level: `forward` finds what is reachable, `backward` values it. The addresses are those of level.rs:
// a row for three hands and a leader, 64 lanes in a row for seat 0's hand, a byte for each value.

struct Level {
    // Tricks left.
    k: u32,
    // Hands of k dominoes, and of k - 1.
    hands: u32,
    hands_below: u32,
    rows: u32,
}

// suit_led[seat][local], then follow[suit][seat], then effect[suit][seat][local] as claim | count << 8.
const FOLLOW: u32 = 32u;
const EFFECT: u32 = 64u;
// rank[mask], then masks[k][rank].
const MASKS: u32 = 128u;
const MASKS_OF_SIZE: u32 = 35u;

@group(0) @binding(0) var<storage, read> rules: array<u32>;
@group(0) @binding(1) var<storage, read> ranks: array<u32>;
@group(0) @binding(2) var<uniform> level: Level;
@group(0) @binding(3) var<storage, read> reach: array<u32>;
@group(0) @binding(4) var<storage, read_write> reach_below: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read> values_below: array<u32>;
@group(0) @binding(6) var<storage, read_write> values: array<u32>;

// A trick as it grows.
struct Trick {
    suit: u32,
    claim: u32,
    points: u32,
}

fn lead(seat: u32, local: u32) -> Trick {
    let suit = rules[seat * 8u + local];
    let effect = rules[EFFECT + (suit * 4u + seat) * 8u + local];
    return Trick(suit, effect & 0xffu, 1u + (effect >> 8u));
}

fn follow(trick: Trick, seat: u32, local: u32) -> Trick {
    let effect = rules[EFFECT + (trick.suit * 4u + seat) * 8u + local];
    return Trick(trick.suit, max(trick.claim, effect & 0xffu), trick.points + (effect >> 8u));
}

fn legal(suit: u32, seat: u32, held: u32) -> u32 {
    let following = held & rules[FOLLOW + suit * 4u + seat];
    return select(following, held, following == 0u);
}

fn hand_of(rank: u32) -> u32 {
    return ranks[MASKS + level.k * MASKS_OF_SIZE + rank];
}

// The hands of seats 1 to 3 of a row.
fn hands_of_row(row: u32) -> array<u32, 4> {
    let triple = row / 4u;
    let n = level.hands;
    return array<u32, 4>(0u, hand_of(triple % n), hand_of((triple / n) % n), hand_of(triple / (n * n)));
}

fn hand_of_lane(lane: u32) -> u32 {
    return select(lane | 64u, lane, countOneBits(lane) == level.k);
}

fn row_below(held: array<u32, 4>, leader: u32) -> u32 {
    let n = level.hands_below;
    return ((ranks[held[3]] * n + ranks[held[2]]) * n + ranks[held[1]]) * 4u + leader;
}

fn has_lane(row: u32, lane: u32) -> bool {
    return ((reach[row * 2u + lane / 32u] >> (lane % 32u)) & 1u) == 1u;
}

// One thread for each row: everything that every lane of it leads to.
@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if row >= level.rows || (reach[row * 2u] | reach[row * 2u + 1u]) == 0u {
        return;
    }
    let leader = row % 4u;
    for (var lane = 0u; lane < 64u; lane++) {
        if has_lane(row, lane) {
            var held = hands_of_row(row);
            held[0] = hand_of_lane(lane);
            mark_below(held, leader);
        }
    }
}

fn mark_below(held: array<u32, 4>, leader: u32) {
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
                    let below = row_below(rest, trick_d.claim & 3u);
                    let lane = rest[0] & 63u;
                    atomicOr(&reach_below[below * 2u + lane / 32u], 1u << (lane % 32u));
                }
            }
        }
    }
}

// One thread for four lanes of a row, which share a word.
@compute @workgroup_size(64)
fn backward(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x / 16u;
    if row >= level.rows {
        return;
    }
    let first = (id.x % 16u) * 4u;
    let leader = row % 4u;
    var word = 0u;
    for (var i = 0u; i < 4u; i++) {
        let lane = first + i;
        if has_lane(row, lane) {
            var held = hands_of_row(row);
            held[0] = hand_of_lane(lane);
            word |= value(held, leader) << (8u * i);
        }
    }
    values[id.x] = word;
}

fn value_below(rest: array<u32, 4>, trick: Trick) -> u32 {
    let winner = trick.claim & 3u;
    let lane = rest[0] & 63u;
    let word = values_below[row_below(rest, winner) * 16u + lane / 4u];
    let gain = select(0u, trick.points, (winner & 1u) == 0u);
    return gain + ((word >> (8u * (lane % 4u))) & 0xffu);
}

// What any value is better than, for a seat, and the better of two.
fn worst(seat: u32) -> u32 {
    return select(0u, 255u, (seat & 1u) == 1u);
}

fn better(seat: u32, one: u32, other: u32) -> u32 {
    return select(max(one, other), min(one, other), (seat & 1u) == 1u);
}

fn value(held: array<u32, 4>, leader: u32) -> u32 {
    let second = (leader + 1u) % 4u;
    let third = (leader + 2u) % 4u;
    let fourth = (leader + 3u) % 4u;
    var rest = held;
    var best_a = worst(leader);
    for (var a = held[leader]; a != 0u; a &= a - 1u) {
        rest[leader] = held[leader] ^ (a & (0u - a));
        let trick_a = lead(leader, countTrailingZeros(a));
        var best_b = worst(second);
        for (var b = legal(trick_a.suit, second, held[second]); b != 0u; b &= b - 1u) {
            rest[second] = held[second] ^ (b & (0u - b));
            let trick_b = follow(trick_a, second, countTrailingZeros(b));
            var best_c = worst(third);
            for (var c = legal(trick_a.suit, third, held[third]); c != 0u; c &= c - 1u) {
                rest[third] = held[third] ^ (c & (0u - c));
                let trick_c = follow(trick_b, third, countTrailingZeros(c));
                var best_d = worst(fourth);
                for (var d = legal(trick_a.suit, fourth, held[fourth]); d != 0u; d &= d - 1u) {
                    rest[fourth] = held[fourth] ^ (d & (0u - d));
                    let trick_d = follow(trick_c, fourth, countTrailingZeros(d));
                    best_d = better(fourth, best_d, value_below(rest, trick_d));
                }
                best_c = better(third, best_c, best_d);
            }
            best_b = better(second, best_b, best_c);
        }
        best_a = better(leader, best_a, best_b);
    }
    return best_a;
}
