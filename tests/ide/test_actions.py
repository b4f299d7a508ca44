"""Actions: switching rules off, tidying suppressions, refactorings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ide.marks import cursor, expected
from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.ide.actions import Action, ActionKind, actions
from plancheck.ide.commands import IGNORE_IN_CONFIGURATION, SHOW_RULE
from plancheck.ide.refactor import Refactoring, edits_of, on_offer
from plancheck.plan.graph.facts import PlanGraph
from plancheck.text import Span, apply_edits

RULE = "write_with_no_prior_read"
HERE = f"Ignore `{RULE}` at step 0"
FILE = f"Ignore `{RULE}` in this file"


def actions_at(text: str, kind: ActionKind = ActionKind.QUICK_FIX) -> tuple[str, list[Action]]:
    snapshot, offset = cursor(text)
    return snapshot.text, [action for action in actions(snapshot, Span(offset, offset)) if action.kind is kind]


def check_action(text: str, title: str, after: str, kind: ActionKind = ActionKind.QUICK_FIX) -> None:
    before, found = actions_at(text, kind)
    action = next(action for action in found if action.title == title)
    assert apply_edits(before, action.edits) == expected(after)


def check_suppressed(text: str, title: str, after: str) -> None:
    """The action leads to the text, and there the finding is gone and the suppression is in use."""
    check_action(text, title, after)
    rules = {finding.rule for finding in analyze(expected(after)).findings}
    assert not rules & {RULE, "unused_suppression"}


STEP = '{"idx": 0, "agent": "a", "kind": "tool_call", "writes": ["w%s"]%s}'


def test_what_is_on_offer_for_a_finding() -> None:
    _, found = actions_at('{"nodes": [' + STEP % ("$0", "") + "]}")
    own = [action for action in found if action.edits and "Ignore" not in action.title]
    assert own
    assert [action.title for action in found if action not in own] == [
        HERE,
        FILE,
        f"Switch `{RULE}` off in the configuration",
        f"Show what `{RULE}` means",
    ]
    commands = [action.command for action in found if action.command is not None]
    assert [(command.name, command.arguments) for command in commands] == [
        (IGNORE_IN_CONFIGURATION, (RULE,)),
        (SHOW_RULE, (RULE,)),
    ]
    assert all(action.finding is not None and action.finding.rule == RULE for action in found)


def test_nothing_is_on_offer_where_nothing_is_found() -> None:
    assert actions_at('{"nodes": [{"idx": 0, "agent": "a$0", "kind": "decision"}]}')[1] == []


def test_a_finding_of_the_text_itself_is_only_explained() -> None:
    _, found = actions_at('{"nodes": [{"idx": 0,$0, "agent": "a"}]}')
    assert {action.title for action in found} == {"Show what `syntax_error` means"}


def test_what_the_editor_reports_itself_can_be_fixed_and_not_be_switched_off() -> None:
    text = '{"nodes": [{"idx": 0, "idx": 0, "agent": "a", "kind": "decision"}]}'
    elsewhere = ("syntax_error", "duplicate_key")
    snapshot = analyze(text, Settings(dict.fromkeys(elsewhere), reported_elsewhere=elsewhere))
    assert snapshot.shown == []
    place = text.index('"idx": 0,', 20)
    (fix,) = [action for action in actions(snapshot, Span(place, place)) if action.kind is ActionKind.QUICK_FIX]
    assert fix.title == "Keep one `idx`"
    assert apply_edits(text, fix.edits) == text.replace('"idx": 0, ', "", 1)


def test_a_rule_is_ignored_at_a_step() -> None:
    check_suppressed(
        '{"nodes": [' + STEP % ("$0", "") + "]}",
        HERE,
        '{"nodes": [' + STEP % ("", f', "plancheck-ignore": ["{RULE}"]') + "]}",
    )
    for ignores in ('["empty_name"]', "[]"):
        after = ignores.replace("]", f', "{RULE}"]').replace("[, ", "[")
        text, _ = actions_at('{"nodes": [' + STEP % ("$0", f', "plancheck-ignore": {ignores}') + "]}")
        check_action(
            '{"nodes": [' + STEP % ("$0", f', "plancheck-ignore": {ignores}') + "]}", HERE, text.replace(ignores, after)
        )
    check_suppressed(
        '{"nodes": [' + STEP % ("$0", ', "plancheck-ignore": null') + "]}",
        HERE,
        '{"nodes": [' + STEP % ("", f', "plancheck-ignore": ["{RULE}"]') + "]}",
    )


def test_a_step_over_several_lines_keeps_its_shape() -> None:
    text = """
        {
          "nodes": [
            {
              "idx": 0,
              "agent": "a",
              "kind": "tool_call",
              "writes": [
                "w%s"
              ]%s
            }
          ]
        }
    """
    ignore = ',\n              "plancheck-ignore": [\n                "write_with_no_prior_read"\n              ]'
    check_suppressed(text % ("$0", ""), HERE, text % ("", ignore))


def test_a_rule_is_ignored_in_the_file() -> None:
    check_suppressed(
        '{\n  "plan": 1,\n  "nodes": [\n    ' + STEP % ("$0", "") + "\n  ]\n}",
        FILE,
        f'{{\n  "plan": 1,\n  "plancheck-ignore": ["{RULE}"],\n  "nodes": [\n    ' + STEP % ("", "") + "\n  ]\n}",
    )
    check_suppressed(
        '{"nodes": [' + STEP % ("$0", "") + '], "plancheck-ignore": []}',
        FILE,
        '{"nodes": [' + STEP % ("", "") + f'], "plancheck-ignore": ["{RULE}"]}}',
    )


def test_a_suppression_that_is_no_list_is_left_alone() -> None:
    _, found = actions_at('{"nodes": [' + STEP % ("$0", ', "plancheck-ignore": "all"') + '], "plancheck-ignore": {}}')
    assert next(action.title for action in found if not action.edits) == f"Switch `{RULE}` off in the configuration"


def test_a_finding_of_the_plan_is_ignored_in_the_file() -> None:
    _, found = actions_at('$0{"steps": [{"id": "a", "tool": "t", "args": {}}]}')
    assert [action.title for action in found if action.edits][-1] == "Ignore `missing_goal` in this file"
    _, found = actions_at('{"goal": "g", "steps": $0[]}')
    assert [action.title for action in found if action.title.startswith("Ignore")] == []  # the gate denies such a plan


@pytest.mark.parametrize("text", ['{"nodes": $03}', '{"nodes": [$03]}', '{"nodes": [], $0"steps": []}'])
def test_what_could_not_be_read_cannot_be_ignored(text: str) -> None:
    _, found = actions_at(text)
    assert found
    assert not any(action.title.startswith("Ignore `") and "empty_plan" not in action.title for action in found)


def test_fixes_of_the_rule_come_first_and_the_best_one_is_preferred() -> None:
    text = '{"nodes": [{"idx": 0, "agent": "a", "kind": "decison%s"}]}'
    check_action(text % "$0", "Make it a `decision`", (text % "").replace("decison", "decision"))
    _, found = actions_at(text % "$0")
    assert found[0].title == "Make it a `decision`"
    assert [action.title for action in found if action.is_preferred] == ["Make it a `decision`"]


def test_an_unused_suppression_is_removed() -> None:
    title = "Remove this entry from `plancheck-ignore`"
    step = '{"nodes": [{"idx": 0, "agent": "a", "kind": "decision"%s}]}'
    one = step % ', "plancheck-ignore": ["unkno$0wn_step"]'
    check_action(one, title, step % "")
    assert actions_at(one)[1][0].is_preferred
    many = step % ', "plancheck-ignore": ["empty_name", "unkno$0wn_step"]'
    check_action(many, title, step % ', "plancheck-ignore": ["empty_name"]')
    plan = '{"plancheck-ignore": ["no_such_$0rule"], "nodes": []}'
    check_action(plan, title, '{"nodes": []}')


# ---- refactorings ----------------------------------------------------------------------------------------------------


def check_refactoring(text: str, refactoring: Refactoring, after: str) -> None:
    """The text afterwards, in which there is nothing left to do."""
    snapshot = analyze(expected(text))
    result = apply_edits(snapshot.text, edits_of(snapshot, refactoring))
    assert result == expected(after)
    assert refactoring not in on_offer(analyze(result))


def check_not_on_offer(text: str, refactoring: Refactoring) -> None:
    snapshot = analyze(text)
    assert refactoring not in on_offer(snapshot)
    assert edits_of(snapshot, refactoring) == []


def test_renumbering_takes_every_reference_along() -> None:
    check_refactoring(
        """
        {"nodes": [
          {"idx": 10},
          {"idx": 5, "control_preds": [10], "reads": [{"id": "a", "producer": 10}]},
          {"idx": 1, "control_preds": [10, 5, 1]}
        ]}
        """,
        Refactoring.RENUMBER,
        """
        {"nodes": [
          {"idx": 0},
          {"idx": 1, "control_preds": [0], "reads": [{"id": "a", "producer": 0}]},
          {"idx": 2, "control_preds": [0, 1, 2]}
        ]}
        """,
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"nodes": [{"idx": 0}, {"idx": 1}]}',
        '{"nodes": [{"idx": 3}, {"idx": 3}]}',
        '{"nodes": [{"idx": 3}, {"agent": "a"}]}',
        '{"nodes": [{"idx": 3}, {"idx": 4, "control_preds": [0]}]}',
        '{"nodes": [{"idx": 3}, {"idx": 4}',
        '{"nodes": [{"idx": 3,, "agent": ""}, {"idx": 4}]}',
        '{"nodes": []}',
        "[1]",
    ],
)
def test_renumbering_is_not_on_offer(text: str) -> None:
    check_not_on_offer(text, Refactoring.RENUMBER)


def test_sorting_keeps_the_meaning_of_linear_defaults() -> None:
    check_refactoring(
        """
        {"nodes": [
          {"idx": 0, "kind": "decision", "reads": [{"id": "a", "producer": 2}]},
          {"idx": 1},
          {"idx": 2, "control_preds": []},
          {"idx": 3, "control_preds": null}
        ]}
        """,
        Refactoring.SORT,
        """
        {"nodes": [
          {"idx": 2, "control_preds": []},
          {"idx": 0, "kind": "decision", "control_preds": [], "reads": [{"id": "a", "producer": 2}]},
          {"idx": 1},
          {"idx": 3, "control_preds": [2]}
        ]}
        """,
    )


def test_sorting_moves_as_little_as_possible() -> None:
    check_refactoring(
        '{"nodes": [{"idx": 0}, {"idx": 1, "control_preds": [3]}, {"idx": 2, "control_preds": [0]}, '
        '{"idx": 3, "control_preds": [0]}]}',
        Refactoring.SORT,
        '{"nodes": [{"idx": 0}, {"idx": 2, "control_preds": [0]}, {"idx": 3, "control_preds": [0]}, '
        '{"idx": 1, "control_preds": [3]}]}',
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"nodes": [{"idx": 0}, {"idx": 1, "control_preds": [0]}]}',
        '{"nodes": [{"idx": 0, "control_preds": [1]}, {"idx": 1}]}',
        '{"nodes": [{"idx": 0, "control_preds": [0]}]}',
        '{"nodes": [{"idx": 0, "control_preds": [1]}, {"idx": 1}, {"idx": 1}]}',
        '{"nodes": [{"idx": 0, "control_preds": [9]}]}',
        '{"nodes": [{"control_preds": []}, {"idx": 1, "reads": [{"id": "a", "producer": 2}]}, '
        '{"idx": 2, "control_preds": []}]}',
    ],
)
def test_sorting_is_not_on_offer(text: str) -> None:
    check_not_on_offer(text, Refactoring.SORT)


def test_every_linear_default_is_spelt_out() -> None:
    check_refactoring(
        """
        {"nodes": [
          {"idx": 4, "agent": "a", "reads": []},
          {"agent": "a", "kind": "decision", "idx": 5},
          {"idx": 6, "control_preds": null},
          {"idx": 7, "control_preds": [4]}
        ]}
        """,
        Refactoring.EXPLICIT,
        """
        {"nodes": [
          {"idx": 4, "agent": "a", "control_preds": [], "reads": []},
          {"agent": "a", "kind": "decision", "idx": 5, "control_preds": [4]},
          {"idx": 6, "control_preds": [5]},
          {"idx": 7, "control_preds": [4]}
        ]}
        """,
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"nodes": [{"idx": 0, "control_preds": []}]}',
        '{"nodes": [{"idx": 0, "control_preds": "x"}]}',
        '{"nodes": [{"agent": "a"}]}',
        '{"nodes": [{"idx": 0, "control_preds": []}, {"idx": 0, "control_preds": []}, {"idx": 1}]}',
        '{"nodes": [3]}',
    ],
)
def test_nothing_can_be_spelt_out(text: str) -> None:
    check_not_on_offer(text, Refactoring.EXPLICIT)


def test_one_linear_default_is_spelt_out() -> None:
    text = '{"nodes": [{"idx": 0}, {"idx": 1%s}]}'
    title = "Spell out which step 1 follows"
    check_action(text % "$0", title, text % ', "control_preds": [0]', ActionKind.REFACTOR)
    _, found = actions_at(text % "$0", ActionKind.REFACTOR)
    assert [action.title for action in found] == [title, "Spell out which step each step follows"]
    assert [action.refactoring for action in found] == [None, Refactoring.EXPLICIT]


EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "declared").glob("*.plan.json"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_refactorings_keep_the_control_and_data_flow_of_the_examples(path: Path) -> None:
    snapshot = analyze(path.read_text(encoding="utf-8"))
    for refactoring in on_offer(snapshot):
        after = analyze(apply_edits(snapshot.text, edits_of(snapshot, refactoring)))
        json.loads(after.text)
        if refactoring is not Refactoring.SORT:
            assert edges(after.graph) == edges(snapshot.graph)


def edges(graph: PlanGraph) -> object:
    return graph.preds, graph.dependencies
