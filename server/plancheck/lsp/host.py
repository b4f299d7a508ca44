"""What the surroundings of a server give it: a way to do long work elsewhere, and what runs the policies' patterns.

A host that has no threads or processes, such as a browser, hands in its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.workspace.regex_process import RegexProcess
    from plancheck.workspace.rego.asker import EngineAsker

T = TypeVar("T")


class Host(NamedTuple):
    offload: Callable[..., Awaitable[Any]]
    """Calls a function with arguments, where that does not keep the event loop from answering."""
    process: RegexProcess
    rego: Callable[[str | None], EngineAsker | None] = lambda _: None
    """Makes what evaluates Rego policies, by the program that the settings name; None where nothing can."""

    async def run(self, function: Callable[..., T], *args: object) -> T:
        """What a function returns that may take long."""
        found: T = await self.offload(function, *args)
        return found


def own_host() -> Host:
    """Threads, and a process of one's own."""
    from plancheck.workspace.regex_process import RegexProcess

    return Host(asyncio.to_thread, RegexProcess(), _own_asker)


def _own_asker(opa: str | None) -> EngineAsker:
    from plancheck.workspace.rego.asker import EngineAsker

    return EngineAsker(opa)
