"""Of plans that nobody opened only so much is held in memory."""

from __future__ import annotations

import asyncio
import gc
import json
import weakref
from pathlib import Path

from plancheck.lsp.identity import file_at
from plancheck.lsp.plan_files import MOST_CACHED
from plancheck.lsp.server import Server

LENGTH = 300_000
FITTING = MOST_CACHED // LENGTH


def _large_plan(folder: Path, name: str, length: int = LENGTH) -> str:
    """A plan file of exactly so many characters, and quick to analyse."""
    plan = {"nodes": [], "note": ""}
    plan["note"] = "x" * (length - len(json.dumps(plan)))
    path = folder / f"{name}.plan.json"
    path.write_text(json.dumps(plan))
    assert path.stat().st_size == length
    return str(path)


class _Reader:
    """Asks for the snapshots of unopened plans and knows which of them are still held."""

    def __init__(self) -> None:
        self._files = Server().plan_files
        self._seen: dict[str, weakref.ref[object]] = {}

    async def ask(self, path: str) -> bool:
        """Look at a file; whether its snapshot was still there."""
        known = self._seen.get(path, lambda: None)()
        snapshot = await self._files.snapshot(file_at(path))
        assert snapshot is not None
        self._seen[path] = weakref.ref(snapshot)
        return known is snapshot

    def held(self) -> list[str]:
        gc.collect()
        return [path for path, reference in self._seen.items() if reference() is not None]


def test_of_unopened_plans_no_more_text_is_held_than_the_limit(tmp_path: Path) -> None:
    paths = [_large_plan(tmp_path, f"{number:02}") for number in range(FITTING + 4)]

    async def look_at_all() -> None:
        reader = _Reader()
        for count, path in enumerate(paths, 1):
            await reader.ask(path)
            assert reader.held() == paths[max(0, count - FITTING) : count]

    asyncio.run(look_at_all())


def test_the_plan_that_was_not_asked_for_longest_goes_first(tmp_path: Path) -> None:
    *paths, last = [_large_plan(tmp_path, f"{number:02}") for number in range(FITTING + 1)]

    async def look() -> None:
        reader = _Reader()
        for path in paths:
            assert not await reader.ask(path)
        assert await reader.ask(paths[0])
        assert not await reader.ask(last)
        assert reader.held() == [paths[0], *paths[2:], last]

    asyncio.run(look())


def test_a_plan_larger_than_the_limit_is_held_alone(tmp_path: Path) -> None:
    small, huge = _large_plan(tmp_path, "small", 1_000), _large_plan(tmp_path, "huge", MOST_CACHED + 1)

    async def look() -> None:
        reader = _Reader()
        for path in (small, huge):
            assert not await reader.ask(path)
        assert await reader.ask(huge)
        assert reader.held() == [huge]

    asyncio.run(look())
