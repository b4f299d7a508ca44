"""What the fixes of the rules about the texts of calls make of the arguments, and where there is none."""

from __future__ import annotations

import pytest

from plancheck.analysis.engine import analyze
from plancheck.analysis.fix.offer import fix_edits, offered
from plancheck.text import apply_edits

BEFORE = (
    '{"goal": "g", "steps": [{"id": "a", "tool": "look.up"}, {"id": "b", "tool": "%s", "depends_on": ["a"], "args": '
)


def fixed(rule: str, tool: str, arguments: str) -> list[tuple[str, bool]]:
    """What each fix makes of the arguments, and whether it is safe."""
    before = BEFORE % tool
    text = f"{before}{arguments}}}]}}"
    snapshot = analyze(text)
    finding = next(finding for finding in snapshot.findings if finding.rule == rule)
    results = [(apply_edits(text, fix_edits(snapshot, fix)), fix.safe) for fix in offered(snapshot, finding)]
    return [(after[len(before) : -3], is_safe) for after, is_safe in results]


BOUND = {
    "in the style of the statement": (
        '{"query": "SELECT 1 FROM t WHERE x = ? AND id = {{a.result.id}} AND y = ?", "params": [1, 2]}',
        '{"query": "SELECT 1 FROM t WHERE x = ? AND id = ? AND y = ?", "params": [1, "{{a.result.id}}", 2]}',
        True,
    ),
    "in quotes": (
        """{"query": "SELECT 1 FROM t WHERE x = %s AND id = '{{a.result.id}}'", "params": [1]}""",
        '{"query": "SELECT 1 FROM t WHERE x = %s AND id = %s", "params": [1, "{{a.result.id}}"]}',
        True,
    ),
    "by number": (
        '{"query": "SELECT 1 FROM t WHERE x = $1 AND id = {{a.result.id}}", "params": [1]}',
        '{"query": "SELECT 1 FROM t WHERE x = $1 AND id = $2", "params": [1, "{{a.result.id}}"]}',
        True,
    ),
    "by name": (
        '{"query": "SELECT 1 FROM t WHERE id = :id AND y = {{a.result.id}} LIMIT {{a.result.n}}", "binds": {"id": 1}}',
        '{"query": "SELECT 1 FROM t WHERE id = :id AND y = :id2 LIMIT :n", '
        '"binds": {"id": 1, "id2": "{{a.result.id}}", "n": "{{a.result.n}}"}}',
        True,
    ),
    "by a guess": (
        """{"query": "INSERT INTO t (x, y) VALUES ({{a.result.x}}, '{{a.result.y}}')"}""",
        '{"query": "INSERT INTO t (x, y) VALUES (?, ?)", "params": ["{{a.result.x}}", "{{a.result.y}}"]}',
        False,
    ),
    "by a guess with names": (
        '{"query": "SELECT 1 FROM t WHERE id = {{a.result.id}}", "params": {}}',
        '{"query": "SELECT 1 FROM t WHERE id = :id", "params": {"id": "{{a.result.id}}"}}',
        False,
    ),
}


@pytest.mark.parametrize("case", BOUND)
def test_a_value_is_bound(case: str) -> None:
    before, after, is_safe = BOUND[case]
    assert fixed("sql_interpolation", "db.query", before) == [(after, is_safe)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 FROM {{a.result.table}}",
        "{{a.result.sql}}",
        "SELECT 1 FROM t WHERE x LIKE '%{{a.result.x}}%'",
        "SELECT 1 FROM t WHERE id = {{a.result.id}} -- {{a.result.note}}",
        "SELECT 1 FROM t WHERE id IN ({{a.result.ids}})",
        "SELECT 1 FROM t ORDER BY {{a.result.column}}",
        "SELECT 1 FROM t WHERE id = {{a.result.id}}_x",
        "SELECT 1 FROM t WHERE {{a.result.column}} = 1",
        "SELECT 1 FROM t WHERE id = ? AND x = :x AND y = {{a.result.y}}",
    ],
)
def test_what_may_be_more_than_a_value_is_not_bound(sql: str) -> None:
    assert fixed("sql_interpolation", "db.query", f'{{"query": "{sql}"}}') == []


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("ls -l {{a.result.dir}}", '["ls", "-l", "{{a.result.dir}}"]'),
        ("git log '--grep={{a.result.x}} y'", '["git", "log", "--grep={{a.result.x}} y"]'),
        ("sudo cp a.txt ${ a.result.dir }/b", '["sudo", "cp", "a.txt", "${ a.result.dir }/b"]'),
    ],
)
def test_a_plain_command_becomes_a_list(command: str, words: str) -> None:
    assert fixed("command_interpolation", "bash", f'{{"command": "{command}"}}') == [(f'{{"command": {words}}}', False)]


@pytest.mark.parametrize(
    "command",
    [
        "ls {{a.result.dir}} | wc",
        "rm *.{{a.result.kind}}",
        "cd {{a.result.dir}}",
        "A=1 ls {{a.result.dir}}",
        "{{a.result.program}} -v",
        "sh -c 'ls {{a.result.dir}}'",
        "ls ~/{{a.result.dir}}",
        "ls 'it{{a.result.dir}}",
    ],
)
def test_a_command_for_a_shell_stays(command: str) -> None:
    assert fixed("command_interpolation", "bash", f'{{"command": "{command}"}}') == []


@pytest.mark.parametrize(
    ("url", "after"),
    [
        ("http://example.com/x", "https://example.com/x"),
        (" WS://example.com", " wss://example.com"),
        ("http://example.com:8080/x", None),
        ("ftp://example.com/x", None),
    ],
)
def test_a_url_is_encrypted(url: str, after: str | None) -> None:
    expected = [] if after is None else [(f'{{"url": "{after}"}}', False)]
    assert fixed("cleartext_endpoint", "http.get", f'{{"url": "{url}"}}') == expected


def test_a_url_in_a_trace_is_encrypted_where_it_is() -> None:
    text = (
        r'{"tool_calls": [{"id": "c", "function": {"name": "get", "arguments": "{\"url\": \"http://example.com\"}"}}]}'
    )
    snapshot = analyze(text)
    finding = next(finding for finding in snapshot.findings if finding.rule == "cleartext_endpoint")
    (fix,) = offered(snapshot, finding)
    assert apply_edits(text, fix_edits(snapshot, fix)) == text.replace("http", "https")
