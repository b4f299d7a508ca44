"""Serving an editor over standard streams.

Pipes are read and written on the loop itself, without ever waiting for them: a thread in between would cost every
message a change of threads. What the loop cannot watch (a terminal, a file, anything on Windows) is read in a thread.
"""

from __future__ import annotations

import asyncio
import os
import stat
import sys
import threading
from collections.abc import Callable
from typing import BinaryIO

from pygls.io_ import StdoutWriter

from plancheck.lsp.framing import Splitter
from plancheck.lsp.transport import READ_BYTES, Endpoint, deliver, first_of


async def serve_streams(endpoint: Endpoint, stdin: BinaryIO, stdout: BinaryIO) -> str | None:
    """Serve one client over a pair of streams until it exits or hangs up; what was wrong with its stream."""
    if _can_be_watched(stdin) and _can_be_watched(stdout):
        return await _serve_pipes(endpoint, stdin.fileno(), stdout.fileno())
    return await _serve_with_a_thread(endpoint, stdin, stdout)


def _can_be_watched(stream: BinaryIO) -> bool:
    mode = os.fstat(stream.fileno()).st_mode
    return sys.platform != "win32" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


# ---- on the loop -----------------------------------------------------------------------------------------------------


async def _serve_pipes(endpoint: Endpoint, stdin: int, stdout: int) -> str | None:
    for pipe in (stdin, stdout):
        os.set_blocking(pipe, False)
    loop = asyncio.get_running_loop()
    reader, writer = _PipeReader(loop, stdin, endpoint), _PipeWriter(loop, stdout)
    endpoint.set_writer(writer)
    endpoint.take_in = reader.take_in
    await first_of(reader.ended.wait(), endpoint.exited.wait())
    reader.end()
    await writer.emptied.wait()
    return reader.splitter.problem


class _PipeReader:
    """Takes messages in as they arrive."""

    def __init__(self, loop: asyncio.AbstractEventLoop, pipe: int, endpoint: Endpoint) -> None:
        self.ended = asyncio.Event()
        self.splitter = Splitter()
        self._loop = loop
        self._pipe = pipe
        self._endpoint = endpoint
        loop.add_reader(pipe, self._arrived)

    def _arrived(self) -> None:
        self.take_in()
        self._drain()

    def _drain(self) -> None:
        try:
            self._endpoint.drain()
        finally:
            if self._endpoint.inbox:  # a message that cannot be handled ends its turn: the others have one of their own
                self._loop.call_soon(self._drain)

    def take_in(self) -> None:
        """Read what has arrived. As much fits into a pipe as is read at once."""
        if self.ended.is_set():
            return
        try:
            data = os.read(self._pipe, READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self._endpoint.inbox.extend(self.splitter.feed(data))
        if not data or self.splitter.problem is not None:
            self.end()

    def end(self) -> None:
        """Read no more."""
        self._loop.remove_reader(self._pipe)
        self.ended.set()


class _PipeWriter:
    """Writes without waiting: what does not fit into the pipe is written as soon as there is room. A client may first
    write all that it has to say, and read only then."""

    def __init__(self, loop: asyncio.AbstractEventLoop, pipe: int) -> None:
        self.emptied = asyncio.Event()
        self.emptied.set()
        self._loop = loop
        self._pipe = pipe
        self._waiting = bytearray()

    def write(self, data: bytes) -> None:
        """As pygls has it."""
        if self._waiting:
            self._waiting += data
            return
        written = self._written(data)
        if written < len(data):
            self._waiting += memoryview(data)[written:]
            self.emptied.clear()
            self._loop.add_writer(self._pipe, self._go_on)

    def close(self) -> None:
        """As pygls has it; whoever opened the pipe closes it."""

    def _go_on(self) -> None:
        del self._waiting[: self._written(self._waiting)]
        if not self._waiting:
            self._loop.remove_writer(self._pipe)
            self.emptied.set()

    def _written(self, data: bytes | bytearray) -> int:
        """How much of some bytes is done with; all of them, if nobody is there any more to read them."""
        try:
            return os.write(self._pipe, data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)


# ---- in a thread -----------------------------------------------------------------------------------------------------


async def _serve_with_a_thread(endpoint: Endpoint, stdin: BinaryIO, stdout: BinaryIO) -> str | None:
    loop = asyncio.get_running_loop()
    endpoint.set_writer(StdoutWriter(stdout))
    ended = asyncio.Event()
    splitter = Splitter()

    def post(callback: Callable[[], None]) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(callback)

    def read() -> None:
        try:
            while splitter.problem is None and (data := os.read(stdin.fileno(), READ_BYTES)):
                deliver(endpoint, splitter.feed(data), post)
        except OSError:  # a terminal that hung up, a folder, a pipe of Windows that broke: as if it had ended
            pass
        finally:
            post(ended.set)

    # A daemon thread: one that blocks on a stream cannot be stopped, and must not keep the process alive.
    threading.Thread(target=read, name="plancheck-input", daemon=True).start()
    await first_of(ended.wait(), endpoint.exited.wait())
    return splitter.problem


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
