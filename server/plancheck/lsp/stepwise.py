"""Long work that a cancellation ends: the work is an iterator, and whoever waits asks for each part."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from typing import TypeVar

from plancheck.lsp.host import Host

Part = TypeVar("Part")

SLICE = 0.02
"""Seconds after which the thread comes back to ask whether anybody still waits."""


async def in_steps(work: Iterator[Part], host: Host) -> AsyncIterator[Part]:
    """What an iterator yields, worked out elsewhere. When the one who waits is cancelled, nothing further is."""
    while parts := await host.run(_some, work):
        for part in parts:
            yield part


def _some(work: Iterator[Part]) -> list[Part]:
    """As many parts as come in a short time, at least one; none at the end."""
    end = time.monotonic() + SLICE
    found: list[Part] = []
    for part in work:
        found.append(part)
        if time.monotonic() > end:
            break
    return found
