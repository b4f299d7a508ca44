"""The JSON-RPC side of pygls, made to answer every request, whatever is in it, and to keep tracebacks to the log."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from cattrs.errors import BaseValidationError, StructureHandlerNotFoundError
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

from plancheck.lsp.convert.mapper import Encoded
from plancheck.lsp.jsonrpc import error_answer, known_id

logger = logging.getLogger(__name__)

_MALFORMED = (
    BaseValidationError,
    StructureHandlerNotFoundError,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    IndexError,
)
"""What the converter raises on messages that do not follow the protocol."""

REPLACED = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
    types.WORKSPACE_EXECUTE_COMMAND,
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL,
)
"""What pygls would do itself, and does not here. Its documents split lines at U+2028 and at a form feed, which editors
do not, and split the text anew at every position they convert; its commands want annotations evaluated at run time."""

PULLS = (types.TEXT_DOCUMENT_DIAGNOSTIC, types.WORKSPACE_DIAGNOSTIC)


def retrigger() -> JsonRpcException:
    """The answer to a pull that was overtaken: the editor keeps what it shows and asks again."""
    return JsonRpcException(
        "The document changed: please ask again.",
        code=int(types.LSPErrorCodes.ServerCancelled),
        data={"retriggerRequest": True},
    )


class Protocol(LanguageServerProtocol):
    def __init__(self, server: Any, converter: Any) -> None:
        self._initialized = False  # pygls reads every property while it sets itself up
        super().__init__(server, converter)
        for method in REPLACED:
            self.fm.builtin_features.pop(method, None)
        self.exited = asyncio.Event()
        self.inbox: deque[bytes] = deque()
        self.take_in: Callable[[], None] = lambda: None
        """Set by the transport: puts into the inbox what has arrived and nobody has read yet."""
        self._pulls: dict[int | str, str] = {}
        """The pulls for diagnostics that wait for their answer, and the documents they ask about."""

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: object) -> Any:
        """End the server; the transport sees to the rest."""
        self.exited.set()

    @property
    def exit_code(self) -> int:
        """As the protocol asks: an exit without a shutdown before it is an error."""
        return 0 if self._shutdown else 1

    @property
    def is_running(self) -> bool:
        """Whether the client may be sent messages."""
        return self._initialized and not self._shutdown

    def supersede(self, uri: str) -> None:
        """Give up the pulls that came before an edit of the document; the editor is told to ask again."""
        for msg_id in [msg_id for msg_id, asked in self._pulls.items() if asked == uri]:
            self._handle_cancel_notification(msg_id)

    def drain(self) -> None:
        """Handle the messages that another thread has put into the inbox."""
        while self.inbox:
            self.receive(self.inbox.popleft())

    async def _run(self, handler: Any, params: Any) -> Any:
        """Run a handler behind every message that has arrived: one of them may cancel it, or change its document."""
        self.take_in()
        if self.inbox:
            self.drain()
            await asyncio.sleep(0)
        return await handler(params)

    def receive(self, body: bytes) -> None:
        """Handle one message."""
        try:
            data = json.loads(body)
        except (ValueError, RecursionError) as error:
            logger.warning("A message is not JSON: %s", error)
            self._refuse(None, JsonRpcParseError())
            return
        msg_id = known_id(data)
        if not isinstance(data, dict) or data.get("jsonrpc") != self.VERSION:
            logger.warning("A message is not JSON-RPC 2.0")
            self._refuse(msg_id, JsonRpcInvalidRequest())
            return
        method, has_id = data.get("method"), "id" in data
        if has_id and msg_id is None:
            self._refuse(None, JsonRpcInvalidRequest())
        elif not isinstance(method, str):
            if has_id and msg_id in self._request_futures and ("result" in data or "error" in data):
                self._receive_answer(data)
            elif has_id and "result" not in data and "error" not in data:
                self._refuse(msg_id, JsonRpcInvalidRequest())
        elif has_id:
            assert msg_id is not None
            self._receive_request(msg_id, method, data)
        else:
            self._receive_notification(method, data)

    def _receive_request(self, msg_id: int | str, method: str, data: dict[str, Any]) -> None:
        try:
            if self._shutdown or (method == types.INITIALIZE and self._initialized):
                raise JsonRpcInvalidRequest
            if not self._initialized and method != types.INITIALIZE:
                raise JsonRpcServerNotInitialized
            self._get_handler(method)
            params = self._params(method, data)
        except JsonRpcException as error:
            logger.warning("Request %s %r refused: %s", method, msg_id, error)
            self._refuse(msg_id, error)
            return
        self._initialized = True
        self._ctx_msg_id.set(msg_id)
        handler: Any = self._get_handler(method)
        is_async = asyncio.iscoroutinefunction(handler)
        run: Any = self._run if is_async else handler
        self._execute_handler(
            msg_id=msg_id,
            handler=run,
            args=(handler, params) if is_async else (params,),
            callback=partial(self._answer, msg_id=msg_id, method=method),
        )
        if method == types.TEXT_DOCUMENT_DIAGNOSTIC:
            self._pulls[msg_id] = params.text_document.uri

    def _receive_notification(self, method: str, data: dict[str, Any]) -> None:
        if method != types.EXIT and (self._shutdown or not self._initialized):
            return
        try:
            params = self._params(method, data)
            handler: Any = self.fm.features.get(method)
            if handler is None or method in self.fm.builtin_features or asyncio.iscoroutinefunction(handler):
                self._handle_notification(method, params)
            else:  # pygls would make a future for it, which nobody waits for
                handler(params)
        except JsonRpcException as error:
            logger.warning("Notification %s ignored: %s", method, error)
        except Exception:
            logger.exception("Notification %s failed", method)

    def _receive_answer(self, data: dict[str, Any]) -> None:
        future = self._request_futures.pop(data["id"])
        result_type = self._result_types.pop(data["id"], None)
        if future.done():
            return
        try:
            if "error" in data:
                message = self._converter.structure(data, types.ResponseErrorMessage)
                future.set_exception(
                    JsonRpcException.from_error(message.error or JsonRpcInternalError().to_response_error())
                )
            else:
                future.set_result(
                    self._converter.structure(data, result_type).result if result_type else data["result"]
                )
        except _MALFORMED as error:
            logger.warning("The answer to %r cannot be read: %s", data["id"], error)
            future.set_exception(JsonRpcInvalidParams())

    def _params(self, method: str, data: dict[str, Any]) -> Any:
        """The message's parameters as lsprotocol has them; those of our own requests stay plain."""
        message_type = self.get_message_type(method)
        if message_type is None:
            return data.get("params")
        try:
            return getattr(self._converter.structure(data, message_type), "params", None)
        except _MALFORMED as error:
            logger.debug("Parameters of %s: %s", method, error)
            raise JsonRpcInvalidParams(f"The parameters of {method} do not follow the protocol.") from error

    def _answer(self, future: Any, *, msg_id: int | str, method: str) -> None:
        """Send what a handler came to."""
        self._request_futures.pop(msg_id, None)
        self._pulls.pop(msg_id, None)
        if future.cancelled():
            error = retrigger() if method in PULLS else JsonRpcRequestCancelled()
        elif (failure := future.exception()) is None:
            # A plain envelope: pygls' own would have the converter look at every value of a plain result, too.
            self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "result": future.result()})
            return
        elif isinstance(failure, JsonRpcException):
            error = failure
        else:
            logger.error("%s failed", method, exc_info=failure)
            error = JsonRpcInternalError(f"{method} failed: see the server's log.")
        self._refuse(msg_id, error)

    def _send_data(self, data: Any) -> None:
        """As pygls sends it; a result that is encoded already goes out as it is."""
        result = data.get("result") if isinstance(data, dict) else None
        if not isinstance(result, Encoded) or self.writer is None:
            super()._send_data(data)
            return
        body = f'{{"jsonrpc": "{self.VERSION}", "id": {json.dumps(data["id"])}, "result": {result}}}'
        header = f"Content-Length: {len(body)}\r\n\r\n" if self._include_headers else ""
        sent = self.writer.write((header + body).encode(self.CHARSET))
        if inspect.isawaitable(sent):
            asyncio.ensure_future(sent)  # noqa: RUF006 - as pygls does; the transport keeps it

    def notify_plain(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification that is made of plain values already."""
        self._send_data({"jsonrpc": self.VERSION, "method": method, "params": params})

    def _refuse(self, msg_id: int | str | None, error: JsonRpcException) -> None:
        """Answer with an error; with the id `null`, which pygls would leave out, where none could be made out."""
        self._send_data(error_answer(msg_id, error.code, error.message, error.data))

    def _check_handler_result(self, future: Any) -> None:
        """Log what went wrong with a notification; nobody waits for its answer."""
        if not future.cancelled() and (failure := future.exception()) is not None:
            logger.error("A notification failed", exc_info=failure)

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.cancel()
