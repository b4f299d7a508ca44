"""The arguments of our own commands, and the errors about them."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams


def text_at(arguments: tuple[object, ...], position: int) -> str:
    found = arguments[position] if position < len(arguments) else None
    return found if isinstance(found, str) else ""


def invalid(message: str) -> JsonRpcException:
    return JsonRpcInvalidParams(message)


def failed(message: str) -> JsonRpcException:
    return JsonRpcException(message, code=int(types.LSPErrorCodes.RequestFailed))
