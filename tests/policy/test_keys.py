"""Every key that is read is described, and every key that is described is read: of policies and of configurations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plancheck.policy.described import DescribedKey, EntryPath, KeyTable
from plancheck.policy.keys import GATE_KEYS, POLICY_KEYS, POLICY_TABLE, REQUIREMENT_KEYS, TOOL_KEYS, USE_KEYS
from plancheck.policy.model import GateRules, Policy
from plancheck.policy.reading import read_policy
from plancheck.workspace.config import Config, parse_config
from plancheck.workspace.config_keys import CONFIG_KEYS, OVERRIDE_KEYS, config_table

ROOT = Path(__file__).parents[2]
PLACES = {
    "policy": (POLICY_KEYS, "{}: 5"),
    "gate": (GATE_KEYS, "gate: {{{}: 5}}"),
    "tool": (TOOL_KEYS, "tools: {{look: {{{}: 5}}}}"),
    "use": (USE_KEYS, "gate: {{at_most: [{{{}: 5}}]}}"),
    "requirement": (REQUIREMENT_KEYS, "gate: {{required: [{{{}: 5}}]}}"),
}


def unknown(text: str) -> list[str]:
    return [p.message for p in read_policy(text).problems if p.rule == "policy_unknown_key"]


@pytest.mark.parametrize("place", PLACES)
def test_the_described_keys_of_a_policy_are_those_that_are_read(place: str) -> None:
    keys, text = PLACES[place]
    for key in keys:
        assert unknown(text.format(key.name)) == []
    (message,) = unknown(text.format("zzz"))
    assert re.findall(r"`(\w+)`", message)[1:] == [key.name for key in keys]


def test_a_policy_has_a_field_for_each_key() -> None:
    assert {key.name for key in POLICY_KEYS} == set(Policy.__match_args__) - {"rego"}
    assert {key.name for key in GATE_KEYS} == set(GateRules.__match_args__)


@pytest.mark.parametrize(
    ("keys", "text"), [(CONFIG_KEYS, "{} = 1.5"), (OVERRIDE_KEYS, "[[overrides]]\nfiles = []\nrules = {{}}\n{} = 1.5")]
)
def test_the_described_keys_of_a_configuration_are_those_that_are_read(
    keys: tuple[DescribedKey, ...], text: str
) -> None:
    for key in keys:
        assert "is not a" not in " ".join(p.message for p in parse_config(text.format(key.name))[1])
    (message,) = (p.message for p in parse_config(text.format("zzz"))[1] if "`zzz`" in p.message)
    assert re.findall(r"`([\w-]+)`", message)[1:] == [key.name for key in keys]


def test_a_configuration_has_a_field_for_each_key() -> None:
    assert {key.name.replace("-", "_") for key in CONFIG_KEYS} == set(Config._fields) - {"around"}


@pytest.mark.parametrize(
    ("page", "keys"), [("policy.md", (*POLICY_KEYS, *GATE_KEYS)), ("configuration.md", CONFIG_KEYS)]
)
def test_the_pages_name_every_key(page: str, keys: tuple[DescribedKey, ...]) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert [key.name for key in keys if key.name not in text] == []


@pytest.mark.parametrize("table", [POLICY_TABLE, config_table()], ids=["policy", "configuration"])
def test_every_form_is_known_and_every_key_says_something(table: KeyTable) -> None:
    for form in table.forms.values():
        below = [*(key.form for key in form.keys), form.members, form.items, *form.particular.values()]
        assert all(each in table.forms for each in below if each is not None)
        for key in form.keys:
            assert key.summary, key.name
            assert not key.summary.endswith(".")
            assert not key.without.endswith(".")


@pytest.mark.parametrize(
    ("path", "written"),
    [
        (("allow_tools",), "a list of tools"),
        (("allow_tools", 0), "the name of a tool"),
        (("bounds", "a.b", 1), "a number"),
        (("gate", "at_most", 0, "tools", 3), "the name of a tool"),
        (("tools", "look", "does"), "a word, or a list of words"),
        (("nothing",), None),
        (("max_steps", "below"), None),
        (("allow_tools", "a"), None),
    ],
)
def test_the_form_of_what_is_at_a_path(path: EntryPath, written: str | None) -> None:
    form = POLICY_TABLE.form(path)
    assert (form.written if form is not None else None) == written


def test_a_rule_has_the_options_that_it_takes() -> None:
    table = config_table()
    form = table.form(("rules", "parallel_write_race"))
    assert form is not None
    assert [key.name for key in form.keys] == ["severity", "related"]
    plain = table.form(("overrides", 0, "rules", "scope_deny"))
    assert plain is not None
    assert [key.name for key in plain.keys] == ["severity"]
