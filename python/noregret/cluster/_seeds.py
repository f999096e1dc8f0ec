"""Seeds and declarations as users write them: `0..100`, `7`, `1,5,20..=29`; `blanks,9`, `all`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..forty_two import DECLARATIONS
from ._engine import WrongRequest

SPLITS = {"train": (0, 899), "val": (900, 949), "test": (950, 999)}
"""The parts of a data set, by the remainders of their seeds by 1000."""


@dataclass(frozen=True)
class Seeds:
    """Ranges of seeds, ascending, each seed once."""

    ranges: tuple[tuple[int, int], ...]

    @classmethod
    def parse(cls, text: str) -> Seeds:
        """Reads `0..100` (without 100), `0..=99`, `7`, or several with commas between."""
        ranges = sorted(_range(part.strip()) for part in text.split(","))
        merged: list[tuple[int, int]] = []
        for first, last in ranges:
            if merged and first <= merged[-1][1] + 1:
                merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
            else:
                merged.append((first, last))
        return cls(tuple(merged))

    def __str__(self) -> str:
        return ",".join(f"{first}..={last}" for first, last in self.ranges)

    def __len__(self) -> int:
        return sum(last - first + 1 for first, last in self.ranges)

    def within(self, first: int, last: int) -> Seeds:
        """Those from one to another."""
        cut = ((max(a, first), min(b, last)) for a, b in self.ranges)
        return Seeds(tuple((a, b) for a, b in cut if a <= b))

    def thousands(self) -> int:
        """How many thousands have some of them: as many files of samples there are."""
        return len({k for first, last in self.ranges for k in range(first // 1000, last // 1000 + 1)})

    def take(self, count: int) -> tuple[Seeds, Seeds]:
        """The first ones, and the rest."""
        taken: list[tuple[int, int]] = []
        rest = list(self.ranges)
        while rest and count > 0:
            first, last = rest.pop(0)
            end = min(last, first + count - 1)
            taken.append((first, end))
            count -= end - first + 1
            if end < last:
                rest.insert(0, (end + 1, last))
        return Seeds(tuple(taken)), Seeds(tuple(rest))

    def splits(self) -> Iterator[str]:
        """The parts of a data set that have some of them."""
        for name, (low, high) in SPLITS.items():
            if any(_has_remainder(first, last, low, high) for first, last in self.ranges):
                yield name


def _has_remainder(first: int, last: int, low: int, high: int) -> bool:
    if last - first >= 999:
        return True
    a, b = first % 1000, last % 1000
    return (a <= high and b >= low) if a <= b else (a <= high or b >= low)


def _range(text: str) -> tuple[int, int]:
    first, dots, last = text.partition("..")
    try:
        low = int(first)
        high = low if not dots else int(last[1:]) if last.startswith("=") else int(last) - 1
    except ValueError:
        raise WrongRequest(f"`{text}` is not a seed or a range: write 7, 0..100 (without 100) or 0..=99") from None
    if low < 0 or high < low:
        raise WrongRequest(f"seed range `{text}` is empty, or runs backwards")
    return low, high


def declarations(text: str) -> tuple[int, ...]:
    """Reads a list of declarations by name or number, or `all`; each once."""
    found: list[int] = []
    for name in (part.strip() for part in text.split(",")):
        if name == "all":
            numbers = list(range(len(DECLARATIONS)))
        elif name in DECLARATIONS:
            numbers = [DECLARATIONS.index(name)]
        elif name.isdecimal() and int(name) < len(DECLARATIONS):
            numbers = [int(name)]
        else:
            raise WrongRequest(f"`{name}` is not a declaration: accepted {', '.join(DECLARATIONS)}, 0 to 9, or all")
        found.extend(number for number in numbers if number not in found)
    return tuple(found)
