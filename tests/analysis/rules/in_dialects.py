"""One call in every dialect that names tools, as a step of its own, carried by another one, and beside the steps.

What is wrong with the arguments is marked: `{"url": «"http://example.com"»}`. The marks are where the findings are,
also inside a JSON text in a trace, escapes and all. The call may refer to the step `a`.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from plancheck.analysis.engine import analyze, update
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.text import Edit

Shape = Callable[[str, str], str]


def as_text(arguments: str) -> str:
    return json.dumps(arguments, ensure_ascii=False)


WITH_REFERENCES: dict[str, Shape] = {
    "steps": lambda tool, given: (
        f'{{"goal": "g", "steps": [{{"id": "a", "tool": "look.up"}},\n'
        f' {{"id": "b", "tool": "{tool}", "depends_on": ["a"], "args": {given}}}]}}'
    ),
    "calls": lambda tool, given: (
        f'[{{"tool_name": "look.up", "id": "a", "args": {{}}}},\n {{"tool_name": "{tool}", "args": {given}}}]'
    ),
    "carried": lambda tool, given: (
        f'{{"goal": "g", "steps": [{{"id": "a", "tool": "look.up"}},\n'
        f' {{"id": "b", "tool": "queue.add", "args": {{"job": {{"tool": "{tool}", "args": {given}}}}}}}]}}'
    ),
    "beside the steps": lambda tool, given: (
        f'{{"event_type": "agent.plan", "context": {{"next": [{{"tool_name": "{tool}", "args": {given}}}]}},\n'
        ' "steps": [{"tool_name": "look.up", "id": "a", "args": {}}]}'
    ),
}
TRACES: dict[str, Shape] = {
    "trace": lambda tool, given: f'[{{"type": "tool_use", "id": "c", "name": "{tool}", "input": {given}}}]',
    "trace with JSON text": lambda tool, given: (
        f'{{"tool_calls": [{{"id": "c", "function": {{"name": "{tool}", "arguments": {as_text(given)}}}}}]}}'
    ),
}
EVERYWHERE = {**WITH_REFERENCES, **TRACES}


def findings_of(rule: str, snapshot: Snapshot) -> list[str]:
    """Where a rule has found something, and what is there, in the order of the text."""
    found = (snapshot.span(finding) for finding in snapshot.findings if finding.rule == rule)
    return [f"{start}: {snapshot.text[start:end]}" for start, end in sorted(found)]


def check_call(rule: str, write: Shape, tool: str, marked: str, settings: Settings | None = None) -> None:
    """Exactly what is marked is reported, in a fresh look and after an edit of the arguments."""
    text, expected = _without_marks(write(tool, marked))
    snapshot = analyze(text, settings or Settings())
    assert not snapshot.has_syntax_errors, text
    assert findings_of(rule, snapshot) == expected
    assert [item for item in snapshot.unchecked if item.rule == rule] == []
    end = text.rindex("}")
    edited = update(snapshot, Edit(end, end, " "), settings or Settings())
    assert len(findings_of(rule, edited)) == len(expected)


def _without_marks(text: str) -> tuple[str, list[str]]:
    """The text, and what is marked in it, each with its offset."""
    found: list[str] = []
    while "«" in text:
        before, _, rest = text.partition("«")
        marked, _, after = rest.partition("»")
        found.append(f"{len(before)}: {marked}")
        text = f"{before}{marked}{after}"
    return text, found
