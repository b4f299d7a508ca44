"""What each fix makes of the text, to the letter, and which fixes are on offer in which case."""

from __future__ import annotations

import json
from collections.abc import Callable
from textwrap import dedent

import pytest

from analysis.marks import looking_for
from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Severity
from plancheck.analysis.fix.offer import MOST_STEPS_TRIED, fix_edits, offered, shown_fixes
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.text import apply_edits


def plan(text: str) -> str:
    return dedent(text).strip("\n") + "\n"


def fixes(rule: str, before: str) -> dict[str, str]:
    """The fixes on offer for the first finding of a rule, by title, with what they make of the text."""
    snapshot = analyze(before, looking_for(rule))
    finding = next(finding for finding in snapshot.shown if finding.rule == rule)
    return {fix.title: apply_edits(before, fix_edits(snapshot, fix)) for fix in offered(snapshot, finding)}


def check_fix(rule: str, title: str, before: str, after: str) -> None:
    found = fixes(rule, plan(before))
    assert title in found, list(found)
    assert found[title] == plan(after)


STEP = '{"idx": 0, "agent": "a", "kind": "tool_call", %s}'

OFFERED: dict[str, list[str]] = {
    "duplicate_key": ["Join the lists", "Keep only the last one, which is used"],
    "not_a_plan": ["Rename `node` to `nodes`"],
    "wrong_type": ["Write `0`"],
    "missing_key": ["Make it a `tool_call`", "Make it a `decision`"],
    "unknown_kind": ["Write `tool_call`"],
    "unknown_key": ["Rename `Reads` to `reads`"],
    "duplicate_step_id": ["Make this step 1"],
    "unknown_step": ["Name step 0 instead", "Remove `control_preds`, so that step 1 follows the step before it"],
    "step_not_before": ["Move step 0 after step 1", "Remove this entry"],
    "write_with_no_prior_read": [
        "Mark `ledger.entry` as created by step 1",
    ],
    "flippable_dependency_annotation": [
        'Add `"revalidates": true` to the read of `quote` by step 1',
        "Freeze the read of `quote` by step 1 (`pinned`)",
    ],
    "scope_vs_snapshot": ["Drop the grant of `customer`"],
    "missing_revalidation_barrier": [
        "Insert a step that re-reads `quote` before step 1",
        'Add `"revalidates": true` to the read of `quote` by step 1',
    ],
    "barrier_bypassed": [
        "Insert a step that re-reads `quote` before step 4",
        'Add `"revalidates": true` to the read of `quote` by step 4',
    ],
    "stale_value_used_after_barrier": [
        "Take `quote` from step 1, which reads it again",
        "Insert a step that re-reads `quote` before step 2",
        'Add `"revalidates": true` to the read of `quote` by step 2',
    ],
    "over_granted_scope": ["Drop the grant of `vault`"],
    "touch_outside_scope": ["Grant `customer` to step 0", "Drop the read of `customer`"],
    "producer_never_writes": [
        "Take `order` from step 0 instead",
        "Declare that step 1 writes `order`",
        "Drop the producer of `order`",
    ],
    "producer_not_before": ["Let step 2 wait for step 1", "Drop the producer of `rate`"],
    "missing_producer": ["Take `order` from step 0", "Mark this read of `order` as volatile"],
    "parallel_write_race": ["Let step 2 wait for step 1"],
    "near_duplicate_resource": ["Write `order.1` here"],
    "unreachable_step": ["Let step 2 wait for step 1", "Remove step 2"],
    "unused_write": ["Let step 2 take `order` from step 1", "Remove the write of `order`"],
    "redundant_edge": ["Remove this entry"],
    "unused_suppression": ["Remove this entry from `plancheck-ignore`"],
    "unknown_rule": ["Name `scope_vs_snapshot` instead", "Remove this entry from `plancheck-ignore`"],
}
"""What is on offer for the first finding in a rule's own bad example, the best first."""


@pytest.mark.parametrize("rule", OFFERED)
def test_the_bad_example_comes_with_its_fixes(rule: str) -> None:
    assert list(fixes(rule, RULES[rule].bad)) == OFFERED[rule]


@pytest.mark.parametrize(
    ("rule", "member", "titles"),
    [
        ("wrong_type", '"control_preds": "3", "reads": []', ["Remove `control_preds`"]),
        ("wrong_type", '"reads": [{"id": "x", "volatile": "false"}]', ["Write `false`", "Remove `volatile`"]),
        ("wrong_type", '"reads": [{"id": "x", "pinned": 1}]', ["Write `true`", "Remove `pinned`"]),
        ("wrong_type", '"reads": [{"id": "x", "pinned": null}]', ["Remove `pinned`, which is the same as false"]),
        ("wrong_type", '"reads": [7]', ['Write `"7"`', "Remove this entry"]),
        ("wrong_type", '"scope": [{"id": "x"}]', ['Write `"x"`', "Remove this entry"]),
        ("wrong_type", '"reads": {"id": "x"}', ["Make a list of `reads`", "Remove `reads`"]),
        ("wrong_type", '"writes": 3.5', ["Remove `writes`"]),
        ("wrong_type", '"plancheck-ignore": "nothing"',
         ["Make a list of `plancheck-ignore`", "Remove `plancheck-ignore`"]),
        ("empty_name", '"reads": ["", "x"]', ["Remove this entry"]),
        ("unknown_key", '"wrtes": ["x"]', ["Rename `wrtes` to `writes`"]),
        ("unknown_key", '"reads": [{"id": "x", "Volatile": true}]', ["Rename `Volatile` to `volatile`"]),
        ("duplicate_key", '"scope": [], "scope": []', ["Keep one `scope`"]),
        ("missing_key", '"reads": [{"pinned": true}]', ["Remove this entry"]),
        ("over_granted_scope", '"reads": ["x"], "writes": ["x"], "scope": ["*"]',
         ["Grant step 0 what it touches instead of `*`"]),
        ("scope_vs_snapshot", '"reads": ["x"], "scope": ["y", "x", "z"]',
         ["Drop the grant of `y`", "Drop all 2 grants that step 0 has no use for"]),
        ("touch_outside_scope", '"reads": ["x"], "writes": ["x"], "scope": []',
         ["Grant `x` to step 0", "Drop the read and write of `x`"]),
        ("missing_revalidation_barrier", '"reads": [{"id": "x", "volatile": true}], "writes": ["x"]',
         ['Add `"revalidates": true` to the read of `x` by step 0', "Insert a step that re-reads `x` before step 0"]),
    ],
)  # fmt: skip
def test_what_is_on_offer_for_one_step(rule: str, member: str, titles: list[str]) -> None:
    assert list(fixes(rule, f'{{"nodes": [{STEP % member}]}}')) == titles


@pytest.mark.parametrize(
    ("kind", "titles"),
    [
        ('"Decision"', ["Write `decision`"]),
        ('"desicion"', ["Make it a `decision`", "Make it a `tool_call`"]),
        ('"action"', ["Make it a `decision`", "Make it a `tool_call`"]),
    ],
)
def test_kinds(kind: str, titles: list[str]) -> None:
    text = f'{{"nodes": [{{"idx": 0, "agent": "a", "kind": {kind}}}]}}'
    assert sorted(fixes("unknown_kind", text)) == sorted(titles)


def test_nothing_is_on_offer_while_the_text_is_broken() -> None:
    text = '{"nodes": [{"idx": "0", "agent": "a", "kind": "decision"}'
    snapshot = analyze(text)
    assert not any(offered(snapshot, finding) for finding in snapshot.findings)


def test_a_fix_that_would_add_an_error_is_not_on_offer() -> None:
    text = '{"nodes": [{"idx": 1, "agent": "a", "kind": "decision"}, {"idx": "1", "agent": "a", "kind": "decision"}]}'
    assert fixes("wrong_type", text) == {}


def test_what_counts_as_an_error_is_for_the_settings_to_say() -> None:
    before = RULES["producer_never_writes"].bad
    strict = Settings({"write_with_no_prior_read": Severity.ERROR})
    titles = []
    for settings in (Settings(), strict):
        snapshot = analyze(before, settings)
        finding = next(finding for finding in snapshot.shown if finding.rule == "producer_never_writes")
        titles.append([fix.title for fix in offered(snapshot, finding)])
    assert "Declare that step 1 writes `order`" in titles[0]
    assert "Declare that step 1 writes `order`" not in titles[1]


def test_listing_the_fixes_of_a_large_plan_stops_somewhere() -> None:
    steps = ", ".join('{"idx": %d, "agent": "a", "kind": "Decision"}' % i for i in range(300))  # noqa: UP031
    snapshot = analyze(f'{{"nodes": [{steps}]}}')
    assert 0 < len(shown_fixes(snapshot)) <= MOST_STEPS_TRIED // 300 < len(snapshot.shown)


# ---- to the letter ---------------------------------------------------------------------------------------------------


def test_a_write_is_marked_as_created() -> None:
    check_fix(
        "write_with_no_prior_read",
        "Mark `x` as created by step 0",
        """
        {"nodes": [
          {
            "idx": 0,
            "agent": "a",
            "kind": "tool_call",
            "writes": ["x"]
          }
        ]}
        """,
        """
        {"nodes": [
          {
            "idx": 0,
            "agent": "a",
            "kind": "tool_call",
            "writes": [{"id": "x", "creates": true}]
          }
        ]}
        """,
    )


def test_a_write_is_wired_to_the_step_that_wrote_it_before() -> None:
    check_fix(
        "write_with_no_prior_read",
        "Take `x` from step 0, which reads it",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["x"], "writes": ["x"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": [], "writes": ["x"]}
        ]}
        """,
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["x"], "writes": ["x"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": [{"id": "x", "producer": 0}], "writes": ["x"]}
        ]}
        """,
    )


def test_a_step_that_names_its_predecessors_hands_them_over_to_the_inserted_one() -> None:
    check_fix(
        "missing_revalidation_barrier",
        "Insert a step that re-reads `q` before step 7",
        """
        {"nodes": [
          {"idx": 3, "agent": "feed", "kind": "tool_call", "reads": [{"id": "q", "volatile": true}]},
          {"idx": 5, "agent": "b", "kind": "tool_call", "control_preds": [3]},
          {"idx": 7, "agent": "b", "kind": "decision", "control_preds": [3, 5], "reads": [{"id": "q", "producer": 3}]},
          {"idx": 8, "agent": "b", "kind": "tool_call"}
        ]}
        """,
        """
        {"nodes": [
          {"idx": 3, "agent": "feed", "kind": "tool_call", "reads": [{"id": "q", "volatile": true}]},
          {"idx": 5, "agent": "b", "kind": "tool_call", "control_preds": [3]},
          {"idx": 9, "agent": "feed", "kind": "tool_call", "control_preds": [3, 5], "reads": [{"id": "q", "volatile": true, "revalidates": true}]},
          {"idx": 7, "agent": "b", "kind": "decision", "control_preds": [9], "reads": [{"id": "q", "producer": 9}]},
          {"idx": 8, "agent": "b", "kind": "tool_call"}
        ]}
        """,  # noqa: E501
    )


def test_an_inserted_step_is_written_as_the_others_are() -> None:
    before = {
        "nodes": [
            {"idx": 0, "agent": "a", "kind": "tool_call", "reads": [{"id": "x", "volatile": True}]},
            {"idx": 1, "agent": "b", "kind": "tool_call", "reads": [{"id": "y", "producer": 0}], "writes": ["y"]},
        ]
    }
    new = {"idx": 2, "agent": "a", "kind": "tool_call", "reads": [{"id": "x", "volatile": True, "revalidates": True}]}
    taking = {**before["nodes"][1], "reads": [{"id": "y", "producer": 0}, {"id": "x", "producer": 2}]}
    after = {"nodes": [before["nodes"][0], new, taking]}
    for write in (_indented, _tabbed):
        found = fixes("missing_revalidation_barrier", write(before))["Insert a step that re-reads `x` before step 1"]
        assert found == write(after)


def _indented(value: object) -> str:
    return json.dumps(value, indent=2)


def _tabbed(value: object) -> str:
    return json.dumps(value, indent="\t").replace("\n", "\r\n")


def test_a_bare_read_on_the_way_becomes_a_reread() -> None:
    check_fix(
        "missing_revalidation_barrier",
        'Add `"revalidates": true` to the read of `q` by step 1',
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": [{"id": "q", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["q"]},
          {"idx": 2, "agent": "a", "kind": "decision", "reads": [{"id": "q", "producer": 0}]}
        ]}
        """,
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": [{"id": "q", "volatile": true}]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": [{"id": "q", "revalidates": true}]},
          {"idx": 2, "agent": "a", "kind": "decision", "reads": [{"id": "q", "producer": 0}]}
        ]}
        """,
    )


def test_waiting_for_one_more_names_the_step_that_was_followed_by_default() -> None:
    check_fix(
        "producer_not_before",
        "Let step 3 wait for step 1",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision", "reads": ["o"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["x"], "writes": ["x"]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "reads": [{"id": "x", "producer": 1}]}
        ]}
        """,
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "decision", "reads": ["o"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": ["x"], "writes": ["x"]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [2, 1], "reads": [{"id": "x", "producer": 1}]}
        ]}
        """,
    )


MOVED = """
    {"nodes": [
      {"idx": 0, "agent": "a", "kind": "tool_call"},
      {"idx": 1, "agent": "a", "kind": "decision", "reads": [{"id": "x", "producer": 2}]},
      {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0], "reads": ["x"]},
      {"idx": 3, "agent": "a", "kind": "tool_call"}
    ]}
    """


def test_a_step_moves_down_and_nobody_follows_another_one_by_default() -> None:
    check_fix(
        "step_not_before",
        "Move step 1 after step 2",
        MOVED,
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0], "reads": ["x"]},
          {"idx": 1, "agent": "a", "kind": "decision", "control_preds": [0], "reads": [{"id": "x", "producer": 2}]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [2]}
        ]}
        """,
    )


def test_a_step_moves_up() -> None:
    check_fix(
        "step_not_before",
        "Move step 2 before step 1",
        MOVED,
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 2, "agent": "a", "kind": "tool_call", "control_preds": [0], "reads": ["x"]},
          {"idx": 1, "agent": "a", "kind": "decision", "reads": [{"id": "x", "producer": 2}]},
          {"idx": 3, "agent": "a", "kind": "tool_call", "control_preds": [2]}
        ]}
        """,
    )


TWICE = """
    {"nodes": [
      {"idx": 4, "agent": "a", "kind": "tool_call"},
      {"idx": 4, "agent": "a", "kind": "tool_call", "control_preds": [4]},
      {"idx": 6, "agent": "a", "kind": "tool_call", "control_preds": [4]}
    ]}
    """


@pytest.mark.parametrize(
    ("title", "last"),
    [
        ("Make this step 7, and what refers to it below", "[7]"),
        ("Make this step 7, and leave the references with the first one", "[4]"),
    ],
)
def test_a_second_identity_is_renamed_with_its_references_or_without(title: str, last: str) -> None:
    check_fix(
        "duplicate_step_id",
        title,
        TWICE,
        f"""
        {{"nodes": [
          {{"idx": 4, "agent": "a", "kind": "tool_call"}},
          {{"idx": 7, "agent": "a", "kind": "tool_call", "control_preds": [4]}},
          {{"idx": 6, "agent": "a", "kind": "tool_call", "control_preds": {last}}}
        ]}}
        """,
    )


def test_names_are_made_one_in_the_whole_plan() -> None:
    before = """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["x.1"], "writes": ["x.1"], "scope": ["x.1"]},
          {"idx": 1, "agent": "a", "kind": "tool_call", "reads": [{"id": "X.1"}]},
          {"idx": 2, "agent": "a", "kind": "tool_call", "reads": ["X.1"]}
        ]}
        """
    check_fix("near_duplicate_resource", "Write `x.1` everywhere", before, before.replace("X.1", "x.1"))


def test_a_value_is_wrapped_as_it_is_written() -> None:
    check_fix(
        "wrong_type",
        "Make a list of `reads`",
        """
        {"nodes": [
        \t{"idx": 0, "agent": "a", "kind": "decision", "reads": {
        \t\t"id":   "x"
        \t}}
        ]}
        """,
        """
        {"nodes": [
        \t{"idx": 0, "agent": "a", "kind": "decision", "reads": [{
        \t\t"id":   "x"
        \t}]}
        ]}
        """,
    )


STYLED: list[Callable[[str], str]] = [
    lambda text: text,
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace("  ", "\t"),
    lambda text: " ".join(text.split()),
    lambda text: text.rstrip("\n"),
    lambda text: "\n\n" + text + "\n\n",
]


@pytest.mark.parametrize("style", STYLED)
@pytest.mark.parametrize("rule", OFFERED)
def test_the_style_of_the_text_is_kept(rule: str, style: Callable[[str], str]) -> None:
    """The outcome in another style is the outcome in that style, for the text around the change is left alone."""
    plain, styled = fixes(rule, RULES[rule].bad), fixes(rule, style(RULES[rule].bad))
    assert {title: json.loads(text) for title, text in styled.items()} == {
        title: json.loads(text) for title, text in plain.items()
    }
    for title, text in plain.items():
        if "Insert" not in title and "Move" not in title:
            assert styled[title] == style(text), title
