"""Cutting a stream of bytes into messages, within bounds: whoever sends them may mean harm."""

from __future__ import annotations

MOST_BYTES = 1 << 30
"""A longer message is nobody's plan: the announced length is wrong, and so is everything behind it."""

MOST_HEADER_BYTES = 1 << 14
"""All that may be sent before a message's body. An editor sends about fifty bytes."""

_MOST_DIGITS = 20
"""Of a length; Python refuses to read a number of thousands of digits."""


class Splitter:
    """Cuts a stream of bytes into messages."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.problem: str | None = None
        """Why nothing that follows in the stream can be told apart any more; nothing is read from there on."""
        self._buffer = bytearray()
        self._header_bytes = 0
        self._length: int | None = None
        self._in_body = False

    def feed(self, data: bytes) -> list[bytes]:
        """The messages that are complete now."""
        self._buffer += data
        found: list[bytes] = []
        while self._read_header() and self._length is not None and len(self._buffer) >= self._length:
            found.append(bytes(self._buffer[: self._length]))
            del self._buffer[: self._length]
            self._length, self._in_body, self._header_bytes = None, False, 0
        return found

    def _read_header(self) -> bool:
        """Read lines up to a message's body; whether that is reached."""
        while not self._in_body and self.problem is None:
            end = self._buffer.find(b"\n", 0, MOST_HEADER_BYTES) + 1
            if self._header_bytes + (end or len(self._buffer)) > MOST_HEADER_BYTES:
                self._give_up(f"the header of a message is longer than {MOST_HEADER_BYTES:,} bytes")
                break
            if not end:
                break
            self._take_line(bytes(self._buffer[:end]))
            del self._buffer[:end]
        return self._in_body and self.problem is None

    def _take_line(self, line: bytes) -> None:
        self._header_bytes += len(line)
        if line.strip():
            self._length = content_length(line) if self._length is None else self._length
        elif self._length is not None:
            self._in_body = True
            if self._length > self.most_bytes:
                self._give_up(f"a message is longer than {self.most_bytes:,} bytes")

    def _give_up(self, problem: str) -> None:
        self.problem = problem
        self._buffer.clear()


def content_length(header: bytes) -> int | None:
    """The length that a header line announces."""
    name, _, value = header.partition(b":")
    digits = value.strip()
    if name.strip().lower() != b"content-length" or not digits.isdigit():
        return None
    return int(digits.lstrip(b"0")[:_MOST_DIGITS] or b"0")
