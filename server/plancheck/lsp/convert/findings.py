"""Findings as diagnostics, published or reported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp.convert.mapper import Mapper, mapper_of
from plancheck.lsp.convert.options import RULE_PAGES, SOURCE
from plancheck.text import Encoding, LineIndex, Span
from plancheck.unknown import Reason

if TYPE_CHECKING:
    from plancheck.analysis.finding import Finding, Severity, Unchecked
    from plancheck.analysis.snapshot import Snapshot
    from plancheck.policy.reading import PolicyProblem
    from plancheck.workspace.problem import ConfigProblem

_SEVERITIES = {
    Reason.RUNTIME: types.DiagnosticSeverity.Information,
    Reason.NOT_UNDERSTOOD: types.DiagnosticSeverity.Warning,
    Reason.LIMIT: types.DiagnosticSeverity.Warning,
    Reason.FAILURE: types.DiagnosticSeverity.Error,
}
"""How an editor shows what could not be checked."""


def diagnostics(snapshot: Snapshot, uri: str, encoding: Encoding, *, related: bool = True) -> list[types.Diagnostic]:
    """What there is to show about a document, in the order of the text: what is wrong with it, as much as is to be
    shown, and everything that could not be checked."""
    mapper = mapper_of(snapshot, encoding)
    found = [_diagnostic(snapshot, finding, uri, mapper, related) for finding in snapshot.shown]
    if snapshot.unchecked:
        found += (_not_checked(snapshot, item, mapper) for item in snapshot.unchecked)
        found.sort(key=lambda item: (item.range.start.line, item.range.start.character))
    return found


def _diagnostic(snapshot: Snapshot, finding: Finding, uri: str, mapper: Mapper, related: bool) -> types.Diagnostic:
    involved = [
        types.DiagnosticRelatedInformation(mapper.location(uri, snapshot.place_span(place)), message)
        for place, message in finding.related
    ]
    return types.Diagnostic(
        range=mapper.range(snapshot.span(finding)),
        message=finding.message,
        severity=types.DiagnosticSeverity(int(finding.severity)),
        code=finding.rule,
        code_description=types.CodeDescription(RULE_PAGES + finding.rule),
        source=SOURCE,
        tags=[types.DiagnosticTag(int(tag)) for tag in finding.tags] or None,
        related_information=involved if related and involved else None,
        data=_data(snapshot, finding),
    )


def _not_checked(snapshot: Snapshot, unchecked: Unchecked, mapper: Mapper) -> types.Diagnostic:
    return types.Diagnostic(
        range=mapper.range(snapshot.place_span(unchecked.place)),
        message=f"Not checked: {unchecked.message}",
        severity=_SEVERITIES[unchecked.reason],
        code=unchecked.rule,
        code_description=types.CodeDescription(RULE_PAGES + unchecked.rule),
        source=SOURCE,
        data={**_data(snapshot, unchecked), "unchecked": unchecked.reason.value},
    )


def _data(snapshot: Snapshot, about: Finding | Unchecked) -> dict[str, object]:
    return {
        "rule": about.rule,
        "step": about.step,
        "resource": about.resource,
        "pointer": snapshot.plan.pointer(about.place),
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


def problems(found: Iterable[ConfigProblem], lines: LineIndex, encoding: Encoding) -> list[types.Diagnostic]:
    """What is wrong with a configuration file."""
    mapper = Mapper(lines, encoding)
    return [
        types.Diagnostic(mapper.range(Span(start, end)), message, types.DiagnosticSeverity.Error, source=SOURCE)
        for start, end, message, _ in found
    ]


def policy_problems(
    found: Iterable[PolicyProblem],
    lines: LineIndex,
    encoding: Encoding,
    severity: Callable[[str], Severity | None],
) -> list[types.Diagnostic]:
    """What is wrong with a policy file."""
    mapper = Mapper(lines, encoding)
    graded = ((problem, severity(problem.rule)) for problem in found)
    return [
        types.Diagnostic(
            mapper.range(problem.span),
            problem.message,
            types.DiagnosticSeverity(int(grade)),
            problem.rule,
            types.CodeDescription(RULE_PAGES + problem.rule),
            SOURCE,
        )
        for problem, grade in graded
        if grade is not None
    ]


def unreadable(why: str) -> types.Diagnostic:
    """What there is to show about a file that cannot be read."""
    start = types.Position(0, 0)
    return types.Diagnostic(
        types.Range(start, start),
        f"Not checked: {why}",
        _SEVERITIES[Reason.FAILURE],
        source=SOURCE,
        data={"unchecked": Reason.FAILURE.value},
    )


def publication(uri: str, version: int | None, items: Sequence[types.Diagnostic]) -> types.PublishDiagnosticsParams:
    return types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=list(items))


def full_report(items: Sequence[types.Diagnostic], result_id: str | None) -> types.DocumentDiagnosticReport:
    return types.RelatedFullDocumentDiagnosticReport(items=list(items), result_id=result_id)


def unchanged_report(result_id: str) -> types.DocumentDiagnosticReport:
    return types.RelatedUnchangedDocumentDiagnosticReport(result_id=result_id)


def workspace_report(
    uri: str, version: int | None, result_id: str | None, items: Sequence[types.Diagnostic] | None
) -> types.WorkspaceDocumentDiagnosticReport:
    """A report on one document; without items it says that they are as they were."""
    if items is None:
        assert result_id is not None
        return types.WorkspaceUnchangedDocumentDiagnosticReport(uri=uri, version=version, result_id=result_id)
    return types.WorkspaceFullDocumentDiagnosticReport(uri=uri, version=version, result_id=result_id, items=list(items))


def workspace_reports(reports: Sequence[types.WorkspaceDocumentDiagnosticReport]) -> types.WorkspaceDiagnosticReport:
    return types.WorkspaceDiagnosticReport(items=list(reports))
