"""Findings as diagnostics, published or reported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from plancheck.lsp.convert import RULE_PAGES, SOURCE, Mapper, mapper
from plancheck.text import Encoding, LineIndex, Span

if TYPE_CHECKING:
    from plancheck.analysis.finding import Finding, Severity
    from plancheck.analysis.snapshot import Snapshot
    from plancheck.policy.reading import PolicyProblem
    from plancheck.workspace.problem import ConfigProblem


def diagnostics(snapshot: Snapshot, uri: str, encoding: Encoding, *, related: bool = True) -> list[types.Diagnostic]:
    """What there is to show about a document, as an editor wants it."""
    to = mapper(snapshot, encoding)
    return [_diagnostic(snapshot, finding, uri, to, related) for finding in snapshot.shown]


def _diagnostic(snapshot: Snapshot, finding: Finding, uri: str, to: Mapper, related: bool) -> types.Diagnostic:
    involved = [
        types.DiagnosticRelatedInformation(to.location(uri, snapshot.place_span(place)), message)
        for place, message in finding.related
    ]
    return types.Diagnostic(
        range=to.range(snapshot.span(finding)),
        message=finding.message,
        severity=types.DiagnosticSeverity(int(finding.severity)),
        code=finding.rule,
        code_description=types.CodeDescription(RULE_PAGES + finding.rule),
        source=SOURCE,
        tags=[types.DiagnosticTag(int(tag)) for tag in finding.tags] or None,
        related_information=involved if related and involved else None,
        data={
            "rule": finding.rule,
            "step": finding.step,
            "resource": finding.resource,
            "pointer": snapshot.plan.pointer(finding.place),
        },
    )


def problems(found: Iterable[ConfigProblem], lines: LineIndex, encoding: Encoding) -> list[types.Diagnostic]:
    """What is wrong with a configuration file."""
    to = Mapper(lines, encoding)
    return [
        types.Diagnostic(to.range(Span(start, end)), message, types.DiagnosticSeverity.Error, source=SOURCE)
        for start, end, message, _ in found
    ]


def policy_problems(
    found: Iterable[PolicyProblem],
    lines: LineIndex,
    encoding: Encoding,
    severity: Callable[[str], Severity | None],
) -> list[types.Diagnostic]:
    """What is wrong with a policy file."""
    to = Mapper(lines, encoding)
    graded = ((problem, severity(problem.rule)) for problem in found)
    return [
        types.Diagnostic(
            to.range(problem.span),
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
    message = f"This file cannot be checked: {why}"
    return types.Diagnostic(types.Range(start, start), message, types.DiagnosticSeverity.Error, source=SOURCE)


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


def diagnostic_options() -> types.DiagnosticOptions:
    return types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=True, identifier=SOURCE)
