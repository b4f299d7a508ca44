"""Plans to test with, and random edits such as people make."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

EXAMPLES = Path(__file__).parents[2] / "examples" / "declared"

FAULTY = (EXAMPLES / "refund-faulty.plan.json").read_text(encoding="utf-8")
HEALTHY = (EXAMPLES / "refund.plan.json").read_text(encoding="utf-8")

UNICODE = """{
  "plan_id": "überweisung-😀",
  "nodes": [
    {"idx": 0, "agent": "käse😀", "kind": "tool_call", "reads": ["a\u2028b", "kön\u0085ig"], "writes": ["a\u2028b"]},\r
    {"idx": 1, "agent": "\f日本", "kind": "decision", "reads": [{"id": "a\u2028b", "producer": 0, "volatile": true}]},\r
    {"idx": 2, "agent": "c",\r "kind": "tool_call", "reads": [], "writes": ["😀.x"]}
  ]
}
"""

SEEDS = {
    "faulty": FAULTY,
    "unicode": UNICODE,
    "pretty": json.dumps(json.loads(FAULTY), indent=2),
    "crlf": FAULTY.replace("\n", "\r\n"),
    "half": (EXAMPLES / "half-typed.plan.json").read_text(encoding="utf-8"),
    "one line": json.dumps(json.loads(HEALTHY)),
}

PIECES = (
    '"', "{", "}", "[", "]", ",", ":", " ", "\n", "\r\n", "\r", "x", "7", "0", "😀", "\u2028", "é", "\\",
    '\\u0041', "null",
    '"idx": 3', '"reads": ["a"]', '{"id": "a", "producer": 0}', ', {"idx": 9, "agent": "n", "kind": "decision"}',
    '"plancheck-ignore": ["write_with_no_prior_read"]', "true", "-", "1e5", '"volatile": true', '"nodes"',
)  # fmt: skip


class Change(NamedTuple):
    """Replace `text[start:end]` by `new`."""

    start: int
    end: int
    new: str

    def on(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]

    def expressible(self, text: str) -> Change:
        """The same change with its ends outside of `\\r\\n`: no editor has a position in between."""
        start, end, new = self
        if text[start - 1 : start + 1] == "\r\n":
            start, new = start - 1, "\r" + new
        if text[end - 1 : end + 1] == "\r\n":
            end, new = end + 1, new + "\n"
        return Change(start, end, new)

    def undone(self, text: str) -> Change:
        """The change that takes this one back; `text` is the text before it."""
        return Change(self.start, self.start + len(self.new), text[self.start : self.end])


def random_change(random: Random, text: str) -> Change:
    """What somebody at a keyboard might do next: mostly a keystroke, sometimes something rude."""
    at = random.randint(0, len(text))
    kind = random.random()
    if kind < 0.35:
        return Change(at, at, random.choice(PIECES))
    if kind < 0.65:
        return Change(at, min(len(text), at + random.randint(1, 3)), "")
    if kind < 0.8:  # across steps
        return Change(at, min(len(text), at + random.randint(20, 400)), random.choice(("", *PIECES)))
    if kind < 0.9 and text:  # paste something from elsewhere
        start = random.randint(0, len(text) - 1)
        return Change(at, at, text[start : start + random.randint(1, 250)])
    return Change(at, min(len(text), at + random.randint(0, 12)), random.choice(PIECES))


class Editing:
    """A sequence of changes that keeps coming back to text that means something: undo, and now and then a new start."""

    def __init__(self, seed: int, text: str) -> None:
        self.random = Random(seed)
        self.first = self.text = text
        self.undo: list[Change] = []

    def next(self) -> Change:
        if self.undo and self.random.random() < 0.45:
            change = self.undo.pop().expressible(self.text)
        else:
            change = random_change(self.random, self.text).expressible(self.text)
            self.undo.append(change.undone(self.text))
        self.text = change.on(self.text)
        return change


def position(text: str, offset: int, encoding: str = "utf-16") -> dict[str, int]:
    """A position as an editor counts, worked out the slow way, independently of `plancheck.text`."""
    ends = [match.end() for match in re.finditer("\r\n|\n|\r", text) if match.end() <= offset]
    line, start = len(ends), ends[-1] if ends else 0
    unit = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    before = text[start:offset].encode(encoding if encoding == "utf-8" else f"{encoding}-le", "surrogatepass")
    return {"line": line, "character": len(before) // unit}


def content_change(change: Change, text: str, encoding: str = "utf-16") -> dict[str, Any]:
    """The change as the protocol has it; `text` is the text before it."""
    start, end = position(text, change.start, encoding), position(text, change.end, encoding)
    return {"range": {"start": start, "end": end}, "text": change.new}
