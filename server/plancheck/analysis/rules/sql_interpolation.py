"""The result of another step is put into the text of SQL.

## What it does
Reports a reference (`{{id.result}}`, `${id.result}`) inside the text of a statement: in a condition, in quotes, as the
name of a table, in a comment, and as the statement itself. (A whole statement of a tool that only reads is left to
`tool_deny`: a human has to look at it.) What SQL is decides `tool_deny`'s recognition: a text under
a name such as `sql`, a `query` in a tool of databases, and what begins like SQL in such a tool. Bound parameters
(`"params": ["{{id.result}}"]`) are fine. Calls inside arguments and beside the steps count. Traces have no references.

## Why is this bad?
Whoever has a say in that result has a say in the statement: a name such as `x'; DROP TABLE users; --` ends one and
begins another. That the tool only reads does not help against reading what it should not.

## What it cannot know
Whether the result can only be harmless, such as a number that the step before has counted.

## Fix safety
Binding by the style of placeholders that the statement has already is safe. Where it has none, the style is a guess,
and the fix unsafe. For names of tables and columns, which cannot be bound, there is no fix.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from plancheck.analysis.call_texts import CallTexts, MadeCall, each_once
from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import CALL_TEXTS, HAS_TOOLS
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.change import Change, FixView, Proposal, Remedy, SetMember, SetValue
from plancheck.analysis.rule import Category, Precision, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.lazy_regex import regex
from plancheck.plan.dialects.references import references_in
from plancheck.policy.families import Family
from plancheck.policy.names import plain_name
from plancheck.syntax.tree import Within
from plancheck.tuples import NamedTuple


def check(subjects: Iterable[Subject | TopMember], texts: CallTexts) -> Iterator[Finding]:
    calls = (made for subject in subjects for made in texts.of(subject)) if texts.has_references else ()
    suspicious = (made for made in calls if made.has_references and _may_take_sql(made))
    yield from each_once(finding for made in suspicious for finding in _found(made, texts))


def _may_take_sql(made: MadeCall) -> bool:
    if made.is_any_of(Family.SQL, Family.QUERY) or any("sql" in text.key.lower() for text in made.texts):
        return True
    return "quer" in plain_name(made.tool) or "statement" in plain_name(made.tool)


def _found(made: MadeCall, texts: CallTexts) -> Iterator[Finding]:
    from plancheck.policy.statements import sql_run_by  # what recognizes SQL takes long to be imported

    only_reads = texts.classes.family(made.tool) is Family.READ
    for path, sql in sql_run_by(made.judged.call, texts.classes.policy):
        if only_reads and _REFERENCE.fullmatch(sql) is not None:
            continue  # what it does cannot be known before the run, and `tool_deny` says so
        places = made.reference_places(path, sql) if ".result" in sql else []
        if places:
            message = f"{made.subject} puts another step's result into the text of its SQL: bind it as a parameter."
            related = tuple(Related(place, "And here.") for place in places[1:])
            yield Finding(places[0], message, made.identity, made.tool, related)


_REFERENCE = regex(r"\s*(?:\$?\{\{[^{}]{1,500}\}\}|\$\{[^{}]{1,500}\})\s*;?\s*")

# ---- fixes -----------------------------------------------------------------------------------------------------------

_PLACEHOLDER = regex(r"\$?\{\{[^{}]{1,500}\}\}|\$\{[^{}]{1,500}\}")
_PARAMETERS = ("params", "parameters", "bindings", "binds", "values")
_STYLES = {
    "?": regex(r"\?"),
    "%s": regex(r"%s\b"),
    "$1": regex(r"\$\d+\b"),
    ":name": regex(r"(?<![:\w]):[A-Za-z_]\w*"),
    "@name": regex(r"(?<![@\w])@[A-Za-z_]\w*"),
    "%(name)s": regex(r"%\(\w+\)s"),
}
_NAMED_STYLES = (":name", "@name", "%(name)s")
_BEFORE_VALUE = regex(r"(?i)(?:[=<>]|\b(?:like|ilike|between|limit|offset)|\bvalues\s*\((?:[^()]*,)?)\s*$")
_AFTER_VALUE = regex(r"\s*(?:$|[),;<>=]|\s(?!-))")
_COMMENT = regex(r"--|/\*|#")


class _Bound(NamedTuple):
    """A statement whose references are bound, and what they are bound to."""

    sql: str
    parameters: Any


def _bind_alike(view: FixView, finding: Finding) -> Iterator[Proposal]:
    yield from _proposals(view, finding, is_guess=False)


def _bind_by_guess(view: FixView, finding: Finding) -> Iterator[Proposal]:
    yield from _proposals(view, finding, is_guess=True)


def _proposals(view: FixView, finding: Finding, *, is_guess: bool) -> Iterator[Proposal]:
    *path, within = finding.place.path or ((),)
    if not isinstance(within, Within) or not path:
        return
    place, holder = finding.place._replace(path=tuple(path)), finding.place._replace(path=tuple(path[:-1]))
    sql, members = view.value(place), view.value(holder)
    if not isinstance(sql, str) or not isinstance(members, dict):
        return
    key = next((name for name in _PARAMETERS if isinstance(members.get(name), (list, dict))), None)
    given = members[key] if key is not None else None
    own = [style for style, pattern in _STYLES.items() if pattern.search(_PLACEHOLDER.sub("", sql)) is not None]
    if len(own) > 1 or (bool(own) is is_guess) or (own and given is None):
        return
    style = own[0] if own else ":name" if isinstance(given, dict) else "?"
    bound = _bound(sql, style, given)
    if bound is not None:
        changes: tuple[Change, ...] = (SetValue(place, bound.sql), SetMember(holder, key or "params", bound.parameters))
        yield Proposal("Bind it as a parameter", changes)


def _bound(sql: str, style: str, given: Any) -> _Bound | None:
    """The statement with all its references bound; None where one of them is no value."""
    is_named = style in _NAMED_STYLES
    if isinstance(given, dict) is not is_named and given is not None:
        return None
    names = dict(given) if isinstance(given, dict) else {}
    values = list(given) if isinstance(given, list) else []
    pieces: list[str] = []
    done = 0
    for match in _PLACEHOLDER.finditer(sql):
        if next(references_in(match[0]), None) is None:
            continue
        start, end = match.span()
        is_quoted = sql[start - 1 : start] == "'" == sql[end : end + 1]
        start, end = (start - 1, end + 1) if is_quoted else (start, end)
        if not _is_value(sql, start, end):
            return None
        pieces.append(sql[done:start])
        done = end
        if is_named:
            name = _free_name(match[0], names)
            names[name] = match[0]
            pieces.append(style.replace("name", name))
        elif style == "$1":
            values.append(match[0])
            pieces.append(f"${len(values)}")
        else:
            values.insert(len(_STYLES[style].findall("".join(pieces))), match[0])
            pieces.append(style)
    pieces.append(sql[done:])
    return _Bound("".join(pieces), names if is_named else values)


def _is_value(sql: str, start: int, end: int) -> bool:
    """Whether what is between two offsets can only be a value: no name, and no part of a text or a comment."""
    before = sql[:start]
    if before.count("'") % 2 or _COMMENT.search(before) is not None:
        return False
    return _BEFORE_VALUE.search(before[-500:]) is not None and _AFTER_VALUE.match(sql, end) is not None


def _free_name(reference: str, taken: dict[str, Any]) -> str:
    words = re.findall(r"[A-Za-z_]\w*", reference)
    name = words[-1] if words else "value"
    number = 1
    while name in taken:
        number += 1
        name = f"{words[-1]}{number}"
    return name


RULE = Rule(
    "sql_interpolation",
    Severity.ERROR,
    Category.SECURITY,
    __doc__,
    bad="""\
{"goal": "look up the customer", "steps": [
  {"id": "ask", "tool": "form.read"},
  {"id": "find", "tool": "db.query_ro", "depends_on": ["ask"],
   "args": {"query": "SELECT * FROM customers WHERE name = '{{ask.result.name}}'"}}
]}
""",
    good="""\
{"goal": "look up the customer", "steps": [
  {"id": "ask", "tool": "form.read"},
  {"id": "find", "tool": "db.query_ro", "depends_on": ["ask"],
   "args": {"query": "SELECT * FROM customers WHERE name = ?", "params": ["{{ask.result.name}}"]}}
]}
""",
    is_enforced=True,
    checks=(each_step(check, CALL_TEXTS, only_if=HAS_TOOLS), each_member(check, CALL_TEXTS, only_if=HAS_TOOLS)),
    remedies=(
        Remedy("bind it by the placeholders that the statement has", True, _bind_alike),
        Remedy("bind it as a parameter", False, _bind_by_guess),
    ),
    tags=("ASI02", "ASI05", "CWE-89"),
    since="0.2",
    precision=Precision.HIGH,
    security_severity=8.8,
)
