"""A proxy between programs and a store, which does harm where a test wants it."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Fate:
    """What becomes of a request; without anything set it is passed on."""

    status: int = 0
    """It is answered with this status, and goes no further."""
    delay: float = 0.0
    """It is passed on after so many seconds."""
    is_cut: bool = False
    """The connection closes in the middle of what is sent."""
    is_answer_lost: bool = False
    """It is passed on, and the answer is lost."""


PASSED = Fate()

Decide = Callable[[int, str, str], Fate]
"""Decides by the number of a request since `decide` was set, its method, and its path with the query."""


class Proxy:
    """Passes requests on to a port of this machine, one a connection."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._lock = threading.Lock()
        self._count = 0
        self._decide: Decide | None = None
        self.harmed = 0
        """How many requests did not just pass since `decide` was set."""
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def set(self, decide: Decide | None) -> None:
        """From now on requests are decided on by this; nothing passes all."""
        with self._lock:
            self._count, self._decide, self.harmed = 0, decide, 0

    def stop(self) -> None:
        self._listener.close()

    def _listen(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _fate(self, method: str, path: str) -> Fate:
        with self._lock:
            fate = PASSED if self._decide is None else self._decide(self._count, method, path)
            self._count += 1
            self.harmed += fate != PASSED
        return fate

    def _serve(self, client: socket.socket) -> None:
        try:
            with client, client.makefile("rb") as reader:
                self._pass(client, reader.readline, reader.read)
        except OSError:
            # Whoever hangs up is heard of no more.
            return

    def _pass(self, client: socket.socket, read_line: Callable[[], bytes], read: Callable[[int], bytes]) -> None:
        first = read_line()
        if not first.strip():
            return
        head, length = b"", 0
        while (line := read_line()).strip():
            name, _, value = line.lower().partition(b":")
            length = int(value) if name == b"content-length" else length
            head += b"" if name in (b"connection", b"expect") else line
        method, path = first.decode().split(" ")[:2]
        fate = self._fate(method, path)
        if fate.is_cut:
            read(length // 2)
            return
        body = read(length)
        if fate.status:
            text = b"<Error><Code>Harm</Code><Message>no</Message></Error>"
            answer = f"HTTP/1.1 {fate.status} No\r\nContent-Type: application/xml\r\nContent-Length: {len(text)}\r\n"
            client.sendall(answer.encode() + b"Connection: close\r\n\r\n" + (b"" if method == "HEAD" else text))
            return
        time.sleep(fate.delay)
        with socket.create_connection(("127.0.0.1", self._to)) as store:
            store.sendall(first + head + b"Connection: close\r\n\r\n" + body)
            while answered := store.recv(1 << 16):
                if not fate.is_answer_lost:
                    client.sendall(answered)
