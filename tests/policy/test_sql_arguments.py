"""Which texts of a call are SQL by its tool and their names, and that all SQL of a plan is judged in bounded time."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from plancheck.gate import PolicyDecision, evaluate_plan, load_policy

READER = "tools: {kb.ask: read, docs.search: read}"


def judged(tool: str, arguments: Any, policy: str = "{}") -> PolicyDecision:
    return evaluate_plan(json.dumps([{"tool_name": tool, "args": arguments}]), policy=load_policy(policy))


@pytest.mark.parametrize(
    "name",
    [
        *(
            "sql",
            "SQL",
            "SQL ",
            "s\u200bql",
            "\uff53\uff51\uff4c",
            "sql_query",
            "sqlQuery",
            "SqlQuery",
            "rawSql",
            "raw-sql",
        ),
        *("sqls", "sqlquery", "sql_text", "sql1", "sql_2", "tsql", "sqlstatement", "request.sql"),
    ],
)
@pytest.mark.parametrize("tool", ["db.query_ro", "postgres.query_ro", "docs.find_ro"])
def test_a_name_that_means_sql_for_every_reader(tool: str, name: str) -> None:
    assert judged(tool, {name: "LOCK accounts"}).requires_hitl
    assert judged(tool, {name: "${SQL}"}).requires_hitl
    assert judged(tool, {"a": [{"b": {name: "SELECT 1 {{x}}"}}]}).requires_hitl
    assert judged(tool, {name: "DELETE t"}).deny
    assert judged(tool, {name: "SELECT 1"}).allow


@pytest.mark.parametrize("name", ["query", "Queries", "statement", "stmt", "q", "query_text", "count_query", "query2"])
@pytest.mark.parametrize("tool", ["db.query_ro", "mysql.run_ro", "reports.run_sql_ro", "mcp__postgres__read_ro"])
def test_a_name_that_means_sql_in_databases(tool: str, name: str) -> None:
    assert judged(tool, {name: "LOCK accounts"}).requires_hitl
    assert judged(tool, {name: "${SQL}"}).requires_hitl
    assert judged(tool, {name: "hello world"}).requires_hitl


@pytest.mark.parametrize("name", ["sql_dialect", "query_timeout", "mysql_host", "statement_id", "sequel", "queryable"])
def test_a_name_that_does_not_mean_sql(name: str) -> None:
    assert judged("db.query_ro", {"sql": "SELECT 1", name: "postgres"}).allow
    assert judged("db.query_ro", {"sql": "SELECT 1", name: "${NAME}"}).allow


@pytest.mark.parametrize("text", ["load balancer", "Truncate definition", "analyze this", "what is SQL?", "${WORD}"])
def test_a_search_outside_of_databases(text: str) -> None:
    assert judged("docs.search_ro", {"query": text}).allow
    assert judged("docs.search", {"query": text}, READER).allow


def test_a_query_outside_of_databases_that_only_the_run_can_tell() -> None:
    assert judged("docs.query_ro", {"query": "load balancer"}).allow
    assert judged("docs.query_ro", {"query": "${WORD}"}).requires_hitl
    assert judged("kb.ask", {"query": "${WORD}"}, READER).requires_hitl
    assert judged("kb.ask", {"query": "LOCK accounts"}, READER).requires_hitl


def test_arguments_without_names() -> None:
    assert judged("db.query_ro", {"x": ["LOCK accounts"]}).requires_hitl
    text = '[{"tool_name": "agent.run", "args": {"x": {"tool": "postgres.query_ro", "args": ["LOCK accounts"]}}}]'
    assert evaluate_plan(text).requires_hitl


@pytest.mark.parametrize("name", ["command", "input", "text", "__arg1"])
def test_what_the_run_puts_in_where_nothing_is_called_sql(name: str) -> None:
    assert judged("db.query_ro", {name: "${SQL}"}).requires_hitl
    assert judged("db.query_ro", {name: "${SQL}", "sql": "SELECT 1"}).allow
    assert judged("db.query_ro", {name: "status"}).allow
    assert judged("crm.find_ro", {name: "${SQL}"}).allow


def test_lists_beside_the_arguments() -> None:
    step = {"tool_name": "db.query_ro", "args": {"sql": "SELECT 1"}}
    assert evaluate_plan(json.dumps([{**step, "tags": ["billing", "${TEAM}"]}])).allow
    assert not evaluate_plan(json.dumps([{**step, "tags": ["DELETE FROM users"]}])).allow
    assert not evaluate_plan(json.dumps([{**step, "input": ["LOCK accounts"]}])).allow


def test_sql_in_json_text_that_is_nested_too_deeply() -> None:
    text = "x"
    for _ in range(12):
        text = json.dumps({"a": text})
    assert judged("db.query_ro", {"x": text}).undecided


# ---- time ------------------------------------------------------------------------------------------------------------

MANY = 5_000
LARGE = {
    "close": [f"SELECT open, a FROM t{i} WHERE a = b AND " + "c + d - e > 1 OR " * 10 + "1" for i in range(MANY)],
    "doubtful": [f"SELECT f(open) FROM t{i} WHERE my_f(1) ~ 2 OR " + "c ~ d ^ e OR " * 12 + "1" for i in range(MANY)],
    "update": [f"update a b{i} " + "x y z " * 30 for i in range(MANY)],
    "not shown": [f"SELECT 1 x{i} go " + "a b c d " * 20 for i in range(MANY)],
    "plain": [f"SELECT a FROM t{i} WHERE a = b AND " + "c + d - e > 1 OR " * 10 + "1" for i in range(MANY)],
    "calls": ["SELECT " + f"zz{i}(a)," * 20 + "1" for i in range(MANY)],
    "long": ["SELECT " + f"zz{i}(a)," * 9_000 + "1" for i in range(11)],
    "backslashes": ["SELECT '\\d' " + f", f(a{i})" * 20 for i in range(MANY)],
    "deletes": [f"DELETE t{i}" for i in range(60_000)],
}


@pytest.mark.parametrize("name", LARGE)
def test_a_megabyte_of_sql_takes_no_two_seconds(name: str) -> None:
    import sqlglot  # noqa: F401

    texts = LARGE[name]
    plan = json.dumps([{"tool_name": "db.query_ro", "args": {"sql": texts[i::10]}} for i in range(10)])
    start = time.process_time()
    decision = evaluate_plan(plan)
    assert time.process_time() - start < 4  # twice what is promised: the machine may be busy
    assert decision.allow == (name == "plain")


def test_past_the_limit_the_gate_is_undecided() -> None:
    plan = [{"tool_name": "db.query_ro", "args": {"sql": LARGE["doubtful"]}}]
    decision = evaluate_plan(json.dumps(plan))
    assert decision.undecided
    assert decision.reason == (
        "`db.query_ro` may only read, and this plan has too much SQL to check all of it: split the plan."
    )


def test_fifty_steps_of_sql_that_has_to_be_parsed() -> None:
    sql = "WITH r(n) AS (SELECT open FROM prices{} WHERE close ~ 'x') SELECT CAST(n AS DECIMAL(10, 2)) FROM r"
    plan = [{"tool_name": "db.query_ro", "args": {"sql": sql.replace("{}", str(i))}} for i in range(50)]
    assert evaluate_plan(json.dumps(plan)).allow
