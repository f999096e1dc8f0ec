"""Reads decoded samples of seeds 511 and 948 to 951 with pyarrow and Polars and checks the columns against each other."""

import sys

import polars
import pyarrow.parquet as pq

folder = sys.argv[1]
frames = []
for split in ["train", "val", "test"]:
    path = f"{folder}/{split}/samples_00000000_00000999.parquet"
    metadata = pq.read_schema(path).metadata
    assert metadata[b"layout"] == b"to-go" and b"per_table=40" in metadata[b"request"], metadata
    frame = polars.read_parquet(path)
    assert frame.equals(polars.from_arrow(pq.read_table(path)))
    frames.append(frame)
train, val, test = frames
assert set(train["seed"]) == {511} and set(val["seed"]) == {948, 949} and set(test["seed"]) == {950, 951}
assert train.height == 80 and val.height == 160

columns = ["seed", "opponents", "decl_id", "state", "V"] + [f"q{i}" for i in range(7)]
columns += [f"hand{i}" for i in range(4)] + ["legal", "turn", "led_suit", "trump", "best"]
columns += [f"d{i}" for i in range(7)] + [f"r{i}" for i in range(7)]
assert train.columns == columns, train.columns

for row in polars.concat(frames).iter_rows(named=True):
    state, turn = row["state"], row["turn"]
    leader, played = state >> 28 & 3, state >> 30 & 3
    assert turn == (leader + played) % 4 and row["trump"] == 6 and row["decl_id"] == 6
    assert (row["led_suit"] == -1) == (played == 0)
    assert bin(row[f"hand{turn}"]).count("1") == bin(state >> 7 * turn & 127).count("1")
    best = max if turn % 2 == 0 else min
    legal = {i for i in range(7) if row[f"q{i}"] != -128}
    assert row["V"] == best(row[f"q{i}"] for i in legal)
    assert row["legal"] == sum(1 << row[f"d{i}"] for i in legal)
    assert row["legal"] & row[f"hand{turn}"] == row["legal"]
    for i in range(7):
        regret = abs(row["V"] - row[f"q{i}"]) if i in legal else -128
        assert row[f"r{i}"] == regret
    assert row["best"] == min(row[f"d{i}"] for i in legal if row[f"r{i}"] == 0)
