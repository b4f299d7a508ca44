"""The statements of a Rego file: which tokens belong together, and the comment above them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plancheck.policy.rego.tokens import CLOSING, OPENING, RegoToken, TokenKind
from plancheck.text import Span
from plancheck.tuples import NamedTuple

_GOES_ON_BEHIND = frozenset(
    {":=", "=", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "&", "|", ",", ".", ":"}
    | {"if", "else", "contains", "in", "not", "some", "every", "default", "with", "as", "package", "import"}
)
"""A statement goes on in the next line behind one of these …"""
_GOES_ON_BEFORE = frozenset(
    {":=", "=", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "&", "|", ",", ".", ":", "{", "else"}
    | {"if", "contains", "with", "as", "in"}
)
"""… and before one of these."""
_LONGEST_COMMENT = 300


class Statement(NamedTuple):
    tokens: tuple[RegoToken, ...]
    comment: str

    @property
    def span(self) -> Span:
        return Span(self.tokens[0].start, self.tokens[-1].end)


def statements(tokens: Sequence[RegoToken]) -> Iterator[Statement]:
    """The statements of a file, in order. Where brackets are not closed, a name at the start of a line begins one."""
    is_unbalanced = bool(sum(_depth(0, token) or -(token.text in CLOSING) for token in tokens if _is_sign(token)))
    found: list[RegoToken] = []
    comments: list[RegoToken] = []
    above: list[RegoToken] = []
    depth, newlines, line_start, is_line_start = 0, 0, 0, True
    for token in tokens:
        if token.kind is TokenKind.NEWLINE:
            newlines += 1
            is_line_start, line_start = True, token.end
            if newlines > 1 and not depth:
                comments = []
            continue
        if token.kind is TokenKind.COMMENT:
            if is_line_start:
                comments.append(token)
            newlines = 0
            is_line_start = False
            continue
        is_new = is_unbalanced and token.is_name and token.start == line_start and token.text not in _GOES_ON_BEFORE
        depth = 0 if is_new else depth
        if found and not depth and is_line_start and (is_new or not _goes_on(found[-1], token)):
            yield Statement(tuple(found), _comment(above))
            found = []
        if not found:
            above = comments
        comments = []
        newlines, is_line_start = 0, False
        found.append(token)
        depth = _depth(depth, token)
    if found:
        yield Statement(tuple(found), _comment(above))


def _is_sign(token: RegoToken) -> bool:
    return token.kind is TokenKind.SIGN


def _depth(depth: int, token: RegoToken) -> int:
    if not _is_sign(token):
        return depth
    return depth + 1 if token.text in OPENING else max(depth - 1, 0) if token.text in CLOSING else depth


def _goes_on(last: RegoToken, token: RegoToken) -> bool:
    is_unfinished = last.text in _GOES_ON_BEHIND and last.kind is not TokenKind.STRING
    return is_unfinished or (token.text in _GOES_ON_BEFORE and token.kind is not TokenKind.STRING)


def _comment(comments: Sequence[RegoToken]) -> str:
    lines = [comment.text.lstrip("#").strip() for comment in comments]
    if "METADATA" in lines:
        lines = _described(lines[lines.index("METADATA") + 1 :])
    return " ".join(" ".join(line for line in lines if line).split())[:_LONGEST_COMMENT]


def _described(lines: Sequence[str]) -> list[str]:
    """What a rule's annotations say about it: the description, else the title."""
    for key in ("description:", "title:"):
        for line in lines:
            if line.startswith(key):
                return [line.removeprefix(key).strip().lstrip("|>").strip("\"'")]
    return []
