"""Our own requests and commands. Their shapes are promised in docs/protocol.md."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from plancheck.home import RULE_PAGES
from plancheck.lsp.convert import editing
from plancheck.lsp.convert.mapper import mapper_of_text
from plancheck.lsp.identity import key_of_path, path_of
from plancheck.lsp.requests.arguments import failed, invalid, text_at
from plancheck.lsp.requests.fixing import apply_fixes
from plancheck.lsp.requests.subject import RequestedPlan, subject_of
from plancheck.text import Position, apply_edits

if TYPE_CHECKING:
    from plancheck.analysis.finding import Finding
    from plancheck.analysis.snapshot import Snapshot
    from plancheck.lsp.server import Server


async def graph(ls: Server, params: object) -> dict[str, Any] | None:
    """`plancheck/graph`: the plan's graph as `plancheck graph --format json` prints it, and where its steps stand."""
    from plancheck.plan.graph.export import describe

    subject = await subject_of(ls, _uri_in(params))
    if subject is None:
        return None
    picture = await ls.host.run(describe, subject.snapshot.plan, subject.snapshot.graph)
    return {
        "uri": subject.uri,
        "version": subject.version,
        "readable": not subject.snapshot.tree.problems,
        "graph": picture.to_dict(),
        "counts": _counts(subject.snapshot.findings),
        "steps": _steps(subject),
    }


def _steps(subject: RequestedPlan) -> list[dict[str, Any]]:
    from plancheck.plan.model import Place
    from plancheck.syntax.tree import Part

    snapshot = subject.snapshot
    steps: list[dict[str, Any]] = []
    for position, step in enumerate(snapshot.plan.steps):
        whole = snapshot.place_span(Place(position, (), Part.WHOLE))
        identity = snapshot.place_span(Place(position, step.identity_path))
        steps.append(
            {
                "position": position,
                "range": subject.mapper.plain_range(whole),
                "selection": subject.mapper.plain_range(identity),
                "counts": _counts(snapshot.by_step.get(position, ())),
                "findings": [],
            }
        )
    for finding in snapshot.shown:
        if finding.place.step is not None:
            steps[finding.place.step]["findings"].append(
                {"rule": finding.rule, "severity": finding.severity.word, "message": finding.message}
            )
    return steps


def _counts(findings: Iterable[Finding]) -> dict[str, int]:
    """How many findings there are of each severity, whatever `max_findings` lets a list show."""
    from plancheck.analysis.finding import Severity

    counted = Counter(finding.severity for finding in findings)
    return {severity.word: counted[severity] for severity in Severity}


async def followers(ls: Server, params: object) -> dict[str, Any] | None:
    """`plancheck/followers`: what names the steps that follow the one at a position."""
    from plancheck.ide.followers import followers_at

    position = _position_in(params)
    subject = await subject_of(ls, _uri_in(params))
    if subject is None:
        return None
    mapper = subject.mapper
    found = followers_at(subject.snapshot, mapper.lines.offset(position.line, position.character, mapper.encoding))
    if found is None:
        return None
    locations = [{"uri": subject.uri, "range": mapper.plain_range(name)} for name in found.names]
    return {"uri": subject.uri, "version": subject.version, "total": found.total, "locations": locations}


async def report(ls: Server, params: object) -> dict[str, Any] | None:
    """`plancheck/report`: the report, as `plancheck report --format json` prints it, and as Markdown."""
    from plancheck.report.markdown import to_markdown
    from plancheck.report.model import report_on

    subject = await subject_of(ls, _uri_in(params))
    if subject is None:
        return None
    snapshot = await _with_what_the_editor_reports(ls, subject)
    found = await ls.host.run(report_on, snapshot, subject.uri.rpartition("/")[2])
    return {"uri": subject.uri, "version": subject.version, "report": found.to_dict(), "markdown": to_markdown(found)}


async def _with_what_the_editor_reports(ls: Server, subject: RequestedPlan) -> Snapshot:
    """The plan with the findings that an editor shows itself: a report stands alone."""
    from plancheck.analysis.engine import analyze

    snapshot = subject.snapshot
    if not snapshot.has_faults_of(snapshot.settings.reported_elsewhere):
        return snapshot
    settings = ls.session.settings_in_full(subject.uri)
    terms = snapshot.terms
    again = partial(analyze, rules=terms.rules, matcher=terms.matcher, dialects=terms.dialects, rego=terms.rego)
    return await ls.host.run(again, snapshot.text, settings)


async def starters(ls: Server, _: object) -> list[dict[str, str]]:  # noqa: ARG001 - requests are called so
    """`plancheck/starters`: a plan to begin with in each format, as a snippet, and how such files are named."""
    from plancheck.plan.dialects.table import DIALECTS
    from plancheck.workspace.config import Config

    return [
        {
            "name": dialect.name,
            "title": dialect.title,
            "summary": dialect.summary,
            "suffix": dialect.name if Config().is_plan(f"a.{dialect.name}.json") else "plan",
            "snippet": dialect.starter,
        }
        for dialect in DIALECTS
    ]


def _uri_in(params: object) -> str:
    document = params.get("textDocument") if isinstance(params, dict) else None
    uri = document.get("uri") if isinstance(document, dict) else None
    if not isinstance(uri, str):
        raise invalid('The parameters must be {"textDocument": {"uri": …}}.')
    return uri


def _position_in(params: object) -> Position:
    position = params.get("position") if isinstance(params, dict) else None
    line, character = (position.get("line"), position.get("character")) if isinstance(position, dict) else (None, None)
    if type(line) is not int or type(character) is not int or min(line, character) < 0:
        raise invalid('The parameters must have "position": {"line": …, "character": …}.')
    return Position(line, character)


async def execute_command(ls: Server, params: types.ExecuteCommandParams) -> object:
    command = COMMANDS.get(params.command)
    if command is None:
        raise invalid(f"Unknown command `{params.command}`.")
    return await command(ls, *(params.arguments or ()))


async def show_rule(ls: Server, *arguments: object) -> dict[str, str]:
    """`plancheck.showRule`: open the rule's page where the editor can, and give it back in any case."""
    from plancheck.analysis.rule_page import sections, switching_off
    from plancheck.analysis.rules import RULES

    rule = RULES.get(text_at(arguments, 1))
    if rule is None:
        raise invalid("The second argument must be the name of a rule.")
    url = RULE_PAGES + rule.name
    if ls.client.shows_documents:
        ls.window_show_document(editing.show_document(url))
    markdown = "\n\n".join([*sections(rule), switching_off(rule)])
    return {"rule": rule.name, "severity": rule.severity.word, "url": url, "markdown": markdown}


async def ignore_in_configuration(ls: Server, *arguments: object) -> dict[str, Any]:
    """`plancheck.ignoreInConfiguration`: switch a rule off in the configuration file, as an edit for the editor, show
    the line, and say what was written."""
    from plancheck.analysis.rules import RULES
    from plancheck.lsp.requests.switch_off import switched_off
    from plancheck.workspace.files import NAMES, ReadError, read_text

    uri, rule = text_at(arguments, 0), text_at(arguments, 1)
    path = path_of(uri)
    if rule not in RULES or path is None:
        raise invalid("The arguments must be the URI of a file and the name of a rule.")
    if not ls.client.applies_edits:
        raise failed(f'This editor applies no edits: write `{rule} = "off"` under `[rules]` in plancheck.toml.')
    session = ls.session
    folder = session.folders.holding(session.key_of(uri))
    in_force = folder.in_force if folder is not None else session.folders.outside
    loaded = in_force.configurations.above(os.path.dirname(path))
    file = loaded.path or os.path.join(folder.path if folder is not None else os.path.dirname(path), NAMES[0])
    document = session.documents.by_key(key_of_path(file))
    text = document.text if document is not None else read_text(file) if loaded.path is not None else ""
    if isinstance(text, ReadError):
        raise failed(f"{os.path.basename(file)}: {text.message}")
    edit = switched_off(text, rule, os.path.basename(file) == "pyproject.toml")
    mapper = mapper_of_text(text, session.encoding)
    uri, version = (document.uri, document.version) if document is not None else (session.uri_of(file), None)
    change = editing.workspace_edit(uri, version, [edit], mapper, versioned=ls.client.versioned_edits)
    if loaded.path is None and document is None:
        change = editing.new_file(uri, change)
    answer = await ls.workspace_apply_edit_async(editing.apply_edit(f"Switch {rule} off", change))
    after = mapper_of_text(apply_edits(text, [edit]), session.encoding)
    line = after.lines.line_span(after.lines.line_of(after.lines.text.index('"off"', edit.start)))
    if answer.applied and ls.client.shows_documents:
        ls.window_show_document(editing.show_place(uri, after.range(line)))
    written = after.lines.text[line.start : line.end].strip()
    return {"rule": rule, "uri": uri, "applied": answer.applied, "written": written}


COMMANDS: dict[str, Callable[..., Coroutine[Any, Any, object]]] = {
    "plancheck.showRule": show_rule,
    "plancheck.ignoreInConfiguration": ignore_in_configuration,
    "plancheck.applyFixes": apply_fixes,
}
