"""What another step has found out, in the text of SQL."""

from __future__ import annotations

import pytest

from analysis.rules.in_dialects import TRACES, WITH_REFERENCES, check_call

FOUND = {
    "in a condition": ("db.query", '{"query": "SELECT * FROM t WHERE id = {{«a.result.id»}}"}'),
    "in quotes": ("db.query_ro", """{"sql": "SELECT * FROM t WHERE name = '{{«a.result.name»}}'", "params": []}"""),
    "with a dollar": ("sql.query", '{"query": "DELETE FROM t WHERE id = ${«a.result.id»}"}'),
    "the name of a table": ("postgres.run", '{"query": "SELECT * FROM {{«a.result.table»}}"}'),
    "in a comment": ("db.write", '{"statement": "UPDATE t SET x = 1 WHERE y = 2 -- {{«a.result.note»}}"}'),
    "the statement itself": ("db.query", '{"query": "{{«a.result.sql»}}"}'),
    "behind a comment": ("db.query", '{"text": "/* x */ sElEcT * FROM t WHERE id = {{«a.result.id»}}"}'),
    "under another name": ("db.query", '{"payload": {"job": ["SELECT a FROM t WHERE id = {{«a.result.id»}}"]}}'),
    "a tool that is no database": ("report.make", '{"sql": "SELECT a FROM t WHERE id = {{«a.result.id»}}"}'),
    "with escapes": ("db.query", r'{"query": "SELECT \"é\" FROM t\nWHERE id = {{«a.result.id»}}"}'),
    "in JSON text": ("db.query", r'{"body": «"{\"query\": \"SELECT a FROM t WHERE id = {{a.result.id}}\"}"»}'),
    "in a sum": ("db.query", '{"query": "SELECT a FROM t WHERE id = {{«a.result.id» + 1}}"}'),
    "through a client's prefix": ("mcp__server__db.query", '{"Query": "SELECT {{«a.result.x»}}"}'),
    "a tool for queries": ("execute_query", '{"query": "SELECT a FROM t WHERE x = {{«a.result.x»}}"}'),
    "several": (
        "sql.run",
        '{"statements": ["SELECT 1", "SELECT a FROM t WHERE x = {{«a.result.x»}} AND y = {{a.result.y}}"]}',
    ),
    "JSON text in JSON text": (
        "db.query",
        '{"input": «"{\\"input\\": \\"SELECT a FROM t WHERE x = {{a.result.x}}\\"}"»}',
    ),
    "in escapes": ("db.query", '{"query": "SELECT \\u007b\\u007b«a.result.x»}}"}'),
}
"""By what is wrong: the tool and its arguments, with marks where findings are."""
FINE = {
    "bound by position": ("db.query", '{"query": "SELECT * FROM t WHERE id = ?", "params": ["{{a.result.id}}"]}'),
    "bound by name": ("db.query", '{"sql": "SELECT * FROM t WHERE id = :id", "parameters": {"id": "{{a.result.id}}"}}'),
    "another argument": ("db.query", '{"query": "SELECT 1", "database": "{{a.result.database}}", "timeout": 5}'),
    "a variable of the environment": ("db.query", '{"query": "SELECT * FROM ${TABLE}"}'),
    "a template of another kind": ("db.query", '{"query": "SELECT * FROM t WHERE id = {id} AND x = %(a.result)s"}'),
    "a search": ("db.search", '{"query": "laptops like {{a.result.name}}"}'),
    "a search of the web": ("web.search", '{"query": "select the best of {{a.result.items}}"}'),
    "a mail": ("notify.mail", '{"body": "Select a seat from {{a.result.seats}} and update us."}'),
    "a record": ("db.write", '{"table": "t", "row": {"name": "{{a.result.name}}", "note": "Dear {{a.result.name}}"}}'),
    "a row": ("db.insert", '{"values": {"note": "select {{a.result.x}}"}}'),
    "another language": ("graphql.query", '{"query": "query { user(id: \\"{{a.result.x}}\\") { name } }"}'),
    "a question": ("run_query", '{"query": "sales of {{a.result.x}}"}'),
    "a filter": ("mongodb.find", '{"query": {"name": "{{a.result.x}}"}}'),
}


@pytest.mark.parametrize("case", FOUND)
@pytest.mark.parametrize("shape", WITH_REFERENCES)
def test_sql_interpolation(shape: str, case: str) -> None:
    check_call("sql_interpolation", WITH_REFERENCES[shape], *FOUND[case])


@pytest.mark.parametrize("case", FINE)
@pytest.mark.parametrize("shape", WITH_REFERENCES)
def test_what_is_no_sql_interpolation(shape: str, case: str) -> None:
    check_call("sql_interpolation", WITH_REFERENCES[shape], *FINE[case])


@pytest.mark.parametrize("case", FOUND)
@pytest.mark.parametrize("shape", TRACES)
def test_a_trace_has_no_references(shape: str, case: str) -> None:
    tool, arguments = FOUND[case]
    check_call("sql_interpolation", TRACES[shape], tool, arguments.replace("«", "").replace("»", ""))
