"""Telling the editor how far a long piece of work is, and stopping it when the user says so."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, Iterable
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from plancheck.lsp.convert import messages

if TYPE_CHECKING:
    from plancheck.lsp.server import Server

Step = TypeVar("Step")

FEW = 20
"""Fewer steps than this are done before anybody could read the message."""


class Progress:
    """Work in steps. With a token of the editor's own it is reported there; else the editor is asked for one."""

    def __init__(self, server: Server, title: str, total: int, token: types.ProgressToken | None = None) -> None:
        self._server = server
        self._title = title
        self._total = total
        self._token = token
        self.cancelled = False

    async def over(self, steps: Iterable[Step]) -> AsyncGenerator[Step, None]:
        """The steps, one by one, as long as nobody cancels. The loop serves others in between."""
        token = await self._begin()
        try:
            for number, step in enumerate(steps):
                if self.cancelled:
                    return
                if token is not None and number % FEW == 0:
                    self._notify(token, messages.progress_report(number, self._total))
                yield step
                await asyncio.sleep(0)
        finally:
            if token is not None:
                self._server.running.pop(token, None)
                self._notify(token, messages.progress_end())

    async def _begin(self) -> types.ProgressToken | None:
        token = self._token
        if token is None:
            if not self._server.client.progress or self._total < FEW:
                return None
            token = f"plancheck-{uuid.uuid4()}"
            try:
                await self._server.window_work_done_progress_create_async(messages.progress_create(token))
            except JsonRpcException:
                return None
        self._server.running[token] = self
        self._notify(token, messages.progress_begin(self._title))
        return token

    def _notify(self, token: types.ProgressToken, value: object) -> None:
        self._server.progress(messages.progress(token, value))
