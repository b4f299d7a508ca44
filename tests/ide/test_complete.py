"""Completion in whole and half-typed text."""

from __future__ import annotations

import pytest

from ide.marks import cursor, expected
from plancheck.analysis.rules import RULES
from plancheck.ide.complete import complete
from plancheck.ide.offers import MOST_ITEMS, Completion
from plancheck.text import Edit, apply_edits


def items_at(text: str) -> list[Completion]:
    snapshot, offset = cursor(text)
    return complete(snapshot, offset)


ANY_PLAN = ["nodes", "goal", "steps", "context", "meta", "plancheck-ignore"]


def check_completion(text: str, labels: list[str]) -> None:
    """The labels on offer, in their order."""
    items = items_at(text)
    assert [item.label for item in items] == labels
    assert [item.sort_key for item in items] == sorted(item.sort_key for item in items)


def check_inserted(text: str, label: str, after: str) -> Completion:
    """The text after one item was taken, tab stops as they are."""
    snapshot, offset = cursor(text)
    item = next(item for item in complete(snapshot, offset) if item.label == label)
    assert apply_edits(snapshot.text, [Edit(*item.span, item.insert_text)]) == expected(after)
    return item


STEP_KEYS = ["idx", "agent", "kind", "control_preds", "reads", "writes", "scope", "plancheck-ignore"]
STEPS = ["step", "decision", "tool call", "re-read barrier"]

# ---- keys ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ('{"nodes": [{$0}]}', STEP_KEYS),
        ('{"nodes": [{$0', STEP_KEYS),
        ('{"nodes": [{"idx": 0, $0}]}', STEP_KEYS[1:]),
        ('{"nodes": [{"idx": 0, "ag$0}]}', STEP_KEYS[1:]),
        ('{"nodes": [{"idx": 0, "ag$0": "x"}]}', STEP_KEYS[1:]),
        ('{"nodes": [{"idx": 0, ag$0}]}', STEP_KEYS[1:]),
        ('{"nodes": [{"idx": 0, $0 "kind": "decision", "reads": []}]}', ["agent", *STEP_KEYS[3:4], *STEP_KEYS[5:]]),
        ('{"nodes": [{"reads": [{$0}]}]}', ["id", "producer", "volatile", "pinned", "revalidates"]),
        ('{"nodes": [{"reads": ["a", {"id": "b", "v$0', ["producer", "volatile", "pinned", "revalidates"]),
        ('{"nodes": [{"writes": [{$0}]}]}', ["id", "creates"]),
        ("{$0}", ANY_PLAN),
        ("{$0", ANY_PLAN),
        ('{"nodes": [], "pl$0"}', ["plancheck-ignore"]),
        ('{"nodes": [], $0', ["plancheck-ignore"]),
        ('{"nodes": [{"idx": 0}], $0 "x": 1}', ["plancheck-ignore"]),
        ('{"x": 1, $0}', ANY_PLAN),
        ('{"nodes": [{"mine": {$0}}]}', []),
        ('{"nodes": [{"idx": 0 $0}]}', []),
        ('{"nodes": [{"idx": 0, "agent" $0}]}', []),
    ],
)
def test_keys_that_are_not_there_yet(text: str, labels: list[str]) -> None:
    check_completion(text, labels)


def test_a_key_comes_with_its_colon_and_a_value_to_fill_in() -> None:
    text = '{"nodes": [{"idx": 0, %s}]}'
    item = check_inserted(text % "$0", "reads", text % '"reads": [$1]')
    assert item.is_snippet
    assert item.detail == "resources the step looks at"
    assert item.documentation.startswith("The resources that the step looks at")
    check_inserted(text % '"re$0', "reads", '{"nodes": [{"idx": 0, "reads": [$1]}]}')
    check_inserted(text % "re$0", "reads", text % '"reads": [$1]')
    check_inserted(text % '"re$0"', "reads", text % '"reads": [$1]')


def test_a_key_that_has_a_value_keeps_it() -> None:
    item = check_inserted('{"nodes": [{"rea$0": ["a"]}]}', "writes", '{"nodes": [{"writes": ["a"]}]}')
    assert not item.is_snippet


def test_a_comma_is_added_where_something_follows() -> None:
    check_inserted(
        """
        {"nodes": [
          {"idx": 0,
           $0
           "kind": "decision"}
        ]}
        """,
        "agent",
        """
        {"nodes": [
          {"idx": 0,
           "agent": "$1",
           "kind": "decision"}
        ]}
        """,
    )


def test_what_is_typed_inside_quotes_is_compared_with_the_quote() -> None:
    assert {item.filter_text for item in items_at('{"nodes": [{"kind": "$0"}]}')} == {'"decision', '"tool_call'}
    assert {item.filter_text for item in items_at('{"nodes": [{"kind": $0}]}')} == {"decision", "tool_call"}


# ---- values ----------------------------------------------------------------------------------------------------------

PLAN = """
    {"nodes": [
      {"idx": 10, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "writes": ["order"]},
      {"idx": 20, "agent": "desk", "kind": "decision", "reads": ["a \\"b\\""]},
      {"idx": 30, %s},
      {"idx": 40, "reads": ["later"]}
    ]}
"""


@pytest.mark.parametrize(
    ("body", "labels"),
    [
        ('"kind": $0', ["decision", "tool_call"]),
        ('"kind": "$0"', ["decision", "tool_call"]),
        ('"kind": "dec$0', ["decision", "tool_call"]),
        ('"control_preds": [$0]', ["20", "10"]),
        ('"control_preds": [$0', ["20", "10"]),
        ('"control_preds": [10, $0]', ["20"]),
        ('"control_preds": [1$0]', ["20", "10"]),
        ('"control_preds": ["$0"]', ["20", "10"]),
        ('"control_preds": $0', ["[…]"]),
        ('"reads": [{"id": "order", "producer": $0}]', ["20", "10"]),
        ('"reads": [{"id": "order", "producer": 2$0', ["20", "10"]),
        ('"reads": [{"id": "x", "volatile": $0}]', ["true", "false"]),
        ('"reads": [{"id": "x", "volatile": t$0}]', ["true", "false"]),
        ('"scope": ["$0"]', ["order", 'a "b"', "later"]),
        ('"reads": ["mine"], "scope": ["$0"]', ["mine", "order", 'a "b"', "later"]),
        ('"writes": ["order", "$0"]', ['a "b"', "later"]),
        ('"writes": ["ord$0"]', ["order", 'a "b"', "later"]),
        ('"reads": [{"id": "$0"}]', ["order", 'a "b"', "later"]),
        ('"agent": "$0"', ["clerk", "desk"]),
        ('"plancheck-ignore": $0', ['["…"]']),
        ('"mine": $0', []),
        ('"mine": {"x": "$0"}', []),
        ('"idx": 30 $0', []),
        ('"kind": "decision"$0', []),
        ('"kind": 1 // $0', []),
    ],
)
def test_values_that_are_legal_here(body: str, labels: list[str]) -> None:
    check_completion(PLAN % body, labels)


def test_reads_come_as_ids_and_as_whole_entries() -> None:
    check_completion(
        PLAN % '"reads": [$0]',
        ["order", 'a "b"', "later", "read from a step", "volatile re-read", "order from 10"],
    )
    check_completion(PLAN % '"writes": [$0]', ["order", 'a "b"', "later", "{…}"])
    check_inserted(PLAN % '"reads": [$0]', "order from 10", PLAN % '"reads": [{"id": "order", "producer": 10\\}]')
    check_inserted(PLAN % '"reads": ["x$0"]', 'a "b"', PLAN % '"reads": ["a \\"b\\""]')


def test_a_value_takes_the_place_of_what_was_begun() -> None:
    check_inserted(PLAN % '"control_preds": [1$0]', "20", PLAN % '"control_preds": [20]')
    check_inserted(PLAN % '"control_preds": ["$0"]', "20", PLAN % '"control_preds": [20]')
    check_inserted(PLAN % '"kind": "dec$0ide"', "decision", PLAN % '"kind": "decision"')
    check_inserted('{"nodes": [{"kind": "dec$0', "decision", '{"nodes": [{"kind": "decision"')
    check_inserted('{"nodes": [{"kind": "$0, "idx": 1}]}', "decision", '{"nodes": [{"kind": "decision", "idx": 1}]}')


def test_an_earlier_step_shows_who_it_is() -> None:
    item = next(item for item in items_at(PLAN % '"control_preds": [$0]') if item.label == "10")
    assert (item.detail, item.documentation) == ("clerk", "Step 10 · clerk\n- writes `order`")


def test_rules_in_suppressions() -> None:
    names = list(RULES)
    check_completion('{"nodes": [{"plancheck-ignore": ["$0"]}]}', names)
    check_completion(
        '{"plancheck-ignore": ["unknown_step", $0], "nodes": []}',
        [*(n for n in names if n != "unknown_step"), "rule with a reason"],
    )
    check_completion('{"nodes": [{"plancheck-ignore": [{"rule": "$0"}]}]}', names)
    check_completion('{"nodes": [{"plancheck-ignore": [{$0}]}]}', ["rule", "reason"])
    check_inserted(
        '{"nodes": [], "plancheck-ignore": [$0]}',
        "rule with a reason",
        '{"nodes": [], "plancheck-ignore": [{"rule": "$1", "reason": "$2"}]}',
    )
    item = next(item for item in items_at('{"plancheck-ignore": [$0]}') if item.label == "unknown_step")
    assert (item.insert_text, item.detail) == ('"unknown_step"', "error")
    assert item.documentation == "A step names another one that does not exist."


def test_a_free_identity() -> None:
    check_completion('{"nodes": [{"idx": $0}]}', ["0"])
    check_completion('{"nodes": [{"idx": 3}, {"idx": $0}]}', ["4"])
    check_completion('{"nodes": [{"idx": 10}, {"idx": 20}, {"idx": $0}]}', ["30"])
    check_completion('{"nodes": [{"idx": 9}, {"idx": 2}, {"idx": $0}]}', ["10"])


@pytest.mark.parametrize(
    "text",
    ['{"nodes": [$0]}', '{"nodes": [$0', '{"nodes": [{"idx": 0}, $0]}', '{"nodes": [{"idx": 0}, $0 {"idx": 1}]}'],
)
def test_whole_steps_in_the_list(text: str) -> None:
    check_completion(text, STEPS)


def test_a_step_is_written_like_the_one_before() -> None:
    item = check_inserted(
        '{"nodes": [{"idx": 4},\n$0]}',
        "tool call",
        '{"nodes": [{"idx": 4},\n{"idx": 5, "agent": "${1:agent}", "kind": "tool_call", '
        '"reads": ["${2:resource}"], "writes": ["${2:resource}"]}]}',
    )
    assert (item.is_snippet, item.detail) == (True, "reads a resource and writes it")
    check_inserted(
        '{"nodes": [\n  {\n    "idx": 4\n  },\n  $0\n]}',
        "step",
        '{"nodes": [\n  {\n    "idx": 4\n  },\n  {\n\t"idx": 5,\n\t"agent": "${1:agent}",\n'
        '\t"kind": "tool_call",\n\t"reads": [$2]\n}\n]}',
    )


def test_a_whole_plan_in_an_empty_document() -> None:
    for text in ("$0", "\n $0", "\ufeff$0"):
        check_completion(text, ["plan (declared)", "plan (steps)", "plan (trace)", "plan (calls)"])
    check_completion('{"nodes": $0}', ["[…]"])
    check_completion("{} $0", [])
    check_completion("4$02", [])
    check_completion('{"nodes": 3}}$0', [])


def test_very_many_proposals_are_cut_to_those_that_go_on() -> None:
    steps = ", ".join(f'{{"idx": {i}}}' for i in range(2 * MOST_ITEMS))
    text = f'{{"nodes": [{steps}, {{"control_preds": [%s]}}]}}'
    assert len(items_at(text % "$0")) == MOST_ITEMS
    check_completion(text % "99$0", ["999", *[str(i) for i in range(998, 989, -1)], "99"])
