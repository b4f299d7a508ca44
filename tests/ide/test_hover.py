"""What hover says about steps, references, resources, keys, rules and the plan."""

from __future__ import annotations

import textwrap

import pytest

from ide.marks import cursor
from plancheck.ide.hover import hover


def check_hover(text: str, expected: str, token: str | None = None) -> None:
    """The hover at `$0`, and the token that it belongs to."""
    snapshot, offset = cursor(text)
    found = hover(snapshot, offset)
    assert found is not None
    assert found.markdown == textwrap.dedent(expected).strip()
    if token is not None:
        assert snapshot.text[found.span.start : found.span.end] == token


def check_no_hover(text: str) -> None:
    snapshot, offset = cursor(text)
    assert hover(snapshot, offset) is None


CHAIN = """
    {"nodes": [
      {"idx": 0, "agent": "clerk", "kind": "tool_call", "reads": ["order"], "writes": ["order"]},
      {"idx": %s, "agent": "desk", "kind": "decision", "reads": [{"id": "order", "producer": 0}]},
      {"idx": 2, "agent": "bank", "kind": "tool_call", "control_preds": [1], "reads": [{"id": "fx", "volatile": true,
        "pinned": true, "revalidates": true}, {"id": "order", "producer": 1}], "writes": ["fx"]}
    ]}
"""


def test_a_step_in_the_middle() -> None:
    check_hover(
        CHAIN % "1$0",
        """
        **Step 1 · desk** · `decision`

        1 of 2 other steps follows this one.

        Waits for: `0`.

        Uses data of 1 step: `0`.

        Knows: `order` (1 resource that it and the steps whose data it uses read).

        Reads `order` (from step `0`).
        """,
        "1",
    )


def test_the_keystone_and_the_last_step() -> None:
    check_hover(
        CHAIN.replace('"idx": 0', '"id$0x": 0') % 1,
        """
        **Step 0 · clerk** · `tool_call`

        2 of 2 other steps follow this one: it is the **keystone**, the step that the most others follow.

        Waits for no step.

        Uses data of no other step.

        Knows: `order` (1 resource that it reads).

        Reads `order`.

        Writes `order`.
        """,
        '"idx"',
    )
    check_hover(
        CHAIN.replace('"bank"', '"ba$0nk"') % 1,
        """
        **Step 2 · bank** · `tool_call`

        None of 2 other steps follows this one.

        Waits for: `1`.

        Uses data of 2 steps: `1`, `0`.

        Knows: `order`, `fx` (2 resources that it and the steps whose data it uses read).

        Reads `fx` (volatile, pinned, revalidates), `order` (from step `1`).

        Writes `fx`.
        """,
        '"bank"',
    )


def test_a_step_with_findings_and_much_unknown() -> None:
    check_hover(
        """
        {"nodes": [
          $0{"idx": "one", "agent": "a*b", "writes": ["w`1"], "reads": [3]}
        ]}
        """,
        """
        **Step ? · a\\*b**

        There is no other step.

        Waits for no step.

        Uses data of no other step.

        Knows: its reads cannot be made out.

        Writes ``w`1``.

        3 findings in this step.
        """,
        "{",
    )


def test_long_lists_are_cut() -> None:
    reads = ", ".join(f'{{"id": "r{i}", "producer": {i}}}' for i in range(45))
    steps = ",\n".join(f'{{"idx": {i}, "agent": "a", "kind": "tool_call", "reads": ["s{i}"]}}' for i in range(45))
    writes = ", ".join(f'"w{i}"' for i in range(10))
    last = f'"idx": $099, "agent": "b", "kind": "decision", "reads": [{reads}], "writes": [{writes}]'
    text = f'{{"nodes": [{steps}, {{{last}}}], "plancheck-ignore": ["producer_never_writes"]}}'
    snapshot, offset = cursor(text)
    found = hover(snapshot, offset)
    assert found is not None
    lines = found.markdown.split("\n\n")
    assert lines[2] == "Waits for: `44`."
    assert lines[3] == "Uses data of 45 steps: `0`, `1`, `2`, `3`, `4`, `5`, `6`, `7` … and 37 more."
    assert lines[4].startswith("Knows: `s0`, `s1`")
    assert lines[4].endswith("`s7` … and 82 more (90 resources that it and the steps whose data it uses read).")
    assert lines[5].endswith("`r7` (from step `7`) … and 37 more.")
    assert lines[6].endswith("`w7` … and 2 more.")
    assert lines[7:] == ["10 findings in this step."]


def test_a_step_waits_for_the_steps_that_it_names() -> None:
    text = """
        {"steps": [
          {"id": "check", "tool": "t"}, {"id": "rate", "tool": "t", "depends_on": []},
          {"id": "p$0ay", "tool": "t", "depends_on": ["check", "rate"]}
        ]}
    """
    snapshot, offset = cursor(text)
    found = hover(snapshot, offset)
    assert found is not None
    assert "\n\nWaits for: `check`, `rate`.\n\n" in found.markdown


def test_what_could_not_be_checked_in_a_step_is_counted() -> None:
    text = '[{"tool_name": "sq$0l.query_ro", "args": {"query": "CALL tidy()"}}]'
    snapshot, offset = cursor(text)
    found = hover(snapshot, offset)
    assert found is not None
    assert found.markdown.endswith("\n\n1 place not checked in this step.")


def test_a_reference_shows_its_target() -> None:
    check_hover(
        '{"nodes": [{"idx": 4, "agent": "a", "kind": "decision"}, {"idx": 5, "control_preds": [$04]}]}',
        """
        Waits for:

        **Step 4 · a** · `decision`

        1 of 1 other step follows this one: it is the **keystone**, the step that the most others follow.

        Waits for no step.

        Uses data of no other step.

        Knows: nothing, because it reads nothing.
        """,
        "4",
    )
    check_hover(
        '{"nodes": [{"idx": 0, "agent": "a"}, {"idx": 5, "reads": [{"id": "x", "producer": 9$0}]}]}',
        "Takes `x` from step `9`, which does not exist.",
    )


def test_a_resource_shows_who_touches_it() -> None:
    text = """
        {"nodes": [
          {"idx": 10, "reads": [{"id": "fx%s", "volatile": true}, "lone"]},
          {"idx": 20, "reads": [{"id": "fx", "revalidates": true}], "writes": ["fx"],
           "scope": ["fx", "lone%s", "none%s"]}
        ]}
    """
    check_hover(
        text % ("$0", "", ""),
        """
        **Resource** `fx`

        This read: volatile.

        Read by 2 steps: `10`, `20`.

        Written by 1 step: `20`.

        Re-read by 1 step: `20`.

        Volatile where read by 1 step: `10`.
        """,
        '"fx"',
    )
    check_hover(text % ("", "$0", ""), "**Resource** `lone`\n\nRead by 1 step: `10`.")
    check_hover(text % ("", "", "$0"), "**Resource** `none`\n\nNo step reads or writes it.")


def test_a_key_says_what_it_means() -> None:
    check_hover('{"nodes": [{"ag$0ent": "a"}]}', "**agent**\n\nWho carries the step out: any name, not empty.")
    check_hover(
        '{"nodes": [{"reads": [{"id": "a", "pin$0ned": true}]}]}',
        "**pinned**\n\nThe value that was read is kept for the whole run, so a later change cannot flip a decision. "
        "That does not make it fresh: it still has to be read again.",
    )
    check_hover(
        '{"plancheck-ign$0ore": [], "nodes": []}',
        "**plancheck-ignore**\n\nRules that are switched off: on a step for what is found at that step, on the plan "
        "for the whole file. Each is a name, or an object with `rule` and `reason`. An entry that holds nothing back "
        "is reported as `unused_suppression`.",
    )
    check_hover(
        '{"nodes": [{"kind": "deci$0sion"}]}',
        "`decision`\n\nThe step chooses what happens next. Whatever it uses has to be fresh when it chooses.",
    )


def test_a_rule_shows_its_summary() -> None:
    check_hover(
        '{"nodes": [], "plancheck-ignore": ["unknown_s$0tep"]}',
        "**Rule** `unknown_step`\n\nA step names another one that does not exist.",
    )
    check_hover('{"nodes": [{"plancheck-ignore": ["nix$0"]}]}', "Unknown rule `nix`.")


def test_a_rule_that_is_switched_off_shows_why() -> None:
    check_hover(
        '{"nodes": [{"plancheck-ignore": [{"rule": "unknown_s$0tep", "reason": "made by *ops*"}]}]}',
        "**Rule** `unknown_step`\n\nA step names another one that does not exist.\n\n"
        "Switched off here, because: made by \\*ops\\*",
    )
    check_hover(
        '{"plancheck-ignore": [{"rule": "nix", "rea$0son": ""}], "nodes": []}',
        "**reason**\n\nWhy it is switched off, for whoever reads the plan.",
    )


def test_the_plan_shows_its_coverage_and_that_there_is_no_score() -> None:
    snapshot, offset = cursor(CHAIN.replace("nodes", "no$0des") % 1)
    found = hover(snapshot, offset)
    assert found is not None
    assert found.markdown.split("\n\n") == [
        "**Plan** of 3 steps, 0 findings",
        "Keystone: step `0`. 2 of 2 other steps follow it.",
        "Coverage: 2 of 4 reads name the step that the data comes from.",
        "Re-read by 1 step: `fx`.",
        "No risk score: a plan alone does not show what happens at run time.",
    ]


def test_an_empty_plan() -> None:
    snapshot, offset = cursor('{"nodes": $0[]}')
    found = hover(snapshot, offset)
    assert found is not None
    assert found.markdown.split("\n\n")[:3] == [
        "**Plan** of 0 steps, 0 findings",
        "Coverage: No step says what it reads, so the plan does not show which step uses whose data.",
        "No step re-reads anything (`revalidates`).",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "$0",
        '{"other$0": 1, "nodes": []}',
        '{"nodes": [{"idx": 0, "mine$0": 1}]}',
        '{"nodes": [{"idx": 0, "mine": "x$0"}]}',
        '{"nodes": [{"idx": 0, "kind": "x$0"}]}',
        '{"nodes": [{"idx": 0 $0 }]}',
        '{"nodes": [{"idx": 0, "reads": [$0]}]}',
    ],
)
def test_where_there_is_nothing_to_say(text: str) -> None:
    check_no_hover(text)


def test_foreign_text_cannot_become_markup() -> None:
    check_hover(
        '{"nodes": [{"idx": 0$0, "agent": "[x](http://y) <b>\\n# h", "kind": "decision"}]}',
        """
        **Step 0 · \\[x\\](http\\://y) \\<b\\> # h** · `decision`

        There is no other step.

        Waits for no step.

        Uses data of no other step.

        Knows: nothing, because it reads nothing.
        """,
    )
