"""How far the run in a folder is, by what is there."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from os import PathLike

from .._noregret import list_place, read_place
from ._engine import ClusterError, WrongRequest
from ._place import joined, place, text_of
from ._seeds import SPLITS, Seeds


@dataclass
class Status:
    """What was to be made in a folder, and what is there."""

    kind: str
    """`batch`, `tables` or `rows`."""
    total: int
    """How many files there are to be."""
    done: int
    """How many of them are there."""
    failed: dict[str, str] = field(default_factory=dict)
    """Jobs that have failed, and why."""
    solving: list[str] = field(default_factory=list)
    """Jobs that were begun and are not done."""
    bytes: int = 0
    """How long the files are that are there."""


def status(folder: str | PathLike[str]) -> Status:
    """Says how far the run is that writes to a folder: a batch by its list, tables and rows by their manifests.

    Only names are looked at. `noregret forty-two verify` and `noregret verify` read files through.
    """
    at = place(folder)
    files = {name: bytes for name, is_folder, bytes in list_place(at) if not is_folder}
    if "batch.tsv" in files:
        return _batch(at, files)
    folders = [at, *(joined(at, name) for name, is_folder, _ in list_place(at) if is_folder and name in SPLITS)]
    found = [part for part in (_tables(folder) for folder in folders) if part is not None]
    if not found:
        raise WrongRequest(f"{at}: there is neither the list of a batch nor a manifest here")
    whole = found[0]
    for part in found[1:]:
        whole.total, whole.done, whole.bytes = whole.total + part.total, whole.done + part.done, whole.bytes + part.bytes
    return whole


def _batch(folder: str, files: dict[str, int]) -> Status:
    path = joined(folder, "batch.tsv")
    lines = text_of(path, read_place(path)).splitlines()[1:]
    wanted = [line.split("\t")[0] for line in lines if line]
    done = [name for name in wanted if name in files]
    status = Status("batch", len(wanted), len(done), bytes=sum(files[name] for name in done))
    for name in wanted:
        job = name.removesuffix(".nrs")
        if name in files:
            continue
        try:
            event = json.loads(read_place(joined(folder, f"journal/{job}.json")))
        except (OSError, ValueError):
            continue
        if not isinstance(event, dict):
            continue
        if event.get("state") == "failed":
            status.failed[job] = str(event.get("error", ""))
        elif event.get("state") == "solving":
            status.solving.append(job)
    return status


def _tables(folder: str) -> Status | None:
    files = {name: bytes for name, is_folder, bytes in list_place(folder) if not is_folder}
    runs: set[str] = set()
    for name in files:
        if name.startswith("manifest") and name.endswith(".tsv"):
            path = joined(folder, name)
            lines = text_of(path, read_place(path)).splitlines()
            runs.update(line.removeprefix("# run\t") for line in lines if line.startswith("# run\t"))
    if not runs:
        return None
    wanted: set[tuple[int, int, int]] = set()
    is_rows = False
    for run in runs:
        try:
            words = dict(word.split("=", 1) for word in run.split(" "))
            is_rows = words["format"] == "rows"
            opponents = 1 if words["opponents"] == "none" else int(words["opponents"])
            low, high = SPLITS.get(words["split"], (0, 999))
            index, of = (int(number) for number in words["shard"].split("/"))
            decls = [int(decl) for decl in words["decls"].split(",")]
            seeds = Seeds.parse(words["seeds"])
        except (ValueError, KeyError):
            raise ClusterError(f"{folder}: the manifest has a run that this version cannot read: `{run}`") from None
        number = 0
        for first, last in seeds.ranges:
            for seed in range(first, last + 1):
                for deal in range(opponents):
                    for decl in decls:
                        number += 1
                        if (number - 1) % of == index - 1 and low <= seed % 1000 <= high:
                            wanted.add((seed, deal if words["opponents"] != "none" else -1, decl))
    ending = "parquet" if is_rows else "n42"
    names = (
        f"seed_{seed:08}{'' if deal < 0 else f'_opp{deal}'}_decl_{decl}.{ending}" for seed, deal, decl in wanted
    )
    done = [name for name in names if name in files]
    return Status("rows" if is_rows else "tables", len(wanted), len(done), bytes=sum(files[name] for name in done))
