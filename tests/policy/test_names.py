"""Names in disguise: what two spellings of a tool's name have in common."""

from __future__ import annotations

import time

import pytest

from plancheck.policy.model import Family, Policy, family_by_name
from plancheck.policy.names import folded, is_too_long, mixes_scripts, plain_name, spellings

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
    "execute_shell" + " " * 1_000,
    "\u200b" * 1_000 + "execute_shell" + "\u200b" * 1_000,
    "execute_shell" + "-" * 1_000,
    "execute_shell" + "." * 1_000,
    "execute_shell(ls)",
    "execute_shell:0",
    "functions.execute_shell:0",
    "mcp__server__execute_shell#1",
    "execute_shell#1",
    "execute_shell ls",
    "execute_shell\nls",
    "execute_shell\x00ls",
    "exécute_shell\x00ls",
    "exécute_shell\nls",
    "execute_shell?x=1",
    "execute_shell@v2",
    "execute_shell[0]",
    "execute_shell_1",
    "execute_shell-2",
    "execute_shell.3",
    "execute_shell.run",
    "srv.execute_shell.run.now",
    "execute_shell/v1",
    "Execute Shell (ls)",
    "execute_she||",
    "ops.execute_she!!:0",
    "execute_shell{}",
]
OTHERS = [
    "execute",
    "shell",
    "execute_shell_script",
    "shell_execute",
    "run_commander",
    "delete_all_drafts",
    "исполнить",
    "crm.find_run_command_log",
    "crm.find_run_command_log:0",
    "delete all drafts",
    "run.commands",
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


@pytest.mark.parametrize("suffix", [":1", "(x)", "#2", " x", "_1", "-1", ".1", "@v1", "\u200b" * 1_000, " " * 1_000])
def test_what_is_behind_a_name_makes_no_other_tool_of_it(suffix: str) -> None:
    policy = Policy(
        bounds={"payments.transfer.amount": [0, 10]},
        tools={"store.run": "read"},
        gate={"needs_human": {"payments.transfer.amount": 5}},
    )
    for name in (f"payments.transfer{suffix}", f"functions.payments.transfer{suffix}"):
        assert policy.bounds_of(name)
        assert policy.human_limits_of(name)
    assert policy.family(f"db.query_ro{suffix}") is Family.READ
    assert policy.family(f"mcp__srv__db__query_ro{suffix}") is Family.READ
    assert policy.family(f"store.run{suffix}") is Family.READ


def test_a_tool_below_another_one_is_another_tool() -> None:
    policy = Policy(bounds={"crm.contacts.limit": [0, 10]}, gate={"blocked_tools": ["search"]})
    assert not policy.bounds_of("crm.contacts.export")
    assert not policy.blocks("search.web")
    assert policy.blocks("search:0")
    assert policy.blocks("web.search")


@pytest.mark.parametrize(
    ("name", "too_long"),
    [
        ("a" * 1_000, False),
        ("a" * 1_001, True),
        ("a" + " \u200b-_." * 2_000 + "b", False),
        ("a." * 15 + "b", False),
        ("a." * 16 + "b", True),
        ("é" * 1_001, True),
    ],
)
def test_a_name_that_is_too_long_to_be_compared(name: str, too_long: bool) -> None:
    assert is_too_long(name) is too_long


@pytest.mark.parametrize(
    ("name", "doubtful"),
    [
        ("crm.find_клиент", False),
        ("crm.find_顧客", False),
        ("execute_sħell", True),
        ("execute_shellж", False),
        ("execuжe_shell", True),
        ("functions.ruж_command:0", True),
        ("payжents.transfer", True),
        ("wipe.diжk", True),
        ("db.query_жo", True),
        ("notes.list_rж", True),
        ("клиент.find", False),
    ],
)
def test_a_name_of_several_scripts_is_doubtful_where_a_rule_cares_for_what_it_could_be(
    name: str, doubtful: bool
) -> None:
    policy = Policy(bounds={"payments.transfer.amount": [0, 10]}, gate={"blocked_tools": ["wipe.disk"]})
    assert policy.is_doubtful(name) is doubtful


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
