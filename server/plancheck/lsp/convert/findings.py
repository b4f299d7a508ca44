"""Findings as diagnostics, published or reported."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from lsprotocol import types

from plancheck.home import RULE_PAGES
from plancheck.lsp.convert.mapper import Encoded, Mapper, Plain, mapper_of
from plancheck.lsp.convert.options import SOURCE
from plancheck.lsp.identity import uri_of
from plancheck.syntax.splice import Splice, common_head
from plancheck.text import Encoding, LineIndex, Span
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason

if TYPE_CHECKING:
    from plancheck.analysis.finding import Finding, Severity, Unchecked
    from plancheck.analysis.shown import Region, ShownState
    from plancheck.analysis.snapshot import Snapshot
    from plancheck.catalogue.model import Catalogue, CatalogueFile, CatalogueProblem, ToolSite
    from plancheck.policy.reading import PolicyProblem
    from plancheck.syntax.tree import Spine
    from plancheck.workspace.problem import ConfigProblem

Diagnostic: TypeAlias = Plain
"""A diagnostic as it is sent: a plan may have two hundred of them, and each edit sends them again."""

_SEVERITIES = {Reason.RUNTIME: 3, Reason.NOT_UNDERSTOOD: 2, Reason.LIMIT: 2, Reason.FAILURE: 1}
"""How an editor shows what could not be checked, by the numbers of the protocol."""
_ERROR = 1


class Parts(NamedTuple):
    """What an editor makes use of in a diagnostic, besides what every editor does."""

    related: bool = True
    description: bool = True
    data: bool = True


ALL_PARTS = Parts()


def diagnostics(snapshot: Snapshot, uri: str, encoding: Encoding, parts: Parts = ALL_PARTS) -> list[Diagnostic]:
    """What there is to show about a document, in the order of the text: what is wrong with it, as much as is to be
    shown, and everything that could not be checked."""
    return [item.diagnostic for item in render(snapshot, uri, encoding, parts).items]


class RenderedItem(NamedTuple):
    """A diagnostic, ready to be sent, and the finding that it shows; None where it shows what could not be checked."""

    diagnostic: Diagnostic
    text: Encoded
    finding: Finding | None
    has_related: bool = False
    """Whether it points at other places, too, which may move while it stays."""


class Rendered(NamedTuple):
    """The diagnostics of one version of a document. The next version takes over those that are made of the same."""

    shown: ShownState | None
    findings: list[RenderedItem]
    """Those of the findings, in the order in which they are shown."""
    items: list[RenderedItem]
    """All, in the order of the text."""


NOTHING_RENDERED = Rendered(None, [], [])


def render(
    snapshot: Snapshot, uri: str, encoding: Encoding, parts: Parts = ALL_PARTS, *, old: Rendered = NOTHING_RENDERED
) -> Rendered:
    mapper = mapper_of(snapshot, encoding)
    shown = snapshot.what_is_shown
    region = None if old.shown is None else snapshot.region_since(old.shown)

    def rendered(span: Span, finding: Finding) -> RenderedItem:
        diagnostic = _diagnostic(snapshot, span, finding, uri, mapper, parts)
        return RenderedItem(diagnostic, _encoded(diagnostic), finding, bool(finding.related))

    if old.shown is None or region is None:
        items = [rendered(span, finding) for span, finding in snapshot.shown_at]
        return Rendered(shown, items, _with_unchecked(items, snapshot, mapper))

    def current(position: int, item: RenderedItem | None) -> RenderedItem:
        span, finding = Span(shown.starts[position], shown.ends[position]), shown.ordered[position]
        return rendered(span, finding) if item is None or _has_moved(span, finding, region, shown.steps) else item

    head, tail = _untouched(old.shown, shown, region)
    end_before, end = len(old.findings) - tail, len(shown.ordered) - tail
    known = {id(item.finding): item for item in old.findings[head:end_before]}
    items = old.findings[:head]
    for position in range(head, end):
        identity = id(shown.ordered[position])
        items.append(current(position, known.get(identity) if identity in shown.carried else None))
    items += old.findings[end_before:]
    for position, item in enumerate(items):
        if item.has_related and not head <= position < end:
            items[position] = current(position, item)
    return Rendered(shown, items, _with_unchecked(items, snapshot, mapper))


def _untouched(before: ShownState, shown: ShownState, region: Region) -> Splice:
    """How many diagnostics at either end are of the same findings at the same lines and characters; what these are
    related to may have moved."""
    first = shown.ordered[: bisect_left(shown.starts, region.start)]
    last = shown.ordered[bisect_left(shown.starts, region.same_lines_from) :][::-1]
    head = common_head(before.ordered, first)
    tail = common_head(before.ordered[head:][::-1], last)
    if shown.own:
        head, tail = _first_of(shown.own, first[:head]), _first_of(shown.own, last[:tail])
    return Splice(head, tail)


def _first_of(identities: frozenset[int], findings: list[Finding]) -> int:
    return next((position for position, found in enumerate(findings) if id(found) in identities), len(findings))


def _with_unchecked(items: list[RenderedItem], snapshot: Snapshot, mapper: Mapper) -> list[RenderedItem]:
    if not snapshot.unchecked:
        return items
    items = list(items)
    for unchecked in snapshot.unchecked:
        diagnostic = _not_checked(snapshot, unchecked, mapper)
        items.append(RenderedItem(diagnostic, _encoded(diagnostic), None))
    return sorted(items, key=lambda item: tuple(item.diagnostic["range"]["start"].values()))


_encode = json.JSONEncoder(separators=(",", ":")).encode


def _encoded(diagnostic: Diagnostic) -> Encoded:
    return Encoded(_encode(diagnostic))


def _has_moved(span: Span, finding: Finding, region: Region, steps: Spine | None) -> bool:
    """Whether something that a finding points at has other lines or characters than before an edit."""
    if region.start <= span.start < region.same_lines_from:
        return True
    for place, _ in finding.related:
        if place.step is None or steps is None or place.step in region.steps:
            return True
        if region.start <= steps.starts[place.step] < region.same_lines_from:
            return True
    return False


def _diagnostic(snapshot: Snapshot, span: Span, finding: Finding, uri: str, mapper: Mapper, parts: Parts) -> Diagnostic:
    found: Diagnostic = {
        "range": mapper.plain_range(span),
        "message": finding.message,
        "severity": int(finding.severity),
        "code": finding.rule,
        "source": SOURCE,
    }
    if parts.description:
        found["codeDescription"] = {"href": RULE_PAGES + finding.rule}
    if parts.data:
        found["data"] = _data(snapshot, finding)
    if finding.tags:
        found["tags"] = [int(tag) for tag in finding.tags]
    if parts.related and (finding.related or finding.site is not None or finding.tool_site is not None):
        found["relatedInformation"] = [
            {"location": {"uri": uri, "range": mapper.plain_range(snapshot.place_span(place))}, "message": message}
            for place, message in finding.related
        ] + _rule_site(snapshot, finding, mapper.encoding)
        if finding.tool_site is not None and snapshot.settings.catalogue is not None:
            found["relatedInformation"].append(
                _tool_site(finding.tool_site, snapshot.settings.catalogue, mapper.encoding)
            )
    return found


def _tool_site(site: ToolSite, catalogue: Catalogue, encoding: Encoding) -> Plain:
    """A place in a catalogue of tools."""
    where = Mapper(catalogue.file(site.path).lines, encoding).plain_range(site.span)
    return {"location": {"uri": uri_of(site.path), "range": where}, "message": site.message}


def _rule_site(snapshot: Snapshot, finding: Finding, encoding: Encoding) -> list[Plain]:
    """The rule of a policy file that a finding comes from."""
    policy, site = snapshot.settings.policy, finding.site
    for path, text in () if policy is None or site is None else (file for rego in policy.rego for file in rego.files):
        if site is not None and path == site.path:
            where = Mapper(LineIndex(text), encoding).plain_range(site.span)
            return [{"location": {"uri": uri_of(path), "range": where}, "message": f"the rule `{site.name}`"}]
    return []


def _not_checked(snapshot: Snapshot, unchecked: Unchecked, mapper: Mapper) -> Diagnostic:
    return {
        "range": mapper.plain_range(snapshot.place_span(unchecked.place)),
        "message": f"Not checked: {unchecked.message}",
        "severity": _SEVERITIES[unchecked.reason],
        "code": unchecked.rule,
        "codeDescription": {"href": RULE_PAGES + unchecked.rule},
        "source": SOURCE,
        "data": {**_data(snapshot, unchecked), "unchecked": unchecked.reason.value},
    }


def _data(snapshot: Snapshot, about: Finding | Unchecked) -> dict[str, object]:
    return {
        "rule": about.rule,
        "step": about.step,
        "resource": about.resource,
        "pointer": snapshot.pointer(about.place),
    }


def is_about(diagnostic: types.Diagnostic, snapshot: Snapshot, finding: Finding, where: types.Range) -> bool:
    """Whether a diagnostic that the editor has shows a finding. Two of one rule at one place differ in their messages,
    or in what the editor was given along with them, if it gives that back."""
    return (
        diagnostic.code == finding.rule
        and diagnostic.range == where
        and diagnostic.message == finding.message
        and diagnostic.data in (None, _data(snapshot, finding))
    )


def problems(found: Iterable[ConfigProblem], lines: LineIndex, encoding: Encoding) -> list[Diagnostic]:
    """What is wrong with a configuration file."""
    mapper = Mapper(lines, encoding)
    return [
        {
            "range": mapper.plain_range(Span(problem.start, problem.end)),
            "message": problem.message,
            "severity": _ERROR,
            "source": SOURCE,
            "data": {"pointer": problem.pointer},
        }
        for problem in found
    ]


def policy_problems(
    found: Iterable[PolicyProblem],
    lines: LineIndex,
    encoding: Encoding,
    severity: Callable[[str], Severity | None],
) -> list[Diagnostic]:
    """What is wrong with a policy file."""
    mapper = Mapper(lines, encoding)
    graded = ((problem, severity(problem.rule)) for problem in found)
    return [
        {
            "range": mapper.plain_range(problem.span),
            "message": problem.message,
            "severity": int(grade),
            "code": problem.rule,
            "codeDescription": {"href": RULE_PAGES + problem.rule},
            "source": SOURCE,
            "data": {"rule": problem.rule, "pointer": problem.pointer},
        }
        for problem, grade in graded
        if grade is not None
    ]


def catalogue_problems(
    found: Iterable[CatalogueProblem],
    file: CatalogueFile,
    catalogue: Catalogue,
    encoding: Encoding,
    severity: Callable[[str], Severity | None],
    *,
    related: bool,
) -> list[Diagnostic]:
    """What is wrong with a catalogue of tools. What lies past a limit is not checked, whatever the settings say."""
    mapper = Mapper(file.lines, encoding)
    items: list[Diagnostic] = []
    for rule, message, span, pointer, site, reason in found:
        grade = severity(rule)
        is_limit = reason is Reason.LIMIT
        if grade is None and not is_limit:
            continue
        item: Diagnostic = {
            "range": mapper.plain_range(span),
            "message": f"Not checked: {message}" if is_limit else message,
            "severity": _SEVERITIES[Reason.LIMIT] if grade is None or is_limit else int(grade),
            "code": rule,
            "codeDescription": {"href": RULE_PAGES + rule},
            "source": SOURCE,
            "data": {"rule": rule, "pointer": pointer},
        }
        if related and site is not None:
            item["relatedInformation"] = [_tool_site(site, catalogue, encoding)]
        items.append(item)
    return items


def unreadable(why: str) -> Diagnostic:
    """What there is to show about a file that cannot be read."""
    start = {"line": 0, "character": 0}
    return {
        "range": {"start": start, "end": start},
        "message": f"Not checked: {why}",
        "severity": _SEVERITIES[Reason.FAILURE],
        "source": SOURCE,
        "data": {"unchecked": Reason.FAILURE.value},
    }


def publication(uri: str, version: int | None, items: Sequence[Diagnostic]) -> Plain:
    found: Plain = {"uri": uri, "diagnostics": items}
    return found if version is None else {**found, "version": version}


def full_report(items: Sequence[Diagnostic], result_id: str | None) -> Plain:
    found: Plain = {"kind": "full", "items": items}
    return found if result_id is None else {**found, "resultId": result_id}


def encoded_report(rendered: Rendered, result_id: str) -> Encoded:
    """A full report that costs little more than its length."""
    items = ",".join([item.text for item in rendered.items])
    return Encoded(f'{{"kind":"full","resultId":{json.dumps(result_id)},"items":[{items}]}}')


def unchanged_report(result_id: str) -> Plain:
    return {"kind": "unchanged", "resultId": result_id}


def workspace_report(uri: str, version: int | None, result_id: str | None, items: Sequence[Diagnostic] | None) -> Plain:
    """A report on one document; without items it says that they are as they were."""
    if items is None:
        assert result_id is not None
        return {"uri": uri, "version": version, **unchanged_report(result_id)}
    return {"uri": uri, "version": version, **full_report(items, result_id)}


def workspace_reports(reports: Sequence[Plain]) -> Plain:
    return {"items": reports}
