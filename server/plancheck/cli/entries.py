"""Results as entries of the cache: what they depend on, and their form in a file.

JSON, and not a pickle: what is read from a file must not be able to run anything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from plancheck.analysis.settings import Settings
from plancheck.checked import CheckedEdit, CheckedFinding, CheckedFix, CheckedRelated, Range, UncheckedPlace
from plancheck.cli.results import FileResult
from plancheck.frozen import fields_of
from plancheck.policy.model import Policy
from plancheck.text import Position


def settings_key(settings: Settings) -> str:
    """Everything in the settings, whichever fields they have."""
    return json.dumps([_plain(field) for field in fields_of(settings)])


def _plain(field: object) -> object:
    if isinstance(field, Policy):
        return [field.digest, *(files.paths for files in field.rego)]  # results name the places of rules
    if isinstance(digest := getattr(field, "digest", None), str):
        return digest
    if field is None or isinstance(field, (int, str, tuple)):
        return field
    if isinstance(field, Mapping):
        return sorted(field.items())
    raise TypeError(f"it is not defined how {type(field).__name__} distinguishes cached results")


def is_worth_keeping(result: FileResult) -> bool:
    """Whether another run would find the same. A limit or a failure may be gone by then."""
    return not result.stopped and not any(place.is_blocking for place in result.unchecked)


def encode(result: FileResult) -> str:
    """A result as one line, without what is known anyway when it is looked up."""
    fields = (result.dialect, result.findings, result.unchecked, result.report, sorted(result.tools))
    return json.dumps(fields, separators=(",", ":"), default=fields_of)


def decode(payload: str, path: str, text: str, *, has_tried_fixes: bool) -> FileResult | None:
    """The result in a line; None where the line is not one that `encode` makes."""
    try:
        dialect, findings, unchecked, report, tools = json.loads(payload)
        return FileResult(
            path,
            text,
            dialect,
            [_finding(fields) for fields in findings],
            [UncheckedPlace(*[*fields, _range(where)]) for *fields, where in unchecked],
            report,
            has_tried_fixes,
            tools=frozenset(tools),
        )
    except (TypeError, ValueError, RecursionError):
        return None


def _finding(fields: list[Any]) -> CheckedFinding:
    *plain, where, related, fixes, tags, path_length, fingerprint = fields
    tokens = (CheckedRelated(*[*token, _range(place), path]) for *token, place, path in related)
    lists = (tuple(tokens), tuple(map(_fix, fixes)), tuple(tags))
    return CheckedFinding(*[*plain, _range(where), *lists, path_length, fingerprint])


def _fix(fields: list[Any]) -> CheckedFix:
    title, safe, edits = fields
    return CheckedFix(
        title, safe, tuple(CheckedEdit(start, end, _range(where), new) for start, end, where, new in edits)
    )


def _range(fields: list[list[int]]) -> Range:
    start, end = fields
    return Range(Position(*start), Position(*end))
