"""A value is of the wrong type.

## What it does
Reports a value whose type does not fit its key: `idx` and `producer` are integers (not `true`, `1.0` or `"1"`),
`agent` and resource ids are strings, `control_preds`, `reads`, `writes` and `scope` are lists, flags are `true` or
`false`, a step is an object.

## Why is this bad?
Readers that do not refuse such a plan take something else from it than its author meant: a string where a list
belongs becomes a list of its letters, and `"false"` is true.

## Fix safety
Safe where the value says unmistakably what was meant: a number or a flag in quotes, a whole number with a fraction of
zero, a flag as 0, 1 or null, a single entry where a list belongs. Quoting a number, taking the name out of an object,
and removing what cannot be understood are unsafe.
"""

import re
from collections.abc import Iterator
from typing import Any

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.fix.build import remove_entry, spell_out
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, RemoveMember, RemoveSteps, SetValue, WrapInList
from plancheck.analysis.rule import Category, Rule
from plancheck.plan.dialects.vocabulary import Expected, Slot

_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.0*)?")


def _key(finding: Finding) -> str:
    """The key that says what the value is for; of an entry of a list, that of the list."""
    return next((name for name in reversed(finding.place.path) if isinstance(name, str)), "")


def _expected(view: FixView, finding: Finding) -> Expected:
    """What belongs there."""
    place = finding.place
    return view.plan.dialect.vocabulary.expected(place.step is not None, place.path) or Expected()


def _is_entry(finding: Finding) -> bool:
    return bool(finding.place.path) and isinstance(finding.place.path[-1], int)


def _integer(value: Any) -> int | None:
    written = str(value).strip() if isinstance(value, (str, float)) else ""
    match = _INTEGER.fullmatch(written)
    return int(match[0].partition(".")[0]) if match else None


def _as_number(view: FixView, finding: Finding) -> Iterator[Proposal]:
    value = view.value(finding.place)
    number, expected = _integer(value), _expected(view, finding)
    if number is None or not view.plan.dialect.identities.are_numbers:
        return
    if expected.slot not in (Slot.IDENTITY, Slot.STEP):
        return
    if expected.many:
        yield Proposal(f"Write `[{number}]`", (SetValue(finding.place, [number]),))
    else:
        yield Proposal(f"Write `{number}`", (SetValue(finding.place, number),))


def _as_flag(view: FixView, finding: Finding) -> Iterator[Proposal]:
    value = view.value(finding.place)
    if _expected(view, finding).slot is not Slot.FLAG:
        return
    if value is None:
        yield Proposal(f"Remove `{_key(finding)}`, which is the same as false", (RemoveMember(finding.place),))
    word = str(value).strip().lower()
    flag = True if word in ("true", "1", "1.0") else False if word in ("false", "0", "0.0") else None
    if flag is not None:
        yield Proposal(f"Write `{str(flag).lower()}`", (SetValue(finding.place, flag),))


def _wrap(view: FixView, finding: Finding) -> Iterator[Proposal]:
    value = view.value(finding.place)
    if _expected(view, finding).many and value and not isinstance(value, (bool, list)):
        yield Proposal(f"Make a list of `{_key(finding)}`", (WrapInList(finding.place),))


def _quote(view: FixView, finding: Finding) -> Iterator[Proposal]:
    value = view.value(finding.place)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and _is_name(view, _expected(view, finding)):
        yield Proposal(f'Write `"{value}"`', (SetValue(finding.place, str(value)),))


def _is_name(view: FixView, expected: Expected) -> bool:
    """Whether a string belongs there."""
    if expected.many:
        return False
    if expected.slot in (Slot.IDENTITY, Slot.STEP):
        return not view.plan.dialect.identities.are_numbers
    return expected.slot in (Slot.NAME, Slot.RESOURCE)


def _unwrap(view: FixView, finding: Finding) -> Iterator[Proposal]:
    value, expected = view.value(finding.place), _expected(view, finding)
    is_bare = expected.shape is None and _is_name(view, expected)
    if is_bare and isinstance(value, dict) and isinstance(value.get("id"), str):
        yield Proposal(f'Write `"{value["id"]}"`', (SetValue(finding.place, value["id"]),))


def _remove(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, path = finding.place.step, finding.place.path
    if position is None:
        return
    if not path:
        yield Proposal("Remove this step", (RemoveSteps((position,)), *spell_out(view, position + 1)))
    elif _is_entry(finding):
        yield Proposal("Remove this entry", tuple(remove_entry(position, path)))
    elif not _expected(view, finding).is_required:
        yield Proposal(f"Remove `{_key(finding)}`", (RemoveMember(finding.place),))


RULE = Rule(
    "wrong_type",
    Severity.ERROR,
    Category.DOCUMENT,
    __doc__,
    bad="""\
{"nodes": [
  {"idx": "0", "agent": "clerk", "kind": "decision", "reads": "order"}
]}
""",
    good="""\
{"nodes": [
  {"idx": 0, "agent": "clerk", "kind": "decision", "reads": ["order"]}
]}
""",
    remedies=(
        Remedy("write the number without quotes or fraction", True, _as_number),
        Remedy("write the flag as `true` or `false`", True, _as_flag),
        Remedy("put the single entry into a list", True, _wrap),
        Remedy("put the number into quotes", False, _quote),
        Remedy("take the name out of the object", False, _unwrap),
        Remedy("remove it", False, _remove),
    ),
    is_unread=True,
)
