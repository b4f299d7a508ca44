"""What is sent over real pipes and is no message: an error with `id: null`, or an end with a clear word."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from lsp.wire import PULL, Wire


@pytest.fixture(scope="module", params=["before the handshake", "after it"])
def wire(request: pytest.FixtureRequest) -> Iterator[Wire]:
    with Wire() as wire:
        if request.param == "after it":
            wire.start(PULL)
        yield wire
        assert wire.process.poll() is None


def raw_answer(wire: Wire, body: bytes) -> dict[str, Any]:
    """The next answer after a body; the log's messages are passed over."""
    wire.raw(body)
    return wire.until(lambda m: "method" not in m)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"nonsense", -32700),
        (b'{"jsonrpc": "2.0", "id": 1', -32700),
        (b'\xff\xfe\xfd{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}', -32700),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "\xff"}', -32700),
        (b"[" * 100_000, -32700),
        (b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000 + b"}", -32700),
        (b"[]", -32600),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}]', -32600),
        (b"7", -32600),
        (b"null", -32600),
        (b"{}", -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "shutdown"}', -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "shutdown"}', -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "shutdown"}', -32600),
        (b'{"jsonrpc": "1.0", "method": "shutdown"}', -32600),
    ],
    ids=lambda value: repr(value)[:50],
)
def test_an_error_about_a_message_without_a_known_id_has_the_id_null(wire: Wire, body: bytes, code: int) -> None:
    answer = raw_answer(wire, body)
    assert set(answer) == {"jsonrpc", "id", "error"}
    assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", None, code)
    assert answer["error"]["message"]


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: +5\r\n\r\n",
        b"Content-Length: 0x10\r\n\r\n",
        b"Content-Length: 1e3\r\n\r\n",
        b"Content-Length: 5 5\r\n\r\n",
        b"Content-Length:\r\n\r\n",
        b"Content-Length: \xd9\xa3\r\n\r\n",
        b": 5\r\n\r\n",
        b"\x00\xff\xfe\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
)
def test_a_header_that_announces_nothing_is_passed_over(wire: Wire, header: bytes) -> None:
    assert wire.process.stdin is not None
    wire.process.stdin.write(header)
    assert raw_answer(wire, b'{"jsonrpc": "2.0", "id": 77, "method": 7}')["id"] == 77


@pytest.mark.parametrize("msg_id", ["5", '"five"'])
def test_the_id_of_a_request_that_is_not_one_is_kept_where_it_is_known(msg_id: str) -> None:
    with Wire() as wire:
        wire.start(PULL)
        for body in (
            '{"jsonrpc": "1.0", "id": %s, "method": "x"}',
            '{"id": %s, "method": "x"}',
            '{"jsonrpc": "2.0", "id": %s}',
        ):
            answer = raw_answer(wire, (body % msg_id).encode())
            assert (answer["id"], answer["error"]["code"]) == (msg_id.strip('"') if '"' in msg_id else 5, -32600)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"X" * 17_000, "the header of a message is longer than 16,384 bytes"),
        (b"Content-Length: 2" + b" " * 20_000 + b"\r\n\r\n{}", "the header of a message is longer than 16,384 bytes"),
        (b"X: y\r\n" * 4_000, "the header of a message is longer than 16,384 bytes"),
        (b"\r\n" * 10_000, "the header of a message is longer than 16,384 bytes"),
        (b"Content-Length: %d\r\n\r\n" % ((1 << 30) + 1), "a message is longer than 1,073,741,824 bytes"),
        (b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", "a message is longer than 1,073,741,824 bytes"),
    ],
    ids=["long line", "long length", "many lines", "blank lines", "long message", "5,000 digits"],
)
def test_a_stream_that_cannot_be_followed_ends_the_process_with_a_clear_word(data: bytes, words: str) -> None:
    with Wire() as wire:
        wire.start(PULL)
        assert wire.process.stdin is not None
        wire.process.stdin.write(data)
        wire.process.stdin.flush()
        assert wire.process.wait(20) == 1
        assert wire.process.stderr is not None
        assert wire.process.stderr.read().decode() == f"plancheck lsp: the connection was closed: {words}\n"


def write_zeros(descriptor: int, size: int) -> None:
    while size > 0:
        size -= os.write(descriptor, b"0" * 100_000)


def test_a_header_without_end_is_not_kept() -> None:
    """Gigabytes without a line break used to be collected, and looked through again for each piece that came."""
    with Wire() as wire:
        wire.start(PULL)
        assert wire.process.stdin is not None
        with pytest.raises(BrokenPipeError):
            write_zeros(wire.process.stdin.fileno(), 1 << 28)
        assert wire.process.wait(20) == 1
