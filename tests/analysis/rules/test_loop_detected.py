"""Each branch of `loop_detected`."""

from __future__ import annotations

import pytest

from analysis.marks import check_rule
from plancheck.analysis.engine import analyze


def test_two_steps_that_wait_for_each_other() -> None:
    check_rule(
        None,
        """
        {"goal": "x", "steps": [
          {"id": "a", "tool": "t", "depends_on": ["b"]},
                                                  ~~~ loop_detected: `a` can never start, because it waits for `b`, whi…
          {"id": "b", "tool": "t", "depends_on": ["a"]}
                 ~~~ -> Step b is part of the cycle.
        ]}
        """,
    )


def test_a_step_that_waits_for_itself() -> None:
    check_rule(
        None,
        """
        {"goal": "x", "steps": [
          {"id": "a", "tool": "t", "depends_on": ["a"]},
                                                  ~~~ loop_detected: `a` can never start, because it waits for itself: …
          {"id": "b", "tool": "t", "args": {"x": "1 {{b.result.y}}"}}
                                                      ~ loop_detected: `b` can never start, because it needs the result…
        ]}
        """,
    )


def test_a_circle_of_dependencies_and_references() -> None:
    check_rule(
        "loop_detected",
        """
        {"goal": "x", "steps": [
          {"id": "a", "tool": "t", "args": {"x": ["so ${{c.result.y}}"]}, "depends_on": []},
                                                         ~ loop_detected: `a` can never start, because it needs the res…
          {"id": "b", "tool": "t", "args": {"x": "{{a.result}}"}, "depends_on": []},
                 ~~~ -> Step b is part of the cycle.
          {"id": "c", "tool": "t", "depends_on": ["b"]}
                 ~~~ -> Step c is part of the cycle.
        ]}
        """,
    )


def test_a_later_step_that_comes_after_by_default() -> None:
    check_rule(
        None,
        """
        {"goal": "x", "steps": [
          {"id": "a", "tool": "t", "args": {"x": "{{c.result}}"}},
                                                    ~ loop_detected: `a` can never start, because it needs the result o…
          {"id": "b", "tool": "t"},
          {"id": "c", "tool": "t"}
        ]}
        """,
    )


def test_a_dependency_that_is_written_twice_is_one() -> None:
    check_rule(
        "loop_detected",
        """
        {"goal": "x", "steps": [
          {"id": "a", "tool": "t", "args": {"x": "{{b.result}} {{b.result.y}}"}, "depends_on": ["b"]},
                                                    ~ -> The same dependency again.
                                                                 ~ -> The same dependency again.
                                                                                                ~~~ loop_detected: `a`…
          {"id": "b", "tool": "t", "depends_on": ["a"]}
                 ~~~ -> Step b is part of the cycle.
        ]}
        """,
    )


def test_two_circles_are_two_findings() -> None:
    check_rule(
        "loop_detected",
        """
        {"goal": "x", "steps": [
          {"id": "a", "tool": "t", "depends_on": ["b", "c"]},
                                                  ~~~ loop_detected: `a` can never start, because it waits for `b`, whi…
                                                       ~~~ loop_detected: `a` can never start, because it waits for `c`…
          {"id": "b", "tool": "t", "depends_on": ["a"]},
          {"id": "c", "tool": "t", "depends_on": ["a"]}
        ]}
        """,
    )


@pytest.mark.parametrize(
    "steps",
    [
        '{"id": "a", "tool": "t"}, {"id": "b", "tool": "t", "depends_on": ["a"]}, '
        '{"id": "c", "tool": "t", "depends_on": ["a"]}, {"id": "d", "tool": "t", "depends_on": ["b", "c"]}',
        '{"id": "d", "tool": "t", "depends_on": ["b", "c"]}, {"id": "c", "tool": "t", "depends_on": ["a"]}, '
        '{"id": "b", "tool": "t", "depends_on": ["a"]}, {"id": "a", "tool": "t", "depends_on": []}',
        '{"id": "step1", "tool": "t", "args": {"x": "step1.result {{step10.result}}"}, "depends_on": ["step10"]}, '
        '{"id": "step10", "tool": "t", "depends_on": []}',
        '{"id": "a", "tool": "t", "depends_on": ["nobody"]}, {"id": "a", "tool": "t", "depends_on": ["a"]}',
    ],
    ids=["fan-in", "fan-in in reverse", "names in names", "a double that names the first"],
)
def test_no_circle(steps: str) -> None:
    rules = [finding.rule for finding in analyze(f'{{"goal": "x", "steps": [{steps}]}}').findings]
    assert "loop_detected" not in rules


def test_of_a_long_circle_some_are_named() -> None:
    steps = ", ".join(f'{{"id": "s{i}", "tool": "t", "depends_on": ["s{(i - 1) % 30}"]}}' for i in range(30))
    (finding,) = analyze(f'{{"goal": "x", "steps": [{steps}]}}').findings
    assert finding.message == (
        "`s0` can never start, because it waits for `s29`, which waits for `s28`, which waits for `s27`, which waits "
        "for `s26`, which waits for `s25`, which waits for `s24`, which waits for `s23`, which waits for `s22`, which "
        "waits for `s21`, … and so on, until one waits for `s0`: remove one dependency."
    )
    assert len(finding.related) == 8


def test_of_very_many_circles_the_rest_is_said_in_short() -> None:
    size = 150
    late = ", ".join(f'"s{i}"' for i in range(1, size))
    steps = [f'{{"id": "s0", "tool": "t", "depends_on": [{late}]}}']
    steps += (f'{{"id": "s{i}", "tool": "t", "depends_on": ["s0"]}}' for i in range(1, size))
    findings = analyze('{"goal": "x", "steps": [' + ", ".join(steps) + "]}").findings
    assert len(findings) == size - 1
    assert sum("through others" in finding.message for finding in findings) == size - 1 - 100


def test_what_is_said() -> None:
    text = """
        {"goal": "x", "steps": [
          {"id": "a", "tool": "t", "args": {"x": "{{c.result}} {{b.result}} {{a.result}}"}, "depends_on": []},
          {"id": "b", "tool": "t", "args": {"x": "{{a.result}}"}, "depends_on": ["b"]},
          {"id": "c", "tool": "t"}
        ]}
    """
    assert [finding.message for finding in analyze(text).shown if finding.rule == "loop_detected"] == [
        "`a` can never start, because it needs the result of `c`, which comes after `b`, which needs the result of "
        "`a`: remove one dependency.",
        "`a` can never start, because it needs the result of `b`, which needs the result of `a`: remove one "
        "dependency.",
        "`a` can never start, because it needs the result of itself: remove this dependency.",
        "`b` can never start, because it waits for itself: remove this dependency.",
    ]
