"""The traps of pygls that were reproduced (design notes on editors, section 2), each with a test that falls into it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lsp.plans import FAULTY
from lsp.wire import PULL, SERVER_PATH, Wire, replace
from plancheck.lsp.protocol import REPLACED
from plancheck.text import Encoding, LineIndex

URI = "file:///tmp/trap.plan.json"


@pytest.mark.parametrize("strange", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_1_a_line_ends_only_where_the_protocol_says(strange: str) -> None:
    """`str.splitlines` would edit the wrong line, and the document would be broken from then on."""
    last = '{"idx": 1, "agent": "c", "kind": "x"}'
    text = f'{{"nodes": [\n{{"idx": 0, "agent": "a{strange}b", "kind": "decision"}},\n{last}\n]}}'
    with Wire() as wire:
        wire.start(PULL, options={"reportedByEditor": ["syntax_error"]})  # JSON wants some of them escaped
        wire.open(URI, text)
        assert [item["code"] for item in wire.pull(URI)["items"]] == ["unknown_kind"]
        start = last.index('"x"')
        wire.change(URI, 2, replace(2, start, start + 3, '"decision"'))
        assert wire.pull(URI)["items"] == []


def test_2_cancelled_requests_delay_nothing() -> None:
    """A hundred slow requests sent and cancelled at once: hardly one of them is worked out before the next is answered.

    The slow request is a document symbol request on a big plan, some hundred milliseconds each.
    """
    nodes = ",\n".join(f'{{"idx": {i}, "agent": "a", "kind": "decision", "reads": ["r{i}"]}}' for i in range(3000))
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, f'{{"nodes": [\n{nodes}\n]}}')
        wire.pull(URI)
        document = {"textDocument": {"uri": URI}}
        slow_one = {"method": "textDocument/documentSymbol", "params": document}
        messages: list[dict[str, Any]] = [{"id": f"s{number}", **slow_one} for number in range(100)]
        messages += [{"method": "$/cancelRequest", "params": {"id": f"s{number}"}} for number in range(100)]
        wire.send_all(messages)
        hover = {**document, "position": {"line": 1, "character": 3}}
        assert wire.request("textDocument/hover", hover) is not None
        codes = [
            message["error"]["code"]
            for message in wire.log
            if str(message.get("id")).startswith("s") and "error" in message
        ]
        assert codes.count(-32800) >= 90


def test_3_a_cancelled_pull_keeps_the_squiggles() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY)
        params = {"textDocument": {"uri": URI}}
        wire.send_all(
            [
                {"id": "p", "method": "textDocument/diagnostic", "params": params},
                {"method": "$/cancelRequest", "params": {"id": "p"}},
            ]
        )
        error = wire.answer("p")["error"]
        assert (error["code"], error["data"]) == (-32802, {"retriggerRequest": True})


def test_3_a_pull_that_an_edit_overtakes_is_to_be_asked_again() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY)
        params = {"textDocument": {"uri": URI}}
        change = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": "{}"}]}
        wire.send_all(
            [
                {"id": 1001, "method": "textDocument/diagnostic", "params": params},
                {"method": "textDocument/didChange", "params": change},
                {"id": 1002, "method": "textDocument/diagnostic", "params": params},
            ]
        )
        error = wire.answer(1001)["error"]
        assert (error["code"], error["data"]) == (-32802, {"retriggerRequest": True})
        assert [item["code"] for item in wire.answer(1002)["result"]["items"]] == ["not_a_plan"]


def test_4_push_or_pull_and_never_both() -> None:
    with Wire() as wire:
        provider = wire.start(PULL)["diagnosticProvider"]
        assert provider["workspaceDiagnostics"] is True
        wire.open(URI, FAULTY)
        assert wire.pull(URI)["items"]
        assert not any(message.get("method") == "textDocument/publishDiagnostics" for message in wire.quiet())
    with Wire() as wire:
        assert "diagnosticProvider" not in wire.start()
        wire.open(URI, FAULTY)
        assert wire.published(URI, 1)
        assert wire.error("textDocument/diagnostic", {"textDocument": {"uri": URI}})["code"] == -32601


def test_5_a_position_costs_the_same_in_a_large_text() -> None:
    """One line table a version: pygls takes 28 ms for a position in 100,000 lines."""
    lines = LineIndex("x\n" * 100_000)
    start = time.process_time()
    for line in range(0, 100_000, 100):
        lines.offset(line, 1, Encoding.UTF16)
    assert (time.process_time() - start) / 1_000 < 0.001


def test_5_documents_of_pygls_are_not_kept() -> None:
    script = (
        "import asyncio\n"
        "from plancheck.lsp.server import Server\n"
        "from plancheck.lsp.protocol import REPLACED\n"
        "async def main():\n"
        "    server = Server()\n"
        "    print(sorted(set(REPLACED) & set(server.protocol.fm.builtin_features)))\n"
        "asyncio.run(main())\n"
    )
    assert "textDocument/didChange" in REPLACED
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_6_what_is_printed_does_not_get_into_the_stream() -> None:
    """A print in some library, at any time, goes to standard error."""
    script = (
        "import builtins, sys\n"
        f"sys.path.insert(0, {SERVER_PATH!r})\n"
        "from plancheck.lsp import session\n"
        "def noisy(uri, old=session.path_of):\n"
        "    print('noise')\n"
        "    sys.__stdout__.write('more noise\\n'); sys.__stdout__.flush()\n"
        "    return old(uri)\n"
        "session.path_of = noisy\n"
        "from plancheck.lsp.server import main\n"
        "sys.exit(main([]))\n"
    )
    with Wire((sys.executable, "-c", script)) as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY)
        assert wire.pull(URI)["items"]
        assert wire.stop() == 0
        assert wire.process.stderr is not None
        assert b"noise" in wire.process.stderr.read()


def test_6_a_failing_notification_opens_no_message_box() -> None:
    with Wire() as wire:
        wire.start()
        for _ in range(5):
            wire.notify("textDocument/didChange", {"textDocument": 7})
            wire.notify("textDocument/didOpen", {"textDocument": {"uri": 1}})
        assert not any(message.get("method") == "window/showMessage" for message in wire.quiet())
        wire.open(URI, FAULTY)
        assert wire.published(URI, 1)


def test_7_the_command_line_imports_no_protocol() -> None:
    script = (
        "import sys; sys.argv = ['plancheck', 'check', '--fail-on', 'never', sys.argv[1]]\n"
        "from plancheck.__main__ import main; main()\n"
        "print([name for name in ('pygls', 'lsprotocol', 'networkx') if name in sys.modules], file=sys.stderr)\n"
    )
    plan = Path(__file__).parents[2] / "examples/declared/refund.plan.json"
    done = subprocess.run([sys.executable, "-c", script, str(plan)], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_7_the_handshake_imports_no_analysis() -> None:
    script = (
        "import sys\nimport plancheck.lsp.server\n"
        "print([name for name in ('networkx', 'plancheck.analysis.rules') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("levels", [700, 40_000])
def test_8_a_selection_can_be_widened_however_deep_the_text_is_nested(levels: int) -> None:
    """Each range is an object inside the one before: a writer or reader of JSON that calls itself gives up on that."""
    text = '{"nodes": [], "deep": ' + "[" * levels + "7" + "]" * levels + "}"
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, text)
        positions = [{"line": 0, "character": text.index("7")}, {"line": 0, "character": 3}]
        params = {"textDocument": {"uri": URI}, "positions": positions}
        deep, shallow = wire.request("textDocument/selectionRange", params, timeout=120)
        chain = [deep]
        while "parent" in chain[-1]:
            chain.append(chain[-1]["parent"])
        assert 100 < len(chain) <= 200
        starts = [found["range"]["start"]["character"] for found in chain]
        assert starts == sorted(starts, reverse=True)
        assert chain[-1]["range"]["end"]["character"] == len(text), "the last one is the whole document"
        assert "parent" in shallow
