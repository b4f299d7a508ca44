"""What tells a finding from every other one of its document, and is still the same after the document was edited
somewhere else.

A fingerprint is made from

- the rule;
- the step: its identity, or, where a step is known by its position only, the tool that it calls and the value that the
  finding is about;
- the path inside the step, by names: a position in a list is replaced by what stands there, a scalar by itself and an
  object by its first text;
- the resource;
- how many findings with all of this in common come before it, for most findings none.

Neither the message nor an offset nor the position of a step is part of it. So a fingerprint survives rewording,
reformatting, edits of other steps, and steps that come, go or change places. Of several findings that have everything
in common, such as the same mistake in two equal calls, it is the last fingerprint that goes when one of them goes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from plancheck.analysis.finding import Finding
from plancheck.analysis.snapshot import Snapshot
from plancheck.plan.model import Place, Step
from plancheck.syntax.tree import INSIDE, Path, Spine, Top, Within
from plancheck.syntax.values import to_plain

_SIZE = 16
"""In bytes."""


def fingerprints(snapshot: Snapshot, findings: Iterable[Finding]) -> Iterator[str]:
    """The fingerprints of findings of a document, which come in the order of its text."""
    return digests(_parts(snapshot, finding) for finding in findings)


def digests(all_parts: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """A fingerprint for each finding that is described by these parts; equal parts are counted."""
    from hashlib import blake2b  # 3 ms, which only those pay who show fingerprints

    seen: Counter[tuple[str, ...]] = Counter()
    for parts in all_parts:
        described = json.dumps([*parts, seen[parts]])
        seen[parts] += 1
        yield blake2b(described.encode("ascii"), digest_size=_SIZE).hexdigest()


def _parts(snapshot: Snapshot, finding: Finding) -> tuple[str, ...]:
    place = finding.place
    names: list[str]
    if finding.span is not None:
        start, end = finding.span
        step, names = "", [snapshot.text[start:end].strip()]
    elif place.step is None:
        step, names = "", _names_around(snapshot, place.path)
    else:
        step, names = _inside(snapshot, snapshot.plan.steps[place.step], place)
    resource = "" if finding.resource is None else finding.resource
    return (finding.rule, *map(snapshot.without_secrets, (step, *names, resource)))


def _inside(snapshot: Snapshot, step: Step, place: Place) -> tuple[str, list[str]]:
    """How a step is called, and a place inside it."""
    identity = step.outline.identity
    is_counted = snapshot.plan.dialect.identities.are_counted and isinstance(identity, int)
    if identity is not None and not is_counted:
        value = None if _is_named(place.path) else _value_of(snapshot, step, place)
        return json.dumps(identity), _names(value, place.path)
    value = _value_of(snapshot, step, place)
    tool = "" if step.call is None or step.call.tool is None else step.call.tool
    return tool, [*_names(value, place.path), _content(_value_at(value, place.path))]


def _is_named(path: Path) -> bool:
    """Whether the path consists of names alone, so that nobody has to look at the values along it."""
    return all(isinstance(name, str) for name in path)


def _value_of(snapshot: Snapshot, step: Step, place: Place) -> Any:
    """All of a step, as the syntax tree has it; with the JSON texts in it read, where the dialect does."""
    if step.value is not None:
        return step.value
    assert place.step is not None
    found = snapshot.tree.resolve(snapshot.plan.step_path(place.step))
    return None if found is None or isinstance(found, (Top, Spine)) else _value_at(found[1].value, found[2])


def _names_around(snapshot: Snapshot, path: Path) -> list[str]:
    """The names of a path that leads into the document around the steps."""
    found = snapshot.tree.resolve(path)
    if found is None or isinstance(found, (Top, Spine)):
        return _names(None, path)
    _, chunk, rest = found
    above = path[: len(path) - len(rest)]
    element = [_name(chunk.value)] if above and isinstance(above[-1], int) else []
    return [*(name for name in above if isinstance(name, str)), *element, *_names(chunk.value, rest)]


def _names(value: Any, path: Path) -> list[str]:
    """A path without positions: what stands there is named by its content."""
    names = []
    for name in path:
        inner = _member(value, name)
        if isinstance(name, str):
            names.append("" if name == INSIDE else name)
        else:
            names.append(_name(inner))
        value = inner
    return names


def _value_at(value: Any, path: Path) -> Any:
    for name in path:
        value = _member(value, name)
    return value


def _member(value: Any, name: str | int | Within) -> Any:
    """What a name leads to; None where it leads nowhere. Of repeated keys the last counts."""
    if isinstance(name, Within):
        return value[name.start : name.end] if isinstance(value, str) else None
    if isinstance(name, int):
        return value[name] if isinstance(value, list) and -len(value) <= name < len(value) else None
    if isinstance(value, tuple):
        return next((inner for key, inner in reversed(value) if key == name), None)
    return None


def _name(value: Any) -> str:
    """How an element of a list is called."""
    if isinstance(value, tuple):
        return next((inner for _, inner in value if isinstance(inner, str)), "")
    return "" if isinstance(value, list) else _content(value)


def _content(value: Any) -> str:
    """A value as text; what is not written yet in it counts as null."""
    return (
        value if isinstance(value, str) else json.dumps(to_plain(value), sort_keys=True, default=lambda _missing: None)
    )
