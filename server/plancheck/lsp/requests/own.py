"""Our own requests and commands. Their shapes are promised in docs/protocol.md."""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from plancheck.analysis.rule import RULE_PAGES
from plancheck.lsp.convert import editing
from plancheck.lsp.convert.mapper import mapper_of_text
from plancheck.lsp.identity import key_of_path, path_of
from plancheck.lsp.requests.subject import RequestedPlan, subject_of

if TYPE_CHECKING:
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
                "findings": [],
            }
        )
    for finding in snapshot.shown:
        if finding.place.step is not None:
            steps[finding.place.step]["findings"].append(
                {"rule": finding.rule, "severity": finding.severity.word, "message": finding.message}
            )
    return steps


async def report(ls: Server, params: object) -> dict[str, Any] | None:
    """`plancheck/report`: the PRE report, as `plancheck report --format json` prints it, and as Markdown."""
    from plancheck.pre import report_of
    from plancheck.pre.render import to_markdown

    subject = await subject_of(ls, _uri_in(params))
    if subject is None:
        return None
    found = report_of(subject.snapshot.graph)
    return {"uri": subject.uri, "version": subject.version, "report": found.to_dict(), "markdown": to_markdown(found)}


def _uri_in(params: object) -> str:
    document = params.get("textDocument") if isinstance(params, dict) else None
    uri = document.get("uri") if isinstance(document, dict) else None
    if not isinstance(uri, str):
        raise JsonRpcInvalidParams('The parameters must be {"textDocument": {"uri": …}}.')
    return uri


async def execute_command(ls: Server, params: types.ExecuteCommandParams) -> object:
    command = COMMANDS.get(params.command)
    if command is None:
        raise JsonRpcInvalidParams(f"Unknown command `{params.command}`.")
    return await command(ls, *(params.arguments or ()))


async def show_rule(ls: Server, *arguments: object) -> dict[str, str]:
    """`plancheck.showRule`: open the rule's page where the editor can, and give it back in any case."""
    from plancheck.analysis.rules import RULES

    rule = RULES.get(_text_at(arguments, 1))
    if rule is None:
        raise JsonRpcInvalidParams("The second argument must be the name of a rule.")
    url = RULE_PAGES + rule.name
    if ls.client.shows_documents:
        ls.window_show_document(editing.show_document(url))
    return {"rule": rule.name, "url": url, "markdown": rule.page.strip()}


async def ignore_in_configuration(ls: Server, *arguments: object) -> None:
    """`plancheck.ignoreInConfiguration`: switch a rule off in the configuration file, as an edit for the editor."""
    from plancheck.analysis.rules import RULES
    from plancheck.lsp.requests.switch_off import switched_off
    from plancheck.workspace.files import NAMES, ReadError, read_text

    uri, rule = _text_at(arguments, 0), _text_at(arguments, 1)
    path = path_of(uri)
    if rule not in RULES or path is None:
        raise JsonRpcInvalidParams("The arguments must be the URI of a file and the name of a rule.")
    if not ls.client.applies_edits:
        raise _failed(f'This editor applies no edits: write `{rule} = "off"` under `[rules]` in plancheck.toml.')
    session = ls.session
    folder = session.folders.holding(session.key_of(uri))
    in_force = folder.in_force if folder is not None else session.folders.outside
    loaded = in_force.configurations.above(os.path.dirname(path))
    file = loaded.path or os.path.join(folder.path if folder is not None else os.path.dirname(path), NAMES[0])
    document = session.documents.by_key(key_of_path(file))
    text = document.text if document is not None else read_text(file) if loaded.path is not None else ""
    if isinstance(text, ReadError):
        raise _failed(f"{os.path.basename(file)}: {text.message}")
    edit = switched_off(text, rule, os.path.basename(file) == "pyproject.toml")
    mapper = mapper_of_text(text, ls.session.encoding)
    uri, version = (document.uri, document.version) if document is not None else (session.uri_of(file), None)
    change = editing.workspace_edit(uri, version, [edit], mapper, versioned=ls.client.versioned_edits)
    if loaded.path is None and document is None:
        change = editing.new_file(uri, change)
    await ls.workspace_apply_edit_async(editing.apply_edit(f"Switch {rule} off", change))


def _text_at(arguments: tuple[object, ...], position: int) -> str:
    found = arguments[position] if position < len(arguments) else None
    return found if isinstance(found, str) else ""


def _failed(message: str) -> JsonRpcException:
    return JsonRpcException(message, code=int(types.LSPErrorCodes.RequestFailed))


COMMANDS: dict[str, Callable[..., Coroutine[Any, Any, object]]] = {
    "plancheck.showRule": show_rule,
    "plancheck.ignoreInConfiguration": ignore_in_configuration,
}
