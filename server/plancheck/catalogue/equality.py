"""Equality of JSON values as JSON Schema has it: 1 is 1.0 and is not true; the order of members does not matter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plancheck.syntax.tree import MISSING


class Equality:
    """Gives equal values equal numbers, at every depth and without recursion."""

    def __init__(self, fits: Callable[[Any], bool]) -> None:
        self._fits = fits
        self._numbers: dict[Any, int] = {}
        self.work = 0
        """Values that were looked at."""

    def number(self, value: Any, is_of_schema: bool = False) -> int | None:
        """None for a value that is not known yet, all of it. What is in a schema is known, whatever it looks like."""
        done: list[int] = []
        todo: list[tuple[Any, bool]] = [(value, False)]
        while todo:
            item, is_complete = todo.pop()
            self.work += 1
            if is_complete:
                self._complete(item, done)
            elif item is MISSING or (not is_of_schema and self._fits(item)):
                return None
            elif isinstance(item, tuple):
                members = dict(item)
                todo.append((tuple(members), True))
                todo += ((member, False) for member in reversed(members.values()))
            elif isinstance(item, list):
                todo.append((len(item), True))
                todo += ((element, False) for element in reversed(item))
            else:
                done.append(self._numbered((type(item) is bool, item)))
        return done[0]

    def _complete(self, item: Any, done: list[int]) -> None:
        """An object by its names, or a list by its length: its parts are the last ones that are done."""
        size = item if isinstance(item, int) else len(item)
        parts = done[len(done) - size :]
        del done[len(done) - size :]
        if isinstance(item, int):
            done.append(self._numbered(("list", *parts)))
        else:
            done.append(self._numbered(("object", frozenset(zip(item, parts, strict=True)))))

    def _numbered(self, shape: Any) -> int:
        return self._numbers.setdefault(shape, len(self._numbers))
