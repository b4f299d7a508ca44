"""How bytes come in and go out over TCP or a WebSocket; `streams` has the standard streams.

Every message that has arrived is in the event loop's queue before a handler that an earlier one started gets to run:
that is what lets a cancellation overtake the requests it cancels, and a burst of edits end in one analysis.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from pygls.io_ import WebSocketWriter

from plancheck.lsp.admission import NO_TOKEN, Admission
from plancheck.lsp.framing import MOST_BYTES, Splitter
from plancheck.lsp.jsonrpc import INVALID_REQUEST, error_answer, framed, id_in
from plancheck.tuples import NamedTuple

MOST_FIRST_BYTES = 1 << 20
"""Of what a client sends that has not shown its token yet; an editor's first message has some ten thousand."""

MOST_WAITING = 16
"""So many may be connected without having shown a token; one more, and the first of them has to go."""

PATIENCE = 10.0
"""Seconds within which a client has to show its token."""

READ_BYTES = 1 << 16


class Endpoint(Protocol):
    """What a transport serves."""

    def set_writer(self, writer: Any, include_headers: bool = True) -> Any: ...

    inbox: deque[bytes]
    """Messages that have arrived; `drain` handles them, on the loop."""

    take_in: Callable[[], None]
    """Called on the loop before a handler starts: puts into the inbox whatever has arrived since."""

    def drain(self) -> None: ...

    @property
    def exited(self) -> asyncio.Event:
        """Set when the client has said goodbye."""


class Door(NamedTuple):
    """Where a server waits for its client, and what the person who started it is told."""

    host: str
    port: int
    admission: Admission
    ready: Callable[[str], None]
    """Called with the address, once a client can connect."""
    tell: Callable[[str], None]

    def refuse(self, reason: str) -> None:
        self.tell(f"refused a client: {reason}")


def deliver(endpoint: Endpoint, bodies: Sequence[bytes], post: Callable[[Callable[[], None]], object]) -> None:
    """Hand over messages that arrived together: the loop must not start on the first of them before it has the last,
    which may be its cancellation.
    """
    endpoint.inbox.extend(bodies)
    for _ in bodies:  # a message that cannot be handled ends its turn: the others have turns of their own
        post(endpoint.drain)


# ---- TCP -------------------------------------------------------------------------------------------------------------


async def serve_tcp(endpoint: Endpoint, door: Door) -> str | None:
    """Serve one client over TCP, the first that has the token; what was wrong with its stream."""
    waiting_room = _WaitingRoom(door)
    server = await asyncio.start_server(waiting_room.enter, door.host, door.port)
    name, number, *_ = server.sockets[0].getsockname()
    door.ready(f"tcp://{name}:{number}")
    try:
        client = await waiting_room.admitted
    finally:
        server.close()
        waiting_room.close()
    endpoint.set_writer(client.writer)
    try:
        await first_of(_read_stream(endpoint, client), endpoint.exited.wait())
    finally:
        client.writer.close()
    return client.splitter.problem


class _TcpClient(NamedTuple):
    """A connection, and what it has sent while it was not served yet."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    splitter: Splitter
    arrived: list[bytes]


class _WaitingRoom:
    """Clients that are connected and have not shown the token; one of them will."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._waiting: dict[asyncio.StreamWriter, None] = {}
        """In the order in which they came."""
        self.admitted: asyncio.Future[_TcpClient] = asyncio.get_running_loop().create_future()

    def close(self) -> None:
        """Send everybody away who is still here."""
        for writer in self._waiting:
            writer.close()

    async def enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._waiting) >= MOST_WAITING:  # who has the token sends it at once: the newest is the likeliest
            oldest = next(iter(self._waiting))
            del self._waiting[oldest]
            oldest.close()
        self._waiting[writer] = None
        client = _TcpClient(reader, writer, Splitter(), [])
        try:
            problem = await asyncio.wait_for(_first_message(client), PATIENCE)
        except asyncio.TimeoutError:
            problem = f"it sent no message within {PATIENCE:g} seconds"
        finally:
            self._waiting.pop(writer, None)
        if problem is not None:
            self._send_away(writer, problem)
        elif not self._door.admission.accepts_first(client.arrived[0]):
            words = (
                "The token is missing or wrong: send the one that the server printed as initializationOptions.token."
            )
            writer.write(framed(error_answer(id_in(client.arrived[0]), INVALID_REQUEST, words)))
            self._send_away(writer, NO_TOKEN)
        elif self.admitted.done():
            writer.close()
        else:
            self.admitted.set_result(client)

    def _send_away(self, writer: asyncio.StreamWriter, reason: str) -> None:
        writer.close()
        if not self.admitted.done():
            self._door.refuse(reason)


async def _first_message(client: _TcpClient) -> str | None:
    """Wait for a client's first message; why it will not come, else."""
    size = 0
    try:
        while not client.arrived:
            data = await client.reader.read(READ_BYTES)
            size += len(data)
            client.arrived.extend(client.splitter.feed(data))
            if client.splitter.problem is not None:
                return client.splitter.problem
            if not data:
                return "it disconnected before its first message"
            if size > MOST_FIRST_BYTES:
                return f"its first message is longer than {MOST_FIRST_BYTES:,} bytes"
    except OSError:
        return "it disconnected before its first message"
    return None


async def _read_stream(endpoint: Endpoint, client: _TcpClient) -> None:
    post = asyncio.get_running_loop().call_soon
    deliver(endpoint, client.arrived, post)
    try:
        while client.splitter.problem is None and (data := await client.reader.read(READ_BYTES)):
            deliver(endpoint, client.splitter.feed(data), post)
    except OSError:
        return


# ---- WebSocket -------------------------------------------------------------------------------------------------------


async def serve_websocket(endpoint: Endpoint, door: Door) -> None:
    """Serve one client over a WebSocket, the first that has the token and is no page of an origin unknown."""
    from websockets.asyncio.server import ServerConnection, serve
    from websockets.exceptions import ConnectionClosed
    from websockets.http11 import Request, Response

    loop = asyncio.get_running_loop()
    admitted = asyncio.Event()
    done = asyncio.Event()

    def refusal(connection: ServerConnection, request: Request) -> Response | None:
        origin = door.admission.refused_origin(request.headers.get_all("Origin"))
        if origin is not None:
            door.refuse(f"its origin {origin[:200]!r} is not allowed")
            words = "Pages of this origin are not allowed: start the server with --allow-origin to allow them.\n"
            return connection.respond(403, words)
        if not door.admission.accepts_upgrade(request.path, request.headers.get_all("Authorization")):
            door.refuse(NO_TOKEN)
            words = (
                "The token is missing or wrong: send the one that the server printed as ?token= or as a bearer token.\n"
            )
            return connection.respond(401, words)
        return None

    async def read(connection: ServerConnection) -> None:
        try:
            while True:
                deliver(endpoint, [await connection.recv(decode=False)], loop.call_soon)
        except ConnectionClosed:
            return

    async def connected(connection: ServerConnection) -> None:
        if admitted.is_set():
            return
        admitted.set()
        server.close(close_connections=False)
        endpoint.set_writer(WebSocketWriter(connection), include_headers=False)
        await first_of(read(connection), endpoint.exited.wait())
        await connection.close()
        done.set()

    server = await serve(
        connected, door.host, door.port, process_request=refusal, max_size=MOST_BYTES, open_timeout=PATIENCE
    )
    name, number, *_ = next(iter(server.sockets)).getsockname()
    door.ready(f"ws://{name}:{number}")
    await done.wait()


async def first_of(*awaitables: Awaitable[object]) -> None:
    """Wait for the first of them, and give the others up."""
    tasks = [asyncio.ensure_future(awaitable) for awaitable in awaitables]
    _, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
