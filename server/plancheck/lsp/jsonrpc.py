"""JSON-RPC's envelope, as far as it is needed without a session."""

from __future__ import annotations

import json
from typing import Any

VERSION = "2.0"
INVALID_REQUEST = -32600


def known_id(message: object) -> int | str | None:
    """The id that an answer to the message has; None, as the standard asks, where it cannot be made out."""
    found = message.get("id") if isinstance(message, dict) else None
    return found if isinstance(found, int | str) and not isinstance(found, bool) else None


def id_in(body: bytes) -> int | str | None:
    """The same for a message that nobody has read yet."""
    try:
        return known_id(json.loads(body))
    except (ValueError, RecursionError):
        return None


def error_answer(msg_id: int | str | None, code: int, message: str, data: Any = None) -> dict[str, Any]:
    error = {"code": code, "message": message}
    return {"jsonrpc": VERSION, "id": msg_id, "error": error if data is None else {**error, "data": data}}


def framed(message: dict[str, Any]) -> bytes:
    """A message as it goes over a stream."""
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
