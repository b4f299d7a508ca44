"""How bytes come in and go out: standard streams, TCP or WebSocket.

Every message that has arrived is in the event loop's queue before a handler that an earlier one started gets to run:
that is what lets a cancellation overtake the requests it cancels, and a burst of edits end in one analysis.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, BinaryIO, Protocol, TypeAlias

from pygls.io_ import StdoutWriter, WebSocketWriter

Receive: TypeAlias = Callable[[bytes], None]

MOST_BYTES = 1 << 30
"""A longer message is nobody's plan: the announced length is wrong, and so is everything behind it."""


class Endpoint(Protocol):
    """What a transport serves."""

    def set_writer(self, writer: Any, include_headers: bool = True) -> Any: ...

    def receive(self, body: bytes) -> None:
        """Handle one message, on the loop."""

    inbox: deque[bytes]
    """Messages that have arrived, put here by another thread; `drain` handles them."""

    def drain(self) -> None: ...

    @property
    def exited(self) -> asyncio.Event:
        """Set when the client has said goodbye."""


def content_length(header: bytes) -> int | None:
    """The length that a header line announces."""
    name, _, value = header.partition(b":")
    if name.strip().lower() != b"content-length" or not value.strip().isdigit():
        return None
    return int(value)


class _Splitter:
    """Cuts a stream of bytes into messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None
        self._in_body = False
        self.is_broken = False

    def feed(self, data: bytes) -> list[bytes]:
        """The messages that are complete now."""
        buffer = self._buffer
        buffer += data
        found: list[bytes] = []
        while not self.is_broken:
            if self._in_body and self._length is not None:
                if len(buffer) < self._length:
                    break
                found.append(bytes(buffer[: self._length]))
                del buffer[: self._length]
                self._length, self._in_body = None, False
                continue
            end = buffer.find(b"\n") + 1
            if not end:
                break
            line = bytes(buffer[:end])
            del buffer[:end]
            if line.strip():
                self._length = content_length(line) if self._length is None else self._length
            elif self._length is not None:
                self._in_body = True
                self.is_broken = self._length > MOST_BYTES
        return found


def _read_messages(stream: BinaryIO, receive: Callable[[list[bytes]], None]) -> None:
    """Hand over what arrives, all messages of one read together: the loop must not start on the first of them before
    it has the last, which may be its cancellation.
    """
    splitter = _Splitter()
    while not splitter.is_broken and (data := os.read(stream.fileno(), 1 << 16)):
        if found := splitter.feed(data):
            receive(found)


async def serve_streams(endpoint: Endpoint, stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve one client over a pair of streams until it exits or hangs up."""
    loop = asyncio.get_running_loop()
    endpoint.set_writer(StdoutWriter(stdout))
    ended = asyncio.Event()

    def post(callback: Callable[[], None]) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(callback)

    def arrived(bodies: list[bytes]) -> None:
        endpoint.inbox.extend(bodies)
        for _ in bodies:  # a message that cannot be handled ends its turn: the others have turns of their own
            post(endpoint.drain)

    def read() -> None:
        _read_messages(stdin, arrived)
        post(ended.set)

    # A daemon thread: one that blocks on a stream cannot be stopped, and must not keep the process alive.
    threading.Thread(target=read, name="plancheck-input", daemon=True).start()
    await _first(ended.wait(), endpoint.exited.wait())


async def serve_tcp(endpoint: Endpoint, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve one client over TCP."""
    done = asyncio.Event()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        endpoint.set_writer(writer)
        await _first(_read_stream(reader, endpoint.receive), endpoint.exited.wait())
        writer.close()
        done.set()

    server = await asyncio.start_server(connected, host, port)
    async with server:
        name, number, *_ = server.sockets[0].getsockname()
        ready(f"tcp://{name}:{number}")
        await done.wait()


async def _read_stream(reader: asyncio.StreamReader, receive: Receive) -> None:
    length = None
    try:
        while header := await reader.readline():
            if header.strip():
                length = content_length(header) if length is None else length
                continue
            if length is None:
                continue
            if length > MOST_BYTES:
                return
            receive(await reader.readexactly(length))
            length = None
    except (ConnectionError, asyncio.IncompleteReadError):
        return


async def serve_websocket(endpoint: Endpoint, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve one client over a WebSocket."""
    from websockets.asyncio.server import ServerConnection, serve
    from websockets.exceptions import ConnectionClosed

    done = asyncio.Event()

    async def read(websocket: ServerConnection, receive: Receive) -> None:
        try:
            while True:
                receive(await websocket.recv(decode=False))
        except ConnectionClosed:
            return

    async def connected(websocket: ServerConnection) -> None:
        endpoint.set_writer(WebSocketWriter(websocket), include_headers=False)
        await _first(read(websocket, endpoint.receive), endpoint.exited.wait())
        done.set()

    async with serve(connected, host, port, max_size=MOST_BYTES) as server:
        name, number, *_ = next(iter(server.sockets)).getsockname()
        ready(f"ws://{name}:{number}")
        await done.wait()


async def _first(*awaitables: Awaitable[object]) -> None:
    """Wait for the first of them, and give the others up."""
    tasks = [asyncio.ensure_future(awaitable) for awaitable in awaitables]
    _, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()


def own_streams() -> tuple[BinaryIO, BinaryIO]:
    """The streams for messages alone. Whatever else reads gets nothing, and whatever else prints goes to stderr.

    They are duplicates, for Python closes its own stdin at exit, and dies if a thread is still reading it then.
    """
    stdin, stdout = sys.stdin.fileno(), sys.stdout.fileno()
    messages_in, messages_out = os.fdopen(os.dup(stdin), "rb"), os.fdopen(os.dup(stdout), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, stdin)
    os.close(nothing)
    os.dup2(sys.stderr.fileno(), stdout)
    return messages_in, messages_out
