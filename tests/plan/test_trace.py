"""Tool calls in every shape that models and protocols emit: which steps they are, and what is found inside of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analysis.marks import check_rule
from plancheck.analysis.engine import analyze, update
from plancheck.analysis.settings import Settings
from plancheck.plan.lower import lower
from plancheck.plan.model import Place, Plan
from plancheck.policy.reading import read_policy
from plancheck.syntax.json import read
from plancheck.syntax.tree import INSIDE
from plancheck.syntax.values import to_plain
from plancheck.text import Edit

FIND = r'{"name": "find", "arguments": "{\"q\": 1}"}'
CHAT = rf'{{"id": "c1", "type": "function", "function": {FIND}}}'
RESPONSE = r'{"type": "function_call", "id": "fc", "call_id": "c1", "name": "find", "arguments": "{\"q\": 1}"}'
BLOCK = '{"type": "tool_use", "id": "c1", "name": "find", "input": {"q": 1}}'
REQUEST = '{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "find", "arguments": {"q": 1}}}'
GRAPH = '{"name": "find", "args": {"q": 1}, "id": "c1"}'
USER = '{"role": "user", "content": "hello"}'
ANSWER = r'{"role": "tool", "tool_call_id": "c1", "content": "{\"tool_name\": \"execute_shell\", \"args\": {}}"}'


def message(calls: str) -> str:
    return f'{{"role": "assistant", "content": null, "tool_calls": [{calls}]}}'


def blocks(*calls: str) -> str:
    return f'{{"role": "assistant", "content": [{{"type": "text", "text": "so"}}, {", ".join(calls)}]}}'


CORPUS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    # one call
    "a chat call": (CHAT, [("c1", "")]),
    "a chat call without an id": (f'{{"type": "function", "function": {FIND}}}', [("0", "")]),
    "a chat call without a type": (f'{{"function": {FIND}}}', [("0", "")]),
    "a chat call with an empty id": (f'{{"id": "", "function": {FIND}}}', [("0", "")]),
    "a chat call with null for an id": (f'{{"id": null, "function": {FIND}}}', [("0", "")]),
    "a chat call with an object for arguments": (
        '{"function": {"name": "find", "arguments": {"q": 1}}}',
        [("0", "")],
    ),
    "a call of a response": (RESPONSE, [("c1", "")]),
    "a call of a response with one id": (RESPONSE.replace('"call_id": "c1", ', ""), [("fc", "")]),
    "a block": (BLOCK, [("c1", "")]),
    "a block of a server": (BLOCK.replace("tool_use", "server_tool_use"), [("c1", "")]),
    "a request": (REQUEST, [("7", "")]),
    "a request with a text for an id": (REQUEST.replace("7", '"r"'), [("r", "")]),
    "a call of a graph": (GRAPH, [("c1", "")]),
    "a call of a graph, with its type": ('{"type": "tool_call", "name": "find", "args": {"q": 1}}', [("0", "")]),
    # in a list
    "chat calls": (f"[{CHAT}, {CHAT.replace('c1', 'c2')}]", [("c1", "/0"), ("c2", "/1")]),
    "calls of a response": (f"[{RESPONSE}]", [("c1", "/0")]),
    "blocks": (f'[{{"type": "text", "text": "so"}}, {BLOCK}]', [("c1", "/1")]),
    "requests and answers": (
        f'[{REQUEST}, {{"jsonrpc": "2.0", "id": 7, "result": {{"content": []}}}}, {REQUEST.replace("7", "8")}]',
        [("7", "/0"), ("8", "/2")],
    ),
    "calls of a graph": (f"[{GRAPH}]", [("c1", "/0")]),
    "calls of several shapes": (
        f"[{CHAT}, {BLOCK.replace('c1', 'c2')}, {REQUEST}, {GRAPH.replace('c1', 'c3')}, "
        f"{RESPONSE.replace('c1', 'c4')}]",
        [("c1", "/0"), ("c2", "/1"), ("7", "/2"), ("c3", "/3"), ("c4", "/4")],
    ),
    # in a message
    "a message with chat calls": (message(CHAT), [("c1", "/tool_calls/0")]),
    "a message with calls of a graph": (message(GRAPH), [("c1", "/tool_calls/0")]),
    "a message with calls of no type": (
        message('{"name": "find", "arguments": {"q": 1}}'),
        [("0", "/tool_calls/0")],
    ),
    "nothing but the calls": (f'{{"tool_calls": [{CHAT}]}}', [("c1", "/tool_calls/0")]),
    "a message with blocks": (blocks(BLOCK), [("c1", "/content/1")]),
    "a message with one call": (
        f'{{"role": "assistant", "content": null, "function_call": {FIND}}}',
        [("0", "/function_call")],
    ),
    "a message with blocks and calls": (
        f'{{"role": "assistant", "content": [{BLOCK}], "tool_calls": [{GRAPH.replace("c1", "c2")}]}}',
        [("c1", "/content/0"), ("c2", "/tool_calls/0")],
    ),
    "a message that has its call twice": (
        f'{{"role": "assistant", "content": [{BLOCK}], "tool_calls": [{GRAPH}], '
        f'"additional_kwargs": {{"tool_calls": [{CHAT}]}}}}',
        [("c1", "/content/0")],
    ),
    # a response
    "a response of a chat": (
        f'{{"id": "x", "choices": [{{"index": 0, "message": {message(CHAT)}}}]}}',
        [("c1", "/choices/0/message/tool_calls/0")],
    ),
    "two answers": (
        f'{{"choices": [{{"message": {message(CHAT)}}}, {{"message": {message(CHAT.replace("c1", "c2"))}}}]}}',
        [("c1", "/choices/0/message/tool_calls/0"), ("c2", "/choices/1/message/tool_calls/0")],
    ),
    "a response with items": (
        f'{{"object": "response", "output": [{{"type": "reasoning"}}, {RESPONSE}]}}',
        [("c1", "/output/1")],
    ),
    "a response with blocks": (
        f'{{"type": "message", "role": "assistant", "content": [{BLOCK}], "stop_reason": "tool_use"}}',
        [("c1", "/content/0")],
    ),
    "a response with one message": (
        f'{{"model": "m", "message": {message(CHAT)}, "done": true}}',
        [("c1", "/message/tool_calls/0")],
    ),
    "responses": (f'[{{"choices": [{{"message": {message(CHAT)}}}]}}]', [("c1", "/0/choices/0/message/tool_calls/0")]),
    # a conversation
    "messages": (f"[{USER}, {message(CHAT)}, {ANSWER}]", [("c1", "/1/tool_calls/0")]),
    "a conversation": (
        f'{{"model": "m", "messages": [{USER}, {message(CHAT)}, {ANSWER}]}}',
        [("c1", "/messages/1/tool_calls/0")],
    ),
    "a conversation in blocks": (
        f'{{"messages": [{USER}, {blocks(BLOCK, BLOCK.replace("c1", "c2"))}, '
        '{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "ok"}]}]}',
        [("c1", "/messages/1/content/1"), ("c2", "/messages/1/content/2")],
    ),
    "items of a conversation": (
        f'[{USER}, {RESPONSE}, {{"type": "function_call_output", "call_id": "c1", "output": "ok"}}]',
        [("c1", "/1")],
    ),
    "a conversation with tools": (
        f'{{"messages": [{message(CHAT)}], "tools": [{{"type": "function", "function": '
        '{"name": "execute_shell", "parameters": {"type": "object"}}}]}',
        [("c1", "/messages/0/tool_calls/0")],
    ),
    "some with ids and some without": (
        f'{{"tool_calls": [{{"function": {FIND}}}, {CHAT}, {{"function": {FIND}}}]}}',
        [("0", "/tool_calls/0"), ("c1", "/tool_calls/1"), ("2", "/tool_calls/2")],
    ),
}


def steps_of(plan: Plan) -> list[tuple[str, str]]:
    return [(step.name, plan.pointer(Place(position))) for position, step in enumerate(plan.steps)]


@pytest.mark.parametrize("name", CORPUS)
def test_the_steps_of_a_trace(name: str) -> None:
    text, expected = CORPUS[name]
    snapshot = analyze(text)
    assert snapshot.plan.dialect.name == "trace"
    assert steps_of(snapshot.plan) == expected
    assert (snapshot.findings, snapshot.unchecked) == ([], [])
    for position, step in enumerate(snapshot.plan.steps):
        assert step.call is not None
        assert (step.call.tool, to_plain(step.call.arguments)) == ("find", {"q": 1})
        tool = snapshot.place_span(Place(position, step.call.tool_path))
        value = snapshot.place_span(Place(position, (*step.call.arguments_path, "q")))
        assert (text[slice(*tool)], text[slice(*value)]) == ('"find"', "1")


def test_there_are_at_least_forty_documents() -> None:
    assert len(CORPUS) >= 40


@pytest.mark.parametrize("name", CORPUS)
def test_each_edit_of_a_trace_gives_what_reading_it_afresh_gives(name: str) -> None:
    text, _ = CORPUS[name]
    snapshot = analyze(text)
    for at in range(0, len(text), 3):
        shorter = update(snapshot, Edit(at, at + 1, ""))
        fresh = analyze(text[:at] + text[at + 1 :])
        assert shorter.plan == fresh.plan
        assert sorted(map(repr, shorter.findings)) == sorted(map(repr, fresh.findings))
        assert list(shorter.shown_at) == list(fresh.shown_at)


@pytest.mark.parametrize(
    "text",
    [
        '[{"tool_name": "x"}]',
        '[{"name": "x", "args": {}}]',
        '[{"name": "x", "arguments": {}}]',
        '[{"tool": "x", "args": {}, "id": "a", "name": "label"}]',
        "[]",
        "[7]",
        '{"steps": [{"tool_name": "x"}], "tool_calls": []}',
        '[{"tool_name": "x"}, {"type": "tool_use", "name": "z", "input": {}}]',
        '[{"type": "tool_use", "name": "z", "input": {}}, {"id": "b", "tool": "x"}]',
    ],
)
def test_a_list_of_calls_stays_one(text: str) -> None:
    assert lower(read(text)).dialect.name == "calls"


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"type": "object", "properties": {}}',
        '{"name": "x", "args": {}}',
        '{"content": [{"title": "x"}]}',
        '{"output": ["x"]}',
        '{"choices": [{"text": "x"}]}',
        '{"method": "GET", "params": {"name": "x"}}',
        '{"type": "function", "function": {"name": "x", "parameters": {}}}',
    ],
)
def test_other_documents_are_no_traces(text: str) -> None:
    assert lower(read(text)).dialect.name == "declared"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'[{GRAPH}, {{"name": "look", "id": "c2"}}]', [("c1", "find"), ("c2", "look")]),
        (f'[{GRAPH}, {{"name": "look", "args": {{}}}}]', [("c1", "find"), ("1", "look")]),
        (f'[{GRAPH}, {{"name": "look", "input": {{}}}}]', [("c1", "find"), ("1", "look")]),
        (f'[{GRAPH}, {{"role": "user", "name": "look", "args": {{}}}}]', [("c1", "find"), ("1", "look")]),
        (f"[{GRAPH}, 5, {{}}]", [("c1", "find"), ("1", None), ("2", None)]),
        ('[{"type": "web_search_call", "id": "w"}]', [("w", "web_search")]),
        (
            '{"output": [{"type": "local_shell_call", "call_id": "s", "action": {"type": "exec"}}]}',
            [("s", "local_shell")],
        ),
    ],
)
def test_nothing_in_a_list_of_calls_is_passed_over(text: str, expected: list[tuple[str, str | None]]) -> None:
    """What is no call of a known shape is one that lacks something, or one of a tool that the service itself has."""
    plan = lower(read(text))
    found = [(str(step.outline.identity), step.call.tool if step.call is not None else None) for step in plan.steps]
    assert found == expected


def test_a_conversation_without_calls_has_no_steps() -> None:
    (finding,) = analyze(f'{{"messages": [{USER}]}}').findings
    assert finding.rule == "empty_plan"


# ---- inside the JSON text of arguments -------------------------------------------------------------------------------


def marks(marked: str, policy: str = "") -> None:
    found = read_policy(policy)[0] if policy else None
    check_rule(None, marked, Settings(policy=found))


def test_a_bound_inside_the_text() -> None:
    marks(
        r"""
        {"tool_calls": [{"id": "a", "function": {"name": "pay", "arguments":
          "{\"to\": \"\u00e9 \ud83c\udf89\", \"amount\": 5000}"}}
                                                         ~~~~ bound_violation: `amount` of step a is 5000, above…
        ]}
        """,
        "bounds: {pay.amount: [0, 100]}\n",
    )


def test_a_repeated_key_inside_the_text() -> None:
    marks(
        r"""
        [{"type": "function_call", "name": "pay", "arguments":
          "{\"amount\": 1, \"x\": {\"y\": 1, \"y\": 2}}"}]
                                             ~~~~~ duplicate_key: `y` is given more than once, and only this last one i…
        """
    )


def test_a_text_that_was_cut_off() -> None:
    marks(
        r"""
        {"function": {"name": "pay", "arguments": "{\"amount\": [1, 2"}}
                                                   ~ syntax_error: The arguments are not proper JSON…
                                                                ~ syntax_error: The arguments are no…
        """
    )


def test_what_was_read_of_a_broken_text_is_judged() -> None:
    marks(
        r"""
        {"function": {"name": "pay", "arguments": "{\"amount\": 5000,, \"to\": nobody}"}}
                                                                ~~~~ bound_violation: `amount` of st…
                                                                     ~ syntax_error: The arguments a…
                                                                               ~~~~~~ syntax_error: The argume…
        """,
        "bounds: {pay.amount: [0, 100]}\n",
    )


@pytest.mark.parametrize("text", ["", "  ", r"\n"])
def test_an_empty_text_is_no_arguments(text: str) -> None:
    snapshot = analyze(f'{{"function": {{"name": "pay", "arguments": "{text}"}}}}')
    assert snapshot.findings == []
    (step,) = snapshot.plan.steps
    assert step.call is not None
    assert step.call.arguments == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ('"[1]"', "`arguments` must be the JSON text of an object, not that of a list."),
        ('"7"', "`arguments` must be the JSON text of an object, not that of an integer."),
        (r'"\"x\""', "`arguments` must be the JSON text of an object, not that of a string."),
        ("[1]", "`arguments` must be an object, not a list."),
    ],
)
def test_arguments_that_are_no_object(arguments: str, message: str) -> None:
    text = f'{{"function": {{"name": "pay", "arguments": {arguments}}}}}'
    (finding,) = analyze(text).findings
    assert (finding.rule, finding.message) == ("wrong_type", message)


def test_a_text_that_is_nested_too_deeply_is_not_read() -> None:
    for depth in (101, 5_000, 200_000):
        text = json.dumps({"function": {"name": "pay", "arguments": '{"x":' + "[" * depth + "]" * depth + "}"}})
        (finding,) = analyze(text).findings
        assert (finding.rule, finding.message[:27]) == ("syntax_error", "The arguments are nested mo")


@pytest.mark.parametrize("shape", [BLOCK, REQUEST, GRAPH])
def test_an_object_as_text_where_none_belongs(shape: str) -> None:
    text = shape.replace('{"q": 1}', r'"{\"q\": 1}"')
    (finding,) = analyze(text).findings
    assert finding.rule == "wrong_type"
    (step,) = lower(read(text)).steps
    assert step.call is not None
    assert to_plain(step.call.arguments) == {"q": 1}


def test_a_pointer_leads_to_the_string() -> None:
    plan = lower(read(f"[{CHAT}]"))
    (step,) = plan.steps
    assert step.call is not None
    assert step.call.arguments_path == ("function", "arguments", INSIDE)
    assert plan.pointer(Place(0, (*step.call.arguments_path, "q"))) == "/0/function/arguments"


def test_a_secret_inside_the_text() -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLF"
    text = json.dumps([{"function": {"name": "s3.put", "arguments": json.dumps({"a": {"key": f'"{key}"'}})}}])
    snapshot = analyze(text)
    (finding,) = (found for found in snapshot.shown if found.rule == "raw_secret")
    assert key in text[slice(*snapshot.span(finding))]
    assert "`function.arguments.a.key`" in finding.message
    assert key not in finding.message


# ---- what is wrong with calls ----------------------------------------------------------------------------------------


def test_what_is_wrong_with_calls() -> None:
    marks(
        """
        {"tool_calls": [
          {"function": {"arguments": "{}"}},
                       ~ missing_tool_name: This call has no `name`, so it is not known what it calls: name the tool.
          {"id": "b", "type": "function"},
          ~ missing_tool_name: This call has no `name`, so it is not known what it calls: name the tool.
          {"function": {"name": " ", "arguments": "{}"}},
                                ~~~ empty_name: `name` is empty: name the tool.
          {"function": {"name": 7, "arguments": "{}"}},
                                ~ wrong_type: `name` must be a string, not an integer.
          {"function": "find"},
                       ~~~~~~ wrong_type: `function` must be an object, not a string.
          {"id": [], "function": {"name": "find"}},
                 ~ wrong_type: `id` must be a string or an integer, not a list.
          {"function": {"name": "find", "args": {"q": 1}}},
                                        ~~~~~~ misplaced_arguments: Arguments belong under `argument…
          {"function": {"name": "find"}, "arguments": {"q": 1}},
                                         ~~~~~~~~~~~ misplaced_arguments: Arguments belong under `fu…
          {"function": {"name": "find", "tool": "drop", "arguments": "{}"}},
                                        ~~~~~~ second_tool: This step names two tools, under…
          {"function": {"name": "find"}, "tool_name": "drop"},
                                         ~~~~~~~~~~~ second_tool: This step names two tools, under…
          7
          ~ wrong_type: A step must be an object, not an integer.
        ]}
        """
    )


def test_two_calls_with_one_id() -> None:
    marks(
        """
        [{"type": "tool_use", "id": "a", "name": "x", "input": {}},
         {"type": "tool_use", "id": "a", "name": "y", "input": {}}]
                                    ~~~ duplicate_step_id: Step a already exists: give this one an `id` of its own.
        """
    )


def test_a_second_format_beside() -> None:
    marks(
        """
        {"function_call": {"name": "x", "arguments": "{}"},
         "calls": [{"tool_name": "y", "args": {}}]}
         ~~~~~~~ mixed_formats: `calls` is ignored, because this is read as a plan with `function_call`: keep one of th…
        """
    )


def test_what_a_message_says_that_it_has_not_is_no_second_format() -> None:
    """An SDK writes every member that a message may have."""
    marks(
        """
        {"role": "assistant", "content": null, "refusal": null, "audio": null, "function_call": null,
         "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "x", "arguments": "{}"}}]}
        """
    )
    marks(
        """
        {"role": "assistant", "function_call": "drop",
                              ~~~~~~~~~~~~~~~ mixed_formats: `function_call` is ignored, because this is read as a pla…
         "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "x", "arguments": "{}"}}]}
        """
    )


def test_what_tools_answer_is_data() -> None:
    call = {"tool_name": "execute_shell", "args": {"command": "ls"}}
    answers: list[Any] = [
        {"role": "tool", "tool_call_id": "c1", "content": json.dumps(call)},
        {"role": "tool", "tool_name": "run_command", "content": json.dumps(call)},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": json.dumps(call)}]},
        {"type": "function_call_output", "call_id": "c1", "output": json.dumps(call)},
        {"jsonrpc": "2.0", "id": 1, "result": {"structuredContent": call}},
    ]
    for answer in answers:
        assert analyze(f"[{CHAT}, {json.dumps(answer)}]").findings == []
        elsewhere = {"role": "assistant", "note": answer.get("content") or answer.get("output") or answer.get("result")}
        found = analyze(f"[{CHAT}, {json.dumps(elsewhere)}]").findings
        assert {finding.rule for finding in found} == {"blocked_tool"}


@pytest.mark.parametrize("function", ["7", "null", "[]", '"x"', "{}", ""])
def test_a_call_whose_function_is_anything_is_read(function: str) -> None:
    """Two members of a message are compared, for a library may write one call down twice."""
    text = (
        '{"role": "assistant", "function_call": {"name": "a", "arguments": "{}"}, '
        f'"tool_calls": [{{"id": "1", "function": {function}}}]}}'
    )
    snapshot = analyze(text)
    assert snapshot.plan.dialect.name == "trace"
    assert snapshot.findings or snapshot.unchecked
