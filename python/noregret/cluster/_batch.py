"""One spec on many flops, on a cluster."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from os import PathLike, fspath
from pathlib import PurePosixPath
from typing import Any

from .._noregret import list_place, read_place
from .._progress import Progress
from ._command import Receipt, run_command
from ._engine import ClusterError, Engine, Outcome, Sizer, Unit, WrongRequest
from ._place import is_url, joined, place, text_of

_FOUND_AT_ONCE = 100
"""Jobs whose files are there, and that are only looked at, in one task."""


def batch(
    plan: str | PathLike[str],
    out: str | PathLike[str] | None = None,
    *,
    address: str | None = None,
    cpus: int | None = None,
    progress: bool | Progress | None = None,
) -> Outcome:
    """Solves the jobs of a plan on a Ray cluster, with the digests of `noregret batch`.

    `plan` is a plan file, beside the spec that it names; `out` takes the place of its folder, and is one that every node can write
    to: a URL like `s3://bucket/solved`, or a path that all nodes share. Each task asks for the memory that the spec takes and for
    `cpus` processors; without a number, for as many as belong to that share of a node's memory. A solve whose worker is lost goes on
    elsewhere from its checkpoint in the folder. What is there is not solved again.

    Jobs that fail are in `failed` of what is returned; the others are done. Ctrl-C stops the run cleanly.
    """
    started = time.monotonic()
    files = _PlanFiles.read(place(plan))
    folder = place(out) if out is not None else files.out
    outcome = Outcome()
    with Engine(address) as engine:
        jobs = files.jobs(1)
        needs = engine.needs(max((job["memory_bytes"] for job in jobs if "memory_bytes" in job), default=0), cpus)
        if needs.cpus > 1:
            jobs = files.jobs(needs.cpus)
            needs = engine.needs(max((job["memory_bytes"] for job in jobs if "memory_bytes" in job), default=0), needs.cpus)
        limits = {job["job"]: job.get("memory_bytes", 0) for job in jobs}
        existing = {name for name, is_folder, _ in list_place(folder) if not is_folder}
        found = [name for name in limits if f"{name}.nrs" in existing]
        missing = [name for name in limits if f"{name}.nrs" not in existing]
        sizer = Sizer()

        def unit(names: list[str]) -> Unit:
            # The precisions that are picked are those of the dry run: no more memory is allowed than it takes.
            limit = max(limits[name] for name in names)
            more = ["--memory", str(limit)] if limit else []
            arguments = ["batch", files.name, "--out", folder, "--jobs", ",".join(names), "--threads", str(needs.cpus)]
            return Unit((*arguments, *more, "--json"), len(names), files.texts, files.folder)

        def units(slots: int) -> Iterator[Unit]:
            for at in range(0, len(found), _FOUND_AT_ONCE):
                yield unit(found[at : at + _FOUND_AT_ONCE])
            # Jobs that take the same memory go together.
            waiting = sorted(missing, key=lambda name: -limits[name])
            while waiting:
                size = sizer.size(len(waiting), slots)
                some = [name for name in waiting[:size] if limits[name] == limits[waiting[0]]]
                waiting = waiting[len(some) :]
                yield unit(some)

        def receive(unit: Unit, receipt: Receipt) -> int:
            _count(outcome, receipt)
            if any(not line.get("skipped", False) for line in receipt.lines):
                sizer.add(unit.count, receipt.seconds)
            return unit.count

        outcome.tasks = engine.run(units, needs, receive, len(limits), "jobs", progress, out=folder)
    outcome.seconds = time.monotonic() - started
    return outcome


def _count(outcome: Outcome, receipt: Receipt) -> None:
    for line in receipt.lines:
        if line["state"] == "failed":
            outcome.failed[line["job"]] = line["error"]
        elif line["state"] == "done" and line["skipped"]:
            outcome.skipped += 1
        elif line["state"] == "done":
            outcome.made += 1
            outcome.bytes += line["bytes"]
    if not receipt.lines and receipt.code != 0:
        raise ClusterError(receipt.error or f"a task has ended with exit code {receipt.code}")


class _PlanFiles:
    """A plan and its spec, as every worker gets them."""

    def __init__(self, texts: dict[str, str], folder: str, out: str) -> None:
        self.name, self.texts, self.folder, self.out = "plan.toml", texts, folder, out

    @classmethod
    def read(cls, path: str) -> _PlanFiles:
        """Reads both, from this machine or a bucket."""
        text = text_of(path, read_place(path))
        table: dict[str, Any] = _toml(text, path).get("batch", {})
        spec, out = table.get("spec"), table.get("out")
        if not isinstance(spec, str) or not isinstance(out, str):
            # The command line says what is wrong with it.
            raise WrongRequest(run_command(["batch", "plan.toml"], {"plan.toml": text}).error or f"{path} is not a plan")
        beside = path.replace(os.sep, "/").rpartition("/")[0]
        folder = out if is_url(out) else place(joined(beside, out))
        if is_url(spec):
            return cls({"plan.toml": text}, "", folder)
        if PurePosixPath(spec).is_absolute():
            raise WrongRequest(f"{path}: the spec is named from the root, where workers do not have it: put it beside the plan")
        # Where the plan goes up, it is run as far down.
        up = sum(1 for part in PurePosixPath(spec).parts if part == "..")
        spec_path = joined(beside, spec) if beside else spec
        texts = {"plan.toml": text, spec: text_of(spec_path, read_place(spec_path))}
        return cls(texts, "/".join(["plan"] * up), folder)

    def jobs(self, threads: int) -> list[dict[str, Any]]:
        """The jobs, each with the memory that it takes."""
        receipt = run_command(
            ["batch", self.name, "--dry-run", "--threads", str(threads), "--json"], self.texts, self.folder
        )
        if receipt.code != 0:
            raise WrongRequest(receipt.error)
        return receipt.lines


def _toml(text: str, path: str) -> dict[str, Any]:
    tomllib: Any = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        table: dict[str, Any] = tomllib.loads(text)
        return table
    except tomllib.TOMLDecodeError as error:
        raise WrongRequest(f"{fspath(path)}: {error}") from None
