"""What a tool does: by the policy, the catalogue, else its name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analysis.marks import check_rule
from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.catalogue.model import Catalogue, CatalogueSource
from plancheck.policy.classes import ClassSource, ToolClasses
from plancheck.policy.families import Family, Trait
from plancheck.policy.model import Policy
from plancheck.policy.reading import joined, read_policy


def tools(*described: dict[str, Any]) -> Catalogue:
    return Catalogue((CatalogueSource("tools.json", json.dumps(described)),))


HINTED = tools(
    {"name": "look_ro", "annotations": {"destructiveHint": True}},
    {"name": "payments.transfer", "annotations": {"destructiveHint": True}},
    {"name": "wipe", "annotations": {"readOnlyHint": True}},
    {"name": "fetch", "annotations": {"readOnlyHint": True, "openWorldHint": True}},
    {"name": "plain"},
)


@pytest.mark.parametrize(
    ("policy", "tool", "families", "traits", "source"),
    [
        ("", "db.query_ro", {Family.READ, Family.SQL}, set(), ClassSource.NAME),
        ("", "plain", {Family.OTHER}, set(), ClassSource.NAME),
        ("", "run_python", {Family.EXEC}, set(), ClassSource.NAME),
        ("", "wipe", {Family.READ}, set(), ClassSource.CATALOGUE),
        ("", "mcp__files__wipe", {Family.READ}, set(), ClassSource.CATALOGUE),
        ("", "look_ro", {Family.DESTRUCTIVE}, set(), ClassSource.CATALOGUE),
        ("", "payments.transfer", {Family.DESTRUCTIVE, Family.PAY}, set(), ClassSource.CATALOGUE),
        ("", "fetch", {Family.READ}, {Trait.UNTRUSTED}, ClassSource.CATALOGUE),
        ("tools: {wipe: delete}", "wipe", {Family.DELETE}, set(), ClassSource.POLICY),
        ("tools: {wipe: [delete, irreversible]}", "Wipe", {Family.DELETE}, {Trait.IRREVERSIBLE}, ClassSource.POLICY),
        ("tools: {fetch: private}", "fetch", {Family.READ}, {Trait.PRIVATE, Trait.UNTRUSTED}, ClassSource.CATALOGUE),
        (
            "tools: {wipe: {does: [http, pay], irreversible: true, source: private}}",
            "wipe",
            {Family.HTTP, Family.PAY},
            {Trait.IRREVERSIBLE, Trait.PRIVATE},
            ClassSource.POLICY,
        ),
    ],
)
def test_the_policy_counts_before_the_catalogue_before_the_name(
    policy: str, tool: str, families: set[Family], traits: set[Trait], source: ClassSource
) -> None:
    known = ToolClasses(read_policy(policy).policy, HINTED.hints).classify(tool)
    assert (set(known.families), set(known.traits), known.source) == (families, traits, source)


@pytest.mark.parametrize(
    "tool",
    ["search", "get_user", "list_files", "code_review", "command_center", "approve_order", "run_report", "shellfish"],
)
def test_a_name_that_tells_nothing_is_not_guessed_at(tool: str) -> None:
    assert ToolClasses(Policy()).classify(tool).families == {Family.OTHER}


@pytest.mark.parametrize(
    ("text", "token", "message"),
    [
        ("tools: {x: [read, reed]}", "reed", "What `x` does must be one of read"),
        ("tools: {x: []}", "[", "What `x` does must be one of read"),
        ("tools: {x: {}}", "{", "`x` is not described"),
        ("tools: {x: {doez: read}}", "doez", "`doez` is not a key of a tool"),
        ("tools: {x: {irreversible: yes please}}", "yes please", "must be true or false"),
        ("tools: {x: {source: read}}", "read", "must be one of private, untrusted"),
        ("tools: {x: {does: private}}", "private", "must be one of read"),
        ("tools: {x: 5}", "5", "What `x` does must be one of read"),
    ],
)
def test_a_mistake_in_what_a_policy_says_about_a_tool_is_reported_at_its_token(
    text: str, token: str, message: str
) -> None:
    (problem,) = read_policy(text).problems
    assert message in problem.message
    assert text[slice(*problem.span)] == token[: problem.span.end - problem.span.start] or token.startswith(
        text[slice(*problem.span)]
    )


def test_a_policy_in_python_takes_words_lists_and_objects() -> None:
    policy = Policy(tools={"a": "read", "b": ["pay", "irreversible"], "c": {"does": "http", "source": "untrusted"}})
    assert policy.words_about("b") == (Family.PAY, Trait.IRREVERSIBLE)
    assert policy.words_about("c") == (Family.HTTP, Trait.UNTRUSTED)
    for wrong in ("reed", 5, ["read", 5], {"doez": "read"}, {"source": "read"}, {"irreversible": 1}):
        with pytest.raises(ValueError, match="tool"):
            Policy(tools={"a": wrong})


def test_the_version_of_a_policy_of_before_is_the_same() -> None:
    """A log names policies by their digests."""
    digest = "sha256:b5721a2d7acc26dabe422c11e13935c437cd31f68d8f908ea56ec9f58e15d6a6"
    assert Policy(allow_tools=["a"], tools={"a": "read", "b": "pay"}).digest == digest


def test_joined_policies_say_all_that_each_says() -> None:
    one, other = (read_policy(text) for text in ("tools: {x: pay}", "tools: {X: [http, irreversible]}"))
    assert set(joined([one, other]).words_about("x")) >= {Family.PAY, Family.HTTP, Trait.IRREVERSIBLE}
    untrusted = joined([], [read_policy("tools: {x: [write, private], y: [read, untrusted], z: other}")])
    assert untrusted.tools == (("x", (Trait.PRIVATE,)), ("y", (Family.READ, Trait.UNTRUSTED)))


def test_sql_through_a_tool_that_the_catalogue_calls_read_only() -> None:
    known = tools({"name": "run_sql", "annotations": {"readOnlyHint": True}})
    check_rule(
        "tool_deny",
        """
        [{"tool_name": "run_sql", "args": {"sql": "DELETE FROM orders"}}]
                                                  ~~~~~~~~~~~~~~~~~~~~ tool_deny: Step 0 writes by SQL through `run_sql`, which only reads…
        """,  # noqa: E501
        Settings(catalogue=known),
    )
    policy = read_policy("tools: {run_sql: write}").policy
    check_rule(
        "tool_deny",
        '[{"tool_name": "run_sql", "args": {"sql": "DELETE FROM t"}}]',
        Settings(policy=policy, catalogue=known),
    )


@pytest.mark.parametrize("query", ["update the address of a user", "delete old mails", "drop off the parcel at noon"])
def test_a_search_through_such_a_tool_is_no_sql(query: str) -> None:
    known = tools({"name": "search_docs", "annotations": {"readOnlyHint": True}})
    plan = json.dumps([{"tool_name": "search_docs", "args": {"query": query}}])
    snapshot = analyze(plan, Settings(catalogue=known))
    assert (snapshot.findings, snapshot.unchecked) == ([], [])


def test_a_handler_is_asked_for_where_the_catalogue_says_destructive() -> None:
    known = tools({"name": "replace_all", "annotations": {"destructiveHint": True}})
    check_rule(
        "missing_handler",
        """
        {"goal": "g", "steps": [{"id": "a", "tool": "replace_all"}]}
                                                    ~~~~~~~~~~~~~ missing_handler: Step a overwrites or destroys something and does not say what happens when it fails: add `on_fail`.
        """,  # noqa: E501
        Settings(policy=read_policy("require_handlers: true").policy, catalogue=known),
    )
