"""The tolerant parser: one loop over tokens with a stack of its own, which reports what is wrong and goes on.

The same loop serves three uses: reading a document (where every chunk that is proper JSON is taken whole from the C
scanner), reading on after an edit until the old tree fits again, and giving the spans inside one chunk.
"""

from __future__ import annotations

import json
from typing import Any

from plancheck.syntax.recovery import (
    SEPARATOR,
    Frame,
    closed_by,
    lacks_opening,
    list_of_sibling,
    note_child,
    outdented_to,
)
from plancheck.syntax.scanning import NotStrictError, scan
from plancheck.syntax.tokens import (
    COLON_AHEAD,
    TOKEN,
    Expect,
    decode_string,
    has_lone_surrogate,
    read_scalar,
    string_end,
)
from plancheck.syntax.tree import MISSING, Chunk, Gap, Member, Node, Problem, Spine, Top, Tree

MOST_FAILURES = 200
"""So many chunks may fail in the C scanner; past that it is left alone, for its errors cost the text's length each."""

_CLOSERS = {"}": "{", "]": "["}


_LONGEST_WORD = 16
"""No token that the C scanner looks at as a whole, strings apart, is this long."""


def reach(text: str, start: int) -> int:
    """Up to which offset the text decides that the element at `start` is not proper JSON.

    The C scanner tries an element first, whatever the indentation suggests. So an element that was closed for its
    author reads otherwise once what follows makes it proper, and that may be far behind.
    """
    if text[start] not in "{[":
        return start
    try:
        return int(scan(text, start)[1])
    except json.JSONDecodeError as error:
        return len(text) if error.msg.startswith("Unterminated") else error.pos + _LONGEST_WORD
    except StopIteration as error:
        return int(error.value) + _LONGEST_WORD
    except (ValueError, RecursionError, NotStrictError):
        return len(text)


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
        self.solid_end = 0
        """Where the last token that was taken ends, commas not counted."""
        self.token_start = 0
        """Where the token that is being looked at starts."""
        self.base = 0
        """Where the chunk that is being read starts: nodes count from there."""
        self.problems: list[Problem] = []
        self.trimmed = (0, 0)
        """An offset and where the text before it ends, spaces not counted: many containers may end at one place."""
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
            self.tree.gaps.append(Gap(self.token_start, problem))
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
            self.token_start = start
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
                depth = outdented_to(self.stack, text, kind, start, end)
                if depth is not None:
                    self._unwind(depth, start)
            self._step(kind, start, end)
            if self.position >= end and text[start] != ",":
                self.solid_end = end

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
        if lacks_opening(frame, self.text, start, end):
            if frame.top:
                note_child(frame, self.text, start)
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
        note_child(frame, self.text, start)
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
        offset = end if frame.expect is Expect.COLON else self.text.index(":", end) + 1
        self._attach(Node(offset - self.base, offset - self.base, MISSING), offset, offset)

    def _report_all(self, problems: list[Problem]) -> None:
        for problem in problems:
            self.report(*problem)

    # ---- values --------------------------------------------------------------------------------------------------

    def _value(self, kind: str, start: int, end: int) -> None:
        frame = self.stack[-1] if self.stack else None
        if frame is not None:
            if frame.kind == "[":
                note_child(frame, self.text, start)
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
        value, problems = read_scalar(kind, self.text, start, end)
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
                value, end = scan(text, start)
            except (ValueError, StopIteration, RecursionError, NotStrictError):
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
            separator = SEPARATOR.match(text, end)
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

    # ---- ends ----------------------------------------------------------------------------------------------------

    def _close(self, symbol: str, start: int, end: int) -> None:
        kind = _CLOSERS[symbol]
        if not self.stack or self.stack[-1].kind != kind:
            depth = closed_by(self.stack, self.text, kind, start, end)
            if depth is None:
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

    def _pop(self, end: int) -> None:
        """Close the innermost container at `end`."""
        frame = self.stack[-1]
        if frame.key is not None:
            self._no_value(frame)
        self.stack.pop()
        if not frame.top:
            end = max(self._trim(end), frame.start + 1)
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

    def _trim(self, end: int) -> int:
        """Where the last token before `end` ends."""
        if self.trimmed[0] != end:
            solid = end
            while solid > 0 and self.text[solid - 1] in " \t\n\r":
                solid -= 1
            self.trimmed = (end, solid)
        return self.trimmed[1]

    def _leave_for_sibling(self, start: int) -> bool:
        """An opening bracket where none can stand: close up to the list that it is the next element of."""
        depth = list_of_sibling(self.stack, self.text, start)
        if depth is not None:
            self._unwind(depth, start)
        return depth is not None

    def _unwind(self, depth: int, start: int) -> None:
        """Close everything inside the container at `depth`; the token at `start` is its next child."""
        end = start
        while end > self.solid_end and self.text[end - 1] in " \t\n\r,":
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
        self.token_start = self.position = len(self.text)
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
