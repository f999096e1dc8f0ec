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
    for module in [nr, nr.forty_two, nr.study]:
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
    return 2 if path.startswith(("noregret.forty_two.", "noregret.study.")) else 1


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


@pytest.mark.parametrize("page", ["README.md", "python/README.md", "docs/guide/python.md", "docs/guide/hands.md", "docs/guide/train.md"])
def test_every_block_of_the_documents_runs(page: str, tmp_path: pathlib.Path) -> None:
    text = (ROOT / page).read_text()
    blocks = re.findall(r"^```python(?:,wheel)?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    script = "\n".join(blocks)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    ended = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


def test_every_line_of_the_table_of_the_guide_runs(tmp_path: pathlib.Path) -> None:
    text = (ROOT / "docs/guide/python.md").read_text()
    first = re.search(r"^```python,wheel\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    rows = re.search(r"^\| to \| write \|\n\|---\|---\|\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    assert first and rows
    statements = [code for row in rows[1].split("\n") for code in re.findall(r"`([^`]+)`", row.split("|")[2])]
    assert len(statements) == 9
    # To a target that is reached soon.
    soon = 'spot = nr.Spot.from_text(spot.to_toml().replace("target_exploitability_pct = 0.1", "target_exploitability_pct = 5"))\n'
    script = first[1] + soon + "\n".join(statements).replace("target=0.1", "target=5")
    ended = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


TORCH = """
import sys, types
from noregret import forty_two
data = types.SimpleNamespace(IterableDataset=object, get_worker_info=lambda: None)
class DataLoader:
    def __init__(self, dataset, batch_size, num_workers):
        self.dataset, self.num_workers = dataset, num_workers
    def worker(self, number):
        data.get_worker_info = lambda: types.SimpleNamespace(id=number, num_workers=self.num_workers)
        return list(self.dataset)
data.DataLoader = DataLoader
torch = types.ModuleType("torch")
torch.utils, torch.from_numpy = types.SimpleNamespace(data=data), lambda array: array
sys.modules["torch"] = torch
rank, world_size = 0, 1
for seed in range(2):
    import pathlib
    pathlib.Path("tables").mkdir(exist_ok=True)
    forty_two.solve(seed=seed, decl="fives").save(f"tables/{seed}.n42")
"""


def test_the_workers_of_a_torch_loader_have_positions_of_their_own(tmp_path: pathlib.Path) -> None:
    text = (ROOT / "docs/guide/python.md").read_text()
    block = re.search(r"^```python,torch\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert block
    check = """
first, second = loader.worker(0), loader.worker(1)
assert len(first) == len(second) > 0 and (first[0][0] != second[0][0]).any()
"""
    script = TORCH + block[1].replace("epochs=10", "epochs=2, per_table=8192") + check
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
