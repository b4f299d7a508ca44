"""Globs over relative paths."""

from __future__ import annotations

import re
import time
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancheck.workspace.globs import LONGEST, MOST_CHOICES, GlobSet, bad_glob, size


@pytest.mark.parametrize(
    ("glob", "fits", "does_not"),
    [
        ("**/*.plan.json", ["a.plan.json", "x/y/a.plan.json"], ["a.json", "a.plan.jsonx"]),
        ("*.json", ["a.json", "x/a.json"], ["a.yaml"]),
        ("./plans/*.json", ["plans/a.json"], ["plans/x/a.json", "x/plans/a.json"]),
        ("plans/**/*.json", ["plans/a.json", "plans/x/y/a.json"], ["plans.json"]),
        ("plans/**", ["plans/a", "plans/x/y"], ["plan", "x/plans/a"]),
        ("build", ["build", "build/a.json", "x/build/y"], ["rebuild/a", "build.json"]),
        ("build/", ["build/a.json", "x/build/y"], ["rebuild/a"]),
        ("a?c.json", ["abc.json"], ["ac.json", "a/c.json"]),
        ("[ab].json", ["a.json", "b.json"], ["c.json"]),
        ("[!ab].json", ["c.json"], ["a.json", "/.json"]),
        ("[]x].json", ["].json", "x.json"], ["y.json"]),
        ("[!]x].json", ["y.json"], ["].json", "x.json"]),
        ("*.{plan,steps}.json", ["a.plan.json", "x/a.steps.json"], ["a.calls.json"]),
        ("x/{a,**/b}.json", ["x/a.json", "x/b.json", "x/y/b.json"], ["x/y/a.json"]),
        ("a+b(c).json", ["a+b(c).json"], ["aab(c).json"]),
        ("[", ["["], ["x"]),
        ("{x", ["{x"], ["x"]),
    ],
)
def test_what_fits(glob: str, fits: list[str], does_not: list[str]) -> None:
    assert bad_glob(glob) is None
    globs = GlobSet([glob])
    assert [path for path in fits + does_not if globs.fits(path)] == fits


def test_no_globs_fit_nothing() -> None:
    assert not GlobSet([]).fits("a")
    assert GlobSet(["x", "a"]).fits("a")


NAMES = st.text("ab.-", min_size=1, max_size=3).filter(lambda name: set(name) != {"."})


@given(st.lists(NAMES, min_size=1, max_size=3), st.text("ab.-*?", min_size=1, max_size=5))
def test_one_name_as_pathlib_matches_it(parts: list[str], name_glob: str) -> None:
    """`PurePath.match` knows everything but `**` and folders: an oracle for a glob in any folder."""
    if "**" in name_glob or set(name_glob) <= {"."}:
        return
    path = PurePosixPath(*parts)
    expected = any(part.match(name_glob) for part in (path, *path.parents) if part.name)
    assert GlobSet([name_glob]).fits(path.as_posix()) is expected


@given(st.text(max_size=20))
def test_any_text_is_a_glob_or_a_bad_one(glob: str) -> None:
    if bad_glob(glob) is None:
        GlobSet([glob]).fits("a/b.plan.json")


# ---- globs made to take long -----------------------------------------------------------------------------------------

LONG_PATH = "/".join(["a" * 200] * 20) + "/" + "a" * 200 + ".plan.json"
HOSTILE = {
    "stars in a name": "**/" + "a*" * 30 + "b",
    "nothing but stars": "*" * 60,
    "folders in a row": "**/" * 60 + "b",
    "folders with names between": "**/a*/" * 60 + "b",
    "crossing stars": "a**" * 100 + "b",
    "sets and stars": "[!b]*" * 100 + "b",
    "choices of stars": "{a*,*a}" * 6 + "b",
    "as long as may be": ("*a" * LONGEST)[: LONGEST - 1] + "b",
}


@pytest.mark.parametrize("glob", HOSTILE.values(), ids=HOSTILE)
def test_no_glob_takes_long(glob: str) -> None:
    assert bad_glob(glob) is None
    started = time.process_time()
    assert GlobSet([glob]).fits(LONG_PATH) is (set(glob) == {"*"})
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("glob", "wrong"),
    [
        ("a" * (LONGEST + 1), "is too long: at most 1,000 characters"),
        ("{a,b}" * 7, "expands to more than 100 globs: use fewer `{…}`"),
        ("{a,b}" * 190, "expands to more than 100 globs: use fewer `{…}`"),
        ("{" * 400 + "a", None),
        ("{" * 400 + "}", "cannot be understood"),
    ],
)
def test_what_is_too_much_for_a_glob(glob: str, wrong: str | None) -> None:
    assert bad_glob(glob) == wrong


def test_the_limits_are_inclusive() -> None:
    assert bad_glob("a" * LONGEST) is None
    choices = ",".join(f"c{number}" for number in range(MOST_CHOICES))
    assert bad_glob(f"{{{choices}}}") is None
    assert bad_glob(f"{{{choices},x}}") is not None
    assert bad_glob("{" * 400 + "a" + "}" * 400) is None
    assert GlobSet(["{" * 400 + "a" + "}" * 400]).fits("x/a")


def test_the_size_counts_choices_written_out() -> None:
    assert size("x/ab") == 4
    assert size("x/{a,bc}") == 7


PIECES = ["*", "**", "**/", "/", "a", "b", "?", "[ab]", "[!a]", "{a,b}", "{a,b*c}", "ab"]
PATHS = st.lists(st.sampled_from(["a", "b", "ab", "ba", "aab", "bab"]), min_size=1, max_size=5).map("/".join)


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join), PATHS)
def test_globs_fit_what_a_backtracking_expression_fits(glob: str, path: str) -> None:
    """The plain translation, which tries every way and may take forever, is the oracle."""
    if bad_glob(glob) is None:
        assert GlobSet([glob]).fits(path) is (re.fullmatch(backtracking(glob), path) is not None)


def backtracking(glob: str) -> str:
    body = glob.rstrip("/")
    expression = "" if "/" in body else "(?:.*/)?"
    for piece in re.findall(r"(?:(?<=/)|^)\*\*/|\*\*|\[[^]]*\]|.", body):
        special = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")", ",": "|"}
        expression += special.get(piece) or piece.replace("[!", "[^/")
    return f"{expression}(?:/.*)?"
