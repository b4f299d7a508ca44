"""A `.gitignore` made to be slow is limited, and said to be; tests/workspace/test_files.py has git as the oracle."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancheck.workspace.files import Configurations, ReadError, find_plans
from plancheck.workspace.gitignore import LONGEST, LONGEST_WILD, MOST_LINES, MOST_WILD, IgnoreRules
from workspace.folders import git, plant

LONG_NAME = "a" * 200 + ".plan.json"
HOSTILE = {
    "names": "\n".join(f"name{number}" for number in range(300_000)),
    "one name again and again": "x.json\n" * 300_000,
    "names and their opposites": "x\n!y\n" * 150_000,
    "endings": "\n".join(f"*.e{number}" for number in range(300_000)),
    "endings and their opposites": "*.x\n!*.y\n" * 150_000,
    "stars in a name": "**/" + "a*" * 30 + "b",
    "many stars in many names": ("*a" * 400 + "b\n") * 1_000,
    "folders": "**/a/" * 199 + "b",
    "one long name": "a" * 3_000_000,
    "one long line of stars": "*a" * 1_500_000,
    "spaces": " " * 3_000_000,
    "escaped spaces": "\\ " * 1_500_000,
    "open sets": "[" * 3_000_000,
    "sets": "[a-z]" * 600_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_file_takes_long(text: str) -> None:
    started = time.process_time()
    rules = IgnoreRules(text)
    for number in range(20):
        assert rules.verdict(f"{'a/' * 100}{number}{LONG_NAME}", is_folder=False) is None
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("text", "is_cut"),
    [
        ("a\n" * MOST_LINES, False),
        ("a\n" * (MOST_LINES + 1), True),
        ("#" * LONGEST, False),
        ("#" * (LONGEST + 1), True),
        ("*" * LONGEST_WILD, False),
        ("*" * (LONGEST_WILD + 1), True),
        ("*a" * 500 + "\n", False),
        (("*a" * 500 + "\n") * (MOST_WILD // 1_000), False),
        (("*a" * 500 + "\n") * (MOST_WILD // 1_000) + "*", True),
    ],
)
def test_the_limits(text: str, is_cut: bool) -> None:
    assert IgnoreRules(text).is_cut is is_cut


def test_what_stands_before_the_limit_counts() -> None:
    rules = IgnoreRules("first\n" + "x\n" * MOST_LINES + "last\n")
    assert (rules.verdict("first", False), rules.verdict("last", False)) == (True, None)
    rules = IgnoreRules("*" * (LONGEST_WILD + 1) + "\nlast\n")
    assert (rules.verdict("other", False), rules.verdict("last", False)) == (None, True)


def test_a_file_that_is_too_long_is_reported_once(tmp_path: Path) -> None:
    long = "x.plan.json\n" * (MOST_LINES + 1)
    plant(tmp_path, {".gitignore": long, "a/.gitignore": long, "a/b/y.plan.json": "", "c/y.plan.json": ""})
    git(tmp_path, "init", "-q")
    message = "it is too long, so only its first lines are applied: shorten it."
    assert list(find_plans(str(tmp_path), Configurations())) == [
        ReadError(str(tmp_path / ".gitignore"), message),
        ReadError(str(tmp_path / "a/.gitignore"), message),
        str(tmp_path / "a/b/y.plan.json"),
        str(tmp_path / "c/y.plan.json"),
    ]
    assert [found for found in find_plans(str(tmp_path / "a/b"), Configurations()) if isinstance(found, ReadError)] == [
        ReadError(str(tmp_path / ".gitignore"), message),
        ReadError(str(tmp_path / "a/.gitignore"), message),
    ]


LINES = st.sampled_from(
    ["a", "!a", "a/", "!a/", "/a", "b/a", "!b/a/", "*", "!*", "?", "!b/*", "*/", "!*/", "**/a", "b"]
)


@settings(max_examples=300)
@given(st.lists(LINES, max_size=8), st.sampled_from(["a", "b", "b/a", "a/b"]), st.booleans())
def test_lines_asked_together_decide_as_one_by_one(lines: list[str], path: str, is_folder: bool) -> None:
    verdicts = [IgnoreRules(line).verdict(path, is_folder) for line in lines]
    last = next((verdict for verdict in reversed(verdicts) if verdict is not None), None)
    assert IgnoreRules("\n".join(lines)).verdict(path, is_folder) is last
