"""Texas 42 tables, rows and samples on a cluster."""

from __future__ import annotations

import time
from collections.abc import Iterator
from os import PathLike
from typing import Any, Literal

from .._noregret import save_manifest
from .._progress import Progress
from ._command import Receipt
from ._engine import ClusterError, Engine, Outcome, Sizer, Unit, WrongRequest
from ._place import joined, place
from ._seeds import Seeds, declarations

_TABLE_BYTES = 45_000_000
"""The most that a table at work takes; five are in memory on one thread."""
_SAVE_EVERY = 60.0
"""Seconds between two manifests, so that a kill loses little of them."""


def forty_two(
    seeds: str,
    decls: str,
    out: str | PathLike[str],
    *,
    format: Literal["table", "rows", "samples"] = "table",
    layout: Literal["scored", "to-go"] | None = None,
    opponents: int | None = None,
    split: bool = False,
    per_table: int | None = None,
    levels: str | None = None,
    balance: bool = False,
    decode: bool = False,
    seed: int = 0,
    address: str | None = None,
    progress: bool | Progress | None = None,
) -> Outcome:
    """Makes Texas 42 tables, rows or samples on a Ray cluster: the files that `noregret forty-two solve` and `sample` make, to the byte.

    `seeds` and `decls` are written as on the command line. `out` is a folder that every node can write to: a URL like
    `s3://bucket/tables`, or a path that all nodes share. What is there is not made again. `address` is that of the cluster; None
    starts one on this machine. Samples need `per_table`.

    Ctrl-C stops the run; the files that are done stay, and the next run goes on with the others.
    """
    started = time.monotonic()
    wanted, names, folder = Seeds.parse(seeds), declarations(decls), place(out)
    if (format == "samples") != (per_table is not None):
        raise WrongRequest("per_table is for samples, and samples need it")
    if format == "table" and layout is not None:
        raise WrongRequest("layout is for rows and samples: a table holds both layouts")
    common = ["--decls", ",".join(map(str, names)), "--out", folder, "--threads", "1", "--json"]
    if layout is not None:
        common += ["--layout", layout]
    if opponents is not None:
        common += ["--opponents", str(opponents)]
    if split:
        common.append("--split")
    outcome = Outcome()
    with Engine(address) as engine:
        if format == "samples":
            common += ["--seeds", str(wanted), "--per-table", str(per_table), "--seed", str(seed)]
            common += ["--levels", levels] if levels else []
            common += ["--balance", "level"] if balance else []
            common += ["--decode"] if decode else []
            outcome.tasks = _samples(engine, common, wanted, folder, outcome, progress)
        else:
            run = _TableRun(wanted, names, folder, format, opponents, split, common, outcome)
            outcome.tasks = run.execute(engine, progress)
    outcome.seconds = time.monotonic() - started
    return outcome


def _samples(
    engine: Engine, common: list[str], seeds: Seeds, folder: str, outcome: Outcome, progress: bool | Progress | None
) -> int:
    """A task for each file, of a thousand seeds."""
    count = seeds.thousands()

    def units(_: int) -> Iterator[Unit]:
        for number in range(1, count + 1):
            yield Unit(("forty-two", "sample", *common, "--shard", f"{number}/{count}"), 1)

    def receive(unit: Unit, receipt: Receipt) -> int:
        _count(outcome, receipt)
        return unit.count

    return engine.run(units, engine.needs(5 * _TABLE_BYTES, 1), receive, count, "files", progress, out=folder)


class _TableRun:
    """Tables or rows: a task for some seeds, and one manifest for all of them."""

    def __init__(
        self,
        seeds: Seeds,
        decls: tuple[int, ...],
        folder: str,
        format: str,
        opponents: int | None,
        split: bool,
        common: list[str],
        outcome: Outcome,
    ) -> None:
        self.seeds, self.folder, self.outcome = seeds, folder, outcome
        self.per_seed = len(decls) * (opponents or 1)
        self.common = [*common, "--format", format, "--no-manifest"]
        splits = list(seeds.splits()) if split else ["none"]
        self.folders = {name: folder if name == "none" else joined(folder, name) for name in splits}
        kind = "rows" if format == "rows" else "table"
        self.runs = {
            name: f"seeds={seeds} decls={','.join(map(str, decls))} opponents={opponents or 'none'} shard=1/1 split={name} format={kind}"
            for name in splits
        }
        self.memory = 240_000_000 if kind == "rows" else 5 * _TABLE_BYTES
        self.entries: dict[str, list[tuple[str, int, str]]] = {name: [] for name in splits}
        self.saved = time.monotonic()
        self.sizer = Sizer()

    def execute(self, engine: Engine, progress: bool | Progress | None) -> int:
        """Makes all tables, and returns how many tasks it took."""
        # From now on the manifest says what is to be made: a run that is killed is known to be incomplete.
        self.save()
        needs = engine.needs(self.memory, 1)
        total = len(self.seeds) * self.per_seed
        try:
            return engine.run(self.units, needs, self.receive, total, "tables", progress, out=self.folder)
        finally:
            self.save()

    def units(self, slots: int) -> Iterator[Unit]:
        """Some seeds, as many as take some seconds."""
        left = self.seeds
        while len(left) > 0:
            size = self.sizer.size(len(left), slots)
            some, left = left.take(size)
            yield Unit(("forty-two", "solve", *self.common, "--seeds", str(some)), len(some) * self.per_seed)

    def receive(self, unit: Unit, receipt: Receipt) -> int:
        """Notes the files of a task."""
        _count(self.outcome, receipt)
        self.sizer.add(max(unit.count // self.per_seed, 1), receipt.seconds)
        for line in receipt.lines:
            parts = line["path"].replace("\\", "/").rsplit("/", 2)
            name = parts[-2] if "none" not in self.entries else "none"
            self.entries[name].append((parts[-1], line["bytes"], line["digest"]))
        if time.monotonic() - self.saved > _SAVE_EVERY:
            self.save()
        return unit.count

    def save(self) -> None:
        """Adds what was made to the manifests."""
        for name, folder in self.folders.items():
            save_manifest(folder, self.runs[name], self.entries[name])
            self.entries[name].clear()
        self.saved = time.monotonic()


def _count(outcome: Outcome, receipt: Receipt) -> None:
    lines: list[dict[str, Any]] = receipt.lines
    skipped = sum(1 for line in lines if line["skipped"])
    outcome.skipped += skipped
    outcome.made += len(lines) - skipped
    outcome.bytes += sum(line["bytes"] for line in lines if not line["skipped"])
    if receipt.code != 0:
        raise ClusterError(receipt.error or f"a task has ended with exit code {receipt.code}")
