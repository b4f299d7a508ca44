"""Messages that the SDK cannot read, which it would drop: their sender would wait for an answer for ever.

Its reader takes 200 levels of nesting, numbers of 4,300 digits and no halves of characters. All of these can be in a
plan, and to say what is wrong with it is what the server is for. What nobody can read is answered with an error.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp import types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

LONGEST_NUMBER = 4_300
"""In digits. A longer one takes Python long to read, and no plan may hold it."""
_TOO_LARGE = 1 << 20_000
"""Stands for such a number, and is refused as it would be."""


@asynccontextmanager
async def readable(
    incoming: AsyncIterable[SessionMessage | Exception], send: Callable[[SessionMessage], Awaitable[None]]
) -> AsyncIterator[MemoryObjectReceiveStream[SessionMessage | Exception]]:
    """The messages that come in, those that the SDK could not read once more; `send` answers what cannot be read."""
    sender, receiver = anyio.create_memory_object_stream[SessionMessage | Exception](0)

    async def relay() -> None:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # the server has ended
            async with sender:
                async for item in incoming:
                    message = _read_again(item) if isinstance(item, Exception) else item.message
                    if isinstance(message, types.JSONRPCError) and isinstance(item, Exception):
                        await send(SessionMessage(message))
                    elif message is not None:
                        await sender.send(SessionMessage(message))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(relay)
        yield receiver
        tasks.cancel_scope.cancel()


def _read_again(error: Exception) -> types.JSONRPCMessage | None:
    """The message in a line that the SDK could not read, or the answer to it; None for an empty line."""
    first = error.errors()[0] if isinstance(error, ValidationError) else None
    if first is None or first["type"] != "json_invalid":
        return _refused(types.INVALID_REQUEST, "This is JSON, but not a message of JSON-RPC 2.0.")
    line = str(first["input"])
    if not line.strip():
        return None
    try:
        message = json.loads(line, parse_int=_number)
        if not _can_be_echoed(message):
            return _refused(
                types.INVALID_REQUEST, "Only in the arguments of a tool may halves of characters and such numbers be."
            )
        return types.jsonrpc_message_adapter.validate_python(message, by_name=False)
    except (ValueError, RecursionError):
        return _refused(
            types.PARSE_ERROR, "This line is not JSON, or is nested too deeply: give the plan as JSON text."
        )


def _can_be_echoed(message: Any) -> bool:
    """Whether all of a message but the arguments of a tool can be written down again: an answer repeats its id, and an
    error may repeat anything. What the tools answer is made writable."""
    if isinstance(message, dict) and isinstance(message.get("params"), dict):
        parameters = {name: value for name, value in message["params"].items() if name != "arguments"}
        message = {**message, "params": parameters}
    try:
        json.dumps(message, ensure_ascii=False).encode("utf-8")
    except (UnicodeEncodeError, ValueError):  # of a number with too many digits
        return False
    return True


def _number(digits: str) -> int:
    return int(digits) if len(digits) <= LONGEST_NUMBER else _TOO_LARGE


def _refused(code: int, why: str) -> types.JSONRPCError:
    return types.JSONRPCError(jsonrpc="2.0", id=None, error=types.ErrorData(code=code, message=why))
