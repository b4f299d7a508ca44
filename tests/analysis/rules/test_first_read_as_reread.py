"""Each branch of `first_read_as_reread`."""

from __future__ import annotations

import pytest

from analysis.marks import check_rule

RULE = "first_read_as_reread"


def test_a_first_read_that_an_action_relies_on_later() -> None:
    check_rule(
        RULE,
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": [{"id": "q", "volatile": true, "revalidates": true}]},
                                                                         ~~~ first_read_as_reread: Step 0 is the first…
          {"idx": 1, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "decision", "reads": [{"id": "q", "producer": 0}]},
                  ~ -> Step 2 acts on `q`.
          {"idx": 3, "agent": "a", "kind": "tool_call", "reads": [{"id": "q", "producer": 0}, "o"], "writes": ["o"]}
                  ~ -> Step 3 acts on `q`.
        ]}
        """,
    )


@pytest.mark.parametrize(
    "steps",
    [
        '{"kind": "tool_call", "reads": ["q"]}, {"kind": "tool_call", "reads": [{"id": "q", "revalidates": true}]}, '
        '{"kind": "decision", "reads": [{"id": "q", "producer": 1}]}',
        '{"kind": "decision", "reads": [{"id": "q", "volatile": true, "revalidates": true}]}',
        '{"kind": "tool_call", "reads": [{"id": "q", "revalidates": true}]}, '
        '{"kind": "tool_call", "reads": [{"id": "q", "producer": 0}]}',
        '{"kind": "tool_call", "reads": [{"id": "q", "revalidates": true}]}, '
        '{"kind": "decision", "reads": [{"id": "q", "producer": 0}, {"id": "q", "revalidates": true}]}',
        '{"kind": "tool_call", "reads": [7]}, {"kind": "tool_call", "reads": [{"id": "q", "revalidates": true}]}, '
        '{"kind": "decision", "reads": [{"id": "q", "producer": 1}]}',
        '{"kind": "tool_call", "reads": [{"id": "q", "volatile": true}]}, '
        '{"kind": "decision", "reads": [{"id": "q", "producer": 0}]}',
    ],
    ids=[
        "read before",
        "checked by the action itself",
        "no action uses it",
        "the action reads it again",
        "what was read before is not known",
        "not marked",
    ],
)
def test_nothing_to_report(steps: str) -> None:
    first, *parts = steps.split('{"kind"')
    text = first + "".join(f'{{"idx": {i}, "agent": "a", "kind"{part}' for i, part in enumerate(parts))
    check_rule(RULE, f'{{"nodes": [\n{text}\n]}}')
