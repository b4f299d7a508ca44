"""Which findings are shown, and where: worked out afresh, or from what the version before showed.

An edit leaves most findings the very same objects, before it at the same offsets and behind it at offsets that are all
shifted alike. Only what is new, or stands where the edit was, is looked up in the tree.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable
from itertools import compress
from operator import is_

from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.settings import Settings
from plancheck.plan.model import Place
from plancheck.syntax.splice import splice
from plancheck.syntax.tree import Spine
from plancheck.text import Edit, LineIndex, Span
from plancheck.tuples import NamedTuple


class ShownState(NamedTuple):
    """What one version of a document shows. It is told from that of another version by its identity."""

    findings: list[Finding]
    """All that there are."""
    chosen: list[Finding]
    """Those to show."""
    ordered: list[Finding]
    """The same, in the order of the text."""
    starts: list[int]
    """Where they begin and end in the text."""
    ends: list[int]
    steps: Spine | None
    """The list whose elements the steps are, if they are that."""
    line_count: int
    carried: set[int]
    """The identities of the findings that the version before showed, too, outside the region of the edit."""
    own: frozenset[int]
    """The identities of those that have no place in a step, or come with a place of their own: they are always looked
    up, and never carried over."""


class Base(NamedTuple):
    """What an earlier version showed, and all that was edited since, as one edit of its text."""

    shown: ShownState
    edit: Edit


class Region(NamedTuple):
    """The part of a text around an edit. Before it everything is where it was; behind it, everything is shifted."""

    start: int
    """The same in both versions."""
    end_before: int
    shift: int
    steps: range
    """The positions of the steps in it."""
    same_lines_from: int
    """The offset from which on lines and characters are what they were; the text's end where lines came or went."""


def region_of(base: Base, steps: Spine | None, lines: LineIndex) -> Region | None:
    """The part of the text in which things are not as they were; None where there is nothing to compare."""
    old, (start, end, new_text) = base.shown.steps, base.edit
    if old is None or steps is None or len(old.chunks) != len(steps.chunks):
        return None
    shift = len(new_text) - (end - start)
    head, tail = splice(old.chunks, steps.chunks)
    changed = range(head, len(old.chunks) - tail)
    if changed:
        start = min(start, old.starts[head])
        end = max(end, old.starts[changed[-1]] + len(old.chunks[changed[-1]].text))
    are_same_lines = lines.line_count == base.shown.line_count
    next_line = lines.line_start(lines.line_of(end + shift) + 1) if are_same_lines else len(lines.text)
    return Region(start, end, shift, changed, next_line)


def choose(findings: list[Finding], settings: Settings, base: Base | None) -> list[Finding]:
    """The findings to show: at most `max_findings`, the worst, and a note about the rest."""
    most = settings.max_findings
    if len(findings) <= most:
        return findings
    if base is not None and _are_the_same(findings, base.shown.findings):
        return base.shown.chosen
    worst = _worst(findings, most)
    severity = settings.severity("more_findings")
    if severity is not None:
        left_out = Counter(finding.rule for finding in findings)
        left_out.subtract(finding.rule for finding in worst)
        rules = ", ".join(f"{count:,} {rule}" for rule, count in _most_first(left_out))
        message = f"{_count(left_out.total())} not shown: {rules}; raise `max-findings` to see more."
        worst.append(Finding(Place(None), message, rule="more_findings", severity=severity))
    return worst


_NOTHING: frozenset[int] = frozenset()


class ShownDocument(NamedTuple):
    """What findings are shown in."""

    find: Callable[[Finding], Span]
    """Looks up where a finding is."""
    steps: Spine | None
    lines: LineIndex


def show(
    findings: list[Finding], settings: Settings, document: ShownDocument, base: Base | None, region: Region | None
) -> ShownState:
    """What a version of a document shows."""
    chosen = choose(findings, settings, base)
    identities = set(map(id, chosen))
    if base is None or region is None:
        known, unmoved = _NOTHING, _Placed([], [], [])
    else:
        known = base.shown.own.intersection(identities)
        unmoved = _unmoved(identities - known, base.shown, region)
    carried = set(map(id, unmoved.findings))
    looked_up = [finding for finding in chosen if id(finding) not in carried] if len(carried) < len(chosen) else []
    own = known.union([id(one) for one in looked_up if one.place.step is None or one.span is not None])
    placed = _with(unmoved, [(document.find(finding), finding) for finding in looked_up])
    return ShownState(findings, chosen, *placed, document.steps, document.lines.line_count, carried, own)


class _Placed(NamedTuple):
    """Findings in the order of the text, and where they begin and end."""

    findings: list[Finding]
    starts: list[int]
    ends: list[int]


def _unmoved(still: set[int], before: ShownState, region: Region) -> _Placed:
    """The findings of before that are still there, outside the region, with their places now."""
    shift, ordered = region.shift, before.ordered
    first = bisect_left(before.starts, region.start)
    last = bisect_right(before.starts, region.end_before, first)  # a missing value has its place at the end
    unmoved = _Placed(
        ordered[:first] + ordered[last:],
        before.starts[:first] + [start + shift for start in before.starts[last:]],
        before.ends[:first] + [end + shift for end in before.ends[last:]],
    )
    if still.issuperset(map(id, unmoved.findings)):
        return unmoved
    those = [id(finding) in still for finding in unmoved.findings]
    findings, starts, ends = unmoved
    return _Placed(list(compress(findings, those)), list(compress(starts, those)), list(compress(ends, those)))


def _with(placed: _Placed, new: list[tuple[Span, Finding]]) -> _Placed:
    """The same with some more; among those that begin and end together, by severity, rule and message."""
    if not placed.findings:
        new.sort(key=lambda one: _in_text_order(*one))
        return _Placed([one for _, one in new], [span.start for span, _ in new], [span.end for span, _ in new])
    findings, starts, ends = placed
    for span, finding in new:
        first, last = bisect_left(starts, span.start), bisect_right(starts, span.start)
        order = _in_text_order(span, finding)
        while first < last and _in_text_order(Span(starts[first], ends[first]), findings[first]) <= order:
            first += 1
        findings.insert(first, finding)
        starts.insert(first, span.start)
        ends.insert(first, span.end)
    return placed


def _in_text_order(span: Span, finding: Finding) -> tuple[Span, Severity, str, str]:
    return span, finding.severity, finding.rule, finding.message


def _are_the_same(one: list[Finding], other: list[Finding]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))


def _worst(findings: list[Finding], most: int) -> list[Finding]:
    """The worst findings: by severity, then by the place in the plan, then by the names of the rules."""
    by_severity: dict[Severity, list[Finding]] = {severity: [] for severity in Severity}
    for finding in findings:
        by_severity[finding.severity].append(finding)
    found: list[Finding] = []
    for severity in sorted(by_severity):
        group, left = by_severity[severity], most - len(found)
        if len(group) > left:
            steps = [-1 if finding.place.step is None else finding.place.step for finding in group]
            last = sorted(steps)[left - 1] if left else -2
            at_last = [finding for step, finding in zip(steps, group, strict=True) if step == last]
            group = [finding for step, finding in zip(steps, group, strict=True) if step < last]
            group += sorted(at_last, key=lambda f: (f.rule, f.message, f.place.path))[: left - len(group)]
        found += group
    return found


def _most_first(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(((rule, count) for rule, count in counts.items() if count), key=lambda item: (-item[1], item[0]))


def _count(number: int) -> str:
    return "1 more finding is" if number == 1 else f"{number:,} more findings are"
