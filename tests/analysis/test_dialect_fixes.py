"""The fixes that only plans of steps and of calls have: each is offered, and applied it puts the finding right."""

from __future__ import annotations

import pytest

from plancheck.analysis.engine import analyze
from plancheck.analysis.fix.offer import fix_edits, offered
from plancheck.text import apply_edits


def outcomes(text: str, rule: str) -> dict[str, tuple[bool, str]]:
    """What applying each fix of the first finding of a rule gives, by title, with its grade."""
    snapshot = analyze(text)
    finding = next(finding for finding in snapshot.shown if finding.rule == rule)
    found = {}
    for fix in offered(snapshot, finding):
        after = apply_edits(text, fix_edits(snapshot, fix))
        left = [other.rule for other in analyze(after).findings].count(rule)
        assert left < [other.rule for other in snapshot.findings].count(rule)
        found[fix.title] = (fix.safe, after)
    return found


def steps(*lines: str) -> str:
    return '{"goal": "x", "steps": [\n  ' + ",\n  ".join(lines) + "\n]}\n"


FETCH = '{"id": "fetch", "tool": "t"}'


@pytest.mark.parametrize("depends_on", [', "depends_on": []', ', "depends_on": ["ask"]'])
def test_declare_the_dependency_that_a_reference_implies(depends_on: str) -> None:
    pay = '{"id": "pay", "tool": "t", "args": {"x": "{{fetch.result}}"}%s}'
    ask = '{"id": "ask", "tool": "t", "depends_on": []}'
    expected = depends_on.replace("[]", '["fetch"]').replace('"ask"', '"ask", "fetch"')
    assert outcomes(steps(FETCH, ask, pay % depends_on), "undeclared_dependency") == {
        "Let step pay wait for step fetch": (True, steps(FETCH, ask, pay % expected))
    }


def test_name_the_nearest_step_inside_a_string() -> None:
    pay = r'{"id": "pay", "tool": "t", "args": {"x": ["\u0041\n", {"y": "\"é\" ${{ %s.result.z }}"}]}}'
    assert outcomes(steps(FETCH, pay % "Fetch"), "unknown_step") == {
        "Name step fetch instead": (False, steps(FETCH, pay % "fetch"))
    }


def test_name_the_step_wherever_the_missing_one_is_named() -> None:
    pay = '{"id": "pay", "tool": "t", "depends_on": ["%s"], "args": {"x": "{{%s.result}} ${%s.result.n}"}}'
    assert outcomes(steps(FETCH, pay % (("fetsh",) * 3)), "unknown_step") == {
        "Name step fetch instead": (False, steps(FETCH, pay % (("fetch",) * 3)))
    }


def test_name_the_nearest_step_although_it_comes_later() -> None:
    pay = '{"id": "pay", "tool": "t", "depends_on": ["%s"]}'
    fetch = '{"id": "fetch", "tool": "t", "depends_on": []}'
    found = outcomes(steps(pay % "fetsh", fetch), "unknown_step")
    assert found["Name step fetch instead"] == (False, steps(pay % "fetch", fetch))


def test_rename_a_duplicate_with_what_refers_to_it() -> None:
    pay = '{"id": "pay", "tool": "t", "args": {"x": "{{%s.result}}"}, "depends_on": ["%s"]}'
    double = '{"id": "fetch_2", "tool": "t"}'
    assert outcomes(steps(FETCH, FETCH, pay % ("fetch", "fetch")), "duplicate_step_id") == {
        "Make this step fetch_2, and what refers to it below": (
            False,
            steps(FETCH, double, pay % ("fetch_2", "fetch_2")),
        ),
        "Make this step fetch_2, and leave the references with the first one": (
            False,
            steps(FETCH, double, pay % ("fetch", "fetch")),
        ),
    }
    assert outcomes(steps(FETCH, FETCH), "duplicate_step_id") == {
        "Make this step fetch_2": (True, steps(FETCH, double))
    }


def test_break_a_circle_at_any_step_that_only_waits() -> None:
    a = '{"id": "a", "tool": "t", "depends_on": [%s]}'
    b = '{"id": "b", "tool": "t", "args": {"x": "{{a.result}}"}, "depends_on": ["a"]}'
    c = '{"id": "c", "tool": "t", "depends_on": [%s]}'
    assert outcomes(steps(a % '"c"', b, c % '"b"'), "loop_detected") == {
        "Let `a` no longer wait for `c`": (False, steps(a % "", b, c % '"b"')),
        "Let `c` no longer wait for `b`": (False, steps(a % '"c"', b, c % "")),
    }


def test_break_a_circle_that_the_order_of_the_list_closes() -> None:
    a = '{"id": "a", "tool": "t", "args": {"x": "{{b.result}}"}}'
    b = '{"id": "b", "tool": "t"%s}'
    assert outcomes(steps(a, b % ""), "loop_detected") == {
        "Let `b` no longer wait for `a`": (False, steps(a, b % ', "depends_on": []'))
    }


def test_a_circle_of_references_alone_cannot_be_broken_for_the_author() -> None:
    both = [
        f'{{"id": "{i}", "tool": "t", "args": {{"x": "{{{{{j}.result}}}}"}}, "depends_on": []}}'
        for i, j in ("ab", "ba")
    ]
    assert outcomes(steps(*both), "loop_detected") == {}


def test_the_tool_under_the_key_of_the_other_format() -> None:
    calls = '[\n  {"tool_name": "a"},\n  {"args": {}, "%s": "b"}\n]\n'
    for wrong in ("tool", "toolName"):
        expected = {f"Rename `{wrong}` to `tool_name`": (False, calls % "tool_name")}
        assert outcomes(calls % wrong, "missing_tool_name") == expected
    two = '{"id": "b", "%s": "t"}'
    assert outcomes(steps(FETCH, FETCH.replace("fetch", "a"), two % "tool_name"), "missing_key") == {
        "Rename `tool_name` to `tool`": (False, steps(FETCH, FETCH.replace("fetch", "a"), two % "tool"))
    }


def test_a_step_without_an_id_gets_one() -> None:
    assert outcomes(steps(FETCH, '{"tool": "t"}'), "missing_key") == {
        "Make this step step1": (True, steps(FETCH, '{"id": "step1", "tool": "t"}'))
    }


@pytest.mark.parametrize("key", ["needs", "after", "requires", "dependencies", "predecessors", "control_preds"])
def test_order_under_another_name_gets_its_own(key: str) -> None:
    pay = '{"id": "pay", "tool": "t", "%s": ["fetch"]}'
    assert outcomes(steps(FETCH, pay % key), "unknown_key") == {
        f"Rename `{key}` to `depends_on`": (False, steps(FETCH, pay % "depends_on"))
    }
    assert [finding.severity.word for finding in analyze(steps(FETCH, pay % key)).findings] == ["error"]


@pytest.mark.parametrize("key", ["needs", "after", "requires", "dependencies", "predecessors", "depends_on"])
def test_order_of_nodes_under_another_name_gets_its_own(key: str) -> None:
    first = '{"nodes": [{"idx": 0, "agent": "a", "kind": "decision"}, '
    text = first + '{"idx": 1, "agent": "a", "kind": "decision", "%s": [0]}]}'
    assert outcomes(text % key, "unknown_key") == {
        f"Rename `{key}` to `control_preds`": (False, text % "control_preds")
    }
    assert [finding.severity.word for finding in analyze(text % key).findings] == ["error"]


@pytest.mark.parametrize(
    ("before", "title", "after"),
    [
        ('"params": {"b": 2}', "Rename it to `args`", '"args": {"b": 2}'),
        ('"args": {"a": 1}, "params": {"b": 2, "c": 3}', "Move it into `args`", '"args": {"a": 1, "b": 2, "c": 3}'),
        ('"input": {"b": 2}, "args": {"a": 1}', "Move it into `args`", '"args": {"a": 1, "b": 2}'),
        ('"args": {}, "kwargs": {"b": 2}', "Move it into `args`", '"args": {"b": 2}'),
        ('"args": null, "kwargs": {"b": 2}', "Move it into `args`", '"args": {"b": 2}'),
    ],
)
def test_arguments_are_put_where_they_belong(before: str, title: str, after: str) -> None:
    call = '[{"tool_name": "t", %s}]'
    assert outcomes(call % before, "misplaced_arguments") == {title: (False, call % after)}


@pytest.mark.parametrize("before", ['"args": {"a": 1}, "params": {"a": 2}', '"args": {"a": 1}, "params": [2]'])
def test_arguments_that_are_given_twice_are_left_to_the_author(before: str) -> None:
    assert outcomes(f'[{{"tool_name": "t", {before}}}]', "misplaced_arguments") == {}


def test_calls_are_not_moved_while_one_is_named_by_its_position() -> None:
    later = '[{"tool_name": "a", "args": {"x": "{{%s.result}}"}}, {"id": "b", "tool_name": "t"}]'
    assert outcomes(later % "1", "step_not_before") == {}
    assert set(outcomes(later % "b", "step_not_before")) == {"Move step 0 after step 1"}
