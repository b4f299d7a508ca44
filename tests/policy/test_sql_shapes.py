"""Text that is SQL, text that could be, and prose that begins with the same words."""

from __future__ import annotations

import time

import pytest

from plancheck.policy.sql_shapes import Likeness, likeness_of
from policy.statements import READS, WRITES

LIKE_SQL = [
    *READS,
    *(sql for sql in WRITES if sql != "update a b"),
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
    *("Call volume (by hour)", "If needed, delete from the cache first", "Create table of contents", "Drop-off rates"),
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
    *("Create a list of open invoices", "Update the weekly report", "Replace the stale numbers", "Load by region"),
    *("Do we have enough?", "Call center volumes", "If the list is empty, delete it", "Delete Inc.", "Load Inc."),
    *("Insert the coin into the slot", "Merge both lists using the id", "Create index cards for the talk", "logs/*"),
    *("Update the records set by Ada", "Select all open invoices", "select top customers", "Comment on table manners"),
    *(
        "Explain how to update the report",
        "Explain update statements",
        "Begin: the introduction",
        "Grant asked for help on it",
    ),
    *("Load data from the API", "Fetch data from Stripe", "Prepare slides from May", "Set the alarm to 7", "\\d+"),
    *("Please do not delete anything; we only read.", "Check the totals; update the report", "Wait a bit; load it"),
    *("Copy into the folder", "Truncate long names; drop the rest", "Reset all filters", "Set password for Ada", "/*"),
    *("go home", "Use case: refunds", "please SELECT one", "https://example.com/select?from=x", '{"select": 1}'),
]


CERTAIN = [
    "--\t reads only\n\nDELETE\tFROM users",
    "--  reads only\r\nDELETE FROM users",
    *("SET; " * 60, "UPDATE t JOIN (SELECT " + "a + " * 900 + "1) u SET t.a = 1"),
    *("CREATE INDEX ON t (a)", "alter user bob superuser", "DROP OWNED BY bob", "{? = call purge()}", "call purge(1)"),
    *("xp_cmdshell 'dir'", "master..xp_cmdshell 'dir'"),
    *("INSERT t SELECT 1", "insert ignore t (a) values (1)", "INSERT INTO t VALUES (1)", "REPLACE t VALUES (1)"),
    *("UPDATE t SET a = 1", "update top (5) t set a += 1", "UPDATE a, b SET a.x = b.x", "UPDATE t SET {{changes}}"),
    *("DELETE FROM users", "DELETE a FROM a JOIN b ON a.id = b.id", "DELETE TOP (10) FROM t", "DELETE t WHERE a = 1"),
    *("DROP TABLE users", "drop index if exists i", "CREATE TABLE t (a int)", "ALTER TABLE t ADD a int"),
    *(
        "CREATE OR REPLACE VIEW v AS SELECT 1",
        "TRUNCATE TABLE users",
        "GRANT ALL ON t TO eve",
        "MERGE t USING s ON 1 WHEN x",
    ),
    *(
        "LOCK TABLE t IN EXCLUSIVE MODE",
        "LOCK accounts IN ACCESS EXCLUSIVE MODE",
        "BULK INSERT t FROM 'x'",
        "FLUSH LOGS",
    ),
    *("SELECT a.b c FROM t; DELETE FROM t", "1; DELETE FROM t", "a b; c d; DROP TABLE t", "x'); DROP TABLE t; --"),
    *(
        "/* /* */ */ SELECT 1 INTO t",
        "/* a /* b */ c */ DROP TABLE t",
        "-- a\n\nDELETE FROM t",
        "INSERT --\nt SELECT 1",
    ),
    *(
        "EXPLAIN ANALYZE DELETE FROM t",
        "UPDATE" + " " * 2_000 + "t SET a = 1",
        "/*" + "x" * 200_000 + "*/ DROP TABLE t",
    ),
    *(" " * 200_000 + "DROP TABLE t", "a" * 200_000 + "; DROP TABLE t", "EXEC sp_who", "execute dbo.purge"),
]
POSSIBLE = [
    "UPDATE t JOIN (SELECT " + "a + " * 3_000 + "1) u SET t.a = 1",
    *("VACUUM FULL users", "CLUSTER", "sp_who"),
    *("LOCK accounts", "load balancer", "Truncate definition", "execute order 66", "analyze this", "DELETE users"),
    *("USE master", "Create user stories", "Delete from the cart", "Grant access to Ada", "Set status to done"),
    *("SELECT a b DROP TABLE t", "SELECT a b " + "c " * 2_000 + "DROP TABLE t", "IF 1 = 1 DELETE FROM users"),
    *("1; LOCK accounts", "PRINT 'x'", "FETCH NEXT FROM c", "\\d users", "Release notes"),
]


@pytest.mark.parametrize("text", CERTAIN, ids=lambda text: ascii(text[:60]))
def test_it_is_sql(text: str) -> None:
    assert likeness_of(text) is Likeness.CERTAIN


@pytest.mark.parametrize("text", POSSIBLE, ids=lambda text: ascii(text[:60]))
def test_it_could_run_and_could_be_prose(text: str) -> None:
    assert likeness_of(text) is Likeness.POSSIBLE


@pytest.mark.parametrize("text", LIKE_SQL, ids=lambda text: ascii(text[:60]))
def test_it_looks_like_sql(text: str) -> None:
    assert likeness_of(text) is not Likeness.PROSE


@pytest.mark.parametrize("text", NOT_LIKE_SQL)
def test_prose_does_not_look_like_sql(text: str) -> None:
    assert likeness_of(text) is Likeness.PROSE


@pytest.mark.parametrize(
    "text",
    [
        *(
            "merge a " + "using on " * 110,
            "grant " + "a on " * 190,
            "delete " + "from a " * 140,
            "insert " + "a." * 490,
        ),
        *("update " + "set a " * 160, "create " + "temp " * 190, "/* " * 30_000, "x" + "; set a b" * 10_000),
        *("insert " + '"a"' * 240, "SELECT a b " * 9_000, "-- \n" * 20_000, "select all " + "a " * 500),
    ],
    ids=lambda text: text[:16],
)
def test_no_text_takes_long(text: str) -> None:
    start = time.process_time()
    for _ in range(10):
        likeness_of(text)
    assert time.process_time() - start < 2
