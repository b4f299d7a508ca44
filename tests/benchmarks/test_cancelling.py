"""What waits for what in the server: edits for nothing, and requests not for others that were cancelled."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from itertools import count
from typing import Any

from benchmarks.measure import show
from lsp.plans import FAULTY
from lsp.wire import PULL, Wire, replace

URI = "file:///bench/load.plan.json"
DOCUMENT = {"textDocument": {"uri": URI}}
HOVER = {**DOCUMENT, "position": {"line": 4, "character": 20}}


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def cancelled(method: str, params: Any, number: int) -> list[dict[str, Any]]:
    """Requests, and right behind them the cancellation of each."""
    asked = [{"id": f"c{n}", "method": method, "params": params} for n in range(number)]
    return [*asked, *({"method": "$/cancelRequest", "params": {"id": ask["id"]}} for ask in asked)]


def test_an_edit_is_not_kept_waiting() -> None:
    """There is no timer: the diagnostics of an edit come as soon as they are known."""
    with Wire() as wire:
        wire.start()
        wire.open(URI, FAULTY)
        wire.published(URI, 1)

        versions = count(2)

        def edit() -> None:
            version = next(versions)
            wire.change(URI, version, replace(0, 1, 1, " "))
            wire.published(URI, version)

        edits, hovers = [], []
        for _ in range(40):
            edits.append(seconds(edit))
            hovers.append(seconds(lambda: wire.request("textDocument/hover", HOVER)))
        show("an edit until its diagnostics, to a hover", statistics.median(edits) / statistics.median(hovers), 20)


def test_a_hundred_cancelled_hovers_delay_the_next_request_little() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY)
        wire.pull(URI)
        alone, behind = [], []
        for _ in range(15):
            alone.append(seconds(lambda: [wire.request("textDocument/hover", HOVER) for _ in range(10)]))
            wire.send_all(cancelled("textDocument/hover", HOVER, 100))
            behind.append(seconds(lambda: wire.request("textDocument/foldingRange", DOCUMENT)))
        ratio = statistics.median(behind) / statistics.median(alone)
        show("a request behind 100 cancelled hovers, to 10 hovers", ratio, 8)


def test_a_hundred_cancelled_slow_requests_delay_the_next_one_little() -> None:
    nodes = ",\n".join(f'{{"idx": {i}, "agent": "a", "kind": "decision", "reads": ["r{i}"]}}' for i in range(3000))
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, f'{{"nodes": [\n{nodes}\n]}}')
        wire.pull(URI)
        slow = min(seconds(lambda: wire.request("textDocument/documentSymbol", DOCUMENT)) for _ in range(3))
        wire.send_all(cancelled("textDocument/documentSymbol", DOCUMENT, 100))
        took = seconds(lambda: wire.request("textDocument/hover", HOVER))
        show("a hover behind 100 cancelled lists of symbols, to one such list", took / slow, 10)
