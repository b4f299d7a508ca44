"""The tolerant parser: one loop over tokens with a stack of its own, which reports what is wrong and goes on.

The same loop serves three uses: reading a document (where every chunk that is proper JSON is taken whole from the C
scanner), reading on after an edit until the old tree fits again, and giving the spans inside one chunk.
"""

from __future__ import annotations

import json
import re
from typing import Any

from plancheck.syntax.tokens import (
    COLON_AHEAD,
    TOKEN,
    Expect,
    decode_string,
    has_lone_surrogate,
    read_number,
    read_word,
    string_end,
)
from plancheck.syntax.tree import MISSING, Chunk, Gap, Member, Node, Problem, Spine, Top, Tree

MOST_FAILURES = 200
"""So many chunks may fail in the C scanner; past that it is left alone, for its errors cost the text's length each."""

_SPACE = re.compile(r"[ \t\n\r]*")
_INDENT = re.compile(r"[ \t]*")
_SEPARATOR = re.compile(r"[ \t\n\r]*,[ \t\n\r]*")
_CLOSERS = {"}": "{", "]": "["}
_FOLLOWS = {
    "{": re.compile(r'[ \t\n\r]*(?:,[ \t\n\r]*"[^"\n\r]*"[ \t\n\r]*:|\}|\Z)'),
    "[": re.compile(r'[ \t\n\r]*(?:,[ \t\n\r]*(?:[{\[0-9tfn-]|"[^"\n\r]*"(?![ \t\n\r]*:))|\]|\Z)'),
}
"""What may come after a complete value inside an object or a list."""
_FIRST_KEYS = re.compile(r'\{\s*"([^"\\\n\r]*)"\s*:\s*(?:"[^"\\\n\r]*"|[^\s,:{}\[\]"]+)\s*,\s*"([^"\\\n\r]*)"\s*:')


class _NotStrictError(Exception):
    pass


def _refuse(_: str) -> Any:
    raise _NotStrictError


_scan = json.JSONDecoder(object_pairs_hook=tuple, parse_constant=_refuse).scan_once  # type: ignore[attr-defined]


class Frame:
    """A container that is still open."""

    __slots__ = ("after_comma", "children", "expect", "indent", "key", "keys", "kind", "start", "top")

    def __init__(self, kind: str, start: int, top: bool) -> None:
        self.kind = kind
        self.start = start
        self.top = top
        """Whether its children are chunks, not nodes."""
        self.expect = Expect.KEY if kind == "{" else Expect.VALUE
        self.after_comma: int | None = None
        self.key: tuple[str, int, int] | None = None
        self.indent = -1
        """The column in which its children stand, if the first one began a line."""
        self.keys: tuple[str, str] | None = None
        """The first two keys of its first child, by which a sibling is known where no line break helps."""
        self.children: Any = Spine(start) if top and kind == "[" else []


class Parser:
    def __init__(self, text: str, *, chunked: bool, recovers: bool = True) -> None:
        self.text = text
        self.chunked = chunked
        self.recovers = recovers
        """Whether a misfit of indentation is taken as a missing bracket; never in text that is known to be proper."""
        self.stack: list[Frame] = []
        self.tree = Tree(text)
        self.done: Node | None = None
        self.position = 1 if text.startswith("\ufeff") else 0
        self.at = 0
        """Where the token that is being looked at starts."""
        self.base = 0
        """Where the chunk that is being read starts: nodes count from there."""
        self.problems: list[Problem] = []
        self.failures = 0
        self.failed_at = -1
        self.fits: dict[int, int] = {}
        """Offsets in the list `fits_in` from which an earlier reading goes on alike, with the elements' positions."""
        self.fits_in: Frame | None = None
        self.met_again: int | None = None

    # ---- problems ------------------------------------------------------------------------------------------------

    def report(self, start: int, end: int, message: str) -> None:
        problem = Problem(start, end, message)
        if self.chunked and self._in_top():
            self.tree.gaps.append(Gap(self.at, problem))
        else:
            self.problems.append(Problem(start - self.base, end - self.base, message))

    def _in_top(self) -> bool:
        return not self.stack or self.stack[-1].top

    def _unclosed(self, frame: Frame) -> None:
        self.report(frame.start, frame.start + 1, f"This {frame.kind} is never closed.")

    # ---- the loop ------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Read to the end of the text, or to where an earlier reading fits."""
        text = self.text
        while self.met_again is None:
            match = TOKEN.match(text, self.position)
            if match is None:
                self._finish()
                return
            kind = match.lastgroup or ""
            start, end = match.span(kind)
            self.at = start
            if kind == "comment":
                self.position = end
                self.report(start, end if end - start < 80 else start + 2, "JSON has no comments.")
                continue
            if kind == "conflict":
                self.position = end
                self.report(start, end, "A merge conflict was left here.")
                if self.stack and self.stack[-1].expect is Expect.NEXT:  # two versions side by side need no comma
                    self.stack[-1].expect = Expect.KEY if self.stack[-1].kind == "{" else Expect.VALUE
                continue
            if kind == "junk":
                self.position = end
                self.report(start, end, f"The character U+{ord(text[start]):04X} does not belong here.")
                continue
            if not self.stack and (self.done is not None or self.tree.root is not None):
                self.report(start, end, "The document ends before this text.")
                return
            if self.recovers and kind in ("string", "quoted") and (cut := string_end(text, start, end)) < end:
                kind, end = "quoted", cut
            if self.recovers and self.stack and match.start() != start:
                self._outdent(kind, start, end)
            self._step(kind, start, end)

    def _step(self, kind: str, start: int, end: int) -> None:
        """Take one token. A token is looked at again (the position stays) after the stack was repaired."""
        if kind == "punctuation":
            symbol = self.text[start]
            if symbol in "}]":
                self._close(symbol, start, end)
                return
            if symbol == ",":
                self._comma(start, end)
                return
            if symbol == ":":
                self._colon(start, end)
                return
        frame = self.stack[-1] if self.stack else None
        if frame is None:
            self._value(kind, start, end)
        elif frame.kind == "{":
            self._in_object(frame, kind, start, end)
        else:
            self._in_list(frame, kind, start, end)

    def _in_object(self, frame: Frame, kind: str, start: int, end: int) -> None:
        opens = kind == "punctuation"
        if frame.expect is Expect.NEXT:
            if opens and self._leave_for_sibling(start):
                return
            self.report(start, end, "A comma is missing before this.")
            frame.expect = Expect.KEY
        if frame.expect is Expect.KEY:
            if opens:
                if not self._leave_for_sibling(start):
                    self.report(start, end, "A key is missing before this value.")
                    frame.key = ("", start, start)
                    self._value(kind, start, end)
                return
            self._key(frame, kind, start, end)
            return
        is_key = not opens and COLON_AHEAD.match(self.text, end) is not None
        if is_key:  # the value before it was never written
            self._no_value(frame)
            frame.expect = Expect.KEY
            return
        if frame.expect is Expect.COLON:
            self.report(start, end, "A colon is missing before this value.")
        self._value(kind, start, end)

    def _in_list(self, frame: Frame, kind: str, start: int, end: int) -> None:
        opens = kind == "punctuation"
        if not opens and COLON_AHEAD.match(self.text, end) and self._key_in_list(frame, kind, start, end):
            return
        if frame.expect is Expect.NEXT:
            if opens and self._leave_for_sibling(start):
                return
            self.report(start, end, "A comma is missing before this.")
        self._value(kind, start, end)

    def _key_in_list(self, frame: Frame, kind: str, start: int, end: int) -> bool:
        """A key cannot stand in a list: either its object was never opened, or the list was never closed."""
        if frame.top:
            never_opened = frame.keys is None or frame.keys[0] == self.text[start + 1 : end - 1]
        else:
            never_opened = not frame.children and self.text[frame.start + 1 : start].isspace() | (
                start == frame.start + 1
            )
        if never_opened:
            if frame.top:
                self._note_child(frame, start)
                self.base, self.problems = start, []
            frame.after_comma = None
            self.stack.append(Frame("{", start, top=False))
            self.report(start, end, "A { is missing before this key.")
            self._key(self.stack[-1], kind, start, end)
            return True
        if len(self.stack) > 1 and self.stack[-2].kind == "{":
            self._unclosed(frame)
            self._pop(start)
            return True
        return False

    def _key(self, frame: Frame, kind: str, start: int, end: int) -> None:
        self._note_child(frame, start)
        raw = self.text[start:end]
        if kind == "string":
            key = raw[1:-1]
        elif kind in ("quoted", "single"):
            key, problems = decode_string(self.text, start, end)
            self._report_all(problems)
        else:
            key = raw
            self.report(start, end, f'A key needs double quotes: "{raw if len(raw) < 40 else "…"}".')
        frame.key = (key, start, end)
        frame.expect = Expect.COLON
        frame.after_comma = None
        self.position = end

    def _comma(self, start: int, end: int) -> None:
        self.position = end
        frame = self.stack[-1] if self.stack else None
        if frame is None:
            self.report(start, end, "A value is expected here, not a comma.")
            return
        if frame.expect is Expect.NEXT:
            frame.after_comma = start
        elif frame.key is not None:
            self._no_value(frame)
            frame.after_comma = start
        else:
            self.report(start, end, "This comma is one too many.")
        frame.expect = Expect.KEY if frame.kind == "{" else Expect.VALUE

    def _colon(self, start: int, end: int) -> None:
        self.position = end
        frame = self.stack[-1] if self.stack else None
        if frame is not None and frame.expect is Expect.COLON:
            frame.expect = Expect.VALUE
        elif frame is not None and frame.expect is Expect.KEY:
            self.report(start, end, "A key is missing before this colon.")
            frame.key = ("", start, start)
            frame.expect = Expect.VALUE
        else:
            self.report(start, end, "This colon does not belong here.")
            if frame is not None and frame.kind == "[":
                frame.expect = Expect.VALUE

    def _no_value(self, frame: Frame) -> None:
        """The key was written and its value was not."""
        assert frame.key is not None
        key, start, end = frame.key
        self.report(start, end, f'"{key}" has no value yet.' if key else "A value is missing here.")
        at = end if frame.expect is Expect.COLON else self.text.index(":", end) + 1
        self._attach(Node(at - self.base, at - self.base, MISSING), at, at)

    def _report_all(self, problems: list[Problem]) -> None:
        for problem in problems:
            self.report(*problem)

    # ---- values --------------------------------------------------------------------------------------------------

    def _value(self, kind: str, start: int, end: int) -> None:
        frame = self.stack[-1] if self.stack else None
        if frame is not None:
            if frame.kind == "[":
                self._note_child(frame, start)
            frame.after_comma = None
        starts_chunk = self.chunked and (frame is None or frame.top)
        if kind == "punctuation":
            opener = self.text[start]
            is_top = starts_chunk and (frame is None or (len(self.stack) == 1 and frame.kind == "{" and opener == "["))
            if starts_chunk and not is_top:
                if start in self.fits and frame is self.fits_in:
                    self.met_again = start
                    return
                if self._take_whole(start):
                    return
                self.base, self.problems = start, []
            self.stack.append(Frame(opener, start, is_top))
            self.position = end
            return
        if starts_chunk:
            self.base, self.problems = start, []
        raw = self.text[start:end]
        problems: list[Problem] = []
        value: Any
        if kind == "string":
            value = raw[1:-1]
        elif kind == "number":
            value, problems = read_number(raw, start)
        elif kind == "literal":
            value = {"true": True, "false": False, "null": None}[raw]
        elif kind in ("quoted", "single"):
            value, problems = decode_string(self.text, start, end)
        else:
            value, problems = read_word(raw, start)
        self.position = end
        self.problems += (Problem(p.start - self.base, p.end - self.base, p.message) for p in problems)
        self._attach(Node(start - self.base, end - self.base, value), start, end)

    def _take_whole(self, start: int) -> bool:
        """Take a chunk from the C scanner, and all that follow it in its list while they are proper JSON."""
        if start == self.failed_at or self.failures > MOST_FAILURES:
            return False
        text, frame = self.text, self.stack[-1]
        spine = frame.children if frame.kind == "[" else None
        fits = self.fits if frame is self.fits_in else {}
        first = start
        while True:
            try:
                value, end = _scan(text, start)
            except (ValueError, StopIteration, RecursionError, _NotStrictError):
                self.failures += 1
                break
            piece = text[start:end]
            if "\\u" in piece and has_lone_surrogate(piece):
                break
            self.position = end
            if spine is None:
                self._attach_chunk(frame, Chunk(piece, value, parse_chunk), start, end)
                return True
            spine.starts.append(start)
            spine.chunks.append(Chunk(piece, value, parse_chunk))
            frame.expect = Expect.NEXT
            separator = _SEPARATOR.match(text, end)
            if separator is None or text[separator.end() : separator.end() + 1] not in ("{", "["):
                return True
            start = separator.end()
            if start in fits:
                self.met_again = start
                return True
        self.failed_at = start
        if start != first:
            frame.expect = Expect.VALUE
            self.position = start
        return start != first

    def _attach_chunk(self, frame: Frame | None, chunk: Chunk, start: int, end: int) -> None:
        if frame is None:
            self.tree.root, self.tree.start, self.tree.end = chunk, start, end
            return
        if frame.kind == "[":
            if chunk.problems:
                frame.children.broken.append(len(frame.children.chunks))
            frame.children.starts.append(start)
            frame.children.chunks.append(chunk)
        else:
            assert frame.key is not None
            frame.children.append(Top(*frame.key, start, chunk))
        frame.key, frame.expect = None, Expect.NEXT

    def _attach(self, node: Node, start: int, end: int) -> None:
        """Put a finished value where it belongs."""
        frame = self.stack[-1] if self.stack else None
        if self.chunked and (frame is None or frame.top):
            chunk = Chunk(self.text[start:end], node.value, parse_chunk, node, tuple(self.problems))
            if node.value is MISSING:
                node.start = node.end = 0
            self.problems = []
            self._attach_chunk(frame, chunk, start, end)
            return
        if frame is None:
            self.done = node
            return
        if frame.kind == "[":
            frame.children.append(node)
        else:
            assert frame.key is not None
            key, key_start, key_end = frame.key
            frame.children.append(Member(key, key_start - self.base, key_end - self.base, node))
        frame.key, frame.expect = None, Expect.NEXT

    def _note_child(self, frame: Frame, start: int) -> None:
        """Remember how the first child looks, to know its siblings by it."""
        if frame.top and isinstance(frame.children, Spine):
            if frame.children.chunks or frame.indent >= 0 or frame.keys is not None:
                return
            if keys := _FIRST_KEYS.match(self.text, start):
                frame.keys = (keys[1], keys[2])
        elif frame.children:
            return
        frame.indent = self._column(start)

    def _column(self, start: int) -> int:
        """The column of a token that begins its line, else -1."""
        before = start
        while before > 0 and self.text[before - 1] in " \t":
            before -= 1
        return start - before if before > 0 and self.text[before - 1] in "\n\r" else -1

    def _line_indent(self, offset: int) -> int:
        """How far the line at `offset` is indented."""
        line = max(self.text.rfind("\n", 0, offset), self.text.rfind("\r", 0, offset)) + 1
        return _INDENT.match(self.text, line).end() - line  # type: ignore[union-attr]

    # ---- ends ----------------------------------------------------------------------------------------------------

    def _close(self, symbol: str, start: int, end: int) -> None:
        kind = _CLOSERS[symbol]
        if not self.stack or self.stack[-1].kind != kind:
            depth = next((i for i in reversed(range(len(self.stack))) if self.stack[i].kind == kind), None)
            if depth is None or self._is_stray(depth, start, end):
                self.position = end
                self.report(start, end, f"This {symbol} closes nothing.")
                return
            while len(self.stack) > depth + 1:
                self._unclosed(self.stack[-1])
                self._pop(start)
        frame = self.stack[-1]
        if frame.key is not None:
            self._no_value(frame)
        elif frame.after_comma is not None:
            self.report(frame.after_comma, frame.after_comma + 1, "JSON allows no comma before a closing bracket.")
        self.position = end
        self._pop(end)

    def _is_stray(self, depth: int, start: int, end: int) -> bool:
        """Whether a bracket that does not fit the innermost container is one too many, or the others lack theirs."""
        if depth == 0:
            return _SPACE.match(self.text, end).end() < len(self.text)  # type: ignore[union-attr]
        outer = self.stack[depth - 1]
        if not _FOLLOWS[outer.kind].match(self.text, end):
            return True
        if outer.keys and (comma := _SEPARATOR.match(self.text, end)) and not self._has_keys(outer, comma.end()):
            return True
        if not self.stack[depth].top or _FOLLOWS[self.stack[-1].kind].match(self.text, end) is None:
            return False
        return self._column(start) != self._line_indent(self.stack[depth].start)

    def _pop(self, end: int) -> None:
        """Close the innermost container at `end`."""
        frame = self.stack[-1]
        if frame.key is not None:
            self._no_value(frame)
        self.stack.pop()
        if not frame.top:
            while end > frame.start + 1 and self.text[end - 1] in " \t\n\r":
                end -= 1
            if frame.kind == "{":
                value: Any = tuple((member.key, member.node.value) for member in frame.children)
            else:
                value = [node.value for node in frame.children]
            self._attach(Node(frame.start - self.base, end - self.base, value, frame.children), frame.start, end)
        elif not self.stack:
            self.tree.root, self.tree.start, self.tree.end = frame.children, frame.start, end
            if isinstance(frame.children, Spine):
                frame.children.end = end
        else:
            parent = self.stack[-1]
            frame.children.end = end
            assert parent.key is not None
            parent.children.append(Top(*parent.key, frame.start, frame.children))
            parent.key, parent.expect = None, Expect.NEXT

    def _outdent(self, kind: str, start: int, end: int) -> None:
        """Close what should have been closed when a token begins a line in the column of an outer container."""
        if self.text[start] in "}],:" and kind == "punctuation":
            return
        column = self._column(start)
        if column < 0:
            return
        is_key = kind != "punctuation" and COLON_AHEAD.match(self.text, end) is not None
        for depth in reversed(range(len(self.stack))):
            frame = self.stack[depth]
            if frame.indent == column and (frame.kind == "{") == is_key:
                if depth < len(self.stack) - 1:
                    self._unwind(depth, start)
                return
            if 0 <= frame.indent <= column:
                return

    def _leave_for_sibling(self, start: int) -> bool:
        """An opening bracket where none can stand: close up to the list that it is the next element of."""
        for depth in reversed(range(len(self.stack) - 1)):
            frame = self.stack[depth]
            if frame.kind == "[" and (not frame.top or frame.keys is None or self._has_keys(frame, start)):
                self._unwind(depth, start)
                return True
        return False

    def _has_keys(self, frame: Frame, start: int) -> bool:
        found = _FIRST_KEYS.match(self.text, start)
        return found is not None and (found[1], found[2]) == frame.keys

    def _unwind(self, depth: int, start: int) -> None:
        """Close everything inside the container at `depth`; the token at `start` is its next child."""
        end = start
        while end > 0 and self.text[end - 1] in " \t\n\r,":
            end -= 1
        had_comma = "," in self.text[end:start]
        while len(self.stack) > depth + 1:
            self._unclosed(self.stack[-1])
            self._pop(max(end, self.stack[-1].start + 1))
        frame = self.stack[-1]
        if had_comma or frame.expect is Expect.NEXT:  # one report for one mistake: the bracket, not the comma too
            frame.expect = Expect.KEY if frame.kind == "{" else Expect.VALUE

    def _finish(self) -> None:
        """The text is over."""
        self.at = self.position = len(self.text)
        if not self.stack and self.done is None and self.tree.root is None:
            self.report(0, 0, "The document is empty: a plan is expected here.")
            return
        count = len(self.stack)
        while self.stack:
            frame = self.stack[-1]
            if count - len(self.stack) < 3:
                self._unclosed(frame)
            elif count - len(self.stack) == 3:
                more = f" (and {len(self.stack) - 1:,} more around it)" if len(self.stack) > 1 else ""
                self.report(frame.start, frame.start + 1, f"This {frame.kind} is never closed{more}.")
            self._pop(len(self.text))


def parse_chunk(text: str) -> Node:
    """The nodes of a chunk that is known to be proper JSON."""
    parser = Parser(text, chunked=False, recovers=False)
    parser.run()
    assert parser.done is not None
    return parser.done
