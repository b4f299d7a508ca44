"""Work in the background: replaced, cancelled, failed, and what is left of it then."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp.plans import FAULTY, HEALTHY
from lsp.wire import PULL, SERVER_PATH, Wire
from plancheck.lsp.background import Background
from plancheck.lsp.host import own_host
from plancheck.lsp.patterns import Patterns
from plancheck.lsp.pull import document as document_pull
from plancheck.lsp.requests.editing import code_action
from plancheck.lsp.server import Server
from plancheck.lsp.stepwise import in_steps
from plancheck.workspace.regex_process import RegexProcess

URI = "file:///tmp/background.plan.json"
NODES = ",\n".join(f'{{"idx": {i}, "agent": "a", "kind": "x", "reads": ["r{i}"]}}' for i in range(4_000))
LARGE = f'{{"nodes": [\n{NODES}\n]}}'


def failing_once(module: str, name: str) -> Wire:
    """A server in which a function fails the first time that it is called."""
    script = (
        f"import sys\nsys.path.insert(0, {SERVER_PATH!r})\n"
        f"import {module} as module\n"
        f"real, calls = module.{name}, []\n"
        "def fails_once(*arguments, **named):\n"
        "    calls.append(1)\n"
        "    if len(calls) == 1:\n"
        "        raise RuntimeError('once')\n"
        "    return real(*arguments, **named)\n"
        f"module.{name} = fails_once\n"
        "from plancheck.lsp.server import main\n"
        "sys.exit(main([]))\n"
    )
    return Wire((sys.executable, "-c", script))


# ---- the place itself


async def test_work_under_the_same_key_gives_way() -> None:
    background, done = Background(), []

    async def work(name: str) -> None:
        await asyncio.sleep(0)
        done.append(name)

    for name in ("first", "second"):
        background.run("key", lambda name=name: work(name))  # type: ignore[misc]
    background.run("other", lambda: work("other"))
    background.ensure("key", lambda: work("third"))
    while background.is_running("key") or background.is_running("other"):
        await asyncio.sleep(0)
    assert done == ["second", "other"]
    background.ensure("key", lambda: work("third"))
    background.cancel("key")
    await asyncio.sleep(0.01)
    assert done == ["second", "other"]


async def test_work_that_failed_is_logged_and_forgotten(caplog: pytest.LogCaptureFixture) -> None:
    background, done = Background(), []

    async def work(*, fails: bool) -> None:
        if fails:
            raise RuntimeError("broken")
        done.append(1)

    with caplog.at_level(logging.ERROR):
        background.run("key", lambda: work(fails=True))
        while background.is_running("key"):
            await asyncio.sleep(0)
    assert [record.exc_info[1].args for record in caplog.records if record.exc_info and record.exc_info[1]] == [
        ("broken",)
    ]
    background.ensure("key", lambda: work(fails=False))
    while background.is_running("key"):
        await asyncio.sleep(0)
    assert done == [1]


# ---- failures


def test_one_failure_does_not_end_the_pushing_of_a_document() -> None:
    with failing_once("plancheck.lsp.convert.findings", "render") as wire:
        wire.start()
        wire.open(URI, FAULTY)
        wire.until(lambda m: m.get("method") == "window/logMessage" and "failed" in m["params"]["message"])
        wire.change(URI, 2, {"text": FAULTY + " "})
        assert wire.published(URI, 2)


def test_a_large_text_whose_analysis_failed_once_is_analysed_when_next_asked_for() -> None:
    with failing_once("plancheck.analysis.engine", "analyze") as wire:
        wire.start(PULL)
        wire.open(URI, LARGE)
        assert wire.error("textDocument/diagnostic", {"textDocument": {"uri": URI}})["code"] == -32603
        assert len(LARGE) > 200_000
        assert wire.pull(URI)["items"]


# ---- documents that come and go


def test_a_document_opened_again_is_the_only_one_that_is_published() -> None:
    documents = [{"uri": URI, "languageId": "json", "version": 1, "text": text} for text in (FAULTY, HEALTHY)]
    with Wire() as wire:
        wire.start()
        wire.send_all([{"method": "textDocument/didOpen", "params": {"textDocument": each}} for each in documents])
        published = [m["params"]["diagnostics"] for m in wire.quiet(1) if "publish" in m.get("method", "")]
        assert published[-1] == []
        wire.change(URI, 2, {"text": FAULTY})
        assert wire.published(URI, 2)


# ---- patterns


def test_questions_asked_while_others_are_answered_are_answered_too() -> None:
    """A question may come in wherever Python switches threads: here one does, at every such point."""
    patterns = Patterns(RegexProcess())
    asked: list[tuple[str, str]] = []

    def ask(*_: Any) -> Any:
        if len(asked) < 40:
            asked.append((f"(a+)+{len(asked)}$", "aa"))
            patterns(*asked[-1])
        return ask

    def trace(frame: FrameType, *_: Any) -> Any:
        if frame.f_code.co_name != "answer":
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return ask

    before = sys.gettrace()
    patterns("(a+)+$", "aa")
    sys.settrace(trace)
    try:
        patterns.answer()
    finally:
        sys.settrace(before)
    assert len(asked) == 40
    assert all(patterns.process.known(*question) == () for question in asked)


# ---- cancelling


async def test_a_cancellation_ends_work_in_a_thread() -> None:
    parts: list[int] = []

    def work() -> Iterator[int]:
        for number in range(1_000):
            time.sleep(0.005)
            parts.append(number)
            yield number

    async def wait() -> None:
        async for _ in in_steps(work(), own_host()):
            pass

    task = asyncio.create_task(wait())
    while not parts:
        await asyncio.sleep(0.005)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0.3)
    assert len(parts) < 50
    assert [part async for part in in_steps(iter(range(5)), own_host())] == [0, 1, 2, 3, 4]


async def test_cancelled_code_actions_do_not_keep_their_thread_busy(tmp_path: Path) -> None:
    nodes = ",\n".join(f'{{"idx": {i}, "agent": "a", "kind": "desicion", "writes": ["w{i}"]}}' for i in range(1_000))
    server = Server()
    uri = (tmp_path / "busy.plan.json").as_uri()
    everything = types.Range(types.Position(0, 0), types.Position(2_000, 0))
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), everything, types.CodeActionContext([]))

    async def cpu_of_request(*, cancelled: bool) -> float:
        """What a request costs, cancelled as soon as its thread is at work or not, until nothing is going on."""
        document = server.session.open(uri, 1, f'{{"nodes": [\n{nodes}\n]}}')
        await document.snapshot()
        start = time.process_time()
        task = asyncio.create_task(code_action(server, params))
        if cancelled:
            await asyncio.sleep(0.01)
            task.cancel()
        else:
            await task
        await _idle()
        return time.process_time() - start

    whole = await cpu_of_request(cancelled=False)
    assert await cpu_of_request(cancelled=True) < 0.5 * whole


async def _idle() -> None:
    while True:
        before = time.process_time()
        await asyncio.sleep(0.1)
        if time.process_time() - before < 0.02:
            return


async def test_a_pull_that_a_second_opening_overtakes_is_asked_again(tmp_path: Path) -> None:
    """The answer of a document that is no longer the open one would be about another text."""
    uri = (tmp_path / "large.plan.json").as_uri()
    server = Server()
    server.session.configured.set()
    server.session.open(uri, 1, LARGE)
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    task = asyncio.create_task(document_pull(server, params))
    await asyncio.sleep(0.001)
    server.session.open(uri, 1, "{}")
    with pytest.raises(JsonRpcException) as raised:
        await task
    assert raised.value.data == {"retriggerRequest": True}
