"""Reads a row file with pyarrow, DuckDB and Polars; prints what they agree on, with a sample of rows, as JSON."""

import json
import sys

import duckdb
import polars
import pyarrow.compute as pc
import pyarrow.parquet as pq

path, layout = sys.argv[1:]
table = pq.read_table(path)
names = ["state", "V"] + [f"q{i}" for i in range(7)]
assert table.column_names == names, table.column_names
assert [str(t) for t in table.schema.types] == ["int64"] + ["int8"] * 8, table.schema
metadata = pq.read_schema(path).metadata
assert metadata[b"seed"] == b"511" and metadata[b"decl_id"] == b"6" and metadata[b"layout"] == layout.encode()

states = table["state"].combine_chunks()
assert pc.min(pc.pairwise_diff(states)).as_py() > 0
rows, total = len(states), pc.sum(table["V"]).as_py()

count, duck_total, types = duckdb.sql(
    f"select count(*), sum(V), any_value(typeof(V)) from read_parquet('{path}')"
).fetchall()[0]
assert (count, int(duck_total), types) == (rows, total, "TINYINT"), (count, duck_total, types)

frame = polars.read_parquet(path)
assert frame.height == rows and frame["V"].cast(polars.Int64).sum() == total

samples = []
for i in list(range(0, rows, rows // 6)) + [rows - 1]:
    row = table.slice(i, 1).to_pylist()[0]
    samples.append({"state": row["state"], "V": row["V"], "q": [row[f"q{j}"] for j in range(7)]})
print(json.dumps({"rows": rows, "samples": samples}))
