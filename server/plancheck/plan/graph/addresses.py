"""Which step a text means that is not written as a reference: by its name, behind `steps.`, or by its number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plancheck.cached import cached_property
from plancheck.lazy_regex import regex
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.plan.graph.facts import PlanGraph

LONGEST = 200
"""Characters of a text that can mean a step."""
MOST_PARTS = 8
"""Parts of a dotted text of which the first ones can be the name of a step."""

_AROUND = regex(r"(?:steps?|nodes?|tasks?|calls?|results?|outputs?)(?:\.|(?=\[))", re.IGNORECASE)
"""What authors put before the name of a step, as if all steps were in an object or a list."""
_ENTRY = regex(r"\[\s*[\"']?(?P<name>[^\[\]\"']+)[\"']?\s*\]")
_NUMBERED = regex(r"(?:step|node|task|call|tool)[-_ ]?(\d{1,4})", re.IGNORECASE)
_LAST_NUMBER = regex(r"\d{1,4}$")
_RESULT = regex(r"(?:\.|\[[\"'])(?:results?|outputs?|responses?)(?![\w-])(?:[\"']\])?", re.IGNORECASE)
"""What authors call what a step returns."""


class Meant(NamedTuple):
    """The step that a text means."""

    position: int
    rest: str
    """What the text has behind the name: a path into the result, with whatever the result is called there."""

    @property
    def has_result(self) -> bool:
        """Whether the text says that a result is meant."""
        return _RESULT.match(self.rest) is not None

    @property
    def path(self) -> str:
        """The path into the result."""
        match = _RESULT.match(self.rest)
        return self.rest if match is None else self.rest[match.end() :]


class Addresses:
    """The steps of a plan by all that texts may call them."""

    def __init__(self, graph: PlanGraph) -> None:
        self._graph = graph

    def name(self, position: int) -> str | None:
        """What a reference calls a step; None if it cannot mean this one."""
        return self._graph.reference_name(position)

    def meant(self, text: str, reader: int) -> Meant | None:
        """The step that a dotted text means, in the step at position `reader`. By a number only an earlier one."""
        if len(text) > LONGEST:
            return None
        around = _AROUND.match(text)
        inside = text[around.end() :] if around is not None else ""
        for part in (text, inside):
            for head, rest in _heads(part):
                position = self._graph.position_of.get(head)
                if position is not None:
                    return Meant(position, rest)
        for head, rest in _heads(inside):
            if head.isdecimal() and len(head) < 5:
                return self._earlier((int(head),), reader, rest)
        for head, rest in _heads(text):
            if (numbered := _NUMBERED.fullmatch(head)) is not None:
                number = int(numbered[1])
                return self.numbered(number, reader, (number, number - 1), rest)
        return None

    def numbered(self, number: int, reader: int, positions: tuple[int, ...], rest: str = "") -> Meant | None:
        """The earlier step whose name has the number at its end; where no name ends in one, the first of the positions
        that is an earlier step."""
        if self._by_number:
            positions = (self._by_number.get(number, -1),)
        return self._earlier(positions, reader, rest)

    def _earlier(self, positions: tuple[int, ...], reader: int, rest: str) -> Meant | None:
        earlier = (position for position in positions if 0 <= position < reader)
        found = next((position for position in earlier if self.name(position) is not None), None)
        return None if found is None else Meant(found, rest)

    @cached_property
    def _by_number(self) -> dict[int, int]:
        """The steps by the numbers at the end of their names; -1 for a number that several have."""
        found: dict[int, int] = {}
        for position, step in enumerate(self._graph.steps):
            name = step.alias.name if step.alias is not None else step.identity
            match = _LAST_NUMBER.search(name) if isinstance(name, str) else None
            if match is not None:
                number = int(match[0])
                found[number] = position if number not in found else -1
        return found


def _heads(text: str) -> Iterator[tuple[str, str]]:
    """What may be the name of a step, the longest first, and what is behind it."""
    entry = _ENTRY.match(text)
    if entry is not None:
        yield entry["name"].strip(), text[entry.end() :]
        return
    if not text:
        return
    yield text, ""
    cuts = [i for i, char in enumerate(text) if char in ".[" and i][:MOST_PARTS]
    for cut in reversed(cuts):
        yield text[:cut], text[cut:]
