"""Each branch of `bad_reference`: what is meant as a reference and is none, and the many texts that are not."""

from __future__ import annotations

import json
from time import process_time
from typing import Any

import pytest

from analysis.marks import check_rule
from plancheck.analysis.engine import analyze
from plancheck.analysis.fix.offer import fix_edits, offered
from plancheck.text import apply_edits


def plan_of_steps(value: Any, ids: tuple[str, ...] = ("s0", "s1"), **beside: Any) -> str:
    steps = [{"id": name, "tool": "look"} for name in ids]
    return json.dumps({"goal": "x", **beside, "steps": [*steps, {"id": "last", "tool": "tell", "args": {"x": value}}]})


def plan_of_calls(*values: Any) -> str:
    return json.dumps([{"tool_name": "look", "args": {"x": value}} for value in values])


def last_value(text: str) -> Any:
    document = json.loads(text)
    steps = document["steps"] if isinstance(document, dict) else document
    return steps[-1]["args"]["x"]


def fixed(text: str) -> str:
    """The text after the only fix of the only finding, which leaves no finding at all."""
    snapshot = analyze(text)
    assert [finding.rule for finding in snapshot.findings] == ["bad_reference"]
    (fix,) = offered(snapshot, snapshot.findings[0])
    assert not fix.safe
    after = apply_edits(text, fix_edits(snapshot, fix))
    assert analyze(after).findings == []
    return after


BAD = [
    ("{{s0}}", "{{s0.result}}"),
    ("{{ s0 }}", "{{ s0.result }}"),
    ("{{s0.output}}", "{{s0.result}}"),
    ("{{s0.output.total}}", "{{s0.result.total}}"),
    ("{{s0.total}}", "{{s0.result.total}}"),
    ("{{s0.results[0].id}}", "{{s0.result[0].id}}"),
    ("{{s0['result'].id}}", "{{s0.result.id}}"),
    ("so: {{s0.output | upper}}!", "so: {{s0.result | upper}}!"),
    ("{{steps.s0.result}}", "{{s0.result}}"),
    ("{{steps.s0.result.id}}", "{{s0.result.id}}"),
    ("{{steps.s0.output}}", "{{s0.result}}"),
    ("{{steps['s0'].result}}", "{{s0.result}}"),
    ("{{steps[0].result}}", "{{s0.result}}"),
    ("{{results.s0}}", "{{s0.result}}"),
    ("{{s0.data.result}}", "{{s0.result.data.result}}"),
    ("{{step0.result}}", "{{s0.result}}"),
    ("${{ steps.s0.outputs.id }}", "${{ s0.result.id }}"),
    ("${s0}", "${s0.result}"),
    ("id ${s0}, please", "id ${s0.result}, please"),
    ("${s0.output}", "${s0.result}"),
    ("$s0.result", "{{s0.result}}"),
    ("is $s0.result.id there?", "is {{s0.result.id}} there?"),
    ("$steps.s0.result", "{{s0.result}}"),
    ("$.steps.s0.result", "{{s0.result}}"),
    ("$s0", "{{s0.result}}"),
    ("{s0.result}", "{{s0.result}}"),
    ("is {s0.output.id} there?", "is {{s0.result.id}} there?"),
    ("{s0}", "{{s0.result}}"),
    ("<node-0>", "{{s0.result}}"),
    ("<s1>", "{{s1.result}}"),
    (" <s1.result> ", " {{s1.result}} "),
    ("<step 1>", None),
    ("#E1", "{{s1.result}}"),
    ("$1", "{{s1.result}}"),
]


@pytest.mark.parametrize(("wrong", "right"), [pair for pair in BAD if pair[1] is not None])
def test_what_is_meant_as_a_reference_gets_the_right_form(wrong: str, right: str) -> None:
    assert last_value(fixed(plan_of_steps(wrong))) == right
    assert last_value(fixed(plan_of_steps([{"deep": [wrong]}]))) == [{"deep": [right]}]


SILENT = [
    "It costs $1 or $2, and $s is missing.",
    "SELECT * FROM orders WHERE id = $1 AND state = $2",
    "UPDATE s0 SET total = $1",
    "SELECT s0.result FROM s0",
    "echo $HOME ${HOME} $1 ${1} $@ $s9",
    'for s0 in *; do echo "$s0"; done',
    "awk '{print $1}' file | sed 's/a/{{b}}/'",
    "${HOME}/s0/result",
    "${ENV}",
    "Dear {{name}}, your order {{order.id}} was sent.",
    "{{#if s9}}yes{{/if}}",
    "Hello {{1}}, your code is {{2}}",
    'f"{x} and {y.result} of {total:.2f}"',
    "{0} of {1}",
    "def f(s0):\n    return {s0.total}",
    "const a = `${user.name}`",
    "for (let i = 0; i < s0.length; i++) {}",
    "color: #E1E1E1; background: #e12",
    "#E12345",
    "#E99",
    "#fff",
    "<b>bold</b>",
    "<b>",
    "<node>",
    "<node-0>text</node-0>",
    "<INSERT NAME>",
    "<script>s0.result</script>",
    "^\\$[0-9]+(?:\\.[0-9]{2})?$",
    "(?P<s0>[a-z]+)",
    "s0.result",
    "steps.s0.result",
    "step s0 returned 5",
    "see step 1 and node-0",
    '{"a": {"s0": 1}}',
    "{}",
    "{{}}",
    "${}",
    "$",
    "$$",
    "$9",
    "$1.50",
    "$1,000",
    "$.items[0].name",
    "jsonpath $.s0.items",
    "{{ 'a' + \"b\" }}",
    "{{s00}} {{s0x}} {{S0}} ${s10.output}",
    "\\frac{s0}{2} + \\text{s1}",
    "on:\n  run: echo ${{ steps.s0.outputs.id }}\n",
    "https://example.org/{id}?q=%7Bs0%7D",
    "arn:aws:s3:::bucket/${aws:username}/*",
    "rgb(1, 2, 3) {s9}",
]


@pytest.mark.parametrize("text", SILENT)
def test_other_texts_are_silent(text: str) -> None:
    for plan in (plan_of_steps(text), plan_of_calls("a", "b", text)):
        assert [finding.rule for finding in analyze(plan).findings if finding.rule != "placeholder_left"] == []


def test_proper_references_are_silent() -> None:
    text = "{{ %s.result }} and ${%s.result.id} and ${{%s.result[0]}}"
    assert analyze(plan_of_steps(text.replace("%s", "s0"))).findings == []
    assert analyze(plan_of_calls("a", text.replace("%s", "0"))).findings == []


@pytest.mark.parametrize("name", ["price", "max_amount", "replacement", "params"])
def test_a_dollar_and_a_number_where_that_is_money_or_a_group(name: str) -> None:
    step = {"id": "last", "tool": "tell", "args": {name: "$1"}}
    plan = {"goal": "x", "steps": [{"id": "a", "tool": "look"}, step]}
    assert analyze(json.dumps(plan)).findings == []


def test_only_an_earlier_step_is_meant_by_a_number() -> None:
    assert analyze(plan_of_calls("$1", "x", "y")).findings == []
    assert last_value(fixed(plan_of_calls("x", "y", "$1"))) == "{{0.result}}"
    assert analyze(plan_of_calls("x", "y", "$3")).findings == []


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("{{0}}", "{{0.result}}"),
        ("{{1.output.id}}", "{{1.result.id}}"),
        ("{{steps.0.result}}", "{{0.result}}"),
        ("{{steps[1].result}}", "{{1.result}}"),
        ("{{step_1.result}}", "{{1.result}}"),
        ("{{call0}}", "{{0.result}}"),
        ("<node-0>", "{{0.result}}"),
        ("#E1", "{{0.result}}"),
    ],
)
def test_calls_are_meant_by_their_position(wrong: str, right: str) -> None:
    assert last_value(fixed(plan_of_calls("x", "y", wrong))) == right


def test_a_call_is_meant_by_its_own_id() -> None:
    check_rule(
        None,
        """
        [
          {"id": "find", "tool_name": "crm.find"},
          {"tool_name": "mail.send", "args": {"to": "{{find.output.mail}}", "cc": "{{find.result.cc}}"}}
                                                       ~~~~~~~~~~~~~~~~ bad_reference: `{{find.output.mail}}` is not…
        ]
        """,
    )


def test_the_step_itself_is_named_and_nothing_can_be_offered() -> None:
    snapshot = analyze(plan_of_steps("{{last.output}}"))
    assert [finding.rule for finding in snapshot.findings] == ["bad_reference"]
    assert offered(snapshot, snapshot.findings[0]) == ()


# ---- the context -----------------------------------------------------------------------------------------------------


def test_a_name_that_the_context_does_not_have() -> None:
    check_rule(
        None,
        """
        {"goal": "x", "context": {"region": "EU", "user": {"name": "Ada"}, "any": []}, "steps": [
          {"id": "a", "tool": "t", "args": {"x": "${context.regoin} {{context.user.name}} ${context.any.thing}"}},
                                                    ~~~~~~~~~~~~~~ bad_reference: `context` has no `regoin`, so the t…
          {"id": "b", "tool": "t", "args": {"x": "{{ context.user.mail }} ${context} {{context.region.x}}"}}
                                                     ~~~~~~~~~~~~~~~~~ bad_reference: `context.user` has no `mail`, …
        ]}
        """,
    )


def test_the_nearest_name_of_the_context_is_offered() -> None:
    text = plan_of_steps("${context.regoin}", context={"region": 1})
    assert last_value(fixed(text)) == "${context.region}"


@pytest.mark.parametrize("beside", [{}, {"context": None}])
def test_a_context_that_the_plan_does_not_say(beside: dict[str, Any]) -> None:
    assert analyze(plan_of_steps("${context.region}", **beside)).findings == []


# ---- all references off by one ---------------------------------------------------------------------------------------


def test_calls_that_are_counted_from_one_are_one_finding() -> None:
    text = """
        [
          {"tool_name": "a"},
          {"tool_name": "b", "args": {"x": "{{1.result}}"}},
                                              ~ bad_reference: All 3 references are off by one: `1` should be `0` here…
          {"tool_name": "c", "args": {"x": "${2.result.id} {{1.result}}"}}
                                              ~ -> `2` should be `1` here.
                                                             ~ -> `1` should be `0` here.
        ]
    """
    check_rule(None, text)
    after = fixed(plan_of_calls("", "{{1.result}}", "${2.result.id} {{1.result}}"))
    assert after == plan_of_calls("", "{{0.result}}", "${1.result.id} {{0.result}}")


@pytest.mark.parametrize(
    ("ids", "wrong", "right"),
    [
        (("1", "2", "3"), ("", "2", "3"), ("", "1", "2")),
        (("1", "2", "3"), ("", "0", "1"), ("", "1", "2")),
        (("s1", "s2", "s3"), ("", "s0", "s0"), ("", "s1", "s1")),
        (("s08", "s09", "s10"), ("", "s09", "s10"), ("", "s08", "s09")),
    ],
)
def test_steps_that_are_counted_otherwise(ids: tuple[str, ...], wrong: tuple[str, ...], right: tuple[str, ...]) -> None:
    def plan(names: tuple[str, ...]) -> str:
        steps = [
            {"id": own, "tool": "t", "args": {"x": f"{{{{{name}.result}}}}"} if name else {}}
            for own, name in zip(ids, names, strict=True)
        ]
        return json.dumps({"goal": "x", "steps": steps})

    assert fixed(plan(wrong)) == plan(right)


@pytest.mark.parametrize(
    ("values", "rules"),
    [
        (("", "{{1.result}}", "{{0.result}}"), ["step_not_before"]),  # one is right
        (("", "{{1.result}}"), ["step_not_before"]),  # one alone is merely wrong
        (("", "{{2.result}}", "{{2.result}}"), ["step_not_before", "step_not_before"]),  # one would be its own
        (("", "{{1.result}}", "{{7.result}}"), ["step_not_before", "unknown_step"]),
        (("", "{{0.result}}", "{{1.result}}"), []),
    ],
)
def test_references_that_are_not_all_off_by_one(values: tuple[str, ...], rules: list[str]) -> None:
    assert [finding.rule for finding in analyze(plan_of_calls(*values)).shown] == rules


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "{{s0}}" * 50_000,
        "{" * 300_000,
        "${" * 150_000,
        "$a[" * 100_000,
        "$" + "a." * 150_000,
        "{{" + "s0." * 100 + "}}" * 1_000,
        "{{steps[" * 50_000,
        "<" + "a" * 300_000 + ">",
        "{{" + "a" * 300_000 + "}}",
    ],
)
def test_hostile_texts_take_time_in_proportion(text: str) -> None:
    started = process_time()
    analyze(plan_of_steps(text))
    assert process_time() - started < 10, "about 1 s; whatever is quadratic takes minutes"


def test_a_secret_is_never_repeated() -> None:
    secret = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    for text in (f"{{{{s0.{secret}}}}}", f"{{{{steps.s0.{secret}.result}}}}", f"{{{{s0.output['{secret}']}}}}"):
        assert not any("4eC39" in finding.message for finding in analyze(plan_of_steps(text)).findings)


def test_a_number_of_a_step_that_cannot_be_named_is_an_unknown_step() -> None:
    steps = [{"tool": "look"}, {"id": "last", "tool": "tell", "args": {"x": "{{step0.result}}"}}]
    found = analyze(json.dumps({"goal": "x", "steps": steps})).findings
    assert sorted(finding.rule for finding in found) == ["missing_key", "unknown_step"]
