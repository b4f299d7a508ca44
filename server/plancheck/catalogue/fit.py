"""What is known while a value is held against a schema: what is wrong so far, and how much work is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plancheck.catalogue.equality import Equality
from plancheck.catalogue.patterns import occurs
from plancheck.catalogue.resolve import SchemaPart, Steps, path_of, step
from plancheck.catalogue.schema import SchemaDoubt, SchemaFault
from plancheck.catalogue.words import shown, subject
from plancheck.policy.regexes import Ask, Outcome
from plancheck.syntax.tree import Part
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason

MOST_STEPS = 50_000
"""Work on one value: schemas that a part of it is held against, members looked up, values compared."""

_MOST_PREPARED = 200
"""Patterns: with more, each is compiled again and again."""


class NotedFault(NamedTuple):
    """A fault before it is put into words and paths: most of those in unions never are."""

    keyword: str
    place: Steps | None
    part: Part
    words: tuple[str | Steps | None, ...]
    """The message; places in it are still to be named."""
    where: Steps | None
    """In the schema."""
    is_in_root: bool
    name: str | None = None
    is_lenient: bool = False
    expected: str = ""

    def written(self) -> SchemaFault:
        message = "".join(word if isinstance(word, str) else subject(word) for word in self.words)
        path, schema_path = path_of(self.place), path_of(self.where)
        more = (self.name, self.is_lenient, self.is_in_root, self.expected)
        return SchemaFault(self.keyword, path, self.part, message, schema_path, *more)


class Fit:
    """How a value fits a schema: surely, not (faults), it could not be checked (doubts), or it is open, because a
    reference or a half-typed value decides it: then there is nothing to say."""

    __slots__ = ("doubts", "extras", "faults", "is_open", "known", "names_members")

    def __init__(self, is_open: bool = False) -> None:
        self.faults: list[NotedFault] = []
        self.doubts: list[SchemaDoubt] = []
        self.extras: list[NotedFault] = []
        """Lenient faults: they do not make a value unfit."""
        self.is_open = is_open
        self.known: set[str] | None = None if is_open else set()
        """The members of the object that the schema says something about; None for all."""
        self.names_members = False
        """Whether the schema names the members of the object at all."""

    @property
    def is_sure(self) -> bool:
        return not (self.faults or self.doubts or self.is_open)

    def add(self, other: Fit) -> None:
        """The same value must fit another schema, too."""
        self.add_inner(other)
        self.know(other)

    def add_inner(self, other: Fit) -> None:
        """A value inside this one must fit a schema."""
        self.faults += other.faults
        self.doubts += other.doubts
        self.extras += other.extras
        self.is_open |= other.is_open

    def leave_open(self, doubts: list[SchemaDoubt]) -> None:
        self.doubts += doubts
        self.is_open = True

    def know(self, other: Fit) -> None:
        self.known = None if self.known is None or other.known is None else self.known | other.known
        self.names_members |= other.names_members


OPEN = Fit(is_open=True)
"""Of a value that is not known yet. Nothing is ever added to it."""


class Work:
    """What one question may take, and what it is asked with."""

    def __init__(self, fits: Callable[[Any], bool], ask: Ask) -> None:
        self.fits = fits
        self._ask = ask
        self._left: float = MOST_STEPS
        self._patterns: set[str] = set()
        """Those that were asked for."""
        self._equality = Equality(fits)

    @property
    def is_over(self) -> bool:
        return self._left < 0

    def may_go_on(self, fit: Fit, steps: float = 1) -> bool:
        self._left -= steps
        if self._left < 0:
            message = "The value was not checked completely: its schema takes too much work."
            fit.doubts = [SchemaDoubt((), Reason.LIMIT, message)]
        return self._left >= 0

    def number(self, value: Any, fit: Fit, is_of_schema: bool = False) -> int | None:
        """Equal values have equal numbers; None is that of a value that is not known, which leaves it open."""
        before = self._equality.work
        number = self._equality.number(value, is_of_schema)
        if not self.may_go_on(fit, 0.5 + (self._equality.work - before) / 4):
            return None
        fit.is_open |= number is None
        return number

    def occurs(self, pattern: str, value: str, place: Steps | None, fit: Fit) -> bool | None:
        """Whether a pattern occurs in a text; None where that is not known."""
        is_prepared = pattern in self._patterns and len(self._patterns) <= _MOST_PREPARED
        self._patterns.add(pattern)
        if not self.may_go_on(fit, 1 + len(value) / 1_000 + (0 if is_prepared else 20 + len(pattern))):
            return None
        found = occurs(pattern, value, self._ask)
        if found is Outcome.STOPPED:
            message = f"{subject(place)} was not checked: the pattern {shown(pattern)} takes too long."
            fit.doubts.append(SchemaDoubt(path_of(place), Reason.LIMIT, message))
        elif not isinstance(found, bool):
            fit.is_open = True
        return found if isinstance(found, bool) else None


class Held(NamedTuple):
    """A value that is held against a schema."""

    part: SchemaPart
    schema: dict[str, Any]
    """The members of the schema."""
    value: Any
    place: Steps | None
    """Where the value is."""
    fit: Fit

    def fail(self, keyword: str, expected: str, instead: str = "", reported: str = "") -> None:
        """Note that a keyword is not satisfied: `limit` must be at most 100, not 250."""
        words = (self.place, f" must {expected}{f', not {instead}' if instead else ''}")
        self.note(reported or keyword, self.place, words, step(keyword, self.part.steps), expected=expected[3:])

    def note(
        self,
        keyword: str,
        place: Steps | None,
        words: tuple[str | Steps | None, ...],
        where: Steps | None,
        part: Part = Part.VALUE,
        name: str | None = None,
        expected: str = "",
    ) -> None:
        fault = NotedFault(keyword, place, part, words, where, self.part.is_in_root, name, False, expected)
        self.fit.faults.append(fault)

    def miss(self, keyword: str, name: str, *why: str | Steps) -> None:
        """Note that a member is missing."""
        words = (step(name, self.place), " is missing", *why)
        self.note(keyword, self.place, words, step(keyword, self.part.steps), name=name)

    def refuse(self, keyword: str, where: Steps | None, place: Steps | None, hint: str = "") -> None:
        """Note that a value may not be there at all."""
        name = place.name if place is not None and isinstance(place.name, str) else None
        self.note(keyword, place, (place, f" is not allowed here{hint}"), where, Part.KEY, name)
