"""Bursts and cancellation: what many messages at once come to."""

from __future__ import annotations

from typing import Any

from lsp.plans import FAULTY
from lsp.wire import PULL, Wire, replace

URI = "file:///tmp/load.plan.json"


def test_two_hundred_edits_end_with_one_current_set_of_diagnostics() -> None:
    with Wire() as wire:
        wire.start()
        wire.open(URI, FAULTY)
        wire.published(URI, 1)
        typed = "x" * 200
        line = FAULTY.split("\n")[4]
        at = line.index("intake-agent")
        edits = [
            {"textDocument": {"uri": URI, "version": 2 + n}, "contentChanges": [replace(4, at + n, at + n, char)]}
            for n, char in enumerate(typed)
        ]
        wire.send_all([{"method": "textDocument/didChange", "params": edit} for edit in edits])
        current = wire.published(URI, 201)
        messages = [m for m in [*wire.log, *wire.quiet(0.5)] if m.get("method") == "textDocument/publishDiagnostics"]
        versions = [message["params"]["version"] for message in messages]
        assert versions.count(201) == 1, "exactly one current set"
        assert versions == sorted(versions), "nothing stale after something newer"
        assert versions[-1] == 201
        assert len(versions) < 50, "edits that came together were taken together"
        assert wire.request(
            "textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 4, "character": at + 3}}
        )
        wire.open("file:///tmp/fresh.plan.json", "\n".join(_edited(FAULTY.split("\n"), at, typed)))
        fresh = wire.published("file:///tmp/fresh.plan.json")
        assert [item["range"] for item in fresh] == [item["range"] for item in current]


def _edited(lines: list[str], at: int, typed: str) -> list[str]:
    lines[4] = lines[4][:at] + typed + lines[4][at:]
    return lines


def hovers(count: int) -> list[dict[str, Any]]:
    params = {"textDocument": {"uri": URI}, "position": {"line": 4, "character": 20}}
    return [{"id": f"h{n}", "method": "textDocument/hover", "params": params} for n in range(count)]


def test_a_hundred_hovers_sent_and_cancelled_are_answered_and_hardly_one_is_worked_out() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY)
        wire.pull(URI)
        for _ in range(15):
            cancels = [{"method": "$/cancelRequest", "params": {"id": f"h{n}"}} for n in range(100)]
            wire.send_all([*hovers(100), *cancels])
            assert wire.request("textDocument/foldingRange", {"textDocument": {"uri": URI}})
        answers = [message for message in wire.log if str(message.get("id")).startswith("h")]
        cancelled = [message for message in answers if message.get("error", {}).get("code") == -32800]
        assert len(answers) == 1500
        assert len(cancelled) > 1000


def test_a_cancellation_of_something_unknown_or_done_is_nothing() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY)
        wire.notify("$/cancelRequest", {"id": 77})
        wire.notify("$/cancelRequest", {"id": "what"})
        number = wire.ask(
            "textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 4, "character": 20}}
        )
        assert wire.answer(number)["result"]
        wire.notify("$/cancelRequest", {"id": number})
        assert wire.pull(URI)["items"]


def test_a_large_plan_is_read_while_the_server_goes_on_answering() -> None:
    nodes = ",\n".join(f'{{"idx": {i}, "agent": "a", "kind": "decision", "reads": ["r{i}"]}}' for i in range(10_000))
    with Wire() as wire:
        wire.start()
        wire.open("file:///tmp/small.plan.json", FAULTY)
        wire.published("file:///tmp/small.plan.json", 1)
        wire.open(URI, f'{{"nodes": [\n{nodes}\n]}}')
        small = {"textDocument": {"uri": "file:///tmp/small.plan.json"}, "position": {"line": 4, "character": 20}}
        assert wire.request("textDocument/hover", small)
        assert not any(m.get("params", {}).get("uri") == URI for m in wire.log), (
            "the hover did not wait for the large plan"
        )
        wire.change(URI, 2, replace(1, 0, 1, "["))
        assert wire.published(URI, 2, timeout=60)
        versions = [m["params"]["version"] for m in wire.log if m.get("params", {}).get("uri") == URI]
        assert versions[-1] == 2
        assert versions == sorted(versions)
