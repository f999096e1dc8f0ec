"""Processes by which drivers know one another."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Process:
    """The process of a driver, as another one on the same machine can look it up."""

    host: str
    pid: int
    machine: str
    """What only processes that see each other's numbers share; empty where that is not known."""

    @classmethod
    def current(cls) -> Process:
        """This process."""
        return cls(socket.gethostname(), os.getpid(), _machine())

    @classmethod
    def parse(cls, table: Any) -> Process:
        """What `dataclasses.asdict` has made of one; raises `ValueError` or `TypeError` where it is something else."""
        process = cls(**table)
        if not (isinstance(process.host, str) and isinstance(process.pid, int) and isinstance(process.machine, str)):
            raise ValueError
        return process

    @property
    def has_ended(self) -> bool:
        """Whether it is known to have ended: it was on this machine, and is no longer."""
        return self.machine != "" and self.machine == _machine() and not os.path.exists(f"/proc/{self.pid}")


def _machine() -> str:
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return f"{file.read().strip()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""
