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

from plancheck.policy.sql import LONGEST, Effect, effect_of, looks_like_sql

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
    "EXPLAIN (ANALYZE, BUFFERS) SELECT * FROM t",
    "EXPLAIN QUERY PLAN SELECT * FROM t",
    "DESCRIBE SELECT * FROM t",
    "SHOW TABLES",
    "SHOW CREATE TABLE orders",
    "SHOW COLUMNS FROM shop.orders LIKE 'a%'",
    "SHOW server_version",
    "DESCRIBE orders",
    "DESC shop.orders;",
    "SELECT 1;",
    "SELECT 1; SELECT 2;",
    "SELECT * FROM t WHERE a = ? AND b = %s AND c = :c AND d = $1 AND e = %(e)s AND f = @f",
    "SELECT TOP 5 * FROM t",
    "COPY t TO STDOUT",
    "COPY shop.t (a, b) TO STDOUT WITH (FORMAT csv, HEADER);",
    "SELECT * FROM `project.data.table`",
    "-- the orders of today\nSELECT * FROM orders",
    "/* report 7 */ SELECT * FROM orders",
    "\ufeffSELECT 1",
    "SELECT\r\n  a,\r\n\tb\r\nFROM t",
    "SELECT * FROM logs WHERE message LIKE '%delete%' OR message LIKE '%; DROP TABLE%'",
    "SELECT o.id, c.name FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.total > 100 ORDER BY o.id DESC",
    "SELECT c.name, COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.cid = c.id GROUP BY 1 HAVING COUNT(*) > 3",
    "SELECT name, ROW_NUMBER() OVER (PARTITION BY team ORDER BY score DESC) AS place FROM players",
    "SELECT d, SUM(x) OVER (ORDER BY d ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM s",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT n FROM r",
    "WITH top AS (SELECT id FROM t ORDER BY score DESC LIMIT 5), rest AS (SELECT 1) SELECT * FROM top, rest",
    "SELECT data->'a'->>'b' FROM events WHERE data @> '{\"kind\": {\"a\": 1}}'",
    "SELECT data #>> '{a,b}' FROM events",
    "SELECT JSON_EXTRACT(data, '$.name') FROM events",
    "SELECT jsonb_array_elements(data->'items')->>'sku' FROM orders",
    "SELECT created + INTERVAL '1 day' FROM t WHERE created > NOW() - INTERVAL '7 days'",
    "SELECT DATE_SUB(NOW(), INTERVAL 7 DAY)",
    "SELECT DATE_TRUNC('month', created_at) AS month, SUM(amount) FROM payments GROUP BY 1 ORDER BY 1",
    "SELECT DATEADD(day, -7, GETDATE())",
    "SELECT strftime('%Y-%m', ts), strftime('%s', 'now') FROM t",
    "SELECT EXTRACT(YEAR FROM created) FROM t",
    "SELECT id::text, price::numeric(10, 2) FROM t",
    "SELECT CAST(a AS DECIMAL(10, 2)), TRY_CAST(b AS INT) FROM t",
    "SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END FROM t",
    "SELECT COALESCE(a, b, 0), NULLIF(a, ''), GREATEST(a, b) FROM t",
    "SELECT * FROM t WHERE id IN (1, 2, 3) AND name IS NOT NULL AND x BETWEEN 1 AND 2",
    "SELECT * FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.id = t.id)",
    "SELECT * FROM a CROSS JOIN LATERAL (SELECT * FROM b WHERE b.id = a.id LIMIT 1) x",
    "SELECT ARRAY[1, 2, 3], ARRAY['a', 'b'], tags[1] FROM t WHERE 'x' = ANY(tags)",
    "SELECT unnest(ARRAY[1, 2])",
    "SELECT * FROM generate_series(1, 10) AS g(n)",
    "SELECT * FROM t ORDER BY a NULLS LAST LIMIT 10 OFFSET 20",
    "SELECT * FROM t ORDER BY a OFFSET 10 ROWS FETCH NEXT 10 ROWS ONLY",
    "SELECT [order id], [name] FROM [dbo].[orders]",
    "SELECT a FROM t1 UNION ALL SELECT a FROM t2 EXCEPT SELECT a FROM t3",
    "SELECT DISTINCT ON (cid) * FROM orders ORDER BY cid, created DESC",
    "SELECT STRING_AGG(name, ', ' ORDER BY name) FROM t",
    "SELECT GROUP_CONCAT(name SEPARATOR ', ') FROM t",
    "SELECT COUNT(*) FILTER (WHERE paid) FROM orders",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM t",
    "SELECT symbol, open, close, close - open AS gain FROM prices ORDER BY close DESC",
    "SELECT AVG(close) FROM prices WHERE open > 1",
    "SELECT 'it''s', \"a b\" FROM t",
    "SELECT * FROM t WHERE name ~ '^a.*b$' AND code REGEXP '[0-9]+'",
    "SELECT * FROM t WHERE path LIKE 'C:\\\\%' OR x RLIKE '\\d+'",
    "SELECT * FROM t WHERE a LIKE '50!%' ESCAPE '!'",
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
    "SELECT pg_size_pretty(pg_total_relation_size('orders'))",
    "SELECT relname FROM pg_catalog.pg_class WHERE relkind = 'r'",
    "SELECT name FROM sqlite_master WHERE type = 'table'",
    "SELECT SUBSTRING(name FROM 1 FOR 3), TRIM(BOTH ' ' FROM name), POSITION('a' IN name) FROM t",
    "SELECT UPPER(name), LOWER(name), LENGTH(name), CONCAT(a, '-', b), ROUND(x, 2), ABS(y) FROM t",
    "SELECT * FROM t WHERE (a, b) IN (SELECT a, b FROM u)",
    "SELECT name FROM größen WHERE straße = 'Bäckerstraße'",
    "SELECT '日本語' AS greeting",
    "SELECT /*+ INDEX(t idx) */ * FROM t",
    "SELECT /*+ LEADING(a b) USE_HASH(a) */ * FROM a, b",
    "SHOW OPEN TABLES",
    "SELECT /*!40001 SQL_NO_CACHE */ * FROM t",
    "SELECT * FROM orders WITH (NOLOCK) WHERE id = @id",
    "SELECT * FROM t TABLESAMPLE SYSTEM (10)",
    "SELECT a, b, GROUPING(a) FROM t GROUP BY ROLLUP (a, b)",
    "SELECT * FROM t WHERE created_at >= CURRENT_DATE - 7 AND updated_by = CURRENT_USER",
    "SELECT * FROM t AS OF SYSTEM TIME '-10s'",
    "SELECT UPPER(TRIM(COALESCE(NULLIF(REPLACE(LOWER(CAST(JSON_EXTRACT(a, '$.b') AS TEXT)), 'x', 'y'), ''))))",
    "SELECT sku, qty * -1 AS neg, qty % 2 FROM stock",
    "SELECT * FROM t WHERE flags & 4 = 4 OR flags | 1 > 0",
    "SELECT replace(set_name, 'call', 'do') AS copy FROM sets",
]
WRITES = [
    "INSERT INTO t VALUES (1)",
    "update t set a = 1",
    "DELETE FROM t",
    "SELECT 1; DROP TABLE t",
    "SELECT 1;DROP TABLE t;--",
    "/* only reads */ TRUNCATE TABLE t",
    "-- SELECT\nDELETE FROM t",
    "WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone",
    "WITH a AS (SELECT 1) DELETE FROM t",
    "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE",
    "REPLACE INTO t VALUES (1)",
    "CREATE TABLE t AS SELECT 1",
    "ALTER TABLE t ADD COLUMN a int",
    "SELECT * INTO copy FROM t",
    "SELECT a INTO @v FROM t",
    "SELECT * FROM t FOR UPDATE",
    "SELECT * FROM t LOCK IN SHARE MODE",
    "GRANT ALL ON t TO public",
    "EXPLAIN ANALYZE DELETE FROM t",
    "EXPLAIN SELECT 1; DELETE FROM t",
    "COPY t FROM 's3://x'",
    "SELECT setval('s', 1)",
    "SELECT NEXTVAL('s')",
    "SELECT pg_catalog.setval('s', 1)",
    "SELECT \"setval\"('s', 1)",
    "LOAD DATA INFILE 'x' INTO TABLE t",
    "D\u0045LETE FROM t",
    "DELETE FROM t WHERE id = {{find.result.id}}",
    "SELECT '{{a}}'; DELETE FROM t",
    "SELECT '\\'; DROP TABLE x; --'",
    "SELECT 1 /*! ; DROP TABLE t */",
    "SELECT 1 /*!50000 INTO OUTFILE '/tmp/x' */ FROM t; DELETE FROM t",
    "SELECT $$; DROP TABLE t; $$ FROM t; DELETE FROM t",
    "VACUUM FULL",
]
NOT_READS = [
    # ---- put together at run time
    "SELECT * FROM t WHERE id = {{find.result.id}} AND day = '${DAY}'",
    "SELECT * FROM t WHERE id = {{ id }}",
    "SELECT * FROM t WHERE id = ${id}",
    "SELECT * FROM t WHERE id = ${{id}}",
    "SELECT * FROM {{table}}",
    "SELECT * FROM t WHERE name = '{{name}}'",
    "SELECT * FROM t WHERE name = '{name}'",
    "SELECT * FROM t WHERE id = {s0.result}",
    "SELECT * FROM t WHERE name = '%(name)s'",
    "SELECT * FROM t {% if x %} WHERE 1 {% endif %}",
    "SELECT * FROM t WHERE id = <%= id %>",
    "SELECT * FROM t WHERE id = #{id}",
    "SELECT 1 -- {{note}}",
    "SELECT {{",
    # ---- comments
    "-- SELECT 1",
    "/* SELECT 1 */",
    "# SELECT 1",
    "SELECT 1 /* unterminated",
    "SELECT 1 /* a /* b */ ; DROP TABLE t; */",
    "SELECT 1 --1; DROP TABLE t",
    "SELECT 1 # '\n; DROP TABLE t -- '",
    "SELECT 1 /*!; DELETE FROM t*/",
    "SELECT /*!50000 sleep(5) */",
    "SELECT 1 /*M! INTO OUTFILE '/tmp/x' */",
    "SELECT /*M!100100 benchmark(1, 1), */ 1",
    "SELECT 1 -- a\r; DROP TABLE t",
    "SELECT 1 // '\n; DROP TABLE t -- '",
    "SELECT pg_sleep/**/(10)",
    # ---- several statements, with and without separators
    "SELECT 1; CALL x()",
    "SELECT 1\nGO\nDROP TABLE t",
    "SELECT 1\nGO\nsp_who",
    "SELECT 1 DROP TABLE t",
    "SELECT 1 SHUTDOWN",
    "SELECT * FROM t SHUTDOWN",
    "SELECT * FROM t ORDER BY a DESC SHUTDOWN",
    "SELECT 1 EXEC xp_cmdshell 'dir'",
    "SELECT 1 EXEC('DROP TABLE t')",
    "SELECT 'a'EXEC('DROP TABLE t')",
    "SELECT 1DELETE FROM t",
    "SELECT 1.DELETE FROM t",
    "SELECT 1eDELETE FROM t",
    "SELECT 1 AS a WAITFOR DELAY '0:0:5'",
    "SELECT 1 KILL 5",
    "SELECT 1 ->> DELETE FROM t",
    "SHOW TABLES ->> DELETE FROM t",
    "SHOW TABLES WHERE sleep(5)",
    "DELIMITER //\nSELECT 1//",
    "\\! rm -rf /",
    "SELECT 1 \\! rm",
    "SELECT 1\n\\copy t to '/tmp/x'",
    "SELECT 1 \\gexec",
    "SELECT 1; \\c other",
    "BEGIN; SELECT 1; COMMIT",
    "COMMIT; SELECT 1",
    "SELECT 1; ROLLBACK",
    "BEGIN",
    # ---- strings that end elsewhere in another dialect
    "SELECT '\\'; DROP TABLE x; \\''",
    "SELECT '\\' || setval('s', 1) || '\\''",
    "SELECT q'[it's]'; DROP TABLE t --'",
    "SELECT [it's] FROM t; DROP TABLE x --']",
    "SELECT [a'] FROM t DROP TABLE x --'",
    "SELECT `a' FROM t; DROP TABLE x --'`",
    "SELECT $$'$$; DROP TABLE t; --'",
    "SELECT $a$'$a$; DROP TABLE t; --'",
    "SELECT ''' '''' ; DROP TABLE x; '",
    'SELECT "\\"; DROP TABLE x; --"',
    "SELECT E'\\'; DROP TABLE x; --'",
    "SELECT 'open",
    "SELECT [a -- ] FROM t; DROP TABLE t; --\n]",
    "SELECT [a /* ] FROM t; DROP TABLE t; -- */]",
    "SELECT ? DELETE FROM t",
    "SELECT * FROM OLD TABLE (DELETE FROM t)",
    "SELECT * FROM FINAL TABLE (INSERT INTO t VALUES (1))",
    "SELECT U&\"pg_slee!0070\" UESCAPE '!' (10)",
    "SELECT [dbo].[fn](1)",
    "SELECT `fn`(1)",
    "SELECT '\\d' || \"my_fn\" (1)",
    "SELECT '\\d' || my_fn/**/(1)",
    "SELECT * FROM my_fn(a) AS (b int)",
    "DESCRIBE t EXEC x",
    # ---- statements
    *("CALL clean_up()", "EXEC sp_x", "EXECUTE p", "DO $$ BEGIN DELETE FROM t; END $$", "PREPARE p AS SELECT 1"),
    *("PRAGMA wal_checkpoint", "PRAGMA journal_mode = wal", "PRAGMA writable_schema=ON"),
    *("ATTACH DATABASE 'x' AS y", "DETACH y", "INSTALL httpfs", "LOAD httpfs", "LOAD '/tmp/x.so'"),
    *("COPY t TO PROGRAM 'sh'", "COPY t TO '/tmp/t.csv'", "COPY (SELECT 1) TO '/tmp/x'"),
    "COPY (DELETE FROM t RETURNING 1) TO STDOUT",
    "COPY t TO STDOUT; DROP TABLE t",
    *("HANDLER t OPEN", "LISTEN x", "NOTIFY x", "SET ROLE admin", "SET GLOBAL x = 1", "RESET ALL", "LOCK TABLE t"),
    *("ANALYZE", "ANALYZE t", "USE other", "SAVEPOINT a", "DECLARE @x int", "DISCARD ALL", "CHECKPOINT", "REINDEX"),
    *("EXPLAIN DELETE FROM t", "EXPLAIN PLAN FOR SELECT 1", "EXPLAIN EXPLAIN SELECT 1", "EXPLAIN", "EXPLAIN ANALYZE"),
    "EXPLAIN ANALYZE CALL x()",
    "EXPLAIN (ANALYZE) INSERT INTO t VALUES (1)",
    "SELECT * FROM t INTO OUTFILE '/tmp/x'",
    "SELECT * FROM t INTO DUMPFILE '/tmp/x'",
    "SELECT @a := 1",
    "SELECT * FROM t WITH (UPDLOCK)",
    "SELECT seq.nextval FROM dual",
    "SELECT NEXT VALUE FOR s",
    "SELECT TRANSFORM(a) USING 'rm -rf /' AS b FROM t",
    "FROM t",
    "hello world",
    "",
    "   ",
    ";",
    "{{make.result.sql}}",
    # ---- characters
    "SELECT 1\x00; DROP TABLE t",
    "SELECT\u00a01",
    "SELECT 1\uff1b DROP TABLE t",
    "\uff33\uff25\uff2c\uff25\uff23\uff34 1",
    "SELECT \uff50\uff47_sleep(1)",
    "SEL\u200bECT 1",
    "SELECT 1\u2028DROP TABLE t",
    "SELECT 1\x0bDROP TABLE t",
    "SELECT '\ud800'",
    # ---- size
    "SELECT " + "1," * LONGEST + "1",
    "SELECT " + "(" * 5_000 + "1" + ")" * 5_000,
    "SELECT " + "(" * 101 + "1" + ")" * 101,
    "SELECT " + "NOT " * 20_000 + "1",
    "SELECT " + "- " * 20_000 + "1",
    "SELECT " + "CASE WHEN a THEN " * 3_000 + "1" + " END" * 3_000,
    "SELECT 1 DROP " + "a " * 40_000,
]
HARMFUL_CALLS = (
    "pg_sleep pg_sleep_for pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file pg_terminate_backend "
    "pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_advisory_lock pg_try_advisory_lock pg_switch_wal "
    "pg_promote pg_logical_emit_message pg_notify pg_export_snapshot lo_import lo_export lo_unlink lo_create "
    "lo_put dblink dblink_exec dblink_connect set_config query_to_xml cursor_to_xml database_to_xml table_to_xml "
    "txid_current xp_cmdshell sp_executesql load_file sys_exec sys_eval benchmark sleep get_lock release_lock "
    "load_extension writefile readfile edit fts3_tokenizer utl_http.request utl_file.fopen "
    "utl_inaddr.get_host_address dbms_lock.sleep dbms_pipe.receive_message dbms_xmlgen.getxml httpuritype "
    "openrowset openquery opendatasource read_csv read_parquet read_text file url remote s3 mysql postgresql "
    "system$wait my_function dbo.my_function public.count ml.predict ai_generate generate_text external_query "
    "last_insert_id "
)


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


EXPENSIVE = [
    "SELECT " + "1," * 40_000 + "1",
    "SELECT " + "f(" * 90 + "1" + ")" * 90,
    "SELECT " + "date(" * 5 + "1" + ")" * 5 + ", date(date(date(date(1))))" * 3_000,
    "SELECT " + "timestamp(" * 40 + "1" + ")" * 40,
    "SELECT " + "CHARACTER VARYING(a, " * 40 + "1" + ")" * 40,
    "SELECT " + "LATERAL(a, " * 40 + "1" + ")" * 40,
    "SELECT " + "SORT_ARRAY(a, " * 40 + "1" + ")" * 40,
    "SELECT " + "struct(" * 40 + "1" + ")" * 40,
    "SELECT '" + "\\'" * 40_000,
    "SELECT " + "'" * 90_001,
    "SELECT " + "/*" * 45_000,
    "SELECT " + "[" * 90_000,
    "SELECT " + "-- \n" * 20_000 + "1",
    "SELECT a FROM t WHERE update = 1 AND " + "x = 1 AND " * 9_000 + "1",
    "SELECT 1 " + "UNION SELECT 1 " * 5_000,
    "SELECT * FROM " + "(SELECT * FROM " * 90 + "t" + ")" * 90,
    "EXPLAIN " * 12_000,
    ";" * 90_000,
    "SELECT 1;" * 10_000,
    "%(" * 45_000,
    "{" * 90_000,
    "SELECT 1 " + "/*!" * 30_000,
    "SELECT '\\d'" + "\n" * 90_000 + "x",
    "COPY t TO STDOUT" + " " * 90_000 + "'",
    "EXPLAIN" + " " * 90_000 + "x",
    "EXPLAIN " + "() " * 30_000,
    "SELECT " + "a" * 90_000,
    "/*" * 45_000,
    "update " + "a" * 90_000,
    "SELECT '\\d" + "'--" * 30_000,
    "SELECT 1 \\ " + "' " * 40_000,
    "SELECT '" + "\\d" * 300 + "', " + "f" * 90_000,
]


@pytest.mark.parametrize("sql", EXPENSIVE, ids=lambda sql: sql[:24])
def test_no_sql_takes_long(sql: str) -> None:
    start = time.process_time()
    effect_of(sql)
    looks_like_sql(sql)
    assert time.process_time() - start < 5  # ten times what the slowest takes; without limits it is hours


# ---- an oracle -------------------------------------------------------------------------------------------------------

WORDS = """
    SELECT SELECT SELECT * 1 a b t u FROM FROM WHERE AND OR NOT = < > ( ) , . ; ' '' " ` [ ] -- /* */ # \\ \n '; --' 'x'
    "a" `a` [a] 1e 0x1 $$ $1 ? :n @p %s || -> ->> := INSERT INTO VALUES UPDATE SET DELETE DROP TABLE CREATE ALTER ATTACH
    DATABASE PRAGMA VACUUM REPLACE BEGIN COMMIT WITH AS UNION ALL RETURNING EXPLAIN ANALYZE REINDEX DETACH SAVEPOINT
    count( lower( load_extension( replace( max( date( CASE WHEN THEN ELSE END IN EXISTS LIKE ORDER BY LIMIT JOIN ON
    table_info journal_mode = user_version main temp /*! E' q'[ SHOW DESCRIBE COPY TO STDOUT QUERY PLAN
"""
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

    def authorize(action: int, *_: object) -> int:
        if action not in READING:
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


# ---- what looks like SQL ---------------------------------------------------------------------------------------------

LIKE_SQL = [
    *(sql for sql in READS if not sql.startswith("{")),
    *WRITES,
    *(
        "\u200bSELECT 1",
        "((SELECT 1))",
        ";DROP TABLE t",
        "# x\nDROP TABLE t",
        "DROP\u00a0TABLE t",
        "/**/DELETE/**/FROM t",
    ),
    *("CALL clean_up()", "EXEC sp_x", "EXECUTE IMMEDIATE 'x'", "DO $$ BEGIN END $$", "PREPARE p AS SELECT 1", "BEGIN"),
    *(
        "PRAGMA journal_mode = wal",
        "ATTACH DATABASE 'x' AS y",
        "DETACH y",
        "INSTALL httpfs",
        "LISTEN x",
        "NOTIFY x, 'y'",
    ),
    *("SET ROLE admin", "SET @a = 1", "DECLARE @x int", "LOCK TABLE t", "VACUUM", "ANALYZE t", "TRUNCATE t", "COMMIT;"),
    *("SELECT {{a.result}}", "SELECT * FROM {{t}}", "UPDATE {{t}} SET a = 1", "\\! rm", "select a, b", "SELECT name"),
    *("RESET ALL", "KILL 5", "RENAME TABLE a TO b", "HANDLER t OPEN", "SHUTDOWN", "GO\nDROP TABLE t", "USE shop"),
    *("\uff24\uff32\uff2f\uff30 TABLE t", "SEL\u200bECT 1", "DELETE t WHERE id = 1", "delete from `t`", "TABLE t"),
]
NOT_LIKE_SQL = [
    *("update the customer about the order", "select a gift", "Select a gift for Ada", "Do call Ada back", "call me"),
    *("with kind regards", "With kind regards, Ada", "show me", "Show me the orders", "", "   ", "orders", "42", "t"),
    *("Set the table for two", "Begin with the introduction", "Drop me a line", "delete the old file", "Explain why"),
    *("Insert the key and turn", "Copy that", "Create a report about sales", "analyze the results", "use the stairs"),
    *("Merge both lists", "Grant asked for it", "replace the battery", "Call Ada, then Bob", "describe the problem"),
    *(
        "executive summary",
        "selection",
        "withdrawn",
        "values matter",
        "Lock the door",
        "load the dishwasher",
        "reset it",
    ),
    *("go home", "Use case: refunds", "please SELECT one", "https://example.com/select?from=x", '{"select": 1}'),
]


@pytest.mark.parametrize("text", LIKE_SQL, ids=lambda text: ascii(text[:60]))
def test_it_looks_like_sql(text: str) -> None:
    assert looks_like_sql(text)


@pytest.mark.parametrize("text", NOT_LIKE_SQL)
def test_prose_does_not_look_like_sql(text: str) -> None:
    assert not looks_like_sql(text)


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
