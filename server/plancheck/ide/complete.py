"""What can be typed at an offset, in text that is not finished."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from plancheck.analysis.rules import RULES
from plancheck.analysis.snapshot import Snapshot
from plancheck.analysis.surgery import container
from plancheck.ide.context import Context, Wants, context_at, next_character
from plancheck.ide.snippets import free_identity, list_snippets, plan_snippet, read_snippets, step_snippets
from plancheck.ide.vocabulary import KINDS, Expected, Slot, Vocabulary, vocabulary
from plancheck.ide.words import code, count, escape, plain, step_title
from plancheck.plan.model import Plan
from plancheck.syntax.tree import Path
from plancheck.text import Span

MOST_ITEMS = 500
"""A list of this length is not complete: the client has to ask again when more was typed."""


class CompletionKind(Enum):
    KEY = "key"
    KIND = "kind"
    STEP = "step"
    RESOURCE = "resource"
    RULE = "rule"
    VALUE = "value"
    SNIPPET = "snippet"


class Completion(NamedTuple):
    label: str
    kind: CompletionKind
    span: Span
    """What the new text takes the place of; it holds the offset and lies on its line."""
    insert_text: str
    is_snippet: bool
    """Whether `insert_text` has `$1`, `${1:…}` and `\\$` in it."""
    filter_text: str
    """What the text in `span` is compared with."""
    sort_key: str
    detail: str = ""
    documentation: str = ""
    """Markdown."""


class _Offer(NamedTuple):
    """A proposal before it is fitted to the place."""

    label: str
    kind: CompletionKind
    text: str
    is_snippet: bool = False
    detail: str = ""
    documentation: str = ""


class _Place(NamedTuple):
    """The place to complete at, as the plan sees it."""

    snapshot: Snapshot
    context: Context
    words: Vocabulary
    step: int | None
    """The position of the step around, or that the new step will have."""
    path: Path
    """From that step, or from the root."""


def complete(snapshot: Snapshot, offset: int) -> list[Completion]:
    context = context_at(snapshot, offset)
    if context.wants is Wants.NOTHING:
        return []
    place = _place(snapshot, context)
    if context.wants is Wants.KEY:
        offers: Iterable[_Offer] = _keys(place)
    elif not context.path:
        offers = [_Offer("plan", CompletionKind.SNIPPET, plan_snippet(place.words), True, "a plan with one step")]
    else:
        expected = place.words.expected(place.step is not None, place.path)
        offers = () if expected is None else _values(place, expected)
    typed = snapshot.text[context.span.start : offset].lstrip('"')
    fitting = list(offers)
    if len(fitting) > MOST_ITEMS:
        fitting = [offer for offer in fitting if offer.label.startswith(typed)][:MOST_ITEMS]
    return list(_fitted(snapshot.text, context, fitting))


def _place(snapshot: Snapshot, context: Context) -> _Place:
    words = vocabulary(snapshot.plan.dialect)
    steps = (words.steps_key,) if words.steps_key is not None else ()
    depth = len(steps)
    path = context.path
    if path[:depth] == steps and len(path) > depth and isinstance(path[depth], int):
        return _Place(snapshot, context, words, int(path[depth]), path[depth + 1 :])
    return _Place(snapshot, context, words, None, path)


def _fitted(text: str, context: Context, offers: Iterable[_Offer]) -> Iterator[Completion]:
    """Offers with what the place demands: the quote to compare with, and a comma if something follows."""
    span = context.span
    is_quoted = text[span.start : span.start + 1] == '"' and span.end > span.start
    following = next_character(text, span.end)
    comma = "" if following in (",", "}", "]", ":", "") else ","
    for number, offer in enumerate(offers):
        yield Completion(
            offer.label,
            offer.kind,
            span,
            offer.text + comma,
            offer.is_snippet,
            f'"{offer.label}' if is_quoted else offer.label,
            f"{number:05}",
            offer.detail,
            offer.documentation,
        )


# ---- keys ------------------------------------------------------------------------------------------------------------


def _keys(place: _Place) -> Iterator[_Offer]:
    expected = place.words.expected(place.step is not None, place.path)
    if expected is None or expected.many or expected.shape is None:
        return
    context, text = place.context, place.snapshot.text
    taken = context.keys | _keys_behind(place)
    has_value = next_character(text, context.span.end) == ":"
    for name, key in place.words.shapes[expected.shape].items():
        if name not in taken:
            value = "" if has_value else f": {key.snippet}"
            yield _Offer(
                name, CompletionKind.KEY, f'"{name}"{value}', not has_value, key.summary.replace("`", ""), key.page
            )


def _keys_behind(place: _Place) -> set[str]:
    """The keys that the object has behind the cursor, as far as the reader made sense of them."""
    found = container(place.snapshot.tree, place.context.path)
    if found is None or found.start != place.context.start:
        return set()
    return {entry.key for entry in found.entries if entry.key is not None and entry.start > place.context.span.start}


# ---- values ----------------------------------------------------------------------------------------------------------


def _values(place: _Place, expected: Expected) -> Iterator[_Offer]:
    if expected.many:
        yield from (_Offer(label, CompletionKind.VALUE, text, True) for label, text in list_snippets(expected))
        return
    if expected.shape == "step":
        yield from _steps(place)
    elif expected.slot is Slot.STEP:
        yield from _earlier_steps(place)
    elif expected.slot is Slot.RESOURCE:
        yield from _resources(place, expected)
    elif expected.slot is Slot.RULE:
        taken = _siblings(place)
        for rule in RULES.values():
            if rule.name not in taken:
                yield _Offer(
                    rule.name, CompletionKind.RULE, json.dumps(rule.name), False, rule.severity.word, rule.summary
                )
    elif expected.slot is Slot.KIND:
        for name, page in KINDS.items():
            yield _Offer(name, CompletionKind.KIND, json.dumps(name), False, "", page)
    elif expected.slot is Slot.FLAG:
        yield _Offer("true", CompletionKind.VALUE, "true")
        yield _Offer("false", CompletionKind.VALUE, "false")
    elif expected.slot is Slot.IDENTITY:
        identity = json.dumps(free_identity(place.snapshot.plan))
        yield _Offer(identity.strip('"'), CompletionKind.VALUE, identity, False, "no step has it yet")
    elif expected.slot is Slot.TEXT:
        yield from _agents(place.snapshot.plan)


def _steps(place: _Place) -> Iterator[_Offer]:
    plan = place.snapshot.plan
    for label, detail, text in step_snippets(place.snapshot, place.step or 0):
        yield _Offer(label, CompletionKind.SNIPPET, text, True, detail, f"A new step {free_identity(plan)}.")


def _siblings(place: _Place) -> set[object]:
    """The other elements of the list around the cursor."""
    found = container(place.snapshot.tree, place.context.path[:-1])
    if found is None or found.start != place.context.start:
        return set()
    text, span = place.snapshot.text, place.context.span
    written = (text[e.value : e.end] for e in found.entries if not (e.start <= span.start <= e.end))
    return {_scalar(value) for value in written if value[:1] not in ("{", "[")}


def _scalar(text: str) -> object:
    try:
        value: object = json.loads(text)
    except ValueError:
        return None
    return value


def _earlier_steps(place: _Place) -> Iterator[_Offer]:
    """The steps that may be named here, the nearest first."""
    plan, taken = place.snapshot.plan, _siblings(place)
    before = range(min(place.step or 0, len(plan.steps)) - 1, -1, -1)
    seen: set[object] = set()
    for position in before:
        step = plan.steps[position]
        identity = step.outline.identity
        if identity is None or identity in taken or identity in seen:
            continue
        seen.add(identity)
        touched = [f"writes {code(write.resource)}" for write in step.outline.writes[:3]]
        yield _Offer(
            str(identity),
            CompletionKind.STEP,
            json.dumps(identity),
            False,
            plain(step.agent or ""),
            escape(step_title(plan, position)) + "".join(f"\n- {words}" for words in touched),
        )


def _resources(place: _Place, expected: Expected) -> Iterator[_Offer]:
    graph, taken = place.snapshot.graph, _siblings(place)
    step = place.step
    own = graph.steps[step] if step is not None and step < len(graph) else None
    names = dict.fromkeys(
        [read.resource for read in own.reads] + [write.resource for write in own.writes] if own else []
    )
    names.update(dict.fromkeys(graph.touches))
    here = _scalar(place.snapshot.text[slice(*place.context.span)])
    is_quoted = place.context.span.start < place.context.span.end
    for name in names:
        touches = graph.touches[name]
        if name in taken or not name or (name == here and len(touches.places) == 1):
            continue
        detail = ", ".join(
            f"{words} by {count(len(steps), 'step')}"
            for words, steps in (("read", touches.readers), ("written", touches.writers))
            if steps
        )
        yield _Offer(plain(name), CompletionKind.RESOURCE, json.dumps(name, ensure_ascii=False), False, detail)
    if expected.shape is not None and not is_quoted:
        for label, detail, text in read_snippets(place.snapshot, expected.shape, step or 0):
            yield _Offer(label, CompletionKind.SNIPPET, text, True, detail)


def _agents(plan: Plan) -> Iterator[_Offer]:
    for agent in dict.fromkeys(step.agent for step in plan.steps if step.agent):
        yield _Offer(plain(agent), CompletionKind.VALUE, json.dumps(agent, ensure_ascii=False))
