"""What an editor tells about the thing under the mouse."""

from __future__ import annotations

from plancheck.analysis.rules import RULES
from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.catalogue import argument_at, named_tool, result_at
from plancheck.ide.cursor import Cursor, Role, cursor_at
from plancheck.ide.limits import LimitSites, limits_page, unknown_sites
from plancheck.ide.rego import rule_pages
from plancheck.ide.tools import argument_page, result_words, tool_page
from plancheck.ide.words import MOST_LISTED, count, findings_counted, followers, listed, step_title, steps_listed
from plancheck.markdown import code, escape
from plancheck.plan.dialects.vocabulary import Slot
from plancheck.plan.graph.facts import UNKNOWN_RESOURCE, PlanGraph, bits
from plancheck.plan.model import Ignore, Pred, Read
from plancheck.pre.report import barriers_of, completeness_of
from plancheck.pre.words import NO_SCORE, coverage_words
from plancheck.syntax.tree import Part
from plancheck.text import Span
from plancheck.tuples import NamedTuple


class Hover(NamedTuple):
    markdown: str
    span: Span


def hover(snapshot: Snapshot, offset: int, sites: LimitSites = unknown_sites) -> Hover | None:
    cursor = cursor_at(snapshot, offset)
    if cursor is None:
        return None
    text = _joined(_text(snapshot, cursor), limits_page(snapshot, cursor, sites), rule_pages(snapshot, offset))
    return Hover(text, cursor.span) if text else None


def _text(snapshot: Snapshot, cursor: Cursor) -> str:
    element = cursor.element
    tool = named_tool(snapshot, cursor)
    if cursor.step is not None and tool is not None:
        return _joined(tool_page(snapshot, cursor.step, tool), step_page(snapshot, cursor.step))
    if cursor.role is Role.STEP and cursor.step is not None:
        return step_page(snapshot, cursor.step)
    if cursor.role is Role.PLAN:
        return plan_page(snapshot)
    if cursor.role is Role.PRED and isinstance(element, Pred):
        return _target_page(snapshot, element.identity, "Waits for")
    if cursor.role is Role.PRODUCER and isinstance(element, Read) and element.producer is not None:
        page = _target_page(snapshot, element.producer, f"Takes {code(element.resource)} from")
        return _joined(page, result_words(result_at(snapshot, cursor)))
    if cursor.resource is not None:
        return resource_page(snapshot, cursor)
    if cursor.role is Role.RULE and isinstance(element, Ignore):
        return _ignored_page(element)
    argument = argument_at(snapshot, cursor)
    return _vocabulary_page(snapshot, cursor) if argument is None else argument_page(argument)


def _joined(*pages: str) -> str:
    return "\n\n".join(filter(None, pages))


# ---- steps -----------------------------------------------------------------------------------------------------------


def step_page(snapshot: Snapshot, position: int) -> str:
    """Everything about one step."""
    lines = [_headline(snapshot, position), _standing(snapshot, position), _predecessors(snapshot, position)]
    lines += [_producers(snapshot, position), _known_line(snapshot, position)]
    lines += [_reads_line(snapshot, position), _writes_line(snapshot, position), _findings_line(snapshot, position)]
    return "\n\n".join(filter(None, lines))


def _headline(snapshot: Snapshot, position: int) -> str:
    step = snapshot.plan.steps[position]
    kind = f" · {code(step.outline.kind.value)}" if step.outline.kind is not None else ""
    return f"**{escape(step_title(snapshot.plan, position))}**{kind}"


def _standing(snapshot: Snapshot, position: int) -> str:
    graph = snapshot.graph
    words = followers(graph.follower_counts[position], len(graph))
    if graph.keystone == position:
        return f"{words}: it is the **keystone**, the step that the most others follow."
    return f"{words}."


def _predecessors(snapshot: Snapshot, position: int) -> str:
    preds = snapshot.graph.preds[position]
    return f"Waits for: {steps_listed(snapshot.plan, preds)}." if preds else "Waits for no step."


def _producers(snapshot: Snapshot, position: int) -> str:
    total = snapshot.graph.flow.slices[position].bit_count() - 1
    if not total:
        return "Uses data of no other step."
    nearest = _nearest_producers(snapshot, position)
    return f"Uses data of {count(total, 'step')}: {steps_listed(snapshot.plan, nearest, total)}."


def _nearest_producers(snapshot: Snapshot, position: int) -> list[int]:
    """The first few steps of the slice, the direct ones first: the whole of it can be most of the plan."""
    flow = snapshot.graph.flow
    found: dict[int, None] = {}
    todo = [position]
    for current in todo:
        for producer in flow.producers_of(current):
            if producer not in found:
                found[producer] = None
                todo.append(producer)
        if len(found) >= MOST_LISTED:
            break
    return list(found)


def _known_line(snapshot: Snapshot, position: int) -> str:
    """The step's snapshot, in words that need no explanation."""
    flow = snapshot.graph.flow
    mask = flow.snapshots[position]
    is_alone = flow.slices[position].bit_count() == 1
    total = (mask & ~UNKNOWN_RESOURCE).bit_count()
    if total:
        names = [code(name) for name in _first_reads(snapshot, position)]
        whose = "it reads" if is_alone else "it and the steps whose data it uses read"
        unknown = "; some reads cannot be made out" if mask & UNKNOWN_RESOURCE else ""
        return f"Knows: {listed(names, total)} ({count(total, 'resource')} that {whose}{unknown})."
    if mask & UNKNOWN_RESOURCE:
        return "Knows: its reads cannot be made out."
    return f"Knows: nothing, because it reads nothing{'' if is_alone else ', nor do the steps whose data it uses'}."


def _first_reads(snapshot: Snapshot, position: int) -> list[str]:
    """The first few resources that the steps of a slice read, in the order of the list."""
    graph = snapshot.graph
    found: dict[str, None] = {}
    for step in bits(graph.flow.slices[position]):
        found.update(dict.fromkeys(read.resource for read in graph.steps[step].reads))
        if len(found) >= MOST_LISTED:
            break
    return list(found)[:MOST_LISTED]


def _reads_line(snapshot: Snapshot, position: int) -> str:
    reads = snapshot.graph.steps[position].reads
    if not reads:
        return ""
    return f"Reads {listed([_read(read) for read in reads[:MOST_LISTED]], len(reads))}."


def _read(read: Read) -> str:
    flags = _flags(read)
    return code(read.resource) + (f" ({', '.join(flags)})" if flags else "")


def _flags(read: Read) -> list[str]:
    source = [] if read.producer is None else [f"from step {code(str(read.producer))}"]
    return source + [name for name in ("volatile", "pinned", "revalidates") if getattr(read, name)]


def _writes_line(snapshot: Snapshot, position: int) -> str:
    writes = snapshot.graph.steps[position].writes
    if not writes:
        return ""
    return f"Writes {listed([code(write.resource) for write in writes[:MOST_LISTED]], len(writes))}."


def _findings_line(snapshot: Snapshot, position: int) -> str:
    """How many there are: what they say, an editor shows where they are."""
    found = len(snapshot.by_step.get(position, ()))
    unchecked = sum(place.place.step == position for place in snapshot.unchecked)
    parts = [count(found, "finding")] if found else []
    parts += [f"{count(unchecked, 'place')} not checked"] if unchecked else []
    return f"{', '.join(parts)} in this step." if parts else ""


def _target_page(snapshot: Snapshot, identity: int | str, how: str) -> str:
    """A step as seen from one that refers to it."""
    position = snapshot.graph.position_of.get(identity)
    if position is None:
        return f"{how} step {code(str(identity))}, which does not exist."
    return f"{how}:\n\n{step_page(snapshot, position)}"


# ---- everything else -------------------------------------------------------------------------------------------------


def resource_page(snapshot: Snapshot, cursor: Cursor) -> str:
    resource = cursor.resource or ""
    lines = [f"**Resource** {code(resource)}"]
    if cursor.role is Role.READ and isinstance(cursor.element, Read):
        flags = _flags(cursor.element)
        lines += [f"This read: {', '.join(flags)}."] if flags else []
    touches = snapshot.graph.touches.of(resource)
    for words, steps in (
        ("Read by", touches.readers),
        ("Written by", touches.writers),
        ("Re-read by", touches.rereaders),
        ("Volatile where read by", touches.volatile_readers),
    ):
        if steps:
            lines.append(f"{words} {count(len(steps), 'step')}: {steps_listed(snapshot.plan, steps)}.")
    if not touches.readers and not touches.writers:
        lines.append("No step reads or writes it.")
    return "\n\n".join(lines)


def rule_page(name: str) -> str:
    rule = RULES.get(name)
    if rule is None:
        return f"Unknown rule {code(name)}."
    return f"**Rule** {code(name)}\n\n{rule.summary}"


def _ignored_page(ignore: Ignore) -> str:
    reason = f"Switched off here, because: {escape(ignore.reason)}" if ignore.reason else ""
    return _joined(rule_page(ignore.rule), reason)


def plan_page(snapshot: Snapshot) -> str:
    """What the whole plan comes to. The lints of the report are left out: they are among the findings already."""
    graph = snapshot.graph
    lines = [*_keystone_line(snapshot), *_coverage_lines(graph)]
    head = f"**Plan** of {count(len(graph), 'step')}, {findings_counted(snapshot)}"
    return "\n\n".join([head, *lines])


def _keystone_line(snapshot: Snapshot) -> list[str]:
    graph = snapshot.graph
    if graph.keystone is None:
        return []
    words = followers(graph.follower_counts[graph.keystone], len(graph)).replace("this one", "it")
    return [f"Keystone: step {code(snapshot.plan.steps[graph.keystone].name)}. {words}."]


def _coverage_lines(graph: PlanGraph) -> list[str]:
    barriers = barriers_of(graph)
    names = barriers.resources_with_barrier
    if names:
        resources = listed([code(name) for name in names[:MOST_LISTED]], len(names))
        rereads = f"Re-read by {count(len(barriers.barrier_nodes), 'step')}: {resources}."
    else:
        rereads = "No step re-reads anything (`revalidates`)."
    return [f"Coverage: {coverage_words(completeness_of(graph))}", rereads, NO_SCORE]


def _vocabulary_page(snapshot: Snapshot, cursor: Cursor) -> str:
    words = snapshot.plan.dialect.vocabulary
    in_step = cursor.step is not None
    if cursor.part is Part.KEY:
        key = words.key(in_step, cursor.path)
        return "" if key is None else f"**{escape(str(cursor.path[-1]))}**\n\n{key.page}"
    expected = words.expected(in_step, cursor.path)
    if expected is not None and expected.slot is Slot.CHOICE:
        text = snapshot.text[cursor.span.start : cursor.span.end].strip('"')
        page = expected.choices.get(text)
        return f"{code(text)}\n\n{page}" if page is not None else ""
    if cursor.step is not None and expected is not None and expected.slot is Slot.NAME:
        return step_page(snapshot, cursor.step)
    return ""
