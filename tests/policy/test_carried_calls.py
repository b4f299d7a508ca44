"""Calls that a plan carries, at their tokens: inside arguments, in texts, and beside the steps."""

from __future__ import annotations

from analysis.marks import check_rule
from plancheck.analysis.settings import Settings
from plancheck.policy.reading import read_policy


def under(text: str) -> Settings:
    found = read_policy(text)
    assert found.problems == ()
    return Settings(policy=found.policy)


def test_tools_that_are_not_allowed() -> None:
    check_rule(
        None,
        """
        [
          {"tool_name": "queue.add", "args": {"job": {"name": "files.remove", "arguments": {"path": "/"}}}},
                                                              ~~~~~~~~~~~~~~ tool_deny: Step 0 calls `files.remove`, w…
          {"tool_name": "queue.add", "args": {"job": {"tool": "files.remove", "path": "/"}}},
                                                              ~~~~~~~~~~~~~~ tool_deny: not checked (not_understood): …
          {"tool_name": "queue.add", "args": {"job": "{'tool': 'files.remove'}"}},
                                                     ~~~~~~~~~~~~~~~~~~~~~~~~~~ tool_deny: not checked (not_understood)…
          {"tool_name": "queue.add", "args": {"job": {"method": "tools/call", "params":
            {"name": "files.remove"}}}},
                     ~~~~~~~~~~~~~~ tool_deny: Step 3 calls `files.remove`, which the policy does not allow: allowed…
          {"tool_name": "queue.add", "args": {"job": {"name": "web", "args": ["--port", "80"]}}}
        ]
        """,
        under("allow_tools: [queue.add]"),
    )


def test_what_a_plan_may_do_as_a_whole() -> None:
    check_rule(
        None,
        """
        {"event_type": "agent.plan", "context": {
          "then": {"tool": "pay"},
                           ~~~~~ missing_verification: not checked (not_understood): `pay` may be called beside the st…
                           ~~~~~ wrong_first_step: not checked (not_understood): `pay` beside the steps may run first, …
          "later": {"tool_name": "pay"}
                                 ~~~~~ missing_verification: `pay` is called beside the steps, so without `verify` befo…
                                 ~~~~~ wrong_first_step: not checked (not_understood): `pay` beside the steps may run f…
                                 ~~~~~ too_many_uses: not checked (not_understood): This plan may use `pay` 3 times, an…
        }, "steps": [
          {"tool_name": "queue.add", "args": {"job": {"name": "pay", "input": {}}}}
                        ~~~~~~~~~~~ missing_verification: not checked (not_understood): Step 0 may call `pay` without `…
                        ~~~~~~~~~~~ wrong_first_step: not checked (not_understood): Step 0 may call `pay` first, which …
        ]}
        """,
        under("""
            gate:
              at_most: [{tools: [pay], count: 2}]
              not_first: [pay]
              required: [{tools: [verify], before: [pay]}]
        """),
    )


def test_numbers_wherever_a_runner_may_look() -> None:
    check_rule(
        None,
        """
        [
          {"tool_name": "pay", "args": {"amount": 5, "kwargs": {"amount": 50}}},
                                                                          ~~ bound_violation: `amount` of step 0 is 50…
          {"tool_name": "pay", "args": {"kwargs": "{\\"amount\\": 50}"}},
                                                  ~~~~~~~~~~~~~~~~~~ bound_violation: `amount` of step 1 is 50, above …
          {"tool_name": "pay", "args": {"amount": 5}, "meta": {"args": {"amount": 6}}},
                                                                        ~~~~~~~~ misplaced_arguments: `meta.args.amoun…
          {"tool_name": "pay", "args": {"amount": 7}, "meta": {"args": {"amount": 7}}},
          {"tool_name": "pay", "args": {"amount": 4}, "payload": "{amount: 50}"},
                                                                 ~~~~~~~~~~~~~~ bound_violation: not checked (not_unde…
          {"tool_name": "queue.add", "args": {"job": "{tool: 'pay', args: {a: 5}}"}},
                                                     ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ bound_violation: not checked (not_u…
          {"tool_name": "queue.add", "args": {"job": {"tool_name": "pay", "args": {"amount": 5}}}}
        ]
        """,
        under("bounds: {pay.amount: [0, 10]}"),
    )


def test_a_human_looks_at_each_element() -> None:
    check_rule(
        None,
        """
        [{"tool_name": "batch", "args": {"items": [
          {"amount": 1},
          {"to": "x"},
          ~ needs_human: Step 0 does not say what `items.amount` is, and above 5 a human must look: write a number.
          9,
          ~ needs_human: Step 0 does not say what `items.amount` is…
          null,
          ~~~~ needs_human: Step 0 does not say what `items.amount` is…
          {"amount": 7}
                     ~ needs_human: `items.amount` of step 0 is 7, and above 5 a human must look first.
        ]}},
        {"tool_name": "batch", "args": {"items": []}}]
                                                 ~ needs_human: Step 1 does not say what `items.amount` is…
        """,
        under("gate: {needs_human: {batch.items.amount: 5}}"),
    )


def test_lists_of_calls_beside_the_steps() -> None:
    check_rule(
        None,
        """
        {"event_type": "agent.plan", "rows": [{"name": "a"}],
         "undo": [{"tool_name": "b", "args": {}}],
         ~~~~~~ mixed_formats: `undo` is ignored, because this is read as a plan with `steps`: keep one of the two.
         "tool": "c",
         ~~~~~~ mixed_formats: `tool` is ignored, because this is read as a plan with `steps`: keep one of the two.
         "steps": [{"tool_name": "a", "args": {}}]}
        """,
    )
