"""`check --format sarif`: SARIF 2.1.0, for code scanning on GitHub, editors and dashboards.

The log holds one run. Its results are written as they come; the rules that occurred, and what could not be checked, are
held and written at the end.
"""

from __future__ import annotations

import json
import os
from typing import Any, TextIO
from urllib.parse import quote

from plancheck import __version__
from plancheck.analysis.rules import RULES
from plancheck.checked import (
    CONFIGURATION_FAULT,
    CheckedFinding,
    CheckedFix,
    CheckedRelated,
    Range,
    UncheckedPlace,
)
from plancheck.cli.formats.format import message_of, severity_of
from plancheck.cli.formats.sarif_rules import (
    LEVELS,
    notice_descriptor,
    rule_descriptor,
    supported_taxonomies,
    taxonomies,
)
from plancheck.cli.results import FileResult, Tally, from_here
from plancheck.cli.terminal import one_line
from plancheck.home import HOME

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"
_RUN = {
    "automationDetails": {"id": "plancheck/"},
    "columnKind": "utf16CodeUnits",
    "newlineSequences": ["\r\n", "\n", "\r"],
    "originalUriBaseIds": {_ROOT: {"description": {"text": "The working directory of the command."}}},
}
"""What is the same in every run. No other sequences of characters end a line."""

_NEW = {"baselineState": "new"}
_KNOWN = {
    "baselineState": "unchanged",
    "suppressions": [{"kind": "external", "status": "accepted", "justification": "It is in the baseline."}],
}
"""What a baseline has. Services that know nothing of baselines take it for something that was dismissed."""


class Sarif:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        head = json.dumps({"$schema": _SCHEMA, "version": "2.1.0"})[:-1]
        self._lead = f'{head}, "runs": [{{{json.dumps(_RUN)[1:-1]}, "results": [\n'
        self._rules: dict[str, int] = {}
        """The rules that occurred, with their positions in the log."""
        self._notices: dict[str, int] = {}
        """Likewise, what could not be checked."""
        self._notifications: dict[str, list[dict[str, Any]]] = {}

    def file(self, result: FileResult) -> None:
        for finding in result.findings:
            self._write(self._result(result.path, finding) | (_NEW if result.known is not None else {}))
        for finding in result.known or ():
            self._write(self._result(result.path, finding) | _KNOWN)
        for place in result.unchecked:
            kind = "Configuration" if place.rule == CONFIGURATION_FAULT else "Execution"
            notification = self._notification(result, place)
            self._notifications.setdefault(f"tool{kind}Notifications", []).append(notification)

    def _write(self, result: dict[str, Any]) -> None:
        self._stream.write(self._lead + json.dumps(result))
        self._lead = ",\n"

    def _result(self, path: str, finding: CheckedFinding) -> dict[str, Any]:
        related = [{"id": number, **_related(path, place)} for number, place in enumerate(finding.related, 1)]
        result = {
            "ruleId": finding.rule,
            "ruleIndex": self._rules.setdefault(finding.rule, len(self._rules)),
            "level": LEVELS[finding.severity],
            "message": {"text": _message(finding)},
            "locations": [_location(path, finding.range, finding.pointer)],
            "partialFingerprints": {
                "plancheckFinding/v1": finding.fingerprint,
                "primaryLocationLineHash": finding.fingerprint,  # the only one that GitHub looks at
            },
            "relatedLocations": related,
            "codeFlows": [_flow(path, finding)] if finding.path else [],
            "fixes": [_fix(path, fix) for fix in finding.fixes if fix.edits],
        }
        return {name: value for name, value in result.items() if value != []}

    def _notification(self, result: FileResult, place: UncheckedPlace) -> dict[str, Any]:
        where = place.range if result.text else None
        return {
            "descriptor": {"id": place.rule, "index": self._notices.setdefault(place.rule, len(self._notices))},
            "level": LEVELS[severity_of(place)],
            "message": {"text": _plain(message_of(place))},
            "locations": [_location(result.path, where, place.pointer)],
            "properties": {"reason": place.reason},
        }

    def end(self, tally: Tally) -> None:
        rules = [RULES[name] for name in self._rules]
        driver = {
            "name": "plancheck",
            "organization": "plancheck",
            "version": __version__,
            "semanticVersion": __version__,
            "informationUri": HOME,
            "rules": [rule_descriptor(rule) for rule in rules],
            "notifications": [notice_descriptor(name) for name in self._notices],
            "supportedTaxonomies": supported_taxonomies(),
        }
        rest = {
            "invocations": [{"executionSuccessful": not tally.is_blocked, **self._notifications}],
            "tool": {"driver": driver},
            "taxonomies": taxonomies(rules),
        }
        lead = self._lead if self._lead != ",\n" else "\n"
        self._stream.write(f"{lead}], {json.dumps(rest)[1:-1]}}}]}}\n")


def _message(finding: CheckedFinding) -> str:
    """What is wrong, with a link to each place that is involved."""
    links = (f"[{_bracketed(place.message)}]({number})" for number, place in enumerate(finding.related, 1))
    listed = ", ".join(links)
    return f"{_plain(finding.message)} See {listed}." if listed else _plain(finding.message)


def _plain(text: str) -> str:
    """A text in which nothing is a link."""
    shown = one_line(text)
    return _bracketed(shown) if "](" in shown else shown


def _bracketed(text: str) -> str:
    """A text as it is written between the brackets of a link (SARIF 3.11.6)."""
    return one_line(text).replace("\\", r"\\").replace("[", r"\[").replace("]", r"\]")


def _flow(path: str, finding: CheckedFinding) -> dict[str, Any]:
    """The way of the data, from its source to the place of the finding."""
    on_the_way = [{"location": _related(path, place)} for place in finding.path]
    sink = {**_location(path, finding.range, finding.pointer), "message": {"text": _plain(finding.message)}}
    return {"threadFlows": [{"locations": [*on_the_way, {"location": sink}]}]}


def _related(path: str, place: CheckedRelated) -> dict[str, Any]:
    where = path if place.path is None else from_here(place.path)
    return {**_location(where, place.range, place.pointer), "message": {"text": _plain(place.message)}}


def _fix(path: str, fix: CheckedFix) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(edit.range), "insertedContent": {"text": edit.new_text}} for edit in fix.edits
    ]
    description = fix.title if fix.safe else f"{fix.title} (unsafe)"
    return {
        "description": {"text": _plain(description)},
        "artifactChanges": [{"artifactLocation": _artifact(path), "replacements": replacements}],
    }


def _location(path: str, where: Range | None, pointer: str) -> dict[str, Any]:
    """A place; without a range, a file as a whole."""
    physical = {"artifactLocation": _artifact(path)}
    if where is not None:
        physical["region"] = _region(where)
    location: dict[str, Any] = {"physicalLocation": physical}
    if pointer:
        shown = one_line(pointer)
        location["logicalLocations"] = [{"fullyQualifiedName": shown, "name": shown.rpartition("/")[2]}]
    return location


def _region(where: Range) -> dict[str, int]:
    start, end = where.start, where.end
    return {
        "startLine": start.line + 1,
        "startColumn": start.character + 1,
        "endLine": end.line + 1,
        "endColumn": end.character + 1,
    }


def _artifact(path: str) -> dict[str, Any]:
    """A file, relative to the working directory if it is in there."""
    if not os.path.isabs(path) and path.split(os.sep)[0] != os.pardir:
        return {"uri": _quoted(path), "uriBaseId": _ROOT}
    return {"uri": f"file:///{_quoted(os.path.abspath(path)).lstrip('/')}"}


def _quoted(path: str) -> str:
    """A path as part of a URI; bytes of a file's name that are not UTF-8 are written as what they are."""
    return quote(os.fsencode(path.replace(os.sep, "/")))
