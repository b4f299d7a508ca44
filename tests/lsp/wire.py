"""A language client of a few lines: JSON-RPC over the pipes of a real server process, and nothing in between."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

PLANCHECK = (sys.executable, "-m", "plancheck", "lsp")
SERVER_PATH = str(Path(__file__).parents[2] / "server")

PULL: dict[str, Any] = {"textDocument": {"diagnostic": {"relatedInformation": True}}}
"""The least that an editor says which asks for diagnostics."""


class NoMessageError(AssertionError):
    pass


class Wire:
    """Sends messages, reads messages. Requests of the server are answered with `answers`, by method."""

    def __init__(
        self, command: Sequence[str] = PLANCHECK, answers: dict[str, Callable[[Any], Any]] | None = None
    ) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": SERVER_PATH},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in, self._out = self.process.stdin, self.process.stdout.fileno()
        self._buffer = bytearray()
        self._next_id = 0
        self.answers = answers or {}
        self.log: list[dict[str, Any]] = []
        """Every message of the server, in the order in which it came."""

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self._in.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    # ---- sending

    def raw(self, body: bytes) -> None:
        self._in.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._in.flush()

    def send(self, message: dict[str, Any]) -> None:
        self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_all(self, messages: Sequence[dict[str, Any]]) -> None:
        """Write several messages at once, so that the server has them all before it has handled one."""
        bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
        at_once = b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)
        fits_the_pipe = len(at_once) < 60_000
        if fits_the_pipe:  # the server is held still meanwhile, so that nothing depends on who is faster
            self.process.send_signal(signal.SIGSTOP)
        self._in.write(at_once)
        self._in.flush()
        if fits_the_pipe:
            self.process.send_signal(signal.SIGCONT)

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request and return its id."""
        self._next_id += 1
        self.send({"id": self._next_id, "method": method, "params": params})
        return self._next_id

    def request(self, method: str, params: Any = None, timeout: float = 20) -> Any:
        """The result of a request; an error fails the test."""
        answer = self.answer(self.ask(method, params), timeout)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def error(self, method: str, params: Any = None, timeout: float = 20) -> dict[str, Any]:
        """The error that a request is answered with."""
        answer = self.answer(self.ask(method, params), timeout)
        assert "error" in answer, answer
        found: dict[str, Any] = answer["error"]
        return found

    # ---- reading

    def read(self, timeout: float = 20) -> dict[str, Any]:
        """The next message; a request of the server has been answered by the time this returns it."""
        end = time.monotonic() + timeout
        while (message := self._parsed()) is None:
            ready, _, _ = select.select([self._out], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise NoMessageError(f"no message within {timeout} s")
            data = os.read(self._out, 1 << 20)
            if not data:
                assert self.process.stderr is not None
                raise NoMessageError(f"the server has gone: {self.process.stderr.read().decode()[-2000:]}")
            self._buffer += data
        self.log.append(message)
        if "id" in message and "method" in message:
            self._reply(message)
        return message

    def _reply(self, message: dict[str, Any]) -> None:
        handler = self.answers.get(message["method"])
        if handler is None:
            error = {"code": -32601, "message": "not here"}
            self.send({"id": message["id"], "error": error})
        else:
            self.send({"id": message["id"], "result": handler(message.get("params"))})

    def _parsed(self) -> dict[str, Any] | None:
        gap = self._buffer.find(b"\r\n\r\n")
        if gap < 0:
            return None
        head = bytes(self._buffer[:gap])
        length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        start = gap + 4
        if len(self._buffer) < start + length:
            return None
        body = bytes(self._buffer[start : start + length])
        del self._buffer[: start + length]
        message: dict[str, Any] = json.loads(body)
        return message

    def until(self, wanted: Callable[[dict[str, Any]], bool], timeout: float = 20) -> dict[str, Any]:
        end = time.monotonic() + timeout
        while True:
            message = self.read(max(0.01, end - time.monotonic()))
            if wanted(message):
                return message

    def answer(self, msg_id: int | str | None, timeout: float = 20) -> dict[str, Any]:
        return self.until(lambda m: "method" not in m and m.get("id") == msg_id, timeout)

    def published(self, uri: str, version: int | None = None, timeout: float = 20) -> list[dict[str, Any]]:
        """The next diagnostics published for a document, of a given version if one is given."""
        found = self.until(
            lambda m: (
                m.get("method") == "textDocument/publishDiagnostics"
                and m["params"]["uri"] == uri
                and (version is None or m["params"].get("version") == version)
            ),
            timeout,
        )
        items: list[dict[str, Any]] = found["params"]["diagnostics"]
        return items

    def quiet(self, seconds: float = 0.3) -> list[dict[str, Any]]:
        """What still comes while nobody asks for anything."""
        before = len(self.log)
        end = time.monotonic() + seconds
        with contextlib.suppress(NoMessageError):
            while (left := end - time.monotonic()) > 0:
                self.read(left)
        return self.log[before:]

    # ---- the usual

    def start(
        self, capabilities: dict[str, Any] | None = None, root: Path | None = None, options: Any = None
    ) -> dict[str, Any]:
        """Shake hands; the server's capabilities."""
        result = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": None if root is None else root.as_uri(),
                "capabilities": capabilities or {},
                "workspaceFolders": None if root is None else [{"uri": root.as_uri(), "name": root.name}],
                "initializationOptions": options,
            },
            timeout=60,
        )
        self.notify("initialized", {})
        capabilities_of_server: dict[str, Any] = result["capabilities"]
        return capabilities_of_server

    def open(self, uri: str, text: str, version: int = 1) -> None:
        self.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": "json", "version": version, "text": text}},
        )

    def change(self, uri: str, version: int, *changes: dict[str, Any]) -> None:
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)},
        )

    def pull(self, uri: str, previous: str | None = None) -> dict[str, Any]:
        params = {"textDocument": {"uri": uri}, **({"previousResultId": previous} if previous else {})}
        report: dict[str, Any] = self.request("textDocument/diagnostic", params)
        return report

    def stop(self) -> int:
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(20)


def replace(line: int, start: int, end: int, text: str) -> dict[str, Any]:
    """A content change inside one line."""
    return {
        "range": {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}},
        "text": text,
    }
