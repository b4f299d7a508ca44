"""Who gets in: `--tcp` and `--ws` take one client, one that has the token, and nobody from elsewhere."""

from __future__ import annotations

import json
import subprocess
from contextlib import ExitStack
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from lsp.doors import INITIALIZE, Door, framed, initialize, message
from lsp.wire import PLANCHECK

HERE = "127.0.0.1:0"


def test_the_token_is_new_each_time_and_long() -> None:
    with Door("--tcp", HERE) as one, Door("--tcp", HERE) as other:
        assert one.token != other.token
        assert len(one.token) >= 32


# ---- TCP -------------------------------------------------------------------------------------------------------------

WITHOUT_TOKEN: dict[str, bytes] = {
    "no options": message(id=7, method="initialize", params=INITIALIZE),
    "options without it": message(id=7, method="initialize", params={**INITIALIZE, "initializationOptions": {}}),
    "options of another type": message(id=7, method="initialize", params={**INITIALIZE, "initializationOptions": [1]}),
    "params of another type": message(id=7, method="initialize", params=[]),
    "no params": message(id=7, method="initialize"),
    "empty": initialize("").replace(b'"id": 1', b'"id": 7'),
    "wrong": initialize("x" * 43).replace(b'"id": 1', b'"id": 7'),
    "a number": initialize(7).replace(b'"id": 1', b'"id": 7'),
    "null": initialize(None).replace(b'"id": 1', b'"id": 7'),
    "a list": initialize(["x"]).replace(b'"id": 1', b'"id": 7'),
    "not ASCII": initialize("é").replace(b'"id": 1', b'"id": 7'),
    "half a surrogate pair": initialize("\ud800").replace(b'"id": 1', b'"id": 7'),
    "another request": message(id=7, method="shutdown"),
}

NO_REQUEST: dict[str, bytes] = {
    "exit": message(method="exit"),
    "a notification": message(method="initialized", params={}),
    "a batch": b"[]",
    "not JSON": b"nonsense",
    "not UTF-8": b"\xff\xfe\xfd",
    "deep": b"[" * 100_000,
    "nothing": b"",
}


@pytest.fixture(scope="module")
def door() -> Any:
    """A server that has let nobody in yet; no attack in this file ends it."""
    with Door("--tcp", HERE) as door:
        yield door
        with door.knock() as client:
            client.send(initialize(door.token))
            assert client.receive()["result"]["serverInfo"]["name"] == "plancheck"


@pytest.mark.parametrize("name", WITHOUT_TOKEN)
def test_a_client_without_the_token_is_told_so_and_sent_away(door: Door, name: str) -> None:
    with door.knock() as client:
        client.send(WITHOUT_TOKEN[name])
        answer = client.receive()
        assert answer["id"] == 7
        assert answer["error"]["code"] == -32600
        assert answer["error"]["message"].startswith("The token is missing or wrong: ")
        assert door.token not in json.dumps(answer)
        assert client.rest() == b""
    assert door.line() == "plancheck lsp: refused a client: the token is missing or wrong"


@pytest.mark.parametrize("name", NO_REQUEST)
def test_what_is_no_request_is_answered_without_an_id(door: Door, name: str) -> None:
    with door.knock() as client:
        client.send(NO_REQUEST[name])
        answer = client.receive()
        assert answer["id"] is None
        assert answer["error"]["message"].startswith("The token is missing or wrong: ")
        assert client.rest() == b""
    assert door.line() == "plancheck lsp: refused a client: the token is missing or wrong"


def test_a_page_in_a_browser_that_posts_a_message(door: Door) -> None:
    """Its `Content-Length` is one that the server understands, and its body is a message."""
    body = message(id=7, method="initialize", params=INITIALIZE)
    with door.knock() as client:
        client.socket.sendall(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\n" + framed(body))
        assert client.receive()["error"]["code"] == -32600
        assert client.rest() == b""
    assert "refused" in door.line()


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        (b"X" * 100_000, "the header of a message is longer than 16,384 bytes"),
        (b"X: y\r\n" * 20_000, "the header of a message is longer than 16,384 bytes"),
        (b"\r\n" * 20_000, "the header of a message is longer than 16,384 bytes"),
        (framed(b" " * (2 << 20)), "its first message is longer than 1,048,576 bytes"),
        (b"Content-Length: %d\r\n\r\n" % (1 << 30 | 1), "a message is longer than 1,073,741,824 bytes"),
        (b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", "a message is longer than 1,073,741,824 bytes"),
        (b"Content-Length: 10\r\n\r\n{", "it disconnected before its first message"),
        (b"Content-Length: -10\r\n\r\n{}", "it disconnected before its first message"),
        (b"", "it disconnected before its first message"),
    ],
    ids=["long line", "many lines", "blank lines", "long first", "long", "5,000 digits", "cut", "negative", "nothing"],
)
def test_an_attack_on_the_framing_ends_that_connection_only(door: Door, head: bytes, reason: str) -> None:
    with door.knock() as client:
        try:
            client.socket.sendall(head)
            if "disconnected" in reason:
                client.socket.shutdown(1)
        except (ConnectionResetError, BrokenPipeError):
            pass  # the server had enough before all was sent
        client.rest()
    assert door.line() == f"plancheck lsp: refused a client: {reason}"


def test_a_silent_client_keeps_nobody_out() -> None:
    with Door("--tcp", HERE) as door, door.knock(), door.knock(), door.knock() as client:
        client.send(initialize(door.token))
        assert client.receive()["result"]


def test_after_its_client_nobody_is_let_in_and_the_silent_are_sent_away() -> None:
    with Door("--tcp", HERE) as door, door.knock() as silent, door.knock() as client:
        client.send(initialize(door.token))
        assert client.receive()["result"]
        assert silent.rest() == b""
        assert not door.is_listening()
        client.send(message(id=2, method="shutdown"))
        assert client.receive() == {"jsonrpc": "2.0", "id": 2, "result": None}
        client.send(message(method="exit"))
        assert door.ended(0) == ""


def test_two_with_the_token_at_once_and_one_gets_in() -> None:
    with Door("--tcp", HERE) as door, door.knock() as one, door.knock() as other:
        for client in (one, other):
            client.send(initialize(door.token))
        with one, other:
            results = [b'"result"' in _first_bytes(client) for client in (one, other)]
    assert sorted(results) == [False, True]


def _first_bytes(client: Any) -> bytes:
    try:
        found: bytes = client.socket.recv(1 << 16)
    except ConnectionResetError:
        return b""
    return found


def test_a_silent_crowd_keeps_nobody_out() -> None:
    with Door("--tcp", HERE) as door, ExitStack() as crowd:
        silent = [crowd.enter_context(door.knock()) for _ in range(40)]
        assert silent[0].rest() == b""  # those who came first have to go
        with door.knock() as client:
            client.send(initialize(door.token))
            assert client.receive()["result"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"X" * 100_000, "the header of a message is longer than 16,384 bytes"),
        (b"Content-Length: %d\r\n\r\n" % ((1 << 30) + 1), "a message is longer than 1,073,741,824 bytes"),
        (b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", "a message is longer than 1,073,741,824 bytes"),
    ],
)
def test_the_client_that_loses_the_thread_ends_its_server(data: bytes, words: str) -> None:
    with Door("--tcp", HERE) as door, door.knock() as client:
        client.send(initialize(door.token))
        assert client.receive()["result"]
        client.socket.sendall(data)
        client.rest()
        assert door.ended(1) == f"plancheck lsp: the connection was closed: {words}\n"


# ---- WebSocket -------------------------------------------------------------------------------------------------------


def refused(url: str, **options: Any) -> tuple[int, str]:
    """The status and the words with which a WebSocket client is refused."""
    with pytest.raises(InvalidStatus) as caught, connect(url, **options):
        pass
    body = caught.value.response.body
    assert body is not None
    return caught.value.response.status_code, bytes(body).decode()


@pytest.fixture(scope="module")
def socket_door() -> Any:
    with Door("--ws", HERE) as door:
        yield door
        with connect(door.url(door.token)) as client:
            client.send(message(id=1, method="initialize", params=INITIALIZE))
            assert json.loads(client.recv())["result"]


@pytest.mark.parametrize("token", [None, "", "wrong", "é", "%", "x" * 43])
def test_a_websocket_without_the_token(socket_door: Door, token: str | None) -> None:
    status, words = refused(socket_door.url(token))
    assert status == 401
    assert words.startswith("The token is missing or wrong: ")
    assert socket_door.line() == "plancheck lsp: refused a client: the token is missing or wrong"


@pytest.mark.parametrize("header", ["Bearer", "Bearer x", "Basic {}", "{}", "bearer{}"])
def test_a_websocket_with_a_wrong_authorization(socket_door: Door, header: str) -> None:
    headers = {"Authorization": header.format(socket_door.token)}
    assert refused(socket_door.url(), additional_headers=headers)[0] == 401
    assert "refused" in socket_door.line()


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://localhost", "http://127.0.0.1", "null", "", "vscode-webview://x"]
)
def test_a_page_in_a_browser_even_with_the_token(socket_door: Door, origin: str) -> None:
    url = socket_door.url(socket_door.token)
    status, words = refused(url, additional_headers={"Origin": origin})
    assert status == 403
    assert words.startswith("Pages of this origin are not allowed: ")
    assert socket_door.line() == f"plancheck lsp: refused a client: its origin {origin!r} is not allowed"


def test_two_origins_of_which_one_is_allowed() -> None:
    with Door("--ws", HERE, "--allow-origin", "https://ide.example") as door:
        headers = [("Origin", "https://ide.example"), ("Origin", "https://evil.example")]
        assert refused(door.url(door.token), additional_headers=headers)[0] == 403


def test_two_tokens_of_which_one_is_right(socket_door: Door) -> None:
    assert refused(socket_door.url("x") + f"&token={socket_door.token}")[0] == 401
    assert "refused" in socket_door.line()


def test_an_origin_that_is_allowed_still_needs_the_token() -> None:
    with Door("--ws", HERE, "--allow-origin", "https://ide.example") as door:
        headers = {"Origin": "https://ide.example"}
        assert refused(door.url(), additional_headers=headers)[0] == 401
        with connect(door.url(door.token), additional_headers=headers) as client:
            client.send(message(id=1, method="initialize", params=INITIALIZE))
            assert json.loads(client.recv())["result"]


def test_a_bearer_token_lets_in_and_nobody_comes_after() -> None:
    with Door("--ws", HERE) as door:
        with connect(door.url(), additional_headers={"Authorization": f"Bearer {door.token}"}) as client:
            client.send(message(id=1, method="initialize", params=INITIALIZE))
            assert json.loads(client.recv())["result"]
            assert not door.is_listening()
            client.send(message(id=2, method="shutdown"))
            assert json.loads(client.recv()) == {"jsonrpc": "2.0", "id": 2, "result": None}
            client.send(message(method="exit"))
        assert door.ended(0) == ""


@pytest.mark.parametrize(
    "data", [b"\x00\xff" * 100, b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nX: " + b"y" * 100_000, b""]
)
def test_what_is_no_websocket_leaves_no_traceback(data: bytes) -> None:
    with Door("--ws", HERE) as door:
        with door.knock() as client:
            try:
                client.socket.sendall(data)
                client.socket.shutdown(1)
            except (ConnectionResetError, BrokenPipeError, OSError):
                pass
            client.rest()
        with connect(door.url(door.token)) as client:
            client.send(message(id=1, method="shutdown"))
            assert json.loads(client.recv())["error"]["code"] == -32002
            client.send(message(method="exit"))
        printed = door.ended(1)
        assert "Traceback" not in printed
        assert "Error" not in printed


def test_a_silent_client_of_the_websocket_is_not_waited_for() -> None:
    with Door("--ws", HERE) as door, door.knock() as silent:
        with connect(door.url(door.token)) as client:
            client.send(message(id=1, method="initialize", params=INITIALIZE))
            assert json.loads(client.recv())["result"]
            client.send(message(method="exit"))
            assert door.ended(1) == ""
        assert silent.rest() == b""


# ---- where to listen -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["--tcp", "--ws"])
@pytest.mark.parametrize(
    "host", ["0.0.0.0", "[::]", "203.0.113.1", "example.org", "127.0.0.1.evil.example", "*", "127.1"]
)
def test_other_hosts_are_refused(way: str, host: str) -> None:
    done = subprocess.run([*PLANCHECK, way, f"{host}:0"], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert f"`{host.strip('[]')}` is not this machine's own address (127.0.0.1): add --allow-remote" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("host", ["localhost", "127.0.0.2", ""])
def test_this_machine_itself_needs_no_leave(host: str) -> None:
    with Door("--tcp", f"{host}:0") as door, door.knock() as client:
        client.send(initialize(door.token))
        assert client.receive()["result"]


def test_other_hosts_with_leave() -> None:
    with Door("--tcp", "0.0.0.0:0", "--allow-remote") as door, door.knock() as client:
        client.send(message(id=1, method="initialize", params=INITIALIZE))
        assert client.receive()["error"]["code"] == -32600


@pytest.mark.parametrize(
    "arguments", [["--allow-remote"], ["--allow-origin", "x"], ["--tcp", HERE, "--allow-origin", "x"]]
)
def test_options_without_the_door_that_they_are_for(arguments: list[str]) -> None:
    done = subprocess.run(
        [*PLANCHECK, *arguments], capture_output=True, text=True, check=False, timeout=60, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2
    assert "only" in done.stderr
