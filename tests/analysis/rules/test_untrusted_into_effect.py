"""Data that anybody may have written, into steps that do something."""

from __future__ import annotations

import pytest

from analysis.marks import check_rule
from analysis.rules.flow_plans import DIALECTS, Act, reported

RULE = "untrusted_into_effect"
WEB = Act("web")
BAD = {
    "it is paid": ([WEB, Act("pay", {"to": "{{s0.result.iban}}"})], [(0, 1)]),
    "it is sent": ([WEB, Act("look"), Act("send", {"text": "so: {{s0.result}}"})], [(0, 2)]),
    "it is run": ([WEB, Act("shell", {"argv": ["cat", "{{s0.result.path}}"]})], [(0, 1)]),
    "it says what is deleted": ([WEB, Act("wipe", {"ids": [{"id": "{{s0.result}}"}]})], [(0, 1)]),
    "through another step": (
        [
            WEB,
            Act("sum", {"of": "{{s0.result}}"}),
            Act("sum", {"of": "{{s1.result}}"}),
            Act("pay", {"x": "{{s2.result}}"}),
        ],
        [(0, 1, 2, 3)],
    ),
    "the check looks at something else, before": ([Act("ask"), WEB, Act("pay", {"to": "{{s1.result}}"})], [(1, 2)]),
    "the check comes too late": ([WEB, Act("pay", {"to": "{{s0.result}}"}), Act("ask")], [(0, 1)]),
    "only one of two sources is checked": (
        [WEB, Act("ask"), WEB, Act("pay", {"to": "{{s0.result}}", "sum": "{{s2.result}}"})],
        [(2, 3)],
    ),
}
GOOD = {
    "it comes after, and takes nothing": [WEB, Act("pay", {"to": "ACME"})],
    "it takes the data of another step": [WEB, Act("look"), Act("pay", {"to": "{{s1.result}}"})],
    "it is taken by what does nothing": [
        WEB,
        Act("sum", {"of": "{{s0.result}}"}),
        Act("note", {"text": "{{s1.result}}"}),
    ],
    "a check passes it on": [WEB, Act("ask", {"of": "{{s0.result}}"}), Act("pay", {"to": "{{s1.result.iban}}"})],
    "a check comes between": [WEB, Act("ask", {"of": "{{s0.result}}"}), Act("pay", {"to": "{{s0.result.iban}}"})],
    "a source that only its owner writes": [Act("books"), Act("pay", {"to": "{{s0.result}}"})],
    "the reference is none": [WEB, Act("pay", {"to": "$s0.result"})],
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", BAD)
def test_it_flows(name: str, dialect: str) -> None:
    plan, expected = BAD[name]
    assert reported(RULE, plan, dialect) == expected


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", GOOD)
def test_it_does_not_flow(name: str, dialect: str) -> None:
    assert reported(RULE, GOOD[name], dialect) == []


def test_a_check_counts_where_every_way_leads_through_it() -> None:
    ask = Act("ask", {"of": "{{s0.result}}"}, after=["s0"])
    pay = Act("pay", {"to": "{{s0.result}}"}, after=["s0", "s1"])
    assert reported(RULE, [WEB, ask, pay], "steps") == []
    assert reported(RULE, [WEB, ask, pay._replace(after=["s0"])], "steps") == [(0, 2)]
    assert reported(RULE, [WEB, ask._replace(on_fail="continue"), pay], "steps") == [(0, 2)]
    assert reported(RULE, [WEB._replace(kind="decision"), ask, pay], "steps") == [(0, 2)]


def test_the_source_may_stand_behind() -> None:
    plan = [Act("pay", {"to": "{{s1.result}}"}, after=["s1"]), Act("web", after=[])]
    assert reported(RULE, plan, "steps") == [(1, 0)]


def test_a_circle_of_references_ends() -> None:
    plan = [Act("sum", {"x": "{{s1.result}}"}), Act("web", {"x": "{{s0.result}}"}), Act("pay", {"x": "{{s1.result}}"})]
    assert reported(RULE, plan, "steps") == [(1, 2)]


def test_a_long_way_is_shown_by_its_source_and_its_end() -> None:
    chain = [Act("sum", {"x": f"{{{{s{number}.result}}}}"}) for number in range(30)]
    assert reported(RULE, [WEB, *chain, Act("pay", {"x": "{{s30.result}}"})], "calls") == [(0, *range(22, 32))]


@pytest.mark.parametrize(
    ("source", "effect", "expected"),
    [
        ("http.get", "payments.transfer", [(0, 1)]),
        ("web_search", "send_message", [(0, 1)]),
        ("gmail.search_emails", "delete_file", [(0, 1)]),
        ("crm.find", "payments.transfer", []),
        ("find_user_by_email", "payments.transfer", []),
        ("send_email", "payments.transfer", []),
        ("get_email_address", "payments.transfer", []),
    ],
)
def test_names_tell_where_nobody_says_more(source: str, effect: str, expected: list[tuple[int, ...]]) -> None:
    assert reported(RULE, [Act(source), Act(effect, {"x": "{{s0.result}}"})], "calls", "") == expected


def test_a_name_approves_nothing_where_the_policy_says_what_does() -> None:
    plan = [WEB, Act("request_approval", {"x": "{{s0.result}}"}), Act("pay", {"x": "{{s1.result}}"})]
    assert reported(RULE, plan, "calls") == [(0, 1, 2)]
    assert reported(RULE, plan, "calls", "tools: {web: {source: untrusted}, pay: pay}") == []


def test_a_trace_has_no_references() -> None:
    assert reported(RULE, [WEB, Act("pay", {"to": "{{c0.result}}"})], "trace") == []


def test_declared_reads_carry_data_too() -> None:
    check_rule(
        RULE,
        """
        [
          {"tool_name": "http.get", "writes": ["page"]},
                        ~~~~~~~~~~ -> Step 0 is where the data comes from.
          {"tool_name": "payments.pay", "reads": [{"id": "page", "producer": 0}]}
                        ~~~~~~~~~~~~~~ untrusted_into_effect: Step 1 pays with data that anybody may have written (ste…
        ]
        """,
    )
