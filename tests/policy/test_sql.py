"""SQL reads or writes by what it is, not by the words in it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from plancheck.policy.sql import effect_of

READS = [
    "SELECT updated_at, deleted_by FROM orders",
    "select * from inserts where note = 'please DELETE me'",
    'SELECT "delete", "update" FROM "drop"',
    "SELECT 1 /* DROP TABLE x */ -- delete from y",
    "WITH a AS (SELECT 1) SELECT * FROM a UNION SELECT 2",
    "(SELECT 1)",
    "VALUES (1)",
    "SELECT REPLACE(name, 'a', 'b') FROM t",
    "EXPLAIN SELECT 1",
    "EXPLAIN ANALYZE SELECT 1",
    "SHOW TABLES",
    "DESCRIBE orders",
    "BEGIN; SELECT 1; COMMIT",
    "SELECT 1;",
    "SELECT * FROM t WHERE id = {{find.result.id}} AND day = '${DAY}'",
    "SELECT * FROM t WHERE a = ? AND b = %s AND c = :c AND d = $1 AND e = %(e)s",
    "SELECT TOP 5 * FROM t",
    "COPY t TO STDOUT",
    "SELECT * FROM `project.data.table`",
]
WRITES = [
    "INSERT INTO t VALUES (1)",
    "update t set a = 1",
    "DELETE FROM t",
    "SELECT 1; DROP TABLE t",
    "/* only reads */ TRUNCATE TABLE t",
    "-- SELECT\nDELETE FROM t",
    "WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone",
    "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE",
    "REPLACE INTO t VALUES (1)",
    "CREATE TABLE t AS SELECT 1",
    "ALTER TABLE t ADD COLUMN a int",
    "SELECT * INTO copy FROM t",
    "SELECT * FROM t FOR UPDATE",
    "GRANT ALL ON t TO public",
    "EXPLAIN ANALYZE DELETE FROM t",
    "COPY t FROM 's3://x'",
    "SELECT setval('s', 1)",
    "LOAD DATA INFILE 'x' INTO TABLE t",
    "D\u0045LETE FROM t",
]
UNKNOWN = [
    "",
    "   ",
    "{{make.result.sql}}",
    "hello world",
    "CALL clean_up()",
    "EXEC sp_x",
    "-- SELECT 1",
    "PRAGMA wal_checkpoint",
    "PRAGMA journal_mode = wal",
    "COPY t TO PROGRAM 'sh'",
    "COPY t TO '/tmp/t.csv'",
    "SELECT " + "1," * 20_000 + "1",
]


@pytest.mark.parametrize("sql", READS)
def test_it_reads(sql: str) -> None:
    assert effect_of(sql).value == "read"


@pytest.mark.parametrize("sql", WRITES)
def test_it_writes(sql: str) -> None:
    assert effect_of(sql).value == "write"


@pytest.mark.parametrize("sql", UNKNOWN)
def test_nobody_can_tell(sql: str) -> None:
    assert effect_of(sql).value == "unknown"


def test_deep_nesting_harms_nobody() -> None:
    assert effect_of("SELECT " + "(" * 5_000 + "1" + ")" * 5_000 + " INTO t").value == "unknown"


def test_sqlglot_and_yaml_are_imported_only_when_they_are_needed() -> None:
    code = (
        "import sys; from plancheck import check_text; "
        """check_text('{"goal": "g", "steps": [{"id": "a", "tool": "t", "args": {"x": 1}}]}'); """
        "print([name for name in ('sqlglot', 'yaml') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
