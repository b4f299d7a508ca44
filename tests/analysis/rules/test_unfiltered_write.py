"""SQL that changes or destroys whole tables."""

from __future__ import annotations

import pytest

from analysis.rules.in_dialects import EVERYWHERE, check_call

FOUND = {
    "delete": ("db.write", '{"sql": «"DELETE FROM carts"»}'),
    "update": ("db.query", '{"query": «"UPDATE carts SET x = 1"»}'),
    "truncate": ("sql.query", '{"query": «"TRUNCATE TABLE carts"»}'),
    "drop": ("postgres.run", '{"query": «"drop table if exists carts cascade"»}'),
    "the second statement": ("db.query", '{"query": «"SELECT 1; DELETE FROM carts;"»}'),
    "a condition of a subquery": ("db.query", '{"query": «"UPDATE t SET x = (SELECT y FROM u WHERE z = 1)"»}'),
    "a condition in a comment": ("db.query", '{"query": «"DELETE/**/FROM carts -- WHERE id = 1"»}'),
    "a condition in a string": ("db.query", """{"query": «"UPDATE t SET x = 'a where b'"»}"""),
    "a condition that always holds": ("db.query", '{"query": «"DELETE FROM t WHERE id = 5 OR 1=1"»}'),
    "inside a query": ("db.query", '{"query": «"WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x"»}'),
    "in a comment that MySQL runs": ("mysql.run", '{"query": «"/*!50000 DELETE */ FROM carts"»}'),
    "with escapes": ("db.query", r'{"query": «"UPDATE \"é\"\nSET x = 1"»}'),
    "another tool": ("report.make", '{"sql": «"DELETE FROM carts"»}'),
    "in parentheses": ("db.query", '{"query": «"DELETE FROM t WHERE (TRUE)"»}'),
    "without a semicolon": ("db.query", '{"query": «"SELECT 1 DELETE FROM t"»}'),
    "a column": ("db.query", '{"query": «"ALTER TABLE t DROP COLUMN x"»}'),
}
"""By what is wrong: the tool and its arguments, with marks where findings are."""
FINE = {
    "with a condition": ("db.write", '{"sql": "DELETE FROM carts WHERE id = 5"}'),
    "a condition of several lines": ("db.query", r'{"query": "UPDATE t\nSET x = 1\n-- only some\nWHERE\ty = 2"}'),
    "a lock": ("db.query", '{"query": "SELECT * FROM t FOR UPDATE"}'),
    "an upsert": ("db.query", '{"query": "INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET x = 1"}'),
    "columns of such names": ("db.query_ro", '{"query": "SELECT updated_at, deleted, dropped FROM t"}'),
    "a word in a string": ("db.query_ro", """{"query": "SELECT * FROM log WHERE text = 'delete from t'"}"""),
    "with a limit": ("db.query", '{"query": "DELETE FROM t ORDER BY id LIMIT 10"}'),
    "a temporary table": ("db.query", '{"query": "DROP TEMPORARY TABLE t"}'),
    "prose": ("notify.mail", '{"body": "Delete from your list what you update. Drop us a line!"}'),
    "prose for a database": ("db.search", '{"query": "update the address of a customer"}'),
    "a condition of the run": ("db.query", '{"query": "DELETE FROM t ${FILTER}"}'),
    "a foreign key": (
        "db.query",
        '{"query": "CREATE TABLE x (a int REFERENCES y ON DELETE CASCADE ON UPDATE CASCADE)"}',
    ),
    "a trigger": ("db.query", '{"query": "CREATE TRIGGER x BEFORE DELETE ON t FOR EACH ROW EXECUTE FUNCTION f()"}'),
    "a join": ("db.query", '{"query": "DELETE FROM t USING u WHERE t.id = u.id AND 1 = 1"}'),
    "a row": ("db.query", '{"query": "INSERT INTO log VALUES (\'DROP TABLE x; DELETE FROM y\')"}'),
    "what another rule denies": ("db.query_ro", '{"query": "DROP TABLE t"}'),
}


@pytest.mark.parametrize("case", FOUND)
@pytest.mark.parametrize("shape", EVERYWHERE)
def test_unfiltered_write(shape: str, case: str) -> None:
    check_call("unfiltered_write", EVERYWHERE[shape], *FOUND[case])


@pytest.mark.parametrize("case", FINE)
@pytest.mark.parametrize("shape", EVERYWHERE)
def test_what_is_no_unfiltered_write(shape: str, case: str) -> None:
    check_call("unfiltered_write", EVERYWHERE[shape], *FINE[case])
