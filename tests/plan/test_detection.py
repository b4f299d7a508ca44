"""Which dialect a document is taken for, and that it stays so while somebody types."""

from __future__ import annotations

import pytest

from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.plan.lower import lower
from plancheck.syntax.json import read


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ('{"nodes": []}', "declared"),
        ('{"nodes": [], "steps": [{"tool_name": "x"}]}', "declared"),
        ('{"goal": "x", "steps": []}', "steps"),
        ('{"steps": [{"id": "a", "tool": "x"}]}', "steps"),
        ('{"steps": [{}]}', "steps"),
        ('{"steps": 7}', "steps"),
        ('{"goal": "x"', "steps"),
        ("[]", "calls"),
        ('[{"tool": "x"}]', "calls"),
        ("[7]", "calls"),
        ('{"steps": [{"tool_name": "x"}]}', "calls"),
        ('{"steps": [{"id": "a", "tool_name": "x"}]}', "calls"),
        ('{"steps": [{"tool_name": "x"}, {"tool": "y"}]}', "calls"),
        ('{"steps": [{"tool": "x"}, {"tool": "y"}, {"tool_name": "z"}]}', "steps"),
        ('{"event_type": "agent.plan", "steps": [{"tool": "x"}]}', "calls"),
        ('{"event_type": "agent.plan", "steps": []}', "calls"),
        ('{"event_type": "agent.action", "steps": [{"tool": "x"}]}', "steps"),
    ],
)
def test_detection_by_content(text: str, dialect: str) -> None:
    assert lower(read(text)).dialect.name == dialect


@pytest.mark.parametrize(
    ("text", "token"),
    [("{}", "{"), ('"plan"', '"plan"'), ("7", "7")],
)
def test_a_document_that_is_no_plan_is_told_what_was_expected(text: str, token: str) -> None:
    snapshot = analyze(text)
    (finding,) = snapshot.shown
    assert finding.rule == "not_a_plan"
    assert text[slice(*snapshot.span(finding))] == token
    for word in ('"nodes"', '"steps"', "a list of tool calls"):
        assert word in finding.message


@pytest.mark.parametrize(("misspelt", "right"), [("step", "steps"), ("Nodes", "nodes")])
def test_a_misspelt_list_of_steps_is_named(misspelt: str, right: str) -> None:
    text = f'{{"{misspelt}": []}}'
    snapshot = analyze(text)
    (finding,) = snapshot.shown
    assert text[slice(*snapshot.span(finding))] == f'"{misspelt}"'
    assert finding.message == f"This is not a plan, because it has `{misspelt}`: did you mean `{right}`?"


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        (
            "declared",
            '{"steps": []}',
            'A declared plan is expected: an object with a list of steps under "nodes".',
        ),
        ("steps", '{"nodes": []}', 'A plan of steps is expected: an object with a list of steps under "steps"'),
        ("steps", "[]", 'A plan of steps is expected: an object with a list of steps under "steps".'),
        ("calls", "7", 'A plan of calls is expected: a list of tool calls, or an object with one under "steps".'),
    ],
)
def test_the_configuration_can_say_what_it_is(dialect: str, text: str, expected: str) -> None:
    snapshot = analyze(text, Settings(dialect=dialect))
    assert snapshot.plan.dialect.name == dialect
    assert [finding.message.startswith(expected) for finding in snapshot.shown if finding.rule == "not_a_plan"] == [
        True
    ]


def test_a_wrong_guess_can_be_put_right() -> None:
    text = '{"goal": "x", "steps": [{"id": "a", "tool": "x", "tool_name": "x"}]}'
    assert analyze(text).plan.dialect.name == "calls"
    put_right = analyze(text, Settings(dialect="steps"))
    assert put_right.plan.dialect.name == "steps"
    assert [finding.rule for finding in put_right.findings] == ["second_tool"]


PLANS = {
    "declared": """{"nodes": [
  {"idx": 0, "agent": "a", "kind": "tool_call"},
  {"idx": 1, "agent": "a", "kind": "tool_call"}
]}""",
    "steps": """{"goal": "x", "steps": [
  {"id": "a", "tool": "x", "args": {"k": [1, {"l": "m"}]}},
  {"id": "b", "tool": "y", "depends_on": ["a"]}
]}""",
    "calls": """[
  {"tool_name": "x", "args": {"k": [1, {"l": "m"}]}},
  {"tool_name": "y"}
]""",
    "trace": """{"messages": [
  {"role": "assistant", "tool_calls": [{"function": {"name": "x", "arguments": "{\\"k\\": [1]}"}}]},
  {"role": "assistant", "content": [{"type": "tool_use", "name": "y", "input": {"k": 1}}]}
]}""",
}


@pytest.mark.parametrize("dialect", PLANS)
def test_a_document_that_is_typed_does_not_flip(dialect: str) -> None:
    """Typed from its start, it is undecided (declared) at first, and from then on what it will be."""
    text = PLANS[dialect]
    taken = [lower(read(text[:length])).dialect.name for length in range(1, len(text) + 1)]
    changes = [one for one, other in zip(taken, [None, *taken], strict=False) if one != other]
    assert changes in ([dialect], ["declared", dialect])


@pytest.mark.parametrize("dialect", PLANS)
@pytest.mark.parametrize("new", ["", ' "', '{"tool": "', "{", "]"])
def test_one_more_step_being_typed_changes_nothing(dialect: str, new: str) -> None:
    text = PLANS[dialect]
    at = text.rindex("\n")
    assert lower(read(f"{text[:at]},\n  {new}{text[at:]}")).dialect.name == dialect


@pytest.mark.parametrize("dialect", PLANS)
def test_a_damaged_character_inside_the_steps_changes_nothing(dialect: str) -> None:
    text = PLANS[dialect]
    for at in range(text.index("[") + 1, len(text)):
        assert lower(read(text[:at] + text[at + 1 :])).dialect.name == dialect, text[:at] + "‸" + text[at + 1 :]
