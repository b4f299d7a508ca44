"""Messages at the edge of what is taken: an edit of a version that was there, and a length that nobody sends."""

from __future__ import annotations

import subprocess

import pytest

from lsp.plans import FAULTY, HEALTHY
from lsp.wire import PULL, Wire

URI = "file:///tmp/edges.plan.json"
MOST_BYTES = 1 << 30


@pytest.mark.parametrize("version", [4, 5])
def test_an_edit_of_a_version_that_was_there_is_left_out(version: int) -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY, version=3)
        wire.change(URI, 5, {"text": HEALTHY})
        assert wire.pull(URI)["items"] == []
        wire.change(URI, version, {"text": "{}"})
        assert wire.pull(URI)["items"] == []
        wire.change(URI, 6, {"text": "{}"})
        assert [item["code"] for item in wire.pull(URI)["items"]] == ["not_a_plan"]


def test_a_message_that_is_said_to_be_too_long_ends_the_server() -> None:
    """Who says so has lost the thread, or means harm: nothing that follows could be told from the message's body."""
    with Wire() as wire:
        wire.start(PULL)
        assert wire.process.stdin is not None
        wire.process.stdin.write(b"Content-Length: %d\r\n\r\n" % (MOST_BYTES + 1))
        wire.process.stdin.flush()
        assert wire.process.wait(20) == 1
        assert wire.process.stderr is not None
        assert b"Traceback" not in wire.process.stderr.read()


def test_the_longest_message_is_waited_for() -> None:
    with Wire() as wire:
        wire.start(PULL)
        assert wire.process.stdin is not None
        wire.process.stdin.write(b"Content-Length: %d\r\n\r\n" % MOST_BYTES)
        wire.process.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            wire.process.wait(1)
