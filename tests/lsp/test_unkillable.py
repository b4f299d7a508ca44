"""Whatever is sent, the server answers an error or nothing, lives on, and the next good request is right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from lsp.plans import FAULTY
from lsp.wire import PULL, Wire

URI = "file:///tmp/fuzz.plan.json"
UNKNOWN = "file:///tmp/never-opened.plan.json"

POSITIONS: list[Any] = [
    {"line": 0, "character": 0},
    {"line": 10**9, "character": 10**9},
    {"line": 4, "character": 10**9},
    {"line": -1, "character": -7},
    {"line": 2**31, "character": 0},
]
AT = {"textDocument": {"uri": URI}}
RANGES = [{"start": a, "end": b} for a in POSITIONS for b in POSITIONS]

REQUESTS: dict[str, dict[str, Any]] = {
    "textDocument/hover": {"position": None},
    "textDocument/definition": {"position": None},
    "textDocument/references": {"position": None, "context": {"includeDeclaration": True}},
    "textDocument/documentHighlight": {"position": None},
    "textDocument/completion": {"position": None},
    "textDocument/prepareRename": {"position": None},
    "textDocument/rename": {"position": None, "newName": 'a"\n😀'},
    "textDocument/prepareCallHierarchy": {"position": None},
    "textDocument/selectionRange": {"positions": POSITIONS},
    "textDocument/inlayHint": {"range": None},
    "textDocument/codeAction": {"range": None, "context": {"diagnostics": []}},
    "textDocument/codeLens": {},
    "textDocument/documentSymbol": {},
    "textDocument/foldingRange": {},
    "textDocument/documentLink": {},
    "textDocument/diagnostic": {},
    "plancheck/graph": {},
    "plancheck/report": {},
}


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY)
        yield wire


@pytest.fixture(autouse=True)
def still_right(wire: Wire) -> Iterator[None]:
    """After each test the server gives the answers that it gave before."""
    before = good(wire)
    yield
    assert good(wire) == before
    assert wire.process.poll() is None
    assert not any(message.get("method") == "window/showMessage" for message in wire.log)
    told = json.dumps([m for m in wire.log if "error" in m or m.get("method") == "window/logMessage"])
    assert "Traceback" not in told
    assert 'File \\"' not in told


def good(wire: Wire) -> list[Any]:
    position = {"line": 4, "character": 20}
    return [wire.request("textDocument/hover", {**AT, "position": position}), wire.pull(URI)["items"]]


def filled(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "position" in params:
        yield from ({**params, "position": position} for position in POSITIONS)
    elif "range" in params:
        yield from ({**params, "range": range_} for range_ in RANGES)
    else:
        yield params


@pytest.mark.parametrize("method", REQUESTS)
def test_positions_anywhere(wire: Wire, method: str) -> None:
    """Past the end, negative, the wrong way round: an answer, or an error of the protocol."""
    for params in filled(REQUESTS[method]):
        answer = wire.answer(wire.ask(method, {**AT, **params}))
        assert "result" in answer or answer["error"]["code"] in (-32602, -32803), answer


@pytest.mark.parametrize("method", REQUESTS)
def test_unknown_documents(wire: Wire, method: str) -> None:
    for uri in (UNKNOWN, "", "nonsense", "http://x/y.plan.json", "file://", "file:///%00.plan.json", "file:///tmp"):
        params = next(filled(REQUESTS[method]))
        if "positions" in params:
            params = {"positions": POSITIONS[:1]}
        answer = wire.answer(wire.ask(method, {**params, "textDocument": {"uri": uri}}))
        assert "result" in answer, answer
        empty = answer["result"] in (None, []) or answer["result"].get("items") == []
        assert empty, answer


STRANGE: list[Any] = [None, 7, -1, "text", [], {}, [[]], {"uri": 1}, True, 1.5, {"line": "x"}, "😀\ud800", 10**40]


def spoilt(value: Any, random: Random) -> Any:
    """A value with one thing in it replaced by something else."""
    if isinstance(value, dict) and value and random.random() < 0.8:
        key = random.choice(list(value))
        if random.random() < 0.2:
            return {name: inner for name, inner in value.items() if name != key}
        return {**value, key: spoilt(value[key], random)}
    if isinstance(value, list) and value and random.random() < 0.8:
        at = random.randrange(len(value))
        return [*value[:at], spoilt(value[at], random), *value[at + 1 :]]
    return random.choice(STRANGE)


@pytest.mark.parametrize("seed", range(4))
def test_requests_with_wrong_types(wire: Wire, seed: int) -> None:
    random = Random(seed)
    ids = []
    for _ in range(100):
        method = random.choice([*REQUESTS, "workspace/symbol", "workspace/executeCommand", "codeAction/resolve"])
        params = next(filled(REQUESTS.get(method, {"query": "a", "command": "plancheck.showRule", "arguments": [1]})))
        if "textDocument" not in params:
            params = {**AT, **params}
        ids.append(wire.ask(method, spoilt(params, random)))
    for msg_id in ids:
        answer = next((m for m in wire.log if m.get("id") == msg_id), None) or wire.answer(msg_id)
        assert "result" in answer or answer["error"]["code"] in (-32602, -32603, -32803, -32801), answer
        assert answer.get("error", {}).get("code") != -32603, answer


@pytest.mark.parametrize("seed", range(3))
def test_notifications_with_wrong_types(wire: Wire, seed: int) -> None:
    """None of them may touch the good document: they name another one, or nothing at all."""
    random = Random(seed)
    other = {"uri": "file:///tmp/other.plan.json", "languageId": "json", "version": 1, "text": FAULTY}
    change = {"range": {"start": POSITIONS[0], "end": POSITIONS[2]}, "text": "x"}
    messages: dict[str, Any] = {
        "textDocument/didOpen": {"textDocument": other},
        "textDocument/didChange": {"textDocument": other, "contentChanges": [change, {"text": "{"}]},
        "textDocument/didClose": {"textDocument": other},
        "textDocument/didSave": {"textDocument": other},
        "workspace/didChangeWatchedFiles": {"changes": [{"uri": other["uri"], "type": 2}]},
        "workspace/didChangeConfiguration": {"settings": {}},
        "workspace/didChangeWorkspaceFolders": {
            "event": {"added": [{"uri": "file:///nowhere", "name": "n"}], "removed": []}
        },
        "window/workDoneProgress/cancel": {"token": 1},
        "$/setTrace": {"value": "off"},
        "$/cancelRequest": {"id": 10**6},
        "$/unknown": {"x": 1},
    }
    for _ in range(100):
        method = random.choice(list(messages))
        params = messages[method] if random.random() < 0.3 else spoilt(messages[method], random)
        if method == "$/setTrace" and params == {"value": "text"}:
            continue
        wire.notify(method, params)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"[]",
        b"7",
        b"null",
        b"{}",
        b'{"jsonrpc": "1.0", "id": 1, "method": "x"}',
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}',
        b'{"jsonrpc": "2.0", "id": true, "method": "shutdown"}',
        b'{"jsonrpc": "2.0", "id": 900}',
        b'{"jsonrpc": "2.0", "id": 901, "method": 7}',
        b'{"jsonrpc": "2.0", "id": 902, "result": 7}',
        b'{"jsonrpc": "2.0", "id": "x", "error": 7}',
        b'{"jsonrpc": "2.0", "method": "textDocument/didOpen"}',
        b'\xff\xfe{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "2.0", "method": "$/x", "params": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"jsonrpc": "2.0", "id": 903, "method": "plancheck/graph", "params": {"jsonrpc": "2.0"}}',
        b'{"jsonrpc": "2.0", "id": 904, "method": "no/such/method"}',
        b'{"jsonrpc": "2.0", "id": 905, "method": "initialize", "params": {"capabilities": {}}}',
    ],
    ids=lambda body: body[:60].decode("latin-1"),
)
def test_bodies_that_are_no_messages(wire: Wire, body: bytes) -> None:
    wire.raw(body)


def test_headers_that_are_nonsense(wire: Wire) -> None:
    assert wire.process.stdin is not None
    wire.process.stdin.write(
        b"X-Nonsense: 1\r\n\r\ncontent-length: 2\r\nContent-Type: x\r\n\r\n{}\r\nContent-Length: x\r\n\r\n"
    )
    wire.process.stdin.flush()


def test_edits_past_the_end_and_the_wrong_way_round(wire: Wire) -> None:
    uri = "file:///tmp/past.plan.json"
    wire.open(uri, '{"nodes": []}')
    changes = [
        {"range": range_, "text": "x"} for range_ in RANGES if range_["start"]["line"] >= 0 <= range_["end"]["line"]
    ]
    wire.change(uri, 2, *changes)
    wire.change(
        uri, 3, {"range": {"start": {"line": 9, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "{}"}
    )
    assert [item["code"] for item in wire.pull(uri)["items"]] == ["not_a_plan"]


def test_invalid_utf_8_on_disk(wire: Wire, tmp_path: Any) -> None:
    path = tmp_path / "bad.plan.json"
    path.write_bytes(b'{"nodes": ["\xff"]}')
    (item,) = wire.pull(path.as_uri())["items"]
    assert "UTF-8" in item["message"]
    assert wire.request("textDocument/documentSymbol", {"textDocument": {"uri": path.as_uri()}}) == []


def test_before_the_handshake_and_after_the_shutdown() -> None:
    with Wire() as wire:
        assert wire.error("textDocument/hover", {**AT, "position": POSITIONS[0]})["code"] == -32002
        wire.open(URI, FAULTY)
        wire.start(PULL)
        wire.open(URI, FAULTY)
        assert wire.pull(URI)["items"]
        assert wire.request("shutdown") is None
        assert wire.error("textDocument/hover", {**AT, "position": POSITIONS[0]})["code"] == -32600
        assert wire.error("shutdown")["code"] == -32600
        wire.notify("exit")
        assert wire.process.wait(20) == 0


def test_an_exit_without_a_shutdown_is_an_error() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.notify("exit")
        assert wire.process.wait(20) == 1


def test_a_client_that_hangs_up_leaves_no_process_behind() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY)
        assert wire.process.stdin is not None
        wire.process.stdin.close()
        assert wire.process.wait(20) == 1
        assert wire.process.stderr is not None
        assert b"Traceback" not in wire.process.stderr.read()
