"""Names in disguise: what two spellings of a tool's name have in common."""

from __future__ import annotations

import time

import pytest

from plancheck.policy.model import Family, Policy, family_by_name
from plancheck.policy.names import folded, mixes_scripts, plain_name, spellings

DISGUISED = [
    "execute_shell",
    "EXECUTE_SHELL",
    "Execute-Shell",
    "executeShell",
    " execute_shell\n",
    "execute\u200b_shell",
    "execute\u00ad_shell",
    "ｅｘｅｃｕｔｅ＿ｓｈｅｌｌ",
    "еxecute_ѕhell",
    "ΕXECUTE_SΗELL",
    "e\u0301xecute_shell",
    "execute_she11",
    "execute__shell",
    "execute.shell",
    "functions.execute_shell",
    "default_api:execute_shell",
    "mcp__server__execute_shell",
    "srv/execute_shell",
    "[srv]execute_shell",
    "execute_shell()",
]
OTHERS = [
    "execute",
    "shell",
    "execute_shell_script",
    "shell_execute",
    "run_commander",
    "delete_all_drafts",
    "исполнить",
]


@pytest.mark.parametrize("name", DISGUISED)
def test_a_blocked_name_is_blocked_in_every_spelling(name: str) -> None:
    assert Policy().blocks(name)


@pytest.mark.parametrize("name", OTHERS)
def test_another_name_is_not(name: str) -> None:
    assert not Policy().blocks(name)


def test_what_is_unblocked_is_not_blocked_in_any_spelling_of_its_own() -> None:
    policy = Policy(gate={"unblock_tools": ["run_command"], "blocked_tools": ["wipe"]})
    assert not policy.blocks("run_command")
    assert policy.blocks("execute_shell")
    assert policy.blocks("srv.Wipe")


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("db.query_ro", "db.query_ro"),
        ("DB.Query-RO", "db.query_ro"),
        ("db.queryRo", "db.query_ro"),
        ("functions.db.query_ro", "db.query_ro"),
        ("mcp__db__query_ro", "db.query_ro"),
        ("db/query_ro ", "db.query_ro"),
        ("db.query_rо", "db.query_ro"),
    ],
)
def test_the_name_that_its_author_would_have_written(name: str, plain: str) -> None:
    assert plain_name(name) == plain
    assert family_by_name(name) is Family.READ


def test_prefixes_of_clients_are_dropped_and_others_are_not() -> None:
    assert folded("functions.payments.transfer") == folded("payments.transfer") == "paymentstransfer"
    assert folded("crm.transfer") != folded("transfer")
    assert spellings("a.b.c") == ("abc", "bc", "c")


@pytest.mark.parametrize(
    ("name", "mixed"), [("crm.find", False), ("исполнить", False), ("execute_sħell", True), ("файл.read", False)]
)
def test_letters_of_several_scripts(name: str, mixed: bool) -> None:
    assert mixes_scripts(name) is mixed


def test_a_very_long_name_costs_little() -> None:
    started = time.process_time()
    assert not Policy().blocks("a." * 500_000)
    assert Policy().blocks("a." * 500_000 + "execute_shell")
    assert time.process_time() - started < 5
