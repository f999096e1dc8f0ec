"""The notebooks run, and show what they showed when they were committed."""

from __future__ import annotations

import copy
import os
import pathlib
import re
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "python/notebooks").glob("*.ipynb"))

# What a learning library prints depends on the machine; a cell with this tag says so.
VARIES = "varies"


def joined(cell: Any) -> list[Any]:
    """The outputs of a cell. What is printed comes in as many pieces as the timing has it, so those that follow each other are one."""
    outputs: list[Any] = []
    for output in cell.outputs:
        last = outputs[-1] if outputs else {}
        if output.output_type == "stream" and last.get("name") == output.name:
            last["text"] += output.text
        else:
            outputs.append(copy.deepcopy(output))
    return outputs


def shown(cell: Any) -> list[str]:
    """What a cell shows, as text. Times, pictures, colours and the progress bar, which is empty in the end, are left out."""
    texts = []
    for output in joined(cell):
        data = output.get("data", {"text/plain": output.get("text", "")})
        if data.get("text/html") == "" or "image/png" in data:
            continue
        text = data.get("text/html", data.get("text/plain", ""))
        texts.append(re.sub(r"<style>.*?</style>|in [0-9.]+ s", "", text, flags=re.DOTALL))
    return texts


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_showed(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    committed = nbformat.read(path, as_version=4)
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    if os.environ.get("NOREGRET_BLESS"):
        nbformat.write(notebook, path)
        return
    code = [cells for cells in zip(committed.cells, notebook.cells) if cells[0].cell_type == "code"]
    assert len(code) >= 3 and any(cell.outputs for cell, _ in code), "it is committed with its output"
    for before, after in code:
        kinds = [[output.output_type for output in joined(cell)] for cell in (before, after)]
        assert kinds[0] == kinds[1]
        if VARIES not in before.metadata.get("tags", []):
            assert shown(after) == shown(before), f"NOREGRET_BLESS=1 writes the new output: {before.source}"
