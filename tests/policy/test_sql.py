"""SQL reads or writes by what it is, not by the words in it; and what cannot be shown to read is not called reading."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from random import Random

import pytest

from plancheck.policy.sql import LONGEST, effect_of
from plancheck.policy.sql_parsing import Effect
from plancheck.policy.sql_shapes import likeness_of
from policy.statements import EXPENSIVE, HARMFUL_CALLS, NOT_READS, READS, WRITES


@pytest.mark.parametrize("sql", READS)
def test_it_reads(sql: str) -> None:
    assert effect_of(sql).value == "read"


@pytest.mark.parametrize("sql", WRITES)
def test_it_writes(sql: str) -> None:
    assert effect_of(sql).value == "write"


@pytest.mark.parametrize("sql", NOT_READS, ids=lambda sql: ascii(sql[:60]))
def test_it_is_not_shown_to_read(sql: str) -> None:
    assert effect_of(sql) is not Effect.READ


@pytest.mark.parametrize("sql", ["CALL x()", "SELECT 1 -- {{a}}", "hello world", "COPY t TO '/tmp/t.csv'", "EXEC x"])
def test_nobody_can_tell(sql: str) -> None:
    assert effect_of(sql) is Effect.UNKNOWN


@pytest.mark.parametrize("name", HARMFUL_CALLS.split())
@pytest.mark.parametrize(
    "shape",
    [
        "SELECT {}('a', 1)",
        "SELECT * FROM {}('a')",
        "SELECT a FROM t WHERE b = {} ('a')",
        "SELECT a FROM t ORDER BY {}/* */('a')",
        "WITH x AS (SELECT {}(1) AS a) SELECT a FROM x",
        "SELECT a, (SELECT MAX(b) FROM (SELECT lower({}('x')) AS b) u) FROM t",
        "SELECT 1; SELECT {}(1)",
        "EXPLAIN ANALYZE SELECT {}(1)",
        "SELECT {}('\\d')",
        "VALUES ({}(1))",
    ],
)
def test_a_function_that_may_do_more_than_compute_is_no_reading(name: str, shape: str) -> None:
    assert effect_of(shape.replace("{}", name)) is not Effect.READ


@pytest.mark.parametrize(
    "spelling", ['"pg_sleep"', "PG_SLEEP", "pg_catalog.pg_sleep", 'pg_catalog."pg_sleep"', "[pg_sleep]"]
)
def test_harmful_functions_in_other_spellings(spelling: str) -> None:
    assert effect_of(f"SELECT {spelling}(10)") is not Effect.READ


def test_long_sql_that_plainly_reads() -> None:
    values = ", ".join(f"'value {n}'" for n in range(2_000))
    assert 20_000 < len(values) < LONGEST
    assert effect_of(f"SELECT * FROM t WHERE a IN ({values})") is Effect.READ


@pytest.mark.parametrize("sql", EXPENSIVE, ids=lambda sql: sql[:24])
def test_no_sql_takes_long(sql: str) -> None:
    start = time.process_time()
    effect_of(sql)
    likeness_of(sql)
    assert time.process_time() - start < 5  # ten times what the slowest takes; without limits it is hours


# ---- an oracle -------------------------------------------------------------------------------------------------------

WORDS = """
    SELECT SELECT SELECT * 1 a b t u FROM FROM WHERE AND OR NOT = < > ( ) , . ; ' '' " ` [ ] -- /* */ # \\ \n '; --' 'x'
    "a" `a` [a] 1e 0x1 $$ $1 ? :n @p %s || -> ->> := INSERT INTO VALUES UPDATE SET DELETE DROP TABLE CREATE ALTER ATTACH
    DATABASE PRAGMA VACUUM REPLACE BEGIN COMMIT WITH AS UNION ALL RETURNING EXPLAIN ANALYZE REINDEX DETACH SAVEPOINT
    count( lower( load_extension( replace( max( date( CASE WHEN THEN ELSE END IN EXISTS LIKE ORDER BY LIMIT JOIN ON
    table_info journal_mode = user_version main temp /*! E' q'[ SHOW DESCRIBE COPY TO STDOUT QUERY PLAN
"""
READING_PRAGMAS = {"table_info", "index_list", "foreign_key_list"}
READING = {sqlite3.SQLITE_READ, sqlite3.SQLITE_SELECT, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


def soup(random: Random) -> str:
    """Words in any order, or SQL that reads or writes with words put into it."""
    words = random.choices(WORDS.split(" "), k=random.randint(1, 14))
    if random.random() < 0.6:
        words = random.choice([*READS, *WRITES]).split(" ")
        for _ in range(random.randint(1, 4)):
            words.insert(random.randint(0, len(words)), random.choice(WORDS.split(" ")))
    return random.choice([" ", " ", " ", ""]).join(word.strip() or "\n" for word in words)


def acts_beyond_reading(sql: str) -> list[int]:
    """What SQLite is asked to allow, beyond reading, by running the text statement by statement."""
    beyond: list[int] = []

    def authorize(action: int, name: str | None, value: str | None, *_: object) -> int:
        only_asks = action == sqlite3.SQLITE_PRAGMA and (name in READING_PRAGMAS or value is None)
        if action not in READING and not only_asks:
            beyond.append(action)
        return sqlite3.SQLITE_OK

    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript("CREATE TABLE t (a, b, id, name); CREATE TABLE u (a, b); CREATE TABLE orders (id)")
        connection.set_authorizer(authorize)
        with suppress(sqlite3.Error, ValueError):
            connection.executescript(re.sub(r"(?i)explain\s+analy[sz]e\b", "", sql))  # which SQLite does not know
    finally:
        connection.close()
    return beyond


@pytest.mark.parametrize("seed", range(5))
def test_what_reads_does_nothing_else_in_sqlite(seed: int) -> None:
    random = Random(seed)
    for _ in range(100):
        sql = soup(random)
        assert effect_of(sql) is not Effect.READ or acts_beyond_reading(sql) == [], sql


def test_the_oracle_sees_writing() -> None:
    assert acts_beyond_reading("SELECT a FROM t") == []
    assert acts_beyond_reading("SELECT '\\'; DROP TABLE t; --'") != []
    assert acts_beyond_reading("PRAGMA user_version = 5") != []


def test_sqlglot_and_yaml_are_imported_only_when_they_are_needed() -> None:
    code = (
        "import sys; from plancheck import check_text; "
        """check_text('{"goal": "g", "steps": [{"id": "a", "tool": "t", "args": {"x": 1}}]}'); """
        "print([name for name in ('sqlglot', 'yaml') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_plain_reading_needs_no_parser() -> None:
    code = (
        "import sys; from plancheck.policy.sql import effect_of; "
        """print(effect_of("SELECT a, COUNT(*) FROM t WHERE b = 'x' GROUP BY a").value, 'sqlglot' in sys.modules)"""
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["read", "False"]
