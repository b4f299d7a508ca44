"""Work in the background: one place, and at most one piece of work under each key.

Work that fails is logged and forgotten: the next call under its key starts afresh, whatever became of the last one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, TypeAlias

logger = logging.getLogger(__name__)

Start: TypeAlias = Callable[[], Coroutine[Any, Any, None]]
"""Makes the coroutine, so that none is made that is never run."""


class Background:
    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}

    def run(self, key: Hashable, start: Start) -> None:
        """Start work; what is still going on under the same key gives way."""
        self.cancel(key)
        task = asyncio.get_running_loop().create_task(start())
        self._tasks[key] = task
        task.add_done_callback(partial(self._ended, key))

    def ensure(self, key: Hashable, start: Start) -> None:
        """Start work, unless some is going on under the same key."""
        if not self.is_running(key):
            self.run(key, start)

    def cancel(self, key: Hashable) -> None:
        task = self._tasks.pop(key, None)
        if task is not None:
            task.cancel()

    def is_running(self, key: Hashable) -> bool:
        return key in self._tasks

    def _ended(self, key: Hashable, task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if not task.cancelled() and (failure := task.exception()) is not None:
            logger.error("Work in the background failed", exc_info=failure)
