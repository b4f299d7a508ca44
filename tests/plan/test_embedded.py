"""JSON inside texts: what is read, what is named, and that nothing past a limit is called read."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from plancheck.plan.carried import carried_calls
from plancheck.plan.embedded import json_in, named_values

CALL = (("tool", "x"),)
TEXT = '{"tool": "x"}'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TEXT, [CALL]),
        (f" \n{TEXT} ", [CALL]),
        (json.dumps(TEXT), [CALL]),
        (json.dumps(" " * 500 + json.dumps(TEXT)), [CALL]),
        (f"run {TEXT}, then {TEXT}.", [CALL, CALL]),
        ('["a ' * 100 + TEXT, [CALL]),
        ('{"a ' * 100 + TEXT, [CALL]),
        ('{"a": ' * 5 + TEXT, [CALL]),
        (f"run {json.dumps(TEXT)} now", [CALL]),
        ('"\\u007b\\"tool\\": \\"x\\"\\u007d"', [CALL]),
        ('"\\x7b\\"tool\\": \\"x\\"\\x7d"', [CALL]),
        (TEXT + " " * 10_000 + TEXT, [CALL, CALL]),
        ('{"a": "' + "b" * 10_000 + '"}, ', [(("a", "b" * 10_000),)]),
        ("[1, 2]", [[1, 2]]),
        ("{{name}} and {0} and [see below]", []),
        ("7", []),
    ],
)
def test_what_is_read(text: str, expected: list[Any]) -> None:
    assert list(json_in(text)) == expected


@pytest.mark.parametrize("text", ['{"a": ' * 5_000 + TEXT, '{"a": ' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_past_a_limit_it_is_not_known(text: str) -> None:
    assert None in list(json_in(text))
    assert None in [found.call for found in carried_calls((("job", text),)).calls]


def test_what_is_wrapped_too_often_is_not_known() -> None:
    text = TEXT
    for _ in range(8):
        assert None not in list(json_in(text))
        text = json.dumps(text)
    assert list(json_in(text)) == [None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{'tool': 'x'}", [("tool", "x", True)]),
        ('{tool: "x", args: {a: 1}}', [("tool", "x", True), ("args", "", False), ("a", "1", False)]),
        ("{tool_name: x}", [("tool_name", "x", False)]),
        ("{tool name = `x`}", [("tool name", "x", True)]),
        ("{'tool': ['x']}", [("tool", "x", True)]),
        ("the tool: x [1]", []),
    ],
)
def test_what_is_named(text: str, expected: list[tuple[str, str, bool]]) -> None:
    assert [tuple(found) for found in named_values(text)] == expected


@pytest.mark.parametrize(
    "unit",
    [
        "\\",
        '{"',
        '{"a":',
        '["a ',
        '{"a":"\\"',
        "{'a': ",
        '{"tool":"x",',
        "tool: ",
        "{tool ",
        '"{\\"',
        "a b ",
        "\\u007b",
    ],
)
def test_no_text_takes_forever(unit: str) -> None:
    started = time.process_time()
    carried_calls((("job", "{tool" + unit * (100_000 // len(unit))),))
    assert time.process_time() - started < 2
