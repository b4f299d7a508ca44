"""What can be typed at an offset, in text that is not finished."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import chain

from plancheck.analysis.rules import RULES
from plancheck.analysis.snapshot import Snapshot
from plancheck.analysis.surgery import container
from plancheck.ide.complete_calls import argument_names, argument_values, result_members, tool_names
from plancheck.ide.context import Context, Wants, context_at, next_character
from plancheck.ide.cursor import step_starts
from plancheck.ide.offers import Completion, CompletionKind, CompletionPlace, Offer
from plancheck.ide.snippets import escape_in_snippet, free_identity, list_snippets, read_snippets, step_snippets
from plancheck.ide.words import count, step_title
from plancheck.markdown import code, escape, plain
from plancheck.plan.dialects.dialect import Match
from plancheck.plan.dialects.keys import IGNORE, REASON, RULE
from plancheck.plan.dialects.vocabulary import PLAN, STEP, Expected, Key, Slot, Vocabulary
from plancheck.syntax.inner import InnerText, escaped
from plancheck.text import Span

_BEGUN_REFERENCE = re.compile(r"(\$?\{\{|\$\{)\s*([^{}]*)$")


def complete(snapshot: Snapshot, offset: int) -> list[Completion]:
    context = context_at(snapshot, offset)
    if context.wants is Wants.NOTHING:
        return []
    place = _place(snapshot, context)
    if context.wants is Wants.KEY:
        offers: Iterable[Offer] = _keys(place)
    elif not context.path:
        offers = _starters(snapshot)
    else:
        offers = chain(argument_values(place), _expected(place))
    completions = _fitted(context, offers)
    return list(completions if context.inner is None else (_in_text(one, context.inner) for one in completions))


def _starters(snapshot: Snapshot) -> Iterator[Offer]:
    """Whole plans to begin with: in the format that the settings ask for, or in each."""
    wanted = snapshot.settings.dialect
    for dialect in snapshot.terms.dialects:
        if wanted in (None, dialect.name):
            label = f"plan ({dialect.name})"
            yield Offer(label, CompletionKind.SNIPPET, dialect.starter, True, dialect.title, dialect.summary)


def _place(snapshot: Snapshot, context: Context) -> CompletionPlace:
    words, path, typed = _words(snapshot), context.path, context.typed
    found = snapshot.plan.find_step(path)
    if found is not None:
        return CompletionPlace(snapshot, context, words, *found, typed)
    depth = words.step_depth(path)
    if depth is None:
        return CompletionPlace(snapshot, context, words, None, path, typed)
    position = bisect_left(step_starts(snapshot), context.span.start)
    return CompletionPlace(snapshot, context, words, position, path[depth:], typed)


def _words(snapshot: Snapshot) -> Vocabulary:
    """The keys of the plan's dialect; of a document that could still become a plan of any, those of all of them."""
    dialect = snapshot.plan.dialect
    if snapshot.settings.dialect is not None or dialect.detect(snapshot.tree) is not Match.NONE:
        return dialect.vocabulary
    plan: dict[str, Key] = {}
    for other in snapshot.terms.dialects:
        if not other.bare:  # one that may be no object is not begun with its keys
            plan |= other.vocabulary.shapes[PLAN]
    plan[IGNORE] = plan.pop(IGNORE)
    return Vocabulary({**dialect.vocabulary.shapes, PLAN: plan})


def _in_text(completion: Completion, inner: InnerText) -> Completion:
    """A completion inside JSON text as one of the document: what is inserted is escaped."""
    text = completion.insert_text
    return completion._replace(
        span=inner.outer_span(completion.span),
        insert_text=escape_in_snippet(text) if completion.is_snippet else escaped(text),
        filter_text=escaped(completion.filter_text),
    )


def _fitted(context: Context, offers: Iterable[Offer]) -> Iterator[Completion]:
    """Offers with what the place demands: the quote to compare with, and a comma if something follows."""
    text, span = context.tree.text, context.span
    is_quoted = text[span.start : span.start + 1] == '"' and span.end > span.start
    following = next_character(text, span.end)
    comma = "" if following in (",", "}", "]", ":", "") else ","
    for number, offer in enumerate(offers):
        yield Completion(
            offer.label,
            offer.kind,
            offer.span or span,
            offer.text + (comma if offer.span is None else ""),
            offer.is_snippet,
            f'"{offer.label}' if is_quoted and offer.span is None else offer.label,
            f"{number:05}",
            offer.detail,
            offer.documentation,
        )


# ---- keys ------------------------------------------------------------------------------------------------------------


def _keys(place: CompletionPlace) -> Iterator[Offer]:
    context, text = place.context, place.context.tree.text
    taken = context.keys | _keys_behind(place)
    has_value = next_character(text, context.span.end) == ":"
    for name, key in place.words.shape(place.step is not None, place.path).items():
        if key.is_offered and name not in taken:
            value = "" if has_value else f": {key.snippet}"
            yield Offer(
                name, CompletionKind.KEY, f'"{name}"{value}', not has_value, key.summary.replace("`", ""), key.page
            )
    yield from argument_names(place, taken, has_value)


def _keys_behind(place: CompletionPlace) -> set[str]:
    """The keys that the object has behind the cursor, as far as the reader made sense of them."""
    found = container(place.context.tree, place.context.own_path)
    if found is None or found.start != place.context.start:
        return set()
    return {entry.key for entry in found.entries if entry.key is not None and entry.start > place.context.span.start}


# ---- values ----------------------------------------------------------------------------------------------------------


def _expected(place: CompletionPlace) -> Iterable[Offer]:
    expected = place.words.expected(place.step is not None, place.path)
    if expected is not None:
        return _values(place, expected)
    # A key of the author's own: references count there too.
    has_begun = place.step is not None and _BEGUN_REFERENCE.search(place.typed)
    return _references(place) if has_begun and place.snapshot.plan.dialect.has_references else ()


def _values(place: CompletionPlace, expected: Expected) -> Iterator[Offer]:
    if expected.many or expected.named:
        yield from (Offer(label, CompletionKind.VALUE, text, True) for label, text in list_snippets(expected))
        return
    if expected.shape == STEP:
        yield from _steps(place)
    elif expected.slot is Slot.STEP:
        yield from _earlier_steps(place)
    elif expected.slot is Slot.RESOURCE:
        yield from _resources(place, expected)
    elif expected.slot is Slot.RULE:
        yield from _rules(place, expected)
    elif expected.slot is Slot.CHOICE:
        for name, page in expected.choices.items():
            yield Offer(name, CompletionKind.KIND, json.dumps(name), False, "", page)
    elif expected.slot is Slot.FLAG:
        yield Offer("true", CompletionKind.VALUE, "true")
        yield Offer("false", CompletionKind.VALUE, "false")
    elif expected.slot is Slot.ARGUMENTS:
        yield from _references(place)
    elif expected.slot is Slot.IDENTITY:
        identity = json.dumps(free_identity(place.snapshot.plan))
        yield Offer(identity.strip('"'), CompletionKind.VALUE, identity, False, "no step has it yet")
    elif expected.slot is Slot.NAME:
        yield from _words_like(place)


def _rules(place: CompletionPlace, expected: Expected) -> Iterator[Offer]:
    taken = _siblings(place)
    for rule in RULES.values():
        if rule.name not in taken:
            yield Offer(rule.name, CompletionKind.RULE, json.dumps(rule.name), False, rule.severity.word, rule.summary)
    if expected.shape is not None and place.context.span.start == place.context.span.end:
        text = f'{{"{RULE}": "$1", "{REASON}": "$2"}}'
        yield Offer("rule with a reason", CompletionKind.SNIPPET, text, True, "a rule, and why it is switched off")


def _steps(place: CompletionPlace) -> Iterator[Offer]:
    for label, detail, text in step_snippets(place.snapshot, place.step or 0):
        yield Offer(label, CompletionKind.SNIPPET, text, True, detail)


def _siblings(place: CompletionPlace) -> set[object]:
    """The other elements of the list around the cursor."""
    found = container(place.context.tree, place.context.own_path[:-1])
    if found is None or found.start != place.context.start:
        return set()
    text, span = place.context.tree.text, place.context.span
    written = (text[e.value : e.end] for e in found.entries if not (e.start <= span.start <= e.end))
    return {_scalar(value) for value in written if value[:1] not in ("{", "[")}


def _scalar(text: str) -> object:
    try:
        value: object = json.loads(text)
    except ValueError:
        return None
    return value


def _earlier_steps(place: CompletionPlace, as_references: bool = False) -> Iterator[Offer]:
    """The steps that may be named here, the nearest first; where later ones may be, those after them."""
    graph = place.snapshot.graph
    plan, taken = place.snapshot.plan, _siblings(place)
    position_of = place.snapshot.graph.position_of
    here = min(place.step or 0, len(plan.steps))
    later = range(here + 1, len(plan.steps) if plan.dialect.any_order else 0)
    names: dict[str, int] = {}
    for position in (*range(here - 1, -1, -1), *later):
        identity = plan.steps[position].outline.identity
        if as_references:
            name = graph.reference_name(position) if position < len(graph) else None
            names.update({} if name is None else {name: position})
        elif identity is not None and identity not in taken and position_of[identity] == position:
            names[str(identity)] = position
    for name in place.cut(list(names)):
        step = plan.steps[names[name]]
        writes = "".join(f"\n- writes {code(write.resource)}" for write in step.outline.writes[:3])
        title = escape(step_title(plan, names[name]))
        identity = json.dumps(step.outline.identity, ensure_ascii=False)
        yield Offer(name, CompletionKind.STEP, identity, False, plain(step.agent or ""), title + writes)


def _resources(place: CompletionPlace, expected: Expected) -> Iterator[Offer]:
    """The resources of the plan, those that the step itself names first."""
    graph, taken, step = place.snapshot.graph, _siblings(place), place.step or 0
    users = graph.touches.steps
    own = graph.steps[step : step + 1]
    names = dict.fromkeys(
        name for o in own for name in [*(r.resource for r in o.reads), *(w.resource for w in o.writes)]
    )
    names.update(dict.fromkeys(users))
    here = _scalar(place.context.tree.text[slice(*place.context.span)])
    if isinstance(here, str) and users.get(here) == [step] and len(graph.touches.of(here).places) == 1:
        del names[here]  # it is named nowhere else: what is being typed is no proposal
    for name in place.cut([name for name in names if name and name not in taken]):
        detail = f"touched by {count(len(users[name]), 'step')}"
        yield Offer(plain(name), CompletionKind.RESOURCE, json.dumps(name, ensure_ascii=False), False, detail)
    if expected.shape is not None and place.context.span.start == place.context.span.end:
        for label, detail, text in read_snippets(place.snapshot, expected.shape, step):
            yield Offer(label, CompletionKind.SNIPPET, text, True, detail)


def _words_like(place: CompletionPlace) -> Iterator[Offer]:
    """What other steps have in this place: agents, tools."""
    plan = place.snapshot.plan
    if place.path == ("agent",):
        agents = dict.fromkeys(step.agent for step in plan.steps if step.agent)
        for agent in place.cut(list(agents)):
            yield Offer(plain(agent), CompletionKind.VALUE, json.dumps(agent, ensure_ascii=False))
    elif place.path[-1:] == (plan.dialect.tool_key,):
        yield from tool_names(place)


def _references(place: CompletionPlace) -> Iterator[Offer]:
    """References to the results of other steps: to go on with inside a string, or as a whole value."""
    text, span = place.context.tree.text, place.context.span
    begun = _BEGUN_REFERENCE.search(place.typed)
    if begun is None and place.typed:
        return
    offset = span.start + len(text[span.start : span.end]) - len(text[span.start : span.end].lstrip('"'))
    if begun is not None:
        yield from result_members(place, begun[2], offset + len(place.typed))
    for step in _earlier_steps(place, as_references=True):
        name = json.dumps(step.label, ensure_ascii=False)[1:-1]
        if begun is None:
            yield step._replace(label=f"{{{{{step.label}.result}}}}", text=f'"{{{{{name}.result}}}}"')
            continue
        end = offset + len(place.typed)
        closing = "" if text.startswith("}", end) else ("}}" if begun[1].endswith("{{") else "}")
        yield step._replace(text=f"{name}.result{closing}", span=Span(end - len(begun[2]), end))
