"""`plancheck init`: files that are sound as they are, that have every key, and whose examples are valid."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.command import EXAMPLES, plancheck, plant
from plancheck.cli.init import configuration, policy
from plancheck.policy.keys import GATE_KEYS, POLICY_KEYS, REQUIREMENT_KEYS, TOOL_KEYS, USE_KEYS
from plancheck.policy.reading import read_policy
from plancheck.workspace.config import Config, parse_config
from plancheck.workspace.config_keys import CONFIG_KEYS, OVERRIDE_KEYS

COMMENTED = re.compile(r"^#(?=\S|  )", re.MULTILINE)
"""The mark of what can be had by removing it; prose has a blank behind it."""


def blocks(text: str) -> list[str]:
    """The keys that are commented out, each without its marks."""
    found = [
        "".join(line[1:] + "\n" for line in block.split("\n") if COMMENTED.match(line)) for block in text.split("\n\n")
    ]
    return [block for block in found if block]


def test_both_files_are_written_and_change_nothing(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": (EXAMPLES / "flows" / "calls-faulty.plan.json").read_text(encoding="utf-8")})
    before = plancheck("check", ".", cwd=tmp_path)
    ran = plancheck("init", cwd=tmp_path)
    assert ran == (0, "plancheck.toml is written.\nplan-policy.yaml is written.\n", "")
    assert (tmp_path / "plancheck.toml").read_text(encoding="utf-8") == configuration()
    assert plancheck("check", ".", cwd=tmp_path) == before
    assert plancheck("policy", "check", "plan-policy.yaml", cwd=tmp_path).code == 0
    assert "Nothing is wrong" in plancheck("doctor", cwd=tmp_path).out


def test_what_is_there_is_never_overwritten(tmp_path: Path) -> None:
    plant(tmp_path, {"plancheck.toml": "max-findings = 7\n", "plan-policy.yml": "max_steps: 3\n"})
    ran = plancheck("init", cwd=tmp_path)
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "plancheck.toml is there already, and is left as it is.",
        "plan-policy.yml is there already: no plan-policy.yaml is written.",
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plan-policy.yml", "plancheck.toml"]
    assert (tmp_path / "plancheck.toml").read_text() == "max-findings = 7\n"
    (tmp_path / "plancheck.toml").unlink()
    (tmp_path / "plancheck.toml").symlink_to("nowhere")
    assert plancheck("init", cwd=tmp_path).out.startswith("plancheck.toml is there already")
    assert not (tmp_path / "nowhere").exists()


def test_a_configuration_elsewhere_is_respected_or_named(tmp_path: Path) -> None:
    plant(tmp_path, {"pyproject.toml": '[tool.plancheck]\nprofile = "strict"\n', "deep/x": ""})
    ran = plancheck("init", cwd=tmp_path)
    assert ran.out.startswith("pyproject.toml is there already: no plancheck.toml is written.\n")
    ran = plancheck("init", cwd=tmp_path / "deep")
    assert ran.out.splitlines()[:2] == [
        "plancheck.toml is written.",
        f"plancheck.toml counts in this folder and below, in place of {tmp_path / 'pyproject.toml'}.",
    ]
    plant(tmp_path, {"other/pyproject.toml": '[project]\nname = "x"\n'})
    assert plancheck("init", cwd=tmp_path / "other").out.startswith("plancheck.toml is written.")


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    ran = plancheck("init", "somewhere", cwd=tmp_path)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    folder = tmp_path / "gone"
    folder.mkdir()
    ran = plancheck("init", "--force", cwd=folder)
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_every_key_is_mentioned() -> None:
    for key in (*CONFIG_KEYS, *OVERRIDE_KEYS):
        assert re.search(rf"^(#|# - )?\[*{key.name}\]*( = |:|$)", configuration(), re.MULTILINE), key.name
    for key in (*POLICY_KEYS, *GATE_KEYS, *TOOL_KEYS, *USE_KEYS, *REQUIREMENT_KEYS):
        assert re.search(rf"^(#|# - |#  )?{key.name}:", policy(), re.MULTILINE), key.name


def test_both_are_sound_as_they_are() -> None:
    assert parse_config(configuration()) == (Config(), [])
    assert read_policy(policy()).problems == ()
    assert read_policy(policy()).policy == read_policy("max_steps: 100").policy


def test_everything_uncommented_is_valid() -> None:
    config, problems = parse_config(COMMENTED.sub("", configuration()))
    assert problems == []
    assert (config.baseline, len(config.overrides), config.dialect) == ("plancheck-baseline.json", 1, "steps")
    found = read_policy(COMMENTED.sub("", policy()))
    assert found.problems == ()
    assert found.policy.gate.at_most
    assert found.policy.recipients


@pytest.mark.parametrize("block", blocks(configuration()), ids=lambda block: block.split()[0])
def test_each_setting_is_valid_by_itself(block: str) -> None:
    config, problems = parse_config(block)
    assert problems == []
    default = any(block.startswith(name) for name in ("include", "max-", "inline-ignores"))
    assert (config == Config()) is default


@pytest.mark.parametrize("block", blocks(policy()), ids=lambda block: block.split()[0])
def test_each_key_of_a_policy_is_valid_by_itself(block: str) -> None:
    if block == "gate:\n":
        return
    assert read_policy(f"gate:\n{block}" if block.startswith("  ") else block).problems == ()


def test_no_line_is_too_long() -> None:
    assert max(map(len, f"{configuration()}\n{policy()}".split("\n"))) <= 104
