"""The texts among the arguments of calls, found once for all rules that look at them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from plancheck.analysis.calls import TopMember
from plancheck.analysis.finding import Finding
from plancheck.analysis.subjects import Subject
from plancheck.plan.dialects.references import references_in
from plancheck.plan.embedded import json_in, may_hold_json
from plancheck.plan.model import Clarity, Identity, Place
from plancheck.policy.checks import Concern, Judged, judged_calls
from plancheck.policy.classes import ClassSource, ToolClasses
from plancheck.policy.commands import Language, scripts_of
from plancheck.policy.families import Family, families_by_name, families_in
from plancheck.policy.names import plain_name
from plancheck.policy.sql_words import DATABASES
from plancheck.syntax.tree import Path
from plancheck.tuples import NamedTuple

_MOST_WRAPS = 8
_MOST_SHOWN = 20
"""References in one text."""


class CallText(NamedTuple):
    """A text among the arguments of a call."""

    path: Path
    """Where to show it: inside a JSON text nothing has a place of its own."""
    key: str
    """The name of the innermost argument that it belongs to."""
    text: str
    is_direct: bool
    """Whether it is the text at the path, and not in a JSON text there."""


class MadeCall(NamedTuple):
    """A call that a step makes or carries, or that is beside the steps."""

    judged: Judged
    families: frozenset[Family]
    """What its tool does, or what it takes."""
    texts: tuple[CallText, ...]
    place: Place
    """The step, or the plan around the steps."""
    identity: Identity | None
    subject: str
    """What makes the call, at the beginning of a sentence."""
    lower: str
    """All the texts in small letters: to find out fast that something is in none of them."""
    direct_texts: Mapping[Path, str]
    """Where there are references, the texts that are in no JSON text, by their paths."""

    @property
    def tool(self) -> str:
        return self.judged.call.tool or ""

    @property
    def is_plain(self) -> bool:
        """Whether it is certain to be a call, with its arguments where they belong."""
        return self.judged.clarity is not Clarity.FAINT and not self.judged.is_misplaced

    @property
    def has_references(self) -> bool:
        """Whether there may be a reference in one of the texts."""
        return ".result" in self.lower

    def is_any_of(self, *families: Family) -> bool:
        return not self.families.isdisjoint(families)

    def where(self, path: Path) -> Place:
        return self.place._replace(path=self.judged.place(path))

    def reference_places(self, path: Path, text: str) -> list[Place]:
        """Where the references in one of the texts are; inside a JSON text, where that is."""
        where = self.where(path)
        if self.direct_texts.get(path) != text:
            return [where] if next(references_in(text), None) is not None else []
        found = islice(references_in(text), _MOST_SHOWN)
        return [where._replace(path=(*path, whole)) for _, _, whole in found]


class CallTexts:
    """Of each step, and of each member beside the steps, the calls with their texts."""

    def __init__(self, classes: ToolClasses, *, has_references: bool) -> None:
        self.classes = classes
        self.has_references = has_references
        """Whether texts may refer to what other steps have found out."""
        self._found: dict[int | Path, Sequence[MadeCall]] = {}
        self._concern = Concern(self._may_run_texts)

    def of(self, subject: Subject | TopMember) -> Sequence[MadeCall]:
        key = subject.path if isinstance(subject, TopMember) else subject.position
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = tuple(self._calls(subject))
        return found

    def references_in_scripts(
        self, subject: Subject | TopMember, language: Language
    ) -> Iterator[tuple[MadeCall, list[Place]]]:
        """The references in each text of a subject that a shell, or an interpreter, reads."""
        for made in self.of(subject):
            if made.is_any_of(Family.EXEC) and made.has_references:
                is_certain = made.judged.clarity is not Clarity.FAINT
                for script in scripts_of(made.judged.call, is_certain=is_certain):
                    places = made.reference_places(*script.word) if script.language is language else []
                    if places:
                        yield made, places

    def families(self, tool: str) -> frozenset[Family]:
        """What a tool does, or what it takes: that it only reads says nothing about what that is done by."""
        known = self.classes.classify(tool)
        if known.source is ClassSource.POLICY and Family.READ not in known.families:
            return known.families
        words = plain_name(tool).replace(".", "_").split("_")
        is_database = any(word in DATABASES or word.endswith("sql") for word in words)
        return known.families | families_by_name(tool) | (_OF_DATABASES if is_database else frozenset())

    def _may_run_texts(self, name: str) -> bool:
        """Whether it matters what a tool is called with even where it is not certain that it is called."""
        known = families_in(self.classes.policy.words_about(name)) or families_by_name(name)
        return not _WITH_TEXTS.isdisjoint(known)

    def _calls(self, subject: Subject | TopMember) -> Iterator[MadeCall]:
        if isinstance(subject, TopMember):
            judged_here, carried = subject.judged_for(self._concern), subject.carried
            place, identity, name = Place(None), None, "The plan"
        else:
            step = subject.step
            judged_here, carried = judged_calls(step, self._concern), step.carried
            place, identity, name = Place(subject.position), step.outline.identity, f"Step {step.name}"
        inner = frozenset(
            found.call.arguments_path
            for found in carried
            if found.call is not None and found.call.arguments is not None and found.clarity is not Clarity.FAINT
        )
        for judged in judged_here:
            if judged.call.tool is not None and not _are_elements(judged.call.arguments):
                texts = tuple(_texts(judged, inner))
                if texts:
                    lower = "\n".join([text.text for text in texts]).lower()
                    has_references = self.has_references and ".result" in lower
                    direct = {text.path: text.text for text in texts if text.is_direct} if has_references else _NONE
                    families = self.families(judged.call.tool)
                    yield MadeCall(judged, families, texts, place, identity, name, lower, direct)


def each_once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, one for each place: a text may belong to several calls."""
    places: set[Place] = set()
    for finding in findings:
        if finding.place not in places:
            places.add(finding.place)
            yield finding


_NONE: Mapping[Path, str] = {}
_WITH_TEXTS = frozenset({Family.SQL, Family.QUERY, Family.EXEC})
_OF_DATABASES = frozenset({Family.SQL})


def _are_elements(arguments: Any) -> bool:
    """Whether arguments are nothing but what stands beside a tool in a list."""
    return isinstance(arguments, tuple) and any(not isinstance(name, str) for name, _ in arguments)


def _texts(judged: Judged, inner: Container[Path]) -> Iterator[CallText]:
    """The texts at any depth, those in JSON texts included. What a call in the arguments is called with, at one of the
    `inner` paths, is its own."""
    call = judged.call
    todo: list[tuple[Any, Path, str, int]] = [(call.arguments, call.arguments_path, _last_name(call.arguments_path), 0)]
    while todo:
        value, path, key, wraps = todo.pop()
        if path in inner and path != call.arguments_path:
            continue
        if isinstance(value, str):
            yield CallText(path, key, value, wraps == 0 and judged.within is None)
            if wraps < _MOST_WRAPS and may_hold_json(value):
                todo += ((found, path, key, wraps + 1) for found in json_in(value) if found is not None)
        elif isinstance(value, tuple):
            todo += ((child, path if wraps else (*path, name), name, wraps) for name, child in reversed(value))
        elif isinstance(value, list):
            todo += ((value[i], path if wraps else (*path, i), key, wraps) for i in range(len(value) - 1, -1, -1))


def _last_name(path: Path) -> str:
    return next((part for part in reversed(path) if isinstance(part, str)), "")
