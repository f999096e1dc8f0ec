"""Files by which nodes see whether they have the folder of the driver."""

from __future__ import annotations

import contextlib
import json
import re
import secrets
from collections.abc import Iterator
from dataclasses import asdict
from os import makedirs

from .._noregret import list_place, read_place, remove_place, write_place
from ._place import is_url, joined
from ._process import Process

_LOCAL = "file://"


@contextlib.contextmanager
def probe_in(folder: str) -> Iterator[str | None]:
    """Writes a file into a folder of this machine for as long as the context lasts, and gives its path. Places in buckets need none."""
    path = folder.removeprefix(_LOCAL)
    if is_url(path):
        yield None
        return
    makedirs(path, exist_ok=True)
    _remove_old(path)
    probe = joined(path, f".noregret-{secrets.token_hex(4)}.probe")
    write_place(probe, json.dumps(asdict(Process.current())).encode())
    try:
        yield probe
    finally:
        remove_place(probe)


def _remove_old(folder: str) -> None:
    """Removes the probes of drivers on this machine that were killed."""
    for name, is_folder, _ in list_place(folder):
        if is_folder or not re.fullmatch(r"\.noregret-[0-9a-f]{8}\.probe", name):
            continue
        with contextlib.suppress(OSError, ValueError, TypeError):
            if Process.parse(json.loads(read_place(joined(folder, name)))).has_ended:
                remove_place(joined(folder, name))
