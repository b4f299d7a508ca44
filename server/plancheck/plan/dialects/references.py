"""References to the results of other steps, as they stand inside strings: `{{id.result.x}}` and `${id.result.x}`; and
what looks like one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plancheck.lazy_regex import regex
from plancheck.plan.model import Lookalike, LookalikeForm, Read
from plancheck.syntax.tree import Path, Within

_PLACEHOLDER = regex(r"\$?\{\{(?P<double>[^{}]{1,500})\}\}|\$\{(?P<single>[^{}]{1,500})\}")
"""The limit keeps the cost of any text linear; no reference is that long."""
_SIGNS = r"{}()\[\]\"'`,;|+*=<>!&?"
"""What neither an id nor a path has in it."""
_RESULT = r"\.result(?![\w-])"
_PATH = rf"{_RESULT}(?:\.[^\s{_SIGNS}/:.]+|\[[^\]{{}}]*\])*"
_WHOLE = regex(rf"\s*(?P<id>[^\s{_SIGNS}$](?:(?!{_RESULT})[^{_SIGNS}])*?){_PATH}\s*")
"""A placeholder that is nothing but one reference: here an id may have blanks inside."""
_AMONG = regex(rf"(?P<id>[^\s{_SIGNS}$./:@#-][^\s{_SIGNS}]*?){_PATH}")
"""A reference among other things, such as in a sum of two."""


def references_in(text: str) -> Iterator[tuple[str, Within, Within]]:
    """Every reference in a string: the step's id, where that stands, and where the whole expression does."""
    for match in _PLACEHOLDER.finditer(text):
        start, end = match.span(match.lastgroup or 0)
        whole = _WHOLE.fullmatch(text, start, end)
        for found in [whole] if whole is not None else _AMONG.finditer(text, start, end):
            id_start, id_end = found.span("id")
            whole_end = id_start + len(found[0][id_start - found.start() :].rstrip())
            yield found["id"], Within(id_start, id_end), Within(id_start, whole_end)


def reads_in(value: Any, path: Path) -> Iterator[Read]:
    """Every reference anywhere inside a value, as a read, in the order of the text."""
    return (read for text, where in strings_in(value, path) for read in reads_of(text, where))


def reads_of(text: str, where: Path) -> Iterator[Read]:
    """The references in one string."""
    if ".result" in text:
        for identity, own, whole in references_in(text):
            yield Read(f"{identity}.result", (*where, whole), identity, (*where, own))


def may_refer(text: str) -> bool:
    """Whether there may be a reference in a string, or something that looks like one. In most there is none."""
    return "{" in text or "$" in text or text.lstrip()[:1] in ("<", "#")


def has_candidates(value: Any) -> bool:
    """The same of all strings in a value, which takes half the time of finding out where they are."""
    todo = [value]
    for item in todo:
        if isinstance(item, str):
            if may_refer(item):
                return True
        elif isinstance(item, tuple):
            todo += [child for _, child in item]
        elif isinstance(item, list):
            todo += item
    return False


def strings_in(value: Any, path: Path) -> Iterator[tuple[str, Path]]:
    todo: list[tuple[Any, Path]] = [(value, path)]
    while todo:
        item, where = todo.pop()
        if isinstance(item, str):
            yield item, where
        elif isinstance(item, tuple):
            last = dict(item)  # of repeated keys the last counts
            todo += [(child, (*where, key)) for key, child in reversed(last.items())]
        elif isinstance(item, list):
            todo += [(item[i], (*where, i)) for i in range(len(item) - 1, -1, -1)]


# ---- what looks like a reference and may be none ---------------------------------------------------------------------

_SINGLE = regex(r"(?<![{$\w])\{(?P<inside>[^{}\s\"']{1,200})\}(?!\})")
_NAME = regex(r"(?<![\w$])\$(?P<inside>\.?[A-Za-z_][\w-]{0,100}(?:\.[\w-]{1,100}|\[[\w'\"-]{0,100}\]){0,20})")
_TOKEN = regex(r"\s*(?:<(?P<angle>[^<>\s]{1,200})>|\$(?P<dollar>\d{1,3})|#E(?P<hash>\d{1,2}))\s*")
"""A whole string that other planners take for a reference."""
_BRACES = {True: LookalikeForm.DOUBLE, False: LookalikeForm.DOLLAR_BRACES}


def lookalikes_of(text: str, where: Path) -> Iterator[Lookalike]:
    """What in one string may be meant as a reference and be none: whether it is, depends on the names of the steps."""
    if may_refer(text):
        whole = text.strip()
        for form, expression, span, token in _alike(text):
            yield Lookalike((*where, span), form, expression, whole == token, "\n" in whole)


def _alike(text: str) -> Iterator[tuple[LookalikeForm, str, Within, str]]:
    """The form, what stands inside, which characters the right form takes the place of, and all of it."""
    for match in _PLACEHOLDER.finditer(text):
        start, end = match.span(match.lastgroup or 0)
        if _WHOLE.fullmatch(text, start, end) is not None or _AMONG.search(text, start, end) is not None:
            continue  # it is a reference
        expression = text[start:end].partition("|")[0].strip()
        if expression:
            start += len(text[start:end]) - len(text[start:end].lstrip())
            form = _BRACES[match.lastgroup == "double"]
            yield form, expression, Within(start, start + len(expression)), match[0]
    for form, pattern in ((LookalikeForm.SINGLE, _SINGLE), (LookalikeForm.NAME, _NAME)):
        for match in pattern.finditer(text):
            yield form, match["inside"], Within(*match.span()), match[0]
    token = _TOKEN.fullmatch(text)
    if token is not None:
        form = LookalikeForm(token.lastgroup or "")
        stripped = text.strip()
        start = text.index(stripped)
        yield form, token[form.value], Within(start, start + len(stripped)), stripped
