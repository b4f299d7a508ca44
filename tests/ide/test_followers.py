"""The steps that follow a step, as the list shows them that its lens opens."""

from __future__ import annotations

from ide.marks import cursor
from plancheck.ide.cursor import step_at
from plancheck.ide.followers import MOST_FOLLOWERS, followers_at


def check_followers(text: str, expected: list[str], total: int | None = None) -> None:
    """What names the followers of the step at `$0`."""
    snapshot, offset = cursor(text)
    found = followers_at(snapshot, offset)
    assert found is not None
    assert [snapshot.text[name.start : name.end] for name in found.names] == expected
    position = step_at(snapshot, offset)
    assert position is not None
    assert found.total == (len(expected) if total is None else total) == snapshot.graph.follower_counts[position]


def test_all_that_follow_directly_or_not_by_their_names() -> None:
    check_followers(
        """
        {"nodes": [
          {"idx": 7, "agent": "clerk"},
          $0{"idx": 8, "agent": "desk"},
          {
            "idx": 9,
            "agent": "bank"
          },
          {"idx": 10, "control_preds": [9]},
          {"idx": 11, "control_preds": [7]}
        ]}
        """,
        ["9", "10"],
    )


def test_names_of_steps_and_calls() -> None:
    check_followers('{"steps": [{$0"id": "a", "tool": "t"}, {"id": "b", "tool": "u", "depends_on": ["a"]}]}', ['"b"'])
    check_followers('[{"tool_name": "t"$0}, {"tool_name": "u"}]', ['"u"'])


def test_a_step_in_a_circle_does_not_follow_itself() -> None:
    check_followers(
        """
        {"steps": [
          {$0"id": "a", "tool": "t", "depends_on": ["c"]},
          {"id": "b", "tool": "t", "depends_on": ["a"]},
          {"id": "c", "tool": "t", "depends_on": ["b"]}
        ]}
        """,
        ['"b"', '"c"'],
    )


def test_the_last_step_and_no_step() -> None:
    check_followers('{"nodes": [{"idx": 0}, {"idx": $01}]}', [])
    snapshot, offset = cursor('{"nodes": [{"idx": 0}], "m$0eta": 1}')
    assert followers_at(snapshot, offset) is None


def test_of_very_many_the_first() -> None:
    steps = ",\n".join(f'{{"idx": {idx}}}' for idx in range(1, 10_000))
    first = [str(idx) for idx in range(1, MOST_FOLLOWERS + 1)]
    check_followers(f'{{"nodes": [$0{{"idx": 0}},\n{steps}]}}', first, 9_999)
