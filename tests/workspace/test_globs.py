"""Globs over relative paths."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancheck.workspace.globs import GlobSet, bad_glob


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
