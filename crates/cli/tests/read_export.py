"""Reads an export with pyarrow and DuckDB and prints what they find as JSON."""

import json
import sys

import duckdb
import pyarrow.parquet

path, line = sys.argv[1:]
table = pyarrow.parquet.read_table(path)
names = "line board runouts player hand action amount frequency action_ev ev equity reach share".split()
assert table.column_names == names, table.column_names
assert table.schema.field("frequency").type == "double"
assert {"board", "extent"} <= {key.decode() for key in table.schema.metadata}

frequencies = duckdb.sql(
    f"select action || ' ' || amount, sum(frequency * share) / sum(share) from '{path}' where line = '{line}' group by all"
).fetchall()
[(equity,)] = duckdb.sql(
    f"select sum(equity * share) / sum(share) from '{path}' where line = '{line}' and action = 'call'"
).fetchall()
[(boards,)] = duckdb.sql(f"select count(distinct board) from '{path}'").fetchall()
print(json.dumps({"rows": table.num_rows, "boards": boards, "frequencies": dict(frequencies), "equity": equity}))
