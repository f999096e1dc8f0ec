"""Docstrings, the book and the reference: examples run, and every public thing has a sentence."""

from __future__ import annotations

import doctest
import inspect
import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

import noregret as nr
from conftest import ROOT


def public() -> Iterator[tuple[str, object]]:
    """All that users may call, with its path."""
    for module in [nr, nr.forty_two]:
        yield module.__name__, module
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.ismodule(thing) or not callable(thing):
                continue
            path = f"{module.__name__}.{name}"
            yield path, thing
            if inspect.isclass(thing):
                for member, value in vars(thing).items():
                    if not member.startswith("_") and (callable(value) or inspect.isdatadescriptor(value) or isinstance(value, staticmethod)):
                        yield f"{path}.{member}", getattr(thing, member, value)


def thing_depth(path: str) -> int:
    """How many dots the path of a class or a function has; its members have one more."""
    return 2 if path.startswith("noregret.forty_two.") else 1


@pytest.mark.parametrize("path", [path for path, _ in public()])
def test_everything_public_has_a_docstring_whose_examples_run(path: str, tmp_path: pathlib.Path) -> None:
    thing = dict(public())[path]
    text = inspect.getdoc(thing)
    assert text, f"{path} has no docstring"
    assert ">>>" in text or path.count(".") > thing_depth(path), f"{path} has no example"
    test = doctest.DocTestParser().get_doctest(text, {}, path, None, 0)
    os.chdir(tmp_path)
    failed, _ = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert failed == 0


@pytest.mark.parametrize("page", ["README.md", "python/README.md", "docs/guide/python.md"])
def test_every_block_of_the_documents_runs(page: str, tmp_path: pathlib.Path) -> None:
    text = (ROOT / page).read_text()
    blocks = re.findall(r"^```python(?:,wheel)?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    script = "\n".join(blocks)
    ended = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


def test_the_reference_is_up_to_date() -> None:
    made = subprocess.run([sys.executable, ROOT / "scripts/python-reference"], capture_output=True, text=True, check=True)
    assert (ROOT / "docs/reference/python.md").read_text() == made.stdout, "run scripts/python-reference > docs/reference/python.md"


def test_columns_of_a_node_are_those_of_the_guide() -> None:
    guide = (ROOT / "docs/guide/python.md").read_text()
    spot = nr.Spot("AA,KK", "QQ,JTs", "QsJh2h8c3d", pot=100, stack=300)
    import pyarrow as pa

    for name in pa.table(nr.solve(spot, target=5, progress=False).root).column_names:
        assert f"`{name}`" in guide or re.match(r"(check|bet \d+)(: ev)?$", name), name
