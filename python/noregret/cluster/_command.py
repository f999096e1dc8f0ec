"""The command line as a unit of work: what a task does, and the receipt that it gives."""

from __future__ import annotations

import ctypes
import json
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from .._noregret import place_exists

# Opened before anything is forked.
_LIBRARY = ctypes.CDLL(None) if sys.platform == "linux" else None
_PARENT_DEATH_SIGNAL = 1

_PATIENCE = 60.0
"""Seconds that a command gets to stop cleanly: it may be writing a checkpoint."""


@dataclass(frozen=True)
class Receipt:
    """What a command has said: its lines of JSON, its exit code, and its complaint."""

    code: int
    error: str
    seconds: float
    lines: list[dict[str, Any]] = field(default_factory=list)

    @property
    def is_store_trouble(self) -> bool:
        """Whether the store was in the way, which may be over by now."""
        words = (
            "the store answers 5",
            "the store answers 429",
            "the store broke the connection off",
            "cannot reach the store",
            "takes too long to answer",
        )
        return self.code == 1 and any(word in self.error for word in words)


def run_task(
    arguments: Sequence[str], files: Mapping[str, str], folder: str, resume: str | None, probe: str | None
) -> Receipt:
    """Runs a command on a node of the cluster. `resume` is a checkpoint to go on from, if it is there by now; `probe` a file that the
    driver has written where results go."""
    if probe is not None and not place_exists(probe):
        node = import_module("ray.util").get_node_ip_address()
        advice = "write to a folder that all nodes share, or to a URL like s3://bucket/name"
        return Receipt(1, f"node {node} does not see {probe}, which the driver has written: {advice}", 0.0)
    more = ["--resume", resume] if resume is not None and place_exists(resume) else []
    return run_command([*arguments, *more], files, folder)


def run_command(arguments: Sequence[str], files: Mapping[str, str] | None = None, folder: str = "") -> Receipt:
    """Runs `noregret` with these arguments in a directory of its own that has these files, and waits for its end. `folder` is where
    in it the command runs."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="noregret-") as home:
        at = Path(home, folder)
        at.mkdir(parents=True, exist_ok=True)
        for name, text in (files or {}).items():
            path = at / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        process = subprocess.Popen(
            [sys.executable, "-m", "noregret", *arguments],
            cwd=at,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,
        )
        try:
            out, error = process.communicate()
        except BaseException:
            # A task that is called off: what was reached is kept where the command keeps it.
            process.send_signal(signal.SIGINT)
            try:
                process.communicate(timeout=_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
            raise
    lines = [json.loads(line) for line in out.decode().splitlines() if line.startswith("{")]
    return Receipt(process.returncode, _complaint(error.decode(errors="replace")), time.monotonic() - started, lines)


def _complaint(text: str) -> str:
    """What a command says last is wrong, without the word `error`; the reason may have that word, too."""
    last = [found.end() for found in re.finditer(r"^error: ", text, re.MULTILINE)]
    return text[last[-1] if last else 0 :].strip()


def _end_with_parent() -> None:
    """Ends this process when the worker that started it is killed: another one does its work by then."""
    if _LIBRARY is not None:
        _LIBRARY.prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
