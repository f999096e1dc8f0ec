"""URLs of object storage in place of paths."""

from __future__ import annotations

import os
import pathlib
import sys

import pytest
from conftest import Moto, river

import noregret as nr
from noregret import forty_two


@pytest.fixture(autouse=True)
def straight(moto: Moto, monkeypatch: pytest.MonkeyPatch) -> None:
    """No request is harmed here, so none goes through the proxy, which is a thread of this process."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{moto.port}")


def test_a_solution_in_a_bucket_is_the_one_that_was_saved(moto: Moto, tmp_path: pathlib.Path) -> None:
    solution = nr.solve(river(), target=0.5, progress=False)
    solution.save("s3://spots/deep/river.nrs")
    opened = nr.open("s3://spots/deep/river.nrs")
    assert opened.digest == solution.digest and opened.path == "s3://spots/deep/river.nrs"
    assert opened["check"].ev("ip") == pytest.approx(solution["check"].ev("ip"))
    # Copied as it is.
    opened.save(tmp_path / "copy.nrs")
    assert (tmp_path / "copy.nrs").read_bytes() == moto.object("deep/river.nrs")
    assert len(nr.report("s3://spots/deep")) == 1
    # What a path has made of a URL is understood.
    if sys.platform != "win32":
        assert nr.open(pathlib.Path("s3://spots/deep/river.nrs")).digest == solution.digest
        assert nr.open(f"file://{tmp_path}/copy.nrs").digest == solution.digest
    rows = opened.export("s3://spots/rows.csv", line="check")
    assert moto.object("rows.csv").count(b"\n") == rows + 1


def test_a_batch_in_a_bucket_goes_on(moto: Moto) -> None:
    spot = nr.Spot("AA,KK", "QQ,JJ", "Ts7h2c", pot=100, stack=100, bet="a", raise_="")

    def solve() -> list[str]:
        batch = nr.batch(spot, ["Ts7h2c", "AsKd5c"], "s3://spots/batch", target=5, progress=False)
        return [solution.digest for solution in batch]

    first = solve()
    assert moto.names("batch/") == ["batch/AsKd5c.nrs", "batch/Ts7h2c.nrs", "batch/batch.tsv"]
    before = moto.object("batch/AsKd5c.nrs")
    assert solve() == first and moto.object("batch/AsKd5c.nrs") == before
    assert len(nr.report("s3://spots/batch")) == 2


def test_checkpoints_are_kept_in_a_bucket(moto: Moto) -> None:
    place = "s3://spots/solve.nrc"
    nr.solve(river(), target=0, max_iterations=20, progress=False, checkpoint=place)
    resumed = nr.solve(river(), target=0, max_iterations=40, progress=False, resume=place)
    assert resumed.digest == nr.solve(river(), target=0, max_iterations=40, progress=False).digest


def test_tables_in_a_bucket_are_trained_on(moto: Moto) -> None:
    table = forty_two.solve(seed=511, decl="sixes")
    table.save("s3://spots/tables/train/511.n42")
    forty_two.solve(seed=484, decl="blanks").save("s3://spots/tables/484.n42")
    assert forty_two.open("s3://spots/tables/train/511.n42") == table
    tables = forty_two.Tables("s3://spots/tables")
    assert len(tables) == 2
    batch = next(iter(tables.batches(64, seed=0, per_table=64)))
    assert batch.q.shape == (64, 7)
    with pytest.raises(nr.FileError, match="there is no .n42 file in s3://spots/none"):
        forty_two.Tables("s3://spots/none")


def test_what_is_wrong_says_what_to_do(moto: Moto) -> None:
    with pytest.raises(nr.MissingFile, match="there is no solution file s3://spots/none.nrs"):
        nr.open("s3://spots/none.nrs")
    with pytest.raises(nr.FileError, match="there is no bucket `none`: make it, or mend the name or AWS_ENDPOINT_URL"):
        nr.open("s3://none/a.nrs")
    table = forty_two.solve(seed=511, decl="sixes")
    table.save("s3://spots/wrong.nrs", force=True)
    with pytest.raises(nr.FileError, match="there is a file that is not a solution"):
        nr.solve(river(), target=5, progress=False).save("s3://spots/wrong.nrs")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_child_reads_buckets_too(moto: Moto) -> None:
    nr.solve(river(), target=5, progress=False).save("s3://spots/fork.nrs")
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if nr.open("s3://spots/fork.nrs").iterations > 0 else 1)
        finally:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0


def test_a_folder_of_more_than_one_page_is_listed_whole(moto: Moto) -> None:
    from noregret._noregret import list_place

    for number in range(1005):
        moto._ask("PUT", f"/spots/many/{number:04}")
    assert [name for name, _, _ in list_place("s3://spots/many")] == [f"{number:04}" for number in range(1005)]
