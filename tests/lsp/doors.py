"""A server that waits at a socket, and what it takes to talk to it, or to attack it."""

from __future__ import annotations

import json
import os
import re
import select
import socket
import subprocess
import time
from typing import Any
from urllib.parse import quote

from lsp.wire import PLANCHECK, SERVER_PATH

INITIALIZE: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def message(**fields: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **fields}).encode()


def initialize(token: object) -> bytes:
    """The message that opens a session over TCP."""
    return message(id=1, method="initialize", params={**INITIALIZE, "initializationOptions": {"token": token}})


class Door:
    """A server process that listens; it has printed where, and its token."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*PLANCHECK, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": SERVER_PATH},
        )
        address, token = self.line(), self.line()
        where = re.search(r"listening on \w+://(.+):(\d+)$", address)
        handed = re.search(r"token: (\S+)$", token)
        assert where is not None, address
        assert handed is not None, token
        self.host, self.port, self.token = where[1], int(where[2]), handed[1]

    def __enter__(self) -> Door:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def line(self, timeout: float = 30) -> str:
        """The next line on stderr."""
        assert self.process.stderr is not None
        found, end = bytearray(), time.monotonic() + timeout
        while not found.endswith(b"\n"):
            ready, _, _ = select.select([self.process.stderr], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"no line on stderr within {timeout} s"
            byte = os.read(self.process.stderr.fileno(), 1)
            assert byte, f"stderr ended with {bytes(found)!r}"
            found += byte
        return found.decode().strip()

    def ended(self, code: int) -> str:
        """What was still printed by a server that ends by itself, with an exit code."""
        assert self.process.wait(20) == code
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def url(self, token: str | None = None) -> str:
        """Where a WebSocket client knocks; with a token, if one is given."""
        query = "" if token is None else f"?token={quote(token)}"
        return f"ws://{self.host}:{self.port}/{query}"

    def knock(self) -> Connection:
        return Connection(socket.create_connection((self.host, self.port), timeout=20))

    def is_listening(self) -> bool:
        try:
            socket.create_connection((self.host, self.port), timeout=5).close()
        except ConnectionRefusedError:
            return False
        return True


class Connection:
    """One end of a TCP connection."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        self._stream = connected.makefile("rb")

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
        self.socket.close()

    def send(self, body: bytes) -> None:
        self.socket.sendall(framed(body))

    def receive(self) -> dict[str, Any]:
        length = None
        while header := self._stream.readline().strip():
            if header.lower().startswith(b"content-length:"):
                length = int(header[15:])
        assert length is not None, "the connection was closed"
        found: dict[str, Any] = json.loads(self._stream.read(length))
        return found

    def rest(self) -> bytes:
        """All that still comes until the server closes the connection; a reset is a way of closing it."""
        try:
            return self._stream.read()
        except ConnectionResetError:
            return b""
