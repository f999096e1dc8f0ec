"""What the examples of the documents and notebooks do is right by the types of the package, as an editor checks them."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys

from conftest import ROOT

PAGES = [ROOT / "README.md", ROOT / "python/README.md", *sorted((ROOT / "docs/guide").glob("*.md"))]
NOTEBOOKS = sorted((ROOT / "python/notebooks").glob("*.ipynb"))

# Functions of an example need no annotations; what is in them is checked all the same.
RELAXED = ["--allow-untyped-defs", "--allow-incomplete-defs", "--allow-untyped-calls", "--allow-untyped-globals"]


def code_of_page(path: pathlib.Path) -> str:
    """The blocks of a page that use the package, each at its line of the page; empty if there is none."""
    lines, is_code, found = [], False, False
    for line in path.read_text().splitlines():
        if line.startswith("```"):
            # What the page in the package registry shows is for those who have the package.
            starts = line == "```python,wheel" or (line == "```python" and path.parent.name == "python")
            is_code, found = starts and not is_code, found or starts
            line = ""
        lines.append(line if is_code else "")
    return "\n".join(lines) + "\n" if found else ""


def code_of_notebook(path: pathlib.Path) -> str:
    """The cells of a notebook, one after another, with what a notebook has by itself."""
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    code = ["".join(cell["source"]) for cell in cells]
    assert not any(re.search("^[%!]", cell, re.MULTILINE) for cell in code), "Python only"
    return "\n".join(["def display(*objects: object) -> None: ...", *code, ""])


def test_examples_have_the_types_of_the_package(tmp_path: pathlib.Path) -> None:
    written = []
    for path in [*PAGES, *NOTEBOOKS]:
        code = code_of_page(path) if path.suffix == ".md" else code_of_notebook(path)
        if code:
            name = re.sub(r"\W", "_", str(path.relative_to(ROOT).with_suffix("")))
            written.append(tmp_path / f"{name}.py")
            written[-1].write_text(code)
    assert len(written) >= 8
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "python/pyproject.toml"), *RELAXED, *map(str, written)]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
