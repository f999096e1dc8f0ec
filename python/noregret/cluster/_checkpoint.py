"""The checkpoint of a solve over many workers, and which driver may replace it.

A checkpoint is a part of each worker, one of the driver, and a mark that names them, written last. Marks are numbered: the one with the
highest number is valid. A driver that writes a checkpoint, or takes a run over, creates the mark with the next number, and of several who
do so at once one succeeds. So whoever finds a higher mark than its own knows that the run is another driver's by now.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from .._errors import MissingFile
from .._noregret import create_place, list_place, read_place, remove_left_overs, remove_place, write_place
from ._engine import ClusterError
from ._place import joined, split
from ._process import Process

HEARTBEAT = 5.0
"""Seconds from one sign of life of a driver to the next."""

_SILENCE = 4.0
"""A driver is gone after so many heartbeats without a sign of life."""

_VERSION = 2


class TakenOver(ClusterError):
    """Another driver has taken the run over."""

    __module__ = "noregret.cluster"


@dataclass(frozen=True)
class _Mark:
    """What a mark says."""

    number: int
    run: str
    """The driver that wrote it."""
    process: Process
    iteration: int
    parts: list[str]
    costs: list[float] | None

    @classmethod
    def parse(cls, number: int, content: bytes) -> _Mark:
        """Raises `ValueError` where it is something else."""
        try:
            table = json.loads(content)
            run, iteration, parts, costs = table["run"], table["iteration"], table["parts"], table["costs"]
            process = Process.parse(table["process"])
            is_known = table["version"] == _VERSION and isinstance(run, str)
            if not is_known or not isinstance(iteration, int) or not all(isinstance(name, str) for name in parts):
                raise ValueError
            return cls(number, run, process, iteration, parts, None if costs is None else [float(cost) for cost in costs])
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"mark {number}") from None

    def content(self) -> bytes:
        table = {"version": _VERSION, "run": self.run, "process": asdict(self.process), "iteration": self.iteration}
        return json.dumps({**table, "parts": self.parts, "costs": self.costs}).encode()


class Checkpoint:
    """The checkpoints beside a solution file, as the driver that owns the run has them."""

    def __init__(self, out: str, waiting: Callable[[str], None] | None = None) -> None:
        """Begins a run, or takes over one whose driver is gone; a run whose driver lives is refused. `waiting` is told now and then what
        is waited for."""
        self._out = out
        self._folder, self._name = split(out)
        self._run = secrets.token_hex(4)
        self._process = Process.current()
        self.costs: list[float] | None = None
        """What each turn was measured to cost, once turns are dealt out by that."""
        self._mark = self._claim(waiting or (lambda _: None))

    @property
    def iteration(self) -> int:
        """The iteration of the last checkpoint; 0 if there is none yet."""
        return self._mark.iteration

    @property
    def parts(self) -> list[str]:
        """The files of the last checkpoint; none if there is none yet."""
        return [joined(self._folder, name) for name in self._mark.parts]

    @property
    def mark(self) -> str:
        """The file that names the parts."""
        return self._mark_path(self._mark.number)

    @property
    def mark_content(self) -> bytes:
        """What is in that file."""
        return self._mark.content()

    def part_paths(self, kind: int | str, count: int) -> list[str]:
        """The files of a checkpoint of an iteration, or of a solution, that are to be written: no other driver has these names."""
        return [f"{self._out}.{self._run}-{kind}-{index}of{count}.nrp" for index in range(count)]

    def finish(self, iteration: int, parts: list[str]) -> None:
        """The parts are written: they are the last checkpoint from now on, and older files are removed."""
        names = [split(part)[1] for part in parts]
        older = self._files()
        if self._is_lost(older):
            raise self._taken_over()
        # A mark of this driver may be higher than it knows, if the store had it and said otherwise.
        number = max(self._highest(older), self._mark.number) + 1
        self._create_mark(_Mark(number, self._run, self._process, iteration, names, self.costs))
        with contextlib.suppress(OSError):
            # What cannot be removed now is removed after the next checkpoint.
            self._remove(older, kept=set(names))

    def remove(self) -> None:
        """The solution is written: what belongs to the run is removed, unless it is another driver's by now."""
        try:
            files = self._files()
            if self._is_lost(files):
                files = [name for name in files if f".{self._run}-solution-" in name or name == self._heartbeat_name]
            self._remove(files, kept=set())
        except OSError as error:
            warnings.warn(f"the solution is written, and its checkpoint is not removed: {error}", stacklevel=2)

    def beats(self) -> Heartbeat:
        """Shows other drivers that this one lives, for as long as the returned context lasts."""
        return Heartbeat(self._heartbeat_path(self._run))

    def check_owned(self) -> None:
        """Raises an error if another driver has taken the run over."""
        if self._is_lost(self._files()):
            raise self._taken_over()

    def forget(self, parts: list[str]) -> None:
        """Removes parts of a checkpoint that is not finished."""
        with contextlib.suppress(OSError):
            for part in parts:
                remove_place(part)

    def _is_lost(self, files: list[str]) -> bool:
        """Whether the run is another driver's by now: that has written a higher mark."""
        number = self._highest(files)
        if number <= self._mark.number:
            return False
        try:
            return _Mark.parse(number, read_place(self._mark_path(number))).run != self._run
        except (MissingFile, ValueError):
            return True

    def _taken_over(self) -> TakenOver:
        return TakenOver(f"another driver has taken over what solves into {self._out}: this one stops, and nothing is lost")

    def release(self) -> None:
        """This driver stops: the next one need not wait. A mark without a checkpoint is removed."""
        with contextlib.suppress(OSError):
            if not self._mark.parts and not self._is_lost(self._files()):
                remove_place(self.mark)
            # Without this the next one waits until it is sure.
            remove_place(self._heartbeat_path(self._run))

    def _claim(self, waiting: Callable[[str], None]) -> _Mark:
        # Before the mark: who reads that finds this driver alive.
        write_place(self._heartbeat_path(self._run), b"0")
        try:
            while True:
                found = self._load()
                if found is not None:
                    self._check_gone(found, waiting)
                    self.costs = found.costs
                number = 1 if found is None else found.number + 1
                iteration, parts = (0, []) if found is None else (found.iteration, found.parts)
                try:
                    mark = self._create_mark(_Mark(number, self._run, self._process, iteration, parts, self.costs))
                except TakenOver:
                    # Another driver was quicker: it is looked at in turn.
                    continue
                if found is not None:
                    remove_place(self._mark_path(found.number))
                    remove_place(self._heartbeat_path(found.run))
                # A run that ended meanwhile has removed all signs of life.
                write_place(self._heartbeat_path(self._run), b"1")
                return mark
        except BaseException:
            with contextlib.suppress(OSError):
                remove_place(self._heartbeat_path(self._run))
            raise

    def _load(self) -> _Mark | None:
        missing = 0
        while number := self._highest(self._files()):
            path = self._mark_path(number)
            try:
                return _Mark.parse(number, read_place(path))
            except ValueError:
                raise ClusterError(f"{path} is not the mark of a checkpoint: remove it, or choose another place") from None
            except MissingFile:
                # Its driver has just ended, or written the next one, unless it is listed and cannot be read.
                if number == missing:
                    raise
                missing = number
        return None

    def _check_gone(self, found: _Mark, waiting: Callable[[str], None]) -> None:
        """Returns once the driver of a mark is known to be gone, and raises an error if it shows a sign of life."""
        who = f"process {found.process.pid} on {found.process.host}"
        first = self._last_heartbeat(found.run)
        end = time.monotonic() + _SILENCE * HEARTBEAT
        while first is not None and not found.process.has_ended:
            if self._last_heartbeat(found.run) != first:
                raise ClusterError(
                    f"another driver solves into {self._out}, {who}: wait for its end, stop it, or choose another place"
                )
            if time.monotonic() > end:
                return
            waiting(f"waiting to see whether {who} still solves into {self._out}")
            time.sleep(min(0.5, HEARTBEAT / 4))

    def _last_heartbeat(self, run: str) -> bytes | None:
        try:
            return read_place(self._heartbeat_path(run))
        except MissingFile:
            return None

    def _create_mark(self, mark: _Mark) -> _Mark:
        path = self._mark_path(mark.number)
        is_ours = create_place(path, mark.content())
        # A mark below others was removed once, and could be created again.
        if not is_ours or self._highest(self._files()) > mark.number:
            if is_ours:
                remove_place(path)
            raise self._taken_over()
        self._mark = mark
        return mark

    def _mark_path(self, number: int) -> str:
        return f"{self._out}.checkpoint-{number}.json"

    def _heartbeat_path(self, run: str) -> str:
        return f"{self._out}.{run}-driver.txt"

    @property
    def _heartbeat_name(self) -> str:
        return split(self._heartbeat_path(self._run))[1]

    def _files(self) -> list[str]:
        """The names of all files beside the solution that belong to its runs."""
        ours = re.compile(re.escape(self._name) + r"\.(checkpoint-\d+\.json|[0-9a-f]{8}-(driver\.txt|(\d+|solution)-\d+of\d+\.nrp))")
        return [name for name, is_folder, _ in list_place(self._folder) if not is_folder and ours.fullmatch(name)]

    def _highest(self, names: list[str]) -> int:
        """The highest number of a mark among some files; 0 if there is none."""
        marks = re.compile(re.escape(self._name) + r"\.checkpoint-(\d+)\.json")
        return max((int(found[1]) for name in names if (found := marks.fullmatch(name))), default=0)

    def _remove(self, names: list[str], kept: set[str]) -> None:
        # The mark goes first and signs of life last: whoever looks meanwhile finds a driver that lives, or no run.
        marks = [name for name in names if ".checkpoint-" in name]
        beats = [name for name in names if name.endswith("-driver.txt")]
        parts = [name for name in names if name.endswith(".nrp") and name not in kept]
        for name in [*marks, *parts, *([] if kept else beats)]:
            remove_place(joined(self._folder, name))
        remove_left_overs(self._folder, self._name)


class Heartbeat:
    """A thread that writes a sign of life now and then."""

    def __init__(self, path: str) -> None:
        self._path, self._stopped = path, threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._stopped.set()
        # A store that does not answer is not waited for.
        self._thread.join(HEARTBEAT)

    def _run(self) -> None:
        count = 0
        while not self._stopped.wait(HEARTBEAT):
            count += 1
            try:
                write_place(self._path, str(count).encode())
            except OSError:
                # A store that does not take it may take the next one.
                continue
