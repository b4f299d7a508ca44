"""What the server has to say about itself goes to the editor's log, never into a message box or onto stdout."""

from __future__ import annotations

import logging
import traceback
from typing import TYPE_CHECKING

from plancheck.lsp.convert import messages

if TYPE_CHECKING:
    from plancheck.lsp.server import Server

_LEVELS = ((logging.ERROR, 1), (logging.WARNING, 2), (logging.INFO, 3), (logging.NOTSET, 4))
"""Python's levels and the protocol's."""


class ClientLog(logging.Handler):
    """Sends log records to the editor: one line each; a traceback only into the trace, where it was asked for."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self._server = server

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        verbose = None
        if record.exc_info and record.exc_info[0] is not None:
            message = f"{message} ({record.exc_info[0].__name__}: {record.exc_info[1]})"
            verbose = "".join(traceback.format_exception(*record.exc_info))
        level = next(number for least, number in _LEVELS if record.levelno >= least)
        self._server.tell(messages.log_message(level, message))
        self._server.trace(message, verbose)
