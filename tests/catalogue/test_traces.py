"""The same calls in every shape that models and protocols emit, held against a catalogue: the same findings, each at
its own token, escapes counted, and the same while the text is typed."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from plancheck.analysis.engine import analyze, update
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.catalogue.model import Catalogue, CatalogueSource
from plancheck.policy.reading import read_policy
from plancheck.text import Edit

TOOLS = """\
{"tools": [{"name": "book", "inputSchema": {"type": "object", "required": ["room"], "additionalProperties": false,
  "properties": {"room": {"type": "string"}, "nights": {"type": "integer", "maximum": 30},
    "guest": {"type": "object", "required": ["name"], "properties": {
      "name": {"type": "string"}, "vip": {"type": "boolean"}}},
    "extras": {"type": "array", "items": {"enum": ["meal", "\\"spa\\"", "naïve 🙂"]}}}}}]}
"""
SETTINGS = Settings(catalogue=Catalogue((CatalogueSource("/w/tools.json", TOOLS),)))

CALLS = {
    "another type": ("book", '{"room": "7", "nights": «"two"»}', ["wrong_argument"]),
    "too large, behind quotes": ("book", r'{"room": "say \"7\" \\ 🙂", "nights": «31»}', ["wrong_argument"]),
    "behind escapes": ("book", r'{"room": "é\ud83d\ude00\n\t", "nights": «null»}', ["wrong_argument"]),
    "an escaped name": ("book", r'{"\u0072oom": "7", «"n\u0069ght"»: 1}', ["unknown_argument"]),
    "not one of some": (
        "book",
        r'{"room": "7", "extras": ["meal", "\"spa\"", «"\"bar\""», "naïve 🙂"]}',
        ["wrong_argument"],
    ),
    "inside an object": ("book", '{"room": "7", «"guest"»: {"vip": «"yes"»}}', ["missing_argument", "wrong_argument"]),
    "missing": ("«book»", '{"nights": 2}', ["missing_argument"]),
    "nothing at all": ("«book»", "{}", ["missing_argument"]),
    "over several lines": ("book", '{\n  "room": "7",\n  «"gest"»: {}\n}', ["unknown_argument"]),
    "no such tool": ("«bok»", '{"room": "7"}', ["unknown_tool"]),
    "fine": ("mcp__hotel__book", r'{"room": "\u00e9 \" 🙂", "nights": 2}', []),
}
"""By what is wrong: the tool, the arguments, and the rules of what is marked, in the order of the text."""


def quoted(tool: str) -> str:
    """The name of a tool as JSON, the marks outside of the quotes."""
    return f'«"{tool[1:-1]}"»' if tool.startswith("«") else f'"{tool}"'


def as_text(arguments: str) -> str:
    return json.dumps(arguments, ensure_ascii=False)


def in_ascii(arguments: str) -> str:
    """As JSON text in which every character that is not ASCII is an escape, but for the marks."""
    written = json.dumps(arguments)
    return written.replace(json.dumps("«")[1:-1], "«").replace(json.dumps("»")[1:-1], "»")


Shape = Callable[[str, str], str]
SHAPES: dict[str, Shape] = {
    "chat": lambda tool, given: (
        f'{{"id": "c", "type": "function", "function": {{"name": {tool}, "arguments": {as_text(given)}}}}}'
    ),
    "chat in ascii": lambda tool, given: (
        f'{{"id": "c", "function": {{"arguments": {in_ascii(given)}, "name": {tool}}}}}'
    ),
    "response": lambda tool, given: (
        f'{{"type": "function_call", "call_id": "c", "name": {tool}, "arguments": {as_text(given)}}}'
    ),
    "block": lambda tool, given: f'{{"type": "tool_use", "id": "c", "name": {tool}, "input": {given}}}',
    "request": lambda tool, given: (
        f'{{"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": {{"name": {tool}, "arguments": {given}}}}}'
    ),
    "graph": lambda tool, given: f'{{"name": {tool}, "args": {given}, "id": "c"}}',
}
AROUND: dict[str, dict[str, str]] = {
    "chat": {
        "alone": "%s",
        "in a list": "[%s]",
        "in a message": '{"role": "assistant", "content": null, "tool_calls": [%s]}',
        "in a conversation": '{"messages": [{"role": "user", "content": "é"}, {"tool_calls": [%s]}]}',
        "in messages": '[{"role": "user", "content": "é"},\r\n {"role": "assistant", "tool_calls": [\r\n  %s]}]',
        "in a response": '{"choices": [{"index": 0, "message": {"role": "assistant", "tool_calls": [%s]}}]}',
    },
    "response": {
        "alone": "%s",
        "in a list": "[%s]",
        "among items": '[{"type": "reasoning", "summary": []}, %s]',
        "in a response": '{"id": "r", "output": [%s]}',
        "behind a message": '{"output": [{"type": "message", "role": "assistant", "content": []}, %s]}',
        "with its answer": '[%s, {"type": "function_call_output", "call_id": "c", "output": "{}"}]',
    },
    "block": {
        "alone": "%s",
        "in a list": "[%s]",
        "in a message": '{"role": "assistant", "content": [{"type": "text", "text": "🙂"}, %s]}',
        "in a conversation": '{"messages": [{"role": "assistant", "content": [%s]}]}',
        "in messages": '[{"role": "user", "content": "hi"}, {"role": "assistant", "content": [%s]}]',
        "in a response": '{"type": "message", "role": "assistant", "content": [\n%s\n], "stop_reason": "tool_use"}',
    },
    "request": {
        "alone": "%s",
        "in a list": "[%s]",
        "over lines": "\n\n  %s\n",
        "with its answer": '[%s, {"jsonrpc": "2.0", "id": "c", "result": {"content": []}}]',
        "behind others": '[{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, %s]',
        "before others": '[%s, {"jsonrpc": "2.0", "method": "notifications/cancelled"}]',
    },
    "graph": {
        "alone": "%s",
        "in a list": "[%s]",
        "in a message": '{"type": "ai", "content": "", "tool_calls": [%s]}',
        "in messages": '[{"type": "human", "content": "hi"}, {"type": "ai", "content": "", "tool_calls": [%s]}]',
        "in a conversation": '{"messages": [{"role": "assistant", "content": "", "tool_calls": [%s]}]}',
        "with lines": "[\n\t%s\n]",
    },
}
AROUND["chat in ascii"] = AROUND["chat"]


def without_marks(text: str) -> tuple[str, list[str]]:
    """The text, and what is marked in it, each with its offset."""
    found: list[str] = []
    while "«" in text:
        start, end = text.index("«"), text.index("»")
        found.append(f"{start}: {text[start + 1 : end]}")
        text = text[:start] + text[start + 1 : end] + text[end + 1 :]
    return text, found


def shown(snapshot: Snapshot) -> list[tuple[str, str]]:
    """What is found, each with its rule."""
    return [(f"{span.start}: {snapshot.text[slice(*span)]}", finding.rule) for span, finding in snapshot.shown_at]


@pytest.mark.parametrize("wrong", CALLS)
@pytest.mark.parametrize(("shape", "around"), [(shape, around) for shape in AROUND for around in AROUND[shape]])
def test_a_call_in_every_shape(shape: str, around: str, wrong: str) -> None:
    tool, arguments, rules = CALLS[wrong]
    text, marked = without_marks(AROUND[shape][around] % SHAPES[shape](quoted(tool), arguments))
    snapshot = analyze(text, SETTINGS)
    assert shown(snapshot) == list(zip(marked, rules, strict=True))
    assert snapshot.unchecked == []


def test_each_shape_has_six_places() -> None:
    assert all(len(places) >= 6 for places in AROUND.values())


@pytest.mark.parametrize("wrong", CALLS)
def test_the_same_findings_in_every_shape(wrong: str) -> None:
    tool, arguments, _ = CALLS[wrong]
    tool, arguments = (text.replace("«", "").replace("»", "") for text in (quoted(tool), arguments))
    expected = None
    for shape, write in SHAPES.items():
        found = [
            (f.rule, f.severity, f.message, f.resource) for f in analyze(write(tool, arguments), SETTINGS).findings
        ]
        expected = found if expected is None else expected
        assert found == expected, shape
    as_calls = analyze(f'[{{"tool_name": {tool}, "args": {arguments}}}]', SETTINGS).findings
    assert [(f.rule, f.message.replace("Step 0", "Step c")) for f in as_calls] == [(f[0], f[2]) for f in expected or ()]


@pytest.mark.parametrize("shape", SHAPES)
def test_typing_equals_reading_afresh(shape: str) -> None:
    tool, arguments, _ = CALLS["inside an object"]
    text, _ = without_marks(SHAPES[shape](quoted(tool), arguments))
    text = AROUND[shape]["in a list"] % text
    snapshot = analyze("", SETTINGS)
    for number, character in enumerate(text):
        snapshot = update(snapshot, Edit(number, number, character), SETTINGS)
        assert shown(snapshot) == shown(analyze(text[: number + 1], SETTINGS)), text[: number + 1]
    for number in range(len(text)):
        edited = update(snapshot, Edit(number, number + 1, ""), SETTINGS)
        fresh = analyze(text[:number] + text[number + 1 :], SETTINGS)
        assert (shown(edited), edited.unchecked) == (shown(fresh), fresh.unchecked), number


@pytest.mark.parametrize(
    ("text", "pointers"),
    [
        (
            '{"tool_calls": [{"id": "a", "amount": 5000, "function": {"name": "pay", "arguments": "{}"}}]}',
            {"/tool_calls/0/amount"},
        ),
        (
            '{"tool_calls": [{"id": "a", "function": {"name": "pay", "amount": 5000, "arguments": "{}"}}]}',
            {"/tool_calls/0/function/amount"},
        ),
        (
            '{"method": "tools/call", "id": 1, "amount": 5000, "params": {"name": "pay", "arguments": {}}}',
            {"/amount"},
        ),
        (
            '{"steps": [{"id": "a", "tool": "look"}], "more": [{"k": 1}, {"tool": "pay", "amount": 5000, "args": {}}]}',
            {"/more/1/amount"},
        ),
        (
            '{"steps": [{"id": "a", "tool": "look"}], "more": {"call": {"tool": "pay", "amount": 5000, "args": {}}}}',
            {"/more/call/amount"},
        ),
    ],
    ids=["beside the function", "in the function", "beside the parameters", "beside the steps", "deeper beside them"],
)
def test_a_limited_argument_beside_a_call_is_shown_where_it_is(text: str, pointers: set[str]) -> None:
    read = read_policy("bounds: {pay.amount: [0, 1000]}\n")
    assert not read.problems
    found = analyze(text, Settings(policy=read.policy))
    said = [finding for finding in found.findings if finding.rule == "bound_violation"]
    assert {found.pointer(finding.place) for finding in said} == pointers
    assert [text[slice(*found.span(finding))] for finding in said] == ["5000"]
