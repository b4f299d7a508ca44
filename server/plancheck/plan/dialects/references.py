"""References to the results of other steps, as they stand inside strings: `{{id.result.x}}` and `${id.result.x}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from plancheck.plan.model import Read
from plancheck.syntax.tree import Path, Within

_PLACEHOLDER = re.compile(r"\$?\{\{(?P<double>[^{}]{1,500})\}\}|\$\{(?P<single>[^{}]{1,500})\}")
"""The limit keeps the cost of any text linear; no reference is that long."""
_SIGNS = r"{}()\[\]\"'`,;|+*=<>!&?"
"""What neither an id nor a path has in it."""
_RESULT = r"\.result(?![\w-])"
_PATH = rf"{_RESULT}(?:\.[^\s{_SIGNS}/:.]+|\[[^\]{{}}]*\])*"
_WHOLE = re.compile(rf"\s*(?P<id>[^\s{_SIGNS}$](?:(?!{_RESULT})[^{_SIGNS}])*?){_PATH}\s*")
"""A placeholder that is nothing but one reference: here an id may have blanks inside."""
_AMONG = re.compile(rf"(?P<id>[^\s{_SIGNS}$./:@#-][^\s{_SIGNS}]*?){_PATH}")
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
    todo: list[tuple[Any, Path]] = [(value, path)]
    while todo:
        item, where = todo.pop()
        if isinstance(item, str):
            if ".result" in item:
                for identity, own, whole in references_in(item):
                    yield Read(f"{identity}.result", (*where, whole), identity, (*where, own))
        elif isinstance(item, tuple):
            last = dict(item)  # of repeated keys the last counts
            todo += [(child, (*where, key)) for key, child in reversed(last.items())]
        elif isinstance(item, list):
            todo += [(item[i], (*where, i)) for i in range(len(item) - 1, -1, -1)]
