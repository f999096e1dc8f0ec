"""What a run will take: processors, bytes and money, from unit costs that were measured."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

from ._engine import WrongRequest


@dataclass(frozen=True)
class UnitCost:
    """What one of many costs, as measured."""

    name: str
    """What `plan` calls it, like `three-bet-pot` or `tables`."""
    unit: str
    """What one of them is."""
    core_seconds: float
    """Seconds of one core."""
    bytes: int
    """Bytes of what is written."""
    memory_bytes: int
    """Memory of the process at its largest."""


@dataclass(frozen=True)
class Estimate:
    """What a run will take."""

    name: str
    """What is made."""
    count: int
    """How many."""
    core_hours: float
    """Hours of one core."""
    bytes: int
    """Bytes of what is written."""
    memory_bytes: int
    """Memory of each process."""
    hours: float | None
    """Hours on the given number of cores, if they are never idle."""
    money: float | None
    """At the given price of a core-hour."""


def unit_costs(path: str | PathLike[str] | None = None) -> dict[str, UnitCost]:
    """The unit costs that estimates are made of, by name: those that came with the package, or of another file that
    `scripts/unit-costs` wrote."""
    source = files("noregret.cluster").joinpath("unit_costs.json") if path is None else Path(path)
    try:
        table = json.loads(source.read_text(encoding="utf-8"))
        costs = [_parsed(cost) for cost in table["costs"]]
    except OSError as error:
        raise WrongRequest(f"cannot read {source}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise WrongRequest(f"{source} is not a table of unit costs: `scripts/unit-costs` writes them") from None
    return {cost.name: cost for cost in costs}


def _parsed(table: Any) -> UnitCost:
    """A unit cost of a file; raises `TypeError` or `ValueError` where it is none."""
    cost = UnitCost(**table)
    is_text = isinstance(cost.name, str) and isinstance(cost.unit, str)
    numbers = (cost.core_seconds, cost.bytes, cost.memory_bytes)
    # A bool is an int to Python, and not a number.
    is_whole = all(type(number) is int for number in numbers[1:]) and type(cost.core_seconds) in (int, float)
    if not is_text or not is_whole or not all(0 <= number < float("inf") for number in numbers):
        raise ValueError
    return cost


def plan(
    name: str,
    count: int,
    *,
    price: float | None = None,
    cores: int | None = None,
    costs: str | PathLike[str] | None = None,
) -> Estimate:
    """Estimates what so many of something take: `name` is one of `unit_costs()`, `price` that of a core-hour, and `cores` how many
    there are."""
    known = unit_costs(costs)
    if name not in known:
        names = ", ".join(f"`{known}`" for known in known) or "nothing, as nothing was measured yet"
        raise WrongRequest(f"there is no unit cost of `{name}`: there is {names}")
    if count < 1 or (cores is not None and cores < 1) or (price is not None and not 0 <= price < float("inf")):
        raise WrongRequest("counts and cores are whole numbers from 1 on, and a price is not below 0")
    cost = known[name]
    core_hours = cost.core_seconds * count / 3600
    return Estimate(
        name=name,
        count=count,
        core_hours=core_hours,
        bytes=cost.bytes * count,
        memory_bytes=cost.memory_bytes,
        hours=None if cores is None else core_hours / min(cores, count),
        money=None if price is None else core_hours * price,
    )
