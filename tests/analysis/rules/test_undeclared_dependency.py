"""Each branch of `undeclared_dependency`."""

from __future__ import annotations

import pytest

from analysis.marks import check_rule
from plancheck.analysis.engine import analyze


def test_a_reference_that_nobody_waits_for() -> None:
    check_rule(
        None,
        """
        {"goal": "x", "steps": [
          {"id": "a", "tool": "t"},
                 ~~~ -> Step a is here.
          {"id": "b", "tool": "t", "depends_on": [],
           "args": {"x": "é {{ a.result.y }}", "z": ["${a.result}"]}}
                               ~ undeclared_dependency: Step b uses the result of `a` and does not wait for it: add `a…
        ]}
        """,
    )


def test_a_reference_to_a_later_step_that_can_run_before() -> None:
    check_rule(
        None,
        """
        {"goal": "x", "steps": [
          {"id": "a", "tool": "t", "args": {"x": "{{b.result}}"}, "depends_on": []},
                                                    ~ undeclared_dependency: Step a uses the result of `b`…
          {"id": "b", "tool": "t", "depends_on": []}
        ]}
        """,
    )


@pytest.mark.parametrize(
    "steps",
    [
        '{"id": "a", "tool": "t"}, {"id": "b", "tool": "t", "args": {"x": "{{a.result}}"}}',
        '{"id": "a", "tool": "t"}, {"id": "b", "tool": "t"}, {"id": "c", "tool": "t", "args": {"x": "{{a.result}}"}}',
        '{"id": "a", "tool": "t"}, {"id": "b", "tool": "t", "args": {"x": "{{a.result}}"}, "depends_on": ["a"]}',
        '{"id": "b", "tool": "t", "args": {"x": "{{a.result}}"}, "depends_on": ["a"]}, '
        '{"id": "a", "tool": "t", "depends_on": []}',
        '{"id": "a", "tool": "t"}, {"id": "b", "tool": "t", "depends_on": ["a"]}, '
        '{"id": "c", "tool": "t", "args": {"x": "{{a.result}}"}, "depends_on": ["b"]}',
    ],
    ids=["by default", "by default, further up", "declared", "declared, later in the list", "through another"],
)
def test_a_step_that_waits(steps: str) -> None:
    assert analyze(f'{{"goal": "x", "steps": [{steps}]}}').findings == []


def test_nothing_is_concluded_from_dependencies_that_could_not_be_made_out() -> None:
    for broken in ('"a"', '["nobody"]', "[7]"):
        text = (
            '{"goal": "x", "steps": [{"id": "a", "tool": "t"}, '
            f'{{"id": "b", "tool": "t", "args": {{"x": "{{{{a.result}}}}"}}, "depends_on": {broken}}}]}}'
        )
        assert "undeclared_dependency" not in [finding.rule for finding in analyze(text).findings]
