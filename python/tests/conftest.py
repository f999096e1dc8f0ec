"""What tests share: small spots, and the command line that came with the wheel."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import noregret as nr

ROOT = pathlib.Path(__file__).resolve().parents[2]


def river() -> nr.Spot:
    """A river that is solved in milliseconds."""
    return nr.Spot("AA,KK,QJs,T9s", "TT+,KQs,87s", "QsJh2h8c3d", pot=100, stack=300, bet="50%", raise_="2.5x")


def turn() -> nr.Spot:
    """A turn that is solved in some tenths of a second."""
    return nr.Spot("AA,KK,QJs,T9s", "TT+,KQs,87s", "QsJh2h8c", pot=100, stack=300, bet="50%", raise_="2.5x")


@pytest.fixture(scope="session")
def solution() -> nr.Solution:
    return nr.solve(turn(), target=0.5, progress=False)


@pytest.fixture(scope="session")
def table() -> nr.forty_two.Table:
    return nr.forty_two.solve(seed=0, decl="blanks")


@pytest.fixture(scope="session")
def command() -> Callable[..., Any]:
    """Runs `noregret` as it was installed; returns what it prints as JSON if it can be read so."""
    program = pathlib.Path(sys.executable).with_name("noregret")

    def run(*arguments: str | pathlib.Path, code: int = 0, input: str | None = None) -> Any:
        ended = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, input=input)
        assert ended.returncode == code, ended.stderr
        if code:
            return ended.stderr
        try:
            return json.loads(ended.stdout)
        except json.JSONDecodeError:
            return ended.stdout

    return run
